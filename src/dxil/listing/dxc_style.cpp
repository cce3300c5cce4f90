#include "dxil/listing/dxc_style.hpp"

#include <algorithm>
#include <iterator>

#include <unshade/dxil/operations.hpp>

namespace unshade::dxil::listing {

namespace {

constexpr DxcVersion dxc(std::uint32_t major, std::uint32_t minor, std::uint32_t release) { return {major, minor, release}; }

struct OlderComment {
  std::uint32_t code;
  DxcVersion since;
  DxcVersion before;
  std::string_view comment;
};
constexpr OlderComment kOlderComments[] = {
#define DXC_OPERATION(code, since, before, comment) {code, since, before, comment},
#include "dxil/listing/dxc_operations.def"
#undef DXC_OPERATION
};
static_assert(std::ranges::is_sorted(kOlderComments, {}, &OlderComment::code), "rows must be in the order of their opcodes");
static_assert(std::ranges::all_of(kOlderComments, [](const OlderComment& row) { return row.since.before(row.before); }));

constexpr std::uint32_t kExperimental = 0x8000'0000;

/// How many opcodes a release knows: those below `final`, and as many of the table 0x8000 as `experimental` says.
struct KnownOpcodes {
  DxcVersion since;
  std::uint32_t final;
  std::uint32_t experimental;
};
constexpr KnownOpcodes kKnownOpcodes[] = {
    {dxc(1, 4, 1907), 214, 0}, {dxc(1, 5, 2003), 218, 0}, {dxc(1, 6, 2104), 224, 0}, {dxc(1, 6, 2106), 222, 0},  {dxc(1, 7, 2207), 226, 0},
    {dxc(1, 8, 2306), 254, 0}, {dxc(1, 8, 2403), 258, 0}, {dxc(1, 8, 2505), 309, 0}, {dxc(1, 9, 2602), 312, 33}, {dxc(1, 9, 2607), 312, 35},
};
static_assert(
    std::ranges::is_sorted(kKnownOpcodes, [](const DxcVersion& a, const DxcVersion& b) { return a.before(b); }, &KnownOpcodes::since));

bool knows(const DxcVersion& version, std::uint32_t opcode) {
  const KnownOpcodes* row = std::begin(kKnownOpcodes);
  for (const KnownOpcodes& next : kKnownOpcodes)
    if (!version.before(next.since)) row = &next;
  return opcode < kExperimental ? opcode < row->final : opcode - kExperimental < row->experimental;
}

}  // namespace

std::string_view operation_comment(const DxcStyle& style, std::uint32_t opcode) {
  const OperationInfo* const now = find_operation(opcode);
  if (style.version == kNewestDxc) return now == nullptr ? std::string_view() : now->comment;
  if (!knows(style.version, opcode)) return {};
  for (const OlderComment& row : kOlderComments)
    if (row.code == opcode && !style.version.before(row.since) && style.version.before(row.before)) return row.comment;
  return now == nullptr ? std::string_view() : now->comment;
}

}  // namespace unshade::dxil::listing
