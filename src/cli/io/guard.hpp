// Files that are removed if an interruption ends the process.
#pragma once

#include <cstddef>
#include <string>

namespace unshade::cli {

inline constexpr std::size_t kNoGuard = ~std::size_t{0};

/// Has a file removed if an interruption ends this process, up to release_file(). From any thread. kNoGuard, and no effect, if there are
/// too many.
std::size_t guard_file(const std::string& path);
/// kNoGuard has no effect.
void release_file(std::size_t guard);

/// Sees to that for what on_interruption() is called by.
void remove_guarded_files_on_interruption();

}  // namespace unshade::cli
