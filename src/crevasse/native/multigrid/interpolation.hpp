// Interpolation weights between a level and the next coarser one.
#pragma once

#include "../arithmetic.hpp"
#include "../grid/plane.hpp"

namespace crevasse {

// Interpolation weights of the H and V points of a level: the share of each of the two coarse points beside them.
template <class T>
struct Interpolation {
  Plane<T> left, right;  // H: coarse row i, half column k
  Plane<T> up, down;     // V: of row 2i + 1

  Interpolation() = default;
  explicit Interpolation(const Layout& layout) {
    for (Plane<T>* plane : {&left, &right, &up, &down}) *plane = Plane<T>(layout);
  }
};

// How well a point that takes `part` of its value from a coarse point represents it: fully from one half on.
template <class T>
inline T mostly(T part) {
  return part < T(0.5) ? 2 * part : T(1);
}

// Normalises two weights to shares that add up to 1.
template <class T>
inline void share(T first, T second, T& to_first, T& to_second) {
  first = first > 0 ? first : 0;
  second = second > 0 ? second : 0;
  const T scale = inverse(first + second);
  // Exactly 1 where the other one is missing.
  to_first = second > 0 ? first * scale : (first > 0 ? 1 : 0);
  to_second = first > 0 ? second * scale : (second > 0 ? 1 : 0);
}

}  // namespace crevasse
