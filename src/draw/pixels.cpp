#include "draw/pixels.hpp"

#include <algorithm>
#include <bit>

namespace unshade::draw {
namespace {

using dxcontainer::Interpolation;
using dxcontainer::SystemValue;
using ir::Builtin;

std::uint32_t bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

// What the instructions of a program say about when it must run.
struct Habits {
  bool per_sample = false;
  bool is_observable = false;  ///< whether it runs matters, besides its outputs
  bool uses_barycentrics = false;
  bool writes_memory = false;
};

Habits habits_of(const ir::Module& module) {
  Habits made;
  for (const ir::Function& function : module.functions) {
    for (ir::Id id = 0; id < function.insts.size(); ++id) {
      const ir::Inst& inst = function.insts[id];
      if (function.block_of[id] == kNone) continue;
      if (inst.op == ir::Op::builtin) {
        const Builtin which = ir::BuiltinExtra(inst.extra).builtin;
        made.per_sample = made.per_sample || which == Builtin::sample_index || which == Builtin::sample_location;
        made.uses_barycentrics = made.uses_barycentrics || which == Builtin::barycentrics || which == Builtin::barycentrics_linear;
      }
      const bool is_own = inst.op == ir::Op::store || inst.op == ir::Op::atomic || inst.op == ir::Op::output;
      made.writes_memory =
          made.writes_memory || (ir::has(ir::info(inst.op).effects, ir::Effects::writes) && !is_own && inst.op != ir::Op::demote);
      made.is_observable = made.is_observable || (ir::has(ir::info(inst.op).effects, ir::Effects::writes) && !is_own);
    }
  }
  return made;
}

}  // namespace

Result<PixelStage> PixelStage::make(const Pipeline& pipeline, const std::vector<ir::Element>& before) {
  PixelStage made;
  made.program_ = pipeline.pixel;
  const ir::Module& module = made.program_->module();
  const auto& input = module.signatures.input;
  const auto from = links(before, input, pipeline.conventions.link_by_location);
  const Habits habits = habits_of(module);
  made.per_sample_ = habits.per_sample;
  made.uses_barycentrics_ = habits.uses_barycentrics;
  made.is_ordered_ = habits.writes_memory;
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
      one.from = from[made.inputs_.size()];
      made.inputs_.push_back(one);
    }
  }
  made.in_position_ = find_component(input, SystemValue::position);
  made.in_front_ = find_component(input, SystemValue::is_front_face);
  made.in_primitive_ = find_component(input, SystemValue::primitive_id);
  if (made.in_primitive_ != kNone && from[made.in_primitive_] != kNone) made.in_primitive_ = kNone;  // a geometry shader's
  made.in_sample_ = find_component(input, SystemValue::sample_index);
  made.in_barycentrics_ = find_component(input, SystemValue::barycentrics);

  const auto& output = module.signatures.output;
  for (auto& components : made.target_) components.fill(kNone);
  std::uint32_t component = 0;
  for (const ir::Element& element : output) {
    for (std::uint32_t k = 0; k < element.rows * element.columns; ++k, ++component) {
      const std::uint32_t target = element.semantic_index + k / element.columns;
      const std::uint32_t column = element.first_column + k % element.columns;
      if (element.system_value != SystemValue::target || target >= kTargets || column >= 4) continue;
      made.target_[target][column] = component;
      made.has_target_[target] = true;
    }
  }
  for (const SystemValue value : {SystemValue::depth, SystemValue::depth_greater_equal, SystemValue::depth_less_equal})
    made.depth_ = std::min(made.depth_, find_component(output, value));
  made.coverage_ = find_component(output, SystemValue::coverage);
  made.stencil_reference_ = find_component(output, SystemValue::stencil_ref);
  const bool changes_tests = made.depth_ != kNone || made.coverage_ != kNone || made.stencil_reference_ != kNone;
  made.tests_early_ = module.modes.early_depth || !(habits.is_observable || changes_tests || pipeline.blend.alpha_to_coverage);
  return made;
}

std::optional<std::uint32_t> PixelStage::output(std::uint32_t component, std::uint32_t lane) const {
  if (component == kNone) return std::nullopt;
  return static_cast<std::uint32_t>(lanes_.outputs[std::size_t{component} * lanes_.count + lane]);
}

std::array<std::uint32_t, 4> PixelStage::color(std::uint32_t lane, unsigned target) const {
  std::array<std::uint32_t, 4> made{};
  for (unsigned k = 0; k < 4; ++k) made[k] = output(target_[target][k], lane).value_or(0);
  return made;
}

std::vector<std::uint64_t> PixelStage::inputs(std::uint32_t lane) const {
  std::vector<std::uint64_t> made;
  for (std::size_t k = 0; k < inputs_.size(); ++k) made.push_back(lanes_.inputs[k * lanes_.count + lane]);
  return made;
}

// What an input is where a triangle's vertices have some shares.
template <class SharesOf>
std::uint64_t PixelStage::value_at(const Input& input, const Triangle& triangle, const Vertices& vertices, SharesOf shares) const {
  const auto value = [&](std::uint32_t vertex) { return vertices.of(vertex)[input.from]; };
  if (input.constant) return value(triangle.leading);
  const std::array<std::uint64_t, 3> own{value(triangle.vertices[0]), value(triangle.vertices[1]), value(triangle.vertices[2])};
  // what is the same at all vertices stays exactly that, whatever number it is
  if (own[0] == own[1] && own[0] == own[2]) return own[0];
  const Shares& here = shares();
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
    const vm::SamplePlace& sample = running.pattern[static_cast<std::size_t>(x)];
    offset = {sample_offset(sample[0]), sample_offset(sample[1])};
  }
  if (place == Where::offset) offset = {offset[0] + x, offset[1] + y};
  std::optional<Shares> here;
  return stage.value_at(input, triangle, running.vertices, [&]() -> const Shares& {
    here = shares_at(triangle, std::int64_t{quad.x + pixel % 2} * kSubpixels + offset[0],
                     std::int64_t{quad.y + pixel / 2} * kSubpixels + offset[1]);
    return *here;
  });
}

std::uint64_t PixelStage::of_vertex(const Running& running, std::uint32_t lane, std::uint32_t component, std::uint32_t vertex) {
  const Input& input = running.stage.inputs_[component];
  const Triangle& triangle = running.triangles[running.quads[lane / 4].triangle];
  if (input.from == kNone || vertex > 2) return 0;
  return running.vertices.of(triangle.primitive[vertex])[input.from];
}

void PixelStage::set_lane(const Run& run, const Quad& quad, const Triangle& triangle, const Vertices& vertices,
                          std::span<const vm::SamplePlace> pattern, std::uint32_t sample_mask, std::uint32_t lane) {
  const unsigned pixel = lane % 4;
  const std::uint32_t x = quad.x + pixel % 2;
  const std::uint32_t y = quad.y + pixel / 2;
  const std::uint32_t covered = quad.covered_of(pixel) & sample_mask;
  lanes_.helper[lane] = quad.live_of(pixel) == 0;

  const auto offsets_at = [&](Input::Where where) -> std::array<std::int64_t, 2> {
    if (where == Input::Where::centroid) return centroid(covered, sample_mask, pattern);
    if (where == Input::Where::centre || quad.sample == kAllSamples) return {kSubpixels / 2, kSubpixels / 2};
    return {sample_offset(pattern[quad.sample][0]), sample_offset(pattern[quad.sample][1])};
  };
  const auto at = [&](Input::Where where) {
    const auto [dx, dy] = offsets_at(where);
    return shares_at(triangle, std::int64_t{x} * kSubpixels + dx, std::int64_t{y} * kSubpixels + dy);
  };
  using Where = Input::Where;
  std::array<std::optional<Shares>, 3> known;
  const auto shares = [&](Where where) -> const Shares& {
    auto& one = known[static_cast<std::size_t>(where)];
    if (!one) one = at(where);
    return *one;
  };

  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Input& input = inputs_[k];
    if (input.from == kNone) continue;
    lanes_.inputs[k * lanes_.count + lane] = value_at(input, triangle, vertices, [&]() -> const Shares& { return shares(input.where); });
  }

  const auto builtin = [&](Builtin which, unsigned component, std::uint64_t value) {
    lanes_.builtins[static_cast<std::size_t>(which)][std::size_t{component} * lanes_.count + lane] = value;
  };
  const auto element = [&](std::uint32_t component, std::uint64_t value) {
    if (component != kNone) lanes_.inputs[std::size_t{component} * lanes_.count + lane] = value;
  };
  const auto half = [](std::int64_t parts) { return static_cast<double>(parts) / static_cast<double>(kSubpixels); };
  const auto put_position = [&](Where where, auto put, bool reciprocal) {
    const auto [dx, dy] = offsets_at(where);
    const Shares& here = shares(where);
    put(0, bits(x + half(dx)));
    put(1, bits(y + half(dy)));
    put(2, bits(here.depth));
    put(3, bits(reciprocal ? here.inverse : 1 / here.inverse));
  };
  // Vulkan's FragCoord has 1/w, SV_Position w
  put_position(
      quad.sample == kAllSamples ? Where::centre : Where::sample,
      [&](unsigned k, std::uint32_t value) { builtin(Builtin::position, k, value); }, true);
  if (in_position_ != kNone)
    put_position(position_where_, [&](std::uint32_t k, std::uint32_t value) { element(in_position_ + k, value); }, false);
  // of the primitive's vertices in its order
  const auto barycentrics = [&](Where where, bool noperspective) {
    std::array<double, 3> made{};
    const Shares& here = shares(where);
    for (unsigned k = 0; k < 3; ++k) {
      const auto vertex = std::ranges::find(triangle.primitive, triangle.vertices[k]) - triangle.primitive.begin();
      made[static_cast<std::size_t>(vertex) % 3] += (noperspective ? here.flat : here.space)[k];
    }
    return made;
  };
  if (in_barycentrics_ != kNone) {
    const Input& input = inputs_[in_barycentrics_];
    const auto own = barycentrics(input.where, input.noperspective);
    for (unsigned k = 0; k < 3; ++k) element(in_barycentrics_ + k, bits(own[k]));
  }
  if (uses_barycentrics_) {
    const Where where = quad.sample == kAllSamples ? Where::centre : Where::sample;
    const auto space = barycentrics(where, false), flat = barycentrics(where, true);
    for (unsigned k = 0; k < 3; ++k) {
      builtin(Builtin::barycentrics, k, bits(space[k]));
      builtin(Builtin::barycentrics_linear, k, bits(flat[k]));
    }
  }
  builtin(Builtin::front_face, 0, triangle.is_front ? 1 : 0);
  element(in_front_, triangle.is_front ? 0xffff'ffff : 0);
  builtin(Builtin::primitive_id, 0, triangle.number);
  element(in_primitive_, triangle.number);
  const bool is_own = quad.sample != kAllSamples && run.pipeline.conventions.coverage_of_sample;
  builtin(Builtin::coverage, 0, is_own ? covered & (1U << quad.sample) : covered);
  builtin(Builtin::inner_coverage, 0, covered != 0 && run.pipeline.rasterizer.conservative && is_inner(triangle, x, y) ? 1 : 0);
  const std::uint32_t sample = quad.sample == kAllSamples ? 0 : quad.sample;
  builtin(Builtin::sample_index, 0, sample);
  element(in_sample_, sample);
  const auto [sx, sy] = offsets_at(quad.sample == kAllSamples ? Where::centre : Where::sample);
  builtin(Builtin::sample_location, 0, bits(half(sx)));
  builtin(Builtin::sample_location, 1, bits(half(sy)));
  builtin(Builtin::render_target_array_index, 0, triangle.layer);
  builtin(Builtin::viewport_array_index, 0, triangle.viewport);
}

Result<void> PixelStage::shade(Run& run, const Vertices& vertices, std::span<const Triangle> triangles, std::span<const Quad> quads,
                               std::span<const vm::SamplePlace> pattern, std::uint32_t sample_mask, const vm::Observer& observer) {
  lanes_.count = static_cast<std::uint32_t>(quads.size() * 4);
  lanes_.samples = static_cast<std::uint32_t>(pattern.size());
  lanes_.inputs.assign(inputs_.size() * lanes_.count, 0);
  lanes_.helper.assign(lanes_.count, false);
  for (const Builtin which :
       {Builtin::position, Builtin::front_face, Builtin::primitive_id, Builtin::coverage, Builtin::inner_coverage, Builtin::sample_index,
        Builtin::sample_location, Builtin::render_target_array_index, Builtin::viewport_array_index})
    give(lanes_, which);
  if (uses_barycentrics_) {
    give(lanes_, Builtin::barycentrics);
    give(lanes_, Builtin::barycentrics_linear);
  }
  for (std::uint32_t lane = 0; lane < lanes_.count; ++lane)
    set_lane(run, quads[lane / 4], triangles[quads[lane / 4].triangle], vertices, pattern, sample_mask, lane);
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
  return done;
}

}  // namespace unshade::draw
