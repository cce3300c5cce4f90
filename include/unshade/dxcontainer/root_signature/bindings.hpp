// Whether a root signature binds all resources that a program uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <unshade/dxcontainer/root_signature.hpp>

namespace unshade::dxcontainer::root_signature {

/// The flag of root signatures that denies a stage access; 0 for `all`. src: d3d12.h, D3D12_ROOT_SIGNATURE_FLAGS
std::uint32_t denying_flag(ShaderVisibility stage);

/// `t4`: a register as HLSL calls it.
std::string register_name(DescriptorRangeType type, std::uint32_t number);

/// Registers that a program uses as one resource.
struct UsedRegisters {
  DescriptorRangeType type = DescriptorRangeType::srv;
  /// Root descriptors are addresses: constant buffers, and buffers that need neither a format nor a counter.
  bool fits_root_descriptor = false;
  std::uint32_t space = 0;
  std::uint32_t lower = 0;
  std::uint32_t upper = 0;  ///< the last one; 0xffffffff: no end
};

/// What a root signature binds for a stage. Compute shaders and those of libraries have no visibility of their own: they see what is of
/// `all`, and nothing of the stages of graphics. src: DXC DxilRootSignatureValidator.cpp, FindCoveringInterval
class Bindings {
 public:
  Bindings(const RootSignature& root, ShaderVisibility stage);

  /// The fault of their binding; empty if there is none.
  std::string fault(const UsedRegisters& used) const;

 private:
  struct Bound {
    DescriptorRangeType type;
    std::uint32_t space;
    std::uint32_t first;
    std::uint32_t last;
    bool is_root_descriptor;
  };
  std::vector<Bound> bound_;  // by type, space and first register
  bool is_denied_;
};

}  // namespace unshade::dxcontainer::root_signature
