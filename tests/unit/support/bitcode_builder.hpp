// Bitstreams and modules that tests make.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include <unshade/dxil/bitstream.hpp>

namespace unshade::test {

/// Bits in the order of the file.
class BitWriter {
 public:
  BitWriter& fixed(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) {
      if (bits_ % 8 == 0) bytes_.push_back(std::byte{0});
      if ((value >> i & 1) != 0) bytes_.back() |= static_cast<std::byte>(1U << (bits_ % 8));
      ++bits_;
    }
    return *this;
  }
  BitWriter& vbr(std::uint64_t value, unsigned width) {
    const std::uint64_t more = std::uint64_t{1} << (width - 1);
    for (; value >= more; value >>= width - 1) fixed((value & (more - 1)) | more, width);
    return fixed(value, width);
  }
  BitWriter& align(bool ones = false) {
    while (bits_ % 32 != 0) fixed(ones ? 1 : 0, 1);
    return *this;
  }
  BitWriter& magic() { return fixed(0xdec0'4342, 32); }
  BitWriter& enter(std::uint32_t block, unsigned outer_width, unsigned width, std::uint32_t words) {
    return fixed(1, outer_width).vbr(block, 8).vbr(width, 4).align().fixed(words, 32);
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t bits_ = 0;
};

/// A bitstream put together from blocks and records.
class StreamBuilder {
 public:
  using Operands = std::initializer_list<std::uint64_t>;

  StreamBuilder& enter(std::uint32_t block, unsigned width = 4) {
    auto& item = add(dxil::BitstreamItem::Kind::enter_block);
    item.code = block;
    item.width = static_cast<std::uint8_t>(width);
    return *this;
  }
  StreamBuilder& leave() {
    add(dxil::BitstreamItem::Kind::end_block);
    return *this;
  }
  StreamBuilder& define(std::initializer_list<dxil::AbbreviationOperand> operands) {
    auto& item = add(dxil::BitstreamItem::Kind::definition);
    item.first = static_cast<std::uint32_t>(stream.definitions.size());
    item.count = static_cast<std::uint32_t>(operands.size());
    stream.definitions.insert(stream.definitions.end(), operands.begin(), operands.end());
    return *this;
  }
  StreamBuilder& record(std::uint32_t code, const std::vector<std::uint64_t>& operands,
                        std::uint32_t abbreviation = dxil::abbreviation::kUnabbreviated) {
    auto& item = add(dxil::BitstreamItem::Kind::record);
    item.code = code;
    item.abbreviation = abbreviation;
    item.first = static_cast<std::uint32_t>(stream.operands.size());
    item.count = static_cast<std::uint32_t>(operands.size());
    stream.operands.insert(stream.operands.end(), operands.begin(), operands.end());
    return *this;
  }
  StreamBuilder& text(std::uint32_t code, std::string_view text, std::vector<std::uint64_t> before = {}) {
    for (const char c : text) before.push_back(static_cast<unsigned char>(c));
    return record(code, before);
  }
  std::vector<std::byte> bytes() const {
    auto written = dxil::write_bitstream(stream);
    EXPECT_TRUE(written) << to_string(written.error());
    return written ? *std::move(written) : std::vector<std::byte>{};
  }

  dxil::Bitstream stream;

 private:
  dxil::BitstreamItem& add(dxil::BitstreamItem::Kind kind) {
    stream.items.push_back({});
    stream.items.back().kind = kind;
    return stream.items.back();
  }
};

}  // namespace unshade::test
