/**
 * Puts made-up conditions to made-up calls: whatever is written and whatever it is asked of, there is an answer, soon,
 * the same one twice, and nothing else has changed; and conditions whose answer is known get that one.
 * `npm run when-fuzz -- --count N [--seed S]`; the last line is JSON.
 */
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { readWhen } from "../src/definitions/lifecycle/when.ts"
import type { Json } from "../src/ground/message.ts"
import { checkCondition } from "../src/language/expression/condition.ts"
import { parseTemplate, renderTemplate } from "../src/language/template/index.ts"
import { anyCall, anyText } from "./when-fuzz/any-text.ts"
import { knownCall, knownCondition } from "./when-fuzz/known-answer.ts"

export interface WhenFuzzResult {
  readonly count: number
  readonly seed: number
  /** Conditions that could be read; those that then held, did not, or failed as data. */
  readonly read: number
  readonly answers: { readonly true: number; readonly false: number; readonly failed: number }
  /** Of one condition, in milliseconds at work. */
  readonly slowest: number
  readonly faults: readonly string[]
}

/** Milliseconds at work for one condition, read, asked and filled in twice. What never ends takes far longer. */
const patience = 2_000

export function whenFuzz(count: number, seed: number): WhenFuzzResult {
  const tally = { read: 0, answers: { true: 0, false: 0, failed: 0 }, slowest: 0 }
  const any = fc.property(anyText, anyCall, (text, call) => {
    const began = process.cpuUsage()
    const before = JSON.stringify(call)
    const [once, again] = [asked(text, call), asked(text, call)]
    const rendered = filled(text, call)
    const took = process.cpuUsage(began).user / 1_000
    tally.slowest = Math.max(tally.slowest, Math.round(took))
    if (typeof once === "string") {
      tally.read++
      tally.answers[once]++
    }
    if (!isDeepStrictEqual(once, again)) throw new Error("it was answered otherwise the second time")
    if (!isDeepStrictEqual(rendered, filled(text, call))) throw new Error("it was filled in otherwise")
    if (JSON.stringify(call) !== before) throw new Error("it changed what it was asked of")
    if (Object.keys(Object.prototype).length > 0) throw new Error("it changed every object")
    if (took > patience) throw new Error(`it took ${Math.round(took)} ms`)
  })
  const known = fc.property(knownCondition, ({ text, isTrue }) => {
    const answer = asked(text, knownCall)
    if (answer !== String(isTrue))
      throw new Error(`it is ${isTrue}, and was said to be ${JSON.stringify(answer)}`)
  })
  const faults = [...faultOf(any, count, seed), ...faultOf(known, count, seed)]
  return { count, seed, ...tally, faults }
}

type Answer = "true" | "false" | "failed"

/** What comes of a condition; where it cannot be read, what is wrong and where, which is in the text. */
function asked(text: string, call: Readonly<Record<string, Json>>): Answer | readonly object[] {
  const read = readWhen(text)
  if ("problems" in read) {
    for (const { offset, message } of read.problems)
      if (offset < 0 || offset > text.length || message === "")
        throw new Error(`something is wrong at ${offset} of ${text.length}: ${JSON.stringify(message)}`)
    return read.problems
  }
  const answer = checkCondition(read.condition, call)
  return answer.type === "failed" ? "failed" : answer.isTrue ? "true" : "false"
}

function filled(text: string, call: Readonly<Record<string, Json>>): unknown {
  const template = parseTemplate(`{{ ${text} }}`)
  return template.type === "invalid"
    ? template.problem
    : renderTemplate(template, call, { characters: 100_000 })
}

function faultOf<Values>(property: fc.IProperty<Values>, numRuns: number, seed: number): readonly string[] {
  const { failed, counterexample, errorInstance } = fc.check(property, { numRuns, seed })
  if (!failed) return []
  const shown = JSON.stringify(counterexample) ?? ""
  return [
    `${errorInstance instanceof Error ? errorInstance.message : errorInstance}: ${shown.slice(0, 2_000)}`,
  ]
}

function main(words: readonly string[]): void {
  const numberOf = (name: string, otherwise: number) => {
    const index = words.indexOf(name)
    return index < 0 ? otherwise : Number(words[index + 1])
  }
  const result = whenFuzz(numberOf("--count", 100_000), numberOf("--seed", Date.now() % 2 ** 31))
  for (const fault of result.faults) process.stderr.write(`${fault}\n`)
  process.stdout.write(`${JSON.stringify(result)}\n`)
  process.exitCode = result.faults.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
