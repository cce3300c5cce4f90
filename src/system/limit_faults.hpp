// What both halves say of work and programs that reach a limit, or cannot be started.
#pragma once

#include <chrono>
#include <cstring>
#include <string>

#include <unshade/core/result.hpp>
#include <unshade/system/child.hpp>

namespace unshade::system {

inline Error limit_fault(std::string message) { return {ErrorCode::limit, 0, {}, std::move(message)}; }

inline std::string late_message(const ChildLimits& limits) {
  return "took longer than " + std::to_string(limits.seconds) + " s (--time-limit)";
}

inline Error large_result_fault(const ChildLimits& limits) {
  return limit_fault("the result exceeds " + std::to_string(limits.result_bytes >> 20) + " MiB");
}

/// `name`: of the program, without its folder; `number`: of errno.
inline Error start_fault(const std::string& name, int number) {
  return {ErrorCode::missing, 0, {}, name + " cannot be started: " + std::strerror(number)};
}

inline Error late_fault(const std::string& name, std::chrono::milliseconds longest) {
  return limit_fault(name + " took longer than " + std::to_string(longest.count() / 1000) + " s");
}

}  // namespace unshade::system
