// Approximate Cholesky factorisation of the Schur complement on the red points.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "approximate_cholesky.hpp"
#include "fine_level.hpp"

namespace crevasse {

template <class T>
class SchurCholesky {
 public:
  bool exists() const { return factor_ != nullptr; }
  void reset() { factor_.reset(); }

  // Leaves no factor if there is not enough memory. tick(): called now and then.
  template <class Tick>
  void factorise(const FineLevel<T>& fine, Tick tick) try {
    const Layout& layout = fine.layout;
    ApproximateCholesky graph(layout.rows * layout.half);
    for (int y = 0; y < layout.rows; ++y)
      for (const Segment* s = fine.spans.begin(y); s != fine.spans.end(y); ++s)
        for (int j = s->begin; j < std::min(s->end, layout.half); ++j) join_around(fine, graph, y, j);
    column_.resize(static_cast<std::size_t>(graph.points()));
    factor_ = std::make_unique<EliminationSequence>(graph.factorise(tick));
  } catch (const std::bad_alloc&) {
  }

  // out += approximate inverse * residual; returns residual * what was added.
  double add_solution(const Plane<T>& residual, const Layout& layout, Plane<T>& out) {
    const std::size_t half = static_cast<std::size_t>(layout.half);
    for (int y = 0; y < layout.rows; ++y)
      std::copy_n(residual.row(y), half, column_.data() + static_cast<std::size_t>(y) * half);
    factor_->apply(column_);
    double product = 0;
    for (int y = 0; y < layout.rows; ++y) {
      const double* from = column_.data() + static_cast<std::size_t>(y) * half;
      for (std::size_t j = 0; j < half; ++j) {
        out.row(y)[j] += static_cast<T>(from[j]);
        product += static_cast<double>(residual.row(y)[j]) * from[j];
      }
    }
    return product;
  }

 private:
  // Eliminating a black point joins its red neighbours with each other.
  static void join_around(const FineLevel<T>& fine, ApproximateCholesky& graph, int y, int j) {
    const int shift = 1 - (y & 1), half = fine.layout.half, here = y * half + j, beside = here + (shift ? 1 : -1);
    const double inv = static_cast<double>(fine.inverse_black.row(y)[j]);
    const std::pair<int, double> ends[4] = {{here, fine.inner.row(y)[j]},
                                            {beside, fine.outer.row(y)[j + shift]},
                                            {here + half, fine.down_black.row(y)[j]},
                                            {here - half, fine.down_red.row(y - 1)[j]}};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) graph.join(ends[a].first, ends[b].first, ends[a].second * ends[b].second * inv);
  }

  std::unique_ptr<EliminationSequence> factor_;
  std::vector<double> column_;
};

}  // namespace crevasse
