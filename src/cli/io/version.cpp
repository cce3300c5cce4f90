#include "cli/io/version.hpp"

namespace unshade::cli {

std::string_view version() { return UNSHADE_VERSION; }

}  // namespace unshade::cli
