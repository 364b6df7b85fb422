// The parts of each row that a mask uses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "layout.hpp"

namespace crevasse {

struct Segment {
  int begin, end;  // half columns, multiples of LANES
};

// The half columns of each row that contain masked points, in whole blocks.
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

  // Half columns in use in the rows before y.
  std::int64_t work_before(int y) const {
    std::int64_t work = 0;
    for (std::int64_t k = 0; k < first_[static_cast<std::size_t>(y)]; ++k)
      work += segments_[static_cast<std::size_t>(k)].end - segments_[static_cast<std::size_t>(k)].begin;
    return work;
  }

  // Rows at which the work is divided into equal shares; even, so that a share contains whole coarse rows.
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
