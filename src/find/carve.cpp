#include <unshade/find/carve.hpp>

#include <algorithm>
#include <array>

#include "find/check.hpp"
#include "find/needles.hpp"

namespace unshade::find {

namespace {

/// The hit at a candidate, if its family reads it.
std::optional<Hit> hit_of(Form form, View from, const Checked& checked) {
  const View bytes = from.clamped(0, static_cast<std::size_t>(checked.size));
  const auto opened = shader::open(bytes);
  if (!opened) return std::nullopt;
  return Hit{bytes.file_offset(), bytes.size(), form, opened->family, checked.certainty, std::nullopt};
}

/// Whether shaders of a form never hold others of that form.
constexpr bool is_solid(Form form) { return form == Form::spirv || form == Form::shbin || form == Form::bitcode; }

constexpr std::array<std::string_view, 3> kCertainties = {"possible", "likely", "certain"};

}  // namespace

std::string_view id(Certainty certainty) { return kCertainties[static_cast<std::size_t>(certainty)]; }

Carved carve(View piece, std::size_t starts, bool is_last) {
  Carved carved;
  std::vector<Candidate> candidates;
  find_needles(piece.clamped(0, starts + kNeedleBytes - 1), candidates);
  Work work = Work::of(piece.size());
  std::uint64_t solid_end = 0;      // of the last hit that holds no others of its form
  std::uint64_t container_end = 0;  // of the last container
  Form solid_form{};
  for (const Candidate& candidate : candidates) {
    if (candidate.offset >= starts) break;
    if (candidate.offset < solid_end && candidate.form == solid_form) continue;
    if (candidate.offset < container_end && candidate.form == Form::bitcode) continue;
    const View from = piece.clamped(candidate.offset, piece.size());
    const Checked checked = check(candidate.form, from, is_last, work);
    if (checked.verdict == Verdict::unfinished) carved.unfinished.push_back({from.file_offset(), static_cast<std::size_t>(checked.size)});
    if (checked.verdict != Verdict::found) continue;
    const auto hit = hit_of(candidate.form, from, checked);
    if (!hit) continue;
    const std::uint64_t end = candidate.offset + hit->size;
    if (candidate.form == Form::container && hit->certainty != Certainty::possible) container_end = std::max(container_end, end);
    if (is_solid(candidate.form)) {
      solid_end = end;
      solid_form = candidate.form;
    }
    carved.hits.push_back(*hit);
  }
  return carved;
}

void nest(std::vector<Hit>& hits) {
  std::sort(hits.begin(), hits.end(),
            [](const Hit& a, const Hit& b) { return a.offset != b.offset ? a.offset < b.offset : a.size > b.size; });
  std::vector<Hit> kept;
  std::vector<std::size_t> open;  // in `kept`: those that reach beyond where the next one begins, the innermost last
  for (Hit& hit : hits) {
    while (!open.empty() && kept[open.back()].offset + kept[open.back()].size <= hit.offset) open.pop_back();
    hit.parent.reset();
    if (!open.empty()) {
      const Hit& around = kept[open.back()];
      const bool is_inside = hit.offset + hit.size <= around.offset + around.size;
      const bool is_own = hit.certainty != Certainty::possible && !(is_solid(hit.form) && hit.form == around.form) &&
                          !(hit.form == Form::bitcode && around.form == Form::container);
      if (!is_inside || !is_own) continue;
      hit.parent = around.offset;
    }
    open.push_back(kept.size());
    kept.push_back(hit);
  }
  hits = std::move(kept);
}

}  // namespace unshade::find
