// What DXBC and DXIL share at the front door: the container around their parts.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader::family {

/// Adds the fields of a part that means the same in both families, below `group`; one leaf for parts of a known kind that are described
/// nowhere. False leaves it unknown.
bool record_shared_part(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

/// Adds the fields of a part, below `group`; false leaves it unknown.
using RecordAnyPart = bool (*)(const dxcontainer::Container& container, const dxcontainer::Part& part, Tree& tree, std::uint32_t group);

/// Parses the container that the file is, if that is not done.
Result<void> open_container(Shader& shader);
/// Names the bytes of header, index and parts.
void annotate_container(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions, RecordAnyPart record);
/// The parts that are code, or of a container without any the program that stands for it.
Result<std::vector<std::byte>> container_code(const Shader& shader);
/// Parts, digest and trailing bytes.
void summarize_container(const dxcontainer::Container& container, Summary& summary);

}  // namespace unshade::shader::family
