// What a walk over a token program learns that other parts are compared with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/container.hpp>

#include "core/findings.hpp"

namespace unshade::dxbc {

/// How the elements of a buffer or texture are laid out.
enum class Layout : std::uint8_t { typed, raw, structured };

/// A constant buffer, sampler, resource or UAV that the program declares.
struct DeclaredBinding {
  OperandType type{};
  Layout layout = Layout::typed;
  bool is_comparison = false;  ///< sampler
  bool has_counter = false;    ///< UAV: appended to, consumed or counted
  std::uint8_t dimension = 0;  ///< typed: D3D10_SB_RESOURCE_DIMENSION
  std::uint32_t lower = 0;     ///< first slot
  std::uint32_t upper = 0;     ///< last slot; 0xffffffff: unbounded
  std::uint32_t space = 0;
  std::uint32_t size = 0;   ///< constant buffer: registers; structured: stride in bytes
  std::uint32_t token = 0;  ///< of the declaration, from the version token
};

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

struct ProgramFacts {
  bool is_complete = false;        ///< decoded to its end
  bool has_control_points = true;  ///< false for a hull shader without a control point phase: it hands on every control point as it is
  std::uint32_t global_flags = 0;
  std::uint64_t features = 0;  ///< bits of SFI0 that the program is seen to use
  std::vector<DeclaredBinding> bindings;
  std::vector<DeclaredElement> elements;
  std::vector<std::uint32_t> function_tables;  ///< ascending
  Statistics counted;                          ///< the recount
};

/// Checks a program by itself.
ProgramFacts validate_program(const dxcontainer::Part& part, const Program& program, Findings& findings);
/// Checks what it declares against the root signature in RTS0, which the container has.
void validate_root_bindings(const dxcontainer::Container& container, const dxcontainer::Part& program_part, const Program& program,
                            const ProgramFacts& facts, Findings& findings);

}  // namespace unshade::dxbc
