#include <unshade/shader/edit.hpp>

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <unshade/shader/resource_definitions.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/source_files.hpp>

#include "shader/capability/edits.hpp"

namespace unshade::shader {

namespace {

/// Calls what a file's family has for an edit; `refusal` says, of a family's name, that it has nothing.
template <class... Parameters, class Refusal, class... Arguments>
Result<Edited> apply(const Shader& shader, Result<Edited> (*capability::EditRow::*function)(const Shader&, Parameters...),
                     Refusal&& refusal, const Arguments&... arguments) {
  const capability::EditRow& row = capability::edit_row(shader.family);
  if (row.*function == nullptr)
    return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", refusal(std::string(id(shader.family)))};
  return (row.*function)(shader, arguments...);
}

auto not_done(const char* what) {
  return [what](const std::string& family) { return what + (" is not supported for " + family) + " files"; };
}

auto has_no(const char* what) {
  return [what](const std::string& family) { return "a file of the family " + family + " has no " + what; };
}

auto no_definitions() {
  return [](const std::string&) { return std::string("RDEF can only be restored in DXBC files"); };
}

}  // namespace

Result<Edited> strip(const Shader& shader, const Strip& options) {
  return apply(shader, &capability::EditRow::strip, not_done("stripping"), options);
}

Result<Edited> rename(const Shader& shader, std::span<const Rename> renames) {
  std::set<std::tuple<NameKind, std::string_view, std::string_view>> known;
  std::vector<Rename> each;  // once; whether two of one thing contradict each other is for its family to say, which knows the spellings
  for (const Rename& one : renames)
    if (known.emplace(one.what, one.from, one.to).second) each.push_back(one);
  return apply(shader, &capability::EditRow::rename, not_done("renaming"), std::span<const Rename>(each));
}

Result<Edited> rebind(const Shader& shader, std::span<const Rebind> rebinds) {
  return apply(shader, &capability::EditRow::rebind, not_done("rebinding"), rebinds);
}

Result<Edited> sign(const Shader& shader, Sign how, bool hash) {
  return apply(shader, &capability::EditRow::sign, has_no("digest"), how, hash);
}

Result<Edited> change_parts(const Shader& shader, std::span<const PartChange> changes) {
  return apply(shader, &capability::EditRow::change_parts, has_no("parts"), changes);
}

Result<Edited> restore_definitions(const Shader& shader, View definitions) {
  return apply(shader, &capability::EditRow::restore_definitions, no_definitions(), definitions);
}

Result<Edited> make_definitions(const Shader& shader) { return apply(shader, &capability::EditRow::make_definitions, no_definitions()); }

Result<Edited> embed_sources(const Shader& shader, std::span<const dxil::SourceText> files, dxil::Inflate inflate, dxil::Deflate deflate) {
  const capability::EditRow& row = capability::edit_row(shader.family);
  if (row.embed_sources == nullptr) return Error{ErrorCode::unsupported, shader.file.file_offset(), "file", row.holds_no_sources};
  return row.embed_sources(shader, files, inflate, deflate);
}

}  // namespace unshade::shader
