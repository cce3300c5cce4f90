// `Pipeline Runtime Information`: what the listing shows of PSV0.
#include <string_view>

#include <unshade/dxil/psv.hpp>

#include "dxil/listing/sections.hpp"

namespace unshade::dxil {

namespace {

/// A value with a text of its own; others are `invalid`. Tables stand in the order of their values.
constexpr std::string_view kInvalid = "invalid";

constexpr std::string_view kDomains[] = {{}, "isoline", "tri", "quad"};
constexpr std::string_view kTessellatorOutputs[] = {{}, "point", "line", "triangle_cw", "triangle_ccw"};
constexpr std::string_view kMeshTopologies[] = {"undefined", "line", "triangle"};
constexpr std::string_view kInputPrimitives[] = {{}, "point", "line", "triangle", {}, {}, "lineadj", "triangleadj"};
constexpr std::string_view kOutputTopologies[] = {{}, "point", {}, "line", {}, "triangle"};

/// Patches of 1 to 32 control points follow the other primitives.
constexpr auto kFirstPatch = static_cast<std::uint32_t>(InputPrimitive::control_point_patch_1);
constexpr auto kLastPatch = static_cast<std::uint32_t>(InputPrimitive::control_point_patch_32);

template <std::size_t N, class E>
std::string_view text_of(const std::string_view (&table)[N], E enumerator) {
  const auto value = static_cast<std::uint32_t>(enumerator);
  return value < N && !table[value].empty() ? table[value] : kInvalid;
}

struct Printer {
  const PsvRuntimeInfo& info;
  Text& out;

  void heading(std::string_view stage) { out << "; " << stage << " Shader\n"; }
  void word(std::string_view name, std::string_view value) { out << "; " << name << '=' << value << '\n'; }
  void number(std::string_view name, std::uint64_t value, std::string_view between = "=") {
    out << "; " << name << between;
    out.dec(value) << '\n';
  }
  void flag(std::string_view name, std::uint32_t value) { number(name, value != 0 ? 1 : 0); }

  void input_primitive() {
    const auto value = static_cast<std::uint32_t>(info.stage.input_primitive);
    if (value >= kFirstPatch && value <= kLastPatch) {
      out << "; InputPrimitive=patch";
      out.dec(value - kFirstPatch + 1) << '\n';
    } else {
      word("InputPrimitive", text_of(kInputPrimitives, info.stage.input_primitive));
    }
  }

  void thread_group() {
    if (info.version() >= 2) {
      out << "; NumThreads=(";
      out.dec(info.num_threads[0]) << ',';
      out.dec(info.num_threads[1]) << ',';
      out.dec(info.num_threads[2]) << ")\n";
    }
    if (info.version() >= 4) number("NumBytesGroupSharedMemory", info.group_shared_memory_bytes, ": ");
  }

  void stage() {
    const PsvStageInfo& s = info.stage;
    switch (info.kind) {
      case ShaderKind::hull:
        heading("Hull");
        number("InputControlPointCount", s.input_control_point_count);
        number("OutputControlPointCount", s.output_control_point_count);
        word("Domain", text_of(kDomains, s.tessellator_domain));
        word("OutputPrimitive", text_of(kTessellatorOutputs, s.tessellator_output));
        break;
      case ShaderKind::domain:
        heading("Domain");
        number("InputControlPointCount", s.input_control_point_count);
        flag("OutputPositionPresent", s.output_position_present);
        break;
      case ShaderKind::geometry:
        heading("Geometry");
        input_primitive();
        word("OutputTopology", text_of(kOutputTopologies, s.output_topology));
        number("OutputStreamMask", s.output_stream_mask);
        flag("OutputPositionPresent", s.output_position_present);
        break;
      case ShaderKind::vertex:
        heading("Vertex");
        flag("OutputPositionPresent", s.output_position_present);
        break;
      case ShaderKind::pixel:
        heading("Pixel");
        flag("DepthOutput", s.depth_output);
        flag("SampleFrequency", s.sample_frequency);
        break;
      case ShaderKind::compute:
        heading("Compute");
        thread_group();
        break;
      case ShaderKind::amplification:
        heading("Amplification");
        thread_group();
        break;
      case ShaderKind::mesh:
        heading("Mesh");
        if (info.version() >= 1) word("MeshOutputTopology", text_of(kMeshTopologies, info.mesh_topology));
        thread_group();
        break;
      default: break;
    }
  }

  void all() {
    out << ";PSVRuntimeInfo:\n";
    stage();
    if (info.min_wave_lanes == info.max_wave_lanes) {
      number("WaveSize", info.min_wave_lanes);
    } else {
      number("MinimumExpectedWaveLaneCount", info.min_wave_lanes, ": ");
      number("MaximumExpectedWaveLaneCount", info.max_wave_lanes, ": ");
    }
    if (info.version() >= 1) {
      out << "; UsesViewID: " << (info.uses_view_id != 0 ? "true" : "false") << '\n';
      number("SigInputElements", info.input_element_count, ": ");
      number("SigOutputElements", info.output_element_count, ": ");
      number("SigPatchConstOrPrimElements", info.patch_element_count, ": ");
      number("SigInputVectors", info.input_vectors, ": ");
      for (std::size_t i = 0; i < kStreamCount; ++i) {
        out << "; SigOutputVectors[";
        out.dec(i) << "]: ";
        out.dec(info.output_vectors[i]) << '\n';
      }
    }
    if (info.version() >= 3) out << "; EntryFunctionName: " << info.entry_name.text << '\n';
  }
};

}  // namespace

Result<void> list_runtime_info(const dxcontainer::Part& part, ShaderKind kind, Text& out) {
  const auto psv = parse_psv(part, kind);
  if (!psv) return psv.error();
  out << ";\n; Pipeline Runtime Information: \n;\n";
  Printer{psv->info, out}.all();
  out << ";\n";
  return {};
}

}  // namespace unshade::dxil
