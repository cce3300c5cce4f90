#include "index/writer.hpp"

#include <cstring>

#include <unshade/core/text.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/find/checksums.hpp>
#include <unshade/shader/assemble.hpp>
#include <unshade/shader/code.hpp>
#include <unshade/shader/listing.hpp>

#include "index/packed_bytes.hpp"

namespace unshade::index {

namespace {

/// What is written in this time may be lost if the process is killed.
constexpr std::chrono::seconds kBetweenCommits{4};
/// Names that are kept in memory.
constexpr std::size_t kMostKept = std::size_t{1} << 20;

/// The digits of a name of a shader, as bytes: `0x5BA01B57`, `FS_5c8c...`.
std::vector<std::byte> digits_of(std::string_view text) {
  std::vector<std::byte> bytes;
  std::size_t at = text.starts_with("0x") ? 2 : text.find('_') == std::string_view::npos ? 0 : text.find('_') + 1;
  for (; at + 1 < text.size(); at += 2) bytes.push_back(static_cast<std::byte>(16 * hex_digit(text[at]) + hex_digit(text[at + 1])));
  return bytes;
}

Digest digest_of(const std::vector<find::InterfaceName>& names) {
  Text text;
  for (const find::InterfaceName& name : names) {
    text << name.kind << '\0' << name.name << '\0' << name.letters << '\0';
    for (const std::uint32_t number : {std::uint32_t{name.is_binding}, name.space, name.bind_point, name.bind_count}) text.hex(number, 8);
  }
  return find::xxh3_128(View(std::as_bytes(std::span(text.view()))));
}

std::span<const std::byte> bytes_of(const Digest& digest) { return digest; }

}  // namespace

std::size_t DigestHash::operator()(const Digest& digest) const {
  std::size_t value;
  std::memcpy(&value, digest.data(), sizeof value);
  return value;
}

std::int64_t KnownShaders::id(const Digest& digest) const {
  const Shelf& shelf = shelf_of(digest);
  const std::lock_guard lock(shelf.mutex);
  const auto found = shelf.ids.find(digest);
  return found == shelf.ids.end() ? 0 : found->second;
}

void KnownShaders::add(const Digest& digest, std::int64_t id) {
  Shelf& shelf = const_cast<Shelf&>(shelf_of(digest));
  const std::lock_guard lock(shelf.mutex);
  shelf.ids.emplace(digest, id);
}

Entry entry_of(View bytes, Keeps keeps, const KnownShaders& known) {
  Entry entry;
  entry.digest = find::xxh3_128(bytes);
  entry.size = bytes.size();
  entry.is_new = !known.has(entry.digest);
  if (!entry.is_new) return entry;
  const auto opened = shader::open(bytes);
  if (!opened) return entry;
  entry.facts = find::facts_of(*opened);
  if (keeps.listings)
    if (Text text; shader::disassemble(*opened, text, {.checks = &shader::listing_checks()})) entry.listing = text.str();
  if (keeps.bytes) entry.form = pack_bytes(bytes, entry.bytes);
  return entry;
}

struct Writer::Statements {
  explicit Statements(Connection& database, Keeps keeps)
      : find_file(database.prepare("select id, size, mtime, search, fault is null from file where path = ?")),
        add_file(database.prepare("insert into file(path, size, mtime, search, fault) values(?, ?, ?, ?, ?)")),
        change_file(database.prepare("update file set size = ?, mtime = ?, search = ?, fault = ? where id = ?")),
        change_fault(database.prepare("update file set fault = ? where id = ?")),
        remove_file(database.prepare("delete from file where id = ?")),
        remove_places(database.prepare("delete from place where file = ?")),
        add_place(
            database.prepare("insert into place(file, number, shader, layers, offset, certainty, parent) values(?, ?, ?, ?, ?, ?, ?)")),
        find_kind(database.prepare("select id from kind where family = ? and stage = ? and profile = ? and creator = ?")),
        add_kind(database.prepare("insert into kind(family, stage, profile, creator) values(?, ?, ?, ?)")),
        find_name(database.prepare("select id from name where text = ?")),
        add_name(database.prepare("insert into name(text) values(?)")),
        add_name_text(database.prepare("insert into names(rowid, text) values(?, ?)")),
        find_opcode(database.prepare("select id from opcode where family = ? and text = ?")),
        add_opcode(database.prepare("insert into opcode(family, text) values(?, ?)")),
        find_interface(database.prepare("select id from interface where digest = ?")),
        add_interface(database.prepare("insert into interface(digest) values(?)")),
        add_interface_name(database.prepare("insert into interface_name(interface, kind, name, letters, space, bind_point, bind_count) "
                                            "values(?, ?, ?, ?, ?, ?, ?)")),
        find_program(database.prepare("select id from program where digest = ?")),
        add_program(database.prepare("insert into program(digest, instructions, sketch) values(?, ?, ?)")),
        add_program_opcode(database.prepare("insert into program_opcode(program, opcode, count) values(?, ?, ?) "
                                            "on conflict do update set count = count + excluded.count")),
        add_shader(database.prepare("insert into shader(xxh3, kind, interface, program, size, digest, crc32, crc32c, fnv1, migoto, "
                                    "migoto_bytecode, sha1, dxil_hash, code, plain) values(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
    if (keeps.bytes) add_bytes.emplace(database.prepare("insert into content(shader, form, bytes) values(?, ?, ?)"));
    if (keeps.listings) add_listing.emplace(database.prepare("insert into listing(rowid, text) values(?, ?)"));
  }

  Statement find_file, add_file, change_file, change_fault, remove_file, remove_places, add_place;
  Statement find_kind, add_kind, find_name, add_name, add_name_text, find_opcode, add_opcode;
  Statement find_interface, add_interface, add_interface_name, find_program, add_program, add_program_opcode, add_shader;
  std::optional<Statement> add_bytes, add_listing;
};

Writer::Writer(Connection& database, KnownShaders& known) : database_(database), known_(known), keeps_(kept_by(database)) {
  Statement all = database.prepare("select xxh3, id from shader");
  while (all.step()) {
    Digest digest{};
    const auto bytes = all.blob(0);
    if (bytes.size() != digest.size()) {
      database.note({Fault::Kind::damaged, "the file is damaged: a shader has no digest"});
      return;
    }
    std::copy(bytes.begin(), bytes.end(), digest.begin());
    known_.add(digest, all.integer(1));
  }
  statements_ = std::make_unique<Statements>(database, keeps_);
}

Writer::~Writer() = default;

void Writer::begin() {
  if (is_open_) return;
  database_.run("begin immediate");
  is_open_ = true;
  began_ = Clock::now();
}

void Writer::commit() {
  if (!is_open_) return;
  database_.run("commit");
  is_open_ = false;
}

std::optional<FileState> Writer::searched(const std::string& path) {
  Statement& find = statements_->find_file.bind(path);
  if (!find.step() || find.integer(4) == 0) return std::nullopt;
  return FileState{find.integer(1), find.integer(2), std::string(find.text(3))};
}

void Writer::add_file(const std::string& path, const FileState& state, const std::string& fault, const std::vector<Place>& places) {
  begin();
  Statement& find = statements_->find_file.bind(path);
  std::int64_t file = 0;
  if (find.step()) {
    file = find.integer(0);
    statements_->remove_places.run(file);
    statements_->change_file.run(state.size, state.mtime, state.search, OrNull{fault}, file);
  } else {
    statements_->add_file.run(path, state.size, state.mtime, state.search, OrNull{fault});
    file = database_.last_id();
  }
  std::int64_t number = 0;
  for (const Place& place : places) {
    const std::int64_t shader = shader_id(*place.entry);
    statements_->add_place.run(file, number, shader, place.layers, place.offset, place.certainty, place.parent);
    ++number;
  }
  if (Clock::now() - began_ > kBetweenCommits) commit();
}

bool Writer::set_fault(const std::string& path, const std::string& fault) {
  begin();
  Statement& find = statements_->find_file.bind(path);
  if (!find.step()) return false;
  const std::int64_t file = find.integer(0);
  statements_->change_fault.run(OrNull{fault}, file);
  return true;
}

void Writer::remove_file(const std::string& path) {
  begin();
  Statement& find = statements_->find_file.bind(path);
  if (!find.step()) return;
  const std::int64_t file = find.integer(0);
  statements_->remove_places.run(file);
  statements_->remove_file.run(file);
}

void Writer::add_run(std::int64_t started, const std::string& version, std::uint64_t files) {
  begin();
  Statement add = database_.prepare("insert into run(started, version, files, shaders) values(?, ?, ?, ?)");
  add.run(started, version, files, new_shaders);
  commit();
}

std::int64_t Writer::shader_id(const Entry& entry) {
  if (const std::int64_t id = known_.id(entry.digest); id != 0) return id;
  const find::Facts& facts = entry.facts;
  const std::int64_t kind = kind_id(facts);
  const auto interface_row = interface_id(facts);
  const auto program_row = program_id(facts);
  std::array<std::vector<std::byte>, 10> names;
  for (const find::Identity& identity : facts.identities)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (identity_columns()[i].id == identity.id) names[i] = digits_of(identity.value);
  const auto blob = [&](std::size_t i) { return std::span<const std::byte>(names[i]); };
  statements_->add_shader.run(bytes_of(entry.digest), kind, interface_row, program_row, entry.size, blob(0), blob(1), blob(2), blob(3),
                              blob(4), blob(5), blob(6), blob(7), blob(8), blob(9));
  const std::int64_t id = database_.last_id();
  if (statements_->add_bytes) statements_->add_bytes->run(id, entry.form, std::span<const std::byte>(entry.bytes));
  if (statements_->add_listing && !entry.listing.empty()) statements_->add_listing->run(id, entry.listing);
  known_.add(entry.digest, id);
  ++new_shaders;
  return id;
}

std::int64_t Writer::kind_id(const find::Facts& facts) {
  const std::string_view family = shader::id(facts.family);
  const std::string key = std::string(family) + '\0' + facts.stage + '\0' + facts.profile + '\0' + facts.creator;
  if (const auto found = kinds_.find(key); found != kinds_.end()) return found->second;
  Statement& find = statements_->find_kind.bind(family, facts.stage, facts.profile, facts.creator);
  std::int64_t id = find.step() ? find.integer(0) : 0;
  if (id == 0) {
    statements_->add_kind.run(family, facts.stage, facts.profile, facts.creator);
    id = database_.last_id();
  }
  if (kinds_.size() >= kMostKept) kinds_.clear();
  return kinds_[key] = id;
}

std::int64_t Writer::name_id(const std::string& name) {
  if (const auto found = names_.find(name); found != names_.end()) return found->second;
  Statement& find = statements_->find_name.bind(name);
  std::int64_t id = find.step() ? find.integer(0) : 0;
  if (id == 0) {
    statements_->add_name.run(name);
    id = database_.last_id();
    statements_->add_name_text.run(id, name);
  }
  if (names_.size() >= kMostKept) names_.clear();
  return names_[name] = id;
}

std::int64_t Writer::opcode_id(shader::Family family, std::uint32_t opcode) {
  const std::uint64_t key = std::uint64_t{static_cast<unsigned>(family)} << 32 | opcode;
  if (const auto found = opcodes_.find(key); found != opcodes_.end()) return found->second;
  const std::string text = shader::opcode_text(family, opcode);
  Statement& find = statements_->find_opcode.bind(shader::id(family), text);
  std::int64_t id = find.step() ? find.integer(0) : 0;
  if (id == 0) {
    statements_->add_opcode.run(shader::id(family), text);
    id = database_.last_id();
  }
  if (opcodes_.size() >= kMostKept) opcodes_.clear();
  return opcodes_[key] = id;
}

std::optional<std::int64_t> Writer::interface_id(const find::Facts& facts) {
  if (facts.names.empty()) return std::nullopt;
  const Digest digest = digest_of(facts.names);
  if (const auto found = interfaces_.find(digest); found != interfaces_.end()) return found->second;
  Statement& find = statements_->find_interface.bind(bytes_of(digest));
  std::int64_t id = find.step() ? find.integer(0) : 0;
  if (id == 0) {
    statements_->add_interface.run(bytes_of(digest));
    id = database_.last_id();
    for (const find::InterfaceName& name : facts.names) {
      const std::int64_t text = name_id(name.name);
      Statement& add = statements_->add_interface_name;
      if (name.is_binding)
        add.run(id, name.kind, text, OrNull{name.letters}, name.space, name.bind_point, name.bind_count);
      else
        add.run(id, name.kind, text, nullptr, nullptr, nullptr, nullptr);
    }
  }
  if (interfaces_.size() >= kMostKept) interfaces_.clear();
  return interfaces_[digest] = id;
}

std::optional<std::int64_t> Writer::program_id(const find::Facts& facts) {
  if (!facts.sketch) return std::nullopt;
  if (const auto found = programs_.find(facts.order); found != programs_.end()) return found->second;
  Statement& find = statements_->find_program.bind(bytes_of(facts.order));
  std::int64_t id = find.step() ? find.integer(0) : 0;
  if (id == 0) {
    statements_->add_program.run(bytes_of(facts.order), facts.instructions, std::as_bytes(std::span(*facts.sketch)));
    id = database_.last_id();
    for (const find::OpcodeCount& one : facts.opcodes)
      statements_->add_program_opcode.run(id, opcode_id(facts.family, one.opcode), one.count);
  }
  if (programs_.size() >= kMostKept) programs_.clear();
  return programs_[facts.order] = id;
}

}  // namespace unshade::index
