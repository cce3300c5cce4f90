// What dxc prints of a container's parts, before anything of the module: features, signatures, debug name, hash.
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/parts.hpp>

#include "core/characters.hpp"
#include "dxil/listing/sections.hpp"

namespace unshade::dxil {

namespace {

using dxcontainer::ComponentType;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

struct SystemValueText {
  SystemValue value;
  std::string_view text;
};
constexpr SystemValueText kSystemValues[] = {
    {SystemValue::undefined, "NONE"},
    {SystemValue::position, "POS"},
    {SystemValue::clip_distance, "CLIPDST"},
    {SystemValue::cull_distance, "CULLDST"},
    {SystemValue::render_target_array_index, "RTINDEX"},
    {SystemValue::viewport_array_index, "VPINDEX"},
    {SystemValue::vertex_id, "VERTID"},
    {SystemValue::primitive_id, "PRIMID"},
    {SystemValue::instance_id, "INSTID"},
    {SystemValue::is_front_face, "FFACE"},
    {SystemValue::sample_index, "SAMPLE"},
    {SystemValue::final_quad_edge_tessfactor, "QUADEDGE"},
    {SystemValue::final_quad_inside_tessfactor, "QUADINT"},
    {SystemValue::final_tri_edge_tessfactor, "TRIEDGE"},
    {SystemValue::final_tri_inside_tessfactor, "TRIINT"},
    {SystemValue::final_line_detail_tessfactor, "LINEDET"},
    {SystemValue::final_line_density_tessfactor, "LINEDEN"},
    {SystemValue::barycentrics, "BARYCEN"},
    {SystemValue::shading_rate, "SHDINGRATE"},
    {SystemValue::cull_primitive, "CULLPRIM"},
    {SystemValue::target, "TARGET"},
    {SystemValue::depth, "DEPTH"},
    {SystemValue::coverage, "COVERAGE"},
    {SystemValue::depth_greater_equal, "DEPTHGE"},
    {SystemValue::depth_less_equal, "DEPTHLE"},
    {SystemValue::stencil_ref, "STENCILREF"},
    {SystemValue::inner_coverage, "INNERCOV"},
};

std::string_view system_value_text(SystemValue value) {
  for (const SystemValueText& row : kSystemValues)
    if (row.value == value) return row.text;
  return kSystemValues[0].text;
}

/// By ComponentType.
constexpr std::string_view kFormats[] = {"unknown", "uint", "int", "float", "uint16", "int16", "fp16", "uint64", "int64", "double"};

std::string_view format_text(ComponentType type) {
  const auto index = static_cast<std::uint32_t>(type);
  return index < std::size(kFormats) ? kFormats[index] : kFormats[0];
}

/// Where a value goes that has no register, by its semantic, with the blanks that the listing puts in front.
struct SpecialRegister {
  std::string_view semantic;
  std::string_view text;
};
constexpr SpecialRegister kSpecialRegisters[] = {
    {"sv_depth", "   oDepth"},    {"sv_depthgreaterequal", " oDepthGE"}, {"sv_depthlessequal", " oDepthLE"},
    {"sv_coverage", "    oMask"}, {"sv_stencilref", "    oStencilRef"},
};

std::string_view special_register(const SignatureElement& element) {
  for (const SpecialRegister& row : kSpecialRegisters)
    if (same_letters(element.semantic.text, row.semantic)) return row.text;
  return element.system_value == SystemValue::primitive_id ? "   primID" : "  special";
}

void list_mask(Text& out, unsigned mask) {
  for (unsigned i = 0; i < 4; ++i) out << ((mask >> i & 1) != 0 ? "xyzw"[i] : ' ');
}

void list_element(const SignatureElement& element, bool streams, bool input, Text& out) {
  out << "; ";
  if (streams) {
    out << 'm';
    out.dec(element.stream) << ':';
    out.left(element.semantic.text, 17);
  } else {
    out.left(element.semantic.text, 20);
  }
  out << ' ';
  out.dec(element.semantic_index, 5);
  const bool placed = element.register_index != dxcontainer::kNoRegister;
  if (placed) {
    out << "   ";
    list_mask(out, element.mask);
    out << ' ';
    out.dec(element.register_index, 8);
  } else {
    out << "    N/A" << special_register(element);
  }
  out.right(system_value_text(element.system_value), 9);
  out.right(format_text(element.component_type), 8);
  // In what a stage puts out the mask says what is never written.
  const unsigned used = input ? element.used_mask : static_cast<std::uint8_t>(~element.used_mask);
  if (placed) {
    out << "   ";
    list_mask(out, used);
  } else {
    out << (used != 0 ? "    YES" : "     NO");
  }
  out << '\n';
}

Result<void> list_signature(const Part* part, std::string_view name, bool input, std::size_t limit, Text& out) {
  if (part == nullptr) return {};
  auto signature = dxcontainer::parse_signature(*part);
  if (!signature) return std::move(signature).error();
  out << ";\n; " << name
      << " signature:\n"
         ";\n"
         "; Name                 Index   Mask Register SysValue  Format   Used\n"
         "; -------------------- ----- ------ -------- -------- ------- ------\n";
  const auto& elements = signature->elements;
  if (elements.empty()) {
    out << "; no parameters\n";
    return {};
  }
  bool streams = false;
  for (const SignatureElement& element : elements) streams = streams || element.stream != 0;
  for (const SignatureElement& element : elements)
    if (out.size() <= limit) list_element(element, streams, input, out);
  out << ";\n";
  return {};
}

Result<void> list_features(const Part* part, Text& out) {
  if (part == nullptr) return {};
  const auto flags = dxcontainer::parse_features(*part);
  if (!flags) return flags.error();
  if (*flags == 0) return {};
  out << ";\n; Note: shader requires additional functionality:\n";
  const auto list = [&](bool optional) {
    for (const dxcontainer::Feature& feature : dxcontainer::features())
      if ((feature.bit >= dxcontainer::kFirstOptionalFeature) == optional && (*flags >> feature.bit & 1) != 0)
        out << ";       " << feature.text << '\n';
    out << ";\n";
  };
  list(false);
  if (*flags >> dxcontainer::kFirstOptionalFeature == 0) return {};
  out << "; Note: shader has optional feature flags set:\n";
  list(true);
  return {};
}

void list_debug_name(const Part* part, Text& out) {
  if (part == nullptr) return;
  const auto name = parse_debug_name(*part);
  if (!name) {
    out << "; shader debug name present; corruption detected\n";
  } else if (!name->name.empty()) {
    out << "; shader debug name: " << name->name << '\n';
  }
}

Result<void> list_hash(const Part* part, Text& out) {
  if (part == nullptr) return {};
  const auto hash = parse_hash(*part);
  if (!hash) return hash.error();
  out << "; shader hash: ";
  for (const std::byte byte : hash->digest) out.hex(static_cast<std::uint8_t>(byte), 2);
  if ((hash->flags & ShaderHash::kIncludesSource) != 0) out << " (includes source)";
  out << '\n';
  return {};
}

}  // namespace

Result<void> list_container_parts(const dxcontainer::Container& container, std::size_t limit, Text& out) {
  if (auto done = list_features(container.find(fourcc("SFI0")), out); !done) return done;
  if (auto done = list_signature(container.find(fourcc("ISG1")), "Input", true, limit, out); !done) return done;
  if (auto done = list_signature(container.find(fourcc("OSG1")), "Output", false, limit, out); !done) return done;
  if (auto done = list_signature(container.find(fourcc("PSG1")), "Patch Constant", false, limit, out); !done) return done;
  list_debug_name(container.find(fourcc("ILDN")), out);
  return list_hash(container.find(fourcc("HASH")), out);
}

}  // namespace unshade::dxil
