// Connected components of a mask; cuts between pixels may separate them further.
#pragma once

#include <algorithm>
#include <cstddef>

#include "threads/pulse.hpp"

namespace crevasse {

// Pairs of neighbours that are cut: right (rows x columns - 1) and down (rows - 1 x columns); null: none is.
struct Cuts {
  const unsigned char* right;
  const unsigned char* down;
};

// Labels from 1, in the order of the components' first pixels, 0 outside; returns their number.
inline int label(std::ptrdiff_t rows, std::ptrdiff_t columns, const unsigned char* mask, const Cuts& cuts, int* out,
                 Pulse& pulse) {
  // Union-find: until the components are numbered, a pixel holds an earlier one of its component, or itself.
  const auto find = [out](int i) {
    while (out[i] != i) i = out[i] = out[out[i]];
    return i;
  };
  for (std::ptrdiff_t y = 0; y < rows; ++y) {
    if (y % ROWS_PER_PULSE == 0) pulse();
    for (std::ptrdiff_t x = 0; x < columns; ++x) {
      const std::ptrdiff_t i = y * columns + x;
      out[i] = mask[i] ? static_cast<int>(i) : -1;
      if (!mask[i]) continue;
      if (x > 0 && mask[i - 1] && !(cuts.right && cuts.right[i - 1 - y])) out[i] = out[i - 1];
      if (y > 0 && mask[i - columns] && !(cuts.down && cuts.down[i - columns])) {
        const int a = find(static_cast<int>(i)), b = find(static_cast<int>(i - columns));
        out[std::max(a, b)] = std::min(a, b);
      }
    }
  }
  int count = 0;
  for (std::ptrdiff_t i = 0; i < rows * columns; ++i) {
    if (i % POINTS_PER_PULSE == 0) pulse();
    out[i] = out[i] < 0 ? 0 : (out[i] == i ? ++count : out[out[i]]);
  }
  return count;
}

}  // namespace crevasse
