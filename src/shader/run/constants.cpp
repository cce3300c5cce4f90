// Variables of constant buffers by their names.
#include <algorithm>
#include <utility>

#include <unshade/ir/lower_pica.hpp>

#include "core/rounding.hpp"
#include "core/spelling.hpp"
#include "shader/run/bindings.hpp"

namespace unshade::shader::runner {

using ir::Type;

namespace {

/// Writes values of a variable where its type has them.
class Laying {
 public:
  /// `stride`: of elements of arrays that state none, at least 16.
  Laying(const Reflection& reflection, std::vector<std::byte>& bytes, std::uint32_t stride)
      : reflection_(reflection), bytes_(bytes), stride_(stride) {}

  Result<void> put(const Value& value, std::uint32_t type, std::uint64_t offset, unsigned depth = 0) {
    if (type == kNone || depth > 32) return fault(value, "", "the type of the variable is not known");
    const shader::Type& t = reflection_.types[type];
    if (t.elements > 1 || (t.elements == 1 && value.as_list() != nullptr)) {
      const Value::List* const list = value.as_list();
      if (list == nullptr || list->size() > t.elements)
        return fault(value, "", "expected a list of " + std::to_string(t.elements) + " elements");
      const std::uint64_t stride = t.array_stride != 0 ? t.array_stride : round_up(element_bytes(t), stride_);
      for (std::size_t k = 0; k < list->size(); ++k) {
        if (auto done = element((*list)[k], t, offset + k * stride, depth); !done) return done;
      }
      return {};
    }
    return element(value, t, offset, depth);
  }

 private:
  static bool by_columns(const shader::Type& t) { return t.type_class == TypeClass::matrix_columns; }

  std::uint64_t element_bytes(const shader::Type& t) const {
    if (t.is_struct()) {
      std::uint64_t end = 0;
      for (const Member& member : t.members) end = std::max<std::uint64_t>(end, member.offset + 16);
      return end;
    }
    const std::uint64_t vectors = by_columns(t) ? t.columns : t.rows;
    const std::uint64_t components = by_columns(t) ? t.rows : t.columns;
    return (std::max<std::uint64_t>(vectors, 1) - 1) * 16 + components * size_of(t.base);
  }
  static unsigned size_of(BaseType base) {
    return base == BaseType::double_ || base == BaseType::int64 || base == BaseType::uint64 ? 8 : 4;
  }
  static Type type_of(BaseType base) {
    switch (base) {
      case BaseType::float_: return Type::f32;
      case BaseType::double_: return Type::f64;
      case BaseType::int64:
      case BaseType::uint64: return Type::i64;
      default: return Type::i32;
    }
  }

  Result<void> element(const Value& value, const shader::Type& t, std::uint64_t offset, unsigned depth) {
    if (t.is_struct()) {
      if (value.as_map() == nullptr) return fault(value, "", "expected a map of the members of the struct");
      for (const Value::Member& member : *value.as_map()) {
        const auto found = std::ranges::find(t.members, member.key, &Member::name);
        if (found == t.members.end()) {
          Nearest nearest(member.key);
          for (const Member& one : t.members) nearest.consider(one.name);
          return Error{ErrorCode::missing, member.key_offset, member.key, "the struct has no member of this name" + nearest.question()};
        }
        if (auto done = put(member.value, found->type, offset + found->offset, depth + 1); !done)
          return std::move(done).error().within(member.key);
      }
      return {};
    }
    std::vector<const Value*> numbers;
    flatten(value, numbers);
    const std::size_t rows = std::max(1U, t.rows);
    const std::size_t columns = std::max(1U, t.columns);
    if (numbers.size() > rows * columns) {
      return fault(value, "", std::to_string(numbers.size()) + " numbers, expected " + std::to_string(rows * columns));
    }
    const unsigned size = size_of(t.base);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      auto bits = bits_of(*numbers[k], type_of(t.base), "");
      if (!bits) return std::move(bits).error();
      const std::size_t row = k / columns;
      const std::size_t column = k % columns;
      const std::uint64_t at = offset + (by_columns(t) ? column * 16 + row * size : row * 16 + column * size);
      for (unsigned byte = 0; byte < size && at + byte < bytes_.size(); ++byte)
        bytes_[at + byte] = static_cast<std::byte>(*bits >> (8 * byte));
    }
    return {};
  }

  static void flatten(const Value& value, std::vector<const Value*>& to) {
    if (const Value::List* const list = value.as_list()) {
      for (const Value& one : *list) flatten(one, to);
    } else {
      to.push_back(&value);
    }
  }

  const Reflection& reflection_;
  std::vector<std::byte>& bytes_;
  std::uint64_t stride_;
};

}  // namespace

std::optional<ConstantPlace> constants_in(const ir::Resource& resource, const Buffer& buffer, const Reflection& reflection) {
  if (resource.kind != ResourceKind::cbuffer && resource.kind != ResourceKind::push_constants) return std::nullopt;
  if (reflection.family != Family::pica) return resource.name == buffer.name ? std::optional(ConstantPlace{}) : std::nullopt;
  // one buffer of the machine holds the registers of all three kinds
  namespace uniforms = ir::pica_uniforms;
  if (buffer.name.ends_with('c')) return ConstantPlace{uniforms::real(0, 0), 1, 16};
  if (buffer.name.ends_with('i')) return ConstantPlace{uniforms::integer(0, 0), 1, 16};
  return ConstantPlace{uniforms::boolean(0), 4, 4};
}

bool Bindings::has_constant(std::string_view name) const {
  if (options_.reflection == nullptr) return false;
  return std::ranges::any_of(options_.reflection->buffers, [&](const Buffer& buffer) {
    return std::ranges::find(buffer.variables, name, &Variable::name) != buffer.variables.end() &&
           std::ranges::any_of(module_.resources,
                               [&](const ir::Resource& one) { return constants_in(one, buffer, *options_.reflection).has_value(); });
  });
}

Result<void> Bindings::set_constants(const Value& constants) {
  if (constants.as_map() == nullptr) return fault(constants, "constants", "expected a map of variables");
  for (const Value::Member& member : *constants.as_map()) {
    bool found = false;
    for (std::size_t b = 0; options_.reflection != nullptr && b < options_.reflection->buffers.size() && !found; ++b) {
      const Buffer& buffer = options_.reflection->buffers[b];
      const auto variable = std::ranges::find(buffer.variables, member.key, &Variable::name);
      if (variable == buffer.variables.end()) continue;
      for (std::size_t row = 0; row < module_.resources.size() && !found; ++row) {
        const ir::Resource& resource = module_.resources[row];
        const auto place = constants_in(resource, buffer, *options_.reflection);
        if (!place) continue;
        const Binding binding{row, 0};
        Memory& memory = memory_of(binding, key_of(resource, 0));
        const std::size_t needed = std::max<std::size_t>(place->base != 0 ? resource.bytes : buffer.size, resource.initial.size());
        if (memory.bytes.size() < needed) {
          const bool is_new = memory.bytes.empty();
          if (auto done = resize(memory.bytes, needed); !done) return done;
          if (is_new) std::ranges::copy(resource.initial, memory.bytes.begin());
        }
        if (auto done = Laying(*options_.reflection, memory.bytes, place->stride)
                            .put(member.value, variable->type, place->base + variable->offset / place->packed);
            !done) {
          return std::move(done).error().within("constants/" + member.key);
        }
        const auto to = descriptor(binding, resources_.heap);
        if (!to) return to.error();
        (*to)->bytes = memory.bytes;
        found = true;
      }
    }
    if (found) continue;
    Nearest nearest(member.key);
    for (std::size_t b = 0; options_.reflection != nullptr && b < options_.reflection->buffers.size(); ++b) {
      for (const Variable& variable : options_.reflection->buffers[b].variables) nearest.consider(variable.name);
    }
    return Error{ErrorCode::missing, member.key_offset, "constants/" + member.key,
                 "no constant buffer has a variable of this name" + nearest.question()};
  }
  return {};
}

}  // namespace unshade::shader::runner
