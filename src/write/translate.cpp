#include <unshade/write/translate.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <unshade/core/text/numbers.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>

namespace unshade::write {

Result<Translation> to_spirv(const shader::Shader& shader, const TranslateOptions& options) {
  shader::LowerOptions lowering;
  lowering.entry = options.entry;
  lowering.f24 = ir::F24::as_f32;
  auto lowered = shader::lower(shader, lowering);
  if (!lowered) return std::move(lowered).error();
  const Stage stage = (*lowered)->stage;
  const ir::Modes modes = (*lowered)->modes;
  const auto structured = ir::structured(ir::optimize(*std::move(lowered), 1));
  if (!structured) return structured.error();
  const auto reflection = shader::reflect(shader);  // what cannot be reflected has no names
  auto made = to_spirv(*structured, reflection ? &*reflection : nullptr, options.spirv);
  if (!made) return std::move(made).error();
  Translation translation{{}, stage, modes.wave_min, modes.wave_max, std::move(made->bindings), std::move(made->specializations)};
  translation.bytes.reserve(made->words.size() * 4);
  for (const std::uint32_t word : made->words)
    for (unsigned k = 0; k < 4; ++k) translation.bytes.push_back(static_cast<std::byte>(word >> (8 * k)));
  return translation;
}

Result<Binding> parse_shifts(std::string_view text) {
  Binding made;
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
