import fs from "node:fs"
import { describe, expect, test } from "vitest"
import { defineAgent, type PermissionRule } from "../../src/agent/agent.ts"
import type { Postcondition } from "../../src/agent/postcondition.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf, world } from "../kit.ts"
import { found, inRoot, put, root, runtimeOf } from "./postconditions-kit.ts"

describe("who may look", () => {
  const cases: readonly [string, PermissionRule, Postcondition, RegExp][] = [
    [
      "a command that is denied",
      { tool: "Bash(true)", decision: "deny" },
      { command: "true" },
      /not permitted: Bash/,
    ],
    [
      "a command that is denied by its name",
      { tool: "Bash(touch *)", decision: "deny" },
      { command: "touch ran" },
      /touch ran/,
    ],
    [
      "a command that would have to be asked for",
      { tool: "Bash", decision: "ask" },
      { command: "touch ran" },
      /check cannot ask for approval/,
    ],
    [
      "a file that may not be read",
      { tool: "Read(secret/**)", decision: "deny" },
      { file: "secret/a" },
      /do not let it read/,
    ],
    [
      "a file that would have to be asked for",
      { tool: "Read(secret/**)", decision: "ask" },
      { file: "secret/a" },
      /do not let it read/,
    ],
  ]
  test.each(cases)(
    "%s fails closed, and no model is asked to mend it",
    async (_, rule, condition, problem) => {
      fs.mkdirSync(inRoot("secret"))
      put("secret/a")
      const { run } = runtimeOf([condition], { options: { rules: [rule] } })
      const result = await run().done
      expect(found(result)).toEqual({
        outcome: "failed",
        found: [expect.stringMatching(new RegExp(`^refused: .*${problem.source}`))],
      })
      expect(result.proof.turns).toBe(1)
      expect(fs.existsSync(inRoot("ran"))).toBe(false)
    },
  )

  test("a command that a rule allows runs where everything else is asked for", async () => {
    const { run } = runtimeOf([{ command: "true" }], {
      options: { rules: [{ tool: "Bash(true)", decision: "allow" }], otherwise: "ask" },
    })
    expect(found(await run().done)).toEqual({ outcome: "completed", found: ["holds"] })
  })

  test("a hook judges the command of a check as it judges every other", async () => {
    const seen: unknown[] = []
    const { run } = runtimeOf([{ command: "touch ran" }], {
      options: {
        hooks: [
          {
            name: "guard",
            judge: async ({ tool, input }) => {
              seen.push({ tool, input })
              return { type: "block", reason: "not today" }
            },
          },
        ],
      },
    })
    expect(found(await run().done)).toEqual({ outcome: "failed", found: ["refused: not today"] })
    expect(seen).toEqual([{ tool: "Bash", input: { command: "touch ran" } }])
    expect(fs.existsSync(inRoot("ran"))).toBe(false)
  })

  test("an agent that is not offered Bash may have its commands checked; what its caller narrowed away stays away", async () => {
    const { runtime, run } = runtimeOf([{ command: "true" }], { agent: { tools: ["Read"] } })
    expect(found(await run().done)).toEqual({ outcome: "completed", found: ["holds"] })
    await expect(runtime.run("a", "go", { cwd: root, tools: ["Read"] }).done).rejects.toMatchObject({
      code: "POSTCONDITION_UNCHECKED",
      message: expect.stringMatching(/^Agent "a" was not started: .* needs Bash: .*`tools` of that call/),
    })
  })

  test.each<[string, () => Promise<unknown>, string]>([
    [
      "nothing to check with",
      () =>
        world({
          script: { a: [{ text: "done" }] },
          agents: [{ name: "a", instructions: "x", postconditions: [{ file: "a" }] }],
        }).runtime.run("a", "go").done,
      "cannot check its postconditions",
    ],
    [
      "no tool to run a command with",
      () =>
        createRuntime({
          store: memoryStore(),
          agents: [defineAgent({ name: "a", instructions: "x", postconditions: [{ command: "true" }] })],
          models: { script: scriptedModel({ a: [{ text: "done" }] }) },
        }).run("a", "go").done,
      "has no tool Bash",
    ],
    [
      "the agent itself is denied the tool",
      () => runtimeOf([{ command: "true" }], { agent: { disallowedTools: ["Bash"] } }).run().done,
      "definition denies Bash. Remove Bash from its `disallowedTools`",
    ],
  ])("a run does not start where there is %s", async (_, start, message) => {
    await expect(start()).rejects.toMatchObject({
      code: "POSTCONDITION_UNCHECKED",
      message: expect.stringContaining(message),
    })
  })

  test("a parent is told why a child with postconditions could not start", async () => {
    const store = memoryStore()
    const { runtime } = world({
      store,
      script: {
        lead: [
          {
            calls: [{ tool: "Agent", input: { agent: "a", prompt: "go" } }],
          },
          { text: "so be it" },
        ],
      },
      agents: [
        { name: "lead", instructions: "x" },
        { name: "a", instructions: "x", postconditions: [{ file: "a" }] },
      ],
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    const texts = [...(await stateOf(store, handle.id)).messages].map(({ text }) => text)
    expect(texts[2]).toMatch(/^Cannot spawn 'a': Agent "a" was not started: .* postconditions/)
  })
})
