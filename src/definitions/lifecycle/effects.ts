import type { Json, JsonMap } from "../../ground/message.ts"
import { checkCondition } from "../../language/expression/condition.ts"
import { renderTemplate, renderValue, type Template } from "../../language/template/index.ts"
import type { HookActions, HookRun, HookVerdict } from "../../run/ports/hooked.ts"
import { readCommandEnd } from "./command.ts"
import { toGobbyNames } from "./gobby/gobby-names.ts"
import { trackCall } from "./gobby/track.ts"
import type { EffectValue, HookEffect, LifecycleHook } from "./hook.ts"

/** The wishes of all effects of a hook, which the caller carries out. */
export interface EffectResult {
  /** The reason for a block. `final`: the model can do nothing to avoid the block. */
  reason?: string
  final?: true
  readonly variables: Record<string, Json>
  readonly context: string[]
  readonly spawns: NonNullable<HookVerdict["spawns"]>[number][]
  readonly input: Record<string, Json>
  readonly problems: string[]
}

/** The things that a hook is asked with. */
export interface HookQuestion {
  /** The values that its condition and its templates can read. */
  readonly offered: JsonMap
  /** All values that a command gets on its input, after the earlier effects of the hook. */
  commandInput(wanted: EffectResult): JsonMap
  readonly actions: HookActions
  /** The working directory of the run. */
  readonly cwd: string
}

export const makeEmptyEffects = (): EffectResult => ({
  variables: {},
  context: [],
  spawns: [],
  input: {},
  problems: [],
})

/**
 * Evaluates the condition of a hook, and then its effects in their order. The effects after a block are skipped. If an
 * effect fails, its problem is the whole result. Returns undefined if the condition does not hold.
 */
export async function runHook(
  hook: LifecycleHook,
  original: HookQuestion,
): Promise<EffectResult | { readonly problem: string } | undefined> {
  const question = { ...original, offered: inWordsOf(hook, original) }
  const answer = hook.when
    ? checkCondition(hook.when, question.offered)
    : { type: "value" as const, isTrue: true }
  if (answer.type === "failed") return { problem: `its \`when\` failed: ${answer.problem.message}` }
  if (!answer.isTrue) return undefined
  const result = makeEmptyEffects()
  for (const effect of hook.effects) {
    const problem = await effected(hook, effect, result, question)
    if (problem !== undefined) return { problem: `its \`${effect.type}\` failed: ${problem}` }
    if (result.reason !== undefined) break
  }
  return result
}

const inWordsOf = ({ words, mcpTools }: LifecycleHook, { offered, cwd }: HookQuestion): JsonMap =>
  words === "gobby" ? toGobbyNames(offered, { cwd, ...(mcpTools && { arguments: "of-server" }) }) : offered

async function effected(
  hook: LifecycleHook,
  effect: HookEffect,
  wanted: EffectResult,
  question: HookQuestion,
): Promise<string | undefined> {
  switch (effect.type) {
    case "run":
      return run(hook, effect, wanted, question)
    case "load_skill": {
      const skill = await question.actions.skill(effect.skill)
      if ("problem" in skill) wanted.problems.push(skill.problem)
      else wanted.context.push(skill.text)
      return undefined
    }
    default:
      return applyEffect(effect, wanted, question.offered)
  }
}

/** Runs a command. Values reach the command only on its input and never in its text, so they cannot inject commands. */
async function run(
  { event }: LifecycleHook,
  { command, timeout }: HookEffect & { type: "run" },
  wanted: EffectResult,
  { commandInput, actions }: HookQuestion,
): Promise<undefined> {
  const end = await actions.command(command, {
    input: writeCommandInput(commandInput(wanted)),
    ...(timeout !== undefined && { timeout }),
  })
  const verdict = readCommandEnd(end, event)
  if (verdict.type === "block") {
    wanted.reason = verdict.reason
    if (verdict.final) wanted.final = true
    return
  }
  if (verdict.context !== undefined) wanted.context.push(verdict.context)
  if (verdict.problem !== undefined) wanted.problems.push(verdict.problem)
  Object.assign(wanted.input, verdict.input)
}

/** The input of a command, without names that only repeat others. */
export const writeCommandInput = ({ vars: _, current_step: __, ...told }: JsonMap): string =>
  JSON.stringify(told)

/** Adds the wish of one effect to `wanted`. Returns a problem if the effect failed. */
export function applyEffect(
  effect: Exclude<HookEffect, { type: "run" | "load_skill" }>,
  wanted: EffectResult,
  offered: JsonMap,
): string | undefined {
  switch (effect.type) {
    case "block": {
      const reason = filled(effect.reason, offered)
      if (typeof reason === "object") return reason.problem
      wanted.reason = reason
      if (effect.final) wanted.final = true
      return undefined
    }
    case "spawn_agent": {
      const { agent, prompt, mode, variables } = effect
      const task = filled(prompt, offered)
      if (typeof task === "object") return task.problem
      if (task.trim() === "") return "its prompt is empty"
      wanted.spawns.push({ agent, task, mode, ...(variables && { variables }) })
      return undefined
    }
    case "set_variable":
      return put(wanted.variables, effect.name, effect.value, offered)
    case "increment_variable":
      return increment(effect, wanted, offered)
    case "track":
      Object.assign(wanted.variables, trackCall(effect.as, offered))
      return undefined
    case "inject_context": {
      const text = filled(effect.text, offered)
      if (typeof text === "object") return text.problem
      wanted.context.push(text)
      return undefined
    }
    case "rewrite_input":
      for (const [name, value] of effect.input) {
        const problem = put(wanted.input, name, value, offered)
        if (problem !== undefined) return problem
      }
      return undefined
  }
}

function increment(
  { name, amount }: Extract<HookEffect, { type: "increment_variable" }>,
  { variables }: EffectResult,
  offered: JsonMap,
): string | undefined {
  const before = { ...(offered.variables as JsonMap), ...variables }
  const current = Object.hasOwn(before, name) ? (before[name] ?? 0) : 0
  if (typeof current !== "number") return `the variable ${JSON.stringify(name)} is not a number`
  return put(variables, name, { type: "literal", value: current + amount }, offered)
}

/** The parts of a result that accompany a verdict. */
export const getEffectsBesideVerdict = ({
  variables,
  context,
  spawns,
  problems,
}: EffectResult): Pick<HookVerdict, "variables" | "context" | "spawns" | "problems"> => ({
  ...(Object.keys(variables).length > 0 && { variables }),
  ...(context.length > 0 && { context }),
  ...(spawns.length > 0 && { spawns }),
  ...(problems.length > 0 && { problems }),
})

/** The names that every hook can read about its run: the variables, and the step of its workflow. */
export const runNames = ({ variables, step }: HookRun): JsonMap => ({
  variables,
  vars: variables,
  ...(step && { workflow: step.workflow, step: step.name, current_step: step.name }),
})

function put(
  into: Record<string, Json>,
  name: string,
  value: EffectValue,
  offered: JsonMap,
): string | undefined {
  const rendered = value.type === "literal" ? value : renderValue(value, offered, bounds)
  if (rendered.type === "failed") return rendered.problem.message
  Object.defineProperty(into, name, {
    value: rendered.value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return undefined
}

const bounds = { characters: 100_000 }

interface Unfilled {
  readonly problem: string
}

function filled(template: Template, offered: JsonMap): string | Unfilled {
  const rendered = renderTemplate(template, offered, bounds)
  return rendered.type === "text" ? rendered.text : { problem: rendered.problem.message }
}
