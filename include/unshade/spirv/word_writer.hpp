// Words of a module that is made from another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/spirv/module.hpp>

namespace unshade::spirv {

/// Appends words in the byte order of a module, after its header.
class WordWriter {
 public:
  explicit WordWriter(const Module& module) : is_big_endian_(module.is_big_endian()) {
    const auto header = module.bytes().clamped(0, kHeaderBytes).bytes();
    bytes_.reserve(module.bytes().size() + 64);
    bytes_.assign(header.begin(), header.end());
  }

  void put(std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i) bytes_.push_back(byte_of(word, i));
  }
  /// One more than the highest id, in the header.
  void set_bound(std::uint32_t bound) {
    for (unsigned i = 0; i < 4; ++i) bytes_[4 * kBoundWord + i] = byte_of(bound, i);
  }
  /// The first word of an instruction.
  void put_head(Opcode opcode, std::size_t words) { put(static_cast<std::uint32_t>(words) << 16 | static_cast<std::uint32_t>(opcode)); }
  void copy(const Instruction& i) { bytes_.insert(bytes_.end(), i.data(), i.data() + std::size_t{4} * i.word_count()); }
  void put_text(std::string_view text) {
    for (std::size_t at = 0; at <= text.size(); at += 4) {
      std::uint32_t word = 0;
      for (unsigned i = 0; i < 4 && at + i < text.size(); ++i)
        word |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])) << (8 * i);
      put(word);
    }
  }
  static std::size_t text_words(std::string_view text) { return text.size() / 4 + 1; }

  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::byte byte_of(std::uint32_t word, unsigned i) const { return static_cast<std::byte>(word >> (is_big_endian_ ? 24 - 8 * i : 8 * i)); }

  std::vector<std::byte> bytes_;
  bool is_big_endian_;
};

}  // namespace unshade::spirv
