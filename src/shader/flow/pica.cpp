// Procedures of a SHBIN, as its listing has them.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/link.hpp>
#include <unshade/pica/segments.hpp>
#include <unshade/pica/shbin.hpp>

#include "shader/flow/flow.hpp"

namespace unshade::shader::flow {

namespace {

constexpr std::uint32_t kNone = 0xffff'ffff;

/// A block that an instruction opens, from the word after it to `end`.
struct Construct {
  std::uint32_t parent = kNone;
  std::uint32_t at = 0;       ///< of the instruction
  std::uint32_t else_at = 0;  ///< of a branch, where its first part ends; `end` if there is no other
  std::uint32_t end = 0;
  bool is_loop = false;
};

struct Exit {
  std::uint32_t to = kNone;  ///< kNone: the procedure ends
  FlowKind kind = FlowKind::next;
};

class Procedure {
 public:
  Procedure(std::span<const pica::Instruction> words, const pica::Segment& segment) : words_(words), segment_(segment) {
    const std::uint32_t count = segment.end - segment.start;
    around_.resize(count, kNone);
    opened_.resize(count, kNone);
    std::uint32_t open = kNone;
    for (std::uint32_t at = segment.start; at < segment.end; ++at) {
      while (open != kNone && constructs_[open].end <= at) open = constructs_[open].parent;
      around_[at - segment.start] = open;
      if (pica::info(words_[at].opcode).opens_block() && opens(at, open))
        opened_[at - segment.start] = open = static_cast<std::uint32_t>(constructs_.size() - 1);
    }
  }

  /// Adds the function; `lines_of(block, first, last)` fills in a block of words.
  template <class Place>
  void add(Flow& flow, Place place) {
    FlowFunction& made = flow.functions.emplace_back();
    made.name = segment_.name;
    const std::uint32_t count = segment_.end - segment_.start;
    std::vector<std::vector<Exit>> exits(count);
    std::vector<bool> leads(count, false);
    leads[0] = true;
    for (std::uint32_t k = 0; k < count; ++k) {
      exits[k] = exits_of(segment_.start + k);
      const bool goes_on = exits[k].size() == 1 && exits[k][0].to == segment_.start + k + 1 && exits[k][0].kind == FlowKind::next;
      if (!goes_on && k + 1 < count) leads[k + 1] = true;
      for (const Exit& exit : exits[k])
        if (is_inside(exit.to) && !goes_on) leads[exit.to - segment_.start] = true;
    }
    std::vector<std::uint32_t> block_of(count);
    for (std::uint32_t k = 0, block = 0; k < count; ++k) block_of[k] = leads[k] && k != 0 ? ++block : block;
    made.blocks.resize(block_of.back() + std::size_t{1});
    for (std::uint32_t k = 0; k < count;) {
      std::uint32_t last = k;
      while (last + 1 < count && !leads[last + 1]) ++last;
      const std::uint32_t block = block_of[k];
      made.blocks[block].instructions = last - k + 1;
      place(made.blocks[block], segment_.start + k, segment_.start + last);
      add_edges(made, block, exits[last], block_of);
      k = last + 1;
    }
  }

 private:
  bool is_inside(std::uint32_t at) const { return at >= segment_.start && at < segment_.end; }

  /// Whether a branch or loop opens a block that nests into those around it; such is added.
  bool opens(std::uint32_t at, std::uint32_t parent) {
    const pica::Instruction& i = words_[at];
    const bool is_loop = pica::info(i.opcode).flow == pica::Flow::loop;
    std::uint32_t limit = segment_.end;
    if (parent != kNone) limit = at < constructs_[parent].else_at ? constructs_[parent].else_at : constructs_[parent].end;
    const std::uint32_t end = i.whole_block_end();
    if ((is_loop && i.count != 0) || end <= at + 1 || end > limit || i.target < at + (is_loop ? 0U : 1U)) return false;
    constructs_.push_back({parent, at, is_loop || i.count == 0 ? end : i.target, end, is_loop});
    return true;
  }

  /// Where code goes that comes to `to` from inside of a construct; `is_first`: from the first part of a branch.
  void resolve(std::uint32_t construct, std::uint32_t from, std::uint32_t to, FlowKind kind, std::vector<Exit>& exits) const {
    for (;; construct = constructs_[construct].parent) {
      if (construct == kNone) {
        exits.push_back({is_inside(to) ? to : to == segment_.end ? kNone : to, kind});
        return;
      }
      const Construct& c = constructs_[construct];
      if (to == c.else_at && from < c.else_at && c.else_at != c.end) {
        to = c.end;
      } else if (to != c.end) {
        exits.push_back({to, kind});
        return;
      } else if (c.is_loop) {
        exits.push_back({c.at + 1, FlowKind::taken});
        kind = FlowKind::not_taken;
      }
      from = c.at;
    }
  }

  std::vector<Exit> exits_of(std::uint32_t at) const {
    const pica::Instruction& i = words_[at];
    const pica::OpcodeInfo& row = pica::info(i.opcode);
    const std::uint32_t around = around_[at - segment_.start];
    std::vector<Exit> exits;
    switch (row.flow) {
      case pica::Flow::stop: exits.push_back({kNone, FlowKind::next}); return exits;
      case pica::Flow::jump:
        exits.push_back({i.target, FlowKind::taken});
        resolve(around, at, at + 1, FlowKind::not_taken, exits);
        return exits;
      case pica::Flow::leave: {
        std::uint32_t loop = around;
        while (loop != kNone && !constructs_[loop].is_loop) loop = constructs_[loop].parent;
        const bool is_conditional = row.is_conditional();
        const FlowKind kind = is_conditional ? FlowKind::taken : FlowKind::next;
        if (loop == kNone)
          exits.push_back({kNone, kind});
        else
          resolve(constructs_[loop].parent, constructs_[loop].at, constructs_[loop].end, kind, exits);
        if (is_conditional) resolve(around, at, at + 1, FlowKind::not_taken, exits);
        return exits;
      }
      case pica::Flow::branch: {
        const std::uint32_t own = opened_[at - segment_.start];
        if (own == kNone) {
          resolve(around, at, at + 1, FlowKind::taken, exits);
          exits.push_back({i.target, FlowKind::not_taken});
          return exits;
        }
        const Construct& c = constructs_[own];
        resolve(own, at, at + 1, FlowKind::taken, exits);
        if (c.else_at != c.end)
          exits.push_back({c.else_at, FlowKind::not_taken});
        else
          resolve(around, at, c.end, FlowKind::not_taken, exits);
        return exits;
      }
      case pica::Flow::loop:
      case pica::Flow::call:
      case pica::Flow::next: resolve(around, at, at + 1, FlowKind::next, exits); return exits;
    }
    return exits;
  }

  void add_edges(FlowFunction& made, std::uint32_t from, const std::vector<Exit>& exits, const std::vector<std::uint32_t>& block_of) const {
    if (exits.size() > 1) made.blocks[from].end = FlowEnd::branch;
    for (const Exit& exit : exits) {
      if (is_inside(exit.to)) {
        made.edges.push_back({from, block_of[exit.to - segment_.start], exit.kind, {}});
        continue;
      }
      const FlowEnd end = exit.to == kNone ? FlowEnd::return_ : FlowEnd::outside;
      if (exits.size() == 1) {
        made.blocks[from].end = end;
        continue;
      }
      FlowBlock& leaves = made.blocks.emplace_back();
      leaves.name = end == FlowEnd::return_ ? "return" : "@" + std::to_string(exit.to);
      leaves.end = end;
      made.edges.push_back({from, static_cast<std::uint32_t>(made.blocks.size() - 1), exit.kind, {}});
    }
  }

  std::span<const pica::Instruction> words_;
  const pica::Segment& segment_;
  std::vector<Construct> constructs_;  ///< by their addresses
  std::vector<std::uint32_t> around_;  ///< the innermost construct that a word is in
  std::vector<std::uint32_t> opened_;  ///< the one that it opens
};

}  // namespace

Result<void> flow_of_pica(const Shader& shader, const Lines& lines, Flow& flow) {
  const auto* const object = std::get_if<pica::Object>(&shader.content);
  const pica::Shbin linked = object != nullptr ? pica::from_object(*object) : pica::Shbin();
  const pica::Shbin& shbin = object != nullptr ? linked : std::get<pica::Shbin>(shader.content);
  std::vector<pica::Instruction> words;
  for (const std::uint32_t word : shbin.program.code) words.push_back(pica::decode(word));
  const pica::Segments segments(shbin, words);
  const auto origins = lines.origins();
  if (words.empty() || origins.size() != words.size()) return {};
  // every word is listed once
  std::vector<std::size_t> origin_of(words.size(), 0);
  const std::uint64_t first = std::ranges::min(origins, {}, &TextOrigin::offset).offset;
  for (std::size_t k = 0; k < origins.size(); ++k) {
    const std::uint64_t word = (origins[k].offset - first) / 4;
    if (word < words.size()) origin_of[word] = k;
  }
  for (const pica::Segment& segment : segments.all()) {
    if (segment.start >= segment.end) continue;
    Procedure(words, segment).add(flow, [&](FlowBlock& block, std::uint32_t begin, std::uint32_t last) {
      const std::size_t origin = origin_of[begin];
      lines.place(block, origin, origin_of[last]);
      // what is in front: labels, .else and .end, .loc, .proc
      const std::uint32_t limit = origin == 0 ? 0 : lines.line_of(origin - 1) + 1;
      std::uint32_t above = 0;
      while (block.line - 1 - above > limit && !lines.line(block.line - 2 - above).empty()) ++above;
      Lines::grow(block, above, 0);
      if (const std::string* const label = segments.label(begin)) block.name = *label;
    });
  }
  return {};
}

}  // namespace unshade::shader::flow
