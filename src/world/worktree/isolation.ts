import type { AgentIsolation } from "../../agent/isolation.ts"
import { describeThrown } from "../../ground/errors.ts"

/**
 * Git worktrees below a folder, in which isolated runs work. The code that makes them is loaded with the
 * first one.
 */
export function createWorktreeIsolation(folder: string): AgentIsolation {
  const withProblem = async <Value extends object>(work: () => Promise<Value>) => {
    const { PathRefusal } = await import("../../ground/paths/refusal.ts")
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof PathRefusal)) throw error
      return { problem: describeThrown(error) }
    }
  }
  return {
    plan: (run, cwd) => withProblem(async () => (await import("./plan.ts")).planWorktree(folder, run, cwd)),
    foresee: (run, cwd) =>
      withProblem(async () => (await import("./foresee.ts")).foreseeWorktree(folder, run, cwd)),
    open: (worktree, cwd) =>
      withProblem(async () => {
        await (await import("./open.ts")).openWorktree(worktree, cwd)
        return {}
      }),
    close: async (worktree) => (await import("./close.ts")).closeWorktree(worktree),
  }
}
