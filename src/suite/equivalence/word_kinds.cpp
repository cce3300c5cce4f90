#include "suite/equivalence/word_kinds.hpp"

#include <algorithm>
#include <optional>

#include <unshade/ir/extra.hpp>

namespace unshade::suite::equivalence {
namespace {

std::optional<std::uint32_t> constant_of(const ir::Function& function, ir::Id id) {
  if (function.insts[id].op != ir::Op::constant) return std::nullopt;
  return static_cast<std::uint32_t>(ir::constant_bits(function, id));
}

// Where a load begins; nothing if that is computed. Of structured buffers in the element.
std::optional<std::uint32_t> place_of_load(const ir::Function& function, ir::Id id) {
  const ir::Inst& inst = function.insts[id];
  const auto operands = function.operands_of(id);
  if (inst.op == ir::Op::cbuffer_load) return constant_of(function, operands[1]);
  const ir::BufferExtra extra(inst.extra);
  if (extra.kind == ir::BufferKind::structured) return extra.has_offset ? constant_of(function, operands[2]) : 0;
  return extra.has_offset ? std::nullopt : constant_of(function, operands[1]);
}

}  // namespace

bool decides(const ir::Function& function, ir::Id id) {
  const ir::Inst& inst = function.insts[id];
  switch (inst.op) {
    case ir::Op::switch_:
    case ir::Op::feq:
    case ir::Op::fne:
    case ir::Op::flt:
    case ir::Op::fle:
    case ir::Op::ieq:
    case ir::Op::ine:
    case ir::Op::ilt:
    case ir::Op::ile:
    case ir::Op::ult:
    case ir::Op::ule: return true;
    default: return false;
  }
}

WordKinds::Kind WordKinds::together(Kind one, Kind other) {
  return one == Kind::unknown || one == other || other == Kind::unknown ? std::max(one, other) : Kind::both;
}

void WordKinds::add(std::uint32_t byte, Kind kind) {
  Kind& known = at_[byte];
  known = together(known, kind);
}

void WordKinds::add(Kind kind) { anywhere_ = together(anywhere_, kind); }

WordKinds::Kind WordKinds::of(std::uint32_t byte) const {
  const auto found = at_.find(byte);
  return found == at_.end() ? anywhere_ : found->second;
}

void WordKinds::compare(std::uint32_t byte, Field field, std::uint64_t constant) {
  constexpr std::size_t kMostFields = 32;
  std::vector<Compared>& fields = compared_[byte];
  auto found = std::ranges::find(fields, field, &Compared::field);
  if (found == fields.end()) {
    if (fields.size() == kMostFields) return;
    found = fields.insert(field == Field{} ? fields.begin() : fields.end(), {field, {}});
  }
  found->constants.push_back(constant);
}

std::span<const WordKinds::Compared> WordKinds::compared(std::uint32_t byte) const {
  const auto found = compared_.find(byte);
  return found == compared_.end() ? std::span<const Compared>() : found->second;
}

namespace {

bool is_load(const ir::Inst& inst) { return inst.op == ir::Op::cbuffer_load || inst.op == ir::Op::buffer_load; }

// The words of the resource that a load is of; null if that is computed, or if the load is of other than words.
WordKinds* words_loaded(const ir::Function& function, ir::Id id, std::vector<WordKinds>& all) {
  const ir::Inst& handle = function.insts[function.operands_of(id)[0]];
  const bool is_known = handle.op == ir::Op::handle && handle.extra < all.size() && ir::bit_width(function.insts[id].type) == 32;
  return is_known ? &all[handle.extra] : nullptr;
}

// Follows a value back through shifts and masks by constants to what they take it out of.
ir::Id out_of(const ir::Function& function, ir::Id value, WordKinds::Field& field) {
  constexpr unsigned kMost = 4;
  for (unsigned k = 0; k < kMost && value < function.insts.size() && function.insts[value].type == ir::Type::i32; ++k) {
    const auto operands = function.operands_of(value);
    const auto constant = [&](std::size_t at) { return constant_of(function, operands[at]); };
    switch (function.insts[value].op) {
      case ir::Op::iand: {
        const auto mask = constant(1);
        if (!mask) return value;
        field.mask &= *mask >> field.shift;
        break;
      }
      case ir::Op::ushr: {
        const auto shift = constant(1);
        if (!shift || field.shift + *shift > 31) return value;
        field.shift += *shift;
        field.mask &= ~std::uint32_t{0} >> field.shift;
        break;
      }
      case ir::Op::ubfe: {
        const auto shift = constant(1), width = constant(2);
        if (!shift || !width || *width == 0 || *width > 31 || field.shift + *shift > 31) return value;
        field.mask &= ((std::uint32_t{1} << *width) - 1) >> field.shift;
        field.shift += *shift;
        break;
      }
      default: return value;
    }
    value = operands[0];
  }
  return value;
}

// A comparison, or a choice of cases, of a word that is loaded, or of a field of one, with constants.
void add_comparison(const ir::Function& function, ir::Id id, std::vector<WordKinds>& all) {
  const auto operands = function.operands_of(id);
  for (ir::Id value : operands) {
    WordKinds::Field field;
    value = out_of(function, value, field);
    std::uint32_t member = 0;
    if (value < function.insts.size() && function.insts[value].op == ir::Op::get) {
      member = function.insts[value].extra;
      value = function.operands_of(value)[0];
    }
    if (value >= function.insts.size() || !is_load(function.insts[value])) continue;
    WordKinds* const words = words_loaded(function, value, all);
    const auto place = place_of_load(function, value);
    if (words == nullptr || !place) continue;
    for (const ir::Id other : operands)
      if (other < function.insts.size() && function.insts[other].op == ir::Op::constant)
        words->compare(*place + member * 4, field, ir::constant_bits(function, other));
  }
}

}  // namespace

std::vector<WordKinds> word_kinds_of(const ir::Module& module) {
  std::vector<WordKinds> made(module.resources.size());
  for (const ir::Function& function : module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        const ir::Inst& inst = function.insts[id];
        if (decides(function, id)) add_comparison(function, id, made);
        if (!is_load(inst)) continue;
        WordKinds* const words = words_loaded(function, id, made);
        if (words == nullptr) continue;
        const auto kind = ir::is_float(inst.type) ? WordKinds::Kind::real : WordKinds::Kind::whole;
        const auto place = place_of_load(function, id);
        if (!place) {
          words->add(kind);
          continue;
        }
        for (std::uint32_t k = 0; k < std::max<std::uint32_t>(inst.results, 1); ++k) words->add(*place + k * 4, kind);
      }
    }
  }
  return made;
}

}  // namespace unshade::suite::equivalence
