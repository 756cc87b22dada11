import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { defineAgent } from "../../agent/agent.ts"
import type { ModelReply, ModelRequest } from "../../agent/model.ts"
import { findTrustClaims } from "../../definitions/authority/claims.ts"
import { TrustStore } from "../../definitions/authority/trust.ts"
import { openWorkspace } from "../../definitions/registry/workspace.ts"
import { scriptedModel } from "../../world/models/scripted.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { type CodingAgentOptions, codingAgent } from "./coding-agent.ts"

let base: string
let root: string
let home: string
let environment: NodeJS.ProcessEnv

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-coding-")))
  root = path.join(base, "work")
  home = path.join(base, "home")
  environment = { HOME: home, CADRE_STATE_DIR: path.join(base, "state") }
  write(path.join(root, ".git/HEAD"), "ref: refs/heads/main\n")
  write(path.join(root, "src/a.txt"), "one\n")
  write(path.join(root, ".claude/agents/ours.md"), agent("ours", "tools: Read, Edit"))
  write(path.join(root, ".claude/skills/style/SKILL.md"), "Be brief.\n")
  write(path.join(root, ".cadre/config.yaml"), "mode: accept-edits\n")
  write(path.join(home, ".claude/agents/mine.md"), agent("mine", "tools: Read"))
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

const agent = (name: string, keys: string) =>
  `---\nname: ${name}\ndescription: It is ${name}.\n${keys}\n---\nDo it.\n`

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

function trustAll(): void {
  const claims = findTrustClaims(openWorkspace({ cwd: root, home, environment }), root)
  new TrustStore(path.join(base, "state")).grant(root, claims, home)
}

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const callAgent = (agent: string) => call("Agent", { agent, prompt: "Do it." })
const edit = call("Edit", { file_path: "src/a.txt", old_string: "one", new_string: "two" })
const read = call("Read", { file_path: "src/a.txt" })
const script = (lead: readonly object[]) =>
  scriptedModel({
    "coding-agent": [...lead, { text: "Done." }],
    ours: [read, edit, { text: "Edited." }],
    mine: [{ text: "Looked." }],
    styled: [{ text: "Styled." }],
  })

function open(lead: readonly object[], options: Partial<CodingAgentOptions> = {}) {
  const models = { script: script(lead) }
  return codingAgent({
    workDir: root,
    home,
    environment,
    models,
    model: "script",
    store: memoryStore(),
    ...options,
  })
}

/** The results of the calls of the lead. */
async function resultsOf(opened: ReturnType<typeof open>): Promise<readonly string[]> {
  const run = opened.run("Go.")
  const texts: string[] = []
  for await (const event of run)
    if (event.type === "tool-end" && event.run === run.id)
      texts.push(event.result.text.replace(/^<report .*>\n([\s\S]*)\n<\/report>$/, "$1"))
  await opened.close()
  return texts
}

describe("whose files are followed", () => {
  const refused =
    'There is no agent named "ours" that may run here. Known: critic, explorer, mine, planner, researcher, reviewer, test-writer, validation-runner, worker.'
  const lead = [callAgent("ours"), callAgent("mine")]

  test("a configuration that counts and is wrong lets nothing start", () => {
    write(path.join(root, ".cadre/config.yaml"), "permissions: {dney: [Bash]}\n")
    expect(() => open([])).not.toThrow()
    trustAll()
    expect(() => open([])).toThrow(/^The configuration is invalid.*\n {2}\.cadre\/config\.yaml:1:15: /)
  })

  test("by default the person's own alone", async () => {
    expect(await resultsOf(open(lead))).toEqual([refused, "Looked."])
  })

  test("the project's as they were trusted, its settings included, and not as they are now", async () => {
    trustAll()
    expect(await resultsOf(open(lead))).toEqual(["Edited.", "Looked."])
    fs.appendFileSync(path.join(root, ".claude/agents/ours.md"), "And more.\n")
    expect(await resultsOf(open(lead))).toEqual([refused, "Looked."])
  })

  test("137: settings that are not what was trusted let nothing start, unless the program vouches for them", () => {
    write(path.join(root, ".cadre/config.yaml"), "permissions: {deny: [Bash]}\n")
    trustAll()
    expect(() => open([])).not.toThrow()
    write(path.join(root, ".cadre/config.yaml"), "permissions: {}\n")
    expect(() => open([])).toThrow(
      expect.objectContaining({
        code: "TRUST_CHANGED",
        message: expect.stringMatching(/starts.*changed.*\.cadre\/config\.yaml/),
      }),
    )
    expect(() => open([], { trust: "workspace" })).not.toThrow()
  })

  test("all where the program vouches for the folder", async () => {
    expect(await resultsOf(open(lead, { trust: "workspace" }))).toEqual(["Edited.", "Looked."])
    expect(fs.readFileSync(path.join(root, "src/a.txt"), "utf8")).toBe("two\n")
  })

  test("a registry that is given takes the place of files", async () => {
    const own = defineAgent({ name: "mine", instructions: "Look.", tools: [] })
    const results = await resultsOf(open(lead, { registry: [own] }))
    expect(results).toEqual(['There is no agent named "ours". Known: mine.', "Looked."])
  })

  test.each([
    ["nobody", {}, false],
    ["the person", {}, true],
    ["the program", { trust: "workspace" }, true],
  ] as const)(
    "a project's rules and skills are in a prompt where %s trusts them",
    async (who, options, are) => {
      write(path.join(root, "AGENTS.md"), "Obey the repository.\n")
      write(path.join(home, ".config/cadre/agents/mine.md"), agent("mine", "context: {rules: true}"))
      write(path.join(root, ".cadre/agents/styled.md"), agent("styled", "skills: [style]"))
      if (who === "the person") trustAll()
      const systems: string[] = []
      const layer = async (request: ModelRequest, next: (request: ModelRequest) => Promise<ModelReply>) => {
        systems.push(request.system)
        return next(request)
      }
      const lead = [callAgent("mine"), callAgent("styled")]
      await resultsOf(open(lead, { ...options, layers: { model: [layer] } }))
      expect(systems.some((text) => text.includes("Obey the repository."))).toBe(are)
      expect(systems.some((text) => text.includes("Be brief."))).toBe(are)
    },
  )

  test.each([
    ["kept", undefined],
    ["workspace", "Skill"],
  ] as const)("a project's skill with trust %s", async (trust, offered) => {
    const opened = open([], { trust })
    const { proof } = await opened.run("Go.").done
    expect(proof.toolsOffered.find((name) => name === "Skill")).toBe(offered)
    await opened.close()
  })
})

describe("what it may do", () => {
  test("an edit waits for a person, unless the mode allows it", async () => {
    const asking = open([read, edit])
    const { status, approvals } = await asking.run("Go.").done
    expect({ status, asked: approvals.map(({ tool }) => tool) }).toEqual({
      status: "resting",
      asked: ["Edit"],
    })
    const allowed = open([read, edit], { mode: "accept-edits" })
    expect((await allowed.run("Go.").done).outcome).toEqual({ type: "completed" })
    expect(fs.readFileSync(path.join(root, "src/a.txt"), "utf8")).toBe("two\n")
    await Promise.all([asking.close(), allowed.close()])
  })

  test("in a folder of a repository nothing above it is written", async () => {
    write(path.join(root, "b.txt"), "one\n")
    const lead = [call("Write", { file_path: "../b.txt", content: "two\n" })]
    const [text] = await resultsOf(open(lead, { workDir: path.join(root, "src"), mode: "bypass" }))
    expect(text).toContain(`leads out of the workspace ${path.join(root, "src")}`)
    expect(fs.readFileSync(path.join(root, "b.txt"), "utf8")).toBe("one\n")
  })

  test("in a folder of a repository the repository's rules hold as they were written", async () => {
    write(path.join(root, "src/secret/key.txt"), "hush\n")
    write(path.join(root, ".cadre/config.yaml"), "permissions: {deny: ['Read(src/secret/**)']}\n")
    trustAll()
    const lead = [call("Read", { file_path: "secret/key.txt" })]
    const [text] = await resultsOf(open(lead, { workDir: path.join(root, "src"), mode: "bypass" }))
    expect(text).not.toContain("hush")
    expect(text).toContain("denied")
  })

  test("skills that the program gives are there, in prompts and as a tool", async () => {
    write(path.join(base, "given/tone/SKILL.md"), "Be kind.\n")
    const file = path.join(base, "given/tone/SKILL.md")
    const skills = new Map([["tone", { name: "tone", description: "", file, scope: "user" as const }]])
    const styled = defineAgent({ name: "styled", instructions: "Style.", skills: ["tone"] })
    const opened = open([callAgent("styled")], { registry: [styled], skills })
    const { run, proof } = await opened.run("Go.").done
    expect(proof.toolsOffered).toContain("Skill")
    expect((await opened.runtime.read(`${run}.1`)).outcome).toEqual({ type: "completed" })
    await opened.close()
  })

  test("runs are kept where the environment that was handed over says", async () => {
    const opened = codingAgent({
      workDir: root,
      home,
      environment,
      models: { script: script([]) },
      model: "script",
    })
    const { run } = await opened.run("Go.").done
    await opened.close()
    expect(fs.readdirSync(path.join(base, "state/runs"))).toContain(run)
  })

  test("keys come from the environment that was handed over, and never from a file in the folder", async () => {
    const problems = async (keys: object) => {
      const opened = open([], { model: "anthropic:sonnet", environment: { ...environment, ...keys } })
      const found = await opened.runtime.startProblems(opened.agent, { cwd: root })
      await opened.close()
      return found.map(({ message }) => message.replaceAll(base, ""))
    }
    expect(await problems({ ANTHROPIC_API_KEY: "key-of-nobody" })).toEqual([])
    expect(await problems({})).toEqual([expect.stringContaining("ANTHROPIC_API_KEY")])
    write(path.join(root, "key.txt"), "key-of-nobody")
    write(
      path.join(home, ".config/cadre/config.yaml"),
      `providers: {anthropic: {key_file: ${path.join(root, "key.txt")}}}\n`,
    )
    expect(await problems({})).toEqual([expect.stringContaining("/work/key.txt of the provider anthropic")])
  })

  test("an agent that lists a tool which is not there runs without it, and its result says so", async () => {
    const searcher = defineAgent({
      name: "mine",
      instructions: "Search.",
      tools: ["WebSearch", "Read", "Skill"],
    })
    const opened = open([callAgent("mine")], { registry: [searcher] })
    const { run } = await opened.run("Go.").done
    const { outcome, proof } = await opened.runtime.read(`${run}.1`)
    expect({ outcome, warnings: proof.warnings }).toEqual({
      outcome: { type: "completed" },
      warnings: [
        expect.stringMatching(/^The tool WebSearch.*available.*search.*codingAgent\(\{ tools \}\).?$/),
        expect.stringMatching(/^The tool Skill.*skills.*loaded/),
      ],
    })
    await opened.close()
  })

  test("maxDepth counts the levels below it", async () => {
    const deeper = defineAgent({ name: "mine", instructions: "Look.", tools: ["Agent(mine)"] })
    const models = {
      script: scriptedModel({
        "coding-agent": [callAgent("mine"), { text: "Done." }],
        mine: [callAgent("mine"), { text: "Up." }],
      }),
    }
    const store = memoryStore()
    const opened = open([], { registry: [deeper], models, maxDepth: 2, store })
    const { run } = await opened.run("Go.").done
    const runs: string[] = []
    for await (const head of store.list({ root: run })) runs.push(head.run.slice(run.length))
    expect(runs).toEqual(["", ".1", ".1.1"])
    await opened.close()
  })

  test("a folder that is not there is refused", () => {
    const missing = path.join(root, "none")
    expect(() => open([], { workDir: missing })).toThrow(
      expect.objectContaining({
        code: "WORKSPACE_UNKNOWN",
        message: naming("workDir", `${JSON.stringify(missing)}`, `${missing}`),
      }),
    )
  })
})
