// Short waits that keep the core.
#pragma once

#include <chrono>

namespace crevasse {

inline void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Waits up to 100 us without giving up the core. The next run mostly starts within that time, and waking a sleeping
// thread takes as long as a tenth of an iteration on a small map.
template <class Condition>
bool spin_until(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  do {
    for (int spins = 0; spins < 64; ++spins) {
      if (condition()) return true;
      pause_core();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace crevasse
