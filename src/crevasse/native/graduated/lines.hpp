// One value per pair of a row, by the families of pairs.
#pragma once

#include <algorithm>
#include <vector>

#include "../grid/spans.hpp"

namespace crevasse {

struct Lines {
  std::vector<float> inner, outer, red, black;
  int row = -1;  // the row that the values belong to

  explicit Lines(const Layout& layout)
      : inner(layout.stride), outer(layout.stride), red(layout.stride), black(layout.stride) {}

  // Prepares for row y: clears the values of the row before, which would be taken for those of pairs that do not exist.
  void reuse(const Spans& spans, int y) {
    if (row >= 0)
      for (const Segment* s = spans.begin(row); s != spans.end(row); ++s)
        for (std::vector<float>* line : {&inner, &outer, &red, &black})
          std::fill(line->begin() + MARGIN + s->begin, line->begin() + MARGIN + s->end, 0.0f);
    row = y;
  }

  // Values of the pair of the pixel in column x with the one right of it, and with the one below it in row y.
  float right(int x) const { return (x % 2 == 0 ? inner : outer)[static_cast<std::size_t>(MARGIN + (x + 1) / 2)]; }
  float down(int y, int x) const { return ((x + y) % 2 == 0 ? red : black)[static_cast<std::size_t>(MARGIN + x / 2)]; }
};

}  // namespace crevasse
