// So is its JSON.
#pragma once

#include <unshade/present/json.hpp>

#include "cli/io/printer.hpp"

namespace unshade::cli {

using present::as_utf8;
using present::Json;
using present::valid_utf8;

}  // namespace unshade::cli
