#include <unshade/pica/link.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/usage.hpp>

#include "pica/descriptor_care.hpp"
#include "pica/text_adder.hpp"
#include "pica/word.hpp"

namespace unshade::pica {

namespace {

constexpr std::uint32_t kNone = 0xffff'ffff;

bool is_mad(Opcode opcode) { return opcode == Opcode::mad || opcode == Opcode::madi; }

/// The code as instructions, all of whose descriptors are there.
struct Code {
  std::vector<Instruction> words;
};

Result<Code> decode_all(const Program& program) {
  Code code;
  code.words.reserve(program.code.size());
  for (const std::uint32_t word : program.code) {
    const Instruction& i = code.words.emplace_back(decode(word));
    if (!has_descriptor(format_of(i.opcode))) continue;
    if (i.descriptor >= program.descriptors.size())
      return Error{
          ErrorCode::missing, 0, "code[" + std::to_string(code.words.size() - 1) + ']',
          "uses descriptor " + std::to_string(i.descriptor) + ", but the file has only " + std::to_string(program.descriptors.size())};
  }
  return code;
}

/// Bits of a word that stand for a place: of its descriptor, or in the code. The rest is compared as it is.
std::uint32_t without_places(std::uint32_t word, const Instruction& i) {
  const Format format = format_of(i.opcode);
  if (info(i.opcode).has_target()) return word::kTarget.put(word, 0);
  if (!has_descriptor(format)) return word;
  return (is_mad(i.opcode) ? word::kMadDescriptor : word::kDescriptor).put(word, 0);
}

/// The bits of a descriptor that an instruction depends on, and the one whose meaning nobody knows.
std::uint32_t care_of(const Instruction& i, const Descriptor& descriptor) {
  constexpr std::uint32_t kUnknown = 1U << 31;
  return descriptor_care(is_mad(i.opcode) ? Opcode::mad : is_inverted(i.opcode) ? twin(i.opcode) : i.opcode, descriptor.bits) | kUnknown;
}

/// A stretch of a file's code: a procedure, the program of an executable, or what lies between them.
struct Range {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  bool may_be_shared = true;
  bool is_decided = false;
  bool is_shared = false;
  std::uint32_t at = 0;  ///< where it is in the linked code

  std::uint32_t size() const { return end - start; }
};

/// The range that an address lies in. They cover all code, one after the other.
const Range& range_at(const std::vector<Range>& ranges, std::uint32_t address) {
  const auto next = std::upper_bound(ranges.begin(), ranges.end(), address, [](std::uint32_t a, const Range& r) { return a < r.start; });
  return next == ranges.begin() ? *next : next[-1];
}

/// The ranges of a file's code, if they can be moved apart: none overlaps another, and control goes from one to another by calls of
/// whole ranges alone. Else one range, of all code.
std::vector<Range> ranges_of(const Shbin& file, const Code& code) {
  const auto size = static_cast<std::uint32_t>(code.words.size());
  const std::vector<Range> whole{{0, size, false}};
  std::vector<Range> found;
  for (const Instruction& i : code.words) {
    if (info(i.opcode).flow != Flow::call) continue;
    if (i.count == 0 || i.target >= size || i.count > size - i.target) return whole;
    found.push_back({i.target, i.end()});
  }
  for (const Executable& e : file.executables) {
    if (e.entry_words >= e.end_words || e.end_words > size) return whole;
    // what does not stop goes on into what follows
    if (info(code.words[e.end_words - 1].opcode).flow != Flow::stop) return whole;
    found.push_back({e.entry_words, e.end_words});
  }
  std::sort(found.begin(), found.end(),
            [](const Range& a, const Range& b) { return a.start != b.start ? a.start < b.start : a.end < b.end; });
  std::vector<Range> ranges;
  std::uint32_t at = 0;
  for (const Range& range : found) {
    if (!ranges.empty() && ranges.back().start == range.start && ranges.back().end == range.end) continue;
    if (range.start < at) return whole;
    if (range.start > at) ranges.push_back({at, range.start, false});
    ranges.push_back(range);
    at = range.end;
  }
  if (at < size) ranges.push_back({at, size, false});
  for (const Range& range : ranges) {
    for (std::uint32_t k = range.start; k < range.end; ++k) {
      const Instruction& i = code.words[k];
      const OpcodeInfo& row = info(i.opcode);
      if (!row.has_target() || row.flow == Flow::call) continue;
      const std::uint32_t last = row.opens_block() ? i.end() : i.target;
      if (i.target < range.start || last >= range.end) return whole;
    }
  }
  return ranges;
}

class Linker {
 public:
  Result<void> add(const Shbin& file, std::size_t number);
  Result<Shbin> finish();

 private:
  /// A word of the linked code. Its instruction has its address already; its descriptor is the number of an entry.
  struct Word {
    Instruction instruction;
    std::uint32_t rest = 0;  ///< without_places
    std::uint32_t entry = kNone;
  };
  struct Entry {
    Descriptor value;
    std::uint32_t care = 0;  ///< bits that some word depends on; 0: nobody names it
    bool is_of_mad = false;
    std::uint32_t at = 0;  ///< its number in the end
  };

  bool is_same(const Word& word, const Shbin& file, const Instruction& i, std::uint32_t rest, std::uint32_t target) const;
  bool is_at(std::uint32_t place, const Shbin& file, const Code& code, const std::vector<std::uint32_t>& rests,
             const std::vector<Range>& ranges, const Range& range) const;
  void share(const Shbin& file, const Code& code, const std::vector<std::uint32_t>& rests, std::vector<Range>& ranges) const;
  Result<std::uint32_t> entry_of(const Instruction& i, const Descriptor& descriptor);
  void append_lines(const Program& from, const std::vector<Range>& ranges);
  void pad_lines();
  void number();

  std::vector<Word> words_;
  std::vector<Entry> entries_;
  std::size_t of_mad_ = 0;
  Shbin out_;
  TextAdder file_names_{out_.program.file_names};
};

/// Where an address of a file has gone, as a word in `own` means it.
std::uint32_t moved(std::uint32_t address, const std::vector<Range>& ranges, const Range& own) {
  const bool is_inside = address >= own.start && address <= own.end;
  const Range& range = is_inside ? own : range_at(ranges, address);
  return range.at + (address - range.start);
}

bool Linker::is_same(const Word& word, const Shbin& file, const Instruction& i, std::uint32_t rest, std::uint32_t target) const {
  if (word.rest != rest) return false;
  if (info(i.opcode).has_target()) return word.instruction.target == target;
  if (!has_descriptor(format_of(i.opcode))) return true;
  const Descriptor& descriptor = file.program.descriptors[i.descriptor];
  const Entry& entry = entries_[word.entry];
  return entry.value.used == descriptor.used && ((entry.value.bits ^ descriptor.bits) & care_of(i, descriptor)) == 0;
}

/// Whether the linked code has the words of a range at a place.
bool Linker::is_at(std::uint32_t place, const Shbin& file, const Code& code, const std::vector<std::uint32_t>& rests,
                   const std::vector<Range>& ranges, const Range& range) const {
  for (std::uint32_t k = 0; k < range.size(); ++k) {
    const Instruction& i = code.words[range.start + k];
    const bool leads_elsewhere = info(i.opcode).flow == Flow::call && ranges.size() > 1;
    const std::uint32_t target = leads_elsewhere ? range_at(ranges, i.target).at : place + (i.target - range.start);
    if (!is_same(words_[place + k], file, i, rests[range.start + k], target & (kProgramWords - 1))) return false;
  }
  return true;
}

/// Finds the ranges that the linked code has already: those first whose calls lead to such ranges alone.
void Linker::share(const Shbin& file, const Code& code, const std::vector<std::uint32_t>& rests, std::vector<Range>& ranges) const {
  const auto search = [&](Range& range, const std::vector<Range>& all) {
    if (range.size() == 0 || range.size() > words_.size()) return;
    for (std::uint32_t place = 0; place + range.size() <= words_.size() && !range.is_shared; ++place) {
      if (words_[place].rest != rests[range.start] || !is_at(place, file, code, rests, all, range)) continue;
      range.is_shared = true;
      range.at = place;
    }
  };
  // all of it at one place
  std::vector<Range> whole{{0, static_cast<std::uint32_t>(code.words.size())}};
  search(whole[0], whole);
  if (whole[0].is_shared) {
    for (Range& range : ranges) {
      range.is_shared = true;
      range.at = whole[0].at + range.start;
    }
    return;
  }
  for (bool any = true; any;) {
    any = false;
    for (Range& range : ranges) {
      if (range.is_decided || !range.may_be_shared) continue;
      bool is_ready = true;
      bool may_be = true;
      for (std::uint32_t k = range.start; k < range.end; ++k) {
        if (info(code.words[k].opcode).flow != Flow::call) continue;
        const Range& callee = range_at(ranges, code.words[k].target);
        is_ready = is_ready && callee.is_decided;
        may_be = may_be && (!callee.is_decided || callee.is_shared);
      }
      if (may_be && !is_ready) continue;
      range.is_decided = any = true;
      if (may_be) search(range, ranges);
    }
  }
}

/// As picasso shares descriptors between sources: the first that agrees in the bits that both are depended on for.
Result<std::uint32_t> Linker::entry_of(const Instruction& i, const Descriptor& descriptor) {
  const std::uint32_t care = care_of(i, descriptor);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.care == 0 || (e.value.used == descriptor.used && ((e.value.bits ^ descriptor.bits) & care & e.care) == 0);
  });
  if (found == entries_.end() && entries_.size() >= kDescriptors)
    return Error{ErrorCode::limit, 0, "descriptor", "the files need more than 128 operand descriptors"};
  Entry& entry = found == entries_.end() ? entries_.emplace_back() : *found;
  if (entry.care == 0) {
    entry.value = descriptor;
  } else {
    entry.value.bits = (entry.value.bits & ~care) | (descriptor.bits & care);
  }
  entry.care |= care;
  if (is_mad(i.opcode) && !entry.is_of_mad) {
    if (of_mad_ == kShortDescriptors) return Error{ErrorCode::limit, 0, "descriptor", "mad needs more than 32 operand descriptors"};
    entry.is_of_mad = true;
    ++of_mad_;
  }
  return static_cast<std::uint32_t>(&entry - entries_.data());
}

/// Lines of the words that are about to be added: those of ranges that are not shared.
void Linker::append_lines(const Program& from, const std::vector<Range>& ranges) {
  if (from.lines.empty() && out_.program.lines.empty()) return;
  std::vector<Line> lines;
  for (const Range& range : ranges) {
    if (range.is_shared) continue;
    for (std::uint32_t k = range.start; k < range.end; ++k) lines.push_back(k < from.lines.size() ? from.lines[k] : Line{kNone, 0});
  }
  pad_lines();
  file_names_.take(from.file_names, lines);
  out_.program.lines.items.insert(out_.program.lines.items.end(), lines.begin(), lines.end());
}

/// A line for each word, without a name.
void Linker::pad_lines() {
  const std::uint32_t nameless = file_names_.add("");
  while (out_.program.lines.size() < words_.size()) out_.program.lines.items.push_back({nameless, 0});
}

Result<void> Linker::add(const Shbin& file, std::size_t number) {
  const auto in_file = [number](Error error) { return std::move(error).within("files[" + std::to_string(number) + ']'); };
  auto decoded = decode_all(file.program);
  if (!decoded) return in_file(std::move(decoded.error()));
  const Code& code = *decoded;
  const bool is_first = words_.empty() && out_.executables.empty();
  if (is_first) out_.program.version = file.program.version;
  // the first file keeps its descriptors, and their numbers
  const bool keeps = is_first && entries_.empty() && file.program.descriptors.size() <= kDescriptors;
  if (keeps)
    for (const Descriptor& descriptor : file.program.descriptors) entries_.push_back({descriptor});

  std::vector<std::uint32_t> rests;
  rests.reserve(code.words.size());
  for (std::size_t k = 0; k < code.words.size(); ++k) rests.push_back(without_places(file.program.code[k], code.words[k]));
  std::vector<Range> ranges = ranges_of(file, code);
  share(file, code, rests, ranges);
  auto at = static_cast<std::uint32_t>(words_.size());
  for (Range& range : ranges) {
    if (range.is_shared) continue;
    range.at = at;
    at += range.size();
  }
  if (at > kProgramWords)
    return in_file(
        {ErrorCode::limit, 0, "code",
         "the linked program would have " + std::to_string(at) + " words, but must have at most " + std::to_string(kProgramWords)});

  append_lines(file.program, ranges);
  for (const Range& range : ranges) {
    if (range.is_shared) continue;
    for (std::uint32_t k = range.start; k < range.end; ++k) {
      Word word{code.words[k], rests[k]};
      Instruction& i = word.instruction;
      if (info(i.opcode).has_target()) i.target = static_cast<std::uint16_t>(moved(i.target, ranges, range) & (kProgramWords - 1));
      if (has_descriptor(format_of(i.opcode))) {
        const Descriptor& descriptor = file.program.descriptors[i.descriptor];
        if (keeps) {
          Entry& entry = entries_[i.descriptor];
          entry.care |= care_of(i, descriptor);
          if (is_mad(i.opcode) && !entry.is_of_mad) entry.is_of_mad = ++of_mad_ != 0;
          word.entry = i.descriptor;
        } else {
          auto entry = entry_of(i, descriptor);
          if (!entry) return in_file(std::move(entry.error()).within("code[" + std::to_string(k) + ']'));
          word.entry = *entry;
        }
      }
      words_.push_back(word);
    }
  }
  for (const Executable& executable : file.executables) {
    Executable& out = out_.executables.emplace_back(executable);
    const std::uint32_t size = static_cast<std::uint32_t>(code.words.size());
    const auto place = [&](std::uint32_t address) {
      if (ranges.empty()) return address + at;
      return address < size ? moved(address, ranges, range_at(ranges, address)) : ranges.back().at + (address - ranges.back().start);
    };
    out.entry_words = place(executable.entry_words);
    // the end belongs to what begins with the entry
    out.end_words = out.entry_words + (executable.end_words - executable.entry_words);
    for (Label& label : out.labels) label.address_words = place(label.address_words);
  }
  return {};
}

/// Puts what mad names in front if it would lie out of reach: those that lie too high trade places with the last below 32 that no mad
/// names; the others keep their numbers.
void Linker::number() {
  std::vector<Entry*> order;
  for (Entry& entry : entries_) order.push_back(&entry);
  std::size_t low = kShortDescriptors;
  for (std::size_t i = kShortDescriptors; i < order.size(); ++i) {
    if (!order[i]->is_of_mad) continue;
    while (low > 0 && order[low - 1]->is_of_mad) --low;
    if (low == 0) break;  // there are 32 at most
    std::swap(order[i], order[--low]);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i]->at = static_cast<std::uint32_t>(i);
    out_.program.descriptors.items.push_back(order[i]->value);
  }
}

Result<Shbin> Linker::finish() {
  number();
  for (Word& word : words_) {
    if (word.entry != kNone) word.instruction.descriptor = static_cast<std::uint8_t>(entries_[word.entry].at);
    out_.program.code.items.push_back(encode(word.instruction));
  }
  if (!out_.program.lines.empty()) pad_lines();
  return std::move(out_);
}

}  // namespace

Result<Shbin> link(std::span<const Shbin> files) {
  Linker linker;
  for (std::size_t f = 0; f < files.size(); ++f)
    if (auto added = linker.add(files[f], f); !added) return std::move(added.error());
  return linker.finish();
}

Shbin from_object(const Object& object) {
  Shbin out;
  out.program.version = object.version;
  out.program.code = object.code;
  out.program.descriptors = object.descriptors;
  out.program.lines.items = object.lines.items;
  TextAdder(out.program.file_names).take(object.symbols, out.program.lines.items);
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
    return Error{ErrorCode::missing, 0, "executables",
                 "no executable " + std::to_string(index) + ": the file has only " + std::to_string(file.executables.size())};
  const Executable& executable = file.executables[index];
  auto decoded = decode_all(file.program);
  if (!decoded) return std::move(decoded.error());
  const auto size = static_cast<std::uint32_t>(decoded->words.size());

  if (size > kProgramWords)
    return Error{ErrorCode::limit, 0, "code",
                 "the program has " + std::to_string(size) + " words, but must have at most " + std::to_string(kProgramWords)};

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
  // main may run into what follows it: nothing says that it stops before its end
  const Usage usage = usage_of(file.program.code.items, file.program.descriptors.items, executable.entry_words);
  for (std::uint32_t at = 0; at < size; ++at)
    if (usage.reached[at]) work.push_back({at, at + 1, false});
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
      if (is_new && info(i.opcode).has_target()) {
        const std::uint32_t target = i.target;
        switch (info(i.opcode).flow) {
          case Flow::call: work.push_back({target, i.end(), false}); break;
          case Flow::jump: work.push_back({target, size, true}); break;
          default:
            // of a block the parts may lie elsewhere: both are kept
            work.push_back({i.block_end(), i.whole_block_end(), false});
            if (target > at) work.push_back({at + 1, std::min(i.block_end(), size), false});
        }
      }
      if (stretch.is_open && info(i.opcode).flow == Flow::stop) break;
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
    if (info(i.opcode).has_target()) {
      // a loop names the last word of its body, everything else the first after
      const bool names_last = info(i.opcode).flow == Flow::loop && i.target < size;
      const std::uint32_t target = names_last ? move(i.block_end()) - 1 : move(i.target);
      i.target = static_cast<std::uint16_t>(target & (kProgramWords - 1));
    }
    if (has_descriptor(format_of(i.opcode))) i.descriptor = static_cast<std::uint8_t>(descriptors[i.descriptor]);
    out.program.code.items.push_back(encode(i));
    if (at < file.program.lines.size()) out.program.lines.items.push_back(file.program.lines[at]);
  }
  TextAdder(out.program.file_names).take(file.program.file_names, out.program.lines.items);
  Executable taken = executable;
  taken.entry_words = move(taken.entry_words);
  taken.end_words = move(taken.end_words);
  std::erase_if(taken.labels.items, [&](const Label& label) { return label.address_words < size && !reached[label.address_words]; });
  for (Label& label : taken.labels) label.address_words = move(label.address_words);
  out.executables.push_back(std::move(taken));
  return out;
}

}  // namespace unshade::pica
