// Lanes of vertex and geometry shaders, for scripts of Amber: draws whose outputs a geometry shader stores.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unshade/ir/extra.hpp>
#include <unshade/run/inputs.hpp>
#include <unshade/run/names.hpp>
#include <unshade/run/outputs.hpp>
#include <unshade/run/type_layout.hpp>
#include <unshade/run/values.hpp>

#include "amber/write/writer.hpp"

namespace unshade::amber::writer {
namespace {

constexpr std::size_t kMostVertices = 4096;
constexpr std::size_t kMostPrimitives = 256;  ///< each is drawn alone

/// Whether a shader reads what a lane knows of itself; the name of the first that is not among `known`.
struct Builtins {
  bool reads_vertex_id = false;
  std::string other;
};
Builtins builtins_of(const ir::Module& module, std::span<const ir::Builtin> known) {
  Builtins made;
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      if (inst.op != ir::Op::builtin) continue;
      const ir::Builtin which = ir::BuiltinExtra(inst.extra).builtin;
      made.reads_vertex_id = made.reads_vertex_id || which == ir::Builtin::vertex_id;
      if (made.other.empty() && std::ranges::find(known, which) == known.end()) made.other = ir::info(which).text;
    }
  }
  return made;
}

std::string other_lanes_of(const ir::Module& module) {
  for (const ir::Function& function : module.functions) {
    for (const ir::Inst& inst : function.insts) {
      const ir::OpInfo& row = ir::info(inst.op);
      if (inst.op != ir::Op::call && has(row.effects, ir::Effects::wave)) return std::string(row.text);
    }
  }
  return {};
}

/// Whether the shader reads an element of its inputs.
bool is_read(const ir::Module& module, const ir::Element& element) {
  const auto number = static_cast<std::size_t>(&element - module.signatures.input.data());
  return std::ranges::any_of(module.functions, [&](const ir::Function& function) {
    return std::ranges::any_of(function.insts, [&](const ir::Inst& inst) {
      return inst.op == ir::Op::input && ir::ElementExtra(inst.extra).signature == ir::SignatureKind::input &&
             ir::ElementExtra(inst.extra).element == number;
    });
  });
}

// Why an input cannot come from a vertex buffer; empty: it can.
std::string why_not_input(const ir::Element& element) {
  const std::string name = "the input " + run::semantic_key(element, 0);
  if (element.first_register == ir::kNone) return name + ": it has no location";
  if (element.type != ir::Type::f32 && element.type != ir::Type::i32) return name + ": must be a 32-bit float or integer";
  if (element.rows != 1 || element.first_column != 0) return name + ": must be a whole location, and not an array";
  return {};
}

// A number that a lane gives by its name in builtins.def, unless an input has the name; nothing if it does not.
Result<std::optional<std::uint32_t>> builtin_of_lane(const ir::Module& module, const Value& lane, ir::Builtin which) {
  std::optional<std::uint32_t> made;
  for (const Value::Member* const member : run::built_ins_of(lane, module.signatures.input)) {
    if (ir::builtin_of(member->key) != which) continue;
    const auto number = run::number_of(member->value, member->key);
    if (!number) return number.error();
    made = *number;
  }
  return made;
}

// What is expected of the vertices of a lane, which must say so if there are several.
Result<std::vector<const Value*>> of_lane(const Value::List& expected, std::size_t lane, std::size_t lanes) {
  std::vector<const Value*> made;
  for (const Value& one : expected) {
    if (one.as_map() == nullptr) return cannot("`expect.vertices` must be a map");
    const Value* const own = one.find("lane");
    if (own == nullptr && lanes > 1) return cannot("`expect.vertices` of several primitives must have `lane`: each is a draw of its own");
    const auto number = own == nullptr ? Result<std::uint32_t>(0) : run::number_of(*own, "lane");
    if (!number) return number.error();
    if (*number == lane) made.push_back(&one);
  }
  return made;
}

/// What the interpreter never stores by itself, so that a shader that does not run is seen.
std::string_view untouched(const ir::Element& element) {
  return element.type == ir::Type::f32 ? "-8388607.5" : element.is_signed ? "-559038737" : "3735928559";
}

}  // namespace

// A pixel shader without outputs and a target, which each draw must have.
void AmberWriter::add_nothing() {
  shaders_ << "SHADER fragment nothing SPIRV-ASM TARGET_ENV spv1.0\n" << kNothing << "END\n\n";
  after_ << "  ATTACH nothing\n";
  buffers_ << "BUFFER pixels FORMAT R8G8B8A8_UNORM\n";
  bindings_ << "  BIND BUFFER pixels AS color LOCATION 0\n  FRAMEBUFFER_SIZE 1 1\n";
}

std::uint32_t AmberWriter::first_free_binding() const {
  std::uint32_t made = 0;
  for (const ir::Resource& one : ir_.resources)
    if (one.space == 0) made = std::max(made, one.first_register + 1);
  return made;
}

Result<std::vector<AmberWriter::Output>> AmberWriter::output_buffers(std::size_t count, std::uint32_t binding) {
  std::vector<Output> made;
  for (const ir::Element& element : ir_.signatures.output) {
    if (!is_stored(element)) continue;
    const std::string name = "output" + std::to_string(made.size());
    buffers_ << "BUFFER " << name << " DATA_TYPE " << (element.type == ir::Type::f32 ? "float" : element.is_signed ? "int32" : "uint32");
    (buffers_ << " SIZE ").dec(count * element.columns) << " FILL " << untouched(element) << '\n';
    (bindings_ << "  BIND BUFFER " << name << " AS storage DESCRIPTOR_SET 0 BINDING ").dec(binding + made.size()) << '\n';
    made.push_back({&element, name, 4U * element.columns});
  }
  return made;
}

// Vertices of a draw, at the places that their vertex_id says, and the draw.
Result<void> AmberWriter::draw_of_vertices(const Value::List& lanes) {
  constexpr ir::Builtin kKnown[] = {ir::Builtin::vertex_id, ir::Builtin::instance_id};
  const Builtins builtins = builtins_of(ir_, kKnown);
  if (!builtins.other.empty()) return cannot("cannot draw `lanes` as vertices: the shader reads " + builtins.other + ", which a draw sets");
  const auto& inputs = ir_.signatures.input;
  const Value nothing = Value::map();
  std::vector<const Value*> rows;
  std::vector<std::uint32_t> indices;
  std::optional<std::uint32_t> instance;
  // vertices are numbered if no lane says its number
  bool has_places = false;
  for (const Value& lane : lanes) {
    const auto vertex = builtin_of_lane(ir_, lane, ir::Builtin::vertex_id);
    has_places = has_places || (builtins.reads_vertex_id && vertex && *vertex);
  }
  for (const Value& lane : lanes) {
    if (auto done = refuse_builtins(lane, kKnown); !done) return done;
    const auto vertex = builtin_of_lane(ir_, lane, ir::Builtin::vertex_id), number = builtin_of_lane(ir_, lane, ir::Builtin::instance_id);
    if (!vertex || !number) return vertex ? number.error() : vertex.error();
    const std::uint32_t own = number->value_or(0);
    if (instance.value_or(own) != own)
      return cannot("cannot draw `lanes` as vertices: each instance of a draw repeats all vertices, and these have several instance ids");
    instance = own;
    if (!has_places) {
      rows.push_back(&lane);
      continue;
    }
    const std::uint32_t place = vertex->value_or(0);
    indices.push_back(place);
    if (inputs.empty()) continue;
    if (place >= kMostVertices) return cannot("cannot draw `lanes` as vertices: the vertex_id of a shader with inputs must be below 4096");
    if (rows.size() <= place) rows.resize(place + 1, &nothing);
    if (rows[place] != &nothing && *rows[place] != lane)
      return cannot("cannot draw `lanes` as vertices: two with the same vertex_id have different inputs");
    rows[place] = &lane;
  }
  for (const ir::Element& element : inputs) {
    if (const std::string why = why_not_input(element); !why.empty()) return cannot("cannot draw `lanes` as vertices: " + why);
    if (auto done = input_of_vertices(element, element.first_register, rows); !done) return done;
  }
  if (!indices.empty()) {
    buffers_ << "BUFFER indices DATA_TYPE uint32 DATA";
    for (const std::uint32_t one : indices) (buffers_ << ' ').dec(one);
    buffers_ << " END\n";
    bindings_ << "  INDEX_DATA indices\n";
  }
  (run_ << "RUN pipeline DRAW_ARRAY " << (indices.empty() ? "" : "INDEXED ") << "AS POINT_LIST START_IDX 0 COUNT ").dec(lanes.size());
  if (instance.value_or(0) != 0) (run_ << " START_INSTANCE ").dec(*instance) << " INSTANCE_COUNT 1";
  run_ << '\n';
  return {};
}

Result<void> AmberWriter::vertices() {
  if (const std::string how = other_lanes_of(ir_); !how.empty())
    return cannot("cannot draw `lanes` as vertices: the shader reads values of other lanes by " + how);
  const auto lanes = given_lanes(kMostVertices);
  if (!lanes) return lanes.error();
  if (auto done = draw_of_vertices(**lanes); !done) return done;
  std::vector<Output> stored;
  if (case_.expect.find("lanes") != nullptr) {
    const std::uint32_t binding = first_free_binding();
    std::vector<ir::Element> elements;
    std::ranges::copy_if(ir_.signatures.output, std::back_inserter(elements), is_stored);
    shaders_ << "SHADER geometry store SPIRV-ASM TARGET_ENV spv1.0\n" << storing_shader(elements, binding) << "END\n\n";
    after_ << "  ATTACH store\n";
    features_.insert({"geometryShader", "vertexPipelineStoresAndAtomics"});
    auto made = output_buffers((*lanes)->size(), binding);
    if (!made) return std::move(made).error();
    stored = std::move(*made);
  }
  add_nothing();
  return expect_lanes(stored, (*lanes)->size());
}

// Each lane is a primitive that is drawn alone, so that what it emits has its place.
Result<void> AmberWriter::primitives() {
  constexpr std::pair<std::uint32_t, std::string_view> kTopologies[] = {
      {1, "POINT_LIST"}, {2, "LINE_LIST"}, {3, "TRIANGLE_LIST"}, {4, "LINE_LIST_WITH_ADJACENCY"}, {6, "TRIANGLE_LIST_WITH_ADJACENCY"}};
  constexpr ir::Builtin kKnown[] = {ir::Builtin::primitive_id, ir::Builtin::gs_instance_id};
  if (const std::string how = other_lanes_of(ir_); !how.empty())
    return cannot("cannot draw `lanes` as primitives: the shader reads values of other lanes by " + how);
  if (const auto other = builtins_of(ir_, kKnown).other; !other.empty())
    return cannot("cannot draw `lanes` as primitives: the shader reads " + other + ", which a draw sets");
  if (ir_.info.instances > 1) return cannot("cannot draw `lanes` as primitives: the shader has several instances for each primitive");
  const std::uint32_t corners = ir::vertices_of(ir_.info.input_primitive);
  const auto* const topology = std::ranges::find(kTopologies, corners, [](const auto& row) { return row.first; });
  if (topology == std::end(kTopologies))
    return cannot("cannot draw `lanes` as primitives: the geometry shader declares no input primitive");
  const auto lanes = given_lanes(kMostPrimitives);
  if (!lanes) return lanes.error();

  // what a lane says of all its vertices, and of each
  std::vector<Value> all;
  for (const Value& lane : **lanes) {
    if (auto done = refuse_builtins(lane, kKnown); !done) return done;
    for (const ir::Builtin which : kKnown) {
      const auto number = builtin_of_lane(ir_, lane, which);
      if (!number) return number.error();
      if (number->value_or(0) != 0)
        return cannot("cannot draw `lanes` as primitives: each primitive is drawn alone, so its " + std::string(ir::info(which).text) +
                      " is 0");
    }
    const std::size_t first = all.size();
    all.resize(first + corners, Value::map());
    for (const Value::Member& member : *lane.as_map()) {
      if (member.key != "vertices") {
        for (std::size_t k = first; k < all.size(); ++k) all[k].as_map()->push_back(member);
        continue;
      }
      const Value::List* const own = member.value.as_list();
      if (own == nullptr || own->size() > corners)
        return cannot("cannot draw `lanes` as primitives: `vertices` must be a list of up to " + std::to_string(corners));
      for (std::size_t k = 0; k < own->size(); ++k) {
        if ((*own)[k].as_map() == nullptr) return cannot("cannot draw `lanes` as primitives: each vertex must be a map");
        for (const Value::Member& one : *(*own)[k].as_map()) all[first + k].as_map()->push_back(one);
      }
    }
  }
  std::vector<const Value*> rows;
  for (const Value& one : all) rows.push_back(&one);
  std::vector<const ir::Element*> given;
  ir::Element none;
  none.semantic = "SV_Position";
  const ir::Element* position = &none;
  for (const ir::Element& element : ir_.signatures.input) {
    if (element.system_value == dxcontainer::SystemValue::position) {
      position = &element;
      continue;
    }
    const std::string why = why_not_input(element);
    if (!why.empty() && !is_read(ir_, element)) continue;
    if (!why.empty()) return cannot("cannot draw `lanes` as primitives: " + why);
    given.push_back(&element);
  }
  shaders_ << "SHADER vertex points SPIRV-ASM TARGET_ENV spv1.0\n" << points_shader(given) << "END\n\n";
  before_ << "  ATTACH points\n";
  if (auto done = input_of_vertices(*position, 0, rows); !done) return done;
  for (std::size_t at = 0; at < given.size(); ++at)
    if (auto done = input_of_vertices(*given[at], at + 1, rows); !done) return done;

  const Value* const expected = case_.expect.find("vertices");
  const Value::List* const list = expected == nullptr ? nullptr : expected->as_list();
  if (expected != nullptr && list == nullptr) return cannot("`expect.vertices` must be a list: a script must state the number of vertices");
  std::vector<Output> stored;
  if (list != nullptr) {
    const std::uint32_t binding = first_free_binding();
    std::vector<ir::Element> elements;
    std::ranges::copy_if(ir_.signatures.output, std::back_inserter(elements), is_stored);
    const auto entry = entry_point(module_, case_.entry);
    if (!entry) return entry.error();
    auto assembly = storing_emits(module_, *entry, elements, binding, list->size());
    if (!assembly) return std::move(assembly).error();
    assembly_ = std::move(*assembly);
    features_.insert("vertexPipelineStoresAndAtomics");
    (buffers_ << "BUFFER emits DATA_TYPE uint32 SIZE ").dec(2 * list->size() + 3) << " FILL 0\n";
    (bindings_ << "  BIND BUFFER emits AS storage DESCRIPTOR_SET 0 BINDING ").dec(binding) << '\n';
    auto made = output_buffers(list->size() + 1, binding + 1);
    if (!made) return std::move(made).error();
    stored = std::move(*made);
  }
  add_nothing();
  // how many vertices there are so far says whose they are
  std::size_t before = 0;
  for (std::size_t lane = 0; lane < (*lanes)->size(); ++lane) {
    (run_ << "RUN pipeline DRAW_ARRAY AS " << topology->second << " START_IDX ").dec(lane * corners);
    (run_ << " COUNT ").dec(corners) << '\n';
    if (list == nullptr) continue;
    const auto own = of_lane(*list, lane, (*lanes)->size());
    if (!own) return own.error();
    before += own->size();
    if (lane + 1 == (*lanes)->size() && before != list->size()) return cannot("`expect.vertices`: `lane` exceeds the number of primitives");
    (run_ << "EXPECT emits IDX 0 EQ ").dec(before) << '\n';
  }
  return list == nullptr ? Result<void>() : expect_vertices(*list, stored, (*lanes)->size());
}

// Entries of the list, each with its place in the order of the lanes, which is that of the draws.
Result<void> AmberWriter::expect_vertices(const Value::List& expected, std::span<const Output> stored, std::size_t lanes) {
  const auto inherited = tolerance();
  if (!inherited) return inherited.error();
  const std::vector<std::uint64_t> zeros(vm::components_of(ir_.signatures.output));
  std::size_t place = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto own = of_lane(expected, lane, lanes);
    for (const Value* const one : *own) {
      const Value* const stated = one->find("stream");
      const auto stream = stated == nullptr ? Result<std::uint32_t>(0) : run::number_of(*stated, "stream");
      if (!stream) return stream.error();
      const Value shown = run::shown_vertex(ir_, {0, *stream, false, zeros});
      if (auto done = outputs(*one, "vertices", stored, shown, place, *inherited); !done) return done;
      const Value* const cut = one->find("cut");
      if (cut != nullptr && cut->as_boolean() == nullptr) return cannot("`expect.vertices`: `cut` must be true or false");
      const bool is_cut = cut != nullptr && *cut->as_boolean();
      const bool has_outputs = std::ranges::any_of(
          *one->as_map(), [](const auto& member) { return member.key != "lane" && member.key != "stream" && member.key != "cut"; });
      if (has_outputs || cut != nullptr) ((expects_ << "EXPECT emits IDX ").dec(8 * place + 4) << " EQ ").dec(is_cut ? 2U : 1U) << '\n';
      // which outputs they are follows from it
      if (has_outputs || stated != nullptr) ((expects_ << "EXPECT emits IDX ").dec(8 * place + 8) << " EQ ").dec(*stream) << '\n';
      ++place;
    }
  }
  return {};
}

}  // namespace unshade::amber::writer
