#include <unshade/system/path.hpp>

namespace unshade::system {

std::string message_of(const std::error_code& fault) { return fault.default_error_condition().message(); }

}  // namespace unshade::system
