// Signatures, entries, constant buffers and metadata that break a rule.
#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

namespace {

using Semantic = SemanticKind;
using Mode = Interpolation;

/// One register high, in rows that samples leave free.
MetadataElement element(Semantic semantic, std::string_view name, std::int32_t row, std::uint8_t columns, Mode mode = Mode::linear) {
  MetadataElement e;
  e.name = name;
  e.component_type = ComponentType::f32;
  e.semantic = semantic;
  e.semantic_indexes = {0};
  e.interpolation = mode;
  e.rows = 1;
  e.columns = columns;
  e.start_row = row;
  e.start_column = static_cast<std::int8_t>(row < 0 ? -1 : 0);
  return e;
}
void add(std::vector<MetadataElement>& list, MetadataElement e) {
  e.id = static_cast<std::uint32_t>(list.size());
  list.push_back(std::move(e));
}
/// Outputs of clip distances, a register each, of so many columns.
auto clip_distances(std::uint8_t columns, std::uint32_t count, std::uint32_t rows) {
  return [=](Program& t) {
    for (std::uint32_t i = 0; i < count; ++i) {
      MetadataElement e = element(Semantic::clip_distance, "SV_ClipDistance", static_cast<std::int32_t>(20 + i * rows), columns);
      e.rows = rows;
      e.semantic_indexes.clear();
      for (std::uint32_t k = 0; k < rows; ++k) e.semantic_indexes.push_back(i * rows + k);
      add(t.entry().outputs, e);
    }
  };
}
MetadataElement& barycentrics(Program& t) {
  for (MetadataElement& e : t.entry().inputs)
    if (e.semantic == Semantic::barycentrics) return e;
  ADD_FAILURE() << "no barycentrics";
  return t.entry().inputs.at(0);
}
/// Room for the vertices of a mesh shader: so many registers of four components from the first on.
void set_rows(std::vector<MetadataElement>& list, std::uint32_t rows) {
  list.resize(1);
  list[0].start_row = 0;
  list[0].start_column = 0;
  list[0].rows = rows;
  list[0].columns = 4;
}
/// Says where the members of a constant buffer are, and of one that it is elsewhere.
auto member_at(std::size_t member, std::uint32_t offset) {
  return [=](Program& t) {
    StructAnnotation frame;
    frame.type = t.struct_named("hostlayout.Frame");
    frame.constant_buffer_size = 160;
    for (const std::uint32_t at : {0U, 64U, 128U, 140U, 144U}) {
      frame.fields.emplace_back();
      frame.fields.back().constant_buffer_offset = at;
    }
    frame.fields.at(member).constant_buffer_offset = offset;
    t.p.struct_of_type.assign(t.m.types.size(), kNone);
    t.p.struct_of_type.at(frame.type) = static_cast<std::uint32_t>(t.p.structs.size());
    t.p.structs.push_back(frame);
  };
}

constexpr std::uint64_t kSize = 11, kRange = 23;
auto lanes(std::uint64_t tag, std::vector<std::uint64_t> sizes, std::uint32_t minor = kNone) {
  return [tag, sizes = std::move(sizes), minor](Program& t) {
    t.add_property(tag, sizes);
    t.p.minor = t.p.dxil_minor = minor != kNone ? minor : tag == kRange ? 8 : 6;
  };
}

}  // namespace

Cases more_signature_cases() {
  return {
      {"meta.barycentricsfloat3", kPixel, [](Program& t) { barycentrics(t).columns = 2; }, {{"instr.operandrange"}}},
      {"meta.barycentricsinterpolation", kPixel, [](Program& t) { barycentrics(t).interpolation = Mode::constant; }, {{}}},
      {"meta.barycentricstwoperspectives",
       kPixel,
       [](Program& t) {
         MetadataElement second = barycentrics(t);
         second.semantic_indexes = {1};
         add(t.entry().inputs, second);
       },
       {{}}},
      {"meta.clipcullmaxrows", kVertex, clip_distances(1, 3, 1), {{"sm.undefinedoutput"}}},
      {"meta.clipcullmaxcomponents", kVertex, clip_distances(4, 3, 1), {{"meta.clipcullmaxrows", "sm.undefinedoutput"}}},
      {"meta.interpmodeinonerow",
       kVertex,
       [](Program& t) {
         MetadataElement second = element(Semantic::arbitrary, "Y", 30, 1, Mode::constant);
         second.start_column = 1;
         add(t.entry().outputs, element(Semantic::arbitrary, "X", 30, 1));
         add(t.entry().outputs, second);
       },
       {{}}},
      {"meta.signaturedatawidth",
       kVertex,
       [](Program& t) {
         MetadataElement second = element(Semantic::arbitrary, "Y", 30, 1, Mode::constant);
         MetadataElement first = element(Semantic::arbitrary, "X", 30, 1, Mode::constant);
         second.start_column = 1;
         first.component_type = ComponentType::i32;
         second.component_type = ComponentType::i64;
         add(t.entry().outputs, first);
         add(t.entry().outputs, second);
       },
       {{}}},
      {"meta.signaturedatawidth",
       kVertex,
       [](Program& t) {
         MetadataElement second = element(Semantic::arbitrary, "Y", 30, 1);
         second.start_column = 1;
         second.component_type = ComponentType::f16;
         add(t.entry().outputs, element(Semantic::arbitrary, "X", 30, 1));
         add(t.entry().outputs, second);
         t.entry().flags |= shader_flag::kNativeLowPrecision;
       },
       {{}}},
      {"meta.semanticshouldnotbeallocated",
       kControl,
       [](Program& t) { add(t.entry().outputs, element(Semantic::depth, "SV_Depth", 1, 1, Mode::undefined)); },
       {{"sm.undefinedoutput"}}},
      {"sm.psmultipledepthsemantic",
       kControl,
       [](Program& t) {
         add(t.entry().outputs, element(Semantic::depth, "SV_Depth", -1, 1, Mode::undefined));
         add(t.entry().outputs, element(Semantic::depth_less_equal, "SV_DepthLessEqual", -1, 1, Mode::undefined));
       },
       {{"sm.undefinedoutput"}}},
      {"sm.psconsistentinterp",
       kControl,
       [](Program& t) {
         add(t.entry().outputs, element(Semantic::depth_less_equal, "SV_DepthLessEqual", -1, 1, Mode::undefined));
         std::erase_if(t.entry().inputs, [](const MetadataElement& e) { return e.semantic == Semantic::position; });
         add(t.entry().inputs, element(Semantic::position, "SV_Position", 31, 4, Mode::linear_noperspective));
       },
       {{"sm.undefinedoutput"}}},
  };
}

Cases more_entry_cases() {
  constexpr std::uint64_t kGs = 1, kHs = 3, kPayload = 6, kAttributes = 7, kMs = 9;
  constexpr std::uint64_t kIsoline = 1, kLine = 2;
  const auto property = [](std::uint64_t tag, std::size_t n, std::uint64_t to) { return [=](Program& t) { t.edit_property(tag, n, to); }; };
  const auto entry_operand = [](std::size_t n) {
    return [=](Program& t) { t.edit([&](ModuleEdit& e) { e.set_operand(t.entry_node(), n, kNone); }); };
  };
  return {
      {"meta.entryfunction", kVertex, entry_operand(0), {{"instr.signatureoperationnotinentry"}}},
      {"meta.noentrypropsforentry", kCompute, entry_operand(4), {{"meta.flagsusage", "sm.threadgroupchannelrange"}}},
      {"sm.gsvalidinputprimitive", kGeometry, property(kGs, 0, 4), {{"instr.operandrange"}}},
      {"sm.isolineoutputprimitivemismatch",
       kHull,
       property(kHs, 3, kIsoline),
       {{"sm.tessfactorsizematchdomain", "sm.insidetessfactorsizematchdomain"}}},
      {"sm.trioutputprimitivemismatch", kHull, property(kHs, 5, kLine), {{}}},
      {"sm.outputcontrolpointstotalscalars",
       kHull,
       [](Program& t) {
         t.edit_property(kHs, 2, 32);
         set_rows(t.entry().outputs, 32);
       },
       {{"instr.opconstrange"}}},
      {"sm.meshvsigrowcount",
       kMesh,
       [](Program& t) { t.entry().outputs.at(0).start_row = 32; },
       {{"sm.meshtotalsigrowcount", "meta.signatureoutofrange"}}},
      {"sm.meshpsigrowcount",
       kMesh,
       [](Program& t) { t.entry().patch_or_primitives.at(0).start_row = 32; },
       {{"sm.meshtotalsigrowcount", "meta.signatureoutofrange"}}},
      {"sm.meshtotalsigrowcount",
       kMesh,
       [](Program& t) {
         t.entry().outputs.at(0).start_row = 16;
         t.entry().patch_or_primitives.at(0).start_row = 16;
       },
       {{}}},
      {"sm.meshshaderinoutsize",
       kMesh,
       [](Program& t) {
         t.edit_property(kMs, 1, 256);
         t.edit_property(kMs, 2, 32);
         t.edit_property(kMs, 4, 16384);
         // 4 bytes of 28 components of 256 vertices and of 32 components of 32 primitives.
         set_rows(t.entry().outputs, 7);
         set_rows(t.entry().patch_or_primitives, 8);
       },
       {{"instr.opconstrange", "meta.semanticcomptype", "meta.systemvaluerows"}}},
      {"sm.rayshaderpayloadsize", kRays, property(kPayload, kNone, 4), {{}}},
      {"sm.rayshaderpayloadsize", kRays, property(kAttributes, kNone, 4), {{}}},
      {"sm.wavesizevalue", kAtomics, lanes(kSize, {24}), {{}}},
      {"sm.wavesizevalue", kAtomics, lanes(kRange, {8, 256, 0}), {{}}},
      {"sm.wavesizeexpectsoneparam", kAtomics, lanes(kSize, {32, 32}), {{}}},
      {"sm.wavesizerangeexpectsthreeparams", kAtomics, lanes(kRange, {4, 32}), {{}}},
      {"sm.wavesizeneedssm66or67", kCompute, lanes(kSize, {32}, 5), {{"sm.incompatibleoperation", "sm.incompatibleshadermodel"}}},
      {"sm.wavesizeneedssm66or67", kAtomics, lanes(kSize, {32}, 8), {{}}},
      {"sm.wavesizerangeneedssm68plus",
       kAtomics,
       lanes(kRange, {4, 32, 8}, 7),
       {{"sm.incompatibleoperation", "sm.incompatibleshadermodel"}}},
      {"sm.wavesizetagduplicate",
       kAtomics,
       [](Program& t) {
         t.add_property(kSize, {32});
         lanes(kSize, {32})(t);
       },
       {{}}},
      {"sm.wavesizeallzerowhenundefined", kAtomics, lanes(kRange, {0, 32, 0}), {{}}},
      {"sm.wavesizemaxandpreferredzerowhennorange", kAtomics, lanes(kRange, {32, 0, 32}), {{}}},
      {"sm.wavesizemaxgreaterthanmin", kAtomics, lanes(kRange, {32, 16, 0}), {{}}},
      {"sm.wavesizepreferredinrange", kAtomics, lanes(kRange, {16, 32, 64}), {{}}},
      {"sm.wavesizeoncomputeornode", kMesh, lanes(kSize, {32}), {{"sm.opcodeininvalidfunction"}}},
      {"sm.wavesizeneedsconstantoperands",
       kAtomics,
       [](Program& t) {
         t.add_property(kSize, {32});
         t.edit([&](ModuleEdit& e) {
           const std::uint32_t list = e.operand(t.entry_node(), 4);
           const std::uint32_t sizes = e.operand(list, e.module().metadata[list].operands.count - 1);
           e.set_operand(sizes, 0, e.text("32"));
         });
         t.p.minor = t.p.dxil_minor = 6;
       },
       {{}}},
      {"sm.cbuffertemplatetypemustbestruct",
       kVertex,
       [](Program& t) { t.p.constant_buffers.at(0).type = t.pointer(t.type(TypeKind::float_)); },
       {{}}},
      {"sm.cbuffertemplatetypemustbestruct", kVertex, [](Program& t) { t.p.constant_buffers.at(0).count = 3; }, {{}}},
      {"sm.cbufferoffsetoverlap", kVertex, member_at(1, 0), {{}}},
      {"sm.cbufferarrayoffsetalignment", kVertex, member_at(1, 72), {{}}},
      {"sm.cbufferelementoverflow", kVertex, member_at(4, 65536), {{}}},
      {"sm.cbufferelementoverflow", kVertex, member_at(4, 176), {{}}},
  };
}

// dxc puts members where packoffset says, in whatever order.
TEST(DxilEntryRules, MembersOfConstantBuffersStandInAnyOrder) { expect_none({{"sm.cbufferoffsetoverlap", kVertex, member_at(2, 148)}}); }

TEST(DxilEntryRules, Signatures) { expect_each(more_signature_cases()); }
TEST(DxilEntryRules, Entries) { expect_each(more_entry_cases()); }

}  // namespace unshade::dxil::test_rules
