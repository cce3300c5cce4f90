#include <unshade/shader/validate.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>

#include <unshade/dxbc/validate/check.hpp>
#include <unshade/dxcontainer/validate.hpp>
#include <unshade/dxil/validate/check.hpp>
#include <unshade/pica/validate.hpp>
#include <unshade/spirv/validate/check.hpp>
#include <unshade/vbc/validate.hpp>

#include "shader/capability/validation.hpp"
#include "shader/family/family.hpp"

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

std::vector<Diagnostic> errors_of_made(View made, const MadeRules& rules) {
  const auto counts = [&](const Diagnostic& d) {
    return d.rule->severity == Severity::error || std::ranges::find(rules.warnings, d.rule->id) != rules.warnings.end();
  };
  auto errors = validate(made);
  std::erase_if(errors, [&](const Diagnostic& d) { return !counts(d); });
  if (errors.empty() || rules.sources.empty()) return errors;
  // An edit moves things and gives them other names, so that neither offsets nor paths tell an old error from a new one.
  std::map<std::string_view, std::size_t> before;
  for (const View source : rules.sources)
    for (const Diagnostic& d : validate(source))
      if (counts(d)) ++before[d.rule->id];
  std::map<std::string_view, std::size_t> after;
  for (const Diagnostic& d : errors) ++after[d.rule->id];
  std::erase_if(errors, [&](const Diagnostic& d) {
    return std::ranges::find(rules.always, d.rule->id) == rules.always.end() && after[d.rule->id] <= before[d.rule->id];
  });
  return errors;
}

}  // namespace unshade::shader
