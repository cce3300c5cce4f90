// What running a program does not need: reflection and debug information.
#include <algorithm>
#include <array>
#include <string_view>

#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/edit/strip.hpp"
#include "dxil/module/metadata_tuple.hpp"

namespace unshade::dxil::edit {

namespace {

/// Names that reflection shows, by DXC's rules for libraries and validators.
void strip_names(ModuleEdit& module, const ProgramMetadata& metadata) {
  const Module& m = module.module();
  const bool library = metadata.kind == ShaderKind::library;
  const bool annotations_go = metadata.states_usage();  // validators since 1.5 need none of functions
  constexpr std::uint64_t kStructs = 0;
  constexpr std::size_t kName = 2, kLists = 4;
  const std::size_t lists = m.named_metadata.size();
  for (std::size_t i = 0; i < lists; ++i) {
    const NamedMetadata list = m.named_metadata[i];
    if (m.text(list.name) == "dx.typeAnnotations") {
      bool functions = false;
      for (const std::uint64_t id : m.metadata_operands_of(list.nodes))
        functions = functions || module::MetadataTuple::of(m, &m.metadata[id]).integer(0) != kStructs;
      if (annotations_go || !functions) module.remove_named(i);
    }
    if (library || m.text(list.name) != "dx.resources" || list.nodes.empty()) continue;
    const auto root = static_cast<std::uint32_t>(m.metadata_operands_of(list.nodes)[0]);
    for (std::size_t c = 0; c < kLists; ++c) {
      const std::uint32_t resources = module.operand(root, c);
      for (std::size_t k = 0; module.operand(resources, k) != kNone; ++k) {
        const std::uint32_t resource = module.operand(resources, k);
        if (module.operand(resource, kName) != kNone) module.set_operand(resource, kName, module.text(""));
      }
    }
  }
}

constexpr std::string_view kDebugFunctions[] = {"llvm.dbg.declare", "llvm.dbg.value"};
// src: DXC DxilMetadataHelper.cpp, kDxilSource... and kDxilDxcBindingTableMDName
constexpr std::string_view kSources[] = {"dx.source.contents", "dx.source.defines", "dx.source.mainFileName", "dx.source.args",
                                         "dx.binding.table"};
constexpr std::string_view kDebugFlags[] = {"Dwarf Version", "Debug Info Version"};

bool is_debug_function(const Module& module, const Function& function) {
  return function.body == kNone &&
         std::ranges::find(kDebugFunctions, module.text(module.values[function.value].name)) != std::end(kDebugFunctions);
}
bool is_debug_list(std::string_view name) {
  return name.starts_with("llvm.dbg.") || std::ranges::find(kSources, name) != std::end(kSources);
}

}  // namespace

bool has_debug(const Module& module) {
  if (!module.locations.empty()) return true;
  const auto is_debug = [&](const NamedMetadata& list) { return is_debug_list(module.text(list.name)); };
  const auto is_function = [&](const Function& function) { return is_debug_function(module, function); };
  return std::ranges::any_of(module.named_metadata, is_debug) || std::ranges::any_of(module.functions, is_function);
}

bool strip(ModuleEdit& module, Strip what) {
  const bool debug = what.debug && strip_debug(module);
  const bool reflection = what.reflection && strip_reflection(module);
  if (debug || reflection) module.prune_types();
  return debug || reflection;
}

}  // namespace unshade::dxil::edit

namespace unshade::dxil {

// src: DXC DxilModule.cpp, StripReflection
bool strip_reflection(ModuleEdit& module) {
  const Module& m = module.module();
  const ProgramMetadata metadata = read_program_metadata(m);
  if (!metadata.present) return false;
  const bool names = module.remove_names();
  const bool library = metadata.kind == ShaderKind::library;
  // Libraries that are linked yet need the types of minimum precision, and names to link by.
  const bool keeps_types = library && metadata.minimum_precision();
  if (!keeps_types) edit::strip_names(module, metadata);
  const std::vector<bool> used = module.used_globals();
  for (const Global& global : m.globals)
    if (!used[global.value] && !(library && m.text(m.values[global.value].name) == "llvm.global_ctors")) module.remove_global(global.value);
  return names || module.changed();
}

// src: DXC DebugInfo.cpp, StripDebugInfo; DxilModule.cpp, StripDebugRelatedCode
bool strip_debug(ModuleEdit& module) {
  const Module& m = module.module();
  bool found = module.remove_locations();
  std::vector<bool> is_debug(m.values.size());
  for (const Function& function : m.functions) is_debug[function.value] = edit::is_debug_function(m, function);
  for (std::uint32_t b = 0; b < m.bodies.size(); ++b) {
    const Range range = m.bodies[b].instructions;
    for (std::uint32_t i = range.first; i < range.end(); ++i) {
      const auto operands = m.operands_of(m.instructions[i].operands);
      const bool calls = m.instructions[i].opcode == Opcode::call && !operands.empty() && operands[0] < is_debug.size();
      if (calls && is_debug[operands[0]]) found = module.remove(b, i) || found;
    }
  }
  const std::vector<bool> used = module.used_globals();
  for (const Function& function : m.functions) {
    if (!is_debug[function.value] || used[function.value]) continue;
    module.remove_global(function.value);
    found = true;
  }
  const std::size_t lists = m.named_metadata.size();
  for (std::size_t i = 0; i < lists; ++i) {
    const NamedMetadata list = m.named_metadata[i];
    const std::string_view name = m.text(list.name);
    if (edit::is_debug_list(name)) {
      module.remove_named(i);
      found = true;
    }
    if (name != "llvm.module.flags") continue;
    std::vector<std::uint32_t> kept;
    for (const std::uint64_t id : m.metadata_operands_of(list.nodes))
      if (std::ranges::find(edit::kDebugFlags, module::MetadataTuple::of(m, &m.metadata[id]).text(1)) == std::end(edit::kDebugFlags))
        kept.push_back(static_cast<std::uint32_t>(id));
    if (kept.size() == list.nodes.count) continue;
    found = true;
    if (kept.empty())
      module.remove_named(i);
    else
      module.set_nodes(i, kept);
  }
  return found;
}

Result<std::vector<std::byte>> strip_module(View bitcode, Strip what) {
  const auto as_it_was = [&] { return std::vector<std::byte>(bitcode.bytes().begin(), bitcode.bytes().end()); };
  auto parsed = parse_module(bitcode);
  if (!parsed) return std::move(parsed).error();
  if (!what.reflection && !edit::has_debug(*parsed)) return as_it_was();
  auto stream = parse_bitstream(bitcode);
  if (!stream) return std::move(stream).error();
  auto module = ModuleEdit::open(*std::move(parsed), *std::move(stream));
  if (!module) return std::move(module).error();
  if (!edit::strip(*module, what)) return as_it_was();
  return module->write();
}

}  // namespace unshade::dxil
