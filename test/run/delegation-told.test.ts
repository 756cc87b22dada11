import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { formats } from "../../src/definitions/formats/index.ts"
import { definePipeline } from "../../src/definitions/pipelines/define.ts"
import { readDefinition } from "../../src/definitions/registry/file.ts"
import { changingTools } from "../../src/definitions/rules/delegation/delegation-denied.ts"
import { openRuntime } from "../../src/run/face/runtime.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { builtInTools } from "../../src/world/tools/built-in.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { results, tool } from "../kit.ts"
import { scripted } from "../named-models.ts"
import { naming } from "../naming.ts"
import { type Chain, type Definition, lastOf, lead, worker } from "./delegation-kit.ts"

const byLead = (rule: string) => ({ type: "rules", of: 'agent "lead"', agent: "lead", rule })

describe("what a child lacks", () => {
  const cases: readonly [string, Chain, readonly object[] | undefined, string?][] = [
    [
      "of a pattern, the tools that it fits",
      { agents: [lead({ disallowedTools: ["Bash"] }), worker({ tools: ["Read", "Ba*"] })] },
      [{ tool: "Bash", by: byLead("Bash") }],
      expect.stringMatching(/^Bash.*denied.*rules.*agent "lead"\. Remove `Bash` there to allow it.?$/),
    ],
    [
      "of a star",
      { agents: [lead({ disallowedTools: ["Bash", "Edit"] }), worker({ tools: ["*"] })] },
      [
        { tool: "Edit", by: byLead("Edit") },
        { tool: "Bash", by: byLead("Bash") },
      ],
      expect.stringMatching(
        /^Edit.*denied.*rules.*agent "lead"\. Remove `Edit` there to allow it\. Bash.*agent "lead"\. Remove `Bash` there to allow it.?$/,
      ),
    ],
    [
      "without a list that means every tool, what agents above deny",
      { agents: [lead({ disallowedTools: ["Bash"] }), worker({ format: "claude" })] },
      [{ tool: "Bash", by: byLead("Bash") }],
    ],
    [
      "without a list that means every tool, nothing that the whole tree may not use",
      {
        agents: [lead(), worker({ format: "claude" })],
        parts: { rules: [{ tool: "Bash", decision: "deny" }] },
        tools: ["Read", "Agent", "Bash"],
      },
      undefined,
    ],
    [
      "by a rule in another host's words, with the words that are written",
      { agents: [lead({ disallowedTools: ["run_shell_command"] }), worker({ tools: ["Bash", "Edit"] })] },
      [{ tool: "Bash", by: byLead("run_shell_command") }],
      expect.stringMatching(
        /^Bash.*denied.*rules.*agent "lead"\. Remove `run_shell_command` there to allow it.?$/,
      ),
    ],
    [
      "by a rule of the configuration in another host's words",
      {
        agents: [lead(), worker({ tools: ["Bash", "Edit"] })],
        parts: { rules: [{ tool: "run_shell_command", decision: "deny" }] },
      },
      [{ tool: "Bash", by: { type: "rules", of: "the configuration", rule: "run_shell_command" } }],
    ],
    [
      "by plan mode, all with one reason",
      { agents: [lead({ permissionMode: "plan" }), worker({ tools: ["Read", "Bash", "Edit"] })] },
      [
        { tool: "Bash", by: { type: "mode", mode: "plan", agent: "lead" } },
        { tool: "Edit", by: { type: "mode", mode: "plan", agent: "lead" } },
      ],
      expect.stringMatching(/^Bash, Edit.*"lead".*permissionMode.*them.?$/),
    ],
    [
      "by the call, though hooks are bound by a rule for the same",
      { agents: [lead(), worker({ tools: ["Read", "Bash"] })], tools: ["Read", "Agent"] },
      [{ tool: "Bash", by: { type: "call" } }],
      expect.stringMatching(/^Bash.*leaves.*Bash/),
    ],
    [
      "by the depth limit",
      {
        agents: [lead(), worker({ tools: ["Read", "Agent"] })],
        parts: { limits: { maxDepth: 1 } },
      },
      [{ tool: "Agent", by: { type: "limit", limit: "maxDepth", value: 1 } }],
      "Agent: the depth limit (maxDepth 1) is reached. Raise `maxDepth`, or leave Agent out of the list.",
    ],
    [
      "by the depth limit of an agent above",
      { agents: [lead({ limits: { maxDepth: 1 } }), worker({ tools: ["Read", "Agent"] })] },
      [{ tool: "Agent", by: { type: "limit", limit: "maxDepth", value: 1, agent: "lead" } }],
    ],
  ]
  test.each(cases)("%s", async (_, chain, lacks, text) => {
    const { child, told, warnings } = await lastOf(chain)
    if (lacks === undefined) return expect(child).not.toHaveProperty("lacks")
    expect(child).toMatchObject({ lacks })
    if (text === undefined) return
    const note = ['"worker"', "definition", "lists", text]
    expect([told, warnings]).toEqual([[naming(...note, "\ndone")], [naming(...note)]])
  })
})

test("where a tool was taken is told by file and line, in the words of that line", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-told-"))
  const put = (name: string, text: string) => {
    fs.writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const agentIn = (name: string, lines: readonly string[]) => {
    const text = `---\nname: ${name}\ndescription: x\n${lines.join("\n")}\n---\n\nx\n`
    return readDefinition(put(`${name}.md`, text), formats.find(({ id }) => id === "cadre")!, {}).agent!
  }
  const file = put("config.yaml", "# WebFetch\npermissions: {deny: [web_fetch]}\n")
  const runtime = createRuntime({
    store: memoryStore(),
    configuration: {
      subagents: { enabled: true, autoRoute: false },
      limits: {},
      permissions: { allow: [], ask: [], deny: ["web_fetch"] },
      files: [file],
    },
    agents: [
      agentIn("lead", ["tools: [Agent]", "disallowedTools:", "  - Edit", "  - run_shell_command"]),
      agentIn("worker", ["tools: [Read, Bash, WebFetch]"]),
    ],
    tools: ["Read", "Edit", "Bash", "WebFetch"].map((name) => tool(name)),
    models: {
      m: scriptedModel({
        lead: [{ calls: [{ tool: "Agent", input: { agent: "worker", prompt: "go" } }] }, { text: "done" }],
        worker: [{ text: "done" }],
      }),
    },
  })
  const { proof } = await runtime.run("lead", "go").done
  fs.rmSync(folder, { recursive: true })
  expect(proof.warnings).toEqual([
    naming(
      '"worker"',
      "lists",
      "Bash",
      "denied",
      `"lead" (${folder}/lead.md:7). Remove \`run_shell_command\` there to allow it. WebFetch`,
      `the configuration (${file}:2). Remove \`web_fetch\` there to allow it`,
    ),
  ])
})

describe("a child of whose list nothing is left is refused", () => {
  const refused = (why: string) => ['"worker"', "lists", "available", why]
  const cases: readonly [string, Definition, Definition, string][] = [
    [
      "a pattern, with who took what it fits",
      lead({ disallowedTools: ["Bash"] }),
      worker({ tools: ["Ba*"] }),
      expect.stringMatching(/^Bash.*denied.*rules.*agent "lead"\. Remove `Bash` there to allow it.?$/),
    ],
    [
      "a pattern that fits nothing",
      lead(),
      worker({ tools: ["mcp__github__*"] }),
      expect.stringMatching(/^mcp__github__\*.*disallowedTools/),
    ],
  ]
  test.each(cases)("%s", async (_, above, below, why) => {
    const { told, warnings } = await lastOf({ agents: [above, below] })
    expect({ told, warnings }).toEqual({
      told: [naming("Cannot spawn 'worker': ", ...refused(why))],
      warnings: [naming(...refused(why))],
    })
  })

  test("tools that only come with `Agent` are nothing without it", async () => {
    const store = memoryStore()
    const runtime = createRuntime({
      store,
      agents: [
        defineAgent({ name: "lead", instructions: "x", tools: ["Read"], disallowedTools: ["Agent"] }),
        defineAgent({ name: "worker", instructions: "x", tools: ["Agent"] }),
      ],
      tools: [tool("Read")],
      models: { m: scriptedModel({ lead: [{ calls: [{ tool: "Read", input: {} }] }, { text: "done" }] }) },
      hookSets: [
        {
          name: "mine",
          of: "user",
          hooks: { on_before_tool: [{ spawn_agent: { agent: "worker", prompt: "go", mode: "before" } }] },
        },
      ],
    })
    const { run } = await runtime.run("lead", "go").done
    expect(await results(store, run)).toEqual([expect.stringMatching(/lists.*available.*"lead"/)])
  })
})

describe("a refused call", () => {
  const cases: readonly [string, Chain, string][] = [
    [
      "names who took what a pattern of its list fits",
      {
        agents: [lead({ disallowedTools: ["Bash"] }), worker({ tools: ["Read", "Ba*"] })],
        calls: [{ tool: "Bash" }],
      },
      expect.stringMatching(/^Bash is not available.*denied.*rules.*agent "lead".?$/),
    ],
    [
      "names the call where that leaves a tool out, also to an agent without a list",
      {
        agents: [lead(), worker({ format: "claude" })],
        calls: [{ tool: "Bash" }],
        tools: ["Read", "Agent"],
      },
      expect.stringMatching(/^Bash.*denied.*tree/),
    ],
    [
      "names the call for any other tool, too",
      {
        agents: [lead(), worker({ format: "claude" })],
        calls: [{ tool: "Edit" }],
        tools: ["Read", "Agent"],
      },
      expect.stringMatching(/^Edit.*leaves/),
    ],
  ]
  test.each(cases)("%s", async (_, chain, why) => {
    expect((await lastOf(chain)).denied).toEqual([naming("Not permitted: ", why)])
  })
})

test("plan mode takes the built-in tools that `check` takes it to take", () => {
  const changing = builtInTools({ root: "/no/workspace" }).filter(({ effect }) => effect !== "read")
  expect(changing.map(({ name }) => name)).toEqual(changingTools)
})

describe("gains", () => {
  const names = ["Read", "Bash"] as const

  /** A lead that takes the agent `self` on, and then calls `worker`. */
  async function afterTakingOn(self: Partial<Definition>, below: Partial<Definition>) {
    const store = memoryStore()
    const call = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "go" } }] })
    const runtime = openRuntime({
      store,
      agents: [
        defineAgent({ name: "lead", instructions: "x", tools: ["Read", "Bash", "Agent"] }),
        defineAgent({ name: "self", instructions: "x", mode: "self", ...self }),
        defineAgent({ name: "worker", instructions: "x", ...below }),
      ],
      tools: [...names.map((name) => tool(name)), ...agentControlTools()],
      models: scripted({
        lead: [call("self"), call("worker"), { text: "done" }],
        worker: [{ text: "done" }],
      }),
    })
    const { run } = await runtime.run("lead", "go").done
    for await (const event of store.read(run)) {
      const known = event as unknown as RunEvent
      if (known.type === "child-start") return known.gains
    }
    return "no child"
  }

  test.each<[string, readonly string[], readonly string[], readonly string[] | undefined]>([
    ["what an agent that was taken on does not list is a gain below", ["Read", "Agent"], ["Bash"], ["Bash"]],
    ["what it lists is none", ["Read", "Agent"], ["Read"], undefined],
    ["nor is anything where it lists all", ["Read", "Bash", "Agent"], ["Bash"], undefined],
  ])("%s", async (_, self, below, expected) => {
    expect(await afterTakingOn({ tools: self }, { tools: below })).toEqual(expected)
  })

  test("the way to a question has them as they were recorded", async () => {
    const store = memoryStore()
    const call = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "go" } }] })
    const runtime = openRuntime({
      store,
      agents: [
        defineAgent({ name: "lead", instructions: "x", tools: ["Bash", "Agent"] }),
        defineAgent({ name: "self", instructions: "x", mode: "self", tools: ["Agent"] }),
        defineAgent({
          name: "worker",
          instructions: "x",
          tools: ["Bash"],
          rules: [{ tool: "Bash", decision: "ask" }],
        }),
      ],
      tools: [tool("Bash"), ...agentControlTools()],
      models: scripted({
        lead: [call("self"), call("worker"), { text: "done" }],
        worker: [{ calls: [{ tool: "Bash", input: {} }] }, { text: "done" }],
      }),
    })
    const { run, approvals } = await runtime.run("lead", "go").done
    expect(approvals.map(({ way }) => way)).toEqual([
      [
        { run, agent: "lead", task: "go" },
        { run: `${run}.1`, agent: "worker", task: "go", gains: ["Bash"] },
      ],
    ])
  })
})

describe("what a step of a pipeline lacked", () => {
  test("is in the report that the model reads which called the pipeline, and in the result", async () => {
    const store = memoryStore()
    const runtime = createRuntime({
      store,
      agents: [
        definePipeline({
          name: "pipe",
          description: "x",
          steps: [{ id: "one", agent: "worker", prompt: "go" }],
        }),
        defineAgent({ name: "lead", instructions: "x", tools: ["Agent"], disallowedTools: ["Bash"] }),
        defineAgent({ name: "worker", instructions: "x", tools: ["Read", "Bash"] }),
      ],
      tools: [tool("Read"), tool("Bash")],
      models: {
        m: scriptedModel({
          lead: [{ calls: [{ tool: "Agent", input: { agent: "pipe", prompt: "go" } }] }, { text: "done" }],
          worker: [{ text: "worked" }],
        }),
      },
    })
    const { run, proof } = await runtime.run("lead", "go").done
    const note = ['"worker"', "lists", "Bash", "denied", '"lead". Remove `Bash` there to allow it']
    expect([await results(store, run), proof.warnings]).toEqual([
      [naming(...note, "\nworked")],
      [naming(...note)],
    ])
  })
})
