// Each node makes a unit of itself and all that is placed below it, the inner ones first: a head (the node over its arms, side by side), a
// stack (the head over what comes after), and for a loop another stack of its frame over what comes after the loop. Edges that leave a unit
// are its exits, at places of its lower side, those with the nearest targets on the left. A stack lets an exit down to what it is for, and
// leads others past it in lanes on its right. Positions are relative to the unit until all are known.
#include <unshade/present/graph/layout.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "present/graph/crossings.hpp"

namespace unshade::present {

namespace {

constexpr std::uint32_t kNone = Nesting::kNone;

constexpr std::int32_t kMargin = 12;
constexpr std::int32_t kArmGap = 24;  ///< arms
constexpr std::int32_t kLane = 10;    ///< between lanes
constexpr std::int32_t kTrack = 8;    ///< between horizontal lines
constexpr std::int32_t kBus = 10;     ///< from a node to the line that its arms hang from
constexpr std::int32_t kDrop = 20;    ///< from that line to the arms: room for a label
constexpr std::int32_t kArrow = 14;   ///< from the last line to a node
constexpr std::int32_t kGap = 22;     ///< between nodes one over the other
constexpr std::int32_t kFrame = 8;    ///< around a loop
constexpr std::int32_t kGutter = 18;  ///< on the left of a loop, with the frame
constexpr std::int32_t kLead = 26;    ///< from the upper side of a loop's frame to its header
constexpr std::int32_t kReturn = 14;  ///< from there to the line that comes back

class LayoutMaker {
 public:
  LayoutMaker(std::span<const LayoutBox> sizes, std::span<const LayoutEdge> edges, const Nesting& nesting)
      : sizes_(sizes), edges_(edges), nesting_(nesting), count_(static_cast<std::uint32_t>(sizes.size())) {
    room_ = kRoomBase + kRoomPerThing * (sizes.size() + edges.size());
  }

  Result<Layout> make() {
    gather();
    units_.resize(3 * std::size_t{count_} + 1);
    built_.resize(count_);
    middle_.resize(count_);
    const auto order = nesting_.order();
    for (std::size_t k = order.size(); k-- > 0 && room_ != 0;) build(order[k]);
    if (room_ == 0) return Error{ErrorCode::limit, 0, "graph", "the graph nests too deeply to be drawn"};
    place_roots();
    return finish();
  }

 private:
  static constexpr std::size_t kRoomBase = std::size_t{1} << 20;
  static constexpr std::size_t kRoomPerThing = 64;

  /// An edge on its way down: at its target's key, and where its last line ends.
  struct Exit {
    std::uint32_t target;  ///< a node, or count_ and the header of a loop whose end it goes to
    std::int32_t x, y;
    std::uint32_t wire;
  };
  /// Something in a stack.
  struct Item {
    std::uint32_t target = kNone;  ///< what exits name that go to it
    std::uint32_t unit = kNone;
    std::int32_t width = 0, height = 0;
    std::int32_t entry = 0;  ///< where one comes in, at the upper side
    std::int32_t lead = 0;   ///< from there down to the node
    std::vector<Exit> exits{};
  };
  struct Unit {
    std::uint32_t parent = kNone;
    std::int32_t x = 0, y = 0;
    std::int32_t width = 0, height = 0;
  };
  /// Part of an edge, or of all edges with one target. Goes on in another.
  struct Wire {
    std::uint32_t unit;
    std::uint32_t next = kNone;
    std::uint32_t target = kNone;  ///< that it ends at
    std::uint8_t count = 0;
    std::array<LayoutPoint, 4> points{};
  };

  std::uint32_t outer(std::uint32_t node) const { return node; }
  std::uint32_t inner(std::uint32_t node) const { return count_ + node; }
  std::uint32_t head(std::uint32_t node) const { return 2 * count_ + node; }

  // --- what is near --------------------------------------------------------------------------------------------------------------------

  void gather() {
    depth_.assign(count_, 0);
    after_.assign(count_, {});
    after_loop_.assign(count_, {});
    for (const std::uint32_t node : nesting_.order()) {
      const std::uint32_t parent = nesting_.parent(node);
      if (parent == kNone) {
        roots_.push_back(node);
        continue;
      }
      depth_[node] = depth_[parent] + 1;
      if (nesting_.place(node) == Nesting::Place::after) after_[parent].push_back(node);
      if (nesting_.place(node) == Nesting::Place::after_loop) after_loop_[parent].push_back(node);
    }
    // The edges of each node, one to each target: others lie on it.
    first_.assign(count_ + std::size_t{1}, 0);
    same_.resize(edges_.size());
    std::vector<std::uint32_t> by_node(edges_.size());
    for (const LayoutEdge& edge : edges_) ++first_[edge.from + std::size_t{1}];
    for (std::uint32_t n = 0; n < count_; ++n) first_[n + std::size_t{1}] += first_[n];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) by_node[next[edges_[e].from]++] = e;
    std::vector<std::uint32_t> seen(count_, kNone);
    own_.clear();
    std::vector<std::uint32_t> starts(count_ + std::size_t{1}, 0);
    for (std::uint32_t n = 0; n < count_; ++n) {
      starts[n] = static_cast<std::uint32_t>(own_.size());
      for (std::uint32_t k = first_[n]; k < first_[n + std::size_t{1}]; ++k) {
        const std::uint32_t e = by_node[k];
        std::uint32_t& other = seen[edges_[e].to];
        const bool is_new = other == kNone || edges_[other].from != n;
        if (is_new) other = e;
        same_[e] = other;
        if (is_new && nesting_.way(n, edges_[e].to) != Nesting::Way::irregular) own_.push_back(e);
      }
    }
    starts[count_] = static_cast<std::uint32_t>(own_.size());
    first_ = std::move(starts);
    start_wire_.assign(edges_.size(), kNone);
    labels_.assign(edges_.size(), {});
  }

  /// Less for what is nearer: deeper inside, and earlier in its stack.
  std::uint64_t distance(std::uint32_t target) const {
    const bool is_latch = target >= count_;
    const std::uint32_t node = is_latch ? target - count_ : target;
    std::uint32_t depth = 0;
    if (is_latch)
      depth = 2 * depth_[node] + 1;
    else if (nesting_.place(node) == Nesting::Place::after_loop)
      depth = 2 * depth_[nesting_.parent(node)];
    else if (nesting_.parent(node) != kNone)
      depth = 2 * depth_[nesting_.parent(node)] + 1;
    return std::uint64_t{~depth} << 32 | (is_latch ? kNone : nesting_.number(node));
  }

  // --- wires ---------------------------------------------------------------------------------------------------------------------------

  std::uint32_t add_wire(std::uint32_t unit, std::initializer_list<LayoutPoint> points, std::uint32_t next = kNone,
                         std::uint32_t target = kNone) {
    Wire wire{unit, next, target, 0, {}};
    for (const LayoutPoint point : points) wire.points[wire.count++] = point;
    wires_.push_back(wire);
    if (room_ != 0) --room_;
    return static_cast<std::uint32_t>(wires_.size() - 1);
  }
  /// Leads an exit on to `points`, the first of which is below its end.
  void lead(const Exit& exit, std::uint32_t unit, std::initializer_list<LayoutPoint> points, std::uint32_t next,
            std::uint32_t target = kNone) {
    const std::uint32_t added = add_wire(unit, points, next, target);
    Wire& wire = wires_[added];
    for (std::uint8_t k = wire.count++; k > 0; --k) wire.points[k] = wire.points[k - 1U];
    wire.points[0] = {exit.x, exit.y};
    wires_[exit.wire].next = added;
  }

  // --- heads ---------------------------------------------------------------------------------------------------------------------------

  struct Element {
    std::uint32_t edge = 0;
    Item item{};
    bool is_arm = false;
    std::uint64_t farthest = 0, nearest = 0;  ///< distances of the targets of its exits
    std::int32_t x = 0;
  };

  std::uint32_t key_of(std::uint32_t from, std::uint32_t to) const {
    return nesting_.way(from, to) == Nesting::Way::back ? count_ + to : to;
  }

  /// A node over its arms.
  Item make_head(std::uint32_t node) {
    const LayoutBox& size = sizes_[node];
    const auto edges = std::span(own_).subspan(first_[node], first_[node + std::size_t{1}] - first_[node]);
    Item made{kNone, head(node), size.width, size.height, size.width / 2, 0, {}};
    middle_[node] = made.entry;
    std::vector<Element> elements;
    std::size_t arms = 0;
    for (const std::uint32_t e : edges) {
      const std::uint32_t to = edges_[e].to;
      Element element{e};
      element.is_arm = nesting_.way(node, to) == Nesting::Way::arm;
      if (element.is_arm) {
        ++arms;
        element.item = std::move(built_[to]);
        if (!element.item.exits.empty()) {
          element.nearest = distance(element.item.exits.front().target);
          element.farthest = distance(element.item.exits.back().target);
        }
      } else {
        const std::uint32_t target = key_of(node, to);
        element.item = {kNone, kNone, std::max(kLane, edges_[e].label_width), 0, 4, 0, {{target, 4, 0, kNone}}};
        element.nearest = element.farthest = distance(target);
      }
      elements.push_back(std::move(element));
    }
    const std::int32_t below = size.height;
    if (elements.empty()) return made;
    if (elements.size() == 1 && !elements[0].is_arm) {
      const std::uint32_t e = elements[0].edge;
      start_wire_[e] = add_wire(made.unit, {{made.entry, below}});
      labels_[e] = {made.entry + 4, below + kGap / 2};
      made.exits.push_back({elements[0].item.exits[0].target, made.entry, below, start_wire_[e]});
      return made;
    }
    // What leaves farther goes to the right, so that it need not pass what others leave for.
    std::stable_sort(elements.begin(), elements.end(), [](const Element& a, const Element& b) {
      return a.farthest != b.farthest ? a.farthest < b.farthest : a.nearest < b.nearest;
    });
    std::int32_t right = 0;
    for (Element& element : elements) {
      element.x = right;
      right += element.item.width + kArmGap;
    }
    right -= kArmGap;
    const auto entry_of = [](const Element& element) { return element.x + element.item.entry; };
    std::int32_t axis = 0;
    if (arms == 1) {
      axis = entry_of(*std::find_if(elements.begin(), elements.end(), [](const Element& element) { return element.is_arm; }));
    } else {
      axis = (entry_of(elements.front()) + entry_of(elements.back())) / 2;
    }
    const std::int32_t left = std::min(0, axis - size.width / 2);
    const std::int32_t end = std::max(right, axis - size.width / 2 + size.width);
    axis -= left;
    made.width = end - left;
    made.entry = middle_[node] = axis;
    const bool is_single = elements.size() == 1;
    const std::int32_t bus = below + kBus;
    const std::int32_t top = is_single ? below + kGap : bus + kDrop;
    made.height = top;
    for (Element& element : elements) {
      element.x -= left;
      const std::int32_t x = entry_of(element);
      labels_[element.edge] = {x + 4, top - 5};
      const std::int32_t to = top + element.item.lead;
      std::uint32_t& start = start_wire_[element.edge];
      const std::uint32_t target = element.is_arm ? edges_[element.edge].to : kNone;
      if (x == axis)
        start = add_wire(made.unit, {{axis, below}, {x, to}}, kNone, target);
      else
        start = add_wire(made.unit, {{axis, below}, {axis, bus}, {x, bus}, {x, to}}, kNone, target);
      if (element.is_arm) {
        place(element.item.unit, made.unit, element.x, top);
        made.height = std::max(made.height, top + element.item.height);
      } else {
        element.item.exits[0].wire = start;
      }
      for (Exit exit : element.item.exits) {
        exit.x += element.x;
        exit.y += top;
        made.exits.push_back(exit);
      }
    }
    return made;
  }

  // --- stacks --------------------------------------------------------------------------------------------------------------------------

  void place(std::uint32_t unit, std::uint32_t parent, std::int32_t x, std::int32_t y) {
    if (unit == kNone) return;
    units_[unit].parent = parent;
    units_[unit].x = x;
    units_[unit].y = y;
  }

  /// Where lanes are in a stack, the nearest target on the left.
  struct Lanes {
    std::vector<std::uint32_t> targets;
    std::vector<std::uint64_t> distances;
    std::vector<Exit> open;  ///< by target; without a wire: not begun, or at its end
    std::int32_t left = 0;

    std::size_t find(std::uint64_t distance) const {
      const auto found = std::lower_bound(distances.begin(), distances.end(), distance);
      return found != distances.end() && *found == distance ? static_cast<std::size_t>(found - distances.begin()) : distances.size();
    }
  };

  Lanes lanes_of(const std::vector<Item>& items) const {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> found;
    for (std::size_t k = 0; k + 1 < items.size(); ++k)
      for (const Exit& exit : items[k].exits)
        if (exit.target != items[k + 1].target) found.emplace_back(distance(exit.target), exit.target);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    Lanes lanes;
    for (const auto& [distance, target] : found) {
      lanes.targets.push_back(target);
      lanes.distances.push_back(distance);
    }
    lanes.open.assign(found.size(), {kNone, 0, 0, kNone});
    return lanes;
  }

  /// Things one over the other. `header`: of the loop that they are in whole; kNone: none.
  Item make_stack(std::uint32_t unit, std::vector<Item>& items, std::uint32_t header) {
    const bool is_loop = header != kNone;
    std::int32_t left = 0, right = 0;
    for (const Item& item : items) {
      left = std::max(left, item.entry);
      right = std::max(right, item.width - item.entry);
    }
    Lanes lanes = lanes_of(items);
    const std::int32_t axis = left + (is_loop ? kGutter : 0);
    lanes.left = axis + right + kLane;
    std::int32_t y = is_loop ? kLead : 0;
    for (std::size_t k = 0; k < items.size(); ++k) {
      Item& item = items[k];
      const std::int32_t x = axis - item.entry;
      place(item.unit, unit, x, y);
      for (Exit& exit : item.exits) exit.x += x, exit.y += y;
      room_ -= std::min(room_, item.exits.size());
      y += item.height;
      if (k + 1 < items.size())
        y = go_on(unit, item, items[k + 1], lanes, axis, y, header);
      else
        y = leave(unit, item, lanes, axis, y);
    }
    Item made{kNone, unit, axis + right, y, axis, 0, {}};
    if (!lanes.targets.empty()) made.width = lanes.left + kLane * static_cast<std::int32_t>(lanes.targets.size());
    for (std::size_t k = 0; k < lanes.open.size(); ++k)
      if (lanes.open[k].wire != kNone) out_.push_back(lanes.open[k]);
    std::sort(out_.begin(), out_.end(), [&](const Exit& a, const Exit& b) { return distance(a.target) < distance(b.target); });
    made.exits = std::exchange(out_, {});
    if (is_loop) {
      made.lead = kLead;
      made.width += kFrame;
      made.height += kFrame;
      units_[unit].width = made.width;
      units_[unit].height = made.height;
    } else {
      made.lead = items[0].lead;
    }
    return made;
  }

  std::int32_t lane_x(const Lanes& lanes, std::size_t lane) const { return lanes.left + kLane * static_cast<std::int32_t>(lane); }

  /// Lines up exits by what they are for, near ones first.
  void sort_exits(std::vector<Exit>& exits) const {
    std::stable_sort(exits.begin(), exits.end(), [&](const Exit& a, const Exit& b) {
      const std::uint64_t left = distance(a.target), right = distance(b.target);
      return left != right ? left < right : a.x < b.x;
    });
  }
  /// Calls `each(first, last)` with the exits for each target, those for the farthest first.
  template <class Each>
  static void for_each_target(std::span<Exit> exits, Each each) {
    for (std::size_t last = exits.size(); last > 0;) {
      std::size_t first = last - 1;
      while (first > 0 && exits[first - 1].target == exits[last - 1].target) --first;
      each(exits.subspan(first, last - first));
      last = first;
    }
  }

  /// Leads exits into a lane, along a line at `y`.
  void join_lane(std::uint32_t unit, std::span<Exit> exits, Lanes& lanes, std::size_t lane, std::int32_t y) {
    const std::int32_t x = lane_x(lanes, lane);
    const std::uint32_t wire = add_wire(unit, {{x, y}});
    Exit& open = lanes.open[lane];
    if (open.wire != kNone) lead(open, unit, {{x, y}}, wire);
    for (const Exit& exit : exits) lead(exit, unit, {{exit.x, y}, {x, y}}, wire);
    open = {lanes.targets[lane], x, y, wire};
  }

  /// From an item to the next one: where that begins.
  std::int32_t go_on(std::uint32_t unit, Item& item, const Item& next, Lanes& lanes, std::int32_t axis, std::int32_t bottom,
                     std::uint32_t header) {
    sort_exits(item.exits);
    std::int32_t track = bottom;
    std::span<Exit> down;
    for_each_target(item.exits, [&](std::span<Exit> exits) {
      if (exits[0].target == next.target) {
        down = exits;
        return;
      }
      track += kTrack;
      join_lane(unit, exits, lanes, lanes.find(distance(exits[0].target)), track);
    });
    const std::size_t lane = lanes.find(distance(next.target));
    const bool has_lane = lane < lanes.open.size() && lanes.open[lane].wire != kNone;
    const bool is_latch = next.target >= count_;
    if (down.empty() && !has_lane) return track + kGap;
    std::int32_t top = track + (track == bottom ? kGap : kArrow);
    if (!is_latch && down.size() == 1 && !has_lane && down[0].x == axis) {
      lead(down[0], unit, {{axis, top + next.lead}}, kNone, next.target);
      return top;
    }
    track += kTrack;
    std::uint32_t trunk = kNone;
    std::int32_t x = axis;
    if (is_latch) {
      x = kFrame;
      trunk = add_wire(unit, {{x, track}, {x, kReturn}, {axis, kReturn}, {axis, kLead}}, kNone, header);
      top = track;
    } else {
      top = track + kArrow;
      trunk = add_wire(unit, {{x, track}, {x, top + next.lead}}, kNone, next.target);
    }
    for (const Exit& exit : down) lead(exit, unit, {{exit.x, track}, {x, track}}, trunk);
    if (has_lane) {
      lead(lanes.open[lane], unit, {{lanes.open[lane].x, track}, {x, track}}, trunk);
      lanes.open[lane].wire = kNone;
    }
    return top;
  }

  /// From the last item out of the stack, which ends there.
  std::int32_t leave(std::uint32_t unit, Item& item, Lanes& lanes, std::int32_t axis, std::int32_t bottom) {
    sort_exits(item.exits);
    std::int32_t track = bottom;
    for_each_target(item.exits, [&](std::span<Exit> exits) {
      const std::size_t lane = lanes.find(distance(exits[0].target));
      if (lane < lanes.open.size()) {
        track += kTrack;
        join_lane(unit, exits, lanes, lane, track);
        return;
      }
      if (exits.size() == 1) {
        out_.push_back(exits[0]);
        return;
      }
      // Near ones meet on the left, where nothing else is between them on the axis.
      track += kTrack;
      const bool is_nearest = exits.data() == item.exits.data();
      const bool is_alone = exits.size() == item.exits.size();
      const bool is_around = exits.front().x <= axis && axis <= exits.back().x;
      const std::int32_t x = is_alone && is_around ? axis : is_nearest ? exits.front().x : exits.back().x;
      const std::uint32_t wire = add_wire(unit, {{x, track}});
      for (const Exit& exit : exits) lead(exit, unit, {{exit.x, track}, {x, track}}, wire);
      out_.push_back({exits[0].target, x, track, wire});
    });
    return track;
  }

  void build(std::uint32_t node) {
    std::vector<Item> items;
    items.push_back(make_head(node));
    for (const std::uint32_t after : after_[node]) items.push_back(take(after));
    if (!nesting_.is_header(node)) {
      built_[node] = make_stack(outer(node), items, kNone);
      return;
    }
    items.push_back({count_ + node, kNone, 0, 0, 0, 0, {}});
    std::vector<Item> whole;
    whole.push_back(make_stack(inner(node), items, node));
    for (const std::uint32_t after : after_loop_[node]) whole.push_back(take(after));
    built_[node] = make_stack(outer(node), whole, kNone);
  }
  Item take(std::uint32_t node) {
    Item item = std::move(built_[node]);
    item.target = node;
    return item;
  }

  // --- all together --------------------------------------------------------------------------------------------------------------------

  void place_roots() {
    std::int32_t x = kMargin;
    for (const std::uint32_t root : roots_) {
      place(outer(root), kNone, x, kMargin);
      x += built_[root].width + 2 * kArmGap;
      made_.height = std::max(made_.height, kMargin + built_[root].height + kMargin);
    }
    made_.width = roots_.empty() ? 2 * kMargin : x - 2 * kArmGap + kMargin;
  }

  LayoutPoint at(std::uint32_t unit, LayoutPoint point) const { return {point.x + units_[unit].x, point.y + units_[unit].y}; }

  Result<Layout> finish() {
    // From relative to absolute, those around first.
    const auto add_parent = [&](std::uint32_t unit) {
      const std::uint32_t parent = units_[unit].parent;
      if (parent == kNone) return;
      units_[unit].x += units_[parent].x;
      units_[unit].y += units_[parent].y;
    };
    made_.nodes.resize(count_);
    for (const std::uint32_t node : nesting_.order()) {
      add_parent(outer(node));
      if (nesting_.is_header(node)) {
        add_parent(inner(node));
        const Unit& loop = units_[inner(node)];
        made_.loops.push_back({node, {loop.x, loop.y, loop.width, loop.height}});
      }
      add_parent(head(node));
    }
    for (std::uint32_t node = 0; node < count_; ++node) {
      // the head's entry is where the node's middle is
      const Unit& unit = units_[head(node)];
      made_.nodes[node] = {unit.x + middle_[node] - sizes_[node].width / 2, unit.y, sizes_[node].width, sizes_[node].height};
    }
    made_.edges.resize(edges_.size());
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      if (!trace(e)) return Error{ErrorCode::limit, 0, "graph", "the lines of the graph are out of proportion"};
    }
    count_crossings();
    return std::move(made_);
  }

  bool trace(std::uint32_t e) {
    Layout::Way& way = made_.edges[e];
    std::uint32_t wire = start_wire_[same_[e]];
    if (same_[e] != e) way.label = made_.edges[same_[e]].label;
    std::uint32_t target = kNone;
    for (; wire != kNone && room_ != 0; wire = wires_[wire].next) {
      --room_;
      const Wire& part = wires_[wire];
      target = part.target;
      for (std::uint8_t k = 0; k < part.count; ++k) add_point(way.points, at(part.unit, part.points[k]));
    }
    if (room_ == 0) return false;
    if (target == edges_[e].to) {
      if (same_[e] == e) way.label = at(head(edges_[e].from), labels_[e]);
      return true;
    }
    const LayoutBox& from = made_.nodes[edges_[e].from];
    const LayoutBox& to = made_.nodes[edges_[e].to];
    way.regular = false;
    way.points = {{from.x + from.width / 2, from.y + from.height}, {to.x + to.width / 2, to.y}};
    way.label = {way.points[0].x + 4, way.points[0].y + kGap / 2};
    return true;
  }

  static void add_point(std::vector<LayoutPoint>& points, LayoutPoint point) {
    if (!points.empty() && points.back() == point) return;
    if (points.size() >= 2) {
      const LayoutPoint a = points[points.size() - 2], b = points.back();
      if ((a.x == b.x && b.x == point.x) || (a.y == b.y && b.y == point.y)) points.pop_back();
    }
    points.push_back(point);
  }

  void count_crossings() {
    std::vector<graph::Segment> segments;
    for (const Wire& wire : wires_)
      for (std::uint8_t k = 0; k + 1 < wire.count; ++k)
        segments.push_back({at(wire.unit, wire.points[k]), at(wire.unit, wire.points[k + 1U])});
    made_.crossings = graph::crossings_of(segments);
  }

  std::span<const LayoutBox> sizes_;
  std::span<const LayoutEdge> edges_;
  const Nesting& nesting_;
  const std::uint32_t count_;
  std::size_t room_ = 0;
  std::vector<std::uint32_t> depth_, first_, own_, same_, start_wire_, roots_;
  std::vector<std::int32_t> middle_;  ///< of a node in its head
  std::vector<std::vector<std::uint32_t>> after_, after_loop_;
  std::vector<LayoutPoint> labels_;
  std::vector<Unit> units_;
  std::vector<Item> built_;
  std::vector<Wire> wires_;
  std::vector<Exit> out_;
  Layout made_;
};

}  // namespace

Result<Layout> lay_out(std::span<const LayoutBox> sizes, std::span<const LayoutEdge> edges, const Nesting& nesting) {
  return LayoutMaker(sizes, edges, nesting).make();
}

}  // namespace unshade::present
