// Constants of the graduated method.
#pragma once

namespace crevasse {

// Those that Python needs too, and passes.
struct EngineConstants {
  double grazing;      // smallest cosine that slopes are computed with
  double noisy;        // noise from which cosines are smoothed
  int window;          // pixels to each side over which they are smoothed
  double noise_floor;  // least noise that variances are computed with
  double outlier;      // standard deviations from which a jump is an outlier
  double most_rise;    // largest rise within a pixel, relative to the depth, that a perspective plane may have
};

constexpr float FLOOR = 0.01f;       // pixels: the smallest jump that means anything
constexpr float CURVATURE = 0.05f;   // pixels of error per unit of change of slope
constexpr float CORE = 4.0f;         // squared standard deviations that count as noise when settling
constexpr float FAR = 1e4f;          // variances beyond which weights fall no further: below, rounding would move parts
constexpr float STEP_SHARE = 0.05f;  // share of a known step by which it may be wrong
constexpr float STEP_ERROR = 0.5f;   // pixels by which it may be wrong in addition
constexpr float STEP_DOUBT = 0.05f;  // K of its pair: a known step is worth many contacts, however far away it is
constexpr double TRUST = 2.0;        // times the noise variance that a window may vary and still count as level

}  // namespace crevasse
