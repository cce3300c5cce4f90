// What the lines of Direct3D 9 programs say.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/lines.hpp>
#include <unshade/dxbc/instruction_lines.hpp>
#include <unshade/dxbc/level9/sm2_assemble.hpp>

namespace unshade::dxbc::sm2 {

std::vector<std::string> mnemonics_of(const OpcodeInfo& info) {
  constexpr std::uint32_t kControls = 8;
  constexpr std::uint8_t kModifiers = 8;
  constexpr Version kLast{0xffff'0300};
  std::vector<std::string> spellings;
  for (std::uint32_t control = 0; control < kControls; ++control) {
    for (std::uint8_t modifier = 0; modifier < kModifiers; ++modifier) {
      Operands operands{};
      operands.count = 1;
      operands.items[0].is_destination = true;
      operands.items[0].result_modifier = modifier;
      Text text;
      print(text, {0, info.code | control << 16, 1, &info, {}}, operands, kLast);
      spellings.emplace_back(text.view().substr(0, text.view().find(' ')));
    }
  }
  return spellings;
}

Result<std::vector<std::string>> instruction_lines(View program) {
  Text text;
  static_cast<void>(print_program(text, program));
  if (text.view().empty())
    return Error{ErrorCode::bad_value, program.file_offset(), "version", "expected a vertex or pixel shader of model 1 to 3"};
  // `vs_2_x`, instructions, `comment 43544142`
  std::vector<std::string> lines;
  bool is_version = true;
  for_each_line(text.view(), [&](std::string_view line) {
    if (!std::exchange(is_version, false) && !line.starts_with("comment ")) lines.emplace_back(line);
  });
  return lines;
}

}  // namespace unshade::dxbc::sm2
