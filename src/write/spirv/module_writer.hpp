// A module of SPIR-V that is made instruction by instruction: sections in the order that the specification asks for, types and constants
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unshade/core/collections/number_map.hpp>
#include <unshade/core/collections/small_vector.hpp>
#include <unshade/spirv/enumerants.hpp>

#include "write/spirv/by_words.hpp"

namespace unshade::write::spirv_writer {

/// The number that SPIR-V gives a value, type or label.
using Word = std::uint32_t;
using spirv::BuiltIn;
using spirv::Capability;
using spirv::Decoration;
using spirv::Opcode;
using spirv::StorageClass;
using Glsl = spirv::extended::GlslStd450;

template <class E>
constexpr Word word(E value) {
  return static_cast<Word>(value);
}

/// Operands of an instruction while they are gathered.
using Words = SmallVector<Word, 8>;

/// Instructions one after the other.
class Section {
 public:
  /// The operands are those of both lists.
  void put(Opcode opcode, std::initializer_list<Word> operands, std::span<const Word> more = {});
  void put(Opcode opcode, std::span<const Word> operands) { put(opcode, {}, operands); }
  /// The same with a text between them.
  void put_text(Opcode opcode, std::initializer_list<Word> operands, std::string_view text, std::span<const Word> more = {});
  /// Gives the last instruction, which has a type and a result, another result.
  void rename_last(Word to) { words_[last_ + 2] = to; }
  /// Takes back what came after the first `words`.
  void cut(std::size_t words) { words_.resize(words); }
  const std::vector<Word>& words() const { return words_; }
  bool empty() const { return words_.empty(); }
  void append(const Section& other) { words_.insert(words_.end(), other.words_.begin(), other.words_.end()); }

 private:
  std::vector<Word> words_;
  std::size_t last_ = 0;  ///< where the last instruction begins
};

/// What an image is, for its type. src: SPIR-V 3.49.6, OpTypeImage
struct ImageShape {
  spirv::Dim dim = spirv::Dim::dim_2d;
  bool is_arrayed = false;
  bool is_multisampled = false;
  bool is_storage = false;
  spirv::ImageFormat format = spirv::ImageFormat::unknown;
};

class ModuleWriter {
 public:
  /// `version`: as in the header, 0x00010600.
  explicit ModuleWriter(Word version) : version_(version) {}

  Word version() const { return version_; }
  Word fresh() { return bound_++; }

  // --- types: the same one twice is one
  Word void_type() { return type(Opcode::type_void, {}); }
  Word bool_type() { return type(Opcode::type_bool, {}); }
  Word int_type(unsigned width, bool is_signed = false);
  Word float_type(unsigned width);
  /// The component's type itself for one component.
  Word vector_type(Word component, unsigned count);
  /// The components of a vector type; 1 of others.
  unsigned width_of(Word type) const {
    const auto found = vectors_.find(type);
    return found == vectors_.end() ? 1 : found->second.second;
  }
  /// Their type.
  Word component_of(Word vector) const { return vectors_.at(vector).first; }
  Word matrix_type(Word column, unsigned columns) { return type(Opcode::type_matrix, {column, columns}); }
  Word function_type(Word result, std::span<const Word> parameters = {});
  Word pointer_type(StorageClass storage, Word to) { return type(Opcode::type_pointer, {word(storage), to}); }
  /// `stride` 0: without a layout.
  Word array_type(Word element, std::uint32_t length, std::uint32_t stride = 0);
  /// The type of the elements of an array type that array_type() made.
  Word element_of(Word array) const { return elements_.at(array); }
  Word runtime_array_type(Word element, std::uint32_t stride = 0);
  Word struct_type(std::span<const Word> members) { return type(Opcode::type_struct, members); }
  /// One of its own, that can be decorated.
  Word new_struct_type(std::span<const Word> members);
  Word sampler_type() { return type(Opcode::type_sampler, {}); }
  Word image_type(Word texel, const ImageShape& shape);
  Word sampled_image_type(Word image) { return type(Opcode::type_sampled_image, {image}); }

  // --- constants
  Word u32(std::uint32_t value);
  /// The number that a word made by u32() is.
  std::optional<std::uint32_t> number_of(Word word) const;
  Word s32(std::int32_t value) { return constant(int_type(32, true), 32, static_cast<std::uint32_t>(value)); }
  /// Of `width` bits of an integer or float.
  Word constant(Word type, unsigned width, std::uint64_t bits);
  Word bool_constant(bool value) { return global(value ? Opcode::constant_true : Opcode::constant_false, bool_type(), {}); }
  Word composite_constant(Word type, std::span<const Word> parts) { return global(Opcode::constant_composite, type, parts); }
  Word null_constant(Word type) { return global(Opcode::constant_null, type, {}); }
  Word undef(Word type) { return global(Opcode::undef, type, {}); }

  /// A number that is set when the pipeline is made; `value` if it is not.
  Word specialization(Word type, std::uint32_t value);
  /// A variable of the module; `initializer` 0: none.
  Word variable(Word pointer_type, StorageClass storage, Word initializer = 0);

  // --- what is said of others
  /// With the extension that has it, where the version does not.
  void capability(Capability capability);
  /// Whether a capability was asked for that the version does not have, and no extension either: operations of waves.
  bool lacks_waves() const { return lacks_waves_; }
  void extension(std::string_view name) { extensions_.emplace(name); }
  /// A set of extended instructions.
  Word set(std::string_view name);
  Word glsl() { return glsl_ != 0 ? glsl_ : glsl_ = set("GLSL.std.450"); }
  /// A text of debug information: at most kMostText bytes.
  Word string(std::string_view text);
  static constexpr std::size_t kMostText = 4 * (0xffff - 2) - 1;
  /// The file that OpLine names.
  void source(spirv::SourceLanguage language, Word file);
  /// An instruction of a set outside of functions.
  Word extended(Word set, Word number, std::span<const Word> operands);
  void name(Word id, std::string_view text);
  void member_name(Word type, std::uint32_t member, std::string_view text);
  void decorate(Word id, Decoration decoration, std::initializer_list<Word> operands = {});
  void decorate_text(Word id, Decoration decoration, std::string_view text);
  void decorate_member(Word type, std::uint32_t member, Decoration decoration, std::initializer_list<Word> operands = {});

  void entry_point(spirv::ExecutionModel model, Word function, std::string_view name, std::span<const Word> interface);
  void execution_mode(Word function, spirv::ExecutionMode mode, std::initializer_list<Word> operands = {});

  Section& functions() { return functions_; }

  /// The module.
  std::vector<Word> finish() const;

 private:
  Word type(Opcode opcode, std::span<const Word> operands) { return global(opcode, 0, operands); }
  Word type(Opcode opcode, std::initializer_list<Word> operands) { return type(opcode, std::span(operands.begin(), operands.size())); }
  /// `type` 0: the instruction has none.
  Word global(Opcode opcode, Word type, std::span<const Word> operands);

  Word version_;
  Word bound_ = 1;
  Word glsl_ = 0;
  std::set<Word> capabilities_;
  bool lacks_waves_ = false;
  std::set<std::string, std::less<>> extensions_;
  std::map<std::string, Word, std::less<>> sets_;
  ByWords<Word> known_;                                          ///< types and constants by their words
  std::map<Word, Word> elements_;                                ///< of array types
  std::unordered_map<Word, std::pair<Word, unsigned>> vectors_;  ///< components of vector types
  NumberMap<std::uint32_t> numbers_;
  NumberMap<Word> words_of_numbers_;
  Section entry_points_, modes_, strings_, names_, annotations_, globals_, functions_;
};

}  // namespace unshade::write::spirv_writer
