// Shaders of a database listed again, and lines that match a pattern.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include <unshade/core/parallel.hpp>
#include <unshade/core/text.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/index/database.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/file.hpp>
#include <unshade/unpack/files.hpp>

#include "index/fault.hpp"
#include "index/line_pattern.hpp"
#include "index/query.hpp"

namespace unshade::index {

namespace {

/// Shaders that are listed at once.
constexpr std::size_t kBatch = 1024;

/// Lines of a listing, or the first line that the pattern could not be matched with.
using Lines = Result<std::vector<ListedLine>>;

/// The lines of a shader's listing that match, with `around` lines before and after each. None if there is no listing.
Lines matching_lines(View bytes, const LinePattern& pattern, std::size_t around) {
  std::vector<ListedLine> found;
  const auto opened = shader::open(bytes);
  if (!opened) return found;
  Text listing;
  if (!shader::disassemble(*opened, listing, {.checks = &shader::listing_checks()})) return found;
  const std::string_view text = listing.view();
  if (text.find(pattern.literal()) == std::string_view::npos) return found;
  LineMatcher matcher(pattern);
  std::vector<std::string_view> lines;
  std::vector<std::size_t> matches;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.find(pattern.literal()) != std::string_view::npos) {
      const LineMatcher::Outcome outcome = matcher.match(line);
      if (outcome == LineMatcher::Outcome::match) matches.push_back(lines.size());
      if (outcome == LineMatcher::Outcome::fault)
        return Error{ErrorCode::limit, 0, "regex", matcher.fault() + " in line " + std::to_string(lines.size() + 1) + " of the listing"};
    }
    lines.push_back(line);
    at = end + 1;
  }
  std::size_t next = 0;  // the first line that is not shown yet
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const std::size_t match = matches[i];
    const std::size_t first = std::max(next, match - std::min(match, around));
    const std::size_t stop = std::min(lines.size(), match + 1 + std::min(around, lines.size()));
    for (std::size_t line = first; line < stop; ++line)
      found.push_back({line + 1, std::string(lines[line]), std::binary_search(matches.begin(), matches.end(), line)});
    next = std::max(next, stop);
  }
  return found;
}

class Relisting {
 public:
  Relisting(const LineSearch& lines, const LinePattern& pattern, const Database::Take& take)
      : lines_(lines), pattern_(pattern), take_(take) {}

  /// An error names the shader whose listing could not be searched.
  Result<void> run(Connection& database, const std::vector<std::int64_t>& ids) {
    list(database, ids);
    if (fault_) return *std::move(fault_);
    return {};
  }

 private:
  struct Task {
    FoundRow row;
    std::optional<std::vector<std::byte>> bytes;
  };
  struct Listed {
    Lines lines;
    bool is_gone = false;  ///< the bytes are in no place where they can be read at once
  };

  void list(Connection& database, const std::vector<std::int64_t>& ids) {
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
            give(std::move(tasks[i].row), std::move(listed.lines));
            return wants_more_;
          });
      if (lines_.progress) lines_.progress(at);
    }
    unpack(packed);
  }

  void give(FoundRow&& row, Lines&& lines) {
    if (!lines) {
      fault_ = std::move(lines).error();
      const FoundPlace& place = row.places.front();
      Text name;
      (name << " of " << place.path << place.layers << ":0x").hex(place.offset, 8);
      fault_->message += name.view();
      wants_more_ = false;
    } else if (!lines->empty()) {
      wants_more_ = take_({std::move(row), std::nullopt, *std::move(lines)});
    }
  }

  Lines lines_of(View bytes) const { return matching_lines(bytes, pattern_, lines_.around); }

  Listed listed(const Task& task) const {
    if (task.bytes) return {lines_of(View(*task.bytes)), false};
    for (const FoundPlace& place : task.row.places) {
      if (!place.layers.empty()) continue;
      const auto bytes = unpack::read_part(place.path, place.offset, static_cast<std::size_t>(task.row.size));
      if (bytes && find::xxh3_128(View(*bytes)) == task.row.xxh3) return {lines_of(View(*bytes)), false};
    }
    return {std::vector<ListedLine>(), true};
  }

  /// Searches the archives again that the rest lies in.
  void unpack(std::vector<Task>& tasks) {
    std::map<std::array<std::byte, 16>, std::size_t> wanted;
    for (std::size_t i = 0; i < tasks.size(); ++i) wanted.emplace(tasks[i].row.xxh3, i);
    std::vector<bool> is_found(tasks.size());
    struct Examined {
      std::size_t task;
      Lines lines;
    };
    for (std::size_t i = 0; i < tasks.size() && wants_more_; ++i) {
      for (const FoundPlace& place : tasks[i].row.places) {
        if (is_found[i] || !system::regular_file_bytes(place.path)) continue;
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
                if (wants_more_) give(FoundRow(tasks[examined->task].row), Lines(examined->lines));
              }
              return wants_more_;
            });
      }
      if (!is_found[i] && lines_.gone) lines_.gone(tasks[i].row);
    }
  }

  const LineSearch& lines_;
  const LinePattern& pattern_;
  const Database::Take& take_;
  bool wants_more_ = true;
  std::optional<Error> fault_;
};

}  // namespace

Result<void> Database::list(const std::vector<std::int64_t>& ids, const LineSearch& lines, const Take& take) {
  const auto pattern = LinePattern::compile(lines.expression, lines.ignores_case);
  if (!pattern) return pattern.error();
  return without_fault<void>(*connection_, [&] { return Relisting(lines, *pattern, take).run(*connection_, ids); });
}

}  // namespace unshade::index
