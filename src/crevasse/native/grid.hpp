// Grids whose rows are stored split by column parity, and the parts of the rows that a mask uses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace crevasse {

constexpr int LANES = 8;   // work is done in blocks of so many half columns
constexpr int MARGIN = 16;  // zero half columns on either side of a row

using Index = std::ptrdiff_t;

// Where half column j of row y lies: columns 2j and 2j + 1 are half column j of two planes.
//
// Rows usually follow each other. Where a mask uses little of its box they are pushed into each other's gaps: each row
// keeps the columns that it claims, and what lies between them belongs to others (packing.hpp).
class Layout {
 public:
  int rows = 0, columns = 0, half = 0;
  std::size_t stride = 0;  // of a row that has everything

  Layout() = default;
  Layout(int rows_, int columns_) : rows(rows_), columns(columns_), half((columns_ + 1) / 2) {
    stride = static_cast<std::size_t>((half + LANES - 1) / LANES * LANES + 2 * MARGIN);
    std::vector<Index> places;
    for (int y = 0; y < rows + 2; ++y) places.push_back(static_cast<Index>(static_cast<std::size_t>(y) * stride));
    place(std::move(places), MARGIN, static_cast<std::size_t>(rows + 2) * stride);
    packed_ = false;
  }

  // Gives the rows, from the one above the first, other places: the first at `margin`, the others so far from it.
  void place(std::vector<Index> places, std::size_t margin, std::size_t size) {
    kept_ = std::make_shared<const std::vector<Index>>(std::move(places));
    places_ = kept_->data() + 1;
    margin_ = margin;
    size_ = size;
    packed_ = true;
  }

  std::size_t size() const { return size_; }
  std::size_t margin() const { return margin_; }
  bool packed() const { return packed_; }
  // From half column 0 of the row above the first to that of row y; whether or not they have it.
  Index index(int y) const { return places_[y]; }
  // From a half column to the same one of the next row.
  Index to_next(int y) const { return places_[y + 1] - places_[y]; }

 private:
  std::shared_ptr<const std::vector<Index>> kept_;
  const Index* places_ = nullptr;
  std::size_t margin_ = 0, size_ = 0;
  bool packed_ = false;
};

// Zeros that begin with a line of the cache, so that no block of them is spread over two.
template <class T>
class Zeros {
 public:
  Zeros() = default;
  explicit Zeros(std::size_t count) {
    const std::size_t size = count * sizeof(T);
    std::size_t space = size + LINE;
    // calloc: pages that no mask touches are never made.
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
  // Row -1, from which `Layout::index` counts.
  T* flat() { return zeros_.data() + layout_.margin(); }
  const T* flat() const { return zeros_.data() + layout_.margin(); }

 private:
  Layout layout_;
  Zeros<T> zeros_;
};

struct Segment {
  int begin, end;  // half columns, multiples of LANES
};

// For each row the half columns that hold anything, in whole blocks.
class Spans {
 public:
  Spans() = default;

  // used(y, column) tells whether a grid point is part of the mask.
  template <class Used>
  Spans(const Layout& layout, Used used) {
    first_.push_back(0);
    for (int y = 0; y < layout.rows; ++y) {
      for (int block = 0; block < layout.half; block += LANES) {
        bool any = false;
        for (int column = 2 * block; column < std::min(2 * (block + LANES), layout.columns) && !any; ++column)
          any = used(y, column);
        if (any) add(block);
      }
      first_.push_back(static_cast<std::int64_t>(segments_.size()));
    }
  }

  const Segment* begin(int y) const { return segments_.data() + first_[static_cast<std::size_t>(y)]; }
  const Segment* end(int y) const { return segments_.data() + first_[static_cast<std::size_t>(y) + 1]; }

  // Half columns in use in rows before y.
  std::int64_t work_before(int y) const {
    std::int64_t work = 0;
    for (std::int64_t k = 0; k < first_[static_cast<std::size_t>(y)]; ++k)
      work += segments_[static_cast<std::size_t>(k)].end - segments_[static_cast<std::size_t>(k)].begin;
    return work;
  }

  // Rows at which the work is cut into equal shares; even, so that a share holds whole coarse rows.
  std::vector<int> shares(int rows, int count) const {
    std::vector<int> cuts(1, 0);
    const std::int64_t total = work_before(rows) + rows;
    std::int64_t work = 0;
    for (int y = 0; y < rows; ++y) {
      for (const Segment* s = begin(y); s != end(y); ++s) work += s->end - s->begin;
      ++work;
      if (y % 2 == 1 && static_cast<int>(cuts.size()) < count &&
          work * count >= total * static_cast<std::int64_t>(cuts.size()))
        cuts.push_back(y + 1);
    }
    while (static_cast<int>(cuts.size()) <= count) cuts.push_back(rows);
    return cuts;
  }

 private:
  void add(int block) {
    const bool same_row = static_cast<std::int64_t>(segments_.size()) > first_.back();
    if (same_row && segments_.back().end == block) {
      segments_.back().end = block + LANES;
    } else {
      segments_.push_back({block, block + LANES});
    }
  }

  std::vector<Segment> segments_;
  std::vector<std::int64_t> first_;
};

}  // namespace crevasse
