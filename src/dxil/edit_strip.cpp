// What only reflection reads. src: DXC DxilModule.cpp, StripReflection
#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/metadata.hpp>

#include "dxil/metadata_tuple.hpp"

namespace unshade::dxil {

bool strip_reflection(ModuleEdit& module) {
  const Module& m = module.module();
  const ProgramMetadata metadata = read_program_metadata(m);
  const bool library = metadata.kind == ShaderKind::library;
  // Libraries that are linked yet need the types of minimum precision, and names to link by.
  if (!metadata.present || (library && metadata.minimum_precision())) return false;
  const bool annotations_go = metadata.states_usage();  // validators since 1.5 need none of functions
  constexpr std::uint64_t kStructs = 0;
  constexpr std::size_t kName = 2, kClasses = 4;
  const std::size_t lists = m.named_metadata.size();
  for (std::size_t i = 0; i < lists; ++i) {
    const NamedMetadata list = m.named_metadata[i];
    if (m.text(list.name) == "dx.typeAnnotations") {
      bool functions = false;
      for (const std::uint64_t id : m.metadata_operands_of(list.nodes))
        functions = functions || MetadataTuple::of(m, &m.metadata[id]).integer(0) != kStructs;
      if (annotations_go || !functions) module.remove_named(i);
    }
    if (library || m.text(list.name) != "dx.resources" || list.nodes.empty()) continue;
    const auto root = static_cast<std::uint32_t>(m.metadata_operands_of(list.nodes)[0]);
    for (std::size_t c = 0; c < kClasses; ++c) {
      const std::uint32_t resources = module.operand(root, c);
      for (std::size_t k = 0; module.operand(resources, k) != kNone; ++k) {
        const std::uint32_t resource = module.operand(resources, k);
        if (module.operand(resource, kName) != kNone) module.set_operand(resource, kName, module.text(""));
      }
    }
  }
  return module.changed();
}

Result<std::vector<std::byte>> strip_module(View bitcode) {
  auto module = ModuleEdit::open(bitcode);
  if (!module) return std::move(module).error();
  if (!strip_reflection(*module)) return std::vector<std::byte>(bitcode.bytes().begin(), bitcode.bytes().end());
  return module->write();
}

}  // namespace unshade::dxil
