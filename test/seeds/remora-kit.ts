import path from "node:path"
import { loadSubagentDefinition } from "../../src/files.ts"
import {
  type Agent,
  createRuntime,
  type Model,
  type ModelRequest,
  memoryStore,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type ScriptedTurn,
  scriptedModel,
  type Tool,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"

/** A code node as `findNode` gives it. */
export const node = {
  id: "0123456789abcdef",
  type: "method",
  name: "next",
  fullName: "Parser.next",
  file: "src/parser.py",
  startLine: 3,
  endLine: 4,
  text: "def next(self):\n    return 1\n",
}

export interface DefinitionParts {
  readonly name?: string
  readonly maxTurns?: number
  readonly nodeContext?: string
  /** Entries of `tools` as YAML, besides `submit_result`. */
  readonly tools?: string
  /** The parameters of `submit_result`. */
  readonly result?: object
  /** Further files, from the agents folder. */
  readonly files?: Readonly<Record<string, string>>
}

/** A folder `agents` with one definition of the first generation. */
export function agentsFolder({
  name = "lint_agent",
  maxTurns = 4,
  nodeContext = "{{ node_type }} {{ node_name }} of {{ file_path }}:\n{{ node_text }}",
  tools = "",
  result = { type: "object", additionalProperties: false, properties: { summary: { type: "string" } } },
  files = {},
}: DefinitionParts = {}): string {
  return path.join(
    temporaryFolder({
      "agents/x_subagent.yaml": `name: ${name}
model_id: m
max_turns: ${maxTurns}
initial_context:
  system_prompt: You work on code.
  node_context: ${JSON.stringify(nodeContext)}
tools:
  - name: submit_result
    pym: tools/submit.pym
    description: Hand in the result.
    parameters: ${JSON.stringify(result)}
${tools}`,
      "agents/tools/submit.pym": "{}\n",
      ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`agents/${file}`, text])),
    }),
    "agents",
  )
}

export const loadFrom = (agentsDir: string) => loadSubagentDefinition("x_subagent.yaml", { agentsDir })

export const submit = (input: object = { summary: "Done." }) => ({ tool: "submit_result", input })

export interface Ran {
  readonly result: RunResult
  readonly requests: readonly ModelRequest[]
  readonly events: readonly RunEvent[]
}

interface RunParts extends RunOptions {
  readonly tools?: never
  /** Tools of the program. */
  readonly own?: readonly Tool[]
  readonly task?: string
}

/** Runs the definition of a folder on the node, with these replies. */
export const runDefinition = (
  agentsDir: string,
  turns: readonly ScriptedTurn[],
  parts: RunParts = {},
): Promise<Ran> => runAgent(loadFrom(agentsDir).agent, turns, parts)

export async function runAgent(
  agent: Agent,
  turns: readonly ScriptedTurn[],
  { own = [], task = "", ...options }: RunParts = {},
): Promise<Ran> {
  const requests: ModelRequest[] = []
  const runtime = createRuntime({
    agents: [agent],
    tools: own,
    models: { m: watched(scriptedModel({ [agent.name]: turns }, "m"), requests) },
    store: memoryStore(),
  })
  const handle = runtime.run(agent, task, { node, ...options })
  const events: RunEvent[] = []
  for await (const event of handle) if ("seq" in event) events.push(event as RunEvent)
  const result = await handle.done
  await runtime.close()
  return { result, requests, events }
}

/** A model that keeps the requests it gets. */
const watched = (model: Model, requests: ModelRequest[]): Model => ({
  ...model,
  stream(request, onDelta) {
    requests.push({ ...request, messages: [...request.messages] } as ModelRequest)
    return model.stream(request, onDelta)
  },
})

/** The ends of all calls but those that hand in the result. */
export const endsOf = (events: readonly RunEvent[]) =>
  events.flatMap((event) =>
    event.type === "tool-end" && event.result.text !== "Accepted."
      ? [{ call: event.call, ...event.result }]
      : [],
  )
