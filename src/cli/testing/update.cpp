#include "cli/testing/update.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <unshade/document_text/document_text.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/png/png.hpp>
#include <unshade/suite/correct.hpp>

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
  return made;
}

Exit update(const Collection& tests, std::span<const suite::Outcome> outcomes, Io& io) {
  Exit exit = Exit::ok;
  struct OfFile {
    std::vector<suite::Correction> corrections;
    suite::OtherValues others{};
  };
  std::map<std::string, OfFile> by_file;
  std::map<std::string, const picture::Picture*> goldens;
  std::set<std::string> inputs;
  const auto beside = [](const suite::Outcome& outcome, const std::string& name) {
    return (std::filesystem::path(outcome.file).parent_path() / name).lexically_normal().string();
  };
  for (const suite::Outcome& outcome : outcomes) {
    OfFile& of_file = by_file[outcome.file];
    of_file.corrections.insert(of_file.corrections.end(), outcome.corrections.begin(), outcome.corrections.end());
    of_file.others.kept.insert(of_file.others.kept.end(), outcome.kept.begin(), outcome.kept.end());
    for (const std::string& name : outcome.inputs) inputs.insert(beside(outcome, name));
    if (outcome.elsewhere != 0) {
      io.report(outcome.name, "update", "the expected values are in the file of table.csv, which --update does not change");
      exit = Exit::invalid;
    }
    for (const suite::MadePicture& one : outcome.pictures) {
      if (!one.is_golden) continue;
      const std::string path = beside(outcome, one.name);
      const auto [known, is_new] = goldens.emplace(path, &one.picture);
      if (is_new || known->second->bytes == one.picture.bytes) continue;
      io.report(path, "update", "tests share this picture, and draw different ones");
      exit = Exit::invalid;
    }
  }
  for (auto& [file, all] : by_file) {
    const Input* const input = tests.input(file);
    if (all.corrections.empty() || input == nullptr) continue;
    all.others.uses = [&](std::span<const suite::TextRange> ranges) { return tests.other_uses(file, ranges); };
    const auto made = suite::corrected(file, input->view().text(), all.corrections, document_text::read_by_name, all.others);
    if (!made) {
      io.report_in(*input, made.error());
      exit = worse(exit, Exit::invalid);
      continue;
    }
    for (const Error& one : made->refused) {
      io.report_in(*input, one);
      exit = worse(exit, Exit::invalid);
    }
    if (made->values == 0) continue;
    if (!io.write_file(file, made->text)) {
      exit = Exit::failed;
    } else {
      io.report(file, Severity::note, "update", std::to_string(made->values) + (made->values == 1 ? " value" : " values") + " written");
    }
  }
  for (const auto& [path, picture] : goldens) {
    if (inputs.contains(path)) {
      io.report(path, "update", "this picture is also an input; give the expectation one of its own");
      exit = worse(exit, Exit::invalid);
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
    const std::string test = std::filesystem::path(outcome.file).filename().string() + '.' +
                             (outcome.name.size() > outcome.file.size() + 2 ? outcome.name.substr(outcome.file.size() + 2) : "");
    const std::string path = files.free_path(folder, file_part(test + '.' + one.name), ".png");
    const auto png = png::write_png(one.picture);
    if (!png) io.report(path, png.error());
    if (!png || !files.add(path, View(*png).text(), io)) exit = Exit::failed;
  }
  return exit;
}

}  // namespace unshade::cli::testing
