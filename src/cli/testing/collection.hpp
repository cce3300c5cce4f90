// Tests in files, as the command reads them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <unshade/amber/collection.hpp>

#include "cli/io/io.hpp"

namespace unshade::cli::testing {

using amber::Collection;

/// Scripts and suites among the operands: files as they are, of folders all that have the name of tests. Reports folders that cannot be
/// read.
std::vector<std::string> find_tests(std::span<const std::string> operands, Io& io, Exit& exit);

/// With what tests may use of this machine: files, formats of pictures and documents, a compiler.
suite::TestOptions with_files(suite::TestOptions options);

}  // namespace unshade::cli::testing
