#include "dxil/listing/numbering.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include <unshade/dxil/query.hpp>

#include "dxil/module/attribute_order.hpp"
#include "dxil/module/record_operands.hpp"

namespace unshade::dxil::listing {

namespace {

/// A location's scope is the one operand whose record holds the id itself, not one above it.
constexpr std::uint8_t kLocationScope = 3;
/// Where the operands of a generic node begin.
constexpr std::size_t kGenericOperands = 3;

class StructFinder {
 public:
  explicit StructFinder(const Module& module)
      : module_(module),
        seen_type_(module.types.size()),
        seen_constant_(module.constants.size()),
        seen_node_(module.metadata.size()),
        seen_local_(module.local_metadata.size()) {}

  void run() {
    for (const Global& global : module_.globals) {
      type(module_.values[global.value].type);
      if (global.initializer != kNone) value(nullptr, global.initializer);
    }
    for (const Alias& alias : module_.aliases) {
      type(module_.values[alias.value].type);
      if (alias.aliasee != kNone) value(nullptr, alias.aliasee);
    }
    for (const Function& function : module_.functions) {
      type(module_.values[function.value].type);
      for (const std::uint32_t data : {function.prefix, function.prologue, function.personality})
        if (data != kNone) value(nullptr, data);
      if (function.body != kNone) body(module_.bodies[function.body]);
    }
    for (const NamedMetadata& named : module_.named_metadata)
      for (const std::uint64_t id : module_.metadata_operands_of(named.nodes)) node(nullptr, static_cast<std::uint32_t>(id));
  }

  const std::vector<std::uint32_t>& structs() const { return structs_; }

 private:
  void type(std::uint32_t id) {
    if (seen_type_[id]) return;
    seen_type_[id] = true;
    pending_types_.push_back(id);
    while (!pending_types_.empty()) {
      const std::uint32_t next = pending_types_.back();
      pending_types_.pop_back();
      const Type& found = module_.types[next];
      if (found.kind == TypeKind::structure) structs_.push_back(next);
      const auto parts = module_.parts_of(found);
      for (std::size_t i = parts.size(); i-- > 0;) {
        if (seen_type_[parts[i]]) continue;
        seen_type_[parts[i]] = true;
        pending_types_.push_back(parts[i]);
      }
    }
  }

  /// Only constants hide types; globals, functions and instructions are walked for themselves.
  void value(const Body* body, std::uint32_t id) {
    pending_values_.push_back(id);
    while (!pending_values_.empty()) {
      const Value& next = module_.value(body, pending_values_.back());
      pending_values_.pop_back();
      if (next.kind != ValueKind::constant || seen_constant_[next.index]) continue;
      seen_constant_[next.index] = true;
      type(next.type);
      const Constant& constant = module_.constants[next.index];
      const auto operands = module_.operands_of(constant.operands);
      for (std::size_t i = operands.size(); i-- > 0;) pending_values_.push_back(operands[i]);
    }
  }

  void node(const Body* body, std::uint32_t id) {
    pending_nodes_.push_back(id);
    while (!pending_nodes_.empty()) {
      const std::uint32_t next = pending_nodes_.back();
      pending_nodes_.pop_back();
      const Metadata& found = module_.metadata_at(body, next);
      if (found.kind == MetadataKind::string) continue;
      if (found.kind == MetadataKind::value) {
        value(body, found.value);
        continue;
      }
      auto seen = next < seen_node_.size() ? seen_node_[next] : seen_local_[body->metadata.first + (next - seen_node_.size())];
      if (seen) continue;
      seen = true;
      const NodeOperands operands(module_, found);
      for (std::uint32_t i = operands.size(); i-- > 0;)
        if (operands[i] != kNone) pending_nodes_.push_back(operands[i]);
    }
  }

  void operand(const Body& body, std::uint32_t id) {
    if (!may_be_new(id)) return;
    if ((id & kMetadataOperand) != 0) {
      node(&body, id & ~kMetadataOperand);
    } else {
      value(&body, id);
      done_[id] = 1;
    }
  }

  void body(const Body& body) {
    const auto module_values = static_cast<std::uint32_t>(module_.values.size());
    first_result_ = module_values + body.parameters;
    while (first_result_ < module_values + body.values.count && module_.value(&body, first_result_).kind == ValueKind::constant)
      ++first_result_;
    done_.resize(module_values);
    done_.resize(first_result_);
    std::size_t attachment = body.attachments.first;
    while (attachment < body.attachments.end() && module_.attachments[attachment].instruction == kNone) ++attachment;
    for (std::uint32_t i = 0; i < body.instructions.count; ++i) {
      const Instruction& instruction = module_.instructions[body.instructions.first + i];
      if (!seen_type_[instruction.type]) type(instruction.type);
      operands(body, instruction);
      for (; attachment < body.attachments.end() && module_.attachments[attachment].instruction == i; ++attachment)
        node(&body, module_.attachments[attachment].node);
    }
  }

  /// Whether an operand may lead to something new: one that is no value, such as a block, may look as if it did.
  bool may_be_new(std::uint32_t id) const { return (id & kMetadataOperand) != 0 || (id < first_result_ && done_[id] == 0); }

  void operands(const Body& body, const Instruction& instruction) {
    const auto list = module_.operands_of(instruction.operands);
    if (std::none_of(list.begin(), list.end(), [this](std::uint32_t id) { return may_be_new(id); })) return;
    for_each_operand_in_memory(module_, instruction, [&](std::uint32_t id) { operand(body, id); });
  }

  const Module& module_;
  std::vector<bool> seen_type_, seen_constant_, seen_node_, seen_local_;
  std::vector<std::uint8_t> done_;  // by value id, of operands: the module's, then those of the function before its first result
  std::uint32_t first_result_ = 0;  // value id
  std::vector<std::uint32_t> pending_types_, pending_values_, pending_nodes_;
  std::vector<std::uint32_t> structs_;
};

}  // namespace

StructOrder find_structs(const Module& module) {
  StructFinder finder(module);
  finder.run();
  StructOrder order;
  order.number_of.resize(module.types.size(), kNone);
  for (const std::uint32_t id : finder.structs()) {
    const Type& type = module.types[id];
    if (type.literal) continue;
    if (type.name.empty()) {
      order.number_of[id] = static_cast<std::uint32_t>(order.numbered.size());
      order.numbered.push_back(id);
    } else {
      order.named.push_back(id);
    }
  }
  return order;
}

// --- metadata ----------------------------------------------------------------------------------------------------------------------------

NodeOperands::NodeOperands(const Module& module, const Metadata& node) : record_(module.metadata_operands_of(node.operands)) {
  if (node.kind == MetadataKind::string || node.kind == MetadataKind::value) {
    record_ = {};
  } else if (node.kind == MetadataKind::generic) {
    record_ = record_.subspan(std::min(kGenericOperands, record_.size()));
  } else if (node.kind != MetadataKind::node) {
    order_ = module::node_link_order(node.kind);
    is_location_ = node.kind == MetadataKind::location;
    is_ordered_ = true;
    size_ = static_cast<std::uint32_t>(order_.size());
    return;
  }
  size_ = static_cast<std::uint32_t>(record_.size());
}

std::uint32_t NodeOperands::operator[](std::uint32_t i) const {
  const std::size_t position = is_ordered_ ? order_[i] : i;
  if (position >= record_.size()) return kNone;
  const std::uint64_t word = record_[position];
  if (is_location_ && position == kLocationScope) return static_cast<std::uint32_t>(word);
  return word == 0 ? kNone : static_cast<std::uint32_t>(word - 1);
}

MetadataSlots::MetadataSlots(const Module& module)
    : module_(module),
      slots_(module.metadata.size(), kNone),
      local_slots_(module.local_metadata.size(), kNone),
      location_slots_(module.locations.size(), kNone),
      kind_rank_(module.metadata_kinds.size()),
      intrinsic_(module.functions.size()) {
  for (std::size_t i = 0; i < kind_rank_.size(); ++i) {
    const auto name = module.text(module.metadata_kinds[i].name);
    const auto* fixed = std::find(std::begin(kFixedMetadataKinds), std::end(kFixedMetadataKinds), name);
    kind_rank_[i] = static_cast<std::uint32_t>(fixed != std::end(kFixedMetadataKinds)
                                                   ? static_cast<std::size_t>(fixed - std::begin(kFixedMetadataKinds))
                                                   : std::size(kFixedMetadataKinds) + i);
  }
  for (std::size_t i = 0; i < intrinsic_.size(); ++i) {
    intrinsic_[i] = module.text(module.values[module.functions[i].value].name).starts_with("llvm.");
    has_intrinsics_ = has_intrinsics_ || intrinsic_[i];
  }
}

void MetadataSlots::add_named() {
  for (const NamedMetadata& named : module_.named_metadata)
    for (const std::uint64_t id : module_.metadata_operands_of(named.nodes)) add_node(kNone, static_cast<std::uint32_t>(id));
}

void MetadataSlots::add_function(std::uint32_t body) {
  const Body& of = module_.bodies[body];
  std::uint32_t cursor = of.attachments.first;
  for (const Attachment& attachment : attachments_of(of, kNone, cursor)) add_node(body, attachment.node);
  if (!has_intrinsics_ && cursor == of.attachments.end() && module_.locations.empty()) return;
  for (std::uint32_t i = 0; i < of.instructions.count; ++i) {
    const Instruction& instruction = module_.instructions[of.instructions.first + i];
    if (instruction.opcode == Opcode::call && is_intrinsic(instruction))
      for (const std::uint32_t operand : module_.operands_of(instruction.operands))
        if ((operand & kMetadataOperand) != 0) add_node(body, operand & ~kMetadataOperand);
    if (instruction.location != kNone) add_location(body, instruction.location);
    for (const Attachment& attachment : attachments_of(of, i, cursor)) add_node(body, attachment.node);
  }
}

bool MetadataSlots::is_intrinsic(const Instruction& call) const {
  const std::uint32_t callee = module_.operands_of(call.operands)[0];
  return callee < module_.values.size() && module_.values[callee].kind == ValueKind::function && intrinsic_[module_.values[callee].index];
}

void MetadataSlots::add_node(std::uint32_t body, std::uint32_t id) {
  pending_.push_back(id);
  drain(body);
}

void MetadataSlots::add_location(std::uint32_t body, std::uint32_t location) {
  if (location_slots_[location] != kNone) return;
  const Location& found = module_.locations[location];
  if (found.scope == kNone) return;
  std::uint32_t& numbered = slot(LocationKey{found.line, found.column, found.scope, found.inlined_at});
  if (numbered != kNone) {
    location_slots_[location] = numbered;
    return;
  }
  location_slots_[location] = numbered = take({body, kNone, location});
  if (found.inlined_at != kNone) pending_.push_back(found.inlined_at);
  pending_.push_back(found.scope);
  drain(body);
}

void MetadataSlots::drain(std::uint32_t body) {
  const Body* of = body == kNone ? nullptr : &module_.bodies[body];
  while (!pending_.empty()) {
    const std::uint32_t id = pending_.back();
    pending_.pop_back();
    const Metadata& node = module_.metadata_at(of, id);
    if (node.kind == MetadataKind::string || node.kind == MetadataKind::value) continue;
    std::uint32_t& numbered = slot(of, id);
    if (numbered != kNone) continue;
    const NodeOperands operands(module_, node);
    if (node.kind == MetadataKind::location && !node.distinct) {
      const auto record = module_.metadata_operands_of(node.operands);
      std::uint32_t& same =
          slot(LocationKey{static_cast<std::uint32_t>(record[1]), static_cast<std::uint32_t>(record[2]), operands[0], operands[1]});
      if (same != kNone) {
        numbered = same;
        continue;
      }
      numbered = same = take({id < slots_.size() ? kNone : body, id, kNone});
    } else {
      numbered = take({id < slots_.size() ? kNone : body, id, kNone});
    }
    for (std::uint32_t i = operands.size(); i-- > 0;)
      if (operands[i] != kNone) pending_.push_back(operands[i]);
  }
}

std::uint32_t MetadataSlots::take(const NumberedNode& node) {
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t& MetadataSlots::slot(const Body* body, std::uint32_t id) {
  return id < slots_.size() ? slots_[id] : local_slots_[body->metadata.first + (id - slots_.size())];
}

std::uint32_t MetadataSlots::slot_of(const Body* body, std::uint32_t id) const {
  return id < slots_.size() ? slots_[id] : local_slots_[body->metadata.first + (id - slots_.size())];
}

std::uint32_t& MetadataSlots::slot(const LocationKey& key) {
  if ((table_used_ + 1) * 2 > table_.size()) grow_table();
  std::size_t hash = key.line;
  for (const std::uint32_t word : {key.column, key.scope, key.inlined_at}) hash = (hash ^ hash >> 15) * 0x9e37'79b1U + word;
  for (std::size_t i = hash ^ hash >> 16;; ++i) {
    LocationEntry& entry = table_[i & (table_.size() - 1)];
    if (entry.key == key) return entry.slot;
    if (entry.key == LocationKey{}) {
      entry.key = key;
      ++table_used_;
      return entry.slot;
    }
  }
}

void MetadataSlots::grow_table() {
  constexpr std::size_t kSmallest = 64;
  std::vector<LocationEntry> old(std::max(kSmallest, table_.size() * 2));
  old.swap(table_);
  table_used_ = 0;
  for (const LocationEntry& entry : old)
    if (entry.key != LocationKey{}) slot(entry.key) = entry.slot;
}

std::span<const Attachment> MetadataSlots::sorted_attachments(const Body& body, std::uint32_t instruction, std::uint32_t& cursor) {
  const std::uint32_t first = cursor;
  while (cursor < body.attachments.end() && module_.attachments[cursor].instruction == instruction) ++cursor;
  const std::span<const Attachment> found{module_.attachments.data() + first, cursor - first};
  if (found.size() < 2) return found;
  sorted_.assign(found.begin(), found.end());
  std::sort(sorted_.begin(), sorted_.end(), [this](const Attachment& a, const Attachment& b) {
    return std::pair(kind_rank_[a.kind], a.node) < std::pair(kind_rank_[b.kind], b.node);
  });
  return sorted_;
}

// --- attributes --------------------------------------------------------------------------------------------------------------------------

AttributeSlots::AttributeSlots(const Module& module)
    : module_(module), list_groups_(module.attribute_list_groups), slots_(module.attribute_lists.size(), kNone), known_(Before{this}) {
  std::vector<Attribute> sorted;
  for (const AttributeGroup& group : module.attribute_groups) {
    const auto first = module.attributes.begin() + group.attributes.first;
    sorted.assign(first, first + group.attributes.count);
    module::put_in_order(sorted, [&](StringRange key) { return module.text(key); });
    const auto start = static_cast<std::uint32_t>(attributes_.size());
    attributes_.insert(attributes_.end(), sorted.begin(), sorted.end());
    ranges_.push_back({start, static_cast<std::uint32_t>(attributes_.size()) - start});
  }
  for (const Range range : module.attribute_lists) {
    const auto first = list_groups_.begin() + static_cast<std::ptrdiff_t>(range.first);
    std::sort(first, first + static_cast<std::ptrdiff_t>(range.count), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(module.attribute_groups[a].slot, a) < std::pair(module.attribute_groups[b].slot, b);
    });
    more_than_function_.push_back(range.count != 0 && module.attribute_groups[*first].slot != AttributeGroup::kFunction);
  }
}

const AttributeGroup* AttributeSlots::group(std::uint32_t list, std::uint32_t slot) const {
  if (list == kNone) return nullptr;
  const Range range = module_.attribute_lists[list];
  const auto first = list_groups_.begin() + static_cast<std::ptrdiff_t>(range.first);
  const auto last = first + static_cast<std::ptrdiff_t>(range.count);
  const auto found =
      std::lower_bound(first, last, slot, [this](std::uint32_t a, std::uint32_t b) { return module_.attribute_groups[a].slot < b; });
  if (found == last) return nullptr;
  const AttributeGroup& group = module_.attribute_groups[*found];
  return group.slot == slot && !group.attributes.empty() ? &group : nullptr;
}

std::span<const Attribute> AttributeSlots::sorted(const AttributeGroup& group) const {
  const Range range = ranges_[static_cast<std::size_t>(&group - module_.attribute_groups.data())];
  return {attributes_.data() + range.first, range.count};
}

bool AttributeSlots::Before::operator()(const AttributeGroup* a, const AttributeGroup* b) const {
  const Module& module = slots->module_;
  const auto left = slots->sorted(*a);
  const auto right = slots->sorted(*b);
  const auto text_of = [&](StringRange range) { return module.text(range); };
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(), [&](const Attribute& x, const Attribute& y) {
    return std::tuple(x.kind, x.code, x.value, text_of(x.key), text_of(x.text)) <
           std::tuple(y.kind, y.code, y.value, text_of(y.key), text_of(y.text));
  });
}

void AttributeSlots::add(std::uint32_t list) {
  if (list == kNone || slots_[list] != kNone) return;
  const AttributeGroup* found = group(list, AttributeGroup::kFunction);
  if (found == nullptr) return;
  const auto [known, is_new] = known_.emplace(found, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.push_back(found);
  slots_[list] = known->second;
}

}  // namespace unshade::dxil::listing
