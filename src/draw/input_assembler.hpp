// The input assembler: indices, strips and instances become primitives of vertices, a batch at a time.
#pragma once

#include <unordered_map>

#include "draw/stage.hpp"

namespace unshade::draw {

/// A vertex to fetch.
struct Reference {
  std::uint32_t vertex = 0;  ///< SV_VertexID
  std::uint32_t instance = 0;
};

struct Batch {
  std::vector<Reference> vertices;  ///< each once
  Primitives primitives;
};

/// Primitives of so many vertices in a row.
std::uint64_t primitives_of(Topology topology, std::uint64_t vertices, std::uint32_t patch_points);

/// The primitives of an instance whose vertices go to constants.
struct SizedPrimitives {
  std::uint64_t count = 0;
  std::uint32_t most = 0;  ///< vertices of the largest
};
/// Errors: missing without indices that state sizes; bad_value for a primitive without vertices, with more than there are constants, or
/// with vertices left out at the end.
Result<SizedPrimitives> sized_primitives(const ConstantVertices& how, const Bindings& bindings, const Call& call);

/// Goes through a draw. src: Direct3D 11.3 functional specification 8
class Assembler {
 public:
  /// `with_adjacency`: whether what follows takes the vertices beside the primitives. patch_points: of a patch list. `sized`: of
  /// Pipeline::constant_vertices; then primitives have as many corners as the largest, those that they lack as kNone.
  Assembler(const Pipeline& pipeline, const Bindings& bindings, const Call& call, std::uint32_t patch_points, bool with_adjacency,
            const std::optional<SizedPrimitives>& sized = {});
  /// The next batch of at most `most` primitives; none are left if it has none.
  Batch next(std::size_t most);
  std::uint64_t vertices() const { return read_; }

 private:
  bool next_row();
  std::uint32_t vertex_at(std::uint64_t place) const;
  void add_corner(std::uint64_t place);
  void add_primitive(std::uint64_t number);
  void add_sized_primitive();

  Topology topology_;
  std::uint32_t patch_points_;
  bool with_adjacency_;
  bool cuts_;
  std::optional<SizedPrimitives> sized_;
  std::uint32_t fixed_size_ = 0;  ///< of these; 0: each says it
  std::uint64_t next_place_ = 0;  ///< in the row, of the next of these
  const IndexBuffer& indices_;
  const Call& call_;
  std::uint64_t read_ = 0;

  std::uint32_t instance_ = 0;
  std::uint64_t row_ = 0;  ///< first vertex of the row without a cut that is gone through, in the instance
  std::uint64_t row_end_ = 0;
  std::uint64_t in_row_ = 0;     ///< primitives of the row that were made
  std::uint64_t row_count_ = 0;  ///< and that it has
  std::uint32_t number_ = 0;     ///< of the next primitive of the instance
  bool begun_ = false;
  Batch batch_;
  std::unordered_map<std::uint32_t, std::uint32_t> known_;  ///< vertices of this instance in the batch
};

}  // namespace unshade::draw
