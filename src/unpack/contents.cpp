#include <unshade/unpack/contents.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/bits/rounding.hpp>
#include <unshade/dxbc/effect.hpp>
#include <unshade/dxcontainer/container.hpp>
#include <unshade/shader/spirv_modules.hpp>
#include <unshade/shader/traits.hpp>
#include <unshade/vbc/edit.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::unpack {

namespace {

constexpr std::uint32_t kEffect = dxcontainer::fourcc("FX10");

/// The container that an effect is in; null if the file has no effect.
const dxcontainer::Container* effect_container(const Result<shader::Shader>& opened) {
  const auto* const container = opened ? std::get_if<dxcontainer::Container>(&opened->content) : nullptr;
  return container != nullptr && container->find(kEffect) != nullptr ? container : nullptr;
}

bool holds_stages(View file) { return shader::traits_of(shader::identify(file)).holds_stages; }

}  // namespace

bool has_own_contents(View file) { return holds_stages(file) || effect_container(shader::open(file)) != nullptr; }

Result<std::vector<Content>> own_contents(View file) {
  std::vector<Content> found;
  const auto add = [&](View bytes, std::string_view name) {
    pica::Embedded& entry = found.emplace_back().at;
    entry.offset = bytes.file_offset();
    entry.bytes = static_cast<std::uint32_t>(bytes.size());
    entry.name = name;
  };
  const auto opened = shader::open(file);
  if (const auto* const container = effect_container(opened)) {
    const auto effect = dxbc::parse_effect(*container->find(kEffect));
    if (!effect) return effect.error();
    for (const dxbc::EffectShaderPlace& place : dxbc::shaders_of(*effect)) add(place.bytes, place.name);
    return found;
  }
  if (!opened) return opened.error();
  const auto modules = shader::modules_of(*opened);
  if (!modules) return modules.error();
  for (const shader::ModuleBytes& module : *modules) add(module.bytes, module.stage);
  return found;
}

std::vector<Content> contents_of(SearchedFile&& file, std::vector<pica::Embedded>&& named) {
  std::vector<Content> found;
  std::map<std::uint64_t, std::size_t> by_offset;  // of PICA200 shaders that lie in the file as it is
  for (FoundShader& shader : file.shaders) {
    if (shader.layers == nullptr && shader.hit.family == shader::Family::pica) by_offset.emplace(shader.hit.offset, found.size());
    Content& one = found.emplace_back();
    one.at.offset = shader.hit.offset;
    one.at.bytes = static_cast<std::uint32_t>(shader.hit.size);
    one.family = shader.hit.family;
    one.profile = std::move(shader.profile);
    one.layers = std::move(shader.layers);
    one.spool = std::move(shader.spool);
    one.spooled = shader.spooled;
  }
  for (pica::Embedded& entry : named) {
    if (const auto same = by_offset.find(entry.offset); same != by_offset.end())
      found[same->second].at = std::move(entry);
    else
      found.push_back({.at = std::move(entry), .family = shader::Family::pica});
  }
  std::stable_sort(found.begin(), found.end(), [](const Content& a, const Content& b) {
    if (a.layers != nullptr || b.layers != nullptr) return a.layers == nullptr && b.layers != nullptr;
    return a.at.offset < b.at.offset;
  });
  return found;
}

Result<void> check_replaceable(const Content& old) {
  if (old.layers != nullptr)
    return Error{ErrorCode::unsupported,
                 old.at.offset,
                 {},
                 "the shader was unpacked from an archive or a compressed file, in which nothing can be replaced"};
  if (old.family != shader::Family::unknown && old.family != shader::Family::pica)
    return Error{
        ErrorCode::unsupported,
        old.at.offset,
        {},
        "only PICA200 shaders can be replaced inside of other files, and this one is of the family " + std::string(shader::id(old.family))};
  return {};
}

Result<std::vector<std::byte>> replace_content(View file, std::size_t number, const Content& old, View with) {
  if (auto checked = check_replaceable(old); !checked) return std::move(checked).error();
  const auto opened = shader::open(file);
  if (const auto* const container = effect_container(opened)) return dxbc::replace_shader(*container, number, with);
  if (!holds_stages(file)) return pica::replace_embedded(file, old.at, with.bytes());
  if (!opened) return opened.error();
  vbc::File edited = std::get<vbc::File>(opened->content);
  for (std::size_t i = 0; i < vbc::kStages; ++i) {
    const auto stage = static_cast<vbc::Stage>(i);
    if (vbc::id(stage) != old.at.name) continue;
    if (auto replaced = vbc::replace_stage(edited, stage, with); !replaced) return replaced.error();
  }
  return vbc::write(edited);
}

std::size_t EmbeddedSearch::add(View piece, bool is_last) {
  const std::size_t least = is_last ? 0 : kLookAhead;
  std::size_t done = piece.size() - std::min(least, piece.size());
  for (pica::Embedded& shader : pica::find_embedded(piece)) {
    if (!is_last && shader.offset >= piece.size() - least) break;  // the next piece has all of it
    done = std::max<std::size_t>(done, static_cast<std::size_t>(shader.offset) + shader.bytes);
    shader.offset += piece.file_offset();
    if (shader.reference != 0) shader.reference += piece.file_offset();
    found.push_back(std::move(shader));
  }
  done = std::min(piece.size(), round_up(done, 4));
  return piece.size() - done;
}

Result<EmbeddedPatch> EmbeddedPatch::of(const pica::Embedded& old, View with) {
  if (with.size() > old.bytes)
    return Error{ErrorCode::unsupported, old.offset, "embedded",
                 "the new shader has " + std::to_string(with.size()) + " bytes, but the old one has " + std::to_string(old.bytes)};
  EmbeddedPatch patch;
  patch.offset_ = old.offset;
  patch.place_.resize(old.bytes);
  std::copy(with.bytes().begin(), with.bytes().end(), patch.place_.begin());
  patch.reference_ = old.reference;
  append_little_endian(patch.size_, static_cast<std::uint32_t>(with.size()));
  return patch;
}

std::vector<std::byte> EmbeddedPatch::applied(View piece) const {
  std::vector<std::byte> bytes(piece.bytes().begin(), piece.bytes().end());
  const auto patch = [&](std::uint64_t offset, const std::vector<std::byte>& made) {
    for (std::size_t i = 0; i < made.size(); ++i) {
      const std::uint64_t at = offset + i - piece.file_offset();  // before the piece: wraps around to beyond it
      if (at < bytes.size()) bytes[static_cast<std::size_t>(at)] = made[i];
    }
  };
  patch(offset_, place_);
  if (reference_ != 0) patch(reference_, size_);
  return bytes;
}

}  // namespace unshade::unpack
