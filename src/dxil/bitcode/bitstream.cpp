#include <unshade/dxil/bitstream.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include <unshade/core/limits.hpp>

#include "dxil/bitcode/records.hpp"

namespace unshade::dxil::bitcode {

namespace {

constexpr std::uint32_t kMagic = 0xdec0'4342;         // BC 0xC0DE
constexpr std::uint32_t kWrapperMagic = 0x0b17'c0de;  // src: LLVM, BitCodeFormat.rst, "Bitcode Wrapper Format"
constexpr std::size_t kWrapperBytes = 20;

constexpr unsigned kTopWidth = 2;  // of abbreviation ids outside of all blocks
constexpr unsigned kBlockIdWidth = 8;
constexpr unsigned kNewWidthWidth = 4;
constexpr unsigned kCodeWidth = 6;
constexpr unsigned kCountWidth = 6;
constexpr unsigned kWidest = 32;  // of abbreviation ids and chunks of a VBR
constexpr unsigned kWidestFixed = 64;

constexpr char kChar6[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

bool is_scalar(Encoding encoding) { return encoding != Encoding::array && encoding != Encoding::blob; }
bool has_no_bits(AbbreviationOperand operand) {
  return operand.encoding == Encoding::literal ||
         ((operand.encoding == Encoding::fixed || operand.encoding == Encoding::vbr) && operand.value == 0);
}

/// A number of one chunk, or of two of which the second is needed, as nearly all are: its value, and how many bits it takes; no bits: it is
/// another, and for long_vbr. `word` begins with it, and has two chunks at least.
struct ShortVbr {
  std::uint64_t value;
  std::uint64_t bits;
};
inline ShortVbr short_vbr(std::uint64_t word, unsigned width) {
  const std::uint64_t more = std::uint64_t{1} << (width - 1);
  const std::uint64_t low = word & (more - 1);
  if ((word & more) == 0) return {low, width};
  const std::uint64_t second = word >> width;
  const std::uint64_t high = second & (more - 1);
  if ((second & more) != 0 || high == 0) return {0, 0};
  return {low | high << (width - 1), 2 * std::uint64_t{width}};
}
constexpr unsigned kWidestShort = 28;

}  // namespace

}  // namespace unshade::dxil::bitcode

namespace unshade::dxil {

Result<BitcodeExtent> find_bitcode(View file) {
  BitcodeExtent extent{.stream = file, .before = file.clamped(0, 0), .behind = file.clamped(file.size(), 0)};
  const auto magic = file.u32(0);
  if (!magic) return Error{ErrorCode::truncated, file.file_offset(), "magic", "too short for bitcode"};
  if (*magic == bitcode::kWrapperMagic) {
    if (!file.holds(0, bitcode::kWrapperBytes))
      return Error{ErrorCode::truncated, file.file_offset(), "wrapper", "the wrapper header is truncated"};
    const std::uint32_t offset = *file.u32(8);
    const std::uint32_t size = *file.u32(12);
    const auto stream = file.sub(offset, size);
    if (!stream || offset < bitcode::kWrapperBytes) {
      return Error{ErrorCode::out_of_range, file.file_offset() + 8, "wrapper/offset", "the bitcode is outside the file"};
    }
    extent.stream = *stream;
    extent.before = file.clamped(0, offset);
    extent.behind = file.clamped(std::size_t{offset} + size, file.size());
  }
  const auto inner = extent.stream.u32(0);
  if (!inner || *inner != bitcode::kMagic)
    return Error{ErrorCode::bad_magic, extent.stream.file_offset(), "magic", "expected the magic BC 0xC0DE"};
  return extent;
}

// --- abbreviations -----------------------------------------------------------------------------------------------------------------------

// What a common module defines.
AbbreviationScopes::AbbreviationScopes() {
  operands_.reserve(128);
  all_.reserve(32);
}

void AbbreviationScopes::use(const Scope& scope) {
  const auto info = info_.find(scope.block);
  inherited_ = info == info_.end() ? nullptr : info->second.data();
  inherited_count_ = scope.inherited_count;
  local_first_ = scope.local_first;
}

void AbbreviationScopes::enter(std::uint32_t block) {
  const auto info = info_.find(block);
  scopes_.push_back(
      {block, static_cast<std::uint32_t>(local_.size()), info == info_.end() ? 0 : static_cast<std::uint32_t>(info->second.size())});
  use(scopes_.back());
  set_info_target(kNoTarget);
}

void AbbreviationScopes::leave() {
  local_.resize(scopes_.back().local_first);
  scopes_.pop_back();
  set_info_target(kNoTarget);
  if (!scopes_.empty()) {
    use(scopes_.back());
  } else {
    inherited_count_ = 0;
    local_first_ = 0;
  }
}

bool AbbreviationScopes::define(std::span<const AbbreviationOperand> operands) {
  const auto index = static_cast<std::uint32_t>(all_.size());
  if (!scopes_.empty() && scopes_.back().block == kBlockInfo) {
    if (info_target_ == kNoTarget) return false;
    if (of_target_ == nullptr) of_target_ = &info_[info_target_];
    of_target_->push_back(index);
    if (info_target_ == kBlockInfo) use(scopes_.back());  // what was inherited may have moved
  } else {
    local_.push_back(index);
  }
  all_.push_back({static_cast<std::uint32_t>(operands_.size()), static_cast<std::uint32_t>(operands.size())});
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  return true;
}

// --- bits --------------------------------------------------------------------------------------------------------------------------------

BitstreamCursor::BitstreamCursor(View stream)
    : stream_(stream),
      data_(stream.data()),
      bits_(std::uint64_t{stream.size()} * 8),
      budget_(std::uint64_t{stream.size()} * limits::kBitstreamOperandsPerByte + limits::kBitstreamBase) {
  scopes_.push_back({kNoBlock, bitcode::kTopWidth, 0, 0, bits_});
  if (bits_ < 32) at_ = begin_ = bits_;
}

// The bits from here on, 57 of them at least; zeros after the end.
[[gnu::always_inline]] inline std::uint64_t BitstreamCursor::peek() const {
  const std::uint64_t byte = at_ >> 3;
  const unsigned shift = at_ & 7;
  if (byte + 8 <= stream_.size()) [[likely]]
    return stream_.load_unchecked<std::uint64_t>(byte) >> shift;
  return last_bits();
}

std::uint64_t BitstreamCursor::last_bits() const {
  const std::uint64_t byte = at_ >> 3;
  std::uint64_t word = 0;
  for (std::uint64_t i = byte; i < stream_.size(); ++i) word |= std::to_integer<std::uint64_t>(data_[i]) << (8 * (i - byte));
  return word >> (at_ & 7);
}

[[gnu::always_inline]] inline std::uint64_t BitstreamCursor::fixed(unsigned width) {
  if (width > bits_ - at_ || width > 56) [[unlikely]]
    return wide_fixed(width);
  const std::uint64_t value = peek() & ((std::uint64_t{1} << width) - 1);
  at_ += width;
  return value;
}

// Of more bits than one look gives, or than are left.
std::uint64_t BitstreamCursor::wide_fixed(unsigned width) {
  if (width > bits_ - at_) {
    overrun_ = true;
    at_ = bits_;
    return 0;
  }
  const std::uint64_t low = peek() & 0xffff'ffff;
  at_ += 32;
  const std::uint64_t high = peek() & ((std::uint64_t{1} << (width - 32)) - 1);
  at_ += width - 32;
  return low | high << 32;
}

inline std::uint64_t BitstreamCursor::vbr(unsigned width) {
  if (bits_ - at_ >= 64 && width <= bitcode::kWidestShort) [[likely]]
    if (const bitcode::ShortVbr number = bitcode::short_vbr(peek(), width); number.bits != 0) [[likely]] {
      at_ += number.bits;
      return number.value;
    }
  return long_vbr(width);
}

// The position stays in a register: as far as the compiler knows, an operand that is stored could be the cursor's own.
inline void BitstreamCursor::vbrs(std::uint64_t* out, const std::uint64_t* end, unsigned width) {
  const View stream = stream_;
  const std::uint64_t whole = bits_ < 64 || width > bitcode::kWidestShort ? 0 : bits_ - 64;  // up to here, 8 bytes can be loaded
  std::uint64_t at = at_;
  for (; out != end; ++out) {
    if (at < whole) [[likely]] {
      const bitcode::ShortVbr number =
          bitcode::short_vbr(stream.load_unchecked<std::uint64_t>(static_cast<std::size_t>(at / 8)) >> (at & 7), width);
      if (number.bits != 0) [[likely]] {
        *out = number.value;
        at += number.bits;
        continue;
      }
    }
    at_ = at;
    *out = long_vbr(width);
    at = at_;
  }
  at_ = at;
}

std::uint64_t BitstreamCursor::long_vbr(unsigned width) {
  const std::uint64_t begin = at_;
  const std::uint64_t more = std::uint64_t{1} << (width - 1);
  // As many chunks as one look gives; more of them, and the end of the stream, are for the loop below.
  if (bits_ - at_ >= 64) [[likely]] {
    std::uint64_t word = peek();
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (unsigned used = width; used <= 57; used += width) {
      value |= (word & (more - 1)) << shift;
      if ((word & more) == 0) {
        if ((word & (more - 1)) == 0 && shift != 0) break;  // more chunks than needed
        at_ += used;
        return value;
      }
      shift += width - 1;
      word >>= width;
    }
  }
  std::uint64_t value = 0;
  std::uint64_t chunk = 0;
  unsigned shift = 0;
  std::uint64_t chunks = 0;
  do {
    chunk = fixed(width);
    if (overrun_) return 0;
    const std::uint64_t payload = chunk & (more - 1);
    if (payload != 0 && (shift >= 64 || (payload << shift) >> shift != payload)) {
      malformed_ = true;  // wider than 64 bits
      return 0;
    }
    if (shift < 64) value |= payload << shift;
    shift = shift < 64 ? shift + width - 1 : shift;
    ++chunks;
  } while ((chunk & more) != 0);
  if (chunks > 1 && (chunk & (more - 1)) == 0 && irregularities_ != nullptr)
    irregularities_->push_back({0, static_cast<std::uint32_t>(begin), chunks});
  return value;
}

inline std::uint64_t BitstreamCursor::char6() { return static_cast<std::uint64_t>(bitcode::kChar6[fixed(6)]); }

bool BitstreamCursor::align() {
  const auto gap = static_cast<unsigned>(-at_ & 31);
  if (gap == 0) return true;
  const std::uint64_t begin = at_;
  const std::uint64_t value = fixed(gap);
  if (value != 0 && irregularities_ != nullptr) irregularities_->push_back({0, static_cast<std::uint32_t>(begin), value});
  return !overrun_;
}

inline std::uint64_t BitstreamCursor::scalar(AbbreviationOperand operand) {
  switch (operand.encoding) {
    case Encoding::literal: return operand.value;
    case Encoding::fixed: return operand.value == 0 ? 0 : fixed(static_cast<unsigned>(operand.value));
    case Encoding::vbr: return operand.value == 0 ? 0 : vbr(static_cast<unsigned>(operand.value));
    default: return char6();
  }
}

// --- events ------------------------------------------------------------------------------------------------------------------------------

BitstreamCursor::Event BitstreamCursor::fail(ErrorCode code, std::string message) {
  if (error_) return Event::error;
  std::string path;
  for (std::size_t i = 1; i < scopes_.size(); ++i) {
    const char* const text = bitcode::block_text(scopes_[i].block);
    path += (text != nullptr ? std::string(text) : "block" + std::to_string(scopes_[i].block)) + '/';
  }
  path += "record[" + std::to_string(scopes_.back().records) + ']';
  error_ = std::make_unique<Error>(Error{code, file_offset(), std::move(path), std::move(message)});
  return Event::error;
}

BitstreamCursor::Event BitstreamCursor::truncated() {
  if (malformed_) return fail(ErrorCode::bad_value, "the number exceeds 64 bits");
  return fail(ErrorCode::truncated, "the bitstream ends within it");
}

BitstreamCursor::Event BitstreamCursor::next(bool definitions) {
  if (error_) return Event::error;
  for (;;) {
    begin_ = at_;
    if (scopes_.size() == 1) {
      // Between blocks, and after the last one: containers pad with zeros.
      if (bits_ - at_ < 32 || (peek() & 3) != abbreviation::kEnterBlock) {
        for (std::uint64_t byte = at_ / 8; byte < stream_.size(); ++byte)
          if (data_[byte] != std::byte{0}) return fail(ErrorCode::bad_value, "expected a block or the end");
        return Event::end;
      }
    }
    const auto id = static_cast<std::uint32_t>(fixed(scopes_.back().width));
    if (overrun_) return truncated();
    abbreviation_ = id;
    switch (id) {
      case abbreviation::kEndBlock: return end_block();
      case abbreviation::kEnterBlock: return enter_block();
      case abbreviation::kDefinition: {
        const Event event = define();
        if (definitions || event == Event::error) return event;
        break;
      }
      case abbreviation::kUnabbreviated: return unabbreviated();
      default: {
        const auto* const found = abbreviations_.find(id);
        if (found == nullptr) return fail(ErrorCode::bad_value, "abbreviation " + std::to_string(id) + " is not defined here");
        return abbreviated(*found);
      }
    }
  }
}

BitstreamCursor::Event BitstreamCursor::enter_block() {
  const std::uint64_t block = vbr(bitcode::kBlockIdWidth);
  const std::uint64_t width = vbr(bitcode::kNewWidthWidth);
  if (!align() || malformed_) return truncated();
  const auto words = static_cast<std::uint32_t>(fixed(32));
  if (overrun_) return truncated();
  if (block >= kNoBlock) return fail(ErrorCode::bad_value, "invalid block id " + std::to_string(block));
  if (width == 0 || width > bitcode::kWidest)
    return fail(ErrorCode::bad_value, "invalid abbreviation id width of " + std::to_string(width) + " bits");
  if (at_ > scopes_.back().end || std::uint64_t{words} * 32 > scopes_.back().end - at_)
    return fail(ErrorCode::truncated, "a block of " + std::to_string(words) + " words exceeds its parent");
  if (scopes_.size() > limits::kNesting) return fail(ErrorCode::limit, "blocks are nested too deeply");
  ++scopes_.back().records;
  scopes_.push_back({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(width), words, 0, at_ + std::uint64_t{words} * 32});
  abbreviations_.enter(static_cast<std::uint32_t>(block));
  return Event::enter_block;
}

BitstreamCursor::Event BitstreamCursor::end_block() {
  if (!align()) return truncated();
  if (at_ != scopes_.back().end) return fail(ErrorCode::bad_value, "the length of the block differs from its header");
  scopes_.pop_back();
  abbreviations_.leave();
  return Event::end_block;
}

bool BitstreamCursor::skip_block() {
  if (error_ || scopes_.size() == 1) return false;
  at_ = scopes_.back().end;
  scopes_.pop_back();
  abbreviations_.leave();
  return true;
}

// src: LLVM, BitCodeFormat.rst, "DEFINE_ABBREV Encoding"
BitstreamCursor::Event BitstreamCursor::define() {
  const std::uint64_t count = vbr(5);
  if (overrun_ || malformed_) return truncated();
  if (count == 0 || count > limits::kAbbreviationOperands)
    return fail(count == 0 ? ErrorCode::bad_value : ErrorCode::limit, "invalid abbreviation with " + std::to_string(count) + " operands");
  if (count > budget_) return fail(ErrorCode::limit, "too many operands for the size of the bitstream");
  budget_ -= count;
  defined_.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    AbbreviationOperand operand;
    if (fixed(1) != 0) {
      operand.value = vbr(8);
    } else {
      const auto encoding = fixed(3);
      if (encoding == 0 || encoding > static_cast<std::uint64_t>(Encoding::blob)) {
        if (overrun_) return truncated();
        return fail(ErrorCode::bad_value, "unknown operand encoding " + std::to_string(encoding));
      }
      operand.encoding = static_cast<Encoding>(encoding);
      if (operand.encoding == Encoding::fixed || operand.encoding == Encoding::vbr) {
        operand.value = vbr(5);
        if (operand.value > (operand.encoding == Encoding::fixed ? bitcode::kWidestFixed : bitcode::kWidest) ||
            (operand.encoding == Encoding::vbr && operand.value == 1))
          return fail(ErrorCode::bad_value, "invalid operand width of " + std::to_string(operand.value) + " bits");
      }
    }
    if (overrun_ || malformed_) return truncated();
    defined_.push_back(operand);
  }
  // The code has to be a number; an array takes the operand after it for its elements, and it and a blob end the record.
  bool good = bitcode::is_scalar(defined_[0].encoding);
  for (std::size_t i = 0; i < count && good; ++i) {
    if (defined_[i].encoding == Encoding::array) good = i + 2 == count && bitcode::is_scalar(defined_[i + 1].encoding);
    if (defined_[i].encoding == Encoding::blob) good = i + 1 == count;
  }
  if (!good) return fail(ErrorCode::bad_value, "an array or blob must be the last operand of an abbreviation");
  if (!abbreviations_.define(defined_)) return fail(ErrorCode::bad_value, "an abbreviation without a block id");
  definition_ = defined_;
  return Event::definition;
}

// Room for that many more operands.
inline bool BitstreamCursor::append(std::uint64_t count) {
  if (count > budget_) [[unlikely]]
    return false;
  budget_ -= count;
  if (count > capacity_ - count_) [[unlikely]] {
    const std::size_t capacity = std::max<std::size_t>({64, capacity_ * 2, count_ + static_cast<std::size_t>(count)});
    auto grown = std::make_unique_for_overwrite<std::uint64_t[]>(capacity);
    std::copy_n(operands_.get(), count_, grown.get());
    operands_ = std::move(grown);
    capacity_ = capacity;
  }
  return true;
}

BitstreamCursor::Event BitstreamCursor::finish_record() {
  ++scopes_.back().records;
  if (scopes_.back().block == kBlockInfo && code_ == block_info::kSetBlock) {
    if (count_ == 0 || operands_[0] >= kNoBlock) return fail(ErrorCode::bad_value, "no block id");
    abbreviations_.set_info_target(static_cast<std::uint32_t>(operands_[0]));
  }
  return Event::record;
}

BitstreamCursor::Event BitstreamCursor::unabbreviated() {
  definition_ = {};
  blob_ = {};
  has_blob_ = false;
  count_ = 0;
  const std::uint64_t code = vbr(bitcode::kCodeWidth);
  const std::uint64_t count = vbr(bitcode::kCountWidth);
  if (overrun_ || malformed_) return truncated();
  if (code > 0xffff'ffff) return fail(ErrorCode::bad_value, "invalid record code " + std::to_string(code));
  if (count > (bits_ - at_) / bitcode::kCountWidth)
    return fail(ErrorCode::truncated, std::to_string(count) + " operands exceed the remaining bits");
  if (!append(count)) return fail(ErrorCode::limit, "too many operands for the size of the bitstream");
  code_ = static_cast<std::uint32_t>(code);
  count_ = static_cast<std::size_t>(count);
  vbrs(operands_.get(), operands_.get() + count_, bitcode::kCountWidth);
  if (overrun_ || malformed_) [[unlikely]]
    return truncated();
  return finish_record();
}

BitstreamCursor::Event BitstreamCursor::abbreviated(const AbbreviationScopes::Abbreviation& abbreviation) {
  definition_ = abbreviations_.operands(abbreviation);
  blob_ = {};
  has_blob_ = false;
  count_ = 0;
  const std::uint64_t code = scalar(definition_[0]);
  if (code > 0xffff'ffff) return fail(ErrorCode::bad_value, "invalid record code " + std::to_string(code));
  code_ = static_cast<std::uint32_t>(code);
  if (!append(definition_.size())) return fail(ErrorCode::limit, "too many operands for the size of the bitstream");
  std::uint64_t* out = operands_.get();
  const AbbreviationOperand* const end = definition_.data() + definition_.size();
  for (const AbbreviationOperand* operand = definition_.data() + 1; operand != end; ++operand) {
    const auto width = static_cast<unsigned>(operand->value);
    switch (operand->encoding) {
      case Encoding::literal: *out++ = operand->value; break;
      case Encoding::fixed: *out++ = width == 0 ? 0 : fixed(width); break;
      case Encoding::vbr: *out++ = width == 0 ? 0 : vbr(width); break;
      case Encoding::char6: *out++ = char6(); break;
      case Encoding::array:
      case Encoding::blob:
        count_ = static_cast<std::size_t>(out - operands_.get());
        if ((operand->encoding == Encoding::blob ? read_blob() : array(operand[1])) == Event::error) return Event::error;
        return overrun_ || malformed_ ? truncated() : finish_record();
    }
  }
  count_ = static_cast<std::size_t>(out - operands_.get());
  if (overrun_ || malformed_) [[unlikely]]
    return truncated();
  return finish_record();
}

BitstreamCursor::Event BitstreamCursor::array(AbbreviationOperand element) {
  const std::uint64_t count = vbr(bitcode::kCountWidth);
  if (overrun_ || malformed_) return truncated();
  if (count == 0) return Event::record;
  if (bitcode::has_no_bits(element)) return fail(ErrorCode::bad_value, "the elements of an array have no bits");
  const unsigned width = element.encoding == Encoding::char6 ? 6 : static_cast<unsigned>(element.value);
  if (count > (bits_ - at_) / width) return fail(ErrorCode::truncated, std::to_string(count) + " elements exceed the remaining bits");
  if (!append(count)) return fail(ErrorCode::limit, "too many operands for the size of the bitstream");
  std::uint64_t* out = operands_.get() + count_;
  count_ += static_cast<std::size_t>(count);
  std::uint64_t* const end = operands_.get() + count_;
  if (element.encoding == Encoding::vbr) {
    vbrs(out, end, width);
    return Event::record;
  }
  // As many elements as one look gives; those near the end of the stream, and wide ones, one by one.
  const std::uint64_t each = width > 28 ? 0 : 56 / width;
  const std::uint64_t mask = each == 0 ? 0 : (std::uint64_t{1} << width) - 1;
  const bool letters = element.encoding == Encoding::char6;
  std::uint64_t at = at_;
  while (static_cast<std::uint64_t>(end - out) >= each && each != 0 && bits_ - at >= 64) {
    std::uint64_t word = stream_.load_unchecked<std::uint64_t>(static_cast<std::size_t>(at / 8)) >> (at & 7);
    for (std::uint64_t i = 0; i < each; ++i, word >>= width)
      *out++ = letters ? static_cast<unsigned char>(bitcode::kChar6[word & mask]) : word & mask;
    at += each * width;
  }
  at_ = at;
  while (out != end) *out++ = letters ? char6() : fixed(width);
  return Event::record;
}

BitstreamCursor::Event BitstreamCursor::read_blob() {
  const std::uint64_t size = vbr(bitcode::kCountWidth);
  if (!align() || malformed_) return truncated();
  if (size > (bits_ - at_) / 8)
    return fail(ErrorCode::truncated, "a blob of " + std::to_string(size) + " bytes exceeds the remaining bits");
  blob_ = stream_.clamped(static_cast<std::size_t>(at_ / 8), static_cast<std::size_t>(size));
  has_blob_ = true;
  at_ += size * 8;
  if (!align()) return truncated();
  return Event::record;
}

Result<void> check_module_extent(View file) {
  const auto extent = find_bitcode(file);
  if (!extent) return extent.error();
  BitstreamCursor cursor(extent->stream);
  for (;;) {
    switch (cursor.next()) {
      case BitstreamCursor::Event::enter_block:
        if (cursor.block() == bitcode::block_id::module) return {};
        cursor.skip_block();
        break;
      case BitstreamCursor::Event::end: return Error{ErrorCode::missing, cursor.file_offset(), "module", "no module in the bitcode"};
      case BitstreamCursor::Event::error: return cursor.error();
      default: break;
    }
  }
}

}  // namespace unshade::dxil
