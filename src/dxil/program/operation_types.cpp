#include "dxil/program/operation_types.hpp"

#include <algorithm>

namespace unshade::dxil::program {

namespace {

constexpr std::string_view kTypePrefix = "dx.types.";

/// Structures that rows name, and what they are called. src: DXC lib/DXIL/DxilOperations.cpp, OP::OP
struct StructWord {
  std::string_view word;
  std::string_view name;
};
constexpr StructWord kStructWords[] = {
    {"res", "Handle"},
    {"dims", "Dimensions"},
    {"SamplePos", "SamplePos"},
    {"i32c", "i32c"},
    {"twoi32", "twoi32"},
    {"fouri32", "fouri32"},
    {"splitdouble", "splitdouble"},
    {"hit_object", "HitObject"},
    {"nodehandle", "NodeHandle"},
    {"noderecordhandle", "NodeRecordHandle"},
    {"resbind", "ResBind"},
    {"resproperty", "ResourceProperties"},
    {"nodeproperty", "NodeInfo"},
    {"noderecordproperty", "NodeRecordInfo"},
};

/// The letter of a scalar type in the column `overloads`; 0 for others.
char letter_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::half: return 'h';
    case TypeKind::float_: return 'f';
    case TypeKind::double_: return 'd';
    case TypeKind::structure: return 'o';
    case TypeKind::pointer: return 'u';
    case TypeKind::integer:
      switch (type.number) {
        case 1: return '1';
        case 8: return '8';
        case 16: return 'w';
        case 32: return 'i';
        case 64: return 'l';
        default: return 0;
      }
    default: return 0;
  }
}

}  // namespace

bool is_overload(const ModuleQuery& query, std::string_view letters, std::uint32_t type) {
  const std::size_t vectors = std::min(letters.find('<'), letters.size());
  const bool is_vector = query.is(type, TypeKind::vector);
  const char letter = letter_of(query.type(query.scalar_of(type)));
  const std::string_view allowed = is_vector ? letters.substr(vectors) : letters.substr(0, vectors);
  return letter != 0 && allowed.find(letter) != std::string_view::npos;
}

bool OperationTypes::is_struct(std::uint32_t type, std::string_view name) const {
  if (!query_.is(type, TypeKind::structure)) return false;
  std::string_view found = query_.name_of(query_.type(type));
  if (!found.starts_with(kTypePrefix)) return false;
  found.remove_prefix(kTypePrefix.size());
  return found.starts_with(name) && (found.size() == name.size() || found[name.size()] == '.');
}

std::uint32_t OperationTypes::member(std::uint32_t structure, std::size_t i) const {
  const auto parts = query_.module.parts_of(query_.type(structure));
  return i < parts.size() ? parts[i] : kNone;
}

bool OperationTypes::bind(std::size_t which, std::uint32_t type) {
  if (type == kNone) return false;
  if (bound_[which] == kNone) bound_[which] = type;
  return bound_[which] == type;
}

bool OperationTypes::fits(std::string_view word, std::uint32_t type) {
  if (word.ends_with('!')) word.remove_suffix(1);
  const Type& t = query_.type(type);
  if (word == "$o") return bind(0, type);
  if (word.size() == 3 && word.starts_with("$x")) return bind(static_cast<std::size_t>(word[2] - '0') % kOverloads, type);
  // A pointer to memory of the thread group.
  if (word.starts_with("$x_gs"))
    return t.kind == TypeKind::pointer && t.number == kGroupSharedSpace &&
           bind(static_cast<std::size_t>(word.back() - '0') % kOverloads, query_.module.element_of(type));
  if (word == "v") return t.kind == TypeKind::void_;
  if (word == "f") return t.kind == TypeKind::float_;
  if (word == "h") return t.kind == TypeKind::half;
  if (word == "d") return t.kind == TypeKind::double_;
  if (word == "i1") return query_.is_integer(type, 1);
  if (word == "i8") return query_.is_integer(type, 8);
  if (word == "i16") return query_.is_integer(type, 16);
  if (word == "i32") return query_.is_integer(type, 32);
  if (word == "i64") return query_.is_integer(type, 64);
  if (word == "pf32") return t.kind == TypeKind::pointer && query_.is(query_.module.element_of(type), TypeKind::float_);
  if (word == "$r" || word == "$cb") return is_struct(type, word == "$r" ? "ResRet" : "CBufRet") && bind(0, member(type, 0));
  if (word == "$o_i1" || word == "$o_i32") {
    // As many as the operand has, which follows.
    const std::uint32_t width = word == "$o_i1" ? 1 : 32;
    return query_.is_integer(query_.scalar_of(type), width);
  }
  // Four results were a structure before vectors came.
  if (word == "$vec4" && (is_struct(type, "fouri16") || is_struct(type, "fouri32"))) return bind(0, member(type, 0));
  if (word == "$vec4" || word == "$vec9") {
    return t.kind == TypeKind::vector && t.count == static_cast<std::uint64_t>(word[4] - '0') && bind(0, query_.module.element_of(type));
  }
  if (word == "$elt") return bound_[0] == kNone || query_.scalar_of(bound_[0]) == type;
  if (word == "$udt") return t.kind == TypeKind::pointer && bind(0, type);
  if (word == "$obj") return bind(0, type);
  for (const StructWord& row : kStructWords)
    if (row.word == word) return is_struct(type, row.name);
  return true;  // words of operations that are not final
}

OperationTypes::Outcome OperationTypes::check(const OperationInfo& info, std::uint32_t function) {
  bound_.fill(kNone);
  const auto parts = query_.module.parts_of(query_.type(function));
  std::string_view words = info.types;
  const std::size_t count = 1 + static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '));
  // The opcode is a parameter that rows do not name.
  if (parts.size() != count + 1 || !query_.is_integer(parts[1], 32)) return Outcome::wrong_types;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t blank = std::min(words.find(' '), words.size());
    if (!fits(words.substr(0, blank), parts[i == 0 ? 0 : i + 1])) return Outcome::wrong_types;
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  std::string_view overloads = info.overloads;
  for (std::size_t which = 0; !overloads.empty() && which < kOverloads; ++which) {
    const std::size_t comma = std::min(overloads.find(','), overloads.size());
    const std::string_view letters = overloads.substr(0, comma);
    const bool any = letters.find_first_of("vuo") != std::string_view::npos;
    if (!any && bound_[which] != kNone && !is_overload(query_, letters, bound_[which])) return Outcome::wrong_overload;
    overloads.remove_prefix(std::min(comma + 1, overloads.size()));
  }
  return Outcome::fits;
}

}  // namespace unshade::dxil::program
