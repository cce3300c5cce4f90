// The shaders of a file, to be taken out or replaced one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <unshade/core/result.hpp>
#include <unshade/core/view.hpp>
#include <unshade/pica/embedded.hpp>
#include <unshade/shader/shader.hpp>

#include <unshade/unpack/search.hpp>

namespace unshade::unpack {

/// A shader in a file, and what is known of it.
struct Content {
  pica::Embedded at;
  shader::Family family = shader::Family::unknown;  ///< of those that a search finds
  std::string profile{};
  std::shared_ptr<const Layers> layers{};  ///< what it was unpacked from; null: it lies in the file as it is
  std::shared_ptr<Spool> spool{};          ///< of those that were unpacked: where their bytes are
  std::optional<std::uint64_t> spooled{};
};

/// Whether a file names its shaders itself: an effect, or a VBC with its stages. Of others the shaders are what a search finds.
bool has_own_contents(View file);
/// The shaders of such a file, by the names of variables and passes, or of stages.
Result<std::vector<Content>> own_contents(View file);
/// What a search found; `named`: the PICA200 shaders of the file as it is, with the names and sizes that entries of a CGFX state.
std::vector<Content> contents_of(SearchedFile&& file, std::vector<pica::Embedded>&& named);

/// The whole file with another shader in the place of one, `number` among its contents. Errors: unsupported for those that were unpacked,
/// and for those of other families than PICA200 that a search found.
Result<std::vector<std::byte>> replace_content(View file, std::size_t number, const Content& old, View with);
/// Whether a shader can be replaced at all.
Result<void> check_replaceable(const Content& old);

/// PICA200 shaders in a file that is too large to be read as a whole.
class EmbeddedSearch {
 public:
  /// Pieces of so many bytes: shaders of the largest programs have less than a tenth of kLookAhead.
  static constexpr std::size_t kPiece = std::size_t{1} << 26;
  static constexpr std::size_t kLookAhead = std::size_t{1} << 24;

  std::vector<pica::Embedded> found;

  /// Searches the next piece, and returns how many bytes at its end the one after it must begin with.
  std::size_t add(View piece, bool is_last);
};

/// Another shader in the place of a PICA200 one, in a file that is too large to be read as a whole.
class EmbeddedPatch {
 public:
  /// Error: unsupported if it is longer.
  static Result<EmbeddedPatch> of(const pica::Embedded& old, View with);
  /// A piece of the file as it is to be.
  std::vector<std::byte> applied(View piece) const;

 private:
  std::uint64_t offset_ = 0;
  std::vector<std::byte> place_;
  std::uint64_t reference_ = 0;  // 0: none
  std::vector<std::byte> size_;
};

}  // namespace unshade::unpack
