#include "dxbc/debug/sdbg_layout.hpp"

#include <unshade/core/archive/reader.hpp>
#include <unshade/dxcontainer/part_model.hpp>

#include "dxbc/debug/debug_parts.hpp"

namespace unshade::dxbc::debug {

Result<DebugInfo> parse_sdbg(const dxcontainer::Part& part, DebugDetail detail) {
  sdbg::Part read;
  if (auto done = read_part(part.data, part.name(), read); !done) return std::move(done).error();
  DebugInfo info;
  info.part_bytes = part.data.size();
  info.lines_by_instruction = true;
  info.compiler = read.texts.c_string(read.compiler_offset).value_or(std::string_view{});
  info.entry_point = read.texts.c_string(read.entry_offset).value_or(std::string_view{});
  info.target = read.texts.c_string(read.profile_offset).value_or(std::string_view{});
  info.scopes.emplace_back().function = info.entry_point;
  for (std::size_t i = 0; i < read.files.items.size(); ++i) {
    const sdbg::File& file = read.files.items[i];
    const auto name = read.texts.sub(file.name_offset, file.name_bytes);
    const auto source = read.texts.sub(file.source_offset, file.source_bytes);
    if (!name || !source)
      return Error{ErrorCode::out_of_range, part.data.file_offset() + sdbg::kHeaderBytes + read.files.offset + i * 16,
                   std::string(part.name()) + "/files[" + std::to_string(i) + ']', "the name or source exceeds the part"};
    info.files.push_back({name->text(), {}, detail == DebugDetail::sources});
    if (detail == DebugDetail::sources) info.files.back().text = source->text();
  }
  for (std::uint32_t i = 0; i < read.instructions.items.size(); ++i) {
    const std::uint32_t symbol = read.instructions.items[i].symbol;
    if (symbol >= read.symbols.items.size()) continue;
    const sdbg::Symbol& at = read.symbols.items[symbol];
    if (at.file < 0 || static_cast<std::size_t>(at.file) >= info.files.size()) continue;
    info.lines.push_back({i, static_cast<std::uint32_t>(at.file), at.line, static_cast<std::uint16_t>(at.character), 0});
  }
  return info;
}

void record_sdbg(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  dxcontainer::record_model<sdbg::Part>(part, tree, group);
}

}  // namespace unshade::dxbc::debug
