import { readFileSync } from "node:fs"
import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import { route } from "../../../agent/routing/route.ts"
import { formats } from "../../../definitions/formats/index.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { CadreError, knownNames, messageOf } from "../../../ground/errors.ts"
import { needsTask } from "../../../run/begin/require-task.ts"
import type { Surroundings } from "../command.ts"
import { UsageError } from "../usage-error.ts"
import { namedValues } from "./options.ts"

/** Who is to do what. */
export interface Request {
  readonly agent: Agent
  readonly task: string
  /** Why this agent, where the router chose it, or why this task, where nobody gave one. */
  readonly reason?: string
}

export interface Given {
  readonly words: readonly string[]
  readonly file: string | undefined
  /** Inputs of a pipeline, as `NAME=VALUE`. */
  readonly inputs?: readonly string[]
  readonly autoRoute: "on" | "off"
  /** The run to go on with: its agent is meant where no other is named. */
  readonly continued?: { readonly run: string; readonly agent: string }
}

/** Reads the words of the command line, with the task from where it was given. Throws where it is not clear who is meant. */
export async function readRequest(
  given: Given,
  registry: SubagentRegistry,
  surroundings: Pick<Surroundings, "stdin" | "directory">,
): Promise<Request> {
  // With a run to go on with, a word alone can only be what to tell it.
  const isTold = given.continued && given.file === undefined && given.words.length === 1
  const { name, words }: Split = isTold ? { words: given.words } : splitName(given.words, registry)
  const agent =
    name === undefined
      ? undefined
      : agentNamed(name, registry, " A task without a name is one argument, in quotes.")
  const task = given.inputs
    ? inputTask(agent, given.inputs, words, given.file)
    : await taskOf(words, given.file, surroundings)
  const isLeftOut = task.trim() === "" && given.file === undefined && given.continued === undefined
  const usual = agent && isLeftOut ? usualRequest(agent) : undefined
  if (usual) return usual
  if (agent && isLeftOut && !needsTask(agent)) return { agent, task: "" }
  if (task.trim() === "")
    throw new UsageError(
      "There is no task: write it after the name, give it with --file FILE, or pipe it in.",
    )
  if (agent) return { agent, task }
  return given.continued && !isDirected(task)
    ? { agent: agentOf(given.continued, registry), task }
    : routed(task, given.autoRoute, registry)
}

function agentOf({ run, agent }: NonNullable<Given["continued"]>, registry: SubagentRegistry): Agent {
  try {
    return registry.get(agent)
  } catch (error) {
    if (!(error instanceof CadreError) || error.code !== "AGENT_UNKNOWN") throw error
    throw new UsageError(
      `Run ${run} was one of agent ${JSON.stringify(agent)}, which is not there any more. Name the agent that is to go on with it. ${knownNames(agent, registry.names())}`,
    )
  }
}

/** As the tool has it whose format the agent is written in. */
function usualRequest(agent: Agent): Request | undefined {
  const format = formats.find(({ id }) => id === agent.origin.format)
  if (format?.usualTask === undefined) return undefined
  const { usualTask: task, title } = format
  return { agent, task, reason: `no task was given, so it is told "${task}", as ${title} has it` }
}

const isDirected = (text: string): boolean => /^\s*\/use(?:\s|$)/.test(text)

interface Split {
  readonly name?: string
  readonly words: readonly string[]
}

/** The first word is a name unless it can only be a task. */
export function splitName(
  words: readonly string[],
  registry: Pick<SubagentRegistry, "find" | "entriesOf">,
): Split {
  const [first, ...rest] = words
  if (first === undefined || isDirected(first)) return { words }
  const isKnown = registry.find(first) !== undefined || registry.entriesOf(first).length > 0
  return isKnown || !/\s/.test(first) ? { name: first, words: rest } : { words }
}

/** `hint` says what else may be wrong where there is no such agent. */
export function agentNamed(name: string, registry: SubagentRegistry, hint = ""): Agent {
  try {
    return registry.get(name)
  } catch (error) {
    if (!(error instanceof CadreError) || error.code !== "AGENT_UNKNOWN") throw error
    throw new UsageError(
      `There is no agent named ${JSON.stringify(name)}. ${knownAgents(name, registry)}${hint}`,
    )
  }
}

/** Broken definitions are listed, too: a run of one says what is wrong. A file's name suggests the agent that it defines. */
function knownAgents(wrong: string, registry: SubagentRegistry): string {
  const entries = registry.entries()
  const ofFile = entries.find(({ candidate: { file } }) => file && path.parse(file.path).name === wrong)
  const broken = entries.filter(({ state }) => state.type === "broken")
  const names = [...registry.names(), ...broken.map(({ candidate }) => candidate.agent.name)]
  return knownNames(ofFile?.candidate.agent.name ?? wrong, new Set(names))
}

/** A task that is given input by input. What is text by its type stays that, anything else is read as JSON. */
function inputTask(
  agent: Agent | undefined,
  inputs: readonly string[],
  words: readonly string[],
  file: string | undefined,
): string {
  if (!agent) throw new UsageError("--input belongs to a pipeline: name it first.")
  const schema = agent.pipeline?.inputs
  if (!schema)
    throw new UsageError(`Agent ${JSON.stringify(agent.name)} has no inputs: write its task after the name.`)
  if (words.length > 0 || file !== undefined)
    throw new UsageError("--input and a task say the same twice; give one of them.")
  const types = schema.properties as { readonly [name: string]: { readonly type?: string } } | undefined
  const isText = (name: string) => types?.[name]?.type === "string"
  return JSON.stringify(namedValues("--input", inputs, isText))
}

async function taskOf(
  words: readonly string[],
  file: string | undefined,
  { stdin, directory }: Pick<Surroundings, "stdin" | "directory">,
): Promise<string> {
  if (file !== undefined) {
    if (words.length > 0)
      throw new UsageError(`--file and ${JSON.stringify(words.join(" "))} are two tasks; give one of them.`)
    return readTask(path.resolve(directory, file))
  }
  // With words, what is piped in is read only where a `-` asks for it: a pipe that nobody closes would hold the run up.
  const wantsInput = words.length === 0 || words.at(-1) === "-"
  const said = (words.at(-1) === "-" ? words.slice(0, -1) : words).join(" ")
  if (!wantsInput || !stdin || (stdin.isTerminal && words.length === 0)) return said
  const piped = await stdin.readAll()
  return said === "" ? piped : `${said}\n\n${piped}`
}

function readTask(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    throw new UsageError(`The task cannot be read: ${messageOf(error)}.`)
  }
}

function routed(text: string, autoRoute: "on" | "off", registry: SubagentRegistry): Request {
  const answer = route(registry.all(), { text }, { autoRoute })
  if (answer.type === "nobody") {
    const scores = answer.scores.map(
      ({ agent, score, matches }) => `${agent} (${score}: ${matches.join(", ")})`,
    )
    const hint =
      answer.reason === "Auto-routing disabled."
        ? " Name an agent, begin with `/use NAME`, or set `subagents.auto_route: true`."
        : ` ${knownNames("", registry.names())}`
    throw new UsageError(
      `No agent takes this task: ${answer.reason}${hint}${scores.length > 0 ? ` Scores: ${scores.join("; ")}.` : ""}`,
    )
  }
  const agent = registry.get(answer.agent)
  if (answer.task.trim() !== "") return { agent, task: answer.task, reason: answer.reason }
  const usual = usualRequest(agent)
  if (usual) return usual
  throw new UsageError(`There is no task after \`/use ${answer.agent}\`: write what it is to do.`)
}
