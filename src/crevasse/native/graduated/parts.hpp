// Parts of a surface that belong together: pixels merged along their strongest bonds.
//
// The strength of a bond between two parts is the sum over all their contacts. In each round every part merges with the
// neighbour of its strongest bond, until no bond is positive or no more than a given number of parts is left.
#pragma once

#include <algorithm>
#include <vector>

#include "../grid/layout.hpp"
#include "../grid/loops.hpp"
#include "bonds.hpp"
#include "contact.hpp"
#include "union_find.hpp"

namespace crevasse {

// The part of each pixel, from 0; -1 outside the mask.
class Parts {
 public:
  // inside(i): whether pixel i (row-major) is masked; bind(y, right, down): writes the bonds of the pixels of row y
  // with those right of them and below, 0 where they do not meet, in whole blocks. Merges until `limit` parts are left.
  template <class Inside, class Bind>
  Parts(int rows, int columns, Inside inside, Bind bind, int limit, Pulse& pulse) : rows_(rows), columns_(columns) {
    join_pixels(bind, pulse);
    number(inside, pulse);
    Bonds bonds = gather_pixels(bind, pulse);
    std::vector<int> whole;
    count_up(whole, count, pulse);
    while (count > limit && merge(bonds, whole, pulse)) {
    }
    rename(whole, pulse);
  }

  int at(int y, int x) const { return labels[index(y, x)]; }

  // visit(a, b, contact) for all contacts between different parts a and b.
  template <class Meeting, class Visit>
  void each_border(Meeting contact, Visit visit, Pulse& pulse) const {
    int row = 0;
    each_pair([&](int y) { row = y; },
              [&](int a, int b, int x, bool below) {
                if (a == b || a < 0 || b < 0) return;
                const Contact c = contact(row, x, below);
                if (c.exists()) visit(a, b, c);
              },
              pulse);
  }

  std::vector<int> labels;
  int count = 0;

 private:
  static constexpr int NOWHERE = 0, UP = 1, LEFT = 2, RIGHT = 3, DOWN = 4;

  // Bonds of the pixels of a row, and the direction of the strongest one; with one more column on the left.
  struct Line {
    std::vector<float> right, down;
    std::vector<int> direction;
    explicit Line(int columns)
        : right(static_cast<std::size_t>(columns + 1 + 2 * LANES)), down(right.size()), direction(right.size()) {}
  };

  std::size_t index(int y, int x) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }

  // The direction of the strongest bond; the first one of equals.
  static void choose(int columns, const float* __restrict up, const float* __restrict left,
                     const float* __restrict right, const float* __restrict down, int* __restrict direction) {
    CREVASSE_LANES
    for (int x = 0; x < columns; ++x) {
      const float first = larger(up[x], 0.0f), second = larger(first, left[x]), third = larger(second, right[x]);
      int chosen = up[x] > 0.0f ? UP : NOWHERE;
      chosen = left[x] > first ? LEFT : chosen;
      chosen = right[x] > second ? RIGHT : chosen;
      chosen = down[x] > third ? DOWN : chosen;
      direction[x] = chosen;
    }
  }

  // Joins every pixel with the neighbour of its strongest bond. Until parts are numbered, a pixel holds an earlier one
  // of its part, or itself.
  template <class Bind>
  void join_pixels(Bind bind, Pulse& pulse) {
    fill(labels, static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_), -1, pulse);
    Line above(columns_), line(columns_);
    for (int y = 0; y < rows_; ++y) {
      if (y % ROWS_PER_PULSE == 0) pulse();
      bind(y, line.right.data() + 1, line.down.data() + 1);
      choose(columns_, above.down.data() + 1, line.right.data(), line.right.data() + 1, line.down.data() + 1,
             line.direction.data() + 1);
      join_row(y, above.direction.data() + 1, line.direction.data() + 1);
      std::swap(above, line);
    }
  }

  void join_row(int y, const int* above, const int* direction) {
    int* out = labels.data();
    const auto find = [out](int i) {
      while (out[i] != i) i = out[i] = out[out[i]];
      return i;
    };
    const int row = static_cast<int>(index(y, 0)), columns = columns_;
    for (int x = 0; x < columns; ++x) {
      const int i = row + x;
      out[i] = (direction[x] == LEFT) | (direction[x - 1] == RIGHT) ? out[i - 1] : i;
      if ((direction[x] == UP) | (above[x] == DOWN)) {
        const int a = find(i), b = find(i - columns);
        out[std::max(a, b)] = std::min(a, b);
      }
    }
  }

  // Numbers the parts in the order of their first pixels.
  template <class Inside>
  void number(Inside inside, Pulse& pulse) {
    int* out = labels.data();
    int found = 0;
    for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
      if (i % POINTS_PER_PULSE == 0) pulse();
      const bool first = out[i] == i, used = inside(i);
      const int own = first ? found : out[out[i]];
      out[i] = used ? own : -1;
      found += first & used;
    }
    count = found;
  }

  // Gives the pixels of part i the label map[i].
  void rename(const std::vector<int>& map, Pulse& pulse) {
    int* out = labels.data();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i % POINTS_PER_PULSE == 0) pulse();
      if (out[i] >= 0) out[i] = map[static_cast<std::size_t>(out[i])];
    }
  }

  template <class Bind>
  Bonds gather_pixels(Bind bind, Pulse& pulse) const {
    Line line(columns_);
    const float* right = line.right.data() + 1;
    const float* down = line.down.data() + 1;
    return gather(
        count, [&](auto visit) { each_pair([](int) {}, [&](int a, int b, int, bool) { visit(a, b); }, pulse); },
        [&](auto visit) {
          each_pair([&](int y) { bind(y, line.right.data() + 1, line.down.data() + 1); },
                    [&](int a, int b, int x, bool below) { visit(a, b, below ? down[x] : right[x]); }, pulse);
        },
        pulse);
  }

  // Calls begin(y) before each row, and visit(a, b, x, below) for the labels of all neighbours, b right of or below a.
  template <class Begin, class Visit>
  void each_pair(Begin begin, Visit visit, Pulse& pulse) const {
    for (int y = 0; y < rows_; ++y) {
      if (y % ROWS_PER_PULSE == 0) pulse();
      begin(y);
      const int last = columns_ - 1;
      const int* here = labels.data() + index(y, 0);
      const int* next = here + columns_;
      if (y + 1 == rows_) {
        for (int x = 0; x < last; ++x) visit(here[x], here[x + 1], x, false);
        return;
      }
      for (int x = 0; x < last; ++x) {
        visit(here[x], here[x + 1], x, false);
        visit(here[x], next[x], x, true);
      }
      visit(here[last], next[last], last, true);
    }
  }

  // Joins every part with the one of its strongest bond; false if there are no bonds. whole: for each of the parts
  // before all merges, the part it belongs to now.
  bool merge(Bonds& bonds, std::vector<int>& whole, Pulse& pulse) {
    Partners partners(count, pulse);
    bonds.each([&](const Bond& bond) { partners.offer(bond.first, bond.second, bond.strength); }, pulse);
    std::vector<int> map;
    const int before = count;
    count = partners.join(pulse).number(map, pulse);
    const auto renamed = [&](int part) { return map[static_cast<std::size_t>(part)]; };
    for (int& part : whole) part = renamed(part);
    bonds = gather(
        count,
        [&](auto visit) {
          bonds.each([&](const Bond& bond) { visit(renamed(bond.first), renamed(bond.second)); }, pulse);
        },
        [&](auto visit) {
          bonds.each([&](const Bond& bond) { visit(renamed(bond.first), renamed(bond.second), bond.strength); }, pulse);
        },
        pulse);
    return count < before;
  }

  int rows_, columns_;
};

}  // namespace crevasse
