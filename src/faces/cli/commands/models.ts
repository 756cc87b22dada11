import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import { type OldTable, oldTables, oldTablesNotice } from "../../../world/models/dated-tables.ts"
import type {
  ModelsDescription,
  NameDescription,
  ProviderDescription,
  Reach,
} from "../../../world/models/describe.ts"
import type { Models } from "../../../world/models/source.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { modelsOf } from "../models.ts"
import { jsonText } from "../terminal/json-text.ts"
import { table } from "../terminal/table.ts"
import { followedAt, standingAt } from "../trust/trust.ts"
import { workspaceOf } from "../workspace.ts"

export const command = defineCommand({
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
    const workspace = workspaceOf(around)
    const standing = standingAt(around, workspace)
    const { configuration } = followedAt(around, workspace, options.trust ? "all" : standing)
    const models = modelsOf(around, configuration)
    const described = await models.describe()
    if (name !== undefined && !described.providers.some(({ id }) => id === name)) {
      const found = await settled(models, name)
      stdout.write(options.json ? jsonText(found) : `${settledText(found)}\n`)
      return found.problem === undefined ? exitCode.fine : exitCode.problems
    }
    const wanted = described.providers.filter(({ id, key }) =>
      name === undefined ? options.all || !isMissing(key) : id === name,
    )
    const reached = await Promise.all(
      wanted.map(async (provider) => ({
        ...provider,
        ...(!options.offline && { reach: await models.reach(provider.id) }),
      })),
    )
    const names = described.names.filter(({ kind }) => options.all || kind !== "alias")
    const old = oldTables(surroundings.now?.() ?? Date.now(), described.tables)
    if (options.json)
      stdout.write(jsonText({ ...byHost(described), providers: reached, names, oldTables: old }))
    else stdout.write(`${overview(reached, { ...described, names }, old)}\n`)
    return exitCode.fine
  },
})

/** The settings of a host stand under its name. */
function byHost({ host, ...described }: ModelsDescription): object {
  if (!host) return described
  const { of, ...settings } = host
  return { ...described, [of]: settings }
}

export const isMissing = (key: string): boolean => key.startsWith("missing")

interface Found {
  readonly name: string
  readonly resolved?: string
  /** What is asked where that one fails. */
  readonly otherwise?: readonly string[]
  readonly warnings?: readonly string[]
  readonly problem?: string
}

/** What a run that names it would ask, without asking. */
async function settled(models: Models, name: string): Promise<Found> {
  try {
    const { uses, warnings } = await models.settle({
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

/** Messages begin with whose model it is; here the line says so itself. */
const owner = "This name"

function settledText({ name, resolved, otherwise = [], warnings = [], problem }: Found): string {
  if (problem !== undefined) return table([[name, "cannot be used", problem]])
  return table([
    [name, resolved ?? "", otherwise.length > 0 ? `then ${otherwise.join(", ")}` : ""],
    ...warnings.map((warning) => ["", "warning", warning]),
  ])
}

type Reached = ProviderDescription & { readonly reach?: Reach }

function overview(
  providers: readonly Reached[],
  described: ModelsDescription,
  old: readonly OldTable[],
): string {
  const notice = oldTablesNotice(old)
  const named = [...(described.default ? [described.default] : []), ...described.names]
  return [
    ...(providers.length > 0
      ? [table([["PROVIDER", "PROTOCOL", "KEY", "ANSWERS", "AT"], ...providers.map(providerRow)])]
      : ["No provider has a key here."]),
    ...details(providers),
    ...(named.length > 0 ? ["", table([["NAME", "KIND", "IS"], ...named.map(nameRow)])] : []),
    ...codexLines(described),
    ...[...advice(described), ...(notice ? [`${notice.reason} ${notice.remedy}`] : [])].flatMap((line) => [
      "",
      line,
    ]),
  ].join("\n")
}

/** What of the user's Codex configuration counts for Codex files. */
const codexLines = ({ host: codex }: ModelsDescription): readonly string[] =>
  codex
    ? [
        "",
        table([["FOR CODEX FILES", "IS"], ...codex.settings.map(({ name, value }) => [name, value])]),
        ...codex.warnings.map((warning) => escapeText(warning)),
      ]
    : []

const providerRow = ({ id, protocol, key, reach, baseUrl, warning }: Reached): readonly string[] => [
  id,
  protocol,
  warning === undefined ? key : `${key}: ${warning}`,
  reach ? (reach.status === "reachable" ? "yes" : reach.status) : "not asked",
  baseUrl ?? "",
]

/** Why somebody who could be asked does not answer; that nothing runs on this machine is no news. */
const details = (providers: readonly Reached[]): readonly string[] =>
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

/** What to set where something is missing. */
function advice(described: ModelsDescription): readonly string[] {
  const hasKey = described.providers.some(({ key }) => isKeyed(key))
  const remedies = ["anthropic", "openai", "openrouter"].flatMap((id) => {
    const provider = described.providers.find((known) => known.id === id)
    return provider && isMissing(provider.key) ? [`${id}: ${provider.key}`] : []
  })
  return [
    ...(hasKey
      ? []
      : [
          `To use a model of a provider, give it a key: ${remedies.join("; ")}. Models of your own machine (ollama) need none. \`--all\` lists every provider.`,
        ]),
    ...(described.default
      ? []
      : [
          "No default model: set `model` in your config.yaml or CADRE_MODEL, or give a run --model. `cadre config` says where the file is.",
        ]),
  ]
}
