// src: DXC lib/DxilValidation/DxilValidation.cpp, the functions ValidateLinAlg…; limits: DxilConstants.h, kLinAlg…
#include "dxil/validate/code/matrices.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "dxil/module/metadata_tuple.hpp"
#include "dxil/validate/code/resource_operations.hpp"

namespace unshade::dxil::validate {

namespace {

constexpr std::string_view kMatrixPrefix = "dx.types.LinAlgMatrix";
/// The result of an operation if its row names an operand.
constexpr std::string_view kResult = "result";

// Sets of enumerators, a bit each.
constexpr std::uint8_t kA = 1, kB = 2, kAccumulator = 4;
constexpr std::uint8_t kThread = 1, kWave = 2, kGroup = 4, kShared = kWave | kGroup;
constexpr std::uint8_t kAny = 0xff;

/// The requirements of an operation on its matrices.
struct Demand {
  Operation operation;
  std::string_view operand;
  std::uint8_t uses;
  std::uint8_t scopes;
};
constexpr Demand kDemands[] = {
    {Operation::lin_alg_matrix_multiply_accumulate, "matrixA", kA, kShared},
    {Operation::lin_alg_matrix_multiply_accumulate, "matrixB", kB, kShared},
    {Operation::lin_alg_matrix_multiply_accumulate, "matrixC", kAccumulator, kShared},
    {Operation::lin_alg_matrix_multiply_accumulate, kResult, kAccumulator, kShared},
    {Operation::lin_alg_fill_matrix, kResult, kAny, kShared},
    {Operation::lin_alg_copy_convert_matrix, kResult, kAny, kShared},
    {Operation::lin_alg_copy_convert_matrix, "srcMatrix", kAny, kShared},
    {Operation::lin_alg_matrix_length, "matrix", kAny, kShared},
    {Operation::lin_alg_matrix_get_coordinate, "matrix", kAny, kShared},
    {Operation::lin_alg_matrix_get_element, "matrix", kAny, kShared},
    {Operation::lin_alg_matrix_set_element, kResult, kAny, kShared},
    {Operation::lin_alg_matrix_set_element, "matrix", kAny, kShared},
    {Operation::lin_alg_matrix_store_to_descriptor, "matrix", kAny, kShared},
    {Operation::lin_alg_matrix_multiply, "matrixA", kA, kShared},
    {Operation::lin_alg_matrix_multiply, "matrixB", kB, kShared},
    {Operation::lin_alg_matrix_multiply, kResult, kAccumulator, kShared},
    {Operation::lin_alg_matrix_accumulate, kResult, kAccumulator, kShared},
    {Operation::lin_alg_matrix_accumulate, "matrixRHS", kA | kB, kShared},
    {Operation::lin_alg_mat_vec_mul, "matrix", kA, kThread},
    {Operation::lin_alg_mat_vec_mul_add, "matrix", kA, kThread},
    {Operation::lin_alg_matrix_accumulate_to_descriptor, "matrix", kAccumulator, kAny},
};

// The dimension that a product runs over. A group shares longer ones.
constexpr std::uint32_t kLeastInner = 4, kMostInner = 128, kLeastInnerOfGroup = 1, kMostInnerOfGroup = 1024;
constexpr std::uint64_t kAlignment = 128;

template <class E>
bool holds(std::uint8_t set, E value) {
  const auto number = static_cast<std::uint32_t>(value);
  return set == kAny || (number < 3 && (set >> number & 1) != 0);
}

bool is_plain(std::uint64_t layout) {
  return layout == static_cast<std::uint64_t>(MatrixLayout::row_major) || layout == static_cast<std::uint64_t>(MatrixLayout::column_major);
}

bool is_for_outer_products(std::uint64_t layout) {
  return layout == static_cast<std::uint64_t>(MatrixLayout::outer_product_optimal) ||
         layout == static_cast<std::uint64_t>(MatrixLayout::outer_product_optimal_transpose);
}

std::string size_of(const MatrixType& m) { return std::to_string(m.rows) + 'x' + std::to_string(m.columns); }

template <class E>
std::string name_of(E value) {
  const std::string_view known = id(value);
  return known.empty() ? std::to_string(static_cast<std::uint32_t>(value)) : std::string(known);
}

/// How many components an element of a vector holds. 8 bits and bfloat16 have no type of their own in LLVM.
std::uint64_t packed_into_one(ComponentType type) {
  switch (type) {
    case ComponentType::i16:
    case ComponentType::i32:
    case ComponentType::i64:
    case ComponentType::u16:
    case ComponentType::u32:
    case ComponentType::u64:
    case ComponentType::f16:
    case ComponentType::f32:
    case ComponentType::f64: return 1;
    case ComponentType::bfloat16: return 2;
    default: return 4;
  }
}

}  // namespace

std::unordered_map<std::uint32_t, MatrixType> read_matrix_types(const Module& module) {
  constexpr std::size_t kFields = 6;
  std::unordered_map<std::uint32_t, MatrixType> found;
  module::for_each_tuple(module, "dx.targetTypes", [&](const module::MetadataTuple& tuple) {
    const std::uint32_t value = tuple.value(0);
    if (tuple.size() != kFields || value >= module.values.size()) return;
    std::uint32_t numbers[kFields] = {};
    for (std::size_t k = 1; k < kFields; ++k) {
      const auto number = tuple.integer(k);
      if (!number) return;
      numbers[k] = static_cast<std::uint32_t>(std::min<std::uint64_t>(*number, std::numeric_limits<std::uint32_t>::max()));
    }
    found.emplace(module.values[value].type, MatrixType{static_cast<ComponentType>(numbers[1]), numbers[2], numbers[3],
                                                        static_cast<MatrixUse>(numbers[4]), static_cast<MatrixScope>(numbers[5])});
  });
  return found;
}

MatrixOperationChecker::MatrixOperationChecker(const ModuleCheck& check)
    : c_(check), handles_(check), matrices_(read_matrix_types(check.module)) {}

void MatrixOperationChecker::add(const Rule& rule, std::string_view what) const {
  c_.add(rule, call_->body(), at_, std::string(call_->row().text) + ": " + std::string(what));
}

bool MatrixOperationChecker::is_matrix(std::uint32_t type) const {
  return c_.is(type, TypeKind::structure) && c_.name_of(c_.type(type)).starts_with(kMatrixPrefix);
}

const MatrixType* MatrixOperationChecker::matrix(std::uint32_t type) const {
  const auto found = matrices_.find(type);
  return found == matrices_.end() ? nullptr : &found->second;
}

/// A parameter that has to be a constant; nothing if it is none, which is noted.
std::optional<std::uint64_t> MatrixOperationChecker::constant(std::string_view name) {
  const auto value = call_->constant(Parameter::named(name));
  if (!value) add(rules::kInstrOpConst, std::string(name) + " is not a constant");
  return value;
}

void MatrixOperationChecker::check(std::uint32_t at, const Call& call) {
  at_ = at;
  call_ = &call;
  check_matrices();
  check_demands();
  using enum Operation;
  switch (call.operation()) {
    case lin_alg_matrix_load_from_descriptor:
    case lin_alg_matrix_store_to_descriptor:
    case lin_alg_matrix_accumulate_to_descriptor: check_memory(); break;
    case lin_alg_mat_vec_mul:
    case lin_alg_mat_vec_mul_add: check_vectors(); break;
    case lin_alg_matrix_multiply:
    case lin_alg_matrix_multiply_accumulate: check_product(); break;
    case lin_alg_matrix_accumulate: check_sum(); break;
    case lin_alg_copy_convert_matrix: check_copy(); break;
    default: break;
  }
}

void MatrixOperationChecker::check_matrices() {
  if (is_matrix(call_->instruction().type)) check_matrix(call_->instruction().type, kResult);
  for (std::size_t k = 0; k < call_->size(); ++k) {
    const std::uint32_t id = call_->argument(k);
    if ((id & kMetadataOperand) != 0) continue;
    const std::string name = "parameter " + std::to_string(k);
    if (call_->is_undefined(k)) add(rules::kInstrNoReadingUninitialized, name + " is undefined");
    if (const std::uint32_t type = call_->type_of(k); is_matrix(type)) check_matrix(type, name);
  }
}

void MatrixOperationChecker::check_matrix(std::uint32_t type, std::string_view name) {
  const MatrixType* const m = matrix(type);
  if (m == nullptr) return add(rules::kInstrLinAlgMetadataMissing, std::string(name) + " of " + c_.text_of(type));
  check_component(m->component, name);
  if (m->use == MatrixUse::accumulator) return;
  const std::uint32_t inner = m->use == MatrixUse::a ? m->columns : m->rows;
  const bool of_group = m->scope == MatrixScope::thread_group;
  if (inner < (of_group ? kLeastInnerOfGroup : kLeastInner) || inner > (of_group ? kMostInnerOfGroup : kMostInner))
    add(rules::kInstrLinAlgIllegalKDim, std::string(name) + " is " + size_of(*m) + " of use " + name_of(m->use));
}

void MatrixOperationChecker::check_component(ComponentType type, std::string_view name) const {
  switch (type) {
    case ComponentType::i8:
    case ComponentType::i16:
    case ComponentType::i32:
    case ComponentType::i64:
    case ComponentType::u8:
    case ComponentType::u16:
    case ComponentType::u32:
    case ComponentType::u64:
    case ComponentType::f8_e4m3fn:
    case ComponentType::f8_e5m2:
    case ComponentType::f16:
    case ComponentType::f32:
    case ComponentType::f64:
    case ComponentType::bfloat16: break;
    default: add(rules::kInstrLinAlgIllegalComponentType, std::string(name) + " of " + name_of(type)); break;
  }
}

void MatrixOperationChecker::check_demands() {
  for (const Demand& d : kDemands) {
    if (d.operation != call_->operation()) continue;
    const MatrixType* const m = d.operand == kResult ? result() : matrix(Parameter::named(d.operand));
    if (m == nullptr) continue;
    if (!holds(d.uses, m->use))
      add(std::has_single_bit(d.uses) ? rules::kInstrLinAlgMatrixUseMismatch : rules::kInstrLinAlgMatrixUseMismatch2,
          std::string(d.operand) + " is of use " + name_of(m->use));
    if (!holds(d.scopes, m->scope))
      add(std::has_single_bit(d.scopes) ? rules::kInstrLinAlgMatrixScopeMismatch : rules::kInstrLinAlgMatrixScopeMismatch2,
          std::string(d.operand) + " is of scope " + name_of(m->scope));
  }
}

// Loads from buffers, stores and additions to them.
void MatrixOperationChecker::check_memory() {
  const auto code = call_->operation();
  const bool loads = code == Operation::lin_alg_matrix_load_from_descriptor;
  const bool stores = code == Operation::lin_alg_matrix_store_to_descriptor;
  const MatrixType* const m = loads ? result() : matrix("matrix");
  if (m == nullptr) return;
  const auto layout = constant("layout");
  if (!layout) return;
  const std::string text = "layout " + name_of(static_cast<MatrixLayout>(*layout));
  if (stores) {
    if (!is_plain(*layout)) add(rules::kInstrLinAlgMatrixRequiresLayout2, text);
  } else {
    const bool shared = holds(kShared, m->scope);
    const bool wrong = shared ? !is_plain(*layout) : !loads && m->scope == MatrixScope::thread && !is_for_outer_products(*layout);
    if (wrong) add(rules::kInstrLinAlgMatrixScopeReqLayout2, text + " in scope " + name_of(m->scope));
    if (!is_plain(*layout))
      if (const auto stride = constant("stride"); stride && *stride != 0)
        add(rules::kInstrLinAlgMatrixLayoutReqStride, text + " with a stride of " + std::to_string(*stride));
  }
  check_align();
  if (loads && m->scope != MatrixScope::thread) return;
  const auto view = handles_.find(call_->body(), call_->argument("handle"));
  if (!view) return;
  const bool fits = view->kind == ResourceKind::raw_buffer && view->resource_class == (loads ? ResourceClass::srv : ResourceClass::uav);
  if (!fits)
    add(loads ? rules::kInstrLinAlgMatrixLoadThreadRequiresBab : rules::kInstrLinAlgMatrixRequiresRwbab,
        "of " + std::string(id(view->kind)) + " as " + std::string(id(view->resource_class)));
}

void MatrixOperationChecker::check_align() {
  const auto align = constant("align");
  if (!align) return;
  if (*align == 0) add(rules::kInstrParamMinimumValue, "align is 0");
  if (*align % kAlignment != 0) add(rules::kInstrParamMultiple, "align " + std::to_string(*align) + " is not a multiple of 128");
}

void MatrixOperationChecker::check_vectors() {
  const MatrixType* const m = matrix("matrix");
  if (m == nullptr) return;
  const bool adds = call_->operation() == Operation::lin_alg_mat_vec_mul_add;
  const auto length_of = [&](std::uint32_t type) { return c_.is(type, TypeKind::vector) ? c_.type(type).count : 1; };

  const auto number = constant(adds ? "inputInterpretation" : "interpretation");
  const auto interpretation = static_cast<ComponentType>(std::min<std::uint64_t>(number.value_or(0), 0xffff'ffff));
  if (number) check_component(interpretation, "the input");
  // The last element may be filled in part.
  const std::uint64_t packed = packed_into_one(interpretation);
  const std::uint64_t asked = (std::uint64_t{m->columns} + packed - 1) / packed, given = length_of(call_->type_of("inputVector"));
  if (given != asked)
    add(rules::kInstrLinAlgMatrixDimKvecKmismatch,
        "an input of " + std::to_string(given) + " elements; the matrix " + size_of(*m) + " requires " + std::to_string(asked));
  if (length_of(call_->instruction().type) != m->rows)
    add(rules::kInstrLinAlgMatrixDimVectorMismatch,
        "a result of " + std::to_string(length_of(call_->instruction().type)) + " elements from " + size_of(*m));
  const std::uint32_t element = c_.scalar_of(call_->instruction().type);
  if (const auto is_signed = constant("isOutputSigned"); is_signed && *is_signed != 1 && c_.is_real(element))
    add(rules::kInstrLinAlgMatrixUnsignedFloatTypeNotAllowed, c_.text_of(element) + " as unsigned");

  if (!adds) return;
  const std::uint32_t bias = call_->type_of("biasVector");
  if (length_of(bias) != m->rows)
    add(rules::kInstrLinAlgMatrixDimVectorMismatch, "a bias of " + std::to_string(length_of(bias)) + " elements for " + size_of(*m));
  if (c_.scalar_of(bias) != element)
    add(rules::kInstrLinAlgMatrixOutputBiasVecMismatch, "a bias of " + c_.text_of(c_.scalar_of(bias)) + " for " + c_.text_of(element));
}

void MatrixOperationChecker::check_product() {
  const bool adds = call_->operation() == Operation::lin_alg_matrix_multiply_accumulate;
  const MatrixType* const whole = result();
  const MatrixType* const a = matrix("matrixA");
  const MatrixType* const b = matrix("matrixB");
  const MatrixType* const c = adds ? matrix("matrixC") : whole;
  if (whole == nullptr || a == nullptr || b == nullptr || c == nullptr) return;
  if (a->scope != b->scope || b->scope != c->scope || c->scope != whole->scope)
    add(adds ? rules::kInstrLinAlgMatrixScopeMustMatch4 : rules::kInstrLinAlgMatrixScopeMustMatch3, "the scopes of the matrices differ");
  if (a->columns != b->rows) add(rules::kInstrLinAlgMatrixMatrixKdimMustMatch, "of " + size_of(*a) + " and " + size_of(*b));
  const auto is_product = [&](const MatrixType& m) { return m.rows == a->rows && m.columns == b->columns; };
  if (!is_product(*whole) || !is_product(*c))
    add(rules::kInstrLinAlgMatrixMatrixResDimMustMatch,
        "of " + size_of(*a) + " and " + size_of(*b) + " gives " + size_of(is_product(*whole) ? *c : *whole));
}

void MatrixOperationChecker::check_sum() {
  if (call_->instruction().type != call_->type_of("matrixLHS"))
    add(rules::kInstrLinAlgMatrixNotExactMatch, c_.text_of(call_->instruction().type) + " of " + c_.text_of(call_->type_of("matrixLHS")));
  const MatrixType* const whole = result();
  const MatrixType* const right = matrix("matrixRHS");
  if (whole == nullptr || right == nullptr || matrix("matrixLHS") == nullptr) return;
  if (whole->scope != right->scope)
    add(rules::kInstrLinAlgMatrix2PartsMustMatch, "scopes " + name_of(whole->scope) + " and " + name_of(right->scope));
  if (whole->rows != right->rows || whole->columns != right->columns)
    add(rules::kInstrLinAlgMatrix2PartsMustMatch, size_of(*right) + " to " + size_of(*whole));
}

void MatrixOperationChecker::check_copy() {
  const MatrixType* const to = result();
  const MatrixType* const from = matrix("srcMatrix");
  if (to == nullptr || from == nullptr) return;
  const bool turned = constant("transpose") == std::uint64_t{1};
  if (to->scope != from->scope)
    add(rules::kInstrLinAlgMatrix2PartsMustMatch, "scopes " + name_of(from->scope) + " and " + name_of(to->scope));
  if (to->rows != (turned ? from->columns : from->rows) || to->columns != (turned ? from->rows : from->columns))
    add(rules::kInstrLinAlgMatrix2PartsMustMatch, size_of(*from) + (turned ? " transposed" : "") + " to " + size_of(*to));
}

}  // namespace unshade::dxil::validate
