// Declarations, each with a spelling of its own.
#include <algorithm>
#include <optional>
#include <string>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

#include "dxbc/assemble/lookup.hpp"
#include "dxbc/assemble/program.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/enum_text.hpp"
#include "dxbc/program/operand_table.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::assembler {

using dxcontainer::kUnbounded;

namespace {

/// What is inside the brackets that a text begins with.
std::string_view in_brackets(std::string_view text) { return text.substr(1, text.find(']') - 1); }

}  // namespace

/// A name of the table, or `unknown(12)`.
bool ProgramAssembler::named(const NameTable& names, std::uint32_t& value, std::string_view what, std::uint32_t most) {
  scan_.blanks();
  const char* from = scan_.at();
  if (scan_.take(listing::words::kUnknown)) return scan_.number_up_to(value, most, what) && scan_.expect(')');
  const std::string_view name = scan_.name();
  if (const auto found = find_value(names, name)) {
    value = *found;
    return true;
  }
  scan_.set(from);
  return scan_.fail(MessageKind::unknown_word, what, name_meant(names, name));
}

// refactoringAllowed | enableRawAndStructuredBuffers
bool ProgramAssembler::flags(std::uint32_t& value) {
  value = 0;
  if (scan_.at_line_end()) return true;
  do {
    std::uint32_t flag = 0;
    if (!named(program::kGlobalFlagNames, flag, "a flag", (1U << program::token::kGlobalFlags.count) - 1)) return false;
    value |= flag;
  } while (scan_.take_next('|') || scan_.take(','));  // commas in RenderDoc
  return true;
}

// (float,float,float,float)
bool ProgramAssembler::return_types(std::uint32_t& types) {
  if (!scan_.expect('(')) return false;
  types = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (i != 0 && !comma()) return false;
    std::uint32_t type = 0;
    if (!named(program::kReturnTypeNames, type, "a return type", 15)) return false;
    types |= type << (4 * i);
  }
  return scan_.expect(')');
}

// , space=1; in RenderDoc ` space=1,reg=3`
bool ProgramAssembler::space() {
  if (!is_5_1_) return true;
  std::uint32_t value = 0;
  const bool has_comma = scan_.take_next(',');
  scan_.blanks();
  if (scan_.take(listing::words::kSpace)) {
    if (!scan_.number(value, "a register space") || !registers_of_range()) return false;
  } else if (has_comma) {
    return scan_.fail(MessageKind::syntax, "`space=`");
  }
  push(value);
  return true;
}

// ,reg=3 or ,regs=3:5 or ,regs=3:unbounded, which RenderDoc writes after the space
bool ProgramAssembler::registers_of_range() {
  const char* const at = scan_.at();
  const bool is_one = scan_.take(",reg=");
  if (!is_one && !scan_.take(",regs=")) return true;
  std::uint32_t lower = 0;
  std::uint32_t upper = 0;
  if (!scan_.number(lower, "the first register of the range")) return false;
  upper = lower;
  if (!is_one) {
    if (!scan_.expect(':')) return false;
    if (scan_.take("unbounded")) {
      upper = kUnbounded;
    } else if (!scan_.number(upper, "the last register of the range, or `unbounded`")) {
      return false;
    }
  }
  Range& range = ranges_.emplace_back(range_);
  const bool is_stated = range.lower != range.id || range.upper != range.id;
  if (is_stated && (range.lower != lower || range.upper != upper))
    return scan_.messages().report(MessageKind::syntax, at, "the range in brackets is a different one");
  range.lower = lower;
  range.upper = upper;
  tokens_[range_token_ + 1] = lower;
  tokens_[range_token_ + 2] = upper;
  return true;
}

// `t0`, or `diffuse (t0)`, which makes the name stand for the register
bool ProgramAssembler::declared_resource() {
  scan_.blanks();
  const char* const from = scan_.at();
  const std::string_view line = scan_.rest().substr(0, scan_.rest().find_first_of("\r\n"));
  const auto parenthesis = line.find(" (");
  if (parenthesis == std::string_view::npos || line.substr(0, parenthesis).find_first_of(", \t/") != std::string_view::npos)
    return declared();
  const std::string_view name = line.substr(0, parenthesis);
  scan_.set(from + parenthesis + 2);
  const char* const register_at = scan_.at();
  Named named{name, register_type(scan_.letters()), 0};
  if (!program::has_range(named.type) || named.type == OperandType::constant_buffer || !scan_.digits(named.number)) {
    scan_.set(register_at);
    return scan_.fail(MessageKind::invalid_operand, "the register that the name stands for, such as t0");
  }
  const std::string_view written(register_at, static_cast<std::size_t>(scan_.at() - register_at));
  const std::string_view letters = program::operand_text(named.type);
  const bool is_register =
      name.starts_with(letters) && name.size() > letters.size() && std::ranges::all_of(name.substr(letters.size()), is_digit);
  if (is_register && name != written) return scan_.messages().report(MessageKind::syntax, from, "the name is that of another register");
  names_.push_back(named);
  scan_.set(register_at);
  return declared() && scan_.expect(')');
}

// `cb0[4] (Globals)`: the name of a buffer
void ProgramAssembler::buffer_name() {
  scan_.blanks();
  if (!scan_.take('(')) return;
  has_buffer_names_ = true;
  while (!scan_.at_end() && scan_.peek() != '\n' && !scan_.take(')')) scan_.next();
}

// , globallyCoherant, hasOrderPreservingCounter: how RenderDoc writes the suffixes of UAVs
bool ProgramAssembler::uav_options(std::uint32_t& word) {
  struct Option {
    std::string_view text;
    Bits bit;
  };
  constexpr Option kOptions[] = {{"globallyCoherant", program::token::kGloballyCoherent},
                                 {"rasterizerOrderedAccess", program::token::kRasterizerOrdered},
                                 {"hasOrderPreservingCounter", program::token::kHasCounter}};
  for (;;) {
    scan_.blanks();
    const char* const from = scan_.at();
    bool found = false;
    if (scan_.take(',')) {
      scan_.blanks();
      for (const Option& option : kOptions) {
        if (!scan_.take(option.text)) continue;
        word = option.bit.put(word, 1);
        found = true;
      }
    }
    if (found) continue;
    scan_.set(from);
    return true;
  }
}

// x0, fb3: the letters of a kind, and a number
bool ProgramAssembler::numbered(OperandType type, std::uint32_t& number) {
  scan_.blanks();
  const std::string_view text = program::operand_text(type);
  if (!scan_.take(text)) return scan_.fail(MessageKind::invalid_operand, std::string(text) + " and a number");
  return scan_.digits(number);
}

//  = {fb0, fb1}: pushes how many, above them the length of an array, and the numbers
bool ProgramAssembler::function_list(OperandType type, std::uint32_t array_length) {
  push(array_length << 16);
  const std::size_t place = tokens_.size() - 1;
  if (!scan_.expect('=') || !scan_.expect('{')) return false;
  if (scan_.take_next('}')) return true;
  do {
    std::uint32_t number = 0;
    if (!numbered(type, number)) return false;
    push(number);
    ++tokens_[place];
  } while (scan_.take_next(','));
  return scan_.expect('}');
}

// The register of a declaration; of ranges in shader model 5.1 with bounds: T0[2:5].
bool ProgramAssembler::declared() {
  scan_.blanks();
  const char* from = scan_.at();
  if (is_5_1_) {
    const OperandType type = register_type(scan_.letters());
    std::uint32_t number = 0;
    if (program::has_range(type) && is_digit(scan_.peek())) {
      if (!scan_.digits(number)) return false;
      return declared_range(type, number);
    }
    scan_.set(from);
  }
  return operand('o', limits::kOperandNesting);
}

bool ProgramAssembler::declared_range(OperandType type, std::uint32_t number) {
  std::uint32_t lower = number;
  std::uint32_t upper = number;
  // RenderDoc writes CB0[4] for a buffer of four registers
  if (scan_.peek() == '[' && (type != OperandType::constant_buffer || in_brackets(scan_.rest()).find(':') != std::string_view::npos)) {
    scan_.next();
    if (!scan_.number(lower, "the first register of the range")) return false;
    if (!scan_.expect(':')) return false;
    scan_.blanks();
    if (scan_.take('*') || scan_.take("unbound")) {  // the latter in RenderDoc
      upper = kUnbounded;
    } else if (!scan_.number(upper, "the last register of the range, or `*`")) {
      return false;
    }
    if (!scan_.expect(']')) return false;
  }
  // observed: four components, unlike older models
  std::uint32_t word = program::token::kOperandType.put(0, static_cast<std::uint32_t>(type));
  word = program::token::kSwizzleLanes.put(
      program::token::kSelection.put(program::token::kComponents.put(word, 2), static_cast<std::uint32_t>(Selection::swizzle)), 0xe4);
  push(program::token::kDimensions.put(word, 3));
  range_ = {type, number, lower, upper};
  range_token_ = tokens_.size();
  push(number);
  push(lower);
  push(upper);
  return true;
}

// _texture2d, _glc, _dynamicindexed, (4): what the control adds to the mnemonic
bool ProgramAssembler::declared_suffix(const Mnemonic& mnemonic, const OpcodeInfo& info, std::uint32_t& word) {
  std::string_view suffix = mnemonic.suffixes;
  const auto take = [&](std::string_view text) {
    if (!suffix.starts_with(text)) return false;
    suffix.remove_prefix(text.size());
    return true;
  };
  if (info.control == Control::dim || info.control == Control::uav_dim) {
    const std::size_t end = suffix.find('_', 1);
    const std::string_view name = suffix.empty() ? suffix : suffix.substr(1, end == std::string_view::npos ? end : end - 1);
    const auto value = find_value(program::kResourceDimensionNames, name);
    if (!value) {
      scan_.set(mnemonic.at);
      return scan_.fail(MessageKind::unknown_word, "a dimension after " + std::string(info.text) + '_',
                        name_meant(program::kResourceDimensionNames, name));
    }
    suffix.remove_prefix(name.size() + 1);
    word = program::token::kDimension.put(word, *value);
  }
  if (info.control == Control::uav_dim || info.control == Control::uav) {
    for (const auto& known : listing::words::kUavSuffixes)
      if (take(known.text)) word = known.bit.put(word, 1);
  }
  if (info.control == Control::dynamic && take(listing::words::kDynamic)) word = program::token::kDynamicIndexed.put(word, 1);
  if (!suffix.empty()) {
    scan_.set(suffix.data());
    return scan_.fail(MessageKind::invalid_suffix, "no more suffix");
  }
  if (info.control != Control::dim || !scan_.take('(')) return true;
  std::uint32_t samples = 0;
  if (!scan_.number_up_to(samples, (1U << program::token::kSampleCount.count) - 1, "a number of samples") || !scan_.expect(')'))
    return false;
  word = program::token::kSampleCount.put(word, samples);
  return true;
}

// `linear noperspective `: the longest name counts. What the system generates is constant; older listings do not say so
bool ProgramAssembler::interpolation(bool is_generated, std::uint32_t& value) {
  scan_.blanks();
  if (is_generated) value = static_cast<std::uint32_t>(dxcontainer::Interpolation::constant);
  std::string_view mode;
  for (const auto& known : program::kInterpolationNames.values)
    if (known.id.size() > mode.size() && scan_.rest().starts_with(known.id) && !is_name_character(scan_.peek(known.id.size()))) {
      mode = known.id;
      value = known.value;
    }
  if (scan_.take(mode) && !mode.empty()) return true;
  const char* const from = scan_.at();
  if (const auto other = find_value(program::kInterpolationNames, scan_.name())) {
    value = *other;
    return true;
  }
  scan_.set(from);
  return scan_.peek() != listing::words::kUnknown[0] ||
         named(program::kInterpolationNames, value, "an interpolation", (1U << program::token::kInterpolation.count) - 1);
}

// The field that the control names: a word or number.
bool ProgramAssembler::declared_field(const OpcodeInfo& info, Opcode opcode, std::uint32_t& word) {
  const Bits field = program::control_field(info.control);
  const std::uint32_t most = (1U << field.count) - 1;
  std::uint32_t value = 0;
  const auto read = [&] {
    switch (info.control) {
      case Control::flags: return flags(value);
      case Control::interpolation: return interpolation(opcode == Opcode::dcl_input_ps_sgv, value);
      case Control::pattern:
        scan_.blanks();
        for (const NamedValue& pattern : field.names->values) {
          value = pattern.value;
          if (scan_.take(pattern.id)) return true;
        }
        return scan_.fail(MessageKind::unknown_word, "immediateIndexed or dynamicIndexed");
      default: break;
    }
    const std::string what = program::field_text(field);
    if (field.names == nullptr) return scan_.number_up_to(value, most, "a number of " + what);
    return named(*field.names, value, (std::string_view("aeiou").find(what[0]) == std::string_view::npos ? "a " : "an ") + what, most);
  };
  if (!read()) return false;
  word = field.put(word, value);
  return true;
}

// fp0[1][4] = {ft0, ft1}: the length of an array, call sites
bool ProgramAssembler::interface() {
  std::uint32_t slot = 0;
  std::uint32_t array_length = 0;
  std::uint32_t sites = 0;
  if (!numbered(OperandType::interface, slot)) return false;
  if (!scan_.expect('[') || !scan_.number_up_to(array_length, 0xffff, "the length of an array") || !scan_.expect(']')) return false;
  if (!scan_.expect('[') || !scan_.number(sites, "a number of call sites") || !scan_.expect(']')) return false;
  push(slot);
  push(sites);
  const std::size_t before = tokens_.size() + 1;
  if (!function_list(OperandType::function_table, array_length)) return false;
  return tokens_.size() - before <= 0xffff || scan_.fail(MessageKind::instruction_length, "at most 65535 tables");
}

bool ProgramAssembler::declaration(const Mnemonic& mnemonic) {
  const std::size_t first = tokens_.size();
  const OpcodeInfo& info = *find_opcode(mnemonic.code);
  std::uint32_t word = mnemonic.code;
  push(word);
  if (!declared_suffix(mnemonic, info, word)) return false;
  const bool is_uav = info.control == Control::uav || info.control == Control::uav_dim;
  // RenderDoc names what shader model 5.1 has a space for, but for constant buffers.
  const bool may_have_name = info.shape.ends_with('S') && (info.access & access::constants) == 0;
  std::optional<std::uint32_t> types;  // stand before the register, but follow it
  std::uint32_t value = 0;
  const auto pushed = [&](bool is_read) {
    if (is_read) push(value);
    return is_read;
  };
  const auto element = [&](char letter, std::string_view what) {
    switch (letter) {
      case 'o':
      case 'v':
        if (!(may_have_name ? declared_resource() : declared())) return false;
        if (types) push(*types);
        return true;
      case 'n': return pushed(named(program::kNameNames, value, "a system value", (1U << program::token::kName.count) - 1));
      case 't': return return_types(types.emplace());
      case 'w':
      case '{': return pushed(scan_.number(value, what));
      case 'x': return pushed(numbered(OperandType::indexable_temp, value));
      case 'b': return pushed(numbered(OperandType::function_body, value));
      case 'l':
        scan_.blanks();
        if (!scan_.take("l(")) return scan_.fail(MessageKind::invalid_operand, "a literal such as l(64.0)");
        return pushed(scan_.literal(value, 'f', options_.guess_rounded)) && scan_.expect(')');
      case 'z':
        if (is_5_1_ && !(scan_.expect('[') && pushed(scan_.number(value, "a size in registers")) && scan_.expect(']'))) return false;
        buffer_name();
        return true;
      case 'S': return (!is_uav || uav_options(word)) && space();
      case 'T': return pushed(numbered(OperandType::function_table, value)) && function_list(OperandType::function_body);
      case 'I': return interface();
      case 'c': return declared_field(info, static_cast<Opcode>(mnemonic.code), word);
      case ' ':
      case '_': return true;
      default: return scan_.expect(letter);
    }
  };
  for (std::string_view rest = info.spelling; !rest.empty();) {
    const std::size_t length = rest[0] == '{' ? rest.find('}') + 1 : 1;
    if (!element(rest[0], length == 1 ? "a number" : rest.substr(1, length - 2))) return false;
    rest.remove_prefix(length);
  }
  return finish(first, word);
}

}  // namespace unshade::dxbc::assembler
