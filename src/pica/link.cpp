#include <unshade/pica/link.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <unshade/pica/instruction.hpp>

namespace unshade::pica {

namespace {

constexpr std::uint32_t kNone = 0xffff'ffff;

bool is_mad(Opcode opcode) { return opcode == Opcode::mad || opcode == Opcode::madi; }

bool has_address(const Instruction& i) {
  switch (info(i.opcode).flow) {
    case Flow::jump:
    case Flow::call:
    case Flow::block: return true;
    default: return false;
  }
}

/// The code as instructions, and which descriptors it names.
struct Code {
  std::vector<Instruction> words;
  std::vector<bool> named;         ///< of each descriptor
  std::vector<bool> named_by_mad;  ///< of each descriptor
};

Result<Code> decode_all(const Program& program) {
  Code code;
  code.words.reserve(program.code.size());
  code.named.resize(program.descriptors.size());
  code.named_by_mad.resize(program.descriptors.size());
  for (const std::uint32_t word : program.code) {
    const Instruction& i = code.words.emplace_back(decode(word));
    if (!has_descriptor(format_of(i.opcode))) continue;
    if (i.descriptor >= program.descriptors.size())
      return Error{ErrorCode::missing, 0, "code[" + std::to_string(code.words.size() - 1) + ']',
                   "names descriptor " + std::to_string(i.descriptor) + ", the file has " + std::to_string(program.descriptors.size())};
    code.named[i.descriptor] = true;
    if (is_mad(i.opcode)) code.named_by_mad[i.descriptor] = true;
  }
  return code;
}

struct MergedDescriptor {
  Descriptor value;
  bool named = false;
  bool named_by_mad = false;
  std::uint32_t at = kNone;  ///< its number in the end
};

/// Puts what mad names in front where it would lie out of reach, and leaves out what nobody names where there are too many.
Result<void> number(std::vector<MergedDescriptor>& merged) {
  std::vector<MergedDescriptor*> order;
  for (auto& entry : merged) order.push_back(&entry);
  if (order.size() > kDescriptors) std::erase_if(order, [](const MergedDescriptor* d) { return !d->named; });
  if (order.size() > kDescriptors)
    return Error{ErrorCode::limit, 0, "descriptors",
                 "the files name " + std::to_string(order.size()) + " operand descriptors, there is room for 128"};
  const auto out_of_reach = [&] {
    for (std::size_t i = kShortDescriptors; i < order.size(); ++i)
      if (order[i]->named_by_mad) return true;
    return false;
  };
  if (out_of_reach()) {
    // those of mad that lie too high trade places with the last below 32 that no mad names: the others keep their numbers
    std::size_t low = kShortDescriptors;
    for (std::size_t i = kShortDescriptors; i < order.size(); ++i) {
      if (!order[i]->named_by_mad) continue;
      while (low > 0 && order[low - 1]->named_by_mad) --low;
      if (low == 0) return Error{ErrorCode::limit, 0, "descriptors", "mad names more than 32 operand descriptors"};
      std::swap(order[i], order[--low]);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) order[i]->at = static_cast<std::uint32_t>(i);
  return {};
}

/// Where the words and descriptors of one file have gone.
struct Moved {
  Code code;
  std::vector<std::uint32_t> descriptors;  ///< index into the merged ones
  std::uint32_t base = 0;                  ///< words
  bool repeats = false;                    ///< an earlier file has the same code
};

void append_lines(Program& to, const Program& from, std::size_t words_before) {
  if (from.lines.empty() && to.lines.empty()) return;
  const std::uint32_t nameless = add_text(to.file_names, "");
  while (to.lines.size() < words_before) to.lines.items.push_back({nameless, 0});
  for (std::size_t i = 0; i < from.code.size(); ++i) {
    if (i < from.lines.size()) {
      to.lines.items.push_back({add_text(to.file_names, from.file_name(from.lines[i])), from.lines[i].number});
    } else {
      to.lines.items.push_back({nameless, 0});
    }
  }
}

Executable moved(const Executable& executable, std::uint32_t base) {
  Executable out = executable;
  out.entry_words += base;
  out.end_words += base;
  for (Label& label : out.labels) label.address_words += base;
  return out;
}

}  // namespace

Result<Shbin> link(std::span<const Shbin> files) {
  std::vector<MergedDescriptor> merged;
  std::vector<Moved> moves;
  std::size_t words = 0;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const Program& program = files[f].program;
    auto code = decode_all(program);
    if (!code) return std::move(code.error()).within("files[" + std::to_string(f) + ']');
    Moved move{std::move(*code), {}, 0, false};
    for (std::size_t d = 0; d < program.descriptors.size(); ++d) {
      auto found = std::find_if(merged.begin(), merged.end(), [&](const MergedDescriptor& m) { return m.value == program.descriptors[d]; });
      if (found == merged.end()) {
        if (!move.code.named[d] && merged.size() >= kDescriptors) {
          move.descriptors.push_back(kNone);
          continue;
        }
        if (merged.size() >= kProgramWords) return Error{ErrorCode::limit, 0, "descriptors", "the files have too many operand descriptors"};
        found = merged.insert(merged.end(), MergedDescriptor{program.descriptors[d]});
      }
      found->named = found->named || move.code.named[d];
      found->named_by_mad = found->named_by_mad || move.code.named_by_mad[d];
      move.descriptors.push_back(static_cast<std::uint32_t>(found - merged.begin()));
    }
    for (std::size_t earlier = 0; earlier < f && !move.repeats; ++earlier) {
      if (files[earlier].program.code.items != program.code.items || moves[earlier].descriptors != move.descriptors) continue;
      move.repeats = true;
      move.base = moves[earlier].base;
    }
    if (!move.repeats) {
      move.base = static_cast<std::uint32_t>(words);
      words += program.code.size();
      if (words > kProgramWords)
        return Error{ErrorCode::limit, 0, "code",
                     "the files have " + std::to_string(words) + " words, addresses reach " + std::to_string(kProgramWords)};
    }
    moves.push_back(std::move(move));
  }
  if (const auto numbered = number(merged); !numbered) return numbered.error();

  Shbin out;
  if (!files.empty()) out.program.version = files[0].program.version;
  std::size_t kept = 0;
  for (const auto& entry : merged) kept += entry.at != kNone ? 1 : 0;
  out.program.descriptors.items.resize(kept);
  for (const auto& entry : merged)
    if (entry.at != kNone) out.program.descriptors[entry.at] = entry.value;
  for (std::size_t f = 0; f < files.size(); ++f) {
    Moved& move = moves[f];
    if (!move.repeats) {
      append_lines(out.program, files[f].program, out.program.code.size());
      for (Instruction& i : move.code.words) {
        if (has_address(i)) i.target = static_cast<std::uint16_t>((i.target + move.base) & (kProgramWords - 1));
        if (has_descriptor(format_of(i.opcode))) i.descriptor = static_cast<std::uint8_t>(merged[move.descriptors[i.descriptor]].at);
        out.program.code.items.push_back(encode(i));
      }
    }
    for (const Executable& executable : files[f].executables) out.executables.push_back(moved(executable, move.base));
  }
  return out;
}

Shbin from_object(const Object& object) {
  Shbin out;
  out.program.version = object.version;
  out.program.code = object.code;
  out.program.descriptors = object.descriptors;
  for (const Line& line : object.lines) {
    std::string_view text;
    if (line.file < object.symbols.size()) {
      const char* from = object.symbols.items.data() + line.file;
      const char* end = object.symbols.items.data() + object.symbols.size();
      text = {from, static_cast<std::size_t>(std::find(from, end, '\0') - from)};
    }
    out.program.lines.items.push_back({add_text(out.program.file_names, text), line.number});
  }
  Executable executable;
  static_cast<Tables&>(executable) = object;
  executable.version = object.version;
  executable.stage = object.stage;
  executable.flags = object.flags;
  executable.input_mask = object.input_mask;
  executable.output_mask = object.output_mask;
  executable.end_words = static_cast<std::uint32_t>(object.code.size());
  out.executables.push_back(std::move(executable));
  return out;
}

Result<Shbin> take_executable(const Shbin& file, std::size_t index) {
  if (index >= file.executables.size())
    return Error{ErrorCode::missing, 0, "executables", "the file has " + std::to_string(file.executables.size()) + " executables"};
  const Executable& executable = file.executables[index];
  auto decoded = decode_all(file.program);
  if (!decoded) return std::move(decoded.error());
  const auto size = static_cast<std::uint32_t>(decoded->words.size());

  if (size > kProgramWords)
    return Error{ErrorCode::limit, 0, "code",
                 "the file has " + std::to_string(size) + " words, addresses reach " + std::to_string(kProgramWords)};

  // what can be reached: stretches that are walked word by word
  std::vector<bool> reached(size);
  std::vector<bool> walked(size);  // by a stretch that is open
  struct Stretch {
    std::uint32_t start;
    std::uint32_t end;
    bool is_open;  ///< goes on to the first END
  };
  std::vector<Stretch> work;
  const bool has_end = executable.end_words > executable.entry_words && executable.end_words <= size;
  work.push_back({executable.entry_words, has_end ? executable.end_words : size, !has_end});
  while (!work.empty()) {
    const Stretch stretch = work.back();
    work.pop_back();
    for (std::uint32_t at = stretch.start; at < std::min(stretch.end, size); ++at) {
      if (stretch.is_open) {
        if (walked[at]) break;
        walked[at] = true;
      }
      const Instruction& i = decoded->words[at];
      const bool is_new = !reached[at];
      reached[at] = true;
      if (is_new && has_address(i)) {
        const std::uint32_t target = i.target;
        switch (info(i.opcode).flow) {
          case Flow::call: work.push_back({target, target + i.count, false}); break;
          case Flow::jump: work.push_back({target, size, true}); break;
          default:
            // of a block the parts may lie elsewhere: both are kept
            if (i.opcode != Opcode::for_) work.push_back({target, target + i.count, false});
            if (target > at) work.push_back({at + 1, std::min(target + (i.opcode == Opcode::for_ ? 1 : 0), size), false});
        }
      }
      if (stretch.is_open && i.opcode == Opcode::end) break;
    }
  }

  std::vector<std::uint32_t> address(size + 1, 0);
  for (std::uint32_t at = 0; at < size; ++at) address[at + 1] = address[at] + (reached[at] ? 1 : 0);
  const auto move = [&](std::uint32_t at) { return at <= size ? address[at] : at; };
  std::vector<std::uint32_t> descriptors(file.program.descriptors.size(), kNone);
  for (std::uint32_t at = 0; at < size; ++at)
    if (reached[at] && has_descriptor(format_of(decoded->words[at].opcode))) descriptors[decoded->words[at].descriptor] = 0;

  Shbin out;
  out.program.version = file.program.version;
  for (std::size_t d = 0; d < descriptors.size(); ++d) {
    if (descriptors[d] == kNone) continue;
    descriptors[d] = static_cast<std::uint32_t>(out.program.descriptors.size());
    out.program.descriptors.items.push_back(file.program.descriptors[d]);
  }
  for (std::uint32_t at = 0; at < size; ++at) {
    if (!reached[at]) continue;
    Instruction i = decoded->words[at];
    if (has_address(i)) {
      // `for` names the last word of its body, everything else the first behind
      const std::uint32_t target = i.opcode == Opcode::for_ && i.target < size ? move(std::uint32_t{i.target} + 1) - 1 : move(i.target);
      i.target = static_cast<std::uint16_t>(target & (kProgramWords - 1));
    }
    if (has_descriptor(format_of(i.opcode))) i.descriptor = static_cast<std::uint8_t>(descriptors[i.descriptor]);
    out.program.code.items.push_back(encode(i));
    if (at < file.program.lines.size()) {
      const Line& line = file.program.lines[at];
      out.program.lines.items.push_back({add_text(out.program.file_names, file.program.file_name(line)), line.number});
    }
  }
  Executable taken = executable;
  taken.entry_words = move(taken.entry_words);
  taken.end_words = move(taken.end_words);
  std::erase_if(taken.labels.items, [&](const Label& label) { return label.address_words < size && !reached[label.address_words]; });
  for (Label& label : taken.labels) label.address_words = move(label.address_words);
  out.executables.push_back(std::move(taken));
  return out;
}

}  // namespace unshade::pica
