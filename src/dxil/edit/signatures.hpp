// Signature parts whose elements get other names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/enums.hpp>

namespace unshade::dxil::edit {

/// An element as the module has it, and what becomes of it.
struct RenamedElement {
  std::string name;
  std::string new_name;
  std::vector<std::uint32_t> indexes;  ///< one a row
  std::uint32_t shift = 0;             ///< of the indexes, modulo 2^32
  SemanticKind semantic = SemanticKind::arbitrary;
  std::uint32_t stream = 0;
  std::int32_t start_row = -1;  ///< -1: has no register
};

/// Gives rows and texts of a signature part the new names, and the places that dxc gives them then: names stand in the order of the
/// elements, and rows in that of stream, register and name's offset. `since_1_7`: from that validator version on equal names are one, and
/// the part is a multiple of 4 bytes. False, and nothing is done, if `part`, of which `signature` was read, is not what dxc makes of the
/// elements. The signature borrows the new names. src: DXC DxilContainerAssembler.cpp, DxilProgramSignatureWriter
bool rename_in_signature(dxcontainer::Signature& signature, View part, std::span<const RenamedElement> elements, bool since_1_7);

}  // namespace unshade::dxil::edit
