// What exact listings ask of the assembler.
#pragma once

#include <string_view>

#include "dxbc/assemble/program.hpp"
#include "dxbc/listing/listing.hpp"

namespace unshade::dxbc::assembler {

/// Assembles each statement and compares the tokens.
class AssembledCheck final : public listing::StatementCheck {
 public:
  AssembledCheck() : messages_({}, true), assembler_({}, messages_, options_) {}
  AssembledCheck(const AssembledCheck&) = delete;
  AssembledCheck& operator=(const AssembledCheck&) = delete;

  bool gives(bool is_5_1, std::string_view statement, View tokens) override;

 private:
  AssemblerOptions options_;
  Messages messages_;
  ProgramAssembler assembler_;
};

}  // namespace unshade::dxbc::assembler
