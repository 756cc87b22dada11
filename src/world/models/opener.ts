import type { Model, ModelSettings, ModelUse } from "../../agent/model.ts"
import { CadreError, knownNames } from "../../ground/errors.ts"
import { type Access, accessTo, type KeyRing } from "./access.ts"
import type { ModelBounds } from "./bounds.ts"
import { isModel, servedBy } from "./model-settings.ts"
import type { Opening } from "./open.ts"
import { presetFacts } from "./preset-facts.ts"
import type { ProviderList } from "./provider.ts"
import { resolveName } from "./resolve.ts"
import type { ServedUse } from "./served-use.ts"
import type { Names } from "./target.ts"

export interface Opener {
  readonly names: Names
  readonly known: ProviderList
  readonly ring: KeyRing
  /** Which models may be asked. Left out: all. */
  readonly bounds?: ModelBounds
  readonly packagesFrom?: string
  readonly packages?: Opening["packages"]
  /** Those that are known, and those of a host. */
  allProviders(): Promise<ProviderList>
}

/** Opens models, each once. A key that is gone since they were settled is said here, before any request. */
export function modelOpener(opener: Opener): (use: ModelUse) => Promise<Model> {
  const opened = new Map<string, Promise<Model>>()
  return (use) => {
    const key = JSON.stringify(
      "name" in use ? [use.name] : [use.provider, use.model, use.endpoint ?? null, use.configuration ?? null],
    )
    const before = opened.get(key)
    if (before) return before
    const opening = openAllowed(use, opener)
    opened.set(key, opening)
    opening.catch(() => opened.delete(key))
    return opening
  }
}

/** Whoever asks for it, whatever it was settled under: what is not allowed now is not opened. */
async function openAllowed(use: ModelUse, opener: Opener): Promise<Model> {
  const { names, known, bounds } = opener
  if (bounds) {
    const { requireAllowed } = await import("./bounds.ts")
    const isKnown = "name" in use || known.find(use.provider) !== undefined
    requireAllowed(use, { names, bounds, providers: isKnown ? known : await opener.allProviders() })
  }
  return "name" in use ? openNamed(use.name, opener) : openServed(use, opener)
}

async function openNamed(name: string, opener: Opener): Promise<Model> {
  const model = opener.names.given.get(name)
  if (model !== undefined) return isModel(model) ? model : openSettings(name, model, opener)
  if (!name.startsWith("script:"))
    throw new CadreError(
      "MODEL_UNKNOWN",
      `There is no model named ${JSON.stringify(name)} in this program. ${knownNames(name, opener.names.given.keys())} Give it as one of the runtime's models.`,
    )
  const { readScript } = await import("./scripted.ts")
  return readScript(name.slice("script:".length))
}

async function openSettings(
  name: string,
  settings: ModelSettings,
  { names, known, ring, ...opener }: Opener,
): Promise<Model> {
  const { apiKey, price, window, sees } = settings
  const served = servedBy(name, settings, known, names.environment)
  const { openModel } = await import("./open.ts")
  const access: Access = apiKey
    ? {
        key: { value: apiKey, as: "key", from: { variable: "apiKey" } },
        headers: served.provider.headers,
        warnings: [],
      }
    : await accessTo(served.model, served.provider, undefined, ring)
  const facts = { ...(price && { price }), ...(window !== undefined && { window }), ...(sees && { sees }) }
  return openModel({ ...served, access, facts, ...packagesOf(opener) })
}

async function openServed(use: ServedUse, opener: Opener): Promise<Model> {
  const { names, known, ring, allProviders } = opener
  const isOwn = use.configuration === undefined && known.find(use.provider) !== undefined
  const providers = isOwn ? known : await allProviders()
  const provider = providers.serving(use)
  if (!provider)
    throw new CadreError(
      "MODEL_UNKNOWN",
      `The provider ${JSON.stringify(use.provider)} of the model ${JSON.stringify(use.model)} is not known any more. ${knownNames(use.provider, providers.names)} Put it back below \`providers:\` in the configuration.`,
    )
  const { model, endpoint } = use
  const access = await accessTo(model, provider, endpoint, ring)
  const facts = presetFacts(provider.id, model, names.presets, (name) =>
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

const packagesOf = ({ packagesFrom, packages }: Pick<Opener, "packagesFrom" | "packages">) => ({
  ...(packagesFrom !== undefined && { packagesFrom }),
  ...(packages && { packages }),
})
