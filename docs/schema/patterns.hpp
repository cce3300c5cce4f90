// Patterns of hex editors and parsers of other tools, made from the descriptions: packaging/patterns.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace unshade::docs {

struct PatternFile {
  std::string_view name;  ///< `dxcontainer.ksy`
  std::string (*text)();
};

/// Kaitai Struct's (.ksy) and ImHex's (.hexpat), of containers, SHBIN and VBC.
std::span<const PatternFile> pattern_files();

}  // namespace unshade::docs
