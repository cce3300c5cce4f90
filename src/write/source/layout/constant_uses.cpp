#include "write/source/layout/constant_uses.hpp"

#include <algorithm>
#include <ranges>

#include <unshade/ir/analysis/uses.hpp>
#include <unshade/ir/extra.hpp>

#include "write/source/plan/plan.hpp"

namespace unshade::write::source {

using ir::Function;
using ir::Op;

namespace {

constexpr std::uint32_t kMostBytes = 0x10000;  ///< of a constant buffer: 4096 registers
/// What is multiplied with fewer registers need not be a matrix.
constexpr std::uint32_t kLeastRegisters = 3;
constexpr std::uint64_t kFirstVariable = std::uint64_t{1} << 32, kNowhere = ~std::uint64_t{0};
/// Registers of a sum.
constexpr std::size_t kMostOfMatrix = 4;

/// Whether two values are the same: one, or read alike.
bool are_same(const Function& f, Id a, Id b) {
  if (a == b) return true;
  const ir::Inst &x = f.insts[a], &y = f.insts[b];
  if (x.op != y.op || x.extra != y.extra || x.type != y.type || x.operand_count != y.operand_count) return false;
  if (x.op != Op::input && x.op != Op::cbuffer_load && x.op != Op::builtin && x.op != Op::constant && x.op != Op::get) return false;
  if (x.op == Op::constant) return ir::constant_bits(f, a) == ir::constant_bits(f, b);
  return std::ranges::equal(f.operands_of(a), f.operands_of(b));
}

bool are_same(const Function& f, std::span<const Id> a, std::span<const Id> b) {
  return a.size() == b.size() && std::ranges::equal(a, b, [&](Id x, Id y) { return are_same(f, x, y); });
}

}  // namespace

ConstantUses::ConstantUses(const ir::Module& module, const ir::DeclaredTypes& types, ShadingLanguage language)
    : module_(module), types_(types), language_(language) {
  for (std::size_t function = 0; function < module.functions.size(); ++function) look_at(function);
}

void ConstantUses::look_at(std::size_t function) {
  const Function& f = module_.functions[function];
  begins_.assign(f.insts.size(), std::nullopt);
  for (const BlockId block : f.order)
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id])
      if (f.insts[id].op == Op::cbuffer_load) begins_[id] = begin_of(f, id);
  const ir::Uses uses = ir::uses_of(f);
  const ir::Vectors vectors = ir::vectors_of(f);
  for (const BlockId block : f.order) {
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      const ir::Inst& inst = f.insts[id];
      if (inst.op == Op::cbuffer_load) {
        const ir::Inst& handle = f.insts[f.operands_of(id)[0]];
        if (handle.op == Op::handle && !begins_[id]) buffers_[handle.extra].is_known = false;
      }
      if (uses.count[id] != 0 && (inst.op == Op::get || (inst.op == Op::cbuffer_load && inst.results == 1)))
        record(function, id, uses.count[id]);
    }
  }
  const auto take = [&](Ids list) {
    join(f, list);
    find_dots(f, vectors, list);
    if (list.size() > 1) find_sum(f, list);
  };
  for (std::uint32_t row = 0; row < vectors.rows.size(); ++row) {
    const Ids members = vectors.members_of(row);
    if (members.empty()) continue;
    take(members);
    for (std::size_t at = 0; at < f.insts[members[0]].operand_count; ++at)
      if (!ir::is_block_operand(f.insts[members[0]].op, at)) take(operands_at(f, members, at));
  }
  for (const ir::VectorDot& dot : vectors.dots) {
    take(dot.first());
    take(dot.second());
  }
  for (const BlockId block : f.order) {
    // what goes to one element or variable, one after the other
    std::vector<Id> list;
    std::uint64_t target = kNowhere;
    for (Id id = f.blocks[block].first; id != kNone; id = f.next[id]) {
      const ir::Inst& inst = f.insts[id];
      if (takes_lists(inst.op)) join(f, f.operands_of(id));
      if (inst.op != Op::output && inst.op != Op::store) continue;
      const bool is_output = inst.op == Op::output;
      const std::uint64_t to = is_output ? ir::ElementExtra(inst.extra).element : kFirstVariable + inst.extra;
      if (to != target || list.size() == kMostOfMatrix) take(list), list.clear();
      target = to;
      list.push_back(f.operands_of(id).back());
    }
    take(list);
  }
}

// A number that is used, and as what: a load, or a component of one.
void ConstantUses::record(std::size_t function, Id value, std::uint32_t times) {
  const Function& f = module_.functions[function];
  const auto read = read_of(f, value, false);
  if (!read) return;
  Register& at = buffers_[read->resource].registers[read->at()];
  at.is_used[read->component()] = true;
  const ir::Declared declared = types_.of[function][value];
  const bool is_real = declared == ir::Declared::real || (declared == ir::Declared::as_is && ir::is_float(f.insts[value].type));
  at.votes[read->component()][is_real ? 0 : declared == ir::Declared::signed_ ? 1 : 2] += times;
}

// Where a load begins; nothing if that is computed, or its numbers are not of 32 bits.
std::optional<ConstantUses::Read> ConstantUses::begin_of(const Function& f, Id load) const {
  const ir::Inst& handle = f.insts[f.operands_of(load)[0]];
  if (handle.op != Op::handle || ir::bit_width(f.insts[load].type) != 32) return std::nullopt;
  const Address address = address_of(f, f.operands_of(load)[1]);
  if (!address.terms.empty() || address.bytes < 0 || address.bytes + kRegister > kMostBytes || address.bytes % 4 != 0) return std::nullopt;
  return Read{handle.extra, static_cast<std::uint32_t>(address.bytes) / 4};
}

std::optional<ConstantUses::Read> ConstantUses::read_of(const Function& f, Id id, bool through_signs) const {
  const auto is_passed = [&](Op op) { return op == Op::bitcast || (through_signs && (op == Op::fneg || op == Op::fabs)); };
  if (id >= f.insts.size()) return std::nullopt;
  while (is_passed(f.insts[id].op)) id = f.operands_of(id)[0];
  std::uint32_t member = 0;
  if (f.insts[id].op == Op::get) {
    member = f.insts[id].extra;
    id = f.operands_of(id)[0];
  }
  if (f.insts[id].op != Op::cbuffer_load) return std::nullopt;
  std::optional<Read> read = begins_[id];
  if (read) read->word += member;
  return read;
}

// Components of one register that are one vector somewhere.
void ConstantUses::join(const Function& f, Ids list) {
  if (list.size() < 2) return;
  std::vector<Read> reads;
  for (const Id id : list)
    if (const auto read = read_of(f, id, true)) reads.push_back(*read);
  for (std::size_t k = 1; k < reads.size(); ++k) {
    for (std::size_t before = 0; before < k; ++before) {
      if (reads[before].resource != reads[k].resource || reads[before].at() != reads[k].at()) continue;
      auto& joined = buffers_[reads[k].resource].registers[reads[k].at()].joined;
      const std::uint8_t a = joined[reads[before].component()], b = joined[reads[k].component()];
      for (std::uint8_t& one : joined)
        if (one == std::max(a, b)) one = std::min(a, b);
      break;
    }
  }
}

std::optional<ConstantUses::Read> ConstantUses::row_of(const Function& f, Ids list) const {
  const auto first = read_of(f, list[0], false);
  if (!first || first->component() != 0) return std::nullopt;
  for (std::size_t k = 1; k < list.size(); ++k)
    if (read_of(f, list[k], false) != Read{first->resource, first->word + static_cast<std::uint32_t>(k)}) return std::nullopt;
  return first;
}

// Dot products of one vector with registers that follow each other, or with the same component of them.
void ConstantUses::find_dots(const Function& f, const ir::Vectors& vectors, Ids list) {
  struct Side {
    Read first;
    bool is_row = false;
    std::size_t length = 0;
    std::vector<Id> vector;
  };
  const auto side_of = [&](Id id) -> std::optional<Side> {
    const ir::VectorDot* const dot = vectors.dot_of(id);
    if (dot == nullptr || dot->count < 3) return std::nullopt;
    const Ids a = dot->first(), b = dot->second();
    for (const auto& [memory, vector] : {std::pair(b, a), std::pair(a, b)}) {
      if (const auto row = row_of(f, memory)) return Side{*row, true, memory.size(), {vector.begin(), vector.end()}};
      const auto first = read_of(f, memory[0], false);
      if (!first) continue;
      bool is_column = true;
      for (std::size_t k = 1; k < memory.size(); ++k)
        is_column = is_column && read_of(f, memory[k], false) == Read{first->resource, first->word + static_cast<std::uint32_t>(4 * k)};
      if (is_column) return Side{*first, false, memory.size(), {vector.begin(), vector.end()}};
    }
    return std::nullopt;
  };
  for (std::size_t at = 0; at < list.size();) {
    const auto first = side_of(list[at]);
    std::size_t end = at + 1;
    if (first) {
      for (; end < list.size() && end - at < kMostOfMatrix; ++end) {
        const auto next = side_of(list[end]);
        const auto step = static_cast<std::uint32_t>((end - at) * (first->is_row ? 4 : 1));
        if (!next || next->is_row != first->is_row || next->length != first->length) break;
        if (next->first != Read{first->first.resource, first->first.word + step} || !are_same(f, first->vector, next->vector)) break;
      }
      const auto run = static_cast<std::uint32_t>(end - at), length = static_cast<std::uint32_t>(first->length);
      if (run >= kLeastRegisters && (first->is_row || first->first.component() == 0))
        ++buffers_[first->first.resource]
              .matrices[first->is_row ? Matrix{first->first.at(), run, length} : Matrix{first->first.at(), length, run}];
    }
    at = first ? end : at + 1;
  }
}

// A sum of registers, each multiplied by a scalar; the last may be added as it is.
void ConstantUses::find_sum(const Function& f, Ids list) {
  std::vector<Read> rows;
  std::vector<Id> at(list.begin(), list.end());
  const auto across = static_cast<std::uint32_t>(list.size());
  // the register of a product with one scalar
  const auto scaled = [&](Ids products) -> std::optional<Read> {
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const auto row = row_of(f, operands_at(f, products, side));
      const std::vector<Id> factor = operands_at(f, products, 1 - side);
      if (row && std::ranges::all_of(factor, [&](Id id) { return are_same(f, id, factor[0]); })) return row;
    }
    return std::nullopt;
  };
  const auto is_op = [&](Ids ids, Op op) {
    return std::ranges::all_of(ids, [&](Id id) { return f.insts[id].op == op && f.insts[id].type == ir::Type::f32; });
  };
  while (rows.size() < kMostOfMatrix) {
    std::optional<Read> row;
    if (is_op(at, Op::fmad)) {
      row = scaled(at);
      at = operands_at(f, at, 2);
    } else if (is_op(at, Op::fmul)) {
      if (const auto last = scaled(at)) rows.push_back(*last);
      break;
    } else if (is_op(at, Op::fadd)) {
      std::vector<Id> rest;
      for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const std::vector<Id> one = operands_at(f, at, side);
        auto found = rows.empty() ? row_of(f, one) : std::nullopt;
        if (!found && is_op(one, Op::fmul)) found = scaled(one);
        if (!found || (row && row->word > found->word)) continue;
        row = found;
        rest = operands_at(f, at, 1 - side);
      }
      at = std::move(rest);
    }
    if (!row) break;
    rows.push_back(*row);
  }
  if (rows.size() < kLeastRegisters) return;
  std::ranges::sort(rows, {}, &Read::word);
  for (std::size_t k = 1; k < rows.size(); ++k)
    if (rows[k].resource != rows[0].resource || rows[k].word != rows[k - 1].word + 4) return;
  ++buffers_[rows[0].resource].matrices[{rows[0].at(), static_cast<std::uint32_t>(rows.size()), across}];
}

// Those that do not overlap, the largest and most frequent first.
std::vector<ConstantUses::Matrix> ConstantUses::matrices_of(const Buffer& buffer) const {
  std::vector<std::pair<Matrix, std::uint32_t>> all(buffer.matrices.begin(), buffer.matrices.end());
  std::ranges::stable_sort(
      all, [](const auto& a, const auto& b) { return std::pair(a.first.count, a.second) > std::pair(b.first.count, b.second); });
  std::vector<Matrix> made;
  for (const auto& [found, times] : all) {
    const auto overlaps = [&](const Matrix& other) {
      return other.first < found.first + found.count && found.first < other.first + other.count;
    };
    if (std::ranges::any_of(made, overlaps)) continue;
    Matrix matrix = found;
    bool is_real = true;
    for (std::uint32_t at = matrix.first; at < matrix.first + matrix.count; ++at) {
      const auto read = buffer.registers.find(at);
      if (read == buffer.registers.end()) continue;
      for (std::uint32_t k = 0; k < 4; ++k) {
        if (!read->second.is_used[k]) continue;
        matrix.across = std::max(matrix.across, k + 1);
        const auto& votes = read->second.votes[k];
        is_real = is_real && votes[0] >= votes[1] + votes[2];
      }
    }
    if (is_real) made.push_back(matrix);
  }
  std::ranges::sort(made);
  return made;
}

std::optional<ByteLayout> ConstantUses::layout_of(std::uint32_t resource, std::uint32_t bytes) const {
  const auto found = buffers_.find(resource);
  if (found == buffers_.end() || !found->second.is_known) return std::nullopt;
  const Buffer& buffer = found->second;
  ByteLayout layout;
  ByteLayout::Part root;
  root.kind = ByteLayout::Kind::structure;
  root.is_block = true;
  std::map<Base, std::uint32_t> scalars;
  const auto scalar = [&](Base base) {
    const auto [place, is_new] = scalars.try_emplace(base, 0);
    if (is_new) place->second = layout.add_scalar(base);
    return place->second;
  };
  const auto add = [&](std::uint32_t word, std::uint32_t part, std::string_view suffix) {
    root.members.push_back({'_' + std::to_string(word / 4) + std::string(suffix), word * 4, part});
    root.bytes = word * 4 + layout.parts[part].bytes;
  };
  const std::vector<Matrix> matrices = matrices_of(buffer);
  auto next = matrices.begin();
  for (const auto& [at, read] : buffer.registers) {
    if (next != matrices.end() && at >= next->first + next->count) ++next;
    if (next != matrices.end() && at >= next->first) {
      if (at != next->first && root.bytes > at * kRegister) continue;  // within it
      ByteLayout::Part part;
      // so that an index gives a register
      part.kind = language_ == ShadingLanguage::hlsl ? ByteLayout::Kind::rows : ByteLayout::Kind::columns;
      part.base = Base::float_;
      part.inner = scalar(Base::float_);
      part.count = next->count;
      part.across = next->across;
      part.stride = kRegister;
      part.bytes = kRegister * (part.count - 1) + 4 * part.across;
      add(next->first * 4, layout.add(std::move(part)), "");
      continue;
    }
    // ranges of components that are read together, those that cross as one
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (!read.is_used[k]) continue;
      std::uint32_t first = k, last = k;
      for (std::uint32_t other = 0; other < 4; ++other)
        if (read.is_used[other] && read.joined[other] == read.joined[k]) first = std::min(first, other), last = std::max(last, other);
      // vectors stand where all languages put them
      if (first == 1 && last > 1) first = 0;
      while (!ranges.empty() && ranges.back().second >= first) {
        first = std::min(first, ranges.back().first);
        last = std::max(last, ranges.back().second);
        ranges.pop_back();
      }
      ranges.emplace_back(first, last);
    }
    for (const auto& [first, last] : ranges) {
      std::array<std::uint32_t, 3> votes{};
      for (std::uint32_t k = first; k <= last; ++k)
        for (std::size_t kind = 0; kind < votes.size(); ++kind) votes[kind] += read.votes[k][kind];
      const Base base = votes[0] >= votes[1] + votes[2] ? Base::float_ : votes[1] > votes[2] ? Base::int_ : Base::uint_;
      const std::uint32_t count = last - first + 1;
      const std::uint32_t one = scalar(base), part = count > 1 ? layout.add_vector(one, count) : one;
      const bool is_plain = first == 0 && (count > 1 || ranges.size() == 1);
      add(at * 4 + first, part, is_plain ? std::string() : '_' + std::string("xyzw").substr(first, count));
    }
  }
  if (root.members.empty()) return std::nullopt;
  // what is not read: the buffer keeps its size
  const std::uint32_t end = (root.bytes + kRegister - 1) / kRegister;
  if (bytes > end * kRegister && bytes <= kMostBytes) {
    const std::uint32_t vector = layout.add_vector(scalar(Base::float_), 4);
    const std::uint32_t rest = (bytes + kRegister - 1) / kRegister - end;
    add(end * 4, rest > 1 ? layout.add_array(vector, kRegister, rest * kRegister) : vector, "");
  }
  layout.root = layout.add(std::move(root));
  return layout;
}

}  // namespace unshade::write::source
