// Parsing the text form of modules: once over all tokens for what has a name, then line by line.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/line_counter.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/text.hpp>

#include "ir/describe.hpp"
#include "ir/operands.hpp"
#include "ir/text/literals.hpp"
#include "ir/text/tokens.hpp"

namespace unshade::ir {
namespace {

using words::Token;
using words::TokenKind;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Module> parse_module() {
    std::optional<std::size_t> fault;
    tokens_ = words::Lexer(text_).all(fault);
    if (fault) return fail_at(*fault, "unexpected character"), *std::move(error_);
    find_symbols();
    while (!error_ && at_ < tokens_.size()) parse_line();
    if (error_) return *std::move(error_);
    return std::move(module_);
  }

  // The archive.
  template <class T>
  void key(std::string_view name, T& value, const std::type_identity_t<T>& otherwise) {
    value = otherwise;
    if (!accept_word(name)) return;
    if constexpr (std::is_same_v<T, bool>) {
      value = !otherwise;
    } else {
      value_of(value);
    }
  }
  template <class E>
  void word(E& value) {
    const Token& token = next(TokenKind::word, "a word");
    if (error_) return;
    if (const auto found = words::value_of<E>(token.text)) {
      value = *found;
    } else if (const auto number = as_number<std::underlying_type_t<E>>(token.text)) {
      value = static_cast<E>(*number);
    } else {
      fail(token, "unknown word");
    }
  }
  template <class T>
  void number(T& value) {
    const Token& token = next(TokenKind::word, "a number");
    if (error_) return;
    if (const auto found = as_number<T>(token.text)) {
      value = *found;
    } else {
      fail(token, "expected a number below " + std::to_string(std::uint64_t{std::numeric_limits<T>::max()} + 1));
    }
  }
  void bits(std::span<const std::string_view> names, std::uint32_t& value) {
    const Token& token = next(TokenKind::word, "words");
    value = 0;
    for (std::string_view rest = token.text; !error_ && !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      const std::string_view one = rest.substr(0, end);
      const auto found = std::ranges::find(names, one);
      if (found != names.end()) {
        value |= 1U << (found - names.begin());
      } else if (const auto number = as_number<std::uint32_t>(one)) {
        value |= *number;
      } else {
        fail(token, "unknown word");
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  void symbol(words::Symbol kind, std::uint32_t& index) {
    const Token& token = next(TokenKind::symbol, "a name after @");
    if (error_) return;
    const auto& known = symbols_[static_cast<std::size_t>(kind)];
    const auto found = known.find(token.text);
    if (found == known.end()) return fail(token, "unknown name");
    index = found->second;
  }
  void element(ElementExtra& extra) {
    const Token& token = next(TokenKind::word, "an element of a signature, such as in0.x");
    if (error_) return;
    const std::size_t digits = std::min(token.text.find_first_of("0123456789"), token.text.size());
    const std::size_t dot = std::min(token.text.rfind('.'), token.text.size());
    const auto kind = words::value_of<SignatureKind>(token.text.substr(0, digits));
    const auto index = dot > digits ? as_number<std::uint16_t>(token.text.substr(digits, dot - digits)) : std::nullopt;
    const auto column = component(token.text.substr(dot));
    if (!kind || !index || !column) return fail(token, "expected an element of a signature, such as in0.x");
    extra.signature = *kind;
    extra.element = *index;
    extra.column = *column;
  }
  void builtin(BuiltinExtra& extra) {
    const Token& token = next(TokenKind::word, "a builtin");
    if (error_) return;
    const std::size_t dot = std::min(token.text.rfind('.'), token.text.size());
    const auto which = words::value_of<Builtin>(token.text.substr(0, dot));
    const auto column = dot == token.text.size() ? std::uint8_t{0} : component(token.text.substr(dot));
    if (!which || !column) return fail(token, "unknown builtin");
    extra = BuiltinExtra(*which, *column);
  }

 private:
  static std::optional<std::uint8_t> component(std::string_view text) {
    const auto found = text.size() == 2 ? std::string_view("xyzw").find(text[1]) : std::string_view::npos;
    return found == std::string_view::npos ? std::nullopt : std::optional(static_cast<std::uint8_t>(found));
  }

  void value_of(float& value) {
    const Token& token = next(TokenKind::word, "a number");
    if (error_) return;
    const auto bits = parse_literal(Type::f32, token.text);
    if (!bits) return fail(token, "expected a number");
    value = std::bit_cast<float>(static_cast<std::uint32_t>(*bits));
  }
  void value_of(Type& value) {
    const Token& token = next(TokenKind::word, "a type");
    if (error_) return;
    if (const auto type = type_of(token.text)) {
      value = *type;
    } else {
      fail(token, "unknown type");
    }
  }
  void value_of(std::vector<std::byte>& value) {
    const Token& token = next(TokenKind::word, "bytes");
    if (error_) return;
    if (!token.text.starts_with("0x") || token.text.size() % 2 != 0) return fail(token, "expected bytes as hexadecimal digits after 0x");
    for (std::size_t at = 2; at < token.text.size(); at += 2) {
      const auto byte = as_number<std::uint8_t>(token.text.substr(at, 2), 16);
      if (!byte) return fail(token, "expected bytes as hexadecimal digits after 0x");
      value.push_back(static_cast<std::byte>(*byte));
    }
  }
  void value_of(std::string& value) {
    const Token& token = next(TokenKind::text, "a text in quotes");
    if (!error_) value = unquoted(token);
  }
  void value_of(std::array<std::uint32_t, 3>& value) {
    for (std::uint32_t& one : value) number(one);
  }
  template <class T>
  void value_of(std::vector<T>& value) {
    std::conditional_t<std::is_same_v<T, Type>, std::uint16_t, std::uint8_t> count = 0;
    number(count);
    for (; count != 0 && !error_; --count) value_of(value.emplace_back());
  }
  template <class T>
  void value_of(T& value) {
    if constexpr (std::is_enum_v<T>) {
      word(value);
    } else {
      number(value);
    }
  }

  // Tokens.
  const Token& peek() const { return at_ < tokens_.size() ? tokens_[at_] : end_; }
  const Token& take() { return at_ < tokens_.size() ? tokens_[at_++] : end_; }
  const Token& next(TokenKind kind, std::string_view what) {
    const Token& token = peek();
    if (token.kind != kind) {
      fail(token, "expected " + std::string(what));
      return end_;
    }
    return take();
  }
  bool accept(TokenKind kind, std::string_view text) {
    const bool there = peek().kind == kind && peek().text == text;
    if (there) ++at_;
    return there;
  }
  bool accept_word(std::string_view text) { return accept(TokenKind::word, text); }
  bool accept_sign(std::string_view text) { return accept(TokenKind::punctuation, text); }
  void expect_sign(std::string_view text) {
    if (!accept_sign(text)) fail(peek(), "expected " + std::string(text));
  }
  void end_line() {
    if (error_) return;
    if (peek().kind != TokenKind::line_end) return fail(peek(), "expected the end of the line");
    ++at_;
  }
  void fail(const Token& token, std::string message, ErrorCode code = ErrorCode::bad_value) {
    fail_at(token.offset, std::move(message), code);
  }
  void fail_at(std::size_t offset, std::string message, ErrorCode code = ErrorCode::bad_value) {
    if (error_) return;
    offset = std::min(offset, text_.size());
    error_ = Error{code, offset, line_and_column(text_, offset), std::move(message)};
  }

  // Numbers the variables, resources, functions and messages, which may be named before their lines.
  void find_symbols() {
    constexpr std::string_view kLines[] = {"variable", "resource", "function", "message"};  // by Symbol
    static_assert(std::size(kLines) == words::kSymbols);
    bool starts = true;
    for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
      if (starts && tokens_[at].kind == TokenKind::word && tokens_[at + 1].kind == TokenKind::symbol) {
        const auto kind = static_cast<std::size_t>(std::ranges::find(kLines, tokens_[at].text) - std::begin(kLines));
        if (kind < std::size(kLines)) {
          auto& known = symbols_[kind];
          if (!known.emplace(tokens_[at + 1].text, static_cast<std::uint32_t>(known.size())).second) {
            fail(tokens_[at + 1], "the name is already in use");
          }
        }
      }
      starts = tokens_[at].kind == TokenKind::line_end;
    }
  }

  void parse_line() {
    const Token& token = next(TokenKind::word, "a line of the module");
    if (error_) return;
    if (token.text == "stage") {
      word(module_.stage);
    } else if (token.text == "entry") {
      value_of(module_.entry);
    } else if (token.text == "patch_constant") {
      value_of(module_.patch_constant);
    } else if (token.text == "info") {
      words::describe(*this, module_.info);
    } else if (token.text == "modes") {
      words::describe(*this, module_.modes);
    } else if (token.text == "input") {
      parse_element(module_.signatures.input);
    } else if (token.text == "output") {
      parse_element(module_.signatures.output);
    } else if (token.text == "patch") {
      parse_element(module_.signatures.patch);
    } else if (token.text == "resource") {
      auto& resource = module_.resources.emplace_back();
      resource.name = parse_label();
      words::describe(*this, resource);
    } else if (token.text == "variable") {
      auto& variable = module_.variables.emplace_back();
      variable.name = parse_label();
      words::describe(*this, variable);
    } else if (token.text == "message") {
      next(TokenKind::symbol, "a name after @");
      words::describe(*this, module_.messages.emplace_back());
    } else if (token.text == "function") {
      parse_function();
    } else {
      fail(token, "expected a declaration, a function or a block");
    }
    end_line();
  }

  void parse_element(std::vector<Element>& list) {
    Element& element = list.emplace_back();
    const Token& token = next(TokenKind::text, "the semantic in quotes");
    if (error_) return;
    element.semantic = unquoted(token);
    words::describe(*this, element);
  }

  std::string unquoted(const Token& token) {
    std::string out;
    for (std::size_t at = 0; at < token.text.size(); ++at) {
      const char c = token.text[at];
      if (c != '\\') {
        out += c;
        continue;
      }
      const char escaped = token.text[++at];
      if (escaped != 'x') {
        out += escaped;
        continue;
      }
      const auto byte = as_number<std::uint8_t>(token.text.substr(at + 1, 2), 16);
      if (!byte || at + 2 >= token.text.size()) return fail(token, "expected two hexadecimal digits after \\x"), out;
      out += static_cast<char>(*byte);
      at += 2;
    }
    return out;
  }

  // A number is the name of a value without one, or of one whose name is in quotes.
  std::string parse_label() {
    const Token& token = next(TokenKind::symbol, "a name after @");
    if (error_) return {};
    if (peek().kind == TokenKind::text) return unquoted(take());
    return is_digit(token.text[0]) ? std::string() : std::string(token.text);
  }

  std::vector<Type> parse_types() {
    std::vector<Type> types;
    expect_sign("(");
    while (!error_ && !accept_sign(")")) value_of(types.emplace_back());
    return types;
  }

  void parse_function() {
    module_.functions.emplace_back();
    function_ = &module_.functions.back();
    function_->name = parse_label();
    if (peek().text == "(") function_->parameters = parse_types();
    if (accept_word("->")) function_->results = parse_types();
    function_->irreducible = accept_word("irreducible");
    expect_sign("{");
    end_line();
    if (error_) return;
    find_values();
    BlockId block = kNone;
    while (!error_ && !accept_sign("}")) {
      if (peek().kind == TokenKind::block) {
        block = parse_block();
      } else if (block == kNone) {
        fail(peek(), "expected a block, such as ^0:");
      } else {
        parse_instruction(block);
      }
      end_line();
    }
    if (!error_) finish_function();
  }

  // Numbers the values and blocks of the function that begins here. Blocks keep the order of their numbers.
  void find_values() {
    values_.clear();
    blocks_.clear();
    next_value_ = 0;
    phis_.clear();
    std::vector<std::pair<std::uint32_t, const Token*>> labels;
    bool starts = true;
    Id id = 0;
    for (std::size_t at = at_; at < tokens_.size(); ++at) {
      const Token& token = tokens_[at];
      if (starts) {
        if (token.kind == TokenKind::punctuation && token.text == "}") break;
        if (token.kind == TokenKind::block) {
          const auto number = as_number<std::uint32_t>(token.text);
          if (!number || *number == kNone) return fail(token, "the number is too large");
          labels.emplace_back(*number, &token);
        } else {
          if (token.kind == TokenKind::value && !values_.emplace(token.text, id).second) return fail(token, "the value is defined twice");
          ++id;
        }
      }
      starts = token.kind == TokenKind::line_end;
    }
    if (id > limits::kIrInstructions) return fail(peek(), "the function has too many instructions", ErrorCode::limit);
    if (labels.size() > limits::kIrBlocks) return fail(peek(), "the function has too many blocks", ErrorCode::limit);
    std::ranges::sort(labels, {}, [](const auto& label) { return std::pair(label.first, label.second->offset); });
    for (const auto& [number, token] : labels) {
      if (!blocks_.emplace(number, static_cast<BlockId>(blocks_.size())).second) return fail(*token, "the block is defined twice");
    }
    function_->blocks.resize(labels.size());
    // Instructions first, so that their ids are their places; constants are added as they are met.
    function_->insts.resize(id);
    function_->next.resize(id, kNone);
    function_->previous.resize(id, kNone);
    function_->block_of.resize(id, kNone);
    constants_.emplace(*function_);
  }

  BlockId block_of(const Token& token) {
    const auto number = as_number<std::uint32_t>(token.text);
    const auto found = number ? blocks_.find(*number) : blocks_.end();
    if (found != blocks_.end()) return found->second;
    fail(token, "unknown block");
    return kNone;
  }

  BlockId parse_block() {
    const BlockId block = block_of(take());
    expect_sign(":");
    if (error_) return block;
    function_->order.push_back(block);
    if (accept_word("merge")) function_->blocks[block].merge = parse_block_name();
    if (accept_word("continue")) function_->blocks[block].continue_ = parse_block_name();
    return block;
  }
  BlockId parse_block_name() {
    const Token& token = next(TokenKind::block, "a block");
    return error_ ? kNone : block_of(token);
  }

  void parse_instruction(BlockId block) {
    const Id id = next_value_++;
    Inst inst;
    bool has_value = false;
    if (peek().kind == TokenKind::value) {
      const Token& name = take();
      if (!is_digit(name.text[0])) function_->names.emplace(id, name.text);
      expect_sign("=");
      has_value = true;
    }
    const Token& start = next(TokenKind::word, "an operation");
    if (error_) return;
    static const auto kOperations = [] {
      std::unordered_map<std::string_view, Op> all;
      for (std::size_t op = 0; op < kOps; ++op) all.emplace(kOpInfos[op].text, static_cast<Op>(op));
      return all;
    }();
    const auto operation = kOperations.find(start.text);
    if (operation == kOperations.end()) return fail(start, "unknown operation");
    inst.op = operation->second;
    const OpInfo& row = info(inst.op);
    if (row.types != 0 || (inst.op == Op::call && has_value)) value_of(inst.type);
    parse_result_count(inst, has_value, start);
    if (inst.op == Op::constant) return fail(start, "constants must be operands, such as 1:i32");
    words::describe_extra(*this, inst.op, inst.extra);
    parse_operands(inst, id);
    if (accept_sign("{")) {
      std::uint32_t flags = 0;
      bits(words::kFlags, flags);
      if (flags > 0xffff) fail(start, "unknown flags");
      inst.flags = static_cast<Flags>(flags);
      expect_sign("}");
    }
    if (peek().kind == TokenKind::source) parse_source(id);
    if (error_) return;
    function_->insts[id] = inst;
    insert_at_end(*function_, block, id);
  }

  void parse_result_count(Inst& inst, bool has_value, const Token& start) {
    const std::string_view results = info(inst.op).results;
    if (results.ends_with('*')) {
      inst.results = has_value ? 1 : 0;
      if (peek().kind == TokenKind::word && peek().text.starts_with('x') && peek().text.size() > 1 && is_digit(peek().text[1])) {
        const auto count = as_number<std::uint8_t>(peek().text.substr(1));
        if (!has_value || !count || *count < 2) return fail(peek(), "expected a number of results from 2 to 255");
        inst.results = *count;
        ++at_;
      }
    } else {
      inst.results = static_cast<std::uint8_t>(results.size());
    }
    if ((inst.results != 0) != has_value) fail(start, has_value ? "the operation has no result" : "expected a name for the result");
  }

  void parse_operands(Inst& inst, Id id) {
    operands_.clear();
    origins_.clear();
    while (!error_ && (peek().kind == TokenKind::word || peek().kind == TokenKind::value || peek().kind == TokenKind::block)) {
      (inst.op == Op::phi && peek().kind == TokenKind::block ? origins_ : operands_).push_back(&take());
    }
    if (error_) return;
    if (operands_.size() >= kMostOperands) return fail(peek(), "too many operands", ErrorCode::limit);
    inst.operand_count = operand_count(operands_.size());
    inst.first_operand = static_cast<std::uint32_t>(function_->operands.size());
    if (inst.op == Op::phi) {
      if (origins_.size() != operands_.size()) return fail(peek(), "expected a block before each operand of a phi");
      phis_.push_back({id, peek().offset, {}});
      for (const Token* token : origins_) phis_.back().origins.push_back(block_of(*token));
    }
    if (!operand_letters(inst, letters_)) {
      letters_.clear();
      if (has(info(inst.op).effects, Effects::ends)) return fail(peek(), "wrong number of operands for the operation");
    }
    for (std::size_t at = 0; at < operands_.size() && !error_; ++at) {
      const Token& token = *operands_[at];
      if (is_block_operand(inst.op, at) != (token.kind == TokenKind::block)) {
        return fail(token, token.kind == TokenKind::block ? "expected a value" : "expected a block");
      }
      const std::uint32_t operand = token.kind == TokenKind::block
                                        ? block_of(token)
                                        : value_at(token, at < letters_.size() ? letter_type(inst, letters_[at]) : Type::void_);
      function_->operands.push_back(operand);
    }
  }

  Id value_at(const Token& token, Type expected) {
    if (token.kind == TokenKind::value) {
      const auto found = values_.find(token.text);
      if (found != values_.end()) return found->second;
      fail(token, "unknown value");
      return kNone;
    }
    std::string_view text = token.text;
    if (const auto colon = text.find(':'); colon != std::string_view::npos) {
      const auto type = type_of(text.substr(colon + 1));
      if (!type) return fail(token, "unknown type"), kNone;
      expected = *type;
      text = text.substr(0, colon);
    }
    if (text == "undef" && expected != Type::void_) return constants_->undef(expected);
    const auto bits = parse_literal(expected, text);
    if (!bits) {
      return fail(token, expected == Type::void_ ? "expected a type after the constant, such as 1:i32"
                                                 : "expected a constant of type " + std::string(ir::text(expected))),
             kNone;
    }
    return constants_->get(expected, *bits);
  }

  void parse_source(Id id) {
    const Token& token = take();
    const auto source = words::source_of(token.text);
    if (!source) return fail(token, "expected the number of an instruction of the file, of its group and a component, with points between");
    function_->sources.resize(function_->insts.size());
    function_->sources[id] = *source;
  }

  // Links blocks and puts the operands of phis in the order of the predecessors.
  void finish_function() {
    Function& function = *function_;
    if (!function.sources.empty()) function.sources.resize(function.insts.size());
    link_blocks(function);
    std::vector<std::uint32_t> sorted;
    for (auto& phi : phis_) {
      const auto predecessors = std::as_const(function).predecessors_of(function.block_of[phi.id]);
      const auto operands = function.operands_of(phi.id);
      std::vector<std::pair<BlockId, std::uint32_t>> pairs;
      for (std::size_t at = 0; at < operands.size(); ++at) pairs.emplace_back(phi.origins[at], operands[at]);
      std::ranges::sort(pairs);
      if (!std::ranges::equal(pairs, predecessors, {}, &std::pair<BlockId, std::uint32_t>::first)) {
        return fail_at(phi.offset, "expected an operand for each predecessor of the block, which are " + list_of(predecessors));
      }
      for (std::size_t at = 0; at < operands.size(); ++at) operands[at] = pairs[at].second;
    }
  }

  std::string list_of(std::span<const BlockId> blocks) {
    if (blocks.empty()) return "none";
    std::string out;
    for (const BlockId block : blocks.first(std::min<std::size_t>(blocks.size(), 8))) {
      const auto label = std::ranges::find(blocks_, block, &std::pair<const std::uint32_t, BlockId>::second);
      out += (out.empty() ? "^" : " ^") + std::to_string(label->first);
    }
    return out + (blocks.size() > 8 ? " ..." : "");
  }

  struct Phi {
    Id id;
    std::size_t offset;
    std::vector<BlockId> origins;
  };

  std::string_view text_;
  std::vector<Token> tokens_;
  Token end_{TokenKind::line_end, {}, text_.size()};
  std::size_t at_ = 0;
  std::optional<Error> error_;
  Module module_;
  std::unordered_map<std::string_view, std::uint32_t> symbols_[words::kSymbols];  // by Symbol

  // Of the function that is parsed.
  Function* function_ = nullptr;
  std::optional<Constants> constants_;
  std::unordered_map<std::string_view, Id> values_;
  std::unordered_map<std::uint32_t, BlockId> blocks_;  // by the number in the text
  std::vector<Phi> phis_;
  Id next_value_ = 0;
  std::vector<const Token*> operands_, origins_;  // of an instruction
  std::string letters_;
};

}  // namespace

Result<Module> parse(std::string_view text) {
  if (text.size() > limits::kFileBytes) return Error{ErrorCode::limit, 0, "1:1", "the text is too large"};
  return Parser(text).parse_module();
}

}  // namespace unshade::ir
