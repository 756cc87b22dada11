import { lockedVariable, variablesProblem } from "../../agent/variable.ts"
import type { JsonMap } from "../../ground/message.ts"
import { type Condition, holds } from "../../language/expression/condition.ts"
import type { RunStep } from "../../run/log/event.ts"
import { nothingWanted, type Wanted, want } from "../lifecycle/effects.ts"
import { inGobbysWords } from "../lifecycle/gobby/offered.ts"
import type { HookEffect } from "../lifecycle/hook.ts"
import { concerns, type StepCall } from "./allowed.ts"
import { objection, stepText } from "./told.ts"
import type { Entry, Reaction, Step, Transition, Workflow } from "./workflow.ts"

/** What happens to a run in a workflow. */
export type Happening =
  | { readonly type: "start" }
  /** A call has ended, and somebody saw how. */
  | { readonly type: "call"; readonly call: StepCall; readonly outcome: "success" | "failure" }
  /** The run wants to end, and has been told to go on so often before. */
  | { readonly type: "stop"; readonly rounds: number }

/** What comes of it: the step that the run is in now, where anything of that is new, and what is to be done. */
export interface Passage {
  readonly step?: RunStep
  readonly variables: JsonMap
  readonly context: readonly string[]
  readonly spawns: Wanted["spawns"]
  /** What takes somebody to do it, in the order in which it is to be done. */
  readonly errands: readonly Errand[]
  readonly problems: readonly string[]
  /** Why the run is not done; `final`: it ends all the same. */
  readonly objection?: { readonly reason: string; readonly final?: true }
}

/** A command to run, with the names that it is told, or a skill to load. */
export interface Errand {
  readonly effect: Extract<HookEffect, { type: "run" | "load_skill" }>
  readonly offered: JsonMap
}

/**
 * From where a run is and what has happened, to where it is now and what is to be done. Pure. `offered` are the names that
 * conditions and templates find, those of the workflow aside; `locked` are the variables that it cannot set.
 */
export function advance(
  workflow: Workflow,
  at: Pick<RunStep, "name" | "complete"> | undefined,
  happening: Happening,
  offered: JsonMap,
  locked: readonly string[] = [],
): Passage {
  const walk = new Walk(workflow, at, offered, locked)
  switch (happening.type) {
    case "start":
      walk.begin()
      break
    case "call":
      if (!walk.complete && walk.react(happening.call, happening.outcome) === "moving") walk.move()
      break
    case "stop":
      walk.stop(happening.rounds)
  }
  return walk.passage()
}

/** One walk through a workflow, and what it has left on the way. */
class Walk {
  complete: boolean
  readonly #workflow: Workflow
  readonly #offered: JsonMap
  readonly #locked: readonly string[]
  readonly #before: Pick<RunStep, "name" | "complete"> | undefined
  readonly #via: string[]
  #step: Step
  /** Names that belong to a call mean nothing once its step is left. */
  #isOfCall = true
  #objection: Passage["objection"]
  readonly #errands: Errand[] = []
  readonly #wanted: Wanted = nothingWanted()

  constructor(
    workflow: Workflow,
    at: Pick<RunStep, "name" | "complete"> | undefined,
    offered: JsonMap,
    locked: readonly string[],
  ) {
    this.#workflow = workflow
    this.#offered = offered
    this.#locked = locked
    this.#before = at
    this.#step = workflow.steps.find(({ name }) => name === at?.name) ?? workflow.steps[0]!
    this.#via = [this.#step.name]
    this.complete = at?.complete === true
  }

  begin(): void {
    this.#isOfCall = false
    this.#perform(this.#step.onEnter, "on_enter")
    this.#follow()
    this.#finish()
  }

  /** What is said of calls that end so. After a failure nothing moves, unless somebody took note of it. */
  react(call: StepCall, outcome: "success" | "failure"): "moving" | "staying" {
    const { onSuccess, onError, onMcpSuccess, onMcpError } = this.#step
    const [ofServers, ofAll] = outcome === "success" ? [onMcpSuccess, onSuccess] : [onMcpError, onError]
    const lists: readonly (readonly [string, readonly Reaction[]])[] = [
      [`on_mcp_${outcome === "success" ? "success" : "error"}`, call.mcp ? ofServers : []],
      [`on_${outcome === "success" ? "success" : "error"}`, ofAll],
      ["on_error of the workflow", outcome === "failure" ? this.#workflow.onError : []],
    ]
    if (this.#workflow.words === "gobby") this.#perform(noted, "what is noted of calls")
    for (const [name, reactions] of lists)
      this.#perform(
        reactions.filter((reaction) => concerns(reaction, call)),
        name,
      )
    return outcome === "success" || this.#hasChanged() ? "moving" : "staying"
  }

  move(): void {
    const way = this.#wayOn(this.#step.transitions)
    if (way.type === "transition") this.#pass(way.transition)
    else if (way.type === "none" && this.#step.exitWhen && this.#holds(this.#step.exitWhen, "exit_when"))
      this.#exit()
    if (this.#via.length > 1) this.#follow()
    this.#finish()
  }

  /** Objects where the workflow is not complete and something could be done about it. */
  stop(rounds: number): void {
    this.#isOfCall = false
    this.#finish()
    const { rounds: most = Number.POSITIVE_INFINITY } = this.#workflow
    const said = this.#step.onPrematureStop ?? this.#workflow.onPrematureStop
    if (this.complete) return
    // What cannot be judged objects: else a mistake in the condition would let every run end early.
    if (said ? this.#answer(said.condition, "on_premature_stop") === "no" : !leadsOn(this.#step)) return
    const reason = objection(this.#workflow, this.#step, this.#words())
    const isFinal = rounds >= most || said?.action === "warn"
    this.#objection = { reason, ...(isFinal && { final: true }) }
  }

  passage(): Passage {
    const { variables, context, spawns, problems } = this.#wanted
    const step = this.#told()
    return {
      ...(step && { step }),
      variables,
      context,
      spawns,
      errands: this.#errands,
      problems,
      ...(this.#objection !== undefined && { objection: this.#objection }),
    }
  }

  /** A step whose conditions hold already is left at once; none is entered twice, so that this ends. */
  #follow(): void {
    this.#isOfCall = false
    const seen = new Set(this.#via)
    while (!this.complete) {
      const { transitions, exitWhen } = this.#step
      const way = this.#wayOn(transitions.filter(({ to, when }) => when && !seen.has(to)))
      const next = this.#next()
      if (way.type === "unclear") return
      if (way.type === "transition") this.#pass(way.transition)
      else if (exitWhen && !(next && seen.has(next.name)) && this.#holds(exitWhen, "exit_when")) this.#exit()
      else return
      seen.add(this.#step.name)
    }
  }

  /** The first transition whose condition holds. Behind one that cannot be judged none is taken: the run stays where it is. */
  #wayOn(
    transitions: readonly Transition[],
  ): { type: "transition"; transition: Transition } | { type: "none" | "unclear" } {
    for (const transition of transitions) {
      const answer = this.#answer(transition.when, `the transition to ${transition.to}`)
      if (answer === "yes") return { type: "transition", transition }
      if (answer === "unclear") return { type: "unclear" }
    }
    return { type: "none" }
  }

  #pass({ to, onTransition }: Transition): void {
    const step = this.#workflow.steps.find(({ name }) => name === to)
    if (step) this.#enter(step, onTransition)
  }

  /** The step has done its duty. */
  #exit(): void {
    const next = this.#next()
    if (next) this.#enter(next, [])
    else this.complete = true
  }

  #next(): Step | undefined {
    const { steps } = this.#workflow
    return steps[steps.indexOf(this.#step) + 1]
  }

  #enter(step: Step, onTransition: readonly Entry[]): void {
    this.#perform(this.#step.onExit, "on_exit")
    this.#perform(onTransition, "on_transition")
    this.#step = step
    this.#via.push(step.name)
    this.#isOfCall = false
    this.#perform(step.onEnter, "on_enter")
  }

  #finish(): void {
    const { exitCondition } = this.#workflow
    if (!this.complete)
      this.complete = exitCondition
        ? this.#holds(exitCondition, "exit_condition")
        : this.#step.transitions.length === 0 && this.#step.exitWhen === undefined
  }

  #perform(entries: readonly Entry[], of: string): void {
    for (const { when, effects } of entries) {
      if (!this.#holds(when, of)) continue
      for (const effect of effects) {
        if (effect.type === "run" || effect.type === "load_skill")
          this.#errands.push({ effect, offered: this.#names() })
        else {
          const problem = isSetting(effect)
            ? this.#set(effect, this.#words())
            : want(effect, this.#wanted, this.#words())
          if (problem === undefined) continue
          this.#wanted.problems.push(`\`${effect.type}\` in ${of} failed: ${problem}`)
          break
        }
      }
    }
  }

  /** What cannot be set is told, and nothing is decided as if it had been. */
  #set(effect: Setting, offered: JsonMap): string | undefined {
    const apart = nothingWanted()
    const failed = want(effect, apart, offered)
    if (failed !== undefined) return failed
    const open = Object.entries(apart.variables).filter(([name]) => !this.#locked.includes(name))
    for (const name of Object.keys(apart.variables).filter((one) => this.#locked.includes(one)))
      this.#wanted.problems.push(lockedVariable(name))
    const problem = variablesProblem({ ...(offered.variables as JsonMap), ...Object.fromEntries(open) })
    if (problem === undefined) Object.assign(this.#wanted.variables, Object.fromEntries(open))
    return problem
  }

  /** What fails holds nothing. */
  #holds(condition: Condition | undefined, of: string): boolean {
    return this.#answer(condition, of) === "yes"
  }

  #answer(condition: Condition | undefined, of: string): "yes" | "no" | "unclear" {
    if (!condition) return "yes"
    const answer = holds(condition, this.#words())
    if (answer.type === "value") return answer.isTrue ? "yes" : "no"
    this.#wanted.problems.push(`the condition of ${of} failed: ${answer.problem.message}`)
    return "unclear"
  }

  #hasChanged(): boolean {
    const before = this.#offered.variables as JsonMap
    return Object.entries(this.#wanted.variables).some(
      ([name, value]) =>
        !Object.hasOwn(before, name) || JSON.stringify(before[name]) !== JSON.stringify(value),
    )
  }

  #names(): JsonMap {
    const { tool_name, tool_input, command, status, result, ...others } = this.#offered
    const variables = { ...(this.#offered.variables as JsonMap), ...this.#wanted.variables }
    return {
      ...(this.#isOfCall ? this.#offered : others),
      variables,
      vars: variables,
      workflow: this.#workflow.name,
      step: this.#step.name,
      current_step: this.#step.name,
    }
  }

  /** The same in the words that the workflow is written in. */
  #words(): JsonMap {
    const names = this.#names()
    return this.#workflow.words === "gobby" ? inGobbysWords(names, { cwd: String(names.cwd ?? "") }) : names
  }

  /** Undefined: it is where it was. */
  #told(): RunStep | undefined {
    const { name, version } = this.#workflow
    const isNew = this.#before === undefined || this.#via.length > 1
    if (!isNew && this.complete === (this.#before?.complete === true)) return undefined
    this.#isOfCall = false
    const text = stepText(this.#workflow, this.#step, this.#words())
    if (text.problem !== undefined) this.#wanted.problems.push(text.problem)
    return {
      workflow: name,
      ...(version !== undefined && { version }),
      name: this.#step.name,
      ...(this.#via.length > 1 && { via: this.#via }),
      text: text.text,
      ...(this.complete && { complete: true }),
    }
  }
}

type Setting = Extract<HookEffect, { type: "set_variable" | "increment_variable" | "track" }>

const isSetting = (effect: HookEffect): effect is Setting =>
  ["set_variable", "increment_variable", "track"].includes(effect.type)

/** Gobby notes of every call which tool of a server it was, and whether a task was claimed. */
const noted: readonly Entry[] = [
  {
    effects: [
      { type: "track", as: "mcp_call_tracking" },
      { type: "track", as: "task_claim_tracking" },
    ],
  },
]

/** Whether anything that the model does could lead on from a step. */
const leadsOn = ({ transitions, exitWhen, ...step }: Step): boolean =>
  transitions.length > 0 ||
  exitWhen !== undefined ||
  [step.onSuccess, step.onError, step.onMcpSuccess, step.onMcpError].some(({ length }) => length > 0)
