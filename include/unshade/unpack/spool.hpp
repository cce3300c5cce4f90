// Bytes put aside in a file that has no name; in memory where a system has no such files, as WebAssembly's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <unshade/core/view.hpp>

namespace unshade::system {
class ScratchFile;
}

namespace unshade::unpack {

class Spool {
 public:
  Spool();
  Spool(Spool&&) noexcept;
  Spool& operator=(Spool&&) noexcept;
  ~Spool();

  /// Where the bytes are now; nothing if the disk is full.
  std::optional<std::uint64_t> put(View bytes);
  std::optional<std::vector<std::byte>> get(std::uint64_t offset, std::size_t bytes);

 private:
  std::unique_ptr<system::ScratchFile> file_;
  std::uint64_t size_ = 0;
};

}  // namespace unshade::unpack
