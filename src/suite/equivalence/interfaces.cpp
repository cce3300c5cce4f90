#include "suite/equivalence/interfaces.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

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

using dxcontainer::SystemValue;
using run::kBuiltIns;
using run::key_of;
using run::kPatchConstants;
using run::output_key;
using run::semantic_key;

/// What the code of a module mentions.
struct Mentioned {
  explicit Mentioned(const ir::Module& module) {
    for (const ir::Function& function : module.functions) {
      for (const ir::BlockId block : function.order) {
        for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
          const ir::Inst& inst = function.insts[id];
          const ir::Extra extra = ir::info(inst.op).extra;
          if (extra == ir::Extra::resource) resources.insert(inst.extra);
          if (extra != ir::Extra::element) continue;
          const ir::ElementExtra of(inst.extra);
          std::uint32_t row = of.has_row ? kAnyRow : 0;
          if (of.has_row) {
            const ir::Id index = function.operands_of(id)[of.has_vertex ? 1 : 0];
            if (function.insts[index].op == ir::Op::constant) row = static_cast<std::uint32_t>(ir::constant_bits(function, index));
          }
          columns[{of.signature, of.element, row}] |= 1U << of.column;
        }
      }
    }
  }
  /// Bit i: column i of a row.
  unsigned columns_of(ir::SignatureKind kind, std::size_t element, std::uint32_t row) const {
    unsigned made = 0;
    for (const std::uint32_t one : {row, kAnyRow})
      if (const auto found = columns.find({kind, static_cast<std::uint32_t>(element), one}); found != columns.end()) made |= found->second;
    return made;
  }
  static constexpr std::uint32_t kAnyRow = ~std::uint32_t{0};  ///< that is computed
  std::set<std::uint32_t> resources;
  std::map<std::tuple<ir::SignatureKind, std::uint32_t, std::uint32_t>, unsigned> columns;  ///< by element and row
};

// `COLOR` of `in.var.COLOR`, as DXC names variables of SPIR-V.
std::string_view without_prefix(std::string_view key) {
  for (const std::string_view prefix : {"in.var.", "out.var."})
    if (key.starts_with(prefix)) return key.substr(prefix.size());
  return key;
}

// What rows that are matched by semantic have in common: `color` of `in.var.COLOR0`, `color1` of its second row. DXC's names have the
// index of the first row, and the number of these elements is that of the location.
std::string plain_name(const ir::Element& element, std::uint32_t row) {
  const std::string_view own = without_prefix(element.variable);
  const bool is_of_dxc = own.size() != element.variable.size();
  const std::string key = is_of_dxc ? std::string(own) : semantic_key(element, row);
  const SemanticName split = split_semantic(key);
  const std::uint32_t index = split.index.value_or(0) + (is_of_dxc ? row : 0);
  return lowered(split.name) + (index == 0 ? "" : std::to_string(index));
}

struct Side {
  const Subject& subject;
  Mentioned mentioned;
};

bool is_of_vulkan(const Side& side) {
  const shader::Reflection* const reflection = side.subject.shader.reflection();
  return reflection != nullptr && reflection->has_descriptor_sets();
}
bool are_of_vulkan(const Side& a, const Side& b) { return is_of_vulkan(a) && is_of_vulkan(b); }

struct Found {
  Row row;
  std::string name;          ///< plain_name()
  std::uint32_t number = 0;  ///< of the row
  unsigned columns = 0;      ///< that the code mentions: bit i is column i
  bool mentioned = false;
  bool taken = false;
};

// What the rows of a signature are called: in cases, or in results.
std::vector<std::string> keys_of(const ir::Module& module, ir::SignatureKind kind) {
  std::vector<std::string> made;
  Value results = Value::map();
  const bool is_given = kind == ir::SignatureKind::input || (kind == ir::SignatureKind::patch && module.stage == Stage::domain);
  const auto add = [&](ir::SignatureKind one) {
    made.clear();
    const std::vector<ir::Element>& elements = module.signatures.of(one);
    for (std::size_t at = 0; at < elements.size(); ++at) {
      for (std::uint32_t row = 0; row < elements[at].rows; ++row) {
        made.push_back(is_given ? semantic_key(elements[at], row) : output_key(results, elements, at, row));
        if (!is_given) results.add(made.back(), Value());
      }
    }
  };
  if (kind == ir::SignatureKind::patch && module.stage == Stage::hull) add(ir::SignatureKind::output);  // of the same map
  add(kind);
  return made;
}

std::vector<Found> rows_of(const Side& side, ir::SignatureKind kind) {
  std::vector<Found> made;
  const ir::Module& module = side.subject.shader.module();
  const auto& elements = module.signatures.of(kind);
  const std::vector<std::string> keys = keys_of(module, kind);
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const ir::Element& element = elements[at];
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      const std::size_t place = made.size();
      const unsigned columns = side.mentioned.columns_of(kind, at, row);
      made.push_back({{&element, place, keys[place]}, plain_name(element, row), row, columns, columns != 0, false});
    }
  }
  return made;
}

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
bool has_same_system_value(const Found& a, const Found& b) {
  const ir::Element& first = *a.row.element;
  const ir::Element& second = *b.row.element;
  return first.system_value != SystemValue::undefined && first.system_value == second.system_value && system_index(a) == system_index(b);
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

std::string has_alone(const Side& has, const Side& lacks, std::string_view kind, std::string_view name) {
  return has.subject.name + " has the " + std::string(kind) + " `" + std::string(name) + "`, which " + lacks.subject.name + " lacks";
}

std::string differ(const Side& a, const Side& b, std::string_view what, std::string_view of_a, std::string_view of_b) {
  return std::string(what) + ": " + std::string(of_a) + " in " + a.subject.name + ", " + std::string(of_b) + " in " + b.subject.name;
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

void pair_rows(const Side& a, const Side& b, ir::SignatureKind kind, std::vector<RowPair>& pairs, std::vector<std::string>& mismatches) {
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
  const bool is_vulkan = are_of_vulkan(a, b);
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
  if (is_vulkan) {
    const bool is_given =
        kind == ir::SignatureKind::input || (kind == ir::SignatureKind::patch && a.subject.shader.module().stage == Stage::domain);
    LocationPairing(a, b, word, is_given, pairs, mismatches).pair(of_a, of_b);
    std::ranges::stable_sort(pairs, {}, [](const RowPair& pair) { return std::pair(pair.a.place, pair.first_a); });
  }
  for (const Found& one : of_a)
    if (!one.taken && one.mentioned) mismatches.push_back(has_alone(a, b, word, one.row.key));
  for (const Found& one : of_b)
    if (!one.taken && one.mentioned) mismatches.push_back(has_alone(b, a, word, one.row.key));
}

std::string shown(const ir::Resource& resource) {
  std::string made = key_of(resource, 0);
  if (!resource.name.empty() && resource.name != made) made += ' ' + resource.name;
  return made;
}

// Whether a resource of Vulkan is bound in the same place, which several may be: a texture and its sampler, or Aliased blocks.
bool is_same_binding(const ir::Resource& a, const ir::Resource& b) {
  const auto group = [](const ir::Resource& one) {
    const char letter = run::letter_of(one.kind);
    return letter == 'u' ? 't' : letter;  // whether a buffer is written may be left open
  };
  return group(a) == group(b) && a.space == b.space && a.first_register == b.first_register;
}

/// Bytes from an element to the next of the array that a storage buffer of SPIR-V ends with; 0 if it has none, or no one says.
std::uint32_t stride_of_storage(const Side& side, const ir::Resource& resource) {
  const shader::Reflection* const reflection = side.subject.shader.reflection();
  const shader::Resource* const row = reflection == nullptr ? nullptr : run::row_of(resource, *reflection);
  if (row == nullptr || row->buffer >= reflection->buffers.size() || reflection->buffers[row->buffer].variables.empty()) return 0;
  const std::uint32_t type = reflection->buffers[row->buffer].variables.back().type;
  return type < reflection->types.size() ? reflection->types[type].array_stride : 0;
}

/// Whether both are buffers of bytes, or one is a storage buffer of elements as the other, a structured buffer, has them.
bool are_same_bytes(const Side& a, const ir::Resource& of_a, const Side& b, const ir::Resource& of_b) {
  if (run::is_raw(of_a) && run::is_raw(of_b)) return true;
  if (run::is_raw(of_a)) return of_b.stride != 0 && stride_of_storage(a, of_a) == of_b.stride;
  return run::is_raw(of_b) && of_a.stride != 0 && stride_of_storage(b, of_b) == of_a.stride;
}

void pair_resources(const Side& a, const Side& b, Pairing& pairing) {
  const auto& of_a = a.subject.shader.module().resources;
  const auto& of_b = b.subject.shader.module().resources;
  std::vector<bool> taken(of_b.size(), false);
  std::vector<std::size_t> partner(of_a.size(), of_b.size());
  const bool is_vulkan = are_of_vulkan(a, b);
  for (const bool by_name : {true, false}) {
    for (std::size_t at = 0; at < of_a.size(); ++at) {
      if (partner[at] != of_b.size()) continue;
      for (std::size_t other = 0; other < of_b.size(); ++other) {
        if (taken[other] || of_a[at].heap || of_b[other].heap) continue;
        const std::string first = key_of(of_a[at], 0);
        const std::string second = key_of(of_b[other], 0);
        if (is_vulkan) {
          // of several at one binding, first those of one shape: names are debug information
          const bool is_same_shape = of_a[at].kind == of_b[other].kind && of_a[at].dimension == of_b[other].dimension;
          if (!is_same_binding(of_a[at], of_b[other]) || (by_name && !is_same_shape)) continue;
        } else if (by_name ? of_a[at].name.empty() || of_a[at].name != of_b[other].name || first.front() != second.front()
                           : first != second)
          continue;
        partner[at] = other;
        taken[other] = true;
        break;
      }
    }
  }
  for (std::size_t at = 0; at < of_a.size(); ++at) {
    const bool used = a.mentioned.resources.contains(static_cast<std::uint32_t>(at)) && !of_a[at].heap;
    if (partner[at] == of_b.size()) {
      if (used) pairing.mismatches.push_back(has_alone(a, b, "resource", shown(of_a[at])));
      continue;
    }
    const ir::Resource& other = of_b[partner[at]];
    if (used && b.mentioned.resources.contains(static_cast<std::uint32_t>(partner[at])) &&
        (of_a[at].dimension != other.dimension || of_a[at].stride != other.stride) && !are_same_bytes(a, of_a[at], b, other)) {
      const auto shape = [](const ir::Resource& of) {
        return std::string(id(run::is_raw(of) ? dxcontainer::ResourceDimension::raw_buffer : of.dimension)) +
               (of.stride == 0 ? "" : " with a stride of " + std::to_string(of.stride));
      };
      if (shape(of_a[at]) != shape(other)) {
        pairing.mismatches.push_back(differ(a, b, "resource `" + shown(of_a[at]) + '`', shape(of_a[at]), shape(other)));
        continue;
      }
    }
    pairing.resources.push_back({&of_a[at], &other});
  }
  for (std::size_t other = 0; other < of_b.size(); ++other) {
    if (!taken[other] && !of_b[other].heap && b.mentioned.resources.contains(static_cast<std::uint32_t>(other)))
      pairing.mismatches.push_back(has_alone(b, a, "resource", shown(of_b[other])));
  }
}

}  // namespace

Pairing pair_interfaces(const Subject& first, const Subject& second) {
  const Side a{first, Mentioned(first.shader.module())};
  const Side b{second, Mentioned(second.shader.module())};
  const ir::Module& of_a = first.shader.module();
  const ir::Module& of_b = second.shader.module();
  Pairing made;
  made.is_vulkan = are_of_vulkan(a, b);
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
  pair_rows(a, b, ir::SignatureKind::input, made.inputs, made.mismatches);
  pair_rows(a, b, ir::SignatureKind::output, made.outputs, made.mismatches);
  if (of_a.stage == Stage::hull || of_a.stage == Stage::domain || of_a.stage == Stage::mesh)
    pair_rows(a, b, ir::SignatureKind::patch, made.patch, made.mismatches);
  pair_resources(a, b, made);
  return made;
}

}  // namespace unshade::suite::equivalence
