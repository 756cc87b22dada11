import { describeLockedVariable, findVariablesProblem } from "../../agent/variable.ts"
import type { JsonMap } from "../../ground/message.ts"
import { type Condition, checkCondition } from "../../language/expression/condition.ts"
import type { RunStep } from "../../run/log/event.ts"
import { applyEffect, type EffectResult, makeEmptyEffects } from "../lifecycle/effects.ts"
import { toGobbyNames } from "../lifecycle/gobby/gobby-names.ts"
import type { HookEffect } from "../lifecycle/hook.ts"
import { appliesToCall, type StepCall } from "./allowed.ts"
import { describeObjection, describeStep } from "./step-texts.ts"
import type { Reaction, Transition, Workflow, WorkflowEntry, WorkflowStep } from "./workflow.ts"

/** An event that may move a run in its workflow. */
export type WorkflowEvent =
  | { readonly type: "start" }
  /** A call has ended, and its outcome is known. */
  | { readonly type: "call"; readonly call: StepCall; readonly outcome: "success" | "failure" }
  /** The run is about to end. `rounds`: how often it was kept going before. */
  | { readonly type: "stop"; readonly rounds: number }

/** The result of an event: the step of the run, if it changed, and the effects to perform. */
export interface WorkflowChange {
  readonly step?: RunStep
  readonly variables: JsonMap
  readonly context: readonly string[]
  readonly spawns: EffectResult["spawns"]
  /** The effects that need actions outside of this pure code, in their order. */
  readonly pendingEffects: readonly PendingEffect[]
  readonly problems: readonly string[]
  /** The reason why the run is not done. `final`: it ends anyway. */
  readonly objection?: { readonly reason: string; readonly final?: true }
}

/** A command to run, with the values of its input, or a skill to load. */
export interface PendingEffect {
  readonly effect: Extract<HookEffect, { type: "run" | "load_skill" }>
  readonly offered: JsonMap
}

/**
 * Moves a run through its workflow after an event. Pure. `offered` has the names that conditions and templates can use,
 * without those of the workflow. `locked` are the variables that the workflow cannot set.
 */
export function advance(
  workflow: Workflow,
  at: Pick<RunStep, "name" | "complete"> | undefined,
  happening: WorkflowEvent,
  offered: JsonMap,
  locked: readonly string[] = [],
): WorkflowChange {
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
  return walk.change()
}

/** One walk through a workflow, with the effects that it collects. */
class Walk {
  complete: boolean
  readonly #workflow: Workflow
  readonly #offered: JsonMap
  readonly #locked: readonly string[]
  readonly #before: Pick<RunStep, "name" | "complete"> | undefined
  readonly #via: string[]
  #step: WorkflowStep
  /** True while the names of the call are visible. They are not visible after its step is left. */
  #isOfCall = true
  #objection: WorkflowChange["objection"]
  readonly #pendingEffects: PendingEffect[] = []
  readonly #wanted: EffectResult = makeEmptyEffects()

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

  /** Performs the reactions to a call. After a failure the run moves only if a variable changed. */
  react(call: StepCall, outcome: "success" | "failure"): "moving" | "staying" {
    const { onSuccess, onError, onMcpSuccess, onMcpError } = this.#step
    const [ofServers, ofAll] = outcome === "success" ? [onMcpSuccess, onSuccess] : [onMcpError, onError]
    const lists: readonly (readonly [string, readonly Reaction[]])[] = [
      [`on_mcp_${outcome === "success" ? "success" : "error"}`, call.mcp ? ofServers : []],
      [`on_${outcome === "success" ? "success" : "error"}`, ofAll],
      ["on_error of the workflow", outcome === "failure" ? this.#workflow.onError : []],
    ]
    if (this.#workflow.words === "gobby") this.#perform(noted, "the tracking of calls")
    for (const [name, reactions] of lists)
      this.#perform(
        reactions.filter((reaction) => appliesToCall(reaction, call)),
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

  /** Objects to the end of the run if the workflow is not complete and the model could still complete it. */
  stop(rounds: number): void {
    this.#isOfCall = false
    this.#finish()
    const { rounds: most = Number.POSITIVE_INFINITY } = this.#workflow
    const prematureStop = this.#step.onPrematureStop ?? this.#workflow.onPrematureStop
    if (this.complete) return
    // A condition that fails objects. Otherwise a mistake in it would let every run end early.
    if (
      prematureStop
        ? this.#answer(prematureStop.condition, "on_premature_stop") === "no"
        : !leadsOn(this.#step)
    )
      return
    const reason = describeObjection(this.#workflow, this.#step, this.#words())
    const isFinal = rounds >= most || prematureStop?.action === "warn"
    this.#objection = { reason, ...(isFinal && { final: true }) }
  }

  change(): WorkflowChange {
    const { variables, context, spawns, problems } = this.#wanted
    const step = this.#told()
    return {
      ...(step && { step }),
      variables,
      context,
      spawns,
      pendingEffects: this.#pendingEffects,
      problems,
      ...(this.#objection !== undefined && { objection: this.#objection }),
    }
  }

  /** Leaves steps whose conditions already hold. No step is entered twice, so this always ends. */
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

  /** The first transition whose condition holds. After a condition that fails, no transition is taken. */
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

  /** Leaves the step by its `exit_when`: to the next step, or to the end of the workflow. */
  #exit(): void {
    const next = this.#next()
    if (next) this.#enter(next, [])
    else this.complete = true
  }

  #next(): WorkflowStep | undefined {
    const { steps } = this.#workflow
    return steps[steps.indexOf(this.#step) + 1]
  }

  #enter(step: WorkflowStep, onTransition: readonly WorkflowEntry[]): void {
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

  #perform(entries: readonly WorkflowEntry[], of: string): void {
    for (const { when, effects } of entries) {
      if (!this.#holds(when, of)) continue
      for (const effect of effects) {
        if (effect.type === "run" || effect.type === "load_skill")
          this.#pendingEffects.push({ effect, offered: this.#names() })
        else {
          const problem = isSetting(effect)
            ? this.#set(effect, this.#words())
            : applyEffect(effect, this.#wanted, this.#words())
          if (problem === undefined) continue
          this.#wanted.problems.push(`\`${effect.type}\` in ${of} failed: ${problem}`)
          break
        }
      }
    }
  }

  /** Sets variables. Locked variables are reported and stay as they are, and no condition sees the new value. */
  #set(effect: Setting, offered: JsonMap): string | undefined {
    const apart = makeEmptyEffects()
    const failed = applyEffect(effect, apart, offered)
    if (failed !== undefined) return failed
    const open = Object.entries(apart.variables).filter(([name]) => !this.#locked.includes(name))
    for (const name of Object.keys(apart.variables).filter((one) => this.#locked.includes(one)))
      this.#wanted.problems.push(describeLockedVariable(name))
    const problem = findVariablesProblem({ ...(offered.variables as JsonMap), ...Object.fromEntries(open) })
    if (problem === undefined) Object.assign(this.#wanted.variables, Object.fromEntries(open))
    return problem
  }

  /** A condition that fails counts as false. */
  #holds(condition: Condition | undefined, of: string): boolean {
    return this.#answer(condition, of) === "yes"
  }

  #answer(condition: Condition | undefined, of: string): "yes" | "no" | "unclear" {
    if (!condition) return "yes"
    const answer = checkCondition(condition, this.#words())
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

  /** The names that conditions can use, in the format of the workflow. */
  #words(): JsonMap {
    const names = this.#names()
    return this.#workflow.words === "gobby" ? toGobbyNames(names, { cwd: String(names.cwd ?? "") }) : names
  }

  /** The new step of the run. Undefined: nothing changed. */
  #told(): RunStep | undefined {
    const { name, version } = this.#workflow
    const isNew = this.#before === undefined || this.#via.length > 1
    if (!isNew && this.complete === (this.#before?.complete === true)) return undefined
    this.#isOfCall = false
    const text = describeStep(this.#workflow, this.#step, this.#words())
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

/** Gobby records for every call its MCP tool, and whether it claimed a task. */
const noted: readonly WorkflowEntry[] = [
  {
    effects: [
      { type: "track", as: "mcp_call_tracking" },
      { type: "track", as: "task_claim_tracking" },
    ],
  },
]

/** True if a call of the model could move the run out of a step. */
const leadsOn = ({ transitions, exitWhen, ...step }: WorkflowStep): boolean =>
  transitions.length > 0 ||
  exitWhen !== undefined ||
  [step.onSuccess, step.onError, step.onMcpSuccess, step.onMcpError].some(({ length }) => length > 0)
