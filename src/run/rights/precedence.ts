/** One source of a run's settings. */
interface Rank {
  readonly source: string
  /** The place where a setting of this source is written. */
  readonly where: string
}

/**
 * The sources of a run's settings: the first with a value wins. Runs start by this order, `explain` reports
 * its result, and the page in docs is made from it.
 */
export const precedence = {
  model: [
    { source: "call", where: "`--model`, `runtime.run(…, { model })`, the `model` of a delegation" },
    {
      source: "definition",
      where:
        "`model:` of the definition: a name, a preset, an object, a list. `inherit`, or no key, leaves it to the next source; an explicit `null` means the default and skips the parent",
    },
    { source: "parent", where: "the models of the calling run" },
    {
      source: "default",
      where:
        "`CADRE_MODEL`, then `model:` of the project's configuration where it is trusted, then of the user's; in code `createRuntime({ model })`.",
    },
  ],
  tools: [
    { source: "registered", where: "a tool that is absent here or unknown is available to no run" },
    {
      source: "call",
      where:
        "`runtime.run(…, { tools })` of the root narrows the tools of the whole tree; the root's log records it",
    },
    {
      source: "above",
      where:
        "tools denied above are removed: by `disallowedTools`, rules that deny, plan mode, rules of the configuration",
    },
    {
      source: "deny",
      where: "tools that the definition denies are removed, even if another source grants them",
    },
    { source: "allow", where: "tools that the definition lists are kept; an empty list means no tools" },
    {
      source: "inherited",
      where:
        "a definition without a list: all remaining tools in formats where that means every tool; the caller's tools in others and in code",
    },
    {
      source: "parent",
      where:
        "only the caller's tools: with `delegation: narrow`, and for a child that starts from its caller's history (`context: fork`). With `narrow`, also the tools that the caller may hand on (`delegates`)",
    },
    { source: "depth", where: "at `maxDepth`, tools that hand work on are not offered" },
  ],
  limits: [
    {
      source: "parent",
      where:
        "the rest of its `timeout`, and its `maxDepth`, where they are tighter. A `timeout` that only the format of its file sets counts the parent's own work and not its waiting for children. Children are then bound by the rest of a `timeout` that is written above it or in the configuration. Its `maxTokens`, `maxCost` and `maxSpawns` count for the whole tree, and `maxConcurrency` is the root's",
    },
    {
      source: "call",
      where:
        "`--timeout`, `--max-turns`, `--max-cost`, `runtime.run(…, { limits })`, the time of a delegation",
    },
    { source: "definition", where: "its own keys, or the defaults of its format" },
    {
      source: "configuration",
      where:
        "`limits:` of the user's configuration and, where it is trusted, of the project's: the tighter of the two; in code `createRuntime({ limits })`",
    },
    { source: "default", where: "[limits](limits.md)" },
  ],
  variables: [
    {
      source: "call",
      where:
        "`--var`, `runtime.run(…, { variables })`; of a delegation, only those that the definition lists in `callVariables`",
    },
    {
      source: "locked",
      where:
        "`variables:` of the user's configuration, for the names in its `locked_variables`; null where it has no value for a name",
    },
    {
      source: "parent",
      where:
        "the current values of the calling run, only for the names in `inheritVariables` of the definition",
    },
    {
      source: "definition",
      where: "`variables:` of the definition",
    },
    { source: "workflow", where: "`variables:` of its workflow" },
    {
      source: "configuration",
      where:
        "`variables:` of the project's configuration where it is trusted, then of the user's; in code `createRuntime({ variables })`",
    },
    {
      source: "lifecycle",
      where:
        "`variables:` and `session_variables:` of effective lifecycle files: the user's, then the project's",
    },
  ],
} as const satisfies Readonly<Record<string, readonly Rank[]>>

export type ModelRank = (typeof precedence.model)[number]["source"]
export type LimitRank = (typeof precedence.limits)[number]["source"]
export type VariableRank = (typeof precedence.variables)[number]["source"]

/** The values of one source. */
export interface SourceValues<Source extends string, Values> {
  readonly source: Source
  readonly values: Values
}

/** The values of each source, the one that wins first. */
export const orderBySource = <Source extends string, Values>(
  ranks: readonly { readonly source: Source }[],
  bySource: Readonly<Record<Source, Values | undefined>>,
): readonly SourceValues<Source, Values>[] =>
  ranks.flatMap(({ source }) => {
    const values = bySource[source]
    return values === undefined ? [] : [{ source, values }]
  })

/** The effective values, name by name. */
export function mergeInOrder<Values extends object>(sayings: readonly { readonly values: Values }[]): Values {
  let effective = {} as Values
  for (const { values } of sayings.toReversed()) effective = { ...effective, ...values }
  return effective
}
