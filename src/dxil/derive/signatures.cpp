// Signature parts and SFI0 of a module's metadata. src: DXC DxilContainerAssembler.cpp, DxilProgramSignatureWriter, DxilFeatureInfoWriter
#include <algorithm>
#include <tuple>

#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/program/semantics.hpp>

#include "dxil/derive/steps.hpp"
#include "dxil/parts/text_table.hpp"
#include "dxil/program/part_vocabulary.hpp"

namespace unshade::dxil::derive {

using dxcontainer::fourcc;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

namespace {

constexpr std::size_t kHeaderBytes = 8;

TessellatorDomain domain_of(const EntryProperties& properties) {
  if (properties.hull) return properties.hull->domain;
  return properties.domain ? properties.domain->domain : TessellatorDomain::undefined;
}

std::uint32_t part_of(SignatureSide side) {
  return side == SignatureSide::input ? fourcc("ISG1") : side == SignatureSide::output ? fourcc("OSG1") : fourcc("PSG1");
}

}  // namespace

std::vector<std::byte> derive_signature(const ProgramMetadata& program, SignatureSide side) {
  const EntryPoint& entry = program.entries[0];
  const auto& elements = side == SignatureSide::input    ? entry.inputs
                         : side == SignatureSide::output ? entry.outputs
                                                         : entry.patch_or_primitives;
  const program::SignaturePoint point = program::signature_point(program.kind, side);
  // Patch constants go into a domain shader, and out of the others.
  const bool reads = side == SignatureSide::input || (side == SignatureSide::patch_or_primitives && program.kind == ShaderKind::domain);
  const bool says_usage = !is_before_validator(program, 5);
  const bool shares_names = !is_before_validator(program, 7);
  const TessellatorDomain domain = domain_of(read_entry_properties(program, entry));

  dxcontainer::Signature signature;
  signature.layout = dxcontainer::signature_layout(part_of(side));
  const auto is_in = [&](const MetadataElement& e) {
    const char letter = program::semantic_meaning(e.semantic, point).letter;
    return letter != program::kNotAvailable && letter != program::kNotInSignature;
  };
  std::size_t rows = 0;
  for (const MetadataElement& e : elements) rows += is_in(e) ? e.semantic_indexes.size() : 0;
  const auto names_at = static_cast<std::uint32_t>(kHeaderBytes + rows * signature.layout.stride());
  parts::TextTableWriter names;
  std::vector<SignatureElement>& items = signature.elements.items;
  for (const MetadataElement& e : elements) {
    const std::string_view name = semantic_name(e, program.kind, side);
    // Below version 1.7 each element has a name of its own, but for those of system values, which are texts of dxc's.
    const bool shared = shares_names || e.semantic != SemanticKind::arbitrary;
    const std::uint32_t offset = names_at + (shared ? names.add(name) : names.append(name));
    if (!is_in(e)) continue;
    SignatureElement item;
    item.stream = e.stream;
    item.semantic = {name, offset};
    const bool is_i1 = e.component_type == ComponentType::i1;
    item.component_type = is_i1 && !says_usage ? dxcontainer::ComponentType::unknown : component_type_info(e.component_type).stated;
    item.mask = e.mask();
    item.used_mask = stated_components(e, reads, says_usage);
    if (program.minimum_precision()) item.min_precision = component_type_info(e.component_type).precision;
    // observed in 7 mesh shaders: more indexes than rows, whose elements are all in one register then.
    const std::uint32_t step = e.semantic_indexes.empty() ? 0 : e.rows / static_cast<std::uint32_t>(e.semantic_indexes.size());
    for (std::size_t row = 0; row < e.semantic_indexes.size(); ++row) {
      item.semantic_index = e.semantic_indexes[row];
      item.system_value = program::system_value(e.semantic, domain);
      if (item.system_value == SystemValue::final_line_detail_tessfactor && row == 0)
        item.system_value = SystemValue::final_line_density_tessfactor;
      item.register_index =
          e.allocated() ? static_cast<std::uint32_t>(e.start_row) + static_cast<std::uint32_t>(row) * step : dxcontainer::kNoRegister;
      items.push_back(item);
    }
  }
  const auto key = [](const SignatureElement& e) { return std::tuple(e.stream, e.register_index, e.semantic.offset); };
  std::stable_sort(items.begin(), items.end(), [&](const SignatureElement& a, const SignatureElement& b) { return key(a) < key(b); });
  std::vector<std::byte> texts = names.take(shares_names ? parts::Padding::words : parts::Padding::none);
  signature.elements.offset = kHeaderBytes;
  signature.size = static_cast<std::uint32_t>(names_at + texts.size());
  signature.fill = std::byte{0};
  std::vector<std::byte> data = dxcontainer::write_signature(signature);
  // Names of elements that are not in the signature are there all the same.
  data.resize(names_at);
  data.insert(data.end(), texts.begin(), texts.end());
  return data;
}

std::vector<std::byte> derive_features(const ProgramMetadata& program) {
  constexpr std::uint64_t kOfPrograms = (std::uint64_t{1} << dxcontainer::kFirstOptionalFeature) - 1;
  const std::uint64_t flags = program.entries.empty() ? 0 : features_of_flags(program.entries[0].flags) & kOfPrograms;
  return dxcontainer::write_features(flags);
}

}  // namespace unshade::dxil::derive
