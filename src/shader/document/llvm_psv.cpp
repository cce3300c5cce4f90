// PSV0 in LLVM's spelling. src: LLVM's llvm/ObjectYAML/DXContainerYAML.h and lib/ObjectYAML/DXContainerYAML.cpp, of release 19 and of 2026.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/dxcontainer/words.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>

#include "shader/document/llvm.hpp"
#include "shader/document/llvm_keys.hpp"

namespace unshade::shader::document::llvm_form {

namespace {

template <class E>
const FieldType& part_type_of() {
  return part_field_type(E{});
}

constexpr auto kSemanticKinds = [] {
  constexpr auto& kNamed = dxcontainer::kNamedValues<dxcontainer::SemanticKind, &dxcontainer::Word::llvm>;
  std::array<NamedValue, kNamed.size() + 1> named{};
  std::copy(kNamed.begin(), kNamed.end(), named.begin());
  named.back() = {kNamed.back().value, "Invalid"};  // the same number in LLVM 19
  return named;
}();
constexpr NameTable kSemanticKindNames{kSemanticKinds};

constexpr NamedValue kOtherKinds[] = {{static_cast<std::uint32_t>(dxil::ResourceKind::acceleration_structure), "RTAccelerationStructure"}};
constexpr NameTable kOtherKindNames{kOtherKinds};
const Flag kResourceFlags[] = {{0x1, "UsedByAtomic64"}};

constexpr Key kRuntimeInfoKeys[] = {
    {"runtime_info.kind", "ShaderStage", Form::number, 1, type_of<dxil::ShaderKind>},
    {"runtime_info.stage.depth_output", "DepthOutput", Form::number, 1},
    {"runtime_info.stage.sample_frequency", "SampleFrequency", Form::number, 1},
    {"runtime_info.stage.input_primitive", "InputPrimitive", Form::number, 4, part_type_of<dxcontainer::InputPrimitive>},
    {"runtime_info.stage.output_topology", "OutputTopology", Form::number, 4, part_type_of<dxcontainer::OutputTopology>},
    {"runtime_info.stage.output_stream_mask", "OutputStreamMask", Form::number, 4, is<kHex>},
    {"runtime_info.stage.input_control_point_count", "InputControlPointCount"},
    {"runtime_info.stage.output_control_point_count", "OutputControlPointCount"},
    {"runtime_info.stage.output_position_present", "OutputPositionPresent", Form::number, 1},
    {"runtime_info.stage.tessellator_domain", "TessellatorDomain", Form::number, 4, part_type_of<dxcontainer::TessellatorDomain>},
    {"runtime_info.stage.tessellator_output", "TessellatorOutputPrimitive", Form::number, 4, part_type_of<dxcontainer::TessellatorOutput>},
    {"runtime_info.stage.group_shared_bytes", "GroupSharedBytesUsed"},
    {"runtime_info.stage.group_shared_bytes_dependent_on_view_id", "GroupSharedBytesDependentOnViewID"},
    {"runtime_info.stage.payload_bytes", "PayloadSizeInBytes"},
    {"runtime_info.stage.max_output_vertices", "MaxOutputVertices", Form::number, 2},
    {"runtime_info.stage.max_output_primitives", "MaxOutputPrimitives", Form::number, 2},
    {"runtime_info.min_wave_lanes", "MinimumWaveLaneCount"},
    {"runtime_info.max_wave_lanes", "MaximumWaveLaneCount"},
    {"runtime_info.uses_view_id", "UsesViewID", Form::number, 1},
    {"runtime_info.max_vertex_count", "MaxVertexCount", Form::number, 2},
    {"runtime_info.patch_constant_vectors", "SigPatchConstOrPrimVectors", Form::number, 1},
    {"runtime_info.primitive_vectors", "SigPrimVectors", Form::number, 1},
    {"runtime_info.mesh_topology", "MeshOutputTopology", Form::number, 1, part_type_of<dxcontainer::MeshTopology>},
    {"runtime_info.input_vectors", "SigInputVectors", Form::number, 1},
};
constexpr Key kThreadKeys[] = {
    {"runtime_info.num_threads_x", "NumThreadsX"},
    {"runtime_info.num_threads_y", "NumThreadsY"},
    {"runtime_info.num_threads_z", "NumThreadsZ"},
};
constexpr Key kEntryKeys[] = {{"runtime_info.entry_name", "EntryName", Form::same}};
constexpr Key kResourceKeys[] = {
    {"type", "Type", Form::words, 4, type_of<dxil::PsvResourceType>},
    {"space", "Space"},
    {"lower_bound", "LowerBound"},
    {"upper_bound", "UpperBound"},
    {"kind", "Kind", Form::words, 4, type_of<dxil::ResourceKind>, &kOtherKindNames},
};
// A number in LLVM 19, a map of booleans since.
constexpr Key kResourceFlagKeys[] = {{"flags", "Flags", Form::number, 4, is<dxil::kPsvResourceFlags>}};
constexpr Key kElementNameKeys[] = {{"semantic_name", "Name", Form::same}};
constexpr Key kElementKeys[] = {
    {"start_row", "StartRow", Form::number, 1},
    {"columns.columns", "Cols", Form::number, 1, unsigned_type, nullptr, &dxil::kPsvColumns},
    {"columns.start_column", "StartCol", Form::number, 1, unsigned_type, nullptr, &dxil::kPsvStartColumn},
    {"columns.allocated", "Allocated", Form::boolean, 1},
    {"semantic_kind", "Kind", Form::name, 1, part_type_of<dxcontainer::SemanticKind>, &kSemanticKindNames},
    {"component_type", "ComponentType", Form::name, 1, type_of<dxcontainer::ComponentType>, &kWords<dxcontainer::ComponentType>},
    {"interpolation", "Interpolation", Form::name, 1, part_type_of<dxcontainer::Interpolation>, &kWords<dxcontainer::Interpolation>},
    {"dynamic_mask_and_stream.dynamic_mask", "DynamicMask", Form::hex, 1, unsigned_type, nullptr, &dxil::kPsvDynamicMask},
    {"dynamic_mask_and_stream.stream", "Stream", Form::number, 1, unsigned_type, nullptr, &dxil::kPsvStream},
};
constexpr std::pair<const char*, const char*> kElementLists[] = {
    {"inputs", "SigInputElements"}, {"outputs", "SigOutputElements"}, {"patch_or_primitives", "SigPatchOrPrimElements"}};
constexpr Key kPatchMaskKeys[] = {{"view_id_patch_or_primitives", "PatchOrPrimMasks", Form::numbers}};
constexpr Key kPatchMapKeys[] = {{"input_patch_constants", "InputPatchMap", Form::numbers},
                                 {"patch_constant_outputs", "PatchOutputMap", Form::numbers}};

// Of four streams each; that of the first has no number here.
constexpr const char* kViewIdNames[] = {"view_id_outputs", "view_id_outputs_1", "view_id_outputs_2", "view_id_outputs_3"};
constexpr const char* kMapNames[] = {"input_outputs", "input_outputs_1", "input_outputs_2", "input_outputs_3"};

void streams_to_llvm(std::span<const char* const> names, const char* name, const Value& ours, Value& llvm) {
  Value four = Value::list();
  for (const char* const stream : names) four.push(numbers_of(ours.find(stream)));
  llvm.add(name, std::move(four));
}
void streams_to_ours(std::span<const char* const> names, const char* name, DocumentReader& reader, Value& ours) {
  const Value* const four = reader.take(name);
  if (four == nullptr) return;
  if (four->as_list() == nullptr || four->as_list()->size() > names.size())
    return reader.fail(ErrorCode::bad_value, *four, name, "expected a list for each of four streams");
  for (std::size_t i = 0; i < four->as_list()->size(); ++i) {
    const Value& stream = (*four->as_list())[i];
    if (stream.as_list() == nullptr) return reader.fail(ErrorCode::bad_value, stream, name, "expected a list of numbers");
    if (!stream.as_list()->empty()) ours.add(names[i], stream);
  }
}

/// Whether a record of the list has one of these fields.
bool any_has(const Value* list, std::initializer_list<std::string_view> fields) {
  if (list == nullptr || list->as_list() == nullptr) return false;
  return std::ranges::any_of(*list->as_list(), [&](const Value& record) {
    return std::ranges::any_of(fields, [&](std::string_view field) { return record.find(field) != nullptr; });
  });
}

constexpr std::uint32_t kPsvVersions = 4;

std::string output_vectors(std::size_t stream) { return std::string("runtime_info.") + dxil::kOutputVectors[stream]; }

bool resource_to_llvm(const Value& resource, Value& made, LlvmVersion version) {
  if (!to_llvm(kResourceKeys, resource, made, version)) return false;
  const Value* const flags = resource.find(kResourceFlagKeys[0].ours);
  if (version == LlvmVersion::v19 || flags == nullptr) return to_llvm(kResourceFlagKeys, resource, made);
  std::uint64_t number = 0;
  if (!parse_field(*flags, 4, dxil::kPsvResourceFlags, number).empty()) return false;
  Value map = Value::map();
  for (const Flag& flag : kResourceFlags) {
    map.add(flag.name, Value::boolean((number & flag.mask) != 0));
    number &= ~std::uint64_t{flag.mask};
  }
  made.add(kResourceFlagKeys[0].llvm, std::move(map));
  return number == 0;
}

void resource_to_ours(DocumentReader& resource, Value& made) {
  to_ours(kResourceKeys, resource, made);
  const Value* const flags = resource.map().find(kResourceFlagKeys[0].llvm);
  if (flags == nullptr || flags->as_map() == nullptr) return to_ours(kResourceFlagKeys, resource, made);
  map_to_ours(resource, kResourceFlagKeys[0].llvm, [&](DocumentReader& map) {
    set(made, kResourceFlagKeys[0].ours, at(*flags, field_value(flags_to_ours(kResourceFlags, map), 4, dxil::kPsvResourceFlags)));
  });
}

}  // namespace

bool psv_to_llvm(const PartSource& source, Value& llvm) {
  const Value& ours = source.ours;
  const View data = source.part.data;
  const std::uint32_t stage = source.stage;
  const LlvmVersion form = source.options.version;
  // LLVM knows versions 0 to 3, and reads others as the version below, which loses bytes.
  const std::uint32_t size = data.u32(0).value_or(0);
  const auto* const above = std::upper_bound(dxil::kPsvInfoBytes, dxil::kPsvInfoBytes + kPsvVersions, size);
  if (above == dxil::kPsvInfoBytes) return false;
  const auto version = static_cast<std::uint64_t>(above - dxil::kPsvInfoBytes) - 1;
  llvm = Value::map();
  llvm.add("Version", Value::integer(version));
  if (version == 0) {
    if (stage > 0xff) return false;
    llvm.add("ShaderStage", Value::integer(stage));
  }
  if (!to_llvm(kRuntimeInfoKeys, ours, llvm)) return false;
  if (version >= 1) {
    Value four = Value::list();
    for (std::size_t i = 0; i < dxil::kStreamCount; ++i) four.push(Value::integer(number_of(find(ours, output_vectors(i)))));
    llvm.add("SigOutputVectors", std::move(four));
  }
  if (!to_llvm(kThreadKeys, ours, llvm) || !to_llvm(kEntryKeys, ours, llvm)) return false;
  // obj2yaml prints the newest stride if there are no resources
  const Value* const stride = ours.find("resource_stride");
  const bool is_old = version < 2 && ours.find("resources") != nullptr;
  llvm.add("ResourceStride", stride != nullptr ? *stride : Value::integer(dxil::kPsvResourceBytes[is_old ? 0 : 1]));
  if (!list_to_llvm(ours.find("resources"), "Resources", llvm,
                    [&](const Value& resource, Value& made) { return resource_to_llvm(resource, made, form); }))
    return false;
  if (version == 0) return true;

  const Value* const indexes = ours.find("semantic_indexes");
  const auto element = [&](const Value& e, Value& made) {
    if (!to_llvm(kElementNameKeys, e, made)) return false;
    Value list = Value::list();
    const std::uint64_t from = number_of(e.find("semantic_indexes"));
    const std::uint64_t rows = number_of(e.find("rows"));
    const std::size_t count = indexes != nullptr && indexes->as_list() != nullptr ? indexes->as_list()->size() : 0;
    if (from > count || rows > count - from) return false;
    for (std::uint64_t i = 0; i < rows; ++i) list.push((*indexes->as_list())[static_cast<std::size_t>(from + i)]);
    made.add("Indices", std::move(list));
    return to_llvm(kElementKeys, e, made);
  };
  for (const auto& [name, key] : kElementLists)
    if (!list_to_llvm(ours.find(name), key, llvm, element)) return false;
  const auto kind = static_cast<dxil::ShaderKind>(number_of(llvm.find("ShaderStage")));
  if (number_of(llvm.find("UsesViewID")) != 0) {
    streams_to_llvm(kViewIdNames, "OutputVectorMasks", ours, llvm);
    if (kind == dxil::ShaderKind::hull) llvm.add("PatchOrPrimMasks", numbers_of(ours.find(kPatchMaskKeys[0].ours)));
  }
  streams_to_llvm(kMapNames, "InputOutputMap", ours, llvm);
  if (kind == dxil::ShaderKind::hull) llvm.add("InputPatchMap", numbers_of(ours.find(kPatchMapKeys[0].ours)));
  if (kind == dxil::ShaderKind::domain) llvm.add("PatchOutputMap", numbers_of(ours.find(kPatchMapKeys[1].ours)));
  return true;
}

namespace {

/// Where `indices` are in the table, side by side: the first place that has them, else after the rest. observed: dxc's order.
std::size_t place_indexes(const Value::List& indices, Value::List& table) {
  const auto found = std::search(table.begin(), table.end(), indices.begin(), indices.end());
  const auto place = static_cast<std::size_t>(found - table.begin());
  if (found == table.end()) table.insert(table.end(), indices.begin(), indices.end());
  return place;
}

/// Takes fields that only later versions of PSV0 have: yaml2obj passes them over.
void pass_over(std::span<const Key> keys, DocumentReader& reader) {
  for (const Key& key : keys) static_cast<void>(reader.take(key.llvm));
}

}  // namespace

Result<Value> psv_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  const std::uint32_t version = reader.take_u32("Version", 0);
  constexpr std::uint32_t kNewest = kPsvVersions - 1;
  if (version > kNewest)
    reader.fail(ErrorCode::unsupported, llvm, "Version", "expected a PSV0 version from 0 to 3, found " + std::to_string(version));
  ours.add("runtime_info_bytes", Value::integer(dxil::kPsvInfoBytes[std::min(version, kNewest)]));
  const Value* const stage = version == 0 ? reader.take("ShaderStage") : nullptr;  // of the program alone
  static_cast<void>(stage);
  to_ours(kRuntimeInfoKeys, reader, ours);
  if (const Value* const four = reader.take("SigOutputVectors")) {
    if (four->as_list() == nullptr || four->as_list()->size() > dxil::kStreamCount) {
      reader.fail(ErrorCode::bad_value, *four, "SigOutputVectors", "expected a list of four numbers");
    } else {
      for (std::size_t i = 0; i < four->as_list()->size(); ++i) set(ours, output_vectors(i), (*four->as_list())[i]);
    }
  }
  if (version < 2) {
    pass_over(kThreadKeys, reader);
  } else {
    to_ours(kThreadKeys, reader, ours);
    if (version < 3) pass_over(kEntryKeys, reader);
    if (version >= 3) to_ours(kEntryKeys, reader, ours);
  }
  // What obj2yaml tells of the layout since 2026, and yaml2obj does not read.
  static_cast<void>(reader.take("RuntimeInfoSize"));
  static_cast<void>(reader.take("StringTable"));
  if (const Value* const stride = reader.take("ResourceStride")) {
    const bool is_number = stride->as_integer() != nullptr;
    const bool is_zero = is_number && *stride->as_integer() == Integer{};
    if (is_number && !is_zero && number_of(stride) < dxil::kPsvResourceBytes[1] && any_has(llvm.find("Resources"), {"Kind", "Flags"}))
      reader.fail(ErrorCode::bad_value, *stride, "ResourceStride",
                  "resources with Kind and Flags have " + std::to_string(dxil::kPsvResourceBytes[1]) + " bytes");
    // yaml2obj does not read it: it may be 0.
    if (!is_zero) ours.add("resource_stride", *stride);
  }
  list_to_ours(reader, "Resources", "resources", ours, resource_to_ours);
  Value table = Value::list();
  for (const auto& [name, key] : kElementLists) {
    constexpr std::size_t kMostElements = 255;
    if (const Value* const list = llvm.find(key); list != nullptr && list->as_list() != nullptr && list->as_list()->size() > kMostElements)
      reader.fail(ErrorCode::bad_value, *list, key, "more than 255 elements");
    if (!reader.ok()) break;
    list_to_ours(reader, key, name, ours, [&](DocumentReader& element, Value& made) {
      to_ours(kElementNameKeys, element, made);
      const Value* const indices = element.take("Indices");
      if (indices != nullptr && (indices->as_list() == nullptr || indices->as_list()->size() > 0xff))
        return element.fail(ErrorCode::bad_value, *indices, "Indices", "expected a list of at most 255 numbers");
      if (indices != nullptr) {
        made.add("semantic_indexes", Value::integer(place_indexes(*indices->as_list(), *table.as_list())));
        made.add("rows", Value::integer(indices->as_list()->size()));
      }
      to_ours(kElementKeys, element, made);
    });
  }
  if (!table.as_list()->empty()) ours.add("semantic_indexes", std::move(table));
  streams_to_ours(kViewIdNames, "OutputVectorMasks", reader, ours);
  streams_to_ours(kMapNames, "InputOutputMap", reader, ours);
  for (const auto& keys : {std::span<const Key>(kPatchMaskKeys), std::span<const Key>(kPatchMapKeys)}) {
    for (const Key& key : keys) {
      const Value* const list = reader.take(key.llvm);
      if (list != nullptr && (list->as_list() == nullptr || !list->as_list()->empty())) ours.add(key.ours, *list);
    }
  }
  return finished(reader, std::move(ours));
}

std::string psv_path_in_llvm(std::string_view path) {
  constexpr std::span<const Key> kTables[] = {kResourceKeys,    kResourceFlagKeys, kRuntimeInfoKeys, kThreadKeys,  kEntryKeys,
                                              kElementNameKeys, kElementKeys,      kPatchMaskKeys,   kPatchMapKeys};
  for (const auto keys : kTables)
    for (const Key& key : keys)
      if (key.ours == path) return key.llvm;
  if (path.starts_with("runtime_info.output_vectors")) return "SigOutputVectors";
  if (path.starts_with("view_id_outputs")) return "OutputVectorMasks";
  if (path.starts_with("input_outputs")) return "InputOutputMap";
  for (const auto& [ours, llvm] : kElementLists)
    if (ours == path) return llvm;
  return {};
}

}  // namespace unshade::shader::document::llvm_form
