#include "shader/document/llvm_part.hpp"

#include <algorithm>
#include <utility>

#include "shader/document/llvm_keys.hpp"

namespace unshade::shader::document::llvm_form {

using dxcontainer::Part;
using dxcontainer::PartContext;
using dxcontainer::Vendor;

namespace {

/// Of a part whose FourCC cannot be printed: `rest` has it.
constexpr std::string_view kNoName = "????";
/// Documents of all versions are read.
constexpr LlvmVersion kNewestLlvm = LlvmVersion::v21;

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
    if (!error.path.empty()) error.path = path_in_llvm(error.path);
    return std::move(error).within(part.form->key);
  }
  return built;
}

}  // namespace

std::string name_of(std::uint32_t kind) {
  const Value value = field_value(kind, 4, kFourCC);
  return std::string(value.as_text() != nullptr ? std::string_view(*value.as_text()) : kNoName);
}

bool has_name(std::uint32_t kind) { return !name_of(kind).starts_with(kNoName); }

Result<LlvmPart> read_part(const Value& entry) {
  DocumentReader reader(entry);
  LlvmPart part;
  if (const Value* const name = reader.take(kPartName)) {
    part.name_offset = name->text_offset;
    std::uint64_t number = 0;
    if (name->as_text() == nullptr || !parse_field(*name, 4, kFourCC, number).empty())
      reader.fail(ErrorCode::bad_value, *name, kPartName, "expected four characters");
    part.kind = static_cast<std::uint32_t>(number);
  } else if (reader.ok()) {
    reader.fail(ErrorCode::missing, entry, kPartName, "expected the name of the part");
  }
  if (const Value* const size = entry.find(kPartSize)) {
    part.states_size = true;
    part.size_offset = size->text_offset;
  }
  part.size = reader.take_u32(kPartSize, 0);
  part.form = find_part_form(part.kind, kNewestLlvm);
  if (part.form != nullptr) part.fields = reader.take(part.form->key);
  if (auto done = reader.finish(); !done) return std::move(done).error();
  return part;
}

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

namespace {

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

}  // namespace

Result<void> build_data(const PartDialect& dialect, PartContext& context, LlvmPart& part, const LlvmOptions& options) {
  if (part.done) return {};
  part.done = true;
  const Value* patch = part.rest != nullptr ? part.rest->find(kPartPatch) : nullptr;
  if (part.rest != nullptr && patch == nullptr) {
    auto begun = begin_part(*part.rest);
    if (!begun) return std::move(begun).error();
    if (auto done = build_part(dialect, context, *begun); !done) return done;
    if (begun->fourcc != part.kind && has_name(begun->fourcc))
      return Error{ErrorCode::bad_value, part.name_offset, kPartName, "the comments below are those of a part " + name_of(begun->fourcc)};
    part.kind = begun->fourcc;
    part.before = std::move(begun->before);
    part.data = std::move(begun->data);
    if (part.states_size && part.data.size() != part.size)
      return Error{ErrorCode::bad_value, part.size_offset, kPartSize,
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
    return Error{ErrorCode::out_of_range, part.fields->text_offset, kPartSize,
                 "the fields of the part require " + std::to_string(part.data.size()) + " bytes"};
  if (part.states_size) part.data.resize(part.size);
  if (patch == nullptr) return {};
  DocumentReader outer(*part.rest);
  outer.take(kPartPatch);
  DocumentReader reader(*patch);
  part.before = reader.take_bytes(kBefore);
  apply_patches(reader, part.data, context.most);
  if (auto done = reader.finish(); !done) return std::move(std::move(done).error()).within(std::string(kPartPatch));
  if (auto done = outer.finish(); !done) return done;
  return check_fields(dialect, context, part, options);
}

}  // namespace unshade::shader::document::llvm_form
