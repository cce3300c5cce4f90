// Databases of shaders. Compiled twice: with the room index for libraries that have it, and without for the others.
#include <memory>
#include <string>
#include <vector>

#include "capi/messages.hpp"
#include "capi/object.hpp"
#include "capi/printed.hpp"

#ifdef UNSHADE_HAS_DATABASE
#include <algorithm>
#include <limits>
#include <optional>

#include <unshade/find/identity.hpp>
#include <unshade/index/database.hpp>
#include <unshade/index/documents.hpp>
#endif

using namespace unshade;

namespace {

constexpr std::uint32_t kOpenFlags = UNSHADE_INDEX_MAKE | UNSHADE_INDEX_KEEP | UNSHADE_INDEX_TEXT;
constexpr std::uint32_t kAddFlags = UNSHADE_INDEX_UPDATE | UNSHADE_INDEX_STREAMS | UNSHADE_INDEX_AS_IT_IS;
constexpr std::uint32_t kMostThreads = 256;

bool are_texts(const char* const* texts, std::size_t count) {
  if (texts == nullptr) return count == 0;
  for (std::size_t i = 0; i < count; ++i)
    if (texts[i] == nullptr) return false;
  return true;
}

/// What is wrong with the options of a search together; empty: nothing.
std::string_view fault_of(const unshade_search_options& how) {
  if (how.like != nullptr && how.regex != nullptr) return "like and regex must not be combined";
  if (how.like == nullptr && how.threshold != 0) return "threshold requires like";
  if (how.regex == nullptr && (how.ignore_case != 0 || how.context != 0)) return "ignore_case and context require regex";
  if (!(how.threshold >= 0 && how.threshold <= 1)) return "threshold is not from 0 to 1";
  return how.threads > kMostThreads ? "threads is greater than 256" : "";
}

}  // namespace

#ifdef UNSHADE_HAS_DATABASE

struct unshade_index {
  std::string path;
  index::Database database;
};

namespace {

/// A fault of a file, with the code of an error or `io`.
void add_fault(std::string_view code, std::string_view path, std::string_view message, std::uint64_t offset, unshade_messages& made) {
  made.add(Severity::error, code, path, message, offset, 0, 0);
}

void add_faults(const unpack::SearchedFile& file, unshade_messages& made) {
  if (!file.fault.empty()) add_fault("io", file.name, file.fault, 0, made);
  for (const unpack::LayerFault& fault : file.faults) {
    Text name;
    unpack::print_layers(name << file.name, fault.layers);
    add_fault(id(fault.error.code), name.view(), capi::message_with_path(fault.error), fault.error.offset, made);
  }
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count) {
  return count == 0 ? std::vector<std::string>() : std::vector<std::string>(texts, texts + count);
}

std::string name_of_other(std::size_t number) { return "others[" + std::to_string(number) + "]"; }

std::string message_of(const index::Refusal& refusal) {
  Text message;
  switch (refusal.why) {
    case index::Refusal::Why::itself: message << "a database must not be merged into itself"; break;
    case index::Refusal::Why::no_listings: message << "it was made without UNSHADE_INDEX_TEXT, which the index keeps"; break;
    case index::Refusal::Why::no_bytes: message << "it was made without UNSHADE_INDEX_KEEP, which the index keeps"; break;
    case index::Refusal::Why::other_file:
      message << "its file " << refusal.path << " has other shaders than that of " << name_of_other(refusal.first);
      break;
  }
  return std::string(message.view());
}

unshade_code merge_all(unshade_index& index, const std::vector<std::string>& others, index::Merged& all, unshade_error** error) {
  index::Joining joining(index.path, index.database.keeps());
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto refusal = joining.add(others[i]);
    if (!refusal) return capi::fail(error, Error(refusal.error()).within(name_of_other(i)));
    if (*refusal) return capi::fail(error, UNSHADE_INVALID_ARGUMENT, 0, name_of_other(i), message_of(**refusal));
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    auto merged = index.database.merge(others[i]);
    if (!merged) {
      Error fault = std::move(merged).error();
      if (fault.path == "other") fault.path = name_of_other(i);
      return capi::fail(error, fault);
    }
    all.files += merged->files;
    all.replaced += merged->replaced;
    all.added += merged->added;
  }
  return UNSHADE_OK;
}

/// False: a condition has an unknown kind or no text, or there are two of a kind that may be there once.
bool add_condition(const unshade_condition& condition, index::Conditions& conditions) {
  if (condition.text == nullptr) return false;
  const auto set = [&](std::optional<std::string>& text) {
    if (text) return false;
    text = condition.text;
    return true;
  };
  switch (condition.what) {
    case UNSHADE_HAS_NAME: return conditions.names.emplace_back(condition.text), true;
    case UNSHADE_HAS_BINDING: return conditions.binds.emplace_back(condition.text), true;
    case UNSHADE_HAS_OPCODE: return conditions.uses.emplace_back(condition.text), true;
    case UNSHADE_HAS_HASH: return set(conditions.hash);
    case UNSHADE_HAS_COLUMNS: return set(conditions.where);
    case UNSHADE_HAS_WORDS: return set(conditions.words);
    default: return false;
  }
}

/// What `how` asks of the shaders `ids`.
Result<void> search_in(index::Database& database, const std::vector<std::int64_t>& ids, const unshade_search_options& how,
                       const index::Database::Take& take, unshade_messages& faults) {
  if (how.like != nullptr) {
    const auto sketch = find::sketch_of(how.like->shader);
    if (!sketch) return Error{ErrorCode::missing, 0, "like", "the shader has no program"};
    return database.similar(ids, *sketch, how.like->shader.family, how.threshold, take);
  }
  if (how.regex == nullptr) return database.read(ids, take);
  index::LineSearch lines;
  lines.expression = how.regex;
  lines.ignores_case = how.ignore_case != 0;
  lines.around = how.context;
  lines.threads = std::max(how.threads, 1U);
  lines.gone = [&](const index::FoundRow& row) {
    add_fault(id(ErrorCode::missing), row.places.front().path, "the indexed shader is no longer there", 0, faults);
  };
  return database.list(ids, lines, take);
}

}  // namespace

#else

struct unshade_index {};

namespace {

unshade_code without_index(unshade_error** error) {
  return capi::fail(error, UNSHADE_UNSUPPORTED, 0, {}, "this library was built without databases");
}

}  // namespace

#endif

unshade_code unshade_index_open(const char* path, uint32_t flags, unshade_index** index, unshade_error** error) {
  if (index != nullptr) *index = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (path == nullptr || index == nullptr) return capi::invalid_argument(error, "path or index is NULL");
    if ((flags & ~kOpenFlags) != 0) return capi::invalid_argument(error, "flags has unknown bits");
    if (flags != 0 && (flags & UNSHADE_INDEX_MAKE) == 0)
      return capi::invalid_argument(error, "UNSHADE_INDEX_KEEP and UNSHADE_INDEX_TEXT require UNSHADE_INDEX_MAKE");
#ifdef UNSHADE_HAS_DATABASE
    const index::Keeps keeps{(flags & UNSHADE_INDEX_KEEP) != 0, (flags & UNSHADE_INDEX_TEXT) != 0};
    auto opened = (flags & UNSHADE_INDEX_MAKE) != 0 ? index::Database::make(path, keeps) : index::Database::open(path);
    if (!opened) return capi::fail(error, opened.error());
    const index::Keeps kept = opened->keeps();
    if ((keeps.bytes && !kept.bytes) || (keeps.listings && !kept.listings))
      return capi::invalid_argument(error, "the database was made without UNSHADE_INDEX_KEEP or UNSHADE_INDEX_TEXT");
    *index = new unshade_index{path, *std::move(opened)};
    return UNSHADE_OK;
#else
    return without_index(error);
#endif
  });
}

void unshade_index_free(unshade_index* index) { delete index; }

unshade_code unshade_index_add(unshade_index* index, const char* const* files, size_t file_count, const char* const* roots,
                               size_t root_count, const unshade_index_options* options, unshade_index_totals* totals,
                               unshade_messages** faults, unshade_error** error) {
  if (faults != nullptr) *faults = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (index == nullptr || !are_texts(files, file_count) || !are_texts(roots, root_count))
      return capi::invalid_argument(error, "index, a file or a root is NULL");
    unshade_index_options how{sizeof how, 0, 1};
    if (!capi::read_options(options, how)) return capi::invalid_argument(error, capi::kSmallOptions);
    if ((how.flags & ~kAddFlags) != 0) return capi::invalid_argument(error, "flags has unknown bits");
    if (how.threads > kMostThreads) return capi::invalid_argument(error, "threads is greater than 256");
    if (totals != nullptr && totals->struct_size < sizeof *totals)
      return capi::invalid_argument(error, "struct_size of totals is too small");
#ifdef UNSHADE_HAS_DATABASE
    auto made = std::make_unique<unshade_messages>();
    index::Additions additions;
    additions.files = texts_of(files, file_count);
    additions.roots = texts_of(roots, root_count);
    additions.threads = std::max(how.threads, 1U);
    additions.unpack = (how.flags & UNSHADE_INDEX_AS_IT_IS) == 0;
    additions.streams = (how.flags & UNSHADE_INDEX_STREAMS) != 0;
    additions.update = (how.flags & UNSHADE_INDEX_UPDATE) != 0;
    additions.version = unshade_version();
    additions.searched = [&](const unpack::SearchedFile& file) { add_faults(file, *made); };
    const auto added = index->database.add(additions);
    if (!added) return capi::fail(error, added.error());
    if (totals != nullptr)
      capi::fill(totals, {sizeof *totals, added->files, added->unchanged, added->removed, added->bytes, added->shaders, added->added});
    if (faults != nullptr) *faults = made.release();
    return UNSHADE_OK;
#else
    return without_index(error);
#endif
  });
}

unshade_code unshade_index_remove(unshade_index* index, const char* file, unshade_error** error) {
  return capi::guarded(error, [&]() -> unshade_code {
    if (index == nullptr || file == nullptr) return capi::invalid_argument(error, "index or file is NULL");
#ifdef UNSHADE_HAS_DATABASE
    const auto removed = index->database.remove(file);
    return removed ? UNSHADE_OK : capi::fail(error, removed.error());
#else
    return without_index(error);
#endif
  });
}

unshade_code unshade_index_merge(unshade_index* index, const char* const* others, size_t other_count, unshade_index_merged* merged,
                                 unshade_error** error) {
  return capi::guarded(error, [&]() -> unshade_code {
    if (index == nullptr || !are_texts(others, other_count)) return capi::invalid_argument(error, "index or a database is NULL");
    if (merged != nullptr && merged->struct_size < sizeof *merged)
      return capi::invalid_argument(error, "struct_size of merged is too small");
#ifdef UNSHADE_HAS_DATABASE
    index::Merged all;
    const unshade_code code = merge_all(*index, texts_of(others, other_count), all, error);
    if (code == UNSHADE_OK && merged != nullptr) capi::fill(merged, {sizeof *merged, all.files, all.replaced, all.added});
    return code;
#else
    return without_index(error);
#endif
  });
}

unshade_code unshade_index_check(unshade_index* index, unshade_error** error) {
  return capi::guarded(error, [&]() -> unshade_code {
    if (index == nullptr) return capi::invalid_argument(error, "index is NULL");
#ifdef UNSHADE_HAS_DATABASE
    const auto checked = index->database.check();
    return checked ? UNSHADE_OK : capi::fail(error, checked.error());
#else
    return without_index(error);
#endif
  });
}

unshade_code unshade_index_stats(unshade_index* index, const char* name, unshade_blob** json, unshade_error** error) {
  if (json != nullptr) *json = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (index == nullptr || json == nullptr) return capi::invalid_argument(error, "index or json is NULL");
#ifdef UNSHADE_HAS_DATABASE
    const auto stats = index->database.stats();
    if (!stats) return capi::fail(error, stats.error());
    const auto text =
        capi::printed_files(present::Schema::index_stats, present::Json::Layout::indented, [&](present::Json& made) -> Result<void> {
          index::write_stats(name != nullptr ? name : "", *stats, made);
          return {};
        });
    return capi::hand_out(text, json, error);
#else
    (void)name;
    return without_index(error);
#endif
  });
}

unshade_code unshade_index_search(unshade_index* index, const unshade_condition* conditions, size_t count, size_t item_size,
                                  const unshade_search_options* options, unshade_messages** faults, unshade_blob** rows,
                                  unshade_error** error) {
  if (faults != nullptr) *faults = nullptr;
  if (rows != nullptr) *rows = nullptr;
  return capi::guarded(error, [&]() -> unshade_code {
    if (index == nullptr || rows == nullptr || (conditions == nullptr && count != 0))
      return capi::invalid_argument(error, "index, conditions or rows is NULL");
    if (item_size < sizeof(unshade_condition)) return capi::invalid_argument(error, "item_size is too small");
    unshade_search_options how{sizeof how, nullptr, 0, nullptr, 0, 0, 1, 0, 0};
    if (!capi::read_options(options, how)) return capi::invalid_argument(error, capi::kSmallOptions);
    if (const std::string_view fault = fault_of(how); !fault.empty()) return capi::invalid_argument(error, fault);
#ifdef UNSHADE_HAS_DATABASE
    index::Conditions asked;
    for (std::size_t i = 0; i < count; ++i) {
      unshade_condition condition{};
      std::memcpy(&condition, reinterpret_cast<const std::byte*>(conditions) + i * item_size, sizeof condition);
      if (!add_condition(condition, asked))
        return capi::invalid_argument(error, "a condition has no text, an unknown kind, or one that may be there once only");
    }
    const auto query = index::Query::of(asked, index->database.keeps().listings);
    if (!query) return capi::fail(error, query.error());
    const auto ids = index->database.matching(*query);
    if (!ids) return capi::fail(error, ids.error());
    auto made = std::make_unique<unshade_messages>();
    present::MemoryStream text;
    present::Printer out(text, false);
    std::uint64_t left = how.limit != 0 ? how.limit : std::numeric_limits<std::uint64_t>::max();
    const auto take = [&](index::Found&& found) {
      index::write_found(found, out);
      return --left != 0 && out.keep_going();
    };
    if (const auto searched = search_in(index->database, *ids, how, take, *made); !searched) return capi::fail(error, searched.error());
    out.flush();
    std::unique_ptr<unshade_blob> blob(capi::make_blob(text.text));
    if (faults != nullptr) *faults = made.release();
    *rows = blob.release();
    return UNSHADE_OK;
#else
    return without_index(error);
#endif
  });
}
