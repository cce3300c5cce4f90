// Documents of DXContainers: DXBC and DXIL.
//
//   digest: valid            # valid, valid-debug, unsigned, bypass, preview-bypass, or 32 hexadecimal digits
//   version: {major: 1, minor: 0}
//   parts:
//   - RDEF: {...}            # a map of fields, or bytes
//     size: 49               # hints: see add_patches()
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <unshade/core/archive/value_fields.hpp>
#include <unshade/dxbc/container/document.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxcontainer/part_document.hpp>
#include <unshade/dxcontainer/writer.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/parts/document.hpp>
#include <unshade/dxil/psv.hpp>

#include "shader/document/container.hpp"

namespace unshade::shader::document {

using dxcontainer::Container;
using dxcontainer::Digest;
using dxcontainer::DigestState;
using dxcontainer::fourcc;
using dxcontainer::Part;
using dxcontainer::PartContext;
using dxcontainer::PartFunctions;
using dxcontainer::Vendor;

namespace {

constexpr std::string_view kDigest = "digest";
constexpr std::string_view kVersion = "version";
constexpr std::string_view kMajor = "major";
constexpr std::string_view kMinor = "minor";
constexpr std::string_view kPartsKey = "parts";

// Validator versions by the bytes of PSV0's runtime information. src: DxilPSVWriter, DxilContainerAssembler.cpp
constexpr std::uint32_t kEarlyPsvBytes = 36;   ///< up to 1.5
constexpr std::uint32_t kEitherPsvBytes = 48;  ///< 1.6 and 1.7: the program tells which
constexpr std::uint32_t kLastEarlyMinor = 6;

bool is_early(const Shader& shader, View psv, View program) {
  const std::uint32_t bytes = psv.u32(0).value_or(~0U);
  if (bytes != kEitherPsvBytes) return bytes <= kEarlyPsvBytes;
  Part part;
  part.fourcc = fourcc("DXIL");
  part.data = program;
  const auto parsed = dxil::parse_program(part);
  if (!parsed) return false;
  const auto module = shader.module(parsed->bitcode);
  if (!module) return false;
  const dxil::ProgramMetadata metadata = dxil::read_program_metadata(**module);
  return metadata.has_validator_version && metadata.validator_major == 1 && metadata.validator_minor <= kLastEarlyMinor;
}

std::vector<dxcontainer::SignatureOrigin> origins_of(const std::vector<dxil::PsvSignatureElement>& elements) {
  std::vector<dxcontainer::SignatureOrigin> made;
  for (const dxil::PsvSignatureElement& element : elements)
    made.push_back({std::string(element.semantic_name.text), element.stream(), element.allocated(), element.start_row, element.rows,
                    element.start_column()});
  return made;
}

std::string key_of(std::uint32_t fourcc) {
  const Value value = field_value(fourcc, 4, kFourCC);
  if (const auto* text = value.as_text()) return *text;
  return hex32(fourcc);
}

Vendor vendor_of_dxbc(const Shader&, View, View) { return Vendor::fxc; }
Vendor vendor_of_dxil(const Shader& shader, View psv, View program) {
  return is_early(shader, psv, program) ? Vendor::early_dxc : Vendor::dxc;
}

const Part* program_part(const Container& container) { return container.find_any({fourcc("DXIL"), fourcc("ILDB")}); }

}  // namespace

const PartDialect kDxbcParts{Family::dxbc, dxbc::container::find_part_functions, vendor_of_dxbc};
const PartDialect kDxilParts{Family::dxil, dxil::parts::find_part_functions, vendor_of_dxil};

const PartFunctions* find_part_document(const PartDialect& dialect, std::uint32_t fourcc) {
  const PartFunctions* const own = dialect.own_functions(fourcc);
  const PartFunctions* const functions = own != nullptr ? own : dxcontainer::find_part_functions(fourcc);
  return functions != nullptr && functions->to_value != nullptr ? functions : nullptr;
}

void take_origin(const PartDialect& dialect, const Shader& shader, View psv, View program, PartContext& context) {
  context.vendor = dialect.vendor(shader, psv, program);
  if (context.vendor == Vendor::fxc || psv.empty()) return;
  Part part;
  part.fourcc = fourcc("PSV0");
  part.data = psv;
  const auto parsed = dxil::parse_psv(part, static_cast<dxil::ShaderKind>(context.stage));
  if (!parsed) return;
  context.inputs = origins_of(parsed->inputs);
  context.outputs = origins_of(parsed->outputs);
  context.patch_or_primitives = origins_of(parsed->patch_or_primitives);
}

std::uint32_t stage_of(View program) {
  const auto version = program.u32(0);
  return version ? *version >> 16 : PartContext{}.stage;
}
std::uint32_t stage_of(const Container& container) {
  const Part* const program = program_part(container);
  return program != nullptr ? stage_of(program->data) : PartContext{}.stage;
}
bool has_stage(std::uint32_t fourcc_value) { return fourcc_value == fourcc("DXIL") || fourcc_value == fourcc("ILDB"); }

PartContext context_of(const PartDialect& dialect, const Shader& shader, const Container& container) {
  PartContext context;
  const auto data_of = [](const Part* part) { return part != nullptr ? part->data : View(); };
  context.stage = stage_of(container);
  take_origin(dialect, shader, data_of(container.find(fourcc("PSV0"))), data_of(program_part(container)), context);
  return context;
}

// --- making ----------------------------------------------------------------------------------------------------------------------------

namespace {

Part part_of(std::uint32_t fourcc, std::span<const std::byte> data) {
  Part part;
  part.fourcc = fourcc;
  part.data = View(data);
  return part;
}

/// The fields of a part that are being built.
class HintedPart final : public HintedThing {
 public:
  HintedPart(const PartFunctions& document, const PartContext& context, const Value& fields)
      : document_(document), context_(context), fields_(fields) {}

  Result<FileBytes> build(Places places, bool& met_hint) const override {
    PartContext context = context_;
    context.places = places;
    context.met_hint = &met_hint;
    return document_.from_value(context, fields_);
  }
  Result<Value> tell(std::span<const std::byte> bytes) const override {
    return document_.to_value(part_of(context_.fourcc, bytes), context_, Places::left_to_the_writer);
  }

 private:
  const PartFunctions& document_;
  const PartContext& context_;
  const Value& fields_;
};

}  // namespace

/// One part: by its fields alone, with the places of things, with bytes between them, or as bytes.
Value make_part(const PartDialect& dialect, const Part& part, PartContext context, DocumentFacts& facts, Hints hints) {
  context.fourcc = part.fourcc;
  context.most = 4 * part.data.size() + limits::kBuiltBytesBase;
  Value made = Value::map();
  const std::string key = key_of(part.fourcc);
  const auto original = part.data.bytes();
  const PartFunctions* const document = find_part_document(dialect, part.fourcc);
  ++facts.parts;
  if (document != nullptr) {
    for (const Places places : {Places::left_to_the_writer, Places::stated}) {
      if (places == Places::stated && hints == Hints::dropped) break;
      auto fields = document->to_value(part, context, places);
      if (!fields) break;
      const auto built = document->from_value(context, *fields);
      if (!built) break;
      if (hints == Hints::dropped) {
        const auto again = document->to_value(part_of(part.fourcc, *built), context, places);
        if (!again || *again != *fields) break;
      }
      const Patches patches = count_patches(*built, original);
      const std::uint64_t most = places == Places::stated ? std::max<std::uint64_t>(kFewBytes, original.size() / 4) : kFewBytes;
      if (patches.bytes > most && hints != Hints::dropped) continue;
      const std::uint64_t in_texts = document->hex_in_texts != nullptr ? document->hex_in_texts(*fields) : 0;
      const std::uint64_t hex = count_bytes(*fields) + in_texts;
      Value hinted = Value::map();
      hinted.add(key, *std::move(fields));
      if (hints != Hints::dropped) add_patches(hinted, *built, original);
      if (hints != Hints::dropped && (patches.any || places == Places::stated)) {
        // a gap may hold what fields say: then they could not be edited
        auto trial = begin_part(hinted);
        if (!trial || !build_part(dialect, context, *trial) || !std::ranges::equal(trial->data, original)) continue;
      }
      facts.hex_bytes += hex;
      facts.hex_in_texts += in_texts;
      if (hints == Hints::dropped) return hinted;
      facts.hex_bytes += patches.bytes;
      if (patches.any || places == Places::stated) ++facts.stated_parts;
      return hinted;
    }
  }
  facts.hex_bytes += original.size();
  made.add(key, Value::bytes(part.data));
  return made;
}

namespace {

enum class Nesting : bool { outermost, inside };

/// Containers inside a part: the members of a document, without its heading.
class Nested final : public dxcontainer::NestedContainers {
 public:
  explicit Nested(Hints hints) : hints_(hints) {}
  Result<Value> to_value(View container) const override;
  Result<FileBytes> from_value(const Value& value, std::uint64_t most) const override;

 private:
  Hints hints_;
};

/// The parts of a container, which is that of `shader` or lies inside of a part.
Result<void> make(const PartDialect& dialect, const Shader& shader, const Container& container, Value& document, DocumentFacts& facts,
                  Hints hints, Nesting nesting) {
  const View file = container.file;
  const DigestState state = dxcontainer::check_digest(container);
  if (state == DigestState::wrong) {
    document.add(kDigest, Value::bytes(View(std::span<const std::byte>(container.digest))));
    facts.hex_bytes += container.digest.size();
  } else {
    document.add(kDigest, Value::text(dxcontainer::id(state)));
  }
  if (container.major_version != 1 || container.minor_version != 0) {
    Value version = Value::map();
    version.add(kMajor, Value::integer(container.major_version));
    version.add(kMinor, Value::integer(container.minor_version));
    document.add(kVersion, std::move(version));
  }
  PartContext context = context_of(dialect, shader, container);
  const Nested nested(hints);
  if (nesting == Nesting::outermost) context.nested = &nested;
  Value parts = Value::list();
  std::uint64_t end = dxcontainer::kHeaderBytes + 4 * container.parts.size();
  for (const Part& part : container.parts) {
    if (part.offset < end)
      return Error{ErrorCode::overlap, part.offset, std::string(kPartsKey), "parts overlap or are not in the order of their offsets"};
    Value made = make_part(dialect, part, context, facts, hints);
    if (part.offset != end) {
      made.add(kBefore, Value::bytes(file.clamped(end, part.offset - end)));
      facts.hex_bytes += part.offset - end;
    }
    parts.push(std::move(made));
    end = part.offset + dxcontainer::kPartHeaderBytes + part.data.size();
  }
  document.add(kPartsKey, std::move(parts));
  if (end < container.size) document.add(kAfter, Value::bytes(file.clamped(end, container.size - end)));
  if (container.size < file.size()) document.add(kTrailing, Value::bytes(file.clamped(container.size, file.size())));
  facts.hex_bytes += file.size() - std::min<std::uint64_t>(end, file.size());
  return {};
}

// --- building --------------------------------------------------------------------------------------------------------------------------

void parse_digest(DocumentReader& reader, dxcontainer::ContainerForm& form) {
  const Value* const value = reader.take(kDigest);
  if (value == nullptr) return;
  if (const std::string* const text = value->as_text()) {
    if (*text == dxcontainer::id(DigestState::valid)) return;
    if (*text == dxcontainer::id(DigestState::valid_debug)) {
      form.signing = dxcontainer::Signing::debug;
      return;
    }
    form.signing = dxcontainer::Signing::given;
    for (const DigestState state : {DigestState::zero, DigestState::bypass, DigestState::preview_bypass}) {
      if (*text != dxcontainer::id(state)) continue;
      form.digest = dxcontainer::sentinel(state);
      return;
    }
  }
  form.signing = dxcontainer::Signing::given;
  std::vector<std::byte> bytes;
  if (!parse_bytes(*value, bytes).empty() || bytes.size() != form.digest.size())
    return reader.fail(ErrorCode::bad_value, *value, kDigest, "expected valid, valid-debug, unsigned, bypass, preview-bypass, or 16 bytes");
  std::copy(bytes.begin(), bytes.end(), form.digest.begin());
}

void parse_version(DocumentReader& reader, dxcontainer::ContainerForm& form) {
  const Value* const value = reader.take(kVersion);
  if (value == nullptr) return;
  DocumentReader version(*value);
  const std::uint32_t major = version.take_u32(kMajor, 1);
  const std::uint32_t minor = version.take_u32(kMinor, 0);
  if (major > 0xffff || minor > 0xffff) version.fail(ErrorCode::bad_value, *value, "", "a version number exceeds 16 bits");
  form.major_version = static_cast<std::uint16_t>(major);
  form.minor_version = static_cast<std::uint16_t>(minor);
  if (auto done = version.finish(); !done) reader.fail(done.error().code, *value, kVersion, done.error().message);
}

}  // namespace

Result<BuiltPart> begin_part(const Value& entry) {
  const auto* members = entry.as_map();
  if (members == nullptr || members->empty())
    return Error{ErrorCode::bad_value, entry.text_offset, "", "expected a map whose first key is a FourCC"};
  BuiltPart part;
  part.entry = &entry;
  part.value = &members->front().value;
  const std::string& key = members->front().key;
  std::uint64_t number = 0;
  if (!parse_field(Value::text(key), 4, kFourCC, number).empty()) {
    std::vector<std::byte> bytes;
    if (!key.starts_with("0x") || !from_hex(std::string_view(key).substr(2), bytes) || bytes.size() != 4)
      return Error{ErrorCode::bad_value, members->front().key_offset, key.substr(0, 64), "expected a FourCC of four characters"};
    for (const std::byte b : bytes) number = number << 8 | static_cast<std::uint64_t>(b);
  }
  part.fourcc = static_cast<std::uint32_t>(number);
  return part;
}

Result<void> build_part(const PartDialect& dialect, PartContext& context, BuiltPart& part, Hints hints) {
  if (part.done) return {};
  part.done = true;
  const std::string name = fourcc_text(part.fourcc);
  context.fourcc = part.fourcc;
  DocumentReader reader(*part.entry);
  reader.take(part.entry->as_map()->front().key);
  part.before = reader.take_bytes(kBefore);
  if (part.value->as_map() != nullptr) {
    const PartFunctions* const document = find_part_document(dialect, part.fourcc);
    if (document == nullptr)
      return Error{ErrorCode::unsupported, part.value->text_offset, name, "this part has no fields in documents: give its bytes"};
    auto built = build_hinted(HintedPart(*document, context, *part.value), *part.value, reader, context.most, hints, part.note);
    if (!built) return std::move(std::move(built).error()).within(name);
    if (part.note) static_cast<void>(std::move(*part.note).within(name));
    part.data = std::move(*built);
  } else if (auto problem = parse_bytes(*part.value, part.data); !problem.empty()) {
    return Error{ErrorCode::bad_value, part.value->text_offset, name, std::move(problem)};
  } else {
    apply_patches(reader, part.data, context.most);
  }
  if (auto done = reader.finish(); !done) return std::move(std::move(done).error()).within(name);
  return {};
}

namespace {

Result<FileBytes> build(const PartDialect& dialect, const Value& document, std::uint64_t most, const BuildOptions& options,
                        Nesting nesting) {
  DocumentReader reader(document);
  if (nesting == Nesting::outermost) {
    reader.take("schema");
    reader.take("family");
  }
  dxcontainer::ContainerForm form;
  parse_digest(reader, form);
  parse_version(reader, form);
  const FileBytes after = reader.take_bytes(kAfter);
  const FileBytes trailing = reader.take_bytes(kTrailing);
  form.after = after;
  form.trailing = trailing;
  const Value* const list = reader.take(kPartsKey);
  if (auto done = reader.finish(); !done) return std::move(done).error();
  if (list != nullptr && list->as_list() == nullptr)
    return Error{ErrorCode::bad_value, list->text_offset, std::string(kPartsKey), "expected a list"};

  std::vector<BuiltPart> parts;
  const auto path = [&](std::size_t i) { return std::string(kPartsKey) + '[' + std::to_string(i) + ']'; };
  if (list != nullptr) {
    if (list->as_list()->size() > limits::kParts)
      return Error{ErrorCode::limit, list->text_offset, std::string(kPartsKey), "more than " + std::to_string(limits::kParts) + " parts"};
    parts.reserve(list->as_list()->size());
    for (const Value& entry : *list->as_list()) {
      auto part = begin_part(entry);
      if (!part) return std::move(std::move(part).error()).within(path(parts.size()));
      parts.push_back(std::move(*part));
    }
  }
  PartContext context;
  context.most = most;
  const Nested nested(options.hints);
  if (nesting == Nesting::outermost) context.nested = &nested;
  View program;
  // What other parts hang on comes first.
  const auto build_if = [&](auto&& wanted) -> Result<void> {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!wanted(parts[i].fourcc)) continue;
      if (auto done = build_part(dialect, context, parts[i], options.hints); !done)
        return std::move(std::move(done).error()).within(path(i));
      if (parts[i].note && options.notes != nullptr) options.notes->push_back((*std::exchange(parts[i].note, {})).within(path(i)));
    }
    return {};
  };
  if (auto done = build_if(has_stage); !done) return std::move(done).error();
  for (const std::uint32_t which : {fourcc("DXIL"), fourcc("ILDB")}) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const BuiltPart& part) { return part.fourcc == which; });
    if (found == parts.end()) continue;
    program = View(found->data);
    context.stage = stage_of(program);
    break;
  }
  if (auto done = build_if([](std::uint32_t kind) { return kind == fourcc("PSV0"); }); !done) return std::move(done).error();
  const auto psv = std::find_if(parts.begin(), parts.end(), [](const BuiltPart& part) { return part.fourcc == fourcc("PSV0"); });
  take_origin(dialect, Shader(), psv != parts.end() ? View(psv->data) : View(), program, context);
  if (auto done = build_if([](std::uint32_t) { return true; }); !done) return std::move(done).error();

  std::vector<dxcontainer::PartBytes> bytes;
  bytes.reserve(parts.size());
  for (const BuiltPart& part : parts) bytes.push_back({part.fourcc, part.data, part.before});
  return dxcontainer::write_container(bytes, form);
}

Result<Value> Nested::to_value(View container) const {
  const auto parsed = dxcontainer::parse_container(container);
  if (!parsed) return parsed.error();
  Value made = Value::map();
  DocumentFacts facts;
  if (auto done = make(kDxbcParts, Shader(), *parsed, made, facts, hints_, Nesting::inside); !done) return std::move(done).error();
  const std::uint64_t most = 4 * container.size() + limits::kBuiltBytesBase;
  const auto built = build(kDxbcParts, made, most, {}, Nesting::inside);
  if (!built) return built.error();
  if (hints_ != Hints::dropped && !std::ranges::equal(*built, container.bytes()))
    return Error{ErrorCode::unsupported, container.file_offset(), "", "this container cannot be represented by fields"};
  return made;
}
Result<FileBytes> Nested::from_value(const Value& value, std::uint64_t most) const {
  return build(kDxbcParts, value, most, {hints_, nullptr}, Nesting::inside);
}

}  // namespace

Result<void> make_dxbc(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints) {
  return make(kDxbcParts, shader, *shader.container(), document, facts, hints, Nesting::outermost);
}
Result<FileBytes> build_dxbc(const Value& document, std::uint64_t most, const BuildOptions& options) {
  return build(kDxbcParts, document, most, options, Nesting::outermost);
}
Result<void> make_dxil(const Shader& shader, Value& document, DocumentFacts& facts, Hints hints) {
  const auto* const container = std::get_if<Container>(&shader.content);
  if (container == nullptr)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", "only containers can be represented by fields"};
  return make(kDxilParts, shader, *container, document, facts, hints, Nesting::outermost);
}
Result<FileBytes> build_dxil(const Value& document, std::uint64_t most, const BuildOptions& options) {
  return build(kDxilParts, document, most, options, Nesting::outermost);
}

}  // namespace unshade::shader::document
