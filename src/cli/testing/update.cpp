#include "cli/testing/update.hpp"

#include <utility>
#include <vector>

#include <unshade/core/text/file_names.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/png/png.hpp>

#include "cli/write/below_folder.hpp"

namespace unshade::cli::testing {

namespace {

// A golden picture, in the format that its name says: what a reader of the suite expects to find there.
Exit write_golden(const std::string& path, const picture::Picture& picture, Io& io) {
  const png::PictureFile* const how = png::picture_file_of(path);
  if (how == nullptr) {
    io.report(path, "update", "the name of a golden picture must end in .png, .dds or .exr");
    return Exit::invalid;
  }
  const auto bytes = how->write(picture);
  if (!bytes) return io.report(path, bytes.error()), Exit::failed;
  if (const std::string fault = write::make_folders_of(path); !fault.empty()) {
    io.report(path, "io", fault);
    return Exit::failed;
  }
  if (!io.write_file(path, View(*bytes).text())) return Exit::failed;
  io.report(path, Severity::note, "update", "picture written");
  return Exit::ok;
}

}  // namespace

std::string file_part(std::string_view name) {
  std::string made;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    made += plain ? c : '_';
  }
  return portable_file_name(made);
}

Exit update(const Collection& tests, std::span<const suite::Outcome> outcomes, Io& io) {
  Exit exit = Exit::ok;
  const amber::Updates updates = tests.updates(outcomes);
  const auto refuse = [&](const std::string& where, std::string_view why) {
    io.report(where, "update", why);
    exit = worse(exit, Exit::invalid);
  };
  for (const auto& [where, why] : updates.faults) refuse(where, why);
  for (const auto& [file, before, made] : updates.texts) {
    for (const Error& one : made ? made->refused : std::vector{made.error()}) {
      io.report_in(file, before, one);
      exit = worse(exit, Exit::invalid);
    }
    if (!made || made->values == 0) continue;
    if (!io.write_file(file, made->text)) {
      exit = Exit::failed;
    } else {
      io.report(file, Severity::note, "update", std::to_string(made->values) + (made->values == 1 ? " value" : " values") + " written");
    }
  }
  for (const auto& [path, picture, is_input] : updates.goldens) {
    if (is_input) {
      refuse(path, "this picture is also an input; give the expectation one of its own");
    } else {
      exit = worse(exit, write_golden(path, *picture, io));
    }
  }
  return exit;
}

Exit write_pictures(const suite::Outcome& outcome, const std::string& folder, write::PendingFiles& files, Io& io) {
  Exit exit = Exit::ok;
  for (const suite::MadePicture& one : outcome.pictures) {
    if (one.is_golden) continue;
    const std::string test = std::string(paths::name_of(outcome.file)) + '.' +
                             (outcome.name.size() > outcome.file.size() + 2 ? outcome.name.substr(outcome.file.size() + 2) : "");
    const std::string path = files.free_path(folder, file_part(test + '.' + one.name), ".png");
    const auto png = png::write_png(one.picture);
    if (!png) io.report(path, png.error());
    if (!png || !files.add(path, View(*png).text(), io)) exit = Exit::failed;
  }
  return exit;
}

}  // namespace unshade::cli::testing
