#include "amber/read/reader.hpp"

#include <algorithm>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/input_text.hpp>
#include <unshade/spirv/assembler.hpp>

namespace unshade::amber::reader {
namespace {

std::optional<Stage> stage_of(std::string_view word) {
  constexpr std::pair<std::string_view, Stage> kStages[] = {
      {"vertex", Stage::vertex},
      {"fragment", Stage::pixel},
      {"geometry", Stage::geometry},
      {"tessellation_control", Stage::hull},
      {"tessellation_evaluation", Stage::domain},
      {"compute", Stage::compute},
      {"ray_generation", Stage::ray_generation},
      {"any_hit", Stage::any_hit},
      {"closest_hit", Stage::closest_hit},
      {"miss", Stage::miss},
      {"intersection", Stage::intersection},
      {"callable", Stage::callable},
      {"multi", Stage::none},
  };
  for (const auto& [name, stage] : kStages)
    if (name == word) return stage;
  return std::nullopt;
}

}  // namespace

Result<Script> Reader::read() {
  do {
    const Token word = lexer_.next();
    if (!word) continue;
    command(word);
    if (!error_ && !stopped_) end_line();
  } while (!error_ && !stopped_ && lexer_.next_line());
  if (!error_ && !stopped_ && repeats_ != 0) fail({{}, lexer_.offset()}, "REPEAT without an END", ErrorCode::truncated);
  if (error_) return std::move(*error_);
  return std::move(script_);
}

void Reader::command(const Token& word) {
  const std::string_view name = word.text;
  if (repeats_ != 0 && name == "END") {
    for (auto at = script_.commands.rbegin(); at != script_.commands.rend(); ++at) {
      auto* const repeat = std::get_if<Repeat>(&at->what);
      if (repeat == nullptr || repeat->commands != kNone) continue;
      repeat->commands = static_cast<std::uint32_t>(at - script_.commands.rbegin());
      break;
    }
    --repeats_;
    return;
  }
  if (run_command(word)) return;
  if (repeats_ != 0) return fail(word, "`" + std::string(name) + "` cannot be repeated");
  if (name == "SHADER") return shader();
  if (name == "STRUCT") return structure();
  if (name == "BUFFER") return buffer();
  if (name == "IMAGE") return image();
  if (name == "PIPELINE") return pipeline(false);
  if (name == "DERIVE_PIPELINE") return pipeline(true);
  if (name == "VIRTUAL_FILE") return virtual_file();
  if (name == "SAMPLER") return sampler();
  if (name == "SET") {
    while (lexer_.next()) {
    }
    return;
  }
  if (name.starts_with("DEVICE_") || name == "INSTANCE_EXTENSION") {
    std::string made(name);
    while (const Token more = lexer_.next()) made += ' ' + std::string(more.text);
    script_.requirements.push_back(std::move(made));
    return;
  }
  if (name == "ACCELERATION_STRUCTURE") return needs(word, "ray tracing");
  if (name == "DEBUG") return needs(word, "a debugger");
  fail(word, "`" + std::string(name) + "` is not a command");
}

void Reader::shader() {
  ScriptShader made;
  const Token type = expect("a shader's type: vertex, fragment, compute, ...");
  made.place = lexer_.place(type.offset);
  const auto stage = stage_of(type.text);
  if (!error_ && !stage) fail(type, "`" + std::string(type.text) + "` is not a type of shader");
  if (error_) return;
  made.stage = *stage;
  made.name = new_name(script_.shaders, "shader");
  const Token format = expect("a shader's format: SPIRV-ASM, SPIRV-HEX, GLSL, HLSL or PASSTHROUGH");
  if (format.text == "PASSTHROUGH") {
    made.format = ScriptShader::Format::passthrough;
    if (made.stage != Stage::vertex) fail(format, "only vertex shaders can be PASSTHROUGH");
    script_.shaders.push_back(std::move(made));
    return;
  }
  if (format.text == "SPIRV-ASM") {
    made.format = ScriptShader::Format::assembly;
  } else if (format.text == "SPIRV-HEX") {
    made.format = ScriptShader::Format::hexadecimal;
  } else if (format.text == "SPIRV-BIN") {
    made.format = ScriptShader::Format::binary;
  } else if (format.text == "GLSL" || format.text == "HLSL" || format.text == "OPENCL-C") {
    made.language = format.text;
  } else {
    return fail(format, "`" + std::string(format.text) + "` is not a format of shaders");
  }
  if (take("TARGET_ENV")) {
    const Token environment = expect("a target environment");
    const std::string_view name = environment.text;
    if (name.size() == 6 && name.starts_with("spv1.") && name[5] >= '0' && name[5] <= '6') {
      made.version = 0x10000U | static_cast<std::uint32_t>(name[5] - '0') << 8;
    } else {
      made.version = spirv::target_version(name);
      if (!made.version && environment) fail(environment, "`" + std::string(name) + "` is not a target environment");
    }
  }
  if (take("VIRTUAL_FILE")) {
    const Token path = expect("the path of a VIRTUAL_FILE");
    const auto file = place_of(script_.files, path.text);
    if (!file) return fail(path, "there is no VIRTUAL_FILE `" + std::string(path.text) + '`', ErrorCode::missing);
    made.text = script_.files[*file].text;
    made.first_line = file_lines_[*file];
  } else if (take("FILE")) {
    made.path = expect("the path of a file").text;
    made.first_line = 1;
  } else if (made.format == ScriptShader::Format::binary) {
    return fail(lexer_.peek(), "expected FILE and a path: SPIRV-BIN is not text");
  } else if (const Token more = lexer_.peek(); more) {
    return fail(more, "expected the end of the line, TARGET_ENV, VIRTUAL_FILE or FILE");
  } else {
    const auto body = lexer_.body(made.first_line);
    if (!body) return fail(format, "the shader's text has no END", ErrorCode::truncated);
    made.text = *body;
  }
  script_.shaders.push_back(std::move(made));
}

void Reader::virtual_file() {
  const Token path = expect("a path");
  std::uint32_t first_line = 0;
  const auto body = lexer_.body(first_line);
  if (!body) return fail(path, "the file's text has no END", ErrorCode::truncated);
  if (place_of(script_.files, path.text)) return fail(path, "there is a VIRTUAL_FILE `" + std::string(path.text) + "` already");
  script_.files.push_back({std::string(path.text), std::string(*body)});
  file_lines_.push_back(first_line);
}

// --- words -------------------------------------------------------------------------------------------------------------------------------

void Reader::fail(const Token& at, std::string message, ErrorCode code) {
  if (error_) return;
  const suite::Place place = lexer_.place(at.offset);
  error_ = Error{code, at.offset, std::to_string(place.line) + ':' + std::to_string(place.column), std::move(message)};
}

void Reader::needs(const Token& at, std::string what) {
  script_.needs = std::move(what);
  script_.needs_place = lexer_.place(at.offset);
  stopped_ = true;
}

Token Reader::expect(std::string_view what) {
  const Token token = lexer_.next();
  if (!token) fail(token, "expected " + std::string(what));
  return token;
}

bool Reader::take(std::string_view word) {
  if (error_ || lexer_.peek().text != word) return false;
  lexer_.next();
  return true;
}

void Reader::end_line() {
  if (const Token more = lexer_.peek(); more) fail(more, "expected the end of the line, found `" + std::string(more.text) + '`');
}

std::uint32_t Reader::whole(std::string_view what) {
  const Token token = expect(what);
  if (error_) return 0;
  const auto number = number_of(token.text);
  if (number && number->is_whole && number->bits <= 0xffff'ffff) return static_cast<std::uint32_t>(number->bits);
  fail(token, "expected " + std::string(what) + ", a whole number, found `" + std::string(token.text) + '`');
  return 0;
}

double Reader::real(std::string_view what) {
  const Token token = expect(what);
  if (error_) return 0;
  const auto number = number_of(token.text);
  if (!number) fail(token, "expected " + std::string(what) + ", found `" + std::string(token.text) + '`');
  return number ? number->real : 0;
}

float Reader::depth_from_0_to_1() {
  const Token given = lexer_.peek();
  const double number = real("a depth from 0 to 1");
  if (!error_ && !(number >= 0 && number <= 1)) fail(given, "expected a depth from 0 to 1, found `" + std::string(given.text) + '`');
  return static_cast<float>(number);
}

bool Reader::is_next_number() {
  const Token token = lexer_.peek();
  return token && number_of(token.text).has_value();
}

std::uint32_t Reader::choice(std::string_view what, std::span<const std::string_view> choices) {
  const Token token = expect(what);
  std::string all;
  std::uint32_t at = 0;
  for (const std::string_view one : choices) {
    if (one == token.text) return at;
    ++at;
    all += (all.empty() ? "" : ", ") + std::string(one);
  }
  fail(token, "expected " + std::string(what) + " (" + all + "), found `" + std::string(token.text) + '`');
  return kNone;
}

}  // namespace unshade::amber::reader

namespace unshade::amber {

bool is_script(std::string_view text) { return without_byte_order_mark(text).starts_with("#!amber"); }

Result<Script> read_script(std::string_view text) {
  if (!is_script(text)) return Error{ErrorCode::bad_magic, 0, "1:1", "a script must begin with `#!amber`"};
  return reader::Reader(without_terminator(text)).read();
}

}  // namespace unshade::amber
