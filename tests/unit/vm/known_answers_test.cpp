// Programs with answers that are known, or that C++ gives in the same arithmetic.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <unshade/ir/builder.hpp>
#include <unshade/vm/machine.hpp>

#include "unit/vm/machine_support.hpp"

namespace unshade::vm {
namespace {

using namespace test;

// On all instruction sets, in waves of several sizes.
void expect_everywhere(Machine& machine, const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after) {
  for (const Isa isa : available_isas())
    for (const unsigned wave : {4U, 32U, 64U})
      EXPECT_EQ(machine.run(before, {1, 1, 1}, {.wave = wave, .isa = isa}), after) << id(isa) << wave;
}

// Fractions of the cube roots of the first 64 primes. src: FIPS 180-4, 4.2.2
std::array<std::uint32_t, 64> sha_constants() {
  std::array<std::uint32_t, 64> constants{};
  std::uint32_t prime = 1;
  for (std::uint32_t& constant : constants) {
    for (bool found = false; !found;) {
      ++prime;
      found = true;
      for (std::uint32_t d = 2; d * d <= prime; ++d) found = found && prime % d != 0;
    }
    const double root = std::cbrt(prime);
    constant = static_cast<std::uint32_t>((root - std::floor(root)) * 0x1p32);
  }
  return constants;
}

TEST(KnownAnswers, Sha256OfOneBlock) {
  const std::array<std::uint32_t, 64> constants = sha_constants();
  Machine machine({8, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const auto two = [&](Op op, Id x, Id y) { return b.inst(op, Type::i32, {x, y}); };
  const auto rotated = [&](Id x, std::uint32_t n) { return two(Op::ior, two(Op::ushr, x, b.i32(n)), two(Op::ishl, x, b.i32(32 - n))); };
  const auto three = [&](Op op, Id x, Id y, Id z) { return two(op, two(op, x, y), z); };
  const Id thread = builtin(b, ir::Builtin::thread_id);
  std::vector<Id> w;
  for (std::uint32_t i = 0; i < 16; ++i) w.push_back(load(b, two(Op::iadd, two(Op::imul, thread, b.i32(16)), b.i32(i))));
  for (std::size_t i = 16; i < 64; ++i) {
    const Id s0 = three(Op::ixor, rotated(w[i - 15], 7), rotated(w[i - 15], 18), two(Op::ushr, w[i - 15], b.i32(3)));
    const Id s1 = three(Op::ixor, rotated(w[i - 2], 17), rotated(w[i - 2], 19), two(Op::ushr, w[i - 2], b.i32(10)));
    w.push_back(two(Op::iadd, three(Op::iadd, w[i - 16], s0, w[i - 7]), s1));
  }
  constexpr std::array<std::uint32_t, 8> kFirst = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<Id, 8> v{};
  for (std::size_t i = 0; i < 8; ++i) v[i] = b.i32(kFirst[i]);
  for (std::size_t i = 0; i < 64; ++i) {
    const auto [a, bb, c, d, e, f, g, h] = v;
    const Id s1 = three(Op::ixor, rotated(e, 6), rotated(e, 11), rotated(e, 25));
    const Id choice = two(Op::ixor, two(Op::iand, e, f), two(Op::iand, b.inst(Op::inot, Type::i32, {e}), g));
    const Id t1 = two(Op::iadd, three(Op::iadd, h, s1, choice), two(Op::iadd, b.i32(constants[i]), w[i]));
    const Id s0 = three(Op::ixor, rotated(a, 2), rotated(a, 13), rotated(a, 22));
    const Id majority = three(Op::ixor, two(Op::iand, a, bb), two(Op::iand, a, c), two(Op::iand, bb, c));
    v = {two(Op::iadd, t1, two(Op::iadd, s0, majority)), a, bb, c, two(Op::iadd, d, t1), e, f, g};
  }
  for (std::uint32_t i = 0; i < 8; ++i)
    store(b, two(Op::iadd, two(Op::imul, thread, b.i32(8)), b.i32(128 + i)), two(Op::iadd, v[i], b.i32(kFirst[i])));
  b.return_values();

  // "abc". src: FIPS 180-4, examples
  std::vector<std::uint32_t> before(192);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    before[lane * 16] = 0x61626380;
    before[lane * 16 + 15] = 24;
  }
  constexpr std::array<std::uint32_t, 8> kAnswer = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                                    0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  std::vector<std::uint32_t> after = before;
  for (std::size_t i = 0; i < 64; ++i) after[128 + i] = kAnswer[i % 8];
  expect_everywhere(machine, before, after);
}

// Rounds until |z| is above 2, 100 at most, of points that most often leave at different times.
template <class Number>
std::uint32_t rounds_of(std::uint32_t thread) {
  const Number x = static_cast<Number>(thread % 8) * static_cast<Number>(0.3125) - 2;
  const Number y = static_cast<Number>(thread / 8) * static_cast<Number>(0.28125) - 1;
  Number zx = 0, zy = 0;
  std::uint32_t round = 0;
  for (; round < 100 && zx * zx + zy * zy <= 4; ++round) {
    const Number next = zx * zx - zy * zy + x;
    zy = 2 * zx * zy + y;
    zx = next;
  }
  return round;
}

template <class Number>
void mandelbrot(Type type) {
  Machine machine({64, 1, 1});
  Builder b(machine.module.functions[0]);
  ir::SsaVariables v(b);
  const auto zx = v.declare(type), zy = v.declare(type), round = v.declare(Type::i32);
  const auto number = [&](double value) { return type == Type::f64 ? b.f64(value) : b.f32(static_cast<float>(value)); };
  const auto two = [&](Op op, Id p, Id q) { return b.inst(op, type, {p, q}); };
  const BlockId entry = b.block(), header = b.block(), test_block = b.block(), body = b.block(), exit = b.block();
  b.at(entry);
  const Id thread = builtin(b, ir::Builtin::thread_id);
  const auto float_of = [&](Id value) { return b.inst(Op::u_to_f, type, {value}); };
  const Id x = two(Op::fadd, two(Op::fmul, float_of(b.inst(Op::iand, Type::i32, {thread, b.i32(7)})), number(0.3125)), number(-2));
  const Id y = two(Op::fadd, two(Op::fmul, float_of(b.inst(Op::ushr, Type::i32, {thread, b.i32(3)})), number(0.28125)), number(-1));
  v.write(zx, number(0));
  v.write(zy, number(0));
  v.write(round, b.i32(0));
  b.jump(header);
  b.at(header);
  b.branch(b.inst(Op::ult, Type::i32, {v.read(round), b.i32(100)}), test_block, exit);
  b.at(test_block);
  const Id xx = two(Op::fmul, v.read(zx), v.read(zx));
  const Id yy = two(Op::fmul, v.read(zy), v.read(zy));
  b.branch(b.inst(Op::fle, type, {two(Op::fadd, xx, yy), number(4)}), body, exit);
  b.at(body);
  const Id next = two(Op::fadd, two(Op::fsub, xx, yy), x);
  v.write(zy, two(Op::fadd, two(Op::fmul, two(Op::fmul, number(2), v.read(zx)), v.read(zy)), y));
  v.write(zx, next);
  v.write(round, b.inst(Op::iadd, Type::i32, {v.read(round), b.i32(1)}));
  b.jump(header);
  b.at(exit);
  store(b, thread, v.read(round));
  b.return_values();
  v.finish();
  std::vector<std::uint32_t> after(64);
  for (std::uint32_t i = 0; i < 64; ++i) after[i] = rounds_of<Number>(i);
  expect_everywhere(machine, std::vector<std::uint32_t>(64), after);
}
TEST(KnownAnswers, MandelbrotInFloat) { mandelbrot<float>(Type::f32); }
TEST(KnownAnswers, MandelbrotInDouble) { mandelbrot<double>(Type::f64); }

TEST(KnownAnswers, DenormalsOfDoublesAreKeptWhileThoseOfFloatsAreFlushed) {
  Machine machine({4, 1, 1});
  Builder b(machine.module.functions[0]);
  b.at(b.block());
  const Id small = b.inst(Op::pack64, Type::f64, {load(b, b.i32(0)), b.i32(0)});
  const Id sum = b.inst(Op::unpack64, Type::f64, {b.inst(Op::fadd, Type::f64, {small, small})});
  store(b, b.i32(1), b.get(sum, Type::i32, 0));
  const Id small_float = b.as(Type::f32, load(b, b.i32(0)));
  store(b, b.i32(2), b.as(Type::i32, b.inst(Op::fadd, Type::f32, {small_float, small_float})));
  b.return_values();
  expect_everywhere(machine, {3, 9, 9}, {3, 6, 0});
}

TEST(KnownAnswers, SumsInF24RoundAsTheModuleSays) {
  struct Answer {
    ir::F24 mode;
    float sum;
  };
  for (const Answer& answer :
       {Answer{ir::F24::truncate, 1.0F}, Answer{ir::F24::nearest, 1.0F + 0x1p-16F}, Answer{ir::F24::as_f32, 1.0F + 0x1.8p-17F}}) {
    Machine machine({4, 1, 1});
    machine.module.modes.f24 = answer.mode;
    Builder b(machine.module.functions[0]);
    b.at(b.block());
    const auto f24 = [&](std::uint32_t index) { return b.inst(Op::f_to_f, Type::f24, {b.as(Type::f32, load(b, b.i32(index)))}); };
    const Id sum = b.inst(Op::fadd, Type::f24, {f24(0), f24(1)});
    store(b, b.i32(2), b.as(Type::i32, b.inst(Op::f_to_f, Type::f32, {sum})));
    b.return_values();
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    expect_everywhere(machine, {bits(1), bits(0x1.8p-17F), 0}, {bits(1), bits(0x1.8p-17F), bits(answer.sum)});
  }
}

}  // namespace
}  // namespace unshade::vm
