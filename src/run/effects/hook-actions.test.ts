import { expect, test } from "vitest"
import { defineAgent } from "../../agent/agent.ts"
import type { ContextPlace } from "../ports/context.ts"
import type { Drive } from "./drive-view.ts"
import { createHookActions, disableCommands } from "./hook-actions.ts"

/** Reads the skill `style` as a hook does. `gathered` has the requests for context. */
async function heard(contextOf: () => Promise<object>) {
  const gathered: unknown[] = []
  const drive = {
    definition: {
      agent: defineAgent({ name: "a", instructions: "x", skills: ["own"], context: { rules: true } }),
    },
    environment: {
      prompts: {
        contextOf: (
          { skills, context }: { skills: unknown; context: unknown },
          { cwd, permits }: ContextPlace,
        ) => {
          gathered.push({ skills, context, cwd, permits: ["/w/a", "/w/no"].map((file) => permits?.(file)) })
          return contextOf()
        },
      },
    },
    state: {
      start: { cwd: "/w" },
      rights: [{ of: "x", rules: [{ tool: "Read(/w/no)", decision: "deny" }], otherwise: "allow" }],
    },
  } as unknown as Drive
  const actions = createHookActions(drive, {} as never, {} as never, {} as never)
  return { gathered, text: await actions.skill("style"), actions }
}

test("a hook gets the text of one skill, as the agent would have it if it declared only that", async () => {
  const { gathered, text } = await heard(async () => ({ text: "Be brief." }))
  expect(text).toEqual({ text: "Be brief." })
  expect(gathered).toEqual([{ skills: ["style"], context: undefined, cwd: "/w", permits: [true, false] }])
})

test("a skill without a text is empty, and one that cannot be read is a problem", async () => {
  expect((await heard(async () => ({}))).text).toStrictEqual({ text: "" })
  const gone = async () => {
    throw new Error("it is gone")
  }
  expect((await heard(gone)).text).toEqual({ problem: "it is gone" })
})

test("commands that may have run before are not run again, and skills can still be read", async () => {
  const { actions } = await heard(async () => ({ text: "Be brief." }))
  const disabled = disableCommands(actions)
  expect(await disabled.command("touch x", { input: "" })).toEqual({
    problem: expect.stringContaining("not run again"),
  })
  expect(await disabled.skill("style")).toEqual({ text: "Be brief." })
})
