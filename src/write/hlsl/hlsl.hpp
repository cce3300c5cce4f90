// HLSL as a target: its types, functions, signatures and resources.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <unshade/core/text.hpp>

#include "write/source/module_writer.hpp"

namespace unshade::write::hlsl {

using source::Base;
using source::Expression;
using source::Level;
using source::ValueType;

/// A field of a struct of inputs or outputs.
struct Field {
  std::string name;
  ValueType type;
  bool is_precise = false;      ///< what it is assigned may not be rearranged
  bool is_truth = false;        ///< a bool, which is 0 or all ones in the IR
  std::uint32_t rows = 1;       ///< of an array
  std::uint32_t first_row = 0;  ///< of an element that is a part of one: tessellation factors
  bool is_left_out = false;     ///< that nothing accesses: blocks of built-ins of SPIR-V have all, programs of the PICA200 16 inputs
  bool is_factor = false;       ///< a tessellation factor: of an array, even alone
  bool is_first = true;         ///< it is declared with this element
  bool is_per_vertex = false;   ///< of a pixel shader: the values that the vertices of the primitive have
  std::string semantic;
};

class Hlsl final : public source::Target {
 public:
  explicit Hlsl(source::ModuleWriter& writer);

  ShadingLanguage words() const override { return ShadingLanguage::hlsl; }
  std::string type_name(ValueType type) const override;
  std::string literal(Base base, std::uint64_t bits, bool hex) const override;
  Expression reinterpreted(const Expression& value, Base to) const override;
  bool mixes_signs() const override { return true; }
  bool spreads_scalars() const override { return true; }
  bool takes_vectors(ir::Op op) const override {
    return op == ir::Op::fmul_zero || op == ir::Op::fmad_zero || op == ir::Op::fmad || op == ir::Op::fclass || op == ir::Op::ubfe ||
           op == ir::Op::ibfe || op == ir::Op::bfi;
  }
  Expression compared(std::string_view word, Level level, const Expression& a, const Expression& b) const override;
  Expression chosen(const Expression& condition, const Expression& a, const Expression& b) const override;
  std::optional<Expression> half_as_float(const Expression& bits) override;
  std::optional<Expression> float_as_half(const Expression& value, ir::Rounding rounding) override;
  std::optional<Expression> operation(const ir::Inst& inst, std::span<const Expression> operands, ValueType result) override;
  std::string matrix_element(const std::string& matrix, bool is_rows, std::string_view vector, std::string_view component) const override;

  Expression matrix_product(const std::string& matrix, MatrixSize size, MatrixSize used, const Expression& vector,
                            bool is_vector_first) override;
  std::optional<Expression> dot_with_zero(const Expression& a, const Expression& b) override;
  Expression input(const source::ElementUse& use) override;
  std::string output(const source::ElementUse& use, ValueType& type) override;
  Expression output_value(const source::ElementUse& use) override;
  Expression interpolated(const source::ElementUse& use, ir::ElementExtra::Place place, const Expression& at) override;
  Expression builtin(ir::Builtin builtin, std::span<const std::uint8_t> components) override;
  std::string emit(std::uint32_t stream) override;
  std::string cut(std::uint32_t stream) override;
  std::string mesh_counts(const Expression& vertices, const Expression& primitives) override;
  std::string mesh_primitive(const Expression& primitive, std::span<const Expression> corners) override;
  std::string dispatch_mesh(std::span<const Expression> groups) override;
  std::string message(ir::MessageKind kind, const std::string& format, std::span<const Expression> values) override;
  std::string stop() override { return "abort()"; }
  std::string demote(const std::string& condition) override;
  std::string barrier(std::uint32_t bits) override;
  std::string return_value() override;

  std::string heap_resource(std::uint32_t resource, const std::string& index, bool is_non_uniform) override;
  Expression texture(const source::TextureCall& call) override;
  std::optional<Expression> texture_status(const source::TextureCall& call) override;
  std::optional<Expression> buffer_status(const source::ResourceUse& buffer, const Expression& address, unsigned width) override;
  std::string varying_index(const std::string& index) override { return "NonUniformResourceIndex(" + index + ')'; }
  Base texel_base(std::uint32_t resource) const override;
  unsigned texel_width(std::uint32_t resource) const override;
  std::string texel_store(const source::TextureCall& call) override;
  std::string write_feedback(const source::TextureCall& call) override;
  std::string element_of(const source::ResourceUse& buffer, const Expression& index) override;
  Expression raw_load(const source::ResourceUse& buffer, const Expression& address, ValueType type) override;
  std::string raw_store(const source::ResourceUse& buffer, const Expression& address, const Expression& value) override;
  std::string counter(const source::ResourceUse& buffer, bool up) override;
  std::string texel_place(const source::TextureCall& call) override;
  std::string atomic(ir::AtomicOp op, const AtomicPlace& place, std::span<const Expression> values, const std::string& result) override;
  bool can_lay_out(const source::ByteLayout& layout) const override;

  void declare(Text& out) override;
  void begin_function(std::size_t function) override;
  void open_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) override;
  void close_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) override;

 private:
  // --- interface.cpp, entry.cpp ---
  std::string struct_of(ir::SignatureKind kind, std::uint32_t stream) const;
  void make_fields(ir::SignatureKind kind);
  void note(const ir::Function& function, ir::Id id);
  bool is_accessed(ir::SignatureKind kind, std::uint32_t element) const;
  std::string semantic_of(ir::SignatureKind kind, const ir::Element& element) const;
  const Field& field(ir::SignatureKind kind, std::uint32_t element) const;
  Expression member_of(const source::ElementUse& use, const std::string& object) const;
  Expression of_attribute(std::string_view function, const source::ElementUse& use, const std::string& arguments) const;
  void declare_struct(Text& out, ir::SignatureKind kind, std::string_view name, std::uint32_t stream) const;
  std::vector<std::string> initial_outputs() const;
  std::vector<std::uint32_t> streams() const;
  bool is_hull_constants() const {
    return writer_.module.stage == Stage::hull && current_ + 1 == writer_.module.functions.size() && has_constants_;
  }
  bool is_mesh() const { return writer_.module.stage == Stage::mesh; }
  std::string_view patch_struct() const { return is_mesh() ? "Primitive" : "Patch"; }
  void mesh_parameters(std::vector<std::string>& parameters) const;
  bool has(ir::SignatureKind kind) const {
    return std::ranges::any_of(fields_.at(kind), [](const Field& one) { return !one.is_left_out; });
  }
  void pass_points(Text& out, std::vector<std::uint32_t>& lines) const;
  void attributes(Text& out, std::vector<std::uint32_t>& lines) const;
  // --- classes.cpp ---
  bool has_plain_classes() const;
  std::optional<Expression> class_number(std::uint32_t slot);
  void claim_classes();
  void declare_classes(Text& out) const;
  // --- declarations.cpp ---
  std::string texture_type(std::uint32_t resource) const;
  std::string number_type(const ir::Resource& resource) const;
  std::string resource_type(Text& out, std::uint32_t resource);
  void declare_resource(Text& out, std::uint32_t resource);
  void declare_constants(Text& out, std::uint32_t resource);
  std::string part_type(const source::ByteLayout& layout, std::uint32_t part) const override;
  std::string binding(const ir::Resource& resource) const;
  void declare_variable(Text& out, std::uint32_t variable);
  // --- language.cpp ---
  Expression bits_of_wide(const Expression& value, Base to) const;
  // --- resources.cpp ---
  std::string place_with(const Expression& place, std::string_view more) const;
  const std::string& heap_constants(std::uint32_t resource);
  /// A structured buffer as a function takes it.
  struct BufferParameter {
    std::string parameter, name, argument;
  };
  BufferParameter as_parameter(const source::ResourceUse& buffer);
  Expression query(const source::TextureCall& call);
  std::string_view gather_method(const source::TextureCall& call) const;

  std::map<ir::SignatureKind, std::vector<Field>> fields_;
  std::size_t current_ = 0;
  bool has_constants_ = false;                           ///< a hull shader's function for them
  std::set<ir::Builtin> builtins_;                       ///< of the current function
  std::set<std::uint32_t> with_atomics_;                 ///< typed resources: their texels are scalars
  std::map<std::uint32_t, bool> wide_texels_;            ///< typed resources whose texels have 64 bits: whether they are signed
  bool has_classes_ = false;                             ///< that interfaces tell apart
  std::set<std::uint32_t> comparing_;                    ///< samplers
  Text heap_structures_;                                 ///< declarations of what buffers of a descriptor heap consist of
  std::map<std::uint32_t, std::string> heap_constants_;  ///< of constant buffers of one, the structure
};

}  // namespace unshade::write::hlsl
