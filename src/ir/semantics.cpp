// Checks when compiled that each word of the column `sem` of an instruction table is an operation of ops.def or a word of semantics.def.
namespace unshade::ir {
namespace {

/// A word of both lists would be declared twice.
enum class Meaning {
#define IR_OP(id, text, shape, types, effects, extra) id,
#include <unshade/ir/ops.def>
#define IR_SEM(word, meaning) word,
#include <unshade/ir/semantics.def>
};

[[maybe_unused]] constexpr Meaning kOfDxilOperations[] = {
#define DXIL_OP(code, id, text, function, overloads, types, parameters, since, access, traits, stages, sem) Meaning::sem,
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

[[maybe_unused]] constexpr Meaning kOfLlvmInstructions[] = {
#define DXIL_OPCODE(id, text, group, sem) Meaning::sem,
#include <unshade/dxil/ir.def>
};

}  // namespace
}  // namespace unshade::ir
