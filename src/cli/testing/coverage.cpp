#include "cli/testing/coverage.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <unshade/core/text/paths.hpp>
#include <unshade/system/file.hpp>
#include <unshade/system/folder.hpp>

namespace unshade::cli::testing {

namespace {

bool has_text(const std::string& file, std::string_view text) {
  const auto found = read_whole(file);
  return found && View(*found).text() == text;
}

/// Finds files of sources by the names that compilers were given, or writes what shaders carry of them into a folder.
class SourcePlaces {
 public:
  SourcePlaces(std::string folder, std::vector<std::string>& read, write::PendingFiles& files, Io& io)
      : folder_(std::move(folder)), read_(read), files_(files), io_(io) {}

  /// The file: beside the shader, or as it is named, if it is there and has the text that the shader carries. Else that in the folder,
  /// numbered if a file of its name has another text. Nothing after a fault, which is reported.
  std::optional<std::string> file_of(const std::string& name, const suite::CoveredShader& shader) {
    const auto& carried = shader.coverage.sources;
    const auto own = std::ranges::find_if(carried, [&](const shader::SourceFile& one) { return one.has_text && one.name == name; });
    const std::string* const text = own == carried.end() ? nullptr : &own->text;
    std::string plain = name;
    std::ranges::replace(plain, '\\', '/');
    const std::string& file = shader.coverage.shader;
    for (const std::string& one : {paths::beside(file, plain), plain, paths::beside(file, paths::name_of(plain))}) {
      if (!system::regular_file_bytes(one)) continue;
      read_.push_back(one);
      if (text == nullptr || has_text(one, *text)) return system::real_path(one);
    }
    if (text == nullptr) return name;
    const std::string safe = shader::safe_file_name(name);
    for (std::size_t number = 1;; ++number) {
      const std::string where = system::path_in(folder_, write::numbered(safe, number, {}));
      if (files_.has(where)) {
        const auto known = written_.find(where);
        if (known != written_.end() && known->second == *text) return where;
      } else if (system::is_there(where)) {
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
  std::string folder_;
  std::vector<std::string>& read_;
  write::PendingFiles& files_;
  Io& io_;
  std::map<std::string, std::string> written_;
};

}  // namespace

Exit write_coverage(const std::vector<suite::CoveredShader>& shaders, const std::string& path, std::vector<std::string>& read,
                    write::PendingFiles& files, Io& io) {
  const std::string folder(paths::folder_of(system::whole_path(path)));
  SourcePlaces sources(folder, read, files, io);
  std::string records;
  for (const suite::CoveredShader& shader : shaders) {
    std::string base(paths::name_of(shader.coverage.shader));
    if (!shader.coverage.entry.empty()) base += '.' + shader.coverage.entry;
    std::string listing;
    for (const std::string& line : shader.coverage.lines) listing += line + '\n';
    // as many lines as there are counts
    for (std::size_t line = shader.coverage.lines.size(); line < shader.coverage.profile.counted.size(); ++line) listing += '\n';
    const std::string where = files.free_path(folder, base, ".lst");
    if (!files.add(where, listing, io)) return Exit::failed;
    records += suite::lcov_record(shader.listing, where);
    for (const suite::CoveredText& source : shader.sources) {
      const auto file = sources.file_of(source.name, shader);
      if (!file) return Exit::failed;
      records += suite::lcov_record(source, *file);
    }
  }
  return files.add(path, records, io) ? Exit::ok : Exit::failed;
}

}  // namespace unshade::cli::testing
