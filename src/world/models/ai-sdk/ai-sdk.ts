import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Model } from "../../../agent/model.ts"
import { CadreError, messageOf, StartError } from "../../../ground/errors.ts"
import { bound, gateOf, type ModelPrice } from "../wire/client.ts"
import { fields } from "../wire/json.ts"
import type { Parameters } from "../wire/parameters.ts"
import { secretsOf } from "../wire/text.ts"
import { adapted } from "./adapter.ts"
import { watchedFetch } from "./fetch.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"

export interface OpenAiSdkOptions {
  /** What the model is called here. */
  readonly id: string
  /** Such as `@ai-sdk/google`. */
  readonly package: string
  /** The folder it is looked for from, before it is looked for beside cadre. What is found there is run. */
  readonly packagesFrom?: string
  /** What the provider is called, in messages and for packages that serve many. */
  readonly provider: string
  /** The name the provider knows it by. */
  readonly model: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly parameters?: Parameters
  readonly price?: ModelPrice
  readonly window?: number
  readonly sees?: Model["sees"]
  readonly strictTools?: boolean
  /** Milliseconds without a byte from the provider. Default: 300,000. */
  readonly idleTimeout?: number
  /** Milliseconds for the whole answer. Default: 1,800,000. */
  readonly totalTimeout?: number
  /** Default: 33,554,432. */
  readonly maxResponseBytes?: number
}

/** Opens a model with an AI SDK provider package, which is loaded here and not before. */
export async function openAiSdkModel(options: OpenAiSdkOptions): Promise<Model> {
  const { id, baseUrl, apiKey, headers = {} } = options
  const maxResponseBytes = bound(id, "maxResponseBytes", options.maxResponseBytes ?? 32 * 1024 * 1024)
  const origin = originFrom(id, baseUrl)
  const given = { ...(apiKey?.trim() && { "api-key": apiKey.trim() }), ...headers }
  let secrets = secretsOf(given)
  const host = origin === undefined ? options.provider : new URL(origin).host
  const settings = {
    ...(baseUrl !== undefined && { baseURL: baseUrl.replace(/\/+$/, "") }),
    ...(apiKey?.trim() && { apiKey: apiKey.trim() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(/compatible/.test(options.package) && { name: options.provider }),
    fetch: watchedFetch(maxResponseBytes, host, (sent) => {
      // A key may come from the environment, where only the package knows of it.
      const all = new Set([...secrets, ...secretsOf(sent)])
      if (all.size > secrets.length) secrets = [...all].sort((left, right) => right.length - left.length)
    }),
  }
  const model = languageModel(options, await loaded(options), settings)
  const gate = gateOf(origin ?? `${options.package}`, secrets)
  const connection = { host, ...(baseUrl !== undefined && { baseUrl }), secrets: () => secrets }
  return adapted(model, { ...options, gate }, connection)
}

async function loaded(options: Named): Promise<Record<string, unknown>> {
  const { package: name, packagesFrom } = options
  try {
    return fields(await import(locationOf(name, packagesFrom)))
  } catch (error) {
    // It may be there without what it needs itself.
    const isAbsent = fields(error).code === "ERR_MODULE_NOT_FOUND" && messageOf(error).includes(`'${name}'`)
    throw isAbsent
      ? absent(options, error)
      : unusable(options, `cannot be loaded: ${messageOf(error)}`, error)
  }
}

/** Throws as opening a model does where its package is not there. Nothing of it is run. */
export function requirePackage(options: Named): void {
  const { package: name, packagesFrom } = options
  if (locationOf(name, packagesFrom) !== name) return
  try {
    createRequire(import.meta.url).resolve(name)
  } catch (error) {
    // What is for `import` alone is there, too.
    if (fields(error).code === "MODULE_NOT_FOUND") throw absent(options, error)
  }
}

type Named = Pick<OpenAiSdkOptions, "id" | "package" | "provider" | "packagesFrom">

const absent = (options: Named, cause: unknown): CadreError => {
  const { package: name, packagesFrom } = options
  const place = packagesFrom === undefined ? "" : `--prefix ${packagesFrom} `
  return unusable(options, `is not installed. Run: npm install ${place}${name}`, cause)
}

const unusable = ({ id, provider, package: name }: Named, what: string, cause: unknown): CadreError => {
  const message = `${id}: models of ${provider} are asked through the package ${name}, which ${what}`
  return new StartError([{ code: "MODEL_UNKNOWN", kind: "here", message }], { cause })
}

/** A package of that folder wins over one that came with us. */
function locationOf(name: string, folder: string | undefined): string {
  try {
    return folder === undefined ? name : pathToFileURL(createRequire(`${folder}/`).resolve(name)).href
  } catch {
    return name
  }
}

function languageModel(
  { id, package: name, model }: OpenAiSdkOptions,
  exported: Record<string, unknown>,
  settings: object,
): AiSdkLanguageModel {
  const create = factoryIn(exported, name)
  if (!create)
    throw new CadreError(
      "MODEL_UNKNOWN",
      `${id}: the package ${name} exports no function that creates a provider. Give one of the AI SDK.`,
    )
  try {
    const provider = create(settings) as ((model: string) => unknown) & {
      responses?(model: string): unknown
      languageModel?(model: string): unknown
    }
    const opened =
      /@ai-sdk\/openai(\/|$)/.test(name) && provider.responses
        ? provider.responses(model)
        : (provider.languageModel?.(model) ?? provider(model))
    if (typeof fields(opened).doStream === "function") return opened as AiSdkLanguageModel
  } catch (error) {
    throw new CadreError("MODEL_UNKNOWN", `${id}: ${name} cannot open ${model}: ${messageOf(error)}`, {
      cause: error,
    })
  }
  throw new CadreError("MODEL_UNKNOWN", `${id}: ${name} has no language model ${model}.`)
}

type Factory = (settings: object) => unknown

/** `createOpenAI`, `createGoogleGenerativeAI`: the one whose name is most like the package's. */
function factoryIn(exported: Record<string, unknown>, name: string): Factory | undefined {
  const wanted = bare(name.replace(/^.*\//, ""))
  const names = Object.keys(exported).filter(
    (key) => /^create[A-Z]/.test(key) && typeof exported[key] === "function",
  )
  const best =
    names.find((key) => bare(key) === `create${wanted}`) ??
    names.find((key) => bare(key).startsWith(`create${wanted}`)) ??
    names[0]
  return best === undefined ? undefined : (exported[best] as Factory)
}

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

function originFrom(id: string, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined) return undefined
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url.origin
  throw new CadreError(
    "MODEL_UNKNOWN",
    `${id}: baseUrl is not an http or https address without a user name in it.`,
  )
}
