// RTS0 in LLVM's spelling. src: LLVM's lib/ObjectYAML/DXContainerYAML.cpp and llvm/BinaryFormat/DXContainerConstants.def of 2026.
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/archive.hpp>
#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/dxcontainer/root_signature.hpp>
#include <unshade/dxcontainer/root_signature_words.hpp>

#include "shader/document/llvm.hpp"
#include "shader/document/llvm_keys.hpp"

namespace unshade::shader::document::llvm_form {

namespace {

namespace dc = dxcontainer;
using dc::RootParameterType;

constexpr NamedValue kOtherParameterTypes[] = {{static_cast<std::uint32_t>(RootParameterType::constants), "Constants32Bit"}};
constexpr NameTable kOtherParameterTypeNames{kOtherParameterTypes};
constexpr NamedValue kOtherRangeTypes[] = {{static_cast<std::uint32_t>(dc::DescriptorRangeType::cbv), "CBuffer"}};
constexpr NameTable kOtherRangeTypeNames{kOtherRangeTypes};

constexpr Key kVersionKeys[] = {{"version", "Version", Form::number, 4, type_of<dc::RootSignatureVersion>}};
constexpr Key kParameterKeys[] = {
    {"type", "ParameterType", Form::words, 4, type_of<RootParameterType>, &kOtherParameterTypeNames},
    {"visibility", "ShaderVisibility", Form::words, 4, type_of<dc::ShaderVisibility>},
};
constexpr Key kConstantKeys[] = {{"body.count", "Num32BitValues"}, {"body.space", "RegisterSpace"}, {"body.register", "ShaderRegister"}};
constexpr Key kDescriptorKeys[] = {{"body.space", "RegisterSpace"}, {"body.register", "ShaderRegister"}};
constexpr Key kRangeTypeKeys[] = {{"type", "RangeType", Form::words, 4, type_of<dc::DescriptorRangeType>, &kOtherRangeTypeNames}};
constexpr Key kRangeKeys[] = {
    {"base_register", "BaseShaderRegister"}, {"space", "RegisterSpace"}, {"offset_in_table", "OffsetInDescriptorsFromTableStart"}};
constexpr Key kSamplerKeys[] = {
    {"address_u", "AddressU", Form::words, 4, type_of<dc::TextureAddressMode>},
    {"address_v", "AddressV", Form::words, 4, type_of<dc::TextureAddressMode>},
    {"address_w", "AddressW", Form::words, 4, type_of<dc::TextureAddressMode>},
    {"mip_lod_bias", "MipLODBias", Form::real},
    {"max_anisotropy", "MaxAnisotropy"},
    {"comparison", "ComparisonFunc", Form::words, 4, type_of<dc::ComparisonFunction>},
    {"border_color", "BorderColor", Form::words, 4, type_of<dc::BorderColor>},
    {"min_lod", "MinLOD", Form::real},
    {"max_lod", "MaxLOD", Form::real},
    {"register", "ShaderRegister"},
    {"space", "RegisterSpace"},
    {"visibility", "ShaderVisibility", Form::words, 4, type_of<dc::ShaderVisibility>},
};
constexpr const char* kFilterKey = "Filter";
constexpr const char* kCountKey = "NumDescriptors";

std::string in_capitals(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = unshade::upper(c);
  return made;
}

std::vector<Flag> root_flags() {
  std::vector<Flag> flags;
  for (const NamedValue& named : dc::kRootFlagValues) flags.push_back({named.value, in_pascal_case(named.id)});
  return flags;
}
/// Those of descriptors and of samplers are in capitals.
std::vector<Flag> capital_flags(const NameTable& names, std::string_view prefix, std::uint32_t allowed = ~0U) {
  std::vector<Flag> flags;
  for (const NamedValue& named : names.values)
    if ((named.value & ~allowed) == 0) flags.push_back({named.value, std::string(prefix) + in_capitals(named.id)});
  return flags;
}
std::vector<Flag> descriptor_flags() { return capital_flags(dc::kDataFlagNames, "", dc::root_signature::kRootDescriptorFlags); }
std::vector<Flag> range_flags() { return capital_flags(dc::kDataFlagNames, ""); }
std::vector<Flag> sampler_flags() { return capital_flags(dc::kSamplerFlagNames, "SAMPLER_FLAG_"); }

/// Flags that LLVM has as members beside the others.
bool members_of_flags(const Value* ours, const FieldType& type, const std::vector<Flag>& names, Value& llvm) {
  if (ours == nullptr) return true;
  std::uint64_t flags = 0;
  return parse_field(*ours, 4, type, flags).empty() && flags_to_llvm(names, flags, llvm);
}

/// FILTER_MIN_LINEAR_MAG_MIP_POINT is MinLinearMagMipPoint.
std::string filter_in_llvm(dc::Filter filter) {
  constexpr std::string_view kPrefix = "FILTER_";
  std::string name = dc::root_signature::filter_name(filter);
  if (!name.starts_with(kPrefix)) return {};
  name.erase(0, kPrefix.size());
  for (char& c : name) c = unshade::lower(c);
  return in_pascal_case(name);
}

void filter_to_ours(DocumentReader& reader, Value& ours) {
  const Value* const value = reader.take(kFilterKey);
  if (value == nullptr) return;
  std::uint64_t number = 0;
  bool is_found = false;
  if (const std::string* const text = value->as_text()) {
    for (std::size_t i = 0; i < dc::root_signature::kNamedFilters && !is_found; ++i) {
      const dc::Filter filter = dc::root_signature::named_filter(i);
      number = static_cast<std::uint32_t>(filter);
      is_found = filter_in_llvm(filter) == *text;
    }
    if (!is_found) return reader.fail(ErrorCode::bad_value, *value, kFilterKey, "no filter is called \"" + *text + '"');
  } else if (auto problem = parse_field(*value, 4, kUnsigned, number); !problem.empty()) {
    return reader.fail(ErrorCode::bad_value, *value, kFilterKey, std::move(problem));
  }
  ours.add("filter", at(*value, field_value(number, 4, field_type(dc::Filter{}))));
}

bool range_to_llvm(const Value& range, LlvmVersion version, Value& made) {
  if (!to_llvm(kRangeTypeKeys, range, made, version)) return false;
  // -1 is unbounded.
  const std::uint64_t count = number_of(range.find("count"));
  made.add(kCountKey, count == 0xffff'ffff ? Value::integer(Integer{1, true}) : Value::integer(count));
  return to_llvm(kRangeKeys, range, made) && members_of_flags(range.find("flags"), dc::kDataFlags, range_flags(), made);
}

void range_to_ours(DocumentReader& range, bool has_flags, Value& made) {
  to_ours(kRangeTypeKeys, range, made);
  if (const Value* const count = range.take(kCountKey)) {
    const Integer* const integer = count->as_integer();
    if (integer == nullptr || integer->magnitude > (integer->negative ? 1 : 0xffff'ffff)) {
      range.fail(ErrorCode::bad_value, *count, kCountKey, "expected a number of 32 bits, or -1 for an unbounded range");
    } else {
      made.add("count", at(*count, Value::integer(integer->negative ? 0xffff'ffff : integer->magnitude)));
    }
  }
  to_ours(kRangeKeys, range, made);
  const std::uint32_t flags = flags_to_ours(range_flags(), range);
  if (has_flags) made.add("flags", field_value(flags, 4, dc::kDataFlags));
  if (!has_flags && flags != 0) range.fail(ErrorCode::bad_value, range.map(), "", "flags require a root signature of version 2");
}

bool parameter_to_llvm(const PartSource& source, const Value& parameter, std::size_t index, Value& made) {
  if (!to_llvm(kParameterKeys, parameter, made, source.options.version)) return false;
  const auto signature = dc::parse_root_signature(source.part);
  if (!signature || index >= signature->parameters.size()) return false;
  const dc::RootParameter& model = signature->parameters[index];
  Value body = Value::map();
  const char* name = "Descriptor";
  if (model.type == RootParameterType::constants) {
    name = "Constants";
    if (!to_llvm(kConstantKeys, parameter, body)) return false;
  } else if (model.type == RootParameterType::descriptor_table) {
    name = "Table";
    body.add("NumRanges", Value::integer(model.ranges.size()));
    body.add("RangesOffset", Value::integer(model.ranges.offset));
    const auto one = [&](const Value& range, Value& record) { return range_to_llvm(range, source.options.version, record); };
    if (!list_to_llvm(find(parameter, "body.ranges"), "Ranges", body, one)) return false;
  } else if (!to_llvm(kDescriptorKeys, parameter, body) ||
             !members_of_flags(find(parameter, "body.flags"), dc::kDataFlags, descriptor_flags(), body)) {
    return false;
  }
  made.add(name, std::move(body));
  return true;
}

/// Adds a parameter, and the bytes that it takes after the table of parameters.
void parameter_to_ours(DocumentReader& parameter, bool has_flags, Value& made, std::uint64_t& body_bytes) {
  to_ours(kParameterKeys, parameter, made);
  const Value* const type_value = made.find("type");
  std::uint64_t number = 0;
  if (type_value == nullptr || !parse_field(*type_value, 4, field_type(RootParameterType{}), number).empty())
    return parameter.fail(ErrorCode::missing, parameter.map(), "ParameterType", "expected the type of the parameter");
  switch (static_cast<RootParameterType>(number)) {
    case RootParameterType::constants:
      body_bytes += 12;
      return map_to_ours(parameter, "Constants", [&](DocumentReader& body) { to_ours(kConstantKeys, body, made); });
    case RootParameterType::descriptor_table:
      body_bytes += 8;
      return map_to_ours(parameter, "Table", [&](DocumentReader& body) {
        Value table = at(body.map(), Value::map());
        std::size_t count = 0;
        list_to_ours(body, "Ranges", "ranges", table, [&](DocumentReader& range, Value& record) {
          range_to_ours(range, has_flags, record);
          ++count;
        });
        body_bytes += count * (has_flags ? 24 : 20);
        expect_number(body, "NumRanges", count);
        // Where the ranges are follows from the layout.
        static_cast<void>(body.take("RangesOffset"));
        made.add("body", std::move(table));
      });
    case RootParameterType::cbv:
    case RootParameterType::srv:
    case RootParameterType::uav:
      body_bytes += has_flags ? 12 : 8;
      return map_to_ours(parameter, "Descriptor", [&](DocumentReader& body) {
        to_ours(kDescriptorKeys, body, made);
        const std::uint32_t flags = flags_to_ours(descriptor_flags(), body);
        if (has_flags) set(made, "body.flags", field_value(flags, 4, dc::kDataFlags));
        if (!has_flags && flags != 0) body.fail(ErrorCode::bad_value, body.map(), "", "flags require a root signature of version 2");
      });
  }
  parameter.fail(ErrorCode::bad_value, *type_value, "ParameterType", "unknown type of parameter: " + std::to_string(number));
}

bool sampler_to_llvm(const Value& sampler, LlvmVersion version, Value& made) {
  std::uint64_t filter = 0;
  const Value* const value = sampler.find("filter");
  if (value == nullptr || !parse_field(*value, 4, field_type(dc::Filter{}), filter).empty()) return false;
  const std::string name = filter_in_llvm(static_cast<dc::Filter>(filter));
  if (name.empty()) return false;
  made.add(kFilterKey, Value::text(name));
  return to_llvm(kSamplerKeys, sampler, made, version) && members_of_flags(sampler.find("flags"), dc::kSamplerFlags, sampler_flags(), made);
}

void sampler_to_ours(DocumentReader& sampler, bool has_flags, Value& made) {
  // What is left out is what HLSL's StaticSampler() leaves out.
  dc::StaticSampler unstated;
  unstated.filter = dc::Filter{0x55};
  unstated.max_anisotropy = 16;
  unstated.comparison = dc::ComparisonFunction::less_equal;
  unstated.border_color = dc::BorderColor::opaque_white;
  unstated.max_lod = std::numeric_limits<float>::max();
  filter_to_ours(sampler, made);
  to_ours(kSamplerKeys, sampler, made);
  const auto add = [&](const char* name, Value value) {
    if (made.find(name) == nullptr) made.add(name, at(sampler.map(), std::move(value)));
  };
  const auto named = [](auto value) { return field_value(static_cast<std::uint32_t>(value), 4, field_type(value)); };
  add("filter", named(unstated.filter));
  add("address_u", named(unstated.address_u));
  add("address_v", named(unstated.address_v));
  add("address_w", named(unstated.address_w));
  add("mip_lod_bias", real_value(unstated.mip_lod_bias));
  add("max_anisotropy", Value::integer(unstated.max_anisotropy));
  add("comparison", named(unstated.comparison));
  add("border_color", named(unstated.border_color));
  add("min_lod", real_value(unstated.min_lod));
  add("max_lod", real_value(unstated.max_lod));
  const std::uint32_t flags = flags_to_ours(sampler_flags(), sampler);
  if (has_flags) made.add("flags", field_value(flags, 4, dc::kSamplerFlags));
  if (!has_flags && flags != 0) sampler.fail(ErrorCode::bad_value, sampler.map(), "", "flags require a root signature of version 3");
}

/// The place of a table, which must not be before `least`.
void place_to_ours(DocumentReader& reader, const char* name, const char* table, std::uint64_t least, bool is_empty, Value& ours) {
  const Value* const stated = reader.take(name);
  if (stated == nullptr) return;
  std::uint64_t offset = 0;
  if (auto problem = parse_field(*stated, 4, kUnsigned, offset); !problem.empty())
    return reader.fail(ErrorCode::bad_value, *stated, name, std::move(problem));
  if (offset < least && !is_empty)
    return reader.fail(ErrorCode::overlap, *stated, name,
                       "expected at least " + std::to_string(least) + ", where what precedes ends, found " + std::to_string(offset));
  if (offset != least) ours.add(std::string(table) + kPlaceMark, *stated);
}

}  // namespace

bool root_signature_to_llvm(const PartSource& source, Value& llvm) {
  const auto signature = dc::parse_root_signature(source.part);
  if (!signature) return false;
  const Value& ours = source.ours;
  llvm = Value::map();
  if (!to_llvm(kVersionKeys, ours, llvm)) return false;
  llvm.add("NumRootParameters", Value::integer(signature->parameters.size()));
  llvm.add("RootParametersOffset", Value::integer(signature->parameters.offset));
  llvm.add("NumStaticSamplers", Value::integer(signature->static_samplers.size()));
  llvm.add("StaticSamplersOffset", Value::integer(signature->static_samplers.offset));
  std::size_t index = 0;
  if (!list_to_llvm(ours.find("parameters"), "Parameters", llvm,
                    [&](const Value& parameter, Value& made) { return parameter_to_llvm(source, parameter, index++, made); }))
    return false;
  if (!signature->static_samplers.empty() &&
      !list_to_llvm(ours.find("static_samplers"), "Samplers", llvm,
                    [&](const Value& sampler, Value& made) { return sampler_to_llvm(sampler, source.options.version, made); }))
    return false;
  return members_of_flags(ours.find("flags"), dc::kRootFlags, root_flags(), llvm);
}

Result<Value> root_signature_to_ours(const Value& llvm) {
  DocumentReader reader(llvm);
  Value ours = at(llvm, Value::map());
  to_ours(kVersionKeys, reader, ours);
  const std::uint64_t version = number_of(llvm.find(kVersionKeys[0].llvm));
  // yaml2obj counts the lists, and so does this: what is stated is not read.
  static_cast<void>(reader.take("NumRootParameters"));
  static_cast<void>(reader.take("NumStaticSamplers"));
  std::uint64_t count = 0;
  std::uint64_t body_bytes = 0;
  list_to_ours(reader, "Parameters", "parameters", ours, [&](DocumentReader& parameter, Value& made) {
    parameter_to_ours(parameter, version >= 2, made, body_bytes);
    ++count;
  });
  std::uint64_t samplers = 0;
  list_to_ours(reader, "Samplers", "static_samplers", ours, [&](DocumentReader& sampler, Value& made) {
    sampler_to_ours(sampler, version >= 3, made);
    ++samplers;
  });
  constexpr std::uint64_t kHeaderBytes = 24;
  constexpr std::uint64_t kParameterBytes = 12;
  place_to_ours(reader, "RootParametersOffset", "parameters", kHeaderBytes, count == 0, ours);
  place_to_ours(reader, "StaticSamplersOffset", "static_samplers", kHeaderBytes + kParameterBytes * count + body_bytes, samplers == 0,
                ours);
  const std::vector<Flag> names = root_flags();
  ours.add("flags", field_value(flags_to_ours(names, reader), 4, dc::kRootFlags));
  return finished(reader, std::move(ours));
}

}  // namespace unshade::shader::document::llvm_form
