// The database writer allocates blocks as its streams grow, so that only their numbers say where things lie: they are fields here, not
// hints. The rest follows. Streams that a description runs through are fields, under the name of what they hold: hashes, and sizes that one
// stream states of another, are made from the streams they are about. observed, in all 76 parts of the corpus: of the two free block maps
// the first says that nothing from block 6 on is in use, the second that blocks 3 to 5 and those after the last one are free; unused
// blocks 4 and 5 keep an older state.
#include "dxbc/debug/spdb_document.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/core/archive/stream_values.hpp>
#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/bits/little_endian.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/pdb/msf_layout.hpp>

#include "dxbc/debug/codeview_hash.hpp"
#include "dxbc/debug/spdb_document_layout.hpp"
#include "dxbc/debug/spdb_streams.hpp"

namespace unshade::dxbc::debug {

namespace {

using dxcontainer::PartContext;

constexpr std::uint32_t kFirstMapBlock = 1;
constexpr std::uint32_t kSecondMapBlock = 2;
constexpr std::uint32_t kFirstUnused = 6;  ///< of an empty database
constexpr std::uint32_t kFirstFreed = 3;

// --- streams of fields ---------------------------------------------------------------------------------------------------------------

/// A stream whose document has fields.
struct Fields {
  StreamKind kind;
  const Value* value;
};

/// Kinds whose streams are fields; sources are text, and the rest bytes.
constexpr bool has_fields(StreamKind kind) { return kind != StreamKind::source && kind != StreamKind::unknown; }

std::optional<StreamKind> kind_of(std::string_view name) {
  for (auto kind = StreamKind::old_directory; kind != StreamKind::unknown; kind = static_cast<StreamKind>(static_cast<int>(kind) + 1))
    if (has_fields(kind) && name == id(kind)) return kind;
  return std::nullopt;
}

using Bytes = std::vector<std::byte>;

/// Makes the streams of a database; what follows from other streams is made of these.
class StreamMaker {
 public:
  /// `streams`: the bytes of streams, which take those made. `most`: bytes that each may have.
  StreamMaker(std::vector<Bytes>& streams, std::uint32_t block_bytes, std::uint64_t most) : streams_(&streams), most_(most) {
    form_.msf.block_bytes = block_bytes;
  }

  /// `fields`: of each stream, none if its bytes are there already.
  Result<void> make(const std::vector<std::optional<Fields>>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i] && fields[i]->kind == StreamKind::symbol_records) symbol_records_ = i;
    // what others follow from comes first
    for (const bool follows : {false, true}) {
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!fields[i] || is_of_others(fields[i]->kind) != follows) continue;
        failed_ = i;
        if (auto made = make(i, *fields[i]); !made)
          return std::move(std::move(made).error()).within(id(fields[i]->kind)).within("streams[" + std::to_string(i) + ']');
      }
    }
    failed_.reset();
    return {};
  }
  /// The stream that could not be made.
  std::optional<std::size_t> failed() const { return failed_; }

 private:
  static bool is_of_others(StreamKind kind) {
    return kind == StreamKind::debug_interface || kind == StreamKind::type_hash || kind == StreamKind::global_symbols ||
           kind == StreamKind::public_symbols;
  }

  Result<void> make(std::size_t i, const Fields& fields) {
    switch (fields.kind) {
      case StreamKind::types:
      case StreamKind::ids: {
        codeview::NoTypeVisitor visitor;
        codeview::TypeStream<codeview::NoTypeVisitor> types{{}, &visitor};
        if (auto made = write(i, fields, types); !made) return made;
        complete(types);
        return write(i, fields, types);
      }
      case StreamKind::module: {
        codeview::NoModuleVisitor visitor;
        codeview::Module<codeview::NoModuleVisitor> module;
        module.visitor = &visitor;
        auto made = write(i, fields, module);
        sizes_[static_cast<std::uint32_t>(i)] = {module.symbol_bytes, module.old_line_bytes, module.line_bytes};
        return made;
      }
      case StreamKind::debug_interface: {
        codeview::DebugInterface interface;
        interface.sizes = &sizes_;
        return write(i, fields, interface);
      }
      case StreamKind::type_hash: {
        const codeview::TypeHashes hashes = codeview::type_hashes(types_of(i));
        codeview::TypeHash hash;
        hash.values = View(hashes.values);
        hash.offsets = View(hashes.offsets);
        return write(i, fields, hash);
      }
      case StreamKind::global_symbols: {
        const codeview::SymbolHashes hashes = codeview::symbol_hashes(symbol_records(), false);
        codeview::SymbolHash hash;
        hash.records = View(hashes.records);
        hash.buckets = View(hashes.buckets);
        return write(i, fields, hash);
      }
      case StreamKind::public_symbols: {
        const codeview::SymbolHashes hashes = codeview::symbol_hashes(symbol_records(), true);
        codeview::PublicSymbols symbols;
        symbols.hash.records = View(hashes.records);
        symbols.hash.buckets = View(hashes.buckets);
        return write(i, fields, symbols);
      }
      default: break;
    }
    Result<void> made;
    with_model(form_, {fields.kind, {}, nullptr},
               [&](const char*, auto model, const auto&... context) { made = write(i, fields, model, context...); });
    return made;
  }

  template <class Model, class... Context>
  Result<void> write(std::size_t i, const Fields& fields, Model& model, const Context&... context) {
    ValueStore store;
    StreamFromValue archive(*fields.value, store, most_);
    describe(archive, model, context...);
    auto made = archive.finish();
    if (!made) return std::move(made).error();
    (*streams_)[i] = *std::move(made);
    return {};
  }

  View symbol_records() const { return symbol_records_ ? View((*streams_)[*symbol_records_]) : View(); }
  /// The type stream that says its hashes are in stream `hash`.
  View types_of(std::size_t hash) const {
    for (const std::size_t i : {kTypeStream, kIdStream}) {
      if (i >= streams_->size()) continue;
      codeview::TypeHeader header;
      Reader reader{View((*streams_)[i])};
      describe(reader, header);
      if (reader.ok() && header.hash_stream == hash) return View((*streams_)[i]);
    }
    return {};
  }

  std::vector<Bytes>* streams_;
  Database form_;  // empty, but for the size of blocks
  std::uint64_t most_;
  std::optional<std::size_t> symbol_records_;
  std::optional<std::size_t> failed_;
  codeview::AllModuleSizes sizes_;
};

Bytes bytes_of(View view) { return {view.bytes().begin(), view.bytes().end()}; }

/// A stream as a member of its map.
struct StreamMember {
  StreamKind kind = StreamKind::unknown;
  Value value;  ///< null if fields do not give the stream back
};

/// `originals`: the bytes of all streams.
std::vector<StreamMember> stream_members(View data, const std::vector<View>& originals, std::uint64_t most) {
  std::vector<StreamMember> members(originals.size());
  Database database;
  static_cast<void>(open_database(data, database));
  const std::vector<DatabaseStream> streams = streams_of(database);
  if (streams.size() != originals.size()) return members;
  std::vector<std::optional<Fields>> fields(originals.size());
  const auto describe_stream = [&](std::size_t i, Places places) {
    members[i] = {streams[i].kind, Value()};
    fields[i].reset();
    if (!has_fields(streams[i].kind) || originals[i].empty()) return;
    with_model(database, streams[i], [&](const char*, auto model, const auto&... context) {
      StreamToValue archive(originals[i], places);
      describe(archive, model, context...);
      auto made = archive.finish();
      if (!made) return;
      members[i].value = *std::move(made);
      fields[i] = Fields{streams[i].kind, &members[i].value};
    });
  };
  for (std::size_t i = 0; i < members.size(); ++i) describe_stream(i, Places::left_to_the_writer);
  // What a stream would have otherwise than the makers put it is stated; if even that does not give it back, it stays bytes. Others may
  // follow from it, so that it takes some rounds.
  constexpr int kRounds = 16;
  std::vector<Places> places(members.size(), Places::left_to_the_writer);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Bytes> made;
    for (const View original : originals) made.push_back(bytes_of(original));
    StreamMaker maker(made, database.msf.block_bytes, most);
    static_cast<void>(maker.make(fields));
    bool same = true;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!fields[i] || (maker.failed() ? maker.failed() != i : std::ranges::equal(made[i], originals[i].bytes()))) continue;
      same = false;
      if (places[i] == Places::left_to_the_writer) {
        places[i] = Places::stated;
        describe_stream(i, places[i]);
      } else {
        fields[i].reset();
        members[i].value = Value();
      }
    }
    if (same) return members;
  }
  return std::vector<StreamMember>(originals.size());
}

View without_zeros(View bytes) { return bytes.clamped(0, bytes.text().find_last_not_of('\0') + 1); }

/// The file while it is made: everything goes to blocks of its own.
class Blocks {
 public:
  Blocks(std::uint32_t block_bytes, std::uint32_t count)
      : block_bytes_(block_bytes), file_(std::size_t{block_bytes} * count), used_(count) {
    for (const std::uint32_t block : {0U, kFirstMapBlock, kSecondMapBlock}) used_[block] = true;
  }

  /// What is wrong with the blocks; empty if they hold the bytes now.
  std::string put(const std::vector<std::uint32_t>& blocks, std::span<const std::byte> bytes) {
    if (blocks.size() < (bytes.size() + block_bytes_ - 1) / block_bytes_) return "the data exceeds its blocks";
    for (const std::uint32_t block : blocks) {
      if (block >= used_.size()) return "block " + std::to_string(block) + " does not exist";
      if (used_[block]) return "block " + std::to_string(block) + " is in use already";
      used_[block] = true;
      last_ = std::max(last_, block);
      const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), block_bytes_));
      std::copy(piece.begin(), piece.end(), file_.begin() + static_cast<std::ptrdiff_t>(std::size_t{block} * block_bytes_));
      bytes = bytes.subspan(piece.size());
    }
    return {};
  }
  void put_superblock(std::span<const std::byte> bytes) { std::ranges::copy(bytes, file_.begin()); }
  template <class IsFree>
  void put_map(std::uint32_t block, IsFree&& is_free) {
    const std::size_t from = std::size_t{block} * block_bytes_;
    for (std::uint32_t i = 0; i < 8 * block_bytes_; ++i)
      if (is_free(i)) file_[from + i / 8] |= std::byte{1} << (i % 8);
  }
  std::uint32_t last() const { return last_; }
  std::vector<std::byte> take() { return std::move(file_); }

 private:
  std::uint32_t block_bytes_;
  std::vector<std::byte> file_;
  std::vector<bool> used_;
  std::uint32_t last_ = 0;
};

}  // namespace

Result<Value> spdb_to_value(const dxcontainer::Part& part, const PartContext& context, Places places) {
  const auto msf = dxcontainer::parse_msf(part.data);
  if (!msf) return msf.error();
  SpdbFile d;
  d.block_bytes = msf->block_bytes;
  d.block_count = msf->block_count;
  d.free_block_map = msf->free_block_map;
  d.directory_map_blocks = msf->directory_map.blocks;
  d.directory_blocks = msf->directory.blocks;
  std::vector<bool> used(part.data.size() / d.block_bytes + 1);
  const auto use = [&](const std::vector<std::uint32_t>& blocks) {
    for (const std::uint32_t block : blocks)
      if (block < used.size()) used[block] = true;
  };
  use({0, kFirstMapBlock, kSecondMapBlock});
  use(d.directory_map_blocks);
  use(d.directory_blocks);
  std::vector<dxcontainer::MsfBytes> bytes;  // a stream in one piece borrows nothing that moves
  bytes.reserve(msf->streams.size());
  for (const dxcontainer::MsfStream& stream : msf->streams) {
    use(stream.blocks);
    SpdbStream made;
    made.is_absent = stream.absent;
    made.blocks = stream.blocks;
    made.bytes = bytes.emplace_back(msf->bytes(stream)).view();
    if (const std::size_t in_last = stream.size % d.block_bytes; in_last != 0 && !stream.blocks.empty())
      made.slack = without_zeros(part.data.clamped(std::size_t{stream.blocks.back()} * d.block_bytes + in_last, d.block_bytes - in_last));
    d.streams.push_back(std::move(made));
  }
  for (std::uint32_t block = 0; block < part.data.size() / d.block_bytes; ++block) {
    const View old = without_zeros(part.data.clamped(std::size_t{block} * d.block_bytes, d.block_bytes));
    if (!used[block] && !old.empty()) d.old_blocks.push_back({block, old});
  }
  std::vector<View> originals;
  for (const SpdbStream& stream : d.streams) originals.push_back(stream.bytes);
  std::vector<StreamMember> members = stream_members(part.data, originals, context.most);
  for (std::size_t i = 0; i < members.size(); ++i)
    if (!members[i].value.is(Value::Kind::null)) d.streams[i].bytes = {};
  Value made = value_of(d, places);
  for (Value::Member& member : *made.as_map()) {
    if (member.key != kStreams) continue;
    for (std::size_t i = 0; i < members.size(); ++i)
      if (!members[i].value.is(Value::Kind::null)) (*member.value.as_list())[i].add(id(members[i].kind), std::move(members[i].value));
  }
  return made;
}

/// Takes the members that are streams of fields out of a document, and tells where they are.
static Value take_fields(const Value& value, std::vector<std::optional<Fields>>& fields) {
  Value made = Value::map();
  made.text_offset = value.text_offset;
  if (value.as_map() == nullptr) return value;
  for (const Value::Member& member : *value.as_map()) {
    if (member.key != kStreams || member.value.as_list() == nullptr) {
      made.as_map()->push_back(member);
      continue;
    }
    Value list = Value::list();
    list.text_offset = member.value.text_offset;
    for (const Value& stream : *member.value.as_list()) {
      auto& found = fields.emplace_back();
      if (stream.as_map() == nullptr) {
        list.push(stream);
        continue;
      }
      Value& plain = list.push(Value::map());
      plain.text_offset = stream.text_offset;
      for (const Value::Member& of_stream : *stream.as_map()) {
        const auto kind = kind_of(of_stream.key);
        if (kind && !found) {
          found = Fields{*kind, &of_stream.value};
        } else {
          plain.as_map()->push_back(of_stream);
        }
      }
    }
    made.as_map()->push_back({member.key, std::move(list), member.key_offset});
  }
  return made;
}

Result<std::vector<std::byte>> spdb_from_value(const PartContext& context, const Value& value) {
  SpdbFile d;
  ValueStore store;
  std::vector<std::optional<Fields>> fields;
  const Value plain = take_fields(value, fields);
  if (auto read = read_value(plain, store, d); !read) return std::move(read).error();
  fields.resize(d.streams.size());
  const auto fail = [&](ErrorCode code, std::string path, std::string message) {
    return Error{code, value.text_offset, std::move(path), std::move(message)};
  };
  constexpr std::uint32_t kLeast = 512;
  constexpr std::uint32_t kMost = 32768;
  if (d.block_bytes < kLeast || d.block_bytes > kMost || (d.block_bytes & (d.block_bytes - 1)) != 0)
    return fail(ErrorCode::bad_value, "block_bytes", "expected a power of two from 512 to 32768");
  if (std::uint64_t{d.block_bytes} * d.block_count > context.most) return dxcontainer::too_large(value);
  if (d.block_count < kFirstFreed) return fail(ErrorCode::bad_value, "block_count", "too few blocks for a database");

  std::vector<Bytes> streams;
  for (std::size_t i = 0; i < d.streams.size(); ++i) {
    if (fields[i] && !d.streams[i].bytes.empty())
      return fail(ErrorCode::bad_value, "streams[" + std::to_string(i) + ']', "a stream must have either fields or bytes");
    streams.push_back(bytes_of(d.streams[i].bytes));
  }
  if (auto made = StreamMaker(streams, d.block_bytes, context.most).make(fields); !made) return std::move(made).error();
  for (std::size_t i = 0; i < streams.size(); ++i) d.streams[i].bytes = View(streams[i]);

  // A stream that has grown takes blocks after the last one, one that has shrunk gives its last ones back: a directory tells the number of
  // blocks by sizes alone.
  const auto fit = [&](std::vector<std::uint32_t>& blocks, std::size_t bytes) {
    const std::size_t needed = (bytes + d.block_bytes - 1) / d.block_bytes;
    if (blocks.size() > needed) blocks.resize(needed);
    while (blocks.size() < needed) blocks.push_back(d.block_count++);
  };
  std::size_t directory_bytes = sizeof(std::uint32_t) * (1 + d.streams.size());
  for (SpdbStream& stream : d.streams) {
    fit(stream.blocks, stream.bytes.size());
    directory_bytes += sizeof(std::uint32_t) * stream.blocks.size();
  }
  fit(d.directory_blocks, directory_bytes);
  fit(d.directory_map_blocks, sizeof(std::uint32_t) * d.directory_blocks.size());
  if (std::uint64_t{d.block_bytes} * d.block_count > context.most) return dxcontainer::too_large(value);

  std::vector<std::byte> directory;
  append_little_endian<std::uint32_t>(directory, static_cast<std::uint32_t>(d.streams.size()));
  for (const SpdbStream& stream : d.streams)
    append_little_endian<std::uint32_t>(
        directory, stream.is_absent ? dxcontainer::pdb::kAbsentStream : static_cast<std::uint32_t>(stream.bytes.size()));
  for (const SpdbStream& stream : d.streams) append_all_little_endian<std::uint32_t>(directory, stream.blocks);
  std::vector<std::byte> map;
  append_all_little_endian<std::uint32_t>(map, d.directory_blocks);
  std::vector<std::byte> superblock(dxcontainer::kMsfMagic.size());
  std::memcpy(superblock.data(), dxcontainer::kMsfMagic.data(), superblock.size());
  for (const std::uint32_t word :
       {d.block_bytes, d.free_block_map, d.block_count, static_cast<std::uint32_t>(directory.size()), std::uint32_t{0}})
    append_little_endian<std::uint32_t>(superblock, word);
  append_all_little_endian<std::uint32_t>(superblock, d.directory_map_blocks);

  Blocks blocks(d.block_bytes, d.block_count);
  const std::size_t superblock_room = d.block_bytes;
  if (superblock.size() > superblock_room)
    return fail(ErrorCode::limit, "directory_map_blocks", "the superblock has no room for so many blocks");
  std::optional<Error> fault;
  const auto put = [&](const std::vector<std::uint32_t>& where, std::span<const std::byte> bytes, std::string path) {
    if (std::string wrong = blocks.put(where, bytes); !wrong.empty())
      fault = fail(ErrorCode::out_of_range, std::move(path), std::move(wrong));
    return !fault;
  };
  for (std::size_t i = 0; i < d.streams.size(); ++i) {
    const SpdbStream& stream = d.streams[i];
    std::vector<std::byte> bytes(stream.bytes.bytes().begin(), stream.bytes.bytes().end());
    bytes.insert(bytes.end(), stream.slack.bytes().begin(), stream.slack.bytes().end());
    if (!put(stream.blocks, bytes, "streams[" + std::to_string(i) + "]/blocks")) return *std::move(fault);
  }
  if (!put(d.directory_blocks, directory, "directory_blocks")) return *std::move(fault);
  if (!put(d.directory_map_blocks, map, "directory_map_blocks")) return *std::move(fault);
  const std::uint32_t last = blocks.last();
  for (std::size_t i = 0; i < d.old_blocks.size(); ++i)
    if (!put({d.old_blocks[i].block}, d.old_blocks[i].bytes.bytes(), "old_blocks[" + std::to_string(i) + ']')) return *std::move(fault);
  blocks.put_superblock(superblock);
  blocks.put_map(kFirstMapBlock, [](std::uint32_t block) { return block >= kFirstUnused; });
  blocks.put_map(kSecondMapBlock, [&](std::uint32_t block) { return (block >= kFirstFreed && block < kFirstUnused) || block > last; });
  return blocks.take();
}

}  // namespace unshade::dxbc::debug
