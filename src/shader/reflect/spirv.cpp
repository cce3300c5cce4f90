#include "shader/reflect/spirv.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/spirv/grammar.hpp>
#include <unshade/spirv/module.hpp>

#include "shader/reflect/scalar_bytes.hpp"
#include "shader/reflect/spirv/modes.hpp"
#include "shader/reflect/spirv/words.hpp"

namespace unshade::shader::reflection {

namespace {

using dxcontainer::ComponentType;
using dxcontainer::SystemValue;
using spirv::BuiltIn;
using spirv::StorageClass;

class SpirvBuilder {
 public:
  /// `is_transposed`: the columns of matrices are the rows of the source.
  SpirvBuilder(const spirv::Interface& module, bool is_transposed, Reflection& out)
      : module_(module), is_transposed_(is_transposed), out_(out) {}

  void build() {
    used_.assign(module_.variables.size(), false);
    for (const spirv::EntryPoint& entry : module_.entry_points) {
      for (const std::uint32_t place : entry.used) used_[place] = true;
      if (!entry.is_use_known) used_.assign(used_.size(), true);
    }
    resource_of_.assign(module_.variables.size(), kNone);
    for (std::uint32_t i = 0; i < module_.variables.size(); ++i) add_resource(i);
    for (const spirv::EntryPoint& entry : module_.entry_points) add_entry_point(entry);
    add_constants();
    for (const spirv::Capability capability : module_.capabilities)
      add_capability(declared_text(module_, spirv::OperandKind::capability, static_cast<std::uint32_t>(capability)));
    for (const std::string& extension : module_.extensions) add_capability(extension);
  }

 private:
  /// What is left of a type when its arrays are taken off.
  struct Peeled {
    std::uint32_t place = spirv::kNone;
    const spirv::Type* type = nullptr;
    std::vector<std::uint32_t> dimensions;  ///< outermost first; 0: as many as there are
    std::vector<std::uint32_t> strides;     ///< of the dimensions; 0: not stated
    std::uint64_t count = 1;                ///< product; 0 if a dimension is open

    /// Those before the innermost, if one is not what its elements take.
    std::vector<std::uint32_t> outer_strides() const {
      if (std::ranges::find(strides, 0U) != strides.end()) return {};
      for (std::size_t inner = 1; inner < strides.size(); ++inner)
        if (strides[inner - 1] != std::uint64_t{dimensions[inner]} * strides[inner]) return {strides.begin(), strides.end() - 1};
      return {};
    }
  };

  /// Each once.
  void add_capability(std::string text) {
    if (capabilities_.insert(text).second) out_.capabilities.push_back(std::move(text));
  }

  Peeled peel(std::uint32_t place) const {
    Peeled peeled;
    const spirv::Type* type = module_.type(place);
    // An array's element is before it, so this ends.
    while (type != nullptr && (type->kind == spirv::TypeKind::array || type->kind == spirv::TypeKind::runtime_array)) {
      const std::uint32_t count = type->kind == spirv::TypeKind::array ? type->count : 0;
      peeled.dimensions.push_back(count);
      peeled.strides.push_back(module_.of(*type).array_stride.value_or(0));
      peeled.count = std::min<std::uint64_t>(peeled.count * count, kNone - 1);
      place = type->element;
      type = module_.type(place);
    }
    peeled.place = place;
    peeled.type = type;
    return peeled;
  }

  /// The model's type. How a matrix lies in memory is told by the member that has it. Of HLSL, rows are those of the source: compilers make
  /// them SPIR-V's columns, and RowMajor of column_major.
  std::uint32_t type_of(std::uint32_t place, const spirv::Decorations* member) {
    const Peeled peeled = peel(place);
    if (peeled.type == nullptr) return kNone;
    const spirv::Type* const column = peeled.type->kind == spirv::TypeKind::matrix ? module_.type(peeled.type->element) : nullptr;
    const std::uint32_t stride = column != nullptr && member != nullptr ? member->matrix_stride.value_or(0) : 0;
    const bool rows = column != nullptr && member != nullptr && (is_transposed_ ? stride != 0 && !member->row_major : member->row_major);
    const auto key = std::make_tuple(place, rows, stride);
    if (const auto known = types_.find(key); known != types_.end()) return known->second;

    Type type;
    type.elements = static_cast<std::uint32_t>(peeled.dimensions.empty() ? 0 : peeled.count);
    type.dimensions = peeled.dimensions;
    type.array_stride = peeled.strides.empty() ? 0 : peeled.strides.back();
    type.outer_strides = peeled.outer_strides();
    const spirv::Type& leaf = *peeled.type;
    switch (leaf.kind) {
      case spirv::TypeKind::structure:
        type.type_class = TypeClass::structure;
        type.name = name_of(leaf.name, leaf.id);
        add_members(leaf, type);
        break;
      case spirv::TypeKind::matrix:
        type.type_class = rows ? TypeClass::matrix_rows : TypeClass::matrix_columns;
        type.columns = leaf.count;
        type.matrix_stride = stride;
        if (column != nullptr) {
          type.rows = column->count;
          if (is_transposed_) std::swap(type.rows, type.columns);
          if (const spirv::Type* scalar = module_.type(column->element); scalar != nullptr) type.base = base_type_of(*scalar);
        }
        break;
      case spirv::TypeKind::vector:
        if (const spirv::Type* scalar = module_.type(leaf.element); scalar != nullptr && scalar->has_encoding) {
          encoded(type, *scalar, leaf.count);
          break;
        }
        type.type_class = TypeClass::vector;
        type.rows = 1;
        type.columns = leaf.count;
        if (const spirv::Type* scalar = module_.type(leaf.element); scalar != nullptr) type.base = base_type_of(*scalar);
        break;
      case spirv::TypeKind::boolean:
      case spirv::TypeKind::integer:
      case spirv::TypeKind::real:
      case spirv::TypeKind::pointer:
        if (leaf.has_encoding) {
          encoded(type, leaf, 1);
          break;
        }
        type.type_class = TypeClass::scalar;
        type.rows = 1;
        type.columns = 1;
        type.base = base_type_of(leaf);
        break;
      default: type.type_class = TypeClass::object; break;
    }
    out_.types.push_back(std::move(type));
    const auto index = static_cast<std::uint32_t>(out_.types.size() - 1);
    types_.emplace(key, index);
    return index;
  }

  /// Numbers that the model has no name for: bfloat16, floats of 8 bits. An object with the name of its encoding, of `columns` components.
  void encoded(Type& type, const spirv::Type& scalar, std::uint32_t components) {
    const auto* const row = spirv::find_enumerant(spirv::OperandKind::fp_encoding, static_cast<std::uint32_t>(scalar.encoding));
    type.type_class = TypeClass::object;
    type.name = row != nullptr ? std::string(row->text) : "float" + std::to_string(scalar.width);
    if (components > 1) type.name += 'x' + std::to_string(components);
    encoded_bytes_.emplace(static_cast<std::uint32_t>(out_.types.size()), std::uint64_t{components} * scalar.width / 8);
  }

  // Structs nest by their types' order in the module, each converted once: depth is bounded by the module's own bound on it.
  void add_members(const spirv::Type& structure, Type& type) {
    std::uint32_t number = 0;
    for (const spirv::StructMember& member : module_.members_of(structure)) {
      Member out;
      out.name = member.name.empty() ? "_m" + std::to_string(number) : member.name;
      out.offset = module_.of(member).offset.value_or(kNone);
      if (depth_ < kDepth) {
        ++depth_;
        out.type = type_of(member.type, &module_.of(member));
        --depth_;
      }
      type.members.push_back(std::move(out));
      ++number;
    }
  }

  static std::string name_of(std::string_view name, std::uint32_t id) {
    return name.empty() ? '_' + std::to_string(id) : std::string(name);
  }

  /// Bytes of a value of the type as it lies in a block; an open array counts nothing.
  std::uint64_t bytes_of(std::uint32_t type, unsigned depth = 0) const {
    if (type >= out_.types.size() || depth > kDepth) return 0;
    const Type& t = out_.types[type];
    // outer dimensions may have gaps after the inner ones
    if (!t.outer_strides.empty()) return std::min(std::uint64_t{t.dimensions.front()} * t.outer_strides.front(), std::uint64_t{kNone - 1});
    if (!t.dimensions.empty() && t.array_stride != 0) return std::min(std::uint64_t{t.elements} * t.array_stride, std::uint64_t{kNone - 1});
    std::uint64_t size = 0;
    switch (t.type_class) {
      case TypeClass::structure: size = struct_bytes(t, depth); break;
      case TypeClass::matrix_columns:
        size = std::uint64_t{t.columns} * (t.matrix_stride != 0 ? t.matrix_stride : t.rows * scalar_bytes(t.base));
        break;
      case TypeClass::matrix_rows:
        size = std::uint64_t{t.rows} * (t.matrix_stride != 0 ? t.matrix_stride : t.columns * scalar_bytes(t.base));
        break;
      case TypeClass::vector:
      case TypeClass::scalar: size = std::uint64_t{t.columns} * scalar_bytes(t.base); break;
      default:
        if (const auto known = encoded_bytes_.find(type); known != encoded_bytes_.end()) size = known->second;
        break;
    }
    if (t.dimensions.empty()) return size;
    return std::min(t.elements * size, std::uint64_t{kNone - 1});
  }

  /// Up to the end of the member that ends last.
  std::uint64_t struct_bytes(const Type& type, unsigned depth) const {
    std::uint64_t end = 0;
    for (const Member& member : type.members)
      if (member.offset != kNone) end = std::max(end, member.offset + known_bytes(member.type, depth + 1));
    return end;
  }

  std::uint64_t known_bytes(std::uint32_t type, unsigned depth) const {
    if (type >= out_.types.size()) return 0;
    if (type >= sizes_.size()) sizes_.resize(out_.types.size(), kNoSize);
    if (sizes_[type] == kNoSize) {
      const std::uint64_t size = bytes_of(type, depth);
      sizes_[type] = size;
    }
    return sizes_[type];
  }

  std::optional<ResourceKind> kind_of(const spirv::Variable& variable, const spirv::Type& type) const {
    switch (variable.storage) {
      case StorageClass::push_constant: return ResourceKind::push_constants;
      case StorageClass::storage_buffer: return ResourceKind::storage_buffer;
      case StorageClass::shader_record_buffer_nv: return ResourceKind::shader_record;
      case StorageClass::uniform: return module_.of(type).buffer_block ? ResourceKind::storage_buffer : ResourceKind::cbuffer;
      case StorageClass::uniform_constant: break;
      default: return std::nullopt;
    }
    switch (type.kind) {
      case spirv::TypeKind::sampled_image: return ResourceKind::combined_sampler;
      case spirv::TypeKind::sampler: return ResourceKind::sampler;
      case spirv::TypeKind::acceleration_structure: return ResourceKind::acceleration_structure;
      case spirv::TypeKind::image:
        if (type.image.dim == spirv::Dim::subpass_data) return ResourceKind::input_attachment;
        return type.image.sampled == 2 ? ResourceKind::uav_typed : ResourceKind::texture;
      default: return std::nullopt;
    }
  }

  void add_resource(std::uint32_t place) {
    const spirv::Variable& variable = module_.variables[place];
    const Peeled peeled = peel(variable.type);
    if (peeled.type == nullptr) return;
    const auto kind = kind_of(variable, *peeled.type);
    if (!kind) return;
    Resource resource;
    resource.kind = *kind;
    const bool is_block = peeled.type->kind == spirv::TypeKind::structure;
    resource.name = !variable.name.empty() ? variable.name : name_of(is_block ? peeled.type->name : std::string(), variable.id);
    resource.space = module_.of(variable).set.value_or(0);
    resource.bind_point = module_.of(variable).binding.value_or(0);
    resource.bind_count = peeled.dimensions.empty() ? 1 : static_cast<std::uint32_t>(peeled.count);
    if (peeled.dimensions.size() > 1) resource.dimensions = peeled.dimensions;
    resource.read_only = module_.of(variable).non_writable;
    resource.write_only = module_.of(variable).non_readable;
    resource.globally_coherent = module_.of(variable).coherent;
    if (module_.of(variable).input_attachment_index) resource.attachment = *module_.of(variable).input_attachment_index;
    const spirv::Type* image = peeled.type;
    if (image->kind == spirv::TypeKind::sampled_image) image = module_.type(image->element);
    if (image != nullptr && image->kind == spirv::TypeKind::image) {
      resource.dimension = image_dimension_of(image->image);
      resource.return_type = texel_return_type(module_.type(image->element));
      resource.components = 4;
      resource.comparison = image->image.depth == 1 && *kind == ResourceKind::combined_sampler;
      if (image->image.sampled == 2 && image->image.format != spirv::ImageFormat::unknown)
        resource.format = enumerant_text(spirv::OperandKind::image_format, static_cast<std::uint32_t>(image->image.format));
    }
    if (is_block) {
      resource.buffer = add_buffer(peeled, variable, *kind);
      // If all members may not be written (or read), the block may not.
      const auto members = module_.members_of(*peeled.type);
      resource.read_only |=
          !members.empty() && std::ranges::all_of(members, [this](const spirv::StructMember& m) { return module_.of(m).non_writable; });
      resource.write_only |=
          !members.empty() && std::ranges::all_of(members, [this](const spirv::StructMember& m) { return module_.of(m).non_readable; });
    }
    resource_of_[place] = static_cast<std::uint32_t>(out_.resources.size());
    out_.resources.push_back(std::move(resource));
  }

  std::uint32_t add_buffer(const Peeled& peeled, const spirv::Variable& variable, ResourceKind kind) {
    const std::uint32_t type = type_of(peeled.place, nullptr);
    if (type == kNone) return kNone;
    Buffer buffer;
    buffer.kind = static_cast<BufferKind>(kind);  // both have the same numbers for what Vulkan has
    buffer.name = name_of(peeled.type->name, peeled.type->id);
    buffer.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(known_bytes(type, 0), kNone - 1));
    const bool used = used_[static_cast<std::size_t>(&variable - module_.variables.data())];
    for (const Member& member : out_.types[type].members) {
      Variable out;
      out.name = member.name;
      out.type = member.type;
      out.offset = member.offset;
      out.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(known_bytes(member.type, 0), kNone - 1));
      out.used = used;
      buffer.variables.push_back(std::move(out));
    }
    out_.buffers.push_back(std::move(buffer));
    return static_cast<std::uint32_t>(out_.buffers.size() - 1);
  }

  /// A variable that is taken in or given out, or the member of a block that is.
  void add_element(std::vector<SignatureElement>& to, const spirv::Variable& variable, const spirv::Decorations& decorations,
                   std::string name, std::uint32_t place, const spirv::Decorations* member, Stage stage, bool used) {
    SignatureElement element;
    element.semantic = std::move(name);
    element.type = type_of(place, member);
    element.stream = decorations.stream.value_or(0);
    element.index = decorations.index.value_or(0);
    const Peeled peeled = peel(place);
    const spirv::Type* scalar = peeled.type;
    std::uint32_t components = 1;
    while (scalar != nullptr && (scalar->kind == spirv::TypeKind::vector || scalar->kind == spirv::TypeKind::matrix)) {
      if (scalar->kind == spirv::TypeKind::vector) components = scalar->count;
      scalar = module_.type(scalar->element);
    }
    if (scalar != nullptr) element.component_type = component_type_of(*scalar);
    const std::uint32_t first = decorations.component.value_or(0);
    if (first < 4) element.mask = static_cast<std::uint8_t>(((1U << std::min(components, 4U)) - 1) << first & 0xf);
    element.used_mask = used ? element.mask : 0;
    element.register_index = kNoRegister;
    if (decorations.builtin) {
      element.built_in = enumerant_text(spirv::OperandKind::built_in, static_cast<std::uint32_t>(*decorations.builtin));
      element.system_value = system_value_of(*decorations.builtin);
    } else if (decorations.location) {
      element.register_index = *decorations.location;
    }
    if (stage == Stage::pixel && variable.storage == StorageClass::input && !decorations.builtin) {
      element.per_primitive = decorations.per_primitive;
      element.per_vertex = decorations.per_vertex || module_.of(variable).per_vertex;
      if (!element.per_vertex) element.interpolation = interpolation_of(decorations);
    }
    to.push_back(std::move(element));
  }

  void add_interface(EntryPoint& entry, const spirv::Variable& variable, bool used) {
    if (variable.storage != StorageClass::input && variable.storage != StorageClass::output) return;
    auto& side = variable.storage == StorageClass::input ? entry.inputs : entry.outputs;
    // A pixel shader's says that it takes no interpolated value.
    const bool is_per_vertex = entry.stage != Stage::pixel && spirv::is_per_vertex(module_, entry.stage, variable);
    const std::uint32_t type = is_per_vertex ? module_.type(variable.type)->element : variable.type;
    const Peeled peeled = peel(type);
    if (peeled.type == nullptr || peeled.type->kind != spirv::TypeKind::structure) {
      add_element(module_.of(variable).patch ? entry.patch_constants : side, variable, module_.of(variable),
                  name_of(variable.name, variable.id), type, nullptr, entry.stage, used);
      return;
    }
    // A block: its members one by one, each where it says, or after the one before.
    std::optional<std::uint32_t> location = module_.of(variable).location;
    std::uint32_t number = 0;
    for (const spirv::StructMember& member : module_.members_of(*peeled.type)) {
      spirv::Decorations decorations = spirv::of_member(module_.of(member), module_.of(variable));
      if (decorations.location) location = decorations.location;
      if (!decorations.builtin && !decorations.location) decorations.location = location;
      const std::string block = !variable.name.empty() ? variable.name : name_of(peeled.type->name, variable.id);
      std::string name = block + '.' + (member.name.empty() ? "_m" + std::to_string(number) : member.name);
      add_element(decorations.patch ? entry.patch_constants : side, variable, decorations, std::move(name), member.type,
                  &module_.of(member), entry.stage, used);
      if (location && !decorations.builtin) *location += locations_of(member.type);
      ++number;
    }
  }

  /// Locations that a value takes up: one for four components of 32 bits, two for three or four of 64, a matrix those of each column, a
  /// struct those of its members. src: Vulkan, "Location Assignment"
  std::uint32_t locations_of(std::uint32_t place) {
    constexpr std::uint64_t kMost = 0xffff;
    if (place >= module_.types.size()) return 0;
    if (locations_.empty()) {
      // a type refers only to those before it, but for pointers
      const auto of = [&](std::uint32_t type, std::size_t before) { return std::uint64_t{type < before ? locations_[type] : 1U}; };
      locations_.resize(module_.types.size());
      for (std::size_t i = 0; i < locations_.size(); ++i) {
        const spirv::Type& type = module_.types[i];
        std::uint64_t count = 1;
        switch (type.kind) {
          case spirv::TypeKind::matrix: count = type.count * of(type.element, i); break;
          case spirv::TypeKind::array:
          case spirv::TypeKind::runtime_array: count = std::max(type.count, 1U) * of(type.element, i); break;
          case spirv::TypeKind::structure:
            count = 0;
            for (const spirv::StructMember& member : module_.members_of(type)) count = std::min(count + of(member.type, i), kMost);
            break;
          case spirv::TypeKind::vector: {
            const spirv::Type* const scalar = module_.type(type.element);
            count = scalar != nullptr && scalar->width == 64 && type.count > 2 ? 2 : 1;
            break;
          }
          default: break;
        }
        locations_[i] = static_cast<std::uint32_t>(std::min(count, kMost));
      }
    }
    return locations_[place];
  }

  void add_entry_point(const spirv::EntryPoint& from) {
    EntryPoint entry;
    entry.name = from.name;
    entry.stage = spirv::stage_of(from.model);
    std::vector<std::uint32_t> interface;
    for (const std::uint32_t id : from.interface_ids)
      if (const std::uint32_t place = module_.find_variable(id); place != spirv::kNone) interface.push_back(place);
    for (const std::uint32_t place : interface)
      add_interface(entry, module_.variables[place], !from.is_use_known || std::ranges::binary_search(from.used, place));
    const auto by_place = [](const SignatureElement& a, const SignatureElement& b) {
      return std::tie(a.register_index, a.mask) < std::tie(b.register_index, b.mask);
    };
    for (auto* elements : {&entry.inputs, &entry.outputs, &entry.patch_constants}) std::ranges::stable_sort(*elements, by_place);
    for (const std::uint32_t place : from.used)
      if (resource_of_[place] != kNone) entry.resources.push_back(resource_of_[place]);
    add_modes(module_, from, entry);
    out_.entry_points.push_back(std::move(entry));
  }

  void add_constants() {
    for (const spirv::Constant& constant : module_.constants) {
      if (!constant.is_spec || !module_.of(constant).spec_id) continue;
      SpecializationConstant out;
      out.name = name_of(constant.name, constant.id);
      out.id = *module_.of(constant).spec_id;
      if (const spirv::Type* type = module_.type(constant.type); type != nullptr) out.type = base_type_of(*type);
      out.default_value = constant.value;
      out_.specialization_constants.push_back(std::move(out));
    }
  }

  static constexpr unsigned kDepth = 64;  // of nested structs
  static constexpr std::uint64_t kNoSize = ~std::uint64_t{0};

  const spirv::Interface& module_;
  const bool is_transposed_;
  Reflection& out_;
  std::map<std::tuple<std::uint32_t, bool, std::uint32_t>, std::uint32_t> types_;
  mutable std::vector<std::uint64_t> sizes_;
  std::unordered_map<std::uint32_t, std::uint64_t> encoded_bytes_;  // of types of encoded numbers, by index
  std::vector<std::uint32_t> locations_;                            // by the type in the module
  std::vector<bool> used_;
  std::vector<std::uint32_t> resource_of_;
  std::set<std::string> capabilities_;
  unsigned depth_ = 0;
};

// Each use of a type has its dimensions.
Result<void> check_arrays(const spirv::Module& module, const spirv::Interface& interface) {
  std::vector<unsigned> depths(interface.types.size(), 0);
  for (std::size_t at = 0; at < depths.size(); ++at) {
    const spirv::Type& type = interface.types[at];
    if (type.kind != spirv::TypeKind::array && type.kind != spirv::TypeKind::runtime_array) continue;
    depths[at] = 1 + (type.element < at ? depths[type.element] : 0);  // an element is before its array
    if (depths[at] <= limits::kNesting) continue;
    std::uint64_t offset = 0;
    for (const spirv::Instruction instruction : module)
      if (instruction.info() != nullptr && instruction.info()->has_result && !instruction.info()->has_type &&
          instruction.word(1) == type.id)
        offset = module.file_offset(instruction, 0);
    return Error{ErrorCode::limit, offset, '%' + std::to_string(type.id),
                 "arrays of arrays nest deeper than " + std::to_string(limits::kNesting)};
  }
  return {};
}

}  // namespace

Result<void> add_module(const spirv::Module& module, Reflection& reflection) {
  const spirv::Interface interface = spirv::interface_of(module);
  if (auto done = check_arrays(module, interface); !done) return done;
  SpirvBuilder(interface, has_transposed_matrices(module), reflection).build();
  return {};
}

Result<Reflection> reflect_spirv(const Shader& shader) {
  const auto& module = std::get<spirv::Module>(shader.content);
  Reflection reflection;
  reflection.major_version = static_cast<std::uint8_t>(module.header().major());
  reflection.minor_version = static_cast<std::uint8_t>(module.header().minor());
  reflection.creator = generator_name(module.header());
  if (auto done = add_module(module, reflection); !done) return std::move(done).error();
  return reflection;
}

}  // namespace unshade::shader::reflection
