#include "unpack/streams/smolv.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/module.hpp>

#include "unpack/streams/streams.hpp"

namespace unshade::unpack {

namespace {

constexpr std::size_t kSmolvHead = 24;              // bytes: that of SPIR-V, and the size of the module
constexpr std::uint32_t kMostModule = 1U << 24;     // bytes
constexpr std::uint32_t kMostWordsOfOne = 0xffff;   // of an instruction
constexpr std::uint32_t kFirstSpirv = 0x0001'0000;  // version
constexpr std::uint32_t kLastSpirv = 0x0001'0600;
constexpr std::uint32_t kLastSmolv = 1;             // version
constexpr std::uint32_t kKnownOpsOfVersion0 = 331;  // up to OpModuleProcessed
/// In place of OpVectorShuffle: the components are in one byte.
constexpr std::uint32_t kShuffleCompact = 13;
constexpr std::uint32_t kShuffleHead = 5;  // words before the components
constexpr std::uint32_t kMostCompact = 9;  // words
constexpr std::uint32_t kOffset = 35;      // decoration

/// How the operands of instructions are written, up to and with an opcode. Opcodes without a meaning have rows too.
struct SmolvRow {
  std::uint16_t last;
  std::uint8_t has_result;  ///< by its distance from the one before
  std::uint8_t has_type;    ///< as a varint
  std::uint8_t distances;   ///< so many operands after these by their distance from the result
  std::uint8_t is_varint;   ///< what follows; else it is words
};
constexpr SmolvRow kSmolvRows[] = {
    // last, has_result, has_type, distances, is_varint
    {0, 0, 0, 0, 0},   {1, 1, 1, 0, 0},   {2, 0, 0, 0, 0},   {3, 0, 0, 0, 1},   {7, 0, 0, 0, 0},   {8, 0, 0, 0, 1},   {9, 1, 1, 0, 0},
    {10, 0, 0, 0, 0},  {11, 1, 0, 0, 0},  {12, 1, 1, 0, 1},  {13, 1, 1, 2, 1},  {17, 0, 0, 0, 1},  {18, 1, 1, 0, 0},  {38, 1, 0, 0, 1},
    {39, 0, 0, 0, 1},  {43, 1, 1, 0, 0},  {44, 1, 1, 9, 0},  {45, 1, 1, 0, 1},  {50, 1, 1, 0, 0},  {51, 1, 1, 9, 0},  {53, 1, 1, 0, 0},
    {54, 1, 1, 0, 1},  {55, 1, 1, 0, 0},  {56, 0, 0, 0, 0},  {57, 1, 1, 9, 0},  {58, 1, 1, 0, 0},  {59, 1, 1, 0, 1},  {60, 1, 1, 0, 0},
    {61, 1, 1, 1, 1},  {62, 0, 0, 2, 1},  {64, 0, 0, 0, 0},  {65, 1, 1, 0, 1},  {70, 1, 1, 0, 0},  {72, 0, 0, 0, 1},  {73, 1, 0, 0, 0},
    {75, 0, 0, 0, 0},  {76, 1, 1, 0, 0},  {77, 1, 1, 1, 1},  {79, 1, 1, 2, 1},  {80, 1, 1, 9, 0},  {81, 1, 1, 1, 1},  {82, 1, 1, 2, 1},
    {83, 1, 1, 1, 0},  {86, 1, 1, 0, 0},  {88, 1, 1, 2, 1},  {90, 1, 1, 3, 1},  {92, 1, 1, 2, 1},  {94, 1, 1, 3, 1},  {95, 1, 1, 2, 1},
    {97, 1, 1, 3, 1},  {98, 1, 1, 2, 1},  {99, 0, 0, 3, 1},  {102, 1, 1, 1, 0}, {103, 1, 1, 2, 0}, {104, 1, 1, 1, 0}, {105, 1, 1, 2, 0},
    {107, 1, 1, 1, 0}, {108, 1, 1, 0, 0}, {122, 1, 1, 1, 0}, {123, 1, 1, 1, 1}, {124, 1, 1, 1, 0}, {125, 1, 1, 0, 0}, {127, 1, 1, 1, 0},
    {152, 1, 1, 2, 0}, {153, 1, 1, 0, 0}, {160, 1, 1, 1, 0}, {167, 1, 1, 2, 0}, {168, 1, 1, 1, 0}, {169, 1, 1, 3, 0}, {191, 1, 1, 2, 0},
    {193, 1, 1, 0, 0}, {199, 1, 1, 2, 0}, {200, 1, 1, 1, 0}, {201, 1, 1, 4, 0}, {203, 1, 1, 3, 0}, {205, 1, 1, 1, 0}, {217, 1, 1, 0, 0},
    {221, 0, 0, 0, 0}, {223, 1, 1, 0, 0}, {224, 0, 0, 3, 0}, {225, 0, 0, 2, 0}, {227, 1, 1, 0, 0}, {228, 0, 0, 0, 0}, {245, 1, 1, 0, 0},
    {246, 0, 0, 2, 1}, {247, 0, 0, 1, 1}, {248, 1, 0, 0, 0}, {249, 0, 0, 1, 0}, {250, 0, 0, 3, 1}, {257, 0, 0, 0, 0}, {259, 1, 1, 0, 0},
    {260, 0, 0, 0, 0}, {279, 1, 1, 0, 0}, {281, 0, 0, 0, 0}, {286, 1, 1, 0, 0}, {288, 0, 0, 0, 0}, {296, 1, 1, 0, 0}, {298, 0, 0, 0, 0},
    {300, 1, 1, 0, 0}, {302, 0, 0, 0, 0}, {304, 1, 1, 0, 0}, {306, 1, 1, 2, 1}, {308, 1, 1, 3, 1}, {310, 1, 1, 2, 1}, {312, 1, 1, 3, 1},
    {313, 1, 1, 2, 1}, {315, 1, 1, 3, 1}, {316, 1, 1, 1, 0}, {317, 0, 0, 0, 0}, {318, 1, 1, 0, 0}, {319, 0, 0, 0, 0}, {327, 1, 1, 0, 0},
    {328, 1, 1, 0, 1}, {329, 0, 0, 2, 1}, {330, 1, 1, 0, 0}, {332, 0, 0, 0, 1}, {366, 1, 1, 1, 1},
};

constexpr std::uint32_t op(spirv::Opcode opcode) { return static_cast<std::uint32_t>(opcode); }

/// Frequent opcodes and rare ones below 16, which stand for each other.
constexpr std::pair<std::uint32_t, std::uint32_t> kSwapped[] = {
    {op(spirv::Opcode::decorate), 0},     {op(spirv::Opcode::load), 1},           {op(spirv::Opcode::store), 2},
    {op(spirv::Opcode::access_chain), 3}, {op(spirv::Opcode::vector_shuffle), 4}, {op(spirv::Opcode::member_decorate), 7},
    {op(spirv::Opcode::label), 8},        {op(spirv::Opcode::variable), 9},       {op(spirv::Opcode::f_mul), 10},
    {op(spirv::Opcode::f_add), 11},       {op(spirv::Opcode::type_pointer), 14},  {op(spirv::Opcode::f_negate), 15},
};
std::uint32_t swapped(std::uint32_t opcode) {
  for (const auto& [frequent, rare] : kSwapped) {
    if (opcode == frequent) return rare;
    if (opcode == rare) return frequent;
  }
  return opcode;
}

/// Words that an instruction has at least, beyond the first: they are left out of its length.
std::uint32_t least_words(std::uint32_t opcode) {
  if (opcode == op(spirv::Opcode::vector_shuffle) || opcode == kShuffleCompact) return 4;
  if (opcode == op(spirv::Opcode::decorate)) return 2;
  return opcode == op(spirv::Opcode::load) || opcode == op(spirv::Opcode::access_chain) ? 3 : 0;
}

/// Operands of a decoration that is usual; nothing of others, whose number is written.
std::optional<std::uint32_t> decoration_operands(std::uint32_t decoration) {
  if (decoration == 0 || (decoration >= 2 && decoration <= 5)) return 0;
  if (decoration >= 29 && decoration <= 37) return 1;
  return std::nullopt;
}

std::uint32_t from_zigzag(std::uint32_t value) { return (value & 1) != 0 ? ~(value >> 1) : value >> 1; }

/// Numbers one after the other. Where they end, it is remembered and zeros follow.
class Numbers {
 public:
  explicit Numbers(View bytes) : bytes_(bytes) {}

  std::uint32_t byte() {
    if (at_ >= bytes_.size()) {
      ended_ = true;
      return 0;
    }
    return std::to_integer<std::uint32_t>(bytes_.bytes()[at_++]);
  }
  std::uint32_t varint() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const std::uint32_t next = byte();
      value |= shift < 32 ? (next & 0x7f) << shift : 0;
      if ((next & 0x80) == 0) return value;
    }
    is_bad_ = true;
    return value;
  }
  std::uint32_t word() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) value |= byte() << shift;
    return value;
  }
  std::size_t position() const { return at_; }
  bool ended() const { return ended_; }
  bool is_bad() const { return is_bad_; }

 private:
  View bytes_;
  std::size_t at_ = 0;
  bool ended_ = false;
  bool is_bad_ = false;
};

class SmolvDecoder final : public Decoder {
 public:
  Step run(std::span<const std::byte>& packed, std::span<std::byte>& out) override {
    for (;;) {
      send(out);
      if (sent_ < made_.size()) return Step::more;
      if (is_begun_ && left_ == 0) return Step::ended;
      if (packed.empty() && !held_.empty()) return Step::damaged;  // cut off
      if (packed.empty()) return Step::more;
      // What is held is the beginning of one instruction: that ends in what is new, or after it.
      const std::size_t held = held_.size();
      held_.insert(held_.end(), packed.begin(), packed.end());
      const std::optional<std::size_t> used = next(View(held_));
      if (!used || held_.size() > kMostHeld) return Step::damaged;
      if (*used == 0) {
        packed = {};
        return Step::more;
      }
      if (*used < held) return Step::damaged;
      packed = packed.subspan(*used - held);
      held_.clear();
    }
  }

 private:
  /// Instructions of any real module take fewer bytes.
  static constexpr std::size_t kMostHeld = std::size_t{1} << 20;

  void send(std::span<std::byte>& out) {
    const std::size_t count = std::min(out.size(), made_.size() - sent_);
    if (count != 0) std::memcpy(out.data(), made_.data() + sent_, count);
    out = out.subspan(count);
    sent_ += count;
  }

  void put(std::uint32_t word) {
    for (unsigned shift = 0; shift < 32; shift += 8) made_.push_back(static_cast<std::byte>(word >> shift & 0xff));
  }

  /// Decodes the header or some instructions. The bytes that it had; 0 if there are too few, nothing if they are none.
  std::optional<std::size_t> next(View bytes) {
    made_.clear();
    sent_ = 0;
    if (!is_begun_) return begin(bytes);
    // whole instructions, as far as they go
    std::size_t used = 0;
    constexpr std::size_t kEnough = std::size_t{1} << 14;
    while (left_ != 0 && made_.size() < kEnough) {
      const State before{previous_, decorated_, made_.size()};
      Numbers numbers(bytes.clamped(used, bytes.size()));
      const bool is_good = instruction(numbers);
      if (numbers.ended()) {
        previous_ = before.previous;
        decorated_ = before.decorated;
        made_.resize(before.made);
        break;
      }
      if (!is_good || numbers.is_bad() || made_.size() - before.made > left_) return std::nullopt;
      left_ -= static_cast<std::uint32_t>(made_.size() - before.made);
      used += numbers.position();
    }
    return used;
  }

  std::optional<std::size_t> begin(View bytes) {
    if (bytes.size() < kSmolvHead) return 0;
    if (!begins_smolv(bytes)) return std::nullopt;
    const std::uint32_t version = *bytes.u32(4);
    known_ops_ = version >> 24 == 0 ? kKnownOpsOfVersion0 : std::end(kSmolvRows)[-1].last + 1U;
    put(spirv::kMagic);
    put(version & 0xff'ffff);
    for (const std::size_t at : {8U, 12U, 16U}) put(*bytes.u32(at));
    left_ = *bytes.u32(20) - static_cast<std::uint32_t>(made_.size());
    is_begun_ = true;
    return kSmolvHead;
  }

  bool instruction(Numbers& from) {
    const std::uint32_t packed = from.varint();
    const std::uint32_t written = swapped((packed >> 4 & 0xfff0) | (packed & 0xf));
    const std::uint32_t words = ((packed >> 20) << 4 | (packed >> 4 & 0xf)) + 1 + least_words(written);
    const bool is_compact = written == kShuffleCompact && words <= kMostCompact;
    const std::uint32_t opcode = written == kShuffleCompact ? op(spirv::Opcode::vector_shuffle) : written;
    if (from.ended()) return false;
    if (words > kMostWordsOfOne || spirv::find_opcode(opcode) == nullptr) return false;
    const SmolvRow row =
        opcode < known_ops_ ? *std::find_if(
                                  std::begin(kSmolvRows), std::end(kSmolvRows), [&](const SmolvRow& known) { return opcode <= known.last; })
                            : SmolvRow{};
    if (opcode == op(spirv::Opcode::member_decorate)) return members(from, words);
    put(words << 16 | opcode);
    std::uint32_t at = 1;
    if (row.has_type != 0) put((++at, from.varint()));
    if (row.has_result != 0) put((++at, previous_ += from_zigzag(from.varint())));
    if (opcode == op(spirv::Opcode::decorate)) put((++at, decorated_ += from_zigzag(from.varint())));
    if (at > words) return false;
    for (unsigned i = 0; i < row.distances && at < words; ++i, ++at) put(previous_ - from_zigzag(from.varint()));
    if (is_compact) {
      const std::uint32_t components = from.byte();
      for (unsigned shift = 6; at < words; ++at, shift -= 2) put(components >> shift & 3);
      return at <= kMostCompact && words >= kShuffleHead;
    }
    for (; at < words && !from.ended(); ++at) put(row.is_varint != 0 ? from.varint() : from.word());
    return true;
  }

  /// Decorations of members of one type, one after the other.
  bool members(Numbers& from, std::uint32_t first_words) {
    decorated_ += from_zigzag(from.varint());
    const std::uint32_t count = from.byte();
    std::uint32_t index = 0;
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      index += from.varint();
      const std::uint32_t decoration = from.varint();
      const auto known = decoration_operands(decoration);
      const std::uint32_t operands = known ? *known : from.varint();
      if (from.ended() || operands > kMostWordsOfOne - 4 || (i == 0 && first_words != operands + 4)) return false;
      put((operands + 4) << 16 | op(spirv::Opcode::member_decorate));
      put(decorated_);
      put(index);
      put(decoration);
      for (std::uint32_t j = 0; j < operands && !from.ended(); ++j) put(decoration == kOffset ? offset += from.varint() : from.varint());
      if (made_.size() > kMostModule) return false;
    }
    return count != 0;
  }

  struct State {
    std::uint32_t previous;
    std::uint32_t decorated;
    std::size_t made;
  };

  std::vector<std::byte> held_;  // the beginning of an instruction
  std::vector<std::byte> made_;
  std::size_t sent_ = 0;  // of made_
  bool is_begun_ = false;
  std::uint32_t known_ops_ = 0;
  std::uint32_t left_ = 0;       // bytes of the module
  std::uint32_t previous_ = 0;   // result
  std::uint32_t decorated_ = 0;  // id
};

}  // namespace

bool begins_smolv(View from) {
  if (from.u32(0) != kSmolvMagic || from.size() < kSmolvHead) return false;
  const std::uint32_t version = *from.u32(4);
  const std::uint32_t spirv_version = version & 0xff'ffff;
  const std::uint32_t size = *from.u32(20);
  return version >> 24 <= kLastSmolv && spirv_version >= kFirstSpirv && spirv_version <= kLastSpirv && (spirv_version & 0xff) == 0 &&
         size % 4 == 0 && size > 4 * spirv::kHeaderWords && size <= kMostModule;
}

std::unique_ptr<Decoder> make_smolv_decoder() { return std::make_unique<SmolvDecoder>(); }

}  // namespace unshade::unpack
