#include "dxbc/validate/validate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/program/facts.hpp>
#include <unshade/dxcontainer/root_signature.hpp>

#include "unit/dxbc/validate/text_cases.hpp"
#include "unit/support/dxbc_builder.hpp"

namespace unshade::dxbc {
namespace {

using dxcontainer::fourcc;
using dxcontainer::SystemValue;
using test::bare;
using test::BuiltPart;
using test::Bytes;
using test::component;
using test::element;
using test::literal;
using test::literal4;
using test::masked;
using test::ProgramBuilder;
using test::read_temp;
using test::scalar;
using test::swizzled;
using test::temp;
using test::temp_x;
using test::Words;

// Control bits of opcode tokens, as they stand there.
constexpr std::uint32_t kTexture2d = 3U << 11;
constexpr std::uint32_t kLinear = 2U << 11;
constexpr std::uint32_t kFloats = 0x5555;  // return types
constexpr std::uint32_t flags(std::uint32_t bits) { return bits << 11; }

/// A whole shader, part by part.
struct Shader {
  ProgramBuilder program;
  std::vector<dxcontainer::SignatureElement> input, output, patch;
  bool has_patch = false;
  std::optional<Rdef> rdef;
  std::optional<Statistics> statistics;
  std::optional<std::uint64_t> features;
  std::vector<BuiltPart> more;
  std::uint32_t program_part = fourcc("SHEX");
  std::size_t trailing = 0;  // bytes behind the program

  Bytes build() const {
    std::vector<BuiltPart> parts;
    if (rdef) parts.push_back({fourcc("RDEF"), write_rdef(*rdef)});
    parts.push_back({fourcc("ISGN"), test::signature(fourcc("ISGN"), input)});
    parts.push_back({fourcc("OSGN"), test::signature(fourcc("OSGN"), output)});
    if (has_patch) parts.push_back({fourcc("PCSG"), test::signature(fourcc("PCSG"), patch)});
    Bytes code = program.bytes();
    code.resize(code.size() + trailing);
    parts.push_back({program_part, code});
    if (features) {
      Bytes data;
      test::append32(data, static_cast<std::uint32_t>(*features));
      test::append32(data, static_cast<std::uint32_t>(*features >> 32));
      parts.push_back({fourcc("SFI0"), data});
    }
    if (statistics) parts.push_back({fourcc("STAT"), write_statistics(*statistics)});
    parts.insert(parts.end(), more.begin(), more.end());
    return test::build_container(parts);
  }
};

/// The shader with a root signature.
Shader with_root(Shader shader, const dxcontainer::RootSignature& root) {
  shader.more.push_back({fourcc("RTS0"), dxcontainer::write_root_signature(root)});
  return shader;
}

dxcontainer::RootParameter descriptor_table(dxcontainer::DescriptorRangeType type) {
  dxcontainer::RootParameter table;
  table.ranges.items.resize(1);
  table.ranges[0].type = type;
  table.ranges[0].count = 1;
  return table;
}

/// What pixel() needs: its constants as a root descriptor, its texture and sampler in tables.
dxcontainer::RootSignature pixel_root() {
  dxcontainer::RootSignature root;
  root.version = dxcontainer::RootSignatureVersion::v1_0;
  dxcontainer::RootParameter constants;
  constants.type = dxcontainer::RootParameterType::cbv;
  root.parameters.items = {constants, descriptor_table(dxcontainer::DescriptorRangeType::srv),
                           descriptor_table(dxcontainer::DescriptorRangeType::sampler)};
  return root;
}

std::vector<Diagnostic> findings_of(const Bytes& bytes) {
  const auto container = dxcontainer::parse_container(View(bytes));
  EXPECT_TRUE(container);
  Findings findings(bytes.size());
  if (container) validate::check_parts(*container, false, findings);
  return findings.take();
}

std::set<std::string> ids(const std::vector<Diagnostic>& findings) {
  std::set<std::string> found;
  for (const Diagnostic& d : findings) found.emplace(d.rule->id);
  return found;
}

Statistics recount(const Shader& shader) {
  const Bytes bytes = shader.build();
  const auto container = dxcontainer::parse_container(View(bytes));
  Findings findings(bytes.size());
  const auto* part = container->find(dxcontainer::PartRole::tokens);
  return validate::check_program(*part, *parse_program(*part), findings).counted;
}

Binding bind(ResourceKind kind, ResourceDimension dimension = ResourceDimension::unknown) {
  Binding b;
  b.name.text = "resource";
  b.kind = kind;
  b.dimension = dimension;
  b.return_type = kind == ResourceKind::texture ? ReturnType::float_ : ReturnType::none;
  b.bind_count = 1;
  return b;
}

/// ps_5_0: a texture, a constant, an input, a target. `body` stands before ret.
Shader pixel(const std::function<void(ProgramBuilder&)>& declarations = {}, const std::function<void(ProgramBuilder&)>& body = {},
             std::uint32_t global_flags = 1) {
  Shader s;
  ProgramBuilder& p = s.program;
  p.op(Opcode::dcl_globalFlags, {}, flags(global_flags));
  p.op(Opcode::dcl_constantbuffer, {swizzled(OperandType::constant_buffer, {0, 2})});
  p.op(Opcode::dcl_sampler, {bare(OperandType::sampler, {0})});
  p.op(Opcode::dcl_resource, {bare(OperandType::resource, {0}), {kFloats}}, kTexture2d);
  p.op(Opcode::dcl_input_ps, {masked(OperandType::input, {1}, 0x3)}, kLinear);
  p.op(Opcode::dcl_output, {masked(OperandType::output, {0})});
  p.op(Opcode::dcl_temps, {{4}});
  if (declarations) declarations(p);
  p.op(Opcode::sample,
       {temp(0), swizzled(OperandType::input, {1}, 0x04), swizzled(OperandType::resource, {0}), bare(OperandType::sampler, {0})});
  if (body) body(p);
  p.op(Opcode::mul, {masked(OperandType::output, {0}), read_temp(0), swizzled(OperandType::constant_buffer, {0, 1})});
  p.op(Opcode::ret);
  s.input = {element("SV_Position", 0, 0xf, 0, SystemValue::position), element("TEXCOORD", 1, 0x3, 0x3)};
  s.output = {element("SV_Target", 0, 0xf, 0)};
  return s;
}
Shader with_body(const std::function<void(ProgramBuilder&)>& body) { return pixel({}, body); }
Shader with_declaration(const std::function<void(ProgramBuilder&)>& declarations) { return pixel(declarations); }

Rdef pixel_rdef() {
  Rdef r;
  r.major_version = 5;
  r.target = RdefTarget::pixel;
  r.magic = kRdefMagic50;
  r.strides = {60, 24, 32, 40, 36, 12};
  r.creator.text = "a compiler";
  r.bindings.items = {bind(ResourceKind::sampler), bind(ResourceKind::texture, ResourceDimension::texture2d), bind(ResourceKind::cbuffer)};
  r.bindings[1].sample_count = 0xffff'ffff;
  return r;
}
Shader with_rdef(const std::function<void(Rdef&)>& change) {
  Shader s = pixel();
  s.rdef = pixel_rdef();
  change(*s.rdef);
  return s;
}

/// vs_5_0 that writes its position.
Shader vertex() {
  Shader s;
  s.program.stage = Stage::vertex;
  s.program.op(Opcode::dcl_globalFlags, {}, flags(1));
  s.program.op(Opcode::dcl_input, {masked(OperandType::input, {0})});
  s.program.op(Opcode::dcl_output_siv, {masked(OperandType::output, {0}), {1}});
  s.program.op(Opcode::mov, {masked(OperandType::output, {0}), swizzled(OperandType::input, {0})});
  s.program.op(Opcode::ret);
  s.input = {element("POSITION", 0)};
  s.output = {element("SV_Position", 0, 0xf, 0, SystemValue::position)};
  return s;
}

/// cs_5_0 with a raw UAV.
Shader compute(Words group = {8, 8, 1}, const std::function<void(ProgramBuilder&)>& declarations = {},
               const std::function<void(ProgramBuilder&)>& body = {}, std::uint32_t major = 5) {
  Shader s;
  ProgramBuilder& p = s.program;
  p.stage = Stage::compute;
  p.major = major;
  p.op(Opcode::dcl_globalFlags, {}, flags(1));
  p.op(Opcode::dcl_uav_raw, {bare(OperandType::uav, {0})});
  p.op(Opcode::dcl_input, {masked(OperandType::input_thread_id, {}, 0x1)});
  if (declarations) declarations(p);
  if (!group.empty()) p.op(Opcode::dcl_thread_group, {group});
  p.op(Opcode::store_raw, {masked(OperandType::uav, {0}, 0x1), component(OperandType::input_thread_id, {}), literal(1)});
  if (body) body(p);
  p.op(Opcode::ret);
  return s;
}

/// gs_5_0 that hands on a point.
Shader geometry(bool has_topology = true, std::uint32_t topology = 1) {
  Shader s;
  ProgramBuilder& p = s.program;
  p.stage = Stage::geometry;
  p.op(Opcode::dcl_globalFlags, {}, flags(1));
  p.op(Opcode::dcl_input_siv, {masked(OperandType::input, {1, 0}), {1}});
  p.op(Opcode::dcl_inputprimitive, {}, 1U << 11);
  p.op(Opcode::dcl_stream, {bare(OperandType::stream, {0})});
  if (has_topology) p.op(Opcode::dcl_outputtopology, {}, topology << 11);
  p.op(Opcode::dcl_output_siv, {masked(OperandType::output, {0}), {1}});
  p.op(Opcode::dcl_maxout, {{1}});
  p.op(Opcode::mov, {masked(OperandType::output, {0}), swizzled(OperandType::input, {0, 0})});
  p.op(Opcode::emit_stream, {bare(OperandType::stream, {0})});
  p.op(Opcode::ret);
  s.input = {element("SV_Position", 0, 0xf, 0xf, SystemValue::position)};
  s.output = {element("SV_Position", 0, 0xf, 0, SystemValue::position)};
  return s;
}

/// hs_5_0 for lines; phases in the order given.
Shader hull(std::initializer_list<Opcode> phases = {Opcode::hs_control_point_phase, Opcode::hs_fork_phase}) {
  Shader s;
  ProgramBuilder& p = s.program;
  p.stage = Stage::hull;
  p.op(Opcode::hs_decls);
  p.op(Opcode::dcl_input_control_point_count, {}, 2U << 11);
  p.op(Opcode::dcl_output_control_point_count, {}, 2U << 11);
  p.op(Opcode::dcl_tessellator_domain, {}, 1U << 11);
  p.op(Opcode::dcl_tessellator_partitioning, {}, 1U << 11);
  p.op(Opcode::dcl_tessellator_output_primitive, {}, 2U << 11);
  p.op(Opcode::dcl_globalFlags, {}, flags(1));
  for (const Opcode phase : phases) {
    p.op(phase);
    if (phase == Opcode::hs_control_point_phase) {
      p.op(Opcode::dcl_input, {bare(OperandType::output_control_point_id)});
      p.op(Opcode::dcl_input, {masked(OperandType::input, {2, 0})});
      p.op(Opcode::dcl_output, {masked(OperandType::output, {0})});
      p.op(Opcode::dcl_temps, {{1}});
      p.op(Opcode::mov, {temp(0, 1), scalar(OperandType::output_control_point_id)});
      p.op(Opcode::mov, {masked(OperandType::output, {0}), swizzled(OperandType::input, {1, 0})});
    } else {
      p.op(Opcode::dcl_output_siv, {masked(OperandType::output, {0}, 1), {21}});
      p.op(Opcode::dcl_output_siv, {masked(OperandType::output, {1}, 1), {22}});
      p.op(Opcode::mov, {masked(OperandType::output, {0}, 1), literal(0x3f80'0000)});
      p.op(Opcode::mov, {masked(OperandType::output, {1}, 1), literal(0x3f80'0000)});
    }
    p.op(Opcode::ret);
  }
  s.input = {element("POSITION", 0)};
  s.output = {element("POSITION", 0, 0xf, 0)};
  s.has_patch = true;
  s.patch = {element("SV_TessFactor", 0, 1, 0xe, SystemValue::final_line_detail_tessfactor),
             element("SV_TessFactor", 1, 1, 0xe, SystemValue::final_line_density_tessfactor, 1)};
  return s;
}

struct Case {
  std::string_view id;
  Shader shader;
};

Words with_modifier(Words operand, std::uint32_t extension) {
  operand[0] |= 1U << 31;
  operand.insert(operand.begin() + 1, extension);
  return operand;
}

void add_flow_cases(std::vector<Case>& all) {
  const auto add = [&](std::string_view id, const std::function<void(ProgramBuilder&)>& body) { all.push_back({id, with_body(body)}); };
  add("flow.depth", [](auto& p) {
    for (int i = 0; i < 65; ++i) p.op(Opcode::if_, {temp_x(0)});
    for (int i = 0; i < 65; ++i) p.op(Opcode::endif);
  });
  add("flow.unclosed", [](auto& p) { p.op(Opcode::loop).op(Opcode::break_); });
}

void add_instruction_cases(std::vector<Case>& all) {
  const auto add = [&](std::string_view id, const std::function<void(ProgramBuilder&)>& body) { all.push_back({id, with_body(body)}); };
  const auto declare = [&](std::string_view id, const std::function<void(ProgramBuilder&)>& d) {
    all.push_back({id, with_declaration(d)});
  };
  declare("flags.unknown", [](auto& p) { p.tokens[0] |= flags(1U << 12); });
  // The features that these programs use are stated, so that only the global flag is missing.
  const auto add_featured = [&](std::string_view id, std::uint64_t features, const std::function<void(ProgramBuilder&)>& body) {
    all.push_back({id, with_body(body)});
    all.back().shader.features = features;
  };
  add_featured("flags.double", 1, [](auto& p) { p.op(Opcode::dmov, {temp(1), read_temp(0)}); });
  add_featured("flags.double", 1U | 1U << 5, [](auto& p) { p.op(Opcode::drcp, {temp(1), read_temp(0)}); });
  add_featured("flags.min-precision", 1U << 4, [](auto& p) { p.op(Opcode::mov, {with_modifier(temp(1), 1U | 1U << 14), read_temp(0)}); });
  add_featured("flags.shader-extensions", 1U << 6,
               [](auto& p) { p.op(Opcode::msad, {temp(1), read_temp(0), read_temp(0), read_temp(0)}); });
  {
    Shader s = vertex();
    s.program.major = 4;
    s.program_part = fourcc("SHDR");
    s.features = 2;
    s.program.tokens.insert(s.program.tokens.begin() + 1,
                            {static_cast<std::uint32_t>(Opcode::dcl_resource_raw) | 3U << 24, bare(OperandType::resource, {0})[0], 0});
    all.push_back({"flags.raw-structured", s});
  }
  add("instruction.length", [](auto& p) { p.op(Opcode::mov, {temp(1), read_temp(0), {0}}); });
  {
    Shader s = pixel();
    s.program.major = 4;
    s.program_part = fourcc("SHDR");
    ProgramBuilder late;
    late.op(Opcode::rcp, {temp(1), read_temp(0)}).op(Opcode::ret);
    s.program.tokens.pop_back();
    s.program.tokens.insert(s.program.tokens.end(), late.tokens.begin(), late.tokens.end());
    all.push_back({"instruction.model", s});
  }
  add("instruction.reserved", [](auto& p) { p.op(Opcode::reserved0); });
  add("instruction.unknown", [](auto& p) { p.op(static_cast<Opcode>(700)); });
  all.push_back({"instruction.stage", compute({8, 8, 1}, {}, [](auto& p) { p.op(Opcode::discard, {literal(1)}); })});
  add("instruction.stage", [](auto& p) { p.op(Opcode::sync, {}, 1U << 11); });
  declare("instruction.value", [](auto& p) { p.op(Opcode::dcl_sampler, {bare(OperandType::sampler, {1})}, 9U << 11); });
  all.push_back({"instruction.value", geometry(true, 4)});

  add("operand.components", [](auto& p) { p.op(Opcode::mov, {temp(1), {read_temp(0)[0] | 3U, 0}}); });
  add("operand.destination", [](auto& p) { p.op(Opcode::mov, {masked(OperandType::input, {1}, 1), read_temp(0)}); });
  add("operand.destination", [](auto& p) { p.op(Opcode::mov, {with_modifier(temp(1), 1U | 1U << 6), read_temp(0)}); });
  add("operand.dimensions", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::constant_buffer, {0})}); });
  add("operand.index", [](auto& p) {
    // r[r0.x]
    Words indexed{read_temp(0)[0] | 2U << 22, temp_x(0)[0], 0};
    p.op(Opcode::mov, {temp(1), indexed});
  });
  add("operand.index", [](auto& p) {
    // cb0[r0.xyzw]
    Words indexed{swizzled(OperandType::constant_buffer, {0, 0})[0] | 2U << 25, 0, read_temp(0)[0], 0};
    p.op(Opcode::mov, {temp(1), indexed});
  });
  add("operand.kind", [](auto& p) {
    p.op(Opcode::sample, {temp(1), read_temp(0), swizzled(OperandType::resource, {0}), bare(OperandType::resource, {0})});
  });
  add("operand.kind", [](auto& p) { p.op(Opcode::ld, {temp(1), read_temp(0), read_temp(0)}); });
  add("operand.mask", [](auto& p) { p.op(Opcode::mov, {temp(1, 0), read_temp(0)}); });
  {
    Shader s = pixel([](auto& p) { p.op(Opcode::dcl_input, {scalar(OperandType::input_coverage_mask)}); });
    s.program.major = 4;
    s.program_part = fourcc("SHDR");
    all.push_back({"operand.model", s});
  }
  add("operand.selection", [](auto& p) { p.op(Opcode::mov, {temp(1), temp(0)}); });
  add("operand.source", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::output, {0})}); });
  add("operand.stage", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::input_thread_id, {})}); });
  add("operand.unknown", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(static_cast<OperandType>(99), {0})}); });
}

void add_program_cases(std::vector<Case>& all) {
  const auto add = [&](std::string_view id, Shader s) { all.push_back({id, std::move(s)}); };
  add("hull.phase", hull({Opcode::hs_fork_phase, Opcode::hs_control_point_phase}));
  add("hull.phase", hull({Opcode::hs_control_point_phase, Opcode::hs_control_point_phase, Opcode::hs_fork_phase}));
  add("program.declaration-late", with_body([](auto& p) { p.op(Opcode::dcl_sampler, {bare(OperandType::sampler, {1})}); }));
  add("program.declaration-missing", compute({}));
  add("program.declaration-missing", geometry(false));
  add("program.declaration-repeated", with_declaration([](auto& p) { p.op(Opcode::dcl_temps, {{4}}); }));
  add("program.declaration-repeated", compute({8, 8, 1}, [](auto& p) { p.op(Opcode::dcl_thread_group, {{8, 8, 1}}); }));
  add("program.declaration-stage", with_declaration([](auto& p) { p.op(Opcode::dcl_maxout, {{3}}); }));
  add("program.immediate-buffer", with_declaration([](auto& p) { p.immediate_buffer(3); }));
  add("program.limit", compute({64, 64, 1}));
  add("program.limit",
      compute({8, 8, 1}, [](auto& p) { p.op(Opcode::dcl_tgsm_raw, {bare(OperandType::thread_group_shared_memory, {0}), {32772}}); }));
  {
    Shader s = pixel();
    s.program_part = fourcc("SHDR");
    add("program.part-name", s);
  }
  {
    Shader s = pixel();
    s.program.tokens.pop_back();
    add("program.return", s);
  }
  {
    Shader s = pixel();
    s.trailing = 4;
    add("program.trailing-bytes", s);
  }
  add("program.undecodable", with_body([](auto& p) { p.tokens.push_back(static_cast<std::uint32_t>(Opcode::nop)); }));
  {
    Shader s = pixel();
    s.program.major = 4;
    s.program.minor = 2;
    add("program.version", s);
  }

  const auto body = [&](std::string_view id, const std::function<void(ProgramBuilder&)>& b) { add(id, with_body(b)); };
  body("register.components", [](auto& p) { p.op(Opcode::mov, {temp(1, 1), component(OperandType::input, {1}, 2)}); });
  {
    // Writes x where only y to w is declared: an output with two elements in its register, of which one is declared.
    Shader s = vertex();
    s.program.tokens.clear();
    s.program.op(Opcode::dcl_output_siv, {masked(OperandType::output, {0}, 0xe), {1}});
    s.program.op(Opcode::mov, {masked(OperandType::output, {0}), literal4(0)}).op(Opcode::ret);
    s.input[0].used_mask = 0;
    s.output[0].used_mask = 0x1;
    add("register.components", s);
  }
  body("register.index-range", [](auto& p) {
    Words indexed{swizzled(OperandType::input, {1}, 0)[0] | 3U << 22, 1, temp_x(0)[0], 0};
    p.op(Opcode::mov, {temp(1, 1), indexed});
  });
  body("register.kind", [](auto& p) { p.op(Opcode::ld_raw, {temp(1), temp_x(0), swizzled(OperandType::resource, {0})}); });
  add("register.limit", with_declaration([](auto& p) { p.op(Opcode::dcl_sampler, {bare(OperandType::sampler, {16})}); }));
  add("register.limit", with_declaration([](auto& p) { p.op(Opcode::dcl_indexableTemp, {{0, 4097, 4}}); }));
  body("register.range", [](auto& p) { p.op(Opcode::mov, {temp(4), read_temp(0)}); });
  body("register.range", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::constant_buffer, {0, 2})}); });
  add("register.redeclared", with_declaration([](auto& p) { p.op(Opcode::dcl_sampler, {bare(OperandType::sampler, {0})}); }));
  add("register.redeclared", with_declaration([](auto& p) { p.op(Opcode::dcl_output, {masked(OperandType::output, {0}, 1)}); }));
  {
    const auto sampling = [&](std::string_view id, Opcode opcode, std::uint32_t types, std::uint32_t mode) {
      Shader s = with_declaration([&](auto& p) {
        p.op(Opcode::dcl_sampler, {bare(OperandType::sampler, {3})}, mode << 11);
        p.op(Opcode::dcl_resource, {bare(OperandType::resource, {3}), {types}}, kTexture2d);
      });
      s.program.tokens.pop_back();  // ret
      const Words sampler = bare(OperandType::sampler, {3});
      if (opcode == Opcode::sample)
        s.program.op(opcode, {temp(1), literal4(0), swizzled(OperandType::resource, {3}), sampler});
      else
        s.program.op(opcode, {temp(1, 1), literal4(0), component(OperandType::resource, {3}, 0), sampler, literal(0)});
      s.program.op(Opcode::ret);
      add(id, s);
    };
    constexpr std::uint32_t kUints = 0x4444;
    sampling("register.return-type", Opcode::sample, kUints, 0);
    sampling("register.sampler", Opcode::sample, kFloats, 1);
    sampling("register.sampler", Opcode::sample_c_lz, kFloats, 0);
  }
  body("register.undeclared", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::constant_buffer, {3, 0})}); });
  body("register.undeclared", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::indexable_temp, {0, 0})}); });
  body("register.undeclared", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::input, {0})}); });
  body("register.undeclared", [](auto& p) { p.op(Opcode::mov, {temp(1), swizzled(OperandType::immediate_constant_buffer, {0})}); });
  body("register.undeclared", [](auto& p) { p.op(Opcode::call, {bare(OperandType::label, {0})}); });
}

void add_root_cases(std::vector<Case>& all) {
  const auto add = [&](const std::function<void(dxcontainer::RootSignature&)>& change) {
    dxcontainer::RootSignature root = pixel_root();
    change(root);
    all.push_back({"dxbc.root-binding", with_root(pixel(), root)});
  };
  add([](auto& root) { root.parameters.items.pop_back(); });
  add([](auto& root) { root.flags = 0x20; });  // denies pixel shaders access
  add([](auto& root) { root.parameters[0].visibility = dxcontainer::ShaderVisibility::vertex; });
  add([](auto& root) { root.parameters[1].ranges[0].space = 1; });
  add([](auto& root) {  // a texture needs a format
    root.parameters[1] = {};
    root.parameters[1].type = dxcontainer::RootParameterType::srv;
  });
}

void add_part_cases(std::vector<Case>& all) {
  const auto add = [&](std::string_view id, Shader s) { all.push_back({id, std::move(s)}); };
  ClassLinkage linkage;
  linkage.types.items.resize(1);
  linkage.types[0].name.text = "Class";
  linkage.instances.items.resize(1);
  linkage.instances[0].name.text = "instance";
  const auto with_linkage = [&](const std::function<void(ClassLinkage&)>& change) {
    ClassLinkage changed = linkage;
    change(changed);
    Shader s = pixel();
    s.more.push_back({fourcc("IFCE"), write_class_linkage(changed)});
    return s;
  };
  add("ifce.index", with_linkage([](auto& l) { l.instances[0].type = 1; }));
  add("ifce.slots", with_linkage([](auto& l) { l.slot_count = 3; }));

  add("rdef.binding-kind", with_rdef([](auto& r) { r.bindings[1].dimension = ResourceDimension::texture3d; }));
  add("rdef.binding-kind", with_rdef([](auto& r) { r.bindings[1].kind = ResourceKind::byte_address; }));
  add("rdef.binding-kind", with_rdef([](auto& r) { r.bindings[0].flags = kBindingComparisonSampler; }));
  add("rdef.binding-missing", with_rdef([](auto& r) { r.bindings.items.erase(r.bindings.items.begin()); }));
  {
    // Two textures in t0 and t1, the first of which takes both slots.
    Shader s = with_declaration([](auto& p) { p.op(Opcode::dcl_resource, {bare(OperandType::resource, {1}), {kFloats}}, kTexture2d); });
    s.rdef = pixel_rdef();
    Binding second = s.rdef->bindings[1];
    second.bind_point = 1;
    s.rdef->bindings[1].bind_count = 2;
    s.rdef->bindings.items.push_back(second);
    add("rdef.binding-overlap", s);
  }
  add("rdef.binding-undeclared", with_rdef([](auto& r) {
        Binding other = r.bindings[0];
        other.bind_point = 4;
        r.bindings.items.push_back(other);
      }));
  add("rdef.binding-value", with_rdef([](auto& r) { r.bindings[1].return_type = static_cast<ReturnType>(77); }));
  const auto with_buffer = [&](std::uint32_t size, std::uint32_t variable_size, std::uint32_t member_offset = kNoOffset) {
    return with_rdef([&](Rdef& r) {
      ConstantBuffer buffer;
      buffer.name.text = "resource";
      buffer.size = size;
      Variable variable;
      variable.name.text = "v";
      variable.size = variable_size;
      variable.type = member_offset == kNoOffset ? 0 : 1;
      buffer.variables.items = {variable};
      r.types.push_back({TypeClass::vector, BaseType::float_, 1, 4, 0, {}, kNoType, kNoType, {}, {}, kUnplaced});
      r.types[0].name.text = "float4";
      if (variable.type == 1)
        r.types.push_back({TypeClass::structure, BaseType::void_, 1, 4, 0, {}, kNoType, kNoType, {}, {"S"}, kUnplaced});
      if (variable.type == 1) r.types[1].members.items = {{{"m"}, 0, member_offset}};
      r.constant_buffers.items = {buffer};
    });
  };
  add("rdef.buffer-size", with_buffer(16, 16));
  add("rdef.member-bounds", with_buffer(32, 16, 0U - 64));
  add("rdef.target", with_rdef([](auto& r) { r.target = RdefTarget::vertex; }));
  add("rdef.variable-bounds", with_buffer(32, 48));

  {
    Shader s = pixel({}, [](auto& p) { p.op(Opcode::dmov, {temp(1), read_temp(0)}); }, 3);
    add("sfi0.feature-missing", s);
  }
  {
    Shader s = pixel();
    s.features = 1U << 9;
    add("sfi0.feature-unused", s);
  }

  {
    Shader s = vertex();
    s.input[0].mask = s.input[0].used_mask = 0x7;
    add("signature.declaration-mask", s);
  }
  {
    Shader s = pixel();
    s.input[0].used_mask = 0x1;
    add("signature.declaration-missing", s);
  }
  {
    Shader s = pixel();
    s.output[0].register_index = 1;
    s.output[0].used_mask = 0xf;
    add("signature.element-missing", s);
  }
  {
    Shader s = hull();
    s.has_patch = false;
    add("signature.missing", s);
  }
  {
    Shader s = vertex();
    s.output[0].system_value = SystemValue::clip_distance;
    add("signature.system-value-declared", s);
  }
  {
    Shader s = pixel();
    s.input[0].system_value = SystemValue::vertex_id;
    add("signature.system-value-stage", s);
  }

  const auto with_statistics = [](const std::function<void(Statistics&)>& change) {
    Shader s = pixel();
    s.statistics = recount(s);
    s.statistics->is_long = true;
    change(*s.statistics);
    return s;
  };
  add("stat.absent", with_statistics([](auto& s) { s = {}; }));
  add("stat.count", with_statistics([](auto& s) { ++s.instruction_count; }));
  add("stat.count", with_statistics([](auto& s) { ++s.texture_normal_instructions; }));
  add("stat.estimate", with_statistics([](auto& s) { ++s.texture_load_instructions; }));
  add("stat.estimate", with_statistics([](auto& s) { ++s.array_instruction_count; }));
  add("stat.property", with_statistics([](auto& s) { s.output_topology = OutputTopology::line_strip; }));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  add_instruction_cases(all);
  add_flow_cases(all);
  add_program_cases(all);
  add_root_cases(all);
  add_part_cases(all);
  return all;
}

TEST(DxbcValidationTest, GoodShadersHaveNoFindings) {
  Shader complete = pixel();
  complete.rdef = pixel_rdef();
  complete.statistics = recount(complete);
  for (const Shader& shader : {complete, vertex(), compute(), geometry(), hull()})
    for (const Diagnostic& d : findings_of(shader.build())) ADD_FAILURE() << profile_prefix(shader.program.stage) << ": " << to_string(d);
}

TEST(DxbcValidationTest, EachRuleIsBrokenAlone) {
  for (const Case& c : cases()) {
    const auto findings = findings_of(c.shader.build());
    EXPECT_EQ(ids(findings), std::set<std::string>{std::string(c.id)})
        << c.id << (findings.empty() ? "" : ": " + to_string(findings.front()));
  }
}

TEST(DxbcValidationTest, EveryRuleHasACase) {
  std::set<std::string> covered;
  for (const Case& c : cases()) covered.emplace(c.id);
  for (const test::TextCase& c : test::text_cases()) covered.emplace(c.id);
  for (const test::TextCase& c : test::program_cases()) covered.emplace(c.id);
  for (const Rule* rule : validate::validation_rules()) {
    if (rule->id.starts_with("level9.")) continue;  // those are in level9_test.cpp
    EXPECT_TRUE(covered.contains(std::string(rule->id))) << rule->id;
  }
}

TEST(DxbcValidationTest, RulesStandInTheOrderOfTheirIds) {
  const auto rules = validate::validation_rules();
  for (std::size_t i = 1; i < rules.size(); ++i) EXPECT_LT(rules[i - 1]->id, rules[i]->id);
}

TEST(DxbcValidationTest, FindingsAreLocated) {
  const auto findings = findings_of(with_body([](auto& p) { p.op(Opcode::mov, {temp(4), read_temp(0)}); }).build());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].path, "SHEX/instructions[8]/operands[0]");
  EXPECT_EQ(findings[0].message, "mov: r4 of 4");
}

TEST(DxbcValidationTest, RootSignaturesBindWhatIsDeclared) {
  EXPECT_TRUE(findings_of(with_root(pixel(), pixel_root()).build()).empty());
  // Buffers may be root descriptors, but for those with a counter.
  dxcontainer::RootSignature root;
  root.version = dxcontainer::RootSignatureVersion::v1_0;
  root.parameters.items.resize(1);
  root.parameters[0].type = dxcontainer::RootParameterType::uav;
  EXPECT_TRUE(findings_of(with_root(compute(), root).build()).empty());
  const auto structured = [&](std::uint32_t control) {
    return with_root(compute({8, 8, 1}, [&](auto& p) { p.op(Opcode::dcl_uav_structured, {bare(OperandType::uav, {1}), {16}}, control); }),
                     root)
        .build();
  };
  root.parameters.items.push_back(root.parameters[0]);
  root.parameters[1].shader_register = 1;
  EXPECT_FALSE(ids(findings_of(structured(0))).contains("dxbc.root-binding"));
  EXPECT_TRUE(ids(findings_of(structured(1U << 23))).contains("dxbc.root-binding"));
  // The finding is at the declaration.
  root.parameters.items.pop_back();
  const Bytes bytes = structured(0);
  const auto findings = findings_of(bytes);
  const auto found = std::ranges::find(findings, "dxbc.root-binding", [](const Diagnostic& d) { return d.rule->id; });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(View(bytes).u32(found->offset).value_or(0) & 0x7ff, static_cast<std::uint32_t>(Opcode::dcl_uav_structured));
}

TEST(DxbcValidationTest, SystemValuesElsewhereAreWarnings) {
  Shader s = vertex();
  s.output.push_back(element("SV_SampleIndex", 1, 0x1, 0x1, SystemValue::sample_index));
  const auto findings = findings_of(s.build());
  EXPECT_EQ(ids(findings), std::set<std::string>{"signature.system-value-stage"});
  EXPECT_FALSE(has_errors(findings));
}

TEST(DxbcValidationTest, WellFormedFlowPasses) {
  const Shader s = with_body([](auto& p) {
    p.op(Opcode::loop).op(Opcode::breakc, {temp_x(0)}).op(Opcode::switch_, {temp_x(0)});
    p.op(Opcode::case_, {literal(1)}).op(Opcode::continue_).op(Opcode::default_).op(Opcode::break_).op(Opcode::endswitch);
    p.op(Opcode::if_, {temp_x(0)}).op(Opcode::else_).op(Opcode::endif).op(Opcode::endloop);
  });
  for (const Diagnostic& d : findings_of(s.build())) ADD_FAILURE() << to_string(d);
}

TEST(DxbcValidationTest, StatisticsAreCountedAsCompilersDo) {
  Shader s = with_body([](auto& p) {
    p.op(Opcode::if_, {component(OperandType::constant_buffer, {0, 0})});  // static: a constant decides
    p.op(Opcode::round_ni, {temp(1), read_temp(0)});
    p.op(Opcode::else_);
    p.op(Opcode::gather4, {temp(1), read_temp(0), swizzled(OperandType::resource, {0}), component(OperandType::sampler, {0})});
    p.op(Opcode::endif);
    p.op(Opcode::retc, {temp_x(0)});
  });
  const Statistics counted = recount(s);
  EXPECT_EQ(counted.instruction_count, 9U);
  EXPECT_EQ(counted.static_flow_control_count, 3U);  // if, else, ret
  EXPECT_EQ(counted.dynamic_flow_control_count, 1U);
  EXPECT_EQ(counted.conversion_instruction_count, 1U);
  EXPECT_EQ(counted.texture_gather_instructions, 1U);
  EXPECT_EQ(counted.texture_normal_instructions, 1U);
  EXPECT_EQ(counted.declaration_count, 2U);
  EXPECT_EQ(counted.temp_register_count, 4U);
}

}  // namespace
}  // namespace unshade::dxbc
