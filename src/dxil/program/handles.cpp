#include "dxil/program/handles.hpp"

namespace unshade::dxil::program {

namespace {

// The two words that say what a handle stands for. src: DXC include/dxc/DXIL/DxilResourceProperties.h
constexpr Bits kKind{"kind", 0, 8};
constexpr Bits kUnordered{"unordered_access", 12, 1};
constexpr Bits kCounterOrComparison{"counter_or_comparison", 15, 1};
constexpr Bits kComponentType{"component_type", 0, 8};
constexpr Bits kComponentCount{"component_count", 8, 8};

// Operands of the calls, the function being the first and the opcode the second.
constexpr std::size_t kFirst = 2;

}  // namespace

bool is_typed(ResourceKind kind) {
  return (kind >= ResourceKind::texture1d && kind <= ResourceKind::typed_buffer) || kind == ResourceKind::tbuffer;
}

bool is_multisampled(ResourceKind kind) { return kind == ResourceKind::texture2d_ms || kind == ResourceKind::texture2d_ms_array; }

HandleFinder::HandleFinder(const ProgramQuery& query) : query_(query) {
  const ProgramMetadata& p = query.program;
  for (const auto* list : {&p.shader_resources, &p.unordered_access, &p.constant_buffers, &p.samplers})
    for (const ProgramResource& resource : *list)
      if (resource.symbol != kNone) by_symbol_.emplace(resource.symbol, &resource);
}

HandleResource HandleFinder::of(const ProgramResource& r) const {
  HandleResource found;
  found.resource_class = r.resource_class;
  found.kind = r.kind;
  found.component_type = r.component_type;
  found.size = r.size;
  found.has_counter = r.has_counter;
  found.is_comparison_sampler = r.sampler_kind == 1;
  return found;
}

std::optional<HandleResource> HandleFinder::of_properties(const Body& body, std::uint32_t properties) const {
  const Constant* const constant = query_.constant_of(&body, properties);
  if (constant == nullptr || (constant->kind != ConstantKind::aggregate && constant->kind != ConstantKind::null)) return std::nullopt;
  std::uint32_t words[2] = {};
  const auto operands = query_.module.operands_of(constant->operands);
  for (std::size_t i = 0; i < operands.size() && i < 2; ++i)
    words[i] = static_cast<std::uint32_t>(query_.integer_of(&body, operands[i]).value_or(0));
  HandleResource found;
  found.kind = static_cast<ResourceKind>(kKind.get(words[0]));
  if (found.kind == ResourceKind::cbuffer) {
    found.resource_class = ResourceClass::cbuffer;
    found.size = words[1];
  } else if (found.kind == ResourceKind::sampler) {
    found.resource_class = ResourceClass::sampler;
    found.is_comparison_sampler = kCounterOrComparison.get(words[0]) != 0;
  } else {
    found.resource_class = kUnordered.get(words[0]) != 0 ? ResourceClass::uav : ResourceClass::srv;
    found.has_counter = kCounterOrComparison.get(words[0]) != 0;
    if (is_typed(found.kind)) {
      found.component_type = kComponentType.get(words[1]);
      found.component_count = kComponentCount.get(words[1]);
    }
  }
  return found;
}

std::optional<HandleResource> HandleFinder::find(const Body& body, std::uint32_t operand) const {
  const Module& m = query_.module;
  if ((operand & kMetadataOperand) != 0) return std::nullopt;
  const Value& value = m.value(&body, operand);
  if (value.kind != ValueKind::instruction) return std::nullopt;
  const Instruction& i = m.instructions[value.index];
  const OperationInfo* const operation = operation_of(query_, body, i);
  if (operation == nullptr || i.operands.count <= kFirst) return std::nullopt;
  const auto o = m.operands_of(i.operands);
  switch (static_cast<Operation>(operation->code)) {
    case Operation::create_handle: {
      const auto resource_class = query_.integer_of(&body, o[kFirst]);
      const auto range = o.size() > kFirst + 1 ? query_.integer_of(&body, o[kFirst + 1]) : std::nullopt;
      if (!resource_class || !range) return std::nullopt;
      const ProgramMetadata& p = query_.program;
      const std::vector<ProgramResource>* const lists[] = {&p.shader_resources, &p.unordered_access, &p.constant_buffers, &p.samplers};
      if (*resource_class >= std::size(lists)) return std::nullopt;
      // Ids are dense: the list's place is the id, unless the module is broken.
      const auto& list = *lists[*resource_class];
      if (*range >= list.size() || list[static_cast<std::size_t>(*range)].id != *range) return std::nullopt;
      return of(list[static_cast<std::size_t>(*range)]);
    }
    case Operation::annotate_handle: {
      auto found = o.size() > kFirst + 1 ? of_properties(body, o[kFirst + 1]) : std::nullopt;
      const Value& inner = m.value(&body, o[kFirst]);
      if (found && inner.kind == ValueKind::instruction) {
        const OperationInfo* const made_by = operation_of(query_, body, m.instructions[inner.index]);
        found->from_heap = made_by != nullptr && static_cast<Operation>(made_by->code) == Operation::create_handle_from_heap;
      }
      return found;
    }
    case Operation::create_handle_for_lib: {
      const Value& loaded = m.value(&body, o[kFirst]);
      if (loaded.kind != ValueKind::instruction || m.instructions[loaded.index].opcode != Opcode::load) return std::nullopt;
      const auto resource = by_symbol_.find(m.operands[m.instructions[loaded.index].operands.first]);
      if (resource == by_symbol_.end()) return std::nullopt;
      return of(*resource->second);
    }
    default: return std::nullopt;
  }
}

}  // namespace unshade::dxil::program
