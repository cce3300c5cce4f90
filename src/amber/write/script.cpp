// A test of a suite as a script: of one shader, or of a scene.
#include <string>

#include <unshade/amber/write.hpp>
#include <unshade/suite/case.hpp>

#include "amber/write/writer.hpp"

namespace unshade::amber {

Result<std::string> script_of(suite::SuiteRunner& runner, std::size_t test) {
  const auto one = suite::cases::expand(runner.suite(), test);
  if (!one) return one.error();
  const std::string& name = runner.suite().tests[test].name;
  if (!one->scene.empty()) return writer::scene_script(name, *one, runner.options());
  const auto ready = runner.shader_of(*one);
  if (!ready) return ready.error();
  if (ready->family != shader::Family::spirv)
    return Error{ErrorCode::unsupported, one->shader_offset, "", "Amber runs SPIR-V, not " + std::string(id(ready->family))};
  const run::RunOptions options = scene::run_options(runner.options());
  return writer::AmberWriter(name, *one, ready->shader, ready->file, options).write();
}

}  // namespace unshade::amber
