#include <unshade/unpack/spool.hpp>

namespace unshade::unpack {

#if defined(__wasi__)

std::optional<std::uint64_t> Spool::put(View bytes) {
  const std::uint64_t at = bytes_.size();
  bytes_.insert(bytes_.end(), bytes.bytes().begin(), bytes.bytes().end());
  return at;
}

std::optional<std::vector<std::byte>> Spool::get(std::uint64_t offset, std::size_t bytes) {
  const View kept = View(bytes_).clamped(static_cast<std::size_t>(offset), bytes);
  if (kept.size() != bytes) return std::nullopt;
  return std::vector<std::byte>(kept.bytes().begin(), kept.bytes().end());
}

#else

std::optional<std::uint64_t> Spool::put(View bytes) {
  if (file_ == nullptr) file_.reset(std::tmpfile());
  if (file_ == nullptr || std::fseek(file_.get(), static_cast<long>(size_), SEEK_SET) != 0) return std::nullopt;
  if (std::fwrite(bytes.bytes().data(), 1, bytes.size(), file_.get()) != bytes.size()) return std::nullopt;
  const std::uint64_t at = size_;
  size_ += bytes.size();
  return at;
}

std::optional<std::vector<std::byte>> Spool::get(std::uint64_t offset, std::size_t bytes) {
  std::vector<std::byte> out(bytes);
  if (file_ == nullptr || std::fseek(file_.get(), static_cast<long>(offset), SEEK_SET) != 0) return std::nullopt;
  if (std::fread(out.data(), 1, bytes, file_.get()) != bytes) return std::nullopt;
  return out;
}

#endif

}  // namespace unshade::unpack
