#include <unshade/vbc/file.hpp>

#include <gtest/gtest.h>

#include <string>

#include "samples.hpp"

namespace unshade::vbc {

namespace {

using namespace test;

std::string type_text(BaseType type, unsigned components, unsigned columns, unsigned elements) {
  Text text;
  print_type(text, type, components, columns, elements);
  return text.str();
}

TEST(VbcFile, ReadsTextured) {
  const File file = sample("textured");
  EXPECT_TRUE(file.conforms());
  EXPECT_EQ(file.form, Form{});
  EXPECT_EQ(file.tables, TableSizes{});
  ASSERT_EQ(file.inputs.size(), 4U);
  EXPECT_EQ(file.inputs[3], (Variable{3, BaseType::signed_int, 1, 1, 1, {}}));
  ASSERT_EQ(file.outputs.size(), 1U);
  EXPECT_EQ(file.outputs[0], (Variable{0, BaseType::real, 4, 1, 1, {}}));
  ASSERT_EQ(file.bindings.size(), 2U);
  EXPECT_EQ(file.bindings[0].type, BaseType::sampler);
  EXPECT_EQ(file.bindings[0].stages, stage_bit(Stage::fragment));
  EXPECT_EQ(file.bindings[0].rank, Rank::d2);
  EXPECT_EQ(file.bindings[0].texel, TexelType::real);
  EXPECT_EQ(file.bindings[1].type, BaseType::ro_buffer);
  EXPECT_EQ(file.bindings[1].stages, stage_bit(Stage::vertex) | stage_bit(Stage::fragment));
  EXPECT_EQ(file.bindings[1].struct_bytes, 80);
  EXPECT_EQ(file.uniform.size, 96U);
  ASSERT_EQ(file.uniform.members.size(), 5U);
  EXPECT_EQ(file.uniform.members[0], (Member{"viewProjection", 0, BaseType::real, 4, 4, 1}));
  EXPECT_EQ(file.uniform.members[4], (Member{"mode", 92, BaseType::signed_int, 1, 1, 1}));
  EXPECT_EQ(file.code(Stage::vertex).size(), 4U * 0x2f5);
  EXPECT_EQ(file.code(Stage::fragment).size(), 4U * 0x333);
  EXPECT_TRUE(file.code(Stage::geometry).empty());
  EXPECT_EQ(file.places.bindings, 0x4dU);
}

TEST(VbcFile, ReadsParticles) {
  const File file = sample("particles");
  ASSERT_EQ(file.bindings.size(), 6U);
  EXPECT_EQ(file.bindings[5].slot, 7);
  EXPECT_EQ(file.bindings[5].rank, Rank::cube);
  EXPECT_EQ(file.bindings[3].type, BaseType::rw_texels);
  EXPECT_EQ(file.inputs[1].array_size, 3);
  EXPECT_EQ(file.uniform, Uniform{});
}

TEST(VbcFile, WhatIsReadIsWritten) {
  for (const char* name : kSamples) {
    const auto bytes = sample_bytes(name);
    const auto file = parse(view_of(bytes));
    ASSERT_TRUE(file) << name << to_string(file.error());
    EXPECT_EQ(write(*file), bytes) << name;
  }
}

TEST(VbcFile, EveryByteHasAName) {
  for (const char* name : kSamples) {
    const auto bytes = sample_bytes(name);
    Tree tree(view_of(bytes));
    record(view_of(bytes), tree, 0);
    tree.fill_gaps({});
    EXPECT_TRUE(tree.errors().empty()) << name << (tree.errors().empty() ? "" : to_string(tree.errors()[0]));
    EXPECT_EQ(tree.coverage().unknown, 0U) << name;
    EXPECT_EQ(tree.coverage().total, bytes.size()) << name;
    EXPECT_EQ(tree.coverage().named + tree.coverage().padding, bytes.size()) << name;
  }
}

TEST(VbcFile, TypesHaveTheNamesOfTheLanguage) {
  EXPECT_EQ(type_text(BaseType::real, 4, 2, 1), "float2x4");
  EXPECT_EQ(type_text(BaseType::real, 1, 1, 1), "float");
  EXPECT_EQ(type_text(BaseType::unsigned_int, 1, 1, 3), "uint[3]");
  EXPECT_EQ(type_text(BaseType::signed_int, 2, 2, 1), "type(2,2,2)");
  EXPECT_EQ(type_text(static_cast<BaseType>(9), 7, 0, 0), "type(9,7,0)[0]");
}

TEST(VbcFile, EveryTruncationIsAnError) {
  for (const char* name : kSamples) {
    const auto bytes = sample_bytes(name);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto file = parse(view_of(bytes).clamped(0, size));
      ASSERT_FALSE(file) << name << " cut to " << size;
      EXPECT_EQ(file.error().code, ErrorCode::truncated) << name << " cut to " << size;
    }
  }
}

struct Fault {
  const char* what;
  std::size_t offset;  // of the byte that is changed
  unsigned value;
  ErrorCode code;
  const char* path;
  std::uint64_t error_offset;
};

TEST(VbcFile, FaultsHaveCodePathAndOffset) {
  const auto good = sample_bytes("textured");
  const Fault faults[] = {
      {"magic", 1, 'X', ErrorCode::bad_magic, "VBC/magic", 0},
      {"version", 3, 2, ErrorCode::unsupported, "VBC/version", 3},
      {"shader type", 4, 2, ErrorCode::unsupported, "VBC/shader_type", 4},
      {"too many inputs", 0x1c, 0x7f, ErrorCode::truncated, "VBC/inputs", 0x1d},
      {"too many members", 0x63, 0xff, ErrorCode::truncated, "VBC/uniform/members", 0x65},
      {"vertex stage longer than the file", 6, 0xff, ErrorCode::truncated, "VBC/vertex", 0xac},
      {"SPIR-V magic", 0xac, 0, ErrorCode::bad_value, "VBC/vertex", 0xac},
  };
  for (const Fault& fault : faults) {
    auto bytes = good;
    bytes[fault.offset] = static_cast<std::byte>(fault.value);
    const auto file = parse(view_of(bytes));
    ASSERT_FALSE(file) << fault.what;
    EXPECT_EQ(file.error().code, fault.code) << fault.what << ' ' << to_string(file.error());
    EXPECT_EQ(file.error().path, fault.path) << fault.what;
    EXPECT_EQ(file.error().offset, fault.error_offset) << fault.what;
  }
}

TEST(VbcFile, OddBytesSurvive) {
  auto bytes = sample_bytes("particles");
  // paddings of an input, of a buffer; an unknown type, a stage mask of all bits
  for (const std::size_t at : {0x22U, 0x58U + 6, 0x1eU}) bytes[at] = std::byte{0x5a};
  const auto file = parse(view_of(bytes));
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(write(*file), bytes);
  bytes.push_back(std::byte{7});
  const auto longer = parse(view_of(bytes));
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->trailing.size(), 1U);
  EXPECT_FALSE(longer->conforms());
  EXPECT_EQ(write(*longer), bytes);
}

TEST(VbcFile, MutationsDoNoHarm) {
  std::uint32_t state = 1;
  const auto random = [&] { return state = state * 1664525 + 1013904223, state >> 8; };
  for (const char* name : kSamples) {
    const auto good = sample_bytes(name);
    for (int round = 0; round < 300; ++round) {
      auto bytes = good;
      for (unsigned n = 1 + random() % 4; n != 0; --n) {
        const std::size_t at = round % 2 == 0 ? random() % 0xb0 : random() % bytes.size();
        if (at < bytes.size()) bytes[at] = static_cast<std::byte>(random());
      }
      const auto file = parse(view_of(bytes));
      EXPECT_TRUE(!file || write(*file) == bytes) << name << ' ' << round;
      Tree tree(view_of(bytes));
      record(view_of(bytes), tree, 0);
    }
  }
}

}  // namespace

}  // namespace unshade::vbc
