// Instructions, types and declarations that break a rule.
#include "unit/dxil/validate/rule_cases.hpp"

namespace unshade::dxil::test_rules {

namespace {

std::uint32_t i32(Program& t) { return t.type(TypeKind::integer, 32); }
std::uint32_t f32(Program& t) { return t.type(TypeKind::float_); }

/// A cast of nothing in particular.
auto cast(Opcode opcode, auto from, auto to) {
  return [=](Program& t) {
    t.make_room();
    t.make(opcode, to(t), {t.null(from(t))});
  };
}
/// A variable of a type.
auto variable(auto of) {
  return [=](Program& t) {
    t.make_room();
    const std::uint32_t type = of(t);
    t.make(Opcode::alloca_, t.pointer(type), {t.i32(1)}, type);
  };
}
auto by_zero(Opcode opcode) {
  return [=](Program& t) {
    t.make_room();
    t.make(opcode, i32(t), {t.i32(1), t.i32(0)});
  };
}

/// The metadata that hangs on the first instruction with hints, and its node.
Attachment& hints(Program& t) {
  const Body& body = t.body();
  for (std::uint32_t k = body.attachments.first; k < body.attachments.end(); ++k)
    if (t.m.text(t.m.metadata_kinds.at(t.m.attachments[k].kind).name) == "dx.controlflow.hints") return t.m.attachments[k];
  ADD_FAILURE() << "no hints";
  return t.m.attachments.at(0);
}
/// Puts these numbers behind the first two operands of the node.
void set_hints(Program& t, const std::vector<std::uint64_t>& numbers) {
  // The second operand, a text, lends its place to each number until it is in the module.
  constexpr std::size_t kFirst = 2;
  const std::uint32_t node = hints(t).node;
  ASSERT_LE(numbers.size(), kFirst);
  t.edit([&](ModuleEdit& e) {
    for (std::size_t k = 0; k < numbers.size(); ++k) e.set_operand(node, 1 + k, Program::number(e, numbers[k]));
  });
  const std::uint32_t now = hints(t).node;
  const auto old = t.m.metadata_operands_of(t.m.metadata.at(now).operands);
  std::vector<std::uint64_t> operands{old[0], old[0]};
  for (std::size_t k = 0; k < numbers.size(); ++k) operands.push_back(old[1 + k]);
  t.m.metadata.at(now).operands = {static_cast<std::uint32_t>(t.m.metadata_operands.size()), static_cast<std::uint32_t>(operands.size())};
  t.m.metadata_operands.insert(t.m.metadata_operands.end(), operands.begin(), operands.end());
}

void set_space(Program& t, std::uint32_t from, std::uint32_t to) {
  for (Type& type : t.m.types)
    if (type.kind == TypeKind::pointer && type.number == from) type.number = to;
}
constexpr std::uint32_t kGroupShared = 3;

/// An attribute that functions have, as text.
void add_attribute(Program& t, std::string_view key, std::string_view value) {
  Attribute attribute{.kind = AttributeKind::text, .has_value = true, .key = t.text(key), .text = t.text(value)};
  t.m.attributes.push_back(attribute);
  t.m.attribute_groups.push_back(
      {.slot = AttributeGroup::kFunction, .attributes = {static_cast<std::uint32_t>(t.m.attributes.size() - 1), 1}});
  t.m.attribute_list_groups.push_back(static_cast<std::uint32_t>(t.m.attribute_groups.size() - 1));
  t.m.attribute_lists.push_back({static_cast<std::uint32_t>(t.m.attribute_list_groups.size() - 1), 1});
  t.m.functions.at(t.entry().function).attributes = static_cast<std::uint32_t>(t.m.attribute_lists.size() - 1);
}

/// The entry takes parameters of these types.
auto taking(ShaderKind kind, auto types) {
  return [=](Program& t) { t.set_parameters(t.entry_of(kind).function, types(t)); };
}
using Types = std::vector<std::uint32_t>;

/// A constant that is made of a value.
void add_cast(Program& t, std::uint32_t value) {
  t.m.operands.push_back(value);
  t.m.constants.push_back({.kind = ConstantKind::cast, .operands = {static_cast<std::uint32_t>(t.m.operands.size() - 1), 1}});
}

}  // namespace

Cases instruction_cases() {
  constexpr std::uint64_t kBranch = 1, kFlatten = 2, kForceCase = 5;
  const auto number = [](Program& t) { return i32(t); };
  const auto real = [](Program& t) { return f32(t); };
  return {
      {"bitcode.cast", kControl, cast(Opcode::trunc, number, real), {{}}},
      {"bitcode.cast", kControl, cast(Opcode::zext, number, number), {{}}},
      {"bitcode.memory", kAtomics, [](Program& t) { t.find(Opcode::atomicrmw).ordering = Ordering::unordered; }, {{}}},
      {"bitcode.memory", kControl, [](Program& t) { t.find(Opcode::load).alignment_code = 31; }, {{}}},
      {"bitcode.switch-case",
       kControl,
       [](Program& t) {
         const Instruction& i = t.find(Opcode::switch_);
         t.operand(i, 4) = t.operand(i, 2);
       },
       {{}}},
      {"instr.extractvalue",
       kControl,
       [](Program& t) {
         t.make_room();
         const std::uint32_t pair = t.structure({i32(t), i32(t)});
         t.make(Opcode::extractvalue, i32(t), {t.null(pair), 0});
       },
       {{}}},
      {"instr.noidivbyzero", kControl, by_zero(Opcode::sdiv), {{}}},
      {"instr.noudivbyzero", kControl, by_zero(Opcode::udiv), {{}}},
      {"instr.nogenericptraddrspacecast",
       kControl,
       cast(
           Opcode::addrspacecast, [](Program& t) { return t.pointer(i32(t)); }, [](Program& t) { return t.pointer(i32(t), 1); }),
       {{}}},
      {"instr.ptrbitcast",
       kControl,
       cast(
           Opcode::bitcast, [](Program& t) { return t.pointer(i32(t)); }, [](Program& t) { return t.pointer(t.array(i32(t), 2)); }),
       {{}}},
      {"instr.structbitcast",
       kControl,
       cast(
           Opcode::bitcast, [](Program& t) { return t.pointer(t.structure({i32(t)})); }, [](Program& t) { return t.pointer(i32(t)); }),
       {{}}},
      {"instr.minprecisonbitcast",
       kControl,
       cast(
           Opcode::bitcast, [](Program& t) { return t.type(TypeKind::integer, 16); }, [](Program& t) { return t.type(TypeKind::half); }),
       {{"meta.flagsusage"}}},
      {"instr.inboundsaccess",
       kControl,
       [](Program& t) {
         const Instruction& i = t.find(Opcode::alloca_);
         t.m.types.at(i.second_type).count = 1;
       },
       {{}}},
      {"instr.atomicopnongroupsharedorrecord", kAtomics, [](Program& t) { set_space(t, kGroupShared, 1); }, {{}}},
      {"instr.atomicconst",
       kAtomics,
       [](Program& t) {
         for (Global& g : t.m.globals) g.constant = true;
       },
       {{}}},
      {"instr.failtoreslovetgsmpointer",
       kAtomics,
       [](Program& t) {
         t.make_room();
         const std::uint32_t pointer = t.pointer(i32(t), kGroupShared);
         t.make(Opcode::select, pointer, {t.null(t.type(TypeKind::integer, 1)), t.null(pointer), t.null(pointer)});
       },
       {{}}},
      {"types.i8",
       kControl,
       [](Program& t) {
         t.make_room();
         t.make(Opcode::add, t.type(TypeKind::integer, 8), {t.i8(1), t.i8(2)});
       },
       {{}}},
      {"types.defined", kControl, variable([](Program& t) { return t.pointer(t.function_type(t.type(TypeKind::void_), {})); }), {{}}},
      {"types.noptrtoptr", kControl, variable([](Program& t) { return t.pointer(t.pointer(i32(t))); }), {{}}},
      {"types.noptrtoptr", kControl, variable([](Program& t) { return t.structure({t.pointer(i32(t))}); }), {{}}},
      {"types.nomultidim", kControl, variable([](Program& t) { return t.array(t.array(i32(t), 2), 2); }), {{}}},
      {"types.novector", kControl, variable([](Program& t) { return t.array(f32(t), 4, TypeKind::vector); }), {{}}},
      {"decl.dxilnsreserved",
       kControl,
       variable([](Program& t) {
         const std::uint32_t type = t.structure({i32(t)});
         t.m.types.at(type).name = t.text("dx.other");
         return type;
       }),
       {{}}},
      {"meta.invalidcontrolflowhint", kControl, [](Program& t) { set_hints(t, {3}); }, {{}}},
      {"meta.branchflatten", kControl, [](Program& t) { set_hints(t, {kBranch, kFlatten}); }, {{}}},
      {"meta.forcecaseonswitch", kControl, [](Program& t) { set_hints(t, {kForceCase}); }, {{}}},
      {"meta.controlflowhintnotoncontrolflow", kControl, [](Program& t) { hints(t).instruction = 0; }, {{}}},
      {"meta.used",
       kControl,
       [](Program& t) {
         // Those of the function stand in front.
         const Attachment of_function{.instruction = kNone, .kind = hints(t).kind, .node = hints(t).node};
         t.m.attachments.at(t.body().attachments.first) = of_function;
       },
       {{}}},
      {"meta.valuerange",
       kControl,
       [](Program& t) {
         set_hints(t, {kFlatten});
         Attachment& a = hints(t);
         t.m.metadata_kinds.at(a.kind).name = t.text("dx.nonuniform");
         a.instruction = t.index_of(t.find(Opcode::getelementptr)) - t.body().instructions.first;
         Range& operands = t.m.metadata.at(a.node).operands;
         operands = {operands.first + 2, 1};
       },
       {{"meta.used"}}},
  };
}

Cases declaration_cases() {
  const auto whole = [](auto types) { return [=](Program& t) { t.set_parameters(t.entry().function, types(t)); }; };
  return {
      {"flow.functioncall", kVertex, whole([](Program& t) { return Types{f32(t)}; }), {{}}},
      {"decl.fnflattenparam", kVertex, whole([](Program& t) { return Types{t.pointer(t.structure({f32(t)}))}; }), {{"flow.functioncall"}}},
      {"decl.resourceinfnsig",
       kVertex,
       whole([](Program& t) { return Types{t.pointer(t.struct_named("dx.types.Handle"))}; }),
       {{"flow.functioncall", "decl.fnflattenparam"}}},
      {"decl.resourceinfnsig",
       kVertex,
       whole([](Program& t) {
         const std::uint32_t texture = t.structure({i32(t)});
         t.m.types.at(texture).name = t.text("class.RWTexture2D<vector<float, 4> >");
         return Types{t.pointer(t.structure({f32(t), t.array(texture, 2)}))};
       }),
       {{"flow.functioncall", "decl.fnflattenparam"}}},
      {"decl.shadermissingarg", kRays, taking(ShaderKind::miss, [](Program&) { return Types{}; }), {{}}},
      {"decl.extraargs",
       kRays,
       taking(ShaderKind::callable,
              [](Program& t) {
                const std::uint32_t tint = t.pointer(t.struct_named("struct.Tint"));
                return Types{tint, tint};
              }),
       {{}}},
      {"decl.paramstruct", kRays, taking(ShaderKind::callable, [](Program& t) { return Types{t.pointer(f32(t))}; }), {{}}},
      {"decl.payloadstruct", kRays, taking(ShaderKind::miss, [](Program& t) { return Types{t.pointer(f32(t))}; }), {{}}},
      {"decl.attrstruct",
       kRays,
       taking(ShaderKind::any_hit, [](Program& t) { return Types{t.pointer(t.struct_named("struct.Payload")), t.pointer(f32(t))}; }),
       {{}}},
      {"decl.fnattribute", kVertex, [](Program& t) { add_attribute(t, "other", "any"); }, {{}}},
      {"decl.fnattribute", kVertex, [](Program& t) { add_attribute(t, "fp32-denorm-mode", "other"); }, {{}}},
      {"decl.fniscalled",
       kVertex,
       [](Program& t) {
         const auto declared = std::find_if(t.m.functions.begin(), t.m.functions.end(), [](const Function& f) { return f.body == kNone; });
         ASSERT_NE(declared, t.m.functions.end());
         add_cast(t, declared->value);
       },
       {{}}},
      {"decl.notusedexternal",
       kAtomics,
       [](Program& t) {
         for (Global& g : t.m.globals) g.linkage = Linkage::external, g.address_space = 0;
       },
       {{}}},
      {"flow.norecursion",
       kVertex,
       [](Program& t) {
         t.make_room();
         const Function& self = t.m.functions.at(t.entry().function);
         t.make(Opcode::call, t.type(TypeKind::void_), {self.value}, self.type);
       },
       {{}}},
  };
}

// What is defined in the module may be passed on, as dxc does with what libraries export.
TEST(DxilCodeRules, DefinedFunctionsHaveOtherUses) {
  expect_none({{"decl.fniscalled", kVertex, [](Program& t) { add_cast(t, t.m.functions.at(t.entry().function).value); }}});
}

TEST(DxilCodeRules, Instructions) { expect_each(instruction_cases()); }
TEST(DxilCodeRules, Declarations) { expect_each(declaration_cases()); }

}  // namespace unshade::dxil::test_rules
