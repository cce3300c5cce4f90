#include <unshade/write/translate.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/ir/analysis/names.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/shader/flow.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/write/source.hpp>

namespace unshade::write {

Result<void> check_entry(const shader::Shader& shader, std::string_view entry) {
  if (entry.empty() || shader.family != shader::Family::dxbc) return {};
  return Error{ErrorCode::missing, shader.file.file_offset(), "entry",
               "there is no entry point `" + std::string(entry) + "`: programs of DXBC have one, without a name"};
}

namespace {

// Whether reflection has names for a module of a family: of the PICA200 for its outputs too.
bool has_names(const shader::Shader& shader, const ir::Module& module) {
  using dxcontainer::ResourceKind;
  return shader.family == shader::Family::pica || std::ranges::any_of(module.resources, [](const ir::Resource& resource) {
           const bool has_members = resource.kind == ResourceKind::cbuffer || resource.kind == ResourceKind::tbuffer;
           return has_members || (resource.name.empty() && !resource.in_set && !resource.heap);
         });
}

}  // namespace

Result<Translation> to_spirv(const shader::Shader& shader, const TranslateOptions& options) {
  if (auto checked = check_entry(shader, options.entry); !checked) return std::move(checked).error();
  shader::LowerOptions lowering;
  lowering.entry = options.entry;
  lowering.f24 = ir::F24::as_f32;
  lowering.constants_in_code = true;
  SpirvOptions how = options.spirv;
  const bool needs_text = how.debug != DebugInfo::none && how.source == nullptr;
  lowering.keep_copies = needs_text && !options.debug_language;  // the program that is listed
  auto lowered = shader::lower(shader, lowering);
  if (!lowered) return std::move(lowered).error();
  const Stage stage = (*lowered)->stage;
  const ir::Modes modes = (*lowered)->modes;
  DebugSource text;
  if (needs_text) {
    auto shown = options.debug_language ? source_of(shader, **lowered, *options.debug_language, options.entry, options.file_name)
                                        : listing_of(shader, **lowered, options.file_name);
    if (!shown) return std::move(shown).error();
    text = *std::move(shown);
    how.source = &text;
  }
  const auto structured = ir::structured(ir::optimize(*std::move(lowered), 1));
  if (!structured) return structured.error();
  std::optional<shader::Reflection> reflection;
  if (has_names(shader, *structured->module))
    if (auto found = shader::reflect(shader)) reflection = *std::move(found);  // what cannot be reflected has no names
  auto made = to_spirv(*structured, reflection ? &*reflection : nullptr, how);
  if (!made) return std::move(made).error();
  Translation translation{{}, stage, modes.wave_min, modes.wave_max, std::move(made->bindings), std::move(made->specializations)};
  append_all_little_endian<std::uint32_t>(translation.bytes, made->words);
  return translation;
}

bool choose_debug_info(std::string_view name, TranslateOptions& options) {
  if (name != "lines" && name != "source" && name != "hlsl" && name != "glsl") return false;
  options.spirv.debug = name == "lines" ? DebugInfo::lines : DebugInfo::source;
  if (name == "hlsl") options.debug_language = ShadingLanguage::hlsl;
  if (name == "glsl") options.debug_language = ShadingLanguage::glsl;
  return true;
}

Result<DebugSource> source_of(const shader::Shader& shader, const ir::Module& module, ShadingLanguage language, std::string_view entry,
                              std::string_view file_name) {
  SourceOptions options;
  options.language = language;
  options.entry = entry;
  auto written = to_source(shader, options);
  if (!written) return std::move(written).error();
  DebugSource made;
  made.file = std::string(file_name.empty() ? "source" : file_name) + (language == ShadingLanguage::hlsl ? ".hlsl" : ".glsl");
  made.language = language;
  for (const ir::Function& function : module.functions) {
    std::vector<std::uint32_t>& lines = made.lines.emplace_back();
    for (std::size_t line = 0; line < written->lines.size(); ++line) {
      const SourceLine& of = written->lines[line];
      if (of.instruction == ir::kNone || written->functions[of.function] != function.name) continue;
      if (lines.size() <= of.instruction) lines.resize(std::size_t{of.instruction} + 1);
      std::uint32_t& first = lines[of.instruction];
      if (first == 0) first = static_cast<std::uint32_t>(line + 1);
    }
    // what has no line of its own is written in a later one
    for (std::size_t at = lines.size(); at-- > 1;)
      if (lines[at - 1] == 0) lines[at - 1] = lines[at];
  }
  made.text = std::move(written->text);
  return made;
}

namespace {

// Prints the listing; the lines of the instructions of functions in it.
Result<std::vector<std::vector<std::uint32_t>>> print_listing(const shader::Shader& shader, std::span<const std::string> functions,
                                                              Text& text) {
  std::vector<std::vector<std::uint32_t>> made;
  const auto flow = shader::control_flow(shader, text);
  if (!flow) return flow.error();
  for (const std::string& function : functions) {
    const auto stepped = shader::stepped_lines(shader, function);
    if (!stepped) return stepped.error();
    made.push_back(shader::lines_in_listing(shader.family, text.view(), *flow, *stepped));
  }
  return made;
}

}  // namespace

void find_in_listing(const shader::Shader& shader, SourceText& source) {
  Text listing;
  const auto lines = print_listing(shader, source.functions, listing);
  if (!lines) return;
  for (SourceLine& line : source.lines)
    if (line.instruction != ir::kNone && line.instruction < (*lines)[line.function].size())
      line.listing_line = (*lines)[line.function][line.instruction];
}

Result<DebugSource> listing_of(const shader::Shader& shader, const ir::Module& module, std::string_view file_name) {
  DebugSource made;
  made.file = std::string(file_name.empty() ? "listing" : file_name) + std::string(shader::traits_of(shader.family).listing_suffix);
  Text text;
  std::vector<std::string> functions;
  for (const ir::Function& function : module.functions) functions.push_back(function.name);
  auto lines = print_listing(shader, functions, text);
  if (!lines) return std::move(lines).error();
  made.lines = *std::move(lines);
  made.text = text.str();
  if (const auto* const file = std::get_if<pica::Shbin>(&shader.content)) made.registers = ir::written_registers(*file);
  if (shader.family != shader::Family::dxbc) return made;
  const auto* const code = shader.container()->find(dxcontainer::PartRole::tokens);
  if (code == nullptr) return made;
  const auto program = dxbc::parse_program(*code);
  if (!program) return program.error();
  made.registers = ir::written_registers(*program);
  return made;
}

std::optional<Binding> binding_model(std::string_view name) {
  if (name == "nvrhi") return Binding{};
  const Binding plain{.texture_shift = 0, .sampler_shift = 0, .cbuffer_shift = 0, .uav_shift = 0};
  Binding made = plain;
  if (name == "sdl-gpu")
    made.model = BindingModel::sdl_gpu;
  else if (name == "vkd3d")
    made.model = BindingModel::vkd3d;
  else if (name != "dxc")
    return std::nullopt;
  return made;
}

Result<Binding> parse_shifts(std::string_view text, Binding made) {
  const auto fault = [&](std::string_view item) {
    return Error{ErrorCode::bad_value, 0, std::string(item), "a shift must be a letter and a number, as in `t=0,s=128,b=256,u=384`"};
  };
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const auto number = item.size() > 2 && item[1] == '=' ? as_number<std::uint32_t>(item.substr(2)) : std::nullopt;
    if (!number) return fault(item);
    switch (item[0]) {
      case 't': made.texture_shift = *number; break;
      case 's': made.sampler_shift = *number; break;
      case 'b': made.cbuffer_shift = *number; break;
      case 'u': made.uav_shift = *number; break;
      default: return fault(item);
    }
  }
  return made;
}

Result<Binding> with_first_set(Binding model, std::uint32_t set) {
  const auto fault = [](std::string message) { return Error{ErrorCode::bad_value, 0, {}, std::move(message)}; };
  if (set > kMostFirstSet) return fault("must be at most " + std::to_string(kMostFirstSet) + ", found " + std::to_string(set));
  if (set != 0 && model.model == BindingModel::sdl_gpu)
    return fault("must be 0 with the binding model sdl-gpu, where stage and kind of resource determine the set");
  model.first_set = set;
  return model;
}

}  // namespace unshade::write
