/** The events of a run and the names that hooks can use. The tables in docs/reference/hook-names.md are generated from this file. */
const callEvents = {
  before_tool: "before the rules judge a call",
  before_spawn: "before the rules judge a call that delegates to another agent",
  after_tool: "after a call has run, before the model sees its result",
} as const

const momentEvents = {
  run_start: "once, before the first model call; also in a run that continues another",
  before_model: "in every turn, before the model is called; not when a failed request is retried",
  after_model: "in every turn, after the model has answered and before its calls run",
  after_spawn:
    "after a child that a call started has ended, before the model gets its report; not for children that hooks spawn",
  limit_near: "once for each limit, when four fifths of it are used up",
  stop: "when the run is about to end because it is done",
  run_end: "when the outcome of the run is decided; not for a cancelled run",
} as const

export const lifecycleEvents = { ...callEvents, ...momentEvents } as const

/** An event of a call. */
export type CallEvent = keyof typeof callEvents
/** An event of the run itself. */
export type MomentEvent = keyof typeof momentEvents
export type LifecycleEvent = CallEvent | MomentEvent

export const isCallEvent = (event: LifecycleEvent): event is CallEvent => event in callEvents

interface OfferedName {
  readonly name: string
  readonly means: string
  readonly events: readonly LifecycleEvent[] | "all"
}

const calls = Object.keys(callEvents) as readonly CallEvent[]

/** The names that `when` and templates can use. A name that an event does not provide is null there. */
export const offeredNames: readonly OfferedName[] = [
  { name: "event", means: "the event, by its name in the table above", events: "all" },
  { name: "agent", means: "the agent of the run", events: "all" },
  { name: "run", means: "the id of the run", events: "all" },
  { name: "depth", means: "the depth of the run; a root run has 0", events: "all" },
  { name: "parent", means: "the id of the calling run; null for a root", events: "all" },
  { name: "task", means: "the text of the run's task", events: "all" },
  { name: "turn", means: "the number of the turn; at `before_model`, that of the next turn", events: "all" },
  { name: "variables", means: "the variables of the run, as earlier hooks left them", events: "all" },
  { name: "vars", means: "`variables`", events: "all" },
  { name: "workflow", means: "the name of the run's workflow; null without one", events: "all" },
  { name: "step", means: "the current step of the run's workflow; null without one", events: "all" },
  { name: "current_step", means: "`step`", events: "all" },
  { name: "tool_name", means: "cadre's name of the tool, even if the model uses another", events: calls },
  {
    name: "tool_input",
    means:
      "the arguments of the call, under the names that the model used, the tool's own (`path`) and Claude Code's (`file_path`, `subagent_type`)",
    events: calls,
  },
  { name: "command", means: "`tool_input.command`", events: calls },
  {
    name: "subagent",
    means: "the agent that is called, or that has ended",
    events: ["before_spawn", "after_spawn"],
  },
  { name: "status", means: "`ok`, `error` or `unknown`", events: ["after_tool"] },
  { name: "result", means: "the text of the result, as the model will see it", events: ["after_tool"] },
  {
    name: "continues",
    means: "the id of the run that this run continues; null otherwise",
    events: ["run_start"],
  },
  { name: "calls", means: "the names of the tools that the reply calls", events: ["after_model"] },
  {
    name: "output",
    means: "the text of the reply, or the final output of the run",
    events: ["after_model", "stop", "run_end"],
  },
  { name: "report", means: "the report of the child", events: ["after_spawn"] },
  {
    name: "outcome",
    means: "the outcome of the child or the run: `completed`, `failed`, `limit` and so on",
    events: ["after_spawn", "run_end"],
  },
  {
    name: "reason",
    means: "why it did not complete; null if it did",
    events: ["after_spawn", "run_end"],
  },
  {
    name: "limit",
    means: "`turns`, `tool-calls`, `tokens`, `cost` or `timeout`",
    events: ["limit_near"],
  },
  { name: "used", means: "the used part of the limit", events: ["limit_near"] },
  { name: "allowed", means: "the whole limit", events: ["limit_near"] },
  { name: "round", means: "1 at first, and one more each time the run was kept going", events: ["stop"] },
  { name: "stop_hook_active", means: "`round > 1`, under the name that Claude Code uses", events: ["stop"] },
]
