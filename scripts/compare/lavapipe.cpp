// Runs a shader by Vulkan and by unshade on the same inputs: a job (job.hpp), which lavapipe.py and sampling.py write. Prints
// `vulkan|file|module NAME WORDS...` for each output, or `vulkan|file|module failed REASON`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/vm/machine.hpp>

#include "vulkan.hpp"

namespace compare {
namespace {

namespace dxc = unshade::dxcontainer;
namespace ir = unshade::ir;
namespace vm = unshade::vm;

// Runs `path`. Resources of a module of SPIR-V are found by set and binding, of others by class and register.
void run_here(const char* who, const Job& job, const std::string& path, bool by_binding) {
  const auto failed = [&](const std::string& why) { std::printf("%s failed %s\n", who, why.c_str()); };
  const Bytes file = read(path);
  const auto shader = unshade::shader::open(unshade::View(std::span<const std::byte>(file)));
  if (!shader) return failed(shader.error().message);
  auto module = unshade::shader::lower(*shader, {.entry = by_binding ? std::string_view(job.words.at("entry")) : std::string_view()});
  if (!module) return failed(module.error().message);
  ir::optimize(*module, 1);
  const auto verified = ir::verify(std::move(*module));
  if (!verified.ok()) return failed("does not verify");
  const ir::Module& m = **verified.valid();
  const auto program = vm::prepare(*verified.valid(), {.wave = std::clamp(job.wave, m.modes.wave_min, m.modes.wave_max)});
  if (!program) return failed(program.error().message);

  vm::Resources resources = vm::empty_resources(m);
  std::vector<std::pair<std::string, Bytes>> kept;
  kept.reserve(m.resources.size());
  std::vector<bool> printed(m.resources.size());
  std::uint32_t counters[64] = {};
  for (std::size_t at = 0; at < m.resources.size(); ++at) {
    const ir::Resource& row = m.resources[at];
    const auto is = [&](char letter, unsigned set, unsigned binding, unsigned reg, unsigned space) {
      const bool sampler = row.kind == dxc::ResourceKind::sampler;
      if (by_binding) return row.space == set && row.first_register == binding && sampler == (letter == 's');
      const char its = sampler                                             ? 's'
                       : row.kind == dxc::ResourceKind::cbuffer            ? 'b'
                       : std::string_view(id(row.kind)).starts_with("uav") ? 'u'
                                                                           : 't';
      return its == letter && row.first_register == reg && row.space == space;
    };
    vm::Descriptor descriptor;
    const auto memory = [&](std::size_t from, std::size_t size, const std::string& name, unsigned out) {
      kept.emplace_back(
          name, Bytes(job.blob.begin() + static_cast<std::ptrdiff_t>(from), job.blob.begin() + static_cast<std::ptrdiff_t>(from + size)));
      descriptor.bytes = kept.back().second;
      descriptor.stride = row.stride;
      printed[kept.size() - 1] = out != 0;
    };
    for (const Buffer& b : job.buffers) {
      if (!is(b.letter, b.set, b.binding, b.reg, b.space)) continue;
      memory(b.at, b.size, place(b.letter, b.reg, b.space), b.out);
      if (const auto format = vm::find_format(b.format)) descriptor.format = *format;
    }
    for (const Image& i : job.images) {
      if (!is(i.letter, i.set, i.binding, i.reg, i.space)) continue;
      memory(i.at, i.size, place(i.letter, i.reg, i.space), i.out);
      descriptor.format = *vm::find_format(i.format);
      descriptor.width = i.width;
      descriptor.height = i.height;
      descriptor.depth = i.depth;
      descriptor.layers = i.layers;
      descriptor.levels = i.levels;
      descriptor.samples = i.samples;
    }
    for (const Sampler& s : job.samplers) {
      if (!is('s', s.set, s.binding, s.reg, s.space)) continue;
      vm::Sampler& to = descriptor.sampler;
      to.min = static_cast<vm::Filter>(s.min);
      to.mag = static_cast<vm::Filter>(s.mag);
      to.mip = static_cast<vm::Filter>(s.mip);
      to.address = {static_cast<vm::AddressMode>(s.u), static_cast<vm::AddressMode>(s.v), static_cast<vm::AddressMode>(s.w)};
      if (s.comparison >= 0) to.comparison = static_cast<vm::Comparison>(s.comparison);
      to.lod_bias = s.bias;
      to.min_lod = s.min_lod;
      to.max_lod = s.max_lod;
      const float color = s.border == 2 ? 1 : 0;
      to.border = {color, color, color, s.border == 0 ? 0.0F : 1.0F};
    }
    if (by_binding && row.space == 0xffff'ffff) memory(job.push_at, job.push_size, "push", 0);
    if (at < 64) descriptor.counter = &counters[at];
    resources.rows[at] = {descriptor};
  }

  std::string stopped;
  const vm::Limits limits{.operations = 1 << 24};
  vm::Observer observer;
  Words misuses(2);
  if (job.words.contains("check")) {
    observer.self = &misuses;
    observer.misuse = [](void* self, const vm::MisuseStep& step) { ++(*static_cast<Words*>(self))[static_cast<std::size_t>(step.what)]; };
  }
  if (job.words.at("stage") == "compute") {
    const auto report = vm::dispatch(*program, resources, job.groups, limits, observer);
    if (!report) return failed(report.error().message);
    if (report->stop != vm::Stop::finished) return failed("stopped: " + std::string(id(report->stop)));
  } else {
    vm::Lanes lanes;
    lanes.count = job.lanes;
    lanes.inputs.resize(std::size_t{vm::components_of(m.signatures.input)} * job.lanes);
    const auto word = [&](std::size_t at) { return words_of(job.blob.data() + at, 4)[0]; };
    const auto builtin_at = [&](std::string_view name) {
      const auto found = std::ranges::find(job.builtins, name, &Builtin::name);
      return found == job.builtins.end() ? ~std::size_t{0} : found->at;
    };
    std::size_t component = 0;
    for (const ir::Element& element : m.signatures.input) {
      for (unsigned row = 0; row < element.rows; ++row) {
        for (unsigned column = 0; column < element.columns; ++column, ++component) {
          std::size_t at = ~std::size_t{0};
          switch (element.system_value) {
            case dxc::SystemValue::position: at = job.words.at("stage") == "fragment" ? builtin_at("position") : at; break;
            case dxc::SystemValue::is_front_face: at = builtin_at("front_face"); break;
            case dxc::SystemValue::vertex_id: at = builtin_at("vertex_id"); break;
            case dxc::SystemValue::instance_id: at = builtin_at("instance_id"); break;
            case dxc::SystemValue::sample_index:
            case dxc::SystemValue::primitive_id: at = builtin_at("zero"); break;
            case dxc::SystemValue::coverage: at = builtin_at("coverage"); break;
            default: break;
          }
          const unsigned step = element.system_value == dxc::SystemValue::position ? element.first_column + column : 0;
          if (at == ~std::size_t{0}) {
            for (const Input& i : job.inputs) {
              if (i.location == element.first_register + row && i.column == element.first_column + column) at = i.at;
            }
          }
          if (at == ~std::size_t{0}) continue;
          for (unsigned lane = 0; lane < job.lanes; ++lane) {
            lanes.inputs[component * job.lanes + lane] = word(at + 4 * (std::size_t{step} * job.lanes + lane));
          }
        }
      }
    }
    struct BuiltinRow {
      std::string_view name;
      ir::Builtin which;
      unsigned components;
    };
    static constexpr BuiltinRow kBuiltins[] = {{"position", ir::Builtin::position, 4},
                                               {"front_face", ir::Builtin::front_face, 1},
                                               {"vertex_id", ir::Builtin::vertex_id, 1},
                                               {"instance_id", ir::Builtin::instance_id, 1},
                                               {"coverage", ir::Builtin::coverage, 1}};
    for (const BuiltinRow& row : kBuiltins) {
      const std::size_t at = builtin_at(row.name);
      if (at == ~std::size_t{0}) continue;
      const auto index = static_cast<std::size_t>(row.which);
      if (lanes.builtins.size() <= index) lanes.builtins.resize(index + 1);
      for (unsigned i = 0; i < row.components * job.lanes; ++i) {
        const std::uint32_t value = word(at + std::size_t{4} * i);
        lanes.builtins[index].push_back(row.which == ir::Builtin::front_face ? value & 1 : value);
      }
    }
    const auto report = vm::run_lanes(*program, resources, lanes, limits, observer);
    if (!report) return failed(report.error().message);
    if (report->stop != vm::Stop::finished) return failed("stopped: " + std::string(id(report->stop)));
    component = 0;
    for (const ir::Element& element : m.signatures.output) {
      for (unsigned row = 0; row < element.rows; ++row) {
        for (unsigned column = 0; column < element.columns; ++column, ++component) {
          Words words;
          for (unsigned lane = 0; lane < job.lanes; ++lane)
            words.push_back(static_cast<std::uint32_t>(lanes.outputs[component * job.lanes + lane]));
          const bool is_position = element.system_value == dxc::SystemValue::position;
          const std::string reg = is_position                           ? "position"
                                  : element.first_register == ir::kNone ? element.semantic
                                                                        : std::to_string(element.first_register + row);
          print(who, "output," + reg + "," + std::to_string(element.first_column + column), words);
        }
      }
    }
    Words discarded;
    for (unsigned lane = 0; lane < job.lanes; ++lane) discarded.push_back(lanes.discarded[lane] ? 1 : 0);
    print(who, "discarded", discarded);
  }
  print(who, "misuses", misuses);
  for (std::size_t at = 0; at < kept.size(); ++at) {
    if (printed[at]) print(who, kept[at].first, words_of(kept[at].second.data(), kept[at].second.size()));
  }
}

}  // namespace
}  // namespace compare

int main(int, char** argv) {
  using namespace compare;
  const Job job = read_job(argv[1]);
  if (job.words.contains("file")) run_here("file", job, job.words.at("file"), job.words.at("file") == job.words.at("module"));
  if (job.words.at("file") != job.words.at("module")) run_here("module", job, job.words.at("module"), true);
  std::fflush(stdout);
  Vulkan(job).run();
  std::fflush(stdout);
  std::_Exit(0);
}
