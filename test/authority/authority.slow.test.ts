import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { findSandbox } from "../../src/world/sandbox/find-sandbox.ts"
import { CommandWorld } from "../run-command-kit.ts"

const sandbox = await findSandbox()
const isSandboxed = "path" in sandbox
if (!isSandboxed) console.warn(`SKIPPED: no command is tested in a sandbox: ${sandbox.problem}`)

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

const at = (file: string) => path.join(world.work, file)
const text = (file: string) => readFileSync(at(file), "utf8")
const bash = (command: string, more = {}) => ({ tool: "Bash", input: { command, ...more } })

const calling: CommandWorld["calling"] = (...calls) => world.calling(...calls)
const run: CommandWorld["runWorker"] = (...words) => world.runWorker(...words)
const texts: CommandWorld["workerResults"] = (...words) => world.workerResults(...words)

describe("real work", () => {
  beforeEach(() => {
    world.put("work/src/sum.js", "export const sum = (a, b) => a - b\n")
    calling(
      { tool: "Grep", input: { pattern: "a - b" } },
      { tool: "Read", input: { path: "src/sum.js" } },
      { tool: "Edit", input: { path: "src/sum.js", old_string: "a - b", new_string: "a + b" } },
      bash("cat src/sum.js && echo built > out.txt && cat out.txt"),
    )
  })

  test.skipIf(!isSandboxed)(
    "an agent finds, reads, edits and runs, in the sandbox, without being asked",
    async () => {
      const { code, result } = await run("--mode", "bypass", "--sandbox", "required")
      expect({ code, evidence: result.evidence }).toMatchObject({
        code: 0,
        evidence: {
          calls: { Grep: 1, Read: 1, Edit: 1, Bash: 1 },
          commands: [{ command: "cat src/sum.js && echo built > out.txt && cat out.txt", exitCode: 0 }],
        },
      })
      expect((await world.results(result.id)).at(-1)).toBe("export const sum = (a, b) => a + b\nbuilt")
      expect([text("src/sum.js"), text("out.txt")]).toEqual([
        "export const sum = (a, b) => a + b\n",
        "built\n",
      ])
    },
  )

  test("150: in default mode the edit rests with exit 7, and goes on once it was approved", async () => {
    const { code, result } = await run()
    expect({ code, approvals: result.approvals }).toMatchObject({
      code: 7,
      approvals: [{ tool: "Edit", agent: "worker", depth: 0, about: `write ${at("src/sum.js")}` }],
    })
    expect(text("src/sum.js")).toContain("a - b")
    expect(await world.cadre("approve", result.id)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Approved: Edit \{"path":"src\/sum\.js"/),
    })
    expect((await world.cadre("resume", result.id)).code).toBe(7)
    expect(text("src/sum.js")).toContain("a + b")
  })

  test("accept-edits asks only before the command", async () => {
    const { code, result } = await run("--mode", "accept-edits")
    expect({ code, tools: result.approvals.map(({ tool }: { tool: string }) => tool) }).toEqual({
      code: 7,
      tools: ["Bash"],
    })
    expect(text("src/sum.js")).toContain("a + b")
    const resumed = await world.json("approve", result.id)
    expect(resumed.code).toBe(0)
    expect((await world.cadre("resume", result.id)).code).toBe(0)
  })

  test("plan mode looks and changes nothing, whatever rules allow", async () => {
    world.put("config/config.yaml", "permissions: {allow: [Edit, Write, Bash, 'Edit(**)']}\n")
    const { code, result } = await run("--mode", "plan")
    expect({ code, denied: result.denied.map(({ tool }: { tool: string }) => tool) }).toEqual({
      code: 0,
      denied: ["Edit", "Bash"],
    })
    expect([text("src/sum.js").includes("a - b"), existsSync(at("out.txt"))]).toEqual([true, false])
  })

  test("a sandbox that is off is said to be", async () => {
    calling(bash("echo hello"))
    expect((await texts("--yes", "--sandbox", "off"))[0]).toMatch(/^hello\n\[Ran without a sandbox: /)
  })
})

test("what is dangerous asks also where nothing else does, and a rule is about one command and not its line", async () => {
  calling(bash("rm -rf ~"))
  expect((await run("--mode", "bypass")).code).toBe(7)
  world.put("config/config.yaml", "permissions: {allow: ['Bash(date)']}\n")
  for (const [command, code] of [
    ["date", 0],
    ["date > x", 7],
    ["date; touch x", 7],
    ["date $(touch x)", 7],
  ] as const) {
    calling(bash(command))
    expect([command, (await run()).code]).toEqual([command, code])
  }
})

test("a run whose folder is gone works nowhere else", async () => {
  const gone = path.join(world.base, "gone")
  mkdirSync(gone)
  calling({ tool: "Write", input: { path: "b.txt", content: "b" } }, bash("touch c.txt"))
  const { result } = await run("--cwd", gone)
  await world.cadre("approve", result.id)
  rmSync(gone, { recursive: true })
  expect((await world.cadre("resume", result.id, "--yes")).code).toBe(0)
  expect([readdirSync(world.work), existsSync(gone)]).toEqual([[".git"], false])
})

test("WebSearch that nobody has set up is absent, and the run says so", async () => {
  world.agent("worker", ["tools: [Read, web_search]"])
  world.script({ worker: [{ text: "Done." }] })
  const { code, result } = await run()
  expect({ code, offered: result.toolsOffered, warnings: result.warnings }).toEqual({
    code: 0,
    offered: ["Read"],
    warnings: [expect.stringMatching(/^The tool WebSearch is not available here: .*search\.provider/)],
  })
})

describe("170: what is denied is denied by every route", () => {
  beforeEach(() => {
    world.put("work/.env", "SECRET=hush\n")
    world.put("work/keys/id", "hush\n")
    mkdirSync(at("links"))
    symlinkSync("../keys/id", at("links/harmless"))
    world.put("config/config.yaml", "permissions: {deny: ['Read(**/.env)', 'Read(./keys/**)']}\n")
  })

  test.each([
    ["Read", { tool: "Read", input: { path: ".env" } }],
    ["Read of another spelling", { tool: "Read", input: { path: "./links/../.env" } }],
    ["Read through a link", { tool: "Read", input: { path: "links/harmless" } }],
    ["Grep", { tool: "Grep", input: { pattern: "hush", output_mode: "content" } }],
    ["Grep of the file", { tool: "Grep", input: { pattern: "hush", path: "keys", output_mode: "content" } }],
    ["Bash", bash("cat .env")],
    ["Bash through a link", bash("cat links/harmless")],
    ["Bash with a redirect", bash("read -r x < keys/id; echo $x")],
    ["Bash with a variable", bash("f=keys/id; cat $f")],
  ])("%s", async (_, call) => {
    calling(call)
    expect((await texts("--mode", "bypass")).join("\n")).not.toContain("hush")
  })

  test("Glob and LS do not name it", async () => {
    calling({ tool: "Glob", input: { pattern: "**/*" } }, { tool: "Glob", input: { pattern: "keys/*" } })
    expect((await texts("--mode", "bypass")).join("\n")).not.toMatch(/keys\/id|\.env/)
  })
})

describe("143, 144: protected files are written in no mode", () => {
  const files = [
    ".git/hooks/pre-commit",
    ".git/config",
    ".cadre/config.yaml",
    ".cadre/agents/worker.md",
    ".claude/settings.json",
    ".mcp.json",
    ".vscode/tasks.json",
    ".bashrc",
    ".GIT/config",
    ".git./config",
    "by-link/config",
  ]

  test.each(["accept-edits", "bypass"])("by a file tool, in %s mode", async (mode) => {
    symlinkSync(".git", at("by-link"))
    calling(...files.map((file) => ({ tool: "Write", input: { path: file, content: "evil" } })))
    const { result } = await run("--mode", mode, "--yes")
    expect(result.evidence.files).toEqual([])
    for (const said of await world.results(result.id)) expect(said).toMatch(/protected/)
    expect(files.filter((file) => existsSync(at(file)))).toEqual([])
  })

  test.skipIf(!isSandboxed)(
    "by a command, where they are there, and their folders where they are not",
    async () => {
      const kept = [".cadre/agents/x.md", ".mcp.json", ".vscode/tasks.json", ".bashrc"]
      for (const file of kept) world.put(`work/${file}`, "kept\n")
      const made = [".git/hooks/pre-commit", ".git/config", ".cadre/config.yaml", ".claude/settings.json"]
      calling(
        ...[...made, ...kept].map((file) => bash(`mkdir -p "$(dirname ${file})"; echo evil > ${file}`)),
        bash("mv .cadre gone; rm -rf .cadre .vscode; ln -sf x .mcp.json"),
      )
      await run("--mode", "bypass", "--yes", "--sandbox", "required")
      expect(kept.map(text)).toEqual(kept.map(() => "kept\n"))
      expect(made.filter((file) => existsSync(at(file)))).toEqual([])
    },
  )

  test("cadre's own state and configuration, where they lie in the workspace", async () => {
    world.environment.CADRE_STATE_DIR = at("state")
    world.environment.CADRE_CONFIG_DIR = at("settings")
    world.put("work/settings/agents/worker.md", "---\nname: worker\ndescription: Works.\n---\n\nWork.\n")
    calling(
      { tool: "Write", input: { path: "state/trust/x.json", content: "evil" } },
      { tool: "Write", input: { path: "settings/config.yaml", content: "mode: bypass" } },
      ...(isSandboxed ? [bash("echo 'mode: bypass' > settings/config.yaml; mkdir state/trust")] : []),
    )
    await run("--mode", "bypass", "--yes")
    expect([existsSync(at("state/trust")), existsSync(at("settings/config.yaml"))]).toEqual([false, false])
  })
})

describe("148: a value that looks like an option is a value", () => {
  test.each([
    [["worker", "--", "--yes", "--mode=bypass"], "--yes --mode=bypass"],
    [["worker", "Go --mode bypass --trust"], "Go --mode bypass --trust"],
    [["--", "worker", "--sandbox=off"], "--sandbox=off"],
  ])("%j", async (words, task) => {
    calling(bash("touch ran"))
    const { code, stdout } = await world.cadre("run", "--json", ...world.model, ...words)
    const result = JSON.parse(stdout)
    expect({ code, tools: result.approvals.map(({ tool }: { tool: string }) => tool) }).toEqual({
      code: 7,
      tools: ["Bash"],
    })
    expect((await world.cadre("log", result.id, "--events")).stdout).toContain(`task: ${task}`)
    expect(existsSync(at("ran"))).toBe(false)
  })

  test("in a task that is piped in, and in an option's own value", async () => {
    calling(bash("touch ran"))
    expect((await world.piped("--yes\n--mode bypass\n", "run", "worker", "-", ...world.model)).code).toBe(7)
    expect((await world.cadre("run", "worker", "Go.", "--timeout=--yes", ...world.model)).code).toBe(2)
    expect((await world.cadre("run", "worker", "Go.", "--mode", "--yes", ...world.model)).code).toBe(2)
    expect((await world.cadre("run", "worker", "Go.", "--mode", "yolo", ...world.model)).code).toBe(2)
  })
})
