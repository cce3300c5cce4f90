#include <unshade/dxbc/container/listing.hpp>

#include <memory>

#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/program.hpp>

#include "dxbc/effect/listing.hpp"
#include "dxbc/level9/listing.hpp"
#include "dxbc/listing/listing.hpp"

namespace unshade::dxbc {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

// Characters that the tables of most files need.
constexpr std::size_t kTableRoom = 6144;

const Part* find_listed_debug_part(const Container& container, LineDirectives lines) {
  if (lines == LineDirectives::never) return nullptr;
  for (const Part& part : container.parts)
    if (is_debug_part(part.fourcc)) return &part;
  return nullptr;
}

const Part* find_level9(const Container& container) {
  const Part* level9 = nullptr;
  for (const Part& part : container.parts) {
    if (!is_level9(part.fourcc)) continue;
    if (level9 == nullptr || part.fourcc == fourcc("Aon9")) level9 = &part;
  }
  return level9;
}

/// A shader of an effect.
Result<void> list_effect_shader(View file, Text& out, const void* user) {
  const auto container = dxcontainer::parse_container(file);
  if (!container) return container.error();
  if (container->find(fourcc("FX10")) != nullptr)
    return Error{ErrorCode::unsupported, file.file_offset(), "shaders", "effects inside effects cannot be listed"};
  return container::list_container(*container, out, *static_cast<const container::ContainerListingOptions*>(user));
}

}  // namespace

Result<void> container::list_container_head(const Container& container, const listing::ListingTables& tables, Text& out,
                                            const container::ContainerListingOptions& options) {
  listing::print_listing_tables(out, tables, options.fxc.value_or(listing::default_fxc_version(tables)), options.place);
  const Part* const level9 = find_level9(container);
  if (level9 == nullptr) return {};
  const auto parsed = parse_level9(*level9);
  if (!parsed) return parsed.error();
  level9::Level9ListingOptions level9_options;
  level9_options.fourcc = level9->fourcc;
  level9_options.line_directives = options.lines == LineDirectives::always || find_listed_debug_part(container, options.lines) != nullptr;
  level9_options.origins = options.origins;
  out << "//\n";  // sets the block off from the tables
  level9::print_level9(out, *parsed, level9_options);
  return {};
}

Result<void> container::list_container(const Container& container, Text& out, const container::ContainerListingOptions& options) {
  const std::size_t start = out.size();
  // Whatever assembling the text would not give back.
  const auto print_rest = [&] {
    if (options.exact && options.header && options.checks != nullptr) options.checks->print_part_statements(out, start, container);
  };
  if (const Part* const part = container.find(fourcc("FX10"))) {
    const auto effect = parse_effect(*part);
    if (!effect) return effect.error();
    container::ContainerListingOptions inner = options;
    inner.exact_floats = options.exact || options.exact_floats;
    inner.origins = nullptr;
    inner.exact = false;  // their bytes are the effect's, which the assembler compares with the text
    inner.offsets = inner.offsets && !options.exact;
    inner.bytes = inner.bytes && !options.exact;
    inner.place = listing::ListingPlace::effect;
    if (auto listed = effect::list_effect(*effect, out, {list_effect_shader, &inner}); !listed) return listed;
    print_rest();
    return {};
  }
  const Part* const code = container.find(dxcontainer::PartRole::tokens);
  if (code == nullptr && find_level9(container) == nullptr &&
      container.find_any({fourcc("RDEF"), fourcc("ISGN"), fourcc("OSGN"), fourcc("ISG1"), fourcc("OSG1")}) == nullptr)
    return Error{ErrorCode::missing, container.file.file_offset(), "parts", "the container has no token program"};

  auto tables = listing::read_listing_tables(container);
  if (!tables) return std::move(tables).error();
  out.grow(kTableRoom + (code != nullptr ? 2 * code->data.size() : 0));  // observed: two characters to a byte of code
  if (options.header) {
    if (auto listed = container::list_container_head(container, *tables, out, options); !listed) return listed;
  }
  if (code == nullptr) {
    print_rest();
    return {};
  }

  const auto program = parse_program(*code);
  if (!program) return program.error();
  ProgramListingOptions program_options;
  program_options.fxc = options.fxc.value_or(listing::default_fxc_version(*tables));
  program_options.offsets = options.offsets;
  program_options.bytes = options.bytes;
  program_options.exact_floats = options.exact || options.exact_floats;
  program_options.checks = options.checks;
  program_options.origins = options.origins;
  if (const Part* const debug_part = find_listed_debug_part(container, options.lines)) {
    const auto debug = parse_debug_info(*debug_part, DebugDetail::lines);
    if (!debug) return debug.error();
    DebugCursor cursor(*debug);
    program_options.debug = &cursor;
    if (auto listed = list_program(*program, code->name(), out, program_options); !listed) return listed;
  } else if (auto listed = list_program(*program, code->name(), out, program_options); !listed) {
    return listed;
  }
  listing::print_slot_count(out, *tables);
  print_rest();
  return {};
}

Result<void> list_program(const Program& program, std::string_view part_name, Text& out, const ProgramListingOptions& options) {
  const bool is_checked = options.exact_floats && options.checks != nullptr;
  const std::unique_ptr<listing::StatementCheck> check = is_checked ? options.checks->make_statement_check() : nullptr;
  return listing::list_program(program, part_name, out, options, check.get());
}

}  // namespace unshade::dxbc
