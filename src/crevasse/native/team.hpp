// A team of threads that work through the passes of a solver in step.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace crevasse {

struct Interrupted {};

// After how many rows, and after how many points, a long loop asks whether to go on.
constexpr int SELDOM = 64, MANY = 1 << 18;

// Asks the caller every 10 ms whether to stop, and throws Interrupted then; cheap enough for every row of a map.
class Pulse {
 public:
  Pulse() = default;
  explicit Pulse(const std::function<bool()>& poll) : poll_(&poll), last_(std::chrono::steady_clock::now()) {}

  void operator()() {
    if (asks()) throw Interrupted();
  }
  // Whether it was time to ask, and the answer was to stop.
  bool asks() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(10)) return false;
    last_ = now;
    return (*poll_)();
  }

 private:
  const std::function<bool()>* poll_ = nullptr;
  std::chrono::steady_clock::time_point last_;
};

// Fills a vector piece by piece: the system takes a while to give the memory of a large one.
template <class T>
void fill(std::vector<T>& out, std::size_t size, const T& value, Pulse& pulse) {
  out.clear();
  out.reserve(size);
  while (out.size() < size) {
    out.resize(std::min(size, out.size() + static_cast<std::size_t>(MANY)), value);
    pulse();
  }
}

class Team {
 public:
  explicit Team(int size) : size_(size < 1 ? 1 : size) {
    for (int member = 1; member < size_; ++member) threads_.emplace_back([this, member] { serve(member); });
  }

  ~Team() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }

  // Runs job(member) on every member; member 0 is the calling thread. Throws Interrupted where poll asked for it.
  void run(const std::function<void(int)>& job, const std::function<bool()>& poll) {
    pulse_ = Pulse(poll);
    interrupted_ = false;
    arrived_ = 0;
    if (size_ > 1) {
      {
        std::lock_guard<std::mutex> lock(mutex_);
        job_ = &job;
        pending_ = size_ - 1;
        ++round_;
      }
      wake_.notify_all();
    }
    work(job, 0);
    if (size_ > 1) {
      const auto finished = [this] { return pending_ == 0; };
      if (!soon(finished)) {
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait(lock, finished);
      }
      job_ = nullptr;
    }
    if (interrupted_) throw Interrupted();
  }

  // Waits until all members are here: a moment awake, then asleep. Where other processes have the cores, a member that
  // stays awake keeps the one away from its core that it waits for.
  // Throws Interrupted once a member has stopped: it will not come.
  void barrier() {
    if (size_ == 1) return;
    const unsigned generation = generation_;
    if (arrived_.fetch_add(1) + 1 == size_) {
      arrived_ = 0;
      ++generation_;
      wake_sleepers();
      return;
    }
    const auto over = [&] { return generation_ != generation || interrupted_; };
    if (!soon(over)) {
      std::unique_lock<std::mutex> lock(mutex_);
      ++sleeping_;
      passed_.wait(lock, over);
      --sleeping_;
    }
    if (interrupted_ && generation_ == generation) throw Interrupted();
  }

  // Throws Interrupted if the caller asks to stop, which member 0 finds out; the others follow at their next tick or
  // barrier. May be called anywhere, and as often as once a row.
  void tick(int member) {
    if (member == 0 && !interrupted_ && pulse_.asks()) {
      interrupted_ = true;
      wake_sleepers();
    }
    if (interrupted_.load(std::memory_order_relaxed)) throw Interrupted();
  }

  // A barrier at which the caller is asked whether to go on.
  void checkpoint(int member) {
    tick(member);
    barrier();
  }

 private:
  // Whoever counts as sleeping has either seen the change that this follows, or waits.
  void wake_sleepers() {
    if (sleeping_ == 0) return;
    { std::lock_guard<std::mutex> lock(mutex_); }
    passed_.notify_all();
  }

  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  // Waits a little while without giving the core away: the next run mostly comes within that, and waking a thread that
  // sleeps takes as long as a tenth of an iteration on a small map.
  template <class Condition>
  static bool soon(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
    do {
      for (int spins = 0; spins < 64; ++spins) {
        if (condition()) return true;
        pause();
      }
    } while (std::chrono::steady_clock::now() < end);
    return false;
  }

  static void work(const std::function<void(int)>& job, int member) {
    try {
      job(member);
    } catch (const Interrupted&) {
    }
  }

  void serve(int member) {
    unsigned seen = 0;
    for (;;) {
      const std::function<void(int)>* job = nullptr;
      soon([&] { return round_ != seen; });
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return closing_ || round_ != seen; });
        if (closing_) return;
        seen = round_;
        job = job_;
      }
      work(*job, member);
      std::lock_guard<std::mutex> lock(mutex_);
      if (--pending_ == 0) done_.notify_one();
    }
  }

  const int size_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_, passed_;
  const std::function<void(int)>* job_ = nullptr;
  Pulse pulse_;
  std::atomic<unsigned> round_{0};
  std::atomic<int> pending_{0};
  bool closing_ = false;
  std::atomic<bool> interrupted_{false};
  std::atomic<int> arrived_{0}, sleeping_{0};
  std::atomic<unsigned> generation_{0};
};

}  // namespace crevasse
