// Mesh and amplification shaders: what GLSL calls mesh and task shaders.
// src: GLSL_EXT_mesh_shader
#include <algorithm>
#include <utility>

#include <unshade/core/text.hpp>

#include "write/glsl/glsl.hpp"

namespace unshade::write::glsl {

using dxcontainer::SystemValue;
using ir::SignatureKind;

void Glsl::declare_mesh(Text& out) const {
  const ir::StageInfo& info = writer_.module.info;
  needs("mesh shaders", {0, 0}, is_vulkan() ? "GL_EXT_mesh_shader" : "");
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  out << "layout(local_size_x = " << number(info.group_size[0]) << ", local_size_y = " << number(info.group_size[1])
      << ", local_size_z = " << number(info.group_size[2]) << ") in;\n";
  if (is_mesh()) {
    const std::uint32_t corners = ir::corners_of(info.mesh_topology);
    out << "layout("
        << (corners == 3   ? "triangles"
            : corners == 2 ? "lines"
                           : "points")
        << ", max_vertices = " << number(std::max(1U, info.max_vertices))
        << ", max_primitives = " << number(std::max(1U, info.max_primitives)) << ") out;\n";
  }
  out << '\n';
}

// The built-ins of vertices, where an array among them has a size, or they are precise.
void Glsl::declare_mesh_vertices(Text& out, const std::map<std::string, std::uint32_t>& distances) const {
  std::vector<std::string_view> plain;
  for (const Field& of : fields_.at(SignatureKind::output))
    if (of.is_builtin && !of.is_flat_array && of.is_used) plain.push_back(of.name);
  const bool is_precise = writer_.is_exact() && std::ranges::find(plain, "gl_Position") != plain.end();
  if (distances.empty() && !is_precise) return;
  out << "out gl_MeshPerVertexEXT {\n";
  for (const std::string_view name : plain)
    out << "  " << (is_precise ? "precise " : "") << (name == "gl_Position" ? "vec4 " : "float ") << name << ";\n";
  for (const auto& [name, count] : distances) (out << "  float " << name << '[').dec(count) << "];\n";
  out << "} gl_MeshVerticesEXT[];\n";
}

std::string Glsl::mesh_counts(const Expression& vertices, const Expression& primitives) {
  return "SetMeshOutputsEXT(" + vertices.text + ", " + primitives.text + ')';
}

std::string Glsl::mesh_primitive(const Expression& primitive, std::span<const Expression> corners) {
  constexpr std::string_view kKinds[] = {"Point", "Line", "Triangle"};
  std::string made = "gl_Primitive" + std::string(kKinds[corners.size() - 1]) + "IndicesEXT[" + primitive.text + "] = ";
  if (corners.size() == 1) return made + corners[0].text;
  made += type_name({Base::uint_, static_cast<std::uint8_t>(corners.size())}) + '(';
  for (std::size_t k = 0; k < corners.size(); ++k) (made += k == 0 ? "" : ", ") += corners[k].text;
  return made + ')';
}

// The payload goes with it.
std::string Glsl::dispatch_mesh(std::span<const Expression> groups) {
  std::string made = "EmitMeshTasksEXT(";
  for (std::size_t k = 0; k < groups.size(); ++k) (made += k == 0 ? "" : ", ") += groups[k].text;
  return made + ')';
}

// Positions of a mesh as options ask for them: other stages change them at the end, but outputs of this one cannot be read.
Expression Glsl::assigned(const source::ElementUse& use, Expression value) {
  if (!is_mesh() || use.signature != SignatureKind::output || (!options_.flip_y && !options_.depth_from_minus_w)) return value;
  if (writer_.module.signatures.output[use.element].system_value != SystemValue::position) return value;
  std::string parts;
  for (const std::uint8_t column : use.columns) {
    const std::string part = use.columns.size() == 1 ? std::string("position") : std::string("position.") + source::kLetters[column & 3];
    const bool has_all = use.columns.size() == 4;
    if (options_.depth_from_minus_w && column == 2 && !has_all) writer_.unsupported("converting the depth of positions without their w");
    parts += parts.empty() ? "" : ", ";
    parts += column == 1 && options_.flip_y               ? '-' + part
             : column == 2 && options_.depth_from_minus_w ? "2.0 * " + part + " - position.w"
                                                          : part;
  }
  const auto width = static_cast<std::uint8_t>(use.columns.size());
  const std::string type = type_name({Base::float_, width});
  const std::string function =
      helper("placed", type + " @(" + type + " position) {\n  return " + (width == 1 ? parts : type + '(' + parts + ')') + ";\n}\n");
  return {function + '(' + value.text + ')', Level::postfix, {Base::float_, width}};
}

}  // namespace unshade::write::glsl
