#include <unshade/spirv/interface.hpp>

#include <algorithm>
#include <utility>

#include "spirv/grammar/instruction_words.hpp"
#include "spirv/interface/annotations.hpp"

namespace unshade::spirv {

namespace {

/// Work that finding static use may take: visits of functions and of the variables that they mention, in all entry points together.
constexpr std::size_t kUsePerWord = 16;
constexpr std::size_t kUseBase = 65536;

/// An id and the index of the thing that it defines.
struct Place {
  std::uint32_t id;
  std::uint32_t place;
};

std::uint32_t find(const std::vector<Place>& places, std::uint32_t id) {
  const auto found = std::lower_bound(places.begin(), places.end(), id, [](const Place& p, std::uint32_t wanted) { return p.id < wanted; });
  return found != places.end() && found->id == id ? found->place : kNone;
}

/// By id; of several the first stays in front.
void sort(std::vector<Place>& places) {
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.id < b.id; });
}

std::uint64_t cut(std::uint64_t value, unsigned width) {
  return width == 0 || width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::int64_t extended(std::uint64_t value, unsigned width) {
  if (width == 0 || width >= 64) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((cut(value, width) ^ sign) - sign);
}

/// Integer arithmetic of specialization constants: what array lengths are computed by.
std::optional<std::uint64_t> fold(Opcode opcode, std::uint64_t a, std::uint64_t b, unsigned width) {
  const std::int64_t sa = extended(a, width);
  const std::int64_t sb = extended(b, width);
  switch (opcode) {
    case Opcode::i_add: return a + b;
    case Opcode::i_sub: return a - b;
    case Opcode::i_mul: return a * b;
    case Opcode::u_div: return b != 0 ? std::optional(a / b) : std::nullopt;
    case Opcode::u_mod: return b != 0 ? std::optional(a % b) : std::nullopt;
    case Opcode::s_div: return sb != 0 && sb != -1 ? std::optional(static_cast<std::uint64_t>(sa / sb)) : std::nullopt;
    case Opcode::s_rem: return sb != 0 && sb != -1 ? std::optional(static_cast<std::uint64_t>(sa % sb)) : std::nullopt;
    case Opcode::bitwise_and: return a & b;
    case Opcode::bitwise_or: return a | b;
    case Opcode::bitwise_xor: return a ^ b;
    case Opcode::shift_left_logical: return b < width ? std::optional(a << b) : std::nullopt;
    case Opcode::shift_right_logical: return b < width ? std::optional(a >> b) : std::nullopt;
    case Opcode::u_convert: return a;
    default: return std::nullopt;
  }
}

/// The variables and calls of a function.
struct Function {
  std::uint32_t id = 0;
  std::uint32_t first_variable = 0;
  std::uint32_t variable_count = 0;
  std::uint32_t first_call = 0;
  std::uint32_t call_count = 0;
};

class Builder {
 public:
  explicit Builder(const Module& module) : module_(module), ids_(module) {
    out_.places = IdMap<Interface::Places>(std::size_t{4} * module.word_count());
  }

  Interface build() {
    out_.header = module_.header();
    collect_annotations();
    for (const Instruction i : module_) {
      if (in_function_) {
        inside(i);
      } else {
        outside(i);
      }
    }
    close_function();
    finish_pointers();
    finish_entry_points();
    return std::move(out_);
  }

 private:
  static void place_first(std::uint32_t& of_id, std::size_t at) {
    if (of_id == kNone) of_id = static_cast<std::uint32_t>(at);
  }

  /// Names and decorations precede what they are about.
  void collect_annotations() {
    for (const Instruction i : module_) {
      const std::uint32_t word = i.first_word();
      switch (i.opcode()) {
        case Opcode::name: notes_.add_name(i.word(1), grammar::kNoMember, word); break;
        case Opcode::member_name: notes_.add_name(i.word(1), i.word(2), word); break;
        case Opcode::decorate:
        case Opcode::decorate_id:
        case Opcode::decorate_string: notes_.add(i.word(1), grammar::kNoMember, word); break;
        case Opcode::member_decorate:
        case Opcode::member_decorate_string: notes_.add(i.word(1), i.word(2), word); break;
        case Opcode::decoration_group: notes_.add_group(i.word(1)); break;
        case Opcode::group_decorate:
          for (std::uint32_t at = 2; at < i.word_count(); ++at) notes_.add(i.word(at), grammar::kNoMember, word, true, i.word(1));
          break;
        case Opcode::group_member_decorate:
          for (std::uint32_t at = 2; at + 1 < i.word_count(); at += 2) notes_.add(i.word(at), i.word(at + 1), word, true, i.word(1));
          break;
        case Opcode::function: notes_.finish(module_); return;  // no annotation follows
        default: break;
      }
    }
    notes_.finish(module_);
  }

  /// If several define an id, to the first: a long name is copied once.
  template <class T>
  void annotate(T& thing, const Instruction& i, std::uint32_t id, std::uint32_t member = grammar::kNoMember) {
    const auto definition = ids_.definition(id);
    if (!definition || definition->first_word() != i.first_word()) return;
    thing.name = notes_.name(module_, id, member);
    if (auto found = notes_.of(module_, id, member)) {
      thing.decoration = static_cast<std::uint32_t>(out_.decorations.size());
      out_.decorations.push_back(*std::move(found));
    }
  }

  void outside(const Instruction& i) {
    switch (i.opcode()) {
      case Opcode::capability: out_.capabilities.push_back(static_cast<Capability>(i.word(1))); break;
      case Opcode::extension: out_.extensions.push_back(literal_string(i, 1)); break;
      case Opcode::ext_inst_import: out_.instruction_sets.push_back(literal_string(i, 2)); break;
      case Opcode::memory_model:
        out_.addressing = static_cast<AddressingModel>(i.word(1));
        out_.memory = static_cast<MemoryModel>(i.word(2));
        break;
      case Opcode::entry_point: entry_point(i); break;
      case Opcode::execution_mode:
      case Opcode::execution_mode_id: modes_.push_back(i.first_word()); break;
      case Opcode::variable:
      case Opcode::untyped_variable_khr: variable(i); break;
      case Opcode::function:
        in_function_ = true;
        functions_.push_back({i.word(2), static_cast<std::uint32_t>(uses_.size()), 0, static_cast<std::uint32_t>(calls_.size()), 0});
        break;
      default:
        if (generates_type(i.opcode())) {
          type(i);
        } else {
          constant(i);
        }
        break;
    }
  }

  void entry_point(const Instruction& i) {
    EntryPoint entry;
    entry.model = static_cast<ExecutionModel>(i.word(1));
    entry.function = i.word(2);
    entry.name = literal_string(i, 3);
    const std::uint32_t after = 3 + static_cast<std::uint32_t>(entry.name.size() / 4) + 1;
    for (std::uint32_t at = after; at < i.word_count(); ++at) entry.interface_ids.push_back(i.word(at));
    out_.entry_points.push_back(std::move(entry));
  }

  // --- types -----------------------------------------------------------------------------------------------------------------------
  /// Of a type declared before.
  std::uint32_t known_type(std::uint32_t id) {
    const auto definition = ids_.definition(id);
    if (!definition) return kNone;
    // types are in the order of their words
    const auto found = std::lower_bound(type_words_.begin(), type_words_.end(), definition->first_word());
    return found != type_words_.end() && *found == definition->first_word() ? static_cast<std::uint32_t>(found - type_words_.begin())
                                                                            : kNone;
  }

  void type(const Instruction& i) {
    if (i.opcode() == Opcode::type_forward_pointer) return;
    Type t;
    t.id = i.word(1);
    switch (i.opcode()) {
      case Opcode::type_void: t.kind = TypeKind::void_; break;
      case Opcode::type_bool: t.kind = TypeKind::boolean; break;
      case Opcode::type_int:
        t.kind = TypeKind::integer;
        t.width = static_cast<std::uint16_t>(i.word(2));
        t.is_signed = i.word(3) != 0;
        break;
      case Opcode::type_float:
        t.kind = TypeKind::real;
        t.width = static_cast<std::uint16_t>(i.word(2));
        t.has_encoding = i.word_count() > 3;
        t.encoding = static_cast<FPEncoding>(i.word(3));
        break;
      case Opcode::type_vector:
      case Opcode::type_matrix:
        t.kind = i.opcode() == Opcode::type_vector ? TypeKind::vector : TypeKind::matrix;
        t.element = known_type(i.word(2));
        t.count = i.word(3);
        break;
      case Opcode::type_image:
        t.kind = TypeKind::image;
        t.element = known_type(i.word(2));
        t.image = {static_cast<Dim>(i.word(3)), i.word(4), i.word(5) != 0, i.word(6) != 0, i.word(7), static_cast<ImageFormat>(i.word(8))};
        break;
      case Opcode::type_sampler: t.kind = TypeKind::sampler; break;
      case Opcode::type_sampled_image:
        t.kind = TypeKind::sampled_image;
        t.element = known_type(i.word(2));
        break;
      case Opcode::type_array: {
        t.kind = TypeKind::array;
        t.element = known_type(i.word(2));
        t.length = known_constant(i.word(3));
        if (t.length != kNone && out_.constants[t.length].has_value && out_.constants[t.length].value <= 0xffff'ffff)
          t.count = static_cast<std::uint32_t>(out_.constants[t.length].value);
        break;
      }
      case Opcode::type_runtime_array:
        t.kind = TypeKind::runtime_array;
        t.element = known_type(i.word(2));
        break;
      case Opcode::type_struct:
        t.kind = TypeKind::structure;
        t.first_member = static_cast<std::uint32_t>(out_.members.size());
        t.member_count = i.word_count() > 2 ? i.word_count() - 2 : 0;
        for (std::uint32_t m = 0; m < t.member_count; ++m) {
          const std::uint32_t id = i.word(2 + m);
          out_.members.push_back({known_type(id), {}, 0});
          annotate(out_.members.back(), i, t.id, m);
          // a pointer that was announced
          if (out_.members.back().type == kNone) forward_members_.push_back({static_cast<std::uint32_t>(out_.members.size() - 1), id});
        }
        break;
      case Opcode::type_pointer:
        t.kind = TypeKind::pointer;
        t.storage = static_cast<StorageClass>(i.word(2));
        t.element = known_type(i.word(3));
        if (t.element == kNone) forward_pointees_.push_back({static_cast<std::uint32_t>(out_.types.size()), i.word(3)});
        break;
      case Opcode::type_untyped_pointer_khr:
        t.kind = TypeKind::pointer;
        t.storage = static_cast<StorageClass>(i.word(2));
        break;
      case Opcode::type_function: t.kind = TypeKind::function; break;
      case Opcode::type_acceleration_structure_khr: t.kind = TypeKind::acceleration_structure; break;
      case Opcode::type_ray_query_khr: t.kind = TypeKind::ray_query; break;
      default: break;
    }
    annotate(t, i, t.id);
    type_words_.push_back(i.first_word());
    place_first(out_.places[t.id].type, out_.types.size());
    out_.types.push_back(std::move(t));
  }

  void finish_pointers() {
    for (const auto& [place, id] : forward_pointees_) out_.types[place].element = known_type(id);
    for (const auto& [place, id] : forward_members_) {
      const std::uint32_t found = known_type(id);
      if (found != kNone && out_.types[found].kind == TypeKind::pointer) out_.members[place].type = found;
    }
  }

  /// Parts of a composite that are given as one.
  static constexpr std::uint32_t kMostReplicated = 64;

  // --- constants -------------------------------------------------------------------------------------------------------------------
  std::uint32_t known_constant(std::uint32_t id) {
    const auto definition = ids_.definition(id);
    if (!definition) return kNone;
    const auto found = std::lower_bound(constant_words_.begin(), constant_words_.end(), definition->first_word());
    return found != constant_words_.end() && *found == definition->first_word()
               ? static_cast<std::uint32_t>(found - constant_words_.begin())
               : kNone;
  }

  void constant(const Instruction& i) {
    Constant c;
    switch (i.opcode()) {
      case Opcode::spec_constant_true:
      case Opcode::spec_constant_false:
      case Opcode::spec_constant:
      case Opcode::spec_constant_composite:
      case Opcode::spec_constant_composite_replicate_ext:
      case Opcode::spec_constant_op: c.is_spec = true; break;
      case Opcode::constant_true:
      case Opcode::constant_false:
      case Opcode::constant:
      case Opcode::constant_composite:
      case Opcode::constant_composite_replicate_ext:
      case Opcode::constant_null: break;
      default: return;
    }
    c.type = known_type(i.word(1));
    c.id = i.word(2);
    const Type* type = out_.type(c.type);
    const unsigned width = type != nullptr ? type->width : 0;
    const bool is_scalar =
        type != nullptr && (type->kind == TypeKind::boolean || type->kind == TypeKind::integer || type->kind == TypeKind::real);
    switch (i.opcode()) {
      case Opcode::constant_true:
      case Opcode::spec_constant_true: c.value = 1; [[fallthrough]];
      case Opcode::constant_false:
      case Opcode::spec_constant_false: c.has_value = true; break;
      case Opcode::constant_null: c.has_value = is_scalar; break;
      case Opcode::constant:
      case Opcode::spec_constant:
        if (!is_scalar || i.word_count() < 4) break;
        c.has_value = true;
        c.value = cut(i.word(3) | std::uint64_t{i.word(4)} << 32, width);
        break;
      case Opcode::constant_composite:
      case Opcode::spec_constant_composite:
        for (std::uint32_t at = 3; at < i.word_count(); ++at) c.parts.push_back(known_constant(i.word(at)));
        break;
      case Opcode::constant_composite_replicate_ext:
      case Opcode::spec_constant_composite_replicate_ext:
        if (type != nullptr && type->count <= kMostReplicated) c.parts.assign(type->count, known_constant(i.word(3)));
        break;
      case Opcode::spec_constant_op: {
        const auto value = [&](std::uint32_t at) -> std::optional<std::uint64_t> {
          const std::uint32_t place = known_constant(i.word(at));
          if (place == kNone || !out_.constants[place].has_value) return std::nullopt;
          return out_.constants[place].value;
        };
        const auto a = value(4);
        const auto b = i.word_count() > 5 ? value(5) : std::optional<std::uint64_t>(0);
        if (!a || !b || type == nullptr || type->kind != TypeKind::integer) break;
        if (const auto folded = fold(static_cast<Opcode>(i.word(3)), *a, *b, width)) {
          c.has_value = true;
          c.value = cut(*folded, width);
        }
        break;
      }
      default: break;
    }
    annotate(c, i, c.id);
    constant_words_.push_back(i.first_word());
    place_first(out_.places[c.id].constant, out_.constants.size());
    out_.constants.push_back(std::move(c));
  }

  // --- variables and their use -----------------------------------------------------------------------------------------------------
  void variable(const Instruction& i) {
    Variable v;
    v.pointer_type = known_type(i.word(1));
    v.id = i.word(2);
    v.storage = static_cast<StorageClass>(i.word(3));
    const bool is_untyped = i.opcode() == Opcode::untyped_variable_khr;
    v.initializer = i.word(is_untyped ? 5 : 4);
    if (is_untyped) v.type = known_type(i.word(4));
    if (const Type* pointer = out_.type(v.pointer_type); pointer != nullptr && !is_untyped && pointer->kind == TypeKind::pointer)
      v.type = pointer->element;
    annotate(v, i, v.id);
    variable_words_.push_back(i.first_word());
    last_use_.push_back(0);
    place_first(out_.places[v.id].variable, out_.variables.size());
    out_.variables.push_back(std::move(v));
  }

  void inside(const Instruction& i) {
    if (i.opcode() == Opcode::function_end) return close_function();
    if (i.opcode() == Opcode::function_call) calls_.push_back(i.word(3));
    if (i.opcode() == Opcode::ext_inst && i.word_count() > 3 && is_debug_info(ids_.set(i.word(3)))) return;  // uses nothing
    const auto whole = decode_operands(i, ids_, operands_);
    static_cast<void>(whole);
    for (const Operand& operand : operands_) {
      if (operand.kind != OperandKind::id_ref) continue;
      const auto definition = ids_.definition(i.word(operand.word));
      if (!definition || (definition->opcode() != Opcode::variable && definition->opcode() != Opcode::untyped_variable_khr)) continue;
      const auto found = std::lower_bound(variable_words_.begin(), variable_words_.end(), definition->first_word());
      if (found == variable_words_.end() || *found != definition->first_word()) continue;
      const auto place = static_cast<std::uint32_t>(found - variable_words_.begin());
      if (last_use_[place] == functions_.size()) continue;
      last_use_[place] = functions_.size();
      uses_.push_back(place);
    }
  }

  void close_function() {
    if (!in_function_) return;
    in_function_ = false;
    Function& f = functions_.back();
    f.variable_count = static_cast<std::uint32_t>(uses_.size()) - f.first_variable;
    f.call_count = static_cast<std::uint32_t>(calls_.size()) - f.first_call;
  }

  void finish_entry_points() {
    std::vector<Place> functions;
    for (std::uint32_t f = 0; f < functions_.size(); ++f) functions.push_back({functions_[f].id, f});
    sort(functions);
    for (std::uint32_t& call : calls_) call = find(functions, call);

    // modes: to the first entry point of the function, and to all others of it
    std::vector<Place> entries;
    for (std::uint32_t e = 0; e < out_.entry_points.size(); ++e) entries.push_back({out_.entry_points[e].function, e});
    sort(entries);
    std::size_t room = kUseBase + kUsePerWord * module_.word_count();
    for (const std::uint32_t word : modes_) {
      const Instruction i = module_.at(word);
      auto at =
          std::lower_bound(entries.begin(), entries.end(), i.word(1), [](const Place& p, std::uint32_t wanted) { return p.id < wanted; });
      for (; at != entries.end() && at->id == i.word(1) && room > i.word_count(); ++at) {
        EntryPointMode mode{static_cast<ExecutionMode>(i.word(2)), i.opcode() == Opcode::execution_mode_id, {}};
        for (std::uint32_t operand = 3; operand < i.word_count(); ++operand) mode.operands.push_back(i.word(operand));
        out_.entry_points[at->place].modes.push_back(std::move(mode));
        room -= i.word_count();
      }
    }

    std::vector<std::uint32_t> seen_function(functions_.size(), kNone);
    std::vector<std::uint32_t> seen_variable(out_.variables.size(), kNone);
    std::vector<std::uint32_t> open;
    for (std::uint32_t e = 0; e < out_.entry_points.size(); ++e) {
      EntryPoint& entry = out_.entry_points[e];
      const std::uint32_t start = find(functions, entry.function);
      if (start == kNone) continue;
      open.assign(1, start);
      seen_function[start] = e;
      entry.is_use_known = true;
      while (!open.empty()) {
        const Function& f = functions_[open.back()];
        open.pop_back();
        const std::size_t work = std::size_t{1} + f.variable_count + f.call_count;
        if (work > room) {
          entry.is_use_known = false;
          entry.used.clear();
          break;
        }
        room -= work;
        for (std::uint32_t u = 0; u < f.variable_count; ++u) {
          const std::uint32_t variable = uses_[f.first_variable + u];
          if (std::exchange(seen_variable[variable], e) != e) entry.used.push_back(variable);
        }
        for (std::uint32_t c = 0; c < f.call_count; ++c) {
          const std::uint32_t callee = calls_[f.first_call + c];
          if (callee != kNone && std::exchange(seen_function[callee], e) != e) open.push_back(callee);
        }
      }
      std::sort(entry.used.begin(), entry.used.end());
    }
  }

  struct Forward {
    std::uint32_t place;
    std::uint32_t id;
  };

  const Module& module_;
  IdTable ids_;
  Interface out_;
  Annotations notes_;
  std::vector<std::uint32_t> type_words_;      // first words, in the order of Interface::types
  std::vector<std::uint32_t> constant_words_;  // the same
  std::vector<std::uint32_t> variable_words_;  // the same
  std::vector<std::size_t> last_use_;          // by variable: number of the function that mentioned it last, from 1
  std::vector<Forward> forward_pointees_;
  std::vector<Forward> forward_members_;
  std::vector<std::uint32_t> modes_;
  std::vector<Function> functions_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> calls_;  // ids, then places in functions_
  std::vector<Operand> operands_;
  bool in_function_ = false;
};

}  // namespace

Stage stage_of(ExecutionModel model) {
  switch (model) {
    case ExecutionModel::vertex: return Stage::vertex;
    case ExecutionModel::tessellation_control: return Stage::hull;
    case ExecutionModel::tessellation_evaluation: return Stage::domain;
    case ExecutionModel::geometry: return Stage::geometry;
    case ExecutionModel::fragment: return Stage::pixel;
    case ExecutionModel::gl_compute: return Stage::compute;
    case ExecutionModel::kernel: return Stage::kernel;
    case ExecutionModel::task_nv:
    case ExecutionModel::task_ext: return Stage::amplification;
    case ExecutionModel::mesh_nv:
    case ExecutionModel::mesh_ext: return Stage::mesh;
    case ExecutionModel::ray_generation_nv: return Stage::ray_generation;
    case ExecutionModel::intersection_nv: return Stage::intersection;
    case ExecutionModel::any_hit_nv: return Stage::any_hit;
    case ExecutionModel::closest_hit_nv: return Stage::closest_hit;
    case ExecutionModel::miss_nv: return Stage::miss;
    case ExecutionModel::callable_nv: return Stage::callable;
    default: return Stage::none;
  }
}

Decorations of_member(const Decorations& member, const Decorations& whole) {
  Decorations made = member;
  made.patch |= whole.patch;
  made.per_primitive |= whole.per_primitive;
  made.flat |= whole.flat;
  made.no_perspective |= whole.no_perspective;
  made.centroid |= whole.centroid;
  made.sample |= whole.sample;
  if (whole.index) made.index = whole.index;
  if (!made.stream) made.stream = whole.stream;
  return made;
}

Interface interface_of(const Module& module) { return Builder(module).build(); }

bool is_per_vertex(const Interface& module, Stage stage, const Variable& variable) {
  const Decorations& own = module.of(variable);
  const Type* const whole = module.type(variable.type);
  if (whole == nullptr || whole->kind != TypeKind::array) return false;
  if (own.patch || own.builtin == BuiltIn::tess_level_outer || own.builtin == BuiltIn::tess_level_inner) return false;
  const bool input = variable.storage == StorageClass::input;
  switch (stage) {
    case Stage::geometry:
    case Stage::domain: return input;
    case Stage::hull: return true;
    case Stage::mesh: return !input;
    case Stage::pixel: return input && own.per_vertex;
    default: return false;
  }
}

}  // namespace unshade::spirv
