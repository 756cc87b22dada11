import type { Agent } from "../../agent/agent.ts"
import type { FolderMove, Worktree } from "../../agent/isolation.ts"
import { StartError, type StartProblem } from "../../ground/errors.ts"
import type { RunStart } from "../log/event-run.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import { mayChange } from "../rights/may-change.ts"

/** The folder that a run works in: its caller's, or a worktree of its own. */
export interface RunPlace {
  readonly cwd: string
  readonly worktree?: Worktree
  readonly moved?: readonly FolderMove[]
  readonly warnings: readonly string[]
}

interface IsolationRequest {
  readonly run: string
  readonly agent: Agent
  readonly cwd: string
  readonly parent: RunStart | undefined
  /** The start of the failed root whose task this root takes over. */
  readonly follows: RunStart | undefined
}

/** Settles where a run works. Throws a CadreError where it cannot have its worktree: it never works in place instead. */
export async function isolate(environment: StartEnvironment, request: IsolationRequest): Promise<RunPlace> {
  const { run, agent, cwd, parent } = request
  const inPlace = { cwd, ...(parent?.moved && { moved: parent.moved }), warnings: [] }
  const { isolation = "none" } = agent
  const earlierWorktree = request.follows?.isolation
  if (earlierWorktree) {
    // The failed run's changes are in its worktree, and may be nowhere else.
    if (!environment.isolation) throw refusalError(agent, "here", "this runtime cannot make git worktrees.")
    const { cwd: place, moved = [] } = request.follows
    return { cwd: place, worktree: earlierWorktree, moved, warnings: [] }
  }
  if (isolation === "none") return inPlace
  if (isolation !== "worktree")
    throw refusalError(
      agent,
      "written",
      `cadre does not support \`isolation: ${isolation}\`. Write \`worktree\` or \`none\`.`,
    )
  if (!(await mayChange(environment, agent)))
    return {
      ...inPlace,
      warnings: [
        `Agent "${agent.name}" works in place: neither it nor any agent that it may call has a tool that changes anything.`,
      ],
    }
  if (!environment.isolation) throw refusalError(agent, "here", "this runtime cannot make git worktrees.")
  const plan = await environment.isolation.plan(run, cwd)
  if ("problem" in plan)
    throw refusalError(agent, "here", `it works in a git worktree of its own, but ${plan.problem}.`)
  const { worktree } = plan
  return {
    cwd: plan.cwd,
    worktree,
    moved: [...(parent?.moved ?? []), { from: worktree.from, to: worktree.path }],
    warnings: plan.warnings,
  }
}

const refusalError = ({ name }: Agent, kind: StartProblem["kind"], why: string): StartError =>
  new StartError([
    {
      code: "ISOLATION_REFUSED",
      kind,
      rule: "isolation-refused",
      part: "isolation",
      message: `Agent "${name}" was not started: ${why}`,
    },
  ])

/** Tells a run about its worktree, because paths in its task may point into its caller's folder. */
export const addWorktreeNote = (message: string, { worktree }: RunPlace): string =>
  worktree === undefined
    ? message
    : `${message}\n\nNote from the runtime: you work in your own git worktree, ${worktree.path}. It replaces ${worktree.from}. ` +
      "Use only paths in the worktree. Your changes stay there for your caller."
