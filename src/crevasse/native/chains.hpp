// Runs of points between coarse ones that hold on to each other more than to anything the coarse grid can move.
//
// A strip one point wide in an odd row (or column) has no coarse point: no coarse correction reaches it, and
// relaxation alone would take as many sweeps as the square of its length. Such runs are solved directly, and the
// solutions are added to the preconditioner.
#pragma once

#include <vector>

#include "grid.hpp"

namespace crevasse {

constexpr double LOOSE = 0.2;  // a point is loose if its links to coarse points are this weak beside the others

// A set of tridiagonal systems, factorised: points by row and half column.
template <class T>
class Chains {
 public:
  struct Point {
    int row, column;
  };

  void clear() {
    points_.clear();
    pivots_.clear();
    links_.clear();
    first_.assign(1, 0);
  }
  bool empty() const { return first_.size() <= 1; }
  std::size_t count() const { return first_.size() - 1; }

  // Adds a point with its diagonal and the link (> 0) to the point before it in the same chain.
  void add(Point point, T diagonal, T link) {
    if (points_.size() > first_.back()) {
      const T factor = link * pivots_.back();
      diagonal -= factor * link;
      links_.push_back(factor);
    } else {
      links_.push_back(0);
    }
    points_.push_back(point);
    pivots_.push_back(diagonal > 0 ? 1 / diagonal : 0);
  }
  void close() { first_.push_back(points_.size()); }

  // Solves chain c for `side(point)`, hands each point's solution to `write(point, value)`; returns side * value.
  template <class Side, class Write>
  double solve(std::size_t c, std::vector<T>& line, Side side, Write write) const {
    const std::size_t begin = first_[c], end = first_[c + 1];
    if (line.size() < end - begin) line.resize(end - begin);
    T carried = 0;
    for (std::size_t k = begin; k < end; ++k) {
      carried = side(points_[k]) + links_[k] * carried;
      line[k - begin] = carried;
    }
    double product = 0;
    T value = 0;
    for (std::size_t k = end; k-- > begin;) {
      value = line[k - begin] * pivots_[k] + (k + 1 < end ? links_[k + 1] * value : 0);
      product += static_cast<double>(side(points_[k])) * static_cast<double>(value);
      line[k - begin] = value;
    }
    for (std::size_t k = begin; k < end; ++k) write(points_[k], line[k - begin]);
    return product;
  }

 private:
  std::vector<Point> points_;
  std::vector<T> pivots_, links_;
  std::vector<std::size_t> first_{0};
};

}  // namespace crevasse
