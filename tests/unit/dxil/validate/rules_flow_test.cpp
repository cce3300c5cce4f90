// Control flow, nodes, and what functions ask of their stages: modules that break a rule.
#include <utility>

#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

namespace {

using O = Operation;

std::uint32_t i32(Program& t) { return t.type(TypeKind::integer, 32); }
std::uint32_t f32(Program& t) { return t.type(TypeKind::float_); }
std::uint32_t none(Program& t) { return t.type(TypeKind::void_); }

const Body& body_named(Program& t, std::string_view name) {
  for (const Body& body : t.m.bodies)
    if (t.m.text(t.m.values.at(t.m.functions.at(body.function).value).name) == name) return body;
  ADD_FAILURE() << name;
  return t.body();
}
void make_room_in(Program& t, std::string_view name) { t.make_room(static_cast<std::size_t>(&body_named(t, name) - t.m.bodies.data())); }

Instruction& last_of(Program& t, const Body& body, std::uint32_t block) {
  return t.m.instructions.at(t.m.blocks.at(body.blocks.first + block).instructions.end() - 1);
}
/// An instruction becomes one that leads to a block.
void lead(Program& t, Instruction& i, const std::vector<std::uint32_t>& operands) {
  i.opcode = Opcode::br;
  i.type = none(t);
  i.value = kNone;
  t.set_operands(i, operands);
}
void add_derivative(Program& t) { t.make_call(O::deriv_coarse_x, ".f32", f32(t), {t.f32(1)}); }

/// A way past the only dispatch: the block is divided in front of it, and another returns.
void dispatch_sometimes(Program& t) {
  t.make_room(t.call(O::dispatch_mesh));
  t.make(Opcode::ret, none(t), {});
  const std::uint32_t room = t.index_of(t.room());
  Body& body = t.m.bodies.at(0);
  lead(t, t.m.instructions.at(room - 1), {1, 2, t.spare(ConstantKind::integer, t.type(TypeKind::integer, 1), 1)});
  const Range all = body.instructions;
  body.blocks = {static_cast<std::uint32_t>(t.m.blocks.size()), 3};
  for (const Range range : {Range{all.first, room - all.first}, Range{room, 1}, Range{room + 1, all.end() - room - 1}}) {
    Block block;
    block.instructions = range;
    t.m.blocks.push_back(block);
  }
}

/// Every store to an element goes to one of its components.
void store_one_component(Program& t, SemanticKind semantic) {
  const auto& outputs = t.entry().outputs;
  std::uint32_t column = kNone;
  for (const Instruction& i : t.m.instructions) {
    if (!t.calls(i, O::store_output)) continue;
    if (outputs.at(t.constant(i, 2).bits).semantic != semantic) continue;
    if (column == kNone) column = t.operand(i, 4);
    t.operand(i, 4) = column;
  }
}

/// Puts a tag and a number behind the properties of the first entry.
void add_number(Program& t, std::uint64_t tag, std::uint64_t value) {
  const std::uint32_t node = t.entry_node();
  t.edit([&](ModuleEdit& e) {
    std::vector<std::uint32_t> list;
    if (const std::uint32_t old = e.operand(node, 4); old != kNone)
      for (std::size_t i = 0; i < e.module().metadata[old].operands.count; ++i) list.push_back(e.operand(old, i));
    list.push_back(Program::number(e, tag));
    list.push_back(Program::number(e, value));
    e.set_operand(node, 4, e.node(list));
  });
}

/// The first input of a node, twice.
void double_input(Program& t) {
  constexpr std::uint64_t kInputs = 20;
  for (const EntryPoint& entry : t.p.entries) {
    if (entry.properties == kNone) continue;
    const module::MetadataTuple list = module::MetadataTuple::of(t.m, &t.m.metadata[entry.properties]);
    for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
      if (list.integer(i) != kInputs) continue;
      const std::uint32_t input = list.tuple(i + 1).id(0);
      return t.edit([&, node = entry.properties](ModuleEdit& e) { e.set_operand(node, i + 1, e.node({{input, input}})); });
    }
  }
}

}  // namespace

Cases flow_cases() {
  return {
      {"flow.reducible", kGraph,
       [](Program& t) {
         const Body& body = body_named(t, "gather");
         lead(t, last_of(t, body, 2), {1});
       }},
      {"flow.deadloop", kAtomics,
       [](Program& t) {
         const Body& body = t.body();
         lead(t, last_of(t, body, body.blocks.count - 1), {body.blocks.count - 1});
       }},
      {"instr.missingsetmeshoutputcounts", kMesh, [](Program& t) { t.call(O::set_mesh_output_counts).opcode = Opcode::fence; }},
      {"instr.nondominatingsetmeshoutputcounts", kMesh,
       [](Program& t) { std::swap(t.call(O::set_mesh_output_counts), t.call(O::emit_indices)); }},
      {"instr.notoncedispatchmesh", kAmplification, [](Program& t) { t.call(O::dispatch_mesh).opcode = Opcode::fence; }},
      {"instr.nondominatingdispatchmesh", kAmplification, dispatch_sometimes, {{}}},
      {"instr.noderecordhandleuseaftercomplete",
       kGraph,
       [](Program& t) {
         t.make_room(t.call(O::output_complete));
         t.make_again();
       },
       {{}}},
      {"sm.undefinedoutput", kVertex, [](Program& t) { store_one_component(t, SemanticKind::position); }, {{"sm.completeposition"}}},
      {"sm.completeposition", kVertex, [](Program& t) { store_one_component(t, SemanticKind::position); }, {{"sm.undefinedoutput"}}},
  };
}

Cases function_cases() {
  constexpr std::uint64_t kThreads = 4, kMeshState = 9, kAmplificationState = 10, kGroupLimit = 24;
  constexpr std::size_t kMeshPayload = 4, kAmplificationPayload = 1;
  return {
      {"sm.meshshaderpayloadsizedeclared", kMesh, [](Program& t) { t.set_property(kMeshState, kMeshPayload, 4); }},
      {"sm.amplificationshaderpayloadsizedeclared", kAmplification,
       [](Program& t) { t.set_property(kAmplificationState, kAmplificationPayload, 4); }},
      {"sm.tgsmunsupported", kAtomics, [](Program& t) { t.p.kind = ShaderKind::pixel; }},
      {"sm.maxtgsmsizeonentry", kAtomics,
       [](Program& t) {
         for (Global& global : t.m.globals)
           if (global.address_space == 3) global.type = t.array(i32(t), 10000);
       }},
      {"sm.explicittgsmsizeonentry", kAtomics, [](Program& t) { add_number(t, kGroupLimit, 16); }, {{"meta.wellformed"}}},
      {"sm.incompatiblestage",
       kVertex,
       [](Program& t) {
         t.make_room();
         add_derivative(t);
       },
       {{"sm.opcode", "sm.incompatibleoperation"}}},
      {"sm.incompatibleoperation", kAtomics,
       [](Program& t) {
         t.make_room();
         add_derivative(t);
         t.set_property(kThreads, 0, 3);
       }},
      {"sm.incompatiblethreadgroupdim", kAtomics,
       [](Program& t) {
         t.make_room();
         add_derivative(t);
         t.set_property(kThreads, 0, 3);
       }},
      {"sm.incompatibleshadermodel", kWide, [](Program& t) { t.p.minor = t.p.dxil_minor = 0; }},
      {"sm.incompatiblederivlaunch",
       kGraph,
       [](Program& t) {
         make_room_in(t, "done");
         add_derivative(t);
       },
       {{"sm.incompatibleoperation", "sm.incompatiblethreadgroupdim"}}},
      {"sm.incompatiblerequiresgroup",
       kGraph,
       [](Program& t) {
         make_room_in(t, "done");
         t.make_call(O::barrier, "", none(t), {t.i32(9)});
       },
       {{"sm.incompatibleoperation"}}},
      {"sm.incompatiblecallinentry",
       kGraph,
       [](Program& t) {
         make_room_in(t, "gather");
         t.make_call(O::barrier, "", none(t), {t.i32(9)});
         const Function& callee = t.m.functions.at(body_named(t, "gather").function);
         const Body& caller = body_named(t, "done");
         for (std::uint32_t k = caller.instructions.first; k < caller.instructions.end(); ++k) {
           Instruction& i = t.m.instructions.at(k);
           if (!t.calls(i, O::atomic_bin_op)) continue;
           i.type = none(t);
           i.value = kNone;
           i.second_type = callee.type;
           t.set_operands(i, {callee.value});
           break;
         }
       },
       {{"sm.incompatiblerequiresgroup"}}},
  };
}

Cases node_cases() {
  constexpr std::uint64_t kKind = 8, kInputs = 20;
  constexpr std::uint64_t kComputeKind = 5, kThreadRecord = 33;
  return {
      {"meta.computewithnode", kGraph, [](Program& t) { t.set_property(kKind, kNone, kComputeKind); }},
      {"decl.multiplenodeinputs", kGraph, double_input, {{}}},
      {"decl.nodelaunchinputtype", kGraph, [](Program& t) { t.set_property(kInputs, 1, kThreadRecord, 0); }},
      {"instr.svconflictinglaunchmode",
       kGraph,
       [](Program& t) {
         make_room_in(t, "gather");
         t.make_call(O::thread_id, ".i32", i32(t), {t.i32(0)});
       },
       {{}}},
  };
}

TEST(DxilFlowRules, Flow) { expect_each(flow_cases()); }
TEST(DxilFlowRules, Functions) { expect_each(function_cases()); }
TEST(DxilFlowRules, Nodes) { expect_each(node_cases()); }

}  // namespace unshade::dxil::test_rules
