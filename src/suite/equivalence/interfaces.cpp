#include "suite/equivalence/interfaces.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include <unshade/core/stage.hpp>

#include "suite/equivalence/sides.hpp"

namespace unshade::suite::equivalence {
namespace {

using dxcontainer::SystemValue;

// What two rows that are matched have in common. Names of SPIR-V are debug information: in Vulkan locations and built-ins are the
// interface.
bool has_same_built_in(const Found& a, const Found& b) {
  const ir::Element& first = *a.row.element;
  const ir::Element& second = *b.row.element;
  return first.stream == second.stream && !first.built_in.empty() && first.built_in == second.built_in && a.number == b.number;
}
bool has_same_location(const Found& a, const Found& b) {
  const ir::Element& first = *a.row.element;
  const ir::Element& second = *b.row.element;
  return first.stream == second.stream && first.built_in.empty() && second.built_in.empty() && first.first_register != ir::kNone &&
         second.first_register != ir::kNone && first.first_register + a.number == second.first_register + b.number &&
         first.second_source == second.second_source;
}
bool is_in_same_stream(const Found& a, const Found& b) { return a.row.element->stream == b.row.element->stream; }
bool has_same_name(const Found& a, const Found& b) { return a.name == b.name; }
bool has_same_name_in_stream(const Found& a, const Found& b) { return has_same_name(a, b) && is_in_same_stream(a, b); }
bool has_same_place(const Found& a, const Found& b) {
  const ir::Element& first = *a.row.element;
  const ir::Element& second = *b.row.element;
  return has_same_name_in_stream(a, b) && first.first_register + a.number == second.first_register + b.number &&
         first.first_column == second.first_column && first.second_source == second.second_source;
}
// In Direct3D, the second source of the first target is the second target.
std::uint32_t system_index(const Found& one) {
  return one.row.element->semantic_index + one.number + (one.row.element->second_source ? 1U : 0U);
}
bool is_depth(SystemValue value) {
  return value == SystemValue::depth || value == SystemValue::depth_greater_equal || value == SystemValue::depth_less_equal;
}
bool has_same_system_value(const Found& a, const Found& b) {
  const ir::Element& first = *a.row.element;
  const ir::Element& second = *b.row.element;
  // Vulkan does not say in each stage how depth is bounded
  const bool is_same = first.system_value == second.system_value || (is_depth(first.system_value) && is_depth(second.system_value));
  return first.system_value != SystemValue::undefined && is_same && system_index(a) == system_index(b);
}
bool has_same_system_value_in_stream(const Found& a, const Found& b) { return has_same_system_value(a, b) && is_in_same_stream(a, b); }

// A shader binary of the PICA200 from which names were stripped has inputs called by their registers.
bool is_called_by_register(const Found& one) {
  const ir::Element& element = *one.row.element;
  return element.first_register != ir::kNone && one.row.key == 'v' + std::to_string(element.first_register + one.number);
}
bool has_same_register_and_one_name(const Found& a, const Found& b) {
  const ir::Element& first = *a.row.element;
  const ir::Element& second = *b.row.element;
  if (!a.mentioned || !b.mentioned) return false;
  return (is_called_by_register(a) || is_called_by_register(b)) && first.first_register + a.number == second.first_register + b.number &&
         first.first_column == second.first_column;
}

std::string shape_of(const ir::Element& element) { return std::string(ir::text(element.type)) + " x " + std::to_string(element.columns); }

/// Pairs the rows of a location by the components that they have in common. A location may be split in one shader and whole in the other,
/// or split in another way; what neither shader mentions may be anything.
class LocationPairing {
 public:
  LocationPairing(const Side& a, const Side& b, std::string_view word, bool is_given, std::vector<RowPair>& pairs,
                  std::vector<std::string>& mismatches)
      : a_(a), b_(b), word_(word), is_given_(is_given), pairs_(pairs), mismatches_(mismatches) {}

  void pair(std::vector<Found>& of_a, std::vector<Found>& of_b) {
    const std::vector<Key> keys_of_a = keys_of(of_a), keys_of_b = keys_of(of_b);
    std::map<Key, std::vector<Found*>> by_place;  // of the second
    for (std::size_t k = 0; k < of_b.size(); ++k)
      if (of_b[k].row.element->first_register != ir::kNone) by_place[keys_of_b[k]].push_back(&of_b[k]);
    std::map<const Found*, std::vector<Common>> known_to_a, known_to_b;
    for (std::size_t k = 0; k < of_a.size(); ++k) {
      Found& one = of_a[k];
      const auto there = by_place.find(keys_of_a[k]);
      if (there == by_place.end()) continue;
      for (Found* const other : there->second) {
        if (!has_same_location(one, *other)) continue;
        const auto common = common_of(one, *other);
        if (!common) continue;
        one.taken = other->taken = true;
        known_to_a[&one].push_back(*common);
        known_to_b[other].push_back(*common);
        if (!has_same_kind(*common)) continue;
        pairs_.push_back({one.row, other->row, common->first_a, common->first_b, common->columns});
      }
    }
    for (const Found& one : of_a)
      if (const auto found = known_to_a.find(&one); found != known_to_a.end()) check_rest(one, found->second, true);
    for (const Found& other : of_b)
      if (const auto found = known_to_b.find(&other); found != known_to_b.end()) check_rest(other, found->second, false);
  }

 private:
  struct Common {
    const Found *a, *b;
    std::uint32_t first_a, first_b, columns;
  };

  using Key = std::pair<std::uint32_t, std::uint32_t>;  ///< a location and a layer

  // Where each row is. Of components that several rows of a shader have, which Vulkan does not allow, each is in a layer of its own, in
  // their order.
  static std::vector<Key> keys_of(const std::vector<Found>& all) {
    std::vector<Key> made;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::array<std::uint32_t, 4>> layers;  // by location, stream, second source
    for (const Found& one : all) {
      const ir::Element& element = *one.row.element;
      if (element.first_register == ir::kNone) {
        made.push_back({ir::kNone, 0});  // a built-in, which is in no location
        continue;
      }
      const std::uint32_t location = element.first_register + one.number;
      auto& of_columns = layers[{location, element.stream, element.second_source}];
      const std::uint32_t first = element.first_column;
      const std::uint32_t end = std::min<std::uint32_t>(4, first + element.columns * (is_wide(element) ? 2U : 1U));
      std::uint32_t layer = 0;
      for (std::uint32_t k = first; k < end; ++k) layer = std::max(layer, of_columns[k]);
      for (std::uint32_t k = first; k < end; ++k) of_columns[k] = layer + 1;
      made.push_back({location, layer});
    }
    return made;
  }

  static bool is_wide(const ir::Element& element) { return ir::lane_bytes(element.type) == 8; }
  static unsigned mask(std::uint32_t first, std::uint32_t columns) { return ((1U << columns) - 1) << first; }

  static std::optional<Common> common_of(const Found& a, const Found& b) {
    const ir::Element& first = *a.row.element;
    const ir::Element& second = *b.row.element;
    // components of 64 bits take two
    if (is_wide(first) || is_wide(second)) {
      if (first.first_column != second.first_column) return std::nullopt;
      return Common{&a, &b, 0, 0, std::min<std::uint32_t>(first.columns, second.columns)};
    }
    const std::uint32_t begin_a = first.first_column, begin_b = second.first_column;
    const std::uint32_t begin = std::max(begin_a, begin_b);
    const std::uint32_t end = std::min(begin_a + first.columns, begin_b + second.columns);
    if (begin >= end) return std::nullopt;
    return Common{&a, &b, begin - begin_a, begin - begin_b, end - begin};
  }

  bool has_same_kind(const Common& common) {
    const ir::Element& first = *common.a->row.element;
    const ir::Element& second = *common.b->row.element;
    const bool mentioned =
        (common.a->columns & mask(common.first_a, common.columns)) != 0 || (common.b->columns & mask(common.first_b, common.columns)) != 0;
    if (!mentioned || ir::is_float(first.type) == ir::is_float(second.type)) return true;
    mismatches_.push_back(differ(a_, b_, word_ + " `" + common.a->row.key + '`', shape_of(first), shape_of(second)));
    return false;
  }

  // Components that the other shader does not have. Outputs must be in both. Of an input the case, and what is generated, may have more
  // numbers than the first shader reads.
  void check_rest(const Found& one, const std::vector<Common>& known, bool is_first) {
    const auto own_end = [&](const Common& common) { return (is_first ? common.first_a : common.first_b) + common.columns; };
    unsigned rest = one.columns;
    for (const Common& common : known) rest &= ~mask(own_end(common) - common.columns, common.columns);
    if (rest == 0) return;
    const Common& last = *std::ranges::max_element(known, {}, own_end);
    const std::uint32_t end = own_end(last);
    const bool is_after = (rest & mask(0, end)) == 0;
    if (is_given_ && is_after && is_first) return;
    if (is_given_ && is_after && !is_wide(*one.row.element) && last.first_a + last.columns == last.a->row.element->columns) {
      pairs_.push_back({last.a->row, one.row, last.first_a + last.columns, end, static_cast<std::uint32_t>(std::bit_width(rest)) - end});
      return;
    }
    if (known.size() == 1) {
      mismatches_.push_back(
          differ(a_, b_, word_ + " `" + last.a->row.key + '`', shape_of(*last.a->row.element), shape_of(*last.b->row.element)));
      return;
    }
    std::string name = one.row.key + '.';
    for (unsigned k = 0; k < 4; ++k)
      if ((rest >> k & 1) != 0) name += "xyzw"[k];
    mismatches_.push_back(has_alone(is_first ? a_ : b_, is_first ? b_ : a_, word_, name));
  }

  const Side& a_;
  const Side& b_;
  const std::string word_;
  const bool is_given_;
  std::vector<RowPair>& pairs_;
  std::vector<std::string>& mismatches_;
};

void pair_rows(const Side& a, const Side& b, ir::SignatureKind kind, std::vector<RowPair>& pairs, Pairing& pairing) {
  std::vector<std::string>& mismatches = pairing.mismatches;
  const bool is_mesh = a.subject.shader.module().stage == Stage::mesh;
  const bool has_streams = a.subject.shader.module().stage == Stage::geometry && kind == ir::SignatureKind::output;
  const std::string_view word = kind == ir::SignatureKind::input    ? "input"
                                : kind == ir::SignatureKind::output ? "output"
                                : is_mesh                           ? "primitive output"
                                                                    : "patch constant";
  std::vector<Found> of_a = rows_of(a, kind);
  std::vector<Found> of_b = rows_of(b, kind);
  // several rows may have one name: in different streams, or in one register
  std::vector<const Found*> partners(of_a.size(), nullptr);
  constexpr std::array kByName = {has_same_place, has_same_name_in_stream, has_same_system_value_in_stream,
                                  has_same_name,  has_same_system_value,   has_same_register_and_one_name};
  constexpr std::array kByBuiltIn = {has_same_built_in};
  const bool is_vulkan = pairing.is_vulkan;
  if (is_one_of_vulkan(a, b)) pair_flat(of_a, of_b, pairs);
  for (const auto& same : is_vulkan ? std::span<bool (*const)(const Found&, const Found&)>(kByBuiltIn) : kByName) {
    for (std::size_t at = 0; at < of_a.size(); ++at) {
      if (of_a[at].taken) continue;
      const auto other = std::ranges::find_if(of_b, [&](const Found& one) { return !one.taken && same(of_a[at], one); });
      if (other == of_b.end()) continue;
      of_a[at].taken = other->taken = true;
      partners[at] = &*other;
    }
  }
  for (std::size_t at = 0; at < of_a.size(); ++at) {
    const Found* const other = partners[at];
    if (other == nullptr) continue;
    const Found& one = of_a[at];
    const ir::Element& first = *one.row.element;
    const ir::Element& second = *other->row.element;
    if (has_streams && !is_in_same_stream(one, *other)) {
      const auto stream = [](const ir::Element& element) { return "stream " + std::to_string(element.stream); };
      if (one.mentioned || other->mentioned)
        mismatches.push_back(differ(a, b, std::string(word) + " `" + one.row.key + '`', stream(first), stream(second)));
      continue;
    }
    if ((one.mentioned || other->mentioned) &&
        (ir::is_float(first.type) != ir::is_float(second.type) || (kind != ir::SignatureKind::input && first.columns != second.columns))) {
      mismatches.push_back(differ(a, b, std::string(word) + " `" + one.row.key + '`', shape_of(first), shape_of(second)));
      continue;
    }
    pairs.push_back({one.row, other->row});
  }
  const bool is_given =
      kind == ir::SignatureKind::input || (kind == ir::SignatureKind::patch && a.subject.shader.module().stage == Stage::domain);
  if (is_vulkan) {
    LocationPairing(a, b, word, is_given, pairs, mismatches).pair(of_a, of_b);
  } else if (kind == ir::SignatureKind::input) {
    pair_built_ins(a, b, of_a, pairing.elements_of_a);
    pair_built_ins(b, a, of_b, pairing.elements_of_b);
  }
  // Source has no input of which nothing depends. Both run, so that a difference shows if something does.
  if (is_given && pairing.source) {
    for (Found& one : of_a) {
      if (!one.taken && one.mentioned) pairs.push_back({.a = one.row, .b = {}, .columns = 0});
      one.taken = true;
    }
  }
  std::ranges::stable_sort(pairs, {}, [](const RowPair& pair) { return std::pair(pair.a.place, pair.first_a); });
  for (const Found& one : of_a)
    if (!one.taken && one.mentioned) mismatches.push_back(has_alone(a, b, word, one.row.key));
  for (const Found& one : of_b)
    if (!one.taken && one.mentioned) mismatches.push_back(has_alone(b, a, word, one.row.key));
}

}  // namespace

Pairing pair_interfaces(const Subject& first, const Subject& second, const std::optional<SourceBindings>& source) {
  const Side a{first, Mentioned(first.shader.module())};
  const Side b{second, Mentioned(second.shader.module())};
  const ir::Module& of_a = first.shader.module();
  const ir::Module& of_b = second.shader.module();
  Pairing made;
  made.is_vulkan = is_of_vulkan(a) && is_of_vulkan(b);
  made.source = source;
  if (of_a.stage != of_b.stage) {
    made.mismatches.push_back(differ(a, b, "stage", id(of_a.stage), id(of_b.stage)));
    return made;
  }
  if (of_a.info.group_size != of_b.info.group_size) {
    const auto shape = [](const std::array<std::uint32_t, 3>& size) {
      return std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' + std::to_string(size[2]);
    };
    made.mismatches.push_back(differ(a, b, "thread group", shape(of_a.info.group_size), shape(of_b.info.group_size)));
  }
  pair_rows(a, b, ir::SignatureKind::input, made.inputs, made);
  pair_rows(a, b, ir::SignatureKind::output, made.outputs, made);
  if (of_a.stage == Stage::hull || of_a.stage == Stage::domain || of_a.stage == Stage::mesh)
    pair_rows(a, b, ir::SignatureKind::patch, made.patch, made);
  pair_resources(a, b, made);
  return made;
}

}  // namespace unshade::suite::equivalence
