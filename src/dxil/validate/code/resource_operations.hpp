// Operations on resources: what they may be of, and how many operands each kind of resource takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dxil/program/handles.hpp"
#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

/// The number of a parameter after the opcode, or nothing.
std::optional<std::size_t> parameter_of(const OperationInfo& row, std::string_view name);

class ResourceOperationChecker {
 public:
  explicit ResourceOperationChecker(const ModuleCheck& check);

  /// A call of an operation with all of its operands; `at` is the call, in Module::instructions.
  void check(const Body& body, std::uint32_t at, const OperationInfo& info, const Instruction& i);
  /// A call that makes a handle: whether there is what it is made for.
  void check_maker(const Body& body, std::uint32_t at, const OperationInfo& info, const Instruction& i);
  /// The handles that any operation takes.
  void check_handles(const Body& body, std::uint32_t at, const OperationInfo& info, const Instruction& i);
  /// A part of an operation's result, which may be one that its resource does not have.
  void check_part(const Body& body, std::uint32_t at, const Instruction& i);

 private:
  void add(const Rule& rule, const OperationInfo& info, std::string_view what) const;
  std::uint32_t operand(const Instruction& i, std::size_t parameter) const;
  std::optional<std::uint64_t> integer(const Instruction& i, std::size_t parameter) const;
  std::optional<float> real(const Instruction& i, std::size_t parameter) const;
  bool undef(const Instruction& i, std::size_t parameter) const { return c_.is_undef(*body_, operand(i, parameter)); }
  std::optional<program::HandleResource> view_of(const Instruction& i, std::size_t parameter = 0) const {
    return handles_.find(*body_, operand(i, parameter));
  }

  bool is_bare(const Value& value) const;
  void check_sampler(const OperationInfo& info, const Instruction& i, bool comparison);
  void check_sample(const OperationInfo& info, const Instruction& i, bool comparison);
  void check_gather(const OperationInfo& info, const Instruction& i, bool comparison);
  void check_level(const OperationInfo& info, const Instruction& i);
  void check_coordinates(const OperationInfo& info, const Instruction& i, std::size_t count, std::size_t most);
  void check_offsets(const OperationInfo& info, const Instruction& i, std::size_t first,
                     const std::optional<program::HandleResource>& view);
  void check_offset(const OperationInfo& info, const Instruction& i, std::size_t parameter);
  void check_texture_load(const OperationInfo& info, const Instruction& i);
  void check_store(const OperationInfo& info, const Instruction& i, std::size_t values);
  void check_buffer(const OperationInfo& info, const Instruction& i);
  void check_buffer_kind(const OperationInfo& info, const Instruction& i, const program::HandleResource& view);
  void check_constant_buffer(const OperationInfo& info, const Instruction& i);
  void check_counter(const OperationInfo& info, const Instruction& i);
  void check_dimensions(const OperationInfo& info, const Instruction& i);
  void check_status(const OperationInfo& info, const Instruction& i);
  void check_scene(const OperationInfo& info, const Instruction& i);

  const ModuleCheck& c_;
  const Module& m_;
  program::HandleFinder handles_;
  std::uint32_t dimensions_ = kNone;  ///< the type of what GetDimensions gives
  std::uint32_t handle_ = kNone, node_handle_ = kNone, record_handle_ = kNone;
  std::unordered_map<std::uint64_t, bool> steps_up_;  ///< by range of the view: how its counter is stepped
  const Body* body_ = nullptr;
  std::uint32_t at_ = 0;
};

}  // namespace unshade::dxil::validate
