// Lays out what the records of RDAT refer to as dxc does: in the order of its DxilRDATWriter, equal things once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/bits/rounding.hpp>

#include "dxil/parts/rdat_layout.hpp"

namespace unshade::dxil {

namespace {

void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

/// Walks the records as dxc makes them. The model's references lead into its old buffers until the walk is over.
class Placer {
 public:
  Placer(Rdat& rdat, RdatHeap& heap) : r_(rdat), heap_(heap) {}

  void run() {
    text_at("");
    each_row(r_.resources, [&](RdatResource& row) { text(row.name); });
    // dxc meets the declared functions first, in the order in which they are declared.
    Numbers declared;
    for (const RdatFunction& row : r_.functions.rows)
      for (const std::uint32_t name : numbers(row.dependencies_array)) declared.push_back(name);
    std::ranges::stable_sort(declared);
    for (const std::uint32_t name : declared) text_at(r_.text(name));
    each_row(r_.functions, [&](RdatFunction& row) { function(row); });
    each_row(r_.subobjects, [&](RdatSubobject& row) { subobject(row); });
    each_row(r_.pdb_infos, [&](RdatPdbInfo& row) { pdb_info(row); });
    // What nothing refers to.
    each_row(r_.node_ids, [&](RdatNodeId& row) { text(row.name); });
    each_row(r_.node_function_attributes, [&](RdatNodeFunctionAttribute& row) { attribute(row); });
    each_row(r_.node_io_attributes, [&](RdatNodeIoAttribute& row) { attribute(row); });
    each_row(r_.node_ios, [&](RdatNodeIo& row) { node_io(row); });
    each_row(r_.node_shaders, [&](RdatNodeShader& row) { node_shader(row); });
    each_row(r_.signature_elements, [&](RdatSignatureElement& row) { element(row); });
    for (RdatTable<RdatStage>* table : {&r_.vertex_shaders, &r_.pixel_shaders, &r_.hull_shaders, &r_.domain_shaders, &r_.geometry_shaders,
                                        &r_.compute_shaders, &r_.mesh_shaders, &r_.amplification_shaders})
      each_row(*table, [&](RdatStage& row) { stage(row); });
    each_row(r_.pdb_sources, [&](RdatPdbSource& row) { source(row); });
    each_row(r_.pdb_libraries, [&](RdatPdbLibrary& row) { library(row); });

    heap_.strings = std::move(strings_);
    heap_.arrays = std::move(arrays_);
    heap_.bytes = std::move(bytes_);
  }

 private:
  using Numbers = std::vector<std::uint32_t>;

  Numbers numbers(std::uint32_t array) const {
    const RdatIndexes indexes = r_.indexes(array);
    Numbers made(indexes.size());
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = indexes[i];
    return made;
  }

  // --- buffers
  std::uint32_t text_at(std::string_view text) {
    const auto [found, is_new] = known_texts_.try_emplace(std::string(text), static_cast<std::uint32_t>(strings_.size()));
    if (is_new) {
      append(strings_, std::as_bytes(std::span(text)));
      strings_.push_back(std::byte{0});
    }
    return found->second;
  }
  void text(String& string) { string.offset = text_at(string.text); }
  void array(std::uint32_t& reference) {
    if (reference != kNullReference) reference = array_of(numbers(reference));
  }
  void array_of_texts(std::uint32_t& reference) {
    if (reference == kNullReference) return;
    Numbers offsets = numbers(reference);
    for (std::uint32_t& offset : offsets) offset = text_at(r_.text(offset));
    reference = array_of(std::move(offsets));
  }
  std::uint32_t array_of(Numbers numbers) {
    const auto [found, is_new] = known_arrays_.try_emplace(std::move(numbers), static_cast<std::uint32_t>(arrays_.size() / 4));
    if (is_new) {
      append_little_endian(arrays_, static_cast<std::uint32_t>(found->first.size()));
      append_all_little_endian<std::uint32_t>(arrays_, found->first);
    }
    return found->second;
  }
  void bytes(RdatBytes& reference) {
    const View view = r_.bytes(reference);
    if (view.empty()) return;
    const auto [found, is_new] = known_bytes_.try_emplace(std::string(view.text()), static_cast<std::uint32_t>(bytes_.size()));
    if (is_new) append(bytes_, view.bytes());
    reference.offset = found->second;
  }

  // --- records, each once
  template <class Row, class F>
  void visit(RdatTable<Row>& table, std::size_t number, F&& f) {
    if (number >= table.size()) return;
    std::vector<bool>& done = done_[&table];
    done.resize(table.size());
    if (done[number]) return;
    done[number] = true;
    f(table[number]);
  }
  template <class Row, class F>
  void each_row(RdatTable<Row>& table, F&& f) {
    for (std::size_t i = 0; i < table.size(); ++i) visit(table, i, f);
  }
  /// The records whose numbers an array has, then the array.
  template <class Row, class F>
  void records_and_array(std::uint32_t& reference, RdatTable<Row>& table, F&& f) {
    for (const std::uint32_t number : numbers(reference)) visit(table, number, f);
    array(reference);
  }

  void function(RdatFunction& row) {
    text(row.name);
    text(row.unmangled_name);
    array(row.resources_array);
    array_of_texts(row.dependencies_array);
    if (row.kind == ShaderKind::node) {
      visit(r_.node_shaders, row.shader_record, [&](RdatNodeShader& node) { node_shader(node); });
    } else if (RdatTable<RdatStage>* const table = stages(row.kind)) {
      visit(*table, row.shader_record, [&](RdatStage& found) { stage(found); });
    }
  }
  RdatTable<RdatStage>* stages(ShaderKind kind) {
    switch (kind) {
      case ShaderKind::vertex: return &r_.vertex_shaders;
      case ShaderKind::pixel: return &r_.pixel_shaders;
      case ShaderKind::hull: return &r_.hull_shaders;
      case ShaderKind::domain: return &r_.domain_shaders;
      case ShaderKind::geometry: return &r_.geometry_shaders;
      case ShaderKind::compute: return &r_.compute_shaders;
      case ShaderKind::mesh: return &r_.mesh_shaders;
      case ShaderKind::amplification: return &r_.amplification_shaders;
      default: return nullptr;
    }
  }
  void subobject(RdatSubobject& row) {
    text(row.name);
    switch (row.kind) {
      case SubobjectKind::global_root_signature:
      case SubobjectKind::local_root_signature: return bytes(row.root_signature);
      case SubobjectKind::subobject_to_exports_association: text(row.subobject); return array_of_texts(row.exports_array);
      case SubobjectKind::hit_group:
        for (String* name : {&row.any_hit, &row.closest_hit, &row.intersection}) text(*name);
        return;
      default: return;
    }
  }
  void node_id(std::uint32_t number) {
    visit(r_.node_ids, number, [&](RdatNodeId& row) { text(row.name); });
  }
  void attribute(RdatNodeFunctionAttribute& row) {
    switch (row.kind) {
      case NodeFunctionAttribute::id:
      case NodeFunctionAttribute::share_input_of: return node_id(row.value);
      case NodeFunctionAttribute::num_threads:
      case NodeFunctionAttribute::dispatch_grid:
      case NodeFunctionAttribute::max_dispatch_grid: return array(row.value);
      default: return;
    }
  }
  void attribute(RdatNodeIoAttribute& row) {
    if (row.kind == NodeIoAttribute::output_id) node_id(row.value);
  }
  void node_io(RdatNodeIo& row) {
    records_and_array(row.attributes_array, r_.node_io_attributes, [&](RdatNodeIoAttribute& found) { attribute(found); });
  }
  void node_shader(RdatNodeShader& row) {
    records_and_array(row.attributes_array, r_.node_function_attributes, [&](RdatNodeFunctionAttribute& found) { attribute(found); });
    for (std::uint32_t* ios : {&row.inputs_array, &row.outputs_array})
      records_and_array(*ios, r_.node_ios, [&](RdatNodeIo& found) { node_io(found); });
  }
  void element(RdatSignatureElement& row) {
    text(row.semantic_name);
    array(row.semantic_indexes_array);
  }
  void stage(RdatStage& row) {
    for (std::uint32_t* elements : {&row.inputs_array, &row.outputs_array, &row.patch_or_primitives_array})
      records_and_array(*elements, r_.signature_elements, [&](RdatSignatureElement& found) { element(found); });
    array(row.num_threads_array);
    for (RdatBytes* masks : {&row.view_id_outputs, &row.view_id_patch_or_primitives, &row.input_outputs, &row.input_patch_constants})
      bytes(*masks);
  }
  void source(RdatPdbSource& row) {
    text(row.name);
    text(row.content);
  }
  void library(RdatPdbLibrary& row) {
    text(row.name);
    bytes(row.data);
  }
  void pdb_info(RdatPdbInfo& row) {
    records_and_array(row.sources_array, r_.pdb_sources, [&](RdatPdbSource& found) { source(found); });
    records_and_array(row.libraries_array, r_.pdb_libraries, [&](RdatPdbLibrary& found) { library(found); });
    array_of_texts(row.arguments_array);
    bytes(row.hash);
    text(row.pdb_name);
    bytes(row.custom_toolchain_data);
    bytes(row.whole_dxil);
  }

  Rdat& r_;
  RdatHeap& heap_;
  std::vector<std::byte> strings_;
  std::vector<std::byte> arrays_;
  std::vector<std::byte> bytes_;
  std::map<std::string, std::uint32_t, std::less<>> known_texts_;
  std::map<Numbers, std::uint32_t> known_arrays_;
  std::map<std::string, std::uint32_t, std::less<>> known_bytes_;
  std::map<const void*, std::vector<bool>> done_;
};

}  // namespace

std::uint32_t RdatHeap::add_array(std::span<const std::uint32_t> numbers) {
  arrays.resize(round_up(arrays.size(), 4));
  const auto at = static_cast<std::uint32_t>(arrays.size() / 4);
  append_little_endian(arrays, static_cast<std::uint32_t>(numbers.size()));
  append_all_little_endian<std::uint32_t>(arrays, numbers);
  return at;
}

std::uint32_t RdatHeap::add_text(std::string_view text) {
  if (strings.empty()) strings.push_back(std::byte{0});
  const auto at = static_cast<std::uint32_t>(strings.size());
  append(strings, std::as_bytes(std::span(text)));
  strings.push_back(std::byte{0});
  return at;
}

std::uint32_t RdatHeap::add_bytes(View view) {
  const auto at = static_cast<std::uint32_t>(bytes.size());
  append(bytes, view.bytes());
  return at;
}

void place_as_dxc(Rdat& rdat, RdatHeap& heap) {
  Placer(rdat, heap).run();
  for (auto* buffer : {&heap.strings, &heap.arrays, &heap.bytes}) buffer->resize(round_up(buffer->size(), 4));
  rdat.strings = View(heap.strings);
  rdat.index_arrays = View(heap.arrays);
  rdat.raw_bytes = View(heap.bytes);
}

}  // namespace unshade::dxil
