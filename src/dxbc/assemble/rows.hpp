// Rows of the tables, each by itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text/numbers.hpp>

#include "dxbc/assemble/tables.hpp"

namespace unshade::dxbc::assembler {

// Words of a row, blanks between them.
class Row {
 public:
  Row(std::string_view text, Messages& messages) : rest_(text), messages_(messages) {}

  std::string_view word() {
    blanks();
    const auto end = std::min(rest_.find_first_of(kBlanks), rest_.size());
    const auto word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  std::string_view words(std::size_t count) {
    const auto first = word();
    auto last = first;
    for (; count > 1; --count) last = word();
    return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
  }
  std::string_view peek() {
    blanks();
    return rest_.substr(0, rest_.find_first_of(kBlanks));
  }
  bool empty() {
    blanks();
    return rest_.empty();
  }
  bool number(std::uint32_t& value, std::string_view what) {
    const auto text = word();
    return number_of(text, value) || fail(text, what);
  }
  static bool number_of(std::string_view text, std::uint32_t& value) {
    const auto read = as_number<std::uint32_t>(text);
    value = read.value_or(0);
    return read.has_value();
  }
  // Letters of xyzw with blanks among them: `x z`. Letters out of order are left for what comes next to fail at.
  std::uint8_t mask() {
    std::uint8_t mask = 0;
    for (blanks(); !rest_.empty(); rest_.remove_prefix(1)) {
      if (kBlanks.find(rest_[0]) != std::string_view::npos) continue;
      const auto component = find_component(rest_[0]);
      if (!component || mask >> *component != 0) break;
      mask = static_cast<std::uint8_t>(mask | 1U << *component);
    }
    return mask;
  }
  // Whether nothing is left.
  bool ends() { return empty() || fail("the end of the row"); }
  bool fail(std::string_view at, std::string_view what) { return messages_.expected(MessageKind::table_row, at.data(), what); }
  bool fail(std::string_view what) { return fail(peek(), what); }

 private:
  void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }

  std::string_view rest_;
  Messages& messages_;
};

// Each: whether the row reads as one of its table. If not, what it lacks is told to the row's messages.

/// Of a signature; the name has so many words.
bool read_element(Row row, std::size_t name_words, dxcontainer::SignatureElement& element);

/// Which columns a heading of bindings has: those of shader model 5.1 print registers, and numbers of ranges.
struct BindingColumns {
  bool has_hlsl_bind = false;
  bool has_id = false;
};
bool read_binding(Row row, BindingColumns columns, Binding& binding);

/// `number`: that of the class, as it is written.
bool read_class_type(Row row, ClassType& type, std::string_view& number);
bool read_class_instance(Row row, ClassInstance& instance);

}  // namespace unshade::dxbc::assembler
