// A root signature by itself.
// src: DXC lib/DxilRootSignature/DxilRootSignatureValidator.cpp; the cost: D3D12 documentation, "Root Signature Limits"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/tree.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature/bindings.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

#include "dxcontainer/root_signature/text_layout.hpp"
#include "dxcontainer/root_signature/validate.hpp"

namespace unshade::dxcontainer::root_signature {

namespace {

constexpr std::uint32_t kAppend = 0xffff'ffff;
constexpr std::uint32_t kFirstReservedSpace = 0xffff'fff0;
constexpr std::uint64_t kMostDwords = 64;

// Flags. src: DXC include/dxc/DxilRootSignature/DxilRootSignature.h
constexpr std::uint32_t kSignatureFlags = 0x8000'0fff;
/// src: D3D12 documentation, D3D12_ROOT_SIGNATURE_FLAGS: cannot be combined with any other
constexpr std::uint32_t kLocalRootSignature = 0x80;
constexpr std::uint32_t kDescriptorsVolatile = 0x1, kDataVolatile = 0x2, kDataStaticWhileSet = 0x4, kDataStatic = 0x8;
constexpr std::uint32_t kRangeFlags = 0x1'000f, kDescriptorFlags = 0xe, kSamplerFlags = 0x3;
constexpr std::uint32_t kDataFlags = kDataVolatile | kDataStaticWhileSet | kDataStatic;

constexpr float kLeastBias = -16.0F, kMostBias = 15.99F;
constexpr std::uint32_t kMostAnisotropy = 16;
// Bits of a filter: linear for each of three, anisotropic, and two for what is made of the samples.
constexpr std::uint32_t kKnownFilterBits = 0x1d5, kAnisotropic = 0x55, kReduction = 0x180, kComparison = 0x80;

constexpr std::string_view kOneDataFlag = "data_volatile, data_static_while_set_at_execute and data_static are mutually exclusive";

/// `0x1001: no flag has the bits 0x1000`, or what contradicts what.
std::string flags_fault(std::uint32_t flags, std::uint32_t known, std::string_view contradiction) {
  const std::uint32_t unknown = flags & ~known;
  return hex32(flags) + ": " + (unknown != 0 ? "unknown bits " + hex32(unknown) : std::string(contradiction));
}

bool has_several(std::uint32_t flags) { return (flags & (flags - 1)) != 0; }

constexpr std::size_t kVisibilityCount = static_cast<std::size_t>(ShaderVisibility::mesh) + 1;
bool is_known(ShaderVisibility v) { return static_cast<std::size_t>(v) < kVisibilityCount; }
bool is_known(TextureAddressMode m) { return m >= TextureAddressMode::wrap && m <= TextureAddressMode::mirror_once; }
bool is_known(Filter filter) {
  const auto bits = static_cast<std::uint32_t>(filter);
  const std::uint32_t samples = bits & ~kReduction;
  return (bits & ~kKnownFilterBits) == 0 && ((samples & 0x40) == 0 || samples == kAnisotropic);
}

struct Checker {
  const RootSignature& root;
  std::vector<Diagnostic> findings;

  /// Registers that something binds.
  struct Bound {
    DescriptorRangeType type;
    std::uint32_t space, first, last;
    ShaderVisibility visibility;
    std::string path;
  };
  std::vector<Bound> bound;

  void add(const Rule& rule, const std::string& path, std::string message) { findings.push_back({&rule, 0, path, std::move(message)}); }

  void check() {
    const bool is_local = (root.flags & kLocalRootSignature) != 0;
    if ((root.flags & ~kSignatureFlags) != 0 || (is_local && root.flags != kLocalRootSignature))
      add(rules::kFlags, "flags", flags_fault(root.flags, kSignatureFlags, "local_root_signature must not be combined with other flags"));
    std::uint64_t cost = 0;
    for (std::size_t i = 0; i < root.parameters.size(); ++i) {
      const RootParameter& p = root.parameters[i];
      const std::string path = "parameters[" + std::to_string(i) + ']';
      if (!is_known(p.visibility)) add(rules::kValue, path + "/visibility", std::to_string(static_cast<std::uint32_t>(p.visibility)));
      if ((root.flags & denying_flag(p.visibility)) != 0)
        add(rules::kDenied, path + "/visibility", "the root signature's flags deny this stage access");
      switch (p.type) {
        case RootParameterType::descriptor_table:
          cost += 1;
          check_table(p, path);
          break;
        case RootParameterType::constants:
          cost += p.constant_count;
          bind(DescriptorRangeType::cbv, p.space, p.shader_register, 1, p.visibility, path);
          break;
        case RootParameterType::cbv:
        case RootParameterType::srv:
        case RootParameterType::uav: {
          cost += 2;
          const bool data = (p.flags & ~kDescriptorFlags) != 0 || has_several(p.flags & kDataFlags);
          if (data) add(rules::kFlags, path + "/flags", flags_fault(p.flags, kDescriptorFlags, kOneDataFlag));
          const auto type = p.type == RootParameterType::cbv   ? DescriptorRangeType::cbv
                            : p.type == RootParameterType::srv ? DescriptorRangeType::srv
                                                               : DescriptorRangeType::uav;
          bind(type, p.space, p.shader_register, 1, p.visibility, path);
          break;
        }
        default: add(rules::kValue, path + "/type", std::to_string(static_cast<std::uint32_t>(p.type))); break;
      }
    }
    if (cost > kMostDwords) add(rules::kCost, "parameters", std::to_string(cost) + " dwords");
    for (std::size_t i = 0; i < root.static_samplers.size(); ++i)
      check_sampler(root.static_samplers[i], "static_samplers[" + std::to_string(i) + ']');
    check_overlaps();
  }

  void check_table(const RootParameter& p, const std::string& parent) {
    bool samplers = false, others = false;
    std::uint64_t next = 0;  // the slot after the range before
    for (std::size_t i = 0; i < p.ranges.size(); ++i) {
      const DescriptorRange& r = p.ranges[i];
      const std::string path = parent + "/ranges[" + std::to_string(i) + ']';
      if (r.type > DescriptorRangeType::sampler) {
        add(rules::kValue, path + "/type", std::to_string(static_cast<std::uint32_t>(r.type)));
        continue;
      }
      const bool is_sampler = r.type == DescriptorRangeType::sampler;
      (is_sampler ? samplers : others) = true;
      if (samplers && others) add(rules::kSamplerMix, path, "samplers and other descriptors in one table");
      check_range_flags(r, is_sampler, path);
      const std::uint64_t first = r.offset_in_table == kAppend ? next : r.offset_in_table;
      if (r.count == 0) {
        add(rules::kRange, path + "/count", "the range is empty");
        continue;
      }
      if (first > kUnbounded) add(rules::kRange, path + "/offset_in_table", "follows an unbounded range");
      if (r.count == kUnbounded) {
        next = std::uint64_t{kUnbounded} + 1;
      } else {
        next = first + r.count;
        if (std::uint64_t{r.base_register} + r.count - 1 > kUnbounded || (first <= kUnbounded && next - 1 > kUnbounded))
          add(rules::kRange, path + "/count", std::to_string(r.count) + " descriptors from register " + std::to_string(r.base_register));
      }
      bind(r.type, r.space, r.base_register, r.count, p.visibility, path);
    }
  }

  void check_range_flags(const DescriptorRange& r, bool is_sampler, const std::string& path) {
    const std::uint32_t data = r.flags & kDataFlags;
    const bool wrong = (r.flags & ~kRangeFlags) != 0 || (is_sampler ? data != 0 : has_several(data)) ||
                       ((r.flags & kDataStatic) != 0 && (r.flags & kDescriptorsVolatile) != 0);
    if (!wrong) return;
    const std::string_view contradiction = is_sampler          ? "data flags are not valid for samplers"
                                           : has_several(data) ? kOneDataFlag
                                                               : "data_static excludes descriptors_volatile";
    add(rules::kFlags, path + "/flags", flags_fault(r.flags, kRangeFlags, contradiction));
  }

  void check_sampler(const StaticSampler& s, const std::string& path) {
    const auto wrong = [&](const char* field, std::string found, std::string_view expected) {
      add(rules::kStaticSampler, path + '/' + field, "found " + std::move(found) + ", expected " + std::string(expected));
    };
    const auto number = [](auto value) { return std::to_string(static_cast<std::uint32_t>(value)); };
    const auto real = [](float value) {
      Text text;
      text.shortest(value);
      return text.str();
    };
    constexpr std::string_view kMode = "an address mode from 1 to 5";
    if (!is_known(s.filter)) {
      // D3D12 has anisotropic filters with point filtering of mip levels, which dxc does not know. src: DXC DxilRootSignatureValidator.cpp
      const std::string name = filter_name(s.filter);
      if (name.empty())
        wrong("filter", hex32(static_cast<std::uint32_t>(s.filter)), "a D3D12_FILTER");
      else
        wrong("filter", name, "a filter that dxc accepts: anisotropic ones must filter mip levels linearly");
    }
    if (!is_known(s.address_u)) wrong("address_u", number(s.address_u), kMode);
    if (!is_known(s.address_v)) wrong("address_v", number(s.address_v), kMode);
    if (!is_known(s.address_w)) wrong("address_w", number(s.address_w), kMode);
    if (!(s.mip_lod_bias >= kLeastBias && s.mip_lod_bias <= kMostBias))
      wrong("mip_lod_bias", real(s.mip_lod_bias), "a number from -16 to 15.99");
    if (s.max_anisotropy > kMostAnisotropy) wrong("max_anisotropy", number(s.max_anisotropy), "a number from 0 to 16");
    const bool compares = (static_cast<std::uint32_t>(s.filter) & kReduction) == kComparison;
    if (compares && (s.comparison < ComparisonFunction::never || s.comparison > ComparisonFunction::always))
      wrong("comparison", number(s.comparison), "a comparison from 1 to 8 for this filter");
    if (s.border_color > BorderColor::opaque_white_uint) wrong("border_color", number(s.border_color), "a color from 0 to 4");
    if (std::isnan(s.min_lod)) wrong("min_lod", real(s.min_lod), "a number");
    if (std::isnan(s.max_lod)) wrong("max_lod", real(s.max_lod), "a number");
    if ((s.flags & ~kSamplerFlags) != 0) add(rules::kFlags, path + "/flags", flags_fault(s.flags, kSamplerFlags, {}));
    if (!is_known(s.visibility)) add(rules::kValue, path + "/visibility", std::to_string(static_cast<std::uint32_t>(s.visibility)));
    bind(DescriptorRangeType::sampler, s.space, s.shader_register, 1, s.visibility, path);
  }

  void bind(DescriptorRangeType type, std::uint32_t space, std::uint32_t first, std::uint32_t count, ShaderVisibility visibility,
            const std::string& path) {
    if (space >= kFirstReservedSpace) add(rules::kReservedSpace, path + "/space", hex32(space));
    const std::uint64_t last = count == kUnbounded ? kUnbounded : std::uint64_t{first} + count - 1;
    if (!is_known(visibility)) return;
    bound.push_back({type, space, first, static_cast<std::uint32_t>(std::min<std::uint64_t>(last, kUnbounded)), visibility, path});
  }

  // In the order of registers, with the end of what each visibility has so far. What all see is in the way of everything.
  void check_overlaps() {
    std::stable_sort(bound.begin(), bound.end(), [](const Bound& a, const Bound& b) {
      return std::tie(a.type, a.space, a.first) < std::tie(b.type, b.space, b.first);
    });
    std::array<std::uint64_t, kVisibilityCount> ends{};
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const Bound& b = bound[i];
      if (i == 0 || bound[i - 1].type != b.type || bound[i - 1].space != b.space) ends.fill(0);
      const auto own = static_cast<std::size_t>(b.visibility);
      const bool taken = b.visibility == ShaderVisibility::all ? *std::max_element(ends.begin(), ends.end()) > b.first
                                                               : std::max(ends[own], ends[0]) > b.first;
      if (taken)
        add(rules::kOverlap, b.path, register_name(b.type, b.first) + " in space " + std::to_string(b.space) + " is already bound");
      ends[own] = std::max(ends[own], std::uint64_t{b.last} + 1);
    }
  }
};

}  // namespace

std::vector<Diagnostic> check(const RootSignature& root) {
  Checker checker{root, {}, {}};
  checker.check();
  return std::move(checker.findings);
}

void validate(const Part& part, const RootSignature& root, Findings& findings) {
  auto found = check(root);
  if (found.empty()) return;
  // The tree has the places of fields. The target of a parameter's offset is a record of its own there, and belongs to the parameter.
  Tree tree(part.data);
  record_root_signature(part, tree, 0);
  std::map<std::string, std::uint64_t, std::less<>> places;
  for (std::uint32_t i = 1; i < tree.fields().size(); ++i) {
    std::string path = tree.path(i);
    if (const auto body = path.find("body/"); body != std::string::npos) path.erase(body, 5);
    places.emplace(std::move(path), tree.fields()[i].offset);
  }
  for (Diagnostic& finding : found) {
    // Of a list, its first record.
    const auto at = places.lower_bound(finding.path);
    const bool stands = at != places.end() && (at->first == finding.path || at->first.starts_with(finding.path + '['));
    findings.add(*finding.rule, stands ? at->second : part.data.file_offset(), std::string(part.name()) + '/' + finding.path,
                 std::move(finding.message));
  }
}

}  // namespace unshade::dxcontainer::root_signature
