import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  type ModelServer,
  type ScriptedAnswer,
  type ServedRequest,
  startModelServer,
} from "../../src/faces/testing/model-server.ts"
import type { Json } from "../../src/ground/message.ts"
import { CommandWorld } from "../run-command-kit.ts"

/** A folder of Claude Code as people have them: a lead that only delegates, and specialists who do the work. */

let world: CommandWorld
let server: ModelServer
beforeEach(async () => {
  world = new CommandWorld()
  server = await startModelServer({ script: answer })
  world.put(
    "config/config.yaml",
    `sandbox: "off"\nmodel: local:m1\nproviders:\n  local: { protocol: openai, baseUrl: "${server.url}" }\n`,
  )
  const folder = "work/.claude/agents"
  world.agent("tech-lead", ["tools: Task, Read", "model: inherit", "color: purple"], folder)
  world.agent("test-runner", ["tools: Bash"], folder)
  world.agent("writer", ["tools: Read, Write, Edit"], folder)
  // One of three real files has no list: it has what the session has.
  world.agent("auditor", [], folder)
  world.put("work/notes.txt", "one\n")
})
afterEach(async () => {
  await server.close()
  world.remove()
})

interface Message {
  readonly role: string
  readonly content: string
}

const messagesOf = ({ body }: ServedRequest) => body.messages as unknown as readonly Message[]
const agentOf = (request: ServedRequest) =>
  /You are ([\w-]+)\./.exec(
    messagesOf(request)
      .map(({ content }) => content)
      .join("\n"),
  )![1]!
const toolsOf = ({ body }: ServedRequest) =>
  ((body.tools ?? []) as unknown as readonly { readonly function: { readonly name: string } }[])
    .map((tool) => tool.function.name)
    .filter((name) => !/^Agent.|^Ask/.test(name))

/** What each of them does, one turn after the other, as a model would. */
const turns: Readonly<Record<string, readonly { tool: string; arguments: Json }[]>> = {
  "tech-lead": ["test-runner", "writer", "auditor"].map((name) => ({
    tool: "Agent",
    arguments: { subagent_type: name, prompt: `Do your part, ${name}.`, description: "A part" },
  })),
  "test-runner": [{ tool: "Bash", arguments: { command: "echo tested > tested.txt" } }],
  writer: [{ tool: "Write", arguments: { path: "report.md", content: "All is well.\n" } }],
  auditor: [{ tool: "Read", arguments: { path: "notes.txt" } }],
}

function answer(request: ServedRequest): ScriptedAnswer {
  const agent = agentOf(request)
  const taken = messagesOf(request).filter(({ role }) => role === "assistant").length
  const call = turns[agent]![taken]
  return call ? { calls: [call] } : { text: `${agent} is done.` }
}

describe("a Claude Code folder with a lead that only delegates", () => {
  test("check finds nothing wrong, a run asks for trust first, and trust lists whom the lead reaches", async () => {
    const check = await world.cadre("check")
    expect([check.code, check.stdout]).toEqual([0, expect.not.stringContaining("error")])
    expect((await world.cadre("run", "tech-lead", "Ship it.", "--yes")).code).toBe(6)
    const { stdout } = await world.cadre("trust")
    expect(stdout).toContain("writer (Edit, Read, Write)")
    expect(stdout).toContain("test-runner (Bash)")
  })

  test("each specialist has the tools of its own file and does its work", async () => {
    await world.cadre("trust", "--yes")
    const { code, result } = await world.json("run", "tech-lead", "Ship it.", "--yes")
    const offered = new Map(server.requests.map((request) => [agentOf(request), toolsOf(request)]))
    expect({ code, outcome: result.outcome, output: result.output, warnings: result.warnings }).toEqual({
      code: 0,
      outcome: { type: "completed" },
      output: "tech-lead is done.",
      warnings: [],
    })
    const listed = (name: string) => [...offered.get(name)!].sort()
    expect([listed("tech-lead"), listed("test-runner"), listed("writer")]).toEqual([
      ["Agent", "Read"],
      ["Bash"],
      ["Edit", "Read", "Write"],
    ])
    expect(offered.get("auditor")).toEqual(expect.arrayContaining(["Read", "Grep", "Bash", "Edit", "Write"]))
    expect(existsSync(path.join(world.work, "tested.txt"))).toBe(true)
    expect(readFileSync(path.join(world.work, "report.md"), "utf8")).toBe("All is well.\n")
    expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([])
  })

  test("what a specialist may do that the lead may not is recorded", async () => {
    await world.cadre("trust", "--yes")
    const { result } = await world.json("run", "tech-lead", "Ship it.", "--yes")
    const { stdout } = await world.cadre("log", result.id, "--json")
    const gains = stdout
      .split("\n")
      .filter((line) => line.includes('"child-start"'))
      .map((line) => JSON.parse(line) as { agent: string; gains?: readonly string[] })
      .map(({ agent, gains = [] }) => [
        agent,
        gains.filter((name) => ["Bash", "Edit", "Write"].includes(name)),
      ])
    expect(gains.slice(0, 2)).toEqual([
      ["test-runner", ["Bash"]],
      ["writer", expect.arrayContaining(["Edit", "Write"])],
    ])
  })

  test("a denial of the lead binds all of them, and is told with its file and line", async () => {
    world.agent("tech-lead", ["tools: Task, Read", "disallowedTools: Write"], "work/.claude/agents")
    await world.cadre("trust", "--yes")
    const { result } = await world.json("run", "tech-lead", "Ship it.", "--yes")
    expect(existsSync(path.join(world.work, "report.md"))).toBe(false)
    expect(result.warnings.join("\n")).toMatch(/Write.*\.claude\/agents\/tech-lead\.md:5/s)
    expect((await world.cadre("check")).stdout).toContain("delegation-denied")
  })
})
