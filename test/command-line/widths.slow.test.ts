import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { displayWidth } from "../../src/ground/diagnostics/display-width.ts"
import { CommandWorld } from "../run-command-kit.ts"
import { hasTerminals, openTerminal, plain, screenOf } from "../terminal-kit.ts"

const built = path.resolve(import.meta.dirname, "../..", "dist", "cli.mjs")
if (!hasTerminals) console.warn("SKIPPED: script of util-linux is not installed, so no terminal is recorded")

let world: CommandWorld
beforeEach(() => {
  // The length of the path decides where columns are cut.
  world = new CommandWorld("/tmp")
  world.put("config/config.yaml", 'hide_built_in_agents: ["*"]\nmode: accept-edits\nsandbox: off\n')
  world.agent("lead", ["tools: [Agent, Read, Edit, Bash]"])
  world.agent("helper", ["label: Helps", "tools: [Read]"])
  world.put("work/src/sum.js", "export const sum = (a, b) => a - b\n")
  world.script({
    lead: [
      { calls: [{ tool: "Read", input: { path: "src/sum.js" } }] },
      { calls: [{ tool: "Edit", input: { path: "src/sum.js", old_string: "a - b", new_string: "a + b" } }] },
      {
        calls: [
          {
            tool: "Agent",
            input: { agent: "helper", prompt: "Read every file that uses sum, and say which do." },
          },
        ],
      },
      { calls: [{ tool: "Bash", input: { command: "git push --dry-run origin main" } }] },
      { text: "All\tdone. 完了" },
    ],
    helper: [{ text: "None does." }],
  })
})
afterEach(() => world.remove())

/** Ids, times and folders are other ones each time. Widths stay. */
const same = (text: string): string =>
  withoutCutBase(text)
    .replaceAll(world.base, "~".padEnd(world.base.length, "~"))
    .replaceAll(/\b01[0-9a-hjkmnp-tv-z]{24}\b/g, "0".repeat(26))
    .replaceAll(/\b01[0-9a-hjkmnp-tv-z]{6,14}(?=\s)/g, (id) => "0".repeat(id.length))
    .replaceAll(/\b\d+\.\ds/g, "0.0s")
    .replaceAll(/(?<=\s)\d+s(?=\s)/g, (age) => "0s".padEnd(age.length))

/** A path may be cut within the folder that is another one each time. */
function withoutCutBase(text: string): string {
  const starts = Array.from({ length: world.base.length - 4 }, (_, index) =>
    world.base.slice(0, world.base.length - index),
  )
  return starts.reduce((all, start) => all.replaceAll(`${start}…`, `${"~".repeat(start.length)}…`), text)
}

const shown = async (words: readonly string[], columns: number, answers: readonly string[] = []) => {
  const opened = openTerminal([process.execPath, built, ...words], {
    cwd: world.work,
    environment: world.environment,
    size: { columns, rows: 24 },
    echo: "on",
  })
  for (const answer of answers) {
    await opened.question()
    opened.type(`${answer}\n`)
  }
  return (await opened.ended).raw
}

describe.skipIf(!hasTerminals)("a transcript in a terminal", () => {
  test.each([56, 80, 120])("of %i columns", async (columns) => {
    const run = await shown(["run", "lead", "Fix the sum, and push it.", ...world.model], columns, [
      "n not now",
    ])
    const parts = [screenOf(run, { columns: Number.POSITIVE_INFINITY }).lines.join("\n")]
    for (const words of [["runs"], ["list"], ["log", "last"]]) {
      const text = plain(await shown(words, columns))
      for (const line of text.split("\n"))
        if (words[0] !== "list") expect(displayWidth(line)).toBeLessThanOrEqual(columns)
      parts.push(`$ cadre ${words.join(" ")}\n${text.trimEnd()}`)
    }
    await expect(`${same(parts.join("\n\n"))}\n`).toMatchFileSnapshot(`snapshots/terminal-${columns}.txt`)
  })

  test.each([56, 80, 120])("of %i columns is the same without colour, and has none", async (columns) => {
    await world.json("run", "lead", "Fix the sum.", "--deny", ...world.model)
    for (const words of [["runs"], ["list"], ["log", "last"]]) {
      const coloured = await shown(words, columns)
      world.environment.NO_COLOR = "1"
      const bare = await shown(words, columns)
      delete world.environment.NO_COLOR
      expect(bare).not.toContain("\u001b[")
      expect(same(bare)).toBe(same(plain(coloured).replaceAll("\n", "\r\n")))
    }
  })

  test("of a dumb terminal and of a screen reader has lines, and nothing is drawn again", async () => {
    world.environment.TERM = "dumb"
    const raw = await shown(["run", "lead", "Fix it.", "--deny", ...world.model], 80)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(raw.match(/\u001b|\r(?!\n)/g)).toBe(null)
    expect(raw).toMatch(/^lead started: Fix it\.\r\nlead calls Read/)
  })
})
