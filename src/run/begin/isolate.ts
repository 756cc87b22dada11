import type { Agent } from "../../agent/agent.ts"
import type { Moved, Worktree } from "../../agent/isolation.ts"
import { StartError, type StartProblem } from "../../ground/errors.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Surroundings } from "../ports/environment.ts"
import { mayChange } from "../rights/may-change.ts"

/** Where a run works: in place, or in a worktree of its own. */
export interface Isolated {
  readonly cwd: string
  readonly worktree?: Worktree
  readonly moved?: readonly Moved[]
  readonly warnings: readonly string[]
}

interface Wanted {
  readonly run: string
  readonly agent: Agent
  readonly cwd: string
  readonly parent: RunStart | undefined
  /** Of a root that has the task of another: how that one began. */
  readonly follows: RunStart | undefined
}

/** Settles where a run works. Throws a CadreError where it cannot have the place that it wants: it never works in place then. */
export async function isolate(environment: Surroundings, wanted: Wanted): Promise<Isolated> {
  const { run, agent, cwd, parent } = wanted
  const inPlace = { cwd, ...(parent?.moved && { moved: parent.moved }), warnings: [] }
  const { isolation = "none" } = agent
  const before = wanted.follows?.isolation
  if (before) {
    // What the run before it has done lies there, and may not lie in the tree of the user.
    if (!environment.isolation) throw refused(agent, "here", "this runtime makes no worktrees.")
    const { cwd: place, moved = [] } = wanted.follows
    return { cwd: place, worktree: before, moved, warnings: [] }
  }
  if (isolation === "none") return inPlace
  if (isolation !== "worktree")
    throw refused(
      agent,
      "written",
      `cadre does not support \`isolation: ${isolation}\`. Write \`worktree\` or \`none\`.`,
    )
  if (!(await mayChange(environment, agent)))
    return {
      ...inPlace,
      warnings: [
        `Neither agent "${agent.name}" nor anybody whom it may have work has a tool that changes anything, so it works in place.`,
      ],
    }
  if (!environment.isolation) throw refused(agent, "here", "this runtime makes no worktrees.")
  const plan = await environment.isolation.plan(run, cwd)
  if ("problem" in plan)
    throw refused(agent, "here", `it works in a git worktree of its own, but ${plan.problem}.`)
  const { worktree } = plan
  return {
    cwd: plan.cwd,
    worktree,
    moved: [...(parent?.moved ?? []), { from: worktree.from, to: worktree.path }],
    warnings: plan.warnings,
  }
}

const refused = ({ name }: Agent, kind: StartProblem["kind"], why: string): StartError =>
  new StartError([
    {
      code: "ISOLATION_REFUSED",
      kind,
      rule: "isolation-refused",
      part: "isolation",
      message: `Agent "${name}" was not started: ${why}`,
    },
  ])

/** The first message of a run that works in a worktree: what it is given as a path may be one of its caller's. */
export const withPlace = (message: string, { worktree }: Isolated): string =>
  worktree === undefined
    ? message
    : `${message}\n\nNote from the runtime: you work in a git worktree of your own, ${worktree.path}, which stands for ${worktree.from}. ` +
      "Use paths in it; what you change stays there for whoever asked."
