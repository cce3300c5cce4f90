// Root signatures as text, in the language of HLSL's [RootSignature("...")]: there and back. Source: docs/howto/root_signatures.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/message.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/root_signature.hpp>

namespace unshade::dxcontainer {

/// What parsing can find fault with: the rows of root_signature_messages.def.
enum class RootSignatureMessageKind : std::uint8_t {
#define ROOT_SIGNATURE_MESSAGE(id, text, severity, summary) id,
#include <unshade/dxcontainer/root_signature_messages.def>
#undef ROOT_SIGNATURE_MESSAGE
};

/// The rule of a message: `rootsig.syntax`, its severity, what would be right.
const Rule& rule(RootSignatureMessageKind kind);
std::span<const Rule> root_signature_text_rules();

struct RootSignatureTextOptions {
  /// The version to make. Absent: what a comment `// rootsig_1_0` before everything says (printing writes one if it is not
  /// 1.1), else 1.1 as dxc does, and 1.2 if a static sampler has flags.
  std::optional<RootSignatureVersion> version;
  /// Of HLSL source: the #define to read, as it is at the end. Empty: the first root signature that there is.
  std::string_view define;
};

/// A rule of `validate` that a root signature breaks, and the element of the text that does.
struct RootSignatureFinding {
  std::uint32_t line = 0;    ///< from 1
  std::uint32_t column = 0;  ///< from 1, in bytes
  Diagnostic finding;        ///< `rts0.overlap`, with a path such as `RTS0/parameters[1]/ranges[0]/count` and no offset
};

struct ParsedRootSignature {
  bool ok = false;          ///< no error among the messages
  RootSignature signature;  ///< no thing in it has a place yet: write_root_signature() lays it out as fxc and dxc do
  std::vector<Message> messages;
  std::vector<RootSignatureFinding> findings;  ///< of a text that is ok: where Direct3D 12 refuses what it says
};

/// Reads a root signature, or one in HLSL source: that of the first [RootSignature(...)], else of the first strings that begin like one,
/// else of a #define, with their quotes and line continuations. Macros without arguments that the source itself defines are expanded;
/// anything else beside the strings is an error. Stops at the first error; warnings do not stop it.
///
/// More is taken than HLSL takes: comments, numbers (0x40 too) in the place of names and among flags, and asfloat(0x7fc00000) for floats
/// that no decimal says; printing writes them if the part holds what has no name.
ParsedRootSignature parse_root_signature_text(std::string_view text, const RootSignatureTextOptions& options = {});

struct RootSignaturePrintOptions {
  bool all = false;         ///< settings that have their default too
  std::string_view define;  ///< if not empty: as a #define of this name, a string a line, to be pasted into a source
};

/// Whether a #define can have this name.
bool is_macro_name(std::string_view name);

/// Appends a root signature as text: one parameter a line, settings in a fixed order. parse_root_signature_text() gives the same model
/// back, save for places. Errors: bad_value for a parameter or range of a type that has no name, with its path below `RTS0`, and for a
/// `define` that no macro can have.
Result<void> print_root_signature(const RootSignature& signature, Text& out, const RootSignaturePrintOptions& options = {});

/// Dwords of root arguments that it takes; Direct3D 12 allows 64. src: Direct3D 12 documentation, "Root Signature Limits"
std::uint64_t root_argument_dwords(const RootSignature& signature);

}  // namespace unshade::dxcontainer
