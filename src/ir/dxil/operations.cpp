// Calls of DXIL's operations, but those on resources.
#include <algorithm>
#include <array>

#include "ir/dxil/function.hpp"

namespace unshade::ir::lower_dxil {
namespace {

using dxil::Operation;

// src: DXC DxilConstants.h: WaveOpKind, WaveBitOpKind, WaveMultiPrefixOpKind, SignedOpKind
Reduction reduction(std::uint64_t kind, bool is_unsigned, Type type) {
  const bool real = is_float(type);
  switch (kind) {
    case 0: return real ? Reduction::fadd : Reduction::iadd;
    case 1: return real ? Reduction::fmul : Reduction::imul;
    case 2: return real ? Reduction::fmin : is_unsigned ? Reduction::umin : Reduction::smin;
    default: return real ? Reduction::fmax : is_unsigned ? Reduction::umax : Reduction::smax;
  }
}

std::uint32_t barrier_bits_of_mode(std::uint64_t mode) {
  return ((mode & 1) != 0 ? kSyncGroup : 0U) | ((mode & 6) != 0 ? kDeviceMemory : 0U) | ((mode & 8) != 0 ? kGroupMemory : 0U);
}

}  // namespace

std::uint64_t FunctionLowering::constant(const dxil::Call& call, dxil::Parameter parameter) {
  const auto known = call.constant(parameter);
  if (!known) fail(ErrorCode::bad_value, "an argument of " + std::string(call.row().text) + " must be a constant");
  return known.value_or(0);
}

Type FunctionLowering::overload(const dxil::Call& call) const {
  const std::uint32_t type = call.overload();
  return type == dxil::kNone ? Type::i32 : context_.scalar(context_.query.scalar_of(type)).value_or(Type::i32);
}

// Operations that are one of the IR's: the same on each element of vectors.
bool FunctionLowering::direct(const dxil::Call& call) {
  const auto what = op_of(call.row().sem);
  if (!what) return false;
  std::vector<Pieces> arguments;
  std::size_t elements = 1;
  for (std::size_t k = 0; k < call.size(); ++k) {
    arguments.push_back(pieces(call.argument_at(k)));
    elements = std::max(elements, arguments.back().size());
  }
  Pieces made;
  std::vector<std::uint32_t> operands;
  for (std::size_t element = 0; element < elements; ++element) {
    operands.clear();
    for (const Pieces& argument : arguments) {
      if (argument.empty()) return fail(ErrorCode::unsupported, "a pointer as an argument of " + std::string(call.row().text)), true;
      operands.push_back(argument[std::min(element, argument.size() - 1)]);
    }
    const Type type = operands.empty() ? overload(call) : builder_.type_of(operands[0]);
    made.push_back(builder_.inst(*what, type, operands, {.flags = flags_}));
  }
  define(call.instruction(), std::move(made));
  return true;
}

Id FunctionLowering::dot(const dxil::Call& call, unsigned count) {
  // the elements of a, then those of b
  const auto element = [&](std::size_t at) { return value(call.argument_at(at)); };
  const Type type = overload(call);
  Id sum = op(Op::fmul, type, {element(0), element(count)});
  for (std::size_t k = 1; k < count; ++k) sum = op(Op::fmad, type, {element(k), element(count + k), sum});
  return sum;
}

void FunctionLowering::operation(const dxil::Call& call) {
  const Instruction& i = call.instruction();
  const auto simple = [&](Op what, Type type, std::initializer_list<std::uint32_t> operands, std::uint32_t extra = 0) {
    define(i, op(what, type, operands, extra));
  };
  const auto each = [&](auto&& make) {  // of one argument that may be a vector
    Pieces made;
    for (const Id piece : pieces(call.argument_at(0))) made.push_back(make(piece));
    define(i, std::move(made));
  };
  const auto classify = [&](std::uint32_t classes) { each([&](Id x) { return op(Op::fclass, builder_.type_of(x), {x}, classes); }); };
  const auto from_top = [&](Op what) {  // DXIL counts from the highest bit
    each([&](Id x) {
      const Id bit = op(what, builder_.type_of(x), {x});
      const Id none = op(Op::ieq, Type::i32, {bit, i32(0xffff'ffff)});
      const Id counted = op(Op::isub, Type::i32, {i32(bit_width(builder_.type_of(x)) - 1), bit});
      return op(Op::select, Type::i32, {none, bit, counted});
    });
  };
  const auto bits_as = [&](Type type) { define(i, builder_.as(type, value(call.argument_at(0)))); };
  const Type type = overload(call);
  if (resource_operation(call)) return;
  switch (call.operation()) {
    case Operation::load_input:
    case Operation::load_output_control_point:
    case Operation::load_patch_constant:
    case Operation::attribute_at_vertex: return input(call);
    case Operation::store_output:
    case Operation::store_patch_constant:
    case Operation::store_vertex_output:
    case Operation::store_primitive_output: return output(call);
    case Operation::eval_snapped:
    case Operation::eval_sample_index:
    case Operation::eval_centroid: return interpolate(call);

    case Operation::is_nan: return classify(kNan);
    case Operation::is_inf: return classify(kInfinite);
    case Operation::is_finite: return classify(kFinite);
    case Operation::is_normal: return classify(kNormal);
    case Operation::firstbit_lo: return each([&](Id x) { return op(Op::first_low, builder_.type_of(x), {x}); });
    case Operation::firstbit_hi: return from_top(Op::first_high);
    case Operation::firstbit_shi: return from_top(Op::first_high_signed);
    case Operation::imul:
    case Operation::umul: {
      const Id a = argument(call, "a");
      const Id b = argument(call, "b");
      const Op high = call.operation() == Operation::imul ? Op::imul_high : Op::umul_high;
      return define(i, Pieces{op(high, type, {a, b}), op(Op::imul, type, {a, b})});
    }
    case Operation::udiv: {
      const Id a = argument(call, "a");
      const Id b = argument(call, "b");
      return define(i, Pieces{op(Op::udiv, type, {a, b}), op(Op::urem, type, {a, b})});
    }
    case Operation::uaddc:
    case Operation::usubb: {
      const Id both =
          op(call.operation() == Operation::uaddc ? Op::add_carry : Op::sub_borrow, type, {argument(call, "a"), argument(call, "b")});
      return define(i, Pieces{builder_.get(both, type, 0), op(Op::ine, type, {builder_.get(both, type, 1), builder_.constant(type, 0)})});
    }
    case Operation::imad:
    case Operation::umad: {
      const Pieces a = pieces(call.argument("a"));
      const Pieces b = pieces(call.argument("b"));
      const Pieces c = pieces(call.argument("c"));
      Pieces made;
      for (std::size_t k = 0; k < a.size() && k < b.size() && k < c.size(); ++k) {
        made.push_back(op(Op::iadd, type, {op(Op::imul, type, {a[k], b[k]}), c[k]}));
      }
      return define(i, std::move(made));
    }
    case Operation::ibfe:
    case Operation::ubfe:  // width, offset, value
      return simple(call.operation() == Operation::ibfe ? Op::ibfe : Op::ubfe, type,
                    {argument(call, "c"), argument(call, "b"), argument(call, "a")});
    case Operation::bfi:
      return simple(Op::bfi, type,
                    {argument(call, "value"), argument(call, "replacedValue"), argument(call, "offset"), argument(call, "width")});
    case Operation::dot2: return define(i, dot(call, 2));
    case Operation::dot3: return define(i, dot(call, 3));
    case Operation::dot4: return define(i, dot(call, 4));
    case Operation::fdot: {
      const Pieces a = pieces(call.argument("a"));
      const Pieces b = pieces(call.argument("b"));
      if (a.empty() || a.size() != b.size()) return unsupported("FDot of these operands");
      Id sum = op(Op::fmul, builder_.type_of(a[0]), {a[0], b[0]});
      for (std::size_t k = 1; k < a.size(); ++k) sum = op(Op::fmad, builder_.type_of(a[0]), {a[k], b[k], sum});
      return define(i, sum);
    }
    case Operation::vector_reduce_and:
    case Operation::vector_reduce_or: {
      const Pieces a = pieces(call.argument("a"));
      if (a.empty()) return unsupported("a vector of no elements");
      Id all = a[0];
      for (std::size_t k = 1; k < a.size(); ++k) {
        all = op(call.operation() == Operation::vector_reduce_and ? Op::iand : Op::ior, builder_.type_of(a[0]), {all, a[k]});
      }
      return define(i, all);
    }
    case Operation::make_double: return simple(Op::pack64, Type::f64, {argument(call, "lo"), argument(call, "hi")});
    case Operation::split_double: {
      const Id both = op(Op::unpack64, Type::f64, {argument(call, "value")});
      return define(i, Pieces{builder_.get(both, Type::i32, 0), builder_.get(both, Type::i32, 1)});
    }
    case Operation::bitcast_i16_to_f16:
      return context_.minimum_precision ? unsupported("BitcastI16toF16 of minimum precision") : bits_as(Type::f16);
    case Operation::bitcast_f16_to_i16:
      return context_.minimum_precision ? unsupported("BitcastF16toI16 of minimum precision") : bits_as(Type::i16);
    case Operation::bitcast_i32_to_f32: return bits_as(Type::f32);
    case Operation::bitcast_f32_to_i32: return bits_as(Type::i32);
    case Operation::bitcast_i64_to_f64: return bits_as(Type::f64);
    case Operation::bitcast_f64_to_i64: return bits_as(Type::i64);
    case Operation::legacy_f32_to_f16: {
      const auto rounding = static_cast<std::uint32_t>(Rounding::toward_zero);
      const Id half = op(Op::f_to_f, Type::f16, {argument(call, "value")}, rounding);
      return simple(Op::zext, Type::i32, {builder_.as(Type::i16, half)});
    }
    case Operation::legacy_f16_to_f32: {
      const Id half = builder_.as(Type::f16, op(Op::trunc, Type::i16, {argument(call, "value")}));
      return simple(Op::f_to_f, Type::f32, {half});
    }
    case Operation::legacy_double_to_float: return simple(Op::f_to_f, Type::f32, {argument(call, "value")});
    case Operation::legacy_double_to_sint32: return simple(Op::f_to_s, Type::i32, {argument(call, "value")});
    case Operation::legacy_double_to_uint32: return simple(Op::f_to_u, Type::i32, {argument(call, "value")});
    case Operation::dot4_add_i8_packed:
    case Operation::dot4_add_u8_packed:
      return simple(call.operation() == Operation::dot4_add_i8_packed ? Op::dot4_add_i8 : Op::dot4_add_u8, Type::i32,
                    {argument(call, "acc"), argument(call, "a"), argument(call, "b")});
    case Operation::dot2_add_half:
      if (context_.minimum_precision) return unsupported("Dot2AddHalf of minimum precision");
      return simple(Op::dot2_add, Type::f32,
                    {argument(call, "acc"), argument(call, "ax"), argument(call, "ay"), argument(call, "bx"), argument(call, "by")});
    case Operation::unpack4x8: {
      const Type to = context_.scalar(context_.query.scalar_of(module_.parts_of(context_.query.type(i.type))[0])).value_or(Type::i32);
      const auto mode = constant(call, "unpackMode") == 0 ? Unpack::zero_extend : Unpack::sign_extend;
      const Id four = op(Op::unpack_i8, to, {argument(call, "pk")}, static_cast<std::uint32_t>(mode));
      return define(i, members(four, std::array{to, to, to, to}));
    }
    case Operation::pack4x8: {
      const std::uint64_t mode = constant(call, "packMode");
      const auto how = mode == 0 ? Pack::truncate : mode == 1 ? Pack::clamp_unsigned : Pack::clamp_signed;
      const Id x = argument(call, "x");
      return simple(Op::pack_i8, builder_.type_of(x), {x, argument(call, "y"), argument(call, "z"), argument(call, "w")},
                    static_cast<std::uint32_t>(how));
    }

    case Operation::thread_id: return builtin(call, Builtin::thread_id, true);
    case Operation::group_id: return builtin(call, Builtin::group_id, true);
    case Operation::thread_id_in_group: return builtin(call, Builtin::local_id, true);
    case Operation::flattened_thread_id_in_group: return builtin(call, Builtin::local_index, false);
    case Operation::domain_location: return builtin(call, Builtin::domain_location, true);
    case Operation::output_control_point_id: return builtin(call, Builtin::control_point_id, false);
    case Operation::primitive_id: return builtin(call, Builtin::primitive_id, false);
    case Operation::gs_instance_id: return builtin(call, Builtin::gs_instance_id, false);
    case Operation::sample_index: return builtin(call, Builtin::sample_index, false);
    case Operation::coverage: return builtin(call, Builtin::coverage, false);
    case Operation::inner_coverage: return builtin(call, Builtin::inner_coverage, false);
    case Operation::view_id: return builtin(call, Builtin::view_id, false);
    case Operation::start_vertex_location: return builtin(call, Builtin::base_vertex, false);
    case Operation::start_instance_location: return builtin(call, Builtin::base_instance, false);
    case Operation::is_helper_lane: return builtin(call, Builtin::is_helper, false);
    case Operation::wave_get_lane_index: return builtin(call, Builtin::lane, false);
    case Operation::wave_get_lane_count: return builtin(call, Builtin::wave_size, false);
    case Operation::get_group_wave_index: return builtin(call, Builtin::wave_index, false);
    case Operation::get_group_wave_count: return builtin(call, Builtin::wave_count, false);

    case Operation::emit_stream:
    case Operation::emit_then_cut_stream:
    case Operation::cut_stream: {
      const auto stream = static_cast<std::uint32_t>(constant(call, "streamId"));
      if (call.operation() != Operation::cut_stream) builder_.inst(Op::emit, Type::void_, {}, {.extra = stream});
      if (call.operation() != Operation::emit_stream) builder_.inst(Op::cut, Type::void_, {}, {.extra = stream});
      return;
    }
    case Operation::discard: builder_.inst(Op::demote, Type::void_, {argument(call, "condition")}); return;
    case Operation::cycle_counter_legacy: {
      const Id both = builder_.inst(Op::clock, Type::void_, {});
      return define(i, Pieces{builder_.get(both, Type::i32, 0), builder_.get(both, Type::i32, 1)});
    }
    case Operation::is_debugging_enabled: return define(i, builder_.b1(false));
    case Operation::experimental_nop:
    case Operation::debug_break: return;
    case Operation::barrier:
    case Operation::barrier_by_memory_type:
    case Operation::barrier_by_memory_handle: return barrier(call);
    case Operation::set_mesh_output_counts:
    case Operation::emit_indices:
    case Operation::get_mesh_payload:
    case Operation::dispatch_mesh: return mesh(call);
    default: break;
  }
  if (call.row().has(dxil::operation_trait::wave) || call.row().has(dxil::operation_trait::gradient)) return wave(call);
  if (!direct(call)) unsupported(call.row().text);
}

// --- inputs and outputs ------------------------------------------------------------------------------------------------------------------

ElementExtra FunctionLowering::element(const dxil::Call& call, SignatureKind kind, dxil::Parameter id, dxil::Parameter column) {
  const auto& elements = kind == SignatureKind::input    ? context_.entry.inputs
                         : kind == SignatureKind::output ? context_.entry.outputs
                                                         : context_.entry.patch_or_primitives;
  const std::uint64_t wanted = constant(call, id);
  const auto found = std::ranges::find(elements, wanted, &dxil::MetadataElement::id);
  const std::uint64_t component = constant(call, column);
  if (found == elements.end() || component >= found->columns) {
    fail(ErrorCode::bad_value, std::string(call.row().text) + " names an element or component that the signature does not have");
    return {};
  }
  return {kind, static_cast<std::uint16_t>(found - elements.begin()), static_cast<std::uint8_t>(component)};
}

void FunctionLowering::input(const dxil::Call& call) {
  const bool patch = call.operation() == Operation::load_patch_constant;
  const bool own_output = call.operation() == Operation::load_output_control_point && context_.out.stage == Stage::hull;
  ElementExtra extra;
  std::uint32_t row = dxil::kNone;
  std::uint32_t vertex = dxil::kNone;
  if (patch) {
    extra = element(call, SignatureKind::patch, "inputSigId", "col");
    row = call.argument("row");
  } else if (call.operation() == Operation::load_output_control_point) {
    extra = element(call, own_output ? SignatureKind::output : SignatureKind::input, "inputSigId", "col");
    row = call.argument("row");
    vertex = call.argument("index");
  } else if (call.operation() == Operation::attribute_at_vertex) {
    extra = element(call, SignatureKind::input, "inputSigId", "inputColIndex");
    row = call.argument("inputRowIndex");
    vertex = call.argument("VertexID");
  } else {
    extra = element(call, SignatureKind::input, "inputSigId", "colIndex");
    row = call.argument("rowIndex");
    if (!call.is_undefined("gsVertexAxis")) vertex = call.argument("gsVertexAxis");
  }
  std::vector<std::uint32_t> operands;
  if (vertex != dxil::kNone) {
    extra.has_vertex = true;
    const Id at = value(vertex);
    operands.push_back(builder_.type_of(at) == Type::i32 ? at : op(Op::zext, Type::i32, {at}));
  }
  if (context_.query.integer_of(&body_, row) != std::uint64_t{0}) {
    extra.has_row = true;
    operands.push_back(value(row));
  }
  const bool reads_output = own_output || (patch && context_.out.stage == Stage::hull);
  define(call.instruction(), builder_.inst(reads_output ? Op::output_load : Op::input, overload(call), operands, {.extra = extra.bits()}));
}

void FunctionLowering::output(const dxil::Call& call) {
  ElementExtra extra;
  std::vector<std::uint32_t> operands;
  std::uint32_t row = dxil::kNone;
  const auto vertex = [&](dxil::Parameter parameter) {
    extra.has_vertex = true;
    operands.push_back(argument(call, parameter));
  };
  switch (call.operation()) {
    case Operation::store_output:
      extra = element(call, SignatureKind::output, "outputSigId", "colIndex");
      row = call.argument("rowIndex");
      break;
    case Operation::store_patch_constant:
      extra = element(call, SignatureKind::patch, "outputSigID", "col");
      row = call.argument("row");
      break;
    case Operation::store_vertex_output:
      extra = element(call, SignatureKind::output, "outputSigId", "colIndex");
      row = call.argument("rowIndex");
      vertex("vertexIndex");
      break;
    default:
      extra = element(call, SignatureKind::patch, "outputSigId", "colIndex");
      row = call.argument("rowIndex");
      vertex("primitiveIndex");
      break;
  }
  if (context_.query.integer_of(&body_, row) != std::uint64_t{0}) {
    extra.has_row = true;
    operands.push_back(value(row));
  }
  operands.push_back(argument(call, "value"));
  builder_.inst(Op::output, overload(call), operands, {.extra = extra.bits()});
}

void FunctionLowering::interpolate(const dxil::Call& call) {
  ElementExtra extra = element(call, SignatureKind::input, "inputSigId", "inputColIndex");
  std::vector<std::uint32_t> operands;
  if (context_.query.integer_of(&body_, call.argument("inputRowIndex")) != std::uint64_t{0}) {
    extra.has_row = true;
    operands.push_back(argument(call, "inputRowIndex"));
  }
  if (call.operation() == Operation::eval_snapped) {
    extra.place = ElementExtra::Place::offset;
    // the least four bits, signed: sixteenths of a pixel
    operands.push_back(op(Op::ibfe, Type::i32, {argument(call, "offsetX"), i32(0), i32(4)}));
    operands.push_back(op(Op::ibfe, Type::i32, {argument(call, "offsetY"), i32(0), i32(4)}));
  } else if (call.operation() == Operation::eval_sample_index) {
    extra.place = ElementExtra::Place::sample;
    operands.push_back(argument(call, "sampleIndex"));
  } else {
    extra.place = ElementExtra::Place::centroid;
  }
  define(call.instruction(), builder_.inst(Op::interpolate, overload(call), operands, {.extra = extra.bits()}));
}

void FunctionLowering::builtin(const dxil::Call& call, Builtin which, bool has_component) {
  const BuiltinInfo& row = info(which);
  const auto component = [&](std::uint64_t at) {
    return builder_.inst(Op::builtin, row.type, {}, {.extra = BuiltinExtra(which, static_cast<std::uint8_t>(at)).bits()});
  };
  if (!has_component) return define(call.instruction(), component(0));
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

void FunctionLowering::wave(const dxil::Call& call) {
  const Instruction& i = call.instruction();
  const Type type = overload(call);
  const auto simple = [&](Op what, Type of, std::initializer_list<std::uint32_t> operands, std::uint32_t extra = 0) {
    define(i, op(what, of, operands, extra));
  };
  const auto four = [&](Id tuple) { define(i, members(tuple, std::array{Type::i32, Type::i32, Type::i32, Type::i32})); };
  const auto counted = [&](Id condition) { return op(Op::zext, Type::i32, {condition}); };
  const auto mask = [&](unsigned at) { return value(call.argument_at(at)); };
  switch (call.operation()) {
    case Operation::deriv_coarse_x: return simple(Op::ddx, type, {argument(call, "value")});
    case Operation::deriv_coarse_y: return simple(Op::ddy, type, {argument(call, "value")});
    case Operation::deriv_fine_x: return simple(Op::ddx_fine, type, {argument(call, "value")});
    case Operation::deriv_fine_y: return simple(Op::ddy_fine, type, {argument(call, "value")});
    case Operation::wave_is_first_lane: return simple(Op::wave_first, Type::void_, {});
    case Operation::wave_any_true: return simple(Op::wave_any, Type::void_, {argument(call, "cond")});
    case Operation::wave_all_true: return simple(Op::wave_all, Type::void_, {argument(call, "cond")});
    case Operation::wave_active_all_equal: {
      Pieces made;
      for (const Id piece : pieces(call.argument("value"))) made.push_back(op(Op::wave_all_equal, builder_.type_of(piece), {piece}));
      return define(i, std::move(made));
    }
    case Operation::wave_active_ballot: return four(op(Op::wave_ballot, Type::void_, {argument(call, "cond")}));
    case Operation::wave_read_lane_at:
    case Operation::quad_read_lane_at: {
      const bool quad = call.operation() == Operation::quad_read_lane_at;
      const Id lane = value(call.argument_at(1));
      Pieces made;
      for (const Id piece : pieces(call.argument("value"))) {
        made.push_back(op(quad ? Op::quad_read : Op::wave_read_lane, builder_.type_of(piece), {piece, lane}));
      }
      return define(i, std::move(made));
    }
    case Operation::wave_read_lane_first: return simple(Op::wave_read_first, type, {argument(call, "value")});
    case Operation::wave_active_op:
      return simple(Op::wave_reduce, type, {argument(call, "value")},
                    ReductionExtra(reduction(constant(call, "op"), constant(call, "sop") == 1, type), true).bits());
    case Operation::wave_active_bit: {
      constexpr std::array kBits{Reduction::and_, Reduction::or_, Reduction::xor_};
      return simple(Op::wave_reduce, type, {argument(call, "value")},
                    ReductionExtra(kBits[std::min<std::uint64_t>(constant(call, "op"), 2)], true).bits());
    }
    case Operation::wave_prefix_op:
      return simple(Op::wave_scan, type, {argument(call, "value")},
                    ReductionExtra(reduction(constant(call, "op"), constant(call, "sop") == 1, type), false).bits());
    case Operation::wave_all_bit_count:
      return simple(Op::wave_reduce, Type::i32, {counted(argument(call, "value"))}, ReductionExtra(Reduction::iadd, true).bits());
    case Operation::wave_prefix_bit_count:
      return simple(Op::wave_scan, Type::i32, {counted(argument(call, "value"))}, ReductionExtra(Reduction::iadd, false).bits());
    case Operation::wave_match: return four(op(Op::wave_match, type, {argument(call, "value")}));
    case Operation::wave_multi_prefix_op: {
      constexpr std::array kKinds{Reduction::iadd, Reduction::and_, Reduction::or_, Reduction::xor_, Reduction::imul};
      Reduction how = kKinds[std::min<std::uint64_t>(constant(call, "op"), 4)];
      if (is_float(type)) how = how == Reduction::imul ? Reduction::fmul : Reduction::fadd;
      return simple(Op::wave_multi_scan, type, {argument(call, "value"), mask(1), mask(2), mask(3), mask(4)},
                    ReductionExtra(how, false).bits());
    }
    case Operation::wave_multi_prefix_bit_count:
      return simple(Op::wave_multi_scan, Type::i32, {counted(argument(call, "value")), mask(1), mask(2), mask(3), mask(4)},
                    ReductionExtra(Reduction::iadd, false).bits());
    case Operation::quad_op:
      return simple(Op::quad_swap, type, {argument(call, "value")}, static_cast<std::uint32_t>(constant(call, "op")));
    case Operation::quad_vote:
      return simple(constant(call, "op") == 0 ? Op::quad_any : Op::quad_all, Type::void_, {argument(call, "cond")});
    default: return unsupported(call.row().text);
  }
}

// A barrier ends its block. src: DXC DxilConstants.h, BarrierMode, MemoryTypeFlag, BarrierSemanticFlag
void FunctionLowering::barrier(const dxil::Call& call) {
  std::uint32_t bits = 0;
  if (call.operation() == Operation::barrier) {
    bits = barrier_bits_of_mode(constant(call, "barrierMode"));
  } else {
    const std::uint64_t semantics = constant(call, "SemanticFlags");
    const std::uint64_t memory = call.operation() == Operation::barrier_by_memory_type ? constant(call, "MemoryTypeFlags") : 1;
    bits = ((semantics & 1) != 0 ? kSyncGroup : 0U) | ((memory & 1) != 0 ? kDeviceMemory : 0U) | ((memory & 2) != 0 ? kGroupMemory : 0U);
  }
  builder_.inst(Op::barrier, Type::void_, {}, {.extra = bits});
  builder_.jump(++next_block_);
  builder_.at(next_block_);
}

void FunctionLowering::mesh(const dxil::Call& call) {
  switch (call.operation()) {
    case Operation::set_mesh_output_counts:
      builder_.inst(Op::set_mesh_counts, Type::void_, {argument(call, "numVertices"), argument(call, "numPrimitives")});
      return;
    case Operation::emit_indices: {
      const Id primitive = argument(call, "PrimitiveIndex");
      const Id vertices[] = {argument(call, "VertexIndex0"), argument(call, "VertexIndex1"), argument(call, "VertexIndex2")};
      for (std::uint32_t corner = 0; corner < corners_of(context_.out.info.mesh_topology); ++corner)
        builder_.inst(Op::mesh_index, Type::void_, {primitive, i32(corner), vertices[corner]});
      return;
    }
    case Operation::get_mesh_payload:
      if (context_.payload == kNone) {
        const std::uint32_t type = module_.element_of(call.instruction().type);
        context_.payload = context_.add_variable("payload", Space::payload, context_.layout.size_of(type));
      }
      allocas_[call.instruction().value] = context_.payload;
      return;
    default: break;
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
