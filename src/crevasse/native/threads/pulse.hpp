// Cancellation: long loops ask the caller regularly whether to stop.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace crevasse {

using Poll = std::function<bool()>;  // true: the caller wants to stop

// Thrown out of a computation that the caller has stopped.
struct Interrupted {};

constexpr int ROWS_PER_PULSE = 64;         // rows of a map between two questions
constexpr int POINTS_PER_PULSE = 1 << 18;  // the same for loops over pixels, edges or vector entries

// Asks the caller every 10 ms whether to stop, and throws Interrupted if so; cheap enough for every row of a map.
class Pulse {
 public:
  Pulse() = default;
  explicit Pulse(const Poll& poll) : poll_(&poll), last_(std::chrono::steady_clock::now()) {}

  void operator()() {
    if (wants_stop()) throw Interrupted();
  }
  // True if it was time to ask and the answer was to stop.
  bool wants_stop() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(10)) return false;
    last_ = now;
    return (*poll_)();
  }

 private:
  const Poll* poll_ = nullptr;
  std::chrono::steady_clock::time_point last_;
};

// Fills a vector in pieces, because the system takes a while to provide the memory of a large one.
template <class T>
void fill(std::vector<T>& out, std::size_t size, const T& value, Pulse& pulse) {
  out.clear();
  out.reserve(size);
  while (out.size() < size) {
    out.resize(std::min(size, out.size() + static_cast<std::size_t>(POINTS_PER_PULSE)), value);
    pulse();
  }
}

}  // namespace crevasse
