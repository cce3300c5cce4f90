// Modules that break a rule: what the tables of validate_*_test.cpp are made of.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxil/edit.hpp>
#include <unshade/dxil/entry_properties.hpp>
#include <unshade/dxil/operations.hpp>

#include "dxil/module/metadata_tuple.hpp"
#include "dxil/validate/module.hpp"
#include "unit/support/dxil_samples.hpp"

namespace unshade::dxil::test_rules {

using test::Bytes;
using test::view_of;

inline constexpr std::string_view kVertex = "transform_vs_6_8.dxil", kPixel = "inputs_ps_6_4.dxil", kControl = "control_ps_6_0_zi.dxil",
                                  kCompute = "rootsig_cs_6_0.dxil", kGeometry = "expand_gs_6_0.dxil", kHull = "tessellate_hs_6_5.dxil",
                                  kDomain = "tessellate_ds_6_0.dxil", kMesh = "mesh_ms_6_5.dxil", kAmplification = "mesh_as_6_5.dxil",
                                  kRays = "rays_lib_6_7.dxil", kTextured = "textured_ps_6_6.dxil", kAtomics = "atomics_cs_6_6.dxil",
                                  kWide = "wide_cs_6_7.dxil", kGraph = "graph_lib_6_8.dxil", kOldAtomics = "atomics_cs_6_0.dxil";

/// A module of a sample, and what its metadata says; cases change either.
///
/// There are two ways to change it. Those of the first kind edit the bitcode, which is read anew: values, metadata and instructions can be
/// added. Those of the second change the model in place, whether or not bitcode could say so. The second come after the first, which undo
/// them.
struct Program {
  Module m;
  ProgramMetadata p;

  explicit Program(std::string_view sample) {
    const Bytes part = test::part_data(test::dxil_sample(sample), "DXIL");
    const View found = parse_program(test::loose("DXIL", part))->bitcode;
    bitcode_.assign(found.bytes().begin(), found.bytes().end());
    read();
  }
  Program(const Program&) = delete;

  EntryPoint& entry() { return p.entries.at(0); }
  const Body& body(std::size_t i = 0) const { return m.bodies.at(i); }

  // --- to find things -----------------------------------------------------------------------------------------------------------------
  /// The first instruction that passes.
  Instruction& find(const std::function<bool(const Instruction&)>& test) {
    const auto found = std::find_if(m.instructions.begin(), m.instructions.end(), test);
    EXPECT_NE(found, m.instructions.end());
    return *found;
  }
  Instruction& find(Opcode opcode) {
    return find([&](const Instruction& i) { return i.opcode == opcode; });
  }
  std::uint32_t index_of(const Instruction& i) const { return static_cast<std::uint32_t>(&i - m.instructions.data()); }
  std::uint32_t body_index_of(const Instruction& i) const {
    const auto found = std::find_if(m.bodies.begin(), m.bodies.end(), [&](const Body& b) {
      return index_of(i) >= b.instructions.first && index_of(i) < b.instructions.end();
    });
    return static_cast<std::uint32_t>(found - m.bodies.begin());
  }
  const Body& body_of(const Instruction& i) const { return m.bodies.at(body_index_of(i)); }
  bool calls(const Instruction& i, Operation operation) const { return operation_of({m}, body_of(i), i) == operation; }
  Instruction& call(Operation operation) {
    return find([&](const Instruction& i) { return calls(i, operation); });
  }
  std::uint32_t& operand(const Instruction& i, std::size_t n) { return m.operands.at(i.operands.first + n); }
  Value& value(const Instruction& i, std::uint32_t id) { return const_cast<Value&>(m.value(&body_of(i), id)); }
  /// The constant that an operand is; other users of it change with it.
  Constant& constant(const Instruction& i, std::size_t n) {
    const Value& found = value(i, operand(i, n));
    EXPECT_EQ(found.kind, ValueKind::constant);
    return m.constants.at(found.index);
  }
  void set(Constant& c, std::uint64_t number) {
    c.kind = ConstantKind::integer;
    c.bits = number;
  }
  /// A parameter of an operation, counted behind the opcode.
  Constant& parameter(Operation operation, std::size_t n) { return constant(call(operation), 2 + n); }
  /// A number behind a tag of the first entry that has the tag: of its list, or the tag's own value where `n` is kNone. Other users of the
  /// constant change with it.
  void set_property(std::uint64_t tag, std::size_t n, std::uint64_t number, std::size_t inner = kNone) {
    for (const EntryPoint& e : p.entries) {
      if (e.properties == kNone) continue;
      const module::MetadataTuple list = module::MetadataTuple::of(m, &m.metadata[e.properties]);
      for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
        if (list.integer(i) != tag) continue;
        module::MetadataTuple tuple = n == kNone ? list : list.tuple(i + 1);
        if (inner != kNone) tuple = tuple.tuple(inner);
        const std::uint32_t id = tuple.value(n == kNone ? i + 1 : n);
        Constant& c = m.constants.at(m.values.at(id).index);
        c.kind = m.types[c.type].kind == TypeKind::integer ? ConstantKind::integer : ConstantKind::real;
        c.bits = number;
        return;
      }
    }
    ADD_FAILURE() << "no tag " << tag;
  }

  // --- edits of the bitcode -----------------------------------------------------------------------------------------------------------
  template <class Edit>
  void edit(Edit&& change) {
    auto opened = ModuleEdit::open(view_of(bitcode_));
    ASSERT_TRUE(opened) << to_string(opened.error());
    change(*opened);
    auto written = opened->write();
    ASSERT_TRUE(written) << to_string(written.error());
    bitcode_ = std::move(*written);
    read();
  }
  static std::uint32_t number(ModuleEdit& e, std::uint64_t value) { return e.metadata_value(e.integer(e.integer_type(32), value)); }

  /// A parameter that is an integer, of one call.
  void set_argument(Operation operation, std::size_t n, std::uint64_t to) {
    const Instruction& i = call(operation);
    const std::uint32_t type = value(i, operand(i, 2 + n)).type;
    ASSERT_EQ(m.types[type].kind, TypeKind::integer);
    edit([&, body = body_index_of(i), at = index_of(i)](ModuleEdit& e) { e.set_argument(body, at, 1 + n, e.integer(type, to)); });
  }
  /// What the handle that an operation takes as parameter `n` is annotated with.
  void set_view(Operation operation, std::size_t n, std::uint64_t first, std::uint64_t second) {
    const Instruction& user = call(operation);
    const Value& handle = value(user, operand(user, 2 + n));
    ASSERT_EQ(handle.kind, ValueKind::instruction);
    const Instruction& annotation = m.instructions.at(handle.index);
    ASSERT_TRUE(calls(annotation, Operation::annotate_handle));
    const std::uint32_t type = value(annotation, operand(annotation, 3)).type;
    edit([&, body = body_index_of(annotation), at = index_of(annotation)](ModuleEdit& e) {
      const std::uint32_t word = e.integer_type(32);
      const ModuleEdit::Handle words[] = {e.integer(word, first), e.integer(word, second)};
      e.set_argument(body, at, 2, e.aggregate(type, words));
    });
  }
  /// Element `n` of the list behind a tag, or what stands behind the tag where `n` is kNone.
  void edit_property(std::uint64_t tag, std::size_t n, std::uint64_t to) {
    for (const EntryPoint& entry : p.entries) {
      if (entry.properties == kNone) continue;
      const module::MetadataTuple list = module::MetadataTuple::of(m, &m.metadata[entry.properties]);
      for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
        if (list.integer(i) != tag) continue;
        const std::uint32_t node = n == kNone ? entry.properties : list.id(i + 1);
        return edit([&, place = n == kNone ? i + 1 : n](ModuleEdit& e) { e.set_operand(node, place, number(e, to)); });
      }
    }
    ADD_FAILURE() << "no tag " << tag;
  }
  /// Puts a tag and a list of numbers behind the properties of the first entry.
  void add_property(std::uint64_t tag, const std::vector<std::uint64_t>& numbers) {
    const std::uint32_t node = entry_node();
    edit([&](ModuleEdit& e) {
      std::vector<std::uint32_t> list;
      if (const std::uint32_t old = e.operand(node, 4); old != kNone)
        for (std::size_t i = 0; i < e.module().metadata[old].operands.count; ++i) list.push_back(e.operand(old, i));
      std::vector<std::uint32_t> values;
      for (const std::uint64_t n : numbers) values.push_back(number(e, n));
      list.push_back(number(e, tag));
      list.push_back(e.node(values));
      e.set_operand(node, 4, e.node(list));
    });
  }
  /// The metadata id of the first entry.
  std::uint32_t entry_node() const {
    return static_cast<std::uint32_t>(m.metadata_operands_of(module::find_named_metadata(m, "dx.entryPoints")->nodes)[0]);
  }

  // --- instructions of one's own ------------------------------------------------------------------------------------------------------
  static constexpr std::size_t kSpareConstants = 16;

  /// Makes room for an instruction in front of one, with constants to go with it and a function to call. The others below fill it.
  void make_room(const Instruction& before) {
    const std::uint32_t in = body_index_of(before), at = index_of(before);
    constexpr std::uint64_t kFirst = 0x5eed'0000;
    const auto ident = m.metadata_operands_of(module::find_named_metadata(m, "llvm.ident")->nodes)[0];
    edit([&](ModuleEdit& e) {
      const std::uint32_t type = e.integer_type(32);
      for (std::uint64_t k = 0; k < kSpareConstants; k += 2)
        e.insert_add(in, at, e.integer(type, kFirst + k), e.integer(type, kFirst + k + 1));
      // The compiler is taken out below: its place keeps the constant that becomes what is called.
      e.set_operand(static_cast<std::uint32_t>(ident), 0, number(e, kFirst + kSpareConstants));
    });
    std::erase_if(m.named_metadata, [&](const NamedMetadata& named) { return m.text(named.name) == "llvm.ident"; });
    room_ = at + kSpareConstants / 2 - 1;
    spares_.clear();
    const Instruction& last = m.instructions.at(room_);
    for (std::uint32_t i = at; i <= room_; ++i)
      for (std::size_t n = 0; n < 2; ++n) {
        std::uint32_t& id = operand(m.instructions[i], n);
        if (i != at) {
          spares_.push_back(id);
          id = operand(m.instructions.at(at), 0);
        }
      }
    unknown_ = m.instructions.at(at).value;
    for (std::uint32_t v = 0; v < m.values.size(); ++v)
      if (m.values[v].kind == ValueKind::constant && m.constants[m.values[v].index].bits == kFirst + kSpareConstants) callee_ = v;
    ASSERT_EQ(last.opcode, Opcode::add);
    ASSERT_NE(callee_, kNone);
  }
  /// The same in front of the last instruction of the first block.
  void make_room(std::size_t in = 0) { make_room(m.instructions.at(m.blocks.at(body(in).blocks.first).instructions.end() - 1)); }

  Instruction& room() { return m.instructions.at(room_); }
  /// A value that is computed, an i32.
  std::uint32_t unknown() const { return unknown_; }
  std::uint32_t spare(ConstantKind kind, std::uint32_t of, std::uint64_t bits = 0) {
    const std::uint32_t id = spares_.back();
    spares_.pop_back();
    Value& v = value(room(), id);
    v.type = of;
    Constant& c = m.constants.at(v.index);
    c = {.kind = kind, .type = of, .bits = bits};
    return id;
  }
  std::uint32_t i32(std::uint64_t n) { return spare(ConstantKind::integer, type(TypeKind::integer, 32), n); }
  std::uint32_t i8(std::uint64_t n) { return spare(ConstantKind::integer, type(TypeKind::integer, 8), n); }
  std::uint32_t f32(float n) { return spare(ConstantKind::real, type(TypeKind::float_), std::bit_cast<std::uint32_t>(n)); }
  std::uint32_t undef(std::uint32_t of) { return spare(ConstantKind::undef, of); }
  std::uint32_t null(std::uint32_t of) { return spare(ConstantKind::null, of); }

  void set_operands(Instruction& i, const std::vector<std::uint32_t>& list) {
    i.operands = {static_cast<std::uint32_t>(m.operands.size()), static_cast<std::uint32_t>(list.size())};
    m.operands.insert(m.operands.end(), list.begin(), list.end());
  }
  /// Fills the room.
  Instruction& make(Opcode opcode, std::uint32_t of, const std::vector<std::uint32_t>& operands, std::uint32_t second_type = kNone) {
    Instruction& i = room();
    i.opcode = opcode;
    i.second_type = second_type;
    i.type = of;
    if (i.value != kNone) value(i, i.value).type = of;
    if (m.types[of].kind == TypeKind::void_) i.value = kNone;
    set_operands(i, operands);
    return i;
  }
  /// Fills the room with a call. `overload`: what is behind the operation's name, with the dot.
  Instruction& make_call(Operation operation, std::string_view overload, std::uint32_t result,
                         const std::vector<std::uint32_t>& arguments) {
    const auto code = static_cast<std::uint32_t>(operation);
    return make_call(code, "dx.op." + std::string(find_operation(code)->function) + std::string(overload), result, arguments);
  }
  Instruction& make_call(std::uint32_t code, const std::string& name, std::uint32_t result, const std::vector<std::uint32_t>& arguments) {
    std::vector<std::uint32_t> parameters{type(TypeKind::integer, 32)}, operands{callee_, i32(code)};
    for (const std::uint32_t id : arguments) {
      parameters.push_back(value(room(), id).type);
      operands.push_back(id);
    }
    const std::uint32_t of = function_type(result, parameters);
    m.functions.push_back({.value = callee_, .type = of, .linkage = Linkage::external});
    m.values[callee_] = {ValueKind::function, pointer(of), static_cast<std::uint32_t>(m.functions.size() - 1), text(name)};
    return make(Opcode::call, result, operands, of);
  }
  /// Fills the room, which is in front of the instruction, with the same once more.
  void make_again() {
    const Instruction next = m.instructions.at(room_ + 1);
    Instruction& i = make(next.opcode, next.type, {}, next.second_type);
    i.operands = next.operands;
  }

  // --- types, texts, lists ------------------------------------------------------------------------------------------------------------
  std::uint32_t type(TypeKind kind, std::uint32_t number = 0) {
    for (std::uint32_t i = 0; i < m.types.size(); ++i)
      if (m.types[i].kind == kind && (kind != TypeKind::integer || m.types[i].number == number)) return i;
    return add_type({.kind = kind, .number = number}, {});
  }
  std::uint32_t add_type(Type of, const std::vector<std::uint32_t>& parts) {
    of.parts = {static_cast<std::uint32_t>(m.type_parts.size()), static_cast<std::uint32_t>(parts.size())};
    m.type_parts.insert(m.type_parts.end(), parts.begin(), parts.end());
    m.types.push_back(of);
    return static_cast<std::uint32_t>(m.types.size() - 1);
  }
  std::uint32_t pointer(std::uint32_t to, std::uint32_t space = 0) {
    for (std::uint32_t i = 0; i < m.types.size(); ++i)
      if (m.types[i].kind == TypeKind::pointer && m.types[i].number == space && m.element_of(i) == to) return i;
    return add_type({.kind = TypeKind::pointer, .number = space}, {to});
  }
  std::uint32_t array(std::uint32_t of, std::uint64_t count, TypeKind kind = TypeKind::array) {
    return add_type({.kind = kind, .count = count}, {of});
  }
  std::uint32_t structure(const std::vector<std::uint32_t>& members) { return add_type({.kind = TypeKind::structure}, members); }
  std::uint32_t function_type(std::uint32_t result, const std::vector<std::uint32_t>& parameters) {
    std::vector<std::uint32_t> parts{result};
    parts.insert(parts.end(), parameters.begin(), parameters.end());
    return add_type({.kind = TypeKind::function}, parts);
  }
  /// What a function takes from now on; it gives back nothing.
  void set_parameters(std::uint32_t function, const std::vector<std::uint32_t>& parameters) {
    m.functions.at(function).type = function_type(type(TypeKind::void_), parameters);
  }
  std::uint32_t struct_named(std::string_view name) const {
    for (std::uint32_t i = 0; i < m.types.size(); ++i)
      if (m.types[i].kind == TypeKind::structure && m.text(m.types[i].name) == name) return i;
    ADD_FAILURE() << name;
    return 0;
  }
  /// The first entry of a kind, of a library.
  EntryPoint& entry_of(ShaderKind kind) {
    const auto found = std::find_if(p.entries.begin(), p.entries.end(),
                                    [&](const EntryPoint& e) { return e.function != kNone && read_entry_properties(p, e).kind == kind; });
    EXPECT_NE(found, p.entries.end());
    return *found;
  }
  StringRange text(std::string_view characters) {
    const StringRange range{static_cast<std::uint32_t>(m.characters.size()), static_cast<std::uint32_t>(characters.size())};
    EXPECT_LE(characters.size(), m.characters.capacity() - m.characters.size());
    m.characters.append(characters);
    return range;
  }

  /// The errors that are found.
  std::set<std::string> broken() const {
    Findings findings(1 << 20);
    validate::check_module(m, p, "module", 0, true, findings);
    std::set<std::string> ids;
    for (const Diagnostic& d : findings.take())
      if (d.rule->severity == Severity::error) ids.emplace(d.rule->id);
    return ids;
  }

 private:
  void read() {
    m = *parse_module(view_of(bitcode_));
    constexpr std::size_t kRoomForTexts = 1024;  // what is in `p` refers to the texts of `m`, which must not move
    m.characters.reserve(m.characters.size() + kRoomForTexts);
    p = read_program_metadata(m);
  }

  Bytes bitcode_;
  std::uint32_t room_ = 0, unknown_ = 0, callee_ = kNone;
  std::vector<std::uint32_t> spares_;
};

/// A sample, what breaks a rule in it, and the rule.
struct Case {
  std::string_view id;
  std::string_view sample;
  std::function<void(Program&)> change;
  /// Rules that cannot but break with it; nothing where they are not looked at.
  std::optional<std::set<std::string>> also = std::nullopt;
};
using Cases = std::vector<Case>;

/// Each sample breaks no rule as it is; changed, it breaks those that the case names.
inline void expect_each(const Cases& cases) {
  for (const Case& c : cases) {
    Program program(c.sample);
    EXPECT_EQ(program.broken(), std::set<std::string>{}) << c.sample;
    c.change(program);
    std::set<std::string> broken = program.broken();
    EXPECT_EQ(broken.erase(std::string(c.id)), 1U) << c.id;
    if (c.also) {
      EXPECT_EQ(broken, *c.also) << c.id;
    }
  }
}

/// Each sample breaks, changed, only what `also` names: what looks like a breach of the rule is none.
inline void expect_none(const Cases& cases) {
  for (const Case& c : cases) {
    Program program(c.sample);
    c.change(program);
    EXPECT_EQ(program.broken(), c.also.value_or(std::set<std::string>{})) << c.id;
  }
}

// The tables: a test over each stands beside it, and rules_test.cpp tells which rules none of them breaks.
Cases structure_cases();
Cases operation_cases();
Cases signature_cases();
Cases entry_cases();
Cases resource_cases();
Cases code_cases();
Cases resource_operation_cases();
Cases more_operation_cases();
Cases instruction_cases();
Cases declaration_cases();
Cases more_signature_cases();
Cases more_entry_cases();
Cases flow_cases();
Cases function_cases();
Cases node_cases();
Cases packing_cases();
Cases view_cases();
Cases ray_cases();
/// Those that a text breaks.
std::set<std::string> rules_with_texts();

}  // namespace unshade::dxil::test_rules
