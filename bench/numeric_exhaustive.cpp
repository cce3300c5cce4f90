// The unary f32 functions of the numeric rules over all 2^32 arguments: numeric_exhaustive [every=N] [FUNCTION...]. With every=N only over
// sixteen arguments in a row of N times sixteen. Compares with the double functions of the C library's vector part, whose errors are below
// 2^-26 units in the last place (ulp) of f32, and with MPFR where a result is within 2^-24 ulp of the middle of two f32; negative arguments
// of odd and even functions with our own results. Denormals are preserved. Prints the greatest error in ulp, an argument that has it, and
// how many results are not the nearest f32. A function takes a minute at most.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <immintrin.h>
#include <mpfr.h>

#include <unshade/ir/numeric/rules.hpp>

extern "C" {
#define DECLARE(name) __m256d _ZGVdN4v_##name(__m256d);
DECLARE(exp2)
DECLARE(log2)
DECLARE(sin)
DECLARE(cos)
DECLARE(tan)
DECLARE(asin)
DECLARE(acos)
DECLARE(atan)
DECLARE(sinh)
DECLARE(cosh)
DECLARE(tanh)
#undef DECLARE
}

namespace {

using namespace unshade::ir;
constexpr int kLanes = 16;
using F32 = numeric::F32<kLanes>;
using F64 = numeric::F64<kLanes>;

enum class Symmetry { none, odd, even };

struct Function {
  std::string_view name;
  F32 (*ours)(const F32&);
  F64 (*reference)(const F64&);
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  F64 (*ours_double)(const F64&);
  double range = 0;  // of arguments of f64 whose results are finite numbers; 0: all
  Symmetry symmetry = Symmetry::none;
};

template <Op O>
F32 apply(const F32& v) {
  return numeric::Rule<O>::template apply<Type::f32>(v);
}
template <Op O>
F64 apply_double(const F64& v) {
  return numeric::Rule<O>::template apply<Type::f64>(v);
}
template <__m256d (*F)(__m256d)>
F64 library(const F64& v) {
  F64 result;
  for (std::size_t i = 0; i < F64::kParts; ++i) result.parts[i] = F(v.parts[i]);
  return result;
}
int reciprocal(mpfr_t result, const mpfr_t v, mpfr_rnd_t mode) { return mpfr_ui_div(result, 1, v, mode); }

const Function kFunctions[] = {
    {"fsqrt", apply<Op::fsqrt>, [](const F64& v) { return numeric::square_root(v); }, mpfr_sqrt, apply_double<Op::fsqrt>, 0},
    {"frcp", apply<Op::frcp>, [](const F64& v) { return F64(1.0) / v; }, reciprocal, apply_double<Op::frcp>, 0},
    {"frsqrt", apply<Op::frsqrt>, [](const F64& v) { return F64(1.0) / numeric::square_root(v); }, mpfr_rec_sqrt, apply_double<Op::frsqrt>,
     0},
    {"fexp2", apply<Op::fexp2>, library<_ZGVdN4v_exp2>, mpfr_exp2, apply_double<Op::fexp2>, 1022},
    {"flog2", apply<Op::flog2>, library<_ZGVdN4v_log2>, mpfr_log2, apply_double<Op::flog2>, 0},
    {"fsin", apply<Op::fsin>, library<_ZGVdN4v_sin>, mpfr_sin, apply_double<Op::fsin>, 0, Symmetry::odd},
    {"fcos", apply<Op::fcos>, library<_ZGVdN4v_cos>, mpfr_cos, apply_double<Op::fcos>, 0, Symmetry::even},
    {"ftan", apply<Op::ftan>, library<_ZGVdN4v_tan>, mpfr_tan, apply_double<Op::ftan>, 0, Symmetry::odd},
    {"fasin", apply<Op::fasin>, library<_ZGVdN4v_asin>, mpfr_asin, apply_double<Op::fasin>, 1, Symmetry::odd},
    {"facos", apply<Op::facos>, library<_ZGVdN4v_acos>, mpfr_acos, apply_double<Op::facos>, 1},
    {"fatan", apply<Op::fatan>, library<_ZGVdN4v_atan>, mpfr_atan, apply_double<Op::fatan>, 0, Symmetry::odd},
    {"fsinh", apply<Op::fsinh>, library<_ZGVdN4v_sinh>, mpfr_sinh, apply_double<Op::fsinh>, 700, Symmetry::odd},
    {"fcosh", apply<Op::fcosh>, library<_ZGVdN4v_cosh>, mpfr_cosh, apply_double<Op::fcosh>, 700, Symmetry::even},
    {"ftanh", apply<Op::ftanh>, library<_ZGVdN4v_tanh>, mpfr_tanh, apply_double<Op::ftanh>, 30, Symmetry::odd},
};

// The f32 nearest to the exact result.
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

struct Findings {
  double greatest = 0;
  float worst = 0;
  unsigned long long not_nearest = 0;
  unsigned long long asked = 0;  // of MPFR
  unsigned long long wrong = 0;  // NaN, infinity, zeros
};

// Results that are not finite and zeros must be exact.
void compare_special(const Function& function, float argument, float result, double expected, Findings& findings) {
  const auto rounded = static_cast<float>(expected);
  const bool same = std::isnan(rounded) ? std::isnan(result) : rounded == result && std::signbit(rounded) == std::signbit(result);
  if (!same && findings.wrong++ < 5) std::printf("%s(%a) = %a, expected %a\n", function.name.data(), argument, result, expected);
}

void compare(const Function& function, const F32& arguments, Findings& findings) {
  constexpr double kLibraryError = 0x1p-24;
  const F32 results = function.ours(arguments);
  if ((numeric::bits(arguments).lane(0) & 0x8000'0000) != 0 && function.symmetry != Symmetry::none) {
    const F32 positive = function.ours(numeric::fabs<Type::f32>(arguments));
    const F32 expected = function.symmetry == Symmetry::odd ? numeric::fneg<Type::f32>(positive) : positive;
    const auto differ = (numeric::bits(results) != numeric::bits(expected)) & ((results == results) | (expected == expected));
    if (numeric::any(differ)) ++findings.wrong;
    return;
  }
  const F64 expected = function.reference(numeric::convert<double>(arguments));
  const F64 actual = numeric::convert<double>(results);
  const F64 size = numeric::inner::magnitude(expected);
  const auto special = ~((size < 0x1.ffffffp127) & (size > 0x1p-200) & (numeric::inner::magnitude(actual) < 0x1p128));
  if (numeric::any(special)) {
    for (int i = 0; i < kLanes; ++i)
      if (special.lane(i) != 0) compare_special(function, arguments.lane(i), results.lane(i), expected.lane(i), findings);
  }
  const auto exponent = numeric::bits(size) >> 52;
  const auto unit = numeric::as_float(numeric::umax<Type::i64>(exponent, numeric::U64<kLanes>(1023 - 126)) - 23 << 52);
  const F64 error = numeric::select(special, 0.0, numeric::inner::magnitude(actual - expected) / unit);
  const auto near = (error > 0.5 - kLibraryError) & (error < 0.5 + kLibraryError);
  const auto beyond = error >= 0.5 + kLibraryError;
  const auto greater = error > findings.greatest;
  if (!numeric::any(near | beyond | greater)) return;
  for (int i = 0; i < kLanes; ++i) {
    if (beyond.lane(i) != 0) ++findings.not_nearest;
    if (near.lane(i) != 0) {
      ++findings.asked;
      if (results.lane(i) != nearest(function, arguments.lane(i))) ++findings.not_nearest;
    }
    if (error.lane(i) > findings.greatest) {
      findings.greatest = error.lane(i);
      findings.worst = arguments.lane(i);
    }
  }
}

void compare_all(const Function& function, std::uint32_t every) {
  const auto start = std::chrono::steady_clock::now();
  Findings findings;
  numeric::U32<kLanes> words;
  for (int i = 0; i < kLanes; ++i) words.set_lane(i, static_cast<std::uint32_t>(i));
  for (std::uint64_t done = 0; done < std::uint64_t{1} << 32; done += std::uint64_t{kLanes} * every) {
    compare(function, numeric::as_float(words), findings);
    words = words + kLanes * every;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("| %s | %.7f | %a | %llu | %llu | %llu | %.0f s |\n", function.name.data(), findings.greatest, findings.worst,
              findings.not_nearest, findings.asked, findings.wrong, took.count());
  std::fflush(stdout);
}

// The error of a result in units of its last place: of 24 bits, or 53.
double error_of(double result, const mpfr_t exact, int bits) {
  mpfr_t difference;
  mpfr_init2(difference, 200);
  mpfr_d_sub(difference, result, exact, MPFR_RNDN);
  const double error = std::fabs(std::ldexp(mpfr_get_d(difference, MPFR_RNDN), bits - static_cast<int>(mpfr_get_exp(exact))));
  mpfr_clear(difference);
  return error;
}

class Random {
 public:
  std::uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  /// Of magnitude below `range`, or of any.
  double number(double range) {
    const std::uint64_t word = bits();
    if (range != 0) return (static_cast<double>(word >> 11) * 0x1p-52 - 1) * range;
    return std::ldexp(static_cast<double>(word >> 11), static_cast<int>(bits() % 1200) - 600 - 53) * (word % 2 == 0 ? 1 : -1);
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

constexpr int kSamples = 200000;

void sample_double(const Function& function) {
  Random random;
  mpfr_t argument;
  mpfr_t exact;
  mpfr_init2(argument, 53);
  mpfr_init2(exact, 200);
  double greatest = 0;
  double worst = 0;
  for (int i = 0; i < kSamples; ++i) {
    const double v = random.number(i % 2 == 0 ? function.range : std::fmin(function.range == 0 ? 2 : function.range, 2));
    const double result = function.ours_double(F64(v)).lane(0);
    mpfr_set_d(argument, v, MPFR_RNDN);
    function.exact(exact, argument, MPFR_RNDN);
    if (!mpfr_regular_p(exact) || std::fabs(mpfr_get_d(exact, MPFR_RNDN)) < 0x1p-1022) continue;
    const double error = error_of(result, exact, 53);
    if (!(error <= greatest)) {
      greatest = error;
      worst = v;
    }
  }
  std::printf("| %s f64 | %.3f | %a |\n", function.name.data(), greatest, worst);
  mpfr_clear(argument);
  mpfr_clear(exact);
}

template <Op O, Type T, class F>
void sample_two(const char* name, F exact_function, bool positive) {
  using V = numeric::Value<T, kLanes>;
  using Number = numeric::Element<T>;
  constexpr int kBits = T == Type::f64 ? 53 : 24;
  Random random;
  mpfr_t a;
  mpfr_t b;
  mpfr_t exact;
  mpfr_init2(a, 53);
  mpfr_init2(b, 53);
  mpfr_init2(exact, 200);
  double greatest = 0;
  Number worst[2] = {};
  for (int i = 0; i < kSamples; ++i) {
    const auto first = static_cast<Number>(positive ? std::exp2(random.number(20)) : random.number(i % 2 == 0 ? 1000 : 2));
    const auto second = static_cast<Number>(random.number(i % 2 == 0 ? 50 : 2));
    const Number result = numeric::Rule<O>::template apply<T>(V(first), V(second)).lane(0);
    mpfr_set_d(a, first, MPFR_RNDN);
    mpfr_set_d(b, second, MPFR_RNDN);
    exact_function(exact, a, b, MPFR_RNDN);
    const double rounded = std::fabs(mpfr_get_d(exact, MPFR_RNDN));
    if (!mpfr_regular_p(exact) || rounded < (kBits == 24 ? 0x1p-126 : 0x1p-1022) || rounded > (kBits == 24 ? 0x1p127 : 0x1p1023)) continue;
    const double error = error_of(static_cast<double>(result), exact, kBits);
    if (!(error <= greatest)) {
      greatest = error;
      worst[0] = first;
      worst[1] = second;
    }
  }
  std::printf("| %s | %.7f | %a, %a |\n", name, greatest, static_cast<double>(worst[0]), static_cast<double>(worst[1]));
  mpfr_clears(a, b, exact, static_cast<mpfr_ptr>(nullptr));
}

void sample() {
  std::printf("| function | greatest error, ulp | at |\n|---|---|---|\n");
  sample_two<Op::fpow, Type::f32>("fpow f32", mpfr_pow, true);
  sample_two<Op::fatan2, Type::f32>("fatan2 f32", mpfr_atan2, false);
  sample_two<Op::fpow, Type::f64>("fpow f64", mpfr_pow, true);
  sample_two<Op::fatan2, Type::f64>("fatan2 f64", mpfr_atan2, false);
  for (const Function& function : kFunctions) sample_double(function);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "samples") {
    sample();
    return 0;
  }
  std::printf(
      "| function | greatest error, ulp | at | not nearest | asked of MPFR | wrong specials | time |\n|---|---|---|---|---|---|---|\n");
  const bool sparse = argc > 1 && std::string_view(argv[1]).starts_with("every=");
  const std::uint32_t every = sparse ? static_cast<std::uint32_t>(std::strtoul(argv[1] + 6, nullptr, 10)) : 1;
  const int first = sparse ? 2 : 1;
  for (const Function& function : kFunctions) {
    bool asked = argc <= first;
    for (int i = first; i < argc; ++i) asked = asked || function.name == argv[i];
    if (asked) compare_all(function, every);
  }
}
