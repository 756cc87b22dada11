import type { QuestionAnswer } from "../../agent/question.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import type { PendingApproval, RunResult } from "../../run/drive/proof.ts"
import type { RunHandle } from "../../run/face/handle.ts"
import type { Runtime } from "../../run/face/runtime.ts"

/** The answer to an open approval. `leave`: it has no answer yet. */
export type ApprovalDecision =
  | "allow"
  | "deny"
  | "leave"
  | { readonly decision: "allow" | "deny"; readonly note?: string }
  /** To the question of a program. */
  | { readonly answer: QuestionAnswer }

/**
 * Waits for a run and answers its approvals, until it ends or every open one is left. Each approval is decided once, one
 * after the other, and the run is resumed after each round. A decision that throws leaves the run resting.
 *
 * @example
 * ```ts
 * import { answerApprovals, createRuntime } from "cadre"
 *
 * const runtime = createRuntime()
 * const run = runtime.run("explorer", "Where are sums made?")
 * const result = await answerApprovals(runtime, run, ({ tool }) => (tool === "Read" ? "allow" : "deny"))
 * console.log(result.status, result.output)
 * ```
 */
export async function answerApprovals<Value = Json>(
  runtime: Pick<Runtime, "approve" | "answer" | "resume">,
  run: RunHandle<Value>,
  decide: (approval: PendingApproval) => ApprovalDecision | Promise<ApprovalDecision>,
): Promise<RunResult<Value>> {
  const keys = new Set<string>()
  for (let result = await run.done; ; result = await runtime.resume(run).done) {
    const open = result.approvals.filter((approval) => !keys.has(keyOf(approval)))
    if (result.status !== "resting" || open.length === 0) return result
    let answered = 0
    for (const approval of open) {
      keys.add(keyOf(approval))
      const decision = await decide(approval)
      if (decision !== "leave" && (await deliver(runtime, approval, decision)) === "answered") answered++
    }
    if (answered === 0) return result
  }
}

const keyOf = ({ run, call, question }: PendingApproval): string => `${run} ${call} ${question?.number ?? 0}`

/** `late`: the call was answered elsewhere, or it has ended. */
async function deliver(
  runtime: Pick<Runtime, "approve" | "answer">,
  { run, call }: PendingApproval,
  decision: Exclude<ApprovalDecision, "leave">,
): Promise<"answered" | "late"> {
  try {
    if (typeof decision === "string") await runtime.approve(run, call, decision)
    else if ("answer" in decision) await runtime.answer(run, call, decision.answer)
    else await runtime.approve(run, call, decision.decision, decision.note)
    return "answered"
  } catch (error) {
    if (error instanceof CadreError && ["CALL_UNKNOWN", "RUN_ENDED"].includes(error.code)) return "late"
    throw error
  }
}
