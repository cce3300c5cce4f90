// The debug comment (DBUG) of a Direct3D 9 program in a document: the program's text has a line `comment DBUG` in its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>

namespace unshade::dxbc::sm2 {

/// A member beside the program's text.
inline constexpr std::string_view kDebugInfoName = "DBUG";

/// The program's text (print_program()) with the first debug comment replaced by its name, and its fields; `fields` stays null where there
/// is none that fields give back.
std::string take_debug_info(std::string_view program, Value& fields);

/// The other way. `most`: bytes the comment may have. Errors: bad_value where the fields are wrong, or the text has no line for them;
/// limit.
Result<std::string> put_debug_info(std::string_view program, const Value& fields, std::uint64_t most);

}  // namespace unshade::dxbc::sm2
