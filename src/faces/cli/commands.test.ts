import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { type CliCommand, takesSeveral } from "./command.ts"
import { commands } from "./commands.ts"
import { commonOptions } from "./global-options.ts"
import { writeOverview } from "./help.ts"
import { parseWords } from "./parse-words.ts"

const loaded = await Promise.all(commands.map(async (listed) => ({ listed, command: await listed.load() })))

test("every file in commands is listed, and nothing else", () => {
  const files = fs
    .readdirSync(path.join(import.meta.dirname, "commands"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  expect(commands.map(({ name }) => `${name}.ts`).sort()).toEqual(files.sort())
})

test("the overview shows only commands that are there", () => {
  const shown = [...writeOverview(commands).matchAll(/^ {2}cadre (?:help )?(\w+)/gm)].map(([, name]) => name)
  expect(shown).toHaveLength(3)
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(shown))
})

describe.each(loaded)("$listed.name", ({ listed, command }) => {
  test("has the name and the summary of the list", () => {
    expect({ name: command.name, summary: command.summary }).toEqual({
      name: listed.name,
      summary: listed.summary,
    })
    expect(command.summary).toMatch(/^[A-Z].{0,78}[^.]$/)
  })

  test("has at least one example, and its examples are valid", () => {
    expect(command.examples).not.toEqual([])
    for (const { line } of command.examples)
      for (const words of linesOf(line, command)) expect(parseWords(command, words).type).toBe("values")
  })

  test("declares nothing twice, and what takes several words last", () => {
    const names = [...Object.keys(command.options), ...Object.keys(commonOptions)]
    const shorts = [...Object.values(command.options), ...Object.values(commonOptions)].flatMap((option) =>
      "short" in option && option.short !== undefined ? option.short : [],
    )
    for (const list of [names, shorts, command.arguments.map(({ name }) => name)])
      expect(list).toEqual([...new Set(list)])
    expect(command.arguments.slice(0, -1).filter(takesSeveral)).toEqual([])
  })
})

/** The words of each `cadre` command in an example. */
function linesOf(line: string, command: CliCommand): readonly (readonly string[])[] {
  const calls = [...line.matchAll(/\bcadre (\S+)((?:"[^"]*"|'[^']*'|[^|&;<>()])*)/g)]
  expect(calls.map(([, name]) => name)).toContain(command.name)
  return calls
    .filter(([, name]) => name === command.name)
    .map(([, , rest]) => [...rest!.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!))
}
