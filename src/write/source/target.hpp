// What languages differ in: one interface, which the writers of src/write/hlsl and src/write/glsl implement.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/text.hpp>
#include <unshade/core/text/identifiers.hpp>
#include <unshade/ir/extra.hpp>
#include <unshade/ir/module.hpp>

#include "write/source/expression.hpp"
#include "write/source/given/names.hpp"
#include "write/source/layout/layout.hpp"

namespace unshade::write::source {

/// A resource as expressions name it.
struct ResourceUse {
  std::uint32_t resource = ir::kNone;
  std::string text;  ///< its name, with an index if it is an array
};

/// Components of an element of a signature.
struct ElementUse {
  ir::SignatureKind signature = ir::SignatureKind::input;
  std::uint32_t element = 0;
  std::string vertex, row;  ///< empty: none
  std::vector<std::uint8_t> columns;
  bool is_precise = false;  ///< of an output: what is assigned may not be rearranged
};

/// An operation on a texture or typed buffer, with its operands as expressions. Those that are not there are empty.
struct TextureCall {
  ir::Op op = ir::Op::sample;
  ir::TextureExtra extra;
  ResourceUse texture, sampler, feedback;
  Expression place;  ///< with the element of an array
  std::optional<Expression> bias, lod, ddx, ddy, offset, reference, min_lod, sample;
  std::vector<Expression> offsets;            ///< of a gather at four
  std::optional<Expression> value, compared;  ///< stored; of an atomic operation
  unsigned results = 0;
};

class ModuleWriter;
struct Memory;

class Target {
 public:
  explicit Target(ModuleWriter& writer) : writer_(writer) {}
  virtual ~Target() = default;

  // --- the language ---
  virtual ShadingLanguage words() const = 0;
  virtual std::string type_name(ValueType type) const = 0;
  /// A scalar. `hex`: what is a mask.
  virtual std::string literal(Base base, std::uint64_t bits, bool hex) const = 0;
  /// The same bits as another type of the same width.
  virtual Expression reinterpreted(const Expression& value, Base to) const = 0;
  /// Integers of both signs may meet in an operator that takes both, and be assigned to each other.
  virtual bool mixes_signs() const = 0;
  /// Variables and outputs may be declared `precise`.
  virtual bool has_precise() const { return true; }
  /// Functions and constructors of vectors take scalars for vectors.
  virtual bool spreads_scalars() const = 0;
  /// Whether the word of operations.def gives the bits that the setting asks for, in this version; else operation() is asked.
  virtual bool spells(const ir::Inst&) { return true; }
  /// operation() takes vectors.
  virtual bool takes_vectors(ir::Op op) const = 0;
  /// A comparison, or `&&`, `||`, `!` of vectors.
  virtual Expression compared(std::string_view word, Level level, const Expression& a, const Expression& b) const = 0;
  virtual Expression chosen(const Expression& condition, const Expression& a, const Expression& b) const = 0;
  /// A float as an integer; nothing: by the type's constructor.
  virtual std::optional<Expression> converted(const Expression&, Base) { return std::nullopt; }
  /// The float that the low 16 bits of a word are, and the reverse; nothing: by types of 16 bits.
  virtual std::optional<Expression> half_as_float(const Expression&) { return std::nullopt; }
  virtual std::optional<Expression> float_as_half(const Expression&, ir::Rounding) { return std::nullopt; }
  /// An operation without a row in operations.def; nothing: it cannot be written.
  virtual std::optional<Expression> operation(const ir::Inst& inst, std::span<const Expression> operands, ValueType result) = 0;
  /// What of a matrix an access means: rows are in memory, or columns.
  virtual std::string matrix_element(const std::string& matrix, bool is_rows, std::string_view vector,
                                     std::string_view component) const = 0;

  /// The rows and columns of a matrix as the language counts them.
  struct MatrixSize {
    unsigned rows = 0, columns = 0;
    bool operator==(const MatrixSize&) const = default;
  };
  /// The product of a part of a matrix, from its first component on, and a vector, which comes first or second.
  virtual Expression matrix_product(const std::string& matrix, MatrixSize size, MatrixSize used, const Expression& vector,
                                    bool is_vector_first) = 0;

  /// A dot product whose products with 0 are 0; nothing: each product is written.
  virtual std::optional<Expression> dot_with_zero(const Expression& /*a*/, const Expression& /*b*/) { return std::nullopt; }

  // --- inputs and outputs ---
  virtual Expression input(const ElementUse& use) = 0;
  /// A place that can be assigned. `type`: of what is assigned.
  virtual std::string output(const ElementUse& use, ValueType& type) = 0;
  virtual Expression output_value(const ElementUse& use) = 0;
  /// What is assigned to an output: the value, changed where the language asks for it.
  virtual Expression assigned(const ElementUse& /*use*/, Expression value) { return value; }
  /// Whether components of an output can be assigned at once.
  virtual bool joins_outputs(ir::SignatureKind, std::uint32_t) const { return true; }
  virtual Expression interpolated(const ElementUse& use, ir::ElementExtra::Place place, const Expression& at) = 0;
  virtual Expression builtin(ir::Builtin builtin, std::span<const std::uint8_t> components) = 0;
  virtual std::string emit(std::uint32_t stream) = 0;
  virtual std::string cut(std::uint32_t stream) = 0;
  /// A statement that prints a message: a format of printf, in quotes, and what it shows. Empty: the language has none.
  virtual std::string message(ir::MessageKind /*kind*/, const std::string& /*format*/, std::span<const Expression> /*values*/) {
    return {};
  }
  /// A statement that stops the draw or dispatch with a fault; empty: the language has none.
  virtual std::string stop() { return {}; }
  /// Statements of mesh and amplification shaders; empty: the language has none.
  virtual std::string mesh_counts(const Expression& /*vertices*/, const Expression& /*primitives*/) { return {}; }
  virtual std::string mesh_primitive(const Expression& /*primitive*/, std::span<const Expression> /*corners*/) { return {}; }
  virtual std::string dispatch_mesh(std::span<const Expression> /*groups*/) { return {}; }
  virtual std::string demote(const std::string& condition) = 0;
  virtual std::string barrier(std::uint32_t bits) = 0;
  virtual std::string return_value() = 0;

  // --- resources ---
  /// A resource of a descriptor heap; empty: the language has none.
  virtual std::string heap_resource(std::uint32_t /*resource*/, const std::string& /*index*/, bool /*is_non_uniform*/) { return {}; }
  /// An index of an array of resources that may differ between lanes.
  virtual std::string varying_index(const std::string& index) = 0;
  virtual Expression texture(const TextureCall& call) = 0;
  /// The numbers that texels of a texture or typed buffer have. Those of 64 bits are loaded and stored as words, too.
  virtual Base texel_base(std::uint32_t resource) const = 0;
  /// Whether the memory that a load reads is mapped, as a number that access_mapped takes; nothing: the language cannot say it.
  virtual std::optional<Expression> texture_status(const TextureCall& /*call*/) { return std::nullopt; }
  /// The same of a structured buffer, or of a buffer of bytes, of which `width` words are read.
  virtual std::optional<Expression> buffer_status(const ResourceUse& /*buffer*/, const Expression& /*address*/, unsigned /*width*/) {
    return std::nullopt;
  }
  /// Components of what is stored in a texel.
  virtual unsigned texel_width(std::uint32_t resource) const = 0;
  /// A statement.
  virtual std::string texel_store(const TextureCall& call) = 0;
  /// A statement that writes to a feedback map; empty: the language has none.
  virtual std::string write_feedback(const TextureCall& /*call*/) { return {}; }
  /// The element of a structured buffer.
  virtual std::string element_of(const ResourceUse& buffer, const Expression& index) = 0;
  /// Values in a buffer of bytes; the result may have another base of the same size.
  virtual Expression raw_load(const ResourceUse& buffer, const Expression& address, ValueType type) = 0;
  virtual std::string raw_store(const ResourceUse& buffer, const Expression& address, const Expression& value) = 0;
  virtual std::string counter(const ResourceUse& buffer, bool up) = 0;
  /// A place in memory that an atomic operation changes.
  struct AtomicPlace {
    std::string text;                  ///< a variable, an element, a texel
    const ResourceUse* raw = nullptr;  ///< or an address in a buffer of bytes
    Expression address;
    Base base = Base::uint_;
    bool is_texel = false;
    Base result = Base::uint_;  ///< of the variable that gets the value before
  };
  virtual std::string texel_place(const TextureCall& call) = 0;
  /// A statement; `result`: where the value before goes, empty: nowhere.
  virtual std::string atomic(ir::AtomicOp op, const AtomicPlace& place, std::span<const Expression> values, const std::string& result) = 0;
  /// Storage buffers may have members.
  virtual bool has_blocks() const { return false; }
  /// How many elements an open array has.
  virtual Expression length_of(const std::string& /*array*/) { return {}; }
  /// What constant buffers of a kind look like: whether members lie where the language puts them.
  virtual bool can_lay_out(const ByteLayout& layout) const = 0;
  /// Names the structures of a layout, each once for all layouts, and gives their members new names. `memory` is not moved any more.
  void name_structures(Memory& memory);

  // --- the text around functions ---
  /// All that is declared, before the functions. Called after they are written: what they use is known.
  virtual void declare(Text& out) = 0;
  /// Before a function is written.
  virtual void begin_function(std::size_t function) = 0;
  /// The heading of a function and, before it, its attributes; what stands at the begin of its body. Called after its statements are
  /// written: what they use is known.
  virtual void open_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) = 0;
  virtual void close_function(std::size_t function, Text& out, std::vector<std::uint32_t>& lines) = 0;

 protected:
  /// How an atomic operation on integers is called, without what a language puts before it: `Min`.
  struct AtomicWord {
    std::string_view word;                        ///< empty: compare and exchange, for which languages have different words
    bool is_signed = false, is_unsigned = false;  ///< it takes such integers alone
  };
  /// Nothing, and a complaint: no language has it.
  std::optional<AtomicWord> atomic_word(ir::AtomicOp op);
  /// Complains of a minimum or maximum in a place of the other signedness, which is no buffer of bytes.
  void check_sign(const AtomicWord& word, const AtomicPlace& place);
  /// Whether a texture has the dimension of the operation; else a complaint: no language has it.
  bool check_dimension(const TextureCall& call);
  /// Complains of a load of an input attachment elsewhere than at the fragment, and of any other operation: no language has these.
  void check_attachment(const TextureCall& call);
  /// A comparison or a logical operation as an operator.
  Expression as_operator(std::string_view word, Level level, const Expression& a, const Expression& b) const;

  /// The type of a part of a layout, in which structures have the names that name_structures() gave them.
  virtual std::string part_type(const ByteLayout& layout, std::uint32_t part) const = 0;
  /// `float4 lights[4]`
  std::string declaration(const ByteLayout& layout, std::uint32_t part, std::string_view name) const;
  /// Declares the structures of a layout that are not declared yet. `is_root`: what the root's members are in declares them.
  void declare_structures(Text& out, const ByteLayout& layout, bool is_root);
  const std::string& structure_name(const ByteLayout& layout, std::uint32_t part) const;
  std::string structure_body(const ByteLayout& layout, std::uint32_t part) const;

  ModuleWriter& writer_;

 private:
  std::map<std::string, Name> structures_;                                              ///< by body
  std::set<std::string> declared_;                                                      ///< structures
  std::map<std::pair<const ByteLayout*, std::uint32_t>, std::string> structure_names_;  ///< by part
};

/// The words of an interpolation before a declaration, `noperspective centroid `; of a constant the language's own.
std::string_view interpolation_words(dxcontainer::Interpolation how, std::string_view constant);

}  // namespace unshade::write::source
