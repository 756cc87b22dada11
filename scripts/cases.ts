/**
 * Lists the cases of the reliability list, the pains of users and the rows of the seeds that have a test, and whether it passes:
 * `npm run cases [REPORT]`.
 *
 * A test belongs to a case when its title, or that of a group it stands in, begins with the case's number:
 * `41: …`, `66, 67: …`, `R5, 1.5: …` or `001 row 3: …`. REPORT is what vitest's JSON reporter wrote; without it all tests are run.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

/** The cases there are. What a later issue is to do is listed as such, and moved out of `later` by that issue. */
const areas: readonly Area[] = [
  { name: "Durability of tools and hooks that ship", cases: "1, 5-6, 36" },
  { name: "Agent loop", cases: "41-111", lower: "57, 106, 110" },
  { name: "Looking at a hostile repository", cases: "130" },
  { name: "Workspace trust and authority", cases: "133-151" },
  { name: "Shell permission checking", cases: "152-165" },
  // There is nothing that unpacks an archive.
  { name: "Files and paths", cases: "166-175", lower: "175", later: "173" },
  { name: "Logins at MCP servers", cases: "189" },
  { name: "WebFetch", cases: "190-193" },
  // Scripts of tools are not run.
  { name: "Conditions, templates and variables", cases: "195-206", later: "202-205" },
  { name: "Secrets, sandbox, injection", cases: "207-222" },
  // There is neither a dashboard nor an MCP server that could crash.
  { name: "Soak and chaos", cases: "223-232", lower: "225-226, 230", later: "230" },
  { name: "What users complained about", prefix: "R", cases: "3-11" },
  { name: "What users ask for", prefix: "1.", cases: "3-11, 13, 15-21, 24-25" },
  // What they say of MCP comes with it.
  { name: "Codex subagents", prefix: "001 row ", cases: "1-6" },
  { name: "acai subagents", prefix: "002 row ", cases: "1-3" },
  { name: "instructor-php subagents", prefix: "003 row ", cases: "1-5" },
  { name: "Gobby agents", prefix: "004 row ", cases: "1-5" },
]

/** Files whose titles begin with exit codes and the like. */
const otherNumbers = /^test\/(?:command-line\/run-command[^/]*|run\/outcomes)\.test\.ts$/

interface Area {
  readonly name: string
  readonly prefix?: string
  /** Numbers and ranges of them, with commas. */
  readonly cases: string
  /** Those of priority B. All others are A. */
  readonly lower?: string
  readonly later?: string
}

interface Case {
  readonly id: string
  readonly priority: "A" | "B"
  readonly later: boolean
}

/** Tests of one title. */
interface Tests {
  readonly title: string
  readonly file: string
  passed: number
  total: number
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly title: string
      readonly status: string
    }[]
  }[]
}

function main([file]: readonly string[]): void {
  const tests = testsByCase(file === undefined ? runTests() : readReport(file))
  let missing = 0
  for (const area of areas) {
    const listed = casesOf(area)
    const rows = listed.flatMap((one) => rowsOf(one, tests.get(one.id) ?? []))
    print(`${area.name}\n`)
    print(table([["case", "priority", "test", "passed"], ...rows]))
    const due = listed.filter(({ later }) => !later)
    const open = due.filter(({ id }) => !isCovered(tests.get(id) ?? []))
    missing += open.filter(({ priority }) => priority === "A").length
    print(`\n${due.length - open.length} of ${due.length} cases hold.${namesOf(open, tests)}\n\n`)
  }
  process.exitCode = missing > 0 ? 1 : 0
}

/** One row for each file whose tests hold, and one for each title that does not. */
function rowsOf({ id, priority, later }: Case, tests: readonly Tests[]): readonly (readonly string[])[] {
  if (tests.length === 0) return [[id, priority, later ? "(later issue)" : "(no test)", later ? "" : "no"]]
  const right = tests.filter(({ passed, total }) => passed === total)
  const wrong = tests.filter(({ passed, total }) => passed < total)
  const files = [...new Set(right.map(({ file }) => file))]
  return [
    ...files.map((file) => {
      const inFile = right.filter((test) => test.file === file)
      const total = inFile.reduce((sum, test) => sum + test.total, 0)
      return [id, priority, shown(inFile[0]!, inFile.length - 1), `yes, ${total}`]
    }),
    ...wrong.map((test) => [id, priority, shown(test, 0), `no, ${test.passed} of ${test.total}`]),
  ]
}

function shown({ file, title }: Tests, others: number): string {
  const line = `${file}: ${title.replaceAll(/\s+/g, " ")}`
  const more = others > 0 ? ` (and ${others} more)` : ""
  return (line.length + more.length > 120 ? `${line.slice(0, 119 - more.length)}…` : line) + more
}

const isCovered = (tests: readonly Tests[]): boolean =>
  tests.length > 0 && tests.every(({ passed, total }) => passed === total)

function namesOf(open: readonly Case[], tests: ReadonlyMap<string, readonly Tests[]>): string {
  const none = open.filter(({ id }) => !tests.has(id)).map(({ id }) => id)
  const failed = open.filter(({ id }) => tests.has(id)).map(({ id }) => id)
  return [
    none.length > 0 ? ` Without a test: ${none.join(", ")}.` : "",
    failed.length > 0 ? ` Failed: ${failed.join(", ")}.` : "",
  ].join("")
}

function casesOf({ prefix = "", cases, lower = "", later = "" }: Area): readonly Case[] {
  const [low, postponed] = [new Set(numbersIn(lower)), new Set(numbersIn(later))]
  return numbersIn(cases).map((number) => ({
    id: `${prefix}${number}`,
    priority: low.has(number) ? "B" : "A",
    later: postponed.has(number),
  }))
}

function numbersIn(text: string): readonly number[] {
  return text
    .split(",")
    .filter((part) => part.trim() !== "")
    .flatMap((part) => {
      const [from, to = from] = part.split("-").map(Number)
      return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index)
    })
}

function testsByCase({ testResults }: Report): ReadonlyMap<string, readonly Tests[]> {
  const found = new Map<string, Map<string, Tests>>()
  for (const { name, assertionResults } of testResults) {
    const file = path.relative(root, name)
    for (const { ancestorTitles, title, status } of assertionResults)
      for (const numbered of [...ancestorTitles, title])
        for (const id of idsOf(numbered, file)) {
          const ofCase = found.get(id) ?? new Map<string, Tests>()
          found.set(id, ofCase)
          const key = `${file} ${numbered}`
          const tests = ofCase.get(key) ?? { title: numbered, file, passed: 0, total: 0 }
          ofCase.set(key, tests)
          tests.total++
          if (status === "passed") tests.passed++
        }
  }
  return new Map([...found].map(([id, ofCase]) => [id, [...ofCase.values()]]))
}

function idsOf(title: string, file: string): readonly string[] {
  const ids = numbered.exec(title)?.[0].split(", ") ?? []
  return otherNumbers.test(file) ? ids.filter((id) => !/^\d$|^10$/.test(id)) : ids
}

const oneId = /(?:R?\d+|1\.\d+|00\d row \d+)/.source
const numbered = new RegExp(`^${oneId}(?:, ${oneId})*(?=: )`)

function runTests(): Report {
  const folder = mkdtempSync(path.join(tmpdir(), "cadre-cases-"))
  const report = path.join(folder, "report.json")
  const vitest = path.join(root, "node_modules/vitest/vitest.mjs")
  spawnSync(process.execPath, [vitest, "run", "--reporter=json", `--outputFile=${report}`], {
    cwd: root,
    stdio: "ignore",
  })
  try {
    return readReport(report)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const readReport = (file: string): Report => JSON.parse(readFileSync(file, "utf8")) as Report

/** Columns as wide as what is in them. */
function table(cells: readonly (readonly string[])[]): string {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("")
}

const print = (text: string): void => {
  process.stdout.write(text)
}

const root = fileURLToPath(new URL("..", import.meta.url))

main(process.argv.slice(2))
