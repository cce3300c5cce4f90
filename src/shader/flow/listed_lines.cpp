#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/stage.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/lines.hpp>
#include <unshade/shader/flow.hpp>

namespace unshade::shader {

namespace {

/// Stages as VBC calls them, and as names of functions of the IR end.
constexpr std::pair<std::string_view, Stage> kStages[] = {{"vertex", Stage::vertex},
                                                          {"tess_control", Stage::hull},
                                                          {"tess_evaluation", Stage::domain},
                                                          {"geometry", Stage::geometry},
                                                          {"fragment", Stage::pixel}};

/// The line that the first instruction is not above; 0: any may be.
std::uint32_t first_line(Family family, const Flow& flow, const SteppedLines& stepped, const std::vector<std::string_view>& lines) {
  const auto begins = [](const FlowFunction& one) {
    const auto listed = std::ranges::find_if(one.blocks, [](const FlowBlock& block) { return block.line != 0; });
    return listed == one.blocks.end() ? 0 : listed->line;
  };
  if (family == Family::dxil) {
    const auto found = std::ranges::find(flow.functions, stepped.function, &FlowFunction::name);
    return found == flow.functions.end() ? 0 : begins(*found);
  }
  // of the modules of several stages, the one that the name of the function ends with; its instructions are one a line
  if (family != Family::vbc) return 0;
  const auto is_in_stage = [&](const FlowFunction& one) {
    const auto* const stage = std::ranges::find(kStages, one.stage, &std::pair<std::string_view, Stage>::first);
    return stage != std::end(kStages) && stepped.function.ends_with(':' + std::string(id(stage->second)));
  };
  const auto found = std::ranges::find_if(flow.functions, is_in_stage);
  if (found == flow.functions.end() || begins(*found) == 0) return 0;
  const std::uint32_t line = begins(*found);
  const auto same = std::ranges::find_if(
      stepped.lines, [&](const std::string& text) { return !text.empty() && lines[line - 1].starts_with(trimmed(text)); });
  return line - std::min(line, static_cast<std::uint32_t>(same - stepped.lines.begin()));
}

}  // namespace

std::vector<std::uint32_t> lines_in_listing(Family family, std::string_view listing, const Flow& flow, const SteppedLines& stepped) {
  std::vector<std::string_view> lines;
  for_each_line(listing, [&](std::string_view line) { lines.push_back(trimmed(line)); });
  constexpr unsigned kMostMissing = 64;  // each costs a look at all lines
  unsigned missing = 0;
  std::vector<std::uint32_t> found(stepped.lines.size(), 0);
  const std::uint32_t first = first_line(family, flow, stepped, lines);
  std::size_t next = first == 0 ? 0 : first - 1;
  for (std::size_t k = 0; k < stepped.lines.size() && missing < kMostMissing; ++k) {
    const std::string_view text = trimmed(stepped.lines[k]);
    if (text.empty()) continue;
    std::size_t line = next;
    while (line < lines.size() && !lines[line].starts_with(text)) ++line;
    if (line == lines.size()) {
      ++missing;
      continue;
    }
    found[k] = static_cast<std::uint32_t>(line + 1);
    next = line + 1;
  }
  return found;
}

}  // namespace unshade::shader
