// picasso's directives.
#include <algorithm>
#include <string>
#include <utility>

#include <unshade/core/spelling.hpp>

#include "pica/assemble/state.hpp"
#include "pica/characters.hpp"
#include "pica/directive_names.hpp"

namespace unshade::pica::assembler {

using namespace characters;

namespace {

constexpr std::size_t kMostOutputs = 16;
constexpr std::size_t kMostShared = 1 << 14;

std::optional<Output> output_type(std::string_view text) {
  struct Row {
    std::string_view name;
    Output type;
  };
  constexpr Row kRows[] = {
      {"pos", Output::position},
      {"position", Output::position},
      {"nquat", Output::normal_quaternion},
      {"normalquat", Output::normal_quaternion},
      {"clr", Output::color},
      {"color", Output::color},
      {"tcoord0", Output::texcoord0},
      {"texcoord0", Output::texcoord0},
      {"tcoord0w", Output::texcoord0_w},
      {"texcoord0w", Output::texcoord0_w},
      {"tcoord1", Output::texcoord1},
      {"texcoord1", Output::texcoord1},
      {"tcoord2", Output::texcoord2},
      {"texcoord2", Output::texcoord2},
      {"view", Output::view},
      {"dummy", Output::generic},
  };
  for (const Row& row : kRows)
    if (same(text, row.name)) return row.type;
  return std::nullopt;
}

}  // namespace

bool Assembler::directive(std::string_view text, const char* where) {
  if (same(text, "proc")) return do_proc();
  if (same(text, "end")) return do_end();
  if (same(text, "else")) return do_else();
  if (same(text, "alias")) return do_alias();
  if (same(text, "fvec")) return do_uniforms(UniformType::real);
  if (same(text, "ivec")) return do_uniforms(UniformType::integer);
  if (same(text, "bool")) return do_uniforms(UniformType::boolean);
  if (same(text, "constf")) return do_constant(UniformType::real);
  if (same(text, "consti")) return do_constant(UniformType::integer);
  if (same(text, "constfa")) return do_array();
  if (same(text, "setf")) return do_set(UniformType::real);
  if (same(text, "seti")) return do_set(UniformType::integer);
  if (same(text, "setb")) return do_setb();
  if (same(text, "in")) return do_in();
  if (same(text, "out")) return do_out();
  if (same(text, "entry")) return do_entry();
  if (same(text, "nodvle")) return do_nodvle();
  if (same(text, "gsh")) return do_gsh();
  bool known = true;
  const bool done = addition(text, known);
  if (known) return done;
  Nearest nearest(text);
  for (const std::string_view one : directive_names::kAll) nearest.consider(one);
  return fail(MessageKind::unknown_statement, where,
              "expected a directive, found " + found(where) + (nearest.name().empty() ? "" : "; did you mean `." + nearest.name() + "`?"));
}

bool Assembler::do_proc() {
  const char* from = at_;
  const std::string_view text = name();
  const bool good = is_name(text);
  // opened in any case, so that its .end is not complained about
  if (!open(Block::Kind::procedure, from, good ? text : std::string_view())) return false;
  at_ = from;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected the name of the procedure");
  if (!good) return fail(MessageKind::invalid_name, from, "expected the name of the procedure, found " + found(from));
  at_ = from + text.size();
  if (!no_more()) return false;
  if (procedures_.find(text) != nullptr)
    return fail(MessageKind::duplicate_procedure, from, "the procedure `" + std::string(text) + "` is already defined");
  return true;
}

bool Assembler::do_else() {
  if (!no_more()) return false;
  if (blocks_.empty() || blocks_.back().kind != Block::Kind::branch)
    return fail(MessageKind::unmatched_else, line_start_, "expected .else within ifc or ifu");
  Block& block = blocks_.back();
  if (block.else_at != 0) return fail(MessageKind::unmatched_else, line_start_, "expected .end: this if already has an .else");
  end_of_block(Block::Kind::branch, block.start);
  block.else_at = static_cast<std::uint32_t>(code_.size());
  std::uint32_t& head = code_[block.start];
  head = (head & ~(0xfffU << 10)) | (block.else_at & 0xfff) << 10;
  return true;
}

bool Assembler::do_end() {
  if (!no_more()) return false;
  if (blocks_.empty()) return fail(MessageKind::unmatched_end, line_start_, "expected a statement: no block is open");
  const Block block = blocks_.back();
  blocks_.pop_back();
  if (block.kind == Block::Kind::array) {
    array_name_ = block.name;
    return end_array();
  }
  end_of_block(block.kind, block.start);
  const auto here = static_cast<std::uint32_t>(code_.size());
  const auto check_size = [&](std::uint32_t words, std::string_view what) {
    if (words <= 0xff || exact_) return true;
    const std::string text = std::string(what) + " has " + std::to_string(words) + " words";
    if (words > 0x3ff) {
      report(MessageKind::block_size, file_, block.line, block.column, "expected no more than 1023 words: " + text);
      return false;
    }
    report(MessageKind::count_bits, file_, block.line, block.column, text);
    return true;
  };
  if (block.kind == Block::Kind::procedure) {
    // its size matters only to calls: finish() checks it there
    if (procedures_.full()) return fail(MessageKind::too_many, line_start_, "too many procedures");
    if (!block.name.empty()) procedures_.add(block.name, {block.start, here - block.start, {file_, block.line, block.column}});
    return true;
  }
  just_closed_ = true;
  std::uint32_t& head = code_[block.start];
  if (block.kind == Block::Kind::loop) {
    head = (head & ~(0xfffU << 10)) | ((here - 1) & 0xfff) << 10;
  } else if (block.else_at == 0) {
    head = (head & ~(0xfffU << 10)) | (here & 0xfff) << 10;
  } else {
    if (!check_size(here - block.else_at, "the else part")) return false;
    head = (head & ~0x3ffU) | (here - block.else_at);
  }
  return true;
}

bool Assembler::fresh_name(std::string_view text, const char* where, const char* what) {
  if (!is_name(text)) return fail(MessageKind::invalid_name, where, std::string("expected ") + what + ", found " + found(where));
  if (aliases_.find(text) != nullptr)
    return fail(MessageKind::duplicate_name, where, "expected a new name: `" + std::string(text) + "` is already defined");
  if (aliases_.full()) return fail(MessageKind::too_many, where, "too many names");
  return true;
}

bool Assembler::add_alias(std::string_view text, std::uint32_t reg, const char* where, Side side) {
  if (reg >= kRegisters) return fail(MessageKind::register_range, where, "the offset exceeds the last register");
  if (side == Side::none && reg < kTemporary0) side = Side::input;
  define(text, {static_cast<std::uint8_t>(reg), descriptor::kIdentity, false, side});
  return true;
}

void Assembler::define(std::string_view text, const Alias& alias) {
  if (text.size() > 1 && is(text[1], kDigit)) register_aliases_ = true;
  aliases_.add(text, alias);
  memory_.forget();
}

bool Assembler::do_alias() {
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected a name");
  const std::string_view text = word();
  if (!is_name(text)) return fail(MessageKind::invalid_name, from, "expected a name, found " + found(from));
  constexpr std::string_view kLetters = "ovrcibOVRCIB";
  if (text.size() > 1 && kLetters.find(text[0]) != std::string_view::npos && is(text[1], kDigit))
    return fail(MessageKind::register_name, from, "expected a name that is not a register's, found " + found(from));
  Operand reg;
  if (!operand(reg, false, "a register") || !no_more()) return false;
  if (!fresh_name(text, from, "a name")) return false;
  if (reg.reg >= kRegisters) return fail(MessageKind::register_range, reg.at, "the offset exceeds the last register: " + found(reg.at));
  define(text, {static_cast<std::uint8_t>(reg.reg), reg.selectors, reg.negate, reg.side});
  return true;
}

bool Assembler::do_uniforms(UniformType type) {
  Unit& here = unit();
  const bool shared = here.shares_space;
  Pool& pool = (shared ? vertex_pools_ : geometry_pools_).of[static_cast<std::size_t>(type)];
  for (bool more = true; more && !at_end();) {
    const char* from = at_;
    const std::string_view text = name();
    std::uint32_t size = 1;
    if (at_ != end_ && *at_ == '[') {
      ++at_;
      const char* digits = at_;
      const std::int64_t wanted = decimal();
      skip_ignored("]");
      if (at_ == end_ || *at_ != ']') return fail(MessageKind::syntax, at_, "expected ] after the size");
      if (wanted < 1 || wanted > 0xffff)
        return fail(MessageKind::uniform_size, digits, "expected a size of 1 or more, found " + found(digits));
      size = static_cast<std::uint32_t>(wanted);
      ++at_;
      skip_ignored(",");
    }
    blanks();
    if (!at_end() && *at_ != ',') return fail(MessageKind::invalid_name, from, "expected a name, found " + found(from));
    if (!fresh_name(text, from, "a name")) return false;

    std::optional<std::uint32_t> first;
    if (const std::uint32_t* known = shared ? shared_names_.find(text) : nullptr) {
      const NamedRegisters& before = shared_[*known];
      if (before.type != type)
        return fail(MessageKind::uniform_mismatch, from, "`" + std::string(text) + "` has another type in another source");
      if (before.size != size)
        return fail(MessageKind::uniform_mismatch, from,
                    "expected the size of the uniform in another source, " + std::to_string(before.size));
      first = before.first;
    } else {
      first = pool.take_uniform(size);
      if (!first) return fail(MessageKind::no_room, from, "no registers are left for the uniform " + found(from));
    }
    if (shared) {
      if (shared_.size() >= kMostShared) return fail(MessageKind::too_many, from, "too many uniforms");
      shared_names_.add(text, static_cast<std::uint32_t>(shared_.size()));
      shared_.push_back({text, *first, size, type});
    }
    if (text[0] != '_') {
      if (here.uniforms.size() >= kMostRecords) return fail(MessageKind::too_many, from, "expected no more than 96 named registers");
      here.uniforms.push_back({text, *first, size, type});
    }
    if (!add_alias(text, *first, from)) return false;
    more = at_ != end_ && *at_ == ',';
    if (more) {
      ++at_;
      blanks();
    }
  }
  return true;
}

bool Assembler::use_input(std::uint32_t reg, const char* at) {
  Unit& here = unit();
  std::uint16_t& mask = here.executable.input_mask;
  if ((here.stated & kStatedInputMask) != 0 && (mask >> reg & 1) == 0)
    return fail(MessageKind::duplicate_field, at, "expected an input of .imask, found v" + std::to_string(reg));
  mask = static_cast<std::uint16_t>(mask | 1U << reg);
  return true;
}

bool Assembler::do_in() {
  Unit& here = unit();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected a name");
  const std::string_view text = word();
  std::uint32_t reg = 0;
  if (!at_end()) {
    Operand given;
    if (!bare_register(given, "an input register") || !no_more()) return false;
    check_side(given, Side::input);
    if (given.reg >= kInputs) return fail(MessageKind::register_range, given.at, "expected v0 to v15, found " + found(given.at));
    reg = given.reg;
  } else {
    // of .imask, if it is before; else of those that are not in use
    const bool has_mask = (here.stated & kStatedInputMask) != 0;
    std::uint32_t in_use = has_mask ? ~std::uint32_t{here.executable.input_mask} : here.executable.input_mask;
    for (const NamedRegisters& uniform : here.uniforms)
      if (has_mask && uniform.first < kInputs) in_use |= 1U << uniform.first;
    while (reg < kInputs && (in_use >> reg & 1) != 0) ++reg;
    if (has_mask && reg == kInputs) return fail(MessageKind::no_room, from, "no register of .imask is left for the input");
  }
  if (!fresh_name(text, from, "a name")) return false;
  if (reg >= kInputs) return fail(MessageKind::no_room, from, "no register is left for the input: v0 to v15 are in use");
  if (here.uniforms.size() >= kMostRecords) return fail(MessageKind::too_many, from, "expected no more than 96 named registers");
  if (!use_input(reg, from)) return false;
  here.uniforms.push_back({text, reg, 1, UniformType::real});
  return add_alias(text, reg, from);
}

bool Assembler::do_out() {
  Unit& here = unit();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected a name or -");
  const std::string_view text = word();
  const bool named = text != "-";
  if (named && !is_name(text)) return fail(MessageKind::invalid_name, from, "expected a name or -, found " + found(from));
  const char* at_type = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected the type of the output");
  const std::string_view type_text = name();
  Operand reg;
  reg.at = at_type;
  const bool masked = at_ != end_ && *at_ == '.';
  if (masked) {
    ++at_;
    if (!selectors(reg.selectors)) return false;
  }
  if (!at_end() && !is(*at_, kBlank))
    return fail(MessageKind::invalid_output_type, at_type, "expected the type of the output, found " + found(at_type));
  blanks();
  const bool given = !at_end();
  if (given) {
    if (masked) return fail(MessageKind::invalid_output_type, at_type, "expected the mask after the register, not after " + found(at_type));
    if (!operand(reg, false, "an output register") || !no_more()) return false;
    if (reg.negate) warn(MessageKind::unused_sign, reg.at, "an output has no sign");
    check_side(reg, Side::output);
    if (reg.reg >= here.output_registers() && !exact_)
      return fail(MessageKind::register_range, reg.at,
                  "expected o0 to o" + std::to_string(here.output_registers() - 1) + ", found " + found(reg.at));
    if (reg.reg >= kOutputs) return fail(MessageKind::register_range, reg.at, "expected o0 to o15, found " + found(reg.at));
  }
  const std::uint32_t components = mask(reg).bits();
  const auto type = output_type(type_text);
  if (!type)
    return fail(
        MessageKind::invalid_output_type, at_type,
        "expected position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view or dummy, found " + found(at_type));
  if (!given) {
    // of .omask, if it is before; else of those that are not in use
    const bool has_mask = (here.stated & kStatedOutputMask) != 0;
    const auto is_in_use = [&](unsigned one) {
      const bool is_in_mask = (here.executable.output_mask >> one & 1) != 0;
      return has_mask ? !is_in_mask || (here.outputs_used >> (4 * one) & 0xf) != 0 : is_in_mask;
    };
    while (reg.reg < here.output_registers() && is_in_use(reg.reg)) ++reg.reg;
    if (reg.reg == here.output_registers())
      return fail(MessageKind::no_room, from, std::string("no register ") + (has_mask ? "of .omask " : "") + "is left for the output");
  } else if ((here.outputs_used & static_cast<std::uint64_t>(components) << (4 * reg.reg)) != 0 && !exact_) {
    return fail(MessageKind::output_collision, reg.at, "expected components that no other output uses");
  }
  auto& outputs = here.executable.outputs.items;
  if (outputs.size() >= kMostOutputs && !exact_) return fail(MessageKind::too_many, from, "expected no more than 16 outputs");
  if (named && !fresh_name(text, from, "a name or -")) return false;
  if (reg.reg >= 7 && *type != Output::generic && !exact_)
    return fail(MessageKind::output_dummy_only, reg.at,
                "expected dummy: o" + std::to_string(reg.reg) + " is only passed to the geometry shader");
  if (!uses_output(reg.reg, reg.at)) return false;
  outputs.push_back({*type, static_cast<std::uint16_t>(reg.reg), static_cast<std::uint16_t>(components), 0});
  here.outputs_used |= static_cast<std::uint64_t>(components) << (4 * reg.reg);
  if (*type == Output::generic && !here.shares_space && !exact_) here.executable.flags |= kMergeOutputs;
  return !named || add_alias(text, reg.reg, from, Side::output);
}

bool Assembler::do_entry() {
  Unit& here = unit();
  const char* from = at_;
  if (at_end()) return fail(MessageKind::missing_parameter, at_, "expected the name of a procedure");
  if (*at_ == '@') {
    ++at_;
    std::uint32_t entry_words = 0;
    std::uint32_t end_words = 0;
    if (!number_in(entry_words, 0, 0xffff'ffff, "an address")) return false;
    blanks();
    if (at_ == end_ || *at_ != '@') return fail(MessageKind::missing_parameter, at_, "expected @ and the address of the end");
    ++at_;
    if (!number_in(end_words, 0, 0xffff'ffff, "an address") || !no_more()) return false;
    if (here.column != 0)
      return fail(MessageKind::duplicate_field, from, "the entry point is stated above, as `" + std::string(here.entry) + '`');
    if (here.entry_given && (here.executable.entry_words != entry_words || here.executable.end_words != end_words))
      return fail(MessageKind::duplicate_field, from, "the addresses of the entry point are stated above, with other values");
    here.entry_given = true;
    here.executable.entry_words = entry_words;
    here.executable.end_words = end_words;
    return true;
  }
  const std::string_view text = word();
  if (!is_name(text)) return fail(MessageKind::invalid_name, from, "expected the name of a procedure, found " + found(from));
  if (here.entry_given) return fail(MessageKind::duplicate_field, from, "the addresses of the entry point are stated above");
  if (here.column != 0 && here.entry != text)
    warn(MessageKind::duplicate_entry, from,
         "the entry point was `" + std::string(here.entry) + "`, now it is `" + std::string(text) + "`");
  here.entry = text;
  here.line = line_;
  here.column = column(from);
  return no_more();
}

bool Assembler::do_nodvle() {
  Unit& here = unit();
  if (!no_more()) return false;
  here.hidden = true;
  return true;
}

bool Assembler::do_gsh() {
  Unit& here = unit();
  const char* from = at_;
  Executable& executable = here.executable;
  if (at_end()) {
    here.geometry = true;
    memory_.forget();
    here.shares_space = true;
    executable.stage = Stage::geometry;
    return true;
  }
  const std::string_view text = word();
  if (here.geometry) return fail(MessageKind::geometry_twice, from, "expected a single .gsh, before .geometry and setemit");
  if (!executable.constants.empty() || !here.uniforms.empty() || executable.output_mask != 0)
    return fail(MessageKind::geometry_late, from, "expected .gsh before constants, uniforms and outputs");
  GeometryMode mode = GeometryMode::point;
  if (same(text, "variable") || same(text, "subdivision")) {
    mode = GeometryMode::variable;
  } else if (same(text, "fixed") || same(text, "particle")) {
    mode = GeometryMode::fixed;
  } else if (!same(text, "point")) {
    return fail(MessageKind::geometry_mode, from, "expected point, variable or fixed, found " + found(from));
  }
  const auto float_register = [&](std::uint32_t& reg) {
    Operand given;
    if (!bare_register(given, "a c register")) return false;
    if (given.reg < kFloat0 || given.reg >= kInteger0)
      return fail(MessageKind::invalid_uniform, given.at, "expected a c register, found " + found(given.at));
    reg = given.reg;
    return true;
  };
  here.geometry = true;
  memory_.forget();
  executable.stage = Stage::geometry;
  executable.geometry_mode = mode;
  std::uint32_t first = 0;
  if (!float_register(first)) return false;
  here.shares_space = false;
  geometry_pools_ = Pools::geometry(first);
  std::uint32_t count = 0;
  if (mode == GeometryMode::variable) {
    if (!number_in(count, 0, 255, "the number of vertices")) return false;
    executable.variable_count = static_cast<std::uint8_t>(count);
  } else if (mode == GeometryMode::fixed) {
    blanks();
    const char* at_start = at_;
    std::uint32_t start = 0;
    if (!float_register(start) || !number_in(count, 0, 255, "the number of vertices")) return false;
    if (start >= first && !exact_)
      return fail(MessageKind::geometry_overlap, at_start,
                  "expected a register below the first one for uniforms, found " + found(at_start));
    executable.fixed_start = static_cast<std::uint8_t>(start - kFloat0);
    executable.fixed_count = static_cast<std::uint8_t>(count);
  }
  here.stated = static_cast<std::uint8_t>(here.stated | kStatedMode);
  return no_more();
}

}  // namespace unshade::pica::assembler
