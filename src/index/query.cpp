#include "index/query.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include <unshade/core/spelling.hpp>
#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/index/database.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/reflection.hpp>

#include "index/fault.hpp"
#include "index/packed_bytes.hpp"

namespace unshade::index {

namespace {

/// FTS5's trigrams need as many characters.
constexpr std::size_t kTrigram = 3;
constexpr std::size_t kLeastDigits = 8;
/// RenderDoc writes digests as numbers of 32 bits.
constexpr std::size_t kNumberBytes = 4;
constexpr std::size_t kNumberDigits = 2 * kNumberBytes;

/// In FTS5's quotes.
std::string quoted_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// Whether a character may be part of a word of a listing, as the table of listings
/// has it (schema.cpp). What is not ASCII is left to it.
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80; }

/// A pattern for SQLite's GLOB, to which `[` begins a class: names of arrays have it.
std::string glob_of(std::string_view text) {
  std::string glob;
  for (const char c : text) c == '[' ? glob += "[[]" : glob += c;
  return glob;
}

/// `t3`, `cb0`, `u1,space2`.
struct Register {
  std::string letters;
  std::uint32_t number = 0;
  std::uint32_t space = 0;
};
std::optional<Register> register_of(std::string_view text) {
  Register found;
  while (!text.empty() && is_letter(text.front())) {
    found.letters += lower(text.front());
    text.remove_prefix(1);
  }
  if (found.letters == "b") found.letters = "cb";
  const auto number = take_number<std::uint32_t>(text);
  if (!number || (found.letters != "cb" && found.letters != "t" && found.letters != "s" && found.letters != "u")) return std::nullopt;
  found.number = *number;
  constexpr std::string_view kSpace = ",space";
  if (text.starts_with(kSpace)) {
    text.remove_prefix(kSpace.size());
    const auto space = take_number<std::uint32_t>(text);
    if (!space) return std::nullopt;
    found.space = *space;
  }
  return text.empty() ? std::optional(found) : std::nullopt;
}

std::vector<std::string_view> all_kinds() {
  std::vector<std::string_view> kinds(find::name_kinds().begin(), find::name_kinds().end());
  constexpr std::uint32_t kMostKinds = 1024;  // of a vocabulary with gaps
  for (std::uint32_t kind = 0; kind < kMostKinds; ++kind)
    if (const std::string_view text = id(static_cast<shader::ResourceKind>(kind)); !text.empty()) kinds.push_back(text);
  return kinds;
}

std::string hex_of(std::span<const std::byte> bytes) {
  Text text;
  for (const std::byte byte : bytes) text.hex(std::to_integer<std::uint64_t>(byte), 2);
  return text.str();
}

/// An error in a condition.
Error in_condition(std::string_view name, std::string message) { return {ErrorCode::bad_value, 0, std::string(name), std::move(message)}; }

/// The bytes of each number in the other order.
void reverse_numbers(std::vector<std::byte>& bytes) {
  for (auto at = bytes.begin(); at != bytes.end(); at += kNumberBytes) std::reverse(at, at + kNumberBytes);
}

}  // namespace

Result<Query> Query::of(const Conditions& conditions, bool keeps_words) {
  Query query;
  for (const std::string& text : conditions.names) query.add_text(text);
  for (const std::string& text : conditions.binds)
    if (auto added = query.add_binding(text); !added) return added.error();
  for (const std::string& text : conditions.uses) query.add_opcode(text);
  if (conditions.hash)
    if (auto added = query.add_identity(*conditions.hash); !added) return added.error();
  if (conditions.where) query.add_condition(*conditions.where);
  if (conditions.words) {
    if (!keeps_words) return in_condition("words", "this database has no listings (unshade index --text); --regex lists the shaders again");
    if (auto added = query.add_words(*conditions.words); !added) return added.error();
  }
  return query;
}

void Query::add(std::string_view sql, std::vector<std::string> values) {
  (sql_ += " and ") += sql;
  std::move(values.begin(), values.end(), std::back_inserter(values_));
}

void Query::add_text(std::string_view text) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };  // UTF-8
  const bool is_short = text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues)) < kTrigram;
  std::string pattern;
  if (is_short) {
    pattern = "%";
    for (const char c : text) {
      if (c == '%' || c == '_' || c == '\\') pattern += '\\';
      pattern += c;
    }
    pattern += '%';
  }
  add(is_short ? "s.interface in (select interface from interface_name where name in (select id from name where text like ? escape '\\'))"
               : "s.interface in (select interface from interface_name where name in (select rowid from names where names match ?))",
      {is_short ? pattern : quoted_text(text)});
}

Result<void> Query::add_binding(std::string_view text) {
  std::string_view kind;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    kind = text.substr(0, colon);
    const std::vector<std::string_view> kinds = all_kinds();
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
      text.remove_prefix(colon + 1);
    } else if (text.substr(colon + 1).starts_with(':')) {
      kind = {};  // the name of a namespace
    } else {
      std::string_view nearest = kinds.front();
      for (const std::string_view other : kinds)
        if (spelling_distance(kind, other) < spelling_distance(kind, nearest)) nearest = other;
      return in_condition("conditions", "unknown kind of binding " + quoted(kind) + ": did you mean " + quoted(nearest) + "?");
    }
  }
  if (text.empty()) return in_condition("binds", "requires a name: cbuffer:Camera, t3");
  std::string sql = "s.interface in (select interface from interface_name where (name in (select id from name where text glob ?)";
  std::vector<std::string> values{glob_of(text)};
  if (const auto bound = register_of(text)) {
    const std::string number = std::to_string(bound->number);
    // of arrays any element; 0 elements are unbounded
    sql += " or (letters = ? and bind_point <= " + number + " and (bind_count = 0 or bind_point + bind_count > " + number +
           ") and space = " + std::to_string(bound->space) + ')';
    values.push_back(bound->letters);
  }
  sql += ')';
  if (kind.empty()) {
    sql += " and bind_point is not null";
  } else {
    sql += " and kind = ?";
    values.emplace_back(kind);
  }
  add(sql + ')', std::move(values));
  return {};
}

void Query::add_opcode(std::string_view text) {
  constexpr std::string_view kPrefix = "opcode:";
  if (text.starts_with(kPrefix)) text.remove_prefix(kPrefix.size());
  // the names of SPIR-V's specification begin with Op, and its grammar leaves that out
  std::string sql =
      "s.program in (select program from program_opcode where opcode in (select id from opcode where text glob ? or (family in ('spirv', "
      "'vbc') and 'Op' || text glob ?)";
  std::vector<std::string> values{glob_of(text), glob_of(text)};
  for (const shader::Family family : {shader::Family::dxbc, shader::Family::dxil}) {
    std::vector<std::string> listed = shader::opcodes_listed_as(family, text);
    if (listed.empty()) continue;
    ((sql += " or (family = '") += shader::id(family)) += "' and text in (?";
    for (std::size_t i = 1; i < listed.size(); ++i) sql += ", ?";
    sql += "))";
    std::move(listed.begin(), listed.end(), std::back_inserter(values));
  }
  add(sql + "))", std::move(values));
}

std::optional<std::vector<std::byte>> identity_bytes(std::string_view text) {
  // before the digits: `0x`, DXVK's stage, the name that ReShade gives a file
  for (const char before : {'x', 'X', '.', '_'})
    if (const std::size_t at = text.find(before); at != std::string_view::npos && at + kLeastDigits < text.size() + 1)
      text.remove_prefix(at + 1);
  std::string digits;
  for (std::size_t at = 0; at < text.size(); ++at) {
    // between RenderDoc's numbers
    if (text[at] == '-' && at % (kNumberDigits + 1) == kNumberDigits && at + 1 < text.size()) continue;
    if (hex_digit(text[at]) < 0) return std::nullopt;
    digits += text[at];
  }
  const bool has_numbers = digits.size() != text.size();
  if (digits.size() < kLeastDigits || digits.size() % (has_numbers ? kNumberDigits : 2) != 0) return std::nullopt;
  std::vector<std::byte> bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2)
    bytes.push_back(static_cast<std::byte>(16 * hex_digit(digits[at]) + hex_digit(digits[at + 1])));
  if (has_numbers) reverse_numbers(bytes);
  return bytes;
}

Result<void> Query::add_identity(std::string_view text) {
  auto bytes = identity_bytes(text);
  if (!bytes)
    return in_condition("hash", quoted(text) +
                                    " is not a hash: expected an even number of hexadecimal digits, at least 8, or "
                                    "RenderDoc's numbers of 8 digits");
  const std::string size = std::to_string(bytes->size());
  const auto begins = [&](std::string_view column) {
    return "substr(s." + std::string(column) + ", 1, " + size + ") = x'" + hex_of(*bytes) + '\'';
  };
  std::string sql = '(' + begins("xxh3");
  for (const IdentityColumn& row : identity_columns()) (sql += " or ") += begins(row.column);
  // the first of RenderDoc's numbers, or several without what is between them
  if (bytes->size() % kNumberBytes == 0) {
    reverse_numbers(*bytes);
    (sql += " or ") += begins("digest");
  }
  add(sql + ')');
  return {};
}

void Query::add_condition(std::string_view sql) {
  has_condition_ = true;
  // the line end ends a comment
  add("s.id in (select id from shaders where (" + std::string(sql) + "\n))");
}

Result<void> Query::add_words(std::string_view text) {
  std::string match;
  while (!text.empty()) {
    const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_word) - text.begin());
    if (end != 0) (match += match.empty() ? "" : " ") += quoted_text(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (match.empty()) return in_condition("words", "requires words: letters, digits, _ and .");
  add("s.id in (select rowid from listing where listing match ?)", {match});
  has_words_ = true;
  return {};
}

Result<std::vector<std::int64_t>> Database::matching(const Query& query) {
  Statement statement = connection_->prepare(
      "select s.id from shader s where exists (select 1 from place where shader = s.id)" + query.sql_ + " order by s.id", Fault::Kind::sql);
  statement.bind_all(query.values_);
  std::vector<std::int64_t> ids;
  while (statement.step()) ids.push_back(statement.integer(0));
  const auto fault = connection_->take_fault();
  if (!fault) return ids;
  if (fault->kind != Fault::Kind::sql) return error_of(*fault);
  // signs that are not ASCII separate words, which would be a phrase
  if (query.has_words_ && fault->message.starts_with("fts5: phrase"))
    return in_condition("words", "a word must have only letters, digits, _ and .");
  return in_condition(query.has_condition_ ? "where" : "conditions", fault->message);
}

std::vector<Likeness> like(Connection& database, const find::Sketch& sketch, shader::Family family, double threshold,
                           const std::vector<std::int64_t>& among) {
  std::unordered_map<std::int64_t, double> programs;
  Statement sketches = database.prepare("select id, sketch from program");
  while (sketches.step()) {
    const auto bytes = sketches.blob(1);
    find::Sketch other{};
    if (bytes.size() != sizeof other) {
      database.note({Fault::Kind::damaged, "the file is damaged: a program has no sketch"});
      return {};
    }
    std::memcpy(other.data(), bytes.data(), sizeof other);
    if (const double similarity = find::similarity(sketch, other); similarity >= threshold)
      programs.emplace(sketches.integer(0), similarity);
  }
  const std::unordered_set<std::int64_t> wanted(among.begin(), among.end());
  std::vector<Likeness> found;
  Statement shaders = database.prepare("select s.id from shader s join kind k on k.id = s.kind where s.program = ? and k.family = ?");
  for (const auto& [program, similarity] : programs) {
    shaders.bind(program, shader::id(family));
    while (shaders.step())
      if (wanted.contains(shaders.integer(0))) found.push_back({shaders.integer(0), similarity});
  }
  std::sort(found.begin(), found.end(),
            [](const Likeness& a, const Likeness& b) { return a.similarity != b.similarity ? a.similarity > b.similarity : a.id < b.id; });
  return found;
}

Rows::Rows(Connection& database)
    : shader_(database.prepare("select s.xxh3, k.family, k.stage, k.profile, k.creator, s.size, p.instructions from shader s "
                               "join kind k on k.id = s.kind left join program p on p.id = s.program where s.id = ?")),
      places_(database.prepare("select f.path, l.layers, l.offset, l.certainty from place l join file f on f.id = l.file "
                               "where l.shader = ? order by f.path, l.number")) {
  if (kept_by(database).bytes) bytes_.emplace(database.prepare("select form, bytes from content where shader = ?"));
}

FoundRow Rows::of(std::int64_t id) {
  FoundRow row;
  row.id = id;
  if (shader_.bind(id).step()) {
    const auto digest = shader_.blob(0);
    std::copy_n(digest.begin(), std::min(digest.size(), row.xxh3.size()), row.xxh3.begin());
    row.family = shader_.text(1);
    row.stage = shader_.text(2);
    row.profile = shader_.text(3);
    row.creator = shader_.text(4);
    row.size = static_cast<std::uint64_t>(shader_.integer(5));
    if (!shader_.is_null(6)) row.instructions = static_cast<std::uint64_t>(shader_.integer(6));
  }
  places_.bind(id);
  while (places_.step())
    row.places.push_back({std::string(places_.text(0)), std::string(places_.text(1)), static_cast<std::uint64_t>(places_.integer(2)),
                          std::string(places_.text(3))});
  return row;
}

std::optional<std::vector<std::byte>> Rows::bytes_of(const FoundRow& row) {
  if (!bytes_ || !bytes_->bind(row.id).step()) return std::nullopt;
  auto bytes = unpack_bytes(bytes_->text(0), View(bytes_->blob(1)), static_cast<std::size_t>(row.size));
  if (bytes && find::xxh3_128(View(*bytes)) != row.xxh3) bytes.reset();
  return bytes;
}

}  // namespace unshade::index
