#include "shader/diff/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxcontainer/signature.hpp>
#include <unshade/dxil/derive.hpp>
#include <unshade/dxil/parts.hpp>
#include <unshade/dxil/psv.hpp>
#include <unshade/dxil/rdat.hpp>

#include "shader/document/container.hpp"

namespace unshade::shader::diff {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

Result<Value> fields_of(const Shader& shader, const Part& part) {
  const dxcontainer::PartFunctions* const functions = document::find_part_document(document::kDxilParts, part.fourcc);
  if (functions == nullptr) return Error{ErrorCode::missing, part.offset, part.name(), "a part without fields"};
  dxcontainer::PartContext context = document::context_of(document::kDxilParts, shader, *shader.container());
  context.fourcc = part.fourcc;
  context.most = 4 * part.data.size() + limits::kBuiltBytesBase;
  return functions->to_value(part, context, Places::left_to_the_writer);
}

std::string text_of(const Value& value) {
  Text text;
  if (const Integer* const integer = value.as_integer())
    (text << (integer->negative ? "-" : "")).dec(integer->magnitude);
  else if (const Real* const real = value.as_real())
    text.shortest(real->wide);
  else if (const bool* const boolean = value.as_boolean())
    text << (*boolean ? "yes" : "no");
  else if (const std::string* const words = value.as_text())
    text << *words;
  else if (const Value::Bytes* const bytes = value.as_bytes())
    for (const std::byte byte : *bytes) text.hex(std::to_integer<std::uint32_t>(byte), 2);
  else
    text << id(value.kind());
  return text.str();
}

/// The number of a member, as an integer of a value; nothing if there is none.
std::optional<std::uint64_t> number_in(const Value& map, std::string_view key) {
  const Value* const value = map.find(key);
  return value != nullptr && value->as_integer() != nullptr ? std::optional(value->as_integer()->magnitude) : std::nullopt;
}

class FieldComparison {
 public:
  explicit FieldComparison(std::size_t most) : most_(most) {}

  void compare(const Value& a, const Value& b) {
    const std::uint64_t older = std::min(number_in(a, kVersion).value_or(0), number_in(b, kVersion).value_or(0));
    const bool lists_alone = older == dxil::kPsvInfoBytes[0] && number_in(a, kVersion) != number_in(b, kVersion);
    for_each_member(&a, &b, [&](const std::string& key, const Value* one, const Value* other) {
      if (lists_alone && key != "resources" && key != "runtime_info") return;  // PSV0 has the rest from version 1 on
      compare(one, other, key, is_of_other_version(a, b, key));
    });
  }

  std::vector<FieldChange> take() { return std::move(changes_); }
  /// Of those that differ, those that are too many to take.
  std::size_t left_out() const { return left_out_; }

 private:
  static constexpr std::string_view kVersion = "runtime_info_bytes";  // of PSV0
  static constexpr std::string_view kRecordBytes = "record_bytes";    // of RDAT: a map, by table, of those that are not the newest
  static constexpr std::string_view kStrides[] = {"resource_stride", "element_stride"};

  static bool is_layout(std::string_view key) {
    return key == kVersion || key == kRecordBytes || std::ranges::find(kStrides, key) != std::end(kStrides);
  }

  /// Calls `visit` with each member that either has but those of layout; null: it does not have it.
  template <class Visit>
  static void for_each_member(const Value* a, const Value* b, Visit&& visit) {
    if (a != nullptr && a->as_map() != nullptr)
      for (const Value::Member& member : *a->as_map())
        if (!is_layout(member.key)) visit(member.key, &member.value, b != nullptr ? b->find(member.key) : nullptr);
    if (b != nullptr && b->as_map() != nullptr)
      for (const Value::Member& member : *b->as_map())
        if (!is_layout(member.key) && (a == nullptr || a->find(member.key) == nullptr)) visit(member.key, nullptr, &member.value);
  }

  /// Whether records of a member of the part may lack fields that the other side's have.
  static bool is_of_other_version(const Value& a, const Value& b, std::string_view key) {
    const auto differs = [&](std::string_view field) { return number_in(a, field) != number_in(b, field); };
    const Value* const one = a.find(kRecordBytes);
    const Value* const other = b.find(kRecordBytes);
    const auto stride = [&](const Value* strides) { return strides != nullptr ? number_in(*strides, key) : std::nullopt; };
    return differs(kVersion) || std::ranges::any_of(kStrides, differs) || stride(one) != stride(other);
  }

  void add(const std::string& path, std::string before, std::string after) {
    if (changes_.size() < most_)
      changes_.push_back({path, std::move(before), std::move(after)});
    else
      ++left_out_;
  }

  /// Either may be null. Documents leave out lists that are empty, and numbers of records where there is no such record.
  void compare(const Value* a, const Value* b, const std::string& path, bool other_version) {
    const Value& any = a != nullptr ? *a : *b;
    if (any.as_map() != nullptr && (a == nullptr || b == nullptr || b->as_map() != nullptr)) {
      for_each_member(a, b, [&](const std::string& key, const Value* one, const Value* other) {
        // The only list that older records lack.
        if (other_version && (one == nullptr || other == nullptr) && key == "shader_flags") return;
        compare(one, other, path.empty() ? key : path + '.' + key, other_version);
      });
    } else if (any.as_list() != nullptr && (a == nullptr || b == nullptr || b->as_list() != nullptr)) {
      const std::size_t in_a = a != nullptr ? a->as_list()->size() : 0;
      const std::size_t in_b = b != nullptr ? b->as_list()->size() : 0;
      if (in_a != in_b) add(path + " count", std::to_string(in_a), std::to_string(in_b));
      for (std::size_t i = 0; i < std::min(in_a, in_b); ++i)
        compare(&(*a->as_list())[i], &(*b->as_list())[i], path + '[' + std::to_string(i) + ']', other_version);
    } else if (a == nullptr || b == nullptr) {
      if (!other_version) add(path, a != nullptr ? text_of(*a) : std::string(), b != nullptr ? text_of(*b) : std::string());
    } else if (!(*a == *b)) {
      add(path, text_of(*a), text_of(*b));
    }
  }

  std::size_t most_;
  std::size_t left_out_ = 0;
  std::vector<FieldChange> changes_;
};

/// Whether a part is what the program beside it asks for: then the interface and the code tell all of it.
bool follows_from_program(const Shader& shader, const Part& part) {
  const Container& container = *shader.container();
  const Part* const program = container.find_any({fourcc("DXIL"), fourcc("ILDB")});
  const auto parsed = program != nullptr ? dxil::parse_program(*program) : Result<dxil::Program>(Error{});
  if (!parsed) return false;
  const auto module = shader.module(parsed->bitcode);
  if (!module) return false;
  const Part* const runtime_data = container.find(fourcc("RDAT"));
  const auto rdat = runtime_data != nullptr ? dxil::parse_rdat(*runtime_data) : Result<dxil::Rdat>(Error{});
  for (const dxil::DerivedPart& made : dxil::derive_parts(dxil::read_program_metadata(**module), rdat ? &*rdat : nullptr))
    if (made.fourcc == part.fourcc) return std::ranges::equal(made.data, part.data.bytes());
  return false;
}

/// Whether a part without a counterpart says something. No SFI0 means no features, no signature no elements.
bool says_something(const Part& part) {
  const bool is_signature = dxcontainer::is_signature(part.fourcc);
  if (!is_signature && part.fourcc != fourcc("SFI0")) return true;
  const View data = is_signature ? part.data.clamped(0, 4) : part.data;  // of a signature: the number of elements
  return std::ranges::any_of(data.bytes(), [](std::byte byte) { return byte != std::byte{}; });
}

/// Parts that runtimes read, and that one of the containers lacks. Reflections have their content from elsewhere then.
void compare_presence(const Container& before, const Container& after, std::vector<Change>& changes) {
  using dxcontainer::PartRole;
  for (const dxcontainer::PartKind& kind : dxcontainer::part_kinds()) {
    if (kind.meaning != dxcontainer::PartMeaning::interface || kind.strip != dxcontainer::StripClass::never) continue;
    const auto in = [&](const Container& container) {
      return kind.is_signature() ? container.find(kind.role) : container.find(kind.fourcc);
    };
    const Part* const first = in(before);
    const Part* const second = in(after);
    const Part* const part = first != nullptr ? first : second;
    if ((first == nullptr) == (second == nullptr) || part->fourcc != kind.fourcc || !says_something(*part)) continue;
    const std::string size = std::to_string(part->data.size());
    if (first != nullptr)
      changes.push_back({ChangeKind::removed, true, std::string(kRuntimeData), std::string(part->name()), {{"size", size, {}}}});
    else
      changes.push_back({ChangeKind::added, true, std::string(kRuntimeData), std::string(part->name()), {{"size", {}, size}}});
  }
}

}  // namespace

void compare_runtime_parts(const Shader& before, const Shader& after, std::vector<Change>& changes, std::vector<std::string>& notes) {
  // A program database is for tools: it has no such parts.
  if (before.family != after.family || before.container() == nullptr || after.container() == nullptr || before.pdb() != nullptr ||
      after.pdb() != nullptr)
    return;
  const bool same_interface = std::ranges::none_of(changes, &Change::meaning);
  compare_presence(*before.container(), *after.container(), changes);
  if (before.family != Family::dxil) return;
  constexpr std::size_t kMostFields = 20;
  for (const std::uint32_t code : {fourcc("PSV0"), fourcc("RDAT")}) {
    const Part* const first = before.container()->find(code);
    const Part* const second = after.container()->find(code);
    if (first == nullptr || second == nullptr || std::ranges::equal(first->data.bytes(), second->data.bytes())) continue;
    if (!same_interface && follows_from_program(before, *first) && follows_from_program(after, *second)) continue;
    const auto a = fields_of(before, *first);
    const auto b = fields_of(after, *second);
    const std::string name(first->name());
    if (!a || !b) {
      notes.push_back("fields of " + name + " are not compared: the " + (!a ? "first" : "second") +
                      " file: " + to_string(!a ? a.error() : b.error()));
      changes.push_back({ChangeKind::changed, true, std::string(kRuntimeData), name, {}});
      continue;
    }
    FieldComparison comparison(kMostFields);
    comparison.compare(*a, *b);
    if (comparison.left_out() != 0)
      notes.push_back("of " + name + ", " + std::to_string(comparison.left_out()) + " more fields differ than are listed");
    auto fields = comparison.take();
    if (!fields.empty()) changes.push_back({ChangeKind::changed, true, std::string(kRuntimeData), name, std::move(fields)});
  }
}

}  // namespace unshade::shader::diff
