#include "dxil/module/query.hpp"

#include <unshade/core/text.hpp>

namespace unshade::dxil::module {

namespace {

/// How many members and casts a constant is followed through.
constexpr unsigned kMostSteps = 64;

/// Parts of a type's text that are printed.
constexpr unsigned kTextDepth = 4;

void print_type(Text& out, const ModuleQuery& query, std::uint32_t id, unsigned depth) {
  const Type& type = query.type(id);
  if (depth == 0) {
    out << "...";
    return;
  }
  switch (type.kind) {
    case TypeKind::integer: out.dec((out << 'i', type.number)); break;
    case TypeKind::pointer:
      print_type(out, query, query.module.element_of(id), depth - 1);
      out << '*';
      break;
    case TypeKind::array:
    case TypeKind::vector:
      out << (type.kind == TypeKind::array ? '[' : '<');
      out.dec(type.count) << " x ";
      print_type(out, query, query.module.element_of(id), depth - 1);
      out << (type.kind == TypeKind::array ? ']' : '>');
      break;
    case TypeKind::structure: {
      constexpr std::size_t kMost = 64;
      const std::string_view name = query.name_of(type);
      if (name.empty()) {
        out << "a structure";
      } else {
        out << '%' << name.substr(0, kMost);
      }
      break;
    }
    case TypeKind::function: out << "a function"; break;
    default: out << text(type.kind); break;
  }
}

}  // namespace

std::optional<std::uint64_t> ModuleQuery::integer_of(const Body* body, std::uint32_t operand) const {
  const Constant* const constant = constant_of(body, operand);
  if (constant == nullptr) return std::nullopt;
  const Type& of = type(constant->type);
  if (of.kind != TypeKind::integer) return std::nullopt;
  if (constant->kind == ConstantKind::null) return 0;
  if (constant->kind != ConstantKind::integer) return std::nullopt;
  return of.number < 64 ? constant->bits & ((std::uint64_t{1} << of.number) - 1) : constant->bits;
}

std::string ModuleQuery::text_of(std::uint32_t id) const {
  Text out;
  print_type(out, *this, id, kTextDepth);
  return std::string(out.str());
}

const Value& ModuleQuery::constant_root_of(const Body* body, std::uint32_t operand) const {
  const Value* value = &module.value(body, operand);
  for (unsigned step = 0; step < kMostSteps && value->kind == ValueKind::constant; ++step) {
    const Constant& constant = module.constants[value->index];
    const bool of_pointer = constant.kind == ConstantKind::getelementptr || constant.kind == ConstantKind::cast;
    if (!of_pointer || constant.operands.empty()) break;
    value = &module.value(body, module.operands[constant.operands.first]);
  }
  return *value;
}

}  // namespace unshade::dxil::module
