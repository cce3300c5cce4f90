// The listing of a SHBIN, assembled again.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include <unshade/core/text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::test {

inline void expect_listing_assembles(const pica::Shbin& shbin, const std::string& what) {
  Text text;
  pica::list_shbin(shbin, text);
  const std::string listing = text.str();
  const pica::Source source{what, listing};
  const pica::Assembly again = pica::assemble({&source, 1});
  std::string messages;
  for (const auto& message : again.messages) messages += to_string(message) + '\n';
  ASSERT_TRUE(again.ok) << messages << listing;
  const pica::Program& a = shbin.program;
  const pica::Program& b = again.shbin.program;
  EXPECT_EQ(a.code.items, b.code.items) << listing;
  EXPECT_EQ(a.descriptors.items, b.descriptors.items) << listing;
  EXPECT_EQ(a.version, b.version);
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (std::size_t i = 0; i < a.lines.size(); ++i) {
    EXPECT_EQ(a.lines[i].number, b.lines[i].number);
    EXPECT_EQ(a.file_name(a.lines[i]), b.file_name(b.lines[i]));
  }
  ASSERT_EQ(shbin.executables.size(), again.shbin.executables.size()) << listing;
  for (std::size_t i = 0; i < shbin.executables.size(); ++i) {
    const pica::Executable& x = shbin.executables[i];
    const pica::Executable& y = again.shbin.executables[i];
    EXPECT_EQ(x.version, y.version) << what;
    EXPECT_EQ(x.stage, y.stage) << what;
    EXPECT_EQ(x.flags, y.flags) << what;
    EXPECT_EQ(x.entry_words, y.entry_words) << listing;
    EXPECT_EQ(x.end_words, y.end_words) << listing;
    EXPECT_EQ(x.input_mask, y.input_mask) << listing;
    EXPECT_EQ(x.output_mask, y.output_mask) << listing;
    EXPECT_EQ(x.geometry_mode, y.geometry_mode) << what;
    EXPECT_EQ(x.fixed_start, y.fixed_start) << what;
    EXPECT_EQ(x.variable_count, y.variable_count) << what;
    EXPECT_EQ(x.fixed_count, y.fixed_count) << what;
    EXPECT_EQ(x.constants.items, y.constants.items) << listing;
    EXPECT_EQ(x.outputs.items, y.outputs.items) << listing;
    ASSERT_EQ(x.uniforms.size(), y.uniforms.size()) << listing;
    for (std::size_t k = 0; k < x.uniforms.size(); ++k) {
      EXPECT_EQ(x.uniforms[k].symbol.text, y.uniforms[k].symbol.text);
      EXPECT_EQ(x.uniforms[k].first, y.uniforms[k].first);
      EXPECT_EQ(x.uniforms[k].last, y.uniforms[k].last);
    }
    ASSERT_EQ(x.labels.size(), y.labels.size()) << listing;
    for (std::size_t k = 0; k < x.labels.size(); ++k) {
      EXPECT_EQ(x.labels[k].symbol.text, y.labels[k].symbol.text);
      EXPECT_EQ(x.labels[k].id, y.labels[k].id);
      EXPECT_EQ(x.labels[k].address_words, y.labels[k].address_words);
      EXPECT_EQ(x.labels[k].length, y.labels[k].length);
    }
  }
}

}  // namespace unshade::test
