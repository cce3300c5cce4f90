#include "dxbc/assemble/row_forms.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/dxbc/rdef.hpp>

#include "dxbc/assemble/tables.hpp"
#include "dxbc/listing/column_words.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::assembler {

namespace {

using Words = std::span<const std::string_view>;

constexpr std::uint32_t kMostValues = 16;
constexpr std::size_t kMostWords = 32;  // that are looked at

template <class E>
bool is_word_of(std::string_view text) {
  for (std::uint32_t value = 0; value < kMostValues; ++value)
    if (fxc_text(static_cast<E>(value)) == text) return !text.empty();
  return false;
}

bool is_number(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

struct Column {
  bool (*accepts)(std::string_view word);
  std::size_t most_words = 1;
};

bool is_mask(std::string_view word) {
  return word == listing::words::kNotApplicable || word.find_first_not_of("xyzw") == std::string_view::npos;
}
bool is_element_register(std::string_view word) { return is_number(word) || word.starts_with('o') || word == "special"; }
bool is_system_value(std::string_view word) { return listing::system_value_of(word).has_value(); }
bool is_component_format(std::string_view word) { return listing::component_format_of(word).has_value(); }
constexpr Column kElementColumns[] = {{is_number}, {is_mask, 4}, {is_element_register}, {is_system_value}, {is_component_format}};

bool is_resource_kind(std::string_view word) { return word == listing::words::kComparisonSampler || is_word_of<ResourceKind>(word); }
bool is_resource_format(std::string_view word) {
  if (word == listing::words::kRaw || word == listing::words::kStructured) return true;
  if (word.ends_with('2') || word.ends_with('3') || word.ends_with('4')) word.remove_suffix(1);
  return is_word_of<ReturnType>(word);
}
bool is_resource_dimension(std::string_view word) {
  for (const std::string_view access :
       {listing::words::kReadOnly, listing::words::kReadWrite, listing::words::kAppend, listing::words::kConsume, listing::words::kCounter})
    if (word == access) return true;
  while (!word.empty() && !is_word_of<ResourceDimension>(word) && is_digit(word.back())) word.remove_suffix(1);  // 2dMS4
  return is_word_of<ResourceDimension>(word);
}
/// A slot, the number of a range or a register: 0, T0, t0, cb1,space2
bool is_slot(std::string_view word) {
  word = word.substr(0, word.find(','));
  word.remove_prefix(std::min(std::min(word.find_first_of("0123456789"), word.size()), std::size_t{2}));
  return is_number(word);
}
bool is_count(std::string_view word) { return is_number(word) || word == listing::words::kUnbounded; }
constexpr Column kBindingColumns[] = {{is_resource_kind}, {is_resource_format}, {is_resource_dimension}, {is_slot}, {is_count}};
/// With the column `ID`.
constexpr Column kRangeColumns[] = {{is_resource_kind}, {is_resource_format}, {is_resource_dimension}, {is_slot}, {is_slot}, {is_count}};

bool is_number_or_none(std::string_view word) { return is_number(word) || word == "-"; }

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (auto at = line.find_first_not_of(kBlanks); at != std::string_view::npos && words.size() < kMostWords;) {
    const auto end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

/// Whether the words begin with the columns, but for so many faults.
bool fits(Words words, std::span<const Column> columns, unsigned faults) {
  if (columns.empty()) return true;
  if (words.empty()) return columns.size() <= faults;
  const Column& column = columns.front();
  for (std::size_t count = 1; count <= std::min(column.most_words, words.size()) && column.accepts(words[count - 1]); ++count)
    if (fits(words.subspan(count), columns.subspan(1), faults)) return true;
  if (faults == 0) return false;
  return fits(words.subspan(1), columns.subspan(1), faults - 1) || fits(words.subspan(1), columns, faults - 1);
}

/// The same after a name of some words.
bool fits_behind_name(const std::vector<std::string_view>& words, std::span<const Column> columns) {
  for (std::size_t count = 1; count <= std::min(kMostNameWords, words.size()); ++count)
    if (fits(Words(words).subspan(count), columns, 1)) return true;
  return false;
}

}  // namespace

bool has_form_of_element(std::string_view line) { return fits_behind_name(words_of(line), kElementColumns); }

bool has_form_of_binding(std::string_view line) {
  const auto words = words_of(line);
  return fits_behind_name(words, kBindingColumns) || fits_behind_name(words, kRangeColumns);
}

bool has_form_of_numbers(std::string_view line, std::size_t numbers) {
  const auto words = words_of(line);
  return !words.empty() && fits(Words(words).subspan(1), std::vector<Column>(numbers, {is_number_or_none}), 1);
}

}  // namespace unshade::dxbc::assembler
