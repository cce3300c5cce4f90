#include <unshade/run/places.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <unshade/core/text.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {
namespace {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;

/// Indexes of unbounded arrays that get data.
constexpr std::uint32_t kMostIndex = 0xffff;

Place::Type type_of(const ir::Resource& resource) {
  using enum Place::Type;
  const char letter = letter_of(resource.kind);
  if (letter == 's') return sampler;
  if (letter == 'b') return constants;
  if (!resource.in_set) return letter == 'u' ? written : read;
  const bool is_buffer = resource.dimension == ResourceDimension::buffer;
  switch (resource.kind) {
    case ResourceKind::uav_typed: return is_buffer ? written_texels : image;
    case ResourceKind::texture: return is_buffer ? read_texels : read;
    default: return written;
  }
}

bool accept(std::string_view& text, std::string_view word) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::optional<std::uint32_t> accept_number(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  return take_number<std::uint32_t>(text);
}

// `set 1, binding 2`
std::optional<Spoken::Key> set_and_binding(std::string_view text) {
  if (!accept(text, "set")) return std::nullopt;
  accept(text, "=");
  const auto set = accept_number(text);
  accept(text, ",");
  if (!set || !accept(text, "binding")) return std::nullopt;
  accept(text, "=");
  const auto binding = accept_number(text);
  return binding && text.empty() ? std::optional(Spoken::Key{0, *binding, *set}) : std::nullopt;
}

std::optional<Spoken::Key> parse_key(std::string_view text) {
  if (text == "push_constants") return Spoken::Key{'b', 0, kPushConstantSpace};
  if (const auto key = set_and_binding(text)) return key;
  Spoken::Key key;
  if (text.starts_with("heap")) {
    key.letter = 'h';
    text.remove_prefix(4);
    const auto number = take_number<std::uint32_t>(text);
    key.number = number.value_or(0);
    return number && text.empty() ? std::optional(key) : std::nullopt;
  }
  if (text.empty() || std::string_view("btus").find(text.front()) == std::string_view::npos) return std::nullopt;
  key.letter = text.front();
  text.remove_prefix(1);
  const auto number = take_number<std::uint32_t>(text);
  if (!number) return std::nullopt;
  key.number = *number;
  if (text.empty()) return key;
  if (!text.starts_with(",space")) return std::nullopt;
  text.remove_prefix(6);
  const auto space = take_number<std::uint32_t>(text);
  key.space = space.value_or(0);
  return space && text.empty() ? std::optional(key) : std::nullopt;
}

}  // namespace

char letter_of(ResourceKind kind) {
  const std::string_view letters = register_letters(kind);
  return kind == ResourceKind::cbuffer || kind == ResourceKind::push_constants ? 'b' : letters.empty() ? 'u' : letters.front();
}

bool is_writable(ResourceKind kind) { return letter_of(kind) == 'u'; }

Place place_of(const ir::Resource& resource, std::uint32_t index) {
  if (resource.in_set) return {type_of(resource), resource.space, resource.first_register, index};
  return {type_of(resource), resource.space, resource.first_register + index, 0};
}

std::optional<std::uint32_t> element_at(const ir::Resource& resource, const Place& place) {
  if (resource.heap || place.type != type_of(resource) || place.space != resource.space) return std::nullopt;
  const std::uint32_t index = resource.in_set ? place.element : place.number - resource.first_register;
  if (resource.in_set ? place.number != resource.first_register : place.number < resource.first_register) return std::nullopt;
  return resource.count == 0 || index < resource.count ? std::optional(index) : std::nullopt;
}

std::string index_text(const ir::Resource& resource, std::uint32_t index) {
  if (resource.dimensions.empty()) return resource.count == 1 ? std::string() : '[' + std::to_string(index) + ']';
  std::string text;
  for (std::size_t at = resource.dimensions.size(); at-- != 0;) {
    const std::uint32_t size = at == 0 ? 0 : resource.dimensions[at];
    text.insert(0, '[' + std::to_string(size == 0 ? index : index % size) + ']');
    index = size == 0 ? 0 : index / size;
  }
  return text;
}

std::string name_of(const ir::Resource& resource, std::uint32_t index) {
  return resource.name.empty() ? std::string() : resource.name + index_text(resource, index);
}

std::string key_of(const ir::Resource& resource, std::uint32_t index) {
  std::string key(1, letter_of(resource.kind));
  key += std::to_string(resource.first_register + (resource.in_set ? 0 : index));
  if (resource.space != 0) key += ",space" + std::to_string(resource.space);
  return resource.in_set ? key + index_text(resource, index) : key;
}

std::string shown_place(const ir::Resource& resource, std::uint32_t index) {
  if (!resource.in_set) return key_of(resource, index);
  if (resource.space == kPushConstantSpace) return "push_constants";
  return "set " + std::to_string(resource.space) + ", binding " + std::to_string(resource.first_register) + index_text(resource, index);
}

Spoken::Spoken(std::string_view text) : whole(text), base(text) {
  while (base.ends_with(']')) {
    const std::size_t open = base.rfind('[');
    if (open == std::string_view::npos || open == 0) break;
    const auto index = as_number<std::uint32_t>(base.substr(open + 1, base.size() - open - 2));
    if (!index) break;
    indexes.insert(indexes.begin(), *index);
    base = base.substr(0, open);
  }
  key = parse_key(base);
  if (key && key->letter == 'h' && !indexes.empty()) key.reset();
}

std::optional<std::uint32_t> element_of(const ir::Resource& resource, std::span<const std::uint32_t> indexes) {
  if (indexes.empty()) return 0;
  const std::span<const std::uint32_t> dimensions =
      resource.dimensions.empty() ? std::span(&resource.count, 1) : std::span(resource.dimensions);
  if (indexes.size() != dimensions.size()) return std::nullopt;
  std::uint64_t element = 0;
  for (std::size_t at = 0; at < indexes.size(); ++at) {
    if (dimensions[at] != 0 && indexes[at] >= dimensions[at]) return std::nullopt;
    element = element * std::max(dimensions[at], 1U) + indexes[at];
    if (element > 0xffff'fffe) return std::nullopt;
  }
  return static_cast<std::uint32_t>(element);
}

std::optional<std::uint32_t> element_by_name(const ir::Resource& resource, const Spoken& text) {
  if (resource.name.empty() || resource.heap) return std::nullopt;
  if (resource.name == text.whole) return 0;
  return resource.name == text.base ? element_of(resource, text.indexes) : std::nullopt;
}

std::optional<std::uint32_t> element_by_key(const ir::Resource& resource, const Spoken& text) {
  if (!text.key || resource.heap || text.key->space != resource.space) return std::nullopt;
  if (text.key->letter == 0 ? !resource.in_set : text.key->letter != letter_of(resource.kind)) return std::nullopt;
  if (resource.in_set) return text.key->number == resource.first_register ? element_of(resource, text.indexes) : std::nullopt;
  if (text.key->number < resource.first_register) return std::nullopt;
  const auto element = element_of(resource, text.indexes);
  if (!element) return std::nullopt;
  const std::uint64_t index = std::uint64_t{text.key->number - resource.first_register} + *element;
  return index <= 0xffff'fffe && (resource.count == 0 || index < resource.count) ? std::optional(static_cast<std::uint32_t>(index))
                                                                                 : std::nullopt;
}

std::string no_element(const ir::Resource& resource, std::string_view name) {
  if (resource.count == 1 && resource.dimensions.empty()) return '`' + std::string(name) + "` is no array";
  const std::vector<std::uint32_t> sizes = resource.dimensions.empty() ? std::vector{resource.count} : resource.dimensions;
  std::string bounds;
  for (const std::uint32_t size : sizes) bounds += (bounds.empty() ? "" : " and ") + (size == 0 ? "any" : "below " + std::to_string(size));
  return '`' + std::string(name) + "` is an array: expected " +
         (sizes.size() == 1 ? "an index " : std::to_string(sizes.size()) + " indexes, ") + bounds;
}

BoundResources::BoundResources(const ir::Module& module) : module_(module) {
  for (std::size_t row = 0; row < module.resources.size(); ++row) {
    const ir::Resource& resource = module.resources[row];
    if (resource.heap) continue;
    constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();
    const std::uint32_t first = resource.first_register;
    const std::uint32_t more = resource.in_set ? 0 : resource.count == 0 ? kEnd : resource.count - 1;
    ranges_[{resource.space, letter_of(resource.kind)}].push_back({first, first + std::min(more, kEnd - first), row, 0});
  }
  for (auto& one : ranges_) {
    std::ranges::stable_sort(one.second, {}, &Range::first);
    std::uint32_t furthest = 0;
    for (Range& range : one.second) range.furthest = furthest = std::max(furthest, range.last);
  }
}

std::vector<std::size_t> BoundResources::rows_at(std::uint32_t space, std::uint32_t number) const {
  std::vector<std::size_t> made;
  for (auto group = ranges_.lower_bound({space, 0}); group != ranges_.end() && group->first.first == space; ++group) {
    auto range = std::ranges::upper_bound(group->second, number, {}, &Range::first);
    while (range != group->second.begin() && std::prev(range)->furthest >= number)
      if ((--range)->last >= number) made.push_back(range->row);
  }
  std::ranges::sort(made);
  return made;
}

std::vector<Binding> BoundResources::at(const Place& place) const {
  std::vector<Binding> made;
  for (const std::size_t row : rows_at(place.space, place.number))
    if (const auto index = element_at(module_.resources[row], place)) made.push_back({row, *index});
  return made;
}

std::optional<Binding> BoundResources::written_at(const Place& place) const {
  for (const Binding& one : at(place))
    if (is_writable(module_.resources[one.row].kind)) return one;
  return std::nullopt;
}

BoundResources::Named BoundResources::named(const Spoken& text) const {
  Named made;
  if (!text.key) return made;
  const Spoken base(text.base);
  for (const std::size_t row : rows_at(text.key->space, text.key->number)) {
    if (const auto index = element_by_key(module_.resources[row], text)) {
      made.elements.push_back({row, *index});
    } else if (!text.indexes.empty() && element_by_key(module_.resources[row], base)) {
      made.out_of_bounds.push_back(row);
    }
  }
  return made;
}

std::string BoundResources::key_of(const ir::Resource& resource, std::uint32_t index) const {
  const auto written = written_at(place_of(resource, index));
  return written ? run::key_of(module_.resources[written->row], written->index) : run::key_of(resource, index);
}

std::vector<Elements> elements_of(const ir::Module& module) {
  std::vector<Elements> made(module.resources.size());
  for (const ir::Function& function : module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        const ir::Inst& inst = function.insts[id];
        if (inst.op != ir::Op::handle || inst.extra >= made.size()) continue;
        const ir::Id index = function.operands_of(id)[0];
        if (function.insts[index].op == ir::Op::constant) {
          made[inst.extra].known.push_back(static_cast<std::uint32_t>(ir::constant_bits(function, index)));
        } else {
          made[inst.extra].any = true;
        }
      }
    }
  }
  for (Elements& one : made) {
    std::ranges::sort(one.known);
    one.known.erase(std::ranges::unique(one.known).begin(), one.known.end());
  }
  return made;
}

std::vector<std::uint32_t> elements_given(const ir::Resource& resource, const Elements& accessed, std::uint32_t most) {
  std::vector<std::uint32_t> made;
  // those that are too far away stand for others, as where an index may be any
  const bool any = accessed.any || (resource.count == 0 && !accessed.known.empty() && accessed.known.back() > kMostIndex);
  std::uint32_t all = any ? resource.count == 0 ? kElementsOfUnbounded : std::min(resource.count, most) : 0;
  if (!any && accessed.known.empty()) all = 1;
  for (std::uint32_t index = 0; index < all; ++index) made.push_back(index);
  for (const std::uint32_t index : accessed.known)
    if (index >= all && (resource.count == 0 ? index <= kMostIndex : index < resource.count)) made.push_back(index);
  return made;
}

// --- what programs do not have, and cases do not give --------------------------------------------------------------------------------

std::string Bindings::not_given(std::size_t row, std::optional<std::uint32_t> index) const {
  const ir::Resource& resource = module_.resources[row];
  if (resource.heap || resource.kind == ResourceKind::sampler) return {};
  std::vector<std::uint32_t> elements;
  if (index) {
    elements.push_back(*index);
  } else {
    elements = elements_given(resource, {true, {}});
  }
  if (std::ranges::any_of(elements, [&](std::uint32_t one) { return memory_at_.contains(run::place_of(resource, one)); })) return {};
  const std::string place = index ? shown_place(resource, *index) : shown_place(resource, 0);
  const std::string name = index ? name_of(resource, *index) : resource.name;
  std::string made = letter_of(resource.kind) == 'b' ? "constant buffer `" : is_buffer(resource) ? "buffer `" : "texture `";
  made += name.empty() ? place : name;
  return made + (name.empty() || name == place ? "`" : "` (" + place + ')');
}

std::string Bindings::not_given_in_heap(std::uint32_t index) const {
  return memory_at_.contains({Place::Type::heap, 0, index, 0}) ? std::string() : "resource `heap" + std::to_string(index) + '`';
}

// --- addresses ---------------------------------------------------------------------------------------------------------------------------

namespace {

std::optional<std::uint64_t> address_named(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return as_number<std::uint64_t>(text.substr(2), 16);
  return as_number<std::uint64_t>(text);
}

std::string address_text(std::uint64_t address) {
  Text text;
  text << "0x";
  text.hex(address);
  return text.str();
}

}  // namespace

bool uses_addresses(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::BlockId block : function.order)
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id])
        if (function.insts[id].op == ir::Op::handle_from_address) return true;
  return false;
}

Result<void> Bindings::bind_addresses(const Value& addresses) {
  if (addresses.as_map() == nullptr) return fault(addresses, "addresses", "expected a map of buffers by address");
  auto& all = resources_.addresses;
  for (const Value::Member& member : *addresses.as_map()) {
    const std::string path = "addresses/" + member.key;
    const auto wrong = [&](std::string message, ErrorCode code = ErrorCode::bad_value) {
      return Error{code, member.key_offset, path, std::move(message)};
    };
    const auto address = address_named(member.key);
    if (!address || *address == 0) return wrong("expected an address: a whole number of 64 bits above 0, such as 0x10000");
    texel::Descriptor view;
    if (const std::string* const name = shared_ == nullptr ? nullptr : member.value.as_text()) {
      const auto known = shared_->find(*name);
      if (known == shared_->end()) return fault(member.value, path, "there is no resource `" + *name + '`', ErrorCode::missing);
      view = known->second;
    } else {
      auto own = described(member.value, {}, options_, taken_);
      if (!own) return std::move(own).error().within(path);
      Memory& memory = memories_.emplace_back();
      memory.key = address_text(*address);
      memory.bytes = std::move(own->bytes);
      memory.writable = true;
      memory.binding = {Binding::kUnused, 0};
      view = own->view;
      view.bytes = memory.bytes;
    }
    if (view.is_texture()) return fault(member.value, path, "expected a buffer, found a texture");
    if (view.bytes.size() > std::numeric_limits<std::uint64_t>::max() - *address || view.bytes.size() > 0x7fff'ffff)
      return wrong("the end of the buffer exceeds the 64 bits of addresses");
    const auto after = std::ranges::upper_bound(all, *address, {}, &vm::AddressedBuffer::address);
    const bool overlaps = (after != all.end() && after->address - *address < view.bytes.size()) ||
                          (after != all.begin() && *address - std::prev(after)->address < std::prev(after)->view.bytes.size());
    if (overlaps) return wrong("the buffer overlaps another one");
    all.insert(after, {*address, view});
  }
  return {};
}

}  // namespace unshade::run
