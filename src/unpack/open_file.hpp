// A file that is read at any offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <unshade/core/view.hpp>
#include <unshade/system/file.hpp>

namespace unshade::unpack {

class OpenFile {
 public:
  /// Pipes and devices are not read, and not waited for.
  explicit OpenFile(const std::string& name);

  /// Bytes at an offset, fewer at the end of the file, or after a fault.
  View read(std::uint64_t offset, std::byte* into, std::size_t bytes);
  /// Why the file cannot be read; empty: it can.
  const std::string& fault() const { return fault_; }

 private:
  system::File file_;
  std::string fault_;
};

}  // namespace unshade::unpack
