import type { RunEvent } from "../../src/run/log/event.ts"
import type { RunState } from "../../src/run/state/state.ts"

/** One run of a tree, as its log tells it. */
export interface Told {
  readonly run: string
  readonly state: RunState
  readonly events: readonly RunEvent[]
}

/**
 * What every call and every run came to, by the calls that lead to it, `/c1/c3/c2` and `/c1/c3/end`: children have their ids in
 * the order in which they start, which is another one every time. What nobody can know, and the report of a child that does
 * not know it, are `uncertain`.
 */
export function resultsByCall(tree: readonly Told[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  const results = new Map<string, string>()
  for (const { run, state } of tree) paths.set(run, pathOf(state.start!, paths))
  for (const { run, state, events } of tree) {
    if (state.end) results.set(`${paths.get(run)}/end`, endOf(state))
    for (const event of events)
      if (event.type === "tool-end") {
        const { status, text } = event.result
        results.set(
          `${paths.get(run)}/${event.call}`,
          isUncertain(event.result) ? uncertain : `${status}: ${withPaths(text, paths)}`,
        )
      }
  }
  return results
}

/** Where a tree that was killed differs from one that was not, apart from what nobody can know. */
export function findDifferences(
  tree: readonly Told[],
  undisturbed: ReadonlyMap<string, string>,
): readonly string[] {
  const results = resultsByCall(tree)
  return [...new Set([...undisturbed.keys(), ...results.keys()])].flatMap((place) => {
    const [expected, found] = [undisturbed.get(place), results.get(place)]
    if (found === expected || found === uncertain) return []
    return [`${place} came to ${shown(found)}, and undisturbed to ${shown(expected)}`]
  })
}

const uncertain = "uncertain"

const isUncertain = ({ status, text }: { readonly status: string; readonly text: string }): boolean =>
  status === "unknown" || /<report [^>]*outcome="uncertain"/.test(text)

const endOf = ({ end }: RunState): string =>
  end!.outcome.type === "uncertain" ? uncertain : `${end!.outcome.type}: ${end!.output}`

/** A tree is listed with parents before their children. */
function pathOf({ caller }: NonNullable<RunState["start"]>, paths: ReadonlyMap<string, string>): string {
  // A run that a hook started at a moment is named without the number of the turn.
  return caller ? `${paths.get(caller.run)}/${caller.call.replace(/:.*/, "")}` : ""
}

/** Ids of runs are of their own tree. */
function withPaths(text: string, paths: ReadonlyMap<string, string>): string {
  const longestFirst = [...paths].sort(([one], [other]) => other.length - one.length)
  return longestFirst.reduce((result, [run, path]) => result.replaceAll(run, `RUN${path}`), text)
}

const shown = (result: string | undefined): string =>
  result === undefined ? "nothing" : JSON.stringify(result.length > 200 ? `${result.slice(0, 200)}…` : result)
