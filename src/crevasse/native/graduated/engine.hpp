// The graduated method: IRLS on rigid pixels, one height per pixel, and what judges and moves the surfaces it finds.
#pragma once

#include <optional>

#include "apply_evidence.hpp"
#include "energy.hpp"
#include "images.hpp"
#include "islands.hpp"
#include "iteration.hpp"
#include "known_heights.hpp"
#include "part_moves.hpp"
#include "spanning.hpp"

namespace crevasse {

class GraduatedEngine {
 public:
  GraduatedEngine(int rows, int columns, const Slopes& slopes, double curvature, const EngineConstants& constants,
                  int threads, const Poll& poll)
      : state_(rows, columns, slopes.mask, curvature, constants, threads), iteration_(state_) {
    SetUp set_up(state_, slopes);
    state_.has_hints = slopes.hints != nullptr;
    Pulse pulse(poll);
    set_up.reserve(pulse);
    state_.team.run(poll, [&](int member) {
      set_up.set_slopes(member);
      set_up.set_pairs(member);
    });
  }

  // Members of the team, which may be fewer than asked for.
  int threads() const { return state_.team.size(); }

  // Judges jumps by this evidence from now on; does nothing where it has not changed. Heights stay as they are.
  void set_evidence(const Evidence& evidence, const Poll& poll) {
    if (evidence_ && *evidence_ == evidence) return;
    // An interrupted call leaves some pairs with the old evidence and some with the new.
    evidence_.reset();
    state_.team.run(poll, [&](int member) {
      EvidenceRows rows(state_, evidence);
      state_.each_row(member, [&](int y) {
        rows.set(y);
        spanning_.each(y, [&](const SpanningPair& pair) { SpanningPairs::set_evidence(state_, pair); });
      });
    });
    evidence_ = evidence;
  }

  // Replaces the slopes that the surface follows, on the same mask, and removes the steps of spanning pixels. Evidence
  // is still made of the slopes that the engine began with.
  void set_slopes(const Slopes& slopes, const Poll& poll) {
    evidence_.reset();
    spanning_.clear();
    state_.has_hints = state_.has_hints || slopes.hints;
    SetUp set_up(state_, slopes);
    state_.team.run(poll, [&](int member) { set_up.set_pairs(member); });
  }

  // The slopes that evidence is made of, row-major.
  void slopes(float* right, float* down) const {
    std::copy(state_.right.begin(), state_.right.end(), right);
    std::copy(state_.down.begin(), state_.down.end(), down);
  }

  // Heights stay as they are; evidence has to be set again.
  void add_spanning(const Spanning& spanning) {
    evidence_.reset();
    spanning_.add(state_, spanning);
  }

  // See crevasse::set_pins.
  void set_pins(const double* pins, const double* known, const Poll& poll) {
    Pulse pulse(poll);
    crevasse::set_pins(state_, pins, known, pulse);
  }

  // One outer iteration; scale: of jumps that annealed weights tolerate, in pixels.
  Report iterate(Weighting weighting, float scale, int solver_iterations, double tolerance, bool rebuild,
                 const Bounds& bounds, const Poll& poll) {
    return iteration_.run(weighting, scale, solver_iterations, tolerance, rebuild, bounds, poll);
  }

  // Robust energy by region (labels from 1; null: one region), added to `out`.
  void energies(const int* labels, double* out, const Poll& poll) {
    Pulse pulse(poll);
    Judge(state_).add_energies(labels, out, pulse);
  }

  // See Judge::find_cuts.
  void cuts(unsigned char* right, unsigned char* down, const Poll& poll) {
    Pulse pulse(poll);
    Judge(state_).find_cuts(spanning_, right, down, pulse);
  }

  // One value per pair: value(block, lane); see read_pairs.
  template <class Value>
  void pair_values(Value value, float* right, float* down, const Poll& poll) {
    Pulse pulse(poll);
    const auto read = [&](const Pairs& pairs, const Plane<float>&, int y, int j) {
      return static_cast<float>(value(*pairs.block(y, j), Pairs::lane(j)));
    };
    read_pairs(state_, right, down, read, pulse);
  }

  // Weights of the last iteration.
  void weights(float* right, float* down, const Poll& poll) {
    Pulse pulse(poll);
    read_pairs(
        state_, right, down, [](const Pairs&, const Plane<float>& plane, int y, int j) { return plane.row(y)[j]; },
        pulse);
  }

  // Moves whole parts of the surface to where the energy is lower; true if any moved. given: contacts besides those of
  // neighbours.
  bool move_parts(int parts, const MoveRules& rules, const GivenContacts& given, const Poll& poll) {
    Pulse pulse(poll);
    Judge judge(state_);
    const Parts found = merge(judge, strength_of, parts, pulse);
    const auto contact = [&](int y, int x, bool down) { return judge.contact(y, x, down); };
    std::vector<double> shifts;
    if (!PartMoves(found, contact, given, state_.team, pulse).move(rules, shifts, poll)) return false;
    state_.each_row(pulse, [&](int y) {
      for (int x = 0; x < state_.columns; ++x)
        if (found.at(y, x) >= 0) state_.height(y, x) += shifts[static_cast<std::size_t>(found.at(y, x))];
    });
    return true;
  }

  // The parts that move_parts moves: labels from 0, -1 outside the mask; returns their number.
  int parts(int limit, int* out, const Poll& poll) {
    Pulse pulse(poll);
    Judge judge(state_);
    const Parts found = merge(judge, strength_of, limit, pulse);
    std::copy(found.labels.begin(), found.labels.end(), out);
    return found.count;
  }

  // Parts whose position the energy does not determine: labels from 1, largest first, 0 outside; returns their number.
  int islands(const IslandRules& rules, int* out, const Poll& poll) {
    Pulse pulse(poll);
    Judge judge(state_);
    const auto contact = [&](int y, int x, bool down) { return judge.contact(y, x, down); };
    Parts found = merge(judge, [&](const Contact& c) { return hold(c, rules); }, 0, pulse);
    return Islands(std::move(found), contact, rules, pulse).write(out);
  }

  // Heights, row-major; read: 0 outside the mask.
  void read(double* out, const Poll& poll) {
    Pulse pulse(poll);
    read_heights(state_, out, pulse);
  }
  void write(const double* in, const Poll& poll) {
    Pulse pulse(poll);
    write_heights(state_, in, pulse);
  }
  // Makes all heights 0.
  void clear(const Poll& poll) {
    state_.team.run(poll, [&](int member) { state_.each_row(member, [&](int y) { clear_heights(state_, y); }); });
  }

  // Frees all memory but that of the heights, which can still be read.
  void release(const Poll& poll) {
    Pulse pulse(poll);
    PairFamilies& pairs = state_.pairs;
    for (Pairs* family : {&pairs.inner, &pairs.outer, &pairs.down_red, &pairs.down_black}) {
      *family = Pairs();
      pulse();
    }
    for (std::vector<float>* image : {&state_.right, &state_.down, &state_.variance, &state_.noise_variance}) {
      std::vector<float>().swap(*image);
      pulse();
    }
    state_.grid.release(pulse);
  }

 private:
  // An object, not a function: a pointer would be called for every contact, and nothing vectorised.
  static constexpr auto strength_of = [](const Contact& contact) { return PartMoves::strength(contact); };
  // Pixels merged along their strongest bonds; strength(contact): of a bond.
  template <class Strength>
  Parts merge(Judge& judge, Strength strength, int limit, Pulse& pulse) {
    const auto inside = [&](int i) { return state_.is_masked(static_cast<std::size_t>(i)); };
    const auto bind = [&](int y, float* right, float* down) { judge.measure_row(y, strength, right, down); };
    return Parts(state_.rows, state_.columns, inside, bind, limit, pulse);
  }

  State state_;
  Iteration iteration_;
  SpanningPairs spanning_;
  std::optional<Evidence> evidence_;  // that the pairs have
};

}  // namespace crevasse
