#include "dxbc/sm2_comments_document.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxbc/sm2.hpp>

#include "core/value_reader.hpp"
#include "core/value_writer.hpp"
#include "core/writer.hpp"
#include "dxbc/fxc_places.hpp"
#include "dxbc/sm2_comments_layout.hpp"

namespace unshade::dxbc::sm2 {

namespace {

constexpr std::string_view kComment = "comment ";
constexpr std::size_t kFourCCBytes = 4;

// observed, in all 341 debug comments of the corpus: names of files, the table of files, that of lines; for each variable its scope, name,
// type and writes, what a record points to before the record; the table of variables, creator and entry point. Equal texts and lists of
// members stand once. Everything but texts is aligned to 4 bytes.
class Placer : FxcPlaces {
 public:
  explicit Placer(DebugInfo& info) : FxcPlaces(kDebugInfoBytes), info_(info) {}

  void place() {
    for (SourceFile& file : info_.files.items) text(file.name);
    table(info_.files, kSourceFileBytes);
    table(info_.lines, kLineEntryBytes);
    for (Variable& variable : info_.variables.items) {
      optional_text(variable.scope);
      text(variable.name);
      type(variable.type, 0);
      table(variable.writes, kVariableWriteBytes);
    }
    table(info_.variables, kVariableBytes);
    optional_text(info_.creator);
    optional_text(info_.source);
    optional_text(info_.entry_point);
  }

 private:
  template <class T>
  void table(Table<T>& table, std::size_t stride) {
    table.offset = table.empty() ? 0 : take(table.size() * stride);
  }
  void type(std::uint32_t index, unsigned depth) {
    if (index >= info_.types.size() || depth > limits::kNesting) return;
    Type& type = info_.types[index];
    if (type.offset != kUnplaced) return;
    type.offset = kUnplaced - 1;  // being placed: one that contains itself ends here
    std::vector<std::uint32_t> words;
    for (StructMember& member : type.members.items) {
      text(member.name);
      this->type(member.type, depth + 1);
      words.insert(words.end(), {member.name.offset, member.type < info_.types.size() ? info_.types[member.type].offset : 0});
    }
    type.members.offset = table_of(std::move(words), kStructMemberBytes / 2);  // two words for each
    type.offset = take(kTypeBytes);
  }

  DebugInfo& info_;
};

bool is_placed(const DebugInfo& info) {
  const auto placed = [](const auto& thing) { return thing.offset != kUnplaced; };
  if (placed(info.files) || placed(info.lines) || placed(info.variables)) return true;
  return std::any_of(info.types.begin(), info.types.end(), placed);
}

/// The comment's bytes, FourCC included.
Result<std::vector<std::byte>> make_comment(const Value& fields, std::uint64_t most) {
  DebugInfo info;
  info.size = kDebugInfoBytes;
  ValueStore store;
  if (auto read = read_value(fields, store, info); !read) return std::move(std::move(read).error()).within(kDebugInfoName);
  if (!is_placed(info)) Placer(info).place();
  Writer writer({}, most);
  describe(writer, info);
  std::vector<std::byte> made(kFourCCBytes);
  const std::vector<std::byte> body = writer.finish();
  if (writer.overflowed()) return Error{ErrorCode::limit, fields.text_offset, std::string(kDebugInfoName), "things stand too far away"};
  for (std::size_t i = 0; i < kFourCCBytes; ++i) made[i] = static_cast<std::byte>(kDebugInfoName[i]);
  made.insert(made.end(), body.begin(), body.end());
  return made;
}

/// Fields that give the comment back, without hints if that can be.
std::optional<Value> fields_of(View comment) {
  auto info = parse_debug_info(comment);
  if (!info) return std::nullopt;
  const std::uint64_t most = 2 * comment.size() + limits::kBuiltBytesBase;
  for (const Places places : {Places::left_to_the_writer, Places::stated}) {
    Value made = value_of(*info, places);
    const auto built = make_comment(made, most);
    if (built && std::ranges::equal(*built, comment.bytes())) return made;
  }
  return std::nullopt;
}

/// The line that begins at `at`, without its end.
std::string_view line_at(std::string_view text, std::size_t at) { return text.substr(at, text.find('\n', at) - at); }

}  // namespace

std::string take_debug_info(std::string_view program, Value& fields) {
  for (std::size_t at = 0; at < program.size();) {
    const std::string_view line = line_at(program, at);
    std::vector<std::byte> comment;
    if (line.starts_with(kComment) && from_hex(line.substr(kComment.size()), comment)) {
      const View bytes{std::span<const std::byte>(comment)};
      if (auto made = bytes.u32(0) == kDebugComment ? fields_of(bytes) : std::nullopt) {
        fields = *std::move(made);
        std::string text(program.substr(0, at));
        ((text += kComment) += kDebugInfoName) += program.substr(at + line.size());
        return text;
      }
    }
    at += line.size() + 1;
  }
  return std::string(program);
}

Result<std::string> put_debug_info(std::string_view program, const Value& fields, std::uint64_t most) {
  for (std::size_t at = 0; at < program.size();) {
    const std::string_view line = line_at(program, at);
    if (line.starts_with(kComment) && line.substr(kComment.size()) == kDebugInfoName) {
      const auto made = make_comment(fields, most);
      if (!made) return made.error();
      Text digits;
      for (const std::byte byte : *made) digits.hex(std::to_integer<unsigned>(byte), 2);
      std::string text(program.substr(0, at));
      ((text += kComment) += digits.view()) += program.substr(at + line.size());
      return text;
    }
    at += line.size() + 1;
  }
  return Error{ErrorCode::bad_value, fields.text_offset, std::string(kDebugInfoName), "the program has no line for it: comment DBUG"};
}

}  // namespace unshade::dxbc::sm2
