import type { HostSettings } from "../../agent/host-settings.ts"
import type { ModelUse, SettledModel, WantedModel } from "../../agent/model.ts"
import { waysOf } from "../../agent/ways.ts"
import { CadreError, reworded, StartError, shownName } from "../../ground/errors.ts"
import { acceptedBy, type Wanted } from "./accepted.ts"
import { accessTo, type KeyRing } from "./access.ts"
import { aliases } from "./aliases.ts"
import { type ModelBounds, requireAllowed } from "./bounds.ts"
import { type Choosing, callersTarget, targetsOf } from "./choice.ts"
import { anyClaude } from "./facts/anthropic.ts"
import { factsOf } from "./facts/facts.ts"
import { geminiOverChat } from "./facts/google.ts"
import { hostDefault } from "./host-default.ts"
import { isModel, servedBy } from "./model-settings.ts"
import { allowedParameters } from "./parameter-names.ts"
import type { Provider, ProviderList } from "./provider.ts"
import { retirementOf, retirementText } from "./retirement.ts"
import type { ModelAround, Names, Target } from "./target.ts"

/** What models are settled with. */
export interface Settling {
  readonly names: Names
  readonly providers: ProviderList
  readonly ring: KeyRing
  readonly defaultModel?: string
  readonly callersModel?: string
  /** Which models may be asked. Left out: all. */
  readonly bounds?: ModelBounds
  /** The time, in milliseconds: models are retired on days. */
  readonly now: number
  /** The settings of the host that the agent was written for. */
  readonly host?: HostSettings
}

/** What a choice comes to, with a key for each model that needs one. Asks nobody. */
export async function settleModel(wanted: WantedModel, settling: Settling): Promise<SettledModel> {
  const warnings: string[] = []
  const saidAt = new Set<string>()
  const choosing: Choosing = {
    ...choosingFor(wanted, settling, (message) => warnings.push(message)),
    hear: (places) => {
      for (const place of places) saidAt.add(place)
    },
  }
  const { targets, otherwise } = chosenTargets(choosing)
  const uses = await usable(targets, choosing, settling).catch((error) =>
    usableInstead(error, targets, otherwise, choosing, settling),
  )
  const isReplaced = uses.length === 1 && otherwise !== undefined && isSameUse(otherwise, { use: uses[0]! })
  const more = otherwise && !isReplaced ? await usableOrNothing(otherwise, choosing, settling) : []
  return {
    uses: [...uses, ...more],
    warnings: [...new Set(warnings)],
    ...(saidAt.size > 0 && { saidAt: [...saidAt] }),
  }
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

/** What a choice is resolved with. */
export function choosingFor(
  wanted: WantedModel,
  { names, providers, defaultModel, callersModel, host }: Settling,
  warn: (message: string) => void,
): Choosing {
  const { owner, parent = [] } = wanted
  const choosing: Choosing = {
    owner,
    providers,
    names,
    wanted,
    ...(defaultModel !== undefined && { defaultModel }),
    ...(callersModel !== undefined && { callersModel }),
    ...(host && { host, around: () => aroundOf(choosing) }),
    warn,
    current: () => parent[0] ?? defaultUse(choosing),
  }
  return choosing
}

/** The caller's, else the default's, else that of the host's own settings. */
function aroundOf(choosing: Choosing): ModelAround | undefined {
  const use = choosing.current()
  if (use === undefined) return hostDefault(choosing)
  if (!("provider" in use)) return undefined
  const isHosts = choosing.wanted.parent?.[0] === undefined && hasNoDefault(choosing)
  const { saidAt } = (isHosts && hostDefault(choosing)) || {}
  return { ...use, ...(saidAt && { saidAt }) }
}

const hasNoDefault = ({ callersModel, defaultModel }: Choosing): boolean =>
  callersModel === undefined && defaultModel === undefined

const defaultUse = (choosing: Choosing): ModelUse | undefined =>
  hasNoDefault(choosing) && choosing.host === undefined
    ? undefined
    : attempted(() => callersTarget({ ...choosing, hear: () => {} }))?.use

/** Undefined where it fails: what is wrong is said where the thing itself is wanted. */
export function attempted<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof CadreError) return undefined
    throw error
  }
}

interface Chosen {
  readonly targets: readonly Target[]
  /** Asked where the provider of the first has no such model. */
  readonly otherwise?: Target
}

/**
 * In some formats the default takes the place of a model that is not known, here or to its provider. Where there is no
 * default, the model of whoever calls does.
 */
function chosenTargets(choosing: Choosing): Chosen {
  const { choice, format, by, policy } = choosing.wanted
  const { replacesModel } = waysOf(format)
  const fallsBack =
    replacesModel !== undefined && by !== "call" && policy === "lenient" && typeof choice === "string"
  if (!fallsBack || choice.trim() === "inherit") return { targets: targetsOf(choice, choosing) }
  let targets: readonly Target[]
  try {
    targets = targetsOf(choice, { ...choosing, ids: "known" })
  } catch (error) {
    if (error instanceof CadreError) return { targets: usualTargets(choice, error, choosing) }
    throw error
  }
  const otherwise = hasUsual(choosing) ? attempted(() => usual(choosing))?.[0] : undefined
  return { targets, ...(otherwise && !isSameUse(otherwise, targets[0]!) && { otherwise }) }
}

/** Nobody can be asked whether there is a model of which nothing is known here: without a key it counts as unknown. */
async function usableInstead(
  error: unknown,
  [target]: readonly Target[],
  otherwise: Target | undefined,
  choosing: Choosing,
  settling: Settling,
): Promise<readonly ModelUse[]> {
  const { choice } = choosing.wanted
  const use = target?.use
  const isUnknown =
    error instanceof CadreError &&
    error.code === "MODEL_KEY_MISSING" &&
    otherwise !== undefined &&
    typeof choice === "string" &&
    !Object.hasOwn(choosing.names.presets, choice.trim()) &&
    use !== undefined &&
    "provider" in use &&
    !isListed(use.provider, use.model)
  if (!isUnknown) throw error
  const why = `${choosing.owner}: no model ${shownName(use.model)} of ${use.provider} is known here, and without a key nobody can be asked.`
  return usable(usualTargets(choice, new CadreError("MODEL_UNKNOWN", why), choosing), choosing, settling)
}

/** Whether a model is in the tables that ship. */
const isListed = (provider: string, model: string): boolean =>
  factsOf(provider, model) !== undefined ||
  aliases.some((list) => list.provider === provider && Object.values(list.names).includes(model))

function usualTargets(choice: string, error: CadreError, choosing: Choosing): readonly Target[] {
  if (!hasUsual(choosing))
    throw new CadreError(
      error.code,
      `${error.message} There is no default model to take its place, as ${replacing(choosing)} has it: set \`model\` in the configuration or CADRE_MODEL.`,
    )
  const targets = usual(choosing)
  const whose = choosing.defaultModel === undefined ? "The model of its caller" : "The default model"
  choosing.warn(
    `${whose} is used in place of ${shownName(choice)}, as ${replacing(choosing)} does. ${error.message}`,
  )
  return targets
}

/** Whose way it is to replace a model. */
const replacing = ({ wanted: { format } }: Choosing): string => waysOf(format).replacesModel!

const hasUsual = ({ defaultModel, wanted }: Choosing): boolean =>
  defaultModel !== undefined || (wanted.parent ?? []).length > 0

const usual = (choosing: Choosing): readonly Target[] =>
  targetsOf(choosing.defaultModel === undefined ? "inherit" : null, choosing)

const isSameUse = ({ use }: Target, other: Target): boolean =>
  JSON.stringify(use) === JSON.stringify(other.use)

/** What cannot be asked takes nobody's place. */
async function usableOrNothing(
  target: Target,
  choosing: Choosing,
  settling: Settling,
): Promise<readonly ModelUse[]> {
  try {
    return [
      { ...(await usableTarget(target, { ...choosing, warn: () => {} }, settling)), only: "unknown-model" },
    ]
  } catch (error) {
    if (error instanceof CadreError) return []
    throw error
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
      if (error.code === "MODEL_DENIED" && isDefault(choosing)) throw ofDefault(error)
      if (error.code !== "MODEL_KEY_MISSING") throw reworded(error, (message) => `${owner}: ${message}`)
      missing.push(error.message)
    }
  if (uses.length === 0) throw new CadreError("MODEL_KEY_MISSING", `${owner}: ${missing.join(" ")}`)
  for (const message of missing) warn(`${owner}: ${message} The other models of its list are used.`)
  return uses
}

const isDefault = ({ wanted: { choice, parent = [] } }: Choosing): boolean =>
  choice === null || ((choice === undefined || choice === "inherit") && parent.length === 0)

/** What is wrong with the default is no fault of whoever runs on it: it is told once, where the default is set. */
function ofDefault(error: CadreError): CadreError {
  const message = (text: string) => `The default model: ${text}`
  if (!(error instanceof StartError)) return reworded(error, message)
  return new StartError(
    error.problems.map(({ part: _, ...problem }) => ({
      ...problem,
      setting: "model",
      message: message(problem.message),
    })),
  )
}

async function usableTarget(target: Target, choosing: Choosing, settling: Settling): Promise<ModelUse> {
  const { owner, providers, wanted, warn, hear } = choosing
  const effort = wanted.effort ?? target.effort
  const { served, endpoint } = whereFrom(target.use, providers, settling.names)
  requireAllowed(target.use, { ...settling, providers })
  if (served && !target.inherited) {
    const { warnings } = await accessTo(served.model, served.provider, endpoint, settling.ring)
    for (const warning of warnings) warn(`${owner}: ${warning}`)
  }
  if (served?.provider.saidAt !== undefined) hear?.([served.provider.saidAt])
  if (typeof effort === "number" && served && ["openai", "responses"].includes(served.provider.protocol))
    warn(
      `${owner}: an effort of ${effort} tokens is not sent, because ${served.provider.id} knows efforts in words only, such as \`high\`.`,
    )
  const parameters = allowedParameters(target.parameters, (name) =>
    warn(
      `${owner}: the parameter ${JSON.stringify(name)} is left out, because the run itself says which model, messages, tools and stream a request has.`,
    ),
  )
  const sent = { ...(parameters && { parameters }), ...(effort !== undefined && { effort }) }
  return {
    ...target.use,
    ...(endpoint !== undefined && { endpoint }),
    ...(served && endpoint === undefined
      ? fitted(served, sent, settling.now, (message) => warn(`${owner}: ${message}`))
      : sent),
  }
}

/** At another address than its provider's, a name may be another model: nothing is known of that. */
function fitted(
  { provider: { id, protocol }, model }: NonNullable<Where["served"]>,
  sent: Wanted,
  now: number,
  warn: (message: string) => void,
): Wanted {
  const retirement = retirementOf(id, model, now)
  if (retirement?.state === "retired") warn(retirementText(retirement))
  // Azure serves OpenAI's models, mostly under their names.
  const known = factsOf(id === "azure" ? "openai" : id, model)
  const common =
    protocol === "anthropic" && model.startsWith("claude-")
      ? anyClaude
      : id === "google" && protocol === "openai"
        ? geminiOverChat
        : undefined
  const facts = common ? { ...common, ...known, sources: { ...common.sources, ...known?.sources } } : known
  return facts === undefined ? sent : acceptedBy(`${id}/${model}`, facts, sent, warn)
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
  const provider = providers.serving(use)
  const endpoint = use.endpoint ?? provider?.endpoint
  return {
    ...(provider && { served: { provider, model: use.model } }),
    ...(endpoint !== undefined && { endpoint }),
  }
}
