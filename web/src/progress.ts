/** How far a run is, in words. */

export function progressText(iteration: number, total: number, seconds: number, paused: boolean): string {
  const done = `Iteration ${iteration} of ${total}`;
  if (paused) return `${done}, paused`;
  const left = (seconds / Math.max(1, iteration)) * (total - iteration);
  return left < 0.95 ? `${done}, less than a second left` : `${done}, about ${duration(left)} left`;
}

export function duration(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
