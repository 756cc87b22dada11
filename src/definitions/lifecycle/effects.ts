import type { Json, JsonMap } from "../../ground/message.ts"
import { holds } from "../../language/expression/condition.ts"
import { renderTemplate, renderValue, type Template } from "../../language/template/index.ts"
import type { HookActions, HookedRun, HookVerdict } from "../../run/ports/hooked.ts"
import { commandVerdict } from "./command.ts"
import { inGobbysWords } from "./gobby/offered.ts"
import { tracked } from "./gobby/track.ts"
import type { HookEffect, LifecycleHook, Value } from "./hook.ts"

/** What the effects of a hook come to. */
export interface Wanted {
  /** Why something is not to be. `final`: nothing that a model does would change it. */
  reason?: string
  final?: true
  readonly variables: Record<string, Json>
  readonly context: string[]
  readonly spawns: NonNullable<HookVerdict["spawns"]>[number][]
  readonly input: Record<string, Json>
  readonly problems: string[]
}

/** What is known where a hook is asked, and what its commands are told besides. */
export interface Question {
  readonly offered: JsonMap
  told(wanted: Wanted): JsonMap
  readonly actions: HookActions
  /** Where the run works. */
  readonly cwd: string
}

export const nothingWanted = (): Wanted => ({
  variables: {},
  context: [],
  spawns: [],
  input: {},
  problems: [],
})

/**
 * Whether a hook applies, and what its effects come to then: in the order in which they are written, and nothing after what
 * blocks. Undefined where it does not apply.
 */
export async function askOne(
  hook: LifecycleHook,
  asked: Question,
): Promise<Wanted | { readonly problem: string } | undefined> {
  const question = { ...asked, offered: inWordsOf(hook, asked) }
  const answer = hook.when ? holds(hook.when, question.offered) : { type: "value" as const, isTrue: true }
  if (answer.type === "failed") return { problem: `its \`when\` failed: ${answer.problem.message}` }
  if (!answer.isTrue) return undefined
  const wanted = nothingWanted()
  for (const effect of hook.effects) {
    const problem = await effected(hook, effect, wanted, question)
    if (problem !== undefined) return { problem: `its \`${effect.type}\` failed: ${problem}` }
    if (wanted.reason !== undefined) break
  }
  return wanted
}

const inWordsOf = ({ words, mcpTools }: LifecycleHook, { offered, cwd }: Question): JsonMap =>
  words === "gobby" ? inGobbysWords(offered, { cwd, ...(mcpTools && { arguments: "of-server" }) }) : offered

async function effected(
  hook: LifecycleHook,
  effect: HookEffect,
  wanted: Wanted,
  question: Question,
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
      return want(effect, wanted, question.offered)
  }
}

/** What it is told comes on its input, and never in its text. */
async function run(
  { event }: LifecycleHook,
  { command, timeout }: HookEffect & { type: "run" },
  wanted: Wanted,
  { told, actions }: Question,
): Promise<undefined> {
  const end = await actions.command(command, {
    input: inputOf(told(wanted)),
    ...(timeout !== undefined && { timeout }),
  })
  const verdict = commandVerdict(end, event)
  if (verdict.type === "block") {
    wanted.reason = verdict.reason
    if (verdict.final) wanted.final = true
    return
  }
  if (verdict.context !== undefined) wanted.context.push(verdict.context)
  if (verdict.problem !== undefined) wanted.problems.push(verdict.problem)
  Object.assign(wanted.input, verdict.input)
}

/** What a command reads, each thing once. */
export const inputOf = ({ vars: _, current_step: __, ...told }: JsonMap): string => JSON.stringify(told)

/** Adds what an effect comes to; or says why it comes to nothing. */
export function want(
  effect: Exclude<HookEffect, { type: "run" | "load_skill" }>,
  wanted: Wanted,
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
      Object.assign(wanted.variables, tracked(effect.as, offered))
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
  { variables }: Wanted,
  offered: JsonMap,
): string | undefined {
  const before = { ...(offered.variables as JsonMap), ...variables }
  const current = Object.hasOwn(before, name) ? (before[name] ?? 0) : 0
  if (typeof current !== "number") return `the variable ${JSON.stringify(name)} is no number`
  return put(variables, name, { type: "literal", value: current + amount }, offered)
}

/** What is wanted besides a verdict. */
export const besides = ({
  variables,
  context,
  spawns,
  problems,
}: Wanted): Pick<HookVerdict, "variables" | "context" | "spawns" | "problems"> => ({
  ...(Object.keys(variables).length > 0 && { variables }),
  ...(context.length > 0 && { context }),
  ...(spawns.length > 0 && { spawns }),
  ...(problems.length > 0 && { problems }),
})

/** What every hook finds of a run: its variables, and where it is in its workflow. */
export const placeOf = ({ variables, step }: HookedRun): JsonMap => ({
  variables,
  vars: variables,
  ...(step && { workflow: step.workflow, step: step.name, current_step: step.name }),
})

function put(into: Record<string, Json>, name: string, value: Value, offered: JsonMap): string | undefined {
  const given = value.type === "literal" ? value : renderValue(value, offered, bounds)
  if (given.type === "failed") return given.problem.message
  Object.defineProperty(into, name, {
    value: given.value,
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
