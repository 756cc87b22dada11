import { CadreError, findNearestName } from "./errors.ts"

/**
 * Bounds on a run. Time, tokens, cost, spawns and depth also bind everything below it; the others are each
 * run's own.
 * Times are in milliseconds.
 * Every value is positive and finite: 0, a negative number or NaN is an error and never means "unlimited".
 */
export interface RunLimits {
  /** Wall time while the run is not resting. */
  readonly timeout?: number
  /** Time without any event or text while a model or tool is working. */
  readonly idleTimeout?: number
  /** Time for one tool call. */
  readonly toolTimeout?: number
  /** The time after a resume during which a run keeps asking an unreachable provider. */
  readonly providerWait?: number
  /** The time that an approval may stay open before it counts as refused. */
  readonly approvalTimeout?: number
  /** Model calls. The last one is a closing turn without tools. */
  readonly maxTurns?: number
  /** Tool calls. Those beyond it are answered, but not run. */
  readonly maxToolCalls?: number
  /** Input and output tokens of this run and all below it. */
  readonly maxTokens?: number
  /** In the currency of the price table, for this run and all below it. */
  readonly maxCost?: number
  /** Output tokens of one model call. */
  readonly maxOutputTokens?: number
  /** Levels below the root. At 3 the fourth is refused. */
  readonly maxDepth?: number
  /** Runs started below this one, in all. */
  readonly maxSpawns?: number
  /** Runs of the tree that work at the same time. Read on the root run. */
  readonly maxConcurrency?: number
  /** The number of times that hooks at `stop` may make a run go on instead of ending. */
  readonly maxStopRounds?: number
  /** Bytes of one tool result that a model sees; the rest is kept as a blob. */
  readonly maxResultBytes?: number
  /**
   * Tools of MCP servers that a model is offered at once. Beyond it, or beyond a tenth of the model's window, the model
   * searches for them. Default: 100.
   */
  readonly maxOfferedTools?: number
}

/**
 * The effective limits if neither the definition nor the call sets them.
 *
 * @example
 * ```ts
 * import { createRuntime, defaultLimits } from "cadre"
 *
 * const runtime = createRuntime({ limits: { timeout: defaultLimits.timeout / 2, maxTokens: 100_000 } })
 * ```
 */
export const defaultLimits = {
  timeout: 3_600_000,
  idleTimeout: 600_000,
  toolTimeout: 300_000,
  providerWait: 900_000,
  maxTurns: 100,
  maxToolCalls: 1_000,
  maxOutputTokens: 8_192,
  maxDepth: 3,
  maxSpawns: 200,
  maxConcurrency: 16,
  maxStopRounds: 3,
  maxResultBytes: 50_000,
} as const satisfies RunLimits

export const limitNames: ReadonlySet<string> = new Set([
  ...Object.keys(defaultLimits),
  "approvalTimeout",
  "maxTokens",
  "maxCost",
  "maxOfferedTools",
])
const fractional = new Set([
  "maxCost",
  "timeout",
  "idleTimeout",
  "toolTimeout",
  "providerWait",
  "approvalTimeout",
])

/** Throws LIMIT_INVALID with every problem at once. */
export function checkLimits(owner: string, limits: RunLimits): RunLimits {
  const problems = Object.entries(limits).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return []
    if (!limitNames.has(name))
      return [`unknown limit "${name}"${suggestion(name)} (known: ${[...limitNames].sort().join(", ")})`]
    if (typeof value !== "number" || !Number.isFinite(value) || value <= 0)
      return [`${name} must be a positive number, but it is ${String(value)}; leave it out for the default`]
    if (!fractional.has(name) && !Number.isInteger(value))
      return [`${name} must be a whole number, but it is ${value}`]
    return []
  })
  if (problems.length > 0) throw new CadreError("LIMIT_INVALID", `${owner}: ${problems.join("; ")}.`)
  // An explicit undefined would otherwise override the default.
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

function suggestion(name: string): string {
  const nearest = findNearestName(name.toLowerCase(), [...limitNames])
  return nearest === undefined ? "" : `, did you mean "${nearest}"?`
}
