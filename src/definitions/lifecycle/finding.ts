import type { CodedProblem, PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { type Json, mapOf } from "../../ground/message.ts"
import type { HookEffect, LifecycleHook } from "./hook.ts"
import { effectNames } from "./read-effects.ts"

/** A finding about hooks. */
export type HookFinding = CodedProblem<
  | "hook-foreign"
  | "hook-invalid"
  | "hook-off"
  | "hook-agent-nobody"
  | "hook-agent-unknown"
  | "hook-tool-unknown"
  | "hook-skill-unknown"
  | "hook-name-absent"
  | "hook-never"
  | "hook-variable-locked"
  | "lifecycle-unknown"
>

/** The facts that hooks are checked against. */
export interface HookFacts {
  /** The names of agents, by name and alias. */
  readonly agents: ReadonlyMap<string, string>
  /** Names of tools beyond the catalogue. */
  readonly tools: ReadonlySet<string>
  readonly skills: ReadonlySet<string>
  /** Variables that no file may change. */
  readonly locked: readonly string[]
  /** The owner of the hooks. */
  readonly of: "user" | "project"
  /** The agents whose runs these hooks are for. */
  readonly holders: readonly string[]
}

/** An effect as the file has it, and the keys that lead to it. */
export interface EffectText {
  readonly type: HookEffect["type"]
  readonly value: Json
  readonly path: PlacedProblem["path"]
}

/** The effects of an entry, which may be written as keys or as a list. */
export function listEffectTexts(entry: Json | undefined, path: PlacedProblem["path"]): readonly EffectText[] {
  const { effects, action, ...named } = mapOf(entry)
  if (typeof action === "string") {
    const type = gobbyNames[action] ?? action
    return effectNames.includes(type)
      ? [{ type: type as HookEffect["type"], value: { ...named, type }, path }]
      : []
  }
  const of = (type: Json | undefined, value: Json, keys: PlacedProblem["path"]): readonly EffectText[] =>
    typeof type === "string" && effectNames.includes(type)
      ? [{ type: type as HookEffect["type"], value, path: [...path, ...keys] }]
      : []
  return [
    ...Object.entries(named).flatMap(([key, value]) => of(key, value, [key])),
    ...(Array.isArray(effects) ? effects : []).flatMap((effect: Json, index) =>
      of(mapOf(effect).type, effect, ["effects", index]),
    ),
  ]
}

/** Our names for effects that have another name in Gobby. */
const gobbyNames: Readonly<Record<string, string>> = {
  bash: "run",
  block_stop: "block",
  inject_message: "inject_context",
  shell: "run",
}

/** The keys that lead to the tools or agents that a hook is for; Claude Code has both in its matcher. */
export const filterPath = ({ alias, path }: LifecycleHook, key: "tools" | "agents"): PlacedProblem["path"] =>
  alias === undefined ? [...path, key] : [...path.slice(0, 2), "matcher"]
