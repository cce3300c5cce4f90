#include <unshade/dxcontainer/signature.hpp>

#include <algorithm>

#include "core/archive/reader.hpp"
#include "core/archive/writer.hpp"
#include "dxcontainer/signature_layout.hpp"

namespace unshade::dxcontainer {

namespace {

constexpr NamedValue kSystemValues[] = {
    {0, "undefined"},
    {1, "position"},
    {2, "clip_distance"},
    {3, "cull_distance"},
    {4, "render_target_array_index"},
    {5, "viewport_array_index"},
    {6, "vertex_id"},
    {7, "primitive_id"},
    {8, "instance_id"},
    {9, "is_front_face"},
    {10, "sample_index"},
    {11, "final_quad_edge_tessfactor"},
    {12, "final_quad_inside_tessfactor"},
    {13, "final_tri_edge_tessfactor"},
    {14, "final_tri_inside_tessfactor"},
    {15, "final_line_detail_tessfactor"},
    {16, "final_line_density_tessfactor"},
    {23, "barycentrics"},
    {24, "shading_rate"},
    {25, "cull_primitive"},
    {64, "target"},
    {65, "depth"},
    {66, "coverage"},
    {67, "depth_greater_equal"},
    {68, "depth_less_equal"},
    {69, "stencil_ref"},
    {70, "inner_coverage"},
};
constexpr NameTable kSystemValueNames{kSystemValues};
constexpr FieldType kSystemValueType{FieldKind::enumeration, "system value", &kSystemValueNames};

constexpr NamedValue kComponentTypes[] = {{0, "unknown"}, {1, "uint"},    {2, "int"},    {3, "float"}, {4, "uint16"},
                                          {5, "int16"},   {6, "float16"}, {7, "uint64"}, {8, "int64"}, {9, "double"}};
constexpr NameTable kComponentTypeNames{kComponentTypes};
constexpr FieldType kComponentTypeType{FieldKind::enumeration, "component type", &kComponentTypeNames};

constexpr NamedValue kMinPrecisions[] = {{0, "default"},  {1, "min16float"}, {2, "min2_8float"}, {3, "reserved"},
                                         {4, "min16int"}, {5, "min16uint"},  {0xf0, "any16"},    {0xf1, "any10"}};
constexpr NameTable kMinPrecisionNames{kMinPrecisions};
constexpr FieldType kMinPrecisionType{FieldKind::enumeration, "minimum precision", &kMinPrecisionNames};

struct LayoutRow {
  std::uint32_t fourcc;
  SignatureLayout layout;
};
constexpr LayoutRow kLayouts[] = {
    {fourcc("ISGN"), {false, false}}, {fourcc("OSGN"), {false, false}}, {fourcc("PCSG"), {false, false}}, {fourcc("OSG5"), {true, false}},
    {fourcc("ISG1"), {true, true}},   {fourcc("OSG1"), {true, true}},   {fourcc("PSG1"), {true, true}},
};

// The byte after the last text, if there is one.
std::byte fill_of(View data, const Signature& signature) {
  std::size_t end = 0;
  for (const SignatureElement& e : signature.elements) end = std::max(end, e.semantic.offset + e.semantic.text.size() + 1);
  return end != 0 && end < data.size() ? data.bytes()[end] : Signature{}.fill;
}

}  // namespace

const FieldType& field_type(SystemValue) { return kSystemValueType; }
const FieldType& field_type(ComponentType) { return kComponentTypeType; }
const FieldType& field_type(MinPrecision) { return kMinPrecisionType; }
std::string_view id(SystemValue value) { return kSystemValueNames.find(static_cast<std::uint32_t>(value)); }
std::string_view id(ComponentType type) { return kComponentTypeNames.find(static_cast<std::uint32_t>(type)); }
std::string_view id(MinPrecision precision) { return kMinPrecisionNames.find(static_cast<std::uint32_t>(precision)); }

SignatureLayout signature_layout(std::uint32_t fourcc) {
  for (const LayoutRow& row : kLayouts)
    if (row.fourcc == fourcc) return row.layout;
  return {};
}

bool is_signature(std::uint32_t fourcc) {
  for (const LayoutRow& row : kLayouts)
    if (row.fourcc == fourcc) return true;
  return false;
}

Result<Signature> parse_signature(const Part& part) {
  Signature signature;
  signature.layout = signature_layout(part.fourcc);
  signature.size = static_cast<std::uint32_t>(part.data.size());
  if (auto read = read_part(part.data, part.name(), signature); !read) return std::move(read).error();
  signature.fill = fill_of(part.data, signature);
  return signature;
}

void record_signature(const Part& part, Tree& tree, std::uint32_t group) {
  Signature signature;
  signature.layout = signature_layout(part.fourcc);
  record_part(part.data, part.name(), tree, group, signature);
}

std::vector<std::byte> write_signature(const Signature& signature) {
  Signature copy = signature;
  Writer writer(copy.fill);
  describe(writer, copy);
  return writer.finish(copy.size);
}

}  // namespace unshade::dxcontainer
