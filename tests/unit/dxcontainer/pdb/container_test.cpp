#include <unshade/dxcontainer/pdb.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <unshade/dxcontainer/container.hpp>

#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::dxcontainer {
namespace {

using Bytes = std::vector<std::byte>;
using test::view_of;

Bytes sample() { return test::read_bytes(test::source_dir() / "tests/data/dxil/control_ps_6_6_zi.pdb"); }

/// The same database with the blocks of the container's stream in reverse order.
Bytes scattered() {
  const Bytes file = sample();
  const auto msf = parse_msf(view_of(file));
  EXPECT_TRUE(msf);
  Bytes moved = file;
  const MsfStream& stream = msf->streams[5];
  std::uint64_t entry = 4 + 4 * msf->streams.size();
  for (std::size_t i = 0; i < 5; ++i) entry += 4 * msf->streams[i].blocks.size();
  const std::size_t count = stream.blocks.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t to = stream.blocks[count - 1 - i];
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(stream.blocks[i] * msf->block_bytes), msf->block_bytes,
                moved.begin() + static_cast<std::ptrdiff_t>(to * msf->block_bytes));
    test::put_u32(moved, static_cast<std::size_t>(msf->file_offset(msf->directory, entry + 4 * i)), to);
  }
  return moved;
}

TEST(Pdb, FindsItsContainerInOnePiece) {
  const Bytes file = sample();
  const auto pdb = find_container_in_pdb(view_of(file));
  ASSERT_TRUE(pdb) << to_string(pdb.error());
  EXPECT_EQ(pdb->stream(), 5U);
  EXPECT_TRUE(pdb->in_one_piece());
  EXPECT_EQ(pdb->view().data(), file.data() + pdb->view().file_offset());
  EXPECT_EQ(pdb->file_offset(pdb->view().file_offset() + 7), pdb->view().file_offset() + 7);
  const auto container = parse_container(pdb->view());
  ASSERT_TRUE(container);
  EXPECT_NE(container->find(fourcc("SRCI")), nullptr);
}

TEST(Pdb, CopiesAContainerWhoseBlocksAreScattered) {
  const Bytes whole = sample();
  const Bytes file = scattered();
  const auto before = find_container_in_pdb(view_of(whole));
  auto pdb = find_container_in_pdb(view_of(file));
  ASSERT_TRUE(pdb) << to_string(pdb.error());
  EXPECT_FALSE(pdb->in_one_piece());
  const PdbContainer moved = *std::move(pdb);
  EXPECT_EQ(moved.view().file_offset(), 0U);
  EXPECT_TRUE(std::ranges::equal(moved.view().bytes(), before->view().bytes()));
  for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{511}, std::uint64_t{512}, std::uint64_t{moved.view().size() - 1}})
    EXPECT_EQ(file[static_cast<std::size_t>(moved.file_offset(at))], moved.view().bytes()[static_cast<std::size_t>(at)]) << at;
}

/// Every byte that a tree names.
Coverage coverage_of(const PdbContainer& pdb, View file, std::vector<std::string>* paths) {
  Tree tree(file);
  const auto group = tree.add({"pdb", &kGroup, 0, 0, 0, kNoIndex, 0});
  record_pdb(pdb, tree, group);
  const auto container = parse_container(pdb.view());
  EXPECT_TRUE(container);
  if (pdb.in_one_piece()) {
    record_container(*container, tree);
  } else {
    Tree inner(pdb.view());
    record_container(*container, inner);
    inner.fill_gaps({});
    graft_stream(std::move(inner), pdb.msf(), pdb.msf().streams[pdb.stream()], tree, 0);
  }
  EXPECT_TRUE(tree.errors().empty());
  for (std::uint32_t i = 0; i < tree.fields().size(); ++i) {
    const Field& field = tree.fields()[i];
    EXPECT_LE(std::uint64_t{field.offset} + (field.type->kind == FieldKind::group ? 0 : field.size), file.size());
    paths->push_back(tree.path(i));
  }
  tree.fill_gaps({});
  return tree.coverage();
}

TEST(Pdb, EveryByteBelongsToALeaf) {
  for (const Bytes& file : {sample(), scattered()}) {
    const auto pdb = find_container_in_pdb(view_of(file));
    ASSERT_TRUE(pdb);
    std::vector<std::string> paths;
    const Coverage coverage = coverage_of(*pdb, view_of(file), &paths);
    EXPECT_EQ(coverage.named + coverage.padding + coverage.unknown, file.size());
    // What parts hold was not described here; all around them was.
    EXPECT_LE(coverage.unknown, pdb->view().size());
    const auto has = [&](std::string_view path) { return std::find(paths.begin(), paths.end(), path) != paths.end(); };
    EXPECT_TRUE(has("pdb/superblock/block_bytes"));
    EXPECT_TRUE(has("pdb/information/guid"));
    EXPECT_TRUE(has("header/magic"));
  }
}

TEST(Pdb, ADatabaseWithoutAContainerIsMissingOne) {
  Bytes file = sample();
  const auto pdb = find_container_in_pdb(view_of(file));
  file[static_cast<std::size_t>(pdb->view().file_offset())] = std::byte{'X'};
  const auto none = find_container_in_pdb(view_of(file));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::missing);
  EXPECT_EQ(none.error().path, "pdb/streams");
  const Bytes text(64);
  EXPECT_EQ(find_container_in_pdb(view_of(text)).error().code, ErrorCode::bad_magic);
}

TEST(Pdb, EveryTruncationIsReadOrRefused) {
  const Bytes file = sample();
  for (std::size_t size = 0; size < file.size(); size += 37) {
    const auto pdb = find_container_in_pdb(view_of(file).clamped(0, size));
    if (!pdb) {
      EXPECT_TRUE(pdb.error().path.starts_with("pdb/")) << to_string(pdb.error());
    }
  }
}

}  // namespace
}  // namespace unshade::dxcontainer
