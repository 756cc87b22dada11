import { readFileSync } from "node:fs"
import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import { route } from "../../../agent/routing/route.ts"
import { formats } from "../../../definitions/formats/index.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { CadreError, describeThrown, listKnownNames } from "../../../ground/errors.ts"
import { needsTask } from "../../../run/begin/require-task.ts"
import type { ProcessContext } from "../command.ts"
import { UsageError } from "../usage-error.ts"
import { readNamedValues } from "./options.ts"

/** The agent and its task. */
export interface RunRequest {
  readonly agent: Agent
  readonly task: string
  /** Why the router chose this agent, or where the task comes from if the user gave none. */
  readonly reason?: string
}

export interface TaskInput {
  readonly words: readonly string[]
  readonly file: string | undefined
  /** The code node that the run works on. With it, most agents need no task. */
  readonly node?: string
  /** Inputs of a pipeline, as `NAME=VALUE`. */
  readonly inputs?: readonly string[]
  readonly autoRoute: "on" | "off"
  /** The ended run to continue. Its agent gets the task, unless the user names another agent. */
  readonly continued?: { readonly run: string; readonly agent: string }
}

/** Finds the agent and the task from the command line, a file or stdin. Throws if it is not clear which agent is meant. */
export async function readRequest(
  input: TaskInput,
  registry: SubagentRegistry,
  surroundings: Pick<ProcessContext, "stdin" | "directory">,
): Promise<RunRequest> {
  // If a run is continued, a single argument can only be the task.
  const isTold = input.continued && input.file === undefined && input.words.length === 1
  const { name, words }: Split = isTold ? { words: input.words } : splitName(input.words, registry)
  const agent =
    name === undefined
      ? undefined
      : requireAgent(
          name,
          registry,
          " To let cadre choose the agent, quote the task, so that it is one argument.",
        )
  const task = input.inputs
    ? inputTask(agent, input.inputs, words, input.file)
    : await taskOf(words, input.file, surroundings)
  const isLeftOut = task.trim() === "" && input.file === undefined && input.continued === undefined
  const usual = agent && isLeftOut ? usualRequest(agent) : undefined
  if (usual) return usual
  if (agent && isLeftOut && !needsTask(agent, input.node)) return { agent, task: "" }
  if (task.trim() === "")
    throw new UsageError("There is no task. Write it after the agent's name, use --file FILE, or pipe it in.")
  if (agent) return { agent, task }
  return input.continued && !isDirected(task)
    ? { agent: agentOf(input.continued, registry), task }
    : routed(task, input.autoRoute, registry)
}

function agentOf({ run, agent }: NonNullable<TaskInput["continued"]>, registry: SubagentRegistry): Agent {
  try {
    return registry.get(agent)
  } catch (error) {
    if (!(error instanceof CadreError) || error.code !== "AGENT_UNKNOWN") throw error
    throw new UsageError(
      `Run ${run} was a run of agent ${JSON.stringify(agent)}, which no longer exists. Name the agent that should continue it. ${listKnownNames(agent, registry.names())}`,
    )
  }
}

/** The default task of the agent's format, if the format has one. */
function usualRequest(agent: Agent): RunRequest | undefined {
  const format = formats.find(({ id }) => id === agent.origin.format)
  if (format?.usualTask === undefined) return undefined
  const { usualTask: task, title } = format
  return { agent, task, reason: `no task was given, so its task is "${task}", the default of ${title}` }
}

const isDirected = (text: string): boolean => /^\s*\/use(?:\s|$)/.test(text)

interface Split {
  readonly name?: string
  readonly words: readonly string[]
}

/** Splits off the agent's name. The first word is the name, unless it is no known name and contains a space. */
export function splitName(
  words: readonly string[],
  registry: Pick<SubagentRegistry, "find" | "entriesOf">,
): Split {
  const [first, ...rest] = words
  if (first === undefined || isDirected(first)) return { words }
  const isKnown = registry.find(first) !== undefined || registry.entriesOf(first).length > 0
  return isKnown || !/\s/.test(first) ? { name: first, words: rest } : { words }
}

/** `hint` is added to the error if there is no such agent. */
export function requireAgent(name: string, registry: SubagentRegistry, hint = ""): Agent {
  try {
    return registry.get(name)
  } catch (error) {
    if (!(error instanceof CadreError) || error.code !== "AGENT_UNKNOWN") throw error
    throw new UsageError(
      `There is no agent named ${JSON.stringify(name)}. ${knownAgents(name, registry)}${hint}`,
    )
  }
}

/** The known names, with broken agents: running one shows its problem. A file name suggests the agent in that file. */
function knownAgents(wrong: string, registry: SubagentRegistry): string {
  const entries = registry.entries()
  const ofFile = entries.find(({ candidate: { file } }) => file && path.parse(file.path).name === wrong)
  const broken = entries.filter(({ state }) => state.type === "broken")
  const names = [...registry.names(), ...broken.map(({ candidate }) => candidate.agent.name)]
  return listKnownNames(ofFile?.candidate.agent.name ?? wrong, new Set(names))
}

/** Builds the task of a pipeline from its inputs. Inputs of type string stay strings, others are parsed as JSON. */
function inputTask(
  agent: Agent | undefined,
  inputs: readonly string[],
  words: readonly string[],
  file: string | undefined,
): string {
  if (!agent) throw new UsageError("--input needs a pipeline. Name the pipeline first.")
  const schema = agent.pipeline?.inputs
  if (!schema)
    throw new UsageError(`Agent ${JSON.stringify(agent.name)} has no inputs. Write its task after the name.`)
  if (words.length > 0 || file !== undefined) throw new UsageError("Use either --input or a task, not both.")
  const types = schema.properties as { readonly [name: string]: { readonly type?: string } } | undefined
  const isText = (name: string) => types?.[name]?.type === "string"
  return JSON.stringify(readNamedValues("--input", inputs, isText))
}

async function taskOf(
  words: readonly string[],
  file: string | undefined,
  { stdin, directory }: Pick<ProcessContext, "stdin" | "directory">,
): Promise<string> {
  if (file !== undefined) {
    if (words.length > 0)
      throw new UsageError(
        `There are two tasks: --file and ${JSON.stringify(words.join(" "))}. Leave one out.`,
      )
    return readTask(path.resolve(directory, file))
  }
  // If the command line has a task, stdin is read only after `-`: a pipe that stays open would block the run.
  const wantsInput = words.length === 0 || words.at(-1) === "-"
  const text = (words.at(-1) === "-" ? words.slice(0, -1) : words).join(" ")
  if (!wantsInput || !stdin || (stdin.isTerminal && words.length === 0)) return text
  const piped = await stdin.readAll()
  return text === "" ? piped : `${text}\n\n${piped}`
}

function readTask(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    throw new UsageError(`The task file cannot be read: ${describeThrown(error)}.`)
  }
}

function routed(text: string, autoRoute: "on" | "off", registry: SubagentRegistry): RunRequest {
  const answer = route(registry.all(), { text }, { autoRoute })
  if (answer.type === "nobody") {
    const scores = answer.scores.map(
      ({ agent, score, matches }) => `${agent} (${score}: ${matches.join(", ")})`,
    )
    const hint =
      answer.reason === "Auto-routing disabled."
        ? " Name an agent, begin the task with `/use NAME`, or set `subagents.auto_route: true`."
        : ` ${listKnownNames("", registry.names())}`
    throw new UsageError(
      `No agent was chosen for this task: ${answer.reason}${hint}${scores.length > 0 ? ` Scores: ${scores.join("; ")}.` : ""}`,
    )
  }
  const agent = registry.get(answer.agent)
  if (answer.task.trim() !== "") return { agent, task: answer.task, reason: answer.reason }
  const usual = usualRequest(agent)
  if (usual) return usual
  throw new UsageError(`There is no task after \`/use ${answer.agent}\`. Write the task there.`)
}
