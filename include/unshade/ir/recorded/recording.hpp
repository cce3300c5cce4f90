// What a numeric rule computes, as a list of operations over lanes: rules that are compiled for recorded lanes
// (<unshade/ir/numeric/recorded_lanes.hpp>) append to one instead of computing. docs/internals/recorded.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/numeric/out_of_line.hpp>

namespace unshade::ir::recorded {

/// The type of a value in a lane. Signedness is in primitives; masks are integers: 0 or all ones.
enum class Lane : std::uint8_t { i32, i64, f32, f64 };
constexpr bool is_float(Lane type) { return type == Lane::f32 || type == Lane::f64; }
constexpr unsigned lane_bytes(Lane type) { return type == Lane::i32 || type == Lane::f32 ? 4 : 8; }
/// The integer as wide as a type: that of its bits, and of masks.
constexpr Lane bits_of(Lane type) { return lane_bytes(type) == 4 ? Lane::i32 : Lane::i64; }
std::string_view text(Lane type);

enum class Primitive : std::uint8_t {
#define PRIMITIVE(id, ...) id,
#include <unshade/ir/recorded/primitives.def>
#undef PRIMITIVE
};

/// A row of primitives.def. A set of types has bits 1 << Lane.
struct PrimitiveInfo {
  std::string_view text;
  std::string_view shape;
  std::uint8_t types = 0;
  std::uint8_t from = 0;
  std::string_view meaning;
};
const PrimitiveInfo& info(Primitive primitive);
std::string_view text(numeric::Function function);

inline constexpr std::uint32_t kNoNode = 0xffff'ffff;

/// A primitive with its operands, which are nodes before it.
struct Node {
  Primitive primitive = Primitive::constant;
  Lane type = Lane::i32;                                             ///< of the result
  numeric::Function function{};                                      ///< of `call`
  bool masked = false;                                               ///< of `call`: the first operand is a mask of lanes
  std::array<std::uint32_t, 3> operands{kNoNode, kNoNode, kNoNode};  ///< kNoNode after the last one
  std::uint64_t value = 0;                                           ///< of `constant`, its bits; of `operand`, its number

  bool operator==(const Node&) const = default;
};

/// No node is there twice, and each is needed by a result.
struct Recording {
  std::vector<Node> nodes;
  std::vector<Lane> operands;          ///< types of the rule's operands, of which some may be in no node
  std::vector<std::uint32_t> results;  ///< nodes
};

class Recorder;

/// A value on the way to a recording: a node, or a constant that is no node yet.
struct Value {
  Recorder* recorder = nullptr;  ///< null of a constant
  Lane type = Lane::i32;
  std::uint64_t number = 0;  ///< of the node; bits of the constant
};

/// The value of a primitive, of type `type`: a constant if the operands are constants and the value is exact, a node that is there already,
/// or a new one.
Value record(Primitive primitive, Lane type, const Value& a, const Value& b = {}, const Value& c = {});
/// The first result of a call.
Value record_call(numeric::Function function, bool masked, Lane type, std::span<const Value> operands);

/// Makes a recording.
class Recorder {
 public:
  /// The rule's next operand.
  Value operand(Lane type);
  /// What these values need. Ends the recording.
  Recording finish(std::span<const Value> results);

 private:
  friend Value record(Primitive, Lane, const Value&, const Value&, const Value&);
  friend Value record_call(numeric::Function, bool, Lane, std::span<const Value>);

  Value find_or_append(const Node& node);
  std::uint32_t node_of(const Value& value);

  Recording recording_;
};

/// Which NaNs the evaluator has for arithmetic: those of the processor, or others, which must not show in results.
enum class Nans : std::uint8_t { of_processor, others };

/// The results of all lanes, one result after the other, of operands that stand so: operand k of lane i is operands[k * lanes + i]. Values
/// are bits in the low bytes; those above are 0. Denormals are kept or flushed as the processor's mode says, which is the caller's.
std::vector<std::uint64_t> evaluate(const Recording& recording, std::span<const std::uint64_t> operands, std::size_t lanes,
                                    Nans nans = Nans::of_processor);

/// What is wrong with it: operands that are no nodes before theirs, or of other types than primitives.def says, and nodes that are there
/// twice or that no result needs. Empty if nothing is.
std::string fault_of(const Recording& recording);

/// Its lines: docs/internals/recorded.md.
void print(const Recording& recording, std::string_view name, Text& out);
std::string print(const Recording& recording, std::string_view name);

}  // namespace unshade::ir::recorded
