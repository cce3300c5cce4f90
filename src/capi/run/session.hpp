// A session of stepping, as an object of the C interface.
#pragma once

#include <cstddef>
#include <vector>

#include <unshade/run/session.hpp>

#include "capi/object.hpp"

struct unshade_session {
  unshade::run::Session session;
  std::vector<std::byte> file;  ///< of the shader
};

namespace unshade::capi {

/// Of the options, what says how a session is recorded.
run::SessionOptions session_options(const unshade_session_options& how);

}  // namespace unshade::capi
