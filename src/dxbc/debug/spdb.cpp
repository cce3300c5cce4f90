// SPDB: a program database in a part. Stream 1 names the streams, 2 holds types, 3 lists modules, 4 holds function names; fxc writes one
// module, which has the variables, inlined calls and line tables.
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include <unshade/core/limits.hpp>
#include <unshade/core/text/characters.hpp>
#include <unshade/dxcontainer/msf.hpp>
#include <unshade/dxcontainer/pdb/streams.hpp>

#include "dxbc/debug/debug_parts.hpp"
#include "dxbc/debug/spdb_streams.hpp"

namespace unshade::dxbc::debug {

namespace {

using dxcontainer::MsfBytes;
using dxcontainer::MsfFile;
using dxcontainer::MsfStream;
using dxcontainer::pdb::read_stream;
using dxcontainer::pdb::record_stream;

/// Most types one after another that an index may reach: a bound on a number, not on memory, which the records themselves take.
constexpr std::uint32_t kFirstTypeMost = 0x0fff'ffff;

/// Paths are compared without regard to case and to the direction of slashes: the stream of "D:\Src\a.fx" is "/src/files/d:\src\a.fx".
std::string path_key(std::string_view path) {
  std::string key(path);
  for (char& c : key) {
    c = c == '\\' ? '/' : lower(c);
  }
  return key;
}

/// Fills DebugInfo::types and members.
struct TypeVisitor {
  DebugInfo* info;

  void begin(std::uint32_t) { info->types.emplace_back().first_member = static_cast<std::uint32_t>(info->members.size()); }
  template <class T>
  void on(std::uint32_t, const T&) {}
  void on(std::uint32_t, const codeview::Vector& t) { set({DebugType::Kind::vector, false, t.element, t.bytes, 0, 0, 0, t.name}); }
  void on(std::uint32_t, const codeview::Matrix& t) {
    set({DebugType::Kind::matrix, (t.attributes & 1) != 0, t.element, t.bytes, t.stride, 0, 0, t.name});
  }
  void on(std::uint32_t, const codeview::StridedArray& t) {
    set({DebugType::Kind::array, false, t.element, t.bytes, t.stride, 0, 0, t.name});
  }
  void on(std::uint32_t, const codeview::Structure& t) { set({DebugType::Kind::structure, false, t.fields, t.bytes, 0, 0, 0, t.name}); }
  void on(std::uint32_t, const codeview::Modifier& t) { set({DebugType::Kind::alias, false, t.type, 0, 0, 0, 0, {}}); }
  void on(std::uint32_t, const codeview::Alias& t) { set({DebugType::Kind::alias, false, t.type, 0, 0, 0, 0, t.name}); }
  template <class T>
  void on(const T&) {}
  void on(const codeview::Member& m) {
    info->members.push_back({m.offset, m.type, m.name});
    ++info->types.back().member_count;
  }
  void set(const DebugType& type) { info->types.back() = type; }
};

/// Names of the functions in the id stream.
struct FunctionVisitor {
  std::unordered_map<std::uint32_t, std::string_view> names;

  void begin(std::uint32_t) {}
  template <class T>
  void on(std::uint32_t, const T&) {}
  void on(std::uint32_t index, const codeview::FunctionId& f) { names.emplace(index, f.name); }
  template <class T>
  void on(const T&) {}
};

/// Reads the module stream.
struct ModuleVisitor {
  /// Lines of a stretch of instructions in an inlined call, relative to where the function begins.
  struct InlinedLines {
    CodeRange range;
    std::int64_t line = 0;
    std::uint16_t column = 0;
    std::uint16_t column_end = 0;
  };
  struct Site {
    std::uint32_t function = 0;
    std::uint32_t scope = 0;
    std::size_t first = 0;  // in inlined
    std::size_t count = 0;
  };
  struct Place {
    std::uint32_t function = 0;
    std::uint32_t file = 0;
    std::uint32_t line = 0;
  };
  struct File {
    std::uint32_t offset = 0;
    std::uint32_t name = 0;
  };

  DebugInfo* info;
  const FunctionVisitor* functions;
  std::uint32_t code_offset = 0;
  std::vector<std::uint32_t> open;  // scopes, innermost last
  std::vector<InlinedLines> inlined;
  std::vector<Site> sites;
  std::vector<Place> places;  // where functions begin
  std::vector<File> files;
  std::vector<LineEntry> lines;  // statements, file still an offset

  template <class T>
  void on(const T&) {}
  void on(const codeview::Compile3& s) { info->compiler = s.version; }
  void on(const codeview::Environment& s) {
    info->entry_point = s.entry_point;
    info->target = s.target;
    info->flags = s.compile_flags;
    info->defines = s.defines;
  }
  void on(const codeview::Procedure& s) {
    code_offset = s.code_offset;
    if (info->scopes.empty()) info->scopes.emplace_back();
    info->scopes[0].function = s.name;
    open.assign(1, 0);
  }
  void on(const codeview::Local& s) {
    info->variables.push_back({s.name, s.type, open.empty() ? 0 : open.back(), (s.flags & codeview::kIsParameter) != 0,
                               (s.flags & codeview::kIsReturnValue) != 0});
  }
  void on(const codeview::Defrange& s) {
    if (info->variables.empty()) return;
    VariableLocation at;
    at.variable = static_cast<std::uint32_t>(info->variables.size() - 1);
    at.offset_in_variable = s.offset_in_variable;
    at.bytes = s.bytes;
    at.register_file = s.register_file;
    at.dimensions = static_cast<std::uint8_t>(std::min<std::uint32_t>(codeview::kDimensions.get(s.bits), 2));
    for (std::size_t i = 0; i < at.dimensions; ++i) at.register_offset[i] = list_u32(s.registers, i);
    at.range = range(s.code_offset, s.code_bytes);
    at.first_gap = static_cast<std::uint32_t>(info->gaps.size());
    at.gap_count = static_cast<std::uint32_t>(s.gaps.size() / 4);
    for (std::size_t i = 0; i < at.gap_count; ++i)
      info->gaps.push_back(range(std::uint64_t{s.code_offset} + s.gaps.u16(i * 4).value_or(0), s.gaps.u16(i * 4 + 2).value_or(0)));
    info->locations.push_back(at);
  }
  void on(const codeview::InlineSite& s) {
    if (info->scopes.empty()) info->scopes.emplace_back();
    Site site;
    site.function = s.function;
    site.scope = static_cast<std::uint32_t>(info->scopes.size());
    site.first = inlined.size();
    unroll(s.annotations);
    site.count = inlined.size() - site.first;
    DebugScope& scope = info->scopes.emplace_back();
    scope.parent = open.empty() ? 0 : open.back();
    if (const auto found = functions->names.find(s.function); found != functions->names.end()) scope.function = found->second;
    std::vector<CodeRange> ranges;
    ranges.reserve(site.count);
    for (std::size_t i = site.first; i < inlined.size(); ++i) ranges.push_back(inlined[i].range);
    std::sort(ranges.begin(), ranges.end(), [](const CodeRange& a, const CodeRange& b) { return a.from < b.from; });
    for (const CodeRange& next : ranges) {
      if (!scope.instructions.empty() && next.from <= scope.instructions.back().to)
        scope.instructions.back().to = std::max(scope.instructions.back().to, next.to);
      else if (next.from < next.to)
        scope.instructions.push_back(next);
    }
    open.push_back(site.scope);
    sites.push_back(site);
  }
  void on_end(codeview::SymbolKind kind) {
    if (kind == codeview::SymbolKind::inline_site_end && open.size() > 1) open.pop_back();
  }
  void on_lines(const codeview::LinesHeader& header, const codeview::LineBlock& block) {
    for (std::size_t i = 0; i < block.lines.size(); ++i) {
      const codeview::Line& line = block.lines[i];
      if (codeview::kIsStatement.get(line.bits) == 0) continue;
      const codeview::Column column = i < block.columns.size() ? block.columns[i] : codeview::Column{};
      lines.push_back({header.code_offset + line.code_offset, block.file, codeview::kLine.get(line.bits), column.first, column.last});
    }
  }
  void on_file(std::uint32_t offset, const codeview::FileChecksum& file) {
    // A second list would begin at 0 again; there is one.
    if (files.empty() || offset > files.back().offset) files.push_back({offset, file.name});
  }
  void on_inlinee(const codeview::InlineeLine& inlinee) { places.push_back({inlinee.function, inlinee.file, inlinee.line}); }

  static CodeRange range(std::uint64_t from, std::uint64_t bytes) {
    constexpr std::uint64_t kMost = 0xffff'ffff;
    return {static_cast<std::uint32_t>(std::min(from, kMost)), static_cast<std::uint32_t>(std::min(from + bytes, kMost))};
  }
  /// Runs the steps of a call site. A stretch without a length ends where the next of its kind begins. Steps come as statements first, then
  /// as expressions, which say the same again for parts of them; only statements count.
  void unroll(View annotations) {
    std::size_t at = 0;
    codeview::AnnotationStep step;
    std::uint64_t base = 0;
    std::uint64_t offset = code_offset;
    std::int64_t line = 0;
    std::uint64_t length = 0;
    std::uint32_t column = 1;
    std::uint32_t column_end = 0;
    bool is_statement = true;
    bool is_open = false;  // the last stretch has no length yet
    while (codeview::next_annotation(annotations, at, step)) {
      using codeview::Annotation;
      bool begins = false;
      switch (step.op) {
        case Annotation::code_offset: offset = step.first; break;
        case Annotation::code_offset_base: base = step.first; break;
        case Annotation::advance_code:
          offset += step.first;
          begins = true;
          break;
        case Annotation::code_length:
          if (is_open && is_statement) inlined.back().range.to = range(inlined.back().range.from, step.first).to;
          is_open = false;
          offset += step.first;
          break;
        case Annotation::advance_line: line += codeview::signed_annotation(step.first); break;
        case Annotation::advance_code_and_line:
          offset += step.first & 15;
          line += codeview::signed_annotation(step.first >> 4);
          begins = true;
          break;
        case Annotation::code_length_and_advance:
          length = step.first;
          offset += step.second;
          begins = true;
          break;
        case Annotation::range_kind:
          is_statement = step.first == 1;
          is_open = is_open && is_statement;
          break;
        case Annotation::column: column = step.first; break;
        case Annotation::column_end: column_end = step.first; break;
        case Annotation::advance_column_end:
          column_end = static_cast<std::uint32_t>(static_cast<std::int64_t>(column_end) + codeview::signed_annotation(step.first));
          break;
        case Annotation::end:
        case Annotation::file:
        case Annotation::line_delta: break;
      }
      if (!begins) continue;
      if (is_statement) {
        if (is_open) inlined.back().range.to = range(base + offset, 0).from;
        inlined.push_back({range(base + offset, length), line, static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(column_end)});
        is_open = length == 0;
      }
      length = 0;
    }
  }

  /// Puts the lines of inlined calls over those of their callers: of all stretches that hold an instruction the last one counts, which is
  /// the innermost call's, since calls follow what they are in. Goes backwards, so that each instruction is set once.
  void resolve() {
    std::stable_sort(lines.begin(), lines.end(), [](const LineEntry& a, const LineEntry& b) { return a.code_offset < b.code_offset; });
    // Of several statements for one instruction the last counts.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i + 1 < lines.size() && lines[i + 1].code_offset == lines[i].code_offset) continue;
      lines[kept++] = lines[i];
    }
    lines.resize(kept);
    std::vector<std::uint32_t> next(lines.size() + 1);  // the first line from here on that is not set yet
    for (std::uint32_t i = 0; i < next.size(); ++i) next[i] = i;
    const auto find = [&next](std::uint32_t i) {
      while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
      }
      return i;
    };
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.function < b.function; });
    for (auto site = sites.rbegin(); site != sites.rend(); ++site) {
      const auto place = std::lower_bound(places.begin(), places.end(), site->function,
                                          [](const Place& a, std::uint32_t function) { return a.function < function; });
      if (place == places.end() || place->function != site->function) continue;
      for (std::size_t k = site->count; k-- != 0;) {
        const InlinedLines& from = inlined[site->first + k];
        const auto first = std::lower_bound(lines.begin(), lines.end(), from.range.from,
                                            [](const LineEntry& entry, std::uint32_t offset) { return entry.code_offset < offset; });
        for (std::uint32_t i = find(static_cast<std::uint32_t>(first - lines.begin())); i < lines.size(); i = find(i + 1)) {
          LineEntry& entry = lines[i];
          if (entry.code_offset >= from.range.to) break;
          entry.file = place->file;
          entry.line = static_cast<std::uint32_t>(from.line + place->line);
          entry.column = from.column;
          entry.column_end = from.column_end;
          next[i] = i + 1;
        }
      }
    }
  }
};

std::string_view base_name(std::string_view key) { return key.substr(key.rfind('/') + 1); }

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// Gives files of the line tables (the first `listed`) the texts of streams whose names differ in how the folders are spelled alone.
/// observed: names of streams went through the system's code page, which garbles what is not ASCII, and may swallow a backslash.
/// Names may be shared by many records: no more than `bytes_left` of them are looked at.
void join_garbled_names(std::size_t listed, std::size_t bytes_left, DebugInfo& info) {
  constexpr std::size_t kSeveral = static_cast<std::size_t>(-1);
  std::unordered_map<std::string, std::size_t> streams;  // by name without folders
  std::unordered_map<std::string, std::size_t> wanting;
  for (std::size_t i = 0; i < info.files.size(); ++i) {
    const SourceFile& file = info.files[i];
    if (is_ascii(file.name) || (i < listed) == file.has_text) continue;
    if (file.name.size() > bytes_left) break;
    bytes_left -= file.name.size();
    auto& names = i < listed ? wanting : streams;
    const auto [at, is_new] = names.try_emplace(std::string(base_name(path_key(file.name))), i);
    if (!is_new) at->second = kSeveral;
  }
  std::vector<bool> joined(info.files.size());
  for (const auto& [name, file] : wanting) {
    const auto stream = streams.find(name);
    if (file == kSeveral || stream == streams.end() || stream->second == kSeveral) continue;
    info.files[file].text = info.files[stream->second].text;
    info.files[file].has_text = true;
    joined[stream->second] = true;
  }
  std::size_t kept = listed;
  for (std::size_t i = listed; i < info.files.size(); ++i)
    if (!joined[i]) info.files[kept++] = info.files[i];
  info.files.resize(kept);
}

}  // namespace

Result<DebugInfo> parse_spdb(const dxcontainer::Part& part, DebugDetail detail) {
  Database database;
  if (auto done = open_database(part.data, database); !done) return std::move(done).error().within(part.name());
  const MsfFile& msf = database.msf;

  DebugInfo info;
  info.part_bytes = part.data.size();
  const auto type_bytes = database.fixed[kTypeStream].view();
  if (!type_bytes.empty()) {
    TypeVisitor visitor{&info};
    codeview::TypeStream<TypeVisitor> types{{}, &visitor};
    if (auto done = read_stream(msf, msf.streams[kTypeStream], type_bytes, "types", types); !done)
      return std::move(done).error().within(part.name());
    info.first_type = std::min(types.header.first_index, kFirstTypeMost);
    for (const DebugType& type : info.types)
      std::stable_sort(info.members.begin() + type.first_member, info.members.begin() + type.first_member + type.member_count,
                       [](const DebugMember& a, const DebugMember& b) { return a.offset < b.offset; });
  }
  FunctionVisitor functions;
  if (!database.fixed[kIdStream].view().empty()) {
    codeview::TypeStream<FunctionVisitor> ids{{}, &functions};
    if (auto done = read_stream(msf, msf.streams[kIdStream], database.fixed[kIdStream].view(), "ids", ids); !done)
      return std::move(done).error().within(part.name());
  }

  ModuleVisitor visitor{};
  visitor.info = &info;
  visitor.functions = &functions;
  // fxc writes one module; of more, whose offsets would all be in one token program, the first that has symbols is taken.
  for (const codeview::ModuleInfo& listed : database.interface.modules) {
    if (listed.stream == kNoStream || listed.stream >= msf.streams.size()) continue;
    MsfBytes bytes = msf.bytes(listed.stream);
    codeview::Module<ModuleVisitor> module{listed.symbol_bytes, listed.old_line_bytes, listed.line_bytes, &visitor};
    if (auto done = read_stream(msf, msf.streams[listed.stream], bytes.view(), "module", module); !done)
      return std::move(done).error().within(part.name());
    info.storage.push_back(std::move(bytes));
    break;
  }
  visitor.resolve();

  // Files: those of the line tables in their order, then those whose text is there all the same.
  std::unordered_map<std::string, std::uint32_t> by_path;
  Names names(database.names.strings);
  for (const ModuleVisitor::File& file : visitor.files) info.files.push_back({names.at(file.name), {}, false});
  if (detail == DebugDetail::sources) {
    std::size_t key_bytes = 0;  // names may be shared by many records, so what is copied of them is bounded
    for (std::uint32_t i = 0; i < info.files.size() && key_bytes <= part.data.size(); ++i) {
      key_bytes += info.files[i].name.size();
      by_path.emplace(path_key(info.files[i].name), i);
    }
    for_names(database.information, [&](std::string_view name, std::uint32_t stream) {
      if (!name.starts_with(kSourcePrefix) || stream >= msf.streams.size()) return;
      name.remove_prefix(kSourcePrefix.size());
      if (key_bytes > part.data.size()) return;
      key_bytes += name.size();
      const auto [found, is_new] = by_path.try_emplace(path_key(name), static_cast<std::uint32_t>(info.files.size()));
      if (is_new) info.files.push_back({name, {}, false});
      SourceFile& file = info.files[found->second];
      if (file.has_text) return;
      MsfBytes bytes = msf.bytes(stream);
      file.text = bytes.view().text();
      file.has_text = true;
      info.storage.push_back(std::move(bytes));
    });
    join_garbled_names(visitor.files.size(), part.data.size(), info);
  }
  info.lines = std::move(visitor.lines);
  // A line whose file is not listed is of no use. Offsets of files ascend, as they were read.
  std::erase_if(info.lines, [&](LineEntry& entry) {
    const auto found = std::lower_bound(visitor.files.begin(), visitor.files.end(), entry.file,
                                        [](const ModuleVisitor::File& file, std::uint32_t offset) { return file.offset < offset; });
    if (found == visitor.files.end() || found->offset != entry.file) return true;
    entry.file = static_cast<std::uint32_t>(found - visitor.files.begin());
    return false;
  });
  if (info.scopes.empty()) info.scopes.emplace_back();
  for (MsfBytes& bytes : database.fixed) info.storage.push_back(std::move(bytes));
  info.storage.push_back(std::move(database.names_bytes));
  return info;
}

void record_spdb(const dxcontainer::Part& part, Tree& tree, std::uint32_t group) {
  Database database;
  if (auto done = open_database(part.data, database); !done) tree.fail(std::move(done).error().within(part.name()));
  const MsfFile& msf = database.msf;
  if (msf.block_bytes == 0) return;
  record_msf(msf, part.name(), tree, group);
  const std::vector<DatabaseStream> streams = streams_of(database);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (msf.streams[i].size == 0) continue;
    const MsfBytes bytes = msf.bytes(i);
    with_model(database, streams[i], [&](const char* name, auto model, const auto&... context) {
      record_stream(msf, msf.streams[i], bytes.view(), name, tree, group, static_cast<std::uint32_t>(i), part.name(), model, context...);
    });
  }
}

}  // namespace unshade::dxbc::debug
