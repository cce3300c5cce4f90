// Constants by name, and the resources that no case gives.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <map>
#include <set>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/image_format.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/specialize.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

#include "run/registers.hpp"

namespace unshade::run {

using dxcontainer::ResourceKind;

namespace {

/// Members and indexes of the part of a variable that a name means.
constexpr unsigned kMostSteps = 64;
/// Full names in a message.
constexpr std::uint32_t kMostListed = 8;

}  // namespace

std::optional<ConstantPlace> constants_in(const ir::Resource& resource, const shader::Resource* row, const shader::Buffer& buffer,
                                          const shader::Reflection& reflection) {
  if (resource.kind != ResourceKind::cbuffer && resource.kind != ResourceKind::push_constants) return std::nullopt;
  if (!shader::traits_of(reflection.family).has_uniform_registers) {
    // a block of Vulkan may have another name than its variable
    const bool has_row = row != nullptr && row->buffer < reflection.buffers.size();
    const bool is_its = has_row ? &reflection.buffers[row->buffer] == &buffer : resource.name == buffer.name;
    return is_its ? std::optional(ConstantPlace{}) : std::nullopt;
  }
  // one buffer of the interpreter holds the registers of all three kinds
  namespace uniforms = ir::pica_uniforms;
  if (buffer.name.ends_with('c')) return ConstantPlace{uniforms::real(0, 0), 1, 16};
  if (buffer.name.ends_with('i')) return ConstantPlace{uniforms::integer(0, 0), 1, 16, 0xff};
  return ConstantPlace{uniforms::boolean(0), 4, 4};
}

// All that a name may mean: `scale`, `A.scale`, `lights[2].scale`, and `lights[2]` of a buffer that is one variable.
std::vector<Bindings::Constant> Bindings::constants_named(std::string_view name) const {
  std::vector<Constant> made;
  std::set<std::pair<Place, std::uint32_t>> known;  // what shares its memory is one
  const auto add = [&](std::string_view variable_name, const std::optional<Spoken>& where) {
    for (std::size_t b = 0; b < variables_.size(); ++b) {
      const shader::Buffer& buffer = options_.reflection->buffers[b];
      const auto number = variables_[b].find(buffer.variables, variable_name, &shader::Variable::name);
      if (!number) continue;
      const shader::Variable& variable = buffer.variables[*number];
      for (std::size_t row = 0; row < module_.resources.size(); ++row) {
        const ir::Resource& resource = module_.resources[row];
        const auto place = constants_in(resource, row_of(resource), buffer, *options_.reflection);
        if (!place) continue;
        // enough elements of an array to list
        std::uint32_t first = 0, last = resource.count == 0 ? 1 : std::min(resource.count, kMostListed + 1) - 1;
        if (where) {
          auto element = where->base == buffer.name ? element_of(resource, where->indexes) : element_by_name(resource, *where);
          if (!element) element = element_by_key(resource, *where);
          if (!element) continue;
          const bool is_register = !resource.in_set && where->base != buffer.name && !element_by_name(resource, *where);
          if (!where->indexes.empty() || resource.count == 1 || is_register) first = last = *element;
        }
        for (std::uint32_t index = first; index <= last; ++index)
          if (known.emplace(run::place_of(resource, index), place->base + variable.offset).second)
            made.push_back({{row, index}, *place, &buffer, &variable});
      }
    }
  };
  if (options_.reflection == nullptr) return made;
  add(name, std::nullopt);
  for (std::size_t dot = name.find('.'); made.empty() && dot != std::string_view::npos; dot = name.find('.', dot + 1))
    add(name.substr(dot + 1), Spoken(name.substr(0, dot)));
  if (const Spoken element(name); made.empty() && !element.indexes.empty()) add(element.base, element);
  return made;
}

std::optional<Bindings::ConstantPart> Bindings::part_named(std::string_view name) const {
  constexpr std::string_view kSteps = ".[";
  unsigned steps = 0;
  for (std::size_t at = name.find_last_of(kSteps); at != std::string_view::npos && at != 0 && steps++ < kMostSteps;
       at = name.find_last_of(kSteps, at - 1)) {
    ConstantPart made;
    made.path = name.substr(at);
    made.found = constants_named(name.substr(0, at));
    if (made.found.empty()) made.unused = unused_constant(name.substr(0, at));
    if (!made.found.empty() || made.unused.second != nullptr) return made;
  }
  return std::nullopt;
}

std::string Bindings::full_name(const Constant& one, std::span<const Constant> all) const {
  const ir::Resource& resource = module_.resources[one.binding.row];
  const std::string index = index_text(resource, one.binding.index);
  // a buffer that is one variable, as ConstantBuffer<T> of HLSL
  if (one.buffer->name == one.variable->name) return one.variable->name + index;
  // a name means the block or the variable of all resources that have it
  const auto is_alone = [&](std::string_view name) {
    return !name.empty() && std::ranges::all_of(all, [&](const Constant& other) {
      return other.binding.row == one.binding.row || (other.buffer->name != name && module_.resources[other.binding.row].name != name);
    });
  };
  const std::string block = is_alone(one.buffer->name) ? one.buffer->name + index
                            : is_alone(resource.name)  ? resource.name + index
                                                       : key_of(resource, one.binding.index);
  return block + '.' + one.variable->name;
}

std::pair<const shader::Buffer*, const shader::Variable*> Bindings::unused_constant(std::string_view name) const {
  if (options_.reflection == nullptr) return {};
  const auto find = [&](std::string_view block,
                        std::string_view variable_name) -> std::pair<const shader::Buffer*, const shader::Variable*> {
    const Spoken where(block);
    for (const shader::Resource& row : options_.reflection->resources) {
      const bool is_of_constants = row.kind == ResourceKind::cbuffer || row.kind == ResourceKind::push_constants;
      if (!is_of_constants || row.buffer >= options_.reflection->buffers.size()) continue;
      const shader::Buffer& buffer = options_.reflection->buffers[row.buffer];
      if (!block.empty() && where.base != row.name && where.base != buffer.name) continue;
      const auto number = variables_[row.buffer].find(buffer.variables, variable_name, &shader::Variable::name);
      const ir::Resource resource = as_declared(row, *options_.reflection, false);
      const auto element = element_of(resource, where.indexes);
      if (number && element && bound_.at(run::place_of(resource, *element)).empty()) return {&buffer, &buffer.variables[*number]};
    }
    return {};
  };
  auto found = find({}, name);
  for (std::size_t dot = name.find('.'); found.second == nullptr && dot != std::string_view::npos; dot = name.find('.', dot + 1))
    found = find(name.substr(0, dot), name.substr(dot + 1));
  return found;
}

Result<void> Bindings::check_unused(const Value::Member& member, const shader::Buffer& buffer, const shader::Variable& variable,
                                    std::string_view path) {
  std::vector<std::byte> memory;
  if (auto done = resize(memory, buffer.size); !done) return done;
  taken_ -= memory.size();
  const TypeLayout layout(*options_.reflection, Packing::registers, 16);
  if (auto done = layout.put(path, member.value, variable.type, variable.offset, memory); !done)
    return std::move(done).error().within("constants/" + member.key);
  return {};
}

bool Bindings::has_constant(const Value::Member& member) const {
  return is_constant(member.key) || part_named(member.key) || !members_of_block(member).empty();
}

bool Bindings::is_constant(std::string_view name) const {
  return !constants_named(name).empty() || unused_constant(name).second != nullptr ||
         specialization_named(options_.reflection, name) != nullptr || register_named(options_, name);
}

namespace {

Result<void> check_range(const Value& value, std::uint32_t most) {
  std::vector<const Value*> numbers;
  flatten(value, numbers);
  for (const Value* const one : numbers) {
    const auto bits = bits_of(*one, ir::Type::i64, "");
    if (bits && *bits > most) return fault(*one, "", "the numbers of the register must be from 0 to " + std::to_string(most));
  }
  return {};
}

}  // namespace

Result<std::vector<ByteRange>> Bindings::set_constant(const Value::Member& member, const Constant& constant, const TypeLayout& layout,
                                                      std::string_view path) {
  const auto& [binding, place, buffer, variable] = constant;
  if (place.most != 0) {
    if (auto done = check_range(member.value, place.most); !done) return std::move(done).error().within("constants/" + member.key);
  }
  const ir::Resource& resource = module_.resources[binding.row];
  Memory& memory = memory_of(binding);
  const std::size_t needed = std::max<std::size_t>(place.base != 0 ? resource.bytes : buffer->size, resource.initial.size());
  if (memory.bytes.size() < needed) {
    const bool is_new = memory.bytes.empty();
    if (auto done = resize(memory.bytes, needed); !done) return std::move(done).error();
    if (is_new) std::ranges::copy(resource.initial, memory.bytes.begin());
  }
  auto written = layout.put(path, member.value, variable->type, place.base + variable->offset / place.packed, memory.bytes);
  if (!written) return std::move(written).error().within("constants/" + member.key);
  constants_set_.emplace(place_of(binding), variable);
  auto bound = at_place(binding, [&](texel::Descriptor& to, const ir::Resource*) { to.bytes = memory.bytes; });
  if (!bound) return std::move(bound).error();
  return written;
}

namespace {

/// The bytes of constant buffers that a program loads.
class LoadedBytes {
 public:
  explicit LoadedBytes(const ir::Module& module) : ranges_(module.resources.size()), all_(module.resources.size()) {
    for (const ir::Function& function : module.functions) {
      for (const ir::BlockId block : function.order) {
        for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
          if (function.insts[id].op == ir::Op::cbuffer_load) add(function, id);
        }
      }
    }
  }
  bool overlaps(std::size_t row, std::uint64_t offset, std::uint64_t size) const {
    return all_[row] ||
           std::ranges::any_of(ranges_[row], [&](const auto& one) { return one.first < offset + size && offset < one.second; });
  }

 private:
  void add(const ir::Function& function, ir::Id id) {
    const ir::Inst& inst = function.insts[id];
    const auto operands = function.operands_of(id);
    const ir::Inst& handle = function.insts[operands[0]];
    const bool is_known = handle.op == ir::Op::handle && function.insts[operands[1]].op == ir::Op::constant;
    for (std::size_t row = 0; row < all_.size(); ++row) {
      if (handle.op == ir::Op::handle && handle.extra != row) continue;
      if (!is_known) {
        all_[row] = true;
        continue;
      }
      const std::uint64_t first = ir::constant_bits(function, operands[1]);
      ranges_[row].emplace_back(first, first + std::uint64_t{inst.results} * std::max(1U, ir::bit_width(inst.type) / 8U));
    }
  }

  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> ranges_;
  std::vector<bool> all_;
};

/// Where a variable is in the memory of its resource: up to the second byte.
std::pair<std::uint32_t, std::uint32_t> bytes_in(const ConstantPlace& place, const shader::Variable& variable) {
  const std::uint32_t first = place.base + variable.offset / place.packed;
  return {first, first + std::max(variable.size / place.packed, 1U)};
}

}  // namespace

std::vector<std::string> Bindings::constants_not_given() const {
  std::vector<std::string> made;
  const std::vector<Elements> accessed = elements_of(module_);
  const LoadedBytes loaded(module_);
  for (std::size_t row = 0; row < module_.resources.size(); ++row) {
    const ir::Resource& resource = module_.resources[row];
    if (resource.heap || letter_of(resource.kind) != 'b' || (!accessed[row].any && accessed[row].known.empty())) continue;
    const shader::Resource* const in_file = row_of(resource);
    for (const std::uint32_t index : elements_given(resource, accessed[row])) {
      const Place at = run::place_of(resource, index);
      if (constants_given_.contains(at)) continue;
      bool is_named = false;
      for (std::size_t b = 0; b < variables_.size(); ++b) {
        const shader::Buffer& buffer = options_.reflection->buffers[b];
        const auto place = constants_in(resource, in_file, buffer, *options_.reflection);
        if (!place) continue;
        is_named = true;
        for (const shader::Variable& variable : buffer.variables) {
          if (!variable.used || !variable.default_value.empty() || constants_set_.contains({at, &variable})) continue;
          const auto [first, end] = bytes_in(*place, variable);
          const auto sets = [&](const SetBytes& one) { return one.row == row && first < one.end && one.first < end; };
          if (std::ranges::any_of(bytes_set_, sets)) continue;
          if (place->base == 0 && place->packed == 1 && !loaded.overlaps(row, variable.offset, std::max(variable.size, 1U))) continue;
          const auto all = constants_named(variable.name);
          const Constant own{{row, index}, {}, &buffer, &variable};
          made.push_back(all.size() == 1 ? variable.name : full_name(own, all));
        }
      }
      if (!is_named && resource.initial.empty())
        made.push_back(resource.name.empty() ? shown_place(resource, index) : run::name_of(resource, index));
    }
  }
  return made;
}

std::vector<Value::Member> Bindings::members_of_block(const Value::Member& member) const {
  const Value::Map* const members = member.value.as_map();
  if (members == nullptr) return {};
  std::vector<Value::Member> made;
  for (const Value::Member& one : *members) made.push_back({member.key + '.' + one.key, one.value, one.key_offset});
  if (std::ranges::none_of(made, [&](const Value::Member& one) { return is_constant(one.key); })) return {};
  return made;
}

/// The bytes of constants that a case gives, with the name that gave them.
class Bindings::GivenConstants {
 public:
  /// The name that gave any of these bytes before; null if none did.
  const std::string* find(const Place& place, std::span<const ByteRange> bytes) const {
    const auto found = by_end_.find(place);
    if (found == by_end_.end()) return nullptr;
    for (const ByteRange& range : bytes) {
      const auto next = found->second.upper_bound(range.first);
      if (next != found->second.end() && next->second.first < range.end) return next->second.name;
    }
    return nullptr;
  }
  void add(const Place& place, std::span<const ByteRange> bytes, const std::string& name) {
    const std::string& kept = names_.emplace_back(name);
    for (const ByteRange& range : bytes) by_end_[place].try_emplace(range.end, Given{range.first, &kept});
  }

 private:
  struct Given {
    std::uint64_t first;
    const std::string* name;
  };
  std::map<Place, std::map<std::uint64_t, Given>> by_end_;
  std::deque<std::string> names_;
};

Result<void> Bindings::set_constants(const Value& constants) {
  if (constants.as_map() == nullptr) return fault(constants, "constants", "expected a map of variables");
  GivenConstants given;
  for (const Value::Member& member : *constants.as_map()) {
    if (auto done = set_named(member, given); !done) return done;
  }
  return {};
}

Result<void> Bindings::set_once(const Value::Member& member, const std::vector<Constant>& found, std::string_view path,
                                GivenConstants& given) {
  const auto refused = [&](std::string message) {
    return Error{ErrorCode::bad_value, member.key_offset, "constants/" + member.key, std::move(message)};
  };
  if (found.size() > 1) return refused("several constants have this name: " + names_of(found));
  const std::uint32_t stride = found.front().place.stride;
  auto layout = layouts_.find(stride);
  if (layout == layouts_.end()) layout = layouts_.emplace(stride, TypeLayout(*options_.reflection, Packing::registers, stride)).first;
  const auto written = set_constant(member, found.front(), layout->second, path);
  if (!written) return written.error();
  const Place place = place_of(found.front().binding);
  if (const std::string* const other = given.find(place, *written)) {
    return refused(*other == member.key ? "`" + member.key + "` is given twice"
                                        : "`" + member.key + "` and `" + *other + "` overlap: each value must be given once");
  }
  given.add(place, *written, member.key);
  return {};
}

std::string Bindings::names_of(const std::vector<Constant>& found) const {
  std::string names;
  for (std::size_t k = 0; k < std::min<std::size_t>(found.size(), kMostListed); ++k)
    names += (names.empty() ? "`" : k + 1 == found.size() ? " or `" : ", `") + full_name(found[k], found) + '`';
  return found.size() > kMostListed ? names + ", ..." : names;
}

Result<void> Bindings::set_named(const Value::Member& member, GivenConstants& given) {
  const std::vector<Constant> found = constants_named(member.key);
  const shader::SpecializationConstant* const specialization = specialization_named(options_.reflection, member.key);
  if (found.size() == 1 && specialization == nullptr) return set_once(member, found, {}, given);
  if (found.empty() && specialization != nullptr) return {};  // specialized() has done it
  if (const auto own = found.empty() ? register_named(options_, member.key) : std::nullopt) {
    for (std::size_t row = 0; row < module_.resources.size(); ++row) {
      const auto place = constants_in(module_.resources[row], nullptr, *own->buffer, *own->reflection);
      if (!place) continue;
      const TypeLayout layout(*own->reflection, Packing::registers, place->stride);
      if (auto done = set_constant(member, {{row, 0}, *place, own->buffer, own->variable}, layout); !done) return std::move(done).error();
      const auto [first, end] = bytes_in(*place, *own->variable);
      set_elsewhere(row, first, end);
    }
    return {};
  }
  if (!found.empty()) {
    const std::string before =
        specialization == nullptr ? "" : "the specialization constant `" + std::to_string(specialization->id) + "` or ";
    return Error{ErrorCode::bad_value, member.key_offset, "constants/" + member.key,
                 "several constants have this name: " + before + names_of(found)};
  }
  if (const auto [buffer, variable] = unused_constant(member.key); variable != nullptr) return check_unused(member, *buffer, *variable);
  if (const auto part = part_named(member.key)) {
    return part->found.empty() ? check_unused(member, *part->unused.first, *part->unused.second, part->path)
                               : set_once(member, part->found, part->path, given);
  }
  if (const auto members = members_of_block(member); !members.empty()) {
    for (const Value::Member& one : members) {
      if (auto done = set_named(one, given); !done) return done;
    }
    return {};
  }
  Nearest nearest(member.key);
  for (std::size_t b = 0; options_.reflection != nullptr && b < options_.reflection->buffers.size(); ++b) {
    for (const shader::Variable& variable : options_.reflection->buffers[b].variables) nearest.consider(variable.name);
  }
  for (std::size_t k = 0; options_.reflection != nullptr && k < options_.reflection->specialization_constants.size(); ++k)
    nearest.consider(options_.reflection->specialization_constants[k].name);
  const bool is_number = as_number<std::uint32_t>(member.key).has_value();
  return Error{ErrorCode::missing, member.key_offset, "constants/" + member.key,
               (is_number ? "the shader has no specialization constant of this number" : "no constant buffer has a variable of this name") +
                   nearest.question()};
}

Result<void> Bindings::bind_initials() {
  for (std::size_t row = 0; row < module_.resources.size(); ++row) {
    const ir::Resource& resource = module_.resources[row];
    if (resource.initial.empty() || !resources_.rows[row].empty()) continue;
    const Binding binding{row, 0};
    Memory& memory = memory_of(binding);
    if (auto done = resize(memory.bytes, std::max<std::size_t>(resource.bytes, resource.initial.size())); !done) return done;
    std::ranges::copy(resource.initial, memory.bytes.begin());
    if (auto done = at_place(binding, [&](texel::Descriptor& to, const ir::Resource*) { to.bytes = memory.bytes; }); !done) return done;
  }
  return {};
}

// --- resources that the case does not give
// ------------------------------------------------------------------------------------------------

namespace {

// What the type cannot hold begins again at 0.
void store_number(const TypeLayout::Component& component, std::uint64_t number) {
  const ir::Type type = component.scalar.type;
  // f16 holds all whole numbers of 11 bits
  const unsigned width = type == ir::Type::f16 ? 11 : ir::is_float(type) ? 64 : ir::bit_width(type);
  const auto bits = bits_of(Value::integer(number & ~std::uint64_t{0} >> (64 - width)), type, "");
  if (bits) store(component.scalar, *bits, component.memory);
}

}  // namespace

void Bindings::make_up_constants(const ir::Resource& resource, std::span<std::byte> memory) const {
  if (options_.reflection == nullptr) return;
  const shader::Resource* const row = row_of(resource);
  for (const shader::Buffer& buffer : options_.reflection->buffers) {
    const auto place = constants_in(resource, row, buffer, *options_.reflection);
    if (!place || place->base != 0) continue;
    const TypeLayout layout(*options_.reflection, Packing::registers, place->stride);
    for (const shader::Variable& variable : buffer.variables) {
      layout.each(variable.type, variable.offset, memory, [](const TypeLayout::Component& one) {
        const bool is_matrix =
            one.type.type_class == shader::TypeClass::matrix_rows || one.type.type_class == shader::TypeClass::matrix_columns;
        if (is_matrix && one.row == one.column) store_number(one, 1);
      });
      if (variable.offset <= memory.size() && variable.default_value.size() <= memory.size() - variable.offset)
        std::ranges::copy(variable.default_value, memory.begin() + variable.offset);
    }
  }
}

// As numbers of the type that loads give.
void Bindings::count_up(const ir::Resource& resource, const shader::Resource* row, const texel::Format& format, std::uint32_t first,
                        std::span<std::byte> memory) const {
  std::uint64_t next = first;
  if (!memory.empty() && (resource.stride != 0 || is_raw(resource)) && row != nullptr &&
      row->buffer < options_.reflection->buffers.size()) {
    const TypeLayout layout(*options_.reflection, Packing::tight);
    // a storage buffer is one element, which an array without a size may end
    const std::size_t stride = resource.stride != 0 ? resource.stride : memory.size();
    for (std::size_t at = 0; at + stride <= memory.size(); at += stride) {
      for (const shader::Variable& variable : options_.reflection->buffers[row->buffer].variables) {
        layout.each(variable.type, variable.offset, memory.subspan(at, stride),
                    [&](const TypeLayout::Component& one) { store_number(one, next++); });
      }
    }
  }
  if (next != first) return;
  const bool is_texels = resource.stride == 0 && !is_raw(resource);
  constexpr std::uint32_t kSteps = 256;
  const auto number = [&](bool is_integer) {
    const auto count = static_cast<std::uint32_t>(next++);
    if (is_integer) return count;
    return std::bit_cast<std::uint32_t>(is_texels ? static_cast<float>(count % (kSteps + 1)) / kSteps : static_cast<float>(count));
  };
  if (!is_texels) {
    for (std::size_t at = 0; at + 4 <= memory.size(); at += 4) {
      const std::uint32_t bits = number(false);
      std::memcpy(memory.data() + at, &bits, 4);
    }
    return;
  }
  for (std::size_t at = 0; at + format.bytes() <= memory.size(); at += format.bytes()) {
    std::array<std::uint32_t, 4> texel{};
    for (unsigned component = 0; component < 4; ++component)
      if (format.has(component)) texel[component] = number(format.is_integer());
    texel::store_texel(format, texel, memory.data() + at);
  }
}

Result<void> Bindings::make_up() {
  resources_.repeated_elements = kRepeatedElements;
  const std::vector<Elements> accessed = elements_of(module_);
  for (std::size_t row = 0; row < module_.resources.size(); ++row) {
    const ir::Resource& resource = module_.resources[row];
    if (resource.heap || resource.kind == ResourceKind::sampler) continue;
    for (const std::uint32_t index : elements_given(resource, accessed[row])) {
      if (auto done = make_up_one({row, index}); !done) return done;
    }
  }
  return {};
}

// Of what is bound by the case, or to a resource that shares the place, nothing is made.
Result<void> Bindings::make_up_one(const Binding& binding) {
  constexpr std::uint32_t kElements = 64;
  constexpr std::uint32_t kMostBytes = 1U << 20;
  if (memory_at_.contains(place_of(binding))) return {};
  const ir::Resource& resource = module_.resources[binding.row];
  texel::Descriptor made;
  Memory& memory = memory_of(binding);
  if (letter_of(resource.kind) == 'b') {
    if (auto done = resize(memory.bytes, std::max<std::size_t>(resource.bytes != 0 ? resource.bytes : 4096, resource.initial.size()));
        !done)
      return done;
    make_up_constants(resource, memory.bytes);
    std::ranges::copy(resource.initial, memory.bytes.begin());
  } else {
    const shader::Resource* const row_in_file = row_of(resource);
    // of what has a format, elements are counted by its size
    if (resource.stride == 0 && !is_raw(resource)) made.format = *texel::find_format(format_without_case(resource, row_in_file));
    made.stride = resource.stride;
    const ir::TextureExtra shape(resource.dimension);
    if (resource.dimension != dxcontainer::ResourceDimension::buffer && resource.dimension != dxcontainer::ResourceDimension::unknown &&
        resource.dimension != dxcontainer::ResourceDimension::raw_buffer) {
      made.width = 8;
      made.height = shape.dimension_count() >= 2 ? 8 : 1;
      made.depth = resource.dimension == dxcontainer::ResourceDimension::texture3d ? 8 : 1;
      made.layers = dxcontainer::is_cube(resource.dimension) ? 6 : 1;
      const auto feedback = declared(resource).feedback;
      if (feedback) texel::make_feedback_map(made, *feedback, kFinestRegion);
      if (auto done = resize(memory.bytes, texel::texture_bytes(made)); !done) return done;
      if (feedback) std::ranges::fill(memory.bytes, texel::cleared_feedback(*feedback));
    } else {
      std::uint64_t bytes = std::uint64_t{kElements} * (resource.stride != 0 ? resource.stride : 16);
      // a storage buffer has its declared size
      if (resource.stride == 0 && row_in_file != nullptr && row_in_file->buffer < options_.reflection->buffers.size())
        bytes = std::max<std::uint64_t>(bytes, std::min(options_.reflection->buffers[row_in_file->buffer].size, kMostBytes));
      if (auto done = resize(memory.bytes, bytes); !done) return done;
    }
    if (!memory.writable) count_up(resource, row_in_file, made.format, binding.index, memory.bytes);
  }
  made.bytes = memory.bytes;
  made.counter = memory.writable ? &memory.counter : nullptr;
  return at_place(binding, [&](texel::Descriptor& to, const ir::Resource* row) {
    to = made;
    if (row != nullptr) to.stride = row->stride;
  });
}

}  // namespace unshade::run
