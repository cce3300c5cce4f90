// Pointers, and what reads and writes through them.
#include <algorithm>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {
namespace {

/// Components of one access.
constexpr unsigned kMostComponents = 4;
/// Pieces of one load or store: of a whole variable, say.
constexpr std::uint32_t kMostLoaded = 1U << 14;

Type memory_type(Type type) { return type == Type::b1 ? Type::i32 : type; }

}  // namespace

Pointer FunctionLowering::pointer(std::uint32_t id) {
  if (const auto found = pointers_.find(id); found != pointers_.end()) return found->second;
  if (const auto root = context_.roots.find(id); root != context_.roots.end()) return root->second;
  const std::uint32_t own_type = type_of(id);
  if (is_device_address(own_type)) {
    Pointer p;
    const Pieces address = pieces(id);
    if (error_ || address.size() != 1) return p;
    p.kind = Pointer::Kind::address;
    p.type = context_.type(own_type).element;
    p.address = address[0];
    return p;
  }
  const auto definition = context_.ids.definition(id);
  if (definition && (definition->opcode() == Opcode::variable || definition->opcode() == Opcode::untyped_variable_khr)) {
    const std::uint32_t place = context_.interface.find_variable(id);
    if (place != spirv::kNone) {
      const spirv::Type* type = context_.interface.type(context_.interface.variables[place].type);
      if (type != nullptr && type->kind == TypeKind::pointer) return unsupported("a variable that holds a pointer"), Pointer{};
      const auto* storage = spirv::find_enumerant(spirv::OperandKind::storage_class, definition->word(3));
      unsupported("the variable %" + std::to_string(id) + " of storage class " + std::string(storage != nullptr ? storage->text : "?"));
      return {};
    }
  }
  const bool is_constant = definition && (definition->opcode() == Opcode::constant_null || definition->opcode() == Opcode::undef);
  if (is_constant && is_address(type_of(id))) return pointer_of(type_of(id), address(id));
  unsupported("a pointer of this storage class that is selected at run time");
  return {};
}

void FunctionLowering::add_index(Id& to, Id index, std::uint64_t stride) {
  if (!is_integer(builder_.type_of(index))) return fail(ErrorCode::bad_value, "an index must be an integer");
  Id scaled = resized(index, Type::i32, true);
  if (stride != 1) scaled = op(Op::imul, Type::i32, {scaled, i32(static_cast<std::uint32_t>(stride))});
  to = to == kNone ? scaled : op(Op::iadd, Type::i32, {to, scaled});
}

// Of a pointer to a resource, one to the bytes of a block.
void FunctionLowering::enter_block(Pointer& p) {
  if (p.kind != Pointer::Kind::resources || context_.interface.type(p.type) == nullptr) return;
  if (context_.type(p.type).kind != TypeKind::structure) return;
  const Id handle = op(Op::handle, Type::void_, {offset(p)}, p.resource);
  builder_.function().insts[handle].flags = p.flags;
  p.flags = context_.out.resources[p.resource].coherent ? Flags::coherent : Flags::none;
  p.kind = context_.out.resources[p.resource].kind == dxcontainer::ResourceKind::cbuffer ? Pointer::Kind::constants : Pointer::Kind::buffer;
  p.handle = handle;
  p.offset = 0;
  p.index = kNone;
}

void FunctionLowering::enter_buffer(Pointer& p) {
  enter_block(p);
  if (p.kind != Pointer::Kind::address || error_) return;
  const Id words = op(Op::unpack64, Type::i64, {device_address(p)});
  const Id low = builder_.get(words, Type::i32, 0), high = builder_.get(words, Type::i32, 1);
  p.kind = Pointer::Kind::buffer;
  p.handle = op(Op::handle_from_address, Type::void_, {low, high});
  p.index = op(Op::address_offset, Type::void_, {low, high});
  p.offset = 0;
}

/// Whether an id is a pointer whose type does not say what it points to.
bool FunctionLowering::is_untyped(std::uint32_t id) const {
  const auto type = context_.ids.definition(context_.ids.type_of(id));
  return type && type->opcode() == Opcode::type_untyped_pointer_khr;
}

// Takes what an untyped pointer leads to for a value of a type. Only bytes with a layout can be several types.
void FunctionLowering::point_to(Pointer& p, std::uint32_t place) {
  const spirv::Type* const type = context_.interface.type(place);
  if (p.type == place || error_) return;
  if (type == nullptr) return fail(ErrorCode::bad_value, "an untyped pointer must be used with a known type");
  enter_block(p);
  const bool has_bytes = p.kind == Pointer::Kind::constants || p.kind == Pointer::Kind::buffer || p.kind == Pointer::Kind::memory ||
                         p.kind == Pointer::Kind::address;
  if (!has_bytes || p.natural || p.component_stride != 0)
    return unsupported("accessing this variable through an untyped pointer as another type");
  if (type->kind == TypeKind::matrix) return unsupported("accessing a matrix through an untyped pointer");
  p.type = place;
  p.matrix_stride = 0;
  p.row_major = false;
}

// Goes to a member, element, column or component: a known one, or one by a value.
void FunctionLowering::step(Pointer& p, std::optional<std::uint64_t> at, Id index) {
  enter_block(p);
  if (context_.interface.type(p.type) == nullptr) return fail(ErrorCode::bad_value, "indexing a pointer to an unknown type");
  const spirv::Type& type = context_.type(p.type);
  if (type.kind == TypeKind::structure && (!at || *at >= type.member_count)) {
    return fail(ErrorCode::bad_value, "a structure must be indexed by a constant within its bounds");
  }
  const std::uint32_t part = context_.part(p.type, type.kind == TypeKind::structure ? static_cast<std::uint32_t>(*at) : 0);
  if (part == kNone) return fail(ErrorCode::bad_value, "indexing a type without members: " + context_.type_text(p.type));
  const auto move = [&](std::uint64_t stride) {
    if (at) {
      p.offset += *at * stride;
    } else {
      add_index(p.index, index, stride);
    }
  };
  switch (p.kind) {
    case Pointer::Kind::resources: {
      std::uint64_t inner = 1;
      for (std::uint32_t place = part; context_.interface.type(place) != nullptr && context_.type(place).kind == TypeKind::array;
           place = context_.part(place, 0))
        inner *= std::max(1U, context_.type(place).count);
      move(inner);
      break;
    }
    case Pointer::Kind::interface: {
      if (p.per_vertex) {
        p.vertex = at ? i32(static_cast<std::uint32_t>(*at)) : resized(index, Type::i32);
        p.per_vertex = false;
      } else if (p.node->kind == Node::Kind::structure || p.node->kind == Node::Kind::elements) {
        if (!at) return unsupported("dynamic indexing of an array of input or output structures");
        if (*at >= p.node->children.size()) return fail(ErrorCode::bad_value, "an index is out of bounds");
        p.node = &p.node->children[*at];
      } else if (type.kind == TypeKind::vector) {
        if (at) {
          p.column = static_cast<std::uint32_t>(*at);
        } else {
          p.column_index = resized(index, Type::i32);
        }
      } else {
        std::uint64_t rows = 1;
        for (std::uint32_t place = part; context_.interface.type(place) != nullptr; place = context_.part(place, 0)) {
          const spirv::Type& inner = context_.type(place);
          if (inner.kind != TypeKind::array && inner.kind != TypeKind::matrix) break;
          rows *= inner.count;
        }
        if (at) {
          p.row += static_cast<std::uint32_t>(*at * rows);
        } else {
          add_index(p.row_index, index, rows);
        }
      }
      break;
    }
    case Pointer::Kind::memory:
    case Pointer::Kind::constants:
    case Pointer::Kind::buffer:
    case Pointer::Kind::address:
      switch (type.kind) {
        case TypeKind::structure: {
          const auto& own = context_.interface.of(context_.interface.members_of(type)[*at]);
          if (p.natural) {
            for (std::uint32_t k = 0; k < *at; ++k) p.offset += context_.size(context_.part(p.type, k));
          } else {
            p.offset += own.offset.value_or(0);
            if (own.matrix_stride) p.matrix_stride = *own.matrix_stride;
            p.row_major = own.row_major;
          }
          if (own.coherent) p.flags = p.flags | Flags::coherent;
          if (own.volatile_) p.flags = p.flags | Flags::volatile_;
          break;
        }
        case TypeKind::matrix: {
          const std::uint64_t scalar = context_.size(context_.scalar_of(p.type));
          if (p.natural) {
            move(context_.size(part));
          } else {
            const auto bytes = scalar == 0 ? 4 : bit_width(context_.scalar(context_.scalar_of(p.type)).value_or(Type::i32)) / 8;
            move(p.row_major ? bytes : p.matrix_stride);
            p.component_stride = p.row_major ? p.matrix_stride : 0;
          }
          break;
        }
        case TypeKind::vector: {
          const std::uint64_t bytes = p.natural ? context_.size(part) : bit_width(context_.scalar(part).value_or(Type::i32)) / 8;
          move(p.component_stride != 0 ? p.component_stride : bytes);
          break;
        }
        default: move(p.natural ? context_.size(part) : context_.interface.of(type).array_stride.value_or(0)); break;
      }
      break;
    default: return unsupported("indexing a pointer of this storage class");
  }
  p.type = part;
}

Id FunctionLowering::offset(const Pointer& p) {
  const Id known_part = i32(static_cast<std::uint32_t>(p.offset));
  if (p.index == kNone) return known_part;
  return p.offset == 0 ? p.index : op(Op::iadd, Type::i32, {p.index, known_part});
}

// --- loads and stores --------------------------------------------------------------------------------------------------------------------

// Scalars that stand beside each other: components of a vector, or one.
void FunctionLowering::load_scalars(const Pointer& from, Type type, unsigned count, Pieces& to) {
  const Type in_memory = memory_type(type);
  const std::uint32_t bytes = from.natural ? lane_bytes(in_memory) : bit_width(in_memory) / 8;
  Pointer p = from;
  const auto add = [&](Id one) { to.push_back(type == Type::b1 ? op(Op::ine, Type::i32, {one, i32(0)}) : one); };
  for (unsigned first = 0; first < count;) {
    const InstOptions options{.flags = from.flags};
    if (from.kind == Pointer::Kind::memory) {
      const auto scope = builder_.component(count == 1 ? kNoComponent : first);
      add(builder_.inst(Op::load, in_memory, {offset(p)}, {.extra = from.variable, .flags = from.flags}));
      ++first;
      p.offset += bytes;
      continue;
    }
    const unsigned some = std::min(count - first, kMostComponents);
    InstOptions with = options;
    with.results = some;
    Id tuple = kNone;
    if (from.kind == Pointer::Kind::constants) {
      tuple = builder_.inst(Op::cbuffer_load, in_memory, {from.handle, offset(p)}, {.results = some});
    } else {
      with.extra = BufferExtra().bits();
      tuple = builder_.inst(Op::buffer_load, in_memory, {from.handle, offset(p)}, with);
    }
    for (unsigned k = 0; k < some; ++k) {
      const auto scope = builder_.component(count == 1 ? kNoComponent : first + k);
      add(builder_.get(tuple, in_memory, k));
    }
    first += some;
    p.offset += std::uint64_t{some} * bytes;
  }
}

void FunctionLowering::store_scalars(const Pointer& to, Type type, std::span<const Id> values) {
  const Type in_memory = memory_type(type);
  const std::uint32_t bytes = to.natural ? lane_bytes(in_memory) : bit_width(in_memory) / 8;
  Pointer p = to;
  Pieces given;
  for (const Id one : values) given.push_back(type == Type::b1 ? op(Op::zext, Type::i32, {one}) : one);
  for (std::size_t first = 0; first < given.size();) {
    if (to.kind == Pointer::Kind::memory) {
      const auto scope = builder_.component(given.size() == 1 ? kNoComponent : first);
      builder_.inst(Op::store, in_memory, {offset(p), given[first]}, {.extra = to.variable, .flags = to.flags});
      ++first;
      p.offset += bytes;
      continue;
    }
    const std::size_t some = std::min<std::size_t>(given.size() - first, kMostComponents);
    std::vector<std::uint32_t> operands{to.handle, offset(p)};
    operands.insert(operands.end(), given.begin() + static_cast<std::ptrdiff_t>(first),
                    given.begin() + static_cast<std::ptrdiff_t>(first + some));
    builder_.inst(Op::buffer_store, in_memory, operands, {.extra = BufferExtra().bits(), .flags = to.flags});
    first += some;
    p.offset += some * bytes;
  }
}

void FunctionLowering::load(const Pointer& from, Pieces& to) {
  if (error_) return;
  Pointer p = from;
  enter_buffer(p);
  if (context_.interface.type(p.type) == nullptr) return fail(ErrorCode::bad_value, "loading a value of an unknown type");
  const spirv::Type& type = context_.type(p.type);
  if (p.kind == Pointer::Kind::resources) {
    const auto handle = [&](std::uint32_t resource) {
      const Id made = op(Op::handle, Type::void_, {offset(p)}, resource);
      builder_.function().insts[made].flags = p.flags;
      return made;
    };
    if (type.kind == TypeKind::array) return unsupported("loading an array of resources");
    to.push_back(handle(p.resource));
    if (p.sampler != kNone) to.push_back(handle(p.sampler));
    return;
  }
  if (context_.count(p.type) == kNone || context_.count(p.type) > kMostLoaded)
    return unsupported("loading a value of type " + context_.type_text(p.type));
  const auto scalar = context_.scalar(p.type);
  if (p.kind == Pointer::Kind::interface) {
    if (scalar) return to.push_back(load_interface(p, *scalar));
  } else if (p.kind != Pointer::Kind::memory && p.kind != Pointer::Kind::constants && p.kind != Pointer::Kind::buffer) {
    return unsupported("loading from a pointer of this storage class");
  } else if (scalar) {
    return load_scalars(p, *scalar, 1, to);
  } else if (type.kind == TypeKind::vector && p.component_stride == 0) {
    if (const auto element = context_.scalar(type.element)) return load_scalars(p, *element, type.count, to);
  }
  for (std::uint32_t k = 0; k < context_.parts(p.type) && !error_; ++k) {
    const auto scope = component_of(type, k);
    Pointer part = p;
    step(part, k, kNone);
    load(part, to);
  }
}

void FunctionLowering::store(const Pointer& to, const Pieces& from, std::size_t& next) {
  if (error_) return;
  Pointer p = to;
  enter_buffer(p);
  if (context_.interface.type(p.type) == nullptr || context_.count(p.type) == kNone)
    return unsupported("storing a value of type " + context_.type_text(p.type));
  const spirv::Type& type = context_.type(p.type);
  const auto scalar = context_.scalar(p.type);
  const auto take = [&](std::size_t count) -> std::span<const Id> {
    if (next + count > from.size())
      return fail(ErrorCode::bad_value, "the type of the stored object differs from that of the variable"), std::span<const Id>{};
    next += count;
    return std::span(from).subspan(next - count, count);
  };
  const bool one_access = scalar || (type.kind == TypeKind::vector && p.component_stride == 0 && p.kind != Pointer::Kind::interface);
  if (one_access) {
    const auto values = take(scalar ? 1 : type.count);
    if (error_) return;
    if (p.kind == Pointer::Kind::interface) return store_interface(p, *scalar, values[0]);
    if (p.kind != Pointer::Kind::memory && p.kind != Pointer::Kind::buffer)
      return unsupported("storing to a pointer of this storage class");
    const auto element = scalar ? scalar : context_.scalar(type.element);
    if (element) store_scalars(p, *element, values);
    return;
  }
  for (std::uint32_t k = 0; k < context_.parts(p.type) && !error_; ++k) {
    const auto scope = component_of(type, k);
    Pointer part = p;
    step(part, k, kNone);
    store(part, from, next);
  }
}

// --- instructions ------------------------------------------------------------------------------------------------------------------------

bool FunctionLowering::memory(const Instruction& i) {
  switch (i.meaning) {
    case Meaning::variable: {
      const spirv::Type* type = context_.interface.type(result_type(i));
      if (type == nullptr || type->kind != TypeKind::pointer) return fail(ErrorCode::bad_value, "a variable must be a pointer"), true;
      Pointer p;
      p.kind = Pointer::Kind::memory;
      const bool is_untyped = i.opcode == Opcode::untyped_variable_khr;
      p.type = is_untyped ? context_.interface.find_type(i.operand(1)) : type->element;
      p.natural = true;
      auto [found, is_new] = locals_.try_emplace(i.result, kNone);
      if (is_new) {
        if (context_.is_too_large(p.type)) return fail(ErrorCode::limit, "the module's variables are too large"), true;
        if (context_.count(p.type) == kNone) return unsupported("a variable of type " + context_.type_text(p.type)), true;
        found->second = context_.add_variable(context_.name_of(i.result), Space::private_, context_.size(p.type));
        if (found->second == kNone) return fail(ErrorCode::limit, "the module's variables are too large"), true;
        context_.describe_memory(found->second, p.type);
      }
      p.variable = found->second;
      const std::size_t initializer = is_untyped ? 2 : 1;
      if (i.operands.size() > initializer) {
        std::size_t next = 0;
        store(p, pieces(i.operand(initializer)), next);
      }
      return pointers_.insert_or_assign(i.result, std::move(p)), true;
    }
    case Meaning::address: {
      const bool is_untyped = i.opcode == Opcode::untyped_access_chain_khr || i.opcode == Opcode::untyped_in_bounds_access_chain_khr ||
                              i.opcode == Opcode::untyped_ptr_access_chain_khr ||
                              i.opcode == Opcode::untyped_in_bounds_ptr_access_chain_khr;
      Pointer p = pointer(i.operand(is_untyped ? 1 : 0));
      std::size_t first = 1;
      if (is_untyped) {
        point_to(p, context_.interface.find_type(i.operand(0)));
        first = 2;
        if (i.opcode == Opcode::untyped_ptr_access_chain_khr || i.opcode == Opcode::untyped_in_bounds_ptr_access_chain_khr) {
          if (known(i.operand(2)) != 0U)
            unsupported("an element other than 0 in " + std::string(spirv::find_opcode(static_cast<std::uint32_t>(i.opcode))->text));
          first = 3;
        }
      }
      if (i.opcode == Opcode::ptr_access_chain || i.opcode == Opcode::in_bounds_ptr_access_chain) {
        step_over(p, i.operand(0), i.operand(1));
        first = 2;
      }
      for (std::size_t k = first; k < i.operands.size() && !error_; ++k) {
        const auto constant_index = known(i.operands[k]);
        // signed indexes are within bounds, and so not negative
        step(p, constant_index, constant_index ? kNone : value(i.operands[k]));
      }
      if (const auto mark = context_.marks.find(i.result); mark != context_.marks.end() && p.kind == Pointer::Kind::resources) {
        p.flags = p.flags | static_cast<Flags>(static_cast<unsigned>(mark->second.flags) & static_cast<unsigned>(Flags::non_uniform));
      }
      if (p.kind == Pointer::Kind::address && !error_) values_.insert_or_assign(i.result, Pieces{device_address(p)});
      // in the block that computes it: phis come after
      if (context_.chooses_pointers && is_address(result_type(i)) && !error_) addresses_.insert_or_assign(i.result, address_of(p));
      return pointers_.insert_or_assign(i.result, std::move(p)), true;
    }
    case Meaning::load: {
      Pointer p = pointer(i.operand(0));
      if (is_untyped(i.operand(0))) point_to(p, result_type(i));
      Pieces made;
      load(p, made);
      return define(i, std::move(made)), true;
    }
    case Meaning::store: {
      Pointer p = pointer(i.operand(0));
      if (is_untyped(i.operand(0))) point_to(p, type_of(i.operand(1)));
      const Pieces from = pieces(i.operand(1));
      if (!error_ && locals_.contains(i.operand(0))) name_stored(i.operand(0), p, from);
      std::size_t next = 0;
      return store(p, from, next), true;
    }
    case Meaning::copy_memory: {
      Pointer to = pointer(i.operand(0));
      Pointer from = pointer(i.operand(1));
      // one of them says what is copied
      if (is_untyped(i.operand(0)) && is_untyped(i.operand(1))) return unsupported("copying between two untyped pointers"), true;
      if (is_untyped(i.operand(0))) point_to(to, from.type);
      if (is_untyped(i.operand(1))) point_to(from, to.type);
      Pieces all;
      load(from, all);
      std::size_t next = 0;
      return store(to, all, next), true;
    }
    case Meaning::texel_address: {
      const Pointer from = pointer(i.operand(0));
      if (error_) return true;
      if (from.kind != Pointer::Kind::resources || context_.interface.type(from.type) == nullptr)
        return unsupported("a texel pointer into something other than an image"), true;
      Pointer p;
      p.kind = Pointer::Kind::texel;
      Pieces handle;
      load(from, handle);
      if (error_) return true;
      p.handle = handle[0];
      p.image = from.type;
      p.coordinates = texel_place(context_.type(from.type), i.operand(1));
      if (context_.type(from.type).image.is_multisampled) p.coordinates.push_back(resized(value(i.operand(2)), Type::i32));
      return pointers_.insert_or_assign(i.result, std::move(p)), true;
    }
    case Meaning::buffer_info: return array_length(i), true;
    case Meaning::atomic_load:
    case Meaning::atomic_store: return atomic(i), true;
    default: break;
  }
  if (atomic_of(i.meaning)) return atomic(i), true;
  return false;
}

void FunctionLowering::array_length(const Instruction& i) {
  const bool is_untyped = i.opcode == Opcode::untyped_array_length_khr;
  Pointer p = pointer(i.operand(is_untyped ? 1 : 0));
  if (is_untyped) point_to(p, context_.interface.find_type(i.operand(0)));
  if (error_) return;
  enter_buffer(p);
  if (p.kind != Pointer::Kind::buffer) return unsupported("the length of an array that is not in a storage buffer");
  step(p, i.operand(is_untyped ? 2 : 1), kNone);
  if (error_) return;
  const std::uint32_t stride = context_.interface.of(context_.type(p.type)).array_stride.value_or(0);
  const TextureExtra extra(dxcontainer::ResourceDimension::raw_buffer);
  const Id bytes = builder_.inst(Op::query_size, Type::void_, {p.handle}, {.extra = extra.bits(), .results = 1});
  const Id end = i32(static_cast<std::uint32_t>(p.offset));
  // a buffer that ends before the array has no elements
  const Id rest = op(Op::isub, Type::i32, {op(Op::umax, Type::i32, {bytes, end}), end});
  define(i, op(Op::udiv, Type::i32, {rest, i32(std::max(1U, stride))}));
}

void FunctionLowering::atomic(const Instruction& i) {
  const bool stores = i.meaning == Meaning::atomic_store;
  Pointer p = pointer(i.operand(0));
  if (is_untyped(i.operand(0))) point_to(p, stores ? type_of(i.operand(3)) : result_type(i));
  if (error_) return;
  enter_buffer(p);
  p.flags = p.flags | Flags::coherent | Flags::volatile_;
  if (i.meaning == Meaning::atomic_load && p.kind != Pointer::Kind::texel) {
    Pieces made;
    load(p, made);
    return define(i, std::move(made));
  }
  if (stores && p.kind != Pointer::Kind::texel) {
    std::size_t next = 0;
    return store(p, pieces(i.operand(3)), next);
  }
  const bool loads = i.meaning == Meaning::atomic_load;
  const AtomicOp what = loads ? AtomicOp::or_ : stores ? AtomicOp::exchange : *atomic_of(i.meaning);
  Type type = Type::i32;
  if (stores) {
    type = builder_.type_of(value(i.operand(3)));
  } else {
    type = result_scalar(i);
  }
  Pieces values;
  switch (i.meaning) {
    case Meaning::atomic_load: values.push_back(builder_.constant(type, 0)); break;
    case Meaning::atomic_increment: values.push_back(builder_.constant(type, 1)); break;
    case Meaning::atomic_decrement: values.push_back(builder_.constant(type, ~std::uint64_t{0})); break;
    case Meaning::atomic_isub: values.push_back(op(Op::ineg, type, {value(i.operand(3))})); break;
    case Meaning::atomic_compare_exchange:
      values.push_back(value(i.operand(4)));
      values.push_back(value(i.operand(5)));
      break;
    default: values.push_back(value(i.operand(3))); break;
  }
  if (error_) return;
  if (p.kind == Pointer::Kind::texel) return texel_atomic(i, p, what, values);
  std::vector<std::uint32_t> operands;
  Op how = Op::atomic;
  std::uint32_t extra = 0;
  if (p.kind == Pointer::Kind::memory) {
    operands.push_back(offset(p));
    extra = AtomicExtra(p.variable, what).bits();
  } else if (p.kind == Pointer::Kind::buffer) {
    operands = {p.handle, offset(p)};
    BufferExtra buffer;
    buffer.op = what;
    extra = buffer.bits();
    how = Op::buffer_atomic;
  } else {
    return unsupported("an atomic operation on a pointer of this storage class");
  }
  operands.insert(operands.end(), values.begin(), values.end());
  const Id made = builder_.inst(how, type, operands, {.extra = extra});
  if (i.result != 0) define(i, made);
}

}  // namespace unshade::ir::lower_spirv
