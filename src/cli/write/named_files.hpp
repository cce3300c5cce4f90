// Files that a case or a scene names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/text/paths.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli {

/// Which were read, beside the case or scene, so that no output replaces one.
struct NamedFiles {
  std::string file;  ///< the case or scene
  std::set<std::string> named;

  Result<std::vector<std::byte>> read(std::string_view path) { return read_whole(*named.insert(paths::beside(file, path)).first); }
  /// True, and a complaint, if one of them is what -o is to replace.
  bool refuse_output(Io& io) const {
    return std::ranges::any_of(named, [&](const std::string& one) { return io.refuses_input(one); });
  }
};

}  // namespace unshade::cli
