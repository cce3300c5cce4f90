// Debug parts and the MSF files they are written in, from bytes made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/stream_words.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxcontainer/msf.hpp>

#include "dxbc/debug/codeview.hpp"
#include "dxbc/debug/codeview_hash.hpp"
#include "dxbc/debug/spdb_document.hpp"

namespace unshade::dxbc {
namespace {

using dxcontainer::fourcc;
using dxcontainer::parse_msf;
using dxcontainer::Part;

constexpr std::uint32_t kBlock = 512;

/// Bytes that grow by little-endian integers.
class Bytes {
 public:
  Bytes& u8(std::uint64_t value) { return put(value, 1); }
  Bytes& u16(std::uint64_t value) { return put(value, 2); }
  Bytes& u32(std::uint64_t value) { return put(value, 4); }
  Bytes& zeros(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  Bytes& chars(std::string_view text) {
    for (const char c : text) u8(static_cast<unsigned char>(c));
    return *this;
  }
  Bytes& text(std::string_view text) { return chars(text).u8(0); }
  Bytes& align(std::size_t to) { return zeros((to - bytes_.size() % to) % to); }
  Bytes& append(const Bytes& other) {
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    return *this;
  }
  /// A record: u16 length, u16 kind, content, padding to a multiple of 4.
  Bytes& record(std::uint32_t kind, Bytes content) {
    while ((content.size() + 4) % 4 != 0) content.u8(0);
    return u16(content.size() + 2).u16(kind).append(content);
  }
  void set32(std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes_[at + i] = static_cast<std::byte>(value >> (8 * i));
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
  const std::vector<std::byte>& raw() const { return bytes_; }
  std::vector<std::byte>& raw() { return bytes_; }

 private:
  Bytes& put(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
    return *this;
  }
  std::vector<std::byte> bytes_;
};

/// An MSF file: block 0 the superblock, 1 and 2 the free block maps, then the streams. With `scattered`, the blocks of all streams lie in
/// reverse order.
Bytes msf(const std::vector<Bytes>& streams, bool scattered = false) {
  std::vector<std::vector<std::uint32_t>> blocks;
  std::uint32_t next = 3;
  for (const Bytes& stream : streams) {
    auto& list = blocks.emplace_back();
    for (std::uint32_t i = 0; i < (stream.size() + kBlock - 1) / kBlock; ++i) list.push_back(next++);
  }
  if (scattered)
    for (auto& list : blocks)
      for (auto& block : list) block = next + 2 - block;
  Bytes directory;
  directory.u32(streams.size());
  for (const Bytes& stream : streams) directory.u32(stream.size());
  for (const auto& list : blocks)
    for (const auto block : list) directory.u32(block);
  const std::uint32_t directory_block = next;
  const std::uint32_t directory_blocks = (directory.size() + kBlock - 1) / kBlock;
  const std::uint32_t map_block = directory_block + directory_blocks;

  std::vector<std::byte> file(std::size_t{map_block + 1} * kBlock);
  const auto place = [&](const Bytes& bytes, std::size_t from, std::uint32_t block) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - from, kBlock);
    std::copy_n(bytes.raw().begin() + static_cast<std::ptrdiff_t>(from), count,
                file.begin() + static_cast<std::ptrdiff_t>(std::size_t{block} * kBlock));
  };
  Bytes superblock;
  superblock.chars(dxcontainer::kMsfMagic).u32(kBlock).u32(1).u32(map_block + 1).u32(directory.size()).u32(0).u32(map_block);
  place(superblock, 0, 0);
  Bytes map;
  for (std::uint32_t i = 0; i < directory_blocks; ++i) {
    map.u32(directory_block + i);
    place(directory, std::size_t{i} * kBlock, directory_block + i);
  }
  place(map, 0, map_block);
  for (std::size_t s = 0; s < streams.size(); ++s)
    for (std::size_t i = 0; i < blocks[s].size(); ++i) place(streams[s], i * kBlock, blocks[s][i]);
  Bytes result;
  result.raw() = std::move(file);
  return result;
}

Part part_of(const Bytes& bytes, const char (&name)[5] = "SPDB") {
  Part part;
  part.fourcc = fourcc(name);
  part.data = View(bytes.raw());
  return part;
}

// --- a small program database ----------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kFloat = 0x40;
constexpr std::uint32_t kFloat4 = 0x1000;
constexpr std::uint32_t kFields = 0x1001;
constexpr std::uint32_t kStruct = 0x1002;
constexpr std::uint32_t kMatrix = 0x1003;
constexpr std::uint32_t kArray = 0x1004;
constexpr std::uint32_t kConst = 0x1005;
constexpr std::uint32_t kFunction = 0x1000;

Bytes type_stream(const Bytes& records, std::uint32_t count) {
  Bytes b;
  b.u32(20040203).u32(56).u32(0x1000).u32(0x1000 + count).u32(records.size()).u16(0xffff).u16(0xffff).u32(4).u32(32771);
  b.zeros(24);
  return b.append(records);
}

Bytes types() {
  Bytes r;
  r.record(0x151b, Bytes().u32(kFloat).u32(4).u16(16).text("float4"));
  Bytes fields;
  fields.u16(0x150d).u16(3).u32(kFloat4).u16(0).text("pos").u8(0xf2).u8(0xf1);
  fields.u16(0x150d).u16(3).u32(kFloat).u16(16).text("fog").u8(0xf2).u8(0xf1);
  r.record(0x1203, fields);
  r.record(0x1505, Bytes().u16(2).u16(0).u32(kFields).u32(0).u32(0).u16(20).text("Input"));
  r.record(0x151c, Bytes().u32(kFloat).u32(3).u32(4).u32(16).u8(0).u16(64).text("float3x4"));
  r.record(0x1516, Bytes().u32(kStruct).u32(0x22).u32(32).u16(64).text(""));
  r.record(0x1518, Bytes().u32(kArray).u16(1).u16(1));
  return type_stream(r, 6);
}

Bytes ids() {
  Bytes r;
  r.record(0x1601, Bytes().u32(0).u32(0x1009).text("helper"));
  return type_stream(r, 1);
}

struct Where {
  std::uint32_t file;  // register file
  std::uint32_t register_bytes;
  std::uint32_t from;
  std::uint32_t size;
};

Bytes defrange(Where at, std::uint32_t offset_in_variable, const Bytes& gaps = {}) {
  return Bytes().u16(at.file).u16(5).u16(offset_in_variable).u16(4).u32(at.from).u16(1).u16(at.size).append(gaps).u32(at.register_bytes);
}

Bytes local(std::uint32_t type, std::uint32_t flags, std::string_view name) { return Bytes().u32(type).u16(flags).text(name); }

/// The program: instructions of 0x10 bytes from 0x20 on; the one at 0x40 and the one at 0x50 come from helper(), inlined.
struct Database {
  Bytes symbols;
  Bytes lines;

  Database() {
    symbols.u32(4);
    Bytes compile;
    compile.u32(0x110).u16(0x100);
    for (unsigned i = 0; i < 8; ++i) compile.u16(i);
    symbols.record(0x113c, compile.text("Compiler 6.3"));
    symbols.record(0x113d,
                   Bytes().u8(1).text("hlslFlags").text("0x5").text("hlslTarget").text("ps_5_0").text("hlslEntry").text("main").u8(0));
    symbols.record(0x1110, Bytes().u32(0).u32(0).u32(0).u32(0x60).u32(0).u32(0x60).u32(0x1009).u32(0x20).u16(1).u8(0xa0).text("main"));
    symbols.record(0x113e, local(kStruct, 9, "vin"));
    symbols.record(0x1150, defrange({1, 0, 0x20, 0x60}, 0));
    symbols.record(0x1150, defrange({1, 4, 0x20, 0x60}, 4));
    symbols.record(0x1150, defrange({1, 16, 0x20, 0x60}, 16));
    symbols.record(0x113e, local(kConst, 8, "m"));
    symbols.record(0x1150, defrange({0, 20, 0x30, 0x40}, 32 + 4, Bytes().u16(0x10).u16(0x10)));  // gone from 0x40 to 0x50
    symbols.record(0x114d, Bytes()
                               .u32(0)
                               .u32(0)
                               .u32(kFunction)
                               .u8(7)
                               .u8(0)
                               .u8(9)
                               .u8(5)
                               .u8(6)
                               .u8(4)  // line delta, column, +2 lines
                               .u8(3)
                               .u8(0x20)
                               .u8(4)
                               .u8(0x20));  // at 0x40, for 0x20 bytes
    symbols.record(0x113e, local(kFloat, 0, "parameter"));
    symbols.record(0x1150, defrange({0, 0, 0x40, 0x10}, 0));  // begins with the call, so nothing inside it wrote it
    symbols.record(0x113e, local(kMatrix, 0, "matrix"));
    symbols.record(0x1150, defrange({0, 12, 0x50, 0x10}, 16 + 8));
    symbols.record(0x114e, {});
    symbols.record(0x0006, {});

    Bytes files;
    files.u32(1).u8(4).u8(1).u32(0x11223344).align(4);
    files.u32(11).u8(0).u8(0).align(4);
    lines.u32(0xf4).u32(files.size()).append(files);
    Bytes table;
    table.u32(0).u16(1).u16(1).u32(0x80);
    Bytes block;
    const std::pair<std::uint32_t, std::uint32_t> rows[] = {{0x20, 10}, {0x30, 12}, {0x40, 15}, {0x50, 15}, {0x60, 15}, {0x70, 18}};
    for (const auto& [offset, line] : rows) block.u32(offset).u32(line | 0x80000000U).u32(offset).u32(line + 1);
    for (int i = 0; i < 12; ++i) block.u16(3).u16(20);
    table.u32(0).u32(12).u32(12 + block.size()).append(block);
    lines.u32(0xf2).u32(table.size()).append(table);
    Bytes inlinees;
    inlinees.u32(0).u32(kFunction).u32(12).u32(100);
    lines.u32(0xf6).u32(inlinees.size()).append(inlinees);
  }

  std::vector<Bytes> streams() const {
    Bytes information;
    const std::string_view names{"/names\0/src/files/c:\\a.hlsl", 28};
    information.u32(20000404).u32(0).u32(1).zeros(16).u32(names.size()).chars(names);
    information.u32(2).u32(4).u32(1).u32(3).u32(0).u32(0).u32(5).u32(7).u32(7).u32(0).u32(20091201);
    Bytes interface;
    interface.u32(0xffffffff).u32(19990903).u32(1);
    for (int i = 0; i < 6; ++i) interface.u16(0xffff);
    const std::uint32_t module_bytes = 64 + 5 + 5 + 2;
    interface.u32(module_bytes).zeros(4 * 7).u16(0).u16(0).u32(0);
    interface.u32(0).zeros(28).u16(0).u16(6).u32(symbols.size()).u32(0).u32(lines.size()).u16(2).u16(0).zeros(12);
    interface.text("main").text("none").align(4);
    Bytes table;
    const std::string_view strings{"\0C:\\a.hlsl\0b.hlsli", 18};
    // "C:\\a.hlsl" lies at 1, "b.hlsli" at 11
    table.u32(0xeffeeffe).u32(1).u32(strings.size() + 1).chars(strings).u8(0).u32(0).u32(2);
    Bytes module = symbols;
    module.append(lines).u32(0);
    Bytes source;
    source.chars("// a\n");
    while (source.size() < 1200) source.chars("float x; ");
    return {Bytes{}, information, types(), interface, ids(), table, module, source};
  }
};

std::string listing(const DebugInfo& info, std::uint32_t from = 0x20, std::uint32_t to = 0x80) {
  DebugCursor cursor(info);
  Text out;
  for (std::uint32_t at = from; at < to; at += 0x10) {
    cursor.before(out, at);
    (out << "at ").hex(at);
    cursor.after(out, at, 0x10);
    out << '\n';
  }
  return out.str();
}

// --- MSF -------------------------------------------------------------------------------------------------------------------------------

TEST(Msf, GivesStreamsBack) {
  Bytes small;
  small.chars("hello");
  Bytes large;
  for (unsigned i = 0; i < 400; ++i) large.u32(i);
  for (const bool scattered : {false, true}) {
    const Bytes file = msf({small, Bytes{}, large}, scattered);
    const auto read = parse_msf(View(file.raw()));
    ASSERT_TRUE(read) << to_string(read.error());
    ASSERT_EQ(read->streams.size(), 3U);
    EXPECT_EQ(read->bytes(0).view().text(), "hello");
    EXPECT_TRUE(read->bytes(1).view().empty());
    EXPECT_TRUE(read->bytes(9).view().empty());
    const auto bytes = read->bytes(2);
    ASSERT_EQ(bytes.view().size(), 1600U);
    EXPECT_EQ(bytes.view().u32(1400), 350U);
    // Only what lies in pieces is copied.
    const bool borrowed = bytes.view().data() >= file.raw().data() && bytes.view().data() < file.raw().data() + file.size();
    EXPECT_EQ(borrowed, !scattered);
    EXPECT_EQ(View(file.raw()).u32(static_cast<std::size_t>(read->file_offset(read->streams[2], 1400))), 350U);
  }
}

TEST(Msf, RefusesWhatItCannotTrust) {
  const Bytes good = msf({Bytes().chars("one"), Bytes().chars("two")});
  const auto code = [&](std::size_t at, std::uint32_t value) {
    Bytes bad = good;
    bad.set32(at, value);
    const auto read = parse_msf(View(bad.raw()));
    return read ? std::pair<ErrorCode, std::string>{ErrorCode::missing, "read"}
                : std::pair<ErrorCode, std::string>{read.error().code, read.error().path};
  };
  using P = std::pair<ErrorCode, std::string>;
  EXPECT_EQ(code(0, 0), P(ErrorCode::bad_magic, "superblock/magic"));
  EXPECT_EQ(code(32, 500), P(ErrorCode::bad_value, "superblock/block_bytes"));
  EXPECT_EQ(code(32, 0), P(ErrorCode::bad_value, "superblock/block_bytes"));
  EXPECT_EQ(code(44, 0x7fffffff).first, ErrorCode::truncated);
  EXPECT_EQ(code(44, 0x8000), P(ErrorCode::out_of_range, "superblock/directory_bytes"));
  EXPECT_EQ(code(52, 1000), P(ErrorCode::out_of_range, "superblock/directory_map_blocks"));
  EXPECT_EQ(code(52, 0), P(ErrorCode::overlap, "superblock/directory_map_blocks"));
  // directory in block 5: count, two sizes, blocks 3 and 4
  EXPECT_EQ(code(5 * kBlock, 0xffff), P(ErrorCode::truncated, "directory/stream_sizes"));
  EXPECT_EQ(code(5 * kBlock + 4, 0x10000), P(ErrorCode::truncated, "directory/stream_blocks"));
  EXPECT_EQ(code(5 * kBlock + 16, 3), P(ErrorCode::overlap, "directory/stream_blocks"));
  EXPECT_EQ(code(5 * kBlock + 4, 0xffffffff).second, "read") << "a deleted stream has no blocks";
}

TEST(Msf, ErrorsAreLocatedInTheFile) {
  Bytes bad = msf({Bytes().chars("one"), Bytes().chars("two")});
  bad.set32(5 * kBlock + 16, 77);
  const auto read = parse_msf(View(bad.raw(), 1000));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().offset, 1000U + 5 * kBlock + 16);
}

// --- SPDB ------------------------------------------------------------------------------------------------------------------------------

TEST(Spdb, ReadsWhatTheCompilerSays) {
  const Bytes file = msf(Database().streams(), true);
  const auto info = parse_debug_info(part_of(file));
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->compiler, "Compiler 6.3");
  EXPECT_EQ(info->entry_point, "main");
  EXPECT_EQ(info->target, "ps_5_0");
  EXPECT_EQ(info->flags, "0x5");
  ASSERT_GE(info->files.size(), 2U);
  EXPECT_EQ(info->files[0].name, "C:\\a.hlsl");
  ASSERT_TRUE(info->files[0].has_text) << "names match without regard to case";
  EXPECT_TRUE(info->files[0].text.starts_with("// a\nfloat x; "));
  EXPECT_EQ(info->files[0].text.size(), 1202U);
  EXPECT_FALSE(info->files[1].has_text);
  ASSERT_EQ(info->scopes.size(), 2U);
  EXPECT_EQ(info->scopes[1].function, "helper");
  const auto lines = parse_debug_info(part_of(file), DebugDetail::lines);
  ASSERT_TRUE(lines);
  EXPECT_FALSE(lines->files[0].has_text);
  EXPECT_EQ(listing(*lines), listing(*info));
}

TEST(Spdb, InlinedCallsTakeTheirOwnLines) {
  const Bytes file = msf(Database().streams());
  const auto info = parse_debug_info(part_of(file));
  ASSERT_TRUE(info) << to_string(info.error());
  ASSERT_EQ(info->lines.size(), 6U);
  EXPECT_EQ(info->lines[1].line, 12U);
  EXPECT_EQ(info->lines[1].file, 0U);
  EXPECT_EQ(info->lines[1].column, 3U);
  EXPECT_EQ(info->lines[2].line, 102U);
  EXPECT_EQ(info->lines[2].file, 1U);
  EXPECT_EQ(info->lines[2].column, 5U);
  EXPECT_EQ(info->lines[3].line, 102U);
  EXPECT_EQ(info->lines[4].line, 15U);
}

TEST(Spdb, ListsAsFxcDoes) {
  const Bytes file = msf(Database().streams());
  const auto info = parse_debug_info(part_of(file));
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(listing(*info),
            "//\n"
            "// Initial variable locations:\n"
            "//   v0.x <- vin.pos.x; v0.y <- vin.pos.y; \n"
            "//   v1.x <- vin.fog\n"
            "//\n"
            "#line 10 \"C:\\a.hlsl\"\n"
            "at 20  // r1.y <- m[1].pos.y\n"
            "at 30\n"  // line 12: too near to say so; the parameter that becomes good here belongs to a call not yet entered
            "\n"
            "#line 102 \"b.hlsli\"\n"
            "at 40  // r1.y <- m[1].pos.y; r0.w <- matrix._m21\n"  // m is back from its gap
            "at 50\n"
            "\n"
            "#line 15 \"C:\\a.hlsl\"\n"
            "at 60\n"
            "\n"
            "#line 18\n"
            "at 70\n");
}

TEST(Spdb, EveryByteHasAName) {
  for (const bool scattered : {false, true}) {
    const Bytes file = msf(Database().streams(), scattered);
    Tree tree{View(file.raw())};
    const auto group = tree.add({"SPDB", &kGroup, 0, 0, file.size(), kNoIndex, 0});
    record_debug_info(part_of(file), tree, group);
    for (const Error& error : tree.errors()) ADD_FAILURE() << to_string(error);
    std::uint64_t at = 0;
    for (const auto leaf : tree.leaves()) {
      EXPECT_EQ(tree.fields()[leaf].offset, at) << "before " << tree.path(leaf);
      at = std::uint64_t{tree.fields()[leaf].offset} + tree.fields()[leaf].size;
    }
    EXPECT_EQ(at, file.size());
    EXPECT_EQ(tree.coverage().unknown, 0U);
  }
}

TEST(Spdb, KeepsUnknownRecords) {
  Database database;
  database.symbols.record(0x7777, Bytes().u32(1).u32(2));
  const Bytes file = msf(database.streams());
  ASSERT_TRUE(parse_debug_info(part_of(file)));
  Tree tree{View(file.raw())};
  const auto group = tree.add({"SPDB", &kGroup, 0, 0, file.size(), kNoIndex, 0});
  record_debug_info(part_of(file), tree, group);
  EXPECT_TRUE(tree.errors().empty());
  EXPECT_EQ(tree.coverage().unknown, 8U);
}

TEST(Spdb, RecordsStayWithinTheirLength) {
  Database database;
  database.symbols.u16(6).u16(0x113e).u32(kFloat).u16(0).chars("no zero within the record").u8(0);
  const Bytes file = msf(database.streams());
  const auto info = parse_debug_info(part_of(file));
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::overlap);
  EXPECT_EQ(info.error().path, "SPDB/module/symbols[16]");
}

TEST(Spdb, TypesThatContainThemselvesEnd) {
  Database database;
  auto streams = database.streams();
  Bytes r;
  r.record(0x1518, Bytes().u32(0x1000).u16(0));
  Bytes fields;
  fields.u16(0x150d).u16(3).u32(0x1002).u16(0).text("s");
  r.record(0x1203, fields);
  r.record(0x1505, Bytes().u16(1).u16(0).u32(0x1001).u32(0).u32(0).u16(16).text("S"));
  streams[2] = type_stream(r, 3);
  const Bytes file = msf(streams);
  const auto info = parse_debug_info(part_of(file));
  ASSERT_TRUE(info) << to_string(info.error());
  const std::string text = listing(*info);
  EXPECT_NE(text.find("v0.x <- vin.s.s.s"), std::string::npos);
  EXPECT_LT(text.size(), 4000U);
}

TEST(Spdb, EveryTruncationIsAnErrorOrWhole) {
  const Bytes file = msf(Database().streams(), true);
  for (std::size_t size = 0; size < file.size(); size += 7) {
    Part part = part_of(file);
    part.data = part.data.clamped(0, size);
    const auto info = parse_debug_info(part);
    if (!info) {
      EXPECT_TRUE(info.error().path.starts_with("SPDB")) << size;
    }
    Tree tree(part.data);
    const auto group = tree.add({"SPDB", &kGroup, 0, 0, 0, kNoIndex, 0});
    record_debug_info(part, tree, group);
    EXPECT_FALSE(tree.errors().empty() && size < kBlock) << size;
  }
}

// --- SPDB as a document ----------------------------------------------------------------------------------------------------------------

dxcontainer::PartContext context_for(const Bytes& file) {
  dxcontainer::PartContext context;
  context.fourcc = fourcc("SPDB");
  context.most = 4 * file.size();
  return context;
}

Value document_of(const Bytes& file) {
  auto made = debug::spdb_to_value(part_of(file), context_for(file), Places::left_to_the_writer);
  EXPECT_TRUE(made);
  return made ? *std::move(made) : Value();
}

/// The member at a path of keys and numbers; the test fails where there is none.
Value& at(Value& value, std::initializer_list<const char*> path) {
  Value* found = &value;
  for (const char* const step : path) {
    Value* next = nullptr;
    if (Value::List* const list = found->as_list()) {
      const auto index = static_cast<std::size_t>(std::stoul(step));
      if (index < list->size()) next = &(*list)[index];
    } else if (Value::Map* const map = found->as_map()) {
      for (Value::Member& member : *map)
        if (member.key == step) next = &member.value;
    }
    if (next == nullptr) {
      ADD_FAILURE() << "no " << step;
      return value;
    }
    found = next;
  }
  return *found;
}

void erase(Value& map, std::string_view key) {
  std::erase_if(*map.as_map(), [&](const Value::Member& member) { return member.key == key; });
}

/// Erases all members of a name.
void erase_all(Value& value, std::string_view key) {
  if (Value::Map* const map = value.as_map()) {
    erase(value, key);
    for (Value::Member& member : *map) erase_all(member.value, key);
  } else if (Value::List* const list = value.as_list()) {
    for (Value& element : *list) erase_all(element, key);
  }
}

/// The offsets of the hand-made database stand in its document, as the makers would put others there. Without them they follow.
Value derived_document() {
  Value document = document_of(msf(Database().streams()));
  for (const char* const key : {"parent", "end", "padding"}) erase_all(document, key);
  return document;
}

TEST(SpdbDocument, GivesStreamsBack) {
  Database database;
  database.symbols.record(0x7777, Bytes().u32(1).u32(2));
  const Bytes file = msf(database.streams());
  Value document = document_of(file);
  EXPECT_EQ(*at(document, {"streams", "2", "types", "types", "2", "name"}).as_text(), "Input");
  EXPECT_EQ(*at(document, {"streams", "6", "module", "symbols", "9", "annotations"}).as_text(),
            "line_delta=0 column=5 advance_line=2 advance_code=32 code_length=32");
  EXPECT_EQ(at(document, {"streams", "6", "module", "symbols", "16", "unknown"}).as_bytes()->size(), 8U);
  Value without_padding = document;
  erase_all(without_padding, "padding");
  EXPECT_EQ(count_bytes(without_padding), 16U + 4U + 8U) << "GUID, checksum, the unknown record";
  const auto built = debug::spdb_from_value(context_for(file), document);
  ASSERT_TRUE(built) << to_string(built.error());
  const auto streams = database.streams();
  const auto read = parse_msf(View(*built));
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->streams.size(), streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) EXPECT_TRUE(std::ranges::equal(read->bytes(i).view().bytes(), streams[i].raw())) << i;
}

TEST(SpdbDocument, ScopesSizesAndBlocksFollow) {
  Value document = derived_document();
  const std::string name(2 * kBlock, 'n');
  at(document, {"streams", "6", "module", "symbols", "3", "name"}) = Value::text(name);
  const auto built = debug::spdb_from_value(context_for(msf(Database().streams())), document);
  ASSERT_TRUE(built) << to_string(built.error());
  Part part;
  part.fourcc = fourcc("SPDB");
  part.data = View(*built);
  const auto info = parse_debug_info(part);
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->variables.at(0).name, name);
  EXPECT_EQ(info->lines.size(), 6U) << "the lines stand behind the symbols, at the place that their size says";
  // read back, nothing differs from what the makers put there
  auto again = debug::spdb_to_value(part, context_for(msf(Database().streams())), Places::left_to_the_writer);
  ASSERT_TRUE(again);
  for (const Value& symbol : *at(*again, {"streams", "6", "module", "symbols"}).as_list()) {
    EXPECT_EQ(symbol.find("end"), nullptr);
    EXPECT_EQ(symbol.find("padding"), nullptr);
  }
}

TEST(SpdbDocument, FaultsAreToldWhereTheyStand) {
  const auto fault = [](auto&& change) {
    Value document = derived_document();
    change(document);
    const auto built = debug::spdb_from_value(context_for(msf(Database().streams())), document);
    return built ? std::string("built") : std::string(id(built.error().code)) + ' ' + built.error().path;
  };
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "6", "module", "symbols", "9", "annotations"}) = Value::text("advance=1"); }),
            "bad-value streams[6]/module/symbols[9]/annotations");
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "6", "module", "symbols", "4", "register_offsets"}) = Value::list(); }),
            "bad-value streams[6]/module/symbols[4]/register_offsets");
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "6", "module", "symbols", "3"}).add("colour", Value::integer(1)); }),
            "bad-value streams[6]/module/symbols[3]/colour");
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "2"}).add("bytes", Value::text("00")); }), "bad-value streams[2]");
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "1", "information", "guid"}) = Value::text("00"); }),
            "bad-value streams[1]/information/guid");
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "1", "information", "count"}) = Value::integer(1); }),
            "bad-value streams[1]/information/entries");
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "3", "debug_interface"}).add("module_indices", Value::list({Value::integer(0)})); }),
            "bad-value streams[3]/debug_interface/module_file_counts");
  EXPECT_EQ(fault([](Value& d) { at(d, {"streams", "2", "types", "types", "5", "modifiers"}) = Value::list({Value::integer(0x10000)}); }),
            "bad-value streams[2]/types/types[5]/modifiers");
  EXPECT_EQ(fault([](Value& d) {
              at(d, {"streams", "6", "module", "symbols", "3", "name"}) = Value::text(std::string(70'000, 'x'));
            }).substr(0, 5),
            "limit");
}

TEST(SpdbDocument, AnnotationsOfEverySizeAreSpelled) {
  const std::string_view text =
      "code_offset=16383 code_offset_base=16384 advance_line=-536 advance_code_and_line=15,-7 code_length_and_advance=1,128";
  std::vector<std::byte> bytes;
  ASSERT_TRUE(codeview::kAnnotationSpelling.parse(text, bytes));
  EXPECT_EQ(codeview::annotation_bytes(View(bytes)), bytes.size());
  Text out;
  codeview::kAnnotationSpelling.print(out, View(bytes));
  EXPECT_EQ(out.view(), text);
  for (const char* wrong :
       {"code_offset", "code_offset=", "code_offset=-1", "advance_code_and_line=16,0", "code_length_and_advance=1", "x=1"})
    EXPECT_FALSE(codeview::kAnnotationSpelling.parse(wrong, bytes)) << wrong;
}

// The values: CRC-32 of zlib without its inversions, and the sum of a name's words by hand.
TEST(CodeviewHash, TypesByTheirBytesStructuresByTheirNames) {
  const codeview::TypeHashes hashes = codeview::type_hashes(View(types().raw()));
  ASSERT_EQ(hashes.values.size(), 6U * 4);
  const View values(hashes.values);
  EXPECT_EQ(values.u32(0), 5954U);
  EXPECT_EQ(values.u32(8), 29801U);
  EXPECT_EQ(hashes.offsets, Bytes().u32(0x1000).u32(0).raw());
  EXPECT_TRUE(codeview::type_hashes(View(types().raw()).clamped(0, 60)).values.empty()) << "a stream that ends too early";
}

TEST(CodeviewHash, SymbolsByTheirNamesPublicOnesApart) {
  Bytes symbols;
  symbols.record(0x1125, Bytes().u32(0).u32(0x9c).u16(1).text("main"));
  symbols.record(0x110e, Bytes().u32(0).u32(4).u16(1).text("public"));
  symbols.record(0x1125, Bytes().u32(0).u32(0x9c).u16(1).text("MAIN"));
  const codeview::SymbolHashes globals = codeview::symbol_hashes(View(symbols.raw()), false);
  EXPECT_EQ(globals.records, Bytes().u32(1).u32(1).u32(20 + 24 + 1).u32(1).raw()) << "case does not count, nor does it part them";
  EXPECT_EQ(globals.buckets.size(), 516U + 4);
  EXPECT_EQ(codeview::symbol_hashes(View(symbols.raw()), true).records, Bytes().u32(21).u32(1).raw());
  EXPECT_TRUE(codeview::symbol_hashes(View(), true).buckets.empty());
}

// --- SDBG ------------------------------------------------------------------------------------------------------------------------------

Bytes sdbg() {
  const std::string_view texts{"a.hlsl\0float x;\0fxc\0main\0ps_4_0", 32};
  Bytes file;
  file.u32(0).u32(6).u32(7).u32(8);
  Bytes instructions;
  for (std::uint32_t i = 0; i < 2; ++i) instructions.u32(i).u32(54).zeros(364).u32(i).u32(0).zeros(16);
  Bytes symbols;
  for (std::uint32_t i = 0; i < 2; ++i) symbols.u32(0).u32(7 + 3 * i).u32(2).u32(0).u32(0);
  Bytes b;
  b.u32(84).u32(16).u32(20).u32(25).u32(0x10);
  std::uint32_t at = 0;
  const auto table = [&](std::uint32_t count, const Bytes& bytes) {
    b.u32(count).u32(at);
    at += bytes.size();
  };
  table(1, file);
  table(2, instructions);
  table(0, {});
  table(0, {});
  table(2, symbols);
  table(0, {});
  table(0, {});
  b.u32(at).u32(at);
  return b.append(file).append(instructions).append(symbols).chars(texts);
}

TEST(Sdbg, LinesGoByInstruction) {
  const Bytes bytes = sdbg();
  const auto info = parse_debug_info(part_of(bytes, "SDBG"));
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->compiler, "fxc");
  EXPECT_EQ(info->entry_point, "main");
  EXPECT_EQ(info->target, "ps_4_0");
  ASSERT_EQ(info->files.size(), 1U);
  EXPECT_EQ(info->files[0].name, "a.hlsl");
  EXPECT_EQ(info->files[0].text, "float x;");
  EXPECT_EQ(listing(*info, 0x44, 0x64), "#line 7 \"a.hlsl\"\nat 44\n\n#line 10\nat 54\n");
  Text sources;
  append_sources(sources, *info);
  EXPECT_EQ(sources.view(), "// file a.hlsl\nfloat x;\n");
}

TEST(Sdbg, EveryTruncationIsAnError) {
  const Bytes bytes = sdbg();
  for (std::size_t size = 0; size < bytes.size() - 32; ++size) {
    Part part = part_of(bytes, "SDBG");
    part.data = part.data.clamped(0, size);
    const auto info = parse_debug_info(part);
    ASSERT_FALSE(info) << size;
    EXPECT_TRUE(info.error().path.starts_with("SDBG")) << info.error().path;
  }
}

}  // namespace
}  // namespace unshade::dxbc
