#include <unshade/dxil/psv.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/support/dxil_samples.hpp"

namespace unshade::dxil {
namespace {

using test::Bytes;
using test::loose;
using test::view_of;

Bytes psv_of(std::string_view sample) { return test::part_data(test::dxil_sample(sample), "PSV0"); }

Psv parsed(const Bytes& data) {
  auto psv = parse_psv(loose("PSV0", data));
  EXPECT_TRUE(psv) << (psv ? "" : to_string(psv.error()));
  return psv ? *std::move(psv) : Psv{};
}

/// A vertex shader that takes POSITION 0 and gives SV_Position, in a version of PSV0.
Psv vertex_shader(std::uint32_t size) {
  Psv psv;
  psv.info.size = size;
  psv.info.kind = ShaderKind::vertex;
  psv.info.stage.output_position_present = 1;
  psv.resource_stride = size < 48 ? 16 : 24;
  psv.resources.resize(1);
  psv.resources[0].type = PsvResourceType::cbv;
  psv.resources[0].kind = size < 48 ? ResourceKind::invalid : ResourceKind::cbuffer;
  if (size < 36) return psv;
  psv.info.entry_name.text = "main";
  psv.info.input_vectors = 1;
  psv.info.output_vectors[0] = 1;
  psv.semantic_indexes = {0};
  PsvSignatureElement in;
  in.semantic_name.text = "POSITION";
  in.rows = 1;
  in.column_bits = 0x43;
  in.component_type = dxcontainer::ComponentType::float32;
  psv.inputs.push_back(in);
  PsvSignatureElement out;
  out.rows = 1;
  out.column_bits = 0x44;
  out.semantic_kind = SemanticKind::position;
  out.component_type = dxcontainer::ComponentType::float32;
  psv.outputs.push_back(out);
  return psv;
}

TEST(Psv, WritesSamplesAsTheyWereRead) {
  for (const std::string_view name : test::kDxilSamples) {
    const Bytes data = psv_of(name);
    if (data.empty()) continue;
    EXPECT_EQ(write_psv(parsed(data)), data) << name;
  }
}

TEST(Psv, ReadsWhatStagesHave) {
  const Psv hull = parsed(psv_of("tessellate_hs_6_5.dxil"));
  EXPECT_EQ(hull.info.version(), 4U);
  EXPECT_EQ(hull.info.kind, ShaderKind::hull);
  EXPECT_EQ(hull.info.stage.tessellator_domain, TessellatorDomain::quad);
  EXPECT_EQ(hull.info.stage.output_control_point_count, 4U);
  EXPECT_GT(hull.info.patch_or_primitive_vectors, 0);
  EXPECT_EQ(hull.patch_or_primitives.size(), std::size_t{hull.info.patch_element_count});
  EXPECT_FALSE(hull.input_patch_constants.empty());
  EXPECT_FALSE(hull.info.entry_name.empty());

  const Psv geometry = parsed(psv_of("expand_gs_6_0.dxil"));
  EXPECT_EQ(geometry.info.kind, ShaderKind::geometry);
  EXPECT_GT(geometry.info.max_vertex_count, 0);
  EXPECT_NE(geometry.info.stage.output_stream_mask, 0U);

  const Psv mesh = parsed(psv_of("mesh_ms_6_5.dxil"));
  EXPECT_EQ(mesh.info.mesh_topology, MeshTopology::triangle);
  EXPECT_GT(mesh.info.stage.max_output_vertices, 0);
  EXPECT_GT(mesh.info.num_threads[0], 0U);

  const Psv pixel = parsed(psv_of("inputs_ps_6_4.dxil"));
  EXPECT_EQ(pixel.info.uses_view_id, 1);
  EXPECT_FALSE(pixel.view_id_outputs[0].bytes.empty());
  EXPECT_TRUE(pixel.view_id_outputs[1].bytes.empty());
}

TEST(Psv, EveryVersionIsWrittenAndReadBack) {
  for (const std::uint32_t size : {24U, 36U, 48U, 52U, 56U}) {
    const Bytes data = write_psv(vertex_shader(size));
    auto again = parse_psv(loose("PSV0", data), ShaderKind::vertex);
    ASSERT_TRUE(again) << size << ": " << to_string(again.error());
    EXPECT_EQ(again->info.version(), size == 24 ? 0U : size == 36 ? 1U : size == 48 ? 2U : size == 52 ? 3U : 4U);
    EXPECT_EQ(again->info.kind, ShaderKind::vertex) << size;
    EXPECT_EQ(again->info.stage.output_position_present, 1);
    ASSERT_EQ(again->resources.size(), 1U);
    EXPECT_EQ(again->resources[0].type, PsvResourceType::cbv);
    EXPECT_EQ(again->resources[0].kind, size >= 48 ? ResourceKind::cbuffer : ResourceKind::invalid);
    if (size >= 36) {
      ASSERT_EQ(again->inputs.size(), 1U);
      EXPECT_EQ(again->inputs[0].semantic_name, "POSITION");
      EXPECT_EQ(again->inputs[0].columns(), 3U);
      EXPECT_TRUE(again->inputs[0].allocated());
      EXPECT_EQ(again->indexes_of(again->inputs[0]).size(), 1U);
      EXPECT_TRUE(again->outputs[0].semantic_name.empty());
      EXPECT_EQ(again->input_outputs[0].bytes.size(), 16U);  // 4 components of one register, a mask of a dword each
    }
    EXPECT_EQ(again->info.entry_name.text, size >= 52 ? "main" : "");
    EXPECT_EQ(write_psv(*again), data) << size;
  }
}

TEST(Psv, FieldsOfVersionsToComeAreKept) {
  Psv psv = vertex_shader(56);
  Bytes data = write_psv(psv);
  data.insert(data.begin() + 4 + 56, 8, std::byte{7});
  test::put_u32(data, 0, 64);
  const auto again = parse_psv(loose("PSV0", data));
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->info.extra.size(), 8U);
  EXPECT_EQ(again->inputs[0].semantic_name, "POSITION");
  EXPECT_EQ(write_psv(*again), data);
}

TEST(Psv, MasksTellWhichOutputsDependOnWhichInputs) {
  const Bytes bits = test::from_hex("03000000 00000000 80000000 00000000");
  const DependencyTable table{view_of(bits), 1, 1};
  EXPECT_TRUE(table.outputs_of(0).test(0));
  EXPECT_TRUE(table.outputs_of(0).test(1));
  EXPECT_FALSE(table.outputs_of(0).test(2));
  EXPECT_FALSE(table.outputs_of(1).test(0));
  EXPECT_TRUE(table.outputs_of(2).test(7));
  EXPECT_FALSE(table.outputs_of(9).test(0));
}

struct Fault {
  std::size_t at;
  std::uint32_t value;
  ErrorCode code;
  std::uint64_t offset;
  std::string_view path;
};

TEST(Psv, FaultsAreLocated) {
  const Bytes good = write_psv(vertex_shader(52));
  // size, info, resource count, stride, 24 bytes, bytes of strings, 16 bytes of them, count of indexes, index, stride, elements
  constexpr std::size_t kCount = 56;
  constexpr std::size_t kStrings = kCount + 8 + 24;
  constexpr std::size_t kIndexes = kStrings + 4 + 16;
  constexpr std::size_t kStride = kIndexes + 8;
  const Fault faults[] = {
      {0, 23, ErrorCode::bad_value, 0, "PSV0/runtime_info_bytes"},
      {0, 4000, ErrorCode::truncated, 60, "PSV0/runtime_info/extra"},
      {kCount, 5, ErrorCode::truncated, kCount + 8, "PSV0/resources"},
      {kCount + 4, 8, ErrorCode::bad_value, kCount + 4, "PSV0/resource_stride"},
      {4 + 48, 99, ErrorCode::out_of_range, 4 + 48, "PSV0/entry_name"},
      {kStrings, 4000, ErrorCode::truncated, kStrings, "PSV0/strings_bytes"},
      {kIndexes, 0x4000'0000, ErrorCode::truncated, kIndexes + 4, "PSV0/semantic_indexes"},
      {kStride, 12, ErrorCode::bad_value, kStride, "PSV0/element_stride"},
      {kStride + 4, 77, ErrorCode::out_of_range, kStride + 4, "PSV0/inputs[0]/semantic_name"},
  };
  for (const Fault& fault : faults) {
    Bytes bad = good;
    test::put_u32(bad, fault.at, fault.value);
    const auto psv = parse_psv(loose("PSV0", bad));
    ASSERT_FALSE(psv) << fault.path;
    EXPECT_EQ(psv.error().code, fault.code) << to_string(psv.error());
    EXPECT_EQ(psv.error().offset, fault.offset) << to_string(psv.error());
    EXPECT_EQ(psv.error().path, fault.path);
  }
}

TEST(Psv, EveryTruncationIsAnErrorWithAPath) {
  for (const std::string_view name : test::kDxilSamples) {
    const Bytes data = psv_of(name);
    for (std::size_t size = 0; size < data.size(); ++size) {
      const auto psv = parse_psv({dxcontainer::fourcc("PSV0"), 0, view_of(data).clamped(0, size)});
      ASSERT_FALSE(psv) << name << ' ' << size;
      EXPECT_TRUE(psv.error().path.starts_with("PSV0/")) << to_string(psv.error());
      EXPECT_LE(psv.error().offset, size);
    }
  }
}

TEST(Psv, TheTreeNamesEveryByte) {
  for (const std::string_view name : test::kDxilSamples) {
    const Bytes data = psv_of(name);
    if (data.empty()) continue;
    Tree tree(view_of(data));
    record_psv(loose("PSV0", data), tree, 0);
    EXPECT_TRUE(tree.errors().empty()) << name;
    EXPECT_EQ(test::covered(tree).unknown, 0U) << name;
  }
}

TEST(Psv, DamagedPartsAreReadOrRefused) {
  for (const std::string_view name : {"tessellate_hs_6_5.dxil", "expand_gs_6_0.dxil", "inputs_ps_6_4.dxil"}) {
    test::for_damaged(psv_of(name), 2000, [&](const Bytes& bytes) {
      Tree tree(view_of(bytes));
      record_psv(loose("PSV0", bytes), tree, 0);
      EXPECT_EQ(test::covered(tree).total, bytes.size());
      const auto psv = parse_psv(loose("PSV0", bytes));
      if (!psv) {
        EXPECT_FALSE(psv.error().path.empty());
        return;
      }
      EXPECT_EQ(tree.errors().size(), 0U);
      EXPECT_EQ(write_psv(*psv), bytes);
    });
  }
}

}  // namespace
}  // namespace unshade::dxil
