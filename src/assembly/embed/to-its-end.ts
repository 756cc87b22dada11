import { messageOf } from "../../ground/errors.ts"
import type { Approval, RunResult } from "../../run/drive/proof.ts"
import type { RunHandle } from "../../run/face/handle.ts"
import type { Runtime } from "../../run/face/runtime.ts"

/** Whoever answers for a person. What it throws denies. */
type Ask = (approval: Approval) => "allow" | "deny" | Promise<"allow" | "deny">

interface Answering {
  readonly ask: Ask | undefined
  readonly signal: AbortSignal | undefined
}

/** A run with nobody before it but a loop: whatever it asks is answered, so that it ends. */
export async function runToItsEnd(
  runtime: Runtime,
  run: RunHandle,
  answering: Answering,
): Promise<RunResult> {
  const { ask, signal } = answering
  let result = await run.done
  while (result.approvals.length > 0) {
    for (const approval of result.approvals) {
      const answer = await unlessAborted(answerTo(approval, ask), signal)
      // Resuming with an aborted signal cancels.
      if (answer === "aborted") break
      await runtime.approve(approval.run, approval.call, answer.decision, answer.note)
    }
    result = await runtime.resume(run.id, signal && { signal }).done
  }
  return result
}

interface Answer {
  readonly decision: "allow" | "deny"
  readonly note?: string
}

async function answerTo(approval: Approval, ask: Ask | undefined): Promise<Answer> {
  if (!ask) return { decision: "deny", note: "Nobody can be asked here." }
  try {
    return { decision: (await ask(approval)) === "allow" ? "allow" : "deny" }
  } catch (error) {
    return { decision: "deny", note: `Whoever was asked failed: ${messageOf(error)}` }
  }
}

async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value | "aborted"> {
  if (!signal) return work
  const over = new AbortController()
  const aborted = new Promise<"aborted">((resolve) => {
    if (signal.aborted) resolve("aborted")
    signal.addEventListener("abort", () => resolve("aborted"), { once: true, signal: over.signal })
  })
  return Promise.race([aborted, work]).finally(() => over.abort())
}
