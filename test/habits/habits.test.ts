/** Files of our own with the habits of real ones: what breaks YAML, names of other tools, long descriptions. */
import path from "node:path"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, test } from "vitest"
import type { Agent } from "../../src/agent/agent.ts"
import { formats } from "../../src/definitions/formats/index.ts"
import { readAgent } from "../../src/definitions/formats/read-agent.ts"
import { writeAgent } from "../../src/definitions/formats/write.ts"
import { diagnoseFile } from "../../src/definitions/registry/file.ts"
import { applyFixes } from "../../src/ground/diagnostics/apply-fixes.ts"
import { dispatched } from "../dispatch-kit.ts"
import { contents, temporaryFolder } from "../file-kit.ts"
import { allFiles, type Habit, habits, placeOf, read, summaryOf, textOf } from "./kit.ts"

const isForeign = ({ file }: Habit): boolean => file.startsWith("foreign/")
const agents = habits.flatMap(({ file }) => {
  const { agent, format } = read(file)
  return agent && format ? [{ file, agent, format }] : []
})

test("every file is in the table, and every row has a file", () => {
  expect(habits.map(({ file }) => file)).toEqual(allFiles().filter((file) => !file.endsWith(".pym")))
  expect(new Set(habits.map(({ habit }) => habit)).size).toBe(habits.length)
})

describe("a file with", () => {
  test.each(habits.map((row) => [row.habit, row] as const))("%s is read as the table says", (_, row) => {
    expect(summaryOf(read(row.file))).toEqual(row.agent)
  })
})

test("check finds in every file what the table says, and nothing else", async () => {
  const { cadre } = project()
  const { diagnostics } = JSON.parse((await cadre("check", "--json")).stdout) as Checked
  const found = Object.fromEntries(
    habits
      .filter((row) => !isForeign(row))
      .map(({ file }) => [file, codes(diagnostics.filter((one) => one.file === placeOf(file)))]),
  )
  expect(found).toEqual(
    Object.fromEntries(habits.filter((row) => !isForeign(row)).map(({ file, findings }) => [file, findings])),
  )
})

test("a file of a tool that is not read is told in one finding that names the tool", () => {
  const titles = habits
    .filter(isForeign)
    .map(({ file }) => diagnoseFile(read(file)).map(({ code, message }) => [code, toolIn(message)]))
  expect(titles).toEqual([
    [["format-later", "Codex TOML"]],
    [["format-later", "GitHub Copilot"]],
    [["format-later", "opencode"]],
    [["format-later", "Goose"]],
  ])
})

describe("fixing", () => {
  const repaired = habits.map(({ file }) => file).filter((file) => read(file).repaired)

  test("what is repaired is said to be repaired", () => {
    const told = habits.filter(({ findings }) =>
      findings.some((finding) => finding.endsWith(" yaml-repaired")),
    )
    expect(repaired).toEqual(told.map(({ file }) => file))
    expect(repaired.length).toBe(14)
  })

  test.each(repaired)("%s, repaired, reads strictly to an equal agent", (file) => {
    const before = read(file)
    const fixes = diagnoseFile(before).filter(({ code }) => code === "yaml-repaired")
    const after = read(file, applyFixes(textOf(file), fixes).text)
    expect({ repaired: after.repaired, agent: after.agent }).toEqual({ repaired: false, agent: before.agent })
  })

  test("check --fix leaves nothing to fix, and touches no file that had nothing", async () => {
    const { folder, cadre } = project()
    const before = contents(folder)
    const { fixed } = JSON.parse((await cadre("check", "--fix", "--json")).stdout) as Checked
    const after = contents(folder)
    expect(Object.keys(after).filter((file) => after[file] !== before[file])).toEqual(fixed.toSorted())
    expect(fixed.length).toBeGreaterThanOrEqual(repaired.length)
    expect(JSON.parse((await cadre("check", "--fix", "--json")).stdout)).toMatchObject({ fixed: [] })
  })
})

describe("written to another format and read again, an agent is the same but for the losses that are told", () => {
  test.each(agents.map((row) => [row.file, row] as const))("%s", (_, { file, agent, format }) => {
    for (const target of formats) {
      const name = target === format ? placeOf(file) : fileFor(target.id, agent.name)
      const { text, losses } = writeAgent(target, agent, name)
      const { agent: back } = readAgent(target, { path: name, text })
      if (back)
        expect({ target: target.id, changed: changedFields(agent, back) }).toEqual({
          target: target.id,
          changed: changedFields(agent, back).filter((field) =>
            losses.some((loss) => root(loss.field) === field),
          ),
        })
      else expect({ target: target.id, told: losses.length > 0 }).toEqual({ target: target.id, told: true })
    }
  })
})

interface Checked {
  readonly diagnostics: readonly {
    readonly file: string
    readonly code: string
    readonly range: { readonly start: { readonly line: number; readonly column: number } }
  }[]
  readonly fixed: readonly string[]
}

/** All files in one project, where their tools would look for them. */
function project() {
  const files = Object.fromEntries(allFiles().map((file) => [placeOf(file), textOf(file)]))
  const folder = temporaryFolder({ ".git/HEAD": "", ...files })
  const cadre = (...words: readonly string[]) =>
    dispatched(words, { directory: folder, environment: { HOME: path.join(folder, "home") } })
  return { folder, cadre }
}

const codes = (diagnostics: Checked["diagnostics"]): readonly string[] =>
  diagnostics.map(({ code, range: { start } }) => `${start.line}:${start.column} ${code}`).sort()

const toolIn = (message: string): string | undefined =>
  / of ([A-Z]?[\w ]+)\. cadre cannot read that format/.exec(message)?.[1]

const fileFor = (format: string, name: string): string =>
  `${name}${format === "remora" ? "_subagent.yaml" : formats.find(({ id }) => id === format)!.locations.extensions[0]}`

const root = (field: string): string => field.split(".")[0]!

/** Where an agent came from always changes. Without a list, some formats mean every tool, which cadre's own writes out. */
function changedFields(before: Agent, after: Agent): readonly string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as ReadonlySet<keyof Agent>
  return [...fields].filter(
    (field) =>
      field !== "origin" &&
      !isDeepStrictEqual(before[field], after[field]) &&
      !(field === "tools" && before.tools.mode === "inherit" && isDeepStrictEqual(after.tools.allow, ["*"])),
  )
}
