#include <unshade/dxil/parts.hpp>

#include <unshade/core/archive/writer.hpp>

#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/write_exact.hpp"

namespace unshade::dxil::parts {

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

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

Result<DebugName> parse_debug_name(const parts::Part& part) { return parts::parse<DebugName>(part); }
void record_debug_name(const parts::Part& part, Tree& tree, std::uint32_t group) { parts::record<DebugName>(part, tree, group); }
std::vector<std::byte> write_debug_name(const DebugName& name) { return parts::write_exact(name); }

Result<ShaderHash> parse_hash(const parts::Part& part) { return parts::parse<ShaderHash>(part); }
void record_hash(const parts::Part& part, Tree& tree, std::uint32_t group) { parts::record<ShaderHash>(part, tree, group); }
std::vector<std::byte> write_hash(const ShaderHash& hash) { return parts::write_exact(hash); }

Result<CompilerVersion> parse_compiler_version(const parts::Part& part) { return parts::parse<CompilerVersion>(part); }
void record_compiler_version(const parts::Part& part, Tree& tree, std::uint32_t group) {
  parts::record<CompilerVersion>(part, tree, group);
}
std::vector<std::byte> write_compiler_version(const CompilerVersion& version) { return parts::write_exact(version); }
}  // namespace unshade::dxil
