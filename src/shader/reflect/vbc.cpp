#include "shader/reflect/vbc.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <unshade/spirv/interface.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

#include "shader/reflect/spirv.hpp"

namespace unshade::shader::reflection {

namespace {

using dxcontainer::ComponentType;

constexpr Stage kStages[vbc::kStages] = {Stage::vertex, Stage::hull, Stage::domain, Stage::geometry, Stage::pixel};

// Where the descriptors of each kind lie in the SPIR-V. src: docs/reference/formats/vbc.md, "What the SPIR-V looks like"
constexpr std::uint32_t kUniformSet = 1;
constexpr std::uint32_t kSubpassSet = 2;

BaseType base_of(vbc::BaseType type) {
  switch (type) {
    case vbc::BaseType::boolean: return BaseType::bool_;
    case vbc::BaseType::signed_int: return BaseType::int_;
    case vbc::BaseType::unsigned_int: return BaseType::uint_;
    case vbc::BaseType::real: return BaseType::float_;
    default: return BaseType::void_;
  }
}

ComponentType component_of(vbc::BaseType type) {
  switch (type) {
    case vbc::BaseType::boolean:
    case vbc::BaseType::unsigned_int: return ComponentType::uint32;
    case vbc::BaseType::signed_int: return ComponentType::sint32;
    case vbc::BaseType::real: return ComponentType::float32;
    default: return ComponentType::unknown;
  }
}

ReturnType return_type_of(vbc::TexelType type) {
  switch (type) {
    case vbc::TexelType::signed_int: return ReturnType::sint;
    case vbc::TexelType::unsigned_int: return ReturnType::uint;
    case vbc::TexelType::real: return ReturnType::float_;
    case vbc::TexelType::unorm: return ReturnType::unorm;
    case vbc::TexelType::snorm: return ReturnType::snorm;
  }
  return ReturnType::none;
}

ResourceDimension dimension_of_rank(vbc::Rank rank) {
  switch (rank) {
    case vbc::Rank::d1: return ResourceDimension::texture1d;
    case vbc::Rank::d2: return ResourceDimension::texture2d;
    case vbc::Rank::d3: return ResourceDimension::texture3d;
    case vbc::Rank::d1_array: return ResourceDimension::texture1d_array;
    case vbc::Rank::d2_array: return ResourceDimension::texture2d_array;
    case vbc::Rank::cube: return ResourceDimension::texture_cube;
    case vbc::Rank::buffer: return ResourceDimension::buffer;
  }
  return ResourceDimension::unknown;
}

class VbcBuilder {
 public:
  VbcBuilder(const vbc::File& file, Reflection& out) : file_(file), out_(out) {}

  Result<void> build() {
    for (const vbc::Binding& binding : file_.bindings) add_binding(binding);
    if (file_.uniform.size != 0) add_uniform();
    for (std::size_t i = 0; i < file_.subpass_inputs.size(); ++i) add_subpass_input(i);
    for (std::size_t i = 0; i < vbc::kStages; ++i)
      if (!file_.stages[i].empty())
        if (auto done = add_stage(i); !done) return done;
    return {};
  }

 private:
  std::uint32_t type_of(vbc::BaseType base, std::uint32_t components, std::uint32_t columns, std::uint32_t array_size) {
    Type type;
    type.type_class = columns > 1 ? TypeClass::matrix_columns : components > 1 ? TypeClass::vector : TypeClass::scalar;
    type.base = base_of(base);
    type.rows = columns > 1 ? components : 1;
    type.columns = columns > 1 ? columns : components;
    type.elements = array_size > 1 ? array_size : 0;
    // Everything is packed.
    if (columns > 1) type.matrix_stride = 4 * components;
    if (array_size > 1) {
      type.dimensions = {array_size};
      type.array_stride = 4 * components * columns;
    }
    out_.types.push_back(std::move(type));
    return static_cast<std::uint32_t>(out_.types.size() - 1);
  }

  /// What is in a table has no name in it.
  void add_binding(const vbc::Binding& binding) {
    Resource resource;
    resource.name = "slot" + std::to_string(binding.slot);
    resource.id = binding.slot;
    switch (binding.type) {
      case vbc::BaseType::sampler: resource.kind = ResourceKind::combined_sampler; break;
      case vbc::BaseType::image: resource.kind = ResourceKind::uav_typed, resource.bind_point = 1; break;
      case vbc::BaseType::ro_buffer:
      case vbc::BaseType::rw_buffer: resource.kind = ResourceKind::storage_buffer, resource.bind_point = 2; break;
      case vbc::BaseType::ro_texels: resource.kind = ResourceKind::texture, resource.bind_point = 3; break;
      default: resource.kind = ResourceKind::uav_typed, resource.bind_point = 4; break;
    }
    if (vbc::is_buffer(binding.type)) {
      resource.stride = binding.struct_bytes;
      resource.read_only = binding.type == vbc::BaseType::ro_buffer;
    } else {
      resource.dimension = dimension_of_rank(binding.rank);
      resource.return_type = return_type_of(binding.texel);
      resource.components = std::min<std::uint32_t>(binding.components, 4);
    }
    masks_.push_back(binding.stages);
    out_.resources.push_back(std::move(resource));
  }

  void add_uniform() {
    Resource resource;
    resource.name = "uniform";
    resource.kind = ResourceKind::cbuffer;
    resource.space = kUniformSet;
    resource.buffer = static_cast<std::uint32_t>(out_.buffers.size());
    Buffer buffer;
    buffer.name = resource.name;
    buffer.size = file_.uniform.size;
    for (const vbc::Member& member : file_.uniform.members) {
      Variable variable;
      variable.name = member.name;
      variable.type = type_of(member.type, member.components, member.columns, member.array_size);
      variable.offset = member.offset;
      variable.size = member.size();
      variable.used = file_.uniform.stages != 0;
      buffer.variables.push_back(std::move(variable));
    }
    masks_.push_back(file_.uniform.stages);
    out_.buffers.push_back(std::move(buffer));
    out_.resources.push_back(std::move(resource));
  }

  void add_subpass_input(std::size_t index) {
    const vbc::SubpassInput& input = file_.subpass_inputs[index];
    Resource resource;
    resource.name = input.image ? input.image->name() : std::string();
    if (resource.name.empty()) resource.name = "subpass" + std::to_string(index);
    resource.kind = ResourceKind::input_attachment;
    resource.dimension = ResourceDimension::texture2d;
    resource.return_type = return_type_of(input.texel);
    resource.components = std::min<std::uint32_t>(input.components, 4);
    resource.space = kSubpassSet;
    resource.bind_point = static_cast<std::uint32_t>(index);
    resource.attachment = resource.bind_point;
    masks_.push_back(vbc::stage_bit(vbc::Stage::fragment));
    out_.resources.push_back(std::move(resource));
  }

  void add_variables(const std::vector<vbc::Variable>& from, std::string_view prefix, const std::vector<SignatureElement>& module,
                     std::vector<SignatureElement>& to) {
    for (const vbc::Variable& variable : from) {
      SignatureElement element;
      element.register_index = variable.location;
      element.component_type = component_of(variable.type);
      element.mask = static_cast<std::uint8_t>((1U << std::min<unsigned>(variable.components, 4)) - 1);
      element.type = type_of(variable.type, variable.components, variable.columns, variable.array_size);
      // The stage's module may know the name, and whether it is used.
      element.semantic = std::string(prefix) + std::to_string(variable.location);
      for (const SignatureElement& known : module) {
        if (known.register_index != variable.location || !known.built_in.empty()) continue;
        element.semantic = known.semantic;
        element.used_mask = known.used_mask;
        break;
      }
      to.push_back(std::move(element));
    }
  }

  Result<void> add_stage(std::size_t stage) {
    EntryPoint entry;
    entry.stage = kStages[stage];
    entry.name = "main";
    Reflection of_module;
    const auto& code = file_.stages[stage];
    if (const auto module = spirv::parse(View({code.data(), code.size()})))
      if (auto done = add_module(*module, of_module); !done) return done;
    if (!of_module.entry_points.empty()) {
      const EntryPoint& known = of_module.entry_points.front();
      entry.name = known.name;
      entry.execution_modes = known.execution_modes;
      entry.pixel = known.pixel;
      entry.geometry = known.geometry;
      entry.tessellation = known.tessellation;
      for (const std::string& capability : of_module.capabilities)
        if (std::ranges::find(out_.capabilities, capability) == out_.capabilities.end()) out_.capabilities.push_back(capability);
      if (entry.stage == Stage::vertex) add_variables(file_.inputs, "input", known.inputs, entry.inputs);
      if (entry.stage == Stage::pixel) add_variables(file_.outputs, "output", known.outputs, entry.outputs);
    }
    for (std::uint32_t i = 0; i < masks_.size(); ++i)
      if ((masks_[i] & vbc::stage_bit(stage)) != 0) entry.resources.push_back(i);
    out_.entry_points.push_back(std::move(entry));
    return {};
  }

  const vbc::File& file_;
  Reflection& out_;
  std::vector<std::uint16_t> masks_;  // of the resources: which stages use them
};

}  // namespace

Result<Reflection> reflect_vbc(const Shader& shader) {
  Reflection reflection;
  reflection.major_version = 1;
  if (auto done = VbcBuilder(std::get<vbc::File>(shader.content), reflection).build(); !done) return std::move(done).error();
  return reflection;
}

}  // namespace unshade::shader::reflection
