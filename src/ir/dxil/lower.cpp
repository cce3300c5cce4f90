// Lowers a module of DXIL: what surrounds the code. function.hpp has the code.
#include <unshade/ir/lower_dxil.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/program/semantics.hpp>
#include <unshade/dxil/program/vocabulary.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/dxil/function.hpp"
#include "ir/entry.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir {
namespace {

using dxil::ComponentType;
using dxil::ShaderKind;

Type component_type_of(ComponentType type, bool minimum_precision) {
  switch (type) {
    case ComponentType::i1:
    case ComponentType::i32:
    case ComponentType::u32: return Type::i32;
    case ComponentType::i16:
    case ComponentType::u16: return minimum_precision ? Type::i32 : Type::i16;
    case ComponentType::i64:
    case ComponentType::u64: return Type::i64;
    case ComponentType::f64:
    case ComponentType::snorm_f64:
    case ComponentType::unorm_f64: return Type::f64;
    case ComponentType::f16:
    case ComponentType::snorm_f16:
    case ComponentType::unorm_f16: return minimum_precision ? Type::f32 : Type::f16;
    default: return Type::f32;
  }
}

std::vector<Element> elements_of(const std::vector<dxil::MetadataElement>& from, ShaderKind kind, dxil::SignatureSide side,
                                 dxcontainer::TessellatorDomain domain, bool minimum_precision) {
  std::vector<Element> made;
  for (const dxil::MetadataElement& one : from) {
    Element element;
    element.semantic = dxil::semantic_name(one, kind, side);
    element.semantic_index = one.semantic_indexes.empty() ? 0 : one.semantic_indexes[0];
    element.system_value = dxil::program::system_value(one.semantic, domain);
    element.type = component_type_of(one.component_type, minimum_precision);
    element.is_signed =
        one.component_type == ComponentType::i16 || one.component_type == ComponentType::i32 || one.component_type == ComponentType::i64;
    element.interpolation = one.interpolation;
    if (one.allocated()) element.first_register = static_cast<std::uint32_t>(one.start_row);
    element.first_column = static_cast<std::uint8_t>(one.first_component());
    element.columns = one.columns;
    element.rows = one.rows;
    element.stream = one.stream;
    element.per_primitive = kind == ShaderKind::mesh && side == dxil::SignatureSide::patch_or_primitives;
    made.push_back(std::move(element));
  }
  return made;
}

void describe_stage(const dxil::EntryProperties& properties, Module& module) {
  StageInfo& info = module.info;
  if (properties.thread_group) info.group_size = *properties.thread_group;
  if (const auto& geometry = properties.geometry) {
    info.input_primitive = geometry->input_primitive;
    info.max_vertices = geometry->max_vertex_count;
    info.instances = geometry->instance_count;
    for (unsigned stream = 0; stream < 4; ++stream) {
      const bool active = (geometry->active_streams >> stream & 1) != 0;
      info.stream_topologies.push_back(active ? geometry->output_topology : dxcontainer::OutputTopology::undefined);
    }
  }
  if (const auto& hull = properties.hull) {
    info.input_points = hull->input_control_points;
    info.output_points = hull->output_control_points;
    info.domain = hull->domain;
    info.partitioning = hull->partitioning;
    info.tessellator_output = hull->output;
    info.max_tess_factor = hull->max_tess_factor;
  }
  if (const auto& domain = properties.domain) {
    info.domain = domain->domain;
    info.input_points = domain->input_control_points;
  }
  if (const auto& mesh = properties.mesh) {
    info.max_vertices = mesh->max_vertices;
    info.max_primitives = mesh->max_primitives;
    info.mesh_topology = mesh->topology;
  }
  if (const auto& wave = properties.wave_size; wave && wave->min != 0) {
    module.modes.wave_min = wave->min;
    module.modes.wave_max = std::max(wave->min, wave->max);
  }
}

void describe_resources(lower_dxil::Context& context) {
  const auto add = [&](const std::vector<dxil::ProgramResource>& from) {
    for (const dxil::ProgramResource& one : from) {
      Resource resource = lower_dxil::resource_of(dxil::ResourceProperties(one));
      resource.name = one.name;
      resource.space = one.space;
      resource.first_register = one.lower_bound;
      resource.count = one.count == 0xffff'ffff ? 0 : one.count;
      context.resources.emplace(&one, static_cast<std::uint32_t>(context.out.resources.size()));
      context.out.resources.push_back(std::move(resource));
    }
  };
  add(context.program.constant_buffers);
  add(context.program.samplers);
  add(context.program.shader_resources);
  add(context.program.unordered_access);
}

// Bytes of a constant in memory; false if it holds what has none.
bool append_bytes(lower_dxil::Context& context, std::uint32_t operand, std::uint64_t offset, std::vector<std::byte>& bytes,
                  unsigned depth) {
  const dxil::Constant* constant = context.query.constant_of(nullptr, operand);
  if (constant == nullptr || depth > 64) return false;
  const auto put = [&](std::uint64_t at, std::uint64_t bits, std::uint64_t size) {
    for (std::uint64_t k = 0; k < size && at + k < bytes.size(); ++k) bytes[at + k] = static_cast<std::byte>(bits >> (8 * k));
  };
  const dxil::Type& type = context.query.type(constant->type);
  switch (constant->kind) {
    case dxil::ConstantKind::null:
    case dxil::ConstantKind::undef: return true;
    case dxil::ConstantKind::integer:
    case dxil::ConstantKind::real:
      put(offset, context.widened(constant->type, constant->bits), context.layout.size_of(constant->type));
      return true;
    case dxil::ConstantKind::data:
    case dxil::ConstantKind::string:
    case dxil::ConstantKind::c_string: {
      const std::uint32_t element = context.module.element_of(constant->type);
      const std::uint64_t stride = context.layout.size_of(element);
      for (const std::uint64_t bits : context.module.literals_of(constant->literals)) {
        put(offset, context.widened(element, bits), stride);
        offset += stride;
      }
      return true;
    }
    case dxil::ConstantKind::aggregate: {
      const auto parts = context.module.operands_of(constant->operands);
      const auto offsets =
          type.kind == dxil::TypeKind::structure ? context.layout.offsets_of(constant->type) : std::vector<std::uint64_t>{};
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::uint64_t at = offsets.empty() ? k * context.layout.size_of(context.module.element_of(constant->type)) : offsets[k];
        if (!append_bytes(context, parts[k], offset + at, bytes, depth + 1)) return false;
      }
      return true;
    }
    default: return false;
  }
}

Result<void> describe_variables(lower_dxil::Context& context) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
  std::uint64_t total = 0;
  for (const dxil::Global& global : context.module.globals) {
    const std::uint64_t size = context.layout.size_of(global.type);
    std::vector<Type> pieces;
    const std::uint32_t innermost = context.query.innermost(global.type);
    if (context.is_handle(innermost) || context.query.is(innermost, dxil::TypeKind::pointer)) continue;
    if ((total += size) > kMostBytes) return Error{ErrorCode::limit, 0, "globals", "the module's variables are larger than 16 MiB"};
    const auto name = context.module.text(context.module.values[global.value].name);
    if (global.address_space == dxil::kGroupSharedSpace) {
      context.variables[global.value] = context.add_variable(std::string(name), Space::group, size);
    } else if (global.initializer != dxil::kNone && global.constant) {
      std::vector<std::byte> bytes(size);
      if (!append_bytes(context, global.initializer, 0, bytes, 0)) continue;
      context.variables[global.value] = context.add_variable(std::string(name), Space::constant, size, std::move(bytes));
    } else {
      std::vector<std::byte> bytes;
      if (global.initializer != dxil::kNone) {
        bytes.resize(size);
        if (!append_bytes(context, global.initializer, 0, bytes, 0)) continue;
      }
      context.variables[global.value] = context.add_variable(std::string(name), Space::private_, size, std::move(bytes));
    }
    context.describe_memory(context.variables[global.value], global.type);
  }
  return {};
}

// Square quads are of shader model 6.6 and later; before it, and where nothing reads other lanes of a quad, lanes are threads in sequence.
// src: DirectX-Specs, d3d/HLSL_SM_6_6_Derivatives.md
bool has_square_quads(const dxil::ProgramMetadata& program, const Module& module) {
  const auto& size = module.info.group_size;
  if (program.major < 6 || (program.major == 6 && program.minor < 6) || size[0] % 2 != 0 || size[1] % 2 != 0) return false;
  return std::ranges::any_of(module.functions, [](const Function& function) {
    return std::ranges::any_of(function.insts, [](const Inst& inst) { return has(info(inst.op).effects, Effects::quad); });
  });
}

}  // namespace

lower_dxil::Context::Context(const dxil::Module& from, const dxil::ProgramMetadata& metadata, const dxil::EntryPoint& point, Module& to)
    : module(from),
      program(metadata),
      entry(point),
      query{{from}, metadata},
      handles(query),
      layout(from),
      out(to),
      minimum_precision(metadata.minimum_precision()) {}

Result<Module> lower(const dxil::Module& module, const DxilOptions& options) {
  const dxil::ProgramMetadata program = dxil::read_program_metadata(module);
  const auto kind_of = [&](const dxil::EntryProperties& properties) {
    return properties.kind != ShaderKind::invalid ? properties.kind : program.kind;
  };
  std::vector<const dxil::EntryPoint*> entries;
  std::vector<NamedEntry> named;
  for (const dxil::EntryPoint& one : program.entries) {
    if (one.function == dxil::kNone) continue;
    entries.push_back(&one);
    named.push_back({one.name, dxil::stage_of(kind_of(dxil::read_entry_properties(program, one)))});
  }
  const auto found = entry_named(named, options.entry, Stage::none, "entries");
  if (!found) return found.error();
  const dxil::EntryPoint* const entry = entries[*found];
  const dxil::EntryProperties properties = dxil::read_entry_properties(program, *entry);
  const ShaderKind kind = kind_of(properties);
  Module made;
  made.stage = dxil::stage_of(kind);
  made.entry = entry->name;
  if (made.stage == Stage::none || made.stage == Stage::library || made.stage >= Stage::ray_generation) {
    return Error{ErrorCode::unsupported, 0, "entries",
                 "the shader is of kind `" + std::string(id(kind)) + "`: only the stages of draws and dispatches are run"};
  }
  describe_stage(properties, made);
  lower_dxil::Context context(module, program, *entry, made);
  made.modes.early_depth = (entry->flags & dxil::kForceEarlyDepthStencil) != 0;
  made.signatures.input = elements_of(entry->inputs, kind, dxil::SignatureSide::input, made.info.domain, context.minimum_precision);
  made.signatures.output = elements_of(entry->outputs, kind, dxil::SignatureSide::output, made.info.domain, context.minimum_precision);
  made.signatures.patch =
      elements_of(entry->patch_or_primitives, kind, dxil::SignatureSide::patch_or_primitives, made.info.domain, context.minimum_precision);
  describe_resources(context);
  if (auto done = describe_variables(context); !done) return std::move(done).error();

  context.keeps_copies = options.keep_copies;
  context.instructions_left = most_lowered(module.instructions.size());
  // a hull shader has two entries
  context.function_of(entry->function);
  if (properties.patch_constant_function != dxil::kNone) {
    context.function_of(properties.patch_constant_function);
    made.patch_constant = module.text(module.values[module.functions[properties.patch_constant_function].value].name);
  }
  for (std::size_t at = 0; at < context.waiting.size(); ++at) {
    const dxil::Function& from = module.functions[context.waiting[at]];
    if (from.body == dxil::kNone) return Error{ErrorCode::missing, 0, "functions", "the entry point has no body"};
    const std::string name(module.text(module.values[from.value].name));
    Function function;
    function.name = made.stage == Stage::hull && at < 2 ? (at == 0 ? "control_point" : "patch_constant") : name;
    if (auto done = lower_dxil::FunctionLowering(context, module.bodies[from.body], function).run(); !done) {
      return std::move(done).error().within(name);
    }
    made.functions.push_back(std::move(function));
  }
  if (options.keep_calls) {
    // recursion would be found when calls are inlined
    Module copy = made;
    if (auto calls = passes::inline_calls(copy); !calls) return std::move(calls).error();
  } else if (auto calls = passes::inline_calls(made); !calls) {
    return std::move(calls).error();
  }
  canonicalize(made);
  made.info.square_quads = has_square_quads(program, made);
  return made;
}

}  // namespace unshade::ir
