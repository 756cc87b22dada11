import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Environment } from "../ports/environment.ts"
import type { Hook, WrittenHook } from "../ports/hook.ts"
import { findHookGuard, type HookGuard, listSpawnedAgents } from "../rights/hook-guard.ts"

/** A hook that applies to a run. */
export interface ExplainedHook {
  /** The name of the hook, as the log names it. */
  readonly name: string
  /** `program`: the hook is written in code. `workflow`: it keeps the run to its steps. */
  readonly of: "program" | "workflow" | WrittenHook["of"]
  /** The events that the hook is asked about, such as `before_tool` or `stop`. */
  readonly events: readonly string[]
  /** The hook as it is written in a file; absent for a hook in code. */
  readonly written?: WrittenHook
  /** The agents that this hook spawns: it judges neither their runs nor the runs below them. */
  readonly spares: readonly string[]
  /** The reason that the hook judges nothing in this run. */
  readonly idle?: HookIdle
}

export type HookIdle =
  | HookGuard
  /** The run is not offered the hook's tools, is of another agent, or is a root where the hook is for children, or the reverse. */
  | { readonly type: "tools" | "agents" | "runs" }

/** The hooks in the order in which they judge. Those that never judge in this run have `idle`. */
export function explainHooks(
  { agents, tools }: Pick<Environment, "agents" | "tools">,
  hooks: readonly Hook[],
  run: Pick<RunStart, "agent" | "above" | "depth"> & { readonly offered: readonly string[] },
): readonly ExplainedHook[] {
  const offered = new Set(run.offered.map(canonicalName))
  const hands = run.offered.some((name) => tools.get(name)?.kind === "delegation")
  return hooks.map((hook) => {
    const { name, written } = hook
    const guard = hook.binds ? undefined : findHookGuard(agents, hook, run)
    const idle = guard ?? (written && otherRuns(written, run, offered, hands ? "hands-on" : "works-alone"))
    return {
      name,
      of: written?.of ?? (hook.binds ? "workflow" : "program"),
      events: written ? [written.event] : eventsOf(hook),
      ...(written && { written }),
      // A hook that binds judges every run. It only spawns no agents in those.
      spares: hook.binds ? [] : listSpawnedAgents(agents, hook),
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

/** True if every name is plain and none is meant. Patterns are not resolved here. */
const isOther = (
  names: readonly string[] | undefined,
  isMeant: (name: string) => boolean,
): boolean | undefined => names?.every((name) => /^[\p{L}\p{N}_:@/-]+$/u.test(name) && !isMeant(name))

function canonicalName(tool: string): string {
  const lookup = lookUpTool(tool)
  return lookup.type === "equivalent" ? lookup.name : tool
}
