#include "dxbc/level9/sm2_comments_document.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <unshade/core/archive/value_reader.hpp>
#include <unshade/core/archive/value_writer.hpp>
#include <unshade/core/archive/writer.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxbc/sm2.hpp>

#include "dxbc/level9/sm2_comments_layout.hpp"
#include "dxbc/parts/fxc_places.hpp"

namespace unshade::dxbc::sm2 {

namespace {

constexpr std::string_view kComment = "comment ";

// observed, in all 341 debug comments of the corpus, and in the constant tables of expressions in effects: what a record points to is
// before the record. Equal texts and lists of members are stored once. Everything but texts is aligned to 4 bytes.
class CommentPlacer : protected parts::FxcPlaces {
 protected:
  CommentPlacer(std::uint64_t first, std::vector<Type>& types) : parts::FxcPlaces(first), types_(types) {}

  template <class T>
  void table(Table<T>& table, std::size_t stride) {
    table.offset = table.empty() ? 0 : take(table.size() * stride);
  }
  void type(std::uint32_t index, unsigned depth = 0) {
    if (index >= types_.size() || depth > limits::kNesting) return;
    Type& type = types_[index];
    if (type.offset != kUnplaced) return;
    type.offset = kUnplaced - 1;  // being placed: one that contains itself ends here
    std::vector<std::uint32_t> words;
    for (StructMember& member : type.members.items) {
      text(member.name);
      this->type(member.type, depth + 1);
      words.insert(words.end(), {member.name.offset, member.type < types_.size() ? types_[member.type].offset : 0});
    }
    type.members.offset = table_of(std::move(words), kStructMemberBytes / 2);  // two words for each
    type.offset = take(kTypeBytes);
  }

 private:
  std::vector<Type>& types_;
};

// Names of files, the table of files, that of lines; for each variable its scope, name, type and writes; the table of variables, creator
// and entry point.
class DebugPlacer : CommentPlacer {
 public:
  explicit DebugPlacer(DebugInfo& info) : CommentPlacer(kDebugInfoBytes, info.types), info_(info) {}

  void place() {
    for (SourceFile& file : info_.files.items) text(file.name);
    table(info_.files, kSourceFileBytes);
    table(info_.lines, kLineEntryBytes);
    for (Variable& variable : info_.variables.items) {
      optional_text(variable.scope);
      text(variable.name);
      type(variable.type);
      table(variable.writes, kVariableWriteBytes);
    }
    table(info_.variables, kVariableBytes);
    optional_text(info_.creator);
    optional_text(info_.source);
    optional_text(info_.entry_point);
  }

 private:
  DebugInfo& info_;
};

// The table of constants; for each its name, type and default value; target and creator.
class ConstantPlacer : CommentPlacer {
 public:
  explicit ConstantPlacer(ConstantTable& constants) : CommentPlacer(kConstantTableBytes, constants.types), constants_(constants) {}

  void place() {
    table(constants_.constants, kConstantBytes);
    for (Constant& constant : constants_.constants.items) {
      text(constant.name);
      type(constant.type);
      if (constant.default_offset != 0) constant.default_offset = take(constant.default_value.size());
    }
    optional_text(constants_.target);
    optional_text(constants_.creator);
  }

 private:
  ConstantTable& constants_;
};

bool any_placed(const std::vector<Type>& types) {
  return std::any_of(types.begin(), types.end(), [](const Type& type) { return type.offset != kUnplaced; });
}
template <class... Tables>
bool any_placed(const std::vector<Type>& types, const Tables&... tables) {
  return any_placed(types) || (... || (tables.offset != kUnplaced));
}

void place_as_fxc(DebugInfo& info) {
  if (!any_placed(info.types, info.files, info.lines, info.variables)) DebugPlacer(info).place();
}

// Fields that the document of a kind of comment leaves out.
DebugInfo fresh(DebugInfo info) {
  info.size = kDebugInfoBytes;
  return info;
}
ConstantTable fresh(ConstantTable table) {
  table.size = kConstantTableBytes;
  return table;
}

/// The comment's bytes, FourCC included.
template <class Model>
Result<std::vector<std::byte>> make_comment(std::string_view name, const Value& fields, const dxcontainer::PartContext& context) {
  Model model = fresh(Model{});
  ValueStore store = context.store();
  if (auto read = read_value(fields, store, model); !read) return std::move(std::move(read).error()).within(name);
  place_as_fxc(model);
  Writer writer({}, context.most);
  describe(writer, model);
  std::vector<std::byte> made(kFourCCBytes);
  const std::vector<std::byte> body = writer.finish();
  if (writer.overflowed()) return Error{ErrorCode::limit, fields.text_offset, std::string(name), "an offset exceeds the limit of 0xffff"};
  for (std::size_t i = 0; i < kFourCCBytes; ++i) made[i] = static_cast<std::byte>(name[i]);
  made.insert(made.end(), body.begin(), body.end());
  return made;
}

/// Fields that give the comment back, without hints if that can be. With Places::left_to_the_writer, fields without hints that read back as
/// themselves: they may give other bytes.
template <class Model, Result<Model> (*Parse)(View)>
std::optional<Value> fields_of(std::string_view name, View comment, Places most_places) {
  auto model = Parse(comment);
  if (!model) return std::nullopt;
  dxcontainer::PartContext context;
  context.most = 2 * comment.size() + limits::kBuiltBytesBase;
  for (const Places places : {Places::left_to_the_writer, Places::stated}) {
    Value made = value_of(*model, places);
    const auto built = make_comment<Model>(name, made, context);
    if (!built) continue;
    if (std::ranges::equal(*built, comment.bytes())) return made;
    if (most_places == Places::stated) continue;
    auto again = Parse(View(std::span<const std::byte>(*built)));
    return again && value_of(*again, places) == made ? std::optional(std::move(made)) : std::nullopt;
  }
  return std::nullopt;
}

struct CommentKind {
  std::uint32_t fourcc;
  std::string_view name;
  std::optional<Value> (*fields_of)(std::string_view name, View comment, Places most_places);
  Result<std::vector<std::byte>> (*make)(std::string_view name, const Value& fields, const dxcontainer::PartContext& context);
};
constexpr CommentKind kCommentKinds[] = {
    {kDebugComment, "DBUG", fields_of<DebugInfo, parse_debug_info>, make_comment<DebugInfo>},
    {kConstantComment, "CTAB", fields_of<ConstantTable, parse_constant_table>, make_comment<ConstantTable>},
};

/// The line that begins at `at`, without its end.
std::string_view line_at(std::string_view text, std::size_t at) { return text.substr(at, text.find('\n', at) - at); }

/// The text with the first comment of a kind replaced by its name, if fields give it back; these are added to `members`.
std::string take_comment(const CommentKind& kind, std::string program, Value& members, Places places) {
  for (std::size_t at = 0; at < program.size();) {
    const std::string_view line = line_at(program, at);
    std::vector<std::byte> comment;
    if (line.starts_with(kComment) && from_hex(line.substr(kComment.size()), comment)) {
      const View bytes{std::span<const std::byte>(comment)};
      if (auto made = bytes.u32(0) == kind.fourcc ? kind.fields_of(kind.name, bytes, places) : std::nullopt) {
        members.add(std::string(kind.name), *std::move(made));
        program.replace(at + kComment.size(), line.size() - kComment.size(), kind.name);
        return program;
      }
    }
    at += line.size() + 1;
  }
  return program;
}

Result<std::string> put_comment(const CommentKind& kind, std::string program, const Value& fields,
                                const dxcontainer::PartContext& context) {
  for (std::size_t at = 0; at < program.size();) {
    const std::string_view line = line_at(program, at);
    if (line.starts_with(kComment) && line.substr(kComment.size()) == kind.name) {
      const auto made = kind.make(kind.name, fields, context);
      if (!made) return made.error();
      Text digits;
      for (const std::byte byte : *made) digits.hex(std::to_integer<unsigned>(byte), 2);
      program.replace(at + kComment.size(), kind.name.size(), digits.view());
      return program;
    }
    at += line.size() + 1;
  }
  return Error{ErrorCode::bad_value, fields.text_offset, std::string(kind.name),
               "the program has no line for the comment " + std::string(kind.name)};
}

}  // namespace

void place_as_fxc(ConstantTable& table) {
  if (!any_placed(table.types, table.constants)) ConstantPlacer(table).place();
}

bool is_comment_name(std::string_view name) {
  return std::ranges::any_of(kCommentKinds, [&](const CommentKind& kind) { return kind.name == name; });
}

std::string take_comments(std::string_view program, Value& members, Places places) {
  std::string text(program);
  for (const CommentKind& kind : kCommentKinds) text = take_comment(kind, std::move(text), members, places);
  return text;
}

Result<std::string> put_comments(std::string_view program, const Value& members, const dxcontainer::PartContext& context) {
  Result<std::string> text{std::string(program)};
  for (const CommentKind& kind : kCommentKinds) {
    const Value* const fields = members.find(kind.name);
    if (text && fields != nullptr) text = put_comment(kind, std::move(*text), *fields, context);
  }
  return text;
}

}  // namespace unshade::dxbc::sm2
