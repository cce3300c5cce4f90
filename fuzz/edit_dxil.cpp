// Other names and registers in DXIL: an edit is refused, or gives a file that opens and whose module is read.
#include <algorithm>
#include <string>
#include <vector>

#include <unshade/dxil/edit.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/shader.hpp>

#include "fuzz/properties.hpp"
#include "tests/support/open_first.hpp"

namespace unshade::fuzz {

namespace {

std::string check(const char* what, View file, const Result<shader::Edited>& edited) {
  if (!edited) return {};
  if (!edited->changed && !std::ranges::equal(edited->bytes, file.bytes()))
    return std::string(what) + ": changed bytes that are said to be unchanged";
  const View made({edited->bytes.data(), edited->bytes.size()});
  if (auto opened = shader::open(made); !opened) return std::string(what) + ": the result does not open: " + to_string(opened.error());
  return {};
}

}  // namespace

std::string edit_dxil(View file) {
  const auto opened = shader::open(file);
  if (!opened || opened->family != shader::Family::dxil) return {};
  using What = shader::Rename::What;
  std::vector<shader::Rename> renames{{What::entry, "", "another_entry"}};
  std::vector<shader::Rebind> rebinds;
  if (const auto reflection = shader::reflect(*opened)) {
    for (const shader::Resource& r : reflection->resources) {
      renames.push_back({What::resource, r.name, "another"});
      const std::string letters(register_letters(r.kind));
      if (!letters.empty()) rebinds.push_back({letters == "cb" ? 'b' : letters[0], r.bind_point, r.space, r.bind_point ^ 5, {}});
      if (rebinds.size() == 4) break;
    }
    for (const shader::EntryPoint& entry : reflection->entry_points) {
      for (const shader::SignatureElement& element : entry.inputs)
        renames.push_back({What::input, element.semantic + std::to_string(element.semantic_index), "ZQ7"});
      if (renames.size() > 12) break;
    }
  }
  renames.push_back({What::node, "node", "another_node"});
  for (const shader::Rename& rename : renames)
    if (auto fault = check("rename", file, shader::rename(file, std::span(&rename, 1))); !fault.empty()) return fault;
  for (const shader::Rebind& rebind : rebinds)
    if (auto fault = check("rebind", file, shader::rebind(file, std::span(&rebind, 1))); !fault.empty()) return fault;
  if (const auto stripped = dxil::strip_module(file, {true, true})) {
    const View bitcode({stripped->data(), stripped->size()});
    if (auto again = dxil::ModuleEdit::open(bitcode); !again) return "what is left after strip is not read: " + to_string(again.error());
  }
  // What is written is read again, and then written the same.
  if (auto module = dxil::ModuleEdit::open(file)) {
    const auto once = module->write();
    if (!once) return {};
    const View bitcode({once->data(), once->size()});
    auto again = dxil::ModuleEdit::open(bitcode);
    if (!again) return "what was written is not read: " + to_string(again.error());
    const auto twice = again->write();
    if (!twice || *twice != *once) return "written twice, it differs";
  }
  return {};
}

}  // namespace unshade::fuzz
