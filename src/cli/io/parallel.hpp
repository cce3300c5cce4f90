// Work on many files at once, whose results come in the order of the files.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

namespace unshade::cli {

/// Calls `work(i)` for each i below `count`, on so many threads, and `take(i, result)` with what it returns, on this one, in order.
/// Ends early if `take` returns false. What is not taken yet is kept: results are to be small.
template <class Work, class Take>
void in_order(std::size_t count, std::size_t threads, const Work& work, const Take& take) {
  using Result = std::invoke_result_t<const Work&, std::size_t>;
  std::mutex mutex;
  std::condition_variable came;
  std::vector<std::optional<Result>> results(count);
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < count;) {
      std::optional<Result> result(work(i));
      {
        const std::lock_guard lock(mutex);
        results[i] = std::move(result);
      }
      came.notify_one();
    }
  };
  std::vector<std::thread> workers;
  if (threads > 1) {
    try {
      for (std::size_t n = std::min(threads, count); n != 0; --n) workers.emplace_back(run);
    } catch (const std::system_error&) {
      // no more to be had: those that there are do it
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::optional<Result> result;
    if (workers.empty()) {
      result.emplace(work(i));
    } else {
      std::unique_lock lock(mutex);
      came.wait(lock, [&] { return results[i].has_value(); });
      result.swap(results[i]);
    }
    if (!take(i, *std::move(result))) break;
  }
  next = count;
  for (std::thread& worker : workers) worker.join();
}

}  // namespace unshade::cli
