// The tables that fxc's listing begins with, and the line it ends with.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <unshade/core/result.hpp>
#include <unshade/core/text.hpp>
#include <unshade/dxbc/class_linkage.hpp>
#include <unshade/dxbc/fxc_version.hpp>
#include <unshade/dxbc/program.hpp>
#include <unshade/dxbc/rdef.hpp>
#include <unshade/dxbc/statistics.hpp>
#include <unshade/dxcontainer/signature.hpp>

namespace unshade::dxbc::listing {

/// What of a container the tables are printed from; absent if it lacks the part. Borrows the file's bytes.
struct ListingTables {
  std::optional<Rdef> rdef;
  std::size_t rdef_bytes = 0;  ///< of the part, which bounds the text that its types expand to
  std::optional<Statistics> statistics;
  std::optional<ClassLinkage> class_linkage;
  std::optional<dxcontainer::Signature> input;
  std::optional<dxcontainer::Signature> output;
  std::optional<dxcontainer::Signature> patch_constant;
  std::uint64_t features = 0;  ///< SFI0
  // of the program
  std::optional<Stage> stage;
  std::uint8_t major_version = 0;
  std::uint32_t global_flags = 0;  ///< bits of dcl_globalFlags, where they are in its token
  bool needs_debug_layer = false;  ///< it aborts, breaks into a debugger or prints messages
};

/// Reads the parts that the tables need. The first of a kind counts. Errors: those of the parts; an SFI0 or program that cannot be read
/// is not one here, it leaves its fields as they are.
Result<ListingTables> read_listing_tables(const dxcontainer::Container& container);

/// The version whose habits a listing follows by default: that of RDEF's creator string, else the newest.
FxcVersion default_fxc_version(const ListingTables& tables);

/// Where a listing is: a file of its own, or a shader within the listing of an effect.
enum class ListingPlace : std::uint8_t { file, effect };

/// Appends everything from the first line to the line before the profile, or before the level 9 block.
/// Source: docs/internals/dxbc_listing.md, "Tables".
void print_listing_tables(Text& out, const ListingTables& tables, const FxcVersion& version, ListingPlace place = ListingPlace::file);

/// Appends `// Approximately 12 instruction slots used`, the last line; without statistics the count is 0.
void print_slot_count(Text& out, const ListingTables& tables);

/// The system value that fxc reports for an element: outputs of a pixel shader hold none in the file.
dxcontainer::SystemValue reported_system_value(const dxcontainer::SignatureElement& element, bool is_pixel_output);

/// The stage of a target of RDEF; nothing for effects and libraries.
std::optional<Stage> stage_of(RdefTarget target);

}  // namespace unshade::dxbc::listing
