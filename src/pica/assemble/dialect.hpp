// Other assembly languages of the PICA200, which are told apart by what picasso's does not have.
#pragma once

#include <string>
#include <string_view>

#include <unshade/core/message.hpp>
#include <unshade/pica/text_language.hpp>

namespace unshade::pica::assembler {

/// What is said of it; `file`: the name of the source.
Message message_of(const Dialect& dialect, std::string_view file);
Message message_of(const NoProgram& none, std::string_view file);

/// The name of a source as messages have it: what is no character is escaped, and long ones are cut.
std::string safe_name(std::string_view file);

}  // namespace unshade::pica::assembler
