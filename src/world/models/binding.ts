import { isMap, isText, type Json, type JsonMap } from "../../ground/message.ts"
import { parseHttpUrl } from "./address.ts"
import { createInvalidModelError, type ModelTarget, type NameQuestion } from "./target.ts"

export interface BindingFields {
  readonly provider?: string
  readonly model?: string
  readonly endpoint?: string
  readonly parameters?: JsonMap
  readonly effort?: string | number
}

/** Reads a binding from an object. Values of a wrong type throw: the reader of a file would have reported them. */
export function readBindingFields(value: Json, { owner }: Pick<NameQuestion, "owner">): BindingFields {
  if (!isMap(value))
    throw createInvalidModelError(
      owner,
      "a model must be a name, an object with provider, model, endpoint and parameters, or a list of these",
    )
  const { provider, model, endpoint, parameters, effort } = value
  for (const [key, text] of Object.entries({ provider, model, endpoint }))
    if (text !== undefined && text !== null && !isText(text))
      throw createInvalidModelError(owner, `\`${key}\` of its model must be a non-empty text`)
  if (parameters !== undefined && parameters !== null && !isMap(parameters))
    throw createInvalidModelError(owner, "`parameters` of its model must be keys and values")
  return {
    ...(isText(provider) && { provider: provider.trim() }),
    ...(isText(model) && model.trim() !== "inherit" && { model: model.trim() }),
    ...(isText(endpoint) && { endpoint: checkEndpoint(endpoint, owner) }),
    ...(isMap(parameters) && { parameters }),
    ...((typeof effort === "string" || typeof effort === "number") && { effort }),
  }
}

export function withEndpoint(
  target: ModelTarget,
  endpoint: string | undefined,
  { owner }: Pick<NameQuestion, "owner">,
): ModelTarget {
  if (endpoint === undefined) return target
  const { use } = target
  if (!("name" in use)) return { ...target, use: { ...use, endpoint } }
  throw createInvalidModelError(
    owner,
    `its endpoint cannot replace the address that the program gives the model ${JSON.stringify(use.name)}. Name a provider and a model too, or remove the endpoint`,
  )
}

export const overrideParameters = (
  below: JsonMap | undefined,
  above: JsonMap | undefined,
): Pick<ModelTarget, "parameters"> => (below || above ? { parameters: { ...below, ...above } } : {})

function checkEndpoint(endpoint: string, owner: string): string {
  if (parseHttpUrl(endpoint.trim())) return endpoint.trim()
  // The endpoint is not shown, because it may contain a password.
  throw createInvalidModelError(
    owner,
    "the endpoint of its model must be an http or https URL without a user name or password",
  )
}
