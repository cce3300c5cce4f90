#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/listing.hpp>

#include "dxbc/listing/words.hpp"

namespace unshade::dxbc {

namespace {

/// Each spelling also with a suffix after it.
void may_have(std::vector<std::string>& spellings, std::string_view suffix) {
  const std::size_t count = spellings.size();
  for (std::size_t i = 0; i < count; ++i) spellings.push_back(spellings[i] + std::string(suffix));
}

}  // namespace

std::vector<std::string> mnemonics_of(std::uint32_t code) {
  namespace words = listing::words;
  const OpcodeInfo* const info = find_opcode(code);
  if (info == nullptr) return {};
  std::vector<std::string> spellings{std::string(info->text)};
  switch (info->control) {
    case Control::sat: may_have(spellings, words::kSaturate); break;
    case Control::test:
      // discard has none in listings of the DirectX SDK
      spellings.push_back(std::string(info->text) + std::string(words::kNonZero));
      spellings.push_back(std::string(info->text) + std::string(words::kZero));
      break;
    case Control::sync:
      for (const words::Suffix& suffix : words::kSyncSuffixes) may_have(spellings, suffix.text);
      break;
    case Control::texel:
    case Control::uav_texel: may_have(spellings, words::kOffsets); [[fallthrough]];
    case Control::return_type: may_have(spellings, words::kIndexable); break;
    default: break;
  }
  if (info->control == Control::return_type) {
    const std::size_t count = spellings.size();
    for (const std::string_view type : {words::kReciprocal, words::kUint})
      for (std::size_t i = 0; i < count; ++i) spellings.push_back(spellings[i] + std::string(type));
  }
  return spellings;
}

}  // namespace unshade::dxbc
