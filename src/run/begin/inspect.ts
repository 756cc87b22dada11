import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { ModelReply, ReplyCall } from "../../agent/model.ts"
import { hash } from "../../ground/crypto.ts"
import { knownNames, messageOf } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"
import type { AskedCall } from "../log/event.ts"
import type { Definition } from "../ports/pinned.ts"
import type { accessesOf } from "../rights/accesses.ts"

/**
 * Numbers and checks the calls of a reply. What is wrong with a call becomes its `problem`, worded for the model;
 * arguments that do not parse are never replaced by something that does.
 */
export async function inspectCalls(
  reply: Pick<ModelReply, "calls">,
  definition: Definition,
  options: {
    firstNumber: number
    usedWires: ReadonlySet<string> | undefined
    closing: boolean
    /** Takes the valid input of a call. */
    keepInput: (call: string, input: CheckedInput) => void
    accessesOf: (tool: string, input: unknown) => ReturnType<typeof accessesOf>
    /** What is wrong with the agent that a call names, before any rule is asked about it. */
    unknownAgent: (tool: string, input: unknown) => string | undefined
    /** Why the run may not call a tool that there is for others; undefined where there is none. */
    refusalOf: (tool: string) => string | undefined
  },
): Promise<readonly AskedCall[]> {
  const wires = new Set<string>()
  return Promise.all(
    reply.calls.map(async (made, index): Promise<AskedCall> => {
      const id = `c${options.firstNumber + index}`
      const wire = uniqueWire(made.wire, id, options.usedWires, wires)
      wires.add(wire)
      const tool = definition.byName.get(made.tool) ?? underOtherName(made.tool, definition)
      const call = tool ? { ...made, tool: tool.name } : made
      let asked: ReturnType<typeof accessesOf>
      let unknown: string | undefined
      const refusal = tool ? undefined : options.refusalOf(call.tool)
      const problem =
        (refusal ?? made.problem) !== undefined
          ? (refusal ?? made.problem)
          : options.closing && tool?.kind !== "submit"
            ? "Not run: this is the closing turn and no tools are offered in it. Give your final answer."
            : ((await findProblem(call, definition, (value) => {
                options.keepInput(id, { text: call.arguments, value })
                unknown = options.unknownAgent(call.tool, value)
                if (unknown === undefined) asked = options.accessesOf(call.tool, value)
              })) ?? unknown)
      const accesses = asked instanceof Promise ? await asked : asked
      return {
        id,
        wire,
        tool: call.tool.slice(0, 200),
        arguments: call.arguments,
        kind: tool?.kind ?? "function",
        effect: tool?.effect ?? "read",
        ...(accesses && { accesses }),
        ...(problem !== undefined && { problem }),
        ...(refusal !== undefined && { refused: true }),
      }
    }),
  )
}

/** Models have learnt other hosts' names for handing work on, and those take other hosts' arguments. */
function underOtherName(name: string, { byName }: Definition): ReturnType<Definition["byName"]["get"]> {
  const meant = lookUpTool(name)
  const tool = meant.type === "equivalent" ? byName.get(meant.name) : undefined
  return tool?.kind === "delegation" ? tool : undefined
}

/** Input that is valid for as long as its text is the call's. */
export interface CheckedInput {
  readonly text: string
  readonly value: unknown
}

/** One word for what a turn asked for: order of calls and of keys does not matter, pollers do not count. */
export function signTurn(calls: readonly AskedCall[], definition: Definition): string | undefined {
  const asked = calls.filter((call) => !definition.byName.get(call.tool)?.poller)
  if (asked.length === 0) return undefined
  const words = asked.map((call) => `${call.tool} ${canonical(call.arguments)}`).sort()
  return hash("sha1", words.join("\n"), "base64url")
}

async function findProblem(
  call: ReplyCall,
  definition: Definition,
  keep: (value: unknown) => void,
): Promise<string | undefined> {
  const offered = () =>
    knownNames(
      call.tool,
      definition.offered.map((tool) => tool.name),
    )
  const validate = definition.validate(call.tool)
  if (!validate)
    return `There is no tool named ${JSON.stringify(call.tool.slice(0, 100))} here, so nothing was run. ${offered()}`
  const parsed = parseArguments(call.arguments)
  if ("problem" in parsed) return parsed.problem
  // A validator is foreign code, and deep input can exhaust its stack.
  let failure: unknown
  const checked = await validate(parsed.value).catch((error) => {
    failure = error
    return { problem: messageOf(error) }
  })
  if (failure !== undefined && isOutOfFiles(failure)) return notBecauseOfIt(call.tool)
  if ("problem" in checked)
    return `The arguments of ${call.tool} are not valid, so it was not run. ${checked.problem}`
  keep(checked.value)
  return undefined
}

/** What keeps a call from running that is not its fault: nothing about it can be mended. */
export const notBecauseOfIt = (tool: string): string =>
  `This ${tool} call was not run, and nothing is wrong with it: ${outOfFiles}. Try again later, or say that this kept you from it.`

/** The object in an argument text, or what is wrong with it. */
export function parseArguments(text: string): { value: Record<string, unknown> } | { problem: string } {
  if (isDeeperThan(deepest, text))
    return {
      problem: `The arguments are nested more than ${deepest} levels deep, so nothing was run. Send a flatter object.`,
    }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      problem: `The arguments are not valid JSON, so nothing was run: ${messageOf(error)}. Send one complete JSON object.`,
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return {
      problem: `The arguments must be one JSON object with named values, but they are ${Array.isArray(value) ? "a list" : String(value)}. Nothing was run.`,
    }
  return { value: value as Record<string, unknown> }
}

/** Deeper than this a value cannot be relied on to be written out again, and no tool wants one. */
const deepest = 500

function isDeeperThan(levels: number, text: string): boolean {
  if (text.length < 2 * levels) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (quoted && character === "\\") at++
    else if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === "[" || character === "{") {
      if (++depth > levels) return true
    } else if (character === "]" || character === "}") depth--
  }
  return false
}

/** Providers repeat ids, leave them empty or make them huge; in a history each must be there once. */
function uniqueWire(
  wire: string,
  id: string,
  used: ReadonlySet<string> | undefined,
  here: ReadonlySet<string>,
): string {
  const isTaken = (candidate: string) => used?.has(candidate) || here.has(candidate)
  if (/^[A-Za-z0-9_-]{1,64}$/.test(wire) && !isTaken(wire)) return wire
  let candidate = `call_${id}`
  while (isTaken(candidate)) candidate += "_"
  return candidate
}

function canonical(text: string): string {
  try {
    return JSON.stringify(sortKeys(JSON.parse(text)))
  } catch {
    return text
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}
