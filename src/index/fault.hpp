// Faults of connections, given out as errors.
#pragma once

#include <unshade/core/result.hpp>

#include "index/sqlite.hpp"

namespace unshade::index {

/// As <unshade/index/database.hpp> has errors of databases.
Error error_of(const Fault& fault);

/// What `body` returns, which converts to a Result<T>, or the error of the fault that it leaves on the connection.
template <class T, class Body>
Result<T> without_fault(Connection& connection, Body body) {
  Result<T> made = body();
  if (const auto fault = connection.take_fault()) return error_of(*fault);
  return made;
}

}  // namespace unshade::index
