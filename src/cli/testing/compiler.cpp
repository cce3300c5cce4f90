#include "cli/testing/compiler.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/text/numbers.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/core/view.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/system/path.hpp>
#include <unshade/system/program.hpp>
#include <unshade/system/work_folder.hpp>

#include "cli/io/io.hpp"
#include "cli/write/below_folder.hpp"

namespace unshade::cli::testing {

namespace {

/// A shader of a test compiles in some 20 ms.
constexpr std::chrono::seconds kLongest(60);

std::string_view word_of(Stage stage) {
  constexpr std::pair<Stage, std::string_view> kWords[] = {
      {Stage::vertex, "vert"}, {Stage::hull, "tesc"},    {Stage::domain, "tese"}, {Stage::geometry, "geom"},
      {Stage::pixel, "frag"},  {Stage::compute, "comp"}, {Stage::mesh, "mesh"},   {Stage::amplification, "task"},
  };
  for (const auto& [one, word] : kWords)
    if (one == stage) return word;
  return {};
}

std::optional<std::string> find_compiler() {
  for (const std::string_view name : {"glslangValidator", "glslang"})
    if (auto found = system::find_program(name)) return found;
  return std::nullopt;
}

Error fault(ErrorCode code, std::string message) { return {code, 0, {}, std::move(message)}; }

/// Writes a text below a folder.
std::string write_text(const std::string& path, std::string_view text) {
  std::string made = write::make_folders_of(path);
  return made.empty() ? write_whole(path, text) : made;
}

/// Whether a name leads to a file below a folder, on each system.
bool leads_below(std::string_view name) {
  if (name.find_first_of("\\:") != std::string_view::npos || paths::is_absolute(name)) return false;
  const std::string plain = paths::plain(name);
  return !plain.empty() && plain != ".." && !plain.starts_with("../");
}

// The first error of what glslang prints: `ERROR: /tmp/shader.frag:12: 'x' : undeclared identifier`.
Error first_error(std::string_view log, const std::string& shader) {
  constexpr std::string_view kError = "ERROR: ";
  Error made = fault(ErrorCode::bad_value, "glslang refuses the shader");
  for (std::size_t start = 0; start < log.size();) {
    const std::size_t end = std::min(log.find('\n', start), log.size());
    std::string_view line = log.substr(start, end - start);
    start = end + 1;
    if (!line.starts_with(kError)) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    line.remove_prefix(kError.size());
    if (line.starts_with(shader) && line.substr(shader.size()).starts_with(':')) {
      line.remove_prefix(shader.size() + 1);
      const std::string_view number = line.substr(0, line.find(':'));
      if (const auto place = as_number<std::uint32_t>(number); place && number.size() < line.size()) {
        line.remove_prefix(number.size() + 1);
        made.path = std::to_string(std::max(1U, *place)) + ":1";
      }
    }
    while (line.starts_with(' ')) line.remove_prefix(1);
    made.message = "glslang: " + std::string(line);
    break;
  }
  return made;
}

}  // namespace

Result<std::vector<std::byte>> compile(const suite::ShaderSource& source) {
  const auto compiler = find_compiler();
  const std::string language(source.language);
  if (!compiler) return fault(ErrorCode::missing, "needs a compiler of " + language + ": glslangValidator is not installed");
  const std::string stage(word_of(source.stage));
  std::string folder(source.folder);
  while (folder.size() > paths::root_letters(folder) && paths::is_separator(folder.back())) folder.pop_back();
  if (stage.empty()) return fault(ErrorCode::unsupported, "glslang does not compile " + language + " of this stage here");
  const system::WorkFolder work;
  if (work.path().empty()) return fault(ErrorCode::missing, "needs a folder for temporary files to compile " + language);
  // what the shader includes stands in a folder of its own, so that no name is taken
  const std::string included = system::text_of(work.path() / "include");
  for (const suite::NamedText& one : source.includes) {
    if (!leads_below(one.name)) continue;  // no directive can name it from there
    if (const std::string problem = write_text(system::path_in(included, one.name), one.text); !problem.empty())
      return fault(ErrorCode::missing, one.name + ": " + problem);
  }
  const std::string shader = system::text_of(work.path() / ("shader." + stage));
  const std::string module = system::text_of(work.path() / "module.spv");
  const std::string log = system::text_of(work.path() / "log.txt");
  if (const std::string problem = write_text(shader, source.text); !problem.empty()) return fault(ErrorCode::missing, problem);
  std::vector<std::string> arguments{"-V",
                                     "--target-env",
                                     "vulkan1.3",
                                     "--target-env",
                                     "spirv1." + std::to_string(source.version >> 8 & 0xff),
                                     "-S",
                                     stage,
                                     "-o",
                                     module,
                                     "-I" + included,
                                     "-I" + (folder.empty() ? "." : folder)};
  if (language == "HLSL") arguments.insert(arguments.end(), {"-D", "-e", std::string(source.entry), "--hlsl-enable-16bit-types"});
  arguments.push_back(shader);
  const auto status = system::run_program(*compiler, arguments, log, kLongest);
  if (!status) return status.error();
  auto printed = read_whole(log);
  if (*status != 0) return first_error(printed ? View(*printed).text() : std::string_view(), shader);
  auto made = read_whole(module);
  if (!made) return fault(ErrorCode::bad_value, "glslang wrote no module");
  return made;
}

}  // namespace unshade::cli::testing
