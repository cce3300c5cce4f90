// `Subobjects`: parts of a raytracing pipeline that a library defines, from RDAT or, if that has none, from metadata.
#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/shown.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/rdat.hpp>

#include "dxil/listing/dxc_style.hpp"
#include "dxil/listing/sections.hpp"
#include "dxil/module/metadata_tuple.hpp"

namespace unshade::dxil::listing {

namespace {

struct Subobject {
  SubobjectKind kind = SubobjectKind::state_object_config;
  std::string_view name;
  std::uint32_t flags = 0;
  std::uint32_t depth = 0;  ///< of recursion
  std::uint32_t payload_bytes = 0;
  std::uint32_t attribute_bytes = 0;
  std::uint32_t signature_bytes = 0;  ///< of a root signature
  std::string_view signature_text;
  std::string_view subobject;
  std::vector<std::string_view> exports;
  HitGroupType hit_group = HitGroupType::triangle;
  std::string_view any_hit, closest_hit, intersection;
};

std::string_view subobject_text(SubobjectKind kind) {
  switch (kind) {
    case SubobjectKind::state_object_config: return "StateObjectConfig";
    case SubobjectKind::global_root_signature: return "GlobalRootSignature";
    case SubobjectKind::local_root_signature: return "LocalRootSignature";
    case SubobjectKind::subobject_to_exports_association: return "SubobjectToExportsAssociation";
    case SubobjectKind::raytracing_shader_config: return "RaytracingShaderConfig";
    case SubobjectKind::raytracing_pipeline_config: return "RaytracingPipelineConfig";
    case SubobjectKind::hit_group: return "HitGroup";
    case SubobjectKind::raytracing_pipeline_config1: return "RaytracingPipelineConfig1";
  }
  return {};
}

struct FlagText {
  std::uint32_t flag;
  std::string_view text;
};
constexpr FlagText kStateObjectFlags[] = {
    {1, "STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS"},
    {2, "STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS"},
    {4, "STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS"},
};
constexpr FlagText kPipelineFlags[] = {
    {0x100, "RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES"},
    {0x200, "RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES"},
    {0x400, "RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS"},
};
constexpr std::size_t kPipelineFlagsBeforeMicromaps = 2;

void list_flags(Text& out, std::uint32_t flags, std::span<const FlagText> texts, std::string_view invalid) {
  if (flags == 0) out << '0';
  bool first = true;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    const std::uint32_t flag = flags & (1U << bit);
    if (flag == 0) continue;
    if (!first) out << " | ";
    first = false;
    const auto found = std::find_if(texts.begin(), texts.end(), [&](const FlagText& text) { return text.flag == flag; });
    out << (found == texts.end() ? invalid : found->text);
  }
}

void list_quoted(Text& out, std::string_view text) { out << '"' << printable(text) << '"'; }

void list_contents(const Subobject& s, const DxcStyle& style, std::size_t limit, Text& out) {
  constexpr std::string_view kHitGroups[] = {"Triangle", "ProceduralPrimitive"};
  switch (s.kind) {
    case SubobjectKind::state_object_config: list_flags(out, s.flags, kStateObjectFlags, "<invalid StateObjectFlag>"); break;
    case SubobjectKind::global_root_signature:
    case SubobjectKind::local_root_signature:
      out << '<';
      out.dec(s.signature_bytes) << " bytes>";
      if (s.signature_text.empty()) break;
      out << ", ";
      list_quoted(out, s.signature_text);
      break;
    case SubobjectKind::subobject_to_exports_association:
      list_quoted(out, s.subobject);
      out << ", { ";
      for (std::size_t i = 0; i < s.exports.size() && out.size() <= limit; ++i) {
        if (i != 0) out << ", ";
        list_quoted(out, s.exports[i]);
      }
      out << " } ";
      break;
    case SubobjectKind::raytracing_shader_config:
      out << "MaxPayloadSizeInBytes = ";
      out.dec(s.payload_bytes) << ", MaxAttributeSizeInBytes = ";
      out.dec(s.attribute_bytes);
      break;
    case SubobjectKind::raytracing_pipeline_config:
      out << "MaxTraceRecursionDepth = ";
      out.dec(s.depth);
      break;
    case SubobjectKind::hit_group: {
      const auto type = static_cast<std::size_t>(s.hit_group);
      out << "HitGroupType = " << (type < std::size(kHitGroups) ? kHitGroups[type] : "<invalid HitGroupType>") << ", Anyhit = ";
      list_quoted(out, s.any_hit);
      out << ", Closesthit = ";
      list_quoted(out, s.closest_hit);
      out << ", Intersection = ";
      list_quoted(out, s.intersection);
      break;
    }
    case SubobjectKind::raytracing_pipeline_config1:
      out << "MaxTraceRecursionDepth = ";
      out.dec(s.depth) << ", Flags = ";
      list_flags(out, s.flags,
                 std::span(kPipelineFlags).first(style.opacity_micromaps ? std::size(kPipelineFlags) : kPipelineFlagsBeforeMicromaps),
                 "<invalid RaytracingPipelineFlags>");
      break;
  }
}

void list_all(std::span<const Subobject> subobjects, const DxcStyle& style, std::size_t limit, Text& out) {
  if (subobjects.empty()) return;
  out << ";\n; Subobjects:\n;\n";
  for (const Subobject& subobject : subobjects) {
    if (out.size() > limit) return;
    out << ";  " << subobject_text(subobject.kind) << ' ' << printable(subobject.name) << " = { ";
    list_contents(subobject, style, limit, out);
    out << " };\n";
  }
  out << ";\n";
}

/// Index arrays may be shared, so that few bytes could stand for very many exports.
constexpr std::size_t kExportsPerByte = 1;

}  // namespace

void list_subobjects(const Rdat& rdat, const DxcStyle& style, std::size_t limit, Text& out) {
  std::vector<Subobject> subobjects;
  std::set<std::string_view> names;
  bool sound = true;
  std::size_t budget = rdat.index_arrays.size() * kExportsPerByte;
  for (const RdatSubobject& row : rdat.subobjects) {
    const bool twice = names.contains(row.name.text);
    const bool signature = row.kind == SubobjectKind::global_root_signature || row.kind == SubobjectKind::local_root_signature;
    if (twice || subobject_text(row.kind).empty() || (signature && row.root_signature.size == 0)) {
      sound = sound && subobject_text(row.kind).empty();
      continue;
    }
    Subobject s;
    s.kind = row.kind;
    s.name = row.name.text;
    s.flags = row.flags;
    s.depth = row.max_recursion_depth;
    s.payload_bytes = row.max_payload_bytes;
    s.attribute_bytes = row.max_attribute_bytes;
    s.signature_bytes = row.root_signature.size;
    s.subobject = row.subobject.text;
    if (row.kind == SubobjectKind::subobject_to_exports_association) {
      const RdatIndexes indexes = rdat.indexes(row.exports_array);
      const std::size_t count = std::min(indexes.size(), budget);
      budget -= count;
      for (std::size_t i = 0; i < count; ++i) s.exports.push_back(rdat.text(indexes[i]));
    }
    s.hit_group = row.hit_group;
    s.any_hit = row.any_hit.text;
    s.closest_hit = row.closest_hit.text;
    s.intersection = row.intersection.text;
    names.insert(s.name);
    subobjects.push_back(std::move(s));
  }
  if (!sound) out << "; error occurred while loading Subobjects from RDAT.\n";
  list_all(subobjects, style, limit, out);
}

void list_metadata_subobjects(const Module& module, const DxcStyle& style, std::size_t limit, Text& out) {
  std::vector<Subobject> subobjects;
  std::size_t budget = module.metadata_operands.size();
  module::for_each_tuple(module, "dx.subobjects", [&](const module::MetadataTuple& tuple) {
    Subobject s;
    s.name = tuple.text(0);
    s.kind = static_cast<SubobjectKind>(tuple.u32(1));
    if (tuple.size() < 2 || subobject_text(s.kind).empty()) return;
    switch (s.kind) {
      case SubobjectKind::state_object_config: s.flags = tuple.u32(2); break;
      case SubobjectKind::global_root_signature:
      case SubobjectKind::local_root_signature:
        if (const Constant* bytes = tuple.tuple(2).constant(0)) s.signature_bytes = bytes->literals.count;
        s.signature_text = tuple.text(3);
        break;
      case SubobjectKind::subobject_to_exports_association: {
        s.subobject = tuple.text(2);
        const module::MetadataTuple exports = tuple.tuple(3);
        const std::size_t count = std::min(exports.size(), budget);
        budget -= count;
        for (std::size_t i = 0; i < count; ++i) s.exports.push_back(exports.text(i));
        break;
      }
      case SubobjectKind::raytracing_shader_config:
        s.payload_bytes = tuple.u32(2);
        s.attribute_bytes = tuple.u32(3);
        break;
      case SubobjectKind::raytracing_pipeline_config: s.depth = tuple.u32(2); break;
      case SubobjectKind::hit_group:
        s.hit_group = static_cast<HitGroupType>(tuple.u32(2));
        s.intersection = tuple.text(3);
        s.any_hit = tuple.text(4);
        s.closest_hit = tuple.text(5);
        break;
      case SubobjectKind::raytracing_pipeline_config1:
        s.depth = tuple.u32(2);
        s.flags = tuple.u32(3);
        break;
    }
    subobjects.push_back(std::move(s));
  });
  list_all(subobjects, style, limit, out);
}

}  // namespace unshade::dxil::listing
