/** A process with a test runner in it that stays: it is told which fault is on and which test files to run. */
import fs from "node:fs"
import path from "node:path"
import { createVitest, type TestProject, type Vitest } from "vitest/node"
import type { Drawn } from "./draw.ts"
import { putIn } from "./put-in.ts"

export interface LaneOptions {
  readonly root: string
  readonly faults: readonly Drawn[]
  /** The program that runs the tests, if it is not the usual one. */
  readonly runner?: string
}

export interface Order {
  readonly fault: number
  readonly tests: readonly string[]
  /** When to stop: after the first failed test, or after all tests. */
  readonly until: "first-failure" | "end"
  /** For a runner that tries several faults: which, and where it notes what came of them. */
  readonly open?: readonly number[]
  readonly notes?: string
}

export interface TestRun {
  readonly test: string
  readonly milliseconds: number
  readonly failed?: string
  /** The process ended before all tests of the file were run. */
  readonly isCut?: true
}

const options = JSON.parse(fs.readFileSync(process.argv[2]!, "utf8")) as LaneOptions
const vitest = await open(options)
process.on("message", (order: Order) => {
  follow(order).then(
    (runs) => process.send!({ runs }),
    (error) => process.send!({ runs: [{ test: "", milliseconds: 0, failed: String(error) }] }),
  )
})
process.on("disconnect", () => process.exit())
process.send!({ ready: true })

async function open({ root, faults, runner }: LaneOptions): Promise<Vitest> {
  const text = (file: string, code: string) => {
    const name = path.relative(root, file).replaceAll(path.sep, "/")
    const own = faults.filter((fault) => fault.file === name)
    return own.length > 0 ? putIn(code, own) : undefined
  }
  const vitest = await createVitest(
    "test",
    {
      root,
      watch: false,
      maxWorkers: 1,
      silent: true,
      ...(runner === undefined ? { setupFiles: [path.join(import.meta.dirname, "setup.ts")] } : { runner }),
      reporters: [
        {
          onTestCaseResult: (test) => {
            if (test.result().state === "failed" && until === "first-failure")
              void vitest.cancelCurrentRun("test-failure")
          },
        },
      ],
    },
    {
      plugins: [{ name: "faults", enforce: "pre", transform: (code, id) => text(id.split("?")[0]!, code) }],
    },
  )
  return vitest
}

let until: Order["until"] = "end"

async function follow(order: Order): Promise<readonly TestRun[]> {
  until = order.until
  const project: TestProject = vitest.getRootProject()
  project.provide("fault", order.fault)
  project.provide("open", order.open ?? [])
  project.provide("notes", order.notes ?? "")
  const runs: TestRun[] = []
  for (const test of order.tests) {
    const began = performance.now()
    const run = await vitest.runTestSpecifications([
      project.createSpecification(path.join(options.root, test)),
    ])
    const failed = failureIn(run, path.join(options.root, test))
    const milliseconds = Math.round(performance.now() - began)
    const isCut = isCutShort(run)
    runs.push({ test, milliseconds, ...(failed !== undefined && { failed }), ...(isCut && { isCut }) })
    if (failed !== undefined && until === "first-failure") break
  }
  return runs
}

const isCutShort = ({ testModules }: Run): boolean =>
  testModules.some(({ children }) => !children.allTests("pending").next().done)

type Run = Awaited<ReturnType<Vitest["runTestSpecifications"]>>

function failureIn({ testModules, unhandledErrors }: Run, file: string): string | undefined {
  const module = testModules.find(({ moduleId }) => moduleId === file)
  if (!module) return "the test file did not run"
  for (const test of module.children.allTests("failed")) return test.fullName
  if (module.errors().length > 0) return `the test file failed: ${module.errors()[0]!.message}`
  // What is tried after one another may fail late: that says nothing of the test.
  if (unhandledErrors.length > 0 && options.runner === undefined)
    return `nobody waited for a failure: ${unhandledErrors[0]}`
  return undefined
}
