#include "shader/diff/interface.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <unshade/core/lanes.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>

#include "shader/diff/things.hpp"
#include "shader/reflect/semantic_text.hpp"
#include "shader/reflect/subobjects.hpp"

namespace unshade::shader::diff {

namespace {

/// A name, or the number that has none.
template <class E>
std::string named(E value) {
  const std::string_view name = id(value);
  return name.empty() ? std::to_string(static_cast<std::uint32_t>(value)) : std::string(name);
}

std::string number(std::uint32_t value) { return std::to_string(value); }
/// Empty if there is none.
std::string number_or_none(std::uint32_t value, std::uint32_t none) { return value == none ? std::string() : number(value); }
std::string yes(bool value) { return value ? "yes" : "no"; }

std::string mask_text(unsigned mask) { return std::string(WriteMask(mask).text()); }

/// The names of the set bits, then what has none, with blanks between.
std::string bits_text(std::uint64_t value, const NameTable& names) {
  std::string text;
  for (const NamedValue& bit : names.values) {
    if ((value & bit.value) == 0) continue;
    (text += text.empty() ? "" : " ") += bit.id;
    value &= ~std::uint64_t{bit.value};
  }
  if (value == 0) return text;
  Text rest;
  (rest << (text.empty() ? "0x" : " 0x")).hex(value);
  return text + rest.str();
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) (all += all.empty() ? "" : ", ") += text;
  return all;
}

std::string dimensions_text(const std::vector<std::uint32_t>& dimensions) {
  std::string text;
  for (const std::uint32_t count : dimensions) (text += '[') += (count == 0 ? std::string() : number(count)) + ']';
  return text;
}

std::string hex_text(const std::vector<std::byte>& bytes) {
  Text text;
  for (const std::byte byte : bytes) text.hex(std::to_integer<std::uint32_t>(byte), 2);
  return text.str();
}

/// A dword of a default value; as hexadecimal if the type has no other text for just these bits.
void print_dword(Text& text, BaseType base, std::uint32_t dword) {
  const auto real = std::bit_cast<float>(dword);
  if (base == BaseType::float_ && real == real) {
    text.shortest(real);
  } else if (base == BaseType::int_) {
    text.dec_signed(static_cast<std::int32_t>(dword));
  } else if (base == BaseType::uint_) {
    text.dec(dword);
  } else if (base == BaseType::bool_ && dword <= 1) {
    text << (dword != 0 ? "true" : "false");
  } else {
    (text << "0x").hex(dword, 8);
  }
}

/// `0.5`, `(1.0, 2.0)`, `(1.0, 2.0), (3.0, 4.0)`: registers of four dwords. What fills them up after a vector is left out if it is
/// zero. Types that are no single kind of dwords print as bytes.
std::string values_text(const std::vector<std::byte>& bytes, const Type* type) {
  constexpr std::size_t kDword = 4;
  constexpr std::size_t kRegister = 4;  // dwords
  const auto has_dwords = [](BaseType base) {
    return base == BaseType::float_ || base == BaseType::int_ || base == BaseType::uint_ || base == BaseType::bool_;
  };
  if (type == nullptr || type->is_struct() || !has_dwords(type->base) || bytes.size() % kDword != 0) return hex_text(bytes);
  const View view({bytes.data(), bytes.size()});
  const bool is_vector = type->type_class == TypeClass::scalar || type->type_class == TypeClass::vector;
  const std::size_t dwords = bytes.size() / kDword;
  Text text;
  for (std::size_t from = 0; from < dwords; from += kRegister) {
    const auto dword = [&](std::size_t i) { return view.load_unchecked<std::uint32_t>(kDword * (from + i)); };
    std::size_t count = std::min(kRegister, dwords - from);
    while (is_vector && count > std::max<std::size_t>(type->columns, 1) && dword(count - 1) == 0) --count;
    text << (from == 0 ? "" : ", ") << (count == 1 ? "" : "(");
    for (std::size_t i = 0; i < count; ++i) print_dword(text << (i == 0 ? "" : ", "), type->base, dword(i));
    text << (count == 1 ? "" : ")");
  }
  return text.str();
}

/// What the interface of one side is made of.
class Side {
 public:
  /// `named`: whether names mean something, and are there to be compared.
  Side(const Reflection& reflection, const Reflection& other, bool named)
      : r_(reflection),
        vulkan_(reflection.has_descriptor_sets()),
        named_(named),
        several_(std::max(reflection.entry_points.size(), other.entry_points.size()) > 1) {
    for (const Reflection* side : {&reflection, &other}) {
      std::array<bool, 256> seen{};
      for (const EntryPoint& entry : side->entry_points) {
        const auto stage = static_cast<std::uint8_t>(entry.stage);
        if (seen[stage]) shared_[stage] = true;
        seen[stage] = true;
      }
    }
    std::size_t declared = 0;
    for (const Type& type : reflection.types) declared += type.members.size();
    for (const Buffer& buffer : reflection.buffers) declared += buffer.variables.size();
    members_left_ = kMembersBase + kMembersPerMember * declared;
  }

  bool omitted() const { return omitted_; }

  std::vector<Thing> general() const {
    Thing thing{"", "", "shader", "", {}};
    thing.fields = {
        {"min_feature_level", named(r_.min_feature_level)},
        {"root_signature", yes(r_.has_root_signature)},
        {"compute_on_4x", yes(r_.compute_on_4x)},
        {"interface_slots", number(r_.interface_slots)},
        {"compile_flags", bits_text(r_.compile_flags, compile_flag_names()), false},
        {"stripped", yes(r_.rebuilt), false},
    };
    return {std::move(thing)};
  }

  std::vector<Thing> entry_points() const {
    std::vector<Thing> things;
    for (const EntryPoint& entry : r_.entry_points) {
      const std::string stage = named(entry.stage);
      Thing thing{"entry point", entry_name(entry), scope_of(entry), {}, {}};
      thing.fields = {{"name", entry.name},
                      {"stage", stage},
                      {"requires", bits_text(entry.required_features, required_feature_names())},
                      {"execution_modes", joined(entry.execution_modes)}};
      add_stage(entry, thing);
      things.push_back(std::move(thing));
    }
    return things;
  }

  std::vector<Thing> elements() {
    std::vector<Thing> things;
    for (const EntryPoint& entry : r_.entry_points) {
      add_elements("input", entry, entry.inputs, things);
      add_elements("output", entry, entry.outputs, things);
      add_elements("patch constant", entry, entry.patch_constants, things);
    }
    return things;
  }

  std::vector<Thing> resources() {
    std::vector<Thing> things;
    for (const Resource& resource : r_.resources) {
      if (!may_add()) break;
      const std::string place = place_of(resource);
      Thing thing{"resource", resource.name.empty() ? place : resource.name, {}, place, {}};
      thing.key = named_ && !vulkan_ ? named(resource.kind) + ' ' + resource.name : place;
      if (named_) thing.fields.push_back({"name", resource.name, !vulkan_});
      thing.fields.insert(thing.fields.end(), {
                                                  {"kind", named(named_ ? resource.kind : declared_kind(resource.kind))},
                                                  {vulkan_ ? "binding" : "register", place},
                                                  {"bind_count", resource.bind_count == 0 ? "unbounded" : number(resource.bind_count)},
                                                  {"dimension", named(resource.dimension)},
                                                  {"return_type", named(resource.return_type)},
                                                  {"components", number(resource.components), named_},
                                                  {"sample_count", number(resource.sample_count), named_},
                                                  {"stride", number(resource.stride)},
                                                  {"comparison", yes(resource.comparison)},
                                                  {"globally_coherent", yes(resource.globally_coherent)},
                                                  {"rasterizer_ordered", yes(resource.rasterizer_ordered)},
                                                  {"read_only", yes(resource.read_only)},
                                                  {"write_only", yes(resource.write_only)},
                                                  {"attachment", number_or_none(resource.attachment, kNone)},
                                                  {"format", resource.format},
                                                  {"dimensions", dimensions_text(resource.dimensions)},
                                                  {"flags", bits_text(resource.flags, resource_flag_names()), false},
                                                  {"id", number(resource.id), false},
                                              });
      things.push_back(std::move(thing));
    }
    return things;
  }

  std::vector<Thing> buffers() {
    std::vector<std::string> places(r_.buffers.size());
    for (const Resource& resource : r_.resources)
      if (resource.buffer < places.size() && places[resource.buffer].empty()) places[resource.buffer] = place_of(resource);
    std::vector<Thing> things;
    for (std::size_t i = 0; i < r_.buffers.size() && may_add(); ++i) {
      const Buffer& buffer = r_.buffers[i];
      const std::string kind = named(buffer.kind);
      std::string name = buffer.name.empty() ? places[i] : buffer.name;
      const std::string key = kind + ' ' + (vulkan_ && !places[i].empty() ? places[i] : name);
      things.push_back({"buffer", name, key, places[i].empty() ? std::string() : kind + ' ' + places[i], {}});
      things.back().fields = {{"kind", kind}, {"size", number(buffer.size)}, {"flags", number(buffer.flags), false}};
      for (const Variable& variable : buffer.variables) add_variable(key, name, variable, things);
    }
    return things;
  }

  std::vector<Thing> constants() {
    std::vector<Thing> things;
    for (const SpecializationConstant& c : r_.specialization_constants) {
      if (!may_add()) break;
      const std::string key = number(c.id);
      things.push_back({"specialization constant", c.name.empty() ? key : c.name, key, {}, {}});
      things.back().fields = {
          {"name", c.name, false}, {"id", key, true, true}, {"type", named(c.type)}, {"default_value", std::to_string(c.default_value)}};
    }
    for (const std::string& capability : r_.capabilities) {
      if (!may_add()) break;
      things.push_back({"capability", capability, "capability " + capability, {}, {}});
    }
    return things;
  }

  std::vector<Thing> subobjects() {
    std::vector<Thing> things;
    for (const Subobject& subobject : r_.subobjects) {
      if (!may_add()) break;
      things.push_back({"subobject", subobject.name, "subobject " + subobject.name, {}, {}});
      things.back().fields.push_back({"kind", named(subobject.kind)});
      for (reflection::SubobjectFact& fact : reflection::facts_of(subobject))
        things.back().fields.push_back({fact.name, std::move(fact.text)});
    }
    return things;
  }

  std::vector<Thing> linkage() {
    std::vector<Thing> things;
    if (!r_.class_linkage) return things;
    const ClassLinkage& linkage = *r_.class_linkage;
    const auto type_names = [&](const std::vector<std::uint32_t>& types) {
      std::vector<std::string> names;
      for (const std::uint32_t type : types) names.push_back(type < linkage.types.size() ? linkage.types[type].name : number(type));
      std::string all = joined(names);
      added_ += all.size() / kTextOfField;  // a long name may be that of many
      return all;
    };
    for (const ClassType& type : linkage.types) {
      if (!may_add()) break;
      things.push_back({"class", type.name, "class " + type.name, {}, {}});
      things.back().fields = {{"constant_buffer_stride", number(type.constant_buffer_stride)},
                              {"texture_count", number(type.texture_count)},
                              {"sampler_count", number(type.sampler_count)}};
    }
    for (const ClassInstance& instance : linkage.instances) {
      if (!may_add()) break;
      things.push_back({"class instance", instance.name, "instance " + instance.name, {}, {}});
      things.back().fields = {{"type", type_names({instance.type})},
                              {"elements", number(instance.elements)},
                              {"constant_buffer", number_or_none(instance.constant_buffer, kNoSlot)},
                              {"constant_buffer_offset", number_or_none(instance.constant_buffer_offset, kNoSlot)},
                              {"texture", number_or_none(instance.texture, kNoSlot)},
                              {"sampler", number_or_none(instance.sampler, kNoSlot)}};
    }
    for (const InterfaceSlot& slot : linkage.slots) {
      if (!may_add()) break;
      std::vector<std::string> tables;
      for (const std::uint32_t table : slot.tables) tables.push_back(number(table));
      things.push_back({"interface slot", number(slot.first), "slot " + number(slot.first), {}, {}});
      things.back().fields = {{"count", number(slot.count)}, {"types", type_names(slot.types)}, {"tables", joined(tables)}};
    }
    return things;
  }

  std::vector<Thing> statistics() const {
    std::vector<Thing> things;
    for (const EntryPoint& entry : r_.entry_points) {
      if (!entry.statistics) continue;
      // What the compiler counted follows from the instructions.
      Thing thing{"statistics", prefix_of(entry), "statistics " + scope_of(entry), {}, {}, false};
      for (const StatisticField& field : statistic_fields())
        thing.fields.push_back({field.id, number(*entry.statistics.*field.count), false});
      things.push_back(std::move(thing));
    }
    return things;
  }

 private:
  /// Shared types nest into more fields than a file has bytes.
  bool may_add() {
    added_ += kFieldsOfThing;
    omitted_ = omitted_ || added_ > limits::kDiffFields;
    return added_ <= limits::kDiffFields;
  }

  static std::string entry_name(const EntryPoint& entry) { return entry.name.empty() ? named(entry.stage) : entry.name; }

  /// What tells an entry point: its stage, and its name if a side has several of the stage.
  std::string scope_of(const EntryPoint& entry) const {
    return shared_[static_cast<std::uint8_t>(entry.stage)] ? named(entry.stage) + ' ' + entry.name : named(entry.stage);
  }
  /// What people read of it before its elements; empty if there is but one.
  std::string prefix_of(const EntryPoint& entry) const {
    if (!several_) return {};
    return shared_[static_cast<std::uint8_t>(entry.stage)] ? entry.name : named(entry.stage);
  }

  static void add_stage(const EntryPoint& entry, Thing& thing) {
    if (entry.thread_group) {
      const auto& size = *entry.thread_group;
      thing.fields.push_back({"thread_group", number(size[0]) + ' ' + number(size[1]) + ' ' + number(size[2])});
    }
    if (entry.geometry) {
      const Geometry& g = *entry.geometry;
      thing.fields.insert(thing.fields.end(), {{"input_primitive", named(g.input_primitive)},
                                               {"output_topology", named(g.output_topology)},
                                               {"max_vertex_count", number(g.max_vertex_count)},
                                               {"instance_count", number(g.instance_count)},
                                               {"streams", number(g.streams)},
                                               {"mode", g.mode},
                                               {"vertices", number(g.vertices)},
                                               {"first_constant", number(g.first_constant)}});
    }
    if (entry.tessellation) {
      const Tessellation& t = *entry.tessellation;
      Text factor;
      if (t.max_tess_factor) factor.shortest(*t.max_tess_factor);
      thing.fields.insert(thing.fields.end(), {{"domain", named(t.domain)},
                                               {"partitioning", named(t.partitioning)},
                                               {"output_primitive", named(t.output)},
                                               {"input_control_points", number(t.input_control_points)},
                                               {"output_control_points", number(t.output_control_points)},
                                               {"max_tess_factor", factor.str()}});
    }
    if (entry.pixel) {
      const Pixel& p = *entry.pixel;
      // The frequency follows from the inputs and instructions; the file's statistics tell it, if there are any.
      thing.fields.insert(thing.fields.end(), {{"early_depth_stencil", yes(p.early_depth_stencil)},
                                               {"sample_frequency", yes(p.sample_frequency), false},
                                               {"writes_depth", yes(p.writes_depth)},
                                               {"writes_coverage", yes(p.writes_coverage)},
                                               {"writes_stencil_ref", yes(p.writes_stencil_ref)}});
    }
  }

  void add_elements(std::string_view what, const EntryPoint& entry, const std::vector<SignatureElement>& elements,
                    std::vector<Thing>& things) {
    const std::string scope = std::string(what) + ' ' + scope_of(entry) + ' ';
    const std::string prefix = prefix_of(entry);
    for (const SignatureElement& e : elements) {
      if (!may_add()) break;
      std::string semantic = e.semantic;
      if (!vulkan_ && reflection::is_numbered(e, r_.family)) semantic += number(e.semantic_index);
      std::string place;
      if (!e.built_in.empty()) {
        place = e.built_in;
      } else if (e.register_index != kNoRegister) {
        place = (vulkan_ ? "location " : "register ") + number(e.register_index) + ' ' + (vulkan_ ? number(e.index) + ' ' : std::string()) +
                number(static_cast<unsigned>(std::countr_zero(unsigned{e.mask})));
      }
      Thing thing{what, semantic.empty() ? place : semantic, {}, place.empty() ? std::string() : scope + place, {}};
      if (!prefix.empty()) thing.name = prefix + '.' + thing.name;
      thing.key = vulkan_ && !place.empty() ? thing.place : scope + number(e.stream) + ' ' + semantic;
      thing.fields = {
          {vulkan_ ? "name" : "semantic", semantic, !vulkan_},
          {vulkan_ ? "location" : "register", number_or_none(e.register_index, kNoRegister), true, true},
          {"mask", mask_text(e.mask)},
          {"used_mask", mask_text(e.used_mask)},
          {"component_type", named(e.component_type)},
          {"system_value", named(e.system_value)},
          {"min_precision", named(e.min_precision)},
          {"interpolation", e.per_primitive ? "per primitive"
                            : e.per_vertex  ? "per vertex"
                                            : named(e.interpolation)},
          {"stream", number(e.stream)},
          {"built_in", e.built_in},
          {"type", e.type < r_.types.size() ? type_text(r_.types[e.type]) : std::string()},
          {"index", number(e.index)},
      };
      things.push_back(std::move(thing));
    }
  }

  /// What a declaration tells of a kind: how a counter is used, it does not.
  static ResourceKind declared_kind(ResourceKind kind) {
    switch (kind) {
      case ResourceKind::uav_append:
      case ResourceKind::uav_consume:
      case ResourceKind::uav_structured_with_counter: return ResourceKind::uav_structured;
      default: return kind;
    }
  }

  std::string place_of(const Resource& resource) const {
    if (!vulkan_) {
      std::string place(register_letters(resource.kind));
      if (place.empty()) place = named(resource.kind) + ' ';
      place += number(resource.bind_point);
      return resource.space == 0 ? place : place + " space" + number(resource.space);
    }
    if (resource.kind == ResourceKind::push_constants || resource.kind == ResourceKind::shader_record) return named(resource.kind);
    return "set " + number(resource.space) + " binding " + number(resource.bind_point);
  }

  /// `float4`, `row_major float4x3[2]`. Names of structs mean nothing: their members are compared.
  std::string type_text(const Type& type) const {
    Text text;
    if (type.is_struct()) {
      text << "struct";
    } else {
      print_type_name(type, text);
    }
    if (!type.dimensions.empty()) return text.str() + dimensions_text(type.dimensions);
    if (type.elements != 0) (text << '[').dec(type.elements) << ']';
    return text.str();
  }

  void add_variable(const std::string& key, const std::string& buffer, const Variable& v, std::vector<Thing>& things) {
    if (!may_add()) return;
    // In a buffer without a name, names of its variables have no prefix.
    Thing thing{"variable", buffer.empty() ? v.name : buffer + '.' + v.name, {}, key + " @" + number(v.offset), {}};
    thing.key = vulkan_ ? thing.place : key + ' ' + v.name;
    const std::string thing_key = thing.key;
    const std::string path = thing.name;
    thing.fields = {{"name", v.name, !vulkan_},
                    {"offset", number_or_none(v.offset, kNone), true, true},
                    {"size", number(v.size)},
                    {"type", v.type < r_.types.size() ? type_text(r_.types[v.type]) : std::string()},
                    {"default_value", values_text(v.default_value, v.type < r_.types.size() ? &r_.types[v.type] : nullptr)},
                    {"start_texture", v.texture_count == 0 ? std::string() : number(v.start_texture)},
                    {"texture_count", number(v.texture_count)},
                    {"start_sampler", v.sampler_count == 0 ? std::string() : number(v.start_sampler)},
                    {"sampler_count", number(v.sampler_count)},
                    {"used", yes(v.used)},
                    {"flags", bits_text(v.flags, variable_flag_names()), false}};
    if (v.type < r_.types.size()) add_strides(r_.types[v.type], thing);
    things.push_back(std::move(thing));
    if (v.type < r_.types.size()) add_members(thing_key, path, r_.types[v.type], limits::kNesting, things);
  }

  static void add_strides(const Type& type, Thing& thing) {
    thing.fields.push_back({"array_stride", number_or_none(type.array_stride, 0)});
    std::string outer;
    for (const std::uint32_t stride : type.outer_strides) outer += (outer.empty() ? "" : ", ") + number(stride);
    thing.fields.push_back({"outer_strides", std::move(outer)});
    thing.fields.push_back({"matrix_stride", number_or_none(type.matrix_stride, 0)});
  }

  void add_members(const std::string& key, const std::string& path, const Type& type, unsigned depth, std::vector<Thing>& things) {
    if (depth == 0) {
      omitted_ = true;
      return;
    }
    for (const Member& member : type.members) {
      if (!may_add()) return;
      if (members_left_ == 0) {
        omitted_ = true;
        return;
      }
      --members_left_;
      Thing thing{"member", path + '.' + member.name, {}, key + " @" + number(member.offset), {}};
      thing.key = vulkan_ ? thing.place : key + '.' + member.name;
      if (thing.key.size() > kKeyCharacters) {  // names that are as long as the file, nested
        omitted_ = true;
        return;
      }
      const std::string member_key = thing.key;
      const std::string member_path = thing.name;
      thing.fields = {{"name", member.name, !vulkan_},
                      {"offset", number_or_none(member.offset, kNone), true, true},
                      {"type", member.type < r_.types.size() ? type_text(r_.types[member.type]) : std::string()}};
      if (member.type < r_.types.size()) add_strides(r_.types[member.type], thing);
      things.push_back(std::move(thing));
      if (member.type < r_.types.size()) add_members(member_key, member_path, r_.types[member.type], depth - 1, things);
    }
  }

  static constexpr std::size_t kFieldsOfThing = 12;  // as many as most have
  static constexpr std::size_t kTextOfField = 64;    // characters; few texts have more
  static constexpr std::size_t kKeyCharacters = 512;
  // Members of structs that are compared: so many, and so many more for each that the file declares. Types are shared, so that few bytes
  // can nest into many.
  static constexpr std::size_t kMembersBase = 512;
  static constexpr std::size_t kMembersPerMember = 8;

  const Reflection& r_;
  bool vulkan_;
  bool named_;
  bool several_;                    // entry points, on either side
  std::array<bool, 256> shared_{};  // by stage: several entry points have it, on either side
  bool omitted_ = false;
  std::size_t added_ = 0;
  std::size_t members_left_ = 0;  // of structs
};

}  // namespace

void compare_interfaces(const Reflection& before, const Reflection& after, std::vector<Change>& changes, std::vector<std::string>& notes) {
  if (before.has_descriptor_sets() != after.has_descriptor_sets()) {
    notes.push_back("interfaces are not compared: one uses registers, the other descriptor sets");
    return;
  }
  const bool named = before.rebuilt == after.rebuilt;
  Side a(before, after, named);
  Side b(after, before, named);
  compare_things(a.general(), b.general(), changes);
  compare_things(a.entry_points(), b.entry_points(), changes);
  compare_things(a.elements(), b.elements(), changes);
  compare_things(a.resources(), b.resources(), changes);
  if (named) {
    compare_things(a.buffers(), b.buffers(), changes);
  } else {
    notes.push_back("names and variables are not compared: the " + std::string(before.rebuilt ? "first" : "second") +
                    " file has no resource definitions");
  }
  compare_things(a.constants(), b.constants(), changes);
  compare_things(a.subobjects(), b.subobjects(), changes);
  compare_things(a.linkage(), b.linkage(), changes);
  compare_things(a.statistics(), b.statistics(), changes);
  if (a.omitted() || b.omitted()) notes.push_back("some fields of the interface are not compared: the limit on their number is exceeded");
}

}  // namespace unshade::shader::diff
