import { describe, expect, test } from "vitest"
import { type Agent, defineAgent } from "../../src/agent/agent.ts"
import { acai } from "../../src/definitions/formats/acai.ts"
import type { Format } from "../../src/definitions/formats/format.ts"
import { gobby } from "../../src/definitions/formats/gobby.ts"
import { readAgent } from "../../src/definitions/formats/read-agent.ts"
import { openRuntime, type RunOptions } from "../../src/run/face/runtime.ts"
import type { RunStart } from "../../src/run/log/event-run.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentTool } from "../../src/world/tools/agent.ts"
import { collect, sleep, tool } from "../kit.ts"
import { scripted } from "../named-models.ts"

const hand = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })

function file(format: Format, name: string, keys: string): Agent {
  const text =
    format === gobby
      ? `name: ${name}\ndescription: d\ninstructions: i\n${keys}`
      : `---\nname: ${name}\ndescription: d\n${keys}---\n\ni\n`
  return readAgent(format, { path: `/p/${name}.${format === gobby ? "yaml" : "md"}`, text }).agent!
}

/** What runs were given: their time in seconds, and what was said of it. */
async function times(agents: readonly Agent[], options: RunOptions = {}, limits = {}) {
  const runtime = openRuntime({
    store: memoryStore(),
    agents,
    tools: [agentTool()],
    limits,
    prompts: { contextOf: async () => ({}) },
    models: scripted({
      [agents[0]!.name]: [hand(agents[1]!.name), { text: "done" }],
      [agents[1]!.name]: [...(agents[2] ? [hand(agents[2].name)] : []), { text: "done" }],
      ...(agents[2] && { [agents[2].name]: [{ text: "done" }] }),
    }),
  })
  const events = await collect(runtime.run(agents[0]!, "go", options))
  const starts = events.filter((event): event is typeof event & RunStart => event.type === "run-start")
  return starts.map(({ limits, warnings = [] }) => ({
    seconds: Math.ceil(limits.timeout! / 1000),
    warnings: warnings.map((text) => text.replaceAll(/1[0-9]{2}(?= s,)|120(?= s,)/g, "N")),
  }))
}

describe("the time of a child below an agent whose file says none", () => {
  test.each<[string, Format, number, number]>([
    ["Gobby's", gobby, 120, 1800],
    ["acai's", acai, 300, 1800],
  ])("is its own: %s", async (_, format, usual, own) => {
    const lead = file(format, "lead", "")
    const child = file(format, "child", `timeout: ${own}\n`)
    expect([lead.limits.timeout, lead.origin.unsaid, child.origin.unsaid]).toEqual([
      usual * 1000,
      ["timeout"],
      undefined,
    ])
    expect(await times([lead, child])).toEqual([
      { seconds: usual, warnings: [] },
      { seconds: own, warnings: [] },
    ])
  })

  test("is cut by what somebody wrote: in the file of the caller, and told with both", async () => {
    const [, child] = await times([
      file(gobby, "lead", "timeout: 120\n"),
      file(gobby, "child", "timeout: 1800\n"),
    ])
    expect(child).toEqual({
      seconds: 120,
      warnings: [expect.stringMatching(/1800 s.*N s.*lead \(\/p\/lead\.yaml\).*lead.*child.*shorter/)],
    })
  })

  test.each<[string, RunOptions, object, number]>([
    ["by the call", { timeout: 300_000 }, {}, 300],
    ["by the configuration", {}, { timeout: 600_000 }, 600],
  ])("is cut %s", async (_, options, limits, seconds) => {
    const found = await times(
      [file(gobby, "lead", ""), file(gobby, "middle", ""), file(gobby, "child", "timeout: 1800\n")],
      options,
      limits,
    )
    expect(found.map((run) => run.seconds)).toEqual([options.timeout === undefined ? 120 : 300, 120, seconds])
  })

  test("is at most the format's where its own file says none either", async () => {
    const found = await times([file(gobby, "lead", ""), file(gobby, "child", "")])
    expect(found.map(({ seconds }) => seconds)).toEqual([120, 120])
  })
})

describe("waiting for a child counts against the time", () => {
  const agents = (unsaid: boolean) => {
    const lead = defineAgent({ name: "lead", instructions: "i", limits: { timeout: 1_500 } })
    return [
      unsaid ? { ...lead, origin: { format: "gobby", unsaid: ["timeout"] as const } } : lead,
      defineAgent({ name: "child", instructions: "i", limits: { timeout: 300_000 } }),
    ]
  }
  const run = (unsaid: boolean, script: object = {}) => {
    const runtime = openRuntime({
      store: memoryStore(),
      agents: agents(unsaid),
      tools: [agentTool(), tool("slow", () => sleep(2_500).then(() => "ok"))],
      models: scripted({
        lead: [hand("child"), { text: "done" }],
        child: [{ calls: [{ tool: "slow", input: {} }] }, { text: "done" }],
        ...script,
      }),
    })
    return runtime.run("lead", "go").done
  }

  test("that somebody wrote", async () => {
    expect((await run(false)).outcome).toEqual({ type: "timed-out", clock: "timeout" })
  })

  test("and not against one that only the format says", async () => {
    expect((await run(true)).outcome).toEqual({ type: "completed" })
  })

  test("but what the agent does itself counts", async () => {
    const script = { lead: [{ calls: [{ tool: "slow", input: {} }] }, { text: "done" }] }
    expect((await run(true, script)).outcome).toEqual({ type: "timed-out", clock: "timeout" })
  })
})
