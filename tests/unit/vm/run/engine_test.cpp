#include "vm/run/engine.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;

TEST(Engine, SlotsOfEachWaveBeginWithACacheLine) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  store(b, thread, thread);
  b.return_values();
  const Program program = machine.ready();
  Resources resources = empty_resources(program.module());
  Engine engine(program.data(), resources, {}, {});
  make_waves(engine, 9);
  for (const Wave& wave : engine.waves) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wave.slots.data()) % 64, 0U);
}

}  // namespace
}  // namespace unshade::vm
