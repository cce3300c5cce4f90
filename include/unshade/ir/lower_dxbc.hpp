// Lowers token programs of DXBC containers to the IR.
#pragma once

#include <cstdint>

#include <unshade/core/result.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/ir/module.hpp>

namespace unshade::ir {

/// What a container says about its token program beside it. Each may be missing: elements and resources then have the names of registers.
struct DxbcInterface {
  const dxcontainer::Signature* input = nullptr;
  const dxcontainer::Signature* output = nullptr;
  const dxcontainer::Signature* patch_constant = nullptr;
  const dxbc::Rdef* resources = nullptr;
  const dxbc::DebugInfo* debug = nullptr;  ///< that of SPDB, by which values are named
};

/// The register space of constant buffers that no application binds.
inline constexpr std::uint32_t kDxbcReservedSpace = 0xffff'fff0;
/// Register 0 of that space is what `this` reads: for each slot of interfaces 16 bytes: the constant buffer of the bound instance, its
/// offset there in registers of 16 bytes, its first texture, its first sampler. `interface_slot` gives the place of the instance's class
/// among the function tables of the interface, as the program and IFCE list them.
inline constexpr char kDxbcThisBuffer[] = "$ThisPointer";

struct DxbcOptions {
  bool keep_copies = false;  ///< Builder::keep_copies()
  /// What `call` and the functions of interfaces name stay functions, which have the registers that they use as parameters and give back
  /// those that they write; passes::inline_calls() makes one of them. In hull shaders and level 9 calls are always inlined.
  bool keep_calls = false;
};

/// Lowers a program. Each element of a signature is an element here, and those parts of registers that no signature has become more of
/// them. Calls are inlined, unless they are kept; fork and join phases of a hull shader become one function, their instances a loop each.
/// Errors: those of the decoder; bad_value for blocks that are not closed, labels or registers that are not there; unsupported for opcodes
/// that are in no table; limit. Their path is `instructions[12]`.
Result<Module> lower(const dxbc::Program& program, const DxbcInterface& interface = {}, const DxbcOptions& options = {});

/// Register 1 of that space has a row of 16 bytes for each dxbc::RuntimeConstant, which Direct3D computes for level 9.
inline constexpr char kDxbcRuntimeBuffer[] = "$Runtime";

/// Lowers the Direct3D 9 program of a level 9 part. It reads the constant buffers, textures and samplers of the container's token program,
/// as the part maps them to registers, and has the elements of the container's signatures. Errors: as above, and unsupported for
/// instructions of shader model 1 that texture stages take part in. Their path is `instructions[12]`.
Result<Module> lower(const dxbc::Level9& level9, const DxbcInterface& interface = {}, const DxbcOptions& options = {});

/// Lowers the token program of a container with what its other parts say. Errors also: missing without a program, those of the parts.
Result<Module> lower_token_program(const dxcontainer::Container& container, const DxbcOptions& options = {});
/// The same of its level 9 part.
Result<Module> lower_level9(const dxcontainer::Container& container, const DxbcOptions& options = {});

}  // namespace unshade::ir
