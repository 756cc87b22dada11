/** What happens to a run, and what is known of it then: the tables in docs/lifecycle.md are made from this. */
export const lifecycleEvents = {
  before_tool: "before a call is judged by the rules",
  before_spawn: "before a call that hands work to another agent is judged",
  after_tool: "when a call has run, before the model sees its result",
} as const

export type LifecycleEvent = keyof typeof lifecycleEvents

interface OfferedName {
  readonly name: string
  readonly means: string
  readonly events: readonly LifecycleEvent[] | "all"
}

/** The names that `when` and templates can use. One that an event does not offer is null there. */
export const offeredNames: readonly OfferedName[] = [
  { name: "event", means: "the event, by its name in the table above", events: "all" },
  { name: "agent", means: "the agent of the run", events: "all" },
  { name: "run", means: "the id of the run", events: "all" },
  { name: "depth", means: "how deep the run is; a root is at 0", events: "all" },
  { name: "parent", means: "the id of the calling run; null for a root", events: "all" },
  { name: "task", means: "the text of the run's task", events: "all" },
  { name: "turn", means: "the number of the turn", events: "all" },
  { name: "variables", means: "the variables of the run, as earlier hooks left them", events: "all" },
  { name: "vars", means: "`variables`", events: "all" },
  { name: "workflow", means: "the workflow of the run, by name; null without one", events: "all" },
  { name: "step", means: "the step of its workflow that the run is in; null without one", events: "all" },
  { name: "current_step", means: "`step`", events: "all" },
  { name: "tool_name", means: "cadre's name of the tool, whatever the model calls it", events: "all" },
  { name: "tool_input", means: "the arguments of the call", events: "all" },
  { name: "command", means: "`tool_input.command`", events: "all" },
  { name: "subagent", means: "the agent that work is handed to", events: ["before_spawn"] },
  { name: "status", means: "`ok`, `error` or `unknown`", events: ["after_tool"] },
  { name: "result", means: "the text of the result, as the model will see it", events: ["after_tool"] },
]
