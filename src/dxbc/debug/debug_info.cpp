#include <unshade/dxbc/debug_info.hpp>

#include <algorithm>

#include <unshade/core/lanes.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/shown.hpp>

#include "dxbc/debug/codeview.hpp"
#include "dxbc/debug/debug_parts.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc {

namespace {

using dxcontainer::fourcc;

/// observed: fxc repeats `#line` only if the source moves by more lines than this.
constexpr std::uint32_t kQuietLines = 2;
/// Comments and file names of a listing take no more characters than this for each byte of the part.
constexpr std::size_t kCharactersPerByte = 16;
/// Names of components are cut if they are longer: types may contain themselves, and names be as long as a record.
constexpr std::size_t kLongestName = 4096;
/// Source files may share their bytes; their texts together take no more than this for each byte of the part.
constexpr std::size_t kSourcesPerByte = 4;
constexpr std::uint32_t kRegisterBytes = 16;
/// Members that may begin at the same offset (textures and samplers in a struct take no bytes) and are looked at.
constexpr int kMembersTried = 8;

/// Size of a type in bytes; 0 if it is not known.
std::uint32_t type_bytes(const DebugInfo& info, std::uint32_t index) {
  for (unsigned depth = 0; depth < limits::kNesting; ++depth) {
    const DebugType* type = info.type(index);
    if (type == nullptr) return 4;  // a built-in scalar. guess: doubles take 8, but are split into two components all the same
    if (type->kind != DebugType::Kind::alias) return type->bytes;
    index = type->element;
  }
  return 0;
}

/// The member of a field list that holds the byte at `offset`, or null.
const DebugMember* member_at(const DebugInfo& info, const DebugType& fields, std::uint32_t offset) {
  const auto begin = info.members.begin() + fields.first_member;
  auto next = std::upper_bound(begin, begin + fields.member_count, offset,
                               [](std::uint32_t at, const DebugMember& member) { return at < member.offset; });
  const DebugMember* nearest = nullptr;
  for (int i = 0; i < kMembersTried && next != begin; ++i) {
    --next;
    if (nearest == nullptr) nearest = &*next;
    if (offset - next->offset < type_bytes(info, next->type)) return &*next;
  }
  return nearest;  // RenderDoc: fxc gives some struct members a size of 0
}

}  // namespace

bool is_debug_part(std::uint32_t part) { return part == fourcc("SPDB") || part == fourcc("SDBG") || part == fourcc("SDGB"); }

Result<DebugInfo> parse_debug_info(const dxcontainer::Part& part, DebugDetail detail) {
  return part.fourcc == fourcc("SPDB") ? debug::parse_spdb(part, detail) : debug::parse_sdbg(part, detail);
}

void record_debug_info(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  if (part.fourcc == fourcc("SPDB")) return debug::record_spdb(part, tree, group);
  debug::record_sdbg(part, tree, group);
}

void append_component(Text& out, const DebugInfo& info, const VariableLocation& location) {
  if (location.variable >= info.variables.size()) return;
  const DebugVariable& variable = info.variables[location.variable];
  const std::size_t from = out.size();
  out << variable.name;
  std::uint32_t offset = location.offset_in_variable;
  std::uint32_t index = variable.type;
  for (unsigned depth = 0; depth < limits::kNesting; ++depth) {
    const DebugType* type = info.type(index);
    if (type == nullptr) return;  // a scalar
    switch (type->kind) {
      case DebugType::Kind::other: return;
      case DebugType::Kind::alias: index = type->element; break;
      case DebugType::Kind::vector: out << '.' << component_letter(offset / 4); return;
      case DebugType::Kind::matrix: {
        if (type->stride == 0) return;
        const std::uint32_t major = offset / type->stride;
        const std::uint32_t minor = offset % type->stride / 4;
        out << "._m";
        out.dec(type->is_row_major ? major : minor);
        out.dec(type->is_row_major ? minor : major);
        return;
      }
      case DebugType::Kind::array: {
        const std::uint32_t stride = type->stride != 0 ? type->stride : type_bytes(info, type->element);
        if (stride == 0) return;
        (out << '[').dec(offset / stride) << ']';
        offset %= stride;
        index = type->element;
        break;
      }
      case DebugType::Kind::structure: {
        const DebugType* fields = info.type(type->element);
        const DebugMember* member = fields == nullptr ? nullptr : member_at(info, *fields, offset);
        if (member == nullptr || out.size() - from > kLongestName) return;
        out << '.' << member->name;
        offset -= member->offset;
        index = member->type;
        break;
      }
    }
  }
}

void append_sources(Text& out, const DebugInfo& info) {
  std::size_t left = info.part_bytes * kSourcesPerByte;
  for (const SourceFile& file : info.files) {
    if (!file.has_text) continue;
    if (file.name.size() + file.text.size() > left) {
      out << "// ...\n";
      return;
    }
    left -= file.name.size() + file.text.size();
    out << "// file " << file.name << '\n' << file.text;
    if (!file.text.ends_with('\n')) out << '\n';
  }
}

DebugCursor::DebugCursor(const DebugInfo& info) : info_(&info), budget_(info.part_bytes * kCharactersPerByte + limits::kWorkBase) {
  events_.reserve(info.locations.size() + info.gaps.size());
  for (std::uint32_t i = 0; i < info.locations.size(); ++i) {
    const VariableLocation& location = info.locations[i];
    events_.push_back({location.range.from, i});
    for (std::uint32_t k = 0; k < location.gap_count; ++k) {
      const std::uint32_t back = info.gaps[location.first_gap + k].to;
      if (back < location.range.to) events_.push_back({back, i});
    }
  }
  std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.offset < b.offset; });
}

bool DebugCursor::in_scope(const VariableLocation& location, std::uint32_t code_offset) const {
  const std::uint32_t index = info_->variables[location.variable].scope;
  if (index == 0) return true;
  const auto& ranges = info_->scopes[index].instructions;
  const auto next =
      std::upper_bound(ranges.begin(), ranges.end(), code_offset, [](std::uint32_t at, const CodeRange& range) { return at < range.from; });
  return next != ranges.begin() && code_offset < std::prev(next)->to;
}

void DebugCursor::register_name(Text& out, const VariableLocation& location) const {
  print_enumerator(out, location.register_file, codeview::kRegisterFiles);
  // guess: registers of two dimensions print as in instructions; none has been seen
  const std::uint32_t last = location.register_offset[location.dimensions == 2 ? 1 : 0] / kRegisterBytes;
  if (location.dimensions == 2) {
    (out << '[').dec(location.register_offset[0]) << "][";
    out.dec(last) << ']';
  } else if (location.dimensions == 1) {
    out.dec(last);
  }
}

void DebugCursor::place(Text& out, const VariableLocation& location) {
  // observed: fxc writes a record for each component. guess: one for several would be told apart the same way
  const std::uint32_t count = std::clamp<std::uint32_t>(location.bytes / 4U, 1, 4);
  VariableLocation component = location;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != 0) {
      out << "; ";
      component.offset_in_variable = static_cast<std::uint16_t>(component.offset_in_variable + 4);
      component.register_offset[component.dimensions == 2 ? 1 : 0] += 4;
    }
    register_name(out, component);
    if (component.dimensions != 0) out << '.' << component_letter(component.register_offset[component.dimensions - 1] / 4);
    out << " <- ";
    append_component(out, *info_, component);
  }
}

void DebugCursor::initial_places(Text& out, std::uint32_t code_offset) {
  Text name;
  Text previous;
  bool is_first = true;
  for (const VariableLocation& location : info_->locations) {
    if (code_offset < location.range.from || code_offset >= location.range.to || !in_scope(location, code_offset)) continue;
    const std::size_t from = out.size();
    name.clear();
    register_name(name, location);
    if (is_first) {
      out << "//\n// Initial variable locations:\n//   ";
    } else {
      // A register to a line; each place but the last is followed by "; ", so that fxc's lines end in a blank.
      out << (name.view() == previous.view() ? "; " : "; \n//   ");
    }
    std::swap(name, previous);
    place(out, location);
    const std::size_t printed = out.size() - from;
    if (printed > budget_) {
      out.truncate(from);
      break;
    }
    budget_ -= printed;
    is_first = false;
  }
  if (!is_first) out << "\n//\n";
}

void DebugCursor::before(Text& out, std::uint32_t code_offset) {
  const auto& lines = info_->lines;
  const std::uint32_t key = info_->lines_by_instruction ? instruction_++ : code_offset;
  while (next_line_ < lines.size() && lines[next_line_].code_offset < key) ++next_line_;
  if (next_line_ == lines.size() || lines[next_line_].code_offset != key) return;
  const LineEntry& entry = lines[next_line_];
  const bool new_file = !has_line_ || entry.file != file_;
  const std::uint32_t moved = entry.line > line_ ? entry.line - line_ : line_ - entry.line;
  if (!has_line_) initial_places(out, code_offset);
  if (new_file || moved > kQuietLines) {
    if (has_line_) out << '\n';
    (out << listing::words::kLine).dec(entry.line);
    if (const auto name = info_->files[entry.file].name; new_file && name.size() <= budget_) {
      out << " \"" << printable(name) << '"';
      budget_ -= name.size();
    }
    out << '\n';
  }
  has_line_ = true;
  file_ = entry.file;
  line_ = entry.line;
}

void DebugCursor::after(Text& out, std::uint32_t code_offset, std::uint32_t bytes) {
  const std::uint32_t end = code_offset + bytes;
  while (next_event_ < events_.size() && events_[next_event_].offset < end) ++next_event_;
  bool is_first = true;
  for (; next_event_ < events_.size() && events_[next_event_].offset == end; ++next_event_) {
    const VariableLocation& location = info_->locations[events_[next_event_].location];
    if (!in_scope(location, code_offset)) continue;
    const std::size_t from = out.size();
    out << (is_first ? "  // " : "; ");
    place(out, location);
    is_first = false;
    const std::size_t printed = out.size() - from;
    if (printed > budget_) {
      out.truncate(from);
      next_event_ = events_.size();
      return;
    }
    budget_ -= printed;
  }
}

}  // namespace unshade::dxbc
