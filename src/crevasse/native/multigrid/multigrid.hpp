// Solver of weighted 5-point Laplacians, in either precision: the finest level, its V-cycle and conjugate gradients.
#pragma once

#include "reduced_cg.hpp"

namespace crevasse {

template <class T>
class Multigrid : public FineLevel<T> {
 public:
  // used(y, column) tells whether a grid point is part of the mask. compact: rows of a sparse mask are packed, and
  // nothing may be read or written outside the spans.
  template <class Used>
  Multigrid(int rows, int columns, Used used, Team& team, bool compact = false)
      : Multigrid(plan_levels<T>(rows, columns, used, compact), team) {}

  Multigrid(const Multigrid&) = delete;
  Multigrid& operator=(const Multigrid&) = delete;

  // Frees all memory in pieces, because the system needs time to reclaim it. Nothing can be solved afterwards.
  void release(Pulse& pulse) {
    for (const auto& planes : {this->planes(), cg_.planes()})
      for (Plane<T>* plane : planes) {
        *plane = Plane<T>();
        pulse();
      }
    this->unpin();
    this->interpolation = Interpolation<T>();
    cycle_.release(pulse);
  }

  // Rebuilds interpolation and coarse operators from the current weights. All members call it; ends in a barrier.
  void rebuild(int member) {
    if (member == 0) cg_.cholesky().reset();
    if (cycle_.empty()) return;
    if (member == team_.size() - 1) cg_.find_lines(member);
    cycle_.rebuild(member, *this);
  }

  // Supports the V-cycle by an approximate Cholesky factorisation until the next rebuild. All members call it.
  void add_cholesky(int member) {
    team_.barrier();
    if (member == 0) cg_.cholesky().factorise(*this, [this] { team_.tick(0); });
    team_.checkpoint(member);
  }
  bool has_cholesky() { return cg_.cholesky().exists(); }

  // Solves for the values, given the right-hand side; see ReducedCG::solve.
  int solve(int member, int limit, double tolerance) { return cg_.solve(member, limit, tolerance); }

 private:
  Multigrid(Plan<T> plan, Team& team)
      : FineLevel<T>(plan.shapes.front(), share(plan.shapes.front(), team.size())), team_(team),
        cycle_(std::move(plan), team), cg_(*this, cycle_, team) {}

  static std::vector<int> share(const Shape& shape, int size) {
    const int rows = shape.layout.rows;
    return share_rows(shape.spans, rows, is_worth_sharing(shape.spans, rows), size);
  }

  Team& team_;
  VCycle<T> cycle_;
  ReducedCG<T> cg_;
};

}  // namespace crevasse
