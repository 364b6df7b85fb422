// The factor that an approximate Cholesky factorisation leaves: a sequence of eliminated points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crevasse {

class EliminationSequence {
 public:
  void reserve(std::size_t points) {
    order_.reserve(points);
    first_.reserve(points + 1);
  }

  // The next point; it is followed by its neighbours and closed with its pivot.
  void open(std::int32_t point) { order_.push_back(point); }
  void add(std::int32_t neighbour, double share) {
    neighbour_.push_back(neighbour);
    share_.push_back(share);
  }
  void close(double pivot) {
    pivot_.push_back(pivot);
    first_.push_back(static_cast<std::int64_t>(neighbour_.size()));
  }

  // values = approximate inverse * values.
  void apply(std::vector<double>& values) const {
    for (std::size_t c = 0; c < order_.size(); ++c) {
      const std::size_t begin = static_cast<std::size_t>(first_[c]), end = static_cast<std::size_t>(first_[c + 1]);
      double here = values[at(order_[c])];
      if (begin < end) {
        for (std::size_t k = begin; k + 1 < end; ++k) {
          values[at(neighbour_[k])] += share_[k] * here;
          here *= 1 - share_[k];
        }
        values[at(neighbour_[end - 1])] += here;
      }
      values[at(order_[c])] = here * pivot_[c];
    }
    for (std::size_t c = order_.size(); c-- > 0;) {
      const std::size_t begin = static_cast<std::size_t>(first_[c]), end = static_cast<std::size_t>(first_[c + 1]);
      if (begin == end) continue;
      double here = values[at(order_[c])] + values[at(neighbour_[end - 1])];
      for (std::size_t k = end - 1; k-- > begin;) here = (1 - share_[k]) * here + share_[k] * values[at(neighbour_[k])];
      values[at(order_[c])] = here;
    }
  }

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  std::vector<std::int32_t> order_, neighbour_;
  std::vector<std::int64_t> first_{0};  // where the neighbours of each point begin
  std::vector<double> share_, pivot_;
};

}  // namespace crevasse
