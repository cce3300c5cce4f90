// The tables above a program, read back: signatures, resource definitions, class linkage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/signature.hpp>

#include "dxbc/assemble/scanner.hpp"

namespace unshade::dxbc::assembler {

/// What may stand between the words of a row.
inline constexpr std::string_view kBlanks = " \t";

/// One line of a comment.
struct CommentLine {
  std::string_view text;  ///< after the slashes, without blanks at the end
  std::string_view trimmed() const {
    const auto first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
  }
};

/// Steps through the comments at the head of a text, up to the first line that is none.
class CommentLines {
 public:
  explicit CommentLines(std::string_view text) : rest_(text) {}
  /// The next line; nothing at the end.
  std::optional<CommentLine> next();
  /// The same without stepping over it.
  std::optional<CommentLine> peek() const {
    CommentLines copy = *this;
    return copy.next();
  }

 private:
  std::string_view rest_;
};

/// The contents of the tables. Borrows the text. Masks of signatures are as printed: components used, not those never written.
struct SourceTables {
  bool has_rdef = false;
  Rdef rdef;                                          ///< nothing placed; types, strides and facts of the program are not filled in
  std::deque<std::vector<std::byte>> default_values;  ///< which rdef borrows
  std::optional<dxcontainer::Signature> input;
  std::optional<dxcontainer::Signature> output;
  std::optional<dxcontainer::Signature> patch_constant;
  std::optional<ClassLinkage> class_linkage;
  std::uint64_t features = 0;  ///< bits of the note
  const char* features_at = nullptr;
  bool sample_frequency = false;
  const char* sample_frequency_at = nullptr;
  std::string_view domain_row;  ///< of the tessellator's tables, which the program tells as well
  std::string_view output_row;
  std::uint32_t instruction_slots = 0;  ///< of the last line; 0 if a file has no statistics
  const char* slots_at = nullptr;
};

/// Reads everything above the profile line. Faults go to `messages`; rows with faults are left out. Whatever a row says
/// is kept or is a fault: no word of it is stepped over. Of headings the words are free.
SourceTables read_tables(std::string_view text, Messages& messages);

/// Refuses comments of the text after the profile line that are titles or rows of tables: they would say nothing there.
void check_comments_below(std::string_view text, const char* profile, Messages& messages);

/// Reads the last line, after the program.
void read_slot_count(std::string_view text, SourceTables& tables, Messages& messages);

/// The buffer definitions, below their heading.
void read_buffers(CommentLines& lines, SourceTables& tables, Messages& messages);

}  // namespace unshade::dxbc::assembler
