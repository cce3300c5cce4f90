// Operations on resources, barriers and hits that break a rule: what a kind of resource takes, and operands that have to be constants.
#include <utility>

#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

namespace {

using O = Operation;

// The words that a handle is annotated with. src: DXC include/dxc/DXIL/DxilResourceProperties.h
constexpr std::uint64_t kTexture2d = 2, kTexture3d = 4, kRawBuffer = 11, kStructuredBuffer = 12, kCbuffer = 13, kSampler = 14;
constexpr std::uint64_t kComparison = 1 << 15;
constexpr std::uint64_t kFloat4 = 0x409, kUint4 = 0x405;
constexpr std::uint64_t kStride16 = 16;

std::uint32_t i32(Program& t) { return t.type(TypeKind::integer, 32); }
std::uint32_t none(Program& t) { return t.type(TypeKind::void_); }

auto view(O operation, std::size_t n, std::uint64_t first, std::uint64_t second) {
  return [=](Program& t) { t.set_view(operation, n, first, second); };
}
/// One call of the operation gets a parameter that the room has made.
auto given(O operation, std::size_t n, auto value) {
  return [=](Program& t) {
    t.make_room(t.call(operation));
    t.operand(t.call(operation), 2 + n) = value(t);
  };
}
auto i32(std::uint64_t n) {
  return [=](Program& t) { return t.i32(n); };
}
auto f32(float n) {
  return [=](Program& t) { return t.f32(n); };
}
auto undef(TypeKind kind, std::uint32_t width = 0) {
  return [=](Program& t) { return t.undef(t.type(kind, width)); };
}

/// A counter that is stepped on is stepped back as well.
void step_back(Program& t) {
  constexpr std::size_t kStep = 3;
  t.make_room(t.call(O::buffer_update_counter));
  const bool up = t.constant(t.call(O::buffer_update_counter), kStep).bits == 1;
  t.make_again();
  const auto o = t.m.operands_of(t.room().operands);
  std::vector<std::uint32_t> operands(o.begin(), o.end());
  operands[kStep] = t.i8(up ? 0xff : 1);
  t.set_operands(t.room(), operands);
}

/// A barrier of shader model 6.8, in a stage without groups.
auto barrier(auto memory, auto semantics) {
  return [=](Program& t) {
    t.make_room();
    t.make_call(O::barrier_by_memory_type, "", none(t), {memory(t), semantics(t)});
  };
}

/// In a shader that makes rays, of shader model 6.9, with a hit.
auto with_hit(auto change) {
  return [=](Program& t) {
    t.make_room(t.call(O::dispatch_rays_index));
    t.p.minor = t.p.dxil_minor = 9;
    const std::uint32_t byte = t.pointer(t.type(TypeKind::integer, 8));
    const std::uint32_t hit = t.add_type({.kind = TypeKind::structure, .literal = false, .name = t.text("dx.types.HitObject")}, {byte});
    change(t, hit);
  };
}

/// An instruction that is marked precise, of half.
void make_precise(Program& t) {
  t.make_room();
  const std::uint32_t half = t.type(TypeKind::half);
  t.make(Opcode::fadd, half, {t.spare(ConstantKind::real, half), t.spare(ConstantKind::real, half)});
  const Body& body = t.body();
  for (std::uint64_t id = 0; id < t.m.metadata.size(); ++id) {
    const Metadata& one = t.m.metadata[id];
    if (one.kind != MetadataKind::value || t.m.values.at(one.value).kind != ValueKind::constant) continue;
    const Constant& constant = t.m.constants.at(t.m.values.at(one.value).index);
    if (constant.kind != ConstantKind::integer || constant.bits != 1) continue;
    Metadata node;
    node.kind = MetadataKind::node;
    node.operands = {static_cast<std::uint32_t>(t.m.metadata_operands.size()), 1};
    t.m.metadata_operands.push_back(id + 1);
    MetadataKindName kind = t.m.metadata_kinds.at(0);
    kind.name = t.text("dx.precise");
    t.m.metadata_kinds.push_back(kind);
    Attachment& attachment = t.m.attachments.at(body.attachments.end() - 1);
    t.m.metadata.at(attachment.node) = node;
    attachment.kind = static_cast<std::uint32_t>(t.m.metadata_kinds.size() - 1);
    attachment.instruction = t.index_of(t.room()) - body.instructions.first;
    return;
  }
  ADD_FAILURE() << "no 1";
}

/// An element of real components, in a row of its own choosing.
MetadataElement element(SemanticKind semantic, std::string_view name, std::int32_t row, std::int8_t column, std::uint32_t rows) {
  MetadataElement e;
  e.name = name;
  e.component_type = ComponentType::f32;
  e.semantic = semantic;
  e.interpolation = Interpolation::linear;
  e.rows = rows;
  for (std::uint32_t i = 0; i < rows; ++i) e.semantic_indexes.push_back(i);
  e.columns = 1;
  e.start_row = row;
  e.start_column = column;
  return e;
}
void add_output(Program& t, MetadataElement e) {
  e.id = static_cast<std::uint32_t>(t.entry().outputs.size());
  t.entry().outputs.push_back(std::move(e));
}

}  // namespace

Cases packing_cases() {
  constexpr auto kSystemValue = SemanticKind::viewport_array_index;
  constexpr std::string_view kSystemName = "SV_ViewportArrayIndex";
  return {
      {"meta.signatureindexconflict", kVertex,
       [=](Program& t) {
         add_output(t, element(SemanticKind::arbitrary, "X", 28, 0, 2));
         add_output(t, element(kSystemValue, kSystemName, 28, 1, 1));
       }},
      {"meta.signatureillegalcomponentorder", kVertex,
       [=](Program& t) {
         add_output(t, element(kSystemValue, kSystemName, 30, 0, 1));
         add_output(t, element(SemanticKind::arbitrary, "X", 30, 1, 1));
       }},
      {"sm.viewidneedsslot", kPixel,
       [](Program& t) {
         MetadataElement all = element(SemanticKind::arbitrary, "X", 0, 0, 32);
         all.columns = 4;
         t.entry().inputs = {all};
       }},
  };
}

Cases view_cases() {
  constexpr std::size_t kSecond = 3, kFourth = 5, kOffset = 6;
  return {
      {"instr.resourcecoordinatemiss", kTextured, given(O::sample, kSecond, undef(TypeKind::float_)), {{}}},
      {"instr.resourcecoordinatetoomany", kTextured, given(O::sample, kFourth, f32(0)), {{}}},
      {"instr.resourcecoordinatetoomany", kTextured, given(O::texture_gather, kFourth, f32(0)), {{}}},
      {"instr.resourceoffsetmiss", kTextured, given(O::sample, kOffset + 1, undef(TypeKind::integer, 32)), {{}}},
      {"instr.resourceoffsetmiss", kTextured, given(O::texture_gather, kOffset + 1, undef(TypeKind::integer, 32)), {{}}},
      {"instr.resourceoffsettoomany", kTextured, given(O::sample, kOffset + 2, i32(0)), {{}}},
      {"instr.resourcekindforgather", kTextured, view(O::texture_gather, 0, kTexture3d, kFloat4)},
      {"instr.resourcekindforcalclod", kTextured, view(O::calculate_lod, 0, kRawBuffer, 0)},
      {"instr.samplermodeforlod", kTextured, view(O::calculate_lod, 1, kSampler | kComparison, 0)},
      {"instr.samplecomptype", kTextured, view(O::sample, 0, kTexture2d, kUint4), {{}}},
      {"instr.resourcekindforsamplec", kTextured, view(O::sample_cmp_level_zero, 0, kTexture3d, kFloat4)},
      {"instr.resourcekindforgetdim", kTextured, view(O::get_dimensions, 0, kCbuffer, 16)},
      {"instr.miplevelforgetdimension", kTextured, view(O::get_dimensions, 0, kRawBuffer, 0)},
      {"instr.undefresultforgetdimension", kTextured, view(O::get_dimensions, 0, kRawBuffer, 0)},
      {"instr.resourcekindfortraceray", kRays, view(O::trace_ray, 0, kRawBuffer, 0)},
      {"instr.checkaccessfullymapped",
       kAtomics,
       [](Program& t) {
         t.make_room();
         t.make_call(O::check_access_fully_mapped, ".i32", t.type(TypeKind::integer, 1), {t.unknown()});
       },
       {{"meta.flagsusage"}}},
      {"instr.atomicintrinnonuav", kAtomics, view(O::atomic_bin_op, 0, kStructuredBuffer, kStride16)},
      {"instr.onlyoneallocconsume", kOldAtomics, step_back, {{}}},
      {"meta.texturetype",
       kTextured,
       [](Program& t) {
         const std::uint32_t four = t.array(t.type(TypeKind::double_), 4, TypeKind::vector);
         t.p.shader_resources.at(0).type = t.pointer(t.structure({four}));
       },
       {{}}},
      {"instr.noreadinguninitialized",
       kAtomics,
       given(O::raw_buffer_load, 0, [](Program& t) { return t.undef(t.struct_named("dx.types.Handle")); }),
       {{}}},
      {"instr.handlenotfromcreatehandle", kAtomics,
       [](Program& t) {
         t.make_room(t.call(O::raw_buffer_load));
         const std::uint32_t handle = t.operand(t.call(O::raw_buffer_load), 2);
         t.make(Opcode::select, t.struct_named("dx.types.Handle"), {t.null(t.type(TypeKind::integer, 1)), handle, handle});
         t.operand(t.call(O::raw_buffer_load), 2) = t.room().value;
       }},
      {"sm.operand", kVertex, given(O::load_input, 3, i32(0)), {{}}},
      {"instr.minprecisionnotprecise", kControl, make_precise},
  };
}

Cases ray_cases() {
  constexpr std::uint64_t kOfDevice = 4;
  return {
      {"instr.barrierflaginvalid", kVertex, barrier(i32(0x10), i32(kOfDevice))},
      {"instr.barriernonconstantflagargument", kVertex, barrier([](Program& t) { return t.unknown(); }, i32(kOfDevice)), {{}}},
      {"instr.barrierrequiresnode", kVertex, barrier(i32(4), i32(kOfDevice))},
      {"decl.allowopacitymicromapsexpectedgivenforceomm2state",
       kAtomics,
       [](Program& t) {
         t.make_room();
         t.make_call(O::allocate_ray_query2, "", i32(t), {t.i32(0x400), t.i32(0)});
         t.p.minor = t.p.dxil_minor = 9;
       },
       {{"meta.flagsusage"}}},
      {"instr.undefhitobject",
       kRays,
       with_hit(
           [](Program& t, std::uint32_t hit) { t.make_call(O::hit_object_is_hit, ".i1", t.type(TypeKind::integer, 1), {t.undef(hit)}); }),
       {{}}},
      {"instr.parammultiple",
       kRays,
       with_hit([](Program& t, std::uint32_t hit) {
         t.make_call(O::hit_object_load_local_root_table_constant, "", i32(t), {t.null(hit), t.i32(2)});
       }),
       {{}}},
      {"instr.mayreorderthreadundefcoherencehintparam",
       kRays,
       with_hit([](Program& t, std::uint32_t hit) {
         t.make_call(O::maybe_reorder_thread, "", none(t), {t.null(hit), t.i32(0), t.undef(i32(t))});
       }),
       {{}}},
  };
}

// A tbuffer is of a structure of any size; textures and buffers are of elements.
TEST(DxilViewRules, TextureBuffersAreOfAnySize) {
  expect_none({{"meta.texturetype", kTextured, [](Program& t) {
                  const std::uint32_t row = t.array(t.type(TypeKind::float_), 4, TypeKind::vector);
                  ProgramResource added = t.p.shader_resources.at(0);
                  added.id = static_cast<std::uint32_t>(t.p.shader_resources.size());
                  added.kind = ResourceKind::tbuffer;
                  added.space = 7;
                  added.type = t.pointer(t.structure({row, row}));
                  t.p.shader_resources.push_back(added);
                }}});
}

TEST(DxilViewRules, Packing) { expect_each(packing_cases()); }
TEST(DxilViewRules, Views) { expect_each(view_cases()); }
TEST(DxilViewRules, Rays) { expect_each(ray_cases()); }

}  // namespace unshade::dxil::test_rules
