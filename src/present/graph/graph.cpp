#include <unshade/present/graph/graph.hpp>

#include <algorithm>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/present/printer.hpp>

#include "present/graph/names.hpp"
#include "present/graph/tree.hpp"

namespace unshade::present {

namespace {

using shader::FlowBlock;
using shader::FlowEdge;
using shader::FlowFunction;
using shader::FlowKind;

constexpr std::int32_t kCharacter = 73;  ///< tenths of a pixel: monospace of 12 pixels
constexpr std::size_t kTab = 4;

/// A line fit to be shown: printable, tabs as blanks, wide gaps after the first word narrow.
std::string shown_line(std::string_view line) {
  Text safe;
  print_safely(safe, line, true);
  std::string shown;
  for (const char c : as_utf8(safe.view())) {
    if (c == '\t')
      shown.append(kTab, ' ');
    else if (c != '\r' && c != '\n')
      shown += c;
  }
  while (!shown.empty() && shown.back() == ' ') shown.pop_back();
  const std::size_t first = shown.find_first_not_of(' ');
  for (std::size_t at = first == std::string::npos ? shown.size() : first; (at = shown.find("   ", at)) != std::string::npos;)
    shown.erase(at, 1);
  return shown;
}

/// Characters of UTF-8, without those that would not fit.
std::string cut(const std::string& line, std::size_t columns) {
  if (columns == 0 || graph::characters_of(line) <= columns) return line;
  std::size_t at = 0;
  for (std::size_t left = columns - 1; at < line.size(); ++at)
    if ((static_cast<unsigned char>(line[at]) & 0xc0) != 0x80 && left-- == 0) break;
  return line.substr(0, at) + "…";
}

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) begins_.push_back(at);
  }
  std::string_view line(std::size_t number) const {
    if (number >= begins_.size()) return {};
    return text_.substr(begins_[number], (number + 1 < begins_.size() ? begins_[number + 1] : text_.size()) - begins_[number]);
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> begins_;
};

std::vector<std::string> text_of(const FlowBlock& block, const Lines& listing, const GraphOptions& options) {
  std::vector<std::string> text;
  // Of a long block both ends are worth more than the middle.
  const std::uint32_t room = options.lines == 0 ? block.lines : options.lines;
  const std::uint32_t at_end = block.lines > room ? room / 4 : 0;
  const std::uint32_t at_start = block.lines > room ? std::max(room - at_end, 2U) - 1 : block.lines;
  for (std::uint32_t k = 0; k < block.lines; ++k) {
    if (k == at_start && block.lines > room) {
      text.push_back("… " + std::to_string(block.lines - at_start - at_end) + " lines …");
      k = block.lines - at_end;
      if (k >= block.lines) break;
    }
    text.push_back(shown_line(listing.line(block.line - std::size_t{1} + k)));
  }
  std::size_t indent = std::string::npos;
  for (const std::string& line : text)
    if (!line.empty() && !line.starts_with("…")) indent = std::min(indent, line.find_first_not_of(' '));
  for (std::string& line : text) line = cut(line.starts_with("…") ? line : line.substr(std::min(indent, line.size())), options.columns);
  return text;
}

/// The function without the regions of some heads, each of which is drawn as its head; and what became of its blocks.
Result<void> fold(const FlowFunction& function, const std::vector<std::uint32_t>& heads, GraphView& view) {
  Nesting nesting;
  nesting.examine(shader::graph_of(function));
  const auto regions = nesting.regions();
  const std::size_t count = function.blocks.size();
  // Of a header it is the loop, not the arms.
  std::vector<std::uint32_t> region_of(count, Nesting::kNone);
  for (std::uint32_t r = 0; r < regions.size(); ++r)
    if (region_of[regions[r].head] == Nesting::kNone) region_of[regions[r].head] = r;
  std::vector<bool> folds(regions.size(), false);
  for (const std::uint32_t head : heads) {
    if (head >= count || region_of[head] == Nesting::kNone)
      return Error{ErrorCode::missing, 0, "block " + std::to_string(head),
                   "the block is neither the header of a loop nor a branch with arms"};
    folds[region_of[head]] = true;
  }
  // The outermost region that is folded, by region.
  std::vector<std::uint32_t> folded(regions.size(), Nesting::kNone);
  for (std::uint32_t r = 0; r < regions.size(); ++r) {
    const std::uint32_t around = regions[r].parent == Nesting::kNone ? Nesting::kNone : folded[regions[r].parent];
    folded[r] = around != Nesting::kNone ? around : folds[r] ? r : Nesting::kNone;
  }
  std::vector<std::uint32_t> stands(count);
  for (std::uint32_t b = 0; b < count; ++b) {
    const std::uint32_t region = nesting.region(b);
    stands[b] = region == Nesting::kNone || folded[region] == Nesting::kNone ? b : regions[folded[region]].head;
  }
  std::vector<std::uint32_t> number(count, Nesting::kNone);
  FlowFunction& made = view.function;
  made.name = function.name;
  made.stage = function.stage;
  for (std::uint32_t b = 0; b < count; ++b) {
    if (stands[b] != b) continue;
    number[b] = static_cast<std::uint32_t>(made.blocks.size());
    made.blocks.push_back(function.blocks[b]);
    view.blocks.push_back({b, 0, {}});
  }
  for (std::uint32_t b = 0; b < count; ++b)
    if (stands[b] != b) ++view.blocks[number[stands[b]]].folded;
  // A head may have several edges to what comes after its region: they are one.
  std::vector<std::uint32_t> seen(count, Nesting::kNone);
  for (const FlowEdge& edge : function.edges) {
    const std::uint32_t from = number[stands[edge.from]], to = number[stands[edge.to]];
    const bool is_inside = stands[edge.from] == stands[edge.to] && (stands[edge.from] != edge.from || stands[edge.to] != edge.to);
    if (is_inside) continue;
    const bool is_folded = view.blocks[from].folded != 0;
    made.edges.push_back(is_folded ? FlowEdge{from, to, FlowKind::next, {}} : FlowEdge{from, to, edge.kind, edge.label});
  }
  std::stable_sort(made.edges.begin(), made.edges.end(), [](const FlowEdge& a, const FlowEdge& b) { return a.from < b.from; });
  const auto is_again = [&](const FlowEdge& edge) {
    if (view.blocks[edge.from].folded == 0) return false;
    if (edge.from == edge.to) return true;
    return std::exchange(seen[edge.to], edge.from) == edge.from;
  };
  std::erase_if(made.edges, is_again);
  return {};
}

LayoutBox size_of(const FlowBlock& block, const GraphBlock& shown) {
  std::size_t columns = graph::characters_of(graph::block_title(block, shown));
  for (const std::string& line : shown.text) columns = std::max(columns, graph::characters_of(line));
  const auto width = static_cast<std::int32_t>(columns) * kCharacter / 10 + 2 * graph::kPadding + 1;
  const auto lines = static_cast<std::int32_t>(shown.text.size());
  return {0, 0, width, graph::kHead + lines * graph::kLine + (lines != 0 ? graph::kPadding : 0)};
}

}  // namespace

namespace {

Result<GraphView> view_lines(const FlowFunction& function, const Lines& lines, const GraphOptions& options) {
  GraphView view;
  if (auto done = fold(function, options.folded, view); !done) return std::move(done).error();
  std::vector<LayoutBox> sizes;
  for (std::size_t b = 0; b < view.blocks.size(); ++b) {
    GraphBlock& shown = view.blocks[b];
    shown.text = text_of(view.function.blocks[b], lines, options);
    if (shown.folded != 0) shown.text.emplace_back("…");
    sizes.push_back(size_of(view.function.blocks[b], shown));
  }
  std::vector<LayoutEdge> edges;
  for (const FlowEdge& edge : view.function.edges) {
    const auto label = static_cast<std::int32_t>(graph::characters_of(graph::edge_label(edge)));
    edges.push_back({edge.from, edge.to, label == 0 ? 0 : label * kCharacter / 10 + 10});
  }
  view.nesting.examine(shader::graph_of(view.function));
  auto layout = lay_out(sizes, edges, view.nesting);
  if (!layout) return std::move(layout).error().within(function.name.empty() ? "function" : function.name);
  view.layout = *std::move(layout);
  return view;
}

}  // namespace

Result<GraphView> view_graph(const FlowFunction& function, std::string_view listing, const GraphOptions& options) {
  return view_lines(function, Lines(listing), options);
}

Result<std::vector<GraphView>> view_graphs(const shader::Flow& flow, std::string_view listing, const GraphOptions& options) {
  std::vector<const FlowFunction*> shown;
  for (const FlowFunction& function : flow.functions) {
    const bool is_wanted = std::find(options.functions.begin(), options.functions.end(), function.name) != options.functions.end();
    if (is_wanted || options.functions.empty()) shown.push_back(&function);
  }
  for (const std::string& name : options.functions) {
    if (std::any_of(shown.begin(), shown.end(), [&](const FlowFunction* function) { return function->name == name; })) continue;
    std::string names;
    constexpr std::size_t kMost = 8;
    for (std::size_t k = 0; k < std::min(flow.functions.size(), kMost); ++k)
      names += (k == 0 ? "" : ", ") + unshade::quoted(flow.functions[k].name);
    if (flow.functions.size() > kMost) names += ", ...";
    return Error{ErrorCode::missing, 0, "functions", "there is no function " + unshade::quoted(name) + ", but " + names};
  }
  if (!options.folded.empty() && shown.size() > 1)
    return Error{ErrorCode::bad_value, 0, "functions",
                 "blocks to fold must be of one function, but " + std::to_string(shown.size()) + " are shown"};
  std::vector<GraphView> views;
  const Lines lines(listing);
  for (const FlowFunction* function : shown) {
    auto view = view_lines(*function, lines, options);
    if (!view) return std::move(view).error();
    views.push_back(*std::move(view));
  }
  return views;
}

Result<std::vector<GraphView>> view_graphs(const shader::Shader& shader, const GraphOptions& options,
                                           const shader::ListingOptions& listing) {
  Text text;
  const auto flow = shader::control_flow(shader, text, listing);
  if (!flow) return flow.error();
  return view_graphs(*flow, text.view(), options);
}

namespace {

std::string_view id(Nesting::Place place) {
  switch (place) {
    case Nesting::Place::root: return "root";
    case Nesting::Place::arm: return "arm";
    case Nesting::Place::after: return "after";
    case Nesting::Place::after_loop: return "after-loop";
  }
  return {};
}

std::string_view id(Nesting::Way way) {
  switch (way) {
    case Nesting::Way::arm: return "arm";
    case Nesting::Way::forward: return "forward";
    case Nesting::Way::back: return "back";
    case Nesting::Way::irregular: return "irregular";
  }
  return {};
}

void number_or_null(Json& json, std::string_view name, std::uint32_t number) {
  json.key(name);
  number == Nesting::kNone ? json.null() : json.number(number);
}

void write_box(Json& json, const LayoutBox& box) {
  json.begin_array();
  for (const std::int32_t number : {box.x, box.y, box.width, box.height}) json.number_signed(number);
  json.end_array();
}

void write_drawing(const Layout& layout, Json& json) {
  json.member("width", static_cast<std::uint32_t>(layout.width));
  json.member("height", static_cast<std::uint32_t>(layout.height));
  json.member("crossings", layout.crossings);
  json.array("boxes", layout.nodes, [&](const LayoutBox& box) { write_box(json, box); });
  json.objects("ways", layout.edges, [&](const Layout::Way& way) {
    json.array("points", way.points, [&](LayoutPoint point) {
      json.begin_array();
      json.number_signed(point.x);
      json.number_signed(point.y);
      json.end_array();
    });
    json.key("label");
    json.begin_array();
    json.number_signed(way.label.x);
    json.number_signed(way.label.y);
    json.end_array();
  });
  json.objects("frames", layout.loops, [&](const Layout::Frame& frame) {
    json.member("header", frame.header);
    json.key("box");
    write_box(json, frame.box);
  });
}

void write_function(const GraphView& view, Json& json) {
  const FlowFunction& function = view.function;
  json.member("name", function.name);
  json.text_or_null("stage", function.stage);
  json.member("reducible", view.nesting.regular());
  std::uint32_t b = 0;
  json.objects("blocks", function.blocks, [&](const FlowBlock& block) {
    const GraphBlock& shown = view.blocks[b];
    json.member("number", shown.number);
    json.text_or_null("name", block.name);
    json.member("line", block.line);
    json.member("lines", block.lines);
    json.member("offset", block.offset);
    json.member("size", block.size);
    json.member("instructions", block.instructions);
    json.member("end", shader::id(block.end));
    json.member("folded", shown.folded);
    json.member("reachable", view.nesting.reachable(b));
    json.member("place", id(view.nesting.place(b)));
    number_or_null(json, "parent", view.nesting.parent(b));
    number_or_null(json, "region", view.nesting.region(b));
    json.array("text", shown.text, [&](const std::string& line) { json.string(line); });
    ++b;
  });
  json.objects("edges", function.edges, [&](const FlowEdge& edge) {
    json.member("from", edge.from);
    json.member("to", edge.to);
    json.member("kind", shader::id(edge.kind));
    json.text_or_null("label", edge.label);
    json.member("way", id(view.nesting.way(edge.from, edge.to)));
  });
  json.objects("regions", view.nesting.regions(), [&](const Nesting::Region& region) {
    json.member("kind", region.is_loop ? "loop" : "branch");
    json.member("head", region.head);
    number_or_null(json, "parent", region.parent);
  });
  json.key("tree");
  graph::write_tree(function, json);
  json.object("drawing", [&] { write_drawing(view.layout, json); });
}

}  // namespace

void write_graph(const GraphTitle& title, std::span<const GraphView> functions, Json& json) {
  json.object([&] {
    json.member("file", title.file);
    json.member("family", title.family);
    json.objects("functions", functions, [&](const GraphView& view) { write_function(view, json); });
  });
}

namespace {

/// Nodes as a text has them: what belongs to a node right after it, its arms before what comes after.
std::vector<std::uint32_t> in_reading_order(const Nesting& nesting) {
  const auto order = nesting.order();
  std::vector<std::vector<std::uint32_t>> below(order.size());
  std::vector<std::uint32_t> stack, read;
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::uint32_t parent = nesting.parent(order[k]);
    (parent == Nesting::kNone ? stack : below[parent]).push_back(order[k]);
  }
  while (!stack.empty()) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    read.push_back(node);
    std::stable_sort(below[node].begin(), below[node].end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nesting.place(a) > nesting.place(b); });
    stack.insert(stack.end(), below[node].begin(), below[node].end());
  }
  return read;
}

}  // namespace

// Regions of a function by depth; what is in a loop or an arm is indented.
void print_graph_outline(std::span<const GraphView> functions, Text& out) {
  bool is_first = true;
  for (const GraphView& view : functions) {
    const FlowFunction& function = view.function;
    if (!std::exchange(is_first, false)) out << '\n';
    print_safely(out, function.name);
    if (!function.stage.empty()) print_safely(out << " (", function.stage), out << ')';
    out << ": " << graph::counts_of(view) << '\n';
    const auto regions = view.nesting.regions();
    std::vector<std::uint32_t> depths;
    for (const Nesting::Region& region : regions) depths.push_back(region.parent == Nesting::kNone ? 1 : depths[region.parent] + 1);
    std::size_t edge = 0;
    std::vector<std::size_t> edges_from(function.blocks.size() + 1, 0);
    for (std::uint32_t b = 0; b < function.blocks.size(); ++b) {
      edges_from[b] = edge;
      while (edge < function.edges.size() && function.edges[edge].from == b) ++edge;
    }
    edges_from.back() = edge;
    for (const std::uint32_t b : in_reading_order(view.nesting)) {
      const std::uint32_t region = view.nesting.region(b);
      out.repeat(' ', 2 * std::size_t{1 + std::min(region == Nesting::kNone ? 0 : depths[region], 32U)});
      if (view.nesting.is_header(b)) out << "loop ";
      print_safely(out, graph::block_title(function.blocks[b], view.blocks[b]));
      const char* separator = ": ";
      for (std::size_t k = edges_from[b]; k < edges_from[b + std::size_t{1}]; ++k) {
        const FlowEdge& to = function.edges[k];
        out << separator;
        if (const std::string label = graph::edge_label(to); !label.empty()) print_safely(out, label), out << ' ';
        (out << "-> B").dec(view.blocks[to.to].number);
        separator = ", ";
      }
      if (edges_from[b] == edges_from[b + std::size_t{1}]) out << ": " << shader::id(function.blocks[b].end);
      out << '\n';
    }
  }
}

}  // namespace unshade::present
