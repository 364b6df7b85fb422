// Where the points of a grid lie in memory: rows split by column parity.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace crevasse {

constexpr int LANES = 8;    // half columns per block; all work is done in whole blocks
constexpr int MARGIN = 16;  // zero half columns on either side of a row

using Index = std::ptrdiff_t;

// Where half column j of row y lies: columns 2j and 2j + 1 are half column j of two planes.
//
// Rows usually follow each other. Where a mask fills little of its box, rows are packed into each other's gaps: each
// row owns the half columns that it uses, and other rows own those in between (row_packing.hpp).
class Layout {
 public:
  int rows = 0, columns = 0, half = 0;
  std::size_t stride = 0;  // half columns of a complete row, margins included

  Layout() = default;
  Layout(int rows_, int columns_) : rows(rows_), columns(columns_), half((columns_ + 1) / 2) {
    stride = static_cast<std::size_t>((half + LANES - 1) / LANES * LANES + 2 * MARGIN);
    std::vector<Index> places;
    for (int y = 0; y < rows + 2; ++y) places.push_back(static_cast<Index>(static_cast<std::size_t>(y) * stride));
    place(std::move(places), MARGIN, static_cast<std::size_t>(rows + 2) * stride);
    packed_ = false;
  }

  // Moves the rows: `places` counts from the row above the first one, which lies at `margin`.
  void place(std::vector<Index> places, std::size_t margin, std::size_t size) {
    owner_ = std::make_shared<const std::vector<Index>>(std::move(places));
    places_ = owner_->data() + 1;
    margin_ = margin;
    size_ = size;
    packed_ = true;
  }

  std::size_t size() const { return size_; }
  std::size_t margin() const { return margin_; }
  bool packed() const { return packed_; }
  // Distance from half column 0 of row -1 to half column 0 of row y, whether or not the rows own these.
  Index index(int y) const { return places_[y]; }
  // Distance from a half column of row y to the same one of row y + 1.
  Index to_next(int y) const { return places_[y + 1] - places_[y]; }

 private:
  std::shared_ptr<const std::vector<Index>> owner_;
  const Index* places_ = nullptr;
  std::size_t margin_ = 0, size_ = 0;
  bool packed_ = false;
};

// Index of pixel (y, x) in a row-major image of that width.
inline std::size_t pixel_index(int y, int x, int width) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
}

}  // namespace crevasse
