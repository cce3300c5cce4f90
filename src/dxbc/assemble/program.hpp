// Token programs from text: the listing's language read backwards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/program.hpp>

#include "dxbc/assemble/scanner.hpp"

namespace unshade::dxbc::assembler {

class ProgramAssembler {
 public:
  /// Reads `text` from its start. `messages` is told of every fault.
  ProgramAssembler(std::string_view text, Messages& messages, const AssemblerOptions& options) : scan_(text, messages), options_(options) {}

  /// Steps over comments to the profile line and reads it. False if the text has none.
  bool profile();
  /// Steps over the code for level 9 that may precede the program; it is not assembled.
  void skip_level9();
  /// Whether code for level 9 preceded the profile line.
  bool has_level9() const { return has_level9_; }
  /// The same without a text: statements that follow are for this version token.
  void assume_version(std::uint32_t version);
  /// Every statement to the end, or to the first that is about parts. A statement that is faulty is left out.
  void statements();
  bool at_part_statement() const;
  /// One statement, which appends its tokens; they are of no use if it fails.
  bool statement();

  /// Whether the next line begins a statement, after comments and empty lines, which are stepped over.
  bool more();
  Scanner& scanner() { return scan_; }
  std::vector<std::uint32_t>& tokens() { return tokens_; }
  /// Where a statement of the program begins, and how many tokens precede its own.
  struct Start {
    const char* at;
    std::size_t token;
  };
  const std::vector<Start>& starts() const { return starts_; }
  const char* profile_at() const { return profile_at_; }
  /// Begins anew with another text.
  void restart(std::string_view text, bool is_5_1) {
    scan_.restart(text);
    tokens_.clear();
    is_5_1_ = is_5_1;
  }
  /// The program with its length set.
  std::vector<std::uint32_t> take();

 private:
  // An instruction's mnemonic: the row, and what is appended to its text.
  struct Mnemonic {
    const char* at = nullptr;
    std::uint32_t code = 0;
    std::string_view suffixes;
  };

  void skip_numbering();
  bool mnemonic(Mnemonic& mnemonic);
  bool raw_tokens();
  std::string_view comment();
  bool immediate_buffer();
  bool other_custom_data(const char* at);
  bool message(std::uint32_t id);
  bool message_format(std::string_view text, std::string& format);
  bool instruction(const Mnemonic& mnemonic);
  bool suffixes(const Mnemonic& mnemonic, std::uint32_t& word, bool& has_offsets, bool& is_indexable);
  bool extensions(std::size_t first, std::uint32_t& word, bool has_offsets, bool is_indexable);
  bool at_dimension();
  bool precise(std::uint32_t& word);
  bool return_type_suffix(const Mnemonic& mnemonic, std::uint32_t& word);
  bool finish(std::size_t first, std::uint32_t word);

  bool declaration(const Mnemonic& mnemonic);
  bool declared_suffix(const Mnemonic& mnemonic, const OpcodeInfo& info, std::uint32_t& word);
  bool declared_field(const OpcodeInfo& info, Opcode opcode, std::uint32_t& word);
  bool interpolation(bool is_generated, std::uint32_t& value);
  bool interface();
  bool declared();
  bool declared_resource();
  void buffer_name();
  bool uav_options(std::uint32_t& word);
  bool registers_of_range();
  bool declared_range(OperandType type, std::uint32_t number);
  bool function_list(OperandType type, std::uint32_t array_length = 0);
  bool space();
  bool numbered(OperandType type, std::uint32_t& number);
  bool named(const NameTable& names, std::uint32_t& value, std::string_view what, std::uint32_t most);
  bool flags(std::uint32_t& value);
  bool return_types(std::uint32_t& types);

  bool operand(char kind, unsigned depth);
  bool register_operand(char kind, unsigned depth, std::size_t token, bool absolute);
  struct Named;
  const Named* named_at(char kind) const;
  bool literals(char kind, std::size_t token);
  bool literals64(std::size_t token);
  bool index(std::size_t token, unsigned place, unsigned depth);
  bool components(char kind, OperandType type, std::size_t token);
  bool annotations(std::size_t token);
  bool used_precisions(const OpcodeInfo& info, std::size_t first_use);
  OperandType register_type(std::string_view letters) const;

  void push(std::uint32_t token) { tokens_.push_back(token); }
  bool comma() { return scan_.expect(','); }

  Scanner scan_;
  const AssemblerOptions& options_;
  std::vector<std::uint32_t> tokens_;
  // What sources say they are used as: {min16f as def32}.
  struct UsedPrecision {
    std::size_t token;
    std::uint32_t precision;
    const char* at;
    bool is_converted = false;  // the source is converted to the destination's precision
  };
  std::vector<UsedPrecision> used_;
  // Names that stand for registers, which RenderDoc declares: `dcl_sampler linear_sampler (s0), mode_default`.
  struct Named {
    std::string_view name;
    OperandType type;
    std::uint32_t number;
  };
  std::vector<Named> names_;
  bool has_buffer_names_ = false;
  // Ranges of shader model 5.1 that are written `T0 ... space=0,reg=3`: where one register is the range, instructions leave it out.
  struct Range {
    OperandType type;
    std::uint32_t id;
    std::uint32_t lower;
    std::uint32_t upper;
  };
  std::vector<Range> ranges_;
  Range range_{};  ///< the last one declared, and where its tokens are
  std::size_t range_token_ = 0;
  std::vector<Start> starts_;
  const char* profile_at_ = nullptr;
  bool is_5_1_ = false;
  bool has_level9_ = false;
};

}  // namespace unshade::dxbc::assembler
