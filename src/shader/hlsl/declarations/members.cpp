// Types, and members of structures and constant buffers.
#include <algorithm>
#include <iterator>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>

#include "shader/hlsl/declarations/reader.hpp"

namespace unshade::shader::hlsl {

namespace {

struct NumberWord {
  std::string_view word;
  BaseType base, native;
};
// src: the pages "Scalar Types" of the HLSL reference, and "16 Bit Scalar Types" of DXC's wiki
constexpr NumberWord kNumbers[] = {
    {"bool", BaseType::bool_, BaseType::bool_},
    {"int", BaseType::int_, BaseType::int_},
    {"uint", BaseType::uint_, BaseType::uint_},
    {"dword", BaseType::uint_, BaseType::uint_},
    {"float", BaseType::float_, BaseType::float_},
    {"double", BaseType::double_, BaseType::double_},
    {"half", BaseType::float_, BaseType::float16},
    {"min16float", BaseType::min16float, BaseType::float16},
    {"min10float", BaseType::min10float, BaseType::float16},
    {"min16int", BaseType::min16int, BaseType::int16},
    {"min12int", BaseType::min12int, BaseType::int16},
    {"min16uint", BaseType::min16uint, BaseType::uint16},
    {"float16_t", BaseType::float16, BaseType::float16},
    {"int16_t", BaseType::int16, BaseType::int16},
    {"uint16_t", BaseType::uint16, BaseType::uint16},
    {"float32_t", BaseType::float_, BaseType::float_},
    {"int32_t", BaseType::int_, BaseType::int_},
    {"uint32_t", BaseType::uint_, BaseType::uint_},
    {"float64_t", BaseType::double_, BaseType::double_},
    {"int64_t", BaseType::int64, BaseType::int64},
    {"uint64_t", BaseType::uint64, BaseType::uint64},
};

constexpr std::string_view kQualifiers[] = {
    "const",  "uniform", "extern",   "volatile",  "precise",      "shared", "inline", "nointerpolation", "noperspective",
    "linear", "sample",  "centroid", "row_major", "column_major", "static", "snorm",  "unorm",           "globallycoherent",
};

constexpr std::uint32_t kLanes = 4;

bool is_size(char c) { return c >= '1' && c <= '4'; }

DeclaredType matrix(DeclaredType of, std::uint32_t rows, std::uint32_t columns, bool is_row_major) {
  of.type_class = is_row_major ? TypeClass::matrix_rows : TypeClass::matrix_columns;
  of.rows = rows;
  of.columns = columns;
  return of;
}

DeclaredType vector(DeclaredType of, std::uint32_t columns) {
  of.type_class = TypeClass::vector;
  of.columns = columns;
  return of;
}

/// `float`, `float3`, `half4x4`; nothing: it is no number.
std::optional<DeclaredType> number_type(std::string_view word, bool is_row_major) {
  for (const NumberWord& number : kNumbers) {
    if (!word.starts_with(number.word)) continue;
    const std::string_view rest = word.substr(number.word.size());
    DeclaredType made;
    made.base = number.base;
    made.native = number.native;
    if (rest.empty()) return made;
    if (rest.size() == 1 && is_size(rest[0])) return vector(made, static_cast<std::uint32_t>(rest[0] - '0'));
    if (rest.size() == 3 && is_size(rest[0]) && rest[1] == 'x' && is_size(rest[2]))
      return matrix(made, static_cast<std::uint32_t>(rest[0] - '0'), static_cast<std::uint32_t>(rest[2] - '0'), is_row_major);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> Reader::count_to(std::uint32_t most) {
  const Token token = meant(token_);
  const auto number = token.kind == Token::Kind::number ? as_number<std::uint32_t>(token.text) : std::nullopt;
  if (!number || *number == 0 || *number > most) {
    fail(ErrorCode::bad_value, token.at, "expected a number from 1 to " + std::to_string(most) + ", found " + quoted(token.text));
    return std::nullopt;
  }
  advance();
  return number;
}

// Nothing without an error: the word, which stays the next, is no type that a buffer can hold.
std::optional<DeclaredType> Reader::type(bool is_row_major) {
  const Token word = meant(token_);
  if (word.kind != Token::Kind::identifier) {
    const std::string found = word.kind == Token::Kind::end ? "the end of the text" : quoted(word.text);
    fail(ErrorCode::bad_value, word.at, "expected a type, found " + found);
    return std::nullopt;
  }
  DeclaredType made;
  if (word.is("unsigned")) {
    advance();
    if (token_.is("int")) advance();
    return number_type("uint", is_row_major);
  }
  const bool is_vector = word.is("vector"), is_matrix = word.is("matrix");
  if (is_vector || is_matrix) {
    std::uint32_t rows = kLanes, columns = kLanes;
    advance();
    if (take("<")) {
      const Token of = meant(token_);
      auto element = number_type(of.text, is_row_major);
      if (const auto named = types_.find(of.text); !element && named != types_.end()) element = named->second;
      if (!element || element->type_class != TypeClass::scalar || element->elements != 0) {
        fail(ErrorCode::bad_value, word.at, "the elements of a vector or matrix must be numbers");
        return std::nullopt;
      }
      made_.has_switched_types = made_.has_switched_types || element->base != element->native;
      advance();
      made = *element;
      std::optional<std::uint32_t> first, second;
      if (!expect(",") || !(first = count_to(kLanes))) return std::nullopt;
      if (is_matrix && (!expect(",") || !(second = count_to(kLanes)))) return std::nullopt;
      if (!expect(">")) return std::nullopt;
      rows = *first;
      columns = second.value_or(*first);
    }
    return is_vector ? vector(made, columns) : matrix(made, rows, columns, is_row_major);
  }
  if (const auto number = number_type(word.text, is_row_major)) {
    made_.has_switched_types = made_.has_switched_types || number->base != number->native;
    advance();
    return number;
  }
  if (const auto found = types_.find(word.text); found != types_.end()) {
    advance();
    return found->second;
  }
  if (const auto found = structures_.find(word.text); found != structures_.end()) {
    advance();
    made.type_class = TypeClass::structure;
    made.structure = found->second;
    return made;
  }
  return std::nullopt;
}

void Reader::dimensions(DeclaredType& of) {
  while (!failed() && take("[")) {
    const std::size_t first = token_.at;
    skip_to("]");
    const auto count = constants_.value(text_.substr(first, token_.at - first));
    if (!count)
      return fail(ErrorCode::bad_value, first,
                  "the array size is not a known constant: run the preprocessor first if macros are defined in several ways");
    const std::uint64_t before = std::max(1U, of.elements);
    if (*count == 0 || *count > 0xffff'ffff / before)
      return fail(ErrorCode::bad_value, first, "an array of " + std::to_string(*count) + " elements");
    of.elements = static_cast<std::uint32_t>(before * *count);
    (void)expect("]");
  }
}

// `packoffset(c2.y)`
void Reader::place(DeclaredMember& of) {
  advance();
  if (!expect("(")) return;
  const Token word = meant(token_);
  const auto number = word.text.starts_with('c') ? as_number<std::uint32_t>(word.text.substr(1)) : std::nullopt;
  constexpr std::uint32_t kMostRegisters = 1U << 16;
  if (!number || *number >= kMostRegisters)
    return fail(ErrorCode::bad_value, word.at, "expected a register of constants such as c2, found " + quoted(word.text));
  std::uint32_t bytes = *number * 16;
  advance();
  if (take(".")) {
    constexpr std::string_view kLetters = "xyzwrgba";
    const std::size_t letter = token_.text.size() == 1 ? kLetters.find(token_.text[0]) : std::string_view::npos;
    if (letter == std::string_view::npos)
      return fail(ErrorCode::bad_value, token_.at, "expected a component, found " + quoted(token_.text));
    bytes += static_cast<std::uint32_t>(letter % kLanes) * 4;
    advance();
  }
  of.offset = bytes;
  (void)expect(")");
}

// What follows a type: a name with dimensions and annotations; or a method.
void Reader::declarator(DeclaredStructure& into, DeclaredType of, bool is_static) {
  for (;;) {
    DeclaredMember made;
    made.at = token_.at;
    made.type = of;
    made.name = name("a member");
    if (failed()) return;
    if (token_.is("(")) return skip_declaration();
    dimensions(made.type);
    while (take(":")) {
      if (token_.is("packoffset")) {
        place(made);
      } else {
        if (token_.kind == Token::Kind::number && !into.fault)
          into.fault = Error{ErrorCode::unsupported, token_.at, std::string(into.name), "bit fields"};
        advance();
        if (token_.is("(")) skip_balanced();
      }
    }
    if (take("=")) skip_to(",;");
    if (failed()) return;
    if (!is_static) {
      if (made.type.structure != kNone) {
        const DeclaredStructure& inner = made_.structures[made.type.structure];
        into.depth = std::max(into.depth, inner.depth + 1);
        if (into.depth > limits::kNesting) return fail(ErrorCode::limit, made.at, "structures are nested too deeply");
        if (inner.fault && !into.fault) into.fault = inner.fault;
      }
      into.members.push_back(std::move(made));
    }
    if (!take(",")) break;
  }
  (void)expect(";");
}

void Reader::member(DeclaredStructure& into, unsigned depth) {
  if (token_.is("[")) return skip_balanced();
  if (take(";")) return;
  bool is_row_major = lexer_.packs_rows(), is_static = false;
  for (;;) {
    const Token word = meant(token_);
    if (word.kind != Token::Kind::identifier || std::ranges::find(kQualifiers, word.text) == std::end(kQualifiers)) break;
    if (word.is("row_major") || word.is("column_major")) is_row_major = word.is("row_major");
    is_static = is_static || word.is("static");
    advance();
    if (failed()) return;
  }
  if (meant(token_).is("struct")) {
    DeclaredType of;
    of.type_class = TypeClass::structure;
    of.structure = structure(depth + 1);
    if (failed() || take(";")) return;
    return declarator(into, of, is_static);
  }
  const Token word = token_;
  const auto of = type(is_row_major);
  if (failed()) return;
  if (of) return declarator(into, *of, is_static);
  const Macro* const macro = lexer_.find_macro(word.text);
  const std::string what =
      macro != nullptr ? quoted(word.text) + " is a macro: use a preprocessor first" : "unknown type " + quoted(word.text);
  // methods may have any types
  advance();
  skip_arguments();
  if (token_.kind == Token::Kind::identifier) advance();
  const bool is_method = token_.is("(") && macro == nullptr;
  if (!is_method && !into.fault) {
    const ErrorCode code = macro != nullptr ? ErrorCode::unsupported : ErrorCode::bad_value;
    into.fault = Error{code, word.at, std::string(into.name), what};
  }
  skip_declaration();
}

void Reader::members(DeclaredStructure& into, unsigned depth) {
  const std::size_t open = token_.at;
  ++declared_in_;
  advance();
  while (!failed() && !token_.is("}")) {
    if (token_.kind == Token::Kind::end) return fail(ErrorCode::truncated, open, "'{' is not closed");
    member(into, depth);
  }
  --declared_in_;
  if (failed()) return;
  advance();
  if (into.fault) return;
  std::vector<std::pair<std::string_view, std::size_t>> names;
  for (const DeclaredMember& one : into.members) names.emplace_back(one.name, one.at);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names, {}, &std::pair<std::string_view, std::size_t>::first);
  if (twice != names.end())
    into.fault = Error{ErrorCode::bad_value, (twice + 1)->second, std::string(into.name), quoted(twice->first) + " is declared twice"};
}

std::uint32_t Reader::structure(unsigned depth) {
  advance();
  DeclaredStructure made;
  made.at = token_.at;
  if (token_.kind == Token::Kind::identifier) made.name = name("a structure");
  if (depth > limits::kNesting) fail(ErrorCode::limit, made.at, "structures are nested too deeply");
  if (failed()) return kNone;
  if (token_.is(":")) {
    made.fault = Error{ErrorCode::unsupported, token_.at, std::string(made.name), "structures that inherit members"};
    skip_to("{;");
  }
  // declared, but not what is in it; or the type of a variable or function
  if (depth == 1 && !made.name.empty() && (token_.is(";") || token_.kind == Token::Kind::identifier)) return kNone;
  if (!token_.is("{")) {
    (void)expect("{");
    return kNone;
  }
  members(made, depth);
  if (failed()) return kNone;
  if (made.members.empty() && !made.fault)
    made.fault = Error{ErrorCode::bad_value, made.at, std::string(made.name), "a structure without members"};
  const auto number = static_cast<std::uint32_t>(made_.structures.size());
  if (!made.name.empty() && !structures_.emplace(made.name, number).second) {
    fail(ErrorCode::bad_value, made.at, "the structure " + quoted(made.name) + " is declared twice");
    return kNone;
  }
  made_.structures.push_back(std::move(made));
  return number;
}

}  // namespace unshade::shader::hlsl
