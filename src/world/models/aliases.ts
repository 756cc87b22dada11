/** Short names whose models change over time. This data ages: each list names its source. */
export interface Aliases {
  readonly provider: string
  readonly source: string
  readonly names: { readonly [alias: string]: string }
  /** Variables of the host with which a user changes the meaning of an alias. */
  readonly variables?: { readonly [alias: string]: string }
}

/** The day on which this file was last compared with its sources. */
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
      // Claude Code plans with Opus and works with Sonnet. A run here only works.
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

/** The model that an alias of a provider means. */
export function resolveAlias(
  provider: string,
  name: string,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const aliasList = aliases.find((list) => list.provider === provider)
  if (aliasList === undefined || !Object.hasOwn(aliasList.names, name)) return undefined
  const variable = aliasList.variables?.[name]
  const override = variable === undefined ? "" : (environment[variable] ?? "").trim()
  return override === "" ? aliasList.names[name] : override
}

/** Aliases that work without a provider, each with the first provider that has it. */
export const bareAliases: ReadonlyMap<string, string> = new Map(
  aliases
    .flatMap(({ provider, names }) => Object.keys(names).map((name) => [name, provider] as const))
    .filter(([name], index, all) => all.findIndex(([other]) => other === name) === index),
)
