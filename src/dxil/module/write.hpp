// Writes a module as records: write.cpp has all but functions, which are in write_functions.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/module.hpp>

#include "dxil/module/abbreviations.hpp"
#include "dxil/module/numbering.hpp"

namespace unshade::dxil::module {

// Widths of abbreviation ids. src: DXC BitcodeWriter.cpp, EnterSubblock
inline constexpr std::uint8_t kModuleWidth = 3;
inline constexpr std::uint8_t kAttributesWidth = 3;
inline constexpr std::uint8_t kTypesWidth = 4;
inline constexpr std::uint8_t kConstantsWidth = 4;
inline constexpr std::uint8_t kMetadataWidth = 3;
inline constexpr std::uint8_t kFunctionWidth = 4;
inline constexpr std::uint8_t kSymbolsWidth = 4;
inline constexpr std::uint8_t kBlockInfoWidth = 2;

class ModuleWriter {
 public:
  explicit ModuleWriter(const Module& module);

  Result<std::vector<std::byte>> write();

 private:
  using Values = std::vector<std::uint64_t>;

  // --- items ---
  void enter(std::uint32_t block, std::uint8_t width) { out_.enter_block(block, width); }
  void leave() { out_.end_block(); }
  Abbreviation define(std::initializer_list<AbbreviationOperand> operands);
  void emit(std::uint32_t code, std::span<const std::uint64_t> values, std::uint32_t abbreviation = abbreviation::kUnabbreviated) {
    out_.add_record(code, abbreviation, values);
  }
  void emit(std::uint32_t code, std::initializer_list<std::uint64_t> values) { emit(code, std::span(values.begin(), values.size())); }
  void emit_text(std::uint32_t code, std::string_view text, std::uint32_t abbreviation = abbreviation::kUnabbreviated);

  // --- the module ---
  void write_block_info();
  void write_attributes();
  void write_types();
  void write_type(std::uint32_t type);
  void write_module_info();
  void write_globals();
  void write_functions_info();
  void write_aliases();
  void write_constants();
  void write_constants(std::span<const std::uint32_t> ids, std::span<const Abbreviation> abbreviations);
  void write_constant(const Constant& constant, Values& values, std::uint32_t& code) const;
  void write_metadata();
  void write_kinds();
  struct Symbol {
    std::string_view name;
    std::uint32_t id;
    bool is_block;
  };
  void write_symbols(std::vector<Symbol>& symbols);
  std::uint32_t section_number(std::uint32_t section);

  // --- functions ---
  void write_body(const Body& body);
  void write_instruction(const Body& body, const Instruction& i);
  void push_argument(const Body& body, const Instruction& i, std::size_t operand);
  void write_attachments(const Body& body);
  /// True if the value comes later: its type follows it.
  bool push_typed(const Body& body, std::uint32_t id);
  void push(std::uint32_t id) { values_.push_back(static_cast<std::uint32_t>(next_value_ - value_id(id))); }

  std::uint64_t type_id(std::uint32_t type) const { return *numbers_.types()->number(type); }
  std::uint64_t list_id(std::uint32_t list) const { return list == kNone ? 0 : std::uint64_t{attributes_.lists.ids[list]} + 1; }
  std::uint32_t value_id(std::uint32_t id) const {
    if (id < m_.values.size()) return numbers_.value_id(id);
    const std::uint32_t local = id - static_cast<std::uint32_t>(m_.values.size());
    return module_values_ + local + (local < parameters_ ? 0 : own_constants_);
  }
  std::uint64_t metadata_id(std::uint64_t id) const {
    return id < m_.metadata.size() ? numbers_.node_id(id) : id - m_.metadata.size() + numbers_.metadata().size();
  }

  const Module& m_;
  Numbering numbers_;
  AttributeOrder attributes_;
  Bitstream out_;
  std::uint32_t globals_;        ///< values that are no constants
  std::uint32_t module_values_;  ///< and constants
  std::uint64_t type_bits_;
  std::vector<std::uint32_t> section_numbers_, gc_numbers_, comdat_numbers_;
  std::uint32_t sections_ = 0;
  std::uint32_t gc_names_ = 0;
  std::uint32_t comdats_ = 0;
  // of the function at hand
  std::uint32_t parameters_ = 0;
  std::uint32_t own_constants_ = 0;
  std::uint32_t next_value_ = 0;
  Values values_;
  std::vector<Abbreviation> constant_abbreviations_;
  /// Abbreviations of instructions: the code, and how many operands the record has.
  static constexpr std::size_t kAnyOperands = ~std::size_t{0};
  std::vector<std::pair<std::uint32_t, std::size_t>> instruction_abbreviations_;
};

}  // namespace unshade::dxil::module
