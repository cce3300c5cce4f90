#include <string>
#include <utility>
#include <vector>

#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/repair.hpp>

#include "cli/io.hpp"
#include "cli/print/made_file.hpp"
#include "cli/print/table_sizes.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli {

namespace {

constexpr Option kRepair{"repair", 0, Takes::nothing, {}, {}, "VBC: bring a file of an older or faulty writer into the documented layout"};
constexpr Option kReplace{"replace-stage", 0, Takes::text, "STAGE=SPV", {}, "VBC: another module for a stage: fragment=new.spv"};
constexpr Option kStrip{"strip-debug", 0, Takes::nothing, {}, {}, "VBC: without names, source texts and lines in the SPIR-V"};
constexpr Option kStripMembers{
    "strip-member-names", 0, Takes::nothing, {}, {}, "VBC: as --strip-debug, and without the uniform's member names"};
constexpr Option kTables{"tables", 't', Takes::text,
                         "SIZES",  {},  "VBC: sizes of descriptor tables, also in the SPIR-V: samplers=16,images=4"};
constexpr Option kOptions[] = {kRepair, kReplace, kStrip, kStripMembers, kTables, kJson};

Exit replace_stage(const Args& args, vbc::File& file, Io& io) {
  const std::string_view text = args.value(kReplace.name);
  const auto equals = text.find('=');
  for (std::size_t i = 0; i < vbc::kStages && equals != std::string_view::npos; ++i) {
    const auto stage = static_cast<vbc::Stage>(i);
    if (vbc::id(stage) != text.substr(0, equals)) continue;
    const auto module = io.read(std::string(text.substr(equals + 1)));
    if (!module) return Exit::failed;
    if (auto done = vbc::replace_stage(file, stage, module->view()); !done) {
      io.report(module->name, done.error());
      return Exit::invalid;
    }
    return Exit::ok;
  }
  io.report({}, "usage", "--replace-stage takes a stage (vertex, tess_control, tess_evaluation, geometry, fragment), =, and a file");
  return Exit::failed;
}

Exit edit_vbc(const Args& args, const Input& input, Io& io) {
  auto parsed = vbc::parse(input.view());
  if (!parsed) return io.report(input.name, parsed.error()), Exit::invalid;
  vbc::File file = *std::move(parsed);
  Exit exit = Exit::ok;
  const bool as_json = args.has(kJson.name);
  std::vector<EditNote> notes;
  if (args.has(kRepair.name)) {
    vbc::Repair repaired = vbc::repair(file);
    for (const vbc::RepairNote& note : repaired.notes)
      notes.push_back(
          {note.is_done ? Severity::note : Severity::warning, note.is_done ? "repaired" : "not-repaired", note.path, note.message});
    file = std::move(repaired.file);
  }
  if (args.has(kReplace.name)) exit = replace_stage(args, file, io);
  if (exit != Exit::ok) return exit;
  const auto report = [&](const Result<void>& done) {
    if (!done) io.report(input.name, done.error());
    return done.has_value();
  };
  if (args.has(kTables.name)) {
    vbc::TableSizes sizes = file.tables;
    if (const auto fault = parse_table_sizes(args.value(kTables.name), sizes)) return io.report({}, "usage", *fault), Exit::failed;
    if (!report(vbc::set_table_sizes(file, sizes))) return Exit::invalid;
  }
  if ((args.has(kStrip.name) || args.has(kStripMembers.name)) &&
      !report(vbc::strip_debug_names(file, {.member_names = args.has(kStripMembers.name)})))
    return Exit::invalid;
  const auto bytes = vbc::write(file);
  if (as_json) {
    write_made_file("unshade.edit/1", notes, "vbc", bytes, io);
    return Exit::ok;
  }
  for (const EditNote& note : notes) io.report(input.name, note.severity, note.id, note.path + ": " + note.message);
  io.write_bytes(bytes);
  return Exit::ok;
}

Exit run_edit(const Args& args, Io& io) {
  if (!args.has(kJson.name) && io.refuses_bytes("edit")) return Exit::failed;
  const auto input = io.read(args.operands.front());
  if (!input) return Exit::failed;
  if (vbc::is_vbc(input->view())) return edit_vbc(args, *input, io);
  io.report(input->name, Error{ErrorCode::unsupported, 0, "file", "only VBC files can be edited"});
  return Exit::invalid;
}

constexpr Example kExamples[] = {
    {"unshade edit --repair old.vbc -o new.vbc", "a file that Vega's reader takes"},
    {"unshade edit --replace-stage fragment=new.spv shader.vbc -o new.vbc", "another fragment shader"},
    {"unshade edit --strip-debug --tables samplers=64 shader.vbc -o small.vbc",
     "several at once: they are done in the order of the options' list"},
};

}  // namespace

const Verb kEdit{
    .name = "edit",
    .summary = "change a file: repair it, replace a stage, strip names, set table sizes",
    .description =
        "Changes a VBC file and writes the result; what an option is not about stays as it is, byte for byte. What --repair does and what "
        "it "
        "cannot do is told on standard error, with --json in the document, which then has the file's bytes in hexadecimal.",
    .operands = {"FILE", Takes::file, {}, true, false},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 fine, 1 the file cannot be changed so, 2 usage, or input and output",
    .run = run_edit,
};

}  // namespace unshade::cli
