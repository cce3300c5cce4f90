#include <string>
#include <string_view>
#include <vector>

#include <unshade/document_text/document_text.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/unpack/zlib.hpp>

#include "cli/io/io.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/made.hpp"

namespace unshade::cli::verbs::build {

namespace {

constexpr Option kNoHints{"no-hints", 0, Takes::nothing, {}, {}, "compute a new layout: ignore offsets, sizes and gaps in the document"};
constexpr Option kOptions[] = {kNoHints, write::kNoValidate};

Exit run_build(const Args& args, Io& io) {
  if (io.refuses_bytes("build")) return Exit::failed;
  const auto input = io.read_text(args.operands[0]);
  if (!input) return input.exit;
  if (!io.accepts_text(*input)) return Exit::invalid;
  const auto document = document_text::read_yaml(input->view().text());
  if (!document) return io.report_in(*input, document.error()), Exit::invalid;
  std::vector<Error> notes;
  const auto hints = args.has(kNoHints.name) ? shader::Hints::dropped : shader::Hints::fitting;
  const auto bytes = [&]() -> Result<std::vector<std::byte>> {
    if (!shader::is_llvm_document(*document)) return shader::build_document(*document, {hints, &notes});
    if (hints == shader::Hints::dropped)
      return Error{ErrorCode::unsupported, 0, "", "--no-hints: documents in LLVM's format have no hints"};
    const auto rest = document_text::read_llvm_rest(input->view().text());
    if (!rest) return rest.error();
    return shader::build_llvm_document(*document, *rest, {shader::LlvmVersion::v21, unpack::zlib_inflate(), unpack::zlib_deflate()});
  }();
  if (!bytes) return io.report_in(*input, bytes.error()), Exit::invalid;
  for (const Error& note : notes) io.report_in(*input, note, Severity::note);
  if (shader::is_llvm_document(*document)) {
    // yaml2obj makes whatever a document says, and LLVM's tests are of broken files.
    if (!args.has(write::kNoValidate.name))
      for (const Diagnostic& d : write::errors_of_made(View(*bytes)))
        io.report(input->name, Severity::warning, d.rule->id, d.path.empty() ? d.message : d.path + ": " + d.message);
  } else if (!write::accepts_made(View(*bytes), input->name, args, io)) {
    return Exit::invalid;
  }
  io.write_bytes(*bytes);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade build shader.yaml -o shader.cso", "build the file that a document describes"},
    {"unshade dump --yaml shader.cso | sed 's/g_Old/g_New/' | unshade build - -o new.cso", "rename something in a file"},
    {"unshade dump --yaml odd.cso | unshade build --no-validate - -o same.cso", "rebuild a file that already breaks rules"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade dump --yaml orange.cso -o orange.yaml
$ cat orange.yaml
schema: unshade.document/1
family: dxbc
digest: valid
parts:
- OSGN:
    elements:
    - semantic: SV_Target
      semantic_index: 0
      system_value: undefined
      component_type: float
      register: 0
      mask: xyzw
      used_mask: ""
- SHEX:
    program: |
      ps_5_0
      dcl_output o0.xyzw
      mov o0.xyzw, l(1.0,0.5,0,1.0)
      ret
$ sed 's/0.5/0.25/' orange.yaml | unshade build - -o brown.cso
$ unshade dis --no-header brown.cso
ps_5_0
dcl_output o0.xyzw
mov o0.xyzw, l(1.000000,0.250000,0,1.000000)
ret
// Approximately 0 instruction slots used)";

}  // namespace

const VerbBody kBody{
    .description =
        "Reads a document in YAML or JSON (docs/reference/yaml.md) and writes the file it describes. Offsets, sizes, counts, tables of "
        "strings and the digest are computed, with the layout of fxc and dxc. A document that dump --yaml printed gives the same file "
        "byte for byte. If an edited part does not fit at the offsets that its hints state, it gets a new layout and a note is printed. "
        "A file that would break rules of its format is not written, unless --no-validate is given. Also reads the YAML of LLVM's "
        "obj2yaml, "
        "of LLVM 19 and later, and the output of dump --format llvm; as yaml2obj does, it builds what that says, and broken rules are "
        "warnings.",
    .operands = {.name = "FILE", .takes = Takes::file, .many = false},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 the document or the built file is invalid, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_build,
};

}  // namespace unshade::cli::verbs::build
