// Cases that draw scenes as scripts of Amber: each pass is a pipeline. src: google/amber:docs/amber_script.md
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <unshade/core/bits/nearest.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>
#include <unshade/scene/passes.hpp>
#include <unshade/scene/scene.hpp>

#include "amber/words.hpp"
#include "amber/write/faces.hpp"
#include "amber/write/text.hpp"

namespace unshade::amber::writer {
namespace {

/// As many indices are written that nothing reads.
constexpr std::int32_t kMostBaseVertex = 65536;

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using run::fault;

/// What Amber cannot say of a field of a pass.
Error cannot_at(const scene::ReadyPass& ready, std::string_view field, std::string what) {
  const Value* const given = ready.given.find(field);
  return fault(given == nullptr ? ready.given : *given, std::string(field), std::move(what), ErrorCode::unsupported);
}

bool same_faces(const draw::StencilFace& a, const draw::StencilFace& b) {
  return a.fail == b.fail && a.depth_fail == b.depth_fail && a.pass == b.pass && a.comparison == b.comparison &&
         a.read_mask == b.read_mask && a.write_mask == b.write_mask;
}

bool same_blend(const draw::TargetBlend& a, const draw::TargetBlend& b) {
  return a.blend == b.blend && a.src == b.src && a.dest == b.dest && a.op == b.op && a.src_alpha == b.src_alpha &&
         a.dest_alpha == b.dest_alpha && a.op_alpha == b.op_alpha && a.logic == b.logic && a.logic_op == b.logic_op &&
         a.write_mask == b.write_mask;
}

bool uses_constant(const draw::TargetBlend& blend) {
  using enum draw::BlendFactor;
  return std::ranges::any_of(std::array{blend.src, blend.dest, blend.src_alpha, blend.dest_alpha}, [](draw::BlendFactor one) {
    return one == blend_factor || one == inv_blend_factor || one == alpha_factor || one == inv_alpha_factor;
  });
}

bool is_strip(draw::Topology topology) {
  using enum draw::Topology;
  return topology == line_strip || topology == triangle_strip || topology == triangle_fan || topology == line_strip_adjacency ||
         topology == triangle_strip_adjacency;
}

}  // namespace

/// Writes the passes of a scene as they are read.
class SceneWriter final : AmberText, scene::PassReader {
 public:
  SceneWriter(std::string_view name, const suite::cases::Case& one, const run::RunOptions& options, const Value& scene,
              const scene::SceneOptions& drawing)
      : AmberText(one, options), name_(name), scene_(scene), drawing_(drawing) {}

  Result<std::string> write();

 private:
  Result<void> pass(const scene::ReadyPass& ready) override;
  Result<void> find_expected();
  Result<void> stages(const scene::ReadyPass& ready, std::string_view name);
  Result<void> draw(const scene::ReadyPass& ready, const std::string& name);
  Result<void> states(const scene::ReadyPass& ready);
  Result<void> targets(const scene::ReadyPass& ready, std::string_view name);
  Result<void> vertices(const scene::ReadyPass& ready, std::string_view name);
  Result<std::string> indices(const scene::ReadyPass& ready, std::string_view name);
  Result<std::string> numbers(const std::string& name, std::span<const std::byte> bytes, bool is_real);
  Result<void> faces();
  Result<std::string> target(const texel::Descriptor& texture);
  Result<std::string> shared(const ir::Resource& resource, const texel::Descriptor& view);
  Result<void> clear(const scene::Target& target, const std::string& name);
  /// Keeps the first error of what is expected, which no pass has.
  void expect(Result<void> done) {
    if (!done && !unexpected_) unexpected_ = std::move(done).error();
  }
  std::string new_name(std::string_view kind, std::string_view name);
  void attach_nothing();
  void no_color(const std::string& name, const texel::Descriptor& like);

  std::string name_;
  const Value& scene_;
  const scene::SceneOptions& drawing_;
  std::optional<scene::SharedMemory> memory_;
  struct Expected {
    const Value* value = nullptr;
    bool is_written = false;
  };
  std::map<std::string, Expected> expected_;
  std::map<const std::byte*, std::string> named_;  ///< buffers of targets and resources of the scene, by their memory
  std::map<std::pair<const scene::Loaded*, Stage>, std::string> known_shaders_;
  std::set<std::string> names_;
  Text pipelines_, bindings_of_pass_, clear_pipelines_, clears_;
  std::size_t buffers_made_ = 0;
  bool has_nothing_ = false;
  std::optional<Error> unexpected_;
  std::optional<Error> has_faces_;  ///< where a pass needs that faces have sides
};

std::string SceneWriter::new_name(std::string_view kind, std::string_view name) {
  std::string plain(kind);
  for (const char one : name) {
    const bool is_plain = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9');
    plain += is_plain ? one : '_';
  }
  std::string made = plain;
  for (std::size_t number = 2; !names_.insert(made).second; ++number) made = plain + '_' + std::to_string(number);
  return made;
}

// What is expected, by the name of the target or resource.
Result<void> SceneWriter::find_expected() {
  for (const Value::Member& member : case_.expect.as_map() == nullptr ? Value::Map{} : *case_.expect.as_map()) {
    if (member.key == "resources" || member.key == "targets") continue;
    if (member.key == "stop" && member.value.as_text() != nullptr && *member.value.as_text() == "finished") continue;
    if (member.key == "ulp" || member.key == "absolute" || member.key == "relative" || member.key == "exact") continue;
    return cannot("`expect." + member.key + "`: Amber compares only buffers");
  }
  for (const std::string_view map : {"targets", "resources"}) {
    const Value* const all = case_.expect.find(map);
    if (all == nullptr) continue;
    if (all->as_map() == nullptr) return cannot("`expect." + std::string(map) + "` is not a map");
    for (const Value::Member& one : *all->as_map())
      if (!expected_.try_emplace(one.key, Expected{&one.value}).second) return cannot(one.key + " is expected twice");
  }
  return {};
}

void SceneWriter::attach_nothing() {
  if (!std::exchange(has_nothing_, true)) shaders_ << "SHADER fragment nothing SPIRV-ASM TARGET_ENV spv1.0\n" << kNothing << "END\n\n";
  pipelines_ << "  ATTACH nothing\n";
}

// Each pipeline must have a color.
void SceneWriter::no_color(const std::string& name, const texel::Descriptor& like) {
  buffers_ << "BUFFER " << name << "_color FORMAT R8G8B8A8_UNORM\n";
  pipelines_ << "  BIND BUFFER " << name << "_color AS color LOCATION 0\n";
  ((pipelines_ << "  FRAMEBUFFER_SIZE ").dec(like.width) << ' ').dec(like.height) << '\n';
}

// What a target begins with. Each is cleared by a pipeline of its own, since a clear is of all targets of a pipeline.
Result<void> SceneWriter::clear(const scene::Target& target, const std::string& name) {
  const texel::Format& format = target.view.texture.format;
  pipelines_ << "\nPIPELINE graphics clear_" << name << "\n  ATTACH nowhere\n";
  attach_nothing();
  const auto texel = texel::load_texel(format, target.bytes.data());
  if (target.is_depth) {
    pipelines_ << "  BIND BUFFER " << name << " AS depth_stencil\n";
    no_color("clear_" + name, target.view.texture);
    clears_ << "CLEAR_DEPTH clear_" << name << ' ' << real_text(static_cast<double>(std::bit_cast<float>(texel[0])), true) << '\n';
    if (target.view.stencil_byte)
      (clears_ << "CLEAR_STENCIL clear_" << name << ' ').dec(std::to_integer<unsigned>(target.bytes[*target.view.stencil_byte])) << '\n';
  } else {
    pipelines_ << "  BIND BUFFER " << name << " AS color LOCATION 0\n";
    ((pipelines_ << "  FRAMEBUFFER_SIZE ").dec(target.view.texture.width) << ' ').dec(target.view.texture.height) << '\n';
    std::array<std::uint32_t, 4> color{}, stored{};
    for (std::size_t k = 0; k < 4; ++k) {
      const float own = format.is_integer() || !format.has(static_cast<unsigned>(k)) ? 0.0F : std::bit_cast<float>(texel[k]);
      color[k] = std::isfinite(own) ? static_cast<std::uint32_t>(std::clamp(nearest_integral(own * 255), 0.0F, 255.0F)) : 0;
      stored[k] = std::bit_cast<std::uint32_t>(static_cast<float>(color[k]) / 255);
      if (format.is_integer()) stored[k] = 0;
    }
    std::array<std::byte, 16> cleared{};
    texel::store_texel(format, stored, cleared.data());
    if (!std::ranges::equal(std::span(cleared).first(format.bytes()), std::span(target.bytes).first(format.bytes())))
      return cannot("target " + target.name + ": `clear`: Amber clears to multiples of 1/255, integer formats to 0");
    clears_ << "CLEAR_COLOR clear_" << name;
    for (const std::uint32_t one : color) (clears_ << ' ').dec(one);
    clears_ << '\n';
  }
  pipelines_ << "END\n";
  clears_ << "CLEAR clear_" << name << '\n';
  return {};
}

// The name of a target's buffer, which is declared and cleared where it is first used.
Result<std::string> SceneWriter::target(const texel::Descriptor& texture) {
  if (const auto known = named_.find(texture.bytes.data()); known != named_.end()) return known->second;
  const auto own = std::ranges::find(memory_->targets, texture.bytes.data(), [](const auto& one) { return one.bytes.data(); });
  if (own == memory_->targets.end()) return cannot("`expect` names a target that the scene does not have");
  const std::string what = "target " + own->name;
  if (texture.samples > 1) return cannot(what + ": `samples`: Amber does not compare multisampled targets");
  if (texture.layers > 1) return cannot(what + ": `layers`: targets of Amber have one layer");
  constexpr std::pair<std::string_view, std::string_view> kDepths[] = {{"D16_UNORM", "D16_UNORM"},
                                                                       {"D24_UNORM_S8_UINT", "D24_UNORM_S8_UINT"},
                                                                       {"D32_FLOAT", "D32_SFLOAT"},
                                                                       {"D32_FLOAT_S8X24_UINT", "D32_SFLOAT_S8_UINT"}};
  const auto* const depth = std::ranges::find(kDepths, own->format, [](const auto& row) { return row.first; });
  const std::string format = !own->is_depth               ? vulkan_name(texture.format)
                             : depth == std::end(kDepths) ? std::string()
                                                          : std::string(depth->second);
  if (format.empty()) return cannot(what + ": Amber does not have this format");
  const std::string name = new_name("target_", own->name);
  named_[texture.bytes.data()] = name;
  buffers_ << "BUFFER " << name << " FORMAT " << format << '\n';
  const std::string before = std::exchange(pipelines_, {}).str();
  if (auto done = clear(*own, name); !done) return std::move(done).error();
  const std::string clearing = std::exchange(pipelines_, {}).str();
  pipelines_ << before;
  clear_pipelines_ << clearing;

  const auto expected = expected_.find(own->name);
  if (expected == expected_.end()) return name;
  expected->second.is_written = true;
  texel::Descriptor view = texture;
  if (own->is_depth && own->view.stencil_byte) {
    expect(cannot(what + ": Amber does not compare the depth of a format with stencil"));
    return name;
  }
  if (own->is_depth) view.format = *texel::find_format(texture.format.bytes() == 2 ? "R16_UNORM" : "R32_FLOAT");
  Buffer buffer{name, what, &view};
  buffer.is_texels = true;
  buffer.expected = expected->second.value;
  const auto data = data_of(buffer);
  expect(data ? expectations(buffer, *data) : Result<void>(data.error()));
  return name;
}

// The name of the buffer of what a shader binds.
Result<std::string> SceneWriter::shared(const ir::Resource& resource, const texel::Descriptor& view) {
  if (const auto known = named_.find(view.bytes.data()); known != named_.end()) {
    if (view.is_texture() && view.levels > 1) return cannot(name_of(resource) + ": the image must have one level");
    return known->second;
  }
  Buffer buffer{{}, name_of(resource), &view};
  buffer.is_texels = resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed;
  buffer.dimension = resource.dimension;
  for (const scene::Target& one : memory_->targets) {
    if (one.bytes.data() != view.bytes.data()) continue;
    if (one.is_depth) return cannot(name_of(resource) + ": Amber cannot bind a depth target as a texture");
    return target(view);
  }
  const auto own = std::ranges::find(memory_->resources, view.bytes.data(), [](const auto& one) { return one.bytes.data(); });
  if (own != memory_->resources.end()) {
    buffer.name = new_name("resource_", own->name);
    buffer.what = "resource " + own->name;
    named_[view.bytes.data()] = buffer.name;
    const Value* const resources = scene_.find("resources");
    buffer.given = resources == nullptr ? nullptr : resources->find(own->name);
    if (const auto expected = expected_.find(own->name); expected != expected_.end()) {
      expected->second.is_written = true;
      buffer.expected = expected->second.value;
    }
  } else {
    buffer.name = "buffer" + std::to_string(buffers_made_++);
  }
  auto done = add_buffer(buffer);
  if (!done && buffer.expected == nullptr) return std::move(done).error();
  expect(std::move(done));
  return buffer.name;
}

// Attaches the shaders, and binds what they use.
Result<void> SceneWriter::stages(const scene::ReadyPass& ready, std::string_view name) {
  Bound bound;
  Text attached;
  for (const scene::StageUse& use : ready.stages) {
    const std::string field(use.name->name);
    if (use.name->stage == Stage::mesh || use.name->stage == Stage::amplification)
      return cannot_at(ready, field, "Amber has no " + std::string(id(use.name->stage)) + " shaders");
    const auto family = use.loaded->opened->family;
    if (family != shader::Family::spirv) return cannot_at(ready, field, "Amber runs SPIR-V, not " + std::string(id(family)));
    const View module = use.made->specialized_file().empty() ? use.loaded->opened->file : use.made->specialized_file();
    std::string& known = known_shaders_[{use.loaded, use.name->stage}];
    if (known.empty()) {
      known = "shader" + std::to_string(known_shaders_.size() - 1);
      if (auto done = add_shader(module, use.name->stage, known); !done) return done;
    }
    const auto entry =
        entry_point(module, use.fields.entry == nullptr ? std::string_view() : std::string_view(*use.fields.entry->as_text()));
    if (!entry) return entry.error();
    attached << "  ATTACH " << known << " ENTRY_POINT " << *entry << '\n';
    bindings_ = {};
    const ir::Module& ir = use.made->module();
    const auto declare = [&](const ir::Resource& resource, const std::string&, const texel::Descriptor& view) {
      return shared(resource, view);
    };
    const auto done = bind(ir, use.bindings->resources(), use.made->reflection(), declare, bound);
    if (!done) return Error(done.error()).within(field);
    bindings_of_pass_ << bindings_.view();
  }
  bindings_ = {};
  bind_samplers(bound);
  bindings_of_pass_ << bindings_.view();
  pipelines_ << "\nPIPELINE " << (ready.pipeline == nullptr ? "compute " : "graphics ") << name << '\n' << attached.view();
  return {};
}

Result<void> SceneWriter::targets(const scene::ReadyPass& ready, std::string_view name) {
  const draw::Bindings& bound = ready.bound;
  for (std::size_t number = 0; number < bound.targets.size(); ++number) {
    const auto known = target(bound.targets[number]);
    if (!known) return Error(known.error()).within("targets");
    (pipelines_ << "  BIND BUFFER " << *known << " AS color LOCATION ").dec(number) << '\n';
  }
  if (bound.depth_stencil.texture.is_texture()) {
    const auto known = target(bound.depth_stencil.texture);
    if (!known) return Error(known.error()).within("depth_target");
    pipelines_ << "  BIND BUFFER " << *known << " AS depth_stencil\n";
  }
  if (bound.targets.empty() && !bound.depth_stencil.texture.is_texture())
    return cannot_at(ready, "targets", "a pass must have a target, which gives Amber the size of the framebuffer");
  const texel::Descriptor& size = bound.targets.empty() ? bound.depth_stencil.texture : bound.targets[0];
  if (bound.targets.empty()) {
    no_color(std::string(name), size);
  } else {
    ((pipelines_ << "  FRAMEBUFFER_SIZE ").dec(size.width) << ' ').dec(size.height) << '\n';
  }
  if (bound.viewports.size() != 1) return cannot_at(ready, "viewports", "pipelines of Amber have one viewport");
  const draw::Viewport& view = bound.viewports[0];
  const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
  const bool is_whole = view.x == 0 && view.y == 0 && view.width == width && view.height == height;
  if (!is_whole || view.min_depth != 0 || view.max_depth != 1) {
    const auto text = [](float one) { return real_text(static_cast<double>(one), true); };
    pipelines_ << "  VIEWPORT " << text(view.x) << ' ' << text(view.y) << " SIZE " << text(view.width) << ' ' << text(view.height)
               << " MIN_DEPTH " << text(view.min_depth) << " MAX_DEPTH " << text(view.max_depth) << '\n';
  }
  for (const draw::Scissor& one : bound.scissors) {
    const bool is_all = one.left <= 0 && one.top <= 0 && std::int64_t{one.right} >= size.width && std::int64_t{one.bottom} >= size.height;
    if (ready.pipeline->rasterizer.scissor && !is_all) return cannot_at(ready, "scissors", "Amber has no scissors");
  }
  if (bound.sample_mask != 0xffff'ffff) return cannot_at(ready, "sample_mask", "Amber has no sample mask");
  return {};
}

Result<void> SceneWriter::states(const scene::ReadyPass& ready) {
  const draw::Pipeline& pipeline = *ready.pipeline;
  const draw::Conventions vulkan = draw::Conventions::vulkan();
  const draw::Conventions& own = pipeline.conventions;
  if (own.y_down != vulkan.y_down || own.clip_near != vulkan.clip_near || own.clip_far != vulkan.clip_far ||
      own.link_by_location != vulkan.link_by_location)
    return cannot_at(ready, "conventions", "Amber only has the conventions of Vulkan");

  const draw::RasterizerState& raster = pipeline.rasterizer;
  constexpr std::string_view kModes[] = {"fill", "line", "point"};
  if (raster.conservative || raster.forced_samples != 0 || raster.lines != draw::LineMode::aliased)
    return cannot_at(ready, "rasterizer", "Amber has no conservative rasterization, forced sample counts or line modes");
  if (raster.fill != draw::Fill::solid) pipelines_ << "  POLYGON_MODE " << kModes[static_cast<std::size_t>(raster.fill)] << '\n';
  const draw::DepthStencilState& tests = pipeline.depth_stencil;
  const bool reads_faces =
      std::ranges::any_of(ready.stages, [](const scene::StageUse& use) { return reads_front_face(use.made->module()); });
  const bool has_sides = reads_faces || (tests.stencil && !same_faces(tests.front, tests.back));
  if ((raster.cull != draw::Cull::none || (has_sides && !raster.front_counter_clockwise)) && !has_faces_)
    has_faces_ =
        cannot_at(ready, "rasterizer", "Amber cannot cull faces, and its front faces are counter-clockwise: the picture would differ")
            .within(scene::at_index("pass", ready.number));

  const bool has_bias = raster.depth_bias != 0 || raster.slope_scaled_depth_bias != 0;
  if (tests.depth || tests.depth_bounds || has_bias || !raster.depth_clip) {
    pipelines_ << "  DEPTH\n    TEST " << (tests.depth ? "on" : "off") << "\n    WRITE "
               << (tests.depth && tests.depth_write ? "on" : "off") << '\n';
    if (tests.depth) pipelines_ << "    COMPARE_OP " << word_of(kCompareOps, tests.comparison) << '\n';
    if (!raster.depth_clip) pipelines_ << "    CLAMP on\n";
    const auto text = [](float one) { return real_text(static_cast<double>(one), true); };
    if (tests.depth_bounds)
      pipelines_ << "    BOUNDS min " << text(ready.bound.depth_bounds[0]) << " max " << text(ready.bound.depth_bounds[1]) << '\n';
    if (has_bias)
      pipelines_ << "    BIAS constant " << text(static_cast<float>(raster.depth_bias)) << " clamp " << text(raster.depth_bias_clamp)
                 << " slope " << text(raster.slope_scaled_depth_bias) << '\n';
    pipelines_ << "  END\n";
  }
  for (const bool is_front : {true, false}) {
    if (!tests.stencil) break;
    const draw::StencilFace& face = is_front ? tests.front : tests.back;
    pipelines_ << "  STENCIL " << (is_front ? "front" : "back") << "\n    TEST on\n    FAIL_OP " << word_of(kStencilWords, face.fail)
               << "\n    PASS_OP " << word_of(kStencilWords, face.pass) << "\n    DEPTH_FAIL_OP " << word_of(kStencilWords, face.depth_fail)
               << "\n    COMPARE_OP " << word_of(kCompareOps, face.comparison) << "\n    COMPARE_MASK ";
    pipelines_.dec(face.read_mask) << "\n    WRITE_MASK ";
    pipelines_.dec(face.write_mask) << "\n    REFERENCE ";
    pipelines_.dec(ready.bound.stencil_references[is_front ? 0 : 1]) << "\n  END\n";
  }

  const draw::TargetBlend& blend = pipeline.blend.targets[0];
  for (std::size_t k = 0; k < ready.bound.targets.size(); ++k) {
    const draw::TargetBlend& one = pipeline.blend.targets[k];
    if (!same_blend(one, blend)) return cannot_at(ready, "blend", "Amber blends all targets in the same way");
    if (one.logic) return cannot_at(ready, "blend", "Amber has no logic operations");
    if (one.write_mask != 0xf) return cannot_at(ready, "blend", "Amber has no RenderTargetWriteMask");
  }
  if (pipeline.blend.alpha_to_coverage) return cannot_at(ready, "blend", "Amber has no AlphaToCoverageEnable");
  if (!blend.blend || ready.bound.targets.empty()) return {};
  if (uses_constant(blend) && ready.bound.blend_factor != std::array<float, 4>{})
    return cannot_at(ready, "blend_factor", "the blend constants of Amber are 0");
  pipelines_ << "  BLEND\n    SRC_COLOR_FACTOR " << word_of(kFactors, blend.src) << "\n    DST_COLOR_FACTOR "
             << word_of(kFactors, blend.dest) << "\n    COLOR_OP " << word_of(kOps, blend.op) << "\n    SRC_ALPHA_FACTOR "
             << word_of(kFactors, blend.src_alpha) << "\n    DST_ALPHA_FACTOR " << word_of(kFactors, blend.dest_alpha) << "\n    ALPHA_OP "
             << word_of(kOps, blend.op_alpha) << "\n  END\n";
  return {};
}

Result<void> SceneWriter::vertices(const scene::ReadyPass& ready, std::string_view name) {
  std::map<std::uint32_t, std::string> slots;
  for (const draw::InputElement& one : ready.pipeline->input) {
    const std::string format = vulkan_name(one.format);
    if (format.empty()) return cannot_at(ready, "mesh", "Amber does not support the format of an input");
    if (one.per_instance && one.step_rate != 1) return cannot_at(ready, "mesh", "Amber has no step rates");
    if (one.slot >= ready.bound.vertex_buffers.size()) return cannot_at(ready, "mesh", "an input has no vertex buffer");
    const draw::VertexBuffer& buffer = ready.bound.vertex_buffers[one.slot];
    if (buffer.stride == 0 || buffer.bytes.empty()) return cannot_at(ready, "mesh", "a vertex buffer must have data, and a stride above 0");
    std::string& known = slots[one.slot];
    if (known.empty()) {
      if (const auto named = named_.find(buffer.bytes.data()); named != named_.end()) {
        known = named->second;
      } else {
        const bool is_real = std::ranges::all_of(ready.pipeline->input, [&](const draw::InputElement& other) {
          return other.slot != one.slot || (other.format.encoding == texel::Encoding::float_ && other.format.components[0].bits == 32);
        });
        const auto made = numbers("vertices_" + std::string(name) + '_' + std::to_string(one.slot), buffer.bytes, is_real);
        if (!made) return made.error();
        known = *made;
      }
    }
    (pipelines_ << "  VERTEX_DATA " << known << " LOCATION ").dec(one.input_register)
        << " RATE " << (one.per_instance ? "instance" : "vertex") << " FORMAT " << format << " OFFSET ";
    pipelines_.dec(one.offset) << " STRIDE ";
    pipelines_.dec(buffer.stride) << '\n';
  }
  return {};
}

// Memory as a buffer of 32-bit numbers, or of bytes. A resource of the scene is declared with what is expected of it.
Result<std::string> SceneWriter::numbers(const std::string& name, std::span<const std::byte> bytes, bool is_real) {
  ir::Resource resource;
  resource.kind = ResourceKind::uav_byte_address;
  texel::Descriptor view;
  // only read here
  view.bytes = std::span(const_cast<std::byte*>(bytes.data()), bytes.size());
  const bool is_shared =
      std::ranges::find(memory_->resources, bytes.data(), [](const auto& one) { return one.bytes.data(); }) != memory_->resources.end();
  if (is_shared) return shared(resource, view);
  Buffer buffer{name, name, &view};
  const Value type = Value::text("f32");
  Value as_real = Value::map();
  as_real.add("type", type);
  Value none = Value::map();
  if (is_real && bytes.size() % 4 == 0) {
    buffer.expected = &as_real;  // for its type alone
    if (add_buffer(buffer)) return name;
    return cannot("vertex data must be finite: Amber cannot state NaN or infinity");
  }
  if (auto done = add_buffer(buffer); !done) return std::move(done).error();
  return name;
}

// The word before AS.
Result<std::string> SceneWriter::indices(const scene::ReadyPass& ready, std::string_view name) {
  if (!ready.call.indexed) return std::string();
  if (ready.call.base_vertex < 0) return cannot_at(ready, "draw", "Amber has no negative base_vertex");
  if (ready.call.base_vertex > kMostBaseVertex)
    return cannot_at(ready, "draw",
                     "base_vertex must be at most " + std::to_string(kMostBaseVertex) + ": the script states as many more indices");
  const draw::IndexBuffer& given = ready.bound.indices;
  const std::uint32_t cut = given.size >= 4 ? 0xffff'ffff : (1U << (8 * given.size)) - 1;
  const std::string made = "indices_" + std::string(name);
  buffers_ << "BUFFER " << made << " DATA_TYPE " << (given.size == 4 ? "uint32" : given.size == 2 ? "uint16" : "uint8") << " DATA";
  const bool is_shared = named_.contains(given.bytes.data()) ||
                         std::ranges::find(memory_->resources, given.bytes.data(), [](const auto& one) { return one.bytes.data(); }) !=
                             memory_->resources.end();
  if (is_shared) return cannot_at(ready, "mesh", "Amber cannot read indices from a resource of the scene");
  // those of the draw alone: Amber has no first index
  const draw::Call& call = ready.call;
  if (std::uint64_t{call.first} + call.count > given.bytes.size() / given.size)
    return cannot_at(ready, "draw", "the draw reads beyond the indices, which Amber refuses");
  for (std::uint32_t number = 0; number < call.count; ++number) {
    const std::size_t at = (std::size_t{call.first} + number) * given.size;
    std::uint32_t index = 0;
    for (std::size_t k = 0; k < given.size; ++k) index |= std::to_integer<std::uint32_t>(given.bytes[at + k]) << (8 * k);
    if (index == cut && is_strip(ready.pipeline->topology)) return cannot_at(ready, "mesh", "Amber cannot restart a strip by an index");
    (buffers_ << (number % 16 == 0 ? "\n  " : " ")).dec(index);
  }
  // START_IDX, which becomes the base vertex, and COUNT must end inside of the indices
  for (std::int32_t more = 0; more < call.base_vertex; ++more) buffers_ << (more % 16 == 0 ? "\n  0" : " 0");
  buffers_ << "\nEND\n";
  pipelines_ << "  INDEX_DATA " << made << '\n';
  return std::string("INDEXED ");
}

Result<void> SceneWriter::draw(const scene::ReadyPass& ready, const std::string& name) {
  const draw::Pipeline& pipeline = *ready.pipeline;
  if (pipeline.vertex == nullptr) return cannot_at(ready, "vertex", "a pass must have a vertex shader");
  if (pipeline.pixel == nullptr) attach_nothing();
  if (auto done = targets(ready, name); !done) return done;
  if (auto done = states(ready); !done) return done;
  if (pipeline.topology == draw::Topology::patch_list) (pipelines_ << "  PATCH_CONTROL_POINTS ").dec(pipeline.patch_points) << '\n';
  if (auto done = vertices(ready, name); !done) return done;
  const auto indexed = indices(ready, name);
  if (!indexed) return indexed.error();
  const draw::Call& call = ready.call;
  if (call.automatic) return cannot_at(ready, "draw", "Amber cannot draw the vertices that stream output wrote");
  if (call.count == 0 || call.instances == 0) return {};
  if (!call.indexed) {
    std::uint64_t most = 0;
    for (const draw::InputElement& one : pipeline.input) {
      const draw::VertexBuffer& buffer = ready.bound.vertex_buffers[one.slot];
      if (!one.per_instance) most = std::max<std::uint64_t>(most, buffer.bytes.size() / std::max(1U, buffer.stride));
    }
    if (most != 0 && std::uint64_t{call.first} + call.count > most)
      return cannot_at(ready, "draw", "the draw reads beyond the vertices, which Amber refuses");
  }
  run_ << "RUN " << name << " DRAW_ARRAY " << *indexed << "AS " << kTopologies[static_cast<std::size_t>(pipeline.topology)]
       << " START_IDX ";
  run_.dec(call.indexed ? static_cast<std::uint32_t>(call.base_vertex) : call.first) << " COUNT ";
  run_.dec(call.count);
  if (call.first_instance != 0 || call.instances != 1) {
    (run_ << " START_INSTANCE ").dec(call.first_instance) << " INSTANCE_COUNT ";
    run_.dec(call.instances);
  }
  run_ << '\n';
  return {};
}

Result<void> SceneWriter::pass(const scene::ReadyPass& ready) {
  for (const std::string_view field : {"stream_output", "predication"})
    if (ready.given.find(field) != nullptr) return cannot_at(ready, field, "Amber has no " + std::string(field));
  const std::string name = "pass" + std::to_string(ready.number);
  const auto write_pass = [&]() -> Result<void> {
    bindings_of_pass_ = {};
    if (auto done = stages(ready, name); !done) return done;
    if (ready.pipeline == nullptr) {
      run_ << "RUN " << name;
      for (const std::uint32_t groups : ready.groups) (run_ << ' ').dec(groups);
      run_ << '\n';
    } else if (auto done = draw(ready, name); !done) {
      return done;
    }
    pipelines_ << bindings_of_pass_.view() << "END\n";
    return {};
  };
  auto done = write_pass();
  if (done || done.error().offset != 0) return done;
  Error error = std::move(done).error();
  error.offset = ready.given.text_offset;
  return error;
}

// A pass may need that faces have sides, and what the scene leaves not.
Result<void> SceneWriter::faces() {
  if (!has_faces_) return {};
  const auto matter = sides_matter(scene_, drawing_);
  if (!matter) return matter.error();
  return *matter ? Result<void>(*has_faces_) : Result<void>();
}

Result<std::string> SceneWriter::write() {
  if (auto done = find_expected(); !done) return std::move(done).error();
  if (auto done = scene::read_passes(scene_, drawing_, *this, [&](const scene::SharedMemory& memory) { memory_.emplace(memory); }); !done)
    return std::move(done).error();
  if (unexpected_) return *unexpected_;
  for (const auto& [name, one] : expected_)
    if (!one.is_written) return cannot("`expect` names " + name + ", which no pass binds");
  if (auto done = faces(); !done) return std::move(done).error();
  Text made;
  made << "#!amber\n# " << in_line(name_) << "\n\n" << requirements() << shaders_.view();
  if (!clears_.view().empty()) made << "SHADER vertex nowhere PASSTHROUGH\n\n";
  made << buffers_.view() << clear_pipelines_.view() << pipelines_.view() << '\n' << clears_.view() << run_.view() << expects_.view();
  return made.str();
}

Result<std::string> scene_script(std::string_view name, const suite::cases::Case& one, const suite::TestOptions& options) {
  suite::cases::SceneFile file;
  if (auto done = file.read(one, options); !done) return std::move(done).error();
  const run::RunOptions run = scene::run_options(options);
  auto made = SceneWriter(name, one, run, file.scene(), file.drawing()).write();
  if (made || made.error().offset == 0) return made;
  return Error{made.error().code, 0, "", file.placed(made.error())};
}

}  // namespace unshade::amber::writer
