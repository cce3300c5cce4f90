// Bytes put aside in a file that has no name; in memory where a system has no such files, as WebAssembly's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::unpack {

class Spool {
 public:
  /// Where the bytes are now; nothing if the disk is full.
  std::optional<std::uint64_t> put(View bytes);
  std::optional<std::vector<std::byte>> get(std::uint64_t offset, std::size_t bytes);

 private:
#if defined(__wasi__)
  std::vector<std::byte> bytes_;
#else
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
#endif
};

}  // namespace unshade::unpack
