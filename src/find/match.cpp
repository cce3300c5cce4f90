#include <unshade/find/match.hpp>

#include <algorithm>
#include <unordered_map>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/find/identity.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/file_summary.hpp>
#include <unshade/shader/listing.hpp>

namespace unshade::find {

namespace {

/// How many values of a sketch make a band: those that share no band are not compared. With 16 bands, of those that have half of their
/// runs in common one in a hundred shares none.
constexpr std::size_t kBandValues = 2;
/// A shader is given to another one that is more like it only where the next is nearly as similar.
constexpr double kGivenAway = 0.1;
/// Of shaders that share a band, so many are compared in full with one.
constexpr std::size_t kMostCompared = 24;

std::vector<std::uint64_t> line_hashes(std::string_view text) {
  std::vector<std::uint64_t> hashes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(" \t/;") != std::string_view::npos) hashes.push_back(fnv1_64(View(std::as_bytes(std::span(line)))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

/// The part of the lines of both that both have.
double common_part(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::size_t common = 0;
  for (auto i = a.begin(), k = b.begin(); i != a.end() && k != b.end();) {
    if (*i == *k) ++common;
    const bool is_less = *i <= *k;
    const bool is_more = *k <= *i;
    if (is_less) ++i;
    if (is_more) ++k;
  }
  const std::size_t lines = a.size() + b.size();
  return lines == 0 ? 1 : 2 * static_cast<double>(common) / static_cast<double>(lines);
}

/// The code weighs more than names and constants, which tell those apart whose code is the same.
double likeness(const Fingerprint& a, const Fingerprint& b) {
  return 0.75 * common_part(a.plain_lines, b.plain_lines) + 0.25 * common_part(a.lines, b.lines);
}

bool is_same_kind(const Fingerprint& a, const Fingerprint& b) { return a.family == b.family && a.stage == b.stage; }

MatchKind kind_of(const Fingerprint& a, const Fingerprint& b) {
  if (a.bytes == b.bytes) return MatchKind::same;
  if (a.code && a.code == b.code) return MatchKind::code;
  if (a.plain && a.plain == b.plain) return MatchKind::plain;
  return MatchKind::alike;
}

bool is_better(const Counterpart& a, const Counterpart& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.index < b.index;
}

/// Shaders by what they share.
class Shelves {
 public:
  explicit Shelves(std::span<const Fingerprint> shaders) : shaders_(shaders) {
    for (std::size_t i = 0; i < shaders.size(); ++i) for_each_key(shaders[i], [&](std::uint64_t key) { shelves_[key].push_back(i); });
  }

  /// Those that may be counterparts, the likeliest first, as far as sketches tell.
  std::vector<std::size_t> near(const Fingerprint& shader) const {
    std::unordered_map<std::size_t, double> seen;
    for_each_key(shader, [&](std::uint64_t key) {
      const auto shelf = shelves_.find(key);
      if (shelf == shelves_.end()) return;
      for (const std::size_t i : shelf->second) {
        if (!is_same_kind(shader, shaders_[i])) continue;
        seen.try_emplace(i, rank(shader, shaders_[i]));
      }
    });
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [i, value] : seen) order.emplace_back(-value, i);
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < std::min(order.size(), kMostCompared); ++i) found.push_back(order[i].second);
    return found;
  }

 private:
  static double rank(const Fingerprint& a, const Fingerprint& b) {
    const MatchKind kind = kind_of(a, b);
    if (kind != MatchKind::alike) return 4.0 - static_cast<double>(kind);
    return a.sketch && b.sketch ? similarity(*a.sketch, *b.sketch) : 0;
  }

  template <class F>
  static void for_each_key(const Fingerprint& shader, const F& f) {
    const auto key_of = [](std::uint64_t which, std::span<const std::byte> bytes) { return fnv1_64(View(bytes), kFnvBasis + which); };
    f(key_of(100, shader.bytes));
    if (shader.code) f(key_of(101, *shader.code));
    if (shader.plain) f(key_of(102, *shader.plain));
    if (!shader.sketch) return;
    for (std::size_t i = 0; i < kSketchHashes; i += kBandValues)
      f(key_of(i, std::as_bytes(std::span(*shader.sketch).subspan(i, kBandValues))));
  }

  std::span<const Fingerprint> shaders_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> shelves_;
};

/// Gives each new shader to the old one that is most like it, where several have it first.
void share_out(std::vector<Match>& matches) {
  struct Claim {
    std::size_t before;
    Counterpart of;
  };
  std::vector<Claim> claims;
  std::size_t most = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    for (const Counterpart& one : matches[i].counterparts) {
      const Counterpart& best = matches[i].counterparts.front();
      if (one.kind != best.kind || one.similarity < best.similarity - kGivenAway) break;
      claims.push_back({i, one});
      most = std::max(most, one.index + 1);
    }
  }
  std::stable_sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
    return a.of.kind != b.of.kind ? a.of.kind < b.of.kind : a.of.similarity > b.of.similarity;
  });
  std::vector<bool> is_given(most);
  std::vector<bool> has_one(matches.size());
  for (const Claim& claim : claims) {
    if (has_one[claim.before] || is_given[claim.of.index]) continue;
    has_one[claim.before] = true;
    is_given[claim.of.index] = true;
    std::vector<Counterpart>& all = matches[claim.before].counterparts;
    const auto at = std::find_if(all.begin(), all.end(), [&](const Counterpart& one) { return one.index == claim.of.index; });
    std::rotate(all.begin(), at, at + 1);
  }
}

constexpr std::array<std::string_view, 5> kKinds = {"same", "code", "plain", "alike", "none"};

}  // namespace

std::string_view id(MatchKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

Fingerprint fingerprint(const shader::Shader& shader) {
  Fingerprint made;
  made.family = shader.family;
  made.stage = outline(shader).stage;
  made.bytes = dxcontainer::md5(shader.file);
  if (const auto code = shader::code_bytes(shader)) made.code = dxcontainer::md5(View(*code));
  if (const auto plain = shader::plain_code(shader)) {
    made.plain = dxcontainer::md5(View(std::as_bytes(std::span(*plain))));
    made.plain_lines = line_hashes(*plain);
  }
  made.sketch = sketch_of(shader);
  if (Text text; shader::disassemble(shader, text, {.checks = &shader::listing_checks()})) made.lines = line_hashes(text.view());
  return made;
}

std::vector<Match> match(std::span<const Fingerprint> before, std::span<const Fingerprint> after, const MatchOptions& options) {
  const Shelves shelves(after);
  std::vector<Match> matches(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::vector<Counterpart>& all = matches[i].counterparts;
    for (const std::size_t k : shelves.near(before[i])) {
      const Counterpart one{k, kind_of(before[i], after[k]), likeness(before[i], after[k])};
      if (one.kind != MatchKind::alike || one.similarity >= options.threshold) all.push_back(one);
    }
    std::sort(all.begin(), all.end(), is_better);
  }
  share_out(matches);
  for (Match& found : matches) {
    std::vector<Counterpart>& all = found.counterparts;
    if (all.size() > 1) {
      const Counterpart& first = all[0];
      found.ambiguous = first.kind != MatchKind::same && std::any_of(all.begin() + 1, all.end(), [&](const Counterpart& one) {
                          return one.kind <= first.kind && one.similarity > first.similarity - kAmbiguous &&
                                 after[one.index].bytes != after[first.index].bytes;
                        });
    }
    if (all.size() > options.most) all.resize(options.most);
  }
  return matches;
}

}  // namespace unshade::find
