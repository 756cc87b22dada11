/** Short names that move with time. Data that ages: each list says where it was read. */
export interface Aliases {
  readonly provider: string
  readonly source: string
  readonly names: { readonly [alias: string]: string }
  /** Variables of its host that say what an alias means for whoever set them. */
  readonly variables?: { readonly [alias: string]: string }
}

/** When the sources below were last compared with this file. */
export const aliasesDate = "2026-11-15"

export const aliases: readonly Aliases[] = [
  {
    provider: "anthropic",
    source:
      "code.claude.com/docs/en/model-config and docs.rs/claude-codes 2.1.311 (Claude Code 2.1.293), " +
      "platform.claude.com/docs/en/about-claude/models, 2026-10",
    names: {
      sonnet: "claude-sonnet-5-5",
      opus: "claude-opus-5-5",
      haiku: "claude-haiku-5-5",
      fable: "claude-fable-5-1",
      // Opus while Claude Code plans, Sonnet while it works; a run here only works.
      opusplan: "claude-sonnet-5-5",
    },
    variables: {
      sonnet: "ANTHROPIC_DEFAULT_SONNET_MODEL",
      opus: "ANTHROPIC_DEFAULT_OPUS_MODEL",
      haiku: "ANTHROPIC_DEFAULT_HAIKU_MODEL",
      opusplan: "ANTHROPIC_DEFAULT_SONNET_MODEL",
    },
  },
  {
    provider: "google",
    source: "geminicli.com/docs/cli/model, 2026; the ids are Google's own moving ones",
    names: {
      pro: "gemini-pro-latest",
      flash: "gemini-flash-latest",
      "flash-lite": "gemini-flash-lite-latest",
    },
  },
  {
    provider: "openrouter",
    source: "openrouter.ai/models as listed in @earendil-works/pi-ai 1.5.0, 2026-11-02",
    names: {
      sonnet: "anthropic/claude-sonnet-5.5",
      opus: "anthropic/claude-opus-5.5",
      haiku: "anthropic/claude-haiku-5.5",
      fable: "anthropic/claude-fable-5.1",
      opusplan: "anthropic/claude-sonnet-5.5",
    },
  },
]

/** What an alias of a provider stands for. */
export function aliasedModel(
  provider: string,
  name: string,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const known = aliases.find((list) => list.provider === provider)
  if (known === undefined || !Object.hasOwn(known.names, name)) return undefined
  const variable = known.variables?.[name]
  const chosen = variable === undefined ? "" : (environment[variable] ?? "").trim()
  return chosen === "" ? known.names[name] : chosen
}

/** Aliases that need no provider before them, each with the provider that it means: the first that has it. */
export const bareAliases: ReadonlyMap<string, string> = new Map(
  aliases
    .flatMap(({ provider, names }) => Object.keys(names).map((name) => [name, provider] as const))
    .filter(([name], index, all) => all.findIndex(([other]) => other === name) === index),
)
