// Words that debug records print, and their numbers: those of dwarf.def as tables, in the order of the numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace unshade::dxil::module {

/// A word of DWARF or LLVM, and its number.
struct DebugWord {
  std::uint64_t value;
  std::string_view text;
};

inline constexpr DebugWord kDwarfTags[] = {
#define DXIL_DWARF_TAG(value, name) {value, "DW_TAG_" #name},
#include "dxil/module/dwarf.def"
};
inline constexpr DebugWord kDwarfLanguages[] = {
#define DXIL_DWARF_LANGUAGE(value, name) {value, "DW_LANG_" #name},
#include "dxil/module/dwarf.def"
};
inline constexpr DebugWord kDwarfEncodings[] = {
#define DXIL_DWARF_ENCODING(value, name) {value, "DW_ATE_" #name},
#include "dxil/module/dwarf.def"
};
inline constexpr DebugWord kDwarfVirtualities[] = {
#define DXIL_DWARF_VIRTUALITY(value, name) {value, "DW_VIRTUALITY_" #name},
#include "dxil/module/dwarf.def"
};
inline constexpr DebugWord kDebugFlags[] = {
#define DXIL_DEBUG_FLAG(mask, name) {mask, "DIFlag" #name},
#include "dxil/module/dwarf.def"
};

/// Operations of DIExpression. src: LLVM 3.7 DebugInfoMetadata.cpp, DIExpression::isValid
struct ExpressionOperation {
  std::uint64_t code;
  std::size_t arguments;
  std::string_view text;
};
inline constexpr ExpressionOperation kExpressionOperations[] = {
    {0x06, 0, "DW_OP_deref"}, {0x22, 1, "DW_OP_plus"}, {0x9d, 2, "DW_OP_bit_piece"}};

}  // namespace unshade::dxil::module
