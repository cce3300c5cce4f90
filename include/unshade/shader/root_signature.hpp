// Root signatures of shaders: read, attached, taken off.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Whether a file begins like a container, a database, or a part alone, whose first four bytes are its version; else it may be text.
bool is_binary_root_signature(View file);
/// Reads the bytes of an RTS0. Errors: those of dxcontainer::parse_root_signature().
Result<dxcontainer::RootSignature> parse_root_signature(std::span<const std::byte> bytes);

struct AttachedRootSignature {
  Edited edited;
  std::vector<Diagnostic> findings;  ///< what the program uses and the root signature does not bind as it has to
};

/// The container with `root_signature`, the bytes of an RTS0, in the place of what it had. What it does not bind does not stop it:
/// `findings` tells. Errors: unsupported for what is no container, and for libraries, which have theirs in subobjects; those of the
/// parsers.
Result<AttachedRootSignature> attach_root_signature(const Shader& shader, std::span<const std::byte> root_signature);

/// Makes a root signature that binds what the shaders of a pipeline use, and nothing else: version 1.1, a root descriptor for each single
/// constant buffer as long as root arguments take at most half of the 64 dwords that Direct3D 12 allows, else descriptor tables, unbounded
/// ranges in tables of their own. What one stage alone uses is visible to that stage.
class RootSignatureProposal {
 public:
  /// Registers of a type and space that stages use as one resource, or as several that overlap.
  struct UsedRange {
    dxcontainer::DescriptorRangeType type;
    std::uint32_t space;
    std::uint32_t first;
    std::uint32_t last;  ///< 0xffffffff: no end
    dxcontainer::ShaderVisibility visibility;
  };
  /// Adds what a shader uses, or nothing after an error. Errors: unsupported for families other than DXBC and DXIL, and for libraries;
  /// those of reflect().
  Result<void> add(const Shader& shader);
  dxcontainer::RootSignature made() const;

 private:
  std::vector<UsedRange> ranges_;
  std::uint32_t flags_ = 0;
};

/// The container without RTS0. Errors: missing if it has none.
Result<Edited> detach_root_signature(const Shader& shader);

}  // namespace unshade::shader
