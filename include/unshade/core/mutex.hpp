// A mutex of programs that may have no threads.
#pragma once

#include <mutex>

namespace unshade {

#if defined(__STDCPP_THREADS__)
using Mutex = std::mutex;
#else
/// Where a program has one thread, as WebAssembly's, there is nothing to wait for.
class Mutex {
 public:
  void lock() {}
  void unlock() {}
};
#endif

}  // namespace unshade
