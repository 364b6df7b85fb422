// Union-find, and sorting of numbered parts.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "../threads/pulse.hpp"

namespace crevasse {

// 0, 1, ..., count - 1.
inline void count_up(std::vector<int>& out, int count, Pulse& pulse) {
  fill(out, static_cast<std::size_t>(count), 0, pulse);
  std::iota(out.begin(), out.end(), 0);
}

// Stable counting sort of the items by their keys, which are from 0 to count - 1.
template <class Key>
void sort_by(std::vector<int>& items, int count, Key key) {
  std::vector<int> next(static_cast<std::size_t>(count) + 1, 0), sorted(items.size());
  for (const int item : items) ++next[static_cast<std::size_t>(key(item)) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const int item : items) sorted[static_cast<std::size_t>(next[static_cast<std::size_t>(key(item))]++)] = item;
  items.swap(sorted);
}

// Union-find; the smallest member represents its set.
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
      if (i % POINTS_PER_PULSE == 0) pulse();
      out[static_cast<std::size_t>(i)] = at(i) == i ? count++ : out[static_cast<std::size_t>(at(i))];
    }
    return count;
  }

 private:
  int& at(int i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<int> parent_;
};

// For each part the neighbour with the strongest bond; none if no bond is above `least`.
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
  // Joins each part with its partner. Nothing can be offered afterwards: the memory is needed.
  Sets join(Pulse& pulse) {
    std::vector<float>().swap(best_);
    Sets sets(static_cast<int>(partner_.size()), pulse);
    for (int i = 0; i < static_cast<int>(partner_.size()); ++i) {
      if (i % POINTS_PER_PULSE == 0) pulse();
      sets.join(i, partner_[static_cast<std::size_t>(i)]);
    }
    return sets;
  }

 private:
  std::vector<float> best_;
  std::vector<int> partner_;
};

}  // namespace crevasse
