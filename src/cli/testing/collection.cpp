#include "cli/testing/collection.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <unshade/document_text/document_text.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/unpack/zlib.hpp>

#include "cli/process/compiler.hpp"

namespace unshade::cli::testing {

std::vector<std::string> find_tests(std::span<const std::string> operands, Io& io, Exit& exit) {
  std::vector<std::string> made;
  for (const std::string& operand : operands) {
    if (!system::is_folder(operand)) {
      made.push_back(operand);
      continue;
    }
    std::vector<std::string> found;
    for (std::vector<std::string> folders{operand}; !folders.empty();) {
      const std::string folder = std::move(folders.back());
      folders.pop_back();
      std::vector<system::FolderEntry> entries;
      if (!system::list_folder(folder, entries)) {
        io.report(folder, "io", std::strerror(errno));
        exit = Exit::failed;
      }
      for (const system::FolderEntry& entry : entries) {
        if (entry.kind == system::FileKind::folder) folders.push_back(system::path_in(folder, entry.name));
        if (amber::is_test_name(entry.name)) found.push_back(system::path_in(folder, entry.name));
      }
    }
    std::ranges::sort(found);
    made.insert(made.end(), found.begin(), found.end());
  }
  return made;
}

suite::TestOptions with_files(suite::TestOptions options) {
  options.read_file = [](void*, std::string_view path) { return read_whole(std::string(path)); };
  options.read_picture = [](void*, std::span<const std::byte> bytes) { return png::read_picture_file(bytes); };
  options.read_document = document_text::read_by_name;
  options.compile = [](void*, const suite::ShaderSource& source) { return compile(source); };
  options.inflate = unpack::zlib_inflate();
  return options;
}

}  // namespace unshade::cli::testing
