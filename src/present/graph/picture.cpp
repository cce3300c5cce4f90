// Graphs as SVG and DOT.
#include <algorithm>
#include <utility>

#include <unshade/present/graph/graph.hpp>

#include "present/graph/names.hpp"

namespace unshade::present {

namespace {

using shader::FlowEdge;
using shader::FlowFunction;
using shader::FlowKind;

constexpr std::int32_t kBaseline = 14;     ///< of the head of a block, from its upper side
constexpr std::int32_t kTitle = 34;        ///< above a function
constexpr std::int32_t kFunctionGap = 24;  ///< functions

// Colours stand twice: not every viewer knows variables.
constexpr std::string_view kStyle = R"(<style>
text{font:12px ui-monospace,"DejaVu Sans Mono",Consolas,Menlo,monospace;white-space:pre}
.name{font-size:15px;font-weight:600}.edge text{font-size:11px}
.edge path{fill:none;stroke-width:1.4}.edge .tip{stroke:none}
.irregular path{stroke-dasharray:5 4}.cut .box{stroke-dasharray:4 3}
.edge:hover path{stroke-width:3}
.paper{fill:#fff}text{fill:#1b1f24}.faint{fill:#656d76}.box{fill:#f6f8fa;stroke:#8c959f}
.frame{fill:#0550ae;fill-opacity:.06;stroke:#0550ae;stroke-opacity:.4}
.edge path{stroke:#57606a}.edge text,.edge .tip{fill:#57606a}
.true path{stroke:#1a7f37}.true text,.true .tip{fill:#1a7f37}.false path{stroke:#b3261e}.false text,.false .tip{fill:#b3261e}
.back path{stroke:#0550ae}.back .tip{fill:#0550ae}
@media (prefers-color-scheme:dark){
.paper{fill:#0d1117}text{fill:#e6edf3}.faint{fill:#8d96a0}.box{fill:#161b22;stroke:#6e7681}
.frame{fill:#79c0ff;fill-opacity:.09;stroke:#79c0ff;stroke-opacity:.4}
.edge path{stroke:#9198a1}.edge text,.edge .tip{fill:#9198a1}
.true path{stroke:#56d364}.true text,.true .tip{fill:#56d364}.false path{stroke:#ff7b72}.false text,.false .tip{fill:#ff7b72}
.back path{stroke:#79c0ff}.back .tip{fill:#79c0ff}
}
@media (prefers-contrast:more){.box,.edge path{stroke-width:2}}
</style>
)";

void escaped(Text& out, std::string_view text) {
  for (const char c : as_utf8(text)) {
    switch (c) {
      case '&': out << "&amp;"; break;
      case '<': out << "&lt;"; break;
      case '>': out << "&gt;"; break;
      case '"': out << "&quot;"; break;
      case '\t': out << ' '; break;
      default:
        // XML has no other control characters
        out << (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c);
    }
  }
}

Text& attribute(Text& out, std::string_view before, std::int64_t value) { return (out << before).dec_signed(value); }

void print_text(Text& out, std::int32_t x, std::int32_t y, std::string_view style, std::string_view text) {
  attribute(out, "<text x=\"", x);
  attribute(out, "\" y=\"", y) << '"';
  if (!style.empty()) out << " class=\"" << style << '"';
  out << '>';
  escaped(out, text);
  out << "</text>\n";
}

class Picture {
 public:
  explicit Picture(Text& out) : out_(out) {}

  void print(const GraphView& view, std::int32_t top) {
    attribute(out_ << "<g transform=\"translate(0,", "", top) << ")\">\n";
    print_text(out_, graph::kPadding + 4, 20, "name",
               view.function.name + (view.function.stage.empty() ? "" : " (" + view.function.stage + ")"));
    const std::size_t width = view.function.name.size() + (view.function.stage.empty() ? 0 : view.function.stage.size() + 3);
    print_text(out_, graph::kPadding + 24 + static_cast<std::int32_t>(width) * 10, 20, "faint", graph::counts_of(view));
    attribute(out_ << "<g transform=\"translate(0,", "", kTitle) << ")\">\n";
    for (const Layout::Frame& frame : view.layout.loops) print_box(frame.box, "frame", 6);
    for (std::size_t e = 0; e < view.function.edges.size(); ++e) print_edge(view, e);
    for (std::size_t b = 0; b < view.blocks.size(); ++b) print_block(view, b);
    out_ << "</g>\n</g>\n";
  }

 private:
  void print_box(const LayoutBox& box, std::string_view style, std::int32_t round) {
    attribute(out_ << "<rect class=\"" << style, "\" x=\"", box.x);
    attribute(out_, "\" y=\"", box.y);
    attribute(out_, "\" width=\"", box.width);
    attribute(out_, "\" height=\"", box.height);
    attribute(out_, "\" rx=\"", round) << "\"/>\n";
  }

  void print_edge(const GraphView& view, std::size_t e) {
    const FlowEdge& edge = view.function.edges[e];
    const Layout::Way& way = view.layout.edges[e];
    const auto kind = view.nesting.way(edge.from, edge.to);
    const std::string label = graph::edge_label(edge);
    out_ << "<g class=\"edge " << (edge.kind == FlowKind::taken || edge.kind == FlowKind::not_taken ? shader::id(edge.kind) : "plain");
    if (kind == Nesting::Way::back) out_ << " back";
    if (!way.regular) out_ << " irregular";
    (out_ << "\" role=\"graphics-symbol\" aria-label=\"from B").dec(view.blocks[edge.from].number) << " to B";
    out_.dec(view.blocks[edge.to].number);
    if (!label.empty()) escaped(out_ << ", ", label);
    out_ << "\"><path d=\"";
    print_path(way.points);
    out_ << "\"/>";
    if (!way.points.empty()) {
      // the arrow's tip: lines of regular edges end downwards
      const LayoutPoint tip = way.points.back();
      attribute(out_, "<path class=\"tip\" d=\"M", tip.x) << ' ';
      out_.dec_signed(tip.y) << "l-4 -8h8z\"/>";
    }
    if (!label.empty()) print_text(out_, way.label.x, way.label.y, {}, label);
    out_ << "</g>\n";
  }

  /// With rounded corners.
  void print_path(const std::vector<LayoutPoint>& points) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      const LayoutPoint at = points[k];
      if (k == 0 || k + 1 == points.size()) {
        point(k == 0 ? 'M' : 'L', at);
        continue;
      }
      constexpr std::int32_t kRadius = 4;
      const auto towards = [&](LayoutPoint other) {
        const std::int32_t dx = other.x - at.x, dy = other.y - at.y;
        return LayoutPoint{at.x + std::clamp(dx / 2, -kRadius, kRadius), at.y + std::clamp(dy / 2, -kRadius, kRadius)};
      };
      point('L', towards(points[k - 1]));
      point('Q', at);
      point(' ', towards(points[k + 1]));
    }
  }
  void point(char letter, LayoutPoint at) {
    (out_ << letter).dec_signed(at.x) << ' ';
    out_.dec_signed(at.y);
  }

  void print_block(const GraphView& view, std::size_t b) {
    const shader::FlowBlock& block = view.function.blocks[b];
    const GraphBlock& shown = view.blocks[b];
    const LayoutBox& box = view.layout.nodes[b];
    const std::string title = graph::block_title(block, shown);
    out_ << "<g class=\"block" << (view.nesting.reachable(static_cast<std::uint32_t>(b)) ? "" : " cut");
    (out_ << "\" data-block=\"").dec(shown.number);
    (out_ << "\" data-line=\"").dec(block.line);
    (out_ << "\" data-lines=\"").dec(block.lines);
    escaped(out_ << "\" role=\"graphics-symbol\" aria-label=\"", title);
    if (!view.nesting.reachable(static_cast<std::uint32_t>(b))) out_ << ", unreachable";
    out_ << "\">\n";
    print_box(box, "box", 3);
    print_text(out_, box.x + graph::kPadding, box.y + kBaseline, "faint", title);
    std::int32_t y = box.y + graph::kHead + 12;
    for (const std::string& line : shown.text) {
      print_text(out_, box.x + graph::kPadding, y, {}, line);
      y += graph::kLine;
    }
    out_ << "</g>\n";
  }

  Text& out_;
};

/// In quotes of DOT, each line on the left.
void dot_text(Text& out, std::string_view text) {
  for (const char c : as_utf8(text)) {
    if (c == '"' || c == '\\') out << '\\';
    out << (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c);
  }
}

}  // namespace

void print_graph_svg(const GraphTitle& title, std::span<const GraphView> functions, Text& out) {
  std::int32_t width = 320, height = kFunctionGap;
  for (const GraphView& view : functions) {
    const std::size_t heading = view.function.name.size() + view.function.stage.size() + graph::counts_of(view).size();
    width = std::max({width, view.layout.width, static_cast<std::int32_t>(heading) * 10 + 40});
    height += kTitle + view.layout.height + kFunctionGap;
  }
  attribute(out << "<svg xmlns=\"http://www.w3.org/2000/svg\"", " width=\"", width);
  attribute(out, "\" height=\"", height);
  attribute(out, "\" viewBox=\"0 0 ", width) << ' ';
  out.dec_signed(height) << "\" role=\"graphics-document\" aria-roledescription=\"control-flow graph\" aria-labelledby=\"title\" "
                            "aria-describedby=\"about\">\n<title id=\"title\">Control flow of ";
  escaped(out, title.file);
  escaped(out << "</title>\n<desc id=\"about\">", title.family);
  const char* separator = ". ";
  for (const GraphView& view : functions) {
    escaped(out << separator, view.function.name);
    out << ": " << graph::counts_of(view);
    separator = "; ";
  }
  out << ".</desc>\n" << kStyle << "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  std::int32_t top = kFunctionGap / 2;
  for (const GraphView& view : functions) {
    Picture(out).print(view, top);
    top += kTitle + view.layout.height + kFunctionGap;
  }
  out << "</svg>\n";
}

void print_graph_dot(const GraphTitle& title, std::span<const GraphView> functions, Text& out) {
  dot_text(out << "digraph \"", title.file);
  out << "\" {\n  node [shape=box fontname=\"monospace\" fontsize=10];\n  edge [fontname=\"monospace\" fontsize=9];\n";
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const GraphView& view = functions[f];
    const auto node = [&](std::uint32_t block) -> Text& {
      (out << 'f').dec(f) << "_b";
      return out.dec(view.blocks[block].number);
    };
    (out << "  subgraph cluster_").dec(f) << " {\n    label=\"";
    dot_text(out, view.function.name);
    if (!view.function.stage.empty()) dot_text(out << " (", view.function.stage), out << ')';
    out << "\";\n";
    for (std::uint32_t b = 0; b < view.blocks.size(); ++b) {
      out << "    ";
      node(b) << " [label=\"";
      dot_text(out, graph::block_title(view.function.blocks[b], view.blocks[b]));
      out << "\\l";
      for (const std::string& line : view.blocks[b].text) dot_text(out, line), out << "\\l";
      out << '"' << (view.nesting.reachable(b) ? "" : " style=dashed") << "];\n";
    }
    for (const FlowEdge& edge : view.function.edges) {
      out << "    ";
      node(edge.from) << " -> ";
      node(edge.to) << " [";
      if (const std::string label = graph::edge_label(edge); !label.empty()) dot_text(out << "label=\"", label), out << "\" ";
      if (edge.kind == FlowKind::taken) out << "color=darkgreen";
      if (edge.kind == FlowKind::not_taken) out << "color=firebrick";
      if (view.nesting.way(edge.from, edge.to) == Nesting::Way::back) out << " style=bold";
      out << "];\n";
    }
    out << "  }\n";
  }
  out << "}\n";
}

}  // namespace unshade::present
