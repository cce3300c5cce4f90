// Names of a file as identifiers of HLSL.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <unshade/core/text.hpp>

namespace unshade::shader::hlsl {

/// An identifier that resembles a name.
std::string mended(std::string_view name);

/// The identifiers of a scope.
class Names {
 public:
  /// An identifier like `name` that was not claimed before.
  std::string claim(std::string_view name) {
    const std::string wanted = mended(name);
    if (used_.insert(wanted).second) return wanted;
    // If many things share a name, counting goes on from the last one.
    for (std::uint32_t& number = last_[wanted];;) {
      std::string other = wanted + '_' + std::to_string(++number);
      if (used_.insert(other).second) return other;
    }
  }

 private:
  std::set<std::string> used_;
  std::map<std::string, std::uint32_t> last_;
};

/// Text from a file inside a comment that ends with the line.
void print_comment_text(Text& out, std::string_view text);

}  // namespace unshade::shader::hlsl
