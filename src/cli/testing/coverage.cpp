#include "cli/testing/coverage.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include <unshade/core/text.hpp>

namespace unshade::cli::testing {

namespace {

std::size_t taken_ways(const std::vector<std::uint64_t>& waves) {
  return static_cast<std::size_t>(std::ranges::count_if(waves, [](std::uint64_t one) { return one != 0; }));
}

void count(CoveredShader& shader) {
  const vm::Profile& profile = shader.coverage.profile;
  for (std::size_t at = 0; at < profile.counted.size(); ++at) {
    shader.instructions += profile.counted[at] ? 1 : 0;
    shader.executed += profile.counted[at] && profile.waves[at] != 0 ? 1 : 0;
  }
  for (const auto& [id, branch] : profile.branches) {
    shader.branches += branch.waves.size();
    shader.taken += taken_ways(branch.waves);
  }
}

/// A record of a tracefile while it is made.
class Record {
 public:
  explicit Record(std::string_view file) { made_ << "TN:\nSF:" << file << '\n'; }
  void branch(std::uint64_t line, const std::vector<std::uint64_t>& waves) {
    const bool ran = taken_ways(waves) != 0;
    for (std::size_t way = 0; way < waves.size(); ++way) {
      (made_ << "BRDA:").dec(line) << ',';
      made_.dec(block_) << ',';
      made_.dec(way) << ',';
      if (ran) {
        made_.dec(waves[way]) << '\n';
      } else {
        made_ << "-\n";
      }
    }
    ++block_;
  }
  void end_branches(std::size_t ways, std::size_t taken) {
    (made_ << "BRF:").dec(ways) << '\n';
    (made_ << "BRH:").dec(taken) << '\n';
  }
  void line(std::uint64_t number, std::uint64_t waves) {
    (made_ << "DA:").dec(number) << ',';
    made_.dec(waves) << '\n';
  }
  std::string end(std::size_t lines, std::size_t executed) {
    (made_ << "LF:").dec(lines) << '\n';
    (made_ << "LH:").dec(executed) << "\nend_of_record\n";
    return made_.str();
  }

 private:
  Text made_;
  std::size_t block_ = 0;
};

bool has_text(const std::string& file, std::string_view text) {
  const auto found = read_whole(file);
  return found && View(*found).text() == text;
}

/// Finds files of sources by the names that compilers were given, or writes what shaders carry of them into a folder.
class SourcePlaces {
 public:
  SourcePlaces(std::filesystem::path folder, std::vector<std::string>& read, write::PendingFiles& files, Io& io)
      : folder_(std::move(folder)), read_(read), files_(files), io_(io) {}

  /// The file: beside the shader, or as it is named, if it is there and has the text that the shader carries. Else that in the folder,
  /// numbered if a file of its name has another text. Nothing after a fault, which is reported.
  std::optional<std::string> file_of(const std::string& name, const CoveredShader& shader) {
    const auto& carried = shader.coverage.sources;
    const auto own = std::ranges::find_if(carried, [&](const shader::SourceFile& one) { return one.has_text && one.name == name; });
    const std::string* const text = own == carried.end() ? nullptr : &own->text;
    std::string plain = name;
    std::ranges::replace(plain, '\\', '/');
    const std::filesystem::path beside = std::filesystem::path(shader.coverage.shader).parent_path();
    for (const std::filesystem::path& one :
         {beside / plain, std::filesystem::path(plain), beside / std::filesystem::path(plain).filename()}) {
      std::error_code fault;
      if (!std::filesystem::is_regular_file(one, fault)) continue;
      read_.push_back(one.string());
      if (text != nullptr && !has_text(one.string(), *text)) continue;
      const auto made = std::filesystem::weakly_canonical(one, fault);
      return fault ? std::filesystem::absolute(one, fault).string() : made.string();
    }
    if (text == nullptr) return name;
    const std::string safe = shader::safe_file_name(name);
    for (std::size_t number = 1;; ++number) {
      const std::string where = (folder_ / write::numbered(safe, number, {})).string();
      std::error_code ignored;
      if (files_.has(where)) {
        const auto known = written_.find(where);
        if (known != written_.end() && known->second == *text) return where;
      } else if (std::filesystem::exists(where, ignored)) {
        read_.push_back(where);
        if (has_text(where, *text)) return where;  // another text stays
      } else {
        if (!files_.add(where, *text, io_)) return std::nullopt;
        written_.emplace(where, *text);
        return where;
      }
    }
  }

 private:
  std::filesystem::path folder_;
  std::vector<std::string>& read_;
  write::PendingFiles& files_;
  Io& io_;
  std::map<std::string, std::string> written_;
};

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

std::vector<CoveredSource> by_source(const CoveredShader& shader) {
  const vm::Profile& profile = shader.coverage.profile;
  const shader::SourceLines& from = shader.coverage.places;
  std::vector<CoveredSource> made(from.files.size());
  for (std::size_t k = 0; k < made.size(); ++k) made[k].name = from.files[k];
  const auto place_of = [&](std::size_t instruction) {
    return instruction < from.places.size() ? from.places[instruction] : shader::SourceLines::Place{};
  };
  for (std::size_t at = 0; at < profile.counted.size(); ++at) {
    const auto place = place_of(at);
    if (!profile.counted[at] || place.line == 0) continue;
    std::uint64_t& most = made[place.file].lines[place.line];
    most = std::max(most, profile.waves[at]);
  }
  for (const auto& [id, branch] : profile.branches) {
    const auto place = place_of(branch.instruction);
    if (place.line == 0) continue;
    CoveredSource& source = made[place.file];
    source.branches.push_back({place.line, branch.waves});
    source.ways += branch.waves.size();
    source.taken += taken_ways(branch.waves);
  }
  std::erase_if(made, [](const CoveredSource& one) { return one.lines.empty(); });
  for (CoveredSource& one : made)
    one.executed = static_cast<std::size_t>(std::ranges::count_if(one.lines, [](const auto& line) { return line.second != 0; }));
  return made;
}

std::string lcov_record(const CoveredShader& shader, std::string_view listing) {
  const vm::Profile& profile = shader.coverage.profile;
  Record record(listing);
  for (const auto& [id, branch] : profile.branches) record.branch(std::uint64_t{branch.instruction} + 1, branch.waves);
  record.end_branches(shader.branches, shader.taken);
  for (std::size_t at = 0; at < profile.counted.size(); ++at) {
    if (profile.counted[at]) record.line(at + 1, profile.waves[at]);
  }
  return record.end(shader.instructions, shader.executed);
}

std::string lcov_record(const CoveredSource& source, std::string_view file) {
  Record record(file);
  for (const CoveredSource::Branch& branch : source.branches) record.branch(branch.line, branch.waves);
  record.end_branches(source.ways, source.taken);
  for (const auto& [line, waves] : source.lines) record.line(line, waves);
  return record.end(source.lines.size(), source.executed);
}

Exit write_coverage(const std::vector<CoveredShader>& shaders, const std::string& path, std::vector<std::string>& read,
                    write::PendingFiles& files, Io& io) {
  std::error_code fault;
  const std::filesystem::path folder = std::filesystem::absolute(path, fault).parent_path();
  SourcePlaces sources(folder, read, files, io);
  std::string records;
  for (const CoveredShader& shader : shaders) {
    std::string base = std::filesystem::path(shader.coverage.shader).filename().string();
    if (!shader.coverage.entry.empty()) base += '.' + shader.coverage.entry;
    std::string listing;
    for (const std::string& line : shader.coverage.lines) listing += line + '\n';
    // as many lines as there are counts
    for (std::size_t line = shader.coverage.lines.size(); line < shader.coverage.profile.counted.size(); ++line) listing += '\n';
    const std::string where = files.free_path(folder, base, ".lst");
    if (!files.add(where, listing, io)) return Exit::failed;
    records += lcov_record(shader, where);
    for (const CoveredSource& source : by_source(shader)) {
      const auto file = sources.file_of(source.name, shader);
      if (!file) return Exit::failed;
      records += lcov_record(source, *file);
    }
  }
  return files.add(path, records, io) ? Exit::ok : Exit::failed;
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
    for (const CoveredSource& source : by_source(shader)) {
      out.text << "covered  ";
      print_safely(out.text, shader.coverage.shader + ", " + source.name);
      out.text << ": ";
      out.text.dec(source.executed) << " of ";
      out.text.dec(source.lines.size()) << " lines, ";
      out.text.dec(source.taken) << " of ";
      out.text.dec(source.ways) << " ways of branches\n";
    }
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
    const std::vector<CoveredSource> sources = by_source(shader);
    if (sources.empty()) return;
    json.objects("sources", sources, [&](const CoveredSource& source) {
      json.member("file", source.name);
      json.member("lines", std::uint64_t{source.lines.size()});
      json.member("executed", std::uint64_t{source.executed});
      json.member("branches", std::uint64_t{source.ways});
      json.member("taken", std::uint64_t{source.taken});
    });
  });
}

}  // namespace unshade::cli::testing
