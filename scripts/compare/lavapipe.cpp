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

#include "here.hpp"
#include "vulkan.hpp"

namespace compare {
namespace {

namespace dxc = unshade::dxcontainer;

void run_here(const char* who, const Job& job, const std::string& path, bool by_binding) {
  const auto failed = [&](const std::string& why) { std::printf("%s failed %s\n", who, why.c_str()); };
  const auto loaded = load(path, by_binding ? std::string_view(job.words.at("entry")) : std::string_view(), job.wave);
  if (!loaded.program) return failed(loaded.why);
  const vm::Program* const program = &*loaded.program;
  const ir::Module& m = program->module();
  Bound bound(job, m, by_binding);
  vm::Resources& resources = bound.resources;
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
    Words discarded;
    for (unsigned lane = 0; lane < job.lanes; ++lane) discarded.push_back(lanes.discarded[lane] ? 1 : 0);
    for (const ir::Element& element : m.signatures.output) {
      // targets have one sample
      for (unsigned lane = 0; lane < job.lanes && element.system_value == dxc::SystemValue::coverage; ++lane)
        discarded[lane] |= ~lanes.outputs[component * job.lanes + lane] & 1;
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
    print(who, "discarded", discarded);
  }
  print(who, "misuses", misuses);
  for (std::size_t at = 0; at < bound.kept.size(); ++at) {
    if (bound.printed[at]) print(who, bound.kept[at].first, words_of(bound.kept[at].second.data(), bound.kept[at].second.size()));
  }
}

}  // namespace
}  // namespace compare

int main(int, char** argv) {
  using namespace compare;
  Job job = read_job(argv[1]);
  Vulkan vulkan(job);
  if (job.wave == 0) job.wave = vulkan.subgroup();
  if (job.words.contains("file")) run_here("file", job, job.words.at("file"), job.words.at("file") == job.words.at("module"));
  if (job.words.at("file") != job.words.at("module")) run_here("module", job, job.words.at("module"), true);
  std::fflush(stdout);
  vulkan.run();
  std::fflush(stdout);
  std::_Exit(0);
}
