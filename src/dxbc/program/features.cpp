#include "dxbc/program/features.hpp"

#include <string_view>

#include "dxbc/program/rules.hpp"

namespace unshade::dxbc::program {

namespace {

bool is_double_extension(Opcode opcode) {
  switch (opcode) {
    case Opcode::ddiv:
    case Opcode::dfma:
    case Opcode::drcp:
    case Opcode::dtoi:
    case Opcode::dtou:
    case Opcode::itod:
    case Opcode::utod: return true;
    default: return false;
  }
}

}  // namespace

bool is_in_model(Opcode opcode, const Program& program) {
  const auto model = static_cast<unsigned>(program.major >= 5 ? 2 + program.minor : program.minor);
  return static_cast<unsigned>(find_opcode(static_cast<std::uint32_t>(opcode))->since) <= model;
}

Features features_of(Opcode opcode, const Program& program) {
  Features features = 0;
  if (is_in_model(opcode, program)) {
    if (opcode == Opcode::msad) features |= kShaderExtensions;
  } else if (program.major == 4 && is_raw_structured(opcode) && (bit(program.stage) & kCompute) == 0) {
    features |= kRawStructured4;
  }
  const bool extension = is_double_extension(opcode);
  const std::string_view shape = find_opcode(static_cast<std::uint32_t>(opcode))->shape;
  if (extension || opcode == Opcode::ftod || shape.find('g') != std::string_view::npos) features |= kDoubles;
  if (extension) features |= kDoubleExtensions;
  if (opcode >= Opcode::gather4_s) features |= kTiled;
  return features;
}

}  // namespace unshade::dxbc::program
