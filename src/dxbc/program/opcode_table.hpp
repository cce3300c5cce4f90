// opcodes.def as a constexpr table.
#pragma once

#include <cstddef>
#include <iterator>

#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::program {

namespace opcode_rows {
using namespace dxbc::traits;
inline constexpr OpcodeInfo kOpcodes[] = {
#define DXBC_OP(code, id, text, shape, control, since, counted, stage_word, trait_words, access_word, lanes, sem) \
  {text, shape, Control::control, ShaderModel::since, Counted::counted, stages::stage_word, trait_words, access::access_word, lanes, #sem},
#define DXBC_DCL(code, id, text, shape, control, since, stage_word, trait_words, access_word, spelling)                       \
  {text, shape,     Control::control, ShaderModel::since, Counted::dcl, stages::stage_word, trait_words, access::access_word, \
   "",   "nothing", spelling},
#include <unshade/dxbc/opcodes.def>
#undef DXBC_OP
};
}  // namespace opcode_rows

using opcode_rows::kOpcodes;
inline constexpr std::size_t kOpcodeCount = std::size(kOpcodes);

}  // namespace unshade::dxbc::program
