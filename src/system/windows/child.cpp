#include <unshade/system/child.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "system/limit_faults.hpp"
#include "system/windows/windows.hpp"

namespace unshade::system {

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
      standard(Standard::err).write("unshade: error[limit]: " + late_message(limits) + "\n");
      windows::restore_consoles();
      ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(status_if_late));
    }
  }
  worker.join();
  if (!result) return limit_fault("needed more memory than there is");
  if (result->size() > limits.result_bytes) return large_result_fault(limits);
  return *std::move(result);
}

}  // namespace unshade::system
