#include "shader/diff/lines.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <unordered_set>
#include <utility>

#include "shader/diff/scanner.hpp"

namespace unshade::shader::diff {

namespace {

/// A name and where it holds.
struct Name {
  std::uint32_t scope;
  std::string_view text;
  bool operator==(const Name&) const = default;
};
struct NameHash {
  std::size_t operator()(const Name& name) const {
    return std::hash<std::string_view>()(name.text) ^ name.scope * std::size_t{0x9e37'79b9};
  }
};

/// Gathers the lines of a listing that stays where it is.
class NumberedLines {
 public:
  NumberedLines(ScannedListing& out, TextNumbers& skeletons) : out_(out), skeletons_(skeletons) {}

  void name(std::string_view text, bool defines, std::uint32_t scope) {
    const auto [entry, is_new] = numbers_.try_emplace(Name{scope, text}, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) out_.defined_in.push_back(kNoLine);
    out_.names.push_back(entry->second);
    std::uint32_t& defined = out_.defined_in[entry->second];
    if (defines && defined == kNoLine) defined = static_cast<std::uint32_t>(out_.lines.size());
  }
  void label(std::string_view digits, std::uint32_t scope) { name(*labels_.insert("%" + std::string(digits)).first, true, scope); }

  void line(std::string_view skeleton, std::string_view line, std::size_t at, std::uint32_t number) {
    const auto end = static_cast<std::uint32_t>(out_.names.size());
    out_.text.lines.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(line.size()), number});
    out_.lines.push_back({skeletons_.of(skeleton), first_name_, end - first_name_});
    first_name_ = end;
  }

  void drop_unreached_metadata() {
    const std::vector<bool> reached = reached_lines(
        out_.lines.size(), [&](std::size_t i) { return is_metadata(out_.text.line(i)); },
        [&](std::size_t i) { return std::span(out_.names).subspan(out_.lines[i].first_name, out_.lines[i].name_count); }, out_.defined_in);
    std::vector<std::uint32_t> moved(out_.lines.size(), kNoLine);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < out_.lines.size(); ++i) {
      if (!reached[i]) continue;
      out_.lines[kept] = out_.lines[i];
      out_.text.lines[kept] = out_.text.lines[i];
      moved[i] = kept++;
    }
    out_.lines.resize(kept);
    out_.text.lines.resize(kept);
    for (std::uint32_t& defined : out_.defined_in)
      if (defined != kNoLine) defined = moved[defined];
  }

 private:
  ScannedListing& out_;
  TextNumbers& skeletons_;
  std::uint32_t first_name_ = 0;  // of the line at hand
  std::unordered_map<Name, std::uint32_t, NameHash> numbers_;
  std::unordered_set<std::string> labels_;  // nodes stay where they are
};

}  // namespace

ScannedListing scan_listing(Syntax syntax, std::string listing, bool exact_text, TextNumbers& skeletons) {
  ScannedListing out;
  out.text.text = std::move(listing);
  NumberedLines lines(out, skeletons);
  Scanner(syntax, lines).run(out.text.text, exact_text);
  if (!exact_text && syntax == Syntax::llvm) lines.drop_unreached_metadata();
  return out;
}

}  // namespace unshade::shader::diff
