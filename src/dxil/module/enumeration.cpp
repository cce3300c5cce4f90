#include "dxil/module/enumeration.hpp"

#include <algorithm>

#include <unshade/dxil/query.hpp>

#include "dxil/module/record_operands.hpp"

namespace unshade::dxil::module {

namespace {

class OrderFinder {
 public:
  explicit OrderFinder(const Module& module)
      : m_(module), order_(module), open_metadata_(module.metadata.size()), walked_(module.constants.size()) {}

  WriteOrder run() {
    for (const Global& global : m_.globals) type(m_.values[global.value].type);
    for (const Function& function : m_.functions) {
      type(m_.values[function.value].type);
      attributes(function.attributes);
    }
    for (const Alias& alias : m_.aliases) type(m_.values[alias.value].type);
    for (const Global& global : m_.globals) value(global.initializer);
    for (const Alias& alias : m_.aliases) value(alias.aliasee);
    for (const Function& function : m_.functions) value(function.prefix);
    for (const Function& function : m_.functions) value(function.prologue);
    for (const Function& function : m_.functions) value(function.personality);
    plain(TypeKind::metadata);
    for (const NamedMetadata& named : m_.named_metadata)
      for (const std::uint64_t node : m_.metadata_operands_of(named.nodes)) metadata(static_cast<std::uint32_t>(node));
    for (const Function& function : m_.functions) {
      const auto parts = m_.parts_of(m_.types[function.type]);
      for (const std::uint32_t part : parts.subspan(1)) type(part);
      if (function.body != kNone) body(m_.bodies[function.body]);
    }
    return std::move(order_);
  }

 private:
  void type(std::uint32_t id) { order_.types.add(id); }

  /// The type of that kind without parts, if the module has it.
  void plain(TypeKind kind) {
    for (std::uint32_t i = 0; i < m_.types.size(); ++i)
      if (m_.types[i].kind == kind) return type(i);
  }

  void value(std::uint32_t id) {
    if (id == kNone) return;
    const Value& of = m_.values[id];
    if (of.kind != ValueKind::constant || order_.constants.has(of.index)) return;
    type(of.type);
    // The reader bounds how deep constants nest.
    for (const std::uint32_t operand : m_.operands_of(m_.constants[of.index].operands)) value(operand);
    if (!order_.constants.has(of.index)) order_.constants.add(of.index);
    walked_[of.index] = true;
  }

  /// The types of what an instruction uses; its constants become the function's own.
  void operand(const Body& body, std::uint32_t id) {
    const Value& of = m_.value(&body, id);
    type(of.type);
    if (of.kind == ValueKind::constant) types_of(of.index);
  }
  void types_of(std::uint32_t constant) {
    if (walked_[constant]) return;
    walked_[constant] = true;
    own_.push_back(constant);
    for (const std::uint32_t id : m_.operands_of(m_.constants[constant].operands)) {
      type(m_.values[id].type);
      if (m_.values[id].kind == ValueKind::constant) types_of(m_.values[id].index);
    }
  }

  void attributes(std::uint32_t list) {
    if (list == kNone) return;
    if (!order_.attribute_lists.has(list)) order_.attribute_lists.add(list);
    const Range range = m_.attribute_lists[list];
    for (std::uint32_t i = range.first; i < range.end(); ++i) {
      const std::uint32_t group = m_.attribute_list_groups[i];
      if (!order_.attribute_groups.has(group)) order_.attribute_groups.add(group);
    }
  }

  // --- metadata ---

  void metadata(std::uint32_t root) {
    struct Frame {
      std::uint32_t id;
      std::size_t next;
    };
    if (open_metadata_[root]) return;
    std::vector<Frame> stack{{root, 0}};
    open_metadata_[root] = true;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const Metadata& node = m_.metadata[frame.id];
      if (frame.next < linked_count(node)) {
        const std::uint32_t id = linked(m_, node, frame.next++);
        if (id == kNone || open_metadata_[id]) continue;
        open_metadata_[id] = true;
        stack.push_back({id, 0});
        continue;
      }
      if (node.kind == MetadataKind::value) value(node.value);
      order_.has_string = order_.has_string || node.kind == MetadataKind::string;
      order_.has_location = order_.has_location || node.kind == MetadataKind::location;
      order_.has_generic = order_.has_generic || node.kind == MetadataKind::generic;
      order_.metadata.add(frame.id);
      stack.pop_back();
    }
  }

  // --- functions ---

  void body(const Body& body) {
    std::uint32_t attachment = body.attachments.first;
    const auto attached = [&](std::uint32_t instruction) {
      for (; attachment < body.attachments.end() && m_.attachments[attachment].instruction == instruction; ++attachment)
        metadata(m_.attachments[attachment].node);
    };
    attached(kNone);
    for (std::uint32_t i = 0; i < body.instructions.count; ++i) {
      const Instruction& instruction = m_.instructions[body.instructions.first + i];
      operands(body, instruction);
      type(instruction.type);
      attributes(instruction.attributes);
      attached(i);
      if (instruction.location == kNone) continue;
      const Location& location = m_.locations[instruction.location];
      if (location.scope != kNone) metadata(location.scope);
      if (location.inlined_at != kNone) metadata(location.inlined_at);
    }
    // Constants that instructions alone use: nothing depends on their order here.
    for (const std::uint32_t constant : own_)
      if (!order_.constants.has(constant)) order_.constants.add(constant);
    own_.clear();
  }

  void operands(const Body& body, const Instruction& i) {
    for_each_operand_in_memory(m_, i, [&](std::uint32_t id) {
      if ((id & kMetadataOperand) == 0) return operand(body, id);
      if ((id & ~kMetadataOperand) < m_.metadata.size()) metadata(id & ~kMetadataOperand);
    });
    bool leads_on = false;
    for_each_successor(m_, i, [&](std::uint32_t) { leads_on = true; });
    if (leads_on) plain(TypeKind::label);
  }

  const Module& m_;
  WriteOrder order_;
  std::vector<bool> open_metadata_;
  std::vector<bool> walked_;        ///< constants whose parts' types are known
  std::vector<std::uint32_t> own_;  ///< constants that a function was the first to use
};

}  // namespace

WriteOrder find_write_order(const Module& module) { return OrderFinder(module).run(); }

}  // namespace unshade::dxil::module
