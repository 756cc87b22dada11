import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { Condition } from "../../language/expression/condition.ts"
import type { Template } from "../../language/template/index.ts"
import type { HookSpawn } from "../../run/log/event.ts"
import type { LifecycleEvent } from "./event-names.ts"
import type { Tracking } from "./gobby/track.ts"
import { matchesName, type NamePattern } from "./name-pattern.ts"

/** A hook as it is written down, checked: at this event, where this holds, these effects. */
export interface LifecycleHook {
  /** Of its place, and the same every time it is read from there. */
  readonly name: string
  /** The keys that lead to it from where hooks begin. */
  readonly path: PlacedProblem["path"]
  readonly event: LifecycleEvent
  /** Cadre's names of the tools that it is for, and patterns as they are written. Left out: all. */
  readonly tools?: readonly string[]
  /** The agents that it is for, in the same way. */
  readonly agents?: readonly string[]
  /** Those of the names above that are patterns. */
  readonly patterns?: readonly NamePattern[]
  /** Of Claude Code: whether it is for runs that nobody calls, or for those that somebody does. Left out: both. */
  readonly runs?: "roots" | "children"
  /** Of Claude Code: how a run begins. */
  readonly sources?: NamePattern
  /** Of Claude Code: the name of the event that it stands under. */
  readonly alias?: string
  /** Of Gobby: the tools of MCP servers that it is for, as `server:tool`, with `*`. */
  readonly mcpTools?: readonly string[]
  /** Of Gobby: what is found in commands that it is for, and what is not. */
  readonly commands?: { readonly found?: NamePattern; readonly without?: NamePattern }
  /** Whose words its condition and its texts are written in. Left out: ours. */
  readonly words?: "gobby"
  readonly when?: Condition
  readonly effects: readonly HookEffect[]
}

/** Texts are templates, which are filled in once: what they insert is never read as a template again. */
export type HookEffect =
  /** `final`: nothing that a model does would change it. */
  | { readonly type: "block"; readonly reason: Template; readonly final?: true }
  | {
      readonly type: "spawn_agent"
      readonly agent: string
      readonly prompt: Template
      readonly mode: HookSpawn["mode"]
      readonly variables?: JsonMap
    }
  | { readonly type: "set_variable"; readonly name: string; readonly value: Value }
  | { readonly type: "increment_variable"; readonly name: string; readonly amount: number }
  /** Of Gobby: what it notes of a call that has ended. */
  | { readonly type: "track"; readonly as: Tracking }
  | { readonly type: "inject_context"; readonly text: Template }
  /** These arguments in place of those of the call; all others stay. */
  | { readonly type: "rewrite_input"; readonly input: readonly (readonly [string, Value])[] }
  /** The text of a skill joins what the model is told. */
  | { readonly type: "load_skill"; readonly skill: string }
  /** A command line as it is written: values reach it over its input alone. */
  | { readonly type: "run"; readonly command: string; readonly timeout?: number }

/** A text with something to fill in, or a value as it is written. */
export type Value = Template | { readonly type: "literal"; readonly value: JsonMap[string] }

/** Whether a hook is for this agent, and for this tool. */
export function isFor(
  { agents, tools, patterns = [] }: LifecycleHook,
  { agent, tool }: { readonly agent: string; readonly tool?: string },
): boolean {
  const isNamed = (names: readonly string[] | undefined, name: string) =>
    !names ||
    names.includes(name) ||
    patterns.some((pattern) => names.includes(pattern.text) && matchesName(pattern, name))
  return isNamed(agents, agent) && (tool === undefined || isNamed(tools, tool))
}

/** Whether it can keep something from happening: then it does where it cannot judge. Anything else is passed over. */
export function isGateAt({ effects, event }: LifecycleHook): boolean {
  if (!gates.includes(event)) return false
  return effects.some(
    (effect) =>
      effect.type === "block" ||
      effect.type === "run" ||
      (effect.type === "spawn_agent" && effect.mode !== "background" && event !== "stop"),
  )
}

const gates: readonly LifecycleHook["event"][] = [
  "before_tool",
  "before_spawn",
  "run_start",
  "before_model",
  "stop",
]
