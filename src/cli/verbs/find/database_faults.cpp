#include "cli/verbs/find/database_faults.hpp"

namespace unshade::cli::verbs {

Exit refuse_database(const std::string& path, const database::Fault& fault, Io& io) {
  switch (fault.kind) {
    case database::Fault::Kind::damaged: io.report(path, "damaged", fault.what()); return Exit::invalid;
    case database::Fault::Kind::format: io.report(path, "bad-magic", fault.what()); return Exit::invalid;
    case database::Fault::Kind::sql: return io.refuse_usage(fault.what());
    case database::Fault::Kind::io: break;
  }
  io.report(path, "io", fault.what());
  return Exit::failed;
}

}  // namespace unshade::cli::verbs
