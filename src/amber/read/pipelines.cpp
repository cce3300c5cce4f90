// Pipelines: what is attached and bound.
#include <algorithm>
#include <bit>

#include "amber/read/reader.hpp"

namespace unshade::amber::reader {
namespace {

/// Copies of pipelines multiply what is bound to them.
constexpr std::size_t kMostPipelineParts = std::size_t{1} << 12;

std::size_t parts_of(const ScriptPipeline& pipeline) {
  std::size_t made = pipeline.attached.size() + pipeline.vertices.size() + 1;
  for (const auto& binding : pipeline.bindings) made += 1 + binding.buffers.size() + binding.samplers.size();
  for (const auto& attached : pipeline.attached) made += attached.specializations.size();
  return made;
}

}  // namespace

void Reader::pipeline(bool derived) {
  ScriptPipeline made;
  made.place = lexer_.place(lexer_.peek().offset);
  if (!derived) {
    const Token word = lexer_.peek();
    const std::uint32_t kind = choice("a pipeline's type", {"compute", "graphics", "raytracing", "ray_tracing"});
    if (kind == 2 || kind == 3) return needs(word, "ray tracing");
    made.is_compute = kind == 0;
  }
  std::string name = new_name(script_.pipelines, "pipeline");
  if (derived) {
    if (!take("FROM")) fail(lexer_.peek(), "expected FROM and the name of a pipeline");
    const std::uint32_t parent = name_of(script_.pipelines, "pipeline");
    if (error_) return;
    std::size_t all = 0;
    for (const ScriptPipeline& one : script_.pipelines) all += parts_of(one);
    if (all > kMostPipelineParts) return fail(lexer_.peek(), "the script's pipelines have too many parts", ErrorCode::limit);
    const suite::Place place = made.place;
    made = script_.pipelines[parent];
    made.place = place;
  }
  made.name = std::move(name);
  end_line();
  const Token start{{}, lexer_.offset()};
  while (!error_ && !stopped_) {
    if (!lexer_.next_line()) return fail(start, "the pipeline has no END", ErrorCode::truncated);
    const Token word = lexer_.next();
    if (!word) continue;
    if (word.text == "END") break;
    pipeline_line(made, word);
    if (!error_ && !stopped_) end_line();
  }
  if (!error_ && !stopped_) script_.pipelines.push_back(std::move(made));
}

void Reader::pipeline_line(ScriptPipeline& pipeline, const Token& word) {
  const std::string_view name = word.text;
  const auto lacks = [&](std::string what) {
    if (pipeline.needs.empty()) pipeline.needs = std::move(what);
  };
  if (name == "ATTACH") return attach(pipeline);
  if (name == "BIND") return bind(pipeline, word);
  if (name == "VERTEX_DATA") return vertex_data(pipeline);
  if (name == "SUBGROUP") return subgroup(pipeline);
  if (name == "INDEX_DATA") {
    pipeline.indices = name_of(script_.buffers, "buffer");
  } else if (name == "FRAMEBUFFER_SIZE") {
    pipeline.width = whole("the width");
    pipeline.height = whole("the height");
  } else if (name == "VIEWPORT") {
    std::array<float, 4> area{};
    area[0] = static_cast<float>(real("x"));
    area[1] = static_cast<float>(real("y"));
    if (!take("SIZE")) return fail(lexer_.peek(), "expected SIZE");
    area[2] = static_cast<float>(real("the width"));
    area[3] = static_cast<float>(real("the height"));
    for (;;) {
      const bool is_least = take("MIN_DEPTH");
      if (!is_least && !take("MAX_DEPTH")) break;
      pipeline.depth_range[is_least ? 0 : 1] = depth_from_0_to_1();
    }
    pipeline.viewport = area;
  } else if (name == "PATCH_CONTROL_POINTS") {
    pipeline.patch_points = whole("the number of control points");
  } else if (name == "POLYGON_MODE") {
    const std::uint32_t mode = choice("a polygon mode", {"fill", "line", "point"});
    if (!error_) pipeline.rasterizer.fill = static_cast<draw::Fill>(mode);
  } else if (name == "SHADER_OPTIMIZATION" || name == "COMPILE_OPTIONS") {
    name_of(script_.shaders, "shader");
    // passes of spirv-opt, of which one changes what a shader means
    std::uint32_t line = 0;
    const auto passes = lexer_.body(line);
    if (!passes) return fail(word, "expected lines up to END", ErrorCode::truncated);
    if (passes->find("--graphics-robust-access") != std::string_view::npos) lacks("the pass graphics-robust-access of spirv-opt");
  } else if (name == "DEPTH") {
    depth(pipeline);
  } else if (name == "STENCIL") {
    stencil(pipeline);
  } else if (name == "BLEND") {
    blend(pipeline);
  } else {
    fail(word, "`" + std::string(name) + "` is not a command of pipelines");
  }
}

void Reader::attach(ScriptPipeline& pipeline) {
  ScriptPipeline::Attached made;
  const Token name = lexer_.peek();
  made.place = lexer_.place(name.offset);
  made.shader = name_of(script_.shaders, "shader");
  if (error_) return;
  made.stage = script_.shaders[made.shader].stage;
  if (take("TYPE")) {
    constexpr Stage kStages[] = {Stage::vertex, Stage::pixel, Stage::geometry, Stage::hull, Stage::domain, Stage::compute};
    const std::uint32_t stage =
        choice("a shader's type", {"vertex", "fragment", "geometry", "tessellation_control", "tessellation_evaluation", "compute"});
    if (error_) return;
    made.stage = kStages[stage];
  }
  if (take("ENTRY_POINT")) made.entry = expect("the name of an entry point").text;
  while (take("SPECIALIZE")) {
    ScriptPipeline::Specialization one;
    one.id = whole("the constant's SpecId");
    if (!take("AS")) return fail(lexer_.peek(), "expected AS and a type");
    const std::uint32_t type = choice("a type of 32 bits", {"uint32", "int32", "float"});
    const Token token = expect("a value");
    const auto number = number_of(token.text);
    if (!error_ && (!number || (type != 2 && !number->is_whole))) return fail(token, "expected a number of that type");
    if (error_) return;
    one.bits = type == 2 ? std::bit_cast<std::uint32_t>(static_cast<float>(number->real)) : static_cast<std::uint32_t>(number->bits);
    made.specializations.push_back(one);
  }
  if (made.stage == Stage::none) return fail(name, "expected TYPE: the shader is a module of several stages");
  if ((made.stage == Stage::compute) != pipeline.is_compute)
    return fail(name, pipeline.is_compute ? "a compute pipeline must have a compute shader and no other"
                                          : "a graphics pipeline must not have a compute shader");
  // of a pipeline that was derived from another, the parent's
  std::erase_if(pipeline.attached, [&](const auto& one) { return one.stage == made.stage; });
  pipeline.attached.push_back(std::move(made));
}

void Reader::bind(ScriptPipeline& pipeline, const Token& word) {
  using Use = ScriptPipeline::Binding::Use;
  ScriptPipeline::Binding made;
  made.place = lexer_.place(word.offset);
  const std::uint32_t what = choice("a kind of resource", {"BUFFER", "BUFFER_ARRAY", "SAMPLER", "SAMPLER_ARRAY", "ACCELERATION_STRUCTURE"});
  if (error_) return;
  if (what == 4) return needs(word, "ray tracing");
  if (what >= 2) {
    made.use = Use::sampler;
    do {
      made.samplers.push_back(name_of(script_.samplers, "sampler"));
    } while (what == 3 && !error_ && lexer_.peek() && lexer_.peek().text != "DESCRIPTOR_SET" && lexer_.peek().text != "KERNEL");
    if (lexer_.peek().text == "KERNEL") return needs(word, "OpenCL");
    while (!error_ && lexer_.peek()) {
      switch (choice("a binding option", {"DESCRIPTOR_SET", "BINDING"})) {
        case 0: made.set = whole("the set"); break;
        case 1: made.number = whole("the binding"); break;
        default: break;
      }
    }
    if (!error_) pipeline.bindings.push_back(std::move(made));
    return;
  }
  do {
    made.buffers.push_back(name_of(script_.buffers, "buffer"));
  } while (what == 1 && !error_ && lexer_.peek() && lexer_.peek().text != "AS" && lexer_.peek().text != "KERNEL");
  if (lexer_.peek().text == "KERNEL") return needs(word, "OpenCL");
  if (!take("AS")) return fail(lexer_.peek(), "expected AS and a buffer type");
  switch (choice("a buffer type",
                 {"color", "depth_stencil", "push_constant", "uniform", "storage", "uniform_dynamic", "storage_dynamic", "storage_image",
                  "sampled_image", "combined_image_sampler", "uniform_texel_buffer", "storage_texel_buffer", "resolve"})) {
    case 0: made.use = Use::color; break;
    case 1: made.use = Use::depth_stencil; break;
    case 2: made.use = Use::push_constant; break;
    case 3:
    case 5: made.use = Use::uniform; break;
    case 4:
    case 6: made.use = Use::storage; break;
    case 7:
    case 8: made.use = Use::image; break;
    case 9: made.use = Use::image; break;
    case 10:
    case 11: made.use = Use::texel_buffer; break;
    case 12: made.use = Use::resolve; break;
    default: return;
  }
  const auto is_sampler = [&](const Token& token) { return place_of(script_.samplers, token.text).has_value(); };
  while (!error_ && lexer_.peek()) {
    const auto numbers = [&](std::vector<std::uint64_t>& list) {
      list.clear();
      do {
        list.push_back(whole("a number of bytes"));
      } while (!error_ && is_next_number());
    };
    switch (choice("a binding option", {"DESCRIPTOR_SET", "BINDING", "LOCATION", "OFFSET", "DESCRIPTOR_OFFSET", "DESCRIPTOR_RANGE",
                                        "BASE_MIP_LEVEL", "SAMPLER"})) {
      case 0: made.set = whole("the set"); break;
      case 1: made.number = whole("the binding"); break;
      case 2: made.number = whole("the location"); break;
      case 3:
      case 4: {
        std::vector<std::uint64_t> more;
        numbers(more);
        made.offsets.resize(std::max(made.offsets.size(), more.size()));
        for (std::size_t at = 0; at < more.size(); ++at) made.offsets[at] += more[at];
        break;
      }
      case 5: numbers(made.ranges); break;
      case 6: {
        const Token level = lexer_.peek();
        made.level = whole("the level");
        for (const std::uint32_t buffer : made.buffers) {
          const std::uint32_t levels = script_.buffers[buffer].levels;
          if (made.level >= levels) fail(level, "expected a level of the image, which has " + std::to_string(levels));
        }
        break;
      }
      case 7: do { made.samplers.push_back(name_of(script_.samplers, "sampler"));
        } while (!error_ && made.samplers.size() < made.buffers.size() && is_sampler(lexer_.peek()));
        made.samplers.resize(made.buffers.size(), made.samplers.front());  // one for all
        break;
      default: break;
    }
  }
  if (error_) return;
  if (made.use == Use::depth_stencil && !script_.buffers[made.buffers[0]].depth_stencil)
    return fail(word, "the format of the buffer " + script_.buffers[made.buffers[0]].name + " is not one of depth or stencil");
  // a target that the parent of a derived pipeline had in this place
  if (made.use == Use::color || made.use == Use::depth_stencil)
    std::erase_if(pipeline.bindings, [&](const auto& one) { return one.use == made.use && one.number == made.number; });
  pipeline.bindings.push_back(std::move(made));
}

void Reader::vertex_data(ScriptPipeline& pipeline) {
  ScriptPipeline::VertexData made;
  made.buffer = name_of(script_.buffers, "buffer");
  while (!error_ && lexer_.peek()) {
    switch (choice("an option of vertex data", {"LOCATION", "RATE", "FORMAT", "OFFSET", "STRIDE"})) {
      case 0: made.location = whole("the location"); break;
      case 1: made.per_instance = choice("a rate", {"vertex", "instance"}) == 1; break;
      case 2: {
        const Token word = expect("a format");
        made.format = parse_wide_format(word.text) ? texel::Format{} : parse_format(word.text);
        if (word && !made.format) fail(word, "the format `" + std::string(word.text) + "` is not known", ErrorCode::unsupported);
        break;
      }
      case 3: made.offset = whole("the offset in bytes"); break;
      case 4: made.stride = whole("the stride in bytes"); break;
      default: break;
    }
  }
  if (!error_) pipeline.vertices.push_back(made);
}

void Reader::subgroup(ScriptPipeline& pipeline) {
  const Token name = lexer_.peek();
  const std::uint32_t shader = name_of(script_.shaders, "shader");
  std::uint32_t size = 0;
  end_line();
  for (;;) {
    if (error_) return;
    if (!lexer_.next_line()) return fail(name, "SUBGROUP has no END", ErrorCode::truncated);
    if (!lexer_.peek()) continue;
    if (take("END")) break;
    switch (choice("a subgroup option", {"FULLY_POPULATED", "VARYING_SIZE", "REQUIRED_SIZE"})) {
      case 0:
      case 1: choice("on or off", {"on", "off"}); break;
      case 2: size = take("MIN") ? 4 : take("MAX") ? 128 : whole("the size"); break;
      default: break;
    }
    if (!error_) end_line();
  }
  for (auto& one : pipeline.attached)
    if (one.shader == shader) one.subgroup = size;
}

}  // namespace unshade::amber::reader
