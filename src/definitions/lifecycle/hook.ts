import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { Condition } from "../../language/expression/condition.ts"
import type { Template } from "../../language/template/index.ts"
import type { HookSpawn } from "../../run/log/event.ts"
import type { LifecycleEvent } from "./event-names.ts"
import type { Tracking } from "./gobby/track.ts"
import { matchesName, type NamePattern } from "./name-pattern.ts"

/** A checked hook of a file: at an event, if a condition holds, it has effects. */
export interface LifecycleHook {
  /** Derived from the place of the hook, so it is the same every time the file is read. */
  readonly name: string
  /** The keys that lead to the hook, from the start of the hooks. */
  readonly path: PlacedProblem["path"]
  readonly event: LifecycleEvent
  /** The tools that the hook is for: cadre's names, and patterns as they are written. Left out: all tools. */
  readonly tools?: readonly string[]
  /** The agents that the hook is for. Left out: all agents. */
  readonly agents?: readonly string[]
  /** The compiled patterns among `tools` and `agents`. */
  readonly patterns?: readonly NamePattern[]
  /** In Claude Code's format: whether the hook is for root runs or for child runs. Left out: both. */
  readonly runs?: "roots" | "children"
  /** In Claude Code's format: the ways in which a run begins. */
  readonly sources?: NamePattern
  /** In Claude Code's format: the name of the event. */
  readonly alias?: string
  /** In Gobby's format: the MCP tools that the hook is for, as `server:tool`, with `*`. */
  readonly mcpTools?: readonly string[]
  /** In Gobby's format: patterns that a command must contain, and must not contain. */
  readonly commands?: { readonly found?: NamePattern; readonly without?: NamePattern }
  /** The format of the condition and the texts. Left out: ours. */
  readonly words?: "gobby"
  readonly when?: Condition
  readonly effects: readonly HookEffect[]
}

/** Texts are templates, which are rendered once. Inserted values are never rendered again. */
export type HookEffect =
  /** `final`: nothing that a model does can change it. */
  | { readonly type: "block"; readonly reason: Template; readonly final?: true }
  | {
      readonly type: "spawn_agent"
      readonly agent: string
      readonly prompt: Template
      readonly mode: HookSpawn["mode"]
      readonly variables?: JsonMap
    }
  | { readonly type: "set_variable"; readonly name: string; readonly value: EffectValue }
  | { readonly type: "increment_variable"; readonly name: string; readonly amount: number }
  /** In Gobby's format: records an ended call in variables. */
  | { readonly type: "track"; readonly as: Tracking }
  | { readonly type: "inject_context"; readonly text: Template }
  /** Replaces these arguments of the call; all others stay. */
  | { readonly type: "rewrite_input"; readonly input: readonly (readonly [string, EffectValue])[] }
  /** Adds the text of a skill to the model's context. */
  | { readonly type: "load_skill"; readonly skill: string }
  /** Runs a command line unchanged. Values reach it only through its input. */
  | { readonly type: "run"; readonly command: string; readonly timeout?: number }

/** A template, or a literal value. */
export type EffectValue = Template | { readonly type: "literal"; readonly value: JsonMap[string] }

/** True if a hook is for this agent and this tool. */
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

/** True if a hook can block at its event. If such a hook fails, it blocks; any other hook that fails is skipped. */
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
