#include "cli/testing/scripts.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include "cli/testing/update.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::testing {

std::vector<WrittenScript> write_scripts(const Collection& tests, const std::string& folder, Io& io, Exit& exit) {
  std::vector<WrittenScript> made;
  std::set<std::string> names;
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
    const std::string plain = file_part(std::filesystem::path(script->file).filename().string() + '.' + script->name);
    std::string name = plain;
    for (std::size_t number = 2; !names.insert(name).second; ++number) name = plain + '.' + std::to_string(number);
    const std::string path = (std::filesystem::path(folder) / (name + ".amber")).string();
    OutputFile file;
    std::string fault = write::make_folders_of(path);
    if (fault.empty() && (!file.open(path) || !file.write(*script->text) || !file.commit())) fault = file.fault;
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
