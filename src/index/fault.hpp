// What the room throws inside, and gives out as errors.
#pragma once

#include <unshade/core/result.hpp>

#include "index/sqlite.hpp"

namespace unshade::index {

/// As <unshade/index/database.hpp> has errors of databases.
Error error_of(const Fault& fault);

/// What `body` returns, which converts to a Result<T>, or the error of the Fault that it throws.
template <class T, class Body>
Result<T> without_throwing(Body body) {
  try {
    return body();
  } catch (const Fault& fault) {
    return error_of(fault);
  }
}

}  // namespace unshade::index
