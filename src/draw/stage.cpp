#include "draw/stage.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace unshade::draw {
namespace {

using dxcontainer::SystemValue;

// Where in an output a row and column of an input is: {row, column}, which may be out of bounds.
std::array<std::uint32_t, 2> place_by_location(const ir::Element& to, const ir::Element& from, std::uint32_t row, std::uint32_t column) {
  if (to.first_register == kNone || from.first_register == kNone) {
    // levels of tessellation are those of another domain where the control stage does not state it
    const bool same_value = to.system_value == from.system_value && to.system_value != SystemValue::undefined;
    const bool same_built_in = to.built_in == from.built_in && !to.built_in.empty();
    const bool same = to.first_register == from.first_register && (same_value || same_built_in);
    return {same ? row : kNone, column};
  }
  return {to.first_register + row - from.first_register, to.first_column + column - from.first_column};
}

std::array<std::uint32_t, 2> place_by_semantic(const ir::Element& to, const ir::Element& from, std::uint32_t row, std::uint32_t column) {
  if (!same_semantic(to.semantic, from.semantic)) return {kNone, column};
  return {to.semantic_index + row - from.semantic_index, column};
}

}  // namespace

bool same_semantic(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<std::uint32_t> row_named(const ir::Element& element, std::string_view semantic, std::uint32_t index) {
  const std::uint32_t row = index - (element.has_plain_name() ? 0 : element.semantic_index);
  return same_semantic(element.semantic, semantic) && row < element.rows ? std::optional(row) : std::nullopt;
}

std::optional<std::uint32_t> input_register(const ir::Module& module, std::string_view semantic, std::uint32_t index) {
  for (const ir::Element& one : module.signatures.input)
    if (const auto row = row_named(one, semantic, index)) return one.first_register + *row;
  return std::nullopt;
}

std::vector<std::uint32_t> links(const std::vector<ir::Element>& outputs, const std::vector<ir::Element>& inputs, bool by_location) {
  std::vector<std::uint32_t> made(vm::components_of(inputs), kNone);
  std::uint32_t to_first = 0;
  for (const ir::Element& to : inputs) {
    std::uint32_t from_first = 0;
    for (const ir::Element& from : outputs) {
      for (std::uint32_t k = 0; k < to.rows * to.columns; ++k) {
        const auto [row, column] = by_location ? place_by_location(to, from, k / to.columns, k % to.columns)
                                               : place_by_semantic(to, from, k / to.columns, k % to.columns);
        if (row < from.rows && column < from.columns) made[to_first + k] = from_first + row * from.columns + column;
      }
      from_first += from.rows * from.columns;
    }
    to_first += to.rows * to.columns;
  }
  return made;
}

std::uint32_t find_component(const std::vector<ir::Element>& elements, SystemValue value) {
  const auto found = std::ranges::find(elements, value, &ir::Element::system_value);
  return found == elements.end() ? kNone : vm::component_of(elements, static_cast<std::size_t>(found - elements.begin()));
}

std::span<const StatisticsRow> statistics_rows() {
  static constexpr StatisticsRow kRows[] = {{"vertices", "IAVertices", &Statistics::vertices},
                                            {"primitives", "IAPrimitives", &Statistics::primitives},
                                            {"vertex_runs", "VSInvocations", &Statistics::vertex_runs},
                                            {"hull_runs", "HSInvocations", &Statistics::hull_runs},
                                            {"domain_runs", "DSInvocations", &Statistics::domain_runs},
                                            {"geometry_runs", "GSInvocations", &Statistics::geometry_runs},
                                            {"geometry_primitives", "GSPrimitives", &Statistics::geometry_primitives},
                                            {"clipper_in", "CInvocations", &Statistics::clipper_in},
                                            {"clipper_out", "CPrimitives", &Statistics::clipper_out},
                                            {"pixel_runs", "PSInvocations", &Statistics::pixel_runs},
                                            {"compute_runs", "CSInvocations", &Statistics::compute_runs},
                                            {"amplification_runs", "ASInvocations", &Statistics::amplification_runs},
                                            {"mesh_runs", "MSInvocations", &Statistics::mesh_runs},
                                            {"mesh_primitives", "MSPrimitives", &Statistics::mesh_primitives},
                                            {"samples_passed", "", &Statistics::samples_passed}};
  return kRows;
}

void Statistics::add(const Statistics& other) {
  for (const StatisticsRow& row : statistics_rows()) this->*row.count += other.*row.count;
  for (std::size_t stream = 0; stream < kStreams; ++stream) {
    streams[stream].written += other.streams[stream].written;
    streams[stream].needed += other.streams[stream].needed;
  }
}

std::vector<std::uint64_t>& give(vm::Lanes& lanes, ir::Builtin which) {
  lanes.builtins.resize(ir::kBuiltinCount);
  auto& made = lanes.builtins[static_cast<std::size_t>(which)];
  made.resize(std::size_t{ir::info(which).components} * lanes.count);
  return made;
}

void Vertices::add(const vm::Lanes& lanes, std::uint32_t first, std::uint32_t lanes_count) {
  values.reserve(values.size() + std::size_t{lanes_count} * components);
  for (std::uint32_t lane = first; lane < first + lanes_count; ++lane)
    for (std::uint32_t k = 0; k < components; ++k) values.push_back(lanes.outputs[std::size_t{k} * lanes.count + lane]);
  count += lanes_count;
}

bool writes_memory(const ir::Module& module) {
  for (const ir::Function& function : module.functions) {
    for (ir::Id id = 0; id < function.insts.size(); ++id) {
      const ir::Op op = function.insts[id].op;
      const bool is_own =
          op == ir::Op::store || op == ir::Op::atomic || op == ir::Op::output || op == ir::Op::demote || op == ir::Op::print;
      if (function.block_of[id] != kNone && ir::has(ir::info(op).effects, ir::Effects::writes) && !is_own) return true;
    }
  }
  return false;
}

vm::Runner& Run::runner(const vm::Program& program, vm::Resources* resources) {
  std::unique_ptr<Prepared>& made = prepared_[&program];
  if (!made) {
    made = std::make_unique<Prepared>();
    if (resources == nullptr) made->none = vm::empty_resources(program.module());
    made->runner.emplace(program, resources == nullptr ? made->none : *resources, limits);
    memory_changes_ = memory_changes_ || writes_memory(program.module());
  } else if (memory_changes_) {
    made->runner->bind();
  }
  return *made->runner;
}

Result<void> Run::run(Stage stage, const vm::Program& program, vm::Resources* resources, vm::Lanes& lanes, const vm::Observer& observer) {
  vm::Resources none;
  const bool watched = vm::is_watched(observer);
  if (watched && resources == nullptr) none = vm::empty_resources(program.module());
  auto done = watched ? vm::run_lanes(program, resources == nullptr ? none : *resources, lanes, limits, observer)
                      : runner(program, resources).run(lanes);
  if (!done) return std::move(done).error();
  add(stage, std::move(*done));
  return {};
}

void Run::add(Stage stage, vm::Report done) {
  report.operations += done.operations;
  if (done.stop != vm::Stop::finished) {
    report.stop = done.stop;
    report.stage = stage;
    report.fault = std::move(done.fault);
  }
  check_budget(stage);
}

void Run::check_budget(Stage stage) {
  if (stopped() || report.operations <= limits.operations) return;
  report.stop = vm::Stop::budget;
  report.stage = stage;
  report.fault = "the draw took more than " + std::to_string(limits.operations) + " operations";
}

}  // namespace unshade::draw
