// Token programs as text, for exact listings with the assembler's word that each statement gives its tokens back.
#pragma once

#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxbc/listing.hpp>

namespace unshade::dxbc::listing {

/// Whether a statement, assembled, gives the tokens it was printed from. The assembler reads what the listing prints, so that it has to be
/// handed in.
class StatementCheck {
 public:
  StatementCheck() = default;
  StatementCheck(const StatementCheck&) = delete;
  StatementCheck& operator=(const StatementCheck&) = delete;
  virtual ~StatementCheck() = default;

  virtual bool gives(bool is_5_1, std::string_view statement, View tokens) = 0;
};

/// As list_program of the public header. `check`: with `exact_floats`; statements that do not give their tokens are printed as tokens.
Result<void> list_program(const Program& program, std::string_view part_name, Text& out, const ProgramListingOptions& options,
                          StatementCheck* check);

}  // namespace unshade::dxbc::listing
