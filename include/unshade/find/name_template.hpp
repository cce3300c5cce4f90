// Names of files made of what is known of a shader: `{crc32}.{profile}.{ext}`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unshade::find {

/// A text with fields between braces.
class NameTemplate {
 public:
  /// Returns what is wrong with the text, or an empty text: a brace without the other, a field that is none of `fields`, a path that leads
  /// out of the folder it is put into.
  std::string parse(std::string_view text, const std::vector<std::string_view>& fields);

  /// The name. What `value` gives for a field has all but letters, digits, `_`, `-`, `+` and `.` replaced by `_`; an empty value is `none`.
  std::string expand(const std::function<std::string(std::string_view field)>& value) const;

 private:
  struct Run {
    std::string text;  ///< or the field's name
    bool is_field = false;
  };
  std::vector<Run> runs_;
};

}  // namespace unshade::find
