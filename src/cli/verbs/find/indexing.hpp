// Files into a database.
#pragma once

#include <unshade/index/database.hpp>

#include "cli/io/io.hpp"
#include "cli/line/verb.hpp"

namespace unshade::cli::verbs {

/// Searches all files of the operands, and adds their shaders. Reports what cannot be read; an error is not reported.
Result<unshade::index::Totals> add_files(const Args& args, unshade::index::Additions additions, unshade::index::Database& database, Io& io,
                                         Exit& exit);

}  // namespace unshade::cli::verbs
