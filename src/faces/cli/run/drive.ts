import type { RunResult } from "../../../run/drive/proof.ts"
import type { RunHandle } from "../../../run/face/handle.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { ProcessContext } from "../command.ts"
import type { Signal } from "../exit-code.ts"
import { type ApprovalAsker, keyOf } from "./approval-asker.ts"

export interface DriveResult {
  readonly result: RunResult
  /** The signal that stopped the run, if one did. */
  readonly signal?: Signal
}

/** Milliseconds that a cancelled run gets to stop before the process ends anyway. */
const grace = 5_000

/** Drives a run until it ends, or rests without an answer. A signal cancels the run and waits until it stops. */
export async function drive(
  runtime: Runtime,
  first: RunHandle,
  {
    asks,
    see,
    onSignal,
  }: { asks: ApprovalAsker; see: (event: LiveEvent) => void } & Pick<ProcessContext, "onSignal">,
): Promise<DriveResult> {
  let signal: Signal | undefined
  let stopped!: (end: "stopped") => void
  const stopping = new Promise<"stopped">((resolve) => {
    stopped = resolve
  })
  const over = untilOver(runtime, first, asks, see)
  const unlisten = onSignal?.((received) => {
    signal = received
    asks.end()
    const timer = setTimeout(stopped, grace, "stopped")
    void cancel(runtime, first, over, received).finally(() => {
      clearTimeout(timer)
      stopped("stopped")
    })
  })
  try {
    const end = await Promise.race([over, stopping])
    if (signal === undefined && end !== "stopped") return { result: end }
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
  asks: ApprovalAsker,
  see: (event: LiveEvent) => void,
): Promise<RunResult> {
  const isNew = newEvents()
  const handledCalls = new Set<string>()
  for (let handle = first; ; handle = runtime.resume(first.id)) {
    for await (const event of handle) {
      if (!isNew(event)) continue
      see(event)
      if (event.type === "approval-start") asks.enqueue(event.run, event.call, event.number)
    }
    const result = await handle.done
    if (result.status !== "resting") return result
    // One answer may be enough for the tree to continue, even if other calls are still waiting.
    const open = result.approvals.filter((approval) => !handledCalls.has(keyOf(approval)))
    for (const approval of open) handledCalls.add(keyOf(approval))
    if (!(await asks.answerAll(open)).includes("answered")) return result
  }
}

/** Cancels the run and waits for its end. A resting run is cancelled in the store, because no process drives it. */
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

/** Filters out events that were seen before, because each new handle starts with all recorded events. */
function newEvents(): (event: LiveEvent) => boolean {
  const lastSeqs = new Map<string, number>()
  return (event) => {
    if (event.type === "text-delta") return true
    if (event.seq <= (lastSeqs.get(event.run) ?? -1)) return false
    lastSeqs.set(event.run, event.seq)
    return true
  }
}
