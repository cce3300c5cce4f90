#include "dxil/edit/numbering.hpp"

#include <algorithm>
#include <cstddef>

#include <unshade/dxil/query.hpp>

#include "dxil/module/record_operands.hpp"

namespace unshade::dxil::edit {

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

Numbering::Numbering(const ModuleEdit& edit, bool prunes_types) : e_(edit), m_(edit.module_) {
  if (prunes_types) types_.emplace(m_, m_.file_types);
  number_module();
}

template <class Visit>
void Numbering::for_operands(const Record& record, Visit&& visit) const {
  for_refs(record, [&](RefKind kind, std::uint64_t operand) {
    if (kind != RefKind::metadata && kind != RefKind::metadata_or_null) visit(operand);
  });
}

void Numbering::number_module() {
  counts_.assign(e_.globals_ + e_.constants_.size(), 0);
  ids_.assign(counts_.size(), kNone);
  std::uint32_t globals = 0;
  for (std::uint32_t i = 0; i < e_.globals_; ++i)
    if (!is_removed(i)) ids_[i] = globals++;
  canonical_.assign(m_.metadata.size(), kNone);
  metadata_ids_.assign(m_.metadata.size(), kNone);
  std::vector<Handle> order;
  constants_ = &order;
  for (std::uint32_t i = 0; i < e_.globals_; ++i)
    if (!is_removed(i)) add_type(m_.values[i].type);
  for (const Global& global : m_.globals)
    if (!is_removed(global.value)) use(global.initializer);
  for (const Alias& alias : m_.aliases) use(alias.aliasee);
  for (const Function& function : m_.functions) use(function.prefix);
  for (const Function& function : m_.functions) use(function.prologue);
  for (const Function& function : m_.functions) use(function.personality);
  add_type_of_kind(TypeKind::metadata);
  for (std::size_t i = 0; i < m_.named_metadata.size(); ++i) {
    if (e_.named_removed_[i]) continue;
    for (const std::uint64_t node : m_.metadata_operands_of(m_.named_metadata[i].nodes)) number(static_cast<std::uint32_t>(node));
  }
  for (std::uint32_t i = 0; i < m_.bodies.size(); ++i) number_metadata_of(i);
  sort(order);
  module_values_ = globals;
  for (const Handle handle : order) ids_[handle] = module_values_++;
  module_order_ = std::move(order);
}

void Numbering::number_metadata_of(std::uint32_t index) {
  const dxil::Body& model = m_.bodies[index];
  std::uint32_t attachment = model.attachments.first;
  const auto attached = [&](std::uint32_t instruction) {
    for (; attachment < model.attachments.end() && m_.attachments[attachment].instruction == instruction; ++attachment)
      number_global(m_.attachments[attachment].node);
  };
  attached(kNone);
  const ModuleEdit::Body& body = e_.bodies_[index];
  std::uint32_t next = 0;
  std::uint32_t current = 0;
  for (const Record& record : body.records) {
    if (record.instruction) {
      // Attachments come before the location, which is a record of its own.
      current = next++;
      if (record.removed) continue;
      if (types_) add_operand_types(index, record, m_.instructions[model.instructions.first + current]);
      for_refs(record, [&](RefKind kind, std::uint64_t value) {
        if (kind == RefKind::metadata) number_global(static_cast<std::uint32_t>(value));
      });
      add_type(m_.instructions[model.instructions.first + current].type);
      attached(current);
      continue;
    }
    if (record.removed) continue;
    for_refs(record, [&](RefKind kind, std::uint64_t value) {
      if (kind == RefKind::metadata_or_null && value != 0) number_global(static_cast<std::uint32_t>(value - 1));
    });
  }
}

void Numbering::use(std::uint32_t handle) {
  if (handle == kNone || handle < e_.globals_) return;
  if (counts_[handle] != 0) {
    ++counts_[handle];
    return;
  }
  if (in_function_ && ids_[handle] != kNone) return;  // the module's
  const ModuleEdit::ConstantNode& node = e_.constant(handle);
  if (!in_function_) add_type(node.type);
  const auto values = e_.pool(node.operands);
  // Constants hold no cycles, and the reader bounds their depth.
  module::for_each_constant_operand(node.code, values, [&](std::size_t i) { use(static_cast<std::uint32_t>(values[i])); });
  counts_[handle] = 1;
  constants_->push_back(handle);
}

void Numbering::add_type_of_kind(TypeKind kind) {
  if (!types_) return;
  for (std::uint32_t i = 0; i < m_.file_types; ++i)
    if (m_.types[i].kind == kind) return types_->add(i);
}

void Numbering::add_operand_types(std::uint32_t body, const Record& record, const Instruction& instruction) {
  for_operands(record, [&](std::uint64_t handle) {
    if ((handle & ModuleEdit::kLocal) == 0) return add_constant_types(static_cast<std::uint32_t>(handle));
    const dxil::Body& model = m_.bodies[body];
    std::uint32_t local = static_cast<std::uint32_t>(handle) & ~ModuleEdit::kLocal;
    if (local >= model.parameters) local += static_cast<std::uint32_t>(e_.bodies_[body].constants.size());
    if (local < model.values.count) add_type(m_.local_values[model.values.first + local].type);
  });
  bool leads_on = false;
  for_each_successor(m_, instruction, [&](std::uint32_t) { leads_on = true; });
  if (leads_on) add_type_of_kind(TypeKind::label);
}

void Numbering::add_constant_types(std::uint32_t handle) {
  if (handle < e_.globals_) return add_type(m_.values[handle].type);
  has_types_.resize(counts_.size());
  if (has_types_[handle] || counts_[handle] != 0) return;
  has_types_[handle] = true;
  const ModuleEdit::ConstantNode& node = e_.constant(handle);
  add_type(node.type);
  const auto values = e_.pool(node.operands);
  module::for_each_constant_operand(node.code, values, [&](std::size_t i) { add_constant_types(static_cast<std::uint32_t>(values[i])); });
}

std::uint64_t Numbering::type_id(std::uint64_t type) {
  if (!types_) return type;
  const auto number = types_->number(type);
  lacks_types_ = lacks_types_ || !number;
  return number.value_or(0);
}

bool Numbering::is_integer(Handle handle) const {
  const Type* type = &m_.types[e_.constant(handle).type];
  if (type->kind == TypeKind::vector) type = &m_.types[m_.type_parts[type->parts.first]];
  return type->kind == TypeKind::integer;
}

void Numbering::sort(std::vector<Handle>& order) {
  if (e_.keeps_uses_) return;
  const auto place_of = [&](Handle handle) {
    const std::uint32_t type = e_.constant(handle).type;
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
    if (frame.next < module::linked_count(node)) {
      const std::uint32_t id = module::linked(m_, node, frame.next++);
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

std::uint64_t Numbering::metadata_id(std::uint64_t id) const {
  if (id >= e_.module_metadata_ && id < own_metadata_end_) return metadata_order_.size() + (id - e_.module_metadata_);
  return id < canonical_.size() && canonical_[id] < metadata_ids_.size() ? metadata_ids_[canonical_[id]] : id;
}

void Numbering::use_operands(const Record& record) {
  for_operands(record, [&](std::uint64_t handle) {
    if ((handle & ModuleEdit::kLocal) == 0) use(static_cast<std::uint32_t>(handle));
  });
}

std::vector<Numbering::Handle> Numbering::enter_function(std::uint32_t index) {
  const ModuleEdit::Body& body = e_.bodies_[index];
  own_metadata_end_ = e_.module_metadata_ + m_.bodies[index].metadata.count;
  for (const Handle handle : counted_) counts_[handle] = 0;
  counted_.clear();
  std::vector<Handle> order;
  constants_ = &order;
  if (!in_function_) std::fill(counts_.begin(), counts_.end(), 0U);
  in_function_ = true;
  std::size_t inserted = 0;
  for (std::uint32_t i = 0; i < body.records.size(); ++i) {
    for (; inserted < body.inserted.size() && body.inserted[inserted].before == i; ++inserted) use_operands(body.inserted[inserted].record);
    if (!body.records[i].removed) use_operands(body.records[i]);
  }
  counted_ = order;
  sort(order);
  const std::uint32_t first = module_values_ + body.parameters;
  for (std::size_t i = 0; i < order.size(); ++i) ids_[order[i]] = first + static_cast<std::uint32_t>(i);
  own_constants_ = order;
  local_ids_.assign(body.locals, kNone);
  for (std::uint32_t i = 0; i < body.parameters; ++i) local_ids_[i] = module_values_ + i;
  std::uint32_t next = first + static_cast<std::uint32_t>(order.size());
  const auto number = [&](const Record& record) {
    if (record.result != kNone && !record.removed) local_ids_[record.result & ~ModuleEdit::kLocal] = next++;
  };
  inserted = 0;
  for (std::uint32_t i = 0; i < body.records.size(); ++i) {
    for (; inserted < body.inserted.size() && body.inserted[inserted].before == i; ++inserted) number(body.inserted[inserted].record);
    number(body.records[i]);
  }
  return order;
}

void Numbering::leave_function() {
  for (const Handle handle : own_constants_) ids_[handle] = kNone;
}

}  // namespace unshade::dxil::edit
