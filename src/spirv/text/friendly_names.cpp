#include "spirv/text/friendly_names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>

#include "spirv/grammar/number_text.hpp"
#include "spirv/grammar/operands.hpp"

namespace unshade::spirv::text {

namespace {

// Built-in variables that get a name: `gl_` and the enumerant's, unless another is given.
// src: observed of spirv-dis 2023.1; the others are named by their numbers
struct BuiltInName {
  BuiltIn built_in;
  std::string_view text;
};
constexpr std::string_view kGl = "gl_";  // prefixed to the enumerant's name
constexpr std::string_view kPlain = "";  // the enumerant's name alone
constexpr BuiltInName kBuiltInNames[] = {
    {BuiltIn::position, kGl},
    {BuiltIn::point_size, kGl},
    {BuiltIn::clip_distance, kGl},
    {BuiltIn::cull_distance, kGl},
    {BuiltIn::vertex_id, "gl_VertexID"},
    {BuiltIn::instance_id, "gl_InstanceID"},
    {BuiltIn::primitive_id, "gl_PrimitiveID"},
    {BuiltIn::invocation_id, "gl_InvocationID"},
    {BuiltIn::layer, kGl},
    {BuiltIn::viewport_index, kGl},
    {BuiltIn::tess_level_outer, kGl},
    {BuiltIn::tess_level_inner, kGl},
    {BuiltIn::tess_coord, kGl},
    {BuiltIn::patch_vertices, kGl},
    {BuiltIn::frag_coord, kGl},
    {BuiltIn::point_coord, kGl},
    {BuiltIn::front_facing, kGl},
    {BuiltIn::sample_id, "gl_SampleID"},
    {BuiltIn::sample_position, kGl},
    {BuiltIn::sample_mask, kGl},
    {BuiltIn::frag_depth, kGl},
    {BuiltIn::helper_invocation, kGl},
    {BuiltIn::num_workgroups, "gl_NumWorkGroups"},
    {BuiltIn::workgroup_size, "gl_WorkGroupSize"},
    {BuiltIn::workgroup_id, "gl_WorkGroupID"},
    {BuiltIn::local_invocation_id, "gl_LocalInvocationID"},
    {BuiltIn::global_invocation_id, "gl_GlobalInvocationID"},
    {BuiltIn::local_invocation_index, kGl},
    {BuiltIn::work_dim, kPlain},
    {BuiltIn::global_size, kPlain},
    {BuiltIn::enqueued_workgroup_size, kPlain},
    {BuiltIn::global_offset, kPlain},
    {BuiltIn::global_linear_id, kPlain},
    {BuiltIn::subgroup_size, kPlain},
    {BuiltIn::subgroup_max_size, kPlain},
    {BuiltIn::num_subgroups, kPlain},
    {BuiltIn::num_enqueued_subgroups, kPlain},
    {BuiltIn::subgroup_id, kPlain},
    {BuiltIn::subgroup_local_invocation_id, kPlain},
    {BuiltIn::vertex_index, kGl},
    {BuiltIn::instance_index, kGl},
    {BuiltIn::base_instance, kGl},
    {BuiltIn::subgroup_eq_mask, "SubgroupEqMaskKHR"},
    {BuiltIn::subgroup_ge_mask, "SubgroupGeMaskKHR"},
    {BuiltIn::subgroup_gt_mask, "SubgroupGtMaskKHR"},
    {BuiltIn::subgroup_le_mask, "SubgroupLeMaskKHR"},
    {BuiltIn::subgroup_lt_mask, "SubgroupLtMaskKHR"},
};

// What is in names: letters, digits and the underscore; all else becomes one.
constexpr auto kClean = [] {
  std::array<char, 256> table{};
  for (char& c : table) c = '_';
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = static_cast<char>(c);
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = static_cast<char>(c);
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = static_cast<char>(c);
  return table;
}();

std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = 0x9e37'79b9'7f4a'7c15ULL ^ text.size();
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t part = 0;
    std::memcpy(&part, at, 8);
    hash = (hash ^ part) * 0xff51'afd7'ed55'8ccdULL;
    hash ^= hash >> 32;
  }
  std::uint64_t part = 0;
  if (left != 0) std::memcpy(&part, at, left);
  hash = (hash ^ part) * 0xff51'afd7'ed55'8ccdULL;
  return static_cast<std::uint32_t>(hash >> 32);
}

// Floats with an encoding of their own. src: SPIRV-Tools, source/name_mapper.cpp
struct EncodingName {
  FPEncoding encoding;
  std::string_view text;
};
constexpr EncodingName kEncodingNames[] = {
    {FPEncoding::b_float16khr, "bfloat16"},           {FPEncoding::float8e4m3ext, "fp8e4m3"}, {FPEncoding::float8e5m2ext, "fp8e5m2"},
    {FPEncoding::float6e2m3ext, "fp6e2m3"},           {FPEncoding::float6e3m2ext, "fp6e3m2"}, {FPEncoding::float4e2m1ext, "fp4e2m1"},
    {FPEncoding::float8_unsigned_e8m0ext, "fp8e8m0"}, {FPEncoding::mx_int8ext, "mxint8"},
};
/// Empty for OpTypeFloat without an encoding.
std::string_view encoded_float(const Instruction& instruction) {
  if (instruction.word_count() <= 3) return {};
  for (const EncodingName& row : kEncodingNames)
    if (row.encoding == static_cast<FPEncoding>(instruction.word(3))) return row.text;
  return {};
}

// OpDecorate, target, BuiltIn, which one.
constexpr std::uint32_t kBuiltInWords = 4;

}  // namespace

FriendlyNames::FriendlyNames(const IdTable& ids) : ids_(ids) {
  const Module& module = ids.module();
  names_.resize(ids.places().size());
  slots_.resize(std::bit_ceil(2 * names_.size() + 2));
  for (const Instruction instruction : module) {
    const OpcodeInfo* const info = instruction.info();
    if (info == nullptr) continue;
    giver_ = instruction.first_word();
    if (!info->has_result) {
      if (instruction.opcode() == Opcode::name && is_listed(instruction, *info)) {
        save(instruction.word(1), literal_string(instruction, 2, buffer_), false);
      } else if (instruction.opcode() == Opcode::decorate && instruction.word_count() == kBuiltInWords &&
                 instruction.word(2) == static_cast<std::uint32_t>(Decoration::built_in)) {
        save_builtin(instruction.word(1), instruction.word(3));
      }
      continue;
    }
    const std::uint32_t at = info->has_type ? 2 : 1;
    if (instruction.word_count() > at) read(instruction, instruction.word(at));
  }
  if (longest_ > limits::kNameCharacters) shorten_names();
  text_ = arena_.grow(kSlack) - arena_.size();
}

/// Whether a listing shows the instruction as one: others are words, and give no names.
bool FriendlyNames::is_listed(const Instruction& instruction, const OpcodeInfo& info) const {
  const Decoded decoded = grammar::each_operand(instruction, &info, ids_, [](const Operand&) {});
  return decoded == Decoded::whole || (decoded == Decoded::in_part && info.has_result);
}

void FriendlyNames::read(const Instruction& instruction, std::uint32_t result) {
  if (has_name(result)) return;
  Text& text = scratch_;
  text.clear();
  const OpcodeInfo& info = *instruction.info();
  const bool is_special = info.group == OpcodeGroup::constant_creation || info.text.starts_with("Type");
  switch (is_special && is_listed(instruction, info) ? info.opcode : Opcode::nop) {
    case Opcode::type_void: return save(result, "void", true);
    case Opcode::type_bool: return save(result, "bool", true);
    case Opcode::type_int: {
      const std::uint32_t width = instruction.word(2);
      if (instruction.word(3) == 0) text << 'u';
      switch (width) {
        case 8: text << "char"; break;
        case 16: text << "short"; break;
        case 32: text << "int"; break;
        case 64: text << "long"; break;
        default:
          if (instruction.word(3) != 0) text << 'i';
          text.dec(width);
          break;
      }
      return save(result, text.view(), true);
    }
    case Opcode::type_float:
      if (const std::string_view name = encoded_float(instruction); !name.empty()) return save(result, name, true);
      switch (instruction.word(2)) {
        case 16: text << "half"; break;
        case 32: text << "float"; break;
        case 64: text << "double"; break;
        default:
          text << "fp";
          text.dec(instruction.word(2));
          break;
      }
      return save(result, text.view(), true);
    case Opcode::type_vector:
      text << 'v';
      text.dec(instruction.word(3));
      append_name(instruction.word(2));
      return save(result, text.view(), true);
    case Opcode::type_matrix:
      text << "mat";
      text.dec(instruction.word(3));
      append_name(instruction.word(2));
      return save(result, text.view(), true);
    case Opcode::type_array:
      text << "_arr_";
      append_name(instruction.word(2));
      text << '_';
      append_name(instruction.word(3));
      return save(result, text.view(), true);
    case Opcode::type_runtime_array:
      text << "_runtimearr_";
      append_name(instruction.word(2));
      return save(result, text.view(), true);
    case Opcode::type_pointer:
      text << "_ptr_";
      append_enumerant(OperandKind::storage_class, instruction.word(2));
      text << '_';
      append_name(instruction.word(3));
      return save(result, text.view(), true);
    case Opcode::type_untyped_pointer_khr:
      text << "_ptr_";
      append_enumerant(OperandKind::storage_class, instruction.word(2));
      return save(result, text.view(), true);
    case Opcode::type_node_payload_array_amdx:
      text << "_payloadarr_";
      append_name(instruction.word(2));
      return save(result, text.view(), true);
    case Opcode::type_pipe:
      text << "Pipe";
      append_enumerant(OperandKind::access_qualifier, instruction.word(2));
      return save(result, text.view(), true);
    case Opcode::type_opaque: {
      text << "Opaque_";
      const std::string_view name = literal_string(instruction, 2, buffer_);
      text << (name.empty() ? std::string_view("_") : name);
      return save(result, text.view(), false);
    }
    case Opcode::type_struct:
      text << "_struct_";
      text.dec(result);
      return save(result, text.view(), true);
    // Named by their opcodes: OpTypeEvent is `Event`.
    case Opcode::type_event:
    case Opcode::type_device_event:
    case Opcode::type_reserve_id:
    case Opcode::type_queue:
    case Opcode::type_pipe_storage:
    case Opcode::type_named_barrier: return save(result, info.text.substr(4), true);
    case Opcode::constant_true: return save(result, "true", true);
    case Opcode::constant_false: return save(result, "false", true);
    case Opcode::constant: return save_constant(instruction, result);
    default:
      // So that no OpName "17" takes the name of this.
      text.dec(result);
      return save(result, text.view(), true);
  }
}

void FriendlyNames::save_constant(const Instruction& instruction, std::uint32_t result) {
  append_name(instruction.word(1));
  scratch_ << '_';
  const NumberType type = ids_.number_type(instruction.word(1));
  if (type.words() != 0 && instruction.word_count() >= 3 + type.words()) {
    Operand operand;
    operand.word = 3;
    operand.words = static_cast<std::uint16_t>(type.words());
    const std::size_t from = scratch_.size();
    grammar::print_number(scratch_, literal_bits(instruction, operand), type);
    // The text is ours to change until the next append.
    char* const begin = scratch_.grow(0) - (scratch_.size() - from);
    std::replace(begin, scratch_.grow(0), '-', 'n');
  }
  save(result, scratch_.view(), false);
}

void FriendlyNames::save_builtin(std::uint32_t id, std::uint32_t built_in) {
  for (const BuiltInName& row : kBuiltInNames) {
    if (static_cast<std::uint32_t>(row.built_in) != built_in) continue;
    if (row.text != kGl && row.text != kPlain) return save(id, row.text, true);
    const Enumerant* const enumerant = find_enumerant(OperandKind::built_in, built_in);
    if (enumerant == nullptr) return;
    scratch_.clear();
    scratch_ << row.text << enumerant->text;
    return save(id, scratch_.view(), true);
  }
}

void FriendlyNames::append_name(std::uint32_t id) {
  if (has_name(id)) {
    scratch_ << made(id);
  } else {
    scratch_.dec(id);
  }
}

void FriendlyNames::append_enumerant(OperandKind kind, std::uint32_t value) {
  if (const Enumerant* const enumerant = find_enumerant(kind, value)) {
    scratch_ << enumerant->text;
  } else {
    scratch_ << text_of(OperandKind::storage_class);
    scratch_.dec(value);
  }
}

void FriendlyNames::save(std::uint32_t id, std::string_view suggestion, bool is_clean) {
  const std::uint32_t place = ids_.places().find(id);
  Name& name = names_[place];
  if (place == 0 || name.given_by != 0) return;
  name.given_by = giver_;
  // Names are made of names, so that they can grow with each: past any sense they are numbers.
  const std::size_t room = limits::kNameTextPerByte * ids_.module().bytes().size() + limits::kNameTextBase;
  char number[10];
  if (suggestion.size() > room - std::min(room, arena_.size())) {
    suggestion = {number, static_cast<std::size_t>(std::to_chars(number, number + sizeof number, id).ptr - number)};
    is_clean = true;
  }
  // If nothing is appended to the arena but the name, so that a view of it is not needed longer.
  const std::size_t from = arena_.size();
  if (suggestion.empty()) {
    arena_ << '_';
  } else {
    char* const at = arena_.grow(suggestion.size());
    if (is_clean) {
      std::memcpy(at, suggestion.data(), suggestion.size());
    } else {
      for (std::size_t i = 0; i < suggestion.size(); ++i) at[i] = kClean[static_cast<unsigned char>(suggestion[i])];
    }
    arena_.commit(at + suggestion.size());
  }
  const std::string_view base = arena_.view().substr(from);
  const std::uint32_t hash = hash_of(base);
  if (find_slot(base, hash)->offset == 0) {
    insert(base);
  } else {
    const std::size_t base_size = arena_.size() - from;
    // Slots move when one is inserted: the base's is looked up anew.
    std::uint32_t suffix = find_slot(base, hash)->next;
    do {
      arena_.truncate(from + base_size);
      arena_ << '_';
      arena_.dec(suffix++);
    } while (!insert(arena_.view().substr(from)));
    const std::string_view base_again = arena_.view().substr(from, base_size);
    find_slot(base_again, hash)->next = suffix;
  }
  name.offset = static_cast<std::uint32_t>(from);
  name.size = static_cast<std::uint32_t>(arena_.size() - from);
  longest_ = std::max<std::size_t>(longest_, name.size);
  has_numbers_ |=
      name.size <= sizeof number && std::ranges::all_of(made(id), is_digit) &&
      made(id) != std::string_view(number, static_cast<std::size_t>(std::to_chars(number, number + sizeof number, id).ptr - number));
}

std::size_t FriendlyNames::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].offset != 0) {
    const Slot& slot = slots_[at];
    if (slot.hash == hash && slot.size == text.size() && arena_.view().substr(slot.offset - 1, slot.size) == text) break;
    at = (at + 1) & mask;
  }
  return at;
}

bool FriendlyNames::is_ambiguous(std::uint32_t id) const {
  if (!has_numbers_) return false;
  char number[10];
  const std::string_view text(number, static_cast<std::size_t>(std::to_chars(number, number + sizeof number, id).ptr - number));
  if (!has_name(id)) return slots_[slot_of(text, hash_of(text))].offset != 0;
  if (made(id) == text) return false;
  const Instruction giver = ids_.module().at(at(id).given_by);
  return !is_listed(giver, *giver.info());
}

/// Takes a name that lies at the end of the arena; false when it is taken already.
bool FriendlyNames::insert(std::string_view text) {
  if (2 * (used_ + 1) > slots_.size()) grow_slots();
  const std::uint32_t hash = hash_of(text);
  Slot* const slot = find_slot(text, hash);
  if (slot->offset != 0) return false;
  *slot = {hash, static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(text.data() - arena_.view().data()) + 1, 0};
  ++used_;
  return true;
}

void FriendlyNames::grow_slots() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.offset == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].offset != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

// A long name printed at each of many uses makes a text out of proportion to the module: if that happens, long names become numbers.
void FriendlyNames::shorten_names() {
  const Module& module = ids_.module();
  const auto is_long = [&](std::uint32_t id) { return at(id).size > limits::kNameCharacters; };
  std::uint64_t printed = 0;
  for (const Instruction instruction : module) {
    grammar::each_operand(instruction, instruction.info(), ids_, [&](const Operand& operand) {
      if (!is_id(operand.kind)) return;
      const std::uint32_t id = instruction.word(operand.word);
      if (is_long(id)) printed += at(id).size;
    });
  }
  if (printed <= limits::kNameTextPerByte * module.bytes().size() + limits::kNameTextBase) return;
  longest_ = 0;
  for (const Instruction instruction : module) {
    // In the order in which they were named. Those of ids that are not defined are found by their giver.
    giver_ = instruction.first_word();
    const OpcodeInfo* const info = instruction.info();
    if (info == nullptr || instruction.word_count() < 2) continue;
    const std::uint32_t id = instruction.word(info->has_result && info->has_type ? 2 : 1);
    const std::uint32_t place = ids_.places().find(id);
    Name& name = names_[place];
    if (place == 0 || name.given_by != giver_) continue;
    if (name.size <= limits::kNameCharacters) {
      longest_ = std::max<std::size_t>(longest_, name.size);
      continue;
    }
    name = {};
    char number[10];
    const char* const end = std::to_chars(number, number + sizeof number, id).ptr;
    save(id, {number, static_cast<std::size_t>(end - number)}, true);
  }
}

}  // namespace unshade::spirv::text
