// A container as text: tables, code for level 9, program, and in exact listings whatever the text leaves out.
#pragma once

#include <optional>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/listing.hpp>
#include <unshade/dxbc/listing/header.hpp>
#include <unshade/dxcontainer/container.hpp>

namespace unshade::dxbc::container {

struct ContainerListingOptions {
  std::optional<FxcVersion> fxc;  ///< by default that of the creator
  bool header = true;             ///< the tables above the program
  bool offsets = false;
  bool bytes = false;
  bool exact_floats = false;
  bool exact = false;                     ///< assembling gives the file back: needs `checks`
  const ListingChecks* checks = nullptr;  ///< with `exact` or `exact_floats`; null: nothing is checked
  LineDirectives lines = LineDirectives::automatic;
  TextOrigins* origins = nullptr;  ///< gets an entry for each instruction, those of the level 9 part first
  listing::ListingPlace place = listing::ListingPlace::file;
};

/// Appends the listing. Errors: those of the parts; missing if the container holds no program, unsupported for an effect in an effect.
Result<void> list_container(const dxcontainer::Container& container, Text& out, const ContainerListingOptions& options = {});

/// Appends the tables and the code for level 9: everything above the profile line. Errors: those of the level 9 part.
Result<void> list_container_head(const dxcontainer::Container& container, const listing::ListingTables& tables, Text& out,
                                 const ContainerListingOptions& options);

}  // namespace unshade::dxbc::container
