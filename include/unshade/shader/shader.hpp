// The front door: opens a file of any family by its first bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/pdb.hpp>

namespace unshade::shader {

/// Which family of shader binary a file belongs to.
enum class Family : std::uint8_t {
  dxbc,  ///< DXContainer with a token program, an effect, or parts without code
  dxil,  ///< DXContainer with bitcode, or a program database with one inside
  pica,  ///< SHBIN: DVLB or DVOJ
  spirv,
  vbc,
  unknown,
};

std::string_view id(Family family);

/// The family that the first bytes (and, for a DXContainer, the part index) tell; reads no further.
Family identify(View file);

/// An opened file. Borrows its bytes.
struct Shader {
  Family family = Family::unknown;
  View file;
  dxcontainer::Container container;  ///< for dxbc and dxil
  /// For a program database: where in it the container lies. Keeps the container's bytes where they are scattered in the file.
  std::shared_ptr<const dxcontainer::PdbContainer> pdb;
};

/// Opens a file. Errors: bad_magic if no family claims it; unsupported for a family that this version does not read; those of the
/// family's own parser.
Result<Shader> open(View file);

}  // namespace unshade::shader
