// Approximate Cholesky factorisation of a graph Laplacian: a preconditioner that works for any pattern of weights.
//
// Eliminating a point exactly joins all its neighbours with each other. Here each neighbour is joined with only one
// other, sampled in proportion to the weights, so that the operator is right on average and stays sparse (Gao, Kyng and
// Spielman, "Robust and practical solution of Laplacian equations by approximate elimination"). The random generator
// always starts from the same state, so that results are reproducible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "degree_queue.hpp"
#include "elimination_sequence.hpp"

namespace crevasse {

class ApproximateCholesky {
  using Index = std::int32_t;

 public:
  explicit ApproximateCholesky(Index points)
      : head_(static_cast<std::size_t>(points), NONE), degree_(head_.size(), 0) {}

  Index points() const { return static_cast<Index>(head_.size()); }

  void join(Index a, Index b, double weight) {
    if (!(weight > 0)) return;
    for (std::size_t k = 0; k < SPLIT; ++k) add(a, b, weight / SPLIT);
  }

  // Eliminates all points, those with few neighbours first; calls `tick` now and then.
  template <class Tick>
  EliminationSequence factorise(Tick tick) {
    sequence_.reserve(head_.size());
    queue_.emplace(std::move(degree_));
    for (Index done = 0; done < points(); ++done) {
      if (done % POINTS_PER_TICK == 0) tick();
      eliminate(queue_->take());
    }
    return std::move(sequence_);
  }

 private:
  static constexpr Index NONE = -1;
  static constexpr Index POINTS_PER_TICK = 4096;
  static constexpr std::size_t SPLIT = 2;  // edges that each edge is divided into: more of them reduce the variance

  struct Link {
    Index to, edge;
    double weight;
  };

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  void add(Index a, Index b, double weight) {
    const Index e = static_cast<Index>(to_.size());
    weight_.push_back(weight);
    to_.push_back(b);
    to_.push_back(a);
    next_.push_back(head_[at(a)]);
    next_.push_back(head_[at(b)]);
    head_[at(a)] = e;
    head_[at(b)] = e + 1;
    ++degree_[at(a)];
    ++degree_[at(b)];
  }

  // Collects the links of a point, sorted by neighbour, at most SPLIT to each; groups_: where each neighbour's begin.
  void gather(Index point) {
    links_.clear();
    groups_.clear();
    for (Index e = head_[at(point)]; e != NONE; e = next_[at(e)])
      if (weight_[at(e) / 2] > 0) links_.push_back({to_[at(e)], e, weight_[at(e) / 2]});
    std::sort(links_.begin(), links_.end(),
              [](const Link& a, const Link& b) { return a.to < b.to || (a.to == b.to && a.edge < b.edge); });
    std::size_t kept = 0;
    for (const Link& link : links_) {
      if (kept >= SPLIT && links_[kept - SPLIT].to == link.to) {
        links_[kept - 1].weight += link.weight;
        drop(link);
        continue;
      }
      if (kept == 0 || links_[kept - 1].to != link.to) groups_.push_back(kept);
      links_[kept++] = link;
    }
    links_.resize(kept);
    groups_.push_back(kept);
  }

  void eliminate(Index point) {
    gather(point);
    sequence_.open(point);
    const std::size_t neighbours = groups_.size() - 1;
    if (neighbours == 0) {
      sequence_.close(0);
    } else if (neighbours <= 3) {
      eliminate_exactly(neighbours);
    } else {
      eliminate_by_sampling();
    }
  }

  // Joins one, two or three neighbours exactly, by as many edges as led to the point between them.
  void eliminate_exactly(std::size_t neighbours) {
    double weights[3] = {}, sum = 0;
    for (std::size_t g = 0; g < neighbours; ++g) {
      for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k) weights[g] += links_[k].weight;
      sum += weights[g];
    }
    double left = sum;
    for (std::size_t g = 0; g < neighbours; ++g) {
      const std::size_t next = (g + 1) % neighbours, parts = groups_[g + 1] - groups_[g];
      const bool joined = neighbours == 3 || (neighbours == 2 && g == 0);
      const double weight = joined ? weights[g] * weights[next] / sum / static_cast<double>(parts) : 0.0;
      for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k) rejoin(links_[k], links_[groups_[next]].to, weight);
      sequence_.add(links_[groups_[g]].to, std::min(weights[g] / left, 1.0));
      if (g + 1 < neighbours) left -= weights[g];
    }
    sequence_.close(left > 0 ? sum / (left * left) : 0);
  }

  void eliminate_by_sampling() {
    std::sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) {
      return a.weight < b.weight || (a.weight == b.weight && a.edge < b.edge);
    });
    const std::size_t count = links_.size();
    behind_.resize(count);
    double sum = 0;
    for (std::size_t k = count; k-- > 0;) behind_[k] = sum += links_[k].weight;
    for (std::size_t k = 0; k + 1 < count; ++k) {
      const double share = links_[k].weight / behind_[k];
      rejoin(links_[k], links_[choose(k + 1, count)].to, links_[k].weight * (behind_[k + 1] / sum));
      sequence_.add(links_[k].to, share);
    }
    const Link& last = links_[count - 1];
    drop(last);
    sequence_.add(last.to, 1);
    sequence_.close(sum / (last.weight * last.weight));
  }

  // Samples one of the links from `begin` on, in proportion to their weights.
  std::size_t choose(std::size_t begin, std::size_t count) {
    const double level = behind_[begin] * random();
    std::size_t k = begin;
    while (k + 1 < count && behind_[k + 1] > level) ++k;
    return k;
  }

  // Turns the edge to `link` into one from there to `other`.
  void rejoin(const Link& link, Index other, double weight) {
    if (!(weight > 0) || other == link.to) return drop(link);
    const Index here = link.edge, back = here ^ 1;
    weight_[at(here) / 2] = weight;
    to_[at(back)] = other;
    to_[at(here)] = link.to;
    next_[at(here)] = head_[at(other)];
    head_[at(other)] = here;
    queue_->change(other, 1);
  }
  void drop(const Link& link) {
    weight_[at(link.edge) / 2] = 0;
    queue_->change(link.to, -1);
  }

  double random() {
    state_ += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

  std::vector<Index> head_, degree_, to_, next_;  // edges of each point as linked lists
  std::vector<double> weight_, behind_;
  std::vector<Link> links_;
  std::vector<std::size_t> groups_;
  std::uint64_t state_ = 0;
  std::optional<DegreeQueue> queue_;
  EliminationSequence sequence_;
};

}  // namespace crevasse
