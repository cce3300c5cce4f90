#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxil/dxc_version.hpp>
#include <unshade/present/listing.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/listing.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/unpack/zlib.hpp>

#include "cli/io/io.hpp"
#include "cli/print/files.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/git/textconv.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::verbs::dis {

namespace {

constexpr Option kFxc{"fxc",     0,  Takes::text,
                      "VERSION", {}, "print as this version of fxc (9.29.952.3111, 10.1) instead of the one named in the file"};
constexpr Option kDxc{"dxc",     0,  Takes::text,
                      "VERSION", {}, "print as this release of dxc (1.7.2207; 1.7 for the last of 1.7) instead of the newest"};
constexpr Option kOffsets{"offsets", 0, Takes::nothing, {}, {}, "print the file offset before each instruction"};
constexpr Option kBytesOption{"bytes", 0, Takes::nothing, {}, {}, "print the tokens before each instruction"};
constexpr Option kExact{"exact", 0, Takes::nothing, {}, {}, "text that assembles to the same bytes: exact literals, numeric ids"};
constexpr Option kExactFloats{"exact-floats", 0, Takes::nothing, {}, {}, "DXBC: print literals that parse to the same bits"};
constexpr Option kBitcode{"bitcode", 0, Takes::nothing, {}, {}, "DXIL: print blocks, records and abbreviations of the bitstream instead"};
constexpr Option kRawId{"raw-id", 0, Takes::nothing, {}, {}, "SPIR-V: print %17, not %main"};
constexpr Option kNoIndent{"no-indent", 0, Takes::nothing, {}, {}, "SPIR-V: no columns"};
constexpr Option kComment{"comment", 0, Takes::nothing, {}, {}, "SPIR-V: print section headings"};
constexpr Option kNoHeader{"no-header", 0, Takes::nothing, {}, {}, "only the program, without the tables before it"};
constexpr Option kLines{"lines",
                        0,
                        Takes::choice,
                        "WHEN",
                        "auto|always|never",
                        "#line: auto (if the file has a debug part), always (also those of a level 9 shader), never"};
constexpr Option kSource{"source", 0, Takes::nothing, {}, {}, "print the source files in debug parts instead of the listing"};
constexpr Option kWithSource{
    "with-source", 'S', Takes::nothing, {}, {}, "print source lines between the instructions, if the file has debug information"};
constexpr Option kTextconv{"textconv", 0,  Takes::nothing,
                           {},         {}, "for git's textconv: describe the file before its listing, or say why it has none"};
constexpr Option kOptions[] = {kFxc,     kDxc,   kOffsets,  kBytesOption, kExact,      kExactFloats, kNoHeader,         kLines, kSource,
                               kBitcode, kRawId, kNoIndent, kComment,     kWithSource, kTextconv,    write::kOutputDir, kJson};

/// The name of the text's kind.
std::string listing_suffix(const Args& args, const Input& input) {
  if (args.has(kJson.name)) return ".json";
  if (args.has(kSource.name) || args.has(kBitcode.name)) return ".txt";
  return std::string(shader::traits_of(shader::identify(input.view())).listing_suffix);
}

/// Options that the listings of some families have.
struct FamilyOption {
  const Option* option;
  std::string_view of;  ///< for people
  bool shader::FamilyTraits::* has;
};
constexpr FamilyOption kFamilyOptions[] = {
    {&kFxc, "DXBC", &shader::FamilyTraits::lists_as_fxc},
    {&kDxc, "DXIL", &shader::FamilyTraits::lists_as_dxc},
    {&kExactFloats, "DXBC", &shader::FamilyTraits::lists_as_fxc},
    {&kOffsets, "DXBC, PICA200, SPIR-V and VBC", &shader::FamilyTraits::lists_offsets},
    {&kBytesOption, "DXBC and PICA200", &shader::FamilyTraits::lists_bytes},
    {&kBitcode, "DXIL", &shader::FamilyTraits::lists_bitcode},
    {&kRawId, "SPIR-V and VBC", &shader::FamilyTraits::lists_like_spirv},
    {&kNoIndent, "SPIR-V and VBC", &shader::FamilyTraits::lists_like_spirv},
    {&kComment, "SPIR-V and VBC", &shader::FamilyTraits::lists_like_spirv},
};

/// Which of the options given had a meaning: those without one for any file are a mistake, as one would take the listing for another.
class FamilyOptions {
 public:
  explicit FamilyOptions(const Args& args) : args_(args) {}

  void see(const shader::FamilyTraits& family) {
    ++files_;
    for (std::size_t i = 0; i < std::size(kFamilyOptions); ++i) used_[i] = used_[i] || family.*kFamilyOptions[i].has;
  }
  /// True, and a complaint, if one had none.
  bool refuses(Io& io) const {
    if (files_ == 0) return false;
    for (std::size_t i = 0; i < std::size(kFamilyOptions); ++i) {
      if (used_[i] || !args_.has(kFamilyOptions[i].option->name)) continue;
      io.report({}, "usage",
                "--" + std::string(kFamilyOptions[i].option->name) + " is only valid for listings of " + std::string(kFamilyOptions[i].of));
      return true;
    }
    return false;
  }

 private:
  const Args& args_;
  std::size_t files_ = 0;
  bool used_[std::size(kFamilyOptions)] = {};
};

/// What changes listings, and has no meaning for sources.
constexpr const Option* kOfListings[] = {&kFxc,   &kDxc,        &kOffsets, &kBytesOption, &kExact,    &kExactFloats, &kNoHeader,
                                         &kLines, &kWithSource, &kBitcode, &kRawId,       &kNoIndent, &kComment};

Exit run_dis(const Args& args, Io& io) {
  if (args.has(kSource.name))
    for (const Option* option : kOfListings)
      if (args.has(option->name))
        return io.refuse_usage("--" + std::string(option->name) + " is only valid for listings, and must not be combined with --source");
  if (args.has(write::kOutputDir.name))
    return write::run_below_folder(args, io, 0, [&](const Input& input) { return listing_suffix(args, input); }, run_dis);
  if (args.has(kWithSource.name) && args.has(kBitcode.name)) return io.refuse_usage("--with-source and --bitcode are mutually exclusive");
  if (args.has(kDxc.name) && args.has(kBitcode.name)) return io.refuse_usage("--dxc and --bitcode are mutually exclusive");
  shader::ListingOptions options;
  options.offsets = args.has(kOffsets.name);
  options.bytes = args.has(kBytesOption.name);
  options.exact = args.has(kExact.name);
  options.checks = &shader::listing_checks();
  options.exact_floats = args.has(kExactFloats.name);
  options.header = !args.has(kNoHeader.name);
  options.bitcode = args.has(kBitcode.name);
  options.raw_ids = args.has(kRawId.name);
  options.indent = !args.has(kNoIndent.name);
  options.comments = args.has(kComment.name);
  options.color = io.out.color() && !args.has(kJson.name);
  const auto lines = args.value(kLines.name, "auto");
  options.lines = lines == "always"  ? shader::LineDirectives::always
                  : lines == "never" ? shader::LineDirectives::never
                                     : shader::LineDirectives::automatic;
  if (args.has(kFxc.name)) {
    options.fxc = dxbc::parse_fxc_version(args.value(kFxc.name));
    if (!options.fxc)
      return io.refuse_usage(with_nearest("--fxc must be a version such as 9.29.952.3111 or 10.1, found " + quoted(args.value(kFxc.name)),
                                          args.value(kFxc.name), dxbc::kFxcVersionTexts));
  }

  if (args.has(kDxc.name)) {
    const auto version = dxil::parse_dxc_version(args.value(kDxc.name));
    if (!version)
      return io.refuse_usage(with_nearest("--dxc " + version.error().message, args.value(kDxc.name), dxil::dxc_version_texts()));
    options.dxc = *version;
  }
  if (args.has(kTextconv.name)) {
    if (args.has(kJson.name) || args.has(kSource.name) || args.has(kWithSource.name))
      return io.refuse_usage("--textconv is for listings as text, without sources");
    options.color = false;
    return git::print_for_textconv(args.operands, options, io);
  }
  Exit exit = Exit::ok;
  const auto names = io.inputs(args, exit);
  std::optional<Json> json;
  if (args.has(kJson.name)) print::begin_files(json.emplace(io.out), print::Schema::dis);
  Text listing;
  bool first = true;
  FamilyOptions of_families(args);
  const auto disassemble_one = [&](const Input& input) {
    const auto opened = open_input(input);
    if (!opened) return io.refuse_file(input.name, opened.error());
    of_families.see(shader::traits_of(opened->family));
    if (names.size() == 1 && of_families.refuses(io)) return Exit::failed;
    // Listings of SPIR-V have colours of their own.
    const bool paints = options.color && !shader::traits_of(opened->family).lists_like_spirv && !args.has(kSource.name);
    // Text that is printed unchanged is listed directly: no second copy of a large text.
    const bool as_it_stands = !json && !io.to_terminal() && !paints;
    const std::size_t start = io.out.text.size();
    if (!json && names.size() > 1) {
      io.out.text << (first ? "" : "\n") << "// file: ";
      print_safely(io.out.text, input.name);
      io.out.text << '\n';
    }
    listing.clear();
    Text& text = as_it_stands ? io.out.text : listing;
    const std::size_t before = text.size();
    auto done = args.has(kSource.name)       ? shader::list_sources(*opened, text, unpack::zlib_inflate())
                : args.has(kWithSource.name) ? shader::disassemble_with_sources(*opened, text, options, unpack::zlib_inflate())
                                             : shader::disassemble(*opened, text, options);
    if (!done && args.has(kWithSource.name) && done.error().path == "sources") {
      io.report(input.name, Severity::note, "missing", done.error().message);
      done = shader::disassemble(*opened, text, options);
    }
    if (!done) {
      io.out.text.truncate(start);
      Error error = done.error();
      if (error.code == ErrorCode::missing && opened->container() != nullptr &&
          opened->container()->find(dxcontainer::fourcc("RTS0")) != nullptr)
        error.message += "; unshade rootsig show prints its root signature";
      return io.refuse_file(input.name, error);
    }
    if (text.view().substr(before).find_first_not_of(" \n") == std::string_view::npos) {
      io.out.text.truncate(start);
      return io.refuse_file(input.name, Error{ErrorCode::missing, 0, "file", "the listing is empty: the module in the file is empty"});
    }
    first = false;
    if (json) {
      present::write_listing(input.name, opened->family, listing.view(), *json);
    } else if (paints) {
      Text safe;
      if (io.to_terminal()) print_safely(safe, listing.view(), true);
      present::paint_listing(opened->family, io.to_terminal() ? safe.view() : listing.view(), io.out.text);
    } else if (!as_it_stands) {
      print_safely(io.out.text, listing.view(), true, options.color);
    }
    return Exit::ok;
  };
  for (const std::string& name : names) {
    const auto input = io.read(name);
    exit = worse(exit, input ? disassemble_one(*input) : input.exit);
    if (!io.out.keep_going()) break;
  }
  if (json) print::end_files(*json, io);
  if (names.size() > 1 && of_families.refuses(io)) return Exit::failed;
  return exit;
}

constexpr Example kExamples[] = {
    {"unshade dis shader.cso", "print the listing as the compiler of the file does"},
    {"unshade dis --fxc 9.29.952.3111 shader.cso", "print the listing as an older fxc does"},
    {"unshade dis --dxc 1.7.2207 shader.cso", "print the listing as an older dxc does"},
    {"unshade dis --no-header --offsets --bytes shader.cso", "print only the program, each instruction with its offset and tokens"},
    {"unshade dis --exact shader.cso | unshade as - -o same.cso", "text that assembles to the same file"},
    {"unshade dis --raw-id shader.spv", "SPIR-V with numeric ids"},
    {"unshade dis -d listings build/shaders", "write a listing of each shader in a folder to its own file"},
    {"unshade dis -S shader.cso", "print the listing with the source lines that instructions come from, if the file has debug information"},
    {"unshade dis --source shader.cso", "print the HLSL source, if the file contains it"},
    {"git config diff.unshade.textconv 'unshade dis --textconv'", "what unshade git-setup does, so that git diff shows listings"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ unshade dis orange.cso
//
// Generated by Microsoft (R) D3D Shader Disassembler
//
//
// Output signature:
//
// Name                 Index   Mask Register SysValue  Format   Used
// -------------------- ----- ------ -------- -------- ------- ------
// SV_Target                0   xyzw        0   TARGET   float   xyzw
//
ps_5_0
dcl_output o0.xyzw
mov o0.xyzw, l(1.000000,0.500000,0,1.000000)
ret
// Approximately 0 instruction slots used)";

}  // namespace

const VerbBody kBody{
    .description =
        "Disassembles. For DXBC the text is fxc's: its format depends on the version, and the version that the file "
        "names is used, or else the newest. DXIL is listed as dxc -dumpbin does, as its newest version unless --dxc names another, SPIR-V "
        "as spirv-dis does, PICA200 in picasso's language, "
        "and VBC "
        "as directives for its tables around the SPIR-V of each stage. For several files, each listing follows a comment with the "
        "file's name; with --output-dir, each listing is a file with the input's name and .asm (DXBC), .ll (DXIL), .spvasm, .pica or .txt "
        "(VBC).",
    .operands = kFiles,
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 1 a file is not a shader, is damaged or has no program, 2 usage or I/O error",
    .session = {kInputs, kSession},
    .run = run_dis,
};

}  // namespace unshade::cli::verbs::dis
