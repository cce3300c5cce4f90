// What instructions of the IR are made of: types, operations, flags, and the columns of ops.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace unshade::ir {

/// The type of a value. Signedness is in operations; there are no vectors, arrays, structs or pointers.
enum class Type : std::uint8_t {
  void_,
  b1,  ///< false or true: 0 or all ones in a lane of 4 bytes
  i8,  ///< i8 and i16 are kept sign-extended in lanes of 4 bytes
  i16,
  i32,
  i64,
  f16,  ///< f16 and f24 are kept in lanes of f32, as values that their format can hold
  f24,  ///< PICA200: sign, 7 bits of exponent, 16 of mantissa
  f32,
  f64,
  handle,  ///< a resource or sampler
};
inline constexpr std::size_t kTypes = 11;

/// A set of types, as bits `1 << Type`.
using TypeSet = std::uint16_t;
constexpr TypeSet set_of(Type type) { return static_cast<TypeSet>(1U << static_cast<unsigned>(type)); }
constexpr bool contains(TypeSet set, Type type) { return (set & set_of(type)) != 0; }

inline constexpr TypeSet kFloats = set_of(Type::f16) | set_of(Type::f24) | set_of(Type::f32) | set_of(Type::f64);
inline constexpr TypeSet kIntegers = set_of(Type::i8) | set_of(Type::i16) | set_of(Type::i32) | set_of(Type::i64);

constexpr bool is_float(Type type) { return contains(kFloats, type); }
constexpr bool is_integer(Type type) { return contains(kIntegers, type); }

/// The bits of a value in memory and to `bitcast`: 16 of f16, 24 of f24; 1 of b1; 0 of void_ and handle.
constexpr unsigned bit_width(Type type) {
  constexpr unsigned kBits[] = {0, 1, 8, 16, 32, 64, 16, 24, 32, 64, 0};
  static_assert(std::size(kBits) == kTypes);
  return kBits[static_cast<std::size_t>(type)];
}
/// The bytes of a value in a lane of the interpreter: 4 or 8.
constexpr unsigned lane_bytes(Type type) { return type == Type::i64 || type == Type::f64 ? 8 : 4; }
/// `i32`; void_ is `void`.
std::string_view text(Type type);
std::optional<Type> type_of(std::string_view text);

/// What an operation has to do with anything but its operands and results. A set of bits.
enum class Effects : std::uint8_t {
  pure = 0,
  reads = 1,   ///< memory that others may write
  writes = 2,  ///< memory, outputs, or the lane itself: must run exactly as often as written
  wave = 4,    ///< lanes of the wave act together: the block's place in the order has meaning
  ends = 8,    ///< ends a block
  quad = 16,   ///< as `wave`, of the four lanes of a quad
};
constexpr Effects operator|(Effects a, Effects b) { return static_cast<Effects>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }
constexpr bool has(Effects set, Effects bits) { return (static_cast<unsigned>(set) & static_cast<unsigned>(bits)) != 0; }

/// What Inst::extra holds; <unshade/ir/extra.hpp> has the layouts.
enum class Extra : std::uint8_t {
  none,
  constant,  ///< the bits of a value of up to 32 bits; of a wider one, its index in Function::constants
  number,
  variable,  ///< index of Module::variables
  resource,  ///< index of Module::resources
  message,   ///< index of Module::messages
  float_classes,
  pack,
  unpack,
  rounding,
  atomic,
  buffer,
  counter,
  texture,
  element,
  builtin,
  reduction,
  barrier,
};

/// Which NaN an operation gives, where a result of floats is one. <unshade/ir/numeric/nan.hpp> has the canonical one.
enum class Nan : std::uint8_t {
  none,      ///< results are integers, or never NaN
  computed,  ///< the canonical NaN, whatever the operands
  moved,     ///< the bits of an operand, or of memory; also those of a signalling NaN
  mixed,     ///< of one value its bits; of several that are added up, multiplied or blended the canonical NaN
};

enum class Op : std::uint16_t {
#define IR_OP(id, ...) id,
#include <unshade/ir/ops.def>
};

/// A row of ops.def.
struct OpInfo {
  std::string_view text;
  std::string_view results;   ///< letters of the shape before `<`
  std::string_view operands;  ///< letters of the shape after `<`
  TypeSet types;
  TypeSet from;
  Effects effects;
  Extra extra;
  Nan nan;
  std::string_view meaning;

  /// Whether it gives one value of another type.
  constexpr bool is_conversion() const { return operands == "u" && from != 0; }
};

/// Words of the columns of ops.def.
namespace columns {
inline constexpr TypeSet none = 0;
inline constexpr TypeSet F = kFloats;
inline constexpr TypeSet I = kIntegers;
inline constexpr TypeSet IB = I | set_of(Type::b1);
inline constexpr TypeSet FI = F | I;
inline constexpr TypeSet T = F | IB;
inline constexpr TypeSet TH = T | set_of(Type::handle);
inline constexpr TypeSet f16 = set_of(Type::f16);
inline constexpr TypeSet f32 = set_of(Type::f32);
inline constexpr TypeSet i32 = set_of(Type::i32);
inline constexpr TypeSet i32_f32 = i32 | f32;
inline constexpr TypeSet i16_32 = set_of(Type::i16) | i32;
inline constexpr TypeSet i32_64 = i32 | set_of(Type::i64);
inline constexpr TypeSet i64_f64 = set_of(Type::i64) | set_of(Type::f64);
inline constexpr Effects pure = Effects::pure;
inline constexpr Effects reads = Effects::reads;
inline constexpr Effects writes = Effects::writes;
inline constexpr Effects wave = Effects::wave;
inline constexpr Effects ends = Effects::ends;
inline constexpr Effects quad = Effects::quad;

/// A row, from a function that is written in these words.
template <class Row>
constexpr OpInfo row(std::string_view shape, Row fill) {
  OpInfo made = fill();
  made.results = shape.substr(0, shape.find('<'));
  made.operands = shape.substr(shape.find('<') + 1);
  return made;
}
}  // namespace columns

/// One for each Op, in their order.
inline constexpr OpInfo kOpInfos[] = {
#define IR_OP(id, text, shape, types, from, effects, extra, nan, meaning)         \
  columns::row(shape, []() -> OpInfo {                                            \
    using namespace columns;                                                      \
    return {text, {}, {}, types, from, effects, Extra::extra, Nan::nan, meaning}; \
  }),
#include <unshade/ir/ops.def>
};
inline constexpr std::size_t kOps = std::size(kOpInfos);
constexpr const OpInfo& info(Op op) { return kOpInfos[static_cast<std::size_t>(op)]; }
std::optional<Op> op_of(std::string_view text);

/// Whether the widths of two types are those that a conversion has; which kinds of types are in its columns `types` and `from`.
constexpr bool fits(Op conversion, Type to, Type from) {
  switch (conversion) {
    case Op::bitcast: return bit_width(from) == bit_width(to);
    case Op::sext:
    case Op::zext: return bit_width(from) < bit_width(to);
    case Op::trunc: return bit_width(from) > bit_width(to);
    default: return true;
  }
}

/// Bits of Inst::flags.
enum class Flags : std::uint16_t {
  none = 0,
  precise = 1,      ///< no rule may be replaced by another: never fused, never reassociated
  relaxed = 2,      ///< 16 bits of precision would do
  non_uniform = 4,  ///< of handle: the index may differ between lanes
  coherent = 8,     ///< of an access: seen by other groups at once
  volatile_ = 16,   ///< of an access: neither removed nor merged
  helpers = 32,     ///< of a wave operation: helper lanes take part
};
constexpr Flags operator|(Flags a, Flags b) { return static_cast<Flags>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }
constexpr bool has(Flags set, Flags bits) { return (static_cast<unsigned>(set) & static_cast<unsigned>(bits)) != 0; }

}  // namespace unshade::ir
