#include <array>
#include <cstddef>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxcontainer/part_model.hpp>
#include <unshade/dxil/parts.hpp>

#include "dxil/parts/program_header.hpp"
#include "dxil/parts/program_header_layout.hpp"
#include "dxil/parts/write_exact.hpp"

namespace unshade::dxil::parts {

using dxcontainer::fourcc;

namespace {

// By ShaderKind. What lives in libraries has no profile of its own.
constexpr std::array<std::string_view, 16> kPrefixes = {"ps",  "vs",  "gs",  "hs",  "ds",  "cs", "lib", "lib",
                                                        "lib", "lib", "lib", "lib", "lib", "ms", "as",  "lib"};

}  // namespace

void set_versions(Program& program, const ProgramMetadata& metadata) {
  if (metadata.kind != ShaderKind::invalid) {
    std::uint32_t version = kProgramKind.put(program.program_version, static_cast<std::uint32_t>(metadata.kind));
    version = kProgramMajor.put(version, metadata.major);
    program.program_version = kProgramMinor.put(version, metadata.minor);
  }
  if (metadata.present) program.dxil_version = (metadata.dxil_major & 0xff) << 8 | (metadata.dxil_minor & 0xff);
}

Program program_of(const ProgramMetadata& metadata, View bitcode) {
  Program program;
  set_versions(program, metadata);
  program.bitcode = bitcode;
  return program;
}

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

bool is_program(std::uint32_t code) {
  return code == dxcontainer::fourcc("DXIL") || code == dxcontainer::fourcc("ILDB") || code == dxcontainer::fourcc("STAT");
}

Result<Program> parse_program(const dxcontainer::Part& part) { return dxcontainer::parse_model<Program>(part, true); }

void record_program(const dxcontainer::Part& part, Tree& tree, std::uint32_t group, bool with_bitcode) {
  dxcontainer::record_model<Program>(part, tree, group, with_bitcode);
}

std::vector<std::byte> write_program(const Program& program) {
  Program model = program;
  constexpr std::array<std::byte, 4> kZeros{};
  if (model.size_dwords == 0) {
    const std::size_t size = kBitcodeHeaderAt + kBitcodeHeaderBytes + model.before.size() + model.bitcode.size();
    model.bitcode_offset = static_cast<std::uint32_t>(kBitcodeHeaderBytes + model.before.size());
    model.size_dwords = static_cast<std::uint32_t>(divide_up(size, 4));
    if (model.behind.empty()) model.behind = View(kZeros).clamped(0, round_up(size, 4) - size);
  }
  return parts::write_exact(model, true);
}

std::string_view profile_prefix(ShaderKind kind) {
  const auto value = static_cast<std::size_t>(kind);
  return value < parts::kPrefixes.size() ? parts::kPrefixes[value] : std::string_view();
}

ShaderKind program_kind(const dxcontainer::Container& container) {
  for (const auto code : {dxcontainer::fourcc("DXIL"), dxcontainer::fourcc("ILDB"), dxcontainer::fourcc("STAT")}) {
    const dxcontainer::Part* part = container.find(code);
    if (part == nullptr || part->data.u32(kBitcodeHeaderAt) != kDxilMagic) continue;
    return static_cast<ShaderKind>(kProgramKind.get(part->data.u32(0).value_or(0)));
  }
  return ShaderKind::invalid;
}

}  // namespace unshade::dxil
