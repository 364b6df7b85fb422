// Row packing of sparse masks: rows are moved into each other's gaps, so that memory is proportional to the mask.
//
// Without it each row of a thin ring in a wide box would occupy memory pages of its own in every plane, and cost
// several times as much. Rows are displaced as a whole: neighbours in a row stay neighbours. A row also claims what the
// rows beside it and the levels above and below it read at its place, so that these read zeros and not another row's
// values.
#pragma once

#include <vector>

#include "plane.hpp"
#include "spans.hpp"

namespace crevasse {

constexpr int PACKING_FACTOR = 2;  // rows are packed if they claim less than one in so many half columns

// The half columns that each row of a grid needs, in blocks of LANES.
class Claims {
 public:
  explicit Claims(const Layout& layout) : rows_(static_cast<std::size_t>(layout.rows + 2)) {}

  // Points in row y of `spans` are read at half columns `stretch` times theirs (-2: half of theirs), in all rows from
  // first(y) to last(y), and up to one block further on either side.
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

  // Packs the rows of the layout if that saves enough.
  void pack(Layout& layout) {
    std::size_t claimed = 0;
    for (std::vector<Segment>& row : rows_) {
      unite(row);
      for (const Segment& s : row) claimed += static_cast<std::size_t>((s.end - s.begin) * LANES);
    }
    if (PACKING_FACTOR * claimed < layout.size()) displace(layout);
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

  // Each row goes to the first place at or after that of the row before it where all its blocks are free.
  void displace(Layout& layout) const {
    std::vector<bool> taken;
    std::vector<Index> places;
    std::size_t place = 1;  // claims begin up to one block before half column 0
    for (const std::vector<Segment>& row : rows_) {
      while (!fits(row, place, taken)) ++place;
      for (const Segment& s : row) {
        const std::size_t end = at(place, s.end);
        if (taken.size() < end) taken.resize(end);
        std::fill(taken.begin() + static_cast<Index>(at(place, s.begin)), taken.begin() + static_cast<Index>(end),
                  true);
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

// A level of the multigrid hierarchy before it has values: its points, those in use, and the layout of its
// interpolation.
struct Shape {
  Layout layout, between;
  Spans spans;

  template <class Used>
  Shape(int rows, int columns, Used used)
      : layout(rows, columns), between((rows + 1) / 2, columns), spans(layout, used) {}
};

// Packs the rows of all levels.
inline void pack_rows(std::vector<Shape>& shapes) {
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
    own.pack(here.layout);
    between.pack(here.between);
  }
}

}  // namespace crevasse
