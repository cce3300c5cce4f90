#include "cli/verbs/find/database_faults.hpp"

namespace unshade::cli::verbs {

namespace {

/// What is wrong with a condition, by the name of its option.
Exit refuse_condition(const Error& error, Io& io) {
  if (error.path == "conditions") return io.refuse_usage(error.message);
  const bool continues = error.message.starts_with("requires ");
  return io.refuse_usage("--" + error.path + (continues ? " " : ": ") + error.message);
}

}  // namespace

Exit refuse_database(const std::string& path, const Error& error, Io& io) {
  if (error.code == ErrorCode::limit) {
    io.report(path, id(error.code), "--" + error.path + ": " + error.message);
    return Exit::failed;
  }
  if (!error.path.empty()) return refuse_condition(error, io);
  switch (error.code) {
    case ErrorCode::bad_value: io.report(path, "damaged", error.message); return Exit::invalid;
    case ErrorCode::bad_magic: io.report(path, "bad-magic", error.message); return Exit::invalid;
    default: io.report(path, "io", error.message); return Exit::failed;
  }
}

}  // namespace unshade::cli::verbs
