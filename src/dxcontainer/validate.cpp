#include <unshade/dxcontainer/validate.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxcontainer/words.hpp>

#include "dxcontainer/root_signature/validate.hpp"

namespace unshade::dxcontainer {

namespace {

constexpr auto kRules = [] {
  std::array rules{
#define UNSHADE_RULE(name, id, severity, summary) &rules::name,
#include <unshade/dxcontainer/rules.def>
#undef UNSHADE_RULE
#define UNSHADE_RULE(name, id, severity, summary) &root_signature::rules::name,
#include "dxcontainer/root_signature/rules.def"
#undef UNSHADE_RULE
  };
  std::ranges::sort(rules, {}, &Rule::id);
  return rules;
}();

/// Register files of inputs and outputs have this many registers. src: D3D11_VS_OUTPUT_REGISTER_COUNT and its like, d3d11.h
constexpr std::uint32_t kRegisterCount = 32;
constexpr std::uint32_t kStreamCount = 4;
constexpr std::uint8_t kAllComponents = 0xf;

bool less_name(std::string_view a, std::string_view b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return upper(x) < upper(y); });
}

/// Whether a semantic has a system value. src: HLSL documentation, "Semantics". The factors of tessellation have long names too, which
/// fxc's assembler takes: SV_FinalQuadEdgeTessFactor.
bool names_system_value(std::string_view semantic, SystemValue value) {
  if (same_letters(semantic, dxc_text(value))) return true;
  constexpr std::string_view kPrefix = "SV_";
  if (value < SystemValue::final_quad_edge_tessfactor || value > SystemValue::final_line_density_tessfactor) return false;
  return semantic.size() > kPrefix.size() && same_letters(semantic.substr(0, kPrefix.size()), kPrefix) &&
         same_letters(semantic.substr(kPrefix.size()), kNamesOf<SystemValue, &Word::llvm>.find(static_cast<std::uint32_t>(value)));
}

/// What of the rules of signatures depends on the program beside them.
struct SignatureUse {
  bool is_dxil = false;
  bool is_mesh = false;  ///< observed: the registers of vertices and those of primitives are numbered from 0 each
};

void check_element(const SignatureElement& e, SignatureUse use, bool is_input, bool is_output, std::uint64_t offset,
                   const std::string& path, Findings& findings) {
  if (e.semantic.empty()) findings.add(rules::kSignatureSemanticEmpty, offset, path, "no semantic name");
  if (e.mask == 0 || e.mask > kAllComponents)
    findings.add(rules::kSignatureMask, offset, path, shown_mask(e.mask) + ", expected one to four of xyzw");
  // Those of DXIL are compared with the module elsewhere.
  if (is_input && !use.is_dxil && (e.used_mask & ~e.mask) != 0)
    findings.add(rules::kSignatureUsedMask, offset, path,
                 "used components " + shown_mask(e.used_mask) + ", but the element has " + shown_mask(e.mask));
  if (e.register_index >= kRegisterCount && e.register_index != kNoRegister)
    findings.add(rules::kSignatureRegister, offset, path, "register " + std::to_string(e.register_index));
  if (e.stream >= kStreamCount || (e.stream != 0 && !is_output))
    findings.add(rules::kSignatureStream, offset, path, "stream " + std::to_string(e.stream));
  // dxc writes no type for booleans if the validator is older than 1.5, and for what its own modules know no type of.
  if ((e.component_type == ComponentType::unknown && !use.is_dxil) || id(e.component_type).empty())
    findings.add(rules::kSignatureComponentType, offset, path,
                 "component type " + std::to_string(static_cast<std::uint32_t>(e.component_type)));
  if (id(e.min_precision).empty())
    findings.add(rules::kSignatureMinPrecision, offset, path,
                 "minimum precision " + std::to_string(static_cast<std::uint32_t>(e.min_precision)));
  if (id(e.system_value).empty()) {
    findings.add(rules::kSignatureSystemValue, offset, path, "system value " + std::to_string(static_cast<std::uint32_t>(e.system_value)));
  } else if (e.system_value != SystemValue::undefined && !names_system_value(e.semantic.text, e.system_value)) {
    findings.add(rules::kSignatureSystemValueName, offset, path,
                 "semantic " + quoted(e.semantic.text) + " with system value " + std::string(id(e.system_value)));
  }
}

void check_signature(const Part& part, SignatureUse use, Findings& findings) {
  const auto signature = parse_signature(part);
  if (!signature) return add_unreadable(signature.error(), findings);
  const bool is_input = role_of(part.fourcc) == PartRole::input;
  const bool is_output = role_of(part.fourcc) == PartRole::output && signature->layout.has_stream;
  const auto& elements = signature->elements;
  const auto offset_of = [&](std::size_t i) {
    return part.data.file_offset() + elements.offset + std::uint64_t{signature->layout.stride()} * i;
  };
  const auto path_of = [&](std::size_t i) { return std::string(part.name()) + "/elements[" + std::to_string(i) + ']'; };

  // Components taken, and by which element, of each register and stream.
  struct Taken {
    std::uint8_t mask = 0;
    std::uint32_t element = 0;
  };
  std::vector<Taken> taken(kRegisterCount * kStreamCount);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const SignatureElement& e = elements[i];
    check_element(e, use, is_input, is_output, offset_of(i), path_of(i), findings);
    if (use.is_mesh || e.register_index >= kRegisterCount || e.stream >= kStreamCount) continue;
    Taken& place = taken[e.stream * kRegisterCount + e.register_index];
    if ((place.mask & e.mask) != 0) {
      findings.add(
          rules::kSignatureMaskOverlap, offset_of(i), path_of(i),
          "shares components of register " + std::to_string(e.register_index) + " with elements[" + std::to_string(place.element) + ']');
    }
    place.mask = static_cast<std::uint8_t>(place.mask | e.mask);
    place.element = static_cast<std::uint32_t>(i);
  }

  std::vector<std::uint32_t> order(elements.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  // Elements may share one long name; the bytes compared are bounded by taking names as equal beyond this length.
  constexpr std::size_t kCompared = 256;
  const auto name = [&](std::uint32_t i) { return elements[i].semantic.text.substr(0, kCompared); };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const SignatureElement& x = elements[a];
    const SignatureElement& y = elements[b];
    if (x.stream != y.stream) return x.stream < y.stream;
    if (x.semantic_index != y.semantic_index) return x.semantic_index < y.semantic_index;
    if (less_name(name(a), name(b)) || less_name(name(b), name(a))) return less_name(name(a), name(b));
    return a < b;
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const SignatureElement& x = elements[order[i - 1]];
    const SignatureElement& y = elements[order[i]];
    if (x.stream != y.stream || x.semantic_index != y.semantic_index || x.semantic.text.size() != y.semantic.text.size() ||
        !same_letters(name(order[i - 1]), name(order[i])))
      continue;
    findings.add(rules::kSignatureDuplicate, offset_of(order[i]), path_of(order[i]),
                 quoted(y.semantic.text) + ' ' + std::to_string(y.semantic_index) + " is also the semantic of elements[" +
                     std::to_string(order[i - 1]) + ']');
  }
}

void check_features(const Part& part, Findings& findings) {
  const auto flags = parse_features(part);
  if (!flags) return add_unreadable(flags.error(), findings);
  if (part.data.size() != 8)
    findings.add(rules::kSfi0Size, part.data.file_offset(), part.name(), std::to_string(part.data.size()) + " bytes");
  std::uint64_t known = 0;
  for (const Feature& feature : features()) known |= std::uint64_t{1} << feature.bit;
  if ((*flags & ~known) != 0) {
    Text message;
    message << "unknown bits 0x";
    message.hex(*flags & ~known);
    findings.add(rules::kSfi0UnknownBits, part.data.file_offset(), part.name(), message.str());
  }
}

std::string shown_digest(const Digest& digest) {
  Text text;
  for (const std::byte byte : digest) text.hex(static_cast<std::uint8_t>(byte), 2);
  return text.str();
}

void check_digest_field(const Container& container, Findings& findings) {
  const std::uint64_t offset = container.file.file_offset() + 4;
  const std::string path = "header/digest";
  switch (check_digest(container)) {
    case DigestState::valid: break;
    case DigestState::valid_debug: findings.add(rules::kContainerDigestDebug, offset, path, "debug variant of the digest"); break;
    case DigestState::zero: findings.add(rules::kContainerDigestMissing, offset, path, "all zero"); break;
    case DigestState::bypass: findings.add(rules::kContainerDigestBypass, offset, path, "the bypass sentinel"); break;
    case DigestState::preview_bypass: findings.add(rules::kContainerDigestBypass, offset, path, "the preview bypass sentinel"); break;
    case DigestState::wrong:
      findings.add(rules::kContainerDigestWrong, offset, path,
                   shown_digest(container.digest) + ", but that of the bytes is " +
                       shown_digest(compute_digest(container.file.clamped(0, container.size))));
      break;
  }
}

void check_index(const Container& container, Findings& findings) {
  const auto& parts = container.parts;
  const std::uint64_t base = container.file.file_offset();
  const auto offset_of = [&](std::size_t i) { return base + parts[i].offset; };
  const auto path_of = [](std::size_t i) { return "parts[" + std::to_string(i) + ']'; };
  const auto field_of = [](std::size_t i) { return "part_offsets[" + std::to_string(i) + ']'; };
  if (parts.empty()) findings.add(rules::kContainerNoParts, base + 28, "header/part_count", "no parts");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && parts[i].offset < parts[i - 1].offset)
      findings.add(rules::kContainerPartOrder, base + kHeaderBytes + 4 * i, field_of(i),
                   part_label(parts[i]) + " precedes the part listed before it");
    if (parts[i].offset % 4 != 0)
      findings.add(rules::kContainerPartUnaligned, offset_of(i), path_of(i),
                   part_label(parts[i]) + " at offset " + std::to_string(parts[i].offset));
    if (find_part_kind(parts[i].fourcc) == nullptr)
      findings.add(rules::kContainerPartUnknown, offset_of(i), path_of(i), part_label(parts[i]));
  }
  // Parts in two forms, of which one supersedes the other.
  const auto kinds = part_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!kinds[i].is_signature() && kinds[i].role != PartRole::tokens) continue;
    const Part* const a = container.find(kinds[i].fourcc);
    for (std::size_t k = i + 1; a != nullptr && k < kinds.size(); ++k) {
      if (kinds[k].role != kinds[i].role) continue;
      if (const Part* const b = container.find(kinds[k].fourcc))
        findings.add(rules::kContainerPartRival, base + b->offset, b->name(), part_label(*a) + " is present as well");
    }
  }

  std::vector<std::uint32_t> order(parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return parts[a].fourcc != parts[b].fourcc ? parts[a].fourcc < parts[b].fourcc : a < b; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (parts[order[i]].fourcc == parts[order[i - 1]].fourcc && parts[order[i]].fourcc != fourcc("LIBF"))
      findings.add(rules::kContainerPartDuplicate, offset_of(order[i]), path_of(order[i]),
                   path_of(order[i - 1]) + " is of the same kind, " + part_label(parts[order[i]]));
  }

  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return parts[a].offset != parts[b].offset ? parts[a].offset < parts[b].offset : a < b; });
  std::uint64_t end = kHeaderBytes + std::uint64_t{4} * parts.size();
  const auto gap = [&](std::uint64_t to) {
    if (to > end) findings.add(rules::kContainerPartGap, base + end, "container", std::to_string(to - end) + " bytes outside of any part");
  };
  for (const std::uint32_t i : order) {
    const Part& part = parts[i];
    gap(part.offset);
    if (part.offset < end)
      findings.add(rules::kContainerPartOverlap, offset_of(i), path_of(i),
                   part_label(part) + " begins " + std::to_string(end - part.offset) + " bytes before the end of the previous part");
    end = std::max(end, std::uint64_t{part.offset} + kPartHeaderBytes + part.data.size());
    if (part.fourcc == fourcc("PRIV") && i != order.back())
      findings.add(rules::kContainerPrivateNotLast, offset_of(i), path_of(i), "PRIV is followed by other parts");
  }
  gap(container.size);
}

const Rule& rule_of(const Error& error) {
  if (error.path == "header/size") return rules::kContainerSize;
  if (error.path.starts_with("header")) return rules::kContainerHeader;
  return rules::kContainerPartBounds;
}

}  // namespace

std::span<const Rule* const> validation_rules() { return kRules; }

std::string part_label(const Part& part) { return fourcc_text(part.fourcc); }

void add_unreadable(const Error& error, Findings& findings) {
  findings.add(rules::kContainerPartUnreadable, error.offset, error.path, std::string(id(error.code)) + ": " + error.message);
}

std::optional<Container> check_container(View file, Findings& findings) {
  auto parsed = parse_container(file);
  if (!parsed) {
    const Error& error = parsed.error();
    findings.add(rule_of(error), error.offset, error.path, error.message);
    return std::nullopt;
  }
  Container container = *std::move(parsed);
  const std::uint64_t base = file.file_offset();
  if (container.major_version != 1 || container.minor_version != 0)
    findings.add(rules::kContainerVersion, base + 20, "header/major_version",
                 "version " + std::to_string(container.major_version) + '.' + std::to_string(container.minor_version));
  if (container.size < file.size())
    findings.add(rules::kContainerTrailingBytes, base + container.size, "trailing",
                 std::to_string(file.size() - container.size) + " bytes after the container");
  check_digest_field(container, findings);
  check_index(container, findings);
  // The stage is in the upper half of a program's first word. src: DXC DxilContainer.h, DxilProgramHeader
  constexpr std::uint32_t kMeshStage = 13;
  const Part* bitcode = container.find(fourcc("DXIL"));
  const SignatureUse use{.is_dxil = bitcode != nullptr,
                         .is_mesh = bitcode != nullptr && bitcode->data.u32(0).value_or(0) >> 16 == kMeshStage};
  // The first of each kind, as readers take it: parts may overlap, and reading them all could take time out of proportion.
  for (const PartKind& kind : part_kinds()) {
    const Part* part = container.find(kind.fourcc);
    if (part == nullptr) continue;
    if (kind.is_signature()) check_signature(*part, use, findings);
    if (kind.fourcc == fourcc("SFI0")) check_features(*part, findings);
    if (kind.fourcc == fourcc("RTS0")) {
      const auto root = parse_root_signature(*part);
      if (root) {
        root_signature::validate(*part, *root, findings);
      } else {
        add_unreadable(root.error(), findings);
      }
    }
  }
  return container;
}

}  // namespace unshade::dxcontainer
