// Inputs, outputs and the entry point.
#include <algorithm>
#include <array>
#include <cctype>

#include <unshade/core/text.hpp>
#include <unshade/ir/hull.hpp>
#include <unshade/shader/built_in_semantics.hpp>

#include "write/hlsl/entry.hpp"
#include "write/hlsl/hlsl.hpp"
#include "write/source/prepare.hpp"

namespace unshade::write::hlsl {

using dxcontainer::SystemValue;
using ir::SignatureKind;
using source::ElementUse;
using source::kLetters;

namespace {

bool is_system(const ir::Element& element) {
  return element.system_value != SystemValue::undefined || element.semantic.starts_with("SV_") || element.semantic.starts_with("sv_");
}

bool is_same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool is_factor(const ir::Element& element) {
  return element.system_value >= SystemValue::final_quad_edge_tessfactor &&
         element.system_value <= SystemValue::final_line_density_tessfactor;
}

}  // namespace

std::string Hlsl::semantic_of(SignatureKind kind, const ir::Element& element) const {
  const bool is_output = kind == SignatureKind::output;
  if (!element.variable.empty()) {
    // SPIR-V: built-ins by what Direct3D has for them, others by location
    if (!element.built_in.empty()) {
      const std::string_view semantic = shader::semantic_of_built_in(element.built_in);
      if (semantic.empty()) {
        if (element.built_in == "PointSize") return "PSIZE";
        writer_.unsupported("the built-in `" + element.built_in + "`, which HLSL does not have");
      }
      return std::string(semantic);
    }
    const std::uint32_t location = element.first_register == ir::kNone ? 0 : element.first_register;
    if (is_output && writer_.module.stage == Stage::pixel) return "SV_Target" + std::to_string(location);
    std::string made = "TEXCOORD" + std::to_string(location);
    if (element.first_column != 0) made = "LOCATION" + std::to_string(location) + '_' + kLetters[element.first_column & 3];
    return made;
  }
  if (writer_.is_of_pica() && element.system_value == SystemValue::position) return "SV_Position";
  std::string made = identifier_like(ShadingLanguage::hlsl, element.semantic);
  if (element.semantic_index != 0 || (!is_system(element) && !made.empty() && std::isdigit(static_cast<unsigned char>(made.back())) == 0 &&
                                      writer_.reflection != nullptr && !writer_.is_of_pica()))
    made += std::to_string(element.semantic_index);
  return made;
}

// Whether a function reads or writes it.
bool Hlsl::is_accessed(SignatureKind kind, std::uint32_t element) const {
  for (const ir::Function& function : writer_.module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        const ir::Inst& inst = function.insts[id];
        if (ir::info(inst.op).extra != ir::Extra::element) continue;
        const ir::ElementExtra extra(inst.extra);
        if (extra.signature == kind && extra.element == element) return true;
      }
    }
  }
  return false;
}

std::string Hlsl::struct_of(SignatureKind kind, std::uint32_t stream) const {
  return kind == SignatureKind::input ? "Input" : kind == SignatureKind::patch ? std::string(patch_struct()) : numbered("Output", stream);
}

void Hlsl::make_fields(SignatureKind kind) {
  const auto& list = writer_.module.signatures.of(kind);
  std::vector<Field>& made = fields_[kind];
  std::set<std::string> taken;
  for (std::uint32_t at = 0; at < list.size(); ++at) {
    const ir::Element& element = list[at];
    Field field;
    field.type.base = source::ModuleWriter::base_of(element.type, ir::is_float(element.type) ? ir::Declared::real
                                                                  : element.is_signed        ? ir::Declared::signed_
                                                                                             : ir::Declared::unsigned_);
    field.type.width = element.columns;
    field.rows = element.rows;
    const bool may_be_left_out = !element.built_in.empty() || (writer_.is_of_pica() && kind == SignatureKind::input);
    field.is_left_out = may_be_left_out && !is_accessed(kind, at);
    if (!field.is_left_out) field.semantic = semantic_of(kind, element);
    if (element.system_value == SystemValue::is_front_face || element.system_value == SystemValue::cull_primitive) {
      field.is_truth = true;
      field.type = {Base::bool_, 1};
    }
    std::string_view own = element.variable.empty() ? element.semantic : element.variable;
    // of a block what the member is called
    if (!element.built_in.empty()) own = element.built_in;
    if (const std::size_t dot = own.rfind('.'); dot != std::string_view::npos) own.remove_prefix(dot + 1);
    if (source::ModuleWriter::is_unnamed(own)) own = field.semantic;
    std::string wanted = source::variable_of(own);
    const bool is_repeated = std::ranges::any_of(list, [&](const ir::Element& other) {
      return &other != &element && other.semantic == element.semantic && other.stream == element.stream;
    });
    if (element.variable.empty() && (element.semantic_index != 0 || (is_repeated && !is_system(element))))
      wanted += std::to_string(element.semantic_index);
    wanted = identifier_like(ShadingLanguage::hlsl, wanted);
    const std::string plain = wanted;
    for (char letter = 'b'; !taken.insert(std::to_string(element.stream) + wanted).second; ++letter) wanted = plain + '_' + letter;
    if (is_factor(element)) {
      // factors of one kind are one array, by their index
      const auto same = [&](const ir::Element& other) { return is_factor(other) && is_same_word(other.semantic, element.semantic); };
      const auto first = static_cast<std::uint32_t>(std::ranges::find_if(list, same) - list.begin());
      field.type.width = 1;
      field.first_row = element.rows > 1 ? 0 : element.semantic_index;
      field.rows = field.first_row + element.rows;
      field.semantic = element.semantic;
      field.is_factor = true;
      if (first != at) {
        field.is_first = false;
        field.name = made[first].name;
        made[first].rows = std::max(made[first].rows, field.rows);
        field.rows = element.rows;
      }
    }
    if (field.is_first) field.name = field.is_left_out ? wanted : writer_.names.member(struct_of(kind, element.stream), wanted);
    made.push_back(std::move(field));
  }
}

Hlsl::Hlsl(source::ModuleWriter& writer) : Target(writer) {
  for (const std::string_view word :
       {"main", "Input", "Output", "Patch", "input", "output", "patch", "points", "stream", "patchConstants", "Payload", "payload"})
    (void)writer_.names.reserve(word);
  if (is_mesh())
    for (const std::string_view word : {"vertices", "primitives", "indices", "Primitive"}) (void)writer_.names.reserve(word);
  for (const std::uint32_t stream : streams())
    for (const std::string_view word : {"Output", "output", "stream"}) (void)writer_.names.reserve(numbered(word, stream));
  for (const BuiltinRow& row : kBuiltins)
    if (!row.semantic.empty()) (void)writer_.names.reserve(row.name);
  claim_classes();
  for (const SignatureKind kind : {SignatureKind::input, SignatureKind::output, SignatureKind::patch}) make_fields(kind);
  has_constants_ = ir::has_patch_constant_function(writer_.module);
  for (const ir::Function& function : writer_.module.functions)
    for (const ir::BlockId block : function.order)
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) note(function, id);
}

void Hlsl::note(const ir::Function& function, ir::Id id) {
  const ir::Inst& inst = function.insts[id];
  const auto resource = [&](std::size_t operand) { return function.insts[function.operands_of(id)[operand]].extra; };
  if (inst.op == ir::Op::texel_atomic || inst.op == ir::Op::buffer_atomic) with_atomics_.insert(resource(0));
  if (source::accesses_wide_texel(inst)) {
    bool& is_signed = wide_texels_[resource(0)];
    is_signed = is_signed || source::is_signed_atomic(inst);
  }
  const bool samples = inst.op == ir::Op::sample || inst.op == ir::Op::sample_implicit || inst.op == ir::Op::gather;
  if (samples && ir::TextureExtra(inst.extra).has_reference) comparing_.insert(resource(1));
  const bool is_of_vertex = inst.op == ir::Op::input && writer_.module.stage == Stage::pixel && ir::ElementExtra(inst.extra).has_vertex;
  if (is_of_vertex) fields_.at(SignatureKind::input)[ir::ElementExtra(inst.extra).element].is_per_vertex = true;
}

const Field& Hlsl::field(SignatureKind kind, std::uint32_t element) const { return fields_.at(kind)[element]; }

Expression Hlsl::member_of(const ElementUse& use, const std::string& object) const {
  const Field& of = field(use.signature, use.element);
  Expression made;
  made.text = object + '.' + of.name;
  made.type = {of.type.base, static_cast<std::uint8_t>(use.columns.size())};
  const Field* first = &of;
  if (!of.is_first)
    for (const Field& other : fields_.at(use.signature))
      if (other.is_first && other.name == of.name) first = &other;
  if (first->rows > 1 || first->is_factor) {
    const std::string row = use.row.empty() ? "0" : use.row;
    made.text += '[' +
                 (of.first_row == 0 ? row
                  : row == "0"      ? std::to_string(of.first_row)
                                    : row + " + " + std::to_string(of.first_row)) +
                 ']';
  }
  if (of.type.width > 1) {
    bool is_whole = use.columns.size() == of.type.width;
    for (std::size_t k = 0; k < use.columns.size(); ++k) is_whole = is_whole && use.columns[k] == k;
    if (!is_whole) {
      made.text += '.';
      for (const std::uint8_t column : use.columns) {
        if (column >= of.type.width) writer_.unsupported("an access to a component that the input or output does not have");
        made.text += kLetters[column & 3];
      }
    }
  } else {
    made.type.width = 1;
  }
  return made;
}

Expression Hlsl::input(const ElementUse& use) {
  std::string object = "input";
  const Stage stage = writer_.module.stage;
  if (use.signature == SignatureKind::patch) {
    object = "patch";
  } else if (!use.vertex.empty() && stage == Stage::pixel) {
    if (use.vertex.find_first_not_of("0123456789") != std::string::npos)
      writer_.unsupported("inputs of a vertex whose number is computed (GetAttributeAtVertex)");
    return of_attribute("GetAttributeAtVertex", use, ", " + use.vertex);
  } else if (!use.vertex.empty()) {
    object += '[' + use.vertex + ']';
  } else if (stage == Stage::hull) {
    builtins_.insert(Builtin::control_point_id);
    object += "[pointId]";
  } else if (stage == Stage::geometry) {
    object += "[0]";
  }
  Expression made = member_of(use, object);
  const Field& of = field(use.signature, use.element);
  if (of.is_truth) {
    made.truth = made.text;
    made.text += " ? 0xffffffffu : 0";
    made.level = Level::conditional;
    made.type = {Base::uint_, 1};
  }
  return made;
}

std::string Hlsl::output(const ElementUse& use, ValueType& type) {
  if (use.is_precise) fields_.at(use.signature)[use.element].is_precise = true;
  std::string object = output_of(writer_.module.signatures.of(use.signature)[use.element].stream);
  if (is_mesh()) object = use.signature == SignatureKind::patch ? "primitives" : "vertices";
  if (!use.vertex.empty()) object += '[' + use.vertex + ']';
  const Expression made = member_of(use, object);
  type = made.type;
  return made.text;
}

Expression Hlsl::output_value(const ElementUse& use) {
  std::string object = "output";
  if (use.signature == SignatureKind::output && is_hull_constants()) object = "points[" + (use.vertex.empty() ? "0" : use.vertex) + ']';
  return member_of(use, object);
}

// Components of what a function makes of an input, which it takes as a whole.
Expression Hlsl::of_attribute(std::string_view function, const ElementUse& use, const std::string& arguments) const {
  const Field& of = field(use.signature, use.element);
  ElementUse whole = use;
  whole.columns.clear();
  for (std::uint8_t k = 0; k < of.type.width; ++k) whole.columns.push_back(k);
  Expression made = member_of(use, "input");
  made.text = std::string(function) + '(' + member_of(whole, "input").text + arguments + ')';
  if (of.type.width == 1 || use.columns == whole.columns) return made;
  made.text += '.';
  for (const std::uint8_t column : use.columns) made.text += kLetters[column & 3];
  return made;
}

Expression Hlsl::interpolated(const ElementUse& use, ir::ElementExtra::Place place, const Expression& at) {
  using Place = ir::ElementExtra::Place;
  switch (place) {
    case Place::centroid: return of_attribute("EvaluateAttributeAtCentroid", use, "");
    case Place::sample: return of_attribute("EvaluateAttributeAtSample", use, ", " + at.text);
    case Place::offset:
      if (at.type.base == Base::float_) writer_.unsupported("interpolation at an offset that is not an integer");
      return of_attribute("EvaluateAttributeSnapped", use, ", " + at.text);
    case Place::centre: break;
  }
  return member_of(use, "input");
}

Expression Hlsl::builtin(Builtin builtin, std::span<const std::uint8_t> components) {
  Expression made;
  if (builtin == Builtin::domain_location) {
    builtins_.insert(builtin);
    const unsigned width = writer_.module.info.domain == dxcontainer::TessellatorDomain::triangle ? 3 : 2;
    made.text = "location";
    made.type = {Base::float_, static_cast<std::uint8_t>(components.size())};
    bool is_whole = components.size() == width;
    for (std::size_t k = 0; k < components.size(); ++k) {
      if (components[k] >= width) writer_.unsupported("a component of the place in a domain that it does not have");
      is_whole = is_whole && components[k] == k;
    }
    if (!is_whole) {
      made.text += '.';
      for (const std::uint8_t one : components) made.text += kLetters[one & 3];
    }
    return made;
  }
  const auto* const row = std::ranges::find(kBuiltins, builtin, &BuiltinRow::builtin);
  const ir::BuiltinInfo& info = ir::info(builtin);
  if (row == std::end(kBuiltins)) {
    writer_.unsupported("the built-in `" + std::string(info.text) + "`, which HLSL does not have");
    return made;
  }
  if (!row->semantic.empty()) builtins_.insert(builtin);
  made.text = row->name;
  made.type.base = info.type == ir::Type::b1 ? Base::bool_ : info.type == ir::Type::f32 ? Base::float_ : Base::uint_;
  made.type.width = info.components == 1 ? 1 : static_cast<std::uint8_t>(components.size());
  bool is_whole = components.size() == info.components;
  for (std::size_t k = 0; k < components.size(); ++k) is_whole = is_whole && components[k] == k;
  if (!is_whole && info.components > 1) {
    made.text += '.';
    for (const std::uint8_t one : components) made.text += kLetters[one & 3];
  }
  return made;
}

std::string Hlsl::emit(std::uint32_t stream) { return numbered("stream", stream) + ".Append(" + output_of(stream) + ')'; }
std::string Hlsl::cut(std::uint32_t stream) { return numbered("stream", stream) + ".RestartStrip()"; }
std::string Hlsl::mesh_counts(const Expression& vertices, const Expression& primitives) {
  return "SetMeshOutputCounts(" + vertices.text + ", " + primitives.text + ')';
}
std::string Hlsl::mesh_primitive(const Expression& primitive, std::span<const Expression> corners) {
  std::string made = "indices[" + primitive.text + "] = ";
  if (corners.size() == 1) return made + corners[0].text;
  made += "uint" + std::to_string(corners.size()) + '(';
  for (std::size_t k = 0; k < corners.size(); ++k) (made += k == 0 ? "" : ", ") += corners[k].text;
  return made + ')';
}
std::string Hlsl::dispatch_mesh(std::span<const Expression> groups) {
  std::string made = "DispatchMesh(";
  for (const Expression& count : groups) made += count.text + ", ";
  return made + "payload)";
}
std::string Hlsl::demote(const std::string&) { return "discard"; }

std::string Hlsl::message(ir::MessageKind kind, const std::string& format, std::span<const Expression> values) {
  std::string made = (kind == ir::MessageKind::errorf ? "errorf(" : "printf(") + format;
  for (const Expression& value : values) made += ", " + value.text;
  return made + ')';
}

std::string Hlsl::barrier(std::uint32_t bits) {
  const bool waits = (bits & ir::kSyncGroup) != 0;
  const bool of_group = (bits & ir::kGroupMemory) != 0, of_device = (bits & ir::kDeviceMemory) != 0;
  const std::string_view which = of_group && of_device ? "AllMemoryBarrier" : of_device ? "DeviceMemoryBarrier" : "GroupMemoryBarrier";
  return std::string(which) + (waits ? "WithGroupSync()" : "()");
}

// Those of which there are outputs; the first at least.
std::vector<std::uint32_t> Hlsl::streams() const {
  std::vector<std::uint32_t> made;
  const auto& list = writer_.module.signatures.output;
  for (std::uint32_t stream = 0; stream < kStreams; ++stream)
    if (std::ranges::any_of(list, [&](const ir::Element& one) { return one.stream == stream; })) made.push_back(stream);
  if (made.empty()) made.push_back(0);
  return made;
}

std::string Hlsl::return_value() {
  const Stage stage = writer_.module.stage;
  if (stage == Stage::geometry || stage == Stage::compute || stage == Stage::mesh || stage == Stage::amplification) return {};
  if (stage == Stage::hull && is_hull_constants()) return "output";
  return has(SignatureKind::output) ? "output" : "";
}

void Hlsl::declare_struct(Text& out, SignatureKind kind, std::string_view name, std::uint32_t stream) const {
  const auto& list = writer_.module.signatures.of(kind);
  out << "struct " << name << " {\n";
  for (std::size_t at = 0; at < list.size(); ++at) {
    const ir::Element& element = list[at];
    const Field& of = fields_.at(kind)[at];
    if (element.stream != stream || !of.is_first || of.is_left_out) continue;
    out << "  ";
    const bool is_variable = !element.variable.empty() && element.built_in.empty();
    if (is_variable && element.first_register != ir::kNone) (out << "[[vk::location(").dec(element.first_register) << ")]] ";
    if (writer_.module.stage == Stage::pixel && kind == SignatureKind::input) {
      const bool is_constant = of.is_per_vertex || (!ir::is_float(element.type) && !is_system(element));
      out << (is_constant ? std::string_view("nointerpolation ") : source::interpolation_words(element.interpolation, "nointerpolation "));
    }
    if (of.is_precise) out << "precise ";
    out << type_name(of.type) << ' ' << of.name;
    if (of.rows > 1 || of.is_factor) (out << '[').dec(of.rows) << ']';
    out << " : " << of.semantic << ";\n";
  }
  out << "};\n\n";
}

// Outputs that some path does not write.
std::vector<std::string> Hlsl::initial_outputs() const {
  std::vector<std::string> made;
  const bool of_patch = is_hull_constants();
  const SignatureKind kind = of_patch ? SignatureKind::patch : SignatureKind::output;
  const auto& list = writer_.module.signatures.of(kind);
  const ir::Function& f = writer_.module.functions[current_];
  const ir::Structure& tree = writer_.structured.trees[current_];
  // of each element the components that are written, row by row
  constexpr std::uint32_t kMostRows = 8;
  std::vector<std::uint64_t> written(list.size(), 0);
  bool returns_early = false;
  for (const ir::Node& node : tree.nodes) {
    if (node.kind == ir::NodeKind::return_ && node.parent != ir::kNone) returns_early = true;
    if (node.kind != ir::NodeKind::block || node.parent != ir::kNone) continue;
    for (ir::Id id = f.blocks[node.block].first; id != ir::kNone; id = f.next[id]) {
      if (f.insts[id].op != ir::Op::output) continue;
      const ir::ElementExtra extra(f.insts[id].extra);
      if (extra.signature != kind) continue;
      std::uint64_t row = 0;
      if (extra.has_row) {
        const ir::Id at = f.operands_of(id)[extra.has_vertex ? 1 : 0];
        row = f.insts[at].op == ir::Op::constant ? ir::constant_bits(f, at) : kMostRows;
      }
      if (row < kMostRows) written[extra.element] |= std::uint64_t{1} << (4 * row + extra.column);
    }
  }
  for (std::size_t at = 0; at < list.size(); ++at) {
    const Field& of = fields_.at(kind)[at];
    std::uint64_t all = 0;
    for (std::uint32_t row = 0; row < std::min(list[at].rows, kMostRows); ++row)
      all |= ((std::uint64_t{1} << list[at].columns) - 1) << (4 * row);
    const bool is_written = written[at] == all && list[at].rows <= kMostRows && !returns_early && writer_.module.stage != Stage::geometry;
    if (is_written || of.is_left_out) continue;
    const std::string zero = of.type.base == Base::bool_ ? "false" : source::is_real(of.type.base) ? "0.0" : "0";
    const std::string name = output_of(list[at].stream) + '.' + of.name;
    if (of.rows == 1 && !of.is_factor) {
      made.push_back(name + " = " + zero + ';');
    } else {
      for (std::uint32_t row = 0; row < list[at].rows; ++row)
        made.push_back(name + '[' + std::to_string(of.first_row + row) + "] = " + zero + ';');
    }
  }
  return made;
}

}  // namespace unshade::write::hlsl
