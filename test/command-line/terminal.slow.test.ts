import { existsSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { displayWidth } from "../../src/ground/diagnostics/display-width.ts"
import { CommandWorld } from "../run-command-kit.ts"
import { hasTerminals, openTerminal, plain, screenOf } from "../terminal-kit.ts"

const built = path.resolve(import.meta.dirname, "../..", "dist", "cli.mjs")
if (!hasTerminals)
  console.warn("SKIPPED: script of util-linux is not installed, so the live view is not tested in a terminal")

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

const delegate = (agent: string, prompt = `Do ${agent}.`) => ({ tool: "Agent", input: { agent, prompt } })

describe.skipIf(!hasTerminals)("in a terminal", () => {
  test("001 row 6: a run is drawn in place, and what is left is the tree, the answer and a summary", async () => {
    world.agent("lead")
    world.agent("greeter", ["label: Says hello"])
    world.script({
      lead: [{ text: "Go.", calls: [delegate("greeter")] }, { text: "All\tgreeted.\nTwice." }],
      greeter: [{ text: "Hi.", delayMs: 700 }],
    })
    const { code, raw } = await terminal(["run", "lead", "Greet.", ...world.model], {
      columns: 1_000,
      rows: 24,
    }).ended
    expect(code).toBe(0)
    expect(plain(raw)).toMatch(
      /● lead · Agent \{"agent":"greeter","prompt":"Do greeter\."\} · turn 1 · 15 tokens/,
    )
    expect(plain(raw)).toMatch(/ {2}● greeter \(Says hello\) · thinking · turn 1/)
    expect(
      screenOf(raw, { columns: 1_000 }).lines.map((line) => line.replaceAll(/\d+\.\d+s/g, "TIME")),
    ).toEqual([
      "✓ lead · Agent greeter: Do greeter. → Hi.",
      "✓ lead · completed · turn 2 · 30 tokens · TIME",
      "  ✓ greeter (Says hello) · completed · turn 1 · 15 tokens · TIME",
      "All\tgreeted.",
      "Twice.",
      "lead completed. 2 turns, 45 tokens, cost unknown, TIME.",
      "Calls of lead: 1 Agent.",
      expect.stringMatching(/^Model: requested script:/),
      expect.stringMatching(/^Run [0-9a-z]{26}$/),
    ])
  })

  test.each([
    ["y\n", 0, "Allowed."],
    ["\n", 4, "Allowed."],
    ["no\n", 4, "Allowed."],
  ])("a call that asks is answered inline: %j", async (answer, code, output) => {
    asking()
    const shown = terminal(["run", "asks", "Go.", ...world.model])
    expect(await shown.question()).toMatch(
      /asks: Allow Agent \{"agent":"greeter","prompt":"Do greeter\."\}\?\n {2}calls: greeter\n.*"?asks"?.*greeter\n[\s\S]*\[y\/N\] $/,
    )
    shown.type(answer)
    const ended = await shown.ended
    expect({ code: ended.code, lines: screenOf(ended.raw).lines }).toEqual({
      code,
      lines: expect.arrayContaining([output]),
    })
  })

  test.each([
    ["y\n", 0, true],
    ["\n", 4, false],
  ])(
    "221: a command that asks is shown as it would run, and answered inline: %j",
    async (answer, code, ran) => {
      world.agent("worker", ["tools: [Bash]"])
      const command = "touch ran\n\techo \u001b[2K\u202e done"
      world.script({
        worker: [
          { calls: [{ tool: "Bash", input: { description: "Lists files", command, timeout: 5000 } }] },
          { text: "Done." },
        ],
      })
      const shown = terminal(["run", "worker", "Go.", ...world.model])
      expect(await shown.question()).toMatch(
        /worker: Allow Bash\?\n {4}touch ran\n {4}\\techo \\u\{1b\}\[2K\\u\{202e\} done\n {4}timeout: 5000\n[\s\S]*U\+001B[\s\S]*\[y\/N\] $/,
      )
      expect(existsSync(path.join(world.work, "ran"))).toBe(false)
      shown.type(answer)
      const ended = await shown.ended
      expect([ended.code, existsSync(path.join(world.work, "ran"))]).toEqual([code, ran])
      expect(ended.raw).not.toContain("Lists files")
    },
  )

  test("221: a child that asks says where it is, and what it would write", async () => {
    world.agent("lead")
    world.agent("writer", ["tools: [Write]"])
    world.script({
      lead: [{ calls: [delegate("writer")] }, { text: "Done." }],
      writer: [
        { calls: [{ tool: "Write", input: { content: "x".repeat(5_000), path: "a.txt" } }] },
        { text: "Written." },
      ],
    })
    const shown = terminal(["run", "lead", "Go.", ...world.model])
    expect(await shown.question()).toMatch(
      /writer\.1 \(depth 1\): Allow Write \S+a\.txt\?\n {4}@@ -0,0 \+1 @@\n {4}\+x+…\n[\s\S]* write \S+a\.txt\n[\s\S]*\[y\/N\] $/,
    )
    shown.type("y\n")
    expect((await shown.ended).code).toBe(0)
  })

  test.each([
    ["y\n", 0],
    ["\n", 6],
    ["\u0004", 6],
  ])(
    "133: trust is asked for after what would gain what, and no is the answer unless it is yes: %j",
    async (answer, code) => {
      world.agent("theirs", ["tools: [Bash]"], "work/.cadre/agents")
      const shown = terminal(["trust"])
      expect(await shown.question()).toMatch(
        /new +\.cadre\/agents\/theirs\.md \(agent theirs\)\n +may run commands \(Bash\)\n.* \[y\/N\] $/,
      )
      shown.type(answer)
      expect((await shown.ended).code).toBe(code)
      expect(existsSync(path.join(world.base, "state", "trust"))).toBe(code === 0)
    },
  )

  test("what was typed before the question answers nothing", async () => {
    asking(2_000)
    const shown = terminal(["run", "asks", "Go.", ...world.model])
    await shown.shows(/● asks · .* turn 1/)
    shown.type("y\n")
    await shown.question()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(shown.raw).not.toContain("greeter ·")
    shown.type("n\n")
    expect((await shown.ended).code).toBe(4)
  })

  test("at the end of the input nobody is asked, and the run rests", async () => {
    asking()
    const shown = terminal(["run", "asks", "Go.", ...world.model])
    await shown.question()
    shown.type("\u0004")
    const { code, raw } = await shown.ended
    expect(code).toBe(7)
    expect(raw).toMatch(/Waiting for you: Agent .*cadre approve/)
  })

  test("88: Ctrl-C while a question is open leaves the run resting", async () => {
    asking()
    const shown = terminal(["run", "asks", "Go.", "--json", ...world.model])
    await shown.question()
    shown.type("\u0003")
    const { code, raw } = await shown.ended
    expect(code).toBe(130)
    expect(raw).toMatch(/"state": "resting"/)
  })

  test("an edit is shown as a difference, and a rule that is added answers for the rest of the run", async () => {
    world.agent("writer", ["tools: [Read, Edit]"])
    world.put("work/a.ts", "one\ntwo\n")
    const edit = (old: string, now: string) => ({
      calls: [{ tool: "Edit", input: { path: "a.ts", old_string: old, new_string: now } }],
    })
    world.script({
      writer: [
        { calls: [{ tool: "Read", input: { path: "a.ts" } }] },
        edit("two", "three"),
        edit("one", "zero"),
        { text: "Done." },
      ],
    })
    const file = path.join(world.work, "a.ts")
    const shown = terminal(["run", "writer", "Go.", ...world.model])
    expect(await shown.question()).toMatch(
      /Allow Edit \S+a\.ts\?\n {4}@@ -1,2 \+1,2 @@\n {5}one\n {4}-two\n {4}\+three\n {2}writes: \S+a\.ts\n/,
    )
    expect(plain(shown.raw)).toContain(`Edit(${file})`)
    expect(shown.raw).toContain("\u001b[32m+three")
    shown.type("a\n")
    expect((await shown.ended).code).toBe(0)
    expect(readFileSync(file, "utf8")).toBe("zero\nthree\n")
    expect(readFileSync(path.join(world.base, "config/config.yaml"), "utf8")).toBe(
      `permissions:\n  allow:\n    - Edit(${file})\n`,
    )
  })

  test("exactly the same call is not asked about twice, and every answer that is none is asked again", async () => {
    world.agent("worker", ["tools: [Bash]"])
    const run = (command: string) => ({ calls: [{ tool: "Bash", input: { command } }] })
    world.script({ worker: [run("npm test"), run("npm test"), run("npm run x"), { text: "Done." }] })
    const shown = terminal(["run", "worker", "Go.", ...world.model])
    expect(await shown.question()).toMatch(/no rule is offered/)
    shown.type("a\n")
    await shown.shows(/Type one[\s\S]*\[y\/N\] $/)
    shown.type("e\n")
    await shown.shows(/npm run x\n[\s\S]*\[y\/N\] $/)
    shown.type("n not now\n")
    const { code, raw } = await shown.ended
    expect({ code, denied: plain(raw).match(/by a person: (.*)/)?.[1] }).toEqual({
      code: 0,
      denied: "not now",
    })
    expect(plain(raw).match(/Allow Bash/g)).toHaveLength(2)
    expect(existsSync(path.join(world.base, "config/config.yaml"))).toBe(false)
  })

  test("a person can stop the run at a question", async () => {
    asking()
    const shown = terminal(["run", "asks", "Go.", "--json", ...world.model])
    await shown.question()
    shown.type("s\n")
    const { code, raw } = await shown.ended
    expect(code).toBe(5)
    expect(raw).toMatch(/"type": "cancelled"/)
  })

  test("`cadre approve` asks the same about a run of another terminal", async () => {
    asking()
    const resting = await world.json("run", "asks", "Go.", ...world.model)
    expect(resting.code).toBe(7)
    const shown = terminal(["approve", resting.result.id])
    expect(await shown.question()).toMatch(/asks: Allow Agent/)
    shown.type("y\n")
    expect((await shown.ended).code).toBe(0)
    expect((await world.cadre("resume", resting.result.id)).code).toBe(0)
  })

  test("a tree larger than the screen never takes more rows than there are, also on a narrow screen", async () => {
    world.agent("lead")
    world.agent("greeter")
    world.script({
      lead: [
        {
          calls: Array.from({ length: 20 }, (_, number) =>
            delegate("greeter", `${number} ${"wide 宽 ".repeat(20)}`),
          ),
        },
        { text: "Done." },
      ],
      greeter: [{ text: "Hi.", delayMs: 400 }],
    })
    const size = { columns: 40, rows: 8 }
    const { code, raw } = await terminal(["run", "lead", "Go.", ...world.model], size).ended
    expect(code).toBe(0)
    expect(raw).toMatch(/… and \d+ more, \d+ of them working/)
    const { lines, tallest } = screenOf(raw, size)
    expect(tallest).toBeLessThan(size.rows)
    expect(lines.filter((line) => line.includes("● "))).toEqual([])
    expect(lines.filter((line) => line.includes("lead · completed"))).toHaveLength(1)
  })

  test("a terminal that becomes narrower leaves nothing behind", async () => {
    world.agent("lead")
    world.agent("greeter")
    world.script({
      lead: [{ calls: [delegate("greeter", "x".repeat(200))] }, { text: "Done." }],
      greeter: [{ text: "Hi.", delayMs: 30_000 }],
    })
    const sign = path.join(world.base, "narrow")
    const shown = terminal(
      ["run", "lead", "Go.", ...world.model],
      { columns: 60, rows: 24 },
      `(until [ -e '${sign}' ]; do sleep 0.05; done; stty -F /dev/tty cols 50) & `,
    )
    await shown.shows(/● greeter · .* turn 1/)
    const wide = shown.raw.length
    writeFileSync(sign, "")
    // The two lines that were drawn are three now: one of them has wrapped.
    await expect.poll(() => shown.raw.slice(wide)).toContain("\u001b[3A")
    const narrow = shown.raw.length
    await expect.poll(() => shown.raw.slice(narrow)).toContain("\u001b[2A")
    shown.type("\u0003")
    const { code, raw } = await shown.ended
    expect(code).toBe(130)
    const drawn = plain(raw.slice(narrow)).split("Interrupted")[0]!
    for (const line of drawn.split("\n")) expect(displayWidth(line)).toBeLessThan(50)
    expect(raw.slice(narrow)).not.toContain("\u001b[3A")
  })

  test("122: nothing of a task, a call, an answer or a definition is obeyed by the terminal", async () => {
    const evil = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eevil\r\u0008"
    world.put(
      "config/agents/greeter.md",
      '---\nname: greeter\ndescription: "x\\e[31m\\a"\nlabel: "\\e]0;label\\a"\n---\n\nGreet.\n',
    )
    world.agent("asks", ["rules: [{tool: Agent, decision: ask}]"])
    world.script({
      asks: [{ text: evil, calls: [delegate("greeter", evil), { tool: evil, input: {} }] }, { text: evil }],
      greeter: [{ text: evil, error: { message: evil } }],
    })
    const shown = terminal(["run", "asks", evil, ...world.model])
    await shown.question()
    shown.type("y\n")
    const { raw } = await shown.ended
    expect(raw).toContain("\\u{1b}]0;owned\\u{7}")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    const rest = raw.replaceAll(/\u001b\[(?:[\d;]*m|\d*[AJ])|\r+\n|\r(?=\u001b\[J)/g, "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the same.
    expect([...rest.matchAll(/[\u0000-\u001f\u007f-\u009f\u202e]/g)].map(([found]) => found)).toEqual([])
  })

  test("NO_COLOR is honoured, and colours are used without it", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "Hi.", delayMs: 300 }] })
    const colours = new RegExp(`${"\u001b"}\\[[\\d;]*m`)
    const words = ["run", "greeter", "Go.", ...world.model]
    expect((await terminal(words).ended).raw).toMatch(colours)
    world.environment.NO_COLOR = "1"
    expect((await terminal(words).ended).raw).not.toMatch(colours)
  })

  test.each([{ CI: "1" }, { TERM: "dumb" }])("with %j it is told line by line", async (more) => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "Hi.", delayMs: 300 }] })
    Object.assign(world.environment, more)
    const { raw } = await terminal(["run", "greeter", "Go.", ...world.model]).ended
    expect(raw).toMatch(/^greeter started: Go\.\r\ngreeter completed\r\n/)
  })

  test("lines of JSON are not mixed with a drawing", async () => {
    world.agent("greeter")
    world.script({ greeter: [{ text: "Hi.", delayMs: 300 }] })
    const { raw } = await terminal(["run", "greeter", "Go.", "--jsonl", ...world.model]).ended
    const lines = raw.split("\r\n").filter((line) => line.startsWith("{"))
    expect(lines.map((line) => JSON.parse(line).type).at(-1)).toBe("result")
    expect(raw).not.toContain("●")
  })
})

/** One agent that needs a person's word before it may hand work on. */
function asking(delayMs = 0): void {
  world.agent("asks", ["rules: [{tool: Agent, decision: ask}]"])
  world.agent("greeter")
  world.script({
    asks: [{ text: "May I?", calls: [delegate("greeter")], delayMs }, { text: "Allowed." }],
    greeter: [{ text: "Hi." }],
  })
}

const terminal = (words: readonly string[], size = { columns: 120, rows: 24 }, before = "") =>
  openTerminal([process.execPath, built, ...words], {
    cwd: world.work,
    environment: world.environment,
    size,
    before,
  })
