#include "dxbc/assemble/tables.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/dxbc/listing/header.hpp>

#include "dxbc/assemble/row_forms.hpp"
#include "dxbc/assemble/rows.hpp"
#include "dxbc/listing/column_words.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::assembler {

using dxcontainer::Signature;
using dxcontainer::SignatureElement;

std::optional<CommentLine> CommentLines::next() {
  if (rest_.empty()) return std::nullopt;
  const auto end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  const auto first = line.find_first_not_of(kBlanks);
  std::string_view text = first == std::string_view::npos ? std::string_view{} : line.substr(first);
  if (!text.starts_with("//") && text.find_first_not_of(" \t\r") != std::string_view::npos) return std::nullopt;
  if (text.starts_with("//")) text.remove_prefix(2);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) text.remove_suffix(1);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  return CommentLine{text};
}

namespace {

// Blanks at line ends are cut off.
constexpr std::string_view kBuffersTitle = listing::words::kBuffers.substr(0, listing::words::kBuffers.size() - 1);

bool is_title(std::string_view line) {
  namespace words = listing::words;
  constexpr std::string_view kWhole[] = {words::kFeatures,        kBuffersTitle,      words::kBindings,
                                         words::kSampleFrequency, words::kClassTypes, words::kClassInstances};
  constexpr std::string_view kSignatures[] = {words::kInput, words::kOutput, words::kPatchConstant};
  if (std::ranges::find(kWhole, line) != std::end(kWhole)) return true;
  if (line.ends_with(words::kSignature))
    return std::ranges::find(kSignatures, line.substr(0, line.size() - words::kSignature.size())) != std::end(kSignatures);
  const auto begins = [&](std::string_view word, std::string_view other) {
    return line.starts_with(word) && line.find(other, word.size()) != std::string_view::npos;
  };
  return begins(words::kTessellationDomain, "# of control points") || begins(words::kTessellationOutput, "Partitioning Type") ||
         begins(words::kInterfaceSlots, " total:");
}

bool is_feature(std::string_view line) {
  for (unsigned bit = 0; bit < 64; ++bit)
    if (line == listing::feature_text(bit)) return true;
  return false;
}

bool is_heading(std::string_view text) { return text.starts_with("Name ") || text.starts_with("---") || text.starts_with("+---"); }

class TableReader {
 public:
  TableReader(std::string_view text, Messages& messages) : text_(text), lines_(text), messages_(messages) {}

  SourceTables read() {
    while (const auto line = lines_.next()) section(line->trimmed());
    return std::move(tables_);
  }

 private:
  void section(std::string_view line) {
    const Last before = std::exchange(last_, Last::other);
    if (line.starts_with(listing::words::kGenerated)) {
      const auto creator = line.substr(listing::words::kGenerated.size());
      if (creator == listing::words::kDisassembler) return;
      tables_.rdef.creator.text = creator;
      tables_.has_rdef = true;
    } else if (line == listing::words::kFeatures) {
      features();
    } else if (line == kBuffersTitle) {
      tables_.has_rdef = true;
      read_buffers(lines_, tables_, messages_);
    } else if (line == listing::words::kBindings) {
      tables_.has_rdef = true;
      once(tables_.rdef.bindings.empty(), line);
      bindings();
    } else if (line.ends_with(listing::words::kSignature)) {
      const auto title = line.substr(0, line.size() - listing::words::kSignature.size());
      if (title == listing::words::kInput)
        signature(tables_.input, title);
      else if (title == listing::words::kOutput)
        signature(tables_.output, title);
      else if (title == listing::words::kPatchConstant)
        signature(tables_.patch_constant, title);
      else
        messages_.expected(MessageKind::table_row, line.data(), "Input, Output or Patch Constant");
    } else if (line == listing::words::kSampleFrequency) {
      tables_.sample_frequency = true;
      tables_.sample_frequency_at = line.data();
    } else if (line.starts_with(listing::words::kTessellationDomain)) {
      once(tables_.domain_row.empty(), line);
      rows([&](std::string_view text) { return tables_.domain_row = text, false; });
    } else if (line.starts_with(listing::words::kTessellationOutput)) {
      once(tables_.output_row.empty(), line);
      rows([&](std::string_view text) { return tables_.output_row = text, false; });
    } else if (line == listing::words::kClassTypes) {
      class_types();
    } else if (line == listing::words::kClassInstances) {
      class_instances();
    } else if (line.starts_with(listing::words::kInterfaceSlots)) {
      interface_slots(line.substr(listing::words::kInterfaceSlots.size()));
    } else {
      last_ = before;
      stray(line);
    }
  }

  void once(bool is_first, std::string_view line) {
    if (!is_first) messages_.report(MessageKind::table_row, line.data(), "this table is given twice");
  }

  // A comment that belongs to no table. A line that can only belong to one means that its title is missing or misspelt.
  void stray(std::string_view line) {
    if (line.empty()) return;
    const auto fault = [&](std::string_view what) { messages_.expected(MessageKind::table_row, line.data(), what); };
    // the first line of a listing is empty; a word before what it is generated by says so of the second
    const bool is_second = text_.starts_with("//\n") || text_.starts_with("//\r\n");
    if (is_second && line.starts_with("Generated")) return fault("`Generated by `");
    if (line.starts_with("Name  ")) return fault("the title of this table before it");
    if (line.find(listing::words::kOffset) != std::string_view::npos)
      return fault("`Buffer Definitions:` and the kind of a buffer, such as cbuffer, before it");
    if (line.starts_with(listing::words::kTypeIds) || line.starts_with(listing::words::kTableIds))
      return fault("`Interface slots, N total:` before it");
    if (line.find("sample frequency") != std::string_view::npos || line.starts_with("Pixel Shader runs"))
      return fault(listing::words::kSampleFrequency);
    if (is_feature(line)) return fault("the heading of the note on features before it");
    if (is_row(line)) return fault("no row after the end of its table, which is the first empty line");
  }

  // A line that only tables have, or a row without a fault.
 public:
  bool is_of_table(std::string_view line) {
    namespace words = listing::words;
    SignatureElement element;
    Binding binding;
    return is_title(line) || is_feature(line) || line.starts_with(words::kGenerated) || line.starts_with("Name  ") ||
           line.find(words::kOffset) != std::string_view::npos || line.starts_with(words::kTypeIds) || line.starts_with(words::kTableIds) ||
           read_element(Row(line, messages_), 1, element) || read_binding(Row(line, messages_), columns_, binding);
  }

 private:
  // Whether it reads as a row of a signature, of bindings, or of the table that ended last, or would but for a fault.
  bool is_row(std::string_view line) const {
    if (has_form_of_element(line) || has_form_of_binding(line)) return true;
    constexpr std::size_t kClassNumbers = 4;
    constexpr std::size_t kInstanceNumbers = 5;
    if (last_ == Last::class_types && has_form_of_numbers(line, kClassNumbers)) return true;
    if (last_ == Last::class_instances && has_form_of_numbers(line, kInstanceNumbers)) return true;
    Messages quiet(text_, true);
    const Row row(line, quiet);
    SignatureElement element;
    Binding binding;
    ClassType type;
    ClassInstance instance;
    std::string_view number;
    return read_element(row, 1, element) || read_binding(row, columns_, binding) ||
           (last_ == Last::class_types && read_class_type(row, type, number)) ||
           (last_ == Last::class_instances && read_class_instance(row, instance));
  }

  // Rows of a table: heading lines are skipped; an empty line ends it, or `row`, which tells whether there may be more.
  template <class F>
  void rows(F row) {
    bool begun = false;
    while (const auto line = lines_.peek()) {
      const auto text = line->trimmed();
      if (text.empty() && begun) return;
      lines_.next();
      if (text.empty()) continue;
      if (is_heading(text)) {
        heading(text);
        continue;
      }
      begun = true;
      if (messages_.full() || !row(text)) return;
    }
  }
  void heading(std::string_view text) {
    if (!text.starts_with("Name ")) return;
    columns_.has_hlsl_bind = text.find(listing::words::kHlslBind) != std::string_view::npos;
    columns_.has_id = text.find(" ID ") != std::string_view::npos;
  }

  void features() {
    while (const auto line = lines_.peek()) {
      const auto text = line->trimmed();
      if (text.empty()) return;
      lines_.next();
      unsigned bit = 0;
      while (bit < 64 && listing::feature_text(bit) != text) ++bit;
      if (bit == 64) {
        messages_.expected(MessageKind::table_row, text.data(), "a feature");
        continue;
      }
      tables_.features |= std::uint64_t{1} << bit;
      tables_.features_at = text.data();
    }
  }

  // --- signatures ----------------------------------------------------------------------------------------------------------------------

  void signature(std::optional<Signature>& signature, std::string_view title) {
    once(!signature, title);
    signature.emplace();
    rows([&](std::string_view text) {
      if (text.starts_with(listing::words::kNo) && text.substr(listing::words::kNo.size()) == title) return false;
      // Of names with blanks in them it is the first words with which the rest reads as a row.
      Messages quiet(text_, true);
      SignatureElement found;
      const auto words = static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == ' ' || c == '\t'; })) + 1;
      for (std::size_t count = 1; count <= std::min(words, kMostNameWords); ++count) {
        found = {};
        if (!read_element(Row(text, quiet), count, found)) continue;
        signature->elements.items.push_back(found);
        return true;
      }
      found = {};
      read_element(Row(text, messages_), 1, found);
      return true;
    });
  }

  // --- bindings ------------------------------------------------------------------------------------------------------------------------

  void bindings() {
    rows([&](std::string_view text) {
      Binding binding;
      if (read_binding(Row(text, messages_), columns_, binding)) tables_.rdef.bindings.items.push_back(std::move(binding));
      return true;
    });
  }

  // --- class linkage -------------------------------------------------------------------------------------------------------------------

  ClassLinkage& linkage() {
    if (!tables_.class_linkage) tables_.class_linkage.emplace();
    return *tables_.class_linkage;
  }

  void class_types() {
    linkage();
    last_ = Last::class_types;
    rows([&](std::string_view text) {
      ClassType type;
      std::string_view number;
      if (!read_class_type(Row(text, messages_), type, number)) return true;
      if (std::uint32_t place = 0; Row::number_of(number, place) && place != linkage().types.size())
        messages_.expected(MessageKind::table_row, number.data(), "the index of the class in this table");
      linkage().types.items.push_back(type);
      return true;
    });
  }

  void class_instances() {
    last_ = Last::class_instances;
    rows([&](std::string_view text) {
      ClassInstance instance;
      if (read_class_instance(Row(text, messages_), instance)) linkage().instances.items.push_back(instance);
      return true;
    });
  }

  // 6 total:
  void interface_slots(std::string_view rest) {
    const auto blank = rest.find(' ');
    if (!Row::number_of(rest.substr(0, blank), linkage().slot_count) || rest.substr(std::min(blank, rest.size())) != " total:")
      messages_.expected(MessageKind::table_row, rest.data(), "a number of slots, and `total:`");
    next_slot_ = 0;
    rows([&](std::string_view text) {
      slot_row(text);
      return true;
    });
  }

  // | Type ID  |   0-1   |0    1    2
  void slot_row(std::string_view text) {
    const bool has_types = text.starts_with(listing::words::kTypeIds);
    if (!has_types && !text.starts_with(listing::words::kTableIds)) {
      if (text != "Slots") messages_.expected(MessageKind::table_row, text.data(), "a row of types or tables");
      return;
    }
    text.remove_prefix(listing::words::kTypeIds.size());
    const auto bar = text.find('|');
    if (bar == std::string_view::npos) return void(messages_.expected(MessageKind::table_row, text.data(), "`|`"));
    auto& slots = linkage().slots.items;
    if (has_types) {
      Row range(text.substr(0, bar), messages_);
      const auto span = range.word();
      const auto dash = span.find('-');
      std::uint32_t first = 0;
      std::uint32_t last = 0;
      const bool good = Row::number_of(span.substr(0, dash), first) &&
                        (dash == std::string_view::npos ? (last = first, true) : Row::number_of(span.substr(dash + 1), last));
      if (!good) return void(range.fail(span, "slots such as 0 or 1-3"));
      if (first != next_slot_ || last < first || (dash != std::string_view::npos && last == first))
        return void(range.fail(span, "slots from " + std::to_string(next_slot_) + " on"));
      next_slot_ = last + 1;
      slots.emplace_back().span = last - first + 1;
    }
    if (slots.empty()) return;
    for (Row row(text.substr(bar + 1), messages_); !row.empty();) {
      std::uint32_t number = 0;
      const auto at = row.peek();
      if (!row.number(number, "a number")) return;
      if (has_types && number > 0xffff) return void(row.fail(at, "a 16-bit number"));
      if (has_types) {
        slots.back().types.items.push_back({static_cast<std::uint16_t>(number)});
      } else {
        slots.back().tables.items.push_back({number});
      }
    }
    if (!has_types && slots.back().types.size() != slots.back().tables.size())
      messages_.expected(MessageKind::table_row, text.data(), "a function table for each type");
  }

  std::string_view text_;
  CommentLines lines_;
  Messages& messages_;
  SourceTables tables_;
  BindingColumns columns_;
  std::uint32_t next_slot_ = 0;  // of interfaces
  enum class Last : std::uint8_t { other, class_types, class_instances };
  Last last_ = Last::other;  // table, whose rows look like any words and numbers
};

}  // namespace

SourceTables read_tables(std::string_view text, Messages& messages) { return TableReader(text, messages).read(); }

void check_comments_below(std::string_view text, const char* profile, Messages& messages) {
  Messages quiet(text, true);
  TableReader reader(text, quiet);
  // Most lines have no comment.
  for (std::size_t at = text.find("//", static_cast<std::size_t>(profile - text.data()));
       at != std::string_view::npos && !messages.full();) {
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is the first
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.substr(begin, at - begin).find_first_not_of(kBlanks) == std::string_view::npos) {
      const std::string_view line = CommentLines(text.substr(begin, end - begin)).next()->trimmed();
      if (!line.empty() && reader.is_of_table(line))
        messages.expected(MessageKind::table_row, line.data(), "tables only above the profile line");
    }
    at = text.find("//", end);
  }
}

// // Approximately 12 instruction slots used
void read_slot_count(std::string_view text, SourceTables& tables, Messages& messages) {
  constexpr std::string_view kFirstWord = listing::words::kSlotCount.substr(0, listing::words::kSlotCount.size() - 1);
  const auto last = text.rfind(kFirstWord);
  if (last == std::string_view::npos) return;
  std::string_view line = text.substr(last);
  line = line.substr(0, line.find_first_of("\r\n"));
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  if (line.find("slot") == std::string_view::npos && line.find("instruction") == std::string_view::npos) return;  // any comment
  const bool is_count = line.starts_with(listing::words::kSlotCount) && line.ends_with(listing::words::kSlotsUsed) &&
                        line.size() > listing::words::kSlotCount.size() + listing::words::kSlotsUsed.size();
  if (!is_count || !Row::number_of(line.substr(listing::words::kSlotCount.size(),
                                               line.size() - listing::words::kSlotCount.size() - listing::words::kSlotsUsed.size()),
                                   tables.instruction_slots)) {
    messages.expected(MessageKind::table_row, line.data(), "`Approximately N instruction slots used`");
    return;
  }
  tables.slots_at = line.data() + listing::words::kSlotCount.size();
}

}  // namespace unshade::dxbc::assembler
