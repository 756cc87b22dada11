import type { Model, ModelSettings, ModelUse } from "../../agent/model.ts"
import { CadreError, listKnownNames } from "../../ground/errors.ts"
import { findModelAccess, type KeyRing, type ModelAccess } from "./access.ts"
import type { ModelBounds } from "./bounds.ts"
import { isModel, resolveSettings } from "./model-settings.ts"
import type { ModelOpening } from "./open.ts"
import { findPresetFacts } from "./preset-facts.ts"
import type { ProviderList } from "./provider.ts"
import { resolveName } from "./resolve.ts"
import type { ServedUse } from "./served-use.ts"
import type { ModelNames } from "./target.ts"

export interface ModelOpener {
  readonly names: ModelNames
  readonly providers: ProviderList
  readonly ring: KeyRing
  /** The models that are allowed. Absent: all. */
  readonly bounds?: ModelBounds
  readonly packagesFrom?: string
  readonly packages?: ModelOpening["packages"]
  /** All providers, including those of a host. */
  allProviders(): Promise<ProviderList>
}

/** Opens models, each once. Throws if a key has disappeared since the models were chosen, before any request. */
export function createModelOpener(opener: ModelOpener): (use: ModelUse) => Promise<Model> {
  const openings = new Map<string, Promise<Model>>()
  return (use) => {
    const key = JSON.stringify(
      "name" in use ? [use.name] : [use.provider, use.model, use.endpoint ?? null, use.configuration ?? null],
    )
    const existing = openings.get(key)
    if (existing) return existing
    const opening = openAllowed(use, opener)
    openings.set(key, opening)
    opening.catch(() => openings.delete(key))
    return opening
  }
}

/** Checks the bounds again: a model that is no longer allowed is not opened. */
async function openAllowed(use: ModelUse, opener: ModelOpener): Promise<Model> {
  const { names, providers, bounds } = opener
  if (bounds) {
    const { requireAllowed } = await import("./bounds.ts")
    const isKnown = "name" in use || providers.find(use.provider) !== undefined
    requireAllowed(use, { names, bounds, providers: isKnown ? providers : await opener.allProviders() })
  }
  return "name" in use ? openNamed(use.name, opener) : openServed(use, opener)
}

async function openNamed(name: string, opener: ModelOpener): Promise<Model> {
  const model = opener.names.models.get(name)
  if (model !== undefined) return isModel(model) ? model : openSettings(name, model, opener)
  if (!name.startsWith("script:"))
    throw new CadreError(
      "MODEL_UNKNOWN",
      `There is no model named ${JSON.stringify(name)} in this program. ${listKnownNames(name, opener.names.models.keys())} Pass it as one of the runtime's models.`,
    )
  const { readScript } = await import("./scripted.ts")
  return readScript(name.slice("script:".length))
}

async function openSettings(
  name: string,
  settings: ModelSettings,
  { names, providers, ring, ...opener }: ModelOpener,
): Promise<Model> {
  const { apiKey, price, window, sees } = settings
  const target = resolveSettings(name, settings, providers, names.environment)
  const { openModel } = await import("./open.ts")
  const access: ModelAccess = apiKey
    ? {
        key: { value: apiKey, as: "key", from: { variable: "apiKey" } },
        headers: target.provider.headers,
        warnings: [],
      }
    : await findModelAccess(target.model, target.provider, undefined, ring)
  const facts = { ...(price && { price }), ...(window !== undefined && { window }), ...(sees && { sees }) }
  return openModel({ ...target, access, facts, ...packagesOf(opener) })
}

async function openServed(use: ServedUse, opener: ModelOpener): Promise<Model> {
  const { names, providers: knownProviders, ring, allProviders } = opener
  const isConfigured = use.configuration === undefined && knownProviders.find(use.provider) !== undefined
  const providers = isConfigured ? knownProviders : await allProviders()
  const provider = providers.serving(use)
  if (!provider)
    throw new CadreError(
      "MODEL_UNKNOWN",
      `The provider ${JSON.stringify(use.provider)} of the model ${JSON.stringify(use.model)} is no longer known. ${listKnownNames(use.provider, providers.names)} Add it again under \`providers:\` in the configuration.`,
    )
  const { model, endpoint } = use
  const access = await findModelAccess(model, provider, endpoint, ring)
  const facts = findPresetFacts(provider.id, model, names.presets, (name) =>
    resolveName(name, names, { owner: "The configuration", providers, current: () => undefined }),
  )
  const { openModel } = await import("./open.ts")
  return openModel({
    provider,
    model,
    ...(endpoint !== undefined && { endpoint }),
    ...packagesOf(opener),
    access,
    facts,
  })
}

const packagesOf = ({ packagesFrom, packages }: Pick<ModelOpener, "packagesFrom" | "packages">) => ({
  ...(packagesFrom !== undefined && { packagesFrom }),
  ...(packages && { packages }),
})
