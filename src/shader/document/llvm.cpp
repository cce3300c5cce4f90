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
#include "shader/document/llvm_part.hpp"

namespace unshade::shader::document {

namespace {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::PartContext;
using llvm_form::build_data;
using llvm_form::fields_of;
using llvm_form::has_name;
using llvm_form::kPartName;
using llvm_form::kPartPatch;
using llvm_form::kPartSize;
using llvm_form::LlvmPart;
using llvm_form::name_of;
using llvm_form::PartForm;
using llvm_form::pass_on;
using llvm_form::read_part;

constexpr const char* kHeader = "Header";
constexpr const char* kParts = "Parts";
constexpr std::string_view kRestFamily = "family";
constexpr std::string_view kRestParts = "parts";

constexpr llvm_form::Key kHashKeys[] = {{"digest", "Hash", llvm_form::Form::bytes}};

// --- building --------------------------------------------------------------------------------------------------------------------------

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
  const bool named = has_name(part.fourcc);
  if (named && !patches.any && !keeps_before) return {};
  constexpr std::uint64_t kFew = 16;
  Value entry = Value::map();
  if (named && patches.bytes <= std::max<std::uint64_t>(kFew, original.size() / 8)) {
    Value patch = Value::map();
    add_patches(patch, built, original);
    if (keeps_before) patch.add(kBefore, Value::bytes(before));
    entry.add(kPartPatch, std::move(patch));
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
  entry.add(kPartName, Value::text(name_of(part.fourcc)));
  entry.add(kPartSize, Value::integer(part.data.size()));
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
/// Of parts that lie one after the other.
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
      return Error{ErrorCode::limit, entry.text_offset, path(parts.size()) + '/' + kPartSize, "the size exceeds the document's content"};
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
