// SPIR-V modules as this room handles them: little-endian words in vectors of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unshade/core/bits/little_endian.hpp>
#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/spirv/module.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

inline View view_of(const std::vector<std::byte>& bytes) { return View({bytes.data(), bytes.size()}); }

/// The module, if it is one that a stage can be: little-endian, no longer than the header can say, with an entry point of a stage.
struct StageModule {
  spirv::Module module;
  Stage stage{};
};
Result<StageModule> stage_module(View code);

/// The module of a stage of a file.
Result<spirv::Module> module_of(const File& file, std::size_t stage);

inline void put_word(std::vector<std::byte>& bytes, std::uint32_t word) { append_little_endian(bytes, word); }
inline void set_word(std::vector<std::byte>& bytes, std::size_t at, std::uint32_t word) { store_little_endian(&bytes[at], word); }

}  // namespace unshade::vbc
