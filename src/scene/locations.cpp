// Interface matching of SPIR-V's stages.
// src: Vulkan 1.3, 15.1.3 "Interface Matching" (an input variable, or member of a block, matches an output of the same location, component
// and type) and 15.1.4 "Location and Component Assignment"; VUID-RuntimeSpirv-OpEntryPoint-08743 (each word of an input is declared
// before), -07754 (with the same type and width); maintenance4, which 1.3 requires: an output vector that is no element of an array or
// matrix may have more components. Decorations of interpolation need not be equal.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/lower_spirv.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/interface.hpp>

#include "scene/linkage.hpp"

namespace unshade::scene {
namespace {

using spirv::StorageClass;
using spirv::TypeKind;

/// Words of 32 bits that an interface may have; more are not compared.
constexpr std::size_t kMostWords = 4096;
/// Built-ins that one stage before the rasterizer passes to the next.
constexpr spirv::BuiltIn kPassed[] = {spirv::BuiltIn::position,      spirv::BuiltIn::point_size,       spirv::BuiltIn::clip_distance,
                                      spirv::BuiltIn::cull_distance, spirv::BuiltIn::tess_level_outer, spirv::BuiltIn::tess_level_inner};

/// What lies at a location: a scalar or vector.
struct Row {
  std::uint32_t unit = 0;  ///< in Words::units
  std::string name;        ///< `block.matrix[1]`
  std::uint32_t location = 0;
  std::uint32_t component = 0;
  std::uint32_t components = 1;  ///< numbers
  TypeKind kind = TypeKind::real;
  bool is_signed = false;
  unsigned width = 32;
  std::uint32_t words() const { return components * (width == 64 ? 2 : 1); }
};
/// A variable, or a member of a block.
struct Unit {
  std::string name;
  std::uint32_t type = spirv::kNone;
  std::uint32_t location = 0;
  std::uint32_t component = 0;
  bool patch = false;
  bool per_primitive = false;
};

/// The inputs or outputs of an entry point.
class Words {
 public:
  /// `stream`: of outputs.
  Words(const spirv::Interface& interface, Stage stage, const spirv::EntryPoint& entry, StorageClass storage, std::uint32_t stream)
      : interface_(interface), stage_(stage), stream_(stream) {
    for (const std::uint32_t id : entry.interface_ids) {
      const std::uint32_t place = interface.find_variable(id);
      if (place == spirv::kNone || interface.variables[place].storage != storage) continue;
      add(interface.variables[place]);
    }
  }

  const spirv::Type* type(std::uint32_t place) const { return interface_.type(place); }
  std::string text_of(std::uint32_t place) const;
  const Row* at(std::uint32_t location, std::uint32_t word) const {
    const auto found = words_.find({location, word});
    return found == words_.end() ? nullptr : &rows_[found->second];
  }
  bool has(spirv::BuiltIn which) const { return std::ranges::find(built_ins_, which) != built_ins_.end(); }
  const std::vector<Row>& rows() const { return rows_; }
  const Unit& unit_of(const Row& row) const { return units_[row.unit]; }
  const std::vector<Unit>& units() const { return units_; }
  /// The places in units() of those that begin there, in their order.
  std::vector<std::uint32_t> units_at(std::uint32_t location, std::uint32_t component) const {
    std::vector<std::uint32_t> found;
    const auto [first, end] = begins_.equal_range({location, component});
    for (auto at = first; at != end; ++at) found.push_back(at->second);
    return found;
  }

 private:
  void add(const spirv::Variable& variable);
  void add(std::uint32_t place, const spirv::Decorations& own, const std::string& name, std::optional<std::uint32_t>& location);
  void add_rows(std::uint32_t place, const std::string& name, std::uint32_t component, std::uint32_t& location);

  const spirv::Interface& interface_;
  Stage stage_;
  std::uint32_t stream_;
  std::vector<Row> rows_;
  std::vector<Unit> units_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> words_;
  std::multimap<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> begins_;
  std::vector<spirv::BuiltIn> built_ins_;
};

void Words::add(const spirv::Variable& variable) {
  const spirv::Decorations& own = interface_.of(variable);
  const spirv::Type* const whole = type(variable.type);
  if (whole == nullptr) return;
  const std::uint32_t place = spirv::is_per_vertex(interface_, stage_, variable) ? whole->element : variable.type;
  std::string name = variable.name;
  if (const spirv::Type* const inner = type(place); name.empty() && inner != nullptr) name = inner->name;
  if (name.empty()) name = '_' + std::to_string(variable.id);
  std::optional<std::uint32_t> location = own.location;
  add(place, own, name, location);
}

void Words::add(std::uint32_t place, const spirv::Decorations& own, const std::string& name, std::optional<std::uint32_t>& location) {
  const spirv::Type* const whole = type(place);
  // a block may leave its stream to its members
  if (whole == nullptr || (whole->kind != TypeKind::structure && own.stream.value_or(0) != stream_)) return;
  if (own.builtin) {
    built_ins_.push_back(*own.builtin);
    return;
  }
  if (whole->kind == TypeKind::structure) {
    std::uint32_t number = 0;
    for (const spirv::StructMember& member : interface_.members_of(*whole)) {
      const spirv::Decorations of = spirv::of_member(interface_.of(member), own);
      if (of.location) location = *of.location;
      add(member.type, of, name + '.' + (member.name.empty() ? "_m" + std::to_string(number) : member.name), location);
      ++number;
    }
    return;
  }
  if (!location) return;
  Unit& unit = units_.emplace_back();
  unit.name = name;
  unit.type = place;
  unit.location = *location;
  unit.component = own.component.value_or(0);
  unit.patch = own.patch;
  unit.per_primitive = own.per_primitive;
  begins_.emplace(std::pair(unit.location, unit.component), static_cast<std::uint32_t>(units_.size() - 1));
  std::uint32_t next = *location;
  add_rows(place, name, unit.component, next);
  location = next;
}

void Words::add_rows(std::uint32_t place, const std::string& name, std::uint32_t component, std::uint32_t& location) {
  const spirv::Type* const whole = type(place);
  if (whole == nullptr || words_.size() >= kMostWords) return;
  if (whole->kind == TypeKind::array || whole->kind == TypeKind::matrix) {
    for (std::uint32_t k = 0; k < whole->count && words_.size() < kMostWords; ++k)
      add_rows(whole->element, name + '[' + std::to_string(k) + ']', component, location);
    return;
  }
  if (whole->kind == TypeKind::structure) {
    for (const spirv::StructMember& member : interface_.members_of(*whole))
      add_rows(member.type, name + '.' + member.name, component, location);
    return;
  }
  const spirv::Type* const scalar = whole->kind == TypeKind::vector ? type(whole->element) : whole;
  if (scalar == nullptr || (scalar->kind != TypeKind::real && scalar->kind != TypeKind::integer)) return;
  Row row;
  row.unit = static_cast<std::uint32_t>(units_.size() - 1);
  row.name = name;
  row.location = location;
  row.component = component;
  row.components = whole->kind == TypeKind::vector ? std::min(4U, whole->count) : 1;
  row.kind = scalar->kind;
  row.is_signed = scalar->is_signed;
  row.width = scalar->width;
  for (std::uint32_t word = 0; word < row.words(); ++word)
    words_.try_emplace({location + (component + word) / 4, (component + word) % 4}, rows_.size());
  location += row.words() > 4 ? 2 : 1;
  rows_.push_back(std::move(row));
}

/// As GLSL spells it, as far as it does: `float`, `uint16_t`.
std::string number_type(TypeKind kind, bool is_signed, unsigned width) {
  const std::string text = kind == TypeKind::real ? "float" : is_signed ? "int" : "uint";
  return width == 32 ? text : text + std::to_string(width) + "_t";
}
std::string number_type(const Row& row) { return number_type(row.kind, row.is_signed, row.width); }

// `3 columns of 2 float`, `an array of 4 uint`
std::string Words::text_of(std::uint32_t place) const {
  const spirv::Type* const of = type(place);
  if (of == nullptr) return "nothing";
  const std::string count = std::to_string(of->count);
  switch (of->kind) {
    case TypeKind::array: return "an array of " + count + ", each " + text_of(of->element);
    case TypeKind::matrix: return "a matrix of " + count + " columns, each " + text_of(of->element);
    case TypeKind::vector: return "a vector of " + count + ' ' + text_of(of->element);
    case TypeKind::structure: return "a structure";
    default: return number_type(of->kind, of->is_signed, of->width);
  }
}

// Whether the types match. Structures are compared by their rows.
bool is_alike(const Words& outputs, std::uint32_t written, const Words& inputs, std::uint32_t read, unsigned depth = 0) {
  const spirv::Type* const from = outputs.type(written);
  const spirv::Type* const to = inputs.type(read);
  constexpr unsigned kDeepest = 16;
  if (from == nullptr || to == nullptr || depth > kDeepest) return true;
  if (from->kind != to->kind) return false;
  switch (from->kind) {
    case TypeKind::vector: return depth == 0 ? from->count >= to->count : from->count == to->count;
    case TypeKind::array:
    case TypeKind::matrix: return from->count == to->count && is_alike(outputs, from->element, inputs, to->element, depth + 1);
    default: return true;
  }
}

std::string at_location(std::uint32_t location) { return " at location " + std::to_string(location); }
std::string at_place(std::uint32_t location, std::uint32_t component) {
  return at_location(location) + (component == 0 ? std::string() : ", component " + std::to_string(component));
}

// Words of its location, from 0: `, component 0`, `, components 0 to 2`
std::string components_of(const Row& row) {
  const std::uint32_t last = row.component + row.words() - 1;
  const std::string first = std::to_string(row.component);
  return last == row.component ? ", component " + first : ", components " + first + " to " + std::to_string(last);
}

/// Inputs of an entry point against the outputs of the one before it.
class Matching {
 public:
  Matching(Words outputs, Stage before, Words inputs, Stage reader)
      : outputs_(std::move(outputs)),
        inputs_(std::move(inputs)),
        before_("the " + std::string(id(before)) + " shader"),
        reader_("the " + std::string(id(reader)) + " shader"),
        reads_built_ins_(reader != Stage::pixel) {}

  std::vector<std::string> faults() {
    auto row = inputs_.rows().begin();  // in the order of their units
    for (std::uint32_t unit = 0; unit < inputs_.units().size(); ++unit) {
      bool fits = true;
      for (; row != inputs_.rows().end() && row->unit == unit; ++row)
        if (fits) fits = check(*row);  // of an array or matrix, the first row that does not fit
      if (fits) check_type(inputs_.units()[unit]);
    }
    for (const spirv::BuiltIn one : kPassed) {
      if (!reads_built_ins_ || !inputs_.has(one) || outputs_.has(one)) continue;
      const auto* const known = spirv::find_enumerant(spirv::OperandKind::built_in, static_cast<std::uint32_t>(one));
      faults_.push_back(reader_ + " reads the built-in " + (known == nullptr ? std::string() : std::string(known->text)) + ", which " +
                        before_ + " does not write");
    }
    return std::move(faults_);
  }

 private:
  bool fail(std::string text) {
    faults_.push_back(std::move(text));
    return false;
  }
  bool check(const Row& row);
  void check_type(const Unit& unit);

  Words outputs_, inputs_;
  std::string before_, reader_;
  bool reads_built_ins_;
  std::vector<std::string> faults_;
};

bool Matching::check(const Row& row) {
  const std::string reads = reader_ + " reads `" + row.name + '`' + at_location(row.location);
  const Row* first = nullptr;
  std::optional<std::uint32_t> missing;
  for (std::uint32_t word = row.component; word < row.component + row.words(); ++word) {
    const Row* const found = outputs_.at(row.location + word / 4, word % 4);
    if (found == nullptr && !missing) missing = word;
    if (first == nullptr) first = found;
    if (found == nullptr) continue;
    const Unit& written = outputs_.unit_of(*found);
    const Unit& read = inputs_.unit_of(row);
    const auto each = [](const Unit& unit) { return unit.patch ? "patch" : unit.per_primitive ? "primitive" : "vertex"; };
    if (written.patch != read.patch || written.per_primitive != read.per_primitive)
      return fail(reads + " for each " + each(read) + ", but " + before_ + " writes `" + found->name + "` for each " + each(written));
    if (number_type(row) != number_type(*found))
      return fail(reads + " as " + number_type(row) + ", but " + before_ + " writes `" + found->name + "` as " + number_type(*found));
  }
  if (!missing) return true;
  if (first == nullptr) return fail(reads + components_of(row) + ", which " + before_ + " does not write");
  return fail(reads + components_of(row) + ", of which " + before_ + " writes `" + first->name + '`' + components_of(*first));
}

void Matching::check_type(const Unit& unit) {
  const std::string reads = reader_ + " reads `" + unit.name + '`' + at_place(unit.location, unit.component) + " as " +
                            inputs_.text_of(unit.type) + ", but " + before_ + " writes ";
  bool begins = false;
  for (const std::uint32_t place : outputs_.units_at(unit.location, unit.component)) {
    const Unit& written = outputs_.units()[place];
    if (written.patch != unit.patch || written.per_primitive != unit.per_primitive) continue;
    begins = true;
    if (!is_alike(outputs_, written.type, inputs_, unit.type)) fail(reads + '`' + written.name + "` as " + outputs_.text_of(written.type));
  }
  const Row* const within = outputs_.at(unit.location, unit.component);
  if (begins || within == nullptr) return;
  const Unit& written = outputs_.unit_of(*within);
  fail(reads + "it within `" + written.name + '`' + at_place(written.location, written.component) + ", " + outputs_.text_of(written.type));
}

}  // namespace

const spirv::EntryPoint* entry_point(const spirv::Interface& interface, const SpirvStage& stage) {
  const auto found = std::ranges::find_if(interface.entry_points, [&](const spirv::EntryPoint& one) {
    if (spirv::stage_of(one.model) != stage.stage) return false;
    return stage.entry.empty() || one.name == stage.entry || ir::name_with_stage(one.name, stage.stage) == stage.entry;
  });
  return found == interface.entry_points.end() ? nullptr : &*found;
}

std::vector<std::string> location_faults(const SpirvStage& before, const SpirvStage& stage) {
  const spirv::Interface of_before = spirv::interface_of(before.module), own = spirv::interface_of(stage.module);
  const spirv::EntryPoint* const writer = entry_point(of_before, before);
  const spirv::EntryPoint* const reader = entry_point(own, stage);
  if (writer == nullptr || reader == nullptr) return {};
  return Matching({of_before, before.stage, *writer, StorageClass::output, before.stream}, before.stage,
                  {own, stage.stage, *reader, StorageClass::input, 0}, stage.stage)
      .faults();
}

}  // namespace unshade::scene
