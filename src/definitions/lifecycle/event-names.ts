/** What happens to a run, and what is known of it then: the tables in docs/hook-names.md are made from this. */
const callEvents = {
  before_tool: "before a call is judged by the rules",
  before_spawn: "before a call that hands work to another agent is judged",
  after_tool: "when a call has run, before the model sees its result",
} as const

const momentEvents = {
  run_start: "once, before the first model call; also of a run that continues another",
  before_model: "every turn, before its model is asked; not when a failed request is tried again",
  after_model: "every turn, when the model has answered and before anything comes of it",
  after_spawn:
    "when a child that a call asked for has ended, before the model hears of it; not of children that hooks spawn",
  limit_near: "once for each limit, when four fifths of it are used",
  stop: "when the run would end because it is done",
  run_end: "when it is settled how the run ends; not of one that is cancelled",
} as const

export const lifecycleEvents = { ...callEvents, ...momentEvents } as const

/** An event of a call. */
export type CallEvent = keyof typeof callEvents
/** One of the run itself. */
export type MomentEvent = keyof typeof momentEvents
export type LifecycleEvent = CallEvent | MomentEvent

export const isCallEvent = (event: LifecycleEvent): event is CallEvent => event in callEvents

interface OfferedName {
  readonly name: string
  readonly means: string
  readonly events: readonly LifecycleEvent[] | "all"
}

const calls = Object.keys(callEvents) as readonly CallEvent[]

/** The names that `when` and templates can use. One that an event does not offer is null there. */
export const offeredNames: readonly OfferedName[] = [
  { name: "event", means: "the event, by its name in the table above", events: "all" },
  { name: "agent", means: "the agent of the run", events: "all" },
  { name: "run", means: "the id of the run", events: "all" },
  { name: "depth", means: "how deep the run is; a root is at 0", events: "all" },
  { name: "parent", means: "the id of the calling run; null for a root", events: "all" },
  { name: "task", means: "the text of the run's task", events: "all" },
  { name: "turn", means: "the number of the turn; at `before_model` the one that is to come", events: "all" },
  { name: "variables", means: "the variables of the run, as earlier hooks left them", events: "all" },
  { name: "vars", means: "`variables`", events: "all" },
  { name: "workflow", means: "the workflow of the run, by name; null without one", events: "all" },
  { name: "step", means: "the step of its workflow that the run is in; null without one", events: "all" },
  { name: "current_step", means: "`step`", events: "all" },
  { name: "tool_name", means: "cadre's name of the tool, whatever the model calls it", events: calls },
  {
    name: "tool_input",
    means:
      "the arguments of the call, as written, by the tool's own names (`path`), and by Claude Code's (`file_path`, `subagent_type`)",
    events: calls,
  },
  { name: "command", means: "`tool_input.command`", events: calls },
  {
    name: "subagent",
    means: "the agent that work is handed to, or that has ended",
    events: ["before_spawn", "after_spawn"],
  },
  { name: "status", means: "`ok`, `error` or `unknown`", events: ["after_tool"] },
  { name: "result", means: "the text of the result, as the model will see it", events: ["after_tool"] },
  {
    name: "continues",
    means: "the id of the run whose history it goes on with; null otherwise",
    events: ["run_start"],
  },
  { name: "calls", means: "the names of the tools that the reply calls", events: ["after_model"] },
  {
    name: "output",
    means: "the text of the reply, or what the run ends with",
    events: ["after_model", "stop", "run_end"],
  },
  { name: "report", means: "what the child reports", events: ["after_spawn"] },
  {
    name: "outcome",
    means: "how the child, or the run, ended: `completed`, `failed`, `limit` and so on",
    events: ["after_spawn", "run_end"],
  },
  {
    name: "reason",
    means: "why it did not complete; null where it did",
    events: ["after_spawn", "run_end"],
  },
  {
    name: "limit",
    means: "`turns`, `tool-calls`, `tokens`, `cost` or `timeout`",
    events: ["limit_near"],
  },
  { name: "used", means: "how much of it is used", events: ["limit_near"] },
  { name: "allowed", means: "how much there is of it in all", events: ["limit_near"] },
  { name: "round", means: "1 the first time, and one more for each time it has gone on", events: ["stop"] },
  { name: "stop_hook_active", means: "`round > 1`, as Claude Code calls it", events: ["stop"] },
]
