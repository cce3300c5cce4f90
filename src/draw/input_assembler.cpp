#include "draw/input_assembler.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <unshade/ir/lower_pica.hpp>

namespace unshade::draw {
namespace {

bool is_strip(Topology topology) {
  switch (topology) {
    case Topology::line_strip:
    case Topology::triangle_strip:
    case Topology::triangle_fan:
    case Topology::line_strip_adjacency:
    case Topology::triangle_strip_adjacency: return true;
    default: return false;
  }
}

// The places in a row of the vertices of primitive k of n, the leading vertex first. With adjacency every second one lies beside the
// primitive: of lines the first and the last, of triangles the one beyond the edge before it.
// src: Direct3D 11.3 functional specification 8.15; strips with adjacency: Vulkan 1.3, 21.1.11
unsigned places_of(Topology topology, std::uint64_t k, std::uint64_t n, std::uint32_t patch_points, std::array<std::uint64_t, 32>& to) {
  const auto set = [&](auto... places) {
    to = {static_cast<std::uint64_t>(places)...};
    return static_cast<unsigned>(sizeof...(places));
  };
  switch (topology) {
    case Topology::point_list: return set(k);
    case Topology::line_list: return set(2 * k, 2 * k + 1);
    case Topology::line_strip: return set(k, k + 1);
    case Topology::triangle_list: return set(3 * k, 3 * k + 1, 3 * k + 2);
    case Topology::triangle_strip: return set(k, k + 1 + k % 2, k + 2 - k % 2);
    case Topology::triangle_fan: return set(k + 1, k + 2, 0);
    case Topology::line_list_adjacency: return set(4 * k, 4 * k + 1, 4 * k + 2, 4 * k + 3);
    case Topology::line_strip_adjacency: return set(k, k + 1, k + 2, k + 3);
    case Topology::triangle_list_adjacency: return set(6 * k, 6 * k + 1, 6 * k + 2, 6 * k + 3, 6 * k + 4, 6 * k + 5);
    case Topology::triangle_strip_adjacency: {
      const bool last = k + 1 == n;
      const std::uint64_t before = k == 0 ? 1 : 2 * k - 2;  // beyond the edge that the triangle shares with the one before
      if (k % 2 == 0) return set(2 * k, before, 2 * k + 2, last ? 2 * k + 5 : 2 * k + 6, 2 * k + 4, 2 * k + 3);
      return set(2 * k, 2 * k + 3, 2 * k + 4, last ? 2 * k + 5 : 2 * k + 6, 2 * k + 2, before);
    }
    case Topology::patch_list:
      for (std::uint32_t point = 0; point < patch_points; ++point) to[point] = k * patch_points + point;
      return patch_points;
  }
  return 0;
}

// Of the vertices with adjacency, those of the primitive itself.
unsigned drop_adjacency(Topology topology, std::array<std::uint64_t, 32>& places, unsigned count) {
  if (topology == Topology::line_list_adjacency || topology == Topology::line_strip_adjacency) {
    places[0] = places[1];
    places[1] = places[2];
    return 2;
  }
  if (topology == Topology::triangle_list_adjacency || topology == Topology::triangle_strip_adjacency) {
    places[1] = places[2];
    places[2] = places[4];
    return 3;
  }
  return count;
}

// An index beyond the buffer is 0.
std::uint32_t index_at(const IndexBuffer& indices, std::uint64_t place) {
  const std::uint64_t offset = place * indices.size;
  std::uint32_t index = 0;
  if (offset + indices.size <= indices.bytes.size()) {
    for (unsigned byte = 0; byte < indices.size; ++byte)
      index |= std::to_integer<std::uint32_t>(indices.bytes[offset + byte]) << (8 * byte);
  }
  return index;
}

Error wrong_size(std::string message) { return {ErrorCode::bad_value, 0, "mesh", std::move(message)}; }

Error no_room(std::uint32_t vertices) {
  return wrong_size(std::to_string(vertices) + " vertices, more than fit into the " + std::to_string(ir::pica_uniforms::kReals) +
                    " constant registers");
}

}  // namespace

std::uint64_t primitives_of(Topology topology, std::uint64_t vertices, std::uint32_t patch_points) {
  const auto beyond = [&](std::uint64_t first) { return vertices < first ? 0 : vertices - first + 1; };
  switch (topology) {
    case Topology::point_list: return vertices;
    case Topology::line_list: return vertices / 2;
    case Topology::line_strip: return beyond(2);
    case Topology::triangle_list: return vertices / 3;
    case Topology::triangle_strip:
    case Topology::triangle_fan: return beyond(3);
    case Topology::line_list_adjacency: return vertices / 4;
    case Topology::line_strip_adjacency: return beyond(4);
    case Topology::triangle_list_adjacency: return vertices / 6;
    case Topology::triangle_strip_adjacency: return vertices < 6 ? 0 : (vertices - 4) / 2;
    case Topology::patch_list: return patch_points == 0 ? 0 : vertices / patch_points;
  }
  return 0;
}

Result<SizedPrimitives> sized_primitives(const ConstantVertices& how, const Bindings& bindings, const Call& call) {
  SizedPrimitives made;
  if (how.count != 0) {
    if (how.count > ir::pica_uniforms::kReals) return wrong_size("the geometry shader takes primitives of " + no_room(how.count).message);
    if (call.count % how.count != 0)
      return wrong_size("the geometry shader takes primitives of " + std::to_string(how.count) + " vertices: the draw has " +
                        std::to_string(call.count) + ", which leaves " + std::to_string(call.count % how.count));
    return SizedPrimitives{call.count / how.count, how.count};
  }
  if (!call.indexed)
    return Error{ErrorCode::missing, 0, "mesh",
                 "the geometry shader takes primitives of any size: the mesh must have indices, in which each primitive begins with its "
                 "number of vertices"};
  for (std::uint64_t place = 0; place < call.count; ++made.count) {
    const std::uint32_t size = index_at(bindings.indices, call.first + place);
    const std::uint64_t left = call.count - place - 1;
    const auto wrong = [&](const std::string& what) {
      return wrong_size("index " + std::to_string(call.first + place) + " begins a primitive of " + what);
    };
    if (size == 0) return wrong("0 vertices, expected at least 1");
    if (size > ir::pica_uniforms::kReals) return wrong(no_room(size).message);
    if (size > left) return wrong(std::to_string(size) + " vertices, of which the draw has " + std::to_string(left));
    made.most = std::max(made.most, size);
    place += 1 + std::uint64_t{size};
  }
  return made;
}

Assembler::Assembler(const Pipeline& pipeline, const Bindings& bindings, const Call& call, std::uint32_t patch_points, bool with_adjacency,
                     const std::optional<SizedPrimitives>& sized)
    : topology_(pipeline.topology),
      patch_points_(std::min(patch_points, 32U)),
      with_adjacency_(with_adjacency),
      cuts_(pipeline.strip_cut && call.indexed && is_strip(pipeline.topology) && !sized),
      sized_(sized),
      fixed_size_(sized && pipeline.constant_vertices ? pipeline.constant_vertices->count : 0),
      indices_(bindings.indices),
      call_(call) {}

std::uint32_t Assembler::vertex_at(std::uint64_t place) const {
  return call_.indexed ? index_at(indices_, call_.first + place) : static_cast<std::uint32_t>(place);
}

// The next row of vertices without a cut that has primitives, in this instance or one after it.
bool Assembler::next_row() {
  const std::uint32_t cut = indices_.size >= 4 ? 0xffff'ffff : (1U << (8 * indices_.size)) - 1;
  for (;;) {
    std::uint64_t first = begun_ ? row_end_ : 0;
    if (begun_ && first >= call_.count) {
      if (number_ == 0) return false;  // and so in each instance
      ++instance_;
      number_ = 0;
      first = 0;
      known_.clear();
    }
    begun_ = true;
    if (instance_ >= call_.instances || call_.count == 0) return false;
    const auto is_cut = [&](std::uint64_t place) { return cuts_ && vertex_at(place) == cut; };
    while (first < call_.count && is_cut(first)) ++first;
    std::uint64_t end = cuts_ ? first : call_.count;
    while (cuts_ && end < call_.count && !is_cut(end)) ++end;
    row_ = first;
    row_end_ = end;
    in_row_ = 0;
    next_place_ = first;
    row_count_ = sized_ ? sized_->count : primitives_of(topology_, end - first, patch_points_);
    if (!sized_) read_ += end - first;
    if (row_count_ != 0) return true;
  }
}

void Assembler::add_corner(std::uint64_t place) {
  const std::uint32_t vertex = vertex_at(place);
  const auto [known, added] = known_.try_emplace(vertex, static_cast<std::uint32_t>(batch_.vertices.size()));
  if (added) batch_.vertices.push_back({vertex, instance_});
  batch_.primitives.corner.push_back(known->second);
}

void Assembler::add_sized_primitive() {
  const std::uint32_t size = fixed_size_ != 0 ? fixed_size_ : vertex_at(next_place_++);
  batch_.primitives.corners = sized_->most;
  for (std::uint32_t k = 0; k < size; ++k) add_corner(next_place_++);
  batch_.primitives.corner.resize(batch_.primitives.corner.size() + sized_->most - size, kNone);
  batch_.primitives.numbers.push_back(number_++);
  read_ += size;
}

void Assembler::add_primitive(std::uint64_t number) {
  std::array<std::uint64_t, 32> places{};
  unsigned count = places_of(topology_, number, row_count_, patch_points_, places);
  if (!with_adjacency_) count = drop_adjacency(topology_, places, count);
  batch_.primitives.corners = count;
  for (unsigned k = 0; k < count; ++k) add_corner(row_ + places[k]);
  batch_.primitives.numbers.push_back(number_++);
}

Batch Assembler::next(std::size_t most) {
  batch_ = {};
  known_.clear();
  while (batch_.primitives.count() < most) {
    if (in_row_ == row_count_ && !next_row()) break;
    if (sized_) {
      ++in_row_;
      add_sized_primitive();
    } else {
      add_primitive(in_row_++);
    }
  }
  return std::move(batch_);
}

}  // namespace unshade::draw
