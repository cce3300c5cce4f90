// Fields in LLVM's spelling. src: LLVM 19, llvm/ObjectYAML/DXContainerYAML.h, lib/ObjectYAML/DXContainerYAML.cpp, and the names of
// llvm/BinaryFormat/DXContainerConstants.def. Members are in the order in which obj2yaml prints them.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/parts.hpp>

#include "core/archive/value_fields.hpp"
#include "dxcontainer/words.hpp"
#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/program_header_layout.hpp"
#include "dxil/parts/psv_layout.hpp"
#include "shader/document/llvm.hpp"

namespace unshade::shader::document::llvm_form {

namespace {

using dxcontainer::fourcc;

template <class E>
const FieldType& type_of() {
  return field_type(E{});
}
template <class E>
const FieldType& part_type_of() {
  return part_field_type(E{});
}
template <const FieldType& kType>
const FieldType& is() {
  return kType;
}

// --- names -----------------------------------------------------------------------------------------------------------------------------

/// LLVM's words for one of Direct3D's enumerations.
template <class E>
constexpr NameTable kWords = dxcontainer::kNamesOf<E, &dxcontainer::Word::llvm>;

constexpr auto kSemanticKinds = [] {
  constexpr auto& kNamed = dxcontainer::kNamedValues<dxcontainer::SemanticKind, &dxcontainer::Word::llvm>;
  std::array<NamedValue, kNamed.size() + 1> named{};
  std::copy(kNamed.begin(), kNamed.end(), named.begin());
  named.back() = {kNamed.back().value, "Invalid"};  // the same number in LLVM 19
  return named;
}();
constexpr NameTable kSemanticKindNames{kSemanticKinds};

// Numbers of bits.
constexpr NamedValue kFeatures[] = {{0, "Doubles"},
                                    {1, "ComputeShadersPlusRawAndStructuredBuffers"},
                                    {2, "UAVsAtEveryStage"},
                                    {3, "Max64UAVs"},
                                    {4, "MinimumPrecision"},
                                    {5, "DX11_1_DoubleExtensions"},
                                    {6, "DX11_1_ShaderExtensions"},
                                    {7, "LEVEL9ComparisonFiltering"},
                                    {8, "TiledResources"},
                                    {9, "StencilRef"},
                                    {10, "InnerCoverage"},
                                    {11, "TypedUAVLoadAdditionalFormats"},
                                    {12, "ROVs"},
                                    {13, "ViewportAndRTArrayIndexFromAnyShaderFeedingRasterizer"},
                                    {14, "WaveOps"},
                                    {15, "Int64Ops"},
                                    {16, "ViewID"},
                                    {17, "Barycentrics"},
                                    {18, "NativeLowPrecision"},
                                    {19, "ShadingRate"},
                                    {20, "Raytracing_Tier_1_1"},
                                    {21, "SamplerFeedback"},
                                    {22, "AtomicInt64OnTypedResource"},
                                    {23, "AtomicInt64OnGroupShared"},
                                    {24, "DerivativesInMeshAndAmpShaders"},
                                    {25, "ResourceDescriptorHeapIndexing"},
                                    {26, "SamplerDescriptorHeapIndexing"},
                                    {27, "RESERVED"},
                                    {28, "AtomicInt64OnHeapResource"},
                                    {29, "AdvancedTextureOps"},
                                    {30, "WriteableMSAATextures"},
                                    {31, "NextUnusedBit"}};

// --- fields ----------------------------------------------------------------------------------------------------------------------------

constexpr Key kSignatureKeys[] = {
    {"stream", "Stream"},
    {"semantic", "Name", Form::same},
    {"semantic_index", "Index"},
    {"system_value", "SystemValue", Form::name, 4, type_of<dxcontainer::SystemValue>, &kWords<dxcontainer::SystemValue>},
    {"component_type", "CompType", Form::name, 4, type_of<dxcontainer::ComponentType>, &kWords<dxcontainer::ComponentType>},
    {"register", "Register"},
    {"mask", "Mask", Form::number, 1, is<kMask>},
    {"used_mask", "ExclusiveMask", Form::number, 1, is<kMask>},
    {"min_precision", "MinPrecision", Form::name, 4, type_of<dxcontainer::MinPrecision>, &kWords<dxcontainer::MinPrecision>},
};
constexpr Key kHashPartKeys[] = {
    {"flags", "IncludesSource", Form::boolean, 4, is<dxil::kHashFlags>},
    {"digest", "Digest", Form::bytes},
};
// Size, DXILOffset and DXILSize, which LLVM states even if they follow from the rest, are in the code.
constexpr Key kProgramKeys[] = {
    {"program_version.major", "MajorVersion", Form::number, 1},
    {"program_version.minor", "MinorVersion", Form::number, 1},
    {"program_version.kind", "ShaderKind", Form::number, 2, type_of<dxil::ShaderKind>},
};
constexpr Key kDxilKeys[] = {
    {"dxil_version.major", "DXILMajorVersion", Form::number, 1},
    {"dxil_version.minor", "DXILMinorVersion", Form::number, 1},
};
constexpr Key kBitcodeKeys[] = {{"bitcode", "DXIL", Form::bytes}};

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
    {"runtime_info.entry_name", "EntryName", Form::same},
};
constexpr Key kResourceKeys[] = {
    {"type", "Type", Form::number, 4, type_of<dxil::PsvResourceType>},
    {"space", "Space"},
    {"lower_bound", "LowerBound"},
    {"upper_bound", "UpperBound"},
    {"kind", "Kind", Form::number, 4, type_of<dxil::ResourceKind>},
    {"flags", "Flags", Form::number, 4, is<dxil::kPsvResourceFlags>},
};
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

// --- paths -----------------------------------------------------------------------------------------------------------------------------

std::pair<std::string_view, std::string_view> split(std::string_view path) {
  const auto dot = path.find('.');
  return dot == std::string_view::npos ? std::pair{path, std::string_view()} : std::pair{path.substr(0, dot), path.substr(dot + 1)};
}

const Value* find(const Value& map, std::string_view path) {
  const auto [name, rest] = split(path);
  const Value* const found = map.find(name);
  return found == nullptr || rest.empty() ? found : find(*found, rest);
}

void set(Value& map, std::string_view path, Value value) {
  const auto [name, rest] = split(path);
  if (rest.empty()) return static_cast<void>(map.add(name, std::move(value)));
  Value* inner = nullptr;
  if (auto* const members = map.as_map())
    for (Value::Member& member : *members)
      if (member.key == name) inner = &member.value;
  if (inner == nullptr) {
    map.add(name, Value::map());
    inner = &map.as_map()->back().value;
    inner->text_offset = value.text_offset;
  }
  set(*inner, rest, std::move(value));
}

Value at(const Value& place, Value value) {
  value.text_offset = place.text_offset;
  return value;
}

Value numbers_of(const Value* list) {
  Value made = Value::list();
  if (list != nullptr && list->as_list() != nullptr)
    for (const Value& element : *list->as_list())
      made.push(element.as_integer() != nullptr ? Value::integer(element.as_integer()->magnitude, true) : element);
  return made;
}

std::uint64_t number_of(const Value* value) {
  return value != nullptr && value->as_integer() != nullptr && !value->as_integer()->negative ? value->as_integer()->magnitude : 0;
}

}  // namespace

bool to_llvm(std::span<const Key> keys, const Value& ours, Value& llvm) {
  for (const Key& key : keys) {
    const Value* const value = find(ours, key.ours);
    if (value == nullptr) continue;
    switch (key.form) {
      case Form::same: {
        std::string text;
        if (!parse_text(*value, text).empty() || !is_plain_text(text)) return false;
        llvm.add(key.llvm, *value);
        continue;
      }
      case Form::bytes:
        if (value->as_bytes() == nullptr) return false;
        llvm.add(key.llvm, *value);
        continue;
      case Form::numbers: llvm.add(key.llvm, numbers_of(value)); continue;
      default: break;
    }
    std::uint64_t number = 0;
    if (!parse_field(*value, key.bytes, key.type(), number).empty()) return false;
    switch (key.form) {
      case Form::boolean: llvm.add(key.llvm, Value::boolean(number != 0)); break;
      case Form::name: {
        const auto name = key.names->find(static_cast<std::uint32_t>(number));
        if (name.empty()) return false;
        llvm.add(key.llvm, Value::text(name));
        break;
      }
      default: llvm.add(key.llvm, Value::integer(number, key.form == Form::hex)); break;
    }
  }
  return true;
}

void to_ours(std::span<const Key> keys, DocumentReader& reader, Value& ours) {
  for (const Key& key : keys) {
    const Value* const value = reader.take(key.llvm);
    if (value == nullptr) continue;
    const auto fail = [&](std::string problem) { reader.fail(ErrorCode::bad_value, *value, key.llvm, std::move(problem)); };
    std::uint64_t number = 0;
    switch (key.form) {
      case Form::same:
      case Form::numbers: set(ours, key.ours, *value); continue;
      case Form::bytes: {
        std::vector<std::byte> bytes;
        if (const auto* const list = value->as_list()) {
          bytes.reserve(list->size());
          for (const Value& element : *list) {
            if (auto problem = parse_field(element, 1, kHex, number); !problem.empty())
              return reader.fail(ErrorCode::bad_value, element, key.llvm, std::move(problem));
            bytes.push_back(static_cast<std::byte>(number));
          }
        } else if (auto problem = parse_bytes(*value, bytes); !problem.empty()) {
          return fail(std::move(problem));
        }
        set(ours, key.ours, at(*value, Value::bytes(View(std::span<const std::byte>(bytes)))));
        continue;
      }
      case Form::boolean:
        if (value->as_boolean() == nullptr) return fail("expected true or false");
        number = *value->as_boolean() ? 1 : 0;
        break;
      case Form::name: {
        const FieldType named{FieldKind::enumeration, key.type().name, key.names};
        if (auto problem = parse_field(*value, key.bytes, named, number); !problem.empty()) return fail(std::move(problem));
        break;
      }
      default:
        if (auto problem = parse_field(*value, key.bytes, kUnsigned, number); !problem.empty()) return fail(std::move(problem));
        if (key.bits != nullptr && number >> key.bits->count != 0)
          return fail("the number does not fit into " + std::to_string(key.bits->count) + " bits");
        break;
    }
    set(ours, key.ours, at(*value, field_value(number, key.bytes, key.type())));
  }
}

namespace {

/// A list of records by `one(record, index)`.
template <class F>
bool list_to_llvm(const Value* ours, const char* name, Value& llvm, F&& one) {
  Value made = Value::list();
  if (ours != nullptr && ours->as_list() != nullptr) {
    for (const Value& element : *ours->as_list()) {
      Value record = Value::map();
      if (!one(element, record)) return false;
      made.push(std::move(record));
    }
  }
  llvm.add(name, std::move(made));
  return true;
}

template <class F>
void list_to_ours(DocumentReader& reader, const char* name, std::string_view to, Value& ours, F&& one) {
  const Value* const list = reader.take(name);
  if (list == nullptr) return;
  if (list->as_list() == nullptr) return reader.fail(ErrorCode::bad_value, *list, name, "expected a list");
  Value made = at(*list, Value::list());
  for (std::size_t i = 0; i < list->as_list()->size() && reader.ok(); ++i) {
    const Value& element = (*list->as_list())[i];
    DocumentReader record(element);
    Value mine = at(element, Value::map());
    one(record, mine);
    if (auto done = record.finish(); !done) {
      Error error = std::move(std::move(done).error()).within(std::string(name) + '[' + std::to_string(i) + ']');
      Value where;
      where.text_offset = static_cast<std::uint32_t>(error.offset);
      return reader.fail(error.code, where, error.path, std::move(error.message));
    }
    made.push(std::move(mine));
  }
  ours.add(to, std::move(made));
}

Result<Value> finished(DocumentReader& reader, Value ours) {
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return ours;
}

// --- parts of one table ----------------------------------------------------------------------------------------------------------------

bool signature_to_llvm(const Value& ours, View, std::uint32_t, Value& llvm) {
  llvm = Value::map();
  return list_to_llvm(ours.find("elements"), "Parameters", llvm,
                      [](const Value& element, Value& made) { return to_llvm(kSignatureKeys, element, made); });
}
Result<Value> signature_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  list_to_ours(reader, "Parameters", "elements", ours,
               [](DocumentReader& element, Value& made) { to_ours(kSignatureKeys, element, made); });
  return finished(reader, std::move(ours));
}

bool hash_to_llvm(const Value& ours, View data, std::uint32_t, Value& llvm) {
  // obj2yaml prints no hash that is all zeros
  const auto bytes = data.bytes();
  if (std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; })) return true;
  llvm = Value::map();
  return to_llvm(kHashPartKeys, ours, llvm);
}
Result<Value> hash_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  to_ours(kHashPartKeys, reader, ours);
  return finished(reader, std::move(ours));
}

bool features_to_llvm(const Value&, View data, std::uint32_t, Value& llvm) {
  const std::uint64_t flags = data.u32(0).value_or(0) | std::uint64_t{data.u32(4).value_or(0)} << 32;
  if (flags == 0) return true;
  llvm = Value::map();
  for (const NamedValue& feature : kFeatures) llvm.add(feature.id, Value::boolean((flags >> feature.value & 1) != 0));
  return true;
}
Result<Value> features_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  std::uint64_t flags = 0;
  for (const NamedValue& feature : kFeatures) {
    const Value* const value = reader.take(feature.id);
    if (value == nullptr) continue;
    if (value->as_boolean() == nullptr) {
      reader.fail(ErrorCode::bad_value, *value, feature.id, "expected true or false");
    } else if (*value->as_boolean()) {
      flags |= std::uint64_t{1} << feature.value;
    }
  }
  Value list = Value::list();
  if (flags != 0) list.push(Value::integer(flags, true));
  Value ours = at(llvm, Value::map());
  ours.add("flags", std::move(list));
  return finished(reader, std::move(ours));
}

// --- programs --------------------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kUsualBitcodeOffset = dxil::kBitcodeHeaderBytes;

bool program_to_llvm(const Value& ours, View data, std::uint32_t, Value& llvm) {
  const auto size = data.u32(4);
  const Value* const bitcode = ours.find("bitcode");
  if (!size || bitcode == nullptr || bitcode->as_bytes() == nullptr) return false;
  llvm = Value::map();
  if (!to_llvm(kProgramKeys, ours, llvm)) return false;
  llvm.add("Size", Value::integer(*size));
  if (!to_llvm(kDxilKeys, ours, llvm)) return false;
  llvm.add("DXILSize", Value::integer(bitcode->as_bytes()->size()));
  return to_llvm(kBitcodeKeys, ours, llvm);
}
Result<Value> program_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  to_ours(kProgramKeys, reader, ours);
  if (const Value* const size = reader.take("Size")) ours.add("size_dwords", *size);
  to_ours(kDxilKeys, reader, ours);
  const Value* const offset = reader.take("DXILOffset");
  ours.add("bitcode_offset", offset != nullptr ? *offset : Value::integer(kUsualBitcodeOffset));
  const Value* const stated = reader.take("DXILSize");
  to_ours(kBitcodeKeys, reader, ours);
  const Value* const bitcode = ours.find("bitcode");
  if (stated != nullptr && bitcode != nullptr && bitcode->as_bytes() != nullptr && number_of(stated) != bitcode->as_bytes()->size())
    reader.fail(ErrorCode::bad_value, *stated, "DXILSize", "differs from the number of bytes of DXIL");
  return finished(reader, std::move(ours));
}

// --- pipeline state validation ---------------------------------------------------------------------------------------------------------

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

bool psv_to_llvm(const Value& ours, View data, std::uint32_t stage, Value& llvm) {
  // LLVM 19 knows versions 0 to 3, and reads others as the version below, which loses bytes.
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
  if (!to_llvm(kThreadKeys, ours, llvm)) return false;
  // obj2yaml prints the newest stride if there are no resources
  const Value* const stride = ours.find("resource_stride");
  const bool is_old = version < 2 && ours.find("resources") != nullptr;
  llvm.add("ResourceStride", stride != nullptr ? *stride : Value::integer(dxil::kPsvResourceBytes[is_old ? 0 : 1]));
  if (!list_to_llvm(ours.find("resources"), "Resources", llvm,
                    [](const Value& resource, Value& made) { return to_llvm(kResourceKeys, resource, made); }))
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

/// Where `indices` are in the table, side by side: the first place that has them, else after the rest. observed: dxc's order.
std::size_t place_indexes(const Value::List& indices, Value::List& table) {
  const auto found = std::search(table.begin(), table.end(), indices.begin(), indices.end());
  const auto place = static_cast<std::size_t>(found - table.begin());
  if (found == table.end()) table.insert(table.end(), indices.begin(), indices.end());
  return place;
}

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
  to_ours(kThreadKeys, reader, ours);
  if (const Value* const stride = reader.take("ResourceStride")) {
    const bool is_number = stride->as_integer() != nullptr;
    const bool is_zero = is_number && *stride->as_integer() == Integer{};
    if (is_number && !is_zero && number_of(stride) < dxil::kPsvResourceBytes[1] && any_has(llvm.find("Resources"), {"Kind", "Flags"}))
      reader.fail(ErrorCode::bad_value, *stride, "ResourceStride",
                  "resources with Kind and Flags have " + std::to_string(dxil::kPsvResourceBytes[1]) + " bytes");
    // yaml2obj does not read it: it may be 0.
    if (!is_zero) ours.add("resource_stride", *stride);
  }
  list_to_ours(reader, "Resources", "resources", ours,
               [](DocumentReader& resource, Value& made) { to_ours(kResourceKeys, resource, made); });
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

constexpr PartForm kForms[] = {
    {fourcc("DXIL"), "Program", program_to_llvm, program_to_ours},
    {fourcc("SFI0"), "Flags", features_to_llvm, features_to_ours},
    {fourcc("HASH"), "Hash", hash_to_llvm, hash_to_ours},
    {fourcc("PSV0"), "PSVInfo", psv_to_llvm, psv_to_ours},
    {fourcc("ISG1"), "Signature", signature_to_llvm, signature_to_ours},
    {fourcc("OSG1"), "Signature", signature_to_llvm, signature_to_ours},
    {fourcc("PSG1"), "Signature", signature_to_llvm, signature_to_ours},
};

}  // namespace

const PartForm* find_part_form(std::uint32_t fourcc) {
  for (const PartForm& form : kForms)
    if (form.fourcc == fourcc) return &form;
  return nullptr;
}

std::string path_in_llvm(std::string_view path) {
  constexpr std::span<const Key> kTables[] = {kResourceKeys, kHashPartKeys,    kProgramKeys,  kDxilKeys,
                                              kBitcodeKeys,  kRuntimeInfoKeys, kThreadKeys,   kElementNameKeys,
                                              kElementKeys,  kPatchMaskKeys,   kPatchMapKeys, kSignatureKeys};
  // What the code translates
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"resources", "Resources"},        {"elements", "Parameters"}, {"resource_stride", "ResourceStride"}, {"semantic_indexes", "Indices"},
      {"runtime_info_bytes", "Version"}, {"size_dwords", "Size"},    {"bitcode_offset", "DXILOffset"}};
  std::string name(path);
  std::ranges::replace(name, '/', '.');
  for (const auto keys : kTables)
    for (const Key& key : keys)
      if (key.ours == name) return key.llvm;
  if (name.starts_with("runtime_info.output_vectors")) return "SigOutputVectors";
  if (name.starts_with("view_id_outputs")) return "OutputVectorMasks";
  if (name.starts_with("input_outputs")) return "InputOutputMap";
  const std::string_view member = path.substr(0, path.find_first_of("[/"));
  std::string made(member);
  for (const auto& [ours, llvm] : kElementLists)
    if (ours == member) made = llvm;
  for (const auto& [ours, llvm] : kOthers)
    if (ours == member) made = llvm;
  const std::size_t slash = path.find('/');
  made += path.substr(member.size(), slash == std::string_view::npos ? slash : slash - member.size());
  return slash == std::string_view::npos ? made : made + '/' + path_in_llvm(path.substr(slash + 1));
}

std::uint32_t stage_in(const Value& part) {
  for (const char* const path : {"Program.ShaderKind", "PSVInfo.ShaderStage"})
    if (const Value* const stage = find(part, path)) return static_cast<std::uint32_t>(number_of(stage));
  return 0xffff'ffff;
}

}  // namespace unshade::shader::document::llvm_form
