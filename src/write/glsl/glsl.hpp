// GLSL as a target: its types, functions, inputs and outputs, resources, for Vulkan, OpenGL and OpenGL ES.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "write/locations.hpp"
#include "write/places.hpp"
#include "write/source/module_writer.hpp"

namespace unshade::write::glsl {

using source::Base;
using source::Expression;
using source::Level;
using source::ValueType;

/// A version that has a feature; 0: none.
struct Since {
  unsigned desktop = 0, es = 0;
};

/// An element of a signature as a variable, or as a built-in one.
struct Field {
  std::string name;  ///< of a built-in with its index: `gl_TessLevelOuter[1]` has `first`
  ValueType type;    ///< as the program has it
  bool is_builtin = false;
  bool is_member = false;      ///< of gl_in, gl_out, and the lists of a mesh
  bool is_truth = false;       ///< a bool, which is 0 or all ones in the IR
  bool is_flat_array = false;  ///< components are elements of an array, from `first` on
  bool is_per_vertex = false;  ///< of a pixel shader: the values that the vertices of the primitive have
  std::uint32_t first = 0;
  std::string read{};       ///< the value of a built-in that is not its name alone; `#` stands for the name
  bool is_declared = true;  ///< a variable of its own
  bool is_used = false;
};

/// A texture and the sampler that it is used with, which are one in OpenGL, and in Vulkan if they are in one place.
struct Combined {
  std::uint32_t texture = ir::kNone, sampler = ir::kNone;
  bool is_comparison = false;
  std::string name;
};

/// A function that is written when it is called, for vectors as one of components. Its parameters are a, b, c and d.
struct Function {
  std::string_view name;
  Base result = Base::float_;
  std::vector<Base> parameters;
  std::string_view body;
};

/// How bytes of a block may be laid out.
enum class BlockRules : std::uint8_t { std140, std430, scalar };

/// What the name of a view of a raw buffer ends with: one of other elements than words.
constexpr std::string_view view_suffix(Base elements) {
  switch (elements) {
    case Base::int_: return "_signed";
    case Base::uint16: return "_halves";
    case Base::uint64: return "_wide";
    case Base::int64: return "_wide_signed";
    default: return "";
  }
}

/// The index of an array of resources, behind its name.
inline std::string index_of(const source::ResourceUse& use, const std::string& name) {
  return use.text.substr(std::min(use.text.size(), name.size()));
}
inline bool is_storage(const ir::Resource& resource) { return resource.kind == dxcontainer::ResourceKind::uav_typed; }

class Glsl final : public source::Target {
 public:
  explicit Glsl(source::ModuleWriter& writer);

  ShadingLanguage words() const override { return ShadingLanguage::glsl; }
  std::string type_name(ValueType type) const override;
  std::string literal(Base base, std::uint64_t bits, bool hex) const override;
  Expression reinterpreted(const Expression& value, Base to) const override;
  bool has_precise() const override { return has({400, 320}); }
  bool mixes_signs() const override { return false; }
  bool spreads_scalars() const override { return false; }
  bool spells(const ir::Inst& inst) override;
  bool takes_vectors(ir::Op op) const override { return op != ir::Op::pack64 && op != ir::Op::pack_i8 && op != ir::Op::dot2_add; }
  Expression compared(std::string_view word, Level level, const Expression& a, const Expression& b) const override;
  Expression chosen(const Expression& condition, const Expression& a, const Expression& b) const override;
  std::optional<Expression> converted(const Expression& value, Base to) override;
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
  bool joins_outputs(ir::SignatureKind kind, std::uint32_t element) const override;
  Expression interpolated(const source::ElementUse& use, ir::ElementExtra::Place place, const Expression& at) override;
  Expression builtin(ir::Builtin builtin, std::span<const std::uint8_t> components) override;
  std::string emit(std::uint32_t stream) override;
  std::string cut(std::uint32_t stream) override;
  Expression assigned(const source::ElementUse& use, Expression value) override;
  std::string mesh_counts(const Expression& vertices, const Expression& primitives) override;
  std::string mesh_primitive(const Expression& primitive, std::span<const Expression> corners) override;
  std::string dispatch_mesh(std::span<const Expression> groups) override;
  std::string message(ir::MessageKind kind, const std::string& format, std::span<const Expression> values) override;
  std::string demote(const std::string& condition) override;
  std::string barrier(std::uint32_t bits) override;
  std::string return_value() override { return {}; }

  std::string heap_resource(std::uint32_t resource, const std::string& index, bool is_non_uniform) override;
  Expression texture(const source::TextureCall& call) override;
  std::optional<Expression> texture_status(const source::TextureCall& call) override;
  Base texel_base(std::uint32_t resource) const override;
  unsigned texel_width(std::uint32_t) const override { return 4; }
  std::string texel_store(const source::TextureCall& call) override;
  std::string element_of(const source::ResourceUse& buffer, const Expression& index) override;
  Expression raw_load(const source::ResourceUse& buffer, const Expression& address, ValueType type) override;
  std::string raw_store(const source::ResourceUse& buffer, const Expression& address, const Expression& value) override;
  std::string counter(const source::ResourceUse& buffer, bool up) override;
  std::string texel_place(const source::TextureCall& call) override;
  std::string atomic(ir::AtomicOp op, const AtomicPlace& place, std::span<const Expression> values, const std::string& result) override;
  std::string varying_index(const std::string& index) override;
  bool has_blocks() const override { return has({430, 310}); }
  Expression length_of(const std::string& array) override { return {"uint(" + array + ".length())", Level::postfix, {Base::uint_, 1}}; }
  bool can_lay_out(const source::ByteLayout& layout) const override;

  void declare(Text& out) override;
  void begin_function(std::size_t function) override { current_ = function; }
  void open_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) override;
  void close_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) override;

 private:
  bool is_vulkan() const { return options_.environment == GlslEnvironment::vulkan; }
  bool is_es() const { return options_.environment == GlslEnvironment::es; }
  unsigned version() const { return version_; }
  /// Refuses what the version does not have; an extension that has it is declared where one is named, and the version has at least 3.30.
  void needs(std::string_view feature, Since since, std::string_view extension = {}) const;
  bool has(Since since) const;
  void extension(std::string_view name) const { extensions_.insert(std::string(name)); }
  std::string helper(std::string_view name, std::string_view text) const { return writer_.helper(name, text); }
  /// The name of a variable beside that of a resource.
  std::string beside(const source::Name& wanted) const { return writer_.names.claim(wanted, 0, source::Names::Kind::resource).shown; }

  // --- operations.cpp ---
  std::optional<Expression> exact(const ir::Inst& inst, std::span<const Expression> operands, ValueType result);
  std::optional<Expression> integers(const ir::Inst& inst, std::span<const Expression> operands, ValueType result);
  std::optional<Expression> bits_of_size(const ir::Inst& inst, const Expression& value, unsigned width);
  std::optional<Expression> lanes(const ir::Inst& inst, std::span<const Expression> operands, ValueType result);
  Expression call(const Function& function, std::span<const Expression> operands, unsigned width);

  // --- interface.cpp ---
  void make_fields(ir::SignatureKind kind);
  Field field_of(ir::SignatureKind kind, std::uint32_t element, bool& is_done) const;
  Field field_of_built_in(const ir::Element& element, bool is_input) const;
  const Field& field(ir::SignatureKind kind, std::uint32_t element) const { return fields_.at(kind)[element]; }
  Expression member_of(const source::ElementUse& use, bool is_read);
  bool is_input_of(ir::SignatureKind kind) const {
    return kind == ir::SignatureKind::input || (kind == ir::SignatureKind::patch && writer_.module.stage == Stage::domain);
  }
  void declare_interface(Text& out) const;
  void declare_elements(Text& out, ir::SignatureKind kind) const;
  std::string_view members_of(ir::SignatureKind kind) const;
  // --- stages.cpp ---
  void declare_stage(Text& out) const;
  bool is_hull_constants(std::size_t function) const {
    return writer_.module.stage == Stage::hull && function + 1 == writer_.module.functions.size() && has_constants_;
  }
  std::string position_fix() const;
  std::vector<std::string> initial_memory() const;
  // --- mesh.cpp ---
  bool is_mesh() const { return writer_.module.stage == Stage::mesh; }
  void declare_mesh(Text& out) const;
  void declare_mesh_vertices(Text& out, const std::map<std::string, std::uint32_t>& distances) const;
  // --- declarations.cpp ---
  bool fits(const source::ByteLayout& layout, BlockRules rules) const;
  std::optional<BlockRules> rules_of(const source::ByteLayout& layout, bool is_constants) const;
  std::string part_type(const source::ByteLayout& layout, std::uint32_t part) const override;
  void declare_constants(Text& out, std::uint32_t resource);
  void declare_buffer(Text& out, std::uint32_t resource);
  void declare_block(Text& out, std::uint32_t resource);
  void print_members(Text& out, const source::ByteLayout& layout, BlockRules rules) const;
  void declare_textures(Text& out, std::uint32_t resource);
  void declare_variable(Text& out, std::uint32_t variable);
  std::string layout_at(std::uint32_t resource, std::string_view more, std::optional<std::uint32_t> other = {}) const;
  std::string registers(const ir::Resource& resource) const;
  std::string array_of(const ir::Resource& resource) const;
  /// Whether a resource has a variable: of a descriptor heap, and of kinds that GLSL does not have, what is used.
  bool is_declared(std::uint32_t resource) const {
    const ir::Resource& of = writer_.module.resources[resource];
    const bool is_known =
        of.kind != dxcontainer::ResourceKind::uav_feedback && of.kind != dxcontainer::ResourceKind::acceleration_structure;
    return (!of.heap && is_known) || writer_.is_resource_used(resource);
  }
  std::uint32_t binding_point(std::uint32_t resource) const;
  std::uint32_t free_binding(std::uint32_t like) const;
  // --- textures.cpp ---
  std::string texture_word(std::uint32_t resource, std::string_view kind, bool is_comparison) const;
  /// A texture with its sampler, as functions take it.
  std::string sampled(const source::TextureCall& call);
  std::string apart(const source::ResourceUse& texture);
  /// Of SPIR-V, read by subpassLoad. OpenGL has textures for them.
  bool is_attachment(const ir::Resource& resource) const;
  /// A texture without a sampler.
  std::string fetched(const source::TextureCall& call);
  Expression accessed(const source::TextureCall& call, bool is_sparse);
  Expression buffer_access(const source::TextureCall& call);
  Expression gathered_apart(const source::TextureCall& call, std::span<const std::string> arguments) const;
  Expression image_place(const source::TextureCall& call) const;
  // --- queries.cpp ---
  Expression query(const source::TextureCall& call);
  Expression specialized(const Specialization& constant) const;
  Expression target_sample_count() const;
  Expression sample_place(const std::string& count, const Expression& number) const;
  // --- buffers.cpp ---
  std::string plain_index(const Expression& index) const;
  std::string raw_elements(const source::ResourceUse& buffer, Base base);
  struct RawWords {
    std::string data, parameter, argument;
  };
  RawWords raw_words(const source::ResourceUse& buffer, Base base);

  const GlslOptions& options_;
  unsigned version_ = 460;
  Locations locations_;
  Places places_;  ///< of Vulkan
  mutable std::set<std::string> extensions_;
  std::map<ir::SignatureKind, std::vector<Field>> fields_;
  std::size_t current_ = 0;
  bool has_derivatives_ = false;                             ///< of a compute shader
  bool has_constants_ = false;                               ///< a hull shader's function for them
  std::map<std::uint32_t, std::uint32_t> counter_bindings_;  ///< in the order of first uses, as translations to SPIR-V have them
  /// Raw buffers that are declared again, of other elements than words: those of loads and stores, and of signed atomic operations.
  std::set<std::pair<std::uint32_t, Base>> views_;
  std::set<std::uint32_t> atomics_, loaded_, stored_;
  std::map<std::uint32_t, bool> wide_texels_;  ///< typed resources whose texels have 64 bits: whether they are signed
  std::vector<Combined> combined_;
  std::map<std::uint32_t, std::string> apart_;                      ///< of Vulkan: textures of pairs that are used without their samplers
  std::map<std::pair<std::uint32_t, bool>, std::string> samplers_;  ///< of Vulkan, by whether they compare
  std::map<std::string, std::string> functions_;                    ///< names of those that are declared
  mutable std::map<std::uint32_t, std::uint32_t> next_binding_, points_;
};

}  // namespace unshade::write::glsl
