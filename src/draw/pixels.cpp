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
      }
      const bool is_own = inst.op == ir::Op::store || inst.op == ir::Op::atomic || inst.op == ir::Op::output;
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
      return Error{ErrorCode::unsupported, 0, "pixel", "needs interpolation of other than 32 bits"};
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
    std::uint64_t& to = lanes_.inputs[k * lanes_.count + lane];
    const auto value = [&](std::uint32_t vertex) { return vertices.of(vertex)[input.from]; };
    const std::array<std::uint64_t, 3> own{value(triangle.vertices[0]), value(triangle.vertices[1]), value(triangle.vertices[2])};
    if (input.constant) {
      to = value(triangle.leading);
      continue;
    }
    // what is the same at all vertices stays exactly that, whatever number it is
    if (own[0] == own[1] && own[0] == own[2]) {
      to = own[0];
      continue;
    }
    const Shares& here = shares(input.where);
    const auto& share = input.noperspective ? here.flat : here.space;
    const auto real = [&](unsigned k2) { return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(own[k2]))); };
    to = bits(real(0) + (real(1) - real(0)) * share[1] + (real(2) - real(0)) * share[2]);
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
                               std::span<const vm::SamplePlace> pattern, std::uint32_t sample_mask) {
  lanes_.count = static_cast<std::uint32_t>(quads.size() * 4);
  lanes_.samples = static_cast<std::uint32_t>(pattern.size());
  lanes_.inputs.assign(inputs_.size() * lanes_.count, 0);
  lanes_.helper.assign(lanes_.count, false);
  for (const Builtin which :
       {Builtin::position, Builtin::front_face, Builtin::primitive_id, Builtin::coverage, Builtin::inner_coverage, Builtin::sample_index,
        Builtin::sample_location, Builtin::render_target_array_index, Builtin::viewport_array_index})
    give(lanes_, which);
  for (std::uint32_t lane = 0; lane < lanes_.count; ++lane)
    set_lane(run, quads[lane / 4], triangles[quads[lane / 4].triangle], vertices, pattern, sample_mask, lane);
  for (std::uint32_t lane = 0; lane < lanes_.count; ++lane) run.report.statistics.pixel_runs += lanes_.helper[lane] ? 0 : 1;
  return run.run(Stage::pixel, *program_, run.bindings.pixel, lanes_);
}

}  // namespace unshade::draw
