#include "dxbc/assemble/statement_check.hpp"

#include <cstddef>

namespace unshade::dxbc::assembler {

bool AssembledCheck::gives(bool is_5_1, std::string_view statement, View tokens) {
  assembler_.restart(statement, is_5_1);
  if (!assembler_.more() || !assembler_.statement() || !assembler_.scanner().at_end_of_text()) return false;
  const auto& made = assembler_.tokens();
  if (tokens.size() != 4 * made.size()) return false;
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i] != tokens.load_unchecked<std::uint32_t>(4 * i)) return false;
  return true;
}

}  // namespace unshade::dxbc::assembler
