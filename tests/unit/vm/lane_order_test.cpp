// The order of lanes where results show it: waves of any size give those of lanes that run one after the other.
#include <unshade/vm/machine.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>

#include "support/ir.hpp"

namespace unshade::vm {
namespace {

constexpr unsigned kWaves[] = {4, 8, 16, 32, 64, 128};

// z is 0: the last of what a machine knows of a group's threads
constexpr std::string_view kHead = R"(stage compute
info group_size 48 1 1
resource @out uav_byte_address dimension buffer register 0
resource @list uav_structured_with_counter dimension buffer register 1 stride 4

variable @shared group bytes 256

function @main {
^0:
  %out = handle @out 0
  %list = handle @list 0
  %x = builtin i32 thread_id.x
  %z = builtin i32 thread_id.z
  %thread = iadd i32 %x %z
  %local = builtin i32 local_index
  %at = imul i32 %thread 4
  %bit = iand i32 %thread 1
  %odd = ine i32 %bit 0
  %rest = urem i32 %thread 3
)";
constexpr unsigned kThreads = 96;

Validated<ir::Module> module_of(const std::string& text) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  auto valid = test::optimized(std::move(*module), 0);
  EXPECT_TRUE(valid) << to_string(valid.error());
  return std::move(*valid);
}

struct Outcome {
  std::vector<std::uint32_t> out = std::vector<std::uint32_t>(256), list = std::vector<std::uint32_t>(512);
  std::uint32_t counter = 0;
  bool divergent_barrier = false;
  bool operator==(const Outcome&) const = default;
};

Outcome run_in(const Validated<ir::Module>& module, unsigned wave, unsigned threads) {
  const auto program = prepare(module, {.wave = wave});
  EXPECT_TRUE(program) << to_string(program.error());
  Outcome made;
  Resources resources = empty_resources(program->module());
  for (auto& row : resources.rows) row.resize(1);
  resources.rows[0][0].bytes = std::as_writable_bytes(std::span(made.out));
  texel::Descriptor& list = resources.rows[1][0];
  list.bytes = std::as_writable_bytes(std::span(made.list));
  list.stride = 4;
  list.counter = &made.counter;
  const auto done = dispatch(*program, resources, {kThreads / 48, 1, 1}, {}, {}, {.threads = threads});
  EXPECT_TRUE(done);
  EXPECT_EQ(done->stop, Stop::finished);
  made.divergent_barrier = done->divergent_barrier;
  return made;
}

/// What it does in waves of any size.
Outcome same_in_all(std::string_view lines) {
  const auto module = module_of(std::string(kHead) + std::string(lines) + "}\n");
  const Outcome first = run_in(module, kWaves[0], 1);
  for (const unsigned wave : kWaves)
    for (const unsigned threads : {1U, 3U}) EXPECT_TRUE(run_in(module, wave, threads) == first) << wave << lines;
  return first;
}

ir::Together together(std::string_view lines) {
  const auto module = module_of(std::string(kHead) + std::string(lines) + "  return\n}\n");
  return ir::find_together(*module, module->functions[0]);
}

/// What lanes append one after the other.
std::vector<std::uint32_t> appended(const std::function<void(std::uint32_t thread, std::vector<std::uint32_t>& to)>& append) {
  std::vector<std::uint32_t> made;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) append(thread, made);
  made.resize(512);
  return made;
}

TEST(LaneOrder, ElementsAreAppendedByLanes) {
  const Outcome made = same_in_all(R"(  branch %odd ^1 ^2
^1:
  %0 = counter up %list
  buffer_store i32 structured offset %list %0 0 %thread
  jump ^3
^2:
  %1 = counter up %list
  %minus = ineg i32 %thread
  buffer_store i32 structured offset %list %1 0 %minus
  jump ^3
^3:
  %2 = counter up %list
  buffer_store i32 structured offset %list %2 0 7
  return
)");
  EXPECT_EQ(made.counter, 2 * kThreads);
  EXPECT_EQ(made.list, appended([](std::uint32_t thread, std::vector<std::uint32_t>& to) {
              to.push_back(thread % 2 != 0 ? thread : 0 - thread);
              to.push_back(7);
            }));
}

TEST(LaneOrder, LoopsAppendByLanes) {
  const Outcome made = same_in_all(R"(  jump ^1
^1:
  %round = phi i32 ^0 0 ^2 %next
  %goes_on = ule i32 %round %rest
  branch %goes_on ^2 ^3
^2:
  %0 = counter up %list
  buffer_store i32 structured offset %list %0 0 %thread
  %next = iadd i32 %round 1
  jump ^1
^3:
  return
)");
  EXPECT_EQ(made.list, appended([](std::uint32_t thread, std::vector<std::uint32_t>& to) { to.insert(to.end(), thread % 3 + 1, thread); }));
}

// Each lane gets what those before left, in group memory too, before and after barriers.
TEST(LaneOrder, AtomicOperationsSeeTheLanesBefore) {
  const Outcome made = same_in_all(R"(  branch %odd ^1 ^2
^1:
  %0 = atomic i32 @shared add 0 2
  buffer_store i32 raw %out %at %0
  jump ^3
^2:
  %1 = atomic i32 @shared add 0 1
  buffer_store i32 raw %out %at %1
  jump ^3
^3:
  barrier sync_group|group_memory
  jump ^4
^4:
  %2 = atomic i32 @shared exchange 0 %local
  %zero = ieq i32 %local 0
  branch %zero ^5 ^6
^5:
  %3 = imul i32 %thread 4
  %4 = iadd i32 %3 400
  buffer_store i32 raw %out %4 %2
  jump ^6
^6:
  return
)");
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) EXPECT_EQ(made.out[thread], thread % 48 / 2 * 3 + thread % 2) << thread;
  EXPECT_EQ(made.out[100], 72U);
  EXPECT_EQ(made.out[148], 72U);
}

TEST(LaneOrder, TheLastLaneWinsAPlace) {
  const Outcome made = same_in_all(R"(  %last = ieq i32 %thread 95
  %first = ior b1 %odd %last
  branch %first ^1 ^2
^1:
  buffer_store i32 raw %out 0 %thread
  jump ^3
^2:
  buffer_store i32 raw %out 0 1000
  jump ^3
^3:
  %sum = buffer_load i32 raw %out 8
  %more = iadd i32 %sum 1
  buffer_store i32 raw %out 8 %more
  return
)");
  EXPECT_EQ(made.out[0], 95U);
  EXPECT_EQ(made.out[2], kThreads);
}

TEST(LaneOrder, WavesAreKeptWhereNothingShowsIt) {
  // one operation, which lanes do in their order as they are
  EXPECT_EQ(together("  %0 = counter up %list\n  buffer_store i32 structured offset %list %0 0 %thread\n"), ir::Together::wave);
  // sums are the same in any order
  EXPECT_EQ(together("  %0 = buffer_atomic i32 raw add %out 0 1\n  %1 = buffer_atomic i32 raw add %out 4 1\n"), ir::Together::wave);
  EXPECT_EQ(together("  %v = buffer_load i32 raw %out %at\n  buffer_store i32 raw %out %at %v\n"), ir::Together::wave);
  // lanes of a wave that act together
  EXPECT_EQ(together("  %0 = counter up %list\n  %1 = counter up %list\n  %s = wave_reduce i32 iadd %0\n"
                     "  buffer_store i32 structured offset %list %1 0 %s\n"),
            ir::Together::wave);
}

TEST(LaneOrder, LanesRunAloneWhereItShows) {
  EXPECT_EQ(together("  %0 = counter up %list\n  %1 = counter up %list\n  buffer_store i32 structured offset %list %0 0 %1\n"),
            ir::Together::lane);
  EXPECT_EQ(together("  %0 = buffer_atomic i32 raw exchange %out 0 %thread\n  %1 = buffer_atomic i32 raw umax %out 0 %thread\n"),
            ir::Together::lane);
  EXPECT_EQ(together("  %0 = buffer_atomic i32 raw add %out 0 1\n  %1 = buffer_load i32 raw %out 0\n  buffer_store i32 raw %out %at %1\n"),
            ir::Together::lane);
  EXPECT_EQ(together("  %0 = counter up %list\n  %1 = counter up %list\n  %f = u_to_f f32 %0\n  %d = ddx f32 %f\n"
                     "  buffer_store f32 raw %out %at %d\n"),
            ir::Together::quad);
}

// Lanes that wait at different barriers are told whatever the size of waves; those that have ended wait at none.
TEST(LaneOrder, DivergentBarriersAreFoundAcrossWaves) {
  constexpr std::string_view kEarly = R"(  %early = ult i32 %local 16
  branch %early ^1 ^2
^1:
  return
^2:
  barrier sync_group|group_memory
  jump ^3
^3:
  return
)";
  EXPECT_FALSE(same_in_all(kEarly).divergent_barrier);
  constexpr std::string_view kDifferent = R"(  %early = ult i32 %local 16
  branch %early ^1 ^2
^1:
  barrier sync_group|group_memory
  jump ^3
^2:
  barrier sync_group|group_memory
  jump ^3
^3:
  return
)";
  EXPECT_TRUE(same_in_all(kDifferent).divergent_barrier);
}

constexpr std::string_view kEmitting = R"(stage geometry
info input_primitive point streams 2 triangle_strip point_list max_vertices 8
input "ID" type i32 register 0 columns 1
output "ID" type i32 register 0 columns 1
output "OTHER" type i32 register 1 columns 1 stream 1

function @main {
^0:
  %id = input i32 in0.x vertex 0
  %bit = iand i32 %id 1
  %odd = ine i32 %bit 0
  branch %odd ^1 ^2
^1:
  output i32 out0.x %id
  emit 0
  cut 0
  jump ^3
^2:
  output i32 out1.x %id
  emit 1
  jump ^3
^3:
  output i32 out0.x 77
  emit 0
  return
}
)";

TEST(LaneOrder, VerticesFollowPrimitives) {
  const auto module = module_of(std::string(kEmitting));
  const auto run = [&](unsigned wave, unsigned threads) {
    const auto program = prepare(module, {.wave = wave});
    EXPECT_TRUE(program);
    Lanes lanes;
    lanes.count = 300;
    for (std::uint64_t k = 0; k < lanes.count; ++k) lanes.inputs.push_back(k);
    Resources none = empty_resources(program->module());
    EXPECT_TRUE(run_lanes(*program, none, lanes, {}, {}, {.threads = threads}));
    return std::move(lanes.emitted);
  };
  for (const unsigned wave : kWaves) {
    for (const unsigned threads : {1U, 4U}) {
      const auto emitted = run(wave, threads);
      std::size_t at = 0;
      for (std::uint32_t lane = 0; lane < 300; ++lane) {
        const bool odd = lane % 2 != 0;
        ASSERT_LE(at + (odd ? 3U : 2U), emitted.size());
        EXPECT_EQ(emitted[at].lane, lane);
        EXPECT_EQ(emitted[at].stream, odd ? 0U : 1U);
        EXPECT_EQ(emitted[at++].outputs[odd ? 0 : 1], lane);
        if (odd) {
          EXPECT_TRUE(emitted[at++].cut);
        }
        EXPECT_EQ(emitted[at].lane, lane);
        EXPECT_EQ(emitted[at++].outputs[0], 77U);
      }
      EXPECT_EQ(at, emitted.size());
    }
  }
}

constexpr std::string_view kPatch = R"(stage hull
info input_points 1 output_points 3
input "P" type i32 register 0 columns 1
output "P" type i32 register 0 columns 1
output "SUM" type i32 register 1 columns 1

function @main {
^0:
  %point = builtin i32 control_point_id
  %p = input i32 in0.x vertex 0
  %own = iadd i32 %p %point
  output i32 out0.x %own
  barrier sync_group
  jump ^1
^1:
  %0 = output_load i32 out0.x vertex 0
  %1 = output_load i32 out0.x vertex 1
  %2 = output_load i32 out0.x vertex 2
  %s = iadd i32 %0 %1
  %sum = iadd i32 %s %2
  output i32 out1.x %sum
  return
}
)";

// Also if waves are smaller than a patch, or end in the middle of one.
TEST(LaneOrder, PointsOfAPatchWaitForEachOther) {
  const auto module = module_of(std::string(kPatch));
  for (const unsigned wave : kWaves) {
    const auto program = prepare(module, {.wave = wave});
    ASSERT_TRUE(program);
    Lanes lanes;
    lanes.count = 3 * 50;
    lanes.points = 3;
    for (std::uint64_t k = 0; k < lanes.count; ++k) lanes.inputs.push_back(k / 3 * 10);
    Resources none = empty_resources(program->module());
    ASSERT_TRUE(run_lanes(*program, none, lanes));
    for (std::uint32_t lane = 0; lane < lanes.count; ++lane)
      EXPECT_EQ(lanes.outputs[std::size_t{lanes.count} + lane], lane / 3 * 30 + 3) << wave << ' ' << lane;
  }
}

}  // namespace
}  // namespace unshade::vm
