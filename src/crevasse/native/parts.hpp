// Parts of a surface that belong together: pixels merged along their strongest bonds.
//
// The strength of a bond is the sum over all contacts of the two sides. Each round every part merges with the
// neighbour it is bound to most, until no bond is positive or no more than a given number of parts is left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "evidence.hpp"
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

struct Bond {
  int first = 0, second = 0;  // first < second
  float strength = 0;
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
  // Numbers the sets of those that `keep` in the order of their first members; -1 for the others.
  template <class Keep>
  int number(std::vector<int>& out, Keep keep, Pulse& pulse) {
    const int size = static_cast<int>(parent_.size());
    fill(out, parent_.size(), -1, pulse);
    int count = 0;
    for (int i = 0; i < size; ++i) {
      if (i % MANY == 0) pulse();
      if (keep(i)) out[static_cast<std::size_t>(i)] = find(i) == i ? count++ : out[static_cast<std::size_t>(find(i))];
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

// One bond for each two parts, sorted by both; each(visit) shows all bonds twice, the same way, and their strengths are
// summed in this order. They are not stored before they are sorted: on a large map they take more room than the map.
template <class Each>
std::vector<Bond> gather(int count, Each each, Pulse& pulse) {
  std::vector<int> begin;
  fill(begin, static_cast<std::size_t>(count) + 1, 0, pulse);
  each([&](const Bond& bond) { ++begin[static_cast<std::size_t>(bond.first) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Bond> bonds;
  fill(bonds, static_cast<std::size_t>(begin.back()), Bond(), pulse);
  {
    std::vector<int> next(begin.begin(), begin.end() - 1);
    each([&](const Bond& bond) { bonds[static_cast<std::size_t>(next[static_cast<std::size_t>(bond.first)]++)] = bond; });
  }
  std::vector<int> seen;
  fill(seen, static_cast<std::size_t>(count), -1, pulse);
  int end = 0;
  for (int part = 0; part < count; ++part) {
    if (part % MANY == 0) pulse();
    const int base = end;
    for (int i = begin[static_cast<std::size_t>(part)]; i < begin[static_cast<std::size_t>(part) + 1]; ++i) {
      const Bond bond = bonds[static_cast<std::size_t>(i)];
      int& place = seen[static_cast<std::size_t>(bond.second)];
      if (place >= base) {
        bonds[static_cast<std::size_t>(place)].strength += bond.strength;
      } else {
        place = end++;
        bonds[static_cast<std::size_t>(place)] = bond;
      }
    }
    std::sort(bonds.begin() + base, bonds.begin() + end, [](const Bond& x, const Bond& y) { return x.second < y.second; });
  }
  bonds.resize(static_cast<std::size_t>(end));
  return bonds;
}

// The part of each pixel, from 0; -1 outside the mask.
class Parts {
 public:
  // inside(i): whether pixel i, by rows, is part of the mask; bind(y, right, down): what binds the pixels of row y to
  // those right of them and below, 0 where they do not meet.
  template <class Inside, class Bind>
  Parts(int rows, int columns, Inside inside, Bind bind, int limit, Pulse& pulse) : rows_(rows), columns_(columns) {
    std::vector<Bond> bonds = merge_pixels(inside, bind, pulse);
    while (count > limit && merge_parts(bonds, pulse)) {
    }
  }

  int at(int y, int x) const { return labels[index(y, x)]; }

  // visit(a, b, contact) for all contacts between different parts a and b.
  template <class Meeting, class Visit>
  void each_border(Meeting contact, Visit visit, Pulse& pulse) const {
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      for (int x = 0; x < columns_; ++x) {
        const int a = at(y, x);
        if (a < 0) continue;
        for (const bool down : {false, true}) {
          if (down ? y + 1 == rows_ : x + 1 == columns_) continue;
          const int b = down ? at(y + 1, x) : at(y, x + 1);
          if (b < 0 || a == b) continue;
          const Contact c = contact(y, x, down);
          if (c.exists()) visit(a, b, c);
        }
      }
    }
  }

  // Gives the pixels of part i the label map[i].
  void rename(const std::vector<int>& map, Pulse& pulse) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i % MANY == 0) pulse();
      if (labels[i] >= 0) labels[i] = map[static_cast<std::size_t>(labels[i])];
    }
  }

  std::vector<int> labels;
  int count = 0;

 private:
  std::size_t index(int y, int x) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }

  // visit(a, b, strength) for all pairs of pixels that something binds.
  template <class Bind, class Visit>
  void each_bond(Bind bind, Visit visit, Pulse& pulse) const {
    std::vector<float> right(static_cast<std::size_t>(columns_)), down(right.size());
    for (int y = 0; y < rows_; ++y) {
      if (y % SELDOM == 0) pulse();
      bind(y, right.data(), down.data());
      for (int x = 0; x < columns_; ++x) {
        const int a = static_cast<int>(index(y, x));
        const float beside = right[static_cast<std::size_t>(x)], below = down[static_cast<std::size_t>(x)];
        if (beside != 0.0f) visit(a, a + 1, beside);
        if (below != 0.0f) visit(a, a + columns_, below);
      }
    }
  }

  // The first round, on the grid.
  template <class Inside, class Bind>
  std::vector<Bond> merge_pixels(Inside inside, Bind bind, Pulse& pulse) {
    const int size = rows_ * columns_;
    const auto merge = [&] {
      Partners partners(size, pulse);
      each_bond(bind, [&](int a, int b, float value) { partners.offer(a, b, value); }, pulse);
      return partners.join(pulse);
    };
    count = merge().number(labels, inside, pulse);
    return gather(count, [&](auto visit) {
      each_bond(bind, [&](int a, int b, float value) {
        const int first = labels[static_cast<std::size_t>(a)], second = labels[static_cast<std::size_t>(b)];
        if (first != second) visit(Bond{std::min(first, second), std::max(first, second), value});
      }, pulse);
    }, pulse);
  }

  bool merge_parts(std::vector<Bond>& bonds, Pulse& pulse) {
    const auto each = [&](auto visit) {
      for (std::size_t i = 0; i < bonds.size(); ++i) {
        if (i % MANY == 0) pulse();
        visit(bonds[i]);
      }
    };
    Partners partners(count, pulse);
    each([&](const Bond& bond) { partners.offer(bond.first, bond.second, bond.strength); });
    std::vector<int> map;
    const int before = count;
    count = partners.join(pulse).number(map, [](int) { return true; }, pulse);
    rename(map, pulse);
    bonds = gather(count, [&](auto visit) {
      each([&](const Bond& bond) {
        const int first = map[static_cast<std::size_t>(bond.first)], second = map[static_cast<std::size_t>(bond.second)];
        if (first != second) visit(Bond{std::min(first, second), std::max(first, second), bond.strength});
      });
    }, pulse);
    return count < before;
  }

  int rows_, columns_;
};

}  // namespace crevasse
