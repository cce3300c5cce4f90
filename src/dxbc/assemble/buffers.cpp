// Buffer definitions from the listing: variables, and the types they are of.
#include <algorithm>
#include <map>
#include <string>
#include <system_error>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/bits/rounding.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text/numbers.hpp>

#include "dxbc/assemble/tables.hpp"
#include "dxbc/listing/words.hpp"

namespace unshade::dxbc::assembler {

namespace {

constexpr unsigned kMostEnumerators = 64;
constexpr std::uint32_t kMostElements = 0xffff;  // their number is a u16

std::optional<BaseType> variable_type_of(std::string_view text) {
  for (std::uint16_t value = 0; value < kMostEnumerators; ++value)
    if (fxc_text(static_cast<BaseType>(value)) == text) return static_cast<BaseType>(value);
  return std::nullopt;
}

/// Types, each record once as fxc has it: equal types share a record, arrays have one for each declaration, and what tells of resources
/// shares none with constant buffers. observed in 1,058 parts
class TypePool {
 public:
  explicit TypePool(std::vector<Type>& types) : types_(types) {}

  std::uint32_t add(Type type, bool is_resource_info) {
    std::string content;
    const auto put = [&](std::uint32_t value) { content.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(static_cast<std::uint32_t>(type.variable_class) << 16 | static_cast<std::uint32_t>(type.type));
    put(static_cast<std::uint32_t>(type.rows) << 16 | type.columns);
    put(static_cast<std::uint32_t>(type.elements) << 1 | (is_resource_info ? 1U : 0U));
    put(type.subtype);
    for (const Member& member : type.members) {
      put(member.type < contents_.size() ? contents_[member.type] : kNoType);
      put(member.offset);
      content += member.name.text;
      content += '\0';
    }
    content += type.name.text;
    const auto [found, is_new] = known_.try_emplace(std::move(content), Known{static_cast<std::uint32_t>(known_.size()), kNoType});
    if (!is_new && type.elements == 0) return found->second.type;
    const auto index = static_cast<std::uint32_t>(types_.size());
    if (is_new) found->second.type = index;
    types_.push_back(std::move(type));
    contents_.push_back(found->second.content);
    return index;
  }

 private:
  struct Known {
    std::uint32_t content;
    std::uint32_t type;
  };
  std::vector<Type>& types_;
  std::vector<std::uint32_t> contents_;  // by type: which content it has
  std::map<std::string, Known> known_;
};

class BufferReader {
 public:
  BufferReader(CommentLines& lines, SourceTables& tables, Messages& messages)
      : lines_(lines), tables_(tables), messages_(messages), pool_(tables.rdef.types) {}

  void read() {
    for (bool is_first = true; !messages_.full(); is_first = false) {
      CommentLines ahead = lines_;
      auto line = ahead.next();
      while (line && line->trimmed().empty()) line = ahead.next();
      if (!line) return;
      const auto brace = ahead.next();
      ConstantBuffer buffer;
      if (!head(line->trimmed(), buffer)) {
        // below the title it is that of a buffer; further on a comment may have braces
        const auto text = line->trimmed();
        if (is_first && (text == "{" || text.starts_with('}'))) fail(text, "the kind of a buffer, such as cbuffer, and its name");
        return;
      }
      if (!brace || brace->trimmed() != "{") {
        // other words may be somebody's
        if (buffer.name.text.find(' ') == std::string_view::npos) fail(line->trimmed(), "`{` on the line below the name of the buffer");
        return;
      }
      lines_ = ahead;
      is_resource_info_ = buffer.kind == BufferKind::resource_bind_info;
      variables(buffer);
      finish(buffer);
      tables_.rdef.constant_buffers.items.push_back(std::move(buffer));
    }
  }

 private:
  // The declaration in a line; a type that is absent had an error.
  struct Declaration {
    std::string_view name;
    std::uint32_t type = kNoType;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    bool is_used = true;
    unsigned components = 0;
  };

  bool fail(std::string_view at, std::string_view what) { return messages_.expected(MessageKind::table_row, at.data(), what); }

  static bool head(std::string_view text, ConstantBuffer& buffer) {
    for (std::uint32_t kind = 0; !fxc_text(static_cast<BufferKind>(kind)).empty(); ++kind) {
      const auto word = fxc_text(static_cast<BufferKind>(kind));
      if (!text.starts_with(word) || text.size() <= word.size() || text[word.size()] != ' ') continue;
      buffer.kind = static_cast<BufferKind>(kind);
      buffer.name.text = text.substr(word.size() + 1);
      return true;
    }
    return false;
  }
  // Between words there are blanks: a tab would become part of a name.
  bool has_no_tab(std::string_view name) {
    const auto tab = name.find('\t');
    return tab == std::string_view::npos || fail(name.substr(tab), "a name without tabs");
  }

  void variables(ConstantBuffer& buffer) {
    bool is_first = true;
    while (const auto line = lines_.next()) {
      const auto text = line->trimmed();
      if (text.empty()) continue;
      if (text.starts_with('}')) {
        if (text != "}") fail(text, "`}` on its own line after the variables of a buffer");
        return;
      }
      if (text.starts_with('=') || text.starts_with("0x")) {
        if (!buffer.variables.empty())
          default_value(text, buffer.variables.items.back());
        else if (is_first)
          fail(text, "a variable before its default value");
        continue;
      }
      is_first = false;
      Declaration declared;
      if (!declaration(text, declared, 0)) continue;
      Variable variable;
      variable.name.text = declared.name;
      variable.offset = declared.offset;
      variable.size = declared.size;
      variable.type = declared.type;
      variable.flags =
          (declared.is_used ? kVariableUsed : 0) | (buffer.kind == BufferKind::interface_pointers ? kVariableInterfacePointer : 0);
      buffer.variables.items.push_back(std::move(variable));
    }
  }

  // = 0x3f800000 0x00000000
  void default_value(std::string_view text, Variable& variable) {
    if (variable.default_value.empty()) {
      variable.default_value.items.emplace_back();
      tables_.default_values.emplace_back();
    }
    auto& bytes = tables_.default_values.back();
    if (text.starts_with('=')) text.remove_prefix(1);
    while (true) {
      const auto first = text.find_first_not_of(kBlanks);
      if (first == std::string_view::npos) break;
      text.remove_prefix(first);
      std::uint32_t value = 0;
      const auto end = std::min(text.find_first_of(kBlanks), text.size());
      if (end < 3 || !text.starts_with("0x") || !number_of(text.substr(2, end - 2), value, 16)) {
        fail(text, "a value such as 0x3f800000");
        return;
      }
      append_little_endian(bytes, value);
      text.remove_prefix(end);
    }
    variable.default_value[0].bytes = View(std::span<const std::byte>(bytes), 0);
  }

  bool declaration(std::string_view text, Declaration& declared, unsigned depth) {
    if (text == listing::words::kStruct || (text.starts_with(listing::words::kStruct) && text[listing::words::kStruct.size()] == ' '))
      return structure(text, declared, depth);
    Type type;
    const auto semicolon = text.find(';');
    if (semicolon == std::string_view::npos) return fail(text, "a declaration and `;`");
    const auto blank = text.substr(0, semicolon).rfind(' ');
    if (blank == std::string_view::npos) return fail(text, "a type and a name");
    if (!type_of(text.substr(0, blank), type)) return fail(text, "a type such as float4");
    return tail(text.substr(blank + 1), std::move(type), declared, depth);
  }

  // struct NAME, {, members, } name;
  bool structure(std::string_view text, Declaration& declared, unsigned depth) {
    Type type;
    type.variable_class = TypeClass::structure;
    type.rows = 1;
    if (text.size() > listing::words::kStruct.size()) type.name.text = text.substr(listing::words::kStruct.size() + 1);
    if (depth >= limits::kNesting) return fail(text, "structs that are nested less deeply");
    std::vector<std::uint32_t> offsets;
    unsigned components = 0;
    while (const auto line = lines_.next()) {
      const auto member = line->trimmed();
      if (member.empty() || member == "{") continue;
      if (member.starts_with('}')) {
        const auto name = member.find_first_not_of(' ', 1);
        if (name == std::string_view::npos) return fail(member, "a variable name after the struct type");
        type.columns = static_cast<std::uint16_t>(components);
        return tail(member.substr(name), std::move(type), declared, depth);
      }
      Declaration inner;
      if (!declaration(member, inner, depth + 1)) continue;
      components += inner.components;
      if (type.members.size() == kMostElements) return fail(member, "at most 65535 members of a struct");
      type.members.items.push_back({{inner.name}, inner.type, inner.offset});
    }
    return fail(text, "`}` after the members of this struct");
  }

  // name[2];  // Offset:   16 Size:    32 [unused], in structs without what follows the offset
  bool tail(std::string_view text, Type type, Declaration& declared, unsigned depth) {
    const auto semicolon = text.find(';');
    if (semicolon == std::string_view::npos) return fail(text, "`;`");
    auto name = text.substr(0, semicolon);
    const auto bracket = name.rfind('[');
    if (bracket != std::string_view::npos && name.ends_with(']')) {
      const auto elements = as_number<std::uint32_t>(name.substr(bracket + 1, name.size() - bracket - 2)).value_or(0);
      if (elements < 2 || elements > kMostElements) return fail(name.substr(bracket), "a number of elements from 2 to 65535");
      type.elements = static_cast<std::uint16_t>(elements);
      name = name.substr(0, bracket);
    }
    declared.name = name;
    if (!has_no_tab(name)) return false;
    if (!offset_of(text.substr(semicolon + 1), declared, depth == 0)) return false;
    if (!place_members(type, declared.offset)) return false;
    declared.components = (type.is_struct() ? type.columns : unsigned{type.rows} * type.columns) * std::max<unsigned>(type.elements, 1);
    declared.type = pool_.add(std::move(type), is_resource_info_);
    return true;
  }

  // Listings count members from the start of the buffer, files from that of their struct. A struct without a place adds nothing.
  bool place_members(Type& type, std::uint32_t offset) {
    if (offset == kNoOffset) return true;
    for (Member& member : type.members) {
      if (member.offset == kNoOffset) continue;
      if (member.offset < offset)
        return messages_.report(
            MessageKind::table_row, member.name.text.data(),
            "the member's offset, " + std::to_string(member.offset) + ", is below that of its struct, " + std::to_string(offset));
      member.offset -= offset;
    }
    return true;
  }

  static bool number_of(std::string_view text, std::uint32_t& value, int base = 10) {
    const auto read = as_number<std::uint32_t>(text, base);
    value = read.value_or(0);
    return read.has_value();
  }

  // After the semicolon: `// Offset:   16 Size:    32 [unused]`, the last two of variables alone, which always have a size.
  bool offset_of(std::string_view text, Declaration& declared, bool is_variable) {
    auto rest = text;
    const auto blanks = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size())); };
    const auto word = [&] {
      blanks();
      const auto found = rest.substr(0, rest.find_first_of(kBlanks));
      rest.remove_prefix(found.size());
      return found;
    };
    const auto number = [&](std::uint32_t& value, std::uint32_t absent) {
      const auto said = word();
      value = absent;
      return said == listing::words::kNotApplicable || number_of(said, value) || fail(said, "a number");
    };
    // words of the listing, whatever blanks are between them
    const auto phrase = [&](std::string_view expected, std::string_view message) {
      blanks();
      const auto begin = rest;
      while (true) {
        expected.remove_prefix(std::min(expected.find_first_not_of(' '), expected.size()));
        if (expected.empty()) return true;
        const auto next = expected.substr(0, expected.find(' '));
        if (word() != next) return fail(begin, message);
        expected.remove_prefix(next.size());
      }
    };
    if (!phrase(listing::words::kOffset, "`// Offset:` and a number after the declaration") || !number(declared.offset, kNoOffset))
      return false;
    if (!is_variable) {
      const auto more = word();
      return more.empty() || fail(more, "the end of the line, as members have no size");
    }
    if (!phrase(listing::words::kSize, "`Size:` and a number")) return false;
    if (!number(declared.size, 0)) return false;
    auto more = word();
    declared.is_used = more != listing::words::kUnused;
    if (!declared.is_used) more = word();
    return more.empty() || fail(more, declared.is_used ? "`[unused]` or the end of the line" : "the end of the line");
  }

  // float, float4, float4x4, row_major float3x2, interface iLight
  bool type_of(std::string_view text, Type& type) {
    if (text.starts_with(listing::words::kInterface)) {
      Type interface;
      interface.variable_class = TypeClass::interface_class;
      interface.rows = 1;
      interface.name.text = text.substr(listing::words::kInterface.size());
      type.variable_class = TypeClass::interface_pointer;
      type.type = BaseType::interface_pointer;
      type.rows = 1;
      type.columns = 4;
      type.name = interface.name;
      type.subtype = pool_.add(std::move(interface), is_resource_info_);
      return true;
    }
    const bool row_major = text.starts_with(listing::words::kRowMajor);
    if (row_major) text.remove_prefix(listing::words::kRowMajor.size());
    type.rows = type.columns = 1;
    if (const auto scalar = variable_type_of(text)) {
      type.type = *scalar;
      return !row_major;
    }
    const auto digit = [](char c) { return static_cast<std::uint16_t>(c >= '1' && c <= '4' ? c - '0' : 0); };
    if (text.size() < 2 || digit(text.back()) == 0) return false;
    type.columns = digit(text.back());
    text.remove_suffix(1);
    type.variable_class = TypeClass::vector;
    if (text.size() > 2 && text.back() == 'x' && digit(text[text.size() - 2]) != 0) {
      type.rows = digit(text[text.size() - 2]);
      text.remove_suffix(2);
      type.variable_class = row_major ? TypeClass::matrix_rows : TypeClass::matrix_columns;
    } else if (row_major) {
      return false;
    }
    const auto base = variable_type_of(text);
    if (base) type.type = *base;
    return base.has_value();
  }

  // The size of a buffer is that of its contents; those of the pipeline consist of registers of 16 bytes. observed in all files
  void finish(ConstantBuffer& buffer) {
    for (const Variable& variable : buffer.variables)
      if (!variable.default_value.empty() && variable.default_value[0].bytes.size() != variable.size)
        fail(variable.name.text, "a default value of the variable's size");
    std::uint32_t end = 0;
    for (const Variable& variable : buffer.variables)
      if (variable.offset != kNoOffset) end = std::max(end, variable.offset + variable.size);
    buffer.size = buffer.kind == BufferKind::resource_bind_info ? end : round_up(end, 16);
  }

  CommentLines& lines_;
  SourceTables& tables_;
  Messages& messages_;
  TypePool pool_;
  bool is_resource_info_ = false;
};

}  // namespace

void read_buffers(CommentLines& lines, SourceTables& tables, Messages& messages) { BufferReader(lines, tables, messages).read(); }

}  // namespace unshade::dxbc::assembler
