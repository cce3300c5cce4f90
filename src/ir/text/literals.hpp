// Constants in the text form, for both directions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

void print_literal(Text& out, Type type, std::uint64_t bits);
/// The bits of a constant of the type; nothing if the text is none.
std::optional<std::uint64_t> parse_literal(Type type, std::string_view text);

}  // namespace unshade::ir
