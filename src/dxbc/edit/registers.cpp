// Moves bindings to other registers: declarations, operands, resource definitions and the level 9 part together.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/spelling.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/edit.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/program/declarations.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxcontainer/features.hpp>
#include <unshade/dxcontainer/vocabulary.hpp>

#include "dxbc/program/token.hpp"

namespace unshade::dxbc {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::kUnbounded;
using dxcontainer::Part;

namespace {

/// The four kinds of registers that things are bound to.
struct RegisterKind {
  char letter;
  OperandType operand;
  std::uint32_t slots;  ///< before shader model 5.1. src: d3d11.h; the 15th buffer is that of immediate constants, UAVs: with the feature
};
constexpr RegisterKind kKinds[] = {
    {'t', OperandType::resource, 128},
    {'s', OperandType::sampler, 16},
    {'u', OperandType::uav, 64},
    {'b', OperandType::constant_buffer, 14},
};
constexpr std::uint32_t kUavSlotsWithoutFeature = 8;
constexpr unsigned kFeature64Uavs = 3;

const RegisterKind* find_kind(char letter) {
  for (const RegisterKind& kind : kKinds)
    if (kind.letter == letter) return &kind;
  return nullptr;
}
const RegisterKind* find_kind(OperandType operand) {
  for (const RegisterKind& kind : kKinds)
    if (kind.operand == operand) return &kind;
  return nullptr;
}
char letter_of(ResourceKind kind) {
  const std::string_view letters = register_letters(kind);
  if (letters.empty()) return 0;
  return letters[0] == 'c' ? 'b' : letters[0];
}

std::string name_of(char letter, std::uint32_t number, std::uint32_t space) {
  std::string name(1, letter);
  name += std::to_string(number);
  if (space != 0) name += ",space" + std::to_string(space);
  return name;
}

/// Registers that move together.
struct Range {
  char letter = 0;
  std::uint32_t space = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;  ///< inclusive; kUnbounded: no end
  std::uint32_t to = 0;
  std::uint32_t to_space = 0;

  bool moves() const { return to != first || to_space != space; }
  std::uint32_t delta() const { return to - first; }  // wraps around
  std::uint32_t to_last() const { return last == kUnbounded ? kUnbounded : last + delta(); }
};

/// All ranges of a container: what its program declares, and what its definitions bind besides.
class Ranges {
 public:
  void add(char letter, std::uint32_t space, std::uint32_t first, std::uint32_t last) {
    if (last < first) last = first;
    ranges_.push_back({letter, space, first, last, first, space});
  }

  /// What overlaps becomes one: bindings of several registers, and each register's declaration.
  void join() {
    std::ranges::sort(ranges_, {}, key);
    std::vector<Range> joined;
    for (const Range& range : ranges_) {
      if (!joined.empty() && joined.back().letter == range.letter && joined.back().space == range.space &&
          range.first <= joined.back().last) {
        joined.back().last = std::max(joined.back().last, range.last);
      } else {
        joined.push_back(range);
      }
    }
    ranges_ = std::move(joined);
  }

  Range* find(char letter, std::uint32_t space, std::uint32_t number) {
    const auto after = std::ranges::upper_bound(ranges_, std::tuple(letter, space, number), {}, key);
    if (after == ranges_.begin()) return nullptr;
    Range& range = *std::prev(after);
    return range.letter == letter && range.space == space && number <= range.last ? &range : nullptr;
  }

  /// Two that overlap if they go, or null.
  std::pair<const Range*, const Range*> overlap() const {
    std::vector<const Range*> order;
    for (const Range& range : ranges_) order.push_back(&range);
    std::ranges::sort(order, {}, [](const Range* r) { return std::tuple(r->letter, r->to_space, r->to); });
    for (std::size_t i = 1; i < order.size(); ++i) {
      const Range& a = *order[i - 1];
      const Range& b = *order[i];
      if (a.letter == b.letter && a.to_space == b.to_space && b.to <= a.to_last()) return {&a, &b};
    }
    return {};
  }

 private:
  static std::tuple<char, std::uint32_t, std::uint32_t> key(const Range& r) { return {r.letter, r.space, r.first}; }
  std::vector<Range> ranges_;
};

/// Where the immediate part of an operand's index is, counted from the instruction's first token; 0: it has none.
struct IndexPlace {
  std::uint32_t token = 0;           ///< of the immediate, or where one would be inserted
  std::uint32_t representation = 0;  ///< see token::kIndexRepresentation
};

class ProgramEditor {
 public:
  /// `is_linked`: the container has class linkage, whose instances say what `this` is bound to.
  ProgramEditor(const Part& part, const Program& program, bool is_linked) : part_(part), program_(program), is_linked_(is_linked) {}

  /// Adds the program's declarations.
  Result<void> collect(Ranges& ranges) {
    Decoder decoder(program_);
    Instruction in;
    std::size_t count = 0;
    while (!decoder.at_end()) {
      if (!decoder.next(in)) return Error(decoder.error()).within(part_.name());
      if (!program::declares_binding(in)) continue;
      const Operand& operand = in.operands[0];
      const RegisterKind* const kind = find_kind(operand.type);
      if (kind == nullptr || operand.dimensions == 0) continue;
      if (++count > limits::kDeclaredResources) return fail(in, ErrorCode::limit, "too many resource declarations");
      if (program_.is_5_1()) {
        if (operand.dimensions < 3) return fail(in, ErrorCode::bad_value, "a resource declaration of shader model 5.1 must have a range");
        ranges.add(kind->letter, space_of(in), operand.index[1], operand.index[2]);
      } else {
        ranges.add(kind->letter, 0, operand.index[0], operand.index[0]);
      }
    }
    return {};
  }

  /// The part's data with all that moves in its new place. `grew`: tokens were added or taken away.
  Result<std::vector<std::byte>> run(Ranges& ranges, bool& grew) {
    const auto all = part_.data.bytes();
    out_.reserve(all.size() + 64);
    constexpr std::size_t kHeadBytes = 8;
    out_.assign(all.begin(), all.begin() + kHeadBytes);
    Decoder decoder(program_);
    Instruction in;
    while (!decoder.at_end()) {
      if (!decoder.next(in)) return Error(decoder.error()).within(part_.name());
      if (auto done = instruction(in, ranges); !done) return std::move(done).error();
    }
    grew = out_.size() != program_.tokens.size();
    set_word(4, static_cast<std::uint32_t>(out_.size() / 4));
    // what follows the program
    out_.insert(out_.end(), all.begin() + static_cast<std::ptrdiff_t>(program_.tokens.size()), all.end());
    return std::move(out_);
  }

 private:
  Error fail(const Instruction& in, ErrorCode code, std::string message) const {
    return {code, in.bytes.file_offset(), std::string(part_.name()) + "/instructions", std::move(message)};
  }

  void set_word(std::size_t offset, std::uint32_t value) { store_little_endian(&out_[offset], value); }
  static std::uint32_t word(const Instruction& in, std::size_t token) { return in.bytes.u32(4 * token).value_or(0); }

  /// The register space of a declaration: its last dword.
  static std::uint32_t space_of(const Instruction& in) { return in.word_count == 0 ? 0 : in.words[in.word_count - 1U]; }

  IndexPlace place_of(const Instruction& in, const Operand& operand, unsigned dimension) const {
    const std::uint32_t head = word(in, operand.first_token);
    std::uint32_t at = operand.first_token + 1U;
    for (bool extended = program::token::kExtended.get(head) != 0; extended && at < in.length_tokens; ++at)
      extended = program::token::kExtended.get(word(in, at)) != 0;
    for (unsigned i = 0;; ++i) {
      const std::uint32_t representation = program::token::kIndexRepresentation[i].get(head);
      const std::uint32_t tokens = program::token::immediate_tokens(representation);
      if (i == dimension) return {at + (tokens == 2 ? 1U : 0U), representation};
      at += tokens;
      if (operand.relative[i] != kNoOperand) at += in.operands[operand.relative[i]].token_count;
    }
  }

  struct Patch {
    enum class How : std::uint8_t { replace, insert, erase } how;
    std::uint32_t token;
    std::uint32_t value;
  };
  void replace(std::uint32_t token, std::uint32_t value) { patches_.push_back({Patch::How::replace, token, value}); }

  /// Gives an operand's index another immediate part.
  Result<void> set_index(const Instruction& in, const Operand& operand, unsigned dimension, std::uint32_t value) {
    const IndexPlace place = place_of(in, operand, dimension);
    if (place.representation > program::token::kImmediate64PlusRelative)
      return fail(in, ErrorCode::bad_value, "an operand has an unknown index representation");
    const auto represent = [&](std::uint32_t representation) {
      const Bits& bits = program::token::kIndexRepresentation[dimension];
      const std::uint32_t head = word(in, operand.first_token);
      const std::uint32_t mask = ((1U << bits.count) - 1U) << bits.first;
      replace(operand.first_token, (head & ~mask) | representation << bits.first);
    };
    // fxc leaves out a 0 that something is added to.
    if (place.representation == program::token::kRelative) {
      represent(program::token::kImmediate32PlusRelative);
      patches_.push_back({Patch::How::insert, place.token, value});
    } else if (place.representation == program::token::kImmediate32PlusRelative && value == 0) {
      represent(program::token::kRelative);
      patches_.push_back({Patch::How::erase, place.token, 0});
    } else {
      replace(place.token, value);
    }
    return {};
  }

  Result<void> instruction(Instruction& in, Ranges& ranges) {
    patches_.clear();
    const bool is_custom = in.opcode() == Opcode::customdata;
    const bool is_message = is_custom && in.custom_data() == CustomData::shader_message;
    if (is_message) {
      // one that cannot be read has no operands that could be followed
      if (!decode_shader_message(in)) in.total_operands = 0;
    }
    if (program::declares_binding(in) && find_kind(in.operands[0].type) != nullptr && in.operands[0].dimensions != 0) {
      if (auto done = declaration(in, ranges); !done) return done;
    } else {
      for (unsigned i = 0; i < in.total_operands; ++i)
        if (auto done = operand(in, in.operands[i], ranges); !done) return done;
    }
    return emit(in, is_custom);
  }

  Result<void> declaration(const Instruction& in, Ranges& ranges) {
    const Operand& operand = in.operands[0];
    const char letter = find_kind(operand.type)->letter;
    if (!program_.is_5_1()) {
      const Range* const range = ranges.find(letter, 0, operand.index[0]);
      return range != nullptr && range->moves() ? set_index(in, operand, 0, operand.index[0] + range->delta()) : Result<void>();
    }
    const std::uint32_t space = space_of(in);
    const Range* const range = ranges.find(letter, space, operand.index[1]);
    if (range == nullptr) return {};
    ids_[{letter, operand.index[0]}] = range;
    if (!range->moves()) return {};
    for (const unsigned bound : {1U, 2U}) {
      if (range->delta() == 0 || (bound == 2 && operand.index[2] == kUnbounded)) continue;
      if (auto done = set_index(in, operand, bound, operand.index[bound] + range->delta()); !done) return done;
    }
    if (range->to_space != space && in.word_count != 0)
      replace(operand.first_token + operand.token_count + in.word_count - 1U, range->to_space);
    return {};
  }

  Result<void> operand(const Instruction& in, const Operand& operand, Ranges& ranges) {
    const RegisterKind* const kind = find_kind(operand.type);
    if (kind == nullptr || operand.dimensions == 0) return {};
    if (!program_.is_5_1()) {
      // The register comes out of `this`, which the runtime fills from the instance; fxc adds the place in the class, which stays.
      if (operand.relative[0] != kNoOperand && is_linked_) return {};
      if (operand.relative[0] != kNoOperand)
        return fail(in, ErrorCode::unsupported,
                    std::string("a class instance selects the ") + kind->letter + " register, which therefore cannot be moved");
      const Range* const range = ranges.find(kind->letter, 0, operand.index[0]);
      return range != nullptr && range->moves() ? set_index(in, operand, 0, operand.index[0] + range->delta()) : Result<void>();
    }
    // The first index is the range's id, the second counts from the first register of the space.
    const auto found = ids_.find({kind->letter, operand.index[0]});
    if (found == ids_.end() || operand.dimensions < 2 || found->second->delta() == 0) return {};
    return set_index(in, operand, 1, operand.index[1] + found->second->delta());
  }

  Result<void> emit(const Instruction& in, bool is_custom) {
    const std::size_t from = out_.size();
    const auto bytes = in.bytes.bytes();
    if (patches_.empty()) {
      out_.insert(out_.end(), bytes.begin(), bytes.end());
      return {};
    }
    std::vector<std::uint32_t> tokens(in.length_tokens);
    for (std::uint32_t i = 0; i < in.length_tokens; ++i) tokens[i] = word(in, i);
    // Two indexes of one operand both change its token: each bit that one changes counts.
    std::vector<Patch> moves;
    for (const Patch& patch : patches_) {
      if (patch.how == Patch::How::replace) {
        tokens[patch.token] ^= word(in, patch.token) ^ patch.value;
      } else {
        moves.push_back(patch);
      }
    }
    std::ranges::sort(moves, std::greater<>(), &Patch::token);
    for (const Patch& patch : moves) {
      const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(patch.token);
      if (patch.how == Patch::How::insert) {
        tokens.insert(at, patch.value);
      } else {
        tokens.erase(at);
      }
    }
    if (tokens.size() != in.length_tokens) {
      constexpr std::size_t kMostTokens = 127;
      if (is_custom || tokens.size() > kMostTokens)
        return fail(in, ErrorCode::unsupported, "the instruction would exceed its maximum length");
      const std::uint32_t mask = ((1U << program::token::kLength.count) - 1U) << program::token::kLength.first;
      tokens[0] = (tokens[0] & ~mask) | static_cast<std::uint32_t>(tokens.size()) << program::token::kLength.first;
    }
    out_.resize(from + 4 * tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) set_word(from + 4 * i, tokens[i]);
    return {};
  }

  const Part& part_;
  const Program& program_;
  bool is_linked_;
  std::vector<std::byte> out_;
  std::vector<Patch> patches_;
  std::map<std::pair<char, std::uint32_t>, const Range*> ids_;  // of shader model 5.1: ranges by letter and id
};

Error refused(const Container& container, ErrorCode code, std::string message) {
  return {code, container.file.file_offset(), "rebind", std::move(message)};
}

bool has_64_uavs(const Container& container) {
  const Part* const part = container.find(fourcc("SFI0"));
  if (part == nullptr) return false;
  const auto flags = dxcontainer::parse_features(*part);
  return flags && (*flags >> kFeature64Uavs & 1) != 0;
}

/// Says where each range goes.
Result<void> assign(const Container& container, bool is_5_1, std::span<const Rebind> rebinds, Ranges& ranges) {
  std::vector<const Range*> met;
  for (const Rebind& rebind : rebinds) {
    const RegisterKind* const kind = find_kind(rebind.kind);
    if (kind == nullptr) return refused(container, ErrorCode::bad_value, "expected a t, s, u or b register");
    const std::string name = name_of(rebind.kind, rebind.from, rebind.from_space);
    Range* const range = ranges.find(rebind.kind, rebind.from_space, rebind.from);
    if (range == nullptr) return refused(container, ErrorCode::missing, "nothing is bound to " + name);
    if (range->first != rebind.from)
      return refused(container, ErrorCode::missing,
                     name + " is inside the range that begins at " + name_of(range->letter, range->first, range->space));
    if (std::ranges::find(met, range) != met.end()) return refused(container, ErrorCode::bad_value, name + " is moved twice");
    met.push_back(range);
    range->to = rebind.to;
    range->to_space = rebind.to_space.value_or(range->space);
    if (!range->moves()) continue;
    if (range->last != kUnbounded && range->last - range->first > kUnbounded - 1 - range->to)
      return refused(container, ErrorCode::bad_value, name + " would exceed the last register");
    if (is_5_1) continue;
    if (range->to_space != 0) return refused(container, ErrorCode::bad_value, "register spaces require shader model 5.1");
    const bool has_few = rebind.kind == 'u' && !has_64_uavs(container);
    const std::uint32_t slots = has_few ? kUavSlotsWithoutFeature : kind->slots;
    if (range->to_last() >= slots)
      return refused(container, ErrorCode::bad_value,
                     name_of(rebind.kind, range->to_last(), 0) + " does not exist: the limit is " + std::to_string(slots) + " registers");
  }
  if (const auto [a, b] = ranges.overlap(); a != nullptr)
    return refused(container, ErrorCode::bad_value,
                   name_of(a->letter, a->first, a->space) + " and " + name_of(b->letter, b->first, b->space) + " would overlap at " +
                       name_of(b->letter, b->to, b->to_space));
  return {};
}

/// Where the first of `count` registers goes, which are counted from there, so that they keep their order. Those that nothing is bound to
/// go with the others. Nothing, if they part.
std::optional<std::uint32_t> moved_first(Ranges& ranges, char letter, std::uint32_t first, std::uint32_t count) {
  constexpr std::uint32_t kMostSlots = 128;
  std::optional<std::uint32_t> moved;
  for (std::uint32_t k = 0; k < std::min(count, kMostSlots) && k <= kUnbounded - first; ++k) {
    const Range* const range = ranges.find(letter, 0, first + k);
    if (range == nullptr) continue;
    const std::uint32_t to = first + k + range->delta();
    if (to < k || (moved && *moved != to - k)) return std::nullopt;
    moved = to - k;
  }
  return moved.value_or(first);
}

/// The definitions' bindings in their new places.
Result<void> move_bindings(const Part& part, Rdef& rdef, Ranges& ranges) {
  for (Binding& binding : rdef.bindings) {
    const Range* const range = ranges.find(letter_of(binding.kind), binding.space, binding.bind_point);
    if (range == nullptr || !range->moves()) continue;
    binding.bind_point += range->delta();
    binding.space = range->to_space;
  }
  // What variables have: the first of their textures and samplers.
  for (std::size_t b = 0; b < rdef.constant_buffers.size(); ++b) {
    auto& variables = rdef.constant_buffers[b].variables;
    for (std::size_t v = 0; v < variables.size(); ++v) {
      const auto move = [&](char letter, std::uint32_t count, std::uint32_t& first, const char* field) -> Result<void> {
        const auto moved = moved_first(ranges, letter, first, count);
        if (!moved)
          return Error{
              ErrorCode::unsupported, part.data.file_offset(),
              std::string(part.name()) + "/constant_buffers[" + std::to_string(b) + "]/variables[" + std::to_string(v) + "]/" + field,
              "the registers of variable " + quoted(variables[v].name.text) + " must be contiguous: move them together"};
        first = *moved;
        return {};
      };
      if (auto done = move('t', variables[v].texture_count, variables[v].start_texture, "start_texture"); !done) return done;
      if (auto done = move('s', variables[v].sampler_count, variables[v].start_sampler, "start_sampler"); !done) return done;
    }
  }
  return {};
}

/// Likewise, the sources of a level 9 part's registers.
Result<bool> move_level9(Level9& level9, Ranges& ranges) {
  bool changed = false;
  const auto move = [&](char letter, auto& number) {
    using Number = std::remove_reference_t<decltype(number)>;
    const Range* const range = ranges.find(letter, 0, number);
    if (range == nullptr || !range->moves()) return true;
    const std::uint32_t to = number + range->delta();
    if (to > static_cast<Number>(-1)) return false;
    number = static_cast<Number>(to);
    changed = true;
    return true;
  };
  bool fits = true;
  for (ConstantBufferMapping& mapping : level9.constant_buffers) fits &= move('b', mapping.buffer);
  for (ScalarMapping& mapping : level9.integers) fits &= move('b', mapping.buffer);
  for (ScalarMapping& mapping : level9.booleans) fits &= move('b', mapping.buffer);
  for (SamplerMapping& mapping : level9.samplers) fits &= move('t', mapping.resource) && move('s', mapping.sampler);
  if (!fits) return Error{ErrorCode::bad_value, 0, "", "the register number exceeds its field in the part's tables"};
  return changed;
}

/// Likewise, what class instances are bound to. Code counts an instance's textures from its first: they stay together.
Result<bool> move_instances(const Part& part, ClassLinkage& linkage, Ranges& ranges) {
  bool changed = false;
  for (std::size_t i = 0; i < linkage.instances.size(); ++i) {
    ClassInstance& instance = linkage.instances[i];
    const ClassType type = instance.type < linkage.types.size() ? linkage.types[instance.type] : ClassType{};
    const auto fault = [&](const char* field, ErrorCode code, const char* message) {
      return Error{code, part.data.file_offset(), std::string(part.name()) + "/instances[" + std::to_string(i) + "]/" + field, message};
    };
    const auto move = [&](char letter, std::uint16_t& first, std::uint32_t count, const char* field) -> Result<void> {
      if (first == kNoSlot) return {};
      const auto moved = moved_first(ranges, letter, first, count);
      if (!moved) return fault(field, ErrorCode::unsupported, "the registers of a class instance must be contiguous: move them together");
      if (*moved == first) return {};
      if (*moved >= kNoSlot) return fault(field, ErrorCode::bad_value, "the register number exceeds its field in the part's tables");
      first = static_cast<std::uint16_t>(*moved);
      changed = true;
      return {};
    };
    const std::uint32_t elements = std::max<std::uint32_t>(instance.elements, 1);
    if (auto done = move('b', instance.constant_buffer, 1, "constant_buffer"); !done) return std::move(done).error();
    if (auto done = move('t', instance.texture, elements * type.texture_count, "texture"); !done) return std::move(done).error();
    if (auto done = move('s', instance.sampler, elements * type.sampler_count, "sampler"); !done) return std::move(done).error();
  }
  return changed;
}

}  // namespace

Result<PartEdits> rebind(const Container& container, std::span<const Rebind> rebinds) {
  PartEdits edits;
  if (rebinds.empty()) return edits;
  Ranges ranges;
  const Part* const code = container.find(dxcontainer::PartRole::tokens);
  const Part* const definitions = container.find(fourcc("RDEF"));
  const Part* const linkage = container.find(fourcc("IFCE"));
  std::optional<Program> program;
  if (code != nullptr) {
    auto parsed = parse_program(*code);
    if (!parsed) return std::move(parsed).error();
    program = *parsed;
    if (auto done = ProgramEditor(*code, *program, linkage != nullptr).collect(ranges); !done) return std::move(done).error();
  }
  Rdef rdef;
  if (definitions != nullptr) {
    auto parsed = parse_rdef(*definitions);
    if (!parsed) return std::move(parsed).error();
    rdef = *std::move(parsed);
    for (const Binding& b : rdef.bindings) {
      // an interface's slots, and operands without a register
      if (b.bind_point == kUnbounded) continue;
      const std::uint32_t last =
          b.bind_count == 0 || b.bind_count - 1 > kUnbounded - 1 - b.bind_point ? kUnbounded : b.bind_point + b.bind_count - 1;
      ranges.add(letter_of(b.kind), b.space, b.bind_point, last);
    }
  }
  ranges.join();
  const bool is_5_1 = program ? program->is_5_1() : rdef.has_space();
  if (auto done = assign(container, is_5_1, rebinds, ranges); !done) return std::move(done).error();

  bool grew = false;
  for (std::size_t i = 0; i < container.parts.size(); ++i) {
    const Part& part = container.parts[i];
    std::vector<std::byte> data;
    if (&part == code) {
      auto made = ProgramEditor(part, *program, linkage != nullptr).run(ranges, grew);
      if (!made) return std::move(made).error();
      data = *std::move(made);
    } else if (&part == definitions) {
      if (auto done = move_bindings(part, rdef, ranges); !done) return std::move(done).error();
      data = write_rdef(rdef);
    } else if (&part == linkage) {
      auto classes = parse_class_linkage(part);
      if (!classes) return std::move(classes).error();
      auto changed = move_instances(part, *classes, ranges);
      if (!changed) return std::move(changed).error();
      if (!*changed) continue;
      data = write_class_linkage(*classes);
    } else if (is_level9(part.fourcc)) {
      auto level9 = parse_level9(part);
      if (!level9) return std::move(level9).error();
      auto changed = move_level9(*level9, ranges);
      if (!changed) return std::move(changed).error().within(part.name());
      if (!*changed) continue;
      data = write_level9(*level9);
    } else {
      continue;
    }
    const auto old = part.data.bytes();
    if (!std::equal(data.begin(), data.end(), old.begin(), old.end())) edits.parts.push_back({i, std::move(data)});
  }
  if (edits.parts.empty()) return edits;
  for (const Part& part : container.parts) {
    if (&part == linkage)
      edits.notes.emplace_back("IFCE: class instances that the application creates with CreateClassInstance must use the new registers");
    if (part.fourcc == fourcc("RTS0")) edits.notes.emplace_back("RTS0 is kept: the root signature must bind the new registers");
    if (!is_debug_part(part.fourcc)) continue;
    edits.notes.push_back(std::string(part.name()) +
                          (grew ? " is kept unchanged: it describes the source, with code offsets from before the edit"
                                : " is kept unchanged: it describes the source"));
  }
  return edits;
}

}  // namespace unshade::dxbc
