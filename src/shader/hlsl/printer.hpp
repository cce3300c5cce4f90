// What prints a reflection as HLSL declarations. Its parts are files by subject: printer.cpp, buffers.cpp, resources.cpp, signatures.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/view.hpp>
#include <unshade/shader/reflection.hpp>

#include "shader/hlsl/names.hpp"
#include "shader/reflect/scalar_bytes.hpp"

namespace unshade::shader::hlsl {

inline bool is_scalar_word(BaseType type) {
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

inline bool is_matrix(const Type& type) {
  return type.type_class == TypeClass::matrix_rows || type.type_class == TypeClass::matrix_columns;
}
inline bool is_numeric(const Type& type) {
  return type.type_class == TypeClass::scalar || type.type_class == TypeClass::vector || is_matrix(type);
}
/// Numbers of 8 bits, which HLSL does not have.
inline bool is_narrow(BaseType type) { return type == BaseType::int8 || type == BaseType::uint8; }
inline constexpr std::uint64_t kDefaultComponentBytes = 4;
/// Bytes of a number in HLSL.
inline std::uint64_t component_bytes(BaseType base) { return is_narrow(base) ? kDefaultComponentBytes : reflection::scalar_bytes(base); }
inline bool is_interface(const Type& type) {
  return type.type_class == TypeClass::interface_pointer || (type.type_class == TypeClass::interface_class && !type.is_struct());
}

inline constexpr std::uint64_t kRegisterBytes = 16;
constexpr std::uint64_t to_next_register(std::uint64_t bytes) { return round_up(bytes, kRegisterBytes); }

inline constexpr std::uint32_t kMaxLanes = 4;
inline std::uint32_t lanes(std::uint32_t count) { return std::clamp(count, 1U, kMaxLanes); }

class Printer {
 public:
  Printer(const Reflection& reflection, Text& out) : reflection_(reflection), out_(out), vulkan_(reflection.has_descriptor_sets()) {}
  void print();

 private:
  const Type* type(std::uint32_t index) const { return index < reflection_.types.size() ? &reflection_.types[index] : nullptr; }
  void connect();
  bool is_block(const Buffer& buffer) const { return buffer.kind == BufferKind::cbuffer || buffer.kind == BufferKind::tbuffer; }
  bool is_block(const Resource& resource) const { return resource.kind == ResourceKind::cbuffer || resource.kind == ResourceKind::tbuffer; }
  /// Names of files stay as they are if they can: variables first, then resources, then buffers, whose names nothing refers to.
  void claim_names();
  /// The struct of a buffer that was declared as `ConstantBuffer<T>`, or kNone: compilers write it as one variable with the buffer's name.
  /// observed: fxc 10.1 if arrays of buffers give the variable an element count of 1.
  std::uint32_t object_type(const Buffer& buffer) const;
  /// Whether a buffer is written as `ConstantBuffer<T>`: the only form that has arrays.
  bool is_object(const Buffer& buffer, const Resource* resource) const;
  void print_heading();
  /// What has no literal, or no type in HLSL, is a comment: compilers refuse a specialization constant without its default.
  void print_constants();
  void print_types();
  void print_interface(std::uint32_t index);
  /// A member of a struct or block, on a line of its own.
  void print_member(Text& out, std::uint32_t type, std::uint32_t offset, std::string_view name) const;
  /// A comment for a variable or member of a type that HLSL does not have; false for others.
  bool print_narrow(Text& out, std::uint32_t type, std::uint32_t offset, std::string_view name) const;
  /// The same struct may have several records, for arrays of it: it is printed once.
  void print_struct(std::uint32_t index);
  /// Where a member of a struct lies: SPIR-V says so, and HLSL's rules for it depend on the compiler's switches.
  void print_place(Text& out, std::uint32_t offset) const;
  std::string_view scalar_word(BaseType base) const;
  /// A type's name, and whether it can be written at all.
  void print_type(Text& out, const Type& of, std::uint32_t index) const;
  void print_declaration(Text& out, std::uint32_t index, std::string_view name) const;
  /// `[[vk::binding(0, 1)]] `: what compilers to SPIR-V go by. The register is for those that do not.
  void print_binding(const Resource& resource);
  void print_register(const Resource& resource) { print_register(resource, register_letters(resource.kind)); }
  void print_register(const Resource& resource, std::string_view letters);
  void print_count(const Resource& resource);
  /// The name of the file, if it had to be mended.
  void print_original(std::string_view name, std::string_view printed);
  void print_buffer(std::uint32_t index);
  /// Objects, and structs of nothing else, take no bytes: no offset can be written for them.
  bool is_outside(const Variable& variable) const;
  /// A buffer as `ConstantBuffer<T>`: its variables become the members of a struct, unless they are one struct already.
  void print_object(const Buffer& buffer, const Resource& resource, std::string_view name);
  /// A buffer's variables as a struct. Returns its name.
  std::string print_block(const Buffer& buffer, std::string_view wanted);
  void print_offset(std::uint32_t offset);
  /// Whether some variable is elsewhere than where a compiler puts it by itself, or may: if its rules leave room for doubt (what
  /// follows an array, a struct or a matrix that ends inside a register; doubles), offsets are written too. A buffer has them all or none.
  bool needs_offsets(const Buffer& buffer) const;
  /// Bytes of one element of a type in a constant buffer.
  std::uint64_t element_bytes(const Type& of) const;
  struct Values {
    View bytes;
    Text text;
    std::size_t count = 0;
    std::size_t left;  ///< steps before giving up: types can expand beyond all bounds
  };
  /// Appends one number; false if HLSL has no literal for it.
  static bool add_value(Values& values, BaseType base, std::uint64_t offset);
  bool add_values(Values& values, std::uint32_t index, std::uint64_t offset) const;
  void print_default(const Variable& variable);
  static void print_format(Text& out, const Resource& resource);
  /// What a structured buffer holds. Prints a struct before it if no type has a name, or it is an array.
  std::string element_type(const Resource& resource, std::string_view name);
  void print_resource(std::uint32_t index);
  /// False for what has a counterpart.
  bool print_vulkan(const Resource& resource, const std::string& name);
  void print_vulkan_constants(const Resource& resource, const std::string& name);
  /// One element of an open array of plain elements is that of a structured buffer, a block of fixed size the only one. What is in
  /// front of an open array makes it bytes.
  void print_storage_buffer(const Resource& resource, const std::string& name);
  bool members_hold_open_array(const Type& of) const;
  /// Whether a type or one of its members is such. A type refers only to those before it; each is looked at once.
  template <class Is>
  bool holds(std::vector<bool>& known, std::uint32_t index, const Is& is) const;
  bool holds_open_array(std::uint32_t index) const;
  bool holds_narrow(std::uint32_t index) const;
  /// What lies in a buffer that HLSL sees as bytes, as comments.
  void print_contents(const Buffer& buffer);
  bool print_combined_sampler(const Resource& resource, const std::string& name);
  /// Interface variables: locations count, and semantics are generated.
  void print_variables(std::string_view name, const std::vector<SignatureElement>& elements, Stage stage, bool is_output);
  bool print_kind(Text& word, const Resource& resource, std::string_view name);
  /// Textures and samplers as declarations. What only compilers of effects accept is written as comments.
  void print_effect(const EffectContents& effect);
  static std::string_view stage_word(Stage stage);
  static std::string_view component_word(const SignatureElement& element);
  static void print_modifier(Text& out, const SignatureElement& element);
  static bool is_tess_factor(const SignatureElement& element);
  void print_signature(std::string_view name, const std::vector<SignatureElement>& elements, std::uint32_t stream, bool is_vertex_array);
  void print_signatures(const EntryPoint& entry);
  const Reflection& reflection_;
  Text& out_;
  bool vulkan_;
  mutable std::vector<bool> open_;    // by type: whether it holds an open array
  mutable std::vector<bool> narrow_;  // by type: whether it holds a number of 8 bits
  Names names_;
  std::vector<const Resource*> bound_;  // by buffer: the first resource that it belongs to
  std::vector<std::vector<std::string>> variable_names_;
  std::vector<std::string> resource_names_;
  std::vector<std::string> buffer_names_;
  std::vector<std::string> type_names_;  // of structs and interfaces
  std::map<std::string, std::string> interfaces_;
  std::map<std::pair<std::string, std::string>, std::string> structs_;  // by name and body
};

}  // namespace unshade::shader::hlsl
