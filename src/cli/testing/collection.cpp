#include "cli/testing/collection.hpp"

#include <algorithm>
#include <filesystem>

#include <unshade/document_text/document_text.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/system/path.hpp>
#include <unshade/unpack/zlib.hpp>

#include "cli/testing/compiler.hpp"

namespace unshade::cli::testing {

std::vector<std::string> find_tests(std::span<const std::string> operands, Io& io, Exit& exit) {
  std::vector<std::string> made;
  for (const std::string& operand : operands) {
    std::error_code fault;
    if (!std::filesystem::is_directory(operand, fault)) {
      made.push_back(operand);
      continue;
    }
    std::vector<std::string> found;
    for (auto at = std::filesystem::recursive_directory_iterator(operand, fault);
         !fault && at != std::filesystem::recursive_directory_iterator(); at.increment(fault))
      if (amber::is_test_name(at->path().filename().string())) found.push_back(system::text_of(at->path()));
    if (fault) {
      io.report(operand, "io", system::message_of(fault));
      exit = Exit::failed;
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
