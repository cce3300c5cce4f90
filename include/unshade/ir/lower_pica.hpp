// Lowers executables of the PICA200 to the IR.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

namespace unshade::ir {

/// Where registers that the program reads stand in its one constant buffer (`uniforms`, register 0): float constants as four f32, integer
/// constants as four i32, boolean constants as an i32 that is 0 or not.
namespace pica_uniforms {
inline constexpr std::uint32_t kReals = pica::kFloatConstants;
constexpr std::uint32_t real(unsigned index, unsigned component) { return index * 16 + component * 4; }
constexpr std::uint32_t integer(unsigned index, unsigned component) { return kReals * 16 + index * 16 + component * 4; }
constexpr std::uint32_t boolean(unsigned index) { return kReals * 16 + 4 * 16 + index * 4; }
inline constexpr std::uint32_t kBytes = boolean(16);
}  // namespace pica_uniforms

struct PicaOptions {
  F24 f24 = F24::truncate;   ///< as_f32: values keep the precision of f32, as emulators do
  bool keep_copies = false;  ///< Builder::keep_copies()
  /// Constants that the executable itself gives are numbers of the code, but for those that it indexes by an address register.
  bool constants_in_code = false;
};

/// The number of the executable that an entry point's name means: its number, its name, or if several have that name the name and the
/// stage: `main:geometry`. Empty: the first. Errors: missing; bad_value, if several have the name.
Result<std::size_t> executable_of_entry(const pica::Shbin& file, std::string_view entry);

/// Lowers executable `index` of a file. Its constants are the constant buffer's initial contents, its inputs v0 to v15 elements whose
/// semantics are the names of the input's uniform record (else `v3`), its outputs elements by the words of the assembly language
/// (`position`). A geometry shader keeps its three vertices itself and emits whole triangles.
/// Errors: out_of_range without that executable or a descriptor that an instruction names, unsupported for a word that is no instruction
/// and can be reached, limit for more than limits::kPicaStates states. Offsets are those of the word in the file.
Result<Module> lower(const pica::Shbin& file, std::size_t index, const PicaOptions& options = {});

}  // namespace unshade::ir
