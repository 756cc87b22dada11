/**
 * A runner of tests that does each test again with every fault in turn that the test comes to. Loading the sources takes
 * far longer than most tests do, so that one process tries hundreds of faults while another would begin.
 */
import { setMaxListeners } from "node:events"
import fs from "node:fs"
import { inject, type RunnerTestCase, type RunnerTestSuite, TestRunner } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The faults that no test has found yet. */
    open: readonly number[]
    /** The file for the results. */
    notes: string
  }
}

/** The results of one test file so far. */
export interface Notes {
  /** Those that it comes to. */
  readonly seen: readonly number[]
  /**
   * Those of them that not every test tried that comes to them, and those that are passed outside of any test. The file must
   * be run with each of them alone.
   */
  readonly missed: readonly number[]
  /** The test that found each. */
  readonly found: { readonly [fault: number]: string }
  /** Those after which a test failed without any fault. One of them left damage behind, so nothing was tried after them. */
  readonly spoilt: readonly number[]
  /** The one that is being tried. */
  readonly trying?: number
  /** The total time of all tries. */
  readonly milliseconds: number
}

/** How often a test comes to one place, unless the fault has it turn in a circle. */
const mostPasses = 300_000
/** Milliseconds that all faults may take in one test, and in all of a file; what is left of them is tried elsewhere. */
const [longest, longestOfFile] = [6_000, 60_000]

const open = new Set(inject("open"))
const notes = inject("notes")
const seen = new Set<number>()
const missed = new Set<number>()
const found: { [fault: number]: string } = {}
let reached: Set<number> | undefined
let spoilt: readonly number[] = []
const none: ReadonlySet<number> = new Set()
let [on, passes, milliseconds] = [0, 0, 0]

// A test adds its listeners each time it runs, and it runs hundreds of times.
setMaxListeners(0)

Object.assign(globalThis, {
  __fault: (number: number): boolean => {
    if (on === 0) {
      seen.add(number)
      const outside = reached ?? missed
      outside.add(number)
    }
    if (number !== on) return false
    if (++passes > mostPasses) throw new Error("The fault was passed too often: it turns in a circle.")
    return true
  },
})

export default class EachFault extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    reached = new Set()
    await super.onBeforeRunTask(test)
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const work = TestRunner.getTestFn(test)
    const began = performance.now()
    await work()
    const usual = performance.now() - began
    const all = [...(reached ?? [])]
    reached = undefined
    const faults = all.filter((fault) => open.has(fault) && !(fault in found))
    const isOver = faults.length === 0 || spoilt.length > 0 || milliseconds > longestOfFile
    const tried = isOver ? none : await this.#try(test, faults, usual)
    for (const fault of all) if (!tried.has(fault)) missed.add(fault)
    milliseconds += performance.now() - began - usual
    write()
  }

  /** Tries the faults one after the other. Returns those of which the test can tell: none, if one of them left damage behind. */
  async #try(test: RunnerTestCase, faults: readonly number[], usual: number): Promise<ReadonlySet<number>> {
    const tried = new Set<number>()
    // Not every test can be run twice.
    if ((await failure(test, 60_000)) !== undefined) return tried
    const until = performance.now() + longest
    let batch: number[] = []
    for (const fault of faults) {
      if (performance.now() > until || spoilt.length > 0) break
      write(fault)
      ;[on, passes] = [fault, 0]
      const failed = await failure(test, 2_000 + 20 * usual)
      on = 0
      tried.add(fault)
      if (failed === undefined) continue
      batch.push(fault)
      if (failed === "hung" || batch.length === 15) batch = await this.#judge(test, batch)
    }
    await this.#judge(test, batch)
    return spoilt.length > 0 ? none : tried
  }

  override onAfterRunFiles(): void {
    super.onAfterRunFiles()
    write()
  }

  /** Runs the test without a fault. If it fails, an earlier fault left damage behind, so none of the batch counts as found. */
  async #judge(test: RunnerTestCase, batch: readonly number[]): Promise<number[]> {
    if (batch.length > 0 && (await failure(test, 60_000)) !== undefined) spoilt = batch
    else for (const fault of batch) found[fault] = test.fullName
    return []
  }
}

/** Runs a test with its hooks, and resolves to the failure, or to undefined if the test passes. */
async function failure(test: RunnerTestCase, milliseconds: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("hung"), milliseconds)
  })
  try {
    return await Promise.race([late, once(test)])
  } catch (error) {
    return String(error)
  } finally {
    clearTimeout(timer)
  }
}

/** The runner keeps `onTestFinished` in a field that its types leave out. */
interface WithEndings {
  readonly onFinished?: ((context: RunnerTestCase["context"]) => unknown)[]
}

async function once(test: RunnerTestCase): Promise<undefined> {
  const suites: RunnerTestSuite[] = []
  for (let suite: RunnerTestSuite | undefined = test.suite ?? test.file; suite; suite = suite.suite)
    suites.unshift(suite)
  if (suites[0] !== test.file) suites.unshift(test.file)
  const after: (() => unknown)[] = []
  try {
    for (const suite of suites)
      for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) {
        const cleanUp: unknown = await hook(test.context, suite)
        if (typeof cleanUp === "function") after.unshift(() => cleanUp())
      }
    await TestRunner.getTestFn(test)()
  } finally {
    for (const suite of suites.toReversed())
      for (const hook of TestRunner.getSuiteHooks(suite).afterEach) await hook(test.context, suite)
    for (const cleanUp of after) await cleanUp()
    // The runner would call the hooks that the test itself registered once, after all runs.
    const { onFinished = [] } = test as RunnerTestCase & WithEndings
    for (const hook of onFinished.splice(0).toReversed()) await hook(test.context)
  }
}

function write(trying?: number): void {
  const text: Notes = {
    seen: [...seen],
    missed: [...missed],
    found,
    spoilt,
    milliseconds,
    ...(trying !== undefined && { trying }),
  }
  fs.writeFileSync(notes, JSON.stringify(text))
}
