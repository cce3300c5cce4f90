// Lowers one token program. One class, since everything works on the insertion point of the builder; its parts are files by
// subject, as the comments below tell.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/ir/builder.hpp>

#include "ir/dxbc/blocks.hpp"
#include "ir/dxbc/declarations.hpp"
#include "ir/meaning.hpp"
#include "ir/message_table.hpp"

namespace unshade::ir::lower_dxbc {

using dxbc::Instruction;
using dxbc::Operand;

inline constexpr std::uint32_t kRowBytes = 16;  ///< of a register
inline constexpr std::uint32_t kComponentBytes = 4;

/// A value for each of four components or lanes; kNone for those not asked for.
using Values = std::array<Id, 4>;
inline constexpr Values kNoValues{kNone, kNone, kNone, kNone};

/// Any 32-bit type, that in which a register was written last.
inline constexpr Type kAnyType = Type::void_;

/// Which component of a destination a lane of an instruction is, and which lane of the sources it reads. A double takes two components of a
/// destination, the first of which is named here.
struct Lane {
  std::uint8_t component = 0;
  std::uint8_t source = 0;
};
struct Lanes {
  unsigned count = 0;
  std::array<Lane, 4> items{};
  const Lane* begin() const { return items.data(); }
  const Lane* end() const { return items.data() + count; }
  void add(unsigned component, unsigned source) {
    items[count++] = {static_cast<std::uint8_t>(component), static_cast<std::uint8_t>(source)};
  }
};

/// The address of a resource and what it is.
struct BoundResource {
  Id handle = kNone;
  const Binding* binding = nullptr;
};

enum class Sampling : std::uint8_t { plain, bias, level, gradient, compare, compare_level_zero };

class Lowering {
 public:
  Lowering(const dxbc::Program& program, const DxbcInterface& interface, const DxbcOptions& options)
      : program_(program), interface_(interface), options_(options) {}
  Result<Module> run();

  /// Lowers the current instruction; the operation is for functions that several words of the column `sem` share.
  using Meaning = void (Lowering::*)(Op);

  // arithmetic.cpp: what works on registers alone
  void nothing(Op) {}
  void componentwise(Op op);  ///< for each component, or each double, by itself
  void swapped(Op op);        ///< the same with both sources exchanged
  template <ir::Meaning kMeaning>
  void made_of(Op) {  ///< for each component, what lower_meaning() makes
    by_component(kMeaning);
  }
  void move(Op);
  void select(Op);
  void swap_if(Op);
  template <unsigned kCount>
  void dot(Op) {
    dot_product(kCount);
  }
  void sine_cosine(Op);
  void wide_multiply(Op op);  ///< `op` makes the upper half
  void divide(Op);
  void two_results(Op op);  ///< a tuple whose members go to both destinations
  template <Type kTo>
  void convert(Op op) {
    convert_to(op, kTo);
  }
  void bit_field(Op op);
  void insert_bits(Op op);

  // flow.cpp
  void if_block(Op);
  void else_block(Op);
  void end_if(Op);
  void loop_block(Op);
  void end_loop(Op);
  void switch_block(Op);
  void case_label(Op);
  void end_switch(Op);
  void break_out(Op);
  void continue_loop(Op);
  void return_from(Op);
  void call(Op);
  void call_interface(Op);

  // resources.cpp: textures and typed buffers
  template <Sampling kHow>
  void sample(Op) {
    sample_as(kHow);
  }
  template <bool kHasOffsets, bool kHasReference>
  void gather(Op) {
    gather_as(kHasOffsets, kHasReference);
  }
  void texel_load(Op);
  void texel_store(Op);
  void resource_info(Op);
  void buffer_info(Op);
  void sample_info(Op);
  void sample_position(Op);
  void query_lod(Op);

  // memory.cpp: raw and structured memory, atomics, what belongs to single stages
  void memory_load(Op);
  void memory_store(Op);
  template <AtomicOp kOperation>
  void atomic(Op) {
    atomic_operation(kOperation);
  }
  template <Counter kDirection>
  void counter(Op) {
    count(kDirection);
  }
  void barrier(Op);
  void discard(Op);
  void emit(Op);
  void cut(Op);
  void emit_cut(Op);
  template <ElementExtra::Place kPlace>
  void evaluate(Op) {
    evaluate_at(kPlace);
  }
  void stop(Op);

  // messages.cpp
  void custom_data(Op);

 private:
  // A body that is being lowered: the program, a phase, a function that is called.
  struct Frame {
    std::uint32_t token = 0;
    BlockId exit = kNone;  // target of early returns, once there are any
  };

  // What belongs to one function of the module.
  struct Body {
    explicit Body(Function& function) : builder(function), variables(builder), blocks(builder, variables) {}
    Builder builder;
    SsaVariables variables;
    Blocks blocks;
    std::unordered_map<std::uint32_t, std::uint32_t> temps;  // register * 4 + component to variable
    std::unordered_map<std::uint64_t, Id> inputs;            // by element, column and constant vertex
    std::unordered_map<std::uint64_t, Id> handles;           // by resource and constant index
    std::unordered_map<std::uint32_t, Id> builtins;
    Id last_of_prologue = kNone;
  };

  // A place in memory.
  struct Address {
    std::uint32_t variable = kNone;    // of group memory
    const Binding* binding = nullptr;  // else
    BufferExtra extra{};
    std::vector<std::uint32_t> operands{};  // handle and addresses; of group memory the offset
  };

  // A component of a temporary register.
  struct TempComponent {
    std::uint32_t register_index = 0;
    std::uint8_t component = 0;
  };
  // A body that is called and stays a function. Its parameters are the registers that it uses, its results those that it writes.
  struct KeptFunction {
    bool is_kept = false;
    std::uint32_t number = 0;  // in Module::functions
    std::vector<TempComponent> parameters, results;
  };

  // lowering.cpp: functions, phases, what comes before and after a body
  void hull();
  void begin(std::string name);
  void start(Function& function, std::string name);
  void end(std::span<const TempComponent> results = {});
  void phase(std::uint32_t number);
  void load_arrays();
  void store_arrays();
  template <class Visit>
  void for_each_component(SignatureKind kind, const RegisterArray& array, Visit visit);
  void fail(ErrorCode code, std::string message);
  bool failed() const { return error_.has_value(); }
  Builder& b() { return body_->builder; }

  // names.cpp
  void read_places();
  /// Names what an instruction, which is lowered, wrote to temporaries.
  void name_written(const Instruction& instruction);

  // flow.cpp
  Blocks& blocks() { return body_->blocks; }
  void check(std::string fault);
  void check_lanes();
  void leave(BlockId& target);
  void from(Source source);
  /// Counts what a call adds to the program.
  void inlined(std::size_t count);
  void body(Place place);
  void call_body(const std::unordered_map<std::uint32_t, Place>& places, std::uint32_t number);

  // calls.cpp: bodies that stay functions
  bool keep_call(Place place);
  bool find_registers(Place place, std::uint64_t& most, std::map<std::uint32_t, bool>& registers, std::set<std::uint32_t>& seen) const;
  void lower_kept(Place place, KeptFunction& kept);
  void call_slot(const Interface& interface, std::uint32_t slot, std::uint32_t call_site);
  template <class Make>
  void choose_block(Id value, std::span<const std::uint32_t> numbers, Make make);

  // operands.cpp: sources
  const Operand& operand(unsigned at) const { return in_->operands[at]; }
  static unsigned mask(const Operand& operand) { return operand.mask().bits(); }
  static unsigned component(const Operand& operand, unsigned lane);
  Values source(const Operand& operand, unsigned lanes, Type type);
  Values doubles(const Operand& operand, unsigned lanes);
  Id source_lane(const Operand& operand, unsigned lane, Type type) { return source(operand, 1U << lane, type)[lane]; }
  Id modified(const Operand& operand, Type type, Id value);
  Values components(const Operand& operand, unsigned which, Type type);
  Id register_component(const Operand& operand, unsigned component, Type type);
  Values constant_buffer(const Operand& operand, unsigned which, Type type);
  Id input(const Operand& operand, unsigned component);
  Id element(RegisterFile file, std::uint32_t register_index, unsigned component, Id vertex);
  Id builtin(Builtin which, unsigned component);
  Id prologue(Op op, Type type, std::span<const std::uint32_t> operands, const InstOptions& options);
  Id index(const Operand& operand, unsigned dimension, std::uint32_t less = 0);
  Id row_offset(Id row, unsigned component);
  Id truth(Id value);
  Id condition(bool& if_set);
  std::uint32_t temp(std::uint32_t register_index, unsigned component);
  const RegisterArray* array_of(OperandType type, std::uint32_t register_index) const;
  Id array_offset(const RegisterArray& array, const Operand& operand, unsigned component);
  BoundResource bound(const Operand& operand);
  Id handle_of(std::uint32_t resource, Id at, bool non_uniform);
  // destinations
  void write(const Operand& operand, unsigned component, Id value);
  void write_output(SignatureKind kind, std::uint32_t register_index, unsigned component, Id value);
  /// What a signature says of an output: whether its numbers are f32.
  bool is_real_output(const Operand& operand, unsigned component);
  Lanes lanes_of(const Operand& operand, bool wide_result, bool wide_source) const;
  void write_lanes(const Operand& operand, const Lanes& lanes, std::span<const Id> values);
  void write_all(const Operand& operand, const Values& by_component);

  // arithmetic.cpp
  Id i(Op op, std::initializer_list<std::uint32_t> operands) { return b().inst(op, Type::i32, operands); }
  Id arithmetic(Op op, Type type, std::span<const std::uint32_t> operands, unsigned component);
  Id arithmetic(Op op, Type type, std::initializer_list<std::uint32_t> operands, unsigned component);
  Type letter_type(unsigned at) const;
  Values source_by_letter(unsigned at, unsigned lanes);
  void each(Op op, std::span<const unsigned> order);
  void by_component(ir::Meaning meaning);
  template <class Make>
  void pairs(Make make);
  Id choose(Id condition, Id if_true, Id if_false);
  void dot_product(unsigned count);
  void convert_to(Op op, Type to);

  // resources.cpp
  unsigned first_source() const;
  bool wants_status() const;
  void read_lanes(std::span<Id> to, const Operand& from, Type type);
  void add_offsets(TextureOperands<Id>& operands, unsigned dimensions);
  void write_members(Id loaded, unsigned members, const Operand& resource, Type type);
  void write_info(Values values, const Operand& resource);
  void sample_as(Sampling how);
  void gather_as(bool has_offsets, bool has_reference);

  // messages.cpp
  std::vector<Id> shown_values(const Operand& operand, Type type);

  // memory.cpp
  Id add_bytes(Id offset, std::uint32_t bytes);
  std::optional<Address> address(const Operand& memory, const Values& at);
  Values address_operands(unsigned first, unsigned count);
  void atomic_operation(AtomicOp operation);
  void count(Counter direction);
  std::uint32_t stream() const;
  void evaluate_at(ElementExtra::Place place);

  const dxbc::Program& program_;
  const DxbcInterface& interface_;
  const DxbcOptions options_;
  Module module_;
  MessageTable messages_{module_};
  std::optional<SignatureMap> signatures_;
  Declarations declared_;
  std::optional<Error> error_;

  std::unique_ptr<Body> body_;
  std::unordered_map<std::uint32_t, KeptFunction> kept_;                  // by token
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> places_;  // of variables in temporaries, by where they begin
  std::size_t name_characters_ = 0;
  std::deque<Function> kept_functions_;  // after those of the module; builders keep references
  const Instruction* in_ = nullptr;
  Source source_;              // of what is built
  std::uint32_t lowered_ = 0;  // instructions, with those of bodies that are called
  std::size_t inlined_ = 0;    // those, and cases of calls through interfaces
  std::uint32_t phase_ = 0;
  Id phase_instance_ = kNone;
  std::vector<Frame> frames_;
};

}  // namespace unshade::ir::lower_dxbc
