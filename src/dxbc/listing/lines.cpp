#include "dxbc/listing/lines.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>

#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::listing {

using dxcontainer::fourcc;

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto blanks = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size())); };
    blanks();
    if (rest.starts_with("//")) rest.remove_prefix(2);
    blanks();
    if (rest.empty() || rest.starts_with(words::kLine)) continue;
    Line line{{}, rest.data()};
    for (const char c : rest) {
      const bool is_blank = c == ' ' || c == '\t' || c == '\r';
      if (!is_blank || !line.text.ends_with(' ')) line.text += is_blank ? ' ' : c;
    }
    if (line.text.ends_with(' ')) line.text.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

// Calls f(program, instruction) if the tokens are one instruction.
template <class F>
bool with_instruction(std::span<const std::uint32_t> tokens, std::uint32_t version, F f) {
  std::vector<std::byte> bytes(4 * (tokens.size() + 2));
  const auto store = [&](std::size_t place, std::uint32_t value) {
    for (unsigned b = 0; b < 4; ++b) bytes[4 * place + b] = static_cast<std::byte>(value >> (8 * b));
  };
  store(0, version);
  store(1, static_cast<std::uint32_t>(tokens.size() + 2));
  for (std::size_t i = 0; i < tokens.size(); ++i) store(i + 2, tokens[i]);
  const auto program = parse_program({fourcc("SHEX"), 0, View(std::span<const std::byte>(bytes), 0)});
  if (!program) return false;
  Instruction instruction;
  Decoder decoder(*program);
  if (!decoder.next(instruction) || !decoder.at_end()) return false;
  f(*program, instruction);
  return true;
}

}  // namespace

bool is_one_instruction(std::span<const std::uint32_t> tokens, std::uint32_t version) {
  return with_instruction(tokens, version, [](const Program&, Instruction&) {});
}

bool is_listing_of(std::string_view comment, std::span<const std::uint32_t> tokens, std::uint32_t version) {
  const auto said = lines_of(comment);
  if (said.empty()) return true;
  bool is_said = false;
  const bool is_one = with_instruction(tokens, version, [&](const Program& program, Instruction& instruction) {
    is_said = std::ranges::any_of(kFxcVersions, [&](const FxcVersion& style) {
      ProgramListingOptions options;
      options.fxc = style;
      // plain listings print tokens for what has no other text, the text after them
      return std::ranges::any_of(std::array{true, false}, [&](bool exact_floats) {
        Text out;
        options.exact_floats = exact_floats;
        list_instruction(instruction, program, out, options);
        const auto lines = lines_of(out.view());
        return !lines.empty() && (lines[0].text == said[0].text || lines[0].text.ends_with("// " + said[0].text));
      });
    });
  });
  return is_said || !is_one;
}

}  // namespace unshade::dxbc::listing
