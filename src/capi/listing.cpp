// Listings with what their lines and words are.
#include <limits>

#include <unshade/present/tokens.hpp>
#include <unshade/shader/listing.hpp>

#include "capi/listing.hpp"
#include "capi/object.hpp"

using namespace unshade;
using capi::guarded;

struct unshade_listing {
  Text text;
  std::vector<std::uint32_t> lines;
  std::vector<std::uint32_t> tokens;
};

static_assert(static_cast<int>(present::TokenClass::opcode) == UNSHADE_TOKEN_OPCODE &&
              static_cast<int>(present::TokenClass::directive) == UNSHADE_TOKEN_DIRECTIVE);

namespace {

/// UNSHADE_LINE_WORDS for each line; an instruction is that of the line in which its text begins.
std::vector<std::uint32_t> lines_of(std::string_view text, const TextOrigins& origins) {
  std::vector<std::uint32_t> words;
  auto origin = origins.begin();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    words.insert(words.end(), {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at), UNSHADE_NO_OFFSET, 0});
    while (origin != origins.end() && origin->text < at) ++origin;
    if (origin != origins.end() && origin->text <= end && origin->offset < UNSHADE_NO_OFFSET) {
      words[words.size() - UNSHADE_LINE_WORDS + UNSHADE_LINE_OFFSET] = static_cast<std::uint32_t>(origin->offset);
      words[words.size() - UNSHADE_LINE_WORDS + UNSHADE_LINE_SIZE] = origin->size;
    }
    at = end + 1;
  }
  return words;
}

}  // namespace

unshade_code unshade_list(const unshade_shader* shader, uint32_t flags, unshade_listing** listing, unshade_error** error) {
  if (listing != nullptr) *listing = nullptr;
  return guarded(error, [&]() -> unshade_code {
    if (shader == nullptr || listing == nullptr) return capi::invalid_argument(error, "shader or listing is NULL");
    auto made = std::make_unique<unshade_listing>();
    shader::ListingOptions options = capi::listing_options(flags);
    TextOrigins origins;
    options.origins = &origins;
    if (const auto done = shader::disassemble(shader->shader, made->text, options); !done) return capi::fail(error, done.error());
    const std::string_view text = made->text.view();
    if (text.size() >= std::numeric_limits<std::uint32_t>::max())
      return capi::fail(error, UNSHADE_LIMIT, 0, {}, "the listing has more than 4 GiB");
    made->lines = lines_of(text, origins);
    for (const present::Token& token : present::tokens_of(text, shader->shader.family))
      made->tokens.insert(made->tokens.end(), {token.text, token.size, static_cast<std::uint32_t>(token.token)});
    made->text << '\0';
    *listing = made.release();
    return UNSHADE_OK;
  });
}

void unshade_listing_free(unshade_listing* listing) { delete listing; }
const char* unshade_listing_text(const unshade_listing* listing) { return listing != nullptr ? listing->text.view().data() : ""; }
size_t unshade_listing_size(const unshade_listing* listing) { return listing != nullptr ? listing->text.size() - 1 : 0; }

const uint32_t* unshade_listing_lines(const unshade_listing* listing, uint32_t* count) {
  if (count != nullptr) *count = listing != nullptr ? static_cast<std::uint32_t>(listing->lines.size() / UNSHADE_LINE_WORDS) : 0;
  return listing != nullptr ? listing->lines.data() : nullptr;
}

const uint32_t* unshade_listing_tokens(const unshade_listing* listing, uint32_t* count) {
  if (count != nullptr) *count = listing != nullptr ? static_cast<std::uint32_t>(listing->tokens.size() / 3) : 0;
  return listing != nullptr ? listing->tokens.data() : nullptr;
}
