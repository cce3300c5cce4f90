#include <unshade/shader/edits.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <unshade/core/text/numbers.hpp>
#include <unshade/shader/resource_definitions.hpp>
#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/repair.hpp>

#include "shader/edit/edits.hpp"

namespace unshade::shader {

namespace {

struct KindOfName {
  std::string_view text;
  Rename::What what;
};
constexpr KindOfName kKindsOfNames[] = {
    {"entry", Rename::What::entry}, {"input", Rename::What::input},       {"output", Rename::What::output},
    {"patch", Rename::What::patch}, {"resource", Rename::What::resource}, {"variable", Rename::What::variable},
    {"node", Rename::What::node},
};

/// `t4,space1`, `cb0`, `4,set1`
struct RegisterPlace {
  char letter = 0;
  std::uint32_t number = 0;
  std::optional<std::uint32_t> space;
};

bool read_number(std::string_view& text, std::uint32_t& number) {
  const auto read = take_number<std::uint32_t>(text);
  number = read.value_or(0);
  return read.has_value();
}

std::optional<RegisterPlace> parse_place(std::string_view text) {
  RegisterPlace place;
  if (text.starts_with("cb")) text.remove_prefix(1);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    place.letter = text[0];
    text.remove_prefix(1);
  }
  if (!read_number(text, place.number)) return std::nullopt;
  if (text.empty()) return place;
  for (const std::string_view word : {",space", ",set"}) {
    if (!text.starts_with(word)) continue;
    text.remove_prefix(word.size());
    std::uint32_t space = 0;
    if (!read_number(text, space) || !text.empty()) return std::nullopt;
    place.space = space;
    return place;
  }
  return std::nullopt;
}

Result<Edited> edit_vbc(const Shader& shader, const VbcEdits& edits) {
  const auto* const given = std::get_if<vbc::File>(&shader.content);
  if (given == nullptr) return Error{ErrorCode::unsupported, 0, "file", "the edit is only valid for VBC files"};
  vbc::File file = *given;
  std::vector<std::string> notes;
  if (edits.repair) {
    vbc::Repair repaired = vbc::repair(file);
    for (const vbc::RepairNote& note : repaired.notes)
      notes.push_back((note.is_done ? "repaired " : "not repaired ") + note.path + ": " + note.message);
    file = std::move(repaired.file);
  }
  if (edits.stage)
    if (auto done = vbc::replace_stage(file, *edits.stage, edits.module); !done) return std::move(done).error();
  if (edits.tables) {
    vbc::TableSizes sizes = file.tables;
    if (auto done = vbc::parse_table_sizes(*edits.tables, sizes); !done) return std::move(done).error();
    if (auto done = vbc::set_table_sizes(file, sizes); !done) return std::move(done).error();
  }
  if (edits.strip)
    if (auto done = vbc::strip(file, *edits.strip); !done) return std::move(done).error();
  return edit::edited(shader, vbc::write(file), std::move(notes));
}

/// One edit upon another.
class Chain {
 public:
  explicit Chain(const Shader& shader) : shader_(shader) {}

  /// Makes `edit` of what the edits before have made, if they have not failed.
  template <class Edit>
  void add(Edit&& edit) {
    if (!result_) return;
    if (!has_edited_) return take(edit(shader_));
    const auto opened = open(View(result_->bytes));
    opened ? take(edit(*opened)) : take(opened.error());
  }
  Result<Edited> result() {
    if (!has_edited_) return edit::unchanged(shader_);
    if (result_) result_->changed = !std::ranges::equal(result_->bytes, shader_.file.bytes());
    return std::move(result_);
  }

 private:
  void take(Result<Edited> next) {
    if (next) next->notes.insert(next->notes.begin(), result_->notes.begin(), result_->notes.end());
    result_ = std::move(next);
    has_edited_ = true;
  }

  const Shader& shader_;
  Result<Edited> result_ = Edited{};
  bool has_edited_ = false;
};

}  // namespace

std::string kinds_of_names() {
  std::string kinds;
  for (const KindOfName& kind : kKindsOfNames) (kinds += kinds.empty() ? "" : ", ") += kind.text;
  return kinds;
}

std::optional<Rename> parse_rename(std::string_view text) {
  const auto colon = text.find(':');
  const auto equals = text.find('=', colon == std::string_view::npos ? 0 : colon);
  if (colon == std::string_view::npos || equals == std::string_view::npos) return std::nullopt;
  for (const KindOfName& kind : kKindsOfNames)
    if (kind.text == text.substr(0, colon))
      return Rename{kind.what, std::string(text.substr(colon + 1, equals - colon - 1)), std::string(text.substr(equals + 1))};
  return std::nullopt;
}

bool parse_rebinds(std::string_view text, std::vector<Rebind>& rebinds) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const auto equals = one.find('=');
    if (equals == std::string_view::npos) return false;
    const auto from = parse_place(one.substr(0, equals));
    const auto to = parse_place(one.substr(equals + 1));
    if (!from || !to || (to->letter != 0 && to->letter != from->letter)) return false;
    rebinds.push_back({from->letter, from->number, from->space.value_or(0), to->number, to->space});
  }
  return true;
}

Result<Edited> make_edits(const Shader& shader, const Edits& edits) {
  Chain chain(shader);
  if (edits.vbc) chain.add([&](const Shader& one) { return edit_vbc(one, *edits.vbc); });
  if (edits.definitions == Edits::Definitions::made) chain.add(make_definitions);
  if (edits.definitions == Edits::Definitions::restored)
    chain.add([&](const Shader& one) { return restore_definitions(one, edits.restored); });
  if (!edits.renames.empty()) chain.add([&](const Shader& one) { return rename(one, edits.renames); });
  if (!edits.rebinds.empty()) chain.add([&](const Shader& one) { return rebind(one, edits.rebinds); });
  return chain.result();
}

}  // namespace unshade::shader
