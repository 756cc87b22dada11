import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Environment } from "../ports/environment.ts"
import type { Hook, WrittenHook } from "../ports/hook.ts"
import { guardOf, type HookGuard, sparedBy } from "../rights/hook-guard.ts"

/** A hook that holds for a run. */
export interface ExplainedHook {
  readonly name: string
  /** `program`: it is given in code. `workflow`: it is what holds the run to its steps. */
  readonly of: "program" | "workflow" | WrittenHook["of"]
  readonly events: readonly string[]
  /** How it is written; absent of one that is given in code. */
  readonly written?: WrittenHook
  /** The agents whose runs, and those below them, it does not judge: it would spawn them. */
  readonly spares: readonly string[]
  /** Why it judges nothing of this run. */
  readonly idle?: HookIdle
}

export type HookIdle =
  | HookGuard
  /** The run is offered none of the tools that it is for, is of another agent, or has a caller where it must have none. */
  | { readonly type: "tools" | "agents" | "runs" }

/** Hooks in the order in which they judge, and which of them never do for this run. */
export function explainHooks(
  { agents, tools }: Pick<Environment, "agents" | "tools">,
  hooks: readonly Hook[],
  run: Pick<RunStart, "agent" | "above" | "depth"> & { readonly offered: readonly string[] },
): readonly ExplainedHook[] {
  const offered = new Set(run.offered.map(canonicalName))
  const hands = run.offered.some((name) => tools.get(name)?.kind === "delegation")
  return hooks.map((hook) => {
    const { name, written } = hook
    const guard = hook.binds ? undefined : guardOf(agents, hook, run)
    const idle = guard ?? (written && otherRuns(written, run, offered, hands ? "hands-on" : "works-alone"))
    return {
      name,
      of: written?.of ?? (hook.binds ? "workflow" : "program"),
      events: written ? [written.event] : eventsOf(hook),
      ...(written && { written }),
      // What says what a run may do says so everywhere; it only spawns nobody there.
      spares: hook.binds ? [] : sparedBy(agents, hook),
      ...(idle && { idle }),
    }
  })
}

const eventsOf = ({ judge, after, at }: Hook): readonly string[] => [
  ...(judge ? ["before_tool"] : []),
  ...(after ? ["after_tool"] : []),
  ...Object.keys(at ?? {}),
]

function otherRuns(
  { event, tools, agents, runs }: WrittenHook,
  { agent, depth }: Pick<RunStart, "agent" | "depth">,
  offered: ReadonlySet<string>,
  kind: "hands-on" | "works-alone",
): HookIdle | undefined {
  if (runs !== undefined && runs !== (depth === 0 ? "roots" : "children")) return { type: "runs" }
  if (isOther(agents, (name) => name === agent)) return { type: "agents" }
  if (event === "before_spawn") return kind === "works-alone" ? { type: "tools" } : undefined
  return isOther(tools, (name) => offered.has(name)) ? { type: "tools" } : undefined
}

/** Of patterns it is not told here what they match. */
const isOther = (
  names: readonly string[] | undefined,
  isMeant: (name: string) => boolean,
): boolean | undefined => names?.every((name) => /^[\p{L}\p{N}_:@/-]+$/u.test(name) && !isMeant(name))

function canonicalName(tool: string): string {
  const known = lookUpTool(tool)
  return known.type === "equivalent" ? known.name : tool
}
