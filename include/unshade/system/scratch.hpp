// A file without a name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace unshade::system {

/// Bytes of any number in a file of the system's temporary folder, which is gone with this object, or with this process. In memory where a
/// system has no such files, as WebAssembly's.
class ScratchFile {
 public:
  ScratchFile();
  ScratchFile(ScratchFile&&) noexcept;
  ScratchFile& operator=(ScratchFile&&) noexcept;
  ~ScratchFile();

  /// False if it cannot be made, or if the disk is full.
  bool write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  /// False if there are fewer bytes.
  bool read_at(std::uint64_t offset, std::span<std::byte> into);

 private:
  struct Open;
  std::unique_ptr<Open> open_;  // made by the first write
};

}  // namespace unshade::system
