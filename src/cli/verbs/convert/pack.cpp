#include <deque>
#include <string>
#include <vector>

#include <unshade/present/made.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/pack.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::pack {

namespace {

constexpr Option kTables{"tables", 't', Takes::text,
                         "SIZES",  {},  "sizes of descriptor tables that no stage declares: samplers=16,images=4"};
constexpr Option kLike{"like", 0,  Takes::file,
                       "VBC",  {}, "take what no stage declares (unused bindings, their order, names) from this file"};
constexpr Option kOptions[] = {kTables, kLike, write::kNoValidate, kJson};

Exit run_pack(const Args& args, Io& io) {
  const bool as_json = args.has(kJson.name);
  if (as_json) io.split_product();
  if (!as_json && io.refuses_bytes("pack")) return Exit::failed;
  vbc::PackOptions options;
  if (args.has(kLike.name)) {
    io.edits(std::string(args.value(kLike.name)));
    const auto like = io.read(std::string(args.value(kLike.name)));
    if (!like) return like.exit;
    if (shader::identify(like->view()) != shader::Family::vbc) return io.refuse_file(like->name, other_family(*like, "a VBC file"));
    auto file = vbc::parse(like->view());
    if (!file) return io.refuse_file(like->name, file.error());
    options = vbc::options_like(*std::move(file));
  }
  if (args.has(kTables.name)) {
    if (!options.tables) options.tables.emplace();
    if (const auto done = vbc::parse_table_sizes(args.value(kTables.name), *options.tables); !done)
      return io.refuse_usage(done.error().message);
  }
  std::deque<Input> inputs;
  std::vector<View> modules;
  for (const std::string& name : args.operands) {
    auto input = io.read(name);
    if (!input) return input.exit;
    if (shader::identify(input->view()) != shader::Family::spirv)
      return io.refuse_file(input->name, other_family(*input, "a SPIR-V module"));
    inputs.push_back(std::move(*input));
    modules.push_back(inputs.back().view());
  }
  const auto packed = vbc::pack(modules, options);
  if (!packed) return io.refuse_file(inputs.size() == 1 ? inputs.front().name : std::string("pack"), packed.error());
  const auto bytes = vbc::write(*packed);
  if (!write::accepts_made(View(bytes), "pack", args, io)) return Exit::invalid;
  if (as_json) {
    Json json(io.out);
    present::write_packed({bytes, shader::id(shader::Family::vbc)}, json);
  }
  if (!as_json || io.has_product_file()) io.write_bytes(bytes);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade pack vertex.spv fragment.spv -o shader.vbc", "make a VBC from two modules, with tables derived from them"},
    {"unshade pack --like old.vbc vertex.spv fragment.spv -o new.vbc", "use the bindings of an older file, including unused ones"},
};

constexpr const SampleFile* kInputs[] = {&samples::kWhite};
constexpr std::string_view kSession = R"($ unshade as white.spvasm -o white.spv
$ unshade pack white.spv -o white.vbc
$ unshade info white.vbc
white.vbc  vbc  VBC 1  315 bytes  5 instructions  -  -  fragment:264
$ unshade extract white.vbc
0  0x00000033  264 bytes  fragment)";

}  // namespace

const VerbBody kBody{
    .description =
        "Combines SPIR-V modules into a VBC file (docs/reference/texts/vbc.md). Each becomes the stage of its entry point; vertex "
        "inputs, fragment outputs, bindings, the uniform block and subpass inputs are derived from what the modules declare and use. "
        "Items that no stage uses are not in modules: --like takes them from another file. With --json, writes the bytes of the file "
        "in hexadecimal.",
    .operands = {"SPV", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 the modules cannot be combined into a VBC, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_pack,
};

}  // namespace unshade::cli::verbs::pack
