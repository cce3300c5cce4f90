#include "suite/equivalence/inputs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/image_format.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/samplers.hpp>
#include <unshade/run/specialize.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>
#include <unshade/vm/resources.hpp>

#include "suite/equivalence/lanes.hpp"
#include "suite/equivalence/layout.hpp"
#include "suite/equivalence/numbers.hpp"
#include "suite/equivalence/samplers.hpp"
#include "suite/equivalence/word_kinds.hpp"

namespace unshade::suite::equivalence {
namespace {

using dxcontainer::ResourceDimension;
using Kind = cases::NumberType::Kind;
using run::key_of;
using run::Place;
using run::place_of;
using run::Spoken;
using shader::kNone;
using shader::Reflection;

/// Bytes of a resource, and numbers of a variable, that are generated.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::uint32_t kMostNumbers = 16384;
constexpr std::uint64_t kBytesOfFewBits = std::uint64_t{1} << 18;
/// Of thousands, most sets would only be made: indexes of this range tell elements apart as well.
constexpr std::uint32_t kMostIndexed = 256;

}  // namespace

class InputGenerator::Maker {
 public:
  Maker(const Subject& a, const Subject& b, const Pairing& pairing, const Value& given)
      : module_(a.shader.module()),
        other_(b.shader.module()),
        root_of_a_(a.shader.root_signature()),
        root_of_b_(b.shader.root_signature()),
        a_(a.shader.reflection()),
        b_(b.shader.reflection()),
        pairing_(pairing),
        lanes_(a, b, pairing, given),
        given_(given),
        accessed_by_a_(run::elements_of(module_)),
        accessed_by_b_(run::elements_of(other_)),
        words_of_a_(word_kinds_of(module_)),
        words_of_b_(word_kinds_of(other_)) {
    if (a_ != nullptr) rows_of_a_ = run::ResourceRows(*a_);
    if (b_ != nullptr) rows_of_b_ = run::ResourceRows(*b_);
    count_names(module_, a_, rows_of_a_, names_of_a_);
    count_names(other_, b_, rows_of_b_, names_of_b_);
    constants_.add(module_);
    constants_.add(other_);
  }

  Value make(std::uint64_t seed, unsigned set) {
    Numbers numbers(seed, set);
    numbers_ = numbers;
    numbers_.know(constants_);
    sampler_numbers_ = Numbers(~numbers.bits(), 0);
    sized_ = 0;
    Value made = Value::map();
    for (const std::string_view field : {"entry", "wave", "float24", "grid", "function"})
      if (const Value* const value = given_.find(field)) made.add(field, *value);
    Value constants = specializations();
    std::set<std::string> added;  // to them
    Value resources = Value::map();
    std::set<Place> places;
    const run::BoundResources bound(module_);
    bool repeats = false;
    for (const ResourcePair& pair : pairing_.resources) {
      const std::vector<std::uint32_t> elements = elements_of(pair);
      repeats |= elements.size() > 1 && (pair.a->count == 0 || elements.size() < pair.a->count);
      if (pair.a->kind == dxcontainer::ResourceKind::sampler) continue;
      for (const std::uint32_t index : elements) {
        if (!places.insert(place_of(*pair.a, index)).second) continue;
        const std::string key = bound.key_of(*pair.a, index);
        if (key.front() != 'b') {
          resources.add(key, resource(pair, index, elements.size()));
        } else if (pair.by_bytes || (!by_name(pair, index, constants, added) && pair.a->initial.empty())) {
          resources.add(key, constant_buffer(pair, index));
        }
      }
    }
    // buffers that the case alone sizes: of the heap, elements of arrays that no shader accesses
    if (const Value* const others = given_.find("resources"); others != nullptr && others->as_map() != nullptr) {
      for (const Value::Member& member : *others->as_map())
        if (!is_generated(member.key, places)) resources.add(member.key, member.value);
    }
    if (Value samplers = all_samplers(); !samplers.as_map()->empty()) made.add("samplers", std::move(samplers));
    if (!constants.as_map()->empty()) made.add("constants", std::move(constants));
    made.add("resources", std::move(resources));
    if (repeats) made.add("repeated_elements", Value::integer(run::kRepeatedElements));
    if (!vm::runs_in_groups(module_.stage)) {
      made.add("lanes", lanes_.make(numbers_));
    } else if (made.find("grid") == nullptr) {
      Value sides = Value::list();
      for (const std::uint32_t side : grid()) sides.push(Value::integer(side));
      made.add("grid", std::move(sides));
    }
    if (module_.stage == Stage::mesh) {
      const std::uint32_t bytes = std::max(ir::space_bytes(module_, ir::Space::payload), ir::space_bytes(other_, ir::Space::payload));
      if (bytes != 0) made.add("payload", words(bytes));
    }
    return made;
  }

 private:
  bool is_generated(std::string_view key, const std::set<Place>& places) const {
    const Spoken text(key);
    return std::ranges::any_of(pairing_.resources, [&](const ResourcePair& pair) {
      const auto index = run::element_named(*pair.a, text);
      return index && places.contains(place_of(*pair.a, *index));
    });
  }
  const Value* of_case(const ir::Resource& resource, std::uint32_t index) const {
    const Value* const all = given_.find("resources");
    if (all == nullptr || all->as_map() == nullptr) return nullptr;
    if (const Value* const found = all->find(key_of(resource, index))) return found;
    for (const Value::Member& member : *all->as_map())
      if (run::element_named(resource, Spoken(member.key)) == index) return &member.value;
    return nullptr;
  }

  /// Elements that one of the shaders may access, as far as the first has them; where an index may be any, the first kMostIndexed.
  std::vector<std::uint32_t> elements_of(const ResourcePair& pair) const {
    const auto row = [](const ir::Module& module, const ir::Resource* resource) {
      return static_cast<std::size_t>(resource - module.resources.data());
    };
    const auto own = run::elements_given(*pair.a, accessed_by_a_[row(module_, pair.a)], kMostIndexed);
    const auto others = run::elements_given(*pair.b, accessed_by_b_[row(other_, pair.b)], kMostIndexed);
    std::vector<std::uint32_t> made;
    std::ranges::set_union(own, others, std::back_inserter(made));
    std::erase_if(made, [&](std::uint32_t index) { return pair.a->count != 0 && index >= pair.a->count; });
    return made;
  }

  /// What the case sets of specialization constants.
  Value specializations() const {
    Value made = Value::map();
    const Value* const constants = given_.find("constants");
    if (constants == nullptr || constants->as_map() == nullptr) return made;
    for (const Value::Member& member : *constants->as_map())
      if (run::specialization_named(a_, member.key) != nullptr) made.add(member.key, member.value);
    return made;
  }

  // --- samplers ---

  /// Those of the case, and others for what it does not say: with one for all, a shader that takes the wrong one would be equal.
  Value all_samplers() {
    const Value* const given = given_.find("samplers");
    Value made = given == nullptr || given->as_map() == nullptr ? Value::map() : *given;
    std::set<Place> places;
    for (const Value::Member& member : *made.as_map()) {
      const Spoken text(member.key);
      for (const ResourcePair& pair : pairing_.resources) {
        // a combined image sampler may be named by its image
        const auto index = run::element_named(*pair.a, text);
        if (index)
          places.insert({Place::Type::sampler, pair.a->space, place_of(*pair.a, *index).number, place_of(*pair.a, *index).element});
      }
    }
    for (const ResourcePair& pair : pairing_.resources) {
      if (pair.a->kind != dxcontainer::ResourceKind::sampler) continue;
      for (const std::uint32_t index : elements_of(pair)) {
        const auto* const own = static_sampler(root_of_a_, *pair.a, index);
        const auto* const other = static_sampler(root_of_b_, *pair.b, index);
        if ((own != nullptr && other != nullptr) || !places.insert(place_of(*pair.a, index)).second) continue;
        // what one root signature states is what the other shader is given
        const auto* const stated = own != nullptr ? own : other;
        made.add(key_of(*pair.a, index), stated == nullptr ? any_sampler(pair.a->comparison || pair.b->comparison, sampler_numbers_)
                                                           : run::described(run::sampler_of(*stated)));
      }
    }
    return made;
  }
  // --- groups ---

  std::uint64_t threads_of_group() const {
    std::uint64_t threads = 1;
    for (const std::uint32_t side : module_.info.group_size) threads *= std::clamp(side, 1U, 1024U);
    return threads;
  }
  /// Two or three groups in each direction, or of large groups two in one or two that take turns: with one group, its number would not
  /// count.
  std::array<std::uint32_t, 3> grid() const {
    constexpr std::uint64_t kMostThreads = 512;
    const std::uint64_t groups = kMostThreads / threads_of_group();
    const unsigned turn = numbers_.set() % 3;
    std::array<std::uint32_t, 3> made{1, 1, 1};
    for (unsigned axis = 0; axis < 3; ++axis)
      if (groups >= 8 || (groups >= 4 ? axis != turn : axis == turn)) made[axis] = groups >= 8 && axis == turn ? 3 : 2;
    return made;
  }

  // --- resources ---

  /// How often variables of constant buffers have a name.
  using NameCounts = std::map<std::string_view, std::uint32_t>;
  static void count_names(const ir::Module& module, const Reflection* reflection, const run::ResourceRows& rows, NameCounts& to) {
    if (reflection == nullptr) return;
    for (const ir::Resource& resource : module.resources) {
      const shader::Resource* const row = rows.find(resource);
      for (const shader::Buffer& buffer : reflection->buffers) {
        if (!run::constants_in(resource, row, buffer, *reflection)) continue;
        for (const shader::Variable& variable : buffer.variables) to[variable.name] += resource.count == 1 ? 1 : 2;
      }
    }
  }
  static bool is_several(const NameCounts& names, std::string_view name) {
    const auto found = names.find(name);
    return found != names.end() && found->second > 1;
  }

  // By their names if both shaders have them, which may lie in other places.
  bool by_name(const ResourcePair& pair, std::uint32_t index, Value& constants, std::set<std::string>& added) {
    if (pairing_.is_vulkan || a_ == nullptr || b_ == nullptr || a_->rebuilt || b_->rebuilt) return false;
    std::map<std::string_view, std::pair<const shader::Buffer*, const shader::Variable*>> of_b;  // by variable
    const shader::Resource* const row_of_b = rows_of_b_.find(*pair.b);
    for (const shader::Buffer& buffer : b_->buffers)
      if (run::constants_in(*pair.b, row_of_b, buffer, *b_))
        for (const shader::Variable& variable : buffer.variables) of_b.emplace(variable.name, std::pair(&buffer, &variable));
    bool any = false;
    const shader::Resource* const row = rows_of_a_.find(*pair.a);
    for (const shader::Buffer& buffer : a_->buffers) {
      const auto place = run::constants_in(*pair.a, row, buffer, *a_);
      if (!place) continue;
      for (const shader::Variable& variable : buffer.variables) {
        // constants that a program for the PICA200 defines stay what they are
        if (!pair.a->initial.empty() && !variable.default_value.empty()) continue;
        const auto other = of_b.find(variable.name);
        if (other == of_b.end() || (!pair.b->initial.empty() && !other->second.second->default_value.empty())) continue;
        std::string name = variable.name;
        if (is_several(names_of_a_, name) || is_several(names_of_b_, name)) {
          const std::string full = full_name(pair, index, buffer, *other->second.first, variable);
          if (full.empty()) return any;  // the memory as it is
          name = full;
        }
        if (!added.insert(name).second) continue;
        std::uint32_t left = kMostNumbers;
        const auto bytes = place->most == 0xff ? std::optional(cases::NumberType{Kind::uint, 1}) : std::nullopt;
        constants.add(name, place->base == 0 && place->packed == 1 ? numbers_of(pair, variable) : of_type(variable.type, left, 0, bytes));
        any = true;
      }
    }
    return any;
  }

  /// A name that means the variable of this buffer alone, in both shaders; empty if there is none.
  std::string full_name(const ResourcePair& pair, std::uint32_t index, const shader::Buffer& own, const shader::Buffer& other,
                        const shader::Variable& variable) const {
    const std::string element = run::index_text(*pair.a, index);
    if (element != run::index_text(*pair.b, index)) return {};
    const auto blocks = [&](const Reflection& reflection, std::string_view name) {
      return std::ranges::count(reflection.buffers, name, &shader::Buffer::name);
    };
    if (own.name == other.name && !own.name.empty() && blocks(*a_, own.name) == 1 && blocks(*b_, own.name) == 1)
      return own.name == variable.name ? own.name + element : own.name + element + '.' + variable.name;
    const auto is_alone = [&](const Reflection& reflection, const ir::Module& module) {
      return blocks(reflection, pair.a->name) == 0 && std::ranges::count(module.resources, pair.a->name, &ir::Resource::name) == 1;
    };
    if (pair.a->name == pair.b->name && !pair.a->name.empty() && is_alone(*a_, module_) && is_alone(*b_, other_))
      return pair.a->name + element + '.' + variable.name;
    return {};
  }

  /// Of a scalar or vector what the programs may compare it with.
  Value numbers_of(const ResourcePair& pair, const shader::Variable& variable) {
    std::uint32_t left = kMostNumbers;
    if (variable.type >= a_->types.size()) return Value::list();
    const shader::Type& type = a_->types[variable.type];
    if (type.is_struct() || type.elements != 0 || type.rows > 1) return of_type(variable.type, left, 0, std::nullopt);
    const cases::NumberType number = number_type(type.base);
    Value made = Value::list();
    for (std::uint32_t k = 0; k < std::max(type.columns, 1U); ++k) {
      const bool is_word = number.bytes == 4 && number.kind != Kind::boolean;
      made.push(is_word ? as_case(word_or_constant(words_at(&pair, variable.offset + k * std::uint64_t{4}), word(number, false)), number)
                        : numbers_.value(number));
    }
    return made;
  }

  /// `number`: what all numbers are, if not what the type says.
  Value of_type(std::uint32_t type, std::uint32_t& left, unsigned depth, const std::optional<cases::NumberType>& number) {
    if (type >= a_->types.size() || depth > 16) return Value::list();
    const shader::Type& of = a_->types[type];
    const auto one = [&] {
      Value made = of.is_struct() ? Value::map() : Value::list();
      if (of.is_struct()) {
        for (const shader::Member& member : of.members)
          if (left != 0) made.add(member.name, of_type(member.type, left, depth + 1, number));
        return made;
      }
      const std::uint64_t count = std::uint64_t{std::max(of.rows, 1U)} * std::max(of.columns, 1U);
      for (std::uint64_t k = 0; k < count && left != 0; ++k, --left) made.push(numbers_.value(number.value_or(number_type(of.base))));
      return made;
    };
    if (of.elements == 0) return one();
    Value list = Value::list();
    for (std::uint32_t k = 0; k < of.elements && left != 0; ++k) list.push(one());
    return list;
  }

  Value constant_buffer(const ResourcePair& pair, std::uint32_t index) {
    const ir::Resource& resource = *pair.a;
    constexpr std::uint32_t kRow = 16;  // a multiple of which buffers of Direct3D are
    std::uint32_t most = std::max(resource.bytes, pair.by_bytes ? pair.b->bytes : 0);
    if (!pairing_.is_vulkan) most = (most + kRow - 1) / kRow * kRow;
    const std::uint64_t bytes = size_of(of_case(resource, index), most != 0 ? most : 4096);
    const bool is_of_registers = pair.by_bytes && (!resource.initial.empty() || !pair.b->initial.empty());
    if (!pairing_.is_vulkan && !is_of_registers) return words(bytes, &pair);
    Value made = Value::map();
    made.add("hex", Value::text(run::hex_of(is_of_registers ? registers(pair) : block(pair, bytes))));
    return made;
  }

  /// The constants of the PICA200: numbers that fit the kind of register, where the program does not define them itself.
  std::vector<std::byte> registers(const ResourcePair& pair) {
    namespace uniforms = ir::pica_uniforms;
    const bool is_first = !pair.a->initial.empty();
    const ir::Resource& resource = is_first ? *pair.a : *pair.b;
    const Reflection* const reflection = is_first ? a_ : b_;
    std::vector<std::byte> memory(std::max<std::size_t>(uniforms::kBytes, resource.initial.size()));
    for (std::uint32_t at = 0; at < uniforms::kBytes; at += 4) {
      const auto bits = at < uniforms::integer(0, 0) ? word({}, false)
                        : at < uniforms::boolean(0)  ? numbers_.whole({Kind::uint, 1})
                                                     : numbers_.below(2);
      store_little_endian(memory.data() + at, static_cast<std::uint32_t>(bits));
    }
    for (std::size_t b = 0; reflection != nullptr && b < reflection->buffers.size(); ++b) {
      const shader::Buffer& buffer = reflection->buffers[b];
      const auto place = run::constants_in(resource, nullptr, buffer, *reflection);
      for (const shader::Variable& variable : buffer.variables) {
        if (!place || variable.default_value.empty()) continue;
        const std::size_t first = place->base + variable.offset / place->packed;
        const std::size_t size = std::max<std::size_t>(variable.size / place->packed, 4);
        if (first + size <= resource.initial.size())
          std::copy_n(resource.initial.begin() + static_cast<std::ptrdiff_t>(first), size,
                      memory.begin() + static_cast<std::ptrdiff_t>(first));
      }
    }
    return memory;
  }

  /// Of a block of Vulkan: numbers of the types that its members have, in their places.
  std::vector<std::byte> block(const ResourcePair& pair, std::uint64_t bytes) {
    const ir::Resource& resource = *pair.a;
    const shader::Resource* const row = rows_of_a_.find(resource);
    const bool is_known = row != nullptr && row->buffer < a_->buffers.size();
    if (is_known) bytes = std::max<std::uint64_t>(bytes, a_->buffers[row->buffer].size);
    std::vector<std::byte> memory(std::min(bytes, kMostBytes));
    if (!is_known) return memory;
    const run::TypeLayout layout(*a_, run::Packing::registers, 16);
    std::uint32_t left = kMostNumbers;
    for (const shader::Variable& variable : a_->buffers[row->buffer].variables) {
      layout.each(variable.type, variable.offset, memory, [&](const run::TypeLayout::Component& one) {
        if (left == 0) return;
        --left;
        const std::uint64_t made = word(cases::number_type(one.scalar.type, one.scalar.is_signed), false);
        const auto at = static_cast<std::uint64_t>(one.memory.data() - memory.data());
        const std::uint64_t bits = word_or_constant(words_at(&pair, at), made);
        std::memcpy(one.memory.data(), &bits, std::min<std::size_t>(one.memory.size(), 8));
      });
    }
    return memory;
  }

  /// Of memory of which no types are known. `pair`: of the resource; null if it is of none.
  Value words(std::uint64_t bytes, const ResourcePair* pair = nullptr) {
    Layout layout;
    layout.parts.push_back({0, {Kind::uint, 4}});
    Value made = Value::map();
    made.add("hex", filled(layout, std::min(bytes, kMostBytes), pair));
    return made;
  }

  static std::uint64_t size_of(const Value* given, std::uint64_t otherwise) {
    const Value* const size = given == nullptr ? nullptr : given->find("size");
    return size == nullptr || size->as_integer() == nullptr ? otherwise : size->as_integer()->magnitude;
  }

  /// What the first says; but if the second has words, on which alone atomic operations are, these.
  std::string format_of(const ResourcePair& pair) const {
    switch (pair.b->format) {
      case ir::ImageFormat::r32ui: return "R32_UINT";
      case ir::ImageFormat::r32i: return "R32_SINT";
      default: return run::format_without_case(*pair.a, rows_of_a_.find(*pair.a));
    }
  }

  /// `count`: of the elements that are generated.
  Value resource(const ResourcePair& pair, std::uint32_t index, std::size_t count) {
    const ir::Resource& resource = *pair.a;
    constexpr std::string_view kContents[] = {"hex", "bytes", "words", "values", "csv", "npy", "file", "image", "size"};
    Value made = Value::map();
    const Value* const given = of_case(resource, index);
    if (given != nullptr && given->as_map() != nullptr) {
      // pictures have sizes of their own
      if (given->find("image") != nullptr) return *given;
      for (const Value::Member& member : *given->as_map())
        if (std::ranges::find(kContents, member.key) == std::end(kContents)) made.add(member.key, member.value);
    }
    const ir::TextureExtra shape(resource.dimension);
    const bool buffer = run::is_buffer(resource);
    const std::uint32_t stride = stride_of(pair);
    if (resource.stride == 0 && !run::is_raw(resource) && made.find("format") == nullptr && made.find("raw") == nullptr)
      made.add("format", Value::text(format_of(pair)));
    constexpr std::size_t kLargeArray = 16;
    const bool is_large = count > kLargeArray;
    texel::Descriptor sizes;
    if (!buffer) {
      const bool cube = dxcontainer::is_cube(resource.dimension);
      const auto size = [&](std::string_view field, std::uint32_t& to, std::uint32_t otherwise) {
        const Value* const known = made.find(field);
        to = known != nullptr && known->as_integer() != nullptr
                 ? static_cast<std::uint32_t>(std::clamp<std::uint64_t>(known->as_integer()->magnitude, 1, 16384))
                 : otherwise;
        if (known == nullptr && to != 1) made.add(field, Value::integer(to));
      };
      // of each texture other ones, which change from set to set: sizes are what programs may ask for
      const unsigned turn = sized_ + numbers_.set();
      const unsigned least = is_large ? 3 : 8;
      size("width", sizes.width, least + turn % 5);
      size("height", sizes.height, cube ? sizes.width : shape.dimension_count() >= 2 ? least + (turn * 3 + 1) % 5 : 1);
      size("depth", sizes.depth, resource.dimension == ResourceDimension::texture3d ? least + (turn * 2 + 3) % 5 : 1);
      size("layers", sizes.layers, cube ? 6 : shape.is_array() ? 4 : 1);
      size("samples", sizes.samples, dxcontainer::is_multisampled(resource.dimension) ? 4 : 1);
      // a pyramid, or any level would do
      const std::uint32_t side = std::max({sizes.width, sizes.height, sizes.depth});
      const bool has_levels = !run::is_writable(resource.kind) && !dxcontainer::is_multisampled(resource.dimension);
      const auto all_levels = static_cast<std::uint32_t>(std::bit_width(side));
      size("levels", sizes.levels, has_levels ? std::max(1U, all_levels - (turn % 3 == 2 ? 1U : 0U)) : 1);
    }
    const Layout layout = layout_of(resource, &made, a_);
    if (layout.format) sizes.format = *layout.format;
    const std::uint64_t threads = threads_of_group();
    // each buffer has another size
    const std::uint64_t more = is_large ? (sized_ + numbers_.set()) % 8 : sized_ * 3 + numbers_.set() % 4;
    ++sized_;
    if (pair.has_counter && made.find("counter") == nullptr) made.add("counter", Value::integer(numbers_.below(64)));
    const std::uint64_t element = stride != 0 ? stride : std::max<std::uint64_t>(layout.stride, 16);
    std::uint64_t elements = is_large ? 8 : std::clamp<std::uint64_t>(threads, 1024, 4096);
    // numbers with few bits are large ones, of which addresses are made
    if (!is_large && numbers_.has_few_bits()) elements = std::max(elements, kBytesOfFewBits / element);
    std::uint64_t size = std::min(buffer ? size_of(given, (elements + more) * element) : texel::texture_bytes(sizes), kMostBytes);
    if (layout.format) size -= size % layout.stride;             // whole texels
    if (stride != 0 && given == nullptr) size -= size % stride;  // and elements
    made.add("hex", filled(layout, size, &pair));
    return made;
  }

  /// Bytes of an element of a structured buffer, which may be a storage buffer of bytes in the other shader; else 0.
  static std::uint32_t stride_of(const ResourcePair& pair) { return pair.a->stride != 0 ? pair.a->stride : pair.b->stride; }

  /// What the programs load and compare at a byte of a resource; of structured buffers in each element. Nothing of memory without one.
  struct WordsAt {
    const WordKinds& of_a;
    const WordKinds& of_b;
    std::uint32_t place;
  };
  WordsAt words_at(const ResourcePair* pair, std::uint64_t byte) const {
    if (pair == nullptr) return {no_words_, no_words_, 0};
    return {words_of_a_[static_cast<std::size_t>(pair->a - module_.resources.data())],
            words_of_b_[static_cast<std::size_t>(pair->b - other_.resources.data())],
            static_cast<std::uint32_t>(stride_of(*pair) == 0 ? byte : byte % stride_of(*pair))};
  }
  /// A word, or one that the programs compare the word at a place, or a field of it, with.
  std::uint64_t word_or_constant(const WordsAt& at, std::uint64_t word) {
    return numbers_.word_or_constant(at.of_a.compared(at.place), at.of_b.compared(at.place), word);
  }
  /// Whether a word of which no type is known is to be a real number: as programs load it, else half of them are.
  bool is_real_word(const WordsAt& at) {
    const auto kind = WordKinds::together(at.of_a.of(at.place), at.of_b.of(at.place));
    if (kind == WordKinds::Kind::real || kind == WordKinds::Kind::whole) return kind == WordKinds::Kind::real;
    return numbers_.below(2) == 0;
  }

  Value filled(const Layout& layout, std::uint64_t size, const ResourcePair* pair) {
    std::vector<std::byte> bytes(size);
    const auto put = [&](std::uint64_t offset, std::uint64_t bits, unsigned count) {
      for (unsigned k = 0; k < count && offset + k < size; ++k) bytes[offset + k] = static_cast<std::byte>(bits >> (8 * k));
    };
    for (std::uint64_t at = 0; at < size; at += layout.stride) {
      if (layout.format) {
        std::array<std::uint32_t, 4> texel{};
        for (const Part& part : layout.parts) texel[part.type.component] = static_cast<std::uint32_t>(word(part.type, true));
        if (at + layout.stride <= size) texel::store_texel(*layout.format, texel, bytes.data() + at);
        continue;
      }
      for (const Part& part : layout.parts) {
        const WordsAt words = words_at(pair, at + part.offset);
        const bool real = !layout.known && is_real_word(words);
        const std::uint64_t made = word(real ? cases::NumberType{} : part.type, false);
        put(at + part.offset, word_or_constant(words, made), part.type.bytes);
      }
    }
    return Value::text(run::hex_of(bytes));
  }

  // Bits as they are in memory; of texels, those of the f32 that store_texel() takes.
  std::uint64_t word(const cases::NumberType& type, bool texel) {
    if (type.kind != Kind::real && type.kind != Kind::texel) return numbers_.whole(type);
    const double value = numbers_.real(type);
    if (type.bytes == 8 && !texel) return std::bit_cast<std::uint64_t>(value);
    const std::uint32_t single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (texel || type.bytes == 4) return single;
    return texel::nearest_f16(value);
  }

  const ir::Module& module_;
  const ir::Module& other_;
  const dxcontainer::RootSignature* root_of_a_;
  const dxcontainer::RootSignature* root_of_b_;
  const Reflection* a_;
  const Reflection* b_;
  run::ResourceRows rows_of_a_;
  run::ResourceRows rows_of_b_;
  const Pairing& pairing_;
  const LaneGenerator lanes_;
  const Value& given_;
  KnownConstants constants_;
  // of a set
  Numbers numbers_{0, 0};
  Numbers sampler_numbers_{0, 0};
  unsigned sized_ = 0;  ///< resources so far whose size is generated
  const std::vector<run::Elements> accessed_by_a_, accessed_by_b_;
  const std::vector<WordKinds> words_of_a_, words_of_b_;
  const WordKinds no_words_;
  NameCounts names_of_a_, names_of_b_;
};

InputGenerator::InputGenerator(const Subject& a, const Subject& b, const Pairing& pairing, const Value& given)
    : maker_(std::make_unique<Maker>(a, b, pairing, given)) {}
InputGenerator::~InputGenerator() = default;

Value InputGenerator::set(std::uint64_t seed, unsigned number) { return maker_->make(seed, number); }

}  // namespace unshade::suite::equivalence
