// The samples, and files made by hand of them: what each of the writer's defects and older layouts looks like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/vbc/file.hpp>

#include "support/files.hpp"

namespace unshade::vbc::test {

using unshade::test::view_of;

inline constexpr const char* kSamples[] = {"minimal", "textured", "particles", "subpass"};

inline std::vector<std::byte> sample_bytes(std::string_view name) {
  return unshade::test::read_bytes(unshade::test::source_dir() / "tests/data/vbc" / (std::string(name) + ".vbc"));
}

inline File sample(std::string_view name) {
  const auto bytes = sample_bytes(name);
  auto file = parse(view_of(bytes));
  return file ? *std::move(file) : File{};
}

/// Bytes written one after the other, without any of the code under test.
class Bytes {
 public:
  Bytes& text(std::string_view text) {
    for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Bytes& u8(unsigned value) { return integer(value, 1); }
  Bytes& u16(unsigned value) { return integer(value, 2); }
  Bytes& u32(std::uint64_t value) { return integer(value, 4); }
  Bytes& u64(std::uint64_t value) { return integer(value, 8); }
  Bytes& raw(const std::vector<std::byte>& bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  /// location, type, components, columns, elements
  Bytes& variable(unsigned location, unsigned type, unsigned components, unsigned columns, unsigned elements) {
    return u8(location).u8(type).u8(components).u8(columns).u8(elements).u8(0).u16(0);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  Bytes& integer(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  std::vector<std::byte> bytes_;
};

inline unsigned words(const std::vector<std::byte>& code) { return static_cast<unsigned>(code.size() / 4); }

/// The module with words of OpNop behind it until it has so many.
inline std::vector<std::byte> padded(std::vector<std::byte> code, std::size_t count) {
  while (code.size() < 4 * count) {
    for (const unsigned byte : {0U, 0U, 1U, 0U}) code.push_back(static_cast<std::byte>(byte));
  }
  return code;
}

}  // namespace unshade::vbc::test
