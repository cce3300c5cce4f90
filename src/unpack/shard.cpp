#include <unshade/unpack/shard.hpp>

#include <unshade/core/text/numbers.hpp>
#include <unshade/find/checksums.hpp>

namespace unshade::unpack {

namespace {

constexpr std::uint64_t kMostShards = 1'000'000;

}  // namespace

bool Shard::has(const std::string& name) const {
  const auto* const data = reinterpret_cast<const std::byte*>(name.data());
  return find::crc32(View({data, name.size()})) % count == index - 1;
}

std::optional<Shard> shard_of(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = as_number<std::uint64_t>(text.substr(0, slash));
  const auto count = as_number<std::uint64_t>(text.substr(slash + 1));
  if (!index || !count || *index == 0 || *index > *count || *count > kMostShards) return std::nullopt;
  return Shard{*index, *count};
}

}  // namespace unshade::unpack
