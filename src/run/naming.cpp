// Which resource a text means.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <unshade/core/mutex.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/run.hpp>

namespace unshade::run {
using dxcontainer::ResourceKind;

NameIndex& Bindings::name_index(Kind kind) const { return kind == Kind::sampler ? sampler_names_ : names_; }

std::string_view Bindings::own_name(const ir::Resource& resource, Kind kind) {
  return resource.heap || (resource.kind == ResourceKind::sampler) != (kind == Kind::sampler) ? std::string_view() : resource.name;
}

namespace {

std::string path_of(const Value::Member& member, Bindings::Kind kind) {
  return (kind == Bindings::Kind::sampler ? "samplers/" : "resources/") + member.key;
}

/// Whether two resources of Vulkan are one: a combined image sampler is both.
bool same_binding(const ir::Resource& resource, std::uint32_t index, const Place& place) {
  return resource.in_set && place.space == resource.space && place.number == resource.first_register && place.element == index;
}

/// The name of a resource's block; empty if it has none.
std::string_view block_name(const shader::Reflection& reflection, const shader::Resource& row) {
  return row.buffer != shader::kNone ? std::string_view(reflection.buffers[row.buffer].name) : std::string_view();
}

}  // namespace

bool Bindings::has_resource(const Value::Member& member, Kind kind) const {
  const auto found = find(member, kind);
  return found || found.error().code == ErrorCode::bad_value;
}

std::vector<std::uint32_t> Bindings::reflected_rows(const Spoken& text) const {
  if (options_.reflection == nullptr) return {};
  if (!reflected_names_) {
    reflected_names_.emplace();
    for (std::uint32_t k = 0; k < options_.reflection->resources.size(); ++k) {
      const shader::Resource& row = options_.reflection->resources[k];
      for (const std::string_view name : {std::string_view(row.name), block_name(*options_.reflection, row)})
        if (!name.empty()) (*reflected_names_)[name].push_back(k);
    }
  }
  std::vector<std::uint32_t> rows;
  for (const std::string_view name : {text.whole, text.base}) {
    const auto found = reflected_names_->find(name);
    if (found != reflected_names_->end()) rows.insert(rows.end(), found->second.begin(), found->second.end());
  }
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  return rows;
}

std::optional<Bindings::Reflected> Bindings::other_of_name(const Place& bound, const Spoken& text, Kind kind) const {
  if (!text.key) return std::nullopt;
  const auto is_other = [&](const ir::Resource& resource, std::uint32_t index) {
    return run::place_of(resource, index) != bound && !same_binding(resource, index, bound);
  };
  NameIndex& names = name_index(kind);
  auto row = names.find(module_.resources, text.base, [&](const ir::Resource& one) { return own_name(one, kind); });
  for (; row; row = names.next(*row)) {
    const auto element = element_by_name(module_.resources[*row], text);
    if (element && is_other(module_.resources[*row], *element)) return Reflected{module_.resources[*row], *element};
  }
  for (const std::uint32_t k : reflected_rows(text)) {
    const shader::Resource& one = options_.reflection->resources[k];
    const bool of_name = one.name == text.base || one.name == text.whole;
    if (!of_name && block_name(*options_.reflection, one) != text.base) continue;
    if (one.kind != ResourceKind::combined_sampler && (one.kind == ResourceKind::sampler) != (kind == Kind::sampler)) continue;
    ir::Resource resource = as_declared(one, *options_.reflection, kind == Kind::sampler);
    const auto index = element_of(resource, text.indexes);
    if (index && is_other(resource, *index)) return Reflected{std::move(resource), *index};
  }
  return std::nullopt;
}

Result<void> Bindings::check_blocks(const Value::Member& member, const Spoken& text, const ir::Resource& found, std::uint32_t index,
                                    Kind kind) const {
  if (kind == Kind::sampler) return {};
  for (const std::uint32_t k : reflected_rows(text)) {
    const shader::Resource& row = options_.reflection->resources[k];
    const std::string_view block = block_name(*options_.reflection, row);
    if (block.empty() || (block != text.whole && block != text.base)) continue;
    const ir::Resource resource = as_declared(row, *options_.reflection, false);
    const auto element = block == text.whole ? std::optional<std::uint32_t>(0) : element_of(resource, text.indexes);
    if (!element || run::place_of(resource, *element) == run::place_of(found, index)) continue;
    return Error{ErrorCode::bad_value, member.key_offset, path_of(member, kind),
                 "the name of a resource and of another one's block: must be written as `" + shown_place(found, index) + "` or `" +
                     shown_place(resource, *element) + '`'};
  }
  return {};
}

Result<Binding> Bindings::find(const Value::Member& member, Kind kind) const {
  const Spoken text(member.key);
  const std::string path = path_of(member, kind);
  if (text.key && text.key->letter == 'h') return Binding{Binding::kHeap, text.key->number};
  const auto is_wanted = [&](const ir::Resource& resource) { return (resource.kind == ResourceKind::sampler) == (kind == Kind::sampler); };
  // by where it is bound
  const BoundResources::Named named = bound_.named(text);
  std::optional<Binding> found;
  for (const Binding& one : named.elements) {
    const ir::Resource& resource = module_.resources[one.row];
    if (!found || (!is_wanted(module_.resources[found->row]) && is_wanted(resource))) {
      found = one;
    } else if (is_wanted(resource) == is_wanted(module_.resources[found->row]) && place_of(one) != place_of(*found)) {
      return Error{ErrorCode::bad_value, member.key_offset, path,
                   "several resources are bound there: `" + run::key_of(module_.resources[found->row], found->index) + "` and `" +
                       run::key_of(resource, one.index) + '`'};
    }
  }
  if (found) return *found;
  // by name
  for (const bool wanted : {true, false}) {
    const Kind of = wanted == (kind == Kind::sampler) ? Kind::sampler : Kind::resource;
    NameIndex& names = name_index(of);
    for (const std::string_view name : {text.whole, text.base}) {
      const auto row =
          name.empty() ? std::nullopt : names.find(module_.resources, name, [&](const ir::Resource& one) { return own_name(one, of); });
      if (!row) continue;
      const auto element = element_by_name(module_.resources[*row], text);
      for (auto other = names.next(*row); element && other; other = names.next(*other)) {
        const ir::Resource& same = module_.resources[*other];
        if (run::place_of(same, 0) != run::place_of(module_.resources[*row], 0))
          return Error{ErrorCode::bad_value, member.key_offset, path,
                       "several resources have this name: `" + shown_place(module_.resources[*row], *element) + "` and `" +
                           shown_place(same, *element) + '`'};
      }
      if (element) {
        if (auto done = check_blocks(member, text, module_.resources[*row], *element, of); !done) return std::move(done).error();
        return Binding{*row, *element};
      }
      // the program may declare a part of an array
      const auto known = in_reflection(member, text, kind);
      if (!known) return known.error();
      if (*known) return **known;
      return Error{ErrorCode::missing, member.key_offset, path, no_element(module_.resources[*row], name)};
    }
  }
  const auto known = in_reflection(member, text, kind);
  if (!known) return known.error();
  if (*known) return **known;
  if (!named.out_of_bounds.empty())
    return Error{ErrorCode::missing, member.key_offset, path, no_element(module_.resources[named.out_of_bounds.back()], text.base)};
  if (text.key) return Binding{Binding::kUnused, static_cast<std::uint32_t>(memories_.size())};
  Nearest nearest(member.key);
  for (const ir::Resource& resource : module_.resources) {
    nearest.consider(resource.name);
    nearest.consider(key_of(resource, 0));
  }
  for (std::size_t k = 0; options_.reflection != nullptr && k < options_.reflection->resources.size(); ++k)
    nearest.consider(options_.reflection->resources[k].name);
  std::vector<std::string> names;
  for (const ir::Resource& resource : module_.resources) {
    if (!is_wanted(resource) || resource.heap) continue;
    const std::string name = resource.name.empty() ? key_of(resource, 0) : std::string(resource.name);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  const std::string_view what = kind == Kind::sampler ? "sampler" : "resource";
  std::string message = "the shader has no " + std::string(what) + " of this name" + nearest.question();
  if (nearest.question().empty()) {
    message += names.empty() ? ", and no " + std::string(what) + "s" : "; it has" + listed(names);
  }
  return Error{ErrorCode::missing, member.key_offset, path, std::move(message)};
}

Result<std::optional<Bindings::Reflected>> Bindings::reflected(const Value::Member& member, const Spoken& text, Kind kind) const {
  const std::string path = path_of(member, kind);
  std::optional<Reflected> found;
  std::optional<Error> wrong;
  const std::vector<std::uint32_t> rows = reflected_rows(text);
  // a block by its own name if no instance has that name
  for (const auto& [by_block, wanted] : {std::pair{false, true}, {false, false}, {true, true}, {true, false}}) {
    for (const std::uint32_t k : rows) {
      const shader::Resource& row = options_.reflection->resources[k];
      const std::string_view name = by_block ? block_name(*options_.reflection, row) : std::string_view(row.name);
      if (name.empty() || (name != text.whole && name != text.base)) continue;
      const bool is_wanted = row.kind == ResourceKind::combined_sampler || (row.kind == ResourceKind::sampler) == (kind == Kind::sampler);
      if (is_wanted != wanted) continue;
      ir::Resource resource = as_declared(row, *options_.reflection, kind == Kind::sampler);
      // by either name
      const auto index = name == text.whole ? std::optional<std::uint32_t>(0) : element_of(resource, text.indexes);
      if (!index) {
        if (!wrong) wrong = Error{ErrorCode::missing, member.key_offset, path, no_element(resource, text.base)};
        continue;
      }
      if (found && run::place_of(found->resource, found->index) != run::place_of(resource, *index))
        return Error{ErrorCode::bad_value, member.key_offset, path,
                     "several resources have this name: `" + shown_place(found->resource, found->index) + "` and `" +
                         shown_place(resource, *index) + '`'};
      if (!found) found = Reflected{std::move(resource), *index};
    }
    if (found && !by_block) {
      if (auto done = check_blocks(member, text, found->resource, found->index, kind); !done) return std::move(done).error();
    }
    if (found) return found;
    if (wrong) return std::move(*wrong);
  }
  return found;
}

Result<std::optional<Binding>> Bindings::in_reflection(const Value::Member& member, const Spoken& text, Kind kind) const {
  const auto known = reflected(member, text, kind);
  if (!known) return known.error();
  if (!*known) return std::optional<Binding>();
  const std::vector<Binding> declared = bound_.at(run::place_of((*known)->resource, (*known)->index));
  return std::optional(declared.empty() ? Binding{Binding::kUnused, static_cast<std::uint32_t>(memories_.size())} : declared.front());
}

Result<std::string> Bindings::key_named(const Value::Member& member, Kind kind) const {
  const auto place = find(member, kind);
  if (!place) return place.error();
  if (place->row >= Binding::kUnused)
    return Error{ErrorCode::missing, member.key_offset, member.key, "the shader does not use this resource"};
  return bound_.key_of(module_.resources[place->row], place->index);
}

Result<void> Bindings::check_names(const Value::Map& members, std::string_view path, Kind kind) const {
  std::set<Place> known;
  std::vector<std::pair<Place, const Value::Member*>> given;
  for (const Value::Member& member : members) {
    const auto found = find(member, kind);
    if (!found || found->row == Binding::kUnused) continue;
    given.emplace_back(place_of(*found), &member);
    known.insert(given.back().first);
  }
  // `t3` may be meant as the name of a resource bound elsewhere, unless the map gives that one too
  for (const auto& [place, member] : given) {
    const auto other = other_of_name(place, Spoken(member->key), kind);
    if (!other || known.contains(run::place_of(other->resource, other->index))) continue;
    const auto bound = bound_.at(place);
    if (bound.empty()) continue;
    const auto shown = [&](const ir::Resource& resource, std::uint32_t index) {
      const std::string text = shown_place(resource, index);
      return '`' + (text == member->key ? text + ",space0" : text) + '`';
    };
    return Error{ErrorCode::bad_value, member->key_offset, std::string(path) + '/' + member->key,
                 "a binding, but also the name of a resource bound elsewhere: must be written as " +
                     shown(module_.resources[bound.front().row], bound.front().index) + " or " + shown(other->resource, other->index)};
  }
  return {};
}

Result<void> Bindings::check_bindings(const Value::Map& members, std::string_view path, Kind kind) const {
  if (auto done = check_names(members, path, kind); !done) return done;
  std::map<Place, std::string_view> known;
  for (const Value::Member& member : members) {
    const auto found = find(member, kind);
    if (!found || found->row == Binding::kUnused) continue;
    const auto [other, added] = known.try_emplace(place_of(*found), member.key);
    if (added) continue;
    return Error{ErrorCode::bad_value, member.key_offset, std::string(path) + '/' + member.key,
                 "the same binding as `" + std::string(other->second) + "`: it must have one name in the case and its suite"};
  }
  return {};
}

Result<const Value::Member*> Bindings::find_result(const Value& result, std::string_view name) const {
  const Value::Member wanted{std::string(name), {}, 0};
  const auto key = key_named(wanted);
  if (!key && key.error().code == ErrorCode::bad_value) return Error{ErrorCode::bad_value, 0, {}, key.error().message};
  if (const Value::Member* const found = find_resource(result, key ? std::string_view(*key) : name)) return found;
  return Error{ErrorCode::missing, 0, {}, no_resource(result, name)};
}

const Value::Member* find_resource(const Value& result, std::string_view name) {
  const Value* const resources = result.find("resources");
  if (resources == nullptr || resources->as_map() == nullptr) return nullptr;
  for (const Value::Member& member : *resources->as_map())
    if (member.key == name) return &member;
  const run::Spoken wanted(name);
  const auto is_first = [](const run::Spoken& of) { return std::ranges::all_of(of.indexes, [](std::uint32_t one) { return one == 0; }); };
  for (const Value::Member& member : *resources->as_map()) {
    const run::Spoken own(member.key);
    if (!wanted.key || !own.key || own.key->number != wanted.key->number || own.key->space != wanted.key->space) continue;
    const bool same_class = wanted.key->letter == own.key->letter || (wanted.key->letter == 0 && member.value.find("set") != nullptr);
    if (same_class && (own.indexes == wanted.indexes || (wanted.indexes.empty() && is_first(own)))) return &member;
  }
  for (const Value::Member& member : *resources->as_map()) {
    const Value* const known = member.value.find("name");
    if (known == nullptr || known->as_text() == nullptr) continue;
    const run::Spoken own(*known->as_text());
    // an array's name alone is its first element
    if (own.whole == name || (own.base == name && is_first(own))) return &member;
  }
  return nullptr;
}

std::string no_resource(const Value& result, std::string_view name) {
  std::vector<std::string> names;
  if (const Value* const resources = result.find("resources"); resources != nullptr && resources->as_map() != nullptr)
    for (const Value::Member& member : *resources->as_map()) names.push_back(member.key);
  const std::string message = "the shader writes no resource `" + std::string(name) + '`';
  return message + (names.empty() ? std::string(", and no other") : "; it writes" + listed(names));
}

struct ResourceNames::Data {
  explicit Data(Runnable of) : shader(std::move(of)) {}

  Runnable shader;
  RunOptions options;                ///< which `bindings` refers to, as to the shader's module
  std::optional<Bindings> bindings;  ///< once something was found
  Mutex mutex;                       ///< finding fills its indexes
};

ResourceNames::ResourceNames(Runnable shader) : data_(std::make_shared<Data>(std::move(shader))) {}

Result<const Value::Member*> ResourceNames::find(const Value& result, std::string_view name) const {
  const std::lock_guard lock(data_->mutex);
  if (!data_->bindings) {
    data_->options.reflection = data_->shader.reflection();
    data_->bindings.emplace(data_->shader.module(), data_->options);
  }
  if (auto done = data_->bindings->check_names({{std::string(name), {}, 0}}, {}); !done)
    return Error{ErrorCode::bad_value, 0, {}, '`' + std::string(name) + "` is " + done.error().message};
  return data_->bindings->find_result(result, name);
}

Result<const Value::Member*> find_resource(const Runnable& shader, const Value& result, std::string_view name) {
  return ResourceNames(shader).find(result, name);
}

}  // namespace unshade::run
