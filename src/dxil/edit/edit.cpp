// What can be changed of a module.
#include <unshade/dxil/edit.hpp>

#include <algorithm>

#include <unshade/core/bits/sign_extended.hpp>

#include "dxil/module/record_operands.hpp"

namespace unshade::dxil {

std::uint32_t ModuleEdit::text(std::string_view text) {
  const auto [found, added] = texts_.try_emplace(std::string(text), static_cast<std::uint32_t>(module_.metadata.size()));
  if (added) {
    Metadata string;
    string.operands = {static_cast<std::uint32_t>(module_.characters.size()), static_cast<std::uint32_t>(text.size())};
    module_.characters += text;
    module_.metadata.push_back(string);
  }
  return found->second;
}

std::uint32_t ModuleEdit::metadata_value(Handle constant_handle) {
  const auto [found, added] = metadata_values_.try_emplace(constant_handle, static_cast<std::uint32_t>(module_.metadata.size()));
  if (added) {
    Metadata value{.kind = MetadataKind::value};
    value.type = constant_handle < globals_ ? module_.values[constant_handle].type : constant(constant_handle).type;
    value.value = constant_handle;
    module_.metadata.push_back(value);
  }
  return found->second;
}

std::uint32_t ModuleEdit::node(std::span<const std::uint32_t> operands) {
  Metadata node{.kind = MetadataKind::node};
  node.operands = {static_cast<std::uint32_t>(module_.metadata_operands.size()), static_cast<std::uint32_t>(operands.size())};
  for (const std::uint32_t id : operands) module_.metadata_operands.push_back(id == kNone ? 0 : id + std::uint64_t{1});
  module_.metadata.push_back(node);
  return static_cast<std::uint32_t>(module_.metadata.size() - 1);
}

std::uint32_t ModuleEdit::operand(std::uint32_t node, std::size_t i) const {
  if (node >= module_.metadata.size()) return kNone;
  const Metadata& from = module_.metadata[node];
  if (from.kind != MetadataKind::node || i >= from.operands.count) return kNone;
  const std::uint64_t id = module_.metadata_operands[from.operands.first + i];
  return id == 0 ? kNone : static_cast<std::uint32_t>(id - 1);
}

void ModuleEdit::set_operand(std::uint32_t node, std::size_t i, std::uint32_t id) {
  std::uint64_t& operand = module_.metadata_operands[module_.metadata[node].operands.first + i];
  const std::uint64_t value = id == kNone ? 0 : id + std::uint64_t{1};
  changed_ = changed_ || operand != value;
  operand = value;
}

std::uint32_t ModuleEdit::with_operand(std::uint32_t node_id, std::size_t i, std::uint32_t id) {
  if (module_.metadata[node_id].distinct) {
    set_operand(node_id, i, id);
    return node_id;
  }
  const auto from = module_.metadata_operands_of(module_.metadata[node_id].operands);
  std::vector<std::uint32_t> operands;
  for (const std::uint64_t operand : from) operands.push_back(operand == 0 ? kNone : static_cast<std::uint32_t>(operand - 1));
  operands[i] = id;
  return node(operands);
}

void ModuleEdit::remove_named(std::size_t list) {
  changed_ = true;
  named_removed_[list] = true;
}

void ModuleEdit::set_nodes(std::size_t list, std::span<const std::uint32_t> nodes) {
  if (std::ranges::equal(nodes, module_.metadata_operands_of(module_.named_metadata[list].nodes))) return;
  remove_named(list);
  NamedMetadata now = module_.named_metadata[list];
  now.nodes = {static_cast<std::uint32_t>(module_.metadata_operands.size()), static_cast<std::uint32_t>(nodes.size())};
  module_.metadata_operands.insert(module_.metadata_operands.end(), nodes.begin(), nodes.end());
  module_.named_metadata.push_back(now);
  named_removed_.push_back(false);
}

std::uint32_t ModuleEdit::integer_type(std::uint32_t width) const {
  for (std::uint32_t i = 0; i < module_.file_types; ++i)
    if (module_.types[i].kind == TypeKind::integer && module_.types[i].number == width) return i;
  return kNone;
}

ModuleEdit::Handle ModuleEdit::integer(std::uint32_t type, std::uint64_t value) {
  const std::uint32_t width = module_.types[type].number;
  if (width < 64) value = static_cast<std::uint64_t>(sign_extended(value, width));
  if (value == 0) return intern(type, bitcode::code::constants_null, {});
  const auto number = static_cast<std::int64_t>(value);
  const std::uint64_t record[] = {number > 0 ? value << 1 : ((0 - value) << 1 | 1)};
  return intern(type, bitcode::code::constants_integer, record);
}

ModuleEdit::Handle ModuleEdit::aggregate(std::uint32_t type, std::span<const Handle> members) {
  const auto is_null = [&](Handle member) { return member >= globals_ && constant(member).code == bitcode::code::constants_null; };
  if (std::ranges::all_of(members, is_null)) return intern(type, bitcode::code::constants_null, {});
  const std::vector<std::uint64_t> record(members.begin(), members.end());
  return intern(type, bitcode::code::constants_aggregate, record);
}

void ModuleEdit::rename_value(std::uint32_t value, std::string_view name) {
  changed_ = true;
  value_names_[value] = std::string(name);
}

void ModuleEdit::remove_global(std::uint32_t value) {
  changed_ = true;
  globals_removed_.resize(globals_);
  globals_removed_[value] = true;
}

std::vector<bool> ModuleEdit::used_globals() const {
  std::vector<bool> used(globals_);
  const auto use = [&](std::uint64_t value) {
    if (value < globals_) used[static_cast<std::size_t>(value)] = true;
  };
  const auto use_operands = [&](const Record& record) {
    if (record.removed) return;
    for (std::uint32_t i = record.refs.first; i < record.refs.end(); ++i)
      if (refs_[i].kind != RefKind::metadata && refs_[i].kind != RefKind::metadata_or_null)
        use(pool_[record.operands.first + refs_[i].position]);
  };
  for (const Body& body : bodies_) {
    for (const Record& record : body.records) use_operands(record);
    for (const Inserted& inserted : body.inserted) use_operands(inserted.record);
  }
  for (const ConstantNode& node : constants_)
    module::for_each_constant_operand(node.code, pool(node.operands), [&](std::size_t i) { use(pool_[node.operands.first + i]); });
  for (const Metadata& metadata : module_.metadata)
    if (metadata.kind == MetadataKind::value) use(metadata.value);
  for (const Global& global : module_.globals) use(global.initializer);
  for (const Alias& alias : module_.aliases) use(alias.aliasee);
  for (const Function& function : module_.functions)
    for (const std::uint32_t value : {function.prefix, function.prologue, function.personality}) use(value);
  return used;
}

bool ModuleEdit::remove_names() {
  const auto named = [](const auto& one) { return one.name.count != 0; };
  bool found = std::ranges::any_of(module_.blocks, named);
  for (const dxil::Body& body : module_.bodies)
    for (std::uint32_t i = body.values.first; i < body.values.end(); ++i)
      found = found || (module_.local_values[i].kind == ValueKind::instruction && named(module_.local_values[i]));
  names_removed_ = names_removed_ || found;
  changed_ = changed_ || found;
  return found;
}

void ModuleEdit::rename_type(std::uint32_t type, std::string_view name) {
  changed_ = true;
  type_names_[type] = std::string(name);
}

ModuleEdit::Record& ModuleEdit::record_of(std::uint32_t body, std::uint32_t instruction) {
  Body& b = bodies_[body];
  return b.records[b.instructions[instruction - module_.bodies[body].instructions.first]];
}

void ModuleEdit::set_argument(std::uint32_t body, std::uint32_t instruction, std::size_t i, Handle value) {
  // The function called comes last.
  const Record& record = record_of(body, instruction);
  if (i + 1 >= record.refs.count) return;
  std::uint64_t& operand = pool_[record.operands.first + refs_[record.refs.first + i].position];
  changed_ = changed_ || operand != value;
  operand = value;
}

void ModuleEdit::set_second(std::uint32_t body, std::uint32_t instruction, Handle value) {
  const Record& record = record_of(body, instruction);
  if (record.refs.count < 2) return;
  std::uint64_t& operand = pool_[record.operands.first + refs_[record.refs.first + 1].position];
  changed_ = changed_ || operand != value;
  operand = value;
}

ModuleEdit::Handle ModuleEdit::insert_add(std::uint32_t body, std::uint32_t instruction, Handle value, Handle addend) {
  constexpr std::uint64_t kAdd = 0;  // src: LLVMBitCodes.h, BINOP_ADD
  Body& b = bodies_[body];
  Record record;
  record.code = bitcode::code::function_binary;
  record.abbreviation = binary_abbreviation_ == 0 ? abbreviation::kUnabbreviated : binary_abbreviation_;
  record.operands = {static_cast<std::uint32_t>(pool_.size()), 3};
  pool_.insert(pool_.end(), {value, addend, kAdd});
  record.refs = {static_cast<std::uint32_t>(refs_.size()), 2};
  refs_.push_back({0, RefKind::relative});
  refs_.push_back({1, RefKind::relative});
  record.result = kLocal | b.locals++;
  record.instruction = true;
  const std::uint32_t before = b.instructions[instruction - module_.bodies[body].instructions.first];
  const auto place = std::ranges::upper_bound(b.inserted, before, {}, &Inserted::before);
  b.inserted.insert(place, {before, record});
  changed_ = true;
  return record.result;
}

bool ModuleEdit::remove(std::uint32_t body, std::uint32_t instruction) {
  Body& b = bodies_[body];
  const std::size_t index = b.instructions[instruction - module_.bodies[body].instructions.first];
  if (index + 1 < b.records.size() && !b.records[index + 1].instruction && !b.records[index + 1].removed) return false;
  b.records[index].removed = true;
  changed_ = true;
  return true;
}

bool ModuleEdit::remove_locations() {
  bool found = false;
  for (Body& body : bodies_)
    for (Record& record : body.records) {
      if (record.code != bitcode::code::function_location && record.code != bitcode::code::function_location_again) continue;
      record.removed = found = true;
    }
  changed_ = changed_ || found;
  return found;
}

}  // namespace unshade::dxil
