// Conjugate gradients on the Schur complement of the red points, preconditioned by a V-cycle.
#pragma once

#include <limits>

#include "schur_cholesky.hpp"
#include "schur_complement.hpp"
#include "v_cycle.hpp"

namespace crevasse {

template <class T>
class ReducedCG {
 public:
  ReducedCG(FineLevel<T>& fine, VCycle<T>& cycle, Team& team)
      : fine_(fine), cycle_(cycle), team_(team), schur_(fine), curvatures_(static_cast<std::size_t>(fine.layout.rows)) {
    for (Plane<T>* plane : planes()) *plane = Plane<T>(fine.layout);
  }

  std::vector<Plane<T>*> planes() { return {&scaled_, &residual_, &direction_, &image_, &correction_, schur_.plane()}; }

  SchurCholesky<T>& cholesky() { return cholesky_; }

  // Finds the strips of the finest level.
  void find_lines(int member) { find_strips(fine_, team_, member, strips_); }

  // Solves from value 0: at most `limit` (> 0) iterations, until the residual of the reduced system falls below
  // `tolerance` times its first one. Returns the number of iterations; ends in a barrier.
  int solve(int member, int limit, double tolerance) {
    double last_rho = 0, begin = 0;
    T alpha = 0;
    int iteration = 0;
    for (; iteration < limit; ++iteration) {
      if (iteration == 0) {
        restrict_after(
            member, [&](int y) { schur_.scale_black(y); },
            [&](int y) { fine_.sum(y) = schur_.reduce(y, residual_, scaled_); });
      } else {
        restrict_after(member, [&](int y) { descend(y, alpha); });
      }
      alpha = 0;
      team_.checkpoint(member);
      const double size = fine_.total();
      if (iteration == 0) begin = size;
      if (!(size > 0) || (iteration > 0 && size <= tolerance * tolerance * begin)) break;
      precondition(member);
      const double rho = fine_.total();
      if (!(rho > 0)) break;
      multiply(member, iteration == 0 ? 0 : static_cast<T>(rho / last_rho));
      team_.barrier();
      last_rho = rho;
      const double curvature = FineLevel<T>::total(curvatures_);
      // Where only rounding is left, the direction lies in the kernel: a step along it would be infinitely long.
      if (!(curvature > FLAT * rho)) break;
      alpha = static_cast<T>(rho / curvature);
    }
    finish(member, alpha);
    team_.barrier();
    return iteration;
  }

 private:
  static constexpr double FLAT = 100 * static_cast<double>(std::numeric_limits<T>::epsilon());

  template <class... Passes>
  void run_passes(int member, Passes&&... passes) {
    pipeline(
        team_, member, fine_.first(member), fine_.last(member), fine_.layout.rows, [&] { team_.barrier(); }, passes...);
  }

  // The first half of a V-cycle on the residual, after the passes that compute it. A red and a black sweep from 0 leave
  // the black points' contribution as residual at red points; at X it is divided by the diagonal at once.
  template <class... Passes>
  void restrict_after(int member, Passes&&... passes) {
    const auto leave = [&](int y) {
      if (!cycle_.empty()) schur_.pull_red(y, correction_);
    };
    const auto restrict = [&](int y) {
      if (y % 2 == 0 && !cycle_.empty()) cycle_.restrict_from(member, fine_, correction_, y / 2);
    };
    run_passes(member, passes..., [&](int y) { schur_.relax_black(y, scaled_); }, leave, restrict);
  }

  // The rest of the preconditioner: image = M residual; sums residual * image by row. Ends in a barrier.
  void precondition(int member) {
    correct(member);
    team_.barrier();
    if (!cholesky_.exists() && strips_.empty()) return;
    if (member == 0) {
      fine_.sums[0] += strips_.solve(
          cycle_.spare_line(0), [&](auto p) { return residual_.row(p.row)[p.column]; },
          [&](auto p, T value) { image_.row(p.row)[p.column] += value; });
      if (cholesky_.exists()) fine_.sums[0] += cholesky_.add_solution(residual_, fine_.layout, image_);
    }
    team_.barrier();
  }

  // The second half of the V-cycle.
  void correct(int member) {
    if (cycle_.empty()) {
      team_.barrier();
    } else {
      cycle_.run(member);
    }
    const auto prolong = [&](int y) {
      if (!cycle_.empty()) {
        cycle_.prolong_to(member, fine_, scaled_, y, correction_);
        return;
      }
      for (const Segment* s = fine_.spans.begin(y); s != fine_.spans.end(y); ++s)
        std::copy(scaled_.row(y) + s->begin, scaled_.row(y) + s->end, correction_.row(y) + s->begin);
    };
    run_passes(
        member, prolong, [&](int y) { schur_.relax_black(y, correction_); },
        [&](int y) { fine_.sum(y) = schur_.relax_red(y, residual_, image_); });
  }

  // direction = image + beta * direction, then image = S direction, S the Schur complement; sums direction * image.
  void multiply(int member, T beta) {
    run_passes(
        member, [&](int y) { advance(y, beta); }, [&](int y) { schur_.relax_black(y, direction_); },
        [&](int y) { curvatures_[static_cast<std::size_t>(y)] = schur_.multiply(y, direction_, image_); });
  }

  void advance(int y, T beta) {
    In<T> z = flat(image_);
    Out<T> p = flat(direction_);
    // Not times 0: an earlier solve may have left values that are not finite.
    if (beta == 0) {
      fine_.across(y, [&](Index i) { p[i] = z[i]; });
    } else {
      fine_.across(y, [&](Index i) { p[i] = z[i] + beta * p[i]; });
    }
  }

  // value += alpha direction, residual -= alpha image; sums residual^2 by row.
  void descend(int y, T alpha) {
    In<T> p = flat(direction_), q = flat(image_), inv = flat(fine_.inverse_red);
    Out<T> x = flat(fine_.value_red), r = flat(residual_), u = flat(scaled_);
    fine_.sum(y) = fine_.sum_across(y, [&](Index i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      u[i] = r[i] * inv[i];
      return SchurComplement<T>::product(r[i], r[i]);
    });
  }

  // The last step, and black values from the red ones.
  void finish(int member, T alpha) {
    const auto step = [&](int y) {
      if (alpha == 0) return;
      In<T> p = flat(direction_);
      Out<T> x = flat(fine_.value_red);
      fine_.across(y, [&](Index i) { x[i] += alpha * p[i]; });
    };
    run_passes(member, step, [&](int y) { schur_.back_substitute(y); });
  }

  FineLevel<T>& fine_;
  VCycle<T>& cycle_;
  Team& team_;
  SchurComplement<T> schur_;
  Plane<T> scaled_, residual_, direction_, image_;
  Plane<T> correction_;  // red values of the V-cycle
  Strips<T> strips_;
  SchurCholesky<T> cholesky_;
  std::vector<double> curvatures_;  // direction * S direction by row
};

}  // namespace crevasse
