// Blocks and records in the field tree, whose unit is the byte: a record has those bytes whose first bits are its own.
#include <algorithm>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxil/bitstream.hpp>

#include "dxil/bitcode/records.hpp"

namespace unshade::dxil::bitcode {

namespace {

// A leaf's context: how many bits before its first byte it begins, and what can be said of it in few bits; the largest number of each
// stands for all above.
constexpr Bits kBefore{"before", 0, 3};
constexpr Bits kAbbreviation{"abbreviation", 3, 6};
constexpr Bits kLength{"length", 9, 13};
constexpr Bits kOperands{"operands", 22, 10};

std::uint32_t most(Bits bits) { return (1U << bits.count) - 1; }
std::uint32_t clamped(Bits bits, std::uint64_t value) { return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, most(bits))); }

void print_number(Text& out, Bits bits, std::uint32_t context, std::string_view unit) {
  const std::uint32_t value = bits.get(context);
  if (value == most(bits) && bits.count > 3) out << "at least ";
  out.dec(value) << ' ' << unit << (value == 1 ? "" : "s");
}

void print_bits(Text& out, std::uint32_t context) {
  print_number(out, kLength, context, "bit");
  if (kBefore.get(context) != 0) {
    out << " from ";
    print_number(out, kBefore, context, "bit");
    out << " before";
  }
}

void print_operands(Text& out, std::uint32_t context) {
  print_number(out, kOperands, context, "operand");
  out << ", ";
}

void print_edge(Text& out, View, std::uint32_t context) { print_bits(out, context); }
void print_definition(Text& out, View, std::uint32_t context) {
  print_operands(out, context);
  print_bits(out, context);
}
void print_record(Text& out, View, std::uint32_t context) {
  print_operands(out, context);
  if (kAbbreviation.get(context) == abbreviation::kUnabbreviated) {
    out << "unabbreviated, ";
  } else {
    (out << "abbreviation ").dec(kAbbreviation.get(context)) << ", ";
  }
  print_bits(out, context);
}

constexpr FieldType kBlockEdge{FieldKind::custom, "block edge", nullptr, {}, print_edge};
constexpr FieldType kDefinition{FieldKind::custom, "definition", nullptr, {}, print_definition};
constexpr FieldType kRecord{FieldKind::custom, "record", nullptr, {}, print_record};

class Recorder {
 public:
  Recorder(Tree& tree, std::uint32_t group, View stream) : tree_(tree), group_(group), stream_(stream) {}

  void bytes(const char* name, const FieldType& type, View bytes) {
    if (!bytes.empty()) add(name, type, bytes.file_offset(), bytes.size(), kNoIndex, 0);
  }
  void open(const char* name, std::uint64_t bit, std::uint32_t index) {
    above_.push_back(group_);
    group_ = tree_.add({name, &kGroup, group_, offset(first_byte(bit)), 0, index, 0});
  }
  void close(std::uint64_t bit) {
    Field& field = tree_.at(group_);
    const std::uint32_t end = offset(first_byte(bit));
    field.size = end > field.offset ? end - field.offset : 0;
    group_ = above_.back();
    above_.pop_back();
  }
  void item(const char* name, const FieldType& type, const BitstreamCursor& cursor, std::uint32_t index, std::uint64_t operands) {
    const std::uint64_t begin = first_byte(cursor.begin_bit());
    const std::uint64_t end = first_byte(cursor.end_bit());
    std::uint32_t context = kBefore.put(0, static_cast<std::uint32_t>(begin * 8 - cursor.begin_bit()));
    context = kAbbreviation.put(context, clamped(kAbbreviation, cursor.abbreviation()));
    context = kLength.put(context, clamped(kLength, cursor.end_bit() - cursor.begin_bit()));
    context = kOperands.put(context, clamped(kOperands, operands));
    add(name, type, stream_.file_offset() + begin, end - begin, index, context);
  }

 private:
  static std::uint64_t first_byte(std::uint64_t bit) { return divide_up(bit, 8); }
  std::uint32_t offset(std::uint64_t byte) const { return static_cast<std::uint32_t>(stream_.file_offset() + byte); }
  void add(const char* name, const FieldType& type, std::uint64_t offset, std::uint64_t size, std::uint32_t index, std::uint32_t context) {
    tree_.add({name, &type, group_, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size), index, context});
  }

  Tree& tree_;
  std::uint32_t group_;
  View stream_;
  std::vector<std::uint32_t> above_;
};

void record_wrapper(View before, Recorder& recorder) {
  // src: LLVM, BitCodeFormat.rst, "Bitcode Wrapper Format"
  constexpr const char* kFields[] = {"magic", "version", "offset", "size", "cpu_type"};
  std::size_t at = 0;
  for (const char* name : kFields) {
    recorder.bytes(name, at == 0 || at == 16 ? kHex : kUnsigned, before.clamped(at, 4));
    at += 4;
  }
  recorder.bytes("rest", kUnknown, before.clamped(at, before.size()));
}

}  // namespace

}  // namespace unshade::dxil::bitcode

namespace unshade::dxil {

void record_bitcode(View file, Tree& tree, std::uint32_t group) {
  using Event = BitstreamCursor::Event;
  const auto extent = find_bitcode(file);
  if (!extent) return tree.fail(extent.error());
  bitcode::Recorder recorder(tree, group, extent->stream);
  if (!extent->before.empty()) bitcode::record_wrapper(extent->before, recorder);
  recorder.bytes("magic", kHex, extent->stream.clamped(0, 4));
  BitstreamCursor cursor(extent->stream);
  std::vector<std::uint32_t> counts{0};  // of records and blocks in each open block
  for (;;) {
    switch (cursor.next(true)) {
      case Event::enter_block: {
        const char* const name = bitcode::block_text(cursor.block());
        recorder.open(name == nullptr ? "block" : name, cursor.begin_bit(), counts.back()++);
        recorder.item("enter", bitcode::kBlockEdge, cursor, kNoIndex, 0);
        counts.push_back(0);
        break;
      }
      case Event::end_block:
        recorder.item("end", bitcode::kBlockEdge, cursor, kNoIndex, 0);
        recorder.close(cursor.end_bit());
        counts.pop_back();
        break;
      case Event::definition:
        recorder.item("define_abbreviation", bitcode::kDefinition, cursor, kNoIndex, cursor.definition().size());
        break;
      case Event::record: {
        const char* const name = bitcode::record_text(cursor.block(), cursor.code());
        recorder.item(name == nullptr ? "record" : name, bitcode::kRecord, cursor, counts.back()++, cursor.operands().size());
        break;
      }
      case Event::end:
        recorder.bytes("padding", kPadding,
                       extent->stream.clamped(static_cast<std::size_t>(cursor.begin_bit() / 8), extent->stream.size()));
        recorder.bytes("behind", kUnknown, extent->behind);
        return;
      case Event::error: return tree.fail(cursor.error());
    }
  }
}

}  // namespace unshade::dxil
