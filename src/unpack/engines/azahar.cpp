#include "unpack/engines/azahar.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/pica/memory.hpp>

#include "unpack/streams/blocks.hpp"
#include "unpack/streams/cursor.hpp"

namespace unshade::unpack {

namespace {

using pica::MemoryEntry;

constexpr std::size_t kWord = 4;
/// Code and operand descriptors, one after the other.
constexpr std::size_t kMemories = 2 * pica::kMemoryWords * kWord;

/// Words from an offset on, as far as a view has them.
std::vector<std::uint32_t> words_of(View bytes, std::size_t offset, std::size_t count) {
  std::vector<std::uint32_t> words;
  for (; count != 0 && bytes.holds(offset, kWord); --count, offset += kWord) words.push_back(bytes.load_unchecked<std::uint32_t>(offset));
  return words;
}

std::string place_name(std::string_view what, std::uint64_t offset) {
  Text text;
  (text << what << "_0x").hex(offset, 8);
  return text.str();
}

/// Hands over what was made or unpacked. False: no more is wanted.
bool hand_over(const Member& member, const std::vector<std::byte>& bytes, std::uint64_t offset, Budget& budget,
               const ArchiveReader& reader) {
  if (!budget.take(bytes.size() + 1)) {
    reader.fault({ErrorCode::limit, offset, member.name, std::string(kBudgetSpent)});
    return false;
  }
  MemoryFeed feed{View(bytes)};
  return reader.member(member, feed);
}

/// Makes a SHBIN of the memories of a program. False: no more is wanted.
bool hand_over_program(const Member& member, std::span<const std::uint32_t> code, std::span<const std::uint32_t> descriptors,
                       std::span<const MemoryEntry> entries, std::uint64_t offset, Budget& budget, const ArchiveReader& reader) {
  const auto shbin = pica::shbin_of_memory(code, descriptors, entries);
  if (!shbin) {
    reader.fault({shbin.error().code, offset, member.name, shbin.error().message});
    return true;
  }
  return hand_over(member, pica::write_shbin(*shbin), offset, budget, reader);
}

// The OpenGL renderer's

constexpr std::size_t kRegisters = 0x300;
// registers of the GPU
constexpr std::size_t kOutputCount = 0x4f;
constexpr std::size_t kOutputMaps = 0x50;
constexpr std::size_t kEntryPoint = 0x2ba;
constexpr std::size_t kOutputMask = 0x2bd;
// an entry up to its registers: kind, identifier, stage, number of registers
constexpr std::size_t kEntryHead = 24;
constexpr std::size_t kEntryStage = 12;
constexpr std::size_t kEntryRegisters = 16;
constexpr std::size_t kFileVersion = 4;
constexpr std::uint32_t kVertexStage = 0;
constexpr std::uint32_t kLastStage = 2;

MemoryEntry entry_of_registers(View registers) {
  const auto value = [&](std::size_t number) { return registers.load_unchecked<std::uint32_t>(number * kWord); };
  MemoryEntry entry;
  entry.entry_words = static_cast<std::uint16_t>(value(kEntryPoint));
  entry.output_mask = static_cast<std::uint16_t>(value(kOutputMask));
  entry.output_count = static_cast<std::uint8_t>(value(kOutputCount) & 7);
  for (std::size_t i = 0; i < entry.output_maps.size(); ++i) entry.output_maps[i] = value(kOutputMaps + i);
  return entry;
}

// The Vulkan renderer's

enum class VulkanEntry : std::uint16_t {
  file_info,
  vertex_config,
  vertex_program,
  vertex_spirv,
  fragment_config,
  fragment_spirv,
  geometry_config,
  geometry_spirv,
  pipeline,
  end,
};
constexpr std::size_t kVulkanHead = 16;
constexpr std::size_t kVulkanFoot = 16;
constexpr std::byte kHeadVersion{0x42};
constexpr std::byte kFootVersion{0x24};
constexpr std::uint8_t kZstdFlag = 1;
constexpr std::uint32_t kMostEntry = 1U << 22;  // bytes, packed and unpacked
constexpr std::size_t kConfigBytes = 216;
constexpr std::size_t kProgramHead = 16;
// fields of the configuration of a vertex shader
constexpr std::size_t kConfigProgram = 8;
constexpr std::size_t kConfigEntryPoint = 48;
constexpr std::size_t kConfigOutputs = 56;  // of each register its number among the outputs, or 16
constexpr std::size_t kConfigOutputCount = 180;
constexpr std::size_t kConfigOutputMaps = 184;
/// Entry points of a program that are kept.
constexpr std::size_t kMostEntryPoints = 256;

struct VulkanHead {
  std::uint64_t offset = 0;
  bool is_packed = false;
  VulkanEntry type = VulkanEntry::file_info;
  std::uint32_t bytes = 0;  ///< with head and foot
  std::uint64_t id = 0;
};

MemoryEntry entry_of_config(View config) {
  MemoryEntry entry;
  entry.entry_words = static_cast<std::uint16_t>(config.load_unchecked<std::uint32_t>(kConfigEntryPoint));
  for (unsigned i = 0; i < 16; ++i)
    if (config.load_unchecked<std::uint32_t>(kConfigOutputs + i * kWord) < 16)
      entry.output_mask = static_cast<std::uint16_t>(entry.output_mask | 1U << i);
  entry.output_count = static_cast<std::uint8_t>(std::min<std::uint32_t>(config.load_unchecked<std::uint32_t>(kConfigOutputCount), 7));
  for (std::size_t i = 0; i < entry.output_maps.size(); ++i)
    entry.output_maps[i] = config.load_unchecked<std::uint32_t>(kConfigOutputMaps + i * kWord);
  return entry;
}

/// The entries of a file, one after the other.
class VulkanReader {
 public:
  VulkanReader(Feed& feed, const ArchiveReader& reader) : cursor_(feed), reader_(reader) {}

  void begin() { at_ = 0; }

  /// Goes to the next entry. Nothing at the end, or after a fault, which is told if `tells`.
  std::optional<VulkanHead> next(bool tells) {
    cursor_.seek(at_);
    std::array<std::byte, kVulkanHead> bytes;
    const std::size_t got = cursor_.read_some(bytes.data(), bytes.size());
    if (got == 0) return std::nullopt;
    const auto fail = [&](ErrorCode code, std::string message) -> std::optional<VulkanHead> {
      if (tells) reader_.fault({code, at_, {}, std::move(message)});
      return std::nullopt;
    };
    if (got < bytes.size()) return fail(ErrorCode::truncated, "the header of an entry is cut off");
    const View view(bytes);
    const VulkanHead head{at_, (*view.u8(1) & kZstdFlag) != 0, static_cast<VulkanEntry>(*view.u16(2)), *view.u32(4),
                          *view.load<std::uint64_t>(8)};
    if (bytes[0] != kHeadVersion) return fail(ErrorCode::bad_value, "an entry must begin with 0x42, not " + hex32(*view.u8(0)));
    if (head.type >= VulkanEntry::end) return fail(ErrorCode::bad_value, "unknown type of entry " + std::to_string(*view.u16(2)));
    if (head.bytes < kVulkanHead + kVulkanFoot || head.bytes >= kMostEntry)
      return fail(ErrorCode::bad_value, "an entry states " + std::to_string(head.bytes) + " bytes; expected 32 to 4194303");
    at_ += head.bytes;
    return head;
  }

  /// What an entry holds, at most so many bytes; a fault is told.
  std::optional<std::vector<std::byte>> content(const VulkanHead& head, std::size_t most) {
    const auto fail = [&](ErrorCode code, std::string_view message) -> std::optional<std::vector<std::byte>> {
      reader_.fault({code, head.offset, {}, std::string(message)});
      return std::nullopt;
    };
    cursor_.seek(head.offset + kVulkanHead);
    std::vector<std::byte> bytes(head.bytes - kVulkanHead);
    if (!cursor_.read(bytes.data(), bytes.size())) return fail(ErrorCode::truncated, "the entry is cut off");
    const View foot = View(bytes).clamped(bytes.size() - kVulkanFoot, kVulkanFoot);
    if (foot.bytes()[0] != kFootVersion || foot.u32(kWord) != head.bytes)
      return fail(ErrorCode::bad_value, "the footer of the entry does not repeat its size");
    bytes.resize(bytes.size() - kVulkanFoot);
    if (!head.is_packed)
      return bytes.size() <= most ? std::optional(std::move(bytes)) : fail(ErrorCode::bad_value, "the entry is too large");
    auto unpacked = unpack_zstd_block(View(bytes), most);
    return unpacked ? std::move(unpacked) : fail(ErrorCode::bad_value, "the entry cannot be unpacked");
  }

 private:
  Cursor cursor_;
  const ArchiveReader& reader_;
  std::uint64_t at_ = 0;
};

/// How the shaders of a Vulkan cache are used.
using EntriesOf = std::map<std::uint64_t, std::vector<MemoryEntry>>;

EntriesOf read_configurations(VulkanReader& entries, Budget& budget, const ArchiveReader& reader) {
  EntriesOf entries_of;
  entries.begin();
  while (const auto head = entries.next(false)) {
    if (head->type != VulkanEntry::vertex_config || !budget.take(kConfigBytes)) continue;
    const auto bytes = entries.content(*head, kConfigBytes);
    if (!bytes) continue;
    if (bytes->size() != kConfigBytes || *View(*bytes).load<std::uint64_t>(0) != 0) {
      reader.fault({ErrorCode::unsupported, head->offset, {}, "the configuration of a vertex shader has an unknown layout"});
      break;
    }
    auto& known = entries_of[*View(*bytes).load<std::uint64_t>(kConfigProgram)];
    const MemoryEntry entry = entry_of_config(View(*bytes));
    if (known.size() < kMostEntryPoints && std::find(known.begin(), known.end(), entry) == known.end()) known.push_back(entry);
  }
  return entries_of;
}

}  // namespace

bool is_opengl_cache(View head) {
  const auto stage = head.u32(kFileVersion + kEntryStage);
  return stage && *stage <= kLastStage && head.load<std::uint64_t>(kFileVersion + kEntryRegisters) == kRegisters;
}

void read_opengl_cache(Feed& packed, Budget& budget, const ArchiveReader& reader) {
  Cursor cursor(packed);
  if (!cursor.skip(kFileVersion)) return;
  std::vector<std::byte> head(kEntryHead + kRegisters * kWord);
  std::vector<std::byte> memories(sizeof(std::uint64_t) + kMemories);
  for (;;) {
    const std::uint64_t offset = cursor.offset();
    const auto fail = [&](ErrorCode code, std::string message) { reader.fault({code, offset, {}, std::move(message)}); };
    const std::size_t got = cursor.read_some(head.data(), head.size());
    if (got == 0) return;
    if (got < head.size()) return fail(ErrorCode::truncated, "the entry is cut off");
    const View view(head);
    const std::uint32_t kind = *view.u32(0);
    const std::uint32_t stage = *view.u32(kEntryStage);
    const auto registers = *view.load<std::uint64_t>(kEntryRegisters);
    if (kind != 0) return fail(ErrorCode::bad_value, "unknown kind of entry " + std::to_string(kind));
    if (stage > kLastStage) return fail(ErrorCode::bad_value, "unknown stage " + std::to_string(stage));
    if (registers != kRegisters)
      return fail(ErrorCode::bad_value, "the entry states " + std::to_string(registers) + " registers; expected 768");
    if (stage != kVertexStage) continue;
    const std::uint64_t place = cursor.offset() + sizeof(std::uint64_t);
    if (!cursor.read(memories.data(), memories.size())) return fail(ErrorCode::truncated, "the program of the entry is cut off");
    const View program(memories);
    if (const auto words = *program.load<std::uint64_t>(0); words != 2 * pica::kMemoryWords)
      return fail(ErrorCode::bad_value, "the program has " + std::to_string(words) + " words; expected 8192");
    const MemoryEntry entry = entry_of_registers(view.clamped(kEntryHead, kRegisters * kWord));
    const auto words = words_of(program, sizeof(std::uint64_t), 2 * pica::kMemoryWords);
    const std::span all(words);
    const Member member{{"azahar"}, place_name("vertex", place)};
    if (!hand_over_program(member, all.first(pica::kMemoryWords), all.subspan(pica::kMemoryWords), {&entry, 1}, offset, budget, reader))
      return;
  }
}

bool is_vulkan_cache(View head) { return head.holds(0, kVulkanHead) && head.bytes()[0] == kHeadVersion && head.u16(2) == 0; }

void read_vulkan_cache(Feed& packed, Budget& budget, const ArchiveReader& reader) {
  VulkanReader entries(packed, reader);
  const EntriesOf entries_of = read_configurations(entries, budget, reader);
  entries.begin();
  while (const auto head = entries.next(true)) {
    const auto is = [&](VulkanEntry type) { return head->type == type; };
    const bool is_program = is(VulkanEntry::vertex_program);
    std::string_view name = "vertex";
    if (is(VulkanEntry::vertex_spirv)) {
      name = "vertex_spirv";
    } else if (is(VulkanEntry::fragment_spirv)) {
      name = "fragment_spirv";
    } else if (is(VulkanEntry::geometry_spirv)) {
      name = "geometry_spirv";
    } else if (!is_program) {
      continue;
    }
    const auto bytes = entries.content(*head, is_program ? kProgramHead + kMemories : kMostEntry);
    if (!bytes) continue;
    Member member{{"vkch"}, place_name(name, head->offset + kVulkanHead)};
    if (head->is_packed) member.forms.emplace_back("zstd");
    if (!is_program) {
      if (!hand_over(member, *bytes, head->offset, budget, reader)) return;
      continue;
    }
    const auto fail = [&](ErrorCode code, std::string_view message) {
      reader.fault({code, head->offset, member.name, std::string(message)});
    };
    const View program(*bytes);
    if (bytes->size() != kProgramHead + kMemories || *program.load<std::uint64_t>(0) != 0) {
      fail(ErrorCode::unsupported, "the program has an unknown layout");
      continue;
    }
    const auto found = entries_of.find(head->id);
    if (found == entries_of.end()) {
      fail(ErrorCode::bad_value, "no configuration in the cache states the entry point of the program");
      continue;
    }
    const std::size_t code_words = std::min<std::size_t>(*program.u32(8), pica::kMemoryWords);
    const std::size_t descriptors = std::min<std::size_t>(*program.u32(12), pica::kMemoryWords);
    const auto code = words_of(program, kProgramHead, code_words);
    const auto table = words_of(program, kProgramHead + pica::kMemoryWords * kWord, descriptors);
    if (!hand_over_program(member, code, table, found->second, head->offset, budget, reader)) return;
  }
}

}  // namespace unshade::unpack
