#include <unshade/dxil/program/handles.hpp>

#include <unshade/core/tree.hpp>

namespace unshade::dxil {

namespace {

// Of the first word, then of the second, which is a size if the resource is not typed.
constexpr Bits kKind{"kind", 0, 8};
constexpr Bits kUav{"uav", 12, 1};
constexpr Bits kRasterOrdered{"raster_ordered", 13, 1};
constexpr Bits kGloballyCoherent{"globally_coherent", 14, 1};
constexpr Bits kComparisonOrCounter{"comparison_or_counter", 15, 1};
constexpr Bits kReorderCoherent{"reorder_coherent", 16, 1};
constexpr Bits kComponentType{"component_type", 0, 8};
constexpr Bits kComponentCount{"component_count", 8, 8};

const std::vector<ProgramResource>* resources_of(const ProgramMetadata& program, std::uint64_t resource_class) {
  const std::vector<ProgramResource>* const lists[] = {&program.shader_resources, &program.unordered_access, &program.constant_buffers,
                                                       &program.samplers};
  return resource_class < std::size(lists) ? lists[resource_class] : nullptr;
}

}  // namespace

bool is_typed(ResourceKind kind) {
  return (kind >= ResourceKind::texture1d && kind <= ResourceKind::typed_buffer) || kind == ResourceKind::tbuffer;
}

bool is_multisampled(ResourceKind kind) { return kind == ResourceKind::texture2d_ms || kind == ResourceKind::texture2d_ms_array; }

ResourceProperties::ResourceProperties(const std::array<std::uint32_t, 2>& words) : kind(static_cast<ResourceKind>(kKind.get(words[0]))) {
  is_uav = kUav.get(words[0]) != 0;
  const bool flagged = kComparisonOrCounter.get(words[0]) != 0;
  if (kind == ResourceKind::cbuffer) {
    resource_class = ResourceClass::cbuffer;
    size = words[1];
    return;
  }
  if (kind == ResourceKind::sampler) {
    resource_class = ResourceClass::sampler;
    is_comparison_sampler = flagged;
    return;
  }
  resource_class = is_uav ? ResourceClass::uav : ResourceClass::srv;
  has_counter = flagged;
  raster_ordered = kRasterOrdered.get(words[0]) != 0;
  globally_coherent = kGloballyCoherent.get(words[0]) != 0;
  reorder_coherent = kReorderCoherent.get(words[0]) != 0;
  if (is_typed(kind)) {
    component_type = kComponentType.get(words[1]);
    component_count = kComponentCount.get(words[1]);
  } else if (kind == ResourceKind::structured_buffer) {
    stride = words[1];
  } else {
    feedback_kind = words[1];
  }
}

ResourceProperties::ResourceProperties(const ProgramResource& r)
    : resource_class(r.resource_class),
      kind(r.kind),
      component_type(r.component_type),
      size(r.size),
      stride(r.stride),
      feedback_kind(r.feedback_kind),
      is_uav(r.resource_class == ResourceClass::uav),
      has_counter(r.has_counter),
      is_comparison_sampler(r.sampler_kind == 1),
      raster_ordered(r.raster_ordered),
      globally_coherent(r.globally_coherent),
      reorder_coherent(r.reorder_coherent) {}

std::optional<std::array<std::uint32_t, 2>> property_words(const ModuleQuery& query, const Body& body, std::uint32_t operand) {
  const auto elements = query.elements_of(&body, operand, 2);
  if (elements.size() != 2) return std::nullopt;
  return std::array{static_cast<std::uint32_t>(elements[0].value_or(0)), static_cast<std::uint32_t>(elements[1].value_or(0))};
}

HandleFinder::HandleFinder(const ProgramQuery& query) : query_(query) {
  const ProgramMetadata& p = query.program;
  for (const auto* list : {&p.shader_resources, &p.unordered_access, &p.constant_buffers, &p.samplers})
    for (const ProgramResource& resource : *list)
      if (resource.symbol != kNone) by_symbol_.emplace(resource.symbol, &resource);
}

/// Ids are dense: the place in the list is the id, unless the module is broken.
const ProgramResource* HandleFinder::declared(std::uint64_t resource_class, std::uint64_t id) const {
  const auto* const list = resources_of(query_.program, resource_class);
  if (list == nullptr || id >= list->size()) return nullptr;
  const ProgramResource& resource = (*list)[static_cast<std::size_t>(id)];
  return resource.id == id ? &resource : nullptr;
}

/// `bind`: first register, last register, space, class.
const ProgramResource* HandleFinder::bound(const Body& body, std::uint32_t bind) const {
  const auto words = query_.elements_of(&body, bind, 4);
  if (words.size() != 4 || !words[0] || !words[2] || !words[3]) return nullptr;
  const auto* const list = resources_of(query_.program, *words[3]);
  if (list == nullptr) return nullptr;
  for (const ProgramResource& resource : *list)
    if (resource.space == *words[2] && resource.lower_bound == *words[0]) return &resource;
  return nullptr;
}

std::optional<HandleResource> HandleFinder::find(const Body& body, std::uint32_t operand) const {
  const auto call = call_of(query_, body, operand);
  if (!call) return std::nullopt;
  HandleResource found;
  switch (call->operation()) {
    case Operation::create_handle: {
      const auto resource_class = call->constant("resourceClass"), range = call->constant("rangeId");
      found.record = resource_class && range ? declared(*resource_class, *range) : nullptr;
      if (found.record == nullptr) return std::nullopt;
      static_cast<ResourceProperties&>(found) = ResourceProperties(*found.record);
      found.index = call->argument("index");
      found.non_uniform = call->constant("nonUniformIndex").value_or(0) != 0;
      return found;
    }
    case Operation::annotate_handle: {
      const auto words = property_words(query_, body, call->argument("props"));
      if (!words) return std::nullopt;
      static_cast<ResourceProperties&>(found) = ResourceProperties(*words);
      const auto maker = call_of(query_, body, call->argument("res"));
      if (!maker) return found;
      if (maker->operation() == Operation::create_handle_from_heap) {
        found.from_heap = true;
        found.of_samplers = maker->constant("samplerHeap").value_or(0) != 0;
      } else if (maker->operation() == Operation::create_handle || maker->operation() == Operation::create_handle_from_binding ||
                 maker->operation() == Operation::create_handle_for_lib) {
        const auto made = find(body, call->argument("res"));
        if (!made) return found;
        found.record = made->record;
        found.index = made->index;
        found.index_in_range = made->index_in_range;
        found.non_uniform = made->non_uniform;
        return found;
      } else {
        return found;
      }
      found.index = maker->argument("index");
      found.non_uniform = maker->constant("nonUniformIndex").value_or(0) != 0;
      return found;
    }
    case Operation::create_handle_from_binding:
      found.record = bound(body, call->argument("bind"));
      if (found.record == nullptr) return std::nullopt;
      static_cast<ResourceProperties&>(found) = ResourceProperties(*found.record);
      found.index = call->argument("index");
      found.non_uniform = call->constant("nonUniformIndex").value_or(0) != 0;
      return found;
    case Operation::create_handle_for_lib: {
      const Instruction* const load = query_.instruction_of(body, call->argument("Resource"));
      if (load == nullptr || load->opcode != Opcode::load) return std::nullopt;
      const auto resource = by_symbol_.find(query_.module.operands[load->operands.first]);
      if (resource == by_symbol_.end()) return std::nullopt;
      found.record = resource->second;
      found.index_in_range = true;
      static_cast<ResourceProperties&>(found) = ResourceProperties(*found.record);
      return found;
    }
    default: return std::nullopt;
  }
}

}  // namespace unshade::dxil
