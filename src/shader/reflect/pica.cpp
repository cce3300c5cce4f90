#include "shader/reflect/pica.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/pica/float24.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>
#include <unshade/pica/usage.hpp>

namespace unshade::shader::reflection {

namespace {

constexpr std::uint32_t kUniformBytes = 16;
constexpr std::size_t kUnnamed = 2048;  ///< registers without name or value that are listed at most

/// One class of registers of an executable, as a buffer: `c`, `i`, `b`.
struct Class {
  const char* name;
  std::uint16_t first;  ///< in the space of uniform records
  std::uint16_t count;
  pica::ConstantType constants;
  BaseType base;
  std::uint32_t columns;
};
constexpr Class kClasses[] = {
    {"c", pica::kUniformConstants, pica::kFloatConstants, pica::ConstantType::real, BaseType::float_, 4},
    {"i", pica::kUniformIntegers, pica::kIntConstants, pica::ConstantType::integer, BaseType::int_, 4},
    {"b", pica::kUniformBooleans, pica::kBoolConstants, pica::ConstantType::boolean, BaseType::bool_, 1},
};

class PicaBuilder {
 public:
  PicaBuilder(Reflection& out, const std::vector<std::uint32_t>& code, const std::vector<pica::Descriptor>& descriptors, bool is_one)
      : out_(out), code_(code), descriptors_(descriptors), is_one_(is_one) {}

  void add(const pica::Tables& tables, pica::Stage stage, std::uint16_t input_mask, std::uint32_t entry_words) {
    work_ += code_.size();
    const pica::Usage usage = work_ <= pica::kUsageWords ? pica::usage_of(code_, descriptors_, entry_words) : pica::Usage{};
    EntryPoint entry;
    entry.stage = stage == pica::Stage::geometry ? Stage::geometry : Stage::vertex;
    entry.name = pica::entry_name(tables.labels, entry_words);
    add_inputs(entry, tables, input_mask, usage);
    for (const pica::OutputRecord& record : tables.outputs) {
      SignatureElement element;
      const std::string_view type = pica::id(record.type);
      element.semantic = type.empty() ? "type" + std::to_string(static_cast<unsigned>(record.type)) + '_' : std::string(type);
      element.register_index = record.register_index;
      element.component_type = dxcontainer::ComponentType::float32;
      if (record.type == pica::Output::position) element.system_value = dxcontainer::SystemValue::position;
      element.mask = static_cast<std::uint8_t>(record.mask & 0xf);
      if (record.register_index < usage.outputs.size()) element.used_mask = element.mask & usage.outputs[record.register_index];
      entry.outputs.push_back(std::move(element));
    }
    // Two outputs of one meaning are numbered.
    for (std::size_t i = 0; i < entry.outputs.size(); ++i)
      for (std::size_t k = 0; k < i && k < pica::kOutputs; ++k)
        if (entry.outputs[k].semantic == entry.outputs[i].semantic) ++entry.outputs[i].semantic_index;
    for (const Class& c : kClasses) add_buffer(c, tables, usage);
    out_.entry_points.push_back(std::move(entry));
  }

 private:
  static void add_inputs(EntryPoint& entry, const pica::Tables& tables, std::uint16_t input_mask, const pica::Usage& usage) {
    std::uint32_t named = 0;
    const auto add = [&](std::string name, std::uint32_t index, std::uint32_t at) {
      SignatureElement element;
      element.semantic = std::move(name);
      element.semantic_index = index;
      element.register_index = at;
      element.component_type = dxcontainer::ComponentType::float32;
      element.mask = 0xf;
      element.used_mask = usage.inputs[at];
      entry.inputs.push_back(std::move(element));
      named |= 1U << at;
    };
    for (const pica::Uniform& uniform : tables.uniforms)
      for (std::uint32_t at = uniform.first; at <= uniform.last && at < pica::kInputs; ++at)
        if ((named >> at & 1) == 0) add(uniform.symbol.text, at - uniform.first, at);
    // What has no name is read, or said to be.
    for (std::uint32_t at = 0; at < pica::kInputs; ++at)
      if ((named >> at & 1) == 0 && (usage.inputs[at] != 0 || (input_mask >> at & 1) != 0)) add("v" + std::to_string(at), 0, at);
  }

  std::uint32_t type_of(const Class& c, std::uint32_t elements) {
    Type type;
    type.type_class = c.columns == 1 ? TypeClass::scalar : TypeClass::vector;
    type.base = c.base;
    type.rows = 1;
    type.columns = c.columns;
    type.elements = elements > 1 ? elements : 0;
    for (std::uint32_t i = 0; i < out_.types.size(); ++i)
      if (out_.types[i].base == type.base && out_.types[i].elements == type.elements) return i;
    out_.types.push_back(std::move(type));
    return static_cast<std::uint32_t>(out_.types.size() - 1);
  }

  /// Four dwords: floats, integers, or the value and zeros.
  static void put_value(std::vector<std::byte>& bytes, std::size_t at, const pica::Constant& constant) {
    for (unsigned i = 0; i < 4; ++i) {
      std::uint32_t word = 0;
      if (constant.type == pica::ConstantType::real) word = std::bit_cast<std::uint32_t>(pica::from_float24(constant.words[i]));
      if (constant.type == pica::ConstantType::integer) word = constant.integer(i);
      if (constant.type == pica::ConstantType::boolean && i == 0) word = constant.boolean() ? 1 : 0;
      for (unsigned k = 0; k < 4; ++k)
        if (at + 4 * i + k < bytes.size()) bytes[at + 4 * i + k] = static_cast<std::byte>(word >> (8 * k));
    }
  }

  static bool is_used(const Class& c, const pica::Usage& usage, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t at = first; at <= last && at < c.count; ++at) {
      if (c.constants == pica::ConstantType::real
              ? usage.constants.test(at) || usage.bases.test(at)
              : ((c.constants == pica::ConstantType::integer ? usage.integers : usage.booleans) >> at & 1) != 0)
        return true;
    }
    return false;
  }

  void add_buffer(const Class& c, const pica::Tables& tables, const pica::Usage& usage) {
    const bool is_real = c.constants == pica::ConstantType::real;
    const std::bitset<pica::kFloatConstants> indexed =
        is_real ? pica::indexed_constants(usage, tables) : std::bitset<pica::kFloatConstants>();
    const auto is_indexed = [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t at = first; at <= last; ++at)
        if (indexed[at]) return true;
      return false;
    };
    Buffer buffer;
    buffer.name = is_one_ ? c.name : std::to_string(out_.entry_points.size()) + '.' + c.name;
    buffer.size = c.count * kUniformBytes;
    std::vector<bool> named(c.count, false);
    const auto add = [&](std::string name, std::uint32_t first, std::uint32_t last) {
      Variable variable;
      variable.name = std::move(name);
      variable.type = type_of(c, last - first + 1);
      variable.offset = first * kUniformBytes;
      variable.size = (last - first + 1) * kUniformBytes;
      variable.used = is_used(c, usage, first, last) || (is_real && is_indexed(first, last));
      for (const pica::Constant& constant : tables.constants) {
        if (constant.type != c.constants || constant.register_index < first || constant.register_index > last) continue;
        variable.default_value.resize(variable.size);
        put_value(variable.default_value, (constant.register_index - first) * kUniformBytes, constant);
      }
      for (std::uint32_t at = first; at <= last; ++at) named[at] = true;
      buffer.variables.push_back(std::move(variable));
    };
    for (const pica::Uniform& uniform : tables.uniforms) {
      if (uniform.first < c.first || uniform.first >= c.first + c.count || uniform.last < uniform.first) continue;
      const std::uint32_t last = std::min<std::uint32_t>(uniform.last, c.first + c.count - 1U);
      if (named[uniform.first - c.first]) continue;  // a second name for the same register
      add(uniform.symbol.text, uniform.first - c.first, last - c.first);
    }
    for (const pica::Constant& constant : tables.constants) {
      if (constant.type != c.constants || constant.register_index >= c.count || named[constant.register_index]) continue;
      add(c.name + std::to_string(constant.register_index), constant.register_index, constant.register_index);
    }
    // What is read, but has neither name nor value.
    for (std::uint32_t at = 0; at < c.count; ++at)
      if (!named[at] && unnamed_left_ != 0 && is_used(c, usage, at, at)) --unnamed_left_, add(c.name + std::to_string(at), at, at);
    std::stable_sort(buffer.variables.begin(), buffer.variables.end(),
                     [](const Variable& a, const Variable& b) { return a.offset < b.offset; });
    if (!buffer.variables.empty()) out_.buffers.push_back(std::move(buffer));
  }

  Reflection& out_;
  const std::vector<std::uint32_t>& code_;
  const std::vector<pica::Descriptor>& descriptors_;
  bool is_one_;
  std::uint64_t work_ = 0;
  std::size_t unnamed_left_ = kUnnamed;  ///< many executables may run the same code
};

}  // namespace

Result<Reflection> reflect_pica(const Shader& shader) {
  Reflection reflection;
  if (const auto* const object = std::get_if<pica::Object>(&shader.content)) {
    PicaBuilder(reflection, object->code.items, object->descriptors.items, true).add(*object, object->stage, object->input_mask, 0);
    return reflection;
  }
  const auto& shbin = std::get<pica::Shbin>(shader.content);
  PicaBuilder builder(reflection, shbin.program.code.items, shbin.program.descriptors.items, shbin.executables.size() == 1);
  for (const pica::Executable& e : shbin.executables) {
    builder.add(e, e.stage, e.input_mask, e.entry_words);
    if (e.stage != pica::Stage::geometry) continue;
    Geometry geometry;
    const std::string_view mode = pica::id(e.geometry_mode);
    geometry.mode = mode.empty() ? "unknown" : std::string(mode);
    if (e.geometry_mode == pica::GeometryMode::variable) geometry.vertices = e.variable_count;
    if (e.geometry_mode == pica::GeometryMode::fixed) {
      geometry.vertices = e.fixed_count;
      geometry.first_constant = e.fixed_start;
    }
    reflection.entry_points.back().geometry = geometry;
  }
  return reflection;
}

}  // namespace unshade::shader::reflection
