#include <unshade/dxil/rdat.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/support/dxil_samples.hpp"

namespace unshade::dxil {
namespace {

using test::Bytes;
using test::loose;
using test::view_of;

constexpr std::string_view kLibraries[] = {"exported_lib_6_3.dxil", "graph_lib_6_8.dxil", "rays_lib_6_7.dxil"};

Bytes rdat_of(std::string_view sample) { return test::part_data(test::dxil_sample(sample), "RDAT"); }

Rdat parsed(const Bytes& data) {
  auto rdat = parse_rdat(loose("RDAT", data));
  EXPECT_TRUE(rdat) << (rdat ? "" : to_string(rdat.error()));
  return rdat ? *std::move(rdat) : Rdat{};
}

/// A library of one function that uses one resource.
struct Built {
  Bytes arrays = test::from_hex("01000000 00000000");
  Rdat rdat;

  Built() {
    rdat.index_arrays = view_of(arrays);
    rdat.resources.rows.resize(1);
    rdat.resources[0].resource_class = ResourceClass::uav;
    rdat.resources[0].kind = ResourceKind::raw_buffer;
    rdat.resources[0].name.text = "sums";
    rdat.functions.rows.resize(1);
    rdat.functions[0].name.text = "?work@@YAXXZ";
    rdat.functions[0].unmangled_name.text = "work";
    rdat.functions[0].resources_array = 0;
    rdat.functions[0].features = std::uint64_t{1} << 41 | 1;
  }
};

TEST(Rdat, WritesSamplesAsTheyWereRead) {
  for (const std::string_view name : kLibraries) {
    const Bytes data = rdat_of(name);
    ASSERT_FALSE(data.empty());
    EXPECT_EQ(write_rdat(parsed(data)), data) << name;
  }
}

TEST(Rdat, ReadsNodes) {
  const Bytes data = rdat_of("graph_lib_6_8.dxil");
  const Rdat rdat = parsed(data);
  ASSERT_EQ(rdat.functions.size(), 3U);
  EXPECT_EQ(rdat.functions.stride, 52U);
  EXPECT_EQ(rdat.functions[0].kind, ShaderKind::node);
  EXPECT_FALSE(rdat.functions[0].unmangled_name.empty());
  ASSERT_LT(rdat.functions[0].shader_record, rdat.node_shaders.size());
  const RdatNodeShader& node = rdat.node_shaders[rdat.functions[0].shader_record];
  EXPECT_EQ(node.launch, NodeLaunch::broadcasting);
  const RdatIndexes attributes = rdat.indexes(node.attributes_array);
  ASSERT_FALSE(attributes.empty());
  bool has_threads = false;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    ASSERT_LT(attributes[i], rdat.node_function_attributes.size());
    const auto& attribute = rdat.node_function_attributes[attributes[i]];
    if (attribute.kind != NodeFunctionAttribute::num_threads) continue;
    has_threads = true;
    EXPECT_EQ(rdat.indexes(attribute.value).size(), 3U);
  }
  EXPECT_TRUE(has_threads);
}

TEST(Rdat, SubobjectsHaveWhatTheirKindHas) {
  const Bytes signature = test::from_hex("02000000 00000000 18000000 00000000 18000000 00000000");
  const Bytes arrays = test::from_hex("01000000 00000000");
  Rdat made;
  made.raw_bytes = view_of(signature);
  made.index_arrays = view_of(arrays);
  for (const SubobjectKind kind :
       {SubobjectKind::state_object_config, SubobjectKind::local_root_signature, SubobjectKind::subobject_to_exports_association,
        SubobjectKind::raytracing_shader_config, SubobjectKind::raytracing_pipeline_config, SubobjectKind::hit_group,
        SubobjectKind::raytracing_pipeline_config1, static_cast<SubobjectKind>(5)}) {
    RdatSubobject& s = made.subobjects.rows.emplace_back();
    s.kind = kind;
    s.name.text = "name";
    s.flags = 0x100;
    s.root_signature = {0, 24};
    s.subobject.text = "other";
    s.exports_array = 0;
    s.max_payload_bytes = 16;
    s.max_attribute_bytes = 8;
    s.max_recursion_depth = 3;
    s.hit_group = HitGroupType::procedural_primitive;
    s.any_hit.text = "any";
    s.closest_hit.text = "closest";
    s.intersection.text = "";
  }
  const Bytes data = write_rdat(made);
  const Rdat rdat = parsed(data);
  ASSERT_EQ(rdat.subobjects.size(), 8U);
  EXPECT_EQ(rdat.subobjects.stride, 24U);
  EXPECT_EQ(rdat.subobjects[0].flags, 0x100U);
  EXPECT_EQ(rdat.bytes(rdat.subobjects[1].root_signature).size(), 24U);
  EXPECT_EQ(rdat.subobjects[2].subobject, "other");
  EXPECT_EQ(rdat.indexes(rdat.subobjects[2].exports_array).size(), 1U);
  EXPECT_EQ(rdat.subobjects[3].max_attribute_bytes, 8U);
  EXPECT_EQ(rdat.subobjects[4].max_recursion_depth, 3U);
  EXPECT_EQ(rdat.subobjects[5].hit_group, HitGroupType::procedural_primitive);
  EXPECT_EQ(rdat.subobjects[5].closest_hit, "closest");
  EXPECT_TRUE(rdat.subobjects[5].intersection.empty());
  EXPECT_EQ(rdat.subobjects[6].flags, 0x100U);
  EXPECT_EQ(rdat.subobjects[7].extra.size(), 16U);
  EXPECT_EQ(write_rdat(rdat), data);
  EXPECT_EQ(rdat.indexes(kNullReference).size(), 0U);
  EXPECT_EQ(rdat.indexes(0x4000'0000).size(), 0U);
}

// No released validator writes them: sizes by the header's structs.
TEST(Rdat, StagesHaveRecordsOfTheirSizes) {
  struct Case {
    RdatTable<RdatStage> Rdat::* table;
    std::uint32_t stride;
  };
  for (const Case& c : {Case{&Rdat::vertex_shaders, 16}, Case{&Rdat::pixel_shaders, 8}, Case{&Rdat::hull_shaders, 48},
                        Case{&Rdat::domain_shaders, 40}, Case{&Rdat::geometry_shaders, 28}, Case{&Rdat::compute_shaders, 8},
                        Case{&Rdat::mesh_shaders, 48}, Case{&Rdat::amplification_shaders, 12}}) {
    Rdat made;
    (made.*c.table).rows.resize(2);
    (made.*c.table)[1].outputs_array = 0;
    (made.*c.table)[1].num_threads_array = 0;
    const Bytes data = write_rdat(made);
    EXPECT_EQ(data.size(), 8U + 4 + 8 + 8 + 2 * c.stride);
    const Rdat rdat = parsed(data);
    ASSERT_EQ((rdat.*c.table).size(), 2U);
    EXPECT_EQ((rdat.*c.table).stride, c.stride);
    EXPECT_EQ(write_rdat(rdat), data);
  }
}

TEST(Rdat, AModelWithoutPlacesGetsThem) {
  const Built built;
  const Bytes data = write_rdat(built.rdat);
  const Rdat rdat = parsed(data);
  ASSERT_EQ(rdat.functions.size(), 1U);
  EXPECT_EQ(rdat.functions.stride, 52U);
  EXPECT_EQ(rdat.functions[0].name, "?work@@YAXXZ");
  EXPECT_EQ(rdat.functions[0].unmangled_name, "work");
  EXPECT_EQ(rdat.functions[0].features, std::uint64_t{1} << 41 | 1);
  ASSERT_EQ(rdat.indexes(rdat.functions[0].resources_array).size(), 1U);
  EXPECT_EQ(rdat.resources[rdat.indexes(0)[0]].name, "sums");
  // Its texts begin with the empty one, as dxc writes them.
  EXPECT_EQ(rdat.text(0), "");
  EXPECT_EQ(write_rdat(rdat), data);
}

TEST(Rdat, MoreRecordsMoveWhatFollows) {
  const Bytes data = rdat_of("graph_lib_6_8.dxil");
  Rdat rdat = parsed(data);
  RdatFunction function;
  function.name.text = "another";
  function.unmangled_name.text = "another";
  rdat.functions.rows.push_back(function);
  const Bytes longer = write_rdat(rdat);
  const Rdat again = parsed(longer);
  ASSERT_EQ(again.functions.size(), 4U);
  EXPECT_EQ(again.functions[3].name, "another");
  EXPECT_EQ(again.functions[0].name.text, rdat.functions[0].name.text);
  EXPECT_EQ(again.node_shaders.size(), rdat.node_shaders.size());
  EXPECT_EQ(again.index_arrays.bytes().size(), rdat.index_arrays.size());
}

// A piece of type 99, a table of functions with records shorter than ever, a second buffer of strings.
TEST(Rdat, WhatIsNotKnownIsKept) {
  const Bytes data = test::from_hex(
      "10000000 04000000 18000000 24000000 30000000 48000000"
      "63000000 04000000 aabbccdd"
      "01000000 04000000 00616200"
      "04000000 10000000 01000000 08000000 0102030405060708"
      "01000000 04000000 00787900");
  const Rdat rdat = parsed(data);
  ASSERT_EQ(rdat.parts.size(), 4U);
  EXPECT_TRUE(rdat.parts[0].kept);
  EXPECT_FALSE(rdat.parts[1].kept);
  EXPECT_TRUE(rdat.parts[2].kept);
  EXPECT_TRUE(rdat.parts[3].kept);
  EXPECT_TRUE(rdat.functions.empty());
  EXPECT_EQ(rdat.text(1), "ab");
  EXPECT_EQ(write_rdat(rdat), data);
  Tree tree(view_of(data));
  record_rdat(loose("RDAT", data), tree, 0);
  EXPECT_EQ(test::covered(tree).unknown, 0U);
}

TEST(Rdat, RecordsOfVersionsToComeAreKept) {
  // resource table with records of 40 bytes
  const Bytes data = test::from_hex(
      "10000000 02000000 10000000 1c000000"
      "01000000 04000000 00616200"
      "03000000 30000000 01000000 28000000"
      "00000000 02000000 00000000 00000000 00000000 00000000 01000000 00000000 11223344 55667788");
  const Rdat rdat = parsed(data);
  ASSERT_EQ(rdat.resources.size(), 1U);
  EXPECT_EQ(rdat.resources[0].name, "ab");
  EXPECT_EQ(rdat.resources[0].extra.size(), 8U);
  EXPECT_EQ(write_rdat(rdat), data);
}

struct Fault {
  std::size_t at;
  std::uint32_t value;
  ErrorCode code;
  std::uint64_t offset;
  std::string_view path;
};

TEST(Rdat, FaultsAreLocated) {
  const Built built;
  // version, count, 4 offsets; string_buffer at 24 (8 + 24), resource_table at 56 (8 + 8 + 32), function_table at 104, index_arrays at 172
  const Bytes good = write_rdat(built.rdat);
  ASSERT_EQ(view_of(good).u32(12), 56U);
  ASSERT_EQ(view_of(good).u32(16), 104U);
  const Fault faults[] = {
      {0, 2, ErrorCode::unsupported, 0, "RDAT/version"},
      {4, 0x4000'0000, ErrorCode::truncated, 8, "RDAT/part_offsets"},
      {12, 0xffff'fff0, ErrorCode::out_of_range, 12, "RDAT/part_offsets"},
      {60, 4000, ErrorCode::truncated, 60, "RDAT/resource_table/size"},
      {64, 4000, ErrorCode::truncated, 64, "RDAT/resource_table/count"},
      {72 + 24, 4000, ErrorCode::out_of_range, 72 + 24, "RDAT/resource_table/records[0]/name"},
      {120, 4000, ErrorCode::out_of_range, 120, "RDAT/function_table/records[0]/name"},
  };
  for (const Fault& fault : faults) {
    Bytes bad = good;
    test::put_u32(bad, fault.at, fault.value);
    const auto rdat = parse_rdat(loose("RDAT", bad));
    ASSERT_FALSE(rdat) << fault.path;
    EXPECT_EQ(rdat.error().code, fault.code) << to_string(rdat.error());
    EXPECT_EQ(rdat.error().offset, fault.offset) << to_string(rdat.error());
    EXPECT_EQ(rdat.error().path, fault.path);
  }
}

TEST(Rdat, EveryTruncationIsAnErrorWithAPath) {
  for (const std::string_view name : kLibraries) {
    const Bytes data = rdat_of(name);
    for (std::size_t size = 0; size < data.size(); ++size) {
      const auto rdat = parse_rdat({dxcontainer::fourcc("RDAT"), 0, view_of(data).clamped(0, size)});
      ASSERT_FALSE(rdat) << name << ' ' << size;
      EXPECT_TRUE(rdat.error().path.starts_with("RDAT/")) << to_string(rdat.error());
      EXPECT_LE(rdat.error().offset, size);
    }
  }
}

TEST(Rdat, TheTreeNamesEveryByte) {
  for (const std::string_view name : kLibraries) {
    const Bytes data = rdat_of(name);
    Tree tree(view_of(data));
    record_rdat(loose("RDAT", data), tree, 0);
    EXPECT_TRUE(tree.errors().empty()) << name;
    EXPECT_EQ(test::covered(tree).unknown, 0U) << name;
  }
}

TEST(Rdat, PiecesDoNotShareBytes) {
  const Built built;
  Bytes data = write_rdat(built.rdat);
  test::put_u32(data, 16, *view_of(data).u32(12) + 8);
  const auto rdat = parse_rdat(loose("RDAT", data));
  ASSERT_FALSE(rdat);
  EXPECT_EQ(rdat.error().code, ErrorCode::overlap);
  EXPECT_EQ(rdat.error().path, "RDAT/part_offsets");
  test::put_u32(data, 16, 8);
  EXPECT_EQ(parse_rdat(loose("RDAT", data)).error().code, ErrorCode::out_of_range);
}

TEST(Rdat, DamagedPartsAreReadOrRefused) {
  for (const std::string_view name : kLibraries) {
    test::for_damaged(rdat_of(name), 2000, [&](const Bytes& bytes) {
      Tree tree(view_of(bytes));
      record_rdat(loose("RDAT", bytes), tree, 0);
      EXPECT_EQ(test::covered(tree).total, bytes.size());
      const auto rdat = parse_rdat(loose("RDAT", bytes));
      if (!rdat) {
        EXPECT_FALSE(rdat.error().path.empty());
        return;
      }
      const Bytes written = write_rdat(*rdat);
      const auto again = parse_rdat(loose("RDAT", written));
      ASSERT_TRUE(again) << to_string(again.error());
      EXPECT_EQ(write_rdat(*again), written);
    });
  }
}

}  // namespace
}  // namespace unshade::dxil
