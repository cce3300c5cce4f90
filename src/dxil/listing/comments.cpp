#include "dxil/listing/comments.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <unshade/core/text/characters.hpp>
#include <unshade/dxil/listing.hpp>

#include "dxil/listing/module.hpp"
#include "dxil/listing/text_lines.hpp"

namespace unshade::dxil::listing {

namespace {

using By = PlacedComment::By;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Without `;` and notes for the assembler, each run of blanks as one.
std::string words_of(std::string_view comment) {
  if (comment.starts_with(kExactComment)) {
    comment.remove_prefix(kExactComment.size());
    const std::size_t more = comment.find(';');
    comment = more == std::string_view::npos ? std::string_view() : comment.substr(more);
  }
  std::string words;
  bool blank = false;
  for (const char c : comment) {
    if (is_blank(c) || (c == ';' && words.empty())) {
      blank = true;
      continue;
    }
    if (blank && !words.empty()) words += ' ';
    blank = false;
    words += c;
  }
  return words;
}

/// `visit(word)` for each run of letters, digits and underscores.
template <class F>
void for_each_word(std::string_view text, F&& visit) {
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_part(text[end])) ++end;
    if (end != i) visit(text.substr(i, end - i));
    i = end + 1;
  }
}

/// Whether two comments have at least half of the words of each: one that somebody wrote beside those of a listing shares few.
bool are_alike(std::string_view a, std::string_view b) {
  std::unordered_map<std::string_view, std::size_t> words;
  std::size_t of_a = 0;
  std::size_t of_b = 0;
  std::size_t shared = 0;
  for_each_word(a, [&](std::string_view word) {
    ++of_a;
    ++words[word];
  });
  for_each_word(b, [&](std::string_view word) {
    ++of_b;
    const auto found = words.find(word);
    if (found == words.end() || found->second == 0) return;
    --found->second;
    ++shared;
  });
  return shared != 0 && 2 * shared >= of_a && 2 * shared >= of_b;
}

std::uint64_t key_of(const PlacedComment& comment) { return std::uint64_t{static_cast<std::uint8_t>(comment.by)} << 32 | comment.index; }

/// What one listing has in a place.
class Listing {
 public:
  explicit Listing(const ListedComments& of) : of_(of) {
    for (const PlacedComment& comment : of.comments)
      comments_.emplace(key_of(comment), std::string_view(of.text).substr(comment.begin, comment.end - comment.begin));
    for (const Body& body : of.module->bodies) bodies_.emplace(name_of(body.function), &body);
    for (std::uint32_t i = 0; i < of.module->functions.size(); ++i) functions_.emplace(name_of(i), i);
  }

  std::string at(By by, std::uint32_t index) const {
    const auto found = comments_.find(key_of({by, index, 0, 0}));
    return found == comments_.end() ? std::string() : words_of(found->second);
  }
  const Module& module() const { return *of_.module; }
  std::string_view name_of(std::uint32_t function) const {
    return of_.module->text(of_.module->values[of_.module->functions[function].value].name);
  }
  const Body* body(std::string_view function) const {
    const auto found = bodies_.find(function);
    return found == bodies_.end() ? nullptr : found->second;
  }
  const std::uint32_t* function(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
  }
  /// Whether a comment is in the text anywhere.
  bool has(const std::string& words) {
    if (all_.empty())
      for (const auto& [key, comment] : comments_) all_.insert(words_of(comment));
    return all_.contains(words);
  }

 private:
  const ListedComments& of_;
  std::unordered_map<std::uint64_t, std::string_view> comments_;
  std::unordered_map<std::string_view, const Body*> bodies_;
  std::unordered_map<std::string_view, std::uint32_t> functions_;
  std::unordered_set<std::string> all_;
};

class CommentCheck {
 public:
  CommentCheck(std::string_view text, const std::vector<PlacedComment>& written, const ListedComments& now, const ListedComments* before,
               const CommentOptions& options)
      : text_(text), written_(written), now_lines_(now.sections), now_(now), options_(options) {
    if (options.newest != nullptr) newest_.emplace_back(*options.newest);
    if (before == nullptr) return;
    before_lines_ = before->sections;
    before_.emplace_back(*before);
  }

  std::vector<Message> run() {
    std::size_t i = 0;
    while (i < written_.size() && written_[i].by == By::text) ++i;
    check_sections({written_.data(), i});
    while (i < written_.size() && !full()) {
      std::size_t end = i;
      while (end < written_.size() && key_of(written_[end]) == key_of(written_[i])) ++end;
      check_place({written_.data() + i, end - i});
      i = end;
    }
    return std::move(found_);
  }

 private:
  bool full() const { return found_.size() >= options_.most; }
  std::string_view text_of(const PlacedComment& comment) const { return text_.substr(comment.begin, comment.end - comment.begin); }

  void report(std::size_t at, std::string message, bool is_warning = false) {
    Message made;
    made.severity = is_warning || before_.empty() ? Severity::warning : Severity::error;
    made.id = made.severity == Severity::warning ? kCommentRule : id(ErrorCode::bad_value);
    std::tie(made.line, made.column) = line_and_column(text_, at);
    made.text = std::move(message) + ": comments are ignored; edit the code instead";
    found_.push_back(std::move(made));
  }

  struct Counts {
    std::size_t now = 0;
    std::size_t before = 0;
  };

  /// Lines of tables: each has to be in the tables of one listing, and no more often. What precedes them and after is somebody's
  /// own, unless it is like a line of theirs.
  void check_sections(std::span<const PlacedComment> written) {
    struct Line {
      std::size_t at;
      std::string words;
      const Counts* known;
    };
    std::unordered_map<std::string, Counts> counts;
    count_lines(now_lines_, counts, &Counts::now);
    count_lines(before_lines_, counts, &Counts::before);
    if (counts.empty()) return;
    std::vector<Line> lines;
    enum class Section : std::uint8_t { other, buffers, resources } section = Section::other;
    for (const PlacedComment& comment : written) {
      std::string words = words_of(text_of(comment));
      if (words == "Buffer Definitions:") section = Section::buffers;
      if (words == "Resource Bindings:") section = Section::resources;
      if (words == "ViewId state:") section = Section::other;
      if (words.empty() || (is_of_whole(words) && !options_.whole)) continue;
      if (section == Section::buffers && !options_.has_names) continue;
      auto known = counts.find(words);
      if (known == counts.end() && section == Section::resources && !options_.has_names) {
        words.erase(0, words.find(' ') + 1);
        known = counts.find(words);
      }
      lines.push_back({comment.begin, std::move(words), known == counts.end() ? nullptr : &known->second});
    }
    const auto is_known = [](const Line& line) { return line.known != nullptr; };
    const auto first = std::ranges::find_if(lines, is_known) - lines.begin();
    const auto last = std::find_if(lines.rbegin(), lines.rend(), is_known).base() - lines.begin();
    // Tables of another program: of one whose listing was put into this container.
    const auto known = static_cast<std::size_t>(std::ranges::count_if(lines, is_known));
    const bool foreign = 4 * (lines.size() - known) > known;
    constexpr std::ptrdiff_t kNear = 16;
    std::unordered_map<std::string_view, std::size_t> seen;
    const std::size_t reports_before = found_.size();
    for (std::ptrdiff_t i = 0; i < std::ssize(lines) && !full(); ++i) {
      const Line& line = lines[static_cast<std::size_t>(i)];
      if (line.known != nullptr) {
        if (++seen[line.words] > std::max(line.known->now, line.known->before))
          report(line.at, "`" + line.words + "` occurs more often than in the tables of this program");
        continue;
      }
      const bool among = i > first && i < last;
      const bool near = first < last && i > first - kNear && i < last + kNear;
      if (!among && !(near && std::ranges::any_of(counts, [&](const auto& row) { return are_alike(line.words, row.first); }))) continue;
      // A hash and a name of the whole follow from every change: of one that was a listing of before.
      report(line.at,
             "the comment `" + line.words + (foreign ? "` belongs to a different program" : "` is not in the tables of this program"),
             foreign || is_of_whole(line.words));
      if (foreign) return;
    }
    // A row that was edited is also one that is gone: that has been told.
    if (foreign || found_.size() != reports_before) return;
    std::unordered_map<std::string_view, std::vector<std::size_t>> places;
    for (const Line& line : lines) places[line.words].push_back(line.at);
    check_rows(counts, places);
    std::vector<const Line*> facts;
    for (const Line& line : lines)
      if (line.known != nullptr && is_fact(line.words)) facts.push_back(&line);
    check_order(facts);
  }

  /// A row in another place than in the listing tells of another table, or of another offset.
  template <class Line>
  void check_order(const std::vector<const Line*>& facts) {
    // how many are there in this order, without one of them
    const auto reach = [&](std::string_view table, std::size_t without) {
      std::size_t next = without == 0 ? 1 : 0;
      for_each_line(table, [&](const std::string& words) {
        if (next < facts.size() && facts[next]->words == words) next += next + 1 == without ? 2 : 1;
      });
      return next;
    };
    const auto furthest = [&](std::size_t without) { return std::max(reach(now_lines_, without), reach(before_lines_, without)); };
    constexpr std::size_t kNoRow = ~std::size_t{0};
    const std::size_t reached = furthest(kNoRow);
    const auto is_of = [](std::size_t Counts::* which) { return [which](const Line* line) { return line->known->*which != 0; }; };
    // lines of both, edited in part: no order is that of either
    if (reached == facts.size() ||
        (!std::ranges::all_of(facts, is_of(&Counts::now)) && !std::ranges::all_of(facts, is_of(&Counts::before))))
      return;
    // a row that was moved up keeps those after it from being found: without it there are more in order
    constexpr std::size_t kNear = 64;
    std::size_t moved = reached;
    std::size_t most = reached;
    for (std::size_t row = reached - std::min(reached, kNear); row < reached; ++row) {
      const std::size_t without = furthest(row);
      if (without <= most) continue;
      most = without;
      moved = row;
    }
    report(facts[moved]->at, "`" + facts[moved]->words + "` is not in its place in the tables of this program");
  }

  /// A table without one of its rows, of which title and other rows are there: nothing would be without what the row tells of.
  void check_rows(const std::unordered_map<std::string, Counts>& counts,
                  const std::unordered_map<std::string_view, std::vector<std::size_t>>& places) {
    const auto times = [&](std::string_view words) {
      const auto found = places.find(words);
      return found == places.end() ? std::size_t{0} : found->second.size();
    };
    std::unordered_map<std::string, std::size_t> titles;
    std::unordered_set<std::string> reported;
    std::optional<std::size_t> title_at;  // of the table that the row is in, if the text has it
    std::string title;
    for_each_line(now_lines_, [&](std::string words) {
      if (full() || words.empty()) return;
      const Counts& known = counts.at(words);
      if (words.ends_with(':')) {
        const std::size_t number = titles[words]++;
        const bool has_all = times(words) == known.now;
        const bool has_names = options_.has_names || (words != "Buffer Definitions:" && words != "Resource Bindings:");
        title_at = has_all && has_names ? std::optional(places.at(words)[number]) : std::nullopt;
        title = std::move(words);
        return;
      }
      const std::size_t needed = before_.empty() ? known.now : std::min(known.now, known.before);
      if (!title_at || !is_fact(words) || times(words) >= needed) return;
      if (reported.insert(words).second) report(*title_at, "the table `" + title + "` lacks the row `" + words + '`', true);
    });
  }

  /// A title or a row, no line of a frame or heading.
  static bool is_fact(std::string_view words) {
    return std::ranges::any_of(words, [](char c) { return is_letter(c) || is_digit(c); }) && !words.starts_with("Name ") &&
           !is_of_whole(words);
  }
  /// The hash, and the name that is made of it.
  static bool is_of_whole(std::string_view words) { return words.starts_with("shader hash: ") || words.starts_with("shader debug name: "); }

  /// `visit(words)` for each line of tables.
  template <class F>
  static void for_each_line(std::string_view table, F&& visit) {
    for (std::size_t at = 0; at < table.size();) {
      const std::size_t end = std::min(table.find('\n', at), table.size());
      visit(words_of(table.substr(at, end - at)));
      at = end + 1;
    }
  }
  static void count_lines(std::string_view table, std::unordered_map<std::string, Counts>& counts, std::size_t Counts::* which) {
    for_each_line(table, [&](std::string words) {
      if (!words.empty()) ++(counts[std::move(words)].*which);
    });
  }

  void check_place(std::span<const PlacedComment> comments) {
    const By by = comments[0].by;
    const std::string expected = now_.at(by, comments[0].index);
    bool differs = false;
    for (const PlacedComment& comment : comments) {
      const std::string text = words_of(text_of(comment));
      if (text.empty()) continue;
      if (text == expected || was_there(by, comments[0].index, text)) return;
      differs = true;
    }
    const bool has_newer = !newest_.empty() && !newest_.front().at(by, comments[0].index).empty();
    if (!differs || (expected.empty() && was(by, comments[0].index).empty() && !has_newer)) return;
    const PlacedComment& last = comments.back();
    const std::string text = words_of(text_of(last));
    // Lines of their own may be somebody's.
    if (by != By::instruction && !are_alike(text, expected) && !are_alike(text, was(by, last.index))) return;
    report(last.begin, "the comment `" + text + "` does not match " + place_text(by) + (expected.empty() ? "" : ": `" + expected + '`'));
  }

  static std::string place_text(By by) {
    switch (by) {
      case By::function: return "the function";
      case By::block: return "the block";
      default: return "the instruction";
    }
  }

  /// Where the thing was in the listing before: of its function, by name, what has the same number. Empty if that had another length.
  std::string was(By by, std::uint32_t index) const {
    if (before_.empty()) return {};
    const Listing& before = before_.front();
    if (by == By::function) {
      const std::uint32_t* const function = before.function(now_.name_of(index));
      return function == nullptr ? std::string() : before.at(by, *function);
    }
    const auto range = [&](const Body& body) { return by == By::block ? body.blocks : body.instructions; };
    const Body* const body = body_with(by, index);
    const Body* const old = body == nullptr ? nullptr : before.body(now_.name_of(body->function));
    if (old == nullptr || range(*old).count != range(*body).count) return {};
    return before.at(by, range(*old).first + index - range(*body).first);
  }

  bool was_there(By by, std::uint32_t index, const std::string& text) {
    if (before_.empty()) return false;
    if (text == was(by, index)) return true;
    // Of a function that grew or shrank, nothing tells which comment was whose.
    const auto range = [&](const Body& body) { return by == By::block ? body.blocks : body.instructions; };
    const Body* const body = by == By::function ? nullptr : body_with(by, index);
    const Body* const old = body == nullptr ? nullptr : before_.front().body(now_.name_of(body->function));
    return old != nullptr && range(*old).count != range(*body).count && before_.front().has(text);
  }

  /// The function of an instruction or block.
  const Body* body_with(By by, std::uint32_t index) const {
    const auto& bodies = now_.module().bodies;
    const auto behind = std::upper_bound(bodies.begin(), bodies.end(), index, [&](std::uint32_t at, const Body& body) {
      return at < (by == By::block ? body.blocks : body.instructions).first;
    });
    return behind == bodies.begin() ? nullptr : &*(behind - 1);
  }

  std::string_view text_;
  const std::vector<PlacedComment>& written_;
  std::string_view now_lines_;
  std::string_view before_lines_;
  Listing now_;
  std::vector<Listing> before_;  ///< none or one
  std::vector<Listing> newest_;  ///< likewise
  CommentOptions options_;
  std::vector<Message> found_;
};

}  // namespace

ListedComments list_comments(const Module& module, std::size_t file_bytes, const AskedDxc& dxc, std::string sections) {
  ListedComments listed;
  listed.module = &module;
  listed.sections = std::move(sections);
  Text text;
  if (!list_module_comments(module, file_bytes, dxc, text, listed.comments)) listed.comments.clear();
  listed.text = text.str();
  return listed;
}

std::vector<Message> find_edited_comments(std::string_view text, const std::vector<PlacedComment>& written, const ListedComments& now,
                                          const ListedComments* before, const CommentOptions& options) {
  return CommentCheck(text, written, now, before, options).run();
}

std::uint32_t sections_checksum(std::string_view lines) {
  // FNV-1a
  std::uint32_t sum = 0x811c'9dc5;
  const auto add = [&](char c) { sum = (sum ^ static_cast<unsigned char>(c)) * 0x0100'0193; };
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string words = words_of(lines.substr(at, end - at));
    for (const char c : words) add(c);
    if (!words.empty()) add('\n');
    at = end + 1;
  }
  return sum;
}

}  // namespace unshade::dxil::listing
