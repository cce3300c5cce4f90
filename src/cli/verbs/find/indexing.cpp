#include "cli/verbs/find/indexing.hpp"

#include <optional>

#include "cli/io/version.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/find/search_faults.hpp"

namespace unshade::cli::verbs {

Result<unshade::index::Totals> add_files(const Args& args, unshade::index::Additions additions, unshade::index::Database& database, Io& io,
                                         Exit& exit) {
  Args all = args;
  all.set(kAll.name, {});  // shaders lie in files of any kind
  additions.files = io.inputs(all, exit);
  additions.roots = args.operands;
  for (const Fault& fault : io.faults()) additions.unread.push_back(fault.file);
  additions.version = cli::version();
  std::optional<print::Progress> progress;
  additions.progress = [&](std::uint64_t done, std::uint64_t total) {
    if (!progress) progress.emplace(io.host(), total, print::kProgressBytes);
    progress->show(done);
  };
  additions.searched = [&](const unpack::SearchedFile& file) {
    if (progress && (!file.faults.empty() || !file.fault.empty())) progress->clear();
    exit = worse(exit, report_faults(file, io));
  };
  return database.add(additions);
}

}  // namespace unshade::cli::verbs
