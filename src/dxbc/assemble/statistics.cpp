#include "dxbc/assemble/statistics.hpp"

namespace unshade::dxbc {

Statistics statistics_of(const ProgramFacts& facts, FxcEra era) {
  Statistics statistics = facts.counted;
  if (era <= FxcEra::windows8) {
    statistics.float_instruction_count -= facts.arithmetic.mad;
    statistics.int_instruction_count -= facts.arithmetic.imad;
  }
  if (era == FxcEra::windows8) statistics.mov_instruction_count += facts.arithmetic.ret;
  return statistics;
}

}  // namespace unshade::dxbc
