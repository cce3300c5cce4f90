// The reflection as tables for people.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

#include <unshade/core/lanes.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/shader/reflection.hpp>

#include "shader/reflect/columns.hpp"
#include "shader/reflect/effect_text.hpp"
#include "shader/reflect/scalar_text.hpp"
#include "shader/reflect/semantic_text.hpp"
#include "shader/reflect/subobjects.hpp"

namespace unshade::shader::reflection {

namespace {

std::string mask_text(unsigned mask) { return WriteMask(mask).columns('-'); }

template <class E>
void print_named(Text& out, E value) {
  const std::string_view name = id(value);
  if (name.empty()) {
    out.dec(static_cast<std::uint32_t>(value));
  } else {
    out << name;
  }
}

/// Text from a file, on one line.
void print_plain(Text& out, std::string_view text) {
  for (const char c : text) out << (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c);
}

/// The names of the set bits, separated by blanks.
void print_bits(Text& out, std::uint64_t value, const NameTable& names) {
  bool first = true;
  for (const NamedValue& named : names.values) {
    if ((value & named.value) == 0) continue;
    out << (first ? "" : " ") << named.id;
    value &= ~std::uint64_t{named.value};
    first = false;
  }
  if (value != 0) {
    out << (first ? "0x" : " 0x");
    out.hex(value);
  }
}

/// The array's brackets: `[4]`, `[2][3]`, `[]`.
void print_brackets(Text& out, const Type& type) {
  if (type.dimensions.empty()) {
    if (type.elements != 0) (out << '[').dec(type.elements) << ']';
    return;
  }
  for (const std::uint32_t count : type.dimensions) {
    out << '[';
    if (count != 0) out.dec(count);
    out << ']';
  }
}

/// Bytes from an element of the array to the next, which may be an array itself.
std::uint64_t outermost_stride(const Type& array) {
  std::uint64_t inner = 1;
  for (std::size_t dimension = 1; dimension < array.dimensions.size(); ++dimension) inner *= array.dimensions[dimension];
  return array.element_offset(inner, array.array_stride);
}

std::string built_in_text(const SignatureElement& element) { return element.built_in.empty() ? "-" : element.built_in; }

/// Interface variables: what Vulkan has in the place of signatures.
void print_variables(Text& out, std::string_view title, const std::vector<SignatureElement>& elements, const Reflection& reflection) {
  if (elements.empty()) return;
  const bool has_sources = std::ranges::any_of(elements, [](const SignatureElement& e) { return e.index != 0; });
  out << '\n' << title << '\n';
  Columns columns({"name", "location", "mask", "type", "built-in", "interpolation", has_sources ? "index" : ""});
  Text type_name;
  for (const SignatureElement& element : elements) {
    columns.cell(element.semantic);
    element.register_index == kNoRegister ? columns.cell("-") : columns.number(element.register_index);
    columns.cell(element.register_index == kNoRegister ? "-" : mask_text(element.mask));
    type_name.clear();
    if (element.type < reflection.types.size()) {
      print_type_name(reflection.types[element.type], type_name);
      print_brackets(type_name, reflection.types[element.type]);
    }
    columns.cell(type_name.view());
    columns.cell(built_in_text(element));
    if (element.per_primitive || element.per_vertex) {
      columns.cell(element.per_primitive ? "per primitive" : "per vertex");
    } else {
      element.interpolation == Interpolation::undefined ? columns.cell("-") : columns.named(element.interpolation);
    }
    has_sources ? columns.number(element.index) : columns.cell("");
  }
  columns.print(out, 2);
}

void print_elements(Text& out, std::string_view title, const std::vector<SignatureElement>& elements, Family family) {
  if (elements.empty()) return;
  const bool has_streams = std::ranges::any_of(elements, [](const SignatureElement& e) { return e.stream != 0; });
  const bool has_precision =
      std::ranges::any_of(elements, [](const SignatureElement& e) { return e.min_precision != dxcontainer::MinPrecision::none; });
  const bool has_modes =
      std::ranges::any_of(elements, [](const SignatureElement& e) { return e.interpolation != Interpolation::undefined; });
  out << '\n' << title << '\n';
  Columns columns({"semantic", "register", "mask", "used", "type", "system value", has_modes ? "interpolation" : "",
                   has_precision ? "precision" : "", has_streams ? "stream" : ""});
  for (const SignatureElement& element : elements) {
    columns.cell(element.semantic + (is_numbered(element, family) ? std::to_string(element.semantic_index) : std::string()));
    element.register_index == kNoRegister ? columns.cell("-") : columns.number(element.register_index);
    columns.cell(mask_text(element.mask));
    columns.cell(mask_text(element.used_mask));
    columns.named(element.component_type);
    element.system_value == dxcontainer::SystemValue::undefined ? columns.cell("-") : columns.named(element.system_value);
    has_modes ? columns.named(element.interpolation) : columns.cell("");
    has_precision ? columns.named(element.min_precision) : columns.cell("");
    has_streams ? columns.number(element.stream) : columns.cell("");
  }
  columns.print(out, 2);
}

std::string place_text(const Resource& resource, const Reflection& reflection) {
  // VBC: an entry of the descriptor table of its kind, chosen by slot
  if (traits_of(reflection.family).has_slots && resource.space == 0) return "slot " + std::to_string(resource.id);
  if (reflection.has_descriptor_sets()) {
    if (resource.kind == ResourceKind::push_constants || resource.kind == ResourceKind::shader_record) return "-";
    return "set " + std::to_string(resource.space) + ", binding " + std::to_string(resource.bind_point);
  }
  std::string text(register_letters(resource.kind));
  text += std::to_string(resource.bind_point);
  if (resource.space != 0) text += ",space" + std::to_string(resource.space);
  return text;
}

std::string format_text(const Resource& resource) {
  if (resource.stride != 0) return std::to_string(resource.stride) + " bytes";
  if (!resource.format.empty()) return resource.format;
  if (resource.components == 0) return "-";
  const std::string_view name = id(resource.return_type);
  return (name.empty() ? std::to_string(static_cast<std::uint32_t>(resource.return_type)) : std::string(name)) +
         (resource.components > 1 ? std::to_string(resource.components) : std::string());
}

void print_resources(Text& out, const Reflection& reflection) {
  if (reflection.resources.empty()) return;
  out << "\nResources" << (reflection.rebuilt ? " (rebuilt from declarations)" : "") << '\n';
  Columns columns({"name", "kind", "format", "dimension", reflection.has_descriptor_sets() ? "place" : "register", "count", ""});
  for (const Resource& resource : reflection.resources) {
    columns.cell(resource.name);
    columns.named(resource.kind);
    columns.cell(format_text(resource));
    std::string dimension(resource.dimension == ResourceDimension::unknown ? "-" : id(resource.dimension));
    if (resource.sample_count != 0) dimension += " x" + std::to_string(resource.sample_count);
    columns.cell(dimension);
    columns.cell(place_text(resource, reflection));
    resource.bind_count == 0 ? columns.cell("unbounded") : columns.number(resource.bind_count);
    std::string notes;
    const auto note = [&](bool holds, std::string_view words) {
      if (holds) (notes += notes.empty() ? "" : " ") += words;
    };
    note(resource.read_only, "read-only");
    note(resource.write_only, "write-only");
    note(resource.attachment != kNone, "attachment " + std::to_string(resource.attachment));
    note(resource.comparison, "comparison");
    note(resource.globally_coherent, "globally coherent");
    note(resource.rasterizer_ordered, "rasterizer ordered");
    columns.cell(notes);
  }
  columns.print(out, 2);
}

/// Size of the text beyond which structs are not expanded any more: types are shared, and in files that no compiler wrote they can name one
/// another so that their expansion grows beyond all bounds.
std::size_t text_limit(const Reflection& reflection) {
  constexpr std::size_t kRecordBytes = 12;  // of the shortest record in a file that becomes a line
  std::size_t records = 0;
  for (const Type& type : reflection.types) records += type.members.size();
  for (const Buffer& buffer : reflection.buffers) records += buffer.variables.size();
  return limits::kExpandedTextBase + records * kRecordBytes * limits::kExpandedTextPerByte;
}

class BufferPrinter {
 public:
  BufferPrinter(Text& out, const Reflection& reflection) : out_(out), reflection_(reflection), end_(out.size() + text_limit(reflection)) {}

  void print(const Buffer& buffer) {
    out_ << '\n';
    print_named(out_, buffer.kind);
    if (!buffer.name.empty()) print_plain(out_ << ' ', buffer.name);
    out_ << ", ";
    out_.dec(buffer.size) << " bytes";
    if (const Type* open = open_array(buffer); open != nullptr)
      (out_ << ", and ").dec(outermost_stride(*open)) << " for each element of its last array";
    out_ << '\n';
    if (buffer.variables.empty()) return;
    out_ << "  offset   size  declaration\n";
    for (const Variable& variable : buffer.variables) {
      print_offset(variable.offset);
      is_open(variable) ? out_.right("-", 7) : out_.dec(variable.size, 7);
      out_ << "  ";
      declare(variable.name, variable.type, 0);
      if (!variable.used) out_ << "  unused";
      print_default(variable);
      out_ << '\n';
      print_members(variable.type, variable.offset, 1);
    }
  }

 private:
  const Type* type(std::uint32_t index) const { return index < reflection_.types.size() ? &reflection_.types[index] : nullptr; }

  /// Whether it has as many elements as the buffer holds.
  bool is_open(const Variable& variable) const {
    const Type* const of = type(variable.type);
    return of != nullptr && !of->dimensions.empty() && of->dimensions.front() == 0;
  }
  const Type* open_array(const Buffer& buffer) const {
    return !buffer.variables.empty() && is_open(buffer.variables.back()) ? type(buffer.variables.back().type) : nullptr;
  }

  void print_offset(std::uint64_t offset) {
    if (offset == kNone) {
      out_.right("-", 8);
    } else {
      out_.dec(offset, 8);
    }
  }

  void declare(std::string_view name, std::uint32_t index, std::size_t depth) {
    out_.repeat(' ', 2 * depth);
    const Type* of = type(index);
    if (of != nullptr) print_type_name(*of, out_);
    print_plain(out_ << ' ', name);
    if (of == nullptr) return;
    print_brackets(out_, *of);
    print_stride(out_, *of, "  ");
  }

  void print_members(std::uint32_t index, std::uint32_t base, std::size_t depth) {
    const Type* of = type(index);
    if (of == nullptr) return;
    for (const Member& member : of->members) {
      if (out_.size() > end_) {
        out_ << "  ...\n";
        return;
      }
      const std::uint32_t offset = base == kNone || member.offset == kNone ? kNone : base + member.offset;
      print_offset(offset);
      out_.repeat(' ', 9);
      declare(member.name, member.type, depth);
      out_ << '\n';
      print_members(member.type, offset, depth + 1);
    }
  }

  /// The first numbers of a default value; of a struct, dwords as they are.
  void print_default(const Variable& variable) {
    constexpr std::size_t kShown = 16;  // a matrix
    if (variable.default_value.empty()) return;
    out_ << "  =";
    const View bytes({variable.default_value.data(), variable.default_value.size()});
    const Type* const of = type(variable.type);
    if (of != nullptr && has_numbers(*of)) return print_numbers(out_, *of, bytes, kShown);
    std::size_t at = 0;
    for (; bytes.holds(at, 4) && at < 4 * kShown; at += 4) (out_ << " 0x").hex(bytes.load_unchecked<std::uint32_t>(at), 8);
    if (bytes.holds(at, 4)) out_ << " ...";
  }

  Text& out_;
  const Reflection& reflection_;
  std::size_t end_;
};

/// The start of a line that states one fact.
Text& fact(Text& out, std::string_view name) { return out.left(name, 20); }

void print_geometry(Text& out, const Geometry& geometry) {
  if (!geometry.mode.empty()) {
    fact(out, "geometry mode") << geometry.mode << '\n';
    if (geometry.vertices != 0) fact(out, "vertices").dec(geometry.vertices) << '\n';
    if (geometry.first_constant != 0) (fact(out, "first constant") << 'c').dec(geometry.first_constant) << '\n';
    return;
  }
  print_named(fact(out, "input primitive"), geometry.input_primitive);
  out << '\n';
  print_named(fact(out, "output topology"), geometry.output_topology);
  out << '\n';
  fact(out, "max vertices").dec(geometry.max_vertex_count) << '\n';
  fact(out, "instances").dec(geometry.instance_count) << '\n';
  fact(out, "streams");
  bool first = true;
  for (unsigned i = 0; i < 32; ++i) {
    if ((geometry.streams >> i & 1) == 0) continue;
    (out << (first ? "" : " ")).dec(i);
    first = false;
  }
  out << '\n';
}

void print_tessellation(Text& out, const Tessellation& tessellation, bool is_hull) {
  print_named(fact(out, "domain"), tessellation.domain);
  out << '\n';
  if (is_hull) {
    print_named(fact(out, "partitioning"), tessellation.partitioning);
    out << '\n';
    print_named(fact(out, "output primitive"), tessellation.output);
    out << '\n';
  }
  fact(out, "control points").dec(tessellation.input_control_points) << " in";
  if (is_hull) (out << ", ").dec(tessellation.output_control_points) << " out";
  out << '\n';
  if (tessellation.max_tess_factor) fact(out, "max factor").shortest(*tessellation.max_tess_factor) << '\n';
}

void print_triple(Text& out, std::string_view name, const std::array<std::uint32_t, 3>& sizes) {
  fact(out, name).dec(sizes[0]) << ' ';
  out.dec(sizes[1]) << ' ';
  out.dec(sizes[2]) << '\n';
}

void print_node_id(Text& out, const NodeId& id) {
  print_plain(out, id.name);
  if (id.index != 0) (out << '[').dec(id.index) << ']';
}

void print_node_ios(Text& out, std::string_view name, const std::vector<NodeIo>& ios) {
  for (const NodeIo& io : ios) {
    fact(out, name);
    if (io.id) {
      print_node_id(out, *io.id);
      out << ' ';
    }
    print_bits(out, io.flags, node_flag_names());
    if (io.records != NodeRecords::none) out << ' ' << id(io.records);
    if (io.record_bytes != 0) (out << ", ").dec(io.record_bytes) << " bytes";
    if (io.max_records != 0) (out << ", ").dec(io.max_records) << " records";
    if (io.array_size == kNone) out << ", unbounded array";
    if (io.array_size != 0 && io.array_size != kNone) (out << ", array of ").dec(io.array_size);
    out << '\n';
  }
}

void print_node(Text& out, const Node& node) {
  print_node_id(fact(out, "node"), node.id);
  out << ' ' << id(node.launch) << (node.is_program_entry ? ", program entry" : "") << '\n';
  if (node.shares_input_of) {
    print_node_id(fact(out, "shares input of"), *node.shares_input_of);
    out << '\n';
  }
  if (node.local_root_arguments_index != kNone) fact(out, "local arguments").dec(node.local_root_arguments_index) << '\n';
  if (node.max_recursion_depth != 0) fact(out, "max recursion").dec(node.max_recursion_depth) << '\n';
  if (node.dispatch_grid) print_triple(out, "dispatch grid", *node.dispatch_grid);
  if (node.max_dispatch_grid) print_triple(out, "max dispatch grid", *node.max_dispatch_grid);
  print_node_ios(out, "takes", node.inputs);
  print_node_ios(out, "hands on", node.outputs);
}

void print_mesh(Text& out, const Mesh& mesh) {
  (fact(out, "mesh") << id(mesh.topology) << ", ").dec(mesh.max_vertices) << " vertices, ";
  out.dec(mesh.max_primitives) << " primitives\n";
}

/// What DXIL alone tells.
void print_dxil_facts(Text& out, const EntryPoint& entry) {
  if (entry.mesh) print_mesh(out, *entry.mesh);
  if (entry.wave_size) {
    fact(out, "wave size").dec(entry.wave_size->min);
    if (entry.wave_size->max != 0) (out << " to ").dec(entry.wave_size->max);
    if (entry.wave_size->preferred != 0) (out << ", rather ").dec(entry.wave_size->preferred);
    out << '\n';
  }
  if (entry.payload_bytes) fact(out, "payload").dec(*entry.payload_bytes) << " bytes\n";
  if (entry.attribute_bytes) fact(out, "attributes").dec(*entry.attribute_bytes) << " bytes\n";
  if (entry.group_shared_bytes && *entry.group_shared_bytes != 0) fact(out, "group shared").dec(*entry.group_shared_bytes) << " bytes\n";
  if (entry.node) print_node(out, *entry.node);
  for (const std::string& name : entry.dependencies) {
    print_plain(fact(out, "needs"), name);
    out << '\n';
  }
}

void print_used_resources(Text& out, const Reflection& reflection, const EntryPoint& entry) {
  if (entry.resources.empty()) return;
  fact(out, "uses");
  const char* separator = "";
  for (const std::uint32_t index : entry.resources) {
    if (index >= reflection.resources.size()) continue;
    print_plain(out << separator, reflection.resources[index].name);
    separator = " ";
  }
  out << '\n';
}

void print_stage(Text& out, const EntryPoint& entry) {
  if (entry.thread_group) print_triple(out, "thread group", *entry.thread_group);
  for (std::size_t i = 0; i < entry.thread_group_constants.size(); ++i)
    if (entry.thread_group_constants[i] != kNone)
      (fact(out, std::string("thread group ") + "xyz"[i]) << "specialization constant ").dec(entry.thread_group_constants[i]) << '\n';
  if (entry.geometry) print_geometry(out, *entry.geometry);
  if (entry.tessellation) print_tessellation(out, *entry.tessellation, entry.stage == Stage::hull);
  if (entry.pixel) {
    const Pixel& pixel = *entry.pixel;
    const std::pair<bool, std::string_view> facts[] = {{pixel.early_depth_stencil, "early depth-stencil"},
                                                       {pixel.sample_frequency, "runs at sample frequency"},
                                                       {pixel.writes_depth, "writes depth"},
                                                       {pixel.writes_coverage, "writes coverage"},
                                                       {pixel.writes_stencil_ref, "writes stencil reference"}};
    std::string text;
    for (const auto& [holds, words] : facts) {
      if (!holds) continue;
      if (!text.empty()) text += ", ";
      text += words;
    }
    if (!text.empty()) fact(out, "pixel") << text << '\n';
  }
  if (entry.required_features != 0) {
    print_bits(fact(out, "requires"), entry.required_features, required_feature_names());
    out << '\n';
  }
}

void print_statistics(Text& out, const Statistics& statistics) {
  out << "\nStatistics (those that are not 0)\n";
  Columns columns({"count", ""});
  for (const StatisticField& field : statistic_fields()) {
    if (statistics.*field.count == 0) continue;
    columns.number(statistics.*field.count);
    std::string name(field.id);
    std::ranges::replace(name, '_', ' ');
    columns.cell(name);
  }
  columns.print(out, 2);
}

void print_specialization(Text& out, const std::vector<SpecializationConstant>& constants) {
  if (constants.empty()) return;
  out << "\nSpecialization constants\n";
  Columns columns({"id", "name", "type", "default"});
  for (const SpecializationConstant& constant : constants) {
    columns.number(constant.id);
    columns.cell(constant.name);
    columns.named(constant.type);
    Text value;
    print_scalar(value, constant.type, constant.default_value);
    columns.cell(value.view());
  }
  columns.print(out, 2);
}

void print_subobjects(Text& out, const std::vector<Subobject>& subobjects) {
  if (subobjects.empty()) return;
  out << "\nSubobjects\n";
  Columns columns({"name", "kind", "contents"});
  for (const Subobject& subobject : subobjects) {
    columns.cell(subobject.name);
    columns.named(subobject.kind);
    std::string contents;
    for (const SubobjectFact& fact : facts_of(subobject))
      if (!fact.text.empty()) ((contents += contents.empty() ? "" : ", ") += fact.name) += ' ' + fact.text;
    columns.cell(contents);
  }
  columns.print(out, 2);
}

void print_all(const Reflection& reflection, Text& out) {
  if (!reflection.profile.empty()) fact(out, "profile") << reflection.profile << '\n';
  if (!reflection.creator.empty()) {
    print_plain(fact(out, "creator"), reflection.creator);
    out << '\n';
  }
  if (reflection.compile_flags != 0) {
    print_bits(fact(out, "compile flags"), reflection.compile_flags, compile_flag_names());
    out << '\n';
  }
  if (reflection.min_feature_level != FeatureLevel::unknown) fact(out, "feature level") << id(reflection.min_feature_level) << '\n';
  if (reflection.compute_on_4x) fact(out, "on 4.x") << "compute shaders, raw and structured buffers\n";
  if (reflection.has_root_signature) fact(out, "root signature") << "yes\n";
  if (reflection.interface_slots != 0) fact(out, "interface slots").dec(reflection.interface_slots) << '\n';
  if (reflection.rebuilt) fact(out, "rebuilt") << "the resource definitions were stripped; names are generated\n";
  for (const EntryPoint& entry : reflection.entry_points) {
    if (!entry.name.empty()) {
      out << "\nEntry point ";
      print_plain(out, entry.name);
      out << '\n';
    }
    // If there is more than one, or no profile tells
    if (entry.stage != Stage::none && reflection.profile.empty()) fact(out, "stage") << id(entry.stage) << '\n';
    if (traits_of(reflection.family).reflects_functions) {
      if (!entry.unmangled_name.empty() && entry.unmangled_name != entry.name) {
        print_plain(fact(out, "function"), entry.unmangled_name);
        out << '\n';
      }
      if (reflection.profile.starts_with("lib")) fact(out, "stage") << id(entry.stage) << '\n';
    }
    print_stage(out, entry);
    if (traits_of(reflection.family).reflects_functions) {
      print_dxil_facts(out, entry);
      print_used_resources(out, reflection, entry);
    }
    if (reflection.has_descriptor_sets() && entry.mesh) print_mesh(out, *entry.mesh);
    for (const std::string& mode : entry.execution_modes) fact(out, "execution mode") << mode << '\n';
    if (reflection.has_descriptor_sets()) {
      print_variables(out, "Inputs", entry.inputs, reflection);
      print_variables(out, "Outputs", entry.outputs, reflection);
      print_variables(out, "Patch variables", entry.patch_constants, reflection);
      continue;
    }
    print_elements(out, "Inputs", entry.inputs, reflection.family);
    print_elements(out, "Outputs", entry.outputs, reflection.family);
    print_elements(out, "Patch constants", entry.patch_constants, reflection.family);
  }
  print_resources(out, reflection);
  BufferPrinter printer(out, reflection);
  for (const Buffer& buffer : reflection.buffers) printer.print(buffer);
  print_specialization(out, reflection.specialization_constants);
  if (reflection.effect) print_effect(out, *reflection.effect);
  print_subobjects(out, reflection.subobjects);
  if (reflection.class_linkage) print_linkage(out, *reflection.class_linkage);
  for (const EntryPoint& entry : reflection.entry_points)
    if (entry.statistics) print_statistics(out, *entry.statistics);
}

}  // namespace

}  // namespace unshade::shader::reflection

namespace unshade::shader {

void print_type_name(const Type& type, Text& out) {
  switch (type.type_class) {
    case TypeClass::structure:
    case TypeClass::interface_class:
    case TypeClass::interface_pointer: out << (type.name.empty() ? std::string_view("struct") : std::string_view(type.name)); return;
    case TypeClass::matrix_rows: out << "row_major "; break;
    default: break;
  }
  const std::string_view word = hlsl_word(type.base);
  if (word.empty()) {
    out << "type";
    out.dec(static_cast<std::uint32_t>(type.base));
  } else {
    out << word;
  }
  if (type.type_class == TypeClass::vector) out.dec(type.columns);
  if (type.type_class == TypeClass::matrix_rows || type.type_class == TypeClass::matrix_columns) {
    out.dec(type.rows) << 'x';
    out.dec(type.columns);
  }
}

void print_reflection(const Reflection& reflection, Text& out) { reflection::print_all(reflection, out); }

}  // namespace unshade::shader
