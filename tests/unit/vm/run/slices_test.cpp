// Runs on several threads: the results of one, to the bit.
#include "vm/run/slices.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/text.hpp>

#include "support/effort.hpp"
#include "support/ir.hpp"

namespace unshade::vm {
namespace {

constexpr std::string_view kHead = R"(stage compute
info group_size 8 4 1
resource @in uav_byte_address dimension buffer register 0
resource @out uav_byte_address dimension buffer register 1
resource @list uav_structured_with_counter dimension buffer register 2 stride 4
resource @texture uav_typed dimension texture2d register 3

variable @shared group bytes 256

function @main {
^0:
  %in = handle @in 0
  %out = handle @out 0
  %list = handle @list 0
  %texture = handle @texture 0
  %x = builtin i32 thread_id.x
  %y = builtin i32 thread_id.y
  %local = builtin i32 local_index
  %group = builtin i32 group_id.x
  %row = imul i32 %y 512
  %thread = iadd i32 %row %x
  %at = imul i32 %thread 4
)";

constexpr std::uint32_t kWords = 512 * 64;
constexpr std::array<std::uint32_t, 3> kGroups{64, 16, 1};

Program program_of(const std::string& text) {
  auto module = ir::parse(text);
  EXPECT_TRUE(module) << to_string(module.error());
  const auto valid = test::optimized(std::move(*module), 0);
  EXPECT_TRUE(valid) << to_string(valid.error());
  auto program = prepare(*valid, {.wave = 16});
  EXPECT_TRUE(program) << to_string(program.error());
  return *program;
}

struct Outcome {
  std::vector<std::uint32_t> in, out, list, texels;
  std::uint32_t counter = 0;
  Report report;
  bool apart = false;   ///< no thread sees what another writes
  bool shared = false;  ///< several threads run it, though one may see what another writes

  bool operator==(const Outcome& other) const {
    return in == other.in && out == other.out && list == other.list && texels == other.texels && counter == other.counter &&
           report.stop == other.report.stop && report.fault == other.report.fault && report.operations == other.report.operations;
  }
};

/// `shared`: bytes of `out` begin in `in`.
Outcome run_on(const Program& program, unsigned threads, const Limits& limits = {}, std::size_t shared = 0) {
  Outcome made;
  made.in.resize(2 * kWords);
  for (std::uint32_t k = 0; k < made.in.size(); ++k) made.in[k] = k * 2654435761U;
  made.out.assign(kWords, 7);
  made.list.assign(kWords, 0);
  made.texels.assign(kWords, 0x01020304);
  Resources resources = empty_resources(program.module());
  for (auto& row : resources.rows) row.resize(1);
  resources.rows[0][0].bytes = std::as_writable_bytes(std::span(made.in).first(kWords));
  resources.rows[1][0].bytes = std::as_writable_bytes(shared != 0 ? std::span(made.in).subspan(shared, kWords) : std::span(made.out));
  texel::Descriptor& list = resources.rows[2][0];
  list.bytes = std::as_writable_bytes(std::span(made.list));
  list.stride = 4;
  list.counter = &made.counter;
  texel::Descriptor& texture = resources.rows[3][0];
  texture.bytes = std::as_writable_bytes(std::span(made.texels));
  texture.format = *texel::find_format("B8G8R8X8_UNORM");
  texture.width = 512;
  texture.height = 64;
  const Observer observer;
  const auto seen = shared_by_units(Run(program.data(), resources, limits, observer));
  made.apart = seen && seen->empty();
  made.shared = seen && !seen->empty();
  auto done = dispatch(program, resources, kGroups, limits, observer, {.threads = threads});
  EXPECT_TRUE(done) << to_string(done.error());
  if (done) made.report = std::move(*done);
  return made;
}

/// Runs it on one thread and on several; gives the outcome.
Outcome same_on_all(std::string_view lines, const Limits& limits = {}, std::size_t shared = 0) {
  const Program program = program_of(std::string(kHead) + std::string(lines) + "  return\n}\n");
  const Outcome one = run_on(program, 1, limits, shared);
  for (const unsigned threads : {2U, 3U, 8U}) EXPECT_TRUE(run_on(program, threads, limits, shared) == one) << threads << lines;
  return one;
}

TEST(Slices, StoresApart) {
  const Outcome made = same_on_all(R"(  %value = buffer_load i32 raw %in %at
  %twice = iadd i32 %value %value
  buffer_store i32 raw %out %at %twice
  texel_store f32 texture2d %texture %x %y 1.0 0.5 0.0 1.0
)");
  EXPECT_TRUE(made.apart);
  EXPECT_EQ(made.out[512 * 63 + 5], (512U * 63 + 5) * 2654435761U * 2);
  // the byte that the format does not use stays
  EXPECT_EQ(made.texels[9], 0x01ff8000U);
}

TEST(Slices, OfStoresToOnePlaceTheLastStays) {
  const Outcome made = same_on_all("  buffer_store i32 raw %out 16 %thread\n");
  EXPECT_TRUE(made.apart);
  EXPECT_EQ(made.out[4], 512U * 63 + 511);
}

TEST(Slices, AtomicsOfWhichNothingIsUsedWait) {
  const Outcome made = same_on_all(R"(  %low = iand i32 %at 1020
  %0 = buffer_atomic i32 raw exchange %out %low %thread
  %1 = buffer_atomic i32 raw add %out 2048 %thread
  %float = u_to_f f32 %thread
  %2 = buffer_atomic f32 raw fadd %out 2052 %float
  %3 = counter up %list
)");
  EXPECT_TRUE(made.apart);
  EXPECT_EQ(made.counter, kWords);
}

TEST(Slices, WhatDependsOnTheOrderRunsInIt) {
  EXPECT_FALSE(same_on_all("  %0 = buffer_atomic i32 raw add %out 0 1\n  buffer_store i32 raw %in %at %0\n").apart);
  EXPECT_FALSE(same_on_all("  %0 = counter up %list\n  buffer_store i32 structured offset %list %0 0 %thread\n").apart);
  EXPECT_FALSE(same_on_all("  %0 = clock\n  %1 = get i32 0 %0\n  buffer_store i32 raw %out %at %1\n").apart);
}

TEST(Slices, WhatIsReadAndWrittenIsShared) {
  const Outcome own = same_on_all("  %0 = buffer_load i32 raw %in %at\n  %1 = iadd i32 %0 1\n  buffer_store i32 raw %in %at %1\n");
  EXPECT_TRUE(own.shared);
  EXPECT_EQ(own.in[77], 77 * 2654435761U + 1);
  // a sum in which each thread waits for those before
  const Outcome sum = same_on_all("  %0 = buffer_load i32 raw %out 0\n  %1 = iadd i32 %0 1\n  buffer_store i32 raw %out 0 %1\n");
  EXPECT_TRUE(sum.shared);
  EXPECT_EQ(sum.out[0], 7 + kWords);
  // descriptors whose memory overlaps
  constexpr std::string_view kCopy = "  %0 = buffer_load i32 raw %in %at\n  buffer_store i32 raw %out %at %0\n";
  EXPECT_TRUE(same_on_all(kCopy, {}, kWords - 1).shared);
  EXPECT_TRUE(same_on_all(kCopy, {}, kWords).apart);
  // texels, of which a store keeps a byte
  const Outcome texels = same_on_all(R"(  %x1 = ixor i32 %x 1
  %0 = texel_load f32 x3 texture2d %texture %x1 %y
  %1 = get f32 2 %0
  texel_store f32 texture2d %texture %x %y %1 0.5 0.0 1.0
)");
  EXPECT_TRUE(texels.shared);
}

TEST(Slices, LastGroupsThatReadWhatTheFirstWroteRunAgain) {
  const Outcome made = same_on_all(R"(  %is = ult i32 %thread 4096
  %far = isub i32 %at 65536
  %from = select i32 %is %at %far
  %0 = buffer_load i32 raw %in %from
  %1 = imul i32 %0 3
  buffer_store i32 raw %in %at %1
)");
  EXPECT_TRUE(made.shared);
  EXPECT_EQ(made.in[5], 5 * 2654435761U * 3);
}

TEST(Slices, AtomicsOnWhatIsReadAreSeen) {
  const Outcome made = same_on_all(R"(  %low = iand i32 %at 4092
  %0 = buffer_load i32 raw %in %low
  %1 = buffer_atomic i32 raw add %in %low 5
  buffer_store i32 raw %out %at %0
)");
  EXPECT_TRUE(made.shared);
}

// Each thread waits until one of another group wrote: if that is a later one, for ever.
TEST(Slices, WaitingEndsAsOnOneThread) {
  constexpr std::string_view kWait = R"(  jump ^1
^1:
  %last = isub i32 %at BACK
  %0 = buffer_load i32 raw %out %last
  %is = ieq i32 %0 7
  %first = ult i32 %thread 2048
  %waits = select b1 %first false %is
  branch %waits ^1 ^2
^2:
  buffer_store i32 raw %out %at 8
)";
  std::string text(kWait);
  text.replace(text.find("BACK"), 4, "8192");
  EXPECT_EQ(same_on_all(text).report.stop, Stop::finished);
  text.replace(text.find("8192"), 4, "-8192");
  EXPECT_EQ(same_on_all(text, {.operations = 100'000}).report.stop, Stop::budget);
}

// Each lane changes words of eight pages of 32 MiB: no slice can keep so many.
TEST(Slices, ThatWriteMorePagesThanTheyKeepRunInTheirTurn) {
  const Program program = program_of(std::string(kHead) + R"(  jump ^1
^1:
  %k = phi i32 ^0 0 ^1 %next
  %number = iadd i32 %thread %k
  %place = imul i32 %number 2654435760
  %far = iand i32 %place 33554428
  %0 = buffer_load i32 raw %in %far
  %1 = iadd i32 %0 1
  buffer_store i32 raw %in %far %1
  %next = iadd i32 %k 100000
  %more = ult i32 %next 800000
  branch %more ^1 ^2
^2:
  return
}
)");
  const auto run = [&](unsigned threads) {
    std::vector<std::uint32_t> words(std::size_t{1} << 23);
    Resources resources = empty_resources(program.module());
    for (auto& row : resources.rows) row.resize(1);
    resources.rows[0][0].bytes = std::as_writable_bytes(std::span(words));
    EXPECT_TRUE(dispatch(program, resources, kGroups, {}, {}, {.threads = threads}));
    return words;
  };
  EXPECT_EQ(run(1), run(2));
}

/// A program of a few loads and stores at places of many kinds, of which some depend on what was loaded.
std::string random_accesses(std::mt19937& random) {
  const auto below = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  std::string text = "  %v0 = ixor i32 %thread 1234567\n";
  unsigned values = 1;
  const unsigned count = 3 + below(5);
  for (unsigned k = 0; k < count; ++k) {
    const std::string number = std::to_string(k), value = "%v" + std::to_string(below(values));
    const unsigned kind = below(10);
    const std::string place = kind < 4 ? "%at" : kind < 7 ? "%p" + number : kind < 8 ? std::to_string(4 * below(kWords)) : "%q" + number;
    constexpr unsigned kMasks[] = {4, 32, 64, 512, 4096, 65536};
    if (kind >= 4 && kind < 7) text += "  %p" + number + " = ixor i32 %at " + std::to_string(kMasks[below(6)]) + "\n";
    if (kind >= 8) text += "  %q" + number + " = iand i32 " + value + " 131068\n";
    const std::string buffer = below(4) == 0 ? "%out" : "%in";
    switch (below(5)) {
      case 0:
      case 1:
        text += "  %l" + number + " = buffer_load i32 raw " + buffer + ' ' + place + "\n  %v" + std::to_string(values) + " = iadd i32 %l" +
                number + ' ' + value + "\n";
        ++values;
        break;
      case 2: text += "  %a" + number + " = buffer_atomic i32 raw umax " + buffer + ' ' + place + ' ' + value + "\n"; break;
      default: text += "  buffer_store i32 raw " + buffer + ' ' + place + ' ' + value + "\n"; break;
    }
  }
  return text;
}

TEST(Slices, AccessesAtRandomGiveWhatOneThreadGives) {
  constexpr unsigned kPrograms = test::effort(150U, 30U);
  std::mt19937 random(20'261'201);
  unsigned shared = 0;
  for (unsigned k = 0; k < kPrograms && !HasFailure(); ++k)
    shared += same_on_all(random_accesses(random), {}, k % 3 == 0 ? 1024 : 0).shared ? 1 : 0;
  EXPECT_GT(shared, kPrograms / 3);
}

TEST(Slices, SizesMayBeAskedForOfWhatIsWritten) {
  EXPECT_TRUE(
      same_on_all("  %0 = query_size x2 texture2d %texture\n  %1 = get i32 0 %0\n  texel_store i32 texture2d %texture %x %y %1 %1 %1 %1\n")
          .apart);
}

TEST(Slices, MemoryOfGroupsIsTheirOwn) {
  const Outcome made = same_on_all(R"(  %place = imul i32 %local 4
  store i32 @shared %place %thread
  barrier sync_group|group_memory
  jump ^1
^1:
  %other = isub i32 124 %place
  %value = load i32 @shared %other
  buffer_store i32 raw %out %at %value
)");
  EXPECT_TRUE(made.apart);
  EXPECT_EQ(made.out[0], 3U * 512 + 7);
}

TEST(Slices, StopsWhereOneThreadDoes) {
  // both waves of a group stop at the same operation of all groups
  const Outcome budget = same_on_all("  buffer_store i32 raw %out %at %thread\n", {.operations = 9999});
  EXPECT_EQ(budget.report.stop, Stop::budget);
  const Outcome fault = same_on_all(R"(  buffer_store i32 raw %out %at %thread
  %is = ieq i32 %thread 20000
  branch %is ^1 ^2
^1:
  trap 3
  jump ^2
^2:
)");
  EXPECT_EQ(fault.report.stop, Stop::fault);
  EXPECT_TRUE(fault.report.fault.find("trap 3") != std::string::npos) << fault.report.fault;
}

TEST(Slices, ManyStoresRunInTheirTurn) {
  const Outcome made = same_on_all(R"(  jump ^1
^1:
  %k = phi i32 ^0 0 ^1 %next
  %sum = iadd i32 %k %thread
  buffer_store i32 raw %out %at %sum
  %next = iadd i32 %k 1
  %more = ult i32 %next 260
  branch %more ^1 ^2
^2:
)");
  EXPECT_TRUE(made.apart);
  EXPECT_EQ(made.out[1], 260U);
}

constexpr std::string_view kPoints = R"(stage geometry
info input_primitive point streams 1 point_list max_vertices 4
input "ID" type i32 register 0 columns 1
output "ID" type i32 register 0 columns 1

function @main {
^0:
  %id = input i32 in0.x vertex 0
  output i32 out0.x %id
  emit 0
  cut 0
  return
}
)";

TEST(Slices, LanesKeepTheirOrder) {
  const Program program = program_of(std::string(kPoints));
  const auto run = [&](unsigned threads, const Limits& limits) {
    Lanes lanes;
    lanes.count = 5000;
    for (std::uint64_t k = 0; k < lanes.count; ++k) lanes.inputs.push_back(k * k);
    Resources none = empty_resources(program.module());
    const auto done = run_lanes(program, none, lanes, limits, {}, {.threads = threads});
    EXPECT_TRUE(done);
    std::string text = std::string(id(done->stop)) + ' ' + std::to_string(done->operations);
    for (const std::uint64_t value : lanes.outputs) text += ' ' + std::to_string(value);
    for (const Lanes::Vertex& one : lanes.emitted) {
      text += '\n' + std::to_string(one.lane) + (one.cut ? " cut" : "");
      for (const std::uint64_t value : one.outputs) text += ' ' + std::to_string(value);
    }
    return text;
  };
  EXPECT_EQ(run(1, {}), run(4, {}));
  EXPECT_EQ(run(1, {.emitted = 3333}), run(4, {.emitted = 3333}));
  EXPECT_EQ(run(1, {.operations = 200}), run(4, {.operations = 200}));
}

}  // namespace
}  // namespace unshade::vm
