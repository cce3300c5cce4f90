// Comments of a listing. The assembler does not read them, so an edit of one would be lost: it is found by comparing the comments of a text
// with those that listings of its module have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unshade/dxcontainer/container.hpp>
#include <unshade/dxil/assemble.hpp>
#include <unshade/dxil/dxc_version.hpp>
#include <unshade/dxil/metadata.hpp>
#include <unshade/dxil/module.hpp>

namespace unshade::dxil::listing {

/// A comment that belongs to a thing of a module, or may: between `begin` and `end` of the text.
struct PlacedComment {
  enum class By : std::uint8_t {
    text,         ///< before all else
    function,     ///< in the lines before it: its attributes. `index`: in Module::functions
    block,        ///< at its label, or in the lines before it: who leads to it. `index`: in Module::blocks
    instruction,  ///< after it, in its line. `index`: in Module::instructions
  };
  By by = By::text;
  std::uint32_t index = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The comments that a text may have: those of one listing.
struct ListedComments {
  const Module* module = nullptr;
  std::string sections;  ///< what precedes the module
  std::string text;      ///< of the module
  std::vector<PlacedComment> comments;
};

/// Whose habits a listing follows, as ListingOptions::dxc.
using AskedDxc = std::optional<DxcVersion>;

/// Comments of a module. `sections`: see list_sections(). `file_bytes`: as for list_module(). Without comments if the listing would be
/// out of proportion.
ListedComments list_comments(const Module& module, std::size_t file_bytes, const AskedDxc& dxc, std::string sections = {});
/// What precedes the module in a container's listing; empty if it cannot be made.
std::string list_sections(const dxcontainer::Container& container, const AskedDxc& dxc);
/// The same of a container of such parts and the program. `module_bytes`: the size of its bitcode.
std::string list_sections(const ProgramMetadata& program, std::span<const dxcontainer::Part> parts, std::size_t module_bytes,
                          const AskedDxc& dxc);

struct CommentOptions {
  std::size_t most = 8;   ///< messages
  bool has_names = true;  ///< the listings name resources and members as the text does
  bool whole = true;      ///< they are of the container that the text is of: the hash and the debug file's name count
  /// If the listings are of an older dxc: that of the newest. Where it has a comment that theirs lack, none may be.
  const ListedComments* newest = nullptr;
};

/// Comments of `text` that neither listing has, if one of them has a comment in that place, in the order of the text.
/// `before`: the listing of what the text took the place of, or null. Without one nothing tells an edited comment from an edited
/// instruction whose comment stayed: the messages are warnings then.
std::vector<Message> find_edited_comments(std::string_view text, const std::vector<PlacedComment>& written, const ListedComments& now,
                                          const ListedComments* before, const CommentOptions& options);

/// The listings of a module, and of the one that the text took the place of, if there is one.
struct ListedPair {
  ListedComments now;
  std::optional<ListedComments> before;
};

/// The same with `list(dxc)` for the newest habits. Nothing if there is nothing with those of an older release, which may have printed the
/// text.
template <class List>
std::vector<Message> find_comments_of_no_dxc(std::string_view text, const std::vector<PlacedComment>& written, List list,
                                             CommentOptions options) {
  const auto find = [&](const ListedPair& listed) {
    return find_edited_comments(text, written, listed.now, listed.before ? &*listed.before : nullptr, options);
  };
  const ListedPair newest = list(AskedDxc());
  std::vector<Message> found = find(newest);
  options.newest = &newest.now;
  for (auto release = std::rbegin(kDxcReleases); !found.empty() && release != std::rend(kDxcReleases); ++release)
    if (find(list(AskedDxc(*release))).empty()) found.clear();
  return found;
}

/// A number for the lines before a module, by which an exact listing tells whether they were edited. Blanks do not count.
std::uint32_t sections_checksum(std::string_view lines);

}  // namespace unshade::dxil::listing
