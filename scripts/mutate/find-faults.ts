import fs from "node:fs"
import path from "node:path"
import { filesByArea } from "./areas.ts"
import { type Drawn, draw } from "./draw.ts"
import { isEquivalent } from "./equivalent.ts"
import { Lane, share } from "./lanes.ts"
import { faultsIn } from "./places.ts"
import { countTests, findTests, sweep, testsFor } from "./sweep.ts"

export interface Result extends Pick<Drawn, "area" | "file" | "line" | "kind" | "before" | "after"> {
  /** `unreached`: no test comes to it. `hung`: it takes so much longer that it would be noticed. */
  readonly came: "found" | "hung" | "not found" | "unreached" | "not run"
  /** The test that failed, or how many files were run. */
  readonly by?: string
}

export interface Search {
  readonly root: string
  readonly folders: Readonly<Record<string, readonly string[]>>
  readonly count: number
  readonly seed: number
  readonly workers: number
  /** For what is left behind. */
  readonly folder: string
  /** The file that says which faults tests come to. */
  readonly swept: string
  /** The file that says what was found before. */
  readonly keep?: string
  readonly until: number
  readonly isDrawnOnly?: boolean
}

/**
 * The tests in the folder of a fault, or above it, find most faults and are quick, so they come first. A fault that they do
 * not find meets the tests of its area, and then all others. Each round bounds the test files for a fault, and their time
 * without it.
 */
const rounds = [
  { files: 20, milliseconds: 60_000, distance: 1 },
  { files: 20, milliseconds: 20_000, distance: 2 },
  { files: 20, milliseconds: 20_000, distance: 3 },
]

/** Draws faults, and has the tests run that come to each. */
export async function findFaults(search: Search): Promise<readonly Result[]> {
  const { root, folders, count, seed, workers, folder, until } = search
  const files = filesByArea(root, folders)
  const byArea = new Map(
    [...files].map(([area, names]) => [
      area,
      names.flatMap((name) => faultsIn(name, fs.readFileSync(path.join(root, name), "utf8"))),
    ]),
  )
  const drawn = draw(byArea, { count, seed }, isEquivalent)
  const results = new Map(readKept(search.keep, drawn))
  const keep = (fault: Drawn, result: Pick<Result, "came" | "by">) => {
    results.set(keyOf(fault), { ...resultOf(fault), ...result })
    if (search.keep !== undefined) fs.writeFileSync(search.keep, JSON.stringify([...results.values()]))
  }
  const all = () =>
    drawn.map((fault) => results.get(keyOf(fault)) ?? { ...resultOf(fault), came: "not run" as const })
  if (search.isDrawnOnly) return all()
  const isOpen = (fault: Drawn) => !results.has(keyOf(fault))
  const byNumber = new Map(drawn.map((fault) => [fault.number, fault]))
  const allTests = findTests(root, drawn)
  /** The tests that did not find a fault in an earlier round. */
  const passed = new Map<number, ReadonlySet<string>>()
  for (const round of rounds) {
    const swept = await sweep({
      root,
      drawn,
      tests: allTests.filter(({ distance }) => distance <= round.distance).map(({ test }) => test),
      isOpen: (number) => isOpen(byNumber.get(number)!),
      onFound: (number, came, by) => keep(byNumber.get(number)!, { came, by }),
      keep: search.swept,
      folder,
      workers,
      until,
    })
    const isLast = round === rounds.at(-1)
    const lanes = Array.from({ length: workers }, () => new Lane({ root, faults: drawn }, folder))
    try {
      await share(drawn.filter(isOpen), lanes, until, async (fault, lane) => {
        const earlier = passed.get(fault.number) ?? new Set()
        const due = testsFor(swept, fault, round, earlier)
        const tried = countTests(swept, fault, round.distance)
        if (tried === 0) return isLast ? keep(fault, { came: "unreached" }) : undefined
        if (due.length === 0) return isLast ? keep(fault, notFound(tried)) : undefined
        const usual = due.reduce((time, { milliseconds }) => time + milliseconds, 0)
        const tests = due.map(({ test }) => test)
        const order = { fault: fault.number, tests, until: "first-failure" } as const
        const runs = await lane.run(order, 60_000 + 6 * usual)
        if (runs === "hung") {
          // A loaded machine can be as slow without the fault. Then the fault stays undecided.
          const quick = await lane.run({ ...order, fault: 0 }, 20_000 + 2 * usual)
          return quick === "hung" ? undefined : keep(fault, { came: "hung" })
        }
        const failed = runs.find((run) => run.failed !== undefined)
        const came = failed
          ? ({ came: "found", by: `${failed.test}: ${failed.failed}` } as const)
          : notFound(tried)
        process.stderr.write(
          `${came.came.padEnd(9)} ${fault.file}:${fault.line} ${fault.kind} (${came.by})\n`,
        )
        if (failed || isLast) keep(fault, came)
        else passed.set(fault.number, new Set([...earlier, ...tests]))
      })
    } finally {
      for (const lane of lanes) lane.close()
    }
  }
  return all()
}

const notFound = (files: number) => ({ came: "not found", by: `${files} test files` }) as const

const resultOf = ({ area, file, line, kind, before, after }: Drawn) => ({
  area,
  file,
  line,
  kind,
  before,
  after,
})

const keyOf = ({
  file,
  line,
  kind,
  before,
  after,
}: Pick<Result, "file" | "line" | "kind" | "before" | "after">) =>
  JSON.stringify([file, line, kind, before, after])

function readKept(file: string | undefined, drawn: readonly Drawn[]): readonly (readonly [string, Result])[] {
  if (file === undefined || !fs.existsSync(file)) return []
  const keys = new Set(drawn.map(keyOf))
  return (JSON.parse(fs.readFileSync(file, "utf8")) as readonly Result[])
    .map((result) => [keyOf(result), result] as const)
    .filter(([key]) => keys.has(key))
}
