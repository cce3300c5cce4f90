// Calls of DXIL's operations, but those on resources.
#include <algorithm>
#include <array>

#include "ir/dxil/function.hpp"

namespace unshade::ir::lower_dxil {

std::uint64_t FunctionLowering::constant(const dxil::Call& call, dxil::Parameter parameter) {
  const auto known = call.constant(parameter);
  if (!known) fail(ErrorCode::bad_value, "an argument of " + std::string(call.row().text) + " must be a constant");
  return known.value_or(0);
}

Type FunctionLowering::overload(const dxil::Call& call) const {
  const std::uint32_t type = call.overload();
  return type == dxil::kNone ? Type::i32 : context_.scalar(context_.query.scalar_of(type)).value_or(Type::i32);
}

// What is computed of the arguments alone, in their order: the same on each element of vectors. False if it is something else.
bool FunctionLowering::componentwise(const dxil::Call& call, Meaning meaning) {
  const auto what = op_of(meaning);
  const std::string_view letters = what ? info(*what).operands : "t";
  const std::string_view results = what ? info(*what).results : "t";
  SmallVector<const Pieces*, 8> arguments;
  std::size_t elements = 1;
  for (std::size_t at = 0; at < call.row().parameter_count; ++at) {
    arguments.push_back(&pieces(call.argument_at(at)));
    if (arguments.back()->empty())
      return fail(ErrorCode::unsupported, "passing a pointer to " + std::string(call.row().text) + " is not supported"), true;
    elements = std::max(elements, arguments.back()->size());
  }
  if (results.size() > 1 && elements > 1) return false;
  const auto given = context_.scalar(context_.query.scalar_of(call.instruction().type));
  const std::size_t typed = letters.find('t');
  Type type = Type::void_;
  Pieces made;
  Pieces operands(arguments.size());
  for (std::size_t element = 0; element < elements; ++element) {
    for (std::size_t at = 0; at < operands.size(); ++at) operands[at] = (*arguments[at])[std::min(element, arguments[at]->size() - 1)];
    type = typed < operands.size() ? builder_.type_of(operands[typed]) : given.value_or(Type::void_);
    const auto scope = builder_.component(elements == 1 ? kNoComponent : element);
    made.push_back(lower_meaning(builder_, meaning, type, operands, flags_));
    if (made.back() == kNone) return false;
  }
  if (results.size() > 1) {
    Types types;
    for (const char letter : results) types.push_back(letter == 't' ? type : Type::i32);
    made = members(made[0], types);
  }
  if (!results.empty()) define(call.instruction(), std::move(made));
  return true;
}

void FunctionLowering::operation(const dxil::Call& call) {
  const Instruction& i = call.instruction();
  const Meaning meaning = meaning_of(call.row());
  const Type type = overload(call);
  const auto a = [&](std::size_t at) { return argument(call, at); };
  const auto make = [&](Op what, Type of, std::initializer_list<Id> operands, std::uint32_t extra = 0) {
    define(i, op(what, of, operands, extra));
  };
  const auto pair = [&](Op first, Op second) {
    const Id x = a(0);
    const Id y = a(1);
    define(i, Pieces{op(first, type, {x, y}), op(second, type, {x, y})});
  };
  if (const auto which = builtin_of(meaning)) return builtin(call, *which);
  if (resource_operation(call, meaning)) return;
  switch (meaning) {
    case Meaning::unsupported: return unsupported(call.row().text);
    case Meaning::nothing: return;
    case Meaning::input:
    case Meaning::control_point:
    case Meaning::patch_constant: return input(call, meaning);
    case Meaning::output:
    case Meaning::patch_output: return output(call, meaning);
    case Meaning::eval_snapped:
    case Meaning::eval_sample_index:
    case Meaning::eval_centroid: return interpolate(call, meaning);

    case Meaning::imul_wide: return pair(Op::imul_high, Op::imul);
    case Meaning::umul_wide: return pair(Op::umul_high, Op::imul);
    case Meaning::udiv_rem: return pair(Op::udiv, Op::urem);
    case Meaning::add_carry:
    case Meaning::sub_borrow: {
      const Id both = op(*op_of(meaning), type, {a(0), a(1)});
      return define(i, Pieces{builder_.get(both, type, 0), op(Op::ine, type, {builder_.get(both, type, 1), builder_.constant(type, 0)})});
    }
    case Meaning::ibfe:
    case Meaning::ubfe: return make(*op_of(meaning), type, {a(2), a(1), a(0)});  // width, offset, value
    case Meaning::bfi: return make(Op::bfi, type, {a(2), a(3), a(1), a(0)});     // width, offset, value, replaced value
    case Meaning::fdot:
    case Meaning::fdot2:
    case Meaning::fdot3:
    case Meaning::fdot4: return dot(call);
    case Meaning::reduce_and:
    case Meaning::reduce_or: {
      const Pieces& from = pieces(call.argument_at(0));
      if (from.empty()) return unsupported("a vector of no elements");
      Id all = from[0];
      for (std::size_t k = 1; k < from.size(); ++k) {
        all = op(meaning == Meaning::reduce_and ? Op::iand : Op::ior, builder_.type_of(from[0]), {all, from[k]});
      }
      return define(i, all);
    }
    case Meaning::bitcast: {
      const bool is_small = context_.query.is(i.type, dxil::TypeKind::half) || context_.query.is_integer(i.type, 16);
      if (is_small && context_.minimum_precision) return unsupported(std::string(call.row().text) + " of minimum precision");
      return define(i, builder_.as(context_.scalar(i.type).value_or(Type::i32), a(0)));
    }
    case Meaning::dot2_add:
      if (context_.minimum_precision) return unsupported(std::string(call.row().text) + " of minimum precision");
      break;
    case Meaning::unpack_i8: {
      const Type to = context_.scalar(context_.query.scalar_of(module_.parts_of(context_.query.type(i.type))[0])).value_or(Type::i32);
      const auto mode = constant(call, "unpackMode") == 0 ? Unpack::zero_extend : Unpack::sign_extend;
      const Id four = op(Op::unpack_i8, to, {argument(call, "pk")}, static_cast<std::uint32_t>(mode));
      return define(i, members(four, std::array{to, to, to, to}));
    }
    case Meaning::pack_i8: {
      const std::uint64_t mode = constant(call, "packMode");
      const auto how = mode == 0 ? Pack::truncate : mode == 1 ? Pack::clamp_unsigned : Pack::clamp_signed;
      const Id x = argument(call, "x");
      return make(Op::pack_i8, builder_.type_of(x), {x, argument(call, "y"), argument(call, "z"), argument(call, "w")},
                  static_cast<std::uint32_t>(how));
    }

    case Meaning::emit:
    case Meaning::emit_cut:
    case Meaning::cut: {
      const auto stream = static_cast<std::uint32_t>(constant(call, "streamId"));
      if (meaning != Meaning::cut) builder_.inst(Op::emit, Type::void_, {}, {.extra = stream});
      if (meaning != Meaning::emit) builder_.inst(Op::cut, Type::void_, {}, {.extra = stream});
      return;
    }
    case Meaning::demote: builder_.inst(Op::demote, Type::void_, {argument(call, "condition")}); return;
    case Meaning::false_: return define(i, builder_.b1(false));
    case Meaning::barrier: return barrier(call);
    case Meaning::mesh_index:
    case Meaning::payload:
    case Meaning::dispatch_mesh: return mesh(call, meaning);
    case Meaning::quad_swap:
    case Meaning::quad_vote:
    case Meaning::wave_reduce:
    case Meaning::wave_scan:
    case Meaning::wave_multi_scan:
    case Meaning::wave_bit_count:
    case Meaning::wave_scan_bits:
    case Meaning::wave_multi_scan_bits: return wave(call, meaning);
    default: break;
  }
  if (!componentwise(call, meaning)) unsupported(call.row().text);
}

// Of two vectors, or of the elements of one and then those of the other.
void FunctionLowering::dot(const dxil::Call& call) {
  Pieces all;
  for (std::size_t at = 0; at < call.row().parameter_count; ++at) {
    const Pieces& some = pieces(call.argument_at(at));
    all.append(some);
  }
  const std::size_t count = all.size() / 2;
  if (count == 0 || all.size() % 2 != 0)
    return unsupported(std::string(call.row().text) + " with " + std::to_string(all.size()) + " scalar operands");
  const Type type = builder_.type_of(all[0]);
  Id sum = op(Op::fmul, type, {all[0], all[count]});
  for (std::size_t k = 1; k < count; ++k) sum = op(Op::fmad, type, {all[k], all[count + k], sum});
  define(call.instruction(), sum);
}

// --- inputs and outputs ------------------------------------------------------------------------------------------------------------------

// What the arguments name of all operations on elements of signatures: the element, its row and its component, in this order.
ElementExtra FunctionLowering::element(const dxil::Call& call, SignatureKind kind) {
  const auto& elements = kind == SignatureKind::input    ? context_.entry.inputs
                         : kind == SignatureKind::output ? context_.entry.outputs
                                                         : context_.entry.patch_or_primitives;
  const std::uint64_t wanted = constant(call, 0);
  const auto found = std::ranges::find(elements, wanted, &dxil::MetadataElement::id);
  const std::uint64_t component = constant(call, 2);
  if (found == elements.end() || component >= found->columns) {
    fail(ErrorCode::bad_value, std::string(call.row().text) + " names an element or component that the signature does not have");
    return {};
  }
  return {kind, static_cast<std::uint16_t>(found - elements.begin()), static_cast<std::uint8_t>(component)};
}

void FunctionLowering::add_row(const dxil::Call& call, ElementExtra& extra, Operands& operands) {
  const std::uint32_t row = call.argument_at(1);
  extra.has_row = context_.query.integer_of(&body_, row) != std::uint64_t{0};
  if (extra.has_row) operands.push_back(value(row));
}

void FunctionLowering::input(const dxil::Call& call, Meaning meaning) {
  const bool in_hull = context_.out.stage == Stage::hull;
  const bool is_patch = meaning == Meaning::patch_constant;
  const bool is_output = in_hull && meaning == Meaning::control_point;
  ElementExtra extra = element(call, is_patch ? SignatureKind::patch : is_output ? SignatureKind::output : SignatureKind::input);
  Operands operands;
  extra.has_vertex = call.has("gsVertexAxis") ? !call.is_undefined("gsVertexAxis") : call.row().parameter_count > 3;
  if (extra.has_vertex) {
    const Id at = argument(call, 3);
    operands.push_back(builder_.type_of(at) == Type::i32 ? at : op(Op::zext, Type::i32, {at}));
  }
  add_row(call, extra, operands);
  const bool reads_output = is_output || (is_patch && in_hull);
  define(call.instruction(), builder_.inst(reads_output ? Op::output_load : Op::input, overload(call), operands, {.extra = extra.bits()}));
}

void FunctionLowering::output(const dxil::Call& call, Meaning meaning) {
  ElementExtra extra = element(call, meaning == Meaning::patch_output ? SignatureKind::patch : SignatureKind::output);
  Operands operands;
  extra.has_vertex = call.row().parameter_count > 4;  // or the primitive
  if (extra.has_vertex) operands.push_back(argument(call, 4));
  add_row(call, extra, operands);
  operands.push_back(argument(call, 3));
  builder_.inst(Op::output, overload(call), operands, {.extra = extra.bits()});
}

void FunctionLowering::interpolate(const dxil::Call& call, Meaning meaning) {
  ElementExtra extra = element(call, SignatureKind::input);
  Operands operands;
  add_row(call, extra, operands);
  if (meaning == Meaning::eval_snapped) {
    extra.place = ElementExtra::Place::offset;
    // the least four bits, signed: sixteenths of a pixel
    operands.push_back(op(Op::ibfe, Type::i32, {argument(call, "offsetX"), i32(0), i32(4)}));
    operands.push_back(op(Op::ibfe, Type::i32, {argument(call, "offsetY"), i32(0), i32(4)}));
  } else if (meaning == Meaning::eval_sample_index) {
    extra.place = ElementExtra::Place::sample;
    operands.push_back(argument(call, "sampleIndex"));
  } else {
    extra.place = ElementExtra::Place::centroid;
  }
  define(call.instruction(), builder_.inst(Op::interpolate, overload(call), operands, {.extra = extra.bits()}));
}

void FunctionLowering::builtin(const dxil::Call& call, Builtin which) {
  const BuiltinInfo& row = info(which);
  const auto component = [&](std::uint64_t at) {
    return builder_.inst(Op::builtin, row.type, {}, {.extra = BuiltinExtra(which, static_cast<std::uint8_t>(at)).bits()});
  };
  if (!call.has("component")) return define(call.instruction(), component(0));
  if (const auto known = call.constant("component")) {
    return define(call.instruction(), *known < row.components ? component(*known) : builder_.undef(row.type));
  }
  const Id wanted = argument(call, "component");
  const Type type = builder_.type_of(wanted);
  Id found = component(0);
  for (std::uint64_t at = 1; at < row.components; ++at) {
    found = op(Op::select, row.type, {op(Op::ieq, type, {wanted, builder_.constant(type, at)}), component(at), found});
  }
  define(call.instruction(), found);
}

// --- lanes -------------------------------------------------------------------------------------------------------------------------------

// How the values of lanes become one. src: DXC DxilConstants.h: WaveOpKind, WaveBitOpKind, WaveMultiPrefixOpKind, SignedOpKind
Reduction FunctionLowering::reduction(const dxil::Call& call, Meaning meaning) {
  const std::uint64_t kind = constant(call, "op");
  const bool real = is_float(overload(call));
  if (meaning == Meaning::wave_multi_scan) {
    constexpr std::array kKinds{Reduction::iadd, Reduction::and_, Reduction::or_, Reduction::xor_, Reduction::imul};
    const Reduction how = kKinds[std::min<std::uint64_t>(kind, 4)];
    return !real ? how : how == Reduction::imul ? Reduction::fmul : Reduction::fadd;
  }
  if (!call.has("sop")) {
    constexpr std::array kBits{Reduction::and_, Reduction::or_, Reduction::xor_};
    return kBits[std::min<std::uint64_t>(kind, 2)];
  }
  const bool is_unsigned = constant(call, "sop") == 1;
  switch (kind) {
    case 0: return real ? Reduction::fadd : Reduction::iadd;
    case 1: return real ? Reduction::fmul : Reduction::imul;
    case 2: return real ? Reduction::fmin : is_unsigned ? Reduction::umin : Reduction::smin;
    default: return real ? Reduction::fmax : is_unsigned ? Reduction::umax : Reduction::smax;
  }
}

void FunctionLowering::wave(const dxil::Call& call, Meaning meaning) {
  const auto a = [&](std::size_t at) { return argument(call, at); };
  const auto each = [&](Op what, std::uint32_t extra) {
    Pieces made;
    for (const Id x : pieces(call.argument_at(0))) {
      Operands operands{x};
      if (what == Op::wave_multi_scan) operands.append(std::array{a(1), a(2), a(3), a(4)});
      made.push_back(builder_.inst(what, builder_.type_of(x), operands, {.extra = extra, .flags = flags_}));
    }
    define(call.instruction(), std::move(made));
  };
  // lanes whose condition holds
  const auto count = [&](Op what, bool inclusive) {
    Operands operands{op(Op::zext, Type::i32, {a(0)})};
    if (what == Op::wave_multi_scan) operands.append(std::array{a(1), a(2), a(3), a(4)});
    const ReductionExtra extra(Reduction::iadd, inclusive);
    define(call.instruction(), builder_.inst(what, Type::i32, operands, {.extra = extra.bits(), .flags = flags_}));
  };
  switch (meaning) {
    case Meaning::quad_swap: return each(Op::quad_swap, static_cast<std::uint32_t>(constant(call, "op")));
    case Meaning::quad_vote: {
      const Id vote = a(0);
      return define(call.instruction(), op(constant(call, "op") == 0 ? Op::quad_any : Op::quad_all, Type::void_, {vote}));
    }
    case Meaning::wave_bit_count: return count(Op::wave_reduce, true);
    case Meaning::wave_scan_bits: return count(Op::wave_scan, false);
    case Meaning::wave_multi_scan_bits: return count(Op::wave_multi_scan, false);
    default: return each(*op_of(meaning), ReductionExtra(reduction(call, meaning), meaning == Meaning::wave_reduce).bits());
  }
}

// A barrier ends its block. src: DXC DxilConstants.h, BarrierMode, MemoryTypeFlag, BarrierSemanticFlag
void FunctionLowering::barrier(const dxil::Call& call) {
  std::uint32_t bits = 0;
  if (call.has("barrierMode")) {
    const std::uint64_t mode = constant(call, "barrierMode");
    bits = ((mode & 1) != 0 ? kSyncGroup : 0U) | ((mode & 6) != 0 ? kDeviceMemory : 0U) | ((mode & 8) != 0 ? kGroupMemory : 0U);
  } else {
    const std::uint64_t semantics = constant(call, "SemanticFlags");
    const std::uint64_t memory = call.has("MemoryTypeFlags") ? constant(call, "MemoryTypeFlags") : 1;
    bits = ((semantics & 1) != 0 ? kSyncGroup : 0U) | ((memory & 1) != 0 ? kDeviceMemory : 0U) | ((memory & 2) != 0 ? kGroupMemory : 0U);
  }
  builder_.inst(Op::barrier, Type::void_, {}, {.extra = bits});
  builder_.jump(++next_block_);
  builder_.at(next_block_);
}

void FunctionLowering::mesh(const dxil::Call& call, Meaning meaning) {
  if (meaning == Meaning::mesh_index) {
    const Id primitive = argument(call, "PrimitiveIndex");
    const Id vertices[] = {argument(call, "VertexIndex0"), argument(call, "VertexIndex1"), argument(call, "VertexIndex2")};
    for (std::uint32_t corner = 0; corner < corners_of(context_.out.info.mesh_topology); ++corner)
      builder_.inst(Op::mesh_index, Type::void_, {primitive, i32(corner), vertices[corner]});
    return;
  }
  if (meaning == Meaning::payload) {
    if (context_.payload == kNone) {
      const std::uint32_t type = module_.element_of(call.instruction().type);
      context_.payload = context_.add_variable("payload", Space::payload, context_.layout.size_of(type));
      context_.describe_memory(context_.payload, type);
    }
    allocas_[call.instruction().value] = context_.payload;
    return;
  }
  // the payload is copied to the memory that mesh shaders read
  const std::uint64_t bytes = context_.layout.size_of(module_.element_of(call.type_of("payload")));
  const auto from = place(call.argument("payload"));
  if (!from) return;
  if (bytes > 16384) return fail(ErrorCode::limit, "the payload is larger than 16 KiB");
  if (context_.payload == kNone) context_.payload = context_.add_variable("payload", Space::payload, bytes);
  for (std::uint64_t k = 0; k < bytes; k += 4) {
    const Id word = builder_.inst(Op::load, Type::i32, {at(*from, k)}, {.extra = from->variable});
    builder_.inst(Op::store, Type::i32, {i32(static_cast<std::uint32_t>(k)), word}, {.extra = context_.payload});
  }
  builder_.inst(Op::dispatch_mesh, Type::void_,
                {argument(call, "threadGroupCountX"), argument(call, "threadGroupCountY"), argument(call, "threadGroupCountZ")});
}

}  // namespace unshade::ir::lower_dxil
