/** What hooks, conditions, templates and variables must not be able to do, each case as its list has it. */
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { folder, note, run } from "./lifecycle-kit.ts"

test("92: the command of a hook has no terminal", async () => {
  const { noted } = await run({ before_tool: { tools: "Note", run: "echo x > /dev/tty || exit 2" } })
  expect(noted).toEqual([])
})

describe("200: variables are typed, of their run, and bounded; they reach neither environment nor policy", () => {
  test("one that is called PATH or permissions is only that: commands find their own", async () => {
    const before = process.env.PATH
    const { noted, state } = await run(
      {
        before_tool: {
          tools: "Note",
          set_variable: { PATH: "/evil", LD_PRELOAD: "/evil.so" },
          run: 'printf "%s\\n%s" "$PATH" "$LD_PRELOAD$permissions" > seen',
        },
      },
      {
        variables: { permissions: { allow: ["*"] }, rights: "all" },
        runtime: { rules: [{ tool: "Agent", decision: "deny" }] },
      },
    )
    const [found, others] = readFileSync(path.join(folder, "seen"), "utf8").split("\n")
    expect([found!.includes("/evil"), others, noted, process.env.PATH]).toEqual([
      false,
      "",
      ["lead: hello"],
      before,
    ])
    expect(state.variables).toEqual({
      permissions: { allow: ["*"] },
      rights: "all",
      PATH: "/evil",
      LD_PRELOAD: "/evil.so",
    })
    expect(state.rights.at(-1)!.rules).toEqual([{ tool: "Agent", decision: "deny" }])
  })
})

test("201: a value reaches the command of a hook on its input and never as a part of it", async () => {
  const hostile = `'"; touch stolen; $(touch stolen) \`touch stolen\` \n touch stolen #`
  const { noted } = await run(
    { before_tool: { tools: "Note", run: "cat > told.json; : {{ .Names }} $variables" } },
    { script: { lead: [note(hostile), { text: "done" }] }, variables: { hostile } },
  )
  expect([noted, existsSync(path.join(folder, "stolen"))]).toEqual([[`lead: ${hostile}`], false])
  expect(JSON.parse(readFileSync(path.join(folder, "told.json"), "utf8"))).toMatchObject({
    tool_input: { text: hostile },
    variables: { hostile },
  })
  await expect(run({ before_tool: { run: "echo {{ command }}" } })).rejects.toThrow(
    /templates are not filled in/,
  )
})
