// The words of listings by what they are, so that whoever shows them needs no grammar.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <unshade/shader/shader.hpp>

namespace unshade::present {

enum class TokenClass : std::uint8_t {
  opcode,  ///< of an instruction or a declaration
  value,   ///< a register, an id, a label
  number,
  text,  ///< in quotes
  comment,
  directive,  ///< of the assembler: `.proc`
};
/// `opcode`, `comment`.
std::string_view id(TokenClass token);

struct Token {
  std::uint32_t text = 0;  ///< where it begins: bytes from the start of the listing
  std::uint32_t size = 0;
  TokenClass token = TokenClass::opcode;
};

/// The tokens of a listing in the language of a family, in their order. What has none is punctuation, types and other words.
std::vector<Token> tokens_of(std::string_view listing, shader::Family family);

}  // namespace unshade::present
