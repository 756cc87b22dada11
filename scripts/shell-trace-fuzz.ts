/**
 * Compares what `findShellAccesses` says about commands with what the real programs do: made-up commands of all known programs,
 * with options and operands that are in their tables and others, run under strace in a sandbox. Every file that one opens,
 * makes or changes, every program that it starts and every connection must have been told, or the command have been called
 * unknown. `npm run shell-trace-fuzz -- --count N [--seed S] [--only sort,git]`; the last line is JSON.
 */
import { fileURLToPath } from "node:url"
import { createGenerator } from "../src/faces/testing/random.ts"
import { Bench, type Fault } from "./shell-trace-fuzz/bench.ts"
import { commandMaker } from "./shell-trace-fuzz/make-command.ts"
import { readVocabularies } from "./shell-trace-fuzz/vocabulary.ts"

export interface TraceFuzzResult {
  readonly count: number
  readonly seed: number
  /** Commands that the judge understood, and that were run. */
  readonly known: number
  readonly programs: number
  /** Known programs that this machine does not have. */
  readonly missing: readonly string[]
  /** Known programs of which no command was understood. */
  readonly neverKnown: readonly string[]
  /** What the commands did, for a look at whether they do anything. */
  readonly deeds: number
  readonly faults: readonly Fault[]
}

const batchSize = 250
const atOnce = 2

export async function shellTraceFuzz(
  count: number,
  seed: number,
  { only, most = 200 }: { only?: readonly string[]; most?: number } = {},
): Promise<TraceFuzzResult> {
  const { all, missing } = readVocabularies()
  const vocabularies = only
    ? all.filter(({ words }) => only.includes(words[0]!) || only.includes(words.join(" ")))
    : all
  const make = commandMaker(createGenerator(seed), vocabularies)
  const knownOf = new Map(vocabularies.map(({ words }) => [words.join(" "), 0]))
  const tally = { known: 0, deeds: 0, faults: [] as Fault[] }
  let made = 0
  const bench = new Bench()
  const work = async () => {
    while (made < count && tally.faults.length < most) {
      const lines = Array.from({ length: Math.min(batchSize, count - made) }, make)
      made += lines.length
      const { known, faults } = await bench.compare(lines)
      tally.known += known.length
      tally.faults.push(...faults)
      for (const { line, deeds } of known) {
        tally.deeds += deeds.length
        for (const length of [1, 2, 3]) {
          const name = line.split(" ", length).join(" ")
          if (knownOf.has(name)) knownOf.set(name, knownOf.get(name)! + 1)
        }
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    bench.close()
  }
  const neverKnown = [...knownOf].flatMap(([name, times]) => (times === 0 ? [name] : []))
  return { count: made, seed, programs: vocabularies.length, missing, neverKnown, ...tally }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (name: string) => {
    const place = process.argv.indexOf(`--${name}`)
    return place < 0 ? undefined : process.argv[place + 1]
  }
  const result = await shellTraceFuzz(Number(option("count") ?? 2_000), Number(option("seed") ?? 1), {
    ...(option("only") && { only: option("only")!.split(",") }),
    most: Number(option("most") ?? 200),
  })
  for (const { line, untold, told } of result.faults)
    console.log(
      `${line}\n${untold.map((deed) => `  did:  ${deed}\n`).join("")}${told.map((access) => `  told: ${access}\n`).join("")}`,
    )
  console.log(JSON.stringify({ ...result, faults: result.faults.length }))
  if (result.faults.length > 0 || result.known < result.count / 2) process.exitCode = 1
}
