// The comments of a Direct3D 9 program in a document, debug information (DBUG) and constant table (CTAB): the program's text has a line
// `comment DBUG` in the place of one, and a member beside the text its fields.
#pragma once

#include <string>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/dxcontainer/part_document.hpp>

namespace unshade::dxbc::sm2 {

struct ConstantTable;

/// The program's text (print_program()) with the first comment of each kind replaced by its name, if fields give it back. These are
/// added to `members`, by that name, with hints if `places` allows these.
std::string take_comments(std::string_view program, Value& members, Places places);

/// Whether a member of this name holds the fields of a comment.
bool is_comment_name(std::string_view name);

/// The other way. `context` has the bytes that a comment may have, and whether hints count. Errors: bad_value if fields are wrong, or
/// the text has no line for them; limit.
Result<std::string> put_comments(std::string_view program, const Value& members, const dxcontainer::PartContext& context);

/// Gives everything in a constant table that was made the place that fxc would give it.
void place_as_fxc(ConstantTable& table);

}  // namespace unshade::dxbc::sm2
