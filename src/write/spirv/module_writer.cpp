#include "write/spirv/module_writer.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <unshade/spirv/module.hpp>

namespace unshade::write::spirv_writer {
namespace {

/// Unregistered. src: SPIRV-Headers, spir-v.xml
constexpr Word kGenerator = 0;
/// Of an image type: it may be compared with or not. src: SPIR-V 3.49.6, OpTypeImage
constexpr Word kDepthUnknown = 2;

/// Capabilities of later versions, and how those before have them: the extension, and its capability if that is another one. Without an
/// extension they are of waves. src: SPIRV-Headers, spirv.core.grammar.json
struct Newer {
  Capability capability;
  Word version;
  std::string_view extension;
  Capability before;
};
constexpr Word k13 = 0x0001'0300, k15 = 0x0001'0500, k16 = 0x0001'0600;
constexpr auto kNewer = std::to_array<Newer>({
    {Capability::draw_parameters, k13, "SPV_KHR_shader_draw_parameters", Capability::draw_parameters},
    {Capability::multi_view, k13, "SPV_KHR_multiview", Capability::multi_view},
    {Capability::storage_buffer16_bit_access, k13, "SPV_KHR_16bit_storage", Capability::storage_buffer16_bit_access},
    {Capability::storage_input_output16, k13, "SPV_KHR_16bit_storage", Capability::storage_input_output16},
    {Capability::shader_layer, k15, "SPV_EXT_shader_viewport_index_layer", Capability::shader_viewport_index_layer_ext},
    {Capability::shader_viewport_index, k15, "SPV_EXT_shader_viewport_index_layer", Capability::shader_viewport_index_layer_ext},
    {Capability::demote_to_helper_invocation, k16, "SPV_EXT_demote_to_helper_invocation", Capability::demote_to_helper_invocation},
    {Capability::group_non_uniform, k13, {}, Capability::group_non_uniform},
    {Capability::group_non_uniform_vote, k13, {}, Capability::group_non_uniform_vote},
    {Capability::group_non_uniform_arithmetic, k13, {}, Capability::group_non_uniform_arithmetic},
    {Capability::group_non_uniform_ballot, k13, {}, Capability::group_non_uniform_ballot},
    {Capability::group_non_uniform_shuffle, k13, {}, Capability::group_non_uniform_shuffle},
    {Capability::group_non_uniform_clustered, k13, {}, Capability::group_non_uniform_clustered},
    {Capability::group_non_uniform_quad, k13, {}, Capability::group_non_uniform_quad},
    {Capability::group_non_uniform_partitioned_nv, k13, {}, Capability::group_non_uniform_partitioned_nv},
});

}  // namespace

void ModuleWriter::capability(Capability wanted) {
  const auto* const newer = std::ranges::find(kNewer, wanted, &Newer::capability);
  if (newer == kNewer.end() || version_ >= newer->version) {
    capabilities_.insert(word(wanted));
    return;
  }
  if (newer->extension.empty()) {
    lacks_waves_ = true;
    return;
  }
  capabilities_.insert(word(newer->before));
  extension(newer->extension);
}

// That a section makes room for when it gets its first.
constexpr std::size_t kFirstWords = 128;

void Section::put(Opcode opcode, std::initializer_list<Word> operands, std::span<const Word> more) {
  last_ = words_.size();
  const std::size_t count = 1 + operands.size() + more.size();
  if (words_.empty()) words_.reserve(kFirstWords);
  words_.resize(last_ + count);
  Word* const at = words_.data() + last_;
  *at = static_cast<Word>(count) << 16 | word(opcode);
  std::ranges::copy(more, std::ranges::copy(operands, at + 1).out);
}

// Words of a string: UTF-8, ended by a zero, filled up with zeros.
void Section::put_text(Opcode opcode, std::initializer_list<Word> operands, std::string_view text, std::span<const Word> more) {
  last_ = words_.size();
  const std::size_t first = 1 + operands.size(), after = first + text.size() / 4 + 1, count = after + more.size();
  words_.resize(last_ + count);
  Word* const at = words_.data() + last_;
  *at = static_cast<Word>(count) << 16 | word(opcode);
  std::ranges::copy(operands, at + 1);
  for (std::size_t k = 0; k < text.size(); ++k)
    at[first + k / 4] |= static_cast<Word>(static_cast<unsigned char>(text[k])) << (8 * (k % 4));
  std::ranges::copy(more, at + after);
}

Word ModuleWriter::global(Opcode opcode, Word type, std::span<const Word> operands) {
  SmallVector<Word, 12> key{word(opcode), type};
  key.append(operands);
  const auto [at, is_new] = known_.add(key);
  if (!is_new) return known_[at];
  const Word id = known_[at] = fresh();
  if (type != 0) {
    globals_.put(opcode, {type, id}, operands);
  } else {
    globals_.put(opcode, {id}, operands);
  }
  return id;
}

Word ModuleWriter::int_type(unsigned width, bool is_signed) {
  if (width == 8) capability(Capability::int8);
  if (width == 16) capability(Capability::int16);
  if (width == 64) capability(Capability::int64);
  return type(Opcode::type_int, {width, is_signed ? 1U : 0U});
}

Word ModuleWriter::float_type(unsigned width) {
  if (width == 16) capability(Capability::float16);
  if (width == 64) capability(Capability::float64);
  return type(Opcode::type_float, {width});
}

Word ModuleWriter::vector_type(Word component, unsigned count) {
  if (count == 1) return component;
  const Word made = type(Opcode::type_vector, {component, count});
  vectors_.try_emplace(made, component, count);
  return made;
}

Word ModuleWriter::function_type(Word result, std::span<const Word> parameters) {
  std::vector<Word> words{result};
  words.insert(words.end(), parameters.begin(), parameters.end());
  return type(Opcode::type_function, words);
}

Word ModuleWriter::array_type(Word element, std::uint32_t length, std::uint32_t stride) {
  const Word count = u32(length);
  // Types with and without a layout are different ones: the stride is part of what they are known by.
  const auto [at, is_new] = known_.add(std::array{word(Opcode::type_array), Word{0}, element, count, stride});
  if (!is_new) return known_[at];
  const Word id = known_[at] = fresh();
  globals_.put(Opcode::type_array, {id, element, count});
  elements_.emplace(id, element);
  if (stride != 0) decorate(id, Decoration::array_stride, {stride});
  return id;
}

Word ModuleWriter::runtime_array_type(Word element, std::uint32_t stride) {
  const auto [at, is_new] = known_.add(std::array{word(Opcode::type_runtime_array), Word{0}, element, stride});
  if (!is_new) return known_[at];
  const Word id = known_[at] = fresh();
  globals_.put(Opcode::type_runtime_array, {id, element});
  if (stride != 0) decorate(id, Decoration::array_stride, {stride});
  return id;
}

Word ModuleWriter::new_struct_type(std::span<const Word> members) {
  const Word id = fresh();
  globals_.put(Opcode::type_struct, {id}, members);
  return id;
}

Word ModuleWriter::image_type(Word texel, const ImageShape& shape) {
  return type(Opcode::type_image, {texel, word(shape.dim), kDepthUnknown, shape.is_arrayed ? 1U : 0U, shape.is_multisampled ? 1U : 0U,
                                   shape.is_storage ? 2U : 1U, word(shape.format)});
}

Word ModuleWriter::constant(Word type, unsigned width, std::uint64_t bits) {
  const Word both[] = {static_cast<Word>(bits), static_cast<Word>(bits >> 32)};
  return global(Opcode::constant, type, std::span(both).first(width == 64 ? 2 : 1));
}

Word ModuleWriter::u32(std::uint32_t value) {
  Word& made = words_of_numbers_[value];
  if (made != 0) return made;
  made = constant(int_type(32), 32, value);
  numbers_[made] = value;
  return made;
}

std::optional<std::uint32_t> ModuleWriter::number_of(Word word) const {
  const std::uint32_t* const found = numbers_.find(word);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

Word ModuleWriter::specialization(Word type, std::uint32_t value) {
  const Word id = fresh();
  globals_.put(Opcode::spec_constant, {type, id, value});
  return id;
}

Word ModuleWriter::variable(Word pointer_type, StorageClass storage, Word initializer) {
  const Word id = fresh();
  const Word words[] = {pointer_type, id, word(storage), initializer};
  globals_.put(Opcode::variable, std::span(words).first(initializer != 0 ? 4 : 3));
  return id;
}

Word ModuleWriter::set(std::string_view name) {
  const auto found = sets_.find(name);
  return found != sets_.end() ? found->second : sets_.emplace(name, fresh()).first->second;
}

Word ModuleWriter::string(std::string_view text) {
  const Word id = fresh();
  strings_.put_text(Opcode::string, {id}, text.substr(0, kMostText));
  return id;
}

void ModuleWriter::source(spirv::SourceLanguage language, Word file) { strings_.put(Opcode::source, {word(language), 0, file}); }

Word ModuleWriter::extended(Word set, Word number, std::span<const Word> operands) {
  const Word nothing = void_type(), id = fresh();
  globals_.put(Opcode::ext_inst, {nothing, id, set, number}, operands);
  return id;
}

void ModuleWriter::name(Word id, std::string_view text) {
  if (!text.empty()) names_.put_text(Opcode::name, {id}, text);
}

void ModuleWriter::member_name(Word type, std::uint32_t member, std::string_view text) {
  names_.put_text(Opcode::member_name, {type, member}, text);
}

void ModuleWriter::decorate(Word id, Decoration decoration, std::initializer_list<Word> operands) {
  annotations_.put(Opcode::decorate, {id, word(decoration)}, std::span(operands.begin(), operands.size()));
}

void ModuleWriter::decorate_text(Word id, Decoration decoration, std::string_view text) {
  annotations_.put_text(Opcode::decorate_string, {id, word(decoration)}, text);
}

void ModuleWriter::decorate_member(Word type, std::uint32_t member, Decoration decoration, std::initializer_list<Word> operands) {
  annotations_.put(Opcode::member_decorate, {type, member, word(decoration)}, std::span(operands.begin(), operands.size()));
}

void ModuleWriter::entry_point(spirv::ExecutionModel model, Word function, std::string_view name, std::span<const Word> interface) {
  entry_points_.put_text(Opcode::entry_point, {word(model), function}, name, interface);
}

void ModuleWriter::execution_mode(Word function, spirv::ExecutionMode mode, std::initializer_list<Word> operands) {
  modes_.put(Opcode::execution_mode, {function, word(mode)}, std::span(operands.begin(), operands.size()));
}

std::vector<Word> ModuleWriter::finish() const {
  Section all;
  for (const Word capability : capabilities_) all.put(Opcode::capability, {capability});
  for (const std::string& name : extensions_) all.put_text(Opcode::extension, {}, name);
  for (const auto& [name, id] : sets_) all.put_text(Opcode::ext_inst_import, {id}, name);
  all.put(Opcode::memory_model, {word(spirv::AddressingModel::logical), word(spirv::MemoryModel::glsl450)});
  const auto sections = {&std::as_const(all), &entry_points_, &modes_, &strings_, &names_, &annotations_, &globals_, &functions_};
  std::vector<Word> made{spirv::kMagic, version_, kGenerator, bound_, 0};
  std::size_t count = made.size();
  for (const Section* section : sections) count += section->words().size();
  made.reserve(count);
  for (const Section* section : sections) made.insert(made.end(), section->words().begin(), section->words().end());
  return made;
}

}  // namespace unshade::write::spirv_writer
