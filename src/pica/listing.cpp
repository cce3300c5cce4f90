#include <unshade/pica/listing.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/lanes.hpp>
#include <unshade/pica/float24.hpp>
#include <unshade/pica/instruction.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/pica/segments.hpp>

#include "pica/characters.hpp"
#include "pica/descriptor_care.hpp"
#include "pica/descriptor_table.hpp"
#include "pica/shbin_layout.hpp"

namespace unshade::pica {

namespace {

using characters::is_name;

constexpr std::size_t kCommentColumn = 48;
/// As deep as the assembler lets blocks nest, less the procedure.
constexpr std::size_t kBlockDepth = 30;
/// Characters of file names in `.loc`, all together.
constexpr std::size_t kLocationBase = std::size_t{1} << 17;
constexpr std::size_t kLocationPerWord = 64;
constexpr std::size_t kLongLocations = 1024 * std::size_t{kProgramWords};  ///< what real files may need: paths of so many characters
constexpr std::uint32_t kNowhere = 0xffff'ffff;

void print_string(Text& out, std::string_view text) {
  out << '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      (out << "\\x").hex(byte, 2);
    } else {
      out << c;
    }
  }
  out << '"';
}

struct Block {
  std::uint32_t end;
  std::uint32_t else_at;  ///< kNowhere: none, or after it already
};

/// What names mean below one executable.
struct Names {
  struct Element {
    std::uint32_t uniform = kNowhere;
    std::uint16_t offset = 0;
  };
  std::vector<std::string> texts;                                    ///< of each uniform record; empty if the record gives no name
  std::array<Element, kUniformEnd> at;                               ///< which name covers a register of the combined space
  std::map<std::string, std::uint32_t, std::less<>> like_registers;  ///< names such as `c1`, and the number they stand for
};

bool looks_like_register(std::string_view text) {
  return text.size() > 1 && std::string_view("orvcib").find(text[0]) != std::string_view::npos && text[1] >= '0' && text[1] <= '9';
}

/// After the last register of the class that a number of the combined space belongs to.
std::uint32_t class_end(std::uint32_t number) {
  return number < kUniformConstants  ? kUniformConstants
         : number < kUniformIntegers ? kUniformIntegers
         : number < kUniformBooleans ? kUniformBooleans
                                     : kUniformEnd;
}

std::vector<Instruction> decoded(const Shbin& shbin) {
  std::vector<Instruction> words;
  words.reserve(shbin.program.code.size());
  for (const std::uint32_t word : shbin.program.code) words.push_back(decode(word));
  return words;
}

class Lister {
 public:
  /// `object`: what the program is of, if it is of one.
  Lister(const Shbin& shbin, Text& out, const ListingOptions& options, const Object* object)
      : shbin_(shbin), out_(out), options_(options), object_(object), words_(decoded(shbin)), segments_(shbin, words_) {}

  /// Whether the descriptors that an assembler makes of the text do for all that it has.
  bool needs_descriptors() const { return needs_descriptors_; }

  void list() {
    location_room_ = kLocationBase + kLocationPerWord * words_.size() + std::min(kLongLocations, 1024 * words_.size());
    for (const Executable& executable : shbin_.executables) names_.push_back(names_of(executable));
    if (options_.header) print_program();
    const std::size_t units = shbin_.executables.size();
    const std::span<const Segment> segments = segments_.all();
    std::size_t segment = 0;
    for (std::size_t unit = 0; unit < std::max<std::size_t>(units, 1); ++unit) {
      if (options_.header && unit < units) print_executable(unit);
      for (; segment < segments.size() && segments[segment].unit == unit; ++segment) print_segment(segments[segment]);
    }
    if (options_.header && object_ != nullptr) print_relocations();
  }

 private:
  // --- tables --------------------------------------------------------------------------------------------------------------------

  /// The names that `.uniform` gives, as the assembler takes them.
  static Names names_of(const Executable& e) {
    Names names;
    std::set<std::string, std::less<>> taken;
    for (std::uint32_t i = 0; i < e.uniforms.size(); ++i) {
      const Uniform& u = e.uniforms[i];
      std::string text = u.symbol.text;
      std::replace(text.begin(), text.end(), '.', '$');
      const bool named =
          is_name(text) && u.first < kUniformEnd && (u.first < kUniformConstants || u.last >= u.first) && taken.insert(text).second;
      if (named && looks_like_register(text)) names.like_registers.emplace(text, u.first);
      if (named && text.size() <= kNameLength) {
        // a range that goes on into another class names registers of its first class only: an index would lead after those
        for (std::uint32_t at = u.first; at <= u.last && at < class_end(u.first); ++at)
          if (names.at[at].uniform == kNowhere) names.at[at] = {i, static_cast<std::uint16_t>(at - u.first)};
      }
      names.texts.push_back(named ? std::move(text) : std::string());
    }
    return names;
  }

  void print_program() {
    out_ << ".exact\n";
    const Program& p = shbin_.program;
    if (object_ != nullptr) ((out_ << ".object 0x").hex(object_->geometry)) << '\n';
    if (p.version != 0) ((out_ << ".pversion 0x").hex(p.version)) << '\n';
    for (std::size_t i = 0; options_.descriptors && i < p.descriptors.size(); ++i) {
      (out_ << ".desc ").dec(i) << " 0x";
      out_.hex(p.descriptors[i].bits, 8);
      if (p.descriptors[i].used != 0) (out_ << " 0x").hex(p.descriptors[i].used);
      out_ << '\n';
    }
    if (shbin_.executables.empty()) out_ << ".nodvle\n";
  }

  void print_executable(std::size_t unit) {
    const Executable& e = shbin_.executables[unit];
    out_ << '\n';
    if (unit != 0) out_ << ".dvle\n";
    const bool is_plain_vertex = e.stage == Stage::vertex && e.geometry_mode == GeometryMode::point && e.fixed_start == 0 &&
                                 e.variable_count == 0 && e.fixed_count == 0;
    (out_ << "; ").dec(unit) << ": " << (id(e.stage).empty() ? "unknown stage" : id(e.stage));
    if (e.stage == Stage::geometry) out_ << ", " << (id(e.geometry_mode).empty() ? "unknown mode" : id(e.geometry_mode));
    out_ << '\n';
    if (!is_plain_vertex) {
      (out_ << ".geometry ").dec(static_cast<unsigned>(e.stage)) << ' ';
      out_.dec(static_cast<unsigned>(e.geometry_mode)) << ' ';
      out_.dec(e.fixed_start) << ' ';
      out_.dec(e.variable_count) << ' ';
      out_.dec(e.fixed_count) << '\n';
    }
    if (e.version != Executable{}.version) (out_ << ".version 0x").hex(e.version, 4) << '\n';
    if (e.flags != 0) (out_ << ".flags 0x").hex(e.flags) << '\n';
    print_entry(e);
    if (e.input_mask != 0) (out_ << ".imask 0x").hex(e.input_mask, 4) << '\n';
    for (const Constant& constant : e.constants) print_constant(constant);
    std::uint32_t mask = 0;
    for (const OutputRecord& output : e.outputs) mask |= print_output(output);
    if (mask != e.output_mask) (out_ << ".omask 0x").hex(e.output_mask, 4) << '\n';
    for (const Uniform& uniform : e.uniforms) {
      print_string(out_ << ".uniform ", uniform.symbol.text);
      for (const std::uint16_t number : {uniform.first, uniform.last}) {
        out_ << ' ';
        if (names_[unit].like_registers.empty()) {
          print_uniform_register(out_, number);
        } else {
          (out_ << "0x").hex(number, 2);  // a name given above may read as a register
        }
      }
      out_ << '\n';
    }
    for (const Label& label : e.labels) {
      print_string(out_ << ".label ", label.symbol.text);
      (out_ << " 0x").hex(label.id) << ' ';
      out_.dec(label.address_words) << ' ';
      if (label.length == Label::kNoLength) {
        out_ << "0xffffffff\n";
      } else {
        out_.dec(label.length) << '\n';
      }
    }
  }

  void print_relocations() {
    if (!object_->relocations.empty()) out_ << '\n';
    for (const Relocation& relocation : object_->relocations) {
      (out_ << ".reloc ").dec(relocation.word) << " 0x";
      out_.hex(relocation.unknown1) << " 0x";
      out_.hex(relocation.unknown2) << '\n';
    }
  }

  void print_entry(const Executable& e) {
    if (object_ != nullptr) return;  // its first word
    if (const Segment* const main = segments_.procedure(e.entry_words, e.end_words)) {
      if (main->name != "main") out_ << ".entry " << main->name << '\n';
      return;
    }
    ((out_ << ".entry @").dec(e.entry_words) << " @").dec(e.end_words) << '\n';
  }

  void print_constant(const Constant& c) {
    const bool rest_is_zero = c.words[1] == 0 && c.words[2] == 0 && c.words[3] == 0;
    if (c.type == ConstantType::boolean && c.register_index < kBoolConstants && c.words[0] <= 1 && rest_is_zero) {
      (out_ << ".setb b").dec(c.register_index) << (c.boolean() ? " true\n" : " false\n");
    } else if (c.type == ConstantType::integer && c.register_index < kIntConstants && rest_is_zero) {
      (out_ << ".seti i").dec(c.register_index);
      for (unsigned i = 0; i < 4; ++i) (out_ << (i == 0 ? "(" : ", ")).dec(c.integer(i));
      out_ << ")\n";
    } else if (c.type == ConstantType::real && c.register_index < kFloatConstants &&
               std::all_of(c.words.begin(), c.words.end(), [](std::uint32_t word) { return word <= kFloat24Bits; })) {
      (out_ << ".setf c").dec(c.register_index);
      for (unsigned i = 0; i < 4; ++i) {
        out_ << (i == 0 ? "(" : ", ");
        const std::uint32_t exponent = c.words[i] >> 16 & 0x7f;
        const bool is_plain = (exponent != 0 && exponent != 0x7f) || (c.words[i] & 0x7f'ffff) == 0;
        if (is_plain) {
          out_.shortest(from_float24(c.words[i]));
        } else {
          (out_ << '$').hex(c.words[i], 6);
        }
      }
      out_ << ")\n";
    } else {
      (out_ << ".const ").dec(static_cast<unsigned>(c.type)) << ' ';
      out_.dec(c.register_index);
      for (const std::uint32_t word : c.words) (out_ << " 0x").hex(word);
      out_ << '\n';
    }
  }

  /// Returns the bit that the assembler adds to the mask of outputs.
  std::uint32_t print_output(const OutputRecord& o) {
    const std::string_view type = id(o.type);
    if (type.empty() || o.register_index >= kOutputs || o.mask == 0 || o.mask > 0xf || o.reserved != 0) {
      (out_ << ".outrec ").dec(static_cast<unsigned>(o.type)) << ' ';
      out_.dec(o.register_index) << " 0x";
      out_.hex(o.mask) << " 0x";
      out_.hex(o.reserved) << '\n';
      return 0;
    }
    (out_ << ".out - " << type << " o").dec(o.register_index);
    if (o.mask != 0xf) out_ << '.' << WriteMask(o.mask).text();
    out_ << '\n';
    return 1U << o.register_index;
  }

  // --- code ----------------------------------------------------------------------------------------------------------------------

  void print_segment(const Segment& segment) {
    names_here_ = !segment.shared && segment.unit < names_.size() ? &names_[segment.unit] : nullptr;
    like_registers_ =
        segment.unit < names_.size() && !names_[segment.unit].like_registers.empty() ? &names_[segment.unit].like_registers : nullptr;
    uniforms_here_ = segment.unit < shbin_.executables.size() ? &shbin_.executables[segment.unit].uniforms.items : nullptr;
    out_ << "\n.proc " << segment.name << '\n';
    std::vector<Block> blocks;
    for (std::uint32_t at = segment.start; at < segment.end; ++at) {
      close_blocks(blocks, at);
      if (const std::string* const label = segments_.label(at)) out_ << *label << ":\n";
      print_location(at);
      const std::size_t line = out_.size();
      out_.repeat('\t', 1 + blocks.size());
      if (!print_word(at, segment, blocks)) {
        out_.truncate(line + 1);
        needs_descriptors_ = needs_descriptors_ || has_descriptor(info(words_[at].opcode).format);
        (out_ << ".word 0x").hex(shbin_.program.code[at], 8);
      }
      print_comment(at, line);
      out_ << '\n';
    }
    close_blocks(blocks, segment.end);
    out_ << ".end\n";
  }

  void close_blocks(std::vector<Block>& blocks, std::uint32_t at) {
    while (!blocks.empty()) {
      Block& top = blocks.back();
      if (top.else_at == at) {
        out_.repeat('\t', blocks.size()) << ".else\n";
        top.else_at = kNowhere;
      } else if (top.end == at && top.else_at == kNowhere) {
        out_.repeat('\t', blocks.size()) << ".end\n";
        blocks.pop_back();
      } else {
        break;
      }
    }
  }

  void print_location(std::uint32_t at) {
    const Program& p = shbin_.program;
    if (!options_.lines) return;
    if (at >= p.lines.size()) {
      if (at == p.lines.size() && at != 0) out_ << "\t.loc none\n";
      return;
    }
    const Line& line = p.lines[at];
    if (located_ && line == p.lines[*located_]) return;
    located_ = at;
    (out_ << "\t.loc ").dec(line.number) << ' ';
    // Names may be long and repeat: of a file that makes the listing grow beyond all bounds by them, the rest does not assemble.
    const std::size_t length = p.file_name(line).size();
    if (length > location_room_) {
      out_ << "...\n";
      return;
    }
    location_room_ -= length;
    print_string(out_, p.file_name(line));
    out_ << '\n';
  }

  /// What is after the word at a place, and where it comes from.
  void print_comment(std::uint32_t at, std::size_t line) {
    const std::uint64_t program = kDvlbHeaderBytes + 4 * std::uint64_t{shbin_.executables.size()};
    const std::uint64_t offset = options_.file_offset + program + shbin_.program.code.offset + kWordBytes * std::uint64_t{at};
    if (options_.origins != nullptr) options_.origins->push_back({line, offset, kWordBytes});
    if (!options_.offsets && !options_.bytes) return;
    const std::size_t width = out_.size() - line;
    out_.repeat(' ', width < kCommentColumn ? kCommentColumn - width : 1) << ';';
    if (options_.offsets) (out_ << " 0x").hex(offset, 8);
    if (options_.bytes) (out_ << ' ').hex(shbin_.program.code[at], 8);
  }

  /// A register of the combined space of uniform records by its name there; nothing if it has none.
  bool print_name(std::uint32_t number, std::string_view index) {
    if (names_here_ == nullptr || number >= kUniformEnd || names_here_->at[number].uniform == kNowhere) return false;
    const Names::Element& element = names_here_->at[number];
    const Uniform& uniform = (*uniforms_here_)[element.uniform];
    out_ << names_here_->texts[element.uniform];
    const bool is_array = uniform.last != uniform.first;
    if (!is_array && index.empty()) return true;
    out_ << '[' << index;
    if (index.empty()) {
      out_.dec(element.offset);
    } else if (element.offset != 0) {
      (out_ << '+').dec(element.offset);
    }
    out_ << ']';
    return true;
  }

  /// `print` writes the register as it is. `number`: in the combined space; temporaries are no part of it, and have no name.
  template <class Print>
  bool print_register(std::uint32_t number, std::string_view index, const Print& print) {
    if (print_name(number, index)) return true;
    const std::size_t from = out_.size();
    print(out_);
    if (!reads_as(from, number)) return false;
    if (!index.empty()) out_ << '[' << index << ']';
    return true;
  }

  /// Whether the assembler takes what was printed from there on for register `number`, and not for another that has this name.
  bool reads_as(std::size_t from, std::uint32_t number) const {
    if (like_registers_ == nullptr) return true;
    const auto found = like_registers_->find(out_.view().substr(from));
    return found == like_registers_->end() || found->second == number;
  }

  bool print_source_operand(const SourceOperand& source) {
    if (source.negated) out_ << '-';
    const std::uint32_t number = source.is_input()       ? source.number()
                                 : source.is_temporary() ? kNowhere
                                                         : source.number() + kUniformConstants;
    if (!print_register(number, id(source.index), [&](Text& out) { print_source(out, source.reg); })) return false;
    if (source.swizzle.is_identity()) return true;
    // the last letter repeats itself
    std::string_view letters = source.swizzle.text();
    while (letters.size() > 1 && letters.back() == letters[letters.size() - 2]) letters.remove_suffix(1);
    out_ << '.' << letters;
    return true;
  }

  /// Mask of a destination. An empty one cannot be said but for mova.
  bool print_mask(WriteMask mask) {
    if (mask != WriteMask::all()) out_ << '.' << mask.text();
    return !mask.empty();
  }

  void print_condition(const Instruction& i) {
    const auto term = [&](char component, bool ref) { out_ << (ref ? "cmp." : "!cmp.") << component; };
    switch (i.condition) {
      case Condition::either:
      case Condition::both:
        term('x', i.ref_x);
        out_ << (i.condition == Condition::both ? " && " : " || ");
        term('y', i.ref_y);
        break;
      case Condition::x:
        term('x', i.ref_x);
        if (!i.ref_y) out_ << " ~cmp.y";
        break;
      case Condition::y:
        term('y', i.ref_y);
        if (!i.ref_x) out_ << " ~cmp.x";
        break;
    }
  }

  void print_address(const Instruction& i) {
    (out_ << '@').dec(i.target);
    if (i.count != 0) (out_ << '+').dec(i.count);
  }

  bool print_uniform(char letter, std::uint32_t number, std::uint32_t base) {
    return print_register(base + number, {}, [&](Text& out) { (out << letter).dec(number); });
  }

  /// Whether the word opens a block that nests into those that are open; pushes it.
  bool open_block(std::uint32_t at, const Instruction& i, const Segment& segment, std::vector<Block>& blocks) const {
    std::uint32_t limit = segment.end;
    if (!blocks.empty()) limit = blocks.back().else_at != kNowhere ? blocks.back().else_at : blocks.back().end;
    if (blocks.size() >= kBlockDepth) return false;
    const bool is_loop = info(i.opcode).flow == Flow::loop;
    if (is_loop && i.count != 0) return false;
    Block block{i.whole_block_end(), kNowhere};
    if (i.count != 0) block.else_at = i.target;
    if (i.target == 0xfff && block.end > 0xfff) return false;  // the field would wrap
    if (block.end <= at || i.target < at + (is_loop ? 0 : 1) || block.end > limit) return false;
    blocks.push_back(block);
    return true;
  }

  /// The word as an instruction; false if the language has no words for it.
  bool print_word(std::uint32_t at, const Segment& segment, std::vector<Block>& blocks) {
    const Instruction& i = words_[at];
    const OpcodeInfo& row = info(i.opcode);
    if (row.format == Format::unknown || i.rest != 0) return false;
    const bool is_described = i.descriptor < shbin_.program.descriptors.size();
    if (has_descriptor(row.format) && !is_described) return false;
    const Operands operands = operands_of(i, is_described ? &shbin_.program.descriptors[i.descriptor].bits : nullptr);
    if (row.flow == Flow::leave && (i.target != 0 || i.count != 0)) return false;
    if (row.format == Format::f2 && !row.takes('c') && (i.ref_x || i.ref_y || i.condition != Condition::either)) return false;
    out_ << row.text;
    unsigned source = 0;
    unsigned comparison = 0;
    bool first = true;
    const Segment* callee = nullptr;
    for (const char letter : row.shape) {
      out_ << (first ? " " : ", ");
      first = false;
      switch (letter) {
        case 'd': {
          const std::size_t from = out_.size();
          print_destination(out_, i.destination);
          if (!reads_as(from, kNowhere)) return false;
          if (!print_mask(operands.written)) return false;
          break;
        }
        case 'a': {
          if (i.destination != 0) return false;
          const WriteMask mask = operands.written & WriteMask::first_components(2);
          out_ << "a0." << (mask.empty() ? "none" : mask.text());
          break;
        }
        case 's':
          if (!print_source_operand(operands.sources[source++])) return false;
          break;
        case 'o': out_ << id(comparison++ == 0 ? i.compare_x : i.compare_y); break;
        case 'c': print_condition(i); break;
        case 'p':
          callee = i.count != 0 ? segments_.procedure(i.target, i.end()) : nullptr;
          if (callee != nullptr) {
            out_ << callee->name;
          } else {
            print_address(i);
          }
          break;
        case 'l': {
          const Segment* const to = segments_.find(i.target);
          const std::string* const label = segments_.label(i.target);
          const bool is_plain = i.count == 0 || (i.opcode == Opcode::jmpu && i.count == 1);
          if (is_plain && to != nullptr && to->unit == segment.unit && label != nullptr) {
            out_ << *label;
          } else {
            print_address(i);
          }
          break;
        }
        case 'n':
          if (i.negates_uniform()) out_ << '!';
          if (!print_uniform('b', i.uniform, kUniformBooleans)) return false;
          break;
        case 'b':
          if (!print_uniform('b', i.uniform, kUniformBooleans)) return false;
          break;
        case 'i':
          if (i.uniform > 7 || !print_uniform('i', i.uniform, kUniformIntegers)) return false;
          break;
        case 'e':
          out_.dec(i.vertex);
          if (i.primitive || i.inverted) out_ << ',';
          if (i.primitive) out_ << " prim";
          if (i.inverted) out_ << " inv";
          break;
        default: break;
      }
    }
    if (row.opens_block() && !open_block(at, i, segment, blocks)) {
      out_ << ", ";
      print_address(i);
    }
    if (!has_descriptor(row.format)) return true;
    if (options_.descriptors) {
      (out_ << " {").dec(i.descriptor) << '}';
    } else {
      share_descriptor(i);
    }
    return true;
  }

  /// As the assembler will.
  void share_descriptor(const Instruction& i) {
    const bool is_mad = i.opcode == Opcode::mad || i.opcode == Opcode::madi;
    const Opcode opcode = is_mad ? Opcode::mad : is_inverted(i.opcode) ? twin(i.opcode) : i.opcode;
    std::uint32_t bits = shbin_.program.descriptors[i.descriptor].bits & stated_bits(info(i.opcode).shape);
    if (info(i.opcode).takes('a')) bits &= ~3U;  // its mask has two components
    std::uint32_t index = shared_.share(bits, descriptor_care(opcode, bits));
    if (is_mad && index >= kShortDescriptors) {
      std::vector<std::uint32_t> words;  // nobody reads them
      const auto lower = shared_.lower(index, words);
      needs_descriptors_ = needs_descriptors_ || !lower;
      index = lower.value_or(0);
    }
    if (is_mad) shared_.used_by_mad(index);
    needs_descriptors_ = needs_descriptors_ || index >= kDescriptors;
  }

  const Shbin& shbin_;
  Text& out_;
  const ListingOptions& options_;
  const Object* object_;
  const std::vector<Instruction> words_;
  const Segments segments_;
  std::vector<Names> names_;
  const Names* names_here_ = nullptr;
  const std::map<std::string, std::uint32_t, std::less<>>* like_registers_ = nullptr;
  const std::vector<Uniform>* uniforms_here_ = nullptr;
  DescriptorTable shared_;  // of a text without descriptors
  bool needs_descriptors_ = false;
  std::optional<std::uint32_t> located_;
  std::size_t location_room_ = 0;
};

}  // namespace

namespace {

void list(const Shbin& shbin, Text& out, const ListingOptions& options, const Object* object) {
  ListingOptions with = options;
  if (!options.descriptors) {
    const std::size_t from = out.size();
    const std::size_t origins = options.origins != nullptr ? options.origins->size() : 0;
    Lister plain(shbin, out, options, object);
    plain.list();
    if (!plain.needs_descriptors()) return;
    out.truncate(from);
    if (options.origins != nullptr) options.origins->resize(origins);
    with.descriptors = true;
  }
  Lister(shbin, out, with, object).list();
}

}  // namespace

void list_shbin(const Shbin& shbin, Text& out, const ListingOptions& options) { list(shbin, out, options, nullptr); }

void list_object(const Object& object, Text& out, const ListingOptions& options) {
  Shbin shbin = from_object(object);
  shbin.program.version = 0;  // it has one alone, and the executable has that
  ListingOptions inside = options;
  // where a DVLB would have its headers
  inside.file_offset -= kDvlbHeaderBytes + 4;
  list(shbin, out, inside, &object);
}

}  // namespace unshade::pica
