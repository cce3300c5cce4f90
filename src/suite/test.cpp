#include <unshade/suite/test.hpp>

namespace unshade::suite {

std::string_view id(Status status) {
  switch (status) {
    case Status::passed: return "passed";
    case Status::failed: return "failed";
    default: return "skipped";
  }
}

}  // namespace unshade::suite
