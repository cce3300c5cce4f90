#include "dxil/validate/validate.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/shown.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxcontainer/validate.hpp>
#include <unshade/dxil/derive.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/program/reflection_module.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/dxil/source_info.hpp>

#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/program_header_layout.hpp"

namespace unshade::dxil::validate {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

constexpr const Rule* kRules[] = {
#define UNSHADE_RULE(name, id, severity, summary) &rules::name,
#include <unshade/dxil/validate/rules.def>
#undef UNSHADE_RULE
};

constexpr std::uint32_t kBitcodeMagic = 0xdec0'4342;

// The parts that a container with a program must have, and those that it must not.
// src: DXC lib/DxilValidation/DxilContainerValidation.cpp, ValidateDxilContainerParts
constexpr std::uint32_t kStageParts[] = {fourcc("SFI0"), fourcc("ISG1"), fourcc("OSG1"), fourcc("PSV0")};
constexpr std::uint32_t kLibraryParts[] = {fourcc("RDAT")};
constexpr std::uint32_t kNotInStages[] = {fourcc("RDAT"), fourcc("VERS")};
constexpr std::uint32_t kNotInLibraries[] = {fourcc("ISG1"), fourcc("OSG1"), fourcc("PSG1"), fourcc("PSV0"), fourcc("RTS0")};
// Those of debug files.
constexpr std::uint32_t kNotWithProgram[] = {fourcc("SRCI"), fourcc("PDBI")};

bool has_patch_or_primitives(ShaderKind kind) { return kind == ShaderKind::hull || kind == ShaderKind::domain || kind == ShaderKind::mesh; }

void check_parts_of_program(const Container& container, ShaderKind kind, Findings& findings) {
  const bool is_library = kind == ShaderKind::library;
  const Part& program = *container.find(fourcc("DXIL"));
  const auto needs = [&](std::span<const std::uint32_t> kinds) {
    for (const std::uint32_t code : kinds)
      if (container.find(code) == nullptr)
        findings.add(rules::kDxilPartMissing, program.data.file_offset(), "DXIL", "the part " + fourcc_text(code) + " is missing");
  };
  const auto refuses = [&](std::span<const std::uint32_t> kinds, std::string_view why) {
    for (const std::uint32_t code : kinds) {
      const Part* part = container.find(code);
      if (part != nullptr) findings.add(rules::kDxilPartUnexpected, part->data.file_offset(), part->name(), std::string(why));
    }
  };
  if (is_library) {
    needs(kLibraryParts);
    refuses(kNotInLibraries, "the program is a library");
  } else {
    needs(kStageParts);
    refuses(kNotInStages, "the program is not a library");
    constexpr std::uint32_t kPatch[] = {fourcc("PSG1")};
    if (!has_patch_or_primitives(kind)) refuses(kPatch, "the stage has no patch constants or primitives");
  }
  refuses(kNotWithProgram, "a part that only debug files have");
}

void check_program(const Part& part, const Program& program, Findings& findings) {
  const std::uint64_t offset = part.data.file_offset();
  const std::string name = part.name();
  const auto add = [&](const Rule& rule, std::uint64_t at, const char* field, std::string message) {
    findings.add(rule, offset + at, name + '/' + field, std::move(message));
  };
  if (std::uint64_t{program.size_dwords} * 4 != part.data.size())
    add(rules::kDxilProgramSize, 4, "size_dwords",
        std::to_string(program.size_dwords) + " dwords in a part of " + std::to_string(part.data.size()) + " bytes");
  if (program.bitcode.u32(0) != kBitcodeMagic || program.bitcode.size() % 4 != 0)
    findings.add(rules::kDxilBitcode, program.bitcode.file_offset(), name + "/bitcode",
                 std::to_string(program.bitcode.size()) + " bytes without the magic or of another size");
  const ShaderKind kind = program.kind();
  const bool is_model = program.major() == 6;
  if (!is_model || program.dxil_major() != 1 || program.dxil_minor() != program.minor()) {
    Text message;
    message << "shader model ";
    message.dec(program.major()) << '.';
    message.dec(program.minor()) << " with DXIL ";
    message.dec(program.dxil_major()) << '.';
    message.dec(program.dxil_minor());
    add(rules::kDxilProgramVersion, 0, "program_version", message.str());
  }
  const bool lives_in_library = kind > ShaderKind::library && kind != ShaderKind::mesh && kind != ShaderKind::amplification;
  if (id(kind).empty() || lives_in_library) {
    add(rules::kDxilProgramKind, 0, "program_version", "kind " + std::to_string(static_cast<std::uint32_t>(kind)));
  } else if (is_model) {
    const std::uint32_t since = kind == ShaderKind::library ? 1 : kind > ShaderKind::library ? 5 : 0;
    if (program.minor() < since)
      add(rules::kDxilProgramModel, 0, "program_version", std::string(id(kind)) + " in shader model 6." + std::to_string(program.minor()));
  }
}

std::string digest_text(std::span<const std::byte> digest) {
  Text text;
  for (const std::byte byte : digest) text.hex(static_cast<std::uint8_t>(byte), 2);
  return text.str();
}

/// `pixel 6.0`
std::string model_text(const Program& program) {
  return std::string(id(program.kind())) + ' ' + std::to_string(program.major()) + '.' + std::to_string(program.minor());
}

void check_hash(const Part& part, const Program* program, Findings& findings) {
  const auto hash = parse_hash(part);
  if (!hash) return dxcontainer::add_unreadable(hash.error(), findings);
  if (!hash->extra.empty())
    findings.add(rules::kDxilHashForm, part.data.file_offset(), part.name(), std::to_string(part.data.size()) + " bytes");
  if ((hash->flags & ~ShaderHash::kIncludesSource) != 0)
    findings.add(rules::kDxilHash, part.data.file_offset(), std::string(part.name()) + "/flags", hex32(hash->flags));
  if (program == nullptr || (hash->flags & ShaderHash::kIncludesSource) != 0) return;
  if (const auto digest = dxcontainer::md5(program->bitcode); digest != hash->digest)
    findings.add(rules::kDxilHash, part.data.file_offset() + 4, std::string(part.name()) + "/digest",
                 digest_text(hash->digest) + ", but the digest of the bitcode is " + digest_text(digest));
}

/// Whether two signatures differ, if at all, in the order of rows that are in one register under one name. dxc sorts by these alone, so
/// that of many such rows the order depends on how the library sorts that it was built with.
bool same_rows(const Part& part, View made) {
  const View stated = part.data;
  const auto a = dxcontainer::parse_signature(part);
  const auto b = dxcontainer::parse_signature(Part{part.fourcc, 0, made});
  if (!a || !b || stated.size() != made.size() || a->elements.size() != b->elements.size() || a->elements.offset != b->elements.offset)
    return false;
  const std::size_t count = a->elements.size(), first = a->elements.offset, each = a->layout.stride();
  const auto rows = [&](View data) {
    std::vector<std::string_view> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(data.clamped(first + i * each, each).text());
    std::ranges::sort(list);
    return list;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const dxcontainer::SignatureElement& x = a->elements[i];
    const dxcontainer::SignatureElement& y = b->elements[i];
    if (x.stream != y.stream || x.register_index != y.register_index || x.semantic.offset != y.semantic.offset) return false;
  }
  const std::size_t end = first + count * each;
  return stated.clamped(0, first).text() == made.clamped(0, first).text() && rows(stated) == rows(made) &&
         stated.clamped(end, stated.size()).text() == made.clamped(end, made.size()).text();
}

/// Parts that the validator compares with those that it makes itself. src: DXC lib/DxilValidation/DxilContainerValidation.cpp,
/// VerifyBlobPartMatches
void check_derived(const Container& container, const Module& module, Findings& findings) {
  std::optional<Rdat> rdat;
  if (const Part* const part = container.find(fourcc("RDAT")))
    if (auto parsed = parse_rdat(*part)) rdat = *std::move(parsed);
  // Tables of stages are not final, and nothing here makes them.
  const auto has_stages = [](const Rdat& r) {
    for (const auto* table : {&r.vertex_shaders, &r.pixel_shaders, &r.hull_shaders, &r.domain_shaders, &r.geometry_shaders,
                              &r.compute_shaders, &r.mesh_shaders, &r.amplification_shaders})
      if (!table->empty()) return true;
    return false;
  };
  for (const DerivedPart& derived : derive_parts(read_program_metadata(module), rdat ? &*rdat : nullptr)) {
    const Part* const part = container.find(derived.fourcc);
    if (part == nullptr || derived.fourcc == fourcc("PSV0")) continue;  // PSV0 is compared field by field
    if (derived.fourcc == fourcc("RDAT") && rdat && has_stages(*rdat)) continue;
    const auto stated = part->data.bytes();
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(stated, derived.data).in1 - stated.begin());
    if (at == stated.size() && at == derived.data.size()) continue;
    if (dxcontainer::is_signature(derived.fourcc) && same_rows(*part, View(derived.data))) continue;
    findings.add(rules::kDxilPartModule, part->data.file_offset() + at, std::string(part->name()),
                 std::to_string(stated.size()) + " bytes, but the module implies " + std::to_string(derived.data.size()) + ": " +
                     shown_difference(stated, derived.data));
  }
}

/// The module of a part, null if it cannot be read. Of one that holds the program all is checked, of others what LLVM asks.
std::shared_ptr<const Module> check_program(const Container& container, const Part& part, const Program& program, bool is_main,
                                            const ModuleSource& modules, Findings& findings) {
  auto module = modules.module(program.bitcode);
  if (!module) {
    const Error& error = module.error();
    findings.add(rules::kBitcodeValid, error.offset, std::string(part.name()) + '/' + error.path, error.message);
    return nullptr;
  }
  const ProgramMetadata metadata = read_program_metadata(**module);
  check_module(**module, metadata, std::string(part.name()) + "/module", program.bitcode.file_offset(), is_main, findings);
  if (!is_main) return *std::move(module);
  if (metadata.kind != program.kind() || metadata.major != program.major() || metadata.minor != program.minor())
    findings.add(rules::kDxilProgramModule, part.data.file_offset(), std::string(part.name()) + "/program_version",
                 model_text(program) + ", but the module is for " + std::string(id(metadata.kind)) + ' ' + std::to_string(metadata.major) +
                     '.' + std::to_string(metadata.minor));
  check_against_module(container, **module, metadata, findings);
  return *std::move(module);
}

/// Programs as dxc leaves them: names may be in one of them alone.
void check_reflection(const Part& part, const Module& reflection, const Module* program, const Module* debug, Findings& findings) {
  constexpr std::size_t kMost = 20;
  const ProgramMetadata stated = read_program_metadata(reflection);
  for (const Module* const module : {debug, program}) {
    if (module == nullptr) continue;
    const auto faults = program::reflection_faults(stated, read_program_metadata(*module), kMost);
    for (const program::ReflectionFault& fault : faults)
      findings.add(rules::kDxilReflectionModule, part.data.file_offset(), std::string(part.name()) + '/' + fault.path, fault.message);
    if (!faults.empty()) return;
  }
}

bool only_zeros(View bytes) { return bytes.text().find_first_not_of('\0') == std::string_view::npos; }

void check_debug_name(const Part& part, Findings& findings) {
  const auto name = parse_debug_name(part);
  if (!name) return dxcontainer::add_unreadable(name.error(), findings);
  const std::size_t end = 4 + name->name.size();
  const std::size_t zeros = 4 - end % 4;
  if (name->flags != 0 || name->terminator.size() != zeros || !only_zeros(name->terminator) ||
      name->name.find('\0') != std::string_view::npos)
    findings.add(rules::kDxilDebugName, part.data.file_offset() + end, std::string(part.name()) + "/name",
                 std::to_string(name->terminator.size()) + " bytes after a name of " + std::to_string(name->name.size()) + ", flags " +
                     hex32(name->flags));
}

void check_compiler_version(const Part& part, Findings& findings) {
  const auto version = parse_compiler_version(part);
  if (!version) return dxcontainer::add_unreadable(version.error(), findings);
  const std::size_t texts = text_bytes(*version);
  if (texts != version->texts_bytes || !has_regular_padding(*version))
    findings.add(rules::kDxilCompilerVersion, part.data.file_offset() + 12, std::string(part.name()) + "/texts_bytes",
                 std::to_string(version->texts_bytes) + " bytes for " + std::to_string(texts) + " of strings");
}

}  // namespace

std::span<const Rule* const> validation_rules() { return kRules; }

void check_parts(const Container& container, Findings& findings, const ModuleSource& modules) {
  const std::size_t before = findings.errors();
  // The first of each kind, as readers take it: parts may overlap, and reading them all could take time out of proportion.
  const auto find = [&](const char(&code)[5]) { return container.find(fourcc(code)); };
  std::optional<Program> first;
  std::optional<Program> main;
  std::shared_ptr<const Module> module;
  std::shared_ptr<const Module> debug;
  std::shared_ptr<const Module> reflection;
  for (const Part* part : {find("DXIL"), find("ILDB"), find("STAT")}) {
    if (part == nullptr) continue;
    auto program = parse_program(*part);
    if (!program) {
      dxcontainer::add_unreadable(program.error(), findings);
      continue;
    }
    check_program(*part, *program, findings);
    if (first && first->program_version != program->program_version)
      findings.add(rules::kDxilProgramsDiffer, part->data.file_offset(), std::string(part->name()) + "/program_version",
                   model_text(*program) + ", but " + model_text(*first) + " in the part before it");
    if (!first) first = *program;
    if (part->fourcc == fourcc("DXIL")) main = *program;
    const bool is_main = part->fourcc == fourcc("DXIL");
    auto read = check_program(container, *part, *program, is_main, modules, findings);
    (is_main ? module : part->fourcc == fourcc("ILDB") ? debug : reflection) = std::move(read);
  }
  if (reflection != nullptr) check_reflection(*find("STAT"), *reflection, module.get(), debug.get(), findings);
  const ShaderKind kind = first ? first->kind() : ShaderKind::invalid;
  if (main) check_parts_of_program(container, kind, findings);
  if (const Part* part = find("HASH")) check_hash(*part, main ? &*main : nullptr, findings);
  if (const Part* part = find("ILDN")) check_debug_name(*part, findings);
  if (const Part* part = find("VERS")) check_compiler_version(*part, findings);
  if (const Part* part = find("PSV0")) check_psv(container, *part, kind, findings, modules);
  if (const Part* part = find("RDAT")) check_rdat(*part, findings);
  if (const Part* part = find("SRCI"))
    if (const auto info = parse_source_info(*part); !info) dxcontainer::add_unreadable(info.error(), findings);
  if (const Part* part = find("PDBI"))
    if (const auto info = parse_pdb_info(*part); !info) dxcontainer::add_unreadable(info.error(), findings);
  // Bytes say less than fields: they are compared if nothing else was found.
  if (module != nullptr && findings.errors() == before) check_derived(container, *module, findings);
}

}  // namespace unshade::dxil::validate
