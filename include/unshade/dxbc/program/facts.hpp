// Facts from one walk over a token program: its declarations, the features it needs, and its instruction counts.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/declarations.hpp>
#include <unshade/dxbc/program/features.hpp>
#include <unshade/dxbc/program/stage_declarations.hpp>
#include <unshade/dxbc/statistics.hpp>

namespace unshade::dxbc::program {

/// Which signature a register belongs to.
enum class Interface : std::uint8_t { input, output, patch_constant };

/// A run of components of an input or output register that the program declares.
struct DeclaredElement {
  Interface interface = Interface::input;
  bool is_read = false;  ///< declared as something to read, though it may lie in another stage's output
  std::uint8_t mask = 0;
  std::uint8_t stream = 0;
  std::uint16_t name = 0;  ///< D3D10_SB_NAME; 0: none
  std::uint32_t register_index = 0;
  std::uint32_t token = 0;
};

/// An output that is a single register, and has an element of the signature without one.
struct DeclaredOutput {
  OperandType type{};
  std::uint32_t token = 0;
};

/// Instructions by what STAT counts of them in some compilers only.
struct ArithmeticCounts {
  std::uint32_t mad = 0;
  std::uint32_t imad = 0;
  std::uint32_t ret = 0;
};

struct ProgramFacts {
  bool is_complete = false;        ///< decoded to its end
  bool has_control_points = true;  ///< false for a hull shader without a control point phase: it hands on every control point as it is
  StageDeclarations stage;
  Features features = 0;  ///< that the program is seen to use
  std::vector<DeclaredBinding> bindings;
  std::vector<DeclaredElement> elements;
  std::vector<DeclaredOutput> single_outputs;
  std::vector<std::uint32_t> function_tables;  ///< ascending
  Statistics counted;                          ///< the recount
  ArithmeticCounts arithmetic;
};

/// Learns from the instructions of a program in their order. Impossible ones, such as a declaration with a DeclarationFault, are left out.
class FactsCollector {
 public:
  explicit FactsCollector(const Program& program) : program_(program) {}

  void visit(const Instruction& instruction);
  /// The facts so far.
  const ProgramFacts& facts() const { return facts_; }
  /// The facts after the last instruction.
  ProgramFacts finish();

 private:
  void declaration(const Instruction& instruction);
  void declare_io(const Instruction& instruction);
  void count_stage();

  const Program& program_;
  ProgramFacts facts_;
  Opcode phase_ = Opcode::nop;  // of a hull shader, whose opcode begins it
  bool has_control_points_ = false;
};

/// Walks over a program; stops at an instruction that cannot be decoded.
ProgramFacts collect_facts(const Program& program);

}  // namespace unshade::dxbc::program
