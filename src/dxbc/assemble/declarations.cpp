// Declarations, each with a spelling of its own.
#include <algorithm>
#include <string>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

#include "core/characters.hpp"
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

// ,reg=3 or ,regs=3:5 or ,regs=3:unbounded, which RenderDoc writes behind the space
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

//  = {fb0, fb1}: pushes the numbers
bool ProgramAssembler::function_list(OperandType type, std::size_t& count) {
  if (!scan_.expect('=') || !scan_.expect('{')) return false;
  count = 0;
  if (scan_.take_next('}')) return true;
  do {
    std::uint32_t number = 0;
    if (!numbered(type, number)) return false;
    push(number);
    ++count;
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

bool ProgramAssembler::declaration(const Mnemonic& mnemonic) {
  const std::size_t first = tokens_.size();
  const OpcodeInfo& info = *find_opcode(mnemonic.code);
  std::uint32_t word = mnemonic.code;
  push(word);
  std::string_view suffix = mnemonic.suffixes;
  const auto take_suffix = [&](std::string_view text) {
    if (!suffix.starts_with(text)) return false;
    suffix.remove_prefix(text.size());
    return true;
  };
  const auto no_suffix = [&] {
    if (suffix.empty()) return true;
    scan_.set(suffix.data());
    return scan_.fail(MessageKind::invalid_suffix, "no more suffix");
  };
  const auto uav_suffixes = [&] {
    for (const auto& known : listing::words::kUavSuffixes)
      if (take_suffix(known.text)) word = known.bit.put(word, 1);
    return no_suffix();
  };
  // _texture2d
  const auto dimension = [&] {
    const std::size_t end = suffix.find('_', 1);
    const std::string_view name = suffix.empty() ? suffix : suffix.substr(1, end == std::string_view::npos ? end : end - 1);
    if (const auto value = find_value(program::kResourceDimensionNames, name)) {
      suffix.remove_prefix(name.size() + 1);
      word = program::token::kDimension.put(word, *value);
      return true;
    }
    scan_.set(mnemonic.at);
    return scan_.fail(MessageKind::unknown_word, "a dimension after " + std::string(info.text) + '_',
                      name_meant(program::kResourceDimensionNames, name));
  };
  const auto number = [&](std::string_view what) {
    std::uint32_t value = 0;
    if (!scan_.number(value, what)) return false;
    push(value);
    return true;
  };
  // a field of the opcode token
  const auto field = [&](const Bits& bits, const NameTable& names, std::string_view what) {
    std::uint32_t value = 0;
    if (!named(names, value, what, (1U << bits.count) - 1)) return false;
    word = bits.put(word, value);
    return true;
  };
  const auto name = [&] {
    std::uint32_t value = 0;
    if (!comma() || !named(program::kNameNames, value, "a system value", (1U << program::token::kName.count) - 1)) return false;
    push(value);
    return true;
  };

  switch (static_cast<Opcode>(mnemonic.code)) {
    case Opcode::dcl_resource:
    case Opcode::dcl_uav_typed: {
      if (!dimension()) return false;
      const bool is_uav = mnemonic.code == static_cast<std::uint32_t>(Opcode::dcl_uav_typed);
      if (!(is_uav ? uav_suffixes() : no_suffix())) return false;
      // dcl_resource_texture2dms(4) (float,float,float,float) t0
      if (!is_uav && scan_.take('(')) {
        std::uint32_t samples = 0;
        if (!scan_.number_up_to(samples, (1U << program::token::kSampleCount.count) - 1, "a number of samples") || !scan_.expect(')'))
          return false;
        word = program::token::kSampleCount.put(word, samples);
      }
      std::uint32_t types = 0;
      if (!return_types(types) || !declared_resource()) return false;
      push(types);
      if ((is_uav && !uav_options(word)) || !space()) return false;
      break;
    }
    case Opcode::dcl_uav_raw:
    case Opcode::dcl_uav_structured:
    case Opcode::dcl_resource_raw:
    case Opcode::dcl_resource_structured: {
      if (!(info.control == Control::uav ? uav_suffixes() : no_suffix()) || !declared_resource()) return false;
      if (info.shape.find('w') != std::string_view::npos && !(comma() && number("a stride in bytes"))) return false;
      if ((info.control == Control::uav && !uav_options(word)) || !space()) return false;
      break;
    }
    case Opcode::dcl_constantbuffer: {
      if (!no_suffix() || !declared()) return false;
      if (is_5_1_) {
        if (!scan_.expect('[') || !number("a size in registers") || !scan_.expect(']')) return false;
      }
      buffer_name();
      if (!comma()) return false;
      scan_.blanks();
      if (scan_.take(listing::words::kDynamicIndexed)) {
        word = program::token::kDynamicIndexed.put(word, 1);
      } else if (!scan_.take(listing::words::kImmediateIndexed)) {
        return scan_.fail(MessageKind::unknown_word, "immediateIndexed or dynamicIndexed");
      }
      if (!space()) return false;
      break;
    }
    case Opcode::dcl_sampler:
      if (!no_suffix() || !declared_resource() || !comma() ||
          !field(program::token::kSamplerMode, program::kSamplerModeNames, "a sampler mode") || !space())
        return false;
      break;
    case Opcode::dcl_indexrange:
      if (!no_suffix() || !declared() || !number("a number of registers")) return false;
      break;
    case Opcode::dcl_outputtopology:
      if (!no_suffix() || !field(program::token::kTopology, program::kTopologyNames, "a topology")) return false;
      break;
    case Opcode::dcl_inputprimitive:
      if (!no_suffix() || !field(program::token::kPrimitive, program::kPrimitiveNames, "a primitive")) return false;
      break;
    case Opcode::dcl_input_ps:
    case Opcode::dcl_input_ps_sgv:
    case Opcode::dcl_input_ps_siv: {
      if (!no_suffix()) return false;
      // `linear noperspective v1.xy`: the longest name counts. What the system generates is constant; older listings do not say so
      scan_.blanks();
      if (mnemonic.code == static_cast<std::uint32_t>(Opcode::dcl_input_ps_sgv)) word = program::token::kInterpolation.put(word, 1);
      std::string_view mode;
      for (const auto& known : program::kInterpolationNames.values)
        if (known.id.size() > mode.size() && scan_.rest().starts_with(known.id) && !is_name_character(scan_.peek(known.id.size()))) {
          mode = known.id;
          word = program::token::kInterpolation.put(word, known.value);
        }
      scan_.take(mode);
      if (mode.empty()) {
        const char* const from = scan_.at();
        if (const auto other = find_value(program::kInterpolationNames, scan_.name())) {
          word = program::token::kInterpolation.put(word, *other);
        } else {
          scan_.set(from);
        }
      }
      if (mode.empty() && scan_.peek() == listing::words::kUnknown[0] &&
          !field(program::token::kInterpolation, program::kInterpolationNames, "an interpolation"))
        return false;
      if (!declared()) return false;
      if (mnemonic.code != static_cast<std::uint32_t>(Opcode::dcl_input_ps) && !name()) return false;
      break;
    }
    case Opcode::dcl_input:
    case Opcode::dcl_output:
    case Opcode::dcl_stream:
      if (!no_suffix() || !declared()) return false;
      break;
    case Opcode::dcl_input_sgv:
    case Opcode::dcl_input_siv:
    case Opcode::dcl_output_sgv:
    case Opcode::dcl_output_siv:
      if (!no_suffix() || !declared() || !name()) return false;
      break;
    case Opcode::dcl_indexableTemp: {
      std::uint32_t value = 0;
      if (!no_suffix() || !numbered(OperandType::indexable_temp, value)) return false;
      push(value);
      if (!scan_.expect('[') || !number("a number of registers") || !scan_.expect(']') || !comma() || !number("a number of components"))
        return false;
      break;
    }
    case Opcode::dcl_globalFlags: {
      std::uint32_t value = 0;
      if (!no_suffix() || !flags(value)) return false;
      word = program::token::kGlobalFlags.put(word, value);
      break;
    }
    case Opcode::dcl_function_body: {
      std::uint32_t value = 0;
      if (!no_suffix() || !numbered(OperandType::function_body, value)) return false;
      push(value);
      break;
    }
    case Opcode::dcl_function_table: {
      std::uint32_t value = 0;
      if (!no_suffix() || !numbered(OperandType::function_table, value)) return false;
      push(value);
      push(0);
      const std::size_t place = tokens_.size() - 1;
      std::size_t count = 0;
      if (!function_list(OperandType::function_body, count)) return false;
      tokens_[place] = static_cast<std::uint32_t>(count);
      break;
    }
    case Opcode::dcl_interface: {
      if (take_suffix(listing::words::kDynamic)) word = program::token::kDynamicIndexed.put(word, 1);
      std::uint32_t value = 0;
      std::uint32_t array = 0;
      if (!no_suffix() || !numbered(OperandType::interface, value)) return false;
      push(value);
      if (!scan_.expect('[') || !scan_.number_up_to(array, 0xffff, "the length of an array") || !scan_.expect(']')) return false;
      if (!scan_.expect('[') || !number("a number of call sites") || !scan_.expect(']')) return false;
      push(array << 16);
      const std::size_t place = tokens_.size() - 1;
      std::size_t count = 0;
      if (!function_list(OperandType::function_table, count)) return false;
      if (count > 0xffff) return scan_.fail(MessageKind::instruction_length, "at most 65535 tables");
      tokens_[place] |= static_cast<std::uint32_t>(count);
      break;
    }
    case Opcode::dcl_input_control_point_count:
    case Opcode::dcl_output_control_point_count: {
      std::uint32_t value = 0;
      if (!no_suffix() || !scan_.number_up_to(value, (1U << program::token::kControlPoints.count) - 1, "a number of control points"))
        return false;
      word = program::token::kControlPoints.put(word, value);
      break;
    }
    case Opcode::dcl_tessellator_domain:
      if (!no_suffix() || !field(program::token::kDomain, program::kDomainNames, "a domain")) return false;
      break;
    case Opcode::dcl_tessellator_partitioning:
      if (!no_suffix() || !field(program::token::kPartitioning, program::kPartitioningNames, "a partitioning")) return false;
      break;
    case Opcode::dcl_tessellator_output_primitive:
      if (!no_suffix() || !field(program::token::kTessOutput, program::kTessOutputNames, "an output primitive")) return false;
      break;
    case Opcode::dcl_hs_max_tessfactor: {
      std::uint32_t bits = 0;
      scan_.blanks();
      if (!no_suffix()) return false;
      if (!scan_.take("l(")) return scan_.fail(MessageKind::invalid_operand, "a literal such as l(64.0)");
      if (!scan_.literal(bits, 'f', options_.guess_rounded) || !scan_.expect(')')) return false;
      push(bits);
      break;
    }
    default:  // a register, if the shape begins with one, then numbers
      if (!no_suffix()) return false;
      for (std::size_t i = 0; i < info.shape.size(); ++i) {
        if (info.shape[i] == 'S') {
          if (!space()) return false;
        } else if (info.shape[i] == 'o') {
          if (!declared()) return false;
        } else if ((i != 0 && !comma()) || !number("a number")) {
          return false;
        }
      }
      break;
  }
  return finish(first, word);
}

}  // namespace unshade::dxbc::assembler
