// A growing text that is fast to append to: what every listing, table and dump is printed into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade {

/// Appends characters. Hot loops ask for room once (`grow`), write through the pointer, and hand back the end (`commit`).
class Text {
 public:
  Text() = default;
  explicit Text(std::size_t capacity) { reserve(capacity); }
  Text(Text&& other) noexcept
      : data_(std::move(other.data_)), at_(std::exchange(other.at_, nullptr)), end_(std::exchange(other.end_, nullptr)) {}
  Text& operator=(Text&& other) noexcept {
    data_ = std::move(other.data_);
    at_ = std::exchange(other.at_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    return *this;
  }

  std::string_view view() const { return {data_.get(), size()}; }
  std::string str() const { return std::string(view()); }
  std::size_t size() const { return static_cast<std::size_t>(at_ - data_.get()); }
  bool empty() const { return at_ == data_.get(); }
  void clear() { at_ = data_.get(); }
  void truncate(std::size_t size) {
    if (size < this->size()) at_ = data_.get() + size;
  }

  /// Makes room for so many characters in all, if there is not as much.
  void reserve(std::size_t capacity) {
    if (capacity > static_cast<std::size_t>(end_ - data_.get())) reallocate(capacity);
  }
  /// Room for at least `count` more characters; returns where they go. Followed by commit().
  char* grow(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) < count) [[unlikely]]
      enlarge(count);
    return at_;
  }
  /// `end` is one past the last character written after grow().
  void commit(const char* end) { at_ = data_.get() + (end - data_.get()); }

  Text& operator<<(std::string_view text) {
    // string_view's data may be null when empty
    if (text.empty()) return *this;
    char* const at = grow(text.size());
    std::memcpy(at, text.data(), text.size());
    at_ = at + text.size();
    return *this;
  }
  Text& operator<<(char c) {
    char* const at = grow(1);
    *at = c;
    at_ = at + 1;
    return *this;
  }
  /// How far beyond the end of what copy() copies has to be readable.
  static constexpr std::size_t kSlack = 16;
  /// As <<, for texts that are short and kept where they may be read beyond their end (TextPool): the shortest take two moves and no call.
  Text& copy(const char* text, std::size_t count) { return copy("", text, count, ""); }
  /// The same with a literal in front and after.
  template <std::size_t kBefore, std::size_t kBehind>
  Text& copy(const char (&before)[kBefore], const char* text, std::size_t count, const char (&behind)[kBehind]) {
    char* at = grow(count + kBefore + kSlack + kBehind);
    std::memcpy(at, before, kBefore - 1);
    at += kBefore - 1;
    std::memcpy(at, text, kSlack);
    for (std::size_t i = kSlack; i < count; i += kSlack) std::memcpy(at + i, text + i, kSlack);
    at += count;
    std::memcpy(at, behind, kBehind - 1);
    at_ = at + (kBehind - 1);
    return *this;
  }
  Text& repeat(char c, std::size_t count) {
    if (count == 0) return *this;
    char* const at = grow(count);
    std::memset(at, c, count);
    at_ = at + count;
    return *this;
  }
  /// `text`, then blanks up to `width` characters.
  Text& left(std::string_view text, std::size_t width) {
    *this << text;
    return repeat(' ', text.size() < width ? width - text.size() : 0);
  }
  /// Blanks, then `text`, together at least `width` characters.
  Text& right(std::string_view text, std::size_t width) {
    repeat(' ', text.size() < width ? width - text.size() : 0);
    return *this << text;
  }
  Text& dec(std::uint64_t value) {
    if (value >= 10) return long_dec(value);
    return *this << static_cast<char>('0' + value);  // most of what is printed
  }
  Text& dec_signed(std::int64_t value);
  /// Decimal, padded with blanks on the left.
  Text& dec(std::uint64_t value, std::size_t width);
  /// Hexadecimal without prefix, zeros on the left up to `digits`.
  Text& hex(std::uint64_t value, unsigned digits = 1);
  /// printf's %f of a double, with `decimals` decimals: exact, rounded half to even on the binary value; `inf` and `nan` as C prints them.
  Text& fixed(double value, int decimals = 6);
  /// The shortest decimal that gives the same float back, always with a point or an exponent.
  Text& shortest(float value);
  Text& shortest(double value);

 private:
  void enlarge(std::size_t more);
  void reallocate(std::size_t capacity);
  Text& long_dec(std::uint64_t value);

  std::unique_ptr<char[]> data_;
  char* at_ = nullptr;   // after the text
  char* end_ = nullptr;  // after the room
};

/// Texts that are printed again and again. They stay where they are, and Text::copy may read them.
class TextPool {
 public:
  const char* keep(std::string_view text) {
    const std::size_t bytes = text.size() + Text::kSlack;
    if (bytes > left_) add_block(bytes);
    char* at = at_;
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    at_ += bytes;
    left_ -= bytes;
    return at;
  }

 private:
  void add_block(std::size_t least);

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* at_ = nullptr;
  std::size_t left_ = 0;
};

/// A dword as it is in a register dump: `0x0000002f`.
std::string hex32(std::uint32_t value);

/// Whether bytes look like text: no zero among the first 4096.
bool is_text(View file);

/// Whether bytes begin with the byte order mark of UTF-16.
bool is_utf16(View file);

/// The text after the byte order mark of UTF-8 that editors for Windows put before it.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

/// Four characters as they are in a file, unprintable ones as `\x1f`.
std::string fourcc_text(std::uint32_t fourcc);

/// Appends text from a file with control characters escaped, so that a terminal obeys none. Line ends and tabs stay if `lines`, sequences
/// that set a foreground colour or reset it if `colors`.
void print_safely(Text& out, std::string_view text, bool lines = false, bool colors = false);

}  // namespace unshade
