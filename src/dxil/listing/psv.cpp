// `Pipeline Runtime Information`: the listing of PSV0.
#include <string_view>

#include <unshade/core/text/shown.hpp>
#include <unshade/dxil/psv.hpp>

#include "dxil/listing/dxc_style.hpp"
#include "dxil/listing/sections.hpp"

namespace unshade::dxil::listing {

namespace {

/// dxc's word for a value; `invalid` for others.
template <class E>
std::string_view text_of(E value) {
  const std::string_view word = dxc_text(value);
  return word.empty() ? std::string_view("invalid") : word;
}

struct RuntimeInfoPrinter {
  const PsvRuntimeInfo& info;
  const DxcStyle& style;
  Text& out;

  void heading(std::string_view stage) { out << "; " << stage << " Shader\n"; }
  void word(std::string_view name, std::string_view value) { out << "; " << name << '=' << value << '\n'; }
  void number(std::string_view name, std::uint64_t value, std::string_view between = "=") {
    out << "; " << name << between;
    out.dec(value) << '\n';
  }
  void flag(std::string_view name, std::uint32_t value) { number(name, value != 0 ? 1 : 0); }

  void thread_group() {
    if (info.version() >= 2) {
      out << "; NumThreads=(";
      out.dec(info.num_threads[0]) << ',';
      out.dec(info.num_threads[1]) << ',';
      out.dec(info.num_threads[2]) << ")\n";
    }
    if (style.group_shared_bytes && info.version() >= 4) number("NumBytesGroupSharedMemory", info.group_shared_memory_bytes, ": ");
  }

  void stage() {
    const PsvStageInfo& s = info.stage;
    switch (info.kind) {
      case ShaderKind::hull:
        heading("Hull");
        number("InputControlPointCount", s.input_control_point_count);
        number("OutputControlPointCount", s.output_control_point_count);
        word("Domain", text_of(s.tessellator_domain));
        word("OutputPrimitive", text_of(s.tessellator_output));
        break;
      case ShaderKind::domain:
        heading("Domain");
        number("InputControlPointCount", s.input_control_point_count);
        flag("OutputPositionPresent", s.output_position_present);
        break;
      case ShaderKind::geometry:
        heading("Geometry");
        word("InputPrimitive", text_of(s.input_primitive));
        word("OutputTopology", text_of(s.output_topology));
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
        if (!style.thread_groups) break;
        heading("Compute");
        thread_group();
        break;
      case ShaderKind::amplification:
        if (!style.thread_groups) break;
        heading("Amplification");
        thread_group();
        break;
      case ShaderKind::mesh:
        if (!style.thread_groups) break;
        heading("Mesh");
        if (info.version() >= 1) word("MeshOutputTopology", text_of(info.mesh_topology));
        thread_group();
        break;
      default: break;
    }
  }

  void all() {
    if (style.whole_runtime_info) out << ";PSVRuntimeInfo:\n";
    stage();
    if (info.min_wave_lanes == info.max_wave_lanes) {
      if (style.wave_size) number("WaveSize", info.min_wave_lanes);
    } else if (style.whole_runtime_info) {
      number("MinimumExpectedWaveLaneCount", info.min_wave_lanes, ": ");
      number("MaximumExpectedWaveLaneCount", info.max_wave_lanes, ": ");
    }
    if (!style.whole_runtime_info) return;
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
    if (info.version() >= 3) out << "; EntryFunctionName: " << printable(info.entry_name.text) << '\n';
  }
};

}  // namespace

Result<void> list_runtime_info(const dxcontainer::Part& part, ShaderKind kind, const DxcStyle& style, Text& out) {
  const auto psv = parse_psv(part, kind);
  if (!psv) return psv.error();
  out << ";\n; Pipeline Runtime Information: \n;\n";
  RuntimeInfoPrinter{psv->info, style, out}.all();
  out << ";\n";
  return {};
}

}  // namespace unshade::dxil::listing
