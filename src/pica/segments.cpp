#include <unshade/pica/segments.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include <unshade/core/text.hpp>

#include "pica/characters.hpp"

namespace unshade::pica {

using characters::is_name;

Segments::Segments(const Shbin& shbin, std::span<const Instruction> words) {
  split(shbin, words);
  name(shbin);
  own(shbin, words);
  label_targets(shbin, words);
}

void Segments::split(const Shbin& shbin, std::span<const Instruction> words) {
  const auto size = static_cast<std::uint32_t>(words.size());
  struct Range {
    std::uint32_t start;
    std::uint32_t end;
  };
  std::vector<Range> ranges;
  for (const Instruction& i : words)
    if (info(i.opcode).flow == Flow::call && i.count != 0 && i.target < size && i.count <= size - i.target)
      ranges.push_back({i.target, std::uint32_t{i.target} + i.count});
  for (const Executable& e : shbin.executables)
    if (e.entry_words < e.end_words && e.end_words <= size) ranges.push_back({e.entry_words, e.end_words});
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; });
  std::vector<std::uint32_t> entries;
  for (const Executable& e : shbin.executables) entries.push_back(e.entry_words);
  std::sort(entries.begin(), entries.end());
  std::uint32_t at = 0;
  const auto fill = [&](std::uint32_t to) {
    auto entry = std::upper_bound(entries.begin(), entries.end(), at);
    while (at < to) {
      while (entry != entries.end() && *entry <= at) ++entry;
      const std::uint32_t end = entry != entries.end() && *entry < to ? *entry : to;
      all_.push_back({at, end, {}, kNoUnit, false});
      at = end;
    }
  };
  for (const Range& range : ranges) {
    if (range.start < at) continue;
    fill(range.start);
    all_.push_back({range.start, range.end, {}, kNoUnit, false});
    at = range.end;
  }
  fill(size);
}

const Segment* Segments::find(std::uint32_t address) const {
  const auto next = std::upper_bound(all_.begin(), all_.end(), address, [](std::uint32_t a, const Segment& s) { return a < s.start; });
  return next != all_.begin() && address < std::prev(next)->end ? &*std::prev(next) : nullptr;
}

Segment* Segments::find(std::uint32_t address) {
  const Segment* const found = std::as_const(*this).find(address);
  return found != nullptr ? &all_[static_cast<std::size_t>(found - all_.data())] : nullptr;
}

const Segment* Segments::procedure(std::uint32_t start, std::uint32_t end) const {
  const Segment* const found = find(start);
  return found != nullptr && found->start == start && found->end == end ? found : nullptr;
}

void Segments::name(const Shbin& shbin) {
  std::set<std::string, std::less<>> taken;
  const auto give = [&](Segment& segment, std::string name) {
    std::string text = name;
    for (unsigned i = 1; taken.contains(text); ++i) text = name + '_' + std::to_string(i);
    taken.insert(text);
    segment.name = std::move(text);
  };
  for (const Executable& e : shbin.executables) {
    for (const Label& label : e.labels) {
      Segment* const segment = find(label.address_words);
      if (segment != nullptr && segment->start == label.address_words && segment->name.empty() && label.symbol.text.size() <= kNameLength &&
          is_name(label.symbol.text) && !taken.contains(label.symbol.text))
        give(*segment, label.symbol.text);
    }
  }
  for (const Executable& e : shbin.executables) {
    Segment* const segment = find(e.entry_words);
    if (segment != nullptr && segment->start == e.entry_words && segment->name.empty()) give(*segment, "main");
  }
  for (Segment& segment : all_) {
    if (!segment.name.empty()) continue;
    Text text;
    (text << "proc_0x").hex(segment.start);
    give(segment, text.str());
  }
}

void Segments::own(const Shbin& shbin, std::span<const Instruction> words) {
  std::vector<std::uint32_t> work;
  for (std::size_t unit = 0; unit < shbin.executables.size(); ++unit) {
    work.push_back(shbin.executables[unit].entry_words);
    while (!work.empty()) {
      Segment* const segment = find(work.back());
      work.pop_back();
      if (segment == nullptr || segment->unit != kNoUnit) continue;
      segment->unit = static_cast<std::uint16_t>(std::min<std::size_t>(unit, kNoUnit - 1));
      for (std::uint32_t i = segment->start; i < segment->end; ++i) {
        const Flow flow = info(words[i].opcode).flow;
        if (flow == Flow::call || flow == Flow::jump) work.push_back(words[i].target);
      }
    }
  }
  std::uint16_t at = 0;
  for (Segment& segment : all_) {
    if (segment.unit == kNoUnit || segment.unit < at) {
      segment.shared = segment.unit != kNoUnit;
      segment.unit = at;
    }
    at = segment.unit;
  }
}

void Segments::label_targets(const Shbin& shbin, std::span<const Instruction> words) {
  for (const Segment& from : all_) {
    for (std::uint32_t i = from.start; i < from.end; ++i) {
      const Instruction& word = words[i];
      if (info(word.opcode).flow != Flow::jump) continue;
      const Segment* const to = find(word.target);
      if (to == nullptr || to->unit != from.unit || labels_.contains(word.target)) continue;
      Text text;
      (text << "label_0x").hex(word.target);
      labels_.emplace(word.target, text.str());
    }
  }
  std::set<std::string, std::less<>> taken;
  for (const Executable& e : shbin.executables) {
    for (const Label& label : e.labels) {
      const auto found = labels_.find(label.address_words);
      if (found == labels_.end() || label.symbol.text.size() > kNameLength || !is_name(label.symbol.text) ||
          label.symbol.text.starts_with("label_0x"))
        continue;
      if (taken.insert(label.symbol.text).second) found->second = label.symbol.text;
    }
  }
}

}  // namespace unshade::pica
