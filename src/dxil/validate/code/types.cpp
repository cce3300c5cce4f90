// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateType
#include "dxil/validate/code/types.hpp"

#include <string_view>
#include <unordered_set>
#include <vector>

namespace unshade::dxil::validate {

namespace {

constexpr std::string_view kReserved = "dx.";
constexpr std::string_view kOperationTypes = "dx.types.";
/// What values of operations may be kept in: not for loading and storing, but in variables of some modules.
constexpr std::string_view kObjects[] = {"dx.types.Handle", "dx.types.HitObject", "dx.types.LinAlgMatrix"};

bool is_object(std::string_view name) {
  for (const std::string_view object : kObjects)
    if (name.starts_with(object)) return true;
  return false;
}

/// Classes of HLSL that are no values: those before `<` take arguments. src: DXC lib/DXIL/DxilUtil.cpp, IsHLSLObjectType
constexpr std::string_view kClasses[] = {
    "SamplerState",
    "SamplerComparisonState",
    "RaytracingAccelerationStructure",
    "ByteAddressBuffer",
    "AppendStructuredBuffer<",
    "ConsumeStructuredBuffer<",
    "ConstantBuffer<",
    "TextureBuffer<",
    "FeedbackTexture2D<",
    "FeedbackTexture2DArray<",
    "Buffer<",
    "StructuredBuffer<",
    "Texture1D<",
    "Texture1DArray<",
    "Texture2D<",
    "Texture2DArray<",
    "Texture3D<",
    "TextureCube<",
    "TextureCubeArray<",
    "Texture2DMS<",
    "Texture2DMSArray<",
    "TriangleStream<",
    "PointStream<",
    "LineStream<",
    "DispatchNodeInputRecord<",
    "GroupNodeInputRecords<",
    "ThreadNodeInputRecord<",
    "EmptyNodeInput",
    "GroupNodeOutputRecords<",
    "ThreadNodeOutputRecords<",
    "NodeOutput<",
    "NodeOutputArray<",
    "EmptyNodeOutput",
    "EmptyNodeOutputArray",
};

void drop_prefix(std::string_view& name, std::string_view prefix) {
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
}

bool is_class(std::string_view name) {
  if (name.ends_with("_slice_type")) return false;
  for (const std::string_view prefix : {"class.", "struct.", "RasterizerOrdered", "RW"}) drop_prefix(name, prefix);
  for (const std::string_view known : kClasses)
    if (known.ends_with('<') ? name.starts_with(known) : name == known) return true;
  return false;
}

}  // namespace

bool is_operation_struct(const ModuleCheck& check, std::uint32_t type) {
  return check.is(type, TypeKind::structure) && check.name_of(check.type(type)).starts_with(kOperationTypes);
}

bool holds_object(const ModuleCheck& check, std::uint32_t type) {
  std::vector<std::uint32_t> left{type};
  std::unordered_set<std::uint32_t> seen;
  while (!left.empty()) {
    std::uint32_t inner = left.back();
    left.pop_back();
    while (check.is(inner, TypeKind::pointer)) inner = check.module.element_of(inner);
    inner = check.innermost(inner);
    // Structures can hold one another in many ways, and themselves by pointers: each is looked at once.
    if (!check.is(inner, TypeKind::structure) || !seen.insert(inner).second) continue;
    const Type& structure = check.type(inner);
    const std::string_view name = check.name_of(structure);
    if (name.starts_with(kOperationTypes) || is_class(name)) return true;
    for (const std::uint32_t member : check.module.parts_of(structure)) left.push_back(member);
  }
  return false;
}

const Rule* TypeRules::broken_width(std::uint32_t type) const {
  if (!check_.is(type, TypeKind::integer)) return nullptr;
  switch (check_.type(type).number) {
    case 1:
    case 8:
    case 16:
    case 32:
    case 64: return nullptr;
    default: return &rules::kTypesIntWidth;
  }
}

const Rule* TypeRules::broken(std::uint32_t type) {
  const auto found = known_.find(type);
  if (found != known_.end()) return found->second;
  const Rule* const rule = judge(type);
  known_.emplace(type, rule);
  return rule;
}

const Rule* TypeRules::judge(std::uint32_t type) {
  if (check_.is(type, TypeKind::pointer)) {
    type = check_.module.element_of(type);
    if (check_.is(type, TypeKind::pointer)) return &rules::kTypesNoPtrToPtr;
  }
  if (check_.is(type, TypeKind::array)) {
    type = check_.module.element_of(type);
    if (check_.is(type, TypeKind::array)) return &rules::kTypesNoMultiDim;
  }
  switch (check_.type(type).kind) {
    case TypeKind::half:
    case TypeKind::float_:
    case TypeKind::double_: return nullptr;
    case TypeKind::integer: return broken_width(type);
    case TypeKind::structure: return judge_members(type);
    case TypeKind::vector:
      if (check_.is_library() || (check_.has_model(9) && check_.type(type).count > 1)) return nullptr;
      return &rules::kTypesNoVector;
    default: return check_.is_library() ? nullptr : &rules::kTypesDefined;
  }
}

// Types cannot hold themselves by value, but can hold one structure many times: each is looked at once.
const Rule* TypeRules::judge_members(std::uint32_t structure) {
  std::vector<std::uint32_t> left{structure};
  std::unordered_map<std::uint32_t, bool> seen{{structure, true}};
  while (!left.empty()) {
    const std::uint32_t type = left.back();
    left.pop_back();
    const std::string_view name = check_.name_of(check_.type(type));
    if (is_object(name)) continue;
    if (name.starts_with(kReserved)) return &rules::kDeclDxilNsReserved;
    for (const std::uint32_t member : check_.module.parts_of(check_.type(type))) {
      const std::uint32_t inner = check_.innermost(member);
      switch (check_.type(inner).kind) {
        case TypeKind::pointer: return &rules::kTypesNoPtrToPtr;
        case TypeKind::structure:
          if (seen.emplace(inner, true).second) left.push_back(inner);
          break;
        case TypeKind::integer:
          if (const Rule* rule = broken_width(inner)) return rule;
          break;
        case TypeKind::half:
        case TypeKind::float_:
        case TypeKind::double_: break;
        case TypeKind::vector:
          if (!check_.is_library() && !check_.has_model(9)) return &rules::kTypesNoVector;
          break;
        default:
          if (!check_.is_library()) return &rules::kTypesDefined;
          break;
      }
    }
  }
  return nullptr;
}

}  // namespace unshade::dxil::validate
