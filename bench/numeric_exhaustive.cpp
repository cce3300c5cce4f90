// The unary f32 functions of the numeric rules over all 2^32 arguments: numeric_exhaustive [FUNCTION...].
// Compares with the double functions of the C library, whose errors are below 2^-26 units in the last place (ulp) of f32, and with MPFR
// where a result is that near to the middle of two f32. Negative arguments of odd and even functions with our own results. A function takes
// about a minute. Denormals are preserved. Prints the greatest error in ulp, an argument that has it, and how many results are not the
// nearest f32.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>

#include <mpfr.h>

#include <unshade/ir/numeric/rules.hpp>

namespace {

using namespace unshade::ir;
using numeric::F32;
constexpr int kLanes = 16;

enum class Symmetry { none, odd, even };

struct Function {
  std::string_view name;
  F32<kLanes> (*ours)(const F32<kLanes>&);
  double (*reference)(double);
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  Symmetry symmetry = Symmetry::none;
};

template <Op O>
F32<kLanes> apply(const F32<kLanes>& v) {
  return numeric::Rule<O>::template apply<Type::f32>(v);
}
int reciprocal(mpfr_t result, const mpfr_t v, mpfr_rnd_t mode) { return mpfr_ui_div(result, 1, v, mode); }
// MPFR has no reciprocal root of -0 that is -inf, and no value at all of NaN arguments that matters.
const Function kFunctions[] = {
    {"fsqrt", apply<Op::fsqrt>, std::sqrt, mpfr_sqrt},
    {"frcp", apply<Op::frcp>, [](double v) { return 1 / v; }, reciprocal},
    {"frsqrt", apply<Op::frsqrt>, [](double v) { return 1 / std::sqrt(v); }, mpfr_rec_sqrt},
    {"fexp2", apply<Op::fexp2>, std::exp2, mpfr_exp2},
    {"flog2", apply<Op::flog2>, [](double v) { return v == 0 ? -HUGE_VAL : std::log2(v); }, mpfr_log2},
    {"fsin", apply<Op::fsin>, std::sin, mpfr_sin, Symmetry::odd},
    {"fcos", apply<Op::fcos>, std::cos, mpfr_cos, Symmetry::even},
    {"ftan", apply<Op::ftan>, std::tan, mpfr_tan, Symmetry::odd},
    {"fasin", apply<Op::fasin>, std::asin, mpfr_asin, Symmetry::odd},
    {"facos", apply<Op::facos>, std::acos, mpfr_acos},
    {"fatan", apply<Op::fatan>, std::atan, mpfr_atan, Symmetry::odd},
    {"fsinh", apply<Op::fsinh>, std::sinh, mpfr_sinh, Symmetry::odd},
    {"fcosh", apply<Op::fcosh>, std::cosh, mpfr_cosh, Symmetry::even},
    {"ftanh", apply<Op::ftanh>, std::tanh, mpfr_tanh, Symmetry::odd},
};

// The f32 nearest to the exact result: the double one rounded twice is that but near the middle of two f32.
float nearest(const Function& function, float v) {
  mpfr_t argument;
  mpfr_t result;
  mpfr_init2(argument, 24);
  mpfr_init2(result, 200);
  mpfr_set_flt(argument, v, MPFR_RNDN);
  function.exact(result, argument, MPFR_RNDN);
  const float rounded = mpfr_get_flt(result, MPFR_RNDN);
  mpfr_clear(argument);
  mpfr_clear(result);
  return rounded;
}

// A unit in the last place of the f32 near a double.
double unit(double v) {
  const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(v) >> 52 & 0x7ff);
  return std::bit_cast<double>(static_cast<std::uint64_t>(std::max(exponent - 23, 1023 - 149)) << 52);
}

void compare(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  double greatest = 0;
  float worst = 0;
  std::uint64_t wrong = 0;
  std::uint64_t not_nearest = 0;
  std::uint64_t asked = 0;
  for (std::uint64_t base = 0; base < std::uint64_t{1} << 32; base += kLanes) {
    numeric::U32<kLanes> words;
    for (int i = 0; i < kLanes; ++i) words.set_lane(i, static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(i));
    const auto arguments = numeric::as_float(words);
    const auto results = function.ours(arguments);
    if (base >= std::uint64_t{1} << 31 && function.symmetry != Symmetry::none) {
      const auto expected = function.ours(numeric::fabs<Type::f32>(arguments));
      const auto mirrored = function.symmetry == Symmetry::odd ? numeric::fneg<Type::f32>(expected) : expected;
      const auto differ = (numeric::bits(results) != numeric::bits(mirrored)) & ((results == results) | (mirrored == mirrored));
      for (int i = 0; i < kLanes; ++i) wrong += differ.lane(i) & 1;
      continue;
    }
    for (int i = 0; i < kLanes; ++i) {
      const float argument = arguments.lane(i);
      const float result = results.lane(i);
      const double expected = function.reference(argument);
      if (std::isnan(expected) || std::isinf(expected) || expected == 0) {
        // Exact, with the sign of zeros.
        const bool same = std::isnan(expected) ? std::isnan(result) : expected == result && std::signbit(expected) == std::signbit(result);
        if (!same && wrong++ < 5) std::printf("%s(%a) = %a, expected %a\n", function.name.data(), argument, result, expected);
        continue;
      }
      const auto rounded = static_cast<float>(expected);
      const double ulp = unit(expected);
      if (std::isinf(result)) {
        if (!std::isinf(rounded)) ++wrong;
        continue;
      }
      const double error = std::fabs(result - expected) / ulp;
      if (error > greatest) {
        greatest = error;
        worst = argument;
      }
      if (error > 0.5 - 0x1p-26 && error < 0.5 + 0x1p-26) {
        ++asked;
        if (result != nearest(function, argument)) ++not_nearest;
      } else if (result != rounded) {
        ++not_nearest;
      }
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("| %s | %.7f | %a | %llu | %llu | %llu | %.0f s |\n", function.name.data(), greatest, worst,
              static_cast<unsigned long long>(not_nearest), static_cast<unsigned long long>(asked), static_cast<unsigned long long>(wrong),
              took.count());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::printf(
      "| function | greatest error, ulp | at | not nearest | asked of MPFR | wrong specials | time |\n|---|---|---|---|---|---|---|\n");
  for (const Function& function : kFunctions) {
    bool asked = argc < 2;
    for (int i = 1; i < argc; ++i) asked = asked || function.name == argv[i];
    if (asked) compare(function);
  }
}
