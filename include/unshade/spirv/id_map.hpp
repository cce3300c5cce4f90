// Something for each id that has it: ids are small numbers mostly, with gaps, and may be any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace unshade::spirv {

/// Places for ids, given out from 1 on in the order in which they are asked for; 0 is that of ids without one. Memory is in proportion to
/// the places, and to kNear or what the constructor says.
class IdPlaces {
 public:
  static constexpr std::size_t kNear = std::size_t{1} << 16;

  /// `most_near`: ids below it, or below kNear, are found without a search.
  explicit IdPlaces(std::size_t most_near = 0) : most_near_(std::max(most_near, kNear)) {}

  void reserve(std::size_t bound) { near_.resize(std::max(near_.size(), std::min(bound, most_near_))); }
  std::uint32_t find(std::uint32_t id) const {
    if (id < near_.size()) return near_[id];
    return far_.empty() ? 0 : find_far(id);
  }
  std::uint32_t add(std::uint32_t id) {
    if (id >= near_.size() && id < most_near_) near_.resize(std::min(most_near_, std::max(id + std::size_t{1}, 2 * near_.size())));
    std::uint32_t& place = id < near_.size() ? near_[id] : far_[id];
    if (place == 0) place = ++count_;
    return place;
  }
  /// Places given out, that of ids without one included.
  std::size_t size() const { return count_ + std::size_t{1}; }

 private:
  std::uint32_t find_far(std::uint32_t id) const {
    const auto found = far_.find(id);
    return found != far_.end() ? found->second : 0;
  }

  std::size_t most_near_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> near_;  // by id
  std::unordered_map<std::uint32_t, std::uint32_t> far_;
};

/// A T for each id that was given one.
template <class T>
class IdMap {
 public:
  IdMap() : IdMap(0) {}
  /// See IdPlaces.
  explicit IdMap(std::size_t most_near) : places_(most_near), values_(1) {}

  void reserve(std::size_t bound) { places_.reserve(bound); }
  /// That of an id, or a T{}.
  const T& get(std::uint32_t id) const { return values_[places_.find(id)]; }
  T& operator[](std::uint32_t id) {
    const std::uint32_t place = places_.add(id);
    if (place >= values_.size()) values_.resize(place + std::size_t{1});
    return values_[place];
  }
  const IdPlaces& places() const { return places_; }

 private:
  IdPlaces places_;
  std::vector<T> values_;
};

}  // namespace unshade::spirv
