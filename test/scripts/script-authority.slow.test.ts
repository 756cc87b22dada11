/** The authority of scripts, through the built command: functions of the host, children, context, missing packages. */
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

interface LogEvent {
  readonly type: string
  readonly run: string
  readonly note?: { readonly answered?: { readonly name: string; readonly answer: object } }
  readonly result?: { readonly status: string; readonly text: string }
}

async function logOf(id: string): Promise<readonly LogEvent[]> {
  const { stdout } = await world.cadre("log", id, "--json")
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
}

const work = (...calls: readonly string[]) => [
  ...calls.map((tool) => ({ calls: [{ tool, input: {} }] })),
  { text: "Done." },
]

describe("a function of the host goes through the gate of the tool of its kind", () => {
  const asking = (signature: string, call: string) =>
    [
      "from grail import external",
      "@external",
      `async def ${signature}: ...`,
      "try:",
      `    got = await ${call}`,
      "except PermissionError as e:",
      '    got = "refused"',
      "got",
    ].join("\n")
  const read = (file: string) => asking("read_file(path: str) -> str", `read_file(path="${file}")`)
  const exists = (file: string) => asking("file_exists(path: str) -> bool", `file_exists(path="${file}")`)
  const list = (folder: string) => asking("list_dir(path: str) -> list[str]", `list_dir(path="${folder}")`)
  const write = (file: string) =>
    asking("write_file(path: str, content: str) -> bool", `write_file(path="${file}", content="x")`)
  const shell = (line: string) =>
    asking("run_command(cmd: str, args: list[str]) -> dict", `run_command(cmd="sh", args=["-c", "${line}"])`)
  const deny = (rule: string) => `permissions:\n  deny: ["${rule}"]\n`

  const places = [".git/config", ".cadre/agents/a.md", ".claude/agents/a.md", "../outside.txt"]
  const before = ["kept", "kept", "kept", "kept"]
  const files = () => places.map((file) => fs.readFileSync(path.join(world.work, file), "utf8"))

  async function tryScript(script: string, configuration = "", lines: readonly string[] = []) {
    for (const file of places) world.put(path.join("work", file), "kept")
    world.put("work/a.txt", "a")
    world.put("work/.env", "secret")
    world.put("config/config.yaml", configuration)
    world.put("config/agents/ask.pym", script)
    world.agent("worker", ["tools: ./ask.pym", ...lines])
    world.script({ worker: work("ask") })
    const { result } = await world.runWorker("--yes")
    const events = await logOf(result.id)
    return {
      files: files(),
      answers: events.flatMap(({ note }) => note?.answered?.answer ?? []),
      results: events.flatMap((event) => event.result?.text ?? []),
    }
  }

  test.each<[string, string, string]>([
    ["reads a file outside of the workspace", read("../outside.txt"), ""],
    ["reads a file that is denied", read(".env"), deny("Read(.env)")],
    ["asks whether a file exists that is denied", exists(".env"), deny("Read(.env)")],
    ["lists a folder outside of the workspace", list(".."), ""],
    ["writes outside of the workspace", write("../outside.txt"), ""],
    ["writes where Write is denied", write("new.txt"), deny("Write")],
    ["writes a file of git", write(".git/config"), ""],
    ["writes a definition of cadre", write(".cadre/agents/a.md"), ""],
    ["writes a definition of another host", write(".claude/agents/a.md"), ""],
    ["runs a command where Bash is denied", shell("echo x"), deny("Bash")],
    ["runs a command that is denied", shell("echo x"), deny("Bash(sh:*)")],
    ["runs a command that reads a denied file", shell("cat .env"), deny("Read(.env)")],
    ["runs a command that writes a file of git", shell("echo x > .git/config"), ""],
    ["runs a command that writes a definition", shell("echo x > .cadre/agents/a.md"), ""],
  ])("%s: refused and recorded", async (_, script, configuration) => {
    expect(await tryScript(script, configuration)).toEqual({
      files: before,
      answers: [
        { type: "answer", problem: { kind: "PermissionError", message: expect.stringMatching(/\w/) } },
      ],
      results: ["refused"],
    })
    expect(fs.existsSync(path.join(world.work, "new.txt"))).toBe(false)
  })

  test.each([
    ["its own file", "disallowedTools: Bash"],
    ["plan mode", "permissionMode: plan"],
  ])("a denial by %s binds its commands", async (_, line) => {
    const { results } = await tryScript(shell("touch new.txt"), "", [line])
    expect(results).toEqual([expect.stringMatching(/^(refused$|Not permitted)/)])
    expect(fs.existsSync(path.join(world.work, "new.txt"))).toBe(false)
  })

  test("and what no rule forbids is done", async () => {
    expect((await tryScript(read("a.txt"))).results).toEqual(["a"])
    expect((await tryScript(list("."), deny("Read(.env)"))).results).toEqual([
      '[".cadre",".claude",".git","a.txt"]',
    ])
    expect((await tryScript(write("new.txt"))).results).toEqual(["true"])
    expect((await tryScript(shell("echo x"))).results).toEqual([
      '{"exit_code":0,"stdout":"x\\n","stderr":""}',
    ])
  })

  test("in plan mode of a person, no script starts at all", async () => {
    world.put("config/agents/ask.pym", write("new.txt"))
    world.agent("worker", ["tools: Read, ./ask.pym"])
    world.script({ worker: work("ask") })
    expect(await world.workerResults("--yes", "--mode", "plan")).toEqual([
      expect.stringMatching(/^Not permitted/),
    ])
    expect(fs.existsSync(path.join(world.work, "new.txt"))).toBe(false)
  })

  test("a function that no host has keeps the agent from starting", async () => {
    world.put("config/agents/ask.pym", asking("fetch_page() -> str", "fetch_page()"))
    world.agent("worker", ["tools: ./ask.pym"])
    world.script({ worker: work("ask") })
    const { code, result } = await world.runWorker("--yes")
    expect([code, result.error.code, result.error.message]).toEqual([
      1,
      "AGENT_INVALID",
      expect.stringMatching(/ask\.pym:3:1.*fetch_page.*read_file/),
    ])
  })
})

describe.each(["own", "narrow"])("under delegation %s, a child", (delegation) => {
  /** The lead and the child have scripts of one name. What the call of the child gives, and what the lead is told. */
  async function play(lead: readonly string[], kid: readonly string[]) {
    world.put("config/config.yaml", `delegation: ${delegation}\n`)
    world.put("config/agents/lead/which.pym", '"of the lead"\n')
    world.put("config/agents/kid/which.pym", '"of the child"\n')
    world.agent("lead", lead, "config/agents/lead")
    world.agent("kid", kid, "config/agents/kid")
    const handOn = { calls: [{ tool: "Agent", input: { agent: "kid", prompt: "Go." } }] }
    world.script({
      lead: [{ calls: [{ tool: "which", input: {} }] }, handOn, { text: "Done." }],
      kid: work("which"),
    })
    const { result } = await world.json("run", "lead", "Go.", "--yes", ...world.model)
    const events = await logOf(result.id)
    return events.flatMap((event) =>
      event.type === "tool-end" && !event.result!.text.includes("<report")
        ? [[event.run === result.id ? "lead" : "kid", event.result!.text]]
        : [],
    )
  }
  const had = ["lead", "of the lead"]
  const notHad = ["kid", expect.stringMatching(/^Not permitted: which .* agent "kid"/)]
  const lead = ["tools: Agent, Read, ./which.pym"]

  test("has its own script, and not its caller's of that name", async () => {
    expect(await play(lead, ["tools: ./which.pym"])).toEqual([had, ["kid", "of the child"]])
    expect((await play(["tools: Agent, Read"], ["tools: ./which.pym"])).slice(1)).toEqual([
      ["kid", "of the child"],
    ])
  })

  test.each<[string, readonly string[], readonly string[]]>([
    ["without a list", lead, []],
    ["with a list of everything", lead, ["tools: ['*']"]],
    ["whose list lacks it", lead, ["tools: Read"]],
    ["where its caller hands it on", [...lead, "delegates: [which]"], ["tools: Read"]],
    ["that starts from its caller's history", lead, ["tools: Read", "context: { fork: true }"]],
  ])("%s has none of its caller's scripts", async (_, leadLines, kidLines) => {
    expect(await play(leadLines, kidLines)).toEqual([had, notHad])
  })

  test("that lists the name of its caller's script does not start", async () => {
    expect(await play(lead, ["tools: Read, which"])).toEqual([
      had,
      ["lead", expect.stringMatching(/'kid' is broken: .*`which`/)],
    ])
  })
})

test("a context provider of a project is shown, and not run until it is trusted as it is", async () => {
  const provider = [
    "from grail import external",
    "@external",
    "async def write_file(path: str, content: str) -> bool: ...",
    'done = await write_file(path="marks.txt", content="mark")',
    "done",
  ].join("\n")
  const definition = {
    name: "worker_agent",
    max_turns: 4,
    initial_context: { system_prompt: "You work.", node_context: "Work." },
    tools: [
      {
        tool_name: "work",
        pym: "worker/tools/work.pym",
        tool_description: "Works.",
        context_providers: ["worker/context/mark.pym"],
      },
      { tool_name: "submit_result", pym: "worker/tools/submit.pym", tool_description: "Ends." },
    ],
  }
  world.put("work/agents/worker/worker_subagent.yaml", JSON.stringify(definition))
  world.put("work/agents/worker/tools/work.pym", '"worked"\n')
  world.put("work/agents/worker/tools/submit.pym", '"ok"\n')
  world.put("work/agents/worker/context/mark.pym", provider)
  world.script({
    worker_agent: [
      { calls: [{ tool: "work", input: {} }] },
      { calls: [{ tool: "submit_result", input: {} }] },
    ],
  })
  const marks = path.join(world.work, "marks.txt")
  const run = async () => {
    const { code } = await world.cadre("run", "worker_agent", "--var", "node_text=x", "--yes", ...world.model)
    return [code, fs.existsSync(marks)]
  }
  const shown = async () => (await world.cadre("trust")).stdout
  expect(await run()).toEqual([6, false])
  expect(await shown()).toMatch(
    /new +agents\/worker\/context\/mark\.pym\n.*with the functions write_file\n +SHA-256/,
  )
  await world.cadre("trust", "--yes")
  expect(await run()).toEqual([0, true])
  fs.rmSync(marks)
  world.put("work/agents/worker/context/mark.pym", `${provider}\n`)
  expect(await run()).toEqual([1, false])
  expect(await shown()).toMatch(/changed +agents\/worker\/context\/mark\.pym/)
})

describe("without its package", () => {
  const root = path.resolve(import.meta.dirname, "../..")
  const engines = ["@pydantic", "quickjs-emscripten", "@jitl", "amaro"]

  /** The built command with every installed package but the engines of scripts. */
  function withoutEngines(): string {
    const folder = path.join(world.base, "package")
    for (const part of ["dist", "agents", "package.json"])
      fs.cpSync(path.join(root, part), path.join(folder, part), { recursive: true })
    fs.mkdirSync(path.join(folder, "node_modules"))
    for (const name of fs.readdirSync(path.join(root, "node_modules")))
      if (!engines.includes(name) && !name.startsWith("."))
        fs.symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name))
    return path.join(folder, "dist/cli.mjs")
  }

  test.each([
    ["ask.pym", "1\n", "npm install @pydantic/monty@0.0.18"],
    ["ask.mjs", "export default () => 1\n", "npm install quickjs-emscripten"],
  ])("a call of %s fails with the line that installs it, and check needs none", async (file, text, line) => {
    world.put(`config/agents/${file}`, text)
    world.agent("worker", [`tools: ./${file}`])
    world.script({ worker: work("ask") })
    const command = withoutEngines()
    const cadre = (...words: readonly string[]) =>
      spawnSync(process.execPath, [command, ...words], {
        cwd: world.work,
        env: world.environment,
        encoding: "utf8",
      })
    expect(cadre("check").status).toBe(0)
    const { id } = JSON.parse(cadre("run", "worker", "Go.", "--yes", "--json", ...world.model).stdout)
    const [result] = (await logOf(id)).flatMap((event) => event.result ?? [])
    expect({ status: result!.status, ...JSON.parse(result!.text) }).toEqual({
      status: "error",
      error: true,
      code: "LOAD_ERROR",
      message: expect.stringMatching(new RegExp(`is not installed\\. Install it: ${line}$`)),
    })
  })
})
