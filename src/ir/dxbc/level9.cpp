// Lowers the Direct3D 9 programs of level 9 parts: straight vector code over float registers, with blocks that are opened and closed.
// src: the "Asm Shader Reference" of Direct3D 9 on learn.microsoft.com
#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxbc/level9/sm2_flow.hpp>
#include <unshade/dxbc/level9/sm2_tokens.hpp>
#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>

#include "ir/dxbc/blocks.hpp"
#include "ir/dxbc/level9_registers.hpp"
#include "ir/meaning.hpp"
#include "ir/sizes.hpp"

namespace unshade::ir {
namespace lower_dxbc {
namespace {

using dxbc::program::Flow;

class Level9Lowering : Level9Registers {
 public:
  Level9Lowering(const dxbc::Level9& level9, const DxbcInterface& interface, const DxbcOptions& options)
      : Level9Registers(level9, interface), blocks_(builder_, variables_) {
    builder_.keep_copies(options.keep_copies);
  }

  Result<Module> run() {
    read();
    blocks_.go_on(blocks_.make());
    variables_.seal(0);
    if (!error_) body(0);
    if (error_) return *std::move(error_);
    builder_.from({});
    if (blocks_.reachable()) {
      write_outputs();
      builder_.return_values();
    }
    function().order = blocks_.take_order();
    variables_.finish();
    if (const auto done = variables_.check(); !done) fail(done.error().code, done.error().message);
    if (error_) return *std::move(error_);
    compact(function());
    canonicalize(module_);
    return std::move(module_);
  }

  // What instructions mean: each gives the values of its destination, or does what it does and gives none.
  using Meaning = Vector (Level9Lowering::*)(Op);

  Vector nothing(Op) { return kNoVector; }
  Vector move(Op) {
    const Vector from = source(0);
    return lanes([&](unsigned lane) { return builder_.copied(from[lane]); });
  }
  Vector componentwise(Op op) {
    std::array<Vector, 3> read{};
    const unsigned count = operands_.count - 1U;
    for (unsigned at = 0; at < count && at < read.size(); ++at) read[at] = source(at);
    return lanes([&](unsigned lane) {
      std::array<std::uint32_t, 3> values{read[0][lane], read[1][lane], read[2][lane]};
      return builder_.inst(op, Type::f32, std::span<const std::uint32_t>(values.data(), count));
    });
  }
  Vector of_magnitude(Op op) {
    const Vector x = source(0);
    return lanes([&](unsigned lane) { return f(op, {f(Op::fabs, {x[lane]})}); });
  }
  Vector power(Op) {
    const Vector x = source(0);
    const Vector y = source(1);
    return lanes([&](unsigned lane) { return f(Op::fpow, {f(Op::fabs, {x[lane]}), y[lane]}); });
  }
  template <bool kSwapped>
  Vector set(Op op) {
    const Vector x = source(kSwapped ? 1 : 0);
    const Vector y = source(kSwapped ? 0 : 1);
    return lanes([&](unsigned lane) {
      const Id zero = builder_.f32(0);
      const Id one = builder_.f32(1);
      return choose(f(op, {x[lane], y[lane]}), one, zero);
    });
  }
  // x >= 0, or x > 0.5
  Vector select_not_negative(Op) {
    return select([&](Id x) { return f(Op::fle, {builder_.f32(0), x}); });
  }
  Vector select_above_half(Op) {
    return select([&](Id x) { return f(Op::flt, {builder_.f32(0.5F), x}); });
  }
  template <unsigned kCount>
  Vector dot(Op) {
    const Vector y = source(1);
    const Id sum = dot_of(source(0), y, kCount);
    return {sum, sum, sum, sum};
  }
  Vector dot2_add(Op) {
    const Vector y = source(1);
    const Id sum = f(Op::fadd, {dot_of(source(0), y, 2), source(2)[0]});
    return {sum, sum, sum, sum};
  }
  template <unsigned kColumns, unsigned kRows>
  Vector matrix(Op) {
    const Vector x = source(0);
    Vector made = kNoVector;
    for (unsigned row = 0; row < kRows; ++row) made[row] = dot_of(x, source(1, row), kColumns);
    return made;
  }
  Vector lerp(Op) {
    const Vector s = source(0);
    const Vector x = source(1);
    const Vector y = source(2);
    return lanes([&](unsigned lane) { return f(Op::fmad, {s[lane], f(Op::fsub, {x[lane], y[lane]}), y[lane]}); });
  }
  Vector cross(Op) {
    const Vector x = source(0);
    const Vector y = source(1);
    Vector made = kNoVector;
    for (unsigned lane = 0; lane < 3; ++lane) {
      const auto scope = builder_.component(lane);
      const unsigned next = (lane + 1) % 3;
      const unsigned last = (lane + 2) % 3;
      made[lane] = f(Op::fsub, {f(Op::fmul, {x[next], y[last]}), f(Op::fmul, {x[last], y[next]})});
    }
    return made;
  }
  Vector sign(Op) {
    const Vector x = source(0);
    return lanes([&](unsigned lane) {
      const Id zero = builder_.f32(0);
      const Id one = builder_.f32(1);
      const Id if_not_less = choose(f(Op::flt, {zero, x[lane]}), one, zero);
      const Id minus_one = builder_.f32(-1);
      return choose(f(Op::flt, {x[lane], zero}), minus_one, if_not_less);
    });
  }
  Vector normalize(Op) {
    const Vector x = source(0);
    const Id length = dot_of(x, x, 3);
    const Id is_zero = f(Op::feq, {length, builder_.f32(0)});  // one after the other: arguments are evaluated in any order
    const Id root = f(Op::frsqrt, {length});
    const Id factor = choose(is_zero, builder_.f32(FLT_MAX), root);
    return lanes([&](unsigned lane) { return f(Op::fmul, {x[lane], factor}); });
  }
  Vector sine_cosine(Op) {
    const Id x = source(0)[0];
    return {f(Op::fcos, {x}), f(Op::fsin, {x}), kNone, kNone};
  }
  Vector distance(Op) {
    const Vector x = source(0);
    const Vector y = source(1);
    return {builder_.f32(1), f(Op::fmul, {x[1], y[1]}), x[2], y[3]};
  }
  Vector light(Op) {
    constexpr float kLimit = 127.9961F;
    const Vector x = source(0);
    const Id zero = builder_.f32(0);
    const Id power = f(Op::fmin, {f(Op::fmax, {x[3], builder_.f32(-kLimit)}), builder_.f32(kLimit)});
    const Id is_lit = builder_.inst(Op::iand, Type::b1, {f(Op::flt, {zero, x[0]}), f(Op::flt, {zero, x[1]})});
    return {builder_.f32(1), f(Op::fmax, {x[0], zero}), choose(is_lit, f(Op::fpow, {x[1], power}), zero), builder_.f32(1)};
  }
  Vector round_to_address(Op) {
    const Vector x = source(0);
    return lanes([&](unsigned lane) { return to_integer(f(Op::fround_even, {x[lane]})); });
  }
  Vector set_predicate(Op) {
    const Vector x = source(0);
    const Vector y = source(1);
    return lanes([&](unsigned lane) { return compared(x[lane], y[lane]); });
  }
  Vector discard_negative(Op) {
    sm2::Operand from = operands_.items[0];
    from.is_destination = false;
    Id is_negative = builder_.b1(false);
    for (const unsigned component : from.write_mask) {
      if (component == 3) continue;  // w is not tested
      const Id x = register_component(from, component, 0);
      is_negative = builder_.inst(Op::ior, Type::b1, {is_negative, f(Op::flt, {x, builder_.f32(0)})});
    }
    builder_.inst(Op::demote, Type::void_, {is_negative});
    return kNoVector;
  }
  Vector unsupported(Op) {
    fail(ErrorCode::unsupported, std::string(in_->info->text) + " depends on texture stage states and is not supported");
    return kNoVector;
  }

  template <bool kHasLevel, bool kHasGradient>
  Vector sample(Op) {
    if (operands_.count < 3) return unsupported(Op::undef);
    const std::uint32_t control = sm2::kControlBits.get(in_->token);
    const auto found = samplers_.find(operands_.items[2].index);
    if (found == samplers_.end()) {
      fail(ErrorCode::missing, "s" + std::to_string(operands_.items[2].index) + " is not declared as the sampler of a texture");
      return kNoVector;
    }
    const TextureExtra extra(found->second.dimension);
    constexpr std::uint32_t kProjected = 1;
    constexpr std::uint32_t kBiased = 2;
    const bool is_plain = !kHasLevel && !kHasGradient;
    const WriteMask coordinates = WriteMask::first_components(extra.coordinate_count());
    const bool reads_w = kHasLevel || (is_plain && (control == kProjected || control == kBiased));
    Vector place = lanes_of(1, 0, reads_w ? coordinates | WriteMask::of(3) : coordinates);
    if (is_plain && control == kProjected) {
      for (const unsigned lane : coordinates) place[lane] = f(Op::fdiv, {place[lane], place[3]});
    }
    const std::array handles{handle(found->second.texture), handle(found->second.sampler)};
    TextureOperands<Id> o;
    std::copy_n(place.begin(), extra.coordinate_count(), o.coordinates.begin());
    if (is_plain && control == kBiased) o.bias = place[3];
    if (kHasLevel) o.lod = place[3];
    for (unsigned axis = 0; kHasGradient && axis < 2; ++axis) {
      const Vector gradient = lanes_of(3 + axis, 0, WriteMask::first_components(extra.dimension_count()));
      std::copy_n(gradient.begin(), extra.dimension_count(), (axis == 0 ? o.ddx : o.ddy).begin());
    }
    const Id texel = builder_.texture(is_plain ? Op::sample_implicit : Op::sample, Type::f32, handles, extra, o, {.results = 4});
    const sm2::Operand& swizzled = operands_.items[2];
    return lanes([&](unsigned lane) { return builder_.get(texel, Type::f32, swizzled.swizzle[lane]); });
  }

  Vector if_block(Op) {
    blocks_.begin_if(blocks_.reachable() ? boolean(operands_.items[0]) : kNone, true);
    return kNoVector;
  }
  Vector if_compare(Op) {
    blocks_.begin_if(blocks_.reachable() ? compared_sources() : kNone, true);
    return kNoVector;
  }
  Vector else_block(Op) { return check(blocks_.begin_else()); }
  Vector end_if(Op) { return check(blocks_.end_if()); }

  // Counts a variable up to the integer register's x; `loop` has aL too, from y on by steps of z.
  template <bool kHasAddress>
  Vector loop_block(Op) {
    Round round;
    if (blocks_.reachable()) {
      const sm2::Operand& counts = operands_.items[kHasAddress ? 1 : 0];
      const Id count = integer(counts, 0);
      round.counter = variables_.declare(Type::i32);
      variables_.write(round.counter, builder_.i32(0));
      if (kHasAddress) {
        round.address = variables_.declare(Type::i32);
        round.step = integer(counts, 2);
        variables_.write(round.address, integer(counts, 1));
      }
      blocks_.begin_loop();
      const Id is_more = builder_.inst(Op::ilt, Type::i32, {variables_.read(round.counter), count});
      blocks_.leave_if(*blocks_.break_target(), is_more, false);
    } else {
      blocks_.begin_loop();
    }
    rounds_.push_back(round);
    return kNoVector;
  }
  Vector end_loop(Op) {
    const Round round = rounds_.empty() ? Round{} : rounds_.back();
    const auto step = [&] {
      count(round.counter, builder_.i32(1));
      if (round.address != kNone) count(round.address, round.step);
    };
    if (!rounds_.empty()) rounds_.pop_back();
    return check(blocks_.end_loop(step));
  }
  Vector break_out(Op) {
    const auto target = breaks();
    if (target != nullptr) blocks_.leave(*target);
    return kNoVector;
  }
  Vector break_compare(Op) {
    const Id value = compared_sources();
    if (const auto target = breaks()) blocks_.leave_if(*target, value, true);
    return kNoVector;
  }
  Vector break_if(Op) {
    const Id value = boolean(operands_.items[0]);
    if (const auto target = breaks()) blocks_.leave_if(*target, value, true);
    return kNoVector;
  }
  Vector return_from(Op) {
    blocks_.leave(frames_.back().exit);
    return kNoVector;
  }
  Vector call(Op) {
    call_label(operands_.items[0].index);
    return kNoVector;
  }
  Vector call_if(Op) {
    const std::uint32_t label = operands_.items[0].index;
    blocks_.begin_if(boolean(operands_.items[1]), true);
    call_label(label);
    return error_ ? kNoVector : check(blocks_.end_if());
  }

 private:
  struct Frame {
    std::size_t first = 0;  // instruction
    BlockId exit = kNone;
  };

  Vector check(std::string fault) {
    if (!fault.empty()) fail(ErrorCode::bad_value, std::move(fault));
    return kNoVector;
  }

  // Instructions, labels, definitions and declarations.
  void read() {
    sm2::Cursor cursor(level9_.program);
    sm2::Instruction instruction;
    while (cursor.next(instruction)) {
      if (instruction.is_comment()) continue;
      index_ = static_cast<std::uint32_t>(instructions_.size());
      in_ = &instruction;
      if (instruction.info == nullptr) fail(ErrorCode::unsupported, "unknown opcode " + std::to_string(instruction.code()));
      sm2::decode(instruction, level9_.version, operands_);
      instructions_.push_back(instruction);
      if (instruction.info == nullptr || operands_.count == 0) continue;
      const sm2::Operand& operand = operands_.items[0];
      if (instruction.info->labels()) labels_.emplace(operand.index, instructions_.size());
      if (instruction.info->declares()) declare(operand, instruction.body.u32(0).value_or(0));
      if (instruction.info->defines()) {
        Defined& made = defined_[key(operand.type, operand.index)];
        for (unsigned at = 0; at < 4; ++at) made[at] = instruction.body.u32(4 + std::size_t{4} * at).value_or(0);
      }
    }
    in_ = nullptr;
  }

  void body(std::size_t first) {
    frames_.push_back({.first = first});
    const std::size_t callers_floor = blocks_.floor();
    blocks_.set_floor(blocks_.depth());
    for (std::size_t at = first; at < instructions_.size() && !error_; ++at) {
      const sm2::Instruction& instruction = instructions_[at];
      in_ = &instruction;
      index_ = static_cast<std::uint32_t>(at);
      const Flow flow = sm2::flow_of(*instruction.info);
      if (flow == Flow::body) break;
      if (flow == Flow::return_ && blocks_.depth() == blocks_.floor()) break;
      if (++lowered_ > most_inlined(instructions_.size())) fail(ErrorCode::limit, "too many instructions once functions are inlined");
      if (blocks_.overflows()) fail(ErrorCode::limit, "too many blocks");
      if (blocks_.reachable() || bounds_construct(flow)) lower(instruction);
    }
    if (blocks_.depth() != blocks_.floor()) fail(ErrorCode::bad_value, "an if, loop, rep or call is not closed at the end");
    blocks_.set_floor(callers_floor);
    const BlockId exit = frames_.back().exit;
    frames_.pop_back();
    if (exit != kNone && !error_) blocks_.behind(exit);
  }

  void lower(const sm2::Instruction& instruction);

  void call_label(std::uint32_t label) {
    const auto found = labels_.find(label);
    if (found == labels_.end()) return fail(ErrorCode::missing, "there is no label " + std::to_string(label));
    if (frames_.size() > limits::kCallDepth) return fail(ErrorCode::limit, "calls are nested too deeply");
    if (std::ranges::any_of(frames_, [&](const Frame& frame) { return frame.first == found->second; })) {
      return fail(ErrorCode::cycle, "label " + std::to_string(label) + " calls itself");
    }
    body(found->second);
  }

  BlockId* breaks() {
    BlockId* const target = blocks_.break_target();
    if (target == nullptr) fail(ErrorCode::bad_value, std::string(in_->info->text) + " must be in a loop");
    return target;
  }

  void count(std::uint32_t variable, Id step) {
    variables_.write(variable, builder_.inst(Op::iadd, Type::i32, {variables_.read(variable), step}));
  }

  Id dot_of(const Vector& x, const Vector& y, unsigned count) {
    Id sum = f(Op::fmul, {x[0], y[0]});
    for (unsigned lane = 1; lane < count; ++lane) sum = f(Op::fmad, {x[lane], y[lane], sum});
    return sum;
  }

  template <class Make>
  Vector lanes(Make make) {
    Vector made = kNoVector;
    for (const unsigned lane : operands_.items[0].write_mask) {
      const auto scope = builder_.component(lane);
      made[lane] = make(lane);
    }
    return made;
  }
  template <class Test>
  Vector select(Test test) {
    const Vector x = source(0);
    const Vector y = source(1);
    const Vector z = source(2);
    return lanes([&](unsigned lane) { return choose(test(x[lane]), y[lane], z[lane]); });
  }

  // By the comparison of the instruction: 1 >, 2 =, 3 >=, 4 <, 5 !=, 6 <=.
  Id compared_sources() {
    const Id y = source_of(1)[0];
    return compared(source_of(0)[0], y);
  }
  Id compared(Id x, Id y) {
    switch (sm2::kControlBits.get(in_->token) & 7) {
      case 1: return f(Op::flt, {y, x});
      case 2: return f(Op::feq, {x, y});
      case 3: return f(Op::fle, {y, x});
      case 4: return f(Op::flt, {x, y});
      case 5: return f(Op::fne, {x, y});
      case 6: return f(Op::fle, {x, y});
      default:
        fail(ErrorCode::bad_value, "unknown comparison " + std::to_string(sm2::kControlBits.get(in_->token) & 7));
        return builder_.b1(false);
    }
  }

  Blocks blocks_;
  std::vector<sm2::Instruction> instructions_;             // without comments
  std::unordered_map<std::uint32_t, std::size_t> labels_;  // the instruction after
  std::vector<Frame> frames_;
  std::uint32_t lowered_ = 0;
};

using L9 = Level9Lowering;
struct Level9Row {
  Meaning meaning;
  L9::Meaning lower;
  Op op = Op::undef;
};

// Words of semantics.def, and ids of ops.def if an operation is not simply done for each component.
constexpr Level9Row kLevel9Rows[] = {
    {Meaning::nothing, &L9::nothing},
    {Meaning::mov, &L9::move},
    {Meaning::frsqrt_abs, &L9::of_magnitude, Op::frsqrt},
    {Meaning::flog2_abs, &L9::of_magnitude, Op::flog2},
    {Meaning::fpow_abs, &L9::power},
    {Meaning::fset_lt, &L9::set<false>, Op::flt},
    {Meaning::fset_ge, &L9::set<true>, Op::fle},
    {Meaning::fselect_ge, &L9::select_not_negative},
    {Meaning::fselect_gt_half, &L9::select_above_half},
    {Meaning::fdot3, &L9::dot<3>},
    {Meaning::fdot4, &L9::dot<4>},
    {Meaning::fdot2_add, &L9::dot2_add},
    {Meaning::fmat4x4, &L9::matrix<4, 4>},
    {Meaning::fmat4x3, &L9::matrix<4, 3>},
    {Meaning::fmat3x4, &L9::matrix<3, 4>},
    {Meaning::fmat3x3, &L9::matrix<3, 3>},
    {Meaning::fmat3x2, &L9::matrix<3, 2>},
    {Meaning::flerp, &L9::lerp},
    {Meaning::fcross, &L9::cross},
    {Meaning::fsign, &L9::sign},
    {Meaning::fnormalize, &L9::normalize},
    {Meaning::fsincos, &L9::sine_cosine},
    {Meaning::distance, &L9::distance},
    {Meaning::light, &L9::light},
    {Meaning::fbump_matrix, &L9::unsupported},
    {Meaning::round_to_address, &L9::round_to_address},
    {Meaning::set_predicate, &L9::set_predicate},
    {Meaning::discard_negative, &L9::discard_negative},
    {Meaning::sample_implicit, &L9::sample<false, false>},
    {Meaning::sample_level, &L9::sample<true, false>},
    {Meaning::sample_gradient, &L9::sample<false, true>},
    {Meaning::if_, &L9::if_block},
    {Meaning::if_compare, &L9::if_compare},
    {Meaning::else_, &L9::else_block},
    {Meaning::end_if, &L9::end_if},
    {Meaning::loop_counted, &L9::loop_block<true>},
    {Meaning::loop_repeat, &L9::loop_block<false>},
    {Meaning::end_loop, &L9::end_loop},
    {Meaning::break_, &L9::break_out},
    {Meaning::break_compare, &L9::break_compare},
    {Meaning::break_if, &L9::break_if},
    {Meaning::return_, &L9::return_from},
    {Meaning::call, &L9::call},
    {Meaning::call_if, &L9::call_if},
};

constexpr Level9Row level9_row(Meaning meaning) {
  for (const Level9Row& row : kLevel9Rows) {
    if (row.meaning == meaning) return row;
  }
  if (is_of_one_type(meaning)) return {meaning, &L9::componentwise, *op_of(meaning)};
  return {meaning, nullptr};
}

struct Level9Opcode {
  std::uint32_t code;
  Level9Row row;
};
constexpr Level9Opcode kLevel9Opcodes[] = {
#define SM2_OP(code, id, text, shape, lanes, slots, unit, block, vs, ps, gradient, sem) {code, level9_row(Meaning::sem)},
#include <unshade/dxbc/level9/sm2_opcodes.def>
};
static_assert(std::ranges::none_of(kLevel9Opcodes, [](const Level9Opcode& one) { return one.row.lower == nullptr; }),
              "sm2_opcodes.def: every row must have a lowering");

void Level9Lowering::lower(const sm2::Instruction& instruction) {
  sm2::decode(instruction, level9_.version, operands_);
  if (operands_.count < instruction.info->required_operands()) return fail(ErrorCode::truncated, "an operand is missing");
  builder_.from({.instruction = index_, .group = lowered_});
  const Level9Row& row = std::ranges::lower_bound(kLevel9Opcodes, instruction.code(), {}, &Level9Opcode::code)->row;
  const Vector values = (this->*row.lower)(row.op);
  if (operands_.count == 0 || !operands_.items[0].is_destination || error_) return;
  const sm2::Operand& to = operands_.items[0];
  for (const unsigned component : to.write_mask) {
    const auto scope = builder_.component(component);
    if (values[component] != kNone) write(to, component, values[component]);
  }
}

}  // namespace
}  // namespace lower_dxbc

Result<Module> lower(const dxbc::Level9& level9, const DxbcInterface& interface, const DxbcOptions& options) {
  // The program's own token decides how it reads; the part repeats it, at times with a lower model.
  const dxbc::sm2::Version version{level9.program.u32(0).value_or(0)};
  if (!version.is_known() || version.is_pixel() != level9.version.is_pixel()) {
    Text found;
    found << "found ";
    print(found, version);
    found << ", expected a " << (level9.version.is_pixel() ? "pixel" : "vertex") << " shader of model 1 to 3";
    return Error{ErrorCode::bad_value, level9.program.file_offset(), "version", found.str()};
  }
  return lower_dxbc::Level9Lowering(level9, interface, options).run();
}

}  // namespace unshade::ir
