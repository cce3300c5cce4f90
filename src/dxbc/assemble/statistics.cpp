#include "dxbc/assemble/statistics.hpp"

namespace unshade::dxbc::assembler {

Statistics statistics_of(const program::ProgramFacts& facts, listing::FxcEra era) {
  Statistics statistics = facts.counted;
  if (era <= listing::FxcEra::windows8) {
    statistics.float_instruction_count -= facts.arithmetic.mad;
    statistics.int_instruction_count -= facts.arithmetic.imad;
  }
  if (era == listing::FxcEra::windows8) statistics.mov_instruction_count += facts.arithmetic.ret;
  return statistics;
}

}  // namespace unshade::dxbc::assembler
