#include <unshade/shader/file_summary.hpp>

#include <unshade/dxcontainer/digest.hpp>
#include <unshade/shader/code.hpp>

#include "shader/capability/summary.hpp"

namespace unshade::shader {

Summary summarize(const Shader& shader) {
  Summary summary = outline(shader);
  if (const dxcontainer::Container* const container = shader.container()) summary.digest = dxcontainer::check_digest(*container);
  if (const auto count = instruction_count(shader)) summary.instruction_count = static_cast<std::uint32_t>(*count);
  return summary;
}

Summary outline(const Shader& shader) {
  Summary summary;
  summary.family = shader.family;
  summary.size = shader.file.size();
  if (const capability::SummaryRow& row = capability::summary_row(shader.family); row.summarize != nullptr) row.summarize(shader, summary);
  return summary;
}

}  // namespace unshade::shader
