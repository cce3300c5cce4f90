#include "index/merge.hpp"

#include <utility>

#include <unshade/find/checksums.hpp>

#include "index/fault.hpp"

namespace unshade::index {

namespace {

// Rows are told apart by what they say, not by their ids: a table for each gives the id here of an id there. What hangs on a row is taken
// over only if the row is new.
constexpr std::string_view kMerge = R"sql(
create temp table replaced(here integer primary key, there int);
insert into replaced select n.id, o.id from main.file n join other.file o using(path)
  where o.fault is null or exists(select 1 from other.place where file = o.id);
create temp table merged(what text primary key, least int) without rowid;
insert into merged select 'name', coalesce(max(id), 0) from main.name;
insert into merged select 'interface', coalesce(max(id), 0) from main.interface;
insert into merged select 'program', coalesce(max(id), 0) from main.program;
insert into merged select 'shader', coalesce(max(id), 0) from main.shader;

insert or ignore into main.kind(family, stage, profile, creator) select family, stage, profile, creator from other.kind;
create temp table kinds(old integer primary key, new int);
insert into kinds select o.id, n.id from other.kind o join main.kind n using(family, stage, profile, creator);

insert or ignore into main.name(text) select text from other.name;
insert into main.names(rowid, text) select id, text from main.name where id > (select least from merged where what = 'name');
create temp table name_ids(old integer primary key, new int);
insert into name_ids select o.id, n.id from other.name o join main.name n using(text);

insert or ignore into main.opcode(family, text) select family, text from other.opcode;
create temp table opcode_ids(old integer primary key, new int);
insert into opcode_ids select o.id, n.id from other.opcode o join main.opcode n using(family, text);

insert or ignore into main.interface(digest) select digest from other.interface;
create temp table interfaces(old integer primary key, new int);
insert into interfaces select o.id, n.id from other.interface o join main.interface n using(digest);
insert into main.interface_name(interface, kind, name, letters, space, bind_point, bind_count)
  select m.new, i.kind, t.new, i.letters, i.space, i.bind_point, i.bind_count from interfaces m
  join other.interface_name i on i.interface = m.old join name_ids t on t.old = i.name
  where m.new > (select least from merged where what = 'interface');

insert or ignore into main.program(digest, instructions, sketch) select digest, instructions, sketch from other.program;
create temp table programs(old integer primary key, new int);
insert into programs select o.id, n.id from other.program o join main.program n using(digest);
insert into main.program_opcode(program, opcode, count) select m.new, c.new, u.count from other.program_opcode u
  join programs m on m.old = u.program join opcode_ids c on c.old = u.opcode
  where m.new > (select least from merged where what = 'program');

insert or ignore into main.shader(xxh3, kind, interface, program, size, digest, crc32, crc32c, fnv1, migoto, migoto_bytecode, sha1,
    dxil_hash, code, plain)
  select s.xxh3, k.new, i.new, p.new, s.size, s.digest, s.crc32, s.crc32c, s.fnv1, s.migoto, s.migoto_bytecode, s.sha1, s.dxil_hash,
    s.code, s.plain
  from other.shader s join kinds k on k.old = s.kind left join interfaces i on i.old = s.interface
  left join programs p on p.old = s.program order by s.id;
create temp table shader_ids(old integer primary key, new int);
insert into shader_ids select o.id, n.id from other.shader o join main.shader n using(xxh3);

delete from main.place where file in (select here from replaced);
insert into main.file(path, size, mtime, search, fault) select path, size, mtime, search, fault from other.file where true
  on conflict(path) do update set size = excluded.size, mtime = excluded.mtime, search = excluded.search, fault = excluded.fault;
create temp table file_ids(old integer primary key, new int);
insert into file_ids select o.id, n.id from other.file o join main.file n using(path);
insert into main.place(file, number, shader, layers, offset, certainty, parent)
  select f.new, l.number, s.new, l.layers, l.offset, l.certainty, l.parent from other.place l
  join file_ids f on f.old = l.file join shader_ids s on s.old = l.shader order by f.new, l.number;
insert into main.run(started, version, files, shaders) select started, version, files, shaders from other.run order by id;
)sql";

constexpr std::string_view kMergeBytes = R"sql(
insert into main.content(shader, form, bytes) select m.new, c.form, c.bytes from other.content c join shader_ids m on m.old = c.shader
  where m.new > (select least from merged where what = 'shader') order by m.new;
)sql";

// The index keeps no text, and of a listing no more than which words it has: these make the same rows again.
constexpr std::string_view kMergeListings = R"sql(
create virtual table temp.words using fts5vocab(other, listing, instance);
insert into main.listing(rowid, text) select m.new, group_concat(w.term, ' ') from words w join shader_ids m on m.old = w.doc
  where m.new > (select least from merged where what = 'shader') group by m.new;
drop table temp.words;
)sql";

constexpr std::string_view kForget = R"sql(
drop table merged; drop table kinds; drop table name_ids; drop table opcode_ids; drop table interfaces; drop table programs;
drop table shader_ids; drop table file_ids; drop table replaced;
)sql";

}  // namespace

namespace {

/// Files whose shaders, or some of them, the other database does not have in that file.
constexpr std::string_view kReplaced = R"sql(
select count(*) from main.file n join other.file o using(path)
  where (o.fault is null or exists(select 1 from other.place where file = o.id)) and exists(
    select 1 from main.place l join main.shader s on s.id = l.shader where l.file = n.id and not exists(
      select 1 from other.place p join other.shader t on t.id = p.shader where p.file = o.id and t.xxh3 = s.xxh3))
)sql";

Result<Keeps> keeps_of(const std::string& path) {
  const auto opened = open_database(path, Mode::read);
  if (!opened) return opened.error();
  return without_fault<Keeps>(**opened, [&] { return kept_by(**opened); });
}

}  // namespace

Result<Merged> merge_database(Connection& database, const std::string& other) {
  const Keeps ours = kept_by(database);
  const auto theirs = keeps_of(other);
  if (!theirs) return theirs.error();
  Statement attach = database.prepare("attach ? as other");
  attach.run(sqlite_name(other));
  Merged merged;
  merged.files = static_cast<std::uint64_t>(database.integer("select count(*) from other.file"));
  merged.replaced = static_cast<std::uint64_t>(database.integer(kReplaced));
  const std::int64_t before = database.integer("select count(*) from main.shader");
  std::string sql = "begin immediate;";
  sql += kMerge;
  if (ours.bytes && theirs->bytes) sql += kMergeBytes;
  if (ours.listings && theirs->listings) sql += kMergeListings;
  sql += kForget;
  database.run(sql + "commit; detach other");
  merged.added = static_cast<std::uint64_t>(database.integer("select count(*) from main.shader") - before);
  return merged;
}

Joining::Joining(std::string into, std::optional<Keeps> keeps)
    : into_(std::move(into)), is_new_(!keeps), keeps_(keeps.value_or(Keeps{true, true})) {}

Result<std::optional<Refusal>> Joining::add(const std::string& other) {
  const std::size_t number = count_++;
  if (is_same_file(into_, other)) return std::optional(Refusal{Refusal::Why::itself});
  auto opened = Database::open(other);
  if (!opened) return opened.error();
  const Keeps kept = opened->keeps();
  if (is_new_) {
    keeps_ = {keeps_.bytes && kept.bytes, keeps_.listings && kept.listings};
  } else {
    if (keeps_.listings && !kept.listings) return std::optional(Refusal{Refusal::Why::no_listings});
    if (keeps_.bytes && !kept.bytes) return std::optional(Refusal{Refusal::Why::no_bytes});
  }
  return without_fault<std::optional<Refusal>>(*opened->connection_, [&] { return add_files(*opened->connection_, number); });
}

std::optional<Refusal> Joining::add_files(Connection& database, std::size_t number) {
  std::string path;
  std::vector<std::byte> digests;
  const auto settle = [&]() -> bool {
    const auto [at, is_first] = files_.try_emplace(path, File{find::xxh3_128(View(digests)), number});
    return is_first || at->second.shaders == find::xxh3_128(View(digests));
  };
  const auto refusal = [&] { return Refusal{Refusal::Why::other_file, path, files_.at(path).database}; };
  // of what could not be read nothing is known
  Statement rows = database.prepare(
      "select f.path, s.xxh3 from file f left join place p on p.file = f.id left join shader s on s.id = p.shader "
      "where f.fault is null or p.file is not null order by f.id, p.number");
  bool is_first = true;
  while (rows.step()) {
    if (is_first || rows.text(0) != path) {
      if (!is_first && !settle()) return refusal();
      path = rows.text(0);
      digests.clear();
    }
    is_first = false;
    const auto digest = rows.blob(1);
    digests.insert(digests.end(), digest.begin(), digest.end());
  }
  if (!is_first && !settle()) return refusal();
  return std::nullopt;
}

}  // namespace unshade::index
