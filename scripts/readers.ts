/**
 * `npm run readers -- --seed 7`: draws what three readers who have not seen the code explain back in writing. Each gets
 * ten source files, five messages and one page. docs/background/writing.md says what came of it.
 */
import fs from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { readTexts } from "./words/texts.ts"

const readers = 3
const shares = { files: 10, messages: 5, pages: 1 }
const { values } = parseArgs({ options: { seed: { type: "string", default: "1" } } })
const root = path.resolve(import.meta.dirname, "..")
const random = randomFrom(Number(values.seed))

const texts = readTexts(root)
const sources = texts.map(({ file }) => file).filter((file) => /^src\/.*(?<!\.test)\.ts$/.test(file))
const files = shuffle([...new Set(sources)].filter((file) => linesIn(file) >= 20))
const messages = shuffle(texts.filter(({ kind }) => kind === "message"))
const pages = shuffle([...new Set(texts.map(({ file }) => file))].filter((file) => file.startsWith("docs/")))

for (let reader = 0; reader < readers; reader++) {
  const share = <Item>(items: readonly Item[], count: number) =>
    items.slice(reader * count, (reader + 1) * count)
  console.log(`Reader ${reader + 1}`)
  for (const file of share(files, shares.files)) console.log(`  file     ${file}`)
  for (const { file, line, text } of share(messages, shares.messages))
    console.log(`  message  ${file}:${line}: ${text}`)
  for (const page of share(pages, shares.pages)) console.log(`  page     ${page}`)
}

function linesIn(file: string): number {
  return fs.readFileSync(path.join(root, file), "utf8").split("\n").length
}

function shuffle<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item)
}

/** The same numbers for the same seed, on every machine (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
