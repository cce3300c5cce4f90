// Lowers executables of the PICA200: one block for each stretch of states that nothing enters from the side, see states.hpp.
#include <unshade/ir/lower_pica.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/builder.hpp>
#include <unshade/ir/passes.hpp>
#include <unshade/pica/float24.hpp>
#include <unshade/pica/instruction.hpp>

#include "ir/meaning.hpp"
#include "ir/pica/interface.hpp"
#include "ir/pica/states.hpp"

namespace unshade::ir {
namespace {

using lower_pica::Edge;
using lower_pica::kEnd;
using lower_pica::kLoopSlots;
using lower_pica::kTrap;
using pica::Instruction;
using pica::Opcode;

using Vector = std::array<Id, 4>;
constexpr unsigned kVertices = 3;  // that a geometry shader keeps
constexpr unsigned kRegisters = 16;

std::array<std::array<std::uint32_t, 4>, kRegisters> declared(SsaVariables& variables, Type type) {
  std::array<std::array<std::uint32_t, 4>, kRegisters> made{};
  for (auto& one : made) {
    for (auto& component : one) component = variables.declare(type);
  }
  return made;
}

class Lowering {
 public:
  Lowering(const pica::Shbin& file, const pica::Executable& executable, const PicaOptions& options)
      : file_(file),
        executable_(executable),
        options_(options),
        value_(options.f24 == F24::as_f32 ? Type::f32 : Type::f24),
        builder_(module_.functions.emplace_back()),
        variables_(builder_),
        temporaries_(declared(variables_, value_)),
        outputs_(declared(variables_, value_)),
        other_outputs_(declared(variables_, value_)) {
    builder_.keep_copies(options.keep_copies);
    if (options.constants_in_code) given_ = lower_pica::given_words(executable);
    for (auto& address : addresses_) address = variables_.declare(Type::i32);
    for (auto& flag : flags_) flag = variables_.declare(Type::b1);
    for (auto& counter : counters_) counter = variables_.declare(Type::i32);
    for (auto& saved : saved_) saved = variables_.declare(Type::i32);
    emit_slot_ = variables_.declare(Type::i32);
    emit_primitive_ = variables_.declare(Type::b1);
    emit_inverted_ = variables_.declare(Type::b1);
    for (auto& vertex : vertices_) vertex = declared(variables_, value_);
  }

  Result<Module> run() {
    module_.stage = is_geometry() ? Stage::geometry : Stage::vertex;
    module_.modes.f24 = options_.f24;
    module_.modes.denorm32 = Denormals::flush;
    if (is_geometry()) {
      module_.info.stream_topologies = {dxcontainer::OutputTopology::triangle_strip};
      module_.info.input_primitive = dxcontainer::InputPrimitive::point;
    }
    lower_pica::describe_interface(executable_, module_);
    code_.reserve(file_.program.code.size());
    for (const std::uint32_t word : file_.program.code) code_.push_back(pica::decode(word));
    auto nodes = lower_pica::explore(code_, executable_.entry_words);
    if (!nodes) return located(std::move(nodes).error());
    nodes_ = std::move(*nodes);
    leads_ = lower_pica::find_leaders(nodes_);
    blocks_.assign(nodes_.size(), kNone);
    const BlockId entry = builder_.block();
    builder_.at(entry);
    variables_.seal(entry);
    begin();
    builder_.jump(block_of(0));
    arrived(0);
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
      if (leads_[node] == 0) continue;
      builder_.at(block_of(node));
      if (auto done = stretch(node); !done) return located(std::move(done).error());
    }
    variables_.finish();
    if (auto done = variables_.check(); !done) return located(std::move(done).error());
    canonicalize(module_);
    return std::move(module_);
  }

 private:
  struct Step {
    void (Lowering::*lower)(Op);
    Op op = Op::undef;
  };
  struct MeaningRow {
    Meaning meaning;
    Step step;
  };
  static const MeaningRow kMeaningRows[];
  static constexpr Step step_of(Meaning meaning);
  static const Step& step_of(Opcode opcode);

  bool is_geometry() const { return executable_.stage == pica::Stage::geometry; }

  // Errors inside count from the first word.
  Error located(Error error) const {
    if (!code_.empty()) error.offset += 8 + 4 * file_.executables.size() + file_.program.code.offset;
    return std::move(error).within("code");
  }

  // Registers begin as zeros; reading one before it is written is no fault of the hardware's.
  void begin() {
    const auto zero = [&](const auto& registers) {
      for (const auto& one : registers) {
        for (const auto component : one) variables_.write(component, number(0));
      }
    };
    zero(temporaries_);
    zero(outputs_);
    zero(other_outputs_);
    for (const auto& vertex : vertices_) zero(vertex);
    for (const auto address : addresses_) variables_.write(address, builder_.i32(0));
    for (const auto flag : flags_) variables_.write(flag, builder_.b1(false));
    variables_.write(emit_slot_, builder_.i32(0));
    variables_.write(emit_primitive_, builder_.b1(false));
    variables_.write(emit_inverted_, builder_.b1(false));
  }

  // --- blocks --------------------------------------------------------------------------------------------------------------------------

  BlockId block_of(std::uint32_t node) {
    if (blocks_[node] == kNone) blocks_[node] = builder_.block();
    return blocks_[node];
  }

  // One of the edges into a leader has its terminator.
  void arrived(std::uint32_t node) {
    if (--leads_[node] == 0) {
      leads_[node] = kArrived;
      variables_.seal(blocks_[node]);
    }
  }

  Result<void> stretch(std::uint32_t number) {
    for (;;) {
      const lower_pica::Node& node = nodes_[number];
      const Instruction& inst = code_[node.pc];
      builder_.from({node.pc, node.pc});
      if (auto done = instruction(inst, node); !done) return done;
      const auto taken = std::ranges::find(node.edges, true, &Edge::taken);
      if (taken != node.edges.begin() && taken != node.edges.end()) {
        const Id holds = condition(inst);
        const BlockId if_taken = builder_.block();
        const BlockId otherwise = builder_.block();
        builder_.branch(holds, if_taken, otherwise);
        variables_.seal(if_taken);
        variables_.seal(otherwise);
        builder_.at(otherwise);
        follow(node, false);
        builder_.at(if_taken);
        on_taken(inst, node);
        follow(node, true);
        return {};
      }
      if (taken != node.edges.end()) on_taken(inst, node);
      if (node.edges.size() == 1 && node.edges[0].next < nodes_.size() && leads_[node.edges[0].next] == 0) {
        number = node.edges[0].next;
        continue;
      }
      follow(node, taken != node.edges.end());
      return {};
    }
  }

  // Ends the block by the edges of one outcome of the condition: one, or the two of a loop's end.
  void follow(const lower_pica::Node& node, bool taken) {
    const auto first = std::ranges::find(node.edges, taken, &Edge::taken);
    if (first->loop == Edge::Loop::none) {
      leave(first->next);
      return;
    }
    const Edge done = *first;
    const Edge again = first[1];
    const Id counter = variables_.read(counters_[done.slot]);
    variables_.write(addresses_[kLoopAddress],
                     builder_.inst(Op::iadd, Type::i32, {variables_.read(addresses_[kLoopAddress]), integer(done.integer, 2)}));
    const BlockId if_done = builder_.block();
    const BlockId if_again = builder_.block();
    builder_.branch(builder_.inst(Op::ieq, Type::i32, {counter, builder_.i32(0)}), if_done, if_again);
    variables_.seal(if_done);
    variables_.seal(if_again);
    builder_.at(if_again);
    variables_.write(counters_[done.slot], builder_.inst(Op::isub, Type::i32, {counter, builder_.i32(1)}));
    leave(again.next);
    builder_.at(if_done);
    if (done.restores_counter) variables_.write(addresses_[kLoopAddress], variables_.read(saved_[done.slot]));
    leave(done.next);
  }

  void leave(std::uint32_t next) {
    if (next == kTrap) {
      builder_.inst(Op::trap, Type::void_, {}, {.extra = 1});
      builder_.return_values();
    } else if (next == kEnd) {
      if (!is_geometry()) write_outputs(outputs_);
      builder_.return_values();
    } else {
      builder_.jump(block_of(next));
      arrived(next);
    }
  }

  // --- values --------------------------------------------------------------------------------------------------------------------------

  Id number(float value) { return builder_.constant(value_, std::bit_cast<std::uint32_t>(value)); }
  Id real(Op op, std::initializer_list<std::uint32_t> operands) { return builder_.inst(op, value_, operands); }
  // What comes from outside is f32.
  Id taken_in(Id value) { return value_ == Type::f32 ? value : builder_.inst(Op::f_to_f, value_, {value}, {.extra = rounding()}); }
  Id given_out(Id value) { return value_ == Type::f32 ? value : builder_.inst(Op::f_to_f, Type::f32, {value}); }
  std::uint32_t rounding() const {
    return static_cast<std::uint32_t>(options_.f24 == F24::nearest ? Rounding::nearest_even : Rounding::toward_zero);
  }
  Id uniform(Type type, Id offset, std::uint8_t results = 1) {
    const Id handle = builder_.inst(Op::handle, Type::void_, {builder_.i32(0)}, {.extra = 0});
    return builder_.inst(Op::cbuffer_load, type, {handle, offset}, {.results = results});
  }
  Id word(Type type, std::uint32_t at) {
    const auto given = given_.find(at);
    return given == given_.end() ? uniform(type, builder_.i32(at)) : builder_.constant(type, given->second);
  }
  Id integer(unsigned index, unsigned component) { return word(Type::i32, pica_uniforms::integer(index % pica::kIntConstants, component)); }
  Id boolean(unsigned index) {
    return builder_.inst(Op::ine, Type::i32, {word(Type::i32, pica_uniforms::boolean(index)), builder_.i32(0)});
  }

  // Component of a float constant, by a register of addresses if there is one. src: Azahar shader_interpreter.cpp: offsets beyond a signed
  // byte count as 0, registers from 96 on read 1
  Id constant(unsigned index, pica::Index by, unsigned component) {
    if (by == pica::Index::none) return taken_in(word(Type::f32, pica_uniforms::real(index, component)));
    const Id address = variables_.read(addresses_[static_cast<unsigned>(by) - 1]);
    const auto i32 = [&](Op op, Id a, std::uint32_t b) { return builder_.inst(op, Type::i32, {a, builder_.i32(b)}); };
    const Id in_range = i32(Op::ult, i32(Op::iadd, address, 128), 256);
    const Id offset = builder_.inst(Op::select, Type::i32, {in_range, address, builder_.i32(0)});
    const Id reg = i32(Op::iand, i32(Op::iadd, offset, index), 0x7f);
    const Id all = uniform(Type::f32, i32(Op::imul, reg, 16), 4);
    const Id read = taken_in(builder_.inst(Op::get, Type::f32, {all}, {.extra = component}));
    return real(Op::select, {i32(Op::ult, reg, pica::kFloatConstants), read, number(1)});
  }

  Id input(unsigned index, unsigned component) {
    const ElementExtra extra(SignatureKind::input, static_cast<std::uint16_t>(index), static_cast<std::uint8_t>(component));
    return taken_in(builder_.inst(Op::input, Type::f32, {}, {.extra = extra.bits()}));
  }

  Id source(const pica::SourceOperand& source, unsigned place) {
    const unsigned component = source.swizzle[place];
    const Id value = source.is_input()       ? input(source.number(), component)
                     : source.is_temporary() ? variables_.read(temporaries_[source.number()][component])
                                             : constant(source.number(), source.index, component);
    return source.negated ? real(Op::fneg, {value}) : value;
  }

  Id term(Id flag, bool reference) { return reference ? flag : builder_.inst(Op::inot, Type::b1, {flag}); }

  Id condition(const Instruction& inst) {
    switch (pica::info(inst.opcode).shape.front()) {
      case 'b': return boolean(inst.uniform);
      case 'n': return term(boolean(inst.uniform), !inst.negates_uniform());
      default: break;
    }
    const Id x = term(variables_.read(flags_[0]), inst.ref_x);
    const Id y = term(variables_.read(flags_[1]), inst.ref_y);
    switch (inst.condition) {
      case pica::Condition::either: return builder_.inst(Op::ior, Type::b1, {x, y});
      case pica::Condition::both: return builder_.inst(Op::iand, Type::b1, {x, y});
      case pica::Condition::x: return x;
      default: return y;
    }
  }

  // --- instructions --------------------------------------------------------------------------------------------------------------------

  // What an instruction of control flow changes if its condition holds.
  void on_taken(const Instruction& inst, const lower_pica::Node& node) {
    const pica::Flow flow = pica::info(inst.opcode).flow;
    if (flow == pica::Flow::loop) {
      variables_.write(saved_[node.loop_slot], variables_.read(addresses_[kLoopAddress]));
      variables_.write(counters_[node.loop_slot], integer(inst.uniform, 0));
      variables_.write(addresses_[kLoopAddress], integer(inst.uniform, 1));
    } else if (flow == pica::Flow::leave && node.leaves_nested) {
      variables_.write(addresses_[kLoopAddress], variables_.read(saved_[node.loop_slot]));
    }
  }

  Result<void> instruction(const Instruction& inst, const lower_pica::Node& node) {
    if (inst.opcode == Opcode::unknown) {
      return Error{ErrorCode::unsupported, std::uint64_t{node.pc} * 4, "", "word " + std::to_string(node.pc) + " is not an instruction"};
    }
    const std::uint32_t* descriptor = nullptr;
    if (pica::has_descriptor(format_of(inst.opcode))) {
      if (inst.descriptor >= file_.program.descriptors.size()) {
        return Error{ErrorCode::out_of_range, std::uint64_t{node.pc} * 4, "",
                     "operand descriptor " + std::to_string(inst.descriptor) + " of " + std::to_string(file_.program.descriptors.size())};
      }
      descriptor = &file_.program.descriptors[inst.descriptor].bits;
    }
    const pica::OpcodeInfo& row = pica::info(inst.opcode);
    if (row.flow != pica::Flow::next) return {};
    inst_ = &inst;
    operands_ = pica::operands_of(inst, descriptor);
    const Step& step = step_of(inst.opcode);
    (this->*step.lower)(step.op);
    return {};
  }

  // A component of a source, negated if the descriptor says so.
  Id s(unsigned which, unsigned place) { return source(operands_.sources[which], place); }
  Id less(Id a, Id b) { return real(Op::flt, {a, b}); }
  Id pick(Id holds, Id a, Id b) { return real(Op::select, {holds, a, b}); }
  Id one_if(Id holds) { return real(Op::select, {holds, number(1), number(0)}); }

  template <class Make>
  void each(Make make) {
    Vector result{kNone, kNone, kNone, kNone};
    for (const unsigned component : operands_.written) {
      const auto scope = builder_.component(component);
      result[component] = make(component);
    }
    write(*inst_, result);
  }
  void all(Id value) {
    each([&](unsigned) { return value; });
  }

  void nothing(Op) {}
  void move(Op) {
    each([&](unsigned c) { return builder_.copied(s(0, c)); });
  }
  // Of each component, or of the first for all: by the column `lanes`.
  void simple(Op op) {
    const std::size_t sources = info(op).operands.size();
    const auto of = [&](unsigned c) {
      std::array<std::uint32_t, 3> from{};
      for (unsigned at = 0; at < sources; ++at) from[at] = s(at, c);
      return builder_.inst(op, value_, std::span(from).first(sources));
    };
    if (pica::info(inst_->opcode).lanes == pica::Lanes::each)
      each(of);
    else
      all(of(0));
  }
  template <unsigned count, bool homogeneous = false>
  void dot(Op) {
    Id sum = kNone;
    for (unsigned at = 0; at < count; ++at) {
      const Id a = homogeneous && at == 3 ? number(1) : s(0, at);
      sum = sum == kNone ? real(Op::fmul_zero, {a, s(1, at)}) : real(Op::fmad_zero, {a, s(1, at), sum});
    }
    all(sum);
  }
  void distance(Op) {
    each([&](unsigned c) { return c == 0 ? number(1) : c == 1 ? real(Op::fmul_zero, {s(0, 1), s(1, 1)}) : c == 2 ? s(0, 2) : s(1, 3); });
  }
  void set_ge(Op) {
    each([&](unsigned c) { return one_if(real(Op::fle, {s(1, c), s(0, c)})); });
  }
  void set_lt(Op) {
    each([&](unsigned c) { return one_if(real(Op::flt, {s(0, c), s(1, c)})); });
  }
  // The second source unless the comparison holds, so that a NaN gives the second.
  template <bool greatest>
  void extreme(Op) {
    each([&](unsigned c) {
      const Id a = s(0, c);
      const Id b = s(1, c);
      return pick(greatest ? less(b, a) : less(a, b), a, b);
    });
  }
  void to_address(Op) {
    for (const unsigned component : operands_.written& WriteMask::first_components(2)) {
      const auto scope = builder_.component(component);
      variables_.write(addresses_[component], builder_.inst(Op::f_to_s, Type::i32, {s(0, component)}));
    }
  }
  void light_partial(Op) {
    const Id x = s(0, 0);
    const Id y = s(0, 1);
    const Id w = s(0, 3);
    const Id zero = number(0);
    const Id bound = number(pica::from_float24(0x45'fffc));
    const Id low = number(pica::from_float24(0xc5'fffc));
    const auto positive = [&](Id value) { return pick(less(zero, value), value, zero); };
    const Id raised = pick(less(y, low), low, y);
    const Id clamped = pick(less(bound, raised), bound, raised);
    const Id positive_x = positive(x);
    const Id positive_w = positive(w);
    variables_.write(flags_[0], real(Op::fle, {zero, x}));
    variables_.write(flags_[1], real(Op::fle, {zero, w}));
    each([&](unsigned c) { return c == 0 ? positive_x : c == 1 ? clamped : c == 2 ? zero : positive_w; });
  }
  void compare_flags(Op) {
    for (unsigned flag = 0; flag < 2; ++flag) {
      const Id a = s(0, flag);
      const Id b = s(1, flag);
      variables_.write(flags_[flag], compared(flag == 0 ? inst_->compare_x : inst_->compare_y, a, b));
    }
  }
  void set_emit(Op) {
    variables_.write(emit_slot_, builder_.i32(inst_->vertex));
    variables_.write(emit_primitive_, builder_.b1(inst_->primitive));
    variables_.write(emit_inverted_, builder_.b1(inst_->inverted));
  }

  Id compared(pica::Comparison how, Id a, Id b) {
    switch (how) {
      case pica::Comparison::eq: return real(Op::feq, {a, b});
      case pica::Comparison::ne: return real(Op::fne, {a, b});
      case pica::Comparison::lt: return real(Op::flt, {a, b});
      case pica::Comparison::le: return real(Op::fle, {a, b});
      case pica::Comparison::gt: return real(Op::flt, {b, a});
      case pica::Comparison::ge: return real(Op::fle, {b, a});
      default: return builder_.b1(true);
    }
  }

  void write(const Instruction& inst, const Vector& values) {
    auto& reg = inst.destination < kRegisters ? outputs_[inst.destination] : temporaries_[inst.destination - kRegisters];
    for (unsigned component = 0; component < 4; ++component) {
      if (values[component] != kNone) variables_.write(reg[component], values[component]);
    }
  }

  // --- outputs -------------------------------------------------------------------------------------------------------------------------

  using Registers = std::array<std::array<std::uint32_t, 4>, kRegisters>;

  void write_outputs(const Registers& from) {
    for (std::size_t at = 0; at < module_.signatures.output.size(); ++at) {
      const Element& element = module_.signatures.output[at];
      for (std::uint8_t column = 0; column < element.columns; ++column) {
        const auto scope = builder_.component(element.first_column + std::size_t{column});
        const Id value = variables_.read(from[element.first_register][element.first_column + std::size_t{column}]);
        const ElementExtra extra(SignatureKind::output, static_cast<std::uint16_t>(at), column);
        builder_.inst(Op::output, Type::f32, {given_out(value)}, {.extra = extra.bits()});
      }
    }
  }

  // Copies the outputs to one of three vertices; with `prim` they are a triangle, the first two exchanged if it is inverted. Then the
  // outputs are those of the other bank. src: docs/reference/formats/shbin.md, "Geometry stage"; Azahar
  void emit(Op) {
    const Id slot = variables_.read(emit_slot_);
    for (unsigned vertex = 0; vertex < kVertices; ++vertex) {
      const Id is_this = builder_.inst(Op::ieq, Type::i32, {slot, builder_.i32(vertex)});
      for (const Element& element : module_.signatures.output) {
        for (unsigned column = 0; column < element.columns; ++column) {
          const unsigned reg = element.first_register;
          const unsigned component = element.first_column + column;
          const auto scope = builder_.component(component);
          const auto kept = vertices_[vertex][reg][component];
          variables_.write(kept, real(Op::select, {is_this, variables_.read(outputs_[reg][component]), variables_.read(kept)}));
        }
      }
    }
    for (const Element& element : module_.signatures.output) {
      for (unsigned component = element.first_column; component < element.first_column + unsigned{element.columns}; ++component) {
        const auto here = outputs_[element.first_register][component];
        const auto there = other_outputs_[element.first_register][component];
        const Id value = variables_.read(here);
        variables_.write(here, variables_.read(there));
        variables_.write(there, value);
      }
    }
    const BlockId triangle = builder_.block();
    const BlockId straight = builder_.block();
    const BlockId inverted = builder_.block();
    const BlockId last = builder_.block();
    const BlockId after = builder_.block();
    builder_.branch(variables_.read(emit_primitive_), triangle, after);
    variables_.seal(triangle);
    builder_.at(triangle);
    builder_.branch(variables_.read(emit_inverted_), inverted, straight);
    variables_.seal(straight);
    variables_.seal(inverted);
    for (const BlockId block : {straight, inverted}) {
      builder_.at(block);
      emit_vertex(block == straight ? 0 : 1);
      emit_vertex(block == straight ? 1 : 0);
      builder_.jump(last);
    }
    variables_.seal(last);
    builder_.at(last);
    emit_vertex(2);
    builder_.inst(Op::cut, Type::void_, {});
    builder_.jump(after);
    variables_.seal(after);
    builder_.at(after);
  }

  void emit_vertex(unsigned vertex) {
    write_outputs(vertices_[vertex]);
    builder_.inst(Op::emit, Type::void_, {});
  }

  static constexpr unsigned kLoopAddress = 2;  // aL, after a0.x and a0.y
  static constexpr std::uint32_t kArrived = 0xffff'ffff;

  const pica::Shbin& file_;
  const pica::Executable& executable_;
  PicaOptions options_;
  std::map<std::uint32_t, std::uint32_t> given_;  // words of constants that are numbers of the code
  Type value_;                                    // of registers
  Module module_;
  Builder builder_;
  SsaVariables variables_;
  Registers temporaries_, outputs_, other_outputs_;
  std::array<Registers, kVertices> vertices_{};
  std::array<std::uint32_t, 3> addresses_{};
  std::array<std::uint32_t, 2> flags_{};
  std::array<std::uint32_t, kLoopSlots> counters_{}, saved_{};
  std::uint32_t emit_slot_ = 0, emit_primitive_ = 0, emit_inverted_ = 0;
  std::vector<Instruction> code_;
  const Instruction* inst_ = nullptr;  // the one that is lowered
  pica::Operands operands_;            // its
  std::vector<lower_pica::Node> nodes_;
  std::vector<std::uint32_t> leads_;  // of a state that begins a block, how many edges into it have no terminator yet
  std::vector<BlockId> blocks_;
};

// Words of semantics.def, and ids of ops.def if an instruction is not simply that operation of its sources.
constexpr Lowering::MeaningRow Lowering::kMeaningRows[] = {
    {Meaning::nothing, {&Lowering::nothing}},
    {Meaning::mov, {&Lowering::move}},
    {Meaning::fdot3, {&Lowering::dot<3>}},
    {Meaning::fdot4, {&Lowering::dot<4>}},
    {Meaning::fdot_homogeneous, {&Lowering::dot<4, true>}},
    {Meaning::distance, {&Lowering::distance}},
    {Meaning::light_partial, {&Lowering::light_partial}},
    {Meaning::fset_ge, {&Lowering::set_ge}},
    {Meaning::fset_lt, {&Lowering::set_lt}},
    {Meaning::fmin, {&Lowering::extreme<false>}},
    {Meaning::fmax, {&Lowering::extreme<true>}},
    {Meaning::truncate_to_address, {&Lowering::to_address}},
    {Meaning::compare_flags, {&Lowering::compare_flags}},
    {Meaning::emit, {&Lowering::emit}},
    {Meaning::set_emit, {&Lowering::set_emit}},
};

constexpr Lowering::Step Lowering::step_of(Meaning meaning) {
  for (const MeaningRow& row : kMeaningRows) {
    if (row.meaning == meaning) return row.step;
  }
  if (is_of_one_type(meaning)) return {&Lowering::simple, *op_of(meaning)};
  return {nullptr};
}

const Lowering::Step& Lowering::step_of(Opcode opcode) {
  // what goes on at another word is in the column `flow`
  static constexpr auto kSteps = [] {
    std::array<Step, 64> made{};
    made.fill({&Lowering::nothing});
#define PICA_OP(code, id, text, format, shape, lanes, flow, stages, sem) \
  if (pica::Flow::flow == pica::Flow::next) made[code] = step_of(Meaning::sem);
#include <unshade/pica/instructions.def>
#undef PICA_OP
    return made;
  }();
  static_assert(std::ranges::none_of(kSteps, [](const Step& step) { return step.lower == nullptr; }),
                "instructions.def: every row must have a lowering");
  return kSteps[static_cast<std::size_t>(opcode)];
}

}  // namespace

Result<Module> lower(const pica::Shbin& file, std::size_t index, const PicaOptions& options) {
  if (index >= file.executables.size()) {
    return Error{ErrorCode::out_of_range, 4, "executables",
                 "executable " + std::to_string(index) + " of " + std::to_string(file.executables.size())};
  }
  return Lowering(file, file.executables[index], options).run();
}

}  // namespace unshade::ir
