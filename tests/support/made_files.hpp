// Files that tests write byte by byte after the descriptions of their formats, and what finds shaders in them.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include <unshade/unpack/search.hpp>

namespace unshade::test {

using Bytes = std::vector<std::byte>;
using unpack::FoundShader;
using unpack::Search;
using unpack::search_bytes;
using unpack::SearchedFile;

/// Writes numbers, text and bytes after each other.
struct Made {
  Bytes bytes;

  Made& little(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
    return *this;
  }
  Made& big(std::uint64_t value, unsigned size) {
    for (unsigned i = size; i-- > 0;) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
    return *this;
  }
  /// Zero-terminated text.
  Made& text(std::string_view text) { return letters(text).little(0, 1); }
  Made& letters(std::string_view text) {
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Made& add(const Bytes& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return *this;
  }
  Made& align(std::size_t to) {
    bytes.resize((bytes.size() + to - 1) / to * to);
    return *this;
  }
};

inline Bytes zlib_of(const Bytes& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes out(size);
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 9);
  out.resize(size);
  return out;
}

inline Bytes random_bytes(std::size_t size) {
  std::mt19937 random(5);
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

}  // namespace unshade::test
