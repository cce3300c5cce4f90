#include "shader/edit/resource_definitions.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/validate.hpp>

#include "shader/edit/container.hpp"
#include "shader/edit/edits.hpp"

namespace unshade::shader::edit {

using dxcontainer::fourcc;

namespace {

Result<const dxcontainer::Part*> find_program(const Shader& shader) {
  const dxcontainer::Part* const part = shader.container()->find(dxcontainer::PartRole::tokens);
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no token program"};
  return part;
}

/// How the program's declarations and the definitions agree, by the rules that validate() knows.
Result<std::vector<std::string>> judge(View edited) {
  std::vector<std::string> notes;
  for (const Diagnostic& d : validate(edited)) {
    if (!d.rule->id.starts_with("rdef.")) continue;
    // a note tells of what is no fault, a warning of a definition that does not cover what the program uses
    if (d.rule->severity != Severity::note)
      return Error{ErrorCode::bad_value, d.offset, d.path, "the definitions do not match the program: " + d.message};
    notes.push_back(std::string(d.rule->id) + ": " + d.message);
  }
  return notes;
}

Result<Edited> put_definitions(const Shader& shader, std::vector<std::byte> rdef, bool is_checked) {
  auto edit = begin_edit(shader);
  if (!edit) return std::move(edit).error();
  edit->put(fourcc("RDEF"), std::move(rdef));
  auto edited = finish_edit(shader, *edit);
  if (!edited || !is_checked) return edited;
  auto notes = judge(View(edited->bytes));
  if (!notes) return std::move(notes).error();
  edited->notes = *std::move(notes);
  return edited;
}

/// What the reflection of a stripped program has, as resource definitions.
class DefinitionMaker {
 public:
  DefinitionMaker(const Reflection& from, const dxbc::Program& program) : from_(from), program_(program) {}

  std::vector<std::byte> run() {
    rdef_.major_version = program_.major;
    rdef_.minor_version = program_.minor;
    rdef_.target = target();
    rdef_.creator.text = "made from declarations";
    rdef_.magic = program_.is_5_1() ? dxbc::kRdefMagic51 : program_.major >= 5 ? dxbc::kRdefMagic50 : 0;
    rdef_.strides = dxbc::standard_strides(rdef_.magic);
    for (const Resource& resource : from_.resources) bind(resource);
    // fxc's order of kinds, and of registers within them
    const auto order = [](const dxbc::Binding& b) { return std::tuple(rank(b.kind), b.space, b.bind_point, b.id); };
    std::ranges::sort(rdef_.bindings.items, {}, order);
    for (const Buffer& buffer : from_.buffers) add(buffer);
    dxbc::place_as_fxc(rdef_);
    return dxbc::write_rdef(rdef_);
  }

 private:
  static unsigned rank(ResourceKind kind) {
    const std::string_view letters = register_letters(kind);
    return letters == "s" ? 0U : letters == "t" ? 1U : letters == "u" ? 2U : 3U;
  }

  dxbc::RdefTarget target() const {
    switch (program_.stage) {
      case dxbc::Stage::vertex: return dxbc::RdefTarget::vertex;
      case dxbc::Stage::geometry: return dxbc::RdefTarget::geometry;
      case dxbc::Stage::hull: return dxbc::RdefTarget::hull;
      case dxbc::Stage::domain: return dxbc::RdefTarget::domain;
      case dxbc::Stage::compute: return dxbc::RdefTarget::compute;
      default: return dxbc::RdefTarget::pixel;
    }
  }

  void bind(const Resource& resource) {
    dxbc::Binding& binding = rdef_.bindings.items.emplace_back();
    binding.name.text = resource.name;
    binding.kind = resource.kind;
    binding.return_type = resource.return_type;
    binding.dimension = resource.dimension;
    const bool is_multisampled = dxcontainer::is_multisampled(resource.dimension);
    const bool is_typed = resource.kind == ResourceKind::texture || resource.kind == ResourceKind::uav_typed;
    binding.sample_count = resource.stride != 0 ? resource.stride : is_typed && !is_multisampled ? 0xffff'ffff : resource.sample_count;
    binding.bind_point = resource.bind_point;
    binding.bind_count = resource.bind_count;
    binding.flags = resource.flags;
    binding.space = resource.space;
    binding.id = resource.id;
  }

  void add(const Buffer& from) {
    dxbc::ConstantBuffer& buffer = rdef_.constant_buffers.items.emplace_back();
    buffer.name.text = from.name;
    buffer.size = from.size;
    for (const Variable& variable : from.variables) {
      dxbc::Variable& made = buffer.variables.items.emplace_back();
      made.name.text = variable.name;
      made.size = variable.size;
      made.flags = variable.flags;
      made.type = type(from_.types[variable.type]);
    }
  }

  std::uint32_t type(const Type& from) {
    for (std::uint32_t i = 0; i < rdef_.types.size(); ++i)
      if (rdef_.types[i].elements == from.elements) return i;
    dxbc::Type& made = rdef_.types.emplace_back();
    made.variable_class = TypeClass::vector;
    made.type = BaseType::float_;
    made.rows = 1;
    made.columns = 4;
    made.elements = static_cast<std::uint16_t>(from.elements);
    if (rdef_.strides.has_class_info()) made.name.text = "float4";
    return static_cast<std::uint32_t>(rdef_.types.size() - 1);
  }

  const Reflection& from_;
  const dxbc::Program& program_;
  dxbc::Rdef rdef_;
};

}  // namespace

Result<Edited> restore_dxbc_definitions(const Shader& shader, View definitions) {
  if (auto found = find_program(shader); !found) return std::move(found).error();
  View part = definitions;
  if (dxcontainer::is_container(definitions)) {
    const auto other = dxcontainer::parse_container(definitions);
    if (!other) return Error(other.error()).within("definitions");
    const auto* const rdef = other->find(fourcc("RDEF"));
    if (rdef == nullptr) return Error{ErrorCode::missing, definitions.file_offset(), "definitions", "the container has no RDEF part"};
    part = rdef->data;
  }
  if (auto parsed = dxbc::parse_rdef({fourcc("RDEF"), 0, part}); !parsed) return std::move(parsed).error().within("definitions");
  return put_definitions(shader, {part.bytes().begin(), part.bytes().end()}, true);
}

Result<Edited> make_dxbc_definitions(const Shader& shader) {
  const auto code = find_program(shader);
  if (!code) return code.error();
  if (shader.container()->find(fourcc("RDEF")) != nullptr) return unchanged(shader);
  const auto program = dxbc::parse_program(**code);
  if (!program) return program.error();
  auto reflection = reflect(shader);
  if (!reflection) return std::move(reflection).error();
  return put_definitions(shader, DefinitionMaker(*reflection, *program).run(), false);
}

}  // namespace unshade::shader::edit
