// The names that tools give a shader: digests and checksums of its bytes, and what stays the same from one build to the next.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/find/sketch.hpp>
#include <unshade/shader/shader.hpp>

namespace unshade::find {

/// A way of naming shaders.
struct IdentityKind {
  std::string_view id;       ///< `crc32`, `3dmigoto`
  std::string_view tools;    ///< that show it: `ReShade, RenoDX`
  std::string_view summary;  ///< what it is computed of
  std::string_view needs{};  ///< a library that it is computed by; empty: none
  /// The kind whose digits it has, spelled in another way; empty: its own.
  std::string_view spells{};

  /// Whether the library was built with what it needs.
  bool is_built() const;
};

/// All of them, in the order of identities().
std::span<const IdentityKind> identity_kinds();

/// The one of an id, or null.
const IdentityKind* identity_kind(std::string_view id);

/// A shader's name of a kind, spelled as the tools do.
struct Identity {
  std::string_view id;
  std::string value;
};

/// All names that a shader has. A file with a container is named by the container alone, without bytes after it or a database around it.
std::vector<Identity> identities(const shader::Shader& shader);
/// Those that do not spell another one, without the sketch.
std::vector<Identity> own_identities(const shader::Shader& shader);
/// The name of one kind; nothing if the shader has none, or there is no such kind.
std::optional<std::string> identity(const shader::Shader& shader, std::string_view id);

/// The bytes of a shader that its names are computed of.
View named_bytes(const shader::Shader& shader);
/// Nothing if the file has no program, or one that cannot be read.
std::optional<Sketch> sketch_of(const shader::Shader& shader);

}  // namespace unshade::find
