#include <unshade/pica/embedded.hpp>

#include <algorithm>
#include <string_view>

#include <unshade/core/bits/rounding.hpp>

#include "pica/shbin_layout.hpp"

namespace unshade::pica {

namespace {

// CGFX. src: docs/reference/formats/shbin.md, "CGFX"
constexpr std::uint32_t kCgfx = 0x5846'4743;
constexpr std::uint32_t kData = 0x4154'4144;
constexpr std::uint32_t kDict = 0x5443'4944;
constexpr std::uint32_t kShdr = 0x5244'4853;
constexpr std::uint16_t kByteOrder = 0xfeff;
constexpr std::size_t kFileSize = 0x0c;   ///< field of the header
constexpr std::size_t kDataBlock = 0x14;  ///< the first block, after the header
constexpr std::size_t kDictionaries = 0x1c;
constexpr std::size_t kShaders = 4;  ///< which dictionary
constexpr std::size_t kDictNodes = 0x0c;
constexpr std::size_t kNodeBytes = 0x10;
constexpr std::size_t kShdrName = 0x0c;
constexpr std::string_view kDvlbText = "DVLB";
constexpr std::size_t kShdrSize = 0x18;  ///< of the DVLB; then its offset

/// What a self-relative offset leads to; 0 for none.
std::size_t follow(View file, std::size_t field) {
  const auto value = file.u32(field);
  if (!value || *value == 0) return 0;
  // offsets may lead backwards
  const std::int64_t at = static_cast<std::int64_t>(field) + static_cast<std::int32_t>(*value);
  return at > 0 && static_cast<std::uint64_t>(at) < file.size() ? static_cast<std::size_t>(at) : 0;
}

void put32(std::vector<std::byte>& bytes, std::size_t at, std::uint64_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (8 * i));
}

/// The shaders that a CGFX names.
std::vector<Embedded> cgfx_entries(View file) {
  std::vector<Embedded> entries;
  if (file.u32(kDataBlock) != kData) return entries;
  const std::size_t dict = follow(file, kDictionaries + 8 * kShaders + 4);
  if (dict == 0 || file.u32(dict) != kDict) return entries;
  const std::size_t count = file.u32(dict + 8).value_or(0);
  std::size_t names_left = file.size();
  // node 0 is the root of the tree over the names
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t node = dict + kDictNodes + kNodeBytes * i;
    if (!file.holds(node, kNodeBytes)) break;
    const std::size_t object = follow(file, node + 12);
    if (object == 0 || file.u32(object + 4) != kShdr) continue;
    const std::size_t reference = object + kShdrSize;
    const std::size_t at = follow(file, reference + 4);
    const auto size = file.u32(reference);
    if (at == 0 || !size || !file.holds(at, *size) || file.u32(at) != kDvlb) continue;
    Embedded entry{at, *size, {}, reference};
    std::size_t name = follow(file, node + 8);
    if (name == 0) name = follow(file, object + kShdrName);
    if (name != 0) {
      const auto text = file.c_string(name);
      if (text && text->size() <= names_left) {
        entry.name = *text;
        names_left -= text->size();
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

bool is_cgfx(View file) { return file.u32(0) == kCgfx && file.u16(4) == kByteOrder; }

std::vector<Embedded> find_embedded(View file) {
  std::vector<Embedded> found;
  const std::vector<Embedded> named = is_cgfx(file) ? cgfx_entries(file) : std::vector<Embedded>{};
  // One budget for all: structures of one DVLB may reach far into the file, and there may be many that only begin like one.
  std::size_t budget = Claims::of(2 * file.size()).left;
  const std::string_view text = file.text();
  for (std::size_t at = 0; (at = text.find(kDvlbText, at)) != std::string_view::npos && at + kDvlbHeaderBytes <= file.size();) {
    const std::uint64_t end = at % 4 == 0 ? shbin_end(file.clamped(at, file.size()), budget) : 0;
    if (end == 0) {
      ++at;
      continue;
    }
    const auto entry = std::find_if(named.begin(), named.end(), [at](const Embedded& e) { return e.offset == at; });
    if (entry != named.end()) {
      found.push_back(*entry);
    } else {
      const std::uint64_t size = std::min<std::uint64_t>(round_up(end, 4), file.size() - at);
      found.push_back({at, static_cast<std::uint32_t>(size), {}, 0});
    }
    at += std::max<std::size_t>(static_cast<std::size_t>(end) / 4 * 4, 4);
  }
  return found;
}

Result<void> check_replacement(View dvlb) {
  if (const auto parsed = parse_shbin(dvlb); !parsed) return parsed.error();
  return {};
}

Result<std::vector<std::byte>> replace_embedded(View file, const Embedded& embedded, std::span<const std::byte> dvlb) {
  if (!file.holds(static_cast<std::size_t>(embedded.offset), embedded.bytes))
    return Error{ErrorCode::out_of_range, embedded.offset, "embedded", "the shader is outside the file"};
  if (auto checked = check_replacement(View(dvlb)); !checked) return std::move(checked.error()).within("replacement");
  std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
  const auto at = static_cast<std::size_t>(embedded.offset);
  const auto size_field = static_cast<std::size_t>(embedded.reference);
  if (size_field != 0 && !file.holds(size_field, 8))
    return Error{ErrorCode::out_of_range, embedded.reference, "embedded", "the entry is outside the file"};
  if (dvlb.size() <= embedded.bytes) {
    const auto end = std::copy(dvlb.begin(), dvlb.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    std::fill(end, bytes.begin() + static_cast<std::ptrdiff_t>(at + embedded.bytes), std::byte{0});
    if (size_field != 0) put32(bytes, size_field, dvlb.size());
    return bytes;
  }
  if (size_field == 0) {
    return Error{ErrorCode::unsupported, embedded.offset, "embedded",
                 "the new shader has " + std::to_string(dvlb.size()) + " bytes, but must have at most " + std::to_string(embedded.bytes)};
  }
  const std::size_t data_end = kDataBlock + file.u32(kDataBlock + 4).value_or(0);
  if (data_end > file.size())
    return Error{ErrorCode::out_of_range, kDataBlock + 4, "CGFX/DATA/size", "the data exceeds the file, and cannot grow"};
  // Structures in the data point into the blocks after them (an image into IMAG), by offsets from where they are. No document lists them
  // all, so those blocks cannot be moved.
  if (!std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(data_end), bytes.end(), [](std::byte b) { return b == std::byte{0}; }))
    return Error{ErrorCode::unsupported, data_end, "CGFX/blocks[1]",
                 "the new shader has " + std::to_string(dvlb.size()) + " bytes, but the old one has " + std::to_string(embedded.bytes) +
                     ", and the data cannot grow: it points into the block after it"};
  bytes.resize(data_end);
  while (bytes.size() % 16 != 0) bytes.push_back(std::byte{0});
  const std::size_t place = bytes.size();
  bytes.insert(bytes.end(), dvlb.begin(), dvlb.end());
  while (bytes.size() % 4 != 0) bytes.push_back(std::byte{0});
  put32(bytes, size_field, dvlb.size());
  put32(bytes, size_field + 4, place - (size_field + 4));
  put32(bytes, kDataBlock + 4, bytes.size() - kDataBlock);
  put32(bytes, kFileSize, bytes.size());
  return bytes;
}

}  // namespace unshade::pica
