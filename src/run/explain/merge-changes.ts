import type { FileVersion, KeptChange } from "../../agent/file-change.ts"

/** The change of one file by one call. */
export interface ChangeStep extends KeptChange {
  readonly run: string
  readonly agent: string
  readonly call: string
  readonly tool: string
  /** The time before the change, and the time after it, as numbers of events in the log of the tree. */
  readonly from: number
  readonly to: number
  /** `unclear`: the process died, and nothing says whether the change was made. */
  readonly state: "made" | "unclear"
}

export interface MergedChange extends KeptChange {
  readonly steps: readonly ChangeStep[]
  /** Something else changed the file between these calls. */
  readonly mixed?: true
}

/** The SHA-256 of a file on the disk now. `absent`: there is none. Undefined: it is not known. */
export type LookAtFile = (path: string) => string | "absent" | undefined

/** Merges the changes of each file: from the first version to the last. A file that is as it was is left out. */
export function mergeSteps(
  steps: readonly ChangeStep[],
  look: LookAtFile = () => undefined,
): readonly MergedChange[] {
  const byPath = new Map<string, ChangeStep[]>()
  for (const step of steps) byPath.set(step.path, [...(byPath.get(step.path) ?? []), step])
  return [...byPath]
    .map(([path, own]) => merge(path, own, look))
    .filter((change) => change !== undefined)
    .sort((left, right) => (left.path < right.path ? -1 : 1))
}

function merge(path: string, all: readonly ChangeStep[], look: LookAtFile): MergedChange | undefined {
  const inOrder = all.toSorted((left, right) => left.to - right.to)
  const steps = inOrder.flatMap((step, index) => settle(step, inOrder[index + 1], look))
  if (steps.length === 0) return undefined
  const first = steps.reduce((one, other) => (other.from < one.from ? other : one))
  const { before } = first
  const { after } = steps.at(-1)!
  if (isSameVersion(before, after) && !steps.some(({ state }) => state === "unclear")) return undefined
  const isMixed = steps.some((step, index) => {
    const next = steps[index + 1]
    return next !== undefined && next.from >= step.to && !isSameVersion(step.after, next.before)
  })
  return {
    path,
    ...(before && { before }),
    ...(after && { after }),
    steps,
    ...(isMixed && { mixed: true }),
  }
}

/** An unclear change was made if what follows it begins with its result, and not made if that begins as it did. */
function settle(step: ChangeStep, next: ChangeStep | undefined, look: LookAtFile): readonly ChangeStep[] {
  if (step.state === "made") return [step]
  const now = next ? nameOf(next.before) : look(step.path)
  if (now === nameOf(step.after)) return [{ ...step, state: "made" }]
  return now === nameOf(step.before) ? [] : [step]
}

const nameOf = (version: FileVersion | undefined): string | undefined => (version ? version.hash : "absent")

/** Two versions that were not read are never the same. */
function isSameVersion(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  if (!one || !other) return one === other
  return one.hash !== undefined && one.hash === other.hash && one.mode === other.mode
}
