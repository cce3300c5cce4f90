// What a profile tells of memory: bytes of all lanes, and in how many ranges they lie.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;

constexpr std::uint32_t kLanes = 32;

struct Moved {
  std::uint64_t bytes, ranges;
  bool operator==(const Moved&) const = default;
};

/// What one wave of 32 lanes moves by what `build` adds, which gets the number of each lane.
Moved moved(unsigned wave, const std::function<void(Builder&, Id thread)>& build) {
  Machine machine({kLanes, 1, 1}, 256);
  machine.module.variables.push_back({"own", ir::Space::private_, 0, 64, std::vector<std::byte>(64)});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  b.from({.instruction = 0});
  build(b, thread);
  b.from({});
  b.return_values();
  std::vector<std::uint32_t> memory(1024, 3);
  const Program program = machine.ready({.wave = wave});
  Resources resources = empty_resources(machine.module);
  resources.rows[0].resize(1);
  resources.rows[0][0].bytes = std::as_writable_bytes(std::span(memory));
  Profile profile;
  Observer observer;
  observer.profile = &profile;
  const auto done = dispatch(program, resources, {1, 1, 1}, {}, observer);
  EXPECT_TRUE(done && done->stop == Stop::finished);
  return {profile.bytes.at(0), profile.ranges.at(0)};
}

Id times(Builder& b, Id value, std::uint32_t by) { return b.inst(Op::imul, Type::i32, {value, b.i32(by)}); }
Id loaded(Builder& b, Id at, std::uint8_t count) { return b.inst(Op::buffer_load, Type::i32, {out(b), at}, {.results = count}); }

TEST(Traffic, LanesSideBySideAreOneRange) {
  for (const unsigned wave : {4U, 32U}) {
    const std::uint64_t waves = kLanes / wave;
    EXPECT_EQ(moved(wave, [](Builder& b, Id thread) { loaded(b, times(b, thread, 4), 1); }), (Moved{128, waves}));
    EXPECT_EQ(moved(wave, [](Builder& b, Id thread) { loaded(b, times(b, thread, 16), 4); }), (Moved{512, waves}));
    EXPECT_EQ(moved(wave, [](Builder& b, Id thread) { store(b, thread, thread); }), (Moved{128, waves}));
    // all mean the same
    EXPECT_EQ(moved(wave, [](Builder& b, Id thread) { loaded(b, times(b, thread, 0), 1); }), (Moved{128, waves}));
  }
}

TEST(Traffic, ScatteredLanesHaveRangesOfTheirOwn) {
  EXPECT_EQ(moved(32, [](Builder& b, Id thread) { loaded(b, times(b, thread, 32), 2); }), (Moved{256, 32}));
  EXPECT_EQ(moved(32, [](Builder& b, Id thread) { store(b, times(b, thread, 2), thread); }), (Moved{128, 32}));
  EXPECT_EQ(moved(32,
                  [](Builder& b, Id thread) {
                    ir::BufferExtra add;
                    b.inst(Op::buffer_atomic, Type::i32, {out(b), times(b, thread, 8), thread}, {.extra = add.bits()});
                  }),
            (Moved{128, 32}));
}

TEST(Traffic, LanesThatAreOutsideMoveNothing) {
  // the buffer has 4,096 bytes, of which the last lanes would need more
  EXPECT_EQ(moved(32, [](Builder& b, Id thread) { loaded(b, times(b, thread, 256), 1); }), (Moved{64, 16}));
}

TEST(Traffic, VariablesCountToo) {
  const auto load_of = [](std::uint32_t variable, std::uint32_t step) {
    return [=](Builder& b, Id thread) { b.inst(Op::load, Type::i32, {times(b, thread, step)}, {.extra = variable}); };
  };
  EXPECT_EQ(moved(32, load_of(0, 4)), (Moved{128, 1}));
  EXPECT_EQ(moved(32, load_of(0, 8)), (Moved{128, 32}));
  // a word of all lanes is a row
  EXPECT_EQ(moved(32, load_of(1, 0)), (Moved{128, 1}));
}

}  // namespace
}  // namespace unshade::vm
