// A vector whose first items stand in the object itself: most lists of words and values are short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace unshade {

/// As a std::vector of numbers or the like; up to `kInside` items take no memory of their own. At most 2^32 - 1 items.
template <class T, std::uint32_t kInside>
  requires std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>
class SmallVector {
 public:
  using value_type = T;

  SmallVector() = default;
  explicit SmallVector(std::size_t size, T value = {}) { resize(size, value); }
  SmallVector(std::initializer_list<T> items) { append({items.begin(), items.size()}); }
  explicit SmallVector(std::span<const T> items) { append(items); }
  SmallVector(const SmallVector& other) { append(other); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    size_ = 0;
    append(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~SmallVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return outside_ != nullptr ? outside_.get() : inside_; }
  const T* data() const { return outside_ != nullptr ? outside_.get() : inside_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  bool operator==(const SmallVector& other) const { return std::ranges::equal(*this, other); }

  void clear() { size_ = 0; }
  void push_back(T item) {
    if (size_ == capacity_) [[unlikely]]
      grow(std::size_t{size_} + 1);
    data()[size_++] = item;
  }
  void pop_back() { --size_; }
  /// None of the items may be the vector's own.
  void append(std::span<const T> items) {
    if (items.size() > capacity_ - size_) grow(size_ + items.size());
    std::ranges::copy(items, end());
    size_ += static_cast<std::uint32_t>(items.size());
  }
  void resize(std::size_t size, T value = {}) {
    if (size > capacity_) grow(size);
    if (size > size_) std::fill(end(), data() + size, value);
    size_ = static_cast<std::uint32_t>(size);
  }

 private:
  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, std::size_t{capacity_} * 2);
    auto grown = std::make_unique_for_overwrite<T[]>(capacity);
    std::copy_n(data(), size_, grown.get());
    outside_ = std::move(grown);
    capacity_ = static_cast<std::uint32_t>(capacity);
  }
  void take(SmallVector& other) noexcept {
    outside_ = std::move(other.outside_);
    if (outside_ == nullptr) std::copy_n(other.inside_, other.size_, inside_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, kInside);
  }

  std::uint32_t size_ = 0, capacity_ = kInside;
  std::unique_ptr<T[]> outside_;  ///< null: they are inside
  T inside_[kInside];
};

}  // namespace unshade
