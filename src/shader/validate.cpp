#include <unshade/shader/validate.hpp>

#include <algorithm>
#include <utility>

#include <unshade/core/limits.hpp>

#include "dxbc/validate.hpp"
#include "dxcontainer/findings.hpp"
#include "dxcontainer/validate.hpp"
#include "pica/validate.hpp"

namespace unshade::shader {

namespace {

constexpr Rule kFileFamily{"file.family", Severity::error, "A file is a shader binary of a family that this version reads."};

}  // namespace

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> rules{&kFileFamily};
  for (const auto room : {dxcontainer::validation_rules(), dxbc::validation_rules(), pica::validation_rules()})
    rules.insert(rules.end(), room.begin(), room.end());
  std::sort(rules.begin(), rules.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; });
  return rules;
}

std::vector<Diagnostic> validate(View file) {
  dxcontainer::Findings findings(file.size());
  if (file.size() > limits::kFileBytes || !dxcontainer::is_container(file)) {
    if (file.size() <= limits::kFileBytes && identify(file) == Family::pica) {
      for (Diagnostic& d : pica::validate_file(file)) findings.add(*d.rule, d.offset, std::move(d.path), std::move(d.message));
      return findings.take();
    }
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
