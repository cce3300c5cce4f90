#include "suite/equivalence/interfaces.hpp"

#include <algorithm>
#include <map>
#include <span>

#include <unshade/core/stage.hpp>
#include <unshade/core/text/lowered.hpp>
#include <unshade/core/text/semantic_name.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/inputs.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/reflected.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/specialize.hpp>

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

/// Spells bindings so that they are no names of other resources, if one of a map is: `u0,space0`.
void spell_bindings(Value& map, const run::Bindings& bindings, run::Bindings::Kind kind) {
  if (bindings.check_names(*map.as_map(), {}, kind)) return;
  for (Value::Member& member : *map.as_map()) {
    const run::Spoken text(member.key);
    if (!text.key || std::string_view("btus").find(text.key->letter) == std::string_view::npos) continue;
    if (text.base.find(',') == std::string_view::npos && text.base != "push_constants") member.key.insert(text.base.size(), ",space0");
  }
}

/// What a case gives to a signature of the first shader, by the names that the second has.
class Renaming {
 public:
  Renaming(ir::SignatureKind kind, const Subject& a, const Subject& b, const std::vector<RowPair>& pairs)
      : from_(a.shader.module().signatures.of(kind)), to_(b.shader.module().signatures.of(kind)), keys_(to_) {
    for (const RowPair& pair : pairs) partners_.emplace(pair.a.place, &pair);
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
    }
    return !named.empty();
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
};

/// Lanes of the first shader as those of the second.
struct LaneRenaming {
  const Renaming& inputs;
  const Renaming& outputs;
  const Renaming* patch;  ///< null if patch constants are no inputs
  Stage stage;
  const shader::Reflection* reflection;  ///< of the first; may be null
};

/// Adds a built-in, by a name that no input of the second shader has, to one of two maps. False: it is none.
bool add_built_in(const Value::Member& member, const LaneRenaming& how, Value& to, Value& built_ins) {
  const auto which = run::builtin_named(member.key, how.stage, how.reflection);
  if (!which) return false;
  const std::string_view name = ir::info(*which).text;
  const bool is_input = how.inputs.is_of_second(name) || (how.patch != nullptr && how.patch->is_of_second(name));
  (is_input ? built_ins : to).add(name, member.value);
  return true;
}

/// A lane, whose vertices and control points have maps of their own.
Value renamed_lane(const Value& given, const LaneRenaming& how) {
  if (given.as_map() == nullptr) return given;
  Value made = Value::map(), constants = Value::map(), built_ins = Value::map();
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
          if (!add_built_in(built_in, how, made, built_ins)) built_ins.add(built_in.key, built_in.value);
      } else {
        made.add(one.key, one.value);
      }
    } else if (!how.inputs.add(one, made) && (how.patch == nullptr || !how.patch->add(one, constants)) &&
               !add_built_in(one, how, made, built_ins)) {
      made.add(one.key, one.value);
    }
  }
  if (!constants.as_map()->empty()) made.add(kPatchConstants, std::move(constants));
  if (!built_ins.as_map()->empty()) made.add(kBuiltIns, std::move(built_ins));
  return made;
}

}  // namespace

Result<Value> by_bindings(const Value& given, const Subject& a, const Pairing& pairing, const run::RunOptions& options) {
  if (given.as_map() == nullptr) return given;
  run::RunOptions reading = options;
  reading.reflection = a.shader.reflection();
  run::Bindings bindings(a.shader.module(), reading);
  Value made = Value::map();
  Value buffers = Value::map();
  if (pairing.is_vulkan && given.find("constants") != nullptr) {
    if (auto done = bindings.bind_case(given); !done) return std::move(done).error();
    bindings.add_constant_buffers(buffers);
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
  const Renaming inputs(ir::SignatureKind::input, a, b, pairing.inputs);
  const Renaming outputs(ir::SignatureKind::output, a, b, pairing.outputs);
  const Renaming patch(ir::SignatureKind::patch, a, b, pairing.patch);
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
          map.add(std::move(key), one.value);
      }
      spell_bindings(map, of_b, member.key == "samplers" ? run::Bindings::Kind::sampler : run::Bindings::Kind::resource);
      made.add(member.key, std::move(map));
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
