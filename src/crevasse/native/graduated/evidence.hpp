// Evidence: what the normals of two neighbouring pixels say about a jump between them, row by row.
#pragma once

#include <cmath>
#include <tuple>
#include <vector>

#include "../arithmetic.hpp"
#include "../grid/loops.hpp"

namespace crevasse {

struct Evidence {
  float angle;    // theta0, radians: the turn of the normals that counts as a crease
  float along;    // eta: weight of the turn along the pair, beside that across it
  int grazing;    // h: exponent of how much the foreground recedes, for turns along the pair; 0 for none
  float against;  // least factor of a jump against occlusion
  float level;    // least factor of a jump where the normals do not turn
  float valley;   // share that a jump loses where both sides recede

  bool operator==(const Evidence& other) const {
    const auto all = [](const Evidence& e) {
      return std::tie(e.angle, e.along, e.grazing, e.against, e.level, e.valley);
    };
    return all(*this) == all(other);
  }
};

constexpr float NOISE_FACTOR = 2.0f;    // times the noise variance that is added to angle^2
constexpr float UNLIKELY = 1.0f / 256;  // least K: no single contact may decide where a part lies

// Arc tangent that loops can vectorise (Cephes).
inline float arc_tangent(float x) {
  const float a = std::fabs(x);
  const bool steep = a > 2.414213562f, middle = a > 0.4142135624f;
  const float base = steep ? 1.570796327f : (middle ? 0.7853981634f : 0.0f);
  const float over = steep ? -1.0f : (middle ? a - 1.0f : a), under = steep ? a : (middle ? a + 1.0f : 1.0f);
  const float y = over / under, z = y * y;
  const float r =
      base +
      ((((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f) * z * y + y);
  return x < 0.0f ? -r : r;
}

// Inclination of the pixels of a row to the right and downwards: as angles, and as sines (how much they recede).
struct Inclinations {
  std::vector<float> angle_right, angle_down, recede_right, recede_down;
  int row = -1;
  explicit Inclinations(std::size_t columns)
      : angle_right(columns + 1), angle_down(columns + 1), recede_right(columns + 1), recede_down(columns + 1) {}

  void set(int begin, int end, const float* __restrict right, const float* __restrict down) {
    incline(begin, end, right, angle_right.data(), recede_right.data());
    incline(begin, end, down, angle_down.data(), recede_down.data());
  }

 private:
  static void incline(int begin, int end, const float* __restrict slope, float* __restrict angle,
                      float* __restrict recede) {
    CREVASSE_LANES
    for (int x = begin; x < end; ++x) {
      angle[x] = arc_tangent(slope[x]);
      recede[x] = slope[x] / std::sqrt(1.0f + slope[x] * slope[x]);
    }
  }
};

// Evidence of a row's pairs (x, x + 1), or of those with the row below: A (crease), and K (ahead, behind) for a jump of
// either sign.
class PairEvidence {
 public:
  explicit PairEvidence(std::size_t columns) : crease_(columns + 2), ahead_(columns + 2), behind_(columns + 2) {}

  // The values of the pairs from column x >= -1 on; -1 is no pair.
  const float* crease(int x) const { return crease_.data() + 1 + x; }
  const float* ahead(int x) const { return ahead_.data() + 1 + x; }
  const float* behind(int x) const { return behind_.data() + 1 + x; }

  void judge_right(int begin, int end, const Inclinations& here, const float* spread, bool one, const Evidence& rules) {
    judge(begin, end, here.angle_right.data(), here.angle_right.data() + 1, here.angle_down.data(),
          here.angle_down.data() + 1, here.recede_right.data(), here.recede_right.data() + 1, spread, one, rules);
  }
  void judge_down(int begin, int end, const Inclinations& here, const Inclinations& next, const float* spread, bool one,
                  const Evidence& rules) {
    judge(begin, end, here.angle_down.data(), next.angle_down.data(), here.angle_right.data(), next.angle_right.data(),
          here.recede_down.data(), next.recede_down.data(), spread, one, rules);
  }

 private:
  using Row = const float* __restrict;

  // l: angle along the pair from a to b, m: across it, r: receding; `spread` (noise variance) has one value for all
  // pixels, or one per pixel.
  void judge(int begin, int end, Row la, Row lb, Row ma, Row mb, Row ra, Row rb, Row spread, bool one,
             const Evidence& rules) {
    float* __restrict turn = crease_.data() + 1;
    CREVASSE_LANES
    for (int x = begin; x < end; ++x) turn[x] = square(mb[x] - ma[x]) + rules.along * square(lb[x] - la[x]);
    if (rules.grazing > 0) {
      CREVASSE_LANES
      for (int x = begin; x < end; ++x)
        turn[x] += square((lb[x] - la[x]) * power(larger(0.0f, larger(ra[x], -rb[x])), rules.grazing));
    }
    const float angle = square(rules.angle);
    float* __restrict front = ahead_.data() + 1;
    float* __restrict back = behind_.data() + 1;
    if (one) {
      const float whole = angle + NOISE_FACTOR * spread[0];
      CREVASSE_LANES
      for (int x = begin; x < end; ++x) weigh(turn[x], whole, ra[x], -rb[x], rules, turn[x], front[x], back[x]);
    } else {
      CREVASSE_LANES
      for (int x = begin; x < end; ++x)
        weigh(turn[x], angle + NOISE_FACTOR * spread[x], ra[x], -rb[x], rules, turn[x], front[x], back[x]);
    }
  }

  static float power(float base, int exponent) {
    float out = base;
    for (int k = 1; k < exponent; ++k) out *= base;
    return out;
  }

  static void weigh(float turn, float angle, float recede_a, float recede_b, const Evidence& rules, float& crease,
                    float& ahead, float& behind) {
    const float evidence = 1.0f + turn / angle;
    const float turned = rules.level + (1.0f - rules.level) * (1.0f - 1.0f / evidence);
    const float front = turned * (rules.against + (1.0f - rules.against) * 0.5f * (1.0f + recede_a));
    const float back = turned * (rules.against + (1.0f - rules.against) * 0.5f * (1.0f + recede_b));
    // Where both sides recede, the one behind recedes too: a valley, and in most valleys surfaces touch.
    crease = evidence;
    ahead = larger(square(front) * (1.0f - rules.valley * larger(recede_b, 0.0f)), UNLIKELY);
    behind = larger(square(back) * (1.0f - rules.valley * larger(recede_a, 0.0f)), UNLIKELY);
  }

  std::vector<float> crease_, ahead_, behind_;
};

}  // namespace crevasse
