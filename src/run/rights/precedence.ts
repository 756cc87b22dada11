/** One who may say what a run has. */
interface Rank {
  readonly source: string
  /** Where it is said. */
  readonly where: string
}

/**
 * Who says what a run has: the first that says something wins. Runs are started by this order, `explain` tells what it came
 * to, and the page in docs is made from it.
 */
export const precedence = {
  model: [
    { source: "call", where: "`--model`, `runtime.run(…, { model })`, the `model` of a delegation" },
    {
      source: "definition",
      where:
        "`model:` of the definition: a name, a preset, an object, a list. `inherit`, or nothing at all, leaves it to the next; `null` written out is the default, and passes the parent over",
    },
    { source: "parent", where: "the models that the calling run has at work" },
    {
      source: "default",
      where:
        "`CADRE_MODEL`, then `model:` of the project's configuration where it is trusted, then of the user's; in code `createRuntime({ model })`.",
    },
  ],
  tools: [
    { source: "registered", where: "a tool that is absent here, or that nobody knows, is nobody's" },
    {
      source: "call",
      where:
        "`runtime.run(…, { tools })` of the root narrows that for the whole tree; the root's log keeps it",
    },
    {
      source: "above",
      where:
        "what anybody above denies goes: `disallowedTools`, rules that deny, plan mode, rules of the configuration",
    },
    { source: "deny", where: "what the definition denies goes, whatever else grants it" },
    { source: "allow", where: "what the definition lists stays; an empty list is none" },
    {
      source: "inherited",
      where:
        "a definition without a list: in formats where that means every tool all that is left; in others and in code what the caller has",
    },
    {
      source: "parent",
      where:
        "with `delegation: narrow`, and for a child that starts from its caller's history (`context: fork`), only what the caller has too; with `narrow` also what it may hand on (`delegates`)",
    },
    { source: "depth", where: "at `maxDepth` no tool that hands work on is offered" },
  ],
  limits: [
    {
      source: "parent",
      where:
        "the rest of its `timeout` and its `maxDepth`, where they are tighter. A `timeout` that only the format of its file says is for what it does itself: waiting for children does not count, and these are bound by what is left of what somebody wrote above it, or the configuration has. Its `maxTokens`, `maxCost` and `maxSpawns` go on counting for the whole tree, and `maxConcurrency` is the root's",
    },
    {
      source: "call",
      where:
        "`--timeout`, `--max-turns`, `--max-cost`, `runtime.run(…, { limits })`, the time of a delegation",
    },
    { source: "definition", where: "its own keys, else what its format says where they are left out" },
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
        "`variables:` of the user's configuration, for the names in its `locked_variables`; null where it says nothing of one",
    },
    {
      source: "parent",
      where: "what the calling run has now, for the names in `inheritVariables` of the definition alone",
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
        "`variables:` and `session_variables:` of lifecycle files that hold: the user's, then the project's",
    },
  ],
} as const satisfies Readonly<Record<string, readonly Rank[]>>

export type ModelRank = (typeof precedence.model)[number]["source"]
export type LimitRank = (typeof precedence.limits)[number]["source"]
export type VariableRank = (typeof precedence.variables)[number]["source"]

/** What one of them says. */
export interface Saying<Source extends string, Values> {
  readonly source: Source
  readonly values: Values
}

/** What each says, the first to win first. */
export const inOrder = <Source extends string, Values>(
  ranks: readonly { readonly source: Source }[],
  said: Readonly<Record<Source, Values | undefined>>,
): readonly Saying<Source, Values>[] =>
  ranks.flatMap(({ source }) => {
    const values = said[source]
    return values === undefined ? [] : [{ source, values }]
  })

/** What holds, name by name. */
export function overlaid<Values extends object>(sayings: readonly { readonly values: Values }[]): Values {
  let held = {} as Values
  for (const { values } of sayings.toReversed()) held = { ...held, ...values }
  return held
}
