// Products of matrices and vectors: dot products with all rows or columns, and sums of rows or columns.
#include <algorithm>

#include "write/source/function_writer.hpp"

namespace unshade::write::source {

using ir::Writing;

// Where values are read from a constant buffer, through casts; nothing if one is something else.
std::optional<std::vector<ScalarPlace>> FunctionWriter::constant_places(Ids ids, std::string& prefix) {
  std::vector<ScalarPlace> made;
  Id handle = kNone;
  for (Id id : ids) {
    if (plan_.place(id).variable != kNone) return std::nullopt;
    while (f_.insts[id].op == Op::bitcast) {
      id = f_.operands_of(id)[0];
      if (plan_.place(id).variable != kNone) return std::nullopt;
    }
    std::uint32_t member = 0;
    if (f_.insts[id].op == Op::get) {
      member = f_.insts[id].extra;
      id = f_.operands_of(id)[0];
    }
    if (f_.insts[id].op != Op::cbuffer_load || plan_.place(id).variable != kNone) return std::nullopt;
    const Id own = f_.operands_of(id)[0];
    if (f_.insts[own].op != Op::handle || (handle != kNone && f_.insts[own].extra != f_.insts[handle].extra)) return std::nullopt;
    if (writer_.module.resources[f_.insts[own].extra].count != 1) return std::nullopt;
    handle = own;
    const unsigned bytes = ir::bit_width(f_.insts[id].type) / 8;
    Address address = address_of(f_, f_.operands_of(id)[1]);
    address.bytes += member * bytes;
    const auto found = places(writer_.memory_of(f_.insts[own].extra).layout, address, 1, bytes);
    if (!found) return std::nullopt;
    made.push_back(found->front());
  }
  prefix = writer_.memory_of(f_.insts[handle].extra).name;
  return made;
}

// A row or column of a matrix in memory, from its first component on.
std::optional<FunctionWriter::MatrixVector> FunctionWriter::matrix_vector(Ids ids) {
  if (ids.size() < 2) return std::nullopt;
  MatrixVector made;
  const auto found = constant_places(ids, made.prefix);
  if (!found) return std::nullopt;
  const ScalarPlace& first = found->front();
  if (first.kind != ScalarPlace::Kind::rows && first.kind != ScalarPlace::Kind::columns) return std::nullopt;
  if (!first.vector.terms.empty() || !first.component.terms.empty() || first.base != Base::float_) return std::nullopt;
  // along a vector in memory, or across all of them
  const bool is_across = found->size() > 1 && !((*found)[1].vector == first.vector);
  const auto is_next = [](const Index& index, std::size_t number) {
    return index.terms.empty() && index.number == static_cast<std::int64_t>(number);
  };
  for (std::size_t k = 0; k < found->size(); ++k) {
    const ScalarPlace& one = (*found)[k];
    if (one.kind != first.kind || !(one.path == first.path)) return std::nullopt;
    if (!is_next(is_across ? one.vector : one.component, k)) return std::nullopt;
    if (!((is_across ? one.component : one.vector) == (is_across ? first.component : first.vector))) return std::nullopt;
  }
  made.path = first.path;
  made.is_rows = (first.kind == ScalarPlace::Kind::rows) != is_across;
  made.number = static_cast<unsigned>((is_across ? first.component : first.vector).number);
  made.across = is_across ? first.vectors : first.width;
  made.count = is_across ? first.width : first.vectors;
  return made;
}

bool FunctionWriter::are_equal(Ids a, Ids b) const {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Id both[] = {a[k], b[k]};
    if (!are_same(both)) return false;
  }
  return true;
}

Expression FunctionWriter::product_of(const MatrixVector& matrix, unsigned vectors, unsigned components, const Expression& vector,
                                      bool is_sum) {
  // of vectors in memory that are summed the vector goes along them; of dot products across
  const unsigned rows = matrix.is_rows ? matrix.count : matrix.across, columns = matrix.is_rows ? matrix.across : matrix.count;
  const unsigned used_rows = matrix.is_rows ? vectors : components, used_columns = matrix.is_rows ? components : vectors;
  const bool is_first = matrix.is_rows == is_sum;
  return target_.matrix_product(path_text(matrix.prefix, matrix.path), {rows, columns}, {used_rows, used_columns}, vector, is_first);
}

// dot(v, m0), dot(v, m1), ... of all rows or columns.
std::optional<Expression> FunctionWriter::product_of_dots(Ids ids) {
  if (ids.size() < 2 || writer_.module.modes.fused_mad) return std::nullopt;
  std::optional<MatrixVector> first;
  std::vector<Id> vector;
  std::size_t length = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const ir::VectorDot* const dot = plan_.vectors().dot_of(ids[k]);
    if (dot == nullptr || !plan_.is_whole(*dot)) return std::nullopt;
    if (f_.insts[dot->steps[0]].op != Op::fmul || f_.insts[ids[k]].type != Type::f32) return std::nullopt;
    const std::size_t count = dot->count;
    const Ids a = dot->first(), b = dot->second();
    auto row = matrix_vector(b);
    Ids other = a;
    if (!row) row = matrix_vector(a), other = b;
    if (!row || row->number != k) return std::nullopt;
    if (k == 0) {
      first = row;
      vector.assign(other.begin(), other.end());
      length = count;
      continue;
    }
    if (count != length || row->is_rows != first->is_rows || !(row->path == first->path) || row->prefix != first->prefix)
      return std::nullopt;
    if (!are_equal(vector, other)) return std::nullopt;
  }
  const Expression value = full(vector, Base::float_);
  return product_of(*first, static_cast<unsigned>(ids.size()), static_cast<unsigned>(length), value, false);
}

// m0 * v.x, written where it is used.
std::optional<FunctionWriter::MatrixVector> FunctionWriter::scaled_vector(Ids ids, Id& factor) {
  for (const Id id : ids) {
    if (f_.insts[id].op != Op::fmul || f_.insts[id].type != Type::f32) return std::nullopt;
    if (plan_.writings().of[id] != Writing::inside || plan_.place(id).variable != kNone) return std::nullopt;
  }
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const std::vector<Id> other = plan_.operands_at(ids, 1 - side);
    auto made = matrix_vector(plan_.operands_at(ids, side));
    if (!made || !are_same(other)) continue;
    factor = other[0];
    return made;
  }
  return std::nullopt;
}

bool FunctionWriter::is_product(Ids ids) {
  const std::size_t before = mentions_.size();
  const bool is_one = product_of_dots(ids).has_value();
  mentions_.resize(before);
  return is_one;
}

// m0 * v.x + m1 * v.y + ..., in this order, as multiplications and additions of one instruction or of two; the last may be m3 alone.
std::optional<Expression> FunctionWriter::product_of_sum(Ids ids) {
  if (ids.size() < 2 || writer_.module.modes.fused_mad || f_.insts[ids[0]].type != Type::f32) return std::nullopt;
  struct Part {
    MatrixVector row;
    Id factor = kNone;  ///< kNone: 1
  };
  std::vector<Part> parts;  // from the last
  std::vector<Id> at(ids.begin(), ids.end());
  for (bool is_outer = true;; is_outer = false) {
    const Op op = f_.insts[at[0]].op;
    for (const Id id : at) {
      if (f_.insts[id].op != op || f_.insts[id].type != Type::f32) return std::nullopt;
      if (!is_outer && (plan_.writings().of[id] != Writing::inside || plan_.place(id).variable != kNone)) return std::nullopt;
    }
    if (op != Op::fmad && op != Op::fmul && op != Op::fadd) return std::nullopt;
    std::optional<MatrixVector> row;
    Id factor = kNone;
    std::vector<Id> rest;
    if (op == Op::fadd && !writer_.is_exact()) {
      for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        Id other = kNone;
        const auto found = scaled_vector(plan_.operands_at(at, side), other);
        // of two such the one that comes later
        if (!found || found->number == 0 || (row && row->number > found->number)) continue;
        row = found;
        factor = other;
        rest = plan_.operands_at(at, 1 - side);
      }
    }
    if (op == Op::fadd && !row && !is_outer) return std::nullopt;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      if (row) break;
      const std::vector<Id> one = plan_.operands_at(at, side), other = plan_.operands_at(at, 1 - side);
      row = matrix_vector(one);
      if (!row) continue;
      if (op == Op::fadd) {
        rest = other;
      } else {
        if (!are_same(other)) return std::nullopt;
        factor = other[0];
      }
      break;
    }
    if (!row) return std::nullopt;
    if (!parts.empty()) {
      const MatrixVector& last = parts.back().row;
      if (last.is_rows != row->is_rows || !(last.path == row->path) || last.prefix != row->prefix) return std::nullopt;
    }
    parts.push_back({*row, factor});
    if (op == Op::fmad) rest = plan_.operands_at(at, 2);
    if (op == Op::fmul) break;
    at = rest;
    if (parts.size() > 4) return std::nullopt;
  }
  if (parts.size() < 2) return std::nullopt;
  std::ranges::reverse(parts);
  // the sum of the first two is the same the other way round, which is the way that fxc takes
  if (parts[0].row.number == 1 && parts[1].row.number == 0 && parts[1].factor != kNone && !writer_.is_exact())
    std::swap(parts[0], parts[1]);
  std::vector<Id> vector;
  for (const Part& part : parts) {
    if (part.row.number != vector.size()) return std::nullopt;
    vector.push_back(part.factor);
  }
  const MatrixVector& first = parts[0].row;
  Expression value;
  if (vector.back() == kNone) {
    const Ids known = std::span(vector).first(vector.size() - 1);
    const Expression part = full(known, Base::float_);
    value.type = {Base::float_, static_cast<std::uint8_t>(vector.size())};
    value.text = target_.type_name(value.type) + '(' + part.text + ", 1.0)";
  } else {
    value = full(vector, Base::float_);
  }
  return product_of(first, static_cast<unsigned>(vector.size()), static_cast<unsigned>(ids.size()), value, true);
}

}  // namespace unshade::write::source
