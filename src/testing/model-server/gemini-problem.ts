import type { Json } from "../../message.ts"
import { attachmentProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import { firstProblem, isRecord, schemaProblem, signatureOf, unknownKey } from "./protocol.ts"

/** What Gemini could refuse about a request's body. */
export function geminiProblem(body: Record<string, Json>): string | undefined {
  return (
    keyProblem(body, parameters) ??
    systemProblem(body.systemInstruction) ??
    settingsProblem(body.generationConfig) ??
    toolsProblem(body) ??
    contentsProblem(body.contents)
  )
}

/** What the server puts on a call that followed reasoning, and wants to see on it again. */
export const callSignature = (name: string, args: unknown): string =>
  signatureOf(`${name}${JSON.stringify(args)}`)

const parameters: readonly string[] = [
  ...["contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "safetySettings"],
  ...["cachedContent", "labels", "serviceTier"],
]

const settings: readonly string[] = [
  ...["maxOutputTokens", "temperature", "topK", "topP", "frequencyPenalty", "presencePenalty", "seed"],
  ...["stopSequences", "responseMimeType", "responseSchema", "responseJsonSchema", "responseModalities"],
  ...["thinkingConfig", "mediaResolution", "candidateCount", "responseLogprobs", "logprobs"],
]

function systemProblem(given: Json | undefined): string | undefined {
  if (given === undefined) return undefined
  return isRecord(given) && Array.isArray(given.parts) && given.parts.length > 0
    ? firstProblem(given.parts as readonly Json[], (part, index) =>
        partProblem(part, `system_instruction.parts[${index}]`, ["text"]),
      )
    : "system_instruction: parts are required."
}

function settingsProblem(given: Json | undefined): string | undefined {
  if (given === undefined) return undefined
  if (!isRecord(given)) return "generation_config: an object is required."
  const { maxOutputTokens: limit } = given
  if (limit !== undefined && !(typeof limit === "number" && Number.isInteger(limit) && limit >= 1))
    return "generation_config.max_output_tokens: a whole number of at least 1 is required."
  return keyProblem(given, settings, "generation_config.")
}

function toolsProblem({ tools, toolConfig }: Record<string, Json>): string | undefined {
  if (tools === undefined)
    return toolConfig === undefined ? undefined : "tool_config: is only allowed when tools are given."
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  const names = new Set<unknown>()
  const declared = (tools as readonly Json[]).map((tool) => isRecord(tool) && tool.functionDeclarations)
  if (!declared.every((list) => Array.isArray(list) && list.length > 0))
    return "tools: function_declarations are required."
  return firstProblem(declared.flat() as readonly Json[], (tool, index) => {
    const at = `tools.function_declarations[${index}]`
    if (!isRecord(tool)) return `${at}: an object is required.`
    const extra = keyProblem(
      tool,
      ["name", "description", "parameters", "parametersJsonSchema", "response", "behavior"],
      `${at}.`,
    )
    if (extra) return extra
    if (typeof tool.name !== "string" || !/^[A-Za-z_][\w.:-]{0,63}$/.test(tool.name))
      return `${at}.name: Invalid function name.`
    if (names.has(tool.name)) return `Duplicate function declaration found: ${tool.name}`
    names.add(tool.name)
    if (typeof tool.description !== "string") return `${at}.description: a string is required.`
    const schema = tool.parametersJsonSchema ?? tool.parameters
    const problem = schema === undefined ? undefined : schemaProblem(schema)
    return problem && `${at}.parameters: ${problem}`
  })
}

interface Called {
  readonly id: Json | undefined
  readonly name: Json | undefined
}

function contentsProblem(contents: Json | undefined): string | undefined {
  if (!Array.isArray(contents) || contents.length === 0) return "contents: a non-empty list is required."
  let open: readonly Called[] = []
  let before: Json | undefined
  const wrong = firstProblem(contents as readonly Json[], (content, index) => {
    const at = `contents[${index}]`
    if (!isRecord(content)) return `${at}: an object is required.`
    const extra = keyProblem(content, ["role", "parts"], `${at}.`)
    if (extra) return extra
    const { role, parts } = content
    if (role !== "user" && role !== "model") return "Please use a valid role: user, model."
    if (index === 0 && role === "model") return "Please ensure that the first turn is a user turn."
    if (role === "model" && before === "model") return `${at}: a model turn must follow a user turn.`
    if (!Array.isArray(parts) || parts.length === 0) return `${at}.parts: must not be empty.`
    const allowed = role === "user" ? ["text", "inlineData", "functionResponse"] : ["text", "functionCall"]
    const problem =
      firstProblem(parts as readonly Json[], (part, place) =>
        partProblem(part, `${at}.parts[${place}]`, allowed),
      ) ?? answersProblem(calledIn(parts, "functionResponse"), open)
    if (problem) return problem
    open = calledIn(parts, "functionCall")
    before = role
    return undefined
  })
  if (wrong) return wrong
  return before === "user" ? undefined : "Please ensure that the last turn is a user turn."
}

const calledIn = (parts: readonly Json[], key: "functionCall" | "functionResponse"): readonly Called[] =>
  parts.flatMap((part) => {
    const given = isRecord(part) ? part[key] : undefined
    return isRecord(given) ? [{ id: given.id, name: given.name }] : []
  })

function answersProblem(given: readonly Called[], wanted: readonly Called[]): string | undefined {
  if (given.length !== wanted.length)
    return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
  return firstProblem(given, ({ id, name }, index) =>
    id === wanted[index]?.id && name === wanted[index]?.name
      ? undefined
      : `The function response ${index} is not for the function call ${index}.`,
  )
}

function partProblem(part: Json, at: string, allowed: readonly string[]): string | undefined {
  if (!isRecord(part)) return `${at}: an object is required.`
  const extra = keyProblem(part, [...allowed, "thought", "thoughtSignature"], `${at}.`)
  if (extra) return extra
  const kinds = allowed.filter((key) => part[key] !== undefined)
  if (kinds.length !== 1) return `${at}.data: required oneof field 'data' must have one initialized field`
  const { text, functionCall: call, functionResponse: answer, thoughtSignature: signature } = part
  if (kinds[0] === "text")
    return typeof text === "string" && (text !== "" || signature !== undefined)
      ? undefined
      : `${at}.text: a non-empty string is required.`
  if (kinds[0] === "inlineData") {
    const data = isRecord(part.inlineData) ? part.inlineData : {}
    const problem = attachmentProblem(data.mimeType, data.data, [...pictureTypes, ...pdfTypes])
    return problem && `${at}.inlineData.${problem}`
  }
  const named = call ?? answer
  if (!isRecord(named) || typeof named.name !== "string" || !/^[\w.:-]{1,64}$/.test(named.name))
    return `${at}: Invalid function name.`
  const value = call === undefined ? named.response : (named.args ?? {})
  if (!isRecord(value)) return `${at}: a struct is required.`
  if (signature === undefined || signature === callSignature(named.name, value)) return undefined
  return signature === "skip_thought_signature_validator" ? undefined : "Thought signature is not valid."
}

function keyProblem(value: Record<string, Json>, allowed: readonly string[], at = ""): string | undefined {
  const extra = unknownKey(value, allowed)
  return extra === undefined
    ? undefined
    : `Invalid JSON payload received. Unknown name "${at}${extra}": Cannot find field.`
}
