#include <deque>
#include <string>
#include <vector>

#include <unshade/vbc/pack.hpp>

#include "cli/io/io.hpp"
#include "cli/print/made_file.hpp"
#include "cli/print/table_sizes.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::pack {

namespace {

constexpr Option kTables{"tables", 't', Takes::text, "SIZES", {}, "sizes of descriptor tables that no stage has: samplers=16,images=4"};
constexpr Option kLike{"like", 0, Takes::file, "VBC", {}, "take what no stage tells (unused bindings, their order, names) from this file"};
constexpr Option kOptions[] = {kTables, kLike, write::kNoValidate, kJson};

Exit run_pack(const Args& args, Io& io) {
  const bool as_json = args.has(kJson.name);
  if (as_json) io.split_product();
  if (!as_json && io.refuses_bytes("pack")) return Exit::failed;
  vbc::PackOptions options;
  if (args.has(kLike.name)) {
    const auto like = io.read(std::string(args.value(kLike.name)));
    if (!like) return like.exit;
    auto file = vbc::parse(like->view());
    if (!file) return io.report(like->name, file.error()), Exit::invalid;
    options.tables = file->tables;
    options.inputs = std::move(file->inputs);
    options.outputs = std::move(file->outputs);
    options.bindings = std::move(file->bindings);
    if (file->uniform.size != 0) options.uniform = std::move(file->uniform);
    options.subpass_inputs = std::move(file->subpass_inputs);
    for (vbc::SubpassInput& input : options.subpass_inputs) input.image.reset();
  }
  if (args.has(kTables.name)) {
    if (!options.tables) options.tables.emplace();
    if (const auto fault = print::parse_table_sizes(args.value(kTables.name), *options.tables)) {
      io.report({}, "usage", *fault);
      return Exit::failed;
    }
  }
  std::deque<Input> inputs;
  std::vector<View> modules;
  for (const std::string& name : args.operands) {
    auto input = io.read(name);
    if (!input) return input.exit;
    inputs.push_back(std::move(*input));
    modules.push_back(inputs.back().view());
  }
  const auto packed = vbc::pack(modules, options);
  if (!packed) {
    io.report(inputs.size() == 1 ? inputs.front().name : std::string("pack"), packed.error());
    return Exit::invalid;
  }
  const auto bytes = vbc::write(*packed);
  if (!write::accepts_made(View(bytes), "pack", args, io)) return Exit::invalid;
  if (as_json) print::write_made_file("unshade.pack/1", {}, "vbc", bytes, io);
  if (!as_json || io.has_product_file()) io.write_bytes(bytes);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade pack vertex.spv fragment.spv -o shader.vbc", "a VBC of two modules, its tables made from them"},
    {"unshade pack --like old.vbc vertex.spv fragment.spv -o new.vbc", "with the bindings of an older file, used or not"},
};

}  // namespace

const Verb kVerb{
    .name = "pack",
    .summary = "make a VBC of SPIR-V modules",
    .description =
        "Puts SPIR-V modules together to a VBC file (docs/reference/texts/vbc.md). Each goes to the stage of its entry point; vertex "
        "inputs, fragment "
        "outputs, "
        "bindings, the uniform block and subpass inputs are derived from what the modules declare and use. What no stage uses is not in "
        "them: "
        "--like takes it from another file. With --json, writes the file's bytes in hexadecimal.",
    .operands = {"SPV", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 fine, 1 the modules do not make a VBC, 2 usage, or input and output",
    .run = run_pack,
};

}  // namespace unshade::cli::verbs::pack
