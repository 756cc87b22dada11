import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import { describeOldTables, findOldTables, type OldTable } from "../../../world/models/dated-tables.ts"
import type {
  ModelsDescription,
  NameDescription,
  ProviderDescription,
  Reach,
} from "../../../world/models/describe.ts"
import type { Models } from "../../../world/models/source.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { createConfiguredModels } from "../models.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { formatTable } from "../terminal/table.ts"
import { readFollowedConfiguration, readStandingAt } from "../trust/trust.ts"
import { openWorkspaceAt } from "../workspace.ts"

export const modelsCommand = defineCommand({
  name: "models",
  summary: "Show the models that you can use, and what each name means",
  arguments: [{ name: "name", doc: "A model or a provider. Default: all", count: "optional" }],
  options: {
    offline: { type: "flag", doc: "Do not contact any provider" },
    all: { type: "flag", doc: "Include providers without a key, and all known aliases" },
    trust: { type: "flag", doc: "Include the project's configuration, as a run with --trust does" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre models", doc: "Show what is set up here, and what to set if nothing is" },
    { line: "cadre models sonnet --offline", doc: "Show what a name means" },
  ],
  async run({ arguments: { name }, options, stdout, ...surroundings }) {
    const around = { ...surroundings, stdout }
    const workspace = openWorkspaceAt(around)
    const standing = readStandingAt(around, workspace)
    const { configuration } = readFollowedConfiguration(around, workspace, options.trust ? "all" : standing)
    const models = createConfiguredModels(around, configuration)
    const description = await models.describe()
    if (name !== undefined && !description.providers.some(({ id }) => id === name)) {
      const resolution = await resolveName(models, name)
      stdout.write(options.json ? writeJsonText(resolution) : `${settledText(resolution)}\n`)
      return resolution.problem === undefined ? exitCode.fine : exitCode.problems
    }
    const providers = description.providers.filter(({ id, key }) =>
      name === undefined ? options.all || !isKeyMissing(key) : id === name,
    )
    const checkedProviders = await Promise.all(
      providers.map(async (provider) => ({
        ...provider,
        ...(!options.offline && { reach: await models.reach(provider.id) }),
      })),
    )
    const names = description.names.filter(({ kind }) => options.all || kind !== "alias")
    const old = findOldTables(surroundings.now?.() ?? Date.now(), description.tables)
    if (options.json)
      stdout.write(
        writeJsonText({ ...byHost(description), providers: checkedProviders, names, oldTables: old }),
      )
    else stdout.write(`${overview(checkedProviders, { ...description, names }, old)}\n`)
    return exitCode.fine
  },
})

/** Puts the settings of a host under the host's name. */
function byHost({ host, ...description }: ModelsDescription): object {
  if (!host) return description
  const { of, ...settings } = host
  return { ...description, [of]: settings }
}

export const isKeyMissing = (key: string): boolean => key.startsWith("missing")

interface Resolution {
  readonly name: string
  readonly resolved?: string
  /** The models that are asked if the first one fails. */
  readonly otherwise?: readonly string[]
  readonly warnings?: readonly string[]
  readonly problem?: string
}

/** Finds the model that a run with this name would ask, without asking it. */
async function resolveName(models: Models, name: string): Promise<Resolution> {
  try {
    const { uses, warnings } = await models.resolve({
      owner,
      choice: name,
      policy: "strict",
    })
    const [resolved, ...otherwise] = await Promise.all(uses.map(async (use) => (await models.open(use)).id))
    return { name, ...(resolved !== undefined && { resolved }), otherwise, warnings }
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    return { name, problem: error.message.replace(`${owner}: `, "") }
  }
}

/** Error messages begin with the owner of the model. The owner is removed here, because the line starts with the name. */
const owner = "This name"

function settledText({ name, resolved, otherwise = [], warnings = [], problem }: Resolution): string {
  if (problem !== undefined) return formatTable([[name, "cannot be used", problem]])
  return formatTable([
    [name, resolved ?? "", otherwise.length > 0 ? `then ${otherwise.join(", ")}` : ""],
    ...warnings.map((warning) => ["", "warning", warning]),
  ])
}

type CheckedProvider = ProviderDescription & { readonly reach?: Reach }

function overview(
  providers: readonly CheckedProvider[],
  description: ModelsDescription,
  old: readonly OldTable[],
): string {
  const notice = describeOldTables(old)
  const named = [...(description.default ? [description.default] : []), ...description.names]
  return [
    ...(providers.length > 0
      ? [formatTable([["PROVIDER", "PROTOCOL", "KEY", "ANSWERS", "AT"], ...providers.map(providerRow)])]
      : ["No provider has a key here."]),
    ...details(providers),
    ...(named.length > 0 ? ["", formatTable([["NAME", "KIND", "IS"], ...named.map(nameRow)])] : []),
    ...codexLines(description),
    ...[...advice(description), ...(notice ? [`${notice.reason} ${notice.remedy}`] : [])].flatMap((line) => [
      "",
      line,
    ]),
  ].join("\n")
}

/** The values of the user's Codex configuration that apply to Codex files. */
const codexLines = ({ host: codex }: ModelsDescription): readonly string[] =>
  codex
    ? [
        "",
        formatTable([["FOR CODEX FILES", "IS"], ...codex.settings.map(({ name, value }) => [name, value])]),
        ...codex.warnings.map((warning) => escapeText(warning)),
      ]
    : []

const providerRow = ({ id, protocol, key, reach, baseUrl, warning }: CheckedProvider): readonly string[] => [
  id,
  protocol,
  warning === undefined ? key : `${key}: ${warning}`,
  reach ? (reach.status === "reachable" ? "yes" : reach.status) : "not checked",
  baseUrl ?? "",
]

/** One line per provider with a key that does not answer. A local server that is not running is not worth a line. */
const details = (providers: readonly CheckedProvider[]): readonly string[] =>
  providers
    .filter(
      ({ key, reach }) => reach && reach.status !== "reachable" && (isKeyed(key) || providers.length === 1),
    )
    .map(({ id, reach }) => escapeText(`${id}: ${reach!.detail}`))

const isKeyed = (key: string): boolean => key.startsWith("set") || key.startsWith("file")

const nameRow = ({ name, kind, resolved, problem }: NameDescription): readonly string[] => [
  name,
  kind,
  resolved ?? `cannot be used: ${problem}`,
]

/** Advice for a missing key or a missing default model. */
function advice(description: ModelsDescription): readonly string[] {
  const hasKey = description.providers.some(({ key }) => isKeyed(key))
  const remedies = ["anthropic", "openai", "openrouter"].flatMap((id) => {
    const provider = description.providers.find((candidate) => candidate.id === id)
    return provider && isKeyMissing(provider.key) ? [`${id}: ${provider.key}`] : []
  })
  return [
    ...(hasKey
      ? []
      : [
          `To use a provider, set its key: ${remedies.join("; ")}. Local models (ollama) need no key. \`--all\` lists every provider.`,
        ]),
    ...(description.default
      ? []
      : [
          "No default model. Set `model` in your config.yaml, set CADRE_MODEL, or run with --model. `cadre config` shows where the file is.",
        ]),
  ]
}
