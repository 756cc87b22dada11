import { anthropicTable } from "./anthropic.ts"
import { cerebrasTable } from "./cerebras.ts"
import { deepseekTable } from "./deepseek.ts"
import { googleTable } from "./google.ts"
import { groqTable } from "./groq.ts"
import { mistralTable } from "./mistral.ts"
import { moonshotaiTable } from "./moonshotai.ts"
import { openaiTable } from "./openai.ts"
import { type ListedFacts, type ModelTable, readFactsTable } from "./table.ts"
import { xaiTable } from "./xai.ts"
import { zaiTable } from "./zai.ts"

/**
 * The facts about a provider's model. Undefined: the model is not in the tables, so its cost is unknown and never
 * counts as zero. Models on the user's own machine are not listed either: electricity has no list price. An id with a
 * date has the facts of the id without it.
 */
export function findFacts(provider: string, model: string): ListedFacts | undefined {
  const facts = factsOfProvider(provider)
  return facts?.get(model) ?? facts?.get(model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, ""))
}

/** All models of the tables, by `provider/id`. */
export function* listAllFacts(): Iterable<readonly [string, ListedFacts]> {
  for (const provider of tables.keys())
    for (const [id, facts] of factsOfProvider(provider)!) yield [`${provider}/${id}`, facts]
}

function factsOfProvider(provider: string): ReadonlyMap<string, ListedFacts> | undefined {
  const table = tables.get(provider)
  if (table === undefined) return undefined
  const facts = factsByTable.get(table) ?? readFactsTable(table)
  factsByTable.set(table, facts)
  return facts
}

const factsByTable = new Map<ModelTable, ReadonlyMap<string, ListedFacts>>()

const tables: ReadonlyMap<string, ModelTable> = new Map(
  Object.entries({
    anthropic: anthropicTable,
    openai: openaiTable,
    // These are the same models at the same address, used through a package.
    "openai-responses": openaiTable,
    google: googleTable,
    xai: xaiTable,
    deepseek: deepseekTable,
    mistral: mistralTable,
    moonshotai: moonshotaiTable,
    zai: zaiTable,
    groq: groqTable,
    cerebras: cerebrasTable,
  }),
)

/** The day on which each provider's models were last compared with their sources. */
export const modelDates: { readonly [provider: string]: string } = Object.fromEntries(
  [...tables].map(([provider, { date }]) => [provider, date]),
)
