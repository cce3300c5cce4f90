#include <cstddef>

#include <unshade/ir/numeric/rules.hpp>

#include "numeric_kernels.hpp"

namespace unshade::bench {
namespace {

using namespace unshade::ir;
namespace numeric = unshade::ir::numeric;

constexpr int kLanes = 16;

template <Op O, Type T>
void unary(const void* a, const void*, void* result) {
  using V = numeric::Value<T, kLanes>;
  for (std::size_t i = 0; i < kNumericLanes * sizeof(numeric::Element<T>); i += sizeof(V)) {
    const auto value = numeric::Rule<O>::template apply<T>(V::load(static_cast<const char*>(a) + i));
    value.store(static_cast<char*>(result) + i);
  }
}
template <Op O, Type T>
void binary(const void* a, const void* b, void* result) {
  using V = numeric::Value<T, kLanes>;
  for (std::size_t i = 0; i < kNumericLanes * sizeof(numeric::Element<T>); i += sizeof(V)) {
    const auto value =
        numeric::Rule<O>::template apply<T>(V::load(static_cast<const char*>(a) + i), V::load(static_cast<const char*>(b) + i));
    value.store(static_cast<char*>(result) + i);
  }
}

#define UNARY(op, type) {#op " " #type, unary<Op::op, Type::type>},
#define BINARY(op, type) {#op " " #type, binary<Op::op, Type::type>},
constexpr NumericKernel kKernels[] = {
    BINARY(fadd, f32) BINARY(fmul, f32) BINARY(fdiv, f32) BINARY(fmin, f32) BINARY(frem, f32) BINARY(fatan2, f32) BINARY(fpow, f32)
        UNARY(fsqrt, f32) UNARY(frcp, f32) UNARY(frsqrt, f32) UNARY(ffloor, f32) UNARY(ffract, f32) UNARY(fsat, f32) UNARY(fexp2, f32)
            UNARY(flog2, f32) UNARY(fsin, f32) UNARY(fcos, f32) UNARY(ftan, f32) UNARY(fasin, f32) UNARY(facos, f32) UNARY(fatan, f32)
                UNARY(fsinh, f32) UNARY(fcosh, f32) UNARY(ftanh, f32) BINARY(fadd, f16) BINARY(fmul, f16) BINARY(fadd, f24)
                    BINARY(fmul_zero, f24) UNARY(frcp, f24) UNARY(frsqrt, f24) UNARY(fexp2, f24) UNARY(flog2, f24) BINARY(fadd, f64)
                        BINARY(fmul, f64) BINARY(fdiv, f64) UNARY(fexp2, f64) UNARY(flog2, f64) UNARY(fsin, f64) BINARY(iadd, i32)
                            BINARY(imul, i32) BINARY(idiv, i32) BINARY(udiv, i32) BINARY(ishl, i32) BINARY(imul_high, i32)
                                UNARY(bit_count, i32) BINARY(imul, i64) BINARY(idiv, i64)};
#undef UNARY
#undef BINARY

}  // namespace
}  // namespace unshade::bench
