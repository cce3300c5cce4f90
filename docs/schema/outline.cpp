#include "outline.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace unshade::docs {

namespace {

/// A description that no outline can show is a fault of this program.
[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "unshade_schema: %s\n", message.c_str());
  std::exit(2);
}

}  // namespace

const Outline* OutlineBook::find(std::string_view name) const {
  const auto found = std::find_if(outlines.begin(), outlines.end(), [&](const Outline& outline) { return outline.name == name; });
  return found == outlines.end() ? nullptr : &*found;
}

std::string OutlineBook::add(const std::string& name, const std::string& variant, std::vector<OutlineItem> items) {
  std::string free = name;
  for (unsigned number = 1;; ++number) {
    const Outline* const known = find(free);
    if (known == nullptr) break;
    if (known->items == items) return free;
    free = name + (variant.empty() ? "" : '_' + variant) + (number == 1 && !variant.empty() ? "" : '_' + std::to_string(number + 1));
  }
  outlines.push_back({free, std::move(items)});
  return free;
}

std::string Outliner::singular(std::string name) {
  if (name.size() > 2 && name.ends_with('s') && !name.ends_with("ss")) name.pop_back();
  return name;
}

std::string Outliner::names_id(const FieldType& type) const {
  std::string id(type.name);
  std::replace_if(id.begin(), id.end(), [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); }, '_');
  return id;
}

OutlineItem& Outliner::add(const char* name, OutlineItem::Kind kind, unsigned size) {
  OutlineItem item;
  item.kind = kind;
  item.id = name;
  item.size = size;
  item.at = at_;
  item.only_if = frame_.only_if;
  const auto is_taken = [&](const std::string& id) {
    return std::any_of(frame_.items.begin(), frame_.items.end(), [&](const OutlineItem& other) { return other.id == id; });
  };
  for (unsigned number = 2; is_taken(item.id); ++number) item.id = std::string(name) + '_' + std::to_string(number);
  frame_.items.push_back(std::move(item));
  return frame_.items.back();
}

Expression Outliner::expression_of(std::uint64_t value) const {
  constexpr std::uint64_t kMostPlain = 4096;
  if (value <= 0x7f) return {{}, 1, static_cast<std::int64_t>(value)};
  const auto of = [&](const Frame& frame, const std::string& before) -> std::optional<Expression> {
    constexpr std::int64_t kNear = 64;
    for (const auto& [number, field] : frame.numbers)
      for (const std::uint64_t times : {1, 2, 4, 8, 12, 16}) {
        const auto plus = static_cast<std::int64_t>(value - times * number);
        // numbers of 16 and 8 bits lie close to each other
        if (number < 0x1'0000 ? plus == 0 : plus > -kNear && plus < kNear) return Expression{before + field, times, plus};
      }
    return std::nullopt;
  };
  if (auto found = of(frame_, {})) return *found;
  if (around_ != nullptr)
    if (auto found = of(*around_, "_parent.")) return *found;
  if (value <= kMostPlain) return {{}, 1, static_cast<std::int64_t>(value)};
  give_up("no field gives the value " + std::to_string(value) + " in a record of " + root_);
}

void Outliner::text_at(const char* name, bool is_optional) {
  std::uint32_t offset = 0;
  u32(name, offset, kOffset);
  const std::string field = frame_.items.back().id;
  OutlineItem& text = add((std::string(name) + "_text").c_str(), OutlineItem::Kind::text, 0);
  text.at = Expression{field};
  text.is_optional = is_optional;
}

void Outliner::pointed(const char* name, const std::string& target) {
  const std::string field = add((std::string(name) + "_offset").c_str(), OutlineItem::Kind::integer, 4).id;
  OutlineItem& item = add(name, OutlineItem::Kind::record, 0);
  item.at = Expression{field};
  item.is_optional = true;
  item.target = target;
}

void Outliner::join(std::vector<OutlineItem>& items, const std::vector<OutlineItem>& plain, std::vector<OutlineItem> other,
                    const std::string& field, std::uint32_t value, const std::string& name) {
  if (other == plain) return;
  std::size_t same = 0;
  while (same < plain.size() && same < other.size() && plain[same] == other[same]) ++same;
  // one item that points to something else
  if (plain.size() == other.size() && same < plain.size()) {
    OutlineItem there = other[same];
    there.target = plain[same].target;
    if (there == plain[same] && std::equal(plain.begin() + static_cast<std::ptrdiff_t>(same) + 1, plain.end(),
                                           other.begin() + static_cast<std::ptrdiff_t>(same) + 1)) {
      items[same].switch_on = field;
      items[same].targets.emplace_back(value, other[same].target);
      return;
    }
  }
  // else all that follows is a record of its own, by the value
  for (std::size_t i = same; i < other.size(); ++i)
    if (other[i].at) give_up("the tail of " + name + " depends on " + field + ", and points elsewhere");
  OutlineItem tail;
  tail.kind = OutlineItem::Kind::record;
  tail.id = "rest";
  tail.switch_on = field;
  if (same >= items.size() || items[same].id != "rest") {
    std::vector<OutlineItem> usual(items.begin() + static_cast<std::ptrdiff_t>(same), items.end());
    tail.target = book_->add(name + "_rest", {}, std::move(usual));
    items.resize(same);
    items.push_back(tail);
  }
  items[same].targets.emplace_back(value,
                                   book_->add(name + "_rest", variant_, {other.begin() + static_cast<std::ptrdiff_t>(same), other.end()}));
}

}  // namespace unshade::docs
