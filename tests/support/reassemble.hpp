// What a listing gives when it is assembled again, compared with the file it is of.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include <unshade/core/text.hpp>
#include <unshade/pica/assembler.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::test {

inline void expect_same(const pica::Shbin& a, const pica::Shbin& b) {
  EXPECT_EQ(a.program.version, b.program.version);
  EXPECT_EQ(a.program.code.items, b.program.code.items);
  EXPECT_EQ(a.program.descriptors.items, b.program.descriptors.items);
  ASSERT_EQ(a.program.lines.size(), b.program.lines.size());
  for (std::size_t i = 0; i < a.program.lines.size(); ++i) {
    EXPECT_EQ(a.program.lines[i].number, b.program.lines[i].number);
    EXPECT_EQ(a.program.file_name(a.program.lines[i]), b.program.file_name(b.program.lines[i]));
  }
  ASSERT_EQ(a.executables.size(), b.executables.size());
  for (std::size_t i = 0; i < a.executables.size(); ++i) {
    SCOPED_TRACE("executable " + std::to_string(i));
    const pica::Executable& x = a.executables[i];
    const pica::Executable& y = b.executables[i];
    EXPECT_EQ(x.version, y.version);
    EXPECT_EQ(x.stage, y.stage);
    EXPECT_EQ(x.flags, y.flags);
    EXPECT_EQ(x.entry_words, y.entry_words);
    EXPECT_EQ(x.end_words, y.end_words);
    EXPECT_EQ(x.input_mask, y.input_mask);
    EXPECT_EQ(x.output_mask, y.output_mask);
    EXPECT_EQ(x.geometry_mode, y.geometry_mode);
    EXPECT_EQ(x.fixed_start, y.fixed_start);
    EXPECT_EQ(x.variable_count, y.variable_count);
    EXPECT_EQ(x.fixed_count, y.fixed_count);
    EXPECT_EQ(x.constants.items, y.constants.items);
    EXPECT_EQ(x.outputs.items, y.outputs.items);
    ASSERT_EQ(x.uniforms.size(), y.uniforms.size());
    for (std::size_t k = 0; k < x.uniforms.size(); ++k) {
      EXPECT_EQ(x.uniforms[k].symbol.text, y.uniforms[k].symbol.text);
      EXPECT_EQ(x.uniforms[k].first, y.uniforms[k].first);
      EXPECT_EQ(x.uniforms[k].last, y.uniforms[k].last);
    }
    ASSERT_EQ(x.labels.size(), y.labels.size());
    for (std::size_t k = 0; k < x.labels.size(); ++k) {
      EXPECT_EQ(x.labels[k].symbol.text, y.labels[k].symbol.text);
      EXPECT_EQ(x.labels[k].id, y.labels[k].id);
      EXPECT_EQ(x.labels[k].address_words, y.labels[k].address_words);
      EXPECT_EQ(x.labels[k].length, y.labels[k].length);
    }
  }
}

/// Lists a file, assembles the listing, and expects the same code, descriptors and tables.
inline void expect_reassembles(const pica::Shbin& shbin) {
  Text listing;
  pica::list_shbin(shbin, listing, {});
  const pica::Source source{"listing", listing.view()};
  const pica::Assembly again = pica::assemble({&source, 1});
  for (const auto& message : again.messages) ADD_FAILURE() << to_string(message);
  ASSERT_TRUE(again.ok) << listing.view();
  expect_same(shbin, again.shbin);
}

inline void expect_same(const pica::Object& a, const pica::Object& b) {
  EXPECT_EQ(a.geometry, b.geometry);
  EXPECT_EQ(a.relocations.items, b.relocations.items);
  pica::Shbin x = pica::from_object(a);
  pica::Shbin y = pica::from_object(b);
  expect_same(x, y);
}

inline void expect_reassembles(const pica::Object& object) {
  Text listing;
  pica::list_object(object, listing, {});
  const pica::Source source{"listing", listing.view()};
  const pica::Assembly again = pica::assemble({&source, 1});
  for (const auto& message : again.messages) ADD_FAILURE() << to_string(message);
  ASSERT_TRUE(again.ok) << listing.view();
  ASSERT_TRUE(again.object);
  expect_same(object, *again.object);
  // and from the bytes it is written as
  const auto bytes = pica::write_object(*again.object);
  const auto read = pica::parse_object(View({bytes.data(), bytes.size()}));
  ASSERT_TRUE(read);
  expect_same(object, *read);
}

}  // namespace unshade::test
