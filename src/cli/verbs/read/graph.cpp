// Control flow.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/present/graph/graph.hpp>
#include <unshade/shader/shader.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::verbs::graph {

namespace {

constexpr Option kSvg{"svg", 0, Takes::nothing, {}, {}, "write a picture: blocks with their lines, linked by arrows"};
constexpr Option kDot{"dot", 0, Takes::nothing, {}, {}, "write text for Graphviz"};
constexpr Option kFunction{"function", 'f', Takes::text, "NAME", {}, "only functions of this name, as the listing has it", true};
constexpr Option kFold{"fold", 0, Takes::text, "BLOCK", {}, "draw the loop of this header, or the arms of this branch, as one block", true};
constexpr Option kLines{"lines", 0, Takes::text, "N", {}, "show N lines of a block at most (40); 0: all"};
constexpr Option kOptions[] = {kSvg, kDot, kJson, kFunction, kFold, kLines, write::kOutputDir, kAll};

Exit run_graph(const Args& args, Io& io) {
  const bool svg = args.has(kSvg.name), dot = args.has(kDot.name);
  if (svg + dot + args.has(kJson.name) > 1) return io.refuse_usage("--svg, --dot and --json are mutually exclusive");
  present::GraphOptions options;
  if (args.has(kLines.name)) {
    const auto lines = as_number<std::uint32_t>(args.value(kLines.name));
    if (!lines) return io.refuse_usage("--lines needs a number, not " + unshade::quoted(args.value(kLines.name)));
    options.lines = *lines;
  }
  for (const auto& name : args.values(kFunction.name)) options.functions.emplace_back(name);
  for (const auto& text : args.values(kFold.name)) {
    const auto block =
        as_number<std::uint32_t>(std::string_view(text).starts_with('B') ? std::string_view(text).substr(1) : std::string_view(text));
    if (!block) return io.refuse_usage("--fold needs a block's number, such as 3 or B3, not " + unshade::quoted(text));
    options.folded.push_back(*block);
  }
  if (args.has(write::kOutputDir.name)) {
    const char* const suffix = svg ? ".svg" : dot ? ".dot" : args.has(kJson.name) ? ".json" : ".txt";
    return write::run_below_folder(args, io, 0, [&](const Input&) { return suffix; }, run_graph);
  }
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::graph);
  std::size_t files = 0;
  const Exit exit = for_each_input(args, io, [&](const Input& input) {
    if ((svg || dot) && files == 1) {
      return io.refuse_file(input.name,
                            Error{ErrorCode::unsupported, 0, {}, "a picture shows one file: write one for each with -d FOLDER"});
    }
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    const auto views = present::view_graphs(*opened, options);
    if (!views) return io.refuse_file(input.name, views.error());
    const present::GraphTitle title{input.name, shader::id(opened->family)};
    if (++files > 1 && !json) io.out.text << '\n';
    if (json) {
      present::write_graph(title, *views, *json);
    } else if (svg) {
      present::print_graph_svg(title, *views, io.out.text);
    } else if (dot) {
      present::print_graph_dot(title, *views, io.out.text);
    } else {
      io.out.paint(Paint::heading);
      print_safely(io.out.text, input.name);
      io.out.paint(Paint::plain) << '\n';
      present::print_graph_outline(*views, io.out.text);
    }
    return Exit::ok;
  });
  if (json) print::end_files(*json, io);
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade graph shader.cso", "print the blocks of each function by their nesting"},
    {"unshade graph --svg shader.cso -o shader.svg", "draw the control flow"},
    {"unshade graph --svg --function main --fold B3 shader.cso -o shader.svg", "draw it with the loop at block 3 folded"},
    {"unshade graph --dot shader.cso | dot -Tpdf -o shader.pdf", "let Graphviz draw it"},
    {"unshade graph --json shader.cso | jq '.files[0].functions[0].blocks[].lines'", "print how long its blocks are"},
    {"unshade graph --json shader.cso | jq -c '.files[0].functions[].tree[]'", "its control flow as statements: if, loop, switch, break"},
    {"unshade graph --svg -d pictures build/shaders", "draw all shaders of a folder"},
};

constexpr SampleFile kSum{"sum.asm", R"(cs_5_0
dcl_uav_structured u0, 4
dcl_temps 1
dcl_thread_group 1, 1, 1
mov r0.xy, l(0, 0, 0, 0)
loop
  ige r0.z, r0.x, l(10)
  breakc_nz r0.z
  iadd r0.y, r0.y, r0.x
  iadd r0.x, r0.x, l(1)
endloop
store_structured u0.x, l(0), l(0), r0.y
ret
)"};
constexpr const SampleFile* kInputs[] = {&kSum};
constexpr std::string_view kSession = R"($ unshade as sum.asm -o sum.cso
$ unshade graph sum.cso
sum.cso
main: 4 blocks, 4 edges, 1 loop
  B0  line 9: -> B1
    loop B1  lines 10-12: true -> B3, false -> B2
      B2  lines 13-15: -> B1
  B3  lines 16-17: return)";

}  // namespace

const VerbBody kBody{
    .description =
        "Finds the basic blocks of each function of a shader, with their lines in the listing of `dis` and their bytes in the file, and "
        "prints how they nest, or draws them: branches side by side, loops in frames. Blocks are those of the listing: nothing is inlined "
        "or optimised. Of a DXBC file with a level 9 part, both programs are shown.\n\nLines of a picture do not cross in code whose loops "
        "are left in one place. Edges into the middle of a loop are dashed.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader, is damaged or has no code, or no such function or block, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_graph,
};

}  // namespace unshade::cli::verbs::graph
