// Lanes of pixel shaders as points of a picture, and vertices of all stages, for scripts of Amber.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/run/contents.hpp>
#include <unshade/run/inputs.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

#include "amber/write/writer.hpp"

namespace unshade::amber::writer {
namespace {

using Kind = suite::cases::NumberType::Kind;

}  // namespace

std::string assembly_type(const ir::Element& element) {
  const std::string scalar = element.type == ir::Type::f32 ? "f32" : element.is_signed ? "i32" : "u32";
  return element.columns == 1 ? scalar : 'v' + std::to_string(element.columns) + scalar;
}

std::string why_not_points(const ir::Module& module) {
  for (const ir::Element& element : module.signatures.input) {
    const std::string name = "the input " + run::semantic_key(element, 0);
    if (element.system_value != dxcontainer::SystemValue::undefined || element.first_register == ir::kNone)
      return name + ": its value depends on the primitive, which Amber draws as a point";
    if (element.type != ir::Type::f32 && element.type != ir::Type::i32) return name + ": must be a 32-bit float or integer";
    if (element.rows != 1 || element.first_column != 0) return name + ": must be a whole location, and not an array";
  }
  for (const ir::Element& element : module.signatures.output) {
    const std::string name = "the output " + run::semantic_key(element, 0);
    if (element.system_value != dxcontainer::SystemValue::target || element.first_register == ir::kNone)
      return name + ": must be a render target";
    if (element.type != ir::Type::f32 && element.type != ir::Type::i32) return name + ": must be a 32-bit float or integer";
    if (element.rows != 1) return name + ": must not be an array";
    if (element.second_source) return name + ": must not be the second source of dual-source blending";
  }
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      const ir::OpInfo& row = ir::info(inst.op);
      if (inst.op == ir::Op::builtin)
        return "the shader reads " + std::string(ir::info(ir::BuiltinExtra(inst.extra).builtin).text) +
               ", which depends on the primitive, and Amber draws points";
      if (inst.op != ir::Op::call && (has(row.effects, ir::Effects::quad) || has(row.effects, ir::Effects::wave)))
        return "the shader reads values of other lanes by " + std::string(row.text);
      if (inst.op == ir::Op::interpolate) return "the shader interpolates at another position than the center of the pixel";
    }
  }
  return {};
}

std::string points_shader(std::span<const ir::Element* const> inputs) {
  Text names, decorations, types, variables, code;
  bool declared[3][5] = {};
  const auto kind_of = [](const ir::Element& one) { return one.type == ir::Type::f32 ? 0U : one.is_signed ? 1U : 2U; };
  constexpr const char* kScalars[] = {"%f32 = OpTypeFloat 32\n", "%i32 = OpTypeInt 32 1\n", "%u32 = OpTypeInt 32 0\n"};
  const auto declare = [&](const ir::Element& one) {
    const unsigned kind = kind_of(one);
    const std::string name = assembly_type(one);
    const auto pointers = [&](const std::string& type) {
      types << "%in_" << type << " = OpTypePointer Input %" << type << "\n%out_" << type << " = OpTypePointer Output %" << type << '\n';
    };
    ir::Element scalar = one;
    scalar.columns = 1;
    if (!std::exchange(declared[kind][1], true)) {
      types << kScalars[kind];
      pointers(assembly_type(scalar));
    }
    if (std::exchange(declared[kind][one.columns], true)) return;
    (types << '%' << name << " = OpTypeVector %" << assembly_type(scalar) << ' ').dec(one.columns) << '\n';
    pointers(name);
  };
  const ir::Element position;
  declare(position);
  for (std::size_t at = 0; at < inputs.size(); ++at) {
    const std::string number = std::to_string(at), type = assembly_type(*inputs[at]);
    declare(*inputs[at]);
    names << " %in" << number << " %out" << number;
    (decorations << "OpDecorate %in" << number << " Location ").dec(at + 1) << '\n';
    (decorations << "OpDecorate %out" << number << " Location ").dec(inputs[at]->first_register) << '\n';
    variables << "%in" << number << " = OpVariable %in_" << type << " Input\n%out" << number << " = OpVariable %out_" << type
              << " Output\n";
    code << "%value" << number << " = OpLoad %" << type << " %in" << number << "\nOpStore %out" << number << " %value" << number << '\n';
  }
  Text made;
  made << "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %place %position %size" << names.view()
       << "\nOpDecorate %place Location 0\nOpDecorate %position BuiltIn Position\nOpDecorate %size BuiltIn PointSize\n"
       << decorations.view() << "%void = OpTypeVoid\n%function = OpTypeFunction %void\n"
       << types.view() << "%one = OpConstant %f32 1\n%place = OpVariable %in_v4f32 Input\n%position = OpVariable %out_v4f32 Output\n"
       << "%size = OpVariable %out_f32 Output\n"
       << variables.view() << "%main = OpFunction %void None %function\n%entry = OpLabel\n%where = OpLoad %v4f32 %place\n"
       << "OpStore %position %where\nOpStore %size %one\n"
       << code.view() << "OpReturn\nOpFunctionEnd\n";
  return made.str();
}

// --- what a case gives to lanes and expects of them --------------------------------------------------------------------------------------

Result<const Value::List*> AmberWriter::given_lanes(std::size_t most) {
  const Value* given = case_.given.find("lanes");
  if (given != nullptr && given->as_map() != nullptr) {
    auto read = run::read_lanes(*given, options_);
    if (!read) return std::move(read).error();
    lanes_ = std::move(*read);
    given = &lanes_;
  }
  if (given == nullptr || given->as_list() == nullptr || given->as_list()->empty())
    return cannot("cannot draw `lanes` as vertices: the case has none");
  const Value::List& all = *given->as_list();
  if (all.size() > most) return cannot("cannot draw `lanes` as vertices: more than " + std::to_string(most) + " lanes");
  for (const Value& lane : all)
    if (lane.as_map() == nullptr) return cannot("cannot draw `lanes` as vertices: each lane must be a map");
  return &all;
}

Result<void> AmberWriter::refuse_builtins(const Value& lane, std::span<const ir::Builtin> known) const {
  for (const Value::Member* const member : run::built_ins_of(lane, ir_.signatures.input)) {
    const auto which = ir::builtin_of(member->key);
    const bool is_known = which && std::ranges::find(known, *which) != known.end();
    if (!is_known && (which || member->key == "helper"))
      return cannot("cannot draw `lanes` as vertices: Amber cannot give `" + member->key + '`');
  }
  for (const Value::Member& member : *lane.as_map()) {
    const std::string several = run::several_inputs(ir_.signatures.input, member.key);
    if (!several.empty()) return cannot("cannot draw `lanes` as vertices: `" + member.key + "`: " + several);
  }
  return {};
}

Result<void> AmberWriter::input_of_vertices(const ir::Element& element, std::size_t location, std::span<const Value* const> rows) {
  const std::string key = run::semantic_key(element, 0);
  const std::string_view scalar = element.type == ir::Type::f32 ? "float" : element.is_signed ? "int32" : "uint32";
  const suite::cases::NumberType type{element.type == ir::Type::f32 ? Kind::real : element.is_signed ? Kind::sint : Kind::uint, 4};
  const std::string name = "input" + std::to_string(location);
  buffers_ << "BUFFER " << name << " DATA_TYPE ";
  if (element.columns == 1) {
    buffers_ << scalar;
  } else {
    (buffers_ << "vec").dec(element.columns) << '<' << scalar << '>';
  }
  buffers_ << " DATA\n";
  for (const Value* const row : rows) {
    std::vector<const Value*> given;
    for (const Value::Member& member : *row->as_map()) {
      const auto named = run::inputs_named(ir_.signatures.input, member.key);
      if (std::ranges::none_of(named, [&](const auto& one) { return &ir_.signatures.input[one.element] == &element; })) continue;
      given.clear();  // the last says it
      run::flatten(member.value, given);
    }
    buffers_ << ' ';
    for (std::size_t k = 0; k < element.columns; ++k) {
      const auto bits = k < given.size() ? run::bits_of(*given[k], element.type, key) : Result<std::uint64_t>(0);
      if (!bits) return bits.error();
      const auto text = number_text(suite::cases::number_of_bits(*bits, type), "the input " + key);
      if (!text) return text.error();
      buffers_ << ' ' << *text;
    }
    buffers_ << '\n';
  }
  buffers_ << "END\n";
  (bindings_ << "  VERTEX_DATA " << name << " LOCATION ").dec(location) << '\n';
  return {};
}

// What the shader draws into: a pixel of four components for each lane.
Result<void> AmberWriter::targets(std::size_t count) {
  std::set<std::uint32_t> locations;
  for (const ir::Element& element : ir_.signatures.output) {
    if (!locations.insert(element.first_register).second) continue;
    const std::string name = "target" + std::to_string(element.first_register);
    buffers_ << "BUFFER " << name << " FORMAT R32G32B32A32_"
             << (element.type == ir::Type::f32 ? "SFLOAT\n"
                 : element.is_signed           ? "SINT\n"
                                               : "UINT\n");
    (bindings_ << "  BIND BUFFER " << name << " AS color LOCATION ").dec(element.first_register) << '\n';
  }
  (bindings_ << "  FRAMEBUFFER_SIZE ").dec(count) << " 1\n";
  return {};
}

Result<void> AmberWriter::outputs(const Value& expected, std::string_view field, std::span<const Output> compared, const Value& shown,
                                  std::size_t row, const suite::cases::Tolerance& inherited) {
  const std::string where = "`expect." + std::string(field) + '`';
  if (expected.as_map() == nullptr) return cannot(where + " must be a map");
  const auto lacks = [&](const std::string& name) { return cannot(where + ": Amber cannot compare `" + name + '`'); };
  const std::vector<run::ShownOutput> all = run::shown_outputs(ir_, run::result_row(field), shown);
  for (const Value::Member& member : *expected.as_map()) {
    if (field == "vertices" && (member.key == "cut" || member.key == "stream" || member.key == "lane")) continue;
    std::vector<const Output*> named;
    std::size_t columns = 0;
    for (const run::ShownOutput& one : run::outputs_named(all, member.key)) {
      const auto found = std::ranges::find(compared, one.element, &Output::element);
      if (found == compared.end()) return lacks(one.member->key);
      named.push_back(&*found);
      columns += one.element->columns;
    }
    if (named.empty()) return lacks(member.key);
    const Value* const inner = member.value.find("value");
    const auto own = inner == nullptr ? Result<suite::cases::Tolerance>(inherited) : suite::cases::tolerance_of(member.value, inherited);
    if (!own) return own.error();
    const Value& wanted = inner == nullptr ? member.value : *inner;
    const Value::List* const list = wanted.as_list();
    const std::string what = (field == "lanes" ? "lane " : "vertex ") + std::to_string(row) + ", " + member.key;
    if (list != nullptr && list->size() != columns)
      return cannot(what + ": " + std::to_string(list->size()) + " numbers for " + std::to_string(columns) + " components");
    std::size_t number = 0;
    for (const Output* const one : named) {
      const ir::Element& element = *one->element;
      Data data;
      data.layout.add({element.type == ir::Type::f32 ? Kind::real : element.is_signed ? Kind::sint : Kind::uint, 4});
      for (std::size_t k = 0; k < element.columns; ++k, ++number) {
        const Value& component = list == nullptr ? wanted : (*list)[number];
        if (auto done = expectation({one->buffer, what}, data, k, component, *own, one->first + one->stride * row); !done) return done;
      }
    }
    end_comparison();
  }
  return {};
}

Result<void> AmberWriter::expect_lanes(std::span<const Output> compared, std::size_t count) {
  const auto inherited = tolerance();
  if (!inherited) return inherited.error();
  const Value* const expected = case_.expect.find("lanes");
  const Value::List* const list = expected == nullptr ? nullptr : expected->as_list();
  if (list != nullptr && list->size() > count) return cannot("`expect.lanes` has more entries than `lanes`");
  Value shown = Value::map();
  const std::vector<std::uint64_t> zeros(vm::components_of(ir_.signatures.output));
  run::show_elements(ir_.signatures.output, 1, zeros, 0, shown);
  for (std::size_t lane = 0; expected != nullptr && lane < (list == nullptr ? count : list->size()); ++lane)
    if (auto done = outputs(list == nullptr ? *expected : (*list)[lane], "lanes", compared, shown, lane, *inherited); !done) return done;
  return {};
}

Result<void> AmberWriter::pixels() {
  constexpr std::size_t kMostPoints = 4096;
  const auto given = given_lanes(kMostPoints);
  if (!given) return given.error();
  const Value::List& all = **given;
  std::vector<const Value*> rows;
  for (const Value& lane : all) {
    rows.push_back(&lane);
    if (auto done = refuse_builtins(lane, {}); !done) return done;
  }
  std::vector<const ir::Element*> inputs;
  for (const ir::Element& element : ir_.signatures.input) inputs.push_back(&element);
  shaders_ << "SHADER vertex points SPIRV-ASM TARGET_ENV spv1.0\n" << points_shader(inputs) << "END\n\n";
  before_ << "  ATTACH points\n";
  buffers_ << "BUFFER places DATA_TYPE vec4<float> DATA\n";
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    const double x = (2 * static_cast<double>(lane) + 1) / static_cast<double>(all.size()) - 1;
    buffers_ << "  " << real_text(x, true) << " 0.0 0.0 1.0\n";
  }
  buffers_ << "END\n";
  bindings_ << "  VERTEX_DATA places LOCATION 0\n";
  for (std::size_t at = 0; at < inputs.size(); ++at)
    if (auto done = input_of_vertices(*inputs[at], at + 1, rows); !done) return done;
  if (auto done = targets(all.size()); !done) return done;
  (run_ << "CLEAR pipeline\nRUN pipeline DRAW_ARRAY AS POINT_LIST START_IDX 0 COUNT ").dec(all.size()) << '\n';
  std::vector<Output> compared;
  for (const ir::Element& element : ir_.signatures.output)
    compared.push_back({&element, "target" + std::to_string(element.first_register), 16, 4U * element.first_column});
  return expect_lanes(compared, all.size());
}

}  // namespace unshade::amber::writer
