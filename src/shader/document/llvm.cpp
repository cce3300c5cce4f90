// LLVM's documents of DXContainers. What they have no fields for is in `rest`:
//
//   family: dxbc              # dxil if it is not said
//   parts:
//     3: {RTS0: {...}}        # a part's contents, by its number: as in documents of ours
//     5: {patch: {gaps: ...}} # bytes of a part that its fields in LLVM's document do not give
//   after: ...                # bytes after the last part, and after the container
//
// Where both say something of a part, they have to agree.
//   trailing: ...
#include "shader/document/llvm.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/writer.hpp>

#include "shader/document/container.hpp"
#include "shader/document/llvm_keys.hpp"

namespace unshade::shader::document {

namespace {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::PartContext;
using dxcontainer::Vendor;
using llvm_form::PartForm;

constexpr const char* kHeader = "Header";
constexpr const char* kParts = "Parts";
constexpr const char* kName = "Name";
constexpr const char* kSize = "Size";
constexpr std::string_view kRestFamily = "family";
constexpr std::string_view kRestParts = "parts";
constexpr std::string_view kPatch = "patch";
/// Of a part whose FourCC cannot be printed: `rest` has it.
constexpr std::string_view kNoName = "????";
/// Documents of all versions are read.
constexpr LlvmVersion kNewestLlvm = LlvmVersion::v21;

using llvm_form::pass_on;

constexpr llvm_form::Key kHashKeys[] = {{"digest", "Hash", llvm_form::Form::bytes}};

std::string name_of(std::uint32_t kind) {
  const Value value = field_value(kind, 4, kFourCC);
  return std::string(value.as_text() != nullptr ? std::string_view(*value.as_text()) : kNoName);
}

// --- building --------------------------------------------------------------------------------------------------------------------------

/// A part of LLVM's document with what `rest` says of it.
struct LlvmPart {
  std::uint32_t kind = 0;
  std::uint32_t size = 0;
  bool states_size = false;
  const PartForm* form = nullptr;  // of the fields below
  const Value* fields = nullptr;
  const Value* rest = nullptr;
  std::uint32_t name_offset = 0;  // in the text
  std::uint32_t size_offset = 0;
  FileBytes before;
  FileBytes data;
  bool done = false;
};

Result<LlvmPart> read_part(const Value& entry) {
  DocumentReader reader(entry);
  LlvmPart part;
  if (const Value* const name = reader.take(kName)) {
    part.name_offset = name->text_offset;
    std::uint64_t number = 0;
    if (name->as_text() == nullptr || !parse_field(*name, 4, kFourCC, number).empty())
      reader.fail(ErrorCode::bad_value, *name, kName, "expected four characters");
    part.kind = static_cast<std::uint32_t>(number);
  } else if (reader.ok()) {
    reader.fail(ErrorCode::missing, entry, kName, "expected the name of the part");
  }
  if (const Value* const size = entry.find(kSize)) {
    part.states_size = true;
    part.size_offset = size->text_offset;
  }
  part.size = reader.take_u32(kSize, 0);
  part.form = llvm_form::find_part_form(part.kind, kNewestLlvm);
  if (part.form != nullptr) part.fields = reader.take(part.form->key);
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return part;
}

/// Members that LLVM's were translated to are where their values are.
void place_members(Value& value) {
  if (auto* const members = value.as_map()) {
    for (Value::Member& member : *members) {
      if (member.key_offset == 0) member.key_offset = member.value.text_offset;
      place_members(member.value);
    }
  }
  if (auto* const list = value.as_list())
    for (Value& element : *list) place_members(element);
}

/// The data of LLVM's fields alone, without padding.
Result<FileBytes> build_fields(const PartDialect& dialect, const PartContext& context, const LlvmPart& part, const LlvmOptions& options) {
  if (part.form->to_bytes != nullptr) {
    auto made = part.form->to_bytes(*part.fields, options);
    if (!made) return std::move(std::move(made).error()).within(part.form->key);
    return made;
  }
  const auto* const document = find_part_document(dialect, part.kind);
  if (document == nullptr) return Error{ErrorCode::unsupported, part.fields->text_offset, part.form->key, "unknown part in this family"};
  auto ours = part.form->to_ours(*part.fields);
  if (!ours) return std::move(std::move(ours).error()).within(part.form->key);
  place_members(*ours);
  PartContext mine = context;
  mine.fourcc = part.kind;
  auto built = document->from_value(mine, *ours);
  // Texts are stored once, or as often as they are used; the size tells which.
  if (built && part.states_size && built->size() > part.size && mine.vendor == Vendor::early_dxc) {
    mine.vendor = Vendor::dxc;
    built = document->from_value(mine, *ours);
  }
  if (!built) {
    Error error = std::move(built).error();
    if (!error.path.empty()) error.path = llvm_form::path_in_llvm(error.path);
    return std::move(error).within(part.form->key);
  }
  return built;
}

/// LLVM's fields of a part; null if it has none of them.
Value fields_of(const PartDialect& dialect, const PartContext& context, const PartForm* form, const Part& part,
                const LlvmOptions& options) {
  Value fields;
  const Value none;
  if (form != nullptr && form->to_bytes != nullptr) {
    if (!form->to_llvm({none, part, context.stage, options}, fields)) return {};
    return fields;
  }
  const auto* const document = find_part_document(dialect, part.fourcc);
  if (form == nullptr || document == nullptr) return fields;
  PartContext mine = context;
  mine.fourcc = part.fourcc;
  const auto ours = document->to_value(part, mine, Places::left_to_the_writer);
  if (!ours || !form->to_llvm({*ours, part, context.stage, options}, fields)) return {};
  return fields;
}

/// The first value of `stated` that is not in `got`, and the path to it.
const Value& first_difference(const Value& stated, const Value& got, std::string& path) {
  const auto* const members = stated.as_map();
  for (std::size_t i = 0; members != nullptr && i < members->size(); ++i) {
    const Value::Member& member = (*members)[i];
    const Value* const other = got.find(member.key);
    if (other != nullptr && *other == member.value) continue;
    path += '/' + member.key;
    return other == nullptr ? member.value : first_difference(member.value, *other, path);
  }
  const auto* const list = stated.as_list();
  for (std::size_t i = 0; list != nullptr && got.as_list() != nullptr && i < std::min(list->size(), got.as_list()->size()); ++i) {
    if ((*list)[i] == (*got.as_list())[i]) continue;
    path += '[' + std::to_string(i) + ']';
    return first_difference((*list)[i], (*got.as_list())[i], path);
  }
  return stated;
}

/// How many of the values of `stated` are others in `got`.
std::size_t count_differences(const Value& stated, const Value& got) {
  std::size_t count = 0;
  if (const auto* const members = stated.as_map()) {
    for (const Value::Member& member : *members) {
      const Value* const other = got.find(member.key);
      count += other != nullptr ? count_differences(member.value, *other) : 1;
    }
    return count;
  }
  const auto* const list = stated.as_list();
  if (list == nullptr || got.as_list() == nullptr) return stated == got ? 0 : 1;
  for (std::size_t i = 0; i < list->size(); ++i)
    count += i < got.as_list()->size() ? count_differences((*list)[i], (*got.as_list())[i]) : 1;
  return count;
}

/// Fields of LLVM's beside a part that `rest` made: they have to be the fields of that part. An edit of either alone would be lost.
Result<void> check_fields(const PartDialect& dialect, const PartContext& context, const LlvmPart& part, const LlvmOptions& options) {
  if (part.fields == nullptr) return {};
  Part made;
  made.fourcc = part.kind;
  made.data = View(std::span<const std::byte>(part.data));
  const auto stated = build_fields(dialect, context, part, options);
  if (!stated) return Error(stated.error());
  // The document does not say whose form it has: that which differs least.
  Value now;
  std::size_t least = ~std::size_t{0};
  for (const LlvmVersion version : {LlvmVersion::v19, LlvmVersion::v21}) {
    LlvmOptions mine = options;
    mine.version = version;
    Value fields = fields_of(dialect, context, part.form, made, mine);
    if (fields.is(Value::Kind::null)) continue;
    LlvmPart same;
    same.kind = part.kind;
    same.size = part.size;
    same.states_size = part.states_size;
    same.form = part.form;
    same.fields = &fields;
    if (const auto got = build_fields(dialect, context, same, mine); got && *got == *stated) return {};
    if (const std::size_t differences = count_differences(*part.fields, fields); differences < least) {
      least = differences;
      now = std::move(fields);
    }
  }
  std::string path = part.form->key;
  const Value& at = first_difference(*part.fields, now, path);
  return Error{ErrorCode::bad_value, at.text_offset, std::move(path),
               "the comments below state another value for this part: edit both, or delete the fields or the comments"};
}

Result<void> build_data(const PartDialect& dialect, PartContext& context, LlvmPart& part, const LlvmOptions& options) {
  if (part.done) return {};
  part.done = true;
  const Value* patch = part.rest != nullptr ? part.rest->find(kPatch) : nullptr;
  if (part.rest != nullptr && patch == nullptr) {
    auto begun = begin_part(*part.rest);
    if (!begun) return std::move(begun).error();
    if (auto done = build_part(dialect, context, *begun); !done) return done;
    if (begun->fourcc != part.kind && !name_of(begun->fourcc).starts_with(kNoName))
      return Error{ErrorCode::bad_value, part.name_offset, kName, "the comments below are those of a part " + name_of(begun->fourcc)};
    part.kind = begun->fourcc;
    part.before = std::move(begun->before);
    part.data = std::move(begun->data);
    if (part.states_size && part.data.size() != part.size)
      return Error{ErrorCode::bad_value, part.size_offset, kSize,
                   "the comments below make a part of " + std::to_string(part.data.size()) + " bytes"};
    return check_fields(dialect, context, part, options);
  }
  if (part.fields != nullptr) {
    auto built = build_fields(dialect, context, part, options);
    if (!built) return std::move(built).error();
    part.data = std::move(*built);
  }
  // Not all versions of dxc padded their parts.
  constexpr std::size_t kPadding = 4;
  while (part.states_size && part.data.size() > part.size && part.data.size() - part.size < kPadding && part.data.back() == std::byte{0})
    part.data.pop_back();
  if (part.states_size && part.data.size() > part.size)
    return Error{ErrorCode::out_of_range, part.fields->text_offset, kSize,
                 "the fields of the part require " + std::to_string(part.data.size()) + " bytes"};
  if (part.states_size) part.data.resize(part.size);
  if (patch == nullptr) return {};
  DocumentReader outer(*part.rest);
  outer.take(kPatch);
  DocumentReader reader(*patch);
  part.before = reader.take_bytes(kBefore);
  apply_patches(reader, part.data, context.most);
  if (auto done = reader.finish(); !done) return std::move(std::move(done).error()).within(std::string(kPatch));
  if (auto done = outer.finish(); !done) return done;
  return check_fields(dialect, context, part, options);
}

/// The members of `rest`, checked for ones without meaning.
struct Rest {
  const PartDialect* dialect = &kDxilParts;
  const Value* parts = nullptr;
  FileBytes after;
  FileBytes trailing;
};

Result<Rest> read_rest(const Value& value, std::vector<LlvmPart>& parts) {
  Rest rest;
  if (value.is(Value::Kind::null)) return rest;
  DocumentReader reader(value);
  if (const Value* const family = reader.take(kRestFamily)) {
    const auto* const name = family->as_text();
    if (name != nullptr && *name == id(kDxbcParts.family)) {
      rest.dialect = &kDxbcParts;
    } else if (name == nullptr || *name != id(kDxilParts.family)) {
      reader.fail(ErrorCode::bad_value, *family, kRestFamily, "expected dxbc or dxil");
    }
  }
  rest.after = reader.take_bytes(kAfter);
  rest.trailing = reader.take_bytes(kTrailing);
  rest.parts = reader.take(kRestParts);
  if (rest.parts != nullptr) {
    const auto* const members = rest.parts->as_map();
    if (members == nullptr) reader.fail(ErrorCode::bad_value, *rest.parts, kRestParts, "expected a map with part numbers as keys");
    for (std::size_t i = 0; members != nullptr && i < members->size(); ++i) {
      const Value::Member& member = (*members)[i];
      std::size_t number = 0;
      const char* const end = member.key.data() + member.key.size();
      const auto parsed = std::from_chars(member.key.data(), end, number);
      if (parsed.ec != std::errc{} || parsed.ptr != end || number >= parts.size() || parts[number].rest != nullptr) {
        Value where;
        where.text_offset = member.key_offset;
        reader.fail(ErrorCode::out_of_range, where, kRestParts, "no part " + member.key.substr(0, 64));
        break;
      }
      parts[number].rest = &member.value;
    }
  }
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return rest;
}

struct Header {
  dxcontainer::ContainerForm form;
  const Value* file_size = nullptr;
  const Value* part_count = nullptr;
  const Value* part_offsets = nullptr;
};

Result<Header> read_header(const Value& value) {
  Header header;
  header.form.signing = dxcontainer::Signing::given;
  DocumentReader reader(value);
  Value hash = Value::map();
  llvm_form::to_ours(kHashKeys, reader, hash);
  const Value* const digest = hash.find(kHashKeys[0].ours);
  if (reader.ok() && (digest == nullptr || digest->as_bytes()->size() != header.form.digest.size())) {
    reader.fail(digest == nullptr ? ErrorCode::missing : ErrorCode::bad_value, digest == nullptr ? value : *digest, kHashKeys[0].llvm,
                "expected 16 bytes");
  } else if (digest != nullptr) {
    std::copy(digest->as_bytes()->begin(), digest->as_bytes()->end(), header.form.digest.begin());
  }
  if (const Value* const version = reader.take("Version")) {
    DocumentReader numbers(*version);
    const std::uint32_t major = numbers.take_u32("Major", 1);
    const std::uint32_t minor = numbers.take_u32("Minor", 0);
    if (major > 0xffff || minor > 0xffff) numbers.fail(ErrorCode::bad_value, *version, "", "a version number exceeds 16 bits");
    header.form.major_version = static_cast<std::uint16_t>(major);
    header.form.minor_version = static_cast<std::uint16_t>(minor);
    if (auto done = numbers.finish(); !done) pass_on(reader, std::move(done).error(), "Version");
  }
  header.file_size = reader.take("FileSize");
  header.part_count = reader.take("PartCount");
  header.part_offsets = reader.take("PartOffsets");
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return header;
}

/// A number that the header states, or `otherwise` if it does not.
Result<std::uint64_t> stated(const Value* value, const char* name, std::uint64_t otherwise) {
  std::uint64_t number = otherwise;
  if (value == nullptr) return number;
  if (auto problem = parse_field(*value, 4, kUnsigned, number); !problem.empty())
    return Error{ErrorCode::bad_value, value->text_offset, name, std::move(problem)};
  return number;
}

/// Zeros between parts and after them, if the header's offsets and size leave room. Returns the zeros after.
Result<std::uint64_t> place_parts(const Header& header, const Rest& rest, std::vector<LlvmPart>& parts, std::uint64_t most) {
  const auto count = stated(header.part_count, "PartCount", parts.size());
  if (!count) return count.error();
  if (*count != parts.size())
    return Error{ErrorCode::out_of_range, header.part_count->text_offset, "PartCount",
                 "expected " + std::to_string(parts.size()) + ", the number of parts"};
  const Value::List* const offsets = header.part_offsets != nullptr ? header.part_offsets->as_list() : nullptr;
  if (header.part_offsets != nullptr && (offsets == nullptr || offsets->size() != parts.size()))
    return Error{ErrorCode::bad_value, header.part_offsets->text_offset, "PartOffsets", "expected an offset for each part"};
  std::uint64_t end = dxcontainer::kHeaderBytes + 4 * parts.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    LlvmPart& part = parts[i];
    const auto offset = stated(offsets != nullptr ? &(*offsets)[i] : nullptr, "PartOffsets", end + part.before.size());
    if (!offset) return offset.error();
    const auto fail = [&](ErrorCode code, const char* message) {
      return Error{code, (*offsets)[i].text_offset, "PartOffsets[" + std::to_string(i) + ']', message};
    };
    if (*offset < end + part.before.size()) return fail(ErrorCode::overlap, "the previous part ends after this offset");
    if (*offset > most) return fail(ErrorCode::limit, "the size exceeds the document's content");
    part.before.resize(static_cast<std::size_t>(*offset - end));
    end = *offset + dxcontainer::kPartHeaderBytes + part.data.size();
  }
  const auto size = stated(header.file_size, "FileSize", end + rest.after.size());
  if (!size) return size.error();
  if (*size < end + rest.after.size())
    return Error{ErrorCode::out_of_range, header.file_size->text_offset, "FileSize", "the size is smaller than the parts"};
  if (*size > most) return Error{ErrorCode::limit, header.file_size->text_offset, "FileSize", "the size exceeds the document's content"};
  return *size - end;
}

/// The stage that the first entry of a part states which states one.
std::uint32_t stage_in(const Value::List& entries) {
  std::uint32_t stage = PartContext{}.stage;
  for (std::size_t i = 0; i < entries.size() && stage == PartContext{}.stage; ++i) stage = llvm_form::stage_in(entries[i]);
  return stage;
}

// --- making ----------------------------------------------------------------------------------------------------------------------------

/// What `rest` has to say of a part that LLVM's document gives `built` of; null for nothing.
Value rest_of(const PartDialect& dialect, const Part& part, const PartContext& context, const FileBytes& built, View before) {
  const auto original = part.data.bytes();
  const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
  const bool keeps_before = !std::all_of(before.bytes().begin(), before.bytes().end(), is_zero);
  const Patches patches = count_patches(built, original);
  const bool named = !name_of(part.fourcc).starts_with(kNoName);
  if (named && !patches.any && !keeps_before) return {};
  constexpr std::uint64_t kFew = 16;
  Value entry = Value::map();
  if (named && patches.bytes <= std::max<std::uint64_t>(kFew, original.size() / 8)) {
    Value patch = Value::map();
    add_patches(patch, built, original);
    if (keeps_before) patch.add(kBefore, Value::bytes(before));
    entry.add(kPatch, std::move(patch));
    return entry;
  }
  DocumentFacts facts;
  entry = make_part(dialect, part, context, facts);
  if (keeps_before) entry.add(kBefore, Value::bytes(before));
  return entry;
}

/// A part's entry. What LLVM's fields cannot say, they do not: then only name and size are there.
Value llvm_entry(const PartDialect& dialect, const Part& part, const PartContext& context, const LlvmOptions& options, FileBytes& built) {
  Value entry = Value::map();
  entry.add(kName, Value::text(name_of(part.fourcc)));
  entry.add(kSize, Value::integer(part.data.size()));
  built.assign(part.data.size(), std::byte{0});
  const PartForm* const form = llvm_form::find_part_form(part.fourcc, options.version);
  Value fields = fields_of(dialect, context, form, part, options);
  if (fields.is(Value::Kind::null)) return entry;
  LlvmPart made;
  made.kind = part.fourcc;
  made.size = static_cast<std::uint32_t>(part.data.size());
  made.states_size = true;
  made.form = form;
  made.fields = &fields;
  PartContext mine = context;
  mine.fourcc = part.fourcc;
  mine.most = 4 * part.data.size() + limits::kBuiltBytesBase;
  if (build_data(dialect, mine, made, options)) {
    built = std::move(made.data);
    entry.add(form->key, std::move(fields));
  }
  return entry;
}

/// What build_llvm() will build the parts of a container with: the stage that the entries state, and what it has built of others by then.
class BuildContexts {
 public:
  BuildContexts(const PartDialect& dialect, const Shader& shader, std::uint32_t stated) {
    const Container& container = *shader.container();
    const auto program = std::ranges::find_if(container.parts, [](const Part& part) { return has_stage(part.fourcc); });
    const View bytes = program != container.parts.end() ? program->data : View();
    const Part* const psv = container.find(fourcc("PSV0"));
    of_programs_.stage = stated;
    of_psv_.stage = stated == PartContext{}.stage ? stage_of(bytes) : stated;
    of_others_.stage = of_psv_.stage;
    take_origin(dialect, shader, psv != nullptr ? psv->data : View(), bytes, of_others_);
  }
  const PartContext& of(const Part& part) const {
    return has_stage(part.fourcc) ? of_programs_ : part.fourcc == fourcc("PSV0") ? of_psv_ : of_others_;
  }

 private:
  PartContext of_programs_, of_psv_, of_others_;
};

struct Entries {
  Value::List parts;
  Value::Map rests;
};
/// Of parts that lie one behind the other.
Entries entries_of(const PartDialect& dialect, const Container& container, const BuildContexts& contexts, const LlvmOptions& options) {
  Entries made;
  std::uint64_t end = dxcontainer::kHeaderBytes + 4 * container.parts.size();
  for (const Part& part : container.parts) {
    FileBytes built;
    Value entry = llvm_entry(dialect, part, contexts.of(part), options, built);
    Value kept = rest_of(dialect, part, contexts.of(part), built, container.file.clamped(end, part.offset - end));
    if (!kept.is(Value::Kind::null)) made.rests.push_back({std::to_string(made.parts.size()), std::move(kept), 0});
    made.parts.push_back(std::move(entry));
    end = part.offset + dxcontainer::kPartHeaderBytes + part.data.size();
  }
  return made;
}

}  // namespace

Result<LlvmDocument> make_llvm(const PartDialect& dialect, const Shader& shader, const LlvmOptions& options) {
  const Container& container = *shader.container();
  const View file = container.file;
  LlvmDocument document;
  Value header = Value::map();
  header.add(kHashKeys[0].llvm, Value::bytes(View(std::span<const std::byte>(container.digest))));
  Value version = Value::map();
  version.add("Major", Value::integer(container.major_version));
  version.add("Minor", Value::integer(container.minor_version));
  header.add("Version", std::move(version));
  header.add("FileSize", Value::integer(container.size));
  header.add("PartCount", Value::integer(container.parts.size()));
  Value offsets = Value::list();
  for (const Part& part : container.parts) offsets.push(Value::integer(part.offset));
  header.add("PartOffsets", std::move(offsets));
  document.container = Value::map();
  document.container.add(kHeader, std::move(header));

  Value rest = Value::map();
  if (dialect.family != kDxilParts.family) rest.add(kRestFamily, Value::text(id(dialect.family)));
  std::uint64_t end = dxcontainer::kHeaderBytes + 4 * container.parts.size();
  for (const Part& part : container.parts) {
    if (part.offset < end)
      return Error{ErrorCode::unsupported, part.offset, kParts, "parts overlap or are not in the order of their offsets"};
    end = part.offset + dxcontainer::kPartHeaderBytes + part.data.size();
  }
  Entries entries;
  std::uint32_t stage = stage_of(container);
  for (unsigned tries = 0; tries < 2; ++tries) {
    entries = entries_of(dialect, container, BuildContexts(dialect, shader, stage), options);
    const std::uint32_t stated = stage_in(entries.parts);
    if (stated == stage) break;
    stage = stated;  // PSV0 may state another one than the program, or be alone
  }
  document.container.add(kParts, Value::list(std::move(entries.parts)));
  if (!entries.rests.empty()) rest.add(kRestParts, Value::map(std::move(entries.rests)));
  if (end < container.size) rest.add(kAfter, Value::bytes(file.clamped(end, container.size - end)));
  if (container.size < file.size()) rest.add(kTrailing, Value::bytes(file.clamped(container.size, file.size())));
  if (!rest.as_map()->empty()) document.rest = std::move(rest);

  const auto built = build_llvm(document.container, document.rest, options);
  constexpr const char* kCannot = "this file cannot be represented in LLVM's format";
  if (!built) return Error{ErrorCode::unsupported, file.file_offset(), "file", std::string(kCannot) + ": " + to_string(built.error())};
  const auto differ = std::ranges::mismatch(*built, file.bytes());
  if (differ.in1 != built->end() || differ.in2 != file.bytes().end())
    return Error{ErrorCode::unsupported, file.file_offset() + static_cast<std::uint64_t>(differ.in2 - file.bytes().begin()), "file",
                 kCannot};
  return document;
}

bool is_llvm(const Value& document) { return document.find(kHeader) != nullptr && document.find(kParts) != nullptr; }

Result<std::vector<std::byte>> build_llvm(const Value& container, const Value& rest_value, const LlvmOptions& options) {
  DocumentReader reader(container);
  const Value* const header_value = reader.take(kHeader);
  const Value* const list = reader.take(kParts);
  if (auto done = reader.finish(); !done) return std::move(done).error();
  if (header_value == nullptr) return Error{ErrorCode::missing, container.text_offset, kHeader, "expected the header of the container"};
  if (list == nullptr || list->as_list() == nullptr) return Error{ErrorCode::bad_value, container.text_offset, kParts, "expected a list"};
  auto header = read_header(*header_value);
  if (!header) return std::move(std::move(header).error()).within(kHeader);
  if (list->as_list()->size() > limits::kParts)
    return Error{ErrorCode::limit, list->text_offset, kParts, "more than " + std::to_string(limits::kParts) + " parts"};

  const auto path = [](std::size_t i) { return std::string(kParts) + '[' + std::to_string(i) + ']'; };
  const std::uint64_t most =
      std::max(std::min(most_bytes(container) + most_bytes(rest_value), limits::kFileBytes), limits::kZeroFilledBytes);
  PartContext context;
  context.most = most;
  std::vector<LlvmPart> parts;
  parts.reserve(list->as_list()->size());
  std::uint64_t sum = 0;
  for (const Value& entry : *list->as_list()) {
    auto part = read_part(entry);
    if (!part) return std::move(std::move(part).error()).within(path(parts.size()));
    if (sum += part->size; sum > most)
      return Error{ErrorCode::limit, entry.text_offset, path(parts.size()) + '/' + kSize, "the size exceeds the document's content"};
    parts.push_back(std::move(*part));
  }
  context.stage = stage_in(*list->as_list());
  const auto rest = read_rest(rest_value, parts);
  if (!rest) return rest.error();

  // What other parts hang on comes first: the stage, then PSV0.
  View program;
  const auto build_if = [&](auto&& wanted) -> Result<void> {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!wanted(parts[i].kind)) continue;
      if (auto done = build_data(*rest->dialect, context, parts[i], options); !done)
        return std::move(std::move(done).error()).within(path(i));
      if (has_stage(parts[i].kind) && program.empty()) program = View(parts[i].data);
      if (has_stage(parts[i].kind) && context.stage == PartContext{}.stage) context.stage = stage_of(View(parts[i].data));
    }
    return {};
  };
  if (auto done = build_if(has_stage); !done) return std::move(done).error();
  if (auto done = build_if([](std::uint32_t kind) { return kind == fourcc("PSV0"); }); !done) return std::move(done).error();
  const auto psv = std::find_if(parts.begin(), parts.end(), [](const LlvmPart& part) { return part.kind == fourcc("PSV0"); });
  take_origin(*rest->dialect, Shader(), psv != parts.end() ? View(psv->data) : View(), program, context);
  if (auto done = build_if([](std::uint32_t) { return true; }); !done) return std::move(done).error();

  const auto zeros = place_parts(*header, *rest, parts, most);
  if (!zeros) return std::move(Error(zeros.error())).within(kHeader);
  FileBytes after = rest->after;
  after.resize(static_cast<std::size_t>(*zeros));
  header->form.after = after;
  header->form.trailing = rest->trailing;
  std::vector<dxcontainer::PartBytes> bytes;
  bytes.reserve(parts.size());
  for (const LlvmPart& part : parts) bytes.push_back({part.kind, part.data, part.before});
  return dxcontainer::write_container(bytes, header->form);
}

}  // namespace unshade::shader::document
