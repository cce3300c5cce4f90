// The reflection as HLSL declarations.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/shader/reflection.hpp>

#include "core/characters.hpp"
#include "shader/reflect/hlsl_vulkan.hpp"

namespace unshade::shader::reflection {

namespace {

using dxcontainer::ComponentType;
using dxcontainer::MinPrecision;
using dxcontainer::SystemValue;

// --- names -------------------------------------------------------------------------------------------------------------------------

// Sorted. src: the pages "Keywords" and "Reserved Words" of the HLSL reference; words that C++ compilers of HLSL reserve besides.
// clang-format off
constexpr std::string_view kReserved[] = {
    "AppendStructuredBuffer", "BlendState", "Buffer", "ByteAddressBuffer", "CompileShader", "ComputeShader", "ConstantBuffer",
    "ConsumeStructuredBuffer", "DepthStencilState", "DepthStencilView", "DomainShader", "GeometryShader", "Hullshader", "InputPatch",
    "LineStream", "NULL", "OutputPatch", "PixelShader", "PointStream", "RWBuffer", "RWByteAddressBuffer", "RWStructuredBuffer",
    "RWTexture1D", "RWTexture1DArray", "RWTexture2D", "RWTexture2DArray", "RWTexture3D", "RasterizerState", "RenderTargetView",
    "SamplerComparisonState", "SamplerState", "StructuredBuffer", "Texture1D", "Texture1DArray", "Texture2D", "Texture2DArray",
    "Texture2DMS", "Texture2DMSArray", "Texture3D", "TextureCube", "TextureCubeArray", "TriangleStream", "VertexShader", "asm",
    "asm_fragment", "auto", "bool", "break", "case", "catch", "cbuffer", "centroid", "char", "class", "column_major", "compile",
    "compile_fragment", "const", "const_cast", "continue", "default", "delete", "discard", "do", "double", "dword", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "fxgroup", "globallycoherent", "goto",
    "groupshared", "half", "if", "in", "inline", "inout", "int", "interface", "line", "lineadj", "linear", "long", "matrix",
    "min10float", "min12int", "min16float", "min16int", "min16uint", "mutable", "namespace", "new", "nointerpolation", "noperspective",
    "operator", "out", "packoffset", "pass", "pixelfragment", "point", "precise", "private", "protected", "public", "register",
    "reinterpret_cast", "return", "row_major", "sample", "sampler", "sampler1D", "sampler2D", "sampler3D", "samplerCUBE",
    "sampler_state", "shared", "short", "signed", "sizeof", "snorm", "stateblock", "stateblock_state", "static", "static_cast",
    "string", "struct", "switch", "tbuffer", "technique", "technique10", "technique11", "template", "texture", "texture1D", "texture2D",
    "texture3D", "textureCUBE", "this", "throw", "triangle", "triangleadj", "true", "try", "typedef", "typename", "uint", "uniform",
    "union", "unorm", "unsigned", "using", "vector", "vertexfragment", "virtual", "void", "volatile", "while",
};
// clang-format on
static_assert(std::ranges::is_sorted(kReserved));

/// Whether a word is a type that has its sizes in its name: `float4`, `uint2x3`.
bool is_numeric_type(std::string_view word) {
  constexpr std::string_view kScalars[] = {"bool",  "int",        "uint",       "half",     "float",    "double",
                                           "dword", "min10float", "min16float", "min12int", "min16int", "min16uint"};
  for (const std::string_view scalar : kScalars) {
    if (!word.starts_with(scalar)) continue;
    const std::string_view rest = word.substr(scalar.size());
    const auto is_size = [&](std::size_t i) { return rest[i] >= '1' && rest[i] <= '4'; };
    if (rest.size() == 1 && is_size(0)) return true;
    if (rest.size() == 3 && is_size(0) && rest[1] == 'x' && is_size(2)) return true;
  }
  return false;
}

/// An identifier that resembles a name.
std::string mended(std::string_view name) {
  std::string word;
  word.reserve(name.size() + 1);
  for (const char c : name) {
    if (c == ']') continue;
    word += is_name_character(c) ? c : '_';
  }
  if (word.empty() || is_digit(word.front())) word.insert(word.begin(), '_');
  if (std::ranges::binary_search(kReserved, std::string_view(word)) || is_numeric_type(word)) word += '_';
  return word;
}

/// The identifiers of a scope.
class Names {
 public:
  /// An identifier like `name` that was not claimed before.
  std::string claim(std::string_view name) {
    const std::string wanted = mended(name);
    if (used_.insert(wanted).second) return wanted;
    // Where many things share a name, counting goes on from the last one.
    for (std::uint32_t& number = last_[wanted];;) {
      std::string other = wanted + '_' + std::to_string(++number);
      if (used_.insert(other).second) return other;
    }
  }

 private:
  std::set<std::string> used_;
  std::map<std::string, std::uint32_t> last_;
};

/// Text from a file inside a comment that ends with the line.
void print_comment_text(Text& out, std::string_view text) {
  for (const char c : text) out << (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c == '\\' ? '/' : c);
}

// --- types -------------------------------------------------------------------------------------------------------------------------

bool is_scalar_word(BaseType type) {
  switch (type) {
    case BaseType::bool_:
    case BaseType::int_:
    case BaseType::float_:
    case BaseType::uint_:
    case BaseType::double_:
    case BaseType::min10float:
    case BaseType::min16float:
    case BaseType::min12int:
    case BaseType::min16int:
    case BaseType::min16uint: return true;
    default: return false;
  }
}

bool is_matrix(const Type& type) { return type.type_class == TypeClass::matrix_rows || type.type_class == TypeClass::matrix_columns; }
bool is_numeric(const Type& type) {
  return type.type_class == TypeClass::scalar || type.type_class == TypeClass::vector || is_matrix(type);
}
bool is_interface(const Type& type) {
  return type.type_class == TypeClass::interface_pointer || (type.type_class == TypeClass::interface_class && !type.is_struct());
}

constexpr std::uint64_t kRegisterBytes = 16;
constexpr std::uint64_t round_up(std::uint64_t bytes) { return (bytes + kRegisterBytes - 1) / kRegisterBytes * kRegisterBytes; }

constexpr std::uint32_t kMaxLanes = 4;
std::uint32_t lanes(std::uint32_t count) { return std::clamp(count, 1U, kMaxLanes); }

class HlslPrinter {
 public:
  HlslPrinter(const Reflection& reflection, Text& out) : reflection_(reflection), out_(out), vulkan_(reflection.has_descriptor_sets()) {}

  void print() {
    connect();
    claim_names();
    print_heading();
    if (vulkan_) print_constants();
    print_types();
    for (std::uint32_t i = 0; i < reflection_.buffers.size(); ++i) print_buffer(i);
    for (std::uint32_t i = 0; i < reflection_.resources.size(); ++i) print_resource(i);
    if (reflection_.effect) print_effect(*reflection_.effect);
    for (const EntryPoint& entry : reflection_.entry_points) print_signatures(entry);
  }

 private:
  const Type* type(std::uint32_t index) const { return index < reflection_.types.size() ? &reflection_.types[index] : nullptr; }

  // --- what belongs to what ---

  void connect() {
    bound_.assign(reflection_.buffers.size(), nullptr);
    for (const Resource& resource : reflection_.resources) {
      if (resource.buffer < bound_.size() && bound_[resource.buffer] == nullptr) bound_[resource.buffer] = &resource;
    }
  }

  bool is_block(const Buffer& buffer) const { return buffer.kind == BufferKind::cbuffer || buffer.kind == BufferKind::tbuffer; }
  bool is_block(const Resource& resource) const { return resource.kind == ResourceKind::cbuffer || resource.kind == ResourceKind::tbuffer; }

  /// Names of files stay as they are where they can: variables first, then resources, then buffers, whose names nothing refers to.
  void claim_names() {
    variable_names_.resize(reflection_.buffers.size());
    for (std::size_t i = 0; i < reflection_.buffers.size(); ++i) {
      const Buffer& buffer = reflection_.buffers[i];
      if (!is_block(buffer) && buffer.kind != BufferKind::interface_pointers) continue;
      if (is_object(buffer, bound_[i])) continue;
      for (const Variable& variable : buffer.variables) variable_names_[i].push_back(names_.claim(variable.name));
    }
    resource_names_.resize(reflection_.resources.size());
    for (std::size_t i = 0; i < reflection_.resources.size(); ++i) {
      if (!is_block(reflection_.resources[i])) resource_names_[i] = names_.claim(reflection_.resources[i].name);
    }
    for (std::size_t i = 0; i < reflection_.resources.size(); ++i) {
      if (is_block(reflection_.resources[i])) resource_names_[i] = names_.claim(reflection_.resources[i].name);
    }
    buffer_names_.resize(reflection_.buffers.size());
    for (std::size_t i = 0; i < reflection_.buffers.size(); ++i) {
      if (!is_block(reflection_.buffers[i])) continue;
      buffer_names_[i] = bound_[i] != nullptr ? resource_names_[static_cast<std::size_t>(bound_[i] - reflection_.resources.data())]
                                              : names_.claim(reflection_.buffers[i].name);
    }
  }

  /// The struct of a buffer that was declared as `ConstantBuffer<T>`, or kNone: compilers write it as one variable with the buffer's name.
  /// observed: fxc 10.1, where arrays of buffers give the variable an element count of 1.
  std::uint32_t object_type(const Buffer& buffer) const {
    if (reflection_.major_version < 5 || (reflection_.major_version == 5 && reflection_.minor_version == 0)) return kNone;
    if (buffer.variables.size() != 1 || buffer.variables[0].name != buffer.name) return kNone;
    const Type* of = type(buffer.variables[0].type);
    return of != nullptr && of->is_struct() && of->elements <= 1 ? buffer.variables[0].type : kNone;
  }

  /// Whether a buffer is written as `ConstantBuffer<T>`: the only form that has arrays.
  bool is_object(const Buffer& buffer, const Resource* resource) const {
    if (resource == nullptr || buffer.kind != BufferKind::cbuffer) return false;
    return resource->bind_count != 1 || object_type(buffer) != kNone;
  }

  // --- heading ---

  void print_heading() {
    out_ << "// " << (reflection_.profile.empty() ? std::string_view("shader") : std::string_view(reflection_.profile));
    if (!reflection_.creator.empty()) print_comment_text(out_ << ", ", reflection_.creator);
    out_ << '\n';
    if (reflection_.rebuilt)
      out_ << "// The resource definitions were stripped: what follows is rebuilt from the declarations, with names made up.\n";
    for (const EntryPoint& entry : reflection_.entry_points) {
      if (!entry.thread_group) continue;
      out_ << "// [numthreads(";
      for (unsigned i = 0; i < 3; ++i) (out_ << (i == 0 ? "" : ", ")).dec((*entry.thread_group)[i]);
      out_ << ")]";
      for (unsigned i = 0; i < 3; ++i)
        if (entry.thread_group_constants[i] != kNone)
          (out_ << ", " << "xyz"[i] << " is specialization constant ").dec(entry.thread_group_constants[i]);
      out_ << '\n';
    }
  }

  void print_constants() {
    for (const SpecializationConstant& constant : reflection_.specialization_constants) {
      (out_ << "[[vk::constant_id(").dec(constant.id) << ")]] const " << scalar_word(constant.type) << ' ' << names_.claim(constant.name);
      switch (constant.type) {
        case BaseType::bool_: out_ << (constant.default_value != 0 ? " = true" : " = false"); break;
        case BaseType::float_: add_float(std::bit_cast<float>(static_cast<std::uint32_t>(constant.default_value))); break;
        case BaseType::double_: add_float(std::bit_cast<double>(constant.default_value)); break;
        case BaseType::int_:
        case BaseType::int64: (out_ << " = ").dec_signed(static_cast<std::int64_t>(constant.default_value)); break;
        case BaseType::uint_:
        case BaseType::uint64: (out_ << " = ").dec(constant.default_value); break;
        default: out_ << " = 0"; break;
      }
      out_ << ";\n";
    }
  }
  template <class Float>
  void add_float(Float value) {
    // Infinities and what is no number have no literal.
    (out_ << " = ").shortest(value - value == 0 ? value : Float{0});
  }

  // --- structs ---

  void print_types() {
    // A type stands behind all that it refers to, so one pass from the end finds what is needed.
    std::vector<bool> needed(reflection_.types.size(), false);
    const auto need = [&](std::uint32_t index) {
      if (index < needed.size()) needed[index] = true;
    };
    for (const Buffer& buffer : reflection_.buffers)
      for (const Variable& variable : buffer.variables) need(variable.type);
    if (vulkan_)
      for (const EntryPoint& entry : reflection_.entry_points)
        for (const auto* elements : {&entry.inputs, &entry.outputs, &entry.patch_constants})
          for (const SignatureElement& element : *elements) need(element.type);
    for (std::size_t i = needed.size(); i-- > 0;) {
      if (!needed[i]) continue;
      for (const Member& member : reflection_.types[i].members) need(member.type);
      for (const std::uint32_t interface : reflection_.types[i].interfaces) need(interface);
    }
    type_names_.resize(reflection_.types.size());
    for (std::uint32_t i = 0; i < needed.size(); ++i) {
      if (!needed[i]) continue;
      if (is_interface(reflection_.types[i])) print_interface(i);
      if (reflection_.types[i].is_struct()) print_struct(i);
    }
  }

  void print_interface(std::uint32_t index) {
    const auto [known, is_new] = interfaces_.try_emplace(reflection_.types[index].name);
    if (is_new) {
      known->second = names_.claim(known->first.empty() ? std::string_view("Interface") : std::string_view(known->first));
      out_ << "\ninterface " << known->second << "\n{\n};\n";
    }
    type_names_[index] = known->second;
  }

  /// The same struct may have several records, for arrays of it: it is printed once.
  void print_struct(std::uint32_t index) {
    const Type& of = reflection_.types[index];
    Text body;
    std::size_t first = 0;
    std::string bases;
    // A class that derives from another holds it as its first member.
    if (!of.members.empty() && of.members.front().name == "$super" && of.members.front().type < type_names_.size() &&
        !type_names_[of.members.front().type].empty()) {
      bases = type_names_[of.members.front().type];
      first = 1;
    }
    for (const std::uint32_t interface : of.interfaces) {
      if (interface >= type_names_.size() || type_names_[interface].empty()) continue;
      bases += (bases.empty() ? "" : ", ") + type_names_[interface];
    }
    if (!bases.empty()) body << " : " << bases;
    body << "\n{\n";
    Names members;
    for (std::size_t i = first; i < of.members.size(); ++i) {
      body << "  ";
      print_place(body, of.members[i].offset);
      print_declaration(body, of.members[i].type, members.claim(of.members[i].name));
      body << ";\n";
    }
    body << "};\n";
    const auto [known, is_new] = structs_.try_emplace({of.name, body.str()});
    if (is_new) {
      known->second = names_.claim(of.name.empty() ? std::string_view("Struct") : std::string_view(of.name));
      out_ << (bases.empty() ? "\nstruct " : "\nclass ") << known->second << body.view();
    }
    type_names_[index] = known->second;
  }

  /// Where a member of a struct lies: SPIR-V says so, and HLSL's rules for it depend on the compiler's switches.
  void print_place(Text& out, std::uint32_t offset) const {
    if (vulkan_ && offset != kNone) (out << "[[vk::offset(").dec(offset) << ")]] ";
  }

  std::string_view scalar_word(BaseType base) const {
    if (is_scalar_word(base)) return hlsl_word(base);
    if (base == BaseType::min8float) return "min10float";
    const bool is_wide = base == BaseType::int16 || base == BaseType::uint16 || base == BaseType::float16 || base == BaseType::int64 ||
                         base == BaseType::uint64 || base == BaseType::pointer;
    return vulkan_ && is_wide ? hlsl_word(base) : std::string_view("uint");
  }

  /// A type's name, and whether it can be written at all.
  void print_type(Text& out, const Type& of, std::uint32_t index) const {
    if (is_numeric(of)) {
      if (of.type_class == TypeClass::matrix_rows) out << "row_major ";
      out << scalar_word(of.base);
      if (of.type_class == TypeClass::vector) out.dec(lanes(of.columns));
      if (is_matrix(of)) out.dec(lanes(of.rows)) << 'x', out.dec(lanes(of.columns));
      return;
    }
    if (index < type_names_.size() && !type_names_[index].empty()) {
      out << type_names_[index];
      return;
    }
    const std::string_view word = hlsl_word(of.base);
    out << (word.starts_with("Texture") ? word : word.starts_with("sampler") ? std::string_view("SamplerState") : std::string_view("uint"));
  }

  void print_declaration(Text& out, std::uint32_t index, std::string_view name) const {
    const Type* of = type(index);
    if (of == nullptr) {
      out << "uint " << name;
      return;
    }
    print_type(out, *of, index);
    out << ' ' << name;
    if (of->dimensions.empty()) {
      if (of->elements != 0) (out << '[').dec(of->elements) << ']';
      return;
    }
    for (const std::uint32_t count : of->dimensions) {
      out << '[';
      if (count != 0) out.dec(count);
      out << ']';
    }
  }

  // --- buffers ---

  /// `[[vk::binding(0, 1)]] `: what compilers to SPIR-V go by. The register is for those that do not.
  void print_binding(const Resource& resource) {
    if (!vulkan_) return;
    if (resource.attachment != kNone) (out_ << "[[vk::input_attachment_index(").dec(resource.attachment) << ")]] ";
    (out_ << "[[vk::binding(").dec(resource.bind_point) << ", ";
    out_.dec(resource.space) << ")]] ";
  }

  void print_register(const Resource& resource) { print_register(resource, register_letters(resource.kind)); }
  void print_register(const Resource& resource, std::string_view letters) {
    out_ << " : register(" << (letters == "cb" ? std::string_view("b") : letters);
    out_.dec(resource.bind_point);
    if (resource.space != 0) (out_ << ", space").dec(resource.space);
    out_ << ')';
  }

  void print_count(const Resource& resource) {
    if (resource.bind_count == 1 && resource.dimensions.empty()) return;
    for (const std::uint32_t count : resource.dimensions) {
      out_ << '[';
      if (count != 0) out_.dec(count);
      out_ << ']';
    }
    if (!resource.dimensions.empty()) return;
    out_ << '[';
    if (resource.bind_count != 0) out_.dec(resource.bind_count);
    out_ << ']';
  }

  /// The name of the file, where it had to be mended.
  void print_original(std::string_view name, std::string_view printed) {
    if (name == printed) return;
    print_comment_text(out_ << "  // ", name);
  }

  void print_buffer(std::uint32_t index) {
    const Buffer& buffer = reflection_.buffers[index];
    const Resource* resource = bound_[index];
    if (buffer.kind == BufferKind::interface_pointers) {
      if (!buffer.variables.empty()) out_ << '\n';
      for (std::size_t i = 0; i < buffer.variables.size(); ++i) {
        print_declaration(out_, buffer.variables[i].type, variable_names_[index][i]);
        out_ << ";\n";
      }
      return;
    }
    if (!is_block(buffer)) return;
    if (is_object(buffer, resource)) return print_object(buffer, *resource, buffer_names_[index]);
    out_ << '\n';
    if (resource != nullptr) print_binding(*resource);
    out_ << (buffer.kind == BufferKind::tbuffer ? "tbuffer " : "cbuffer ") << buffer_names_[index];
    if (resource != nullptr) print_register(*resource);
    print_original(buffer.name, buffer_names_[index]);
    out_ << "\n{\n";
    const bool explicit_offsets = needs_offsets(buffer);
    for (std::size_t i = 0; i < buffer.variables.size(); ++i) {
      const Variable& variable = buffer.variables[i];
      if (is_outside(variable)) continue;
      out_ << "  ";
      print_declaration(out_, variable.type, variable_names_[index][i]);
      if (explicit_offsets) print_offset(variable.offset);
      print_default(variable);
      out_ << ';';
      if (!variable.used) out_ << "  // unused";
      out_ << '\n';
    }
    out_ << "};\n";
    for (std::size_t i = 0; i < buffer.variables.size(); ++i) {
      if (!is_outside(buffer.variables[i])) continue;
      print_declaration(out_, buffer.variables[i].type, variable_names_[index][i]);
      out_ << ";\n";
    }
  }

  /// Objects, and structs of nothing else, take no bytes: no offset can be written for them.
  bool is_outside(const Variable& variable) const {
    const Type* of = type(variable.type);
    return variable.size == 0 && of != nullptr && !is_numeric(*of);
  }

  /// A buffer as `ConstantBuffer<T>`: its variables become the members of a struct, unless they are one struct already.
  void print_object(const Buffer& buffer, const Resource& resource, std::string_view name) {
    std::string element;
    if (const std::uint32_t index = object_type(buffer); index != kNone) {
      element = type_names_[index];
    } else {
      element = print_block(buffer, std::string(name) + "_buffer");
    }
    out_ << '\n';
    print_binding(resource);
    out_ << "ConstantBuffer<" << element << "> " << name;
    print_count(resource);
    print_register(resource);
    out_ << ';';
    print_original(buffer.name, name);
    out_ << '\n';
  }

  /// A buffer's variables as a struct. Returns its name.
  std::string print_block(const Buffer& buffer, std::string_view wanted) {
    std::string name = names_.claim(wanted);
    out_ << "\nstruct " << name << "\n{\n";
    Names members;
    for (const Variable& variable : buffer.variables) {
      out_ << "  ";
      print_place(out_, variable.offset);
      print_declaration(out_, variable.type, members.claim(variable.name));
      out_ << ";\n";
    }
    out_ << "};\n";
    return name;
  }

  void print_offset(std::uint32_t offset) {
    (out_ << " : packoffset(c").dec(offset / kRegisterBytes);
    if (offset % kRegisterBytes != 0) out_ << '.' << "xyzw"[offset % kRegisterBytes / 4];
    out_ << ')';
  }

  /// Whether some variable stands elsewhere than where a compiler puts it by itself, or may: where its rules leave room for doubt (what
  /// follows an array, a struct or a matrix that ends inside a register; doubles), offsets are written too. A buffer has them all or none.
  bool needs_offsets(const Buffer& buffer) const {
    std::uint64_t end = 0;
    bool is_doubtful_end = false;
    bool needed = false;
    for (const Variable& variable : buffer.variables) {
      const Type* of = type(variable.type);
      if (is_outside(variable)) continue;
      if (of == nullptr || variable.offset % 4 != 0) return false;  // no offset of HLSL says this
      const bool is_plain = (of->type_class == TypeClass::scalar || of->type_class == TypeClass::vector) && of->elements == 0;
      const std::uint64_t size = is_plain ? component_bytes(*of) * lanes(of->columns) : variable.size;
      std::uint64_t expected = end;
      if (!is_plain || expected % kRegisterBytes + size > kRegisterBytes) expected = round_up(expected);
      const bool is_doubtful =
          of->base == BaseType::double_ || (is_doubtful_end && is_plain) || (is_matrix(*of) && (of->rows == 1 || of->columns == 1));
      if (expected != variable.offset || is_doubtful) needed = true;
      end = std::uint64_t{variable.offset} + size;
      // The last element of an array in SPIR-V fills its stride, where HLSL lets the next variable in.
      is_doubtful_end = !is_plain && (vulkan_ || end % kRegisterBytes != 0);
    }
    return needed;
  }

  // --- default values ---

  static std::uint64_t component_bytes(const Type& of) { return of.base == BaseType::double_ ? 8 : 4; }

  /// Bytes of one element of a type in a constant buffer.
  std::uint64_t element_bytes(const Type& of) const {
    if (of.type_class == TypeClass::matrix_rows) return (lanes(of.rows) - 1) * kRegisterBytes + lanes(of.columns) * component_bytes(of);
    if (of.type_class == TypeClass::matrix_columns) return (lanes(of.columns) - 1) * kRegisterBytes + lanes(of.rows) * component_bytes(of);
    if (is_numeric(of)) return lanes(of.columns) * component_bytes(of);
    // Only the last member is asked for: nesting is bounded by the reader, and the work is that of a list.
    if (!of.is_struct() || of.members.empty()) return 0;
    const Member& last = of.members.back();
    const Type* of_last = type(last.type);
    if (of_last == nullptr) return 0;
    const std::uint64_t bytes = element_bytes(*of_last);
    return last.offset + (of_last->elements > 1 ? (of_last->elements - 1) * round_up(bytes) : 0) + bytes;
  }

  struct Values {
    View bytes;
    Text text;
    std::size_t count = 0;
    std::size_t left;  ///< steps before giving up: types can expand beyond all bounds
  };

  /// Appends one number; false where HLSL has no literal for it.
  static bool add_value(Values& values, BaseType base, std::uint64_t offset) {
    if (values.count++ != 0) values.text << ", ";
    if (base == BaseType::double_) {
      const auto bits = values.bytes.load<std::uint64_t>(static_cast<std::size_t>(offset));
      if (!bits || (*bits >> 52 & 0x7ff) == 0x7ff) return false;
      values.text.shortest(std::bit_cast<double>(*bits)) << 'L';
      return true;
    }
    const auto bits = values.bytes.load<std::uint32_t>(static_cast<std::size_t>(offset));
    if (!bits) return false;
    switch (base) {
      case BaseType::bool_: values.text << (*bits != 0 ? "true" : "false"); return true;
      case BaseType::uint_:
      case BaseType::min16uint: values.text.dec(*bits) << 'u'; return true;
      case BaseType::int_:
      case BaseType::min12int:
      case BaseType::min16int:
        if (*bits == 0x8000'0000) {
          values.text << "(-2147483647 - 1)";
        } else {
          values.text.dec_signed(std::bit_cast<std::int32_t>(*bits));
        }
        return true;
      case BaseType::float_:
      case BaseType::min10float:
      case BaseType::min16float:
        if ((*bits >> 23 & 0xff) == 0xff) return false;
        values.text.shortest(std::bit_cast<float>(*bits));
        return true;
      default: return false;
    }
  }

  bool add_values(Values& values, std::uint32_t index, std::uint64_t offset) const {
    const Type* of = type(index);
    if (of == nullptr) return false;
    const std::uint64_t stride = round_up(element_bytes(*of));
    const std::uint32_t count = std::max(of->elements, 1U);
    for (std::uint32_t i = 0; i < count; ++i, offset += stride) {
      if (values.left == 0 || offset > values.bytes.size()) return false;
      --values.left;
      if (of->is_struct()) {
        for (const Member& member : of->members)
          if (!add_values(values, member.type, offset + member.offset)) return false;
        continue;
      }
      if (!is_numeric(*of)) return false;
      const std::uint32_t rows = is_matrix(*of) ? lanes(of->rows) : 1;
      const std::uint32_t columns = lanes(of->columns);
      for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
          const bool by_columns = of->type_class == TypeClass::matrix_columns;
          const std::uint64_t at =
              offset + (by_columns ? column : row) * kRegisterBytes + (by_columns ? row : column) * component_bytes(*of);
          if (!add_value(values, of->base, at)) return false;
        }
      }
    }
    return true;
  }

  void print_default(const Variable& variable) {
    if (variable.default_value.empty()) return;
    Values values{View({variable.default_value.data(), variable.default_value.size()}), {}, 0, variable.default_value.size() + kMaxLanes};
    if (!add_values(values, variable.type, 0) || values.count == 0) return;
    if (values.count == 1) {
      out_ << " = " << values.text.view();
    } else {
      out_ << " = { " << values.text.view() << " }";
    }
  }

  // --- resources ---

  static std::string_view texture_word(ResourceDimension dimension) {
    switch (dimension) {
      case ResourceDimension::buffer:
      case ResourceDimension::raw_buffer: return "Buffer";
      case ResourceDimension::texture1d: return "Texture1D";
      case ResourceDimension::texture1d_array: return "Texture1DArray";
      case ResourceDimension::texture2d: return "Texture2D";
      case ResourceDimension::texture2d_array: return "Texture2DArray";
      case ResourceDimension::texture2d_ms: return "Texture2DMS";
      case ResourceDimension::texture2d_ms_array: return "Texture2DMSArray";
      case ResourceDimension::texture3d: return "Texture3D";
      case ResourceDimension::texture_cube: return "TextureCube";
      case ResourceDimension::texture_cube_array: return "TextureCubeArray";
      default: return {};
    }
  }

  static void print_format(Text& out, const Resource& resource) {
    std::uint32_t components = lanes(resource.components);
    switch (resource.return_type) {
      case ReturnType::unorm: out << "unorm float"; break;
      case ReturnType::snorm: out << "snorm float"; break;
      case ReturnType::sint: out << "int"; break;
      case ReturnType::uint: out << "uint"; break;
      case ReturnType::double_:
        out << "double";
        components = std::min(components, 2U);
        break;
      default: out << "float"; break;
    }
    if (components > 1) out.dec(components);
  }

  /// What a structured buffer holds. Prints a struct before it where no type has a name, or it is an array.
  std::string element_type(const Resource& resource, std::string_view name) {
    const Variable* variable = resource.buffer < reflection_.buffers.size() && !reflection_.buffers[resource.buffer].variables.empty()
                                   ? &reflection_.buffers[resource.buffer].variables.front()
                                   : nullptr;
    const Type* of = variable != nullptr ? type(variable->type) : nullptr;
    if (of != nullptr && of->elements == 0) {
      Text text;
      print_type(text, *of, variable->type);
      return text.str();
    }
    std::string element = names_.claim(std::string(name) + "_element");
    out_ << "\nstruct " << element << "\n{\n  ";
    if (of != nullptr) {
      print_declaration(out_, variable->type, "element");
    } else {
      (out_ << "uint data[").dec(std::max(resource.stride / 4, 1U)) << ']';
    }
    out_ << ";\n};\n";
    return element;
  }

  void print_resource(std::uint32_t index) {
    const Resource& resource = reflection_.resources[index];
    const std::string& name = resource_names_[index];
    if (is_block(resource)) {
      if (resource.buffer < bound_.size() && bound_[resource.buffer] == &resource) return;  // printed with its variables
      out_ << (resource.kind == ResourceKind::tbuffer ? "\ntbuffer " : "\ncbuffer ") << name;
      print_register(resource);
      out_ << "\n{\n  float4 " << names_.claim(name + "_data") << ";\n};\n";
      return;
    }
    if (vulkan_ && print_vulkan(resource, name)) return;
    if (index == 0 || is_block(reflection_.resources[index - 1])) out_ << '\n';
    // A member of a struct that a buffer declares: it is bound there.
    if (const auto dot = resource.name.find('.'); dot != std::string::npos) {
      print_comment_text(out_ << "// ", resource.name);
      print_register(resource);
      out_ << '\n';
      return;
    }
    Text word;
    if (!print_kind(word, resource, name)) {
      print_comment_text(out_ << "// of no known kind: ", resource.name);
      out_ << '\n';
      return;
    }
    print_binding(resource);
    if (vulkan_ && !resource.format.empty()) out_ << "[[vk::image_format(\"" << hlsl_image_format(resource.format) << "\")]] ";
    if (resource.globally_coherent) out_ << "globallycoherent ";
    out_ << word.view() << ' ' << name;
    print_count(resource);
    print_register(resource);
    out_ << ';';
    print_original(resource.name, name);
    out_ << '\n';
  }

  // --- what SPIR-V has and Direct3D has not ---

  /// False for what has a counterpart.
  bool print_vulkan(const Resource& resource, const std::string& name) {
    switch (resource.kind) {
      case ResourceKind::push_constants:
      case ResourceKind::shader_record:
        if (resource.buffer >= reflection_.buffers.size()) return false;
        print_vulkan_constants(resource, name);
        return true;
      case ResourceKind::storage_buffer: print_storage_buffer(resource, name); return true;
      case ResourceKind::combined_sampler: return print_combined_sampler(resource, name);
      case ResourceKind::input_attachment: {
        out_ << '\n';
        print_binding(resource);
        out_ << (resource.dimension == ResourceDimension::texture2d_ms ? "SubpassInputMS<" : "SubpassInput<");
        print_format(out_, resource);
        out_ << "> " << name << ';';
        print_original(resource.name, name);
        out_ << '\n';
        return true;
      }
      default: return false;
    }
  }

  void print_vulkan_constants(const Resource& resource, const std::string& name) {
    const std::string block = print_block(reflection_.buffers[resource.buffer], name + "_buffer");
    out_ << (resource.kind == ResourceKind::push_constants ? "\n[[vk::push_constant]] " : "\n[[vk::shader_record_ext]] ");
    out_ << "ConstantBuffer<" << block << "> " << name << ';';
    print_original(resource.name, name);
    out_ << '\n';
  }

  /// One element of an open array of plain elements is that of a structured buffer, a block of fixed size the only one. What stands in
  /// front of an open array makes it bytes.
  void print_storage_buffer(const Resource& resource, const std::string& name) {
    const Buffer* const buffer = resource.buffer < reflection_.buffers.size() ? &reflection_.buffers[resource.buffer] : nullptr;
    const std::string_view access = resource.read_only ? "" : "RW";
    Text word;
    bool is_open = false;
    if (buffer != nullptr)
      for (const Variable& variable : buffer->variables) is_open |= holds_open_array(variable.type);
    const Type* const only = buffer != nullptr && buffer->variables.size() == 1 ? type(buffer->variables.front().type) : nullptr;
    if (is_open && only != nullptr && only->dimensions.size() == 1 && (is_numeric(*only) || only->is_struct()) &&
        !members_hold_open_array(*only)) {
      word << access << "StructuredBuffer<";
      print_type(word, *only, buffer->variables.front().type);
      word << '>';
      out_ << '\n';
    } else if (!is_open && buffer != nullptr && !buffer->variables.empty()) {
      word << access << "StructuredBuffer<" << print_block(*buffer, buffer->name) << '>';
      out_ << '\n';
    } else {
      word << access << "ByteAddressBuffer";
      out_ << '\n';
      if (buffer != nullptr) print_contents(*buffer);
    }
    print_binding(resource);
    if (resource.globally_coherent) out_ << "globallycoherent ";
    out_ << word.view() << ' ' << name;
    print_count(resource);
    print_register(resource, resource.read_only ? "t" : "u");
    out_ << ';';
    print_original(resource.name, name);
    out_ << '\n';
  }

  bool members_hold_open_array(const Type& of) const {
    return std::ranges::any_of(of.members, [this](const Member& member) { return holds_open_array(member.type); });
  }
  /// A type refers only to those before it; each is looked at once.
  bool holds_open_array(std::uint32_t index) const {
    if (index >= reflection_.types.size()) return false;
    if (open_.empty()) {
      open_.resize(reflection_.types.size());
      for (std::size_t i = 0; i < open_.size(); ++i) {
        const Type& of = reflection_.types[i];
        open_[i] = std::ranges::find(of.dimensions, 0U) != of.dimensions.end() ||
                   std::ranges::any_of(of.members, [&](const Member& member) { return member.type < i && open_[member.type]; });
      }
    }
    return open_[index];
  }

  /// What lies in a buffer that HLSL sees as bytes, as comments.
  void print_contents(const Buffer& buffer) {
    for (const Variable& variable : buffer.variables) {
      out_ << "//";
      out_.dec(variable.offset, 6) << "  ";
      print_declaration(out_, variable.type, mended(variable.name));
      const Type* const of = type(variable.type);
      if (of != nullptr && of->array_stride != 0) (out_ << ", stride ").dec(of->array_stride);
      out_ << '\n';
    }
  }

  bool print_combined_sampler(const Resource& resource, const std::string& name) {
    const std::string_view texture = texture_word(resource.dimension);
    if (texture.empty()) return false;
    const std::string sampler = names_.claim(name + "_sampler");
    for (const bool is_sampler : {false, true}) {
      if (is_sampler && resource.dimension == ResourceDimension::buffer) break;  // a texel buffer, which is read without one
      out_ << (is_sampler ? "" : "\n");
      if (resource.dimension != ResourceDimension::buffer) out_ << "[[vk::combinedImageSampler]] ";
      print_binding(resource);
      if (is_sampler) {
        out_ << (resource.comparison ? "SamplerComparisonState " : "SamplerState ") << sampler;
      } else {
        print_format(out_ << texture << '<', resource);
        out_ << "> " << name;
      }
      print_count(resource);
      print_register(resource, is_sampler ? "s" : "t");
      out_ << ';';
      if (!is_sampler) print_original(resource.name, name);
      out_ << '\n';
    }
    return true;
  }

  /// Interface variables: locations count, and semantics are made up.
  void print_variables(std::string_view name, const std::vector<SignatureElement>& elements, Stage stage, bool is_output) {
    out_ << "\nstruct " << names_.claim(name) << "\n{\n";
    Names members;
    std::set<std::string_view> taken;
    for (const SignatureElement& element : elements) {
      const std::string_view semantic = hlsl_semantic(element, stage, is_output);
      // A built-in that HLSL has no semantic for, or the second of two.
      const bool is_comment = !element.built_in.empty() && (semantic.empty() || !taken.insert(semantic).second);
      out_ << (is_comment ? "  // " : "  ");
      if (element.register_index != kNoRegister && element.built_in.empty())
        (out_ << "[[vk::location(").dec(element.register_index) << ")]] ";
      if (element.index != 0) (out_ << "[[vk::index(").dec(element.index) << ")]] ";
      if (element.built_in.empty()) out_ << modifier(element);
      const std::string member = members.claim(element.semantic);
      print_declaration(out_, element.type, member);
      if (!element.built_in.empty()) {
        out_ << " : " << (semantic.empty() ? std::string_view(element.built_in) : semantic);
      } else if (is_output && stage == Stage::pixel && element.index == 0) {
        (out_ << " : SV_Target").dec(element.register_index == kNoRegister ? 0 : element.register_index);
      } else {
        (out_ << " : LOCATION").dec(element.register_index == kNoRegister ? 0 : element.register_index);
        if (const int component = std::countr_zero(static_cast<unsigned>(element.mask | 0x10)); component > 0 && component < 4)
          (out_ << "_").dec(static_cast<unsigned>(component));
      }
      out_ << ";\n";
    }
    out_ << "};\n";
  }

  bool print_kind(Text& word, const Resource& resource, std::string_view name) {
    const std::string_view ordered = resource.rasterizer_ordered ? "RasterizerOrdered" : "RW";
    switch (resource.kind) {
      case ResourceKind::sampler: word << (resource.comparison ? "SamplerComparisonState" : "SamplerState"); return true;
      case ResourceKind::acceleration_structure: word << "RaytracingAccelerationStructure"; return true;
      case ResourceKind::byte_address: word << "ByteAddressBuffer"; return true;
      case ResourceKind::uav_byte_address: word << ordered << "ByteAddressBuffer"; return true;
      case ResourceKind::structured: word << "StructuredBuffer"; break;
      case ResourceKind::uav_structured:
      case ResourceKind::uav_structured_with_counter: word << ordered << "StructuredBuffer"; break;
      case ResourceKind::uav_append: word << "AppendStructuredBuffer"; break;
      case ResourceKind::uav_consume: word << "ConsumeStructuredBuffer"; break;
      case ResourceKind::texture:
      case ResourceKind::uav_typed: {
        const bool is_cube =
            resource.dimension == ResourceDimension::texture_cube || resource.dimension == ResourceDimension::texture_cube_array;
        const std::string_view texture =
            is_cube && resource.kind == ResourceKind::uav_typed ? std::string_view("Texture2DArray") : texture_word(resource.dimension);
        if (texture.empty()) return false;
        if (resource.kind == ResourceKind::uav_typed) word << ordered;
        print_format(word << texture << '<', resource);
        if (resource.sample_count != 0) (word << ", ").dec(resource.sample_count);
        word << '>';
        return true;
      }
      default: return false;
    }
    word << '<' << element_type(resource, name) << '>';
    return true;
  }

  // --- effects ---

  /// Textures and samplers as declarations. What only compilers of effects take stands in comments.
  void print_effect(const EffectContents& effect) {
    if (!effect.objects.empty()) out_ << '\n';
    for (const EffectObject& object : effect.objects) {
      const bool is_texture = object.type.starts_with("Texture") || object.type.starts_with("RWTexture");
      const bool is_declared = (is_texture && !object.type.starts_with("Texture2DMS")) || object.type == "SamplerState" ||
                               object.type.ends_with("ByteAddressBuffer") || object.type == "Buffer" || object.type == "RWBuffer";
      if (!is_declared) print_comment_text(out_ << "// ", object.type.empty() ? std::string_view("object") : std::string_view(object.type));
      if (is_declared) out_ << object.type << (is_texture || object.type.ends_with("WBuffer") || object.type == "Buffer" ? "<float4>" : "");
      out_ << ' ' << names_.claim(object.name);
      if (object.elements != 0) (out_ << '[').dec(object.elements) << ']';
      if (object.bind_point != kNone && is_declared) {
        const bool is_written = object.type.starts_with("RW");
        (out_ << " : register(" << (object.type == "SamplerState" ? 's' : is_written ? 'u' : 't')).dec(object.bind_point) << ')';
      }
      out_ << (is_declared ? ";\n" : "\n");
    }
    for (const EffectTechnique& technique : effect.techniques) {
      print_comment_text(out_ << "\n// technique ", technique.group.empty() ? technique.name : technique.group + '/' + technique.name);
      out_ << '\n';
      for (const EffectPass& pass : technique.passes) {
        print_comment_text(out_ << "//   pass ", pass.name);
        out_ << '\n';
        for (const EffectPassShader& shader : pass.shaders) {
          print_comment_text(out_ << "//     ", shader.state + " = " +
                                                    (shader.is_null          ? "NULL"
                                                     : shader.shader.empty() ? "inline"
                                                                             : shader.shader));
          out_ << '\n';
        }
      }
    }
  }

  // --- signatures ---

  static std::string_view stage_word(Stage stage) {
    constexpr std::string_view kWords[] = {"Shader",  "Pixel",      "Vertex", "Geometry",      "Hull",          "Domain",
                                           "Compute", "Library",    "Mesh",   "Amplification", "RayGeneration", "Intersection",
                                           "AnyHit",  "ClosestHit", "Miss",   "Callable",      "Node"};
    const auto index = static_cast<std::size_t>(stage);
    return kWords[index < std::size(kWords) ? index : 0];
  }

  static std::string_view component_word(const SignatureElement& element) {
    if (element.system_value == SystemValue::is_front_face) return "bool";
    switch (element.min_precision) {
      case MinPrecision::float16: return "min16float";
      case MinPrecision::float2_8: return "min10float";
      case MinPrecision::sint16: return "min16int";
      case MinPrecision::uint16: return "min16uint";
      default: break;
    }
    switch (element.component_type) {
      case ComponentType::uint32: return "uint";
      case ComponentType::uint16: return "uint16_t";
      case ComponentType::uint64: return "uint64_t";
      case ComponentType::sint32: return "int";
      case ComponentType::sint16: return "int16_t";
      case ComponentType::sint64: return "int64_t";
      case ComponentType::float16: return "float16_t";
      case ComponentType::float64: return "double";
      default: return "float";
    }
  }

  static std::string_view modifier(const SignatureElement& element) {
    switch (element.interpolation) {
      case Interpolation::constant: return "nointerpolation ";
      case Interpolation::linear: return "linear ";
      case Interpolation::linear_centroid: return "centroid ";
      case Interpolation::linear_noperspective: return "noperspective ";
      case Interpolation::linear_noperspective_centroid: return "noperspective centroid ";
      case Interpolation::linear_sample: return "sample ";
      case Interpolation::linear_noperspective_sample: return "noperspective sample ";
      default: return {};
    }
  }

  static bool is_tess_factor(const SignatureElement& element) {
    return element.system_value >= SystemValue::final_quad_edge_tessfactor &&
           element.system_value <= SystemValue::final_line_density_tessfactor;
  }

  void print_signature(std::string_view name, const std::vector<SignatureElement>& elements, std::uint32_t stream, bool is_vertex_array) {
    out_ << "\nstruct " << names_.claim(name) << "\n{\n";
    Names members;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const SignatureElement& element = elements[i];
      if (element.stream != stream) continue;
      const std::string semantic = mended(element.semantic);
      // What belongs to the whole primitive is a parameter of its own.
      const bool is_apart = is_vertex_array && element.register_index == kNoRegister;
      out_ << (is_apart ? "  // apart: " : "  ") << modifier(element) << component_word(element);
      const auto components = static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(element.mask & 0xf)));
      if (components > 1) out_.dec(components);
      // The factors of a patch are one array.
      std::size_t run = 1;
      if (is_tess_factor(element)) {
        while (i + run < elements.size() && elements[i + run].semantic == element.semantic && elements[i + run].stream == stream &&
               elements[i + run].semantic_index == element.semantic_index + run)
          ++run;
      }
      const bool is_numbered = !(element.semantic_index == 0 && semantic.size() > 3 && (semantic[0] == 'S' || semantic[0] == 's') &&
                                 (semantic[1] == 'V' || semantic[1] == 'v') && semantic[2] == '_');
      const std::string word = is_numbered ? semantic + std::to_string(element.semantic_index) : semantic;
      out_ << ' ' << members.claim(word);
      if (run > 1) (out_ << '[').dec(run) << ']';
      out_ << " : " << word << ";\n";
      i += run - 1;
    }
    out_ << "};\n";
  }

  void print_signatures(const EntryPoint& entry) {
    const std::string stage(stage_word(entry.stage));
    if (vulkan_) {
      if (!entry.inputs.empty()) print_variables(stage + "Input", entry.inputs, entry.stage, false);
      if (!entry.outputs.empty()) print_variables(stage + "Output", entry.outputs, entry.stage, true);
      if (!entry.patch_constants.empty())
        print_variables(stage + "PatchConstants", entry.patch_constants, entry.stage, entry.stage == Stage::hull);
      return;
    }
    const bool takes_array = entry.stage == Stage::geometry || entry.stage == Stage::hull || entry.stage == Stage::domain;
    if (!entry.inputs.empty()) print_signature(stage + "Input", entry.inputs, 0, takes_array);
    std::set<std::uint32_t> streams;
    for (const SignatureElement& element : entry.outputs) streams.insert(element.stream);
    // Direct3D has four; files that no compiler wrote may name more.
    constexpr std::size_t kMaxStreams = 4;
    for (const std::uint32_t stream : streams) {
      print_signature(stage + "Output" + (stream == 0 ? std::string() : std::to_string(stream)), entry.outputs, stream, false);
      if (stream >= kMaxStreams) break;
    }
    if (!entry.patch_constants.empty()) print_signature(stage + "PatchConstants", entry.patch_constants, 0, false);
  }

  const Reflection& reflection_;
  Text& out_;
  bool vulkan_;
  mutable std::vector<bool> open_;  // by type: whether it holds an open array
  Names names_;
  std::vector<const Resource*> bound_;  // by buffer: the first resource that it belongs to
  std::vector<std::vector<std::string>> variable_names_;
  std::vector<std::string> resource_names_;
  std::vector<std::string> buffer_names_;
  std::vector<std::string> type_names_;  // of structs and interfaces
  std::map<std::string, std::string> interfaces_;
  std::map<std::pair<std::string, std::string>, std::string> structs_;  // by name and body
};

}  // namespace

}  // namespace unshade::shader::reflection

namespace unshade::shader {

void print_hlsl(const Reflection& reflection, Text& out) { reflection::HlslPrinter(reflection, out).print(); }

}  // namespace unshade::shader
