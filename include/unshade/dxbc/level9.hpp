// Level 9 parts: the Direct3D 9 shader that a container carries for feature levels 9_1 to 9_3, and what to load its registers from.
// Parts: Aon9, and XNAS and XNAP of the same layout. Source: docs/reference/formats/level9.md.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxbc/sm2.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc {

/// What becomes of a component of a constant buffer on its way into a float register.
enum class ConstantConversion : std::uint8_t { real = 0, boolean = 1, sint = 2, uint = 3 };

/// A value that the runtime computes for a register.
enum class RuntimeConstant : std::uint16_t { position_offset = 0 };

const FieldType& field_type(ConstantConversion);
const FieldType& field_type(RuntimeConstant);

/// A run of float registers and the constant buffer elements they are loaded from.
struct ConstantBufferMapping {
  std::uint16_t buffer = 0;          ///< `cb` slot
  std::uint16_t first_register = 0;  ///< element of the buffer, 16 bytes each
  std::uint16_t register_count = 0;
  std::uint16_t target = 0;                        ///< first `c` register
  std::array<ConstantConversion, 4> conversion{};  ///< by component
};

/// One integer or boolean register, loaded from one component of a constant buffer element.
struct ScalarMapping {
  std::uint16_t buffer = 0;
  std::uint16_t source_register = 0;
  std::uint16_t component = 0;
  std::uint16_t target = 0;
};

/// A sampler register of Direct3D 9 stands for a texture and a sampler.
struct SamplerMapping {
  std::uint8_t resource = 0;  ///< `t` slot
  std::uint8_t sampler = 0;   ///< `s` slot
  std::uint8_t target = 0;
  std::uint8_t reserved = 0;
};

/// A register that the runtime fills.
struct RuntimeConstantMapping {
  RuntimeConstant constant = RuntimeConstant::position_offset;
  std::uint16_t target = 0;  ///< `c` register
};

/// A level 9 part. Borrows the file's bytes.
struct Level9 {
  std::uint32_t size = 0;  ///< of the part's data, as it states it
  sm2::Version version;    ///< the program's version token once more
  std::uint32_t program_offset = kUnplaced;
  View program;  ///< the token stream
  Table<ConstantBufferMapping> constant_buffers;
  Table<ScalarMapping> integers;  ///< loop counters: `i` registers
  Table<ScalarMapping> booleans;  ///< guess: `b` registers; no file seen has any
  Table<SamplerMapping> samplers;
  Table<RuntimeConstantMapping> runtime_constants;
};

/// Whether a part of this FourCC has the layout of Aon9.
bool is_level9(std::uint32_t fourcc);

/// Reads a level 9 part and walks its token stream once.
/// Errors: truncated, out_of_range, limit, with paths such as `Aon9/samplers[3]/target` and `Aon9/program/tokens`.
Result<Level9> parse_level9(const dxcontainer::Part& part);
/// Adds the part's fields to a tree: the tables, each token of the program, and its debug and constant table comments.
void record_level9(const dxcontainer::Part& part, Tree& tree, std::uint32_t group);
/// The part's data. An unedited part gives back its bytes; tables without a place are laid out as fxc does.
std::vector<std::byte> write_level9(const Level9& level9);

}  // namespace unshade::dxbc
