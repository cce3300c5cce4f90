// SRCI as documents have it.
#pragma once

#include <string_view>
#include <vector>

#include <unshade/dxil/source_info.hpp>

#include "dxil/parts/source_info/layout.hpp"

namespace unshade::dxil {

/// What SRCI says, in the form that dxc writes. Compressed contents are left as they are: zlib gives no bytes back for sure.
struct Sources {
  struct File {
    std::string_view name;
    std::string_view content;
  };
  std::vector<File> files;
  std::vector<SourceArgument> arguments;
};

template <class Archive>
void describe(Archive& a, Sources::File& f) {
  a.string_here("name", f.name);
  a.string_here("content", f.content);
}

template <class Archive>
void describe(Archive& a, Sources& s) {
  a.records("files", s.files, 0, 0);
  a.records("arguments", s.arguments, 0, 0);
}

}  // namespace unshade::dxil
