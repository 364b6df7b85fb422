// Slopes of a map as they are given, and the planes of the pixels that follow from them.
#pragma once

#include <cmath>
#include <vector>

#include "constants.hpp"

namespace crevasse {

// Row-major images: cosine, and cosine * slope to the right and downwards.
struct Slopes {
  const double* across;
  const double* along;
  const double* cosine;
  const unsigned char* mask;
  const int* labels;         // null: one region
  const double* noise;       // per region, from 1
  const signed char* hints;  // null: none; see forces_jump() and set_pair()
  const double* offsets;     // (4, rows, columns): heights of a pixel's corners over its centre; null: see PlaneRule

  double noise_at(std::size_t i) const { return noise[labels ? labels[i] : 1]; }
};

// A jump is forced around a pixel marked 1, and between the two sides, 2 and 3, of a line.
inline bool forces_jump(signed char a, signed char b) { return a == 1 || b == 1 || (a > 0 && b > 0 && a + b == 5); }

// A pixel's slopes, and the heights of its plane's corners over its centre.
struct Tilt {
  double right, down, upper_left, upper_right, lower_left, lower_right;
};

// The tilt of pixel i with these slopes; offsets: see Slopes, of images with `area` pixels.
inline Tilt tilt_with(const double* offsets, std::size_t area, std::size_t i, double right, double down) {
  const double* corner = offsets + i;
  return {right, down, corner[0], corner[area], corner[2 * area], corner[3 * area]};
}

// The tilts of a row.
struct Tilts {
  std::vector<Tilt> pixels;
  int row = -1;
  explicit Tilts(int columns) : pixels(static_cast<std::size_t>(columns)) {}
};

// The plane of a pixel by its slopes. curvature: 1 / focal length, 0 for parallel rays; where rays are not parallel,
// heights are logarithms of depth over the curvature.
struct PlaneRule {
  double curvature, most_rise;

  double offset(double rise) const {
    if (curvature == 0) return rise;
    return -std::log1p(-std::fmin(rise * curvature, most_rise)) / curvature;
  }
  Tilt plane(double right, double down) const {
    return {right,
            down,
            offset((-right - down) / 2),
            offset((right - down) / 2),
            offset((down - right) / 2),
            offset((right + down) / 2)};
  }
};

}  // namespace crevasse
