// Buffered text on its way to a stream, and the colours it may wear.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <unshade/core/text.hpp>

namespace unshade::present {

/// Where text goes.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;
  /// Writes all of it. False once the other side is gone or full; `fault` tells which.
  virtual bool write(std::string_view bytes) = 0;
  /// Why writing failed, or empty: a closed pipe is no fault.
  std::string fault;
};

class MemoryStream final : public Stream {
 public:
  bool write(std::string_view bytes) override {
    text.append(bytes);
    return true;
  }
  std::string text;
};

/// The kinds of text that have a colour of their own.
enum class Paint : unsigned char { plain, heading, faint, good, warning, error, value, part0, part1, part2, part3, part4, part5 };

/// The paint of the n-th part: neighbours differ.
constexpr Paint part_paint(std::size_t part) { return static_cast<Paint>(static_cast<std::size_t>(Paint::part0) + part % 6); }

class Printer {
 public:
  Printer(Stream& to, bool color) : to_(&to), color_(color) {}

  Text text;

  /// Hands on what has gathered once it is much. False when nobody listens any more: loops end then.
  bool keep_going() {
    if (text.size() >= kMuch) flush();
    return ok_;
  }
  bool flush();
  bool ok() const { return ok_; }
  bool wrote() const { return wrote_ || !text.empty(); }
  bool color() const { return color_; }

  Text& paint(Paint paint);
  /// `shown` in a paint, then plain again.
  Text& painted(Paint paint, std::string_view shown);

 private:
  static constexpr std::size_t kMuch = 1 << 16;  // bytes: a pipe's usual buffer
  Stream* to_;
  bool color_;
  bool ok_ = true;
  bool wrote_ = false;
};

}  // namespace unshade::present
