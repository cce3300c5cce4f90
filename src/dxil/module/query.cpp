#include <unshade/dxil/query.hpp>

#include <bit>
#include <cmath>
#include <limits>

#include <unshade/core/text.hpp>

namespace unshade::dxil {

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

double value_of_half(std::uint16_t bits) {
  constexpr unsigned kMantissaBits = 10, kMostExponent = 31;
  constexpr int kBias = 15;
  const unsigned exponent = bits >> kMantissaBits & kMostExponent;
  const unsigned mantissa = bits & ((1U << kMantissaBits) - 1);
  double value = 0;
  if (exponent == kMostExponent) {
    value = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else {
    const unsigned hidden = exponent == 0 ? 0U : 1U << kMantissaBits;
    value = std::ldexp(static_cast<double>(mantissa | hidden),
                       static_cast<int>(exponent == 0 ? 1 : exponent) - kBias - static_cast<int>(kMantissaBits));
  }
  return (bits >> 15) != 0 ? -value : value;
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

std::optional<std::uint64_t> ModuleQuery::bits_of(const Body* body, std::uint32_t operand) const {
  const Constant* const constant = constant_of(body, operand);
  if (constant == nullptr) return std::nullopt;
  if (!is_real(constant->type)) return integer_of(body, operand);
  if (constant->kind != ConstantKind::real && constant->kind != ConstantKind::null) return std::nullopt;
  return constant->kind == ConstantKind::null ? 0 : constant->bits;
}

std::optional<double> ModuleQuery::real_of(const Body* body, std::uint32_t operand) const {
  const auto bits = bits_of(body, operand);
  const Constant* const constant = constant_of(body, operand);
  if (!bits || !is_real(constant->type)) return std::nullopt;
  switch (type(constant->type).kind) {
    case TypeKind::half: return value_of_half(static_cast<std::uint16_t>(*bits));
    case TypeKind::float_: return std::bit_cast<float>(static_cast<std::uint32_t>(*bits));
    default: return std::bit_cast<double>(*bits);
  }
}

std::vector<std::optional<std::uint64_t>> ModuleQuery::elements_of(const Body* body, std::uint32_t operand, std::size_t most) const {
  const Constant* const constant = constant_of(body, operand);
  if (constant == nullptr) return {};
  const Type& of = type(constant->type);
  const bool is_sequence = of.kind == TypeKind::array || of.kind == TypeKind::vector;
  const std::uint64_t count = is_sequence ? of.count : of.kind == TypeKind::structure ? of.parts.count : 0;
  if (count > most) return {};
  std::vector<std::optional<std::uint64_t>> elements(static_cast<std::size_t>(count));
  const auto literals = module.literals_of(constant->literals);
  const auto operands = module.operands_of(constant->operands);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    switch (constant->kind) {
      case ConstantKind::null: elements[i] = 0; break;
      case ConstantKind::aggregate: elements[i] = bits_of(body, operands[i]); break;
      case ConstantKind::data:
      case ConstantKind::string:
      case ConstantKind::c_string: elements[i] = i < literals.size() ? literals[i] : 0; break;
      case ConstantKind::undef: break;
      default: return {};
    }
  }
  return elements;
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

void build_graph(const Module& module, const Body& body, Graph& graph) {
  graph.build(body.blocks.count, [&](auto&& add) {
    for (std::uint32_t block = 0; block < body.blocks.count; ++block)
      if (const Instruction* const end = terminator_of(module, module.blocks[body.blocks.first + block]))
        for_each_successor(module, *end, [&](std::uint32_t to) { add(block, to); });
  });
}

}  // namespace unshade::dxil
