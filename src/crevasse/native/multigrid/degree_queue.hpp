// Points in buckets by their degree, so that the one with the fewest neighbours is found at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace crevasse {

class DegreeQueue {
  using Index = std::int32_t;

 public:
  explicit DegreeQueue(std::vector<Index> degrees)
      : degree_(std::move(degrees)), before_(degree_.size(), NONE), after_(degree_.size(), NONE), top_(BUCKETS, NONE) {
    for (Index p = static_cast<Index>(degree_.size()); p-- > 0;) insert(p);
  }

  // Adds to the degree of a point.
  void change(Index p, Index by) {
    const Index degree = degree_[at(p)] + by;
    if (bucket(degree) == bucket(degree_[at(p)])) {
      degree_[at(p)] = degree;
      return;
    }
    remove(p);
    degree_[at(p)] = degree;
    insert(p);
  }

  // Removes a point of the lowest degree and returns it.
  Index take() {
    while (top_[lowest_] == NONE) ++lowest_;
    const Index p = top_[lowest_];
    remove(p);
    return p;
  }

 private:
  static constexpr Index NONE = -1;
  static constexpr int BUCKETS = 64;  // the last one has all higher degrees

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  static std::size_t bucket(Index degree) { return static_cast<std::size_t>(std::min<Index>(degree, BUCKETS - 1)); }

  void insert(Index p) {
    Index& top = top_[bucket(degree_[at(p)])];
    before_[at(p)] = NONE;
    after_[at(p)] = top;
    if (top != NONE) before_[at(top)] = p;
    top = p;
    lowest_ = std::min(lowest_, bucket(degree_[at(p)]));
  }
  void remove(Index p) {
    const Index a = before_[at(p)], b = after_[at(p)];
    if (a != NONE) {
      after_[at(a)] = b;
    } else {
      top_[bucket(degree_[at(p)])] = b;
    }
    if (b != NONE) before_[at(b)] = a;
  }

  std::vector<Index> degree_, before_, after_, top_;
  std::size_t lowest_ = 0;
};

}  // namespace crevasse
