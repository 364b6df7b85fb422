// What an outer iteration reports.
#pragma once

namespace crevasse {

struct Report {
  double energy = 0, change = 0;  // before the solve; sum of the absolute changes of the heights
  int iterations = 0;             // of the linear solver
};

}  // namespace crevasse
