#include <unshade/shader/edit.hpp>

#include <utility>

#include <unshade/shader/shader.hpp>

#include "shader/family/family.hpp"

namespace unshade::shader {

namespace {

/// Opens a file and calls what its family has for an edit.
template <class Options>
Result<Edited> apply(View file, Result<Edited> (*family::FamilyRow::*function)(const Shader&, const Options&), const Options& options,
                     const char* what) {
  const auto shader = open(file);
  if (!shader) return shader.error();
  const family::FamilyRow* const row = family::find_family(shader->family);
  if (row == nullptr || row->*function == nullptr)
    return Error{ErrorCode::unsupported, file.file_offset(), "file",
                 std::string(what) + " is not done for " + std::string(id(shader->family)) + " files"};
  return (row->*function)(*shader, options);
}

}  // namespace

Result<Edited> strip(View file, const StripOptions& options) { return apply(file, &family::FamilyRow::strip, options, "stripping"); }

Result<Edited> rename(View file, std::span<const Rename> renames) { return apply(file, &family::FamilyRow::rename, renames, "renaming"); }

Result<Edited> rebind(View file, std::span<const Rebind> rebinds) { return apply(file, &family::FamilyRow::rebind, rebinds, "rebinding"); }

}  // namespace unshade::shader
