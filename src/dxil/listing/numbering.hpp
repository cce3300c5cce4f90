// The numbers that a listing gives to unnamed things: types, metadata, attribute sets, values of a function.
//
// LLVM numbers things in the order in which its printer comes by them, so that the order of these walks is part of the text.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::listing {

/// Kinds of attachments that LLVM 3.7 numbers before a module can. src: LLVMContext.cpp
inline constexpr std::string_view kFixedMetadataKinds[] = {"dbg",
                                                           "tbaa",
                                                           "prof",
                                                           "fpmath",
                                                           "range",
                                                           "tbaa.struct",
                                                           "invariant.load",
                                                           "alias.scope",
                                                           "noalias",
                                                           "nontemporal",
                                                           "llvm.mem.parallel_loop_access",
                                                           "nonnull",
                                                           "dereferenceable",
                                                           "dereferenceable_or_null"};

/// The structs that a module uses, in the order in which they print. src: LLVM 3.7 TypeFinder.cpp
struct StructOrder {
  std::vector<std::uint32_t> numbered;  ///< type ids of those without a name
  std::vector<std::uint32_t> named;
  std::vector<std::uint32_t> number_of;  ///< by type id: its number, or kNone
};
StructOrder find_structs(const Module& module);

/// Operands of a metadata node that may be nodes or values, as `id + 1` or 0, in the order in which LLVM keeps them in memory: neither
/// that of the record nor that of the text. src: LLVM 3.7 DebugInfoMetadata.cpp
class NodeOperands {
 public:
  NodeOperands(const Module& module, const Metadata& node);

  std::uint32_t size() const { return size_; }
  /// A metadata id, or kNone for null.
  std::uint32_t operator[](std::uint32_t i) const;

 private:
  std::span<const std::uint64_t> record_;
  std::span<const std::uint8_t> order_;  ///< positions in the record
  bool is_ordered_ = false;              ///< else all of the record are
  bool is_location_ = false;
  std::uint32_t size_ = 0;
};

/// What follows a metadata number.
struct NumberedNode {
  std::uint32_t body = kNone;      ///< in Module::bodies, if the node is a function's own
  std::uint32_t id = kNone;        ///< metadata id; kNone: a location
  std::uint32_t location = kNone;  ///< in Module::locations
};

/// Numbers of metadata nodes, given as nodes are met.
class MetadataSlots {
 public:
  explicit MetadataSlots(const Module& module);

  /// Numbers what named metadata leads to.
  void add_named();
  /// Numbers all that a function refers to.
  void add_function(std::uint32_t body);

  /// kNone for a node without a number.
  std::uint32_t slot_of(const Body* body, std::uint32_t id) const;
  std::uint32_t slot_of_location(std::uint32_t location) const { return location_slots_[location]; }
  /// By number.
  const std::vector<NumberedNode>& nodes() const { return nodes_; }
  /// The attachments of the next instruction, in the order in which they print. `cursor` moves through the attachments of the body.
  std::span<const Attachment> attachments_of(const Body& body, std::uint32_t instruction, std::uint32_t& cursor) {
    if (cursor == body.attachments.end() || module_.attachments[cursor].instruction != instruction) return {};
    return sorted_attachments(body, instruction, cursor);
  }

 private:
  struct LocationKey {
    std::uint32_t line = 0, column = 0, scope = kNone, inlined_at = kNone;
    bool operator==(const LocationKey&) const = default;
  };
  struct LocationEntry {
    LocationKey key;
    std::uint32_t slot = kNone;
  };

  std::span<const Attachment> sorted_attachments(const Body& body, std::uint32_t instruction, std::uint32_t& cursor);
  void add_node(std::uint32_t body, std::uint32_t id);
  void add_location(std::uint32_t body, std::uint32_t location);
  /// Numbers all that is pending, and all that it refers to.
  void drain(std::uint32_t body);
  std::uint32_t take(const NumberedNode& node);
  std::uint32_t& slot(const Body* body, std::uint32_t id);
  /// The number of a location, kNone if it has none yet.
  std::uint32_t& slot(const LocationKey& key);
  void grow_table();
  bool is_intrinsic(const Instruction& call) const;

  const Module& module_;
  std::vector<std::uint32_t> slots_;           ///< by metadata id
  std::vector<std::uint32_t> local_slots_;     ///< by position in Module::local_metadata
  std::vector<std::uint32_t> location_slots_;  ///< by position in Module::locations
  std::vector<LocationEntry> table_;           ///< hashed; a power of two, half full at most
  std::size_t table_used_ = 0;
  std::vector<NumberedNode> nodes_;
  std::vector<std::uint32_t> pending_;
  std::vector<std::uint32_t> kind_rank_;  ///< by position in Module::metadata_kinds
  std::vector<Attachment> sorted_;
  std::vector<bool> intrinsic_;  ///< by position in Module::functions
  bool has_intrinsics_ = false;
};

/// Numbers of attribute sets of functions: equal sets share one.
class AttributeSlots {
 public:
  explicit AttributeSlots(const Module& module);
  AttributeSlots(const AttributeSlots&) = delete;
  AttributeSlots& operator=(const AttributeSlots&) = delete;

  /// The group of a list that belongs to `slot` (AttributeGroup::kReturn, a parameter, kFunction), or null if there is none or it is
  /// empty.
  const AttributeGroup* group(std::uint32_t list, std::uint32_t slot) const;
  /// The attributes of a group in the order in which they print.
  std::span<const Attribute> sorted(const AttributeGroup& group) const;
  /// Whether a list has attributes of the return value or of parameters.
  bool has_more_than_function(std::uint32_t list) const { return list != kNone && more_than_function_[list]; }
  /// Numbers the function attributes of a list, if it has any.
  void add(std::uint32_t list);
  /// The number of the function attributes of a list, or kNone.
  std::uint32_t slot_of(std::uint32_t list) const { return list == kNone ? kNone : slots_[list]; }
  /// Groups by number.
  const std::vector<const AttributeGroup*>& groups() const { return groups_; }

 private:
  /// Orders groups by what they hold.
  struct Before {
    const AttributeSlots* slots;
    bool operator()(const AttributeGroup* a, const AttributeGroup* b) const;
  };

  const Module& module_;
  std::vector<Attribute> attributes_;       ///< of all groups, sorted, each once
  std::vector<Range> ranges_;               ///< by group
  std::vector<std::uint32_t> list_groups_;  ///< as in the module, those of a list sorted by their slots
  std::vector<bool> more_than_function_;    ///< by list
  std::vector<std::uint32_t> slots_;        ///< by list
  std::map<const AttributeGroup*, std::uint32_t, Before> known_;
  std::vector<const AttributeGroup*> groups_;
};

}  // namespace unshade::dxil::listing
