/** The bounds on one run of a script. */
export interface ScriptLimits {
  /** Bytes. */
  readonly memory: number
  /** Milliseconds of computing. The time in which it waits for the host does not count. */
  readonly duration: number
  /** Calls inside of calls. */
  readonly recursion: number
}

export type LimitPreset = "strict" | "default" | "permissive"

/** Grail's presets. */
export const limitPresets: Readonly<Record<LimitPreset, ScriptLimits>> = {
  strict: { memory: 8 * 2 ** 20, duration: 500, recursion: 120 },
  default: { memory: 16 * 2 ** 20, duration: 2_000, recursion: 200 },
  permissive: { memory: 64 * 2 ** 20, duration: 5_000, recursion: 400 },
}
