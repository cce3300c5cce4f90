// Calls of operations of linear algebra, whose matrices are described by the module's list `dx.targetTypes`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/program/handles.hpp>

#include "dxil/validate/module.hpp"

namespace unshade::dxil::validate {

/// What `dx.targetTypes` says of a type. Values of enumerations may be unknown ones.
struct MatrixType {
  ComponentType component = ComponentType::invalid;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  MatrixUse use = MatrixUse::a;
  MatrixScope scope = MatrixScope::thread;
};

/// By the id of a type; the first that is said counts, and what is no description is left out.
std::unordered_map<std::uint32_t, MatrixType> read_matrix_types(const Module& module);

class MatrixOperationChecker {
 public:
  explicit MatrixOperationChecker(const ModuleCheck& check);

  static bool is_one(const OperationInfo& info) { return info.function.starts_with("linAlg"); }

  /// A call of such an operation with all of its operands; `at` is the call, in Module::instructions.
  void check(std::uint32_t at, const Call& call);

 private:
  void add(const Rule& rule, std::string_view what) const;
  bool is_matrix(std::uint32_t type) const;
  const MatrixType* matrix(std::uint32_t type) const;
  const MatrixType* matrix(Parameter parameter) const { return matrix(call_->type_of(parameter)); }
  const MatrixType* result() const { return matrix(call_->instruction().type); }
  std::optional<std::uint64_t> constant(std::string_view name);

  void check_matrices();
  void check_matrix(std::uint32_t type, std::string_view name);
  void check_component(ComponentType type, std::string_view name) const;
  void check_demands();
  void check_memory();
  void check_align();
  void check_vectors();
  void check_product();
  void check_sum();
  void check_copy();

  const ModuleCheck& c_;
  HandleFinder handles_;
  std::unordered_map<std::uint32_t, MatrixType> matrices_;
  const Call* call_ = nullptr;
  std::uint32_t at_ = 0;
};

}  // namespace unshade::dxil::validate
