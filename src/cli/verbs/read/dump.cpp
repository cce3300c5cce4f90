#include <optional>
#include <string>
#include <string_view>

#include <unshade/core/tree.hpp>
#include <unshade/document_text/document_text.hpp>
#include <unshade/present/dump.hpp>
#include <unshade/present/value.hpp>
#include <unshade/shader/annotate.hpp>
#include <unshade/shader/document.hpp>
#include <unshade/unpack/zlib.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::verbs::dump {

namespace {

constexpr Option kHexOption{"hex", 'x', Takes::nothing, {}, {}, "hex dump: every byte next to its field"};
constexpr Option kPart{"part", 'p', Takes::text, "NAME", {}, "only this part: the first component of a path, or a FourCC (RDEF, header)"};
constexpr Option kCoverage{"coverage", 0, Takes::nothing, {}, {}, "only the shares of named, padding and unknown bytes"};
constexpr Option kYaml{"yaml", 'y', Takes::nothing,
                       {},     {},  "the whole file as YAML, from which build makes it again; same as --format yaml"};
constexpr Option kFormat{"format",
                         'f',
                         Takes::choice,
                         "FORMAT",
                         "tree|yaml|json|llvm",
                         "tree (the default); yaml or json: a document for build; llvm: a document as obj2yaml prints it"};
constexpr Option kNoHints{"no-hints", 0,  Takes::nothing,
                          {},         {}, "documents without offsets, sizes and gaps: the built file may have a different layout"};
constexpr Option kLlvm{"llvm",
                       0,
                       Takes::choice,
                       "VERSION",
                       "19|21",
                       "with --format llvm, whose form: that of LLVM 19 (the default), or of LLVM 20 and later, which "
                       "have fields for RTS0, ILDB, ILDN, VERS, SRCI and PRIV"};
constexpr Option kOptions[] = {kHexOption, kPart, kCoverage, kYaml, kFormat, kLlvm, kNoHints, write::kOutputDir, kJson, kAll};

void add(Coverage& sum, const Coverage& one) {
  sum.named += one.named;
  sum.padding += one.padding;
  sum.unknown += one.unknown;
  sum.total += one.total;
}

void coverage_line(std::string_view file, const Coverage& coverage, Io& io) {
  print_safely(io.out.text, file);
  io.out.text << ": ";
  present::print_coverage(coverage, io.out);
  io.out.text << '\n';
}

/// The documents of files, one after the other. JSON has no such thing, so it takes one file.
Exit dump_documents(const Args& args, Io& io, std::string_view format) {
  const bool as_json = format == "json";
  const auto hints = args.has(kNoHints.name) ? shader::Hints::dropped : shader::Hints::kept;
  std::size_t files = 0;
  return for_each_input(args, io, [&](const Input& input) {
    const auto opened = open_input(input);
    if (opened && format == "llvm") {
      const auto version = args.value(kLlvm.name, "19") == "19" ? shader::LlvmVersion::v19 : shader::LlvmVersion::v21;
      const auto document = shader::make_llvm_document(*opened, {version, unpack::zlib_inflate(), unpack::zlib_deflate()});
      if (!document) return io.refuse_file(input.name, document.error());
      present::print_llvm_yaml(io.out.text, *document);
      return Exit::ok;
    }
    if (as_json && io.refuses_second_document(input.name, files)) return Exit::failed;
    const auto document = opened ? shader::make_document(*opened, nullptr, hints) : Result<Value>(opened.error());
    if (!document) return io.refuse_file(input.name, document.error());
    ++files;
    if (as_json) {
      Json json(io.out);
      present::write_value(*document, json);
      json.finish();
      return Exit::ok;
    }
    if (files > 1) io.out.text << "---\n";
    present::print_yaml(io.out.text, *document);
    return Exit::ok;
  });
}

Exit run_dump(const Args& args, Io& io) {
  const auto format = args.has(kYaml.name) ? std::string_view("yaml") : args.value(kFormat.name, "tree");
  if (args.has(kYaml.name) && args.value(kFormat.name, "yaml") != "yaml")
    return io.refuse_usage("--yaml is --format yaml, and must not be combined with --format " + std::string(args.value(kFormat.name)));
  if (args.has(kLlvm.name) && format != "llvm") return io.refuse_usage("--llvm requires --format llvm");
  if (args.has(write::kOutputDir.name)) {
    const char* const suffix = args.has(kJson.name) || format == "json" ? ".json" : format == "tree" ? ".txt" : ".yaml";
    return write::run_below_folder(args, io, 0, [&](const Input&) { return suffix; }, run_dump);
  }
  if (format != "tree") {
    if (args.has(kHexOption.name) || args.has(kPart.name) || args.has(kCoverage.name) || args.has(kJson.name))
      return io.refuse_usage("--hex, --part, --coverage and --json must not be combined with --yaml or --format, which print whole files");
    if (format == "llvm" && args.has(kNoHints.name)) return io.refuse_usage("--no-hints requires --yaml or --format json");
    return dump_documents(args, io, format);
  }
  if (args.has(kNoHints.name)) return io.refuse_usage("--no-hints requires --yaml or --format json");
  if (args.has(kCoverage.name) && (args.has(kPart.name) || args.has(kHexOption.name)))
    return io.refuse_usage("--coverage prints the shares of whole files, and must not be combined with --part or --hex");
  if (args.has(kJson.name) && args.has(kHexOption.name)) return io.refuse_usage("--json and --hex are mutually exclusive");
  const bool shares_only = args.has(kCoverage.name);
  const auto part = args.value(kPart.name);
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out, Json::Layout::compact), print::Schema::dump);
  Coverage sum;
  std::size_t files = 0;
  Exit exit = for_each_input(args, io, [&](const Input& input) {
    if (input.is_head) {
      const auto opened = open_input(input);
      return opened ? Exit::ok : io.refuse_file(input.name, opened.error());
    }
    const Tree tree = shader::annotate(input.view());
    const Coverage coverage = tree.coverage();
    add(sum, coverage);
    ++files;
    const present::Children children(tree);
    const auto parts = present::select_parts(tree, children, part);
    const bool found = part.empty() || !parts.empty();
    if (json) {
      if (shares_only) {
        present::write_shares(input.name, tree, coverage, *json);
      } else {
        present::write_tree(input.name, tree, coverage, children, parts, *json);
      }
    } else if (shares_only) {
      coverage_line(input.name, coverage, io);
    } else if (found) {
      if (files > 1) io.out.text << '\n';
      io.out.paint(Paint::heading);
      print_safely(io.out.text, input.name);
      io.out.paint(Paint::plain) << ": ";
      io.out.text.dec(input.bytes.size) << " bytes\n";
      if (args.has(kHexOption.name)) {
        present::print_hex(tree, children, parts, io.out);
      } else {
        present::print_tree(tree, children, parts, io.out);
      }
    }
    for (const Error& error : tree.errors()) io.report(input.name, error);
    if (!found) io.report(input.name, Error{ErrorCode::missing, 0, std::string(part), "no such part"});
    return tree.errors().empty() && found ? Exit::ok : Exit::invalid;
  });
  if (json) {
    print::end_files(*json, io);
  } else if (shares_only && files > 1) {
    coverage_line("total of " + std::to_string(files) + " files", sum, io);
  }
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade dump shader.cso", "print the structures of a file as a tree"},
    {"unshade dump --hex --part ISGN shader.cso", "print the bytes of the input signature with field names"},
    {"unshade dump --coverage shaders/", "print how many bytes of each file in a folder, and in total, are named"},
    {"unshade dump --yaml shader.cso -o shader.yaml", "write the whole file as text; unshade build rebuilds the file from it"},
    {"unshade dump --yaml --no-hints shader.cso", "the same without offsets: shorter, and easier to edit"},
    {"unshade dump --yaml -d documents build/shaders", "write a document of each shader in a folder"},
    {"unshade dump --format llvm shader.dxil | yaml2obj -o shader.o", "convert a container for LLVM's tools"},
    {"unshade dump --format llvm --llvm 21 shader.dxil", "the same for the tools of LLVM 20 and later, with root signatures and sources"},
    {"unshade dump --json shader.cso | jq '.files[0].fields[0]'", "print the header as JSON"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade dump --hex --part OSGN orange.cso
orange.cso: 156 bytes
OSGN  52 bytes: output signature
OSGN/part_header
0028  4f 53 47 4e                                      OSGN              fourcc = OSGN
002c  2c 00 00 00                                      ,...              size = 44
OSGN
0030  01 00 00 00                                      ....              count = 1
0034  08 00 00 00                                      ....              elements = 0x8
OSGN/elements[0]
0038  20 00 00 00                                       ...              semantic = 0x20
003c  00 00 00 00                                      ....              semantic_index = 0
0040  00 00 00 00                                      ....              system_value = undefined
0044  03 00 00 00                                      ....              component_type = float
0048  00 00 00 00                                      ....              register = 0
004c  0f                                               .                 mask = xyzw
004d  00                                               .                 used_mask = none
004e  00 00                                            ..                reserved = 0x0
0050  53 56 5f 54 61 72 67 65 74 00                    SV_Target.        text = "SV_Target"
005a  ab ab                                            ..                OSGN/padding)";

}  // namespace

const VerbBody kBody{
    .description =
        "Prints the structures of a file in their order as a tree: offset, name and value of each field. With --hex, prints "
        "the bytes instead, each line with its field, without omissions; bytes that no "
        "description covers are called unknown.\n\nWith --yaml, or --format json, prints a document of the whole file that "
        "can be edited and built again (docs/reference/yaml.md). It states offsets only if they differ from the compiler's "
        "layout, and --no-hints omits them. --format llvm prints a DXContainer as LLVM's obj2yaml does; comments contain what that "
        "omits.\n\nDamaged files are "
        "dumped as far as they can be read; errors are written to "
        "standard error.",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file has errors or lacks the part, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_dump,
};

}  // namespace unshade::cli::verbs::dump
