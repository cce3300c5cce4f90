// Work on many items at once, whose results come in their order.
#pragma once

#include <cstddef>

#if defined(__STDCPP_THREADS__)
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#endif

#include <optional>
#include <type_traits>
#include <utility>

namespace unshade {

/// Calls `work(i, own)` for each i below `count`, on so many threads, and `take(i, result)` with what it returns, on this one, in order.
/// `own` is what `make()` returned, once for each thread. Ends early if `take` returns false. At most `ahead` results wait to be taken.
/// What `make` and `work` throw is thrown here.
#if defined(__STDCPP_THREADS__)
template <class Make, class Work, class Take>
void in_order_with(std::size_t count, std::size_t threads, const Make& make, const Work& work, const Take& take,
                   std::size_t ahead = ~std::size_t{0}) {
  using Own = std::invoke_result_t<const Make&>;
  using Result = std::invoke_result_t<const Work&, std::size_t, Own&>;
  const auto do_one = [&](std::size_t i, std::optional<Own>& own) {
    if (!own) own.emplace(make());
    return work(i, *own);
  };
  std::mutex mutex;
  std::condition_variable came;
  std::condition_variable went;
  std::vector<std::optional<Result>> results(std::min(count, ahead));
  std::exception_ptr thrown;
  std::size_t taken = 0;
  bool stopped = false;
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    std::optional<Own> own;
    for (std::size_t i; (i = next.fetch_add(1)) < count;) {
      {
        std::unique_lock lock(mutex);
        went.wait(lock, [&] { return i < taken + results.size() || stopped; });
        if (stopped) break;
      }
      std::optional<Result> result;
      try {
        result.emplace(do_one(i, own));
      } catch (...) {
        const std::lock_guard lock(mutex);
        thrown = std::current_exception();
      }
      {
        const std::lock_guard lock(mutex);
        results[i % results.size()] = std::move(result);
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
  const auto finish = [&] {
    {
      const std::lock_guard lock(mutex);
      next = count;
      stopped = true;
    }
    went.notify_all();
    for (std::thread& worker : workers) worker.join();
  };
  try {
    std::optional<Own> own;
    for (std::size_t i = 0; i < count; ++i) {
      std::optional<Result> result;
      if (workers.empty()) {
        result.emplace(do_one(i, own));
      } else {
        std::unique_lock lock(mutex);
        came.wait(lock, [&] { return results[i % results.size()].has_value() || thrown; });
        if (thrown) break;
        result.swap(results[i % results.size()]);
        taken = i + 1;
      }
      went.notify_all();
      if (!take(i, *std::move(result))) break;
    }
  } catch (...) {
    finish();
    throw;
  }
  finish();
  if (thrown) std::rethrow_exception(thrown);
}
#else
template <class Make, class Work, class Take>
void in_order_with(std::size_t count, std::size_t, const Make& make, const Work& work, const Take& take, std::size_t = ~std::size_t{0}) {
  std::optional<std::invoke_result_t<const Make&>> own;
  for (std::size_t i = 0; i < count; ++i) {
    if (!own) own.emplace(make());
    if (!take(i, work(i, *own))) break;
  }
}
#endif

/// The same with `work(i)`.
template <class Work, class Take>
void in_order(std::size_t count, std::size_t threads, const Work& work, const Take& take, std::size_t ahead = ~std::size_t{0}) {
  struct Nothing {};
  in_order_with(count, threads, [] { return Nothing(); }, [&](std::size_t i, Nothing&) { return work(i); }, take, ahead);
}

}  // namespace unshade
