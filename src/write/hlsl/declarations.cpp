// Resources and memory as declarations that bind where the original bound.
#include <algorithm>
#include <bit>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/text.hpp>
#include <unshade/shader/hlsl/packing.hpp>

#include "write/hlsl/entry.hpp"
#include "write/hlsl/hlsl.hpp"
#include "write/places.hpp"

namespace unshade::write::hlsl {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using dxcontainer::ReturnType;
using source::ByteLayout;
using source::kRegister;
using Kind = source::ByteLayout::Kind;

namespace {

/// Where HLSL puts a part of a constant buffer after so many bytes.
std::uint32_t packed_at(const ByteLayout::Part& part, std::uint32_t after) {
  const bool is_vector = part.kind == Kind::scalar || part.kind == Kind::vector;
  return static_cast<std::uint32_t>(is_vector ? shader::packed_vector_at(after, bits_of(part.base) / 8, part.bytes)
                                              : shader::packed_aggregate_at(after));
}

}  // namespace

Base Hlsl::texel_base(std::uint32_t resource) const {
  const ReturnType type = writer_.module.resources[resource].return_type;
  if (const auto wide = wide_texels_.find(resource); wide != wide_texels_.end())
    return wide->second || type == ReturnType::sint ? Base::int64 : Base::uint64;
  switch (type) {
    case ReturnType::sint: return Base::int_;
    case ReturnType::uint: return Base::uint_;
    default: return Base::float_;
  }
}

// Components of a texel, as far as the file says.
unsigned Hlsl::texel_width(std::uint32_t resource) const {
  const ir::Resource& of = writer_.module.resources[resource];
  if (!is_uav(of.kind)) return 4;
  if (with_atomics_.contains(resource) || wide_texels_.contains(resource)) return 1;
  const auto* const row = writer_.reflected(of);
  return row == nullptr || row->components == 0 || row->components > 4 ? 4 : row->components;
}

std::string Hlsl::number_type(const ir::Resource& resource) const {
  const auto at = static_cast<std::uint32_t>(&resource - writer_.module.resources.data());
  std::string made = resource.return_type == ReturnType::unorm ? "unorm " : resource.return_type == ReturnType::snorm ? "snorm " : "";
  if (!is_uav(resource.kind)) made.clear();
  return made + type_name({texel_base(at), static_cast<std::uint8_t>(texel_width(at))});
}

std::string Hlsl::texture_type(std::uint32_t resource) const {
  const ir::Resource& of = writer_.module.resources[resource];
  if (of.attachment != ir::kNone)
    return (dxcontainer::is_multisampled(of.dimension) ? "SubpassInputMS<" : "SubpassInput<") + number_type(of) + '>';
  std::string made = is_uav(of.kind) ? (of.ordered ? "RasterizerOrdered" : "RW") : "";
  made += dxcontainer::hlsl_word(of.dimension);
  made += '<' + number_type(of);
  if (dxcontainer::is_multisampled(of.dimension)) {
    const auto* const row = writer_.reflected(of);
    if (row != nullptr && row->sample_count > 1) made += ", " + std::to_string(row->sample_count);
  }
  return made + '>';
}

std::string Hlsl::binding(const ir::Resource& resource) const {
  std::string letters(dxcontainer::register_letters(resource.kind));
  if (resource.kind == ResourceKind::cbuffer) letters = "b";
  std::string made = " : register(" + letters + std::to_string(resource.first_register);
  if (resource.space != 0) made += ", space" + std::to_string(resource.space);
  return made + ')';
}

std::string Hlsl::part_type(const ByteLayout& layout, std::uint32_t part) const {
  const ByteLayout::Part& of = layout.parts[part];
  switch (of.kind) {
    case Kind::scalar: return of.is_bool ? "bool" : type_name({of.base, 1});
    case Kind::vector:
      return layout.parts[of.inner].is_bool ? "bool" + std::to_string(of.count) : type_name({of.base, static_cast<std::uint8_t>(of.count)});
    case Kind::rows: return "row_major " + type_name({of.base, 1}) + std::to_string(of.count) + 'x' + std::to_string(of.across);
    case Kind::columns: return "column_major " + type_name({of.base, 1}) + std::to_string(of.across) + 'x' + std::to_string(of.count);
    case Kind::array: return part_type(layout, of.inner);
    case Kind::structure: return structure_name(layout, part);
  }
  return {};
}

// Structures lie where HLSL puts their members; what is directly in a constant buffer has an offset of its own.
bool Hlsl::can_lay_out(const ByteLayout& layout) const {
  const bool is_tight = layout.parts[layout.root].kind != Kind::structure || !layout.parts[layout.root].is_block;
  for (std::uint32_t at = 0; at < layout.parts.size(); ++at) {
    const ByteLayout::Part& of = layout.parts[at];
    if (of.kind == Kind::array && !is_tight && of.stride != round_up(layout.parts[of.inner].bytes, kRegister)) return false;
    if ((of.kind == Kind::rows || of.kind == Kind::columns) && !is_tight &&
        of.stride != round_up(bits_of(of.base) / 8 * of.across, kRegister))
      return false;
    if (of.kind == Kind::vector && layout.parts[of.inner].is_bool && of.count == 0) return false;
    if (of.kind != Kind::structure) continue;
    std::uint32_t after = 0;
    bool is_default = true, is_by_words = true;
    for (const ByteLayout::Member& member : of.members) {
      const ByteLayout::Part& part = layout.parts[member.part];
      if (at == layout.root && !is_tight) {
        if (packed_at(part, member.offset) != member.offset) return false;
        // `packoffset` counts words
        is_default = is_default && packed_at(part, after) == member.offset;
        is_by_words = is_by_words && member.offset % 4 == 0;
        if (!is_default && !is_by_words) return false;
        after = member.offset + part.bytes;
        continue;
      }
      const std::uint32_t expected = is_tight ? round_up(after, layout.alignment(member.part)) : packed_at(part, after);
      if (expected != member.offset) return false;
      after = member.offset + part.bytes;
    }
  }
  return true;
}

void Hlsl::declare_constants(Text& out, std::uint32_t resource) {
  const ir::Resource& of = writer_.module.resources[resource];
  const source::Memory& memory = writer_.memory_of(resource);
  const ByteLayout& layout = memory.layout;
  const std::string& name = writer_.resource_name(resource);
  declare_structures(out, layout, true);
  std::vector<std::string> members;
  if (memory.is_registers) {
    members.push_back(declaration(layout, layout.root, memory.name));
  } else {
    const ByteLayout::Part& root = layout.parts[layout.root];
    std::uint32_t after = 0;
    bool is_default = true;
    for (const ByteLayout::Member& member : root.members) {
      is_default = is_default && packed_at(layout.parts[member.part], after) == member.offset;
      after = member.offset + layout.parts[member.part].bytes;
    }
    for (const ByteLayout::Member& member : root.members) {
      std::string text = declaration(layout, member.part, member.name);
      if (!is_default) {
        text += " : packoffset(c" + std::to_string(member.offset / kRegister);
        if (member.offset % kRegister != 0) (text += '.') += "xyzw"[member.offset % kRegister / 4];
        text += ')';
      }
      members.push_back(std::move(text));
    }
  }
  if (of.count != 1) {
    const std::string type =
        writer_.names.claim(writer_.name_of_resource(resource) + "_type", resource, source::Names::Kind::resource).shown;
    out << "struct " << type << " {\n";
    for (const std::string& member : members) out << "  " << member << ";\n";
    out << "};\nConstantBuffer<" << type << "> " << name << '[';
    if (of.count != 0) out.dec(of.count);
    out << ']' << binding(of) << ";\n\n";
    return;
  }
  constexpr std::uint32_t kNoSet = 0xffff'ffff;
  const bool is_pushed = of.in_set && of.space == kNoSet;
  if (is_pushed) {
    out << "[[vk::push_constant]]\n";
  } else if (of.in_set) {
    ((out << "[[vk::binding(").dec(of.first_register) << ", ").dec(of.space) << ")]]\n";
  }
  out << "cbuffer " << name << (is_pushed ? std::string() : binding(of)) << " {\n";
  for (const std::string& member : members) out << "  " << member << ";\n";
  out << "};\n\n";
}

// `out` gets the structures that it needs.
std::string Hlsl::resource_type(Text& out, std::uint32_t resource) {
  const ir::Resource& of = writer_.module.resources[resource];
  std::string type;
  switch (of.kind) {
    case ResourceKind::sampler: type = of.comparison || comparing_.contains(resource) ? "SamplerComparisonState" : "SamplerState"; break;
    case ResourceKind::texture:
    case ResourceKind::uav_typed:
    case ResourceKind::tbuffer: type = texture_type(resource); break;
    case ResourceKind::structured:
    case ResourceKind::uav_structured:
    case ResourceKind::uav_structured_with_counter:
    case ResourceKind::uav_append:
    case ResourceKind::uav_consume: {
      const ByteLayout& layout = writer_.memory_of(resource).layout;
      declare_structures(out, layout, false);
      std::string element = part_type(layout, layout.root);
      // the default, which glslang does not take in an argument
      constexpr std::string_view kDefault = "column_major ";
      if (element.starts_with(kDefault)) element.erase(0, kDefault.size());
      type = std::string(is_uav(of.kind) ? (of.ordered ? "RasterizerOrdered" : "RW") : "") + "StructuredBuffer<" + element + '>';
      break;
    }
    case ResourceKind::uav_feedback:
      type = std::string("Feedback") + std::string(dxcontainer::hlsl_word(of.dimension)) +
             (of.feedback == dxcontainer::SamplerFeedback::min_mip ? "<SAMPLER_FEEDBACK_MIN_MIP>" : "<SAMPLER_FEEDBACK_MIP_REGION_USED>");
      break;
    case ResourceKind::acceleration_structure: type = "RaytracingAccelerationStructure"; break;
    case ResourceKind::byte_address: type = "ByteAddressBuffer"; break;
    case ResourceKind::uav_byte_address: type = of.ordered ? "RasterizerOrderedByteAddressBuffer" : "RWByteAddressBuffer"; break;
    default: writer_.unsupported("a resource of the kind " + std::string(id(of.kind)));
  }
  return type;
}

void Hlsl::declare_resource(Text& out, std::uint32_t resource) {
  const ir::Resource& of = writer_.module.resources[resource];
  const std::string type = resource_type(out, resource);
  if (of.attachment != ir::kNone) (out << "[[vk::input_attachment_index(").dec(of.attachment) << ")]] ";
  if (of.in_set) ((out << "[[vk::binding(").dec(of.first_register) << ", ").dec(of.space) << ")]] ";
  if (of.coherent && is_uav(of.kind)) out << "globallycoherent ";
  out << type << ' ' << writer_.resource_name(resource);
  if (of.count != 1) {
    out << '[';
    if (of.count != 0) out.dec(of.count);
    out << ']';
  }
  out << (of.attachment != ir::kNone ? std::string() : binding(of)) << ";\n";
}

void Hlsl::declare_variable(Text& out, std::uint32_t variable) {
  const ir::Variable& of = writer_.module.variables[variable];
  const source::Memory& memory = writer_.variable(variable);
  const std::string text = declaration(memory.layout, memory.layout.root, memory.name);
  if (of.space == ir::Space::payload) {
    out << "struct Payload {\n  " << declaration(memory.layout, memory.layout.root, "words") << ";\n};\n";
    if (writer_.module.stage == Stage::amplification) out << "groupshared Payload payload;\n";
    return;
  }
  if (of.space == ir::Space::group) {
    out << "groupshared " << text << ";\n";
    return;
  }
  out << "static " << (of.space == ir::Space::constant ? "const " : "") << text;
  if (!of.initial.empty()) {
    // each element in turn, as the layout nests them
    const ByteLayout& layout = memory.layout;
    const auto bits_at = [&](std::uint32_t byte, std::uint32_t count) {
      std::uint64_t bits = 0;
      for (std::uint32_t k = 0; k < count && byte + k < of.initial.size(); ++k)
        bits |= std::to_integer<std::uint64_t>(of.initial[byte + k]) << (8 * k);
      return bits;
    };
    std::string values;
    constexpr std::size_t kMostText = 1U << 20;
    const auto add = [&](const auto& self, std::uint32_t part, std::uint32_t byte) -> void {
      const ByteLayout::Part& one = layout.parts[part];
      if (values.size() > kMostText) return writer_.unsupported("a table of so many numbers");
      switch (one.kind) {
        case Kind::scalar: values += literal(one.base, bits_at(byte, one.bytes), false); break;
        case Kind::vector:
          values += type_name({one.base, static_cast<std::uint8_t>(one.count)}) + '(';
          for (std::uint32_t k = 0; k < one.count; ++k) {
            if (k != 0) values += ", ";
            self(self, one.inner, byte + k * one.stride);
          }
          values += ')';
          break;
        default:
          values += "{";
          for (std::uint32_t k = 0; k < one.count; ++k) {
            if (k != 0) values += ", ";
            self(self, one.inner, byte + k * one.stride);
          }
          values += '}';
      }
    };
    add(add, layout.root, 0);
    out << " = " << values;
  }
  out << ";\n";
}

void Hlsl::declare(Text& out) {
  const ir::Module& module = writer_.module;
  if (writer_.reflection != nullptr && !writer_.reflection->profile.empty()) out << "// " << writer_.reflection->profile << '\n';
  if (writer_.is_strict()) out << "// No arithmetic may be rearranged: compile it with IEEE strictness (/Gis).\n";
  if (!out.view().empty()) out << '\n';
  out << heap_structures_.view();
  declare_classes(out);
  for (std::uint32_t at = 0; at < module.resources.size(); ++at)
    if (module.resources[at].kind == ResourceKind::cbuffer && !module.resources[at].heap) declare_constants(out, at);
  bool any = false;
  for (std::uint32_t at = 0; at < module.resources.size(); ++at) {
    if (module.resources[at].kind == ResourceKind::cbuffer || module.resources[at].heap) continue;
    // textures of SPIR-V may have samplers that nothing uses
    if (module.resources[at].kind == ResourceKind::sampler && module.resources[at].in_set && !writer_.is_resource_used(at)) continue;
    declare_resource(out, at);
    any = true;
  }
  for (std::uint32_t at = 0; at < module.variables.size(); ++at) {
    if (!writer_.is_variable_used(at)) continue;
    declare_variable(out, at);
    any = true;
  }
  if (any) out << '\n';
  if (has(ir::SignatureKind::input) && module.stage != Stage::compute) declare_struct(out, ir::SignatureKind::input, "Input", 0);
  // each of these stages has a list of points, whatever is in them
  if (module.stage == Stage::geometry && !has(ir::SignatureKind::input)) out << "struct Input {\n  float4 unused : UNUSED;\n};\n\n";
  if ((module.stage == Stage::hull || module.stage == Stage::geometry) && !has(ir::SignatureKind::output))
    out << "struct Output {\n  float4 unused : UNUSED;\n};\n\n";
  if (has(ir::SignatureKind::output))
    for (const std::uint32_t stream : streams()) declare_struct(out, ir::SignatureKind::output, numbered("Output", stream), stream);
  if (has(ir::SignatureKind::patch)) declare_struct(out, ir::SignatureKind::patch, patch_struct(), 0);
  for (const std::string& text : writer_.helpers()) out << text << '\n';
}

}  // namespace unshade::write::hlsl

namespace unshade::write::source {

std::unique_ptr<Target> make_hlsl(ModuleWriter& writer) { return std::make_unique<hlsl::Hlsl>(writer); }

}  // namespace unshade::write::source
