// Line relaxation: exact solution of tridiagonal systems along chains of points.
#pragma once

#include <cstddef>
#include <vector>

namespace crevasse {

// A set of chains of points, given by row and column, with their factorised tridiagonal systems.
template <class T>
class LineRelaxation {
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

  // Adds a point with its diagonal and the link (> 0) to the point before it in the open chain.
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
  // Ends the open chain.
  void close() { first_.push_back(points_.size()); }

  // Solves chain c for the right-hand side rhs(point) and passes the solution to write(point, value). Returns the sum
  // of rhs * value.
  template <class Rhs, class Write>
  double solve(std::size_t c, std::vector<T>& line, Rhs rhs, Write write) const {
    const std::size_t begin = first_[c], end = first_[c + 1];
    if (line.size() < end - begin) line.resize(end - begin);
    T carried = 0;
    for (std::size_t k = begin; k < end; ++k) {
      carried = rhs(points_[k]) + links_[k] * carried;
      line[k - begin] = carried;
    }
    double product = 0;
    T value = 0;
    for (std::size_t k = end; k-- > begin;) {
      value = line[k - begin] * pivots_[k] + (k + 1 < end ? links_[k + 1] * value : 0);
      product += static_cast<double>(rhs(points_[k])) * static_cast<double>(value);
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

// Chains in odd rows and in odd columns.
template <class T>
struct Strips {
  LineRelaxation<T> beside, below;

  void clear() {
    beside.clear();
    below.clear();
  }
  bool empty() const { return beside.empty() && below.empty(); }

  // Solves all chains; returns the sum of rhs * value.
  template <class Rhs, class Write>
  double solve(std::vector<T>& line, Rhs rhs, Write write) const {
    double product = 0;
    for (const LineRelaxation<T>* lines : {&beside, &below})
      for (std::size_t c = 0; c < lines->count(); ++c) product += lines->solve(c, line, rhs, write);
    return product;
  }
};

}  // namespace crevasse
