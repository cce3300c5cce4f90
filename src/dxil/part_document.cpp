#include "dxil/part_document.hpp"

#include <algorithm>
#include <span>
#include <string>

#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>

#include "dxil/parts_layout.hpp"
#include "dxil/program_header_layout.hpp"
#include "dxil/psv_layout.hpp"

namespace unshade::dxil {

namespace {

using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::part_to_value;
using dxcontainer::PartContext;
using dxcontainer::PartDocument;
using dxcontainer::too_large;

using Bytes = std::vector<std::byte>;

/// The bytes of a model whose description runs from its first byte to its last.
template <class Model, class... Context>
Result<Bytes> write_exactly(const PartContext& part, const Value& value, Model& model, const Context&... context) {
  Writer writer({.fill = std::byte{0}, .pads_end = false}, part.most);
  describe(writer, model, context...);
  auto bytes = writer.finish();
  if (writer.overflowed()) return too_large(value);
  return bytes;
}

template <class Model>
Result<Bytes> exact_from_value(const PartContext& context, const Value& value) {
  Model model;
  ValueStore store;
  if (auto read = read_value(value, store, model); !read) return std::move(read).error();
  return write_exactly(context, value, model);
}

// --- programs --------------------------------------------------------------------------------------------------------------------------

Result<Value> program_to_value(const Part& part, const PartContext&, Places places) {
  auto program = parse_program(part);
  if (!program) return std::move(program).error();
  // What the writer comes to itself is not said.
  if (program->size_dwords == (part.data.size() - program->behind.size()) / 4 && program->bitcode.size() % 4 == 0)
    program->size_dwords = kUnplaced;
  return value_of(*program, places, true);
}

Result<Bytes> program_from_value(const PartContext& context, const Value& value) {
  Program program;
  program.size_dwords = kUnplaced;
  ValueStore store;
  if (auto read = read_value(value, store, program, true); !read) return std::move(read).error();
  constexpr std::size_t kHeaderBytes = kBitcodeHeaderAt + kBitcodeHeaderBytes;
  if (program.bitcode_offset < kBitcodeHeaderBytes || program.bitcode_offset - kBitcodeHeaderBytes > context.most) return too_large(value);
  if (program.size_dwords == kUnplaced)
    program.size_dwords =
        static_cast<std::uint32_t>((kHeaderBytes + program.bitcode_offset - kBitcodeHeaderBytes + program.bitcode.size()) / 4);
  return write_exactly(context, value, program, true);
}

// --- pipeline state validation ---------------------------------------------------------------------------------------------------------

Result<Value> psv_to_value(const Part& part, const PartContext& context, Places places) {
  auto psv = parse_psv(part, static_cast<ShaderKind>(context.stage));
  if (!psv) return std::move(psv).error();
  return value_of(*psv, places);
}

/// observed: dxc's table of texts is the empty text, then the names of all elements in their order, however often one comes, then the name
/// of the entry; zeros up to a multiple of 4.
void place_text(String& string, std::string& table) {
  if (string.offset != kUnplaced) return;
  string.offset = string.text.empty() ? 0 : static_cast<std::uint32_t>(table.size());
  if (!string.text.empty()) (table += string.text).push_back('\0');
}

Result<Bytes> psv_from_value(const PartContext& context, const Value& value) {
  Psv psv;
  psv.info.kind = static_cast<ShaderKind>(context.stage);
  psv.element_stride = kPsvElementBytes;
  ValueStore store;
  if (auto read = read_value(value, store, psv); !read) return std::move(read).error();
  const auto fail = [&](const char* path, const char* message) { return Error{ErrorCode::bad_value, value.text_offset, path, message}; };
  constexpr std::uint32_t kMostInfoBytes = 256;
  if (psv.info.size < kPsvInfoBytes[0] || psv.info.size > kMostInfoBytes)
    return fail("runtime_info_bytes", "not the size of a known version");
  for (const auto* elements : {&psv.inputs, &psv.outputs, &psv.patch_or_primitives})
    if (elements->size() > 0xff) return fail("inputs", "more than 255 elements");
  psv.info.input_element_count = static_cast<std::uint8_t>(psv.inputs.size());
  psv.info.output_element_count = static_cast<std::uint8_t>(psv.outputs.size());
  psv.info.patch_element_count = static_cast<std::uint8_t>(psv.patch_or_primitives.size());
  std::string table(1, '\0');
  if (psv.info.version() >= 1 && psv.strings.empty()) {
    for (auto* elements : {&psv.inputs, &psv.outputs, &psv.patch_or_primitives})
      for (PsvSignatureElement& element : *elements) place_text(element.semantic_name, table);
    if (psv.info.version() >= 3) place_text(psv.info.entry_name, table);
    table.resize((table.size() + 3) / 4 * 4);
    psv.strings = View(std::as_bytes(std::span<const char>(table)));
  }
  return write_exactly(context, value, psv);
}

constexpr PartDocument kDocuments[] = {
    {fourcc("DXIL"), program_to_value, program_from_value},
    {fourcc("ILDB"), program_to_value, program_from_value},
    {fourcc("STAT"), program_to_value, program_from_value},
    {fourcc("PSV0"), psv_to_value, psv_from_value},
    {fourcc("HASH"), part_to_value<parse_hash>, exact_from_value<ShaderHash>},
    {fourcc("ILDN"), part_to_value<parse_debug_name>, exact_from_value<DebugName>},
    {fourcc("VERS"), part_to_value<parse_compiler_version>, exact_from_value<CompilerVersion>},
};

}  // namespace

const PartDocument* find_part_document(std::uint32_t fourcc) {
  for (const PartDocument& document : kDocuments)
    if (document.fourcc == fourcc) return &document;
  return nullptr;
}

}  // namespace unshade::dxil
