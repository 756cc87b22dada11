import { defineTool, type RunControl, type Tool } from "../../agent/tool.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { agentTool } from "./agent.ts"

/**
 * The tools with which a run starts and controls other runs. `Agent` starts them. An agent that may use `Agent` also gets
 * the other tools, even if its definition does not name them. A denial takes a tool away.
 *
 * @example
 * ```ts
 * import { agentControlTools, createRuntime, defineAgent } from "cadre"
 *
 * const lead = defineAgent({ name: "lead", instructions: "Hand the work on.", tools: ["Agent"] })
 * const runtime = createRuntime({ agents: [lead], tools: agentControlTools() })
 * ```
 */
export function agentControlTools(): readonly Tool[] {
  return [agentTool(), wait, status, cancel, send, report, askParent]
}

const run = {
  type: "string",
  minLength: 1,
  description: "Id of the run, or `.2` for your second subagent.",
} as const
const seconds = { type: "number", exclusiveMinimum: 0, description: "The longest time to wait." } as const

const wait = about<{ runs?: readonly string[]; until?: "any" | "all"; seconds?: number }>(
  "AgentWait",
  "Wait for subagents in the background. Their reports come as messages.",
  {
    runs: { type: "array", items: run, minItems: 1, description: "Default: all that are at work." },
    until: { enum: ["any", "all"], description: "Until one of them has ended, or all (default)." },
    seconds,
  },
  [],
  ({ runs, until = "all", seconds }) => ({
    type: "wait",
    until,
    ...(runs && { runs }),
    ...(seconds !== undefined && { timeout: seconds * 1000 }),
  }),
)

const status = about("AgentStatus", "Show the state of your subagents.", {}, [], () => ({ type: "status" }))

const cancel = about<{ run: string; reason?: string }>(
  "AgentCancel",
  "Stop one of your subagents, for example because you no longer need its report.",
  { run, reason: { type: "string" } },
  ["run"],
  ({ run, reason }) => ({ type: "cancel", run, ...(reason !== undefined && { reason }) }),
)

const send = defineTool<{ to: string; text: string }>({
  name: "AgentSend",
  description:
    "Send a message to another run, which reads it before its next turn. This is also how you answer a subagent's question.",
  comesWith: "Agent",
  reachesParent: true,
  poller: true,
  input: {
    type: "object",
    properties: {
      to: { type: "string", minLength: 1, description: "`parent`, or the id of a run." },
      text: { type: "string", minLength: 1 },
    },
    required: ["to", "text"],
    additionalProperties: false,
  },
  control: ({ to, text }) => ({ type: "send", to, text }),
})

const report = about<{ run: string; page?: number }>(
  "AgentReport",
  "Read the whole report of a subagent that has ended, page by page.",
  { run, page: { type: "integer", minimum: 1, description: "Default: 1." } },
  ["run"],
  ({ run, page = 1 }) => ({ type: "report", run, page }),
)

const askParent = defineTool<{ question: string; seconds?: number; default?: string }>({
  name: "AskParent",
  description:
    "Ask the run that gave you the task, and wait for the answer. Only if you cannot go on without it: it is better to decide, and to report the decision.",
  comesWith: "Agent",
  needsParent: true,
  input: {
    type: "object",
    properties: {
      question: { type: "string", minLength: 1 },
      seconds: { ...seconds, description: "Seconds to wait. Default: 300." },
      default: { type: "string", description: "The answer to assume if none comes." },
    },
    required: ["question"],
    additionalProperties: false,
  },
  control: ({ question, seconds = 300, default: otherwise }) => ({
    type: "ask",
    question,
    timeout: seconds * 1000,
    ...(otherwise !== undefined && { otherwise }),
  }),
})

/** A tool about subagents, which a model may call again and again. */
function about<Value>(
  name: string,
  description: string,
  properties: JsonSchema,
  required: readonly string[],
  control: (input: Value) => RunControl,
): Tool {
  return defineTool<Value>({
    name,
    description,
    comesWith: "Agent",
    poller: true,
    input: { type: "object", properties, required, additionalProperties: false },
    control,
  })
}
