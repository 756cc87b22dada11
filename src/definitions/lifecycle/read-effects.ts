import { isAgentName } from "../../agent/agent.ts"
import { findVariablesProblem } from "../../agent/variable.ts"
import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { findUnknownKeyProblems } from "../../ground/known-keys.ts"
import { type Json, mapOf } from "../../ground/message.ts"
import { listUsedVariables, parseTemplate, type Template } from "../../language/template/index.ts"
import type { LifecycleEvent } from "./event-names.ts"
import type { EffectValue, HookEffect } from "./hook.ts"
import { findUnknownNames } from "./when.ts"

type Tell = (problem: PlacedProblem) => void
type Entry = { readonly [key: string]: Json }

/** The context in which effects are read. */
export interface EffectPlace {
  readonly event: LifecycleEvent
  /** The keys that may be beside the effects. */
  readonly otherKeys: readonly string[]
  /** The names that texts can use. Default: ours. */
  readonly names?: readonly string[]
}

/** Reads the effects of a hook: keys named after effects, or a list of entries with a `type`. */
export function readEffects(written: Entry, place: EffectPlace, tell: Tell): readonly HookEffect[] {
  const { effects, ...named } = written
  const entries = Array.isArray(effects) ? effects : []
  if (effects !== undefined && !Array.isArray(effects))
    tell({ path: ["effects"], message: "`effects` must be a list of entries with a `type`." })
  const allEffects = [
    ...Object.entries(named).flatMap(([key, value]) => {
      const read = readers[key]
      if (read) return read(value, at(tell, key), place)
      tell({
        path: [key],
        about: "key",
        message: `There is no effect ${JSON.stringify(key)}. ${listKnownNames(key, [...effectNames, ...place.otherKeys])}`,
      })
      return []
    }),
    ...entries.flatMap((effect: Json, index) => readListed(effect, place, at(at(tell, "effects"), index))),
  ]
  if (allEffects.length === 0 && Object.keys(named).length === 0 && entries.length === 0)
    tell({ path: [], message: `this needs at least one effect. Known: ${effectNames.join(", ")}.` })
  return allEffects
}

function readListed(effect: Json, place: EffectPlace, tell: Tell): readonly HookEffect[] {
  const { type, ...rest } = mapOf(effect)
  const read = typeof type === "string" ? readers[type] : undefined
  if (!read) {
    tell({
      path: ["type"],
      message: `an effect needs a \`type\`. ${listKnownNames(String(type ?? ""), effectNames)}`,
    })
    return []
  }
  const keys = listedKeys[String(type)]
  if (keys) knowsOnly(String(type), rest, keys, tell)
  // Gobby's entries have a `variable`, and a `template` instead of a `text`.
  if (type === "set_variable") {
    const name = rest.variable ?? rest.name
    return read(typeof name === "string" ? { [name]: rest.value ?? null } : {}, tell, place)
  }
  if (type === "increment_variable") {
    const name = rest.variable ?? rest.name
    return read(typeof name === "string" ? { [name]: rest.amount ?? 1 } : {}, tell, place)
  }
  if (type === "inject_context") return read(rest.template ?? rest.text ?? null, tell, place)
  return read(type === "rewrite_input" ? (rest.input_updates ?? rest.input ?? null) : rest, tell, place)
}

/** The keys of effects that have other keys in a list. */
const listedKeys: Readonly<Record<string, readonly string[]>> = {
  set_variable: ["variable", "name", "value"],
  increment_variable: ["variable", "name", "amount"],
  inject_context: ["template", "text"],
  rewrite_input: ["input_updates", "input"],
}

type Reader = (value: Json, tell: Tell, place: EffectPlace) => readonly HookEffect[]

const readers: Readonly<Record<string, Reader>> = {
  run: (...read) => runReader(...read),
  load_skill: (...read) => skillReader(...read),
  block(value, tell, { names }) {
    knowsOnly("block", value, ["reason"], tell)
    const reason = parseEffectTemplate(typeof value === "string" ? value : mapOf(value).reason, tell, names)
    return reason ? [{ type: "block", reason }] : []
  },
  spawn_agent(value, tell, { event, names }) {
    const modes = [...(isBeforeCall(event) ? ["replace"] : []), "before", "background"]
    const { agent, prompt, mode = modes[0]!, variables } = mapOf(value)
    knowsOnly("spawn_agent", value, ["agent", "prompt", "mode", "variables"], tell)
    if (!isAgentName(agent)) tell({ path: ["agent"], message: "name the `agent` to spawn." })
    if (typeof mode !== "string" || !modes.includes(mode))
      tell({ path: ["mode"], message: modeProblem(event) })
    const problem = variables === undefined ? undefined : findVariablesProblem(variables)
    if (problem !== undefined) tell({ path: ["variables"], message: `${problem}.` })
    refuseTemplates(variables, at(tell, "variables"))
    if (prompt === undefined)
      tell({ path: [], message: "`spawn_agent` needs a `prompt`, the task of the agent." })
    const text = prompt === undefined ? undefined : parseEffectTemplate(prompt, at(tell, "prompt"), names)
    if (!text || !isAgentName(agent)) return []
    return [
      {
        type: "spawn_agent",
        agent,
        prompt: text,
        mode: mode as "replace" | "before" | "background",
        ...(variables !== undefined && { variables: mapOf(variables) }),
      },
    ]
  },
  set_variable(value, tell, { names }) {
    const variables = mapOf(value)
    const problem = findVariablesProblem(variables)
    if (problem !== undefined) tell({ path: [], message: `${problem}.` })
    if (Object.keys(variables).length === 0)
      tell({
        path: [],
        message:
          "`set_variable` needs names with values, such as { checked: true }; in a list, a `variable` and a `value`.",
      })
    return Object.entries(variables).map(([name, value]) => ({
      type: "set_variable",
      name,
      value: givenOf(value, at(tell, name), names),
    }))
  },
  increment_variable(value, tell) {
    const amounts = Object.entries(mapOf(value))
    const problem = findVariablesProblem(mapOf(value))
    if (problem !== undefined) tell({ path: [], message: `${problem}.` })
    if (amounts.length === 0)
      tell({
        path: [],
        message:
          "`increment_variable` needs names with numbers, such as { attempts: 1 }; in a list, a `variable` and an `amount`.",
      })
    return amounts.flatMap(([name, amount]): readonly HookEffect[] => {
      if (typeof amount === "number") return [{ type: "increment_variable", name, amount }]
      tell({ path: [name], message: "the amount must be a number." })
      return []
    })
  },
  inject_context(value, tell, { names }) {
    knowsOnly("inject_context", value, ["text"], tell)
    const text = parseEffectTemplate(typeof value === "string" ? value : mapOf(value).text, tell, names)
    return text ? [{ type: "inject_context", text }] : []
  },
  rewrite_input(value, tell, { names }) {
    const input = Object.entries(mapOf(value))
    if (input.length === 0)
      tell({
        path: [],
        message: "`rewrite_input` must be arguments with values, such as { timeout: 60000 }.",
      })
    return [
      {
        type: "rewrite_input",
        input: input.map(([name, value]) => [name, givenOf(value, at(tell, name), names)] as const),
      },
    ]
  },
}

const isBeforeCall = (event: LifecycleEvent): boolean => event === "before_tool" || event === "before_spawn"

const modeProblem = (event: LifecycleEvent): string =>
  isBeforeCall(event)
    ? "`mode` must be replace, before or background."
    : `\`mode\` must be before or background at ${event}: there is no call to replace.`

/** Reports unknown keys, because they may have been meant to narrow the effect. */
function knowsOnly(effect: string, value: Json, keys: readonly string[], tell: Tell): void {
  const say = (key: string) => `\`${effect}\` has no ${JSON.stringify(key)}`
  for (const problem of findUnknownKeyProblems(Object.keys(mapOf(value)), keys, say)) tell(problem)
}

const skillReader: Reader = (value, tell) => {
  knowsOnly("load_skill", value, ["skill", "name"], tell)
  const { skill = mapOf(value).name ?? value } = mapOf(value)
  const names = Array.isArray(skill) ? skill : [skill]
  if (names.length === 0 || names.some((name) => typeof name !== "string" || name.trim() === ""))
    tell({ path: [], message: "`load_skill` must name a skill, or a list of them." })
  return names.map((name: Json) => ({ type: "load_skill", skill: String(name) }))
}

const runReader: Reader = (value, tell) => {
  knowsOnly("run", value, ["command", "timeout"], tell)
  const { command, timeout } = typeof value === "string" ? { command: value } : mapOf(value)
  if (typeof command !== "string" || command.trim() === "" || command.includes("\0"))
    tell({ path: [], message: "`run` needs a `command`." })
  else refuseFilling(command, typeof value === "string" ? tell : at(tell, "command"))
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0 && timeout <= 600))
    tell({ path: ["timeout"], message: "`timeout` must be a number of seconds, at most 600." })
  return [
    {
      type: "run",
      command: String(command),
      ...(typeof timeout === "number" && { timeout: timeout * 1000 }),
    },
  ]
}

/** Refuses templates in a command, because an inserted value could be a command. Unknown names may be for the command. */
function refuseFilling(command: string, tell: Tell): void {
  for (const { 0: written, 1: name = "", index } of command.matchAll(/\{\{-?\s*([a-z_]+)[^}]*\}\}/g))
    if (findUnknownNames([{ name, offset: 0 }]).length === 0)
      tell({
        path: [],
        message: `templates are not filled in here. The command gets \`${name}\` in its JSON input, and in CADRE_HOOK_INPUT.`,
        offset: index,
        length: written.length,
      })
}

export const effectNames: readonly string[] = Object.keys(readers)

const at =
  (tell: Tell, key: string | number): Tell =>
  (problem) =>
    tell({ ...problem, path: [key, ...problem.path] })

export function parseEffectTemplate(
  text: Json | undefined,
  tell: Tell,
  names?: readonly string[],
): Template | undefined {
  if (typeof text !== "string" || text.trim() === "") {
    tell({ path: [], message: "a text is needed here." })
    return undefined
  }
  const parsed = parseTemplate(text)
  if (parsed.type === "invalid") {
    tell({ path: [], message: parsed.problem.message, offset: parsed.problem.offset })
    return undefined
  }
  for (const problem of findUnknownNames(listUsedVariables(parsed), names)) tell({ path: [], ...problem })
  return parsed
}

function givenOf(value: Json, tell: Tell, names: readonly string[] | undefined): EffectValue {
  const literal = { type: "literal", value } as const
  if (isTemplate(value)) return parseEffectTemplate(value, tell, names) ?? literal
  // In Gobby's format, texts inside of values are never templates.
  if (!names) refuseTemplates(value, tell)
  return literal
}

/** Reports texts that look like templates but are not rendered. */
function refuseTemplates(value: Json | undefined, tell: Tell): void {
  if (isTemplate(value))
    tell({
      path: [],
      message:
        "templates are not filled in here. They work in a prompt, a reason, a text, and the direct values of `set_variable` and `rewrite_input`.",
    })
  else if (Array.isArray(value))
    value.forEach((item: Json, index) => {
      refuseTemplates(item, at(tell, index))
    })
  else for (const [name, item] of Object.entries(mapOf(value))) refuseTemplates(item, at(tell, name))
}

const isTemplate = (value: Json | undefined): value is string =>
  typeof value === "string" && /\{[{%]/.test(value)
