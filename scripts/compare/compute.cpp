// Dispatches by Vulkan and by unshade: a job of passes (job.hpp), which compute.py writes. Prints, where WAVE is the size of unshade's waves:
//
//   words WAVE SAME OF                        how many words that a run leaves in buffers and images have the same bits
//   compile unshade|vulkan NANOSECONDS        until the shaders can run
//   time|processors vulkan NANOSECONDS...     of each run
//   time|processors unshade,WAVE NANOSECONDS...
//   unshade|vulkan failed REASON
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "here.hpp"
#include "vulkan.hpp"

namespace compare {
namespace {

constexpr std::uint32_t kPushConstants = 0xffff'ffff;  ///< their space

/// The shaders of a job, with waves of one size.
class Here {
 public:
  Here(const Job& job, unsigned wave) : job_(job), wave_(wave) {
    for (const Buffer& b : job.buffers) memory_.emplace_back(b.size);
    for (const Image& i : job.images) memory_.emplace_back(i.size);
    for (const std::string& path : job.shaders) {
      Loaded loaded = load(path, "main", wave);
      if (!loaded.program) fail("unshade", loaded.why);
      programs_.push_back(std::move(*loaded.program));
    }
    for (const vm::Program& program : programs_) {
      for (const bool swapped : {false, true}) bound_.push_back(std::make_unique<Bound>(job, program, swapped, memory_));
    }
  }

  unsigned wave() const { return wave_; }
  const std::vector<Bytes>& left() const { return memory_; }
  std::vector<Times> times{};

  void run() {
    std::size_t at = 0;
    const auto give = [&](std::size_t from) {
      Bytes& to = memory_[at++];
      std::memcpy(to.data(), job_.blob.data() + from, to.size());
    };
    for (const Buffer& b : job_.buffers) give(b.at);
    for (const Image& i : job_.images) give(i.at);
    const Times begun = Times::now();
    for (const Pass& pass : job_.passes) {
      Bound& bound = *bound_[2 * pass.shader + (pass.swapped ? 1 : 0)];
      std::memcpy(bound.push.data(), pass.push.data(), std::min(bound.push.size(), 4 * pass.push.size()));
      bound.runner.bind();
      const auto report = bound.runner.dispatch(pass.groups, {.threads = number(job_, "threads", 2)});
      if (!report) fail("unshade", report.error().message);
      if (report->stop != vm::Stop::finished) fail("unshade", "stopped: " + std::string(id(report->stop)));
    }
    times.push_back(Times::now().since(begun));
  }

 private:
  struct Bound {
    Bound(const Job& job, const vm::Program& program, bool swapped, std::vector<Bytes>& memory)
        : resources(bind(job, program.module(), swapped, memory)), runner(program, resources, {.operations = std::uint64_t{1} << 40}) {}

    vm::Resources bind(const Job& job, const ir::Module& m, bool swapped, std::vector<Bytes>& memory) {
      vm::Resources made = vm::empty_resources(m);
      for (std::size_t row = 0; row < m.resources.size(); ++row) {
        const ir::Resource& resource = m.resources[row];
        texel::Descriptor descriptor;
        const auto is = [&](unsigned set, unsigned binding) { return resource.space == set && resource.first_register == binding; };
        std::size_t at = 0;
        for (const Buffer& b : job.buffers) {
          if (is(b.set, swapped ? 1 - b.binding : b.binding)) descriptor.bytes = memory[at];
          ++at;
        }
        for (const Image& i : job.images) {
          if (is(i.set, i.binding)) descriptor.bytes = memory[at], describe(i, descriptor);
          ++at;
        }
        if (resource.space == kPushConstants) {
          push.resize(job.push_size);
          descriptor.bytes = push;
        }
        descriptor.stride = resource.stride;
        made.rows[row] = {descriptor};
      }
      return made;
    }

    Bytes push;
    vm::Resources resources;
    vm::Runner runner;
  };

  const Job& job_;
  const unsigned wave_;
  std::vector<Bytes> memory_;  ///< of each buffer and image of the job
  std::vector<vm::Program> programs_;
  std::vector<std::unique_ptr<Bound>> bound_;  ///< of each shader, as the job has it and swapped
};

void compare_words(const Here& here, const std::vector<Bytes>& theirs) {
  std::size_t same = 0, of = 0;
  for (std::size_t at = 0; at < theirs.size(); ++at) {
    const Words one = words_of(here.left()[at].data(), here.left()[at].size()), other = words_of(theirs[at].data(), theirs[at].size());
    of += one.size();
    for (std::size_t word = 0; word < one.size(); ++word) same += one[word] == other[word] ? 1 : 0;
  }
  std::printf("words %u %zu %zu\n", here.wave(), same, of);
}

}  // namespace
}  // namespace compare

int main(int, char** argv) {
  using namespace compare;
  const Job job = read_job(argv[1]);
  std::vector<std::unique_ptr<Here>> here;
  const Times begun = Times::now();
  Times compiled{};
  for (const double wave : numbers(job, "waves", {64})) {
    here.push_back(std::make_unique<Here>(job, static_cast<unsigned>(wave)));
    if (here.size() == 1) compiled = Times::now().since(begun);
  }
  Vulkan vulkan(job);
  const Times theirs = vulkan.make_passes();
  std::printf("compile unshade %.0f\ncompile vulkan %.0f\n", compiled.wall, theirs.wall);
  std::vector<Times> times;
  // one after the other, so that all meet the same machine
  for (unsigned run = 0; run < number(job, "repeat", 1); ++run) {
    times.push_back(vulkan.run_passes());
    for (const auto& one : here) one->run();
  }
  const std::vector<Bytes> left = vulkan.left();
  for (const auto& one : here) compare_words(*one, left);
  print_times("vulkan", times);
  for (const auto& one : here) print_times("unshade," + std::to_string(one->wave()), one->times);
  std::fflush(stdout);
  std::_Exit(0);
}
