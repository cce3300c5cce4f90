// Numbers of the values and metadata of an edited module.
#pragma once

#include <cstdint>
#include <vector>

#include <unshade/dxil/edit.hpp>

#include "dxil/module/numbering.hpp"

namespace unshade::dxil::edit {

/// Borrows the edit.
class Numbering : public module::Numbering {
 public:
  using RefKind = ModuleEdit::RefKind;
  using Record = ModuleEdit::Record;

  Numbering(const ModuleEdit& edit, bool prunes_types);

  /// Of constants, and of what the function at hand has; kNone if it is not in the module, nor in the function.
  std::uint32_t value_id(std::uint64_t handle) const {
    if ((handle & ModuleEdit::kLocal) != 0) return local_ids_[handle & ~std::uint64_t{ModuleEdit::kLocal}];
    return module::Numbering::value_id(handle);
  }
  /// The new id of metadata, as functions refer to it.
  std::uint64_t metadata_id(std::uint64_t id) const {
    return id >= e_.module_metadata_ && id < own_metadata_end_ ? metadata().size() + (id - e_.module_metadata_) : node_id(id);
  }

  /// Numbers what a function has of its own: handles of its constants. Parameters come first, then these, then instructions.
  std::vector<Handle> enter_function(std::uint32_t index);
  std::uint64_t own_metadata_end() const { return own_metadata_end_; }

  /// Calls `visit(kind, operand)` with each operand of a record that is a value or metadata, in their order in memory.
  template <class Visit>
  static void for_refs(const ModuleEdit& edit, const Record& record, Visit&& visit) {
    for (std::uint32_t i = record.refs.first; i < record.refs.end(); ++i)
      visit(edit.refs_[i].kind, edit.pool_[record.operands.first + edit.refs_[i].position]);
  }
  /// Calls `visit` with each record of a body, those that were inserted before the one that they stand before.
  template <class Visit>
  static void for_records(const ModuleEdit::Body& body, Visit&& visit) {
    std::size_t inserted = 0;
    for (std::uint32_t i = 0; i < body.records.size(); ++i) {
      for (; inserted < body.inserted.size() && body.inserted[inserted].before == i; ++inserted)
        visit(body.inserted[inserted].record, kNone);
      visit(body.records[i], i);
    }
  }

 private:
  static module::Enumerated enumerate(const ModuleEdit& edit);
  static void add_record(module::Enumerated& all, const ModuleEdit& edit, std::uint32_t body, const Record& record);

  const ModuleEdit& e_;
  // of the function at hand
  std::uint64_t own_metadata_end_ = 0;
  std::vector<std::uint32_t> local_ids_;
};

}  // namespace unshade::dxil::edit
