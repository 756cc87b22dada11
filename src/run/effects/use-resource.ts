import { describeThrown } from "../../ground/errors.ts"
import type { Action } from "../decide/action.ts"
import type { Fact } from "../log/event.ts"
import type { Drive } from "./drive-view.ts"

/**
 * Opens or closes a worktree. Both can be repeated after a crash. They run under the key of the model, which
 * is not asked meanwhile.
 */
export async function useResource(
  drive: Drive,
  { type }: Extract<Action, { type: "open-resource" | "close-resource" }>,
): Promise<void> {
  const fact = type === "open-resource" ? await open(drive) : await close(drive)
  if (type === "open-resource" && drive.isStopped) return
  await drive.recorder.record(fact)
}

async function open({ state, environment }: Drive): Promise<Fact> {
  const { isolation: worktree, cwd } = state.start!
  const answer = await attempt(
    async () => environment.isolation?.open(worktree!, cwd) ?? { problem: noWorktrees },
  )
  return answer.problem === undefined
    ? { type: "resource-open", resource: worktree! }
    : {
        type: "run-stop",
        outcome: { type: "denied", reason: `its worktree could not be opened: ${answer.problem}` },
      }
}

async function close({ state, environment }: Drive): Promise<Fact> {
  const { isolation: worktree } = state.start!
  const report = await attempt(
    async () => environment.isolation?.close(worktree!) ?? { problem: noWorktrees },
  )
  if ("kept" in report) return { type: "resource-close", report }
  const { branch, base, path } = worktree!
  const nothing = { commits: 0, files: [], insertions: 0, deletions: 0 }
  return {
    type: "resource-close",
    report: { branch, base, path, ...nothing, kept: "kept", problem: report.problem! },
  }
}

const noWorktrees = "this runtime cannot create worktrees"

const attempt = <Value extends { readonly problem?: string }>(
  work: () => Promise<Value>,
): Promise<Value | { readonly problem: string }> =>
  work().catch((error: unknown) => ({ problem: describeThrown(error) }))
