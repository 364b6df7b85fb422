// Approximate elimination of a graph Laplacian: a preconditioner that no arrangement of the weights can defeat.
//
// Eliminating a point joins all its neighbours to each other. Here each neighbour is joined to only one other, chosen
// by chance in proportion to the weights, so that the operator is right on average and as sparse as it was (Gao, Kyng
// and Spielman, "Robust and practical solution of Laplacian equations by approximate elimination"). Chance comes from
// a generator that starts the same each time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace crevasse {

class Elimination {
  using Index = std::int32_t;

 public:
  explicit Elimination(Index points) : head_(static_cast<std::size_t>(points), NONE), degree_(head_.size(), 0) {}

  Index points() const { return static_cast<Index>(head_.size()); }

  void join(Index a, Index b, double weight) {
    if (!(weight > 0)) return;
    for (std::size_t k = 0; k < SPLIT; ++k) add(a, b, weight / SPLIT);
  }

  // Eliminates all points, those with few neighbours first; calls `tick` now and then.
  template <class Tick>
  void factorise(Tick tick) {
    order_.reserve(head_.size());
    first_.reserve(head_.size() + 1);
    first_.push_back(0);
    fill_queue();
    for (Index done = 0; done < points(); ++done) {
      if (done % SOME == 0) tick();
      eliminate(take());
      first_.push_back(static_cast<std::int64_t>(neighbour_.size()));
    }
    forget();
  }

  // values = approximate inverse * values.
  void apply(std::vector<double>& values) const {
    for (std::size_t c = 0; c < order_.size(); ++c) {
      const std::size_t begin = static_cast<std::size_t>(first_[c]), end = static_cast<std::size_t>(first_[c + 1]);
      double here = values[at(order_[c])];
      if (begin < end) {
        for (std::size_t k = begin; k + 1 < end; ++k) {
          values[at(neighbour_[k])] += share_[k] * here;
          here *= 1 - share_[k];
        }
        values[at(neighbour_[end - 1])] += here;
      }
      values[at(order_[c])] = here * pivot_[c];
    }
    for (std::size_t c = order_.size(); c-- > 0;) {
      const std::size_t begin = static_cast<std::size_t>(first_[c]), end = static_cast<std::size_t>(first_[c + 1]);
      if (begin == end) continue;
      double here = values[at(order_[c])] + values[at(neighbour_[end - 1])];
      for (std::size_t k = end - 1; k-- > begin;) here = (1 - share_[k]) * here + share_[k] * values[at(neighbour_[k])];
      values[at(order_[c])] = here;
    }
  }

 private:
  static constexpr Index NONE = -1;
  static constexpr int BUCKETS = 64;
  static constexpr Index SOME = 4096;  // points between two ticks
  static constexpr std::size_t SPLIT = 2;  // edges that each edge is made of: with more of them, less is left to chance

  struct Link {
    Index to, edge;
    double weight;
  };

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  static std::size_t bucket(Index degree) { return static_cast<std::size_t>(std::min<Index>(degree, BUCKETS - 1)); }

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

  // The links of a point, by neighbour, at most SPLIT to each; where each neighbour's begin.
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
    order_.push_back(point);
    const std::size_t neighbours = groups_.size() - 1;
    if (neighbours == 0) {
      pivot_.push_back(0);
    } else if (neighbours <= 3) {
      eliminate_exactly(neighbours);
    } else {
      eliminate_by_chance();
    }
  }

  // As many edges among one, two or three neighbours as there were to the point between them.
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
      neighbour_.push_back(links_[groups_[g]].to);
      share_.push_back(std::min(weights[g] / left, 1.0));
      if (g + 1 < neighbours) left -= weights[g];
    }
    pivot_.push_back(left > 0 ? sum / (left * left) : 0);
  }

  void eliminate_by_chance() {
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
      neighbour_.push_back(links_[k].to);
      share_.push_back(share);
    }
    const Link& last = links_[count - 1];
    drop(last);
    neighbour_.push_back(last.to);
    share_.push_back(1);
    pivot_.push_back(sum / (last.weight * last.weight));
  }

  // One of the links from `begin`, by chance in proportion to their weights.
  std::size_t choose(std::size_t begin, std::size_t count) {
    const double level = behind_[begin] * random();
    std::size_t k = begin;
    while (k + 1 < count && behind_[k + 1] > level) ++k;
    return k;
  }

  // The edge to `link` now leads from there to `other`.
  void rejoin(const Link& link, Index other, double weight) {
    if (!(weight > 0) || other == link.to) return drop(link);
    const Index here = link.edge, back = here ^ 1;
    weight_[at(here) / 2] = weight;
    to_[at(back)] = other;
    to_[at(here)] = link.to;
    next_[at(here)] = head_[at(other)];
    head_[at(other)] = here;
    move(other, degree_[at(other)] + 1);
  }
  void drop(const Link& link) {
    weight_[at(link.edge) / 2] = 0;
    move(link.to, degree_[at(link.to)] - 1);
  }

  double random() {
    state_ += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

  // Points by their number of neighbours.
  void fill_queue() {
    queue_.assign(BUCKETS, NONE);
    before_.assign(head_.size(), NONE);
    after_.assign(head_.size(), NONE);
    for (Index p = points(); p-- > 0;) insert(p);
  }
  void insert(Index p) {
    Index& top = queue_[bucket(degree_[at(p)])];
    before_[at(p)] = NONE;
    after_[at(p)] = top;
    if (top != NONE) before_[at(top)] = p;
    top = p;
    lowest_ = std::min(lowest_, bucket(degree_[at(p)]));
  }
  void remove(Index p) {
    const Index a = before_[at(p)], b = after_[at(p)];
    if (a != NONE) after_[at(a)] = b; else queue_[bucket(degree_[at(p)])] = b;
    if (b != NONE) before_[at(b)] = a;
  }
  void move(Index p, Index degree) {
    if (bucket(degree) == bucket(degree_[at(p)])) {
      degree_[at(p)] = degree;
      return;
    }
    remove(p);
    degree_[at(p)] = degree;
    insert(p);
  }
  Index take() {
    while (queue_[lowest_] == NONE) ++lowest_;
    const Index p = queue_[lowest_];
    remove(p);
    return p;
  }

  // What only the elimination needed.
  void forget() {
    for (auto* list : {&head_, &degree_, &to_, &next_, &before_, &after_}) std::vector<Index>().swap(*list);
    std::vector<double>().swap(weight_);
  }

  std::vector<Index> head_, degree_, to_, next_, before_, after_, queue_;
  std::vector<double> weight_, behind_;
  std::vector<Link> links_;
  std::vector<std::size_t> groups_;
  std::size_t lowest_ = 0;
  std::uint64_t state_ = 0;
  std::vector<Index> order_, neighbour_;
  std::vector<std::int64_t> first_;
  std::vector<double> share_, pivot_;
};

}  // namespace crevasse
