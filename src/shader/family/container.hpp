// What DXBC and DXIL share at the front door: the container around their parts.
#pragma once

#include <vector>

#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::family {

/// Adds the fields of one part to the tree, below `group`.
using RecordPart = void (*)(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

/// For parts of a known kind whose inside is not described: one leaf.
void record_opaque(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The recorder of a part that means the same in both families, or null.
RecordPart shared_recorder(const dxcontainer::Part& part);

/// Adds the fields of a part, below `group`; false leaves it unknown.
using RecordAnyPart = bool (*)(const dxcontainer::Container& container, const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

Result<void> open_container(Shader& shader);
/// Names the bytes of header, index and parts.
void annotate_container(View file, Tree& tree, std::vector<Tree::Region>& regions, RecordAnyPart record);
/// Parts, digest and trailing bytes.
void summarize_container(const Shader& shader, Summary& summary);

}  // namespace unshade::shader::family
