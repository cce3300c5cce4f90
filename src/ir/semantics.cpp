// Checks when compiled that each word of the column `sem` of an instruction table is an operation of ops.def or a word of semantics.def.
#include <cstddef>
#include <iterator>

#include <unshade/spirv/enumerants.hpp>

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

[[maybe_unused]] constexpr Meaning kOfTokenPrograms[] = {
#define DXBC_OP(code, id, text, shape, control, since, counted, stages, traits, access, lanes, sem) Meaning::sem,
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
};

[[maybe_unused]] constexpr Meaning kOfLevel9[] = {
#define SM2_OP(code, id, text, shape, lanes, slots, unit, block, vs, ps, gradient, sem) Meaning::sem,
#include "dxbc/level9/sm2_opcodes.def"
};

[[maybe_unused]] constexpr Meaning kOfPica[] = {
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) Meaning::sem,
#include <unshade/pica/instructions.def>
#undef PICA_OP
};

template <class Id>
struct Row {
  Id id;
  Meaning meaning;
};

template <class Id, std::size_t N>
constexpr bool are_unique(const Row<Id> (&rows)[N]) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = i + 1; j < N; ++j)
      if (rows[i].id == rows[j].id) return false;
  return true;
}

constexpr Row<spirv::Opcode> kOfSpirv[] = {
#define SPIRV_SEM(id, sem) {spirv::Opcode::id, Meaning::sem},
#define SPIRV_GLSL_SEM(id, sem)
#include <unshade/spirv/semantics.def>
};
static_assert(are_unique(kOfSpirv), "semantics.def: one row for an opcode");

constexpr Row<spirv::extended::GlslStd450> kOfGlsl[] = {
#define SPIRV_SEM(id, sem)
#define SPIRV_GLSL_SEM(id, sem) {spirv::extended::GlslStd450::id, Meaning::sem},
#include <unshade/spirv/semantics.def>
};
constexpr std::size_t kGlslInstructions = static_cast<std::size_t>(spirv::extended::GlslStd450::n_clamp);
static_assert(are_unique(kOfGlsl) && std::size(kOfGlsl) == kGlslInstructions, "semantics.def: a row for each instruction of GLSL.std.450");

}  // namespace
}  // namespace unshade::ir
