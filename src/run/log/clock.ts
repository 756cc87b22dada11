let origin: number | undefined

/**
 * The wall time of this process. It never jumps, because the machine's clock is read only once, as of the
 * start.
 */
export function readClock(): number {
  origin ??= performance.timeOrigin
  return origin + performance.now()
}
