#include <unshade/system/scratch.hpp>

#include <cstdio>
#include <utility>

namespace unshade::system {

struct ScratchFile::Open {
  std::FILE* file = nullptr;

  Open() : file(std::tmpfile()) {}
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  ~Open() {
    if (file != nullptr) std::fclose(file);
  }
  bool go_to(std::uint64_t offset) const { return file != nullptr && ::fseeko(file, static_cast<off_t>(offset), SEEK_SET) == 0; }
};

ScratchFile::ScratchFile() = default;
ScratchFile::ScratchFile(ScratchFile&&) noexcept = default;
ScratchFile& ScratchFile::operator=(ScratchFile&&) noexcept = default;
ScratchFile::~ScratchFile() = default;

bool ScratchFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (open_ == nullptr) open_ = std::make_unique<Open>();
  return open_->go_to(offset) && std::fwrite(bytes.data(), 1, bytes.size(), open_->file) == bytes.size();
}

bool ScratchFile::read_at(std::uint64_t offset, std::span<std::byte> into) {
  return open_ != nullptr && open_->go_to(offset) && std::fread(into.data(), 1, into.size(), open_->file) == into.size();
}

}  // namespace unshade::system
