#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/run/bindings.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/places.hpp>
#include <unshade/run/run.hpp>
#include <unshade/run/specialize.hpp>
#include <unshade/run/trace.hpp>
#include <unshade/suite/equivalence.hpp>
#include <unshade/vm/machine.hpp>

#include "suite/cases/cases.hpp"
#include "suite/equivalence/functions.hpp"
#include "suite/equivalence/inputs.hpp"
#include "suite/equivalence/interfaces.hpp"
#include "suite/equivalence/layout.hpp"

namespace unshade::suite {
namespace equivalence {
namespace {

using cases::Number;
using cases::NumberType;
using Kind = NumberType::Kind;
using run::kDiscarded;
using run::ResultRow;
using run::ShownOutput;

constexpr char kComponents[] = "xyzw";

// A number as results show it.
Number number_of_result(const Value& value, NumberType type) {
  if (const Real* const real = value.as_real())
    return cases::real_number(real->single ? static_cast<double>(real->narrow) : real->wide, type);
  if (const Integer* const whole = value.as_integer()) {
    const std::uint64_t bits = whole->negative ? 0 - whole->magnitude : whole->magnitude;
    return type.kind == Kind::real ? cases::real_number(static_cast<double>(static_cast<std::int64_t>(bits)), type)
                                   : cases::whole_number(bits, type);
  }
  if (const bool* const truth = value.as_boolean()) return cases::whole_number(*truth ? 1 : 0, type);
  const std::string* const text = value.as_text();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return cases::real_number(text == nullptr || *text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                            : *text == "inf"                  ? kInfinity
                                                              : -kInfinity,
                            type);
}

std::uint64_t index_of(const Value& map, std::string_view field) {
  const Value* const value = map.find(field);
  return value == nullptr || value->as_integer() == nullptr ? 0 : value->as_integer()->magnitude;
}

constexpr std::string_view kStated[] = {kDiscarded, "cut", "lane", "stream", "group", "indices", "dispatch", "payload"};

// What a map says of a lane, vertex, primitive or group that is no output, which may have the same name. Null if it says nothing.
const Value* stated(const Subject& subject, ResultRow kind, const Value& map, std::string_view field) {
  if (field == kDiscarded) return map.find(field);  // which no output is called
  const auto members = run::members_before_outputs(subject.shader.module(), kind, map);
  const auto found = std::ranges::find(members, field, &Value::Member::key);
  return found == members.end() ? nullptr : &found->value;
}

// Of a list, a number or a truth; what is not stated is 0.
std::string whole_numbers(const Value* value) {
  if (value == nullptr) return "0";
  if (const bool* const truth = value->as_boolean()) return *truth ? "1" : "0";
  if (const Integer* const whole = value->as_integer()) return std::to_string(whole->magnitude);
  std::string text;
  for (const Value& one : *value->as_list()) text += (text.empty() ? "" : ", ") + whole_numbers(&one);
  return text;
}

/// The vertices of a geometry shader of which primitives come, and the cuts between their strips: numbers in the list. What follows a
/// strip's last cut, or ends without a cut, is a strip as well. src: Direct3D 11.3 functional specification 13.5; GLSL 4.60, 8.15
std::vector<std::size_t> of_primitives(const ir::Module& module, const Value::List& vertices) {
  std::vector<std::size_t> made;
  const auto& topologies = module.info.stream_topologies;
  if (module.stage != Stage::geometry || topologies.empty()) {
    for (std::size_t at = 0; at < vertices.size(); ++at) made.push_back(at);
    return made;
  }
  using dxcontainer::OutputTopology;
  const auto least_of = [&](std::uint64_t stream) -> std::size_t {
    const OutputTopology topology = topologies[std::min<std::size_t>(stream, topologies.size() - 1)];
    return topology == OutputTopology::triangle_strip ? 3 : topology == OutputTopology::line_strip ? 2 : 1;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::size_t>> strips;  // by lane and stream: the one that grows
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> cuts;                 // before it, of a strip that is kept
  const auto end = [&](std::pair<std::uint64_t, std::uint64_t> of, std::optional<std::size_t> cut) {
    std::vector<std::size_t>& strip = strips[of];
    const std::size_t least = least_of(of.second);
    if (strip.size() >= least) {
      if (const auto before = cuts.find(of); before != cuts.end()) made.push_back(before->second);
      cuts.erase(of);
      made.insert(made.end(), strip.begin(), strip.end());
      if (cut && least != 1) cuts[of] = *cut;
    }
    strip.clear();
  };
  const auto lane_and_stream = [&](std::size_t at) { return std::pair(index_of(vertices[at], "lane"), index_of(vertices[at], "stream")); };
  for (std::size_t at = 0; at < vertices.size(); ++at) {
    const auto of = lane_and_stream(at);
    if (vertices[at].find("cut") != nullptr) {
      end(of, at);
    } else {
      strips[of].push_back(at);
    }
  }
  for (auto& [of, strip] : strips) end(of, std::nullopt);
  // the order is that of a stream: which of several comes first changes nothing
  std::ranges::sort(made, {}, [&](std::size_t at) { return std::pair(lane_and_stream(at), at); });
  return made;
}

/// The first word of a buffer.
std::uint32_t word_of(const std::string& hex) {
  std::vector<std::byte> bytes;
  from_hex(hex, bytes);
  std::uint32_t made = 0;
  if (bytes.size() >= sizeof made) std::memcpy(&made, bytes.data(), sizeof made);
  return made;
}

bool is_written(const ResourcePair& pair) { return run::is_writable(pair.a->kind) || run::is_writable(pair.b->kind); }
/// Whether one shader may write a resource that is read-only in the other.
bool is_written_by_one(const ResourcePair& pair) { return run::is_writable(pair.a->kind) != run::is_writable(pair.b->kind); }

/// Compares the results of a set of inputs.
class Comparison {
 public:
  Comparison(const Subject& a, const Subject& b, const Pairing& pairing, const EquivalenceOptions& options, const FunctionPair& compares,
             Equivalence& out)
      : a_(a),
        b_(b),
        pairing_(pairing),
        compares_(compares),
        tolerance_{options.ulp, options.absolute, options.relative, false},
        out_(out) {}

  std::optional<Difference> compare(const Value& given, const Value& first, const Value& second) {
    for (const std::string_view field : {"stop", "fault"}) text(first.find(field), second.find(field), field);
    for (const auto& [field, name] : run::kResultRows) rows(first.find(field), second.find(field), field, name);
    if (const Value* const all = first.find("resources")) {
      for (const Value::Member& member : *all->as_map()) {
        const ResourcePair* const pair = resource_pair(member.key);
        if (pair == nullptr ? is_of_first(member.key) : !is_written(*pair)) continue;
        if (const Value* const other = second.find("resources")->find(renamed_resource(member.key, pairing_)))
          resource(given, member, *other);
      }
    }
    return std::move(difference_);
  }

 private:
  // True if it is the first: then the caller says more of it.
  bool differs(std::string_view what, std::string first, std::string second) {
    ++out_.differing;
    if (difference_) return false;
    difference_.emplace();
    difference_->what = what;
    difference_->values[0] = std::move(first);
    difference_->values[1] = std::move(second);
    difference_->place = Value::map();
    return true;
  }

  void text(const Value* first, const Value* second, std::string_view what) {
    const auto shown = [](const Value* value) {
      return value == nullptr || value->as_text() == nullptr ? std::string("none") : *value->as_text();
    };
    if (shown(first) != shown(second)) differs(what, shown(first), shown(second));
  }

  template <class Place>
  void number(const Number& first, const Number& second, Place place) {
    ++out_.values;
    const bool real = first.type.kind == Kind::real || first.type.kind == Kind::texel;
    const bool finite = real && std::isfinite(first.real) && std::isfinite(second.real);
    const double ulps = finite ? cases::ulps_between(first, second) : 0;
    if (!cases::compared(first, second, tolerance_)) {
      out_.largest_ulps = std::max(out_.largest_ulps, ulps);
      return;
    }
    Value map = Value::map();
    const std::string what = place(map);
    if (!differs(what, cases::shown(first), cases::shown(second))) return;
    difference_->place = std::move(map);
    if (finite) difference_->ulps = ulps;
  }

  void row(const Value& first, const Value& second, ResultRow kind, std::string_view what, std::uint64_t at) {
    const std::vector<ShownOutput> of_a = run::shown_outputs(a_.shader.module(), kind, first);
    const std::vector<ShownOutput> of_b = run::shown_outputs(b_.shader.module(), kind, second);
    const auto all_of = [](const std::vector<ShownOutput>& outputs, ir::SignatureKind signature) {
      return std::span(std::ranges::equal_range(outputs, signature, {}, &ShownOutput::signature));
    };
    for (const ir::SignatureKind signature : {ir::SignatureKind::output, ir::SignatureKind::patch}) {
      if (signature == ir::SignatureKind::patch ? !compares_.patch : !compares_.points) continue;
      const auto own = all_of(of_a, signature), others = all_of(of_b, signature);
      for (const RowPair& pair : signature == ir::SignatureKind::output ? pairing_.outputs : pairing_.patch)
        if (pair.a.place < own.size() && pair.b.place < others.size()) output(own[pair.a.place], others[pair.b.place], pair, what, at);
    }
  }

  void output(const ShownOutput& first, const ShownOutput& second, const RowPair& pair, std::string_view what, std::uint64_t at) {
    if (first.member == nullptr || second.member == nullptr) return;  // of another stream
    const Value::List& of_a = *first.member->value.as_list();
    const Value::List& of_b = *second.member->value.as_list();
    const NumberType type = cases::number_type(first.element->type, first.element->is_signed);
    const std::string& key = first.member->key;
    const std::size_t end = std::min<std::size_t>(of_a.size(), pair.first_a + pair.columns);
    for (std::size_t k = pair.first_a, other = pair.first_b; k < end && other < of_b.size(); ++k, ++other) {
      number(number_of_result(of_a[k], type), number_of_result(of_b[other], type), [&](Value& place) {
        place.add(what, Value::integer(at));
        place.add("output", Value::text(key));
        place.add("component", Value::integer(k));
        return std::string(what) + ' ' + std::to_string(at) + ": " + key + '.' + kComponents[k & 3];
      });
    }
  }

  void rows(const Value* first, const Value* second, std::string_view all, std::string_view what) {
    if (first == nullptr || second == nullptr) return;
    const Value::List& of_a = *first->as_list();
    const Value::List& of_b = *second->as_list();
    const ResultRow kind = run::result_row(all);
    const auto differ_in_number = [&] { differs(all, std::to_string(of_a.size()), std::to_string(of_b.size())); };
    const std::vector<std::size_t> places_a = of_primitives(a_.shader.module(), of_a), places_b = of_primitives(b_.shader.module(), of_b);
    // of groups, what follows the first that has less would be that of another
    if (of_a.size() != of_b.size() && a_.shader.module().stage == Stage::mesh) return differ_in_number();
    for (std::size_t number = 0; number < std::min(places_a.size(), places_b.size()); ++number) {
      const std::size_t at = places_a[number], other = places_b[number];
      const std::string name = std::string(what) + ' ' + std::to_string(at) + ": ";
      bool same = true;
      for (const std::string_view field : kStated) {
        const Value* const a = stated(a_, kind, of_a[at], field);
        const Value* const b = stated(b_, kind, of_b[other], field);
        if (a != nullptr && a->as_list() != nullptr && field != "group") out_.values += a->as_list()->size();
        if (whole_numbers(a) == whole_numbers(b)) continue;
        same = false;
        if (differs(name + std::string(field), whole_numbers(a), whole_numbers(b))) {
          difference_->place.add(what, Value::integer(at));
          difference_->place.add("output", Value::text(field));
        }
      }
      if (same && of_a[at].find(kDiscarded) == nullptr) row(of_a[at], of_b[other], kind, what, at);
    }
    if (places_a.size() != places_b.size()) differs(all, std::to_string(places_a.size()), std::to_string(places_b.size()));
  }

  const ResourcePair* resource_pair(std::string_view key) const {
    const run::Spoken text(key);
    const auto found =
        std::ranges::find_if(pairing_.resources, [&](const ResourcePair& pair) { return run::element_named(*pair.a, text).has_value(); });
    return found == pairing_.resources.end() ? nullptr : &*found;
  }

  /// Whether a key is that of a resource of the first shader.
  bool is_of_first(std::string_view key) const {
    const run::Spoken text(key);
    return std::ranges::any_of(a_.shader.module().resources,
                               [&](const ir::Resource& one) { return run::element_named(one, text).has_value(); });
  }

  void resource(const Value& given, const Value::Member& member, const Value& other) {
    const std::string* const first = member.value.find("hex")->as_text();
    const std::string* const second = other.find("hex")->as_text();
    const std::string name = member.key + (member.value.find("name") == nullptr || *member.value.find("name")->as_text() == member.key
                                               ? ""
                                               : ' ' + *member.value.find("name")->as_text());
    const auto resource_place = [&](Value& place) { place.add("resource", Value::text(member.key)); };
    const ResourcePair* const pair = resource_pair(member.key);
    if (pair != nullptr && pair->counts) {
      const std::uint64_t own = index_of(member.value, "counter"), others = word_of(*second);
      ++out_.values;
      if (own != others && differs(name + ": counter", std::to_string(own), std::to_string(others))) resource_place(difference_->place);
      return;
    }
    if (first->size() != second->size()) {
      if (differs(name + ": bytes", std::to_string(first->size() / 2), std::to_string(second->size() / 2)))
        resource_place(difference_->place);
      return;
    }
    if (index_of(member.value, "counter") != index_of(other, "counter") &&
        differs(name + ": counter", std::to_string(index_of(member.value, "counter")), std::to_string(index_of(other, "counter"))))
      resource_place(difference_->place);
    const Value* const resources = given.find("resources");
    const ir::Resource none;
    const ir::Resource* const row = pair == nullptr ? nullptr : pair->a;
    const Value* how = resources == nullptr ? nullptr : resources->find(member.key);
    if (how == nullptr && resources != nullptr && row != nullptr) how = resources->find(row->name);
    if (how == nullptr && resources != nullptr && row != nullptr) {
      // spelled in another way: `u0,space0`
      const auto index = run::element_named(*row, run::Spoken(member.key));
      for (const Value::Member& one : *resources->as_map())
        if (how == nullptr && index && run::element_named(*row, run::Spoken(one.key)) == index) how = &one.value;
    }
    const Layout layout = layout_of(row == nullptr ? none : *row, how, a_.shader.reflection());
    if (*first == *second) {
      out_.values += first->size() / 2 / layout.stride * layout.parts.size();
      return;
    }
    std::vector<std::byte> of_a;
    std::vector<std::byte> of_b;
    from_hex(*first, of_a);
    from_hex(*second, of_b);
    const bool bounded = tolerance_.ulp > 0 || tolerance_.absolute > 0 || tolerance_.relative > 0;
    for (std::size_t at = 0; at + layout.stride <= of_a.size(); at += layout.stride) {
      const auto element_a = std::span<const std::byte>(of_a).subspan(at, layout.stride);
      const auto element_b = std::span<const std::byte>(of_b).subspan(at, layout.stride);
      for (std::size_t part = 0; part < layout.parts.size(); ++part) {
        Number a = load(layout, part, element_a);
        Number b = load(layout, part, element_b);
        if (!layout.known && a.bits != b.bits && bounded) {
          // a bound means floats
          for (Number* const one : {&a, &b}) {
            const std::uint64_t bits = one->bits;
            *one = cases::real_number(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))), {});
            one->bits = bits;
          }
        }
        number(a, b, [&](Value& place) {
          const std::size_t byte = at + (layout.format ? 0 : layout.parts[part].offset);
          resource_place(place);
          place.add("byte", Value::integer(byte));
          std::string what = name + ", byte " + std::to_string(byte);
          if (layout.format) {
            place.add("component", Value::integer(layout.parts[part].type.component));
            what += std::string(" .") + "rgba"[layout.parts[part].type.component & 3];
          } else if (layout.known) {
            what += " (element " + std::to_string(at / layout.stride) + ')';
          }
          return what;
        });
      }
    }
  }

  const Subject& a_;
  const Subject& b_;
  const Pairing& pairing_;
  const FunctionPair& compares_;
  cases::Tolerance tolerance_;
  Equivalence& out_;
  std::optional<Difference> difference_;
};

// A case with the lanes of the file that it names: the second shader has other names for what is in there.
Result<Value> with_lanes(const Value& given, const ir::Module& module, const run::RunOptions& options) {
  Value made = given;
  if (made.as_map() == nullptr || vm::runs_in_groups(module.stage)) return made;
  for (Value::Member& member : *made.as_map()) {
    if (member.key != "lanes" || member.value.as_map() == nullptr) continue;
    auto lanes = run::read_lanes(member.value, options);
    if (!lanes) return std::move(lanes).error();
    member.value = std::move(*lanes);
  }
  return made;
}

/// The specialization constants of the first that the case sets, as the second is to have them: by their constant_id.
Value specializations_of_second(const Value& given, const Subject& a, const Subject& b) {
  Value made = Value::map();
  const Value* const constants = given.find("constants");
  if (constants == nullptr || constants->as_map() == nullptr) return made;
  for (const Value::Member& member : *constants->as_map()) {
    const auto* const own = run::specialization_named(a.shader.reflection(), member.key);
    const std::string id = own == nullptr ? std::string() : std::to_string(own->id);
    if (own == nullptr || run::specialization_named(b.shader.reflection(), id) == nullptr) continue;
    made.add(id, member.value);
    made.as_map()->back().key_offset = member.key_offset;
  }
  return made;
}

/// A case without the specialization constants of the first, which the second has already.
Value without_specializations(Value given, const Subject& a) {
  for (Value::Member& member : *given.as_map()) {
    if (member.key != "constants" || member.value.as_map() == nullptr) continue;
    std::erase_if(*member.value.as_map(),
                  [&](const Value::Member& one) { return run::specialization_named(a.shader.reflection(), one.key) != nullptr; });
  }
  return given;
}

/// Whether a program finds resources in the descriptor heap, which does not say what they are.
bool reads_heap(const ir::Module& module) {
  for (const ir::Function& function : module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        const ir::Inst& inst = function.insts[id];
        if (inst.op == ir::Op::handle_from_heap && module.resources[inst.extra].kind != dxcontainer::ResourceKind::sampler) return true;
      }
    }
  }
  return false;
}

bool gives_heap(const Value& given) {
  const Value* const resources = given.as_map() == nullptr ? nullptr : given.find("resources");
  return resources != nullptr && resources->as_map() != nullptr &&
         std::ranges::any_of(*resources->as_map(), [](const Value::Member& one) { return one.key.starts_with("heap"); });
}

/// Groups of the grid of a case.
std::uint64_t groups_of(const Value& inputs) {
  const Value* const grid = inputs.as_map() == nullptr ? nullptr : inputs.find("grid");
  std::uint64_t groups = 1;
  if (grid == nullptr || grid->as_list() == nullptr) return groups;
  for (const Value& side : *grid->as_list())
    if (const Integer* const number = side.as_integer()) groups *= std::clamp<std::uint64_t>(number->magnitude, 1, 0xffff);
  return groups;
}

/// Sets in which each access is looked at before it counts as one that never finds data: one of each kind of numbers.
constexpr unsigned kLookedAt = 4;

/// Accesses of both shaders to resources, and whether they found data, in the sets that were looked at.
class Accesses {
 public:
  Accesses(const Subject& a, const Subject& b) : subjects_{&a, &b} {}

  /// Where a run of one of the two is to note what it accesses.
  std::map<ir::Id, bool>* of(std::size_t subject, std::size_t function) { return &found_[{subject, function}]; }
  bool are_all_found() const {
    return std::ranges::all_of(
        found_, [](const auto& of) { return std::ranges::all_of(of.second, [](const auto& access) { return access.second; }); });
  }
  /// Each resource once, in sentences.
  std::vector<std::string> without_data() const {
    std::vector<std::string> made;
    for (const auto& [of, accesses] : found_) {
      const ir::Module& module = subjects_[of.first]->shader.module();
      for (const auto& [id, finds] : accesses) {
        const auto resource = finds ? std::nullopt : run::resource_accessed(module.functions[of.second], id);
        if (!resource) continue;
        const ir::Resource& row = module.resources[*resource];
        const std::string name = row.name.empty() ? run::shown_place(row, 0) : row.name;
        std::string sentence = "an access to `" + name + "` in " + subjects_[of.first]->name + " was out of bounds for all inputs";
        if (std::ranges::find(made, sentence) == made.end()) made.push_back(std::move(sentence));
      }
    }
    return made;
  }

 private:
  std::array<const Subject*, 2> subjects_;
  std::map<std::pair<std::size_t, std::size_t>, std::map<ir::Id, bool>> found_;  ///< by subject and function
};

/// A shader that allows any treatment of denormals, with that which the other states.
Result<run::Runnable> with_denormals_of(const run::Runnable& own, const run::Runnable& other) {
  const ir::Denormals stated = other.module().modes.denorm32;
  if (own.module().modes.denorm32 != ir::Denormals::any || stated == ir::Denormals::any) return own;
  ir::Modes modes = own.module().modes;
  modes.denorm32 = stated;
  return run::with_modes(own, modes);
}

/// A shader with the treatment of denormals that the other has, of all sizes.
Result<run::Runnable> with_all_denormals_of(const run::Runnable& own, const run::Runnable& other) {
  ir::Modes modes = own.module().modes;
  modes.denorm16 = other.module().modes.denorm16;
  modes.denorm32 = other.module().modes.denorm32;
  modes.denorm64 = other.module().modes.denorm64;
  return run::with_modes(own, modes);
}

/// A size of waves that both allow, if one of them does not allow the usual one; else 0.
unsigned common_wave(const ir::Module& a, const ir::Module& b) {
  constexpr unsigned kUsual = 32;
  const unsigned least = std::max(a.modes.wave_min, b.modes.wave_min), most = std::min(a.modes.wave_max, b.modes.wave_max);
  if (least > most) return 0;
  const unsigned made = std::clamp(kUsual, least, most);
  return made == kUsual ? 0 : made;
}

bool ran_out(const Value& result) { return *result.find("stop")->as_text() == vm::id(vm::Stop::budget); }

}  // namespace
}  // namespace equivalence

Result<Equivalence> compare(const Subject& first_of, const Subject& second_of, const Value& given, const EquivalenceOptions& options) {
  using namespace equivalence;
  Equivalence made;
  const Value none = Value::map();
  const Value* const constants = given.as_map() == nullptr ? nullptr : given.find("constants");
  const auto own_a = run::specialized(first_of.shader, constants == nullptr ? none : *constants);
  if (!own_a) return own_a.error();
  const auto own_b =
      run::specialized(second_of.shader, given.as_map() == nullptr ? none : specializations_of_second(given, first_of, second_of));
  if (!own_b) return own_b.error();
  const auto same_a = options.source ? Result<run::Runnable>(*own_a) : with_denormals_of(*own_a, *own_b);
  const auto same_b = options.source ? with_all_denormals_of(*own_b, *own_a) : with_denormals_of(*own_b, *own_a);
  if (!same_a) return same_a.error();
  if (!same_b) return same_b.error();
  const Subject a{first_of.name, *same_a}, b{second_of.name, *same_b};
  const Pairing pairing = pair_interfaces(a, b, options.source);
  made.mismatches = pairing.mismatches;
  if (!made.mismatches.empty()) return made;
  const bool has_case = given.as_map() != nullptr && !given.as_map()->empty();
  // what no one says where it is cannot be generated
  const bool by_address = run::uses_addresses(a.shader.module()) || run::uses_addresses(b.shader.module());
  if (by_address && (!has_case || given.find("addresses") == nullptr))
    return Error{ErrorCode::unsupported, 0, "addresses", "the shaders access buffers by address: a case must give them"};
  if ((reads_heap(a.shader.module()) || reads_heap(b.shader.module())) && !gives_heap(given))
    return Error{
        ErrorCode::unsupported, 0, "resources",
        "the shaders find resources in the descriptor heap, which does not say what they are: a case must give those that they may "
        "access, by their places in the heap: `resources.heap0 = {format = \"R32_FLOAT\", width = 4, height = 4}`, "
        "`resources.heap1 = {class = \"u\", raw = true, size = 256}`"};
  const auto whole = with_lanes(given, a.shader.module(), options.run);
  if (!whole) return whole.error();
  const auto known = by_bindings(*whole, a, pairing, options.run);
  if (!known) return known.error();
  const unsigned random = by_address ? 0 : std::min(options.random, kMostRandom);
  auto functions = functions_of(a, b);
  if (has_case && given.find("function") != nullptr) functions = {{0, 0, functions[0].points, functions[0].patch}};
  run::RunOptions run = options.run;
  // no other family has numbers of 24 bits, and translations compute with f32
  if (!run.f24 && (!has_case || given.find("float24") == nullptr) && run::uses_f24(a.shader.module()) != run::uses_f24(b.shader.module()))
    run.f24 = ir::F24::as_f32;
  if (run.wave == 0 && (!has_case || given.find("wave") == nullptr)) run.wave = common_wave(a.shader.module(), b.shader.module());
  run.messages = 0;  // what shaders print is no result
  run.read_only = std::ranges::any_of(pairing.resources, is_written_by_one);
  made.budget = options.run.operations.value_or(kMostOfSet);
  InputGenerator generator(a, b, pairing, *known);
  Accesses accesses(a, b);
  std::map<std::size_t, vm::Profile> profiles;                           // by function of the first
  const bool is_known = !has_case || given.find("function") == nullptr;  // which functions run
  for (unsigned set = 0; set < random + (has_case ? 1U : 0U); ++set) {
    const std::optional<unsigned> number = has_case ? set == 0 ? std::nullopt : std::optional(set - 1) : std::optional(set);
    const Value of_set = number ? generator.set(options.seed, *number) : *known;
    bool is_finished = true;
    const bool looks = is_known && (set < kLookedAt || !accesses.are_all_found());
    for (const FunctionPair& pair : number ? std::span(functions) : std::span(functions).first(1)) {
      if (made.difference) break;
      Value inputs = number ? of_set : *whole;
      Value others = without_specializations(renamed(of_set, a, b, pairing), a);
      if (pair.first_point) {
        give_first_point(inputs, a);
        give_first_point(others, b);
      }
      set_function(inputs, pair.a);
      set_function(others, pair.b);
      run.operations = number ? made.budget : options.run.operations.value_or(run::kMostOperations);
      // each group of a grid that is generated has the budget of one
      if (number && groups_of(*known) == 1)
        *run.operations *= std::min(groups_of(inputs), ~std::uint64_t{0} / std::max<std::uint64_t>(*run.operations, 1));
      run.accesses = looks ? accesses.of(0, pair.a) : nullptr;
      run.profile = options.covers ? &profiles[pair.a] : nullptr;
      auto first = run::execute(a.shader, inputs, run);
      run.profile = nullptr;
      if (!first) return std::move(first).error();
      run.accesses = looks ? accesses.of(1, pair.b) : nullptr;
      auto second = run::execute(b.shader, others, run);
      if (!second) return std::move(second).error();
      if (ran_out(*first) || ran_out(*second)) {
        is_finished = false;
        break;
      }
      made.difference = Comparison(a, b, pairing, options, pair, made).compare(of_set, *first, *second);
      if (!made.difference) continue;
      made.difference->random = number;
      made.difference->inputs = std::move(inputs);
    }
    if (is_finished) {
      ++made.sets;
    } else if (number) {
      ++made.unfinished;
    } else {
      made.unfinished_case = true;
    }
    if (made.difference) break;
  }
  for (const auto& [function, profile] : profiles) {
    for (const auto& [id, branch] : profile.branches) {
      made.ways += branch.waves.size();
      made.taken += branch.waves.size() - static_cast<std::size_t>(std::ranges::count(branch.waves, 0U));
    }
  }
  if (made.difference) return made;
  made.without_data = accesses.without_data();
  return made;
}

}  // namespace unshade::suite
