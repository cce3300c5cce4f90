// Declarations decoded: registers of inputs and outputs, and bindings.
#pragma once

#include <cstdint>

#include <unshade/dxbc/program.hpp>

namespace unshade::dxbc::program {

/// Whether an instruction declares a constant buffer, sampler, resource or UAV: operand 0 is its register.
inline bool declares_binding(const Instruction& in) {
  constexpr std::uint32_t kBound = access::constants | access::samplers | access::t | access::u;
  return in.info != nullptr && in.info->counted == Counted::dcl && (in.info->access & kBound) != 0;
}

/// Whether an instruction declares an input or output, not a range of them: operand 0 is its register.
inline bool declares_io(const Instruction& in) {
  constexpr std::uint32_t kIo = access::any_input | access::any_output;
  return in.info != nullptr && in.info->counted == Counted::dcl && (in.info->access & kIo) != 0 && in.opcode() != Opcode::dcl_indexrange;
}

/// System values with a meaning of their own: D3D10_SB_NAME.
inline constexpr std::uint32_t kNamePosition = 1;
inline constexpr std::uint32_t kNameTargetIndex = 4;
inline constexpr std::uint32_t kNameViewportIndex = 5;
inline constexpr std::uint32_t kNameSampleIndex = 10;

/// Whether an interpolation mode makes a pixel shader run for each sample.
constexpr bool is_sample_interpolation(dxcontainer::Interpolation mode) {
  return mode == dxcontainer::Interpolation::linear_sample || mode == dxcontainer::Interpolation::linear_noperspective_sample;
}

/// How the elements of a buffer or texture are laid out.
enum class Layout : std::uint8_t { typed, raw, structured };

/// A constant buffer, sampler, resource, UAV or group memory that the program declares.
struct DeclaredBinding {
  OperandType type{};
  Layout layout = Layout::typed;
  bool is_comparison = false;  ///< sampler
  bool has_counter = false;    ///< structured UAV: appended to, consumed or counted
  bool is_coherent = false;    ///< UAV: globally
  bool is_rasterizer_ordered = false;
  std::uint8_t dimension = 0;     ///< typed: D3D10_SB_RESOURCE_DIMENSION
  std::uint8_t sample_count = 0;  ///< multisampled; 0: not stated
  ReturnTypes return_types;       ///< typed
  std::uint32_t id = 0;           ///< by which operands name it: of its range, before shader model 5.1 the slot
  std::uint32_t lower = 0;        ///< first slot
  std::uint32_t upper = 0;        ///< last slot; 0xffffffff: unbounded
  std::uint32_t space = 0;
  std::uint32_t size = 0;   ///< constant buffer: registers; structured: stride in bytes
  std::uint32_t count = 0;  ///< group memory: structures, or bytes if it is raw
  std::uint32_t token = 0;  ///< of the declaration, from the version token

  /// Whether a component is returned as an integer.
  bool is_integer() const;
  /// By which RDEF and the lowering know it; not of group memory.
  dxcontainer::ResourceKind kind() const;
};

/// What keeps a declaration from declaring its register.
enum class DeclarationFault : std::uint8_t {
  none,
  unknown_type,  ///< no such operand type
  wrong_type,    ///< not of this opcode
  wrong_stage,
  dimensions,  ///< number or form of the indexes
  limit,       ///< the register's number
  mask,        ///< no mask of components
};
/// Of a dcl_input or dcl_output of any kind.
DeclarationFault io_fault(const Instruction& instruction, const Program& program);
/// Of an opcode that declares_binding().
DeclarationFault binding_fault(const Instruction& instruction, bool is_5_1);
/// What such an instruction, or one of group memory, declares. Indexes that it lacks are zeros: see binding_fault().
DeclaredBinding declared_binding(const Instruction& instruction, bool is_5_1);

/// How many registers of inputs or outputs there are.
std::uint32_t io_registers(OperandType type, const Program& program);

}  // namespace unshade::dxbc::program
