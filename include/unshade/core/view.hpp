// A borrowed range of bytes that knows where in the file it lies. All bounds checks of the library live here.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace unshade {

/// Borrowed bytes and their offset in the file. Only the caller owns; a View must not outlive the buffer it was made from.
class View {
 public:
  View() = default;
  View(std::span<const std::byte> bytes, std::uint64_t file_offset = 0)
      : data_(bytes.data()), size_(bytes.size()), file_offset_(file_offset) {}

  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Bytes from the start of the file to the first byte of this view.
  std::uint64_t file_offset() const { return file_offset_; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

  /// Whether `size` bytes can be read at `offset`. Cannot overflow.
  bool holds(std::size_t offset, std::size_t size) const { return offset <= size_ && size <= size_ - offset; }
  /// Bytes from `offset` to the end; 0 when `offset` lies beyond it.
  std::size_t left(std::size_t offset) const { return offset <= size_ ? size_ - offset : 0; }

  /// A part of this view, or nothing when it does not lie within.
  std::optional<View> sub(std::size_t offset, std::size_t size) const {
    if (!holds(offset, size)) return std::nullopt;
    return View({data_ + offset, size}, file_offset_ + offset);
  }
  /// As sub, but cut off at the end of this view: never fails.
  View clamped(std::size_t offset, std::size_t size) const {
    if (offset > size_) offset = size_;
    if (size > size_ - offset) size = size_ - offset;
    return View({data_ + offset, size}, file_offset_ + offset);
  }

  /// A little-endian unsigned integer of sizeof(T) bytes, or nothing when it does not lie within.
  template <class T>
  std::optional<T> load(std::size_t offset) const {
    if (!holds(offset, sizeof(T))) return std::nullopt;
    return load_unchecked<T>(offset);
  }
  std::optional<std::uint8_t> u8(std::size_t offset) const { return load<std::uint8_t>(offset); }
  std::optional<std::uint16_t> u16(std::size_t offset) const { return load<std::uint16_t>(offset); }
  std::optional<std::uint32_t> u32(std::size_t offset) const { return load<std::uint32_t>(offset); }

  /// As load, for loops that have called holds() for the whole range: the caller's promise, not a check.
  template <class T>
  T load_unchecked(std::size_t offset) const {
    return load_little_endian<T>(data_ + offset);
  }

  /// Text up to its terminating zero, or nothing when there is none within.
  std::optional<std::string_view> c_string(std::size_t offset) const {
    if (offset >= size_) return std::nullopt;
    const auto* from = reinterpret_cast<const char*>(data_) + offset;
    const auto* end = static_cast<const char*>(std::memchr(from, 0, size_ - offset));
    if (end == nullptr) return std::nullopt;
    return std::string_view(from, static_cast<std::size_t>(end - from));
  }

 private:
  template <class T>
  static T load_little_endian(const std::byte* from) {
    T value = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&value, from, sizeof(T));
    } else {
      for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>(value | static_cast<T>(static_cast<T>(from[i]) << (8 * i)));
    }
    return value;
  }

  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t file_offset_ = 0;
};

}  // namespace unshade
