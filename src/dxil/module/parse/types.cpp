// The type table, and types that instructions need.
#include <algorithm>

#include <unshade/core/limits.hpp>

#include "dxil/module/parse/parse.hpp"
#include "dxil/module/type_nesting.hpp"

namespace unshade::dxil::module {

namespace {

constexpr std::uint64_t kWidestInteger = (1U << 23) - 1;  // src: LLVM 3.7, DerivedTypes.h, MAX_INT_BITS
constexpr std::size_t kLeastTypeSlots = 64;
constexpr std::size_t kTypeBytes = sizeof(Type) + 128;  // with what finds it again

bool is_identified(const Type& type) { return type.kind == TypeKind::structure && !type.literal; }

bool is_pointee(TypeKind kind) { return kind != TypeKind::void_ && kind != TypeKind::label && kind != TypeKind::metadata; }
bool is_member(TypeKind kind) { return is_pointee(kind) && kind != TypeKind::function; }
bool is_parameter(TypeKind kind) { return kind != TypeKind::void_ && kind != TypeKind::function; }
bool is_vector_element(TypeKind kind) { return kind == TypeKind::integer || kind == TypeKind::pointer || is_real(kind); }
bool is_returned(TypeKind kind) { return kind != TypeKind::function && kind != TypeKind::label && kind != TypeKind::metadata; }

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 29;
}

std::uint32_t hash_of(const Type& type, std::span<const std::uint32_t> parts) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(type.kind), (type.packed ? 1U : 0U) | (type.variadic ? 2U : 0U));
  hash = mix(mix(hash, type.number), type.count);
  for (const std::uint32_t part : parts) hash = mix(hash, part);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

}  // namespace

bool ModuleReader::type_at(std::uint64_t id, std::uint32_t& type) {
  if (id >= type_facts_.size()) return bad_reference("type", id);
  type = type_facts_[static_cast<std::size_t>(id)].canonical;
  return true;
}

std::uint32_t ModuleReader::find_same(const Type& type, std::span<const std::uint32_t> parts, std::uint32_t hash) const {
  if (type_slots_.empty()) return kNone;
  for (std::uint32_t id = type_slots_[hash & (type_slots_.size() - 1)]; id != kNone; id = type_facts_[id].before) {
    if (type_facts_[id].hash != hash) continue;
    const Type& other = m_.types[id];
    if (other.kind == type.kind && other.packed == type.packed && other.variadic == type.variadic && other.number == type.number &&
        other.count == type.count && std::ranges::equal(m_.parts_of(other), parts))
      return id;
  }
  return kNone;
}

// Adds a type to the table that find_same searches.
void ModuleReader::find_again(std::uint32_t id) {
  std::uint32_t& slot = type_slots_[type_facts_[id].hash & (type_slots_.size() - 1)];
  type_facts_[id].before = slot;
  slot = id;
}

// The parts of `type` are the last of type_parts.
bool ModuleReader::add_type(Type type) {
  if (!spend(kTypeBytes)) return false;
  const auto id = static_cast<std::uint32_t>(m_.types.size());
  std::uint32_t same = kNone;
  std::uint32_t hash = 0;
  std::uint32_t depth = 1;
  std::uint64_t weight = 1;
  if (!is_identified(type)) {
    const auto parts = m_.parts_of(type);
    for (const std::uint32_t part : parts) {
      // Later types are structures with an identity, which print as their name.
      depth = std::max(depth, part < id ? type_facts_[part].depth + 1U : 2U);
      weight += part < id ? type_facts_[part].weight : 1;
    }
    if (depth > limits::kNesting) return fail(ErrorCode::limit, "types are nested too deeply");
    if (weight > kHeaviestType) return fail(ErrorCode::limit, "the type has too many parts");
    hash = hash_of(type, parts);
    same = find_same(type, parts, hash);
  }
  append(m_.types, type);
  if (type.kind == TypeKind::metadata && metadata_type_ == kNone) metadata_type_ = id;
  append(type_facts_, TypeFacts{same == kNone ? id : same, depth, static_cast<std::uint32_t>(weight), hash, kNone});
  if (same != kNone || is_identified(type)) return true;
  if (id < type_slots_.size()) {
    find_again(id);
    return true;
  }
  type_slots_.assign(std::max<std::size_t>(kLeastTypeSlots, 2 * type_slots_.size()), kNone);
  for (std::uint32_t known = 0; known <= id; ++known)
    if (type_facts_[known].canonical == known && !is_identified(m_.types[known])) find_again(known);
  return true;
}

std::uint32_t ModuleReader::intern(Type type, std::span<const std::uint32_t> parts) {
  const std::uint32_t same = find_same(type, parts, hash_of(type, parts));
  if (same != kNone) return same;
  if (!spend(parts.size() * sizeof(std::uint32_t))) return kNone;
  type.parts = {static_cast<std::uint32_t>(m_.type_parts.size()), static_cast<std::uint32_t>(parts.size())};
  m_.type_parts.insert(m_.type_parts.end(), parts.begin(), parts.end());
  return add_type(type) ? static_cast<std::uint32_t>(m_.types.size() - 1) : kNone;
}

std::uint32_t ModuleReader::pointer_to(std::uint32_t type, std::uint32_t address_space) {
  Type pointer{.kind = TypeKind::pointer, .number = address_space};
  return intern(pointer, {&type, 1});
}

std::uint32_t ModuleReader::void_type() {
  if (void_type_ == kNone) void_type_ = intern(Type{}, {});
  return void_type_;
}

std::uint32_t ModuleReader::integer_type(std::uint32_t width) {
  Type integer{.kind = TypeKind::integer, .number = width};
  return intern(integer, {});
}

std::uint32_t ModuleReader::vector_of(std::uint32_t type, std::uint64_t count) {
  Type vector{.kind = TypeKind::vector, .count = count};
  return intern(vector, {&type, 1});
}

std::uint32_t ModuleReader::truth_of(std::uint32_t id) {
  if (truth_type_ == kNone) truth_type_ = integer_type(1);
  if (truth_type_ == kNone || !is(id, TypeKind::vector)) return truth_type_;
  return vector_of(truth_type_, type(id).count);
}

bool ModuleReader::read_types() {
  if (!m_.types.empty() || functions_begun_) return fail(ErrorCode::bad_value, "a second type table, or one after function bodies");
  m_.type_parts.reserve(64);  // what a common module has
  if (!each_record([this] { return type_record(); })) return false;
  return finish_types();
}

bool ModuleReader::type_parts(Type& type, Operands parts) {
  type.parts = {static_cast<std::uint32_t>(m_.type_parts.size()), static_cast<std::uint32_t>(parts.size())};
  if (!spend(parts.size() * sizeof(std::uint32_t))) return false;
  for (const std::uint64_t part : parts) {
    if (part >= declared_types_) return bad_reference("type", part);
    const auto id = static_cast<std::uint32_t>(part);
    if (id >= m_.types.size()) {
      if (!push(forward_types_, id)) return false;
      m_.type_parts.push_back(id);
    } else {
      m_.type_parts.push_back(type_facts_[id].canonical);
    }
  }
  return true;
}

bool ModuleReader::type_record() {
  const Operands o = cursor_.operands();
  const auto part_may_be = [this](const Type& type, bool (*allowed)(TypeKind)) {
    for (const std::uint32_t part : m_.parts_of(type))
      if (part < m_.types.size() && !allowed(m_.types[part].kind)) return fail(ErrorCode::bad_value, "invalid type of an element");
    return true;
  };

  Type type;
  switch (cursor_.code()) {
    case bitcode::code::types_count:
      if (o.empty()) return bad_record();
      // A type takes a few bits at least; what is declared and missing is found at the end.
      declared_types_ = o[0];
      return declared_types_ < kNone || bad_record();
    case bitcode::code::types_void_: type.kind = TypeKind::void_; break;
    case bitcode::code::types_half: type.kind = TypeKind::half; break;
    case bitcode::code::types_float_: type.kind = TypeKind::float_; break;
    case bitcode::code::types_double_: type.kind = TypeKind::double_; break;
    case bitcode::code::types_x86_fp80: type.kind = TypeKind::x86_fp80; break;
    case bitcode::code::types_fp128: type.kind = TypeKind::fp128; break;
    case bitcode::code::types_ppc_fp128: type.kind = TypeKind::ppc_fp128; break;
    case bitcode::code::types_label: type.kind = TypeKind::label; break;
    case bitcode::code::types_metadata: type.kind = TypeKind::metadata; break;
    case bitcode::code::types_x86_mmx: type.kind = TypeKind::x86_mmx; break;
    case bitcode::code::types_integer:
      if (o.empty() || o[0] == 0 || o[0] > kWidestInteger) return bad_record();
      type.kind = TypeKind::integer;
      type.number = static_cast<std::uint32_t>(o[0]);
      break;
    case bitcode::code::types_pointer:
      if (o.empty() || (o.size() > 1 && o[1] > 0xff'ffff)) return bad_record();
      type.kind = TypeKind::pointer;
      type.number = o.size() > 1 ? static_cast<std::uint32_t>(o[1]) : 0;
      if (!type_parts(type, o.first(1)) || !part_may_be(type, is_pointee)) return false;
      break;
    case bitcode::code::types_function_old:
    case bitcode::code::types_function: {
      // The older one has an attribute id, which means nothing, before the type returned.
      const std::size_t from = cursor_.code() == bitcode::code::types_function_old ? 2 : 1;
      if (o.size() <= from) return bad_record();
      type.kind = TypeKind::function;
      type.variadic = o[0] != 0;
      if (!type_parts(type, o.subspan(from))) return false;
      const auto parts = m_.parts_of(type);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] >= m_.types.size()) continue;
        const TypeKind kind = m_.types[parts[i]].kind;
        if (i == 0 ? !is_returned(kind) : !is_parameter(kind))
          return fail(ErrorCode::bad_value, "invalid parameter or result type of a function type");
      }
      break;
    }
    case bitcode::code::types_struct_name: return read_text(struct_name_);
    case bitcode::code::types_literal_struct:
    case bitcode::code::types_named_struct:
      if (o.empty()) return bad_record();
      type.kind = TypeKind::structure;
      type.packed = o[0] != 0;
      type.literal = cursor_.code() == bitcode::code::types_literal_struct;
      if (!type_parts(type, o.subspan(1)) || !part_may_be(type, is_member)) return false;
      if (!type.literal) type.name = std::exchange(struct_name_, {});
      break;
    case bitcode::code::types_opaque:
      type.kind = TypeKind::structure;
      type.literal = false;
      type.opaque = true;
      type.name = std::exchange(struct_name_, {});
      break;
    case bitcode::code::types_array:
      if (o.size() < 2) return bad_record();
      type.kind = TypeKind::array;
      type.count = o[0];
      if (!type_parts(type, o.subspan(1, 1)) || !part_may_be(type, is_member)) return false;
      break;
    case bitcode::code::types_vector:
      if (o.size() < 2 || o[0] == 0 || o[0] > 0xffff'ffff) return bad_record();
      type.kind = TypeKind::vector;
      type.count = o[0];
      if (!type_parts(type, o.subspan(1, 1)) || !part_may_be(type, is_vector_element)) return false;
      break;
    default: return fail(ErrorCode::bad_value, "record code " + std::to_string(cursor_.code()) + " is not a type");
  }
  if (m_.types.size() >= declared_types_) return fail(ErrorCode::out_of_range, "more types than the table declares");
  return add_type(type);
}

std::optional<TypeFault> find_type_fault(const Module& module) {
  constexpr std::uint8_t kUnseen = 0;
  constexpr std::uint8_t kOpen = 0xff;
  std::vector<std::uint8_t> depths(module.types.size(), kUnseen);
  struct Step {
    std::uint32_t type;
    std::uint32_t part;
  };
  std::vector<Step> open;
  for (std::uint32_t root = 0; root < module.types.size(); ++root) {
    if (depths[root] != kUnseen) continue;
    open.push_back({root, 0});
    depths[root] = kOpen;
    while (!open.empty()) {
      Step& step = open.back();
      const Type& type = module.types[step.type];
      const bool holds = type.kind == TypeKind::structure || type.kind == TypeKind::array || type.kind == TypeKind::vector;
      if (holds && step.part < type.parts.count) {
        const std::uint32_t part = module.type_parts[type.parts.first + step.part++];
        if (depths[part] == kOpen) return TypeFault{ErrorCode::cycle, part, "the type contains itself"};
        if (depths[part] == kUnseen) {
          if (open.size() >= limits::kNesting) return TypeFault{ErrorCode::limit, part, "types are nested too deeply"};
          depths[part] = kOpen;
          open.push_back({part, 0});
        }
        continue;
      }
      std::uint8_t depth = 1;
      if (holds)
        for (const std::uint32_t part : module.parts_of(type))
          depth = std::max<std::uint8_t>(depth, static_cast<std::uint8_t>(depths[part] + 1));
      if (depth > limits::kNesting) return TypeFault{ErrorCode::limit, step.type, "types are nested too deeply"};
      depths[step.type] = depth;
      open.pop_back();
    }
  }
  return std::nullopt;
}

// Checks what could not be checked while later types were unknown.
bool ModuleReader::finish_types() {
  if (m_.types.size() != declared_types_)
    return fail(ErrorCode::out_of_range,
                std::to_string(declared_types_) + " types declared, but " + std::to_string(m_.types.size()) + " defined");
  m_.file_types = static_cast<std::uint32_t>(m_.types.size());
  for (const std::uint32_t id : forward_types_)
    if (!is_identified(m_.types[id])) return fail(ErrorCode::bad_value, "type " + std::to_string(id) + " is used before its definition");
  forward_types_.clear();
  forward_types_.shrink_to_fit();

  if (const auto fault = find_type_fault(m_)) return fail_at(fault->code, "type", fault->type, fault->message);
  return true;
}

}  // namespace unshade::dxil::module
