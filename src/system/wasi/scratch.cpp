#include <unshade/system/scratch.hpp>

#include <algorithm>
#include <vector>

namespace unshade::system {

struct ScratchFile::Open {
  std::vector<std::byte> bytes;
};

ScratchFile::ScratchFile() = default;
ScratchFile::ScratchFile(ScratchFile&&) noexcept = default;
ScratchFile& ScratchFile::operator=(ScratchFile&&) noexcept = default;
ScratchFile::~ScratchFile() = default;

bool ScratchFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (open_ == nullptr) open_ = std::make_unique<Open>();
  std::vector<std::byte>& all = open_->bytes;
  const auto at = static_cast<std::size_t>(offset);
  if (at == all.size()) {
    all.insert(all.end(), bytes.begin(), bytes.end());
    return true;
  }
  all.resize(std::max(all.size(), at + bytes.size()));
  std::copy(bytes.begin(), bytes.end(), all.data() + at);
  return true;
}

bool ScratchFile::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (open_ == nullptr || offset > open_->bytes.size() || into.size() > open_->bytes.size() - offset) return false;
  std::copy_n(open_->bytes.data() + static_cast<std::size_t>(offset), into.size(), into.data());
  return true;
}

}  // namespace unshade::system
