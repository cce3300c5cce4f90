#include <unshade/shader/listing.hpp>

#include <unshade/dxbc/debug_info.hpp>
#include <unshade/dxbc/level9.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/pica/shbin.hpp>

#include "dxbc/level9_listing.hpp"
#include "dxbc/listing_header.hpp"

namespace unshade::shader {

using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

// Characters that the tables of most files need.
constexpr std::size_t kTableRoom = 6144;

const Part* find_debug_part(const dxcontainer::Container& container) {
  for (const Part& part : container.parts)
    if (dxbc::is_debug_part(part.fourcc)) return &part;
  return nullptr;
}

Result<void> disassemble_dxbc(const Shader& shader, Text& out, const ListingOptions& options) {
  const auto& container = shader.container;
  const Part* const code = container.find_any({fourcc("SHEX"), fourcc("SHDR")});
  const Part* const debug_part = options.lines == LineDirectives::never ? nullptr : find_debug_part(container);
  const Part* level9 = nullptr;
  for (const Part& part : container.parts) {
    if (!dxbc::is_level9(part.fourcc)) continue;
    if (level9 == nullptr || part.fourcc == fourcc("Aon9")) level9 = &part;
  }
  if (code == nullptr && level9 == nullptr &&
      container.find_any({fourcc("RDEF"), fourcc("ISGN"), fourcc("OSGN"), fourcc("ISG1"), fourcc("OSG1")}) == nullptr)
    return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container holds no token program"};

  auto tables = dxbc::read_listing_tables(container);
  if (!tables) return std::move(tables).error();
  const dxbc::FxcVersion version = options.fxc ? *options.fxc : dxbc::default_fxc_version(*tables);
  out.grow(kTableRoom + (code != nullptr ? 2 * code->data.size() : 0));  // observed: two characters to a byte of code
  if (options.header) {
    dxbc::print_listing_tables(out, *tables, version);
    if (level9 != nullptr) {
      const auto parsed = dxbc::parse_level9(*level9);
      if (!parsed) return parsed.error();
      dxbc::Level9ListingOptions level9_options;
      level9_options.fourcc = level9->fourcc;
      level9_options.line_directives =
          options.lines == LineDirectives::always || (options.lines == LineDirectives::automatic && debug_part != nullptr);
      out << "//\n";  // sets the block off from the tables
      dxbc::print_level9(out, *parsed, level9_options);
    }
  }
  if (code == nullptr) return {};

  const auto program = dxbc::parse_program(*code);
  if (!program) return program.error();
  dxbc::ProgramListingOptions program_options;
  program_options.fxc = version;
  program_options.offsets = options.offsets;
  program_options.bytes = options.bytes;
  program_options.exact_floats = options.exact_floats;
  if (debug_part != nullptr) {
    const auto debug = dxbc::parse_debug_info(*debug_part, dxbc::DebugDetail::lines);
    if (!debug) return debug.error();
    dxbc::DebugCursor cursor(*debug);
    program_options.debug = &cursor;
    if (auto listed = dxbc::list_program(*program, code->name(), out, program_options); !listed) return listed;
  } else if (auto listed = dxbc::list_program(*program, code->name(), out, program_options); !listed) {
    return listed;
  }
  dxbc::print_slot_count(out, *tables);
  return {};
}

Result<void> disassemble_pica(const Shader& shader, Text& out, const ListingOptions& options) {
  pica::ListingOptions pica_options;
  pica_options.offsets = options.offsets;
  pica_options.bytes = options.bytes;
  pica_options.header = options.header;
  pica_options.lines = options.lines != LineDirectives::never;
  pica_options.file_offset = shader.file.file_offset();
  if (pica::is_object(shader.file)) {
    const auto object = pica::parse_object(shader.file);
    if (!object) return object.error();
    pica::list_object(*object, out, pica_options);
    return {};
  }
  const auto shbin = pica::parse_shbin(shader.file);
  if (!shbin) return shbin.error();
  pica::list_shbin(*shbin, out, pica_options);
  return {};
}

}  // namespace

Result<void> disassemble(const Shader& shader, Text& out, const ListingOptions& options) {
  if (shader.family == Family::dxbc) return disassemble_dxbc(shader, out, options);
  if (shader.family == Family::pica) return disassemble_pica(shader, out, options);
  return Error{ErrorCode::unsupported, shader.file.file_offset(), "parts",
               "listings of the family " + std::string(id(shader.family)) + " are not written yet"};
}

Result<void> list_sources(const Shader& shader, Text& out) {
  const Part* const part = find_debug_part(shader.container);
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the file holds no debug part"};
  const auto debug = dxbc::parse_debug_info(*part);
  if (!debug) return debug.error();
  dxbc::append_sources(out, *debug);
  return {};
}

}  // namespace unshade::shader
