// Which types the code of a DXIL module may work on.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

class TypeRules {
 public:
  explicit TypeRules(const ModuleCheck& check) : check_(check) {}

  /// The rule that a type breaks if it is loaded, stored, allocated or pointed to, or null: a pointer, at most, to an array of one
  /// dimension of scalars or structures, which may hold arrays of any.
  const Rule* broken(std::uint32_t type);
  /// The rule that an integer breaks by its width, or null.
  const Rule* broken_width(std::uint32_t type) const;

 private:
  const Rule* judge(std::uint32_t type);
  const Rule* judge_members(std::uint32_t structure);

  const ModuleCheck& check_;
  std::unordered_map<std::uint32_t, const Rule*> known_;
};

/// Whether a structure is one that operations give back: a handle, loaded values, two results.
bool is_operation_struct(const ModuleCheck& check, std::uint32_t type);
/// Whether a type is, points to, or has a member that is, a structure of operations or a class of HLSL for a resource, a stream or a
/// record.
bool holds_object(const ModuleCheck& check, std::uint32_t type);

}  // namespace unshade::dxil::validate
