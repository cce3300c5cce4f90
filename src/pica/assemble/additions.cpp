// What docs/reference/texts/pica.md adds to picasso's language: records as they are, and the few directives known of the older linker's
// language.
#include <array>
#include <limits>
#include <string>

#include "pica/assemble/state.hpp"
#include "pica/characters.hpp"

namespace unshade::pica::assembler {

using namespace characters;

namespace {

constexpr std::int64_t kWord = 0xffff'ffff;
constexpr std::int64_t kHalf = 0xffff;
constexpr std::int64_t kByte = 0xff;
constexpr std::size_t kMostUnits = 256;  // .dvle

}  // namespace

bool Assembler::addition(std::string_view text, bool& known) {
  std::uint32_t value = 0;
  if (same(text, "exact")) {
    if (begun_ && !exact_) return fail(MessageKind::exact_late, line_start_, "expected .exact as the first statement of all sources");
    exact_ = true;
    memory_.forget();
    return no_more();
  }
  if (same(text, "desc")) return do_desc();
  if (same(text, "word")) {
    const char* from = at_;
    if (!number_in(value, 0, kWord, "a word") || !no_more()) return false;
    if (blocks_.empty()) return fail(MessageKind::outside_block, from, "expected .proc before words");
    if (code_.size() >= kProgramWords && !exact_)
      return fail(MessageKind::program_size, from, "expected no more than " + std::to_string(kProgramWords) + " words");
    unit();
    just_closed_ = false;
    emit(value);
    return true;
  }
  if (same(text, "dvle")) {
    const char* from = at_;
    if (!no_more()) return false;
    if (units_.size() >= kMostUnits) return fail(MessageKind::too_many, from, "expected no more than 256 executables");
    end_unit();
    begin_unit(file_);
    unit();
    return true;
  }
  if (same(text, "uniform")) return do_uniform_record();
  if (same(text, "label")) return do_label_record();
  if (same(text, "const")) return do_const_record();
  if (same(text, "outrec")) return do_out_record();
  if (same(text, "geometry")) return do_geometry();
  if (same(text, "loc")) return do_loc();
  if (same(text, "object")) return do_object();
  if (same(text, "reloc")) return do_relocation();
  if (same(text, "imask")) return do_field(kStatedInputMask, &Executable::input_mask, "a mask");
  if (same(text, "omask")) return do_field(kStatedOutputMask, &Executable::output_mask, "a mask");
  if (same(text, "flags")) return do_field(kStatedFlags, &Executable::flags, "a byte");
  if (same(text, "version")) return do_field(kStatedVersion, &Executable::version, "a version");
  if (same(text, "pversion")) return do_program_version();
  known = false;
  return false;
}

template <class T>
bool Assembler::do_field(StatedField field, T Executable::* member, const char* what) {
  blanks();
  const char* from = at_;
  std::uint32_t value = 0;
  if (!number_in(value, 0, std::numeric_limits<T>::max(), what) || !no_more()) return false;
  Unit& here = unit();
  if ((here.stated & field) != 0 && here.executable.*member != value)
    return fail(MessageKind::duplicate_field, from,
                "expected " + std::to_string(here.executable.*member) + ", as stated above, found " + std::to_string(value));
  if (field == kStatedInputMask && (here.executable.input_mask & ~value) != 0)
    return fail(MessageKind::duplicate_field, from, "expected a mask with the inputs named above, found " + std::to_string(value));
  here.stated = static_cast<std::uint8_t>(here.stated | field);
  here.executable.*member = static_cast<T>(value);
  return true;
}

bool Assembler::uses_output(unsigned reg, const char* at) {
  Unit& here = unit();
  const auto bit = static_cast<std::uint16_t>(1U << reg);
  if ((here.stated & kStatedOutputMask) != 0 && (here.executable.output_mask & bit) == 0)
    return fail(MessageKind::duplicate_field, at, "expected an output of .omask, found o" + std::to_string(reg));
  here.executable.output_mask = static_cast<std::uint16_t>(here.executable.output_mask | bit);
  return true;
}

bool Assembler::do_program_version() {
  blanks();
  const char* from = at_;
  std::uint32_t value = 0;
  if (!number_in(value, 0, kWord, "a version") || !no_more()) return false;
  if (version_ && *version_ != value)
    return fail(MessageKind::duplicate_field, from,
                "expected " + std::to_string(*version_) + ", as stated above, found " + std::to_string(value));
  version_ = value;
  return true;
}

bool Assembler::do_desc() {
  std::uint32_t index = 0;
  std::uint32_t bits = 0;
  std::uint32_t second = 0;
  blanks();
  const char* from = at_;
  if (!number_in(index, 0, kProgramWords - 1, "the number of a descriptor")) return false;
  if (at_ != end_ && *at_ == ',') ++at_;
  if (!number_in(bits, 0, kWord, "a descriptor")) return false;
  blanks();
  if (at_ != end_ && *at_ == ',') ++at_;
  blanks();
  if (!at_end() && !number_in(second, 0, kWord, "the second word of a descriptor")) return false;
  if (!no_more()) return false;
  if (descriptors_.is_stated(index) && (descriptors_.value(index) != bits || descriptors_.second(index) != second))
    return fail(MessageKind::duplicate_descriptor, from, "descriptor " + std::to_string(index) + " is already defined with another value");
  descriptors_.set(index, bits, second);
  return true;
}

bool Assembler::uniform_register(std::uint32_t& number) {
  blanks();
  if (at_end() || is(*at_, kDigit)) return number_in(number, 0, kHalf, "a register");
  Operand reg;
  if (!bare_register(reg, "a register")) return false;
  check_side(reg, Side::input);
  // r registers have no number in uniform records
  if (reg.reg >= kTemporary0 && reg.reg < kFloat0)
    return fail(MessageKind::invalid_uniform, reg.at, "expected a v, c, i or b register, found " + found(reg.at));
  number = reg.reg < kFloat0 ? reg.reg : reg.reg - (kFloat0 - kUniformConstants);
  return true;
}

bool Assembler::do_uniform_record() {
  std::string_view text;
  Unit& here = unit();
  const char* from = at_;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  if (!string(text) || !uniform_register(first) || !uniform_register(last) || !no_more()) return false;
  Uniform record;
  record.symbol.text = text;
  record.first = static_cast<std::uint16_t>(first);
  record.last = static_cast<std::uint16_t>(last);
  here.executable.uniforms.items.push_back(std::move(record));
  std::string alias(text);
  for (char& c : alias)
    if (c == '.') c = '$';
  if (!is_name(alias) || first >= kUniformEnd || (first >= 0x10 && last < first) || aliases_.full()) return true;
  const std::uint32_t reg = first < kUniformConstants ? first : first + (kFloat0 - kUniformConstants);
  const std::string_view kept = keep(std::move(alias));
  name_in_header(kept, reg, reg + (last - first));
  if (aliases_.find(kept) != nullptr) return true;
  return add_alias(kept, reg, from);
}

/// A uniform that no `.fvec`, `.ivec` or `.bool` declares, for the header.
void Assembler::name_in_header(std::string_view text, std::uint32_t first, std::uint32_t last) {
  const UniformType type = first < kInteger0 ? UniformType::real : first < kBool0 ? UniformType::integer : UniformType::boolean;
  const std::uint32_t end = type == UniformType::real      ? kFloat0 + kFloatConstants
                            : type == UniformType::integer ? kInteger0 + kIntConstants
                                                           : kRegisters;
  if (first < kFloat0 || last < first || last >= end) return;
  named_.push_back({text, first, last - first + 1, type, units_.size() - 1});
}

bool Assembler::do_label_record() {
  std::string_view text;
  Label label;
  if (!string(text) || !number_in(label.id, 0, kWord, "an id") || !number_in(label.address_words, 0, kWord, "an address") ||
      !number_in(label.length, 0, kWord, "a length") || !no_more())
    return false;
  label.symbol.text = text;
  unit().executable.labels.items.push_back(std::move(label));
  return true;
}

bool Assembler::do_const_record() {
  std::array<std::uint32_t, 2> head{};
  Constant constant;
  const char* from = at_;
  for (auto& half : head)
    if (!number_in(half, 0, kHalf, "a halfword")) return false;
  for (auto& word_value : constant.words)
    if (!number_in(word_value, 0, kWord, "a word")) return false;
  constant.type = static_cast<ConstantType>(head[0]);
  constant.register_index = static_cast<std::uint16_t>(head[1]);
  return no_more() && add_constant(constant, from);
}

bool Assembler::do_out_record() {
  std::array<std::uint32_t, 4> halves{};
  for (auto& half : halves)
    if (!number_in(half, 0, kHalf, "a halfword")) return false;
  if (!no_more()) return false;
  unit().executable.outputs.items.push_back({static_cast<Output>(halves[0]), static_cast<std::uint16_t>(halves[1]),
                                             static_cast<std::uint16_t>(halves[2]), static_cast<std::uint16_t>(halves[3])});
  return true;
}

bool Assembler::do_geometry() {
  std::array<std::uint32_t, 5> bytes{};
  blanks();
  const char* from = at_;
  for (auto& byte : bytes)
    if (!number_in(byte, 0, kByte, "a byte")) return false;
  if (!no_more()) return false;
  Unit& here = unit();
  Executable& executable = here.executable;
  const std::array<std::uint32_t, 5> before = {static_cast<std::uint32_t>(executable.stage),
                                               static_cast<std::uint32_t>(executable.geometry_mode), executable.fixed_start,
                                               executable.variable_count, executable.fixed_count};
  if ((here.stated & kStatedGeometry) != 0 && bytes != before)
    return fail(MessageKind::duplicate_field, from, ".geometry is stated above, with other values");
  if ((here.stated & kStatedMode) != 0 && bytes != before)
    return fail(MessageKind::duplicate_field, from, "expected the values of the .gsh above");
  here.stated = static_cast<std::uint8_t>(here.stated | kStatedGeometry);
  executable.stage = static_cast<Stage>(bytes[0]);
  executable.geometry_mode = static_cast<GeometryMode>(bytes[1]);
  executable.fixed_start = static_cast<std::uint8_t>(bytes[2]);
  executable.variable_count = static_cast<std::uint8_t>(bytes[3]);
  executable.fixed_count = static_cast<std::uint8_t>(bytes[4]);
  memory_.forget();
  here.geometry = executable.stage != Stage::vertex;
  return true;
}

bool Assembler::do_loc() {
  std::string_view text;
  Place place;
  blanks();
  const char* from = at_;
  if (at_ != end_ && !is(*at_, kDigit) && same(name(), "none")) {
    if (!no_more()) return false;
    if (!want_lines_) return fail(MessageKind::syntax, from, "expected a .loc with a line above");
    if (!lines_end_) lines_end_ = code_.size();
    return true;
  }
  at_ = from;
  if (!number_in(place.line, 0, kWord, "a line") || !string(text) || !no_more()) return false;
  if (lines_end_) return fail(MessageKind::duplicate_field, from, "expected no line: the line table ended above, by .loc none");
  if (files_.empty() || files_.back() != text) files_.push_back(text);
  place.file = static_cast<std::uint32_t>(files_.size() - 1);
  if (!want_lines_ && !code_.empty())
    return fail(MessageKind::duplicate_field, from, "expected the first .loc before the first instruction");
  want_lines_ = true;
  place_ = place;
  return true;
}

// The file is a DVOJ; the word is the one at 0x0c, which nobody knows the meaning of.
bool Assembler::do_object() {
  std::uint32_t word_value = Object{}.geometry;
  unit();
  blanks();
  const char* from = at_;
  if ((!at_end() && !number_in(word_value, 0, kWord, "a word")) || !no_more()) return false;
  if (object_ && *object_ != word_value)
    return fail(MessageKind::duplicate_field, from,
                "expected " + std::to_string(*object_) + ", as stated above, found " + std::to_string(word_value));
  object_ = word_value;
  return true;
}

bool Assembler::do_relocation() {
  Relocation relocation;
  if (!number_in(relocation.word, 0, kWord, "the number of a word") || !number_in(relocation.unknown1, 0, kWord, "a word") ||
      !number_in(relocation.unknown2, 0, kWord, "a word") || !no_more())
    return false;
  relocations_.push_back(relocation);
  return true;
}

// `def c0, x, y, z, w`, `defi i0, x, y, z[, w]`, `defb b0, true`. src: what is known of the vendor's assembly language
bool Assembler::linker_constant(UniformType type) {
  unit();
  blanks();
  Operand reg;
  if (!bare_register(reg, "a register")) return false;
  Constant constant;
  std::uint32_t first = kFloat0;
  std::uint32_t count = kFloatConstants;
  if (type == UniformType::integer) {
    first = kInteger0;
    count = kIntConstants;
  } else if (type == UniformType::boolean) {
    first = kBool0;
    count = kBoolConstants;
  }
  if (reg.reg < first || reg.reg >= first + count)
    return fail(MessageKind::invalid_uniform, reg.at, "expected a register for a constant of this type, found " + found(reg.at));
  if (!comma("a value")) return false;
  if (type == UniformType::boolean) {
    const char* from = at_;
    const std::string_view text = name();
    const bool yes = same(text, "true") || text == "1";
    if (!yes && !same(text, "false") && text != "0")
      return fail(MessageKind::invalid_bool, from, "expected true or false, found " + found(from));
    constant = Constant::make_boolean(reg.reg - first, yes);
  } else {
    for (std::uint32_t i = 0; i < 4; ++i) {
      blanks();
      if (i == 3 && type == UniformType::integer && at_end()) break;
      if (type == UniformType::real) {
        constant.words[i] = real();
      } else {
        std::uint32_t value = 0;
        if (!number_in(value, 0, kByte, "a byte")) return false;
        constant.words[0] |= value << (8 * i);
      }
      blanks();
      if (i == 3 || (i == 2 && type == UniformType::integer && at_end())) continue;
      if (!comma("a number")) return false;
    }
    constant.type = type == UniformType::real ? ConstantType::real : ConstantType::integer;
    constant.register_index = static_cast<std::uint16_t>(reg.reg - first);
  }
  return no_more() && add_constant(constant, reg.at);
}

// `#pragma bind_symbol(NAME[.xyzw], c0[, c3])`, `#pragma output_map(TYPE, o0[.xy])`. src: what is known of the vendor's assembly language
bool Assembler::pragma() {
  blanks();
  const char* from = at_;
  const std::string_view which = name();
  blanks();
  if (at_ == end_ || *at_ != '(') return fail(MessageKind::syntax, at_, "expected (, found " + found(at_));
  ++at_;
  blanks();
  const char* at_name = at_;
  const std::string_view text = name();
  const bool masked = at_ != end_ && *at_ == '.';
  Operand part;
  if (masked) {
    ++at_;
    if (!selectors(part.selectors)) return false;
  }
  if (!comma("a register")) return false;
  Unit& here = unit();
  Operand reg;
  if (!operand(reg, false, "a register")) return false;
  blanks();
  if (same(which, "bind_symbol")) {
    Operand last = reg;
    if (at_ != end_ && *at_ == ',') {
      ++at_;
      last = Operand{};
      if (!operand(last, false, "a register")) return false;
      blanks();
    }
    if (!fresh_name(text, at_name, "a name")) return false;
    if ((reg.reg >= kTemporary0 && reg.reg < kFloat0) || reg.reg > last.reg || last.reg >= kRegisters)
      return fail(MessageKind::invalid_uniform, reg.at, "expected v, c, i or b registers in their order, found " + found(reg.at));
    here.uniforms.push_back({text, reg.reg, last.reg - reg.reg + 1, UniformType::real});
    for (std::uint32_t i = reg.reg; i <= last.reg && i < kTemporary0; ++i)
      if (!use_input(i, reg.at)) return false;
    name_in_header(text, reg.reg, last.reg);
    check_bare(reg);
    check_bare(last);
    check_side(reg, Side::input);
    if (!add_alias(text, reg.reg, at_name)) return false;
  } else if (same(which, "output_map")) {
    struct Row {
      std::string_view name;
      Output type;
    };
    constexpr Row kRows[] = {{"position", Output::position},     {"quaternion", Output::normal_quaternion},
                             {"color", Output::color},           {"texture0", Output::texcoord0},
                             {"texture0w", Output::texcoord0_w}, {"texture1", Output::texcoord1},
                             {"texture2", Output::texcoord2},    {"view", Output::view},
                             {"generic", Output::generic}};
    const Row* found_row = nullptr;
    for (const Row& row : kRows)
      if (same(text, row.name)) found_row = &row;
    if (found_row == nullptr)
      return fail(
          MessageKind::invalid_output_type, at_name,
          "expected position, quaternion, color, texture0, texture0w, texture1, texture2, view or generic, found " + found(at_name));
    if (reg.reg >= kOutputs) return fail(MessageKind::register_range, reg.at, "expected o0 to o15, found " + found(reg.at));
    if (reg.negate) warn(MessageKind::unused_sign, reg.at, "an output has no sign");
    check_side(reg, Side::output);
    if (!uses_output(reg.reg, reg.at)) return false;
    here.executable.outputs.items.push_back({found_row->type, static_cast<std::uint16_t>(reg.reg), mask(reg).bits(), 0});
  } else {
    return fail(MessageKind::unknown_statement, from, "expected bind_symbol or output_map, found " + found(from));
  }
  blanks();
  if (at_ == end_ || *at_ != ')') return fail(MessageKind::syntax, at_, "expected ), found " + found(at_));
  ++at_;
  return no_more();
}

}  // namespace unshade::pica::assembler
