#include <unshade/run/data.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/input_text.hpp>
#include <unshade/core/text/numbers.hpp>

namespace unshade::run {
namespace {

/// Numbers that a file of text may hold.
constexpr std::size_t kMostCells = std::size_t{1} << 22;
/// Columns of a table.
constexpr std::size_t kMostColumns = 4096;

std::optional<Value> number(std::string_view text) {
  if (text == "nan" || text == "inf" || text == "-inf") return Value::text(text);
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  Integer integer{0, negative, false};
  const auto whole = [&](std::string_view from, int base) {
    const auto read = as_number<std::uint64_t>(from, base);
    integer.magnitude = read.value_or(0);
    return read.has_value();
  };
  if (digits.starts_with("0x") ? whole(digits.substr(2), 16) : whole(digits, 10)) return Value::integer(integer);
  const auto real = as_real(digits);
  if (!real) return std::nullopt;
  return Value::real(negative ? negated(*real) : *real);
}

Error in_line(std::size_t line, std::string message, ErrorCode code = ErrorCode::bad_value) {
  return {code, 0, "", "line " + std::to_string(line) + ": " + std::move(message)};
}

/// Calls `visit(line, number)` until it returns an error.
template <class Visit>
Result<void> each_line(std::string_view text, Visit visit) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++number;
    const std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (line.empty() || line.front() == '#') continue;
    if (Result<void> done = visit(line, number); !done) return done;
  }
  return {};
}

/// The component that a column's name ends in: 0 to 3, or nothing.
std::optional<std::size_t> component_of(std::string_view& name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || dot + 2 != name.size()) return std::nullopt;
  for (const std::string_view letters : {"xyzw", "rgba", "0123"}) {
    if (const auto at = letters.find(name.back()); at != std::string_view::npos) {
      name = name.substr(0, dot);
      return at;
    }
  }
  return std::nullopt;
}

/// `'<f4'`, `(3, 4)` or `False` after a key of the header's dictionary.
std::optional<std::string_view> entry(std::string_view header, std::string_view key) {
  const auto at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = trimmed(header.substr(at + key.size() + 3));
  if (rest.starts_with('(')) {
    const auto end = rest.find(')');
    return end == std::string_view::npos ? std::nullopt : std::optional(rest.substr(1, end - 1));
  }
  const auto end = rest.find_first_of(",}");
  return end == std::string_view::npos ? std::nullopt : std::optional(trimmed(rest.substr(0, end)));
}

constexpr std::string_view kMagic = "\x93NUMPY";

}  // namespace

Value Array::at(std::uint64_t index) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * item_bytes, item_bytes);
  if (kind == 'u') return Value::integer(bits);
  if (kind == 'i') return Value::signed_integer(sign_extended(bits, item_bytes * 8));
  double value = std::bit_cast<double>(bits);
  if (item_bytes == 4) value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (item_bytes == 2) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto mantissa = static_cast<double>(bits & 0x3ff);
    value = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
            : exponent == 0 ? std::ldexp(mantissa, -24)
                            : std::ldexp(mantissa + 1024, exponent - 25);
    if ((bits & 0x8000) != 0) value = -value;
  }
  if (!std::isfinite(value)) return Value::text(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
  return Value::real(Real{value, static_cast<float>(value), false});
}

Result<Array> read_npy(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) return Error{ErrorCode::bad_magic, 0, "", "expected a NumPy array"};
  const auto byte = [&](std::size_t at) { return std::size_t{static_cast<unsigned char>(text[at])}; };
  if (text.size() < 12) return Error{ErrorCode::truncated, text.size(), "header", "the file ends in its header"};
  const std::size_t major = byte(6);
  if (major != 1 && major != 2)
    return Error{ErrorCode::unsupported, 6, "version", "version " + std::to_string(major) + " of the format is not supported"};
  const std::size_t start = major == 1 ? 10 : 12;
  const std::size_t length = byte(8) | byte(9) << 8 | (major == 2 ? byte(10) << 16 | byte(11) << 24 : 0);
  if (length > text.size() - start)
    return Error{ErrorCode::truncated, 8, "header", "the header states " + std::to_string(length) + " bytes, more than the file has"};
  const std::string_view header = text.substr(start, length);
  const auto type = entry(header, "descr");
  const auto order = entry(header, "fortran_order");
  const auto shape = entry(header, "shape");
  if (!type || !order || !shape) return Error{ErrorCode::bad_value, start, "header", "expected descr, fortran_order and shape"};
  if (*order != "False") return Error{ErrorCode::unsupported, start, "fortran_order", "expected an array in C order"};
  Array made;
  // `'<f4'`
  if (type->size() != 5 || std::string_view("<|=").find((*type)[1]) == std::string_view::npos ||
      std::string_view("fiu").find((*type)[2]) == std::string_view::npos ||
      std::string_view("1248").find((*type)[3]) == std::string_view::npos || type->substr(2, 2) == "f1") {
    return Error{ErrorCode::unsupported, start, "descr",
                 "unsupported item type " + std::string(type->substr(0, 32)) +
                     ", expected '<f2', '<f4', '<f8', '|i1', '<i2', '<i4', '<i8', '|u1', '<u2', '<u4' or '<u8'"};
  }
  made.kind = (*type)[2];
  made.item_bytes = static_cast<unsigned>((*type)[3] - '0');
  std::uint64_t count = 1;
  for (std::string_view rest = trimmed(*shape); !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string_view digits = trimmed(rest.substr(0, comma));
    const auto stated = as_number<std::uint32_t>(digits);
    const std::uint64_t size = stated.value_or(0);
    if (!stated || count * size > text.size()) {
      return Error{ErrorCode::truncated, start, "shape", "the file has fewer items than (" + std::string(shape->substr(0, 64)) + ')'};
    }
    count *= size;
    made.shape.push_back(size);
    rest = trimmed(rest.substr(std::min(comma + 1, rest.size())));
  }
  const std::size_t left = file.size() - start - length;
  if (count > left / made.item_bytes) {
    return Error{ErrorCode::truncated, start + length, "items",
                 std::to_string(left) + " bytes, expected " + std::to_string(count * made.item_bytes)};
  }
  made.bytes = file.subspan(start + length, count * made.item_bytes);
  return made;
}

std::vector<std::byte> write_npy(char kind, unsigned item_bytes, std::span<const std::uint64_t> shape, std::span<const std::byte> bytes) {
  std::string header = "{'descr': '";
  header += item_bytes == 1 ? '|' : '<';
  header += kind + std::to_string(item_bytes) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t size : shape) header += std::to_string(size) + ", ";
  if (shape.size() > 1) header.resize(header.size() - 2);
  if (shape.size() == 1) header.pop_back();
  header += "), }";
  // items begin at a multiple of 64 bytes
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string text(kMagic);
  text += std::string_view("\1\0", 2);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  const auto* const start = reinterpret_cast<const std::byte*>(text.data());
  std::vector<std::byte> made(start, start + text.size());
  made.insert(made.end(), bytes.begin(), bytes.end());
  return made;
}

Value Table::row(std::size_t index) const {
  Value made = Value::map();
  for (std::size_t column = 0; column < columns.size(); ++column) {
    std::string_view name = columns[column];
    const auto component = component_of(name);
    Value cell = cells[index * width + column];
    if (!component) {
      made.add(name, std::move(cell));
    } else if (*component == 0) {
      made.add(name, Value::list({std::move(cell)}));
    } else {
      made.as_map()->back().value.push(std::move(cell));
    }
  }
  return made;
}

Result<Table> read_csv(std::string_view text) {
  text = without_terminator(without_byte_order_mark(text));
  Table made;
  auto done = each_line(text, [&](std::string_view line, std::size_t number_of_line) -> Result<void> {
    const bool first = made.width == 0;
    std::size_t cells = 0;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      const std::string_view cell = trimmed(line.substr(at, end - at));
      at = end + 1;
      if (++cells > kMostColumns)
        return in_line(number_of_line, "more than " + std::to_string(kMostColumns) + " columns", ErrorCode::limit);
      auto value = number(cell);
      // a number that is not finite, or wrong, is no name
      const bool may_be_name = cell.empty() || std::string_view("+-.0123456789").find(cell.front()) == std::string_view::npos;
      if (!value && may_be_name && first && made.cells.empty() && made.columns.size() + 1 == cells) {
        std::string_view name = cell;
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
        made.columns.emplace_back(name);
        continue;
      }
      if (!value || (first && !made.columns.empty())) {
        return in_line(number_of_line, "expected a number, found `" + std::string(cell.substr(0, 40)) + '`');
      }
      if (made.cells.size() >= kMostCells)
        return in_line(number_of_line, "more than " + std::to_string(kMostCells) + " numbers", ErrorCode::limit);
      made.cells.push_back(std::move(*value));
    }
    if (first) made.width = cells;
    if (cells != made.width)
      return in_line(number_of_line,
                     std::to_string(cells) + (cells == 1 ? " cell, expected " : " cells, expected ") + std::to_string(made.width));
    return {};
  });
  if (!done) return std::move(done).error();
  // components follow each other
  std::string previous;
  std::size_t expected = 0;
  std::set<std::string, std::less<>> known;
  for (const std::string& column : made.columns) {
    std::string_view name = column;
    const auto component = component_of(name);
    if (component.value_or(0) == 0 && !known.emplace(name).second)
      return in_line(1, "two columns have the name `" + column.substr(0, 64) + '`');
    if (component && *component != 0 && (name != previous || *component != expected))
      return in_line(1, "column `" + column + "` must follow the component before it");
    previous = name;
    expected = component ? *component + 1 : 0;
  }
  return made;
}

Result<Table> read_obj(std::string_view text, const MeshNames& names) {
  text = without_terminator(without_byte_order_mark(text));
  std::array<std::vector<std::array<float, 3>>, 3> data;  // v, vt, vn
  Table made;
  constexpr std::size_t kComponents[] = {3, 2, 3};
  const std::string_view ids[] = {names.v, names.vt, names.vn};
  for (std::size_t kind = 0; kind < 3; ++kind) {
    for (std::size_t k = 0; k < kComponents[kind]; ++k) made.columns.push_back(std::string(ids[kind]) + '.' + "xyz"[k]);
  }
  made.width = made.columns.size();
  auto done = each_line(text, [&](std::string_view line, std::size_t number_of_line) -> Result<void> {
    std::vector<std::string_view> words;
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
      words.push_back(line.substr(0, end));
      line = trimmed(line.substr(end));
    }
    const std::size_t kind = words[0] == "v" ? 0 : words[0] == "vt" ? 1 : words[0] == "vn" ? 2 : 3;
    if (kind < 3) {
      std::array<float, 3>& to = data[kind].emplace_back();
      for (std::size_t k = 0; k < 3 && k + 1 < words.size(); ++k) {
        const auto value = number(words[k + 1]);
        if (!value || value->as_text() != nullptr) return in_line(number_of_line, "expected a number");
        const Integer* const whole = value->as_integer();
        to[k] = whole == nullptr ? value->as_real()->narrow : static_cast<float>(whole->magnitude) * (whole->negative ? -1.0F : 1.0F);
      }
      return {};
    }
    if (words[0] != "f") return {};
    if (words.size() < 4) return in_line(number_of_line, "a face must have at least three vertices");
    std::vector<std::array<std::uint32_t, 3>> corners;  // from 1; 0: none
    for (std::size_t w = 1; w < words.size(); ++w) {
      std::array<std::uint32_t, 3>& corner = corners.emplace_back();
      std::string_view rest = words[w];
      for (std::size_t k = 0; k < 3 && !rest.empty(); ++k) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        std::int64_t index = 0;
        const auto [last, fault] = std::from_chars(rest.data(), rest.data() + end, index);
        const auto count = static_cast<std::int64_t>(data[k].size());
        if (index < 0) index += count + 1;
        if ((end != 0 && (fault != std::errc{} || last != rest.data() + end || index < 1 || index > count)) || (end == 0 && k != 1)) {
          return in_line(number_of_line, "no such vertex: `" + std::string(words[w].substr(0, 40)) + '`');
        }
        corner[k] = static_cast<std::uint32_t>(index);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    if (corners.size() * 3 * made.width + made.cells.size() > kMostCells)
      return in_line(number_of_line, "more than " + std::to_string(kMostCells) + " numbers", ErrorCode::limit);
    for (std::size_t third = 2; third < corners.size(); ++third) {
      for (const std::size_t at : {std::size_t{0}, third - 1, third}) {
        for (std::size_t kind_of = 0; kind_of < 3; ++kind_of) {
          const std::uint32_t index = corners[at][kind_of];
          for (std::size_t k = 0; k < kComponents[kind_of]; ++k)
            made.cells.push_back(Value::real(index == 0 ? 0.0F : data[kind_of][index - 1][k]));
        }
      }
    }
    return {};
  });
  if (!done) return std::move(done).error();
  return made;
}

}  // namespace unshade::run
