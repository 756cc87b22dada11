/** Scripts as tools, through the built command: where they are found, and what keeps them from running. */
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type ModelServer, startModelServer } from "../../src/faces/testing/model-server.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
let server: ModelServer | undefined
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(async () => {
  await server?.close()
  server = undefined
  world.remove()
})

const greet = [
  '"""Greets somebody."""',
  "from grail import Input",
  'name: str = Input("name")',
  'mark: str = Input("mark", default="!")',
  '"hello " + name + mark',
].join("\n")
const markdown = (name: string, lines: string) =>
  `---\nname: ${name}\ndescription: Greets.\n${lines}\n---\n\nGreet.\n`

const files: readonly [format: string, file: string, text: string][] = [
  [
    "Claude Code, text with commas",
    ".claude/agents/greeter.md",
    markdown("greeter", "tools: Read, ./greet.pym"),
  ],
  ["Claude Code, a list", ".claude/agents/greeter.md", markdown("greeter", "tools:\n  - ./greet.pym")],
  ["cadre, text with commas", ".cadre/agents/greeter.md", markdown("greeter", "tools: ./greet.pym, Read")],
  ["cadre, a list", ".cadre/agents/greeter.md", markdown("greeter", "tools: [./greet.pym]")],
  ["Codex", ".codex/agents/greeter.md", markdown("greeter", "tools: [./greet.pym]")],
  ["acai", ".acai/subagents/greeter.md", markdown("greeter", "tools: ./greet.pym")],
  [
    "Gobby",
    ".gobby/agents/greeter.yaml",
    "name: greeter\ndescription: Greets.\ninstructions: Greet.\nallowed_tools: [./greet.pym]\n",
  ],
]

describe("a path in the list of tools", () => {
  test.each(files)(
    "of %s is a tool: the model gets its schema and its result",
    async (_, definition, text) => {
      server = await startModelServer({
        script: [{ calls: [{ tool: "greet", arguments: { name: "Ada" } }] }, { text: "Done." }],
      })
      world.put(
        "config/config.yaml",
        `model: local:m\nproviders:\n  local: { protocol: openai, baseUrl: "${server.url}" }\n`,
      )
      world.put(`work/${definition}`, text)
      world.put(`work/${path.dirname(definition)}/greet.pym`, greet)
      expect((await world.cadre("trust", "--yes")).code).toBe(0)
      const { code, result } = await world.json("run", "greeter", "Greet.", "--yes")
      expect([code, result.outcome]).toEqual([0, { type: "completed" }])
      const [first, second] = server.requests.map(({ body }) => body as never) as unknown as readonly {
        readonly tools: readonly { readonly function: Record<string, unknown> }[]
        readonly messages: readonly { readonly role: string; readonly content: string }[]
      }[]
      expect(first!.tools.map((tool) => tool.function).find(({ name }) => name === "greet")).toMatchObject({
        description: "Greets somebody.",
        parameters: {
          properties: { name: { type: "string" }, mark: { type: "string" } },
          required: expect.arrayContaining(["name"]),
        },
      })
      expect(second!.messages.at(-1)).toMatchObject({ role: "tool", content: "hello Ada!" })
    },
  )

  const external = (name: string) => `@external\nasync def ${name}() -> str: ...\nawait ${name}()\n`
  const tools = (entry: string) => markdown("worker", `tools: ${entry}`)
  const at = (code: string, message: RegExp, line = 4) => ({
    code,
    severity: "error",
    message: expect.stringMatching(message),
    file: expect.stringMatching(/worker\.(md|yaml)$/),
    range: { start: expect.objectContaining({ line }), end: expect.anything() },
  })
  test.each<[string, string, () => void, object]>([
    ["is not there", tools("./count.pym"), () => {}, at("tool-script", /FILE_NOT_FOUND.*count\.pym/)],
    [
      "lies outside of the folder",
      tools("../count.pym"),
      () => world.put("work/.cadre/count.pym", "1\n"),
      at("path-outside", /\.\.\/count\.pym/),
    ],
    [
      "is a link that leads out",
      tools("./count.pym"),
      () => {
        world.put("outside.pym", "1\n")
        fs.symlinkSync(path.join(world.base, "outside.pym"), `${world.work}/.cadre/agents/count.pym`)
      },
      at("path-outside", /\.\/count\.pym/),
    ],
    [
      "has an unknown ending and cannot be executed",
      tools("./count.txt"),
      () => world.put("work/.cadre/agents/count.txt", "1\n"),
      at("script-check", /not executable.*\.pym.*chmod \+x/),
    ],
    [
      "is a folder",
      tools("./count.pym"),
      () => world.put("work/.cadre/agents/count.pym/a", "1\n"),
      at("script-check", /folder/),
    ],
    [
      "asks for a function that no host has",
      tools("./count.pym"),
      () => world.put("work/.cadre/agents/count.pym", external("fetch_page")),
      at("script-check", /count\.pym:2:1: external: .*"fetch_page".*read_file/),
    ],
    [
      "asks for a function that every object has",
      tools("./count.mjs"),
      () => world.put("work/.cadre/agents/count.mjs", "// @external toString\nexport default () => 1\n"),
      at("script-check", /count\.mjs:1:1: external: .*"toString"/),
    ],
    [
      "is a program that asks for a function",
      tools("./count.sh"),
      () => {
        world.put("work/.cadre/agents/count.sh", "#!/bin/sh\n# @external read_file\necho 1\n")
        world.executable("work/.cadre/agents/count.sh")
      },
      at("script-check", /count\.sh:2:1: external: .*program/),
    ],
    [
      "is denied and not listed",
      markdown("worker", "tools: Read\ndisallowedTools: ./count.pym"),
      () => world.put("work/.cadre/agents/count.pym", "1\n"),
      at("tool-script", /denies nothing/, 5),
    ],
  ])("that %s is found by check, and keeps the agent from starting", async (_, text, prepare, finding) => {
    world.put("work/.cadre/agents/worker.md", text)
    prepare()
    world.script({ worker: [{ text: "Done." }] })
    const { result } = await world.json("check")
    expect(result.diagnostics.filter(({ severity }: { severity: string }) => severity === "error")).toEqual([
      finding,
    ])
    expect((await world.cadre("run", "worker", "Go.", "--trust", ...world.model)).code).toBe(1)
  })

  test("has its place under the key that the format has", async () => {
    world.put(
      "work/.gobby/agents/worker.yaml",
      "name: worker\ndescription: Works.\ninstructions: Work.\nallowed_tools: [Read, ../count.pym]\n",
    )
    const { result } = await world.json("check")
    expect(result.diagnostics).toEqual([
      {
        ...at("path-outside", /count/),
        range: { start: { line: 4, column: 23 }, end: expect.anything() },
      },
    ])
  })

  test("that is denied in the same file is not a tool", async () => {
    world.put("config/agents/count.pym", "1\n")
    world.agent("worker", ["tools: Read, ./count.pym", "disallowedTools: ./count.pym"])
    world.script({ worker: [{ calls: [{ tool: "count", input: {} }] }, { text: "Done." }] })
    expect(await world.workerResults("--yes")).toEqual([
      expect.stringMatching(/^Not permitted: .*definition of agent "worker" denies count/),
    ])
  })
})

describe("a script of a project", () => {
  const folder = "work/.cadre/agents"
  const marks = () => path.join(world.work, "marks.txt")
  const program = "#!/bin/sh\n# Leaves a mark.\necho mark >> marks.txt\necho '\"done\"'\n"
  const script = [
    "from grail import external",
    "@external",
    "async def write_file(path: str, content: str) -> bool: ...",
    'done = await write_file(path="marks.txt", content="mark")',
    "done",
  ].join("\n")
  const kinds: readonly [string, string, string, string][] = [
    ["a program", "mark.sh", program, "as a program in the"],
    ["Python", "mark.pym", script, "with the functions write_file"],
  ]

  function project(name: string, text: string): void {
    world.put(`${folder}/${name}`, text)
    if (name.endsWith(".sh")) world.executable(`${folder}/${name}`)
    world.put(`${folder}/worker.md`, markdown("worker", `tools: ./${name}`))
    world.script({ worker: [{ calls: [{ tool: "mark", input: {} }] }, { text: "Done." }] })
  }
  const run = async () => {
    const { code, stderr } = await world.cadre("run", "worker", "Go.", "--yes", ...world.model)
    return { code, ran: fs.existsSync(marks()), stderr }
  }

  test.each(kinds)("(%s) does not run before it is trusted as it is", async (_, name, text, may) => {
    project(name, text)
    expect(await run()).toMatchObject({ code: 6, ran: false })
    for (const command of [["list"], ["check"], ["show", "worker"], ["run", "worker", "x", "--dry-run"]])
      await world.cadre(...command)
    const shown = (await world.cadre("trust")).stdout
    expect(shown).toMatch(
      new RegExp(`new +\\.cadre/agents/${name}\n +runs for the tool mark of worker, ${may}`),
    )
    const [hash] = /SHA-256 [0-9a-f]{64}/.exec(shown)!
    expect(fs.existsSync(marks())).toBe(false)
    await world.cadre("trust", "--yes")
    expect(await run()).toMatchObject({ code: 0, ran: true })

    fs.rmSync(marks())
    fs.appendFileSync(path.join(world.base, folder, name), "\n")
    expect(await run()).toMatchObject({
      code: 1,
      ran: false,
      stderr: expect.stringMatching(/TOOL_SCRIPT|not trusted/),
    })
    const again = (await world.cadre("trust")).stdout
    expect(again).toMatch(new RegExp(`changed +\\.cadre/agents/${name}\n`))
    expect(again).not.toContain(hash)
    await world.cadre("trust", "--yes")
    expect(await run()).toMatchObject({ code: 0, ran: true })
  })
})
