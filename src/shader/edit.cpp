#include <unshade/shader/edit.hpp>

#include <string>

#include <unshade/shader/resource_definitions.hpp>
#include <unshade/shader/shader.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader {

namespace {

/// Opens a file and calls what its family has for an edit; `refusal` says, of a family's name, that it has nothing.
template <class... Parameters, class Refusal, class... Arguments>
Result<Edited> apply(View file, Result<Edited> (*family::FamilyRow::*function)(const Shader&, Parameters...), Refusal&& refusal,
                     const Arguments&... arguments) {
  const auto shader = open(file);
  if (!shader) return shader.error();
  const family::FamilyRow* const row = family::find_family(shader->family);
  if (row->*function == nullptr) return Error{ErrorCode::unsupported, file.file_offset(), "file", refusal(std::string(row->id))};
  return (row->*function)(*shader, arguments...);
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

Result<Edited> strip(View file, const StripOptions& options) {
  return apply(file, &family::FamilyRow::strip, not_done("stripping"), options);
}

Result<Edited> rename(View file, std::span<const Rename> renames) {
  return apply(file, &family::FamilyRow::rename, not_done("renaming"), renames);
}

Result<Edited> rebind(View file, std::span<const Rebind> rebinds) {
  return apply(file, &family::FamilyRow::rebind, not_done("rebinding"), rebinds);
}

Result<Edited> sign(View file, Sign how, bool hash) { return apply(file, &family::FamilyRow::sign, has_no("digest"), how, hash); }

Result<Edited> change_parts(View file, std::span<const PartChange> changes) {
  return apply(file, &family::FamilyRow::change_parts, has_no("parts"), changes);
}

Result<Edited> restore_definitions(View file, View definitions) {
  return apply(file, &family::FamilyRow::restore_definitions, no_definitions(), definitions);
}

Result<Edited> make_definitions(View file) { return apply(file, &family::FamilyRow::make_definitions, no_definitions()); }

}  // namespace unshade::shader
