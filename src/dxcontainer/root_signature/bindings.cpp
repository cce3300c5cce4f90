// src: DXC lib/DxilRootSignature/DxilRootSignatureValidator.cpp, VerifyShader
#include <unshade/dxcontainer/root_signature/bindings.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

#include <unshade/dxcontainer/vocabulary.hpp>

namespace unshade::dxcontainer::root_signature {

std::uint32_t denying_flag(ShaderVisibility stage) {
  switch (stage) {
    case ShaderVisibility::vertex: return 0x2;
    case ShaderVisibility::hull: return 0x4;
    case ShaderVisibility::domain: return 0x8;
    case ShaderVisibility::geometry: return 0x10;
    case ShaderVisibility::pixel: return 0x20;
    case ShaderVisibility::amplification: return 0x100;
    case ShaderVisibility::mesh: return 0x200;
    default: return 0;
  }
}

std::string register_name(DescriptorRangeType type, std::uint32_t number) {
  constexpr std::string_view kLetters = "tubs";  // in the order of the types
  const auto index = static_cast<std::size_t>(type);
  return (index < kLetters.size() ? std::string(1, kLetters[index]) : std::string("register ")) + std::to_string(number);
}

Bindings::Bindings(const RootSignature& root, ShaderVisibility stage) : is_denied_((root.flags & denying_flag(stage)) != 0) {
  const auto add = [&](ShaderVisibility visibility, DescriptorRangeType type, std::uint32_t space, std::uint32_t first, std::uint32_t count,
                       bool is_root_descriptor) {
    if (visibility != ShaderVisibility::all && visibility != stage) return;
    if (count == 0) return;
    const std::uint64_t last = std::uint64_t{first} + count - 1;
    bound_.push_back(
        {type, space, first, count == kUnbounded || last > kUnbounded ? kUnbounded : static_cast<std::uint32_t>(last), is_root_descriptor});
  };
  for (const RootParameter& p : root.parameters) {
    switch (p.type) {
      case RootParameterType::descriptor_table:
        for (const DescriptorRange& r : p.ranges) add(p.visibility, r.type, r.space, r.base_register, r.count, false);
        break;
      case RootParameterType::constants: add(p.visibility, DescriptorRangeType::cbv, p.space, p.shader_register, 1, false); break;
      case RootParameterType::cbv: add(p.visibility, DescriptorRangeType::cbv, p.space, p.shader_register, 1, true); break;
      case RootParameterType::srv: add(p.visibility, DescriptorRangeType::srv, p.space, p.shader_register, 1, true); break;
      case RootParameterType::uav: add(p.visibility, DescriptorRangeType::uav, p.space, p.shader_register, 1, true); break;
    }
  }
  for (const StaticSampler& s : root.static_samplers) add(s.visibility, DescriptorRangeType::sampler, s.space, s.shader_register, 1, false);
  std::sort(bound_.begin(), bound_.end(),
            [](const Bound& a, const Bound& b) { return std::tie(a.type, a.space, a.first) < std::tie(b.type, b.space, b.first); });
}

std::string Bindings::fault(const UsedRegisters& used) const {
  if (is_denied_) return "the root signature denies the stage access";
  // The range that begins last at or before the first register. Of an unbounded resource that register alone has to be bound.
  const auto behind = std::upper_bound(bound_.begin(), bound_.end(), std::tie(used.type, used.space, used.lower),
                                       [](const auto& key, const Bound& b) { return key < std::tie(b.type, b.space, b.first); });
  const std::uint32_t last = used.upper == kUnbounded ? used.lower : used.upper;
  const Bound* const found = behind == bound_.begin() ? nullptr : &*std::prev(behind);
  const bool is_one = used.lower == used.upper;
  const auto what = [&](std::string_view rest) {
    std::string text = register_name(used.type, used.lower);
    if (!is_one) text += used.upper == kUnbounded ? std::string(" and up") : " to " + register_name(used.type, used.upper);
    return text + " in space " + std::to_string(used.space) + (is_one ? " is " : " are ") + std::string(rest);
  };
  if (found == nullptr || found->type != used.type || found->space != used.space || found->last < last) return what("not bound");
  if (found->is_root_descriptor && !used.fits_root_descriptor)
    return what("bound as a root descriptor, which must be a raw or structured buffer");
  return {};
}

}  // namespace unshade::dxcontainer::root_signature
