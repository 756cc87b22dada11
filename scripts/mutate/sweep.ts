import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { filesBelow } from "./areas.ts"
import type { Drawn } from "./draw.ts"
import type { Notes } from "./each-fault.ts"
import type { TestRun } from "./lane.ts"
import { Lane, share } from "./lanes.ts"

/** What each test file comes to of the faults that were drawn. */
export interface Swept {
  /** Of these faults, and of the sources that they are in. */
  readonly of: string
  readonly tests: { readonly [file: string]: SweptTest }
}

interface SweptTest {
  readonly text: string
  readonly milliseconds: number
  /** Without any fault: such a file tells nothing. */
  readonly failed?: string
  readonly seen: readonly number[]
}

interface Sweep {
  readonly root: string
  readonly drawn: readonly Drawn[]
  /** Those that are not found yet. */
  readonly isOpen: (fault: number) => boolean
  readonly onFound: (fault: number, came: "found" | "hung", by: string) => void
  /** The test files that are due now. */
  readonly tests: readonly string[]
  /** The file that keeps what each test file came to. */
  readonly keep: string
  readonly folder: string
  readonly workers: number
  readonly until: number
}

/** A test file that takes longer is not run for a fault. */
const longest = 30_000

/** Runs each test file once, and each test in it with the faults that it comes to. Keeps the results of earlier sweeps. */
export async function sweep(search: Sweep): Promise<Swept> {
  const { root, drawn, keep, folder, workers, until } = search
  const of = hash(
    JSON.stringify(drawn.map(({ file, start, after }) => [file, start, after, textOf(root, file)])),
  )
  const kept = fs.existsSync(keep) ? (JSON.parse(fs.readFileSync(keep, "utf8")) as Swept) : undefined
  const isCurrent = ([test, { text }]: readonly [string, SweptTest]) =>
    fs.existsSync(path.join(root, test)) && text === hash(textOf(root, test))
  const tests: { [file: string]: SweptTest } = Object.fromEntries(
    kept?.of === of ? Object.entries(kept.tests).filter(isCurrent) : [],
  )
  const due = search.tests.filter((test) => tests[test] === undefined)
  const options = { root, faults: drawn, runner: path.join(import.meta.dirname, "each-fault.ts") }
  const lanes = Array.from({ length: workers }, () => new Lane(options, folder))
  if (due.length > 0) process.stderr.write(`Running ${due.length} test files.\n`)
  try {
    await share(due, lanes, until, async (test, lane) => {
      tests[test] = { text: hash(textOf(root, test)), ...(await sweepTest(search, test, lane)) }
      fs.mkdirSync(path.dirname(keep), { recursive: true })
      fs.writeFileSync(keep, JSON.stringify({ of, tests }))
    })
  } finally {
    for (const lane of lanes) lane.close()
  }
  return { of, tests }
}

/**
 * A fault that hangs takes the process with it, and another may end the process, or leave damage behind for the next
 * tests. The others are tried without it. A fault that is passed over so is tried alone later.
 */
async function sweepTest(
  { drawn, isOpen, onFound, folder }: Sweep,
  test: string,
  lane: Lane,
): Promise<Omit<SweptTest, "text">> {
  const notes = path.join(fs.mkdtempSync(path.join(folder, "notes-")), "notes.json")
  const seen = new Set<number>()
  const passedOver = new Set<number>()
  for (let times = 1; ; times++) {
    const open = drawn.map(({ number }) => number).filter((fault) => isOpen(fault) && !passedOver.has(fault))
    const runs = await lane.run({ fault: 0, tests: [test], until: "end", open, notes }, longest * 6)
    const isStuck =
      runs === "hung" && fs.existsSync(notes) && Date.now() - fs.statSync(notes).mtimeMs > longest
    const noted = fs.existsSync(notes) ? (JSON.parse(fs.readFileSync(notes, "utf8")) as Notes) : nothing
    fs.rmSync(notes, { force: true })
    for (const fault of noted.seen) seen.add(fault)
    const found = Object.entries(noted.found)
    for (const [fault, title] of found) onFound(Number(fault), "found", `${test}: ${title}`)
    if (isStuck && noted.trying !== undefined) {
      onFound(noted.trying, "hung", test)
      continue
    }
    const [run]: readonly TestRun[] =
      runs === "hung" ? [{ test, milliseconds: longest, failed: "it takes too long" }] : runs
    const { milliseconds, failed, isCut } = run!
    const culprits = isCut && noted.trying !== undefined ? [noted.trying] : noted.spoilt
    if (culprits.length > 0 && times < mostTimes) {
      for (const fault of culprits) passedOver.add(fault)
      continue
    }
    const usual = Math.round(milliseconds - noted.milliseconds)
    process.stderr.write(
      `${String(milliseconds).padStart(6)} ${test}: ${failed ?? `${found.length} found`}\n`,
    )
    return { milliseconds: usual, ...(failed !== undefined && { failed }), seen: [...seen] }
  }
}

const nothing: Notes = { seen: [], found: {}, spoilt: [], milliseconds: 0 }

/** How often a file is run again without the faults that ended it. */
const mostTimes = 6

/** The test files that come to a fault and have not passed with it, those that are nearest to it first. */
export function testsFor(
  { tests }: Swept,
  fault: Drawn,
  most: { readonly files: number; readonly milliseconds: number; readonly distance: number },
  passed: ReadonlySet<string> = new Set(),
): readonly { readonly test: string; readonly milliseconds: number }[] {
  const found = Object.entries(tests)
    .filter(
      ([test, { seen, failed }]) => failed === undefined && seen.includes(fault.number) && !passed.has(test),
    )
    .map(([test, { milliseconds }]) => ({ test, milliseconds, distance: distanceTo(fault, test) }))
    .filter(({ distance }) => distance <= most.distance)
    .sort((one, other) => one.distance - other.distance || one.milliseconds - other.milliseconds)
  let time = 0
  return found.filter(({ milliseconds }, index) => {
    time += milliseconds
    return index === 0 || (index < most.files && time <= most.milliseconds)
  })
}

/** How near a test is to a fault: 0 where it lies beside its file, 1 in its folder or one above, 3 at most. */
function distanceTo({ file, area }: Pick<Drawn, "file" | "area">, test: string): number {
  if (/^(.*?)(?:\.slow)?\.test\.ts$/.exec(test)?.[1] === file.replace(/\.ts$/, "")) return 0
  if (file.startsWith(`${path.dirname(test)}/`)) return 1
  return [area, file.split("/")[1]].some((name) => test.startsWith(`test/${name}/`)) ? 2 : 3
}

/**
 * What starts processes of the built command line, or of the sources, does not come to the faults in them; what kills,
 * soaks and fuzzes takes too long.
 */
const isLeftOut =
  /^(?:test|src\/faces)\/(?:.*[/-])?(?:crash|races|soak|fuzz|corpus|hostile|examples|package|architecture|docs|loading|trace-tests|few-files|command|commands|terminal|cli|killed-tree|passes|mutate)\b/

/** All test files that can find faults, the nearest first, with their distances to the nearest fault. */
export function findTests(
  root: string,
  drawn: readonly Drawn[],
): readonly { readonly test: string; readonly distance: number }[] {
  const nearest = (test: string) => Math.min(...drawn.map((fault) => distanceTo(fault, test)))
  return ["src", "test"]
    .filter((folder) => fs.existsSync(path.join(root, folder)))
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => file.endsWith(".test.ts") && !isLeftOut.test(file))
    .map((test) => ({ test, distance: nearest(test), isSlow: test.endsWith(".slow.test.ts") }))
    .sort((one, other) => one.distance - other.distance || Number(one.isSlow) - Number(other.isSlow))
}

const textOf = (root: string, file: string): string => fs.readFileSync(path.join(root, file), "utf8")

const hash = (text: string): string => createHash("sha1").update(text).digest("hex")
