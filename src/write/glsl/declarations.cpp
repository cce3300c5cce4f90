// Blocks, textures and memory as declarations.
// src: GLSL 4.60, 4.4.5 "Uniform and Shader Storage Block Layout Qualifiers"; OpenGL 4.6, 7.6.2.2 "Standard Uniform Block Layout"
#include <algorithm>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/text.hpp>

#include "write/glsl/glsl.hpp"

namespace unshade::write::glsl {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using dxcontainer::ReturnType;
using source::ByteLayout;
using source::kRegister;
using Kind = source::ByteLayout::Kind;

namespace {

constexpr std::uint32_t kLastSet = 62;  // of glslang

struct Extent {
  std::uint32_t alignment = 4, bytes = 4;
};

/// Alignment and size of parts by the rules of blocks; nothing if the part lies otherwise.
class Ruler {
 public:
  Ruler(const ByteLayout& layout, BlockRules rules) : layout_(layout), rules_(rules) {}

  std::optional<Extent> extent(std::uint32_t at, unsigned depth = 0) const {
    const ByteLayout::Part& part = layout_.parts[at];
    if (depth > 32) return std::nullopt;
    switch (part.kind) {
      case Kind::scalar: return Extent{part.bytes, part.bytes};
      case Kind::vector: return vector(bits_of(part.base) / 8, part.count);
      case Kind::rows:
      case Kind::columns: {
        if (!is_real(part.base) || part.count < 2 || part.across < 2 || part.count > 4 || part.across > 4) return std::nullopt;
        Extent made = vector(bits_of(part.base) / 8, part.across);
        if (rules_ == BlockRules::std140) made.alignment = round_up(made.alignment, kRegister);
        if (round_up(made.bytes, made.alignment) != part.stride) return std::nullopt;
        return Extent{made.alignment, part.stride * part.count};
      }
      case Kind::array: {
        auto made = extent(part.inner, depth + 1);
        if (!made) return std::nullopt;
        if (rules_ == BlockRules::std140) made->alignment = round_up(made->alignment, kRegister);
        if (round_up(made->bytes, made->alignment) != part.stride) return std::nullopt;
        return Extent{made->alignment, part.stride * std::max(1U, part.count)};
      }
      case Kind::structure: {
        Extent made{1, 0};
        for (const ByteLayout::Member& member : part.members) {
          const auto inner = extent(member.part, depth + 1);
          if (!inner || round_up(made.bytes, inner->alignment) != member.offset) return std::nullopt;
          made.bytes = member.offset + inner->bytes;
          made.alignment = std::max(made.alignment, inner->alignment);
        }
        if (rules_ == BlockRules::std140) made.alignment = round_up(made.alignment, kRegister);
        made.bytes = round_up(made.bytes, made.alignment);
        return made;
      }
    }
    return std::nullopt;
  }

 private:
  Extent vector(std::uint32_t scalar, std::uint32_t count) const {
    const std::uint32_t aligned = rules_ == BlockRules::scalar ? scalar : scalar * (count == 1 ? 1 : count == 2 ? 2 : 4);
    return {aligned, scalar * count};
  }

  const ByteLayout& layout_;
  BlockRules rules_;
};

/// Whether matrices within a part are in rows: 1, in columns: 2, or both.
unsigned matrices_of(const ByteLayout& layout, std::uint32_t at) {
  const ByteLayout::Part& part = layout.parts[at];
  switch (part.kind) {
    case Kind::rows: return 1;
    case Kind::columns: return 2;
    case Kind::array: return matrices_of(layout, part.inner);
    case Kind::structure: {
      unsigned made = 0;
      for (const ByteLayout::Member& member : part.members) made |= matrices_of(layout, member.part);
      return made;
    }
    default: return 0;
  }
}

/// Of a constant or storage buffer: members have offsets of their own.
bool is_block(const ByteLayout& layout) {
  const ByteLayout::Part& root = layout.parts[layout.root];
  return root.kind == Kind::structure && root.type == ir::kNone && root.is_block;
}

}  // namespace

// Members of a block may have offsets; those of structures lie one after the other.
bool Glsl::fits(const ByteLayout& layout, BlockRules rules) const {
  const Ruler ruler(layout, rules);
  if (!is_block(layout)) {
    const auto made = ruler.extent(layout.root);
    const ByteLayout::Part& root = layout.parts[layout.root];
    return made && matrices_of(layout, layout.root) != 3 && (root.bytes == 0 || made->bytes == round_up(root.bytes, made->alignment)) &&
           (root.kind != Kind::structure || made->bytes == root.bytes);
  }
  const bool has_offsets = has({440, 0});
  std::uint32_t after = 0;
  for (const ByteLayout::Member& member : layout.parts[layout.root].members) {
    const auto made = ruler.extent(member.part);
    if (!made || matrices_of(layout, member.part) == 3) return false;
    const std::uint32_t natural = round_up(after, made->alignment);
    if (has_offsets ? member.offset < after || member.offset % made->alignment != 0 : member.offset != natural) return false;
    after = member.offset + made->bytes;
  }
  return true;
}

std::optional<BlockRules> Glsl::rules_of(const ByteLayout& layout, bool is_constants) const {
  const BlockRules usual = is_constants ? BlockRules::std140 : BlockRules::std430;
  if (fits(layout, usual)) return usual;
  if (is_vulkan() && fits(layout, BlockRules::scalar)) return BlockRules::scalar;
  return std::nullopt;
}

bool Glsl::can_lay_out(const ByteLayout& layout) const {
  return rules_of(layout, is_block(layout) && !layout.parts[layout.root].is_packed).has_value();
}

std::string Glsl::part_type(const ByteLayout& layout, std::uint32_t part) const {
  const ByteLayout::Part& of = layout.parts[part];
  switch (of.kind) {
    case Kind::scalar: return type_name({of.base, 1});
    case Kind::vector: return type_name({of.base, static_cast<std::uint8_t>(of.count)});
    case Kind::rows:
    case Kind::columns: {
      const std::uint32_t columns = of.kind == Kind::rows ? of.across : of.count, rows = of.kind == Kind::rows ? of.count : of.across;
      (void)type_name({of.base, 1});
      return std::string(of.base == Base::double_ ? "dmat"
                         : of.base == Base::half  ? "f16mat"
                                                  : "mat") +
             std::to_string(columns) + (rows == columns ? "" : 'x' + std::to_string(rows));
    }
    case Kind::array: return part_type(layout, of.inner);
    case Kind::structure: return structure_name(layout, part);
  }
  return {};
}

namespace {

std::string_view word_of(BlockRules rules) {
  return rules == BlockRules::std140 ? "std140" : rules == BlockRules::std430 ? "std430" : "scalar";
}

enum class Points : std::uint8_t { uniforms, buffers, images, textures };

Points points_of(const ir::Resource& resource) {
  switch (resource.kind) {
    case ResourceKind::cbuffer: return Points::uniforms;
    case ResourceKind::uav_typed: return Points::images;
    case ResourceKind::texture:
    case ResourceKind::tbuffer:
    case ResourceKind::sampler: return Points::textures;
    default: return Points::buffers;
  }
}

}  // namespace

// In OpenGL kinds of resources have binding points of their own: the register, or the next one that is free.
std::uint32_t Glsl::binding_point(std::uint32_t resource) const {
  if (points_.empty()) {
    std::map<Points, std::set<std::uint32_t>> taken;
    for (std::uint32_t at = 0; at < writer_.module.resources.size(); ++at) {
      const ir::Resource& of = writer_.module.resources[at];
      if (of.kind == ResourceKind::sampler) continue;
      std::set<std::uint32_t>& all = taken[points_of(of)];
      const std::uint32_t count = std::max(1U, of.count);
      std::uint32_t point = of.first_register;
      const auto next = all.lower_bound(point);
      if (next != all.end() && *next < point + count) point = *all.rbegin() + 1;
      for (std::uint32_t k = 0; k < std::min(count, 1024U); ++k) all.insert(point + k);
      points_[at] = point;
    }
  }
  const auto found = points_.find(resource);
  return found == points_.end() ? 0 : found->second;
}

// A binding of OpenGL that nothing has.
std::uint32_t Glsl::free_binding(std::uint32_t like) const {
  const Points points = points_of(writer_.module.resources[like]);
  std::uint32_t& next = next_binding_[static_cast<std::uint32_t>(points)];
  if (next == 0) {
    for (std::uint32_t at = 0; at < writer_.module.resources.size(); ++at) {
      const ir::Resource& one = writer_.module.resources[at];
      if (points_of(one) == points) next = std::max(next, binding_point(at) + std::max(1U, one.count));
    }
  }
  return next++;
}

// `layout(std140, set = 0, binding = 256) `
std::string Glsl::layout_at(std::uint32_t resource, std::string_view more, std::optional<std::uint32_t> other) const {
  const ir::Resource& of = writer_.module.resources[resource];
  std::string made(more);
  const auto add = [&](const std::string& text) { made += (made.empty() ? "" : ", ") + text; };
  if (is_vulkan() && of.space == kPushConstants) {
    add("push_constant");
  } else if (is_vulkan()) {
    const Place place = places_.of(resource);
    if (place.set > kLastSet)
      writer_.unsupported("the register space " + std::to_string(place.set) + ", since compilers of GLSL take sets up to " +
                          std::to_string(kLastSet));
    add("set = " + std::to_string(place.set));
    add("binding = " + std::to_string(other ? *other : place.binding));
  } else if (has({420, 310})) {
    add("binding = " + std::to_string(other ? *other : binding_point(resource)));
  }
  return made.empty() ? made : "layout(" + made + ") ";
}

// The registers of Direct3D, as a comment.
std::string Glsl::registers(const ir::Resource& of) const {
  if (of.in_set || of.heap || writer_.is_of_pica()) return {};
  return "  // " + std::string(1, letter_of(of.kind)) + std::to_string(of.first_register) +
         (of.space == 0 ? "" : ", space" + std::to_string(of.space));
}

std::string Glsl::array_of(const ir::Resource& of) const {
  if (of.count == 1) return {};
  if (of.count != 0) return '[' + std::to_string(of.count) + ']';
  needs("arrays of resources without a bound", {0, 0}, is_vulkan() ? "GL_EXT_nonuniform_qualifier" : "");
  return "[]";
}

void Glsl::declare_constants(Text& out, std::uint32_t resource) {
  const ir::Resource& of = writer_.module.resources[resource];
  const source::Memory& memory = writer_.memory_of(resource);
  const ByteLayout& layout = memory.layout;
  const std::string& name = writer_.resource_name(resource);
  const BlockRules rules =
      memory.is_registers ? BlockRules::std140 : rules_of(layout, !layout.parts[layout.root].is_packed).value_or(BlockRules::std140);
  if (rules == BlockRules::scalar) extension("GL_EXT_scalar_block_layout");
  declare_structures(out, layout, true);
  const bool is_array = of.count != 1;
  const std::string block =
      is_array ? writer_.names.claim(writer_.name_of_resource(resource) + "_block", resource, source::Names::Kind::resource).shown : name;
  if (is_array) needs("arrays of blocks with bindings", {420, 310});
  if (memory.is_indexed) {
    // names of registers, which are reached by computed indexes
    for (const shader::Buffer& buffer : writer_.reflection->buffers) {
      if (!buffer.name.ends_with('c')) continue;
      for (const shader::Variable& one : buffer.variables) {
        const std::uint32_t first = one.offset / kRegister, last = (one.offset + std::max(one.size, 1U) - 1) / kRegister;
        if (one.name == 'c' + std::to_string(first)) continue;
        out << "// c[" << std::to_string(first) << "]" << (last == first ? "" : " to c[" + std::to_string(last) + ']') << ": " << one.name
            << '\n';
      }
    }
  }
  out << layout_at(resource, word_of(rules)) << "uniform " << block << " {" << registers(of) << '\n';
  if (memory.is_registers) {
    out << "  " << declaration(layout, layout.root, memory.name) << ";\n";
  } else {
    print_members(out, layout, rules);
  }
  out << '}' << (is_array ? ' ' + name + array_of(of) : "") << ";\n\n";
}

// Members of a block, with what is not as the rules have it.
void Glsl::print_members(Text& out, const ByteLayout& layout, BlockRules rules) const {
  const Ruler ruler(layout, rules);
  std::uint32_t after = 0;
  for (const ByteLayout::Member& member : layout.parts[layout.root].members) {
    const auto extent = ruler.extent(member.part).value_or(Extent{});
    std::string qualifiers;
    if (round_up(after, extent.alignment) != member.offset) qualifiers = "offset = " + std::to_string(member.offset);
    if (matrices_of(layout, member.part) == 1) qualifiers += std::string(qualifiers.empty() ? "" : ", ") + "row_major";
    out << "  " << (qualifiers.empty() ? "" : "layout(" + qualifiers + ") ") << declaration(layout, member.part, member.name) << ";\n";
    after = member.offset + extent.bytes;
  }
}

// A storage buffer of SPIR-V.
void Glsl::declare_block(Text& out, std::uint32_t resource) {
  const ir::Resource& of = writer_.module.resources[resource];
  const source::Memory& memory = writer_.memory_of(resource);
  const BlockRules rules = rules_of(memory.layout, false).value_or(BlockRules::std430);
  if (rules == BlockRules::scalar) extension("GL_EXT_scalar_block_layout");
  declare_structures(out, memory.layout, true);
  out << layout_at(resource, word_of(rules)) << (is_uav(of.kind) ? "" : "readonly ") << (of.coherent ? "coherent " : "") << "buffer "
      << memory.block << " {\n";
  print_members(out, memory.layout, rules);
  out << '}' << (memory.name.empty() ? "" : ' ' + memory.name + array_of(of)) << ";\n\n";
}

void Glsl::declare_buffer(Text& out, std::uint32_t resource) {
  needs("storage buffers", {430, 310});
  if (writer_.has_memory(resource) && !writer_.memory_of(resource).block.empty()) return declare_block(out, resource);
  const ir::Resource& of = writer_.module.resources[resource];
  const std::string& name = writer_.resource_name(resource);
  const bool is_array = of.count != 1, is_raw = of.stride == 0;
  BlockRules rules = BlockRules::std430;
  std::string element = "uint";
  if (!is_raw) {
    const ByteLayout& layout = writer_.memory_of(resource).layout;
    const auto found = rules_of(layout, false);
    if (!found) return writer_.unsupported("a structured buffer whose elements lie otherwise than those of GLSL");
    rules = *found;
    if (rules == BlockRules::scalar) extension("GL_EXT_scalar_block_layout");
    declare_structures(out, layout, false);
    element = part_type(layout, layout.root);
    if (matrices_of(layout, layout.root) == 1) element = "layout(row_major) " + element;
  }
  std::string qualifiers;
  if (!is_uav(of.kind)) qualifiers += "readonly ";
  if (of.coherent) qualifiers += "coherent ";
  const auto block = [&](const std::string& suffix, const std::string& body, const std::string& instance) {
    const std::string title =
        writer_.names.claim(writer_.name_of_resource(resource) + suffix, resource, source::Names::Kind::resource).shown;
    out << layout_at(resource, word_of(rules)) << qualifiers << "buffer " << title << " {" << registers(of) << "\n  " << body << ";\n}"
        << (is_array ? ' ' + instance + array_of(of) : "") << ";\n\n";
  };
  std::string tail = "[]";
  if (!is_raw) {
    const ByteLayout& layout = writer_.memory_of(resource).layout;
    for (std::uint32_t at = layout.root; layout.parts[at].kind == Kind::array; at = layout.parts[at].inner)
      tail += '[' + std::to_string(layout.parts[at].count) + ']';
  }
  block("_buffer", element + ' ' + (is_array ? "data" : name) + tail, name);
  for (const auto& [of_buffer, base] : views_) {
    if (of_buffer != resource) continue;
    const std::string view(view_suffix(base));
    block(view + "_buffer", type_name({base, 1}) + ' ' + (is_array ? "data" : name + view) + tail, name + view);
  }
  if (counter_bindings_.contains(resource)) {
    out << layout_at(resource, "std430", counter_bindings_.at(resource)) << "buffer "
        << writer_.names.claim(writer_.name_of_resource(resource) + "_counter_buffer", resource, source::Names::Kind::resource).shown
        << " {\n  uint " << (is_array ? "data" : name + "_counter") << ";\n}" << (is_array ? ' ' + name + "_counter" + array_of(of) : "")
        << ";\n\n";
  }
}

Base Glsl::texel_base(std::uint32_t resource) const {
  const ReturnType type = writer_.module.resources[resource].return_type;
  if (const auto wide = wide_texels_.find(resource); wide != wide_texels_.end())
    return wide->second || type == ReturnType::sint ? Base::int64 : Base::uint64;
  switch (type) {
    case ReturnType::sint: return Base::int_;
    case ReturnType::uint: return Base::uint_;
    default: return Base::float_;
  }
}

// `utexture2DArray`
std::string Glsl::texture_word(std::uint32_t resource, std::string_view kind, bool is_comparison) const {
  const ir::Resource& of = writer_.module.resources[resource];
  const Base base = texel_base(resource);
  std::string made = is_real(base) ? "" : is_signed(base) ? "i" : "u";
  if (bits_of(base) == 64) {
    (void)type_name({base, 1});
    needs("texels of 64 bits", {0, 0}, is_vulkan() ? "GL_EXT_shader_image_int64" : "");
    made += "64";
  }
  made += kind;
  using D = ResourceDimension;
  switch (of.dimension) {
    case D::buffer:
      needs("buffer textures", {140, 320});
      made += "Buffer";
      break;
    case D::texture1d:
    case D::texture1d_array:
      needs("one-dimensional textures", {130, 0});
      made += of.dimension == D::texture1d ? "1D" : "1DArray";
      break;
    case D::texture2d: made += "2D"; break;
    case D::texture2d_array: made += "2DArray"; break;
    case D::texture2d_ms:
      needs("multisampled textures", {150, 310});
      made += "2DMS";
      break;
    case D::texture2d_ms_array:
      needs("arrays of multisampled textures", {150, 320});
      made += "2DMSArray";
      break;
    case D::texture3d: made += "3D"; break;
    case D::texture_cube: made += "Cube"; break;
    case D::texture_cube_array:
      needs("arrays of cubes", {400, 320});
      made += "CubeArray";
      break;
    default: writer_.unsupported("a texture of the dimension " + std::string(id(of.dimension))); break;
  }
  return made + (is_comparison ? "Shadow" : "");
}

void Glsl::declare_textures(Text& out, std::uint32_t resource) {
  const ir::Resource& of = writer_.module.resources[resource];
  const std::string& name = writer_.resource_name(resource);
  const std::string tail = array_of(of) + ';' + registers(of) + '\n';
  const std::string precision = is_es() ? "highp " : "";
  switch (of.kind) {
    case ResourceKind::sampler: {
      if (!is_vulkan()) return;
      bool any = false;
      for (const auto& [which, own] : samplers_) {
        if (which.first != resource) continue;
        out << layout_at(resource, "") << "uniform " << (which.second ? "samplerShadow " : "sampler ") << own << tail;
        any = true;
      }
      if (!any && !writer_.is_of_pair(resource))
        out << layout_at(resource, "") << "uniform " << (of.comparison ? "samplerShadow " : "sampler ") << name << tail;
      return;
    }
    case ResourceKind::texture:
    case ResourceKind::tbuffer: {
      if (is_attachment(of)) {
        const bool is_ms = dxcontainer::is_multisampled(of.dimension);
        const Base base = texel_base(resource);
        out << layout_at(resource, "input_attachment_index = " + std::to_string(of.attachment)) << "uniform "
            << (base == Base::int_    ? "i"
                : base == Base::uint_ ? "u"
                                      : "")
            << (is_ms ? "subpassInputMS " : "subpassInput ") << name << tail;
        return;
      }
      const bool is_pair = writer_.pair_of(resource) != ir::kNone;
      const auto own = apart_.find(resource);
      if (is_vulkan() && (!is_pair || own != apart_.end()))
        out << layout_at(resource, "") << "uniform " << texture_word(resource, "texture", false) << ' ' << (is_pair ? own->second : name)
            << tail;
      if (is_vulkan() && !is_pair) return;
      if (is_vulkan() && own == apart_.end() && std::ranges::find(combined_, resource, &Combined::texture) == combined_.end())
        out << layout_at(resource, "") << "uniform " << texture_word(resource, "sampler", false) << ' ' << name << tail;
      bool is_first = true;
      for (const Combined& one : combined_) {
        if (one.texture != resource) continue;
        const auto other = is_first || is_vulkan() ? std::optional<std::uint32_t>() : std::optional(free_binding(resource));
        out << layout_at(resource, "", other) << "uniform " << precision << texture_word(resource, "sampler", one.is_comparison) << ' '
            << one.name << array_of(of) << ';' << registers(of);
        if (one.sampler != ir::kNone && !of.in_set) out << ", s" << std::to_string(writer_.module.resources[one.sampler].first_register);
        out << '\n';
        is_first = false;
      }
      return;
    }
    case ResourceKind::uav_typed: {
      needs("images", {420, 310});
      std::string format;
      const bool is_loaded = loaded_.contains(resource), is_stored = stored_.contains(resource);
      const Base base = texel_base(resource);
      const std::string_view number = is_real(base) ? "f" : is_signed(base) ? "i" : "ui";
      if (of.format != ir::ImageFormat::unknown) {
        format = text(of.format);
      } else if (atomics_.contains(resource) || bits_of(base) == 64) {
        format = (bits_of(base) == 64 ? "r64" : "r32") + std::string(number);
      } else if (is_es()) {
        const auto* const row = writer_.reflected(of);
        const bool is_one = row != nullptr && row->components == 1;
        format = (is_one ? "r32" : "rgba32") + std::string(number);
        if (!is_one && is_loaded && is_stored)
          writer_.unsupported("images of several components that are read and written, which GLSL ES does not have");
      } else if (is_loaded) {
        extension("GL_EXT_shader_image_load_formatted");
      }
      std::string qualifiers;
      if (!is_stored) qualifiers += "readonly ";
      if (!is_loaded) qualifiers += "writeonly ";
      if (of.coherent) qualifiers += "coherent ";
      if (dxcontainer::is_multisampled(of.dimension)) needs("multisampled images", {420, 0});
      out << layout_at(resource, format) << qualifiers << "uniform " << precision << texture_word(resource, "image", false) << ' ' << name
          << tail;
      return;
    }
    default: writer_.unsupported("a resource of the kind " + std::string(id(of.kind))); return;
  }
}

// Only what is accessed is declared.
void Glsl::declare_variable(Text& out, std::uint32_t variable) {
  const ir::Variable& of = writer_.module.variables[variable];
  const source::Memory& memory = writer_.variable(variable);
  const ByteLayout& layout = memory.layout;
  if (of.space == ir::Space::payload) out << "taskPayloadSharedEXT ";
  if (of.space == ir::Space::group) out << "shared ";
  if (of.space == ir::Space::constant) out << "const ";
  out << declaration(layout, layout.root, memory.name);
  if (!of.initial.empty()) {
    // each element in turn, as the layout nests them
    const auto bits_at = [&](std::uint32_t byte, std::uint32_t count) {
      std::uint64_t bits = 0;
      for (std::uint32_t k = 0; k < count && byte + k < of.initial.size(); ++k)
        bits |= std::to_integer<std::uint64_t>(of.initial[byte + k]) << (8 * k);
      return bits;
    };
    std::string values;
    constexpr std::size_t kMostText = 1U << 20;
    const auto add = [&](const auto& self, std::uint32_t part, std::uint32_t byte) -> void {
      const ByteLayout::Part& one = layout.parts[part];
      if (values.size() > kMostText) return writer_.unsupported("a table of so many numbers");
      if (one.kind == Kind::scalar) {
        values += literal(one.base, bits_at(byte, one.bytes), false);
        return;
      }
      values += declaration(layout, part, "").erase(part_type(layout, part).size(), 1) + '(';
      for (std::uint32_t k = 0; k < one.count; ++k) {
        if (k != 0) values += ", ";
        self(self, one.inner, byte + k * one.stride);
      }
      values += ')';
    };
    add(add, layout.root, 0);
    out << " = " << values;
  }
  out << ";\n";
}

void Glsl::declare(Text& out) {
  const ir::Module& module = writer_.module;
  Text body;
  declare_stage(body);
  for (std::uint32_t at = 0; at < module.resources.size(); ++at)
    if (module.resources[at].kind == ResourceKind::cbuffer && is_declared(at)) declare_constants(body, at);
  bool any = false;
  for (std::uint32_t at = 0; at < module.resources.size(); ++at) {
    const ir::Resource& of = module.resources[at];
    if (!is_declared(at) || of.kind == ResourceKind::cbuffer) continue;
    const std::size_t before = body.view().size();
    if (points_of(of) == Points::buffers) {
      if (any) body << '\n';
      any = false;
      declare_buffer(body, at);
    } else {
      declare_textures(body, at);
      any = any || body.view().size() != before;
    }
  }
  if (any) body << '\n';
  any = false;
  for (std::uint32_t at = 0; at < module.variables.size(); ++at) {
    if (!writer_.is_variable_used(at)) continue;
    declare_variable(body, at);
    any = true;
  }
  if (any) body << '\n';
  declare_interface(body);
  for (const std::string& text : writer_.helpers()) body << text << '\n';
  // what all of this asks for comes first
  out << "#version " << std::to_string(version_) << (is_es() ? " es" : !is_vulkan() && version_ < 450 ? " core" : "") << '\n';
  for (const std::string& name : extensions_) out << "#extension " << name << " : require\n";
  if (is_es()) out << "precision highp float;\nprecision highp int;\n";
  out << '\n' << body.view();
}

}  // namespace unshade::write::glsl

namespace unshade::write::source {

std::unique_ptr<Target> make_glsl(ModuleWriter& writer) { return std::make_unique<glsl::Glsl>(writer); }

}  // namespace unshade::write::source
