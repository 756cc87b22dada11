import { describeThrown } from "../../ground/errors.ts"
import type { PendingApproval, RunResult } from "../../run/drive/proof.ts"
import type { RunHandle } from "../../run/face/handle.ts"
import type { Runtime } from "../../run/face/runtime.ts"

/** Answers an approval in place of a person. An error counts as a denial. */
type Ask = (approval: PendingApproval) => "allow" | "deny" | Promise<"allow" | "deny">

interface Answering {
  readonly ask: Ask | undefined
  readonly signal: AbortSignal | undefined
}

/** Runs to the end without a person: every approval is answered, so that the run does not rest. */
export async function runToEnd(runtime: Runtime, run: RunHandle, answering: Answering): Promise<RunResult> {
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

async function answerTo(approval: PendingApproval, ask: Ask | undefined): Promise<Answer> {
  if (!ask) return { decision: "deny", note: "No person can be asked for approval here." }
  try {
    return { decision: (await ask(approval)) === "allow" ? "allow" : "deny" }
  } catch (error) {
    return { decision: "deny", note: `The approval callback failed: ${describeThrown(error)}` }
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
