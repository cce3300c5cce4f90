// Blocks and records as text. The layout is that of llvm-bcanalyzer --dump.
#include <string>

#include <unshade/dxil/bitstream.hpp>

#include "dxil/bitcode/records.hpp"

namespace unshade::dxil::bitcode {

namespace {

bool printable(std::uint64_t c) { return (c & 0xff) >= 0x20 && (c & 0xff) < 0x7f; }

void print_block(Text& out, std::uint32_t block) {
  if (const char* const text = block_text(block)) {
    out << text;
  } else {
    (out << "UnknownBlock").dec(block);
  }
}

// The elements of an array are also shown as text if they can be; the tool takes an array's place in the abbreviation for one in the
// record.
void print_array(const BitstreamCursor& cursor, Text& out) {
  const auto definition = cursor.definition();
  const auto operands = cursor.operands();
  std::size_t array = 1;
  while (array < definition.size() && definition[array].encoding != Encoding::array) ++array;
  if (array >= definition.size()) return;
  for (std::size_t i = array - 1; i < operands.size(); ++i)
    if (!printable(operands[i])) return;
  out << " record string = '";
  char* to = out.grow(operands.size());
  for (std::size_t i = array - 1; i < operands.size(); ++i) *to++ = static_cast<char>(operands[i]);
  out.commit(to);
  out << '\'';
}

void list_record(const BitstreamCursor& cursor, Text& out) {
  out.repeat(' ', 2 * cursor.depth()) << '<';
  if (const char* const text = listed_record_text(cursor.block(), cursor.code())) {
    out << text;
  } else {
    (out << "UnknownCode").dec(cursor.code());
  }
  if (cursor.abbreviation() != abbreviation::kUnabbreviated) (out << " abbrevid=").dec(cursor.abbreviation());
  std::uint64_t index = 0;
  for (const std::uint64_t operand : cursor.operands()) {
    (out << " op").dec(index++);
    (out << '=').dec_signed(static_cast<std::int64_t>(operand));
  }
  out << "/>";
  print_array(cursor, out);
  if (cursor.has_blob()) {
    out << " blob data = ";
    bool text = true;
    for (const char c : cursor.blob().text()) text = text && printable(static_cast<unsigned char>(c));
    if (text) {
      out << '\'' << cursor.blob().text() << '\'';
    } else {
      (out << "unprintable, ").dec(cursor.blob().size()) << " bytes.";
    }
  }
  out << '\n';
}

}  // namespace

}  // namespace unshade::dxil::bitcode

namespace unshade::dxil {

Result<void> list_bitcode(View file, Text& out) {
  using Event = BitstreamCursor::Event;
  const auto extent = find_bitcode(file);
  if (!extent) return extent.error();
  BitstreamCursor cursor(extent->stream);
  std::vector<std::uint32_t> blocks;
  for (;;) {
    switch (cursor.next()) {
      case Event::enter_block:
        blocks.push_back(cursor.block());
        // Of the info block, which the tool interprets rather than lists, only the name.
        if (cursor.block() == kBlockInfo) {
          out.repeat(' ', 2 * (cursor.depth() - 1)) << "<BLOCKINFO_BLOCK/>\n";
          break;
        }
        out.repeat(' ', 2 * (cursor.depth() - 1)) << '<';
        bitcode::print_block(out, cursor.block());
        (out << " NumWords=").dec(cursor.length_words());
        (out << " BlockCodeSize=").dec(cursor.width()) << ">\n";
        break;
      case Event::end_block:
        if (blocks.back() != kBlockInfo) {
          out.repeat(' ', 2 * cursor.depth()) << "</";
          bitcode::print_block(out, blocks.back());
          out << ">\n";
        }
        blocks.pop_back();
        break;
      case Event::record:
        if (cursor.block() != kBlockInfo) bitcode::list_record(cursor, out);
        break;
      case Event::end: return {};
      default: return cursor.error();
    }
  }
}

}  // namespace unshade::dxil
