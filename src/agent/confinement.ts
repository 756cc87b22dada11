/** The confinement of a run's commands: sandbox and network. */
export interface CommandConfinement {
  /**
   * `required`: no command runs without a sandbox. `preferred`: it may, and the result says so. `off`: none
   * is used.
   */
  readonly sandbox: "required" | "preferred" | "off"
  /** The network in the sandbox. */
  readonly network: "none" | "full"
}

/** The strictest value of each setting; undefined if no confinement is set. */
export function findStrictest(
  ...all: readonly (CommandConfinement | undefined)[]
): CommandConfinement | undefined {
  const defined = all.filter((one) => one !== undefined)
  if (defined.length < 2) return defined[0]
  return {
    sandbox: first(
      sandboxes,
      defined.map(({ sandbox }) => sandbox),
    ),
    network: first(
      networks,
      defined.map(({ network }) => network),
    ),
  }
}

/** True if one setting is weaker than the other. */
export const isWeaker = (one: CommandConfinement["sandbox"], other: CommandConfinement["sandbox"]): boolean =>
  sandboxes.indexOf(one) > sandboxes.indexOf(other)

/** From the strictest to the weakest. */
const sandboxes = ["required", "preferred", "off"] as const
const networks = ["none", "full"] as const

/** An unknown value counts as the strictest. */
const first = <Choice>(ranks: readonly Choice[], chosen: readonly Choice[]): Choice =>
  ranks[Math.max(0, Math.min(...chosen.map((choice) => ranks.indexOf(choice))))]!
