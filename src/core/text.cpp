#include <unshade/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <unshade/core/text/input_text.hpp>

namespace unshade {

void Text::enlarge(std::size_t more) {
  // Old and new are there at once: large texts grow by half, so that this is no more than 2.5 times the text.
  constexpr std::size_t kLarge = std::size_t{1} << 15;
  const auto capacity = static_cast<std::size_t>(end_ - data_.get());
  reallocate(std::max({size() + more, capacity < kLarge ? capacity * 2 : capacity + capacity / 2, std::size_t{256}}));
}

void Text::reallocate(std::size_t capacity) {
  const std::size_t size = this->size();
  auto bigger = std::make_unique_for_overwrite<char[]>(capacity);
  if (size != 0) std::memcpy(bigger.get(), data_.get(), size);
  data_ = std::move(bigger);
  at_ = data_.get() + size;
  end_ = data_.get() + capacity;
}

namespace {

/// 00 to 99.
constexpr auto kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

}  // namespace

Text& Text::long_dec(std::uint64_t value) {
  char* at = grow(20);
  if (value < 100) {
    std::memcpy(at, &kPairs[2 * value], 2);
    commit(at + 2);
  } else if (value < 10'000) {
    const std::uint64_t high = value / 100;
    const bool three = high < 10;
    std::memcpy(at, &kPairs[2 * high + (three ? 1 : 0)], 2);
    at += three ? 1 : 2;
    std::memcpy(at, &kPairs[2 * (value - 100 * high)], 2);
    commit(at + 2);
  } else {
    commit(std::to_chars(at, at + 20, value).ptr);
  }
  return *this;
}

Text& Text::dec_signed(std::int64_t value) {
  if (value >= 0) return dec(static_cast<std::uint64_t>(value));
  char* at = grow(20);
  commit(std::to_chars(at, at + 20, value).ptr);
  return *this;
}

Text& Text::dec(std::uint64_t value, std::size_t width) {
  char digits[20];
  const char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return right({digits, static_cast<std::size_t>(end - digits)}, width);
}

Text& Text::hex(std::uint64_t value, unsigned digits) {
  char text[16];
  const char* end = std::to_chars(text, text + sizeof text, value, 16).ptr;
  const auto length = static_cast<std::size_t>(end - text);
  repeat('0', length < digits ? digits - length : 0);
  return *this << std::string_view(text, length);
}

Text& Text::fixed(double value, int decimals) {
  // The largest double has 309 digits before its point.
  const std::size_t room = 320 + static_cast<std::size_t>(decimals);
  char* at = grow(room);
  commit(std::to_chars(at, at + room, value, std::chars_format::fixed, decimals).ptr);
  return *this;
}

namespace {

template <class Float>
void append_shortest(Text& out, Float value) {
  char text[40];
  const auto* end = std::to_chars(text, text + sizeof text, value).ptr;
  const std::string_view shown(text, static_cast<std::size_t>(end - text));
  out << shown;
  if (std::isfinite(value) && shown.find_first_of(".e") == std::string_view::npos) out << ".0";
}

}  // namespace

Text& Text::shortest(float value) {
  append_shortest(*this, value);
  return *this;
}

Text& Text::shortest(double value) {
  append_shortest(*this, value);
  return *this;
}

void TextPool::add_block(std::size_t least) {
  constexpr std::size_t kBlock = 2048;
  left_ = std::max(least, kBlock);
  blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
  at_ = blocks_.back().get();
}

std::string hex32(std::uint32_t value) {
  Text text;
  text << "0x";
  return text.hex(value, 8).str();
}

std::string fourcc_text(std::uint32_t fourcc) {
  Text text;
  for (unsigned i = 0; i < 4; ++i) {
    const auto c = static_cast<unsigned char>(fourcc >> (8 * i));
    if (c >= 0x20 && c < 0x7f) {
      text << static_cast<char>(c);
    } else {
      text << "\\x";
      text.hex(c, 2);
    }
  }
  return text.str();
}

bool is_text(View file) {
  const std::string_view head = without_terminator(file.text()).substr(0, 4096);
  return !head.empty() && head.find('\0') == std::string_view::npos;
}

bool is_utf16(View file) { return file.u16(0) == 0xfeff || file.u16(0) == 0xfffe; }

namespace {

/// Length of the sequence that sets a foreground colour or resets it at the beginning of `text`, else 0.
std::size_t color_sequence(std::string_view text) {
  constexpr std::string_view kReset = "\x1b[0m";
  if (text.starts_with(kReset)) return kReset.size();
  for (const std::string_view start : {"\x1b[3", "\x1b[1;3"})
    if (text.starts_with(start) && text.size() >= start.size() + 2 && text[start.size()] >= '0' && text[start.size()] <= '7' &&
        text[start.size() + 1] == 'm')
      return start.size() + 2;
  return 0;
}

}  // namespace

void print_safely(Text& out, std::string_view text, bool lines, bool colors) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7f;
    if (!control || (lines && (c == '\n' || c == '\t'))) {
      out << c;
    } else if (const std::size_t length = colors ? color_sequence(text.substr(at)) : 0; length != 0) {
      out << text.substr(at, length);
      at += length - 1;
    } else {
      out << "\\x";
      out.hex(byte, 2);
    }
  }
}

}  // namespace unshade
