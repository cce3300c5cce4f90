// Signature parts: what a stage takes in and gives out, element by element.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/core/placed.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxcontainer {

/// The register number of an element that has none: output depth and its like.
inline constexpr std::uint32_t kNoRegister = 0xffff'ffff;

struct SignatureElement {
  std::uint32_t stream = 0;  ///< geometry shader output stream; 0 if the part does not say
  String semantic;
  std::uint32_t semantic_index = 0;
  SystemValue system_value = SystemValue::undefined;
  ComponentType component_type = ComponentType::unknown;
  std::uint32_t register_index = 0;
  std::uint8_t mask = 0;       ///< components the element has, bit 0 is x
  std::uint8_t used_mask = 0;  ///< inputs: components that are read; outputs: components that are never written
  std::uint16_t reserved = 0;  ///< zero in what compilers write
  MinPrecision min_precision = MinPrecision::none;
};

/// Which optional fields the elements of a part have. Its FourCC decides.
struct SignatureLayout {
  bool has_stream = false;
  bool has_min_precision = false;
  /// Bytes of an element: 24, 28 or 32.
  std::size_t stride() const { return 24U + (has_stream ? 4U : 0U) + (has_min_precision ? 4U : 0U); }
};

/// Layout of a signature part, by its FourCC.
SignatureLayout signature_layout(std::uint32_t fourcc);
/// Whether the FourCC is one of the seven signature parts.
bool is_signature(std::uint32_t fourcc);

struct Signature {
  Table<SignatureElement> elements;
  SignatureLayout layout;
  std::uint32_t size = kUnplaced;  ///< bytes of the part's data as it was read; some are no multiple of 4
  std::byte fill{0xab};            ///< the byte between elements, names and tables: 0xab of fxc, 0 of dxc
};

/// Reads a signature part; the FourCC must be one (is_signature). Borrows the file's bytes.
/// Errors: truncated, out_of_range, limit, with paths such as `ISGN/elements[3]/semantic`.
Result<Signature> parse_signature(const Part& part);
/// Adds the part's fields to a tree.
void record_signature(const Part& part, Tree& tree, std::uint32_t group);
/// The part's data. An unedited signature gives back its bytes.
std::vector<std::byte> write_signature(const Signature& signature);

}  // namespace unshade::dxcontainer
