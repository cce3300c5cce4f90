// The entry point: layouts of stages, vertices that are emitted, barriers.
#include <algorithm>

#include <unshade/core/text.hpp>

#include "write/glsl/glsl.hpp"

namespace unshade::write::glsl {

using dxcontainer::SystemValue;
using ir::SignatureKind;

void Glsl::declare_stage(Text& out) const {
  const ir::StageInfo& info = writer_.module.info;
  using D = dxcontainer::TessellatorDomain;
  using P = dxcontainer::TessellatorPartitioning;
  using O = dxcontainer::TessellatorOutput;
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  switch (writer_.module.stage) {
    case Stage::vertex: break;
    case Stage::pixel:
      if (writer_.module.modes.early_depth) {
        needs("early tests of fragments", {420, 310});
        out << "layout(early_fragment_tests) in;\n\n";
      }
      break;
    case Stage::compute:
      needs("compute shaders", {430, 310});
      out << "layout(local_size_x = " << number(info.group_size[0]) << ", local_size_y = " << number(info.group_size[1])
          << ", local_size_z = " << number(info.group_size[2]) << ") in;\n";
      if (has_derivatives_)
        out << "layout(derivative_group_" << (info.group_size[0] % 2 == 0 && info.group_size[1] % 2 == 0 ? "quads" : "linear")
            << "NV) in;\n";
      out << '\n';
      break;
    case Stage::geometry: {
      needs("geometry shaders", {150, 320});
      if (info.instances > 1) needs("instances of geometry shaders", {400, 320});
      using I = dxcontainer::InputPrimitive;
      std::string_view word = "points";
      switch (info.input_primitive) {
        case I::undefined:
        case I::point: break;
        case I::line: word = "lines"; break;
        case I::line_adjacency: word = "lines_adjacency"; break;
        case I::triangle: word = "triangles"; break;
        case I::triangle_adjacency: word = "triangles_adjacency"; break;
        default: writer_.unsupported("a geometry shader that reads patches"); break;
      }
      out << "layout(" << word << (info.instances > 1 ? ", invocations = " + number(info.instances) : "") << ") in;\n";
      using T = dxcontainer::OutputTopology;
      const T topology = info.stream_topologies.empty() ? T::triangle_strip : info.stream_topologies.front();
      const std::string_view made = topology == T::point_list ? "points" : topology == T::line_strip ? "line_strip" : "triangle_strip";
      out << "layout(" << made << ", max_vertices = " << number(most_vertices(writer_.structured)) << ") out;\n\n";
      break;
    }
    case Stage::hull: {
      needs("tessellation", {400, 320});
      out << "layout(vertices = " << number(std::max(1U, info.output_points)) << ") out;\n";
      // what the other stage of tessellation states in GLSL
      const std::string_view domain = info.domain == D::triangle ? "triangles" : info.domain == D::quad ? "quads" : "isolines";
      const std::string_view spacing = info.partitioning == P::fractional_odd    ? "fractional_odd_spacing"
                                       : info.partitioning == P::fractional_even ? "fractional_even_spacing"
                                                                                 : "equal_spacing";
      const std::string_view order = info.tessellator_output == O::triangle_counter_clockwise ? "ccw" : "cw";
      out << "// of the evaluation shader: layout(" << domain << ", " << spacing << ", " << order
          << (info.tessellator_output == O::point ? ", point_mode" : "") << ") in;\n\n";
      break;
    }
    case Stage::domain:
      needs("tessellation", {400, 320});
      out << "layout(" << (info.domain == D::triangle ? "triangles" : info.domain == D::quad ? "quads" : "isolines") << ") in;\n";
      out << "// spacing and order of vertices are those of the control shader's comment\n\n";
      break;
    case Stage::mesh:
    case Stage::amplification: declare_mesh(out); break;
    default: writer_.unsupported(std::string(id(writer_.module.stage)) + " shaders in GLSL"); break;
  }
}

// y downward, depth from -w to w: of what comes before the rasterizer.
std::string Glsl::position_fix() const {
  const Stage stage = writer_.module.stage;
  // a mesh's are changed where they are assigned
  if (stage == Stage::pixel || stage == Stage::compute || stage == Stage::hull || stage == Stage::mesh) return {};
  const bool has_position = std::ranges::any_of(writer_.module.signatures.output,
                                                [](const ir::Element& one) { return one.system_value == SystemValue::position; });
  if (!has_position) return {};
  std::string made;
  if (options_.flip_y) made += "gl_Position.y = -gl_Position.y";
  if (options_.depth_from_minus_w) made += std::string(made.empty() ? "" : "; ") + "gl_Position.z = 2.0 * gl_Position.z - gl_Position.w";
  return made;
}

std::string Glsl::emit(std::uint32_t stream) {
  const std::string fix = position_fix();
  const bool has_streams = std::ranges::any_of(writer_.module.signatures.output, [](const ir::Element& one) { return one.stream != 0; });
  return (fix.empty() || stream != 0 ? "" : fix + "; ") +
         (has_streams ? "EmitStreamVertex(" + std::to_string(stream) + ')' : std::string("EmitVertex()"));
}

std::string Glsl::cut(std::uint32_t stream) {
  const bool has_streams = std::ranges::any_of(writer_.module.signatures.output, [](const ir::Element& one) { return one.stream != 0; });
  return has_streams ? "EndStreamPrimitive(" + std::to_string(stream) + ')' : std::string("EndPrimitive()");
}

// The invocation goes on as a helper, where the language has that.
std::string Glsl::demote(const std::string&) {
  if (!is_vulkan()) return "discard";
  extension("GL_EXT_demote_to_helper_invocation");
  return "demote";
}

// Errors are messages as others.
std::string Glsl::message(ir::MessageKind, const std::string& format, std::span<const Expression> values) {
  needs("printing messages", {0, 0}, is_vulkan() ? "GL_EXT_debug_printf" : "");
  std::string made = "debugPrintfEXT(" + format;
  for (const Expression& value : values) made += ", " + value.text;
  return made + ')';
}

std::string Glsl::barrier(std::uint32_t bits) {
  const bool of_group = (bits & ir::kGroupMemory) != 0, of_device = (bits & ir::kDeviceMemory) != 0;
  std::string made;
  const auto add = [&](std::string_view text) { (made += made.empty() ? "" : "; ") += text; };
  if (of_device)
    add("memoryBarrier()");
  else if (of_group)
    add("memoryBarrierShared()");
  if ((bits & ir::kSyncGroup) != 0) {
    add("barrier()");
  } else if ((bits & ir::kSyncWave) != 0) {
    extension("GL_KHR_shader_subgroup_basic");
    add("subgroupBarrier()");
  }
  return made;
}

void Glsl::open_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) {
  const auto line = [&](const std::string& text) {
    out << text << '\n';
    lines.push_back(ir::kNone);
  };
  const bool is_apart = writer_.module.stage != Stage::geometry && !position_fix().empty();
  line(is_hull_constants(function) ? "void patchConstants() {"
       : has_constants_            ? "void points() {"
       : is_apart                  ? "void shade() {"
                                   : "void main() {");
  if (!has_constants_ || !is_hull_constants(function))
    for (const std::string& text : initial_memory()) line("  " + text);
}

void Glsl::close_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) {
  const auto line = [&](const std::string& text) {
    out << text << '\n';
    lines.push_back(ir::kNone);
  };
  line("}");
  const std::string fix = position_fix();
  if (writer_.module.stage != Stage::geometry && !fix.empty() && !has_constants_) {
    line("");
    line("void main() {");
    line("  shade();");
    const std::size_t second = fix.find("; ");
    line("  " + fix.substr(0, second) + ';');
    if (second != std::string::npos) line("  " + fix.substr(second + 2) + ';');
    line("}");
  }
  if (!has_constants_) return;
  line("");
  const bool has_points = writer_.module.functions.size() > 1;
  if (function != 0 || (is_hull_constants(function) && has_points)) return;
  line("void main() {");
  if (has_points) {
    line("  points();");
  } else {
    // control points pass through
    const auto &from = fields_.at(SignatureKind::input), &to = fields_.at(SignatureKind::output);
    for (std::size_t at = 0; at < std::min(from.size(), to.size()); ++at) {
      const auto place = [&](const Field& of, std::string_view built_in) {
        return of.is_member ? std::string(built_in) + "[gl_InvocationID]." + of.name : of.name + "[gl_InvocationID]";
      };
      if (!(from[at].type == to[at].type) || from[at].is_flat_array)
        return writer_.unsupported("control points that pass through with other types");
      line("  " + place(to[at], "gl_out") + " = " + place(from[at], "gl_in") + ';');
    }
  }
  line("  barrier();");
  line("  if (gl_InvocationID == 0) {");
  line("    patchConstants();");
  line("  }");
  line("}");
}

// Local memory is 0 before it is written.
std::vector<std::string> Glsl::initial_memory() const {
  std::vector<std::string> made;
  if (!writer_.is_exact()) return made;
  for (std::uint32_t at = 0; at < writer_.module.variables.size(); ++at) {
    const ir::Variable& of = writer_.module.variables[at];
    if (of.space != ir::Space::private_ || !of.initial.empty() || !writer_.is_variable_used(at)) continue;
    const source::ByteLayout& layout = writer_.variable(at).layout;
    std::string text, place = writer_.variable(at).name;
    std::uint32_t part = layout.root;
    for (char letter = 'a'; layout.parts[part].kind == source::ByteLayout::Kind::array; part = layout.parts[part].inner, ++letter) {
      const std::string index = std::string("index_") + letter;
      text += "for (int " + index + " = 0; " + index + " < " + std::to_string(layout.parts[part].count) + "; " + index + "++) ";
      place += '[' + index + ']';
    }
    const source::ByteLayout::Part& of_part = layout.parts[part];
    const std::string zero = literal(of_part.base, 0, false);
    made.push_back(text + place + " = " +
                   (of_part.kind == source::ByteLayout::Kind::vector
                        ? type_name({of_part.base, static_cast<std::uint8_t>(of_part.count)}) + '(' + zero + ')'
                        : zero) +
                   ';');
  }
  return made;
}

}  // namespace unshade::write::glsl
