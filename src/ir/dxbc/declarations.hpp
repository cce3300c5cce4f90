// Declarations of a token program and the positions of its bodies: a first walk over it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/declarations.hpp>
#include <unshade/dxbc/program/lanes.hpp>
#include <unshade/ir/lower_dxbc.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir::lower_dxbc {

using dxbc::Opcode;
using dxbc::OperandType;

/// An instruction's place in the program.
struct Place {
  std::uint32_t token = 0;  ///< from the version token
  std::uint32_t index = 0;  ///< in the list of instructions
};

/// The code between two phase markers of a hull shader; other programs have one phase.
struct Phase {
  Opcode kind = Opcode::nop;  ///< hs_control_point_phase, hs_fork_phase, hs_join_phase; nop: of another stage
  Place start;
  std::uint32_t instances = 1;
};

/// A resource that is declared, and its row in the module.
struct Binding {
  dxbc::program::DeclaredBinding declared;
  std::uint32_t resource = 0;  ///< index in Module::resources
  dxcontainer::ResourceDimension dimension = dxcontainer::ResourceDimension::unknown;
  Type type = Type::f32;  ///< of the components of what is loaded
};

/// Registers that live in a variable: x#, and inputs and outputs that are indexed by a value.
struct RegisterArray {
  OperandType type{};
  std::uint32_t phase = 0;
  std::uint32_t first = 0;               ///< register; of x#, its number
  std::uint32_t count = 0;               ///< registers
  std::uint32_t vertices = 0;            ///< 0: registers without a vertex
  std::uint32_t variable = 0;            ///< index in Module::variables
  std::array<std::uint8_t, 32> masks{};  ///< of outputs: components that the phase declares
};

/// g#.
struct SharedMemory {
  std::uint32_t number = 0;
  std::uint32_t variable = 0;
  std::uint32_t stride = 0;  ///< bytes; 0: raw
};

struct Interface {
  std::uint32_t first_slot = 0;
  std::uint32_t slots = 1;
  std::vector<std::uint32_t> tables;  ///< function tables, by class
};

/// The key of Declarations::by_register: a resource by its operand type and what operands name it by.
constexpr std::uint64_t binding_key(OperandType type, std::uint32_t id) {
  return std::uint64_t{static_cast<std::uint8_t>(type)} << 32 | id;
}
/// Before 5.1, of a slot that is known only when the program runs; of a resource with that dimension.
constexpr std::uint64_t any_slot_key(OperandType type, std::uint32_t dimension) {
  return std::uint64_t{1} << 40 | binding_key(type, type == OperandType::resource ? dimension : 0);
}

struct Declarations {
  std::uint32_t instructions = 0;  ///< of the program, declarations included
  std::vector<Phase> phases;
  std::vector<Binding> bindings;
  std::unordered_map<std::uint64_t, std::uint32_t> by_register;  ///< index in `bindings`
  std::vector<RegisterArray> arrays;
  std::vector<SharedMemory> shared;
  std::unordered_map<std::uint32_t, Place> labels;
  std::unordered_map<std::uint32_t, Place> bodies;                       ///< of functions of interfaces
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> tables;  ///< function tables: bodies, by call
  std::vector<Interface> interfaces;
  std::optional<std::uint32_t> immediate_buffer;  ///< index in Module::variables
  bool strict = true;                             ///< refactoring is not allowed: all arithmetic is precise
};

/// Where the components of registers lie in the signatures of a module. Adds elements for what no signature has.
class SignatureMap {
 public:
  SignatureMap(Module& module, const DxbcInterface& interface);

  struct Component {
    std::uint16_t element = 0;
    std::uint8_t column = 0;  ///< from the element's first
  };
  /// The elements that have a component of a register: of a geometry shader's outputs one in each stream at most.
  std::vector<Component> find(SignatureKind kind, std::uint32_t register_index, unsigned component);
  /// The element of a register that has no number: output depth and its like.
  Component special(SignatureKind kind, dxcontainer::SystemValue value, unsigned columns = 1);
  /// Notes a declaration: components without an element get one.
  void declare(SignatureKind kind, const dxbc::Instruction& instruction, std::uint32_t stream);
  /// True if an element has that component.
  bool has(SignatureKind kind, std::uint32_t register_index, unsigned component) const;

 private:
  void add(SignatureKind kind, const dxcontainer::Signature* signature);
  Element& make(SignatureKind kind, std::uint32_t register_index, unsigned first_column, unsigned columns);

  Module& module_;
};

/// What a register of inputs or outputs is in a phase.
struct RegisterFile {
  SignatureKind kind;
  bool is_loaded;  ///< what another phase wrote, not an input
};
RegisterFile register_file(OperandType type, dxbc::Stage stage, Opcode phase);

/// Walks over a program: fills the module's stage, modes, resources, variables and signatures.
Result<Declarations> declare(const dxbc::Program& program, const DxbcInterface& interface, Module& module, SignatureMap& signatures);

/// Gives a resource the name that its register has in RDEF, and the kind as it is written there; else the name of the register.
void name_resource(Resource& row, OperandType type, const dxbc::Rdef* resources);

/// A variable after those of its space. Errors: limit.
Result<std::uint32_t> add_variable(Module& module, std::string name, Space space, std::uint32_t bytes);

}  // namespace unshade::ir::lower_dxbc
