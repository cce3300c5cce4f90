// The layouts of Inst::extra: each has bits(), which packs it, and a constructor that unpacks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/dxcontainer/vocabulary.hpp>
#include <unshade/ir/types.hpp>

namespace unshade::ir {

/// Of fclass: the classes asked for, joined by |.
enum FloatClass : std::uint32_t {
  kNan = 1,
  kInfinite = 2,
  kNormal = 4,
  kSubnormal = 8,
  kZero = 16,
  kFinite = kNormal | kSubnormal | kZero
};

/// Of f_to_f.
enum class Rounding : std::uint32_t { nearest_even, toward_zero };
/// Of pack_i8: how values become bytes.
enum class Pack : std::uint32_t { truncate, clamp_signed, clamp_unsigned };
/// Of unpack_i8.
enum class Unpack : std::uint32_t { sign_extend, zero_extend };
/// Of counter.
enum class Counter : std::uint32_t { up, down };

/// What an atomic operation does with the value in memory and its operand. The result is the value before.
enum class AtomicOp : std::uint8_t {
  add,
  and_,
  or_,
  xor_,
  smin,
  smax,
  umin,
  umax,
  exchange,
  compare_exchange,
  fadd,
  fmin,
  fmax,
  inc_wrap,  ///< 0 if the value is not below the operand, else one more
  dec_wrap,  ///< the operand if the value is 0 or above the operand, else one less
};

/// Of atomic.
struct AtomicExtra {
  std::uint32_t variable = 0;  ///< index of Module::variables, 24 bits
  AtomicOp op = AtomicOp::add;

  constexpr AtomicExtra() = default;
  constexpr AtomicExtra(std::uint32_t at, AtomicOp what) : variable(at), op(what) {}
  explicit constexpr AtomicExtra(std::uint32_t bits) : variable(bits & 0xff'ffff), op(static_cast<AtomicOp>(bits >> 24)) {}
  constexpr std::uint32_t bits() const { return variable | std::uint32_t{static_cast<std::uint8_t>(op)} << 24; }
};

/// How a buffer is addressed.
enum class BufferKind : std::uint8_t {
  raw,         ///< by byte: one operand, or its base and an offset that are added
  structured,  ///< by index of the element and byte within it
  typed,       ///< by index of the element, converted by the format of the view
};

/// Of buffer_load, buffer_store and buffer_atomic.
struct BufferExtra {
  BufferKind kind = BufferKind::raw;
  bool has_offset = false;  ///< a second address operand: bytes within the element, or added to the base
  bool has_status = false;  ///< of a load: one more result, i32, which access_mapped reads
  AtomicOp op = AtomicOp::add;

  constexpr BufferExtra() = default;
  explicit constexpr BufferExtra(std::uint32_t bits)
      : kind(static_cast<BufferKind>(bits & 3)),
        has_offset((bits & 4) != 0),
        has_status((bits & 8) != 0),
        op(static_cast<AtomicOp>(bits >> 24)) {}
  constexpr std::uint32_t bits() const {
    return std::uint32_t{static_cast<std::uint8_t>(kind)} | (has_offset ? 4U : 0U) | (has_status ? 8U : 0U) |
           std::uint32_t{static_cast<std::uint8_t>(op)} << 24;
  }
};

/// Of operations on textures: which of the TextureOperands there are (texture_operands.hpp).
struct TextureExtra {
  dxcontainer::ResourceDimension dimension = dxcontainer::ResourceDimension::texture2d;
  bool has_status = false;  ///< one more result, i32, which access_mapped reads
  bool has_bias = false;    ///< added to the level
  bool has_lod = false;     ///< the level: f32 of sample, i32 of texel_load and query_size
  bool has_gradient = false;
  bool has_offset = false;     ///< texels, i32
  bool four_offsets = false;   ///< of gather
  bool has_reference = false;  ///< compares, and filters the results of comparisons
  bool has_min_lod = false;
  bool has_sample = false;     ///< of multisampled textures, i32
  std::uint8_t component = 0;  ///< of gather
  AtomicOp op = AtomicOp::add;

  constexpr TextureExtra() = default;
  explicit constexpr TextureExtra(dxcontainer::ResourceDimension shape) : dimension(shape) {}
  explicit constexpr TextureExtra(std::uint32_t bits)
      : dimension(static_cast<dxcontainer::ResourceDimension>(bits & 0xf)),
        has_status((bits & 0x10) != 0),
        has_bias((bits & 0x20) != 0),
        has_lod((bits & 0x40) != 0),
        has_gradient((bits & 0x80) != 0),
        has_offset((bits & 0x100) != 0),
        four_offsets((bits & 0x200) != 0),
        has_reference((bits & 0x400) != 0),
        has_min_lod((bits & 0x800) != 0),
        has_sample((bits & 0x1000) != 0),
        component(static_cast<std::uint8_t>(bits >> 13 & 3)),
        op(static_cast<AtomicOp>(bits >> 24)) {}
  constexpr std::uint32_t bits() const {
    return static_cast<std::uint32_t>(dimension) | (has_status ? 0x10U : 0) | (has_bias ? 0x20U : 0) | (has_lod ? 0x40U : 0) |
           (has_gradient ? 0x80U : 0) | (has_offset ? 0x100U : 0) | (four_offsets ? 0x200U : 0) | (has_reference ? 0x400U : 0) |
           (has_min_lod ? 0x800U : 0) | (has_sample ? 0x1000U : 0) | std::uint32_t{component} << 13 |
           std::uint32_t{static_cast<std::uint8_t>(op)} << 24;
  }
  /// Dimensions of a texel's place, without the element of an array: of gradients and offsets. A cube has 3, and no offsets.
  unsigned dimension_count() const;
  bool is_array() const;
  unsigned coordinate_count() const { return dimension_count() + (is_array() ? 1U : 0U); }
};

/// Which elements an `input` or `output` means.
enum class SignatureKind : std::uint8_t {
  input,
  output,
  patch,  ///< patch constants; of a mesh shader, what primitives have
};

/// Of input, output, output_load and interpolate: a component of an element of a signature.
struct ElementExtra {
  SignatureKind signature = SignatureKind::input;
  std::uint16_t element = 0;  ///< index in its signature
  std::uint8_t column = 0;    ///< component of the row, counted from Element::first_column: 0 to Element::columns - 1
  bool has_vertex = false;    ///< the first operand: control point, vertex of the primitive, vertex or primitive of a mesh
  bool has_row = false;       ///< the next operand; else row 0
  /// Of interpolate.
  enum class Place : std::uint8_t { centre, centroid, sample, offset } place = Place::centre;

  constexpr ElementExtra() = default;
  constexpr ElementExtra(SignatureKind kind, std::uint16_t index, std::uint8_t component)
      : signature(kind), element(index), column(component) {}
  explicit constexpr ElementExtra(std::uint32_t bits)
      : signature(static_cast<SignatureKind>(bits & 3)),
        element(static_cast<std::uint16_t>(bits >> 16)),
        column(static_cast<std::uint8_t>(bits >> 2 & 3)),
        has_vertex((bits & 0x10) != 0),
        has_row((bits & 0x20) != 0),
        place(static_cast<Place>(bits >> 6 & 3)) {}
  constexpr std::uint32_t bits() const {
    return std::uint32_t{static_cast<std::uint8_t>(signature)} | std::uint32_t{column} << 2 | (has_vertex ? 0x10U : 0) |
           (has_row ? 0x20U : 0) | std::uint32_t{static_cast<std::uint8_t>(place)} << 6 | std::uint32_t{element} << 16;
  }
};

/// See builtins.def.
enum class Builtin : std::uint8_t {
#define IR_BUILTIN(id, text, type, components) id,
#include <unshade/ir/builtins.def>
};
struct BuiltinInfo {
  std::string_view text;
  Type type;
  std::uint8_t components;
};
inline constexpr std::size_t kBuiltinCount = 0
#define IR_BUILTIN(id, text, type, components) +1
#include <unshade/ir/builtins.def>
    ;
const BuiltinInfo& info(Builtin builtin);
std::optional<Builtin> builtin_of(std::string_view text);

/// Of builtin.
struct BuiltinExtra {
  Builtin builtin = Builtin::thread_id;
  std::uint8_t component = 0;

  constexpr BuiltinExtra() = default;
  constexpr BuiltinExtra(Builtin which, std::uint8_t of) : builtin(which), component(of) {}
  explicit constexpr BuiltinExtra(std::uint32_t bits)
      : builtin(static_cast<Builtin>(bits & 0xff)), component(static_cast<std::uint8_t>(bits >> 8)) {}
  constexpr std::uint32_t bits() const { return std::uint32_t{static_cast<std::uint8_t>(builtin)} | std::uint32_t{component} << 8; }
};

/// How the values of lanes become one; `smin` and `smax` are signed.
enum class Reduction : std::uint8_t { iadd, imul, smin, smax, umin, umax, and_, or_, xor_, fadd, fmul, fmin, fmax };

/// Of wave_reduce, wave_scan and wave_multi_scan.
struct ReductionExtra {
  Reduction op = Reduction::iadd;
  bool inclusive = false;            ///< of a scan: with the lane's own value
  std::uint8_t cluster_log2 = 0xff;  ///< lanes that are combined: 2 to this power; 0xff: all

  constexpr ReductionExtra() = default;
  constexpr ReductionExtra(Reduction what, bool with_own) : op(what), inclusive(with_own) {}
  explicit constexpr ReductionExtra(std::uint32_t bits)
      : op(static_cast<Reduction>(bits & 0xff)), inclusive((bits & 0x100) != 0), cluster_log2(static_cast<std::uint8_t>(bits >> 16)) {}
  constexpr std::uint32_t bits() const {
    return std::uint32_t{static_cast<std::uint8_t>(op)} | (inclusive ? 0x100U : 0) | std::uint32_t{cluster_log2} << 16;
  }
};

/// Of barrier, joined by |.
enum BarrierBits : std::uint32_t {
  kSyncGroup = 1,     ///< lanes of the group wait for each other
  kSyncWave = 2,      ///< lanes of the wave wait for each other
  kGroupMemory = 4,   ///< accesses to group memory before are seen after
  kDeviceMemory = 8,  ///< accesses to resources, seen by all groups
};

}  // namespace unshade::ir
