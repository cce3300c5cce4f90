// The samples of tests/data/dxil, and pieces of them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxcontainer/digest.hpp>
#include <unshade/dxil/parts.hpp>

#include "support/container.hpp"
#include "support/files.hpp"

namespace unshade::test {

using Bytes = std::vector<std::byte>;

inline constexpr std::string_view kDxilSamples[] = {"control_ps_6_0_zi.dxil", "expand_gs_6_0.dxil",     "exported_lib_6_3.dxil",
                                                    "graph_lib_6_8.dxil",     "inputs_ps_6_4.dxil",     "mesh_as_6_5.dxil",
                                                    "mesh_ms_6_5.dxil",       "rays_lib_6_7.dxil",      "rootsig_cs_6_0.dxil",
                                                    "tessellate_ds_6_0.dxil", "tessellate_hs_6_5.dxil", "transform_vs_6_8.dxil"};

inline Bytes dxil_sample(std::string_view name) { return read_bytes(source_dir() / "tests/data/dxil" / name); }

/// The data of a part, or nothing.
inline Bytes part_data(const Bytes& file, const char (&code)[5]) {
  const auto container = dxcontainer::parse_container(view_of(file));
  const auto* part = container ? container->find(dxcontainer::fourcc(code)) : nullptr;
  return part != nullptr ? Bytes(part->data.bytes().begin(), part->data.bytes().end()) : Bytes();
}

/// A part on its own, at offset 0. Borrows the bytes.
inline dxcontainer::Part loose(const char (&code)[5], const Bytes& data) { return {dxcontainer::fourcc(code), 0, view_of(data)}; }

inline dxil::ShaderKind kind_of(const Bytes& file) {
  const auto container = dxcontainer::parse_container(view_of(file));
  return container ? dxil::program_kind(*container) : dxil::ShaderKind::invalid;
}

/// The file with one part's data replaced, and a digest that belongs to it.
inline Bytes with_part(const Bytes& file, const char (&code)[5], const Bytes& data) {
  auto parts = loose_parts(*dxcontainer::parse_container(view_of(file)));
  for (auto& part : parts)
    if (part.fourcc == dxcontainer::fourcc(code)) part.data = data;
  Bytes built = container_of(parts);
  const auto digest = dxcontainer::compute_digest(view_of(built));
  std::copy(digest.begin(), digest.end(), built.begin() + 4);
  return built;
}

/// Calls f with damaged copies: dwords replaced by values that are apt to hurt, bits flipped, ends cut off.
template <class F>
void for_damaged(const Bytes& bytes, unsigned count, F&& f) {
  std::mt19937 random(20'261'121);
  // std's distributions differ from library to library; the remainder is the same everywhere.
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (unsigned i = 0; i < count; ++i) {
    Bytes damaged = bytes;
    for (std::size_t times = 1 + below(3); times > 0; --times) {
      const std::size_t at = 4 * below(bytes.size() / 4);
      switch (below(6)) {
        case 0: put_u32(damaged, at, 0); break;
        case 1: put_u32(damaged, at, 0xffff'ffff); break;
        case 2: put_u32(damaged, at, static_cast<std::uint32_t>(below(64))); break;
        case 3: put_u32(damaged, at, static_cast<std::uint32_t>(bytes.size() - 16 + below(32))); break;
        case 4: damaged[below(damaged.size())] ^= static_cast<std::byte>(1U << below(8)); break;
        default: damaged.resize(below(damaged.size()) + 1); break;
      }
    }
    f(damaged);
  }
}

/// Whether every byte of a tree over `size` bytes is named, padding, or unknown, and how many are unknown.
inline Coverage covered(Tree& tree) {
  tree.fill_gaps({});
  return tree.coverage();
}

}  // namespace unshade::test
