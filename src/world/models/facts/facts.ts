import { anthropic } from "./anthropic.ts"
import { cerebras } from "./cerebras.ts"
import { deepseek } from "./deepseek.ts"
import { google } from "./google.ts"
import { groq } from "./groq.ts"
import { mistral } from "./mistral.ts"
import { moonshotai } from "./moonshotai.ts"
import { openai } from "./openai.ts"
import { factsIn, type ListedFacts, type ModelTable } from "./table.ts"
import { xai } from "./xai.ts"
import { zai } from "./zai.ts"

/**
 * The facts about a provider's model. Undefined: nobody told us, and then its cost is unknown and never taken for
 * zero. What runs on a machine of your own is not in here either: electricity has no list price. An id with a date
 * has the facts of the one without.
 */
export function factsOf(provider: string, model: string): ListedFacts | undefined {
  const facts = factsOfProvider(provider)
  return facts?.get(model) ?? facts?.get(model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, ""))
}

/** Every model of the tables, by `provider/id`. */
export function* allFacts(): Iterable<readonly [string, ListedFacts]> {
  for (const provider of tables.keys())
    for (const [id, facts] of factsOfProvider(provider)!) yield [`${provider}/${id}`, facts]
}

function factsOfProvider(provider: string): ReadonlyMap<string, ListedFacts> | undefined {
  const table = tables.get(provider)
  if (table === undefined) return undefined
  const facts = read.get(table) ?? factsIn(table)
  read.set(table, facts)
  return facts
}

const read = new Map<ModelTable, ReadonlyMap<string, ListedFacts>>()

const tables: ReadonlyMap<string, ModelTable> = new Map(
  Object.entries({
    anthropic,
    openai,
    // The same models at the same address, through a package.
    "openai-responses": openai,
    google,
    xai,
    deepseek,
    mistral,
    moonshotai,
    zai,
    groq,
    cerebras,
  }),
)

/** On which day each provider's models were last compared with their sources. */
export const modelDates: { readonly [provider: string]: string } = Object.fromEntries(
  [...tables].map(([provider, { date }]) => [provider, date]),
)
