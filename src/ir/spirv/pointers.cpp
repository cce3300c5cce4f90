// Pointers that are selected at run time: of storage buffers a handle and an offset, of group memory an offset.
// src: SPIR-V specification, 2.16.1 "Universal Validation Rules", variable pointers
#include <algorithm>

#include "ir/spirv/function.hpp"

namespace unshade::ir::lower_spirv {
namespace {

/// Beyond all variables of a space: loads give 0, stores are dropped.
constexpr std::uint32_t kOutside = 0xf000'0000;

}  // namespace

bool FunctionLowering::is_address(std::uint32_t place) const {
  const spirv::Type* type = context_.interface.type(place);
  return type != nullptr && type->kind == TypeKind::pointer &&
         (type->storage == StorageClass::storage_buffer || type->storage == StorageClass::workgroup);
}

bool FunctionLowering::is_device_address(std::uint32_t place) const {
  const spirv::Type* type = context_.interface.type(place);
  return type != nullptr && type->kind == TypeKind::pointer && type->storage == StorageClass::physical_storage_buffer;
}

Id FunctionLowering::device_address(const Pointer& p) {
  if (p.offset == 0 && p.index == kNone) return p.address;
  const Id moved = op(Op::sext, Type::i64, {offset(p)});
  return op(Op::iadd, Type::i64, {p.address, moved});
}

void FunctionLowering::flatten(std::uint32_t place, std::vector<Type>& types) {
  if (!is_address(place)) return context_.flatten(place, types);
  if (context_.type(place).storage == StorageClass::storage_buffer) types.push_back(Type::handle);
  types.push_back(Type::i32);
}

/// Group memory as a whole.
std::uint32_t FunctionLowering::arena() {
  if (arena_ == kNone) {
    arena_ = static_cast<std::uint32_t>(context_.out.variables.size());
    context_.out.variables.push_back(
        {"", Space::group, 0, static_cast<std::uint32_t>(context_.space_bytes[static_cast<std::size_t>(Space::group)]), {}});
  }
  return arena_;
}

// The values of a pointer.
Pieces FunctionLowering::address(std::uint32_t id) {
  if (const auto found = addresses_.find(id); found != addresses_.end()) return found->second;
  const std::uint32_t type = type_of(id);
  const auto definition = context_.ids.definition(id);
  if (!is_address(type) || !definition) return unsupported("using a pointer of this storage class as a value"), Pieces{};
  const bool is_buffer = context_.type(type).storage == StorageClass::storage_buffer;
  // what follows is the same everywhere
  const BlockId before = builder_.at();
  builder_.at(entry_);
  Pieces made;
  if (definition->opcode() == Opcode::constant_null || definition->opcode() == Opcode::undef) {
    if (is_buffer) made.push_back(op(Op::handle_null, Type::void_, {}));
    made.push_back(i32(kOutside));
  } else {
    const Pointer p = pointer(id);
    if (p.index != kNone || p.handle != kNone) {
      unsupported("using a pointer to an array element or resource as a value");
    } else {
      made = address_of(p);
    }
  }
  builder_.at(before);
  if (!error_) addresses_.emplace(id, made);
  return made;
}

Pieces FunctionLowering::address_of(Pointer p) {
  if (error_) return {};
  enter_block(p);
  if (p.component_stride != 0) return unsupported("using a pointer to a column of a row-major matrix as a value"), Pieces{};
  if (p.kind == Pointer::Kind::buffer) return {p.handle, offset(p)};
  if (p.kind != Pointer::Kind::memory || context_.out.variables[p.variable].space != Space::group)
    return unsupported("using a pointer of this storage class as a value"), Pieces{};
  p.offset += context_.out.variables[p.variable].offset;
  return {offset(p)};
}

Pointer FunctionLowering::pointer_of(std::uint32_t place, const Pieces& address) {
  Pointer p;
  if (address.empty()) return p;
  p.type = context_.type(place).element;
  p.index = address.back();
  if (address.size() == 2) {
    p.kind = Pointer::Kind::buffer;
    p.handle = address[0];
  } else {
    p.kind = Pointer::Kind::memory;
    p.variable = arena();
    p.natural = !context_.explicit_group_layout;
  }
  return p;
}

void FunctionLowering::define_address(const Instruction& i, Pieces address) {
  pointers_.insert_or_assign(i.result, pointer_of(result_type(i), address));
  addresses_.insert_or_assign(i.result, std::move(address));
}

Pieces FunctionLowering::any_pieces(std::uint32_t id) { return is_address(type_of(id)) ? address(id) : pieces(id); }

void FunctionLowering::define_any(const Instruction& i, Pieces pieces) {
  if (is_address(result_type(i))) return define_address(i, std::move(pieces));
  define(i, std::move(pieces));
}

// OpPtrAccessChain: over elements of the array that the pointer points into.
void FunctionLowering::step_over(Pointer& p, std::uint32_t base, std::uint32_t element) {
  enter_block(p);
  const auto at = known(element);
  if (at == 0U || error_) return;
  if (p.kind != Pointer::Kind::buffer && p.kind != Pointer::Kind::memory && p.kind != Pointer::Kind::address)
    return unsupported("OpPtrAccessChain of a pointer of this storage class");
  const std::uint64_t stride =
      p.natural ? context_.size(p.type) : context_.interface.of(context_.type(type_of(base))).array_stride.value_or(0);
  if (stride == 0) return fail(ErrorCode::bad_value, "the pointer has no ArrayStride");
  if (at) {
    p.offset += *at * stride;
  } else {
    add_index(p.index, value(element), stride);
  }
}

// Comparisons and differences.
bool FunctionLowering::addresses(const Instruction& i) {
  if (i.opcode != Opcode::ptr_equal && i.opcode != Opcode::ptr_not_equal && i.opcode != Opcode::ptr_diff) return false;
  if (is_device_address(type_of(i.operand(0)))) return unsupported("comparing physical storage buffer pointers"), true;
  const Pieces a = address(i.operand(0));
  const Pieces b = address(i.operand(1));
  if (error_) return true;
  if (i.opcode == Opcode::ptr_diff) {
    const std::uint32_t type = type_of(i.operand(0));
    const std::uint64_t stride = context_.explicit_group_layout || a.size() == 2
                                     ? context_.interface.of(context_.type(type)).array_stride.value_or(1)
                                     : context_.size(context_.type(type).element);
    const Id bytes = op(Op::isub, Type::i32, {a.back(), b.back()});
    const Id elements = op(Op::idiv, Type::i32, {bytes, i32(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, stride)))});
    return define(i, resized(elements, result_scalar(i), true)), true;
  }
  if (a.size() == 2 && a[0] != b[0] && !(builder_.function().insts[a[0]].op == Op::handle_null) &&
      !(builder_.function().insts[b[0]].op == Op::handle_null))
    return unsupported("comparing pointers into different buffers"), true;
  const Id same = op(Op::ieq, Type::i32, {a.back(), b.back()});
  return define(i, i.opcode == Opcode::ptr_equal ? same : not_(same)), true;
}

}  // namespace unshade::ir::lower_spirv
