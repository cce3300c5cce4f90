// A session of stepping, as an object of the C interface.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/value.hpp>
#include <unshade/run/session.hpp>

#include "capi/object.hpp"

struct unshade_session {
  unshade::run::Session session;
  std::vector<std::byte> file;  ///< of the shader
};

namespace unshade::capi {

/// A case as JSON; of an empty text an empty one. Errors: those of present::read_json(); bad_value for what is no object.
Result<Value> read_case(std::string_view text);

/// Of the options, what says how a session is recorded.
run::SessionOptions session_options(const unshade_session_options& how);

}  // namespace unshade::capi
