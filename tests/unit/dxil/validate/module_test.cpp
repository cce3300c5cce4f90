// Each case takes a module that breaks no rule, and breaks one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

Cases structure_cases() {
  return {
      {"bitcode.terminator", kVertex, [](Program& t) { --t.m.blocks.at(t.body().blocks.first).instructions.count; }},
      {"bitcode.entry-block", kControl,
       [](Program& t) { t.operand(t.find([](const Instruction& i) { return i.opcode == Opcode::br; }), 0) = 0; }},
      {"bitcode.phi", kControl, [](Program& t) { t.find(Opcode::phi).operands.count -= 2; }},
      {"bitcode.dominance", kControl,
       [](Program& t) {
         // The first instruction that computes with a value takes the last value of the function instead.
         const Body& body = t.body();
         for (std::uint32_t k = body.instructions.first; k < body.instructions.end(); ++k) {
           Instruction& i = t.m.instructions[k];
           if (!is_binary(i.opcode)) continue;
           for (std::uint32_t later = body.instructions.end(); later-- > k + 1;) {
             const Instruction& other = t.m.instructions[later];
             if (other.value == kNone || other.type != i.type) continue;
             t.operand(i, 0) = other.value;
             return;
           }
         }
       }},
      {"bitcode.operand-type", kControl, [](Program& t) { t.find(Opcode::fadd).opcode = Opcode::add; }},
      {"bitcode.operand-type", kControl, [](Program& t) { t.find(Opcode::icmp).opcode = Opcode::fcmp; }},
      {"bitcode.return", kVertex,
       [](Program& t) {
         t.m.type_parts.at(t.m.types.at(t.m.functions.at(t.body().function).type).parts.first) = t.type(TypeKind::float_);
       }},
      {"bitcode.call", kVertex, [](Program& t) { --t.call(Operation::load_input).operands.count; }},
      {"bitcode.global", kAtomics,
       [](Program& t) {
         ASSERT_FALSE(t.m.globals.empty());
         t.m.globals[0].initializer = kNone;
         t.m.globals[0].linkage = Linkage::internal;
       }},
      {"bitcode.function", kVertex,
       [](Program& t) {
         for (Function& f : t.m.functions)
           if (f.body == kNone) f.linkage = Linkage::internal;
       }},
  };
}

Cases operation_cases() {
  return {
      {"instr.illegaldxilopcode", kVertex, [](Program& t) { t.set(t.constant(t.call(Operation::load_input), 1), 5000); }},
      {"instr.opconst", kVertex, [](Program& t) { t.constant(t.call(Operation::load_input), 1).kind = ConstantKind::undef; }},
      {"instr.illegaldxilopfunction", kVertex, [](Program& t) { t.set(t.constant(t.call(Operation::load_input), 1), 5); }},
      {"instr.expdxilopcoderequiresexpsm", kVertex, [](Program& t) { t.set(t.constant(t.call(Operation::load_input), 1), 0x8000'0000); }},
      {"instr.opconstrange", kVertex, [](Program& t) { t.entry().inputs.clear(); }},
      {"instr.operandrange", kVertex,
       [](Program& t) {
         for (auto& e : t.entry().inputs) e.columns = 1;
       }},
      {"instr.calloload", kVertex,
       [](Program& t) {
         const Instruction& i = t.call(Operation::load_input);
         t.m.type_parts.at(t.m.types.at(i.second_type).parts.first + 3) = t.type(TypeKind::float_);
       }},
      {"sm.opcode", kDomain, [](Program& t) { t.p.kind = ShaderKind::vertex; }},
      {"sm.semantic", kVertex, [](Program& t) { t.entry().inputs.at(0).semantic = SemanticKind::target; }},
      {"instr.signatureoperationnotinentry", kVertex, [](Program& t) { t.entry().function = kNone; }},
      {"instr.evalinterpolationmode", kPixel,
       [](Program& t) {
         for (auto& e : t.entry().inputs) e.interpolation = Interpolation::constant;
       }},
      {"instr.cannotpullposition", kPixel,
       [](Program& t) {
         for (auto& e : t.entry().inputs) e.semantic = SemanticKind::position;
       }},
      {"instr.barriermodenomemory", kAtomics, [](Program& t) { t.set(t.parameter(Operation::barrier, 0), 1); }},
      {"instr.barriermodeuselessugroup", kAtomics, [](Program& t) { t.set(t.parameter(Operation::barrier, 0), 6); }},
      {"instr.barriermodefornoncs", kAtomics, [](Program& t) { t.p.kind = ShaderKind::pixel, t.entry().properties = kNone; }},
      {"sm.domainlocationidxoob", kDomain, [](Program& t) { t.set(t.parameter(Operation::domain_location, 0), 3); }},
      {"sm.opcodeininvalidfunction", kRays, [](Program& t) { t.p.kind = ShaderKind::compute; }},
  };
}

Cases signature_cases() {
  const auto input = [](auto change) { return [=](Program& t) { change(t.entry().inputs.at(0)); }; };
  const auto output = [](auto change) { return [=](Program& t) { change(t.entry().outputs.at(0)); }; };
  using E = MetadataElement;
  return {
      {"meta.semanticlen", kVertex, input([](E& e) { e.name = {}; })},
      {"meta.signaturecomptype", kVertex, input([](E& e) { e.component_type = ComponentType::bfloat16; })},
      {"meta.semakindvalid", kVertex, input([](E& e) { e.semantic = static_cast<SemanticKind>(99); })},
      {"meta.semakindmatchesname", kVertex, input([](E& e) { e.semantic = SemanticKind::instance_id; })},
      {"meta.interpmodevalid", kVertex, input([](E& e) { e.interpolation = Interpolation::invalid; })},
      {"meta.semanticshouldbeallocated", kVertex, input([](E& e) { e.start_row = -1; })},
      {"meta.signatureoutofrange", kVertex, input([](E& e) { e.columns = 5; })},
      {"meta.signatureoutofrange", kVertex, input([](E& e) { e.start_row = 32; })},
      {"meta.signatureoverlap", kVertex, [](Program& t) { t.entry().inputs.at(1).start_row = t.entry().inputs.at(0).start_row; }},
      {"meta.nosemanticoverlap", kVertex,
       [](Program& t) {
         auto& list = t.entry().inputs;
         list.at(1).name = list.at(0).name;
         list.at(1).semantic_indexes = list.at(0).semantic_indexes;
       }},
      {"meta.semanticcomptype", kVertex,
       [](Program& t) {
         for (E& e : t.entry().outputs)
           if (e.semantic == SemanticKind::position) e.component_type = ComponentType::u32;
       }},
      {"meta.duplicatesysvalue", kVertex,
       [](Program& t) {
         for (E& e : t.entry().outputs) e.semantic = SemanticKind::position;
       }},
      {"meta.systemvaluerows", kVertex,
       [](Program& t) {
         for (E& e : t.entry().outputs)
           if (e.semantic == SemanticKind::position) e.rows = 2;
       }},
      {"meta.semanticindexmax", kVertex,
       [](Program& t) {
         for (E& e : t.entry().outputs)
           if (e.semantic == SemanticKind::position) e.semantic_indexes = {1};
       }},
      {"sm.nointerpmode", kVertex, input([](E& e) { e.interpolation = Interpolation::linear; })},
      {"sm.streamindexrange", kVertex, output([](E& e) { e.stream = 1; })},
      {"meta.integerinterpmode", kPixel, input([](E& e) {
         e.component_type = ComponentType::u32;
         e.interpolation = Interpolation::linear;
       })},
      {"sm.pstargetcol0", kPixel, output([](E& e) { e.start_column = 1; })},
      {"sm.pstargetindexmatchesrow", kPixel, output([](E& e) { e.semantic_indexes = {3}; })},
      {"sm.nopsoutputidx", kPixel, output([](E& e) { e.rows = 2; })},
      {"sm.psoutputsemantic", kPixel, output([](E& e) { e.semantic = SemanticKind::position; })},
      {"sm.multistreammustbepoint", kGeometry, output([](E& e) { e.stream = 1; })},
      {"sm.constantinterpmode", kMesh, [](Program& t) { t.entry().patch_or_primitives.at(0).interpolation = Interpolation::linear; }},
      {"sm.tessfactorsizematchdomain", kHull,
       [](Program& t) {
         for (E& e : t.entry().patch_or_primitives)
           if (e.semantic == SemanticKind::tess_factor) ++e.rows;
       }},
      {"sm.insidetessfactorsizematchdomain", kHull,
       [](Program& t) {
         for (E& e : t.entry().patch_or_primitives)
           if (e.semantic == SemanticKind::inside_tess_factor) e.rows += 3;
       }},
      {"sm.tessfactorfordomain", kHull, [](Program& t) { t.entry().patch_or_primitives.clear(); }},
      {"sm.csnosignatures", kCompute, [](Program& t) { t.entry().inputs.resize(1); }},
  };
}

Cases entry_cases() {
  constexpr std::uint64_t kGs = 1, kDs = 2, kHs = 3, kThreads = 4, kMs = 9, kAs = 10;
  const auto property = [](std::uint64_t tag, std::size_t n, std::uint64_t value) {
    return [=](Program& t) { t.edit_property(tag, n, value); };
  };
  return {
      {"sm.threadgroupchannelrange", kCompute, property(kThreads, 2, 65)},
      {"sm.maxtheadgroup", kCompute, property(kThreads, 0, 1025)},
      {"sm.gsoutputvertexcountrange", kGeometry, property(kGs, 1, 1025)},
      {"sm.gsinstancecountrange", kGeometry, property(kGs, 4, 33)},
      {"sm.gsvalidoutputprimitivetopology", kGeometry, property(kGs, 3, 4)},
      {"sm.gstotaloutputvertexdatarange", kGeometry, property(kGs, 1, 1024)},
      {"sm.dsinputcontrolpointcountrange", kDomain, property(kDs, 1, 33)},
      {"sm.validdomain", kDomain, property(kDs, 0, 9)},
      {"sm.hsinputcontrolpointcountrange", kHull, property(kHs, 1, 33)},
      {"sm.hullpassthrucontrolpointcountmatch", kHull,
       [](Program& t) {
         t.edit_property(kHs, 1, 1);
         t.m.functions[t.entry().function].body = kNone;
       }},
      {"sm.zerohsinputcontrolpointwithinput", kHull, property(kHs, 1, 0)},
      {"sm.outputcontrolpointcountrange", kHull, property(kHs, 2, 33)},
      {"meta.tessellatorpartition", kHull, property(kHs, 4, 9)},
      {"meta.tessellatoroutputprimitive", kHull, property(kHs, 5, 9)},
      {"meta.maxtessfactor", kHull, [](Program& t) { t.set_property(kHs, 6, std::bit_cast<std::uint32_t>(65.0F)); }},
      {"sm.meshshadermaxvertexcount", kMesh, property(kMs, 1, 257)},
      {"sm.meshshadermaxprimitivecount", kMesh, property(kMs, 2, 257)},
      {"sm.meshshaderpayloadsize", kMesh, property(kMs, 4, 16385)},
      {"sm.meshshaderoutputsize", kMesh,
       [](Program& t) {
         t.edit_property(kMs, 1, 256);
         auto& e = t.entry().outputs.at(0);
         e.rows = 32, e.columns = 4;
       }},
      {"sm.amplificationshaderpayloadsize", kAmplification, property(kAs, 1, 16385)},
      {"meta.flagsusage", kVertex, [](Program& t) { t.entry().flags |= 0x80000; }},
      {"meta.flagsusage", kAtomics, [](Program& t) { t.entry().flags = 0; }},
      {"sm.rayshadersignatures", kRays,
       [](Program& t) {
         for (EntryPoint& e : t.p.entries) e.inputs.resize(1);
       }},
      {"meta.versionsupported", kVertex, [](Program& t) { t.p.dxil_major = 2; }},
      {"sm.dxilversion", kVertex, [](Program& t) { t.p.dxil_minor = 3; }},
      {"sm.name", kVertex, [](Program& t) { t.p.minor = 14; }},
      {"meta.target", kVertex, [](Program& t) { t.m.triple = {}; }},
      {"meta.known", kVertex, [](Program& t) { t.m.named_metadata.at(0).name = t.m.triple; }},
      {"meta.required", kVertex,
       [](Program& t) { std::erase_if(t.m.named_metadata, [&](const NamedMetadata& n) { return t.m.text(n.name) == "dx.shaderModel"; }); }},
      {"meta.wellformed", kVertex,
       [](Program& t) {
         for (const NamedMetadata& n : t.m.named_metadata)
           if (t.m.text(n.name) == "dx.version") t.m.metadata.at(t.m.metadata_operands_of(n.nodes)[0]).operands.count = 1;
       }},
  };
}

Cases resource_cases() {
  const auto with = [](auto list, auto change) { return [=](Program& t) { change((t.p.*list).at(0)); }; };
  using R = ProgramResource;
  using P = ProgramMetadata;
  return {
      {"meta.denseresids", kTextured, with(&P::shader_resources, [](R& r) { r.id = 7; })},
      {"instr.resourcemaptosingleentry", kRays,
       [](Program& t) {
         ProgramResource other = t.p.shader_resources.at(0);
         other.kind = ResourceKind::texture_cube;
         other.id = static_cast<std::uint32_t>(t.p.shader_resources.size());
         t.p.shader_resources.push_back(other);
       }},
      {"instr.resourceuser", kRays,
       [](Program& t) {
         const std::uint32_t symbol = t.p.shader_resources.at(0).symbol;
         t.find([&](const Instruction& i) { return i.opcode == Opcode::load && t.operand(i, 0) == symbol; }).opcode = Opcode::ptrtoint;
       }},
      {"sm.samplecountonlyon2dms", kTextured, with(&P::shader_resources, [](R& r) { r.sample_count = 4; })},
      {"sm.invalidresourcekind", kTextured, with(&P::shader_resources, [](R& r) { r.kind = ResourceKind::sampler; })},
      {"sm.invalidresourcecomptype", kTextured, with(&P::shader_resources, [](R& r) { r.component_type = 17; })},
      {"instr.reordercoherentrequiressm69", kTextured, with(&P::shader_resources, [](R& r) { r.reorder_coherent = true; })},
      {"meta.validsamplermode", kTextured, with(&P::samplers, [](R& r) { r.sampler_kind = 9; })},
      {"sm.cbuffersize", kVertex, with(&P::constant_buffers, [](R& r) { r.size = 65552; })},
      {"sm.resourcerangeoverlap", kVertex, [](Program& t) { t.p.constant_buffers.push_back(t.p.constant_buffers.at(0)); }},
      {"sm.rovonlyinps", kAtomics, with(&P::unordered_access, [](R& r) { r.raster_ordered = true; })},
      {"sm.invalidtexturekindonuav", kAtomics, with(&P::unordered_access, [](R& r) { r.kind = ResourceKind::texture_cube; })},
      {"sm.counteronlyonstructbuf", kAtomics,
       with(&P::unordered_access, [](R& r) { r.kind = ResourceKind::raw_buffer, r.has_counter = true; })},
      {"meta.coherencenotonappendconsume", kAtomics,
       with(&P::unordered_access,
            [](R& r) { r.kind = ResourceKind::structured_buffer, r.has_counter = true, r.globally_coherent = true; })},
      {"meta.structbufalignment", kAtomics,
       with(&P::unordered_access, [](R& r) { r.kind = ResourceKind::structured_buffer, r.stride = 6; })},
      {"meta.structbufalignmentoutofbound", kAtomics,
       with(&P::unordered_access, [](R& r) { r.kind = ResourceKind::structured_buffer, r.stride = 2052; })},
  };
}

Cases code_cases() {
  return {
      {"instr.allowed", kVertex, [](Program& t) { t.find(Opcode::ret).opcode = Opcode::unreachable; }},
      {"instr.noreadinguninitialized", kControl,
       [](Program& t) {
         for (Constant& c : t.m.constants)
           if (c.kind == ConstantKind::real || c.kind == ConstantKind::integer) c.kind = ConstantKind::undef;
       }},
      {"types.intwidth", kControl,
       [](Program& t) {
         for (Type& type : t.m.types)
           if (type.kind == TypeKind::integer && type.number == 32) type.number = 24;
       }},
      {"decl.dxilfnextern", kVertex,
       [](Program& t) {
         for (const Function& f : t.m.functions)
           if (f.body == kNone) t.m.values.at(f.value).name = t.m.triple;
       }},
      {"decl.usedexternalfunction", kVertex,
       [](Program& t) {
         t.m.functions.push_back(t.m.functions.at(t.m.values.at(t.operand(t.call(Operation::load_input), 0)).index));
         for (std::uint32_t v = 0; v < t.m.values.size(); ++v)
           if (t.m.values[v].kind == ValueKind::constant)
             t.m.functions.back().value = v, t.m.values[v].name = t.m.values[t.operand(t.call(Operation::load_input), 0)].name;
       }},
      {"decl.dxilnsreserved", kVertex,
       [](Program& t) {
         t.m.values.at(t.m.functions.at(t.body().function).value).name = t.m.values.at(t.operand(t.call(Operation::load_input), 0)).name;
       }},
      {"decl.shaderreturnvoid", kVertex,
       [](Program& t) {
         t.m.type_parts.at(t.m.types.at(t.m.functions.at(t.body().function).type).parts.first) = t.type(TypeKind::float_);
       }},
      {"decl.payloadstruct", kRays,
       [](Program& t) {
         for (Type& type : t.m.types)
           if (type.kind == TypeKind::structure && !t.m.text(type.name).starts_with("dx.")) type.kind = TypeKind::float_;
       }},
      {"decl.usedinternal", kAtomics,
       [](Program& t) {
         t.m.globals.push_back(t.m.globals.at(0));
         for (std::uint32_t v = 0; v < t.m.values.size(); ++v)
           if (t.m.values[v].kind == ValueKind::function) t.m.globals.back().value = v;
         for (Instruction& i : t.m.instructions)
           if (i.opcode == Opcode::call && t.operand(i, 0) == t.m.globals.back().value) t.operand(i, 0) = t.m.functions.at(0).value;
       }},
  };
}

TEST(DxilModuleRules, Structure) { expect_each(structure_cases()); }
TEST(DxilModuleRules, Operations) { expect_each(operation_cases()); }
TEST(DxilModuleRules, Signatures) { expect_each(signature_cases()); }
TEST(DxilModuleRules, Entries) { expect_each(entry_cases()); }
TEST(DxilModuleRules, Resources) { expect_each(resource_cases()); }
TEST(DxilModuleRules, Code) { expect_each(code_cases()); }

TEST(DxilModuleRules, FindingsAreLocated) {
  Program program(kVertex);
  program.set(program.constant(program.call(Operation::load_input), 1), 5000);
  Findings findings(1000);
  validate::check_module(program.m, program.p, "DXIL/module", 0, true, findings);
  const auto found = findings.take();
  const auto opcode = std::find_if(found.begin(), found.end(), [](const Diagnostic& d) { return d.rule->id == "instr.illegaldxilopcode"; });
  ASSERT_NE(opcode, found.end());
  EXPECT_TRUE(opcode->path.starts_with("DXIL/module/function[")) << opcode->path;
  EXPECT_NE(opcode->offset, 0U);
}

// Bitcode with bits flipped that can still be read is judged without harm.
TEST(DxilModuleRules, DamagedModulesAreJudged) {
  std::size_t read = 0;
  for (const std::string_view name : {kControl, kHull, kRays}) {
    const Bytes part = test::part_data(test::dxil_sample(name), "DXIL");
    const auto program = parse_program(test::loose("DXIL", part));
    const Bytes bitcode(program->bitcode.bytes().begin(), program->bitcode.bytes().end());
    test::for_damaged(bitcode, 1000, [&](const Bytes& bytes) {
      const auto module = parse_module(view_of(bytes));
      if (!module) return;
      ++read;
      Findings findings(bytes.size());
      validate::check_module(*module, read_program_metadata(*module), "module", 0, true, findings);
      for (const Diagnostic& d : findings.take()) EXPECT_TRUE(d.rule == &kFindingsMore || !d.path.empty());
    });
  }
  EXPECT_GT(read, 100U);
}

namespace {

// --- graphs
// -------------------------------------------------------------------------------------------------------------------------------

/// A function whose blocks lead to the blocks given.
Module graph(const std::vector<std::vector<std::uint32_t>>& successors) {
  Module m;
  Body body;
  for (const auto& to : successors) {
    Block block;
    block.instructions = {static_cast<std::uint32_t>(m.instructions.size()), 1};
    Instruction i;
    i.opcode = to.empty() ? Opcode::ret : Opcode::switch_;
    i.operands.first = static_cast<std::uint32_t>(m.operands.size());
    m.operands.push_back(0);
    for (const std::uint32_t target : to) {
      if (m.operands.size() - i.operands.first > 1) m.operands.push_back(0);
      m.operands.push_back(target);
    }
    i.operands.count = to.empty() ? 0 : static_cast<std::uint32_t>(m.operands.size()) - i.operands.first;
    m.instructions.push_back(i);
    m.blocks.push_back(block);
  }
  body.blocks = {0, static_cast<std::uint32_t>(successors.size())};
  body.instructions = {0, static_cast<std::uint32_t>(m.instructions.size())};
  m.bodies.push_back(body);
  return m;
}

TEST(DxilGraph, HasTheEdgesOfTerminators) {
  const Module m = graph({{1}, {2, 3}, {4}, {4}, {1, 5}, {}, {5}});
  Graph g;
  build_graph(m, m.bodies[0], g);
  Dominators d;
  d.examine(g);
  const std::uint32_t expected[] = {kNone, 0, 1, 1, 1, 4, kNone};
  for (std::uint32_t b = 0; b < 7; ++b) EXPECT_EQ(d.immediate_dominator(b), expected[b]) << b;
  EXPECT_EQ(g.predecessors(5).size(), 2U);
  EXPECT_EQ(g.successors(1).size(), 2U);
}

}  // namespace
}  // namespace unshade::dxil::test_rules
