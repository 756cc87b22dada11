import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { ModelReply, ReplyCall } from "../../agent/model.ts"
import { hash } from "../../ground/crypto.ts"
import { describeThrown, listKnownNames } from "../../ground/errors.ts"
import { isOutOfFiles, outOfFiles } from "../../ground/out-of-files.ts"
import type { AskedCall } from "../log/event.ts"
import type { Definition } from "../ports/pinned.ts"
import type { resolveAccesses } from "../rights/accesses.ts"

/**
 * Numbers and checks the calls of a reply. A fault in a call becomes its `problem`, worded for the model. Arguments
 * that do not parse are never replaced by others that do.
 */
export async function inspectCalls(
  reply: Pick<ModelReply, "calls">,
  definition: Definition,
  options: {
    firstNumber: number
    /** The wires of all earlier calls of the run. */
    usedWires: ReadonlySet<string> | undefined
    closing: boolean
    /** Called with the input of each call whose arguments are valid. */
    keepInput: (call: string, input: CheckedInput) => void
    accessesOf: (tool: string, input: unknown) => ReturnType<typeof resolveAccesses>
    /** The problem with the agent that a call names, found before any rule is asked about the call. */
    unknownAgent: (tool: string, input: unknown) => string | undefined
    /** The reason that this run may not call a tool which other runs have; undefined if no run has it. */
    refusalOf: (tool: string) => string | undefined
  },
): Promise<readonly AskedCall[]> {
  const wires = new Set<string>()
  return Promise.all(
    reply.calls.map(async (replyCall, index): Promise<AskedCall> => {
      const id = `c${options.firstNumber + index}`
      const wire = uniqueWire(replyCall.wire, id, options.usedWires, wires)
      wires.add(wire)
      const tool = definition.byName.get(replyCall.tool) ?? underOtherName(replyCall.tool, definition)
      const call = tool ? { ...replyCall, tool: tool.name } : replyCall
      let pendingAccesses: ReturnType<typeof resolveAccesses>
      let agentProblem: string | undefined
      const refusal = tool ? undefined : options.refusalOf(call.tool)
      const problem =
        (refusal ?? replyCall.problem) !== undefined
          ? (refusal ?? replyCall.problem)
          : options.closing && tool?.kind !== "submit"
            ? closingProblem(definition)
            : ((await findProblem(call, definition, (value) => {
                options.keepInput(id, { text: call.arguments, value })
                agentProblem = options.unknownAgent(call.tool, value)
                if (agentProblem === undefined) pendingAccesses = options.accessesOf(call.tool, value)
              })) ?? agentProblem)
      const accesses = pendingAccesses instanceof Promise ? await pendingAccesses : pendingAccesses
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

const closingProblem = ({ closing: [submit] }: Definition): string =>
  submit
    ? `Not run: this is the closing turn and only ${submit.name} is offered in it. Call it with your result.`
    : "Not run: this is the closing turn and no tools are offered in it. Give your final answer."

/** Models know other hosts' names for the tool Agent, and the tool accepts those hosts' arguments. */
function underOtherName(name: string, { byName }: Definition): ReturnType<Definition["byName"]["get"]> {
  const lookup = lookUpTool(name)
  const tool = lookup.type === "equivalent" ? byName.get(lookup.name) : undefined
  return tool?.kind === "delegation" ? tool : undefined
}

/** Validated input. It stays valid as long as the call's arguments are this text. */
export interface CheckedInput {
  readonly text: string
  readonly value: unknown
}

/** A hash of a turn's calls, to find repeated turns. The order of calls and of keys does not matter, pollers do not count. */
export function signTurn(calls: readonly AskedCall[], definition: Definition): string | undefined {
  const countedCalls = calls.filter((call) => !definition.byName.get(call.tool)?.poller)
  if (countedCalls.length === 0) return undefined
  const words = countedCalls.map((call) => `${call.tool} ${canonical(call.arguments)}`).sort()
  return hash("sha1", words.join("\n"), "base64url")
}

async function findProblem(
  call: ReplyCall,
  definition: Definition,
  keep: (value: unknown) => void,
): Promise<string | undefined> {
  const offeredNames = () =>
    listKnownNames(
      call.tool,
      definition.offered.map((tool) => tool.name),
    )
  const validate = definition.validate(call.tool)
  if (!validate)
    return `There is no tool named ${JSON.stringify(call.tool.slice(0, 100))} here, so nothing was run. ${offeredNames()}`
  const parsed = parseArguments(call.arguments)
  if ("problem" in parsed) return parsed.problem
  // A validator is foreign code, and deep input can exhaust its stack.
  let failure: unknown
  const checked = await validate(parsed.value).catch((error) => {
    failure = error
    return { problem: describeThrown(error) }
  })
  if (failure !== undefined && isOutOfFiles(failure)) return describeOutOfFiles(call.tool)
  if ("problem" in checked)
    return `The arguments of ${call.tool} are not valid, so it was not run. ${checked.problem}`
  keep(checked.value)
  return undefined
}

/** The result of a call that failed for lack of open files: the model cannot fix that. */
export const describeOutOfFiles = (tool: string): string =>
  `This ${tool} call was not run, but the call itself is valid: ${outOfFiles}. Try again later, or report that this stopped you.`

/** The object in an argument text, or the problem with the text. */
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
      problem: `The arguments are not valid JSON, so nothing was run: ${describeThrown(error)}. Send one complete JSON object.`,
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return {
      problem: `The arguments must be one JSON object with named values, but they are ${Array.isArray(value) ? "a list" : String(value)}. Nothing was run.`,
    }
  return { value: value as Record<string, unknown> }
}

/** A value that is nested deeper may fail to be written as JSON again, and no tool needs one. */
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

/** Providers repeat the ids of calls, leave them empty or make them huge. In a history each must be unique. */
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
