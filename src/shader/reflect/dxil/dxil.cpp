#include "shader/reflect/dxil/dxil.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/parts.hpp>

#include "shader/reflect/dxil/definitions.hpp"
#include "shader/reflect/dxil/stale.hpp"

namespace unshade::shader::reflection {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

/// The module that definitions are read from.
struct Source {
  const char* part = nullptr;  ///< the part that it comes from; null for bitcode that is a file itself
  View bitcode{};
  std::optional<dxil::Program> program{};  ///< of a container: what precedes the bitcode

  bool is_present() const { return part == nullptr ? !bitcode.empty() : program.has_value(); }
};

/// Names and layouts are often stripped from the program, and kept in a copy of the module without its code: STAT.
Result<Source> find_source(const Shader& shader) {
  Source source;
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) {
    source.bitcode = bitcode->bytes;
    return source;
  }
  const dxcontainer::Container& container = *shader.container();
  if (const Part* part = container.find(fourcc("STAT"))) {
    auto program = dxil::parse_program(*part);
    if (program && !program->bitcode.empty()) return Source{part->name(), program->bitcode, *program};
  }
  const Part* const part = container.find_any({fourcc("ILDB"), fourcc("DXIL")});
  if (part == nullptr) return Source{.part = "parts"};
  auto program = dxil::parse_program(*part);
  if (!program) return std::move(program).error();
  return Source{part->name(), program->bitcode, *program};
}

/// The parts of a container besides the program.
struct Tables {
  std::optional<dxil::Psv> psv;
  std::optional<dxil::Rdat> rdat;
  std::optional<dxcontainer::Signature> input, output, patch_constant;
  std::optional<std::uint64_t> features;

  bool has_signatures() const { return input || output || patch_constant; }
};

/// Reads the part of a kind or role, if it is there.
template <class T, class Parse>
Result<void> read_optional(const dxcontainer::Container& container, auto kind, std::optional<T>& to, Parse parse) {
  const Part* const part = container.find(kind);
  if (part == nullptr) return {};
  auto read = parse(*part);
  if (!read) return std::move(read).error();
  to = *std::move(read);
  return {};
}

Result<Tables> read_tables(const dxcontainer::Container& container) {
  Tables tables;
  const dxil::ShaderKind kind = dxil::program_kind(container);
  const auto signature = [](const Part& part) { return dxcontainer::parse_signature(part); };
  if (auto done = read_optional(container, fourcc("PSV0"), tables.psv, [&](const Part& part) { return dxil::parse_psv(part, kind); });
      !done)
    return std::move(done).error();
  if (auto done = read_optional(container, fourcc("RDAT"), tables.rdat, [](const Part& part) { return dxil::parse_rdat(part); }); !done)
    return std::move(done).error();
  if (auto done = read_optional(container, dxcontainer::PartRole::input, tables.input, signature); !done) return std::move(done).error();
  if (auto done = read_optional(container, dxcontainer::PartRole::output, tables.output, signature); !done) return std::move(done).error();
  if (auto done = read_optional(container, dxcontainer::PartRole::patch, tables.patch_constant, signature); !done)
    return std::move(done).error();
  if (auto done = read_optional(container, fourcc("SFI0"), tables.features, dxcontainer::parse_features); !done)
    return std::move(done).error();
  return tables;
}

enum class DxilFlow : std::uint8_t { in, out };

std::vector<SignatureElement> elements_of(const std::optional<dxcontainer::Signature>& signature, DxilFlow flow, ReflectionBudget& budget) {
  std::vector<SignatureElement> elements;
  if (!signature) return elements;
  for (const dxcontainer::SignatureElement& from : signature->elements) {
    if (!budget.spend(from.semantic.text)) break;
    SignatureElement& element = elements.emplace_back();
    element.semantic = from.semantic.text;
    element.semantic_index = from.semantic_index;
    element.register_index = from.register_index;
    element.stream = from.stream;
    element.system_value = from.system_value;
    element.component_type = from.component_type;
    element.min_precision = from.min_precision;
    element.mask = from.mask;
    // Of outputs the file states the components that are never written.
    element.used_mask = static_cast<std::uint8_t>((flow == DxilFlow::in ? from.used_mask : ~unsigned{from.used_mask}) & 0xf);
  }
  return elements;
}

/// Signature parts do not state interpolation: it comes from `from`, by semantic, index and stream.
void add_interpolation(std::vector<SignatureElement>& elements, const std::vector<SignatureElement>& from) {
  const auto key = [](const SignatureElement& e) { return std::tuple(std::string_view(e.semantic), e.semantic_index, e.stream); };
  std::vector<const SignatureElement*> sorted;
  sorted.reserve(from.size());
  for (const SignatureElement& element : from) sorted.push_back(&element);
  const auto key_of = [&](const SignatureElement* e) { return key(*e); };
  std::ranges::sort(sorted, {}, key_of);
  for (SignatureElement& element : elements) {
    const auto found = std::ranges::lower_bound(sorted, key(element), {}, key_of);
    if (found != sorted.end() && key(**found) == key(element)) element.interpolation = (*found)->interpolation;
  }
}

void use_signature_parts(EntryPoint& entry, const Tables& tables, ReflectionBudget& budget) {
  const bool patch_out = entry.stage == Stage::hull || entry.stage == Stage::mesh;
  const std::tuple<std::vector<SignatureElement>*, const std::optional<dxcontainer::Signature>*, DxilFlow> kinds[] = {
      {&entry.inputs, &tables.input, DxilFlow::in},
      {&entry.outputs, &tables.output, DxilFlow::out},
      {&entry.patch_constants, &tables.patch_constant, patch_out ? DxilFlow::out : DxilFlow::in},
  };
  for (const auto& [elements, signature, flow] : kinds) {
    auto from_part = elements_of(*signature, flow, budget);
    add_interpolation(from_part, *elements);
    *elements = std::move(from_part);
  }
}

/// A count of DXC and ours. DXC's cover fewer of Direct3D's than fxc's do.
struct CounterField {
  std::string_view name;
  std::uint32_t Statistics::* count;
};
// src: DXC DxilContainerReflection.cpp, InitDesc
constexpr CounterField kCounters[] = {
    {"insts", &Statistics::instruction_count},
    {"array_local_bytes", &Statistics::temp_array_count},
    {"array_static_bytes", &Statistics::temp_array_count},
    {"array_tgsm_bytes", &Statistics::temp_array_count},
    {"branches", &Statistics::dynamic_flow_control_count},
    {"array_local_ldst", &Statistics::array_instruction_count},
    {"array_static_ldst", &Statistics::array_instruction_count},
    {"array_tgsm_ldst", &Statistics::array_instruction_count},
    {"floats", &Statistics::float_instruction_count},
    {"ints", &Statistics::int_instruction_count},
    {"uints", &Statistics::uint_instruction_count},
    {"tex_norm", &Statistics::texture_normal_instructions},
    {"tex_load", &Statistics::texture_load_instructions},
    {"tex_cmp", &Statistics::texture_comparison_instructions},
    {"tex_bias", &Statistics::texture_bias_instructions},
    {"tex_grad", &Statistics::texture_gradient_instructions},
    {"tex_store", &Statistics::texture_store_instructions},
    {"gs_cut", &Statistics::cut_instruction_count},
    {"gs_emit", &Statistics::emit_instruction_count},
    {"barrier", &Statistics::barrier_instructions},
    {"atomic", &Statistics::interlocked_instructions},
};

std::optional<Statistics> statistics_of(const dxil::Module& module) {
  const std::vector<dxil::Counter> counters = dxil::read_counters(module);
  if (counters.empty()) return std::nullopt;
  Statistics statistics;
  for (const dxil::Counter& counter : counters)
    for (const CounterField& field : kCounters)
      if (field.name == counter.name) statistics.*field.count += counter.value;
  return statistics;
}

void set_model(Reflection& reflection, dxil::ShaderKind kind, std::uint32_t major, std::uint32_t minor) {
  reflection.major_version = static_cast<std::uint8_t>(major);
  reflection.minor_version = static_cast<std::uint8_t>(minor);
  const std::string_view prefix = dxil::profile_prefix(kind);
  if (!prefix.empty()) reflection.profile = std::string(prefix) + '_' + std::to_string(major) + '_' + std::to_string(minor);
}

/// The one entry of what is no library. `metadata` may be null.
EntryPoint single_entry(const dxil::ProgramMetadata* metadata, const Tables& tables, ReflectionBudget& budget) {
  EntryPoint entry;
  if (metadata != nullptr) {
    // Read with signatures even if parts have them: interpolation is in no part.
    if (!metadata->entries.empty()) entry = entry_of(*metadata, metadata->entries[0], budget);
    entry.stage = stage_of(metadata->kind);
    entry.statistics = statistics_of(*metadata->module);
  } else if (tables.psv) {
    add_signatures(entry, *tables.psv, budget);
  }
  if (tables.psv) add_runtime_info(entry, *tables.psv);
  if (tables.has_signatures()) use_signature_parts(entry, tables, budget);
  if (tables.features) {
    const std::uint64_t early = entry.required_features & kRequiresEarlyDepthStencil;
    entry.required_features = (*tables.features & ~kRequiresEarlyDepthStencil) | early;
  }
  return entry;
}

}  // namespace

Result<Reflection> reflect_dxil(const Shader& shader) {
  const dxcontainer::Container no_container;  // of bitcode alone
  const dxcontainer::Container& container = shader.container() != nullptr ? *shader.container() : no_container;
  auto source = find_source(shader);
  if (!source) return std::move(source).error();
  auto tables = read_tables(container);
  if (!tables) return std::move(tables).error();

  Reflection reflection;
  reflection.has_root_signature = container.find(fourcc("RTS0")) != nullptr;
  if (!source->is_present() && !tables->psv && !tables->rdat && !tables->has_signatures() && !reflection.has_root_signature)
    return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "no program, PSV0, RDAT, signatures or root signature to reflect"};

  ReflectionBudget budget(shader.file);
  std::shared_ptr<const dxil::Module> module;
  std::optional<dxil::ProgramMetadata> metadata;
  dxil::ShaderKind kind = tables->psv ? tables->psv->info.kind : tables->rdat ? dxil::ShaderKind::library : dxil::ShaderKind::invalid;
  if (source->is_present()) {
    auto read = shader.module(source->bitcode);
    if (!read) return source->part == nullptr ? std::move(read).error() : std::move(read).error().within(source->part);
    module = *std::move(read);
    metadata = dxil::read_program_metadata(*module);
    if (!metadata->present) metadata.reset();
    if (source->program) {
      kind = source->program->kind();
      set_model(reflection, kind, source->program->major(), source->program->minor());
    } else if (metadata) {
      kind = metadata->kind;
      set_model(reflection, kind, metadata->major, metadata->minor);
    }
    const std::string_view creator = dxil::creator_of(*module);
    if (budget.spend(creator)) reflection.creator = creator;
  }
  constexpr std::uint8_t kDxilModel = 6;  // the first shader model that runs on 12_0 alone
  if (reflection.major_version >= kDxilModel) reflection.min_feature_level = FeatureLevel::level_12_0;

  // Where the module for reflection lags behind, only names and layouts are its own.
  std::shared_ptr<const dxil::Module> program_module;
  std::optional<dxil::ProgramMetadata> program;
  if (metadata && source->part != nullptr && std::string_view(source->part) == "STAT")
    if (const Part* const part = container.find_any({fourcc("DXIL"), fourcc("ILDB")}))
      if (const auto parsed = dxil::parse_program(*part)) program_module = differing_program(shader, parsed->bitcode, *metadata);
  const bool has_definitions = program_module != nullptr && has_names(*metadata);
  if (program_module != nullptr) {
    program = dxil::read_program_metadata(*program_module);
    take_resources(*metadata, *program);
  }
  const dxil::ProgramMetadata* const entries = program ? &*program : metadata ? &*metadata : nullptr;

  if (metadata) {
    add_definitions(reflection, *metadata, budget);
    add_usage(reflection, *metadata);
    if (has_definitions) reflection.rebuilt = false;  // only what the program alone has is without a name
  } else if (tables->rdat) {
    add_definitions(reflection, *tables->rdat, budget);
  } else if (tables->psv) {
    add_definitions(reflection, *tables->psv, budget);
  }

  if (kind == dxil::ShaderKind::library) {
    add_functions(reflection, entries, tables->rdat ? &*tables->rdat : nullptr, budget);
    if (tables->rdat) add_subobjects(reflection, *tables->rdat, budget);
  } else if (source->is_present() || tables->psv || tables->has_signatures()) {
    reflection.entry_points.push_back(single_entry(entries, *tables, budget));
    if (program) reflection.entry_points.back().statistics = statistics_of(*module);
  }
  if (tables->features) reflection.compute_on_4x = (*tables->features & kRequiresEarlyDepthStencil) != 0;
  if (budget.exceeded()) return budget.error();
  return reflection;
}

}  // namespace unshade::shader::reflection
