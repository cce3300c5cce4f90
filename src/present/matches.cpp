#include <unshade/present/matches.hpp>

#include <cmath>

namespace unshade::present {

std::uint64_t percent(double similarity) { return static_cast<std::uint64_t>(std::floor(100 * similarity)); }

std::vector<bool> counterparts(const MatchedFiles& files) {
  std::vector<bool> taken(files.after.size());
  for (const find::Match& match : files.matches)
    if (!match.counterparts.empty()) taken[match.counterparts.front().index] = true;
  return taken;
}

void write_matches(const MatchedFiles& files, std::span<const Fault> faults, Json& json) {
  begin_document(Schema::match, json);
  json.key("matches");
  json.begin_array();
  for (std::size_t i = 0; i < files.matches.size(); ++i) {
    const find::Match& match = files.matches[i];
    if (!files.shows(match)) continue;
    json.object([&] {
      json.member("before", files.before[i]);
      json.member("kind", id(match.counterparts.empty() ? find::MatchKind::none : match.counterparts.front().kind));
      json.member("ambiguous", match.ambiguous);
      json.objects("counterparts", match.counterparts, [&](const find::Counterpart& one) {
        json.member("after", files.after[one.index]);
        json.member("kind", id(one.kind));
        json.member("percent", percent(one.similarity));
      });
    });
  }
  json.end_array();
  json.key("only_after");
  json.begin_array();
  const std::vector<bool> taken = counterparts(files);
  for (std::size_t i = 0; i < files.after.size(); ++i)
    if (!taken[i]) json.string(files.after[i]);
  json.end_array();
  write_faults(faults, json);
  end_document(json);
}

}  // namespace unshade::present
