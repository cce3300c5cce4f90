#include <unshade/dxbc/container/document.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/dxbc/assembler.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/expression.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/level9/sm2_assemble.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>

#include "dxbc/debug/spdb_document.hpp"
#include "dxbc/effect/expression_layout.hpp"
#include "dxbc/effect/layout.hpp"
#include "dxbc/level9/layout.hpp"
#include "dxbc/level9/sm2_comments_document.hpp"
#include "dxbc/level9/sm2_comments_layout.hpp"
#include "dxbc/parts/class_linkage_layout.hpp"
#include "dxbc/parts/rdef_layout.hpp"
#include "dxbc/parts/statistics_layout.hpp"

namespace unshade::dxbc::container {

namespace {

using dxcontainer::fourcc;
using dxcontainer::has_parts_of;
using dxcontainer::part_from_value;
using dxcontainer::part_to_value;
using dxcontainer::PartFunctions;
using dxcontainer::PartReader;
using dxcontainer::record_alone;

// Places that the document states stay.
void place_class_linkage(ClassLinkage& linkage) {
  if (linkage.instances.offset != kUnplaced || linkage.types.offset != kUnplaced || linkage.slots.offset != kUnplaced) return;
  place_as_fxc(linkage);
}

// --- token programs --------------------------------------------------------------------------------------------------------------------

constexpr const char* kProgram = "program";

/// The listing, with floats that keep their bits: the assembler's language.
Result<Value> program_to_value(const dxcontainer::Part& part, const dxcontainer::PartContext&, Places) {
  const auto program = parse_program(part);
  if (!program) return program.error();
  ProgramListingOptions options;
  options.exact_floats = true;
  options.checks = &listing_checks();
  Text text(2 * part.data.size());
  if (auto listed = list_program(*program, part.name(), text, options); !listed) return std::move(listed).error();
  Value made = Value::map();
  made.add(kProgram, text_value(text.view()));
  return made;
}

Result<std::vector<std::byte>> program_from_value(const dxcontainer::PartContext&, const Value& value) {
  const Value* const text = value.find(kProgram);
  if (value.as_map()->size() != 1 || text == nullptr || text->as_text() == nullptr)
    return Error{ErrorCode::bad_value, value.text_offset, kProgram, "a token program must be the text of its listing"};
  AssemblerOptions options;
  options.guess_rounded = false;
  const ProgramAssembly assembly = assemble_program(*text->as_text(), options);
  // Warnings are of what would be left out.
  if (!assembly.ok || !assembly.messages.empty()) {
    Error error{ErrorCode::bad_value, text->text_offset, kProgram, "not a token program"};
    for (const Message& message : assembly.messages) {
      if (!assembly.ok && message.severity != Severity::error) continue;
      error.path += '/' + std::to_string(message.line) + ':' + std::to_string(message.column);
      error.message = message.text;
      break;
    }
    return error;
  }
  std::vector<std::byte> bytes;
  append_all_little_endian<std::uint32_t>(bytes, assembly.tokens);
  return bytes;
}

// --- level 9 ---------------------------------------------------------------------------------------------------------------------------

/// The Direct3D 9 program is text if that says all of it, else bytes; debug information and constant table have fields of their own.
Result<Value> level9_to_value(const dxcontainer::Part& part, const dxcontainer::PartContext& context, Places places) {
  auto made = part_to_value<parse_level9>(part, context, places);
  if (!made) return made;
  Value comments = Value::map();
  for (Value::Member& member : *made->as_map()) {
    if (member.key != kProgram || member.value.as_bytes() == nullptr) continue;
    const View program(std::span<const std::byte>(*member.value.as_bytes()));
    Text text;
    if (sm2::print_program(text, program)) member.value = Value::text(sm2::take_comments(text.view(), comments, places));
  }
  for (Value::Member& comment : *comments.as_map()) made->as_map()->push_back(std::move(comment));
  return made;
}

Result<std::vector<std::byte>> level9_from_value(const dxcontainer::PartContext& context, const Value& value) {
  const Value* const program = value.find(kProgram);
  const std::string* const text = program != nullptr ? program->as_text() : nullptr;
  std::vector<std::byte> bytes;
  // Bytes are text as well, but of hexadecimal digits.
  if (text == nullptr || from_hex(*text, bytes)) return part_from_value<Level9, place_as_fxc>(context, value);
  const Result<std::string> whole = sm2::put_comments(*text, value, context);
  if (!whole) return whole.error();
  auto assembled = sm2::assemble_program(*whole);
  if (!assembled) {
    Error error = std::move(std::move(assembled).error()).within(kProgram);
    error.offset = program->text_offset;
    return error;
  }
  Value with_bytes = Value::map();
  with_bytes.text_offset = value.text_offset;
  for (const Value::Member& member : *value.as_map()) {
    if (&member.value == program) {
      with_bytes.add(kProgram, Value::bytes(View(std::span<const std::byte>(*assembled))));
    } else if (!sm2::is_comment_name(member.key)) {
      with_bytes.as_map()->push_back(member);
    }
  }
  return part_from_value<Level9, place_as_fxc>(context, with_bytes);
}

std::uint64_t level9_hex(const Value& value) {
  const Value* const program = value.find(kProgram);
  const std::string* const text = program != nullptr ? program->as_text() : nullptr;
  if (text == nullptr) return 0;
  // the names of comments whose fields are stated beside the text are no digits
  std::uint64_t bytes = sm2::hex_bytes(*text);
  for (const Value::Member& member : *value.as_map())
    if (sm2::is_comment_name(member.key)) bytes -= member.key.size() / 2;
  return bytes;
}

// --- effects ---------------------------------------------------------------------------------------------------------------------------

constexpr const char* kCode = "code";
constexpr std::string_view kShaders = "shaders";

/// Shaders and expressions are containers: their bytes become fields if these give them back.
void open_containers(Value& value, const dxcontainer::NestedContainers& nested) {
  const auto fields_of = [&](Value& bytes) {
    const View view(std::span<const std::byte>(*bytes.as_bytes()));
    if (auto made = nested.to_value(view)) bytes = std::move(*made);
  };
  if (Value::List* const list = value.as_list())
    for (Value& element : *list) open_containers(element, nested);
  if (value.as_map() == nullptr) return;
  for (Value::Member& member : *value.as_map()) {
    if (member.key == kCode && member.value.as_bytes() != nullptr) {
      fields_of(member.value);
    } else if (member.key == kShaders && member.value.as_list() != nullptr) {
      for (Value& shader : *member.value.as_list()) {
        if (shader.as_bytes() != nullptr) {  // a record of a single field
          fields_of(shader);
          if (shader.as_map() == nullptr) continue;
          Value record = Value::map();
          record.add(kCode, std::move(shader));
          shader = std::move(record);
        } else {
          open_containers(shader, nested);
        }
      }
    } else {
      open_containers(member.value, nested);
    }
  }
}

/// The other way.
Result<void> close_containers(Value& value, const dxcontainer::PartContext& context) {
  if (Value::List* const list = value.as_list()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      if (auto done = close_containers((*list)[i], context); !done)
        return std::move(std::move(done).error()).within('[' + std::to_string(i) + ']');
  }
  if (value.as_map() == nullptr) return {};
  for (Value::Member& member : *value.as_map()) {
    if (member.key != kCode || member.value.as_map() == nullptr) {
      if (auto done = close_containers(member.value, context); !done) return std::move(std::move(done).error()).within(member.key);
      continue;
    }
    if (context.nested == nullptr)
      return Error{ErrorCode::unsupported, member.value.text_offset, kCode, "containers are nested too deeply: give the bytes"};
    const auto bytes = context.nested->from_value(member.value, context.most);
    if (!bytes) return Error(bytes.error()).within(kCode);
    const std::uint32_t text_offset = member.value.text_offset;
    member.value = Value::bytes(View(std::span<const std::byte>(*bytes)));
    member.value.text_offset = text_offset;
  }
  return {};
}

Result<std::vector<std::byte>> constants_from_value(const dxcontainer::PartContext& context, const Value& value) {
  sm2::ConstantTable table;
  table.size = sm2::kConstantTableBytes;
  ValueStore store = context.store();
  if (auto read = read_value(value, store, table); !read) return std::move(read).error();
  sm2::place_as_fxc(table);
  return dxcontainer::write_within(context, value, table);
}

Result<Value> effect_to_value(const dxcontainer::Part& part, const dxcontainer::PartContext& context, Places places) {
  auto made = part_to_value<parse_effect>(part, context, places);
  if (made && context.nested != nullptr) open_containers(*made, *context.nested);
  return made;
}

Result<std::vector<std::byte>> effect_from_value(const dxcontainer::PartContext& context, const Value& value) {
  Value closed = value;
  if (auto done = close_containers(closed, context); !done) return std::move(done).error();
  Effect effect;
  ValueStore store = context.store();
  if (auto read = read_value(closed, store, effect); !read) return std::move(read).error();
  place_as_fxc(effect);
  Writer writer(kEffectPolicy, context.most);
  describe(writer, effect);
  auto bytes = writer.finish();
  if (writer.overflowed()) return dxcontainer::too_large(value);
  return bytes;
}

constexpr PartFunctions level9_row(std::uint32_t fourcc) {
  return {fourcc, record_alone<record_level9>, level9_to_value, level9_from_value, level9_hex};
}

constexpr PartFunctions kParts[] = {
    {fourcc("RDEF"), record_alone<record_rdef>, part_to_value<parse_rdef>, part_from_value<Rdef, place_as_fxc>},
    {fourcc("SHEX"), record_alone<record_program>, program_to_value, program_from_value},
    {fourcc("SHDR"), record_alone<record_program>, program_to_value, program_from_value},
    {fourcc("SPDB"), record_alone<record_debug_info>, debug::spdb_to_value, debug::spdb_from_value},
    {fourcc("SDBG"), record_alone<record_debug_info>},
    {fourcc("SDGB"), record_alone<record_debug_info>},
    {fourcc("STAT"), record_alone<record_statistics>, part_to_value<parse_statistics>, part_from_value<Statistics>},
    {fourcc("IFCE"), record_alone<record_class_linkage>, part_to_value<parse_class_linkage>,
     part_from_value<ClassLinkage, place_class_linkage>},
    {fourcc("FX10"), record_alone<record_effect>, effect_to_value, effect_from_value},
    {fourcc("CTAB"), record_alone<record_expression_part>, part_to_value<parse_expression_constants>, constants_from_value},
    {fourcc("CLI4"), record_alone<record_expression_part>, part_to_value<parse_expression_literals>, part_from_value<ExpressionLiterals>},
    {fourcc("FXLC"), record_alone<record_expression_part>, part_to_value<parse_expression_code>, part_from_value<ExpressionCode>},
    level9_row(fourcc("Aon9")),
    level9_row(fourcc("XNAP")),
    level9_row(fourcc("XNAS")),
};
static_assert(has_parts_of(PartReader::dxbc, kParts));

}  // namespace

const PartFunctions* find_part_functions(std::uint32_t fourcc) { return dxcontainer::find_row(kParts, fourcc); }

}  // namespace unshade::dxbc::container
