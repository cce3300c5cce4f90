#include "shader/family/container.hpp"

#include <algorithm>
#include <string>

#include <unshade/core/text.hpp>

#include "dxcontainer/part_document.hpp"

namespace unshade::shader::family {

using dxcontainer::Part;

bool record_shared_part(const Part& part, Tree& tree, std::uint32_t group) {
  if (const auto* const functions = dxcontainer::find_part_functions(part.fourcc)) {
    functions->record(part, {}, tree, group);
    return true;
  }
  if (dxcontainer::find_part_kind(part.fourcc) == nullptr) return false;
  if (!part.data.empty())
    tree.add({"data", &kBytes, group, static_cast<std::uint32_t>(part.data.file_offset()), static_cast<std::uint32_t>(part.data.size()),
              kNoIndex, 0});
  return true;
}

Result<void> open_container(Shader& shader) {
  if (shader.container() != nullptr) return {};
  auto container = dxcontainer::parse_container(shader.file);
  if (!container) return std::move(container).error();
  shader.content = *std::move(container);
  return {};
}

void annotate_container(Shader& shader, Tree& tree, std::vector<Tree::Region>& regions, RecordAnyPart record) {
  if (const auto opened = open_container(shader); !opened) return tree.fail(opened.error());
  const View file = shader.file;
  const dxcontainer::Container& container = *shader.container();
  const auto groups = dxcontainer::record_container(container, tree);
  // Parts that overlap are described once: a part that begins before the end of one described already stays unknown.
  std::vector<std::size_t> order(container.parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return container.parts[a].offset < container.parts[b].offset; });
  std::uint64_t end = 0;
  for (const std::size_t i : order) {
    const Part& part = container.parts[i];
    const auto size = dxcontainer::kPartHeaderBytes + part.data.size();
    regions.push_back({groups[i], static_cast<std::uint32_t>(file.file_offset() + part.offset), static_cast<std::uint32_t>(size)});
    if (part.offset < end) {
      tree.fail({ErrorCode::overlap, file.file_offset() + part.offset, "parts[" + std::to_string(i) + ']',
                 "the part overlaps the previous part"});
      continue;
    }
    end = part.offset + size;
    record(container, part, tree, groups[i]);
  }
}

Result<std::vector<std::byte>> container_code(const Shader& shader) {
  const dxcontainer::Container& container = *shader.container();
  std::vector<std::byte> code;
  const auto add = [&](const dxcontainer::Part& part) { code.insert(code.end(), part.data.bytes().begin(), part.data.bytes().end()); };
  for (const dxcontainer::Part& part : container.parts) {
    const dxcontainer::PartKind* const kind = dxcontainer::find_part_kind(part.fourcc);
    if (kind != nullptr && kind->meaning == dxcontainer::PartMeaning::code) add(part);
  }
  for (const dxcontainer::PartRole role : {dxcontainer::PartRole::module, dxcontainer::PartRole::level9})
    if (const dxcontainer::Part* const part = code.empty() ? container.find(role) : nullptr) add(*part);
  if (code.empty()) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no program"};
  return code;
}

void summarize_container(const dxcontainer::Container& container, Summary& summary) {
  summary.trailing = static_cast<std::uint32_t>(container.file.size() - container.size);
  for (const Part& part : container.parts)
    summary.parts.push_back({fourcc_text(part.fourcc), static_cast<std::uint32_t>(container.file.file_offset() + part.offset),
                             static_cast<std::uint32_t>(part.data.size())});
}

}  // namespace unshade::shader::family
