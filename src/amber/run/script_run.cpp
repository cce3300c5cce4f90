#include "amber/run/script_run.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <unshade/core/value.hpp>
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/spirv/assembler.hpp>
#include <unshade/spirv/edit.hpp>
#include <unshade/spirv/module.hpp>

namespace unshade::amber::runner {
namespace {

using Use = ScriptPipeline::Binding::Use;

/// Waves that take long to fill have few lanes that wait for others; code of the interpreter costs the same for any number.
constexpr unsigned kWave = 64;
/// Of pipelines that test depth or stencil and bind no such buffer.
constexpr std::string_view kOwnDepthFormat = "D32_FLOAT_S8X24_UINT";
constexpr std::uint64_t kMostRepeated = std::uint64_t{1} << 20;

suite::Place moved(suite::Place start, std::string_view path) {
  // `LINE:COLUMN` in the shader's text
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  for (std::uint32_t* number = &line; const char c : path) {
    if (c == ':') {
      number = &column;
    } else if (c >= '0' && c <= '9' && *number < 100'000'000) {
      *number = *number * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  return line == 0 ? start : suite::Place{start.line + line - 1, column};
}

/// An error whose path is `LINE:COLUMN` in a text that begins at a line of the script, with that place in its message.
Error at_line(Error error, std::uint32_t first_line) {
  if (error.path.empty()) return error;
  const suite::Place place = moved({first_line, 1}, error.path);
  error.path.clear();
  error.message = "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + error.message;
  return error;
}

/// An error of what a script has in itself. Only files and compilers may be missing: without them a test is skipped.
Error of_script(Error error) {
  if (error.code == ErrorCode::missing) error.code = ErrorCode::bad_value;
  return error;
}

/// The mean of the samples of a texel; of whole numbers the first.
std::array<std::uint32_t, 4> mean_of_samples(const texel::Descriptor& from, std::uint32_t x, std::uint32_t y) {
  std::array<double, 4> sum{};
  std::array<std::uint32_t, 4> made{};
  for (std::uint32_t sample = 0; sample < from.samples; ++sample) {
    const std::byte* const texel = texel::texel_at(from, {.x = x, .y = y, .sample = sample});
    if (texel == nullptr) return made;
    const auto value = texel::load_texel(from.format, texel);
    if (from.format.is_integer()) return value;
    for (std::size_t k = 0; k < 4; ++k) sum[k] += static_cast<double>(std::bit_cast<float>(value[k]));
  }
  for (std::size_t k = 0; k < 4; ++k) made[k] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[k] / from.samples));
  return made;
}

}  // namespace

void ScriptRun::run() {
  if (!script_.needs.empty()) return skip(script_.needs_place, "needs " + script_.needs);
  if (!make_memory()) return;
  clear_colors_.assign(script_.pipelines.size(), {});
  clear_depths_.assign(script_.pipelines.size(), {});
  for (std::size_t at = 0; at < script_.commands.size() && !done(); ++at) {
    const auto* const repeat = std::get_if<Repeat>(&script_.commands[at].what);
    if (repeat == nullptr) {
      command(script_.commands[at]);
      continue;
    }
    const std::size_t end = std::min(at + 1 + repeat->commands, script_.commands.size());
    if (std::uint64_t{repeat->count} * repeat->commands > kMostRepeated)
      return fail(script_.commands[at].place, "the commands repeated must be at most " + std::to_string(kMostRepeated));
    for (std::uint32_t k = 0; k < repeat->count && !done(); ++k)
      for (std::size_t one = at + 1; one < end && !done(); ++one) command(script_.commands[one]);
    at = end - 1;
  }
  if (outcome_.status != suite::Status::skipped && outcome_.failed != 0) outcome_.status = suite::Status::failed;
}

bool ScriptRun::make_memory() {
  memory_.resize(script_.buffers.size());
  std::uint64_t all = 0;
  for (std::size_t at = 0; at < memory_.size(); ++at) {
    const ScriptBuffer& from = script_.buffers[at];
    auto made = initial_memory(from, options_);
    if (!made) return report(made.error(), from.place), false;
    all += made->bytes.size();
    if (all > std::uint64_t{1} << 30) return fail(from.place, "the script's buffers are larger than 1 GiB"), false;
    memory_[at] = std::move(*made);
  }
  // targets without a size have that of the framebuffer
  for (const ScriptPipeline& pipeline : script_.pipelines) {
    for (const Binding& binding : pipeline.bindings) {
      if (binding.buffers.empty()) continue;
      const std::uint32_t place = binding.buffers[0];
      const ScriptBuffer& from = script_.buffers[place];
      if (from.from != ScriptBuffer::From::nothing || from.is_image || !memory_[place].bytes.empty()) continue;
      texel::Descriptor whole;
      whole.format.size = static_cast<std::uint8_t>(std::min(255U, from.type.stride));
      // the framebuffer is as large as the level that is bound
      const std::uint32_t scale = std::min(binding.level, 31U);
      if (std::max(pipeline.width, pipeline.height) > std::numeric_limits<std::uint32_t>::max() >> scale)
        return fail(from.place, "the script's buffers are larger than 1 GiB"), false;
      whole.width = pipeline.width << scale;
      whole.height = pipeline.height << scale;
      whole.levels = from.levels;
      whole.samples = from.samples;
      const std::uint64_t size = texel::texture_bytes(whole);
      if (size > std::uint64_t{1} << 30 || (all += size) > std::uint64_t{1} << 30)
        return fail(from.place, "the script's buffers are larger than 1 GiB"), false;
      memory_[place] = {std::vector<std::byte>(size), whole.width, whole.height};
    }
    const auto& tests = pipeline.depth_stencil;
    const bool has_depth = std::ranges::find(pipeline.bindings, Use::depth_stencil, &Binding::use) != pipeline.bindings.end();
    if (has_depth || !(tests.depth || tests.stencil || tests.depth_bounds)) continue;
    const std::uint64_t size = std::uint64_t{pipeline.width} * pipeline.height * samples_of(pipeline) *
                               draw::find_depth_stencil_format(kOwnDepthFormat)->texture.format.bytes();
    all += size;
    if (size > std::uint64_t{1} << 30 || all > std::uint64_t{1} << 30)
      return fail(pipeline.place, "the script's buffers are larger than 1 GiB"), false;
    own_depths_[static_cast<std::uint32_t>(&pipeline - script_.pipelines.data())] = {std::vector<std::byte>(size), pipeline.width,
                                                                                     pipeline.height};
  }
  return true;
}

void ScriptRun::command(const ScriptCommand& command) {
  place_ = command.place;
  if (const auto* const one = std::get_if<Dispatch>(&command.what)) return dispatch(*one);
  if (const auto* const one = std::get_if<DrawRect>(&command.what)) {
    DrawArray array;
    array.pipeline = one->pipeline;
    array.topology = draw::Topology::triangle_list;
    array.count = 0;
    return draw(script_.pipelines[one->pipeline], array, *one);
  }
  if (const auto* const one = std::get_if<DrawArray>(&command.what)) return draw(script_.pipelines[one->pipeline], *one, std::nullopt);
  if (const auto* const one = std::get_if<Clear>(&command.what)) return clear(one->pipeline);
  if (const auto* const one = std::get_if<ClearColor>(&command.what)) {
    clear_colors_[one->pipeline] = one->color;
  } else if (const auto* const value = std::get_if<ClearDepthStencil>(&command.what)) {
    ClearValue& to = clear_depths_[value->pipeline];
    to.depth = value->depth.value_or(to.depth);
    to.stencil = value->stencil.value_or(to.stencil);
  } else if (const auto* const copied = std::get_if<CopyBuffer>(&command.what)) {
    copy(*copied);
  } else if (const auto* const expect = std::get_if<Expect>(&command.what)) {
    ++outcome_.expectations;
    if (auto wrong = compared(*expect, script_, memory_)) {
      wrong->place = command.place;
      ++outcome_.failed;
      if (outcome_.failures.size() < suite::kMostFailures) outcome_.failures.push_back(std::move(*wrong));
    }
  }
}

draw::DepthStencilTarget ScriptRun::depth_target(std::uint32_t pipeline) {
  const ScriptPipeline& from = script_.pipelines[pipeline];
  draw::DepthStencilTarget made;
  const auto bound = std::ranges::find(from.bindings, Use::depth_stencil, &Binding::use);
  if (bound != from.bindings.end()) {
    const std::uint32_t buffer = bound->buffers[0];
    made = *script_.buffers[buffer].depth_stencil;
    made.texture.bytes = memory_[buffer].bytes;
    made.texture.width = memory_[buffer].width;
    made.texture.height = memory_[buffer].height;
    made.texture.samples = script_.buffers[buffer].samples;
  } else if (const auto own = own_depths_.find(pipeline); own != own_depths_.end()) {
    made = *draw::find_depth_stencil_format(kOwnDepthFormat);
    made.texture.bytes = own->second.bytes;
    made.texture.width = own->second.width;
    made.texture.height = own->second.height;
    made.texture.samples = samples_of(from);
  }
  return made;
}

void ScriptRun::clear_depth(std::uint32_t pipeline) {
  const draw::DepthStencilTarget target = depth_target(pipeline);
  const texel::Format& format = target.texture.format;
  for (std::size_t at = 0; at + format.bytes() <= target.texture.bytes.size() && format.bytes() != 0; at += format.bytes()) {
    std::byte* const texel = target.texture.bytes.data() + at;
    if (format.has(0)) texel::store_texel(format, {std::bit_cast<std::uint32_t>(clear_depths_[pipeline].depth)}, texel);
    if (target.stencil_byte) texel[*target.stencil_byte] = static_cast<std::byte>(clear_depths_[pipeline].stencil);
  }
}

void ScriptRun::clear(std::uint32_t pipeline) {
  clear_depth(pipeline);
  for (const Binding& binding : script_.pipelines[pipeline].bindings) {
    if (binding.use != Use::color) continue;
    const texel::Format& format = script_.buffers[binding.buffers[0]].type.format;
    const std::uint32_t stride = script_.buffers[binding.buffers[0]].type.stride;
    if (format.bytes() == 0) return fail(place_, "a target must have a format");
    std::array<std::uint32_t, 4> color{};
    for (std::size_t k = 0; k < 4; ++k) {
      const float part = clear_colors_[pipeline][k];
      color[k] = format.is_integer() ? static_cast<std::uint32_t>(part * 255) : std::bit_cast<std::uint32_t>(part);
    }
    texel::Descriptor target = texture(binding);
    target.levels = 1;
    const std::size_t size = std::min<std::uint64_t>(target.bytes.size(), texel::texture_bytes(target));
    for (std::size_t at = 0; at + stride <= size; at += stride) texel::store_texel(format, color, target.bytes.data() + at);
  }
}

texel::Descriptor ScriptRun::texture(const Binding& binding, std::size_t at) {
  const ScriptBuffer& from = script_.buffers[binding.buffers[at]];
  Memory& memory = memory_[binding.buffers[at]];
  texel::Descriptor made;
  made.bytes = memory.bytes;
  made.format = from.type.format;
  made.width = memory.width != 0 ? memory.width : static_cast<std::uint32_t>(memory.bytes.size() / std::max(1U, from.type.stride));
  made.height = memory.height;
  made.depth = from.depth;
  made.samples = from.samples;
  for (std::uint32_t level = 0; level < std::min(binding.level, 31U); ++level) {
    made.bytes = made.bytes.subspan(std::min<std::uint64_t>(made.bytes.size(), texel::texture_bytes(made)));
    for (std::uint32_t* const size : {&made.width, &made.height, &made.depth}) *size = std::max(1U, *size / 2);
  }
  made.levels = from.levels - std::min(binding.level, from.levels - 1);
  return made;
}

std::uint32_t ScriptRun::samples_of(const ScriptPipeline& pipeline) const {
  std::uint32_t most = 1;
  for (const Binding& one : pipeline.bindings)
    if (one.use == Use::color) most = std::max(most, script_.buffers[one.buffers[0]].samples);
  return most;
}

void ScriptRun::resolve(const ScriptPipeline& pipeline) {
  std::vector<const Binding*> from;
  for (const Binding& one : pipeline.bindings)
    if (one.use == Use::color && script_.buffers[one.buffers[0]].samples > 1) from.push_back(&one);
  std::ranges::sort(from, {}, [](const Binding* one) { return one->number; });
  std::size_t next = 0;
  for (const Binding& binding : pipeline.bindings) {
    if (binding.use != Use::resolve) continue;
    if (next == from.size()) return fail(binding.place, "there are more resolve targets than multisampled targets");
    const texel::Descriptor source = texture(*from[next++]);
    texel::Descriptor to = texture(binding);
    to.levels = 1;
    if (to.width != source.width || to.height != source.height || to.format.bytes() == 0)
      return fail(binding.place, "the resolve target must be a picture of the size of the multisampled target");
    for (std::uint32_t y = 0; y < to.height; ++y) {
      for (std::uint32_t x = 0; x < to.width; ++x) {
        std::byte* const texel = texel::texel_at(to, {.x = x, .y = y});
        if (texel != nullptr) texel::store_texel(to.format, mean_of_samples(source, x, y), texel);
      }
    }
  }
}

void ScriptRun::copy(const CopyBuffer& what) {
  Memory& to = memory_[what.to];
  const Memory& from = memory_[what.from];
  if (!to.bytes.empty() && to.bytes.size() != from.bytes.size()) return fail(place_, "the buffers have different sizes");
  to = from;
}

void ScriptRun::dispatch(const Dispatch& what) {
  const ScriptPipeline& pipeline = script_.pipelines[what.pipeline];
  if (!can_run(pipeline)) return;
  const Attached* const attached = find(pipeline, Stage::compute);
  if (attached == nullptr) return fail(pipeline.place, "the pipeline has no compute shader");
  const vm::Program* const made = program(pipeline, *attached);
  if (made == nullptr) return;
  vm::Resources bound = resources(pipeline, made->module());
  finished(vm::dispatch(*made, bound, what.groups, {.operations = options_.operations}), attached->place);
}

bool ScriptRun::can_run(const ScriptPipeline& pipeline) {
  if (!pipeline.needs.empty()) return skip(pipeline.place, "needs " + pipeline.needs), false;
  for (const Binding& one : pipeline.bindings) {
    if (one.use != Use::image && one.use != Use::texel_buffer && one.use != Use::color && one.use != Use::resolve) continue;
    for (const std::uint32_t buffer : one.buffers) {
      const DataType& type = script_.buffers[buffer].type;
      if (type.format.bytes() == 0 && !script_.buffers[buffer].depth_stencil) return skip(one.place, "needs texels of " + type.name), false;
    }
  }
  for (const Attached& one : pipeline.attached) {
    const ScriptShader& shader = script_.shaders[one.shader];
    if (shader.format == ScriptShader::Format::source && (options_.compile == nullptr || shader.language == "OPENCL-C"))
      return skip(shader.place, "needs a compiler of " + shader.language), false;
  }
  return true;
}

const ScriptPipeline::Attached* ScriptRun::find(const ScriptPipeline& pipeline, Stage stage) const {
  const auto found = std::ranges::find(pipeline.attached, stage, &Attached::stage);
  return found == pipeline.attached.end() ? nullptr : &*found;
}

const vm::Program* ScriptRun::program(const ScriptPipeline& pipeline, const Attached& attached) {
  const auto number = static_cast<std::uint32_t>(&pipeline - script_.pipelines.data());
  const auto known = programs_.find({number, attached.stage});
  if (known != programs_.end()) return &known->second;
  auto made = compiled(pipeline, attached);
  if (!made) {
    const ScriptShader& shader = script_.shaders[attached.shader];
    report(made.error(), moved({shader.place.line, 1}, made.error().path));
    return nullptr;
  }
  return &programs_.emplace(std::pair(number, attached.stage), std::move(*made)).first->second;
}

Result<vm::Program> ScriptRun::compiled(const ScriptPipeline& pipeline, const Attached& attached) const {
  const ScriptShader& shader = script_.shaders[attached.shader];
  std::vector<std::byte> bytes;
  std::string_view shader_text = shader.text;
  std::vector<std::byte> file;
  if (!shader.path.empty()) {
    if (options_.read_file == nullptr) return Error{ErrorCode::missing, 0, "", "files cannot be read in this run"};
    auto read = options_.read_file(options_.self, shader.path);
    if (!read) return Error{ErrorCode::missing, 0, "", "the file `" + shader.path + "` of the shader cannot be read"};
    file = std::move(*read);
    shader_text = View(file).text();
  }
  if (shader.format == ScriptShader::Format::source) {
    suite::ShaderSource source{shader.language, attached.stage, shader_text, attached.entry};
    source.version = shader.version.value_or(source.version);
    source.includes = script_.files;
    auto made = options_.compile(options_.self, source);
    if (!made) return at_line(std::move(made).error(), shader.first_line);
    bytes = std::move(*made);
  } else if (shader.format == ScriptShader::Format::binary) {
    bytes = std::move(file);
  } else if (shader.format == ScriptShader::Format::hexadecimal) {
    if (!from_hex(shader_text, bytes)) return Error{ErrorCode::bad_value, 0, "", "the shader must be pairs of hexadecimal digits"};
  } else {
    spirv::AssemblerOptions options;
    options.version = shader.version ? shader.version : std::optional<std::uint32_t>(0x10600);
    auto assembled = spirv::assemble(shader_text, options);
    if (!assembled) return of_script(at_line(std::move(assembled).error(), shader.first_line));
    bytes = std::move(*assembled);
  }
  auto module = spirv::parse(View(bytes));
  if (!module) return of_script(std::move(module).error().within("the module"));
  if (!attached.specializations.empty()) {
    std::vector<spirv::SpecializedConstant> values;
    for (const auto& one : attached.specializations) values.push_back({one.id, one.bits});
    bytes = spirv::specialize(*module, values);
    module = spirv::parse(View(bytes));
    if (!module) return of_script(std::move(module).error());
  }
  auto lowered = ir::lower(*module, {.entry = attached.entry});
  if (!lowered) return of_script(std::move(lowered).error());
  auto verified = ir::verified(*std::move(lowered));
  if (!verified) return of_script(std::move(verified).error());
  const Validated<ir::Module> valid = ir::optimize(*std::move(verified), 1);
  const ir::Module& made = *valid;
  vm::Options options;
  options.wave = attached.subgroup != 0 ? attached.subgroup : options_.wave != 0 ? options_.wave : kWave;
  if (attached.subgroup == 0 && options_.wave == 0 && pipeline.is_compute) {
    const auto& size = made.info.group_size;
    const std::uint64_t threads = std::uint64_t{size[0]} * size[1] * size[2];
    while (options.wave > 4 && options.wave / 2 >= threads) options.wave /= 2;
  }
  options.wave = std::clamp(options.wave, made.modes.wave_min, made.modes.wave_max);
  auto prepared = vm::prepare(valid, options);
  return prepared ? std::move(prepared) : Result<vm::Program>(of_script(prepared.error()));
}

vm::Resources ScriptRun::resources(const ScriptPipeline& pipeline, const ir::Module& module) {
  constexpr std::uint32_t kPushConstants = 0xffff'ffff;
  vm::Resources made = vm::empty_resources(module);
  for (std::size_t row = 0; row < module.resources.size(); ++row) {
    const ir::Resource& resource = module.resources[row];
    for (const Binding& binding : pipeline.bindings) {
      if (binding.use == Use::color || binding.use == Use::depth_stencil || binding.use == Use::resolve) continue;
      const bool fits = resource.space == kPushConstants ? binding.use == Use::push_constant
                                                         : binding.use != Use::push_constant && binding.set == resource.space &&
                                                               binding.number == resource.first_register;
      if (!fits) continue;
      if (resource.kind == dxcontainer::ResourceKind::sampler) {
        made.rows[row].resize(std::max(made.rows[row].size(), binding.samplers.size()));
        for (std::size_t at = 0; at < binding.samplers.size(); ++at)
          made.rows[row][at].sampler = script_.samplers[binding.samplers[at]].state;
        continue;
      }
      if (binding.use == Use::sampler) continue;
      made.rows[row].resize(binding.buffers.size());
      for (std::size_t at = 0; at < binding.buffers.size(); ++at) {
        texel::Descriptor& to = made.rows[row][at];
        const ScriptBuffer& from = script_.buffers[binding.buffers[at]];
        Memory& memory = memory_[binding.buffers[at]];
        const std::uint64_t offset = at < binding.offsets.size() ? std::min<std::uint64_t>(binding.offsets[at], memory.bytes.size()) : 0;
        std::uint64_t range = memory.bytes.size() - offset;
        if (at < binding.ranges.size() && binding.ranges[at] != 0) range = std::min(range, binding.ranges[at]);
        to.bytes = std::span(memory.bytes).subspan(offset, range);
        if (binding.use == Use::image || binding.use == Use::texel_buffer) to.format = from.type.format;
        if (binding.use == Use::image) to = texture(binding, at);
      }
    }
  }
  return made;
}

bool ScriptRun::finished(const Result<vm::Report>& report_of, suite::Place place) {
  if (!report_of) return report(of_script(report_of.error()), place), false;
  outcome_.operations += report_of->operations;
  if (report_of->stop == vm::Stop::finished) return true;
  fail(place_, report_of->fault);
  return false;
}

void ScriptRun::skip(suite::Place place, std::string reason) {
  if (done()) return;
  outcome_.status = suite::Status::skipped;
  outcome_.reason = std::move(reason);
  outcome_.place = place;
}

void ScriptRun::fail(suite::Place place, std::string what) {
  stopped_ = true;
  ++outcome_.failed;
  outcome_.status = suite::Status::failed;
  if (outcome_.failures.size() < suite::kMostFailures) outcome_.failures.push_back({place, std::move(what), {}, {}});
}

void ScriptRun::report(const Error& error, suite::Place place) {
  if (error.code == ErrorCode::unsupported || error.code == ErrorCode::missing) return skip(place, error.message);
  fail(place, error.path.empty() ? error.message : error.path + ": " + error.message);
}

}  // namespace unshade::amber::runner

namespace unshade::amber {

suite::Outcome run_script(const Script& script, std::string_view name, const suite::TestOptions& options) {
  suite::Outcome made;
  made.name = name;
  made.file = name;
  runner::ScriptRun(script, options, made).run();
  return made;
}

}  // namespace unshade::amber
