import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Model } from "../../../agent/model.ts"
import { CadreError, describeThrown, StartError } from "../../../ground/errors.ts"
import { type ModelPrice, makeRateLimitGroup, requireBound } from "../wire/client.ts"
import { readFields } from "../wire/json.ts"
import type { Parameters } from "../wire/parameters.ts"
import { collectHeaderSecrets } from "../wire/text.ts"
import { adaptAiSdkModel } from "./adapter.ts"
import { createWatchedFetch } from "./fetch.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"

export interface OpenAiSdkOptions {
  /** The model's id in cadre. */
  readonly id: string
  /** The name of the package, such as `@ai-sdk/google`. */
  readonly package: string
  /** The folder that is searched for the package before cadre's own folder. A package found there is run. */
  readonly packagesFrom?: string
  /** The provider's name, for messages and for packages that serve several providers. */
  readonly provider: string
  /** The provider's name for the model. */
  readonly model: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly parameters?: Parameters
  readonly price?: ModelPrice
  readonly window?: number
  readonly sees?: Model["sees"]
  readonly strictTools?: boolean
  /** The longest silence of the provider, in milliseconds. Default: 300,000. */
  readonly idleTimeout?: number
  /** The time for the whole answer, in milliseconds. Default: 1,800,000. */
  readonly totalTimeout?: number
  /** Default: 33,554,432. */
  readonly maxResponseBytes?: number
}

/** Opens a model with an AI SDK provider package, which is loaded only here. */
export async function openAiSdkModel(options: OpenAiSdkOptions): Promise<Model> {
  const { id, baseUrl, apiKey, headers = {} } = options
  const maxResponseBytes = requireBound(id, "maxResponseBytes", options.maxResponseBytes ?? 32 * 1024 * 1024)
  const origin = originFrom(id, baseUrl)
  const secretHeaders = { ...(apiKey?.trim() && { "api-key": apiKey.trim() }), ...headers }
  let secrets = collectHeaderSecrets(secretHeaders)
  const host = origin === undefined ? options.provider : new URL(origin).host
  const settings = {
    ...(baseUrl !== undefined && { baseURL: baseUrl.replace(/\/+$/, "") }),
    ...(apiKey?.trim() && { apiKey: apiKey.trim() }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(/compatible/.test(options.package) && { name: options.provider }),
    fetch: createWatchedFetch(maxResponseBytes, host, (sent) => {
      // The key may come from the environment, where only the package reads it.
      const all = new Set([...secrets, ...collectHeaderSecrets(sent)])
      if (all.size > secrets.length) secrets = [...all].sort((left, right) => right.length - left.length)
    }),
  }
  const model = languageModel(options, await loadPackage(options), settings)
  const rateLimitGroup = makeRateLimitGroup(origin ?? `${options.package}`, secrets)
  const connection = { host, ...(baseUrl !== undefined && { baseUrl }), secrets: () => secrets }
  return adaptAiSdkModel(model, { ...options, rateLimitGroup }, connection)
}

async function loadPackage(options: PackageOptions): Promise<Record<string, unknown>> {
  const { package: name, packagesFrom } = options
  try {
    return readFields(await import(locationOf(name, packagesFrom)))
  } catch (error) {
    // The package may be installed without its own dependencies.
    const isAbsent =
      readFields(error).code === "ERR_MODULE_NOT_FOUND" && describeThrown(error).includes(`'${name}'`)
    throw isAbsent
      ? missingPackage(options, error)
      : unusablePackage(options, `cannot be loaded: ${describeThrown(error)}`, error)
  }
}

/** Throws like opening a model if the package is not installed. Does not run the package. */
export function requirePackage(options: PackageOptions): void {
  const { package: name, packagesFrom } = options
  if (locationOf(name, packagesFrom) !== name) return
  try {
    createRequire(import.meta.url).resolve(name)
  } catch (error) {
    // A package that only supports `import` is installed, too.
    if (readFields(error).code === "MODULE_NOT_FOUND") throw missingPackage(options, error)
  }
}

type PackageOptions = Pick<OpenAiSdkOptions, "id" | "package" | "provider" | "packagesFrom">

const missingPackage = (options: PackageOptions, cause: unknown): CadreError => {
  const { package: name, packagesFrom } = options
  const place = packagesFrom === undefined ? "" : `--prefix ${packagesFrom} `
  return unusablePackage(options, `is not installed. Run: npm install ${place}${name}`, cause)
}

const unusablePackage = (
  { id, provider, package: name }: PackageOptions,
  what: string,
  cause: unknown,
): CadreError => {
  const message = `${id}: models of ${provider} need the package ${name}, which ${what}`
  return new StartError([{ code: "MODEL_UNKNOWN", kind: "here", message }], { cause })
}

/** Finds a package. One in that folder wins over one that came with cadre. */
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
      `${id}: the package ${name} exports no function that creates a provider, such as createOpenAI. Use a provider package of Vercel's AI SDK, such as @ai-sdk/openai.`,
    )
  try {
    const provider = create(settings) as ((model: string) => unknown) & {
      responses?(model: string): unknown
      languageModel?(model: string): unknown
    }
    const candidate =
      /@ai-sdk\/openai(\/|$)/.test(name) && provider.responses
        ? provider.responses(model)
        : (provider.languageModel?.(model) ?? provider(model))
    if (typeof readFields(candidate).doStream === "function") return candidate as AiSdkLanguageModel
  } catch (error) {
    throw new CadreError("MODEL_UNKNOWN", `${id}: ${name} cannot open ${model}: ${describeThrown(error)}`, {
      cause: error,
    })
  }
  throw new CadreError("MODEL_UNKNOWN", `${id}: ${name} has no language model ${model}.`)
}

type Factory = (settings: object) => unknown

/**
 * Finds the function that creates a provider, such as `createOpenAI`: the one whose name is most like the package's.
 */
function factoryIn(exported: Record<string, unknown>, name: string): Factory | undefined {
  const packageWord = plainLetters(name.replace(/^.*\//, ""))
  const names = Object.keys(exported).filter(
    (key) => /^create[A-Z]/.test(key) && typeof exported[key] === "function",
  )
  const best =
    names.find((key) => plainLetters(key) === `create${packageWord}`) ??
    names.find((key) => plainLetters(key).startsWith(`create${packageWord}`)) ??
    names[0]
  return best === undefined ? undefined : (exported[best] as Factory)
}

const plainLetters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

function originFrom(id: string, baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined) return undefined
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url.origin
  throw new CadreError(
    "MODEL_UNKNOWN",
    `${id}: baseUrl must be an http or https address without a user name.`,
  )
}
