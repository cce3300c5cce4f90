// src: DXC lib/DxilValidation/DxilValidation.cpp, ValidateType
#include "dxil/validate_types.hpp"

#include <string_view>
#include <vector>

namespace unshade::dxil {

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

}  // namespace

bool is_operation_struct(const ModuleCheck& check, std::uint32_t type) {
  return check.is(type, TypeKind::structure) && check.name_of(check.type(type)).starts_with(kOperationTypes);
}

bool holds_handle(const ModuleCheck& check, std::uint32_t type, unsigned depth) {
  const Type& t = check.type(type);
  if (depth == 0) return false;
  switch (t.kind) {
    case TypeKind::pointer:
    case TypeKind::array: return holds_handle(check, check.module.element_of(type), depth - 1);
    case TypeKind::structure: return check.name_of(t).starts_with(kObjects[0]);
    default: return false;
  }
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

}  // namespace unshade::dxil
