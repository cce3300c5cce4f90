// Dictionaries of zstd, without which frames that were made with one cannot be unpacked.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::unpack {

class Dictionaries {
 public:
  /// Keeps a dictionary in zstd's form, which states its number. False: it is none, or this is a build without zstd.
  bool add(View bytes);
  /// zstd's digest of the one with this number, or null.
  const void* find(std::uint32_t number) const;

 private:
  struct Entry {
    std::uint32_t number;
    std::shared_ptr<const void> digest;
  };
  std::vector<Entry> entries_;
};

}  // namespace unshade::unpack
