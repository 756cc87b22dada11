import { describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { readHooks } from "./read-hooks.ts"

/** Where each problem stands, and how it begins. */
const problems = (hooks: Json) =>
  readHooks(hooks, "file").problems.map(
    ({ path, offset, message }) =>
      `${[...path, ...(offset === undefined ? [] : [`@${offset}`])].join(".")}: ${message}`,
  )

describe("what is wrong with hooks is told where it stands:", () => {
  test.each<[string, Json, readonly RegExp[]]>([
    [
      "a matcher of Claude Code's",
      { PreToolUse: [{ matcher: "a(?=b)", hooks: [{ type: "command", command: "true" }] }] },
      [/^PreToolUse\.0\.matcher\.@2: "a\(\?=b\)".*valid.*pattern.*lookahead/],
    ],
    [
      "one of agents",
      { SubagentStop: { matcher: "[", hooks: { command: "true" } } },
      [/^SubagentStop\.0\.matcher\.@\d: .*it ends too soon/],
    ],
    [
      "one of how a run begins",
      { SessionStart: [{ matcher: "*x", hooks: [{ command: "true" }] }] },
      [/^SessionStart\.0\.matcher\.@0: .*there is nothing before this "\*"/],
    ],
    [
      "a hook of another type",
      { Stop: [{ hooks: [{ type: "prompt", prompt: "x" }] }] },
      [/^Stop\.0\.hooks\.0: a hook of the type "prompt" is not supported/],
    ],
    [
      "a pattern of tools",
      { before_tool: [{ tools: ["Bash", "x("], block: "x" }] },
      [/^before_tool\.0\.tools\.@\d: /],
    ],
    [
      "a matcher without hooks",
      {
        PreToolUse: [
          { matcher: "Bash", command: "./check" },
          { matcher: "Edit", hooks: [] },
        ],
      },
      [/^PreToolUse\.0: a matcher needs `hooks`/],
    ],
    [
      "names that are nobody's",
      { before_tool: { tools: [], block: "x" }, stop: { agents: [], block: "x" } },
      [/^before_tool\.tools: `tools` is empty/, /^stop\.agents: `agents` is empty/],
    ],
    [
      "keys that effects do not have",
      {
        before_tool: [
          { run: { command: "x", timout: 5 } },
          { block: { reason: "x", tools: "Bash" } },
          { inject_context: { text: "x", role: "user" } },
          { load_skill: { skill: "x", when: "x" } },
          {
            effects: [
              { type: "block", reason: "x", when: "x" },
              { type: "set_variable", variable: "a", value: 1, when: "x" },
              { type: "inject_context", template: "x", when: "x" },
              { type: "rewrite_input", input_updates: { a: 1 }, when: "x" },
            ],
          },
        ],
      },
      [
        /^before_tool\.0\.run\.timout: `run` has no "timout"\. Did you mean "timeout"\?/,
        /^before_tool\.1\.block\.tools: `block` has no "tools"\. Known: reason\./,
        /^before_tool\.2\.inject_context\.role: /,
        /^before_tool\.3\.load_skill\.when: /,
        /^before_tool\.4\.effects\.0\.when: /,
        /^before_tool\.4\.effects\.1\.when: /,
        /^before_tool\.4\.effects\.2\.when: /,
        /^before_tool\.4\.effects\.3\.when: /,
      ],
    ],
    [
      "an effect that comes too late",
      { on_run_end: { block: "x", run: "true" } },
      [/^on_run_end\.block: `block` comes too late/],
    ],
    [
      "what looks as if it were filled in, and is not",
      {
        before_tool: [
          { set_variable: { a: { b: ["{{ command }}"] } } },
          { rewrite_input: { options: { c: "{% if x %}" } } },
          { spawn_agent: { agent: "a", prompt: "{{ command }}", variables: { d: "{{ command }}" } } },
        ],
      },
      [
        /^before_tool\.0\.set_variable\.a\.b\.0.*filled/,
        /^before_tool\.1\.rewrite_input\.options\.c.*filled/,
        /^before_tool\.2\.spawn_agent\.variables\.d.*filled/,
      ],
    ],
    [
      "a variable without a name",
      { before_tool: { effects: [{ type: "set_variable", value: 1 }] } },
      [/^before_tool\.effects\.0: `set_variable` needs names with values/],
    ],
    [
      "all of them at once",
      { stop: [{ block: "{{ x }}", tools: "Bash" }, { load_skill: "a" }] },
      [/^stop\.0\.tools: /, /^stop\.0\.block\.@\d: Unknown name "x"/, /^stop\.1\.load_skill: /],
    ],
  ])("%s", (_, hooks, messages) => {
    expect(problems(hooks)).toEqual(messages.map((message) => expect.stringMatching(message)))
  })
})

test("events that are the same here and elsewhere are read as ours, with whom they are for", () => {
  const command = [{ hooks: [{ type: "command", command: "true" }] }]
  const read = (place: "definition" | "set") =>
    readHooks(
      { Stop: command, SubagentStop: command, UserPromptSubmit: command, Notification: command },
      "x",
      place,
    ).hooks.map(({ event, runs = "all", alias }) => `${alias}: ${event} of ${runs}`)
  expect(read("set")).toEqual([
    "Stop: stop of roots",
    "SubagentStop: stop of children",
    "UserPromptSubmit: run_start of all",
  ])
  expect(read("definition")).toEqual([
    "Stop: stop of all",
    "SubagentStop: stop of all",
    "UserPromptSubmit: run_start of all",
  ])
})
