// Tables of docs/reference/formats/shbin.md.
#include <string>

#include <unshade/pica/instruction.hpp>
#include <unshade/pica/shbin.hpp>

#include "pica/shbin_layout.hpp"
#include "pica/word.hpp"
#include "tables.hpp"

namespace unshade::docs {

namespace {

using namespace pica;

constexpr std::string_view kFormatNames[] = {"0", "1", "1u", "1i", "1c", "2", "3", "4", "5", "5i", ""};

void instruction_rows(Text& out) {
  out << "| code | instruction | format | operands | lanes | stages |\n|---|---|---|---|---|---|\n";
  constexpr std::string_view kLanes[] = {
      "", "those of the mask", "first", "first two", "first three", "all", "first three, all", "of the first two those of the mask"};
  const OpcodeInfo* before = nullptr;
  for (std::uint32_t code = 0; code < 64; ++code) {
    const OpcodeInfo& row = info(decode(code << 26).opcode);
    if (&row == before || row.format == Format::unknown) continue;
    before = &row;
    (out << "| `").hex(code, 2) << "` | `" << row.text << "` | " << kFormatNames[static_cast<unsigned>(row.format)] << " | `" << row.shape
                                << "` | " << kLanes[static_cast<unsigned>(row.lanes)] << " | "
                                << (row.stages == Stages::geometry ? "geometry" : "all") << " |\n";
  }
}

void constant_real(Text& out) {
  Constant constant;
  constant.type = ConstantType::real;
  bytes_of(out, constant);
}

void field_rows(Text& out) {
  using namespace word;
  struct Row {
    std::string_view formats;
    Bits bits;
  };
  constexpr Row kRows[] = {{"1, 1u, 1i", kDestination},
                           {"1, 1u, 1i, 1c", kIndex},
                           {"1, 1u, 1c", kWide1},
                           {"1, 1c", kNarrow2},
                           {"1i", kNarrow1},
                           {"1i", kWide2},
                           {"1, 1u, 1i, 1c", kDescriptor},
                           {"1c", kCompareX},
                           {"1c", kCompareY},
                           {"2", kRefX},
                           {"2", kRefY},
                           {"2", kCondition},
                           {"3", kUniform},
                           {"2, 3", kTarget},
                           {"2, 3", pica::word::kCount},
                           {"4", kVertex},
                           {"4", kPrimitive},
                           {"4", kInverted},
                           {"5, 5i", kMadDestination},
                           {"5, 5i", kMadIndex},
                           {"5, 5i", kMadSource1},
                           {"5", kMadWide2},
                           {"5", kMadNarrow3},
                           {"5i", kMadNarrow2},
                           {"5i", kMadWide3},
                           {"5, 5i", kMadDescriptor}};
  out << "| formats | bits | field |\n|---|---|---|\n";
  for (const Row& row : kRows) {
    (out << "| " << row.formats << " | ").dec(row.bits.first + row.bits.count - 1U) << ':';
    out.dec(row.bits.first) << " | `" << row.bits.name << "` |\n";
  }
}

constexpr Table kTables[] = {
    {"shbin.dvlp", [](Text& out) { bytes_of(out, Program{}, Claims{}, std::size_t{0}); }},
    {"shbin.dvle", [](Text& out) { bytes_of(out, Executable{}, Claims{}); }},
    {"shbin.dvoj", [](Text& out) { bytes_of(out, Object{}, Claims{}); }},
    {"shbin.descriptor", [](Text& out) { bytes_of(out, Descriptor{}); }},
    {"shbin.line", [](Text& out) { bytes_of(out, Line{}, TextStarts{}); }},
    {"shbin.constant", constant_real},
    {"shbin.label", [](Text& out) { bytes_of(out, Label{}, std::size_t{0}); }},
    {"shbin.output", [](Text& out) { bytes_of(out, OutputRecord{}); }},
    {"shbin.uniform", [](Text& out) { bytes_of(out, Uniform{}, std::size_t{0}); }},
    {"shbin.relocation", [](Text& out) { bytes_of(out, Relocation{}); }},
    {"shbin.instructions", instruction_rows},
    {"shbin.fields", field_rows},
};

}  // namespace

std::span<const Table> pica_tables() { return kTables; }

}  // namespace unshade::docs
