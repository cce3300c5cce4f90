#include "draw/pixels.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <unshade/core/bits/half.hpp>
#include <unshade/core/bits/sign_extended.hpp>
#include <unshade/ir/numeric/nan.hpp>

namespace unshade::draw {
namespace {

using dxcontainer::Interpolation;
using dxcontainer::SystemValue;
using ir::Builtin;

// Of what is computed for a pixel.
std::uint32_t bits(double value) { return ir::numeric::canonical_bits(static_cast<float>(value)); }

// What the instructions of a program say about when it must run, and what it must be given.
struct Habits {
  bool per_sample = false;
  bool is_observable = false;  ///< whether it runs matters, besides its outputs
  std::uint64_t builtins = 0;
};
static_assert(ir::kBuiltinCount <= 64);

// Components of the inputs that a program reads as they are.
std::vector<bool> read_components(const ir::Module& module) {
  const auto& elements = module.signatures.input;
  std::vector<bool> made(vm::components_of(elements));
  for (const ir::Function& function : module.functions) {
    for (ir::Id id = 0; id < function.insts.size(); ++id) {
      const ir::Inst& inst = function.insts[id];
      if (function.block_of[id] == kNone || (inst.op != ir::Op::input && inst.op != ir::Op::interpolate)) continue;
      const ir::ElementExtra extra(inst.extra);
      if (extra.signature != ir::SignatureKind::input) continue;
      const ir::Element& element = elements[extra.element];
      const std::uint32_t first = vm::component_of(elements, extra.element) + extra.column;
      for (std::uint32_t row = 0; row < (extra.has_row ? element.rows : 1); ++row) made[first + row * element.columns] = true;
    }
  }
  return made;
}

constexpr std::uint64_t bit_of(Builtin which) { return std::uint64_t{1} << static_cast<unsigned>(which); }

Habits habits_of(const ir::Module& module) {
  Habits made;
  for (const ir::Function& function : module.functions) {
    for (ir::Id id = 0; id < function.insts.size(); ++id) {
      const ir::Inst& inst = function.insts[id];
      if (function.block_of[id] == kNone) continue;
      if (inst.op == ir::Op::builtin) made.builtins |= bit_of(ir::BuiltinExtra(inst.extra).builtin);
      const bool is_own = inst.op == ir::Op::store || inst.op == ir::Op::atomic || inst.op == ir::Op::output || inst.op == ir::Op::print;
      made.is_observable = made.is_observable || (ir::has(ir::info(inst.op).effects, ir::Effects::writes) && !is_own);
    }
  }
  made.per_sample = (made.builtins & (bit_of(Builtin::sample_index) | bit_of(Builtin::sample_location))) != 0;
  return made;
}

}  // namespace

Result<PixelStage> PixelStage::make(const Pipeline& pipeline, const std::vector<ir::Element>& before, bool all_inputs) {
  PixelStage made;
  made.program_ = pipeline.pixel;
  const ir::Module& module = made.program_->module();
  const auto& input = module.signatures.input;
  const auto from = links(before, input, pipeline.conventions.link_by_location);
  const std::vector<bool> is_read = read_components(module);
  const Habits habits = habits_of(module);
  made.per_sample_ = habits.per_sample;
  made.used_builtins_ = habits.builtins;
  made.is_ordered_ = writes_memory(module);
  using Where = Input::Where;
  for (const ir::Element& element : input) {
    Input one;
    switch (element.interpolation) {
      case Interpolation::constant: one.constant = true; break;
      case Interpolation::linear_noperspective: one.noperspective = true; break;
      case Interpolation::linear_noperspective_centroid: one.noperspective = true; [[fallthrough]];
      case Interpolation::linear_centroid: one.where = Where::centroid; break;
      case Interpolation::linear_noperspective_sample: one.noperspective = true; [[fallthrough]];
      case Interpolation::linear_sample: one.where = Where::sample; break;
      default: break;
    }
    if (element.type == ir::Type::i32) one.constant = true;
    if (!one.constant && element.type != ir::Type::f32)
      return Error{ErrorCode::unsupported, 0, "pixel", "interpolated inputs must have 32 bits"};
    made.per_sample_ = made.per_sample_ || one.where == Where::sample || element.system_value == SystemValue::sample_index;
    if (element.system_value == SystemValue::position) made.position_where_ = one.where;
    for (std::uint32_t k = 0; k < element.rows * element.columns; ++k) {
      const auto to = static_cast<std::uint32_t>(made.inputs_.size());
      one.from = from[to];
      made.inputs_.push_back(one);
      if (one.from == kNone || !(all_inputs || is_read[to])) continue;
      const auto where = static_cast<std::size_t>(one.constant ? Where::centre : one.where);
      made.of_vertices_[where].push_back({one.from, to, one.constant, one.noperspective});
      made.has_varying_at_[where] = made.has_varying_at_[where] || !one.constant;
    }
  }
  made.in_position_ = find_component(input, SystemValue::position);
  made.in_front_ = find_component(input, SystemValue::is_front_face);
  made.in_primitive_ = find_component(input, SystemValue::primitive_id);
  if (made.in_primitive_ != kNone && from[made.in_primitive_] != kNone) made.in_primitive_ = kNone;  // a geometry shader's
  made.primitive_of_vertices_ = find_component(before, SystemValue::primitive_id);
  made.in_sample_ = find_component(input, SystemValue::sample_index);
  made.in_barycentrics_ = find_component(input, SystemValue::barycentrics);
  // what is read of elements that are no vertices' is given to each quad
  made.has_more_inputs_ = made.used_builtins_ != 0;
  for (std::uint32_t* const first : {&made.in_position_, &made.in_front_, &made.in_primitive_, &made.in_sample_, &made.in_barycentrics_}) {
    bool is_used = all_inputs;
    for (std::size_t k = *first; k < std::min<std::size_t>(is_read.size(), std::size_t{*first} + 4); ++k) is_used = is_used || is_read[k];
    if (!is_used) *first = kNone;
    made.has_more_inputs_ = made.has_more_inputs_ || *first != kNone;
  }

  const auto& output = module.signatures.output;
  for (auto& components : made.target_) components.fill(kNone);
  made.second_source_ = made.target_;
  bool has_second_source = false;
  std::uint32_t component = 0;
  for (const ir::Element& element : output) {
    const unsigned width = ir::bit_width(element.type);
    if (width > 32) return Error{ErrorCode::unsupported, 0, "pixel", "outputs must have at most 32 bits"};
    for (std::uint32_t k = 0; k < element.rows * element.columns; ++k, ++component) {
      if (element.type == ir::Type::f16 || (width < 32 && ir::is_integer(element.type)))
        made.narrow_.push_back({component, element.type, element.is_signed});
      const std::uint32_t target = element.semantic_index + k / element.columns;
      const std::uint32_t column = element.first_column + k % element.columns;
      if (element.system_value != SystemValue::target || target >= kTargets || column >= 4) continue;
      if (element.second_source) {
        made.second_source_[target][column] = component;
        has_second_source = true;
        continue;
      }
      made.target_[target][column] = component;
      made.has_target_[target] = true;
    }
  }
  if (!has_second_source) made.second_source_.fill(made.target_[1]);
  for (const SystemValue value : {SystemValue::depth, SystemValue::depth_greater_equal, SystemValue::depth_less_equal})
    made.depth_ = std::min(made.depth_, find_component(output, value));
  made.coverage_ = find_component(output, SystemValue::coverage);
  made.stencil_reference_ = find_component(output, SystemValue::stencil_ref);
  const bool changes_tests = made.depth_ != kNone || made.coverage_ != kNone || made.stencil_reference_ != kNone;
  made.tests_early_ = module.modes.early_depth || !(habits.is_observable || changes_tests || pipeline.blend.alpha_to_coverage);
  return made;
}

// Outputs as targets take them: bits of f32 and i32.
void PixelStage::widen_outputs() {
  for (const Narrow& one : narrow_) {
    for (std::uint32_t lane = 0; lane < lanes_.count; ++lane) {
      std::uint64_t& value = lanes_.outputs[std::size_t{one.component} * lanes_.count + lane];
      if (one.type == ir::Type::f16) {
        value = single_bits_of_half(static_cast<std::uint32_t>(value));
      } else if (one.is_signed) {
        value = static_cast<std::uint32_t>(sign_extended(value, ir::bit_width(one.type)));
      }
    }
  }
}

std::optional<std::uint32_t> PixelStage::output(std::uint32_t component, std::uint32_t lane) const {
  if (component == kNone) return std::nullopt;
  return static_cast<std::uint32_t>(lanes_.outputs[std::size_t{component} * lanes_.count + lane]);
}

std::array<std::uint32_t, 4> PixelStage::values(const std::array<std::uint32_t, 4>& components, std::uint32_t lane) const {
  std::array<std::uint32_t, 4> made{};
  for (unsigned k = 0; k < 4; ++k) made[k] = output(components[k], lane).value_or(0);
  return made;
}

std::vector<std::uint64_t> PixelStage::inputs(std::uint32_t lane) const {
  std::vector<std::uint64_t> made;
  for (std::size_t k = 0; k < inputs_.size(); ++k) made.push_back(lanes_.inputs[k * lanes_.count + lane]);
  return made;
}

void PixelStage::unorm_bytes(unsigned target, const std::array<std::uint32_t, 4>& shift, std::vector<std::uint32_t>& to) const {
  const std::vector<std::uint64_t> none(lanes_.count, 0);
  std::array<const std::uint64_t*, 4> colors{};
  for (unsigned k = 0; k < 4; ++k) {
    const std::uint32_t component = target_[target][k];
    colors[k] = component == kNone ? none.data() : lanes_.outputs.data() + std::size_t{component} * lanes_.count;
  }
  to.resize(lanes_.count);
  wide::functions().unorm_bytes(colors.data(), shift.data(), lanes_.count, to.data());
}

// What an input is at a place of a triangle, in parts of a pixel.
std::uint64_t PixelStage::value_at(const Input& input, const Triangle& triangle, const Vertices& vertices, std::int64_t px,
                                   std::int64_t py) const {
  const auto value = [&](std::uint32_t vertex) { return vertices.of(vertex)[input.from]; };
  if (input.constant) return value(triangle.leading);
  const std::array<std::uint64_t, 3> own{value(triangle.vertices[0]), value(triangle.vertices[1]), value(triangle.vertices[2])};
  // what is the same at all vertices stays exactly that, whatever number it is
  if (own[0] == own[1] && own[0] == own[2]) return own[0];
  const Shares here = shares_at(triangle, px, py);
  const auto& share = input.noperspective ? here.flat : here.space;
  const auto real = [&](unsigned k) { return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(own[k]))); };
  return bits(real(0) + (real(1) - real(0)) * share[1] + (real(2) - real(0)) * share[2]);
}

// src: 16.5: of the mode of an input, what it says of places is ignored
std::uint64_t PixelStage::evaluated(const Running& running, std::uint32_t lane, std::uint32_t component, ir::ElementExtra::Place place,
                                    std::int32_t x, std::int32_t y) {
  const PixelStage& stage = running.stage;
  const Input& input = stage.inputs_[component];
  if (input.from == kNone) return stage.lanes_.inputs[std::size_t{component} * stage.lanes_.count + lane];
  const Quad& quad = running.quads[lane / 4];
  const Triangle& triangle = running.triangles[quad.triangle];
  const unsigned pixel = lane % 4;
  using Where = ir::ElementExtra::Place;
  std::array<std::int64_t, 2> offset{kSubpixels / 2, kSubpixels / 2};
  if (place == Where::centroid) offset = centroid(quad.covered_of(pixel) & running.sample_mask, running.sample_mask, running.pattern);
  if (place == Where::sample && x >= 0 && static_cast<std::size_t>(x) < running.pattern.size()) {
    const texel::SamplePlace& sample = running.pattern[static_cast<std::size_t>(x)];
    offset = {sample_offset(sample[0]), sample_offset(sample[1])};
  }
  if (place == Where::offset) offset = {offset[0] + x, offset[1] + y};
  return stage.value_at(input, triangle, running.vertices, std::int64_t{quad.x + pixel % 2} * kSubpixels + offset[0],
                        std::int64_t{quad.y + pixel / 2} * kSubpixels + offset[1]);
}

std::uint64_t PixelStage::of_vertex(const Running& running, std::uint32_t lane, std::uint32_t component, std::uint32_t vertex) {
  const Input& input = running.stage.inputs_[component];
  const Triangle& triangle = running.triangles[running.quads[lane / 4].triangle];
  if (input.from == kNone || vertex > 2) return 0;
  return running.vertices.of(triangle.primitive[vertex])[input.from];
}

/// Quads of a triangle that are given their inputs together.
constexpr std::size_t kQuadsTogether = 16;

// Where the pixels of some quads of a triangle are evaluated, and what they have there of each vertex; found once if an input asks for it.
class PixelStage::Places {
 public:
  using Where = Input::Where;
  Places(const Triangle& triangle, std::span<const Quad> quads, std::span<const texel::SamplePlace> pattern, std::uint32_t sample_mask)
      : quads_(quads), triangle_(triangle), pattern_(pattern), sample_mask_(sample_mask) {}

  const Quad& quad(std::size_t at) const { return quads_[at]; }
  std::size_t count() const { return quads_.size(); }
  std::uint32_t sample_mask() const { return sample_mask_; }
  /// From a pixel's corner, in parts of it.
  std::array<std::int64_t, 2> offset(std::size_t at, Where where, unsigned pixel) const {
    const Quad& quad = quads_[at];
    if (where == Where::centroid) return centroid(quad.covered_of(pixel) & sample_mask_, sample_mask_, pattern_);
    if (where == Where::centre || quad.sample == kAllSamples) return {kSubpixels / 2, kSubpixels / 2};
    return {sample_offset(pattern_[quad.sample][0]), sample_offset(pattern_[quad.sample][1])};
  }
  /// Of all quads.
  const wide::Shares* shares(Where where) {
    const auto index = static_cast<std::size_t>(where);
    auto& made = known_[index];
    if (is_known_[index]) return made.data();
    is_known_[index] = true;
    const bool wide = is_wide(triangle_);
    const wide::Triangle own = wide ? wide_of(triangle_) : wide::Triangle{};
    for (std::size_t at = 0; at < quads_.size(); ++at) {
      std::array<std::int64_t, 4> x{}, y{};
      for (unsigned pixel = 0; pixel < 4; ++pixel) {
        const auto [dx, dy] = offset(at, where, pixel);
        x[pixel] = std::int64_t{quads_[at].x + pixel % 2} * kSubpixels + dx;
        y[pixel] = std::int64_t{quads_[at].y + pixel / 2} * kSubpixels + dy;
      }
      find_shares(triangle_, wide ? &own : nullptr, x, y, made[at]);
    }
    return made.data();
  }

 private:
  std::span<const Quad> quads_;
  const Triangle& triangle_;
  std::span<const texel::SamplePlace> pattern_;
  std::uint32_t sample_mask_;
  std::array<bool, 3> is_known_{};
  std::array<std::array<wide::Shares, kQuadsTogether>, 3> known_;
};

// What vertices have.
void PixelStage::set_inputs(Places& places, const Triangle& triangle, const Vertices& vertices, std::uint32_t first) {
  const std::uint64_t* const own[] = {vertices.of(triangle.vertices[0]).data(), vertices.of(triangle.vertices[1]).data(),
                                      vertices.of(triangle.vertices[2]).data(), vertices.of(triangle.leading).data()};
  for (std::size_t where = 0; where < of_vertices_.size(); ++where) {
    const auto& inputs = of_vertices_[where];
    if (inputs.empty()) continue;
    const wide::Shares* const shares = has_varying_at_[where] ? places.shares(static_cast<Input::Where>(where)) : nullptr;
    wide::functions().interpolate(own, inputs.data(), static_cast<unsigned>(inputs.size()), shares, static_cast<unsigned>(places.count()),
                                  lanes_.inputs.data() + first, lanes_.count);
  }
}

// What else the pixels of a quad are given.
void PixelStage::set_quad(const Run& run, Places& places, std::size_t at, const Triangle& triangle, const Vertices& vertices,
                          std::uint32_t first) {
  using Where = Input::Where;
  const Quad& quad = places.quad(at);
  const std::uint32_t sample_mask = places.sample_mask();
  for (unsigned pixel = 0; pixel < 4; ++pixel)
    if (quad.live_of(pixel) == 0) lanes_.helper[first + pixel] = true;
  if (!has_more_inputs_) return;
  const auto builtin = [&](Builtin which, unsigned component, auto value) {
    std::uint64_t* const to = lanes_.builtins[static_cast<std::size_t>(which)].data() + std::size_t{component} * lanes_.count + first;
    for (unsigned pixel = 0; pixel < 4; ++pixel) to[pixel] = value(pixel);
  };
  const auto element = [&](std::uint32_t component, auto value) {
    for (unsigned pixel = 0; pixel < 4; ++pixel) lanes_.inputs[std::size_t{component} * lanes_.count + first + pixel] = value(pixel);
  };
  const auto share_of_pixel = [](std::int64_t parts) { return static_cast<double>(parts) / static_cast<double>(kSubpixels); };
  const Where own_place = quad.sample == kAllSamples ? Where::centre : Where::sample;
  const auto put_position = [&](Where where, auto put, bool reciprocal) {
    const wide::Shares& shares = places.shares(where)[at];
    put(0, [&](unsigned pixel) { return bits(quad.x + pixel % 2 + share_of_pixel(places.offset(at, where, pixel)[0])); });
    put(1, [&](unsigned pixel) { return bits(quad.y + pixel / 2 + share_of_pixel(places.offset(at, where, pixel)[1])); });
    put(2, [&](unsigned pixel) { return bits(shares.depth[pixel]); });
    put(3, [&](unsigned pixel) { return bits(reciprocal ? shares.inverse[pixel] : 1 / shares.inverse[pixel]); });
  };
  // Vulkan's FragCoord has 1/w, SV_Position w
  if (uses(Builtin::position)) put_position(own_place, [&](unsigned k, auto value) { builtin(Builtin::position, k, value); }, true);
  if (in_position_ != kNone) put_position(position_where_, [&](std::uint32_t k, auto value) { element(in_position_ + k, value); }, false);
  // of the primitive's vertices in its order
  const auto barycentrics = [&](Where where, bool noperspective, auto put) {
    const wide::Shares& shares = places.shares(where)[at];
    std::array<std::array<double, 3>, 4> made{};
    for (unsigned k = 0; k < 3; ++k) {
      const auto vertex = std::ranges::find(triangle.primitive, triangle.vertices[k]) - triangle.primitive.begin();
      for (unsigned pixel = 0; pixel < 4; ++pixel)
        made[pixel][static_cast<std::size_t>(vertex) % 3] += (noperspective ? shares.flat : shares.space)[k][pixel];
    }
    for (unsigned k = 0; k < 3; ++k) put(k, [&](unsigned pixel) { return bits(made[pixel][k]); });
  };
  if (in_barycentrics_ != kNone) {
    const Input& input = inputs_[in_barycentrics_];
    barycentrics(input.where, input.noperspective, [&](unsigned k, auto value) { element(in_barycentrics_ + k, value); });
  }
  for (const auto& [which, noperspective] : {std::pair(Builtin::barycentrics, false), std::pair(Builtin::barycentrics_linear, true)})
    if (uses(which)) barycentrics(own_place, noperspective, [&, own = which](unsigned k, auto value) { builtin(own, k, value); });

  // from the upper left corner of the point; of other primitives 0
  for (unsigned axis = 0; axis < 2 && uses(Builtin::point_coord) && triangle.corners == 1; ++axis) {
    const std::int64_t low = (axis == 0 ? triangle.x : triangle.y)[0] - triangle.reach[0];
    builtin(Builtin::point_coord, axis, [&](unsigned pixel) {
      const std::int64_t pixels = axis == 0 ? quad.x + pixel % 2 : quad.y + pixel / 2;
      const std::int64_t within = pixels * kSubpixels + places.offset(at, own_place, pixel)[axis] - low;
      return bits(static_cast<double>(within) / static_cast<double>(2 * triangle.reach[0]));
    });
  }

  const auto same = [](std::uint64_t value) { return [value](unsigned) { return value; }; };
  const std::uint32_t sample = quad.sample == kAllSamples ? 0 : quad.sample;
  if (uses(Builtin::front_face)) builtin(Builtin::front_face, 0, same(triangle.is_front ? 1 : 0));
  if (in_front_ != kNone) element(in_front_, same(triangle.is_front ? 0xffff'ffff : 0));
  if (uses(Builtin::primitive_id)) {
    const bool is_given = primitive_of_vertices_ != kNone;
    builtin(Builtin::primitive_id, 0, same(is_given ? vertices.of(triangle.leading)[primitive_of_vertices_] : triangle.number));
  }
  if (in_primitive_ != kNone) element(in_primitive_, same(triangle.number));
  const auto covered = [&](unsigned pixel) { return quad.covered_of(pixel) & sample_mask; };
  if (uses(Builtin::coverage)) {
    const bool is_own = quad.sample != kAllSamples && run.pipeline.conventions.coverage_of_sample;
    builtin(Builtin::coverage, 0, [&](unsigned pixel) { return is_own ? covered(pixel) & (1U << quad.sample) : covered(pixel); });
  }
  if (uses(Builtin::inner_coverage)) {
    builtin(Builtin::inner_coverage, 0, [&](unsigned pixel) {
      return covered(pixel) != 0 && run.pipeline.rasterizer.conservative && is_inner(triangle, quad.x + pixel % 2, quad.y + pixel / 2) ? 1U
                                                                                                                                       : 0U;
    });
  }
  if (uses(Builtin::sample_index)) builtin(Builtin::sample_index, 0, same(sample));
  if (in_sample_ != kNone) element(in_sample_, same(sample));
  for (unsigned axis = 0; axis < 2 && uses(Builtin::sample_location); ++axis)
    builtin(Builtin::sample_location, axis,
            [&](unsigned pixel) { return bits(share_of_pixel(places.offset(at, own_place, pixel)[axis])); });
  if (uses(Builtin::render_target_array_index)) builtin(Builtin::render_target_array_index, 0, same(triangle.layer));
  if (uses(Builtin::viewport_array_index)) builtin(Builtin::viewport_array_index, 0, same(triangle.viewport));
}

Result<void> PixelStage::shade(Run& run, const Vertices& vertices, std::span<const Triangle> triangles, std::span<const Quad> quads,
                               std::span<const texel::SamplePlace> pattern, std::uint32_t sample_mask, const vm::Observer& observer) {
  lanes_.count = static_cast<std::uint32_t>(quads.size() * 4);
  lanes_.samples = static_cast<std::uint32_t>(pattern.size());
  lanes_.inputs.assign(inputs_.size() * lanes_.count, 0);
  lanes_.helper.assign(lanes_.count, false);
  for (const Builtin which : {Builtin::position, Builtin::front_face, Builtin::primitive_id, Builtin::coverage, Builtin::inner_coverage,
                              Builtin::sample_index, Builtin::sample_location, Builtin::render_target_array_index,
                              Builtin::viewport_array_index, Builtin::barycentrics, Builtin::barycentrics_linear, Builtin::point_coord})
    if (uses(which)) give(lanes_, which);
  for (std::size_t first = 0; first < quads.size();) {
    const std::uint32_t number = quads[first].triangle;
    std::size_t end = first + 1;
    while (end < std::min(quads.size(), first + kQuadsTogether) && quads[end].triangle == number) ++end;
    Places places(triangles[number], quads.subspan(first, end - first), pattern, sample_mask);
    set_inputs(places, triangles[number], vertices, static_cast<std::uint32_t>(first * 4));
    for (std::size_t at = first; at < end; ++at)
      set_quad(run, places, at - first, triangles[number], vertices, static_cast<std::uint32_t>(at * 4));
    first = end;
  }
  for (std::uint32_t lane = 0; lane < lanes_.count; ++lane) run.report.statistics.pixel_runs += lanes_.helper[lane] ? 0 : 1;
  const Running running{*this, vertices, triangles, quads, pattern, sample_mask};
  lanes_.interpolator.self = &running;
  lanes_.interpolator.at = [](const void* self, std::uint32_t lane, std::uint32_t component, ir::ElementExtra::Place place, std::int32_t x,
                              std::int32_t y) { return evaluated(*static_cast<const Running*>(self), lane, component, place, x, y); };
  lanes_.interpolator.of_vertex = [](const void* self, std::uint32_t lane, std::uint32_t component, std::uint32_t vertex) {
    return of_vertex(*static_cast<const Running*>(self), lane, component, vertex);
  };
  auto done = run.run(Stage::pixel, *program_, run.bindings.pixel, lanes_, observer);
  lanes_.interpolator = {};
  if (done) widen_outputs();
  return done;
}

}  // namespace unshade::draw
