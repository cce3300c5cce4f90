// The words of the assembly text that listing and assembler share. Source: docs/reference/texts/vbc.md
#pragma once

#include <string_view>

namespace unshade::vbc::directive {

inline constexpr std::string_view kVbc = ".vbc";
inline constexpr std::string_view kLayout = ".layout";
inline constexpr std::string_view kTables = ".tables";
inline constexpr std::string_view kInput = ".input";
inline constexpr std::string_view kOutput = ".output";
inline constexpr std::string_view kBinding = ".binding";
inline constexpr std::string_view kUniform = ".uniform";
inline constexpr std::string_view kMember = ".member";
inline constexpr std::string_view kSubpassBytes = ".subpass_bytes";
inline constexpr std::string_view kSubpass = ".subpass";
inline constexpr std::string_view kStage = ".stage";
inline constexpr std::string_view kEnd = ".end";
inline constexpr std::string_view kTrailing = ".trailing";

inline constexpr std::string_view kGraphics = "graphics";
inline constexpr std::string_view kNone = "none";        ///< of stage masks
inline constexpr std::string_view kBytes = "bytes";      ///< a stage as hexadecimal digits
inline constexpr std::string_view kPadding = "padding";  ///< bytes that are not zero
inline constexpr std::string_view kImage = "image";      ///< of a subpass input
inline constexpr std::string_view kHex = "hex:";         ///< before a name that is no identifier
inline constexpr std::string_view kType = "type(";       ///< before a type without a name

}  // namespace unshade::vbc::directive
