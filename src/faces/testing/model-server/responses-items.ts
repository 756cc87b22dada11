import type { Json } from "../../../ground/message.ts"
import { findDataUrlProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import { findFirstProblem, findUnknownKey, isRecord, makeSignature } from "./protocol.ts"

/** Functions for the items of a request's input, which several rules share. */

export type ResponsesBody = Record<string, Json>

export const listInputItems = ({ input }: ResponsesBody): readonly ResponsesBody[] =>
  Array.isArray(input) ? input.filter(isRecord) : []

export const getResponseItemType = (item: ResponsesBody): string => String(item.type ?? "message")

/** The first problem that `problem` finds in an item of one of these types. */
export const findFirstItemProblem = (
  body: ResponsesBody,
  types: readonly string[],
  problem: (item: ResponsesBody, at: string, index: number) => string | undefined,
): string | undefined =>
  findFirstProblem(listInputItems(body), (item, index) =>
    types.includes(getResponseItemType(item)) ? problem(item, `input[${index}]`, index) : undefined,
  )

/** The keys that are allowed in each type of item or part. */
export const itemKeys: Readonly<Record<string, readonly string[]>> = {
  message: ["type", "id", "role", "content", "status", "phase"],
  function_call: ["type", "id", "call_id", "name", "arguments", "status"],
  function_call_output: ["type", "id", "call_id", "output", "status"],
  reasoning: ["type", "id", "summary", "encrypted_content", "content", "status"],
  item_reference: ["type", "id"],
  input_text: ["type", "text"],
  input_image: ["type", "detail", "image_url", "file_id"],
  input_file: ["type", "detail", "filename", "file_data", "file_url", "file_id"],
  output_text: ["type", "text", "annotations", "logprobs"],
  refusal: ["type", "refusal"],
}

export function findResponsesKeyProblem(
  value: ResponsesBody,
  allowed: readonly string[],
  at = "",
): string | undefined {
  const extra = findUnknownKey(value, allowed)
  return extra === undefined ? undefined : `Unknown parameter: '${at}${extra}'.`
}

/** Finds the problem in a text, or in a list of parts of these types. */
export function findContentProblem(
  content: Json | undefined,
  at: string,
  types: readonly string[],
): string | undefined {
  if (typeof content === "string") return undefined
  if (!Array.isArray(content) || content.length === 0) return `${at}: a text or a non-empty list is required.`
  return findFirstProblem(content as readonly Json[], (part, index) => {
    const where = `${at}[${index}]`
    if (!isRecord(part) || !types.includes(String(part.type)))
      return `Invalid value: '${isRecord(part) ? part.type : part}'. Supported values are: ${types.join(", ")} (${where}).`
    return (
      findResponsesKeyProblem(part, itemKeys[String(part.type)]!, `${where}.`) ?? partProblem(part, where)
    )
  })
}

function partProblem(part: ResponsesBody, at: string): string | undefined {
  switch (part.type) {
    case "input_image":
      return /^https?:\/\//.test(String(part.image_url)) || !findDataUrlProblem(part.image_url, pictureTypes)
        ? undefined
        : `Invalid '${at}.image_url'. Expected a valid URL, but got a value with an invalid format.`
    case "input_file":
      if (typeof part.filename !== "string") return `Missing required parameter: '${at}.filename'.`
      return !findDataUrlProblem(part.file_data, pdfTypes)
        ? undefined
        : `Invalid '${at}.file_data'. Expected a base64-encoded data URL with an application/pdf MIME type.`
    case "refusal":
      return typeof part.refusal === "string" ? undefined : `Missing required parameter: '${at}.refusal'.`
    default:
      return typeof part.text === "string" ? undefined : `Missing required parameter: '${at}.text'.`
  }
}

/** True for encrypted reasoning that this server made. */
export function isSealedHere({ summary, encrypted_content: sealed }: ResponsesBody): boolean {
  const texts = (Array.isArray(summary) ? (summary as readonly Json[]) : []).map((part) =>
    isRecord(part) ? part.text : undefined,
  )
  if (typeof sealed !== "string" || sealed === "") return false
  return texts.length === 0 || sealed === makeSignature(texts.join(""))
}
