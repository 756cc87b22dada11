import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Agent, defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { type CodingAgentOptions, openCodingProject } from "../../src/assembly/embed/coding-agent.ts"
import type { Project } from "../../src/assembly/project/open-project.ts"
import { findTrustClaims } from "../../src/definitions/authority/claims.ts"
import { TrustStore } from "../../src/definitions/authority/trust.ts"
import { openWorkspace } from "../../src/definitions/registry/workspace.ts"
import { openRuns } from "../../src/faces/cli/run/open.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { naming } from "../naming.ts"

let base: string
let work: string
let home: string
let environment: NodeJS.ProcessEnv

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-doors-")))
  work = path.join(base, "work")
  home = path.join(base, "home")
  environment = {
    HOME: home,
    CADRE_STATE_DIR: path.join(base, "state"),
    SEARCH_KEY: "search-key-of-nobody",
    PROGRAM_TOKEN: "token-of-nobody",
    ANTHROPIC_API_KEY: "model-key-of-nobody",
  }
  write("work/.git/HEAD", "ref: refs/heads/main\n")
  write("home/.config/cadre/config.yaml", "model: script\n")
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

function write(name: string, text: string): void {
  const file = path.join(base, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

const agent = (name: string, ...keys: readonly string[]) =>
  `---\nname: ${name}\ndescription: It is ${name}.\n${keys.map((key) => `${key}\n`).join("")}---\nDo it.\n`
const skill = (name: string) => `---\nname: ${name}\ndescription: How to ${name}.\n---\nDo it so.\n`

/** All of a project is trusted as it is. */
function trustAll(): void {
  const claims = findTrustClaims(openWorkspace({ cwd: work, home, environment }), work)
  new TrustStore(path.join(base, "state")).grant(work, claims, home)
}

const doors = {
  "the command line": (trust: "kept" | "all") =>
    openRuns(
      { directory: work, environment, stdout: nowhere, stderr: nowhere, isTerminal: false },
      memoryStore(),
      { trust, model: "lenient", runs: "new" },
    ),
  codingAgent: (trust: "kept" | "all", more: Partial<CodingAgentOptions> = {}) =>
    openCodingProject({
      workDir: work,
      home,
      environment,
      store: memoryStore(),
      trust: trust === "all" ? "workspace" : "kept",
      ...more,
    }),
} as const
const nowhere = { write: () => true }

const secretNames = ["SEARCH_KEY", "PROGRAM_TOKEN", "ANTHROPIC_API_KEY"] as const
const teller = defineAgent({ name: "teller", instructions: "Tell.", tools: [], model: "script" })
const telling = () =>
  scriptedModel({ teller: [{ text: secretNames.map((name) => environment[name]).join(" ") }] })

/** Which secrets a result does not tell. */
async function redactedBy(runtime: Runtime): Promise<Readonly<Record<string, boolean>>> {
  const { output } = await runtime.run(teller, "Tell.", { cwd: work }).done
  return Object.fromEntries(secretNames.map((name) => [name, !output.includes(environment[name]!)]))
}

/** What a project offers to runs, as far as it can be told. */
async function offered({ agents, configuration, diagnostics, parts, standing }: Project) {
  const runtime = createRuntime({ ...parts, strays: "leave", models: { script: telling() } })
  const all = agents.all().filter(({ origin }) => origin.scope !== "built-in")
  const { endpoints, hookSets, workflows, skills, tools, absentTools, secrets, packagesFrom, around } = parts
  const told = await Promise.all(all.map(async (one) => [one.name, await explained(one)] as const))
  const redacted = diagnostics.length > 0 ? undefined : await redactedBy(runtime)
  await runtime.close()
  return {
    agents: all.map(({ name }) => name).sort(),
    reach: all.map((one) => [one.name, parts.reach?.(one)]),
    told,
    model: configuration.model,
    root: standing.root,
    problems: diagnostics.map(({ code, message }) => `${code}: ${message}`),
    permissions: parts.configuration?.permissions,
    mode: parts.mode,
    tools: tools.map(({ name, description }) => [name, description]),
    absentTools,
    skills: [...skills!.values()].map(({ beside, ...known }) => ({ ...known, pinned: beside !== undefined })),
    hooks: hookSets!.map(({ name, of, hooks }) => [name, of, hooks]),
    workflows: workflows!.map(({ name, isUntrusted = false }) => [name, isUntrusted]),
    endpoints,
    secrets,
    packagesFrom,
    around,
    redacted,
  }

  /** Rules, tools and what keeps it from starting, in the words of a run. */
  async function explained(one: Agent) {
    const { problems, ...rest } = await runtime.explain(one, { cwd: work })
    return { problems: problems.map(({ message }) => message), rest: JSON.parse(JSON.stringify(rest)) }
  }
}

interface Workspace {
  readonly files: () => void
  /** What of all that is offered the test is about. */
  readonly about: (offers: Offers) => unknown
  /** What that is where nobody trusts the project; where the person does; and where it is followed for this once. */
  readonly unseen: unknown
  readonly trusted: unknown
  readonly once: unknown
}

type Offers = Awaited<ReturnType<typeof offered>>
const same = (value: unknown) => ({ unseen: value, trusted: value, once: value })
const styled = () => write("home/.config/cadre/agents/styled.md", agent("styled", "skills: [style]"))
const skillsOf = ({ skills, told }: Offers) => [
  skills.map(({ file, pinned }) => [path.relative(base, file), pinned]),
  told.flatMap(([, { problems }]) => problems),
]
const isNotTrusted = (file: string) => naming('"styled"', '"style"', "loaded", '"style"', `(${file})`, "form")

const workspaces: Readonly<Record<string, Workspace>> = {
  "agents of the user and of the project": {
    files: () => {
      write("home/.claude/agents/mine.md", agent("mine", "tools: Read, Agent(ours)"))
      write("work/.claude/agents/ours.md", agent("ours", "tools: Read, Edit"))
      write("work/.cadre/agents/lead.md", agent("lead", "tools: [Agent, Read]"))
    },
    about: ({ agents, reach }) => [agents, reach.find(([name]) => name === "lead")?.[1]],
    unseen: [["mine"], undefined],
    trusted: [["lead", "mine", "ours"], expect.arrayContaining(["mine", "ours"])],
    once: [["lead", "mine", "ours"], undefined],
  },
  "folders of skills of the user's own": {
    files: () => {
      write("home/.config/cadre/config.yaml", `skills: [${base}/shared]\n`)
      write("shared/style/SKILL.md", skill("style"))
      styled()
    },
    about: skillsOf,
    ...same([[["shared/style/SKILL.md", false]], []]),
  },
  "a folder of skills of the user's own that lies in the project": {
    files: () => {
      write("home/.config/cadre/config.yaml", `skills: [${work}/tips]\n`)
      write("work/tips/style/SKILL.md", skill("style"))
      styled()
    },
    about: skillsOf,
    unseen: [[], [isNotTrusted("tips/style/SKILL.md")]],
    trusted: [[["work/tips/style/SKILL.md", true]], []],
    once: [[["work/tips/style/SKILL.md", false]], []],
  },
  "a project's skill over the user's of that name": {
    files: () => {
      write("home/.claude/skills/style/SKILL.md", skill("style"))
      write("work/.claude/skills/style/SKILL.md", skill("style"))
      styled()
    },
    about: skillsOf,
    unseen: [
      [["home/.claude/skills/style/SKILL.md", false]],
      [isNotTrusted(".claude/skills/style/SKILL.md")],
    ],
    trusted: [[["work/.claude/skills/style/SKILL.md", true]], []],
    once: [[["work/.claude/skills/style/SKILL.md", false]], []],
  },
  "whoever searches, with a key that is a secret": {
    files: () => {
      write("home/.config/cadre/config.yaml", "search: {provider: brave, key: SEARCH_KEY}\n")
      write("home/.config/cadre/agents/finder.md", agent("finder", "tools: [WebSearch]"))
    },
    about: ({ tools, absentTools, redacted }) => [
      tools.some(([name]) => name === "WebSearch"),
      "WebSearch" in absentTools,
      redacted,
    ],
    ...same([true, false, { SEARCH_KEY: true, PROGRAM_TOKEN: false, ANTHROPIC_API_KEY: true }]),
  },
  "whoever searches, without the key": {
    files: () => write("home/.config/cadre/config.yaml", "search: {provider: brave, key: MISSING}\n"),
    about: ({ absentTools, secrets }) => [absentTools.WebSearch, secrets],
    ...same(["brave needs a key: set MISSING", []]),
  },
  "somebody to search that the project names": {
    files: () => write("work/.cadre/config.yaml", "search: {provider: brave, key: ANTHROPIC_API_KEY}\n"),
    about: ({ secrets, problems }) => [secrets, problems.length > 0],
    ...same([[], expect.any(Boolean)]),
  },
  "executors of the user": {
    files: () => {
      write(
        "home/.config/cadre/config.yaml",
        "executors: {echo: {command: [echo], environment: [PROGRAM_TOKEN]}}\n",
      )
      write("home/.config/cadre/agents/echoed.md", agent("echoed", "executor: echo"))
    },
    about: ({ tools, redacted }) => [tools.some(([name]) => name === "Executor"), redacted?.PROGRAM_TOKEN],
    ...same([true, true]),
  },
  "rules and a mode of the project": {
    files: () => {
      write(
        "work/.cadre/config.yaml",
        "mode: accept-edits\npermissions: {deny: [Bash, 'Read(src/secret/**)'], ask: [WebFetch]}\n",
      )
      write("home/.config/cadre/agents/mine.md", agent("mine"))
    },
    about: ({ mode, permissions }) => [mode?.type, permissions?.deny],
    unseen: ["default", []],
    trusted: ["accept-edits", ["Bash", "Read(src/secret/**)"]],
    once: ["accept-edits", ["Bash", "Read(src/secret/**)"]],
  },
  "hooks and workflows": {
    files: () => {
      write("work/.cadre/lifecycles/gate.yaml", gate("Bash"))
      write("home/.config/cadre/lifecycles/own.yaml", gate("Write"))
      write("home/.config/cadre/agents/mine.md", agent("mine"))
    },
    about: ({ hooks }) => hooks.map(([, of]) => of),
    unseen: ["user"],
    trusted: ["user", "project"],
    once: ["user", "project"],
  },
  "a hook that cannot be understood": {
    files: () => write("home/.config/cadre/lifecycles/own.yaml", gate("Bash").replace("block", "blok")),
    about: ({ problems }) => problems.length > 0,
    ...same(true),
  },
  "settings that cannot be understood": {
    files: () => write("home/.config/cadre/config.yaml", "permissions: {deny: [Bash], dney: [Write]}\n"),
    about: ({ problems, permissions }) => [problems.length > 0, permissions],
    ...same([true, { allow: [], ask: [], deny: [] }]),
  },
  "addresses that files name": {
    files: () =>
      write(
        "work/.codex/agents/far.md",
        "---\nname: far\nmodel_config: {model: m, endpoint: 'https://far.example/v1'}\ntools: [read_file]\n---\nDo it.\n",
      ),
    about: ({ endpoints, packagesFrom }) => [endpoints, path.relative(base, packagesFrom!)],
    unseen: [[], "home/.config/cadre"],
    trusted: [["https://far.example/v1"], "home/.config/cadre"],
    once: [[], "work"],
  },
  "tools that only a program has": {
    files: () => {
      write("home/.config/cadre/config.yaml", "tools: [deploy]\n")
      write("home/.config/cadre/agents/shipper.md", agent("shipper", "tools: [deploy, Read]"))
    },
    about: ({ absentTools }) => Object.keys(absentTools),
    ...same(["deploy", "WebSearch", "Skill", "Executor"]),
  },
  "an agent with a worktree and a recorded result": {
    files: () =>
      write("home/.config/cadre/agents/mine.md", agent("mine", "isolation: worktree", "cache: true")),
    about: ({ agents }) => agents,
    ...same(["mine"]),
  },
}

const gate = (tool: string) => `before_tool:\n  - tools: ${tool}\n    block: No.\n`

describe.each(Object.entries(workspaces))("%s", (_, { files, about, ...expected }) => {
  test.each([
    ["unseen", "kept"],
    ["trusted", "kept"],
    ["once", "all"],
  ] as const)("%s: both doors offer the same", async (how, trust) => {
    files()
    if (how === "trusted") trustAll()
    const cli = await offered(doors["the command line"](trust))
    expect(about(cli)).toEqual(expected[how])
    if (cli.problems.length > 0) {
      // One tells, and starts nothing; the other refuses at once.
      expect(() => doors.codingAgent(trust)).toThrow(/so no run starts/)
      return
    }
    const embedded = await offered(doors.codingAgent(trust))
    expect(JSON.parse(JSON.stringify(embedded).replaceAll(option, ""))).toEqual(
      JSON.parse(JSON.stringify(cli)),
    )
  })
})

/** A program can give tools, and is told so. */
const option = /, or give [^,]* codingAgent\(\{ tools \}\)/g
