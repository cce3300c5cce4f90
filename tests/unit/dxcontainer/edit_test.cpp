#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/edit.hpp>

#include "support/files.hpp"

namespace unshade::dxcontainer {

namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}); }

/// Four letters for each part, which are also what it holds.
std::vector<std::byte> container_of(std::initializer_list<const char*> kinds, const ContainerForm& form = {}) {
  std::vector<std::vector<std::byte>> data;
  std::vector<PartBytes> parts;
  data.reserve(kinds.size());
  for (const char* kind : kinds) {
    data.push_back(bytes_of(kind));
    parts.push_back({view_of(data.back()).u32(0).value_or(0), data.back(), {}});
  }
  return *write_container(parts, form);
}

std::string kinds_of(View file) {
  std::string kinds;
  const auto container = parse_container(file);
  for (const Part& part : container->parts) (kinds += kinds.empty() ? "" : " ") += part.name();
  return kinds;
}

ContainerEdit edit_of(const std::vector<std::byte>& file) { return ContainerEdit(*parse_container(view_of(file))); }

TEST(ContainerEdit, WithoutChangesTheBytesAreTheSame) {
  auto file = test::sample("textured_ps_5_0.dxbc");
  EXPECT_EQ(*edit_of(file).write(), file);
  file[4] ^= std::byte{1};  // a wrong digest too
  auto edit = edit_of(file);
  edit.replace(0, {edit.data(0).bytes().begin(), edit.data(0).bytes().end()});
  EXPECT_FALSE(edit.changed());
  EXPECT_EQ(edit.remove_all(fourcc("PRIV")), 0U);
  EXPECT_FALSE(edit.changed());
  EXPECT_EQ(*edit.write(), file);
}

TEST(ContainerEdit, PartsGoWhereCompilersPutThem) {
  const auto added = [](std::initializer_list<const char*> kinds, std::uint32_t kind) {
    const auto file = container_of(kinds);
    auto edit = edit_of(file);
    edit.add(kind, bytes_of("data"));
    return kinds_of(view_of(*edit.write()));
  };
  EXPECT_EQ(added({"ISGN", "OSGN", "SHEX", "STAT"}, fourcc("RDEF")), "RDEF ISGN OSGN SHEX STAT");
  EXPECT_EQ(added({"RDEF", "ISGN", "OSGN", "SHEX", "STAT"}, fourcc("SFI0")), "RDEF ISGN OSGN SHEX SFI0 STAT");
  EXPECT_EQ(added({"Aon9", "SHDR", "ISGN", "OSGN"}, fourcc("STAT")), "Aon9 SHDR STAT ISGN OSGN");
  EXPECT_EQ(added({"SFI0", "ISG1", "OSG1", "PSV0", "HASH", "DXIL"}, fourcc("RTS0")), "SFI0 ISG1 OSG1 PSV0 RTS0 HASH DXIL");
  EXPECT_EQ(added({"ISGN", "OSGN", "SHEX", "PRIV"}, fourcc("RTS0")), "ISGN OSGN SHEX RTS0 PRIV");
  EXPECT_EQ(added({"ISGN", "PRIV"}, fourcc("PDBI")), "ISGN PDBI PRIV");
  EXPECT_EQ(added({"SFI0", "DXIL"}, fourcc("PRIV")), "SFI0 DXIL PRIV");
  EXPECT_EQ(added({}, fourcc("RTS0")), "RTS0");
}

TEST(ContainerEdit, TheDigestFollowsInItsVariant) {
  for (const auto& [signing, state] : {std::pair{Signing::standard, DigestState::valid},
                                       std::pair{Signing::debug, DigestState::valid_debug}, std::pair{Signing::given, DigestState::zero}}) {
    const auto file = container_of({"ISGN", "OSGN"}, {.signing = signing});
    auto edit = edit_of(file);
    edit.remove(0);
    EXPECT_TRUE(edit.changed());
    EXPECT_EQ(check_digest(*parse_container(view_of(*edit.write()))), state);
  }
}

TEST(ContainerEdit, SigningTouchesTheDigestAlone) {
  const auto file = container_of({"ISGN", "OSGN"});
  auto edit = edit_of(file);
  edit.sign(Signing::standard);
  EXPECT_FALSE(edit.changed());
  edit.sign(Signing::debug);
  EXPECT_TRUE(edit.changed());
  const auto made = *edit.write();
  EXPECT_EQ(check_digest(*parse_container(view_of(made))), DigestState::valid_debug);
  EXPECT_TRUE(std::equal(file.begin() + 20, file.end(), made.begin() + 20, made.end()));
}

TEST(ContainerEdit, BytesOfNoPartStay) {
  const auto first = bytes_of("first");
  const auto second = bytes_of("second");
  const auto gap = bytes_of("gap");
  const auto after = bytes_of("after");
  const auto trailing = bytes_of("trailing");
  const PartBytes parts[] = {{fourcc("ISGN"), first, {}}, {fourcc("OSGN"), second, gap}};
  const auto file = *write_container(parts, {.after = after, .trailing = trailing});
  auto edit = edit_of(file);
  edit.remove(0);
  const PartBytes left[] = {parts[1]};
  EXPECT_EQ(*edit.write(), *write_container(left, {.after = after, .trailing = trailing}));
  edit = edit_of(file);
  edit.remove(1);
  EXPECT_EQ(*edit.write(), *write_container({parts, 1}, {.after = after, .trailing = trailing}));
}

TEST(ContainerEdit, PartsThatShareBytesCannotBeToldApart) {
  auto file = container_of({"ISGN", "OSGN"});
  file[kHeaderBytes + 4] = file[kHeaderBytes];  // both parts are the first
  auto edit = edit_of(file);
  EXPECT_EQ(*edit.write(), file);
  edit.remove(1);
  const auto made = edit.write();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::overlap);
  EXPECT_EQ(made.error().path, "parts");
  EXPECT_EQ(made.error().offset, kHeaderBytes + 8);
}

TEST(ContainerEdit, APartAloneIsAContainer) {
  const auto data = bytes_of("root");
  const auto wrapped = *wrap_part(fourcc("RTS0"), data);
  const auto container = parse_container(view_of(wrapped));
  ASSERT_TRUE(container);
  ASSERT_EQ(container->parts.size(), 1U);
  EXPECT_EQ(container->parts[0].data.text(), "root");
  EXPECT_EQ(check_digest(*container), DigestState::valid);
}

}  // namespace

}  // namespace unshade::dxcontainer
