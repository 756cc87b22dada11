import type { Json } from "../../message.ts"
import { firstProblem, isRecord, modelProblem, schemaProblem, signatureOf, unknownKey } from "./protocol.ts"
import { strictProblem } from "./strict-problem.ts"

/** What OpenAI could refuse about the body of a request for a response. */
export function responsesProblem(body: Record<string, Json>): string | undefined {
  return (
    modelProblem(body) ??
    keyProblem(body, parameters) ??
    settingsProblem(body) ??
    toolsProblem(body) ??
    inputProblem(body.input)
  )
}

const parameters: readonly string[] = [
  ...["model", "input", "instructions", "stream", "stream_options", "store", "include", "metadata", "user"],
  ...["tools", "tool_choice", "parallel_tool_calls", "max_tool_calls", "max_output_tokens", "truncation"],
  ...["reasoning", "text", "temperature", "top_p", "top_logprobs", "service_tier", "previous_response_id"],
  ...["conversation", "prompt", "prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"],
  ...["safety_identifier", "background", "context_management"],
]

function settingsProblem(body: Record<string, Json>): string | undefined {
  const { max_output_tokens: limit, include, reasoning } = body
  for (const name of ["stream", "store", "parallel_tool_calls"])
    if (body[name] !== undefined && typeof body[name] !== "boolean") return `${name}: a boolean is required.`
  if (body.instructions !== undefined && typeof body.instructions !== "string")
    return "instructions: a string is required."
  if (limit !== undefined && !(typeof limit === "number" && Number.isInteger(limit) && limit >= 16))
    return `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit}.`
  for (const [name, most] of [
    ["temperature", 2],
    ["top_p", 1],
  ] as const) {
    const value = body[name]
    if (value !== undefined && !(typeof value === "number" && value >= 0 && value <= most))
      return `${name}: a number from 0 to ${most} is required.`
  }
  if (
    include !== undefined &&
    !(Array.isArray(include) && include.every((name) => includable.includes(name)))
  )
    return `include: a list of ${includable.join(", ")} is required.`
  if (reasoning === undefined) return undefined
  if (!isRecord(reasoning)) return "reasoning: an object is required."
  return (
    keyProblem(reasoning, ["effort", "summary", "mode", "context"], "reasoning.") ??
    (reasoning.effort === undefined || efforts.includes(String(reasoning.effort))
      ? undefined
      : `Invalid value: '${reasoning.effort}'. Supported values are: ${efforts.join(", ")}.`)
  )
}

const includable: readonly Json[] = ["reasoning.encrypted_content", "message.output_text.logprobs"]
const efforts: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

function toolsProblem({ tools, tool_choice }: Record<string, Json>): string | undefined {
  if (tools === undefined)
    return tool_choice === undefined ? undefined : "tool_choice: is only allowed when tools are given."
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  const names = new Set<unknown>()
  return firstProblem(tools as readonly Json[], (tool, index) => {
    const at = `tools[${index}]`
    if (!isRecord(tool) || tool.type !== "function") return `${at}: a function is required.`
    const extra = keyProblem(tool, ["type", "name", "description", "parameters", "strict"], `${at}.`)
    if (extra) return extra
    if (typeof tool.name !== "string" || !/^[\w-]{1,64}$/.test(tool.name))
      return `${at}.name: does not match ^[a-zA-Z0-9_-]{1,64}$.`
    if (names.has(tool.name)) return `${at}.name: ${tool.name} is there twice.`
    names.add(tool.name)
    if (tool.description !== undefined && typeof tool.description !== "string")
      return `${at}.description: a string is required.`
    const problem = schemaProblem(tool.parameters)
    if (problem) return `${at}.parameters: ${problem}`
    const refused = tool.strict === true ? strictProblem(tool.parameters!) : undefined
    return refused && `Invalid schema for function '${tool.name}': ${refused}`
  })
}

function inputProblem(input: Json | undefined): string | undefined {
  if (typeof input === "string") return input === "" ? "input: may not be empty." : undefined
  if (!Array.isArray(input) || input.length === 0)
    return "input: a text or a non-empty list of items is required."
  const items = input as readonly Json[]
  const open = new Set<string>()
  const seen = new Set<string>()
  const wrong = firstProblem(items, (item, index) => {
    const at = `input[${index}]`
    if (!isRecord(item)) return `${at}: an object is required.`
    switch (item.type ?? "message") {
      case "message":
        return messageProblem(item, at)
      case "function_call":
        return callProblem(item, at, { open, seen })
      case "function_call_output":
        return outputProblem(item, at, open)
      case "reasoning":
        return reasoningProblem(item, at, items[index + 1])
      case "item_reference":
        return `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`
      default:
        return `${at}.type: Invalid value: ${JSON.stringify(item.type)}.`
    }
  })
  if (wrong) return wrong
  return open.size === 0 ? undefined : `No tool output found for function call ${[...open].join(", ")}.`
}

function messageProblem(item: Record<string, Json>, at: string): string | undefined {
  const extra = keyProblem(item, ["type", "id", "role", "content", "status", "phase"], `${at}.`)
  if (extra) return extra
  if (!["user", "assistant", "system", "developer"].includes(String(item.role)))
    return `${at}.role: Invalid value: ${JSON.stringify(item.role)}.`
  if (typeof item.content === "string") return undefined
  if (!Array.isArray(item.content) || item.content.length === 0)
    return `${at}.content: a text or a non-empty list is required.`
  const type = item.role === "assistant" ? "output_text" : "input_text"
  return firstProblem(item.content as readonly Json[], (part, index) => {
    const where = `${at}.content[${index}]`
    if (!isRecord(part) || part.type !== type) return `${where}: a part of type ${type} is required.`
    return (
      keyProblem(part, ["type", "text", "annotations", "logprobs"], `${where}.`) ??
      (typeof part.text === "string" ? undefined : `${where}.text: a string is required.`)
    )
  })
}

function callProblem(
  item: Record<string, Json>,
  at: string,
  { open, seen }: { readonly open: Set<string>; readonly seen: Set<string> },
): string | undefined {
  const extra = keyProblem(item, ["type", "id", "call_id", "name", "arguments", "status"], `${at}.`)
  if (extra) return extra
  const { call_id: id } = item
  if (typeof id !== "string" || id === "" || id.length > 64)
    return `${at}.call_id: a string of 1 to 64 characters is required.`
  if (seen.has(id)) return `${at}.call_id: ${id} is in the conversation twice.`
  if (typeof item.name !== "string" || !/^[\w-]{1,64}$/.test(item.name))
    return `${at}.name: does not match ^[a-zA-Z0-9_-]{1,64}$.`
  if (typeof item.arguments !== "string") return `${at}.arguments: a string is required.`
  seen.add(id)
  open.add(id)
  return undefined
}

function outputProblem(item: Record<string, Json>, at: string, open: Set<string>): string | undefined {
  const extra = keyProblem(item, ["type", "id", "call_id", "output", "status"], `${at}.`)
  if (extra) return extra
  if (typeof item.output !== "string") return `${at}.output: a string is required.`
  return open.delete(String(item.call_id))
    ? undefined
    : `No tool call found for function call output with call_id ${item.call_id}.`
}

function reasoningProblem(
  item: Record<string, Json>,
  at: string,
  next: Json | undefined,
): string | undefined {
  const extra = keyProblem(
    item,
    ["type", "id", "summary", "encrypted_content", "content", "status"],
    `${at}.`,
  )
  if (extra) return extra
  if (!Array.isArray(item.summary)) return `${at}.summary: a list is required.`
  const texts = (item.summary as readonly Json[]).map((part) => (isRecord(part) ? part.text : undefined))
  if (!texts.every((text) => typeof text === "string"))
    return `${at}.summary: parts with a text are required.`
  const sealed = item.encrypted_content
  const isOurs = texts.length === 0 ? sealed !== "" : sealed === signatureOf(texts.join(""))
  if (typeof sealed !== "string" || !isOurs)
    return `The encrypted content for item ${item.id} could not be verified.`
  const follows =
    isRecord(next) &&
    (next.type === "reasoning" ||
      next.type === "function_call" ||
      ((next.type ?? "message") === "message" && next.role === "assistant"))
  return follows
    ? undefined
    : `Item '${item.id}' of type 'reasoning' was provided without its required following item.`
}

function keyProblem(value: Record<string, Json>, allowed: readonly string[], at = ""): string | undefined {
  const extra = unknownKey(value, allowed)
  return extra === undefined ? undefined : `Unknown parameter: '${at}${extra}'.`
}
