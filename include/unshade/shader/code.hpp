// The code of a shader without the rest of its file: its bytes, the opcodes of its instructions, its text without names and numbers.
// What the same shader keeps from one build of a program to the next; see <unshade/find/identity.hpp>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::shader {

/// The bytes of the code alone: the program parts of a container, or else its level 9 part; code and operand descriptors of a SHBIN; the
/// instructions of SPIR-V, stripped of debug information and reflection, without the header.
/// Errors: missing if the file has no program; those of its parts.
Result<std::vector<std::byte>> code_bytes(const Shader& shader);

/// The opcode of each instruction, in the order of the file, without declarations. Numbers have a meaning within a family only:
/// those of opcodes.def (DXBC), instructions.def (PICA200), the SPIR-V specification, and ir.def in its order (DXIL). Others have the
/// number of a table in the high half: instructions of Direct3D 9, operations of DXIL, extended instructions of SPIR-V. Errors: those of
/// code_bytes(), and of the instructions.
Result<std::vector<std::uint32_t>> opcodes(const Shader& shader);

/// How many instructions the code has, as counted in it: what a compiler states of them is not read. Without declarations, and in SPIR-V
/// what is outside functions and debug information; of token programs those that fxc counts; of an effect those of all its shaders.
Result<std::uint64_t> instruction_count(const Shader& shader);
/// The text of an opcode of opcodes(): `mad`, `FMul`, `dx.op.Sample`. `unknown(0x2f)` if it is in no table.
std::string opcode_text(Family family, std::uint32_t opcode);

/// The opcode_text() of each opcode that listings spell otherwise, and so that a pattern fits, in which `*` stands for any characters and
/// `?` for one: `discard` for `discard_nz`, `dx.op.Sample` for `dx.op.sample.f32`. Types, offsets and dimensions that follow it count for
/// nothing. What fits opcode_text() itself may be left out.
std::vector<std::string> opcodes_listed_as(Family family, std::string_view pattern);

/// The lines of the listing without comments, names, constants, and numbers of registers and values: shaders that differ in nothing else
/// have the same. Errors: those of the listing; missing if there are no instructions.
Result<std::string> plain_code(const Shader& shader);

}  // namespace unshade::shader
