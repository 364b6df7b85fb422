// IRLS weights of pairs: graduated non-convexity, then Geman-McClure.
#pragma once

#include <cmath>

#include "../arithmetic.hpp"
#include "../grid/loops.hpp"
#include "constants.hpp"
#include "pairs.hpp"

namespace crevasse {

enum class Weighting {
  FLAT,          // annealed, as if nothing jumped yet: the first iteration of a cold start
  ANNEALED,      // tolerates jumps of the current scale: graduated non-convexity
  REDESCENDING,  // Geman-McClure: what is clearly a jump does not pull at all
  SETTLED,       // Geman-McClure, flat within the noise, so that only what exceeds it counts as a jump
  FROZEN,        // those of the last iteration, for a change of its surface: all targets are 0; `scale`: a further
                 // standard deviation of each gap
};

// K of a jump, by its sign. Reads all values, so that loops load them whole: masked loads are slow.
CREVASSE_INLINE float evidence_of(float jump, float ahead, float behind) {
  const float forward = jump > 0.0f ? ahead : behind, mean = 0.5f * (ahead + behind);
  return jump == 0.0f ? mean : forward;
}

// Weight 1 / (S + K D^2), the mean over both corners. scale2: squared scale in pixels; crease: A.
CREVASSE_INLINE float annealed_weight(float variance, float crease, float k, float d1, float d2, float scale2) {
  const float s = variance + scale2 * crease;
  const float far = FAR * FAR * s;
  return 0.5f * (1.0f / (s + smaller(k * d1, far)) + 1.0f / (s + smaller(k * d2, far)));
}

// Weight S / (S + K D^2)^2, the mean over both corners.
CREVASSE_INLINE float geman_mcclure_weight(float variance, float k, float d1, float d2) {
  const float s = 4.0f * (variance + FLOOR * FLOOR);
  const float far = FAR * s, r1 = 1.0f / (s + smaller(k * d1, far)), r2 = 1.0f / (s + smaller(k * d2, far));
  return 0.5f * s * (r1 * r1 + r2 * r2);
}

// Squared jump at a corner.
template <Weighting W>
CREVASSE_INLINE float squared_jump(float jump, float variance) {
  return W == Weighting::SETTLED ? larger(square(jump) - CORE * variance, 0.0f) : square(jump);
}

// The weight that is left if gaps have this further variance.
CREVASSE_INLINE float softened(float weight, float variance) { return weight / (1.0f + variance * weight); }

// Weight and flux (weight * gap) of pair l of a block, whose heights differ by `rise`; returns its energy.
template <Weighting W>
CREVASSE_INLINE float weigh_pair(const Pairs::Block& pair, int l, double rise, float scale2, float& weight,
                                 float& flux) {
  constexpr bool annealed = W == Weighting::FLAT || W == Weighting::ANNEALED;
  const float gap = static_cast<float>(rise - pair.target[l]), variance = pair.variance[l];
  if (W == Weighting::FROZEN) {
    const float change = static_cast<float>(rise);
    weight = softened(weight, scale2);
    flux = weight * change;
    return flux * change;
  }
  const float jump = W == Weighting::FLAT ? 0.0f : gap, k = evidence_of(jump, pair.ahead[l], pair.behind[l]);
  const float d1 = squared_jump<W>(jump + pair.twist[l], variance),
              d2 = squared_jump<W>(jump - pair.twist[l], variance);
  const float value = annealed ? annealed_weight(variance, std::fabs(pair.crease[l]), k, d1, d2, scale2)
                               : geman_mcclure_weight(variance, k, d1, d2);
  const float clean = variance >= 0.0f ? value : 0.0f;
  weight = clean;
  flux = clean * gap;
  return clean * gap * gap;
}

}  // namespace crevasse
