#include <unshade/pica/listing.hpp>

#include <gtest/gtest.h>

#include <string>

#include <unshade/pica/assembler.hpp>
#include <unshade/pica/instruction.hpp>

#include "support/files.hpp"
#include "support/pica_listing.hpp"
#include "support/reassemble.hpp"

namespace unshade::pica {

namespace {

constexpr const char* kSamples[] = {"control.v.shbin", "particle.g.shbin", "quad.g.shbin",
                                    "skin.v.shbin",    "skin_quad.shbin",  "variable.g.shbin"};

std::string listing_of(const Shbin& shbin, const ListingOptions& options = {}) {
  Text text;
  list_shbin(shbin, text, options);
  return text.str();
}

TEST(PicaListing, SamplesAssembleToTheSame) {
  for (const char* name : kSamples) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica" / name);
    const auto shbin = parse_shbin(test::view_of(bytes));
    ASSERT_TRUE(shbin);
    test::expect_listing_assembles(*shbin, name);
  }
}

// Words but for the numbers of descriptors, and what the descriptors say.
void expect_equivalent(const Shbin& shbin, const std::string& what) {
  ListingOptions options;
  options.descriptors = false;
  const std::string listing = listing_of(shbin, options);
  const Source source{what, listing};
  const Assembly again = assemble({&source, 1});
  ASSERT_TRUE(again.ok) << (again.messages.empty() ? std::string() : to_string(again.messages.front())) << listing;
  const Program& a = shbin.program;
  const Program& b = again.shbin.program;
  ASSERT_EQ(a.code.size(), b.code.size()) << what;
  for (std::size_t at = 0; at < a.code.size(); ++at) {
    const Instruction x = decode(a.code.items[at]), y = decode(b.code.items[at]);
    ASSERT_EQ(x.opcode, y.opcode) << what << at;
    const bool has_own = has_descriptor(info(x.opcode).format) && x.descriptor < a.descriptors.size();
    if (!has_own || b.code.items[at] == a.code.items[at]) {
      EXPECT_EQ(a.code.items[at], b.code.items[at]) << what << at;
      if (!has_own) continue;
    }
    ASSERT_LT(y.descriptor, b.descriptors.size()) << what << at;
    const Operands first = operands_of(x, &a.descriptors[x.descriptor].bits), second = operands_of(y, &b.descriptors[y.descriptor].bits);
    EXPECT_EQ(first.written & WriteMask::all(), second.written & WriteMask::all()) << what << at;
    ASSERT_EQ(first.all().size(), second.all().size());
    for (std::size_t k = 0; k < first.all().size(); ++k) {
      const SourceOperand &from = first.all()[k], &to = second.all()[k];
      EXPECT_EQ(from.reg, to.reg) << what << at;
      EXPECT_EQ(from.index, to.index) << what << at;
      EXPECT_EQ(from.read, to.read) << what << at;
    }
  }
  EXPECT_EQ(shbin.executables.size(), again.shbin.executables.size());
  for (std::size_t k = 0; k < shbin.executables.size(); ++k) {
    EXPECT_EQ(shbin.executables[k].entry_words, again.shbin.executables[k].entry_words) << what;
    EXPECT_EQ(shbin.executables[k].constants.items, again.shbin.executables[k].constants.items) << what;
    EXPECT_EQ(shbin.executables[k].outputs.items, again.shbin.executables[k].outputs.items) << what;
  }
}

TEST(PicaListing, WithoutDescriptorsItAssemblesToAnEquivalentFile) {
  ListingOptions options;
  options.descriptors = false;
  for (const char* name : kSamples) {
    const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica" / name);
    const auto shbin = parse_shbin(test::view_of(bytes));
    ASSERT_TRUE(shbin);
    const std::string listing = listing_of(*shbin, options);
    EXPECT_EQ(listing.find(".desc"), std::string::npos) << name;
    EXPECT_EQ(listing.find('{'), std::string::npos) << name;
    expect_equivalent(*shbin, name);
  }
}

// A word that is no instruction says its descriptor's number: the table stays.
TEST(PicaListing, WordsThatAreNoInstructionsKeepTheirDescriptors) {
  const std::string text = ".exact\n.desc 5 0x0000036f\n.proc main\nmov o0, v0 {5}\n.word 0x4c000009\nend\n.end\n";
  const Source source{"t", text};
  const Assembly made = assemble({&source, 1});
  ASSERT_TRUE(made.ok);
  ListingOptions options;
  options.descriptors = false;
  EXPECT_EQ(listing_of(made.shbin, options), listing_of(made.shbin));
}

// More kinds of operands than a table has places for, which sharing by other rules made fit.
TEST(PicaListing, DescriptorsThatCannotBeSharedStay) {
  Shbin s;
  for (std::uint32_t k = 0; k < 140; ++k) {
    s.program.code.items.push_back(static_cast<std::uint32_t>(Opcode::mov) << 26 | (k % 128));
    if (k < 128) s.program.descriptors.items.push_back({0xfU | k << 5, 0});
  }
  s.program.code.items.push_back(static_cast<std::uint32_t>(Opcode::end) << 26);
  Executable e;
  e.end_words = 141;
  s.executables.push_back(e);
  ListingOptions options;
  options.descriptors = false;
  const std::string listing = listing_of(s, options);
  const Source source{"t", listing};
  const Assembly again = assemble({&source, 1});
  EXPECT_TRUE(again.ok) << (again.messages.empty() ? std::string() : to_string(again.messages.front()));
}

// Any words whatsoever, with descriptors and tables that no assembler would write.
TEST(PicaListing, AnyWordsAssembleToTheSame) {
  std::uint32_t state = 1;
  const auto random = [&] { return state = state * 1664525U + 1013904223U, state >> 8; };
  for (int round = 0; round < 300; ++round) {
    Shbin s;
    const unsigned words = random() % 40;
    for (unsigned i = 0; i < words; ++i) {
      std::uint32_t word = random() << 16 ^ random();
      // short targets, so that blocks and calls come about
      if (word >> 26 >= 0x20 && word >> 26 < 0x2e && round % 2 == 0) word = (word & 0xffc0'0000) | (random() % 48) << 10 | (random() % 8);
      s.program.code.items.push_back(word);
    }
    for (unsigned i = random() % 128; i != 0; --i) s.program.descriptors.items.push_back({random() << 16 ^ random(), random() % 4});
    for (unsigned k = 0; k < 1 + static_cast<unsigned>(round) % 3; ++k) {
      Executable e;
      e.stage = k == 0 ? Stage::vertex : Stage::geometry;
      e.entry_words = random() % 40;
      e.end_words = random() % 40;
      e.input_mask = static_cast<std::uint16_t>(random());
      e.output_mask = static_cast<std::uint16_t>(random());
      e.geometry_mode = static_cast<GeometryMode>(random() % 4);
      e.fixed_start = static_cast<std::uint8_t>(random());
      for (unsigned i = random() % 4; i != 0; --i)
        e.constants.items.push_back({static_cast<ConstantType>(random() % 4),
                                     static_cast<std::uint16_t>(random() % 97),
                                     {random(), random() % 2, random(), random() << 9}});
      for (unsigned i = random() % 4; i != 0; --i)
        e.outputs.items.push_back(
            {static_cast<Output>(random() % 11), static_cast<std::uint16_t>(random() % 17), static_cast<std::uint16_t>(random() % 18), 0});
      constexpr const char* kNames[] = {"a", "b.c", "c1", "_x", "", "with blank", "r3", "quote\"", "end", "mov"};
      for (unsigned i = random() % 5; i != 0; --i) {
        const auto from = static_cast<std::uint16_t>(random() % 0x90);
        e.uniforms.items.push_back({{kNames[random() % 10], 0}, from, static_cast<std::uint16_t>(from + random() % 5)});
      }
      for (unsigned i = random() % 3; i != 0; --i)
        e.labels.items.push_back({random(), random() % 40, random(), {kNames[random() % 10], 0}});
      s.executables.push_back(e);
    }
    test::expect_listing_assembles(s, "round " + std::to_string(round));
    if (testing::Test::HasFailure()) return;
  }
}

// Found by mutation: the offset from the name led to registers that have no number among the uniforms.
TEST(PicaListing, NamesDoNotReachIntoAnotherClass) {
  Shbin s;
  // dp4 o0.x, c4, r0; mov r0, v2; mov r0, c95; ifu b0
  s.program.code.items = {0x0802'4800, 0x4e00'2000, 0x4e07'f000, 0x9c00'1000, 0x8400'0000, 0x8800'0000};
  s.program.descriptors.items = {{0x0006'c36f, 0}};
  Executable e;
  e.end_words = 6;
  e.uniforms.items = {{{"position", 0}, 0x00, 0x87}};
  s.executables.push_back(e);
  test::expect_reassembles(s);
  const std::string text = listing_of(s);
  EXPECT_NE(text.find("mov r0, position[2] "), std::string::npos) << text;
  EXPECT_NE(text.find("mov r0, c95 "), std::string::npos) << text;
}

TEST(PicaListing, ObjectsAssembleToTheSame) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica/skin.v.shbin");
  const auto shbin = parse_shbin(test::view_of(bytes));
  ASSERT_TRUE(shbin);
  Object object;
  static_cast<Tables&>(object) = shbin->executables[0];
  object.version = 0x0c02;
  object.flags = kDebugBuild;
  object.output_mask = 0x77;
  object.geometry = 0x0102'0304;
  object.code.items = shbin->program.code.items;
  object.descriptors.items = shbin->program.descriptors.items;
  const std::uint32_t file = add_text(object.symbols, "skin.vsh");
  for (std::uint32_t i = 0; i < object.code.size(); ++i) object.lines.items.push_back({file, i / 2});
  object.relocations.items = {{0, 1, 2}, {3, 0xffff'ffff, 0}, {0x7fff'ffff, 0, 5}};
  test::expect_reassembles(object);
  Text text;
  list_object(object, text);
  EXPECT_NE(text.view().find(".object 0x1020304\n"), std::string_view::npos);
  EXPECT_NE(text.view().find("\n.reloc 3 0xffffffff 0x0\n"), std::string_view::npos) << text.view();
}

TEST(PicaListing, AProgramWithoutExecutablesAssemblesToTheSame) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica/control.v.shbin");
  auto shbin = parse_shbin(test::view_of(bytes));
  ASSERT_TRUE(shbin);
  shbin->executables.clear();
  test::expect_reassembles(*shbin);
}

TEST(PicaListing, NamesDescriptorsAndBlocksAreShown) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica/control.v.shbin");
  const auto shbin = parse_shbin(test::view_of(bytes));
  ASSERT_TRUE(shbin);
  const std::string text = listing_of(*shbin);
  for (const char* line :
       {".uniform \"transform\" c0 c3", "\tadd r2, table[aL+3], r2", "\tfor outer\n\t\tfor inner\n", "\t\t.else\n",
        "\tcallu fast, proc_0x12", "jmpu flip, label_0x", "\tcmp r2, gt, le, r1", ".proc main", "dp4 o0.x, transform[0], r2"})
    EXPECT_NE(text.find(line), std::string::npos) << line << '\n' << text;
}

TEST(PicaListing, OffsetsAndWordsStandInComments) {
  const auto bytes = test::read_bytes(test::source_dir() / "tests/data/pica/variable.g.shbin");
  const auto shbin = parse_shbin(test::view_of(bytes));
  ASSERT_TRUE(shbin);
  ListingOptions options;
  options.offsets = true;
  options.bytes = true;
  const std::string text = listing_of(*shbin, options);
  EXPECT_NE(text.find("; 0x00000034 48020000"), std::string::npos) << text;
}

}  // namespace

}  // namespace unshade::pica
