import { isMap, isText, type Json, type JsonMap } from "../../ground/message.ts"
import { httpUrl } from "./address.ts"
import { invalid, type Question, type Target } from "./target.ts"

export interface Binding {
  readonly provider?: string
  readonly model?: string
  readonly endpoint?: string
  readonly parameters?: JsonMap
  readonly effort?: string | number
}

/** An object as a binding. What is of a wrong type is an error: a file's reader would have said so. */
export function bindingFrom(value: Json, { owner }: Pick<Question, "owner">): Binding {
  if (!isMap(value))
    throw invalid(
      owner,
      "a model is a name, an object with provider, model, endpoint and parameters, or a list of these",
    )
  const { provider, model, endpoint, parameters, effort } = value
  for (const [key, given] of Object.entries({ provider, model, endpoint }))
    if (given !== undefined && given !== null && !isText(given))
      throw invalid(owner, `\`${key}\` of its model must be text that is not empty`)
  if (parameters !== undefined && parameters !== null && !isMap(parameters))
    throw invalid(owner, "`parameters` of its model must be keys and values")
  return {
    ...(isText(provider) && { provider: provider.trim() }),
    ...(isText(model) && model.trim() !== "inherit" && { model: model.trim() }),
    ...(isText(endpoint) && { endpoint: checkedEndpoint(endpoint, owner) }),
    ...(isMap(parameters) && { parameters }),
    ...((typeof effort === "string" || typeof effort === "number") && { effort }),
  }
}

export function withEndpoint(
  target: Target,
  endpoint: string | undefined,
  { owner }: Pick<Question, "owner">,
): Target {
  if (endpoint === undefined) return target
  const { use } = target
  if (!("name" in use)) return { ...target, use: { ...use, endpoint } }
  throw invalid(
    owner,
    `its endpoint cannot take the place of the address that the model ${JSON.stringify(use.name)} has in the program. Name a provider and a model too, or leave the endpoint out`,
  )
}

export const mergedParameters = (
  below: JsonMap | undefined,
  above: JsonMap | undefined,
): Pick<Target, "parameters"> => (below || above ? { parameters: { ...below, ...above } } : {})

function checkedEndpoint(endpoint: string, owner: string): string {
  if (httpUrl(endpoint.trim())) return endpoint.trim()
  // It is not shown: it may hold a password.
  throw invalid(
    owner,
    "the endpoint of its model must be an http or https URL without a user name or password in it",
  )
}
