/**
 * Works made-up conditions out as cadre does and as Python does, and tells where the two differ: in what comes of them, or
 * in whether anything does. `npm run when-python -- --count N [--seed S]`; the last line is JSON.
 */
import { spawnSync } from "node:child_process"
import path from "node:path"
import { fileURLToPath } from "node:url"
import type { Json } from "../src/ground/message.ts"
import { evaluateCondition, parseCondition } from "../src/language/expression/condition.ts"
import { attempt } from "../src/language/expression/failure.ts"
import { Meter } from "../src/language/expression/meter.ts"
import { allMethods } from "../src/language/expression/python/methods.ts"
import { kinds } from "./when-python/form.ts"
import { Maker } from "./when-python/make.ts"
import { mutated } from "./when-python/mutate.ts"
import { plain } from "./when-python/plain.ts"
import { Random } from "./when-python/random.ts"
import { variablesFrom } from "./when-python/variables.ts"

export interface PythonResult {
  readonly count: number
  readonly seed: number
  /** In both the same value, a failure, or not to be read; refused on purpose; or more than cadre's limits allow. */
  readonly same: Readonly<Record<Agreement, number>>
  readonly differences: readonly Difference[]
}

export interface Difference extends Asked {
  readonly cadre: Answer
  readonly python: Answer
}

type Agreement = "values" | "failures" | "unreadable" | "refused" | "limited"

/** An expression, and what its names stand for. */
interface Asked {
  readonly text: string
  readonly variables: Readonly<Record<string, Json>>
}

/** The result of an expression. */
type Answer =
  | { readonly value: Json }
  | { readonly raises: string }
  | { readonly syntax: string }
  /** A condition must not be written so, though Python takes it. */
  | { readonly refused: string }
  | { readonly limit: string }

/** Fails where there is no Python. */
export function comparePython(count: number, seed: number): PythonResult {
  const random = new Random(seed)
  const same = { values: 0, failures: 0, unreadable: 0, refused: 0, limited: 0 }
  const differences: Difference[] = []
  for (let done = 0; done < count; done += atOnce) {
    const asked = expressions(Math.min(atOnce, count - done), random)
    for (const [index, python] of askPython(asked).entries()) {
      const one = asked[index]!
      const cadre = askCadre(one)
      const agreement = agreementOf(cadre, python)
      if (agreement) same[agreement]++
      else differences.push({ ...one, cadre, python })
    }
  }
  return { count, seed, same, differences }
}

/** One process of Python works so many out. */
const atOnce = 10_000

function expressions(count: number, random: Random): readonly Asked[] {
  const maker = new Maker(random)
  let variables = variablesFrom(random)
  return Array.from({ length: count }, (_, index) => {
    if (index % 20 === 0) variables = variablesFrom(random)
    const text = maker.make(random.pick(kinds), 1 + random.below(4))
    return { text: random.chance(0.15) ? mutated(text, random) : text, variables }
  })
}

const oracle = path.join(import.meta.dirname, "when-python", "oracle.py")

function askPython(asked: readonly Asked[]): readonly Answer[] {
  const lines = asked.flatMap(({ text, variables }, index) => [
    ...(variables === asked[index - 1]?.variables ? [] : [JSON.stringify({ variables })]),
    JSON.stringify({ text }),
  ])
  const { stdout, stderr, error } = spawnSync("python3", ["-s", "-S", oracle], {
    // The same order of sets every time.
    env: { ...process.env, PYTHONHASHSEED: process.env.PYTHONHASHSEED ?? "0" },
    input: `${[JSON.stringify(allMethods), ...lines].join("\n")}\n`,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  })
  const answers = error ? [] : stdout.trimEnd().split("\n")
  if (answers.length !== asked.length)
    throw new Error(`Python answered ${answers.length} of ${asked.length}: ${error?.message ?? stderr}`)
  return answers.map((line) => JSON.parse(line) as Answer)
}

function askCadre({ text, variables }: Asked): Answer {
  const condition = parseCondition(text)
  if (condition.type === "invalid") return { syntax: condition.problem.message }
  const meter = new Meter()
  const worked = attempt(() => plain(evaluateCondition(condition.node, variables, meter), meter))
  if (worked.type === "done") return { value: worked.result }
  const { message, limit } = worked.problem
  return limit === undefined ? { raises: message } : { limit: message }
}

/** Undefined where they differ. What cadre refuses before it is asked may as well fail then. */
function agreementOf(cadre: Answer, python: Answer): Agreement | undefined {
  if ("limit" in python) return "syntax" in cadre ? undefined : "limited"
  if ("value" in cadre)
    return "value" in python && JSON.stringify(cadre.value) === JSON.stringify(python.value)
      ? "values"
      : undefined
  if ("raises" in cadre && /^a range cannot be (?:a key|in a set)/.test(cadre.raises)) return "refused"
  if ("limit" in cadre) return "syntax" in python || "refused" in python ? undefined : "limited"
  if ("refused" in python) return "syntax" in cadre ? "refused" : undefined
  if ("value" in python) return undefined
  if ("raises" in python) return "failures"
  return "syntax" in cadre ? "unreadable" : undefined
}

function main(words: readonly string[]): void {
  const numberOf = (name: string, otherwise: number) => {
    const index = words.indexOf(name)
    return index < 0 ? otherwise : Number(words[index + 1])
  }
  const result = comparePython(numberOf("--count", 100_000), numberOf("--seed", Date.now() % 2 ** 31))
  const shortest = [...result.differences].sort((one, other) => one.text.length - other.text.length)
  for (const { text, cadre, python, variables } of shortest.slice(0, numberOf("--show", 20)))
    process.stderr.write(
      `${text}\n  cadre:  ${JSON.stringify(cadre)}\n  Python: ${JSON.stringify(python)}\n  with ${JSON.stringify(variables)}\n`,
    )
  process.stdout.write(`${JSON.stringify({ ...result, differences: result.differences.length })}\n`)
  process.exitCode = result.differences.length > 0 ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
