#include <unshade/shader/array_text.hpp>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include <unshade/core/limits.hpp>

#include "shader/embed/lexer.hpp"

namespace unshade::shader {

namespace {

using Kind = embedding::SourceToken::Kind;

/// Fewer bytes than any shader has.
constexpr std::size_t kSmallest = 16;

struct TypeWord {
  std::string_view word;
  std::uint8_t bytes;
  bool yields = false;  ///< to another word of the type: `unsigned char`, `short int`
};

constexpr TypeWord kTypeWords[] = {
    {"BYTE", 1},
    {"byte", 1},
    {"sbyte", 1},
    {"Byte", 1},
    {"char", 1},
    {"CHAR", 1},
    {"UCHAR", 1},
    {"uchar", 1},
    {"u8", 1},
    {"i8", 1},
    {"s8", 1},
    {"U8", 1},
    {"uint8", 1},
    {"int8", 1},
    {"UINT8", 1},
    {"INT8", 1},
    {"uint8_t", 1},
    {"int8_t", 1},
    {"Uint8", 1},
    {"Uint8Array", 1},
    {"bytes", 1},
    {"bytearray", 1},
    {"short", 2},
    {"ushort", 2},
    {"WORD", 2},
    {"USHORT", 2},
    {"u16", 2},
    {"i16", 2},
    {"uint16", 2},
    {"int16", 2},
    {"UINT16", 2},
    {"uint16_t", 2},
    {"int16_t", 2},
    {"Uint16Array", 2},
    {"unsigned", 4, true},
    {"signed", 4, true},
    {"int", 4, true},
    {"long", 4, true},
    {"uint", 4},
    {"DWORD", 4},
    {"UINT", 4},
    {"INT", 4},
    {"ULONG", 4},
    {"LONG", 4},
    {"u32", 4},
    {"i32", 4},
    {"s32", 4},
    {"U32", 4},
    {"uint32", 4},
    {"int32", 4},
    {"UINT32", 4},
    {"INT32", 4},
    {"uint32_t", 4},
    {"int32_t", 4},
    {"Uint32", 4},
    {"Uint32Array", 4},
    {"ulong", 8},
    {"u64", 8},
    {"i64", 8},
    {"U64", 8},
    {"uint64", 8},
    {"int64", 8},
    {"UINT64", 8},
    {"INT64", 8},
    {"uint64_t", 8},
    {"int64_t", 8},
    {"ULONGLONG", 8},
    {"QWORD", 8},
    {"BigUint64Array", 8},
};

const TypeWord* find_type_word(std::string_view word) {
  if (word.size() > 14) return nullptr;
  for (const TypeWord& type : kTypeWords)
    if (type.word == word) return &type;
  return nullptr;
}

constexpr std::string_view kNoNames[] = {"public", "private", "protected", "default", "new", "const", "static", "mut"};

/// What is known of a declaration so far.
struct Declaration {
  std::string_view name;
  std::size_t depth = 0;  ///< brackets that are open where it is named
  bool is_named = false;  ///< no further word can be the name
  bool is_assigned = false;
  std::uint8_t bytes = 0;
  std::uint8_t weak_bytes = 0;

  void see_type(const TypeWord& type) {
    if (!type.yields) {
      bytes = type.bytes;
    } else {
      weak_bytes = type.word == "long" && is_long ? 8 : std::max(weak_bytes, type.bytes);
      is_long = is_long || type.word == "long";
    }
  }
  bool is_long = false;
};

/// An open bracket.
struct Frame {
  char open = 0;
  std::size_t begin = 0;
  Declaration declaration;
  std::string_view member;  ///< `.code =`
  std::string_view last_word;
  std::uint32_t index = 0;  ///< commas so far
  std::size_t count = 0;    ///< numbers
  std::uint64_t largest = 0;
  bool begins_with_number = false;
  bool is_list = true;  ///< it has no statement or assignment
  bool is_initializer = false;
  bool wraps = false;        ///< opened after a word: `byte(`
  bool list_closed = false;  ///< the last token closed a list
  bool is_pure = true;       ///< nothing but numbers and commas
  std::size_t arrays_before = 0;
  // a run of string literals
  std::size_t strings = 0;
  std::size_t strings_begin = 0;
  std::size_t strings_end = 0;
  bool strings_escape = false;

  void add_number(std::uint64_t value) {
    if (count == 0) begins_with_number = index == 0;
    ++count;
    largest = std::max(largest, value);
  }
};

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text) { frames_.emplace_back(); }

  std::vector<SourceArray> run() {
    embedding::SourceLexer lexer(text_, 0, true);
    embedding::SourceToken before;
    for (;;) {
      const embedding::SourceToken token = lexer.next();
      Frame& frame = frames_.back();
      if (frame.strings != 0 && token.kind != Kind::string) end_strings(frame);
      if (token.kind == Kind::end) break;
      if (too_deep_ != 0) {
        if (token.kind == Kind::punctuation) skip_deep(token.mark);
        continue;
      }
      const bool list_closed = std::exchange(frame.list_closed, false);
      switch (token.kind) {
        case Kind::identifier: word(token.text, list_closed); break;
        case Kind::number:
          if (token.is_good) frame.add_number(token.value);
          break;
        case Kind::string: string(token); break;
        default: punctuation(token, before, list_closed); break;
      }
      before = token;
      if (arrays_.size() >= limits::kSourceArrays || name_characters_ > text_.size() * limits::kNameTextPerByte + limits::kNameTextBase)
        break;
    }
    const Frame& whole = frames_.front();
    if (arrays_.empty() && frames_.size() == 1 && whole.is_pure && whole.count != 0)
      add({}, 0, text_.size(), whole.count, bytes_for(whole.largest));
    return std::move(arrays_);
  }

 private:
  static std::uint8_t bytes_for(std::uint64_t largest) {
    return largest <= 0xff ? std::uint8_t{1} : largest <= 0xffff'ffff ? std::uint8_t{4} : std::uint8_t{8};
  }

  void word(std::string_view text, bool list_closed) {
    Frame& frame = frames_.back();
    frame.is_pure = false;
    Declaration& declaration = frame.declaration;
    if (declaration.is_assigned && list_closed) declaration = {};  // languages without semicolons
    frame.last_word = text;
    if (const TypeWord* type = find_type_word(text)) {
      declaration.see_type(*type);
    } else if (!declaration.is_named && std::find(std::begin(kNoNames), std::end(kNoNames), text) == std::end(kNoNames)) {
      declaration.name = text;
      declaration.depth = frames_.size();
    }
  }

  void string(const embedding::SourceToken& token) {
    Frame& frame = frames_.back();
    frame.is_pure = false;
    if (frame.strings++ == 0) frame.strings_begin = token.at;
    frame.strings_end = token.at + 1 + token.text.size() + (token.is_good ? 1 : 0);
    frame.strings_escape = frame.strings_escape || (token.has_escapes && token.is_good);
  }

  void end_strings(Frame& frame) {
    if (frame.strings_escape && frame.strings_end - frame.strings_begin >= kSmallest)
      add(name_of(frame, frames_.size()), frame.strings_begin, frame.strings_end, frame.strings, 1);
    frame.strings = 0;
    frame.strings_escape = false;
  }

  void skip_deep(char mark) {
    if (mark == '{' || mark == '[' || mark == '(') ++too_deep_;
    if (mark == '}' || mark == ']' || mark == ')') --too_deep_;
  }

  void punctuation(const embedding::SourceToken& token, const embedding::SourceToken& before, bool list_closed) {
    Frame& frame = frames_.back();
    if (token.mark != ',' && token.mark != '-' && token.mark != '+') frame.is_pure = false;
    switch (token.mark) {
      case '{':
      case '[':
      case '(': open(token, before); break;
      case '}':
      case ']':
      case ')': close(token, list_closed); break;
      case ',':
        ++frame.index;
        frame.member = {};
        if (!frame.is_initializer && frame.declaration.is_assigned) {
          frame.declaration.name = {};
          frame.declaration.is_named = frame.declaration.is_assigned = false;
        }
        break;
      case ';':
        frame.is_list = false;
        if (frame.open != '[') frame.declaration = {};
        break;
      case '=':
        if (frame.is_initializer) {
          frame.member = frame.last_word;
        } else {
          frame.is_list = false;
          frame.declaration.is_named = frame.declaration.is_assigned = true;
        }
        break;
      case ':':
        if (frame.is_initializer) {
          frame.member = frame.last_word;
        } else if (!frame.declaration.name.empty()) {
          frame.declaration.is_named = true;
        }
        break;
      default: break;
    }
  }

  void open(const embedding::SourceToken& token, const embedding::SourceToken& before) {
    Frame& parent = frames_.back();
    const bool after_word = before.kind == Kind::identifier;
    if (token.mark == '[' && after_word && before.text == parent.declaration.name) parent.declaration.is_named = true;
    if (frames_.size() > limits::kNesting) {
      too_deep_ = 1;
      return;
    }
    Frame frame;
    frame.open = token.mark;
    frame.begin = token.at + 1;
    frame.arrays_before = arrays_.size();
    frame.wraps = after_word || (before.kind == Kind::punctuation && before.mark == '>');
    const bool is_body = token.mark == '{' && before.kind == Kind::punctuation && before.mark == ')' && !parent.declaration.is_assigned;
    if (is_body) {
      frame.is_list = false;
    } else {
      frame.declaration = parent.declaration;
      frame.is_initializer = parent.is_initializer || parent.declaration.is_assigned;
    }
    frames_.push_back(frame);
  }

  void close(const embedding::SourceToken& token, bool list_closed) {
    const char opened = token.mark == '}' ? '{' : token.mark == ']' ? '[' : '(';
    if (frames_.back().open != opened) {
      // A macro, or a mistake. A brace ends what is open in it; other brackets are passed over.
      if (opened != '{') return;
      std::size_t at = frames_.size();
      while (at > 1 && frames_[at - 1].open != '{') --at;
      if (at <= 1) return;
      frames_.resize(at);
    }
    const Frame frame = frames_.back();
    frames_.pop_back();
    Frame& parent = frames_.back();
    if (opened != '(' && frame.is_list && frame.begins_with_number) {
      const Declaration& of = frame.declaration;
      const std::uint8_t bytes = of.bytes != 0 ? of.bytes : of.weak_bytes != 0 ? of.weak_bytes : bytes_for(frame.largest);
      if (frame.count * bytes >= kSmallest && frame.count > 1)
        add(name_of(frame, frames_.size()), frame.begin, token.at, frame.count, bytes);
    }
    if (opened == '{' && frame.index == 0 && frame.count == 0 && arrays_.size() == frame.arrays_before + 1) unwrap(arrays_.back());
    if (opened == '[') {  // byte[], [u8; 4]
      if (frame.declaration.bytes != 0) parent.declaration.bytes = frame.declaration.bytes;
      if (frame.declaration.weak_bytes != 0) parent.declaration.weak_bytes = frame.declaration.weak_bytes;
    } else if (frame.wraps && frame.count == 1 && frame.index == 0) {  // byte(0x44), std::byte{0x44}
      parent.add_number(frame.largest);
    }
    parent.list_closed = opened == '(' ? list_closed : frame.index != 0 || frame.count > 1;
    if (opened == '{' && !frame.is_list && !frame.is_initializer && !parent.is_initializer) parent.declaration = {};
  }

  /// `shaders[2].code` for the contents of `depth` brackets.
  std::string name_of(const Frame& frame, std::size_t depth) const {
    std::string name(frame.declaration.name.substr(0, limits::kNameCharacters));
    for (std::size_t i = frame.declaration.depth; i < depth && i < frames_.size(); ++i) {
      const Frame& outer = frames_[i];
      if (outer.open == '(') continue;
      if (outer.member.empty()) {
        name += '[' + std::to_string(outer.index) + ']';
      } else {
        name += '.';
        name += outer.member.substr(0, limits::kNameCharacters);
      }
      if (name.size() > 4 * limits::kNameCharacters) break;
    }
    return name;
  }

  void add(std::string name, std::size_t begin, std::size_t end, std::size_t count, std::uint8_t bytes) {
    if (count * bytes < kSmallest && end - begin < kSmallest) return;
    const std::uint32_t same = ++names_[name];
    if (same > 1) name += '#' + std::to_string(same);
    name_characters_ += name.size();
    arrays_.push_back({std::move(name), begin, end, count, bytes});
  }

  /// Of braces around nothing but an array, as std::array may have them, no step is told.
  void unwrap(SourceArray& array) {
    constexpr std::string_view kStep = "[0]";
    if (array.name.size() <= kStep.size() || !array.name.ends_with(kStep)) return;
    array.name.resize(array.name.size() - kStep.size());
    const std::uint32_t same = ++names_[array.name];
    if (same > 1) array.name += '#' + std::to_string(same);
  }

  std::string_view text_;
  std::vector<Frame> frames_;
  std::size_t too_deep_ = 0;
  std::vector<SourceArray> arrays_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::size_t name_characters_ = 0;
};

/// Reads the elements one by one; keeps what it has if it fails.
class ArrayReader {
 public:
  ArrayReader(View text, const SourceArray& array)
      : file_(text),
        array_(&array),
        lexer_(text.text().substr(0, std::min(array.end, text.size())), std::min(array.begin, text.size()), false) {
    out_.bytes.reserve(std::min(array.count * array.element_bytes, (array.end - array.begin + 1) * array.element_bytes));
  }

  SourceBytes run() {
    embedding::SourceToken token = lexer_.next();
    if (token.kind == Kind::string || (token.kind == Kind::identifier && array_->element_bytes == 1)) {
      embedding::SourceLexer ahead = lexer_;
      if (token.kind == Kind::identifier && ahead.next().kind == Kind::string) token = lexer_.next();
      if (token.kind == Kind::string) {
        strings(token);
        return std::move(out_);
      }
    }
    while (token.kind != Kind::end && out_.read) {
      token = element(token);
      if (token.kind == Kind::punctuation && token.mark == ',') token = lexer_.next();
    }
    return std::move(out_);
  }

 private:
  void fail(ErrorCode code, const embedding::SourceToken& token, std::string message) {
    std::string path = (array_->name.empty() ? "array" : array_->name) + '[' + std::to_string(index_) + ']';
    out_.read = Error{code, file_.file_offset() + token.at, std::move(path), std::move(message)};
  }

  void strings(embedding::SourceToken token) {
    for (; token.kind != Kind::end; token = lexer_.next(), ++index_) {
      if (token.kind == Kind::identifier) continue;  // a prefix
      if (token.kind != Kind::string || !token.is_good) return fail(ErrorCode::bad_value, token, "expected a string literal");
      for (std::size_t i = 0; i < token.text.size();) {
        int value = static_cast<unsigned char>(token.text[i++]);
        if (value == '\\') value = embedding::read_escape(token.text, i);
        if (value == -1) return fail(ErrorCode::bad_value, token, "an escape sequence exceeds a byte");
        if (value >= 0) out_.bytes.push_back(static_cast<std::byte>(value));
      }
    }
  }

  /// One element from its first token; returns the comma or end after it.
  embedding::SourceToken element(embedding::SourceToken token) {
    bool has_value = false;
    bool negative = false;
    std::size_t open = 0;
    embedding::SourceToken value;
    for (;; token = lexer_.next()) {
      const char mark = token.kind == Kind::punctuation ? token.mark : '\0';
      if (token.kind == Kind::end || (mark == ',' && open == 0)) break;
      if (token.kind == Kind::number && !has_value) {
        value = token;
        has_value = true;
      } else if (mark == '-' && !has_value) {
        negative = !negative;
      } else if (mark == '(' || mark == '{') {
        ++open;
      } else if ((mark == ')' || mark == '}') && open != 0) {
        --open;
      } else if (token.kind == Kind::identifier && !has_value) {
        value = token;  // the word of a cast, or what there is to complain of
      } else if (mark != 'n' && mark != '<' && mark != '>' && mark != '+') {
        fail(ErrorCode::bad_value, token, "expected a single number");
        return token;
      }
    }
    if (!has_value || !value.is_good) {
      const auto shown = value.text.substr(0, 32);
      fail(ErrorCode::bad_value, value.text.empty() ? token : value, "'" + std::string(shown) + "' is not an integer");
      return token;
    }
    append(value, negative);
    ++index_;
    return token;
  }

  void append(const embedding::SourceToken& token, bool negative) {
    const unsigned bytes = array_->element_bytes;
    const std::uint64_t most = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
    if (token.value > (negative ? most / 2 + 1 : most))
      return fail(ErrorCode::out_of_range, token, "the number exceeds " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"));
    std::uint64_t value = negative ? 0 - token.value : token.value;
    for (unsigned i = 0; i < bytes; ++i, value >>= 8) out_.bytes.push_back(static_cast<std::byte>(value & 0xff));
  }

  View file_;
  const SourceArray* array_;
  embedding::SourceLexer lexer_;
  SourceBytes out_;
  std::size_t index_ = 0;
};

}  // namespace

std::vector<SourceArray> find_source_arrays(std::string_view text) { return Finder(text).run(); }

SourceBytes read_source_array(View text, const SourceArray& array) { return ArrayReader(text, array).run(); }

}  // namespace unshade::shader
