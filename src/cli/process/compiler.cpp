#include "cli/process/compiler.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/text/numbers.hpp>
#include <unshade/core/text/paths.hpp>
#include <unshade/core/view.hpp>
#include <unshade/spirv/word_writer.hpp>
#include <unshade/system/folder.hpp>
#include <unshade/system/path.hpp>
#include <unshade/system/program.hpp>
#include <unshade/system/work_folder.hpp>
#include <unshade/write/spirv.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli {

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
  return system::make_folders(std::string(paths::folder_of(path))) ? write_whole(path, text) : std::strerror(errno);
}

/// Whether a name leads to a file below a folder, on each system.
bool leads_below(std::string_view name) {
  if (name.find_first_of("\\:") != std::string_view::npos || paths::is_absolute(name)) return false;
  const std::string plain = paths::plain(name);
  return !plain.empty() && plain != ".." && !plain.starts_with("../");
}

/// A compiler's command, and how it says what is wrong.
struct Compiler {
  std::string_view name;   ///< in messages
  std::string_view error;  ///< before the message
  char before_line;        ///< after the name of the file
  /// Whether the place stands before `error`: `shader.hlsl:3:7: error: message`; else after: `ERROR: shader.frag:3: message`.
  bool place_first;
};
constexpr Compiler kGlslangCommand{"glslang", "ERROR: ", ':', false};
constexpr Compiler kDxcCommand{"dxc", "error: ", ':', true};
constexpr Compiler kFxcCommand{"fxc", "error ", '(', true};

/// What a compiler made, or the first error that it printed: the place in its text, and the message.
struct Work {
  system::WorkFolder folder;
  std::string shader, product, log;

  explicit Work(std::string_view extension)
      : shader(path("shader." + std::string(extension))), product(path("product.bin")), log(path("log.txt")) {}
  std::string path(const std::string& name) const { return system::text_of(folder.path() / name); }
};

/// Functions of HLSL of which glslang makes other operations than compilers to Direct3D's formats: what these make.
std::string expansions_of_direct3d(std::string_view shader) {
  std::string made;
  const auto define = [&](std::string_view name, auto body) {
    if (shader.find(std::string(name) + '(') == std::string_view::npos) return;
    for (const std::string_view type : {"float", "float2", "float3", "float4"}) body(std::string(type));
    ((((made += "#define ") += name) += " expanded_") += name) += '\n';
  };
  define("normalize", [&](const std::string& type) {
    if (type != "float") made += type + " expanded_normalize(" + type + " v) { return v * rsqrt(dot(v, v)); }\n";
  });
  define("pow",
         [&](const std::string& type) { made += type + " expanded_pow(" + type + " x, " + type + " y) { return exp2(log2(x) * y); }\n"; });
  define("lerp", [&](const std::string& type) {
    for (const std::string& by : {type, std::string("float")}) {
      made += type + " expanded_lerp(" + type + " a, " + type + " b, " + by + " t) { return (b - a) * t + a; }\n";
      if (type == "float") break;
    }
  });
  return made;
}

/// What glslang does not know of HLSL, in words that it knows.
std::string defines_of_glslang(std::string_view shader, bool of_direct3d) {
  std::string made = "#define NonUniformResourceIndex(index) (index)\n";
  // with native types of 16 bits, those of minimum precision are the same
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"float16_t", "min16float"}, {"int16_t", "min16int"}, {"uint16_t", "min16uint"}};
  for (const auto& [native, known] : kTypes) {
    if (shader.find(native) == std::string_view::npos) continue;
    const auto define = [&](const std::string& shape) {
      ((((made += "#define ") += native) += shape) += ' ') += known;
      made += shape + '\n';
    };
    define("");
    for (char width = '2'; width <= '4'; ++width) {
      define({width});
      for (char columns = '2'; columns <= '4'; ++columns) define({width, 'x', columns});
    }
  }
  if (of_direct3d) made += expansions_of_direct3d(shader);
  return made + "#line 1\n";
}

/// A bound of arrays that have none: glslang would give them the elements that constant indexes ask for.
constexpr std::string_view kBoundText = "0x7fffffff";
constexpr std::uint32_t kBound = 0x7fff'ffff;

std::string with_bounds(std::string_view shader) {
  constexpr std::string_view kOpen = "[] : register(";
  std::string made;
  for (std::size_t at = shader.find(kOpen); at != std::string_view::npos; at = shader.find(kOpen)) {
    ((made += shader.substr(0, at + 1)) += kBoundText) += shader.substr(at + 1, kOpen.size() - 1);
    shader.remove_prefix(at + kOpen.size());
  }
  return made += shader;
}

/// What glslang made of HLSL, changed: arrays with that bound have none, and each buffer that counts for another, `NAME@count`, has a
/// binding of its own. glslang gives all of these the binding 0, which is also that of other resources.
std::vector<std::byte> mended(std::vector<std::byte> bytes) {
  using spirv::Decoration;
  using spirv::Opcode;
  constexpr std::uint32_t kFirstCounter = 0x4000'0000;
  constexpr std::string_view kCounter = "@count";
  const auto module = spirv::parse(View(bytes));
  if (!module) return bytes;
  spirv::WordWriter out(*module);
  std::set<std::uint32_t> bounds, counters;  // constants; variables and their types
  std::string buffer;
  for (const spirv::Instruction i : *module) {
    switch (i.opcode()) {
      case Opcode::name:
        if (const std::string_view name = spirv::literal_string(i, 2, buffer); name.ends_with(kCounter) && name != kCounter)
          counters.insert(i.word(1));
        break;
      case Opcode::constant:
        if (i.word_count() == 4 && i.word(3) == kBound) bounds.insert(i.word(2));
        break;
      case Opcode::decorate:
        if (i.word(2) != static_cast<std::uint32_t>(Decoration::binding) || !counters.contains(i.word(1))) break;
        out.put_head(Opcode::decorate, 4);
        for (const std::uint32_t word : {i.word(1), i.word(2), kFirstCounter + i.word(1)}) out.put(word);
        continue;
      case Opcode::type_array:
        if (!bounds.contains(i.word(3))) break;
        out.put_head(Opcode::type_runtime_array, 3);
        for (const std::uint32_t word : {i.word(1), i.word(2)}) out.put(word);
        continue;
      default: break;
    }
    out.copy(i);
  }
  return out.take();
}

Error first_error(const Compiler& compiler, std::string_view log, const std::string& shader) {
  Error made = fault(ErrorCode::bad_value, std::string(compiler.name) + " does not compile the shader");
  for (std::size_t start = 0; start < log.size();) {
    const std::size_t end = std::min(log.find('\n', start), log.size());
    std::string_view line = log.substr(start, end - start);
    start = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t word = line.find(compiler.error);
    if (word == std::string_view::npos || (word != 0 && !compiler.place_first)) continue;
    std::string_view place = compiler.place_first ? line.substr(0, word) : line.substr(compiler.error.size());
    std::string_view message = line.substr(word + compiler.error.size());
    if (const std::size_t at = place.find(shader);
        at != std::string_view::npos && place.substr(at + shader.size()).starts_with(compiler.before_line)) {
      place.remove_prefix(at + shader.size() + 1);
      const std::string_view digits = place.substr(0, place.find_first_not_of("0123456789"));
      if (const auto number = as_number<std::uint32_t>(digits); number && digits.size() < place.size()) {
        made.path = std::to_string(std::max(1U, *number)) + ":1";
        if (!compiler.place_first) message = place.substr(digits.size() + 1);
      }
    }
    while (message.starts_with(' ')) message.remove_prefix(1);
    made.message = std::string(compiler.name) + ": " + std::string(message);
    break;
  }
  return made;
}

/// Compiles what stands in the folder.
Result<std::vector<std::byte>> made_by(const Compiler& compiler, const std::string& program, const Work& work,
                                       std::span<const std::string> arguments) {
  const auto status = system::run_program(program, arguments, work.log, kLongest);
  if (!status) return status.error();
  const auto printed = read_whole(work.log);
  if (*status != 0) return first_error(compiler, printed ? View(*printed).text() : std::string_view(), work.shader);
  auto made = read_whole(work.product);
  if (!made) return fault(ErrorCode::bad_value, std::string(compiler.name) + " wrote no file");
  return *std::move(made);
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
  const Work work(stage);
  if (work.folder.path().empty()) return fault(ErrorCode::missing, "cannot make a temporary folder to compile " + language);
  // what the shader includes stands in a folder of its own, so that no name is taken
  const std::string included = work.path("include");
  for (const suite::NamedText& one : source.includes) {
    if (!leads_below(one.name)) continue;  // no directive can name it from there
    if (const std::string problem = write_text(system::path_in(included, one.name), one.text); !problem.empty())
      return fault(ErrorCode::missing, one.name + ": " + problem);
  }
  if (const std::string problem = write_text(work.shader, source.text); !problem.empty()) return fault(ErrorCode::missing, problem);
  std::vector<std::string> arguments{"-V",
                                     "--target-env",
                                     "vulkan1.3",
                                     "--target-env",
                                     "spirv1." + std::to_string(source.version >> 8 & 0xff),
                                     "-S",
                                     stage,
                                     "-o",
                                     work.product,
                                     "-I" + included,
                                     "-I" + (folder.empty() ? "." : folder)};
  if (language == "HLSL") arguments.insert(arguments.end(), {"-D", "-e", std::string(source.entry), "--hlsl-enable-16bit-types"});
  arguments.push_back(work.shader);
  return made_by(kGlslangCommand, *compiler, work, arguments);
}

Result<std::vector<std::byte>> compile(const WrittenSource& source) {
  const bool is_hlsl = source.language == ShadingLanguage::hlsl;
  const std::string language = is_hlsl ? "HLSL" : "GLSL";
  std::string program(source.program);
  if (program.empty()) {
    const auto found = find_compiler();
    if (!found) return fault(ErrorCode::missing, "needs a compiler of " + language + ": glslangValidator is not installed");
    program = *found;
  } else if (program.find_first_of("/\\") == std::string::npos) {
    const auto found = system::find_program(program);
    if (!found) return fault(ErrorCode::missing, "needs the compiler " + program + ", which is not installed");
    program = *found;
  }
  const std::string_view name = paths::name_of(program);
  const Compiler& compiler = name.starts_with("dxc") ? kDxcCommand : name.starts_with("fxc") ? kFxcCommand : kGlslangCommand;
  if (&compiler != &kGlslangCommand && !is_hlsl) return fault(ErrorCode::bad_value, std::string(compiler.name) + " compiles no GLSL");
  if (&compiler == &kGlslangCommand && is_hlsl && source.text.find(" : SV_InnerCoverage") != std::string_view::npos)
    return fault(ErrorCode::unsupported,
                 "glslang does not know SV_InnerCoverage and compiles it as an ordinary input: use --compiler dxc, or --to glsl");
  const std::string stage(word_of(source.stage));
  if (stage.empty())
    return fault(ErrorCode::unsupported, std::string(compiler.name) + " does not compile " + language + " of this stage here");
  const Work work(&compiler == &kGlslangCommand ? std::string_view(stage) : "hlsl");
  if (work.folder.path().empty()) return fault(ErrorCode::missing, "cannot make a temporary folder to compile " + language);
  const std::string entry(source.entry), profile(source.profile);
  std::vector<std::string> arguments;
  std::string text;
  if (&compiler == &kDxcCommand) {
    arguments = {"-T", profile, "-E", entry, "-Fo", work.product};
    if (source.text.find("16_t") != std::string_view::npos) arguments.emplace_back("-enable-16bit-types");
  } else if (&compiler == &kFxcCommand) {
    arguments = {"/nologo", "/T", profile, "/E", entry, "/Fo", work.product};
  } else {
    arguments = {"-V", "--target-env", "vulkan1.3", "-S", stage, "-o", work.product};
    if (is_hlsl) {
      text = defines_of_glslang(source.text, source.of_direct3d);
      arguments.insert(arguments.end(), {"-D", "-e", entry, "-fhlsl_functionality1", "--hlsl-offsets"});
      if (source.text.find("16_t") != std::string_view::npos) arguments.emplace_back("--hlsl-enable-16bit-types");
      // the bindings of a set are of one kind of number in Vulkan
      if (!source.binds_itself) {
        constexpr unshade::write::Binding kShifts;
        arguments.insert(arguments.end(), {"--hlsl-iomap", "--auto-map-locations"});
        for (const auto& [kind, shift] : {std::pair("texture", kShifts.texture_shift),
                                          {"sampler", kShifts.sampler_shift},
                                          {"cbuffer", kShifts.cbuffer_shift},
                                          {"UAV", kShifts.uav_shift}})
          arguments.insert(arguments.end(), {"--shift-" + std::string(kind) + "-binding", std::to_string(shift)});
      }
    }
  }
  const bool is_mended = &compiler == &kGlslangCommand && is_hlsl;
  text += is_mended ? with_bounds(source.text) : std::string(source.text);
  if (const std::string problem = write_text(work.shader, text); !problem.empty()) return fault(ErrorCode::missing, problem);
  arguments.push_back(work.shader);
  auto made = made_by(compiler, program, work, arguments);
  return made && is_mended ? mended(*std::move(made)) : std::move(made);
}

}  // namespace unshade::cli
