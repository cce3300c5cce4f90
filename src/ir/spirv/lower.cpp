// Lowers a module of SPIR-V: what surrounds the code. function.hpp has the code.
#include <unshade/ir/lower_spirv.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <unshade/ir/passes.hpp>

#include "ir/entry.hpp"
#include "ir/sizes.hpp"
#include "ir/spirv/function.hpp"

namespace unshade::ir {
namespace {

using spirv::ExecutionMode;
using spirv::ExecutionModel;
using spirv::StorageClass;

dxcontainer::ReturnType return_type_of(const spirv::Interface& shown, const spirv::Type& image) {
  const spirv::Type* texel = shown.type(image.element);
  if (texel == nullptr || texel->kind == spirv::TypeKind::real) return dxcontainer::ReturnType::float_;
  return texel->is_signed ? dxcontainer::ReturnType::sint : dxcontainer::ReturnType::uint;
}

#define IR_IMAGE_FORMAT(id, text) \
  static_assert(static_cast<unsigned>(ImageFormat::id) == static_cast<unsigned>(spirv::ImageFormat::id), "image_formats.def: " text);
#include <unshade/ir/image_formats.def>

// Those of extensions are unknown here.
ImageFormat format_of(spirv::ImageFormat format) {
  const auto made = static_cast<ImageFormat>(format);
  return text(made).empty() ? ImageFormat::unknown : made;
}

}  // namespace

namespace lower_spirv {

void Context::describe_stage() {
  StageInfo& info = out.info;
  Modes& modes = out.modes;
  modes.denorm32 = Denormals::preserve;
  for (const spirv::EntryPointMode& one : entry.modes) {
    const auto number = [&](std::size_t at) -> std::uint32_t {
      if (at >= one.operands.size()) return 1;
      if (!one.are_ids) return one.operands[at];
      const std::uint32_t place = interface.find_constant(one.operands[at]);
      return place != spirv::kNone && interface.constants[place].has_value ? static_cast<std::uint32_t>(interface.constants[place].value)
                                                                           : 1;
    };
    switch (one.mode) {
      case ExecutionMode::local_size:
      case ExecutionMode::local_size_id: info.group_size = {number(0), number(1), number(2)}; break;
      case ExecutionMode::derivative_group_quads_nv: info.square_quads = true; break;
      case ExecutionMode::early_fragment_tests: modes.early_depth = true; break;
      case ExecutionMode::denorm_flush_to_zero:
        (number(0) == 16 ? modes.denorm16 : number(0) == 64 ? modes.denorm64 : modes.denorm32) = Denormals::flush;
        break;
      case ExecutionMode::invocations: info.instances = number(0); break;
      case ExecutionMode::output_vertices: (out.stage == Stage::hull ? info.output_points : info.max_vertices) = number(0); break;
      case ExecutionMode::output_primitives_ext: info.max_primitives = number(0); break;
      case ExecutionMode::input_points: info.input_primitive = dxcontainer::InputPrimitive::point; break;
      case ExecutionMode::input_lines: info.input_primitive = dxcontainer::InputPrimitive::line; break;
      case ExecutionMode::input_lines_adjacency: info.input_primitive = dxcontainer::InputPrimitive::line_adjacency; break;
      case ExecutionMode::input_triangles_adjacency: info.input_primitive = dxcontainer::InputPrimitive::triangle_adjacency; break;
      case ExecutionMode::triangles:
        if (out.stage == Stage::geometry)
          info.input_primitive = dxcontainer::InputPrimitive::triangle;
        else
          info.domain = dxcontainer::TessellatorDomain::triangle;
        break;
      case ExecutionMode::quads: info.domain = dxcontainer::TessellatorDomain::quad; break;
      case ExecutionMode::isolines: info.domain = dxcontainer::TessellatorDomain::isoline; break;
      case ExecutionMode::spacing_equal: info.partitioning = dxcontainer::TessellatorPartitioning::integer; break;
      case ExecutionMode::spacing_fractional_even: info.partitioning = dxcontainer::TessellatorPartitioning::fractional_even; break;
      case ExecutionMode::spacing_fractional_odd: info.partitioning = dxcontainer::TessellatorPartitioning::fractional_odd; break;
      case ExecutionMode::vertex_order_cw: info.tessellator_output = dxcontainer::TessellatorOutput::triangle_clockwise; break;
      case ExecutionMode::vertex_order_ccw: info.tessellator_output = dxcontainer::TessellatorOutput::triangle_counter_clockwise; break;
      case ExecutionMode::point_mode: info.tessellator_output = dxcontainer::TessellatorOutput::point; break;
      case ExecutionMode::output_points: info.stream_topologies = {dxcontainer::OutputTopology::point_list}; break;
      case ExecutionMode::output_line_strip: info.stream_topologies = {dxcontainer::OutputTopology::line_strip}; break;
      case ExecutionMode::output_triangle_strip: info.stream_topologies = {dxcontainer::OutputTopology::triangle_strip}; break;
      case ExecutionMode::output_lines_ext: info.mesh_topology = dxcontainer::MeshTopology::line; break;
      case ExecutionMode::output_triangles_ext: info.mesh_topology = dxcontainer::MeshTopology::triangle; break;
      default: break;
    }
  }
  // a constant that is decorated so overrides the mode
  for (const spirv::Constant& one : interface.constants) {
    if (interface.of(one).builtin != spirv::BuiltIn::workgroup_size) continue;
    for (std::size_t k = 0; k < std::min<std::size_t>(3, one.parts.size()); ++k) {
      const std::uint32_t part = one.parts[k];
      if (part < interface.constants.size() && interface.constants[part].has_value)
        info.group_size[k] = static_cast<std::uint32_t>(interface.constants[part].value);
    }
  }
  // src: SPV_KHR_compute_shader_derivatives: of other sizes the module is not valid
  info.square_quads = info.square_quads && info.group_size[0] % 2 == 0 && info.group_size[1] % 2 == 0;
}

void Context::describe_resource(const spirv::Variable& variable) {
  Pointer p;
  p.kind = Pointer::Kind::resources;
  p.type = variable.type;
  p.resource = static_cast<std::uint32_t>(out.resources.size());
  const spirv::Decorations& own = interface.of(variable);
  Resource resource;
  resource.name = variable.name;
  resource.space = own.set.value_or(0);
  resource.first_register = own.binding.value_or(0);
  resource.in_set = true;
  std::uint64_t elements = 1;
  const spirv::Type* inner = interface.type(variable.type);
  while (inner != nullptr && (inner->kind == TypeKind::array || inner->kind == TypeKind::runtime_array)) {
    resource.dimensions.push_back(inner->kind == TypeKind::array ? inner->count : 0);
    elements = std::min<std::uint64_t>(elements * resource.dimensions.back(), 0xffff'fffe);
    inner = interface.type(inner->element);
  }
  if (inner == nullptr) return;
  constexpr std::size_t kMostDimensions = 16;
  if (resource.dimensions.size() < 2 || resource.dimensions.size() > kMostDimensions) resource.dimensions.clear();
  resource.count = static_cast<std::uint32_t>(elements);
  resource.coherent = own.coherent;
  const auto describe_image = [&](const spirv::Type& image) {
    resource.dimension = dimension_of(image.image);
    resource.return_type = return_type_of(interface, image);
    if (image.image.dim == spirv::Dim::subpass_data) resource.attachment = own.input_attachment_index.value_or(0);
    if (image.image.sampled == 2) resource.format = format_of(image.image.format);
    resource.kind = image.image.sampled == 2 && image.image.dim != spirv::Dim::subpass_data ? dxcontainer::ResourceKind::uav_typed
                                                                                            : dxcontainer::ResourceKind::texture;
  };
  switch (inner->kind) {
    case TypeKind::structure: {
      if (resource.name.empty()) resource.name = inner->name;
      const spirv::Decorations& block = interface.of(*inner);
      const bool constants =
          variable.storage == StorageClass::push_constant || (variable.storage == StorageClass::uniform && !block.buffer_block);
      const auto members = interface.members_of(*inner);
      const bool read_only = own.non_writable || (!members.empty() && std::ranges::all_of(members, [&](const spirv::StructMember& one) {
                               return interface.of(one).non_writable;
                             }));
      resource.kind = constants   ? dxcontainer::ResourceKind::cbuffer
                      : read_only ? dxcontainer::ResourceKind::byte_address
                                  : dxcontainer::ResourceKind::uav_byte_address;
      if (!constants) resource.dimension = dxcontainer::ResourceDimension::raw_buffer;
      for (const spirv::StructMember& one : members) resource.coherent |= interface.of(one).coherent;
      if (variable.storage == StorageClass::push_constant) {
        resource.space = 0xffff'ffff;
        resource.first_register = 0;
      }
      break;
    }
    case TypeKind::image: describe_image(*inner); break;
    case TypeKind::sampler: resource.kind = dxcontainer::ResourceKind::sampler; break;
    case TypeKind::sampled_image: {
      const spirv::Type* image = interface.type(inner->element);
      if (image == nullptr) return;
      describe_image(*image);
      out.resources.push_back(resource);
      p.sampler = static_cast<std::uint32_t>(out.resources.size());
      resource.kind = dxcontainer::ResourceKind::sampler;
      resource.dimension = dxcontainer::ResourceDimension::unknown;
      resource.return_type = dxcontainer::ReturnType::none;
      break;
    }
    default: return;  // an error if it is used
  }
  out.resources.push_back(std::move(resource));
  roots.emplace(variable.id, std::move(p));
}

void Context::describe_counters() {
  for (const spirv::Variable& variable : interface.variables) {
    const auto counter = interface.of(variable).counter_buffer;
    const auto own = roots.find(variable.id);
    const auto other = counter ? roots.find(*counter) : roots.end();
    if (own == roots.end() || other == roots.end()) continue;
    if (own->second.kind == Pointer::Kind::resources && other->second.kind == Pointer::Kind::resources &&
        own->second.resource != other->second.resource)
      out.resources[own->second.resource].counter = other->second.resource;
  }
}

Result<void> Context::describe_variables() {
  const auto has = [](const auto& list, std::uint32_t what) { return std::ranges::find(list, what) != list.end(); };
  nodes.reserve(interface.variables.size());
  std::uint64_t group_end = 0;
  for (std::uint32_t place = 0; place < interface.variables.size(); ++place) {
    const spirv::Variable& variable = interface.variables[place];
    const bool is_interface = variable.storage == StorageClass::input || variable.storage == StorageClass::output;
    if (is_interface ? !has(entry.interface_ids, variable.id) && !std::ranges::binary_search(entry.used, place)
                     : entry.is_use_known && !std::ranges::binary_search(entry.used, place))
      continue;
    switch (variable.storage) {
      case StorageClass::input:
      case StorageClass::output: describe_interface(variable); break;
      case StorageClass::uniform:
      case StorageClass::uniform_constant:
      case StorageClass::storage_buffer:
      case StorageClass::push_constant: describe_resource(variable); break;
      case StorageClass::private_:
      case StorageClass::workgroup:
      case StorageClass::task_payload_workgroup_ext: {
        if (count(variable.type) == kNone && is_too_large(variable.type))
          return Error{ErrorCode::limit, 0, variable.name, "the module's variables are too large"};
        if (count(variable.type) == kNone) break;  // an error if it is used
        Pointer p;
        p.kind = Pointer::Kind::memory;
        p.type = variable.type;
        p.natural = true;
        const Space space = variable.storage == StorageClass::private_    ? Space::private_
                            : variable.storage == StorageClass::workgroup ? Space::group
                                                                          : Space::payload;
        std::uint64_t bytes = size(variable.type);
        if (explicit_group_layout && space == Space::group) {
          // blocks share their bytes. src: SPV_KHR_workgroup_memory_explicit_layout
          p.natural = false;
          bytes = explicit_size(variable.type);
          space_bytes[static_cast<std::size_t>(space)] = 0;
        }
        p.variable = add_variable(variable.name, space, bytes);
        group_end = space == Space::group ? std::max(group_end, space_bytes[static_cast<std::size_t>(space)]) : group_end;
        if (p.variable == kNone) return Error{ErrorCode::limit, 0, variable.name, "the module's variables are too large"};
        describe_memory(p.variable, variable.type, p.natural);
        roots.emplace(variable.id, std::move(p));
        break;
      }
      default: break;  // an error if it is used
    }
  }
  place_without_location();
  describe_counters();
  space_bytes[static_cast<std::size_t>(Space::group)] = group_end;
  return {};
}

}  // namespace lower_spirv

namespace {

void add_entries(const spirv::Interface& shown, std::vector<NamedEntry>& named) {
  for (const spirv::EntryPoint& one : shown.entry_points) named.push_back({one.name, spirv::stage_of(one.model)});
}

}  // namespace

Result<std::size_t> module_of_entry(std::span<const spirv::Module> modules, const SpirvOptions& options) {
  std::vector<spirv::Interface> shown;
  for (const spirv::Module& module : modules) shown.push_back(spirv::interface_of(module));
  std::vector<NamedEntry> named;
  for (const spirv::Interface& one : shown) add_entries(one, named);
  const auto found = entry_named(named, options.entry, options.stage, "entry_points");
  if (!found) return found.error();
  std::size_t module = 0, first = 0;
  while (*found - first >= shown[module].entry_points.size()) first += shown[module++].entry_points.size();
  return module;
}

Result<Module> lower(const spirv::Module& module, const SpirvOptions& options) {
  const spirv::IdTable ids(module);
  const spirv::Interface shown = spirv::interface_of(module);
  auto code = spirv::read_code(module, ids);
  if (!code) return std::move(code).error();
  std::vector<NamedEntry> named;
  add_entries(shown, named);
  const auto found = entry_named(named, options.entry, options.stage, "entry_points");
  if (!found) return found.error();
  const spirv::EntryPoint* const entry = &shown.entry_points[*found];
  Module made;
  made.stage = spirv::stage_of(entry->model);
  made.entry = entry->name;
  const bool is_nv = entry->model == ExecutionModel::task_nv || entry->model == ExecutionModel::mesh_nv;
  if (made.stage == Stage::none || made.stage > Stage::amplification || is_nv) {
    const auto* model = spirv::find_enumerant(spirv::OperandKind::execution_model, static_cast<std::uint32_t>(entry->model));
    return Error{ErrorCode::unsupported, 0, "entry_points",
                 "the entry point is of execution model `" + std::string(model != nullptr ? model->text : "?") +
                     "`: only the stages of draws and dispatches are run"};
  }
  for (const spirv::EntryPointMode& one : entry->modes) {
    if (one.mode == ExecutionMode::rounding_mode_rtz)
      return Error{ErrorCode::unsupported, 0, "entry_points", "the execution mode RoundingModeRTZ is not supported"};
  }
  lower_spirv::Context context(module, ids, shown, *code, *entry, made);
  context.keeps_copies = options.keep_copies;
  context.keeps_calls = options.keep_calls;
  context.instructions_left = most_lowered(module.instruction_count());
  context.describe_stage();
  if (auto done = context.describe_variables(); !done) return std::move(done).error();
  Function function;
  function.name = entry->name;
  if (auto done = lower_spirv::FunctionLowering(context, function).run(); !done) return std::move(done).error().within(entry->name);
  made.functions.push_back(std::move(function));
  for (std::size_t at = 0; at < context.waiting.size(); ++at) {
    const spirv::CodeFunction& called = *context.waiting[at];
    Function kept;
    kept.name = context.name_of(called.id);
    if (auto done = lower_spirv::FunctionLowering(context, kept).run(called); !done) return std::move(done).error().within(entry->name);
    made.functions.push_back(std::move(kept));
  }
  canonicalize(made);
  return made;
}

}  // namespace unshade::ir
