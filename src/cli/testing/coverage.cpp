#include "cli/testing/coverage.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <unshade/core/text.hpp>

#include "cli/write/below_folder.hpp"

namespace unshade::cli::testing {

namespace {

void count(CoveredShader& shader) {
  const vm::Profile& profile = shader.coverage.profile;
  for (std::size_t at = 0; at < profile.counted.size(); ++at) {
    shader.instructions += profile.counted[at] ? 1 : 0;
    shader.executed += profile.counted[at] && profile.waves[at] != 0 ? 1 : 0;
  }
  for (const auto& [id, branch] : profile.branches) {
    shader.branches += branch.waves.size();
    shader.taken += static_cast<std::size_t>(std::ranges::count_if(branch.waves, [](std::uint64_t waves) { return waves != 0; }));
  }
}

bool write_text(const std::string& path, std::string_view text, Io& io) {
  OutputFile file;
  std::string fault = write::make_folders_of(path);
  if (fault.empty() && (!file.open(path) || !file.write(text) || !file.commit())) fault = file.fault;
  if (fault.empty()) return true;
  io.report(path, "io", fault);
  return false;
}

}  // namespace

std::vector<CoveredShader> coverage_of(const Collection& tests) {
  std::vector<CoveredShader> made;
  for (suite::SuiteRunner::Coverage& one : tests.coverage()) {
    const auto known = std::ranges::find_if(made, [&](const CoveredShader& other) {
      return other.coverage.shader == one.shader && other.coverage.entry == one.entry && other.coverage.function == one.function;
    });
    if (known != made.end()) {
      known->coverage.profile.add(one.profile);
    } else {
      made.emplace_back().coverage = std::move(one);
    }
  }
  for (CoveredShader& shader : made) count(shader);
  return made;
}

std::string lcov_record(const CoveredShader& shader, std::string_view listing) {
  const vm::Profile& profile = shader.coverage.profile;
  Text made;
  made << "TN:\nSF:" << listing << '\n';
  std::size_t block = 0;
  for (const auto& [id, branch] : profile.branches) {
    const bool ran = std::ranges::any_of(branch.waves, [](std::uint64_t waves) { return waves != 0; });
    for (std::size_t way = 0; way < branch.waves.size(); ++way) {
      (made << "BRDA:").dec(std::uint64_t{branch.instruction} + 1) << ',';
      made.dec(block) << ',';
      made.dec(way) << ',';
      if (ran) {
        made.dec(branch.waves[way]) << '\n';
      } else {
        made << "-\n";
      }
    }
    ++block;
  }
  (made << "BRF:").dec(shader.branches) << '\n';
  (made << "BRH:").dec(shader.taken) << '\n';
  for (std::size_t at = 0; at < profile.counted.size(); ++at) {
    if (!profile.counted[at]) continue;
    (made << "DA:").dec(at + 1) << ',';
    made.dec(profile.waves[at]) << '\n';
  }
  (made << "LF:").dec(shader.instructions) << '\n';
  (made << "LH:").dec(shader.executed) << "\nend_of_record\n";
  return made.str();
}

Exit write_coverage(const std::vector<CoveredShader>& shaders, const std::string& path, Io& io) {
  std::error_code fault;
  const std::filesystem::path folder = std::filesystem::absolute(path, fault).parent_path();
  std::set<std::string> names;
  std::string records;
  for (const CoveredShader& shader : shaders) {
    std::string base = std::filesystem::path(shader.coverage.shader).filename().string();
    if (!shader.coverage.entry.empty()) base += '.' + shader.coverage.entry;
    std::string name = base + ".lst";
    for (std::size_t number = 2; !names.insert(name).second; ++number) name = base + '.' + std::to_string(number) + ".lst";
    std::string listing;
    for (const std::string& line : shader.coverage.lines) listing += line + '\n';
    // as many lines as there are counts
    for (std::size_t line = shader.coverage.lines.size(); line < shader.coverage.profile.counted.size(); ++line) listing += '\n';
    const std::string where = (folder / name).string();
    if (!write_text(where, listing, io)) return Exit::failed;
    records += lcov_record(shader, where);
  }
  return write_text(path, records, io) ? Exit::ok : Exit::failed;
}

void print_coverage(const std::vector<CoveredShader>& shaders, Printer& out) {
  for (const CoveredShader& shader : shaders) {
    out.text << "covered  ";
    print_safely(out.text, shader.coverage.shader);
    if (!shader.coverage.entry.empty()) print_safely(out.text, ", " + shader.coverage.entry);
    out.text << ": ";
    out.text.dec(shader.executed) << " of ";
    out.text.dec(shader.instructions) << " instructions, ";
    out.text.dec(shader.taken) << " of ";
    out.text.dec(shader.branches) << " ways of branches\n";
  }
}

void write_coverage(const std::vector<CoveredShader>& shaders, Json& json) {
  json.objects("coverage", shaders, [&](const CoveredShader& shader) {
    json.member("shader", shader.coverage.shader);
    if (!shader.coverage.entry.empty()) json.member("entry", shader.coverage.entry);
    json.member("function", shader.coverage.function);
    json.member("instructions", std::uint64_t{shader.instructions});
    json.member("executed", std::uint64_t{shader.executed});
    json.member("branches", std::uint64_t{shader.branches});
    json.member("taken", std::uint64_t{shader.taken});
  });
}

}  // namespace unshade::cli::testing
