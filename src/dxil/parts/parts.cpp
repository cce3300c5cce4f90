#include <unshade/dxil/parts.hpp>

#include "core/archive/writer.hpp"
#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/write_exact.hpp"

namespace unshade::dxil {

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

}  // namespace unshade::dxil
