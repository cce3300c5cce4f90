#include "dxil/edit/signatures.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "dxil/parts/text_table.hpp"

namespace unshade::dxil::edit {

namespace {

using dxcontainer::SignatureElement;

constexpr std::size_t kHeaderBytes = 8;

struct Names {
  std::vector<std::uint32_t> offsets;  ///< by element; from the part's start
  std::vector<std::byte> bytes;
};

/// Below version 1.7 each element has a name of its own, but for those of system values, which are texts of dxc's.
Names place_names(std::span<const RenamedElement> elements, std::string RenamedElement::* name, std::size_t first, bool since_1_7) {
  Names result;
  parts::TextTableWriter table;
  for (const RenamedElement& element : elements) {
    const bool shared = since_1_7 || element.semantic != SemanticKind::arbitrary;
    result.offsets.push_back(static_cast<std::uint32_t>(first) + (shared ? table.add(element.*name) : table.append(element.*name)));
  }
  result.bytes = table.take(since_1_7 ? parts::Padding::words : parts::Padding::none);
  return result;
}

std::uint32_t register_of(const RenamedElement& element, std::size_t row) {
  return element.start_row < 0 ? dxcontainer::kNoRegister : static_cast<std::uint32_t>(element.start_row) + static_cast<std::uint32_t>(row);
}

/// A row of the part: which one of the module's it is.
struct Row {
  std::uint32_t element = 0;
  std::uint32_t row = 0;
  std::uint32_t place = 0;  ///< in the part
};

}  // namespace

bool rename_in_signature(dxcontainer::Signature& signature, View part, std::span<const RenamedElement> elements, bool since_1_7) {
  auto& items = signature.elements.items;
  const std::size_t first = kHeaderBytes + items.size() * signature.layout.stride();
  if (signature.elements.offset != kHeaderBytes) return false;
  const Names before = place_names(elements, &RenamedElement::name, first, since_1_7);
  if (!std::ranges::equal(part.clamped(first, part.size()).bytes(), before.bytes)) return false;

  // Rows by what the part says of them.
  using Said = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // stream, register, offset of the name, index
  std::map<Said, Row> rows_of_module;
  for (std::uint32_t e = 0; e < elements.size(); ++e)
    for (std::uint32_t r = 0; r < elements[e].indexes.size(); ++r)
      if (!rows_of_module
               .try_emplace({elements[e].stream, register_of(elements[e], r), before.offsets[e], elements[e].indexes[r]}, Row{e, r})
               .second)
        return false;
  std::vector<Row> rows;
  std::vector<std::uint32_t> found(elements.size(), 0);
  for (const SignatureElement& item : items) {
    const auto row = rows_of_module.find({item.stream, item.register_index, item.semantic.offset, item.semantic_index});
    if (row == rows_of_module.end()) return false;
    row->second.place = static_cast<std::uint32_t>(rows.size());
    rows.push_back(row->second);
    ++found[row->second.element];
    rows_of_module.erase(row);
  }
  // System values that are not part of the signature have a name there, and no rows.
  for (std::size_t e = 0; e < elements.size(); ++e)
    if (found[e] != elements[e].indexes.size() && (found[e] != 0 || elements[e].semantic == SemanticKind::arbitrary)) return false;

  const auto key = [&](const Row& row, const Names& names) {
    return std::tuple(elements[row.element].stream, register_of(elements[row.element], row.row), names.offsets[row.element]);
  };
  const auto in_module = [](const Row& row) { return std::pair(row.element, row.row); };
  // Rows of one register and name stand as in the module; in large signatures, the sort of the compiler's library may have mixed them.
  bool mixed = false;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto a = key(rows[i - 1], before);
    const auto b = key(rows[i], before);
    if (a > b) return false;
    mixed = mixed || (a == b && in_module(rows[i - 1]) > in_module(rows[i]));
  }

  const Names after = place_names(elements, &RenamedElement::new_name, first, since_1_7);
  std::ranges::sort(rows, [&](const Row& a, const Row& b) {
    const auto left = key(a, after);
    const auto right = key(b, after);
    if (left != right) return left < right;
    return mixed ? a.place < b.place : in_module(a) < in_module(b);
  });
  std::vector<SignatureElement> renamed;
  for (const Row& row : rows) {
    SignatureElement& item = renamed.emplace_back(items[row.place]);
    const RenamedElement& element = elements[row.element];
    item.semantic = {element.new_name, after.offsets[row.element]};
    item.semantic_index += element.shift;
  }
  items = std::move(renamed);
  signature.size = static_cast<std::uint32_t>(first + after.bytes.size());
  signature.fill = std::byte{0};
  return true;
}

}  // namespace unshade::dxil::edit
