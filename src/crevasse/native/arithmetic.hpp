// Small functions of numbers that loops can vectorise.
#pragma once

namespace crevasse {

inline float square(float x) { return x * x; }

template <class T>
inline T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
inline T smaller(T a, T b) {
  return a < b ? a : b;
}

// 1 / value, and 0 where there is nothing to invert.
template <class T>
inline T inverse(T value) {
  return value > 0 ? 1 / value : 0;
}

}  // namespace crevasse
