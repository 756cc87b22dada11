/** The process that `soak.ts` starts and kills: runs and resumes what it is told to, many at a time. */
import fs from "node:fs"
import { createInterface } from "node:readline"
import { CadreError, describeThrown } from "../../src/ground/errors.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { type Kind, openSoakRuntime, type Places } from "./world.ts"

export interface Order {
  readonly number: number
  readonly kind: Kind
  /** The run to resume; without it a new one is started. */
  readonly run?: string
}

export type Report =
  | { readonly type: "started"; readonly number: number; readonly run: string }
  | {
      readonly type: "done"
      readonly number: number
      readonly status: string
      readonly approvals: readonly { readonly run: string; readonly call: string }[]
    }
  | { readonly type: "refused"; readonly number: number; readonly code: string; readonly message: string }
  | { readonly type: "memory"; readonly rss: number; readonly heap: number; readonly descriptors: number }

const places = JSON.parse(process.argv[2]!) as Places
const runtime = openSoakRuntime(places, jsonlStore({ directory: places.runs }))
const under = new Set<Promise<void>>()

const timer = setInterval(() => {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  tell({ type: "memory", rss, heap: heapUsed, descriptors: fs.readdirSync("/proc/self/fd").length })
}, 1_000)

for await (const line of createInterface({ input: process.stdin })) {
  const working = work(JSON.parse(line)).finally(() => under.delete(working))
  under.add(working)
}
clearInterval(timer)
await Promise.all(under)
await runtime.close()

async function work({ number, kind, run }: Order): Promise<void> {
  const handle = run === undefined ? runtime.run(kind, `soak ${number} main`) : runtime.resume(run)
  // At once: from here on a kill may leave something of it.
  if (run === undefined) tell({ type: "started", number, run: handle.id })
  try {
    const { status, approvals } = await handle.done
    tell({ type: "done", number, status, approvals })
  } catch (error) {
    const code = error instanceof CadreError ? error.code : "UNEXPECTED"
    tell({ type: "refused", number, code, message: describeThrown(error) })
  }
}

function tell(report: Report): void {
  fs.writeSync(1, `${JSON.stringify(report)}\n`)
}
