// RDAT by itself.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/validate.hpp>

#include "dxil/parts/rdat_layout.hpp"
#include "dxil/program/part_vocabulary.hpp"
#include "dxil/validate/validate.hpp"

namespace unshade::dxil::validate {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

struct RdatChecker {
  const Part& part;
  Rdat& rdat;
  Findings& findings;
  /// Index arrays are shared by offset: what walking them may cost in all.
  std::size_t budget;

  void add(const Rule& rule, std::uint64_t at, const std::string& path, std::string message) {
    findings.add(rule, part.data.file_offset() + at, std::string(part.name()) + '/' + path, std::move(message));
  }

  void check() {
    check_layout();
    for (std::size_t i = 0; i < rdat.parts.size(); ++i) {
      const RdatPart& piece = rdat.parts[i];
      if (piece.kept) {
        add(rules::kRdatUnknown, piece.offset, name_of(piece, i), "unknown part");
        continue;
      }
      with_rdat_table(rdat, piece.type, [&](const auto& table, RdatRecordBytes bytes, const auto&...) {
        if (table.stride > bytes.newest)
          add(rules::kRdatUnknown, piece.offset, name_of(piece, i), "records of " + std::to_string(table.stride) + " bytes");
        if (!table.extra.empty())
          add(rules::kRdatLayout, piece.offset, name_of(piece, i), std::to_string(table.extra.size()) + " bytes after the records");
        for (std::size_t row = 0; row < table.size(); ++row) {
          const Place place{*this, piece.offset + kRdatPieceHeaderBytes + kRdatTableHeaderBytes + row * table.stride,
                            name_of(piece, i) + "/records[", row};
          check_row(place, table[row]);
        }
      });
    }
  }

  static std::string name_of(const RdatPart& piece, std::size_t i) {
    const std::string name = rdat_part_name(piece.type);
    return id(piece.type).empty() ? name + '[' + std::to_string(i) + ']' : name;
  }

  void check_layout() {
    std::vector<RdatPartType> seen;
    for (std::size_t i = 0; i < rdat.parts.size(); ++i) {
      const RdatPart& piece = rdat.parts[i];
      if (piece.offset % 4 != 0 || piece.data.size() % 4 != 0)
        add(rules::kRdatLayout, piece.offset, name_of(piece, i),
            std::to_string(piece.data.size()) + " bytes at offset " + std::to_string(piece.offset));
      seen.push_back(piece.type);
    }
    std::sort(seen.begin(), seen.end());
    const auto twice = std::adjacent_find(seen.begin(), seen.end());
    if (twice != seen.end()) add(rules::kRdatLayout, 0, "part_offsets", std::string(rdat_part_name(*twice)) + " occurs twice");
    if (!rdat.extra.empty())
      add(rules::kRdatLayout, part.data.size() - rdat.extra.size(), "extra", std::to_string(rdat.extra.size()) + " bytes");
  }

  /// A record, for messages.
  struct Place {
    RdatChecker& checker;
    std::uint64_t at;
    std::string prefix;
    std::size_t row;

    void add(const Rule& rule, const char* field, std::string message) const {
      checker.add(rule, at, prefix + std::to_string(row) + "]/" + field, std::move(message));
    }
    template <class E>
    void known(const char* field, E value) const {
      if (id(value).empty()) add(rules::kRdatValue, field, std::to_string(static_cast<std::uint32_t>(value)));
    }
    void record(const char* field, std::uint32_t index, std::size_t count) const {
      if (index >= count) add(rules::kRdatReference, field, "record " + std::to_string(index) + " of " + std::to_string(count));
    }
    void bytes(const char* field, const RdatBytes& reference) const {
      if (!checker.rdat.raw_bytes.holds(reference.offset, reference.size))
        add(rules::kRdatReference, field, std::to_string(reference.size) + " bytes at " + std::to_string(reference.offset));
    }
    /// Every number of the array passes `fits`.
    template <class F>
    void array(const char* field, std::uint32_t reference, F&& fits) const {
      if (reference == kNullReference) return;
      const auto count = checker.rdat.index_arrays.u32(std::size_t{4} * reference);
      const RdatIndexes indexes = checker.rdat.indexes(reference);
      if (!count || indexes.size() != *count) return add(rules::kRdatReference, field, "index array " + std::to_string(reference));
      const std::size_t looked_at = std::min(indexes.size(), checker.budget);
      checker.budget -= looked_at;
      for (std::size_t i = 0; i < looked_at; ++i)
        if (!fits(indexes[i])) return add(rules::kRdatReference, field, "number " + std::to_string(indexes[i]) + " of its index array");
    }
    void records(const char* field, std::uint32_t reference, std::size_t count) const {
      array(field, reference, [&](std::uint32_t index) { return index < count; });
    }
    void texts(const char* field, std::uint32_t reference) const {
      // The whole buffer ends in a zero, so that any offset inside is the start of a text.
      const View strings = checker.rdat.strings;
      const bool ends = !strings.empty() && strings.bytes().back() == std::byte{0};
      array(field, reference, [&](std::uint32_t offset) { return ends && offset < strings.size(); });
    }
    void numbers(const char* field, std::uint32_t reference) const {
      array(field, reference, [](std::uint32_t) { return true; });
    }
  };

  void check_row(const Place& p, const RdatResource& r) {
    p.known("class", r.resource_class);
    p.known("kind", r.kind);
    // Of a range that is not allocated, the last register is counted on from the first, around zero.
    if (r.upper_bound < r.lower_bound && r.lower_bound != program::kNotAllocated)
      p.add(rules::kRdatValue, "upper_bound", "below lower_bound");
  }
  void check_row(const Place& p, const RdatFunction& f) {
    p.known("kind", f.kind);
    p.records("resources", f.resources_array, rdat.resources.size());
    p.texts("dependencies", f.dependencies_array);
    std::uint64_t known = 0;
    for (const dxcontainer::Feature& feature : dxcontainer::features()) known |= std::uint64_t{1} << feature.bit;
    if ((f.features & ~known) != 0) p.add(rules::kRdatValue, "features", "unknown bits");
    if (f.shader_record == kNullReference || rdat.functions.stride < kRdatFunctionBytes[1]) return;
    if (const auto count = shader_records(f.kind)) p.record("shader_record", f.shader_record, *count);
  }
  /// How many records the table of a kind has; nothing for kinds without a table.
  std::optional<std::size_t> shader_records(ShaderKind kind) const {
    switch (kind) {
      case ShaderKind::node: return rdat.node_shaders.size();
      case ShaderKind::vertex: return rdat.vertex_shaders.size();
      case ShaderKind::pixel: return rdat.pixel_shaders.size();
      case ShaderKind::hull: return rdat.hull_shaders.size();
      case ShaderKind::domain: return rdat.domain_shaders.size();
      case ShaderKind::geometry: return rdat.geometry_shaders.size();
      case ShaderKind::compute: return rdat.compute_shaders.size();
      case ShaderKind::mesh: return rdat.mesh_shaders.size();
      case ShaderKind::amplification: return rdat.amplification_shaders.size();
      default: return std::nullopt;
    }
  }
  void check_row(const Place& p, const RdatSubobject& s) {
    p.known("kind", s.kind);
    if (s.extra.text().find_first_not_of('\0') != std::string_view::npos)
      p.add(rules::kRdatReserved, "reserved", "expected zeros, found " + std::to_string(s.extra.size()) + " bytes that are not all zero");
    if (s.kind == SubobjectKind::subobject_to_exports_association) p.texts("exports", s.exports_array);
    if (s.kind == SubobjectKind::hit_group) p.known("hit_group", s.hit_group);
    if (s.kind != SubobjectKind::global_root_signature && s.kind != SubobjectKind::local_root_signature) return;
    p.bytes("root_signature", s.root_signature);
    const View bytes = rdat.bytes(s.root_signature);
    if (bytes.size() > budget) return;
    budget -= bytes.size();
    if (bytes.empty()) return;
    if (const auto root = dxcontainer::parse_root_signature({fourcc("RTS0"), 0, bytes}); !root)
      p.add(rules::kRdatRootSignature, "root_signature", root.error().path + ": " + root.error().message);
  }
  void check_row(const Place&, const RdatNodeId&) {}
  void check_row(const Place& p, const RdatNodeFunctionAttribute& n) {
    p.known("kind", n.kind);
    switch (n.kind) {
      case NodeFunctionAttribute::id:
      case NodeFunctionAttribute::share_input_of: p.record("node_id", n.value, rdat.node_ids.size()); break;
      case NodeFunctionAttribute::num_threads:
      case NodeFunctionAttribute::dispatch_grid:
      case NodeFunctionAttribute::max_dispatch_grid: p.numbers("array", n.value); break;
      default: break;
    }
  }
  void check_row(const Place& p, const RdatNodeIoAttribute& n) {
    p.known("kind", n.kind);
    if (n.kind == NodeIoAttribute::output_id) p.record("node_id", n.value, rdat.node_ids.size());
  }
  void check_row(const Place& p, const RdatNodeIo& n) { p.records("attributes", n.attributes_array, rdat.node_io_attributes.size()); }
  void check_row(const Place& p, const RdatNodeShader& n) {
    p.known("launch", n.launch);
    p.records("attributes", n.attributes_array, rdat.node_function_attributes.size());
    p.records("outputs", n.outputs_array, rdat.node_ios.size());
    p.records("inputs", n.inputs_array, rdat.node_ios.size());
  }
  void check_row(const Place& p, const RdatSignatureElement& e) {
    p.known("semantic_kind", e.semantic_kind);
    p.known("component_type", e.component_type);
    p.known("interpolation", e.interpolation);
    p.numbers("semantic_indexes", e.semantic_indexes_array);
  }
  void check_row(const Place& p, const RdatStage& s) {
    p.records("inputs", s.inputs_array, rdat.signature_elements.size());
    p.records("outputs", s.outputs_array, rdat.signature_elements.size());
    p.records("patch_or_primitives", s.patch_or_primitives_array, rdat.signature_elements.size());
    p.bytes("view_id_outputs", s.view_id_outputs);
    p.bytes("view_id_patch_or_primitives", s.view_id_patch_or_primitives);
    p.bytes("input_outputs", s.input_outputs);
    p.bytes("patch_constants", s.input_patch_constants);
    p.numbers("num_threads", s.num_threads_array);
  }
  void check_row(const Place& p, const RdatPdbInfo& i) {
    p.records("sources", i.sources_array, rdat.pdb_sources.size());
    p.records("libraries", i.libraries_array, rdat.pdb_libraries.size());
    p.texts("arguments", i.arguments_array);
    p.bytes("hash", i.hash);
    p.bytes("custom_toolchain_data", i.custom_toolchain_data);
    p.bytes("whole_dxil", i.whole_dxil);
  }
  void check_row(const Place&, const RdatPdbSource&) {}
  void check_row(const Place& p, const RdatPdbLibrary& l) { p.bytes("data", l.data); }
};

}  // namespace

void check_rdat(const Part& part, Findings& findings) {
  auto rdat = parse_rdat(part);
  if (!rdat) return dxcontainer::add_unreadable(rdat.error(), findings);
  RdatChecker{part, *rdat, findings, part.data.size() + 1024}.check();
}

}  // namespace unshade::dxil::validate
