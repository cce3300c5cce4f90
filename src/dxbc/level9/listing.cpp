#include "dxbc/level9/listing.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <unshade/core/text/shown.hpp>

#include "dxbc/level9/sm2_comments_layout.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::level9 {

namespace {

// --- Mapping tables ----------------------------------------------------------------------------------------------------------------

/// A letter and its number, then blanks up to `width` characters and one more.
void cell(Text& out, std::string_view letter, std::uint32_t number, std::size_t width) {
  const std::size_t from = out.size();
  (out << letter).dec(number);
  const std::size_t size = out.size() - from;
  out.repeat(' ', size < width ? width - size : 0);
}

std::string_view conversion_text(ConstantConversion conversion) {
  switch (conversion) {
    case ConstantConversion::real: return " FLT";
    case ConstantConversion::boolean: return "BOOL";
    case ConstantConversion::sint: return " INT";
    case ConstantConversion::uint: return "UINT";
  }
  return " ???";
}

void print_scalars(Text& out, std::string_view letter, const Table<ScalarMapping>& mappings) {
  for (const ScalarMapping& m : mappings) {
    cell(out << "// ", letter, m.target, 11);
    cell(out, "cb", m.buffer, 8);
    out.dec(m.source_register, 10) << ' ';
    out.dec(m.component, 9) << '\n';
  }
}

void print_constant_mappings(Text& out, const Level9& level9) {
  const bool has_scalars = !level9.integers.empty() || !level9.booleans.empty();
  if (level9.constant_buffers.empty() && !has_scalars) return;
  out << "// Constant buffer to DX9 shader constant mappings:\n//\n";
  if (has_scalars) {
    out << "// Target Reg Buffer  Source Reg Component\n"
           "// ---------- ------- ---------- ---------\n";
    print_scalars(out, "i", level9.integers);
    print_scalars(out, "b", level9.booleans);
    out << "//\n";
  }
  if (!level9.constant_buffers.empty()) {
    out << "// Target Reg Buffer  Start Reg # of Regs        Data Conversion\n"
           "// ---------- ------- --------- --------- ----------------------\n";
    for (const ConstantBufferMapping& m : level9.constant_buffers) {
      cell(out << "// ", "c", m.target, 11);
      cell(out, "cb", m.buffer, 8);
      out.dec(m.first_register, 9) << ' ';
      out.dec(m.register_count, 9) << "  (";
      for (std::size_t i = 0; i < 4; ++i) out << (i == 0 ? "" : ",") << conversion_text(m.conversion[i]);
      out << ")\n";
    }
    out << "//\n";
  }
  out << "//\n";
}

void print_sampler_mappings(Text& out, const Level9& level9) {
  if (level9.samplers.empty()) return;
  out << "// Sampler/Resource to DX9 shader sampler mappings:\n//\n"
         "// Target Sampler Source Sampler  Source Resource\n"
         "// -------------- --------------- ----------------\n";
  const auto row = [&](const SamplerMapping& m) {
    cell(out << "// ", "s", m.target, 15);
    cell(out, "s", m.sampler, 16);
    cell(out, "t", m.resource, 17);
    out << '\n';
  };
  // observed: rows are in the order of the target; guess: those of one target as in the part
  std::vector<std::uint32_t> order(level9.samplers.size());  // target above, place in the part below
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = std::uint32_t{level9.samplers[i].target} << 16 | i;
  std::sort(order.begin(), order.end());
  for (const std::uint32_t key : order) row(level9.samplers[key & 0xffff]);
  out << "//\n//\n";
}

void print_runtime_mappings(Text& out, const Level9& level9) {
  if (level9.runtime_constants.empty()) return;
  out << "// Runtime generated constant mappings:\n//\n"
         "// Target Reg                               Constant Description\n"
         "// ---------- --------------------------------------------------\n";
  for (const RuntimeConstantMapping& m : level9.runtime_constants) {
    cell(out << "// ", "c", m.target, 11);
    out.right(m.constant == RuntimeConstant::position_offset ? "Vertex Shader position offset" : "unknown", 50) << '\n';
  }
  out << "//\n//\n";
}

// --- Debug comment -----------------------------------------------------------------------------------------------------------------

/// The tables of a DBUG comment, read where they lie: a listing needs each entry once, in the order of the instructions.
/// The layout is that of dxbc/sm2_comments_layout.hpp. Whatever does not fit into the comment is left out.
class LineIndex {
 public:
  struct Line {
    std::uint32_t line = 0;
    std::uint32_t file = kNoFile;
    std::uint32_t index = kNone;  ///< of the line entry, or kNone
  };
  static constexpr std::uint32_t kNoFile = 0xffff;
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  bool empty() const { return line_count_ == 0; }

  void read(View data) {
    data_ = data;
    text_room_ = data.size() * kTextPerByte;
    constexpr std::size_t kHeaderBytes = 40;
    if (!data.holds(0, kHeaderBytes)) return;
    const auto word = [&](std::size_t i) { return data.load_unchecked<std::uint32_t>(i * 4); };
    const auto fitting = [&](std::uint32_t count, std::uint32_t offset, std::size_t stride) {
      return static_cast<std::uint32_t>(std::min<std::size_t>(count, data.left(offset) / stride));
    };
    files_ = word(4);
    file_count_ = fitting(word(3), files_, sm2::kSourceFileBytes);
    lines_ = word(6);
    line_count_ = fitting(word(5), lines_, sm2::kLineEntryBytes);
    variables_ = word(8);
    const std::uint32_t variable_count = fitting(word(7), variables_, sm2::kVariableBytes);
    entry_point_ = word(9);
    entry_name_ = text(entry_point_);
    link_writes(variable_count);
  }

  /// The entry of the instruction at an offset. Offsets must ascend from call to call, as the entries do.
  Line at(std::uint32_t offset) {
    for (; next_ < line_count_; ++next_) {
      const std::size_t entry = lines_ + std::size_t{next_} * sm2::kLineEntryBytes;
      const auto found = data_.load_unchecked<std::uint32_t>(entry + 4);
      if (found > offset) break;
      if (found == offset) return {data_.load_unchecked<std::uint16_t>(entry), data_.load_unchecked<std::uint16_t>(entry + 2), next_++};
    }
    return {};
  }

  std::string_view file(std::uint32_t index) {
    if (index >= file_count_) return {};
    return printed(data_.load_unchecked<std::uint32_t>(files_ + std::size_t{index} * sm2::kSourceFileBytes));
  }

  /// Appends `  // pin<0,1,2,3>, ::color<0>`: what the instruction writes of variables.
  void print_variables(Text& out, std::uint32_t line_entry) {
    if (line_entry >= first_.size()) return;
    bool is_first = true;
    for (std::uint32_t i = first_[line_entry]; i != kNone; i = writes_[i].next) {
      out << (is_first ? "  // " : ", ");
      is_first = false;
      const std::size_t variable = variables_ + std::size_t{writes_[i].variable} * sm2::kVariableBytes;
      const auto scope = data_.load_unchecked<std::uint32_t>(variable);
      // Variables of the entry point itself are printed without their scope.
      if (scope == 0 || (scope != entry_point_ && text(scope) != entry_name_)) {
        if (scope != 0) out << printed(scope);
        out << "::";
      }
      out << printed(data_.load_unchecked<std::uint32_t>(variable + 4)) << '<';
      bool is_first_component = true;
      for (std::size_t c = 0; c < 4; ++c) {
        const auto component = data_.load_unchecked<std::uint16_t>(writes_[i].offset + 4 + c * 2);
        if (component == 0xffff) continue;
        if (!is_first_component) out << ',';
        is_first_component = false;
        out.dec(component);
      }
      out << '>';
    }
  }

 private:
  struct Write {
    std::uint32_t variable;
    std::uint32_t offset;  ///< of the write record
    std::uint32_t next;    ///< the next write of the same instruction, or kNone
  };

  std::string_view text(std::uint32_t offset) const { return offset == 0 ? std::string_view{} : data_.c_string(offset).value_or(""); }

  /// A text that goes into the listing: nothing once they are out of all proportion, as one long name printed for each instruction is.
  std::string_view printed(std::uint32_t offset) {
    const std::string_view found = text(offset);
    if (found.size() > text_room_) return {};
    text_room_ -= found.size();
    return found;
  }

  /// Chains the writes of each instruction, in the order of the variables.
  void link_writes(std::uint32_t variable_count) {
    // No more writes than the comment has room for: tables that overlap to multiply themselves are cut off.
    std::size_t room = data_.size() / sm2::kVariableWriteBytes;
    struct Run {
      std::uint32_t count;
      std::uint32_t offset;
    };
    const auto run_of = [&](std::uint32_t variable) {
      const std::size_t record = variables_ + std::size_t{variable} * sm2::kVariableBytes;
      const auto offset = data_.load_unchecked<std::uint32_t>(record + 16);
      return Run{static_cast<std::uint32_t>(std::min<std::size_t>(data_.load_unchecked<std::uint32_t>(record + 12),
                                                                  data_.left(offset) / sm2::kVariableWriteBytes)),
                 offset};
    };
    first_.assign(line_count_, kNone);
    writes_.reserve(std::min<std::size_t>(room, 64));
    // Backwards, so that each chain begins with the first variable.
    for (std::uint32_t v = variable_count; v-- > 0;) {
      const Run run = run_of(v);
      for (std::uint32_t i = run.count; i-- > 0 && room != 0; --room) {
        const std::uint32_t offset = run.offset + i * static_cast<std::uint32_t>(sm2::kVariableWriteBytes);
        const auto instruction = data_.load_unchecked<std::uint32_t>(offset);
        if (instruction >= line_count_) continue;
        writes_.push_back({v, offset, first_[instruction]});
        first_[instruction] = static_cast<std::uint32_t>(writes_.size() - 1);
      }
    }
  }

  static constexpr std::size_t kTextPerByte = 16;  ///< names printed, per byte of the comment; observed: fxc stays below 1

  View data_;
  std::size_t text_room_ = 0;
  std::uint32_t files_ = 0;
  std::uint32_t file_count_ = 0;
  std::uint32_t lines_ = 0;
  std::uint32_t line_count_ = 0;
  std::uint32_t variables_ = 0;
  std::uint32_t entry_point_ = 0;
  std::string_view entry_name_;
  std::uint32_t next_ = 0;
  std::vector<std::uint32_t> first_;
  std::vector<Write> writes_;
};

/// Prints `#line` where the source moves on: at another file, or more than two lines away from the instruction before.
class LinePrinter {
 public:
  LinePrinter(Text& out, bool directives) : out_(out), directives_(directives) {}

  void print(LineIndex& index, const LineIndex::Line& line) {
    constexpr std::int64_t kNear = 2;
    if (line.file == LineIndex::kNoFile) return;
    const bool same_file = line.file == file_;
    if (!same_file || std::abs(std::int64_t{line.line} - std::int64_t{line_}) > kNear) {
      out_ << '\n';
      if (directives_) {
        (out_ << listing::words::kLine).dec(line.line);
        if (!same_file) out_ << " \"" << printable(index.file(line.file)) << '"';
        out_ << '\n';
      }
    }
    file_ = line.file;
    line_ = line.line;
  }

 private:
  Text& out_;
  bool directives_;
  std::uint32_t file_ = LineIndex::kNoFile;
  std::uint32_t line_ = 0;
};

// --- Instructions ------------------------------------------------------------------------------------------------------------------

constexpr std::size_t kIndent = 4;
constexpr std::size_t kBlockIndent = 2;  ///< guess: src: listings of other shader model 2 and 3 programs; no level 9 file seen has blocks
constexpr std::size_t kMaxIndent = 64;

void print_program(Text& out, View program, const Level9ListingOptions& options) {
  sm2::Cursor cursor(program);
  const sm2::Version version = cursor.version();
  print(out.repeat(' ', kIndent), version);
  out << '\n';
  LineIndex lines;
  LinePrinter line_printer(out, options.line_directives);
  sm2::Instruction instruction;
  sm2::Operands operands;
  std::size_t indent = kIndent;
  std::uint64_t slots = 0;
  std::uint64_t texture_slots = 0;
  while (cursor.next(instruction)) {
    if (instruction.is_comment()) {
      constexpr std::size_t kFourCCBytes = 4;
      if (lines.empty() && instruction.body.u32(0) == sm2::kDebugComment) {
        lines.read(instruction.body.clamped(kFourCCBytes, instruction.body.size()));
      }
      continue;
    }
    LineIndex::Line line;
    if (!lines.empty()) {
      line = lines.at(instruction.offset);
      line_printer.print(lines, line);
    }
    const sm2::Block block = instruction.info != nullptr ? instruction.info->block : sm2::Block::inside;
    if ((block == sm2::Block::close || block == sm2::Block::both) && indent > kIndent) indent -= kBlockIndent;
    decode(instruction, version, operands);
    if (options.origins != nullptr)
      options.origins->push_back({out.size(), program.file_offset() + instruction.offset, 4 * instruction.length_tokens});
    print(out.repeat(' ', indent), instruction, operands, version);
    if (line.index != LineIndex::kNone) lines.print_variables(out, line.index);
    out << '\n';
    if ((block == sm2::Block::open || block == sm2::Block::both) && indent < kMaxIndent) indent += kBlockIndent;
    if (instruction.info != nullptr) {
      slots += instruction.info->slots;
      if (instruction.info->unit == sm2::Unit::texture) texture_slots += instruction.info->slots;
    }
  }
  (out << "\n// approximately ").dec(slots) << (slots == 1 ? " instruction slot used" : " instruction slots used");
  if (texture_slots != 0) {
    (out << " (").dec(texture_slots) << " texture, ";
    out.dec(slots - texture_slots) << " arithmetic)";
  }
  out << '\n';
}

}  // namespace

void print_level9(Text& out, const Level9& level9, const Level9ListingOptions& options) {
  print_constant_mappings(out, level9);
  print_sampler_mappings(out, level9);
  print_runtime_mappings(out, level9);
  out << (options.fourcc == dxcontainer::fourcc("XNAS")   ? "// XNA shader bytecode:\n//\n"
          : options.fourcc == dxcontainer::fourcc("XNAP") ? "// XNA Prepass shader bytecode:\n//\n"
                                                          : "// Level9 shader bytecode:\n//\n");
  print_program(out, level9.program, options);
}

}  // namespace unshade::dxbc::level9
