// Inputs and outputs: elements of signatures as variables with a location, or as built-in ones.
// src: GLSL 4.60, 7.1 "Built-In Language Variables" and 4.4 "Layout Qualifiers"; GLSL ES 3.10, the same
#include <algorithm>

#include <unshade/core/text.hpp>
#include <unshade/ir/hull.hpp>

#include "write/glsl/glsl.hpp"
#include "write/source/prepare.hpp"

namespace unshade::write::glsl {

using dxcontainer::SystemValue;
using ir::Builtin;
using ir::SignatureKind;
using source::ElementUse;
using source::kLetters;

namespace {

/// Values besides signatures. src: also the extensions that are named
struct BuiltinRow {
  Builtin builtin;
  ValueType type;
  std::string_view vulkan, opengl;
  Since since{};  ///< 0, 0: as old as the stage
  std::string_view feature{}, extension{};
};
constexpr ValueType kInt{Base::int_, 1}, kUint{Base::uint_, 1}, kUint3{Base::uint_, 3}, kFloat2{Base::float_, 2}, kFloat3{Base::float_, 3};
constexpr BuiltinRow kBuiltins[] = {
    {Builtin::thread_id, kUint3, "gl_GlobalInvocationID", "gl_GlobalInvocationID"},
    {Builtin::group_id, kUint3, "gl_WorkGroupID", "gl_WorkGroupID"},
    {Builtin::local_id, kUint3, "gl_LocalInvocationID", "gl_LocalInvocationID"},
    {Builtin::local_index, kUint, "gl_LocalInvocationIndex", "gl_LocalInvocationIndex"},
    {Builtin::group_count, kUint3, "gl_NumWorkGroups", "gl_NumWorkGroups"},
    {Builtin::wave_size, kUint, "gl_SubgroupSize", "gl_SubgroupSize", {}, "subgroups", "GL_KHR_shader_subgroup_basic"},
    {Builtin::lane, kUint, "gl_SubgroupInvocationID", "gl_SubgroupInvocationID", {}, "subgroups", "GL_KHR_shader_subgroup_basic"},
    {Builtin::wave_index, kUint, "gl_SubgroupID", "gl_SubgroupID", {}, "subgroups", "GL_KHR_shader_subgroup_basic"},
    {Builtin::wave_count, kUint, "gl_NumSubgroups", "gl_NumSubgroups", {}, "subgroups", "GL_KHR_shader_subgroup_basic"},
    {Builtin::vertex_id, kInt, "gl_VertexIndex", "gl_VertexID"},
    {Builtin::instance_id, kInt, "gl_InstanceIndex", "gl_InstanceID"},
    {Builtin::base_vertex, kInt, "gl_BaseVertex", "gl_BaseVertex", {460, 0}, "the base vertex"},
    {Builtin::base_instance, kInt, "gl_BaseInstance", "gl_BaseInstance", {460, 0}, "the base instance"},
    {Builtin::draw_index, kInt, "gl_DrawID", "gl_DrawID", {460, 0}, "the number of the draw"},
    {Builtin::primitive_id, kInt, "gl_PrimitiveID", "gl_PrimitiveID", {150, 320}, "the number of the primitive"},
    {Builtin::domain_location, kFloat3, "gl_TessCoord", "gl_TessCoord"},
    {Builtin::control_point_id, kInt, "gl_InvocationID", "gl_InvocationID"},
    {Builtin::patch_points, kInt, "gl_PatchVerticesIn", "gl_PatchVerticesIn"},
    {Builtin::gs_instance_id, kInt, "gl_InvocationID", "gl_InvocationID", {400, 320}, "instances of geometry shaders"},
    {Builtin::coverage, kInt, "gl_SampleMaskIn[0]", "gl_SampleMaskIn[0]", {400, 320}, "the coverage of a pixel"},
    {Builtin::inner_coverage,
     kUint,
     "uint(gl_FragFullyCoveredNV)",
     "uint(gl_FragFullyCoveredNV)",
     {},
     "whether a pixel is fully covered",
     "GL_NV_conservative_raster_underestimation"},
    {Builtin::sample_index, kInt, "gl_SampleID", "gl_SampleID", {400, 320}, "the number of the sample"},
    {Builtin::sample_location, kFloat2, "gl_SamplePosition", "gl_SamplePosition", {400, 320}, "the place of the sample"},
    {Builtin::front_face, {Base::bool_, 1}, "gl_FrontFacing", "gl_FrontFacing"},
    {Builtin::position, {Base::float_, 4}, "gl_FragCoord", "gl_FragCoord"},
    {Builtin::point_coord, kFloat2, "gl_PointCoord", "gl_PointCoord"},
    {Builtin::barycentrics,
     kFloat3,
     "gl_BaryCoordEXT",
     "gl_BaryCoordEXT",
     {},
     "barycentric coordinates",
     "GL_EXT_fragment_shader_barycentric"},
    {Builtin::barycentrics_linear,
     kFloat3,
     "gl_BaryCoordNoPerspEXT",
     "gl_BaryCoordNoPerspEXT",
     {},
     "barycentric coordinates",
     "GL_EXT_fragment_shader_barycentric"},
    {Builtin::render_target_array_index, kInt, "gl_Layer", "gl_Layer", {430, 320}, "the layer of a pixel"},
    {Builtin::viewport_array_index, kInt, "gl_ViewportIndex", "gl_ViewportIndex", {430, 0}, "the viewport of a pixel"},
    {Builtin::view_id, kUint, "gl_ViewIndex", "", {}, "views", "GL_EXT_multiview"},
    {Builtin::shading_rate, kInt, "gl_ShadingRateEXT", "", {}, "shading rates", "GL_EXT_fragment_shading_rate"},
    {Builtin::device_index, kInt, "gl_DeviceIndex", "", {}, "devices of a group", "GL_EXT_device_group"},
};

/// Built-ins of SPIR-V that are elements, and have no system value of Direct3D.
struct SpirvRow {
  std::string_view built_in;
  ValueType type;
  std::string_view vulkan, opengl;
};
constexpr SpirvRow kSpirv[] = {
    {"PointSize", {Base::float_, 1}, "gl_PointSize", "gl_PointSize"},
    {"PointCoord", kFloat2, "gl_PointCoord", "gl_PointCoord"},
    {"VertexIndex", kInt, "gl_VertexIndex", "gl_VertexID"},
    {"InstanceIndex", kInt, "gl_InstanceIndex", "gl_InstanceID"},
    {"SampleId", kInt, "gl_SampleID", "gl_SampleID"},
    {"SamplePosition", kFloat2, "gl_SamplePosition", "gl_SamplePosition"},
};

bool is_distance(SystemValue value) { return value == SystemValue::clip_distance || value == SystemValue::cull_distance; }

}  // namespace

Field Glsl::field_of_built_in(const ir::Element& element, bool) const {
  Field made;
  const auto* const row = std::ranges::find(kSpirv, element.built_in, &SpirvRow::built_in);
  if (row == std::end(kSpirv)) {
    writer_.unsupported("the built-in `" + element.built_in + "` as an input or output");
    return made;
  }
  made.name = is_vulkan() ? row->vulkan : row->opengl;
  made.type = row->type;
  made.is_builtin = true;
  made.is_member = element.built_in == "PointSize";
  if (made.is_member && is_es() && writer_.module.stage == Stage::geometry) writer_.unsupported("the size of points in geometry shaders");
  return made;
}

// A system value as a built-in; `is_done`: it is one.
Field Glsl::field_of(SignatureKind kind, std::uint32_t at, bool& is_done) const {
  const ir::Element& element = writer_.module.signatures.of(kind)[at];
  const Stage stage = writer_.module.stage;
  const bool is_input = is_input_of(kind);
  Field made;
  made.is_builtin = true;
  made.is_declared = false;
  made.type = {Base::float_, element.columns};
  const auto whole = [&](std::string_view name, Base base = Base::int_) {
    made.name = name;
    made.type = {base, 1};
  };
  const auto factor = [&](std::string_view name, std::uint32_t first) {
    made.name = name;
    made.type = {Base::float_, 1};
    made.is_flat_array = true;
    made.first = first;
  };
  is_done = true;
  switch (element.system_value) {
    case SystemValue::position:
      if (stage == Stage::vertex && is_input) return is_done = false, made;
      if (stage == Stage::pixel) {
        made.name = "gl_FragCoord";
        made.read = "vec4(gl_FragCoord.xyz, 1.0 / gl_FragCoord.w)";
        return made;
      }
      made.name = "gl_Position";
      made.is_member = true;
      return made;
    case SystemValue::clip_distance:
    case SystemValue::cull_distance: {
      const bool is_clip = element.system_value == SystemValue::clip_distance;
      factor(is_clip ? "gl_ClipDistance" : "gl_CullDistance", 0);
      made.is_member = stage != Stage::pixel;
      for (std::uint32_t other = 0; other < at; ++other) {
        const ir::Element& before = writer_.module.signatures.of(kind)[other];
        if (before.system_value == element.system_value) made.first += before.rows * before.columns;
      }
      return made;
    }
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index: {
      if (is_input && stage != Stage::pixel) return is_done = false, made;
      const bool is_layer = element.system_value == SystemValue::render_target_array_index;
      if (stage == Stage::pixel) needs(is_layer ? "the layer of a pixel" : "the viewport of a pixel", {430, is_layer ? 320U : 0U});
      if (stage != Stage::pixel && stage != Stage::geometry && stage != Stage::mesh)
        needs(is_layer ? "layers that vertex shaders choose" : "viewports that vertex shaders choose", {0, 0},
              is_es() || version_ < 410 ? "" : "GL_ARB_shader_viewport_layer_array");
      if (stage == Stage::geometry && !is_layer) needs("viewports", {410, 0});
      whole(is_layer ? "gl_Layer" : "gl_ViewportIndex");
      return made;
    }
    case SystemValue::primitive_id:
      whole(stage == Stage::geometry && is_input ? "gl_PrimitiveIDIn" : "gl_PrimitiveID");
      if (stage == Stage::pixel) needs("the number of the primitive", {150, 320});
      return made;
    case SystemValue::vertex_id:
    case SystemValue::instance_id: {
      if (stage != Stage::vertex) return is_done = false, made;
      const bool is_vertex = element.system_value == SystemValue::vertex_id;
      whole(is_vulkan() ? (is_vertex ? "gl_VertexIndex" : "gl_InstanceIndex") : (is_vertex ? "gl_VertexID" : "gl_InstanceID"));
      // that of Direct3D begins at 0
      const bool has_base = is_vulkan() || is_vertex;
      if (has_base && has({460, 0})) made.read = "# - " + std::string(is_vertex ? "gl_BaseVertex" : "gl_BaseInstance");
      if (has_base && !has({460, 0}) && !is_es() && version_ >= 450) {
        extension("GL_ARB_shader_draw_parameters");
        made.read = "# - " + std::string(is_vertex ? "gl_BaseVertexARB" : "gl_BaseInstanceARB");
      }
      return made;
    }
    case SystemValue::is_front_face:
      whole("gl_FrontFacing", Base::bool_);
      made.is_truth = true;
      return made;
    case SystemValue::sample_index:
      needs("the number of the sample", {400, 320});
      whole("gl_SampleID");
      return made;
    case SystemValue::coverage:
      needs("the coverage of a pixel", {400, 320});
      whole(is_input ? "gl_SampleMaskIn[0]" : "gl_SampleMask[0]");
      return made;
    case SystemValue::inner_coverage:
      needs("whether a pixel is fully covered", {0, 0}, is_es() || version_ < 450 ? "" : "GL_NV_conservative_raster_underestimation");
      whole("gl_FragFullyCoveredNV", Base::uint_);
      made.read = "uint(#)";
      return made;
    case SystemValue::depth:
    case SystemValue::depth_greater_equal:
    case SystemValue::depth_less_equal: whole("gl_FragDepth", Base::float_); return made;
    case SystemValue::stencil_ref:
      needs("stencil references", {0, 0}, is_es() || version_ < 330 ? "" : "GL_ARB_shader_stencil_export");
      whole("gl_FragStencilRefARB");
      return made;
    case SystemValue::final_quad_edge_tessfactor:
    case SystemValue::final_tri_edge_tessfactor: factor("gl_TessLevelOuter", element.semantic_index); return made;
    // of isolines how many there are comes before how detailed they are; of one element with both, as rows
    case SystemValue::final_line_detail_tessfactor: factor("gl_TessLevelOuter", element.rows == 1 ? 1 : 0); return made;
    case SystemValue::final_line_density_tessfactor: factor("gl_TessLevelOuter", 0); return made;
    case SystemValue::final_quad_inside_tessfactor:
    case SystemValue::final_tri_inside_tessfactor: factor("gl_TessLevelInner", element.semantic_index); return made;
    case SystemValue::barycentrics: {
      needs("barycentric coordinates", {0, 0}, is_es() || version_ < 450 ? "" : "GL_EXT_fragment_shader_barycentric");
      using I = dxcontainer::Interpolation;
      const bool is_linear = element.interpolation == I::linear_noperspective ||
                             element.interpolation == I::linear_noperspective_centroid ||
                             element.interpolation == I::linear_noperspective_sample;
      made.name = is_linear ? "gl_BaryCoordNoPerspEXT" : "gl_BaryCoordEXT";
      made.type.width = 3;
      return made;
    }
    case SystemValue::shading_rate:
      needs("shading rates", {0, 0}, is_es() || version_ < 450 ? "" : "GL_EXT_fragment_shading_rate");
      whole(is_input ? "gl_ShadingRateEXT" : "gl_PrimitiveShadingRateEXT");
      return made;
    case SystemValue::undefined:
      if (element.built_in.empty()) return is_done = false, made;
      made = field_of_built_in(element, is_input);
      made.is_declared = false;
      return made;
    case SystemValue::target: return is_done = false, made;
    case SystemValue::cull_primitive:
      if (stage == Stage::mesh) {
        whole("gl_CullPrimitiveEXT", Base::bool_);
        made.is_truth = true;
        return made;
      }
      [[fallthrough]];
    default: writer_.unsupported("the system value " + std::string(id(element.system_value))); return made;
  }
}

// Variables that stages pass on are called the same in both, since OpenGL ES links them by name.
void Glsl::make_fields(SignatureKind kind) {
  const auto& list = writer_.module.signatures.of(kind);
  const Stage stage = writer_.module.stage;
  const bool is_input = is_input_of(kind);
  const std::string_view prefix = kind == SignatureKind::patch && stage != Stage::mesh           ? "patch_"
                                  : stage == Stage::vertex && !is_input                          ? "v_"
                                  : stage == Stage::domain && !is_input                          ? "v_"
                                  : stage != Stage::vertex && stage != Stage::domain && is_input ? "v_"
                                  : is_input                                                     ? "in_"
                                                                                                 : "out_";
  std::vector<Field>& made = fields_[kind];
  for (std::uint32_t at = 0; at < list.size(); ++at) {
    const ir::Element& element = list[at];
    bool is_done = false;
    Field field = field_of(kind, at, is_done);
    field.is_member = field.is_member || is_mesh();
    if (!is_done) {
      field = {};
      field.type.base = source::ModuleWriter::base_of(element.type, ir::is_float(element.type) ? ir::Declared::real
                                                                    : element.is_signed        ? ir::Declared::signed_
                                                                                               : ir::Declared::unsigned_);
      field.type.width = element.columns;
      std::string wanted;
      if (source::ModuleWriter::is_unnamed(element.variable)) {
        wanted = std::string(prefix) + "location" + std::to_string(locations_.of(kind, at));
        if (element.first_column != 0) wanted += '_' + std::to_string(element.first_column);
      } else if (!element.variable.empty()) {
        wanted = element.variable;
      } else {
        wanted = std::string(prefix) + source::variable_of(element.semantic);
        const bool is_repeated = std::ranges::any_of(list, [&](const ir::Element& other) {
          return &other != &element && other.semantic == element.semantic && other.semantic_index != element.semantic_index;
        });
        const bool is_passed_on =
            prefix == "v_" && element.system_value == SystemValue::undefined && writer_.reflection != nullptr && !writer_.is_of_pica();
        if (element.semantic_index != 0 || is_repeated || is_passed_on) wanted += std::to_string(element.semantic_index);
      }
      field.name = writer_.names.claim(identifier_like(ShadingLanguage::glsl, wanted), at, source::Names::Kind::interface);
    }
    made.push_back(std::move(field));
  }
}

Glsl::Glsl(source::ModuleWriter& writer)
    : Target(writer), options_(writer.options.glsl), locations_(writer.module), places_(writer.module, writer.options.glsl.binding) {
  version_ = options_.version != 0 ? options_.version : is_es() ? 310 : is_vulkan() ? 460 : 450;
  if (version_ < (is_es() ? 300U : 330U)) writer_.unsupported(is_es() ? "GLSL ES before 3.00" : "GLSL before 3.30");
  for (const std::string_view word : {"main", "shade", "points", "patchConstants"}) (void)writer_.names.reserve(word);
  for (const SignatureKind kind : {SignatureKind::input, SignatureKind::output, SignatureKind::patch}) make_fields(kind);
  has_constants_ = ir::has_patch_constant_function(writer_.module);
  for (const ir::Function& function : writer_.module.functions) {
    for (const ir::BlockId block : function.order) {
      for (ir::Id id = function.blocks[block].first; id != ir::kNone; id = function.next[id]) {
        const ir::Inst& inst = function.insts[id];
        if (inst.op == ir::Op::input || inst.op == ir::Op::interpolate || inst.op == ir::Op::output || inst.op == ir::Op::output_load) {
          const ir::ElementExtra extra(inst.extra);
          Field& field = fields_.at(extra.signature)[extra.element];
          field.is_used = true;
          field.is_per_vertex = field.is_per_vertex || (writer_.module.stage == Stage::pixel && extra.has_vertex);
        }
        const auto operands = function.operands_of(id);
        if (operands.empty() || !source::ModuleWriter::is_handle(function.insts[operands[0]].op)) continue;
        const std::uint32_t resource = function.insts[operands[0]].extra;
        if (source::accesses_wide_texel(inst)) {
          bool& is_signed = wide_texels_[resource];
          is_signed = is_signed || source::is_signed_atomic(inst);
        }
        switch (inst.op) {
          case ir::Op::texel_atomic:
          case ir::Op::buffer_atomic: atomics_.insert(resource), stored_.insert(resource), loaded_.insert(resource); break;
          case ir::Op::texel_load:
          case ir::Op::buffer_load: loaded_.insert(resource); break;
          case ir::Op::texel_store:
          case ir::Op::buffer_store: stored_.insert(resource); break;
          default: break;
        }
      }
    }
  }
}

// The list that built-ins of vertices are members of.
std::string_view Glsl::members_of(SignatureKind kind) const {
  if (is_mesh()) return kind == SignatureKind::patch ? "gl_MeshPrimitivesEXT" : "gl_MeshVerticesEXT";
  return is_input_of(kind) ? "gl_in" : "gl_out";
}

Expression Glsl::member_of(const ElementUse& use, bool is_read) {
  const Field& of = field(use.signature, use.element);
  const ir::Element& element = writer_.module.signatures.of(use.signature)[use.element];
  const Stage stage = writer_.module.stage;
  Expression made;
  made.type = {of.type.base, static_cast<std::uint8_t>(use.columns.size())};
  // which vertex
  std::string vertex;
  if (of.is_per_vertex ||
      ((use.signature != SignatureKind::patch || is_mesh()) && vertices_of_elements(writer_.module, use.signature) != 0))
    vertex = !use.vertex.empty() ? use.vertex : stage == Stage::hull ? "gl_InvocationID" : "0";
  if (of.is_per_vertex && of.is_builtin) writer_.unsupported("a built-in input of the vertices of a primitive");
  std::string text = of.name;
  if (!vertex.empty() && (!of.is_builtin || of.is_member))
    text = of.is_builtin ? std::string(members_of(use.signature)) + '[' + vertex + "]." + of.name : of.name + '[' + vertex + ']';
  if (of.is_flat_array) {
    std::vector<std::string> parts;
    for (const std::uint8_t column : use.columns) {
      const bool is_computed = !use.row.empty() && use.row.find_first_not_of("0123456789") != std::string::npos;
      const std::uint32_t fixed =
          of.first + column + (use.row.empty() || is_computed ? 0 : element.columns * static_cast<std::uint32_t>(std::stoul(use.row)));
      std::string index = is_computed ? (element.columns == 1 ? use.row : '(' + use.row + ") * " + std::to_string(element.columns)) : "";
      if (!is_computed)
        index = std::to_string(fixed);
      else if (fixed != 0)
        index += " + " + std::to_string(fixed);
      parts.push_back(text + '[' + index + ']');
    }
    made.text = parts[0];
    if (parts.size() > 1) {
      made.text = type_name(made.type) + '(';
      for (std::size_t k = 0; k < parts.size(); ++k) (made.text += k == 0 ? "" : ", ") += parts[k];
      made.text += ')';
    }
    return made;
  }
  if (!of.is_builtin && element.rows > 1) text += '[' + (use.row.empty() ? "0" : use.row) + ']';
  bool is_whole = use.columns.size() == of.type.width;
  for (std::size_t k = 0; k < use.columns.size(); ++k) is_whole = is_whole && use.columns[k] == k;
  const bool has_w = std::ranges::find(use.columns, 3) != use.columns.end();
  if (is_read && !of.read.empty() && (of.name != "gl_FragCoord" || has_w)) {
    const std::size_t at = of.read.find('#');
    text = at == std::string::npos ? of.read : std::string(of.read).replace(at, 1, text);
    if (of.type.width == 1) made.level = Level::sum;
    if (of.name == "gl_FragCoord" && use.columns.size() == 1) {
      made.text = "1.0 / gl_FragCoord.w";
      made.level = Level::product;
      return made;
    }
  }
  if (of.type.width > 1 && !is_whole) {
    text += '.';
    for (const std::uint8_t column : use.columns) {
      if (column >= of.type.width) writer_.unsupported("an access to a component that the input or output does not have");
      text += kLetters[column & 3];
    }
  }
  if (of.type.width == 1) made.type.width = 1;
  made.text = std::move(text);
  return made;
}

Expression Glsl::input(const ElementUse& use) {
  Expression made = member_of(use, true);
  if (field(use.signature, use.element).is_truth) {
    made.text += " ? 0xffffffffu : 0u";
    made.level = Level::conditional;
    made.type = {Base::uint_, 1};
  }
  return made;
}

std::string Glsl::output(const ElementUse& use, ValueType& type) {
  const Expression made = member_of(use, false);
  type = made.type;
  return made.text;
}

Expression Glsl::output_value(const ElementUse& use) { return member_of(use, false); }

// Elements of arrays are assigned one by one.
bool Glsl::joins_outputs(SignatureKind kind, std::uint32_t element) const { return !field(kind, element).is_flat_array; }

Expression Glsl::interpolated(const ElementUse& use, ir::ElementExtra::Place place, const Expression& at) {
  using Place = ir::ElementExtra::Place;
  needs("inputs at another place of the pixel", {400, 320});
  const Field& of = field(use.signature, use.element);
  ElementUse whole = use;
  whole.columns.clear();
  for (std::uint8_t k = 0; k < of.type.width; ++k) whole.columns.push_back(k);
  const Expression member = member_of(use, true), attribute = member_of(whole, true);
  if (of.is_builtin && of.name != "gl_FragCoord") writer_.unsupported("a built-in input at another place of the pixel");
  std::string text;
  switch (place) {
    case Place::centre: return member;
    case Place::centroid: text = "interpolateAtCentroid(" + attribute.text + ')'; break;
    case Place::sample: text = "interpolateAtSample(" + attribute.text + ", int(" + at.text + "))"; break;
    case Place::offset:
      // in sixteenths of a pixel, of which the low four bits count
      text = "interpolateAtOffset(" + attribute.text + ", " +
             (at.type.base == Base::float_ ? at.text : "vec2((" + at.in(Level::shift) + " << 28) >> 28) / 16.0") + ')';
      break;
  }
  Expression made = member;
  made.level = Level::postfix;
  if (of.type.width > 1 && member.text != attribute.text) {
    text += '.';
    for (const std::uint8_t column : use.columns) text += kLetters[column & 3];
  }
  made.text = std::move(text);
  return made;
}

Expression Glsl::builtin(Builtin builtin, std::span<const std::uint8_t> components) {
  Expression made;
  const ir::BuiltinInfo& info = ir::info(builtin);
  if (builtin == Builtin::is_helper) {
    made.type = {Base::bool_, 1};
    if (is_vulkan()) {
      extension("GL_EXT_demote_to_helper_invocation");
      made.text = "helperInvocationEXT()";
    } else {
      needs("whether the invocation is a helper", {450, 310});
      made.text = "gl_HelperInvocation";
    }
    return made;
  }
  const auto* const row = std::ranges::find(kBuiltins, builtin, &BuiltinRow::builtin);
  const std::string_view name = row == std::end(kBuiltins) ? "" : is_vulkan() ? row->vulkan : row->opengl;
  if (name.empty()) {
    writer_.unsupported("the built-in `" + std::string(info.text) + "`, which GLSL does not have");
    return made;
  }
  if (!row->feature.empty()) {
    if (!row->extension.empty() && (is_vulkan() || has({430, 310})))
      extension(row->extension);
    else
      needs(row->feature, row->since);
  }
  made.text = name;
  if (builtin == Builtin::primitive_id && writer_.module.stage == Stage::geometry) made.text = "gl_PrimitiveIDIn";
  made.type.base = row->type.base;
  made.type.width = info.components == 1 ? 1 : static_cast<std::uint8_t>(components.size());
  bool is_whole = components.size() == info.components;
  for (std::size_t k = 0; k < components.size(); ++k) is_whole = is_whole && components[k] == k;
  if (!is_whole && info.components > 1) {
    made.text += '.';
    for (const std::uint8_t one : components) made.text += kLetters[one & 3];
  }
  return made;
}

void Glsl::declare_elements(Text& out, SignatureKind kind) const {
  const auto& list = writer_.module.signatures.of(kind);
  const Stage stage = writer_.module.stage;
  const bool is_input = is_input_of(kind);
  const bool is_precise = writer_.is_exact() && !is_input && has({400, 320});
  std::map<std::pair<std::uint32_t, bool>, unsigned> taken;
  std::map<std::string, std::uint32_t> distances;
  bool is_depth = false;
  for (std::uint32_t at = 0; at < list.size(); ++at) {
    const ir::Element& element = list[at];
    const Field& of = fields_.at(kind)[at];
    if (is_distance(element.system_value) && of.is_used) {
      const bool is_clip = element.system_value == SystemValue::clip_distance;
      needs(is_clip ? "clip distances" : "cull distances", is_clip ? Since{130, 0} : Since{450, 0});
      distances[of.name] = std::max(distances[of.name], of.first + element.rows * element.columns);
    }
    if (!of.is_declared) {
      using S = SystemValue;
      const bool is_greater = element.system_value == S::depth_greater_equal, is_less = element.system_value == S::depth_less_equal;
      if ((is_greater || is_less) && !is_depth && has({420, 0}))
        out << "layout(depth_" << (is_greater ? "greater" : "less") << ") out float gl_FragDepth;\n";
      is_depth = is_depth || is_greater || is_less;
      if (is_precise && of.is_member && of.name == "gl_Position" && stage != Stage::hull && !is_mesh()) out << "precise gl_Position;\n";
      continue;
    }
    // all registers are inputs of the PICA200
    if (is_input && !of.is_used && writer_.is_of_pica()) continue;
    const bool is_attribute = stage == Stage::vertex && is_input, is_target = stage == Stage::pixel && !is_input;
    const bool is_linked = !is_attribute && !is_target;
    std::string layout;
    const auto add = [&](const std::string& text) { layout += (layout.empty() ? "" : ", ") + text; };
    const std::uint32_t location = locations_.of(kind, at);
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      unsigned& columns = taken[{location + row, element.second_source}];
      if ((columns & ir::column_mask(element)) != 0) writer_.unsupported("two inputs or outputs in one place of a register");
      columns |= ir::column_mask(element);
    }
    if (!is_es() || !is_linked) {
      add("location = " + std::to_string(location));
      if (is_linked) needs("locations of what stages pass on", {410, 310}, is_es() ? "" : "GL_ARB_separate_shader_objects");
      if (element.first_column != 0) {
        needs("components of a location", {440, 0}, is_es() ? "" : "GL_ARB_enhanced_layouts");
        add("component = " + std::to_string(element.first_column));
      }
      if (element.second_source) {
        needs("second sources of blending", {330, 0});
        add("index = 1");
      }
    }
    if (stage == Stage::geometry && !is_input && element.stream != 0) {
      needs("streams of geometry shaders", {400, 0});
      add("stream = " + std::to_string(element.stream));
    }
    if (!layout.empty()) out << "layout(" << layout << ") ";
    if (is_precise) out << "precise ";
    if (kind == SignatureKind::patch) out << (is_mesh() ? "perprimitiveEXT " : "patch ");
    if (of.is_per_vertex) {
      needs("inputs of the vertices of a primitive", {0, 0}, is_es() || version_ < 450 ? "" : "GL_EXT_fragment_shader_barycentric");
      out << "pervertexEXT ";
    } else if (stage == Stage::pixel && is_input) {
      const std::string_view modifier = ir::is_float(element.type) && of.type.base != Base::double_
                                            ? source::interpolation_words(element.interpolation, "flat ")
                                            : "flat ";
      if (is_es() && modifier.starts_with("noperspective")) needs("`noperspective`", {130, 0});
      if (modifier.find("sample") != std::string_view::npos) needs("`sample`", {400, 320});
      out << modifier;
    } else if (is_es() && stage == Stage::vertex && !is_input &&
               (!ir::is_float(element.type) || element.interpolation == dxcontainer::Interpolation::constant)) {
      out << "flat ";
    }
    out << (is_input ? "in " : "out ") << type_name(of.type) << ' ' << of.name;
    const std::uint32_t vertices = kind == SignatureKind::patch && !is_mesh() ? 0 : vertices_of_elements(writer_.module, kind);
    if (vertices != 0 || of.is_per_vertex) {
      out << '[';
      if (stage == Stage::geometry || stage == Stage::hull) {
        if (stage == Stage::hull && !is_input) out.dec(vertices);
      }
      out << ']';
    }
    if (element.rows > 1) (out << '[').dec(element.rows) << ']';
    out << ";\n";
  }
  if (is_mesh() && kind == SignatureKind::output) return declare_mesh_vertices(out, distances);
  // of the array as a whole; of vertices that are read it is told by indexes that are constants
  for (const auto& [name, count] : distances) {
    if (stage == Stage::pixel)
      (out << "in float " << name << '[').dec(count) << "];\n";
    else if (!is_input && stage != Stage::hull)
      (out << "out float " << name << '[').dec(count) << "];\n";
  }
}

void Glsl::declare_interface(Text& out) const {
  const std::size_t before = out.view().size();
  bool has_position = false;
  for (const ir::Element& element : writer_.module.signatures.input)
    has_position = has_position || (writer_.module.stage == Stage::pixel && element.system_value == SystemValue::position);
  // rows of pixels are counted from above
  if (has_position && !is_vulkan() && !is_es()) out << "layout(origin_upper_left) in vec4 gl_FragCoord;\n";
  declare_elements(out, SignatureKind::input);
  declare_elements(out, SignatureKind::patch);
  declare_elements(out, SignatureKind::output);
  if (out.view().size() != before) out << '\n';
}

}  // namespace unshade::write::glsl
