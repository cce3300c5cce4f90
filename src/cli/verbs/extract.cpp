#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxbc/effect.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/pica/embedded.hpp>
#include <unshade/shader/modules.hpp>
#include <unshade/shader/shader.hpp>
#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/file.hpp>

#include "cli/io.hpp"
#include "cli/made.hpp"
#include "cli/print/files.hpp"
#include "cli/verbs/verbs.hpp"

namespace unshade::cli {

namespace {

constexpr Option kNumber{"number", 'n', Takes::text, "N", {}, "write the shader of this number, from 0, or name, instead of the list"};
constexpr Option kReplace{"replace", 'r', Takes::file,
                          "SHADER",  {},  "write the whole file with SHADER in the place of the one that -n names"};
constexpr Option kOptions[] = {kNumber, kReplace, kJson};

void list(const std::string& name, const std::vector<pica::Embedded>& found, bool as_json, Io& io) {
  if (as_json) {
    Json json(io.out);
    begin_files(json, "unshade.extract/1");
    json.begin_object();
    json.member("file", name);
    json.key("shaders");
    json.begin_array();
    for (const pica::Embedded& shader : found) {
      json.begin_object();
      json.member("offset", shader.offset);
      json.member("size", std::uint64_t{shader.bytes});
      json.member("name", shader.name);
      json.end_object();
    }
    json.end_array();
    json.end_object();
    end_files(json);
    return;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    io.out.text.dec(i) << "  0x";
    io.out.text.hex(found[i].offset, 8) << "  ";
    io.out.text.dec(found[i].bytes) << " bytes";
    if (!found[i].name.empty()) print_safely(io.out.text << "  ", found[i].name);
    io.out.text << '\n';
  }
}

constexpr std::uint32_t kEffect = dxcontainer::fourcc("FX10");

/// The container that an effect is in; none where the file has no effect.
std::optional<dxcontainer::Container> effect_container(View file) {
  if (!dxcontainer::is_container(file)) return std::nullopt;
  auto container = dxcontainer::parse_container(file);
  if (!container || container->find(kEffect) == nullptr) return std::nullopt;
  return std::move(*container);
}

/// The shaders of an effect, the stages of a VBC, or the PICA200 shaders in a file of any kind.
Result<std::vector<pica::Embedded>> find_shaders(View file) {
  if (const auto container = effect_container(file)) {
    const auto effect = dxbc::parse_effect(*container->find(kEffect));
    if (!effect) return effect.error();
    std::vector<pica::Embedded> shaders;
    for (const dxbc::EffectShaderPlace& place : dxbc::shaders_of(*effect)) {
      pica::Embedded entry;
      entry.offset = place.bytes.file_offset();
      entry.bytes = static_cast<std::uint32_t>(place.bytes.size());
      entry.name = place.name;
      shaders.push_back(std::move(entry));
    }
    return shaders;
  }
  if (!vbc::is_vbc(file)) return pica::find_embedded(file);
  std::vector<pica::Embedded> found;
  const auto opened = shader::open(file);
  if (!opened) return opened.error();
  const auto modules = shader::modules_of(*opened);
  if (!modules) return modules.error();
  for (const shader::ModuleBytes& module : *modules) {
    pica::Embedded entry;
    entry.offset = module.bytes.file_offset();
    entry.bytes = static_cast<std::uint32_t>(module.bytes.size());
    entry.name = module.stage;
    found.push_back(std::move(entry));
  }
  return found;
}

/// The whole file with another shader in the place of one.
Result<std::vector<std::byte>> replace_shader(View file, std::size_t number, const pica::Embedded& old, View with) {
  if (const auto container = effect_container(file)) return dxbc::replace_shader(*container, number, with);
  if (!vbc::is_vbc(file)) return pica::replace_embedded(file, old, with.bytes());
  auto parsed = vbc::parse(file);
  if (!parsed) return parsed.error();
  for (std::size_t i = 0; i < vbc::kStages; ++i) {
    const auto stage = static_cast<vbc::Stage>(i);
    if (vbc::id(stage) != old.name) continue;
    if (auto replaced = vbc::replace_stage(*parsed, stage, with); !replaced) return replaced.error();
  }
  return vbc::write(*parsed);
}

Exit run_extract(const Args& args, Io& io) {
  if (args.has(kNumber.name) && refuses_json(args, "extract -n", io)) return Exit::failed;
  const auto input = io.read(args.operands.front());
  if (!input) return Exit::failed;
  const auto shaders = find_shaders(input->view());
  if (!shaders) {
    io.report(input->name, shaders.error());
    return Exit::invalid;
  }
  const std::vector<pica::Embedded>& found = *shaders;
  if (!args.has(kNumber.name)) {
    if (args.has(kReplace.name)) {
      io.report({}, "usage", "--replace needs the number of the shader to replace (-n)");
      return Exit::failed;
    }
    list(input->name, found, args.has(kJson.name), io);
    if (!found.empty()) return Exit::ok;
    io.report(input->name, Error{ErrorCode::missing, 0, {}, "no shader in this file"});
    return Exit::invalid;
  }
  const std::string_view text = args.value(kNumber.name);
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size()) {
    // not a number: a name
    number = 0;
    while (number < found.size() && found[number].name != text) ++number;
    if (number == found.size()) {
      io.report(input->name, Error{ErrorCode::missing, 0, {}, "the file holds no shader of the name " + std::string(text)});
      return Exit::invalid;
    }
  }
  if (number >= found.size()) {
    io.report(input->name, Error{ErrorCode::missing, 0, {}, "the file holds " + std::to_string(found.size()) + " shaders"});
    return Exit::invalid;
  }
  if (io.refuses_bytes("extract")) return Exit::failed;
  const pica::Embedded& shader = found[number];
  if (!args.has(kReplace.name)) {
    io.write_bytes(input->view().clamped(static_cast<std::size_t>(shader.offset), shader.bytes).bytes());
    return Exit::ok;
  }
  const auto other = io.read(std::string(args.value(kReplace.name)));
  if (!other) return Exit::failed;
  const auto replaced = replace_shader(input->view(), number, shader, other->view());
  if (!replaced) {
    io.report(input->name, replaced.error());
    return Exit::invalid;
  }
  io.write_bytes(*replaced);
  return Exit::ok;
}

constexpr Example kExamples[] = {
    {"unshade extract scene.bcsdr", "the shaders in a CGFX, with their places and names"},
    {"unshade extract -n 0 -o shader.shbin game.3dsx", "the first of a program's shaders"},
    {"unshade extract -n fragment -o fragment.spv textured.vbc", "the SPIR-V of one stage of a VBC"},
    {"unshade extract -n Render/P0/VertexShader -o vs.dxbc effect.fxo", "a shader of an effect's pass"},
    {"unshade extract -n 0 -r new.shbin -o new.bcsdr scene.bcsdr", "another shader in its place"},
};

}  // namespace

const Verb kExtract{
    .name = "extract",
    .summary = "shaders inside other files: list them, take one out, put one in",
    .description =
        "Of an effect (fx_4_0 to fx_5_0), the shaders, by the names of variables (vs, vs[1]) or of technique, pass and state. Of a VBC, "
        "the "
        "stages: their SPIR-V is listed, taken out, or replaced by another module of the same stage. In any other file, "
        "PICA200 "
        "shaders: finds every DVLB that stands on a multiple of 4 bytes in a file of any kind, and lists number, place and size; in CGFX "
        "files "
        "(.bcsdr and their like) also the name. With --number, writes that one; with --replace too, writes the file with another shader "
        "in its place: one that is longer goes behind the data of a CGFX, where no other block follows there, as that could not be moved.",
    .operands = {"FILE", Takes::file, {}, true, false},
    .options = kOptions,
    .examples = kExamples,
    .exits = "0 fine, 1 no such shader in the file, 2 usage, or input and output",
    .run = run_extract,
};

}  // namespace unshade::cli
