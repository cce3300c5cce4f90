#include <unshade/pica/embedded.hpp>

#include <gtest/gtest.h>

#include <unshade/pica/shbin.hpp>

#include "support/files.hpp"

namespace unshade::pica {

namespace {

std::vector<std::byte> pica_sample(const char* name) { return test::read_bytes(test::source_dir() / "tests/data/pica" / name); }

void put(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t value) {
  if (bytes.size() < at + 4) bytes.resize(at + 4);
  for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

/// A CGFX with one shader, as documents describe it; not verified against a file of the vendor's.
std::vector<std::byte> cgfx(const std::vector<std::byte>& dvlb) {
  std::vector<std::byte> file = test::from_hex("\"CGFX\" ff fe 14 00 00 00 00 05 00 00 00 00 01 00 00 00 \"DATA\" 00 00 00 00");
  const std::size_t dict = 0x1c + 16 * 8;
  const std::size_t object = dict + 0x1c + 0x10;
  const std::size_t name = object + 0x40;
  const std::size_t data = name + 16;
  put(file, 0x1c + 8 * 4, 1);
  put(file, 0x20 + 8 * 4, static_cast<std::uint32_t>(dict - (0x20 + 8 * 4)));
  put(file, dict, 0x5443'4944);
  put(file, dict + 4, 0x2c);
  put(file, dict + 8, 1);
  put(file, dict + 0x0c, 0xffff'ffff);
  put(file, dict + 0x1c + 8, static_cast<std::uint32_t>(name - (dict + 0x1c + 8)));
  put(file, dict + 0x1c + 12, static_cast<std::uint32_t>(object - (dict + 0x1c + 12)));
  put(file, object, 0x8000'0002);
  put(file, object + 4, 0x5244'4853);
  put(file, object + 0x18, static_cast<std::uint32_t>(dvlb.size()));
  put(file, object + 0x1c, static_cast<std::uint32_t>(data - (object + 0x1c)));
  put(file, name, 0x6b6f'6f74);  // "took"
  file.resize(data);
  file.insert(file.end(), dvlb.begin(), dvlb.end());
  put(file, 0x0c, static_cast<std::uint32_t>(file.size()));
  put(file, 0x18, static_cast<std::uint32_t>(file.size() - 0x14));
  return file;
}

TEST(Embedded, ProgramsInAnyFileAreFoundByTheirPlace) {
  const auto a = pica_sample("quad.g.shbin");
  const auto b = pica_sample("skin_quad.shbin");
  std::vector<std::byte> file(12, std::byte{0x44});
  file.insert(file.end(), a.begin(), a.end());
  file.insert(file.end(), 20, std::byte{0});
  put(file, file.size(), 0x424c'5644);  // begins like one, and is none
  file.insert(file.end(), b.begin(), b.end());
  const auto found = find_embedded(test::view_of(file));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].offset, 12U);
  EXPECT_EQ(found[0].bytes, a.size());
  EXPECT_EQ(found[1].bytes, b.size());
  const auto part = test::view_of(file).clamped(found[1].offset, found[1].bytes);
  const auto shbin = parse_shbin(part);
  ASSERT_TRUE(shbin);
  EXPECT_TRUE(write_shbin(*shbin) == b);
}

TEST(Embedded, ACgfxNamesItsShadersAndTakesOthers) {
  const auto small = pica_sample("quad.g.shbin");
  const auto large = pica_sample("skin_quad.shbin");
  const auto file = cgfx(small);
  EXPECT_TRUE(is_cgfx(test::view_of(file)));
  const auto found = find_embedded(test::view_of(file));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "took");
  EXPECT_EQ(found[0].bytes, small.size());

  const auto same = replace_embedded(test::view_of(file), found[0], small);
  ASSERT_TRUE(same);
  EXPECT_TRUE(*same == file);

  const auto grown = replace_embedded(test::view_of(file), found[0], large);
  ASSERT_TRUE(grown) << to_string(grown.error());
  const auto again = find_embedded(test::view_of(*grown));
  // the old bytes stay where they were, without an entry
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(again[1].name, found[0].name);
  EXPECT_EQ(again[1].bytes, large.size());
  EXPECT_EQ(test::view_of(*grown).u32(0x0c), grown->size());
}

TEST(Embedded, DataThatOthersFollowCannotGrow) {
  const auto small = pica_sample("quad.g.shbin");
  const auto large = pica_sample("skin_quad.shbin");
  auto file = cgfx(small);
  const std::size_t data_end = file.size();
  // zeros are no block
  file.insert(file.end(), 40, std::byte{0});
  const auto found = find_embedded(test::view_of(file));
  ASSERT_EQ(found.size(), 1U);
  const auto grown = replace_embedded(test::view_of(file), found[0], large);
  ASSERT_TRUE(grown) << to_string(grown.error());
  EXPECT_EQ(find_embedded(test::view_of(*grown)).at(1).bytes, large.size());

  put(file, data_end, 0x4741'4d49);  // IMAG
  const auto refused = replace_embedded(test::view_of(file), found[0], large);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_EQ(refused.error().offset, data_end);
  EXPECT_EQ(refused.error().path, "CGFX/blocks[1]");
  // what fits is put in place
  EXPECT_TRUE(replace_embedded(test::view_of(file), found[0], small));

  put(file, 0x18, 0x7fff'ffff);
  EXPECT_EQ(replace_embedded(test::view_of(file), found[0], large).error().path, "CGFX/DATA/size");
}

TEST(Embedded, AProgramIsReplacedByAProgramAlone) {
  const auto file = pica_sample("quad.g.shbin");
  const auto found = find_embedded(test::view_of(file));
  ASSERT_EQ(found.size(), 1U);
  const auto fault = [&](const std::vector<std::byte>& bytes) {
    const auto replaced = replace_embedded(test::view_of(file), found[0], bytes);
    return replaced ? "none" : std::string(id(replaced.error().code)) + " at " + replaced.error().path;
  };
  EXPECT_EQ(fault(test::from_hex("\"garbage\"")), "bad-magic at replacement/DVLB/magic");
  EXPECT_EQ(fault({}), "truncated at replacement/DVLB/magic");
  auto cut = file;
  cut.resize(file.size() / 2);
  EXPECT_FALSE(replace_embedded(test::view_of(file), found[0], cut));
  EXPECT_EQ(fault(file), "none");
}

TEST(Embedded, ALargerProgramNeedsAnEntryThatCanPointElsewhere) {
  const auto small = pica_sample("quad.g.shbin");
  const auto found = find_embedded(test::view_of(small));
  ASSERT_EQ(found.size(), 1U);
  const auto large = pica_sample("skin_quad.shbin");
  const auto replaced = replace_embedded(test::view_of(small), found[0], large);
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, ErrorCode::unsupported);
}

}  // namespace

}  // namespace unshade::pica
