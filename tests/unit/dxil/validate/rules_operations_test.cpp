// Calls of operations that break a rule: handles, masks, constants, and what a stage may call.
#include <limits>

#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

namespace {

// The words that a handle is annotated with. src: DXC include/dxc/DXIL/DxilResourceProperties.h
constexpr std::uint64_t kTexture2d = 2, kTexture2dMs = 3, kCube = 5, kTypedBuffer = 10, kRawBuffer = 11, kStructuredBuffer = 12,
                        kCbuffer = 13, kSampler = 14;
constexpr std::uint64_t kUnordered = 1 << 12, kComparison = 1 << 15;
constexpr std::uint64_t kFloat4 = 0x409;
constexpr std::uint64_t kStride16 = 16;

using O = Operation;

auto argument(O operation, std::size_t n, std::uint64_t to) {
  return [=](Program& t) { t.set_argument(operation, n, to); };
}
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
auto unknown() {
  return [](Program& t) { return t.unknown(); };
}
auto i32(std::uint64_t n) {
  return [=](Program& t) { return t.i32(n); };
}
auto undef_i32() {
  return [](Program& t) { return t.undef(t.type(TypeKind::integer, 32)); };
}
/// A call of an operation of a real number.
auto of_infinity(O operation) {
  return [=](Program& t) {
    t.make_room();
    t.make_call(operation, ".f32", t.type(TypeKind::float_), {t.f32(std::numeric_limits<float>::infinity())});
  };
}
auto again(O operation) {
  return [=](Program& t) {
    t.make_room(t.call(operation));
    t.make_again();
  };
}

}  // namespace

Cases resource_operation_cases() {
  constexpr std::size_t kLevel = 1, kLoadOffset = 5, kSampleOffset = 6, kBias = 9, kElement = 2, kMask = 7, kAlignment = 4;
  return {
      {"instr.resourceclassforload",
       kTextured,
       view(O::texture_load, 0, kCbuffer, 16),
       {{"instr.resourcekindfortextureload", "instr.resourceclassforsamplergather", "instr.resourcekindforgetdim",
         "instr.undefresultforgetdimension"}}},
      {"instr.resourceclassforload", kAtomics, view(O::raw_buffer_load, 0, kSampler, 0), {{"instr.resourcekindforbufferloadstore"}}},
      {"instr.resourceclassforuavstore", kAtomics, view(O::raw_buffer_store, 0, kStructuredBuffer, kStride16), {{}}},
      {"instr.resourceclassforsamplergather", kTextured, view(O::sample, 0, kTexture2d | kUnordered, kFloat4), {{}}},
      {"instr.resourcekindfortextureload",
       kTextured,
       view(O::texture_load, 0, kCube, kFloat4),
       {{"instr.resourcecoordinatemiss", "instr.resourceoffsettoomany"}}},
      {"instr.resourcekindforsample", kTextured, view(O::sample, 0, kRawBuffer, 0), {{}}},
      {"instr.resourcekindforsamplec", kTextured, view(O::sample_cmp_level_zero, 0, kTexture2dMs, kFloat4), {{}}},
      {"instr.resourcekindforbufferloadstore", kAtomics, view(O::raw_buffer_load, 0, kTypedBuffer, kFloat4), {{}}},
      {"instr.resourcekindforbufferloadstore", kAtomics, view(O::raw_buffer_load, 0, kTexture2d, kFloat4), {{}}},
      {"instr.resourcekindfortexturestore",
       kPixel,
       [](Program& t) { t.p.unordered_access.at(0).kind = ResourceKind::raw_buffer; },
       {{"instr.resourcekindfortextureload", "meta.flagsusage"}}},
      {"instr.samplermodeforsample", kTextured, view(O::sample_bias, 1, kSampler | kComparison, 0), {{"instr.samplermodeforlod"}}},
      {"instr.samplermodeforsamplec", kTextured, view(O::sample_cmp_level_zero, 1, kSampler, 0), {{}}},
      {"instr.coordinatecountforrawtypedbuf", kAtomics, view(O::raw_buffer_load, 0, kRawBuffer, 0), {{}}},
      {"instr.coordinatecountforstructbuf", kAtomics, given(O::raw_buffer_load, kElement, undef_i32()), {{}}},
      {"instr.bufferupdatecounteronuav",
       kAtomics,
       view(O::buffer_update_counter, 0, kStructuredBuffer, kStride16),
       {{"instr.resourceclassforuavstore"}}},
      {"instr.bufferupdatecounteronreshascounter",
       kAtomics,
       view(O::buffer_update_counter, 0, kStructuredBuffer | kUnordered, kStride16),
       {{}}},
      {"sm.counteronlyonstructbuf",
       kAtomics,
       view(O::buffer_update_counter, 0, kTypedBuffer | kUnordered, kFloat4),
       {{"instr.resourcekindforbufferloadstore", "instr.writemaskfortypeduavstore"}}},
      {"instr.cbufferclassforcbufferhandle", kVertex, view(O::cbuffer_load_legacy, 0, kTypedBuffer, kFloat4), {{}}},
      {"instr.cbufferoutofbound", kVertex, argument(O::cbuffer_load_legacy, 1, 16), {{}}},
      {"instr.constalignforrawbuf", kAtomics, given(O::raw_buffer_load, kAlignment, unknown()), {{}}},
      {"instr.miponuavload", kPixel, given(O::texture_load, kLevel, i32(0)), {{}}},
      {"instr.offsetonuavload", kPixel, given(O::texture_load, kLoadOffset, i32(1)), {{}}},
      {"instr.sampleindexforload2dms",
       kTextured,
       [](Program& t) {
         t.set_view(O::texture_load, 0, kTexture2dMs, kFloat4);
         given(O::texture_load, kLevel, undef_i32())(t);
       },
       {{"instr.resourcekindforsample", "instr.resourcekindforgather", "instr.resourcekindforcalclod"}}},
      {"instr.textureoffset", kTextured, given(O::sample, kSampleOffset, i32(8)), {{}}},
      {"instr.textureoffset",
       kTextured,
       given(O::texture_load, kLoadOffset, unknown()),
       {{"meta.flagsusage", "instr.resourceoffsetmiss", "sm.incompatibleoperation", "sm.incompatibleshadermodel"}}},
      {"instr.immbiasforsampleb", kTextured, given(O::sample_bias, kBias, [](Program& t) { return t.f32(16); }), {{}}},
      {"instr.writemaskgapforuav", kAtomics, argument(O::raw_buffer_store, kMask, 5), {{"instr.undefinedvalueforuavstore"}}},
      {"instr.undefinedvalueforuavstore", kAtomics, argument(O::raw_buffer_store, kMask, 3), {{}}},
      {"instr.writemaskmatchvalueforuavstore", kAtomics, given(O::raw_buffer_store, 4, i32(0)), {{}}},
      {"instr.writemaskfortypeduavstore", kPixel, argument(O::texture_store, 8, 7), {{"instr.writemaskmatchvalueforuavstore"}}},
  };
}

Cases more_operation_cases() {
  return {
      {"instr.noindefiniteacos", kAtomics, of_infinity(O::acos), {{}}},
      {"instr.noindefiniteasin", kAtomics, of_infinity(O::asin), {{}}},
      {"instr.noindefinitelog", kAtomics, of_infinity(O::log), {{}}},
      {"instr.noindefinitedsxy", kAtomics, of_infinity(O::deriv_fine_y), {{}}},
      {"sm.incompatiblederivincomputeshadermodel",
       kCompute,
       of_infinity(O::deriv_coarse_x),
       {{"sm.incompatibleoperation", "sm.incompatibleshadermodel", "sm.incompatiblethreadgroupdim"}}},
      {"instr.oload",
       kAtomics,
       [](Program& t) {
         t.make_room();
         t.make_call(O::countbits, ".f32", t.type(TypeKind::integer, 32), {t.f32(1)});
       },
       {{}}},
      {"instr.opcodereserved",
       kAtomics,
       [](Program& t) {
         t.make_room();
         t.make_call(226, "dx.op.reserved", t.type(TypeKind::void_), {});
       },
       {{}}},
      {"sm.isspecialfloat",
       kWide,
       [](Program& t) {
         t.make_room();
         t.make_call(O::is_nan, ".f16", t.type(TypeKind::integer, 1), {t.spare(ConstantKind::real, t.type(TypeKind::half))});
       },
       {{}}},
      {"sm.64bitrawbufferloadstore",
       kWide,
       [](Program& t) { t.p.minor = t.p.dxil_minor = 2; },
       {{"sm.opcode", "sm.incompatibleoperation", "sm.incompatibleshadermodel"}}},
      {"decl.allocaterayqueryflagsareconst",
       kAtomics,
       [](Program& t) {
         t.make_room();
         t.make_call(O::allocate_ray_query, "", t.type(TypeKind::integer, 32), {t.unknown()});
       },
       {{"meta.flagsusage"}}},
      {"decl.allocaterayquery2flagsareconst",
       kAtomics,
       [](Program& t) {
         t.make_room();
         t.make_call(O::allocate_ray_query2, "", t.type(TypeKind::integer, 32), {t.i32(0), t.unknown()});
         t.p.minor = t.p.dxil_minor = 9;
       },
       {{"meta.flagsusage"}}},
      {"instr.multiplesetmeshoutputcounts", kMesh, again(O::set_mesh_output_counts), {{}}},
      {"instr.multiplegetmeshpayload", kMesh, again(O::get_mesh_payload), {{}}},
      {"instr.notoncedispatchmesh", kAmplification, again(O::dispatch_mesh), {{}}},
      {"sm.pscoverageandinnercoverage",
       kPixel,
       [](Program& t) {
         t.make_room();
         t.make_call(O::inner_coverage, ".i32", t.type(TypeKind::integer, 32), {});
       },
       {{"meta.flagsusage"}}},
      {"instr.attributeatvertexnointerpolation",
       kPixel,
       [](Program& t) { t.entry().inputs.at(1).interpolation = Interpolation::linear; },
       {{}}},
  };
}

TEST(DxilOperationRules, Resources) { expect_each(resource_operation_cases()); }
TEST(DxilOperationRules, Others) { expect_each(more_operation_cases()); }

}  // namespace unshade::dxil::test_rules
