#include <unshade/shader/validate.hpp>

#include <algorithm>

#include "dxbc/validate/validate.hpp"
#include "dxcontainer/validate.hpp"
#include "dxil/validate/validate.hpp"
#include "pica/validate.hpp"
#include "shader/capability/validation.hpp"
#include "shader/family/family.hpp"
#include "spirv/validate/validate.hpp"
#include "vbc/validate.hpp"

namespace unshade {

template <>
class ValidationKey<shader::Shader> {};

}  // namespace unshade

namespace unshade::shader {

namespace {

constexpr Rule kFileFamily{"file.family", Severity::error, "A file must be a shader binary of a known family."};

std::vector<Diagnostic> findings_of(const Shader& shader) {
  Findings findings(shader.file.size());
  if (const capability::ValidationRow& row = capability::validation_row(shader.family); row.validate != nullptr)
    row.validate(shader, findings);
  return findings.take();
}

}  // namespace

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> rules{&kFileFamily, &kFindingsMore};
  for (const auto room : {dxcontainer::validation_rules(), dxbc::validate::validation_rules(), dxil::validate::validation_rules(),
                          pica::validation_rules(), spirv::validation_rules(), vbc::validation_rules()})
    rules.insert(rules.end(), room.begin(), room.end());
  std::sort(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; });
  return rules;
}

std::vector<Diagnostic> validate(View file) {
  const Shader shader = family::claim(file);
  if (shader.family != Family::unknown) return findings_of(shader);
  Findings findings(file.size());
  if (const auto opened = open(file); !opened)
    findings.add(kFileFamily, opened.error().offset, opened.error().path, opened.error().message);
  return findings.take();
}

ValidationOutcome<Shader> validate(const Shader& shader) { return {ValidationKey<Shader>{}, shader, findings_of(shader)}; }

}  // namespace unshade::shader
