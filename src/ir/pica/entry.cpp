// Which executable of a file an entry point's name means.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/core/text/numbers.hpp>
#include <unshade/ir/lower_pica.hpp>
#include <unshade/pica/shbin.hpp>

#include "ir/entry.hpp"

namespace unshade::ir {

Result<std::size_t> executable_of_entry(const pica::Shbin& file, std::string_view entry) {
  const auto number = as_number<std::size_t>(entry);
  if (number && *number < file.executables.size()) return *number;
  std::vector<NamedEntry> names;
  for (const pica::Executable& each : file.executables)
    names.push_back(
        {pica::entry_name(each.labels, each.entry_words), each.stage == pica::Stage::geometry ? Stage::geometry : Stage::vertex});
  auto found = entry_named(names, entry, Stage::none, "executables");
  if (found || found.error().code != ErrorCode::missing) return found;
  return Error{ErrorCode::missing, 0, "executables",
               "there is no executable `" + std::string(entry) + "`: expected a number below " + std::to_string(file.executables.size()) +
                   " or the name of an entry point"};
}

}  // namespace unshade::ir
