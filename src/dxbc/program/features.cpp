#include "dxbc/program/features.hpp"

#include <string_view>

#include "dxbc/program/rules.hpp"

namespace unshade::dxbc::program {

bool is_in_model(Opcode opcode, const Program& program) {
  const auto model = static_cast<unsigned>(program.major >= 5 ? 2 + program.minor : program.minor);
  return static_cast<unsigned>(find_opcode(static_cast<std::uint32_t>(opcode))->since) <= model;
}

Features features_of(Opcode opcode, const Program& program) {
  const OpcodeInfo& info = *find_opcode(static_cast<std::uint32_t>(opcode));
  Features features = 0;
  if (is_in_model(opcode, program)) {
    if (info.has(traits::extended_shader)) features |= kShaderExtensions;
  } else if (program.major == 4 && info.has(traits::raw_structured) && (bit(program.stage) & kCompute) == 0) {
    features |= kRawStructured4;
  }
  const bool extension = info.has(traits::extended_double);
  if (extension || info.has(traits::gives_double) || info.shape.find('g') != std::string_view::npos) features |= kDoubles;
  if (extension) features |= kDoubleExtensions;
  if (info.has(traits::tiled)) features |= kTiled;
  return features;
}

}  // namespace unshade::dxbc::program
