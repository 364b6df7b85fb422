// Parts of a surface that belong together: pixels merged along their strongest bonds.
//
// The strength of a bond is the sum over all contacts of the two sides. Each round every part merges with the
// neighbour it is bound to most, until no bond is positive or no more than a given number of parts is left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "evidence.hpp"
#include "grid.hpp"
#include "team.hpp"

namespace crevasse {

// K of a jump, by its sign. Takes all values, so that loops load them whole: masked loads are slow.
inline float evidence(float jump, float ahead, float behind) {
  const float forward = jump > 0.0f ? ahead : behind, mean = 0.5f * (ahead + behind);
  return jump == 0.0f ? mean : forward;
}

// Where two neighbouring pixels a, b (b right of or below a) meet.
struct Contact {
  float gap = 0, twist = 0;      // the two auxiliary edges jump by gap + twist and gap - twist
  float tolerance = -1;          // squared jump that counts as an outlier; < 0: the pixels do not meet
  float ahead = 0, behind = 0;   // K when a is in front (gap > 0), and when b is

  bool exists() const { return tolerance >= 0; }
  // The same, seen from b.
  Contact mirrored() const { return {-gap, twist, tolerance, behind, ahead}; }
  float evidence(float at) const { return larger(crevasse::evidence(at, ahead, behind), 1e-6f); }
  // What the contact adds to the energy when its gap is `at`; at most most().
  float cost(float at) const {
    const float k = evidence(at), plus = at + twist, minus = at - twist;
    const float first = k * plus * plus, second = k * minus * minus;
    return 0.5f * (first / (tolerance + first) + second / (tolerance + second)) / k;
  }
  float least() const { return 1.0f / larger(larger(ahead, behind), 1e-6f); }
  float most(float at) const { return 1.0f / evidence(at); }
  // Whether the jump is an outlier at both auxiliary edges.
  bool open() const {
    const float plus = (gap + twist) * (gap + twist), minus = (gap - twist) * (gap - twist);
    return evidence(gap) * (plus < minus ? plus : minus) > tolerance;
  }
};

// What binds two parts.
struct Bond {
  int first, second;  // first < second
  float strength;
};

// Bonds between parts, sorted by both.
struct Bonds {
  std::unique_ptr<Bond[]> list;
  int count = 0;

  template <class Visit>
  void each(Visit visit, Pulse& pulse) const {
    for (int i = 0; i < count; ++i) {
      if (i % MANY == 0) pulse();
      visit(list[static_cast<std::size_t>(i)]);
    }
  }
};

// Leaves at most `limit` of the values, sorted, at even ranks.
inline void thin(std::vector<double>& values, std::size_t limit) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const std::size_t size = values.size();
  if (size <= limit) return;
  for (std::size_t k = 0; k < limit; ++k) values[k] = values[k * (size - 1) / (limit - 1)];
  values.resize(limit);
}

// 0, 1, ..., count - 1.
inline void count_up(std::vector<int>& out, int count, Pulse& pulse) {
  fill(out, static_cast<std::size_t>(count), 0, pulse);
  std::iota(out.begin(), out.end(), 0);
}

// Sorts the items by their keys, from 0 to count - 1; those of the same key stay in their order.
template <class Key>
void sort_by(std::vector<int>& items, int count, Key key) {
  std::vector<int> next(static_cast<std::size_t>(count) + 1, 0), sorted(items.size());
  for (const int item : items) ++next[static_cast<std::size_t>(key(item)) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const int item : items) sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(key(item))]++)] = item;
  items.swap(sorted);
}

// Joins sets; the smallest member stands for its set.
class Sets {
 public:
  Sets(int count, Pulse& pulse) { count_up(parent_, count, pulse); }
  int find(int i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return i;
  }
  void join(int a, int b) {
    a = find(a), b = find(b);
    at(std::max(a, b)) = std::min(a, b);
  }
  // Numbers the sets in the order of their first members.
  int number(std::vector<int>& out, Pulse& pulse) {
    fill(out, parent_.size(), 0, pulse);
    int count = 0;
    for (int i = 0; i < static_cast<int>(parent_.size()); ++i) {
      if (i % MANY == 0) pulse();
      out[static_cast<std::size_t>(i)] = at(i) == i ? count++ : out[static_cast<std::size_t>(at(i))];
    }
    return count;
  }

 private:
  int& at(int i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<int> parent_;
};

// Whom everyone is bound to most; nobody by a bond that is not above `least`.
class Partners {
 public:
  Partners(int count, Pulse& pulse, float least = 0.0f) {
    fill(best_, static_cast<std::size_t>(count), least, pulse);
    count_up(partner_, count, pulse);
  }
  void offer(int a, int b, float value) {
    propose(a, b, value);
    propose(b, a, value);
  }
  void propose(int to, int from, float value) {
    if (value <= best_[static_cast<std::size_t>(to)]) return;
    best_[static_cast<std::size_t>(to)] = value;
    partner_[static_cast<std::size_t>(to)] = from;
  }
  // Everyone together with his partner. Nothing can be offered any more: the memory is needed.
  Sets join(Pulse& pulse) {
    std::vector<float>().swap(best_);
    Sets sets(static_cast<int>(partner_.size()), pulse);
    for (int i = 0; i < static_cast<int>(partner_.size()); ++i) {
      if (i % MANY == 0) pulse();
      sets.join(i, partner_[static_cast<std::size_t>(i)]);
    }
    return sets;
  }

 private:
  std::vector<float> best_;
  std::vector<int> partner_;
};

// Adds up those bonds of the same first part, from `begin` to `end`, that have the same second one, sorts them and puts
// them at `out`; returns their end. seen: of each part, where a bond with it was put.
inline Bond* add_up(const Bond* begin, const Bond* end, Bond* out, const Bond* list, std::vector<int>& seen) {
  Bond* last = out;
  for (const Bond* from = begin; from != end; ++from) {
    const Bond bond = *from;
    int& place = seen[static_cast<std::size_t>(bond.second)];
    if (place >= out - list) {
      out[place - (out - list)].strength += bond.strength;
    } else {
      place = static_cast<int>(last - list);
      *last++ = bond;
    }
  }
  std::sort(out, last, [](const Bond& x, const Bond& y) { return x.second < y.second; });
  return last;
}

// One bond for each two parts that meet, sorted by both. meet(visit) shows pairs of parts, bind(visit) shows the same
// and what binds them, which is summed in this order; -1 is no part. They are not stored before they are sorted: on a
// large map they take more room than the map. Half of them lie within a part, at random, which no branch could foresee:
// these all go to place 0.
template <class Meet, class Bind>
Bonds gather(int count, Meet meet, Bind bind, Pulse& pulse) {
  const auto owner = [](int a, int b) { return static_cast<std::size_t>((std::min(a, b) + 1) * (a != b)); };
  std::vector<int> begin;
  fill(begin, static_cast<std::size_t>(count) + 2, 0, pulse);
  int* counts = begin.data() + 1;
  meet([&](int a, int b) { ++counts[owner(a, b)]; });
  counts[0] = 1;
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::unique_ptr<Bond[]> list(new Bond[static_cast<std::size_t>(begin.back())]);
  std::vector<int> places = begin;
  int* next = places.data();
  Bond* to = list.get();
  bind([&](int a, int b, float strength) {
    const std::size_t part = owner(a, b);
    to[next[part]] = {std::min(a, b), std::max(a, b), strength};
    next[part] += part != 0;
  });
  fill(places, static_cast<std::size_t>(count), -1, pulse);
  Bond* end = to;
  for (int part = 1; part <= count; ++part) {
    if (part % MANY == 0) pulse();
    end = add_up(to + begin[static_cast<std::size_t>(part)], to + begin[static_cast<std::size_t>(part) + 1], end, to, places);
  }
  return {std::move(list), static_cast<int>(end - to)};
}

// The part of each pixel, from 0; -1 outside the mask.
class Parts {
 public:
  // inside(i): whether pixel i, by rows, is part of the mask; bind(y, right, down): what binds the pixels of row y to
  // those right of them and below, 0 where they do not meet. Fills whole blocks, beyond the last column too.
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

  // What binds the pixels of a row, and where each is bound most; with a column more on the left.
  struct Line {
    std::vector<float> right, down;
    std::vector<int> way;
    explicit Line(int columns) : right(static_cast<std::size_t>(columns + 1 + 2 * LANES)), down(right.size()), way(right.size()) {}
  };

  std::size_t index(int y, int x) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }

  // Of equal bonds, the one that is met first.
  static void choose(int columns, const float* __restrict up, const float* __restrict left, const float* __restrict right,
                     const float* __restrict down, int* __restrict way) {
    CREVASSE_LANES
    for (int x = 0; x < columns; ++x) {
      const float first = larger(up[x], 0.0f), second = larger(first, left[x]), third = larger(second, right[x]);
      int chosen = up[x] > 0.0f ? UP : NOWHERE;
      chosen = left[x] > first ? LEFT : chosen;
      chosen = right[x] > second ? RIGHT : chosen;
      chosen = down[x] > third ? DOWN : chosen;
      way[x] = chosen;
    }
  }

  // Every pixel together with the neighbour it is bound to most. Until they are numbered, pixels hold one before them
  // in their part, or themselves.
  template <class Bind>
  void join_pixels(Bind bind, Pulse& pulse) {
    fill(labels, static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_), -1, pulse);
    Line above(columns_), line(columns_);
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      bind(y, line.right.data() + 1, line.down.data() + 1);
      choose(columns_, above.down.data() + 1, line.right.data(), line.right.data() + 1, line.down.data() + 1, line.way.data() + 1);
      join_row(y, above.way.data() + 1, line.way.data() + 1);
      std::swap(above, line);
    }
  }

  void join_row(int y, const int* above, const int* way) {
    int* out = labels.data();
    const auto find = [out](int i) {
      while (out[i] != i) i = out[i] = out[out[i]];
      return i;
    };
    const int row = static_cast<int>(index(y, 0)), columns = columns_;
    for (int x = 0; x < columns; ++x) {
      const int i = row + x;
      out[i] = (way[x] == LEFT) | (way[x - 1] == RIGHT) ? out[i - 1] : i;
      if ((way[x] == UP) | (above[x] == DOWN)) {
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
      if (i % MANY == 0) pulse();
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
      if (i % MANY == 0) pulse();
      if (out[i] >= 0) out[i] = map[static_cast<std::size_t>(out[i])];
    }
  }

  template <class Bind>
  Bonds gather_pixels(Bind bind, Pulse& pulse) const {
    Line line(columns_);
    const float* right = line.right.data() + 1;
    const float* down = line.down.data() + 1;
    return gather(
        count,
        [&](auto visit) { each_pair([](int) {}, [&](int a, int b, int, bool) { visit(a, b); }, pulse); },
        [&](auto visit) {
          each_pair([&](int y) { bind(y, line.right.data() + 1, line.down.data() + 1); },
                    [&](int a, int b, int x, bool below) { visit(a, b, below ? down[x] : right[x]); }, pulse);
        },
        pulse);
  }

  // begin(y) before each row, and visit(a, b, x, below) for the labels of all neighbours, b beside or below a.
  template <class Begin, class Visit>
  void each_pair(Begin begin, Visit visit, Pulse& pulse) const {
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
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

  // Every part together with the one it is bound to most; false where nothing binds. whole: where each of the first
  // parts belongs.
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
        [&](auto visit) { bonds.each([&](const Bond& bond) { visit(renamed(bond.first), renamed(bond.second)); }, pulse); },
        [&](auto visit) {
          bonds.each([&](const Bond& bond) { visit(renamed(bond.first), renamed(bond.second), bond.strength); }, pulse);
        },
        pulse);
    return count < before;
  }

  int rows_, columns_;
};

}  // namespace crevasse
