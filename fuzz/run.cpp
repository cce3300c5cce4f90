// What has to hold of lowering any shader, of running it, and of reading cases.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <unshade/core/value.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/picture/picture.hpp>
#include <unshade/run/run.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/texel/formats.hpp>
#include <unshade/vm/machine.hpp>

#include "fuzz/properties.hpp"

#ifdef UNSHADE_HAS_COMMANDS
#include <unshade/document_text/document_text.hpp>
#include <unshade/picture/exr.hpp>
#endif

namespace unshade::fuzz {

namespace {

/// Operations and bytes that a run may take: little, as it is tried often.
constexpr std::uint64_t kOperations = 1 << 12;
constexpr std::uint64_t kMemory = 1 << 22;

std::string fault_of(const Error& error, std::size_t size) {
  if (error.message.empty()) return "an error without a message";
  return error.offset <= size ? std::string() : "an error behind the end: " + to_string(error);
}

run::RunOptions small() {
  run::RunOptions options;
  options.operations = kOperations;
  options.memory = kMemory;
  return options;
}

// What a run leaves, without how many operations it took.
Value without_operations(const Value& result) {
  Value made = Value::map();
  for (const Value::Member& member : *result.as_map())
    if (member.key != "operations") made.add(member.key, member.value);
  return made;
}

// Whether a program sees how many operations ran before.
bool reads_clock(const ir::Module& module) {
  return std::ranges::any_of(module.functions, [](const ir::Function& function) {
    return std::ranges::any_of(function.insts, [](const ir::Inst& inst) { return inst.op == ir::Op::clock; });
  });
}

}  // namespace

std::string picture(View file) {
  const auto read = picture::read_dds(file.bytes());
  if (!read) return fault_of(read.error(), file.size());
  const auto again = picture::read_dds(picture::write_dds(*read));
  if (!again || again->format != read->format || again->bytes != read->bytes || again->layers != read->layers)
    return "a picture changes when it is written";
  const texel::Format format = *texel::find_format(texel::format_name(read->format));
  std::uint32_t seen = 0;
  for (std::size_t at = 0; at + format.bytes() <= read->bytes.size(); at += format.bytes()) {
    for (unsigned y = 0; y < format.block_height(); ++y) {
      for (unsigned x = 0; x < format.block_width(); ++x) seen |= texel::load_texel(format, read->bytes.data() + at, x, y)[3];
    }
  }
  static_cast<void>(seen);
  return {};
}

std::string lower(View file) {
  const auto opened = shader::open(file);
  if (!opened) return {};
  auto lowered = shader::lower(*opened);
  if (!lowered) return fault_of(lowered.error(), file.size());
  for (const Diagnostic& finding : ir::findings_of(**lowered)) return "lowered: " + to_string(finding);
  const auto module = ir::optimize(*std::move(lowered), 0);
  for (const Diagnostic& finding : ir::findings_of(*module)) return "in canonical form: " + to_string(finding);
  const std::string text = ir::print(*module);
  const auto again = ir::parse(text);
  if (!again) return "the text of the module is refused: " + to_string(again.error());
  if (ir::print(*again) != text) return "the text of the module makes another";
  const auto lines = shader::instruction_lines(*opened, module->functions.front().name);
  if (!lines) return "no listing of what is lowered: " + to_string(lines.error());
  for (const ir::Function& function : module->functions) {
    for (const ir::Source& source : function.sources) {
      if (source.instruction != ir::kNone && source.instruction >= lines->size() && opened->family != shader::Family::dxil)
        return "an instruction without a line";
    }
  }
  return {};
}

std::string run(View file) {
  const auto opened = shader::open(file);
  if (!opened) return {};
  auto lowered = shader::lower(*opened);
  if (!lowered) return {};
  // with loops as they are, and unrolled
  std::optional<Value> before;
  for (const unsigned level : {1U, 2U}) {
    const auto module = ir::optimize(*lowered, level);
    for (const Diagnostic& finding : ir::findings_of(*module)) return "optimized: " + to_string(finding);
    auto options = small();
    options.optimize = level;
    const auto result = run::execute(*lowered, Value::map(), options);
    if (!result) return fault_of(result.error(), file.size());
    const Value left = without_operations(*result);
    if (*left.find("stop")->as_text() != vm::id(vm::Stop::finished) || reads_clock(**lowered)) return {};
    if (before && !(left == *before)) return "other results with loops unrolled";
    before = left;
  }
  return {};
}

#ifdef UNSHADE_HAS_COMMANDS
std::string exr(View file) {
  const auto read = picture::read_exr(file.bytes());
  if (!read) return fault_of(read.error(), file.size());
  const auto written = picture::write_exr(*read);
  if (!written) return "a picture that was read is not written: " + to_string(written.error());
  const auto again = picture::read_exr(*written);
  if (!again || again->format != read->format || again->bytes != read->bytes || again->width != read->width)
    return "a picture changes when it is written";
  return {};
}

std::string case_text(View file) {
  constexpr std::string_view kModules[] = {
      "stage compute\ninfo group_size 4 1 1\nresource @params cbuffer register 0 bytes 32\nresource @in structured register 1 stride 8\n"
      "resource @out uav_byte_address register 1\nfunction @main {\n^0:\n  %c = handle @params 0\n  %o = handle @out 0\n"
      "  %v = cbuffer_load i32 %c 4\n  buffer_store i32 raw %o 8 %v\n  return\n}\n",
      "stage vertex\ninput \"POSITION\" type f32 register 0\noutput \"SV_Position\" type f32 register 0\n"
      "function @main {\n^0:\n  %x = input f32 in0.x\n  output f32 out0.x %x\n  return\n}\n"};
  shader::Reflection reflection;
  reflection.types.push_back({});
  reflection.types.back().columns = 4;
  reflection.types.back().rows = 1;
  shader::Buffer& params = reflection.buffers.emplace_back();
  params.name = "params";
  params.size = 32;
  params.variables.push_back({});
  params.variables.back().name = "scale";
  params.variables.back().offset = 16;
  params.variables.back().size = 16;
  params.variables.back().type = 0;
  auto options = small();
  options.reflection = &reflection;
  const std::string_view text = file.text();
  // a file that the case names is the case itself
  options.self = &file;
  options.read_file = [](void* self, std::string_view) -> Result<std::vector<std::byte>> {
    const auto bytes = static_cast<View*>(self)->bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  for (const bool toml : {false, true}) {
    const auto given = toml ? document_text::read_toml(text) : document_text::read_yaml(text);
    if (!given) {
      if (auto fault = fault_of(given.error(), text.size()); !fault.empty()) return fault;
      continue;
    }
    for (const std::string_view module_text : kModules) {
      auto module = ir::parse(module_text);
      if (!module) return "the module: " + to_string(module.error());
      const auto result = run::execute(std::move(*module), *given, options);
      if (result) continue;
      if (auto fault = fault_of(result.error(), text.size()); !fault.empty()) return fault;
    }
  }
  return {};
}
#endif

}  // namespace unshade::fuzz
