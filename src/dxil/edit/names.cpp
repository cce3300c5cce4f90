#include "dxil/edit/names.hpp"

#include <limits>
#include <utility>

#include <unshade/core/text/new_names.hpp>
#include <unshade/core/text/numbers.hpp>
#include <unshade/core/text/semantic_name.hpp>

namespace unshade::dxil::edit {

namespace {

constexpr std::string_view kMangled = "\1?";

/// `name[3]`, or `name` with the index left open.
std::pair<std::string_view, std::optional<std::uint32_t>> split_node(std::string_view text) {
  const std::size_t open = text.rfind('[');
  if (open == text.npos || !text.ends_with(']')) return {text, std::nullopt};
  const auto index = as_number<std::uint32_t>(text.substr(open + 1, text.size() - open - 2));
  return index ? std::pair(text.substr(0, open), index) : std::pair(text, index);
}

/// `tint`, or with the block in front of both names.
bool is_member_name(std::string_view to, std::string_view from) {
  const auto end_of_block = from.rfind('.') + 1;
  if (to.starts_with(from.substr(0, end_of_block))) to.remove_prefix(end_of_block);
  return is_identifier(to);
}

bool is_hlsl_name(const Rename& change) {
  const std::string_view to = change.to;
  switch (change.what) {
    case NameKind::entry: return is_identifier(to) || (to.starts_with(kMangled) && change.from.starts_with(kMangled));
    case NameKind::input:
    case NameKind::output:
    case NameKind::patch: return is_identifier(to);
    case NameKind::resource: return is_dotted_name(to);
    case NameKind::variable: return is_member_name(to, change.from);
    case NameKind::node: return !split_node(to).first.empty();  // a string
  }
  return true;
}

}  // namespace

Result<NewSemantic> new_semantic(std::string_view to, std::uint32_t index, std::span<const std::uint32_t> indexes) {
  const SemanticName name = split_semantic(to);
  NewSemantic result{std::string(name.name), name.index ? *name.index - index : 0};
  for (const std::uint32_t other : indexes) {
    const std::int64_t now = std::int64_t{other} + name.index.value_or(index) - index;
    if (now >= 0 && now <= std::numeric_limits<std::uint32_t>::max()) continue;
    return Error{ErrorCode::bad_value, 0, "semantic_index",
                 "the semantic index " + std::to_string(other) + ", a row of the same element, would become " + std::to_string(now)};
  }
  return result;
}

std::optional<std::string> renamed(std::string_view text, std::string_view from, std::string_view to) {
  if (text == from) return std::string(to);
  if (!text.starts_with(kMangled)) return std::nullopt;
  const std::string_view rest = text.substr(kMangled.size());
  if (!rest.starts_with(from) || rest.size() == from.size() || rest[from.size()] != '@') return std::nullopt;
  return std::string(kMangled) + std::string(to) + std::string(rest.substr(from.size()));
}

std::string_view plain_name(std::string_view name) {
  const std::size_t end = name.find('@');
  return name.starts_with(kMangled) && end != name.npos ? name.substr(kMangled.size(), end - kMangled.size()) : name;
}

std::optional<EditedNode> renamed_node(const EditedNode& node, const Rename& change) {
  const auto [from, from_index] = split_node(change.from);
  if (node.name != from || node.name.empty() || (from_index && *from_index != node.index)) return std::nullopt;
  const auto [to, to_index] = split_node(change.to);
  return EditedNode{std::string(to), to_index.value_or(node.index)};
}

Result<void> check(const Rename& change) {
  const auto bad = [&](std::string message) { return Error{ErrorCode::bad_value, 0, "name", std::move(message)}; };
  if (change.to.empty()) return bad("the new name is empty");
  if (change.to.find('\0') != std::string::npos) return bad("the new name contains a zero");
  if (!is_hlsl_name(change)) return bad('\'' + change.to + "' is not a valid name in HLSL");
  if (change.from.empty() && change.what != NameKind::entry) return bad("the old name is empty");
  if (change.what == NameKind::node && change.to.ends_with(']') && !split_node(change.to).second)
    return bad("expected NAME or NAME[INDEX] with an index of 32 bits, found " + quoted(change.to));
  // A vertex shader takes what it calls SV_Position as any other input.
  const bool element = change.what == NameKind::input || change.what == NameKind::output || change.what == NameKind::patch;
  if (element && split_semantic(change.to).is_beyond) return bad("the index of " + quoted(change.to) + " exceeds 4294967295");
  const bool position = change.what == NameKind::input && same_letters(split_semantic(change.to).name, "sv_position");
  if (element && !position && same_letters(std::string_view(change.to).substr(0, 3), "sv_"))
    return bad("a new name must not begin with SV_, which is reserved for system values");
  return {};
}

}  // namespace unshade::dxil::edit
