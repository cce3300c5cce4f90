#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/dxcontainer/root_signature_text.hpp>
#include <unshade/present/containers.hpp>
#include <unshade/shader/array_text.hpp>
#include <unshade/shader/root_signature.hpp>
#include <unshade/system/folder.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/editing.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::rootsig {

namespace {

using dxcontainer::RootSignature;

/// In the order of RootSignatureVersion.
constexpr Option kVersion{
    "version", 0, Takes::choice, "VERSION", "1.0|1.1|1.2", "version of a root signature made from text (default: the text's, or 1.1)"};
constexpr Option kDefine{"define", 'D', Takes::text,
                         "NAME",   {},  "the #define to read from HLSL source; with show and propose, the one to write"};
constexpr Option kDefaults{"defaults", 0, Takes::nothing, {}, {}, "also show settings with default values"};
constexpr Option kRaw{"raw", 0, Takes::nothing, {}, {}, "write only the bytes of the part, without a container"};
constexpr Option kOptions[] = {kVersion,        kDefine,           kDefaults,    kRaw, write::kNoValidate,
                               write::kInPlace, write::kOutputDir, write::kJobs, kAll, kJson};

constexpr std::string_view kChanging = "attach|detach";
constexpr ActionOption kActionOptions[] = {
    {kVersion.name, "show|make|attach|check"},
    {kDefine.name, "show|make|attach|check|propose"},
    {kDefaults.name, "show|propose"},
    {kRaw.name, "make"},
    {write::kNoValidate.name, "make|attach|detach"},
    {write::kInPlace.name, kChanging},
    {write::kOutputDir.name, kChanging},
    {write::kJobs.name, kChanging},
    {kAll.name, kChanging},
};

/// The bytes of a part that a file says in whatever way. `to_make`: they are to be written, so that they have to keep the rules.
std::optional<std::vector<std::byte>> read_signature(const Args& args, const Input& input, bool to_make, Io& io) {
  const bool checks = to_make && !args.has(write::kNoValidate.name);
  if (shader::is_binary_root_signature(input.view())) {
    for (const Option* option : {&kVersion, &kDefine}) {
      if (!args.has(option->name) || (option == &kDefine && !to_make)) continue;
      io.report(input.name, Error{ErrorCode::unsupported, 0, "file",
                                  "the root signature is in bytes, and --" + std::string(option->name) + " is only valid for one in text"});
      return std::nullopt;
    }
    auto bytes = shader::root_signature_of(input.view());
    if (!bytes) return io.report(input.name, bytes.error()), std::nullopt;
    const auto file = dxcontainer::wrap_part(dxcontainer::fourcc("RTS0"), *bytes);
    if (!file) return io.report(input.name, file.error()), std::nullopt;
    if (const auto errors = checks ? write::errors_of_made(View(*file)) : std::vector<Diagnostic>{}; !errors.empty()) {
      const bool writes = args.operands.front() != "check";
      (writes ? write::report_made : write::report_errors)(input.name, errors, io);
      return std::nullopt;
    }
    return *std::move(bytes);
  }
  if (!io.accepts_text(input)) return std::nullopt;
  dxcontainer::RootSignatureTextOptions options;
  if (const auto version = args.choice(kVersion)) options.version = static_cast<dxcontainer::RootSignatureVersion>(1 + *version);
  options.define = args.value(kDefine.name);
  const auto parsed = dxcontainer::parse_root_signature_text(input.view().text(), options);
  for (const Message& message : parsed.messages)
    io.report(input.name + ':' + std::to_string(message.line) + ':' + std::to_string(message.column), message.severity, message.id,
              message.text);
  if (!parsed.ok) return std::nullopt;
  bool breaks_rules = false;
  for (const auto& [line, column, finding] : parsed.findings) {
    if (!checks) break;
    breaks_rules = breaks_rules || finding.rule->severity == Severity::error;
    io.report(input.name + ':' + std::to_string(line) + ':' + std::to_string(column), finding.rule->severity, finding.rule->id,
              finding.path + ": " + finding.message);
  }
  if (breaks_rules) return std::nullopt;
  return dxcontainer::write_root_signature(parsed.signature);
}

void write_json(const std::string& file, const RootSignature& signature, std::string_view text, Io& io) {
  Json json(io.out);
  present::write_root_signature(file, signature, text, json);
}

/// Prints a root signature, as text or JSON.
Exit print(const Args& args, const std::string& name, const RootSignature& signature, Io& io) {
  dxcontainer::RootSignaturePrintOptions options;
  options.all = args.has(kDefaults.name);
  options.define = args.value(kDefine.name);
  if (args.has(kDefine.name) && !dxcontainer::is_macro_name(options.define))
    return io.refuse_usage("--define requires an identifier, found `" + std::string(options.define) + '`');
  Text text;
  if (auto printed = dxcontainer::print_root_signature(signature, text, options); !printed) return io.refuse_file(name, printed.error());
  if (args.has(kJson.name)) {
    write_json(name, signature, text.view(), io);
  } else {
    io.out.text << text.view();
  }
  return Exit::ok;
}

/// The root signature of a file. Of what was found in a folder only bytes are one: text there is not looked at.
std::optional<std::vector<std::byte>> read_operand(const Args& args, const Input& input, bool to_make, Io& io, Exit& exit) {
  if (input.view().empty() || (io.was_found(input.name) && !shader::is_binary_root_signature(input.view()))) {
    exit = io.refuse_file(input.name, input.view().empty() ? Error{ErrorCode::truncated, 0, "file", "the file is empty"}
                                                           : Error{ErrorCode::unsupported, 0, "file", "a file without a DXContainer"});
    return std::nullopt;
  }
  if (io.was_found(input.name)) {
    if (const auto found = shader::root_signature_of(input.view()); !found)
      return exit = io.refuse_file(input.name, found.error()), std::nullopt;
  }
  exit = Exit::invalid;
  return read_signature(args, input, to_make, io);
}

Exit show(const Args& args, const std::vector<std::string>& operands, Io& io) {
  Exit exit = Exit::ok;
  const std::vector<std::string> names = io.inputs(args.with(operands), exit);
  std::size_t shown = 0;
  for (const std::string& name : names) {
    const auto input = io.read(name, Whole::any);
    if (!input) {
      exit = worse(exit, input.exit);
      continue;
    }
    Exit read = Exit::ok;
    const auto bytes = read_operand(args, *input, false, io, read);
    if (!bytes) {
      exit = worse(exit, read);
      continue;
    }
    if (args.has(kJson.name) && io.refuses_second_document(input->name, shown)) return Exit::failed;
    if (names.size() > 1 && !args.has(kJson.name)) {
      print_safely(io.out.text << (shown != 0 ? "\n// " : "// "), input->name);
      io.out.text << '\n';
    }
    ++shown;
    const auto signature = shader::parse_root_signature(*bytes);
    exit = worse(exit, signature ? print(args, input->name, *signature, io) : io.refuse_file(input->name, signature.error()));
    if (!io.out.keep_going()) break;
  }
  return exit;
}

/// One for the shaders of a pipeline.
Exit propose(const Args& args, const std::vector<std::string>& operands, Io& io) {
  Exit exit = Exit::ok;
  const std::vector<std::string> names = io.inputs(args.with(operands), exit);
  shader::RootSignatureProposal proposal;
  std::string first;
  for (const std::string& name : names) {
    const auto input = io.read_bytes(name);
    if (!input) return input.exit;
    const auto opened = shader::open(input->view());
    const auto added = opened ? proposal.add(*opened) : Result<void>(opened.error());
    if (!added) {
      if (const Exit refused = io.refuse_file(input->name, added.error()); refused != Exit::ok) return refused;
    } else if (first.empty()) {
      first = input->name;
    }
  }
  return first.empty() ? exit : worse(exit, print(args, first, proposal.made(), io));
}

/// Calls `body(input)` for each file, which tells by `checked` whether there was something to check. That prints nothing: where all that
/// was there is right, files that are left out are no fault.
template <class Body>
Exit check_each(const Args& files, Io& io, Body body) {
  bool any = false;
  const Exit exit = for_each_input(files, io, [&](const Input& input) {
    bool checked = false;
    const Exit done = body(input, checked);
    any = any || checked;
    return done;
  });
  if (any) io.note_skipped("rootsig");
  return exit;
}

/// Whether each file of folders has a root signature that keeps the rules.
Exit check_own(const Args& args, const std::vector<std::string>& operands, Io& io) {
  return check_each(args.with(operands), io, [&](const Input& input, bool& checked) {
    Exit exit = Exit::ok;
    checked = read_operand(args, input, true, io, exit).has_value();
    return checked ? Exit::ok : exit;
  });
}

/// Whether a root signature keeps the rules and binds what programs use; writes nothing.
Exit check(const Args& args, const std::vector<std::string>& names, Io& io) {
  if (system::is_folder(names.front())) return check_own(args, names, io);
  const auto from = io.read_bytes(names.front());
  if (!from) return from.exit;
  const auto bytes = read_signature(args, *from, true, io);
  if (!bytes) return Exit::invalid;
  if (names.size() == 1) return Exit::ok;
  return check_each(args.with({names.begin() + 1, names.end()}), io, [&](const Input& input, bool& checked) {
    const auto opened = shader::open(input.view());
    if (!opened) return io.refuse_file(input.name, opened.error());
    const auto attached = shader::attach_root_signature(*opened, *bytes);
    if (!attached) return io.refuse_file(input.name, attached.error());
    checked = true;
    for (const Diagnostic& d : attached->findings)
      io.report(input.name, d.rule->severity, d.rule->id, d.path.empty() ? d.message : d.path + ": " + d.message);
    return attached->findings.empty() ? Exit::ok : Exit::invalid;
  });
}

Exit make(const Args& args, const std::string& name, Io& io) {
  const bool as_json = args.has(kJson.name);
  if (as_json) io.split_product();
  if (!as_json && io.refuses_bytes("rootsig")) return Exit::failed;
  const auto input = io.read_bytes(name);
  if (!input) return input.exit;
  const auto bytes = read_signature(args, *input, true, io);
  if (!bytes) return Exit::invalid;
  if (as_json) {
    Text text;
    const auto signature = shader::parse_root_signature(*bytes);
    if (!signature) return io.refuse_file(name, signature.error());
    if (auto printed = dxcontainer::print_root_signature(*signature, text); !printed) return io.refuse_file(name, printed.error());
    write_json(input->name, *signature, text.view(), io);
    if (!io.has_product_file()) return Exit::ok;
  }
  if (args.has(kRaw.name)) {
    io.write_bytes(*bytes);
    return Exit::ok;
  }
  const auto file = dxcontainer::wrap_part(dxcontainer::fourcc("RTS0"), *bytes);
  if (!file) return io.refuse_file(input->name, file.error());
  io.write_bytes(*file);
  return Exit::ok;
}

Exit attach(const Args& args, std::vector<std::string> names, Io& io) {
  const auto from = io.read_bytes(names.front());
  if (!from) return from.exit;
  const auto bytes = read_signature(args, *from, true, io);
  if (!bytes) return Exit::invalid;
  // Whatever the root signature was before: this one has to bind what the program uses.
  static constexpr std::string_view kAlways[] = {"dxbc.root-binding", "dxil.root-binding"};
  return write::run_edits(args.with({names.begin() + 1, names.end()}), io,
                          {"rootsig", present::Schema::rootsig_attach, true, kAlways, {names.data(), 1}},
                          [&](const shader::Shader& shader) -> Result<shader::Edited> {
                            auto attached = shader::attach_root_signature(shader, *bytes);
                            if (!attached) return std::move(attached).error();
                            if (args.has(write::kNoValidate.name))
                              for (const Diagnostic& finding : attached->findings)
                                attached->edited.notes.push_back(finding.path + ": " + finding.message);
                            return std::move(attached->edited);
                          });
}

Exit run_rootsig(const Args& args, Io& io) {
  const std::string_view action = args.operands.front();
  const std::vector<std::string> names(args.operands.begin() + 1, args.operands.end());
  if (action == "show") return names.empty() ? io.refuse_usage("rootsig show requires files") : show(args, names, io);
  if (action == "make") return names.size() == 1 ? make(args, names.front(), io) : io.refuse_usage("rootsig make requires a single text");
  if (action == "attach")
    return names.size() >= 2 ? attach(args, names, io) : io.refuse_usage("rootsig attach requires a root signature and files");
  if (action == "check") return names.empty() ? io.refuse_usage("rootsig check requires a root signature") : check(args, names, io);
  if (action == "propose") return names.empty() ? io.refuse_usage("rootsig propose requires files") : propose(args, names, io);
  if (action == "detach") {
    if (names.empty()) return io.refuse_usage("rootsig detach requires files");
    return write::run_edits(args.with(names), io, {"rootsig", present::Schema::rootsig_detach, true}, shader::detach_root_signature);
  }
  return io.refuse_usage("rootsig requires show, make, check, propose, attach or detach");
}

constexpr Example kExamples[] = {
    {"unshade rootsig show shader.dxil", "print the root signature in HLSL's language"},
    {"unshade rootsig make rs.txt --version 1.0 -o rs.cso",
     "make a container with only a root signature, for ID3D12Device::CreateRootSignature"},
    {"unshade rootsig make -D MainRS common.hlsli -o rs.cso", "make one from a #define in HLSL source"},
    {"unshade rootsig propose scene.vs.cso scene.ps.cso", "print a root signature that binds what the shaders of a pipeline use"},
    {"unshade rootsig check rs.txt scene.vs.cso scene.ps.cso",
     "check one, and whether it binds every used register, without writing anything"},
    {"unshade rootsig check build/shaders", "check the root signatures of all shaders in a folder"},
    {"unshade rootsig attach rs.txt shader.cso -o with.cso", "replace the root signature of a shader; it must bind every used register"},
    {"unshade rootsig detach -i *.cso", "remove root signatures"},
};

constexpr SampleFile kRootText{"rs.txt", R"(CBV(b0), DescriptorTable(SRV(t0, numDescriptors = 2))
)"};
constexpr const SampleFile* kInputs[] = {&samples::kTint, &kRootText};
constexpr std::string_view kSession = R"($ unshade as tint.asm -o tint.cso
$ unshade rootsig propose tint.cso
CBV(b0, visibility = SHADER_VISIBILITY_PIXEL)
$ unshade rootsig make rs.txt -o rs.cso
$ unshade rootsig attach rs.cso tint.cso -o new.cso
$ unshade rootsig show new.cso
CBV(b0),
DescriptorTable(SRV(t0, numDescriptors = 2)))";

}  // namespace

const VerbBody kBody{
    .description =
        "Handles root signatures in the language of HLSL's [RootSignature(\"...\")] (docs/howto/root_signatures.md).\n\n"
        "show FILE... prints that of a container, a database or a bare part; in folders, what has none is left out. make TEXT makes a "
        "container with one from text or HLSL "
        "source, byte for byte as dxc does. attach RS FILE... puts one, from text or any file that has one, into containers instead of "
        "theirs: it must bind every register that the programs use. Root signatures that break rules (validate --rules: rts0.*) are "
        "not made or attached, unless --no-validate is given. detach FILE... removes them.\n\n"
        "check RS [FILE...] reports broken rules and unbound registers, and writes nothing; check FOLDER... reports the rules that the "
        "root "
        "signatures of the files there break. propose FILE... prints a root signature for the shaders of a pipeline: single constant "
        "buffers as root descriptors, the rest in descriptor tables.",
    .operands = {"ACTION FILE", Takes::file, "show|make|check|propose|attach|detach"},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 errors in the text, broken rules, no root signature or an unbound register, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_rootsig,
    .action_options = kActionOptions,
};

}  // namespace unshade::cli::verbs::rootsig
