const origin = performance.timeOrigin

/** Wall time of this process that never jumps: the machine's clock is read once, at its start. */
export const now = (): number => origin + performance.now()
