// Words, numbers and signs of a root signature as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/root_signature_text.hpp>

namespace unshade::dxcontainer::root_signature {

struct Token {
  enum class Kind : std::uint8_t { end, word, number, sign, other };
  Kind kind = Kind::end;
  std::string_view text;   ///< empty at the end
  std::size_t offset = 0;  ///< in the text
};

/// Where a stretch of a text was in the source that it was taken from: up to the next segment, bytes follow one another in both.
struct TextSegment {
  std::size_t text_offset;
  std::size_t source_offset;
};
/// The offset in the source. Without segments the text is the source.
std::size_t source_place(const std::vector<TextSegment>& segments, std::size_t offset);

/// Text that string literals make, side by side as a compiler joins them.
struct SourceText {
  struct Message {
    RootSignatureMessageKind kind;
    std::size_t offset;  ///< in the source
    std::string text;
  };
  std::string text;
  std::vector<TextSegment> segments;
  std::size_t end = 0;  ///< in the source: of the last string
  std::vector<Message> messages;
};

struct Strings {
  enum class State : std::uint8_t { none, found, faulty };
  State state = State::none;
  SourceText strings;
};

/// The strings of a root signature in HLSL source, macros of the same source expanded. `define`: the #define to look for, or empty for the
/// first root signature that there is: of an attribute, else of strings in the code, else of a #define.
Strings find_strings(std::string_view source, std::string_view define);

/// Whether a word that opens a part of a root signature is at the start, blanks and comments apart, and a bracket or the end after it.
bool begins_root_signature(std::string_view text);

/// Whether there is nothing but blanks and comments.
bool is_blank_text(std::string_view text);

/// What the first comment says, without blanks around; empty if the text does not begin with one.
std::string_view first_comment(std::string_view text);
/// The offset of the first comment from `from` on that names a version, in letters of either case, known or not: `rootsig_1_0`; npos if
/// none does. Of a text without strings.
std::size_t find_version_comment(std::string_view text, std::size_t from);

class Scanner {
 public:
  /// `comments`: they may be between tokens, as they may not inside of strings.
  Scanner(std::string_view text, bool comments) : text_(text), comments_(comments) { scan(); }

  const Token& peek() const { return token_; }
  Token take() {
    const Token taken = token_;
    scan();
    return taken;
  }

 private:
  void scan();
  std::size_t number_end(std::size_t from) const;

  std::string_view text_;
  bool comments_;
  std::size_t at_ = 0;
  Token token_;
};

}  // namespace unshade::dxcontainer::root_signature
