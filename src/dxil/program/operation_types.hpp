// Whether a function has the types that an operation's row states.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <unshade/dxil/program/call.hpp>

namespace unshade::dxil::program {

class OperationTypes {
 public:
  enum class Outcome { fits, wrong_overload, wrong_types };

  explicit OperationTypes(const ModuleQuery& query) : query_(query) {}

  /// `type`: of a function that is called with the operation's opcode.
  Outcome check(const OperationInfo& info, std::uint32_t type);
  /// The type that the first overloaded operand had in the last check; kNone if there is none.
  std::uint32_t overload() const { return bound_[0]; }

 private:
  bool fits(std::string_view word, std::uint32_t type);
  bool bind(std::size_t which, std::uint32_t type);
  bool is_struct(std::uint32_t type, std::string_view name) const;
  std::uint32_t member(std::uint32_t structure, std::size_t i) const;

  const ModuleQuery& query_;
  static constexpr std::size_t kOverloads = 4;
  std::array<std::uint32_t, kOverloads> bound_{};
};

/// Whether a list of overloads (see operations.def) has a type.
bool is_overload(const ModuleQuery& query, std::string_view letters, std::uint32_t type);

}  // namespace unshade::dxil::program
