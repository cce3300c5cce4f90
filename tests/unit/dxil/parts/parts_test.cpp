#include <unshade/dxil/parts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/dxil/source_info.hpp>

#include "unit/support/dxil_samples.hpp"

namespace unshade::dxil {
namespace {

using test::Bytes;
using test::from_hex;
using test::loose;
using test::view_of;

template <class Model>
void expect_written_as_read(const Bytes& data, const char (&code)[5], Result<Model> (*parse)(const dxcontainer::Part&),
                            std::vector<std::byte> (*write)(const Model&), std::string_view what) {
  const auto model = parse(loose(code, data));
  ASSERT_TRUE(model) << what << ": " << to_string(model.error());
  EXPECT_EQ(write(*model), data) << what << ' ' << code;
}

Result<SourceInfo> parse_sources(const dxcontainer::Part& part) { return parse_source_info(part); }

TEST(DxilParts, WritesSamplesAsTheyWereRead) {
  for (const std::string_view name : test::kDxilSamples) {
    const Bytes file = test::dxil_sample(name);
    ASSERT_FALSE(file.empty()) << name;
    expect_written_as_read(test::part_data(file, "DXIL"), "DXIL", parse_program, write_program, name);
    expect_written_as_read(test::part_data(file, "HASH"), "HASH", parse_hash, write_hash, name);
    for (const auto& data : {test::part_data(file, "STAT"), test::part_data(file, "ILDB")})
      if (!data.empty()) expect_written_as_read(data, "STAT", parse_program, write_program, name);
    if (const auto data = test::part_data(file, "VERS"); !data.empty())
      expect_written_as_read(data, "VERS", parse_compiler_version, write_compiler_version, name);
    if (const auto data = test::part_data(file, "ILDN"); !data.empty())
      expect_written_as_read(data, "ILDN", parse_debug_name, write_debug_name, name);
  }
}

TEST(Program, ReadsItsHeader) {
  const Bytes data = test::part_data(test::dxil_sample("mesh_ms_6_5.dxil"), "DXIL");
  const auto program = parse_program(loose("DXIL", data));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kind(), ShaderKind::mesh);
  EXPECT_EQ(program->major(), 6U);
  EXPECT_EQ(program->minor(), 5U);
  EXPECT_EQ(program->dxil_minor(), 5U);
  EXPECT_EQ(program->bitcode.u32(0), 0xdec04342U);
  EXPECT_EQ(profile_prefix(program->kind()), "ms");
  EXPECT_EQ(profile_prefix(ShaderKind::closest_hit), "lib");
  EXPECT_EQ(profile_prefix(static_cast<ShaderKind>(77)), "");
}

TEST(Program, FaultsAreLocated) {
  const Bytes good = from_hex("60000500 08000000 \"DXIL\" 00010000 10000000 08000000 4243c0de 00000000");
  EXPECT_TRUE(parse_program(loose("DXIL", good)));
  struct Fault {
    std::size_t at;
    std::uint32_t value;
    ErrorCode code;
    std::string_view path;
  };
  for (const Fault& fault :
       {Fault{8, 0, ErrorCode::bad_magic, "DXIL/magic"}, Fault{16, 12, ErrorCode::out_of_range, "DXIL/bitcode_offset"},
        Fault{16, 4000, ErrorCode::truncated, "DXIL/before_bitcode"}, Fault{20, 12, ErrorCode::truncated, "DXIL/bitcode"}}) {
    Bytes bad = good;
    test::put_u32(bad, fault.at, fault.value);
    const auto program = parse_program(loose("DXIL", bad));
    ASSERT_FALSE(program) << fault.path;
    EXPECT_EQ(program.error().code, fault.code);
    EXPECT_EQ(program.error().path, fault.path);
  }
}

TEST(Program, SizesAreCountedForANewOne) {
  const Bytes bitcode = from_hex("4243c0de 01020304 05");
  Program program;
  program.program_version = 0x0005'0060;
  program.dxil_version = 0x100;
  program.bitcode = view_of(bitcode);
  const Bytes data = write_program(program);
  EXPECT_EQ(data, from_hex("60000500 09000000 \"DXIL\" 00010000 10000000 09000000 4243c0de 01020304 05000000"));
  const auto again = parse_program(loose("DXIL", data));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->behind.size(), 3U);
}

TEST(DebugName, IsWrittenWithItsZeros) {
  for (const std::string_view text : {"", "a", "abc", "abcd.pdb"}) {
    DebugName name;
    name.name = text;
    const Bytes data = write_debug_name(name);
    EXPECT_EQ(data.size() % 4, 0U);
    EXPECT_GT(data.size(), 4 + text.size());
    const auto again = parse_debug_name(loose("ILDN", data));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->name, text);
    EXPECT_EQ(write_debug_name(*again), data);
  }
  const Bytes bad = from_hex("0000 0900 616200");
  const auto fault = parse_debug_name(loose("ILDN", bad));
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().code, ErrorCode::truncated);
  EXPECT_EQ(fault.error().path, "ILDN/name");
}

TEST(CompilerVersion, ReadsBothTexts) {
  const Bytes data = from_hex("0100 0800 00000000 6a110000 15000000 \"c9660a8c\" 00 \"1.8.2403.34\" 00 000000");
  const auto version = parse_compiler_version(loose("VERS", data));
  ASSERT_TRUE(version) << to_string(version.error());
  EXPECT_EQ(version->minor, 8);
  EXPECT_EQ(version->commit_count, 4458U);
  EXPECT_EQ(version->commit, "c9660a8c");
  EXPECT_EQ(version->custom, "1.8.2403.34");
  EXPECT_EQ(write_compiler_version(*version), data);
  CompilerVersion made;
  made.major = 1;
  made.minor = 8;
  made.commit_count = 4458;
  made.commit = "c9660a8c";
  made.custom = "1.8.2403.34";
  EXPECT_EQ(write_compiler_version(made), data);
  const Bytes endless = from_hex("0100 0800 00000000 6a110000 04000000 61626364");
  EXPECT_EQ(parse_compiler_version(loose("VERS", endless)).error().path, "VERS/commit");
}

// --- debug files ----------------------------------------------------------------------------------------------------------------------

Bytes debug_container() {
  const Bytes file = test::dxil_sample("control_ps_6_6_zi.pdb");
  const auto pdb = dxcontainer::find_container_in_pdb(view_of(file));
  EXPECT_TRUE(pdb);
  return pdb ? Bytes(pdb->view().bytes().begin(), pdb->view().bytes().end()) : Bytes();
}

/// Stands in for zlib: the stream is the content behind one byte.
bool copy_content(std::span<const std::byte> zlib, std::span<std::byte> out, void* user) {
  if (user != nullptr) ++*static_cast<int*>(user);
  if (zlib.size() != out.size() + 1) return false;
  std::copy(zlib.begin() + 1, zlib.end(), out.begin());
  return true;
}

TEST(SourceInfo, ReadsNamesContentsAndArguments) {
  const Bytes data = test::part_data(debug_container(), "SRCI");
  ASSERT_FALSE(data.empty());
  const auto info = parse_source_info(loose("SRCI", data), {copy_content, nullptr});
  // dxc compresses what becomes smaller by it; this stand-in cannot undo that.
  if (!info) {
    EXPECT_EQ(info.error().code, ErrorCode::bad_value);
  }
  const auto unopened = parse_source_info(loose("SRCI", data));
  ASSERT_TRUE(unopened) << to_string(unopened.error());
  EXPECT_EQ(unopened->sections.size(), 3U);
  ASSERT_FALSE(unopened->names.empty());
  EXPECT_TRUE(unopened->names[0].name.ends_with("control.ps.hlsl") || !unopened->names[0].name.empty());
  ASSERT_FALSE(unopened->arguments.empty());
  EXPECT_EQ(write_source_info(*unopened), data);
  Tree tree(view_of(data));
  record_source_info(loose("SRCI", data), tree, 0);
  EXPECT_TRUE(tree.errors().empty());
  EXPECT_EQ(test::covered(tree).unknown, 0U);
}

/// A part with one section of contents: one entry `ab`, compressed or not.
Bytes contents_part(bool compressed, std::uint32_t uncompressed = 16) {
  const Bytes entry = from_hex("10000000 00000000 03000000 61620000");
  Bytes entries = compressed ? from_hex("78") : Bytes();
  entries.insert(entries.end(), entry.begin(), entry.end());
  Bytes data = from_hex("00000000 0000 0100  00000000 0000 0000  00000000 0000 0000 00000000 00000000 01000000");
  test::put_u32(data, 16 + 4, compressed ? 0x0001'0000 : 0);
  test::put_u32(data, 16 + 8, static_cast<std::uint32_t>(entries.size()));
  test::put_u32(data, 16 + 12, uncompressed);
  data.insert(data.end(), entries.begin(), entries.end());
  data.resize((data.size() + 3) / 4 * 4);
  test::put_u32(data, 0, static_cast<std::uint32_t>(data.size()));
  test::put_u32(data, 8, static_cast<std::uint32_t>(data.size() - 8));
  return data;
}

TEST(SourceInfo, ContentsAreInflatedByTheCallersFunction) {
  const Bytes plain = contents_part(false);
  const auto read = parse_source_info(loose("SRCI", plain));
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->contents.size(), 1U);
  EXPECT_EQ(read->contents[0].content, "ab");

  const Bytes packed = contents_part(true);
  const auto closed = parse_source_info(loose("SRCI", packed));
  ASSERT_TRUE(closed);
  EXPECT_TRUE(closed->contents.empty());
  EXPECT_EQ(closed->compression, Compression::zlib);
  int calls = 0;
  const auto opened = parse_source_info(loose("SRCI", packed), {copy_content, &calls});
  ASSERT_TRUE(opened) << to_string(opened.error());
  EXPECT_EQ(calls, 1);
  const SourceInfo copy = *opened;
  ASSERT_EQ(copy.contents.size(), 1U);
  EXPECT_EQ(copy.contents[0].content, "ab");
  EXPECT_EQ(write_source_info(copy), packed);

  const Bytes wrong = contents_part(true, 17);
  const auto fault = parse_source_info(loose("SRCI", wrong), {copy_content, nullptr});
  ASSERT_FALSE(fault);
  EXPECT_EQ(fault.error().code, ErrorCode::bad_value);
  EXPECT_EQ(fault.error().path, "SRCI/sections[0]/entries");
  // more than zlib can make of it: refused before memory is taken
  const Bytes bomb = contents_part(true, 0x1000'0000);
  EXPECT_EQ(parse_source_info(loose("SRCI", bomb), {copy_content, nullptr}).error().code, ErrorCode::limit);
}

TEST(SourceInfo, DamagedPartsAreReadOrRefused) {
  const Bytes data = test::part_data(debug_container(), "SRCI");
  test::for_damaged(data, 1500, [&](const Bytes& bytes) {
    Tree tree(view_of(bytes));
    record_source_info(loose("SRCI", bytes), tree, 0);
    EXPECT_EQ(test::covered(tree).total, bytes.size());
    const auto info = parse_sources(loose("SRCI", bytes));
    if (info) {
      EXPECT_EQ(write_source_info(*info).size(), write_source_info(*info).size());
    } else {
      EXPECT_TRUE(info.error().path.starts_with("SRCI"));
    }
  });
}

TEST(PdbInfo, HoldsRuntimeDataOfItsOwnTables) {
  Rdat rdat;
  rdat.pdb_sources.rows.resize(1);
  rdat.pdb_sources[0].name.text = "a.hlsl";
  rdat.pdb_sources[0].content.text = "void main() {}";
  rdat.pdb_infos.rows.resize(1);
  rdat.pdb_infos[0].pdb_name.text = "a.pdb";
  const Bytes tables = write_rdat(rdat);
  Bytes zlib{std::byte{0x78}};
  zlib.insert(zlib.end(), tables.begin(), tables.end());

  PdbInfoPart part;
  part.compression = Compression::zlib;
  part.uncompressed_bytes = static_cast<std::uint32_t>(tables.size());
  part.data = view_of(zlib);
  const Bytes data = write_pdb_info(part);
  const auto read = parse_pdb_info(loose("PDBI", data));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(inflate_pdb_info(*read, {}).error().code, ErrorCode::unsupported);
  const auto inflated = inflate_pdb_info(*read, {copy_content, nullptr});
  ASSERT_TRUE(inflated);
  const auto again = parse_rdat(view_of(*inflated), "PDBI/data");
  ASSERT_TRUE(again) << to_string(again.error());
  ASSERT_EQ(again->pdb_sources.size(), 1U);
  EXPECT_EQ(again->pdb_sources[0].content, "void main() {}");
  EXPECT_EQ(again->pdb_infos[0].pdb_name, "a.pdb");

  part.compression = Compression::none;
  part.data = view_of(tables);
  const Bytes plain = write_pdb_info(part);
  Tree tree(view_of(plain));
  record_pdb_info(loose("PDBI", plain), tree, 0);
  EXPECT_TRUE(tree.errors().empty());
  EXPECT_EQ(test::covered(tree).unknown, 0U);
}

TEST(DxilParts, EveryTruncationIsAnErrorOrReadsWhole) {
  const Bytes file = test::dxil_sample("rays_lib_6_7.dxil");
  const auto container = dxcontainer::parse_container(view_of(file));
  ASSERT_TRUE(container);
  for (const auto& part : container->parts) {
    for (std::size_t size = 0; size < part.data.size(); size += size < 64 ? 1 : 61) {
      Tree tree(view_of(file).clamped(0, part.data.file_offset() + size));
      record_dxil_part({part.fourcc, part.offset, part.data.clamped(0, size)}, ShaderKind::library, tree, 0);
      for (const Error& error : tree.errors()) EXPECT_TRUE(error.path.starts_with(part.name())) << to_string(error);
    }
  }
}

}  // namespace
}  // namespace unshade::dxil
