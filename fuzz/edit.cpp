// What has to hold of edits of any file, of its names and registers too.
#include <algorithm>
#include <string>
#include <vector>

#include <unshade/core/limits.hpp>
#include <unshade/dxcontainer/edit.hpp>
#include <unshade/shader/edit.hpp>
#include <unshade/shader/reflection.hpp>
#include <unshade/shader/resource_definitions.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/shader/source_files.hpp>

#include "fuzz/properties.hpp"
#include "tests/support/open_first.hpp"

namespace unshade::fuzz {

namespace {

View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}); }

bool same(const std::vector<std::byte>& a, View b) { return std::equal(a.begin(), a.end(), b.bytes().begin(), b.bytes().end()); }

/// What edits promise, whatever they are about.
template <class Edit>
std::string fault_of(const Result<shader::Edited>& edited, View file, Edit&& again) {
  if (!edited) return edited.error().offset > file.size() ? "an error beyond the file" : std::string();
  if (edited->changed == same(edited->bytes, file)) return edited->changed ? "changed, and the same" : "not changed, and another";
  if (!edited->changed) return {};
  const View made = view_of(edited->bytes);
  if (const auto opened = shader::open(made); !opened) return "what was made does not open: " + to_string(opened.error());
  const Result<shader::Edited> twice = again(made);
  if (!twice) return "what was made is refused: " + to_string(twice.error());
  if (twice->changed) return "the second time changes what the first made";
  return {};
}

}  // namespace

std::string edit_container(View file) {
  const unsigned choice = file.empty() ? 0 : static_cast<unsigned>(file.data()[file.size() - 1]);
  Strip options;
  options.debug = (choice & 1) != 0;
  options.reflection = (choice & 2) != 0;
  options.private_data = (choice & 4) != 0;
  options.root_signature = (choice & 8) != 0;
  options.statistics = options.debug_name = (choice & 16) != 0;
  options.names = (choice & 32) != 0;
  const auto strip = [&](View bytes) { return shader::strip(bytes, options); };
  if (auto fault = fault_of(strip(file), file, strip); !fault.empty()) return "strip: " + fault;

  const auto how = static_cast<shader::Sign>(choice % 6);
  const auto sign = [&](View bytes) { return shader::sign(bytes, how, (choice & 64) != 0); };
  if (auto fault = fault_of(sign(file), file, sign); !fault.empty()) return "sign: " + fault;

  if (const auto opened = shader::open(file);
      opened && (opened->family == shader::Family::spirv || opened->family == shader::Family::vbc)) {
    const dxil::SourceText source{"zq.glsl", "void main() {}"};
    const auto embed = [&](View bytes) { return shader::embed_sources(bytes, {&source, 1}); };
    if (auto fault = fault_of(embed(file), file, embed); !fault.empty()) return "source: " + fault;
  }

  const auto container = dxcontainer::parse_container(file);
  if (!container || container->parts.empty()) return {};
  const auto& part = container->parts[choice % container->parts.size()];
  const shader::PartChange take{shader::PartChange::What::remove, part.fourcc, {}};
  const auto without = shader::change_parts(file, {&take, 1});
  if (!without) return without.error().offset > file.size() ? "part: an error beyond the file" : std::string();
  const shader::PartChange put{shader::PartChange::What::add, part.fourcc, part.data.bytes()};
  const auto with = shader::change_parts(view_of(without->bytes), {&put, 1});
  if (!with) return "part: what was made is refused: " + to_string(with.error());
  const auto again = dxcontainer::parse_container(view_of(with->bytes));
  const auto* const found = again ? again->find(part.fourcc) : nullptr;
  if (found == nullptr ||
      !std::equal(found->data.bytes().begin(), found->data.bytes().end(), part.data.bytes().begin(), part.data.bytes().end()))
    return "part: what was put in is not there";
  return {};
}

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
