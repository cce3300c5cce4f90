#include <unshade/system/child.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "system/windows/windows.hpp"

namespace unshade::system {

namespace {

Error child_fault(std::string message) { return {ErrorCode::limit, 0, {}, std::move(message)}; }

std::string too_late(const ChildLimits& limits) { return "took longer than " + std::to_string(limits.seconds) + " s (--time-limit)"; }

}  // namespace

Result<std::string> in_child(const ChildLimits& limits, const std::function<std::string()>& work, int status_if_late) {
  if (limits.seconds == 0) return work();
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  std::optional<std::string> result;
  std::thread worker([&] {
    std::optional<std::string> made;
    try {
      made = work();
    } catch (const std::bad_alloc&) {
    }
    const std::scoped_lock lock(mutex);
    result = std::move(made);
    is_done = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, std::chrono::seconds(limits.seconds), [&] { return is_done; })) {
      // the thread may hold any lock, so that nothing of the process can be relied on
      standard(Standard::err).write("unshade: error[limit]: " + too_late(limits) + "\n");
      windows::restore_consoles();
      ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(status_if_late));
    }
  }
  worker.join();
  if (!result) return child_fault("needed more memory than there is");
  if (result->size() > limits.result_bytes) return child_fault("the result exceeds " + std::to_string(limits.result_bytes >> 20) + " MiB");
  return *std::move(result);
}

}  // namespace unshade::system
