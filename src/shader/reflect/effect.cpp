#include "shader/reflect/effect.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxbc/effect.hpp>

namespace unshade::shader::reflection {

namespace {

class EffectBuilder {
 public:
  EffectBuilder(const dxbc::Effect& effect, Reflection& out)
      : effect_(effect), out_(out), contents_(out.effect.emplace()), known_(effect.types.size(), kNone) {}

  void build() {
    out_.profile = dxbc::field_type(effect_.version).names->find(static_cast<std::uint32_t>(effect_.version));
    out_.major_version = effect_.is_5() ? 5 : 4;
    out_.minor_version = effect_.version == dxbc::EffectVersion::fx_4_1 ? 1 : 0;
    for (const auto* buffers : {&effect_.buffers, &effect_.shared_buffers})
      for (const dxbc::EffectBuffer& buffer : *buffers) add_buffer(buffer);
    for (const auto* objects : {&effect_.objects, &effect_.shared_objects})
      for (const dxbc::EffectObjectVariable& object : *objects) add_object(object);
    for (const dxbc::EffectTechnique& technique : effect_.techniques) add_technique({}, technique);
    for (const dxbc::EffectGroup& group : effect_.groups)
      for (const dxbc::EffectTechnique& technique : group.techniques) add_technique(group.name.text, technique);
  }

 private:
  const dxbc::EffectType* type(std::uint32_t index) const { return index < effect_.types.size() ? &effect_.types[index] : nullptr; }

  static BaseType base_of(dxbc::EffectScalar scalar) {
    switch (scalar) {
      case dxbc::EffectScalar::float_: return BaseType::float_;
      case dxbc::EffectScalar::int_: return BaseType::int_;
      case dxbc::EffectScalar::uint_: return BaseType::uint_;
      case dxbc::EffectScalar::bool_: return BaseType::bool_;
    }
    return BaseType::void_;
  }

  /// The model's type: what it refers to is converted before it, each once. A file whose types refer to each other gets kNone.
  std::uint32_t type_of(std::uint32_t index, unsigned depth = 0) {
    const dxbc::EffectType* const from = type(index);
    if (from == nullptr || depth > limits::kNesting) return kNone;
    if (known_[index] != kNone) return known_[index];
    Type made;
    made.name = from->name.text;
    made.elements = from->elements;
    switch (from->kind) {
      case dxbc::EffectTypeKind::numeric: {
        const bool is_matrix = from->layout() == dxbc::EffectLayout::matrix;
        made.base = base_of(from->scalar());
        made.rows = from->rows();
        made.columns = from->columns();
        made.type_class = is_matrix ? (from->is_column_major() ? TypeClass::matrix_columns : TypeClass::matrix_rows)
                          : from->layout() == dxbc::EffectLayout::vector ? TypeClass::vector
                                                                         : TypeClass::scalar;
        break;
      }
      case dxbc::EffectTypeKind::structure:
        made.type_class = TypeClass::structure;
        for (const dxbc::EffectMember& member : from->members) {
          const std::uint32_t of = type_of(member.type, depth + 1);
          made.members.push_back({std::string(member.name.text), of, member.offset});
        }
        break;
      case dxbc::EffectTypeKind::interface: made.type_class = TypeClass::interface_pointer; break;
      default: made.type_class = TypeClass::object; break;
    }
    out_.types.push_back(std::move(made));
    known_[index] = static_cast<std::uint32_t>(out_.types.size() - 1);
    return known_[index];
  }

  void add_buffer(const dxbc::EffectBuffer& from) {
    Buffer buffer;
    buffer.name = from.name.text;
    buffer.kind = (from.flags & kTextureBuffer) != 0 ? BufferKind::tbuffer : BufferKind::cbuffer;
    buffer.size = from.size;
    for (const dxbc::EffectVariable& variable : from.variables) {
      Variable& made = buffer.variables.emplace_back();
      made.name = variable.name.text;
      made.type = type_of(variable.type);
      made.offset = variable.offset;
      made.used = true;  // by which shader is theirs to say
      const dxbc::EffectType* const of = type(variable.type);
      if (of == nullptr) continue;
      made.size = of->total_bytes;
      // Values are packed; of a scalar or vector that is how they lie in the buffer.
      const bool is_plain = of->kind == dxbc::EffectTypeKind::numeric && of->elements == 0 && of->layout() != dxbc::EffectLayout::matrix;
      const auto bytes = variable.default_value.bytes.bytes();
      if (is_plain && bytes.size() == made.size) made.default_value.assign(bytes.begin(), bytes.end());
    }
    if (from.bind_point != dxbc::kNoBindPoint) {
      Resource resource;
      resource.name = buffer.name;
      resource.kind = buffer.kind == BufferKind::tbuffer ? ResourceKind::tbuffer : ResourceKind::cbuffer;
      resource.bind_point = from.bind_point;
      resource.buffer = static_cast<std::uint32_t>(out_.buffers.size());
      out_.resources.push_back(std::move(resource));
    }
    out_.buffers.push_back(std::move(buffer));
  }

  void add_object(const dxbc::EffectObjectVariable& from) {
    EffectObject object;
    object.name = from.name.text;
    object.semantic = from.semantic.text;
    object.bind_point = from.bind_point == dxbc::kNoBindPoint ? kNone : from.bind_point;
    if (const dxbc::EffectType* const of = type(from.type); of != nullptr) {
      object.elements = of->elements;
      object.type = of->kind == dxbc::EffectTypeKind::object ? dxbc::object_name(of->object) : std::string_view(of->name.text);
    }
    contents_.objects.push_back(std::move(object));
  }

  static bool sets_shader(dxbc::EffectState state) {
    switch (state) {
      case dxbc::EffectState::vertex_shader:
      case dxbc::EffectState::pixel_shader:
      case dxbc::EffectState::geometry_shader:
      case dxbc::EffectState::hull_shader:
      case dxbc::EffectState::domain_shader:
      case dxbc::EffectState::compute_shader: return true;
      default: return false;
    }
  }

  static EffectPassShader shader_of(const dxbc::EffectAssignment& from) {
    EffectPassShader shader;
    shader.state = dxbc::state_name(from.state);
    shader.shader = from.variable.text;
    switch (from.kind) {
      case dxbc::EffectAssigned::constant: shader.is_null = true; break;  // a number in the place of a shader is NULL
      case dxbc::EffectAssigned::constant_index: shader.shader += '[' + std::to_string(from.element) + ']'; break;
      case dxbc::EffectAssigned::variable_index: shader.shader += '[' + std::string(from.element_variable.text) + ']'; break;
      case dxbc::EffectAssigned::expression_index: shader.shader += "[...]"; break;
      case dxbc::EffectAssigned::inline_shader:
      case dxbc::EffectAssigned::inline_shader5: shader.is_null = from.shaders.empty() || from.shaders.front().code.bytes.empty(); break;
      default: break;
    }
    return shader;
  }

  void add_technique(std::string_view group, const dxbc::EffectTechnique& from) {
    EffectTechnique technique;
    technique.group = group;
    technique.name = from.name.text;
    for (const dxbc::EffectPass& pass : from.passes) {
      EffectPass& made = technique.passes.emplace_back();
      made.name = pass.name.text;
      for (const dxbc::EffectAssignment& assignment : pass.assignments)
        if (sets_shader(assignment.state)) made.shaders.push_back(shader_of(assignment));
    }
    contents_.techniques.push_back(std::move(technique));
  }

  static constexpr std::uint32_t kTextureBuffer = 0x1;  // of EffectBuffer::flags

  const dxbc::Effect& effect_;
  Reflection& out_;
  EffectContents& contents_;
  std::vector<std::uint32_t> known_;
};

}  // namespace

Result<void> add_effect(const dxcontainer::Part& part, Reflection& reflection) {
  const auto effect = dxbc::parse_effect(part);
  if (!effect) return effect.error();
  EffectBuilder(*effect, reflection).build();
  return {};
}

}  // namespace unshade::shader::reflection
