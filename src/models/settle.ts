import { CadreError, reworded } from "../errors.ts"
import type { ModelUse, SettledModel, WantedModel } from "../model.ts"
import { accessTo, type KeyRing } from "./access.ts"
import { type Choosing, defaultTarget, targetsOf } from "./choice.ts"
import { isModel, servedBy } from "./model-settings.ts"
import { allowedParameters } from "./parameter-names.ts"
import type { Provider, ProviderList } from "./provider.ts"
import type { Names, Target } from "./target.ts"

/** What models are settled with. */
export interface Settling {
  readonly names: Names
  readonly providers: ProviderList
  readonly ring: KeyRing
  readonly defaultModel?: string
}

/** What a choice comes to, with a key for each model that needs one. Asks nobody. */
export async function settleModel(wanted: WantedModel, settling: Settling): Promise<SettledModel> {
  const warnings: string[] = []
  const choosing = choosingFor(wanted, settling, (message) => warnings.push(message))
  const targets = targetsWithFallback(choosing)
  const uses = await usable(targets, choosing, settling)
  return { uses, warnings: [...new Set(warnings)] }
}

/** The id of the model that a use is opened as. */
export function idOf(
  use: ModelUse,
  { names: { given, environment }, providers }: Pick<Settling, "names" | "providers">,
): string {
  if ("provider" in use) return `${use.provider}/${use.model}`
  const settings = given.get(use.name)
  if (settings === undefined) return use.name
  if (isModel(settings)) return settings.id
  const { provider, model } = servedBy(use.name, settings, providers, environment)
  return `${provider.id}/${model}`
}

function choosingFor(
  wanted: WantedModel,
  { names, providers, defaultModel }: Settling,
  warn: (message: string) => void,
): Choosing {
  const { owner, parent = [] } = wanted
  const choosing: Choosing = {
    owner,
    providers,
    names,
    wanted,
    ...(defaultModel !== undefined && { defaultModel }),
    warn,
    current: () => parent[0] ?? defaultUse(choosing),
  }
  return choosing
}

function defaultUse(choosing: Choosing): ModelUse | undefined {
  try {
    return choosing.defaultModel === undefined ? undefined : defaultTarget(choosing).use
  } catch {
    // It is said where the default itself is wanted.
    return undefined
  }
}

function targetsWithFallback(choosing: Choosing): readonly Target[] {
  const { choice, format, policy } = choosing.wanted
  try {
    return targetsOf(choice, choosing)
  } catch (error) {
    const fallsBack = format === "acai" && policy === "lenient" && typeof choice === "string"
    if (!fallsBack || !(error instanceof CadreError)) throw error
    const target = defaultTarget(choosing)
    choosing.warn(`The default model is used, as acai does. ${error.message}`)
    return [target]
  }
}

/** The models that there is a key for. One of several may do without. */
async function usable(
  targets: readonly Target[],
  choosing: Choosing,
  settling: Settling,
): Promise<readonly ModelUse[]> {
  const { owner, warn } = choosing
  const uses: ModelUse[] = []
  const missing: string[] = []
  for (const target of targets)
    try {
      uses.push(await usableTarget(target, choosing, settling))
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      if (error.code !== "MODEL_KEY_MISSING") throw reworded(error, (message) => `${owner}: ${message}`)
      missing.push(error.message)
    }
  if (uses.length === 0) throw new CadreError("MODEL_KEY_MISSING", `${owner}: ${missing.join(" ")}`)
  for (const message of missing) warn(`${owner}: ${message} The other models of its list are used.`)
  return uses
}

async function usableTarget(target: Target, choosing: Choosing, settling: Settling): Promise<ModelUse> {
  const { owner, providers, wanted, warn } = choosing
  const effort = wanted.effort ?? target.effort
  const { served, endpoint } = whereFrom(target.use, providers, settling.names)
  if (served && !target.inherited) {
    const { warnings } = await accessTo(served.model, served.provider, endpoint, settling.ring)
    for (const warning of warnings) warn(`${owner}: ${warning}`)
  }
  if (typeof effort === "number" && served?.provider.protocol === "openai")
    warn(
      `${owner}: an effort of ${effort} tokens is not sent, because ${served.provider.id} knows efforts in words only, such as \`high\`.`,
    )
  const parameters = allowedParameters(target.parameters, (name) =>
    warn(
      `${owner}: the parameter ${JSON.stringify(name)} is left out, because the run itself says which model, messages, tools and stream a request has.`,
    ),
  )
  return {
    ...target.use,
    ...(endpoint !== undefined && { endpoint }),
    ...(parameters && { parameters }),
    ...(effort !== undefined && { effort }),
  }
}

interface Where {
  readonly served?: { readonly provider: Provider; readonly model: string }
  readonly endpoint?: string
}

/** Who is asked, and where; nobody for models that need no key of ours. */
function whereFrom(use: Target["use"], providers: ProviderList, { given, environment }: Names): Where {
  if ("name" in use) {
    const settings = given.get(use.name)
    if (settings === undefined || isModel(settings) || settings.apiKey) return {}
    return { served: servedBy(use.name, settings, providers, environment) }
  }
  const provider = providers.find(use.provider)
  const endpoint = use.endpoint ?? provider?.endpoint
  return {
    ...(provider && { served: { provider, model: use.model } }),
    ...(endpoint !== undefined && { endpoint }),
  }
}
