#include <unshade/unpack/dictionaries.hpp>

#if defined(UNSHADE_HAS_ARCHIVES)
#include <zstd.h>
#endif

namespace unshade::unpack {

#if defined(UNSHADE_HAS_ARCHIVES)
bool Dictionaries::add(View bytes) {
  const unsigned number = ZSTD_getDictID_fromDict(bytes.data(), bytes.size());
  if (number == 0) return false;
  ZSTD_DDict* const digest = ZSTD_createDDict(bytes.data(), bytes.size());
  if (digest == nullptr) return false;
  entries_.push_back({number, std::shared_ptr<const void>(
                                  digest, [](const void* made) { ZSTD_freeDDict(static_cast<ZSTD_DDict*>(const_cast<void*>(made))); })});
  return true;
}
#else
bool Dictionaries::add(View) { return false; }
#endif

const void* Dictionaries::find(std::uint32_t number) const {
  for (const Entry& entry : entries_)
    if (entry.number == number) return entry.digest.get();
  return nullptr;
}

}  // namespace unshade::unpack
