#include <unshade/unpack/spool.hpp>

#include <unshade/system/scratch.hpp>

namespace unshade::unpack {

Spool::Spool() : file_(std::make_unique<system::ScratchFile>()) {}
Spool::Spool(Spool&&) noexcept = default;
Spool& Spool::operator=(Spool&&) noexcept = default;
Spool::~Spool() = default;

std::optional<std::uint64_t> Spool::put(View bytes) {
  const std::uint64_t at = size_;
  if (!file_->write_at(at, bytes.bytes())) return std::nullopt;
  size_ += bytes.size();
  return at;
}

std::optional<std::vector<std::byte>> Spool::get(std::uint64_t offset, std::size_t bytes) {
  std::vector<std::byte> out(bytes);
  if (!file_->read_at(offset, out)) return std::nullopt;
  return out;
}

}  // namespace unshade::unpack
