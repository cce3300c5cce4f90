// What dxc prints of a container's parts, before anything of the module: features, signatures, debug name, hash.
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include <unshade/core/lanes.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxcontainer/words.hpp>
#include <unshade/dxil/parts.hpp>

#include "dxil/listing/dxc_style.hpp"
#include "dxil/listing/sections.hpp"

namespace unshade::dxil::listing {

namespace {

using dxcontainer::ComponentType;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::SignatureElement;
using dxcontainer::SystemValue;

/// dxc's tables have fxc's words.
template <class E>
std::string_view text_of(E value, E otherwise) {
  const std::string_view word = fxc_text(value);
  return word.empty() ? fxc_text(otherwise) : word;
}

void list_element(const SignatureElement& element, bool streams, bool input, Text& out) {
  out << "; ";
  if (streams) {
    out << 'm';
    out.dec(element.stream) << ':';
    out.left(printable(element.semantic.text), 17);
  } else {
    out.left(printable(element.semantic.text), 20);
  }
  out << ' ';
  out.dec(element.semantic_index, 5);
  const bool placed = element.register_index != dxcontainer::kNoRegister;
  if (placed) {
    out << "   ";
    out << WriteMask(element.mask).columns(' ');
    out << ' ';
    out.dec(element.register_index, 8);
  } else {
    out << "    N/A" << dxcontainer::special_register_text(element.semantic.text, element.system_value);
  }
  out.right(text_of(element.system_value, SystemValue::undefined), 9);
  out.right(text_of(element.component_type, ComponentType::unknown), 8);
  // In what a stage puts out the mask says what is never written.
  const unsigned used = input ? element.used_mask : static_cast<std::uint8_t>(~element.used_mask);
  if (placed) {
    out << "   ";
    out << WriteMask(used).columns(' ');
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

/// A flag's name, empty if this dxc has none.
std::string_view feature_text(const dxcontainer::Feature& feature, const DxcStyle& style) {
  constexpr std::uint32_t kWaveMatrix = 27;
  if (feature.bit >= dxcontainer::kFirstOptionalFeature ? !style.optional_features : feature.bit >= style.features) return {};
  return feature.bit == kWaveMatrix && !style.wave_matrix_flag ? std::string_view("<RESERVED>") : feature.text;
}

Result<void> list_features(const Part* part, const DxcStyle& style, Text& out) {
  if (part == nullptr) return {};
  const auto flags = dxcontainer::parse_features(*part);
  if (!flags) return flags.error();
  if (*flags == 0) return {};
  out << ";\n; Note: shader requires additional functionality:\n";
  const auto list = [&](bool optional) {
    for (const dxcontainer::Feature& feature : dxcontainer::features())
      if ((feature.bit >= dxcontainer::kFirstOptionalFeature) == optional && (*flags >> feature.bit & 1) != 0)
        if (const std::string_view text = feature_text(feature, style); !text.empty()) out << ";       " << text << '\n';
    out << ";\n";
  };
  list(false);
  if (!style.optional_features || *flags >> dxcontainer::kFirstOptionalFeature == 0) return {};
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
    out << "; shader debug name: " << printable(name->name) << '\n';
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

Result<void> list_container_parts(const dxcontainer::Container& container, const DxcStyle& style, std::size_t limit, Text& out) {
  if (auto done = list_features(container.find(fourcc("SFI0")), style, out); !done) return done;
  if (auto done = list_signature(container.find(fourcc("ISG1")), "Input", true, limit, out); !done) return done;
  if (auto done = list_signature(container.find(fourcc("OSG1")), "Output", false, limit, out); !done) return done;
  const std::string_view patch = style.patch_word_once ? "Patch Constant" : "Patch Constant signature";
  if (auto done = list_signature(container.find(fourcc("PSG1")), patch, false, limit, out); !done) return done;
  list_debug_name(container.find(fourcc("ILDN")), out);
  return list_hash(container.find(fourcc("HASH")), out);
}

}  // namespace unshade::dxil::listing
