#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/png/picture_files.hpp>
#include <unshade/present/run/equivalence.hpp>
#include <unshade/present/run/run.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/session.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/suite/equivalence.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/open_input.hpp"
#include "cli/print/progress.hpp"
#include "cli/stepping/stepper.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/input_files.hpp"
#include "cli/write/made.hpp"
#include "cli/write/named_files.hpp"
#include "cli/write/results.hpp"

namespace unshade::cli::verbs::run {

namespace {

constexpr Option kEntry{
    "entry", 'e', Takes::text,
    "NAME",  {},  "the entry point of a module with several, or the number of an SHBIN's executable (default: the case's, else the first)"};
constexpr Option kWave{"wave", 'w', Takes::text, "N", {}, "lanes of a wave: 4, 8, 16, 32, 64 or 128 (default: the case's, else 32)"};
constexpr Option kBudget{"budget",
                         0,
                         Takes::text,
                         "N",
                         {},
                         "operations that the waves may execute together before they are stopped (default: 4294967296; on generated inputs "
                         "16777216, with --against 1048576)"};
constexpr Option kJobs{"jobs", 'j', Takes::text, "N", {}, "threads; results do not depend on it (default: the number of processors)"};
constexpr Option kProfile{
    "profile",
    0,
    Takes::nothing,
    {},
    {},
    "print the listing with how often each instruction ran, the mean of its active lanes, and the bytes that it loaded or stored"};
constexpr Option kTrace{"trace", 0,  Takes::nothing,
                        {},      {}, "print a line for each instruction that runs, with its results (with --json, an object a line)"};
constexpr Option kStep{"step", 0,  Takes::nothing,
                       {},     {}, "step through the run, forward and back, by commands from standard input; `help` lists them"};
constexpr Option kLane{
    "lane", 0, Takes::text, "N", {}, "with --trace, a lane of each wave to show (default: the first four that are active)", true};
constexpr Option kBreak{"break", 0, Takes::text, "N", {}, "stop after instruction N, and print its results"};
constexpr Option kCheck{"check", 0, Takes::nothing, {}, {}, "report accesses out of bounds and uses of undefined values"};
constexpr Option kRaw{"raw", 0, Takes::text, "RESOURCE", {}, "write the bytes of a resource after the run, and nothing else"};
constexpr Option kNpy{"npy", 0, Takes::text, "RESOURCE", {}, "the same as a NumPy array of 32-bit words, floats with --float"};
constexpr Option kPicture{"picture",  0,  Takes::text,
                          "RESOURCE", {}, "write a texture after the run as the picture that -o FILE names: .png, .dds or .exr"};
constexpr Option kFormat{
    "format",
    0,
    Takes::choice,
    "FORMAT",
    write::kResultFormats,
    "with -o DIR, how results are written, pictures of textures alone; the last that a result can be written in counts "
    "(default: dds, and npy for everything but textures)",
    true};
constexpr Option kFloat{"float", 0, Takes::nothing, {}, {}, "with --npy, items are 32-bit floats"};
constexpr Option kAgainst{"against", 0, Takes::file, "OTHER", {}, "run OTHER on the same inputs, and report the first output that differs"};
constexpr Option kRandom{"random", 0, Takes::text, "N", {}, "with --against, sets of inputs to generate (default: 96; 0 with a case)"};
static_assert(suite::kDefaultRandom == 96);
constexpr Option kSeed{"seed", 0, Takes::text, "S", {}, "with --against, the seed of generated inputs (default: 1)"};
constexpr Option kUlp{"ulp", 0, Takes::text, "N", {}, "with --against, floats may be N units in the last place from each other"};
constexpr Option kAbsolute{"abs", 0, Takes::text, "X", {}, "with --against, numbers may be X from each other"};
constexpr Option kRelative{"rel", 0, Takes::text, "X", {}, "with --against, numbers may be X times that of OTHER from each other"};
constexpr Option kOptions[] = {kOptimize, kFloat24, kEntry,  kWave, kBudget, kJobs,     kTrace,   kStep,   kLane,
                               kBreak,    kProfile, kCheck,  kRaw,  kNpy,    kFloat,    kPicture, kFormat, write::kResultsDir,
                               kJson,     kAgainst, kRandom, kSeed, kUlp,    kAbsolute, kRelative};

/// Instructions that a trace prints; those after are counted.
constexpr std::uint64_t kMostTraced = 100'000;

/// What the callbacks of a run read and write.
struct RunCalls {
  Io& io;
  NamedFiles files{};
  bool json = false;
  bool prints = false;  ///< --trace
  std::optional<std::uint32_t> stop_at;
  std::uint64_t traced = 0;
  std::string_view unit;  ///< what progress counts
  std::optional<print::Progress> progress;
};

Result<std::vector<std::byte>> read_file(void* self, std::string_view path) { return static_cast<RunCalls*>(self)->files.read(path); }

bool trace(void* self, std::uint32_t instruction, const Value& step) {
  RunCalls& calls = *static_cast<RunCalls*>(self);
  const bool stops = calls.stop_at == instruction;
  if ((calls.prints && calls.traced++ < kMostTraced) || stops) {
    if (calls.json) {
      Json json(calls.io.out, Json::Layout::compact);
      present::write_step(step, json);
    } else {
      present::print_step(step, calls.io.out);
    }
  }
  return !stops && calls.io.out.keep_going();
}

void show_progress(void* self, std::uint64_t done, std::uint64_t of) {
  RunCalls& calls = *static_cast<RunCalls*>(self);
  if (!calls.progress) calls.progress.emplace(calls.io.host(), of, calls.unit);
  calls.progress->show(done);
}

void print_findings(const Value& findings, std::string_view file, Io& io) {
  for (const Value& one : *findings.as_list())
    io.report(file, Severity::warning, *one.find("finding")->as_text(), unshade::run::finding_message(one));
}

// --picture
Exit write_picture(const unshade::run::Runnable& shader, const Value& result, const std::vector<unshade::run::ResultArray>& arrays,
                   const Args& args, Io& io) {
  const std::string_view wanted = args.value(kPicture.name);
  auto found = std::ranges::find_if(arrays, [&](const auto& one) { return one.key.empty() && one.name == wanted; });  // an output
  if (found == arrays.end()) {
    const auto member = unshade::run::find_resource(shader, result, wanted);
    if (!member) return io.report({}, id(member.error().code), member.error().message), Exit::invalid;
    found = std::ranges::find(arrays, (*member)->key, &unshade::run::ResultArray::key);
    if (found == arrays.end()) return io.report({}, "missing", unshade::run::no_resource(result, wanted)), Exit::invalid;
  }
  const auto picture = unshade::run::picture_of(*found);
  if (!picture) return io.report(found->name, id(picture.error().code), picture.error().message), Exit::invalid;
  const auto file = png::picture_file_of(args.value(kOutput.name))->write(*picture);
  if (!file) return io.report(found->name, file.error()), Exit::invalid;
  io.write_bytes(*file);
  return Exit::ok;
}

bool is_of_one_resource(const Args& args) { return args.has(kRaw.name) || args.has(kNpy.name) || args.has(kPicture.name); }

// Complains of options of results that do not go together.
bool refuses_results(const Args& args, std::string_view folder, Io& io) {
  const auto usage = [&](std::string_view message) {
    io.report({}, "usage", message);
    return true;
  };
  if (args.has(kOutput.name) && args.has(write::kResultsDir.name)) return usage("-o and --output-dir must not be combined");
  if (is_of_one_resource(args) && !folder.empty()) return usage("--raw, --npy and --picture write one resource: -o must name a file");
  if (args.has(kFormat.name) && folder.empty()) return usage("--format requires a folder for the results: -o DIR/ or --output-dir DIR");
  if (args.has(kAgainst.name) && !folder.empty()) return usage("--against has no results for a folder");
  if (args.has(kPicture.name) && png::picture_file_of(args.value(kOutput.name)) == nullptr)
    return usage("--picture requires a file that ends in .png, .dds or .exr: -o FILE");
  return is_of_one_resource(args) && io.refuses_bytes("run");
}

// The bytes of one resource, by binding or name.
Exit write_resource(const unshade::run::Runnable& shader, const Value& result, const Args& args, Io& io) {
  const bool npy = args.has(kNpy.name);
  const auto member = unshade::run::find_resource(shader, result, args.value(npy ? kNpy.name : kRaw.name));
  if (!member) return io.report({}, id(member.error().code), member.error().message), Exit::invalid;
  std::vector<std::byte> bytes;
  from_hex(*(*member)->value.find("hex")->as_text(), bytes);
  if (npy) bytes = unshade::run::npy_of(args.has(kFloat.name) ? 'f' : 'u', bytes);
  io.write_bytes(bytes);
  return Exit::ok;
}

/// A file with its shader, or that of its listing; without a shader it was complained of.
struct Opened {
  std::optional<Input> input;
  std::vector<std::byte> assembled;
  std::optional<shader::Shader> shader;
  Exit exit = Exit::ok;
};

Opened open_or_assemble(const std::string& name, Io& io) {
  Opened made;
  auto input = io.read(name);
  if (!input) {
    made.exit = input.exit;
    return made;
  }
  made.input = std::move(*input);
  const auto refuse = [&](const Error& error) {
    made.exit = io.refuse_file(made.input->name, error);
    return std::move(made);
  };
  const bool is_listing = shader::may_be_listing(made.input->view());
  if (is_listing) {
    Assembly assembly = shader::assemble_listing(made.input->view());
    if (!assembly.ok) {
      std::erase_if(assembly.messages, [](const Message& one) { return one.severity != Severity::error; });
      for (Message& message : assembly.messages) message.file = made.input->name;
      io.report(assembly.messages);
      made.exit = Exit::invalid;
      return made;
    }
    made.assembled = std::move(assembly.file);
  }
  auto opened = is_listing ? shader::open(View(made.assembled)) : open_input(*made.input);
  if (!opened) return refuse(opened.error());
  made.shader = std::move(*opened);
  return made;
}

/// A number from 0 on; nothing and a complaint if it is none.
std::optional<double> bound(const Args& args, const Option& option, Io& io) {
  if (!args.has(option.name)) return 0;
  if (const auto value = as_real(args.value(option.name))) return value->wide;
  io.report({}, "usage", "--" + std::string(option.name) + " must be a finite number from 0 on");
  return std::nullopt;
}

// With --against.
Exit compare_shaders(const Args& args, const suite::Subject& subject, const shader::LowerOptions& lowering, const Value& given,
                     const unshade::run::RunOptions& run, const std::function<void(const Error&)>& report_case, Io& io) {
  suite::EquivalenceOptions options;
  options.run = run;
  if (!given.as_map()->empty()) options.random = 0;
  if (args.has(kRandom.name)) {
    const auto count = as_number<std::uint64_t>(args.value(kRandom.name));
    if (!count || *count > suite::kMostRandom)
      return io.refuse_usage("--random must be a number from 0 to " + std::to_string(suite::kMostRandom));
    options.random = static_cast<unsigned>(*count);
  }
  if (args.has(kSeed.name)) {
    const auto seed = as_number<std::uint64_t>(args.value(kSeed.name));
    if (!seed) return io.refuse_usage("--seed must be a whole number");
    options.seed = *seed;
  }
  for (const auto& [option, to] :
       {std::pair{&kUlp, &options.ulp}, std::pair{&kAbsolute, &options.absolute}, std::pair{&kRelative, &options.relative}}) {
    const auto value = bound(args, *option, io);
    if (!value) return Exit::failed;
    *to = *value;
  }
  const Opened other_file = open_or_assemble(std::string(args.value(kAgainst.name)), io);
  if (!other_file.shader) return other_file.exit;
  const Input* const input = &*other_file.input;
  const auto made = unshade::run::prepare(*other_file.shader, lowering);
  if (!made) return io.refuse_file(input->name, made.error());
  const suite::Subject other{input->name, *made};
  const auto compared = suite::compare(subject, other, given, options);
  if (!compared) return report_case(compared.error()), Exit::invalid;
  const std::string names[] = {subject.name, other.name};
  if (args.has(kJson.name)) {
    Json json(io.out);
    present::write_equivalence(*compared, json);
  } else if (compared->mismatches.empty()) {
    present::print_equivalence(*compared, names, io.out);
  }
  for (const std::string& one : compared->mismatches) io.report({}, "interface", one);
  return compared->equal() ? Exit::ok : Exit::invalid;
}

// Complains of options that need --against, and of those that do not go with it.
bool refuses_against(const Args& args, Io& io) {
  const bool compares = args.has(kAgainst.name);
  const auto usage = [&](const std::string& message) {
    io.report({}, "usage", message);
    return true;
  };
  for (const Option* const one : {&kRandom, &kSeed, &kUlp, &kAbsolute, &kRelative})
    if (!compares && args.has(one->name)) return usage("--" + std::string(one->name) + " is only valid with --against");
  for (const Option* const one :
       {&kTrace, &kLane, &kBreak, &kProfile, &kCheck, &kRaw, &kNpy, &kFloat, &kPicture, &kFormat, &write::kResultsDir})
    if (compares && args.has(one->name)) return usage("--against cannot be combined with --" + std::string(one->name));
  return false;
}

// Complains of what does not go with --step.
bool refuses_step(const Args& args, Io& io) {
  const auto usage = [&](const std::string& message) {
    io.report({}, "usage", message);
    return true;
  };
  const auto is_input = [](std::string_view name) { return name == "-"; };
  if (std::ranges::any_of(args.operands, is_input)) return usage("--step reads commands from standard input: FILE and CASE must be files");
  for (const Option* const other :
       {&kTrace, &kBreak, &kProfile, &kCheck, &kRaw, &kNpy, &kPicture, &kAgainst, &write::kResultsDir, &kOutput})
    if (args.has(other->name)) return usage("--step cannot be combined with --" + std::string(other->name));
  return false;
}

// --step
Exit step_shader(const Args& args, const Input& input, const shader::Shader& opened, const Value& given,
                 const unshade::run::RunOptions& run, const shader::LowerOptions& lowering,
                 const std::function<void(const Error&)>& report_case, Io& io) {
  const auto listing = present::list_for_stepping(opened);
  if (!listing) return io.refuse_file(input.name, listing.error());
  unshade::run::SessionOptions options;
  options.run = run;
  options.record = std::size_t{1} << 30;
  auto session = unshade::run::Session::record(opened, given, options, lowering);
  if (!session) return report_case(session.error()), Exit::invalid;
  return stepping::step_through(*session, *listing, args.has(kJson.name), io);
}

Exit run_shader(const Args& args, Io& io) {
  std::string_view folder = args.value(write::kResultsDir.name);
  if (folder.empty() && args.has(kOutput.name) && write::names_folder(args.value(kOutput.name))) folder = args.value(kOutput.name);
  if (refuses_results(args, folder, io) || (args.has(kStep.name) && refuses_step(args, io)) || refuses_against(args, io))
    return Exit::failed;
  if (args.has(kLane.name) && !args.has(kTrace.name) && !args.has(kBreak.name))
    return io.refuse_usage("--lane is of use with --trace or --break only");
  const Opened subject = open_or_assemble(args.operands[0], io);
  if (!subject.shader) return subject.exit;
  const Input* const input = &*subject.input;
  const shader::Shader* const opened = &*subject.shader;

  Value given = Value::map();
  RunCalls calls{io, {}, false, false, {}, 0, {}, {}};
  std::optional<Read> text;
  if (args.operands.size() > 1) {
    text = io.read_text(args.operands[1]);
    if (!*text) return text->exit;
    constexpr std::string_view kOthers[] = {"suite", "scene", "amber", "document", "llvm-document"};
    auto parsed = open_document(**text, "a case", kOthers, io);
    if (!parsed) return Exit::invalid;
    given = std::move(*parsed);
    calls.files.file = args.operands[1];
  }

  unshade::run::RunOptions options;
  options.read_file = read_file;
  options.read_picture = [](void*, std::span<const std::byte> file) { return png::read_picture_file(file); };
  // values are shown of a result that is printed
  if (!is_of_one_resource(args) && (folder.empty() || args.has(kJson.name))) options.values = std::uint64_t{4} << 20;
  options.self = &calls;
  constexpr std::uint64_t kMostThreads = 256;
  const std::uint64_t processors = std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
  const auto wave = io.lanes_of(args, kWave);
  const auto budget = io.count_of(args, kBudget, unshade::run::kMostOperations, ~std::uint64_t{0});
  const auto threads = io.count_of(args, kJobs, processors, kMostThreads);
  if (!wave || !budget || !threads) return Exit::failed;
  options.wave = *wave;
  if (args.has(kBudget.name)) options.operations = *budget;
  options.threads = static_cast<unsigned>(*threads);
  if (args.has(kFloat24.name)) {
    if (opened->family != shader::Family::pica) return io.refuse_usage("--float24 is for shaders of the PICA200");
    options.f24 = unshade::run::f24_of(args.value(kFloat24.name));
  }

  shader::LowerOptions lowering;
  const std::string entry = unshade::run::entry_of(given, args.value(kEntry.name));
  lowering.entry = entry;
  const bool watched = args.has(kTrace.name) || args.has(kBreak.name) || args.has(kProfile.name) || args.has(kCheck.name);
  const auto made = unshade::run::prepare(*opened, lowering, watched || args.value(kOptimize.name) == "0" ? 0 : 2);
  if (!made) return io.refuse_file(input->name, made.error());
  // errors of shaders, or of the case
  const auto report = [&](const Error& error) {
    const bool of_shader = !text || error.code == ErrorCode::unsupported;
    of_shader ? io.report(input->name, error) : io.report_in(**text, error);
  };
  if (args.has(kStep.name)) return step_shader(args, *input, *opened, given, options, lowering, report, io);
  if (args.has(kAgainst.name)) {
    const Exit exit = compare_shaders(args, {input->name, *made}, lowering, given, options, report, io);
    return calls.files.refuse_output(io) ? Exit::failed : exit;
  }
  vm::Profile profile;
  if (args.has(kProfile.name)) options.profile = &profile;
  for (const std::string_view given_lane : args.values(kLane.name)) {
    const auto lane = as_number<std::uint64_t>(given_lane);
    if (!lane || *lane > 127) return io.refuse_usage("--lane must be a number from 0 to 127");
    options.trace_lanes.push_back(static_cast<std::uint32_t>(*lane));
  }
  calls.json = args.has(kJson.name);
  calls.prints = args.has(kTrace.name);
  if (args.has(kBreak.name)) {
    const auto instruction = as_number<std::uint64_t>(args.value(kBreak.name));
    if (!instruction || *instruction > 0xffff'ffff) return io.refuse_usage("--break must be the number of an instruction");
    calls.stop_at = static_cast<std::uint32_t>(*instruction);
  }
  if (calls.prints || calls.stop_at) {
    options.trace = trace;
    if (!calls.prints) options.breakpoints = {*calls.stop_at};
  } else {
    calls.unit = made->module().stage == Stage::compute ? "groups" : "batches";
    options.progress = show_progress;
  }
  options.check = args.has(kCheck.name);
  std::vector<std::string> lines;
  if (options.profile != nullptr || options.trace != nullptr || options.check) {
    auto listed = shader::instruction_lines(*opened, made->module().functions.front().name);
    if (listed) lines = std::move(*listed);
    options.lines = &lines;
  }

  std::vector<unshade::run::ResultArray> arrays;
  if (!folder.empty() || args.has(kPicture.name)) options.arrays = &arrays;
  auto result = unshade::run::execute(*made, given, options);
  calls.progress.reset();
  if (calls.files.refuse_output(io)) return Exit::failed;
  if (!result) return report(result.error()), Exit::invalid;
  const std::string stop = *result->find("stop")->as_text();
  const bool finished = stop == "finished" || stop == "breakpoint";
  if (calls.stop_at && stop == "finished")
    io.report(input->name, Severity::warning, "break",
              "the shader finished, and did not run instruction " + std::to_string(*calls.stop_at));
  if (const Value* const mismatches = result->find("format_mismatches"); mismatches != nullptr && !args.has(kJson.name)) {
    for (const Value& one : *mismatches->as_list()) io.report(input->name, Severity::warning, "format", *one.as_text());
  }
  if (args.has(kRaw.name) || args.has(kNpy.name)) return write_resource(*made, *result, args, io);
  if (args.has(kPicture.name)) return write_picture(*made, *result, arrays, args, io);
  std::vector<present::ResultFile> written;
  if (!folder.empty()) {
    write::InputFiles inputs;
    for (const std::string& operand : args.operands) inputs.add(Io::input_id(operand));
    for (const std::string& file : calls.files.named) inputs.add(Io::file_id(file));
    const Exit exit = write::write_results(arrays, folder, args.values(kFormat.name), inputs, io, written);
    if (exit != Exit::ok) return exit;
    result->add("files", present::result_file_rows(written));
  }
  if (args.has(kProfile.name)) {
    result->add("profile", present::profile_rows(profile, lines));
  }
  if (args.has(kJson.name)) {
    // after a trace, one more line
    Json json(io.out, options.trace != nullptr ? Json::Layout::compact : Json::Layout::indented);
    present::write_run(*result, json);
    return finished ? Exit::ok : Exit::invalid;
  }
  if (calls.traced > kMostTraced) {
    io.out.text << "... ";
    io.out.text.dec(calls.traced - kMostTraced);
    io.out.text << " more instructions\n";
  }
  folder.empty() ? present::print_result(*result, io.out) : present::print_result_files(written, io.out);
  present::print_messages(*result, io.out);
  if (options.profile != nullptr) present::print_profile(profile, lines, io.out);
  if (const Value* const findings = result->find("findings")) print_findings(*findings, input->name, io);
  if (!finished) {
    const bool by_budget = *result->find("stop")->as_text() == vm::id(vm::Stop::budget);
    io.report(input->name, "stopped", *result->find("fault")->as_text() + (by_budget ? "; --budget N allows more" : ""));
    return Exit::invalid;
  }
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade run shader.cso", "on generated inputs: buffers that count up, identity matrices"},
    {"unshade run shader.cso case.toml", "on what the case gives"},
    {"unshade run --trace --lane 0 shader.cso case.toml", "each instruction of lane 0 with what it computed"},
    {"unshade run --step shader.cso case.toml", "forward and back, to breakpoints, to the next NaN"},
    {"unshade run --check shader.cso", "accesses out of bounds, and values that were never set"},
    {"unshade run --npy u0 shader.cso case.toml -o u0.npy", "what the shader wrote, for NumPy"},
    {"unshade run shader.cso case.toml -o results/ --format png", "every output and resource as a file, textures as PNG"},
    {"unshade run --against new.dxil --ulp 2 old.dxbc", "the first output that differs, on generated inputs"},
    {"unshade run --json --wave 64 shader.dxil case.json", "in waves of 64 lanes, the result as JSON"},
};

constexpr const SampleFile* kInputs[] = {&samples::kSquares};
constexpr std::string_view kSession = R"($ unshade as squares.asm -o squares.cso
$ unshade run squares.cso
u0  u0
  0000  00000000 (0.0)  00000001 (1e-45)  00000004 (6e-45)  00000009 (1.3e-44)
  0010  00000000 (0.0)  00000000 (0.0)  00000000 (0.0)  00000000 (0.0)
  ... 14 lines like it)";

}  // namespace

const VerbBody kBody{
    .description =
        "Executes a shader without a GPU: a compute shader over a grid of thread groups, any other stage over lanes whose inputs the case "
        "gives. A case is TOML, YAML or JSON: constants by variable, resources by name or binding, inputs by semantic. Without one, "
        "inputs are generated: buffers and inputs count up, matrices are identities. A listing in the place of a file is assembled first. "
        "What the shader prints (debugPrintfEXT, printf) is shown after its results.",
    .operands = {"FILE [CASE]", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits =
        "0 the shader finished (with --against: nothing differs), 1 the file or the case is not valid, the shader was stopped, or an "
        "output differs, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_shader,
    .fills_folders = true,
};

}  // namespace unshade::cli::verbs::run
