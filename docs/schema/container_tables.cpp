// Tables of docs/reference/formats/dxcontainer.md, and of MSF in docs/reference/formats/debug.md.
#include <unshade/dxcontainer/features.hpp>

#include <unshade/dxcontainer/pdb/msf_layout.hpp>

#include "dxcontainer/container_layout.hpp"
#include "dxcontainer/root_signature/layout.hpp"
#include "dxcontainer/signature_layout.hpp"
#include "tables.hpp"

namespace unshade::docs {

namespace {

using namespace dxcontainer;

constexpr RootSignatureVersion kRoot10 = RootSignatureVersion::v1_0;
constexpr RootSignatureVersion kRoot11 = RootSignatureVersion::v1_1;
constexpr RootSignatureVersion kRoot12 = RootSignatureVersion::v1_2;

void root_body(Text& out, RootParameterType type) {
  RootParameter parameter;
  parameter.type = type;
  bytes_of(out, RootParameterBody{&parameter}, kRoot11);
}

void part_kind_rows(Text& out) {
  out << "| FourCC | holds |\n|---|---|\n";
  for (const PartKind& kind : part_kinds()) out << "| `" << kind.name << "` | " << kind.summary << " |\n";
}

void feature_rows(Text& out) {
  out << "| bit | feature |\n|---:|---|\n";
  for (const Feature& feature : features()) (out << "| ").dec(feature.bit) << " | `" << feature.id << "` |\n";
}

constexpr Table kTables[] = {
    {"container.header", [](Text& out) { bytes_of(out, ContainerHeader{}); }},
    {"container.part_offset", [](Text& out) { bytes_of(out, PartOffset{}); }},
    {"container.part_header", [](Text& out) { bytes_of(out, PartHeader{}); }},
    {"container.part_kinds", part_kind_rows},
    {"signature.part", [](Text& out) { bytes_of(out, Signature{}); }},
    {"signature.element", [](Text& out) { bytes_of(out, SignatureElement{}, SignatureLayout{}); }},
    {"signature.element_1", [](Text& out) { bytes_of(out, SignatureElement{}, signature_layout(fourcc("OSG1"))); }},
    {"features", feature_rows},
    {"root.signature", [](Text& out) { bytes_of(out, RootSignature{}); }},
    {"root.parameter", [](Text& out) { bytes_of(out, RootParameter{}, kRoot11); }},
    {"root.descriptor_table", [](Text& out) { root_body(out, RootParameterType::descriptor_table); }},
    {"root.constants", [](Text& out) { root_body(out, RootParameterType::constants); }},
    {"root.descriptor", [](Text& out) { root_body(out, RootParameterType::cbv); }},
    {"root.range_1_0", [](Text& out) { bytes_of(out, DescriptorRange{}, kRoot10); }},
    {"root.range_1_1", [](Text& out) { bytes_of(out, DescriptorRange{}, kRoot11); }},
    {"root.static_sampler", [](Text& out) { bytes_of(out, StaticSampler{}, kRoot12); }},
    {"msf.superblock", [](Text& out) { bytes_of(out, pdb::Superblock{}); }},
    {"msf.directory", [](Text& out) { bytes_of(out, pdb::Directory{}, std::uint32_t{512}); }},
};

}  // namespace

std::span<const Table> container_tables() { return kTables; }

}  // namespace unshade::docs
