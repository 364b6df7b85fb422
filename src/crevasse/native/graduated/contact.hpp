// Where two neighbouring pixels meet, and what that costs in the robust energy.
#pragma once

#include "../arithmetic.hpp"
#include "weights.hpp"

namespace crevasse {

// Contact of pixels a and b, b right of or below a.
struct Contact {
  float gap = 0, twist = 0;     // the jumps at the two common corners are gap + twist and gap - twist
  float tolerance = -1;         // squared jump that counts as an outlier; < 0: the pixels do not meet
  float ahead = 0, behind = 0;  // K when a is in front (gap > 0), and when b is

  bool exists() const { return tolerance >= 0; }
  // The same contact, seen from b.
  Contact mirrored() const { return {-gap, twist, tolerance, behind, ahead}; }
  float evidence(float at) const { return larger(evidence_of(at, ahead, behind), 1e-6f); }
  // What the contact adds to the energy if its gap is `at`; at most most(at).
  float cost(float at) const {
    const float k = evidence(at), plus = at + twist, minus = at - twist;
    const float first = k * plus * plus, second = k * minus * minus;
    return 0.5f * (first / (tolerance + first) + second / (tolerance + second)) / k;
  }
  // The cost of opening the contact: to the more likely side, and to that of `at`.
  float least() const { return 1.0f / larger(larger(ahead, behind), 1e-6f); }
  float most(float at) const { return 1.0f / evidence(at); }
  // Whether the jump is an outlier at both corners.
  bool open() const {
    const float plus = (gap + twist) * (gap + twist), minus = (gap - twist) * (gap - twist);
    return evidence(gap) * (plus < minus ? plus : minus) > tolerance;
  }
};

}  // namespace crevasse
