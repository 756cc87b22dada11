import type { TokenPrices } from "../../../agent/model.ts"
import type { Sight } from "../sees.ts"

/** All that is known of a model. What no source says is left out: it counts as unknown, never as a default. */
export interface ModelFacts {
  /** US dollars for a million tokens. */
  readonly price?: TokenPrices
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** The longest reply, in tokens. */
  readonly longestReply?: number
  /** What tokens cost in a request with more input than `above`: all of them, not only those beyond. */
  readonly longPrompts?: { readonly above: number; readonly input: number; readonly output: number }
  /** OpenAI only. `responses`: with tools it must be asked over /v1/responses. */
  readonly protocol?: "chat" | "responses"
  /** Parameters that its provider answers with an error, by the provider's names; a dot leads into an object. */
  readonly refuses?: readonly string[]
  /** The same, unless the effort is `none`. */
  readonly refusesWhileReasoning?: readonly string[]
  /** The same, while it thinks with a budget, or as `thinking` says. */
  readonly refusesWhileThinking?: readonly string[]
  /** Parameters of which it takes one: the first of them that is set. */
  readonly oneOf?: readonly string[]
  /** The words for an effort that it takes, the lowest first. Empty: it takes none. */
  readonly efforts?: readonly string[]
  /** What it reads besides text. */
  readonly sees?: readonly Sight[]
  /** The first day on which its provider no longer serves it, and the model that the provider names instead. */
  readonly retired?: Retirement
}

/** The facts about a model of the tables. */
export interface ListedFacts extends ModelFacts {
  /** Where each of the facts was read, and on which day. */
  readonly sources: { readonly [Fact in SourcedFact]?: string }
}

export interface Retirement {
  readonly on: string
  readonly successor?: string
}

type SourcedFact = "price" | keyof Trait | "retired"

interface Trait {
  readonly protocol?: ModelFacts["protocol"]
  readonly refuses?: readonly string[]
  readonly refusesWhileReasoning?: readonly string[]
  readonly refusesWhileThinking?: readonly string[]
  readonly oneOf?: readonly string[]
  readonly efforts?: readonly string[]
  readonly sees?: ModelFacts["sees"]
}

/** A source, and the day on which it was read. */
interface Read {
  readonly source: string
  readonly read: string
}

/** The models of one provider. Data that ages: every part says where it was read. */
export interface ModelTable {
  /** On which day the table was last compared with its sources. */
  readonly date: string
  /**
   * One line a model: id, dollars for a million tokens of input, output, read from the cache and written to it, the
   * window, the longest reply, and where long prompts cost more `above:input:output`.
   */
  readonly prices: Read & { readonly rows: string }
  /** `models`: ids with spaces between them. */
  readonly traits?: readonly (Read & Trait & { readonly models: string })[]
  /** One line a model: id, day, and the model that takes its place. */
  readonly retired?: readonly (Read & { readonly rows: string })[]
}

/** The facts by id. */
export function factsIn({ prices, traits = [], retired = [] }: ModelTable): ReadonlyMap<string, ListedFacts> {
  const facts = new Map<string, ListedFacts>()
  const add = (id: string, more: ModelFacts, { source, read }: Read) => {
    const before = facts.get(id)
    const text = `${source} (read ${read})`
    const sources = Object.fromEntries(
      Object.keys(more)
        .filter((fact) => !["window", "longestReply", "longPrompts"].includes(fact))
        .map((fact) => [fact, text]),
    )
    facts.set(id, { ...before, ...more, sources: { ...before?.sources, ...sources } })
  }
  for (const row of linesOf(prices.rows)) add(row[0]!, pricesIn(row), prices)
  for (const { models, source, read, ...trait } of traits)
    for (const id of models.split(/\s+/)) add(id, trait, { source, read })
  for (const group of retired)
    for (const [id, on, successor] of linesOf(group.rows))
      add(id!, { retired: { on: on!, ...(successor !== undefined && { successor }) } }, group)
  return facts
}

const linesOf = (rows: string): readonly (readonly string[])[] =>
  rows
    .trim()
    .split("\n")
    .map((row) => row.trim().split(" "))

function pricesIn([, input, output, cacheRead, cacheWrite, window, longestReply, long]: readonly string[]) {
  const [above, longInput, longOutput] = (long ?? "").split(":").map(Number)
  return {
    price: {
      input: Number(input),
      output: Number(output),
      ...(cacheRead !== "-" && { cacheRead: Number(cacheRead) }),
      ...(cacheWrite !== "-" && { cacheWrite: Number(cacheWrite) }),
    },
    window: Number(window),
    longestReply: Number(longestReply),
    ...(long && { longPrompts: { above: above!, input: longInput!, output: longOutput! } }),
  }
}
