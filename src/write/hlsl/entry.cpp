// The entry point: its attributes, parameters and what is around its statements.
#include <algorithm>

#include <unshade/core/text.hpp>

#include "write/hlsl/entry.hpp"
#include "write/hlsl/hlsl.hpp"

namespace unshade::write::hlsl {

using ir::SignatureKind;

void Hlsl::attributes(Text& out, std::vector<std::uint32_t>& lines) const {
  const ir::StageInfo& info = writer_.module.info;
  const auto line = [&](const std::string& text) {
    out << text << '\n';
    lines.push_back(ir::kNone);
  };
  switch (writer_.module.stage) {
    case Stage::mesh:
    case Stage::amplification:
    case Stage::compute:
      line("[numthreads(" + std::to_string(info.group_size[0]) + ", " + std::to_string(info.group_size[1]) + ", " +
           std::to_string(info.group_size[2]) + ")]");
      if (is_mesh()) line(std::string("[outputtopology(\"") + (ir::corners_of(info.mesh_topology) == 2 ? "line" : "triangle") + "\")]");
      break;
    case Stage::pixel:
      if (writer_.module.modes.early_depth) line("[earlydepthstencil]");
      break;
    case Stage::geometry:
      line("[maxvertexcount(" + std::to_string(std::max(1U, info.max_vertices)) + ")]");
      if (info.instances > 1) line("[instance(" + std::to_string(info.instances) + ")]");
      break;
    case Stage::hull:
    case Stage::domain: {
      using D = dxcontainer::TessellatorDomain;
      line(std::string("[domain(\"") + (info.domain == D::triangle ? "tri" : info.domain == D::quad ? "quad" : "isoline") + "\")]");
      if (writer_.module.stage == Stage::domain) break;
      using P = dxcontainer::TessellatorPartitioning;
      line(std::string("[partitioning(\"") +
           (info.partitioning == P::fractional_odd    ? "fractional_odd"
            : info.partitioning == P::fractional_even ? "fractional_even"
            : info.partitioning == P::power_of_two    ? "pow2"
                                                      : "integer") +
           "\")]");
      using O = dxcontainer::TessellatorOutput;
      line(std::string("[outputtopology(\"") +
           (info.tessellator_output == O::point                        ? "point"
            : info.tessellator_output == O::line                       ? "line"
            : info.tessellator_output == O::triangle_counter_clockwise ? "triangle_ccw"
                                                                       : "triangle_cw") +
           "\")]");
      line("[outputcontrolpoints(" + std::to_string(std::max(1U, info.output_points)) + ")]");
      line("[patchconstantfunc(\"patchConstants\")]");
      Text factor;
      factor.shortest(info.max_tess_factor);
      if (info.max_tess_factor < 64) line("[maxtessfactor(" + factor.str() + ")]");
      break;
    }
    default: break;
  }
}

void Hlsl::begin_function(std::size_t function) {
  current_ = function;
  builtins_.clear();
}

void Hlsl::mesh_parameters(std::vector<std::string>& parameters) const {
  const ir::StageInfo& info = writer_.module.info;
  const auto count = [](std::uint32_t of) { return '[' + std::to_string(std::max(1U, of)) + ']'; };
  const std::uint32_t corners = ir::corners_of(info.mesh_topology);
  for (const ir::Variable& variable : writer_.module.variables)
    if (variable.space == ir::Space::payload) parameters.emplace_back("in payload Payload payload");
  parameters.push_back("out indices uint" + (corners == 1 ? std::string() : std::to_string(corners)) + " indices" +
                       count(info.max_primitives));
  if (has(SignatureKind::output)) parameters.push_back("out vertices Output vertices" + count(info.max_vertices));
  if (has(SignatureKind::patch)) parameters.push_back("out primitives Primitive primitives" + count(info.max_primitives));
}

void Hlsl::open_function(std::size_t, Text& out, std::vector<std::uint32_t>& lines) {
  const Stage stage = writer_.module.stage;
  const ir::StageInfo& info = writer_.module.info;
  const auto line = [&](const std::string& text) {
    out << text << '\n';
    lines.push_back(ir::kNone);
  };
  if (!is_hull_constants()) attributes(out, lines);
  std::vector<std::string> parameters;
  const std::string in_points = std::to_string(std::max(1U, info.input_points)),
                    out_points = std::to_string(std::max(1U, info.output_points));
  if (stage == Stage::geometry) {
    const std::uint32_t vertices = std::max(1U, dxcontainer::vertices_of(info.input_primitive));
    const std::string_view word = vertices == 1   ? "point"
                                  : vertices == 2 ? "line"
                                  : vertices == 3 ? "triangle"
                                  : vertices == 4 ? "lineadj"
                                                  : "triangleadj";
    parameters.push_back(std::string(word) + " Input input[" + std::to_string(vertices) + ']');
  } else if (stage == Stage::hull && has(SignatureKind::input)) {
    parameters.push_back("InputPatch<Input, " + in_points + "> input");
    if (is_hull_constants() && has(SignatureKind::output)) parameters.push_back("OutputPatch<Output, " + out_points + "> points");
  } else if (stage == Stage::domain) {
    parameters.emplace_back("Patch patch");
    const bool is_triangle = info.domain == dxcontainer::TessellatorDomain::triangle;
    parameters.push_back(std::string(is_triangle ? "float3" : "float2") + " location : SV_DomainLocation");
    if (has(SignatureKind::input)) parameters.push_back("const OutputPatch<Input, " + in_points + "> input");
  } else if (has(SignatureKind::input) && stage != Stage::compute) {
    parameters.emplace_back("Input input");
  }
  for (const BuiltinRow& row : kBuiltins)
    if (builtins_.contains(row.builtin))
      parameters.push_back(std::string(row.type) + ' ' + std::string(row.name) + " : " + std::string(row.semantic));
  if (stage == Stage::geometry) {
    for (const std::uint32_t stream : streams()) {
      using T = dxcontainer::OutputTopology;
      const T topology = stream < info.stream_topologies.size() ? info.stream_topologies[stream] : T::triangle_strip;
      const std::string_view word = topology == T::point_list ? "PointStream" : topology == T::line_strip ? "LineStream" : "TriangleStream";
      parameters.push_back("inout " + std::string(word) + '<' + numbered("Output", stream) + "> " + numbered("stream", stream));
    }
  }
  if (is_mesh()) mesh_parameters(parameters);
  const bool has_result = stage != Stage::geometry && stage != Stage::compute && stage != Stage::mesh && stage != Stage::amplification;
  const bool returns = has_result && (is_hull_constants() || has(SignatureKind::output));
  std::string heading = returns ? (is_hull_constants() ? "Patch " : "Output ") : "void ";
  heading += is_hull_constants() ? "patchConstants(" : "main(";
  for (std::size_t k = 0; k < parameters.size(); ++k) (heading += k == 0 ? "" : ", ") += parameters[k];
  line(heading + ") {");
  if (returns || stage == Stage::geometry) {
    if (is_hull_constants()) {
      line("  Patch output;");
    } else {
      for (const std::uint32_t stream : streams()) line("  " + numbered("Output", stream) + ' ' + output_of(stream) + ';');
    }
    for (const std::string& text : initial_outputs()) line("  " + text);
  }
}

void Hlsl::close_function(std::size_t, Text& out, std::vector<std::uint32_t>& lines) {
  out << "}\n";
  lines.push_back(ir::kNone);
  if (is_hull_constants()) {
    out << '\n';
    lines.push_back(ir::kNone);
    if (writer_.module.functions.size() == 1) pass_points(out, lines);
  }
}

// Control points that no function computes are passed on.
void Hlsl::pass_points(Text& out, std::vector<std::uint32_t>& lines) const {
  const auto line = [&](const std::string& text) {
    out << text << '\n';
    lines.push_back(ir::kNone);
  };
  attributes(out, lines);
  const std::string in_points = std::to_string(std::max(1U, writer_.module.info.input_points));
  line("Output main(InputPatch<Input, " + in_points + "> input, uint pointId : SV_OutputControlPointID) {");
  line("  Output output;");
  const auto &from = fields_.at(SignatureKind::input), &to = fields_.at(SignatureKind::output);
  for (std::size_t at = 0; at < std::min(from.size(), to.size()); ++at)
    line("  output." + to[at].name + " = input[pointId]." + from[at].name + ';');
  line("  return output;");
  line("}");
}

}  // namespace unshade::write::hlsl
