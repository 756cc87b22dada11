import type { Result } from "./find-faults.ts"

/** A table of areas, and every fault that no test found. */
export function report(results: readonly Result[], seed: number): string {
  const names = [...new Set(results.map(({ area }) => area))]
  const rows = [...names, "all"].map((name) => {
    const own = results.filter(({ area }) => name === "all" || area === name)
    const found = own.filter(isFound).length
    const open = own.filter(({ came }) => came === "not run").length
    return [name, own.length, found, own.length - found - open, open, share(found, own.length)].map(String)
  })
  // A fault that was not run counts as not found, so that an interrupted run does not look like a good one.
  const table = [
    ["area", "faults", "found", "not found", "not run", "share"],
    ["---", "---:", "---:", "---:", "---:", "---:"],
    ...rows,
  ]
  const lost = results.filter(({ came }) => came === "not found" || came === "unreached")
  const open = results.filter(({ came }) => came === "not run").length
  return [
    `Seed ${seed}, ${results.length} faults drawn${open > 0 ? `, ${open} of them not run` : ""}.`,
    "",
    ...table.map((row) => `| ${row.join(" | ")} |`),
    ...lost.map(
      ({ file, line, kind, before, after, came }) =>
        `\n${file}:${line} ${kind}${came === "unreached" ? ", which no test comes to" : ""}\n- ${before}\n+ ${after}`,
    ),
  ].join("\n")
}

/** All that were drawn were run, and nine of ten were found. */
export const isDone = (results: readonly Result[]): boolean =>
  results.every(({ came }) => came !== "not run") && results.filter(isFound).length >= 0.9 * results.length

const isFound = ({ came }: Result): boolean => came === "found" || came === "hung"

const share = (found: number, all: number): string =>
  all === 0 ? "" : `${((100 * found) / all).toFixed(1)} %`
