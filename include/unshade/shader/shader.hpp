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

namespace unshade::dxil {
struct Module;
}

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

/// The DXIL modules of a file that were parsed.
class ModuleCache;

/// An opened file: its model, as the family's parser made it. Borrows its bytes, which have to stay as they are. Threads may use a shader,
/// and copies of it, at once as long as none changes it.
struct Shader {
  using Content =
      std::variant<std::monostate, dxcontainer::Container, Database, Bitcode, pica::Shbin, pica::Object, spirv::Module, vbc::File>;

  Family family = Family::unknown;
  View file;
  Content content;
  /// What module() keeps, which copies of the shader share; null of a shader that open() did not make: nothing.
  std::shared_ptr<ModuleCache> modules;

  /// The container that the file is, or that its database holds; null for other files.
  const dxcontainer::Container* container() const;
  /// Those of the container; none for other files.
  std::span<const dxcontainer::Part> parts() const;
  /// The database around the container, or null.
  const dxcontainer::PdbContainer* pdb() const;
  /// The module of bitcode that lies in the file, which is parsed once: it is kept as long as the shader or a copy of it is, as long as all
  /// that is kept comes from no more bytes of bitcode than the file has. Errors: those of dxil::parse_module().
  Result<std::shared_ptr<const dxil::Module>> module(View bitcode) const;
  /// The same if it is kept already, else null.
  std::shared_ptr<const dxil::Module> kept_module(View bitcode) const;
};

/// Opens a file. Errors: bad_magic if no family claims it; unsupported for a family that this version does not read; those of the
/// family's own parser.
Result<Shader> open(View file);

}  // namespace unshade::shader
