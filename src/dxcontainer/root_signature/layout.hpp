// The one description of root signatures.
#pragma once

#include <unshade/core/archive/archive.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature_words.hpp>

namespace unshade::dxcontainer {

/// Bytes: 20 in 1.0; 24 from 1.1 on. src: DXC lib/DxilRootSignature, DxilContainerDescriptorRange(1)
template <class Archive>
void describe(Archive& a, DescriptorRange& r, const RootSignatureVersion& version) {
  a.enum32("type", r.type);
  a.u32("count", r.count);
  a.u32("base_register", r.base_register);
  a.u32("space", r.space);
  if (version != RootSignatureVersion::v1_0) a.u32("flags", r.flags, kDataFlags);
  a.u32("offset_in_table", r.offset_in_table);
}

/// The target of a parameter's offset, by its type.
struct RootParameterBody {
  RootParameter* parameter = nullptr;
};
template <class Archive>
void describe(Archive& a, RootParameterBody& body, const RootSignatureVersion& version) {
  RootParameter fallback;  // a schema has no parameter to read into
  RootParameter& p = body.parameter != nullptr ? *body.parameter : fallback;
  switch (p.type) {
    case RootParameterType::descriptor_table: {
      const std::size_t stride = version == RootSignatureVersion::v1_0 ? 20 : 24;
      a.table("ranges", p.ranges, stride, version);
      break;
    }
    case RootParameterType::constants:
      a.u32("register", p.shader_register);
      a.u32("space", p.space);
      a.u32("count", p.constant_count);
      break;
    default:
      a.u32("register", p.shader_register);
      a.u32("space", p.space);
      if (version != RootSignatureVersion::v1_0) a.u32("flags", p.flags, kDataFlags);
      break;
  }
}

/// Bytes: 12, and the target of the offset.
template <class Archive>
void describe(Archive& a, RootParameter& p, const RootSignatureVersion& version) {
  a.enum32("type", p.type);
  a.enum32("visibility", p.visibility);
  RootParameterBody body{&p};
  a.record_at("body", p.offset, body, version);
}

/// Bytes: 52; 56 in 1.2.
template <class Archive>
void describe(Archive& a, StaticSampler& s, const RootSignatureVersion& version) {
  a.enum32("filter", s.filter);
  a.enum32("address_u", s.address_u);
  a.enum32("address_v", s.address_v);
  a.enum32("address_w", s.address_w);
  a.f32("mip_lod_bias", s.mip_lod_bias);
  a.u32("max_anisotropy", s.max_anisotropy);
  a.enum32("comparison", s.comparison);
  a.enum32("border_color", s.border_color);
  a.f32("min_lod", s.min_lod);
  a.f32("max_lod", s.max_lod);
  a.u32("register", s.shader_register);
  a.u32("space", s.space);
  a.enum32("visibility", s.visibility);
  if (version == RootSignatureVersion::v1_2) a.u32("flags", s.flags, kSamplerFlags);
}

/// Bytes: 24. src: DXC lib/DxilRootSignature, DxilContainerRootSignatureDesc
template <class Archive>
void describe(Archive& a, RootSignature& r) {
  a.enum32("version", r.version);
  if (Archive::kReads && (r.version < RootSignatureVersion::v1_0 || r.version > RootSignatureVersion::v1_2))
    a.fail_at(ErrorCode::unsupported, 0, "version", "expected version 1.0, 1.1 or 1.2");
  std::uint32_t parameter_count = static_cast<std::uint32_t>(r.parameters.size());
  std::uint32_t sampler_count = static_cast<std::uint32_t>(r.static_samplers.size());
  a.u32("parameter_count", parameter_count, kCount);
  a.records_at("parameters", r.parameters, parameter_count, 12, r.version);
  a.u32("static_sampler_count", sampler_count, kCount);
  a.records_at("static_samplers", r.static_samplers, sampler_count, r.version == RootSignatureVersion::v1_2 ? 56 : 52, r.version);
  a.u32("flags", r.flags, kRootFlags);
}

}  // namespace unshade::dxcontainer
