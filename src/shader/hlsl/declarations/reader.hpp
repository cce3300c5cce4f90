// Reads declarations of HLSL: what may have a place in a buffer, and what is bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "shader/hlsl/declarations/constants.hpp"
#include "shader/hlsl/declarations/lexer.hpp"
#include "shader/hlsl/declarations/model.hpp"

namespace unshade::shader::hlsl {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), lexer_(text), constants_(lexer_) {}
  Result<Declared> run();

 private:
  // --- tokens: reader.cpp ---
  void advance();
  void fail(ErrorCode code, std::size_t at, std::string message);
  bool failed() const { return error_.has_value(); }
  /// What a macro of one word stands for, else the token.
  Token meant(Token token) const;
  bool expect(std::string_view mark);
  bool take(std::string_view mark);
  std::string_view name(std::string_view what);
  /// From an opening bracket past the one that closes it.
  void skip_balanced();
  /// Up to one of the marks, outside of brackets.
  void skip_to(std::string_view marks);
  /// Past a declaration: its semicolon, or the body of a function.
  void skip_declaration();
  /// Past what is between `<` and `>`, if that is next.
  void skip_arguments();

  // --- what a file declares: reader.cpp ---
  void declaration();
  void constant();
  void type_definition();
  void constants_buffer();
  void resource(std::string_view word);
  void binding(DeclaredResource& into);
  void add_resource(DeclaredResource&& made);

  // --- types and members: members.cpp ---
  std::optional<DeclaredType> type(bool is_row_major);
  std::optional<std::uint32_t> count_to(std::uint32_t most);
  /// A structure from `struct` on, past its closing brace; kNone and an error.
  std::uint32_t structure(unsigned depth);
  /// Members up to the closing brace, past it.
  void members(DeclaredStructure& into, unsigned depth);
  void member(DeclaredStructure& into, unsigned depth);
  void declarator(DeclaredStructure& into, DeclaredType of, bool is_static);
  void dimensions(DeclaredType& of);
  void place(DeclaredMember& of);

  std::string_view text_;
  Lexer lexer_;
  Constants constants_;
  Token token_;
  std::optional<Error> error_;
  Declared made_;
  unsigned declared_in_ = 0;  ///< of what is read, not passed over: braces that are open
  unsigned namespaces_ = 0;
  std::map<std::string_view, std::uint32_t> structures_;
  std::map<std::string_view, DeclaredType> types_;  ///< by typedef
  std::set<std::string_view> resources_;            ///< names
};

}  // namespace unshade::shader::hlsl
