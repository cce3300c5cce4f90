// Files that a case or a scene names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/system/path.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli {

/// Which were read, beside the case or scene, so that no output replaces one.
struct NamedFiles {
  std::filesystem::path folder;
  std::set<std::string> named;

  Result<std::vector<std::byte>> read(std::string_view path) {
    return read_whole(*named.insert(system::text_of(folder / std::filesystem::path(path))).first);
  }
  /// True, and a complaint, if one of them is what -o is to replace.
  bool refuse_output(Io& io) const {
    return std::ranges::any_of(named, [&](const std::string& one) { return io.refuses_input(one); });
  }
};

}  // namespace unshade::cli
