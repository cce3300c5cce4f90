// Names and codes of what bitcode consists of, made from records.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace unshade::dxil::bitcode {

namespace block_id {
#define BITCODE_BLOCK(id, name, text, path) inline constexpr std::uint32_t name = id;
#include "dxil/bitcode/records.def"
}  // namespace block_id

/// Of records: `code::function_ret`.
namespace code {
#define BITCODE_RECORD(block, number, name, text, listed, operands) inline constexpr std::uint32_t block##_##name = number;
#include "dxil/bitcode/records.def"
}  // namespace code

/// Names as llvm-bcanalyzer prints them, of static storage and zero-terminated; null if there is none.
const char* block_text(std::uint32_t block);
const char* record_text(std::uint32_t block, std::uint32_t code);
/// The same, null too for records that the tool itself has no name for.
const char* listed_record_text(std::uint32_t block, std::uint32_t code);
/// The operands of a record, in the letters that records.def explains; empty if it is unknown.
std::string_view record_operands(std::uint32_t block, std::uint32_t code);
/// A block's name in error paths; `block` for one without a name.
std::string_view block_path(std::uint32_t block);

}  // namespace unshade::dxil::bitcode
