#include <unshade/dxil/parts.hpp>

#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/dxil/source_info.hpp>

#include "core/archive/writer.hpp"
#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/write_exact.hpp"

namespace unshade::dxil {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

template <class Model>
Result<Model> parse(const Part& part) {
  Model model;
  if (auto read = read_part(part.data, part.name(), model); !read) return std::move(read).error();
  return model;
}

template <class Model>
void record(const Part& part, Tree& tree, std::uint32_t group) {
  Model model;
  record_part(part.data, part.name(), tree, group, model);
}

}  // namespace

Result<DebugName> parse_debug_name(const Part& part) { return parse<DebugName>(part); }
void record_debug_name(const Part& part, Tree& tree, std::uint32_t group) { record<DebugName>(part, tree, group); }
std::vector<std::byte> write_debug_name(const DebugName& name) { return write_exact(name); }

Result<ShaderHash> parse_hash(const Part& part) { return parse<ShaderHash>(part); }
void record_hash(const Part& part, Tree& tree, std::uint32_t group) { record<ShaderHash>(part, tree, group); }
std::vector<std::byte> write_hash(const ShaderHash& hash) { return write_exact(hash); }

Result<CompilerVersion> parse_compiler_version(const Part& part) { return parse<CompilerVersion>(part); }
void record_compiler_version(const Part& part, Tree& tree, std::uint32_t group) { record<CompilerVersion>(part, tree, group); }
std::vector<std::byte> write_compiler_version(const CompilerVersion& version) { return write_exact(version); }

bool record_dxil_part(const Part& part, ShaderKind kind, Tree& tree, std::uint32_t group) {
  switch (part.fourcc) {
    case fourcc("DXIL"):
    case fourcc("ILDB"):
    case fourcc("STAT"):
      record_program(part, tree, group, false);
      if (const auto program = parse_program(part)) record_bitcode(program->bitcode, tree, group);
      return true;
    case fourcc("PSV0"): record_psv(part, tree, group, kind); return true;
    case fourcc("RDAT"): record_rdat(part, tree, group); return true;
    case fourcc("ILDN"): record_debug_name(part, tree, group); return true;
    case fourcc("HASH"): record_hash(part, tree, group); return true;
    case fourcc("VERS"): record_compiler_version(part, tree, group); return true;
    case fourcc("SRCI"): record_source_info(part, tree, group); return true;
    case fourcc("PDBI"): record_pdb_info(part, tree, group); return true;
    default: return false;
  }
}

}  // namespace unshade::dxil
