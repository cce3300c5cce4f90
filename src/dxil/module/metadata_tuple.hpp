// Metadata nodes as DXIL uses them: lists of numbers, texts, values and other lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <unshade/dxil/module.hpp>

namespace unshade::dxil::module {

/// Operands of a tuple, as metadata ids + 1, and what they hold.
class MetadataTuple {
 public:
  MetadataTuple(const Module& module, std::span<const std::uint64_t> operands) : module_(&module), operands_(operands) {}

  std::size_t size() const { return operands_.size(); }
  const Metadata* at(std::size_t i) const {
    if (i >= operands_.size() || operands_[i] == 0) return nullptr;
    return &module_->metadata[operands_[i] - 1];
  }
  std::uint32_t id(std::size_t i) const { return at(i) == nullptr ? kNone : static_cast<std::uint32_t>(operands_[i] - 1); }

  /// The tuple at `i`, an empty one if there is none.
  MetadataTuple tuple(std::size_t i) const { return of(*module_, at(i)); }
  static MetadataTuple of(const Module& module, const Metadata* node) {
    if (node == nullptr || node->kind != MetadataKind::node) return {module, {}};
    return {module, module.metadata_operands_of(node->operands)};
  }
  std::string_view text(std::size_t i) const {
    const Metadata* string = at(i);
    return string != nullptr && string->kind == MetadataKind::string ? module_->string_of(*string) : std::string_view();
  }
  /// The value id at `i`, or kNone.
  std::uint32_t value(std::size_t i) const {
    const Metadata* value = at(i);
    return value != nullptr && value->kind == MetadataKind::value ? value->value : kNone;
  }
  const Constant* constant(std::size_t i) const {
    const std::uint32_t id = value(i);
    if (id >= module_->values.size() || module_->values[id].kind != ValueKind::constant) return nullptr;
    return &module_->constants[module_->values[id].index];
  }
  std::optional<std::uint64_t> integer(std::size_t i) const {
    const Constant* found = constant(i);
    if (found == nullptr) return std::nullopt;
    const Type& type = module_->types[found->type];
    if (type.kind != TypeKind::integer) return std::nullopt;
    if (found->kind == ConstantKind::null) return 0;
    if (found->kind != ConstantKind::integer) return std::nullopt;
    return type.number < 64 ? found->bits & ((std::uint64_t{1} << type.number) - 1) : found->bits;
  }
  std::uint32_t u32(std::size_t i) const { return static_cast<std::uint32_t>(integer(i).value_or(0)); }

 private:
  const Module* module_;
  std::span<const std::uint64_t> operands_;
};

/// The list of a name, or null.
inline const NamedMetadata* find_named_metadata(const Module& module, std::string_view name) {
  for (const NamedMetadata& list : module.named_metadata)
    if (module.text(list.name) == name) return &list;
  return nullptr;
}

/// Calls `visit` with each node of a named list.
template <class Visit>
void for_each_tuple(const Module& module, std::string_view name, Visit&& visit) {
  const NamedMetadata* list = find_named_metadata(module, name);
  if (list == nullptr) return;
  for (const std::uint64_t id : module.metadata_operands_of(list->nodes)) visit(MetadataTuple::of(module, &module.metadata[id]));
}

}  // namespace unshade::dxil::module
