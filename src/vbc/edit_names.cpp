#include <unshade/vbc/edit_names.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <unshade/core/text/new_names.hpp>

#include "vbc/code.hpp"
#include "vbc/file_layout.hpp"
#include "vbc/limits.hpp"

namespace unshade::vbc {

namespace {

constexpr std::string_view kUniformPrefix = "uniform.";

/// Whether a stage has the thing that is to change.
bool concerns(const Rename& rename, Stage stage) {
  if (rename.what == NameKind::input) return stage == Stage::vertex;
  if (rename.what == NameKind::output) return stage == Stage::fragment;
  return true;
}

Error refused(ErrorCode code, std::string path, std::string message) { return {code, 0, std::move(path), std::move(message)}; }

/// The members' new names.
Result<std::vector<std::string>> member_names(const File& file, std::span<const Rename> renames, std::vector<bool>& found) {
  std::vector<std::string> names;
  for (const Member& member : file.uniform.members) {
    names.push_back(member.name);
    const Rename* by = nullptr;
    for (std::size_t i = 0; i < renames.size(); ++i) {
      if (renames[i].what != NameKind::variable || renames[i].from != member.name) continue;
      if (by != nullptr && by->to != renames[i].to)
        return refused(ErrorCode::bad_value, "names", renamed_twice(member.name, by->to, renames[i].to));
      by = &renames[i];
      names.back() = renames[i].to;
      found[i] = true;
    }
  }
  std::map<std::string_view, std::string_view> old_names;  // by the new one
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view old = file.uniform.members[i].name;
    const std::string path = "uniform/members[" + std::to_string(i) + "]/name";
    if (names[i] != old && names[i].size() > kMostNameBytes) return refused(ErrorCode::limit, path, "the name exceeds 255 bytes");
    const auto [at, is_new] = old_names.try_emplace(names[i], old);
    if (!is_new && at->second != old) return refused(ErrorCode::bad_value, path, "the name is already in use");
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> rename(File& file, std::span<const Rename> requests) {
  // Reflection calls the block `uniform`, which the stages may not.
  std::vector<Rename> renames(requests.begin(), requests.end());
  for (Rename& rename : renames) {
    if (rename.what != NameKind::variable || !rename.from.starts_with(kUniformPrefix)) continue;
    rename.from.erase(0, kUniformPrefix.size());
    if (rename.to.starts_with(kUniformPrefix)) rename.to.erase(0, kUniformPrefix.size());
  }
  for (const Rename& rename : renames)
    if (rename.what == NameKind::node) return no_nodes(0);
  for (const Rename& rename : renames)
    if (rename.what == NameKind::entry)
      return refused(ErrorCode::unsupported, "entry", "the entry point must be named 'main': Vega calls it by this name");
  std::vector<bool> found(renames.size(), false);
  auto names = member_names(file, renames, found);
  if (!names) return std::move(names).error();
  std::vector<std::string> notes;
  std::array<std::vector<std::byte>, kStages> stages = file.stages;
  for (std::size_t i = 0; i < kStages; ++i) {
    if (file.stages[i].empty()) continue;
    std::vector<Rename> here;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < renames.size(); ++k) {
      if (!concerns(renames[k], static_cast<Stage>(i))) continue;
      here.push_back(renames[k]);
      places.push_back(k);
    }
    if (here.empty()) continue;
    auto module = module_of(file, i);
    if (!module) return std::move(module).error();
    std::vector<bool> found_here;
    auto made = spirv::rename(*module, here, &found_here);
    if (!made) return std::move(made).error().within(kStageFields[i]);
    for (std::size_t k = 0; k < places.size(); ++k) found[places[k]] = found[places[k]] || found_here[k];
    if (made->bytes.size() > file.stages[i].size() && made->bytes.size() / kWordBytes > File::kStageWords)
      return refused(ErrorCode::limit, kStageFields[i], "the stage would exceed 65535 words");
    notes.insert(notes.end(), made->notes.begin(), made->notes.end());
    stages[i] = std::move(made->bytes);
  }
  const auto missing = std::ranges::find(found, false);
  if (missing != found.end()) {
    const auto at = static_cast<std::size_t>(missing - found.begin());
    return refused(ErrorCode::missing, "names", "no variable or member is named '" + std::string(renames[at].from.substr(0, 64)) + '\'');
  }
  for (std::size_t i = 0; i < file.subpass_inputs.size(); ++i)
    for (const Rename& rename : renames)
      if (const auto& image = file.subpass_inputs[i].image; image && rename.what == NameKind::resource && image->name() == rename.from)
        notes.push_back("the record of subpass input " + std::to_string(i) + " keeps the old name in its copy of the writer's memory");
  file.stages = std::move(stages);
  for (std::size_t i = 0; i < names->size(); ++i) file.uniform.members[i].name = std::move((*names)[i]);
  return notes;
}

}  // namespace unshade::vbc
