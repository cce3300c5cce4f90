// The operations of DXIL: what a call of a `dx.op.` function does, by the opcode that it carries.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace unshade::dxil {

/// What the first argument of a `dx.op.` call chooses.
enum class Operation : std::uint32_t {
#define DXIL_OP(code, id, ...) id = code,
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

/// The shader models that brought operations.
enum class ShaderModel : std::uint8_t { sm6_0, sm6_1, sm6_2, sm6_3, sm6_4, sm6_5, sm6_6, sm6_7, sm6_8, sm6_9, sm6_10 };

/// What of memory an operation touches. The legend of operations.def says more.
enum class MemoryAccess : std::uint8_t { none, reads, writes, no_duplicate, no_return, arg_memory };

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
  std::string_view stages;  ///< a word each, or `any`
  std::string_view sem;
};

/// Every operation, by table and row.
std::span<const OperationInfo> operations();

/// The row of an opcode, or null if there is none.
const OperationInfo* find_operation(std::uint32_t code);

}  // namespace unshade::dxil
