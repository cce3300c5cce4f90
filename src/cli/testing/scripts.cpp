#include "cli/testing/scripts.hpp"

#include <unshade/core/text/paths.hpp>

#include "cli/testing/update.hpp"

namespace unshade::cli::testing {

std::vector<present::WrittenScript> write_scripts(const Collection& tests, const std::string& folder, write::PendingFiles& files, Io& io,
                                                  Exit& exit) {
  std::vector<present::WrittenScript> made;
  for (std::size_t at = 0; at < tests.size(); ++at) {
    const auto script = tests.amber_script(at);
    if (!script) continue;
    present::WrittenScript& one = made.emplace_back();
    one.test = script->file + ": " + script->name;
    if (!script->text) {
      const Error& error = script->text.error();
      one.reason = error.path.empty() ? error.message : error.path + ": " + error.message;
      continue;
    }
    const std::string name = file_part(std::string(paths::name_of(script->file)) + '.' + script->name);
    const std::string path = files.free_path(folder, name, ".amber");
    const std::string fault = files.add(path, *script->text);
    if (fault.empty()) {
      one.path = path;
      continue;
    }
    io.report(path, "io", fault);
    one.reason = fault;
    exit = Exit::failed;
  }
  return made;
}

}  // namespace unshade::cli::testing
