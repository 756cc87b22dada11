import type { TokenPrices } from "../../../agent/model.ts"
import type { Sight } from "../sees.ts"

/** All known facts about a model. A fact without a source is left out and counts as unknown, never as a default. */
export interface ModelFacts {
  /** In US dollars per million tokens. */
  readonly price?: TokenPrices
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** The longest reply, in tokens. */
  readonly longestReply?: number
  /** The prices in a request with more input than `above`. They apply to all tokens, not only to those beyond. */
  readonly longPrompts?: { readonly above: number; readonly input: number; readonly output: number }
  /** For OpenAI only. `responses`: with tools the model must be used over /v1/responses. */
  readonly protocol?: "chat" | "responses"
  /** Parameters that the provider refuses with an error, by the provider's names. A dot leads into an object. */
  readonly refuses?: readonly string[]
  /** Parameters that are refused unless the effort is `none`. */
  readonly refusesWhileReasoning?: readonly string[]
  /** Parameters that are refused while the model thinks with a budget, or as `thinking` says. */
  readonly refusesWhileThinking?: readonly string[]
  /** Parameters of which only one is accepted: the first that is set. */
  readonly oneOf?: readonly string[]
  /** The accepted words for an effort, lowest first. Empty: the model accepts none. */
  readonly efforts?: readonly string[]
  /** Types of input that the model reads besides text. */
  readonly sees?: readonly Sight[]
  /** The first day on which the provider no longer serves the model, and the successor that the provider names. */
  readonly retired?: Retirement
}

/** The facts about a model of the tables. */
export interface ListedFacts extends ModelFacts {
  /** The source of each fact, and the day on which it was read. */
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

/** The models of one provider. This data ages: every part names its source. */
export interface ModelTable {
  /** The day on which the table was last compared with its sources. */
  readonly date: string
  /**
   * One line per model: id, dollars per million tokens of input, output, cache read and cache write, the window and the
   * longest reply. The last column holds the price of long prompts as `above:input:output`.
   */
  readonly prices: Read & { readonly rows: string }
  /** `models`: ids, separated by spaces. */
  readonly traits?: readonly (Read & Trait & { readonly models: string })[]
  /** One line per model: id, day and successor. */
  readonly retired?: readonly (Read & { readonly rows: string })[]
}

/** The facts by id. */
export function readFactsTable({
  prices,
  traits = [],
  retired = [],
}: ModelTable): ReadonlyMap<string, ListedFacts> {
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
