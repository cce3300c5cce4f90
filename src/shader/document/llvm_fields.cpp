// Fields of the small parts and of programs in LLVM's spelling. src: LLVM's llvm/ObjectYAML/DXContainerYAML.h,
// lib/ObjectYAML/DXContainerYAML.cpp and llvm/BinaryFormat/DXContainerConstants.def, of release 19 and of 2026; its tests in
// test/tools/obj2yaml/DXContainer. Members are in the order in which obj2yaml prints them.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxcontainer/words.hpp>
#include <unshade/dxil/enums.hpp>
#include <unshade/dxil/parts.hpp>

#include "shader/document/llvm.hpp"
#include "shader/document/llvm_keys.hpp"

namespace unshade::shader::document::llvm_form {

namespace {

using dxcontainer::fourcc;

// --- names -----------------------------------------------------------------------------------------------------------------------------

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
                                    {30, "WriteableMSAATextures"}};
constexpr NamedValue kFeatures19[] = {{31, "NextUnusedBit"}};
// Shader model 6.8.
constexpr NamedValue kFeatures21[] = {{31, "SampleCmpWithGradientOrBias"}, {32, "ExtendedCommandInfo"}, {33, "NextUnusedBit"}};

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

// --- parts of one table ----------------------------------------------------------------------------------------------------------------

bool signature_to_llvm(const PartSource& source, Value& llvm) {
  llvm = Value::map();
  return list_to_llvm(source.ours.find("elements"), "Parameters", llvm,
                      [](const Value& element, Value& made) { return to_llvm(kSignatureKeys, element, made); });
}
Result<Value> signature_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  list_to_ours(reader, "Parameters", "elements", ours,
               [](DocumentReader& element, Value& made) { to_ours(kSignatureKeys, element, made); });
  return finished(reader, std::move(ours));
}

bool hash_to_llvm(const PartSource& source, Value& llvm) {
  // obj2yaml prints no hash that is all zeros
  const auto bytes = source.part.data.bytes();
  if (std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; })) return true;
  llvm = Value::map();
  return to_llvm(kHashPartKeys, source.ours, llvm);
}
Result<Value> hash_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  to_ours(kHashPartKeys, reader, ours);
  return finished(reader, std::move(ours));
}

/// Those of a release.
std::vector<NamedValue> features_of(LlvmVersion version) {
  std::vector<NamedValue> features(std::begin(kFeatures), std::end(kFeatures));
  const std::span<const NamedValue> last = version == LlvmVersion::v19 ? std::span<const NamedValue>(kFeatures19) : kFeatures21;
  features.insert(features.end(), last.begin(), last.end());
  return features;
}

bool features_to_llvm(const PartSource& source, Value& llvm) {
  const View data = source.part.data;
  const std::uint64_t flags = data.u32(0).value_or(0) | std::uint64_t{data.u32(4).value_or(0)} << 32;
  if (flags == 0) return true;
  llvm = Value::map();
  const LlvmVersion version = source.options.version;
  for (const NamedValue& feature : features_of(version)) llvm.add(feature.id, Value::boolean((flags >> feature.value & 1) != 0));
  return version == LlvmVersion::v19 || flags >> (kFeatures21[std::size(kFeatures21) - 1].value + 1) == 0;
}
Result<Value> features_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  std::uint64_t flags = 0;
  // NextUnusedBit is another bit in each release: the members of shader model 6.8 tell which.
  const bool is_19 = llvm.find(kFeatures21[0].id) == nullptr && llvm.find(kFeatures21[1].id) == nullptr;
  for (const NamedValue& feature : features_of(is_19 ? LlvmVersion::v19 : LlvmVersion::v21)) {
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

bool program_to_llvm(const PartSource& source, Value& llvm) {
  const Value& ours = source.ours;
  const auto size = source.part.data.u32(4);
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
  if (ours.find("bitcode") == nullptr) ours.add("bitcode", at(llvm, Value::bytes(View())));
  const Value* const bitcode = ours.find("bitcode");
  if (stated != nullptr && bitcode != nullptr && bitcode->as_bytes() != nullptr && number_of(stated) != bitcode->as_bytes()->size())
    reader.fail(ErrorCode::bad_value, *stated, "DXILSize", "differs from the number of bytes of DXIL");
  return finished(reader, std::move(ours));
}

// --- debug name, compiler version, private data ----------------------------------------------------------------------------------------

constexpr Key kDebugNameKeys[] = {{"flags", "Flags", Form::number, 2}};
constexpr Key kDebugFileKeys[] = {{"name", "DebugName", Form::same}};

/// The bytes of a text, 0 if it is none.
std::size_t size_of_text(const Value* value) {
  std::string text;
  return value != nullptr && parse_text(*value, text).empty() ? text.size() : 0;
}

bool debug_name_to_llvm(const PartSource& source, Value& llvm) {
  llvm = Value::map();
  if (!to_llvm(kDebugNameKeys, source.ours, llvm)) return false;
  llvm.add("NameLength", Value::integer(size_of_text(source.ours.find("name"))));
  return to_llvm(kDebugFileKeys, source.ours, llvm);
}
Result<Value> debug_name_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  to_ours(kDebugNameKeys, reader, ours);
  to_ours(kDebugFileKeys, reader, ours);
  if (ours.find("name") == nullptr && reader.ok())
    reader.fail(ErrorCode::missing, llvm, "DebugName", "expected the name of the debug file");
  expect_number(reader, "NameLength", size_of_text(ours.find("name")));
  return finished(reader, std::move(ours));
}

constexpr Key kVersionNumberKeys[] = {{"major", "Major", Form::number, 2}, {"minor", "Minor", Form::number, 2}};
constexpr Key kCommitCountKeys[] = {{"commit_count", "CommitCount"}};
constexpr Key kVersionTextKeys[] = {{"commit", "CommitSha", Form::same}, {"custom", "CustomVersionString", Form::same}};
// IsValidated is the bit that DXC calls internal: yaml2obj's default, 0, is printed as false.
const Flag kCompilerFlags[] = {{dxil::CompilerVersion::kDebug, "IsDebugBuild"}, {dxil::CompilerVersion::kInternal, "IsValidated"}};

bool compiler_version_to_llvm(const PartSource& source, Value& llvm) {
  const Value& ours = source.ours;
  std::uint64_t flags = 0;
  const Value* const list = ours.find("flags");
  if (list != nullptr && !parse_field(*list, 4, dxil::kVersionFlags, flags).empty()) return false;
  llvm = Value::map();
  if (!to_llvm(kVersionNumberKeys, ours, llvm)) return false;
  for (const Flag& flag : kCompilerFlags) llvm.add(flag.name, Value::boolean((flags & flag.mask) != 0));
  if (!to_llvm(kCommitCountKeys, ours, llvm)) return false;
  llvm.add("ContentSizeInBytes", Value::integer(source.part.data.u32(dxil::kVersionHeaderBytes - 4).value_or(0)));
  return to_llvm(kVersionTextKeys, ours, llvm);
}
Result<Value> compiler_version_to_ours(const Value& llvm) {
  // An empty map is written as nothing.
  const Value empty = at(llvm, Value::map());
  DocumentReader reader(llvm.is(Value::Kind::null) ? empty : llvm);
  Value ours = empty;
  to_ours(kVersionNumberKeys, reader, ours);
  const std::uint32_t flags = flags_to_ours(kCompilerFlags, reader);
  ours.add("flags", field_value(flags, 4, dxil::kVersionFlags));
  to_ours(kCommitCountKeys, reader, ours);
  to_ours(kVersionTextKeys, reader, ours);
  std::size_t bytes = 0;
  for (const Key& key : kVersionTextKeys) {
    if (ours.find(key.ours) == nullptr) ours.add(key.ours, at(llvm, Value::text("")));
    bytes += size_of_text(ours.find(key.ours)) + 1;
  }
  expect_number(reader, "ContentSizeInBytes", bytes);
  return finished(reader, std::move(ours));
}

bool private_data_to_llvm(const PartSource& source, Value& llvm) {
  llvm = Value::bytes(source.part.data);
  return true;
}
Result<FileBytes> private_data_to_bytes(const Value& llvm, const LlvmOptions&) {
  constexpr Key kKeys[] = {{"data", "PrivateData", Form::bytes}};
  Value outer = at(llvm, Value::map());
  outer.add(kKeys[0].llvm, llvm);
  DocumentReader reader(outer);
  Value made = Value::map();
  to_ours(kKeys, reader, made);
  if (auto done = reader.finish(); !done) {
    Error error = std::move(done).error();
    error.path.clear();  // the part's own name
    return error;
  }
  return *made.find(kKeys[0].ours)->as_bytes();
}

constexpr LlvmVersion k19 = LlvmVersion::v19;
constexpr LlvmVersion k21 = LlvmVersion::v21;
constexpr PartForm kForms[] = {
    {fourcc("DXIL"), "Program", k19, program_to_llvm, program_to_ours},
    {fourcc("ILDB"), "Program", k21, program_to_llvm, program_to_ours},
    {fourcc("SFI0"), "Flags", k19, features_to_llvm, features_to_ours},
    {fourcc("HASH"), "Hash", k19, hash_to_llvm, hash_to_ours},
    {fourcc("PSV0"), "PSVInfo", k19, psv_to_llvm, psv_to_ours},
    {fourcc("ISG1"), "Signature", k19, signature_to_llvm, signature_to_ours},
    {fourcc("OSG1"), "Signature", k19, signature_to_llvm, signature_to_ours},
    {fourcc("PSG1"), "Signature", k19, signature_to_llvm, signature_to_ours},
    {fourcc("RTS0"), "RootSignature", k21, root_signature_to_llvm, root_signature_to_ours},
    {fourcc("ILDN"), "DebugName", k21, debug_name_to_llvm, debug_name_to_ours},
    {fourcc("VERS"), "CompilerVersion", k21, compiler_version_to_llvm, compiler_version_to_ours},
    {fourcc("SRCI"), "SourceInfo", k21, sources_to_llvm, nullptr, sources_to_bytes},
    {fourcc("PRIV"), "PrivateData", k21, private_data_to_llvm, nullptr, private_data_to_bytes},
};

}  // namespace

const PartForm* find_part_form(std::uint32_t fourcc, LlvmVersion version) {
  for (const PartForm& form : kForms)
    if (form.fourcc == fourcc) return form.since <= version ? &form : nullptr;
  return nullptr;
}

std::string path_in_llvm(std::string_view path) {
  constexpr std::span<const Key> kTables[] = {kHashPartKeys,  kProgramKeys,   kDxilKeys,          kBitcodeKeys,     kSignatureKeys,
                                              kDebugNameKeys, kDebugFileKeys, kVersionNumberKeys, kCommitCountKeys, kVersionTextKeys};
  // What the code translates
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"resources", "Resources"},       {"elements", "Parameters"},        {"resource_stride", "ResourceStride"},
      {"semantic_indexes", "Indices"},  {"runtime_info_bytes", "Version"}, {"size_dwords", "Size"},
      {"bitcode_offset", "DXILOffset"}, {"parameters", "Parameters"},      {"static_samplers", "Samplers"}};
  std::string name(path);
  std::ranges::replace(name, '/', '.');
  for (const auto keys : kTables)
    for (const Key& key : keys)
      if (key.ours == name) return key.llvm;
  if (std::string made = psv_path_in_llvm(name); !made.empty()) return made;
  const std::string_view member = path.substr(0, path.find_first_of("[/"));
  std::string made(member);
  if (std::string of_psv = psv_path_in_llvm(member); !of_psv.empty()) made = std::move(of_psv);
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
