#include "shader/hlsl/declarations/reader.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/input_text.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/shader/hlsl/declarations.hpp>

namespace unshade::shader::hlsl {

namespace {

struct ResourceWord {
  std::string_view word;
  ResourceKind kind;
  bool has_element = false;  ///< its type is that of a buffer's contents
};
constexpr ResourceWord kResources[] = {
    {"ConstantBuffer", ResourceKind::cbuffer, true},
    {"StructuredBuffer", ResourceKind::structured, true},
    {"RWStructuredBuffer", ResourceKind::uav_structured, true},
    {"RasterizerOrderedStructuredBuffer", ResourceKind::uav_structured, true},
    {"AppendStructuredBuffer", ResourceKind::uav_append, true},
    {"ConsumeStructuredBuffer", ResourceKind::uav_consume, true},
    {"ByteAddressBuffer", ResourceKind::byte_address},
    {"RWByteAddressBuffer", ResourceKind::uav_byte_address},
    {"RasterizerOrderedByteAddressBuffer", ResourceKind::uav_byte_address},
    {"SamplerState", ResourceKind::sampler},
    {"SamplerComparisonState", ResourceKind::sampler},
};

/// What a word says of a resource; its dimension too, of textures and typed buffers.
std::optional<ResourceWord> resource_word(std::string_view word, ResourceDimension& dimension) {
  const auto* const found = std::ranges::find(kResources, word, &ResourceWord::word);
  if (found != std::end(kResources)) return *found;
  std::string_view shape = word;
  for (const std::string_view prefix : {"RasterizerOrdered", "RW"})
    if (shape.starts_with(prefix)) shape.remove_prefix(prefix.size());
  for (std::uint32_t number = 0; number <= static_cast<std::uint32_t>(ResourceDimension::texture_cube_array); ++number) {
    const auto one = static_cast<ResourceDimension>(number);
    if (shape.empty() || dxcontainer::hlsl_word(one) != shape) continue;
    dimension = one;
    return ResourceWord{word, shape.size() == word.size() ? ResourceKind::texture : ResourceKind::uav_typed};
  }
  return std::nullopt;
}

constexpr std::string_view kBeforeResources[] = {"uniform", "extern", "globallycoherent", "volatile",
                                                 "precise", "shared", "row_major",        "column_major"};

bool is_open(const Token& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool is_close(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

}  // namespace

// Conditions are lines that only a preprocessor can choose between: what is declared must not depend on them.
void Reader::advance() {
  if (failed()) return;
  for (;;) {
    token_ = lexer_.next();
    if (token_.kind != Token::Kind::condition) break;
    if (declared_in_ != 0)
      return fail(ErrorCode::unsupported, token_.at,
                  "`#" + std::string(token_.text) + "` within a declaration: what it leaves must be found by a preprocessor first");
  }
  if (token_.kind == Token::Kind::end && lexer_.open_comment() != std::string_view::npos)
    fail(ErrorCode::truncated, lexer_.open_comment(), "a comment without end");
}

void Reader::fail(ErrorCode code, std::size_t at, std::string message) {
  if (!error_) error_ = Error{code, at, "", std::move(message)};
  // nothing is read after the first
  token_ = {Token::Kind::end, text_.size()};
}

Token Reader::meant(Token token) const {
  if (token.kind != Token::Kind::identifier) return token;
  if (const std::string_view meaning = lexer_.meaning(token.text); !meaning.empty()) token.text = meaning;
  if (is_digit(token.text[0])) token.kind = Token::Kind::number;
  return token;
}

bool Reader::take(std::string_view mark) {
  if (!token_.is(mark)) return false;
  advance();
  return !failed();
}

bool Reader::expect(std::string_view mark) {
  if (take(mark)) return true;
  const std::string found = token_.kind == Token::Kind::end ? "the end of the text" : quoted(token_.text);
  fail(ErrorCode::bad_value, token_.at, "expected " + quoted(mark) + ", found " + found);
  return false;
}

std::string_view Reader::name(std::string_view what) {
  const std::string_view made = token_.text;
  if (token_.kind != Token::Kind::identifier) {
    const std::string found = token_.kind == Token::Kind::end ? "the end of the text" : quoted(token_.text);
    fail(ErrorCode::bad_value, token_.at, "expected the name of " + std::string(what) + ", found " + found);
    return {};
  }
  advance();
  return made;
}

void Reader::skip_balanced() {
  const Token open = token_;
  std::size_t depth = 0;
  // conditions choose between statements there
  const unsigned declared_in = open.is("{") ? std::exchange(declared_in_, 0) : declared_in_;
  do {
    if (token_.kind == Token::Kind::end) return fail(ErrorCode::truncated, open.at, quoted(open.text) + " is not closed");
    if (is_open(token_)) ++depth;
    if (is_close(token_)) --depth;
    if (depth == 0) declared_in_ = declared_in;
    advance();
  } while (depth != 0);
}

void Reader::skip_to(std::string_view marks) {
  while (token_.kind != Token::Kind::end && !is_close(token_)) {
    if (token_.kind == Token::Kind::mark && marks.find(token_.text[0]) != std::string_view::npos) return;
    if (is_open(token_))
      skip_balanced();
    else
      advance();
  }
}

void Reader::skip_declaration() {
  bool has_value = false;
  for (;;) {
    skip_to(";={");
    if (token_.is("{")) {
      skip_balanced();
      if (!has_value) return;
    } else if (token_.is("=")) {
      has_value = true;
      advance();
    } else {
      (void)take(";");
      return;
    }
  }
}

void Reader::skip_arguments() {
  if (!token_.is("<")) return;
  const Token open = token_;
  std::size_t depth = 0;
  do {
    if (token_.is("<")) ++depth;
    if (token_.is(">")) --depth;
    if (token_.kind == Token::Kind::end || token_.is(";")) return fail(ErrorCode::truncated, open.at, quoted(open.text) + " is not closed");
    advance();
  } while (depth != 0 && !failed());
}

// `static const uint kLights = 4, kShadows = 2;`
void Reader::constant() {
  while (token_.is("static") || token_.is("const")) advance();
  const Token word = meant(token_);
  const bool is_integer = word.is("int") || word.is("uint");
  if (!is_integer || failed()) return skip_declaration();
  do {
    advance();
    const Token named = token_;
    if (named.kind != Token::Kind::identifier) return skip_declaration();
    advance();
    if (!take("=")) return skip_declaration();
    const std::size_t first = token_.at;
    skip_to(",;");
    constants_.define(named.text, text_.substr(first, token_.at - first));
  } while (token_.is(","));
  (void)take(";");
}

void Reader::type_definition() {
  advance();
  const std::size_t at = token_.at;
  auto of = type(lexer_.packs_rows());
  if (failed()) return;
  if (!of) return skip_declaration();  // of something that is in no buffer
  const std::string_view named = name("a type");
  dimensions(*of);
  if (!failed() && !types_.emplace(named, *of).second) fail(ErrorCode::bad_value, at, "the type " + quoted(named) + " is declared twice");
  (void)expect(";");
}

void Reader::add_resource(DeclaredResource&& made) {
  if (!resources_.insert(made.name).second) return fail(ErrorCode::bad_value, made.at, quoted(made.name) + " is declared twice");
  made_.resources.push_back(std::move(made));
}

// `register(b1, space2)`, with the profile that old compilers take before it; other annotations are passed over.
void Reader::binding(DeclaredResource& into) {
  while (take(":")) {
    if (!token_.is("register")) {
      advance();
      if (token_.is("(")) skip_balanced();
      continue;
    }
    advance();
    if (!expect("(")) return;
    while (token_.kind == Token::Kind::identifier) {
      const Token word = meant(token_);
      const std::string_view text = word.text;
      const std::size_t digits = std::min(text.find_first_of("0123456789"), text.size());
      const auto number = as_number<std::uint32_t>(text.substr(digits));
      if (text.starts_with("space") && digits == 5 && number) {
        into.space = *number;
      } else if (digits == 1 && number) {
        if (text[0] != dxcontainer::register_letters(into.kind).back())
          return fail(ErrorCode::bad_value, word.at, quoted(text) + " is no register of " + quoted(into.name));
        into.bind_point = *number;
      } else if (lexer_.find_macro(token_.text) != nullptr) {
        return fail(ErrorCode::unsupported, token_.at, quoted(token_.text) + " is a macro that is no register: use a preprocessor first");
      }
      advance();
      if (token_.is("[")) skip_balanced();
      if (!take(",")) break;
    }
    if (!expect(")")) return;
  }
}

void Reader::constants_buffer() {
  advance();
  DeclaredResource made;
  made.at = token_.at;
  made.name = name("a constant buffer");
  binding(made);
  DeclaredStructure contents;
  contents.name = made.name;
  contents.at = made.at;
  if (failed() || !token_.is("{")) return (void)expect("{");
  members(contents, 1);
  if (failed()) return;
  // a member that is of an unknown type leaves all after it without a place
  if (contents.fault) {
    error_ = std::move(contents.fault);
    return;
  }
  (void)take(";");
  if (contents.members.empty()) return;
  made.element.emplace();
  made.element->type_class = TypeClass::structure;
  made.element->structure = static_cast<std::uint32_t>(made_.structures.size());
  made_.structures.push_back(std::move(contents));
  add_resource(std::move(made));
}

void Reader::resource(std::string_view word) {
  ResourceDimension dimension = ResourceDimension::unknown;
  const ResourceWord known = *resource_word(word, dimension);
  const std::size_t at = token_.at;
  advance();
  std::optional<DeclaredType> element;
  if (known.has_element) {
    if (!expect("<")) return;
    element = type(lexer_.packs_rows());
    if (failed()) return;
    if (!element) return fail(ErrorCode::bad_value, token_.at, "unknown type " + quoted(token_.text));
    if (known.kind == ResourceKind::cbuffer && element->structure == kNone)
      return fail(ErrorCode::bad_value, at, "the type of a ConstantBuffer must be a structure");
    if (!expect(">")) return;
  } else {
    skip_arguments();
  }
  do {
    DeclaredResource made;
    made.at = token_.at;
    made.kind = known.kind;
    made.dimension = dimension;
    made.name = name("a resource");
    made.element = element;
    if (failed()) return;
    if (token_.is("(")) return skip_declaration();  // a function's result
    while (take("[")) {
      const std::size_t first = token_.at;
      skip_to("]");
      const auto count = constants_.value(text_.substr(first, token_.at - first));
      const bool is_unbounded = token_.at == first;
      if (!is_unbounded && (!count || *count == 0 || *count > 0xffff'ffff / made.count))
        return fail(ErrorCode::bad_value, first,
                    "the array size is not a known constant: run the preprocessor first if macros are defined in several ways");
      made.count = is_unbounded ? 0 : made.count * static_cast<std::uint32_t>(*count);
      if (!expect("]") || made.count == 0) break;
    }
    binding(made);
    if (token_.is("=")) skip_to(",;");
    if (token_.is("{")) skip_balanced();
    if (token_.is("<")) skip_arguments();
    if (failed()) return;
    add_resource(std::move(made));
  } while (take(","));
  (void)take(";");
}

void Reader::declaration() {
  const Token word = meant(token_);
  ResourceDimension dimension = ResourceDimension::unknown;
  if (word.is(";")) return advance();
  if (word.is("[")) return skip_balanced();
  if (word.is("}")) {
    if (namespaces_ == 0) return fail(ErrorCode::bad_value, word.at, "'}' without an opening brace");
    --namespaces_;
    return advance();
  }
  if (is_close(word)) return fail(ErrorCode::bad_value, word.at, quoted(word.text) + " without an opening bracket");
  if (word.is("namespace")) {
    advance();
    if (token_.kind == Token::Kind::identifier) advance();
    if (expect("{")) ++namespaces_;
    return;
  }
  if (word.is("cbuffer")) return constants_buffer();
  if (word.is("struct")) {
    (void)structure(1);
    return skip_declaration();
  }
  if (word.is("typedef")) return type_definition();
  if (word.is("static") || word.is("const")) return constant();
  if (word.kind == Token::Kind::identifier && std::ranges::find(kBeforeResources, word.text) != std::end(kBeforeResources))
    return advance();
  if (word.kind == Token::Kind::identifier && resource_word(word.text, dimension)) return resource(word.text);
  skip_declaration();
}

Result<Declared> Reader::run() {
  advance();
  while (!failed() && token_.kind != Token::Kind::end) declaration();
  if (!failed() && namespaces_ != 0) fail(ErrorCode::truncated, text_.size(), "a namespace is not closed");
  if (!failed() && made_.resources.empty())
    fail(ErrorCode::missing, 0, "no constant buffer, structured buffer or other resource is declared (macros are not expanded)");
  if (failed()) return *std::move(error_);
  return std::move(made_);
}

}  // namespace unshade::shader::hlsl

namespace unshade::shader {

Result<HlslDeclarations> read_hlsl_declarations(std::string_view text) {
  if (text.size() > limits::kDeclarationsText)
    return Error{ErrorCode::limit, 0, "", "the text has more than " + std::to_string(limits::kDeclarationsText) + " bytes"};
  const InputText input(text, true);
  auto declared = hlsl::Reader(input.view()).run();
  if (!declared) return std::move(declared).error();
  HlslDeclarations made;
  auto usual = hlsl::laid_out(*declared, false);
  if (!usual) return std::move(usual).error();
  made.usual = *std::move(usual);
  if (!declared->has_switched_types) return made;
  auto native = hlsl::laid_out(*declared, true);
  // what is explicitly placed may only fit one of both
  if (native) made.native = *std::move(native);
  return made;
}

}  // namespace unshade::shader
