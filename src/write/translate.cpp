#include <unshade/write/translate.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

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

namespace unshade::write {

Result<Translation> to_spirv(const shader::Shader& shader, const TranslateOptions& options) {
  if (!options.entry.empty() && shader.family == shader::Family::dxbc)
    return Error{ErrorCode::missing, shader.file.file_offset(), "entry",
                 "there is no entry point `" + std::string(options.entry) + "`: programs of DXBC have one, without a name"};
  shader::LowerOptions lowering;
  lowering.entry = options.entry;
  lowering.f24 = ir::F24::as_f32;
  lowering.constants_in_code = true;
  SpirvOptions how = options.spirv;
  const bool needs_listing = how.debug != DebugInfo::none && how.source == nullptr;
  lowering.keep_copies = needs_listing;  // the program that is listed
  auto lowered = shader::lower(shader, lowering);
  if (!lowered) return std::move(lowered).error();
  const Stage stage = (*lowered)->stage;
  const ir::Modes modes = (*lowered)->modes;
  DebugSource listing;
  if (needs_listing) {
    auto listed = listing_of(shader, **lowered, options.file_name);
    if (!listed) return std::move(listed).error();
    listing = *std::move(listed);
    how.source = &listing;
  }
  const auto structured = ir::structured(ir::optimize(*std::move(lowered), 1));
  if (!structured) return structured.error();
  const auto reflection = shader::reflect(shader);  // what cannot be reflected has no names
  auto made = to_spirv(*structured, reflection ? &*reflection : nullptr, how);
  if (!made) return std::move(made).error();
  Translation translation{{}, stage, modes.wave_min, modes.wave_max, std::move(made->bindings), std::move(made->specializations)};
  translation.bytes.reserve(made->words.size() * 4);
  for (const std::uint32_t word : made->words)
    for (unsigned k = 0; k < 4; ++k) translation.bytes.push_back(static_cast<std::byte>(word >> (8 * k)));
  return translation;
}

Result<DebugSource> listing_of(const shader::Shader& shader, const ir::Module& module, std::string_view file_name) {
  DebugSource made;
  made.file = std::string(file_name.empty() ? "listing" : file_name) + std::string(shader::traits_of(shader.family).listing_suffix);
  Text text;
  const auto flow = shader::control_flow(shader, text);
  if (!flow) return flow.error();
  for (const ir::Function& function : module.functions) {
    const auto stepped = shader::stepped_lines(shader, function.name);
    if (!stepped) return stepped.error();
    made.lines.push_back(shader::lines_in_listing(shader.family, text.view(), *flow, *stepped));
  }
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

}  // namespace unshade::write
