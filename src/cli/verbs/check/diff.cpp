#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/present/diff.hpp>
#include <unshade/shader/diff.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/system/file.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/system/path.hpp>

#include "cli/io/io.hpp"
#include "cli/io/json.hpp"
#include "cli/print/open_input.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::diff {

namespace {

constexpr Option kOnly{"only", 0, Takes::choice, "WHAT", "parts|interface|code", "compare only this, and the kinds of the files"};
constexpr Option kBrief{"brief", 'q', Takes::nothing, {}, {}, "one line: whether the files differ, and in what"};
constexpr Option kContext{"unified", 'U', Takes::text, "N", {}, "lines of code around each difference, 3 by default"};
constexpr Option kExactText{"exact-text", 0,  Takes::nothing,
                            {},           {}, "compare listings literally, with numbers of values, ids and comments"};
constexpr Option kOptions[] = {kOnly, kBrief, kContext, kExactText, kJson};

constexpr std::uint32_t kUsualContext = 3;

std::optional<std::uint32_t> context_lines(const Args& args) {
  return args.has(kContext.name) ? as_number<std::uint32_t>(args.value(kContext.name)) : kUsualContext;
}

/// An opened file, or why there is none: damaged files are trouble here, as 1 means that files differ.
std::optional<shader::Shader> open_input(const Input& input, Io& io) {
  auto opened = open_input(input);
  if (opened) return *std::move(opened);
  io.report(input.name, opened.error());
  return std::nullopt;
}

/// Two folders, compared file by file.
class FolderDiff {
 public:
  FolderDiff(const Args& args, Io& io, const shader::DiffOptions& options, std::uint32_t context)
      : args_(args), io_(io), options_(options), context_(context) {}

  Exit run() {
    const std::string& before = args_.operands[0];
    const std::string& after = args_.operands[1];
    const auto files_before = files_of(before);
    const auto files_after = files_of(after);
    const present::DiffNames folders{before, after};
    if (args_.has(kJson.name)) present::begin_folders(folders, json_.emplace(io_.out));
    for (const auto& [path, file] : files_before) {
      const auto other = files_after.find(path);
      if (const std::string there = other != files_after.end() ? other->second : file_in(after, path); !there.empty())
        exit_ = worse(exit_, compare(path, file, there));
      else
        sum_.only_before.push_back(path);
      if (!io_.out.keep_going()) return exit_;
    }
    for (const auto& [path, file] : files_after) {
      if (files_before.contains(path)) continue;
      if (const std::string there = file_in(before, path); !there.empty())
        exit_ = worse(exit_, compare(path, there, file));
      else
        sum_.only_after.push_back(path);
    }
    if (!sum_.only_before.empty() || !sum_.only_after.empty()) exit_ = worse(exit_, Exit::invalid);
    json_ ? present::end_folders(sum_, io_.faults(), *json_) : present::print_folder_sum(folders, sum_, io_.out);
    return exit_;
  }

 private:
  /// The shaders in a folder, by their paths in it.
  std::map<std::string, std::string> files_of(const std::string& folder) {
    Args one = args_;
    one.operands = {folder};
    std::map<std::string, std::string> files;
    for (std::string& name : io_.inputs(one, exit_)) {
      std::string path = system::text_of(system::path_of(name).lexically_relative(system::path_of(folder)));
      files.emplace(std::move(path), std::move(name));
    }
    return files;
  }

  /// A file that is no shader, or is not taken for one, but is there; empty if there is none.
  static std::string file_in(const std::string& folder, const std::string& path) {
    std::string name = system::path_in(folder, path);
    return system::regular_file_bytes(name) ? name : std::string();
  }

  Exit compare(const std::string& path, const std::string& name_before, const std::string& name_after) {
    const auto before = io_.read(name_before);
    const auto after = io_.read(name_after);
    if (!before || !after) return worse(before.exit, after.exit);
    if (std::ranges::equal(before->view().bytes(), after->view().bytes())) {
      ++sum_.same_bytes;
      return Exit::ok;
    }
    const auto shader_before = open_input(*before, io_);
    const auto shader_after = open_input(*after, io_);
    if (!shader_before || !shader_after) return Exit::failed;
    const shader::Difference difference = shader::compare(*shader_before, *shader_after, options_);
    ++(difference.same_meaning ? sum_.same_meaning : sum_.different);
    const present::DiffNames names{before->name, after->name};
    if (json_) {
      present::write_pair(path, names, difference, *json_);
    } else if (args_.has(kBrief.name) || difference.same_meaning) {
      present::print_difference_briefly(names, difference, io_.out);
    } else {
      present::print_difference(names, difference, context_, io_.out);
      io_.out.text << '\n';
    }
    return difference.same_meaning ? Exit::ok : Exit::invalid;
  }

  const Args& args_;
  Io& io_;
  const shader::DiffOptions& options_;
  std::uint32_t context_;
  std::optional<Json> json_;
  Exit exit_ = Exit::ok;
  present::FolderSum sum_;
};

Exit run_diff(const Args& args, Io& io) {
  const auto context = context_lines(args);
  if (args.operands.size() != 2 || !context)
    return io.refuse_usage(context ? "diff requires two files or two folders: unshade diff A B" : "-U must be a number of lines");
  shader::DiffOptions options;
  options.exact_text = args.has(kExactText.name);
  if (args.has(kOnly.name)) {
    const std::string_view only = args.value(kOnly.name);
    options.parts = only == "parts";
    options.interface = only == "interface";
    options.code = only == "code";
  }
  const bool is_folder = system::is_folder(args.operands[0]);
  if (is_folder != system::is_folder(args.operands[1])) return io.refuse_usage("diff requires two files or two folders, not one of each");
  if (is_folder) return FolderDiff(args, io, options, *context).run();
  const auto before = io.read(args.operands[0]);
  const auto after = io.read(args.operands[1]);
  if (!before || !after) return Exit::failed;
  const auto shader_before = open_input(*before, io);
  const auto shader_after = open_input(*after, io);
  if (!shader_before || !shader_after) return Exit::failed;

  const shader::Difference difference = shader::compare(*shader_before, *shader_after, options);
  const present::DiffNames names{before->name, after->name};
  if (args.has(kJson.name)) {
    Json json(io.out);
    present::write_difference(names, difference, json);
  } else if (args.has(kBrief.name)) {
    present::print_difference_briefly(names, difference, io.out);
  } else {
    present::print_difference(names, difference, *context, io.out);
  }
  return difference.same_meaning ? Exit::ok : Exit::invalid;
}

constexpr Example kExamples[] = {
    {"unshade diff old.cso new.cso", "show all differences"},
    {"unshade diff --only interface a.spv b.spv", "compare only inputs, outputs, resources, buffers and features"},
    {"unshade diff -q a.dxil b.dxil", "print in one line whether they are equivalent"},
    {"unshade diff -q build.old build.new", "compare two builds file by file, with a line for each difference"},
    {"unshade diff --json a.cso b.cso | jq '.interface'", "print the interface differences as JSON"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ unshade as orange.asm -o orange.cso
$ sed 's/0.5/0.25/' orange.asm | unshade as - -o brown.cso
$ unshade diff orange.cso brown.cso
--- orange.cso
+++ brown.cso

code
lines: 1 removed, 1 added, 3 the same
@@ -1,4 +1,4 @@
 ps_5_0
 dcl_output o0.xyzw
-mov o0.xyzw, l(1.0,0.5,0,1.0)
+mov o0.xyzw, l(1.0,0.25,0,1.0)
 ret

without a change of meaning
~ part SHEX: hash eb4dbd10ca788feb -> 7a9c9045bc7a09e4)";

}  // namespace

const VerbBody kBody{
    .description =
        "Compares two files of any family: their kinds, parts, interface (entry points, signatures, resources, buffers, features) and "
        "aligned instructions. Numbers of values, ids and labels are matched one to one instead of compared; debug names, hashes and "
        "counts are shown, but do not make files different. Items of only one file follow - or +, items with different values follow "
        "~.\n\n"
        "For two folders, compares the shaders with the same relative path, and lists those in only one of them. Identical files are "
        "only counted; files that are equivalent but not identical have a line.",
    .operands = {"FILE", Takes::file},
    .options = kOptions,
    .examples = kExamples,
    .exits =
        "0 the files are equivalent, even if their bytes differ, 1 they differ or a folder lacks a file, 2 usage or I/O error, or a file "
        "is not a shader",
    .session = {kInputs, kSession},
    .run = run_diff,
};

}  // namespace unshade::cli::verbs::diff
