// Classes that an application binds to interfaces (dynamic linkage): a method tells which class it is.
// src: HLSL reference, "Interfaces and Classes"; Direct3D 11, "Dynamic Linking"
#include <algorithm>
#include <set>
#include <string_view>

#include <unshade/core/text.hpp>
#include <unshade/core/text/identifiers.hpp>

#include "write/hlsl/hlsl.hpp"

namespace unshade::write::hlsl {

namespace {

/// What reflection has of the interfaces: variables whose offsets and sizes count slots; null: nothing.
const shader::Buffer* interfaces_of(const shader::Reflection& reflection) {
  const auto found = std::ranges::find(reflection.buffers, shader::BufferKind::interface_pointers, &shader::Buffer::kind);
  return found == reflection.buffers.end() ? nullptr : &*found;
}

std::string_view type_of(const shader::Reflection& reflection, const shader::Variable& interface) {
  return interface.type < reflection.types.size() ? std::string_view(reflection.types[interface.type].name) : std::string_view();
}

}  // namespace

// The text declares no constants of classes, nor instances that have such.
bool Hlsl::has_plain_classes() const {
  const shader::Reflection* const reflection = writer_.reflection;
  if (reflection == nullptr || !reflection->class_linkage || interfaces_of(*reflection) == nullptr) return false;
  const auto is_plain = [](const shader::ClassType& one) {
    return one.constant_buffer_stride == 0 && one.texture_count == 0 && one.sampler_count == 0 && !one.name.empty();
  };
  if (!reflection->class_linkage->instances.empty() || !std::ranges::all_of(reflection->class_linkage->types, is_plain)) return false;
  // what cannot be a name, or is one twice, is not declared by it
  std::set<std::string_view> names, interfaces;
  const auto is_new = [&](std::string_view name) {
    return may_be_identifier(ShadingLanguage::hlsl, name) && !interfaces.contains(name) && names.insert(name).second;
  };
  for (const shader::Variable& one : interfaces_of(*reflection)->variables) interfaces.insert(type_of(*reflection, one));
  return std::ranges::all_of(interfaces, [](std::string_view name) { return may_be_identifier(ShadingLanguage::hlsl, name); }) &&
         std::ranges::all_of(reflection->class_linkage->types, is_new, &shader::ClassType::name) &&
         std::ranges::all_of(interfaces_of(*reflection)->variables, is_new, &shader::Variable::name);
}

std::optional<Expression> Hlsl::class_number(std::uint32_t slot) {
  if (!has_plain_classes()) return std::nullopt;
  for (const shader::Variable& one : interfaces_of(*writer_.reflection)->variables) {
    if (slot < one.offset || slot - one.offset >= one.size || one.name.empty() || type_of(*writer_.reflection, one).empty()) continue;
    has_classes_ = true;
    const bool is_array = one.size > 1;
    return Expression{
        one.name + (is_array ? '[' + std::to_string(slot - one.offset) + ']' : "") + ".number()", Level::postfix, {Base::uint_, 1}};
  }
  return std::nullopt;
}

// Names that the application knows.
void Hlsl::claim_classes() {
  if (!has_plain_classes()) return;
  for (const shader::ClassType& one : writer_.reflection->class_linkage->types) (void)writer_.names.reserve(one.name);
  for (const shader::Variable& one : interfaces_of(*writer_.reflection)->variables) {
    (void)writer_.names.reserve(one.name);
    (void)writer_.names.reserve(type_of(*writer_.reflection, one));
  }
}

// All interfaces, in the order of their slots, and all classes, in the order of their ids.
void Hlsl::declare_classes(Text& out) const {
  if (!has_classes_) return;
  const shader::Reflection& reflection = *writer_.reflection;
  const shader::ClassLinkage& linkage = *reflection.class_linkage;
  std::vector<shader::Variable> interfaces = interfaces_of(reflection)->variables;
  std::ranges::stable_sort(interfaces, {}, &shader::Variable::offset);
  std::vector<std::string_view> declared;
  for (const shader::Variable& one : interfaces) {
    const std::string_view type = type_of(reflection, one);
    if (std::ranges::find(declared, type) != declared.end()) continue;
    declared.push_back(type);
    out << "interface " << type << " {\n  uint number();\n};\n\n";
  }
  for (std::uint32_t type = 0; type < linkage.types.size(); ++type) {
    // the place of the class in the list of each slot that may have it
    std::vector<std::string_view> implemented;
    std::optional<std::size_t> number;
    for (const shader::InterfaceSlot& slot : linkage.slots) {
      const auto found = std::ranges::find(slot.types, type);
      if (found == slot.types.end()) continue;
      const auto place = static_cast<std::size_t>(found - slot.types.begin());
      if (number && *number != place) return writer_.unsupported("classes with another number in each slot of an interface");
      number = place;
      for (const shader::Variable& one : interfaces) {
        const bool overlaps = one.offset < slot.first + slot.count && slot.first < one.offset + one.size;
        const std::string_view name = type_of(reflection, one);
        if (overlaps && std::ranges::find(implemented, name) == implemented.end()) implemented.push_back(name);
      }
    }
    if (!number) continue;
    out << "class " << linkage.types[type].name << " : ";
    for (std::size_t k = 0; k < implemented.size(); ++k) out << (k == 0 ? "" : ", ") << implemented[k];
    (out << " {\n  uint number() {\n    return ").dec(*number) << ";\n  }\n};\n\n";
  }
  for (const shader::Variable& one : interfaces) {
    out << type_of(reflection, one) << ' ' << one.name;
    if (one.size > 1) (out << '[').dec(one.size) << ']';
    out << ";\n";
  }
  out << '\n';
}

}  // namespace unshade::write::hlsl
