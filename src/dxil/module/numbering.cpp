#include "dxil/module/numbering.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <unshade/dxil/query.hpp>

#include "dxil/module/record_operands.hpp"

namespace unshade::dxil::module {

namespace {

constexpr std::uint32_t kOpen = kNone - 1;  // metadata whose operands are being numbered

/// As std::partition does in the libraries that dxc was built with, which is not stable: DXC's order follows from it.
template <class T, class Predicate>
void partition(std::span<T> items, Predicate&& first) {
  std::size_t begin = 0;
  std::size_t end = items.size();
  for (;;) {
    while (begin != end && first(items[begin])) ++begin;
    if (begin == end) return;
    do
      if (--end == begin) return;
    while (!first(items[end]));
    std::swap(items[begin++], items[end]);
  }
}

}  // namespace

// --- what there is -----------------------------------------------------------------------------------------------------------------------

std::uint32_t Enumerated::plain_type(TypeKind kind) const {
  for (std::uint32_t i = 0; i < types; ++i)
    if (module.types[i].kind == kind) return i;
  return kNone;
}

void Enumerated::add_attachments(const Body& body, std::uint32_t instruction, std::uint32_t& next) {
  for (; next < body.attachments.end() && module.attachments[next].instruction == instruction; ++next)
    add(Reference::Kind::metadata, module.attachments[next].node);
}

void Enumerated::add_label(const Instruction& instruction) {
  bool leads_on = false;
  for_each_successor(module, instruction, [&](std::uint32_t) { leads_on = true; });
  if (leads_on) add(Reference::Kind::type, plain_type(TypeKind::label));
}

Enumerated enumerate(const Module& m) {
  using Kind = Enumerated::Reference::Kind;
  Enumerated all{.module = m, .types = m.types.size()};
  all.globals = static_cast<std::uint32_t>(m.globals.size() + m.functions.size() + m.aliases.size());
  all.operands = m.operands;
  for (std::size_t id = all.globals; id < m.values.size(); ++id)
    all.constants.push_back({m.values[id].type, m.constants[m.values[id].index].operands});
  for (const Body& body : m.bodies) {
    all.bodies.emplace_back();
    std::uint32_t attachment = body.attachments.first;
    all.add_attachments(body, kNone, attachment);
    for (std::uint32_t i = 0; i < body.instructions.count; ++i) {
      const Instruction& instruction = m.instructions[body.instructions.first + i];
      for_each_operand_in_memory(m, instruction, [&](std::uint32_t id) {
        if ((id & kMetadataOperand) == 0)
          return id < m.values.size() ? all.add(Kind::value, id) : all.add(Kind::type, m.value(&body, id).type);
        if ((id & ~kMetadataOperand) < m.metadata.size()) all.add(Kind::metadata, id & ~kMetadataOperand);
      });
      all.add_label(instruction);
      all.add(Kind::type, instruction.type);
      all.add_attachments(body, i, attachment);
      if (instruction.location == kNone) continue;
      all.add(Kind::metadata, m.locations[instruction.location].scope);
      all.add(Kind::metadata, m.locations[instruction.location].inlined_at);
    }
  }
  return all;
}

AttributeOrder::AttributeOrder(const Module& m) : lists(m.attribute_lists.size()), groups(m.attribute_groups.size()) {
  const auto add = [&](std::uint32_t list) {
    if (list == kNone) return;
    lists.add(list);
    const Range range = m.attribute_lists[list];
    for (std::uint32_t i = range.first; i < range.end(); ++i) groups.add(m.attribute_list_groups[i]);
  };
  for (const Function& function : m.functions) add(function.attributes);
  for (const Instruction& instruction : m.instructions) add(instruction.attributes);
}

// --- the module --------------------------------------------------------------------------------------------------------------------------

Numbering::Numbering(Enumerated of, bool numbers_types) : of_(std::move(of)), m_(of_.module) {
  if (numbers_types) types_.emplace(m_, of_.types);
  counts_.assign(of_.globals + of_.constants.size(), 0);
  ids_.assign(counts_.size(), kNone);
  has_types_.resize(counts_.size());
  for (std::uint32_t i = 0; i < of_.globals; ++i)
    if (!is_removed(i)) ids_[i] = module_values_++;
  canonical_.assign(m_.metadata.size(), kNone);
  metadata_ids_.assign(m_.metadata.size(), kNone);
  constants_ = &module_order_;
  for (std::uint32_t i = 0; i < of_.globals; ++i)
    if (!is_removed(i)) add_type(m_.values[i].type);
  for (const Global& global : m_.globals)
    if (!is_removed(global.value)) use(global.initializer);
  for (const Alias& alias : m_.aliases) use(alias.aliasee);
  for (const Function& function : m_.functions) use(function.prefix);
  for (const Function& function : m_.functions) use(function.prologue);
  for (const Function& function : m_.functions) use(function.personality);
  add_type(of_.plain_type(TypeKind::metadata));
  for (std::size_t i = 0; i < m_.named_metadata.size(); ++i) {
    if (i < of_.named_removed.size() && of_.named_removed[i]) continue;
    for (const std::uint64_t node : m_.metadata_operands_of(m_.named_metadata[i].nodes)) number(static_cast<std::uint32_t>(node));
  }
  for (const auto& body : of_.bodies) {
    for (const auto& [kind, id] : body) {
      if (kind == Kind::metadata) number(id);
      if (kind == Kind::type) add_type(id);
      if (kind == Kind::value && types_) add_constant_types(id);
    }
  }
  sort(module_order_);
  for (const Handle handle : module_order_) ids_[handle] = module_values_++;
}

void Numbering::use(Handle handle) {
  if (handle == kNone || handle < of_.globals) return;
  if (counts_[handle] != 0) {
    ++counts_[handle];
    return;
  }
  if (in_function_ && ids_[handle] != kNone) return;  // the module's
  if (!in_function_) add_type(constant(handle).type);
  // Constants hold no cycles, and the reader bounds their depth.
  for (const Handle operand : operands(constant(handle))) use(operand);
  counts_[handle] = 1;
  constants_->push_back(handle);
}

void Numbering::add_constant_types(Handle handle) {
  if (handle < of_.globals) return add_type(m_.values[handle].type);
  if (has_types_[handle] || counts_[handle] != 0) return;
  has_types_[handle] = true;
  add_type(constant(handle).type);
  for (const Handle operand : operands(constant(handle))) add_constant_types(operand);
}

std::uint64_t Numbering::type_id(std::uint64_t type) {
  if (!types_) return type;
  const auto number = types_->number(type);
  lacks_types_ = lacks_types_ || !number;
  return number.value_or(0);
}

bool Numbering::is_integer(Handle handle) const {
  const Type* type = &m_.types[constant(handle).type];
  if (type->kind == TypeKind::vector) type = &m_.types[m_.type_parts[type->parts.first]];
  return type->kind == TypeKind::integer;
}

void Numbering::sort(std::vector<Handle>& order) {
  if (of_.keeps_uses) return;
  const auto place_of = [&](Handle handle) {
    const std::uint32_t type = constant(handle).type;
    return types_ ? types_->number(type).value_or(type) : type;
  };
  std::stable_sort(order.begin(), order.end(), [&](Handle a, Handle b) {
    const std::uint32_t types[] = {place_of(a), place_of(b)};
    return types[0] != types[1] ? types[0] < types[1] : counts_[a] > counts_[b];
  });
  partition(std::span(order), [&](Handle handle) { return is_integer(handle); });
}

void Numbering::number(std::uint32_t root) {
  if (canonical_[root] != kNone) return;
  struct Frame {
    std::uint32_t id;
    std::size_t next;
  };
  std::vector<Frame> stack{{root, 0}};
  canonical_[root] = kOpen;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const Metadata& node = m_.metadata[frame.id];
    if (frame.next < linked_count(node)) {
      const std::uint32_t id = linked(m_, node, frame.next++);
      if (id == kNone || canonical_[id] != kNone) continue;
      canonical_[id] = kOpen;
      stack.push_back({id, 0});
      continue;
    }
    finish(frame.id);
    stack.pop_back();
  }
}

std::string Numbering::key_of(const Metadata& node) const {
  std::string key;
  const auto add = [&](std::uint64_t value) {
    for (unsigned i = 0; i < 5; ++i) key.push_back(static_cast<char>(value >> (8 * i)));
  };
  key.push_back(static_cast<char>(node.kind));
  for (std::uint32_t i = 0; i < node.operands.count; ++i) {
    const std::uint64_t id = m_.metadata_operands[node.operands.first + i];
    if (id == 0) {
      add(0);
      continue;
    }
    if (canonical_[id - 1] == kOpen) return {};  // a cycle
    add(canonical_[id - 1] + std::uint64_t{1});
  }
  return key;
}

void Numbering::finish(std::uint32_t id) {
  const Metadata& node = m_.metadata[id];
  if (node.kind == MetadataKind::value) use(node.value);
  if (node.kind == MetadataKind::node && !node.distinct) {
    if (std::string key = key_of(node); !key.empty()) {
      const auto [found, added] = tuples_.try_emplace(std::move(key), id);
      if (!added) {
        canonical_[id] = found->second;
        return;
      }
    }
  }
  canonical_[id] = id;
  metadata_ids_[id] = static_cast<std::uint32_t>(metadata_order_.size());
  metadata_order_.push_back(id);
}

// --- functions ---------------------------------------------------------------------------------------------------------------------------

const std::vector<Numbering::Handle>& Numbering::enter_function(std::uint32_t index) {
  for (const Handle handle : own_order_) counts_[handle] = 0;
  if (!in_function_) std::fill(counts_.begin(), counts_.end(), 0U);
  in_function_ = true;
  own_order_.clear();
  constants_ = &own_order_;
  for (const auto& [kind, id] : of_.bodies[index])
    if (kind == Kind::value) use(id);
  sort(own_order_);
  std::uint32_t next = module_values_ + m_.bodies[index].parameters;
  for (const Handle handle : own_order_) ids_[handle] = next++;
  return own_order_;
}

void Numbering::leave_function() {
  for (const Handle handle : own_order_) ids_[handle] = kNone;
}

}  // namespace unshade::dxil::module
