import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { filesBelow } from "./areas.ts"
import type { TestRun } from "./lane.ts"
import { Lane, share } from "./lanes.ts"
import { type Mark, markAround, marked } from "./marks.ts"
import type { Fault } from "./places.ts"

/** What each test file comes to, by the marks of the sources. */
export interface Reach {
  /** What each file was that marks are in: where one changed, the tests that load it are run again. */
  readonly sources: { readonly [file: string]: string }
  readonly tests: { readonly [file: string]: ReachedBy }
}

interface ReachedBy {
  readonly text: string
  readonly milliseconds: number
  /** Without any fault: such a file tells nothing. */
  readonly failed?: string
  readonly marks: { readonly [file: string]: readonly number[] }
}

/** A file that takes longer is not run for a fault. */
const longest = 30_000

/** Runs every test file once that has changed since, and keeps what it reached. */
export async function recordReach(
  root: string,
  files: readonly string[],
  { keep, folder, workers, until }: { keep: string; folder: string; workers: number; until: number },
): Promise<Reach> {
  const sources = Object.fromEntries(files.map((file) => [file, hashOf(root, file)]))
  const kept = fs.existsSync(keep) ? (JSON.parse(fs.readFileSync(keep, "utf8")) as Reach) : undefined
  const tests: { [file: string]: ReachedBy } = {}
  const changed: string[] = []
  for (const test of testsIn(root)) {
    const known = kept?.tests[test]
    const isSame = (file: string) => kept!.sources[file] === sources[file]
    if (known?.text === hashOf(root, test) && Object.keys(known.marks).every(isSame)) tests[test] = known
    else changed.push(test)
  }
  const write = () => {
    fs.mkdirSync(path.dirname(keep), { recursive: true })
    fs.writeFileSync(keep, JSON.stringify({ sources, tests }))
  }
  const reached = fs.mkdtempSync(path.join(folder, "reached-"))
  const lanes = Array.from(
    { length: workers },
    () => new Lane({ root, faults: [], marked: files, reached }, folder),
  )
  if (changed.length > 0) process.stderr.write(`Looking what ${changed.length} test files reach.\n`)
  try {
    await share(changed, lanes, until, async (test, lane) => {
      const order = { fault: 0, tests: [test], until: "end" } as const
      const first = await lane.run(order, longest)
      // What fails for once on a machine that is busy tells nothing of the test.
      const runs = isFailed(first) ? await lane.run(order, longest) : first
      const text = hashOf(root, test)
      const failed = runs === "hung" ? "it takes too long" : runs[0]?.failed
      const milliseconds = runs === "hung" ? longest : runs[0]!.milliseconds
      const marks = failed === undefined ? marksOf(reached, path.join(root, test)) : {}
      tests[test] = { text, milliseconds, ...(failed !== undefined && { failed }), marks }
      process.stderr.write(`${String(milliseconds).padStart(6)} ${test}${failed ? `: ${failed}` : ""}\n`)
      write()
    })
  } finally {
    for (const lane of lanes) lane.close()
  }
  return { sources, tests }
}

const isFailed = (runs: readonly TestRun[] | "hung"): boolean =>
  runs !== "hung" && runs.some(({ failed }) => failed !== undefined)

/** The test files that come to a fault, those that are nearest to it first. */
export function testsFor(
  root: string,
  { tests }: Reach,
  fault: Fault,
  most: { readonly files: number; readonly milliseconds: number },
): readonly { readonly test: string; readonly milliseconds: number }[] {
  const mark = markAround(marksIn(root, fault.file), fault)
  const found = Object.entries(tests)
    .filter(([, { marks }]) => marks[fault.file]?.includes(mark))
    .map(([test, { milliseconds }]) => ({ test, milliseconds, distance: distanceTo(fault.file, test) }))
    .sort((one, other) => one.distance - other.distance || one.milliseconds - other.milliseconds)
  let time = 0
  return found.filter(({ milliseconds }, index) => {
    time += milliseconds
    return index === 0 || (index < most.files && time <= most.milliseconds)
  })
}

function distanceTo(file: string, test: string): number {
  if (test === file.replace(/\.ts$/, ".test.ts")) return 0
  return path.dirname(test) === path.dirname(file) ? 1 : 2
}

const known = new Map<string, readonly Mark[]>()

function marksIn(root: string, file: string): readonly Mark[] {
  const marks = known.get(file) ?? marked(file, fs.readFileSync(path.join(root, file), "utf8")).marks
  known.set(file, marks)
  return marks
}

function marksOf(folder: string, test: string): ReachedBy["marks"] {
  const file = path.join(folder, `${createHash("sha1").update(test).digest("hex")}.json`)
  if (!fs.existsSync(file)) return {}
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { marks: ReachedBy["marks"] }).marks
}

/**
 * What starts processes of the built command line, or of the sources, does not come to the faults in them; what kills,
 * soaks and fuzzes takes too long.
 */
const isLeftOut =
  /^(?:test|src\/faces)\/(?:.*[/-])?(?:crash|races|soak|fuzz|corpus|hostile|examples|package|architecture|docs|loading|trace-tests|few-files|command|commands|terminal|cli|killed-tree|passes|mutate)\b/

const testsIn = (root: string): readonly string[] =>
  ["src", "test"]
    .filter((folder) => fs.existsSync(path.join(root, folder)))
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => file.endsWith(".test.ts") && !isLeftOut.test(file))

const hashOf = (root: string, file: string): string =>
  createHash("sha1")
    .update(fs.readFileSync(path.join(root, file)))
    .digest("hex")
