#include <unshade/suite/coverage.hpp>

#include <algorithm>
#include <utility>

#include <unshade/core/text.hpp>

namespace unshade::suite {

namespace {

std::size_t taken_ways(const std::vector<std::uint64_t>& waves) {
  return static_cast<std::size_t>(std::ranges::count_if(waves, [](std::uint64_t one) { return one != 0; }));
}

void add(std::uint32_t line, std::uint64_t waves, CoveredText& text) {
  std::uint64_t& most = text.lines[line];
  most = std::max(most, waves);
}
void add(std::uint32_t line, const std::vector<std::uint64_t>& waves, CoveredText& text) {
  text.branches.push_back({line, waves});
  text.ways += waves.size();
  text.taken += taken_ways(waves);
}

/// Distributes the counts of the instructions to the lines of the listing, and of the sources where it is known.
void distribute(CoveredShader& shader) {
  const vm::Profile& profile = shader.coverage.profile;
  const shader::SourceLines& from = shader.coverage.places;
  for (const std::string& file : from.files) shader.sources.emplace_back().name = file;
  const auto add_at = [&](std::size_t instruction, const auto& waves) {
    add(static_cast<std::uint32_t>(instruction + 1), waves, shader.listing);
    if (instruction >= from.places.size() || from.places[instruction].line == 0) return;
    add(from.places[instruction].line, waves, shader.sources[from.places[instruction].file]);
  };
  for (std::size_t at = 0; at < profile.counted.size(); ++at)
    if (profile.counted[at]) add_at(at, profile.waves[at]);
  for (const auto& [id, branch] : profile.branches) add_at(branch.instruction, branch.waves);
  std::erase_if(shader.sources, [](const CoveredText& one) { return one.lines.empty(); });
  const auto count = [](CoveredText& text) {
    text.executed = static_cast<std::size_t>(std::ranges::count_if(text.lines, [](const auto& line) { return line.second != 0; }));
  };
  count(shader.listing);
  std::ranges::for_each(shader.sources, count);
}

}  // namespace

std::vector<CoveredShader> covered_shaders(std::vector<SuiteRunner::Coverage> coverage) {
  std::vector<CoveredShader> made;
  for (SuiteRunner::Coverage& one : coverage) {
    const auto known = std::ranges::find_if(made, [&](const CoveredShader& other) {
      return other.coverage.shader == one.shader && other.coverage.entry == one.entry && other.coverage.function == one.function;
    });
    if (known != made.end()) {
      known->coverage.profile.add(one.profile);
    } else {
      made.emplace_back().coverage = std::move(one);
    }
  }
  std::ranges::for_each(made, distribute);
  return made;
}

std::string lcov_record(const CoveredText& text, std::string_view file) {
  Text made;
  made << "TN:\nSF:" << file << '\n';
  std::size_t block = 0;
  for (const CoveredText::Branch& branch : text.branches) {
    const bool ran = taken_ways(branch.waves) != 0;
    for (std::size_t way = 0; way < branch.waves.size(); ++way) {
      (made << "BRDA:").dec(branch.line) << ',';
      made.dec(block) << ',';
      made.dec(way) << ',';
      ran ? made.dec(branch.waves[way]) : made << '-';
      made << '\n';
    }
    ++block;
  }
  (made << "BRF:").dec(text.ways) << "\nBRH:";
  made.dec(text.taken) << '\n';
  for (const auto& [line, waves] : text.lines) {
    (made << "DA:").dec(line) << ',';
    made.dec(waves) << '\n';
  }
  (made << "LF:").dec(text.lines.size()) << "\nLH:";
  made.dec(text.executed) << "\nend_of_record\n";
  return made.str();
}

}  // namespace unshade::suite
