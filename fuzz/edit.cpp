// What has to hold of edits of any file.
#include <algorithm>
#include <string>

#include <unshade/dxcontainer/edit.hpp>
#include <unshade/shader/edit.hpp>
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

}  // namespace unshade::fuzz
