// `unshade git-setup`: git diff, log and show print listings of shaders.
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text/paths.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/system/process.hpp>
#include <unshade/system/program.hpp>
#include <unshade/system/work_folder.hpp>

#include "cli/io/io.hpp"
#include "cli/verbs/samples.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli::verbs::git_setup {

namespace {

constexpr Option kGlobal{"global", 0,  Takes::nothing,
                         {},       {}, "for all repositories of this user, instead of the one around the current folder"};
constexpr Option kOptions[] = {kGlobal};

constexpr std::string_view kDriver = "unshade";
constexpr std::string_view kPatterns[] = {"*.cso", "*.dxbc", "*.dxil", "*.dxo", "*.fxo", "*.shbin", "*.spv", "*.vbc"};
struct Setting {
  const char* name;
  const char* value;
};
/// xfuncname: lines that git names the place of a change by: functions, labels, profiles. No cachetextconv: a listing takes a millisecond,
/// and git refuses to write its cache, and with it the diff, for users who have not told it their name.
constexpr Setting kSettings[] = {
    {"diff.unshade.textconv", "unshade dis --textconv"},
    {"diff.unshade.xfuncname", "^(define .*|.* = OpFunction .*|[a-z]+_[0-9]_[0-9x]+.*|label .*|[A-Za-z_.$][A-Za-z0-9_.$]*:.*)$"},
};

struct Ran {
  int status = -1;  ///< exit status; -1: git could not be started
  std::string out;  ///< without line ends at its end
};

/// Runs git. What it has to say on standard error goes where this program's does.
Ran run_git(const std::vector<std::string>& words) {
  const auto git = system::find_program("git");
  const system::WorkFolder work;
  if (!git || work.path().empty()) return {};
  const std::string log = (work.path() / "git.txt").string();
  const auto status = system::run_program(*git, words, log, std::chrono::minutes(1), system::Errors::shown);
  const auto out = read_whole(log);
  if (!status || !out) return {status || status.error().code == ErrorCode::missing ? -1 : 128, {}};
  std::string_view text = View(*out).text();
  while (text.ends_with('\n')) text.remove_suffix(1);
  return {*status, std::string(text)};
}

/// The file of attributes for all repositories: what core.attributesFile names, or git's default.
std::string global_attributes() {
  const Ran set = run_git({"config", "--global", "--type=path", "core.attributesFile"});
  if (set.status == 0 && !set.out.empty()) return set.out;
  std::string config = system::environment("XDG_CONFIG_HOME");
  if (config.empty()) {
    const std::string home = system::home_folder();
    if (home.empty()) return {};
    config = home + "/.config";
  }
  return config + "/git/attributes";
}

/// Whether a line of attributes is for a pattern and says how it is compared.
bool has_diff(std::string_view attributes, std::string_view pattern) {
  while (!attributes.empty()) {
    const auto end = std::min(attributes.find('\n'), attributes.size());
    const std::string_view line = attributes.substr(0, end);
    attributes.remove_prefix(std::min(end + 1, attributes.size()));
    const std::string_view rest = line.starts_with(pattern) ? line.substr(pattern.size()) : std::string_view();
    if (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t') && rest.find("diff") != std::string_view::npos) return true;
  }
  return false;
}

std::optional<std::string> read_text(const std::string& path) {
  system::File file = system::open_to_read(path);
  if (!file) return errno == ENOENT ? std::optional<std::string>("") : std::nullopt;
  std::string text;
  char buffer[4096];
  for (;;) {
    const auto count = file.read(std::as_writable_bytes(std::span(buffer)));
    if (count < 0) return std::nullopt;
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

bool append_text(const std::string& path, std::string_view text) {
  system::File file = system::open_to_append(path);
  return file && file.write(text) && file.close();
}

Exit refuse(Io& io, const std::string& path) {
  io.report(path, "io", std::strerror(errno));
  return Exit::failed;
}

/// Adds the lines that are missing to a file of attributes, and says which.
Exit write_attributes(const std::string& path, Io& io) {
  system::make_folders(std::string(paths::folder_of(path)));
  const auto before = read_text(path);
  if (!before) return refuse(io, path);
  std::string added;
  if (!before->empty() && before->back() != '\n') added = "\n";
  for (const std::string_view pattern : kPatterns) {
    const bool there = has_diff(*before, pattern);
    print_safely(io.out.text, path);
    io.out.text << ": " << pattern << (there ? " has a diff already, left as it is\n" : " diff=unshade\n");
    if (!there) added.append(pattern).append(" diff=").append(kDriver).append("\n");
  }
  return added.size() <= 1 || append_text(path, added) ? Exit::ok : refuse(io, path);
}

Exit run_git_setup(const Args& args, Io& io) {
  const bool global = args.has(kGlobal.name);
  std::string attributes;
  if (global) {
    attributes = global_attributes();
    if (attributes.empty()) return io.refuse_usage("--global needs a home folder: HOME is not set");
  } else {
    const Ran top = run_git({"rev-parse", "--show-toplevel"});
    if (top.status == 0) attributes = top.out + "/.gitattributes";
    if (top.status > 0) return io.refuse_usage("not inside of a git repository's files; --global is for all repositories");
  }
  for (const Setting& setting : kSettings) {
    const Ran ran = run_git({"config", global ? "--global" : "--local", setting.name, setting.value});
    if (ran.status == -1) {
      io.report({}, "io", "git cannot be started: install it first");
      return Exit::failed;
    }
    if (ran.status != 0) {
      io.report({}, "io", std::string("git config ") + setting.name + " ended with status " + std::to_string(ran.status));
      return Exit::failed;
    }
    io.out.text << "git config " << setting.name << ": " << setting.value << '\n';
  }
  return write_attributes(attributes, io);
}

constexpr Example kExamples[] = {
    {"unshade git-setup", "in this repository, git diff shows listings"},
    {"unshade git-setup --global", "in all repositories of this user"},
    {"git -c diff.unshade.textconv='unshade reflect' diff", "compare interfaces instead of listings, in this command only"},
};

constexpr const SampleFile* kInputs[] = {&samples::kOrange};
constexpr std::string_view kSession = R"($ git init -q
$ unshade git-setup -o setup.log
$ unshade as orange.asm -o orange.cso
$ git add orange.cso
$ sed 's/0.5/0.25/' orange.asm | unshade as - -o orange.cso
$ git diff
diff --git a/orange.cso b/orange.cso
index 398668f..96218d6 100644
--- a/orange.cso
+++ b/orange.cso
@@ -1,4 +1,4 @@
-# dxbc ps_5_0, 156 bytes, CRC-32 b2b3cf2d, digest valid: OSGN:44:6b080f3f SHEX:56:96a29c21
+# dxbc ps_5_0, 156 bytes, CRC-32 382f7c1b, digest valid: OSGN:44:6b080f3f SHEX:56:c847aa46

 //
 // Generated by Microsoft (R) D3D Shader Disassembler
@@ -12,6 +12,6 @@
 //
 ps_5_0
 dcl_output o0.xyzw
-mov o0.xyzw, l(1.0,0.5,0,1.0)
+mov o0.xyzw, l(1.0,0.25,0,1.0)
 ret
 // Approximately 0 instruction slots used)";

}  // namespace

const VerbBody kBody{
    .description =
        "Sets git up so that diff, log -p, show and blame compare the listings of shaders instead of saying that binary files differ "
        "(docs/howto/git.md). Adds lines to .gitattributes, which others may use too, for names that end as compiled shaders' do, and "
        "the command for them to the configuration of the repository; with --global, to the files of the user. Lines for these names "
        "that are there already are kept, and running it twice changes nothing.",
    .operands = {},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 success, 2 usage or I/O error, such as a folder that is in no repository",
    .session = {kInputs, kSession},
    .run = run_git_setup,
};

}  // namespace unshade::cli::verbs::git_setup
