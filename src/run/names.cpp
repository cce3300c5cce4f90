#include <unshade/run/names.hpp>

#include <algorithm>

#include <unshade/core/text/characters.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/text/semantic_name.hpp>
#include <unshade/ir/lower_spirv.hpp>
#include <unshade/shader/built_in_semantics.hpp>

namespace unshade::run {
namespace {

/// `matrix` and 2 of `matrix[2]`.
struct RowName {
  std::string_view name;
  std::optional<std::uint32_t> row;
};
RowName row_name(std::string_view key) {
  const std::size_t open = key.rfind('[');
  if (open == std::string_view::npos || !key.ends_with(']')) return {key, std::nullopt};
  const auto row = as_number<std::uint32_t>(key.substr(open + 1, key.size() - open - 2));
  return row ? RowName{key.substr(0, open), row} : RowName{key, std::nullopt};
}

/// An element by a name of its own, or a row of it.
template <class IsName>
std::optional<NamedRow> row_by_name(const ir::Element& element, std::string_view key, IsName is_name) {
  if (is_name(key)) return NamedRow{0, element.rows != 1};
  const RowName of = row_name(key);
  if (!of.row || *of.row >= element.rows || !is_name(of.name)) return std::nullopt;
  return NamedRow{*of.row, false};
}

/// A row by a semantic of which `first` is the index of the first.
std::optional<NamedRow> of_semantic(const ir::Element& element, std::string_view key, std::string_view semantic, std::uint32_t first) {
  const SemanticName split = split_semantic(key);
  const std::uint32_t row = split.index.value_or(0) - first;
  return same_letters(split.name, semantic) && row < element.rows ? std::optional(NamedRow{row, false}) : std::nullopt;
}

std::string_view after_dot(std::string_view name) { return name.substr(name.rfind('.') + 1); }

std::optional<NamedRow> by_alias(const ir::Element& element, std::string_view key) {
  if (element.variable.empty()) return std::nullopt;
  // DXC names variables by their semantics
  for (const std::string_view prefix : {"in.var.", "out.var."}) {
    if (!element.variable.starts_with(prefix)) continue;
    const SemanticName own = split_semantic(std::string_view(element.variable).substr(prefix.size()));
    if (const auto row = of_semantic(element, key, own.name, own.index.value_or(0))) return row;
  }
  if (!element.built_in.empty()) {
    const std::string_view semantic = shader::semantic_of_built_in(element.built_in);
    if (!semantic.empty()) {
      if (const auto row = of_semantic(element, key, semantic, 0)) return row;
    }
    const std::string_view plain = key.starts_with("gl_") ? key.substr(3) : key;
    if (const auto row = row_by_name(element, plain, [&](std::string_view name) { return same_letters(name, element.built_in); }))
      return row;
  }
  if (element.system_value == dxcontainer::SystemValue::target) {
    const std::uint32_t target = element.second_source ? element.first_register + 1 : element.first_register;
    if (const auto row = of_semantic(element, key, "SV_Target", target)) return row;
  }
  return row_by_name(element, key, [&](std::string_view name) {
    return name == after_dot(element.variable) || (!element.built_in.empty() && after_dot(name) == element.semantic);
  });
}

/// Names in a message.
constexpr std::size_t kMostNames = 8;

}  // namespace

std::string listed(std::span<const std::string> names) {
  std::string made;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k)
    made += (k == 0 ? ": `" : k + 1 == names.size() ? " or `" : ", `") + names[k] + '`';
  return names.size() > kMostNames ? made + ", ..." : made;
}

std::string semantic_key(const ir::Element& element, std::uint32_t row) {
  if (element.has_plain_name()) return element.rows == 1 ? element.semantic : element.semantic + '[' + std::to_string(row) + ']';
  const std::uint32_t index = element.semantic_index + row;
  return element.semantic + (index == 0 ? "" : std::to_string(index));
}

std::optional<NamedRow> row_named(const ir::Element& element, std::string_view key, NameKind kind) {
  const bool is_of_spirv = !element.variable.empty();
  switch (kind) {
    case NameKind::exact:
      if (!is_of_spirv) return std::nullopt;
      return row_by_name(element, key, [&](std::string_view name) {
        return name == element.variable || (element.has_plain_name() && name == element.semantic);
      });
    case NameKind::semantic:
      if (element.has_plain_name())
        return row_by_name(element, key, [&](std::string_view name) { return same_letters(name, element.semantic); });
      break;
    case NameKind::first: break;
    case NameKind::alias: return by_alias(element, key);
  }
  if (element.has_plain_name()) return std::nullopt;
  for (std::uint32_t row = 0; row < element.rows; ++row) {
    const bool is_first = kind == NameKind::first;
    if (is_first && element.semantic_index + row != 0) continue;
    if (same_letters(key, is_first ? element.semantic + '0' : semantic_key(element, row))) return NamedRow{row, false};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> row_in_register(const ir::Element& element, std::string_view key, char letter) {
  constexpr std::string_view kLocation = "location";
  const bool is_location = !element.variable.empty() && key.starts_with(kLocation);
  if (element.first_register == ir::kNone || (!is_location && !key.starts_with(letter))) return std::nullopt;
  const auto number = as_number<std::uint32_t>(key.substr(is_location ? kLocation.size() : 1));
  if (!number || *number < element.first_register) return std::nullopt;
  const std::uint32_t row = *number - element.first_register;
  return row < element.rows ? std::optional(row) : std::nullopt;
}

std::optional<ir::Builtin> builtin_named(std::string_view key, Stage stage, const shader::Reflection* reflection) {
  if (const auto known = ir::builtin_of(key)) return known;
  if (reflection == nullptr || !reflection->has_descriptor_sets()) return std::nullopt;
  for (const shader::EntryPoint& entry : reflection->entry_points) {
    if (entry.stage != stage) continue;
    for (const shader::SignatureElement& one : entry.inputs) {
      if (one.built_in.empty() || (key != one.semantic && key != after_dot(one.semantic))) continue;
      if (const auto known = ir::builtin_of_spirv(one.built_in, stage)) return known;
    }
  }
  for (const shader::BuiltInSemantic& row : shader::built_in_semantics()) {
    if (!same_letters(key, row.semantic)) continue;
    if (const auto known = ir::builtin_of_spirv(row.built_in, stage)) return known;
  }
  return ir::builtin_of_spirv(key.starts_with("gl_") ? key.substr(3) : key, stage);
}

}  // namespace unshade::run
