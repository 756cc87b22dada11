import type { Agent, AgentSource } from "../agent/agent.ts"
import type { Confinement } from "../agent/confinement.ts"
import { StartError } from "../ground/errors.ts"
import type { Json, JsonMap } from "../ground/message.ts"
import { accessesOf } from "./accesses.ts"
import type { Beginning } from "./begin.ts"
import { now } from "./clock.ts"
import type { Pinned } from "./definition.ts"
import type { Drive } from "./drive.ts"
import type { Environment } from "./environment.ts"
import type { AskedCall, PlannedEnd, RuleSet } from "./event.ts"
import { inspectCalls } from "./inspect.ts"
import { unknownAgent } from "./look-up-agent.ts"
import { refusalOf } from "./refusal.ts"
import type { RunState } from "./state.ts"
import type { Taker } from "./taken.ts"

/** What drives the runs of one kind in place of a model. */
export interface Planner {
  /** What is to be told of such a run. Throws a CadreError where it could not start with this task. */
  begin?(
    agent: Agent,
    task: string,
    agents: AgentSource,
    call: PlannedCaller,
  ): void | PlannedStart | Promise<void> | Promise<PlannedStart>
  /**
   * What is to be done next. Pure: it follows from the definition and the results alone, and more results never take back
   * what fewer have asked for, because they may come while it is being recorded. A promise is for loading code.
   */
  plan(definition: Pinned, state: RunState): Plan | Promise<Plan>
  /** Why a call that it planned, and that has not begun, may not begin any more. */
  outdated?(
    definition: Pinned,
    state: RunState,
    input: unknown,
  ): string | undefined | Promise<string | undefined>
}

/** How a run is called that a planner is to drive. */
export interface PlannedCaller extends Binding {
  readonly model?: string
  /** How many runs there may be below it; undefined where only those above it say. */
  readonly maxSpawns?: number
  readonly variables: JsonMap
}

/** What a planner tells of a run that is about to start. */
export interface PlannedStart {
  readonly warnings?: readonly string[]
  /** Of a run that a program does: tools of its own list that the program is not given. */
  readonly taken?: readonly TakenTool[]
  /** Of a run that a program does: the tools that the program is given. `*`: all that it has. */
  readonly programTools?: readonly string[]
}

export interface TakenTool {
  readonly tool: string
  /** Whose rules take it. Absent: whoever calls the run does not have it. */
  readonly by?: Taker
  /** The agent denies it itself. */
  readonly own?: true
  /** They only ask about it, and a program has nobody to ask. */
  readonly asks?: true
}

/** What a run is bound by from outside. */
export interface Binding {
  /** Its own rules, then those of all above it. */
  readonly rights: readonly RuleSet[]
  /** The tools that it may have at most; undefined: nobody took any away. */
  readonly ceiling?: readonly string[]
  readonly confinement?: Confinement
}

/** Calls that join those in flight, none of which was planned before; or the end, which waits for all of them. */
export type Plan =
  | { readonly type: "calls"; readonly calls: readonly PlannedCall[] }
  | ({ readonly type: "end" } & PlannedEnd)

/** `key` is the planner's own name for it: its result is found by it. */
export type PlannedCall = { readonly key: string } & (
  | { readonly type: "call"; readonly tool: string; readonly input: { readonly [name: string]: Json } }
  /** Rests until a person has answered. */
  | { readonly type: "approval"; readonly message: string; readonly timeout?: number }
  /** Holds no slot, and is over at the same time whatever dies in between. */
  | { readonly type: "pause"; readonly milliseconds: number }
)

/** Which `decide` drives the runs of an agent. */
export function kindOf({ pipeline, executor }: Agent): string {
  if (executor !== undefined) return "command"
  return pipeline === undefined ? "agent" : "pipeline"
}

/** What is to be told of a run of this kind. Throws a CadreError where it could not start here. */
export async function checkKind(
  environment: Pick<Environment, "planners" | "agents">,
  agent: Agent,
  task: string,
  { continues, model }: Pick<Beginning, "continues" | "model">,
  binding: Binding & Pick<PlannedCaller, "maxSpawns" | "variables">,
): Promise<PlannedStart> {
  const kind = kindOf(agent)
  if (kind === "agent") return {}
  if (continues !== undefined)
    throw new StartError([
      {
        code: "AGENT_INVALID",
        kind: "call",
        message: `Agent "${agent.name}" cannot continue run ${continues}: it is a ${kind} and has no history to go on with. Start it anew.`,
      },
    ])
  const call = { ...binding, ...(typeof model === "string" && { model }) }
  return (await plannerOf(environment, kind).begin?.(agent, task, environment.agents, call)) ?? {}
}

/** Asks the planner and records what it says, its calls numbered and checked like those of a model. */
export async function plan(drive: Drive): Promise<void> {
  const { state, definition, environment, recorder } = drive
  const planned = await plannerOf(environment, state.start!.kind).plan(definition, state)
  const calls =
    planned.type === "calls"
      ? await Promise.all(
          // One too many is enough to meet the limit.
          planned.calls
            .slice(0, state.start!.limits.maxToolCalls - state.callCount + 1)
            .map((call, index) => asked(drive, call, state.callCount + 1 + index)),
        )
      : []
  if (drive.stopped) return
  await recorder.record({
    type: "plan-end",
    after: state.plan!.results.length,
    ...(calls.length > 0 && { calls }),
    ...(planned.type === "end" && { end: endOf(planned) }),
  })
}

/** Why a call that a planner wanted may not begin any more; what a hook made of it counts, too. */
export const outdated = async (
  { state, definition, environment }: Drive,
  input: unknown,
): Promise<string | undefined> =>
  state.start!.kind === "agent"
    ? undefined
    : plannerOf(environment, state.start!.kind).outdated?.(definition, state, input)

function plannerOf({ planners }: Pick<Environment, "planners">, kind: string): Planner {
  if (planners && Object.hasOwn(planners, kind)) return planners[kind]!
  throw new StartError([
    { code: "AGENT_INVALID", kind: "here", message: `This runtime runs no agent that is a ${kind}.` },
  ])
}

const endOf = ({ type: _, ...end }: Extract<Plan, { type: "end" }>): PlannedEnd => end

async function asked(drive: Drive, call: PlannedCall, number: number): Promise<AskedCall> {
  const { key } = call
  const id = `c${number}`
  const own = { id, wire: `call_${id}`, effect: "read", key } as const
  switch (call.type) {
    case "approval":
      return {
        ...own,
        tool: "approval",
        kind: "approval",
        arguments: written({ message: call.message }),
        ...(call.timeout !== undefined && { expires: now() + call.timeout }),
      }
    case "pause": {
      const expires = now() + call.milliseconds
      return { ...own, tool: "wait", kind: "pause", arguments: "{}", expires }
    }
    case "call": {
      const made = { wire: own.wire, tool: call.tool, arguments: written(call.input) }
      const [inspected] = await inspectCalls({ calls: [made] }, drive.definition, inspecting(drive, number))
      return { ...inspected!, key }
    }
  }
}

const written = (input: { readonly [name: string]: Json }): string => JSON.stringify(input)

const inspecting = (drive: Drive, firstNumber: number): Parameters<typeof inspectCalls>[2] => ({
  firstNumber,
  usedWires: undefined,
  closing: false,
  keepInput: (call, input) => drive.keepInput(call, input),
  refusalOf: (tool) => refusalOf(drive, tool),
  unknownAgent: (tool, input) => unknownAgent(drive, tool, input),
  accessesOf: (tool, input) =>
    accessesOf(drive.environment, tool, input, drive.state.run, drive.state.start!),
})
