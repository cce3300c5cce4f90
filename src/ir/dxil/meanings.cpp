// The column `sem` of operations.def and ir.def.
#include <algorithm>
#include <iterator>
#include <span>

#include "ir/dxil/function.hpp"

namespace unshade::ir::lower_dxil {
namespace {

constexpr Meaning kOfOperations[] = {
#define DXIL_OP(code, id, text, function, overloads, types, parameters, since, access, traits, stages, sem) Meaning::sem,
#include <unshade/dxil/operations.def>
#undef DXIL_OP
};

constexpr Meaning kOfInstructions[] = {
#define DXIL_OPCODE(id, text, group, sem) Meaning::sem,
#include <unshade/dxil/ir.def>
};

template <class Number>
struct NumberRow {
  Number number;
  Meaning meaning;
};
constexpr NumberRow<dxil::Predicate> kOfPredicates[] = {
#define DXIL_PREDICATE(code, id, text, sem) {dxil::Predicate::id, Meaning::sem},
#include <unshade/dxil/ir.def>
};
constexpr NumberRow<dxil::AtomicOperation> kOfAtomics[] = {
#define DXIL_ATOMIC(code, id, text, sem) {dxil::AtomicOperation::id, Meaning::sem},
#include <unshade/dxil/ir.def>
};

template <class Number>
Meaning meaning_in(std::span<const NumberRow<Number>> rows, Number number) {
  const auto found = std::ranges::find(rows, number, &NumberRow<Number>::number);
  return found == rows.end() ? Meaning::unsupported : found->meaning;
}

}  // namespace

Meaning meaning_of(const dxil::OperationInfo& row) { return kOfOperations[&row - dxil::operations().data()]; }
Meaning meaning_of(dxil::Opcode opcode) {
  const auto number = static_cast<std::size_t>(opcode);
  return number < std::size(kOfInstructions) ? kOfInstructions[number] : Meaning::unsupported;
}
Meaning meaning_of(dxil::Predicate predicate) { return meaning_in<dxil::Predicate>(kOfPredicates, predicate); }
Meaning meaning_of(dxil::AtomicOperation operation) { return meaning_in<dxil::AtomicOperation>(kOfAtomics, operation); }

}  // namespace unshade::ir::lower_dxil
