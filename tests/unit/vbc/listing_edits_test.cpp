// An edit of a listing is never passed over: directives, and the SPIR-V of stages.
#include "support/listing_edits.hpp"

#include <gtest/gtest.h>

#include <unshade/spirv/assembler.hpp>
#include <unshade/vbc/listing.hpp>

#include "unit/vbc/samples.hpp"

namespace unshade::vbc::test {

namespace {

std::string listed(const File& file, bool friendly) {
  Text text;
  list_file(file, text, {.spirv = {.friendly_names = friendly, .exact = true}, .assembles_to = spirv::assembles_to});
  return text.str();
}

std::optional<std::string> relisted(std::string_view text, std::string& refusal) {
  const auto made = assemble(text);
  if (!made) {
    refusal = made.error().path;
    return std::nullopt;
  }
  // As it is read from the file, which is what counts.
  const auto bytes = write(*made);
  const auto read = parse(view_of(bytes));
  if (!read) return "it is not read: " + to_string(read.error());
  return listed(*read, false);
}

TEST(VbcListingEdits, EachWordOfSamples) {
  EXPECT_GT(unshade::test::expect_edits_are_kept(listed(sample("minimal"), true), relisted, 1), 100U);
  for (const char* name : {"textured", "particles", "subpass"})
    EXPECT_GT(unshade::test::expect_edits_are_kept(listed(sample(name), true), relisted, 41), 20U) << name;
}

}  // namespace

}  // namespace unshade::vbc::test
