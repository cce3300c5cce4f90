#include <unshade/dxil/parts.hpp>

#include <unshade/core/archive/writer.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/write_exact.hpp"

namespace unshade::dxil {

Result<DebugName> parse_debug_name(const dxcontainer::Part& part) { return dxcontainer::parse_model<DebugName>(part); }
void record_debug_name(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<DebugName>(part, tree, group);
}
std::vector<std::byte> write_debug_name(const DebugName& name) { return parts::write_exact(name); }

Result<ShaderHash> parse_hash(const dxcontainer::Part& part) { return dxcontainer::parse_model<ShaderHash>(part); }
void record_hash(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<ShaderHash>(part, tree, group);
}
std::vector<std::byte> write_hash(const ShaderHash& hash) { return parts::write_exact(hash); }

Result<CompilerVersion> parse_compiler_version(const dxcontainer::Part& part) { return dxcontainer::parse_model<CompilerVersion>(part); }
void record_compiler_version(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<CompilerVersion>(part, tree, group);
}
std::vector<std::byte> write_compiler_version(const CompilerVersion& version) { return parts::write_exact(version); }
}  // namespace unshade::dxil
