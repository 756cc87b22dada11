import type { Isolation } from "../../agent/isolation.ts"
import { messageOf } from "../../ground/errors.ts"

/** Git worktrees below a folder, as the places of isolated runs. What makes them is loaded with the first one. */
export function worktreeIsolation(folder: string): Isolation {
  const worded = async <Value extends object>(work: () => Promise<Value>) => {
    const { Refusal } = await import("../../ground/paths/refusal.ts")
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { problem: messageOf(error) }
    }
  }
  return {
    plan: (run, cwd) => worded(async () => (await import("./plan.ts")).planWorktree(folder, run, cwd)),
    foresee: (run, cwd) =>
      worded(async () => (await import("./foresee.ts")).foreseeWorktree(folder, run, cwd)),
    open: (worktree, cwd) =>
      worded(async () => {
        await (await import("./open.ts")).openWorktree(worktree, cwd)
        return {}
      }),
    close: async (worktree) => (await import("./close.ts")).closeWorktree(worktree),
  }
}
