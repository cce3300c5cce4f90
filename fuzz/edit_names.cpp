// Other names and registers in any file.
#include <algorithm>
#include <string>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/resource_definitions.hpp>
#include <unshade/shader/shader.hpp>

#include "fuzz/properties.hpp"
#include "tests/support/open_first.hpp"

namespace unshade::fuzz {

namespace {

View view_of(const shader::Edited& edited) { return View({edited.bytes.data(), edited.bytes.size()}); }

/// An edit is refused, or gives a file that opens.
std::string check(const char* what, View file, const Result<shader::Edited>& edited) {
  if (!edited) return edited.error().path.empty() ? std::string(what) + ": an error without a path" : std::string();
  const bool is_same = std::ranges::equal(edited->bytes, file.bytes());
  if (!edited->changed && !is_same) return std::string(what) + ": changed bytes that are said to be unchanged";
  if (auto opened = shader::open(view_of(*edited)); !opened)
    return std::string(what) + ": the result does not open: " + to_string(opened.error());
  return {};
}

}  // namespace

std::string edit_names(View file) {
  using What = shader::Rename::What;
  const auto opened = shader::open(file);
  // DXIL has a property of its own.
  if (!opened || opened->family == shader::Family::dxil) return {};
  const auto reflection = shader::reflect(*opened);
  if (!reflection) return {};
  std::vector<shader::Rename> renames;
  std::vector<shader::Rebind> rebinds;
  const bool is_dxbc = opened->family == shader::Family::dxbc;
  if (!reflection->resources.empty()) {
    const shader::Resource& r = reflection->resources.front();
    renames.push_back({What::resource, r.name, "zq"});
    const std::string letters(register_letters(r.kind));
    const char letter = !is_dxbc || letters.empty() ? '\0' : letters == "cb" ? 'b' : letters[0];
    rebinds.push_back({letter, r.bind_point, r.space, r.bind_point ^ 5, {}});
  }
  if (!reflection->buffers.empty() && !reflection->buffers.front().variables.empty()) {
    renames.push_back({What::variable, reflection->buffers.front().variables.front().name, "a_longer_name"});
    if (opened->family == shader::Family::pica)
      rebinds.push_back({reflection->buffers.front().name.back(), reflection->buffers.front().variables.front().offset / 16, 0, 7, {}});
  }
  for (const shader::EntryPoint& entry : reflection->entry_points) {
    if (!entry.inputs.empty()) renames.push_back({What::input, entry.inputs.front().semantic, "ZQ7"});
    if (!entry.outputs.empty()) renames.push_back({What::output, entry.outputs.front().semantic, "zq_out"});
    if (!is_dxbc) renames.push_back({What::entry, entry.name, "zq_entry"});
    if (renames.size() > 16) break;
  }
  for (const shader::Rename& rename : renames)
    if (auto fault = check("rename", file, shader::rename(file, std::span(&rename, 1))); !fault.empty()) return fault;
  for (const shader::Rebind& rebind : rebinds)
    if (auto fault = check("rebind", file, shader::rebind(file, std::span(&rebind, 1))); !fault.empty()) return fault;
  if (!is_dxbc) return {};
  if (auto fault = check("restore", file, shader::restore_definitions(file, file)); !fault.empty()) return fault;
  return check("make", file, shader::make_definitions(file));
}

}  // namespace unshade::fuzz
