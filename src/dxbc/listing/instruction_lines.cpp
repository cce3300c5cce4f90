#include <unshade/dxbc/instruction_lines.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/lines.hpp>
#include <unshade/dxbc/listing.hpp>

namespace unshade::dxbc {

Result<std::vector<std::string>> instruction_lines(const Program& program) {
  Text text;
  if (auto done = list_program(program, "program", text, {.offsets = true}); !done) return std::move(done).error();
  std::vector<std::string> lines;
  // `0x0004f4  mov r0.xyzw, v3.xyzw`; the lines of a table have no offset
  for_each_line(text.view(), [&](std::string_view line) {
    if (line.starts_with("0x")) lines.emplace_back(line.substr(std::min(line.find("  ") + 2, line.size())));
  });
  return lines;
}

}  // namespace unshade::dxbc
