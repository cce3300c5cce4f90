#include <unshade/dxil/listing.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/rdat.hpp>

#include "dxil/listing/comments.hpp"
#include "dxil/listing/dxc_style.hpp"
#include "dxil/listing/module.hpp"
#include "dxil/listing/sections.hpp"

namespace unshade::dxil::listing {

namespace {

using dxcontainer::fourcc;

/// Nearly all listings are shorter than this many times their files: they are not copied while they grow.
constexpr std::size_t kUsualTextPerByte = 6;

std::size_t text_limit(std::size_t file_bytes) { return file_bytes * limits::kListingTextPerByte + limits::kListingTextBase; }

/// What structures of the reflection's module are called. dxc reads it beside the program's module; if both have a structure of one
/// name, that of the second gets a number after it, unless the two are laid out alike.
class StructNames {
 public:
  StructNames(const Module& program, const Module& reflection) : program_(program), reflection_(reflection) {
    for (std::uint32_t i = 0; i < program.types.size(); ++i)
      if (!program.types[i].name.empty()) taken_.emplace(program.text(program.types[i].name), i);
    names_.resize(reflection.types.size());
    same_.assign(reflection.types.size(), kNone);
    for (std::uint32_t i = 0; i < reflection.types.size(); ++i) resolve(i);
  }
  std::vector<std::string> take() && { return std::move(names_); }

 private:
  void resolve(std::uint32_t id) {
    const Type& type = reflection_.types[id];
    if (type.name.empty()) return;
    const std::string name(reflection_.text(type.name));
    const auto found = taken_.find(name);
    if (found == taken_.end()) {
      taken_.emplace(name, kNone);
      return;
    }
    std::string numbered;
    do {
      numbered = name + '.' + std::to_string(next_++);
    } while (!taken_.emplace(numbered, kNone).second);
    if (found->second != kNone && same_members(type, program_.types[found->second])) {
      same_[id] = found->second;
    } else {
      names_[id] = std::move(numbered);
    }
  }

  bool same_members(const Type& a, const Type& b) {
    const auto left = reflection_.parts_of(a);
    const auto right = program_.parts_of(b);
    if (a.packed != b.packed || a.opaque != b.opaque || left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (!same(left[i], right[i], 0)) return false;
    return true;
  }

  bool same(std::uint32_t a, std::uint32_t b, unsigned depth) {
    const Type& left = reflection_.types[a];
    const Type& right = program_.types[b];
    if (left.kind == TypeKind::structure && !left.literal) return same_[a] == b;
    if (left.kind != right.kind || left.literal != right.literal || left.packed != right.packed || left.variadic != right.variadic ||
        left.number != right.number || left.count != right.count || left.parts.count != right.parts.count || depth >= limits::kIrNesting)
      return false;
    // One comparison more costs no less than a step: types that share parts cannot make it take forever.
    if (budget_ == 0) return false;
    --budget_;
    for (std::uint32_t i = 0; i < left.parts.count; ++i)
      if (!same(reflection_.parts_of(left)[i], program_.parts_of(right)[i], depth + 1)) return false;
    return true;
  }

  const Module& program_;
  const Module& reflection_;
  std::unordered_map<std::string, std::uint32_t> taken_;  ///< by name: the program's type id; kNone: no type of the program
  std::vector<std::uint32_t> same_;                       ///< by type id of the reflection
  std::vector<std::string> names_;
  std::size_t next_ = 0;
  std::size_t budget_ = std::size_t{1} << 20;
};

/// Sections of the parts beside the module.
Result<void> list_part_sections(const dxcontainer::Container& container, ShaderKind kind, const DxcStyle& style, std::size_t limit,
                                Text& out) {
  if (auto done = list_container_parts(container, style, limit, out); !done) return done;
  const dxcontainer::Part* const psv = container.find(fourcc("PSV0"));
  return psv == nullptr ? Result<void>() : list_runtime_info(*psv, kind, style, out);
}

/// Sections that metadata and RDAT give. `reflection` may be null.
Result<void> list_metadata_sections(const ProgramMetadata& metadata, const Module* reflection, const dxcontainer::Container* container,
                                    const DxcStyle& style, std::size_t limit, Text& out) {
  if (!metadata.present) return {};
  const Module& module = *metadata.module;
  list_metadata_signatures(metadata, limit, out);
  if (reflection == nullptr) {
    list_buffer_definitions(metadata, {}, style, limit, out);
    list_resource_bindings(metadata, style, limit, out);
    list_view_id_state(metadata, out);
  } else {
    const ProgramMetadata reflected = read_program_metadata(*reflection);
    list_buffer_definitions(reflected, StructNames(module, *reflection).take(), style, limit, out);
    list_resource_bindings(reflected, style, limit, out);
    list_view_id_state(reflected, out);
  }
  if (const dxcontainer::Part* part = container == nullptr ? nullptr : container->find(fourcc("RDAT"))) {
    const auto rdat = parse_rdat(*part);
    if (!rdat) return rdat.error();
    if (!rdat->subobjects.empty()) {
      list_subobjects(*rdat, style, limit, out);
      return {};
    }
  }
  list_metadata_subobjects(module, style, limit, out);
  return {};
}

/// The checksum by which the assembler sees that the tables from `start` on were edited.
void list_checksum(std::size_t start, Text& out) {
  if (out.size() == start) return;
  const std::uint32_t sum = sections_checksum(out.view().substr(start));
  out << kExactComment << kExactSections << " 0x";
  out.hex(sum, 8) << '\n';
}

Error out_of_proportion(View bytes) {
  return {ErrorCode::limit, bytes.file_offset(), {}, "the listing exceeds its limit for the size of the file"};
}

/// The module and the empty line with which dxc ends.
Result<void> list_program(const Module& module, View file, Text& out, const ListingOptions& options) {
  if (!options.module) return {};
  if (auto done = list_module(module, file.size(), out, options); !done) return done;
  out << '\n';
  return {};
}

Result<void> list_bitcode(View bitcode, Text& out, const ListingOptions& options) {
  const auto module = options.modules.module(bitcode);
  if (!module) return module.error();
  if (options.sections) {
    const std::size_t start = out.size();
    const std::size_t limit = start + text_limit(bitcode.size());
    if (auto done = list_metadata_sections(read_program_metadata(**module), nullptr, nullptr, dxc_style(options.dxc), limit, out); !done)
      return done;
    if (out.size() > limit) return out_of_proportion(bitcode);
    if (options.exact && options.module) list_checksum(start, out);
  }
  return list_program(**module, bitcode, out, options);
}

}  // namespace

Result<void> list_module_comments(const Module& module, std::size_t file_bytes, const AskedDxc& dxc, Text& out,
                                  std::vector<PlacedComment>& comments) {
  IrPrinter printer(module, out, text_limit(file_bytes), {.dxc = dxc});
  printer.record(&comments);
  return printer.print();
}

std::string list_sections(const dxcontainer::Container& container, const AskedDxc& dxc) {
  ListingOptions options;
  options.dxc = dxc;
  options.module = false;
  Text text;
  return disassemble(container, text, options) ? text.str() : std::string();
}

std::string list_sections(const ProgramMetadata& program, std::span<const dxcontainer::Part> parts, std::size_t module_bytes,
                          const AskedDxc& dxc) {
  dxcontainer::Container container;
  std::size_t bytes = module_bytes;
  for (const dxcontainer::Part& part : parts) {
    container.parts.push_back(part);
    bytes += part.data.size();
  }
  const std::size_t limit = text_limit(bytes);
  const DxcStyle style = dxc_style(dxc);
  Text text;
  const bool listed = list_part_sections(container, program.kind, style, limit, text) &&
                      list_metadata_sections(program, nullptr, &container, style, limit, text) && text.size() <= limit;
  return listed ? text.str() : std::string();
}

}  // namespace unshade::dxil::listing

namespace unshade::dxil {

Result<void> list_module(const Module& module, std::size_t file_bytes, Text& out, const ListingOptions& options) {
  listing::IrPrinter printer(module, out, listing::text_limit(file_bytes), options);
  printer.record(options.origins);
  return printer.print();
}

Result<void> disassemble(const dxcontainer::Container& container, Text& out, const ListingOptions& options) {
  const std::size_t start = out.size();
  const std::size_t limit = start + listing::text_limit(container.file.size());
  out.reserve(out.size() + listing::kUsualTextPerByte * container.file.size());
  const dxcontainer::Part* part = container.find_any({dxcontainer::fourcc("ILDB"), dxcontainer::fourcc("DXIL")});
  if (part == nullptr)
    return Error{ErrorCode::missing, container.file.file_offset(), "container", "the container has no DXIL or ILDB part"};
  const auto program = parse_program(*part);
  if (!program) return program.error();
  const listing::DxcStyle style = listing::dxc_style(options.dxc);
  if (options.sections)
    if (auto done = listing::list_part_sections(container, program->kind(), style, limit, out); !done) return done;
  auto module = options.modules.module(program->bitcode);
  if (!module) return std::move(module).error().within(part->name());
  if (options.sections) {
    // Names and layouts are often stripped from the program, and kept in a copy of the module without its code.
    const dxcontainer::Part* statistics = container.find(dxcontainer::fourcc("STAT"));
    const auto copy = statistics == nullptr ? Result<Program>(Program()) : parse_program(*statistics);
    if (copy && !copy->bitcode.empty()) {
      auto reflection = options.modules.module(copy->bitcode);
      if (!reflection) return std::move(reflection).error().within(statistics->name());
      if (auto done = listing::list_metadata_sections(read_program_metadata(**module), reflection->get(), &container, style, limit, out);
          !done)
        return done;
    } else if (auto done = listing::list_metadata_sections(read_program_metadata(**module), nullptr, &container, style, limit, out);
               !done) {
      return done;
    }
    if (out.size() > limit) return listing::out_of_proportion(container.file);
    if (options.exact && options.module) listing::list_checksum(start, out);
  }
  return listing::list_program(**module, container.file, out, options);
}

Result<void> disassemble(View bitcode, Text& out, const ListingOptions& options) {
  // A program header has the text DXIL after two dwords.
  constexpr std::size_t kMagicOffset = 8;
  if (bitcode.u32(kMagicOffset) == dxcontainer::fourcc("DXIL")) {
    const auto program = parse_program({dxcontainer::fourcc("DXIL"), 0, bitcode});
    if (!program) return program.error();
    return listing::list_bitcode(program->bitcode, out, options);
  }
  return listing::list_bitcode(bitcode, out, options);
}

}  // namespace unshade::dxil
