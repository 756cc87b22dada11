/** What happens to a run, and what is known of it then: the table in docs/lifecycle.md is made from this. */
export const lifecycleEvents = {
  run_start: "before the first turn",
  before_model: "before the model is asked",
  after_model: "when the model has answered",
  before_tool: "before a call is judged by the rules",
  after_tool: "when a call has ended",
  before_spawn: "before a call that hands work to another agent",
  after_spawn: "when that agent has ended",
  limit_near: "when a fifth or less of a limit is left",
  stop: "when the agent would end",
  run_end: "after the last turn",
} as const

export type LifecycleEvent = keyof typeof lifecycleEvents

interface OfferedName {
  readonly name: string
  readonly means: string
  readonly events: readonly LifecycleEvent[] | "all"
}

const ofCalls = ["before_tool", "after_tool", "before_spawn", "after_spawn"] as const

/** The names that `when` and templates can use. One that an event does not offer is null there. */
export const offeredNames: readonly OfferedName[] = [
  { name: "event", means: "the event, by its name in this table", events: "all" },
  { name: "agent", means: "the agent of the run", events: "all" },
  { name: "run", means: "the id of the run", events: "all" },
  { name: "depth", means: "how deep the run is; a root is at 0", events: "all" },
  { name: "parent", means: "the id of the calling run; null for a root", events: "all" },
  { name: "task", means: "the text of the run's task", events: "all" },
  { name: "turn", means: "how many turns there were", events: "all" },
  { name: "variables", means: "the variables of the run, as earlier hooks left them", events: "all" },
  { name: "tool_name", means: "cadre's name of the tool, whatever the model calls it", events: ofCalls },
  { name: "tool_input", means: "the arguments of the call", events: ofCalls },
  { name: "command", means: "`tool_input.command`", events: ofCalls },
  { name: "subagent", means: "the agent that work is handed to", events: ["before_spawn", "after_spawn"] },
  { name: "result", means: "the text of the call's result", events: ["after_tool", "after_spawn"] },
  {
    name: "status",
    means: "`ok`, `error`, `denied`, `skipped` or `unknown`",
    events: ["after_tool", "after_spawn"],
  },
  { name: "output", means: "what the run would end with", events: ["stop", "run_end"] },
  { name: "outcome", means: "how the run ended", events: ["run_end"] },
  { name: "limit", means: "the limit that is near", events: ["limit_near"] },
]
