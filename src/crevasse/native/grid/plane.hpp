// One value per point of a layout.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#include "layout.hpp"

namespace crevasse {

// Zeros aligned to a cache line, so that no block spreads over two lines.
template <class T>
class Zeros {
 public:
  Zeros() = default;
  explicit Zeros(std::size_t count) {
    const std::size_t size = count * sizeof(T);
    std::size_t space = size + LINE;
    // calloc: the system never provides pages that no mask touches.
    memory_.reset(std::calloc(space, 1));
    if (!memory_) throw std::bad_alloc();
    void* place = memory_.get();
    data_ = static_cast<T*>(std::align(LINE, size, place, space));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  static constexpr std::size_t LINE = 64;  // bytes
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory_;
  T* data_ = nullptr;
};

// A plane of half columns with a row of zeros above and below.
template <class T>
class Plane {
 public:
  Plane() = default;
  explicit Plane(const Layout& layout) : layout_(layout), zeros_(layout.size()) {}

  T* row(int y) { return zeros_.data() + layout_.margin() + layout_.index(y); }
  const T* row(int y) const { return zeros_.data() + layout_.margin() + layout_.index(y); }
  // Half column 0 of row -1, from which Layout::index counts.
  T* flat() { return zeros_.data() + layout_.margin(); }
  const T* flat() const { return zeros_.data() + layout_.margin(); }

 private:
  Layout layout_;
  Zeros<T> zeros_;
};

// Pointers to rows that a loop reads or writes; nothing else in the loop refers to the same memory.
template <class T>
using In = const T* __restrict;
template <class T>
using Out = T* __restrict;

// Base pointer for Layout::index: a point has the same index in all planes of a layout. Setting up a pointer per plane
// and row would take longer than the work on the short rows of small maps.
template <class T>
inline T* flat(Plane<T>& plane) {
  return plane.flat();
}
template <class T>
inline const T* flat(const Plane<T>& plane) {
  return plane.flat();
}

}  // namespace crevasse
