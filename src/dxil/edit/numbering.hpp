// Numbers of the types, values and metadata of an edited module, as LLVM 3.7 gives them. src: DXC ValueEnumerator.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/dxil/edit.hpp>

#include "dxil/module/type_table.hpp"

namespace unshade::dxil::edit {

/// Borrows the edit.
class Numbering {
 public:
  using Handle = ModuleEdit::Handle;
  using RefKind = ModuleEdit::RefKind;
  using Record = ModuleEdit::Record;

  /// Numbers what the module has beside functions.
  Numbering(const ModuleEdit& edit, bool prunes_types);
  Numbering(const Numbering&) = delete;
  Numbering& operator=(const Numbering&) = delete;

  /// Null where types keep their numbers.
  const module::TypeOrder* types() const { return types_ ? &*types_ : nullptr; }
  /// Whether a type was asked for that was not numbered: a layout that is not known to the end.
  bool lacks_types() const { return lacks_types_; }
  /// Handles of the module's constants.
  const std::vector<Handle>& constants() const { return module_order_; }
  /// Globals and constants of the module.
  std::uint32_t module_values() const { return module_values_; }
  /// Old ids of metadata that is written.
  const std::vector<std::uint32_t>& metadata() const { return metadata_order_; }

  bool is_removed(std::uint32_t global) const { return global < e_.globals_removed_.size() && e_.globals_removed_[global]; }
  /// The new number of a type.
  std::uint64_t type_id(std::uint64_t type);
  bool is_value(std::uint64_t handle) const { return handle < ids_.size(); }
  /// kNone where it is not in the module, nor in the function at hand.
  std::uint32_t value_id(std::uint64_t handle) const {
    if ((handle & ModuleEdit::kLocal) != 0) return local_ids_[handle & ~std::uint64_t{ModuleEdit::kLocal}];
    return ids_[static_cast<std::size_t>(handle)];
  }
  /// The new id of metadata, as functions refer to it.
  std::uint64_t metadata_id(std::uint64_t id) const;
  std::uint64_t node_id(std::uint64_t id) const { return metadata_ids_[canonical_[id]]; }

  /// Numbers what a function has of its own: handles of its constants. Parameters come first, then these, then instructions.
  std::vector<Handle> enter_function(std::uint32_t index);
  void leave_function();
  std::uint64_t own_metadata_end() const { return own_metadata_end_; }

  /// Calls `visit(kind, operand)` with each operand of a record that is a value or metadata.
  template <class Visit>
  void for_refs(const Record& record, Visit&& visit) const {
    for (std::uint32_t i = record.refs.first; i < record.refs.end(); ++i)
      visit(e_.refs_[i].kind, e_.pool_[record.operands.first + e_.refs_[i].position]);
  }

 private:
  void number_module();
  /// What a function refers to, in the order of its instructions.
  void number_metadata_of(std::uint32_t index);
  void number_global(std::uint32_t id) {
    if (id < e_.module_metadata_) number(id);
  }
  void use(std::uint32_t handle);
  void add_type(std::uint32_t type) {
    if (types_) types_->add(type);
  }
  void add_type_of_kind(TypeKind kind);
  void add_operand_types(std::uint32_t body, const Record& record, const Instruction& instruction);
  /// Of a constant and what it consists of. Once met, it has been seen to.
  void add_constant_types(std::uint32_t handle);
  bool is_integer(Handle handle) const;
  void sort(std::vector<Handle>& order);
  void number(std::uint32_t root);
  /// The node as it will be written but for ids: two nodes with the same key are one.
  std::string key_of(const Metadata& node) const;
  void finish(std::uint32_t id);
  void use_operands(const Record& record);
  /// In the order that operands have in memory.
  template <class Visit>
  void for_operands(const Record& record, Visit&& visit) const;

  const ModuleEdit& e_;
  const Module& m_;
  std::optional<module::TypeOrder> types_;  ///< where types are numbered anew
  std::vector<bool> has_types_;             ///< by handle: constants whose types were met in code
  bool lacks_types_ = false;

  std::vector<std::uint32_t> counts_;  ///< by handle
  std::vector<std::uint32_t> ids_;     ///< by handle; kNone: not in the module, nor in the function at hand
  std::vector<Handle>* constants_ = nullptr;
  bool in_function_ = false;
  std::vector<Handle> module_order_;
  std::uint32_t module_values_ = 0;
  std::vector<std::uint32_t> canonical_;     ///< by metadata id
  std::vector<std::uint32_t> metadata_ids_;  ///< of canonical ones
  std::vector<std::uint32_t> metadata_order_;
  std::unordered_map<std::string, std::uint32_t> tuples_;

  // of the function at hand
  std::uint64_t own_metadata_end_ = 0;
  std::vector<std::uint32_t> local_ids_;
  std::vector<Handle> own_constants_, counted_;
};

}  // namespace unshade::dxil::edit
