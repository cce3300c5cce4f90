#include <unshade/run/inputs.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/lowered.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/values.hpp>

namespace unshade::run {
namespace {

// All that a key names in one way.
std::vector<NamedInput> named_in(const std::vector<ir::Element>& elements, std::string_view key, NameKind kind) {
  std::vector<NamedInput> made;
  std::size_t place = 0;
  for (std::size_t at = 0; at < elements.size(); place += elements[at++].rows)
    if (const auto named = row_named(elements[at], key, kind)) made.push_back({at, named->row, place + named->row, 0, named->is_whole});
  return made;
}

// All that is packed into a register.
std::vector<NamedInput> of_register(const std::vector<ir::Element>& elements, std::string_view key) {
  std::vector<NamedInput> made;
  std::size_t place = 0;
  for (std::size_t at = 0; at < elements.size(); place += elements[at++].rows)
    if (const auto row = row_in_register(elements[at], key, 'v')) made.push_back({at, *row, place + *row, elements[at].first_column});
  return made;
}

bool has_lists(const Value::List& list) {
  return std::ranges::any_of(list, [](const Value& one) { return one.as_list() != nullptr; });
}

// Lists in lists: 1 of a list of numbers.
std::size_t depth_of(const Value& value) {
  const Value::List* const list = value.as_list();
  return list == nullptr ? 0 : 1 + (list->empty() ? 0 : depth_of(list->front()));
}

// Whether lists in lists are those of an array of arrays, level by level, rather than one for each row.
bool is_by_levels(const ir::Element& element, const Value::List& given) {
  const std::size_t depth = given.empty() ? 1 : 1 + depth_of(given.front());
  if (element.levels.empty() || depth < element.levels.size() + (element.columns > 1 ? 1 : 0)) return false;
  if (depth > 2) return true;
  // [[1], [2], [3], [4]] has a list for each row
  const auto is_row = [](const Value& one) { return one.as_list() != nullptr && one.as_list()->size() == 1; };
  return given.size() <= element.levels.front() || !std::ranges::all_of(given, is_row);
}

// Rows of one level of an array of arrays, and of those in it. `to.row`: the first; `rows`: of an element of this level.
Result<void> add_level(const Value& value, std::span<const std::uint32_t> levels, std::size_t rows, const GivenRow& to,
                       std::vector<GivenRow>& made) {
  const Value::List* const list = value.as_list();
  if (levels.empty()) {
    constexpr std::size_t kColumns = 4;
    if (list != nullptr && (has_lists(*list) || list->size() > kColumns))
      return fault(value, "", "expected a number, or a list of at most four");
    GivenRow& row = made.emplace_back(to);
    if (list == nullptr) row.numbers.push_back(&value);
    for (std::size_t k = 0; list != nullptr && k < list->size(); ++k) row.numbers.push_back(&(*list)[k]);
    return {};
  }
  if (list == nullptr) return fault(value, "", "expected a list of elements");
  if (list->size() > levels.front())
    return fault(value, "",
                 "found " + std::to_string(list->size()) + " elements, this dimension of the array has " + std::to_string(levels.front()));
  for (std::size_t k = 0; k < list->size(); ++k) {
    const std::size_t inner = rows / levels.front();
    const std::size_t row = to.row + k * inner;
    const GivenRow first{to.element, static_cast<std::uint32_t>(row), to.place + k * inner, {}};
    if (auto done = add_level((*list)[k], levels.subspan(1), inner, first, made); !done) return done;
  }
  return {};
}

// Whether a list has a map, as those of vertices.
bool has_maps(const Value& value) {
  const Value::List* const list = value.as_list();
  return list != nullptr && std::ranges::any_of(*list, [](const Value& one) { return one.as_map() != nullptr; });
}

}  // namespace

std::vector<NamedInput> inputs_named(const std::vector<ir::Element>& elements, std::string_view key) {
  for (const NameKind kind : kNameKinds) {
    std::vector<NamedInput> made = named_in(elements, key, kind);
    if (made.size() == 1) return made;
    if (!made.empty() && kind == NameKind::exact) return {};
    if (!made.empty()) break;
  }
  return of_register(elements, key);
}

std::string several_inputs(const std::vector<ir::Element>& elements, std::string_view key) {
  if (!inputs_named(elements, key).empty()) return {};
  for (const NameKind kind : kNameKinds) {
    const std::vector<NamedInput> all = named_in(elements, key, kind);
    if (all.empty()) continue;
    std::vector<std::string> keys;
    for (const NamedInput& one : all) {
      const ir::Element& element = elements[one.element];
      const std::string register_key =
          (element.variable.empty() ? "v" : "location") + std::to_string(std::uint64_t{element.first_register} + one.row);
      for (const std::string& own : {one.is_whole ? element.semantic : semantic_key(element, one.row), register_key}) {
        const auto named = inputs_named(elements, own);
        if (std::ranges::find(named, one.place, &NamedInput::place) == named.end()) continue;
        if (std::ranges::find(keys, own) == keys.end()) keys.push_back(own);
        break;
      }
    }
    return "several inputs have this name" + listed(keys);
  }
  return {};
}

bool is_input(const std::vector<ir::Element>& elements, std::string_view key) {
  return !inputs_named(elements, key).empty() || !several_inputs(elements, key).empty();
}

bool is_beside_inputs(const Value::Member& member) {
  if (member.key == "vertices" || member.key == "control_points") return has_maps(member.value);
  if (member.key == kPatchConstants || member.key == kBuiltIns) return member.value.as_map() != nullptr;
  return member.key == "helper" && member.value.as_boolean() != nullptr;
}

std::vector<const Value::Member*> built_ins_of(const Value& lane, const std::vector<ir::Element>& inputs) {
  std::vector<const Value::Member*> made;
  for (const Value::Member& member : *lane.as_map()) {
    if (member.key == kBuiltIns && is_beside_inputs(member)) {
      for (const Value::Member& one : *member.value.as_map()) made.push_back(&one);
    } else if (is_beside_inputs(member) || !is_input(inputs, member.key)) {
      made.push_back(&member);
    }
  }
  return made;
}

Result<std::vector<GivenRow>> rows_given(const std::vector<ir::Element>& elements, std::span<const NamedInput> named, const Value& value) {
  constexpr std::size_t kColumns = 4;
  const Value::List* const list = value.as_list();
  const bool is_nested = list != nullptr && has_lists(*list);
  const std::size_t given = list == nullptr ? 1 : list->size();
  std::vector<GivenRow> made;
  bool gives = given == 0 || named.empty();
  for (const NamedInput& one : named) {
    const ir::Element& element = elements[one.element];
    const std::size_t rows = element.rows - one.row;
    if (is_nested && one.is_whole && named.size() == 1 && is_by_levels(element, *list)) {
      if (auto done = add_level(value, element.levels, element.rows, {one.element, one.row, one.place, {}}, made); !done)
        return std::move(done).error();
      return made;
    }
    const bool is_row = !is_nested && given <= kColumns && !(one.is_whole && rows > 1);
    if (!is_row && (one.skipped != 0 || &one != &named.front()))
      return fault(value, "", "found " + std::to_string(given) + (is_nested ? " lists" : " numbers") + ", the register has 4");
    if (is_nested && given > rows)
      return fault(value, "", "found " + std::to_string(given) + " rows, the input has " + std::to_string(rows));
    if (!is_nested && !is_row && given > rows * element.columns)
      return fault(value, "", "found " + std::to_string(given) + " numbers, the input has " + std::to_string(rows * element.columns));
    for (std::size_t k = is_nested ? 0 : one.skipped; k < given;) {
      const std::size_t row = is_nested ? k : is_row ? 0 : k / element.columns;
      GivenRow& to = made.emplace_back(GivenRow{one.element, one.row + static_cast<std::uint32_t>(row), one.place + row});
      if (is_nested) {
        const Value& inner = (*list)[k++];
        const Value::List* const numbers = inner.as_list();
        if (numbers == nullptr || has_lists(*numbers)) return fault(inner, "", "expected a list of numbers, as the others are");
        if (numbers->size() > kColumns)
          return fault(inner, "", "found " + std::to_string(numbers->size()) + " numbers, a row has at most 4");
        for (const Value& number : *numbers) to.numbers.push_back(&number);
        continue;
      }
      const std::size_t end = is_row ? given : std::min(given, k + element.columns);
      for (; k < end; ++k) to.numbers.push_back(list == nullptr ? &value : &(*list)[k]);
    }
    gives = gives || given > one.skipped;
  }
  if (!gives)
    return fault(value, "", "the shader does not read the first component of this register: give a list of its components from x on");
  return made;
}

InputKeys::InputKeys(const std::vector<ir::Element>& elements) {
  std::map<std::string, std::uint32_t> counts;  // of the rows that have a name
  for (const ir::Element& element : elements) {
    // both have a name beside their keys: `matrix` of all rows, `color[0]` of the only one
    if (element.has_plain_name()) ++counts[lowered(element.rows != 1 ? element.semantic : element.semantic + "[0]")];
    for (std::uint32_t row = 0; row < element.rows; ++row) ++counts[lowered(semantic_key(element, row))];
  }
  std::map<std::uint32_t, std::string> registers;  // keys that name all rows in a register of which one has a semantic that another has
  for (const ir::Element& element : elements) {
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      const std::size_t place = keys_.size();
      std::string& key = keys_.emplace_back().key;
      key = semantic_key(element, row);
      if (counts[lowered(key)] == 1) continue;
      key.clear();
      if (element.first_register == ir::kNone) continue;
      const auto known = registers.try_emplace(element.first_register + row).first;
      for (const std::string_view letter : {"v", "location"}) {
        if (!known->second.empty()) break;
        std::string of_register = std::string(letter) + std::to_string(known->first);
        const auto named = inputs_named(elements, of_register);
        if (std::ranges::find(named, place, &NamedInput::place) != named.end()) known->second = std::move(of_register);
      }
    }
  }
  std::size_t place = 0;
  for (const ir::Element& element : elements) {
    for (std::uint32_t row = 0; row < element.rows; ++row, ++place) {
      if (element.first_register == ir::kNone) continue;
      const auto known = registers.find(element.first_register + row);
      if (known != registers.end() && !known->second.empty()) keys_[place] = {known->second, element.first_column, element.columns};
    }
  }
}

void InputKeys::add(std::size_t place, std::span<const Value* const> numbers, Value& to, std::size_t column) const {
  const Key& key = keys_[place];
  if (key.key.empty() || column >= key.columns) return;
  Value::Map& members = *to.as_map();
  auto member = std::ranges::find(members, key.key, &Value::Member::key);
  if (member == members.end()) member = members.insert(member, {key.key, Value::list(), 0});
  Value::List* const list = member->value.as_list();
  if (list == nullptr) return;
  const std::size_t first = key.first + column;
  const auto own = numbers.first(std::min(numbers.size(), key.columns - column));
  list->resize(std::max(list->size(), first + own.size()), Value::integer(0));
  std::ranges::transform(own, list->begin() + static_cast<std::ptrdiff_t>(first), [](const Value* number) { return *number; });
}

// --- what lanes are given ----------------------------------------------------------------------------------------------------

namespace {

// Refuses a name that several inputs have.
Result<void> check_one_input(const std::vector<ir::Element>& elements, const Value::Member& member) {
  const std::string several = several_inputs(elements, member.key);
  if (several.empty()) return {};
  return Error{ErrorCode::bad_value, member.key_offset, member.key, several};
}

// A name that is no input is an error. In a file of vertices it has no effect, if it is not probably meant to be that of an input: spelled
// nearly so, or without the number of one that the map `given` leaves out.
Result<void> unknown_name(const std::vector<ir::Element>& elements, const Value::Map& given, const Value::Member& member,
                          InputNames& names) {
  if (!names.unknown.insert(member.key).second) return {};
  if (auto done = check_one_input(elements, member); !done) return done;
  const auto refused = [&](const std::string& question) {
    return Error{ErrorCode::missing, member.key_offset, member.key, "the shader has no input of this name" + question};
  };
  Nearest nearest(member.key);
  for (const ir::Element& element : elements) {
    const std::string key = semantic_key(element, 0);
    const auto is_key = [&](const Value::Member& one) { return lowered(one.key) == lowered(key); };
    if (lowered(element.semantic) == lowered(member.key) && std::ranges::none_of(given, is_key))
      return refused("; did you mean `" + key + "`?");
    if (!names.is_file && lowered(key).starts_with(lowered(member.key) + '[')) return refused("; did you mean `" + key + "`?");
    for (std::uint32_t row = 0; row < element.rows && (element.semantic.size() > 3 || !names.is_file); ++row)
      nearest.consider(semantic_key(element, row));
  }
  if (!names.is_file) return refused(nearest.question());
  const auto letters = [](std::string_view name) { return lowered(name.substr(0, name.find_last_not_of("0123456789") + 1)); };
  if (nearest.name().empty() || letters(nearest.name()) == letters(member.key)) return {};
  return refused(nearest.question());
}

// Values of elements, `vertices` of them in a row.
struct Rows {
  const std::vector<ir::Element>& elements;
  std::uint32_t vertices;
  std::vector<std::uint64_t>& to;
};

// What gave each component of a vertex: an input has several names, of which one may be given.
class Owners {
 public:
  Result<void> claim(std::size_t component, const Value::Member& member) {
    if (owners_.size() <= component) owners_.resize(component + 1);
    const Value::Member*& owner = owners_[component];
    if (owner != nullptr && owner != &member)
      return Error{ErrorCode::bad_value, member.key_offset, "",
                   '`' + owner->key + "` is another name of this input, which must have one of them"};
    owner = &member;
    return {};
  }

 private:
  std::vector<const Value::Member*> owners_;
};

// What a member of a map says of the elements that it names. False: it names none.
Result<bool> give_element(const Value::Member& member, const Rows& rows, std::uint32_t vertex, std::uint32_t count, std::uint32_t lane,
                          Owners& owners) {
  const std::uint32_t components = vm::components_of(rows.elements);
  const auto named = inputs_named(rows.elements, member.key);
  const auto given = rows_given(rows.elements, named, member.value);
  if (!given) return given.error();
  for (const GivenRow& one : *given) {
    const ir::Element& element = rows.elements[one.element];
    const std::uint32_t first = vm::component_of(rows.elements, one.element) + one.row * element.columns;
    for (std::uint32_t k = 0; k < one.numbers.size() && k < element.columns; ++k) {
      if (auto done = owners.claim(first + k, member); !done) return std::move(done).error();
      auto bits = bits_of(*one.numbers[k], element.type, "");
      if (!bits) return std::move(bits).error();
      rows.to[std::size_t{vertex * components + first + k} * count + lane] = *bits;
    }
  }
  return !named.empty();
}

std::size_t rows_in(const Value& lane, std::string_view field) {
  const Value* const list = lane.find(field);
  return list == nullptr || !has_maps(*list) ? 0 : list->as_list()->size();
}

// A map of elements of a vertex or patch.
Result<void> give_elements(const Value& given, const Rows& rows, std::uint32_t vertex, std::uint32_t lane, const vm::Lanes& lanes,
                           Owners& owners, InputNames& names) {
  if (given.as_map() == nullptr) return fault(given, "", "expected a map of inputs");
  for (const Value::Member& member : *given.as_map()) {
    auto found = give_element(member, rows, vertex, lanes.count, lane, owners);
    if (!found) return std::move(found).error().within(member.key);
    if (*found) continue;
    if (auto done = unknown_name(rows.elements, *given.as_map(), member, names); !done) return done;
  }
  return {};
}

// A list of maps of elements, one for each vertex.
Result<void> give_vertices(const Value& given, const Rows& rows, std::uint32_t lane, const vm::Lanes& lanes, InputNames& names) {
  if (given.as_list() == nullptr) return fault(given, "", "expected a list of maps, one for each vertex");
  for (std::uint32_t vertex = 0; vertex < given.as_list()->size() && vertex < rows.vertices; ++vertex) {
    Owners owners;
    if (auto done = give_elements((*given.as_list())[vertex], rows, vertex, lane, lanes, owners, names); !done) return done;
  }
  return {};
}

// What a lane knows of itself. False: it is no name of a built-in.
Result<bool> give_built_in(Stage stage, const Value::Member& member, std::uint32_t lane, vm::Lanes& lanes, const InputNames& names,
                           Owners& owners) {
  // a value that no stage before gave is not asked for
  const auto builtin = builtin_named(member.key, stage, names.reflection);
  if (!builtin) return false;
  const auto number = static_cast<std::size_t>(*builtin);
  const ir::BuiltinInfo& row = ir::info(*builtin);
  if (auto done = owners.claim(number, member); !done) return std::move(done).error().within(member.key);
  const Value::List* const list = member.value.as_list();
  if (list != nullptr && list->size() > row.components)
    return fault(member.value, member.key,
                 "found " + std::to_string(list->size()) + " numbers, the input has " + std::to_string(row.components));
  if (lanes.builtins.size() <= number) lanes.builtins.resize(number + 1);
  if (lanes.builtins[number].empty()) lanes.builtins[number].resize(std::size_t{row.components} * lanes.count);
  for (std::uint32_t k = 0; k < (list == nullptr ? 1 : list->size()); ++k) {
    auto bits = bits_of(list == nullptr ? member.value : (*list)[k], row.type, "");
    if (!bits) return std::move(bits).error().within(member.key);
    lanes.builtins[number][std::size_t{k} * lanes.count + lane] = *bits;
  }
  return true;
}

// A map of built-ins alone.
Result<void> give_built_ins(Stage stage, const Value& given, std::uint32_t lane, vm::Lanes& lanes, const InputNames& names,
                            Owners& owners) {
  if (given.as_map() == nullptr) return fault(given, "", "expected a map of built-ins");
  for (const Value::Member& member : *given.as_map()) {
    const auto found = give_built_in(stage, member, lane, lanes, names, owners);
    if (!found) return found.error();
    if (*found) continue;
    Nearest nearest(member.key);
    for (std::size_t number = 0; number < ir::kBuiltinCount; ++number) nearest.consider(ir::info(static_cast<ir::Builtin>(number)).text);
    return Error{ErrorCode::missing, member.key_offset, member.key, "there is no built-in of this name" + nearest.question()};
  }
  return {};
}

}  // namespace

Result<void> give_lane(const ir::Module& module, const Value& given, std::uint32_t lane, vm::Lanes& lanes, InputNames& names) {
  if (given.as_map() == nullptr) return fault(given, "", "expected a map of inputs");
  const ir::Signatures& signatures = module.signatures;
  const Rows inputs{signatures.input, lanes.vertices, lanes.inputs};
  const std::uint32_t outputs = vm::components_of(signatures.output);
  const Rows control_points{signatures.output,
                            outputs == 0 ? 0 : static_cast<std::uint32_t>(lanes.control_points.size() / outputs / lanes.count),
                            lanes.control_points};
  const Rows patch{signatures.patch, 1, lanes.patch};
  Owners owners, owners_of_patch, owners_of_built_ins;
  for (const Value::Member& member : *given.as_map()) {
    const auto within = [&](Result<void> done) -> Result<void> {
      if (!done) return std::move(done).error().within(member.key);
      return done;
    };
    bool found = false;
    const bool may_be_input = !is_beside_inputs(member);
    for (std::uint32_t vertex = 0; may_be_input && vertex < lanes.vertices; ++vertex) {
      const auto one = give_element(member, inputs, vertex, lanes.count, lane, owners);
      if (!one) return within(one.error());
      found = *one;
      if (!found) break;
    }
    const bool is_new = !names.known.contains(member.key) && !names.unknown.contains(member.key);
    if (may_be_input && !found && is_new) {
      if (auto done = check_one_input(signatures.input, member); !done) return done;
    }
    if (may_be_input && !found && module.stage == Stage::domain) {
      const auto one = give_element(member, patch, 0, lanes.count, lane, owners_of_patch);
      if (!one) return within(one.error());
      found = *one;
      if (!found && is_new) {
        if (auto done = check_one_input(signatures.patch, member); !done) return done;
      }
    }
    if (found) continue;
    if (member.key == "vertices") {
      if (auto done = within(give_vertices(member.value, inputs, lane, lanes, names)); !done) return done;
      continue;
    }
    if (member.key == "control_points" && module.stage == Stage::hull) {
      if (auto done = within(give_vertices(member.value, control_points, lane, lanes, names)); !done) return done;
      continue;
    }
    if (member.key == kPatchConstants && module.stage == Stage::domain) {
      if (auto done = within(give_elements(member.value, patch, 0, lane, lanes, owners_of_patch, names)); !done) return done;
      continue;
    }
    if (member.key == kBuiltIns) {
      if (auto done = within(give_built_ins(module.stage, member.value, lane, lanes, names, owners_of_built_ins)); !done) return done;
      continue;
    }
    if (member.key == "helper") {
      if (member.value.as_boolean() == nullptr) return fault(member.value, member.key, "expected true or false");
      lanes.helper.resize(lanes.count);
      lanes.helper[lane] = *member.value.as_boolean();
      continue;
    }
    const auto is_built_in = give_built_in(module.stage, member, lane, lanes, names, owners_of_built_ins);
    if (!is_built_in) return is_built_in.error();
    if (*is_built_in) {
      names.known.insert(member.key);
    } else if (auto done = unknown_name(signatures.input, *given.as_map(), member, names); !done) {
      return done;
    }
  }
  return {};
}

Result<void> make_room(const ir::Module& module, const Value* rows, const RunOptions& options, vm::Lanes& lanes) {
  const ir::Signatures& signatures = module.signatures;
  std::uint64_t vertices = 1, points = 0;
  if (module.stage == Stage::geometry) vertices = std::max(1U, ir::vertices_of(module.info.input_primitive));
  if (module.stage == Stage::hull || module.stage == Stage::domain) vertices = std::max(1U, module.info.input_points);
  // SPIR-V does not say how many: as many as come out
  if (module.stage == Stage::hull && module.info.input_points == 0 && rows == nullptr) vertices = std::max(1U, module.info.output_points);
  for (std::uint32_t lane = 0; rows != nullptr && lane < lanes.count; ++lane) {
    vertices = std::max<std::uint64_t>(vertices, rows_in((*rows->as_list())[lane], "vertices"));
    points = std::max<std::uint64_t>(points, rows_in((*rows->as_list())[lane], "control_points"));
  }
  const std::uint64_t inputs = vertices * vm::components_of(signatures.input);
  const std::uint64_t others = points * vm::components_of(signatures.output) + vm::components_of(signatures.patch);
  constexpr std::uint64_t kMostVertices = 4096;
  if (std::max(vertices, points) > kMostVertices || (inputs + others) * lanes.count * 8 > options.memory)
    return Error{ErrorCode::limit, 0, "lanes", "the inputs are larger than the limit"};
  lanes.vertices = static_cast<std::uint32_t>(vertices);
  lanes.inputs.resize(inputs * lanes.count);
  if (module.stage == Stage::hull) lanes.control_points.resize(points * vm::components_of(signatures.output) * lanes.count);
  if (module.stage == Stage::domain) lanes.patch.resize(std::size_t{vm::components_of(signatures.patch)} * lanes.count);
  return {};
}

void make_up_inputs(const ir::Module& module, vm::Lanes& lanes) {
  const auto& elements = module.signatures.input;
  const std::uint32_t components = vm::components_of(elements);
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const std::uint32_t first = vm::component_of(elements, at);
    for (std::uint32_t vertex = 0; vertex < lanes.vertices; ++vertex) {
      for (std::uint32_t k = 0; k < elements[at].rows * elements[at].columns; ++k) {
        for (std::uint32_t lane = 0; lane < lanes.count; ++lane) {
          auto bits = bits_of(Value::integer(lane + vertex + k), elements[at].type, "");
          lanes.inputs[(std::size_t{vertex} * components + first + k) * lanes.count + lane] = bits ? *bits : 0;
        }
      }
    }
  }
}

}  // namespace unshade::run
