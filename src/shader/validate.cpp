#include <unshade/shader/validate.hpp>

#include <algorithm>

#include <unshade/core/limits.hpp>

#include "dxbc/validate.hpp"
#include "dxcontainer/findings.hpp"
#include "dxcontainer/validate.hpp"

namespace unshade::shader {

namespace {

constexpr Rule kFileFamily{"file.family", Severity::error, "A file is a shader binary of a family that this version reads."};

}  // namespace

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> rules{&kFileFamily};
  for (const auto room : {dxcontainer::validation_rules(), dxbc::validation_rules()}) rules.insert(rules.end(), room.begin(), room.end());
  std::sort(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; });
  return rules;
}

std::vector<Diagnostic> validate(View file) {
  dxcontainer::Findings findings(file.size());
  if (file.size() > limits::kFileBytes || !dxcontainer::is_container(file)) {
    const auto opened = open(file);
    // Whatever does not begin as a container is refused when it is opened, until other families are read.
    if (!opened) findings.add(kFileFamily, opened.error().offset, opened.error().path, opened.error().message);
    return findings.take();
  }
  if (const auto container = dxcontainer::validate_container(file, findings))
    dxbc::validate_parts(*container, identify(file) == Family::dxil, findings);
  return findings.take();
}

}  // namespace unshade::shader
