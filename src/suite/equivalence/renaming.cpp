#include "suite/equivalence/interfaces.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/stage.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/inputs.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/specialize.hpp>

#include "suite/equivalence/built_ins.hpp"

namespace unshade::suite::equivalence {

namespace {

using run::kBuiltIns;
using run::key_of;
using run::kPatchConstants;

}  // namespace

std::string renamed_resource(std::string_view key, const Pairing& pairing) {
  const run::Spoken text(key);
  for (const ResourcePair& pair : pairing.resources)
    if (const auto index = run::element_named(*pair.a, text)) return key_of(*pair.b, *index);
  return std::string(key);
}

namespace {

/// A resource of the first shader as the second has it: of a buffer that only counts, the word that is its counter.
Value as_second_has(const Value::Member& given, const Pairing& pairing) {
  const run::Spoken text(given.key);
  const Value* const counter = given.value.as_map() == nullptr ? nullptr : given.value.find("counter");
  const bool counts = counter != nullptr && std::ranges::any_of(pairing.resources, [&](const ResourcePair& pair) {
                        return pair.counts && run::element_named(*pair.a, text);
                      });
  if (!counts) return given.value;
  Value made = Value::map();
  made.add("words", Value::list({*counter}));
  return made;
}

/// Spells bindings so that they are no names of other resources, if one of a map is: `u0,space0`.
void spell_bindings(Value& map, const run::Bindings& bindings, run::Bindings::Kind kind) {
  if (bindings.check_names(*map.as_map(), {}, kind)) return;
  for (Value::Member& member : *map.as_map()) {
    const run::Spoken text(member.key);
    if (!text.key || std::string_view("btus").find(text.key->letter) == std::string_view::npos) continue;
    if (text.base.find(',') == std::string_view::npos && text.base != "push_constants") member.key.insert(text.base.size(), ",space0");
  }
}

/// Adds a built-in to a lane, which may have one of the name.
void add_built_in(ir::Builtin which, Value value, bool is_input, Value& lane) {
  Value::Map& members = *lane.as_map();
  const std::string_view name = ir::info(which).text;
  if (!is_input) {
    if (lane.find(name) == nullptr) lane.add(name, std::move(value));
    return;
  }
  auto built_ins = std::ranges::find(members, kBuiltIns, &Value::Member::key);
  if (built_ins == members.end()) built_ins = members.insert(built_ins, {std::string(kBuiltIns), Value::map(), 0});
  if (built_ins->value.find(name) == nullptr) built_ins->value.add(name, std::move(value));
}

/// What a case gives to a signature of the first shader, by the names that the second has.
class Renaming {
 public:
  Renaming(ir::SignatureKind kind, const Subject& a, const Subject& b, const std::vector<RowPair>& pairs)
      : from_(a.shader.module().signatures.of(kind)), to_(b.shader.module().signatures.of(kind)), keys_(to_) {
    for (const RowPair& pair : pairs)
      if (pair.columns != 0) partners_.emplace(pair.a.place, &pair);
  }
  /// System values that are elements of one of both alone.
  void know(const Pairing& pairing) {
    for (const BuiltInPair& pair : pairing.elements_of_a) built_ins_.emplace(pair.row.place, pair.builtin);
    for (const BuiltInPair& pair : pairing.elements_of_b) places_.emplace(pair.builtin, pair.row.place);
  }

  /// Adds what a member gives to the rows that it names. False: it names none.
  bool add(const Value::Member& member, Value& to) const {
    const auto named = run::inputs_named(from_, member.key);
    const auto given = run::rows_given(from_, named, member.value);
    if (!given) return false;
    for (const run::GivenRow& one : *given) {
      // those of a register are of each that is in it; of others, the other shader may read more
      const std::size_t columns = named.size() == 1 ? 4 : from_[one.element].columns;
      const std::span<const Value* const> numbers = std::span(one.numbers).first(std::min(columns, one.numbers.size()));
      for (auto [partner, end] = partners_.equal_range(one.place); partner != end; ++partner) {
        const RowPair& pair = *partner->second;
        if (pair.first_a >= numbers.size()) continue;
        const auto own = numbers.subspan(pair.first_a);
        keys_.add(pair.b.place, own.first(std::min<std::size_t>(pair.columns, own.size())), to, pair.first_b);
      }
      if (const auto found = built_ins_.find(one.place); found != built_ins_.end() && !numbers.empty())
        add_built_in(found->second, as_built_in(found->second, numbers), is_of_second(ir::info(found->second).text), to);
    }
    return !named.empty();
  }
  /// Adds a built-in of the first shader to the rows of the second that have its value.
  void add_rows(ir::Builtin which, const Value& value, Value& to) const {
    const Value row = as_row(value);
    std::vector<const Value*> numbers;
    for (const Value& one : *row.as_list()) numbers.push_back(&one);
    for (auto [place, end] = places_.equal_range(which); place != end; ++place) keys_.add(place->second, numbers, to);
  }
  /// Whether the second shader has an input of a name.
  bool is_of_second(std::string_view name) const { return run::is_input(to_, name); }
  /// A map of inputs. What is none stays what it is.
  Value map(const Value& given) const {
    if (given.as_map() == nullptr) return given;
    Value made = Value::map();
    for (const Value::Member& one : *given.as_map())
      if (!add(one, made)) made.add(one.key, one.value);
    return made;
  }

 private:
  const std::vector<ir::Element>& from_;
  const std::vector<ir::Element>& to_;
  run::InputKeys keys_;
  std::multimap<std::size_t, const RowPair*> partners_;  ///< by the place of the row in the signature of the first
  std::map<std::size_t, ir::Builtin> built_ins_;         ///< by the same
  std::multimap<ir::Builtin, std::size_t> places_;       ///< of rows of the second
};

/// Lanes of the first shader as those of the second.
struct LaneRenaming {
  const Renaming& inputs;
  const Renaming& outputs;
  const Renaming* patch;  ///< null if patch constants are no inputs
  Stage stage;
  const shader::Reflection* reflection;  ///< of the first; may be null
};

/// Adds a built-in, by a name that no input of the second shader has. False: it is none.
bool add_named_built_in(const Value::Member& member, const LaneRenaming& how, Value& to) {
  const auto which = run::builtin_named(member.key, how.stage, how.reflection);
  if (!which) return false;
  const std::string_view name = ir::info(*which).text;
  how.inputs.add_rows(*which, member.value, to);
  add_built_in(*which, member.value, how.inputs.is_of_second(name) || (how.patch != nullptr && how.patch->is_of_second(name)), to);
  return true;
}

/// A lane, whose vertices and control points have maps of their own.
Value renamed_lane(const Value& given, const LaneRenaming& how) {
  if (given.as_map() == nullptr) return given;
  Value made = Value::map(), constants = Value::map(), unknown = Value::map();
  for (const Value::Member& one : *given.as_map()) {
    if (run::is_beside_inputs(one)) {
      if (one.key == "vertices" || one.key == "control_points") {
        Value list = Value::list();
        for (const Value& vertex : *one.value.as_list()) list.push((one.key == "vertices" ? how.inputs : how.outputs).map(vertex));
        made.add(one.key, std::move(list));
      } else if (how.patch != nullptr && one.key == kPatchConstants) {
        for (const Value::Member& constant : *one.value.as_map()) how.patch->add(constant, constants);
      } else if (one.key == kBuiltIns) {
        for (const Value::Member& built_in : *one.value.as_map())
          if (!add_named_built_in(built_in, how, made)) unknown.add(built_in.key, built_in.value);
      } else {
        made.add(one.key, one.value);
      }
    } else if (!how.inputs.add(one, made) && (how.patch == nullptr || !how.patch->add(one, constants)) &&
               !add_named_built_in(one, how, made)) {
      made.add(one.key, one.value);
    }
  }
  if (!constants.as_map()->empty()) made.add(kPatchConstants, std::move(constants));
  if (!unknown.as_map()->empty()) {
    if (const Value* const known = made.find(kBuiltIns)) {
      for (const Value::Member& one : *known->as_map()) unknown.add(one.key, one.value);
      std::erase_if(*made.as_map(), [](const Value::Member& one) { return one.key == kBuiltIns; });
    }
    made.add(kBuiltIns, std::move(unknown));
  }
  return made;
}

/// Whether a binding is of a buffer whose constants are given by bytes.
bool is_by_bytes(std::string_view key, const Pairing& pairing) {
  const run::Spoken text(key);
  return std::ranges::any_of(pairing.resources,
                             [&](const ResourcePair& pair) { return pair.by_bytes && run::element_named(*pair.a, text); });
}

}  // namespace

Result<Value> by_bindings(const Value& given, const Subject& a, const Pairing& pairing, const run::RunOptions& options) {
  if (given.as_map() == nullptr) return given;
  run::RunOptions reading = options;
  reading.reflection = a.shader.reflection();
  run::Bindings bindings(a.shader.module(), reading);
  Value made = Value::map();
  Value buffers = Value::map();
  // of the PICA200 also what the program defines itself
  const bool gives_bytes = std::ranges::any_of(pairing.resources, [&](const ResourcePair& pair) {
    return pair.by_bytes && (given.find("constants") != nullptr || !pair.a->initial.empty());
  });
  if (gives_bytes || (pairing.is_vulkan && given.find("constants") != nullptr)) {
    if (auto done = bindings.bind_case(given); !done) return std::move(done).error();
    bindings.add_constant_buffers(buffers);
    std::erase_if(*buffers.as_map(), [&](const Value::Member& one) { return !pairing.is_vulkan && !is_by_bytes(one.key, pairing); });
  }
  for (const Value::Member& member : *given.as_map()) {
    const bool is_samplers = member.key == "samplers";
    if (member.key == "constants" && pairing.is_vulkan && member.value.as_map() != nullptr) {
      // specialization constants are no part of a buffer
      Value left = Value::map();
      for (const Value::Member& one : *member.value.as_map())
        if (run::specialization_named(a.shader.reflection(), one.key) != nullptr) left.as_map()->push_back(one);
      if (!left.as_map()->empty()) made.add(member.key, std::move(left));
      continue;
    }
    if ((member.key != "resources" && !is_samplers) || member.value.as_map() == nullptr) {
      made.add(member.key, member.value);
      continue;
    }
    Value map = Value::map();
    const auto kind = is_samplers ? run::Bindings::Kind::sampler : run::Bindings::Kind::resource;
    if (auto done = bindings.check_names(*member.value.as_map(), member.key, kind); !done) return std::move(done).error();
    for (const Value::Member& one : *member.value.as_map()) {
      const auto key = bindings.key_named(one, kind);
      if (!key && key.error().code == ErrorCode::bad_value) return key.error();
      if (!is_samplers && key && buffers.find(*key) != nullptr) continue;
      const bool is_known = key && key->starts_with('s') == is_samplers;
      map.add(is_known ? *key : one.key, one.value);
      map.as_map()->back().key_offset = one.key_offset;
    }
    if (!is_samplers) map.as_map()->insert(map.as_map()->end(), buffers.as_map()->begin(), buffers.as_map()->end());
    spell_bindings(map, bindings, kind);
    made.add(member.key, std::move(map));
  }
  if (given.find("resources") == nullptr && !buffers.as_map()->empty()) made.add("resources", std::move(buffers));
  return made;
}

Value renamed(const Value& given, const Subject& a, const Subject& b, const Pairing& pairing) {
  if (given.as_map() == nullptr) return given;
  Renaming inputs(ir::SignatureKind::input, a, b, pairing.inputs);
  const Renaming outputs(ir::SignatureKind::output, a, b, pairing.outputs);
  const Renaming patch(ir::SignatureKind::patch, a, b, pairing.patch);
  inputs.know(pairing);
  const bool is_domain = a.shader.module().stage == Stage::domain;
  const LaneRenaming lanes{inputs, outputs, is_domain ? &patch : nullptr, a.shader.module().stage, a.shader.reflection()};
  run::RunOptions reading;
  reading.reflection = b.shader.reflection();
  const run::Bindings of_b(b.shader.module(), reading);
  Value made = Value::map();
  for (const Value::Member& member : *given.as_map()) {
    if ((member.key == "resources" || member.key == "samplers") && member.value.as_map() != nullptr) {
      Value map = Value::map();
      for (const Value::Member& one : *member.value.as_map()) {
        std::string key = renamed_resource(one.key, pairing);
        // what the first shader does not use, the second may not know
        if (run::Spoken(key).key ||
            of_b.has_resource({key, one.value, 0}, member.key == "samplers" ? run::Bindings::Kind::sampler : run::Bindings::Kind::resource))
          map.add(std::move(key), as_second_has(one, pairing));
      }
      spell_bindings(map, of_b, member.key == "samplers" ? run::Bindings::Kind::sampler : run::Bindings::Kind::resource);
      made.add(member.key, std::move(map));
    } else if (member.key == "constants" && member.value.as_map() != nullptr &&
               std::ranges::any_of(pairing.resources, &ResourcePair::by_bytes)) {
      // the others are in the bytes of their buffers
      Value left = Value::map();
      for (const Value::Member& one : *member.value.as_map())
        if (of_b.has_constant(one) || run::specialization_named(a.shader.reflection(), one.key) != nullptr) left.as_map()->push_back(one);
      if (!left.as_map()->empty()) made.add(member.key, std::move(left));
    } else if (member.key == "float24" && !run::uses_f24(b.shader.module())) {
      continue;
    } else if (member.key == "lanes" && member.value.as_list() != nullptr) {
      Value list = Value::list();
      for (const Value& lane : *member.value.as_list()) list.push(renamed_lane(lane, lanes));
      made.add(member.key, std::move(list));
    } else {
      made.add(member.key, member.value);
    }
  }
  return made;
}

}  // namespace unshade::suite::equivalence
