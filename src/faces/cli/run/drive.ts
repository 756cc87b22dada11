import { CadreError } from "../../../ground/errors.ts"
import type { RunResult } from "../../../run/drive/proof.ts"
import type { RunHandle } from "../../../run/face/handle.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { ProcessContext } from "../command.ts"
import type { Signal } from "../exit-code.ts"
import { InterruptedError } from "../interrupted-error.ts"
import { type ApprovalAsker, getQuestionKey } from "./approval-asker.ts"

export interface DriveResult {
  readonly result: RunResult
  /** The signal that stopped the run, if one did. */
  readonly signal?: Signal
}

/** Milliseconds that a run gets to stop what is in flight before the process ends anyway. */
const grace = 5_000

/**
 * Drives a run until it ends, or rests without an answer. A signal lets go of the run: what is in flight is stopped, and the
 * run stays open. A second signal does not wait for that.
 */
export async function drive(
  runtime: Runtime,
  first: RunHandle,
  {
    asks,
    see,
    onSignal,
    onInterrupt,
  }: {
    asks: ApprovalAsker
    see: (event: LiveEvent) => void
    onInterrupt: (signal: Signal) => void
  } & Pick<ProcessContext, "onSignal">,
): Promise<DriveResult> {
  let signal: Signal | undefined
  let stopped!: (end: "stopped") => void
  const stopping = new Promise<"stopped">((resolve) => {
    stopped = resolve
  })
  const over = untilOver(runtime, first, asks, see)
  const unlisten = onSignal?.((received) => {
    if (signal !== undefined) return stopped("stopped")
    signal = received
    onInterrupt(received)
    asks.end()
    const timer = setTimeout(stopped, grace, "stopped")
    const released = first.letGo(received).catch(() => {})
    void Promise.all([released, over.catch(() => {})]).finally(() => {
      clearTimeout(timer)
      stopped("stopped")
    })
  })
  // The signal wins the race below, so nothing else would take this rejection.
  over.catch(() => {})
  try {
    const end = await Promise.race([over, stopping])
    if (signal === undefined && end !== "stopped") return { result: end }
    await stopping
    const settled = await Promise.race([over.catch(() => undefined), undefined])
    return { result: settled ?? (await readInterrupted(runtime, first.id, signal!)), signal: signal! }
  } finally {
    asks.end()
    unlisten?.()
  }
}

async function readInterrupted(runtime: Runtime, run: string, signal: Signal): Promise<RunResult> {
  try {
    return await runtime.read(run)
  } catch (error) {
    if (!(error instanceof CadreError) || error.code !== "RUN_UNKNOWN") throw error
    throw new InterruptedError(signal)
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
    const open = result.approvals.filter((approval) => !handledCalls.has(getQuestionKey(approval)))
    for (const approval of open) handledCalls.add(getQuestionKey(approval))
    if (!(await asks.answerAll(open)).includes("answered")) return result
  }
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
