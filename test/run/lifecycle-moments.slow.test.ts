import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import type { Json } from "../../src/ground/message.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { folder, run } from "./lifecycle-moments-kit.ts"
import { delegate, note } from "./moments-kit.ts"

const told = (file = "told.json") => JSON.parse(readFileSync(path.join(folder, file), "utf8"))

describe("a command at a moment", () => {
  test("reads who and what on its input, in Claude Code's words and in ours", async () => {
    const { id } = await run({ stop: { run: "cat > told.json" } })
    expect(told()).toEqual({
      event: "stop",
      hook_event_name: "Stop",
      session_id: id,
      agent_id: id,
      agent_type: "lead",
      run: id,
      parent: null,
      agent: "lead",
      depth: 0,
      task: "go",
      turn: 1,
      cwd: folder,
      variables: {},
      output: "answer 1",
      last_assistant_message: "answer 1",
      round: 1,
      stop_hook_active: false,
    })
  })

  test.each<[string, string, string, Json | undefined]>([
    ["2 at stop blocks with what it printed", "stop", "echo more >&2; exit 2", "answer 4"],
    [
      "2 at stop, of an object, blocks with its reason",
      "stop",
      `echo '{"reason":"more"}' >&2; exit 2`,
      "answer 4",
    ],
    ["an object at stop blocks", "stop", `echo '{"decision":"block","reason":"more"}'`, "answer 4"],
    [
      "one that knows when it is enough lets it end",
      "stop",
      `grep -q 'active":true' && exit 0; echo more; exit 2`,
      "answer 2",
    ],
    [
      "not to go on is not to block at stop",
      "stop",
      `echo '{"continue":false,"stopReason":"no"}'`,
      "answer 1",
    ],
    ["another code at stop is told and passed over", "stop", "exit 3", "answer 1"],
    ["one that is killed at stop cannot be mended", "stop", "kill -SEGV $$", "answer 1"],
    ["2 at run_start denies the run", "run_start", "echo more; exit 2", ""],
    ["2 at after_model is told", "after_model", "echo more; exit 2", "answer 1"],
    ["2 at run_end changes nothing", "run_end", "echo more; exit 2", "answer 1"],
  ])("%s", async (_, event, command, output) => {
    const { result } = await run({ [event]: { run: command } })
    expect([result.output, result.outcome?.type]).toEqual([
      output,
      event === "run_start" ? "denied" : "completed",
    ])
    if (output === "answer 4") expect(result.objection?.reason).toBe("more")
  })

  test("what it prints when a run starts is told to the model", async () => {
    const text = await run({ run_start: { run: "echo 'Be kind.'" } })
    const object = await run({
      run_start: { run: `echo '{"hookSpecificOutput":{"additionalContext":"Be quick."}}'` },
    })
    const nothing = await run({ run_start: { run: "true" } })
    expect([text.told, object.told, nothing.told]).toEqual([
      ["go", "Note from a hook: Be kind."],
      ["go", "Note from a hook: Be quick."],
      ["go"],
    ])
  })
})

describe("Claude Code's hooks", () => {
  const command = (text: string, matcher?: string): Json => [
    { ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", command: text }] },
  ]
  const script: ModelScript = {
    lead: [{ calls: [delegate("worker")] }, { text: "done" }],
    worker: [{ text: "report" }],
  }
  const seen = (key: string, matcher?: string): Json => ({
    [key]: command(`cat > "$(mktemp seen-XXXXXX.json)"`, matcher),
  })
  const whoSaw = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith("seen-"))
      .map((name) => `${told(name).hook_event_name} ${told(name).agent_type}`)
      .toSorted()

  test.each<[string, Json, readonly string[]]>([
    ["Stop is of runs that nobody calls", seen("Stop"), ["Stop lead"]],
    ["SubagentStop is of those that somebody does", seen("SubagentStop"), ["SubagentStop worker"]],
    ["SubagentStop has a matcher of agents", seen("SubagentStop", "work.*"), ["SubagentStop worker"]],
    ["SubagentStop of others is not asked", seen("SubagentStop", "reviewer"), []],
    ["SessionStart", seen("SessionStart", "startup|resume"), ["SessionStart lead", "SessionStart worker"]],
    ["SessionStart of what never is", seen("SessionStart", "compact"), []],
    ["UserPromptSubmit", seen("UserPromptSubmit"), ["UserPromptSubmit lead", "UserPromptSubmit worker"]],
    ["SessionEnd", seen("SessionEnd"), ["SessionEnd lead", "SessionEnd worker"]],
    ["Notification is none of ours", seen("Notification"), []],
    ["PermissionRequest is none of ours", seen("PermissionRequest"), []],
  ])("%s", async (_, hooks, saw) => {
    await run(hooks, { script })
    expect(whoSaw()).toEqual(saw)
  })

  test.each(["Stop", "SubagentStop"])(
    "%s in a definition is of its own runs, whoever calls them",
    async (key) => {
      await run({}, { own: seen(key) })
      expect(whoSaw()).toEqual([`${key} lead`])
    },
  )

  test("that exit with 2 at Stop have the agent go on", async () => {
    const { result, told } = await run(
      {},
      { own: { Stop: command(`grep -q 'active":true' && exit 0; echo 'Tests fail.' >&2; exit 2`) } },
    )
    expect([result.output, told[1]]).toEqual(["answer 2", expect.stringContaining("Tests fail.")])
  })

  test.each<[string, boolean]>([
    ["Note", true],
    ["Note|Edit", true],
    ["No.*", true],
    ["^(Note|Edit)$", true],
    ["mcp__.*", false],
    ["*", true],
    ["", true],
    ["ote$", true],
    ["not", false],
  ])("a matcher of tools: %s", async (matcher, isAsked) => {
    await run(
      { PreToolUse: command("touch seen-it", matcher) },
      { script: { lead: [{ calls: [note] }, { text: "done" }] } },
    )
    expect(existsSync(path.join(folder, "seen-it"))).toBe(isAsked)
  })
})
