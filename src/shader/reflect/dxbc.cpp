#include "shader/reflect/dxbc.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/declarations.hpp>
#include <unshade/dxbc/program/stage_declarations.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/words.hpp>

#include "shader/reflect/effect.hpp"
#include "shader/reflect/made_up_name.hpp"
#include "shader/reflect/set_if_undefined.hpp"

namespace unshade::shader::reflection {

using dxcontainer::fourcc;

namespace {

// --- the program's declarations ----------------------------------------------------------------------------------------------------

/// A resource, sampler, buffer or UAV as a program declares it.
struct Declared {
  Resource resource;
  std::uint32_t registers = 0;  ///< of a constant buffer, 16 bytes each
};

struct DeclaredInput {
  std::uint32_t register_index;
  std::uint8_t mask;
  Interpolation interpolation;
};

struct Declarations {
  std::vector<Declared> resources;
  std::vector<DeclaredInput> inputs;
  dxbc::program::StageDeclarations stage;
  Pixel pixel;
};

/// Type and components of a typed resource.
void set_return_type(Resource& resource, dxbc::ReturnTypes types) {
  resource.return_type = types[0] <= ReturnType::continued ? types[0] : ReturnType::none;
  std::uint32_t components = 0;
  while (components < kComponents && types[components] != ReturnType::none && types[components] != ReturnType::unused) ++components;
  resource.components = std::max(components, 1U);
}

void declare_resource(Declarations& declarations, const dxbc::program::DeclaredBinding& binding, bool is_5_1) {
  Declared declared;
  Resource& resource = declared.resource;
  resource.kind = binding.kind();
  if (binding.type == dxbc::OperandType::constant_buffer) {
    declared.registers = binding.size;
  } else if (binding.type == dxbc::OperandType::sampler) {
    resource.comparison = binding.is_comparison;
    if (resource.comparison) resource.flags = dxbc::kBindingComparisonSampler;
  } else if (binding.layout == dxbc::program::Layout::typed) {
    resource.dimension = dxbc::dimension_of(binding.dimension);
    set_return_type(resource, binding.return_types);
    if (resource.components > 1) resource.flags |= (resource.components - 1) << dxbc::kBindingComponentShift;
    resource.sample_count = binding.sample_count;
  } else {
    resource.return_type = ReturnType::mixed;
    resource.dimension = ResourceDimension::buffer;
    resource.stride = binding.size;
  }
  resource.bind_point = binding.lower;
  resource.id = binding.id;
  if (is_5_1) {
    resource.bind_count = binding.upper == kNone || binding.upper < binding.lower ? 0 : binding.upper - binding.lower + 1;
    resource.space = binding.space;
  }
  resource.globally_coherent = binding.is_coherent;
  resource.rasterizer_ordered = binding.is_rasterizer_ordered;
  declarations.resources.push_back(std::move(declared));
}

/// One instruction's share.
void declare(Declarations& declarations, const dxbc::Program& program, const dxbc::Instruction& instruction) {
  using dxbc::Opcode;
  const dxbc::Operand& operand = instruction.operands[0];
  if (dxbc::program::declares_binding(instruction)) {
    if (operand.dimensions != 0)
      declare_resource(declarations, dxbc::program::declared_binding(instruction, program.is_5_1()), program.is_5_1());
    return;
  }
  if (dxbc::program::declare(declarations.stage, instruction)) return;
  switch (instruction.opcode()) {
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_siv:
    case Opcode::dcl_input_ps_sgv:
      if (operand.type != dxbc::OperandType::input || operand.dimensions == 0 || operand.lanes == 0) break;
      declarations.inputs.push_back({operand.index[operand.dimensions - 1U], operand.lanes, instruction.interpolation()});
      break;
    case Opcode::dcl_output:
      switch (operand.type) {
        case dxbc::OperandType::output_depth:
        case dxbc::OperandType::output_depth_greater_equal:
        case dxbc::OperandType::output_depth_less_equal: declarations.pixel.writes_depth = true; break;
        case dxbc::OperandType::output_coverage_mask: declarations.pixel.writes_coverage = true; break;
        case dxbc::OperandType::output_stencil_ref: declarations.pixel.writes_stencil_ref = true; break;
        default: break;
      }
      break;
    default: break;
  }
}

Result<Declarations> read_declarations(const dxbc::Program& program, std::string_view part_name) {
  Declarations declarations;
  dxbc::Decoder decoder(program);
  dxbc::Instruction instruction;
  while (!decoder.at_end()) {
    if (!decoder.next(instruction)) return Error(decoder.error()).within(part_name);
    if (instruction.info != nullptr && instruction.info->counted == dxbc::Counted::dcl) declare(declarations, program, instruction);
    if (declarations.resources.size() > limits::kDeclaredResources) {
      return Error{ErrorCode::limit, instruction.bytes.file_offset(), std::string(part_name) + "/instructions",
                   "more than " + std::to_string(limits::kDeclaredResources) + " resources are declared"};
    }
  }
  return declarations;
}

// --- resource definitions ----------------------------------------------------------------------------------------------------------

Type type_of(const dxbc::Type& from) {
  Type type;
  type.type_class = from.variable_class;
  type.base = from.type;
  type.rows = from.rows;
  type.columns = from.columns;
  type.elements = from.elements;
  type.subtype = from.subtype;
  type.base_class = from.base_class;
  type.name = from.name.text;
  type.members.reserve(from.members.size());
  for (const dxbc::Member& member : from.members) type.members.push_back({std::string(member.name.text), member.type, member.offset});
  for (const dxbc::TypeReference& reference : from.interfaces) type.interfaces.push_back(reference.type);
  return type;
}

Variable variable_of(const dxbc::Variable& from) {
  Variable variable;
  variable.name = from.name.text;
  variable.type = from.type;
  variable.offset = from.offset;
  variable.size = from.size;
  variable.flags = from.flags;
  variable.used = from.is_used();
  for (const dxbc::DefaultValue& value : from.default_value)
    variable.default_value.assign(value.bytes.bytes().begin(), value.bytes.bytes().end());
  variable.start_texture = from.start_texture;
  variable.texture_count = from.texture_count;
  variable.start_sampler = from.start_sampler;
  variable.sampler_count = from.sampler_count;
  return variable;
}

bool is_typed(ResourceKind kind) { return kind == ResourceKind::texture || kind == ResourceKind::uav_typed; }

Resource resource_of(const dxbc::Binding& from) {
  Resource resource;
  resource.name = from.name.text;
  resource.kind = from.kind;
  resource.return_type = from.return_type;
  resource.dimension = from.dimension;
  if (is_typed(resource.kind)) resource.components = from.components();
  // The field is the stride of structured buffers, and -1 of textures that are not multisampled. src: rdef.hpp
  const bool is_multisampled = dxcontainer::is_multisampled(resource.dimension);
  switch (from.kind) {
    case ResourceKind::structured:
    case ResourceKind::uav_structured:
    case ResourceKind::uav_append:
    case ResourceKind::uav_consume:
    case ResourceKind::uav_structured_with_counter: resource.stride = from.sample_count; break;
    default:
      if (is_multisampled && from.sample_count != 0xffff'ffff) resource.sample_count = from.sample_count;
      break;
  }
  resource.bind_point = from.bind_point;
  resource.bind_count = from.bind_count;
  resource.space = from.space;
  resource.id = from.id;
  resource.flags = from.flags;
  resource.comparison = from.is_comparison_sampler();
  return resource;
}

/// Which buffer record describes what a binding holds: the one of its name, of a fitting kind.
void connect_buffers(Reflection& reflection) {
  // Names are looked up in a sorted list: records can be many.
  std::vector<std::uint32_t> order(reflection.buffers.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto name_of = [&](std::uint32_t i) -> const std::string& { return reflection.buffers[i].name; };
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(std::string_view(name_of(i)), i); });
  for (Resource& resource : reflection.resources) {
    const BufferKind wanted = resource.kind == ResourceKind::cbuffer   ? BufferKind::cbuffer
                              : resource.kind == ResourceKind::tbuffer ? BufferKind::tbuffer
                                                                       : BufferKind::resource_bind_info;
    for (auto at = std::ranges::lower_bound(order, resource.name, {}, name_of); at != order.end() && name_of(*at) == resource.name; ++at) {
      if (reflection.buffers[*at].kind != wanted) continue;
      resource.buffer = *at;
      break;
    }
  }
}

void add_definitions(Reflection& reflection, const dxbc::Rdef& rdef) {
  reflection.creator = rdef.creator.text;
  reflection.compile_flags = rdef.flags;
  reflection.interface_slots = rdef.interface_slots;
  reflection.types.reserve(rdef.types.size());
  for (const dxbc::Type& type : rdef.types) reflection.types.push_back(type_of(type));
  for (const dxbc::ConstantBuffer& from : rdef.constant_buffers) {
    Buffer& buffer = reflection.buffers.emplace_back();
    buffer.name = from.name.text;
    buffer.kind = from.kind;
    buffer.size = from.size;
    buffer.flags = from.flags;
    for (const dxbc::Variable& variable : from.variables) buffer.variables.push_back(variable_of(variable));
  }
  for (const dxbc::Binding& binding : rdef.bindings) reflection.resources.push_back(resource_of(binding));
  connect_buffers(reflection);
}

/// Definitions from what is declared, if the part that held them was stripped.
void rebuild_definitions(Reflection& reflection, const Declarations& declarations) {
  const auto buffers = static_cast<std::size_t>(
      std::ranges::count(declarations.resources, ResourceKind::cbuffer, [](const Declared& declared) { return declared.resource.kind; }));
  reflection.resources.reserve(declarations.resources.size());
  reflection.buffers.reserve(buffers);
  reflection.types.reserve(buffers);
  for (const Declared& declared : declarations.resources) {
    Resource resource = declared.resource;
    resource.name = made_up_name(resource);
    if (resource.kind == ResourceKind::cbuffer) {
      resource.buffer = static_cast<std::uint32_t>(reflection.buffers.size());
      Buffer& buffer = reflection.buffers.emplace_back();
      buffer.name = resource.name;
      // A buffer has 4096 registers at most; more is read as that. src: D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT
      const std::uint32_t registers = std::min(declared.registers, 4096U);
      buffer.size = registers * 16;
      Variable& variable = buffer.variables.emplace_back();
      variable.name = resource.name + "_data";
      variable.size = buffer.size;
      variable.flags = dxbc::kVariableUsed;
      variable.used = true;
      variable.type = static_cast<std::uint32_t>(reflection.types.size());
      Type& type = reflection.types.emplace_back();
      type.type_class = TypeClass::vector;
      type.base = BaseType::float_;
      type.rows = 1;
      type.columns = 4;
      type.elements = registers;
    }
    reflection.resources.push_back(std::move(resource));
  }
}

/// What only the declarations tell of a UAV.
void add_uav_flags(Reflection& reflection, const Declarations& declarations) {
  const auto place = [](const Resource& resource) { return std::pair(resource.space, resource.bind_point); };
  std::map<std::pair<std::uint32_t, std::uint32_t>, const Resource*> flagged;
  for (const Declared& declared : declarations.resources) {
    if (declared.resource.globally_coherent || declared.resource.rasterizer_ordered) flagged[place(declared.resource)] = &declared.resource;
  }
  if (flagged.empty()) return;
  for (Resource& resource : reflection.resources) {
    const auto found = register_letters(resource.kind) == "u" ? flagged.find(place(resource)) : flagged.end();
    if (found == flagged.end()) continue;
    resource.globally_coherent = found->second->globally_coherent;
    resource.rasterizer_ordered = found->second->rasterizer_ordered;
  }
}

// --- signatures, stages, class linkage ---------------------------------------------------------------------------------------------

enum class DxbcFlow : std::uint8_t { in, out };

std::vector<SignatureElement> elements_of(const std::optional<dxcontainer::Signature>& signature, DxbcFlow flow,
                                          bool is_pixel_output = false) {
  std::vector<SignatureElement> elements;
  if (!signature) return elements;
  elements.reserve(signature->elements.size());
  for (const dxcontainer::SignatureElement& from : signature->elements) {
    SignatureElement& element = elements.emplace_back();
    element.semantic = from.semantic.text;
    element.semantic_index = from.semantic_index;
    element.register_index = from.register_index;
    element.stream = from.stream;
    element.system_value = dxbc::listing::reported_system_value(from, is_pixel_output);
    element.component_type = from.component_type;
    element.min_precision = from.min_precision;
    element.mask = from.mask;
    // Of outputs the file states the components that are never written.
    element.used_mask = flow == DxbcFlow::in ? from.used_mask : static_cast<std::uint8_t>(~from.used_mask & 0xf);
  }
  return elements;
}

void add_interpolation(std::vector<SignatureElement>& elements, std::vector<DeclaredInput>& inputs) {
  // Sorted and each declaration once, 15 a register at most: no shape of a file makes this slow.
  std::ranges::sort(inputs, {},
                    [](const DeclaredInput& input) { return std::tuple(input.register_index, input.mask, input.interpolation); });
  const auto repeated =
      std::ranges::unique(inputs, {}, [](const DeclaredInput& input) { return std::pair(input.register_index, input.mask); });
  inputs.erase(repeated.begin(), repeated.end());
  for (SignatureElement& element : elements) {
    for (auto at = std::ranges::lower_bound(inputs, element.register_index, {}, &DeclaredInput::register_index);
         at != inputs.end() && at->register_index == element.register_index; ++at) {
      if ((at->mask & element.mask) == 0) continue;
      element.interpolation = at->interpolation;
      break;
    }
  }
}

Stage stage_of_program(dxbc::Stage stage) {
  const auto number = static_cast<std::uint32_t>(stage);
  return number < static_cast<std::uint32_t>(Stage::library) - 1 ? static_cast<Stage>(number + 1) : Stage::none;
}

Stage stage_of_target(dxbc::RdefTarget target) {
  if (target == dxbc::RdefTarget::library) return Stage::library;
  const auto stage = dxbc::listing::stage_of(target);
  return stage ? stage_of_program(*stage) : Stage::none;
}

std::string_view profile_prefix(Stage stage) {
  constexpr std::string_view kPrefixes[] = {"", "ps", "vs", "gs", "hs", "ds", "cs", "lib"};
  return kPrefixes[static_cast<std::size_t>(stage)];
}

Statistics statistics_of(const dxbc::Statistics& from) {
  Statistics s;
  s.instruction_count = from.instruction_count;
  s.temp_register_count = from.temp_register_count;
  s.temp_array_count = from.temp_array_count;
  s.define_count = from.define_count;
  s.declaration_count = from.declaration_count;
  s.texture_normal_instructions = from.texture_normal_instructions;
  s.texture_load_instructions = from.texture_load_instructions;
  s.texture_comparison_instructions = from.texture_comparison_instructions;
  s.texture_bias_instructions = from.texture_bias_instructions;
  s.texture_gradient_instructions = from.texture_gradient_instructions;
  s.texture_gather_instructions = from.texture_gather_instructions;
  s.texture_lod_instructions = from.texture_lod_instructions;
  s.texture_store_instructions = from.texture_store_instructions;
  s.float_instruction_count = from.float_instruction_count;
  s.int_instruction_count = from.int_instruction_count;
  s.uint_instruction_count = from.uint_instruction_count;
  s.bitwise_instruction_count = from.bitwise_instruction_count;
  s.conversion_instruction_count = from.conversion_instruction_count;
  s.mov_instruction_count = from.mov_instruction_count;
  s.movc_instruction_count = from.movc_instruction_count;
  s.static_flow_control_count = from.static_flow_control_count;
  s.dynamic_flow_control_count = from.dynamic_flow_control_count;
  s.macro_instruction_count = from.macro_instruction_count;
  s.array_instruction_count = from.array_instruction_count;
  s.cut_instruction_count = from.cut_instruction_count;
  s.emit_instruction_count = from.emit_instruction_count;
  s.barrier_instructions = from.barrier_instructions;
  s.interlocked_instructions = from.interlocked_instructions;
  return s;
}

void add_stage(EntryPoint& entry, const Declarations& declarations, const std::optional<dxbc::Statistics>& statistics) {
  const dxbc::program::StageDeclarations& stage = declarations.stage;
  switch (entry.stage) {
    case Stage::pixel: {
      Pixel& pixel = entry.pixel.emplace(declarations.pixel);
      pixel.early_depth_stencil = (entry.required_features & kRequiresEarlyDepthStencil) != 0;
      pixel.sample_frequency = statistics && statistics->sample_frequency != 0;
      break;
    }
    case Stage::geometry: {
      Geometry& geometry = entry.geometry.emplace();
      geometry.input_primitive = stage.input_primitive;
      geometry.output_topology = stage.last_topology;
      geometry.max_vertex_count = stage.max_vertices;
      geometry.instance_count = stage.instances.value_or(0);
      geometry.streams = stage.streams;
      if (statistics) {
        set_if_undefined(geometry.input_primitive, statistics->input_primitive);
        set_if_undefined(geometry.output_topology, statistics->output_topology);
        set_if_undefined(geometry.max_vertex_count, statistics->max_output_vertex_count);
        set_if_undefined(geometry.instance_count, statistics->instance_count);
      }
      if (geometry.instance_count == 0) geometry.instance_count = 1;
      if (geometry.streams == 0) geometry.streams = 1;
      break;
    }
    case Stage::hull:
    case Stage::domain: {
      Tessellation& tessellation = entry.tessellation.emplace();
      tessellation.domain = stage.domain;
      tessellation.partitioning = stage.partitioning;
      tessellation.output = stage.tessellator_output;
      tessellation.input_control_points = stage.input_points.value_or(0);
      tessellation.output_control_points = stage.output_points;
      tessellation.max_tess_factor = stage.max_tess_factor;
      if (!statistics) break;
      set_if_undefined(tessellation.domain, statistics->tessellator_domain);
      set_if_undefined(tessellation.partitioning, statistics->tessellator_partitioning);
      set_if_undefined(tessellation.output, statistics->tessellator_output);
      set_if_undefined(entry.stage == Stage::hull ? tessellation.output_control_points : tessellation.input_control_points,
                       statistics->control_point_count);
      break;
    }
    case Stage::compute: entry.thread_group = stage.thread_group; break;
    default: break;
  }
}

ClassLinkage linkage_of(const dxbc::ClassLinkage& from) {
  ClassLinkage linkage;
  for (const dxbc::ClassType& type : from.types)
    linkage.types.push_back({std::string(type.name.text), type.constant_buffer_stride, type.texture_count, type.sampler_count});
  for (const dxbc::ClassInstance& instance : from.instances) {
    linkage.instances.push_back({std::string(instance.name.text), instance.type, instance.elements, instance.constant_buffer,
                                 instance.constant_buffer_offset, instance.texture, instance.sampler});
  }
  std::uint32_t first = 0;
  for (const dxbc::InterfaceSlot& slot : from.slots) {
    InterfaceSlot& interface = linkage.slots.emplace_back();
    interface.first = first;
    interface.count = slot.span;
    for (const dxbc::ClassTypeId& id : slot.types) interface.types.push_back(id.type);
    for (const dxbc::FunctionTableId& id : slot.tables) interface.tables.push_back(id.table);
    first += slot.span;
  }
  return linkage;
}

/// SFI0 and what the global flags imply. src: d3d12TokenizedProgramFormat.hpp, the D3D11_SB_GLOBAL_FLAG_* that have a requirement beside
/// them
std::uint64_t requirements_of(std::uint64_t features, std::uint32_t global_flags) {
  struct Implied {
    std::uint32_t flag;
    std::uint64_t requirement;
  };
  constexpr Implied kImplied[] = {
      {1U << 1, 0x1},                         // doubles
      {1U << 2, kRequiresEarlyDepthStencil},  //
      {1U << 5, 0x10},                        // minimum precision
      {1U << 6, 0x20},                        // double extensions of 11.1
      {1U << 7, 0x40},                        // shader extensions of 11.1
  };
  std::uint64_t required = features & ~kRequiresEarlyDepthStencil;
  for (const Implied& implied : kImplied)
    if ((global_flags & implied.flag) != 0) required |= implied.requirement;
  return required;
}

FeatureLevel feature_level_of(const dxcontainer::Container& container, const Reflection& reflection, std::uint64_t required) {
  if (const auto* part = container.find(fourcc("Aon9"))) {
    // The program's version token: 2_0 is what 9_1 runs, 2_x (minor 1) needs 9_3. The part's header says 2_0 of both.
    // src: docs/reference/formats/level9.md
    const auto level9 = dxbc::parse_level9(*part);
    const auto version = level9 ? level9->program.u32(0) : part->data.u32(4);
    return (version.value_or(0) & 0xff) == 0 ? FeatureLevel::level_9_1 : FeatureLevel::level_9_3;
  }
  // UAVs at every stage, 64 of them, and the extensions of 11.1 come with that level. What hardware may have at any level (rasterizer
  // ordered views, tiled resources, ...) says nothing here. src: the page on feature levels of the Direct3D 11 documentation
  constexpr std::uint64_t kNeeds11_1 = 0x4 | 0x8 | 0x20 | 0x40;
  if (reflection.major_version == 0) return FeatureLevel::unknown;
  if ((required & kNeeds11_1) != 0) return FeatureLevel::level_11_1;
  if (reflection.major_version >= 5) return FeatureLevel::level_11_0;
  return reflection.minor_version >= 1 ? FeatureLevel::level_10_1 : FeatureLevel::level_10_0;
}

}  // namespace

Result<Reflection> reflect_dxbc(const Shader& shader) {
  const dxcontainer::Container& container = *shader.container();
  auto tables = dxbc::listing::read_listing_tables(container);
  if (!tables) return std::move(tables).error();

  Reflection reflection;
  reflection.has_root_signature = container.find(fourcc("RTS0")) != nullptr;
  const auto* code = container.find(dxcontainer::PartRole::tokens);
  if (const dxcontainer::Part* const effect = container.find(fourcc("FX10")); effect != nullptr && code == nullptr) {
    if (auto added = add_effect(*effect, reflection); !added) return std::move(added).error();
    return reflection;
  }
  if (code == nullptr && !tables->rdef && !tables->input && !tables->output && !reflection.has_root_signature)
    return Error{ErrorCode::missing, shader.file.file_offset(), "parts",
                 "no program, resource definitions, signatures or root signature to reflect"};

  EntryPoint entry;
  Declarations declarations;
  if (code != nullptr) {
    const auto program = dxbc::parse_program(*code);
    if (!program) return program.error();
    auto read = read_declarations(*program, code->name());
    if (!read) return std::move(read).error();
    declarations = *std::move(read);
    entry.stage = stage_of_program(program->stage);
    reflection.major_version = program->major;
    reflection.minor_version = program->minor;
  } else if (tables->rdef) {
    entry.stage = stage_of_target(tables->rdef->target);
    reflection.major_version = tables->rdef->major_version;
    reflection.minor_version = tables->rdef->minor_version;
  }
  if (entry.stage != Stage::none) {
    reflection.profile = std::string(profile_prefix(entry.stage)) + '_' + std::to_string(reflection.major_version) + '_' +
                         std::to_string(reflection.minor_version);
  }

  if (tables->rdef) {
    add_definitions(reflection, *tables->rdef);
    add_uav_flags(reflection, declarations);
  } else if (code != nullptr) {
    reflection.rebuilt = true;
    rebuild_definitions(reflection, declarations);
  }

  entry.inputs = elements_of(tables->input, DxbcFlow::in);
  entry.outputs = elements_of(tables->output, DxbcFlow::out, entry.stage == Stage::pixel);
  entry.patch_constants = elements_of(tables->patch_constant, entry.stage == Stage::hull ? DxbcFlow::out : DxbcFlow::in);
  add_interpolation(entry.inputs, declarations.inputs);
  entry.required_features = requirements_of(tables->features, declarations.stage.global_flags);
  reflection.compute_on_4x = (tables->features & 0x2) != 0;
  if (tables->statistics) entry.statistics = statistics_of(*tables->statistics);
  add_stage(entry, declarations, tables->statistics);
  reflection.min_feature_level = feature_level_of(container, reflection, entry.required_features);
  if (tables->class_linkage) {
    reflection.class_linkage = linkage_of(*tables->class_linkage);
    if (reflection.interface_slots == 0) reflection.interface_slots = tables->class_linkage->slot_count;
  }
  if (code != nullptr || tables->rdef || tables->input || tables->output) reflection.entry_points.push_back(std::move(entry));
  return reflection;
}

}  // namespace unshade::shader::reflection
