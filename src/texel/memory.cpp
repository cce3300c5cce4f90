#include <unshade/texel/memory.hpp>

#include <unshade/ir/numeric/convert.hpp>

namespace unshade::texel {
namespace {

namespace numeric = ir::numeric;
using ir::Type;

}  // namespace

std::uint32_t rounded_to_f16(std::uint32_t bits, ir::Rounding rounding) {
  using ir::Rounding;
  const numeric::F32<1> value(std::bit_cast<float>(bits));
  const auto made = rounding == Rounding::toward_zero ? numeric::f_to_f<Type::f16, Type::f32, Rounding::toward_zero>(value)
                                                      : numeric::f_to_f<Type::f16, Type::f32, Rounding::nearest_even>(value);
  if (made.lane(0) == made.lane(0)) return std::bit_cast<std::uint32_t>(made.lane(0));
  // of a NaN, what f16 has of its payload
  return std::bit_cast<std::uint32_t>(numeric::from_memory_bits<Type::f16>(numeric::memory_bits<Type::f16>(made)).lane(0));
}

std::uint64_t to_memory(Type type, std::uint64_t lane) {
  if (type == Type::f16)
    return numeric::memory_bits<Type::f16>(numeric::F32<1>(std::bit_cast<float>(static_cast<std::uint32_t>(lane)))).lane(0);
  return lane;
}

std::uint64_t from_memory(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::f16:
      return std::bit_cast<std::uint32_t>(
          numeric::from_memory_bits<Type::f16>(numeric::U32<1>(static_cast<std::uint32_t>(bits & 0xffff))).lane(0));
    case Type::i8: return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
    case Type::i16: return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
    default: return bits;
  }
}

}  // namespace unshade::texel
