// What is packed in a file, searched layer by layer.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <unshade/core/view.hpp>

#include <unshade/unpack/archive.hpp>
#include <unshade/unpack/feed.hpp>
#include <unshade/unpack/packings.hpp>
#include <unshade/unpack/search.hpp>

namespace unshade::unpack {

/// Adds the hits of a piece, with what is asked about them.
void add_shaders(std::vector<find::Hit>&& hits, View piece, const Search& search, std::vector<FoundShader>& shaders);
/// Puts shaders that lie in the same bytes in order, and drops those that are none of their own.
void settle(std::vector<FoundShader>& shaders);

/// Of one file. What is unpacked is bounded in proportion to the file, memory by some pieces for each layer.
class LayerSearch {
 public:
  LayerSearch(const Search& search, std::uint64_t file_bytes) : search_(&search), budget_(file_bytes), searches_streams_(search.streams) {}

  std::vector<FoundShader> shaders;  ///< of all layers
  std::shared_ptr<Spool> spool;

  /// What is to be searched as it is of a file that is an archive: what no member covers, or all of it after a fault.
  std::vector<Range> outside(std::uint64_t file_bytes) const;
  /// Where in it the search for streams begins: after a fault, past the damage of a compressed file.
  std::uint64_t streams_from(std::uint64_t file_bytes) const { return faults_.empty() ? 0 : rest_at_.value_or(file_bytes); }
  /// The first ones, and how many more there are.
  std::vector<LayerFault> take_faults();

  /// Searches the members of an archive.
  void add_archive(const Packing& packing, Feed& packed, const Layers& around);
  /// Searches the streams that begin in the first `starts` bytes of a piece. `open(offset)`: the bytes from there on, in and after it.
  /// Only those count that are whole and have the right checksum. Returns the offset where the last one ends, or that of the piece.
  std::uint64_t add_streams(View piece, std::size_t starts, const std::function<std::unique_ptr<Feed>(std::uint64_t offset)>& open,
                            const Layers& around);

 private:
  void add_feed(Feed& feed, const Layers& around);
  /// `at`: the offset of the feed in what it is part of.
  void add_window(Feed& feed, const Layers& around, std::uint64_t at = 0);
  void add_fault(const Layers& layers, Error error);
  void keep(FoundShader& shader, View bytes);

  const Search* search_;
  Budget budget_;
  bool searches_streams_;  // also in what streams hold
  // Of an archive that is the file itself: where the bytes after it begin, or those that its members cover, if it may have gaps.
  std::optional<std::uint64_t> rest_at_;
  std::optional<std::vector<Range>> covered_;
  std::vector<LayerFault> faults_;
  std::uint64_t untold_ = 0;  // faults beyond
  bool has_told_spent_ = false;
};

}  // namespace unshade::unpack
