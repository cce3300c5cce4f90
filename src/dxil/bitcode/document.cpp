// A bitstream as a model, and back.
#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/dxil/bitstream.hpp>

namespace unshade::dxil::bitcode {

namespace {

class Writer {
 public:
  explicit Writer(const Bitstream& bitstream) : in_(bitstream) {}

  Result<std::vector<std::byte>> write() {
    const auto before = in_.before.bytes();
    out_.assign(before.begin(), before.end());
    start_ = out_.size();
    fixed(0xdec0'4342, 32);
    for (item_ = 0; item_ < in_.items.size(); ++item_) {
      begin_ = position();
      if (!write_item(in_.items[item_])) return Error{ErrorCode::bad_value, begin_ / 8, "item[" + std::to_string(item_) + ']', fault_};
    }
    if (!blocks_.empty())
      return Error{ErrorCode::bad_value, position() / 8, "item[" + std::to_string(item_) + ']', "a block is not closed"};
    flush();
    out_.resize(out_.size() + in_.trailing_zeros);
    const auto behind = in_.behind.bytes();
    out_.insert(out_.end(), behind.begin(), behind.end());
    return std::move(out_);
  }

 private:
  std::uint64_t position() const { return (out_.size() - start_) * 8 + pending_; }

  void fixed(std::uint64_t value, unsigned width) {
    if (width > 32) {
      fixed(value & 0xffff'ffff, 32);
      value >>= 32;
      width -= 32;
    }
    word_ |= value << pending_;
    pending_ += width;
    while (pending_ >= 8) {
      out_.push_back(static_cast<std::byte>(word_));
      word_ >>= 8;
      pending_ -= 8;
    }
  }
  void flush() {
    if (pending_ != 0) out_.push_back(static_cast<std::byte>(word_));
    word_ = 0;
    pending_ = 0;
  }
  // The file's deviation at this bit, if any.
  std::optional<std::uint64_t> irregular() {
    const auto& all = in_.irregularities;
    while (next_irregular_ < all.size() && all[next_irregular_].item < item_) ++next_irregular_;
    if (next_irregular_ == all.size() || all[next_irregular_].item != item_ || all[next_irregular_].bit != position() - begin_)
      return std::nullopt;
    return all[next_irregular_++].value;
  }
  void vbr(std::uint64_t value, unsigned width) {
    const std::uint64_t chunks = next_irregular_ < in_.irregularities.size() ? irregular().value_or(0) : 0;
    const std::uint64_t more = std::uint64_t{1} << (width - 1);
    std::uint64_t written = 1;
    for (; value >= more || written < chunks; ++written) {
      fixed((value & (more - 1)) | more, width);
      value >>= width - 1;
    }
    fixed(value, width);
  }
  void align() {
    const auto gap = static_cast<unsigned>(-position() & 31);
    if (gap != 0) fixed(irregular().value_or(0) & ((std::uint64_t{1} << gap) - 1), gap);
  }
  void words_at(std::size_t at, std::uint64_t words) { store_little_endian(&out_[at], static_cast<std::uint32_t>(words)); }
  bool fail(const char* fault) {
    fault_ = fault;
    return false;
  }

  bool write_item(const BitstreamItem& item) {
    using Kind = BitstreamItem::Kind;
    if (blocks_.empty() && item.kind != Kind::enter_block) return fail("only blocks are valid at the top level");
    switch (item.kind) {
      case Kind::enter_block:
        if (item.width < 2 || item.width > 32) return fail("the abbreviation id width must be 2 to 32 bits");
        id(abbreviation::kEnterBlock);
        vbr(item.code, 8);
        vbr(item.width, 4);
        align();
        fixed(0, 32);
        blocks_.push_back({item.code, item.width, out_.size()});
        abbreviations_.enter(item.code);
        return true;
      case Kind::end_block:
        id(abbreviation::kEndBlock);
        align();
        words_at(blocks_.back().begin - 4, (out_.size() - blocks_.back().begin) / 4);
        blocks_.pop_back();
        abbreviations_.leave();
        return true;
      case Kind::definition: return definition({in_.definitions.data() + item.first, item.count});
      default: return record(item, {in_.operands.data() + item.first, item.count});
    }
  }

  void id(std::uint32_t number) { fixed(number, blocks_.empty() ? 2 : blocks_.back().width); }

  bool definition(std::span<const AbbreviationOperand> operands) {
    if (operands.empty()) return fail("an abbreviation without operands");
    id(abbreviation::kDefinition);
    vbr(operands.size(), 5);
    for (const AbbreviationOperand operand : operands) {
      fixed(operand.encoding == Encoding::literal ? 1 : 0, 1);
      if (operand.encoding == Encoding::literal) {
        vbr(operand.value, 8);
        continue;
      }
      fixed(static_cast<std::uint64_t>(operand.encoding), 3);
      if (operand.encoding == Encoding::fixed || operand.encoding == Encoding::vbr) vbr(operand.value, 5);
    }
    return abbreviations_.define(operands) || fail("an abbreviation without a block id");
  }

  bool record(const BitstreamItem& item, std::span<const std::uint64_t> operands) {
    id(item.abbreviation);
    if (blocks_.back().id == kBlockInfo && item.code == block_info::kSetBlock && !operands.empty())
      abbreviations_.set_info_target(static_cast<std::uint32_t>(operands[0]));
    if (item.abbreviation == abbreviation::kUnabbreviated) {
      vbr(item.code, 6);
      vbr(operands.size(), 6);
      for (const std::uint64_t operand : operands) vbr(operand, 6);
      return true;
    }
    const auto* const found = item.abbreviation >= abbreviation::kFirst ? abbreviations_.find(item.abbreviation) : nullptr;
    if (found == nullptr) return fail("the abbreviation is not defined here");
    const auto layout = abbreviations_.operands(*found);
    if (!scalar(layout[0], item.code)) return fail("the code does not fit the abbreviation");
    std::size_t at = 0;
    for (std::size_t i = 1; i < layout.size(); ++i) {
      if (layout[i].encoding == Encoding::array) {
        vbr(operands.size() - at, 6);
        for (; at < operands.size(); ++at)
          if (!scalar(layout[i + 1], operands[at])) return fail("an element does not fit the abbreviation");
        break;
      }
      if (layout[i].encoding == Encoding::blob) {
        vbr(operands.size() - at, 6);
        align();
        for (; at < operands.size(); ++at) {
          if (operands[at] > 0xff) return fail("a byte of a blob exceeds 255");
          fixed(operands[at], 8);
        }
        align();
        break;
      }
      if (at == operands.size() || !scalar(layout[i], operands[at++])) return fail("an operand does not fit the abbreviation");
    }
    return at == operands.size() || fail("more operands than the abbreviation has");
  }

  bool scalar(AbbreviationOperand layout, std::uint64_t value) {
    switch (layout.encoding) {
      case Encoding::literal: return value == layout.value;
      case Encoding::fixed:
        if (layout.value < 64 && value >> layout.value != 0) return false;
        fixed(value, static_cast<unsigned>(layout.value));
        return true;
      case Encoding::vbr:
        if (layout.value == 0) return value == 0;
        vbr(value, static_cast<unsigned>(layout.value));
        return true;
      case Encoding::char6: {
        const std::optional<unsigned> letter = char6_of(value);
        if (letter) fixed(*letter, 6);
        return letter.has_value();
      }
      default: return false;
    }
  }

  static std::optional<unsigned> char6_of(std::uint64_t value) {
    if (value >= 'a' && value <= 'z') return static_cast<unsigned>(value - 'a');
    if (value >= 'A' && value <= 'Z') return static_cast<unsigned>(value - 'A' + 26);
    if (value >= '0' && value <= '9') return static_cast<unsigned>(value - '0' + 52);
    if (value == '.') return 62;
    if (value == '_') return 63;
    return std::nullopt;
  }

  struct Open {
    std::uint32_t id;
    std::uint32_t width;
    std::size_t begin;  // in out_, after the length
  };

  const Bitstream& in_;
  std::vector<std::byte> out_;
  std::size_t start_ = 0;  // of the stream, in out_
  std::uint64_t word_ = 0;
  unsigned pending_ = 0;
  std::size_t item_ = 0;
  std::uint64_t begin_ = 0;
  std::size_t next_irregular_ = 0;
  std::vector<Open> blocks_;
  AbbreviationScopes abbreviations_;
  const char* fault_ = "";
};

}  // namespace

}  // namespace unshade::dxil::bitcode

namespace unshade::dxil {

Result<Bitstream> parse_bitstream(View file) {
  using Event = BitstreamCursor::Event;
  const auto extent = find_bitcode(file);
  if (!extent) return extent.error();
  Bitstream result;
  result.before = extent->before;
  result.behind = extent->behind;
  BitstreamCursor cursor(extent->stream);
  cursor.report_to(&result.irregularities);
  std::size_t budget = extent->stream.size() * limits::kModelPerByte + limits::kModelBase;
  for (;;) {
    const std::size_t irregular = result.irregularities.size();
    const Event event = cursor.next(true);
    BitstreamItem item;
    item.bit = cursor.begin_bit();
    switch (event) {
      case Event::enter_block:
        item.kind = BitstreamItem::Kind::enter_block;
        item.code = cursor.block();
        item.width = static_cast<std::uint8_t>(cursor.width());
        break;
      case Event::end_block: item.kind = BitstreamItem::Kind::end_block; break;
      case Event::definition:
        item.kind = BitstreamItem::Kind::definition;
        item.first = static_cast<std::uint32_t>(result.definitions.size());
        item.count = static_cast<std::uint32_t>(cursor.definition().size());
        break;
      case Event::record:
        item.abbreviation = cursor.abbreviation();
        item.code = cursor.code();
        item.first = static_cast<std::uint32_t>(result.operands.size());
        item.count = static_cast<std::uint32_t>(cursor.operands().size() + cursor.blob().size());
        break;
      case Event::end: result.trailing_zeros = static_cast<std::uint32_t>(extent->stream.size() - cursor.begin_bit() / 8); return result;
      case Event::error: return cursor.error();
    }
    const std::size_t cost =
        sizeof(item) + sizeof(std::uint64_t) * std::size_t{item.count} + (result.irregularities.size() - irregular) * sizeof(Irregularity);
    if (cost > budget) {
      cursor.fail(ErrorCode::limit, "the bitstream exceeds the memory limit for its size");
      return cursor.error();
    }
    budget -= cost;
    if (event == Event::definition)
      result.definitions.insert(result.definitions.end(), cursor.definition().begin(), cursor.definition().end());
    if (event == Event::record) {
      result.operands.insert(result.operands.end(), cursor.operands().begin(), cursor.operands().end());
      for (const std::byte byte : cursor.blob().bytes()) result.operands.push_back(std::to_integer<std::uint64_t>(byte));
    }
    for (std::size_t i = irregular; i < result.irregularities.size(); ++i) {
      result.irregularities[i].item = static_cast<std::uint32_t>(result.items.size());
      result.irregularities[i].bit -= static_cast<std::uint32_t>(item.bit);
    }
    // Growing by half, old and new take 2.5 times the items at once, rather than 3.
    if (result.items.size() == result.items.capacity()) result.items.reserve(result.items.size() + result.items.size() / 2 + 64);
    result.items.push_back(item);
  }
}

void Bitstream::enter_block(std::uint32_t block, std::uint8_t width) {
  items.push_back({.kind = BitstreamItem::Kind::enter_block, .width = width, .code = block});
}

void Bitstream::end_block() { items.push_back({.kind = BitstreamItem::Kind::end_block}); }

void Bitstream::add_record(std::uint32_t code, std::uint32_t abbreviation, std::span<const std::uint64_t> values) {
  items.push_back({.abbreviation = abbreviation,
                   .code = code,
                   .first = static_cast<std::uint32_t>(operands.size()),
                   .count = static_cast<std::uint32_t>(values.size())});
  operands.insert(operands.end(), values.begin(), values.end());
}

Result<std::vector<std::byte>> write_bitstream(const Bitstream& bitstream) { return bitcode::Writer(bitstream).write(); }

}  // namespace unshade::dxil
