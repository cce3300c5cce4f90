// A program of unshade's, and the resources that a job gives it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unshade/ir/passes.hpp>
#include <unshade/ir/verify.hpp>
#include <unshade/shader/lower.hpp>
#include <unshade/vm/machine.hpp>

#include "job.hpp"

namespace compare {

namespace ir = unshade::ir;
namespace texel = unshade::texel;
namespace vm = unshade::vm;

struct Loaded {
  std::optional<vm::Program> program{};
  std::string why{};  ///< there is none
};

inline Loaded load(const std::string& path, std::string_view entry, unsigned wave) {
  const Bytes file = read(path);
  const auto shader = unshade::shader::open(unshade::View(std::span<const std::byte>(file)));
  if (!shader) return {{}, shader.error().message};
  auto module = unshade::shader::lower(*shader, {.entry = entry});
  if (!module) return {{}, module.error().message};
  const auto optimized = ir::optimize(*std::move(module), 2);
  const ir::Module& m = *optimized;
  auto program = vm::prepare(optimized, {.wave = std::clamp(wave, m.modes.wave_min, m.modes.wave_max)});
  if (!program) return {{}, program.error().message};
  return {std::move(*program), {}};
}

inline void describe(const Image& from, texel::Descriptor& to) {
  to.format = *texel::find_format(from.format);
  to.width = from.width;
  to.height = from.height;
  to.depth = from.depth;
  to.layers = from.layers;
  to.levels = from.levels;
  to.samples = from.samples;
}

/// What a job binds, in memory of its own. Resources of a module of SPIR-V are found by set and binding, of others by class and register,
/// among those of the job in sets from `first_set` to `last_set`.
struct Bound {
  Bound(const Job& job, const ir::Module& m, bool by_binding, unsigned first_set = 0, unsigned last_set = ~0U)
      : resources(vm::empty_resources(m)), printed(m.resources.size()) {
    namespace dxc = unshade::dxcontainer;
    kept.reserve(m.resources.size());
    for (std::size_t at = 0; at < m.resources.size(); ++at) {
      const ir::Resource& row = m.resources[at];
      const auto is = [&](char letter, unsigned set, unsigned binding, unsigned reg, unsigned space) {
        if (set < first_set || set > last_set) return false;
        const bool sampler = row.kind == dxc::ResourceKind::sampler;
        if (by_binding) return row.space == set && row.first_register == binding && sampler == (letter == 's');
        const char its = sampler                                             ? 's'
                         : row.kind == dxc::ResourceKind::cbuffer            ? 'b'
                         : std::string_view(id(row.kind)).starts_with("uav") ? 'u'
                                                                             : 't';
        return its == letter && row.first_register == reg && row.space == space;
      };
      texel::Descriptor descriptor;
      const auto memory = [&](std::size_t from, std::size_t size, const std::string& name, unsigned out) {
        kept.emplace_back(
            name, Bytes(job.blob.begin() + static_cast<std::ptrdiff_t>(from), job.blob.begin() + static_cast<std::ptrdiff_t>(from + size)));
        descriptor.bytes = kept.back().second;
        descriptor.stride = row.stride;
        printed[kept.size() - 1] = out != 0;
      };
      for (const Buffer& b : job.buffers) {
        if (!is(b.letter, b.set, b.binding, b.reg, b.space)) continue;
        memory(b.at, b.size, place(b.letter, b.reg, b.space), b.out);
        if (const auto format = texel::find_format(b.format)) descriptor.format = *format;
      }
      for (const Image& i : job.images) {
        if (!is(i.letter, i.set, i.binding, i.reg, i.space)) continue;
        memory(i.at, i.size, place(i.letter, i.reg, i.space), i.out);
        describe(i, descriptor);
      }
      for (const Sampler& s : job.samplers) {
        if (!is('s', s.set, s.binding, s.reg, s.space)) continue;
        texel::Sampler& to = descriptor.sampler;
        to.min = static_cast<texel::Filter>(s.min);
        to.mag = static_cast<texel::Filter>(s.mag);
        to.mip = static_cast<texel::Filter>(s.mip);
        to.address = {static_cast<texel::AddressMode>(s.u), static_cast<texel::AddressMode>(s.v), static_cast<texel::AddressMode>(s.w)};
        if (s.comparison >= 0) to.comparison = static_cast<texel::Comparison>(s.comparison);
        to.lod_bias = s.bias;
        to.min_lod = s.min_lod;
        to.max_lod = s.max_lod;
        const float color = s.border == 2 ? 1 : 0;
        to.border = {color, color, color, s.border == 0 ? 0.0F : 1.0F};
      }
      if (by_binding && row.space == 0xffff'ffff) memory(job.push_at, job.push_size, "push", 0);
      if (at < 64) descriptor.counter = &counters[at];
      resources.rows[at] = {descriptor};
    }
  }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  vm::Resources resources;
  std::vector<std::pair<std::string, Bytes>> kept;
  std::vector<bool> printed;
  std::array<std::uint32_t, 64> counters{};
};

}  // namespace compare
