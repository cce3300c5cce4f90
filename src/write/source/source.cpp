#include <unshade/write/source.hpp>

#include <utility>

#include <unshade/ir/analysis/vectors.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/shader/lower.hpp>

#include "write/source/prepare.hpp"

namespace unshade::write {

Result<SourceText> to_source(const shader::Shader& shader, const SourceOptions& options) {
  shader::LowerOptions lowering;
  lowering.entry = options.entry;
  lowering.f24 = ir::F24::as_f32;
  lowering.constants_in_code = true;
  auto lowered = shader::lower(shader, lowering);
  if (!lowered) return std::move(lowered).error();
  auto prepared = source::prepared(**lowered, options.setting, shader.family);
  if (!prepared) return std::move(prepared).error();
  const auto structured = ir::structured(*std::move(prepared));
  if (!structured) return structured.error();
  const auto reflection = shader::reflect(shader);  // what cannot be reflected has no names
  return to_source(*structured, reflection ? &*reflection : nullptr, options);
}

}  // namespace unshade::write
