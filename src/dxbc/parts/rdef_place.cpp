#include <unshade/dxbc/rdef.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <unshade/core/limits.hpp>

#include "dxbc/parts/fxc_places.hpp"

namespace unshade::dxbc {

namespace {

// observed, in all parts of fxc: things are in the order in which a walk over the definitions comes to them, what a record points to
// before the record, but a table of buffers, bindings or variables before what it points to. Equal texts and default values are shared.
// Everything but texts is aligned to 4 bytes. The creator comes last. An interface has no members, yet a place for them: that of the first
// such.
class Placer : parts::FxcPlaces {
 public:
  explicit Placer(Rdef& rdef) : parts::FxcPlaces(rdef.strides.header), rdef_(rdef) {}

  void place() {
    const RdefStrides& strides = rdef_.strides;
    rdef_.bindings.offset = take(rdef_.bindings.size() * strides.binding);
    for (Binding& binding : rdef_.bindings) text(binding.name);
    rdef_.constant_buffers.offset = rdef_.constant_buffers.empty() ? 0 : take(rdef_.constant_buffers.size() * strides.constant_buffer);
    for (ConstantBuffer& buffer : rdef_.constant_buffers) {
      optional_text(buffer.name);
      buffer.variables.offset = buffer.variables.empty() ? 0 : take(buffer.variables.size() * strides.variable);
      for (Variable& variable : buffer.variables) {
        text(variable.name);
        type(variable.type, 0);
        default_value(variable);
      }
    }
    text(rdef_.creator);
  }

 private:
  void type(std::uint32_t index, unsigned depth) {
    if (index >= rdef_.types.size() || depth > limits::kNesting) return;
    Type& type = rdef_.types[index];
    if (type.offset != kUnplaced) return;
    const RdefStrides& strides = rdef_.strides;
    type.offset = kUnplaced - 1;  // being placed: one that contains itself ends here
    if (strides.has_class_info()) optional_text(type.name);
    if (strides.has_class_info()) {
      this->type(type.subtype, depth + 1);
      this->type(type.base_class, depth + 1);
      std::vector<std::uint32_t> words;
      for (const TypeReference& reference : type.interfaces) {
        this->type(reference.type, depth + 1);
        words.push_back(offset_of(reference.type));
      }
      type.interfaces.offset = table_of(std::move(words), 4);
    }
    std::vector<std::uint32_t> words;
    for (Member& member : type.members) {
      text(member.name);
      this->type(member.type, depth + 1);
      words.insert(words.end(), {member.name.offset, offset_of(member.type), member.offset});
    }
    const bool is_interface = strides.has_class_info() && type.variable_class == TypeClass::interface_class;
    type.members.offset = is_interface && words.empty() ? no_members() : table_of(std::move(words), strides.member / 3);
    type.offset = take(strides.type);
  }
  std::uint32_t offset_of(std::uint32_t type) const { return type < rdef_.types.size() ? rdef_.types[type].offset : 0; }
  std::uint32_t no_members() {
    if (no_members_ == kUnplaced) no_members_ = take(0);
    return no_members_;
  }
  void default_value(Variable& variable) {
    if (variable.default_value.empty()) {
      variable.default_value.offset = 0;
      return;
    }
    const View bytes = variable.default_value[0].bytes;
    const auto [found, is_new] = default_values_.try_emplace(bytes.text(), 0);
    if (is_new) found->second = take(std::max<std::uint64_t>(variable.size, bytes.size()));
    variable.default_value.offset = found->second;
  }

  Rdef& rdef_;
  std::map<std::string_view, std::uint32_t> default_values_;
  std::uint32_t no_members_ = kUnplaced;
};

bool is_placed(const Rdef& rdef) {
  const auto placed = [](const auto& thing) { return thing.offset != kUnplaced; };
  if (placed(rdef.creator) || placed(rdef.constant_buffers) || placed(rdef.bindings)) return true;
  if (std::any_of(rdef.types.begin(), rdef.types.end(), placed)) return true;
  const auto named = [&](const auto& thing) { return placed(thing.name); };
  if (std::any_of(rdef.bindings.begin(), rdef.bindings.end(), named)) return true;
  return std::any_of(rdef.constant_buffers.begin(), rdef.constant_buffers.end(), [&](const ConstantBuffer& buffer) {
    return placed(buffer.variables) || std::any_of(buffer.variables.begin(), buffer.variables.end(), named);
  });
}

}  // namespace

void place_as_fxc(Rdef& rdef) {
  if (!is_placed(rdef)) Placer(rdef).place();
}

}  // namespace unshade::dxbc
