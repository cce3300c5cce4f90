#include "cli/write/pending_files.hpp"

#include <unshade/core/text/file_names.hpp>
#include <unshade/system/file.hpp>
#include <unshade/system/folder.hpp>

#include "cli/write/below_folder.hpp"

namespace unshade::cli::write {

std::string numbered(std::string_view base, std::size_t number, std::string_view end) {
  std::string made(base);
  if (number > 1) made += '.' + std::to_string(number);
  return made.append(end);
}

bool is_stream(const std::string& path) {
  const auto status = system::status_of(path);
  return status && status->kind != system::FileKind::regular;
}

std::string PendingFiles::add(const std::string& path, std::string_view bytes) {
  if (!taken_.insert(system::whole_path(path)).second) return "another output has this name";
  folded_.insert(folded_path(system::whole_path(path)));
  std::string fault = make_folders_of(path);
  if (!fault.empty()) return fault;
  File& file = files_.emplace_back();
  file.path = path;
  if (file.output.open(path) && file.output.write(bytes) && file.output.close()) return {};
  fault = file.output.fault;
  files_.pop_back();
  return fault;
}

bool PendingFiles::add(const std::string& path, std::string_view bytes, Io& io) {
  const std::string fault = add(path, bytes);
  if (fault.empty()) return true;
  io.report(path, "io", fault);
  return false;
}

bool PendingFiles::has(const std::string& path) const { return folded_.contains(folded_path(system::whole_path(path))); }

std::string PendingFiles::free_path(const std::string& folder, std::string_view base, std::string_view end) {
  std::size_t& number = numbers_.try_emplace({folded_path(system::path_in(folder, std::string(base))), std::string(end)}, 1).first->second;
  std::string path = system::path_in(folder, numbered(base, number, end));
  while (has(path)) path = system::path_in(folder, numbered(base, ++number, end));
  return path;
}

bool PendingFiles::commit(const InputFiles& inputs, Io& io) {
  for (const File& file : files_) {
    if (!inputs.has(file.path)) continue;
    io.report({}, "usage", "an output would replace an input: " + file.path);
    return false;
  }
  bool done = true;
  for (File& file : files_) {
    if (file.output.commit()) continue;
    io.report(file.path, "io", file.output.fault);
    done = false;
  }
  return done;
}

}  // namespace unshade::cli::write
