// Files searched for shaders, which are added to a database.
#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <unshade/core/text/paths.hpp>
#include <unshade/index/database.hpp>
#include <unshade/system/file.hpp>

#include "index/fault.hpp"
#include "index/schema.hpp"
#include "index/writer.hpp"

namespace unshade::index {

namespace {

std::optional<FileState> state_of(const std::string& path) {
  const auto status = system::status_of(path);
  if (!status) return std::nullopt;
  return FileState{static_cast<std::int64_t>(status->bytes), status->modified, {}};
}

/// As the table of files has it.
std::string search_words(const Additions& additions) {
  if (additions.unpack) return additions.streams ? "unpack streams" : "unpack";
  return additions.streams ? "streams" : "";
}

bool is_below(const std::string& path, const std::string& folder) {
  if (path == folder) return true;
  if (!path.starts_with(folder)) return false;
  return (!folder.empty() && paths::is_separator(folder.back())) || paths::is_separator(path[folder.size()]);
}

class Adding {
 public:
  /// `path`: of the database; empty if it is in no file.
  Adding(const Additions& additions, const std::string& path, Connection& database)
      : additions_(additions), path_(path), database_(database), writer_(database, known_), unread_(additions.unread) {
    for (const std::string& root : additions.roots)
      if (!state_of(root)) unread_.push_back(root);
  }

  Totals run() {
    const auto started = static_cast<std::int64_t>(std::time(nullptr));
    unpack::Search search;
    search.unpack = additions_.unpack;
    search.streams = additions_.streams;
    search.examine = [this, keeps = kept_by(database_)](View bytes) {
      return std::make_shared<const Entry>(entry_of(bytes, keeps, known_));
    };
    const std::vector<std::string> files = files_to_search();
    if (additions_.update) forget_missing();
    if (database_.has_fault()) return totals_;
    std::uint64_t total = 0;
    for (const std::string& file : files) total += system::regular_file_bytes(file).value_or(0);
    const auto progress = [&](std::uint64_t done) {
      if (additions_.progress) additions_.progress(done, total);
    };
    progress(0);
    search_files(files, search, additions_.threads, progress, [&](unpack::SearchedFile&& file) {
      if (additions_.searched) additions_.searched(file);
      add(file);
      return !database_.has_fault();
    });
    totals_.added = writer_.new_shaders;
    writer_.add_run(started, additions_.version, totals_.files);
    return totals_;
  }

 private:
  std::vector<std::string> files_to_search() {
    const std::string words = search_words(additions_);
    std::vector<std::string> files;
    for (const std::string& name : additions_.files) {
      if (!additions_.shard.has(name) || is_own(name) || !seen_.insert(name).second) continue;
      auto state = state_of(name);
      if (state) state->search = words;
      states_.emplace(name, state.value_or(FileState{}));
      const auto before = additions_.update ? writer_.searched(name) : std::nullopt;
      if (before && state && *before == *state)
        ++totals_.unchanged;
      else
        files.push_back(name);
    }
    return files;
  }

  /// The database itself, and its journal.
  bool is_own(const std::string& name) const {
    if (path_.empty()) return false;
    return name == path_ || name == path_ + "-journal" || is_same_file(name, path_);
  }

  /// Files that were below the roots, and are no longer there. What cannot be read may still be there.
  void forget_missing() {
    std::vector<std::string> missing;
    Statement all = database_.prepare("select path from file");
    while (all.step()) {
      std::string path(all.text(0));
      const auto is_below_it = [&](const std::string& folder) { return is_below(path, folder); };
      const bool is_asked = std::any_of(additions_.roots.begin(), additions_.roots.end(), is_below_it) &&
                            std::none_of(unread_.begin(), unread_.end(), is_below_it);
      if (is_asked && additions_.shard.has(path) && !seen_.contains(path)) missing.push_back(std::move(path));
    }
    for (const std::string& path : missing) writer_.remove_file(path);
    totals_.removed = missing.size();
  }

  void add(const unpack::SearchedFile& file) {
    ++totals_.files;
    totals_.bytes += file.size;
    totals_.shaders += file.shaders.size();
    std::string fault = file.fault;
    if (fault.empty() && !file.faults.empty()) {
      Text layers;
      print_layers(layers, file.faults.front().layers);
      fault = (layers.view().empty() ? std::string() : layers.str() + ": ") + to_string(file.faults.front().error);
    }
    if (!file.fault.empty() && file.shaders.empty()) {
      // what was known of a file that cannot be read stays; a root that is not there may be a folder
      const bool is_missing = std::find(unread_.begin(), unread_.end(), file.name) != unread_.end();
      if (writer_.set_fault(file.name, fault) || is_missing) return;
    }
    places_.clear();
    for (const unpack::FoundShader& shader : file.shaders) {
      Text layers;
      if (shader.layers != nullptr) print_layers(layers, *shader.layers);
      places_.push_back(
          {static_cast<const Entry*>(shader.examined.get()), layers.str(), shader.hit.offset, id(shader.hit.certainty), shader.hit.parent});
    }
    writer_.add_file(file.name, states_[file.name], fault, places_);
  }

  const Additions& additions_;
  const std::string& path_;
  Connection& database_;
  KnownShaders known_;
  Writer writer_;
  std::vector<std::string> unread_;  ///< files and folders
  std::unordered_set<std::string> seen_;
  std::unordered_map<std::string, FileState> states_;
  std::vector<Place> places_;
  Totals totals_;
};

}  // namespace

Result<Totals> Database::add(const Additions& additions) {
  auto added = without_fault<Totals>(*connection_, [&] { return Adding(additions, path_, *connection_).run(); });
  if (!added) connection_->undo();  // what was made lasting stays, as after an interruption
  return added;
}

}  // namespace unshade::index
