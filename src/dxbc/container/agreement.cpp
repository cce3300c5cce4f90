#include "dxbc/container/agreement.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/dxbc/container/listing.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>

#include "dxbc/listing/fxc_style.hpp"
#include "dxbc/listing/lines.hpp"
#include "dxbc/listing/words.hpp"
#include "dxbc/program/token.hpp"

namespace unshade::dxbc::container {

using dxcontainer::Container;
using dxcontainer::fourcc;

namespace {

/// The first line of `a` that `b` does not have in the same place; the number of lines if there is none.
std::size_t first_difference(const std::vector<listing::Line>& a, const std::vector<listing::Line>& b) {
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i].text == b[i].text) ++i;
  return i;
}
bool is_same(const std::vector<listing::Line>& a, const std::vector<listing::Line>& b) {
  return a.size() == b.size() && first_difference(a, b) == a.size();
}

/// What a listing says by the habits of the compiler that the file names, then by those of each other, until `f` is content.
template <class List, class F>
bool any_version(List list, F f) {
  for (std::size_t i = 0; i <= std::size(listing::kFxcVersions); ++i) {
    ContainerListingOptions options;
    options.exact_floats = true;
    options.checks = &listing_checks();
    if (i != 0) options.fxc = listing::kFxcVersions[i - 1];
    Text out;
    if (list(out, options) && f(listing::lines_of(out.view()))) return true;
  }
  return false;
}

std::vector<listing::Line> head_of(const Container& container, const listing::ListingTables& tables, const ContainerListingOptions& options,
                                   Text& out) {
  if (!list_container_head(container, tables, out, options)) return {};
  return listing::lines_of(out.view());
}

bool report(assembler::Messages& messages, const char* at, std::string_view who, const std::string* says) {
  std::string sentence(who);
  sentence += says != nullptr ? " has `" + *says + "` here" : " has no entry here";
  return messages.report(MessageKind::disagreement, at, std::move(sentence));
}

constexpr std::string_view kNoPart = "the part is missing: the list of `.part` statements";

std::string bytes_of_part(std::uint32_t part) {
  std::string text = "the part ";
  text += fourcc_text(part);
  return text;
}

// --- tables ------------------------------------------------------------------------------------------------------------------------

/// Tables of which one alone is there.
struct Section {
  listing::ListingTables tables;
  std::initializer_list<std::uint32_t> parts;  ///< that hold it
  bool is_said = true;                         ///< it holds something
};

constexpr std::size_t kSections = 8;
std::array<Section, kSections> sections_of(const listing::ListingTables& tables) {
  std::array<Section, kSections> sections;
  for (Section& section : sections) {
    section.tables.rdef_bytes = tables.rdef_bytes;
    section.tables.stage = tables.stage;
    section.tables.major_version = tables.major_version;
  }
  static constexpr auto kRdef = {fourcc("RDEF")};
  static constexpr auto kFeatureParts = {fourcc("SFI0")};
  static constexpr auto kInputParts = {fourcc("ISG1"), fourcc("ISGN")};
  static constexpr auto kOutputParts = {fourcc("OSG1"), fourcc("OSG5"), fourcc("OSGN")};
  static constexpr auto kPatchParts = {fourcc("PSG1"), fourcc("PCSG")};
  static constexpr auto kLinkageParts = {fourcc("IFCE")};
  auto& [creator, buffers, bindings, features, input, output, patch, linkage] = sections;
  const auto only = [&](Section& section, auto keep) {
    section.parts = kRdef;
    section.is_said = tables.rdef.has_value();
    if (!section.is_said) return;
    Rdef& rdef = section.tables.rdef.emplace(*tables.rdef);
    section.is_said = keep(rdef);
  };
  only(creator, [](Rdef& rdef) {
    rdef.constant_buffers.items.clear();
    rdef.bindings.items.clear();
    return !rdef.creator.text.empty();
  });
  only(buffers, [](Rdef& rdef) {
    rdef.creator.text = {};
    rdef.bindings.items.clear();
    return !rdef.constant_buffers.empty();
  });
  only(bindings, [](Rdef& rdef) {
    rdef.creator.text = {};
    rdef.constant_buffers.items.clear();
    return !rdef.bindings.empty();
  });
  features.parts = kFeatureParts;
  features.tables.features = tables.features;
  features.tables.global_flags = tables.global_flags;
  input.parts = kInputParts;
  input.tables.input = tables.input;
  input.is_said = tables.input.has_value();
  output.parts = kOutputParts;
  output.tables.output = tables.output;
  output.is_said = tables.output.has_value();
  patch.parts = kPatchParts;
  patch.tables.patch_constant = tables.patch_constant;
  patch.is_said = tables.patch_constant.has_value();
  linkage.parts = kLinkageParts;
  linkage.tables.class_linkage = tables.class_linkage;
  linkage.is_said = tables.class_linkage.has_value();
  return sections;
}

}  // namespace

bool gives_head(std::string_view head, const Container& container) {
  const auto tables = listing::read_listing_tables(container);
  if (!tables) return false;
  const auto said = listing::lines_of(head);
  return any_version(
      [&](Text& out, const ContainerListingOptions& options) { return list_container_head(container, *tables, out, options).has_value(); },
      [&](const std::vector<listing::Line>& lines) { return is_same(said, lines); });
}

bool gives_effect(std::string_view listing, const Container& container, assembler::Messages& messages) {
  const auto said = listing::lines_of(listing);
  std::vector<listing::Line> usual;
  const bool gives =
      any_version([&](Text& out, const ContainerListingOptions& options) { return list_container(container, out, options).has_value(); },
                  [&](std::vector<listing::Line> lines) {
                    const bool same = is_same(said, lines);
                    if (usual.empty()) usual = std::move(lines);
                    return same;
                  });
  if (gives || said.empty()) return true;
  const std::size_t i = first_difference(said, usual);
  const char* const at = i < said.size() ? said[i].at : listing.data() + listing.size();
  return report(messages, at, bytes_of_part(fourcc("FX10")), i < usual.size() ? &usual[i].text : nullptr);
}

void compare_head(std::string_view head, const Container& whole, assembler::Messages& messages) {
  const auto said = listing::lines_of(head);
  const auto tables = listing::read_listing_tables(whole);
  if (said.empty() || !tables) return;
  Text out;
  const auto lines = head_of(whole, *tables, {}, out);
  const std::size_t i = first_difference(said, lines);
  if (i < said.size()) report(messages, said[i].at, "the file", i < lines.size() ? &lines[i].text : nullptr);
}

void compare_tables(std::string_view head, const Container& made, const Container& whole, assembler::Messages& messages) {
  const auto mine = listing::read_listing_tables(made);
  const auto theirs = listing::read_listing_tables(whole);
  if (!mine || !theirs) return;
  const auto said = listing::lines_of(head);
  const FxcVersion version = listing::default_fxc_version(*theirs);
  const auto print = [&](const listing::ListingTables& tables) {
    Text out;
    listing::print_listing_tables(out, tables, version);
    return listing::lines_of(out.view());
  };
  const auto mine_by_section = sections_of(*mine);
  const auto theirs_by_section = sections_of(*theirs);
  for (std::size_t s = 0; s < kSections; ++s) {
    if (!mine_by_section[s].is_said) continue;
    const auto from_text = print(mine_by_section[s].tables);
    const auto from_bytes = print(theirs_by_section[s].tables);
    if (is_same(from_text, from_bytes)) continue;
    const std::size_t i = first_difference(from_text, from_bytes);
    const auto* const part = whole.find_any(mine_by_section[s].parts);
    // the row as it is in the text; if it is not there, the text itself
    auto row = said.end();
    if (i < from_text.size()) row = std::ranges::find(said, from_text[i].text, &listing::Line::text);
    if (row == said.end() && i < from_bytes.size() && i != 0) row = std::ranges::find(said, from_text[i - 1].text, &listing::Line::text);
    const char* const at = row == said.end() ? head.data() : row->at;
    if (part == nullptr) {
      report(messages, at, kNoPart, nullptr);
    } else {
      report(messages, at, bytes_of_part(part->fourcc), i < from_bytes.size() ? &from_bytes[i].text : nullptr);
    }
  }
}

void compare_level9(std::string_view head, const Container& whole, bool lists_parts, assembler::Messages& messages) {
  const auto said = listing::lines_of(head);
  const bool has_part = std::ranges::any_of(whole.parts, [](const auto& part) { return is_level9(part.fourcc); });
  if (!has_part) {
    if (said.empty()) return;
    if (lists_parts)
      report(messages, said.back().at, kNoPart, nullptr);
    else
      messages.report(MessageKind::level9_left_out, said.back().at, "no part is made of this level 9 code");
    return;
  }
  Text out;
  const auto lines = head_of(whole, {}, {}, out);
  if (lines.empty() && !said.empty()) {
    messages.report(MessageKind::disagreement, said.back().at, "the level 9 code cannot be compared with its part, which is unreadable");
    return;
  }
  // the block ends where the program begins; the tables are above it
  for (std::size_t i = 1; i <= said.size() && i <= lines.size(); ++i) {
    const listing::Line& mine = said[said.size() - i];
    const listing::Line& theirs = lines[lines.size() - i];
    if (mine.text == theirs.text) continue;
    if (theirs.text.starts_with(listing::words::kGenerated)) return;  // the head of the listing
    report(messages, mine.at, "the part with level 9 code", &theirs.text);
    return;
  }
}

void compare_statistics(const assembler::SourceTables& tables, const Statistics* statistics, bool exact_count,
                        assembler::Messages& messages) {
  constexpr std::string_view kWho = "STAT";
  if (exact_count && tables.slots_at != nullptr &&
      tables.instruction_slots != (statistics != nullptr ? statistics->instruction_count : 0)) {
    const std::string count = std::to_string(statistics != nullptr ? statistics->instruction_count : 0);
    report(messages, tables.slots_at, kWho, &count);
  }
  if (tables.sample_frequency_at != nullptr && (statistics == nullptr || statistics->sample_frequency == 0))
    report(messages, tables.sample_frequency_at, kWho, nullptr);
  if (tables.domain_row.empty() && tables.output_row.empty()) return;
  listing::ListingTables listed;
  if (statistics != nullptr) listed.statistics = *statistics;
  Text out;
  listing::print_listing_tables(out, listed, kNewestFxc);
  const auto lines = listing::lines_of(out.view());
  const auto compare = [&](std::string_view row, std::string_view heading) {
    const auto said = listing::lines_of(row);
    if (said.empty()) return;
    const auto at = std::ranges::find_if(lines, [&](const listing::Line& line) { return line.text.starts_with(heading); });
    constexpr std::ptrdiff_t kRow = 2;  // after the heading and its rule
    const bool has_row = at != lines.end() && lines.end() - at > kRow;
    if (!has_row || at[kRow].text != said[0].text)
      report(messages, said[0].at, "what the program declares", has_row ? &at[kRow].text : nullptr);
  };
  compare(tables.domain_row, listing::words::kTessellationDomain);
  compare(tables.output_row, listing::words::kTessellationOutput);
}

std::optional<Statistics> statistics_in(const AssembledContainer& container) {
  std::optional<Statistics> statistics;
  for (const AssembledPart& part : container.parts) {
    if (part.fourcc != fourcc("STAT")) continue;
    const auto parsed = parse_statistics({part.fourcc, 0, View(std::span<const std::byte>(part.data), 0)});
    if (parsed) statistics = *parsed;
  }
  return statistics;
}

namespace {

// `.statistic` beside a STAT in bytes.
void compare_counts(std::span<const StatedCount> counts, const Statistics* statistics, assembler::Messages& messages) {
  for (const StatedCount& stated : counts) {
    std::optional<std::uint32_t> found;
    if (statistics != nullptr) {
      Statistics all = *statistics;
      visit_statistics(all, [&](std::string_view field, std::uint32_t& value) {
        if (field == stated.field) found = value;
      });
    }
    if (found != stated.value)
      messages.report(MessageKind::disagreement, stated.at,
                      found ? "the part STAT has " + std::to_string(*found) : "the file has no STAT with this count");
  }
}

}  // namespace

void compare_facts(const PartStatements& stated, const AssembledContainer& container, assembler::Messages& messages) {
  const std::optional<Statistics> statistics = statistics_in(container);
  compare_counts(stated.counts, statistics ? &*statistics : nullptr, messages);
  if (std::ranges::find(container.parts, fourcc("RDEF"), &AssembledPart::fourcc) != container.parts.end()) return;
  if (stated.compile_flags_at != nullptr)
    messages.report(MessageKind::disagreement, stated.compile_flags_at, "there is no RDEF to have compile flags");
  if (stated.packed) messages.report(MessageKind::disagreement, stated.packed_at, "there is no RDEF to have bindings");
}

void compare_definitions(const PartStatements& stated, const Container& whole, assembler::Messages& messages) {
  const auto rdef = parse_rdef(*whole.find(fourcc("RDEF")));
  if (!rdef) return;
  if (stated.compile_flags_at != nullptr && stated.compile_flags != rdef->flags) {
    Text value;
    value.hex(rdef->flags);
    messages.report(MessageKind::disagreement, stated.compile_flags_at, "the part RDEF has the flags 0x" + value.str());
  }
  if (!stated.packed) return;
  for (std::size_t i = 0; i < std::max(stated.packed->size(), rdef->bindings.size()); ++i) {
    const bool mine = i < stated.packed->size() && (*stated.packed)[i];
    const bool theirs = i < rdef->bindings.size() && (rdef->bindings[i].flags & kBindingUserPacked) != 0;
    if (mine == theirs) continue;
    messages.report(MessageKind::disagreement, stated.packed_at,
                    "binding " + std::to_string(i) + " of the part RDEF has " + (theirs ? "the flag" : "not the flag"));
    return;
  }
}

void compare_program(const Program& program, std::span<const assembler::ProgramAssembler::Start> starts, const char* profile_at,
                     const Container& whole, assembler::Messages& messages) {
  const auto* const part = whole.find(dxcontainer::PartRole::tokens);
  if (part == nullptr) {
    messages.report(MessageKind::disagreement, profile_at, "the text has a program, but no `.part` statement for SHDR or SHEX");
    return;
  }
  const auto bytes = part->data.bytes();
  const auto mine_bytes = program.tokens.bytes();
  if (std::equal(bytes.begin(), bytes.end(), mine_bytes.begin(), mine_bytes.end())) return;
  const char* at = profile_at;
  const auto theirs = parse_program(*part);
  if (theirs && theirs->stage == program.stage && theirs->major == program.major && theirs->minor == program.minor) {
    Decoder mine_decoder(program);
    Decoder their_decoder(*theirs);
    Instruction mine;
    Instruction other;
    for (const auto& start : starts) {
      at = start.at;
      const bool has_mine = !mine_decoder.at_end() && mine_decoder.next(mine);
      const bool has_other = !their_decoder.at_end() && their_decoder.next(other);
      if (!has_mine || !has_other) break;
      const auto a = mine.bytes.bytes();
      const auto b = other.bytes.bytes();
      if (std::equal(a.begin(), a.end(), b.begin(), b.end())) continue;
      Text text;
      list_instruction(other, *theirs, text);
      messages.report(MessageKind::disagreement, at, "the part " + fourcc_text(part->fourcc) + " has `" + text.str() + "` here");
      return;
    }
    if (mine_decoder.at_end() && their_decoder.at_end()) return;  // what differs is after the instructions
  }
  messages.report(MessageKind::disagreement, at, "the part " + fourcc_text(part->fourcc) + " contains a different program");
}

}  // namespace unshade::dxbc::container
