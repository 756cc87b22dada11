let origin: number | undefined

/** Wall time of this process that never jumps: the machine's clock is read once, as of its start. */
export function now(): number {
  origin ??= performance.timeOrigin
  return origin + performance.now()
}
