#include "cli/io/guard.hpp"

#include <array>
#include <atomic>
#include <memory>

#include <unshade/system/interruption.hpp>
#include <unshade/system/replace.hpp>

namespace unshade::cli {

namespace {

/// Verbs with many results have one open at a time, or some dozens; test keeps the pictures of all tests.
constexpr std::size_t kMostGuarded = 1024;

/// What a handler of signals may look at: whoever takes a name out of its place owns it.
std::array<std::atomic<char*>, kMostGuarded> guarded_names;
static_assert(std::atomic<char*>::is_always_lock_free);

/// Other threads run on until the process ends: on Windows all do.
std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void remove_guarded_files() {
  is_interrupted = true;
  for (std::atomic<char*>& place : guarded_names)
    if (const char* const name = place.exchange(nullptr)) system::remove_file(name);  // the memory goes with the process
}

}  // namespace

std::size_t guard_file(const std::string& path) {
  auto name = std::make_unique<char[]>(path.size() + 1);
  path.copy(name.get(), path.size());
  for (std::size_t i = 0; i < guarded_names.size(); ++i) {
    char* none = nullptr;
    if (!guarded_names[i].compare_exchange_strong(none, name.get())) continue;
    (void)name.release();
    if (is_interrupted) remove_guarded_files();
    return i;
  }
  return kNoGuard;
}

void release_file(std::size_t guard) {
  if (guard != kNoGuard) const std::unique_ptr<char[]> name(guarded_names[guard].exchange(nullptr));
}

void remove_guarded_files_on_interruption() { system::on_interruption(remove_guarded_files); }

}  // namespace unshade::cli
