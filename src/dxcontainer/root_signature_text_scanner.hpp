// Words, numbers and signs of a root signature as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace unshade::dxcontainer {

struct RootSignatureToken {
  enum class Kind : std::uint8_t { end, word, number, sign, other };
  Kind kind = Kind::end;
  std::string_view text;   ///< empty at the end
  std::size_t offset = 0;  ///< in the text
};

/// The strings of the first root signature in HLSL source, the rest blanked so that places stay what they are; nothing where the text is no
/// source. `define`: the #define to look for, or empty.
std::optional<std::string> root_signature_strings(std::string_view source, std::string_view define);

/// What the first comment says, without blanks around; empty where the text does not begin with one.
std::string_view first_comment(std::string_view text);

class RootSignatureScanner {
 public:
  explicit RootSignatureScanner(std::string_view text) : text_(text) { scan(); }

  const RootSignatureToken& peek() const { return token_; }
  RootSignatureToken take() {
    const RootSignatureToken taken = token_;
    scan();
    return taken;
  }

 private:
  void scan();
  std::size_t number_end(std::size_t from) const;

  std::string_view text_;
  std::size_t at_ = 0;
  RootSignatureToken token_;
};

}  // namespace unshade::dxcontainer
