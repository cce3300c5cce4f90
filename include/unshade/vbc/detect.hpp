// Finds out how a file is laid out: which layout, which of the writer's defects, where its stages lie.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/vbc/file.hpp>

namespace unshade::vbc {

struct Found {
  File file;                                       ///< its tables; no stages yet
  std::size_t code_offset = 0;                     ///< bytes from the start of the file
  std::array<std::size_t, kStages> stage_bytes{};  ///< after each other, in order; what is left is trailing
};

/// Tries the current layout, then the writer's defects, then older layouts; of those, one has to fit to the last byte. If none does, the
/// error is the current layout's.
Result<Found> detect(View file);

/// Bytes of the module that begins here, by its instructions: up to the next magic number or the end. 0 if there is none.
std::size_t module_bytes(View from);

}  // namespace unshade::vbc
