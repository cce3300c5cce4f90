#include "cli/testing/scripts.hpp"

#include <filesystem>

#include "cli/testing/update.hpp"

namespace unshade::cli::testing {

std::vector<WrittenScript> write_scripts(const Collection& tests, const std::string& folder, write::PendingFiles& files, Io& io,
                                         Exit& exit) {
  std::vector<WrittenScript> made;
  for (std::size_t at = 0; at < tests.size(); ++at) {
    const auto script = tests.amber_script(at);
    if (!script) continue;
    WrittenScript& one = made.emplace_back();
    one.test = script->file + ": " + script->name;
    if (!script->text) {
      const Error& error = script->text.error();
      one.reason = error.path.empty() ? error.message : error.path + ": " + error.message;
      continue;
    }
    const std::string name = file_part(std::filesystem::path(script->file).filename().string() + '.' + script->name);
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

void print_scripts(const std::vector<WrittenScript>& scripts, Printer& out) {
  for (const WrittenScript& one : scripts) {
    out.text << (one.path.empty() ? "not written  " : "written  ");
    print_safely(out.text, one.path.empty() ? one.test + ": " + one.reason : one.path);
    out.text << '\n';
  }
}

void write_scripts(const std::vector<WrittenScript>& scripts, Json& json) {
  json.objects("amber", scripts, [&](const WrittenScript& one) {
    json.member("test", one.test);
    if (one.path.empty()) {
      json.member("reason", one.reason);
    } else {
      json.member("file", one.path);
    }
  });
}

}  // namespace unshade::cli::testing
