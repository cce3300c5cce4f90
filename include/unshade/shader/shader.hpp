// The front door: opens a file of any family by its first bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/pdb.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

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
inline bool is_shader(View file) { return identify(file) != Family::unknown; }

/// A container in a program database, which keeps the container's bytes if they are scattered in the file.
struct Database {
  std::shared_ptr<const dxcontainer::PdbContainer> pdb;
  dxcontainer::Container container;
};

/// Bitcode of DXIL without a container.
struct Bitcode {
  View bytes;
};

/// An opened file: its model, as the family's parser made it. Borrows its bytes.
struct Shader {
  using Content =
      std::variant<std::monostate, dxcontainer::Container, Database, Bitcode, pica::Shbin, pica::Object, spirv::Module, vbc::File>;

  Family family = Family::unknown;
  View file;
  Content content;

  /// The container that the file is, or that its database holds; null for other files.
  const dxcontainer::Container* container() const;
  /// Those of the container; none for other files.
  std::span<const dxcontainer::Part> parts() const;
  /// The database around the container, or null.
  const dxcontainer::PdbContainer* pdb() const;
};

/// Opens a file. Errors: bad_magic if no family claims it; unsupported for a family that this version does not read; those of the
/// family's own parser.
Result<Shader> open(View file);

}  // namespace unshade::shader
