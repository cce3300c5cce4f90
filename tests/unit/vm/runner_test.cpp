// A machine kept for several runs, what it computes once, and the order in which it executes.
#include <unshade/vm/machine.hpp>
#include <unshade/vm/text.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unit/vm/machine_support.hpp"
#include "vm/kernel_list.hpp"
#include "vm/program.hpp"

namespace unshade::vm {
namespace {

using namespace test;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

texel::Descriptor buffer(std::array<float, 2>& values) {
  texel::Descriptor made;
  made.bytes = std::as_writable_bytes(std::span(values));
  return made;
}

/// A vertex shader: position = in.x * k[0] * k[1] + in.y, where k is a constant buffer.
ir::Module scaling() {
  ir::Module module;
  module.stage = Stage::vertex;
  ir::Resource constants;
  constants.name = "k";
  constants.kind = dxcontainer::ResourceKind::cbuffer;
  constants.bytes = 8;
  module.resources.push_back(constants);
  ir::Element element;
  element.semantic = "IN";

  element.columns = 2;
  module.signatures.input.push_back(element);
  element.semantic = "SV_Position";
  element.columns = 1;
  module.signatures.output.push_back(element);
  ir::Function& function = module.functions.emplace_back();
  function.name = "main";
  Builder b(function);
  b.at(b.block());
  const auto in = [&](std::uint8_t column) {
    ir::ElementExtra extra;
    extra.column = column;
    return b.inst(Op::input, Type::f32, {}, {.extra = extra.bits()});
  };
  const Id x = in(0), y = in(1);
  const Id handle = b.inst(Op::handle, Type::void_, {b.i32(0)}, {.extra = 0});
  const auto constant = [&](std::uint32_t at) { return b.inst(Op::cbuffer_load, Type::f32, {handle, b.i32(at)}); };
  const Id scale = b.inst(Op::fmul, Type::f32, {constant(0), constant(4)});
  ir::ElementExtra out;
  out.signature = ir::SignatureKind::output;
  b.inst(Op::output, Type::f32, {b.inst(Op::fadd, Type::f32, {b.inst(Op::fmul, Type::f32, {x, scale}), y})}, {.extra = out.bits()});
  b.return_values();
  ir::canonicalize(module);
  return module;
}

Program ready(ir::Module module, unsigned wave = 4) {
  const auto verified = ir::verify(std::move(module));
  for (const Diagnostic& one : verified.diagnostics()) ADD_FAILURE() << to_string(one);
  auto program = prepare(*verified.valid(), {.wave = wave});
  EXPECT_TRUE(program) << to_string(program.error());
  return *program;
}

TEST(Runner, KeepsItsMemoryForAnyNumberOfLanes) {
  const Program program = ready(scaling());
  Resources resources = empty_resources(program.module());
  std::array<float, 2> constants{2, 3};
  resources.rows[0] = {buffer(constants)};
  Runner runner(program, resources);
  for (const std::uint32_t count : {1U, 5U, 3U, 300U}) {
    Lanes lanes;
    lanes.count = count;
    for (std::uint32_t lane = 0; lane < count; ++lane) lanes.inputs.push_back(bits(static_cast<float>(lane)));
    for (std::uint32_t lane = 0; lane < count; ++lane) lanes.inputs.push_back(bits(0.5F));
    const auto done = runner.run(lanes);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->stop, Stop::finished);
    ASSERT_EQ(lanes.outputs.size(), count);
    for (std::uint32_t lane = 0; lane < count; ++lane) EXPECT_EQ(lanes.outputs[lane], bits(static_cast<float>(lane) * 6 + 0.5F)) << count;
  }
}

TEST(Runner, ReadsConstantBuffersWhenTheyAreBound) {
  const Program program = ready(scaling());
  Resources resources = empty_resources(program.module());
  std::array<float, 2> constants{2, 3}, others{4, 4};
  resources.rows[0] = {buffer(constants)};
  Runner runner(program, resources);
  const auto first = [&] {
    Lanes lanes;
    lanes.count = 1;
    lanes.inputs = {bits(1), bits(0)};
    EXPECT_TRUE(runner.run(lanes));
    return lanes.outputs.at(0);
  };
  EXPECT_EQ(first(), bits(6));
  constants[0] = 5;
  runner.bind();
  EXPECT_EQ(first(), bits(15));
  resources.rows[0] = {buffer(others)};
  runner.bind();
  EXPECT_EQ(first(), bits(16));
}

TEST(Runner, BoundsAreOfEachRun) {
  const Program program = ready(scaling());
  Resources resources = empty_resources(program.module());
  Runner runner(program, resources, {.operations = 100});
  for (int run = 0; run < 20; ++run) {
    Lanes lanes;
    lanes.count = 1;
    lanes.inputs = {0, 0};
    const auto done = runner.run(lanes);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->stop, Stop::finished);
    EXPECT_EQ(done->operations, program.data().blocks[0].operations + 1);
  }
}

TEST(Runner, MovesWithItsBoundsAndObserver) {
  ir::Module module = scaling();
  module.functions[0].sources.assign(module.functions[0].insts.size(), {.instruction = 0});
  const Program program = ready(module);
  Resources resources = empty_resources(program.module());
  Profile profile;
  Observer observer;
  observer.profile = &profile;
  std::optional<Runner> made(std::in_place, program, resources, Limits{.operations = 2}, observer);
  Runner moved(std::move(*made));
  made.emplace(program, resources);  // where the first one was
  Lanes lanes;
  lanes.count = 1;
  lanes.inputs = {0, 0};
  const auto done = moved.run(lanes);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->stop, Stop::budget);
  EXPECT_EQ(done->fault, "the run took more than 2 operations: stopped in lane 0, instruction 0");
  EXPECT_EQ(profile.waves, std::vector<std::uint64_t>{1});
}

TEST(Runner, BudgetIsOfAllWavesAndGroups) {
  // a group of 8 waves, each of which executes two operations and an end
  Machine machine({32, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  store(b, builtin(b, ir::Builtin::thread_id), b.i32(1));
  b.return_values();
  const Program program = machine.ready({.wave = 4});
  Resources resources = empty_resources(program.module());
  const auto run = [&](std::array<std::uint32_t, 3> groups, std::uint64_t operations) {
    return *dispatch(program, resources, groups, {.operations = operations});
  };
  const std::uint64_t one = run({1, 1, 1}, 1000).operations;
  EXPECT_EQ(run({10, 1, 1}, 10 * (one + 64)).stop, Stop::finished) << "beginning a wave counts as 8";
  EXPECT_EQ(run({1, 1, 1}, 64).operations, one / 8) << "when the first wave is stopped, the others do not begin";
  const Report stopped = run({10, 1, 1}, 10 * (one + 64) - 1);
  EXPECT_EQ(stopped.stop, Stop::budget);
  EXPECT_EQ(stopped.fault, "the run took more than " + std::to_string(10 * (one + 64) - 1) + " operations: stopped in thread group 9 0 0");
}

// Groups that do nothing, as many as there may be: a run of bounded time.
TEST(Runner, BudgetEndsGridsOfGroupsThatDoNothing) {
  Machine machine({1, 1, 1}, 32768);
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  b.return_values();
  const Program program = machine.ready();
  Resources resources = empty_resources(program.module());
  for (const unsigned threads : {1U, 3U}) {
    const auto done = dispatch(program, resources, {~0U, ~0U, ~0U}, {.operations = 100'000}, {}, {.threads = threads});
    ASSERT_TRUE(done);
    EXPECT_EQ(done->stop, Stop::budget);
    EXPECT_EQ(done->operations, 191U) << "of 521 that each group costs, 512 are for its memory";
    EXPECT_EQ(done->fault, "the run took more than 100000 operations: stopped in thread group 191 0 0");
  }
}

TEST(Runner, RefusesMoreMemoryThanItsLimit) {
  const Program program = ready(scaling());
  Resources resources = empty_resources(program.module());
  Runner runner(program, resources, {.memory = 16});
  Lanes lanes;
  lanes.count = 1;
  lanes.inputs = {0, 0};
  const auto done = runner.run(lanes);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::limit);
}

// Steps: what they are, and the number of instructions of each.
using Steps = std::vector<std::string>;
Steps steps_of(const Program::Data& data, std::uint32_t first, std::uint32_t count) {
  static constexpr const char* kKinds[] = {"kernel", "inputs", "outputs", "access"};
  Steps made;
  for (std::uint32_t at = first; at < first + count; ++at)
    made.push_back(kKinds[static_cast<std::size_t>(data.steps[at].kind)] + (' ' + std::to_string(data.steps[at].count)));
  return made;
}

TEST(Schedule, PreambleHasWhatConstantBuffersGive) {
  const Program program = ready(scaling());
  const Program::Data& data = program.data();
  // a handle, two loads and their product
  EXPECT_EQ(steps_of(data, 0, data.preamble_steps), (Steps{"access 1", "access 1", "access 1", "kernel 1"}));
  EXPECT_EQ(steps_of(data, data.blocks[0].first_step, data.blocks[0].step_count), (Steps{"inputs 2", "kernel 1", "outputs 1"}))
      << "a sum with its product";
}

TEST(Schedule, OperationsOfAKernelAreOneStep) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  Id sum = thread;
  std::vector<Id> products;
  for (std::uint32_t k = 2; k < 6; ++k) {
    products.push_back(b.inst(Op::imul, Type::i32, {thread, b.inst(Op::ixor, Type::i32, {thread, b.i32(k)})}));
    sum = b.inst(Op::iadd, Type::i32, {sum, products.back()});
  }
  store(b, thread, sum);
  b.return_values();
  const Program program = machine.ready({.wave = 4});
  const Program::Data& data = program.data();
  // the thread's number; the four ixor; five products, of which one is the address; four sums; the store
  EXPECT_EQ(steps_of(data, data.blocks[0].first_step, data.blocks[0].step_count),
            (Steps{"access 1", "kernel 4", "kernel 5", "kernel 4", "access 1"}));
  const auto memory = machine.run(std::vector<std::uint32_t>(8), {2, 1, 1});
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(memory[i], i + i * (i ^ 2) + i * (i ^ 3) + i * (i ^ 4) + i * (i ^ 5));
}

// Of three sums the first is needed by the second alone.
TEST(Schedule, SumsStayInARegister) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  const Id x = b.inst(Op::u_to_f, Type::f32, {thread});
  const auto mad = [&](Id a, Id c, Id sum) { return b.inst(Op::fmad, Type::f32, {a, c, sum}); };
  const Id first = mad(x, x, x), second = mad(x, x, first), third = mad(second, x, second);
  store(b, thread, b.inst(Op::f_to_u, Type::i32, {third}));
  b.return_values();
  const Program program = machine.ready({.wave = 4});
  std::vector<std::uint16_t> sums;
  for (const Code& code : program.data().code) {
    if (code.kernel == kernel_number(Op::fmad, Type::f32, Type::f32)) sums.push_back(code.more);
  }
  EXPECT_EQ(sums, (std::vector<std::uint16_t>{kDropped, kFromLast, kFromLast})) << "the second is an operand too";
  for (const unsigned wave : {4U, 32U}) {
    const auto memory = machine.run(std::vector<std::uint32_t>(4), {1, 1, 1}, {.wave = wave});
    for (std::uint32_t t = 0; t < 4; ++t) EXPECT_EQ(memory[t], (t * t + t * t + t) * (t + 1));
  }
}

// A product that one sum alone needs is one instruction with it; one that others need is not. Watched runs execute both.
TEST(Schedule, SumsTakeTheirProducts) {
  Machine machine({32, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  const Id x = b.inst(Op::u_to_f, Type::f32, {thread});
  const auto of = [&](Op op, Id a, Id c) { return b.inst(op, Type::f32, {a, c}); };
  const Id first = of(Op::fadd, of(Op::fmul, x, x), x);
  const Id second = of(Op::fadd, x, of(Op::fmul, first, x));
  const Id shared = of(Op::fmul, second, x);
  const Id third = of(Op::fadd, shared, second);
  store(b, thread, b.inst(Op::f_to_u, Type::i32, {of(Op::fadd, third, of(Op::fsub, shared, x))}));
  b.return_values();
  const Program program = machine.ready();
  const auto count = [&](const std::vector<Code>& codes, Op op) {
    return std::ranges::count(codes, kernel_number(op, Type::f32, Type::f32), &Code::kernel);
  };
  EXPECT_EQ(count((*watched_data(program.data()))->code, Op::fmad), 0);
  EXPECT_EQ(count(program.data().code, Op::fmad), 2);
  EXPECT_EQ(count(program.data().code, Op::fmul), 1);
  EXPECT_EQ(count(program.data().code, Op::fsub), 1);
  EXPECT_EQ(count(program.data().code, Op::fadd), 0) << "the last two are a pair";
  for (const unsigned wave : {4U, 16U, 32U, 64U}) {
    const auto memory = machine.run(std::vector<std::uint32_t>(32), {1, 1, 1}, {.wave = wave});
    for (std::uint32_t t = 0; t < 32; ++t) {
      const std::uint32_t expected = t + (t * t + t) * t;
      EXPECT_EQ(memory[t], expected * t + expected + (expected * t - t)) << "waves of " << wave;
    }
  }
}

// Runs that nobody watches need no slots for the products of these sums. As many constants leave room for those, and not for the products.
TEST(Schedule, WhatWatchedRunsNeedMayBeTooMuch) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  const Id wide = b.inst(Op::zext, Type::i64, {thread});
  for (std::uint32_t k = 0; k < 32'744; ++k) b.inst(Op::iadd, Type::i64, {wide, b.constant(Type::i64, k)});
  const Id x = b.inst(Op::u_to_f, Type::f32, {thread});
  std::vector<Id> products(64);
  for (Id& product : products) product = b.inst(Op::fmul, Type::f32, {x, x});
  Id sum = x;
  for (const Id product : products) sum = b.inst(Op::fadd, Type::f32, {sum, product});
  store(b, thread, b.inst(Op::f_to_u, Type::i32, {sum}));
  b.return_values();
  EXPECT_EQ(machine.run(std::vector<std::uint32_t>(4), {1, 1, 1}), (std::vector<std::uint32_t>{0, 65, 258, 579}));
  const Program program = machine.ready();
  Profile profile;
  Observer observer;
  observer.profile = &profile;
  Resources resources = empty_resources(program.module());
  const auto watched = dispatch(program, resources, {1, 1, 1}, {}, observer);
  ASSERT_FALSE(watched);
  EXPECT_EQ(watched.error().code, ErrorCode::limit);
  EXPECT_TRUE(print(program, Listing::slots).starts_with("; error[limit]")) << print(program, Listing::slots).substr(0, 80);
}

// An operation that one other alone needs is one instruction with it, unless that is one with another already.
TEST(Schedule, OperationsAreInPairs) {
  Machine machine({32, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id thread = builtin(b, ir::Builtin::thread_id);
  const Id x = b.inst(Op::u_to_f, Type::f32, {thread});
  const auto of = [&](Op op, Id a, Id c) { return b.inst(op, Type::f32, {a, c}); };
  const Id left = of(Op::fsub, of(Op::fmul, x, x), x), right = of(Op::fsub, x, of(Op::fmul, left, left));
  const Id least = of(Op::fmin, of(Op::fadd, right, left), x), most = of(Op::fmax, least, of(Op::fsub, left, right));
  const Id three = of(Op::fmul, of(Op::fsub, of(Op::fsub, most, x), left), left);
  store(b, thread, b.inst(Op::f_to_s, Type::i32, {three}));
  b.return_values();
  const Program program = machine.ready();
  std::vector<std::uint16_t> pairs;
  std::size_t singles = 0;
  for (const Code& code : program.data().code) {
    if (code.kernel >= kKernelRows.size() && code.kernel < kKernelCount) pairs.push_back(code.kernel);
    if (code.kernel == kernel_number(Op::fmul, Type::f32, Type::f32)) ++singles;
  }
  const auto number = [](Op first, Op second, bool on_right) { return static_cast<std::uint16_t>(pair_number(first, second, on_right)); };
  EXPECT_EQ(pairs, (std::vector<std::uint16_t>{number(Op::fmul, Op::fsub, false), number(Op::fmul, Op::fsub, true),
                                               number(Op::fadd, Op::fmin, false), number(Op::fsub, Op::fmax, true),
                                               number(Op::fsub, Op::fsub, false)}));
  EXPECT_EQ(singles, 1U) << "the last product: what it multiplies is a pair";
  for (const unsigned wave : {4U, 16U, 32U, 64U}) {
    const auto memory = machine.run(std::vector<std::uint32_t>(32), {1, 1, 1}, {.wave = wave});
    for (std::uint32_t t = 0; t < 32; ++t) {
      const float value = static_cast<float>(t), a = value * value - value, c = value - a * a;
      const float larger = std::max(std::min(c + a, value), a - c);
      EXPECT_EQ(static_cast<std::int32_t>(memory[t]), static_cast<std::int32_t>((larger - value - a) * a)) << t << " in waves of " << wave;
    }
  }
}

TEST(Schedule, ValuesOfLoopsStayInThem) {
  // for (i = 0; i < 4; ++i) sum = sum * 3 + thread: sum and i depend on what ran before, 3 does not
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  ir::SsaVariables v(b);
  const auto sum = v.declare(Type::i32), i = v.declare(Type::i32);
  const BlockId entry = b.block(), body = b.block(), exit = b.block();
  b.at(entry);
  const Id thread = builtin(b, ir::Builtin::thread_id);
  v.write(sum, b.i32(1));
  v.write(i, b.i32(0));
  b.jump(body);
  b.at(body);
  v.write(sum, b.inst(Op::iadd, Type::i32, {b.inst(Op::imul, Type::i32, {v.read(sum), b.i32(3)}), thread}));
  v.write(i, b.inst(Op::iadd, Type::i32, {v.read(i), b.i32(1)}));
  b.branch(b.inst(Op::ult, Type::i32, {v.read(i), b.i32(4)}), body, exit);
  b.at(exit);
  store(b, thread, v.read(sum));
  b.return_values();
  v.finish();
  const auto memory = machine.run(std::vector<std::uint32_t>(4), {1, 1, 1});
  for (std::uint32_t t = 0; t < 4; ++t) {
    std::uint32_t expected = 1;
    for (int k = 0; k < 4; ++k) expected = expected * 3 + t;
    EXPECT_EQ(memory[t], expected);
  }
}

}  // namespace
}  // namespace unshade::vm
