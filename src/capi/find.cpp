// Shaders inside other files.
#include <limits>

#include <unshade/find/carve.hpp>

#include "capi/object.hpp"

using namespace unshade;

struct unshade_hits {
  capi::Texts texts;
  std::vector<unshade_hit> list;
};

static_assert(UNSHADE_NO_PARENT == std::numeric_limits<std::uint64_t>::max());

unshade_code unshade_find(const void* piece, size_t size, uint64_t offset, size_t starts, int is_last, unshade_hits** hits,
                          unshade_error** error) {
  if (hits != nullptr) *hits = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (hits == nullptr || (piece == nullptr && size != 0)) return capi::invalid_argument(error, "piece or hits is NULL");
    if (offset > std::numeric_limits<std::uint64_t>::max() - size) return capi::invalid_argument(error, "the piece ends beyond 64 bits");
    find::Carved carved = find::carve(View({static_cast<const std::byte*>(piece), size}, offset), starts, is_last != 0);
    find::nest(carved.hits);
    auto made = std::make_unique<unshade_hits>();
    for (const find::Hit& hit : carved.hits) {
      made->list.push_back({sizeof(unshade_hit), hit.offset, hit.size, hit.parent.value_or(UNSHADE_NO_PARENT),
                            made->texts.add(find::id(hit.form)), made->texts.add(find::id(hit.certainty)),
                            static_cast<unshade_family>(hit.family), 0});
    }
    for (const find::Unfinished& unfinished : carved.unfinished) {
      made->list.push_back(
          {sizeof(unshade_hit), unfinished.offset, unfinished.needs, UNSHADE_NO_PARENT, "", "unfinished", UNSHADE_UNKNOWN_FAMILY, 0});
    }
    *hits = made.release();
    return UNSHADE_OK;
  });
}

void unshade_hits_free(unshade_hits* hits) { delete hits; }
uint32_t unshade_hit_count(const unshade_hits* hits) { return hits != nullptr ? static_cast<std::uint32_t>(hits->list.size()) : 0; }
unshade_code unshade_hit_at(const unshade_hits* hits, uint32_t index, unshade_hit* hit) {
  return hits != nullptr ? capi::fill_from(hit, hits->list, index) : UNSHADE_INVALID_ARGUMENT;
}
