import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { dispatched } from "../dispatch-kit.ts"
import { naming } from "../naming.ts"

const isRoot = process.getuid?.() === 0
if (isRoot)
  console.warn(
    "SKIPPED: root may write everywhere, so a state folder that cannot be written to is not tested",
  )

let base: string
let environment: Record<string, string>
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "cadre-settings-"))
  mkdirSync(path.join(base, "work/.git"), { recursive: true })
  environment = {
    HOME: path.join(base, "home"),
    CADRE_STATE_DIR: path.join(base, "state"),
    CADRE_CONFIG_DIR: path.join(base, "config"),
  }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
  writeFileSync(path.join(base, file), text)
}

const cadre = (...words: readonly string[]) =>
  dispatched(words, { directory: path.join(base, "work"), environment })

const json = async (...words: readonly string[]) => {
  const { code, stdout } = await cadre(...words, "--json")
  return { code, result: JSON.parse(stdout) }
}

const agent = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n\nYou are ${name}.\n`

describe("config", () => {
  test("says of every setting what it is and who says so", async () => {
    put("config/config.yaml", "model: ollama:one\nlimits:\n  maxTurns: 5\n  maxSpawns: 7\n")
    put("work/.cadre/config.yaml", "limits:\n  maxTurns: 3\nsubagents:\n  auto_route: true\n")
    environment.CADRE_MODEL = "ollama:two"
    const user = { type: "user", file: path.join(base, "config/config.yaml") }
    const project = { type: "project", file: path.join(base, "work/.cadre/config.yaml") }
    const { code, result } = await json("config")
    expect(code).toBe(0)
    const settings = new Map<string, unknown>(
      result.settings.map((one: { key: string }) => [one.key, one] as const),
    )
    expect([
      settings.get("model"),
      settings.get("limits.maxTurns"),
      settings.get("limits.maxSpawns"),
      settings.get("subagents.auto_route"),
      settings.get("agents_dir"),
    ]).toEqual([
      { key: "model", value: "ollama:two", from: { type: "environment", variable: "CADRE_MODEL" } },
      { key: "limits.maxTurns", value: 3, from: project, untrusted: { value: 5, from: user } },
      { key: "limits.maxSpawns", value: 7, from: user },
      {
        key: "subagents.auto_route",
        value: true,
        from: project,
        untrusted: { value: false, from: { type: "default" } },
      },
      { key: "agents_dir", value: null, from: { type: "default" } },
    ])
    expect(result.files).toEqual([
      { file: user.file, of: "user", exists: true },
      { file: project.file, of: "project", exists: true },
    ])
    const { stdout } = await cadre("config", "limits")
    expect(stdout).toMatch(
      /^limits\.maxTurns +3 +\.cadre\/config\.yaml \(project\), in runs only with --trust$/m,
    )
    expect(stdout).toMatch(/^ +5 +.*config\.yaml \(user\), in runs without --trust$/m)
  })

  test("1: what is wrong is shown, and a key that nobody knows is one of it", async () => {
    put("config/config.yaml", "modle: fast\n")
    const { code, result } = await json("config")
    expect(code).toBe(1)
    expect(result.diagnostics).toMatchObject([{ code: "configuration-key", severity: "error" }])
    expect((await cadre("config")).stderr).toMatch(/`modle` is not a setting.*Did you mean "model"/)
  })

  test("2: a setting that there is not", async () => {
    expect(await cadre("config", "modle")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Did you mean "model"/),
    })
  })

  test("what may be a key is not shown", async () => {
    put(
      "config/config.yaml",
      'providers:\n  mine:\n    baseUrl: http://x\n    headers: {"x-token": "s3cret"}\n',
    )
    for (const words of [["config"], ["config", "--json"]])
      expect((await cadre(...words)).stdout).not.toContain("s3cret")
  })
})

describe("models", () => {
  let server: Server
  let asked: string[]
  beforeEach(async () => {
    asked = []
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end("{}")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    put(
      "config/config.yaml",
      `model: quick\npresets:\n  quick: mine:small\n  lost: nobody:x\nproviders:\n  mine:\n    protocol: openai\n    baseUrl: http://127.0.0.1:${port}/v1\n`,
    )
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))

  test("says who answers, what names stand for, and what is missing", async () => {
    const { code, result } = await json("models")
    const mine = result.providers.find(({ id }: { id: string }) => id === "mine")
    expect({ code, reach: mine.reach.status, asked }).toEqual({
      code: 0,
      reach: "reachable",
      asked: ["GET /v1/models"],
    })
    expect(result.default).toEqual({ name: "quick", kind: "default", resolved: "mine/small" })
    expect(result.names).toEqual([
      { name: "quick", kind: "preset", resolved: "mine/small" },
      // As in a run: whoever serves the default may serve an id that nobody knows.
      { name: "lost", kind: "preset", resolved: "mine/nobody:x" },
    ])
    const { stdout } = await cadre("models")
    expect(stdout).toMatch(/^mine +openai +not needed +yes +http/m)
    expect(stdout).toMatch(/anthropic: missing \(set ANTHROPIC_API_KEY/)
  })

  test("--offline asks nobody, and a key is never shown", async () => {
    environment.OPENAI_API_KEY = "sk-very-secret-value-0123456789"
    for (const words of [
      ["models", "--offline"],
      ["models", "--offline", "--all", "--json"],
      ["doctor", "--json"],
    ]) {
      const { stdout } = await cadre(...words)
      expect(stdout).toContain("set (OPENAI_API_KEY)")
      expect(stdout).not.toContain("very-secret")
    }
    expect(asked).toEqual([])
  })

  test("one name, one provider, and one that there is not", async () => {
    expect(await json("models", "quick")).toMatchObject({
      code: 0,
      result: { name: "quick", resolved: "mine/small" },
    })
    expect((await json("models", "mine")).result.providers).toMatchObject([{ id: "mine" }])
    put("config/config.yaml", "presets:\n  lost: nobody:x\n")
    expect(await cadre("models", "lost")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^lost +cannot be used +there is no model "nobody:x"/),
    })
  })

  test("a provider's own name at a server of this machine needs no key, as in a run", async () => {
    environment.OPENAI_BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    expect((await cadre("models")).stdout).toMatch(/^openai +openai +not needed +yes +http/m)
    expect((await cadre("models", "gpt-5")).code).toBe(0)
    expect((await cadre("doctor")).stdout).toMatch(/^ ok +openai +key not needed *$/m)
  })

  test("the project's presets count only with --trust", async () => {
    put("work/.cadre/config.yaml", "presets:\n  theirs: mine:big\n")
    const names = async (...words: string[]) =>
      (await json("models", "--offline", ...words)).result.names.map(({ name }: { name: string }) => name)
    expect(await names()).not.toContain("theirs")
    expect(await names("--trust")).toContain("theirs")
  })
})

describe("tools", () => {
  test("says what there is here, what is not and why, and what others call it", async () => {
    const { code, result } = await json("tools")
    expect(code).toBe(0)
    const tool = (name: string) => result.tools.find((one: { name: string }) => one.name === name)
    expect(tool("Bash")).toMatchObject({ effect: "opaque", registered: true })
    expect(tool("Agent")).toMatchObject({ registered: true })
    expect(tool("WebSearch")).toMatchObject({
      registered: false,
      reason: expect.stringMatching(/search\.provider/),
    })
    expect(tool("Skill")).toMatchObject({ registered: false, reason: expect.stringMatching(/no skills/) })
    expect(result.hosts.find(({ id }: { id: string }) => id === "gemini")).toMatchObject({
      source: expect.stringMatching(/tool-names\.ts, \d{4}-\d\d-\d\d/),
      names: { run_shell_command: ["Bash"] },
    })
    const { stdout } = await cadre("tools")
    expect(stdout).toMatch(/^Bash +opaque +yes +Runs a command line/m)
    expect(stdout).toMatch(/^WebSearch +- +no +Not available: /m)
    expect(stdout).toMatch(/^ +run_shell_command +Bash$/m)
    expect(stdout).toMatch(/last checked on \d{4}-\d\d-\d\d\.\n$/)
  })

  test("a provider of searches, an executor and skills of one's own make tools", async () => {
    environment.BRAVE_KEY = "brave-0123456789"
    put("config/config.yaml", "search: {provider: brave, key: BRAVE_KEY}\nexecutors: {bot: {command: bot}}\n")
    put("config/skills/mine/SKILL.md", "My way.\n")
    put("work/.claude/skills/theirs/SKILL.md", "Their way.\n")
    const { tools } = (await json("tools")).result
    expect(tools.filter(({ registered }: { registered: boolean }) => !registered)).toEqual([])
    delete environment.BRAVE_KEY
    expect((await cadre("tools")).stdout).toMatch(/^WebSearch .*brave needs a key: set BRAVE_KEY\.$/m)
  })

  test("one name, ours or another host's, and one host", async () => {
    expect((await json("tools", "run_shell_command")).result).toMatchObject({
      type: "equivalent",
      tools: ["Bash"],
      hosts: expect.arrayContaining([expect.objectContaining({ id: "gemini", tools: ["Bash"] })]),
    })
    expect((await cadre("tools", "Bash")).stdout).toMatch(/^ +gemini +run_shell_command +\S/m)
    expect((await cadre("tools", "AskUserQuestion")).stdout).toMatch(/no equivalent in cadre/)
    expect((await cadre("tools", "--host", "zed")).stdout).toMatch(/^zed: .*\n(?: .*\n)+\nThe names/)
    expect(await cadre("tools", "Bahs")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Did you mean "Bash"/),
    })
    expect((await cadre("tools", "--host", "nobody")).code).toBe(2)
  })
})

test("check of a path reads the user's own agents as what they are", async () => {
  put(
    "config/agents/mine.md",
    "---\nname: mine\ndescription: d\nmodel: [opus, {model: gpt-5}]\n---\n\nWork.\n",
  )
  for (const target of ["config/agents/mine.md", "config/agents"])
    expect(await cadre("check", path.join(base, target))).toMatchObject({ code: 0, stderr: "" })
})

describe("doctor", () => {
  test("nothing is broken where there is nothing", async () => {
    const { code, stdout } = await cadre("doctor")
    expect(code).toBe(0)
    expect(stdout).toMatch(/Nothing is broken\.\n$/)
    expect(stdout).toMatch(/`cadre new NAME`/)
  })

  test("1: every file has a state and a reason, and what is broken a remedy", async () => {
    put("work/.claude/agents/good.md", agent("good"))
    put("work/.claude/agents/colon.md", "---\nname: colon\ndescription: Use it when: always\n---\n\nWork.\n")
    put("work/.claude/agents/narrow.md", agent("narrow", "allowed_tools: Read\n"))
    put("work/.claude/agents/README.md", "# Agents\n")
    put("work/.claude/agents/nowhere.md", agent("nowhere", "model: acme:large\n"))
    put("work/.claude/agents/keyless.md", agent("keyless", "model: openai:gpt-5.5\n"))
    put("home/.claude/agents/good.md", agent("good"))
    const { code, result } = await json("doctor")
    const files = result.findings.filter(({ part }: { part: string }) => part === "Definitions")
    expect(code).toBe(1)
    expect(
      files
        .map(({ what, state, level }: Record<string, string>) => [
          path.relative(base, path.resolve(base, "work", what!)),
          state,
          level,
        ])
        .sort(),
    ).toEqual([
      ["home/.claude/agents/good.md", "shadowed", "note"],
      ["work/.claude/agents/README.md", "skipped", "note"],
      ["work/.claude/agents/colon.md", "repaired", "note"],
      ["work/.claude/agents/good.md", "loaded", "fine"],
      ["work/.claude/agents/keyless.md", "cannot start", "note"],
      ["work/.claude/agents/narrow.md", "broken", "broken"],
      ["work/.claude/agents/nowhere.md", "cannot start", "broken"],
      ["work/agents that can start", "0 of 5", "note"],
    ])
    for (const file of files.filter(({ level }: { level: string }) => level !== "fine"))
      expect(file.reason).toMatch(/\S/)
    expect((await cadre("doctor")).stdout).toMatch(
      /! +\.claude\/agents\/narrow\.md +broken +.*`cadre check \.claude\/agents\/narrow\.md` shows where\./,
    )
  })

  test("files of hooks and of workflows are among them: with one that is broken nothing starts", async () => {
    put("work/.cadre/lifecycles/good.yaml", "before_model: { inject_context: x }\n")
    put("work/.cadre/lifecycles/typo.yaml", "\nbefor_tool: { block: x }\n")
    put("work/.cadre/workflows/typo.yaml", "stps: []\n")
    const { code, result } = await json("doctor")
    expect(code).toBe(1)
    expect(
      result.findings.filter(
        ({ part, what }: Record<string, string>) => part === "Definitions" && what !== "agents",
      ),
    ).toEqual([
      { part: "Definitions", what: ".cadre/lifecycles/good.yaml", state: "read", level: "fine" },
      {
        part: "Definitions",
        what: ".cadre/lifecycles/typo.yaml",
        state: "broken",
        level: "broken",
        reason: expect.stringMatching(/^line 2: There is no event "befor_tool"/),
        remedy: naming("`cadre check .cadre/lifecycles/typo.yaml`"),
      },
      {
        part: "Definitions",
        what: ".cadre/workflows/typo.yaml",
        state: "broken",
        level: "broken",
        reason: expect.stringMatching(/^line 1: /),
        remedy: naming("`cadre check .cadre/workflows/typo.yaml`"),
      },
    ])
  })

  test("1: a configuration that is wrong, in a file or in the environment", async () => {
    put("config/config.yaml", "modle: fast\n")
    environment.CADRE_SUBAGENTS_ENABLED = "perhaps"
    const { code, result } = await json("doctor")
    expect(code).toBe(1)
    expect(
      result.findings.filter(
        ({ part, level }: Record<string, string>) => part === "Configuration" && level === "broken",
      ),
    ).toHaveLength(2)
  })

  test("a rule about a tool that nobody knows, without which no run would start", async () => {
    put(
      "config/config.yaml",
      "permissions: {deny: ['Raed(secret/**)'], allow: ['run_shell_command(ls)', 'mcp__x__*', 'AgentSend']}\n",
    )
    const { code, result } = await json("doctor")
    const broken = result.findings.filter(({ level }: Record<string, string>) => level === "broken")
    expect([code, broken]).toEqual([
      1,
      [
        expect.objectContaining({
          what: expect.stringMatching(/config\.yaml$/),
          state: "has problems",
          reason: expect.stringMatching(/`permissions\.deny` names "Raed", .*Did you mean "Read"\?/),
        }),
      ],
    ])
  })

  test("what a rule that denies commands is worth", async () => {
    put(
      "config/config.yaml",
      "permissions: {deny: ['Bash(git push:*)', 'run_shell_command(ssh)', Bash, 'Read(x)']}\n",
    )
    const { code, result } = await json("doctor")
    const found = result.findings.filter(({ what }: Record<string, string>) => what === "permissions.deny")
    expect([code, found]).toEqual([
      0,
      [
        expect.objectContaining({
          level: "note",
          reason: expect.stringMatching(/^Bash\(git push:\*\), run_shell_command\(ssh\): /),
        }),
      ],
    ])
  })

  test("tells of open runs that nobody drives, and leaves them alone", async () => {
    const runtime = createRuntime({
      store: jsonlStore({ directory: path.join(base, "state", "runs") }),
      agents: [
        defineAgent({ name: "asks", instructions: "Ask.", rules: [{ tool: "Agent", decision: "ask" }] }),
        defineAgent({ name: "slow", instructions: "Be slow." }),
      ],
      models: {
        script: scriptedModel({
          asks: [{ calls: [{ tool: "Agent", input: { agent: "asks", prompt: "x" } }] }],
          slow: [{ text: "Slow.", delayMs: 20_000 }],
        }),
      },
    })
    const resting = runtime.run("asks", "Go.")
    await resting.done
    const driven = runtime.run("slow", "Go.")
    for await (const event of driven) if (event.type === "model-start") break
    const { code, result } = await json("doctor")
    await driven.cancel()
    await runtime.close()
    expect(code).toBe(0)
    expect(result.findings.filter(({ part }: { part: string }) => part === "Runs")).toMatchObject([
      { what: path.join(base, "state", "runs"), state: expect.stringMatching(/^writable, [\d.]+ GB free$/) },
      { what: "runs", state: "2" },
      {
        what: "open runs without a process",
        state: "1",
        reason: `${resting.id}.`,
        remedy: expect.stringMatching(/resume/),
      },
    ])
  })

  test.skipIf(isRoot)("1: a state folder that cannot be written to", async () => {
    put("locked/x", "")
    chmodSync(path.join(base, "locked"), 0o500)
    environment.CADRE_STATE_DIR = path.join(base, "locked", "state")
    expect(await cadre("doctor")).toMatchObject({ code: 1, stdout: expect.stringMatching(/not writable/) })
    chmodSync(path.join(base, "locked"), 0o700)
  })
})
