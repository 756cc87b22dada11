/** How the commands of a run are kept apart from the machine. */
export interface Confinement {
  /** `required`: no command runs without a sandbox. `preferred`: it may, and the result says so. `off`: none is used. */
  readonly sandbox: "required" | "preferred" | "off"
  /** What network there is in the sandbox. */
  readonly network: "none" | "full"
}

/** Of each the strictest that anybody says; undefined where nobody says anything. */
export function strictest(...said: readonly (Confinement | undefined)[]): Confinement | undefined {
  const known = said.filter((one) => one !== undefined)
  if (known.length < 2) return known[0]
  return {
    sandbox: first(
      sandboxes,
      known.map(({ sandbox }) => sandbox),
    ),
    network: first(
      networks,
      known.map(({ network }) => network),
    ),
  }
}

/** What one of them says that the other forbids. */
export const isWeaker = (one: Confinement["sandbox"], other: Confinement["sandbox"]): boolean =>
  sandboxes.indexOf(one) > sandboxes.indexOf(other)

/** The strictest first. */
const sandboxes = ["required", "preferred", "off"] as const
const networks = ["none", "full"] as const

/** A word that nobody knows counts as the strictest. */
const first = <Choice>(ranks: readonly Choice[], chosen: readonly Choice[]): Choice =>
  ranks[Math.max(0, Math.min(...chosen.map((choice) => ranks.indexOf(choice))))]!
