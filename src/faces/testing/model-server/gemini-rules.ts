import type { Json } from "../../../ground/message.ts"
import { findAttachmentProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import {
  findFirstProblem,
  findToolSchemaProblem,
  findUnknownKey,
  isRecord,
  makeSignature,
} from "./protocol.ts"
import type { RefusalRule } from "./rule.ts"

type Body = Record<string, Json>

const reportedIn = (source: string) => ({ source, read: "2026-11-18", status: 400, code: "INVALID_ARGUMENT" })

/** Gemini's rules for a request in its own protocol, in the order of checking. */
export const geminiRules: readonly RefusalRule[] = [
  {
    name: "fields",
    says: "Invalid JSON payload received. Unknown name \"role\" at 'contents[0].parts': Cannot find field.",
    ...reportedIn(
      "github.com/gera2ld/ai.nvim/issues/13 and github.com/google-gemini/gemini-cli/issues/13972",
    ),
    refuses: fieldsProblem,
  },
  {
    name: "system instruction",
    says: "GenerateContentRequest.system_instruction.parts[0].data: required oneof field 'data' must have one initialized field",
    ...reportedIn("github.com/songquanpeng/one-api/issues/2243"),
    refuses: ({ systemInstruction }) => systemProblem(systemInstruction),
  },
  {
    name: "most output",
    says: "Unable to submit request because it has a maxOutputTokens value of 655360 but the supported range is from 1 (inclusive) to 8193 (exclusive).",
    ...reportedIn(
      "github.com/stackblitz-labs/bolt.diy/issues/955 (Vertex AI); that 0 is refused in these words was not seen",
    ),
    refuses: ({ generationConfig }) => settingsProblem(generationConfig),
  },
  {
    name: "names of functions",
    says: "Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.",
    ...reportedIn("github.com/kaitranntt/ccs/issues/25"),
    refuses: ({ tools }) =>
      findFirstProblem(declaredIn(tools), (tool, index) =>
        isRecord(tool) && typeof tool.name === "string" && functionName.test(tool.name)
          ? undefined
          : `The GenerateContentRequest proto is invalid: tools[0].function_declarations[${index}].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`,
      ),
  },
  {
    name: "functions twice",
    says: "Duplicate function declaration found: load_conversation_data",
    ...reportedIn("github.com/tridz-dev/huf/pull/341"),
    refuses: ({ tools }) => {
      const names = declaredIn(tools).map((tool) => (isRecord(tool) ? tool.name : undefined))
      const twice = names.find((name, index) => names.indexOf(name) < index)
      return twice === undefined ? undefined : `Duplicate function declaration found: ${twice}`
    },
  },
  {
    name: "tools",
    says: "Tool: function_declarations[]: FunctionDeclaration. name: string, description: string, parametersJsonSchema: value.",
    ...reportedIn(
      "ai.google.dev/api/caching#Tool, by the types of `@ai-sdk/google`; no refusal of a wrong one was found, and these words are the server's own",
    ),
    refuses: toolsProblem,
  },
  {
    name: "contents",
    says: "GenerateContentRequest.contents: contents is not specified",
    ...reportedIn("github.com/quarkiverse/quarkus-langchain4j/pull/2480"),
    refuses: ({ contents }) =>
      Array.isArray(contents) && contents.length > 0
        ? undefined
        : "* GenerateContentRequest.contents: contents is not specified",
  },
  {
    name: "roles",
    says: "Please use a valid role: user, model.",
    ...reportedIn("github.com/router-for-me/CLIProxyAPI/issues/17"),
    refuses: ({ contents }) =>
      findFirstProblem(contents as readonly Json[], (content) =>
        isRecord(content) && (content.role === "user" || content.role === "model")
          ? undefined
          : "Please use a valid role: user, model.",
      ),
  },
  {
    name: "order of turns",
    says: "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    ...reportedIn(
      "github.com/google-gemini/gemini-cli/issues/11814; that the last turn is a user's: github.com/crewAIInc/crewAI/pull/6973; that a text begins or follows one of the model was not seen to be refused",
    ),
    refuses: ({ contents }) => orderProblem(contents as readonly Body[]),
  },
  {
    name: "parts",
    says: "GenerateContentRequest.contents[33].parts[0].data: required oneof field 'data' must have one initialized field",
    ...reportedIn(
      "github.com/boldsoftware/sketch/issues/68; of no parts at all: github.com/vercel/ai/issues/3775",
    ),
    refuses: ({ contents }) => partsProblem(contents as readonly Body[]),
  },
  {
    name: "results of calls",
    says: "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    ...reportedIn(
      "github.com/google-gemini/gemini-cli/issues/6418; that they have the ids and the order of the calls is this server's own demand",
    ),
    refuses: ({ contents }) => resultsProblem(contents as readonly Body[]),
  },
  {
    name: "signatures of thoughts",
    says: "Unable to submit request because Thought signature is not valid.",
    ...reportedIn("github.com/NoeFabris/opencode-antigravity-auth/issues/368"),
    refuses: ({ contents }) =>
      findFirstProblem(contents as readonly Body[], ({ parts }) =>
        findFirstProblem(parts as readonly Json[], signatureProblem),
      ),
  },
]

/** The signature of a call after reasoning. The client must send it back. */
export const callSignature = (name: string, args: unknown): string =>
  makeSignature(`${name}${JSON.stringify(args)}`)

const parameters: readonly string[] = [
  ...["contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "safetySettings"],
  ...["cachedContent", "labels", "serviceTier"],
]

const settings: readonly string[] = [
  ...["maxOutputTokens", "temperature", "topK", "topP", "frequencyPenalty", "presencePenalty", "seed"],
  ...["stopSequences", "responseMimeType", "responseSchema", "responseJsonSchema", "responseModalities"],
  ...["thinkingConfig", "mediaResolution", "candidateCount", "responseLogprobs", "logprobs"],
]

/** The function names that Google accepts. */
const functionName = /^[A-Za-z_][\w.:-]{0,63}$/

const declaredIn = (tools: Json | undefined): readonly Json[] =>
  (Array.isArray(tools) ? (tools as readonly Json[]) : []).flatMap((tool) =>
    isRecord(tool) && Array.isArray(tool.functionDeclarations)
      ? (tool.functionDeclarations as readonly Json[])
      : [],
  )

function fieldsProblem({ contents, generationConfig, tools, ...rest }: Body): string | undefined {
  const turns = (Array.isArray(contents) ? (contents as readonly Json[]) : []).filter(isRecord)
  return (
    keyProblem({ contents: 0, generationConfig: 0, tools: 0, ...rest }, parameters) ??
    (isRecord(generationConfig) ? keyProblem(generationConfig, settings, "generation_config") : undefined) ??
    findFirstProblem(declaredIn(tools), (tool, index) =>
      isRecord(tool) ? keyProblem(tool, declaration, `tools[0].function_declarations[${index}]`) : undefined,
    ) ??
    findFirstProblem(
      turns,
      (content, index) =>
        keyProblem(content, ["role", "parts"], `contents[${index}]`) ??
        findFirstProblem(
          Array.isArray(content.parts) ? (content.parts as readonly Json[]) : [],
          (part, place) =>
            isRecord(part) ? keyProblem(part, partFields, `contents[${index}].parts[${place}]`) : undefined,
        ),
    )
  )
}

const declaration = ["name", "description", "parameters", "parametersJsonSchema", "response", "behavior"]
const partKinds = ["text", "inlineData", "functionResponse", "functionCall"]
const partFields = [...partKinds, "thought", "thoughtSignature"]

function systemProblem(instruction: Json | undefined): string | undefined {
  if (instruction === undefined) return undefined
  const parts =
    isRecord(instruction) && Array.isArray(instruction.parts) ? (instruction.parts as readonly Json[]) : []
  if (parts.length === 0) return "* GenerateContentRequest.system_instruction.parts: must not be empty."
  return findFirstProblem(parts, (part, index) =>
    partProblem(part, `system_instruction.parts[${index}]`, ["text"]),
  )
}

function settingsProblem(config: Json | undefined): string | undefined {
  if (config === undefined) return undefined
  if (!isRecord(config)) return "generation_config: an object is required."
  const { maxOutputTokens: limit } = config
  return limit === undefined || (typeof limit === "number" && Number.isInteger(limit) && limit >= 1)
    ? undefined
    : `Unable to submit request because it has a maxOutputTokens value of ${limit} but the supported range is from 1 (inclusive).`
}

function toolsProblem({ tools, toolConfig }: Body): string | undefined {
  if (tools === undefined)
    return toolConfig === undefined ? undefined : "tool_config: is only allowed when tools are given."
  if (!Array.isArray(tools) || tools.length === 0) return "tools: a non-empty list is required, or none."
  if (declaredIn(tools).length === 0) return "tools: function_declarations are required."
  return findFirstProblem(declaredIn(tools) as readonly Body[], (tool, index) => {
    const at = `tools[0].function_declarations[${index}]`
    if (typeof tool.description !== "string") return `${at}.description: a string is required.`
    const schema = tool.parametersJsonSchema ?? tool.parameters
    const problem = schema === undefined ? undefined : findToolSchemaProblem(schema)
    return problem && `${at}.parameters: ${problem}`
  })
}

function orderProblem(contents: readonly Body[]): string | undefined {
  const wrong = findFirstProblem(contents, ({ role, parts }, index) => {
    if (role !== "model" || contents[index - 1]?.role === "user") return undefined
    if (calledIn(parts, "functionCall").length > 0)
      return "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
    return index === 0
      ? "Please ensure that the first turn is a user turn."
      : `contents[${index}]: a model turn must follow a user turn.`
  })
  if (wrong) return wrong
  return contents.at(-1)!.role === "user" ? undefined : "Please ensure that the last turn is a user turn."
}

const partsProblem = (contents: readonly Body[]): string | undefined =>
  findFirstProblem(contents, ({ role, parts }, index) => {
    const at = `contents[${index}]`
    if (!Array.isArray(parts) || parts.length === 0)
      return `* GenerateContentRequest.${at}.parts: contents.parts must not be empty.`
    const allowed = role === "user" ? ["text", "inlineData", "functionResponse"] : ["text", "functionCall"]
    return findFirstProblem(parts as readonly Json[], (part, place) =>
      partProblem(part, `${at}.parts[${place}]`, allowed),
    )
  })

function resultsProblem(contents: readonly Body[]): string | undefined {
  let open: readonly Called[] = []
  return findFirstProblem(contents, ({ parts }) => {
    const problem = answersProblem(calledIn(parts, "functionResponse"), open)
    open = calledIn(parts, "functionCall")
    return problem
  })
}

interface Called {
  readonly id: Json | undefined
  readonly name: Json | undefined
}

const calledIn = (parts: Json | undefined, key: "functionCall" | "functionResponse"): readonly Called[] =>
  (Array.isArray(parts) ? (parts as readonly Json[]) : []).flatMap((part) => {
    const value = isRecord(part) ? part[key] : undefined
    return isRecord(value) ? [{ id: value.id, name: value.name }] : []
  })

function answersProblem(responses: readonly Called[], calls: readonly Called[]): string | undefined {
  if (responses.length !== calls.length)
    return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
  return findFirstProblem(responses, ({ id, name }, index) =>
    id === calls[index]?.id && name === calls[index]?.name
      ? undefined
      : `The function response ${index} is not for the function call ${index}.`,
  )
}

function partProblem(part: Json, at: string, allowed: readonly string[]): string | undefined {
  const full = `* GenerateContentRequest.${at}`
  if (!isRecord(part)) return `${full}: an object is required.`
  const kinds = partKinds.filter((key) => part[key] !== undefined)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1 || !allowed.includes(kind))
    return `${full}.data: required oneof field 'data' must have one initialized field`
  if (kind === "text")
    return typeof part.text === "string" && (part.text !== "" || part.thoughtSignature !== undefined)
      ? undefined
      : `${full}.data: required oneof field 'data' must have one initialized field`
  if (kind === "inlineData") {
    const data = isRecord(part.inlineData) ? part.inlineData : {}
    const problem = findAttachmentProblem(data.mimeType, data.data, [...pictureTypes, ...pdfTypes])
    return problem && `${full}.inlineData.${problem}`
  }
  const named = part[kind]
  if (!isRecord(named) || typeof named.name !== "string" || !functionName.test(named.name))
    return `${full}: Invalid function name.`
  return isRecord(kind === "functionCall" ? (named.args ?? {}) : named.response)
    ? undefined
    : `${full}: a struct is required.`
}

function signatureProblem(part: Json): string | undefined {
  const { functionCall: call, thoughtSignature: signature } = part as Body
  if (!isRecord(call) || signature === undefined) return undefined
  const isKnown =
    signature === "skip_thought_signature_validator" ||
    signature === callSignature(String(call.name), call.args ?? {})
  return isKnown ? undefined : "Unable to submit request because Thought signature is not valid."
}

function keyProblem(value: Body, allowed: readonly string[], at?: string): string | undefined {
  const extra = findUnknownKey(value, allowed)
  if (extra === undefined) return undefined
  const place = at === undefined ? "" : ` at '${at}'`
  return `Invalid JSON payload received. Unknown name "${extra}"${place}: Cannot find field.`
}
