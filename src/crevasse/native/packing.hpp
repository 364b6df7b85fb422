// The rows of a thin mask, pushed into each other's gaps: they lie as close in memory as the points that they hold.
//
// A thin ring in a wide box would have each row of each plane on pages of its own, and cost several times as much. Rows
// are displaced, not cut: neighbours in a row stay neighbours. What a row claims includes all that the rows beside it
// and the levels around it read there, so that it finds zeros and not what another row keeps.
#pragma once

#include <vector>

#include "grid.hpp"

namespace crevasse {

constexpr int SPARE = 2;  // rows are pushed together where they claim less than one in so many half columns

// The half columns that each row of a grid needs, in blocks of LANES.
class Claims {
 public:
  explicit Claims(const Layout& layout) : rows_(static_cast<std::size_t>(layout.rows + 2)) {}

  // What row y of `spans` holds is read at half columns `stretch` times as far (halves: -2), in all rows from
  // first(y) to last(y); with a block more on either side.
  template <class First, class Last>
  void add(const Spans& spans, int rows, int stretch, First first, Last last) {
    for (int y = 0; y < rows; ++y)
      for (const Segment* s = spans.begin(y); s != spans.end(y); ++s) {
        const int begin = stretch > 0 ? s->begin * stretch : s->begin / -stretch;
        const int end = stretch > 0 ? s->end * stretch : (s->end - 1) / -stretch + 1;
        for (int near = std::max(first(y), -1); near <= last(y); ++near)
          add(near, {begin / LANES - 1, (end + LANES - 1) / LANES + 1});
      }
  }

  // Gives the rows their places, where there is enough to gain.
  void settle(Layout& layout) {
    std::size_t claimed = 0;
    for (std::vector<Segment>& row : rows_) {
      unite(row);
      for (const Segment& s : row) claimed += static_cast<std::size_t>((s.end - s.begin) * LANES);
    }
    if (SPARE * claimed < layout.size()) displace(layout);
  }

 private:
  void add(int y, Segment blocks) {
    if (y + 1 < static_cast<int>(rows_.size())) rows_[static_cast<std::size_t>(y + 1)].push_back(blocks);
  }

  static void unite(std::vector<Segment>& row) {
    std::sort(row.begin(), row.end(), [](const Segment& a, const Segment& b) { return a.begin < b.begin; });
    std::vector<Segment> united;
    for (const Segment& s : row) {
      if (!united.empty() && s.begin <= united.back().end) {
        united.back().end = std::max(united.back().end, s.end);
      } else {
        united.push_back(s);
      }
    }
    row = std::move(united);
  }

  // Each row goes to the first place, from that of the row before it on, where all its blocks are free.
  void displace(Layout& layout) const {
    std::vector<bool> taken;
    std::vector<Index> places;
    std::size_t place = 1;  // claims begin up to a block before half column 0
    for (const std::vector<Segment>& row : rows_) {
      while (!fits(row, place, taken)) ++place;
      for (const Segment& s : row) {
        const std::size_t end = at(place, s.end);
        if (taken.size() < end) taken.resize(end);
        std::fill(taken.begin() + static_cast<Index>(at(place, s.begin)), taken.begin() + static_cast<Index>(end), true);
      }
      places.push_back(static_cast<Index>((place - 1) * LANES));
    }
    // Rows that claim nothing are never read.
    layout.place(std::move(places), LANES, taken.size() * LANES);
  }

  static bool fits(const std::vector<Segment>& row, std::size_t place, const std::vector<bool>& taken) {
    for (const Segment& s : row)
      for (std::size_t k = at(place, s.begin); k < std::min(at(place, s.end), taken.size()); ++k)
        if (taken[k]) return false;
    return true;
  }

  static std::size_t at(std::size_t place, int block) {
    return static_cast<std::size_t>(static_cast<Index>(place) + block);
  }

  std::vector<std::vector<Segment>> rows_;
};

// A level of the hierarchy before it has any values: its points, those in use, and how its interpolation is kept.
struct Shape {
  Layout layout, between;
  Spans spans;

  template <class Used>
  Shape(int rows, int columns, Used used) : layout(rows, columns), between((rows + 1) / 2, columns), spans(layout, used) {}
};

// Lets the rows of all levels claim what is read of them, and pushes them together.
inline void push_together(std::vector<Shape>& shapes) {
  for (std::size_t l = 0; l < shapes.size(); ++l) {
    Shape& here = shapes[l];
    Claims own(here.layout), between(here.between);
    own.add(here.spans, here.layout.rows, 1, [](int y) { return y - 1; }, [](int y) { return y + 1; });
    between.add(here.spans, here.layout.rows, 1, [](int y) { return y / 2 - 1; }, [](int y) { return y / 2 + 1; });
    if (l > 0) {
      const Shape& finer = shapes[l - 1];
      own.add(finer.spans, finer.layout.rows, -2, [](int y) { return y / 2 - 1; }, [](int y) { return y / 2 + 1; });
    }
    if (l + 1 < shapes.size()) {
      const Shape& coarser = shapes[l + 1];
      own.add(coarser.spans, coarser.layout.rows, 2, [](int i) { return 2 * i - 3; }, [](int i) { return 2 * i + 3; });
      between.add(coarser.spans, coarser.layout.rows, 2, [](int i) { return i - 1; }, [](int i) { return i + 1; });
    }
    own.settle(here.layout);
    between.settle(here.between);
  }
}

}  // namespace crevasse
