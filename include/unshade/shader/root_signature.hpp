// Root signatures of shaders: read, attached, taken off.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <unshade/core/diagnostic.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/shader/edit.hpp>

namespace unshade::shader {

/// The bytes of the RTS0 in a container or in a database with one, or all of a file that is a root signature alone. Errors: missing;
/// bad_magic if the file is none of these; those of parse_root_signature().
Result<std::vector<std::byte>> root_signature_of(View file);
/// The same of a file that is open. Errors: missing; those of parse_root_signature().
Result<std::vector<std::byte>> root_signature_of(const Shader& shader);

struct AttachedRootSignature {
  Edited edited;
  std::vector<Diagnostic> findings;  ///< what the program uses and the root signature does not bind as it has to
};

/// The container with `root_signature`, the bytes of an RTS0, in the place of what it had. What it does not bind does not stop it:
/// `findings` tells. Errors: unsupported for what is no container, and for libraries, which have theirs in subobjects; those of the
/// parsers.
Result<AttachedRootSignature> attach_root_signature(const Shader& shader, std::span<const std::byte> root_signature);

/// A root signature that binds what the shaders of a pipeline use, and nothing else: version 1.1, a root descriptor for each single
/// constant buffer as long as root arguments take at most half of the 64 dwords that Direct3D 12 allows, else descriptor tables, unbounded
/// ranges in tables of their own. What one stage alone uses is visible to that stage. Errors: unsupported for families other than DXBC and
/// DXIL, and for libraries; those of reflect().
Result<dxcontainer::RootSignature> propose_root_signature(std::span<const Shader* const> stages);

/// The container without RTS0. Errors: missing if it has none.
Result<Edited> detach_root_signature(const Shader& shader);

}  // namespace unshade::shader
