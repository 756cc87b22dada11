import { getFormatTraits } from "../../agent/format-traits.ts"
import type { HostSettings } from "../../agent/host-settings.ts"
import type { ModelRequirement, ModelUse, ResolvedModel } from "../../agent/model.ts"
import { CadreError, quoteName, rewordError, StartError } from "../../ground/errors.ts"
import { keepAcceptedExtras, type RequestExtras } from "./accepted-extras.ts"
import { findModelAccess, type KeyRing } from "./access.ts"
import { aliases } from "./aliases.ts"
import { type ModelBounds, requireAllowed } from "./bounds.ts"
import { type ModelChoosing, resolveCallersTarget, resolveTargets } from "./choice.ts"
import { claudeFacts } from "./facts/anthropic.ts"
import { findFacts } from "./facts/facts.ts"
import { geminiChatFacts } from "./facts/google.ts"
import { findHostDefault } from "./host-default.ts"
import { isModel, resolveSettings } from "./model-settings.ts"
import { removeReservedParameters } from "./parameter-names.ts"
import type { Provider, ProviderList } from "./provider.ts"
import { describeRetirement, findRetirement } from "./retirement.ts"
import type { InheritedModel, ModelNames, ModelTarget } from "./target.ts"

/** The input for settling models. */
export interface ModelSettling {
  readonly names: ModelNames
  readonly providers: ProviderList
  readonly ring: KeyRing
  readonly defaultModel?: string
  readonly callersModel?: string
  /** The models that are allowed. Absent: all. */
  readonly bounds?: ModelBounds
  /** The time in milliseconds, to find retired models. */
  readonly now: number
  /** The settings of the host that the agent was written for. */
  readonly host?: HostSettings
}

/** Resolves a choice to models, with a key for each model that needs one. Sends no request. */
export async function settleChoice(
  wanted: ModelRequirement,
  settling: ModelSettling,
): Promise<ResolvedModel> {
  const warnings: string[] = []
  const saidAt = new Set<string>()
  const choosing: ModelChoosing = {
    ...createChoosing(wanted, settling, (message) => warnings.push(message)),
    onSetting: (places) => {
      for (const place of places) saidAt.add(place)
    },
  }
  const { targets, otherwise } = chosenTargets(choosing)
  const uses = await usableUses(targets, choosing, settling).catch((error) =>
    usableInstead(error, targets, otherwise, choosing, settling),
  )
  const isReplaced = uses.length === 1 && otherwise !== undefined && isSameUse(otherwise, { use: uses[0]! })
  const more = otherwise && !isReplaced ? await usableOrNothing(otherwise, choosing, settling) : []
  return {
    uses: [...uses, ...more],
    warnings: [...new Set(warnings)],
    ...(saidAt.size > 0 && { settingPlaces: [...saidAt] }),
  }
}

/** The id of the model that a use opens. */
export function getModelId(
  use: ModelUse,
  { names: { models, environment }, providers }: Pick<ModelSettling, "names" | "providers">,
): string {
  if ("provider" in use) return `${use.provider}/${use.model}`
  const settings = models.get(use.name)
  if (settings === undefined) return use.name
  if (isModel(settings)) return settings.id
  const { provider, model } = resolveSettings(use.name, settings, providers, environment)
  return `${provider.id}/${model}`
}

/** Makes the input for resolving a choice. */
export function createChoosing(
  wanted: ModelRequirement,
  { names, providers, defaultModel, callersModel, host }: ModelSettling,
  warn: (message: string) => void,
): ModelChoosing {
  const { owner, parent = [] } = wanted
  const choosing: ModelChoosing = {
    owner,
    providers,
    names,
    wanted,
    ...(defaultModel !== undefined && { defaultModel }),
    ...(callersModel !== undefined && { callersModel }),
    ...(host && { host, inherited: () => inheritedModel(choosing) }),
    warn,
    current: () => parent[0] ?? defaultUse(choosing),
  }
  return choosing
}

/** The provider that an agent inherits: the caller's, else the default's, else the one in the host's settings. */
function inheritedModel(choosing: ModelChoosing): InheritedModel | undefined {
  const use = choosing.current()
  if (use === undefined) return findHostDefault(choosing)
  if (!("provider" in use)) return undefined
  const isHostDefault = choosing.wanted.parent?.[0] === undefined && hasNoDefault(choosing)
  const { saidAt } = (isHostDefault && findHostDefault(choosing)) || {}
  return { ...use, ...(saidAt && { saidAt }) }
}

const hasNoDefault = ({ callersModel, defaultModel }: ModelChoosing): boolean =>
  callersModel === undefined && defaultModel === undefined

const defaultUse = (choosing: ModelChoosing): ModelUse | undefined =>
  hasNoDefault(choosing) && choosing.host === undefined
    ? undefined
    : tryOrUndefined(() => resolveCallersTarget({ ...choosing, onSetting: () => {} }))?.use

/** Returns undefined on failure: the error is reported where the value is needed. */
export function tryOrUndefined<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof CadreError) return undefined
    throw error
  }
}

interface ChosenTargets {
  readonly targets: readonly ModelTarget[]
  /** The replacement if the provider of the first target does not have the model. */
  readonly otherwise?: ModelTarget
}

/**
 * In some formats the default replaces a model that is unknown, here or to its provider. Without a default, the
 * caller's model does.
 */
function chosenTargets(choosing: ModelChoosing): ChosenTargets {
  const { choice, format, by, policy } = choosing.wanted
  const { replacesModel } = getFormatTraits(format)
  const fallsBack =
    replacesModel !== undefined && by !== "call" && policy === "lenient" && typeof choice === "string"
  if (!fallsBack || choice.trim() === "inherit") return { targets: resolveTargets(choice, choosing) }
  let targets: readonly ModelTarget[]
  try {
    targets = resolveTargets(choice, { ...choosing, ids: "known" })
  } catch (error) {
    if (error instanceof CadreError) return { targets: replaceModel(choice, error, choosing) }
    throw error
  }
  const otherwise = hasReplacement(choosing)
    ? tryOrUndefined(() => replacementTargets(choosing))?.[0]
    : undefined
  return { targets, ...(otherwise && !isSameUse(otherwise, targets[0]!) && { otherwise }) }
}

/** Without a key a provider cannot be asked for its models. So a model that is not in the tables counts as unknown. */
async function usableInstead(
  error: unknown,
  [target]: readonly ModelTarget[],
  otherwise: ModelTarget | undefined,
  choosing: ModelChoosing,
  settling: ModelSettling,
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
  const why = `${choosing.owner}: the model ${quoteName(use.model)} of ${use.provider} is unknown here, and without a key ${use.provider} cannot be asked for it.`
  return usableUses(replaceModel(choice, new CadreError("MODEL_UNKNOWN", why), choosing), choosing, settling)
}

/** True if a model is in the tables that ship. */
const isListed = (provider: string, model: string): boolean =>
  findFacts(provider, model) !== undefined ||
  aliases.some((list) => list.provider === provider && Object.values(list.names).includes(model))

function replaceModel(choice: string, error: CadreError, choosing: ModelChoosing): readonly ModelTarget[] {
  if (!hasReplacement(choosing))
    throw new CadreError(
      error.code,
      `${error.message} ${replacingHost(choosing)} would use the default model instead, but there is none: set \`model\` in the configuration or CADRE_MODEL.`,
    )
  const targets = replacementTargets(choosing)
  const whose = choosing.defaultModel === undefined ? "The model of its caller" : "The default model"
  choosing.warn(
    `${whose} is used in place of ${quoteName(choice)}, as ${replacingHost(choosing)} does. ${error.message}`,
  )
  return targets
}

/** The name of the host that replaces unknown models. */
const replacingHost = ({ wanted: { format } }: ModelChoosing): string =>
  getFormatTraits(format).replacesModel!

const hasReplacement = ({ defaultModel, wanted }: ModelChoosing): boolean =>
  defaultModel !== undefined || (wanted.parent ?? []).length > 0

const replacementTargets = (choosing: ModelChoosing): readonly ModelTarget[] =>
  resolveTargets(choosing.defaultModel === undefined ? "inherit" : null, choosing)

const isSameUse = ({ use }: ModelTarget, other: ModelTarget): boolean =>
  JSON.stringify(use) === JSON.stringify(other.use)

/** A model that cannot be used replaces no other one. */
async function usableOrNothing(
  target: ModelTarget,
  choosing: ModelChoosing,
  settling: ModelSettling,
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

/** The models that have a key. Of several models, some may lack one. */
async function usableUses(
  targets: readonly ModelTarget[],
  choosing: ModelChoosing,
  settling: ModelSettling,
): Promise<readonly ModelUse[]> {
  const { owner, warn } = choosing
  const uses: ModelUse[] = []
  const missing: string[] = []
  for (const target of targets)
    try {
      uses.push(await usableTarget(target, choosing, settling))
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      if (error.code === "MODEL_DENIED" && isDefault(choosing)) throw asDefaultProblem(error)
      if (error.code !== "MODEL_KEY_MISSING") throw rewordError(error, (message) => `${owner}: ${message}`)
      missing.push(error.message)
    }
  if (uses.length === 0) throw new CadreError("MODEL_KEY_MISSING", `${owner}: ${missing.join(" ")}`)
  for (const message of missing) warn(`${owner}: ${message} The other models of its list are used.`)
  return uses
}

const isDefault = ({ wanted: { choice, parent = [] } }: ModelChoosing): boolean =>
  choice === null || ((choice === undefined || choice === "inherit") && parent.length === 0)

/** A problem of the default is not the agent's fault. It is reported once, where the default is set. */
function asDefaultProblem(error: CadreError): CadreError {
  const message = (text: string) => `The default model: ${text}`
  if (!(error instanceof StartError)) return rewordError(error, message)
  return new StartError(
    error.problems.map(({ part: _, ...problem }) => ({
      ...problem,
      setting: "model",
      message: message(problem.message),
    })),
  )
}

async function usableTarget(
  target: ModelTarget,
  choosing: ModelChoosing,
  settling: ModelSettling,
): Promise<ModelUse> {
  const { owner, providers, wanted, warn, onSetting } = choosing
  const effort = wanted.effort ?? target.effort
  const { served, endpoint } = locate(target.use, providers, settling.names)
  requireAllowed(target.use, { ...settling, providers })
  if (served && !target.inherited) {
    const { warnings } = await findModelAccess(served.model, served.provider, endpoint, settling.ring)
    for (const warning of warnings) warn(`${owner}: ${warning}`)
  }
  if (served?.provider.place !== undefined) onSetting?.([served.provider.place])
  if (typeof effort === "number" && served && ["openai", "responses"].includes(served.provider.protocol))
    warn(
      `${owner}: an effort of ${effort} tokens is not sent: ${served.provider.id} only accepts efforts in words, such as \`high\`.`,
    )
  const parameters = removeReservedParameters(target.parameters, (name) =>
    warn(
      `${owner}: the parameter ${JSON.stringify(name)} is not sent: the run itself sets the model, messages, tools and stream of a request.`,
    ),
  )
  const extras = { ...(parameters && { parameters }), ...(effort !== undefined && { effort }) }
  return {
    ...target.use,
    ...(endpoint !== undefined && { endpoint }),
    ...(served && endpoint === undefined
      ? fitToModel(served, extras, settling.now, (message) => warn(`${owner}: ${message}`))
      : extras),
  }
}

/** Adapts parameters to a model. At another address the same name may be another model, of which nothing is known. */
function fitToModel(
  { provider: { id, protocol }, model }: NonNullable<Where["served"]>,
  extras: RequestExtras,
  now: number,
  warn: (message: string) => void,
): RequestExtras {
  const retirement = findRetirement(id, model, now)
  if (retirement?.state === "retired") warn(describeRetirement(retirement))
  // Azure serves OpenAI's models, usually under their names.
  const listedFacts = findFacts(id === "azure" ? "openai" : id, model)
  const common =
    protocol === "anthropic" && model.startsWith("claude-")
      ? claudeFacts
      : id === "google" && protocol === "openai"
        ? geminiChatFacts
        : undefined
  const facts = common
    ? { ...common, ...listedFacts, sources: { ...common.sources, ...listedFacts?.sources } }
    : listedFacts
  return facts === undefined ? extras : keepAcceptedExtras(`${id}/${model}`, facts, extras, warn)
}

interface Where {
  readonly served?: { readonly provider: Provider; readonly model: string }
  readonly endpoint?: string
}

/** The provider and endpoint of a use. Empty for models that need no key of ours. */
function locate(
  use: ModelTarget["use"],
  providers: ProviderList,
  { models, environment }: ModelNames,
): Where {
  if ("name" in use) {
    const settings = models.get(use.name)
    if (settings === undefined || isModel(settings) || settings.apiKey) return {}
    return { served: resolveSettings(use.name, settings, providers, environment) }
  }
  const provider = providers.serving(use)
  const endpoint = use.endpoint ?? provider?.endpoint
  return {
    ...(provider && { served: { provider, model: use.model } }),
    ...(endpoint !== undefined && { endpoint }),
  }
}
