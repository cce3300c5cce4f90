#include "shader/capability/listing.hpp"

#include <utility>
#include <variant>

#include <unshade/dxbc/container/listing.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxil/bitstream.hpp>
#include <unshade/dxil/listing.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/pica/listing.hpp>
#include <unshade/spirv/listing.hpp>
#include <unshade/vbc/listing.hpp>

#include "shader/family/dxil.hpp"
#include "shader/family/family.hpp"

namespace unshade::shader::capability {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

Result<void> disassemble_dxbc(const Shader& shader, Text& out, const ListingOptions& options) {
  dxbc::container::ContainerListingOptions how;
  how.fxc = options.fxc;
  how.header = options.header;
  how.offsets = options.offsets;
  how.bytes = options.bytes;
  how.exact_floats = options.exact_floats;
  how.exact = options.exact;
  how.checks = options.checks != nullptr ? options.checks->dxbc : nullptr;
  how.origins = options.origins;
  how.lines = options.lines;
  return dxbc::container::list_container(*shader.container(), out, how);
}

/// The version whose habits both listings follow, whatever the files name.
constexpr std::string_view kComparedFxc = "10.1";

ListingOptions code_options() {
  ListingOptions options;
  options.lines = LineDirectives::never;
  options.header = false;
  options.fxc = dxbc::parse_fxc_version(kComparedFxc);
  return options;
}

Result<void> list_dxbc_code(const Shader& shader, Text& out, const ListingChecks& checks) {
  ListingOptions options = code_options();
  options.exact = true;  // a literal's digits are part of what it means
  options.checks = &checks;
  return disassemble_dxbc(shader, out, options);
}

Result<void> list_dxbc_plainly(const Shader& shader, Text& out, const ListingChecks&) {
  return disassemble_dxbc(shader, out, code_options());
}

Result<void> list_bitcode(const Shader& shader, Text& out) {
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::list_bitcode(bitcode->bytes, out);
  const Part* const part = shader.container()->find_any({fourcc("DXIL"), fourcc("ILDB"), fourcc("STAT")});
  if (part == nullptr) return Error{ErrorCode::missing, shader.file.file_offset(), "parts", "the container has no bitcode"};
  const auto program = dxil::parse_program(*part);
  if (!program) return program.error();
  return dxil::list_bitcode(program->bitcode, out);
}

Result<void> disassemble_dxil(const Shader& shader, Text& out, const ListingOptions& options) {
  if (options.bitcode) return list_bitcode(shader, out);
  dxil::ListingOptions how;
  how.dxc = options.dxc;
  how.sections = options.header;
  how.exact = options.exact;
  how.origins = options.origins;
  how.modules = family::source_of(shader);
  if (const auto* const bitcode = std::get_if<Bitcode>(&shader.content)) return dxil::disassemble(bitcode->bytes, out, how);
  if (auto done = dxil::disassemble(*shader.container(), out, how); !done) return done;
  if (options.origins != nullptr && shader.pdb() != nullptr)
    for (TextOrigin& origin : *options.origins) origin.offset = shader.pdb()->file_offset(origin.offset);
  return {};
}

/// The program itself, not the one with debug information that may be beside it.
Result<void> list_dxil_code(const Shader& shader, Text& out, const ListingChecks&) {
  const Container* const container = shader.container();
  const Part* const part = container != nullptr ? container->find_any({fourcc("DXIL"), fourcc("ILDB")}) : nullptr;
  if (part == nullptr) {
    ListingOptions options;
    options.lines = LineDirectives::never;
    options.header = false;
    return disassemble_dxil(shader, out, options);
  }
  const auto program = dxil::parse_program(*part);
  if (!program) return program.error();
  const auto module = shader.module(program->bitcode);
  if (!module) return module.error();
  return dxil::list_module(**module, program->bitcode.size(), out, {.comments = false});
}

Result<void> disassemble_pica(const Shader& shader, Text& out, const ListingOptions& options) {
  pica::ListingOptions pica_options;
  pica_options.offsets = options.offsets;
  pica_options.bytes = options.bytes;
  pica_options.header = options.header;
  pica_options.descriptors = options.exact;
  pica_options.lines = options.lines != LineDirectives::never;
  pica_options.file_offset = shader.file.file_offset();
  pica_options.origins = options.origins;
  if (const auto* const object = std::get_if<pica::Object>(&shader.content))
    pica::list_object(*object, out, pica_options);
  else
    pica::list_shbin(std::get<pica::Shbin>(shader.content), out, pica_options);
  return {};
}

Result<void> list_pica_code(const Shader& shader, Text& out, const ListingChecks&) {
  ListingOptions options;
  options.lines = LineDirectives::never;  // the directives in front belong to the program
  options.exact = true;
  return disassemble_pica(shader, out, options);
}

/// The front door's options as those of a module's listing.
spirv::ListingOptions spirv_options(const ListingOptions& options) {
  return {
      .friendly_names = !options.raw_ids,
      .indent = options.indent,
      .header = options.header,
      .offsets = options.offsets,
      .comments = options.comments,
      .color = options.color,
      .exact = options.exact,
  };
}

Result<void> disassemble_spirv(const Shader& shader, Text& out, const ListingOptions& options) {
  spirv::ListingOptions how = spirv_options(options);
  how.origins = options.origins;
  spirv::list_module(std::get<spirv::Module>(shader.content), out, how);
  return {};
}

Result<void> list_spirv_code(const Shader& shader, Text& out, const ListingChecks&) {
  ListingOptions options;
  options.header = false;
  return disassemble_spirv(shader, out, options);
}

Result<void> disassemble_vbc(const Shader& shader, Text& out, const ListingOptions& options) {
  vbc::ListingOptions how;
  how.tables = options.header;
  how.spirv = spirv_options(options);
  // The header of each stage's text is what lets it assemble; the file's own tables are what --no-header leaves out.
  how.spirv.header = true;
  how.spirv.exact = true;
  if (options.checks != nullptr) how.assembles_to = options.checks->assembles_to_spirv;
  how.origins = options.origins;
  vbc::list_file(std::get<vbc::File>(shader.content), out, how);
  if (options.origins != nullptr)
    for (TextOrigin& origin : *options.origins) origin.offset += shader.file.file_offset();
  return {};
}

Result<void> list_vbc_code(const Shader& shader, Text& out, const ListingChecks& checks) {
  return disassemble_vbc(shader, out, {.checks = &checks});  // the directives in front belong to the program
}

constexpr ListingRow kListings[] = {
    {Family::dxbc, disassemble_dxbc, "//", {list_dxbc_code, diff::Syntax::fxc, list_dxbc_plainly}},
    {Family::dxil, disassemble_dxil, ";", {list_dxil_code, diff::Syntax::llvm}},
    {Family::pica, disassemble_pica, ";", {list_pica_code, diff::Syntax::pica}},
    {Family::spirv, disassemble_spirv, ";", {list_spirv_code, diff::Syntax::spirv}},
    {Family::vbc, disassemble_vbc, ";", {list_vbc_code, diff::Syntax::spirv}},
};

}  // namespace

const ListingRow& listing_row(Family family) { return family::find_row(kListings, family); }

}  // namespace unshade::shader::capability
