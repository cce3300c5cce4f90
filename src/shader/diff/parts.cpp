#include "shader/diff/parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <unshade/core/limits.hpp>
#include <unshade/core/text.hpp>

#include "shader/document/container.hpp"

namespace unshade::shader::diff {

using dxcontainer::Container;
using dxcontainer::fourcc;
using dxcontainer::Part;

namespace {

Result<Value> fields_of(const Container& container, const Part& part) {
  const dxcontainer::PartFunctions* const functions = document::find_part_document(document::kDxilParts, part.fourcc);
  if (functions == nullptr) return Error{ErrorCode::missing, part.offset, part.name(), "a part without fields"};
  dxcontainer::PartContext context = document::context_of(document::kDxilParts, container);
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

class FieldComparison {
 public:
  explicit FieldComparison(std::size_t most) : most_(most) {}

  void compare(const Value& a, const Value& b, const std::string& path) {
    if (changes_.size() >= most_) return;
    const auto* const maps = a.as_map();
    const auto* const lists = a.as_list();
    if (maps != nullptr && b.as_map() != nullptr) {
      // What only one has is of another version of the part.
      for (const Value::Member& member : *maps)
        if (const Value* const other = b.find(member.key); other != nullptr && member.key != kSize)
          compare(member.value, *other, path.empty() ? member.key : path + '.' + member.key);
    } else if (lists != nullptr && b.as_list() != nullptr) {
      const Value::List& others = *b.as_list();
      if (lists->size() != others.size())
        changes_.push_back({path + " count", std::to_string(lists->size()), std::to_string(others.size())});
      for (std::size_t i = 0; i < std::min(lists->size(), others.size()); ++i)
        compare((*lists)[i], others[i], path + '[' + std::to_string(i) + ']');
    } else if (!(a == b)) {
      changes_.push_back({path, text_of(a), text_of(b)});
    }
  }

  std::vector<FieldChange> take() { return std::move(changes_); }

 private:
  static constexpr std::string_view kSize = "runtime_info_bytes";  // the version
  std::size_t most_;
  std::vector<FieldChange> changes_;
};

}  // namespace

void compare_runtime_parts(const Shader& before, const Shader& after, std::vector<Change>& changes) {
  if (before.family != Family::dxil || after.family != Family::dxil || before.container() == nullptr || after.container() == nullptr)
    return;
  constexpr std::size_t kMostFields = 20;
  for (const std::uint32_t code : {fourcc("PSV0"), fourcc("RDAT")}) {
    const Part* const first = before.container()->find(code);
    const Part* const second = after.container()->find(code);
    if (first == nullptr || second == nullptr || std::ranges::equal(first->data.bytes(), second->data.bytes())) continue;
    const auto a = fields_of(*before.container(), *first);
    const auto b = fields_of(*after.container(), *second);
    if (!a || !b) continue;
    FieldComparison comparison(kMostFields);
    comparison.compare(*a, *b, {});
    auto fields = comparison.take();
    if (!fields.empty()) changes.push_back({ChangeKind::changed, true, "runtime data", std::string(first->name()), std::move(fields)});
  }
}

}  // namespace unshade::shader::diff
