import type { RunResult } from "../../../run/drive/proof.ts"
import type { RunHandle } from "../../../run/face/handle.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { Surroundings } from "../command.ts"
import type { Signal } from "../exit-code.ts"
import type { Asks } from "./asks.ts"

export interface Driven {
  readonly result: RunResult
  /** What ended it, where something from outside of it did. */
  readonly signal?: Signal
}

/** How long what was told to stop may take before the process ends without it. */
const grace = 5_000

/** Drives a run until it ends, or rests and nobody answers. A signal cancels it, and waits for it to settle. */
export async function drive(
  runtime: Runtime,
  first: RunHandle,
  { asks, see, onSignal }: { asks: Asks; see: (event: LiveEvent) => void } & Pick<Surroundings, "onSignal">,
): Promise<Driven> {
  let signal: Signal | undefined
  let stopped!: (end: "stopped") => void
  const stopping = new Promise<"stopped">((resolve) => {
    stopped = resolve
  })
  const over = untilOver(runtime, first, asks, see)
  const unlisten = onSignal?.((heard) => {
    signal = heard
    asks.end()
    const timer = setTimeout(stopped, grace, "stopped")
    void cancel(runtime, first, over, heard).finally(() => {
      clearTimeout(timer)
      stopped("stopped")
    })
  })
  try {
    const driven = await Promise.race([over, stopping])
    if (signal === undefined && driven !== "stopped") return { result: driven }
    await stopping
    return { result: await runtime.read(first.id), signal: signal! }
  } finally {
    asks.end()
    unlisten?.()
  }
}

async function untilOver(
  runtime: Runtime,
  first: RunHandle,
  asks: Asks,
  see: (event: LiveEvent) => void,
): Promise<RunResult> {
  const isNew = newEvents()
  const settled = new Set<string>()
  for (let handle = first; ; handle = runtime.resume(first.id)) {
    for await (const event of handle) {
      if (!isNew(event)) continue
      see(event)
      if (event.type === "approval-start") asks.heard(event.run, event.call)
    }
    const result = await handle.done
    if (result.status !== "resting") return result
    // What was answered may let the tree go on, even if another answer stays open.
    const open = result.approvals.filter(({ run, call }) => !settled.has(`${run} ${call}`))
    for (const { run, call } of open) settled.add(`${run} ${call}`)
    if (!(await asks.settle(open)).includes("answered")) return result
  }
}

/** Ends when the run has: also one that rests, which nobody drives. */
async function cancel(
  runtime: Runtime,
  handle: RunHandle,
  over: Promise<RunResult>,
  reason: Signal,
): Promise<void> {
  await handle.cancel(reason).catch(() => {})
  const result = await over.catch(() => undefined)
  if (result?.status === "resting") await runtime.cancel(handle.id, reason).catch(() => {})
}

/** A handle begins with what is recorded already. */
function newEvents(): (event: LiveEvent) => boolean {
  const seen = new Map<string, number>()
  return (event) => {
    if (event.type === "text-delta") return true
    if (event.seq <= (seen.get(event.run) ?? -1)) return false
    seen.set(event.run, event.seq)
    return true
  }
}
