// What a module has beside its instructions, and what Inst::extra holds, described once for printing and parsing. An archive has
//   key(name, value, otherwise)   a name and a value, both left out if the value is `otherwise`; of bool the name alone
//   word(value)                   the word of an enumerator
//   number(value)                 an unsigned number
//   bits(names, value)            words joined by |
//   symbol(kind, index)           a variable, resource, function or message by its name
//   element(extra)                a component of an element of a signature: in3.x
//   builtin(extra)                a component of a builtin: thread_id.x
#pragma once

#include <cstddef>
#include <cstdint>

#include <unshade/ir/module.hpp>

#include "ir/words.hpp"

namespace unshade::ir::words {

/// What names stand for that begin with @.
enum class Symbol : std::uint8_t { variable, resource, function, message };
inline constexpr std::size_t kSymbols = 4;

template <class Archive>
void describe(Archive& a, StageInfo& s) {
  const StageInfo none;
  a.key("group_size", s.group_size, none.group_size);
  a.key("square_quads", s.square_quads, none.square_quads);
  a.key("input_primitive", s.input_primitive, none.input_primitive);
  a.key("streams", s.stream_topologies, none.stream_topologies);
  a.key("max_vertices", s.max_vertices, none.max_vertices);
  a.key("max_primitives", s.max_primitives, none.max_primitives);
  a.key("instances", s.instances, none.instances);
  a.key("input_points", s.input_points, none.input_points);
  a.key("output_points", s.output_points, none.output_points);
  a.key("domain", s.domain, none.domain);
  a.key("partitioning", s.partitioning, none.partitioning);
  a.key("tessellator_output", s.tessellator_output, none.tessellator_output);
  a.key("mesh_topology", s.mesh_topology, none.mesh_topology);
  a.key("max_tess_factor", s.max_tess_factor, none.max_tess_factor);
}

template <class Archive>
void describe(Archive& a, Modes& m) {
  const Modes none;
  a.key("denorm32", m.denorm32, none.denorm32);
  a.key("denorm16", m.denorm16, none.denorm16);
  a.key("denorm64", m.denorm64, none.denorm64);
  a.key("fused_mad", m.fused_mad, none.fused_mad);
  a.key("f24", m.f24, none.f24);
  a.key("wave_min", m.wave_min, none.wave_min);
  a.key("wave_max", m.wave_max, none.wave_max);
  a.key("early_depth", m.early_depth, none.early_depth);
}

template <class Archive>
void describe(Archive& a, Element& e) {
  const Element none;
  a.key("index", e.semantic_index, none.semantic_index);
  a.key("system_value", e.system_value, none.system_value);
  a.key("type", e.type, Type::void_);
  a.key("signed", e.is_signed, none.is_signed);
  a.key("interpolation", e.interpolation, none.interpolation);
  a.key("register", e.first_register, none.first_register);
  a.key("column", e.first_column, none.first_column);
  a.key("columns", e.columns, none.columns);
  a.key("rows", e.rows, none.rows);
  a.key("stream", e.stream, none.stream);
  a.key("per_primitive", e.per_primitive, none.per_primitive);
  a.key("second_source", e.second_source, none.second_source);
  a.key("variable", e.variable, none.variable);
  a.key("built_in", e.built_in, none.built_in);
}

template <class Archive>
void describe(Archive& a, Resource& r) {
  const Resource none;
  a.word(r.kind);
  a.key("dimension", r.dimension, none.dimension);
  a.key("returns", r.return_type, none.return_type);
  a.key("space", r.space, none.space);
  a.key("register", r.first_register, kNone);
  a.key("count", r.count, none.count);
  a.key("in_set", r.in_set, none.in_set);
  a.key("dimensions", r.dimensions, none.dimensions);
  a.key("stride", r.stride, none.stride);
  a.key("bytes", r.bytes, none.bytes);
  a.key("comparison", r.comparison, none.comparison);
  a.key("feedback", r.feedback, none.feedback);
  a.key("coherent", r.coherent, none.coherent);
  a.key("heap", r.heap, none.heap);
  a.key("ordered", r.ordered, none.ordered);
  a.key("format", r.format, none.format);
  a.key("counter", r.counter, none.counter);
  a.key("attachment", r.attachment, none.attachment);
}

template <class Archive>
void describe(Archive& a, Variable& v) {
  const Variable none;
  a.word(v.space);
  a.key("offset", v.offset, none.offset);
  a.key("bytes", v.bytes, none.bytes);
  a.key("element", v.element, none.element);
  a.key("stride", v.stride, none.stride);
  a.key("initial", v.initial, none.initial);
}

template <class Archive>
void describe(Archive& a, MessageFormat& m) {
  const MessageFormat none;
  a.word(m.kind);
  a.key("text", m.text, none.text);
  a.key("types", m.types, none.types);
}

template <class Archive>
void describe(Archive& a, Op op, BufferExtra& e) {
  a.word(e.kind);
  a.key("offset", e.has_offset, false);
  a.key("status", e.has_status, false);
  if (op == Op::buffer_atomic) a.word(e.op);
}

template <class Archive>
void describe(Archive& a, Op op, TextureExtra& e) {
  a.word(e.dimension);
  a.key("status", e.has_status, false);
  a.key("bias", e.has_bias, false);
  a.key("lod", e.has_lod, false);
  a.key("gradient", e.has_gradient, false);
  a.key("offset", e.has_offset, false);
  a.key("four_offsets", e.four_offsets, false);
  a.key("reference", e.has_reference, false);
  a.key("min_lod", e.has_min_lod, false);
  a.key("sample", e.has_sample, false);
  a.key("component", e.component, std::uint8_t{0});
  if (op == Op::texel_atomic) a.word(e.op);
}

template <class Archive>
void describe(Archive& a, Op op, ElementExtra& e) {
  a.element(e);
  a.key("vertex", e.has_vertex, false);
  a.key("row", e.has_row, false);
  if (op == Op::interpolate) a.word(e.place);
}

template <class Archive>
void describe(Archive& a, Op, AtomicExtra& e) {
  a.symbol(Symbol::variable, e.variable);
  a.word(e.op);
}

template <class Archive>
void describe(Archive& a, Op, BuiltinExtra& e) {
  a.builtin(e);
}

template <class Archive>
void describe(Archive& a, Op, ReductionExtra& e) {
  a.word(e.op);
  a.key("inclusive", e.inclusive, false);
  a.key("cluster", e.cluster_log2, ReductionExtra().cluster_log2);
}

/// What an instruction's extra field holds; `const` shows its value itself.
template <class Archive>
void describe_extra(Archive& a, Op op, std::uint32_t& extra) {
  const auto packed = [&](auto value) {
    describe(a, op, value);
    extra = value.bits();
  };
  const auto enumerator = [&](auto value) {
    a.word(value);
    extra = static_cast<std::uint32_t>(value);
  };
  switch (info(op).extra) {
    case Extra::none:
    case Extra::constant: break;
    case Extra::number: op == Op::call ? a.symbol(Symbol::function, extra) : a.number(extra); break;
    case Extra::variable: a.symbol(Symbol::variable, extra); break;
    case Extra::resource: a.symbol(Symbol::resource, extra); break;
    case Extra::message: a.symbol(Symbol::message, extra); break;
    case Extra::float_classes: a.bits(kFloatClasses, extra); break;
    case Extra::barrier: a.bits(kBarrierBits, extra); break;
    case Extra::pack: enumerator(static_cast<Pack>(extra)); break;
    case Extra::unpack: enumerator(static_cast<Unpack>(extra)); break;
    case Extra::rounding: enumerator(static_cast<Rounding>(extra)); break;
    case Extra::counter: enumerator(static_cast<Counter>(extra)); break;
    case Extra::atomic: packed(AtomicExtra(extra)); break;
    case Extra::buffer: packed(BufferExtra(extra)); break;
    case Extra::texture: packed(TextureExtra(extra)); break;
    case Extra::element: packed(ElementExtra(extra)); break;
    case Extra::builtin: packed(BuiltinExtra(extra)); break;
    case Extra::reduction: packed(ReductionExtra(extra)); break;
  }
}

}  // namespace unshade::ir::words
