// Writes a module of the IR as SPIR-V: what is outside of functions. function_writer.hpp has what is in them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/ir/module.hpp>
#include <unshade/ir/structure.hpp>
#include <unshade/write/spirv.hpp>

#include "write/locations.hpp"
#include "write/places.hpp"
#include "write/spirv/block_layout.hpp"
#include "write/spirv/debug_info.hpp"
#include "write/spirv/module_writer.hpp"

namespace unshade::write::spirv_writer {

using dxcontainer::ResourceDimension;
using dxcontainer::ResourceKind;
using dxcontainer::SystemValue;
using ir::Type;

/// A variable, and the type that it has behind its pointer.
struct Variable {
  Word id = 0;
  Word type = 0;
  StorageClass storage = StorageClass::private_;
};

/// How an element of a signature is a variable.
struct ElementPlace {
  Variable variable;
  Type type = Type::f32;       ///< of the IR
  Word scalar = 0;             ///< type of a component
  bool is_vector = false;      ///< else a component is not indexed
  bool is_array = false;       ///< rows are indexed
  bool is_per_vertex = false;  ///< vertices are indexed first
  bool is_flat_array = false;  ///< distances: an array of floats, this element's from `first` on
  bool is_bool = false;        ///< a truth, which is 0 or `true_bits` in Direct3D
  std::uint32_t true_bits = 0xffff'ffff;
  bool has_reciprocal = false;  ///< FragCoord: its w is 1 / w
  std::uint32_t first = 0;
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  bool is_difference = false;  ///< of a built-in from another: SV_VertexID begins at 0
  Variable base;
};

class Writer {
 public:
  Writer(const ir::Structured& in, const shader::Reflection* reflection, const SpirvOptions& options);
  Result<SpirvModule> run();

  ModuleWriter out;
  const ir::Module& module;
  const SpirvOptions& options;
  bool is_exact() const { return options.numbers == Numbers::exact; }

  /// The type of a value of the IR.
  Word type_of(Type type);
  Word constant_of(Type type, std::uint64_t bits);

  /// The element of a signature; made when it is first asked for.
  const ElementPlace& element(ir::SignatureKind kind, std::uint32_t element);
  const Variable& builtin(ir::Builtin builtin, bool& is_signed);
  /// A built-in variable of the stage's inputs or outputs.
  Variable builtin_variable(BuiltIn which, Word type, StorageClass storage);

  /// Memory of the IR's variables: an array of words of 4 bytes.
  const Variable& memory(std::uint32_t variable, std::uint32_t& words);
  /// The words of a variable have 8 bytes.
  bool is_wide(std::uint32_t variable) const { return wide_memory_.contains(variable); }

  /// A constant buffer: a block that is an array of vectors of four words.
  const Variable& constant_buffer(std::uint32_t resource);
  /// The same buffer as a block of what reflection names in it; null if there is none.
  struct NamedBlock {
    Variable variable;
    BlockLayout layout;
  };
  const NamedBlock* named_block(std::uint32_t resource);
  /// A buffer of bytes: a block that ends with an array of words; a structured one: with an array of elements that are arrays of words.
  const Variable& storage_buffer(std::uint32_t resource, unsigned word_bytes, bool is_real = false);
  const Variable& counter_buffer(std::uint32_t resource);
  /// An image, and what its texels are.
  struct Image {
    Variable variable;
    Word type = 0;   ///< OpTypeImage
    Word texel = 0;  ///< type of a component
    bool is_real = true;
    bool is_wide = false;  ///< 64 bits, which are two components where words are accessed
    bool is_storage = false;
  };
  const Image& image(std::uint32_t resource, Type accessed);
  const Variable& sampler(std::uint32_t resource);
  /// A word that is given when the pipeline is made.
  Word specialization(const Specialization& constant);
  /// Constants that are indexed.
  const Variable& table(Word type, std::span<const Word> parts);

  /// Records the first error.
  void refuse(Error error) {
    if (!error_) error_ = std::move(error);
  }
  void unsupported(std::string_view what) { refuse({ErrorCode::unsupported, 0, "", std::string(what)}); }
  /// Something needs the lanes of a quad; `has_control`: coarse or fine derivatives.
  void uses_derivatives(bool has_control);
  bool failed() const { return error_.has_value(); }

  Word entry = 0;  ///< the function of the entry point
  std::optional<DebugText> debug;

 private:
  void describe_entry();
  void write_hull();
  Variable declare(Word type, StorageClass storage, std::string_view name, Word initializer = 0);
  Variable bind(std::uint32_t resource, Word type, StorageClass storage, std::string_view name);
  void find_accesses();
  void find_overlaps();
  void find_names();
  void name_semantic(const Variable& variable, const ir::Element& element);
  ElementPlace place_element(ir::SignatureKind kind, std::uint32_t at);
  ElementPlace place_system_value(ir::SignatureKind kind, const ir::Element& element, std::uint32_t at, bool& is_done);
  std::string semantic_of(const ir::Element& element) const;
  /// What the reflection says of it; may be null.
  const shader::Resource* reflected(const ir::Resource& resource) const;
  std::string name_of(const ir::Resource& resource) const;

  const ir::Structured& in_;
  const shader::Reflection* reflection_;
  std::optional<Error> error_;
  std::map<std::pair<ir::SignatureKind, std::uint32_t>, ElementPlace> elements_;
  /// Columns that elements have, by storage, location and whether they are second sources.
  std::map<std::tuple<StorageClass, std::uint32_t, bool>, std::uint32_t> taken_;
  std::map<ir::Builtin, std::pair<Variable, bool>> builtins_;
  std::map<std::pair<Word, Word>, Variable> builtin_variables_;
  std::map<std::uint32_t, std::pair<Variable, std::uint32_t>> memories_;
  std::map<std::uint32_t, std::optional<NamedBlock>> named_blocks_;
  Word new_type_of(Type type);
  std::set<std::pair<Word, std::string>> semantics_;  ///< that variables are named by
  std::array<Word, ir::kTypes> types_{};              ///< by Type; 0: not made yet
  std::map<std::uint32_t, Variable> constant_buffers_, samplers_, counters_;
  std::map<std::tuple<std::uint32_t, unsigned, bool>, Variable> storage_buffers_;
  std::map<std::uint32_t, Word> specialization_ids_;
  std::vector<Specialization> specializations_;
  std::map<Word, Variable> tables_;  ///< by their initializers
  std::map<std::uint32_t, Image> images_;
  std::set<std::uint32_t> with_atomics_, with_wide_texels_;
  std::set<std::uint32_t> wide_memory_;  ///< variables that atomic operations of 64 bits change  ///< resources whose texels atomics change
  std::vector<Word> interface_;          ///< of the entry point
  std::vector<BoundResource> bindings_;
  static constexpr std::uint32_t kNotBound = 0xffff'ffff;
  std::vector<std::uint32_t> bound_;  ///< by resource: its row of bindings_
  std::set<std::uint32_t> corners_;   ///< inputs of a pixel shader of which the values of vertices are read
  std::vector<bool> overlaps_;        ///< by variable
  const Locations locations_;
  /// Rows of the reflection by letter, space and register.
  std::map<std::tuple<char, std::uint32_t, std::uint32_t>, std::uint32_t> reflected_;
  bool has_derivatives_ = false;
  Places places_;
};

/// Writes a function.
void write_function(Writer& writer, const ir::Function& function, const ir::Structure& tree, Word id);

}  // namespace unshade::write::spirv_writer
