// Binding of the linear solver.
#include "../solver.hpp"

#include "common.hpp"

namespace crevasse {

namespace {

// Keeps references to the weights and pins, which the solver reads.
class PySolver {
 public:
  PySolver(Image<const double> right, Image<const double> down, int threads, std::optional<Image<const double>> pins)
      : right_(right), down_(down), pins_(pins), rows_(right.shape(0)), columns_(down.shape(1)) {
    require(rows_ >= 1 && columns_ >= 1 && fit(right, down), "weights must be (H, W-1) and (H-1, W)");
    require(has_shape(pins, rows_, columns_), "pins must be (H, W)");
    guarded([&] {
      solver_ = std::make_unique<Solver>(static_cast<int>(rows_), static_cast<int>(columns_), right.data(), down.data(),
                                         data_of(pins_), threads);
      solver_->load(right_.data(), down_.data(), data_of(pins_), interrupted);
    });
  }
  void load(Image<const double> right, Image<const double> down) {
    require(fit(right, down), "weights changed shape");
    right_ = right;
    down_ = down;
    guarded([&] { solver_->load(right_.data(), down_.data(), data_of(pins_), interrupted); });
  }
  std::tuple<int, double> solve(Image<const double> rhs, Image<double> values, double tolerance, int limit) {
    require(has_shape(rhs, rows_, columns_) && has_shape(values, rows_, columns_), "arrays must be (H, W)");
    const Outcome outcome =
        guarded([&] { return solver_->solve(rhs.data(), values.data(), tolerance, limit, interrupted); });
    return {outcome.iterations, outcome.residual};
  }
  int threads() const { return solver_->threads(); }

 private:
  bool fit(const Image<const double>& right, const Image<const double>& down) const {
    return has_shape(right, rows_, columns_ - 1) && has_shape(down, rows_ - 1, columns_);
  }

  Image<const double> right_, down_;
  std::optional<Image<const double>> pins_;
  std::size_t rows_, columns_;
  std::unique_ptr<Solver> solver_;
};

}  // namespace

void bind_solver(nb::module_& m) {
  nb::class_<PySolver>(m, "Solver")
      .def(nb::init<Image<const double>, Image<const double>, int, std::optional<Image<const double>>>(), "right"_a,
           "down"_a, "threads"_a, "pins"_a = nb::none())
      .def("load", &PySolver::load, "right"_a, "down"_a)
      .def("solve", &PySolver::solve, "rhs"_a, "values"_a.noconvert(), "tolerance"_a, "limit"_a)
      .def_prop_ro("threads", &PySolver::threads);
}

}  // namespace crevasse
