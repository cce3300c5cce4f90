#include "dxil/bitcode/records.hpp"

#include <array>

#include <unshade/dxil/bitstream.hpp>

namespace unshade::dxil::bitcode {

namespace {

struct BlockRow {
  std::uint32_t id;
  const char* text;
  std::string_view path;
};
constexpr BlockRow kBlocks[] = {
    {kBlockInfo, "BLOCKINFO_BLOCK", "block_info"},
#define BITCODE_BLOCK(id, name, text, path) {id, text, path},
#include "dxil/bitcode/records.def"
};

struct RecordRow {
  std::uint32_t block;
  std::uint32_t code;
  const char* text;
  bool listed;
  std::string_view operands;
};
constexpr RecordRow kRecords[] = {
    {kBlockInfo, block_info::kSetBlock, "SETBID", true, "."},
    {kBlockInfo, block_info::kBlockName, "BLOCKNAME", true, "|."},
    {kBlockInfo, block_info::kSetRecordName, "SETRECORDNAME", true, "|."},
#define BITCODE_RECORD(block, code, name, text, listed, operands) {block_id::block, code, text, listed != 0, operands},
#include "dxil/bitcode/records.def"
};

// The row of each record, counted from 1; 0 if there is none.
constexpr std::uint32_t kKnownBlocks = 32;
constexpr std::uint32_t kKnownRecords = 64;
constexpr auto kRows = [] {
  std::array<std::array<std::uint16_t, kKnownRecords>, kKnownBlocks> rows{};
  for (std::uint16_t i = 0; i < std::size(kRecords); ++i) rows[kRecords[i].block][kRecords[i].code] = static_cast<std::uint16_t>(i + 1);
  return rows;
}();

constexpr bool ordered() {
  for (std::size_t i = 1; i < std::size(kRecords); ++i)
    if (kRecords[i].block == kRecords[i - 1].block && kRecords[i].code <= kRecords[i - 1].code) return false;
  for (std::size_t i = 1; i < std::size(kBlocks); ++i)
    if (kBlocks[i].id <= kBlocks[i - 1].id || kBlocks[i].id >= kKnownBlocks) return false;
  return true;
}
static_assert(ordered(), "rows of records.def must be in the order of their codes");

const BlockRow* find_block(std::uint32_t block) {
  for (const auto& row : kBlocks)
    if (row.id == block) return &row;
  return nullptr;
}

const RecordRow* find_record(std::uint32_t block, std::uint32_t code) {
  if (block >= kKnownBlocks || code >= kKnownRecords || kRows[block][code] == 0) return nullptr;
  return &kRecords[kRows[block][code] - 1];
}

}  // namespace

const char* block_text(std::uint32_t block) {
  const auto* row = find_block(block);
  return row == nullptr ? nullptr : row->text;
}

const char* record_text(std::uint32_t block, std::uint32_t code) {
  const auto* row = find_record(block, code);
  return row == nullptr ? nullptr : row->text;
}

const char* listed_record_text(std::uint32_t block, std::uint32_t code) {
  const auto* row = find_record(block, code);
  return row == nullptr || !row->listed ? nullptr : row->text;
}

std::string_view record_operands(std::uint32_t block, std::uint32_t code) {
  const auto* row = find_record(block, code);
  return row == nullptr ? std::string_view() : row->operands;
}

std::string_view block_path(std::uint32_t block) {
  const auto* row = find_block(block);
  return row == nullptr ? "block" : row->path;
}

}  // namespace unshade::dxil::bitcode
