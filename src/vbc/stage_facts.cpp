#include "vbc/stage_facts.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <unshade/core/spelling.hpp>

namespace unshade::vbc {

namespace {

using spirv::Dim;
using spirv::ImageFormat;
using spirv::Opcode;
using spirv::StorageClass;
using spirv::TypeKind;

// --- shapes of types ---------------------------------------------------------------------------------------------------------------

struct FormatRow {
  ImageFormat format;
  TexelType type;
  std::uint8_t component_bytes;
  std::uint8_t components;
};
// What storage images and storage texel buffers can be of. src: docs/reference/formats/vbc.md, "Texel type"
constexpr FormatRow kFormats[] = {
    {ImageFormat::rgba32i, TexelType::signed_int, 4, 4},  {ImageFormat::rg32i, TexelType::signed_int, 4, 2},
    {ImageFormat::r32i, TexelType::signed_int, 4, 1},     {ImageFormat::rgba32ui, TexelType::unsigned_int, 4, 4},
    {ImageFormat::rg32ui, TexelType::unsigned_int, 4, 2}, {ImageFormat::r32ui, TexelType::unsigned_int, 4, 1},
    {ImageFormat::rgba32f, TexelType::real, 4, 4},        {ImageFormat::rg32f, TexelType::real, 4, 2},
    {ImageFormat::r32f, TexelType::real, 4, 1},           {ImageFormat::rgba8, TexelType::unorm, 1, 4},
    {ImageFormat::rg8, TexelType::unorm, 1, 2},           {ImageFormat::r8, TexelType::unorm, 1, 1},
    {ImageFormat::rgba8_snorm, TexelType::snorm, 1, 4},   {ImageFormat::rg8_snorm, TexelType::snorm, 1, 2},
    {ImageFormat::r8_snorm, TexelType::snorm, 1, 1},      {ImageFormat::rgba16, TexelType::unorm, 2, 4},
    {ImageFormat::rg16, TexelType::unorm, 2, 2},          {ImageFormat::r16, TexelType::unorm, 2, 1},
    {ImageFormat::rgba16_snorm, TexelType::snorm, 2, 4},  {ImageFormat::rg16_snorm, TexelType::snorm, 2, 2},
    {ImageFormat::r16_snorm, TexelType::snorm, 2, 1},
};

std::optional<TexelType> texel_of(const spirv::Type* type) {
  if (type == nullptr || type->width != 32) return std::nullopt;
  if (type->kind == TypeKind::real) return TexelType::real;
  if (type->kind == TypeKind::integer) return type->is_signed ? TexelType::signed_int : TexelType::unsigned_int;
  return std::nullopt;
}

std::optional<Rank> rank_of(const spirv::ImageInfo& image) {
  switch (image.dim) {
    case Dim::dim_1d: return image.is_arrayed ? Rank::d1_array : Rank::d1;
    case Dim::dim_2d: return image.is_arrayed ? Rank::d2_array : Rank::d2;
    case Dim::dim_3d: return image.is_arrayed ? std::nullopt : std::optional(Rank::d3);
    case Dim::cube: return image.is_arrayed ? std::nullopt : std::optional(Rank::cube);
    case Dim::buffer: return Rank::buffer;
    default: return std::nullopt;
  }
}

/// Base type, components, columns and array size; false if a record cannot say it.
template <class Shape>
bool shape_of(const spirv::Interface& interface, std::uint32_t place, Shape& shape) {
  const spirv::Type* type = interface.type(place);
  if (type != nullptr && type->kind == TypeKind::array) {
    if (type->count == 0 || type->count > 255) return false;
    shape.array_size = static_cast<std::uint8_t>(type->count);
    type = interface.type(type->element);
  }
  if (type != nullptr && type->kind == TypeKind::matrix) {
    if (type->count > 4) return false;
    shape.columns = static_cast<std::uint8_t>(type->count);
    type = interface.type(type->element);
  }
  if (type != nullptr && type->kind == TypeKind::vector) {
    if (type->count > 4) return false;
    shape.components = static_cast<std::uint8_t>(type->count);
    type = interface.type(type->element);
  }
  if (type == nullptr) return false;
  switch (type->kind) {
    case TypeKind::boolean: shape.type = BaseType::boolean; return true;
    case TypeKind::integer: shape.type = type->is_signed ? BaseType::signed_int : BaseType::unsigned_int; return type->width == 32;
    case TypeKind::real: shape.type = BaseType::real; return type->width == 32;
    default: return false;
  }
}

std::optional<Binding> image_shape(const spirv::Interface& interface, const spirv::Type& type) {
  const spirv::Type* image = type.kind == TypeKind::sampled_image ? interface.type(type.element) : &type;
  if (image == nullptr || image->kind != TypeKind::image || image->image.is_multisampled) return std::nullopt;
  const auto rank = rank_of(image->image);
  const auto texel = texel_of(interface.type(image->element));
  if (!rank || !texel) return std::nullopt;
  Binding b;
  b.rank = *rank;
  b.texel = *texel;
  b.component_bytes = 4;
  b.components = 4;
  const bool is_texels = *rank == Rank::buffer;
  if (type.kind == TypeKind::sampled_image) {
    b.type = BaseType::sampler;
  } else if (image->image.sampled != 2) {
    if (!is_texels) return std::nullopt;  // a texture without its sampler
    b.type = BaseType::ro_texels;
  } else {
    b.type = is_texels ? BaseType::rw_texels : BaseType::image;
    const auto* row =
        std::find_if(std::begin(kFormats), std::end(kFormats), [&](const FormatRow& r) { return r.format == image->image.format; });
    if (row == std::end(kFormats)) return std::nullopt;
    b.texel = row->type;
    b.component_bytes = row->component_bytes;
    b.components = row->components;
  }
  return b;
}

std::optional<Binding> buffer_shape(const spirv::Interface& interface, const spirv::Variable& variable, const spirv::Type& block) {
  const spirv::Decorations& own = interface.of(block);
  if (!own.block && !own.buffer_block) return std::nullopt;
  if (block.member_count != 1) return std::nullopt;
  const spirv::StructMember& member = interface.members_of(block)[0];
  const spirv::Type* array = interface.type(member.type);
  if (array == nullptr || array->kind != TypeKind::runtime_array) return std::nullopt;
  const auto stride = interface.of(*array).array_stride;
  if (!stride || *stride > 0xffff) return std::nullopt;
  Binding b;
  b.type = interface.of(member).non_writable || interface.of(variable).non_writable ? BaseType::ro_buffer : BaseType::rw_buffer;
  b.struct_bytes = static_cast<std::uint16_t>(*stride);
  return b;
}

/// Why a member is not laid out as a record says, which has no strides: elements and columns one after the other. Empty if it is.
std::string layout_fault(const spirv::Interface& interface, const spirv::StructMember& member, const Member& shape) {
  const spirv::Decorations& d = interface.of(member);
  const spirv::Type& type = *interface.type(member.type);
  const std::uint32_t column_bytes = 4U * shape.components;
  if (shape.columns > 1) {
    if (d.row_major) return "a row-major matrix: a record represents column-major ones";
    if (const std::uint32_t stride = d.matrix_stride.value_or(column_bytes); stride != column_bytes)
      return "a matrix stride of " + std::to_string(stride) + " bytes: a record represents columns without gaps, " +
             std::to_string(column_bytes) + " bytes here";
  }
  const std::uint32_t element_bytes = column_bytes * shape.columns;
  if (type.kind == TypeKind::array)
    if (const std::uint32_t stride = interface.of(type).array_stride.value_or(element_bytes); stride != element_bytes)
      return "an array stride of " + std::to_string(stride) + " bytes: a record represents elements without gaps, " +
             std::to_string(element_bytes) + " bytes here";
  return {};
}

/// The block has one member, a struct, whose members are the uniform's; or they are the block's own. Errors have the path of the member.
Result<Uniform> uniform_shape(const spirv::Interface& interface, const spirv::Type* block) {
  const auto fault = [](std::string path, std::string message) {
    return Error{ErrorCode::bad_value, 0, std::move(path), std::move(message)};
  };
  if (block == nullptr || block->kind != TypeKind::structure) return fault("uniform", "the variable is not a block");
  if (block->member_count == 1) {
    const spirv::StructMember& only = interface.members_of(*block)[0];
    const spirv::Type* inner = interface.type(only.type);
    if (inner != nullptr && inner->kind == TypeKind::structure) {
      if (const std::uint32_t offset = interface.of(only).offset.value_or(0); offset != 0)
        return fault("uniform", "the struct is at offset " + std::to_string(offset) + " of the block: a record represents one at 0");
      block = inner;
    }
  }
  Uniform uniform;
  // all members, of whatever size: that the sum fits is what the rules are for
  for (const spirv::StructMember& m : interface.members_of(*block)) {
    Member member;
    std::string what;
    if (!shape_of(interface, m.type, member)) {
      what = "a type that a record cannot represent";
    } else {
      what = layout_fault(interface, m, member);
    }
    if (!what.empty())
      return fault("uniform/members[" + std::to_string(uniform.members.size()) + ']',
                   (m.name.empty() ? "the member" : quoted(m.name)) + " has " + what);
    member.name = m.name;
    member.offset = interface.of(m).offset.value_or(uniform.size);
    uniform.size = std::max(uniform.size, member.offset + member.size());
    uniform.members.push_back(std::move(member));
  }
  return uniform;
}

// --- slots -------------------------------------------------------------------------------------------------------------------------

/// What an id stands for on the way from a push constant to a table's index.
struct Tag {
  enum class Kind : std::uint8_t {
    none,
    word_address,  ///< of a word of the push constants
    word,          ///< its value
    slot,          ///< one half of it
    keeper,        ///< a variable that a slot was stored to
    other,         ///< a variable that something else was stored to as well
  };
  Kind kind = Kind::none;
  std::uint8_t index = 0;

  friend bool operator==(const Tag&, const Tag&) = default;
};

/// Follows slots through a module's functions, in one pass.
class SlotFinder {
 public:
  SlotFinder(const spirv::Module& module, StageFacts& facts) : facts_(facts), interface_(facts.interface) {
    // ids beyond are those of no compiler; they stand for nothing
    tags_.resize(std::min<std::size_t>(module.header().bound, module.word_count()));
    for (std::uint32_t t = 0; t < facts.tables.size(); ++t) tables_[interface_.variables[facts.tables[t].variable].id] = t + 1;
    if (facts.tables.empty()) return;
    bool is_inside = false;
    for (const spirv::Instruction i : module) {
      if (i.opcode() == Opcode::function) is_inside = true;
      if (is_inside) step(i);
    }
    auto& uses = facts_.uses;
    const auto before = [](const SlotUse& a, const SlotUse& b) { return std::pair(a.slot, a.table) < std::pair(b.slot, b.table); };
    std::sort(uses.begin(), uses.end(), before);
    uses.erase(
        std::unique(uses.begin(), uses.end(), [](const SlotUse& a, const SlotUse& b) { return a.slot == b.slot && a.table == b.table; }),
        uses.end());
    for (const SlotUse& use : uses) facts_.slots |= 1U << use.slot;
  }

 private:
  Tag tag(std::uint32_t id) const { return id < tags_.size() ? tags_[id] : Tag{}; }
  void set(std::uint32_t id, Tag tag) {
    if (id < tags_.size()) tags_[id] = tag;
  }
  std::optional<std::uint64_t> constant(std::uint32_t id) const {
    const std::uint32_t place = interface_.find_constant(id);
    if (place == spirv::kNone || !interface_.constants[place].has_value) return std::nullopt;
    return interface_.constants[place].value;
  }
  static Tag half(Tag word, bool is_high) { return {Tag::Kind::slot, static_cast<std::uint8_t>(2 * word.index + (is_high ? 1 : 0))}; }
  void read(std::uint32_t result, std::uint32_t word, bool is_high) {
    const Tag slot = half(tag(word), is_high);
    set(result, slot);
    if (slot.index < kSlots) facts_.reads.push_back({result, word, slot.index});
  }
  bool is_push(std::uint32_t id) const {
    const std::uint32_t place = interface_.find_variable(id);
    return place != spirv::kNone && interface_.variables[place].storage == StorageClass::push_constant;
  }

  void step(const spirv::Instruction& i) {
    constexpr std::uint64_t kLowHalf = 0xffff;
    constexpr std::uint64_t kHalfBits = 16;
    const std::uint32_t result = i.word(2);
    switch (i.opcode()) {
      case Opcode::access_chain:
      case Opcode::in_bounds_access_chain: chain(i); break;
      case Opcode::load: {
        const Tag from = tag(i.word(3));
        if (from.kind == Tag::Kind::word_address) set(result, {Tag::Kind::word, from.index});
        if (from.kind == Tag::Kind::keeper) set(result, {Tag::Kind::slot, from.index});
        break;
      }
      case Opcode::store: {
        const Tag value = tag(i.word(2));
        const Tag before = tag(i.word(1));
        const Tag kept{Tag::Kind::keeper, value.index};
        if (value.kind == Tag::Kind::slot && (before.kind == Tag::Kind::none || before == kept)) {
          set(i.word(1), kept);
        } else if (before.kind == Tag::Kind::keeper || before.kind == Tag::Kind::none) {
          set(i.word(1), {Tag::Kind::other, 0});
        }
        break;
      }
      case Opcode::copy_object: set(result, tag(i.word(3))); break;
      case Opcode::bitwise_and:
        for (const auto& [value, mask] : {std::pair(i.word(3), i.word(4)), std::pair(i.word(4), i.word(3))})
          if (tag(value).kind == Tag::Kind::word && constant(mask) == kLowHalf) read(result, value, false);
        break;
      case Opcode::shift_right_logical:
        if (tag(i.word(3)).kind == Tag::Kind::word && constant(i.word(4)) == kHalfBits) read(result, i.word(3), true);
        break;
      case Opcode::bit_field_u_extract:
        if (tag(i.word(3)).kind == Tag::Kind::word && constant(i.word(5)) == kHalfBits) {
          const auto first = constant(i.word(4));
          if (first == 0U || first == kHalfBits) read(result, i.word(3), first == kHalfBits);
        }
        break;
      default: break;
    }
  }

  void chain(const spirv::Instruction& i) {
    const std::uint32_t base = i.word(3);
    if (const std::uint32_t table = tables_.get(base); table != 0) {
      const Tag index = tag(i.word(4));
      if (index.kind == Tag::Kind::slot && index.index < kSlots) {
        const SlotUse use{index.index, table - 1};
        // loops that were unrolled repeat the same one
        if (facts_.uses.empty() || facts_.uses.back().slot != use.slot || facts_.uses.back().table != use.table) facts_.uses.push_back(use);
      } else {
        facts_.has_other_index = true;
      }
    } else if (i.word_count() == 5 && is_push(base)) {
      const auto member = constant(i.word(4));
      if (member && *member < kPushWords) set(i.word(2), {Tag::Kind::word_address, static_cast<std::uint8_t>(*member)});
    }
  }

  StageFacts& facts_;
  const spirv::Interface& interface_;
  std::vector<Tag> tags_;
  spirv::IdMap<std::uint32_t> tables_;  // index in StageFacts::tables and 1, by the variable's id
};

void sort_by_location(std::vector<Located>& values) {
  std::stable_sort(values.begin(), values.end(), [](const Located& a, const Located& b) { return a.shape.location < b.shape.location; });
}

}  // namespace

std::uint32_t table_of(BaseType type) {
  switch (type) {
    case BaseType::sampler: return 0;
    case BaseType::image: return 1;
    case BaseType::ro_buffer:
    case BaseType::rw_buffer: return 2;
    case BaseType::ro_texels: return 3;
    case BaseType::rw_texels: return 4;
    default: return kTables;
  }
}

std::optional<Stage> stage_of(const spirv::Module& module) {
  for (const spirv::Instruction i : module) {
    if (i.opcode() == Opcode::function) break;
    if (i.opcode() != Opcode::entry_point) continue;
    // the stages of VBC are the first of Vulkan's, in their order
    return i.word(1) < kStages ? std::optional(static_cast<Stage>(i.word(1))) : std::nullopt;
  }
  return std::nullopt;
}

StageFacts stage_facts(Stage stage, const spirv::Module& module) {
  StageFacts facts;
  facts.stage = stage;
  facts.interface = spirv::interface_of(module);
  const spirv::Interface& interface = facts.interface;

  std::vector<bool> used(interface.variables.size(), true);
  for (const spirv::EntryPoint& entry : interface.entry_points) {
    if (static_cast<std::uint32_t>(entry.model) != static_cast<std::uint32_t>(stage)) continue;
    facts.has_entry = true;
    facts.entry_name = entry.name;
    if (entry.is_use_known) {
      used.assign(interface.variables.size(), false);
      for (const std::uint32_t v : entry.used) used[v] = true;
    }
    break;
  }

  for (std::uint32_t v = 0; v < interface.variables.size(); ++v) {
    const spirv::Variable& variable = interface.variables[v];
    const spirv::Decorations& d = interface.of(variable);
    const spirv::Type* type = interface.type(variable.type);
    if (variable.storage == StorageClass::input || variable.storage == StorageClass::output) {
      // Blocks hold built-ins; those of values between stages no compiler of the format makes.
      if (d.builtin || !d.location || *d.location > 255) continue;
      Located located{v, false, {}};
      located.is_understood = shape_of(interface, variable.type, located.shape);
      located.shape.location = static_cast<std::uint8_t>(*d.location);
      (variable.storage == StorageClass::input ? facts.inputs : facts.outputs).push_back(located);
    } else if (variable.storage == StorageClass::push_constant) {
      if (type == nullptr || type->kind != TypeKind::structure) continue;
      facts.push_words = type->member_count;
      for (const spirv::StructMember& member : interface.members_of(*type)) {
        const spirv::Type* t = interface.type(member.type);
        if (t == nullptr || t->kind != TypeKind::integer || t->width != 32) facts.push_is_uints = false;
      }
    } else if (d.input_attachment_index) {
      std::optional<TexelType> texel;
      if (type != nullptr && type->kind == TypeKind::image && type->image.dim == Dim::subpass_data)
        texel = texel_of(interface.type(type->element));
      facts.subpass_inputs.push_back({v, *d.input_attachment_index, texel});
      if (d.set != kSubpassSet) facts.strangers.push_back(v);
    } else if (d.set) {
      if (*d.set == kUniformSet && d.binding.value_or(0) == 0 && variable.storage == StorageClass::uniform) {
        facts.uniform = v;
        facts.uniform_is_used = used[v];
        auto shape = uniform_shape(interface, type);
        facts.uniform_shape = shape ? std::optional(std::move(*shape)) : std::nullopt;
        facts.uniform_fault = shape ? std::nullopt : std::optional(std::move(shape).error());
      } else if (*d.set == kBindingSet && d.binding.value_or(kTables) < kTables) {
        DescriptorTable table;
        table.variable = v;
        table.binding = *d.binding;
        table.is_used = used[v];
        if (type != nullptr && type->kind == TypeKind::array) {
          if (type->count != 0) table.length = type->count;
          type = interface.type(type->element);
        }
        if (type != nullptr && (type->kind == TypeKind::image || type->kind == TypeKind::sampled_image)) {
          table.shape = image_shape(interface, *type);
        } else if (type != nullptr && type->kind == TypeKind::structure) {
          table.shape = buffer_shape(interface, variable, *type);
        }
        facts.tables.push_back(table);
      } else {
        facts.strangers.push_back(v);
      }
    }
  }
  sort_by_location(facts.inputs);
  sort_by_location(facts.outputs);
  std::stable_sort(facts.subpass_inputs.begin(), facts.subpass_inputs.end(),
                   [](const SubpassVariable& a, const SubpassVariable& b) { return a.index < b.index; });
  static_cast<void>(SlotFinder(module, facts));
  return facts;
}

}  // namespace unshade::vbc
