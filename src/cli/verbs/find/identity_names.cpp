#include "cli/verbs/find/identity_names.hpp"

#include <unshade/core/spelling.hpp>
#include <unshade/find/identity.hpp>

namespace unshade::cli::verbs {

std::string identity_fault(std::string_view id) {
  if (const find::IdentityKind* const kind = find::identity_kind(id)) {
    if (kind->is_built()) return {};
    return "the identity " + quoted(id) + " requires " + std::string(kind->needs) + ", without which this unshade was built";
  }
  std::string_view nearest;
  for (const find::IdentityKind& kind : find::identity_kinds())
    if (nearest.empty() || spelling_distance(id, kind.id) < spelling_distance(id, nearest)) nearest = kind.id;
  return "there is no identity " + quoted(id) + ": did you mean " + quoted(nearest) + "? (unshade hash --kinds)";
}

}  // namespace unshade::cli::verbs
