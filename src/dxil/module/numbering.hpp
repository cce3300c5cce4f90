// Numbers of the types, values, metadata and attributes of a module, as LLVM 3.7 gives them. src: DXC ValueEnumerator.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <unshade/dxil/module.hpp>

#include "dxil/module/type_table.hpp"

namespace unshade::dxil::module {

/// What a module consists of, in the order in which LLVM meets it. Borrows the module.
struct Enumerated {
  /// A value: below `globals` the id of a global, function or alias, from there on a constant.
  using Handle = std::uint32_t;
  struct Constant {
    std::uint32_t type = 0;
    Range operands{};  ///< in `operands`
  };
  /// What an instruction refers to: a global or constant, the type of anything else, or metadata of the module.
  struct Reference {
    enum class Kind : std::uint8_t { value, type, metadata } kind = Kind::value;
    std::uint32_t id = 0;
  };

  const Module& module;
  std::size_t types = 0;  ///< how many of the module's types there are to number
  std::uint32_t globals = 0;
  std::vector<Constant> constants{};
  std::vector<Handle> operands{};
  std::vector<std::vector<Reference>> bodies{};
  std::vector<bool> removed{};        ///< by global; empty: none
  std::vector<bool> named_removed{};  ///< by named metadata; empty: none
  bool keeps_uses = false;            ///< constants stand in the order of their first use

  /// The type of that kind without parts; kNone if there is none.
  std::uint32_t plain_type(TypeKind kind) const;
  /// What hangs on an instruction of a body, or on its function for kNone. `next`: the first attachment to look at, and then to look at
  /// next.
  void add_attachments(const Body& body, std::uint32_t instruction, std::uint32_t& next);
  /// The type of labels if an instruction has blocks as operands.
  void add_label(const Instruction& instruction);
  /// To the last of `bodies`.
  void add(Reference::Kind kind, std::uint32_t id) {
    if (id != kNone) bodies.back().push_back({kind, id});
  }
};
/// Of a module whose functions have no constants of their own.
Enumerated enumerate(const Module& module);

class Numbering {
 public:
  using Handle = Enumerated::Handle;

  /// Numbers what the module has beside functions. Types keep their numbers or get new ones.
  Numbering(Enumerated of, bool numbers_types);
  Numbering(const Numbering&) = delete;
  Numbering& operator=(const Numbering&) = delete;

  /// Null if types keep their numbers.
  const TypeOrder* types() const { return types_ ? &*types_ : nullptr; }
  /// Whether a type was asked for that was not numbered: a layout that is not known to the end.
  bool lacks_types() const { return lacks_types_; }
  /// Handles of the module's constants.
  const std::vector<Handle>& constants() const { return module_order_; }
  /// Globals and constants of the module.
  std::uint32_t module_values() const { return module_values_; }
  /// Old ids of metadata that is written.
  const std::vector<std::uint32_t>& metadata() const { return metadata_order_; }

  bool is_removed(std::uint32_t global) const { return global < of_.removed.size() && of_.removed[global]; }
  /// The new number of a type.
  std::uint64_t type_id(std::uint64_t type);
  bool is_value(std::uint64_t handle) const { return handle < ids_.size(); }
  /// kNone if it is not in the module, nor in the function at hand.
  std::uint32_t value_id(std::uint64_t handle) const { return ids_[static_cast<std::size_t>(handle)]; }
  /// The new id of metadata; the old one if nothing refers to it.
  std::uint64_t node_id(std::uint64_t id) const {
    return id < canonical_.size() && canonical_[id] < metadata_ids_.size() ? metadata_ids_[canonical_[id]] : id;
  }

  /// Numbers the constants that a function has of its own, which follow its parameters.
  const std::vector<Handle>& enter_function(std::uint32_t body);
  void leave_function();

 protected:
  using Kind = Enumerated::Reference::Kind;

 private:
  void use(Handle handle);
  void add_type(std::uint32_t type) {
    if (types_ && type != kNone) types_->add(type);
  }
  /// Of a constant and what it consists of. Once met, it has been seen to.
  void add_constant_types(Handle handle);
  const Enumerated::Constant& constant(Handle handle) const { return of_.constants[handle - of_.globals]; }
  std::span<const Handle> operands(const Enumerated::Constant& constant) const {
    return {of_.operands.data() + constant.operands.first, constant.operands.count};
  }
  bool is_integer(Handle handle) const;
  void sort(std::vector<Handle>& order);
  void number(std::uint32_t root);
  /// The node as it will be written but for ids: two nodes with the same key are one.
  std::string key_of(const Metadata& node) const;
  void finish(std::uint32_t id);

  const Enumerated of_;
  const Module& m_;
  std::optional<TypeOrder> types_;
  std::vector<bool> has_types_;  ///< by handle: constants whose types were met in code
  bool lacks_types_ = false;

  std::vector<std::uint32_t> counts_;  ///< by handle
  std::vector<std::uint32_t> ids_;     ///< by handle; kNone: not in the module, nor in the function at hand
  std::vector<Handle>* constants_ = nullptr;
  bool in_function_ = false;
  std::vector<Handle> module_order_, own_order_;
  std::uint32_t module_values_ = 0;
  std::vector<std::uint32_t> canonical_;     ///< by metadata id
  std::vector<std::uint32_t> metadata_ids_;  ///< of canonical ones
  std::vector<std::uint32_t> metadata_order_;
  std::unordered_map<std::string, std::uint32_t> tuples_;
};

/// `order[i]` is the i-th that is written, `ids` the place of each in that order or kNone if nothing refers to it.
struct WriteOrder {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> ids;

  explicit WriteOrder(std::size_t count) : ids(count, kNone) {}
  void add(std::uint32_t i) {
    if (ids[i] != kNone) return;
    ids[i] = static_cast<std::uint32_t>(order.size());
    order.push_back(i);
  }
};
struct AttributeOrder {
  explicit AttributeOrder(const Module& module);

  WriteOrder lists;
  WriteOrder groups;
};

}  // namespace unshade::dxil::module
