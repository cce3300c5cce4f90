#include "index/schema.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <unshade/core/view.hpp>
#include <unshade/system/file.hpp>

#include "index/checked_pages.hpp"
#include "index/fault.hpp"

namespace unshade::index {

namespace {

/// `ushd`
constexpr std::uint32_t kApplicationId = 0x7573'6864;
constexpr std::uint32_t kFormat = 2;

constexpr IdentityColumn kIdentityColumns[] = {
    {"digest", "digest"},  {"crc32", "crc32"},         {"crc32c", "crc32c"},
    {"fnv1", "fnv1"},      {"3dmigoto", "migoto"},     {"3dmigoto-bytecode", "migoto_bytecode"},
    {"dxvk-sha1", "sha1"}, {"dxil-hash", "dxil_hash"}, {"code", "code"},
    {"plain", "plain"},
};

constexpr std::string_view kTables = R"sql(
create table kind(id integer primary key, family text not null, stage text not null, profile text not null, creator text not null,
  unique(family, stage, profile, creator));
create table interface(id integer primary key, digest blob not null unique);
create table name(id integer primary key, text text not null unique);
create table interface_name(interface int not null, kind text not null, name int not null, letters text, space int, bind_point int,
  bind_count int);
create index interface_name_interface on interface_name(interface);
create index interface_name_name on interface_name(name);
create table program(id integer primary key, digest blob not null unique, instructions int not null, sketch blob not null);
create table opcode(id integer primary key, family text not null, text text not null, unique(family, text));
create table program_opcode(opcode int not null, program int not null, count int not null, primary key(opcode, program)) without rowid;
create table shader(id integer primary key, xxh3 blob not null unique, kind int not null, interface int, program int, size int not null,
  digest blob, crc32 blob, crc32c blob, fnv1 blob, migoto blob, migoto_bytecode blob, sha1 blob, dxil_hash blob, code blob, plain blob);
create table file(id integer primary key, path text not null unique, size int not null, mtime int not null, search text not null, fault text);
create table place(file int not null, number int not null, shader int not null, layers text not null, offset int not null,
  certainty text not null, parent int, primary key(file, number)) without rowid;
create index place_shader on place(shader);
create table run(id integer primary key, started int not null, version text not null, files int not null, shaders int not null);
create virtual table names using fts5(text, content='name', content_rowid='id', tokenize='trigram');
create view shaders as select s.id, k.family, k.stage, k.profile, k.creator, s.size, p.instructions, lower(hex(s.xxh3)) as xxh3,
  lower(hex(s.digest)) as digest, lower(hex(s.crc32)) as crc32, lower(hex(s.crc32c)) as crc32c, lower(hex(s.fnv1)) as fnv1,
  lower(hex(s.migoto)) as migoto, lower(hex(s.migoto_bytecode)) as migoto_bytecode, lower(hex(s.sha1)) as sha1,
  lower(hex(s.dxil_hash)) as dxil_hash, lower(hex(s.code)) as code, lower(hex(s.plain)) as plain
  from shader s join kind k on k.id = s.kind left join program p on p.id = s.program;
create view places as select l.shader, f.path, l.layers, l.offset, l.certainty, l.parent from place l join file f on f.id = l.file;
create view bindings as select s.id as shader, i.kind, n.text as name, i.letters, i.space, i.bind_point, i.bind_count
  from shader s join interface_name i on i.interface = s.interface join name n on n.id = i.name;
create view opcodes as select s.id as shader, o.text as opcode, u.count
  from shader s join program_opcode u on u.program = s.program join opcode o on o.id = u.opcode;
)sql";
constexpr std::string_view kBytesTable = "create table content(shader integer primary key, form text not null, bytes blob not null);";
constexpr std::string_view kListingTable =
    R"sql(create virtual table listing using fts5(text, content='', detail=none, tokenize="unicode61 tokenchars '_.'");)sql";

/// The first bytes of the file, as SQLite's header has them. src: sqlite.org, fileformat2.html, "The Database Header"
Result<void> check_header(const std::string& path) {
  constexpr std::size_t kHeader = 100;
  std::array<std::byte, kHeader> header{};
  const system::File file = system::open_to_read(path);
  if (!file) return error_of({Fault::Kind::io, std::strerror(errno)});
  const auto got = file.read_at(0, header);
  const View view(header);
  if (got != kHeader || view.text().substr(0, 16) != std::string_view("SQLite format 3\0", 16))
    return error_of({Fault::Kind::format, "not a database of unshade: it does not begin as SQLite's files do"});
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(header[at + i]);
    return value;
  };
  if (number(68) != kApplicationId) return error_of({Fault::Kind::format, "not a database of unshade: SQLite's file of another program"});
  if (number(60) != kFormat)
    return error_of({Fault::Kind::format, "the database has format " + std::to_string(number(60)) + "; this unshade reads format " +
                                              std::to_string(kFormat) + ": index the files again"});
  const std::size_t page = std::size_t{std::to_integer<std::uint8_t>(header[16])} << 8 | std::to_integer<std::uint8_t>(header[17]);
  if (page != kPageBytes || std::to_integer<std::size_t>(header[20]) != kPageChecksumBytes)
    return error_of({Fault::Kind::damaged, "the file is damaged: its header states pages of another size"});
  return {};
}

void make_tables(Connection& database, Keeps keeps) {
  std::string sql = "begin immediate; pragma application_id = " + std::to_string(kApplicationId) +
                    "; pragma user_version = " + std::to_string(kFormat) + ";";
  sql += kTables;
  if (keeps.bytes) sql += kBytesTable;
  if (keeps.listings) sql += kListingTable;
  database.run(sql + "commit");
}

}  // namespace

std::span<const IdentityColumn> identity_columns() { return kIdentityColumns; }

bool is_database(const std::string& path) { return check_header(path).has_value(); }

bool is_same_file(const std::string& one, const std::string& other) {
  const auto a = system::status_of(one);
  const auto b = system::status_of(other);
  return a && b && a->id == b->id;
}

bool is_there(const std::string& path) { return system::regular_file_bytes(path).value_or(0) != 0; }

Result<std::unique_ptr<Connection>> open_database(const std::string& path, Mode mode, Keeps keeps) {
  if (path.empty()) return error_of({Fault::Kind::io, "the name of the database is empty"});
  // others may block, or take what is written and forget it
  if (const auto status = system::status_of(path); status && status->kind != system::FileKind::regular)
    return error_of({Fault::Kind::io, "a database must be a regular file"});
  const bool is_new = !is_there(path);
  if (!is_new || mode != Mode::make)
    if (auto checked = check_header(path); !checked) return std::move(checked).error();
  auto database = std::make_unique<Connection>(path, mode);
  database->run("pragma cache_size = -65536; pragma temp_store = memory; pragma trusted_schema = off");
  if (mode == Mode::read) {
    database->run("pragma query_only = on");
  } else {
    // a transaction that a killed process leaves is undone from its journal; only a loss of power may damage the file, which checksums tell
    database->run("pragma page_size = " + std::to_string(kPageBytes) + "; pragma synchronous = off; pragma journal_mode = delete");
    if (is_new) make_tables(*database, keeps);
  }
  if (const auto fault = database->take_fault()) return error_of(*fault);
  return database;
}

std::unique_ptr<Connection> new_database_in_memory(Keeps keeps) {
  auto database = std::make_unique<Connection>(std::string(), Mode::memory);
  database->run("pragma temp_store = memory; pragma trusted_schema = off");
  make_tables(*database, keeps);
  return database;
}

Keeps kept_by(Connection& database) {
  return {database.integer("select count(*) from sqlite_master where name = 'content'") != 0,
          database.integer("select count(*) from sqlite_master where name = 'listing'") != 0};
}

void check_database(Connection& database) {
  Statement check = database.prepare("pragma integrity_check(1)");
  if (!check.step() || check.text(0) == "ok") return;
  // `*** in database main ***` is a line of its own; a page that cannot be read has the number of SQLITE_IOERR_DATA
  std::string_view found = check.text(0);
  if (found.starts_with("***")) found.remove_prefix(std::min(found.find('\n') + 1, found.size()));
  found = found.substr(0, found.find('\n'));
  if (found.find("error code=8202") != std::string_view::npos) return database.note(checksum_fault());
  database.note({Fault::Kind::damaged, "the file is damaged: " + std::string(found)});
}

}  // namespace unshade::index
