// The operations of DXIL: what a call of a `dx.op.` function does, by the opcode that it carries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <unshade/dxil/enums.hpp>

namespace unshade::dxil {

/// The operation that the first argument of a `dx.op.` call selects.
enum class Operation : std::uint32_t {
#define DXIL_OP(code, id, ...) id = code,
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

/// The shader models that brought operations.
enum class ShaderModel : std::uint8_t { sm6_0, sm6_1, sm6_2, sm6_3, sm6_4, sm6_5, sm6_6, sm6_7, sm6_8, sm6_9, sm6_10 };

/// What of memory an operation touches. The legend of operations.def says more.
enum class MemoryAccess : std::uint8_t { none, reads, writes, no_duplicate, no_return, arg_memory };

/// Bits of OperationInfo::traits: see operations.def. src: DXC lib/DXIL/DxilOperations.cpp, IsDxilOpGradient, IsDxilOpWave,
/// IsDxilOpFeedback; utils/hct/hctdb.py, shader_model_translated
namespace operation_trait {
inline constexpr std::uint8_t alone = 0, gradient = 1, wave = 2, feedback = 4, barrier = 8, translated = 16;
}  // namespace operation_trait

/// The name of a parameter of some operation; one that no row of operations.def has does not compile. Or a parameter's number.
class Parameter {
 public:
  template <std::size_t N>
  consteval Parameter(const char (&name)[N]) : number_(kByName), hash_(hash(std::string_view(name, N - 1))) {
    if (!is_known(std::string_view(name, N - 1))) no_operation_has_this_parameter();
  }
  constexpr Parameter(std::size_t number) : number_(static_cast<std::uint32_t>(number)) {}

  /// Of a name that is not known when compiled.
  static constexpr Parameter named(std::string_view name) {
    Parameter parameter(kByName);
    parameter.hash_ = hash(name);
    return parameter;
  }
  /// FNV-1a. Different names of operations.def have different ones.
  static constexpr std::uint32_t hash(std::string_view name) {
    std::uint32_t sum = 0x811c'9dc5;
    for (const char c : name) sum = (sum ^ static_cast<unsigned char>(c)) * 0x0100'0193;
    return sum;
  }

 private:
  friend struct OperationInfo;
  static constexpr std::uint32_t kByName = 0xffff'ffff;

  static consteval bool is_known(std::string_view name) {
    constexpr std::string_view kNames =
#define DXIL_OP(code, id, text, function, overloads, types, parameters, ...) "," parameters
#include <unshade/dxil/operations.def>
#undef DXIL_OP
        ",";
    for (std::size_t at = kNames.find(name); at != std::string_view::npos; at = kNames.find(name, at + 1))
      if (kNames[at - 1] == ',' && kNames[at + name.size()] == ',') return true;
    return false;
  }
  static void no_operation_has_this_parameter();

  std::uint32_t number_;
  std::uint32_t hash_ = 0;
};

/// A row of operations.def.
struct OperationInfo {
  std::uint32_t code;
  std::string_view text;        ///< `LoadInput`
  std::string_view comment;     ///< `LoadInput(inputSigId,rowIndex,colIndex,gsVertexAxis)`
  std::string_view function;    ///< `loadInput`: after `dx.op.`
  std::string_view overloads;   ///< a letter each
  std::string_view types;       ///< of the result and the parameters, a word each
  std::string_view parameters;  ///< their names, separated by commas
  ShaderModel since;
  MemoryAccess access;
  std::uint8_t traits;
  std::string_view stages;  ///< a word each, or `any`
  std::string_view sem;
  // Derived from these.
  std::uint32_t stage_bits;      ///< bit i: may be used in ShaderKind i
  std::uint32_t constants;       ///< bit i: parameter i must be a constant
  const std::uint32_t* hashes;   ///< Parameter::hash() of each parameter
  std::uint8_t parameter_count;  ///< without the opcode
  std::uint8_t overload_word;    ///< of `types`, counted from 0: the first that has the overloaded type; kNoOverload
  static constexpr std::uint8_t kNoOverload = 0xff;

  Operation operation() const { return static_cast<Operation>(code); }
  bool has(std::uint8_t trait) const { return (traits & trait) != 0; }
  /// False for what is no kind: files may state any number.
  bool may_be_in(ShaderKind kind) const { return kind < ShaderKind::invalid && (stage_bits >> static_cast<std::uint32_t>(kind) & 1) != 0; }
  /// The number of a parameter after the opcode; nothing if there is none with this name.
  std::optional<std::size_t> find(Parameter parameter) const {
    if (parameter.number_ != Parameter::kByName)
      return parameter.number_ < parameter_count ? std::optional<std::size_t>(parameter.number_) : std::nullopt;
    for (std::size_t i = 0; i < parameter_count; ++i)
      if (hashes[i] == parameter.hash_) return i;
    return std::nullopt;
  }
};

/// Every operation, by table and row.
std::span<const OperationInfo> operations();

/// The row of an opcode, or null if there is none.
const OperationInfo* find_operation(std::uint32_t code);

}  // namespace unshade::dxil
