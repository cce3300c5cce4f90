// Shaders of a database listed again, and lines that match a pattern.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include <unshade/core/parallel.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/index/database.hpp>
#include <unshade/unpack/files.hpp>

#include "index/fault.hpp"
#include "index/listing_search.hpp"
#include "index/query.hpp"

namespace unshade::index {

namespace {

/// Shaders that are listed at once.
constexpr std::size_t kBatch = 1024;

class Relisting {
 public:
  Relisting(const LineSearch& lines, const Database::Take& take) : lines_(lines), take_(take) {}

  void run(Connection& database, const std::vector<std::int64_t>& ids) {
    Rows rows(database);
    std::vector<Task> packed;  // of what lies in archives
    for (std::size_t at = 0; at < ids.size() && wants_more_; at += kBatch) {
      std::vector<Task> tasks;
      for (std::size_t i = at; i < std::min(ids.size(), at + kBatch); ++i) {
        Task task{rows.of(ids[i]), std::nullopt};
        task.bytes = rows.bytes_of(task.row);
        if (!task.bytes && lines_.may_read && !lines_.may_read(task.row)) return;
        const bool is_packed = !task.bytes && std::all_of(task.row.places.begin(), task.row.places.end(),
                                                          [](const FoundPlace& place) { return !place.layers.empty(); });
        (is_packed ? packed : tasks).push_back(std::move(task));
      }
      if (database.has_fault()) return;
      in_order(
          tasks.size(), lines_.threads, [&](std::size_t i) { return listed(tasks[i]); },
          [&](std::size_t i, Listed&& listed) {
            if (listed.is_gone) packed.push_back(std::move(tasks[i]));
            if (!listed.lines.empty()) give(std::move(tasks[i].row), std::move(listed.lines));
            return wants_more_;
          });
      if (lines_.progress) lines_.progress(at);
    }
    unpack(packed);
  }

 private:
  struct Task {
    FoundRow row;
    std::optional<std::vector<std::byte>> bytes;
  };
  struct Listed {
    std::vector<ListedLine> lines;
    bool is_gone = false;  ///< the bytes are in no place where they can be read at once
  };

  void give(FoundRow&& row, std::vector<ListedLine>&& lines) { wants_more_ = take_({std::move(row), std::nullopt, std::move(lines)}); }

  /// Of this thread.
  const LinePattern& pattern() const {
    static thread_local std::unique_ptr<LinePattern> compiled;
    static thread_local std::string of;
    const std::string wanted = lines_.expression + (lines_.ignores_case ? 'i' : 'c');
    if (compiled == nullptr || of != wanted) {
      compiled = std::make_unique<LinePattern>();
      compiled->compile(lines_.expression, lines_.ignores_case);
      of = wanted;
    }
    return *compiled;
  }

  std::vector<ListedLine> lines_of(View bytes) const { return matching_lines(bytes, pattern(), lines_.around); }

  Listed listed(const Task& task) const {
    if (task.bytes) return {lines_of(View(*task.bytes)), false};
    for (const FoundPlace& place : task.row.places) {
      if (!place.layers.empty()) continue;
      const auto bytes = unpack::read_part(place.path, place.offset, static_cast<std::size_t>(task.row.size));
      if (bytes && find::xxh3_128(View(*bytes)) == task.row.xxh3) return {lines_of(View(*bytes)), false};
    }
    return {{}, true};
  }

  /// Searches the archives again that the rest lies in.
  void unpack(std::vector<Task>& tasks) {
    std::map<std::array<std::byte, 16>, std::size_t> wanted;
    for (std::size_t i = 0; i < tasks.size(); ++i) wanted.emplace(tasks[i].row.xxh3, i);
    std::vector<bool> is_found(tasks.size());
    struct Examined {
      std::size_t task;
      std::vector<ListedLine> lines;
    };
    for (std::size_t i = 0; i < tasks.size() && wants_more_; ++i) {
      for (const FoundPlace& place : tasks[i].row.places) {
        if (is_found[i] || !unpack::file_bytes(place.path)) continue;
        unpack::Search search;
        search.streams = place.layers.find("@0x") != std::string::npos;
        search.examine = [&](View bytes) -> std::shared_ptr<const void> {
          const auto at = wanted.find(find::xxh3_128(bytes));
          if (at == wanted.end()) return nullptr;
          return std::make_shared<const Examined>(Examined{at->second, lines_of(bytes)});
        };
        search_files(
            {place.path}, search, lines_.threads, [](std::uint64_t) {},
            [&](unpack::SearchedFile&& file) {
              for (const unpack::FoundShader& shader : file.shaders) {
                const auto* const examined = static_cast<const Examined*>(shader.examined.get());
                if (examined == nullptr || is_found[examined->task]) continue;
                is_found[examined->task] = true;
                if (!examined->lines.empty() && wants_more_)
                  give(FoundRow(tasks[examined->task].row), std::vector<ListedLine>(examined->lines));
              }
              return true;
            });
      }
      if (!is_found[i] && lines_.gone) lines_.gone(tasks[i].row);
    }
  }

  const LineSearch& lines_;
  const Database::Take& take_;
  bool wants_more_ = true;
};

}  // namespace

Result<void> Database::list(const std::vector<std::int64_t>& ids, const LineSearch& lines, const Take& take) {
  if (auto checked = lines.check(); !checked) return checked;
  return without_fault<void>(*connection_, [&]() -> Result<void> {
    Relisting(lines, take).run(*connection_, ids);
    return {};
  });
}

}  // namespace unshade::index
