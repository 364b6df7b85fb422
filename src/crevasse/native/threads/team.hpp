// A team of threads that run the passes of a solver in lockstep.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "pulse.hpp"
#include "spin.hpp"

namespace crevasse {

class Team {
 public:
  // Starts size - 1 threads beside the calling one, or fewer where the system refuses more; see size().
  explicit Team(int size) {
    try {
      if (size > 1) threads_.reserve(static_cast<std::size_t>(size) - 1);
      for (size_ = 1; size_ < size; ++size_) threads_.emplace_back([this, member = size_] { serve(member); });
    } catch (const std::system_error&) {
      dismiss((size_ + 1) / 2);
    } catch (const std::bad_alloc&) {
      dismiss((size_ + 1) / 2);
    }
  }

  ~Team() { dismiss(0); }

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // How many members there are, the calling thread included.
  int size() const { return size_; }

  // Runs job(member) on every member; member 0 is the calling thread. Throws Interrupted if the caller stopped it, and
  // whatever a member threw otherwise.
  void run(const Poll& poll, const std::function<void(int)>& job) {
    pulse_ = Pulse(poll);
    stopped_ = false;
    failure_ = nullptr;
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
    if (size_ > 1) wait_for_others();
    if (failure_) std::rethrow_exception(failure_);
    if (stopped_) throw Interrupted();
  }

  // Waits until all members are here: it spins for a moment, then sleeps. On a busy machine a spinning member would
  // keep the member it waits for off the core. Throws Interrupted once a member has stopped, because it will not come.
  void barrier() {
    if (size_ == 1) return;
    const unsigned generation = generation_;
    if (arrived_.fetch_add(1) + 1 == size_) {
      arrived_ = 0;
      ++generation_;
      wake_sleepers();
      return;
    }
    const auto over = [&] { return generation_ != generation || stopped_; };
    if (!spin_until(over)) {
      std::unique_lock<std::mutex> lock(mutex_);
      ++sleeping_;
      passed_.wait(lock, over);
      --sleeping_;
    }
    if (stopped_ && generation_ == generation) throw Interrupted();
  }

  // Throws Interrupted if the caller wants to stop. Member 0 asks; the others follow at their next tick or barrier. May
  // be called anywhere, as often as once per row.
  void tick(int member) {
    if (member == 0 && !stopped_ && pulse_.wants_stop()) stop();
    if (stopped_.load(std::memory_order_relaxed)) throw Interrupted();
  }

  // A barrier at which the caller is asked whether to stop.
  void checkpoint(int member) {
    tick(member);
    barrier();
  }

 private:
  // Ends the threads of members `size` and above. A team that could not be completed keeps half of its members: the
  // limit that stopped it (address space, processes) would leave no room for the work.
  void dismiss(int size) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      size_ = closing_ = std::min(size, size_);
    }
    wake_.notify_all();
    while (static_cast<int>(threads_.size()) > std::max(size_ - 1, 0)) {
      threads_.back().join();
      threads_.pop_back();
    }
  }

  void wait_for_others() {
    const auto finished = [this] { return pending_ == 0; };
    if (!spin_until(finished)) {
      std::unique_lock<std::mutex> lock(mutex_);
      done_.wait(lock, finished);
    }
    job_ = nullptr;
  }

  // Ends the current job of all members.
  void stop() {
    stopped_ = true;
    wake_sleepers();
  }

  // A member that counts as sleeping has either seen the change made before this call, or is waiting for the signal.
  void wake_sleepers() {
    if (sleeping_ == 0) return;
    {
      std::lock_guard<std::mutex> lock(mutex_);
    }
    passed_.notify_all();
  }

  // An exception, for example for lack of memory, stops all members; run() throws the first one.
  void work(const std::function<void(int)>& job, int member) {
    try {
      job(member);
    } catch (const Interrupted&) {
    } catch (...) {
      {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
      stop();
    }
  }

  void serve(int member) {
    unsigned seen = 0;
    for (;;) {
      const std::function<void(int)>* job = nullptr;
      spin_until([&] { return round_ != seen; });
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return closing_ <= member || round_ != seen; });
        if (closing_ <= member) return;
        seen = round_;
        job = job_;
      }
      work(*job, member);
      std::lock_guard<std::mutex> lock(mutex_);
      if (--pending_ == 0) done_.notify_one();
    }
  }

  int size_ = 1;
  int closing_ = std::numeric_limits<int>::max();  // members from here on must end
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_, passed_;
  const std::function<void(int)>* job_ = nullptr;
  Pulse pulse_;
  std::exception_ptr failure_;
  std::atomic<unsigned> round_{0};
  std::atomic<int> pending_{0};
  std::atomic<bool> stopped_{false};
  std::atomic<int> arrived_{0}, sleeping_{0};
  std::atomic<unsigned> generation_{0};
};

}  // namespace crevasse
