#include <unshade/dxil/parts/document.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/parts/hash.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>
#include <unshade/dxil/source_info.hpp>

#include "dxil/parts/parts_layout.hpp"
#include "dxil/parts/program_header_layout.hpp"
#include "dxil/parts/psv_layout.hpp"
#include "dxil/parts/rdat_layout.hpp"
#include "dxil/parts/source_info/document.hpp"
#include "dxil/parts/source_info/layout.hpp"

namespace unshade::dxil::parts {

namespace {

using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::part_to_value;
using dxcontainer::PartContext;
using dxcontainer::PartFunctions;
using dxcontainer::record_alone;
using dxcontainer::too_large;
using unshade::Value;  // not that of a module

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
  ValueStore store = context.store();
  if (auto read = read_value(value, store, model); !read) return std::move(read).error();
  return write_exactly(context, value, model);
}

// --- programs --------------------------------------------------------------------------------------------------------------------------

Result<Value> program_to_value(const Part& part, const PartContext&, Places places) {
  auto program = parse_program(part);
  if (!program) return std::move(program).error();
  // Values that the writer derives are left out.
  if (program->size_dwords == (part.data.size() - program->behind.size()) / 4 && program->bitcode.size() % 4 == 0)
    program->size_dwords = kUnplaced;
  return value_of(*program, places, true);
}

Result<Bytes> program_from_value(const PartContext& context, const Value& value) {
  Program program;
  program.size_dwords = kUnplaced;
  ValueStore store = context.store();
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
  ValueStore store = context.store();
  if (auto read = read_value(value, store, psv); !read) return std::move(read).error();
  const auto fail = [&](const char* path, const char* message) { return Error{ErrorCode::bad_value, value.text_offset, path, message}; };
  constexpr std::uint32_t kMostInfoBytes = 256;
  if (psv.info.size < kPsvInfoBytes[0] || psv.info.size > kMostInfoBytes)
    return fail("runtime_info_bytes", "expected the size of a known PSV0 version, or up to 256 bytes of a later one");
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
    table.resize(round_up(table.size(), 4));
    psv.strings = View(std::as_bytes(std::span<const char>(table)));
  }
  return write_exactly(context, value, psv);
}

// --- runtime data ----------------------------------------------------------------------------------------------------------------------

/// Shared arrays are repeated for each record: at most a few times the size of the part.
constexpr std::uint64_t kSharedTimes = 4;
constexpr std::uint64_t kSharedBytes = 4096;

constexpr const char* kRootSignature = "root_signature";

/// The root signatures of subobjects.
template <class F>
void for_each_root_signature(Value& rdat, F&& f) {
  const Value* const found = rdat.find(rdat_part_name(RdatPartType::subobject_table));
  if (found == nullptr || found->as_list() == nullptr) return;
  for (Value::Member& member : *rdat.as_map()) {
    if (&member.value != found) continue;
    for (Value& row : *member.value.as_list()) {
      if (row.as_map() == nullptr) continue;
      for (Value::Member& field : *row.as_map())
        if (field.key == kRootSignature) f(field.value);
    }
  }
}

PartContext root_signature_context(const PartContext& context) {
  PartContext made = context;
  made.fourcc = fourcc("RTS0");
  return made;
}

/// Bytes become the fields of RTS0, if these give them back.
void root_signatures_to_fields(Value& rdat, const PartContext& context) {
  const PartContext root_context = root_signature_context(context);
  const PartFunctions& document = *dxcontainer::find_part_functions(root_context.fourcc);
  for_each_root_signature(rdat, [&](Value& value) {
    if (value.as_bytes() == nullptr) return;
    Part part;
    part.fourcc = root_context.fourcc;
    part.data = View(std::span<const std::byte>(*value.as_bytes()));
    auto fields = document.to_value(part, root_context, Places::left_to_the_writer);
    if (!fields) return;
    if (const auto built = document.from_value(root_context, *fields); built && *built == *value.as_bytes()) value = std::move(*fields);
  });
}

Result<Value> root_signatures_to_bytes(const Value& rdat, const PartContext& context) {
  const PartContext root_context = root_signature_context(context);
  Value made = rdat;
  std::optional<Error> error;
  for_each_root_signature(made, [&](Value& value) {
    if (value.as_map() == nullptr || error) return;
    auto built = dxcontainer::find_part_functions(root_context.fourcc)->from_value(root_context, value);
    if (!built) {
      error = std::move(std::move(built).error()).within(kRootSignature);
    } else {
      value = Value::bytes(View(std::span<const std::byte>(*built)));
    }
  });
  if (error) return *std::move(error);
  return made;
}

Result<Value> rdat_to_value(const Part& part, const PartContext& context, Places places) {
  auto rdat = parse_rdat(part);
  if (!rdat) return std::move(rdat).error();
  RdatHeap heap(&*rdat, kSharedTimes * part.data.size() + kSharedBytes);
  Value made;
  if (rdat_has_document(*rdat)) made = value_of(*rdat, places, &heap);
  if (heap.failed || made.is(Value::Kind::null))
    return Error{ErrorCode::unsupported, part.offset, part.name(), "this part cannot be represented in YAML"};
  root_signatures_to_fields(made, context);
  return made;
}

Result<Bytes> rdat_from_value(const PartContext& context, const Value& value) {
  Rdat rdat;
  RdatHeap heap;
  ValueStore store = context.store();
  const auto plain = root_signatures_to_bytes(value, context);
  if (!plain) return plain.error();
  if (auto read = read_value(*plain, store, rdat, &heap); !read) return std::move(read).error();
  rdat.strings = View(heap.strings);
  rdat.index_arrays = View(heap.arrays);
  rdat.raw_bytes = View(heap.bytes);
  if (!heap.stated) place_as_dxc(rdat, heap);
  if (rdat_bytes(rdat) > context.most) return too_large(value);
  return write_rdat(rdat);
}

// --- sources ---------------------------------------------------------------------------------------------------------------------------

Result<Value> source_info_to_value(const Part& part, const PartContext&, Places places) {
  const auto info = parse_source_info(part);
  if (!info) return info.error();
  if (info->contents.size() != info->names.size())
    return Error{ErrorCode::unsupported, part.offset, part.name(), "the sources are unreadable"};
  Sources sources;
  for (std::size_t i = 0; i < info->names.size(); ++i) sources.files.push_back({info->names[i].name, info->contents[i].content});
  sources.arguments = info->arguments;
  return value_of(sources, places);
}

Result<Bytes> source_info_from_value(const PartContext& context, const Value& value) {
  Sources sources;
  ValueStore store = context.store();
  if (auto read = read_value(value, store, sources); !read) return std::move(read).error();
  std::vector<SourceText> files;
  for (const Sources::File& file : sources.files) files.push_back({file.name, file.content});
  auto made = make_source_info(files, sources.arguments);
  if (!made) {
    Error error = std::move(made).error();
    error.offset = value.text_offset;
    error.path = error.path.substr(std::string_view("SRCI/").size());
    return error;
  }
  return made;
}

void record_module(const Part& part, const PartContext&, Tree& tree, std::uint32_t group) {
  record_program(part, tree, group, false);
  if (const auto program = parse_program(part)) record_bitcode(program->bitcode, tree, group);
}
void record_stage_psv(const Part& part, const PartContext& context, Tree& tree, std::uint32_t group) {
  record_psv(part, tree, group, static_cast<ShaderKind>(context.stage));
}

constexpr PartFunctions kParts[] = {
    {fourcc("DXIL"), record_module, program_to_value, program_from_value},
    {fourcc("ILDB"), record_module, program_to_value, program_from_value},
    {fourcc("STAT"), record_module, program_to_value, program_from_value},
    {fourcc("PSV0"), record_stage_psv, psv_to_value, psv_from_value},
    {fourcc("RDAT"), record_alone<record_rdat>, rdat_to_value, rdat_from_value},
    {fourcc("HASH"), record_alone<record_hash>, part_to_value<parse_hash>, exact_from_value<ShaderHash>},
    {fourcc("ILDN"), record_alone<record_debug_name>, part_to_value<parse_debug_name>, exact_from_value<DebugName>},
    {fourcc("SRCI"), record_alone<record_source_info>, source_info_to_value, source_info_from_value},
    {fourcc("PDBI"), record_alone<record_pdb_info>, part_to_value<parse_pdb_info>, exact_from_value<PdbInfoPart>},
    {fourcc("VERS"), record_alone<record_compiler_version>, part_to_value<parse_compiler_version>, exact_from_value<CompilerVersion>},
};
static_assert(dxcontainer::has_parts_of(dxcontainer::PartReader::dxil, kParts));

}  // namespace

const PartFunctions* find_part_functions(std::uint32_t fourcc) { return dxcontainer::find_row(kParts, fourcc); }

}  // namespace unshade::dxil::parts

namespace unshade::dxil {

bool record_dxil_part(const dxcontainer::Part& part, ShaderKind kind, Tree& tree, std::uint32_t group) {
  const dxcontainer::PartFunctions* const functions = parts::find_part_functions(part.fourcc);
  if (functions == nullptr) return false;
  dxcontainer::PartContext context;
  context.stage = static_cast<std::uint32_t>(kind);
  functions->record(part, context, tree, group);
  return true;
}

}  // namespace unshade::dxil
